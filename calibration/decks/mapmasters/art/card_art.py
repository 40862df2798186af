"""Art of a card from its topology: ground, floors, rooms, links between levels, finds, corner."""

from __future__ import annotations

import numpy as np
from PIL import Image

from calibration.decks.drawing.decor import draw_decorations, draw_pebbles, draw_strokes
from calibration.decks.drawing.floors import lay_dirt, lay_underground
from calibration.decks.drawing.noise import CARD_MM, stream
from calibration.decks.drawing.palette import Palette, card_palette
from calibration.decks.drawing.pen import INK, Pen
from calibration.decks.drawing.plan import card_plan, corridor_line
from calibration.decks.drawing.rock import painted_rock
from calibration.decks.drawing.sheet_of_art import Sheet
from calibration.decks.mapmasters.art.badges import draw_corner, draw_studs, tint_frame
from calibration.decks.mapmasters.art.goals import draw_goals
from calibration.decks.mapmasters.art.icons import draw_find
from calibration.decks.mapmasters.art.rooms import draw_rooms, flight, landing, plate, rubble
from scorer.catalogue import Card

TONE_STEP = 3


def draw_card(card: Card, seed: int, px_per_mm: float = 8.0) -> Image.Image:
    """The blank face of `card`, upright, cropped at its edge: RGB, 63 x 88 mm at `px_per_mm`.

    All randomness comes from `seed` and the card's id. The same card is always drawn the same; two cards
    of one layout differ in every stone.
    """
    sheet = Sheet(CARD_MM, px_per_mm, INK)
    grid = sheet.grid
    palette = card_palette(stream(seed, card.id, "palette"), card.colour)
    plan = card_plan(card, seed, grid)
    floor_mm = np.minimum(plan.main_mm, plan.under_mm)
    image = painted_rock(card.id, seed, grid, palette, np.maximum(plan.main_mm, 0))
    sheet.lay(tint_frame(image, card, grid, floor_mm, palette))
    with sheet.pen() as pen:
        draw_strokes(pen, card.id, seed, grid, plan, palette)
        draw_decorations(pen, card.id, seed, grid, floor_mm, palette)
        draw_studs(pen, card)
    image = lay_underground(sheet.as_float(), card.id, seed, grid, plan)
    sheet.lay(lay_dirt(image, card.id, seed, grid, plan, palette))
    with sheet.pen() as pen:
        draw_pebbles(pen, card.id, seed, grid, plan, palette)
        draw_rooms(pen, card, seed, palette)
        _draw_places(pen, card, seed, palette)
        draw_corner(pen, card)
        draw_goals(pen, card, seed, floor_mm, grid, palette)
    face = np.asarray(sheet.cut(), np.float32)
    # Steps of three levels do not show in this texture and make the PNG a quarter smaller.
    return Image.fromarray(np.minimum(np.round(face / TONE_STEP) * TONE_STEP, 255).astype(np.uint8))


def _draw_places(pen: Pen, card: Card, seed: int, palette: Palette) -> None:
    nodes = {node.id: node for node in card.nodes}
    room_finds = {find.id: find for room in card.rooms for find in room.finds}
    _draw_landings(pen, card)
    for edge in card.edges:
        if edge.kind == "stairs":
            ends = sorted((nodes[edge.from_], nodes[edge.to]), key=lambda node: node.level != "main")
            flight(pen, ends[0].at, ends[1].at, palette)
    for node in card.nodes:
        if node.kind == "end":
            rubble(pen, stream(seed, card.id, f"end {node.id}"), node.at, _away(card, node.id), palette)
    for node in card.nodes:
        if node.kind == "find" and node.find:
            if node.level != "main":
                plate(pen, node.at)
            draw_find(pen, node.find, node.at, stream(seed, card.id, f"find {node.id}"), node.value)
    for id_, find in room_finds.items():
        draw_find(pen, find.find, find.at, stream(seed, card.id, f"find {id_}"), find.value)


def _draw_landings(pen: Pen, card: Card) -> None:
    """Draw the landings below pits, along the corridors that start there."""
    nodes = {node.id: node for node in card.nodes}
    corridors = [edge for edge in card.edges if edge.kind == "corridor"]
    for edge in card.edges:
        if edge.kind == "fall":
            for other in corridors:
                if edge.to in (other.from_, other.to):
                    line = corridor_line(other, nodes)
                    landing(pen, line if other.from_ == edge.to else line[::-1], reach_mm=9.0)


def _away(card: Card, node_id: str) -> tuple[float, float]:
    """Direction from the corridor of a dead end outward into the rock."""
    nodes = {node.id: node for node in card.nodes}
    out = np.zeros(2)
    for edge in card.edges:
        if edge.kind == "corridor" and node_id in (edge.from_, edge.to):
            line = corridor_line(edge, nodes)
            onward = line[0] - line[1] if edge.from_ == node_id else line[-1] - line[-2]
            out += onward / np.hypot(*onward)
    return float(out[0]), float(out[1])
