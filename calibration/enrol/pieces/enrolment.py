"""Enrolment of a board game's pieces: from a photo of some of them to pieces in the catalogue's folder.

The game defines its pieces (`scorer.enrolment_pieces`). The user tells which of them a photo shows, and
their size. Each reading (open sides, number, colour) is a guess until a person confirms it; an uncertain
one becomes a question. Art is written first, and the catalogue last, atomically.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from calibration.enrol.catalogue_folder import has_catalogue, new_catalogue
from calibration.enrol.faces.enrolment import read_photo
from calibration.enrol.faces.store import keep_photo, one_enrolment
from calibration.enrol.pieces.box import Box
from calibration.enrol.pieces.enrolled import SURE, EnrolledPiece, EnrolledPieces, unread_told
from calibration.enrol.pieces.holding import asked_of, missing_of
from calibration.enrol.pieces.looking import Seen, pieces_in
from calibration.enrol.pieces.names import Told, by_colour, by_number, discs_by_number
from calibration.enrol.pieces.sides import read_ways
from calibration.enrol.pieces.tiles import add_designs, add_tiles
from calibration.enrol.pieces.undoing import changed_box
from scorer.catalogue import read_catalogue
from scorer.enrolment_pieces import AskedPieces
from scorer.errors import Code, WaymarkError
from scorer.square_grid import turned
from scorer.text import Text, listed
from vision.photo.decode import load_photo

Size = tuple[float, float]

#: So many times as many of a sort as a box holds are pieces of another; of so many cards or more, less than
#: this share told by its number is hardly any.
_MANY_MORE, _SOME, _FEW_READ = 1.5, 3, 0.25


class OtherPieces(WaymarkError):
    """Error: a photo seems to show other pieces than the named ones. `rather`: the pieces that it probably
    shows, if known."""

    def __init__(self, told: Sequence[AskedPieces], rather: Sequence[AskedPieces] = ()) -> None:
        self.rather = tuple(rather)
        words = Text("This photo does not seem to show {what}; nothing was taken from it yet.")
        if rather:
            words = Text(
                "This photo does not seem to show {what}: it looks more like {rather}; nothing was taken "
                "from it yet."
            )
        super().__init__(Code.OTHER_PIECES, words.filled(what=_names(told), rather=_names(rather)))


def _names(pieces: Sequence[AskedPieces]) -> Text:
    return listed(each.name for each in pieces)


def enrol_pieces(
    folder: Path,
    photo: bytes | Path,
    shown: Mapping[str, Size],
    name: str = "",
    *,
    game: str | None = None,
    as_told: bool = False,
) -> EnrolledPieces:
    """Add the pieces in a photo (bytes or file) to the catalogue in `folder`, which is created if it is
    missing.

    `shown` maps the words of the pieces in the photo to their sizes in mm. With `as_told` it is accepted
    without a check against the photo. Raises `WaymarkError`: the errors of an unreadable photo or
    catalogue, no-card, usage (no such pieces, another game than the catalogue's, a board before its
    tiles), other-pieces (`OtherPieces`), busy, not-writable.
    """
    there = read_catalogue(folder) if has_catalogue(folder) else None
    word = there.game if there is not None else game or ""
    if there is not None and game is not None and there.game != game:
        raise WaymarkError(
            Code.USAGE,
            Text(
                "The catalogue in {folder!r} is of the game {game!r}; name another folder.",
                folder=str(folder),
                game=there.game,
            ),
        )
    asked = checked_sorts(word, shown)
    new = None
    if there is None:
        tiles = [size for piece, size in shown.items() if asked[piece].kind == "tile"]
        if not tiles:
            first = next((each for each in asked.values() if each.kind == "tile"), None)
            option = f"{first.word}=50x50" if first is not None else "tile=50x50"
            raise WaymarkError(
                Code.USAGE,
                Text(
                    "Enrol the tiles first (--pieces {option}): everything else is measured by them.",
                    option=option,
                ),
            )
        new = new_catalogue(folder.resolve().name, word, tiles[0]) | {"corner_radius_mm": 0}
    data = photo if isinstance(photo, bytes) else read_photo(photo)
    picture = load_photo(data, whole=True)
    sorts = [(asked[piece], size) for piece, size in shown.items()]
    looked = pieces_in(picture, sorts, () if as_told else tuple(asked.values()))
    if looked.rather:
        raise OtherPieces([each for each, _ in sorts], looked.rather)
    seen = looked.pieces
    if not seen:
        raise _nothing(shown)
    # what takes long is done before others have to wait
    named, nameless = _named(seen, sorts)
    if not as_told and (_too_many(seen) or _numberless(named)):
        raise OtherPieces([each for each, _ in sorts])
    unread = (*looked.unread, *(each.corners.mean(axis=0) for each in nameless))
    with one_enrolment(folder):
        keep_photo(folder, data)
        with changed_box(folder, new) as told:
            box = Box(folder, told)
            found = _add_all_named(box, named)
            found += _add_others(box, seen)
            add_plain(box, tuple(asked.values()))
        holds = read_catalogue(folder)
    advice = unread_told(picture, unread)
    return EnrolledPieces(name, tuple(found), len(holds.cards), missing_of(holds), unread, advice)


def checked_sorts(game: str, shown: Mapping[str, Size]) -> dict[str, AskedPieces]:
    """A game's pieces by their words. Raises `WaymarkError` (usage) where a piece in `shown` is not one of
    them."""
    asked = {each.word: each for each in asked_of(game)}
    for piece in shown:
        if piece not in asked or asked[piece].plain:
            names = listed(
                Text("{word} ({name})", word=word, name=each.name)
                for word, each in asked.items()
                if not each.plain
            )
            raise WaymarkError(
                Code.USAGE,
                Text(
                    "The game {game!r} has no pieces {piece!r}; name one of: {names}.",
                    game=game,
                    piece=piece,
                    names=names if names.en else "-",
                ),
            )
    return asked


# --- pieces that a number, a colour or their sort names ---


@dataclass(frozen=True)
class _Named:
    """A piece with its identification: fields of its entry, or its number among the pieces of its kind."""

    one: Seen
    fields: Mapping[str, Any]
    told: Told
    number: int | None = None

    @property
    def mark(self) -> str:
        """The number or colour read from the piece, as text."""
        return str(next(iter(self.fields.values()), self.number) or "")

    @property
    def name(self) -> str:
        return f"{self.one.asked.word}-{self.mark}" if self.mark else self.one.asked.word


def _named(
    seen: Sequence[Seen], shown: Sequence[tuple[AskedPieces, Size]]
) -> tuple[list[_Named], list[Seen]]:
    """The pieces with an assigned name, and the pieces for which no name is left."""
    found: list[_Named] = []
    nameless: list[Seen] = []
    if all(each.asked.shape == "disc" and not each.asked.designs for each in seen):
        return _named_discs(seen, shown)
    for word in dict.fromkeys(each.asked.word for each in seen):
        own = [each for each in seen if each.asked.word == word]
        asked = own[0].asked
        if asked.kind in ("board", "tile") or asked.designs:
            continue
        faces = [each.face for each in own]
        told: list[Told | None]
        if asked.values:
            told = by_number(faces, asked.values, asked.copies)
        elif asked.colours:
            told = by_colour(faces, asked.colours)
        else:
            designs = max(1, asked.count // asked.copies)
            told = [Told(k, 1.0) if k < designs else None for k in range(len(own))]
        for one, each in zip(own, told, strict=True):
            if each is None:
                nameless.append(one)
            elif asked.values:
                found.append(_Named(one, {"value": asked.values[each.name]}, each))
            elif asked.colours:
                found.append(_Named(one, {"colour": asked.colours[each.name]}, each))
            else:
                found.append(_Named(one, {}, each, each.name + 1 if designs > 1 else None))
    return found, nameless


def _named_discs(
    seen: Sequence[Seen], shown: Sequence[tuple[AskedPieces, Size]]
) -> tuple[list[_Named], list[Seen]]:
    """Discs of all kinds identified by number and diameter, and the discs without a name left."""
    names = [
        (asked, value, size)
        for asked, size in shown
        for value in (asked.values or (None,) * max(1, asked.count // asked.copies))
    ]
    told = discs_by_number(
        [each.face for each in seen],
        [each.across_mm for each in seen],
        [(value, size[0]) for _, value, size in names],
        [asked.copies for asked, _, _ in names],
    )
    found, nameless = [], []
    for one, each in zip(seen, told, strict=True):
        if each is None:
            nameless.append(one)
            continue
        asked, value, size = names[each.name]
        disc = replace(one, asked=asked, size_mm=size, face=one.as_disc_of(size[0]))
        found.append(_Named(disc, {"value": value} if value else {}, each))
    return found, nameless


def _too_many(seen: Sequence[Seen]) -> bool:
    """Whether a photo shows many more pieces of a kind than a box contains."""
    count = Counter(each.asked.word for each in seen)
    holds = {each.asked.word: each.asked.count for each in seen}
    return any(holds[word] and number > _MANY_MORE * holds[word] for word, number in count.items())


def _numberless(named: Sequence[_Named]) -> bool:
    """Whether hardly any of the numbered cards could be identified by its number."""
    told = [each.told.confidence >= SURE for each in named if "value" in each.fields]
    return len(told) >= _SOME and sum(told) < _FEW_READ * len(told)


def _add_all_named(box: Box, named: Sequence[_Named]) -> list[EnrolledPiece]:
    """Add all identified pieces. Of several with one name, the art of the most confident one is used."""
    names = Counter(each.name for each in named)
    surest = {each.name: each for each in sorted(named, key=lambda each: each.told.confidence)}
    found = []
    for each in sorted(named, key=lambda each: each is not surest[each.name]):
        if each is surest[each.name] or names[each.name] == 1:
            found.append(_add_named(box, each))
        else:
            sure = round(each.told.confidence, 3)
            question = _is_it(each.name) if sure < SURE else None
            found.append(EnrolledPiece(each.name, False, each.one.corners, sure, each.mark, question))
    return found


def _add_named(box: Box, named: _Named) -> EnrolledPiece:
    """Add a piece identified by number or colour. It replaces an unconfirmed piece of that name."""
    asked, told, name = named.one.asked, named.told, named.name
    before = box.entry(name)
    doubt = told.confidence < SURE
    if before is None or before.get("traced") == "proposed":
        entry = box.new(asked, name, named.one) | dict(named.fields)
        entry |= {"copies": asked.copies} if asked.copies > 1 and before is None else {}
        if named.fields:
            entry |= {"traced": "proposed"} | ({"asked": "name"} if doubt else {})
        box.put(entry)
    question = _is_it(name) if doubt else None
    confidence = round(told.confidence, 3)
    return EnrolledPiece(name, before is None, named.one.corners, confidence, named.mark, question)


def _is_it(name: str) -> Text:
    return Text("Is this {name}?", name=name)


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
    """Add the board and the pieces printed on it."""
    new = box.entry("board") is None
    tile = box.tile_mm
    columns = max(cell[0] for cell in asked.printed) + 1
    rows = max(cell[1] for cell in asked.printed) + 1
    scale = one.face.shape[1] / one.size_mm[0]
    left, top = (one.size_mm[0] - columns * tile) / 2, (one.size_mm[1] - rows * tile) / 2
    if min(left, top) < -1.0:
        raise WaymarkError(
            Code.USAGE,
            Text(
                "A board of {size_mm:g} mm has no room for {columns} tiles of {tile:g} mm; measure both "
                "again.",
                size_mm=one.size_mm[0],
                columns=columns,
                tile=tile,
            ),
        )
    cells = {}
    for column, row in asked.printed:
        x, y = round((left + column * tile) * scale), round((top + row * tile) * scale)
        side = round(tile * scale)
        cells[column, row] = np.ascontiguousarray(one.face[max(y, 0) : y + side, max(x, 0) : x + side])
    shapes = {turned(sides, way): 1 / 16 for sides in asked.printed.values() for way in (0, 90, 180, 270)}
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
            question = Text("Does the printed cell {name} open to {words}?", name=name, words=words)
            found.append(EnrolledPiece(name, new, one.corners, 0.5, words, question))
        else:
            entry["traced"] = "yes"
        box.put(entry)
    return found


def _nothing(shown: Mapping[str, Size]) -> WaymarkError:
    words = ", ".join(f"{word} {wide:g} x {high:g} mm" for word, (wide, high) in shown.items())
    return WaymarkError(
        Code.NO_CARD,
        Text(
            "No piece was found in the photo ({words}); lay them apart on a plain table and check their "
            "size.",
            words=words,
        ),
    )


# --- pieces that need no photo ------------------------------------------------------------------------------

_SIDE_PX = 200
#: Colours by name, as (blue, green, red).
_PAINTS = {
    "red": (48, 48, 200),
    "blue": (190, 100, 40),
    "yellow": (60, 200, 235),
    "green": (70, 140, 50),
    "sapphire": (190, 90, 30),
    "tiger_eye": (40, 110, 180),
    "jade": (110, 160, 60),
    "ruby": (60, 30, 190),
    "gold": (60, 190, 230),
}


def add_plain(box: Box, asked: tuple[AskedPieces, ...]) -> None:
    """Add the plain coloured pieces that every box contains."""
    for sort in asked:
        for colour in sort.colours if sort.plain else ():
            name = f"{sort.word}-{colour}"
            if box.entry(name) is not None:
                continue
            face = np.full((_SIDE_PX, _SIDE_PX, 3), _PAINTS[colour], np.uint8)
            entry = box.new(sort, name, Seen(sort, sort.usual_mm, np.zeros((4, 2)), face))
            entry |= {"copies": sort.copies, sort.plain: colour}
            box.put(entry)
