"""Examples for the network that proposes dungeons: cards in random styles (`samples.styles`).

    python -m tools.proposal_examples --first 0 --count 16 --out out/proposal

writes files of 250 cards, each of one size: `cards` (N, 2H, 2W, 3) uint8 BGR and `parts` (N, 8, H, W) uint8,
0 to 255 (`calibration.enrol.propose.drawing`), where the shorter side is W = 128. A file that is there
already is left alone, so that the command goes on where it stopped. Every example has a style of its own
from the families for training; a third of the dungeons, and every tenth face in other colours, are the open
deck's. No style that is held out, and no deck for validation, is ever shown.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.propose.drawing import drawing_of, drawn_parts
from calibration.enrol.propose.parts import INPUT_FINER, size_px_of
from calibration.open_deck import bundled_catalogue
from samples.styles.dungeons import dungeon, plan_of, relaid
from samples.styles.face import draw_face
from samples.styles.style import FAMILIES, SIZES_MM, random_style
from scorer.catalogue import Card, Catalogue, Point, read_catalogue

Picture = NDArray[np.uint8]
Rng = np.random.Generator
A_FILE = 250
#: Shares of open dungeons in other styles, and of the open deck's own art in other colours.
OPEN_DUNGEONS, OPEN_ART = 0.3, 0.1
#: Resolutions at which photos show cards, in pixels a mm.
SEEN_PX_PER_MM = (3.6, 10.0)


def photographed(face: Picture, size_mm: Point, rng: Rng) -> Picture:
    """A face as if enrolled from a photo: corners a little off, bowed, blurred, glared on, cast, grainy."""
    height, width = face.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    moved = corners + rng.normal(0, 0.004 * width, (4, 2)).astype(np.float32)
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    back = cv2.getPerspectiveTransform(moved, corners)
    points = cv2.perspectiveTransform(np.stack([columns, rows], -1).reshape(1, -1, 2), back)
    points = points.reshape(height, width, 2)
    if rng.random() < 0.4:  # a bowed card
        bow = float(rng.normal(0, 0.006))
        points[..., 0] += width * bow * np.sin(np.pi * rows / height)
        points[..., 1] += height * bow * np.sin(np.pi * columns / width)
    made = cv2.remap(face, points, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    scale = width / size_mm[0]
    seen = float(np.exp(rng.uniform(*np.log(SEEN_PX_PER_MM))))
    if seen < scale:
        small = cv2.resize(made, None, fx=seen / scale, fy=seen / scale, interpolation=cv2.INTER_AREA)
        made = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.6:
        made = cv2.GaussianBlur(made, (0, 0), float(rng.uniform(0.4, 1.8)))
    values = made.astype(np.float32) * float(rng.uniform(0.7, 1.15)) * rng.uniform(0.88, 1.12, 3)
    values = 255 * np.clip(values / 255, 0, 1) ** float(rng.uniform(0.7, 1.4))
    slope = np.linspace(-1, 1, height)[:, None] * rng.normal(0, 0.07) + np.linspace(
        -1, 1, width
    ) * rng.normal(0, 0.07)
    values = values * (1 + slope[..., None])
    if rng.random() < 0.2:  # glare
        x, y = rng.uniform(0, 1, 2) * (width, height)
        away = np.hypot((columns - x) / rng.uniform(0.1, 0.5), (rows - y) / rng.uniform(0.1, 0.5)) / width
        values += 255 * float(rng.uniform(0.1, 0.6)) * np.exp(-(away**2))[..., None]
    values += rng.normal(0, float(rng.uniform(0, 6)), values.shape)
    return np.asarray(np.clip(values, 0, 255), np.uint8)


def recoloured(face: Picture, rng: Rng) -> Picture:
    """A face with its colour channels mixed at random, and sometimes its tones inverted."""
    values = face.astype(np.float32)[..., rng.permutation(3)] / 255
    if rng.random() < 0.25:
        values = 1 - values
    mix = np.eye(3) + rng.normal(0, 0.2, (3, 3))
    values = np.clip(values @ (mix / mix.sum(axis=1, keepdims=True)).T, 0, 1) ** rng.uniform(0.6, 1.5)
    return np.asarray(values * 255, np.uint8)


def example(deck: Catalogue, size_mm: Point, rng: Rng) -> tuple[Picture, Picture]:
    """A card of this size at the network's input size, and the masks of its parts."""
    cards = [card for card in deck.cards if card.colour in (None, "red")]
    open_card = cards[int(rng.integers(len(cards)))]
    size_px = size_px_of(size_mm)
    seen_px = size_px[0] * INPUT_FINER, size_px[1] * INPUT_FINER
    if size_mm == deck.card_size_mm and rng.random() < OPEN_ART / 0.2:
        art = cv2.imread(str(deck.art_path(open_card)))
        face = recoloured(np.asarray(art, np.uint8), rng) if rng.random() < 0.8 else np.asarray(art, np.uint8)
        card: Card = open_card
    else:
        style = random_style(rng, str(rng.choice(FAMILIES)), size_mm)
        if rng.random() < OPEN_DUNGEONS:
            style = random_style(rng, style.family, size_mm, widest_mm=min(size_mm) / 8)
            card = relaid(open_card, deck.card_size_mm, size_mm, rng)
        else:
            card = dungeon(plan_of(rng, size_mm, style.corridor_mm), rng, "X")
        face = draw_face(card, style, 1.1 * max(seen_px[k] / size_mm[k] for k in (0, 1)), rng)
    face = np.asarray(cv2.resize(face, seen_px, interpolation=cv2.INTER_AREA), np.uint8)
    return photographed(face, size_mm, rng), drawn_parts(drawing_of(card, size_mm, size_px), size_px)


def written(deck: Catalogue, number: int, file: Path) -> None:
    """Write one file of examples."""
    size_mm = SIZES_MM[number % len(SIZES_MM)]
    pairs = []
    for k in range(A_FILE):
        try:
            pairs.append(example(deck, size_mm, np.random.default_rng([31, number, k])))
        except RuntimeError:  # no dungeon of this plan fits
            continue
    beside = file.with_suffix(".tmp.npz")
    np.savez(beside, cards=np.stack([card for card, _ in pairs]), parts=np.stack([part for _, part in pairs]))
    beside.replace(file)


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw examples for the network that proposes dungeons")
    parser.add_argument("--first", type=int, default=0, help="number of the first file")
    parser.add_argument("--count", type=int, required=True, help="how many files")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    deck = read_catalogue(bundled_catalogue())
    options.out.mkdir(parents=True, exist_ok=True)
    for number in range(options.first, options.first + options.count):
        file = options.out / f"{number:04d}.npz"
        start = time.process_time()
        if not file.exists():
            written(deck, number, file)
            print(f"{file.name}: {time.process_time() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
