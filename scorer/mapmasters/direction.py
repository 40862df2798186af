"""A path whose direction is unknown: ink does not say which end was drawn first, so it is refereed both
ways, or in every order that its strokes may have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.mapmasters.referee import referee_dungeon
from scorer.mapmasters.ruling import Direction, Ruling, SettledBy
from scorer.mapmasters.settings import HOUSE, VersusSettings
from scorer.record import Record

_SENTENCES: dict[SettledBy, tuple[str, str]] = {
    "only_legal": (
        "Only one direction of the path is legal, so that is the one.",
        "経路の向きは一つだけが規則どおりなので、その向きとします。",
    ),
    "same_score": (
        "The path scores the same in every direction that it may have, so it does not matter which was "
        "drawn.",
        "経路は考えられるどの向きでも同じ得点なので、向きを決める必要はありません。",
    ),
    "asked": (
        "The directions of the path score differently; please say which end it starts from.",
        "経路の向きによって得点が変わります。どちらの端から始まるかを教えてください。",
    ),
}


@dataclass(frozen=True, slots=True)
class Settled:
    """Which of several readings stands (`chosen`), which are as likely (`rivals`), and what settled it."""

    by: SettledBy
    chosen: int
    rivals: tuple[int, ...]

    def told(self, *, turned: bool) -> Direction:
        """The same as a ruling tells it."""
        en, ja = _SENTENCES[self.by]
        return Direction(by=self.by, turned=turned, message=en, message_ja=ja)


def settle(rulings: Sequence[Ruling]) -> Settled:
    """Choose between the rulings of one path in the directions that it may have.

    Where only some are legal, one of those was drawn. Where none is, the likeliest is the one that comes
    farthest, since a player thinks that his path is legal. Likely readings that are worth the same settle it.
    """
    legal = [k for k, ruling in enumerate(rulings) if ruling.legal]
    likely = legal or list(range(len(rulings)))
    chosen = likely[0] if legal else max(likely, key=lambda k: len(rulings[k].steps))
    rivals = tuple(k for k in likely if k != chosen)
    by: SettledBy = "asked"
    if not rivals:
        by = "only_legal"
    elif all(scores_alike(rulings[chosen], rulings[k]) for k in rivals):
        by = "same_score"
    return Settled(by, chosen, rivals)


class EitherWay(msgspec.Struct, frozen=True, kw_only=True):
    """Both rulings and which of them stands: `ruling`, whose `direction` says why. Where it is `asked`,
    people decide between `ruling` and `other`.
    """

    ruling: Ruling
    other: Ruling
    direction: Direction

    @property
    def settled(self) -> bool:
        return self.direction.by != "asked"


def referee_either_way(catalogue: Catalogue, record: Record, settings: VersusSettings = HOUSE) -> EitherWay:
    """Rule on the path as recorded and backwards. Raises like `referee`."""
    dungeon = build_dungeon(catalogue, record.cards)
    return referee_dungeon_either_way(dungeon, record, settings)


def referee_dungeon_either_way(
    dungeon: Dungeon, record: Record, settings: VersusSettings = HOUSE
) -> EitherWay:
    """`referee_either_way` for a dungeon that is built already."""
    backwards = msgspec.structs.replace(record, path=path_backwards(record.path))
    rulings = [referee_dungeon(dungeon, each, settings) for each in (record, backwards)]
    settled = settle(rulings)
    direction = settled.told(turned=settled.chosen == 1)
    return EitherWay(
        ruling=msgspec.structs.replace(rulings[settled.chosen], direction=direction),
        other=rulings[1 - settled.chosen],
        direction=direction,
    )


def path_backwards(path: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """The strokes in the opposite walking order."""
    return tuple(tuple(reversed(stroke)) for stroke in reversed(path))


def scores_alike(a: Ruling, b: Ruling) -> bool:
    """Whether two rulings are worth the same whatever objective is drawn: same counts, optimizers and
    escape.
    """
    return _worth(a) == _worth(b)


def _worth(ruling: Ruling) -> tuple[object, ...]:
    discovered = {find: count for find, count in ruling.discovered.items() if count}
    optimizers = {optimizer: count for optimizer, count in ruling.optimizers.items() if count}
    return discovered, optimizers, ruling.escaped
