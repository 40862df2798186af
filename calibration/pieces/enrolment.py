"""Enrolment of a board game's pieces: a photo of some of them in, pieces in the catalogue's folder out.

The game says which pieces it has (`scorer.asked_pieces`), whoever photographs them which of these a photo
shows and how large they are. What is read of a piece (the sides to which it opens, its number, its colour) is
pencil until a person says that it is right; what is not sure is asked. Art is written first and the catalogue
last, and that whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from calibration.catalogue_folder import has_catalogue, new_catalogue
from calibration.faces.enrolment import read_photo
from calibration.faces.store import keep_photo, one_enrolment
from calibration.pieces.box import Box
from calibration.pieces.enrolled import SURE, EnrolledPiece, EnrolledPieces
from calibration.pieces.holding import asked_of, missing_of
from calibration.pieces.looking import Seen, pieces_in
from calibration.pieces.names import Told, by_colour, by_number, discs_by_number
from calibration.pieces.plain import add_plain
from calibration.pieces.tiles import add_designs, add_tiles
from calibration.pieces.undoing import changed_box
from calibration.pieces.ways import read_ways
from scorer.asked_pieces import AskedPieces
from scorer.catalogue import read_catalogue
from scorer.errors import Code, WaymarkError
from scorer.square_grid import turned
from scorer.text import Text
from vision.photo import load_photo

Size = tuple[float, float]


def enrol_pieces(
    folder: Path, photo: bytes | Path, shown: Mapping[str, Size], name: str = "", *, game: str | None = None
) -> EnrolledPieces:
    """Add the pieces that a photo (its bytes or file) shows to the catalogue in `folder`, which is made when
    absent. `shown` tells the words of those that lie there, each with its size in mm.

    Raises `WaymarkError`: what a photo or a catalogue that cannot be read raises, no-card, usage (no such
    pieces, another game than the catalogue's, a board before its tiles), busy, not-writable.
    """
    there = read_catalogue(folder) if has_catalogue(folder) else None
    word = there.game if there is not None else game or ""
    if there is not None and game is not None and there.game != game:
        raise _usage(
            f"The catalogue in {str(folder)!r} is of the game {there.game!r}; name another folder.",
            f"{str(folder)!r} のカタログは {there.game!r} のものです。別のフォルダーを指定してください。",
        )
    asked = checked_sorts(word, shown)
    new = None
    if there is None:
        tiles = [size for piece, size in shown.items() if asked[piece].kind == "tile"]
        if not tiles:
            first = next((each for each in asked.values() if each.kind == "tile"), None)
            option = f"{first.word}=50x50" if first is not None else "tile=50x50"
            raise _usage(
                f"Enrol the tiles first (--pieces {option}): everything else is measured by them.",
                f"先にタイルを登録してください(--pieces {option})。ほかの大きさの基準になります。",
            )
        new = new_catalogue(folder.resolve().name, word, tiles[0]) | {"corner_radius_mm": 0}
    data = photo if isinstance(photo, bytes) else read_photo(photo)
    picture = load_photo(data, whole=True)
    sorts = [(asked[piece], size) for piece, size in shown.items()]
    seen = pieces_in(picture, sorts)
    if not seen:
        raise _nothing(shown)
    # what takes long is done before others have to wait
    named = _named(seen, sorts)
    with one_enrolment(folder):
        keep_photo(folder, data)
        with changed_box(folder, new) as told:
            box = Box(folder, told)
            found = [_add_named(box, each) for each in named]
            found += _add_others(box, seen)
            add_plain(box, tuple(asked.values()))
        holds = read_catalogue(folder)
    return EnrolledPieces(name, tuple(found), len(holds.cards), missing_of(holds))


def checked_sorts(game: str, shown: Mapping[str, Size]) -> dict[str, AskedPieces]:
    """A game's pieces by their words. Raises `WaymarkError` (usage) where some that are shown are none of
    them."""
    asked = {each.word: each for each in asked_of(game)}
    for piece in shown:
        if piece not in asked or asked[piece].plain:
            words = ", ".join(word for word, each in asked.items() if not each.plain) or "-"
            raise _usage(
                f"The game {game!r} has no pieces {piece!r}; name one of: {words}.",
                f"{game!r} に {piece!r} という駒はありません。次から指定してください: {words}",
            )
    return asked


# --- pieces that a number, a colour or their sort names ---


@dataclass(frozen=True)
class _Named:
    """A piece with what names it: fields of its entry, or its number among those of its sort."""

    one: Seen
    fields: Mapping[str, Any]
    told: Told
    number: int | None = None


def _named(seen: Sequence[Seen], shown: Sequence[tuple[AskedPieces, Size]]) -> list[_Named]:
    found = []
    if all(each.asked.shape == "disc" and not each.asked.designs for each in seen):
        return _named_discs(seen, shown)
    for word in dict.fromkeys(each.asked.word for each in seen):
        own = [each for each in seen if each.asked.word == word]
        asked = own[0].asked
        if asked.kind in ("board", "tile") or asked.designs:
            continue
        faces = [each.face for each in own]
        told: list[Told]
        names: list[tuple[dict[str, Any], int | None]]
        if asked.values:
            told = by_number(faces, asked.values)
            names = [({"value": asked.values[each.name]}, None) for each in told]
        elif asked.colours:
            told = by_colour(faces, asked.colours)
            names = [({"colour": asked.colours[each.name]}, None) for each in told]
        else:
            designs = max(1, asked.count // asked.copies)
            own = own[:designs]
            told = [Told(k, 1.0) for k in range(len(own))]
            names = [({}, k + 1 if designs > 1 else None) for k in range(len(own))]
        found += [
            _Named(one, fields, each, number)
            for one, each, (fields, number) in zip(own, told, names, strict=True)
        ]
    return found


def _named_discs(seen: Sequence[Seen], shown: Sequence[tuple[AskedPieces, Size]]) -> list[_Named]:
    """Discs of all sorts, told by number and size."""
    names = [
        (asked, value, size)
        for asked, size in shown
        for value in (asked.values or (None,) * max(1, asked.count // asked.copies))
    ]
    told = discs_by_number(
        [each.face for each in seen],
        [each.across_mm for each in seen],
        [(value, size[0]) for _, value, size in names],
    )
    found = []
    for one, each in zip(seen, told, strict=True):
        asked, value, size = names[each.name]
        disc = replace(one, asked=asked, size_mm=size, face=one.as_disc_of(size[0]))
        found.append(_Named(disc, {"value": value} if value else {}, each))
    return found


def _add_named(box: Box, named: _Named) -> EnrolledPiece:
    """A piece that its number or colour names: in the place of one of that name that is still pencil."""
    asked, told = named.one.asked, named.told
    mark = next(iter(named.fields.values()), named.number)
    name = asked.word if mark is None else f"{asked.word}-{mark}"
    before = box.entry(name)
    doubt = told.confidence < SURE
    if before is None or before.get("traced") == "proposed":
        entry = box.new(asked, name, named.one) | dict(named.fields)
        entry |= {"copies": asked.copies} if asked.copies > 1 and before is None else {}
        if named.fields:
            entry |= {"traced": "proposed"} | ({"asked": "name"} if doubt else {})
        box.put(entry)
    question = Text(f"Is this {name}?", f"これは {name} ですか?") if doubt else None
    confidence = round(told.confidence, 3)
    return EnrolledPiece(name, before is None, named.one.corners, confidence, str(mark or ""), question)


# --- all others ---


def _add_others(box: Box, seen: Sequence[Seen]) -> list[EnrolledPiece]:
    found = []
    for word in dict.fromkeys(each.asked.word for each in seen):
        own = [each for each in seen if each.asked.word == word]
        asked = own[0].asked
        if asked.kind == "tile":
            found += add_tiles(box, asked, own)
        elif asked.printed:
            found += _add_board(box, asked, own[0])
        elif asked.designs:
            found += add_designs(box, asked, own)
        elif asked.kind == "board":
            found += [_add_named(box, _Named(own[0], {}, Told(0, 1.0)))]
    return found


def _add_board(box: Box, asked: AskedPieces, one: Seen) -> list[EnrolledPiece]:
    """The board, and what is printed on it."""
    new = box.entry("board") is None
    tile = box.tile_mm
    columns = max(cell[0] for cell in asked.printed) + 1
    rows = max(cell[1] for cell in asked.printed) + 1
    scale = one.face.shape[1] / one.size_mm[0]
    left, top = (one.size_mm[0] - columns * tile) / 2, (one.size_mm[1] - rows * tile) / 2
    if min(left, top) < -1.0:
        raise _usage(
            f"A board of {one.size_mm[0]:g} mm has no room for {columns} tiles of {tile:g} mm; "
            "measure both again.",
            f"{one.size_mm[0]:g} mm の盤に {tile:g} mm のタイル {columns} 枚は入りません。"
            "測り直してください。",
        )
    cells = {}
    for column, row in asked.printed:
        x, y = round((left + column * tile) * scale), round((top + row * tile) * scale)
        side = round(tile * scale)
        cells[column, row] = np.ascontiguousarray(one.face[max(y, 0) : y + side, max(x, 0) : x + side])
    shapes: dict[int, float] = {sides: 1 / 16 for sides in _all_ways(asked.printed.values())}
    read = dict(zip(cells, read_ways(list(cells.values()), shapes), strict=True))
    box.put(box.new(asked, "board", one))
    found = [EnrolledPiece("board", new, one.corners, 1.0)]
    for (column, row), usual in asked.printed.items():
        name = f"F{column}{row}"
        ways = read[column, row]
        # what the family's boards have is taken unless the photo says surely otherwise
        odd = ways.sides != usual and ways.confidence >= SURE
        entry = box.new(asked, name, replace(one, face=cells[column, row], size_mm=(tile, tile)))
        entry |= {"kind": "fixed", "cell": [column, row], "rotation": 0}
        entry.pop("size_mm")
        box.open_to(entry, (usual,), ways.confidence if odd else 1.0)
        if odd:
            entry["asked"] = "ways"
            words = "+".join(ways.words)
            question = Text(
                f"Does the printed cell {name} open to {words}?",
                f"印刷されたマス {name} は {words} に開いていますか?",
            )
            found.append(EnrolledPiece(name, new, one.corners, 0.5, words, question))
        else:
            entry["traced"] = "yes"
        box.put(entry)
    return found


def _all_ways(sides: Iterable[int]) -> set[int]:
    return {turned(each, rotation) for each in sides for rotation in (0, 90, 180, 270)}


def _usage(english: str, japanese: str) -> WaymarkError:
    return WaymarkError(Code.USAGE, english, japanese)


def _nothing(shown: Mapping[str, Size]) -> WaymarkError:
    words = ", ".join(f"{word} {wide:g} x {high:g} mm" for word, (wide, high) in shown.items())
    return WaymarkError(
        Code.NO_CARD,
        f"No piece was found in the photo ({words}); lay them apart on a plain table and check their size.",
        f"写真に駒が見つかりません({words})。無地の机に離して並べ、大きさを確かめてください。",
    )
