"""Addition of tiles, and of other pieces identified by appearance, to a box: known or new, and the open
sides of tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from calibration.enrol.faces.identity import (
    CLEARLY_SEEN,
    LookedUp,
    Match,
    close_looks,
    nearest_of,
    quarters_of,
)
from calibration.enrol.faces.identity import SURE as SAME
from calibration.enrol.pieces.box import Box
from calibration.enrol.pieces.enrolled import SURE, EnrolledPiece
from calibration.enrol.pieces.looking import Seen
from calibration.enrol.pieces.openings import corridors_of
from calibration.enrol.pieces.rooms import rooms_shown
from calibration.enrol.pieces.sides import SeenSides, Ways
from scorer.enrolment_pieces import AskedPieces
from scorer.text import Text

_GLARE = Text("Glare lies on this; photograph it once more.")
#: Name of the piece, whether it is new, and the question about it.
_Known = tuple[str, bool, Text | None]


def add_tiles(box: Box, asked: AskedPieces, seen: Sequence[Seen]) -> list[EnrolledPiece]:
    """Add the tiles of a photo to a box, and read the open sides of all unconfirmed tiles again."""
    read = None
    if asked.ways:
        known = {str(entry["id"]): face for entry, face in box.shown(asked)}
        read = SeenSides.of(asked.lying_ways, known, [one.face for one in seen])
    named = _identified(box, asked, seen, read)
    ways = _read_ways(box, asked, read) if read is not None else {}
    found = []
    for one, (name, new, question) in zip(seen, named, strict=True):
        own = ways.get(name)
        if own is None:
            found.append(EnrolledPiece(name, new, one.corners, 1.0, "", question))
            continue
        words = "+".join(own.words)
        entry = box.entry(name)
        if question is None and entry is not None:
            question = _question(asked, entry, words)
        found.append(EnrolledPiece(name, new, one.corners, round(own.confidence, 3), words, question))
    return found


def _question(asked: AskedPieces, entry: Mapping[str, Any], words: str) -> Text | None:
    """The question about what was read of a tile: its open sides, or its type."""
    name, sort = str(entry["id"]), asked.sort(entry.get("role"))
    if entry.get("asked") == "ways":
        return Text("Does {name} open to {words}?", name=name, words=words)
    if entry.get("asked") != "sort":
        return None
    if sort is None:
        return Text("Which of the tiles is {name}?", name=name)
    return Text(
        "Is {name} of this sort: {sort}, and open to {words}?", name=name, sort=sort.name, words=words
    )


def add_designs(box: Box, asked: AskedPieces, seen: Sequence[Seen]) -> list[EnrolledPiece]:
    """Add pieces of a photo to a box, where each design is a different piece."""
    return [
        EnrolledPiece(name, new, one.corners, 1.0, "", question)
        for one, (name, new, question) in zip(seen, _identified(box, asked, seen), strict=True)
    ]


def _identified(
    box: Box, asked: AskedPieces, seen: Sequence[Seen], read: SeenSides | None = None
) -> list[_Known]:
    """Identification of pieces in the box by appearance, and with `read` by their open sides. New pieces are
    added."""
    size = seen[0].size_mm
    looks = [(entry, LookedUp.of_pixels(face, size)) for entry, face in box.shown(asked)]
    named: list[_Known] = []
    here: Counter[str] = Counter()
    for number, one in enumerate(seen):
        face = LookedUp.of_pixels(one.face, size)
        alike = close_looks(face, [look for _, look in looks], quarters_of(size))
        if read is not None:
            alike = [each for each in alike if _may_be(read, number, looks[each.known][0], each)]
        match = nearest_of(alike)
        like = looks[match.known][0] if match is not None else None
        joined = None
        if match is None or like is None:
            named.append(_added(box, asked, one, None))
        elif match.drawn_alike and like.get("asked") == "glare":
            named.append(_seen_better(box, asked, one, str(like["id"])))
        elif match.verdict == "same":
            here[like["id"]] += 1
            like["copies"] = max(int(like.get("copies", 1)), here[like["id"]])
            named.append((str(like["id"]), False, None))
            joined = match.quarters
        else:
            doubtful = match.verdict == "doubt" and match.drawn_alike
            named.append(_added(box, asked, one, str(like["id"]) if doubtful else None))
        name, new, _ = named[-1]
        added = box.entry(name)
        if new and added is not None:
            here[name] = 1
            looks.append((added, face))
        if read is not None:
            read.add(number, name, joined)
    return named


def _may_be(read: SeenSides, number: int, known: Mapping[str, Any], match: Match) -> bool:
    """Whether a view that looks like a known tile may be that tile: most of it is seen, or its open sides do
    not contradict."""
    if match.difference.seen >= CLEARLY_SEEN:
        return True
    return bool(read.agreement(number, str(known["id"]), match.quarters) > np.log(1 - SAME))


def _seen_better(box: Box, asked: AskedPieces, one: Seen, name: str) -> _Known:
    """A better view of a piece on which glare lay."""
    box.put(box.new(asked, name, one) | ({"asked": "glare"} if one.hazy else {}))
    return name, False, _GLARE if one.hazy else None


def _added(box: Box, asked: AskedPieces, one: Seen, other: str | None) -> _Known:
    """Add a new piece, which may be an `other` one."""
    name = box.free_name(asked.word)
    entry = box.new(asked, name, one) | {"traced": "proposed"}
    question = None
    if other is not None:
        entry |= {"asked": f"same:{other}"}
        question = Text("Is this the same as {other}?", other=other)
    elif one.hazy:
        entry |= {"asked": "glare"}
        question = _GLARE
    if asked.copies > 1:
        entry |= {"copies": asked.copies}
    box.put(entry)
    return name, True, question


def _read_ways(box: Box, asked: AskedPieces, read: SeenSides) -> dict[str, Ways]:
    """Open sides of the box's tiles: read from the views of unconfirmed ones."""
    told = {}
    for entry in box.entries(asked.kind, asked.roles):
        name = str(entry["id"])
        if name not in read.views:
            continue
        if entry.get("traced", "proposed") == "proposed":
            told[name] = read.of_tile(name)
            _propose(box, asked, entry, told[name])
        else:
            told[name] = Ways(sum(corridors_of(entry)), 1.0)
    _guess_rooms(box, asked)
    return told


