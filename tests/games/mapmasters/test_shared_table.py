"""A cooperative table as its players are told it: missions on offer, what groups have and need, which ways
are closed, what is changed by hand."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from calibration.missions.play import Game as PlayedMission
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue
from scorer.errors import WaymarkError
from scorer.games import game_named, word_of
from scorer.mapmasters.cooperative.play.hint import hint
from scorer.mapmasters.cooperative.rules.mission import load_mission
from scorer.mapmasters.cooperative.rules.record import TableRecord
from scorer.tables import TableTold

GAME = game_named("mapmasters/cooperative")
assert GAME.play.groups is not None
TABLE = GAME.play.groups
PLAYERS = ("Aya", "Ben")


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue(bundled_catalogue())


@pytest.fixture(scope="module")
def played(catalogue: Catalogue) -> TableRecord:
    """The second mission as the program plays it."""
    record = PlayedMission(catalogue, load_mission(catalogue, "M02"), "normal", 1).play().record
    return msgspec.structs.replace(record, mission="M02")


def told(catalogue: Catalogue, record: TableRecord) -> TableTold:
    verdict = GAME.rules.referee(GAME.rules.board(catalogue, record), record, GAME.rules.settings.make({}))
    return TABLE.told(catalogue, record, verdict)


def change(catalogue: Catalogue, record: TableRecord, **change: Any) -> TableRecord:
    after: TableRecord = TABLE.changed(catalogue, record, change, PLAYERS)
    return after


def test_the_cooperative_game_is_named_by_its_word_and_mode() -> None:
    assert GAME.mode == "cooperative"
    assert word_of(GAME) == "mapmasters/cooperative"
    assert word_of(game_named("mapmasters")) == "mapmasters"


def test_every_mission_is_on_offer_with_its_shape_its_goals_and_where_groups_start(
    catalogue: Catalogue,
) -> None:
    offers = {offer.id: offer for offer in TABLE.offers(catalogue)}
    assert len(offers) == 15
    cook = offers["M02"]
    assert (cook.columns, cook.rows, cook.coins, cook.groups) == (5, 3, 3, ("green", "red"))
    assert [goal.asks.en for goal in cook.goals] == ["the cook", "sword ×2"]
    assert ((0, 0), "left") in cook.starts and ((4, 0), "right") not in cook.starts
    assert [slot.card for slot in cook.slots if slot.artifact] == ["D17"]
    assert cook.losses and all(offer.goals for offer in offers.values())


def test_a_table_begins_with_the_first_player_and_says_to_lay_it(catalogue: Catalogue) -> None:
    record = TABLE.begun(catalogue, "M02", {"green": "green", "red": "pink"}, PLAYERS)
    table = told(catalogue, record)
    assert (table.player, table.hand, table.laid, table.result) == ("Aya", 3, False, "open")
    assert [group.colour for group in table.groups] == ["green", "pink"]
    assert table.says[0].en.startswith("Lay the table")
    assert table.left == ((table.left[0][0], 7),)
    assert TABLE.next_turn(catalogue, record, PLAYERS, 1).turn.player == "Ben"


def test_a_hand_grows_smaller_once_the_deck_is_used_up(catalogue: Catalogue) -> None:
    record = TABLE.begun(catalogue, "M02", {}, PLAYERS)
    hands = [TABLE.next_turn(catalogue, record, PLAYERS, turns).turn.hand for turns in (0, 13, 14, 16, 18)]
    assert hands == [3, 3, 3, 2, 1]


def test_what_is_bought_is_counted_against_what_the_mission_grants(catalogue: Catalogue) -> None:
    record = TABLE.begun(catalogue, "M02", {}, PLAYERS)
    record = change(catalogue, record, kind="group", group="red", fairy_tokens={"sword": 1, "key": 0})
    record = change(catalogue, record, kind="group", group="green", spellbooks=["SB-1"])
    table = told(catalogue, record)
    assert (table.market.spent, table.market.granted) == (3, 3)
    (swords,) = [need.shares for need in table.groups[1].needs if need.goal == "B01.swords"]
    assert (swords[0].have, swords[0].wanted) == (1, 2)
    record = change(catalogue, record, kind="group", group="green", fairy_tokens={"rope": 1})
    assert "over" in told(catalogue, record).faults[0].en or told(catalogue, record).faults


def test_a_played_mission_tells_its_goals_by_who_met_them(catalogue: Catalogue, played: TableRecord) -> None:
    table = told(catalogue, played)
    verdict = GAME.rules.referee(GAME.rules.board(catalogue, played), played, GAME.rules.settings.make({}))
    assert table.result == verdict.mission.result
    met = verdict.mission.goals
    assert [by for _, by in table.goals] == [met[goal.id] for goal, _ in table.goals]
    assert all(path.words.en for path in table.paths)


def test_lines_of_two_pens_that_were_mistaken_for_each_other_are_changed_together(
    catalogue: Catalogue, played: TableRecord
) -> None:
    owners = [path.group for path in played.paths]
    swapped = change(catalogue, played, kind="owner", path=0, group="green" if owners[0] == "red" else "red")
    other = {"green": "red", "red": "green"}
    assert [path.group for path in swapped.paths] == [other[name] for name in owners]


def test_another_card_cuts_the_lines_over_it(catalogue: Catalogue, played: TableRecord) -> None:
    walked = {int(name.partition(".")[0]) for path in played.paths for s in path.path for name in s}
    number = next(k for k in walked if (played.cards[k].card or "").startswith("S"))
    card = played.cards[number]
    width, height = catalogue.card_size_mm
    cell = round((card.x - played.origin[0]) / width), round((card.y - played.origin[1]) / height)
    other = next(each.id for each in catalogue.cards if each.kind == "starter" and each.id != card.card)
    after = change(catalogue, played, kind="card", cell=cell, card=other)
    assert after.cards[number].card == other
    left = {name for path in after.paths for stroke in path.path for name in stroke}
    assert not any(name.startswith(f"{number}.") for name in left)
    gone = change(catalogue, after, kind="remove-card", cell=cell)
    assert len(gone.cards) == len(played.cards) - 1
    assert told(catalogue, gone).paths


def test_a_record_is_written_as_text_and_keeps_what_the_text_does_not_tell(
    catalogue: Catalogue, played: TableRecord
) -> None:
    begun = TABLE.begun(catalogue, "M02", {"green": "green", "red": "red"}, PLAYERS)
    assert GAME.notation is not None
    text = GAME.notation.write(msgspec.structs.replace(played, turn=None, mission=None))
    written = change(catalogue, begun, kind="record", text=text)
    assert (written.mission, written.turn) == ("M02", begun.turn)
    assert written.paths == played.paths


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "what"},
        {"kind": "owner", "path": 99, "group": "red"},
        {"kind": "owner", "path": 0, "group": "pink"},
        {"kind": "order", "paths": [0, 0]},
        {"kind": "goal", "path": 0, "goal": "nothing"},
        {"kind": "card", "cell": [0, 0], "card": "X9"},
        {"kind": "record", "text": "cooperative | "},
        {"kind": "group", "group": "red", "fairy_tokens": {"spoon": 1}},
    ],
)
def test_a_change_that_cannot_be_is_refused(
    catalogue: Catalogue, played: TableRecord, wrong: dict[str, Any]
) -> None:
    with pytest.raises(WaymarkError):
        change(catalogue, played, **wrong)


def test_hints_tell_the_outlook_first(catalogue: Catalogue) -> None:
    record = TABLE.begun(catalogue, "M02", {}, PLAYERS)
    (outlook, _), *goals = TABLE.hints(catalogue, record, GAME.rules.settings.make({}))
    assert outlook.en and outlook.ja
    assert [goal.en for goal, _ in goals] == ["B01.cook", "B01.swords"]


def test_a_card_is_carried_to_another_slot_and_lines_end_before_it(
    catalogue: Catalogue, played: TableRecord
) -> None:
    cells = GAME.rules.board(catalogue, played).layout.cells
    lying = {cell: card.card for cell, card in zip(cells, played.cards, strict=True)}
    ((one, first), (two, second), *_) = lying.items()
    after = change(catalogue, played, kind="move-card", cell=list(one), to=list(two))
    then = dict(
        zip(GAME.rules.board(catalogue, after).layout.cells, (c.card for c in after.cards), strict=True)
    )
    assert then == lying | {one: second, two: first}
    free = next((c, r) for c in range(20) for r in range(20) if (c, r) not in lying)
    moved = change(catalogue, played, kind="move-card", cell=list(one), to=list(free))
    then = dict(
        zip(GAME.rules.board(catalogue, moved).layout.cells, (c.card for c in moved.cards), strict=True)
    )
    assert then == {cell: card for cell, card in lying.items() if cell != one} | {free: first}
    with pytest.raises(WaymarkError):
        change(catalogue, played, kind="move-card", cell=[99, 99], to=list(one))


def test_hints_name_places_as_people_see_them(catalogue: Catalogue) -> None:
    played = PlayedMission(catalogue, load_mission(catalogue, "M04"), "normal", 1).play().record
    record = msgspec.structs.replace(played, mission="M04", paths=(), turn=None)
    named = hint(catalogue, record)
    assert any("[" in way.message for goal in named.goals for way in goal.ways), "records have names"
    told = TABLE.hints(catalogue, record, GAME.rules.settings.make({}))
    assert not any("[" in way.en + way.ja for _, ways in told for way in ways)
