"""Ghosts: what a wipe left of an old path is not read as this round's, and what may be either is asked."""

from __future__ import annotations

import itertools
from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_cards import Table, catalogue, random_walk
from long_rest import long_but

from scorer.record import PlacedCard
from vision.faint_pens import read_lines
from vision.ink.ink_map import InkMap, freshness, weighed
from vision.ink.likelihood import read_ink
from vision.path.read import PathReading, read_path
from vision.photo.decode import Photo


def two_cards(pen: str = "blue") -> Table:
    ids = [card.id for card in catalogue().cards if card.kind == "dungeon"]
    return Table((PlacedCard(ids[20], 0, 0, 0), PlacedCard(ids[31], 63, 44, 180)), pen=pen)


def walks() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """This round's walk, and an old one that shares few of its links."""
    found = [random_walk(two_cards().dungeon, seed) for seed in range(40)]
    long = [walk for walk in found if len(walk) >= 6]

    def shared(pair: tuple[tuple[str, ...], tuple[str, ...]]) -> int:
        steps = [{frozenset(step) for step in itertools.pairwise(walk)} for walk in pair]
        return len(steps[0] & steps[1])

    return min(itertools.permutations(long, 2), key=lambda pair: (shared(pair), -len(pair[1])))


def photo_with_ghost(table: Table, old: tuple[str, ...], share: float) -> Photo:
    """The table's photo with the old walk wiped to a share of its ink, smeared sideways."""
    before = replace(table, lines=[])
    before.walk(old)
    blank = replace(table, lines=[]).photo()[0].pixels.astype(np.float32)
    gone = blank - before.photo()[0].pixels
    left = 0.6 * cv2.GaussianBlur(gone, (0, 0), 2) + 0.4 * cv2.blur(gone, (31, 1))
    seen = table.photo()[0].pixels - share * left
    return Photo(np.clip(seen, 0, 255).astype(np.uint8))


def read(table: Table, photo: Photo) -> PathReading:
    return read_path(read_ink(photo.pixels, table.photo()[1].poses, catalogue()), table.dungeon)


@pytest.mark.parametrize("pen", long_but(["black", "blue", "red", "green"], 1))
def test_a_path_beside_a_ghost_is_read_without_it(pen: str) -> None:
    new, old = walks()
    table = two_cards(pen)
    table.walk(new)
    read_places = read(table, photo_with_ghost(table, old, 0.25)).path
    assert read_places in ((new,), (new[::-1],))


@pytest.mark.parametrize("pen", long_but(["black", "blue", "red"], 0))
def test_a_ghost_alone_is_no_path(pen: str) -> None:
    _, old = walks()
    table = two_cards(pen)
    assert read(table, photo_with_ghost(table, old, 0.2)).path == ()


def test_a_line_as_thin_as_a_strong_ghost_is_asked_about() -> None:
    new, _ = walks()
    table = two_cards()
    table.walk(new)
    ink = read_ink(table.photo()[0].pixels, table.photo()[1].poses, catalogue())
    assert ink.film is not None
    between = (0.43 * ink.line_film / np.median(ink.film[ink.evidence > 2])).astype(np.float32)
    reading = read_path(replace(ink, film=ink.film * between), table.dungeon)
    assert "ghost" in {doubt.reason for doubt in reading.doubts}


def test_a_thin_stretch_of_a_plain_line_is_no_ghost() -> None:
    new, _ = walks()
    table = two_cards()
    table.walk(new)
    ink = read_ink(table.photo()[0].pixels, table.photo()[1].poses, catalogue())
    assert ink.film is not None
    film = ink.film.copy()
    link = next(each for each in table.dungeon.links if {each.a, each.b} == set(new[:2]))
    left, top = np.floor(ink.to_px(np.min(link.line_mm, axis=0)) - 8).astype(int)
    right, bottom = np.ceil(ink.to_px(np.max(link.line_mm, axis=0)) + 8).astype(int)
    film[top:bottom, left:right] *= 0.43 * ink.line_film / np.median(film[ink.evidence > 2])
    reading = read_path(replace(ink, film=film), table.dungeon)
    assert reading.path in ((new,), (new[::-1],))
    assert any(each.fresh < 1 for each in reading.evidence)
    assert "ghost" not in {doubt.reason for doubt in reading.doubts}


@pytest.mark.long
def test_the_only_line_is_read_however_thin_and_asked_about() -> None:
    new, _ = walks()
    table, tried = two_cards(), []
    photo = photo_with_ghost(table, new, 0.2)

    def ink_of(faint: float) -> InkMap:
        tried.append(faint)
        return read_ink(photo.pixels, table.photo()[1].poses, catalogue(), faint=faint)

    ink, _, reading = read_lines(ink_of(1.0), ink_of, table.dungeon)
    assert reading.path in ((new,), (new[::-1],)) and ink.faint < 1 and len(tried) > 1
    # it may be an old one, and all marks with it
    whole = [doubt for doubt in reading.doubts if doubt.reason == "ghost" and doubt.others == ((),)]
    assert [(doubt.behind, doubt.unmarked) for doubt in whole] == [(0.0, True)]


@pytest.mark.long
def test_a_plain_line_is_looked_at_once() -> None:
    new, _ = walks()
    table = two_cards()
    table.walk(new)
    ink = read_ink(table.photo()[0].pixels, table.photo()[1].poses, catalogue(), faint=0.3)

    def fainter(faint: float) -> InkMap:
        raise AssertionError(faint)

    assert ink.faint == 1.0
    assert read_lines(ink, fainter, table.dungeon)[2].path in ((new,), (new[::-1],))


def test_only_what_is_thin_beside_the_plainest_lines_is_old() -> None:
    assert freshness(0.2, 0.9) == 0.0
    assert freshness(0.8, 0.9) == freshness(float("nan"), 0.9) == 1.0
    assert 0 < freshness(0.42, 1.0) < 1
    assert weighed(20.0, 1.0) == 20.0
    assert weighed(20.0, 0.0) < -5 < weighed(1.0, 0.0) < 0
    assert weighed(-20.0, 0.0) == -20.0
