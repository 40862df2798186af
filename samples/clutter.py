"""What lies about on a table: cards that do not belong to the tableau, pens, mugs, a hand's shadow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from shapely.geometry import MultiPoint, Polygon
from shapely.ops import unary_union

from samples import ink
from samples.deck import card_back, card_face
from samples.projection import (
    card_corners_mm,
    card_to_photo,
    card_to_table,
    eye_mm,
    photo_to_table,
    table_to_photo,
)
from samples.props import shape_of
from samples.scene_schema import Camera, CardPose, Light, Prop, SceneCard
from scorer.catalogue import Catalogue
from scorer.record import PlacedCard

Array = NDArray[np.float64]
NEIGHBOUR_GAP_MM = 7.0


def ground_of(card: SceneCard) -> Polygon:
    return Polygon(card_to_table(card, card_corners_mm(card))[:, :2])


def _in_view(camera: Camera, rng: np.random.Generator) -> Array:
    size = np.array([camera.width, camera.height])
    return np.asarray(photo_to_table(camera, (rng.uniform(-0.08, 1.08, 2) * size)[None])[0])


def cards_nearby(
    catalogue: Catalogue,
    cards: list[SceneCard],
    placed: list[PlacedCard],
    camera: Camera,
    images: dict[str, NDArray[np.uint8]],
    rng: np.random.Generator,
) -> list[SceneCard]:
    """Cards nearby that touch neither the tableau nor each other: a market's, a neighbour's, a deck's
    back."""
    taken = [ground_of(card) for card in cards]
    here = {card.card for card in placed}
    others: list[SceneCard] = []
    for _number in range(int(rng.choice([0, 1, 2, 3, 5], p=[0.45, 0.2, 0.15, 0.12, 0.08]))):
        for _ in range(12):
            at = _in_view(camera, rng)
            straight = rng.random() < 0.5
            angle = float(
                rng.choice([0, 90, 180, 270]) + rng.normal(0, 2) if straight else rng.uniform(0, 360)
            )
            choices = [card for card in catalogue.cards if card.id not in here]
            card = choices[int(rng.integers(len(choices)))]
            back = rng.random() < 0.3
            name = "back.png" if back else f"face-{card.id}.png"
            width, height = catalogue.card_size_mm
            other = SceneCard(
                card="" if back else card.id,
                x=float(at[0] - width / 2),
                y=float(at[1] - height / 2),
                rotation=0,
                face=name,
                pose=CardPose(
                    (float(at[0]), float(at[1])),
                    angle,
                    lift_mm=0.3 * float(rng.integers(0, 6)) if back else 0.0,
                ),
                size_mm=catalogue.card_size_mm,
                corner_radius_mm=catalogue.corner_radius_mm,
            )
            outline = ground_of(other)
            if any(outline.distance(shape) < NEIGHBOUR_GAP_MM for shape in taken):
                continue
            taken.append(outline)
            here.add(card.id)
            images[name] = card_back(catalogue.card_size_mm) if back else card_face(catalogue, card)
            others.append(other)
            break
    return others


def props_about(
    cards: list[SceneCard],
    others: list[SceneCard],
    camera: Camera,
    light: Light,
    pen: ink.Pen,
    rng: np.random.Generator,
) -> list[Prop]:
    """Things about the table that hide no more than a card's margin."""
    in_photo = [Polygon(card_to_photo(camera, card, card_corners_mm(card))) for card in (*cards, *others)]
    tableau = unary_union([shape.buffer(0) for shape in in_photo])
    eye = eye_mm(camera)
    px_per_mm = float(np.sqrt(in_photo[0].area / (cards[0].size_mm[0] * cards[0].size_mm[1])))
    props: list[Prop] = []
    taken: list[Polygon] = []
    bag = ["pen", "die", "coin", "token", "mug", "scoreboard", "paper", "phone", "pencil", "glass"]
    share = np.array([5, 3, 3, 3, 1.2, 1.5, 1, 0.7, 1.7, 0.7])
    wanted = ["pen"] if rng.random() < 0.6 else []
    wanted += [str(k) for k in rng.choice(bag, size=int(rng.integers(0, 8)), p=share / share.sum())]
    for kind in wanted:
        # a pen may lie over a margin, now and then
        overlap = (
            2.5 * px_per_mm
            if kind in ("pen", "die", "coin", "token") and rng.random() < 0.15
            else -2.0 * px_per_mm
        )
        for _ in range(10):
            at = _in_view(camera, rng)
            prop = Prop(
                kind=kind,  # type: ignore[arg-type]
                at_mm=(float(at[0]), float(at[1])),
                angle_deg=float(rng.uniform(0, 360)),
                colour=_prop_colour(kind, pen, rng),
                size=float(rng.uniform(0.85, 1.15)),
                variant=int(rng.integers(0, 1000)),
            )
            points = np.vstack([face.points_mm for face in shape_of(prop, eye).faces])
            seen = table_to_photo(camera, points)
            if not np.isfinite(seen).all():
                continue
            outline = MultiPoint(seen).convex_hull
            if outline.intersects(tableau.buffer(-overlap)) or any(
                outline.intersects(other) for other in taken
            ):
                continue
            taken.append(outline)
            props.append(prop)
            break
    if light.kind not in ("flash", "overcast") and rng.random() < 0.18:
        target = np.asarray(camera.target_mm)
        at = target + rng.normal(0, 90, 2)
        props.append(
            Prop(
                "hand_shadow",
                (float(at[0]), float(at[1])),
                angle_deg=float(rng.uniform(0, 360)),
                size=float(rng.uniform(0.7, 1.3)),
                variant=int(rng.integers(0, 1000)),
                height_mm=float(rng.uniform(40, 220)),
            )
        )
    return props


def _prop_colour(kind: str, pen: ink.Pen, rng: np.random.Generator) -> tuple[float, float, float]:
    if kind == "pen":
        base = (
            np.asarray(pen.rgb) / 255
            if rng.random() < 0.7
            else np.asarray(ink.INK_RGB[str(rng.choice(list(ink.INK_RGB)))]) / 255
        )
    elif kind == "coin":
        base = np.array([(0.72, 0.55, 0.25), (0.62, 0.62, 0.62), (0.62, 0.40, 0.26)][int(rng.integers(3))])
    elif kind in ("paper", "mug", "glass") and rng.random() < 0.7:
        base = np.full(3, rng.uniform(0.8, 0.95))
    elif kind in ("phone", "cable"):
        base = np.full(3, float(rng.choice([0.08, 0.12, 0.85])))
    elif kind == "pencil":
        base = np.array([(0.85, 0.62, 0.12), (0.12, 0.3, 0.2), (0.6, 0.1, 0.1)][int(rng.integers(3))])
    else:
        base = rng.uniform(0.05, 0.95, 3)
    return float(base[0]), float(base[1]), float(base[2])
