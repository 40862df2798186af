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
from numpy.typing import NDArray

from calibration.catalogue_folder import changed_catalogue, has_catalogue, new_catalogue, write_whole
from calibration.faces.enrolment import read_photo
from calibration.faces.identity import LookedUp, best_match, quarters_of
from calibration.faces.store import keep_photo, one_enrolment, png
from calibration.pieces.looking import Seen, pieces_in
from calibration.pieces.names import Told, by_colour, by_number, discs_by_number
from calibration.pieces.openings import opening_nodes
from calibration.pieces.ways import Ways, read_ways
from scorer.asked_pieces import AskedPieces
from scorer.board_game import BoardGame
from scorer.catalogue import Catalogue, read_catalogue
from scorer.errors import Code, WaymarkError
from scorer.games import game_named
from scorer.square_grid import SIDES, turned
from scorer.text import Text
from vision.art import read_art
from vision.photo import load_photo

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]
Size = tuple[float, float]

#: Below this what was read of a piece is asked about.
SURE = 0.9
_GLARE = Text("Glare lies on this; photograph it once more.", "光が反射しています。もう一度撮ってください。")


@dataclass(frozen=True)
class EnrolledPiece:
    """A piece in a photo: its id in the catalogue, whether it is new there, its corners (4, 2) in the photo,
    how sure what was read of it is, what that is in words, and what is asked of it."""

    piece: str
    new: bool
    corners: Array
    confidence: float
    read: str = ""
    question: Text | None = None


@dataclass(frozen=True)
class EnrolledPieces:
    """What was seen in a photo; `missing` says which of the game's pieces the catalogue has not yet, with how
    many of them."""

    photo: str
    pieces: tuple[EnrolledPiece, ...]
    count: int
    missing: tuple[tuple[AskedPieces, int], ...]


def asked_of(game: str) -> tuple[AskedPieces, ...]:
    """The pieces that a game asks for; none of a game of cards alone."""
    known = game_named(game)
    return known.asked if isinstance(known, BoardGame) else ()


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
    asked = {each.word: each for each in asked_of(word)}
    for piece in shown:
        if piece not in asked:
            words = ", ".join(asked) or "-"
            raise _usage(
                f"The game {word!r} has no pieces {piece!r}; name one of: {words}.",
                f"{word!r} に {piece!r} という駒はありません。次から指定してください: {words}",
            )
    new = None
    if there is None:
        tiles = [size for piece, size in shown.items() if asked[piece].kind == "tile"]
        if not tiles:
            raise _usage(
                "Enrol the tiles first (--pieces tile=50x50): everything else is measured by them.",
                "先にタイルを登録してください(--pieces tile=50x50)。ほかの大きさの基準になります。",
            )
        new = new_catalogue(folder.resolve().name, word, tiles[0]) | {"corner_radius_mm": 0}
    data = photo if isinstance(photo, bytes) else read_photo(photo)
    picture = load_photo(data, whole=True)
    sorts = [(asked[piece], size) for piece, size in shown.items()]
    seen = pieces_in(picture, sorts)
    if not seen:
        raise _nothing(shown)
    with one_enrolment(folder):
        keep_photo(folder, data)
        with changed_catalogue(folder, new) as told:
            found = _Box(folder, told, sorts).add(seen)
        box = read_catalogue(folder)
    return EnrolledPieces(name, tuple(found), len(box.cards), missing_of(box))


def missing_of(box: Catalogue) -> tuple[tuple[AskedPieces, int], ...]:
    """The game's pieces that a box has fewer of than its game, with how many fewer."""
    found = []
    for asked in asked_of(box.game):
        own = sum(card.copies for card in box.cards if card.kind == asked.kind and card.role == asked.role)
        if own < asked.count:
            found.append((asked, asked.count - own))
    return tuple(found)


# --- the box ------------------------------------------------------------------------------------------------


