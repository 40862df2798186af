"""Paying in the player's favour: the greedy purse against exhaustive search."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from scorer.mapmasters.means import BOOK_FOR, TOOLS, WILD, Purse, Tool

# Along a path an item is collected, or so many demands of one kind come at once (a room of monsters).
collecting = st.tuples(st.just("collect"), st.sampled_from(TOOLS), st.just(1))
demanding = st.tuples(st.just("demand"), st.sampled_from(TOOLS), st.integers(1, 2))
event_lists = st.lists(collecting | demanding, max_size=9)


def reach_of_greedy(events: list[tuple[str, Tool, int]], tokens: dict[str, int], books: list[str]) -> int:
    purse = Purse(tokens, books)
    for index, (what, tool, count) in enumerate(events):
        if what == "collect":
            purse.collect(tool, f"0.{index}")
        elif not purse.can_pay(tool, count):
            return index
        else:
            for _ in range(count):
                purse.pay(tool, f"0.{index}")
    return len(events)


def reach_of_best(events: list[tuple[str, Tool, int]], tokens: dict[str, int], books: list[str]) -> int:
    """How many events the best of all ways of paying survives."""

    @cache
    def best(index: int, due: int, pool: tuple[tuple[str, int], ...]) -> int:
        if index == len(events):
            return index
        what, tool, count = events[index]
        held = dict(pool)
        if what == "collect":
            held[tool] = held.get(tool, 0) + 1
            return best(index + 1, 0, tuple(sorted(held.items())))
        if due == count:
            return best(index + 1, 0, pool)
        reached = index
        for means in (tool, f"fairy:{tool}", BOOK_FOR[tool], WILD):
            if held.get(means, 0):
                rest = held | {means: held[means] - 1}
                reached = max(reached, best(index, due + 1, tuple(sorted(rest.items()))))
        return reached

    start = {f"fairy:{tool}": count for tool, count in tokens.items()} | dict.fromkeys(books, 1)
    return best(0, 0, tuple(sorted(start.items())))


@given(
    event_lists,
    st.dictionaries(st.sampled_from(TOOLS), st.integers(0, 2), max_size=2),
    st.lists(st.sampled_from([*BOOK_FOR.values(), WILD]), unique=True, max_size=3),
)
def test_no_way_of_paying_reaches_further(
    events: list[tuple[str, Tool, int]], tokens: dict[str, int], books: list[str]
) -> None:
    assert reach_of_greedy(events, tokens, books) == reach_of_best(events, tokens, books)


def test_what_is_held_is_named_as_it_will_be_spent() -> None:
    purse = Purse({"rope": 2}, ["SB-9", "SB-3", "SB-10"])
    purse.collect("sword", "0.f1")
    assert purse.held() == {"sword": 1, "fairy:rope": 2, "SB-3": 1, "SB-9": 1}
    purse.pay("rope", "0.p1")
    purse.pay("sword", "0.m1")
    assert purse.held() == {"fairy:rope": 1, "SB-3": 1, "SB-9": 1}


def test_unstruck_items_are_kept_while_something_else_pays() -> None:
    purse = Purse({"sword": 1}, [], struck=["0.f9"])
    purse.collect("sword", "0.f1")
    purse.pay("sword", "0.m1")
    purse.pay("sword", "0.m2")
    assert [payment.means for payment in purse.spent] == ["fairy:sword", "sword"]
