"""The means of a path: items collected on it, fairy tokens, spellbooks; and how obstacles are paid for.

Paying is in the player's favour, and greedy paying is already the best there is. A monster takes from the
pool {swords, sword tokens, SB-1}, a pitfall or lava pit from {ropes, rope tokens, SB-3}, a padlock from
{keys, key tokens, SB-6}, a circle from {scrolls, scroll tokens, SB-9}; the pools share nothing but the one
wild token of SB-5. Within a pool all means do the same, none is ever lost by waiting, and what was used
still counts for objectives; so only the pool's size matters. The wild token must go to the first demand that
its pool cannot meet, for without it the path ends there. Hence no payment reaches further than this one
(tests/test_referee_means.py compares it with exhaustive search). What is left free is *which* means of the
pool is named: one that the player struck through, else an item, a token, a spellbook.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Literal, get_args

from scorer.errors import WaymarkError
from scorer.mapmasters.ruling import Payment

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
#: Spellbooks that act on the path; the others act in the market, on the hand or in the refresh phase.
PATH_SPELLBOOKS = frozenset({*(f"SB-{number}" for number in range(1, 10)), TOP_BOTTOM, LEFT_RIGHT})

#: What stands for a fairy token in `Payment.means`.
FAIRY = "fairy:"
_BOOK_NAME = re.compile(r"sb[-_ ]?0*(\d{1,2})", re.IGNORECASE)


class Purse:
    """What the path holds. `struck` are places that the player struck through: those items are named
    first.
    """

    def __init__(
        self,
        fairy_tokens: Mapping[str, int] | None = None,
        spellbooks: Collection[str] = (),
        struck: Collection[str] = (),
    ) -> None:
        self._items: dict[Tool, list[str]] = {}
        self._tokens = checked_tokens(fairy_tokens or {})
        self._books = {book for book in checked_spellbooks(spellbooks) if book in PATH_SPELLBOOKS}
        self._struck = frozenset(struck)
        self._held: dict[str, int] | None = None
        self.spent: list[Payment] = []

    def collect(self, tool: Tool, place: str) -> None:
        """Take the item that lies at `place`."""
        self._items.setdefault(tool, []).append(place)
        self._held = None

    def has_book(self, book: str) -> bool:
        return book in self._books

    def can_pay(self, tool: Tool, count: int = 1) -> bool:
        """Whether `count` demands for `tool` can be met at once."""
        in_pool = len(self._items.get(tool, ())) + self._tokens.get(tool, 0)
        in_pool += (BOOK_FOR[tool] in self._books) + (WILD in self._books)
        return in_pool >= count

    def pay(self, tool: Tool, at: str) -> None:
        """Meet one demand for `tool` at `at`; `can_pay` must hold."""
        items = self._items.get(tool, [])
        struck = [place for place in items if place in self._struck]
        book = BOOK_FOR[tool]
        if struck:
            self._spend_item(tool, struck[0], at)
        elif items and not (self._struck and (self._tokens.get(tool, 0) or book in self._books)):
            self._spend_item(tool, items[0], at)
        elif self._tokens.get(tool, 0):
            self._tokens[tool] -= 1
            self._record(Payment(at=at, means=f"fairy:{tool}"))
        elif book in self._books:
            self.use_book(book, at)
        else:
            self.use_book(WILD, at, stands_for=tool)

    def use_book(self, book: str, at: str, *, stands_for: Tool | None = None) -> None:
        """Use a spellbook at `at`; `has_book` must hold."""
        self._books.remove(book)
        self._record(Payment(at=at, means=book, stands_for=stands_for))

    def held(self) -> dict[str, int]:
        """What is held now: items by kind, `fairy:<kind>`, and spellbooks not used yet. The dict is shared:
        read it.
        """
        if self._held is None:
            held: dict[str, int] = {tool: len(places) for tool, places in self._items.items() if places}
            held.update({f"fairy:{tool}": count for tool, count in self._tokens.items() if count})
            held.update(dict.fromkeys(sorted(self._books, key=SPELLBOOKS.index), 1))
            self._held = held
        return self._held

    def _spend_item(self, tool: Tool, source: str, at: str) -> None:
        self._items[tool].remove(source)
        self._record(Payment(at=at, means=tool, source=source))

    def _record(self, payment: Payment) -> None:
        self.spent.append(payment)
        self._held = None


def stand_ins(payment: Payment) -> tuple[str, ...]:
    """Means of other kinds that would have met the same demand, named as in `Payment.means`; none for
    spellbooks that do what nothing else does.
    """
    books = {book: tool for tool, book in BOOK_FOR.items()}
    tool = payment.stands_for or books.get(payment.means) or payment.means.removeprefix(FAIRY)
    if tool not in TOOLS:
        return ()
    pool = (tool, FAIRY + tool, BOOK_FOR[tool], WILD)
    return tuple(means for means in pool if means != payment.means)


def checked_tokens(fairy_tokens: Mapping[str, int]) -> dict[Tool, int]:
    """Fairy tokens by kind. Raises `WaymarkError` (unknown-token)."""
    tokens: dict[Tool, int] = {}
    for name, count in fairy_tokens.items():
        if name not in TOOLS or count < 0:
            raise WaymarkError(
                "unknown-token",
                f"{name!r}: {count} is no holding of fairy tokens; "
                f"give a count of 0 or more for {', '.join(TOOLS)}.",
                f"{name!r}: {count} はフェアリートークンの持ち数になりません。"
                f"{'、'.join(TOOLS)} のどれかに 0 以上の数を指定してください。",
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
        if name not in SPELLBOOKS and (match := _BOOK_NAME.fullmatch(given.strip())) is not None:
            name = f"SB-{match.group(1)}"
        if name not in SPELLBOOKS:
            raise WaymarkError(
                "unknown-spellbook",
                f"{given!r} is not a spellbook; they are named SB-1 to SB-17.",
                f"{given!r} という魔導書はありません。SB-1 から SB-17 で指定してください。",
            )
        if name not in names:
            names.append(name)
    return tuple(names)
