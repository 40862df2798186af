"""Six rounds and their final score; rows are named after the sentence that they pin."""

from __future__ import annotations

import json
from typing import Any

import pytest
from dungeons import card, judge

from scorer.errors import WaymarkError
from scorer.mapmasters import VersusSettings
from scorer.mapmasters.game import (
    ROUNDS,
    Final,
    Game,
    Player,
    Round,
    escape_bonuses,
    final_score,
    market_order,
    parse_game,
    round_end_reminders,
    round_of,
    to_json,
)


def game(*players: Player) -> Game:
    return Game(format="waymark-game/1", players=players)


def player(name: str, coins_left: int = 0, *rounds: dict[str, Any]) -> Player:
    return Player(name=name, coins_left=coins_left, rounds=tuple(Round(**each) for each in rounds))


def row(final: Final, name: str) -> tuple[int, ...]:
    found = next(each for each in final.players if each.name == name)
    return (
        found.primary,
        found.secondary,
        found.time_bonus,
        found.escape_bonus,
        found.coins,
        found.total,
        found.rank,
    )


def test_the_columns_are_added_up_the_secondary_halved_and_coins_thirded_both_rounded_down() -> None:
    aya = player("Aya", 8, {"primary": 6, "secondary": 3, "time_bonus": 1, "escaped": True}, {"secondary": 4})
    assert row(final_score(game(aya)), "Aya") == (6, 3, 1, 2, 2, 14, 1)


@pytest.mark.parametrize(
    ("boxes", "bonuses"),
    [
        ([3, 2, 1], (2, 1, 0)),
        ([3, 3, 1], (2, 2, 1)),
        ([3, 2, 2, 1], (2, 1, 1, 0)),
        ([2, 2, 2], (2, 2, 2)),
        ([1, 0, 0], (2, 0, 0)),
        ([0, 0], (0, 0)),
        ([4], (2,)),
    ],
)
def test_escape_bonus(boxes: list[int], bonuses: tuple[int, ...]) -> None:
    assert escape_bonuses(boxes) == bonuses


def test_house_a_table_may_give_a_bonus_for_no_boxes() -> None:
    assert escape_bonuses([1, 0], VersusSettings(escape_bonus_for_no_boxes=True)) == (2, 1)


def test_highest_wins() -> None:
    final = final_score(game(player("Aya", 0, {"primary": 5}), player("Ben", 0, {"primary": 7})))
    assert (final.winners, final.decided_by) == (("Ben",), "total")
    assert [each.rank for each in final.players] == [2, 1]


def test_a_tie_goes_to_the_higher_secondary_column_whole_not_halved() -> None:
    aya = player("Aya", 0, {"primary": 5, "secondary": 2})
    ben = player("Ben", 0, {"primary": 5, "secondary": 3})
    final = final_score(game(aya, ben))
    assert (final.winners, final.decided_by) == (("Ben",), "secondary")


def test_still_tied_is_shared_and_the_next_rank_is_skipped() -> None:
    twins = [player(name, 0, {"primary": 5, "secondary": 2}) for name in ("Aya", "Ben")]
    final = final_score(game(*twins, player("Cho", 0, {"primary": 1})))
    assert (final.winners, final.decided_by) == (("Aya", "Ben"), "shared")
    assert [each.rank for each in final.players] == [1, 1, 3]


def test_fewer_rounds_give_the_standing_so_far() -> None:
    assert final_score(game(player("Aya"), player("Ben"))).decided_by == "shared"


def test_the_form_of_the_final_score() -> None:
    text = (
        '{ "format": "waymark-game/1", "mode": "versus", "players": [ {"name": "Aya", "coins_left": 7,'
        '"rounds": [ {"primary": 6, "secondary": 3, "time_bonus": 0, "escaped": true} ] } ] }'
    )
    assert json.loads(to_json(final_score(parse_game(text)))) == {
        "format": "waymark-final/1",
        "players": [
            {
                "name": "Aya",
                "primary": 6,
                "secondary": 1,
                "time_bonus": 0,
                "escape_bonus": 2,
                "coins": 2,
                "total": 11,
                "rank": 1,
            }
        ],
        "winners": ["Aya"],
        "decided_by": "total",
        "rounds": 1,
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format": "waymark-game/2", "players": [{"name": "A"}]}',
        '{"format": "waymark-game/1", "players": []}',
        '{"format": "waymark-game/1", "mode": "coop", "players": [{"name": "A"}]}',
        '{"format": "waymark-game/1", "players": [{"name": "A", "coins_left": -1}]}',
        '{"format": "waymark-game/1", "players": [{"name": "A", "rounds": [{}, {}, {}, {}, {}, {}, {}]}]}',
        "[" * 5000,
    ],
)
def test_what_is_no_game_gets_a_sentence(text: str) -> None:
    with pytest.raises(WaymarkError) as caught:
        parse_game(text)
    assert (caught.value.code, caught.value.exit_status) == ("not-a-game", 3)


def test_market_order_starts_with_the_fewest_coins_and_goes_round() -> None:
    table = [
        player("Aya", 5, {"primary": 1}),
        player("Ben", 2, {"primary": 1}),
        player("Cho", 4, {"primary": 1}),
    ]
    assert market_order(game(*table)) == ("Ben", "Cho", "Aya")


def test_market_order_a_tie_goes_to_the_lower_points_of_the_last_round() -> None:
    table = [
        player("Aya", 2, {"primary": 0}, {"primary": 4}),
        player("Ben", 2, {"primary": 9}, {"primary": 1, "secondary": 2}),
    ]
    assert market_order(game(*table)) == ("Ben", "Aya")


def test_before_round_one_the_seating_order_stands() -> None:
    assert market_order(game(player("Aya", 6), player("Ben", 6))) == ("Aya", "Ben")


def test_a_ruling_becomes_a_round() -> None:
    face = card("A", "w1 key1 coin1 e1", values={"coin1": 2})
    ruling = judge(face, "w1 key1 coin1 e1", primary="key", secondary="coin")
    assert round_of(ruling, time_bonus=True, coins_spent=3) == Round(
        primary=2, secondary=2, time_bonus=1, escaped=True, coins_received=2, coins_spent=3
    )


def test_reminders_of_the_round_end() -> None:
    first, third, last = (round_end_reminders(number) for number in (1, 3, ROUNDS))
    assert any("market" in en for en, _ in third) and not any("market" in en for en, _ in first)
    assert not any("next round" in en for en, _ in last)
    assert all(en and ja for en, ja in first + last)
