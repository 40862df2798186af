"""The missions that ship with the open deck: laid as they say, and what they ask for is there."""

from collections import Counter

import pytest

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue
from scorer.mapmasters.cooperative.rules.mission import FOLDER, Mission, load_mission, plan_of, slots_of

IDS = sorted(path.stem for path in (bundled_catalogue() / FOLDER).glob("*.json"))


@pytest.fixture(scope="module")
def deck() -> Catalogue:
    return load_catalogue(bundled_catalogue())


def named_cards(mission: Mission) -> list[str]:
    return [slot.card for slot in slots_of(mission).values() if slot.card is not None]


def test_the_rulebooks_first_mission_is_laid_as_it_is_told(deck: Catalogue) -> None:
    mission = load_mission(deck, "M01")
    kinds = Counter(slot.kind for slot in slots_of(mission).values())
    assert kinds["starter"] == 21
    assert sorted(named_cards(mission)) == ["B02", "D29"]
    assert mission.artifacts == {"winged_boots": "D29"}
    assert mission.deck == {"starter": 18, "3": 4, "4": 5, "5": 5, "6": 4}
    assert mission.market_coins == 5
    goals = plan_of(mission, deck, named_cards(mission)).goals
    asked = {next(iter(goal.places or ())): (dict(goal.counts), goal.artifacts) for goal in goals.values()}
    assert asked == {
        "n1": ({}, ("winged_boots",)),
        "w1": ({"coin": 5}, ()),
        "e1": ({"scroll": 5}, ()),
        "s1": ({"key": 2}, ()),
    }


@pytest.mark.parametrize("name", IDS)
def test_a_mission_can_be_laid_and_told(deck: Catalogue, name: str) -> None:
    mission = load_mission(deck, name)
    assert mission.id == name
    assert all(set(words) == {"en", "ja"} for words in (mission.name, mission.rules))
    cards = named_cards(mission)
    assert len(set(cards)) == len(cards)
    plan = plan_of(mission, deck, cards)
    assert plan.needed or mission.win.declared
    kinds = Counter(card.kind for card in deck.cards)
    starters = sum(slot.kind == "starter" for slot in plan.slots.values()) + mission.deck["starter"]
    assert starters <= kinds["starter"]
    for cost in ("3", "4", "5", "6"):
        laid = sum(str(deck.card(card).cost) == cost for card in cards)
        assert laid + mission.deck[cost] <= 18
    empty = sum(slot.kind == "empty" for slot in plan.slots.values())
    assert empty <= sum(mission.deck.values())


@pytest.mark.parametrize("name", IDS)
def test_what_a_mission_asks_a_group_to_bring_lies_on_its_table(deck: Catalogue, name: str) -> None:
    mission = load_mission(deck, name)
    plan = plan_of(mission, deck, named_cards(mission))
    lying = set(named_cards(mission))
    assert set(mission.artifacts.values()) <= lying
    assert {goal.card for goal in plan.goals.values()} - {None} <= lying
    for goal in plan.needed:
        assert set(plan.goals[goal].artifacts) <= set(mission.artifacts)
