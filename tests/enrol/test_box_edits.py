"""What people change of a box: names, which cards are in it, which way up they lie. All of it can be undone,
and what was drawn goes along."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from untraced_deck import untraced_deck

from calibration.enrol.box_edits import put_back, rename_box, rename_card, take_out, turn_card
from calibration.enrol.catalogue_folder import write_whole
from calibration.enrol.faces.enrolment import confirmed_faces
from calibration.enrol.faces.store import Asked, Faces, KnownFace, View, write_faces
from calibration.enrol.propose.folder import machine_proposal
from calibration.enrol.trace.drafts import Draft, draft_of, edit_draft, finish_draft, step_draft
from calibration.enrol.trace.tracing import Corridor, Tracing, tracing_of, turned
from scorer.catalogue import FILE_NAME, Card, read_catalogue
from scorer.errors import Code, WaymarkError
from scorer.text import written
from vision.cards.index import read_art

ACROSS = Corridor(points=((0, 22), (63, 22)))


@pytest.fixture
def box(tmp_path: Path) -> Path:
    return untraced_deck(tmp_path / "box", {"D39": "yes", "D40": "no", "D41": "proposed"})


def card(box: Path, name: str) -> Card:
    return read_catalogue(box).card(name)


def kept(box: Path, name: str) -> Draft:
    return draft_of(box, card(box, name), (63, 88))


def names(box: Path) -> list[str]:
    return [each.id for each in read_catalogue(box).cards]


def code_of(run: Any, *arguments: Any) -> Code:
    with pytest.raises(WaymarkError) as caught:
        run(*arguments)
    return caught.value.code


def test_a_box_is_renamed_unless_another_device_was_first(box: Path) -> None:
    rename_box(box, " Friday ", "木曜の箱")
    assert read_catalogue(box).name == "Friday"
    assert code_of(rename_box, box, "Saturday", "木曜の箱") == Code.CONFLICT
    assert code_of(rename_box, box, "  ", "Friday") == Code.NOT_VALID


def test_a_renamed_card_keeps_what_was_drawn_and_answers_to_its_old_name(box: Path) -> None:
    edit_draft(box, "D40", 0, ACROSS)
    rename_card(box, "D40", "A/7 赤")
    assert names(box) == ["D39", "A/7 赤", "D41"]
    assert len(kept(box, "A/7 赤").tracing.edges) == 1
    # Who still has the old page open, and what was read before.
    assert card(box, "D40").id == "A/7 赤"
    finish_draft(box, "D40", 1, anyway=True)
    assert card(box, "A/7 赤").tracing == "yes"
    rename_card(box, "A/7 赤", "D40")
    assert names(box) == ["D39", "D40", "D41"] and kept(box, "D40").done
    assert sorted(each.name for each in (box / "enrol/tracings").iterdir()) == ["D40.json"]


def test_no_two_cards_ever_have_the_same_name(box: Path) -> None:
    rename_card(box, "D39", "first")
    for name in ("d41", "FIRST", "D39"):
        assert code_of(rename_card, box, "D40", name) == Code.CONFLICT
    take_out(box, "D41")
    assert code_of(rename_card, box, "D40", "D41") == Code.CONFLICT
    assert code_of(rename_card, box, "gone", "new") == Code.UNKNOWN_CARD


def test_a_card_taken_out_comes_back_to_its_place(box: Path) -> None:
    before = msgspec.json.decode((box / FILE_NAME).read_bytes())
    take_out(box, "D39")
    assert names(box) == ["D40", "D41"]
    # What was read with it still has its dungeon.
    assert read_catalogue(box).card("D39").tracing == "yes"
    assert code_of(take_out, box, "D39") == Code.UNKNOWN_CARD
    put_back(box, "D39")
    assert names(box) == ["D39", "D40", "D41"]
    assert msgspec.json.decode((box / FILE_NAME).read_bytes()) == before


def test_a_card_is_turned_with_its_art_and_its_dungeon(box: Path) -> None:
    before = card(box, "D39")
    art = read_art(box / before.art)
    turn_card(box, "D39")
    after = card(box, "D39")
    assert tracing_of(after) == turned(tracing_of(before), (63, 88)) != tracing_of(before)
    seen = read_art(box / after.art)
    assert art is not None and seen is not None and np.array_equal(seen, art[::-1, ::-1])
    turn_card(box, "D39")
    assert card(box, "D39") == before


def test_what_was_drawn_is_turned_with_the_card(box: Path) -> None:
    edit_draft(box, "D40", 0, ACROSS)
    turn_card(box, "D40")
    draft = kept(box, "D40")
    assert draft.tracing == turned(edit_free(box), (63, 88))
    # Another device that has it open is told, and undo goes back to the empty card.
    assert code_of(edit_draft, box, "D40", 1, ACROSS) == Code.CONFLICT
    assert step_draft(box, "D40", 2, -1).tracing.empty


def edit_free(box: Path) -> Any:
    """What `ACROSS` makes of an empty card."""
    other = box.with_name("other")
    untraced_deck(other, {"D40": "no"})
    return edit_draft(other, "D40", 0, ACROSS).tracing


def test_a_card_is_not_turned_where_that_is_refused(box: Path) -> None:
    before = (box / FILE_NAME).read_bytes()

    def refused() -> AbstractContextManager[None]:
        raise WaymarkError(Code.CONFLICT, written("no", "だめ"))

    assert code_of(turn_card, box, "D39", refused) == Code.CONFLICT
    assert (box / FILE_NAME).read_bytes() == before


def test_enrolment_knows_a_turned_card_again(box: Path) -> None:
    views = [View(file="views/a-0.png", photo="a", px_per_mm=8.0, quarters=2)]
    asked = [Asked("q1", "same", View(file="views/b-0.png", photo="b", px_per_mm=8.0), "art/D39.png")]
    write_faces(box, Faces(faces=[KnownFace(art="art/D39.png", views=views)], asked=asked))
    turn_card(box, "D39")
    known = confirmed_faces(box)
    assert known.faces[0].art == known.asked[0].art == card(box, "D39").art
    assert (known.faces[0].views[0].quarters, known.asked[0].view.quarters) == (0, 2)


def test_a_machines_proposal_goes_with_its_card(box: Path) -> None:
    """It is still the machine's own, which a better one may take the place of."""
    told: dict[str, Any] = {part: [] for part in ("nodes", "edges", "rooms")}
    whole = msgspec.json.decode((box / FILE_NAME).read_bytes())["cards"][2]
    told |= {part: whole[part] for part in told}
    write_whole(box / "enrol/proposals/D41.json", msgspec.json.encode({"card": "D41", **told}))
    rename_card(box, "D41", "new")
    assert machine_proposal(box, "D41") is None and machine_proposal(box, "new") == told
    turn_card(box, "new")
    machine = machine_proposal(box, "new")
    assert machine is not None and machine != told
    assert tracing_of(card(box, "new")) == msgspec.convert(machine, Tracing)
