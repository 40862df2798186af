"""What is told of a card that is in no catalogue: photos are read with one of their true cards taken out.

    .venv/bin/python -m tools.take_out samples/sets/tuning-fast [--catalogue DIR] [--seed 1]

Each photo is read to its end without one card of its tableau, drawn by the seed; a false name is one of a
card that does not lie there, unasked where no question about that card is left. Beside the counts stands how
large their shares may really be (95%).
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from samples.deck import open_deck
from scorer.catalogue import FILE_NAME, Catalogue, load_catalogue, parse_catalogue
from scorer.errors import WaymarkError
from vision.cards.index import CardIndex
from vision.scan import Scan
from waymark.bench.bounds import upper_bound
from waymark.bench.truth import PHOTO_SUFFIXES, TRUTH_SUFFIX, Seen, read_truth
from waymark.review.pipeline import load_cards, score_photo
from waymark.review.tableau.card_edits import same_face

#: A card lies where one of the truth does when their middles are nearer than this share of its height.
NEAR = 0.3


@dataclass(frozen=True)
class Told:
    """Counts for a photo read without one card: names of cards that do not lie there; those without a
    question; those with other places and corridors than the true card (a starter in another colour has
    the same). Further: whether the score is sure, and whether no card was found."""

    taken_out: str
    false: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()
    otherwise: tuple[str, ...] = ()
    sure: bool = False
    refused: bool = False


def without(catalogue: Catalogue, card: str) -> Catalogue:
    """A catalogue, with its index, without one card."""
    index: CardIndex = load_cards(catalogue)
    kept = [number for number, name in enumerate(index.ids) if name != card]
    assert catalogue.folder is not None
    plain = msgspec.json.decode((catalogue.folder / FILE_NAME).read_bytes())
    plain["cards"] = [each for each in plain["cards"] if each["id"] != card]
    rest = parse_catalogue(msgspec.json.encode(plain), folder=catalogue.folder)
    vars(rest)["card_index"] = index.of(kept)
    return rest


def told_without(photo: Path, truth: Seen, card: str, catalogue: Catalogue) -> Told:
    """The result of reading a photo without one of its cards in the catalogue."""
    try:
        result = score_photo(photo, without(catalogue, card))
    except WaymarkError:
        return Told(card, refused=True)
    scan: Scan = result.scan
    asked = {int(each.place) for each in scan.questions if each.about == "card" and each.place.isdigit()}
    false = [
        (number, seen.card)
        for number, seen in enumerate(scan.cards)
        if not any(true.card == seen.card and _near(true.corners, seen.corners) for true in truth.cards)
        and any(_near(true.corners, seen.corners) for true in truth.cards)
    ]
    return Told(
        card,
        tuple(name for _, name in false),
        tuple(name for number, name in false if number not in asked),
        tuple(
            name
            for number, name in false
            if number not in asked and not _same_face(scan.cards[number].corners, name, truth, catalogue)
        ),
        scan.sure,
    )


def _same_face(corners: object, name: str, truth: Seen, catalogue: Catalogue) -> bool:
    """Whether the true card at a place has the same places and corridors as the card that was read
    there."""
    return any(_near(true.corners, corners) and same_face(catalogue, true.card, name) for true in truth.cards)


def _near(one: object, other: object) -> bool:
    mine, theirs = np.asarray(one, float), np.asarray(other, float)
    height = float(np.linalg.norm(mine[3] - mine[0]))
    return float(np.linalg.norm(mine.mean(axis=0) - theirs.mean(axis=0))) < NEAR * height


def share(what: str, count: int, of: int) -> str:
    """A count as text, with the upper bound on its share."""
    bound = upper_bound(count, of)
    return f"{what}: {count} of {of}" + ("" if bound is None else f" (95%: at most {100 * bound:.1f}%)")


def main() -> None:
    """Read the photos and print the counts."""
    parser = argparse.ArgumentParser(description="What is told of a card that is in no catalogue")
    parser.add_argument("photos", type=Path)
    parser.add_argument("--catalogue", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    catalogue = load_catalogue(options.catalogue) if options.catalogue else open_deck()
    rng = np.random.default_rng(options.seed)
    told = []
    for file in sorted(options.photos.glob(f"*{TRUTH_SUFFIX}")):
        stem = file.name.removesuffix(TRUTH_SUFFIX)
        photo = next(
            file.with_name(stem + each) for each in PHOTO_SUFFIXES if file.with_name(stem + each).exists()
        )
        truth = read_truth(file, [catalogue])
        card = str(rng.choice(sorted(each.card for each in truth.cards)))
        each = told_without(photo, truth, card, catalogue)
        told.append(each)
        if each.unasked or each.sure:
            print(photo.name, each, flush=True)
    print(share("a false name", sum(bool(each.false) for each in told), len(told)))
    print(share("a false name that nothing asks about", sum(bool(each.unasked) for each in told), len(told)))
    print(share("and that has other places and ways", sum(bool(each.otherwise) for each in told), len(told)))
    print(share("a false name told as sure", sum(bool(each.false) and each.sure for each in told), len(told)))
    print(share("told as sure without the card", sum(each.sure for each in told), len(told)))
    print(share("no card found", sum(each.refused for each in told), len(told)))


if __name__ == "__main__":
    main()
