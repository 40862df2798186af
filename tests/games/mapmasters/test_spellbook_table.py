"""The spellbooks that act beside the path, and the table of all seventeen."""

from __future__ import annotations

import pytest
from ruling_cases import pins_rules

from scorer.mapmasters.rules import means
from scorer.mapmasters.rules.spellbooks import SPELLBOOKS, dungeon_card_price, free_tokens, tokens_not_bought


def test_the_table_holds_the_seventeen_in_order_with_words_in_both_languages() -> None:
    assert tuple(SPELLBOOKS) == means.SPELLBOOKS
    assert all(book.words.en.endswith(".") and book.words.ja.endswith("。") for book in SPELLBOOKS.values())


def test_the_path_spends_exactly_those_of_its_phase() -> None:
    assert {name for name, book in SPELLBOOKS.items() if book.phase == "path"} == means.PATH_SPELLBOOKS


@pins_rules("SB-coop")
def test_sb_1_to_sb_9_are_the_cooperative_ones() -> None:
    cooperative = [name for name, book in SPELLBOOKS.items() if book.cooperative]
    assert cooperative == [f"SB-{number}" for number in range(1, 10)]


@pins_rules("SB-5")
def test_sb_5_is_removed_for_good() -> None:
    assert [name for name, book in SPELLBOOKS.items() if book.once_a_game] == ["SB-5"]


@pins_rules("SB-10")
@pytest.mark.parametrize(("books", "price"), [((), 4), (("SB-10",), 3), (("SB-1",), 4)])
def test_sb_10_a_dungeon_card_one_coin_cheaper(books: tuple[str, ...], price: int) -> None:
    assert dungeon_card_price(4, books) == price


@pins_rules("SB-15")
def test_sb_15_one_more_fairy_token_of_another_kind() -> None:
    assert free_tokens("rope", ["SB-15"]) == ("sword", "key", "scroll")
    assert free_tokens("rope", ["SB-10"]) == ()


@pins_rules("SB-13", "SB-14", "SB-16", "SB-17")
def test_what_acts_on_the_hand_and_in_the_refresh_phase_and_what_it_costs() -> None:
    beside = {name: (book.phase, book.coins) for name, book in SPELLBOOKS.items() if book.phase != "path"}
    assert beside == {
        "SB-10": ("market", 0),
        "SB-13": ("refresh", 0),
        "SB-14": ("refresh", 2),
        "SB-15": ("market", 0),
        "SB-16": ("hand", 0),
        "SB-17": ("refresh", 0),
    }


@pytest.mark.parametrize(
    ("held", "bought", "spellbooks", "missing"),
    [
        ({}, {}, (), {}),
        ({"sword": 2, "key": 1}, {"sword": 1, "key": 1}, (), {"sword": 1}),
        ({"sword": 1}, {"sword": 3}, (), {}),
        # SB-15 brings a token of another kind with one that is paid for: one, and none with nothing paid.
        ({"sword": 1, "key": 1}, {"sword": 1}, ("SB-15",), {}),
        ({"sword": 1, "key": 2}, {"sword": 1}, ("SB-15",), {"key": 1}),
        ({"sword": 1, "key": 1}, {}, ("SB-15",), {"sword": 1}),
        ({"sword": 2}, {"sword": 1}, ("SB-15",), {"sword": 1}),
        ({"sword": 1}, {}, ("SB-15",), {"sword": 1}),
    ],
)
def test_tokens_that_nobody_paid_for(
    held: dict[str, int], bought: dict[str, int], spellbooks: tuple[str, ...], missing: dict[str, int]
) -> None:
    assert tokens_not_bought(held, bought, spellbooks) == missing
