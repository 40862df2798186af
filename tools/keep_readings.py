"""Keeps the readings of photos with truths, so that what is decided from a reading can be tried many times.

    python -m tools.keep_readings DIR --out READINGS [--catalogue DECK ...]

Writes `<name>.reading.json.gz` for each photo, and goes on where it stopped. A photo in which nothing was
found has an empty file. `tools.ablate` takes such a folder.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import load_catalogue
from scorer.errors import WaymarkError
from vision.photo.decode import load_photo
from vision.scan import Scan
from waymark.bench.truth import PHOTO_SUFFIXES, TRUTH_SUFFIX, Seen, deck_of, find_photos, read_truth
from waymark.cluster import deck_name, deck_named
from waymark.review.pipeline import decode_reading, encode_reading, read_table

SUFFIX = ".reading.json.gz"


@dataclass(frozen=True)
class Kept:
    """A photo's reading (None: nothing was found) with its truth and the name of its deck."""

    name: str
    deck: str | None
    seen: Seen
    reading: Scan | None


def keep(photo: Path, deck: str | None, file: Path) -> str:
    """Read a photo and write its reading; the photo's name."""
    try:
        told = encode_reading(read_table(load_photo(photo), deck_named(deck)))
    except WaymarkError:
        told = b""
    unfinished = file.with_suffix(".part")
    unfinished.write_bytes(gzip.compress(told, 6))
    unfinished.rename(file)
    return photo.name


def kept_readings(photos: Path, folder: Path, decks: Sequence[Path]) -> Iterator[Kept]:
    """The readings in a folder, each with its photo's truth; photos that are not read yet are left out."""
    catalogues = [load_catalogue(each) for each in (bundled_catalogue(), *decks)]
    for truth in sorted(photos.rglob(f"*{TRUTH_SUFFIX}")):
        name = truth.name.removesuffix(TRUTH_SUFFIX)
        file = folder / f"{name}{SUFFIX}"
        if not file.exists():
            continue
        seen = read_truth(truth, catalogues)
        told = gzip.decompress(file.read_bytes())
        deck = deck_of(seen, catalogues).folder
        assert deck is not None
        yield Kept(name, deck_name(deck), seen, decode_reading(told) if told else None)


def decks_below(folder: Path) -> list[Path]:
    """The catalogues in a folder of photos, such as a frozen set's."""
    return sorted(each.parent for each in folder.glob("*/catalogue.json"))


def main() -> None:
    """Read a folder of photos and keep what was read."""
    parser = argparse.ArgumentParser(description="Keep the readings of photos with truths")
    parser.add_argument("photos", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--catalogue", type=Path, action="append", default=[])
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    catalogues = [
        load_catalogue(each)
        for each in (bundled_catalogue(), *options.catalogue, *decks_below(options.photos))
    ]
    left = [
        (photo, truth, options.out / f"{photo.stem}{SUFFIX}")
        for photo, truth in find_photos(options.photos)
        if photo.suffix in PHOTO_SUFFIXES and not (options.out / f"{photo.stem}{SUFFIX}").exists()
    ]
    with ProcessPoolExecutor(options.workers) as pool:
        jobs = []
        for photo, truth, file in left:
            deck = deck_of(read_truth(truth, catalogues), catalogues).folder
            assert deck is not None
            jobs.append(pool.submit(keep, photo, deck_name(deck), file))
        for done, job in enumerate(as_completed(jobs), 1):
            print(f"[{done}/{len(left)}] {job.result()}", flush=True)


if __name__ == "__main__":
    main()
