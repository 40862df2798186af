"""Marks: finds circled or struck through, beside a path that passes them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_cards import Table, catalogue, random_walk

from scorer.record import PlacedCard
from vision.ink import PX_PER_MM, read_ink
from vision.marks import MarkReading, find_rings, read_marks, without_rings
from vision.path import read_path


def read(table: Table) -> MarkReading:
    photo, layout = table.photo()
    ink = read_ink(photo.pixels, layout.poses, catalogue())
    rings = find_rings(ink, table.dungeon)
    reading = read_path(ink, table.dungeon, rings)
    return read_marks(ink, table.dungeon, rings, [stroke.line_mm for stroke in reading.strokes])


def rich_cards() -> list[str]:
    """The cards with most finds."""

    def finds(card_id: str) -> int:
        card = catalogue().card(card_id)
        return sum(n.find is not None for n in card.nodes) + sum(len(room.finds) for room in card.rooms)

    ids = [card.id for card in catalogue().cards if card.kind == "dungeon"]
    return sorted(ids, key=lambda card: (-finds(card), card))


@pytest.mark.parametrize("rank", [0, 1, 2])
def test_every_other_find_circled(rank: int) -> None:
    table = Table((PlacedCard(rich_cards()[rank], 0, 0, 0),), pen="black")
    finds = sorted(place.id for place in table.dungeon.places.values() if place.find)
    for place in finds[::2]:
        table.ring(place)
    marks = read(table)
    assert set(marks.circled) == set(finds[::2])
    assert marks.struck == ()


def test_a_path_through_finds_is_no_mark() -> None:
    table = Table((PlacedCard(rich_cards()[3], 0, 0, 180),), pen="red")
    table.walk(max((random_walk(table.dungeon, seed) for seed in range(20)), key=len))
    assert read(table) == MarkReading((), (), ())


def test_struck_and_circled_on_the_path() -> None:
    for card in rich_cards():
        table = Table((PlacedCard(card, 0, 0, 0),), pen="blue")
        walks = (random_walk(table.dungeon, seed) for seed in range(30))
        met = [(walk, [p for p in walk if table.dungeon.places[p].kind == "find"]) for walk in walks]
        walk, finds = max(met, key=lambda pair: len(pair[1]))
        if len(finds) >= 2:
            break
    table.walk(walk)
    table.ring(finds[0])
    table.ring(finds[1])
    table.strike(finds[1])
    marks = read(table)
    assert set(marks.circled) == set(finds[:2])
    assert marks.struck == (finds[1],)


def test_rings_are_set_aside() -> None:
    table = Table((PlacedCard(rich_cards()[0], 0, 0, 0),))
    find = next(place.id for place in table.dungeon.places.values() if place.find)
    table.ring(find)
    photo, layout = table.photo()
    ink = read_ink(photo.pixels, layout.poses, catalogue())
    assert ink.evidence.max() > 3
    spared = without_rings(ink, find_rings(ink, table.dungeon))
    assert (spared.evidence > 1).sum() < 0.1 * (ink.evidence > 1).sum()


@pytest.mark.parametrize(
    ("nats", "circled", "doubtful"),
    [
        pytest.param(0.3, False, False, id="an icon misjudged"),
        pytest.param(0.9, False, True, id="too faint to tell"),
        pytest.param(2.5, True, False, id="a pen's"),
    ],
)
def test_a_ring_is_as_dark_as_ink(nats: float, circled: bool, doubtful: bool) -> None:
    table = Table((PlacedCard(rich_cards()[0], 0, 0, 0),))
    photo, layout = table.photo()
    ink = read_ink(photo.pixels, layout.poses, catalogue())
    find = next(place for place in table.dungeon.places.values() if place.find)
    evidence = np.full_like(ink.evidence, -2.0)
    column, row = ink.to_px(np.asarray(find.at_mm)).round().astype(int).tolist()
    cv2.circle(evidence, (column, row), round(4.8 * PX_PER_MM), nats, round(1.5 * PX_PER_MM))
    ink = replace(ink, evidence=evidence, film=None)
    marks = read_marks(ink, table.dungeon, find_rings(ink, table.dungeon), [])
    assert (find.id in marks.circled, find.id in marks.doubtful) == (circled, doubtful)


def test_a_card_without_finds_has_no_marks() -> None:
    empty = Table((PlacedCard(rich_cards()[-1], 0, 0, 0),))
    photo, layout = empty.photo()
    ink = read_ink(photo.pixels, layout.poses, catalogue())
    marks = read_marks(ink, empty.dungeon, find_rings(ink, empty.dungeon), [])
    assert marks.circled == ()
