"""Photos of people whose pens have dried out: for each pen one plain photo to learn it from, and evenings.

`python -m samples.faint_pens --split tuning-evening --pens 6 --photos 5 --out samples/sets/faint`

Each pen has a folder of its own: `pen.jpg` shows one table in good light, the others are easy and typical
evenings of the split (`samples.nuisances`) on which nothing was drawn with any other pen. The path alone is
told by the pen: marks are drawn with it, too.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from pathlib import Path
from typing import get_args

import cv2
import numpy as np

from samples import camera, ink
from samples.compositor import photograph
from samples.deck import open_deck
from samples.evening_ink import COLOURS, evening_pen
from samples.evenings import evening
from samples.layouts import NoScene
from samples.nuisances import Nuisances, random_nuisances
from samples.sample import Sample
from samples.splits import FIRST_SEED, Split
from samples.truth import write_truth
from scorer.catalogue import Catalogue, load_catalogue

#: What a dried-out pen's film lets through on a bare floor, as a share of the picture's values.
LETS_THROUGH = (0.75, 0.9)
#: Of every five photos of a pen so many are easy; the others are typical.
EASY_OF_FIVE = 2


def faint_pen(split: Split, number: int) -> ink.Pen:
    """The pen of a number, of any colour; its film is as thin as a dried-out pen's."""
    rng = np.random.default_rng([FIRST_SEED[split], 77, number])
    wanted = COLOURS[int(rng.integers(len(COLOURS)))]
    pen = evening_pen(split, rng)
    while pen.colour != wanted:
        pen = evening_pen(split, rng)
    lets_through = float(rng.uniform(*LETS_THROUGH))
    # picture values are light to the power of 1/2.2, and thin ink is not quite black
    covered = (1 - lets_through**2.2) / 0.94
    wanted_density = -math.log(1 - covered)
    return replace(
        pen, density=wanted_density * wanted_density / _laid_density(replace(pen, density=wanted_density))
    )


def _laid_density(pen: ink.Pen) -> float:
    """The optical density that a pen really leaves in the middle of a line: haste and dry fibres thin it."""
    rng = np.random.default_rng(0)
    size = (80.0, 10.0)
    stroke = ink.path_stroke(np.array([[5.0, 5.0], [75.0, 5.0]]), replace(pen, drift_mm=0.0), rng)
    film = ink.film([stroke], lambda points: points, size, pen, 0)
    middle = round(5.0 * ink.OVERLAY_PX_PER_MM)
    reach = round(0.3 * ink.OVERLAY_PX_PER_MM)
    core = film[
        middle - reach : middle + reach, round(10 * ink.OVERLAY_PX_PER_MM) : round(70 * ink.OVERLAY_PX_PER_MM)
    ]
    return float(np.median(core.mean(axis=0)))


def pen_photo(split: Split, number: int, photo: int, deck: Catalogue) -> Sample:
    """A table drawn with the pen of a number; photo 0 is the one to learn it from."""
    pen = faint_pen(split, number)
    seed = FIRST_SEED[split] + 500_000 + 100 * number + photo
    rng = np.random.default_rng([seed, 5])
    plain = photo == 0 or photo % 5 < EASY_OF_FIVE
    wanted = Nuisances("easy") if plain else replace(random_nuisances("typical", rng), pens="")
    for attempt in range(40):
        try:
            return evening(deck, split, seed, attempt, wanted, pen)
        except NoScene:
            continue
    raise RuntimeError(f"no scene could be made from seed {seed}")


def main() -> None:
    """Make a set."""
    parser = argparse.ArgumentParser(description="Photos drawn with dried-out pens, with truth")
    parser.add_argument("--split", choices=get_args(Split), default="tuning-evening")
    parser.add_argument("--pens", type=int, default=6)
    parser.add_argument("--first", type=int, default=0, help="the first pen's number")
    parser.add_argument("--photos", type=int, default=5, help="of each pen, besides the one to learn it from")
    parser.add_argument("--deck", type=Path, help="a catalogue's folder (the open deck when not given)")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    deck = load_catalogue(options.deck) if options.deck else open_deck()
    for number in range(options.first, options.first + options.pens):
        folder = options.out / f"pen-{number:02d}"
        folder.mkdir(parents=True, exist_ok=True)
        for photo in range(options.photos + 1):
            sample = pen_photo(options.split, number, photo, deck)
            picture = photograph(sample.scene, sample.images.__getitem__)
            stem = folder / ("pen" if photo == 0 else f"table-{photo:02d}")
            file = camera.write_photo(picture, stem, sample.scene.post, sample.scene.camera)
            write_truth(sample, file, renderer="compositor")
            print(file, sample.pen.colour, f"{sample.pen.density:.2f}", flush=True)


if __name__ == "__main__":
    main()
