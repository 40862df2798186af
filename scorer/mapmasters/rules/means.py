"""Payment of obstacles on a path with means: collected items, fairy tokens and spellbooks.

Paying is in the player's favour, and greedy paying is already the best there is. A monster takes from the
pool {swords, sword tokens, SB-1}, a pitfall or lava pit from {ropes, rope tokens, SB-3}, a padlock from
{keys, key tokens, SB-6}, a circle from {scrolls, scroll tokens, SB-9}; the pools share nothing but the one
wild token of SB-5. Within a pool all means do the same, none is ever lost by waiting, and what was used
still counts for objectives; so only the pool's size matters. The wild token must go to the first demand that
its pool cannot meet, for without it the path ends there. Hence no payment reaches further than this one
(tests/games/mapmasters/test_referee_means.py compares it with exhaustive search). What is left free is
*which* means of the pool is named: one that the player struck through, else an item, a token, a spellbook.

A person may state what was used where. Which of a pool's own means that is changes nothing of the above, so
such a statement is followed whenever what it names is held, and what it names is left for it as long as its
pool has anything else; the wild token is never used up to keep a promise. The one statement that can cost a
path its end is one that names SB-5 where the pool had something of its own: a later demand of another pool
may then fail. It is followed all the same, for it says what was done, and the ruling tells what it cost
(`payments`); then the path does *not* reach as far as it could.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Literal, NamedTuple, Protocol, get_args

from scorer.errors import Code, WaymarkError
from scorer.mapmasters.rules.ruling import Payment
from scorer.record import StatedPayment
from scorer.text import Text, listed

Tool = Literal["sword", "key", "rope", "scroll"]
TOOLS: tuple[Tool, ...] = get_args(Tool)

#: The spellbook that does what a tool does, once.
BOOK_FOR: dict[Tool, str] = {"sword": "SB-1", "rope": "SB-3", "key": "SB-6", "scroll": "SB-9"}
TO_MONSTER = "SB-2"
CLIMB = "SB-4"
WILD = "SB-5"
CROSS_ITSELF = "SB-7"
TO_BARREL = "SB-8"
TOP_BOTTOM = "SB-11"
LEFT_RIGHT = "SB-12"

SPELLBOOKS = tuple(f"SB-{number}" for number in range(1, 18))
_SPELLBOOKS = frozenset(SPELLBOOKS)
#: Spellbooks that act on the path; the others act in the market, on the hand or in the refresh phase.
PATH_SPELLBOOKS = frozenset({*(f"SB-{number}" for number in range(1, 10)), TOP_BOTTOM, LEFT_RIGHT})

#: What stands for a fairy token in `Payment.means`.
FAIRY = "fairy:"
#: All means that meet a demand for a tool, named as in `Payment.means`.
POOLS: dict[Tool, tuple[str, ...]] = {tool: (tool, FAIRY + tool, BOOK_FOR[tool], WILD) for tool in TOOLS}
_BOOK_NAME = re.compile(r"sb[-_ ]?0*(\d{1,2})", re.IGNORECASE)


class Held(NamedTuple):
    """One means held: `means` is named as in `Payment.means`, `source` is the place where an item was
    collected."""

    means: str
    source: str | None = None


class Means(Protocol):
    """Protocol of a purse: the operations that a walk needs to pay its way."""

    @property
    def spent(self) -> Sequence[Payment]: ...

    def collect(self, tool: Tool, place: str) -> None:
        """Add the item at `place` to the held means."""
        ...

    def has_book(self, book: str) -> bool: ...

    def can_pay(self, tool: Tool, count: int = 1) -> bool:
        """Whether `count` demands for `tool` can be met at once."""
        ...

    def stated_first(self, places: Sequence[str]) -> Sequence[str]:
        """Places with simultaneous demands, in the order of payment."""
        ...

    def pay(self, tool: Tool, at: str) -> None:
        """Pay for one `tool` at the place `at`; `can_pay` must be true."""
        ...

    def use_book(self, book: str, at: str) -> None:
        """Use a spellbook that has its own effect at the place `at`; `has_book` must be true."""
        ...

    def held(self) -> dict[str, int]:
        """The means held now, named as in `Payment.means`."""
        ...


class Purse:
    """The means held along the path. Items at `struck` places, which the player struck through, are used
    first. `stated` are a person's statements of the means used at places."""

    def __init__(
        self,
        fairy_tokens: Mapping[str, int] | None = None,
        spellbooks: Collection[str] = (),
        struck: Collection[str] = (),
        stated: Sequence[StatedPayment] = (),
    ) -> None:
        self._items: dict[Tool, list[str]] = {}
        self._tokens = checked_tokens(fairy_tokens or {})
        self._books = {book for book in checked_spellbooks(spellbooks) if book in PATH_SPELLBOOKS}
        self._struck = frozenset(struck)
        self._held: dict[str, int] | None = None
        self.spent: list[Payment] = []
        #: Statements about which nothing was decided yet.
        self.pending = checked_payments(stated)
        #: Those that named what was not held when its place asked, and those that came on top of another.
        self.not_held: list[StatedPayment] = []
        self.twice: list[StatedPayment] = []

    def collect(self, tool: Tool, place: str) -> None:
        """Add the item at `place` to the held means."""
        self._items.setdefault(tool, []).append(place)
        self._held = None

    def has_book(self, book: str) -> bool:
        return book in self._books

    def can_pay(self, tool: Tool, count: int = 1) -> bool:
        """Whether `count` demands for `tool` can be met at once."""
        in_pool = len(self._items.get(tool, ())) + self._tokens.get(tool, 0)
        in_pool += (BOOK_FOR[tool] in self._books) + (WILD in self._books)
        return in_pool >= count

    def ways(self, tool: Tool) -> list[Held]:
        """All means that meet a demand for `tool` now, in default order of use: the wild token last."""
        items = self._items.get(tool, ())
        struck = [Held(tool, place) for place in items if place in self._struck]
        others = [Held(tool, place) for place in items if place not in self._struck]
        told = [Held(FAIRY + tool)] if self._tokens.get(tool) else []
        told += [Held(BOOK_FOR[tool])] if BOOK_FOR[tool] in self._books else []
        wild = [Held(WILD)] if WILD in self._books else []
        return struck + (told + others if self._struck else others + told) + wild

    def stated_first(self, places: Sequence[str]) -> Sequence[str]:
        """Places with simultaneous demands, those with a stated payment first, so that the stated means are
        still available."""
        if not self.pending:
            return places
        named = {stated.at for stated in self.pending}
        return sorted(places, key=lambda place: place not in named)

    def pay(self, tool: Tool, at: str) -> None:
        """Pay for one `tool` at the place `at`; `can_pay` must be true."""
        ways = self.ways(tool)
        if not self.pending:
            self._spend(ways[0], tool, at)
            return
        stated = self._statements_at(at, POOLS[tool])
        if stated:
            self.twice += stated[1:]
            means, source = stated[0].means, stated[0].source
            named = [way for way in ways if way.means == means and source in (None, way.source)]
            if named:
                self._spend((self._unpromised(named, tool) or named)[0], tool, at, stated=True)
                return
            self.not_held.append(stated[0])
        own = [way for way in ways if way.means != WILD]
        self._spend((self._unpromised(own, tool) or ways)[0], tool, at)

    def use_book(self, book: str, at: str) -> None:
        """Use a spellbook that has its own effect at the place `at`; `has_book` must be true."""
        stated = self._statements_at(at, (book,)) if self.pending else []
        self.twice += stated[1:]
        self._books.remove(book)
        self._record(Payment(at=at, means=book, stated=bool(stated)))

    def held(self) -> dict[str, int]:
        """The means held now: items by kind, `fairy:<kind>`, and spellbooks not used yet. The dict is shared:
        read it.
        """
        if self._held is None:
            held: dict[str, int] = {tool: len(places) for tool, places in self._items.items() if places}
            held.update({f"fairy:{tool}": count for tool, count in self._tokens.items() if count})
            held.update(dict.fromkeys(sorted(self._books, key=SPELLBOOKS.index), 1))
            self._held = held
        return self._held

    def _statements_at(self, at: str, means: Collection[str]) -> list[StatedPayment]:
        """The pending statements about a demand, which are pending no more."""
        found = [stated for stated in self.pending if stated.at == at and stated.means in means]
        self.pending = [stated for stated in self.pending if stated not in found]
        return found

    def _unpromised(self, ways: Sequence[Held], tool: Tool) -> list[Held]:
        """Those of `ways` that no pending statement needs elsewhere."""
        sources = {stated.source for stated in self.pending if stated.source is not None}
        due = Counter(stated.means for stated in self.pending if stated.source is None)
        free = [way for way in ways if way.source not in sources]
        there = Counter(way.means for way in free)
        there[FAIRY + tool] = self._tokens.get(tool, 0)
        return [way for way in free if there[way.means] > due[way.means]]

    def _spend(self, way: Held, tool: Tool, at: str, *, stated: bool = False) -> None:
        means, source = way
        if source is not None:
            self._items[tool].remove(source)
        elif means.startswith(FAIRY):
            self._tokens[tool] -= 1
        else:
            self._books.remove(means)
        stands_for = tool if means == WILD else None
        self._record(Payment(at=at, means=means, source=source, stands_for=stands_for, stated=stated))

    def _record(self, payment: Payment) -> None:
        self.spent.append(payment)
        self._held = None