class _Box:
    """A catalogue that pieces are added to: `told` is its JSON, and is altered."""

    def __init__(self, folder: Path, told: dict[str, Any], shown: Sequence[tuple[AskedPieces, Size]]) -> None:
        self.folder, self.told, self.shown = folder, told, shown

    def add(self, seen: Sequence[Seen]) -> list[EnrolledPiece]:
        found: list[EnrolledPiece] = []
        discs = [each for each in seen if each.asked.shape == "disc"]
        if discs:
            found += self._add_discs(discs)
        seen = [each for each in seen if each.asked.shape != "disc"]
        for asked in dict.fromkeys(each.asked.word for each in seen):
            own = [each for each in seen if each.asked.word == asked]
            found += self._add_sort(own[0].asked, own)
        return found

    def _add_sort(self, asked: AskedPieces, seen: Sequence[Seen]) -> list[EnrolledPiece]:
        if asked.kind == "board":
            return self._add_board(asked, seen[0])
        if asked.kind == "tile":
            return self._add_tiles(asked, seen)
        faces = [each.face for each in seen]
        if asked.values:
            told = by_number(faces, asked.values)
            return [
                self._add_named(asked, one, {"value": asked.values[each.name]}, each)
                for one, each in zip(seen, told, strict=True)
            ]
        if asked.colours:
            told = by_colour(faces, asked.colours)
            return [
                self._add_named(asked, one, {"colour": asked.colours[each.name]}, each)
                for one, each in zip(seen, told, strict=True)
            ]
        designs = max(1, asked.count // asked.copies)
        return [
            self._add_named(asked, one, {}, Told(k, 1.0), number=k + 1 if designs > 1 else None)
            for k, one in enumerate(seen[:designs])
        ]

    def _add_discs(self, seen: Sequence[Seen]) -> list[EnrolledPiece]:
        """Discs of all sorts, told by number and size."""
        names = [
            (asked, value, size)
            for asked, size in self.shown
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
            found.append(self._add_named(asked, disc, {"value": value} if value else {}, each))
        return found

    def _add_named(
        self, asked: AskedPieces, one: Seen, named: dict[str, Any], told: Told, number: int | None = None
    ) -> EnrolledPiece:
        """A piece that its number or colour names: in the place of one of that name that is still pencil."""
        mark = next(iter(named.values()), number)
        name = asked.word if mark is None else f"{asked.word}-{mark}"
        before = self._entry(name)
        new = before is None
        if before is None or before.get("traced") == "proposed":
            doubt = told.confidence < SURE
            entry = self._new(asked, name, one) | named
            entry |= {"copies": asked.copies} if asked.copies > 1 else {}
            if named:
                entry |= {"traced": "proposed"} | ({"asked": "name"} if doubt else {})
            self._put(entry)
        question = None
        if told.confidence < SURE:
            question = Text(f"Is this {name}?", f"これは {name} ですか?")
        return EnrolledPiece(name, new, one.corners, round(told.confidence, 3), str(mark or ""), question)

    def _add_tiles(self, asked: AskedPieces, seen: Sequence[Seen]) -> list[EnrolledPiece]:
        size = seen[0].size_mm
        known = [(entry, self._face(entry)) for entry in self._entries("tile")]
        looks = [(entry, LookedUp.of_pixels(face, size)) for entry, face in known if face is not None]
        names: list[tuple[str, bool, Text | None]] = []
        here: dict[str, int] = {}
        for one in seen:
            face = LookedUp.of_pixels(one.face, size)
            match = best_match(face, [look for _, look in looks], quarters_of(size))
            if match is not None and match.drawn_alike and looks[match.known][0].get("asked") == "glare":
                # a better view of what glare lay on
                name = str(looks[match.known][0]["id"])
                self._put(self._new(asked, name, one) | ({"asked": "glare"} if one.hazy else {}))
                names.append((name, False, _GLARE if one.hazy else None))
                continue
            if match is not None and match.verdict == "same":
                entry = looks[match.known][0]
                name = str(entry["id"])
                here[name] = here.get(name, 0) + 1
                entry["copies"] = max(int(entry.get("copies", 1)), here[name])
                names.append((name, False, None))
                continue
            name = self._free("tile")
            entry = self._new(asked, name, one)
            question = None
            if match is not None and match.verdict == "doubt" and match.drawn_alike:
                other = str(looks[match.known][0]["id"])
                entry |= {"asked": f"same:{other}"}
                question = Text(f"Is this the same tile as {other}?", f"これは {other} と同じタイルですか?")
            if one.hazy and question is None:
                entry |= {"asked": "glare"}
                question = _GLARE
            self._put(entry)
            here[name] = 1
            looks.append((entry, face))
            names.append((name, True, question))
        ways = self._read_ways(asked)
        found = []
        for one, (name, new, question) in zip(seen, names, strict=True):
            own = ways[name]
            words = "+".join(own.words)
            if question is None and own.confidence < SURE:
                question = Text(f"Does {name} open to {words}?", f"{name} は {words} に開いていますか?")
            found.append(EnrolledPiece(name, new, one.corners, round(own.confidence, 3), words, question))
        return found

    def _read_ways(self, asked: AskedPieces) -> dict[str, Ways]:
        """What the box's tiles open to: those that nobody has confirmed are read again, with all of them."""
        entries = [(entry, self._face(entry)) for entry in self._entries("tile")]
        shown = [(entry, face) for entry, face in entries if face is not None]
        read = read_ways([face for _, face in shown], asked.lying_ways)
        told = {}
        for (entry, _), ways in zip(shown, read, strict=True):
            if entry.get("traced", "proposed") == "proposed":
                self.open_to(entry, ways.sides, ways.confidence)
                if ways.confidence < SURE:
                    entry.setdefault("asked", "ways")
                elif entry.get("asked") == "ways":
                    del entry["asked"]
                told[str(entry["id"])] = ways
            else:
                told[str(entry["id"])] = Ways(_sides_of(entry), 1.0)
        return told

    def _add_board(self, asked: AskedPieces, one: Seen) -> list[EnrolledPiece]:
        """The board, and what is printed on it."""
        new = self._entry("board") is None
        tile = float(self.told["card_size_mm"][0])
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
        self._put(self._new(asked, "board", one))
        found = [EnrolledPiece("board", new, one.corners, 1.0)]
        for (column, row), usual in asked.printed.items():
            name = f"F{column}{row}"
            ways = read[column, row]
            # what the family's boards have is taken unless the photo says surely otherwise
            odd = ways.sides != usual and ways.confidence >= SURE
            entry = self._new(asked, name, replace(one, face=cells[column, row], size_mm=(tile, tile)))
            entry |= {"kind": "fixed", "cell": [column, row], "rotation": 0}
            entry.pop("size_mm")
            self.open_to(entry, usual, ways.confidence if odd else 1.0)
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
            self._put(entry)
        return found

    # what is written

    def open_to(self, entry: dict[str, Any], sides: int, confidence: float) -> None:
        """Say in a tile's entry to which sides it opens, as a guess."""
        entry["nodes"], entry["edges"] = opening_nodes(sides, float(self.told["card_size_mm"][0]))
        for node in entry["nodes"]:
            if node["kind"] == "opening":
                node["confidence"] = round(confidence, 3)
        entry["traced"] = "proposed"

    def _new(self, asked: AskedPieces, name: str, one: Seen) -> dict[str, Any]:
        """A piece's entry, whose art is written."""
        art = f"art/{name}.png"
        write_whole(self.folder / art, png(one.face))
        entry: dict[str, Any] = {"id": name, "kind": asked.kind, "art": art, "shape": asked.shape}
        if asked.role is not None:
            entry["role"] = asked.role
        if asked.kind != "tile":
            entry["size_mm"] = [float(side) for side in one.size_mm]
        return entry | {"nodes": [], "edges": [], "rooms": []}

    def _put(self, entry: dict[str, Any]) -> None:
        before = self._entry(entry["id"])
        if before is None:
            self.told["cards"].append(entry)
        else:
            before.clear()
            before.update(entry)

    def _entry(self, name: str) -> dict[str, Any] | None:
        return next((entry for entry in self.told["cards"] if entry["id"] == name), None)

    def _entries(self, kind: str) -> list[dict[str, Any]]:
        return [entry for entry in self.told["cards"] if entry["kind"] == kind]

    def _free(self, word: str) -> str:
        used = {str(entry["id"]) for entry in self.told["cards"]}
        return next(name for k in range(1, 1000) if (name := f"{word}-{k:02d}") not in used)

    def _face(self, entry: Mapping[str, Any]) -> Picture | None:
        return read_art(self.folder / str(entry["art"]))


def _sides_of(entry: Mapping[str, Any]) -> int:
    return sum(1 << SIDES.index(node["side"]) for node in entry["nodes"] if node["kind"] == "opening")


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
