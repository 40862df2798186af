"""The path read from drawn ink: walks as drawn, legal or not."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import cv2
import numpy as np
import pytest
from drawn_cards import Table, catalogue, guide, random_walk
from long_rest import long_but

from scorer.dungeon import Dungeon, Link
from scorer.record import PlacedCard, Rotation
from vision.ink.ink_map import PX_PER_MM, InkMap
from vision.ink.likelihood import read_ink
from vision.path.alternatives import covered_ends
from vision.path.link_evidence import LinkEvidence, measure_links
from vision.path.off_graph import across_rock
from vision.path.read import PathReading, read_path
from vision.path.stroke_order import orderings
from vision.path.strokes import Stroke


def read(table: Table, seed: int = 1) -> PathReading:
    photo, layout = table.photo(seed=seed)
    return read_path(read_ink(photo.pixels, layout.poses, catalogue()), table.dungeon)


def either_way(path: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return path, path[::-1]


def dungeon_cards() -> list[str]:
    return [card.id for card in catalogue().cards if card.kind == "dungeon"]


PAIRS: list[tuple[int, int, Rotation]] = [
    (3, 11, 0),
    (20, 31, 180),
    (40, 5, 0),
    (52, 63, 180),
    (66, 17, 0),
    (8, 44, 180),
]


@pytest.mark.parametrize(("first", "second", "rotation"), long_but(PAIRS, 0, 1))
def test_a_walk_over_two_cards_is_read_as_drawn(first: int, second: int, rotation: Rotation) -> None:
    ids = dungeon_cards()
    table = Table((PlacedCard(ids[first], 0, 0, 0), PlacedCard(ids[second], 63, 44, rotation)))
    walk = random_walk(table.dungeon, seed=first)
    assert len(walk) >= 6
    table.walk(walk)
    reading = read(table, seed=second)
    assert len(reading.path) == 1
    assert reading.path[0] in either_way(walk)


@pytest.mark.parametrize(("half_mm", "covered"), [(4.5, False), (30.0, True)])
def test_a_hand_over_an_end_of_the_path_may_hide_a_card_a_pen_may_not(half_mm: float, covered: bool) -> None:
    table = Table((PlacedCard(dungeon_cards()[3], 0, 0, 0),))
    photo, layout = table.photo()
    ink = read_ink(photo.pixels, layout.poses, catalogue())
    here = min(table.dungeon.open_openings)
    inside = next(place.id for place in table.dungeon.places.values() if place.kind == "junction")
    x, y = table.dungeon.places[here].at_mm
    columns = ink.to_mm(np.stack([np.arange(ink.visible.shape[1]), np.zeros(ink.visible.shape[1])], 1))[:, 0]
    rows = ink.to_mm(np.stack([np.zeros(ink.visible.shape[0]), np.arange(ink.visible.shape[0])], 1))[:, 1]
    # a pen lies along the edge at which the path leaves, a hand comes over it
    across, at = (columns[None, :], x) if x in (0.0, 63.0) else (rows[:, None], y)
    under = replace(ink, visible=ink.visible & (np.abs(across - at) > half_mm))
    assert covered_ends(ink, table.dungeon, ((here, inside),)) == []
    assert covered_ends(under, table.dungeon, ((here, inside),)) == ([here] if covered else [])
    # within the cards nothing is hidden beyond
    assert covered_ends(under, table.dungeon, ((inside, inside),)) == []


def test_a_ring_around_every_find_changes_nothing() -> None:
    ids = dungeon_cards()
    table = Table((PlacedCard(ids[20], 0, 0, 0), PlacedCard(ids[31], 63, 44, 180)))
    walk = random_walk(table.dungeon, seed=20)
    table.walk(walk)
    for place in table.dungeon.places.values():
        if place.find and (place.id in walk or place.room in walk):
            table.ring(place.id)
    assert read(table).path[0] in either_way(walk)


def test_a_wide_ring_that_runs_over_corridors_is_no_way_round_the_find() -> None:
    table = Table((PlacedCard("D24", 0, 0, 0),), width_mm=1.8)
    walk = tuple(f"0.{place}" for place in ("w2", "f2", "j7", "v1", "t1", "j1", "m1", "n1"))
    table.walk(walk)
    table.ring("0.f2", 6.2)
    (stroke,) = read(table).path
    assert stroke in either_way(walk)


def test_a_gap_where_two_cards_meet_is_bridged() -> None:
    ids = dungeon_cards()
    table = Table((PlacedCard(ids[20], 0, 0, 0), PlacedCard(ids[31], 63, 44, 180)))
    walks = (random_walk(table.dungeon, seed) for seed in range(60))
    walk = next(walk for walk in walks if len({place[0] for place in walk}) == 2)
    line = dense(guide(table.dungeon, walk))
    kept = np.abs(line[:, 0] - 63.0) > 1.3
    for piece in np.split(np.arange(len(line)), np.flatnonzero(np.diff(kept.astype(int))) + 1):
        if kept[piece[0]] and len(piece) > 1:
            table.draw(line[piece])
    assert read(table).path[0] in either_way(walk)


def dense(line: np.ndarray) -> np.ndarray:
    arc = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    at = np.arange(0, arc[-1], 0.2)
    return np.column_stack([np.interp(at, arc, line[:, 0]), np.interp(at, arc, line[:, 1])])


def falls() -> Iterator[tuple[Table, tuple[str, ...]]]:
    """Tables of one card on which a walk comes to a corridor's pitfall and goes on underground."""
    for card in catalogue().cards:
        pits = {n.id for n in card.nodes if n.find == "pitfall"}
        for edge in card.edges:
            if edge.kind != "fall" or edge.from_ not in pits:
                continue
            table = Table((PlacedCard(card.id, 0, 0, 0),), pen="black")
            dungeon = table.dungeon
            up = way(dungeon, f"0.{edge.from_}", lambda link: link.kind == "corridor", to_outer=True)
            down = way(
                dungeon, f"0.{edge.to}", lambda link: link.kind in ("corridor", "stairs"), to_outer=False
            )
            if up and down and len(down) > 1 and not set(up) & set(down):
                yield table, (*up[::-1], *down)


