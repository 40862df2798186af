"""A group's means, paid in the players' favour: every payment sequence that is still possible is kept,
until a demand or a goal rules it out.

A group's items, tokens and tool spellbooks of one kind serve the same demands, so a way of paying comes down
to how many unused items of each kind are left, which kinds have an unused token (one at most), and which
spellbooks are unused: its `State`. Two ways that come to the same state are the same from then on, and one of
them is remembered. Hence the set of states is small, and exact: a demand can be met when one of them can meet
it, a goal is met when one of them has what it asks for. What is asked first is decided first: a goal that is
met keeps the ways that meet it, whatever comes later.

SB-5 is kept until it is wanted: as a token that is spent at once, or as one that counts for a goal. Taking it
earlier gives nothing more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from scorer.mapmasters.cooperative.rules.settings import Difficulty
from scorer.mapmasters.rules.means import BOOK_FOR, FAIRY, SPELLBOOKS, TOOLS, WILD, Tool
from scorer.mapmasters.rules.ruling import Payment

_NUMBER: dict[str, int] = {tool: number for number, tool in enumerate(TOOLS)}
_WILD_BIT = 1 << len(TOOLS)
#: How little each means is wanted to be used where nothing else decides.
_COST: dict[str, int] = {**dict.fromkeys(TOOLS, 0), **{FAIRY + tool: 1 for tool in TOOLS}}
_COST |= {**dict.fromkeys(BOOK_FOR.values(), 2), WILD: 4}
#: More ways of paying than this are not kept. Ten optimizers on the paths of one group make some 4,000.
_MOST_STATES = 5_000
#: A record that goes through more than this (no table does: mischief) is held to few, so that it ends.
_MUCH_WORK, _FEW_STATES = 500_000, 30

Items: TypeAlias = tuple[int, ...]
#: What was chosen, the latest first.
History: TypeAlias = "tuple[History, str] | None"
_States: TypeAlias = "dict[State, tuple[int, History]]"
#: The states that may come after one, and by what.
_Ways: TypeAlias = "Callable[[State], Iterator[tuple[State, str]]]"


class State(NamedTuple):
    """The unused means: numbers of items in the order of `TOOLS`, and bit masks. The bits are kinds with an
    unused token, spellbooks that pay for a kind, and (the last) SB-5."""

    items: Items
    tokens: int
    books: int


class _Entry(NamedTuple):
    """An event of the means at a place: a tool collected or used, a spellbook used, a token from an
    optimizer, or a goal met."""

    kind: Literal["collect", "pay", "book", "optimizer", "goal"]
    at: str
    what: str = ""

    @property
    def asks(self) -> bool:
        """Whether the event involved a choice between ways of paying."""
        return self.kind in ("pay", "optimizer", "goal")


@dataclass(frozen=True, slots=True)
class Saved:
    """A snapshot of a purse, for undoing a trial."""

    states: _States
    logged: int
    collected: tuple[int, ...]
    books: frozenset[str]
    due: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """One complete way of paying: the means used in order, the payments and the holdings at each log entry,
    the unused tokens, and the number of each tool that counts for goals."""

    payments: tuple[tuple[Payment, ...], ...]
    held: tuple[dict[str, int], ...]
    tokens: dict[str, int]
    counts: dict[str, int]


class OpenPurse:
    """The means of a group (`scorer.mapmasters.rules.means.Means`). `taken` gives the token from each
    optimizer, by place. `struck` items are named first as used. `due` are upper bounds on the demands
    still to come, by tool (None: unknown). Where used items count, larger numbers of unused items need
    not be distinguished."""

    def __init__(
        self,
        tokens: Collection[str],
        spellbooks: Collection[str],
        difficulty: Difficulty,
        taken: Mapping[str, str] | None = None,
        struck: Collection[str] = (),
        due: Mapping[str, int] | None = None,
    ) -> None:
        self.used_count = difficulty in ("rookie", "easy")
        self.exact = difficulty == "hard"
        self._optimizers_give = difficulty == "rookie"
        self._taken = dict(taken or {})
        self._struck = frozenset(struck)
        self._start = State(
            (0,) * len(TOOLS),
            sum(1 << number for tool, number in _NUMBER.items() if tool in tokens),
            sum(1 << number for tool, number in _NUMBER.items() if BOOK_FOR[TOOLS[number]] in spellbooks)
            + (_WILD_BIT if WILD in spellbooks else 0),
        )
        self._books = frozenset(spellbooks) - {*BOOK_FOR.values(), WILD}
        self._states: _States = {self._start: (0, None)}
        self._log: list[_Entry] = []
        self._work = 0
        self._collected = [0] * len(TOOLS)
        self._due = tuple(due.get(tool, 0) for tool in TOOLS) if due is not None and self.used_count else ()

    # What a walk asks.

    @property
    def spent(self) -> Sequence[Payment]:
        """The spellbooks with a unique effect used so far. Other payments are settled only at the end."""
        return [Payment(at=entry.at, means=entry.what) for entry in self._log if entry.kind == "book"]

    @property
    def logged(self) -> int:
        """The number of events in the log of the means."""
        return len(self._log)

    def collect(self, tool: Tool, place: str) -> None:
        number = _NUMBER[tool]
        self._collected[number] += 1
        self._states = {
            State(_changed(state.items, number, 1), state.tokens, state.books): way
            for state, way in self._states.items()
        }
        self._log.append(_Entry("collect", place, tool))

    def has_book(self, book: str) -> bool:
        return book in self._books

    def can_pay(self, tool: Tool, count: int = 1) -> bool:
        return self.could([tool] * count)

    def could(self, tools: Sequence[Tool]) -> bool:
        """Whether one way of paying could meet these demands in sequence."""
        states = set(self._states)
        for tool in tools:
            states = {after for state in states for after, _ in _spendings(state, _NUMBER[tool])}
        return bool(states)

    def stated_first(self, places: Sequence[str]) -> Sequence[str]:
        return places

    def pay(self, tool: Tool, at: str) -> None:
        number = _NUMBER[tool]
        if self._due:
            self._due = _changed(self._due, number, -1)
        self._choose(_Entry("pay", at, tool), lambda state: _spendings(state, number))

    def use_book(self, book: str, at: str) -> None:
        self._books -= {book}
        self._log.append(_Entry("book", at, book))

    def held(self) -> dict[str, int]:
        """Always empty, since holdings are known only after settlement."""
        return {}

    def optimizer(self, at: str) -> None:
        """Register the discovery of an optimizer. At rookie difficulty it gives a token of a kind of which
        none is held unused."""
        if not self._optimizers_give:
            return
        stated = self._taken.get(at)
        kinds = [_NUMBER[stated]] if stated is not None else range(len(TOOLS))
        if stated is not None and all(state.tokens >> _NUMBER[stated] & 1 for state in self._states):
            return  # No way of paying leaves room for what is said to have been taken.

        def gains(state: State) -> Iterator[tuple[State, str]]:
            free = [number for number in kinds if not state.tokens >> number & 1]
            for number in free:
                yield state._replace(tokens=state.tokens | 1 << number), FAIRY + TOOLS[number]
            if stated is None and (self._taken or not free):
                yield state, ""

        self._choose(_Entry("optimizer", at), gains)

    # What goals ask.

    def missing(self, asked: Mapping[str, int], found: Mapping[str, int]) -> dict[str, int]:
        """The shortfall under the best way of paying, by kind (negative: excess); empty where the demand is
        met. `asked` are the counts demanded. `found` are counts of the kinds that are never used up."""
        best: dict[str, int] | None = None
        for state in sorted(self._states, key=lambda each: self._states[each][0]):
            for after, _ in self._conversions(state, asked):
                wanting = self._wanting(after, asked, found)
                if best is None or how_much(wanting) < how_much(best):
                    best = wanting
        return best or {}

    def meet(self, asked: Mapping[str, int], found: Mapping[str, int], at: str) -> None:
        """Register a met goal: only ways of paying that have the demanded items are kept. `missing` must be
        empty."""

        def meeting(state: State) -> Iterator[tuple[State, str]]:
            for after, how in self._conversions(state, asked):
                if not self._wanting(after, asked, found):
                    yield after, how

        self._choose(_Entry("goal", at), meeting)

    def _conversions(self, state: State, asked: Mapping[str, int]) -> Iterator[tuple[State, str]]:
        """The state itself, and the states in which SB-5 becomes a token of a demanded kind that is not
        held."""
        yield state, ""
        if state.books & _WILD_BIT:
            for tool, number in _NUMBER.items():
                if tool in asked and not state.tokens >> number & 1:
                    yield State(state.items, state.tokens | 1 << number, state.books ^ _WILD_BIT), WILD + tool

    def _wanting(self, state: State, asked: Mapping[str, int], found: Mapping[str, int]) -> dict[str, int]:
        wanting = {}
        for kind, count in asked.items():
            number = _NUMBER.get(kind)
            more = count - (found.get(kind, 0) if number is None else self._counted(state, number))
            if more > 0 or (more and self.exact):
                wanting[kind] = more
        return wanting

    def _counted(self, state: State, number: int) -> int:
        items = self._collected[number] if self.used_count else state.items[number]
        return items + (state.tokens >> number & 1)

    # Ways of paying.

    def _choose(self, entry: _Entry, ways: _Ways) -> None:
        """Go every way from every state; of two that come to the same, keep the one that is used sooner."""
        after: _States = {}
        for state, (cost, history) in self._states.items():
            for there, how in ways(state):
                price = cost + _COST.get(how, _COST[WILD] if how.startswith(WILD) else 0)
                if self._due:
                    there = there._replace(items=tuple(map(min, there.items, self._due)))
                if there not in after or price < after[there][0]:
                    after[there] = price, (history, how)
        self._work += len(after)
        most = _MOST_STATES if self._work < _MUCH_WORK else _FEW_STATES
        if len(after) > most:
            after = dict(sorted(after.items(), key=lambda way: way[1][0])[:most])
        self._states = after
        self._log.append(entry)

    def save(self) -> Saved:
        return Saved(self._states, len(self._log), tuple(self._collected), self._books, self._due)

    def restore(self, saved: Saved) -> None:
        self._states, self._books, self._due = saved.states, saved.books, saved.due
        self._collected = list(saved.collected)
        del self._log[saved.logged :]

    def settled(self) -> Settled:
        """One way of paying that did all that was asked: of those, one that leaves the most that counts, by
        items sooner than tokens, and by tokens sooner than spellbooks."""

        def favour(state: State) -> tuple[int, int]:
            count = sum(self._counted(state, number) for number in range(len(TOOLS)))
            return -count, self._states[state][0]

        state = min(self._states, key=favour)
        chosen: list[str] = []
        history = self._states[state][1]
        while history is not None:
            history, how = history
            chosen.append(how)
        counts = {tool: self._counted(state, number) for tool, number in _NUMBER.items()}
        tokens = {tool: 1 for tool, number in _NUMBER.items() if state.tokens >> number & 1}
        payments, held = self._told(chosen[::-1])
        return Settled(payments, held, tokens, counts)

    def _told(
        self, chosen: Sequence[str]
    ) -> tuple[tuple[tuple[Payment, ...], ...], tuple[dict[str, int], ...]]:
        """The payments and the holdings after each entry of the log."""
        items: dict[str, list[str]] = {tool: [] for tool in TOOLS}
        tokens = {tool for tool, number in _NUMBER.items() if self._start.tokens >> number & 1}
        books: set[str] = {BOOK_FOR[TOOLS[n]] for n in range(len(TOOLS)) if self._start.books >> n & 1}
        books |= {WILD} if self._start.books & _WILD_BIT else set()
        books |= self._books | {entry.what for entry in self._log if entry.kind == "book"}
        choices = iter(chosen)
        payments: list[tuple[Payment, ...]] = []
        holdings = [_holding(items, tokens, books)]
        for entry in self._log:
            how = next(choices) if entry.asks else ""
            paid: tuple[Payment, ...] = ()
            if entry.kind == "collect":
                items[entry.what].append(entry.at)
            elif entry.kind == "book":
                books.discard(entry.what)
                paid = (Payment(at=entry.at, means=entry.what),)
            elif entry.kind == "pay":
                paid = (self._paid(entry, how, items[entry.what]),)
                if how.startswith(FAIRY):
                    tokens.discard(how.removeprefix(FAIRY))
                books.discard(how)
            elif how.startswith(WILD):
                kind = how.removeprefix(WILD)
                books.discard(WILD)
                tokens.add(kind)
                paid = (Payment(at=entry.at, means=WILD, stands_for=kind),)
            elif how:
                tokens.add(how.removeprefix(FAIRY))
            payments.append(paid)
            holdings.append(_holding(items, tokens, books))
        return tuple(payments), tuple(holdings)

    def _paid(self, entry: _Entry, how: str, items: list[str]) -> Payment:
        source = None
        if how == entry.what:
            source = next((place for place in items if place in self._struck), items[0])
            items.remove(source)
        return Payment(at=entry.at, means=how, source=source, stands_for=entry.what if how == WILD else None)


def how_much(missing: Mapping[str, int]) -> int:
    """The total number of missing or excess items over all kinds."""
    return sum(abs(count) for count in missing.values())


def _spendings(state: State, number: int) -> Iterator[tuple[State, str]]:
    """All ways to meet one demand for the tool with a number, with the state after each."""
    tool, bit = TOOLS[number], 1 << number
    if state.items[number]:
        yield State(_changed(state.items, number, -1), state.tokens, state.books), tool
    if state.tokens & bit:
        yield State(state.items, state.tokens ^ bit, state.books), FAIRY + tool
    if state.books & bit:
        yield State(state.items, state.tokens, state.books ^ bit), BOOK_FOR[tool]
    if state.books & _WILD_BIT and not state.tokens & bit:
        yield State(state.items, state.tokens, state.books ^ _WILD_BIT), WILD


def _changed(items: Items, number: int, by: int) -> Items:
    return (*items[:number], items[number] + by, *items[number + 1 :])


def _holding(
    items: Mapping[str, Sequence[str]], tokens: Collection[str], books: Collection[str]
) -> dict[str, int]:
    held: dict[str, int] = {tool: len(items[tool]) for tool in TOOLS if items[tool]}
    held |= {FAIRY + tool: 1 for tool in TOOLS if tool in tokens}
    return held | dict.fromkeys(sorted(books, key=SPELLBOOKS.index), 1)
