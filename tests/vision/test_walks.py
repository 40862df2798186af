"""Stringing links to strokes: rings that are walked, rooms half hidden, and where lines part."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from drawn_cards import Table, catalogue, random_walk

from scorer.dungeon import Place
from scorer.record import PlacedCard
from vision.ink.ink_map import InkMap
from vision.ink.likelihood import read_ink
from vision.marks import find_rings, without_rings
from vision.path import parameters
from vision.path.link_evidence import measure_links
from vision.path.map_matching import Matching, match
from vision.path.priors import twice_score
from vision.path.room_paths import Curve, Point, RoomField, RoomReader, curves_from
from vision.path.strokes import Stroke, strokes_of, with_carriers
from vision.path.style import style_of


def inked(table: Table) -> InkMap:
    photo, layout = table.photo()
    return read_ink(photo.pixels, layout.poses, catalogue())


def strung(table: Table, ink: InkMap, matching: Matching | None = None) -> tuple[Stroke, ...]:
    evidence = measure_links(ink, table.dungeon)
    matching = match(table.dungeon, evidence) if matching is None else matching
    rooms = RoomReader(ink, style_of(table.dungeon.catalogue))
    return strokes_of(rooms, table.dungeon, evidence, matching)[0]


def without_room(ink: InkMap, room: Place) -> InkMap:
    """Something hides all of a room."""
    outline = ink.to_px(np.array(room.outline_mm))
    (left, top), (right, bottom) = outline.min(axis=0).astype(int), outline.max(axis=0).astype(int)
    evidence, visible = ink.evidence.copy(), ink.visible.copy()
    evidence[top:bottom, left:right] = 0
    visible[top:bottom, left:right] = False
    return replace(ink, evidence=evidence, visible=visible)


def steps(*paths: tuple[str, ...]) -> Counter[frozenset[str]]:
    return Counter(frozenset(pair) for path in paths for pair in itertools.pairwise(path))


def test_a_ring_that_the_path_walks_round_is_no_stroke_of_its_own() -> None:
    table = Table((PlacedCard("D30", 0, 0, 0),))
    walk = tuple(f"0.{place}" for place in ("w1", "f1", "j1", "j3", "j4", "j1", "j3", "j2", "n1"))
    table.walk(walk)
    # straight on is the least turning at each place, and would leave the ring alone
    walked = steps(walk)
    times = tuple(walked[frozenset((link.a, link.b))] for link in table.dungeon.links)
    (stroke,) = strung(table, inked(table), Matching(times, (walk[0], walk[-1]), 0.0))
    assert steps(stroke.places) == walked
    assert {stroke.places[0], stroke.places[-1]} == {walk[0], walk[-1]}


def test_a_loop_through_a_hidden_room_does_not_turn_back_at_the_door() -> None:
    table = Table((PlacedCard("D05", 0, 0, 0),))
    walk = tuple(f"0.{place}" for place in ("j3", "d4", "A", "d1", "j1", "d3", "A", "d1", "j1", "j2"))
    table.walk(walk)
    walked = steps(walk)
    times = tuple(walked[frozenset((link.a, link.b))] for link in table.dungeon.links)
    hidden = without_room(inked(table), table.dungeon.places["0.A"])
    (stroke,) = strung(table, hidden, Matching(times, (walk[0], walk[-1]), 0.0))
    assert stroke.places in (walk, walk[::-1])


def through_a_room() -> tuple[Table, tuple[str, ...]]:
    """A line from edge to edge through a room that lies well apart from where it goes on."""
    table = Table((PlacedCard("D21", 0, 0, 0),))
    for door, other in itertools.permutations(
        [place for place in table.dungeon.places.values() if place.kind == "door"], 2
    ):
        if door.room == other.room and np.hypot(*np.subtract(door.at_mm, other.at_mm)) > 12:
            before = next(link.b for link in table.dungeon.neighbours[door.id] if link.b != door.room)
            after = next(link.b for link in table.dungeon.neighbours[other.id] if link.b != other.room)
            walk = (before, door.id, str(door.room), other.id, after)
            table.walk(walk)
            return table, walk
    raise AssertionError("the card has no such room")


def test_a_line_goes_on_through_a_room_whose_middle_is_hidden() -> None:
    table, walk = through_a_room()
    ink = inked(table)
    hidden = without_room(ink, table.dungeon.places[walk[2]])
    (stroke,) = strung(table, hidden, match(table.dungeon, measure_links(ink, table.dungeon)))
    assert stroke.places in (walk, walk[::-1])


def test_a_line_that_parts_in_a_room_parts_at_its_gate_and_not_at_what_it_passes() -> None:
    table = Table((PlacedCard("D19", 0, 0, 0),), width_mm=1.8)
    places = table.dungeon.places
    entry, monster, gate = places["0.d2"], places["0.A2"], places["0.A3"]
    assert (monster.find, gate.find) == ("monster", "magic_circle")
    table.draw(np.array([entry.at_mm, monster.at_mm, gate.at_mm]))
    for name in ("0.A1", "0.A2", "0.A3"):
        table.ring(name)
    ink = inked(table)
    rooms = RoomReader(without_rings(ink, find_rings(ink, table.dungeon)), style_of(catalogue()))
    stroke = Stroke(("0.j6", "0.d2", "0.A"), np.array([places["0.j6"].at_mm, entry.at_mm]))
    assert with_carriers(rooms, table.dungeon, stroke).places == ("0.j6", "0.d2", "0.A", "0.A3")


def test_a_curve_that_costs_more_than_asked_for_is_not_looked_for_any_further() -> None:
    cost = np.full((40, 60), parameters.ROOM_LINES.blank_nats_per_mm)
    cost[20, :45] = parameters.ROOM_LINES.ink_nats_per_mm
    field = RoomField(cost, (0.0, 0.0))
    start, inked_end, beyond = (0.0, 10.0), (22.0, 10.0), (29.0, 10.0)
    near, far = curves_from(field, start, [inked_end, beyond])
    assert near.excess < 1.0 and 15.0 < far.excess < 30.0
    cheap, dear = curves_from(field, start, [inked_end, beyond], most=7.0)
    assert cheap.cost == near.cost and np.array_equal(cheap.line_mm, near.line_mm)
    assert dear.excess == np.inf


class Told(RoomReader):
    """A reader that is told what each curve costs beyond its length, by its two ends."""

    def __init__(self, table: Table, excess: dict[frozenset[str], float]) -> None:
        self._names = {place.at_mm: name for name, place in table.dungeon.places.items()}
        self._excess = excess

    def curves(
        self, room: Place, start_mm: Point, goals_mm: list[Point], *, lifted: bool, most: float = np.inf
    ) -> list[Curve]:
        found = []
        for goal in goals_mm:
            excess = self._excess[frozenset({self._names[start_mm], self._names[goal]})]
            length = float(np.hypot(*np.subtract(goal, start_mm)))
            found.append(
                Curve(excess + parameters.ROOM_LINES.ink_nats_per_mm * length, np.array([start_mm, goal]))
            )
        return found


def test_of_lines_that_meet_in_a_room_the_one_that_leads_to_its_gate_ends_there() -> None:
    table = Table((PlacedCard("D32", 0, 0, 0),))
    doors = ("0.d1", "0.d2", "0.d3")
    evidence = measure_links(inked(table), table.dungeon)
    excess = {frozenset(pair): 4.0 for pair in itertools.combinations(doors, 2)}
    for last in doors:
        to_gate = {frozenset({door, "0.A1"}): 1.0 if door == last else 6.0 for door in doors}
        away = {frozenset({door, "0.A2"}): 30.0 for door in doors}
        walked = {frozenset({door, name}) for door in doors for name in ("0.A", _before(table, door))}
        times = tuple(int({link.a, link.b} in walked) for link in table.dungeon.links)
        reader = Told(table, excess | to_gate | away)
        matching = Matching(times, (), 0.0)
        strokes, _ = strokes_of(reader, table.dungeon, evidence, matching)
        ended = next(stroke for stroke in strokes if last in stroke.places)
        assert not {*doors} & {*ended.places} - {last} and "0.A1" in ended.places


@pytest.mark.parametrize("second_gate", ["0.A1", "0.A2"])
def test_who_ends_on_one_gate_of_a_room_goes_on_from_another_in_it(second_gate: str) -> None:
    table = Table((PlacedCard("D32", 0, 0, 0),))
    doors, gates = ("0.d1", "0.d3"), ("0.A2", second_gate)
    excess = {frozenset({door, name}): 30.0 for door in doors for name in ("0.A1", "0.A2")}
    excess |= {frozenset(pair): 3.0 for pair in zip(doors, gates, strict=True)}
    walked = {frozenset({door, name}) for door in doors for name in ("0.A", _before(table, door))}
    times = tuple(int({link.a, link.b} in walked) for link in table.dungeon.links)
    evidence = measure_links(inked(table), table.dungeon)
    reader = Told(table, {**excess, frozenset(doors): 13.0})
    strokes, _ = strokes_of(reader, table.dungeon, evidence, Matching(times, (), 0.0))
    # past a gate on which both might end a line runs on
    ends = {name for stroke in strokes for name in (stroke.places[0], stroke.places[-1])}
    assert ({*gates} <= ends, len(strokes)) == ((True, 2) if second_gate != "0.A2" else (False, 1))


def test_a_broader_second_pen_is_no_line_drawn_twice() -> None:
    table = Table((PlacedCard("D30", 0, 0, 0),))
    walk = tuple(f"0.{place}" for place in ("w1", "f1", "j1", "j3", "j2", "n1"))
    table.walk(walk)
    for offset_mm in (-0.6, 0.6):
        table.walk(walk[:3], offset_mm)
    ink = inked(table)
    (pen,) = ink.pens

    def a_second_line(seen: InkMap) -> bool:
        found = zip(table.dungeon.links, measure_links(seen, table.dungeon), strict=True)
        return any(twice_score(link, each) > 0 for link, each in found)

    assert a_second_line(ink) and not a_second_line(replace(ink, pens=(pen, pen)))


def _before(table: Table, door: str) -> str:
    return next(link.b for link in table.dungeon.neighbours[door] if link.b != "0.A")


def test_a_line_that_comes_to_another_door_of_the_room_ends_there() -> None:
    table, walk = through_a_room()
    table.lines.clear()
    table.walk(walk[:2])
    table.draw(np.array([table.dungeon.places[name].at_mm for name in walk[1:4]]))
    (stroke,) = strung(table, inked(table))
    assert stroke.places in (walk[:4], walk[3::-1])


def test_a_line_that_stops_where_two_cards_meet_has_come_to_the_other_one() -> None:
    table = Table((PlacedCard("D30", 0, 0, 0), PlacedCard("D21", 63, 44, 180)))
    walks = (random_walk(table.dungeon, seed) for seed in range(60))
    walk = next(walk for walk in walks if len({name[0] for name in walk}) == 2)
    over = next(k for k, (a, b) in enumerate(itertools.pairwise(walk)) if a[0] != b[0])
    table.walk(walk[: over + 1])
    (stroke,) = strung(table, inked(table))
    assert stroke.places in (walk[: over + 2], walk[over + 1 :: -1])


def test_a_way_that_was_scribbled_over_is_not_walked() -> None:
    table = Table((PlacedCard("D30", 0, 0, 0),))
    walk = tuple(f"0.{place}" for place in ("w1", "f1", "j1", "j3", "j2", "n1"))
    table.walk(walk)
    off = next(
        link
        for name in walk
        for link in table.dungeon.neighbours[name]
        if link.kind == "corridor" and link.b not in walk
    )
    line = np.array(off.line_mm)
    arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    at = np.arange(2.0, arc[-1] - 1.0, 1.2)
    middle = np.column_stack([np.interp(at, arc, line[:, k]) for k in (0, 1)])
    way = np.gradient(middle, axis=0)
    across = np.column_stack([-way[:, 1], way[:, 0]]) / np.linalg.norm(way, axis=1, keepdims=True)
    sides = np.where(np.arange(len(at)) % 2, 1, -1)[:, None]
    table.draw(line, middle + 2.0 * sides * across)
    (stroke,) = strung(table, inked(table))
    assert stroke.places in (walk, walk[::-1])
