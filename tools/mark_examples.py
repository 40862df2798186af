"""Examples for the network that tells marks: crops round finds of tables that are drawn for this alone.

    python -m tools.mark_examples --first 100000 --count 500 --out out/marks

writes `<first>.npz` every 20 tables: `crops` (N, 7, 56, 56) int8 in hundredths, `told` (N, 2) whether the
find is circled and struck, and of each the table's `index` and its `tier` and deck. Scenes are those of the
tuning evenings, their decks restyled more often than not. Cards are taken where they truly lie, but for the
errors that a layout makes. A table is photographed once and read several times, with marks by chance added
to its rectified cards: so marks do not go with paths only, and an example costs a fiftieth of a second.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from samples import ink as drawn_ink
from samples.camera import write_photo
from samples.compositor import photograph
from samples.deck import open_deck
from samples.drawing import RING_MM, STRIKE_MM
from samples.evening_ink import evening_pen
from samples.evenings import evening
from samples.layouts import NoScene
from samples.nuisances import random_nuisances
from samples.restyled_deck import restyled_deck
from samples.sample import Sample
from samples.scene_schema import Table
from samples.splits import FIRST_SEED
from samples.truth import corners_px
from scorer.catalogue import Catalogue
from scorer.dungeon import Place, build_dungeon
from scorer.placement import table_to_card
from scorer.record import PlacedCard
from vision.cards.pose import LayoutCard, corners_of
from vision.ink.faces import Face, find_faces
from vision.ink.ink_map import PX_PER_MM
from vision.ink.likelihood import NO_PEN, changed_spots, mosaic, pen_layer, shown_of
from vision.ink.occlusion import find_things
from vision.ink.pens import find_pens
from vision.ink.relight import strongest, values_of
from vision.marks import SIDE, SPAN, mark_crops
from vision.path.style import style_of
from vision.photo.decode import load_photo

#: Crops reach further than the network looks, so that they can be turned and moved in training.
MARGIN = 1.4
HUNDREDTHS = 100
STYLES = 24
#: Share of tables with the open deck in its own style, and shares of the tiers.
OPEN_SHARE = 0.4
TIER_SHARES = {"easy": 0.1, "typical": 0.35, "hard": 0.3, "wild": 0.25}
#: Standard deviation of a card corner's position error (mm).
CORNER_MM = 0.35
#: Number of mark sets for each table; and, except on easy tables, shares of those with a wiped path or with
#: a covering object.
VARIANTS, GHOST_SHARE, OVER_SHARE = 7, 0.35, 0.3
#: Range of the share of ink coverage that a wipe leaves.
GHOST_STRENGTH = 0.08, 0.33


def table(index: int, styles: Path) -> tuple[Sample, Catalogue, str]:
    """The synthetic table with this index, with its deck and tier."""
    rng = np.random.default_rng([FIRST_SEED["tuning-evening"], index, 77])
    deck: Catalogue = open_deck()
    if rng.random() > OPEN_SHARE:
        style = int(rng.integers(STYLES))
        deck = restyled_deck(open_deck(), style, styles / str(style))
    tier = str(rng.choice(list(TIER_SHARES), p=list(TIER_SHARES.values())))
    wanted = replace(random_nuisances(tier, rng), broken_rule="", tokens=False)  # type: ignore[arg-type]
    wanted = replace(wanted, neighbours=False, market=False, checked=False)
    if tier != "easy" and rng.random() < GHOST_SHARE:
        wanted = replace(wanted, ghost=float(rng.uniform(0.1, 0.35)))
    if tier != "easy" and rng.random() < OVER_SHARE:
        wanted = replace(wanted, over=str(rng.choice(["hand", "finger", "pen", "pen"])))  # type: ignore[arg-type]
    seed = FIRST_SEED["tuning-evening"] + index
    for attempt in range(60):
        try:
            return evening(deck, "tuning-evening", seed, attempt, wanted), deck, tier
        except NoScene:
            continue
    raise RuntimeError(f"no scene could be made from seed {seed}")


def examples(sample: Sample, deck: Catalogue, folder: Path) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Crops around a table's finds with their labels, for one random set of marks after the other.
    Marked finds that are covered are left out."""
    pixels, corners = _photographed(sample, folder)
    rng = np.random.default_rng([sample.seed, 5])
    poses = []
    for card, seen in zip(sample.scene.cards, corners, strict=True):
        width, height = deck.card_size_mm
        rim = np.array([[0, 0], [width, 0], [width, height], [0, height]])
        moved = (rim + rng.normal(0, CORNER_MM, (4, 2))).astype(np.float32)
        to_photo = cv2.getPerspectiveTransform(moved, seen.astype(np.float32))
        at = cv2.perspectiveTransform(rim[None].astype(np.float64), to_photo)[0]
        poses.append(LayoutCard(card.card, card.rotation, corners_of(at), 1.0, card.x, card.y, to_photo))
    dungeon = build_dungeon(deck, sample.record.cards)
    finds = [place for place in dungeon.places.values() if place.find is not None]
    at_mm = np.array([place.at_mm for place in finds])
    usual = sample.record.marks
    drawn = np.array([[place.id in usual.circled, place.id in usual.struck] for place in finds])
    hidden = np.array([place.id in sample.hidden for place in finds])
    # the reader's own steps, so that marks can be laid between them
    faces = find_faces(pixels, poses, deck)
    crops, told = [], []
    for variant in range(VARIANTS):
        marked, variant_faces = drawn, faces
        if variant:
            rates = rng.uniform((0.05, 0.1), (0.5, 0.5))
            added = (rng.random(drawn.shape) < rates) & ~drawn
            marked = drawn | added
            pen = sample.pen if rng.random() < 0.5 else evening_pen("tuning-evening", rng)
            pen = replace(pen, density=pen.density * float(rng.uniform(0.25, 1.0) ** 0.5))
            # the old ones lie under the new ones
            wiped = (rng.random(drawn.shape) < rng.choice([0.0, 0.35], p=[0.6, 0.4])) & ~marked.any(
                axis=1, keepdims=True
            )
            left = float(rng.uniform(*GHOST_STRENGTH))
            variant_faces = [
                _with_marks(
                    _with_marks(face, index, finds, wiped, sample.pen, deck, dungeon.cards[index], rng, left),
                    index,
                    finds,
                    added,
                    pen,
                    deck,
                    dungeon.cards[index],
                    rng,
                )
                for index, face in enumerate(faces)
            ]
        pens = find_pens([changed_spots(face) for face in variant_faces], PX_PER_MM)
        layers = [pen_layer(face, shown_of(face), pens or (NO_PEN,)) for face in variant_faces]
        ink = mosaic(poses, layers, pens)
        kept = ~(hidden & marked.any(axis=1))
        found = mark_crops(
            ink, at_mm[kept], style_of(deck).icon_mm, side=round(SIDE * MARGIN), span=SPAN * MARGIN
        )
        crops.append(np.round(found * HUNDREDTHS).astype(np.int8))
        told.append(marked[kept])
    return np.concatenate(crops), np.concatenate(told)


