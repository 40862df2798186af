"""Where a claimed path leaves the one that stands, in words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from flask_babel import gettext as _

from scorer.dungeon import Dungeon
from scorer.mapmasters.direction import path_backwards
from scorer.mapmasters.messages import place_name
from webapp.dispute.drawn_paths import Parting
from webapp.messages import Language, plain
from webapp.reading.merging import Path

#: Where fewer ways meet a corridor only bends: nobody would name the place.
_WAYS_AT_A_CROSSING = 3


def parting_words(parts: Parting, stands: Path, claimed: Path, dungeon: Dungeon, language: Language) -> str:
    """How far both paths, the one that stands and the claimed one, go alike, and where each goes on to."""
    if not parts.claimed and not parts.common:
        return _("As claimed, no path was drawn at all.")
    if not parts.stands and not parts.common:
        return _("As it stands, no path was drawn at all.")
    if claimed == path_backwards(stands):
        return _("It is the same path, walked the other way round.")

    def named(name: str) -> str:
        return plain(place_name(dungeon, dungeon.places[name], language))

    if not parts.common:
        return _(
            "The paths differ from the start: as it stands it begins at %(stands)s, as claimed at "
            "%(claimed)s.",
            stands=named(parts.stands[0]),
            claimed=named(parts.claimed[0]),
        )
    alike = {"step": len(parts.common), "place": named(parts.common[-1])}
    if not parts.claimed:
        onward = named(_telling(parts.stands, (), dungeon))
        return _(
            "Both go the same way up to step %(step)s, %(place)s. As claimed the path ends there; as it "
            "stands it goes on to %(onward)s.",
            **alike,
            onward=onward,
        )
    if not parts.stands:
        onward = named(_telling(parts.claimed, (), dungeon))
        return _(
            "Both go the same way up to step %(step)s, %(place)s. As it stands the path ends there; as "
            "claimed it goes on to %(onward)s.",
            **alike,
            onward=onward,
        )
    return _(
        "Both go the same way up to step %(step)s, %(place)s. From there the path goes on to %(stands)s as "
        "it stands, and to %(claimed)s as claimed.",
        **alike,
        stands=named(_telling(parts.stands, parts.claimed, dungeon)),
        claimed=named(_telling(parts.claimed, parts.stands, dungeon)),
    )


def _telling(way: Sequence[str], other: Collection[str], dungeon: Dungeon) -> str:
    """The first place of a way by which people know it: one that the other way has not, and no mere bend."""
    own = [name for name in way if name not in other]
    told = [name for name in own if not _is_bend(dungeon, name)]
    return next(iter(told or own or way))


def _is_bend(dungeon: Dungeon, name: str) -> bool:
    ways = {link.b for link in dungeon.neighbours[name]}
    return dungeon.places[name].kind == "junction" and len(ways) < _WAYS_AT_A_CROSSING