def _guess_rooms(box: Box, asked: AskedPieces) -> None:
    """Guess for tiles whose type only a person can tell whether it is one with a room. The question stays."""
    roles = {sort.has_room: sort.role for sort in asked.sorts if sort.has_room is not None}
    if len(roles) < 2:
        return
    shown = box.shown(asked)
    for (entry, _), room in zip(shown, rooms_shown([face for _, face in shown]), strict=True):
        if entry.get("asked") == "sort":
            entry["role"] = roles[room]


def _propose(box: Box, asked: AskedPieces, entry: dict[str, Any], ways: Ways) -> None:
    """Store the open sides read from a tile, and its resulting type, as a guess."""
    asks = ""
    corridors: tuple[int, ...] = (ways.sides,)
    if asked.sorts:
        may_be = [
            (sort.role, sort.lying(rotation))
            for sort in asked.sorts
            for rotation in sort.rotations
            if sort.corridors and sum(sort.lying(rotation)) == ways.sides
        ]
        entry.pop("role", None)
        if len(may_be) == 1:
            entry["role"], corridors = may_be[0]
        else:
            asks = "sort"
    box.open_to(entry, corridors, ways.confidence)
    if ways.confidence < SURE and (not asked.sorts or any(sort.corridors for sort in asked.sorts)):
        # (where only a person can tell the type, that question is about the open sides, too)
        asks = "ways"
    if asks:
        if entry.get("asked") in (None, "ways", "sort"):
            entry["asked"] = asks
    elif entry.get("asked") in ("ways", "sort"):
        del entry["asked"]
