"""Routes: the shortest walk between places, compared with every walk there is."""

from __future__ import annotations

import math
from itertools import pairwise

import dungeons
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.dungeon import Dungeon, build_dungeon
from scorer.record import PlacedCard
from scorer.routes import route_length_mm, route_through, routes_from, shortest_route

RING = dungeons.card("R", "w1 j1 sword1 j2 e1", "j1 j3 key1 j2", "pit1 j3", "u1 w2u", falls=["pit1 u1"])
ROOM = dungeons.card("M", "w1 Adw", "Ade e1", rooms={"A": "sword"})
CATALOGUE = dungeons.catalogue(RING, ROOM)


def dungeon(*names: str) -> Dungeon:
    return build_dungeon(CATALOGUE, [PlacedCard(name, 63.0 * k, 0.0, 0) for k, name in enumerate(names)])


def places(text: str) -> tuple[str, ...]:
    return tuple(name if "." in name else f"0.{name}" for name in text.split())


@pytest.mark.parametrize(
    ("start", "end", "walk"),
    [
        ("w1", "e1", "w1 j1 sword1 j2 e1"),
        ("key1", "j1", "key1 j3 j1"),
        ("j1", "j1", "j1"),
        ("pit1", "w2u", "pit1 u1 w2u"),
        ("e1", "1.e1", "e1 1.w1 1.Adw 1.A 1.Ade 1.e1"),
        # A pit is climbed only where nothing else leads out of it.
        ("w2u", "j3", "w2u u1 pit1 j3"),
        ("w1", "1.A1", "w1 j1 sword1 j2 e1 1.w1 1.Adw 1.A 1.A1"),
    ],
)
def test_the_shortest_walk(start: str, end: str, walk: str) -> None:
    assert shortest_route(dungeon("R", "M"), *places(f"{start} {end}")) == places(walk)


def test_a_walk_comes_by_the_places_it_is_led_through() -> None:
    assert route_through(dungeon("R"), places("w1 key1 e1")) == places("w1 j1 j3 key1 j2 e1")
    assert route_through(dungeon("R"), places("w1")) == places("w1")
    assert route_through(dungeon("R"), ()) is None


def test_what_is_to_be_avoided_is_walked_round_or_to_but_not_through() -> None:
    ring = dungeon("R")
    assert shortest_route(ring, "0.w1", "0.e1", avoid={"0.sword1"}) == places("w1 j1 j3 key1 j2 e1")
    assert shortest_route(ring, "0.w1", "0.sword1", avoid={"0.sword1"}) == places("w1 j1 sword1")
    assert shortest_route(ring, "0.w1", "0.e1", avoid={"0.j1"}) is None


def test_no_walk_leads_to_what_is_not_joined_or_not_there() -> None:
    apart = build_dungeon(CATALOGUE, [PlacedCard("R", 0, 0, 0), PlacedCard("M", 300, 0, 0)])
    assert shortest_route(apart, "0.w1", "1.w1") is None
    assert shortest_route(apart, "0.w1", "0.nowhere") is None
    assert routes_from(apart, "nowhere") == {}
    assert route_length_mm(apart, ("0.w1", "1.w1")) == math.inf


def walks(ring: Dungeon, here: str, end: str, been: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Every walk without a place twice."""
    if here == end:
        return [(*been, here)]
    return [
        walk
        for link in ring.neighbours[here]
        if link.b not in been
        for walk in walks(ring, link.b, end, (*been, here))
    ]


@given(names=st.lists(st.sampled_from(["R", "M"]), min_size=1, max_size=2), data=st.data())
def test_no_walk_is_shorter(names: list[str], data: st.DataObject) -> None:
    laid = dungeon(*names)
    start, end = (data.draw(st.sampled_from(sorted(laid.places))) for _ in "ab")
    every = walks(laid, start, end, ())
    found = routes_from(laid, start).get(end)
    assert (found is None) == (not every)
    if found is not None:
        assert all(laid.links_between(a, b) for a, b in pairwise(found))
        shortest = min(route_length_mm(laid, walk) for walk in every)
        assert route_length_mm(laid, found) == pytest.approx(shortest)
