"""The frozen sets: the photos that figures are told of, those that thresholds are chosen on, and those that
models are fitted on. Written down on 2026-11-29, before anything was fitted; nobody had read one of them.

`python -m samples.frozen_sets --set test --out samples/sets/frozen` draws a set, and goes on where it
stopped. Read the test set once for each version whose figures are told, and change nothing for what it shows.
"""

from __future__ import annotations

import argparse
import multiprocessing
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from calibration.decks.pieces import catalogue_json
from calibration.open_deck import bundled_catalogue
from samples.compositor import make_one
from samples.restyled_deck import restyled_deck
from samples.splits import Split
from samples.styles.decks import write_deck
from scorer.catalogue import FILE_NAME, Catalogue, load_catalogue

#: `open`: the open deck; `second`: `samples.second_deck`; `styles`: the open deck restyled, a style for every
#: 25 photos, which no other set shows.
Deck = Literal["open", "second", "styles"]
PHOTOS_PER_STYLE = 25


@dataclass(frozen=True)
class Part:
    """Photos `first` to `first + count - 1` of a split, with one deck, by the compositor or by Cycles. The
    styles of its decks are numbered from `style` on."""

    split: Split
    first: int
    count: int
    deck: Deck = "open"
    cycles: bool = False
    style: int = 0

    @property
    def indices(self) -> range:
        return range(self.first, self.first + self.count)


FROZEN: dict[str, tuple[Part, ...]] = {
    "test": (
        Part("test-evening", 10_000, 500),
        Part("test-evening", 10_500, 500, "second"),
        Part("test-evening", 11_000, 30, cycles=True),
        Part("test-evening", 11_030, 30, "second", cycles=True),
    ),
    "calibration": (
        Part("validation-evening", 10_000, 400),
        Part("validation-evening", 10_400, 600, "styles", style=1000),
    ),
    "training": (
        Part("tuning-evening", 30_000, 250),
        Part("tuning-evening", 30_250, 750, "styles", style=2000),
    ),
}


def decks_of(part: Part, folder: Path) -> Iterator[tuple[Path | None, range]]:
    """The decks of a part, each with the indices of its photos; None is the open deck. A deck's folder is
    made where it is not there yet."""
    if part.deck == "open":
        yield None, part.indices
    elif part.deck == "second":
        if not (folder / "second-deck" / FILE_NAME).exists():
            write_deck("blueprint", folder / "second-deck")
        yield folder / "second-deck", part.indices
    else:
        for number, start in enumerate(part.indices[::PHOTOS_PER_STYLE]):
            style = part.style + number
            yield (
                _style(style, folder / f"style-{style}"),
                range(start, min(start + PHOTOS_PER_STYLE, part.indices.stop)),
            )


def _style(style: int, folder: Path) -> Path:
    if not (folder / FILE_NAME).exists():
        deck = restyled_deck(load_catalogue(bundled_catalogue()), style, folder)
        for card in deck.cards:
            deck.art_path(card)
        plain = Catalogue(**{name: getattr(deck, name) for name in Catalogue.__struct_fields__})
        (folder / FILE_NAME).write_bytes(catalogue_json(plain))
    return folder


def draw(part: Part, folder: Path, workers: int) -> None:
    """Draw the photos of a part that are not in the folder yet, with their truths."""
    for deck, indices in decks_of(part, folder):
        prefix = "cycles-" if part.cycles else ""
        left = [
            index
            for index in indices
            if not (folder / f"{prefix}{part.split}-{index:04d}.truth.json").exists()
        ]
        if part.cycles and left:
            _trace(part, left, folder, deck)
            continue
        job = partial(make_one, split=part.split, out=folder, deck=deck)
        # A deck's art was drawn by threads of this process, which a forked one would wait for.
        with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
            for done, future in enumerate(as_completed([pool.submit(job, index) for index in left]), 1):
                name, seconds = future.result()
                print(f"[{done}/{len(left)}] {name} {seconds:.1f} s", flush=True)


def _trace(part: Part, indices: list[int], folder: Path, deck: Path | None) -> None:
    command = [sys.executable, "-m", "samples.cycles.batch", "--set", part.split, "--out", str(folder)]
    command += ["--indices", ",".join(map(str, indices)), "--samples", "3", "--megapixels", "1.4"]
    subprocess.run(command + (["--deck", str(deck)] if deck is not None else []), check=True)


def main() -> None:
    """Draw a frozen set."""
    parser = argparse.ArgumentParser(description="Draw a frozen set of photos with truth")
    parser.add_argument("--set", choices=sorted(FROZEN), required=True)
    parser.add_argument("--out", type=Path, required=True, help="a folder for all sets")
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    folder = options.out / options.set
    folder.mkdir(parents=True, exist_ok=True)
    for part in FROZEN[options.set]:
        draw(part, folder, options.workers)


if __name__ == "__main__":
    main()
