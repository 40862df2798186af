"""Random tableaus: cards laid by the rules so that corridors connect, each then a little off its place.

Frames: nominal table mm (the record's), true table mm (cards lie a little off), upright card mm; x right, y
down."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from samples.scene_schema import CardPose, SceneCard
from scorer.catalogue import Card, Catalogue
from scorer.dungeon import build_dungeon
from scorer.placement import footprint, overlapping
from scorer.record import PlacedCard

Array = NDArray[np.float64]


class NoScene(Exception):
    """These random choices make no playable scene."""


def random_layout(catalogue: Catalogue, rng: np.random.Generator) -> list[PlacedCard]:
    """Three to five cards laid by the rules, none twice, grown one by one so that corridors connect."""
    count = int(rng.choice([5, 4, 3], p=[0.74, 0.16, 0.10]))
    starters = [card for card in catalogue.cards if card.kind == "starter"]
    others = [card for card in catalogue.cards if card.kind == "dungeon"]
    rare = [card for card in catalogue.cards if card.kind in ("step", "boss")]
    colour = str(rng.choice(sorted({card.colour for card in starters if card.colour})))
    own = [card for card in starters if card.colour == colour]
    n_starters = int(rng.integers(0, min(4, count)))
    hand = [own[k] for k in rng.permutation(len(own))[:n_starters]]
    hand += [others[k] for k in rng.permutation(len(others))[: count - n_starters]]
    if rare and rng.random() < 0.08:
        hand[-1] = rare[int(rng.integers(len(rare)))]
    hand = [hand[k] for k in rng.permutation(len(hand))]
    form = str(rng.choice(["any", "block", "row", "column"], p=[0.5, 0.25, 0.15, 0.10]))
    laid: list[PlacedCard] = [PlacedCard(hand[0].id, 0.0, 0.0, _turn(rng))]
    for card in hand[1:]:
        choices = _good_places(catalogue, laid, card, form, rng)
        if not choices:
            raise NoScene
        laid.append(choices[int(rng.integers(min(3, len(choices))))])
    left, top = min(card.x for card in laid), min(card.y for card in laid)
    order = rng.permutation(len(laid))
    return [PlacedCard(laid[k].card, laid[k].x - left, laid[k].y - top, laid[k].rotation) for k in order]


def _turn(rng: np.random.Generator) -> Literal[0, 180]:
    return 180 if rng.random() < 0.45 else 0


def _good_places(
    catalogue: Catalogue, laid: list[PlacedCard], card: Card, form: str, rng: np.random.Generator
) -> list[PlacedCard]:
    """Legal places for one more card, those that join most corridors (and suit the form) first."""
    width, height = catalogue.card_size_mm
    beside = [(sx * width, dy) for sx in (-1, 1) for dy in (0.0, height / 2, -height / 2)]
    above = [(0.0, -height), (0.0, height)]
    steps = {
        "any": beside + above,
        "block": beside[:1] + beside[3:4] + above,
        "row": beside,
        "column": above,
    }[form]
    found: list[tuple[float, PlacedCard]] = []
    for base in laid:
        for dx, dy in steps:
            for rotation in (0, 180):
                placed = PlacedCard(card.id, base.x + dx, base.y + dy, rotation)
                own = footprint(placed, catalogue.card_size_mm)
                feet = [footprint(other, catalogue.card_size_mm) for other in laid]
                if any(overlapping(own, foot) for foot in feet):
                    continue
                dungeon = build_dungeon(catalogue, [*laid, placed])
                joined = sum(
                    link.kind == "crossing"
                    and len(laid) in (dungeon.places[link.a].card_index, dungeon.places[link.b].card_index)
                    for link in dungeon.links
                )
                # players mostly avoid corridors that end at a neighbour's rock, not always
                faults = len(dungeon.faults)
                if joined == 0 or (faults and rng.random() > 0.10):
                    continue
                xs = [foot.left for foot in (*feet, own)]
                ys = [foot.top for foot in (*feet, own)]
                spread = (max(xs) - min(xs)) / width + (max(ys) - min(ys)) / height
                found.append(
                    (joined - 0.6 * spread * (form in ("any", "block")) + rng.uniform(0, 1.5), placed)
                )
    found.sort(key=lambda pair: -pair[0])
    return [placed for _, placed in found]


def posed(catalogue: Catalogue, placed: PlacedCard, rng: np.random.Generator) -> SceneCard:
    """Where the card truly lies: a little off its nominal place, a little turned, sometimes bowed."""
    width, height = catalogue.card_size_mm
    offset = rng.normal(0, 0.22, 2)
    bow = float(rng.normal(0.15, 0.3)) if rng.random() < 0.8 else float(rng.uniform(-0.8, 1.6))
    return SceneCard(
        card=placed.card,
        x=placed.x,
        y=placed.y,
        rotation=placed.rotation,
        face=f"face-{placed.card}.png",
        pose=CardPose(
            centre_mm=(placed.x + width / 2 + float(offset[0]), placed.y + height / 2 + float(offset[1])),
            angle_deg=placed.rotation + float(np.clip(rng.normal(0, 0.3), -0.8, 0.8)),
            lift_mm=float(abs(rng.normal(0, 0.12))),
            tilt_deg=(float(rng.normal(0, 0.12)), float(rng.normal(0, 0.12))),
            bow_mm=bow,
            bow_axis="long" if rng.random() < 0.7 else "short",
        ),
        size_mm=catalogue.card_size_mm,
        corner_radius_mm=catalogue.corner_radius_mm,
    )


def table_to_card_true(card: SceneCard, points_mm: Array) -> Array:
    """True table points (N, 2) in upright card mm, by the card's true pose (its bow is left out)."""
    angle = math.radians(card.pose.angle_deg)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return np.asarray(
        (np.asarray(points_mm) - np.asarray(card.pose.centre_mm)) @ turn + np.asarray(card.size_mm) / 2
    )
