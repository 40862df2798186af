"""Cards of one drawing in several colours: one picture of what is printed alike, the own colour of each."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from colour_siblings import (
    BLUE,
    GREEN,
    PER_MM,
    RED,
    SIZE,
    VIOLET,
    YELLOW,
    Picture,
    layout,
    photographed,
    with_colour,
)

from calibration.enrol.faces.cut_out import turned
from calibration.enrol.faces.identity import DRAWN_ALIKE, LookedUp, verdict_of
from calibration.enrol.faces.light import encoded, linear
from calibration.enrol.faces.likeness import compare, prepared
from calibration.enrol.faces.one_drawing import drawn_alike, with_one_drawing

COLOURS = {"red": RED, "green": GREEN, "blue": BLUE, "yellow": YELLOW}
#: Pixels from a side to the middle of the emblem, and half the side of a square within it.
EMBLEM, WITHIN = 60, 8


def veiled(face: Picture, most: float) -> Picture:
    """A view under a sheen that grows from left to right."""
    sheen = np.linspace(0, most, face.shape[1])[None, :, None]
    return encoded((linear(face) * 0.8 + sheen).astype(np.float32))


def siblings(part: str) -> dict[str, Picture]:
    """A view of the layout in each colour; the last is the most veiled."""
    return {
        name: veiled(photographed(with_colour(part, colour), seed), 0.08 * seed)
        for seed, (name, colour) in enumerate(COLOURS.items())
    }


def emblem_of(face: Picture) -> np.ndarray:
    here = slice(EMBLEM - WITHIN, EMBLEM + WITHIN)
    return np.asarray(face[here, here].mean(axis=(0, 1)))


def test_what_is_printed_alike_is_one_picture_and_the_colours_stay() -> None:
    made = with_one_drawing(siblings("emblem"), SIZE)
    assert set(made) == set(COLOURS)
    away = slice(20 * PER_MM, 60 * PER_MM)
    for one in made.values():
        assert np.array_equal(one[away, away], made["red"][away, away])
    for name, face in made.items():
        apart = {each: np.linalg.norm(emblem_of(face) - np.array(colour)) for each, colour in COLOURS.items()}
        assert min(apart, key=lambda each: apart[each]) == name, apart


@pytest.mark.parametrize("part", ["stripe", "frame"])
def test_every_kind_of_mark_still_tells_the_cards_apart(part: str) -> None:
    made = with_one_drawing(siblings(part), SIZE)
    assert set(made) == set(COLOURS)
    for other in ("green", "blue", "yellow"):
        faces = [prepared(made[name], SIZE) for name in ("red", other)]
        assert verdict_of(compare(faces[0], faces[1])) != "same"


def test_a_wash_over_all_of_a_card_is_left_as_it_is() -> None:
    views = {name: photographed(with_colour("wash", COLOURS[name]), k) for k, name in enumerate(COLOURS)}
    assert with_one_drawing(views, SIZE) == {}


def test_another_number_on_a_coin_stays_beside_another_emblem() -> None:
    views = {}
    for seed, (number, colour) in enumerate((("1", RED), ("3", BLUE))):
        art = with_colour("emblem", colour)
        cv2.circle(art, (250, 330), 3 * PER_MM, (60, 170, 205), -1, cv2.LINE_AA)
        cv2.putText(art, number, (234, 346), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (30, 40, 50), 4, cv2.LINE_AA)
        views[number] = photographed(art, seed)
    made = with_one_drawing(views, SIZE)
    coin = slice(330 - 2 * PER_MM, 330 + 2 * PER_MM), slice(250 - 2 * PER_MM, 250 + 2 * PER_MM)
    for number, face in made.items():
        alike = {each: np.corrcoef(face[coin].ravel(), views[each][coin].ravel())[0, 1] for each in views}
        assert alike[number] > 0.98 > 0.9 > min(alike.values()), alike


def test_a_card_whose_mark_is_hidden_by_glare_keeps_its_own_view() -> None:
    views = siblings("emblem")
    cv2.circle(views["blue"], (EMBLEM, EMBLEM), 6 * PER_MM, (255, 255, 255), -1)
    made = with_one_drawing(views, SIZE)
    assert set(made) == set(COLOURS) - {"blue"}


def test_cards_of_one_drawing_are_found_whichever_end_is_up(tmp_path: Path) -> None:
    other = np.random.default_rng(4).integers(0, 255, (22, 16, 3)).astype(np.uint8)
    another = cv2.resize(other, (63 * PER_MM, 88 * PER_MM), interpolation=cv2.INTER_CUBIC)
    faces = {**siblings("emblem"), "another": photographed(another, 9)}
    faces["green"] = turned(faces["green"], 2)
    known = {name: LookedUp.of_pixels(face, SIZE) for name, face in faces.items()}
    (group,) = drawn_alike(known, ["red"], (0, 2))
    assert set(group) == set(COLOURS)
    assert (group["green"] - group["red"]) % 4 == 2 and group["blue"] == group["red"]
    assert drawn_alike(known, ["another"], (0, 2)) == []


def test_a_card_that_is_drawn_otherwise_keeps_its_drawing() -> None:
    mirrored = photographed(np.ascontiguousarray(layout()[:, ::-1]), 9)
    made = with_one_drawing({**siblings("emblem"), "mirrored": mirrored}, SIZE)
    for name, true in (("mirrored", mirrored), ("red", siblings("emblem")["red"])):
        told = compare(prepared(made.get(name, true), SIZE), prepared(true, SIZE))
        assert verdict_of(told) != "other" and told.structure < DRAWN_ALIKE, (name, told)


def test_violet_and_blue_are_two_colours() -> None:
    views = {
        name: photographed(with_colour("emblem", colour), k)
        for k, (name, colour) in enumerate((("blue", BLUE), ("violet", VIOLET)))
    }
    made = with_one_drawing(views, SIZE)
    faces = [prepared(made[name], SIZE) for name in ("blue", "violet")]
    assert verdict_of(compare(faces[0], faces[1])) != "same"