def way(dungeon: Dungeon, start: str, usable: Callable[[Link], bool], *, to_outer: bool) -> tuple[str, ...]:
    """A shortest way to the outer edge, or the farthest without coming to it."""
    paths: list[tuple[str, ...]] = [(start,)]
    seen = {start}
    for path in paths:
        if to_outer and path[-1] in dungeon.open_openings:
            return path
        for link in dungeon.neighbours[path[-1]]:
            if usable(link) and link.b not in seen:
                seen.add(link.b)
                paths.append((*path, link.b))
    return () if to_outer else paths[-1]


def test_a_fall_is_read_and_gives_the_direction() -> None:
    table, walk = next(falls())
    table.walk(walk)
    reading = read(table)
    assert reading.path == (walk,)
    assert not any(doubt.about == "direction" for doubt in reading.doubts)


def test_a_line_under_a_corridor_of_the_other_level_is_told_from_it() -> None:
    # an underground corridor and a main one cross in the drawing; only one of them is walked
    for card in catalogue().cards:
        table = Table((PlacedCard(card.id, 0, 0, 0),), pen="red")
        under = [
            link for link in table.dungeon.links if link.kind == "corridor" and link.level == "underground"
        ]
        outer = [link for link in under if {link.a, link.b} & table.dungeon.open_openings]
        if outer and max(np.ptp(np.array(link.line_mm), axis=0).max() for link in outer) > 25:
            link = max(outer, key=lambda link: np.ptp(np.array(link.line_mm), axis=0).max())
            table.draw(np.array(link.line_mm))
            (stroke,) = read(table).path
            assert set(stroke) == {link.a, link.b}
            return
    pytest.fail("no card of the deck has a long underground corridor to its edge")


def test_a_corridor_walked_twice_side_by_side_is_read_twice() -> None:
    ids = dungeon_cards()
    table = Table((PlacedCard(ids[3], 0, 0, 0),), width_mm=1.2)
    walk = next(w for s in range(60) if len(w := random_walk(table.dungeon, s)) >= 5 and "A" not in w[2])
    middle = walk[2]
    table.walk(walk[:3], 1.1)
    table.walk(walk[:3][::-1], 1.1)
    reading = read(table)
    steps = [frozenset(pair) for stroke in reading.path for pair in itertools.pairwise(stroke)]
    assert middle in {place for stroke in reading.path for place in stroke}
    assert steps.count(frozenset(walk[1:3])) == 2


def test_a_line_that_stops_lists_the_last_place_it_came_to() -> None:
    ids = dungeon_cards()
    table = Table((PlacedCard(ids[40], 0, 0, 0),))
    walk = max((random_walk(table.dungeon, s) for s in range(30)), key=len)
    whole = [p for p in walk if table.dungeon.places[p].kind not in ("door", "room")]
    stop = next(k for k in range(3, len(walk)) if walk[k] in whole and walk[k - 1] in whole)
    table.walk(walk[: stop + 1])
    reading = read(table)
    assert reading.path[0] in either_way(walk[: stop + 1])


