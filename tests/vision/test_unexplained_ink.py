"""Unexplained ink: ink beside the path that may be a stretch of it, and what is none."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_cards import Table, catalogue
from numpy.typing import NDArray

from scorer.dungeon import Dungeon, Place
from scorer.record import PlacedCard
from vision.ink.ink_map import PX_PER_MM, InkMap
from vision.ink.likelihood import read_ink
from vision.marks import Rings, find_rings
from vision.path.residual_ink import begun_gates, dotted_gates, dotted_openings, landings, unexplained
from vision.path.strokes import Stroke
from vision.path.style import habits_of


@pytest.mark.parametrize(
    ("size_mm", "told"),
    [
        pytest.param((1.5, 7.0), True, id="a piece of a line"),
        pytest.param((4.0, 5.5), False, id="a patch of shade"),
        pytest.param((1.5, 2.5), False, id="a speck"),
    ],
)
def test_only_a_line_beside_the_path_is_told(size_mm: tuple[float, float], told: bool) -> None:
    card = next(card for card in catalogue().cards if card.rooms)
    table = Table((PlacedCard(card.id, 0, 0, 0),))
    photo, layout = table.photo()
    ink = read_ink(photo.pixels, layout.poses, catalogue())
    corridors = [link.line_mm for link in table.dungeon.links if link.kind == "corridor"]
    ends = max((np.asarray(line) for line in corridors), key=lambda line: np.abs(np.diff(line, axis=0)).max())
    leg = int(np.linalg.norm(np.diff(ends, axis=0), axis=1).argmax())
    start, end = ends[leg], ends[leg + 1]
    across = 0 if abs(end[1] - start[1]) > abs(end[0] - start[0]) else 1
    half = np.array(size_mm if across == 0 else size_mm[::-1]) / 2
    low, high = (ink.to_px((start + end) / 2 + side * half).round().astype(int).tolist() for side in (-1, 1))
    evidence = np.full_like(ink.evidence, -2.0)
    cv2.rectangle(evidence, low, high, 3.0, -1)
    ink = replace(ink, evidence=evidence, film=None)
    left = unexplained(ink, table.dungeon, find_rings(ink, table.dungeon), ())
    assert len(left) == told


@pytest.mark.parametrize(
    ("half_mm", "film", "told"),
    [
        pytest.param(0.7, 0.9, True, id="a dot"),
        pytest.param(0.7, 0.3, False, id="what a wipe left of one"),
        pytest.param(0.2, 0.9, False, id="a speck"),
        pytest.param(2.5, 0.9, False, id="a floor that looks inked"),
    ],
)
def test_a_dot_at_the_edge_where_the_path_does_not_come_is_told(
    half_mm: float, film: float, told: bool
) -> None:
    table = Table((PlacedCard("D30", 0, 0, 0),))
    photo, layout = table.photo()
    ink = read_ink(photo.pixels, layout.poses, catalogue())
    evidence = np.full_like(ink.evidence, -2.0)
    at_mm = np.array(table.dungeon.places["0.n1"].at_mm)
    low, high = (ink.to_px(at_mm + side * half_mm).round().astype(int).tolist() for side in (-1, 1))
    cv2.rectangle(evidence, low, high, 3.0, -1)
    ink = replace(ink, evidence=evidence, film=np.full_like(evidence, film), line_film=0.9)
    assert dotted_openings(ink, table.dungeon, ()) == (("0.n1",) if told else ())
    line = Stroke(("0.n1", "0.j2"), np.array([at_mm, table.dungeon.places["0.j2"].at_mm]))
    assert dotted_openings(ink, table.dungeon, (line,)) == ()


@pytest.mark.parametrize("to_other_door", [False, True])
def test_a_line_that_runs_on_in_the_room_where_it_ends_is_told_only_if_it_comes_to_another_door(
    to_other_door: bool,
) -> None:
    table, room, door, other = hall()
    start, middle, far = (np.asarray(place.at_mm) for place in (door, room, other))
    inward = (middle - start) / np.linalg.norm(middle - start)
    stroke = Stroke((door.id, room.id), np.array([start, start + 4 * inward]))
    goal = far + 2 * (middle - far) / np.linalg.norm(middle - far) if to_other_door else middle
    left = unexplained(*drawn(table, [start, middle, goal]), (stroke,))
    assert len(left) == to_other_door


def test_shade_along_a_cards_edge_is_no_line() -> None:
    card = next(card for card in catalogue().cards if any(node.kind == "opening" for node in card.nodes))
    table = Table((PlacedCard(card.id, 0, 0, 0),))
    opening = next(place for place in table.dungeon.places.values() if place.kind == "opening")
    width, _ = catalogue().card_size_mm
    x, y = opening.at_mm
    along = np.array([0.0, 4.0]) if x in (0.0, width) else np.array([4.0, 0.0])
    inside = np.clip([x, y], 1.2, np.array(catalogue().card_size_mm) - 1.2)
    assert unexplained(*drawn(table, [inside - along, inside + along]), ()) == ()
    across = 9 * (np.array(catalogue().card_size_mm) / 2 - inside) * (along == 0)
    across /= np.linalg.norm(across) / 9
    assert len(unexplained(*drawn(table, [inside, inside + across]), ())) == 1


def test_a_dot_on_a_gate_is_told_but_not_the_line_that_runs_by_underground() -> None:
    table, gate = next(
        (table, place)
        for card in catalogue().cards
        for table in [Table((PlacedCard(card.id, 0, 0, 0),))]
        for place in table.dungeon.places.values()
        if place.kind == "room_find" and place.find in habits_of(table.dungeon).gates
    )
    at = np.asarray(gate.at_mm)
    by = at + np.array([[0.5, -9.0], [0.5, 9.0]])
    elsewhere = tuple(name for name, place in table.dungeon.places.items() if place.kind == "opening")[:2]
    dot = drawn(table, [at, at + np.array([0.0, 1.0])])
    assert dotted_gates(*dot, ()) == (gate.id,)
    assert dotted_gates(*dot, (Stroke(elsewhere, by + np.array([9.0, 0.0])),)) == (gate.id,)
    line = drawn(table, list(by))
    assert dotted_gates(*line, ()) == (gate.id,)
    assert dotted_gates(*line, (Stroke(elsewhere, by),)) == ()
    # a line that begins on the gate shows on its very middle, a ring round it does not
    assert begun_gates(*dot[:2], ()) == (gate.id,)
    assert begun_gates(*line[:2], (Stroke(elsewhere, by),)) == ()
    round_it = at + 4.5 * np.array([[math.cos(k / 4), math.sin(k / 4)] for k in range(26)])
    assert begun_gates(*drawn(table, list(round_it))[:2], ()) == ()


def test_a_dot_on_the_one_gate_to_come_out_of_is_a_landing() -> None:
    dungeon, here, there = next(
        (dungeon, corridor, room)
        for card in catalogue().cards
        for dungeon in [Table((PlacedCard(card.id, 0, 0, 0),)).dungeon]
        for gates in [[p for p in dungeon.places.values() if p.find in habits_of(dungeon).gates]]
        for corridor in gates
        for room in gates
        if corridor.kind == "find" and room.kind == "room_find"
    )
    before = dungeon.neighbours[here.id][0].b
    stroke = Stroke((before, here.id), np.array([dungeon.places[before].at_mm, here.at_mm]))
    (landed,) = landings(dungeon, (), (), (there.id,), (), (stroke,))
    assert landed.places == (there.id, there.room)
    # where nothing was left by a gate, nothing is come out of
    assert landings(dungeon, (), (), (there.id,), (), (Stroke(stroke.places[:1] * 2, stroke.line_mm),)) == ()
    # nor is a dot in a room that the path comes to; a line that begins on a gate there tells it
    doors = [link.b for link in dungeon.neighbours[str(there.room)]]
    door = next(name for name in doors if dungeon.places[name].kind == "door")
    passing = Stroke((door, str(there.room)), np.array([dungeon.places[door].at_mm, there.at_mm]))
    through = Stroke((*passing.places, door), np.concatenate([passing.line_mm, passing.line_mm[:1]]))
    assert landings(dungeon, (), (), (), (), (stroke, through)) == ()
    (landed,) = landings(dungeon, (), (), (), (there.id,), (stroke, through))
    assert landed.places == (there.id, there.room)
    # where the path ends in that very room, the line on the gate is its own
    assert landings(dungeon, (), (), (), (there.id,), (stroke, passing)) == ()


def hall() -> tuple[Table, Place, Place, Place]:
    """A card with a large room, the room, and two of its doors, far from its middle and from each other."""
    best = 0.0
    for card in catalogue().cards:
        table = Table((PlacedCard(card.id, 0, 0, 0),))
        for room in table.dungeon.places.values():
            ways = [link.b for link in table.dungeon.neighbours[room.id]] if room.kind == "room" else []
            doors = [table.dungeon.places[name] for name in ways if table.dungeon.places[name].kind == "door"]
            for one, other in itertools.permutations(doors, 2):
                far = min(math.dist(one.at_mm, room.at_mm), math.dist(one.at_mm, other.at_mm))
                if far > best:
                    best, found = far, (table, room, one, other)
    return found


def drawn(table: Table, line_mm: list[NDArray[np.float64]]) -> tuple[InkMap, Dungeon, Rings]:
    """What `unexplained` looks at where nothing but one line is drawn: no icon stands in its way."""
    photo, layout = table.photo()
    ink = read_ink(photo.pixels, layout.poses, catalogue())
    evidence = np.full_like(ink.evidence, -2.0)
    points = ink.to_px(np.array(line_mm)).round().astype(np.int32)
    cv2.polylines(evidence, [points], False, 3.0, round(1.5 * PX_PER_MM))
    return (
        replace(ink, evidence=evidence, film=None),
        table.dungeon,
        Rings((), np.zeros(0), np.zeros(0), np.zeros((0, 1, 2)), np.zeros(0)),
    )
