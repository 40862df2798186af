"""Photos of which a part, or a card's art, is missing: how often Waymark is sure of a score, and wrong.

    python -m tools.cut_pictures --out out/cut.jsonl [--photos samples/photos] [--kinds whole crop card]

takes each photo of a folder with truths whole, cropped from each side, with something flat over each side
(in several colours and textures), with a flat filling from a row on, as decoders leave it where the data
end, and with one of its cards taken out of the catalogue (`card`), reads it and referees it against the truth
of the whole photo. What is done is kept in --out, a line
each, and not done again: a sweep that was stopped goes on where it stopped. Prints for each kind how many
were sure, how many sure and wrong, with the 95% bound of that share, and the same after a hurried player's
taps.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from samples.deck import open_deck
from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from vision.cards.index import CardIndex
from vision.photo.decode import load_photo
from waymark.bench.bounds import upper_bound
from waymark.bench.players import Truth, play
from waymark.bench.truth import find_photos, read_truth
from waymark.review.pipeline import load_cards, read_table
from waymark.review.referee_cache import Table
from waymark.review.tableau.assess import assess

Pixels = NDArray[np.uint8]

SIDES = ("left", "right", "top", "bottom")
#: Shares of the width or height that a crop keeps, and that a panel covers.
CROPS = (0.4, 0.48, 0.54, 0.6, 0.66, 0.72, 0.8)
PANELS = (0.2, 0.3, 0.4, 0.5)
#: Start of a filling: share of the height, and position within that row of blocks.
FILLINGS = ((0.3, 0.0), (0.4, 0.5), (0.5, 0.0), (0.6, 0.5), (0.7, 0.0), (0.8, 0.5))
_BLOCK = 16


class Done(msgspec.Struct, frozen=True):
    """The result of one picture."""

    name: str
    kind: str
    sure: bool
    right: bool
    hurried_sure: bool
    hurried_right: bool
    asked: tuple[str, ...]


def turned(pixels: Pixels, side: str) -> Pixels:
    """The picture rotated by quarter turns until `side` is on the left."""
    quarters = {"left": 0, "top": 1, "right": 2, "bottom": 3}[side]
    return np.rot90(pixels, quarters)


def turned_back(pixels: Pixels, side: str) -> Pixels:
    """The inverse rotation of `turned`."""
    return np.rot90(pixels, {"left": 0, "top": -1, "right": -2, "bottom": -3}[side])


def cropped(pixels: Pixels, side: str, kept: float) -> Pixels:
    """A picture cropped from one side, to the share `kept` of its extent."""
    lying = turned(pixels, side)
    return turned_back(lying[:, round(lying.shape[1] * (1 - kept)) :], side)


def panel(pixels: Pixels, side: str, taken: float, looks: str) -> Pixels:
    """A picture with something flat over a share of it, along a side: "black", "white", "wood", "print",
    "soft" (out of focus, at an angle) or "table" (nearly the table's own colour)."""
    lying = turned(pixels, side).copy()
    height, width = lying.shape[:2]
    rng = np.random.default_rng(round(1000 * taken) + height)
    colours = {"black": (0, 0, 0), "white": (236, 240, 242), "wood": (72, 104, 150), "soft": (60, 48, 120)}
    corner = lying[: height // 12, -width // 12 :].reshape(-1, 3)
    colour = np.array(colours.get(looks, np.median(corner, axis=0) + 14), np.float32)
    over = np.broadcast_to(colour, lying.shape).copy()
    if looks in ("wood", "print", "table"):
        size = {"wood": (4, max(height // 6, 8)), "print": (width // 60 + 2, height // 60 + 2)}
        coarse = rng.normal(0, 1, size.get(looks, (width // 3 + 1, height // 3 + 1))[::-1])
        spread = {"wood": 14, "print": 45, "table": 3}[looks]
        over += spread * cv2.resize(coarse.astype(np.float32), (width, height))[..., None]
    edge = np.full(height, taken * width)
    if looks == "soft":
        edge += np.linspace(-0.04, 0.04, height) * width
    within = (edge[:, None] > np.arange(width)).astype(np.float32)
    if looks == "soft":
        within = cv2.GaussianBlur(within, (0, 0), width / 500)
    mixed = within[..., None] * over + (1 - within[..., None]) * lying
    return turned_back(np.asarray(mixed.clip(0, 255), np.uint8), side)


def filled(pixels: Pixels, from_row: float, across: float, colour: int) -> Pixels:
    """A picture as if its data ended early: from a block of one row on, all pixels have one colour."""
    kept = pixels.copy()
    height, width = pixels.shape[:2]
    row, column = (round(height * from_row) // _BLOCK * _BLOCK, round(width * across) // _BLOCK * _BLOCK)
    kept[row : row + _BLOCK, column:] = colour
    kept[row + _BLOCK :] = colour
    return kept


def variants(kinds: Sequence[str]) -> Iterator[tuple[str, str, Callable[[Pixels], Pixels]]]:
    """The variants of a photo: name, kind, and function from pixels to pixels."""
    if "whole" in kinds:
        yield "whole", "whole", lambda pixels: pixels
    for side in SIDES if "crop" in kinds else ():
        for kept in CROPS:
            yield f"crop-{side}-{kept}", "crop", partial(cropped, side=side, kept=kept)
    looks = ("black", "white", "wood", "print", "soft", "table")
    for number, side in enumerate(SIDES if "panel" in kinds else ()):
        for step, taken in enumerate(PANELS):
            look = looks[(5 * number + step) % len(looks)]
            how = partial(panel, side=side, taken=taken, looks=look)
            yield f"panel-{side}-{taken}-{look}", "panel", how
    if "card" in kinds:
        yield "card", "card", lambda pixels: pixels
    for number, (row, across) in enumerate(FILLINGS if "filling" in kinds else ()):
        how = partial(filled, from_row=row, across=across, colour=(128, 0, 255)[number % 3])
        yield f"filling-{row}", "filling", how


def without(catalogue: Catalogue, card: str) -> Catalogue:
    """A catalogue, with its index, without one card."""
    index: CardIndex = load_cards(catalogue)
    cards = tuple(each for each in catalogue.cards if each.id != card)
    rest = msgspec.structs.replace(catalogue, cards=cards)
    vars(rest)["_folder"] = catalogue.folder
    vars(rest)["card_index"] = index.of([number for number, name in enumerate(index.ids) if name != card])
    return rest


def read(pixels: Pixels, name: str, kind: str, truth: Truth) -> Done:
    """The result of reading a picture, with a hurried player's answers. For the kind "card", the catalogue
    lacks a card of the truth, chosen by the picture's name."""
    catalogue = truth.table.catalogue
    if kind == "card":
        chance = random.Random(name)
        catalogue = without(catalogue, chance.choice(sorted(each.card for each in truth.seen.cards)))
    written = np.asarray(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 92])[1]).tobytes()
    try:
        reading = read_table(load_photo(written), catalogue)
    except WaymarkError as error:
        return Done(name, kind, False, False, False, False, (error.code,))
    now, hurried = assess(reading, truth.table, truth.terms), play(reading, truth, "hurried")
    asked = tuple(question.name for question in now.open_questions)
    return Done(name, kind, now.sure, truth.right(now), hurried.sure, hurried.right, asked)


def shown(done: Sequence[Done]) -> str:
    """A line with the counts of sure, and of sure and wrong, pictures of one kind."""
    wrong = sum(each.sure and not each.right for each in done)
    hurried = sum(each.hurried_sure and not each.hurried_right for each in done)
    bound = upper_bound(wrong, len(done))
    return (
        f"n {len(done):4}  sure {sum(each.sure for each in done):4}  sure and wrong {wrong:3} "
        f"(at most {100 * (bound or 0):.1f}%)  hurried, sure and wrong {hurried:3}"
    )


def sweep(photos: Path, out: Path, kinds: Sequence[str], most: int | None) -> dict[str, Done]:
    """Read the pictures without a stored result and store each result at once; returns all results by
    name."""
    deck = open_deck()
    load_cards(deck)
    kept = (
        [msgspec.json.decode(line, type=Done) for line in out.read_bytes().splitlines()]
        if out.exists()
        else []
    )
    done = {each.name: each for each in kept}
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("ab") as lines:
        for photo, truth_file in find_photos(photos)[:most]:
            made = [each for each in variants(kinds) if f"{photo.stem}-{each[0]}" not in done]
            if not made:
                continue
            truth = Truth(read_truth(truth_file, [deck]), Table(deck))
            pixels = load_photo(photo, whole=True).pixels
            for name, kind, how in made:
                each = read(np.ascontiguousarray(how(pixels)), f"{photo.stem}-{name}", kind, truth)
                done[each.name] = each
                lines.write(msgspec.json.encode(each) + b"\n")
                lines.flush()
    return done


def main() -> None:
    """Run the sweep and print the counts."""
    parser = argparse.ArgumentParser(description="Photos of which a part is missing")
    parser.add_argument("--photos", type=Path, default=Path("samples/photos"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--kinds", nargs="+", default=["whole", "crop", "panel", "filling", "card"])
    parser.add_argument("--most", type=int, help="photos of the folder that are taken")
    options = parser.parse_args()
    done = sweep(options.photos, options.out, options.kinds, options.most)
    by_kind: Mapping[str, list[Done]] = {
        kind: [each for each in done.values() if each.kind == kind] for kind in options.kinds
    }
    for kind, each in by_kind.items():
        print(f"{kind:8} {shown(each)}")
        for one in each:
            if (one.sure and not one.right) or (one.hurried_sure and not one.hurried_right):
                print(f"    {one.name}{'' if one.sure else '  (hurried)'}")


if __name__ == "__main__":
    main()
