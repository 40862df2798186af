"""Several groups' pens are told apart by what their films do to the card, and whose each is by its colour."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.groups.pens import INK_RGB, GroupPens, find_group_pens, nearest_colour, owners_of
from vision.ink.pens import Changed, find_pens

PX_PER_MM = 5.0
FLOOR = np.array([0.62, 0.72, 0.78], np.float32)


def card(*lines: tuple[str, float], seed: int = 1, floor: NDArray[np.float32] = FLOOR) -> Changed:
    """A card's floor with a line 60 mm long of each ink at a film between half and full; "glare" is light."""
    rng = np.random.default_rng(seed)
    where = np.zeros((440, 315), bool)
    colours = np.zeros((440, 315, 3), np.float32)
    for number, (ink, film) in enumerate(lines):
        row = 60 + 60 * number
        where[row : row + 7, 5:305] = True
        full = np.array(INK_RGB.get(ink, (230, 230, 230))[::-1], np.float32) / 255
        share = film + rng.uniform(-0.1, 0.1, (7, 300, 1))
        colours[row : row + 7, 5:305] = floor + share * (full - floor) + rng.normal(0, 0.02, (7, 300, 3))
    ground = np.tile(floor, (int(np.count_nonzero(where)), 1))
    return Changed(where, colours[where], ground)


def found(cards: list[Changed], *colours: str | None) -> GroupPens:
    return find_group_pens(cards, PX_PER_MM, colours)


def test_each_groups_pen_is_found_on_the_cards_on_which_it_drew() -> None:
    cards = [card(("red", 0.8), ("green", 0.7)), card(("green", 0.9)), card()]
    pens = found(cards, "green", "blue", "red")
    assert [owner.group for owner in pens.owners] == [0, 2]
    assert pens.on_cards == ((0, 1), (0,), ())
    assert all(not owner.others for owner in pens.owners)


def test_a_pen_that_draws_thin_and_full_lines_is_one() -> None:
    cards = [card(("light blue", 0.45 + 0.05 * k), seed=k) for k in range(10)]
    assert len(found(cards, "light blue", "red", "black").pens) == 1


def test_whose_a_line_is_is_open_where_two_groups_have_like_pens() -> None:
    (owner,) = found([card(("blue", 0.8))], "blue", "red", "blue").owners
    assert {owner.group, *owner.others} == {0, 2}


def test_whose_a_line_is_is_open_where_its_colour_is_nobodys() -> None:
    (owner,) = found([card(("red", 0.8))], "green", "blue").owners
    assert {owner.group, *owner.others} == {0, 1}


def test_what_lies_beside_a_thing_is_no_further_pen() -> None:
    two = card(("black", 0.8), ("red", 0.8))
    assert len(find_pens([two], PX_PER_MM)) == 2
    rows = np.nonzero(two.where)[0]
    beside = replace(two, beside=rows > 100)
    assert len(find_pens([beside], PX_PER_MM)) == 1


@pytest.mark.parametrize(("ink", "pens"), [("orange", 2), ("glare", 1)])
def test_a_second_pen_may_cover_a_dark_floor_and_glare_is_none(ink: str, pens: int) -> None:
    """Orange is lighter than a dark floor: it takes no light from it, but has a colour."""
    dark = np.array([0.15, 0.2, 0.26], np.float32)
    assert len(find_pens([card(("black", 0.8)), card((ink, 0.8), floor=dark)], PX_PER_MM)) == pens


def test_a_first_pen_that_covers_a_dark_floor_is_full_and_has_the_colour_that_is_seen() -> None:
    """Of the floor's light orange takes hardly any: as if it were thin, it would be called yellow."""
    drawn = card(("orange", 0.9), floor=np.array([0.22, 0.29, 0.36], np.float32))
    # as pale as soft light over the cards makes it
    pale = drawn.on_art + np.float32(0.12)
    (pen,) = find_pens([replace(drawn, on_art=pale)], PX_PER_MM)
    assert not pen.thin and pen.bgr == pytest.approx(np.median(pale, axis=0), abs=0.05)


def test_a_few_bright_specks_are_no_light_pen() -> None:
    both = card(("black", 0.8), ("glare", 0.8))
    rows, columns = np.nonzero(both.where)
    # 4 mm2 of a line, and 14 mm2 of light
    kept = columns < np.where(rows < 100, 20, 55)
    where = np.zeros_like(both.where)
    where[rows[kept], columns[kept]] = True
    (pen,) = find_pens([Changed(where, both.on_art[kept], both.ground[kept])], PX_PER_MM)
    assert max(pen.bgr) < 0.5


def test_a_shadow_beside_a_thing_does_not_tell_the_pen_of_a_faint_line() -> None:
    """A pen lies over the cards, and its shadow is darker than the line of one that runs dry."""
    both = card(("black", 0.8), ("blue", 0.3))
    shadow = np.nonzero(both.where)[0] < 100
    (pen,) = find_pens([replace(both, beside=shadow)], PX_PER_MM)
    assert pen.thin and pen.bgr[0] > pen.bgr[2] + 0.1
    # where the line is beside it, too, that is all that tells a pen
    assert not find_pens([replace(both, beside=np.ones_like(shadow))], PX_PER_MM)[0].thin


def test_no_ink_is_no_pen() -> None:
    assert found([card()], "green", "red") == GroupPens((), ((),), ())


def test_every_group_has_one_pen() -> None:
    owners = owners_of(np.array([[2.0, 30.0], [4.0, 40.0]]))
    assert sorted(owner.group for owner in owners) == [0, 1]


def test_colours_are_called_by_their_names() -> None:
    assert all(nearest_colour(rgb) == name for name, rgb in INK_RGB.items())
