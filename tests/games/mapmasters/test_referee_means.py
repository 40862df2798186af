"""Paying in the player's favour: the referee's payments against every other way of paying."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st
from random_records import deck, random_record
from ruling_cases import pins_rules

from scorer.dungeon import Dungeon, build_dungeon
from scorer.mapmasters import HOUSE
from scorer.mapmasters.rules.means import BOOK_FOR, TOOLS, WILD, Purse, Tool
from scorer.mapmasters.rules.ruling import Payment
from scorer.mapmasters.rules.walk import Walk, walk
from scorer.places import known_place
from scorer.record import Record

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


class ChoosingPurse(Purse):
    """A purse that pays as it is told: the n-th payment takes the `choices[n]`-th of the means that would do,
    the first one where nothing is told. `number[n]` is how many would have done.
    """

    def __init__(self, record: Record, choices: Sequence[int]) -> None:
        super().__init__(record.fairy_tokens, record.spellbooks)
        self.told = choices
        self.number: list[int] = []

    def pay(self, tool: Tool, at: str) -> None:
        held = self.held()
        means = [name for name in (WILD, BOOK_FOR[tool], f"fairy:{tool}", tool) if held.get(name)]
        chosen = means[self.told[len(self.number)] if len(self.number) < len(self.told) else 0]
        self.number.append(len(means))
        if chosen in (WILD, BOOK_FOR[tool]):
            self.use_book(chosen, at)
            return
        if chosen == tool:
            self._items[tool].pop()
        else:
            self._tokens[tool] -= 1
        self._held = None
        self.spent.append(Payment(at=at, means=chosen))


def every_way_of_paying(dungeon: Dungeon, record: Record, most: int = 300) -> Iterator[Walk]:
    """The walk with each choice of means for each payment, `most` of them at most."""
    strokes = [[known_place(dungeon, name) for name in stroke] for stroke in record.path]
    due: list[tuple[int, ...]] = [()]
    for _ in range(most):
        if not due:
            return
        choices = due.pop()
        purse = ChoosingPurse(record, choices)
        yield walk(dungeon, strokes, purse, HOUSE)
        for index in range(len(choices), len(purse.number)):
            untold = (0,) * (index - len(choices))
            due += [(*choices, *untold, other) for other in range(1, purse.number[index])]


@pins_rules("W1")
@settings(deadline=None, max_examples=150)
@given(st.integers(0, 2**32))
def test_no_payment_over_random_dungeons_is_better_than_the_referees(seed: int) -> None:
    record = random_record(random.Random(seed))
    dungeon = build_dungeon(deck(), record.cards)
    strokes = [[known_place(dungeon, name) for name in stroke] for stroke in record.path]
    ruled = walk(dungeon, strokes, Purse(record.fairy_tokens, record.spellbooks), HOUSE)
    for other in every_way_of_paying(dungeon, record):
        assert len(other.steps) <= len(ruled.steps)
        assert (other.ended != "violation", other.ended == "exit") <= (
            ruled.ended != "violation",
            ruled.ended == "exit",
        )
        assert all(other.discovered[name] <= count for name, count in ruled.discovered.items())


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