def checked_payments(stated: Sequence[StatedPayment]) -> list[StatedPayment]:
    """Statements with spellbooks in their canonical names. Raises `WaymarkError` (unknown-means)."""
    return [_checked_payment(each) for each in stated]


def _checked_payment(stated: StatedPayment) -> StatedPayment:
    means, is_item = stated.means, stated.means in TOOLS
    if not is_item and means.removeprefix(FAIRY) not in TOOLS:
        with suppress(WaymarkError):
            (means,) = checked_spellbooks([means])
        if means not in SPELLBOOKS:
            raise WaymarkError(
                Code.UNKNOWN_MEANS,
                Text(
                    "{means!r} is nothing that a path can use; give an item ({tools}), a fairy token "
                    "(fairy:rope) or a spellbook (SB-3).",
                    means=stated.means,
                    tools=listed(TOOLS),
                ),
            )
    if stated.source is not None and not is_item:
        raise WaymarkError(
            Code.UNKNOWN_MEANS,
            Text("{means!r} does not lie on the cards; a source goes with an item only.", means=stated.means),
        )
    return StatedPayment(at=stated.at, means=means, source=stated.source)


def checked_tokens(fairy_tokens: Mapping[str, int]) -> dict[Tool, int]:
    """Fairy tokens by kind. Raises `WaymarkError` (unknown-token)."""
    tokens: dict[Tool, int] = {}
    for name, count in fairy_tokens.items():
        if name not in TOOLS or count < 0:
            raise WaymarkError(
                Code.UNKNOWN_TOKEN,
                Text(
                    "{name!r}: {count} is no holding of fairy tokens; give a count of 0 or more for {tools}.",
                    name=name,
                    count=count,
                    tools=listed(TOOLS),
                ),
            )
    for tool in TOOLS:
        if fairy_tokens.get(tool):
            tokens[tool] = fairy_tokens[tool]
    return tokens


def checked_spellbooks(spellbooks: Collection[str]) -> tuple[str, ...]:
    """Spellbooks in their canonical names (`sb4` is SB-4), each once. Raises `WaymarkError` (unknown-
    spellbook).
    """
    names: list[str] = []
    for given in spellbooks:
        name = given
        if name not in _SPELLBOOKS and (match := _BOOK_NAME.fullmatch(given.strip())) is not None:
            name = f"SB-{match.group(1)}"
        if name not in _SPELLBOOKS:
            raise WaymarkError(
                Code.UNKNOWN_SPELLBOOK,
                Text("{given!r} is not a spellbook; they are named SB-1 to SB-17.", given=given),
            )
        if name not in names:
            names.append(name)
    return tuple(names)
