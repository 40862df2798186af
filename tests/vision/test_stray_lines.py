"""Strokes that are none of their pen's: by their colour they are a shadow's, or another group's line."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from vision.groups import parameters
from vision.groups.ink import GroupInk
from vision.groups.pens import Owner
from vision.groups.strokes import Hue, PenLine, others_colours, stray_strokes, without
from vision.marks import MarkReading
from vision.path.map_matching import Matching
from vision.path.read import PathReading
from vision.path.strokes import Stroke

LONG = tuple(f"0.j{k}" for k in range(14))
SHORT = ("1.j1", "1.j2", "1.j3")
OWN, GREY = Hue((3.0, 30.0), 25.0), Hue((22.0, 25.0), 2.0)


def drawn(pen: int, *strokes: tuple[tuple[str, ...], Hue]) -> PenLine:
    """What the pen of the group of that number drew: strokes with their hues."""
    read = tuple(Stroke(places, np.zeros((2, 2))) for places, _ in strokes)
    return PenLine(
        pen,
        GroupInk(cast(Any, None), (), Owner(pen), parameters.OWNERS.usual_chroma_share),
        PathReading(read, (), (), Matching((), (), 0.0)),
        MarkReading((), (), ()),
        tuple(hue for _, hue in strokes),
    )


def strays_of(lines: list[PenLine] | tuple[PenLine, ...], *under: str) -> list[dict[int, float]]:
    """The strokes that are rather none, where something stands on the places `under` it."""
    return stray_strokes(lines, lambda line, name: name in under)


def test_a_line_in_its_groups_colour_is_no_stray() -> None:
    other = drawn(1, (SHORT, Hue((30.0, 3.0), 25.0)))
    assert strays_of([drawn(0, (LONG, OWN), (("2.j1", "2.j2"), OWN)), other]) == [{}, {}]


def test_a_short_grey_stroke_beside_a_line_is_a_shadow() -> None:
    (strays,) = strays_of([drawn(0, (LONG, OWN), (SHORT, GREY))])
    assert strays == {1: parameters.STROKES.hue_nats_per_deg * 20.0}


def test_a_shadow_of_which_little_tells_that_it_is_no_pen_is_asked_about() -> None:
    """It may be all that a pen drew that nobody told."""
    (strays,) = strays_of([drawn(0, (SHORT, GREY))])
    assert strays == {0: parameters.STROKES.stray_nats}


def test_a_long_grey_line_is_drawn_whatever_pens_were_told() -> None:
    assert strays_of([drawn(0, (LONG, GREY))]) == [{}]


def test_a_black_pens_line_is_no_shadow() -> None:
    assert strays_of([drawn(0, (LONG, OWN), (SHORT, Hue((22.0, 2.0), 2.0)))]) == [{}]


def test_a_black_pens_short_stroke_from_under_a_miniature_may_be_its_shadow() -> None:
    black = Hue((2.0, 22.0), 2.0)
    line = drawn(0, (LONG, black), (SHORT, black))
    assert strays_of([line]) == [{}]
    assert strays_of([line], SHORT[0]) == [{1: 0.0}]


def test_a_stroke_in_no_pens_colour_may_be_a_groups_that_has_drawn_nothing() -> None:
    line = drawn(0, (LONG, OWN), (SHORT, Hue(nobodys=True)))
    assert others_colours(line, idle={1}) == {1}
    assert others_colours(drawn(0, (LONG, OWN), (SHORT, Hue())), idle={1}) == frozenset()


def test_a_stroke_along_another_pens_line_in_its_colour_is_that_ones() -> None:
    seen = drawn(0, (SHORT, OWN), (LONG[4:9], Hue((18.0, 8.0), 40.0)))
    strays, none = strays_of([seen, drawn(1, (LONG, Hue((30.0, 3.0), 40.0)))])
    assert strays == {1: parameters.STROKES.hue_nats_per_deg * 10.0}
    assert none == {}


def test_two_lines_over_one_way_in_two_colours_are_both_there() -> None:
    """It breaks a rule, and people see it."""
    seen = drawn(0, (LONG[4:9], OWN)), drawn(1, (LONG, Hue((30.0, 3.0), 40.0)))
    assert strays_of(seen) == [{}, {}]


def test_without_its_strays_a_line_is_likelier_than_all_its_other_readings() -> None:
    reading = drawn(0, (LONG, OWN), (SHORT, GREY)).reading
    doubt = without(reading, {1: 4.0})
    assert (doubt.others, doubt.behind) == (((LONG,),), -4.0)


def test_a_stroke_in_the_colour_of_a_group_without_a_pen_may_be_its() -> None:
    pen = drawn(0, (LONG, Hue((4.0, 12.0, 40.0), 30.0)), (SHORT, Hue((10.5, 8.0, 40.0), 30.0)))
    assert others_colours(pen, {1, 2}) == {1}
    assert others_colours(pen, {2}) == frozenset()
