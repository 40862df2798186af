"""Examples for the network that proposes dungeons: cards drawn in styles of chance, for this alone.

    python -m tools.proposal_examples --count 3000 --out out/proposal.npz

writes `cards` (N, 176, 128, 3) uint8 BGR and `parts` (N, 8, 176, 128) uint8 of 255: what
`calibration.enrol.propose.drawing` says of each channel. The dungeons are the open deck's mirrored, turned
and stretched; nothing of how a deck is drawn is the same from one example to the next: ground, floors, walls,
widths, levels, doors, stairs, icons, frame, print and light. Every fifth card is the open deck's own art in
other colours. The second deck is never shown.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2
import numpy as np

from calibration.enrol.propose.drawing import drawn_parts
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, read_catalogue
from tools.example_faces import Layout, drawn
from tools.example_styles import HEIGHT, WIDTH, Canvas, Rng, Style

OPEN_ART_SHARE = 0.2


def photographed(face: Canvas, rng: Rng) -> Canvas:
    """A card face degraded like one enrolled from a photo: perspective error, blur, uneven light, noise."""
    height, width = face.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    moved = corners + rng.normal(0, 0.45, (4, 2)).astype(np.float32)
    face = cv2.warpPerspective(
        face, cv2.getPerspectiveTransform(corners, moved), (width, height), borderMode=cv2.BORDER_REPLICATE
    )
    if rng.random() < 0.6:
        face = cv2.GaussianBlur(face, (0, 0), rng.uniform(0.3, 1.1))
    values = face.astype(np.float32) * rng.uniform(0.75, 1.15) * rng.uniform(0.9, 1.1, 3)
    values = 255 * np.clip(values / 255, 0, 1) ** rng.uniform(0.75, 1.35)
    ramp = np.linspace(-1, 1, height)[:, None] * rng.normal(0, 0.06) + np.linspace(-1, 1, width) * rng.normal(
        0, 0.06
    )
    values = values * (1 + ramp[..., None]) + rng.normal(0, rng.uniform(0, 5), values.shape)
    return np.clip(values, 0, 255).astype(np.uint8)


def recoloured(face: Canvas, rng: Rng) -> Canvas:
    """A card face with its colour channels mixed at random, and sometimes its tones inverted."""
    values = face.astype(np.float32)[..., rng.permutation(3)] / 255
    if rng.random() < 0.25:
        values = 1 - values
    mix = np.eye(3) + rng.normal(0, 0.2, (3, 3))
    values = np.clip(values @ (mix / mix.sum(axis=1, keepdims=True)).T, 0, 1) ** rng.uniform(0.6, 1.5)
    return np.asarray(values * 255, np.uint8)


def example(deck: Catalogue, arts: dict[str, Canvas], rng: Rng) -> tuple[Canvas, Canvas]:
    """A synthetic card and the masks of its parts."""
    cards = [card for card in deck.cards if card.colour in (None, "red")]
    card = cards[int(rng.integers(len(cards)))]
    if rng.random() < OPEN_ART_SHARE:
        if card.id not in arts:
            art = cv2.imread(str(deck.art_path(card)))
            arts[card.id] = np.asarray(
                cv2.resize(art, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8
            )
        layout = Layout(card, deck.card_size_mm, rng, plain=True)
        face = recoloured(arts[card.id], rng) if rng.random() < 0.8 else arts[card.id]
    else:
        layout = Layout(card, deck.card_size_mm, rng)
        face = drawn(layout, Style(rng), rng)
    return photographed(face, rng), drawn_parts(layout.drawing, (WIDTH, HEIGHT))


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw examples for the network that proposes dungeons")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    deck = read_catalogue(bundled_catalogue())
    arts: dict[str, Canvas] = {}
    start = time.process_time()
    made = [example(deck, arts, np.random.default_rng([12, options.first + k])) for k in range(options.count)]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    np.savez(
        options.out, cards=np.stack([card for card, _ in made]), parts=np.stack([part for _, part in made])
    )
    print(f"{options.count} examples, {time.process_time() - start:.0f} s")


if __name__ == "__main__":
    main()
