"""Ink maps by pen: photos and poses of a shared table -> one ink map for each group's pen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from vision.cards.pose import LayoutCard
from vision.groups import parameters
from vision.groups.pens import Owner, find_group_pens
from vision.ink import parameters as ink_parameters
from vision.ink.faces import Face, each_card, find_faces
from vision.ink.ink_map import PX_PER_MM, InkMap
from vision.ink.likelihood import Layer, changed_spots, mosaic, pen_layer, shown_of
from vision.ink.pens import Pen
from vision.ink.rectify import halved_pose

Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class GroupInk:
    """The ink map of one pen among several, the numbers of the cards on the map, and the owner of the pen."""

    ink: InkMap
    cards: tuple[int, ...]
    owner: Owner
    chroma: float


@dataclass(frozen=True)
class InkView:
    """A photo (H, W, 3) uint8, the number of times it was halved, and its cards with their numbers on the
    table."""

    photo_bgr: Picture
    halvings: int
    poses: tuple[LayoutCard, ...]
    cards: tuple[int, ...]


@dataclass(frozen=True)
class WayOut:
    """A point on an upright card (mm) at which a corridor leads to another card, and that card's number."""

    at_mm: tuple[float, float]
    card: int


def read_inks(
    views: Sequence[InkView],
    poses: Sequence[LayoutCard],
    catalogue: Catalogue,
    *,
    colours: Sequence[str | None],
    ways_out: Sequence[Sequence[WayOut]] = (),
) -> tuple[GroupInk, ...]:
    """Ink maps of a shared table, one for each pen found by `vision.groups.pens.find_group_pens`.

    The map of a pen covers the cards on which it drew. It also covers cards to which its line leads by one of
    the `ways_out`. Ink of other pens counts as blank. Where several photos show a card, the sharpest photo is
    used, and the others fill the parts that it does not show. Other arguments are those of `read_ink`.
    """
    faces: list[Face] = []
    card_of: list[int] = []
    for view in views:
        faces += find_faces(
            view.photo_bgr, [halved_pose(pose, view.halvings) for pose in view.poses], catalogue
        )
        card_of += view.cards
    found = find_group_pens(each_card(changed_spots, faces), PX_PER_MM, colours)
    shown = [[k for k, card in enumerate(card_of) if card == number] for number in range(len(poses))]
    drew = [tuple(sorted({pen for k in seen for pen in found.on_cards[k]})) for seen in shown]

    def layers_of(number: int, own: Sequence[int]) -> dict[int, Layer]:
        seen = sorted((faces[k] for k in shown[number]), key=lambda face: face.blur_mm)
        each = [_own_layers(face, found.pens, own) for face in seen]
        return {pen: _seen_best([layers[pen] for layers in each]) for pen in own}

    layers = each_card(layers_of, range(len(poses)), drew)
    on_cards = _led_on(layers, drew, ways_out)
    more = [card for card, own in enumerate(on_cards) if own != drew[card]]
    for card, layer in zip(more, each_card(layers_of, more, [on_cards[card] for card in more]), strict=True):
        layers[card] = layer
    inks = []
    for number, pen in enumerate(found.pens):
        cards = tuple(card for card, own in enumerate(on_cards) if number in own)
        if not cards:
            continue
        chosen = [layers[card][number] for card in cards]
        ink = mosaic([poses[card] for card in cards], chosen, (pen,))
        inks.append(GroupInk(ink, cards, found.owners[number], found.chroma))
    return tuple(inks)


def _seen_best(layers: Sequence[Layer]) -> Layer:
    """A card's layer from its sharpest photo (the first), with hidden pixels filled from the other photos.

    Glare and objects hide different pixels in each photo.
    """
    best, *others = layers
    for other in others:
        hidden = ~best.visible & other.visible
        best = replace(
            best,
            evidence=np.where(hidden, other.evidence, best.evidence),
            film=np.where(hidden, other.film, best.film),
            visible=best.visible | other.visible,
            hidden=min(best.hidden, other.hidden),
            seen=np.where(hidden[..., None], other.seen, best.seen),
            blank=np.where(hidden[..., None], other.blank, best.blank),
        )
    return best


def _led_on(
    layers: Sequence[dict[int, Layer]],
    on_cards: Sequence[tuple[int, ...]],
    ways_out: Sequence[Sequence[WayOut]],
) -> list[tuple[int, ...]]:
    """The pens on each card, including pens whose line reaches an opening that leads to the card."""
    led = [set(own) for own in on_cards]
    reach = round(parameters.PEN_INK.way_out_mm * PX_PER_MM)
    for card, ways in enumerate(ways_out):
        for number, layer in layers[card].items():
            for way in ways:
                x, y = (round(at * PX_PER_MM) for at in way.at_mm)
                near = layer.evidence[max(y - reach, 0) : y + reach, max(x - reach, 0) : x + reach]
                if (
                    np.count_nonzero(near > ink_parameters.EVIDENCE.sure_nats)
                    >= parameters.PEN_INK.way_out_mm2 * PX_PER_MM**2
                ):
                    led[way.card].add(number)
    return [tuple(sorted(own)) for own in led]


def _own_layers(face: Face, pens: Sequence[Pen], own: Sequence[int]) -> dict[int, Layer]:
    """The layers of one card for each of the pens `own`, by the number of the pen; ink of other pens counts
    against."""
    if not own:
        return {}
    shown = shown_of(face)
    alone = {number: pen_layer(face, shown, (pens[number],)) for number in own}
    layers = {}
    for number, layer in alone.items():
        others = [other.evidence for k, other in alone.items() if k != number]
        if others:
            most = np.maximum.reduce(others)
            taken = (most > 0) & (most > layer.evidence)
            against = np.minimum(layer.evidence, 0) - np.float32(parameters.PEN_INK.other_pen_share) * most
            seen = np.logical_or.reduce([layer.visible, *(alone[k].visible for k in alone)])
            evidence = np.where(
                taken, np.maximum(against, -ink_parameters.EVIDENCE.limit_nats), layer.evidence
            )
            film = np.where(taken, 0, layer.film).astype(np.float32)
            layer = replace(layer, evidence=evidence.astype(np.float32), film=film, visible=seen)
        layers[number] = layer
    return layers
