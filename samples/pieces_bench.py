"""How well a board game's box is enrolled from photos of its pieces, and how boards are read with it.

`python -m samples.pieces_bench --photos samples/sets/box --deck DIR --box DIR --named DIR`

`samples.blank_pieces` makes the photos. Somebody careful enrols them: he tells what each photo shows, and
sets right, from the truth, what was asked or read otherwise than it is; how often he had to is told. What
was found then gets the deck's own names, and lies as the deck's art does (`--named`), so that
`waymark bench PHOTOS --catalogue NAMED` reads played photos with it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.pieces.enrolled import EnrolledPiece
from calibration.enrol.pieces.enrolment import enrol_pieces
from calibration.enrol.pieces.holding import asked_of
from samples.enrol_bench import photos_in
from scorer.catalogue import FILE_NAME, Card, Catalogue, load_catalogue
from scorer.enrolment_pieces import AskedPieces
from scorer.errors import WaymarkError
from scorer.square_grid import open_sides, turned
from vision.cards.index import read_art

Array = NDArray[np.float64]
#: A piece is where its middle is, to this share of its side.
_THERE = 0.25
#: What tiles are enrolled before.
_ORDER = ("tile", "board")


def word_of(card: Card, asked: tuple[AskedPieces, ...]) -> str:
    """The word of the game's pieces that a card is one of."""
    return next(each.word for each in asked if each.kind == card.kind and card.role in each.roles)


@dataclass
class Counted:
    """What was counted of a box: figures by word of the game's pieces, notes on what went wrong, and for each
    enrolled piece its true name and by how many quarters it has to be turned clockwise to lie as the deck's
    art does."""

    kinds: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    told: list[str] = field(default_factory=list)
    owners: dict[str, tuple[str, int]] = field(default_factory=dict)
    first: dict[str, tuple[str, int]] = field(default_factory=dict)

    def report(self) -> dict[str, Any]:
        """The figures as JSON-ready data."""
        return {
            **sum(self.kinds.values(), Counter()),
            "different": len({name for name, _ in self.owners.values()}),
            "kinds": {word: dict(counts) for word, counts in self.kinds.items()},
            "told": self.told,
        }


def bench(photos: list[Path], deck: Catalogue, box: Path) -> Counted:
    """Enrol photos and count what was found, asked and read right."""
    asked = asked_of(deck.game)
    truths = [json.loads(photo.with_name(photo.stem + ".truth.json").read_bytes()) for photo in photos]

    def rank(k: int) -> tuple[int, int]:
        card = deck.card(truths[k]["cards"][0]["card"])
        kind = card.kind if word_of(card, asked) not in ("back", "entrance-back") else "back"
        return (_ORDER.index(kind) if kind in _ORDER else len(_ORDER)), k

    counted = Counted()
    for k in sorted(range(len(photos)), key=rank):
        start = time.process_time()
        _count_photo(counted, photos[k], truths[k]["cards"], deck, box, k)
        print(f"{photos[k].name}: {time.process_time() - start:.1f} s", flush=True)
    return counted


def _count_photo(
    counted: Counted, photo: Path, truth: list[dict[str, Any]], deck: Catalogue, box: Path, number: int
) -> None:
    """Enrol a photo and count its pieces."""
    asked = asked_of(deck.game)
    cards = [deck.card(each["card"]) for each in truth]
    for card in cards:
        counted.kinds[word_of(card, asked)]["shown"] += 1
    shown = {word_of(card, asked): deck.size_of(card.id) for card in cards}
    try:
        seen = enrol_pieces(box, photo, shown, game=deck.game)
    except WaymarkError as error:
        counted.told.append(f"{photo.name}: {error.en}")
        counted.kinds[next(iter(shown))]["refused"] += 1
        return
    made = load_catalogue(box)
    left = Counter(card.id for card in cards)
    for piece in seen.pieces:
        if made.card(piece.piece).kind == "fixed":
            counted.kinds["fixed"]["asked"] += piece.question is not None
            continue
        true = _true_of(piece, truth)
        if true is None:
            counted.kinds[word_of(made.card(piece.piece), asked)]["no piece"] += 1
            counted.told.append(f"{photo.name}: {piece.piece} is none")
            continue
        left[true[0]] -= 1
        card = deck.card(true[0])
        sort = next(each for each in asked if each.word == word_of(card, asked))
        note = _count_piece(counted, piece, made.card(piece.piece), card, true[1], sort)
        counted.told += [f"{photo.name}: {note}"] if note else []
        if true[0] not in {name for name, _ in counted.owners.values()}:
            counted.owners[f"{piece.piece}@{number}"] = true
    counted.told += [f"{photo.name}: {name} not found" for name in sorted(left) if left[name] > 0]
    _keep_art(box, number, [piece.piece for piece in seen.pieces])


