"""Photos that a renderer of whole tables does not draw, to try on: missing parts, and two tableaus.

    python -m tools.spoiled_photos PHOTOS --out DIR

Writes for each photo with a truth one in which a part is cropped, covered or filled, and for every third one
with the next of its deck the two side by side, once with the truth of either: a picture does not show which
of two tableaus is meant. What is made of a photo follows from its name. The corners of the cards in a truth
are those in the whole photo. Goes on where it stopped.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import cast, get_args

import cv2
import msgspec
import numpy as np

from calibration.open_deck import bundled_catalogue
from samples.two_tableaus import Way, two_tableaus
from scorer.catalogue import load_catalogue
from tools.cut_pictures import variants
from tools.keep_readings import decks_below
from vision.photo.decode import load_photo
from waymark.bench.truth import TRUTH_SUFFIX, Seen, find_photos, read_truth

#: Kinds of missing parts.
KINDS = ("crop", "panel", "filling")
#: Every which photo is laid beside the next.
_EVERY = 3

#: A photo, its truth's file, and the truth.
Known = tuple[Path, Path, Seen]


def spoiled(known: Sequence[Known]) -> Iterator[tuple[str, Known, Known | None]]:
    """What is made of photos: the name, the photo, and the other one that is laid beside it."""
    for each in known:
        yield f"{each[0].stem}-part", each, None
    for number, (one, other) in enumerate(pairwise(known)):
        if number % _EVERY == 0 and one[2].tableau.catalogue == other[2].tableau.catalogue:
            yield f"{one[0].stem}-beside", one, other


def write(name: str, one: Known, other: Known | None, out: Path) -> None:
    """Write a spoiled photo with its truth, or with either truth where there are two."""
    chance = random.Random(name)
    if other is None:
        _, _, how = chance.choice(list(variants([chance.choice(KINDS)])))
        pixels = np.ascontiguousarray(how(load_photo(one[0], whole=True).pixels))
        _keep(out / name, bytes(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 92])[1]), one[2])
        return
    pair = two_tableaus(
        (one[0], one[2]),
        (other[0], other[2]),
        cast(Way, chance.choice(get_args(Way))),
        share=chance.choice((0.6, 0.8, 1.0)),
        turned=chance.random() < 0.3,
        margin=chance.choice((0.1, 0.25, 0.5)),
    )
    for which, truth in zip("ab", pair.truths, strict=True):
        _keep(out / f"{name}-{which}", pair.jpeg(), truth)


def _keep(path: Path, picture: bytes, truth: Seen) -> None:
    path.with_name(f"{path.name}{TRUTH_SUFFIX}").write_bytes(msgspec.json.encode(truth))
    path.with_name(f"{path.name}.jpg").write_bytes(picture)


def main() -> None:
    """Make spoiled photos of a folder of photos."""
    parser = argparse.ArgumentParser(description="Spoil photos")
    parser.add_argument("photos", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    decks = decks_below(options.photos)
    for deck in decks:
        if not (options.out / deck.name).exists():
            (options.out / deck.name).symlink_to(deck.resolve(), target_is_directory=True)
    catalogues = [load_catalogue(each) for each in (bundled_catalogue(), *decks)]
    known = [(photo, file, read_truth(file, catalogues)) for photo, file in find_photos(options.photos)]
    for name, one, other in spoiled(known):
        if not list(options.out.glob(f"{name}*.jpg")):
            write(name, one, other, options.out)
            print(name, flush=True)


if __name__ == "__main__":
    main()
