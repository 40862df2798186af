"""What a photo tells of a cooperative table, as the game's records: the layout turned as its named cards lie,
lines cut at step cards, and orders and directions that the ruling leaves open."""

from __future__ import annotations

import json
from typing import Any

import pytest
from dungeons import card, catalogue

from scorer.errors import Code, WaymarkError
from scorer.groups import DrawnLine
from scorer.mapmasters.cooperative.game import COOPERATIVE
from scorer.mapmasters.cooperative.rules.record import TableRecord
from scorer.play_kinds import groups_of
from scorer.record import Marks, PlacedCard

CARDS = catalogue(
    card("S", "w1 j1 key1 e1") | {"kind": "starter"},
    card("Z", "w1 key1 j1 e1") | {"kind": "starter"},
    card("T", "w1 j1 e1") | {"kind": "step"},
    card("B", "w1 j1 e1") | {"kind": "boss"},
)
MISSION: dict[str, Any] = {
    "format": "waymark-mission/1",
    "layout": [["S", "T", "B"]],
    "groups": ["green", "blue"],
    "steps": ["T"],
    "bosses": ["B"],
    "goals": [{"id": "key", "card": "B", "at": ["w1"], "requires": {"key": 1}}],
}
ROW = (PlacedCard("S", 0, 0, 0), PlacedCard("T", 63, 0, 0), PlacedCard("B", 126, 0, 0))
TO_THE_BOSS = ("0.w1", "0.j1", "0.key1", "0.e1", "1.w1", "1.j1", "1.e1", "2.w1")


def readings(
    *lines: tuple[str, tuple[str, ...]],
    cards: tuple[PlacedCard, ...] = ROW,
    mission: dict[str, Any] = MISSION,
    either_way: bool = False,
) -> tuple[TableRecord, ...]:
    assert COOPERATIVE.play.groups is not None
    told = {"mission": json.dumps(mission).encode()}
    setup, terms = COOPERATIVE.play.groups.setup(CARDS, told, COOPERATIVE.rules.settings.make({}))
    drawn = [
        DrawnLine(group, ((walk,), (walk[::-1],)) if either_way else ((walk,),), Marks())
        for group, walk in lines
    ]
    return COOPERATIVE.play.groups.readings(COOPERATIVE.play.groups.laid(CARDS, setup, cards), drawn, terms)


def result(record: TableRecord) -> str:
    board = COOPERATIVE.rules.board(CARDS, record)
    return COOPERATIVE.rules.referee(board, record, COOPERATIVE.rules.settings.make({})).mission.result


def test_a_line_is_cut_on_the_step_card_that_it_goes_on_from() -> None:
    (record,) = readings(("green", TO_THE_BOSS))
    assert [path.path for path in record.paths] == [(TO_THE_BOSS[:6],), (TO_THE_BOSS[5:],)]
    assert result(record) == "won"


def test_a_line_that_ends_on_a_step_card_is_one_path() -> None:
    (record,) = readings(("green", TO_THE_BOSS[:6]))
    assert [path.path for path in record.paths] == [(TO_THE_BOSS[:6],)]
    assert result(record) == "open"


#: The step card has a goal of its own, which the mission does not need, at its entrance.
ON_THE_WAY = MISSION | {
    "goals": [*MISSION["goals"], {"id": "toll", "card": "T", "at": ["w1"], "requires": {"key": 1}}]
}


def test_where_a_group_stopped_on_its_way_is_left_open_where_it_may_have_met_a_goal() -> None:
    at_the_toll, beyond = readings(("green", TO_THE_BOSS), mission=ON_THE_WAY)
    assert [path.path[0][-1] for path in at_the_toll.paths] == ["1.w1", "2.w1"]
    assert [path.path[0][-1] for path in beyond.paths] == ["1.j1", "2.w1"]
    assert groups_of(COOPERATIVE).order_told(beyond, at_the_toll).en == "green (green stopped at T [1.j1])"


