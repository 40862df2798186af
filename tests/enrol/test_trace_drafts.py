"""Drafts of tracings: each edit is kept, nobody overwrites another, what is done stands in the catalogue."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.enrol.catalogue_folder import changed_catalogue, new_catalogue
from calibration.enrol.trace.drafts import (
    Draft,
    Effort,
    copy_draft,
    draft_of,
    edit_draft,
    finish_draft,
    median_taps,
    step_draft,
)
from calibration.enrol.trace.tracing import (
    Change,
    Confirm,
    Corridor,
    Erase,
    Find,
    StillInDoubt,
    tracing_of,
    turned,
)
from scorer.catalogue import Card, read_catalogue
from scorer.errors import Code, WaymarkError

ACROSS = Corridor(points=((0, 22), (63, 22)))
DOWN = Corridor(points=((30, 0), (30, 88)))


@pytest.fixture
def box(tmp_path: Path) -> Path:
    folder = tmp_path / "box"
    with changed_catalogue(folder, new_catalogue("ours", "mapmasters", (63, 88))) as told:
        told["cards"] += [{"id": card, "kind": "dungeon", "art": f"art/{card}.png"} for card in ("C1", "C/2")]
    return folder


def card(box: Path, name: str = "C1") -> Card:
    return read_catalogue(box).card(name)


def kept(box: Path, name: str = "C1") -> Draft:
    return draft_of(box, card(box, name), (63, 88))


def test_an_edit_is_kept_as_it_is_made_and_the_catalogue_stays(box: Path) -> None:
    edit_draft(box, "C1", 0, ACROSS, effort=Effort(taps=2, seconds=3.5))
    draft = kept(box)
    assert (draft.version, len(draft.tracing.edges), draft.taps, draft.seconds) == (1, 1, 2, 3.5)
    assert card(box).tracing == "no"


def test_undo_and_redo_go_through_every_state(box: Path) -> None:
    edit_draft(box, "C1", 0, ACROSS)
    edit_draft(box, "C1", 1, DOWN)
    assert len(step_draft(box, "C1", 2, -1).tracing.edges) == 1
    assert len(step_draft(box, "C1", 3, 1).tracing.edges) == 4
    with pytest.raises(WaymarkError):
        step_draft(box, "C1", 4, 1)


def test_another_device_is_not_overwritten(box: Path) -> None:
    edit_draft(box, "C1", 0, ACROSS)
    with pytest.raises(WaymarkError) as told:
        edit_draft(box, "C1", 0, DOWN)
    assert told.value.code == Code.CONFLICT and len(kept(box).tracing.edges) == 1


def test_what_is_done_stands_in_the_catalogue_and_in_ink(box: Path) -> None:
    with changed_catalogue(box) as told:
        told["cards"][0] |= {
            "traced": "proposed",
            "nodes": [
                {"id": "o1", "kind": "opening", "side": "left", "at": [0, 22], "confidence": 0.9},
                {"id": "o2", "kind": "opening", "side": "right", "at": [63, 22], "confidence": 0.9},
            ],
            "edges": [{"kind": "corridor", "from": "o1", "to": "o2", "level": "main", "confidence": 0.95}],
            "note": "mine",
        }
    done = finish_draft(box, "C1", 0, effort=Effort(taps=1))
    assert done.done and done.machine is not None and done.machine.pencilled == 3
    now = card(box)
    assert now.tracing == "yes" and {node.confidence for node in now.nodes} == {None}
    assert '"mine"' in (box / "catalogue.json").read_text("utf-8")
    assert median_taps(box, ["C1", "C/2"]) == 1


def test_a_goal_goes_with_the_place_that_it_is_at(box: Path) -> None:
    edit_draft(box, "C1", 0, ACROSS)
    edit_draft(box, "C1", 1, Find(at=(30, 22), find="sword"))
    finish_draft(box, "C1", 2, anyway=True)
    place = next(node.id for node in card(box).nodes if node.kind == "find")
    with changed_catalogue(box) as told:
        told["cards"][0]["goals"] = [{"id": "here", "at": [place]}, {"id": "anywhere"}]
    finish_draft(box, "C1", kept(box).version, anyway=True)
    assert [goal.id for goal in card(box).goals] == ["here", "anywhere"]
    version = edit_draft(box, "C1", kept(box).version, Erase(place=place)).version
    finish_draft(box, "C1", version, anyway=True)
    assert [goal.id for goal in card(box).goals] == ["anywhere"]


def test_what_does_not_hang_together_is_done_only_when_a_person_says_so(box: Path) -> None:
    edit_draft(box, "C1", 0, Find(at=(30, 50), find="rope"))
    with pytest.raises(WaymarkError) as told:
        finish_draft(box, "C1", 1)
    assert told.value.code == Code.UNSOUND_CATALOGUE and card(box).tracing == "no"
    assert finish_draft(box, "C1", 1, anyway=True).done and card(box).tracing == "yes"


def test_a_find_that_nobody_has_named_is_not_taken_over_unseen(box: Path) -> None:
    with changed_catalogue(box) as told:
        told["cards"][0] |= {
            "traced": "proposed",
            "nodes": [
                {"id": "o1", "kind": "opening", "side": "left", "at": [0, 22], "confidence": 0.9},
                {"id": "f1", "kind": "find", "find": "coin", "at": [30, 22], "confidence": 0.06},
                {"id": "f2", "kind": "find", "find": "coin", "at": [40, 22], "confidence": 0.06},
            ],
            "edges": [
                {"kind": "corridor", "from": "o1", "to": "f1", "level": "main", "confidence": 0.9},
                {"kind": "corridor", "from": "f1", "to": "f2", "level": "main", "confidence": 0.9},
            ],
        }
    for anyway in (False, True):
        with pytest.raises(StillInDoubt) as refused:
            finish_draft(box, "C1", 0, anyway=anyway)
        assert refused.value.code.http_status == 409 and "2" in refused.value.message("ja")
    edit_draft(box, "C1", 0, Change(place="f1", find="sword"))
    with pytest.raises(StillInDoubt):
        finish_draft(box, "C1", 1)
    assert card(box).tracing == "proposed"
    edit_draft(box, "C1", 1, Erase(place="f2"))
    assert finish_draft(box, "C1", 2).done
    assert [node.find for node in card(box).nodes if node.find] == ["sword"]


def test_a_card_takes_over_another_ones_dungeon(box: Path) -> None:
    edit_draft(box, "C1", 0, ACROSS)
    with pytest.raises(WaymarkError):
        copy_draft(box, "C/2", 0, "C1")
    finish_draft(box, "C1", 1)
    draft = copy_draft(box, "C/2", 0, "C1", upside_down=True)
    assert draft.copied == "C1" and draft.tracing == turned(tracing_of(card(box)), (63, 88))
    assert card(box, "C/2").tracing == "no"


def test_what_a_person_wrote_in_the_catalogue_since_stands(box: Path) -> None:
    edit_draft(box, "C1", 0, ACROSS)
    finish_draft(box, "C1", 1)
    with changed_catalogue(box) as told:
        told["cards"][0]["edges"][0]["via"] = [[30, 30]]
    draft = kept(box)
    assert draft.tracing.edges[0].via == ((30, 30),) and draft.done
    assert not step_draft(box, "C1", 2, -1).tracing.edges[0].via


def test_a_draft_that_cannot_be_read_is_told(box: Path) -> None:
    edit_draft(box, "C1", 0, Confirm())
    (box / "enrol/tracings/C1.json").write_text("{")
    with pytest.raises(WaymarkError, match="cannot be read"):
        kept(box)