def test_nothing_drawn_is_an_empty_path() -> None:
    table = Table((PlacedCard(dungeon_cards()[3], 0, 0, 0), PlacedCard(dungeon_cards()[11], 63, 0, 180)))
    assert read(table).path == ()


def test_two_lines_are_two_strokes() -> None:
    ids = dungeon_cards()
    table = Table((PlacedCard(ids[20], 0, 0, 0), PlacedCard(ids[3], 63, 0, 0)))
    walks = []
    for card in range(2):
        # each card's own walk, as if it lay alone
        alone = Table((PlacedCard(table.cards[card].card, 0, 0, 0),)).dungeon
        walks.append(tuple(f"{card}{place[1:]}" for place in random_walk(alone, 5, 6)))
        table.walk(walks[card])
    reading = read(table)
    assert [set(walk) - set(stroke) for walk, stroke in zip(walks, sorted(reading.path), strict=True)] == [
        set()
    ] * 2


def test_a_weak_line_beside_the_path_is_asked_about_as_one_that_follows_it() -> None:
    table = Table((PlacedCard("D30", 0, 0, 0),))
    walk, beside = ("0.w1", "0.f1", "0.j1", "0.j3", "0.j2", "0.n1"), ("0.e1", "0.j6")
    table.walk(walk)
    table.walk(beside)
    photo, layout = table.photo()
    ink = read_ink(photo.pixels, layout.poses, catalogue())
    link = next(each for each in table.dungeon.links if {each.a, each.b} == set(beside))
    left, top = np.floor(ink.to_px(np.min(link.line_mm, axis=0)) - 8).astype(int)
    right, bottom = np.ceil(ink.to_px(np.max(link.line_mm, axis=0)) + 8).astype(int)
    evidence = ink.evidence.copy()
    evidence[top:bottom, left:right] *= 0.3
    reading = read_path(replace(ink, evidence=evidence), table.dungeon)
    assert reading.path in ((walk,), (walk[::-1],))
    (doubt,) = (doubt for doubt in reading.doubts if doubt.reason == "faint")
    # in another order all that is walked on the path would be another one, too
    assert [other[:1] for other in doubt.others] == [reading.path]
    assert {frozenset(other[1]) for other in doubt.others} == {frozenset(beside)}


@pytest.mark.parametrize("last", [0.2, 0.25])
def test_where_a_pen_ran_dry_on_the_last_stretch_but_one_the_line_may_go_on(last: float) -> None:
    table = Table((PlacedCard("D30", 0, 0, 0),))
    walk = ("0.w1", "0.f1", "0.j1", "0.j3", "0.j2", "0.n1")
    table.walk(walk)
    photo, layout = table.photo()
    ink = read_ink(photo.pixels, layout.poses, catalogue())
    evidence = ink.evidence.copy()
    for stretch, share in ((walk[-2:], last), (walk[-3:-1], 0.0)):
        link = next(each for each in table.dungeon.links if {each.a, each.b} == set(stretch))
        left, top = np.floor(ink.to_px(np.min(link.line_mm, axis=0)) - 8).astype(int)
        right, bottom = np.ceil(ink.to_px(np.max(link.line_mm, axis=0)) + 8).astype(int)
        part = evidence[top:bottom, left:right]
        evidence[top:bottom, left:right] = share * part if share else np.minimum(part, -2.0)
    reading = read_path(replace(ink, evidence=evidence), table.dungeon)
    # which of the two is read hangs on how faint the stretch is; the other is offered
    told = [reading.path, *(path for doubt in reading.doubts for path in doubt.others)]
    for way in (walk, walk[:-2]):
        assert any(path in ((way,), (way[::-1],)) for path in told)


