"""Choosing links as a whole: the cheapest pairing of odd places, and how sure each link is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from drawn_cards import Table, catalogue
from long_rest import long_but
from numpy.typing import NDArray

from scorer.dungeon import Dungeon, build_dungeon
from scorer.record import PlacedCard
from vision.ink.ink_map import InkMap
from vision.ink.likelihood import read_ink
from vision.path.link_evidence import LinkEvidence, with_circles
from vision.path.map_matching import _rings, _there_and_back, doubtful, match, objective
from vision.path.priors import prior_score
from vision.path.t_join import _pair, _pair_by_blossoms, _pair_by_table
from vision.questions import DOUBT

Array = NDArray[np.float64]


def random_costs(count: int, seed: int, end: float) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    cost = rng.uniform(0.5, 12.0, (count, count))
    cost = (cost + cost.T) / 2
    np.fill_diagonal(cost, np.inf)
    return cost, rng.uniform(0.3, end, count)


def price(pairs: Sequence[tuple[int, int]], pair_cost: Array, last_cost: Array) -> float:
    assert sorted(i for pair in pairs for i in pair if i >= 0) == list(range(len(last_cost)))
    return float(sum(last_cost[i] if j < 0 else pair_cost[i, j] for i, j in pairs))


def cheapest(left: tuple[int, ...], pair_cost: Array, last_cost: Array) -> float:
    """By trying every pairing."""
    if not left:
        return 0.0
    first, rest = left[0], left[1:]
    prices = [last_cost[first] + cheapest(rest, pair_cost, last_cost)]
    for k, other in enumerate(rest):
        prices.append(pair_cost[first, other] + cheapest(rest[:k] + rest[k + 1 :], pair_cost, last_cost))
    return float(min(prices))


@pytest.mark.parametrize("count", [0, 1, 2, 3, 6, 9])
@pytest.mark.parametrize("end", [3.0, 20.0])
def test_few_places_are_paired_as_cheaply_as_can_be(count: int, end: float) -> None:
    costs = random_costs(count, count, end)
    pairs, paid = _pair(*costs)
    assert paid == pytest.approx(price(pairs, *costs))
    assert paid == pytest.approx(cheapest(tuple(range(count)), *costs))


@pytest.mark.parametrize("count", [5, 12, 16])
def test_tables_and_blossoms_agree(count: int) -> None:
    costs = random_costs(count, count, 9.0)
    assert price(_pair_by_blossoms(*costs), *costs) == pytest.approx(price(_pair_by_table(*costs), *costs))


def paired_greedily(pair_cost: Array, last_cost: Array) -> list[tuple[int, int]]:
    """The best pair of all first, then the best of the rest: what many places were once paired by."""
    left, pairs = set(range(len(last_cost))), []
    saved = last_cost[:, None] + last_cost[None] - pair_cost
    for k in np.argsort(-saved, axis=None):
        i, j = divmod(int(k), len(last_cost))
        if saved[i, j] > 0 and i in left and j in left:
            pairs.append((i, j))
            left -= {i, j}
    return pairs + [(i, -1) for i in left]


def test_many_places_are_paired_better_than_one_by_one() -> None:
    # twenty in a row: the shorter gaps, which a greedy choice takes first, leave both ends of the row alone
    at = np.cumsum([0.0, *([3.0, 2.9] * 10)][:20])
    pair_cost = np.abs(at[:, None] - at[None])
    np.fill_diagonal(pair_cost, np.inf)
    last_cost = np.full(20, 20.0)
    pairs, paid = _pair(pair_cost, last_cost)
    assert sorted(pairs) == [(k, k + 1) for k in range(0, 20, 2)]
    assert paid == pytest.approx(30.0)
    assert price(paired_greedily(pair_cost, last_cost), pair_cost, last_cost) > 60


def scored(seed: int) -> tuple[Dungeon, tuple[LinkEvidence, ...]]:
    """Two cards whose ink says something about every link, at random."""
    ids = [card.id for card in catalogue().cards if card.kind == "dungeon"]
    rng = np.random.default_rng(seed)
    cards = (PlacedCard(ids[seed], 0, 0, 0), PlacedCard(ids[seed + 30], 63, 44, 180))
    dungeon = build_dungeon(catalogue(), cards)
    return dungeon, tuple(
        LinkEvidence(
            float(rng.normal(-3, 8)),
            float(rng.normal(-8, 8)),
            1.0,
            1.0,
            np.array(link.line_mm),
            0.0 if link.kind == "fall" else 10.0,
        )
        for link in dungeon.links
    )


@pytest.mark.parametrize("seed", long_but(range(6), 0, 1, 2, 3, 5))
def test_every_link_that_may_be_read_otherwise_is_told(seed: int) -> None:
    dungeon, evidence = scored(seed)
    matching = match(dungeon, evidence)
    links = [i for i, link in enumerate(dungeon.links) if link.kind != "crossing"]
    told = doubtful(dungeon, evidence, matching, links)
    best = objective(dungeon, evidence, matching)
    others = {i: match(dungeon, evidence, forced={i: 0 if matching.times[i] else 1}) for i in links}
    close = [i for i in links if best - objective(dungeon, evidence, others[i]) <= DOUBT]
    assert close
    assert told is not None
    assert set(close) <= set(told)
    # and few besides, unless a line turns straight back or closes a ring: trying all is what it spares
    if not _there_and_back(dungeon, matching.times) and not _rings(dungeon, matching.times):
        assert len(told) < len(close) + len(links) / 3


def test_too_many_odd_places_for_a_table_are_tried_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    dungeon, evidence = scored(3)
    matching = match(dungeon, evidence)
    monkeypatch.setattr("vision.path.map_matching.MOST_TABLED", 1)
    monkeypatch.setattr("vision.path.t_join.MOST_TABLED", 1)
    assert match(dungeon, evidence).cost == pytest.approx(matching.cost)
    assert doubtful(dungeon, evidence, matching, [0]) is None


def seen_along(
    dungeon: Dungeon, scores: dict[frozenset[str], tuple[float, float]]
) -> tuple[LinkEvidence, ...]:
    """Ink along some links, by their ends: what speaks for a line and for a second one; nothing elsewhere."""
    nothing = (-12.0, -20.0)
    return tuple(
        LinkEvidence(
            *scores.get(frozenset((link.a, link.b)), nothing),
            1.0,
            1.0,
            np.array(link.line_mm),
            0.0 if link.kind == "fall" else 10.0,
        )
        for link in dungeon.links
    )


def a_way_and_a_spur() -> tuple[Dungeon, list[frozenset[str]], frozenset[str]]:
    """Two corridors from edge to edge, and one that leads off them to a place with no other line."""
    for card in catalogue().cards:
        dungeon = build_dungeon(catalogue(), (PlacedCard(card.id, 0, 0, 0),))
        for middle in dungeon.places.values():
            ways = [link for link in dungeon.neighbours[middle.id] if link.kind == "corridor"]
            outer = [link for link in ways if link.b in dungeon.open_openings]
            inner = [link for link in ways if dungeon.places[link.b].kind == "junction"]
            if len(outer) > 1 and inner:
                return (
                    dungeon,
                    [frozenset((link.a, link.b)) for link in outer[:2]],
                    frozenset((inner[0].a, inner[0].b)),
                )
    raise AssertionError("no card of the deck has such a place")


def walked(dungeon: Dungeon, evidence: Sequence[LinkEvidence]) -> dict[frozenset[str], int]:
    """How often each link is walked, of those that are."""
    times = match(dungeon, evidence).times
    return {frozenset((link.a, link.b)): n for link, n in zip(dungeon.links, times, strict=True) if n}


@pytest.mark.parametrize("single", [True, False])
def test_one_line_has_two_ends_and_a_faint_stretch_elsewhere_is_none_of_it(single: bool) -> None:
    dungeon, way, spur = a_way_and_a_spur()
    ends = {name for ends in (*way, spur) for name in ends}
    apart = next(
        link
        for link in dungeon.links
        if link.kind == "corridor" and link.a in dungeon.open_openings and not ends & {link.a, link.b}
    )
    stretch = frozenset((apart.a, apart.b))
    # more than its two ends cost where each group may have drawn a line of its own
    evidence = seen_along(dungeon, {**dict.fromkeys(way, (11.0, -20.0)), stretch: (9.0, -20.0)})
    times = match(dungeon, evidence, single=single).times
    drawn = {frozenset((link.a, link.b)) for link, n in zip(dungeon.links, times, strict=True) if n}
    assert drawn == ({*way} if single else {*way, stretch})


def test_a_false_way_that_was_scribbled_over_is_not_walked_there_and_back() -> None:
    dungeon, way, spur = a_way_and_a_spur()
    # a scribble is wide: it shows a little of a second line
    evidence = seen_along(dungeon, {**dict.fromkeys(way, (11.0, -20.0)), spur: (4.0, 4.5)})
    assert walked(dungeon, evidence) == dict.fromkeys(way, 1)


def test_a_way_there_and_back_with_two_plain_lines_is_walked_twice() -> None:
    dungeon, way, spur = a_way_and_a_spur()
    evidence = seen_along(dungeon, {**dict.fromkeys(way, (11.0, -20.0)), spur: (6.0, 12.0)})
    assert walked(dungeon, evidence) == {**dict.fromkeys(way, 1), spur: 2}


def test_a_loop_through_a_room_is_walked_whole_where_it_runs_on_its_own_line() -> None:
    dungeon = build_dungeon(catalogue(), (PlacedCard("D05", 0, 0, 0),))

    def link(a: str, b: str) -> frozenset[str]:
        return frozenset((f"0.{a}", f"0.{b}"))

    # the way from the door shows a little of a second line, the door itself nothing
    plain = dict.fromkeys([link("j3", "d4"), link("d3", "j1"), link("j1", "j2")], (11.0, -20.0))
    doors = {link("d4", "A"): (2.0, -1.0), link("d1", "A"): (5.4, -1.0), link("d3", "A"): (0.4, -1.0)}
    loop = walked(dungeon, seen_along(dungeon, {**plain, **doors, link("d1", "j1"): (11.9, 1.4)}))
    twice = dict.fromkeys([link("d1", "A"), link("d1", "j1")], 2)
    assert loop == {**dict.fromkeys([*plain, *doors], 1), **twice}


@pytest.mark.parametrize(("weakest", "closed"), [(-3.0, False), (3.0, True)])
def test_a_ring_that_meets_no_other_line_is_open_where_nothing_speaks_for_it(
    weakest: float, closed: bool
) -> None:
    dungeon = build_dungeon(catalogue(), (PlacedCard("D30", 0, 0, 0),))
    ring = [frozenset(("0.j1", "0.j3")), frozenset(("0.j3", "0.j4")), frozenset(("0.j4", "0.j1"))]
    scores = {**dict.fromkeys(ring, (11.0, -20.0)), ring[0]: (weakest, -20.0)}
    assert walked(dungeon, seen_along(dungeon, scores)) == dict.fromkeys(ring if closed else ring[1:], 1)


def test_a_circle_speaks_for_the_ways_to_its_find_where_something_hides_them() -> None:
    table = Table((PlacedCard("D30", 0, 0, 0),))
    dungeon = table.dungeon
    photo, layout = table.photo()
    ink = read_ink(photo.pixels, layout.poses, catalogue())
    number = next(k for k, link in enumerate(dungeon.links) if dungeon.places[link.a].kind == "find")
    link = dungeon.links[number]
    nothing = np.zeros_like(ink.visible)

    def worth(map_of_it: InkMap, *circled: str) -> float:
        hidden = [
            replace(each, seen=0.0)
            for each in seen_along(dungeon, {frozenset((link.a, link.b)): (0.0, -20.0)})
        ]
        return prior_score(dungeon, link, with_circles(hidden, map_of_it, dungeon, circled)[number])

    covered = replace(ink, visible=nothing)
    # what only its own ring hides tells nothing
    assert worth(covered) == worth(ink) == worth(ink, link.a) < 0 < worth(covered, link.a)
