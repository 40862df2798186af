"""Six rounds and their final score; rows are named after the sentence that they pin."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from dungeons import card, judge
from ruling_cases import pins_rules

from scorer.errors import WaymarkError
from scorer.mapmasters import HOUSE, ONLINE, VersusSettings
from scorer.mapmasters.rules.final_score import Final, escape_bonuses, final_score, market_order, to_json
from scorer.mapmasters.rules.game_record import ROUNDS, Game, Player, Round, coins_held, parse_game, round_of
from scorer.mapmasters.words.reminders import round_end_reminders, round_start_reminders


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


@pytest.mark.parametrize(
    ("coins_left", "round_", "columns"),
    [
        pytest.param(0, {"primary": 7}, (7, 0, 0, 0, 0, 7), id="G2 the primary column is whole"),
        pytest.param(0, {"secondary": 7}, (0, 3, 0, 0, 0, 3), id="G3 half the secondary, rounded down"),
        pytest.param(0, {"secondary": 1}, (0, 0, 0, 0, 0, 0), id="G3 half of one is nothing"),
        pytest.param(0, {"time_bonus": 1}, (0, 0, 1, 0, 0, 1), id="G4 time bonuses"),
        pytest.param(0, {"escaped": True}, (0, 0, 0, 2, 0, 2), id="G5 the escape bonus"),
        pytest.param(8, {}, (0, 0, 0, 0, 2, 2), id="G7 a third of the coins, rounded down"),
    ],
)
@pins_rules("G2", "G3", "G4", "G5", "G7")
def test_each_column_alone(coins_left: int, round_: dict[str, Any], columns: tuple[int, ...]) -> None:
    final = final_score(game(player("Aya", coins_left, round_)))
    assert row(final, "Aya") == (*columns, 1)


@pins_rules("G1", "G3", "G7")
def test_the_columns_are_added_up_over_six_rounds_before_they_are_halved_and_thirded() -> None:
    rounds: list[dict[str, Any]] = [
        {"primary": 6, "secondary": 3, "time_bonus": 1, "escaped": True},
        {"secondary": 1},
        {"secondary": 1, "time_bonus": 1},
        {"primary": 9},
        {"escaped": True},
        {"primary": 1, "secondary": 2},
    ]
    assert len(rounds) == ROUNDS
    assert row(final_score(game(player("Aya", 11, *rounds))), "Aya") == (16, 3, 2, 2, 3, 26, 1)


@pins_rules("G5", "G6", "H4")
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


@pins_rules("H4")
def test_house_a_table_may_give_a_bonus_for_no_boxes() -> None:
    assert escape_bonuses([1, 0], VersusSettings(escape_bonus_for_no_boxes=True)) == (2, 1)


@pins_rules("G8")
def test_highest_wins() -> None:
    final = final_score(game(player("Aya", 0, {"primary": 5}), player("Ben", 0, {"primary": 7})))
    assert (final.winners, final.decided_by) == (("Ben",), "total")
    assert [each.rank for each in final.players] == [2, 1]


@pins_rules("G9")
def test_a_tie_goes_to_the_higher_secondary_column_whole_not_halved() -> None:
    aya = player("Aya", 0, {"primary": 5, "secondary": 2})
    ben = player("Ben", 0, {"primary": 5, "secondary": 3})
    final = final_score(game(aya, ben))
    assert (final.winners, final.decided_by) == (("Ben",), "secondary")


@pins_rules("G10")
def test_still_tied_is_shared_and_the_next_rank_is_skipped() -> None:
    twins = [player(name, 0, {"primary": 5, "secondary": 2}) for name in ("Aya", "Ben")]
    final = final_score(game(*twins, player("Cho", 0, {"primary": 1})))
    assert (final.winners, final.decided_by) == (("Aya", "Ben"), "shared")
    assert [each.rank for each in final.players] == [1, 1, 3]


@pins_rules("G1")
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


@pins_rules("G11")
def test_market_order_starts_with_the_fewest_coins_and_goes_round() -> None:
    table = [
        player("Aya", 5, {"primary": 1}),
        player("Ben", 2, {"primary": 1}),
        player("Cho", 4, {"primary": 1}),
    ]
    assert market_order(game(*table)) == ("Ben", "Cho", "Aya")


@pins_rules("G12")
@pytest.mark.parametrize("column", ["primary", "secondary", "time_bonus"])
def test_market_order_a_tie_goes_to_the_lower_points_of_the_last_round_all_columns(column: str) -> None:
    table = [
        player("Aya", 2, {"primary": 0}, {"primary": 3, column: 5}),
        player("Ben", 2, {"primary": 9}, {"primary": 4}),
    ]
    assert market_order(game(*table)) == ("Ben", "Aya")


def test_market_order_still_tied_the_earlier_seat_buys_first() -> None:
    assert market_order(game(player("Aya", 2, {}), player("Ben", 1, {}), player("Cho", 1, {}))) == (
        "Ben",
        "Cho",
        "Aya",
    )


@pins_rules("G13", "E2")
def test_in_round_one_the_youngest_or_whoever_was_drawn_begins_and_then_it_goes_round() -> None:
    table = game(player("Aya", 6), player("Ben", 6), player("Cho", 6))
    assert market_order(table, first=1) == ("Ben", "Cho", "Aya")
    assert (HOUSE.first_player, ONLINE.first_player) == ("youngest", "random")
    assert "youngest" in round_start_reminders(1)[1].en and "最年少" in round_start_reminders(1)[1].ja
    assert (
        "lots" in round_start_reminders(1, ONLINE)[1].en and "くじ" in round_start_reminders(1, ONLINE)[1].ja
    )


@pins_rules("G14")
def test_everyone_starts_with_six_coins_and_keeps_what_is_not_spent() -> None:
    assert coins_held(()) == (6,)
    rounds = (Round(coins_spent=5, coins_received=3), Round(coins_spent=4, coins_received=2))
    assert coins_held(rounds) == (6, 4, 2)
    assert "6" in round_start_reminders(1)[0].en and not any(
        "6" in words.en for words in round_start_reminders(2)
    )


@pins_rules("G11", "G12")
def test_later_rounds_start_with_the_fewest_coins_whatever_the_edition() -> None:
    assert round_start_reminders(2, ONLINE)[0] == round_start_reminders(6)[0]
    assert "fewest coins" in round_start_reminders(2)[0].en


@pins_rules("E1")
def test_the_online_edition_has_no_time_limit() -> None:
    assert (HOUSE.exploration_minutes, ONLINE.exploration_minutes) == (5, None)
    assert "5 minutes" in round_start_reminders(3)[-1].en and "5 分" in round_start_reminders(3)[-1].ja
    assert not any("minutes" in words.en for words in round_start_reminders(3, ONLINE))


@pins_rules("R2", "R3", "R5", "R6")
def test_a_ruling_becomes_a_round() -> None:
    face = card("A", "w1 key1 coin1 e1", values={"coin1": 2})
    ruling = judge(face, "w1 key1 coin1 e1", primary="key", secondary="coin")
    assert round_of(ruling, time_bonus=True, coins_spent=3) == Round(
        primary=2, secondary=2, time_bonus=1, escaped=True, coins_received=2, coins_spent=3
    )


@pins_rules("R4", "H3", "E3")
@pytest.mark.parametrize(
    ("settings", "points"), [(HOUSE, 1), (ONLINE, 1), (VersusSettings(time_bonus_vp=2), 2)]
)
def test_the_first_to_finish_has_the_time_bonus_and_nobody_else(
    settings: VersusSettings, points: int
) -> None:
    ruling = judge(card("A", "w1 key1 e1"), "w1 key1 e1")
    assert round_of(ruling, time_bonus=True, settings=settings).time_bonus == points
    assert round_of(ruling, settings=settings).time_bonus == 0


def test_a_round_keeps_the_books_of_what_was_held_and_used() -> None:
    ruling = judge(card("A", "w1 recycle1 e1"), "w1 recycle1 e1")
    kept = round_of(
        ruling, fairy_tokens={"rope": 1}, spellbooks=["SB-3"], optimizers_used={"recycle": 1}, coins_spent=3
    )
    assert (kept.fairy_tokens, kept.spellbooks, kept.optimizers_used) == (
        {"rope": 1},
        ("SB-3",),
        {"recycle": 1},
    )
    assert parse_game(msgspec.json.encode(game(Player(name="Aya", rounds=(kept,))))).players[0].rounds == (
        kept,
    )


@pins_rules("R1", "R2", "R3", "R4", "R5", "R6", "X8")
def test_the_steps_of_a_rounds_end_come_in_the_order_of_the_rules() -> None:
    told = [words.en for words in round_end_reminders(1)]
    words = [
        "fairy tokens",
        "coins",
        "primary",
        "hourglass",
        "secondary",
        "escape box",
        "next round's primary",
        "recycling",
        "Wipe",
        "spellbooks",
    ]
    assert len(told) == len(words)
    assert all(word in line for word, line in zip(words, told, strict=True))
    assert all(
        words.ja.endswith("。") for number in range(1, ROUNDS + 1) for words in round_end_reminders(number)
    )


@pins_rules("G15")
def test_after_round_three_alone_the_market_is_replaced() -> None:
    replaced = [any("market" in words.en for words in round_end_reminders(n)) for n in range(1, ROUNDS + 1)]
    assert replaced == [False, False, True, False, False, False]


@pins_rules("X8", "G1")
def test_the_last_round_has_no_refresh_but_the_score() -> None:
    last = [words.en for words in round_end_reminders(ROUNDS)]
    assert "Add up" in last[-1]
    assert not any(word in line for line in last for word in ("next round", "recycling", "Wipe", "face up"))
