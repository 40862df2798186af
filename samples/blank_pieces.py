"""Photos of a board game's pieces, laid out to be enrolled, with truth: one sort to a photo, and loose tiles
in two halves (`scorer.enrolment_pieces.photographed_together`). Folded figures lie on their side. Of tiles
that differ in open sides all copies are shown, of other designs one.

What a session shows is a pure function of split, seed and catalogue. The truth beside each photo is that of
`samples.blank_cards`; a disc's corners are those of the square about it.

`python -m samples.blank_pieces --deck DIR --split tuning-labyrinth2 --seed 0 --out samples/sets/box`
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import cv2
import msgspec
import numpy as np

from calibration.decks.pieces import catalogue_json
from calibration.enrol.pieces.holding import asked_of
from samples.blank_cards import BlankShot, blank_shot, write_shot
from samples.splits import FIRST_SEED, Split
from scorer.catalogue import Card, Catalogue, load_catalogue, parse_catalogue
from scorer.enrolment_pieces import AskedPieces, photographed_together
from scorer.errors import WaymarkError

#: How thick pieces of a kind are, mm; the others are paper.
THICK_MM = {"board": 2.0, "tile": 1.8, "chip": 1.8, "coin": 1.8}

#: Shapes and kinds in the order in which they are photographed.
_ORDER = ("board", "tile", "disc", "card", "standing")


def pieces_shots(box: Catalogue, split: Split, seed: int, words: Collection[str] = ()) -> Iterator[BlankShot]:
    """The photos of a session; those of the named sorts alone, where there are any."""
    rng = np.random.default_rng([FIRST_SEED[split] + seed, 19])
    for number, pieces in enumerate(_heaps(box, rng, words)):
        yield _shot(box, split, 1000 * seed + number, pieces)


def _heaps(box: Catalogue, rng: np.random.Generator, words: Collection[str]) -> Iterator[list[Card]]:
    """What is photographed together."""
    groups = photographed_together(asked_of(box.game))
    for group in sorted(groups, key=lambda each: _ORDER.index(_sort_of(each[0]))):
        cards = [card for card in box.cards for each in group if _is_of(card, each)]
        pieces = [cards[int(k)] for k in rng.permutation(len(cards))]
        pieces = [card for card in pieces for _ in range(card.copies if group[0].ways else 1)]
        if words and not {each.word for each in group} & set(words):
            continue
        if group[0].ways:
            half = (len(pieces) + 1) // 2
            yield pieces[:half]
            pieces = pieces[half:]
        alone = group[0].kind == "board"
        yield from ([card] for card in pieces) if alone else [pieces] if pieces else []


def _sort_of(asked: AskedPieces) -> str:
    return asked.shape if asked.shape in ("disc", "standing") else asked.kind


def _is_of(card: Card, asked: AskedPieces) -> bool:
    return card.kind == asked.kind and card.role in asked.roles


def _shot(box: Catalogue, split: Split, index: int, pieces: list[Card]) -> BlankShot:
    sizes = np.array([box.size_of(card.id) for card in pieces])
    width, height = (float(side) for side in sizes.max(axis=0))
    disc = pieces[0].shape == "disc"
    heap = msgspec.structs.replace(
        box, card_size_mm=(width, height), corner_radius_mm=min(width, height) / 2 if disc else 0.5
    )
    heap = parse_catalogue(catalogue_json(heap), folder=box.folder)  # (which looks for its art there)
    shot = blank_shot(heap, split, index, [card.id for card in pieces], sleeves=False)
    thick = THICK_MM.get(pieces[0].kind)
    if thick is None:
        return shot
    cards = tuple(
        msgspec.structs.replace(
            card,
            thickness_mm=thick,
            corner_radius_mm=min(card.size_mm) / 2 if disc else 0.5,
            pose=msgspec.structs.replace(card.pose, bow_mm=0.0),
        )
        for card in shot.scene.cards
    )
    return replace(shot, scene=msgspec.structs.replace(shot.scene, cards=cards))


def main() -> None:
    """Make a session's photos with truth."""
    parser = argparse.ArgumentParser(description="Photos of a board game's pieces to enrol, with truth")
    parser.add_argument("--deck", type=Path, required=True, help="a catalogue's folder")
    parser.add_argument("--split", choices=get_args(Split), default="tuning-labyrinth2")
    parser.add_argument("--seed", type=int, default=0, help="another number makes another session")
    parser.add_argument("--only", nargs="*", default=(), metavar="WORD", help="these sorts alone")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    try:
        deck = load_catalogue(options.deck)
    except WaymarkError as error:
        parser.error(error.en)
    for shot in pieces_shots(deck, options.split, options.seed, options.only):
        start = time.process_time()
        photo = write_shot(shot, options.out)
        print(f"{photo.name} {len(shot.scene.cards)} pieces {time.process_time() - start:.1f} s", flush=True)


if __name__ == "__main__":
    main()
