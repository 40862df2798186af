"""Addition of tiles, and of other pieces identified by appearance, to a box: known or new, and the open
sides of tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from calibration.enrol.faces.identity import LookedUp, best_match, quarters_of
from calibration.enrol.pieces.box import Box
from calibration.enrol.pieces.enrolled import SURE, EnrolledPiece
from calibration.enrol.pieces.looking import Seen
from calibration.enrol.pieces.openings import corridors_of
from calibration.enrol.pieces.ways import Ways, read_ways
from scorer.enrolment_pieces import AskedPieces
from scorer.text import Text

_GLARE = Text("Glare lies on this; photograph it once more.")
#: Name of the piece, whether it is new, and the question about it.
_Known = tuple[str, bool, Text | None]


def add_tiles(box: Box, asked: AskedPieces, seen: Sequence[Seen]) -> list[EnrolledPiece]:
    """Add the tiles of a photo to a box, and read the open sides of all unconfirmed tiles again."""
    named = _told_by_looks(box, asked, seen)
    ways = {} if _closed(asked) else _read_ways(box, asked)
    found = []
    for one, (name, new, question) in zip(seen, named, strict=True):
        own = ways.get(name)
        if own is None:
            found.append(EnrolledPiece(name, new, one.corners, 1.0, "", question))
            continue
        words = "+".join(own.words)
        if question is None and own.confidence < SURE:
            question = Text("Does {name} open to {words}?", name=name, words=words)
        entry = box.entry(name)
        if question is None and entry is not None and entry.get("asked") == "sort":
            question = Text("Which of the tiles is {name}?", name=name)
        found.append(EnrolledPiece(name, new, one.corners, round(own.confidence, 3), words, question))
    return found


def add_designs(box: Box, asked: AskedPieces, seen: Sequence[Seen]) -> list[EnrolledPiece]:
    """Add pieces of a photo to a box, where each design is a different piece."""
    return [
        EnrolledPiece(name, new, one.corners, 1.0, "", question)
        for one, (name, new, question) in zip(seen, _told_by_looks(box, asked, seen), strict=True)
    ]


def _told_by_looks(box: Box, asked: AskedPieces, seen: Sequence[Seen]) -> list[_Known]:
    """Identification of pieces in the box by appearance. New pieces are added."""
    size = seen[0].size_mm
    known = [(entry, box.face(entry)) for entry in box.entries(asked.kind, asked.roles)]
    looks = [(entry, LookedUp.of_pixels(face, size)) for entry, face in known if face is not None]
    named: list[_Known] = []
    here: dict[str, int] = {}
    for one in seen:
        face = LookedUp.of_pixels(one.face, size)
        match = best_match(face, [look for _, look in looks], quarters_of(size))
        entry: dict[str, Any]
        if match is not None and match.drawn_alike and looks[match.known][0].get("asked") == "glare":
            # a better view of what glare lay on
            name = str(looks[match.known][0]["id"])
            box.put(box.new(asked, name, one) | ({"asked": "glare"} if one.hazy else {}))
            named.append((name, False, _GLARE if one.hazy else None))
            continue
        if match is not None and match.verdict == "same":
            entry = looks[match.known][0]
            name = str(entry["id"])
            here[name] = here.get(name, 0) + 1
            entry["copies"] = max(int(entry.get("copies", 1)), here[name])
            named.append((name, False, None))
            continue
        name = box.free_name(asked.word)
        entry = box.new(asked, name, one) | {"traced": "proposed"}
        question = None
        if match is not None and match.verdict == "doubt" and match.drawn_alike:
            other = str(looks[match.known][0]["id"])
            entry |= {"asked": f"same:{other}"}
            question = Text("Is this the same as {other}?", other=other)
        if one.hazy and question is None:
            entry |= {"asked": "glare"}
            question = _GLARE
        if asked.copies > 1:
            entry |= {"copies": asked.copies}
        box.put(entry)
        here[name] = 1
        looks.append((entry, face))
        named.append((name, True, question))
    return named


def _closed(asked: AskedPieces) -> bool:
    return not asked.ways


def _read_ways(box: Box, asked: AskedPieces) -> dict[str, Ways]:
    """Open sides of the box's unconfirmed tiles, read together with all tiles."""
    entries = [(entry, box.face(entry)) for entry in box.entries(asked.kind, asked.roles)]
    shown = [(entry, face) for entry, face in entries if face is not None]
    told = {}
    for (entry, _), ways in zip(shown, read_ways([face for _, face in shown], asked.lying_ways), strict=True):
        if entry.get("traced", "proposed") == "proposed":
            told[str(entry["id"])] = ways
            _propose(box, asked, entry, ways)
        else:
            sides = sum(corridors_of(entry))
            told[str(entry["id"])] = Ways(sides, 1.0)
    return told


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
    if ways.confidence < SURE:
        asks = "ways"
    if asks:
        if entry.get("asked") in (None, "ways", "sort"):
            entry["asked"] = asks
    elif entry.get("asked") in ("ways", "sort"):
        del entry["asked"]
