"""Marks: finds circled or struck through, beside a path that passes them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_cards import Table, catalogue, random_walk

from scorer.record import PlacedCard
from vision.asking import mark_confidence
from vision.cards.layout import Layout
from vision.ink.ink_map import PX_PER_MM
from vision.ink.likelihood import read_ink
from vision.marks import CHANNELS, SIDE, MarkReading, Rings, find_rings, mark_crops, read_marks, without_rings
from vision.photo.decode import Photo


def read(table: Table) -> MarkReading:
    photo, layout = table.photo()
    ink = read_ink(photo.pixels, layout.poses, catalogue())
    rings = find_rings(ink, table.dungeon)
    return read_marks(rings)


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


def test_a_ring_that_hardly_any_ink_shows_is_what_a_wipe_left() -> None:
    table = Table((PlacedCard(rich_cards()[0], 0, 0, 0),), pen="black")
    find, other = sorted(place.id for place in table.dungeon.places.values() if place.find)[:2]
    table.ring(find)
    table.ring(other)
    photo, layout = table.photo()
    ink = read_ink(photo.pixels, layout.poses, catalogue())
    assert set(read_marks(find_rings(ink, table.dungeon)).circled) == {find, other}
    film = np.full_like(ink.evidence, 0.9)
    evidence = ink.evidence.copy()
    x, y = ink.to_px(np.array(table.dungeon.places[find].at_mm)).round().astype(int).tolist()
    reach = round(8 * PX_PER_MM)
    part = (slice(max(y - reach, 0), y + reach), slice(max(x - reach, 0), x + reach))
    film[part], evidence[part] = 0.01, -2.0
    wiped = replace(ink, film=film, line_film=0.9, evidence=evidence)
    assert read_marks(find_rings(wiped, table.dungeon)).circled == (other,)


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


def blended(one: Table, other: Table, share: float) -> tuple[Photo, Layout]:
    """A photo of the first table with that share of what the other one has besides."""
    (bare, layout), (drawn, _) = one.photo(), other.photo()
    return Photo(cv2.addWeighted(drawn.pixels, share, bare.pixels, 1 - share, 0)), layout


@pytest.mark.parametrize(
    ("share", "circled"),
    [pytest.param(0.2, False, id="what a wipe left"), pytest.param(1.0, True, id="this round's")],
)
def test_a_ring_is_as_dark_as_the_path(share: float, circled: bool) -> None:
    path = Table((PlacedCard(rich_cards()[0], 0, 0, 0),))
    path.walk(max((random_walk(path.dungeon, seed) for seed in range(20)), key=len))
    ringed = replace(path, lines=[*path.lines])
    finds = [place.id for place in path.dungeon.places.values() if place.find]
    for find in finds:
        ringed.ring(find)
    photo, layout = blended(path, ringed, share)
    ink = read_ink(photo.pixels, layout.poses, catalogue())
    marks = read_marks(find_rings(ink, path.dungeon))
    assert set(marks.circled) == (set(finds) if circled else set())


def test_crops_are_alike_in_any_light() -> None:
    table = Table((PlacedCard(rich_cards()[0], 0, 0, 0),))
    find = next(place for place in table.dungeon.places.values() if place.find)
    table.ring(find.id)
    photo, layout = table.photo()
    bright, dark = (
        mark_crops(read_ink(pixels, layout.poses, catalogue()), np.array([find.at_mm]), 7.5)
        for pixels in (photo.pixels, (photo.pixels * 0.5).astype(np.uint8))
    )
    assert bright.shape == (1, CHANNELS, SIDE, SIDE)
    assert np.abs(bright).max() > 0.8
    assert np.abs(bright - dark).mean() < 0.03


def test_a_crop_is_blank_where_no_card_lies() -> None:
    photo, layout = Table((PlacedCard(rich_cards()[0], 0, 0, 0),)).photo()
    ink = read_ink(photo.pixels, layout.poses, catalogue())
    assert not mark_crops(ink, np.array([[-60.0, -60.0]]), 7.5).any()


def test_confidence_is_how_far_from_even_a_chance_is() -> None:
    rings = Rings(
        ("0.f1", "0.f2", "0.f3"),
        np.array([0.5, 0.99, 0.35]),
        np.array([0.1, 0.725, 0.49]),
        np.zeros((3, 48, 2)),
        np.ones(3),
    )
    marks = read_marks(rings)
    assert marks == MarkReading(("0.f1", "0.f2"), ("0.f2",), ("0.f1", "0.f3"))
    assert mark_confidence(rings, marks) == {"0.f1": 0.0, "0.f2": 1.0, "0.f3": 0.02}
    assert mark_confidence(rings, replace(marks, circled=()))["0.f2"] == 0.5


def test_that_a_find_is_not_marked_is_told_only_where_it_can_be_seen() -> None:
    rings = Rings(
        ("0.f1", "0.f2", "0.f3"),
        np.array([0.02, 0.02, 0.3]),
        np.array([0.01, 0.01, 0.01]),
        np.zeros((3, 48, 2)),
        np.array([1.0, 0.2, 1.0]),
    )
    assert mark_confidence(rings, read_marks(rings)) == {"0.f2": 0.0, "0.f3": 0.44}


def test_a_card_without_finds_has_no_marks() -> None:
    empty = Table((PlacedCard(rich_cards()[-1], 0, 0, 0),))
    photo, layout = empty.photo()
    ink = read_ink(photo.pixels, layout.poses, catalogue())
    marks = read_marks(find_rings(ink, empty.dungeon))
    assert marks.circled == ()
