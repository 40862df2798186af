"""Where else a group's line may end than its ink does."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
from dungeons import card, catalogue

from scorer.dungeon import Dungeon, build_dungeon
from scorer.record import PlacedCard
from vision.groups import parameters
from vision.groups.strokes import is_covered, led_on, over_seams, thinly_drawn
from vision.path.map_matching import Matching
from vision.path.read import PathReading
from vision.path.strokes import Stroke

CARDS = catalogue(card("S", "w1 j1 key1 j2 e1"), card("Z", "w1 j1 e1"))


def table() -> Dungeon:
    return build_dungeon(CARDS, (PlacedCard("S", 0, 0, 0), PlacedCard("Z", 63, 0, 0)))


def test_a_line_may_lead_on_by_a_way_that_is_thinly_inked() -> None:
    path = (("0.key1", "0.j2"),)
    (doubt,) = led_on(path, {frozenset(("0.j1", "0.key1"))}, table())
    assert (doubt.place, doubt.others) == ("0.key1", ((("0.j1", "0.key1", "0.j2"),),))


def test_it_does_not_lead_on_by_a_blank_way_or_over_what_is_walked_already() -> None:
    ways = {frozenset(("0.j1", "0.key1"))}
    assert not list(led_on((("0.key1", "0.j2"),), set(), table()))
    assert not list(led_on((("0.key1", "0.j2"), ("0.j1", "0.w1")), ways, table()))


def test_a_way_is_thinly_inked_where_so_much_of_it_is() -> None:
    links = [link for link in table().links if link.kind == "corridor"]
    shares = [parameters.STROKES.thin_coverage_share] + [0.0] * (len(links) - 1)
    seen = cast(Any, [SimpleNamespace(coverage=share) for share in shares])
    assert thinly_drawn(links, seen) == {frozenset((links[0].a, links[0].b))}


def test_something_stands_on_a_place_where_most_about_it_cannot_be_seen() -> None:
    seen = np.ones((88 * 6, 63 * 6), bool)
    x, y = table().places["0.j1"].at_mm
    hidden = seen.copy()
    hidden[round(y * 6) - 30 : round(y * 6) + 30, round(x * 6) - 30 : round(x * 6) + 30] = False

    def covered(visible: Any, name: str) -> bool:
        ink = SimpleNamespace(visible=visible, to_px=lambda at_mm: at_mm * 6)
        return is_covered(cast(Any, ink), table(), name)

    assert covered(hidden, "0.j1")
    assert not covered(seen, "0.j1")
    assert not covered(hidden, "1.e1"), "it lies beyond what this pen drew on"


def test_a_line_to_a_cards_edge_ends_on_the_next_card() -> None:
    read = PathReading((Stroke(("0.j2", "0.e1"), np.zeros((2, 2))),), (), (), Matching((), (), 0.0))
    assert over_seams(read, table()).path == (("0.j2", "0.e1", "1.w1"),)
