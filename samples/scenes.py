"""Random table scenes: which cards lie where, what the player drew, and how the photo was taken.

`make_sample(split, index)` is a pure function of its arguments and the deck. The splits draw from
disjoint seeds, table designs, lamps and inks: what is tuned on "tuning" has never seen a "validation" scene.
Frames: nominal table mm (the record's), true table mm (cards lie a little off), upright card mm; x right, y
down.
"""

from __future__ import annotations

from functools import partial

import msgspec
import numpy as np
from numpy.typing import NDArray

from samples import ink
from samples.board_truth import BoardSample
from samples.clutter import cards_nearby, props_about
from samples.cooperative import cooperative_table
from samples.deck import card_face, open_deck
from samples.drawing import drawn_strokes, marks_drawn, random_pen
from samples.evenings import evening
from samples.ice_and_idols.tables import ice_and_idols_table, open_temple
from samples.labyrinth2.tables import labyrinth2_table, open_tiles
from samples.layouts import NoScene, posed, random_layout, table_to_card_true
from samples.sample import Sample
from samples.scene_schema import Finish, Scene, Table
from samples.shooting import phone_over, random_light, random_post
from samples.splits import (
    BOARDS,
    COOPERATIVE,
    EVENINGS,
    FIRST_SEED,
    ICE_AND_IDOLS,
    SEEDS_PER_SPLIT,
    STONE_DRAGON,
    Split,
)
from samples.stone_dragon.tables import open_panels, stone_dragon_table
from samples.tables import PLAIN_TABLES
from samples.walks import draw_walk
from scorer.catalogue import Catalogue
from scorer.dungeon import build_dungeon
from scorer.record import make_record

Array = NDArray[np.float64]
ILLEGAL_SHARE = 0.15


def make_sample(split: Split, index: int, deck: Catalogue | None = None) -> Sample:
    """The sample photo `index` of a split, with the cards of `deck` (the open deck unless told). Raises
    `ValueError` for an index beyond the split's seeds, and for a split of boards."""
    if split in BOARDS:
        raise ValueError(f"{split!r} shows boards")
    if not 0 <= index < SEEDS_PER_SPLIT:
        raise ValueError(f"index {index} is not in 0..{SEEDS_PER_SPLIT - 1}")
    seed = FIRST_SEED[split] + index
    for attempt in range(40):
        try:
            if split in COOPERATIVE:
                return cooperative_table(deck or open_deck(), split, seed, attempt)
            if split in EVENINGS:
                return evening(deck or open_deck(), split, seed, attempt)
            return _attempt(deck or open_deck(), split, seed, np.random.default_rng([seed, attempt]))
        except NoScene:
            continue
    raise RuntimeError(f"no scene could be made from seed {seed}")


def make_board_sample(split: Split, index: int, catalogue: Catalogue | None = None) -> BoardSample:
    """The photo `index` of a split of boards, with the pieces of `catalogue` (the open set unless told).
    Raises `ValueError` for an index beyond the split's seeds."""
    if not 0 <= index < SEEDS_PER_SPLIT:
        raise ValueError(f"index {index} is not in 0..{SEEDS_PER_SPLIT - 1}")
    if split in STONE_DRAGON:
        return stone_dragon_table(catalogue or open_panels(), split, FIRST_SEED[split] + index)
    if split in ICE_AND_IDOLS:
        return ice_and_idols_table(catalogue or open_temple(), split, FIRST_SEED[split] + index)
    return labyrinth2_table(catalogue or open_tiles(), split, FIRST_SEED[split] + index)


def _attempt(catalogue: Catalogue, split: Split, seed: int, rng: np.random.Generator) -> Sample:
    placed = random_layout(catalogue, rng)
    dungeon = build_dungeon(catalogue, placed)
    drawn = draw_walk(dungeon, rng, legal=bool(rng.random() >= ILLEGAL_SHARE))
    if drawn is None:
        raise NoScene
    images: dict[str, NDArray[np.uint8]] = {}
    cards = [posed(catalogue, card, rng) for card in placed]
    pen = random_pen(split, rng)
    marks = marks_drawn(dungeon, drawn, rng)
    strokes = drawn_strokes(dungeon, cards, drawn, marks, pen, rng)
    for index, card in enumerate(cards):
        images[card.face] = card_face(catalogue, catalogue.card(card.card))
        film = ink.film(strokes, partial(table_to_card_true, card), card.size_mm, pen, seed + index)
        if float(film.max()) > 0:
            name = f"ink{index}.png"
            images[name] = ink.overlay(film, pen)
            cards[index] = msgspec.structs.replace(card, ink=name)
    camera = phone_over(cards, rng)
    others = cards_nearby(catalogue, cards, placed, camera, images, rng)
    light = random_light(split, rng)
    scene = Scene(
        seed=seed,
        cards=tuple(cards),
        others=tuple(others),
        props=tuple(props_about(cards, others, camera, light, pen, rng)),
        table=Table(str(rng.choice(PLAIN_TABLES)), seed),  # type: ignore[arg-type]
        light=light,
        camera=camera,
        finish=Finish(
            gloss=float(rng.beta(2, 2)),
            linen=float(rng.choice([0.0, 0.4, 0.8])),
            wear=float(rng.beta(1.3, 3)),
        ),
        post=random_post(rng, seed),
    )
    record = make_record(tuple(placed), drawn.strokes, marks=marks, catalogue=catalogue.name)
    path = tuple(stroke.points_mm for stroke in strokes if stroke.kind == "path")
    return Sample(split, seed, scene, images, record, path, pen, drawn.ruling.legal)