def _photographed(sample: Sample, folder: Path) -> tuple[NDArray[np.uint8], list[NDArray[np.float64]]]:
    """The rendered photo, cropped to the cards and no larger than needed, and the corners of its cards."""
    scene = msgspec.structs.replace(sample.scene, others=(), table=Table("white_desk", sample.seed))
    if scene.camera.width * scene.camera.height > 6_000_000:
        width, height = (side * 4 // 7 for side in (scene.camera.width, scene.camera.height))
        scene = msgspec.structs.replace(
            scene, camera=msgspec.structs.replace(scene.camera, width=width, height=height)
        )
    picture = photograph(scene, sample.images.__getitem__)
    file = write_photo(picture, folder / "photo", scene.post, scene.camera)
    return load_photo(file).pixels, corners_px(replace(sample, scene=scene))


def _with_marks(
    face: Face,
    index: int,
    finds: list[Place],
    added: NDArray[np.bool_],
    pen: drawn_ink.Pen,
    deck: Catalogue,
    card: PlacedCard,
    rng: np.random.Generator,
    left: float = 1.0,
) -> Face:
    """A card's face with marks drawn on it, in its light and sharpness. `left`: the share of ink
    coverage that a wipe left."""
    strokes: list[drawn_ink.Stroke] = []
    # registration is not exact
    off = rng.normal(0, 0.15, 2)
    for place, (circle, strike) in zip(finds, added, strict=True):
        if place.card_index != index or not (circle or strike):
            continue
        at = np.array(table_to_card(card, place.at_mm, deck.card_size_mm)) + off
        if circle:
            strokes.append(drawn_ink.circle_stroke(at, rng.uniform(*RING_MM), pen, rng))
        if strike:
            strokes += drawn_ink.strike_strokes(at, STRIKE_MM, pen, rng)
    if not strokes:
        return face
    height, width = face.inside.shape
    density = drawn_ink.film(
        strokes,
        lambda points: points,
        (width / PX_PER_MM, height / PX_PER_MM),
        pen,
        int(rng.integers(1 << 30)),
        px_per_mm=PX_PER_MM,
    )
    overlay = drawn_ink.overlay(density, pen).astype(np.float32) / 255
    blur_mm = face.blur_mm
    if left < 1:
        overlay[..., 3] *= left
        blur_mm = float(np.hypot(blur_mm, rng.uniform(0, 0.4)))
    if blur_mm * PX_PER_MM > 0.3:
        overlay = cv2.GaussianBlur(overlay, (0, 0), blur_mm * PX_PER_MM)
    cover = overlay[..., 3:]
    gain, offset = face.relit.light()
    colour = overlay[..., 2::-1] * gain + offset
    inked = values_of(face.seen) * (1 - cover) + colour * cover
    seen = np.clip(np.round(inked * 255), 0, 255).astype(np.uint8)
    # much ink in one place is taken for a thing
    change = strongest(cv2.absdiff(values_of(seen), face.relit.blank()))
    things = find_things(seen, change, face.relit, face.noise, face.inside)
    return replace(face, seen=seen, change=change, things=things)


def main() -> None:
    parser = argparse.ArgumentParser(description="Write examples of marks")
    parser.add_argument("--first", type=int, default=100_000)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    crops, told, tiers, indices = [], [], [], []
    start = time.process_time()
    for number in range(options.count):
        index = options.first + number
        with tempfile.TemporaryDirectory() as folder:
            sample, deck, tier = table(index, options.out / "styles")
            made, marked = examples(sample, deck, Path(folder))
        crops.append(made)
        told.append(marked)
        tiers += [f"{tier} {deck.name}"] * len(made)
        indices += [index] * len(made)
        if (number + 1) % 20 == 0 or number + 1 == options.count:
            np.savez(
                options.out / f"{options.first + number + 1 - len(crops)}.npz",
                crops=np.concatenate(crops),
                told=np.concatenate(told),
                tier=np.array(tiers),
                index=np.array(indices),
            )
            print(
                f"[{number + 1}/{options.count}] {sum(map(len, crops))} crops, "
                f"{(time.process_time() - start) / (number + 1):.2f} s a table",
                flush=True,
            )
            crops, told, tiers, indices = [], [], [], []


if __name__ == "__main__":
    main()