def test_where_a_thing_hides_an_end_the_path_may_go_on_under_it() -> None:
    table = Table((PlacedCard("D30", 0, 0, 0),))
    walk = ("0.w1", "0.f1", "0.j1", "0.j3", "0.j2", "0.n1")
    table.walk(walk[:-1])
    photo, layout = table.photo()
    ink = read_ink(photo.pixels, layout.poses, catalogue())

    def onward(ink: InkMap) -> bool:
        reading = read_path(ink, table.dungeon)
        assert {reading.path[0][0], reading.path[-1][-1]} == {walk[0], walk[-2]}
        hidden = [path for doubt in reading.doubts if doubt.reason == "hidden" for path in doubt.others]
        return any(path in ((walk,), (walk[::-1],)) for path in hidden)

    assert not onward(ink)
    visible, evidence = ink.visible.copy(), ink.evidence.copy()
    x, y = ink.to_px(np.array(table.dungeon.places[walk[-2]].at_mm)).round().astype(int).tolist()
    half = round(7 * PX_PER_MM)
    part = (slice(y - half, y + half), slice(x - half, x + half))
    visible[part], evidence[part] = False, 0.0
    assert onward(replace(ink, visible=visible, evidence=evidence))


def test_a_line_that_begins_where_the_path_has_ended_comes_after_it() -> None:
    dungeon = Table((PlacedCard("D30", 0, 0, 0),)).dungeon
    long, short = ("0.w1", "0.f1", "0.j1", "0.j3", "0.j2", "0.n1"), ("0.e1", "0.j6")
    lines = [Stroke(walk, np.array([dungeon.places[name].at_mm for name in walk])) for walk in (short, long)]
    read = {tuple(stroke.places for stroke in order) for order in orderings(lines, dungeon)}
    first = tuple(stroke.places for stroke in orderings(lines, dungeon)[0])
    assert first[0] in (long, long[::-1]) and {(long, short), (long[::-1], short)} <= read


@pytest.mark.parametrize(
    ("first", "second", "follows"),
    [
        # who left by the edge comes in again at the edge, who did not goes on inside
        (("0.w1", "0.f1", "0.j1", "0.j3", "0.j2", "0.n1"), ("0.e1", "0.j6"), ("0.e1", "0.j6")),
        (("0.w1", "0.f1", "0.j1", "0.j3"), ("0.e1", "0.j6"), ("0.j6", "0.e1")),
    ],
)
def test_a_stroke_begins_as_the_one_before_it_ended(
    first: tuple[str, ...], second: tuple[str, ...], follows: tuple[str, ...]
) -> None:
    dungeon = Table((PlacedCard("D30", 0, 0, 0),)).dungeon
    lines = [
        Stroke(walk, np.array([dungeon.places[name].at_mm for name in walk])) for walk in (first, second)
    ]
    places = [stroke.places for stroke in orderings(lines, dungeon)[0]]
    assert places[0] in (first, first[::-1]) and places[1] == follows


@pytest.mark.parametrize("single", [True, False])
def test_a_short_stroke_apart_is_asked_about_where_one_player_drew(
    monkeypatch: pytest.MonkeyPatch, single: bool
) -> None:
    table = Table((PlacedCard("D30", 0, 0, 0),))
    walk, short = ("0.w1", "0.f1", "0.j1", "0.j3", "0.j2", "0.n1"), ("0.e1", "0.j6")
    table.walk(walk)

    def seen(ink: InkMap, dungeon: Dungeon) -> tuple[LinkEvidence, ...]:
        told = dict(zip(dungeon.links, measure_links(ink, dungeon), strict=True))
        return tuple(
            replace(each, score=7.0, second=-20.0, seen=1.0) if {link.a, link.b} == set(short) else each
            for link, each in told.items()
        )

    monkeypatch.setattr("vision.path.read.measure_links", seen)
    photo, layout = table.photo()
    ink = read_ink(photo.pixels, layout.poses, catalogue())
    reading = read_path(ink, table.dungeon, single=single)
    offered = [path for doubt in reading.doubts if doubt.reason == "faint" for path in doubt.others]
    # of several groups with one pen another may have drawn it
    assert (set(short) in map(set, reading.path)) != single
    assert any(set(short) in map(set, path) for path in offered) or not single


@pytest.mark.long
def test_a_line_through_the_rock_is_one_stroke_and_a_lifted_pen_two() -> None:
    table, walks = walled_off()
    a, b = (np.asarray(table.dungeon.places[name].at_mm) for name in (walks[0][-1], walks[1][0]))
    for walk in walks:
        table.walk(walk)
    assert {frozenset(stroke) for stroke in read(table).path} == {frozenset(walk) for walk in walks}
    table.draw(np.linspace(a, b, 40))
    (stroke,) = read(table).path
    assert stroke in either_way((*walks[0], *walks[1]))


