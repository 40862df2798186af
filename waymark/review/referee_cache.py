"""Cache of a game's answers about the pieces of one tableau: the board of a layout, the verdict on a
record. An assessment carries its cache along; answers, counterfactuals and claims derived from it use the
same one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from scorer.catalogue import Catalogue
from scorer.counterfactual import Assumption
from scorer.dungeon import Dungeon, build_dungeon
from scorer.game import Game, most_pieces
from scorer.games import game_of
from scorer.record import PlacedCard, Record, make_record
from scorer.verdict import Choice, Discord, RuledDoubt

Key = TypeVar("Key")
Made = TypeVar("Made")
Cards = tuple[PlacedCard, ...]


@dataclass(frozen=True)
class Table:
    """A catalogue, its game, and a cache of the game's answers. An instance belongs to one thread, for a
    request, a photo or a test.

    Records are in the form of `vision`, pieces and lines in mm; `told` is the game's own record of the
    same. Every method raises `WaymarkError` as the game does."""

    catalogue: Catalogue
    game: Game = field(init=False, repr=False)
    _boards: dict[Cards, Any] = field(default_factory=dict, repr=False, compare=False)
    _dungeons: dict[Cards, Dungeon] = field(default_factory=dict, repr=False, compare=False)
    _verdicts: dict[bytes, Any] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "game", game_of(self.catalogue))

    def told(self, record: Record, terms: Any) -> Any:
        """The game's own record of the tableau, including the stated terms."""
        return self.game.rules.settings.into(self.game.photo.from_photo(self.catalogue, record), terms)

    def terms_in(self, record: Record) -> Any:
        """The terms that a record states itself, with the usual house rules."""
        told = self.game.photo.from_photo(self.catalogue, record)
        return self.game.rules.settings.of(told, self.game.rules.settings.make({}))

    def retold(self, record: Record, terms: Any) -> Record:
        """The record with other stated terms, in games whose records state terms."""
        told = self.told(record, terms)
        return told if isinstance(told, Record) else record

    def board(self, told: Any, cards: Cards) -> Any:
        """The board that the pieces of a record form."""
        return _once(self._boards, cards, lambda: self.game.rules.board(self.catalogue, told))

    def dungeon(self, cards: Sequence[PlacedCard]) -> Dungeon:
        """The graph of places and links on the cards as they lie, for corrections and pictures."""
        cards = tuple(cards)
        if cards not in self._dungeons:
            if cards not in self._boards and self.game.rules.record_type is Record:
                self.board(make_record(cards, catalogue=self.catalogue.name), cards)
            board = self._boards.get(cards)
            # In some games the board itself has the places and links.
            self._dungeons[cards] = (
                board if isinstance(board, Dungeon) else build_dungeon(self.catalogue, cards)
            )
        return self._dungeons[cards]

    def referee(self, record: Record, terms: Any) -> Any:
        """The verdict on a record under these terms."""
        told = self.told(record, terms)
        key = msgspec.json.encode((told, self.game.rules.settings.values(terms)))
        return _once(
            self._verdicts, key, lambda: self.game.rules.referee(self.board(told, record.cards), told, terms)
        )

    def alike(self, one: Any, other: Any) -> bool:
        """Whether two verdicts are worth the same, so that no question between them is needed."""
        return self.game.rules.worth(one) == self.game.rules.worth(other)

    def choose(self, verdicts: Sequence[Any]) -> Choice:
        """The one of several readings that the game prefers."""
        return self.game.rules.choose(verdicts)

    def doubts(self, record: Record, terms: Any) -> tuple[RuledDoubt, ...]:
        """The doubts that follow from the ruling on a record, each a sign of a misreading."""
        told, verdict = self.told(record, terms), self.referee(record, terms)
        return tuple(self.game.rules.doubts(self.board(told, record.cards), told, verdict))

    def discord(self, record: Record, terms: Any) -> tuple[Discord, ...]:
        """The marks beside the line that contradict the ruling on a record."""
        told, verdict = self.told(record, terms), self.referee(record, terms)
        return tuple(self.game.rules.discord(self.board(told, record.cards), told, verdict))

    def supposed(self, record: Record, terms: Any, assumption: Assumption) -> tuple[Record, Any] | None:
        """Record and terms under one of the game's assumptions; None where the assumption is impossible."""
        told = self.told(record, terms)
        if self.game.play.what_ifs.parse(assumption.key) is None:
            return None
        then = self.game.play.what_ifs.suppose(self.board(told, record.cards), told, terms, assumption)
        if then is None:
            return None
        return (then[0] if isinstance(then[0], Record) else record), then[1]

    def lifting(self, record: Record, terms: Any) -> Iterator[Assumption]:
        """The assumptions of unstated means under which the path continues and is legal."""

        def then(assumption: Assumption) -> Any:
            supposed = self.supposed(record, terms, assumption)
            return None if supposed is None else self.referee(*supposed)

        told, verdict = self.told(record, terms), self.referee(record, terms)
        board = self.board(told, record.cards)
        return self.game.play.what_ifs.lifting(board, told, terms, verdict, then)

    def is_full(self, record: Record, terms: Any) -> bool:
        """Whether the tableau has the greatest number of pieces allowed."""
        most = most_pieces(self.game, terms)
        return most is not None and len(record.cards) >= most

    def parted(self, record: Record, terms: Any) -> tuple[int, ...]:
        """Indices of the strokes that nothing joins to the stroke before."""
        return tuple(number for doubt in self.doubts(record, terms) for number in doubt.strokes)


def _once(made: dict[Key, Made], key: Key, make: Callable[[], Made]) -> Made:
    if key not in made:
        made[key] = make()
    return made[key]
