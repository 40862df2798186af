"""What is too much to be looked into is told: each cap of the path reader makes a question of its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from drawn_cards import Table, catalogue, random_walk

from scorer.dungeon import Dungeon
from scorer.record import PlacedCard
from vision.ink.ink_map import InkMap
from vision.ink.likelihood import read_ink
from vision.parameters import varied
from vision.path.link_evidence import LinkEvidence, measure_links
from vision.path.read import PathReading, read_path
from vision.path.residual_ink import Leftover
from vision.scan import scan_layout


def read(table: Table) -> PathReading:
    photo, layout = table.photo()
    return read_path(read_ink(photo.pixels, layout.poses, catalogue()), table.dungeon)


def cut_off(reading: PathReading) -> list[str]:
    """Where the reading says that there was too much to look into."""
    doubts = [doubt for doubt in reading.doubts if doubt.reason == "too-much"]
    assert all(doubt.about == "path" and doubt.others == () for doubt in doubts)
    return [doubt.place for doubt in doubts]


@pytest.fixture
def table() -> Table:
    """A walk from edge to edge over one card."""
    table = Table((PlacedCard("D21", 0, 0, 0),))
    table.walk(random_walk(table.dungeon, 5))
    return table


def crossing() -> tuple[Table, str]:
    """Two lines that cross at a junction of four ways, and the junction."""
    for card in catalogue().cards:
        table = Table((PlacedCard(card.id, 0, 0, 0),))
        for place in table.dungeon.places.values():
            ways = table.dungeon.neighbours[place.id]
            if place.kind == "junction" and len(ways) == 4 and all(len(way.line) > 1 for way in ways):
                lengths = [np.linalg.norm(np.diff(way.line_mm, axis=0), axis=1).sum() for way in ways]
                if all(way.kind == "corridor" for way in ways) and min(lengths) > 8:
                    for way in ways:
                        table.draw(np.array(way.line_mm))
                    return table, place.id
    raise AssertionError("no card of the deck has a crossroads")


def test_a_plain_walk_is_looked_into_wholly(table: Table) -> None:
    assert cut_off(read(table)) == []


def test_orders_and_directions(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.path.read.MOST_ORDERINGS", 1)
    reading = read(table)
    assert cut_off(reading) == [reading.path[0][0]]


def test_strokes(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table((PlacedCard("D21", 0, 0, 0), PlacedCard("D04", 63, 0, 0)))
    for card in range(2):
        alone = Table((PlacedCard(table.cards[card].card, 0, 0, 0),)).dungeon
        table.walk(tuple(f"{card}{place[1:]}" for place in random_walk(alone, 5, 6)))
    assert len(read(table).path) == 2
    assert cut_off(read(table)) == []
    monkeypatch.setattr("vision.path.read.MOST_TURNED", 1)
    monkeypatch.setattr("vision.path.stroke_order.MOST_TURNED", 1)
    assert cut_off(read(table)) == [read(table).path[1][0]]


def test_weak_links(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def half_sure(ink: InkMap, dungeon: Dungeon) -> tuple[LinkEvidence, ...]:
        return tuple(
            replace(seen, score=float(np.clip(seen.score, -30, 1.0))) for seen in measure_links(ink, dungeon)
        )

    monkeypatch.setattr("vision.path.read.measure_links", half_sure)
    monkeypatch.setattr("vision.path.alternatives._MOST_WEAK", 40)
    assert cut_off(read(table)) == []
    monkeypatch.setattr("vision.path.alternatives._MOST_WEAK", 1)
    assert len(cut_off(read(table))) == 1


def test_pairings_of_lines_that_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    table, junction = crossing()
    assert cut_off(read(table)) == []
    # every pairing is a doubt: there are two besides the one that was read
    with varied({"vision.path.parameters.MEETINGS.doubt_nats": 100.0}):
        asked = {doubt.place: doubt for doubt in read(table).doubts if doubt.reason == "crossing"}
        assert len(asked[junction].others) == 2
        assert cut_off(read(table)) == []
        monkeypatch.setattr("vision.path.read._MOST_PAIRINGS", 1)
        assert cut_off(read(table)) == [junction]


def test_lines_that_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    table, junction = crossing()
    monkeypatch.setattr("vision.path.strokes._MOST_ARMS", 3)
    assert junction in cut_off(read(table))


def test_pieces_of_ink_beside_the_path(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    places = [place.id for place in table.dungeon.places.values() if place.kind == "junction"][:2]
    left = tuple(Leftover(np.zeros((1, 2)), 9.0, place) for place in (places[0],) * 3 + (places[1],))
    monkeypatch.setattr("vision.path.read.unexplained", lambda *_: left[:3])
    assert cut_off(read(table)) == []
    monkeypatch.setattr("vision.path.read.unexplained", lambda *_: left)
    assert cut_off(read(table)) == [places[1]]


def test_a_third_line_in_one_corridor() -> None:
    def drawn(offsets_mm: tuple[float, ...]) -> Table:
        table = Table((PlacedCard("D04", 0, 0, 0),), width_mm=0.8)
        walks = (random_walk(table.dungeon, seed, 4) for seed in range(60))
        edge_to_edge = min((walk for walk in walks if walk and "0.A" not in walk), key=len)
        for offset in offsets_mm:
            table.walk(edge_to_edge, offset)
        return table

    assert cut_off(read(drawn((-1.0, 1.0)))) == []
    assert len(cut_off(read(drawn((-1.9, 0.0, 1.9))))) == 1


def test_a_scan_that_was_cut_short_is_not_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table((PlacedCard("D21", 0, 0, 0),))
    left = tuple(Leftover(np.zeros((1, 2)), 9.0, "0.w1") for _ in range(4))
    monkeypatch.setattr("vision.path.read.unexplained", lambda *_: left)
    photo, layout = table.photo()
    scan = scan_layout(photo, layout, catalogue())
    (question,) = [question for question in scan.questions if question.name == "path:too-much:0.w1"]
    assert question.reason_en and question.reason_ja and question.alternatives == ()
    assert not scan.sure
