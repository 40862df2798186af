"""Other people's cards: a neighbour's tableau with a path of its own, and the market's row. Both lie apart
from the tableau that the photo is about."""

from __future__ import annotations

import math
from functools import partial

import msgspec
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Polygon

from samples import ink
from samples.clutter import ground_of
from samples.deck import card_face
from samples.drawing import path_strokes
from samples.layouts import NoScene, posed, random_layout, table_to_card_true
from samples.scene_schema import CardPose, SceneCard
from samples.walks import draw_walk
from scorer.catalogue import Catalogue
from scorer.dungeon import build_dungeon

Array = NDArray[np.float64]
Images = dict[str, NDArray[np.uint8]]
LEAST_APART_MM, FARTHEST_APART_MM = 18.0, 70.0
MARKET_GAPS_MM = (3.0, 14.0)


def neighbours_tableau(
    catalogue: Catalogue, cards: list[SceneCard], pen: ink.Pen, images: Images, rng: np.random.Generator
) -> list[SceneCard]:
    """Another player's cards with a path, beside the tableau and turned as that player sits."""
    here = {card.card for card in cards}
    for _ in range(12):
        try:
            placed = random_layout(catalogue, rng)
        except NoScene:
            continue
        if any(card.card in here for card in placed):
            continue
        dungeon = build_dungeon(catalogue, placed)
        laid = [posed(catalogue, card, rng) for card in placed]
        drawn = draw_walk(dungeon, rng, legal=True)
        strokes = path_strokes(dungeon, laid, drawn.strokes, pen, rng) if drawn is not None else []
        for index, card in enumerate(laid):
            film = ink.film(
                strokes, partial(table_to_card_true, card), card.size_mm, pen, int(rng.integers(1 << 30))
            )
            images[card.face] = card_face(catalogue, catalogue.card(card.card))
            if float(film.max()) > 0:
                name = f"neighbour-ink{index}.png"
                images[name] = ink.overlay(film, pen)
                laid[index] = msgspec.structs.replace(card, ink=name)
        moved = _beside(laid, cards, float(rng.choice([0, 90, 180, 270])) + float(rng.normal(0, 4)), rng)
        if moved:
            return moved
    return []


def market_row(
    catalogue: Catalogue,
    cards: list[SceneCard],
    taken: list[SceneCard],
    images: Images,
    rng: np.random.Generator,
) -> list[SceneCard]:
    """Three to six cards for sale in a row, one beside the other with gaps."""
    here = {card.card for card in (*cards, *taken)}
    choices = [card for card in catalogue.cards if card.kind == "dungeon" and card.id not in here]
    count = int(rng.integers(3, 7))
    width, _ = catalogue.card_size_mm
    gap = float(rng.uniform(*MARKET_GAPS_MM))
    row = []
    for k, at in enumerate(rng.permutation(len(choices))[:count]):
        card = choices[int(at)]
        images[f"face-{card.id}.png"] = card_face(catalogue, card)
        row.append(
            SceneCard(
                card=card.id,
                x=0.0,
                y=0.0,
                rotation=0,
                face=f"face-{card.id}.png",
                pose=CardPose(
                    (k * (width + gap) + float(rng.normal(0, 0.8)), float(rng.normal(0, 1.2))),
                    float(rng.normal(0, 0.9)),
                ),
                size_mm=catalogue.card_size_mm,
                corner_radius_mm=catalogue.corner_radius_mm,
            )
        )
    return _beside(row, cards, float(rng.choice([0, 90, 180, 270])) + float(rng.normal(0, 3)), rng, taken)


def _beside(
    group: list[SceneCard],
    cards: list[SceneCard],
    turn_deg: float,
    rng: np.random.Generator,
    taken: list[SceneCard] | None = None,
) -> list[SceneCard]:
    """The group turned and moved to one side of the tableau, apart from all of it; [] where there is no
    room."""
    own = [ground_of(card) for card in cards]
    others = [ground_of(card) for card in taken or []]
    middle = np.mean([card.pose.centre_mm for card in cards], axis=0)
    pivot = np.mean([card.pose.centre_mm for card in group], axis=0)
    angle = math.radians(turn_deg)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    for _ in range(8):
        way = float(rng.choice([0, 90, 180, 270])) + float(rng.normal(0, 12))
        ahead = np.array([math.cos(math.radians(way)), math.sin(math.radians(way))])
        apart = float(rng.uniform(LEAST_APART_MM, FARTHEST_APART_MM))
        for distance in np.arange(60.0, 560.0, 6.0):
            moved = [
                _moved(
                    card,
                    turn @ (np.asarray(card.pose.centre_mm) - pivot) + middle + ahead * distance,
                    turn_deg,
                )
                for card in group
            ]
            grounds = [ground_of(card) for card in moved]
            nearest = _distance(grounds, own)
            if nearest >= apart:
                if not others or _distance(grounds, others) >= LEAST_APART_MM:
                    return moved
                break
    return []


def _distance(some: list[Polygon], others: list[Polygon]) -> float:
    return float(min(a.distance(b) for a in some for b in others))


def _moved(card: SceneCard, centre: Array, turn_deg: float) -> SceneCard:
    pose = msgspec.structs.replace(
        card.pose, centre_mm=(float(centre[0]), float(centre[1])), angle_deg=card.pose.angle_deg + turn_deg
    )
    return msgspec.structs.replace(card, pose=pose)
