"""A path whose direction is unknown: ink does not say which end was drawn first, so it is refereed both
ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.mapmasters.referee import referee_dungeon
from scorer.mapmasters.ruling import Ruling
from scorer.mapmasters.settings import HOUSE, VersusSettings
from scorer.record import Record

SettledBy = Literal["only_legal", "same_score", "asked"]

_SENTENCES: dict[SettledBy, tuple[str, str]] = {
    "only_legal": (
        "Only one direction of the path is legal, so that is the one.",
        "経路の向きは片方だけが規則どおりなので、その向きとします。",
    ),
    "same_score": (
        "The path scores the same in both directions, so it does not matter which was drawn.",
        "経路はどちら向きでも同じ得点なので、向きを決める必要はありません。",
    ),
    "asked": (
        "The two directions of the path score differently; please say which end it starts from.",
        "経路の向きによって得点が変わります。どちらの端から始まるかを教えてください。",
    ),
}


class EitherWay(msgspec.Struct, frozen=True, kw_only=True):
    """Both rulings and which of them stands. `turned` says that the record's path is to be read backwards;
    where `by` is `asked`, people decide and `ruling` is that of the record as it stands.
    """

    by: SettledBy
    turned: bool
    ruling: Ruling
    other: Ruling
    message: str
    message_ja: str

    @property
    def settled(self) -> bool:
        return self.by != "asked"


def referee_either_way(catalogue: Catalogue, record: Record, settings: VersusSettings = HOUSE) -> EitherWay:
    """Rule on the path as recorded and backwards. Raises like `referee`."""
    dungeon = build_dungeon(catalogue, record.cards)
    return referee_dungeon_either_way(dungeon, record, settings)


def referee_dungeon_either_way(
    dungeon: Dungeon, record: Record, settings: VersusSettings = HOUSE
) -> EitherWay:
    """`referee_either_way` for a dungeon that is built already."""
    forth = referee_dungeon(dungeon, record, settings)
    back = referee_dungeon(
        dungeon, msgspec.structs.replace(record, path=path_backwards(record.path)), settings
    )
    by: SettledBy = "asked"
    if forth.legal != back.legal:
        by = "only_legal"
    elif scores_alike(forth, back):
        by = "same_score"
    turned = by == "only_legal" and back.legal
    en, ja = _SENTENCES[by]
    return EitherWay(
        by=by,
        turned=turned,
        ruling=back if turned else forth,
        other=forth if turned else back,
        message=en,
        message_ja=ja,
    )


def path_backwards(path: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """The strokes in the opposite walking order."""
    return tuple(tuple(reversed(stroke)) for stroke in reversed(path))


def scores_alike(a: Ruling, b: Ruling) -> bool:
    """Whether two rulings are worth the same whatever objective is drawn: same counts, optimizers and
    escape.
    """
    return (a.discovered, a.optimizers, a.escaped) == (b.discovered, b.optimizers, b.escaped)
