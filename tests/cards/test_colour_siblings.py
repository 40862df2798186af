"""Cards of one layout that differ in colour alone, on a small part of the face: never silently one card."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np
import pytest
from colour_siblings import (
    BLUE,
    DAYLIGHT,
    GREEN,
    LAMP,
    PER_MM,
    RED,
    SHADE,
    SIZE,
    VIOLET,
    YELLOW,
    Picture,
    Rgb3,
    layout,
    photographed,
    with_colour,
)

from calibration.enrol.faces.enrolment import answer, enrol_photo
from calibration.enrol.faces.identity import LookedUp, best_match, verdict_of
from calibration.enrol.faces.light import balanced, tones_of
from calibration.enrol.faces.likeness import compare, prepared
from calibration.enrol.faces.sorting import EnrolledFace
from calibration.enrol.faces.store import png, read_faces
from vision.outlines.blank_cards import BlankCard, BlankTable
from vision.photo.lens import Lens


def verdict(one: Picture, other: Picture) -> str:
    return verdict_of(compare(prepared(one, SIZE), prepared(other, SIZE)))


def on_white(face: Picture) -> Picture:
    """A face balanced by its paper."""
    tones = tones_of(face)
    assert tones is not None
    return balanced(face, np.array(tones.paper), np.full(3, 0.72))


def enrolled(folder: Path, faces: Sequence[Picture], seed: int) -> list[EnrolledFace]:
    """What is said of faces that lie beside each other in one photo, told where."""
    wide, high = 63 * 6, 88 * 6
    rng = np.random.default_rng(seed)
    table = np.full((high + 80, 40 + len(faces) * (wide + 40), 3), 96.0) + rng.normal(0, 3, 3)
    cards = []
    for k, face in enumerate(faces):
        left, top = 40 + k * (wide + 40), 40
        table[top : top + high, left : left + wide] = cv2.resize(
            face, (wide, high), interpolation=cv2.INTER_AREA
        )
        corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], float) + np.array(
            [left - 0.5, top - 0.5]
        )
        cards.append(BlankCard(corners, 1.0, 1.0))
    seen = np.asarray(np.clip(table + rng.normal(0, 3, table.shape), 0, 255), np.uint8)
    there = BlankTable(tuple(cards), Lens(seen.shape[1], seen.shape[0]), 6.0)
    with patch("calibration.enrol.faces.enrolment.find_blank_cards", lambda *_: there):
        return list(enrol_photo(folder, png(seen), f"{seed}.png").faces)


def in_a_photo(faces: Sequence[Picture], paper: Rgb3 = (0.72, 0.72, 0.72)) -> list[LookedUp]:
    """Faces as one photo shows them, in a light in which paper has a colour."""
    return [LookedUp.of_pixels(face, SIZE, (paper,)) for face in faces]


PARTS = [("emblem", DAYLIGHT), ("stripe", LAMP), ("frame", SHADE)]


@pytest.mark.parametrize(("part", "cast"), PARTS)
def test_siblings_are_told_by_what_little_is_coloured(part: str, cast: Rgb3) -> None:
    one, other = (with_colour(part, colour) for colour in (RED, GREEN))
    assert verdict(photographed(one, 1, cast), photographed(other, 2)) != "same"


@pytest.mark.long
@pytest.mark.parametrize(("part", "cast"), PARTS)
def test_any_two_colours_are_two_cards(part: str, cast: Rgb3) -> None:
    for seed, colours in enumerate(itertools.combinations((RED, GREEN, BLUE, YELLOW), 2)):
        one, other = (with_colour(part, colour) for colour in colours)
        assert verdict(photographed(one, 20 + seed, cast), photographed(other, 30 + seed)) != "same"


def test_a_pale_emblem_is_no_glare() -> None:
    pale = {colour: with_colour("emblem", colour) for colour in (RED, (60, 190, 235))}
    one, other = (photographed(art, seed) for seed, art in enumerate(pale.values()))
    assert verdict(one, other) == "other"


def test_siblings_are_told_by_a_wash_over_all_of_them() -> None:
    blue, purple = (with_colour("wash", colour) for colour in (BLUE, VIOLET))
    assert verdict(photographed(blue, 1), photographed(purple, 2)) == "doubt"
    assert verdict(photographed(blue, 1), photographed(blue, 2)) == "same"


def test_a_light_that_may_be_the_cards_own_colour_is_asked_about() -> None:
    """A photo of washed cards alone, balanced by their paper, shows no wash."""
    (known,) = in_a_photo([photographed(with_colour("emblem", RED), 5)])
    faces = [photographed(with_colour("emblem", RED), 6)]
    (here,), (elsewhere,) = in_a_photo(faces), in_a_photo(faces, paper=(0.9, 0.72, 0.6))
    matches = [best_match(face, [known], (0,)) for face in (here, elsewhere)]
    assert [match.verdict for match in matches if match is not None] == ["same", "doubt"]


def test_cards_that_differ_by_the_number_on_a_coin_are_two() -> None:
    coins = []
    for number in "13":
        art = layout()
        cv2.circle(art, (250, 330), 3 * PER_MM, (60, 170, 205), -1, cv2.LINE_AA)
        cv2.putText(art, number, (234, 346), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (30, 40, 50), 4, cv2.LINE_AA)
        coins.append(art)
    assert verdict(photographed(coins[0], 1), photographed(coins[1], 2)) != "same"
    assert verdict(photographed(coins[0], 1), photographed(coins[0], 2)) == "same"


@pytest.mark.long
@pytest.mark.parametrize("part", ["wash", "emblem"])
def test_siblings_in_one_photo_are_never_silently_one_card(part: str, tmp_path: Path) -> None:
    one, other = enrolled(tmp_path, [photographed(with_colour(part, each), 1) for each in (BLUE, VIOLET)], 2)
    assert one.new
    assert other.question is not None or other.card != one.card


@pytest.mark.long
def test_siblings_in_two_photos_are_never_silently_one_card(tmp_path: Path) -> None:
    (known,) = enrolled(tmp_path, [photographed(with_colour("wash", BLUE), 1)], 2)
    faces = [photographed(with_colour("wash", each), 3) for each in (VIOLET, BLUE)]
    for face in enrolled(tmp_path, faces, 4):
        assert face.question is not None or face.card != known.card


@pytest.mark.long
def test_a_new_card_that_was_asked_about_twice_is_one(tmp_path: Path) -> None:
    enrolled(tmp_path, [photographed(with_colour("wash", BLUE), 1)], 2)
    asked = [enrolled(tmp_path, [photographed(with_colour("wash", VIOLET), k)], k)[0] for k in (3, 5)]
    added = answer(tmp_path, asked[0].name, "new")
    assert added and answer(tmp_path, asked[1].name, "new") == ""
    (again,) = read_faces(tmp_path).asked
    assert answer(tmp_path, again.name, "same") == added


def test_a_question_offers_every_colour_and_joins_the_chosen_one(tmp_path: Path) -> None:
    colours = (RED, GREEN, BLUE)
    known = enrolled(tmp_path, [photographed(with_colour("emblem", each), 1) for each in colours], 2)
    assert all(face.new for face in known)
    dim = photographed(with_colour("emblem", BLUE), 3, (0.5, 0.75, 1.3))
    (seen,) = enrolled(tmp_path, [dim], 4)
    (asked,) = read_faces(tmp_path).asked
    assert seen.question is not None and len({asked.art, *asked.options}) == 3
    assert answer(tmp_path, seen.name, "same", known[2].card) == known[2].card
    assert [len(face.views) for face in read_faces(tmp_path).faces] == [1, 1, 2]


@pytest.mark.long
def test_the_same_card_in_two_photos_is_one(tmp_path: Path) -> None:
    (known,) = enrolled(tmp_path, [photographed(with_colour("emblem", BLUE), 1)], 2)
    (again,) = enrolled(tmp_path, [photographed(with_colour("emblem", BLUE), 3)], 4)
    assert (again.card, again.new, again.question) == (known.card, False, None)


@pytest.mark.parametrize(("part", "cast"), PARTS)
def test_one_card_in_another_light_is_the_same(part: str, cast: Rgb3) -> None:
    art = with_colour(part, RED)
    assert verdict(on_white(photographed(art, 3, cast)), on_white(photographed(art, 4))) == "same"


@pytest.mark.long
def test_of_several_siblings_the_own_one_is_found() -> None:
    known = [
        LookedUp.of_pixels(photographed(with_colour("emblem", colour), 5), SIZE)
        for colour in (RED, GREEN, BLUE, YELLOW)
    ]
    seen = LookedUp.of_pixels(photographed(with_colour("emblem", BLUE), 6), SIZE)
    match = best_match(seen, known, (0,))
    assert match is not None and (match.known, match.verdict) == (2, "same")


@pytest.mark.long
def test_a_face_that_passes_for_two_cards_is_asked_about() -> None:
    art = with_colour("emblem", RED)
    known = [LookedUp.of_pixels(photographed(art, seed), SIZE) for seed in (7, 8)]
    match = best_match(LookedUp.of_pixels(photographed(art, 9), SIZE), known, (0,))
    assert match is not None and match.verdict == "doubt"


def test_colour_that_is_lost_in_noise_is_asked_about() -> None:
    """Where it is too dark to tell, nothing is said to be the same."""
    art = with_colour("emblem", RED)
    rng = np.random.default_rng(10)
    coarse = cv2.resize(rng.normal(0, 26, (132, 95, 3)), (63 * PER_MM, 88 * PER_MM))
    dark = np.asarray(np.clip(photographed(art, 11) + coarse, 0, 255), np.uint8)
    assert verdict(dark, photographed(art, 12)) != "same"
