"""Chips with signs, tiles seen several times, and panels with rooms, in styles of chance."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.enrol.pieces.enrolled import SURE
from calibration.enrol.pieces.enrolment import enrol_pieces
from calibration.enrol.pieces.names import discs_by_number
from calibration.enrol.pieces.rooms import rooms_shown
from calibration.enrol.pieces.sides import SeenSides
from samples.blank_cards import write_shot
from samples.blank_pieces import pieces_shots
from samples.styles.boxes import box_of, draw_piece, write_box
from samples.styles.style import style_of
from samples.styles.tiles import tile_set
from scorer.catalogue import Card, load_catalogue
from scorer.labyrinth2.enrol import ASKED
from scorer.square_grid import BOTTOM, LEFT, RIGHT, TOP

Picture = NDArray[np.uint8]


def faces_of(name: str, game: str, role: str, *roles: str) -> list[tuple[Card, Picture]]:
    """Softened art of a styled box's pieces of these roles."""
    box, style = box_of(name, game), style_of(name)
    cards = [card for card in box.cards if card.role in (role, *roles)]
    return [
        (card, np.asarray(cv2.GaussianBlur(draw_piece(box, card, style), (0, 0), 1.2), np.uint8))
        for card in cards
    ]


@pytest.mark.parametrize("name", ["flat-1", "pixel-1", "watercolour-2"])
def test_a_number_beside_a_sign_is_read_on_a_disc_at_any_turn(name: str) -> None:
    chips = faces_of(name, "stone_dragon", "shield")
    faces = []
    for number, (_, face) in enumerate(chips):
        side = face.shape[0]
        pose = cv2.getRotationMatrix2D(((side - 1) / 2,) * 2, 50 + 100 * number, 1.0)
        faces.append(np.asarray(cv2.warpAffine(face, pose, (side, side)), np.uint8))
    sizes = [card.size_mm[0] for card, _ in chips if card.size_mm is not None]
    names = [(value, sizes[0]) for value in (1, 2, 4)]
    told = discs_by_number(faces, sizes, names, [1, 1, 1])
    assert [names[each.name][0] for each in told if each is not None] == [card.value for card, _ in chips]


def test_a_sign_below_a_six_is_no_bar_that_makes_it_surely_one_of_two() -> None:
    chips = [(card, face) for card, face in faces_of("flat-3", "ice_and_idols", "vp") if card.value == 6]
    size = chips[0][0].size_mm
    assert size is not None
    names = [(value, size[0]) for value in range(1, 13)]
    for turn in (0, 70, 200):
        side = chips[0][1].shape[0]
        pose = cv2.getRotationMatrix2D(((side - 1) / 2,) * 2, turn, 1.0)
        face = np.asarray(cv2.warpAffine(chips[0][1], pose, (side, side)), np.uint8)
        told = discs_by_number([face], [size[0]], names, [1] * 12)[0]
        assert told is not None
        assert names[told.name][0] == 6 or told.confidence < SURE


@pytest.mark.parametrize("name", ["flat-1", "inked-3", "painted-1", "chalk-1", "old-map-3"])
def test_panels_with_rooms_are_told_from_corridors(name: str) -> None:
    panels = faces_of(name, "stone_dragon", "room", "corridor")
    shown = rooms_shown([face for _, face in panels])
    right = [room == (card.role == "room") for room, (card, _) in zip(shown, panels, strict=True)]
    assert sum(right) >= len(panels) - 1


def test_views_of_a_tile_agree_and_views_of_others_do_not() -> None:
    shapes = ASKED[0].lying_ways
    sides, faces = tile_set("flat-2", shapes, 20)
    known = {f"tile-{k}": face for k, face in enumerate(faces[:10])}
    turned = [np.ascontiguousarray(np.rot90(face, 1)) for face in faces[:10]]
    read = SeenSides.of(shapes, known, turned)
    for k in range(10):
        assert read.agreement(k, f"tile-{k}", 1) > 0
        other = next(j for j in range(10) if sides[j] not in (sides[k], *_rotations(sides[k])))
        assert read.agreement(k, f"tile-{other}", 1) < read.agreement(k, f"tile-{k}", 1)
    before = read.of_tile("tile-0")
    read.add(0, "tile-0", 1)
    assert read.of_tile("tile-0").sides == before.sides == sides[0]


def _rotations(sides: int) -> list[int]:
    order = (TOP, RIGHT, BOTTOM, LEFT)
    held = [bool(sides & each) for each in order]
    return [sum(order[(k + turn) % 4] for k in range(4) if held[k]) for turn in range(4)]


@pytest.mark.long
def test_the_panels_of_a_styled_box_are_guessed_and_all_asked(tmp_path: Path) -> None:
    write_box("painted-2", "stone_dragon", tmp_path / "deck")
    deck = load_catalogue(tmp_path / "deck")
    shots = list(pieces_shots(deck, "tuning-stone-dragon", 1, ["panel"]))
    asked = 0
    for shot in shots:
        photo = write_shot(shot, tmp_path / "photos")
        seen = enrol_pieces(tmp_path / "box", photo, {"panel": deck.card_size_mm}, game="stone_dragon")
        assert all(piece.question is not None for piece in seen.pieces)
        asked += len(seen.pieces)
    made = load_catalogue(tmp_path / "box")
    assert asked == 16 and len(shots) == 2
    assert {card.role for card in made.cards if card.kind == "tile"} <= {"room", "corridor", None}
    assert sum(card.role == "room" for card in made.cards) >= 5
