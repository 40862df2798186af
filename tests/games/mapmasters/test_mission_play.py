"""The program that plays missions: it keeps to the rules, wins what can be won, loses what cannot."""

import msgspec
import pytest

from calibration.missions.play import Game, Outcome
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue
from scorer.mapmasters.cooperative import referee
from scorer.mapmasters.cooperative.rules.mission import Mission, parse_mission

#: Two groups, each a few cards from its entrance of the boss card.
SMALL = {
    "format": "waymark-mission/1",
    "layout": [["S", ".", "S"], ["S", "B02", "S"], ["S", ".", "S"]],
    "groups": ["green", "blue"],
    "starts": ["left", "right", "top", "bottom"],
    "market_coins": 2,
    "deck": {"starter": 12, "3": 4},
    "goals": [
        {"id": "above", "card": "B02", "at": ["n1"], "requires": {}},
        {"id": "below", "card": "B02", "at": ["s1"], "requires": {}},
    ],
}


@pytest.fixture(scope="module")
def deck() -> Catalogue:
    return load_catalogue(bundled_catalogue())


def mission(**changes: object) -> Mission:
    return parse_mission(msgspec.json.encode(SMALL | changes))


def games(deck: Catalogue, played: Mission, count: int = 4) -> list[Outcome]:
    return [Game(deck, played, "normal", seed).play() for seed in range(count)]


def test_a_mission_of_two_open_doors_is_won(deck: Catalogue) -> None:
    assert any(outcome.won for outcome in games(deck, mission()))


def test_what_was_played_is_legal_and_lies_as_the_mission_says(deck: Catalogue) -> None:
    for outcome in games(deck, mission()):
        ruling = referee(deck, outcome.record, "normal")
        assert ruling.legal
        assert ruling.setup == ()
        assert {fault.rule for fault in ruling.placement} <= {"missing-card"}
        assert (ruling.mission.result == "won") == outcome.won
        assert outcome.turns <= 2


def test_a_seed_plays_the_same_game_again(deck: Catalogue) -> None:
    first, second = (Game(deck, mission(), "normal", 3).play() for _ in range(2))
    assert first == second


def test_a_goal_that_nothing_on_the_cards_can_meet_is_not_won(deck: Catalogue) -> None:
    goals = [{"id": "above", "card": "B02", "at": ["n1"], "requires": {"key": 30}}]
    for outcome in games(deck, mission(goals=goals), count=1):
        assert (outcome.won, outcome.reason) == (False, "no-card")


def test_a_card_face_down_is_turned_up_by_the_group_that_comes_there(deck: Catalogue) -> None:
    played = mission(
        layout=[["S", "S", "S"], ["S", "?B05", "S"], [".", "S", "S"]],
        groups=["green"],
        steps=["B05"],
        goals=[{"id": "inside", "card": "B05", "at": ["w1", "w2", "n1", "s1", "e1"], "requires": {}}],
        win={"goals": ["inside"]},
    )
    won = [outcome for outcome in games(deck, played) if outcome.won]
    assert won
    assert all(not card.face_down for outcome in won for card in outcome.record.cards)


def test_a_group_leaves_by_the_edge_that_the_mission_names(deck: Catalogue) -> None:
    played = mission(
        layout=[["S", ".", "S", "S"], ["S", "S", ".", "S"]],
        groups=["green"],
        starts=["left"],
        goals=[{"id": "out", "at": ["edge:right"], "requires": {}}],
    )
    outcomes = games(deck, played)
    assert any(outcome.won for outcome in outcomes)