@pytest.mark.long
def test_a_line_through_the_rock_is_no_way_round_that_is_bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two ways that ink hardly speaks against cost less than two more ends of a line."""
    table, walk, around = rock_beside_a_way()
    table.walk(walk[:-2])
    a, b = (np.asarray(table.dungeon.places[name].at_mm) for name in walk[-3:-1])
    table.draw(np.linspace(a, b, 40))
    table.walk(walk[-2:])

    def seen(ink: InkMap, dungeon: Dungeon) -> tuple[LinkEvidence, ...]:
        told = zip(dungeon.links, measure_links(ink, dungeon), strict=True)
        return tuple(
            replace(each, score=-2.0, second=-20.0) if {link.a, link.b} in around else each
            for link, each in told
        )

    monkeypatch.setattr("vision.path.read.measure_links", seen)
    (stroke,) = read(table).path
    assert stroke in either_way(walk)


def _leads_past(places: set[str], link: Link) -> bool:
    return link.kind == "corridor" and link.b not in places


def rock_beside_a_way() -> tuple[Table, tuple[str, ...], list[set[str]]]:
    """A card on which a walk goes straight through rock from its last place but two to the next, between
    which a way leads round by one junction, and that way's links."""
    for card in catalogue().cards:
        table = Table((PlacedCard(card.id, 0, 0, 0),))
        dungeon = table.dungeon
        inner = [p for p in dungeon.places.values() if p.kind == "junction" and p.level == "main"]
        for a, b in itertools.permutations(inner, 2):
            far = float(np.linalg.norm(np.asarray(a.at_mm) - b.at_mm))
            between = {link.b for link in dungeon.neighbours[a.id] if link.kind == "corridor"}
            between &= {link.b for link in dungeon.neighbours[b.id] if link.kind == "corridor"}
            if not 12 < far < 22 or dungeon.links_between(a.id, b.id) or len(between) != 1:
                continue
            (round_by,) = between
            usable = partial(_leads_past, {round_by, b.id})
            walked = way(dungeon, a.id, usable, to_outer=True)[::-1]
            onward = [link.b for link in dungeon.neighbours[b.id] if link.b not in {*walked, round_by, a.id}]
            last = [name for name in onward if name in dungeon.open_openings]
            if len(walked) > 1 and last:
                return table, (*walked, b.id, last[0]), [{a.id, round_by}, {round_by, b.id}]
    raise AssertionError("no card has such a way round")


def test_a_line_from_a_doorway_through_the_wall_does_not_end_in_the_room() -> None:
    dungeon, door, junction = beside_a_wall()
    ways = [
        next(link.b for link in dungeon.neighbours[name] if link.kind == "corridor")
        for name in (door, junction)
    ]
    room = str(dungeon.places[door].room)
    walks = ((ways[0], door, room), (junction, ways[1]))
    strokes = [Stroke(walk, np.array([dungeon.places[name].at_mm for name in walk])) for walk in walks]
    size = (round(88 * PX_PER_MM), round(63 * PX_PER_MM))
    blank = InkMap(
        np.full(size, -4.0, np.float32), np.ones(size, bool), (0.0, 0.0), np.zeros((*size, 3), np.uint8)
    )
    assert len(across_rock(blank, dungeon, strokes)) == 2
    drawn = blank.evidence.copy()
    line = [
        blank.to_px(np.array(dungeon.places[name].at_mm)).round().astype(int) for name in (door, junction)
    ]
    cv2.line(drawn, line[0].tolist(), line[1].tolist(), 4.0, round(1.4 * PX_PER_MM))
    (whole,) = across_rock(replace(blank, evidence=drawn), dungeon, strokes)
    assert whole.places in either_way((ways[0], door, junction, ways[1]))


def beside_a_wall() -> tuple[Dungeon, str, str]:
    """A card with a door and a junction near it, to which no way leads from it."""
    for card in catalogue().cards:
        dungeon = Table((PlacedCard(card.id, 0, 0, 0),)).dungeon
        for door, junction in itertools.product(dungeon.places.values(), repeat=2):
            if (door.kind, junction.kind, junction.level) != ("door", "junction", door.level):
                continue
            far = float(np.linalg.norm(np.asarray(door.at_mm) - junction.at_mm))
            if 10 < far < 22 and not dungeon.links_between(door.id, junction.id):
                return dungeon, door.id, junction.id
    raise AssertionError("no card of the deck has such places")


