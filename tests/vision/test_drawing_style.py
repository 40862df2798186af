"""Decks drawn otherwise: what their drawing measures, and that lines on them are read as on our own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from drawn_cards import Table, catalogue
from other_deck import BOARD, PAPER, Look, other_deck

from scorer.catalogue import Catalogue, load_catalogue
from scorer.record import PlacedCard
from vision.ink.likelihood import read_ink
from vision.marks import find_rings, read_marks
from vision.path.read import read_path
from vision.path.style import DrawingStyle, measure_style, style_of

WALK = (
    *("0.w1", "0.f1", "0.j1", "0.f2", "0.d1", "0.A", "0.d3", "0.f3", "0.e2"),
    *("1.e1", "1.j1", "1.f1", "1.w1"),
)


def test_the_open_deck_measures_what_its_readers_were_tuned_with() -> None:
    style = measure_style(catalogue())
    assert style.corridor_mm == pytest.approx(6.3, abs=0.3)
    assert style.icon_mm == pytest.approx(7.5, abs=0.3)


@pytest.mark.parametrize(
    "look", [PAPER, BOARD, replace(PAPER, corridor_mm=9.0, icon_mm=6.0, rock=(90, 40, 20))]
)
def test_a_deck_is_measured_on_its_art(look: Look, tmp_path: Path) -> None:
    style = measure_style(other_deck(tmp_path, look))
    assert style.corridor_mm == pytest.approx(look.corridor_mm, abs=0.4)
    assert style.icon_mm == pytest.approx(look.icon_mm, abs=0.5)


def test_what_a_catalogue_tells_is_not_measured(tmp_path: Path) -> None:
    deck = other_deck(tmp_path, PAPER)
    told = msgspec.structs.replace(deck, corridor_width_mm=5.0, icon_mm=3.0)
    assert style_of(told) == DrawingStyle(5.0, 3.0)
    half = msgspec.structs.replace(deck, corridor_width_mm=5.0)
    half.__dict__["_folder"] = tmp_path
    assert style_of(half) == DrawingStyle(5.0, measure_style(deck).icon_mm)


def test_a_catalogue_without_art_or_corridors_has_the_usual_shares(tmp_path: Path) -> None:
    deck = other_deck(tmp_path, PAPER)
    bare = Catalogue(name="bare", game="none", cards=deck.cards, card_size_mm=(50.0, 50.0))
    assert measure_style(bare) == DrawingStyle(5.0, 6.0)
    blank = msgspec.structs.replace(
        deck,
        cards=tuple(msgspec.structs.replace(card, nodes=(), edges=(), rooms=()) for card in deck.cards),
        card_size_mm=(50.0, 50.0),
    )
    blank.__dict__["_folder"] = tmp_path
    assert measure_style(blank) == DrawingStyle(5.0, 6.0)


def test_the_measurement_is_kept_until_the_art_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAYMARK_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "deck"
    first = style_of(other_deck(folder, PAPER))
    counted: list[Catalogue] = []

    def measure(deck: Catalogue) -> DrawingStyle:
        counted.append(deck)
        return first

    monkeypatch.setattr("vision.path.style.measure_style", measure)
    assert style_of(load_catalogue(folder)) == first
    assert not counted
    (file,) = (tmp_path / "cache").iterdir()
    file.write_bytes(b"cut off")
    assert style_of(load_catalogue(folder)) == first
    assert len(counted) == 1
    art = cv2.imread(str(folder / "K1.png"))
    assert art is not None
    cv2.imwrite(str(folder / "K1.png"), art[:-1])
    style_of(load_catalogue(folder))
    assert len(counted) == 2


@pytest.mark.parametrize(
    ("look", "pen", "aside", "beyond_mm"),
    [
        pytest.param(PAPER, "purple", 0.2, 0.5, id="square corners, narrow corridors, small icons"),
        pytest.param(BOARD, "red", 0.33, 2.8, id="dark floors, wide corridors, large icons"),
        pytest.param(BOARD, "white", 0.33, 2.8, id="a light pen on dark floors", marks=pytest.mark.long),
    ],
)
def test_a_line_and_its_marks_are_read(
    look: Look, pen: str, aside: float, beyond_mm: float, tmp_path: Path
) -> None:
    """`aside`: how far from the corridor's middle the hand keeps, as a share of its width; `beyond_mm`: how
    far outside the icons it circles them."""
    deck = other_deck(tmp_path, look)
    cards = (PlacedCard("K1", 0, 0, 0), PlacedCard("K2", look.size_mm[0], 0, 180))
    table = Table(cards, pen=pen, deck=deck)
    table.walk(WALK, aside * look.corridor_mm)
    for find in ("0.f2", "0.A1", "1.f2"):
        table.ring(find, look.icon_mm / 2 + beyond_mm)
    struck = np.asarray(table.dungeon.places["1.f3"].at_mm)
    table.draw(struck + look.icon_mm / 2 * np.array([[-1.0, 1.0], [1.0, -1.0]]))
    photo, layout = table.photo()
    ink = read_ink(photo.pixels, layout.poses, deck)
    rings = find_rings(ink, table.dungeon)
    reading = read_path(ink, table.dungeon, rings)
    assert reading.path in ((WALK,), (WALK[::-1],))
    marks = read_marks(rings)
    assert (set(marks.circled), marks.struck) == ({"0.f2", "0.A1", "1.f2"}, ("1.f3",))