def _count_piece(
    counted: Counted, piece: EnrolledPiece, made: Card, true: Card, quarters: int, asked: AskedPieces
) -> str:
    """Count a piece that was found; a note where it was read wrong, or taken for another that looks alike."""
    counts = counted.kinds[asked.word]
    counts["found"] += 1
    counts["asked"] += piece.question is not None
    # (a view that was joined lies as the first one)
    first, turn = counted.first.setdefault(piece.piece, (true.id, quarters))
    alike = first == true.id
    right = _right(made, true, turn, asked) and (alike or not (asked.ways or asked.designs))
    if right:
        counts["right"] += 1
        return ""
    counts["asked and wrong" if piece.question is not None else "wrong and not asked"] += 1
    return f"{true.id} as {piece.piece} {piece.read} {piece.confidence}" + ("" if alike else " (joined)")


def _keep_art(box: Path, photo: int, pieces: list[str]) -> None:
    """A piece that is misnamed may be overwritten by the one that has the name by right."""
    made = load_catalogue(box)
    for piece in pieces:
        shutil.copyfile(made.art_path(made.card(piece)), box / "art" / f"{piece}@{photo}.png")


def _true_of(piece: EnrolledPiece, cards: list[dict[str, Any]]) -> tuple[str, int] | None:
    """The card that lies there, and the quarters by which the piece's art is turned against its."""
    found = []
    for card in cards:
        true = np.array(card["corners"], float)
        side = float(np.linalg.norm(true[1] - true[0]))
        away = float(np.linalg.norm(piece.corners.mean(axis=0) - true.mean(axis=0))) / side
        turns = [float(np.linalg.norm(np.roll(piece.corners, k, axis=0) - true)) for k in range(4)]
        found.append((away, str(card["card"]), int(np.argmin(turns))))
    away, name, quarters = min(found)
    return (name, quarters) if away < _THERE else None


def _right(made: Card, true: Card, quarters: int, asked: AskedPieces) -> bool:
    """Whether what was read of a piece is true; a piece that is known by its looks alone has nothing read."""
    if asked.ways:
        sides = turned(open_sides(made), 90 * quarters) == open_sides(true)
        return sides and (made.role == true.role or not asked.sorts)
    if made.kind != true.kind or made.role != true.role:
        return False
    return asked.designs or (made.value == true.value and made.colour == true.colour)


def write_named(box: Path, deck: Catalogue, owners: dict[str, tuple[str, int]], folder: Path) -> None:
    """The deck's catalogue with the art that was enrolled; pieces that were not are left out."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "art").mkdir(parents=True)
    told = json.loads((deck.folder or Path()).joinpath(FILE_NAME).read_bytes())
    of = {name: (key, quarters) for key, (name, quarters) in owners.items()}
    board_turn = next((turn for name, turn in owners.values() if deck.card(name).kind == "board"), 0)
    kept = []
    for entry in told["cards"]:
        card = deck.card(entry["id"])
        if card.kind == "fixed" and card.cell is not None:
            last = max(other.cell[0] for other in deck.cards if other.kind == "fixed" and other.cell)
            column, row = card.cell
            for _ in range((4 - board_turn) % 4):  # where it lay in the photo
                column, row = last - row, column
            key, quarters = f"F{column}{row}", board_turn + (card.rotation or 0) // 90 * 3
        elif card.id in of:
            key, quarters = of[card.id]
        else:
            continue
        art = read_art(box / "art" / f"{key}.png")
        if art is None:
            continue
        cv2.imwrite(str(folder / "art" / f"{card.id}.png"), np.rot90(art, -quarters))
        kept.append(entry | {"art": f"art/{card.id}.png"})
    (folder / FILE_NAME).write_bytes(msgspec.json.encode(told | {"cards": kept}))


def main() -> None:
    """Enrol a folder of photos with truth and print the figures."""
    parser = argparse.ArgumentParser(description="Enrolment of a board game's pieces against its truth")
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--deck", type=Path, required=True, help="the catalogue whose pieces the photos show")
    parser.add_argument("--box", type=Path, required=True, help="the folder that is enrolled into")
    parser.add_argument("--named", type=Path, help="where the box is written with the deck's names")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if not options.photos.is_dir():
        parser.error(f"{options.photos} is no folder; draw the photos with samples.blank_pieces first")
    try:
        deck = load_catalogue(options.deck)
    except WaymarkError as error:
        parser.error(error.en)
    counted = bench(photos_in(options.photos), deck, options.box)
    print(json.dumps(counted.report(), indent=1))
    if options.named is not None:
        write_named(options.box, deck, counted.owners, options.named)


if __name__ == "__main__":
    main()