def walled_off() -> tuple[Table, tuple[tuple[str, ...], ...]]:
    """A card on which two walks from the outer edge end at junctions with rock between them."""
    for card in catalogue().cards:
        table = Table((PlacedCard(card.id, 0, 0, 0),))
        dungeon = table.dungeon
        inner = [p for p in dungeon.places.values() if p.kind == "junction" and p.level == "main"]
        for a, b in itertools.permutations(inner, 2):
            far = float(np.linalg.norm(np.asarray(a.at_mm) - b.at_mm))
            if not 12 < far < 22 or dungeon.links_between(a.id, b.id):
                continue
            ways = [
                way(dungeon, place.id, lambda link: link.kind == "corridor", to_outer=True)[::-1]
                for place in (a, b)
            ]
            if all(len(each) > 2 for each in ways) and not set(ways[0]) & set(ways[1]):
                return table, (ways[0], ways[1][::-1])
    raise AssertionError("no card has such a wall")


def test_a_line_between_outer_openings_can_be_read_both_ways() -> None:
    ids = dungeon_cards()
    dungeon = Table((PlacedCard(ids[3], 0, 0, 0),)).dungeon
    walk = random_walk(dungeon, 3)
    both = orderings([Stroke(walk, np.zeros((2, 2)))], dungeon)
    assert {order[0].places for order in both} == set(either_way(walk))


def test_a_line_with_both_ends_inside_is_read_into_a_room_first() -> None:
    dungeon, room, door = next(
        (dungeon, room, door)
        for card in catalogue().cards
        for dungeon in [Table((PlacedCard(card.id, 0, 0, 0),)).dungeon]
        for room in dungeon.places.values()
        if room.kind == "room"
        for door in [link.b for link in dungeon.neighbours[room.id] if dungeon.places[link.b].kind == "door"]
        if any(dungeon.places[link.b].kind == "junction" for link in dungeon.neighbours[door])
    )
    junction = next(link.b for link in dungeon.neighbours[door] if dungeon.places[link.b].kind == "junction")
    into = (junction, door, room.id)
    for way in either_way(into):
        read = orderings([Stroke(way, np.zeros((2, 2)))], dungeon)
        assert [order[0].places for order in read] == [into, into[::-1]]


def test_only_a_gate_carries_the_last_stroke_off() -> None:
    dungeon, find, door = next(
        (dungeon, find, door)
        for card in catalogue().cards
        for dungeon in [Table((PlacedCard(card.id, 0, 0, 0),)).dungeon]
        for find in dungeon.places.values()
        for door in dungeon.places.values()
        if find.kind == "room_find"
        and find.find == "barrel"
        and door.kind == "door"
        and door.room == find.room
    )
    start = min(dungeon.open_openings)
    line = np.zeros((2, 2))
    ((only,),) = orderings([Stroke((start, door.id, str(find.room), find.id), line)], dungeon)
    assert only.places == (start, door.id, find.room)


def test_a_line_that_shows_is_doubted_where_it_ends_in_the_middle_of_nowhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, walk = next(past_a_stop())
    drawn = {frozenset(step) for step in itertools.pairwise(walk)}
    last = frozenset(walk[-2:])

    def seen(ink: InkMap, dungeon: Dungeon) -> tuple[LinkEvidence, ...]:
        del ink
        nats = {True: 30.0, False: -30.0}
        return tuple(
            LinkEvidence(
                7.0 if {link.a, link.b} == last else nats[frozenset((link.a, link.b)) in drawn],
                -30.0,
                1.0,
                1.0,
                np.array(link.line_mm),
                10.0,
            )
            for link in dungeon.links
        )

    monkeypatch.setattr("vision.path.read.measure_links", seen)
    reading = read(table)
    assert reading.path[0] in either_way(walk)
    (doubt,) = [doubt for doubt in reading.doubts if doubt.reason == "faint"]
    assert doubt.others[0][0] in either_way(walk[:-1])
    # by the ink the line runs on, and a line ends sooner at what stops it: 7 nats against 3
    assert doubt.behind == pytest.approx(4.0)


def past_a_stop() -> Iterator[tuple[Table, tuple[str, ...]]]:
    """Tables of one card on which a walk from the outer edge passes a monster and ends at the next
    junction."""
    for card in catalogue().cards:
        table = Table((PlacedCard(card.id, 0, 0, 0),))
        dungeon = table.dungeon
        for find in dungeon.places.values():
            if find.kind != "find" or find.find != "monster":
                continue
            to_edge = way(dungeon, find.id, lambda link: link.kind == "corridor", to_outer=True)
            for link in dungeon.neighbours[find.id]:
                beyond = dungeon.places[link.b]
                if to_edge and beyond.kind == "junction" and beyond.id not in to_edge:
                    yield table, (*to_edge[::-1], beyond.id)