def test_a_line_that_ends_midway_may_have_passed_the_step_card_and_claimed_nothing() -> None:
    cut, passing = readings(("green", (*TO_THE_BOSS, "2.j1")))
    assert [len(each.paths) for each in (cut, passing)] == [2, 1]
    assert groups_of(COOPERATIVE).order_told(passing, cut).en == "green (green did not stop at T [1.j1])"


def test_nobody_stops_on_his_way_at_a_goal_that_he_cannot_meet() -> None:
    toll = {"id": "toll", "card": "T", "at": ["w1"], "requires": {"coin": 1}}
    (record,) = readings(("green", TO_THE_BOSS), mission=MISSION | {"goals": [*MISSION["goals"], toll]})
    assert record.paths[0].path[0][-1] == "1.j1"


def test_a_line_begins_where_a_miniature_may_be_put() -> None:
    first, *_ = readings(("green", TO_THE_BOSS[::-1]), either_way=True)
    assert first.paths[0].path[0][0] == "0.w1"
    assert result(first) == "won"


def test_the_layout_is_turned_as_its_named_cards_lie() -> None:
    photo = tuple(PlacedCard(each.card, 189 - 63 - each.x, 0.0, 180) for each in ROW)
    first, *_ = readings(("green", TO_THE_BOSS), cards=photo)
    assert [each.rotation for each in first.cards] == [0, 0, 0]
    assert [each.x - first.origin[0] for each in first.cards] == [0, 63, 126]
    assert (
        COOPERATIVE.rules.referee(
            COOPERATIVE.rules.board(CARDS, first), first, COOPERATIVE.rules.settings.make({})
        ).placement
        == ()
    )


def test_what_the_mission_has_face_down_and_nobody_sees_lies_face_down() -> None:
    mission = MISSION | {"layout": [["S", "T", "B", "?S"]]}
    first, *_ = readings(("green", TO_THE_BOSS), mission=mission)
    assert [each.face_down for each in first.cards] == [False, False, False, True]
    assert first.cards[3].x == 189


def test_lines_that_are_not_in_each_others_way_have_one_order() -> None:
    cards = (*ROW, PlacedCard("Z", 0, 88, 0))
    mission = MISSION | {"layout": [["S", "T", "B"], ["S", "-", "-"]]}
    drawn = ("green", TO_THE_BOSS), ("blue", ("3.w1", "3.key1", "3.j1"))
    assert len(readings(*drawn, cards=cards, mission=mission)) == 1


def test_lines_over_one_place_are_tried_in_both_orders() -> None:
    found = readings(("green", TO_THE_BOSS), ("blue", TO_THE_BOSS[:4]))
    assert [[path.group for path in each.paths] for each in found] == [
        ["green", "green", "blue"],
        ["blue", "green", "green"],
        ["green", "blue", "green"],
    ]


def test_groups_have_pens_of_the_colours_that_they_are_called_by_unless_told() -> None:
    assert COOPERATIVE.play.groups is not None
    table = {"groups": [{"group": "blue", "colour": "black", "fairy_tokens": {"key": 1}, "start": "9.w1"}]}
    told = {"mission": json.dumps(MISSION).encode(), "table": json.dumps(table).encode()}
    setup, _ = COOPERATIVE.play.groups.setup(CARDS, told, COOPERATIVE.rules.settings.make({}))
    assert isinstance(setup, TableRecord)
    assert dict(COOPERATIVE.play.groups.colours(setup)) == {"green": "green", "blue": "black"}
    assert [each.fairy_tokens for each in setup.groups] == [{}, {"key": 1}]


def test_a_table_that_is_no_record_is_refused() -> None:
    assert COOPERATIVE.play.groups is not None
    with pytest.raises(WaymarkError) as refused:
        COOPERATIVE.play.groups.setup(CARDS, {"table": b"[1]"}, COOPERATIVE.rules.settings.make({}))
    assert refused.value.code == Code.NOT_A_RECORD
