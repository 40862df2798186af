"""How well photos of faint pens are read once the pen is known: `samples.faint_pens` makes them.

`python -m samples.pen_bench --photos samples/sets/faint [--deck DIR] [--json FILE]`

Each pen is learned from its own `pen` photo by a tap on the middle of the longest true line, as people do it;
then each of its other photos is read without the pen and with it. Told are paths that are not exact (walked
the other way is exact where both ways are legal), sure scores, and sure ones that are wrong.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import msgspec

from calibration.pen import learn_pen
from samples.deck import open_deck
from scorer.catalogue import Catalogue, load_catalogue
from scorer.errors import WaymarkError
from vision.ink.pens import PenProfile
from vision.photo.decode import load_photo
from waymark.bench.metric import Measured, compare, unread
from waymark.bench.truth import Seen, find_photos, read_truth
from waymark.review.pipeline import load_cards, score_photo
from waymark.review.referee_cache import Table

LEARNED_FROM = "pen"


def learned(photo: Path, truth: Path, deck: Catalogue) -> PenProfile | None:
    """The pen of a folder; None where it cannot be learned."""
    lines = json.loads(truth.read_bytes())["path_px"]
    x, y = max(lines, key=len)[len(max(lines, key=len)) // 2]
    try:
        return learn_pen(load_photo(photo), deck, load_cards(deck), (x, y))
    except WaymarkError:
        return None


def read(photo: Path, truth: Seen, deck: Catalogue, pen: PenProfile | None) -> Measured:
    """One photo read and measured, with the means that its truth tells."""
    terms = Table(deck).terms_in(truth.tableau)
    try:
        scan = score_photo(photo, deck, terms, pen).scan
    except WaymarkError as error:
        return unread(photo.name, truth, error)
    return compare(photo.name, truth, msgspec.convert(msgspec.json.decode(scan.to_json()), Seen), deck)


def measured(folder: Path, deck: Catalogue) -> Iterator[tuple[str, PenProfile | None, Measured, Measured]]:
    """Each photo with its pen: read without it, and with it."""
    pens: dict[Path, PenProfile | None] = {}
    found = find_photos(folder)
    for photo, truth in found:
        if photo.stem == LEARNED_FROM:
            pens[photo.parent] = learned(photo, truth, deck)
    for photo, truth in found:
        if photo.stem != LEARNED_FROM:
            seen, pen = read_truth(truth, [deck]), pens.get(photo.parent)
            without = read(photo, seen, deck, None)
            name = str(photo.relative_to(folder))
            yield name, pen, without, without if pen is None else read(photo, seen, deck, pen)


def figures(rows: list[Measured]) -> dict[str, int]:
    """What is told of so many photos."""
    return {
        "photos": len(rows),
        "misread": sum(not row.path_exact for row in rows),
        "outcome_wrong": sum(not row.outcome_exact for row in rows),
        "sure": sum(row.sure for row in rows),
        "sure_and_wrong": sum(row.sure and not row.outcome_exact for row in rows),
    }


def main() -> None:
    """Measure a set."""
    parser = argparse.ArgumentParser(description="Photos of faint pens, read without and with the pen")
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--deck", type=Path, help="a catalogue's folder (the open deck when not given)")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    deck = load_catalogue(options.deck) if options.deck else open_deck()
    before: list[Measured] = []
    after: list[Measured] = []
    unlearned: set[str] = set()
    for name, pen, without, with_pen in measured(options.photos, deck):
        before.append(without)
        after.append(with_pen)
        if pen is None:
            unlearned.add(Path(name).parent.name)
        words = [
            f"{'exact' if row.path_exact else 'misread'}{' sure' if row.sure else ''}"
            for row in (without, with_pen)
        ]
        print(f"{name}: {words[0]} -> {words[1]}", flush=True)
    told: dict[str, Any] = {
        "without": figures(before),
        "with": figures(after),
        "not_learned": sorted(unlearned),
    }
    print(json.dumps(told, indent=1))
    if options.json:
        options.json.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
