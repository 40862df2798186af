"""What is asked of a game about the cards of one tableau, each thing once: the board that a layout of cards
makes, the verdict on a record. An assessment carries its table along, and all that follows from it (answers,
what-ifs, claims) asks the same one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.game import RuledDoubt
from scorer.mapmasters.direction import Settled, scores_alike, settle
from scorer.mapmasters.referee import referee_dungeon
from scorer.mapmasters.ruling import Ruling
from scorer.mapmasters.teleports import parted_strokes
from scorer.record import PlacedCard, Record
from scorer.text import Text
from waymark.review.terms import Terms, with_terms

Key = TypeVar("Key")
Made = TypeVar("Made")


@dataclass(frozen=True)
class Table:
    """A catalogue and what has been asked of its game so far. A table is one thread's: it is made for a
    request, a photo or a test, and goes with it."""

    catalogue: Catalogue
    _boards: dict[tuple[PlacedCard, ...], Dungeon] = field(default_factory=dict, repr=False, compare=False)
    _verdicts: dict[bytes, Ruling] = field(default_factory=dict, repr=False, compare=False)

    def board(self, cards: Sequence[PlacedCard]) -> Dungeon:
        """What the cards make. Raises `WaymarkError` (unknown-card, heaped-cards)."""
        return _once(self._boards, tuple(cards), lambda: build_dungeon(self.catalogue, cards))

    def referee(self, record: Record, terms: Terms) -> Ruling:
        """The verdict on a record under these terms. Raises `WaymarkError` as the game does."""
        told = with_terms(record, terms)
        key = msgspec.json.encode((told, terms.settings))
        return _once(
            self._verdicts, key, lambda: referee_dungeon(self.board(told.cards), told, terms.settings)
        )

    def doubts(self, record: Record, terms: Terms) -> Iterator[RuledDoubt]:
        told = with_terms(record, terms)
        parted = self.parted(record, terms)
        for number in parted[:1]:
            yield RuledDoubt("gap", told.path[number][0], _GAP, blocking=True)
        violations = self.referee(record, terms).violations
        if violations and not parted:
            yield RuledDoubt("broken-rule", violations[0].place, _BROKEN)

    def parted(self, record: Record, terms: Terms) -> tuple[int, ...]:
        return parted_strokes(self.board(record.cards), with_terms(record, terms))

    def alike(self, one: Ruling, other: Ruling) -> bool:
        return scores_alike(one, other)

    def choose(self, rulings: Sequence[Ruling]) -> Settled:
        return settle(rulings)

    def told_with(self, ruling: Ruling, choice: Settled | None) -> Ruling:
        return msgspec.structs.replace(ruling, direction=choice.told(turned=False) if choice else None)


_GAP = Text(
    "A line starts here that does not join the one before it; was a stretch of the path not seen?",
    "ここから始まる線が前の線とつながりません。道の一部が写っていないのではありませんか。",
)
_BROKEN = Text(
    "As it was read, the path breaks a rule here; does the line really run so, and are all tokens and "
    "spellbooks told?",
    "読み取ったとおりなら、ここでルールに反しています。線は本当にこう通っていますか。トークンや魔導書の入れ忘れはありませんか。",
)


def _once(made: dict[Key, Made], key: Key, make: Callable[[], Made]) -> Made:
    if key not in made:
        made[key] = make()
    return made[key]
