"""Where stretches of path join the rest, on what was read in photos that ship."""

from __future__ import annotations

from dataclasses import replace

import msgspec
from shared_readings import open_deck, reading_of
from trial_card import one_card_catalogue

from scorer.dungeon import Dungeon, build_dungeon
from scorer.mapmasters.rules.teleports import parted_strokes
from scorer.mapmasters.rules.terms import Terms
from scorer.record import Marks, PlacedCard, Record, make_record
from vision.questions import REASONS, Question
from waymark.review.referee_cache import Table
from waymark.review.tableau.assess import assess
from waymark.review.tableau.edits import draw
from waymark.review.tableau.joins import Parted, ways_by, ways_to_join


def read(photo: str) -> tuple[Record, Dungeon]:
    record = reading_of(photo).tableau
    return record, build_dungeon(open_deck(), record.cards)


def parted_of(record: Record) -> Parted:
    table = Table(open_deck())
    return lambda path: table.parted(msgspec.structs.replace(record, path=path), Terms())


def test_a_stretch_that_begins_right_beside_the_end_of_the_path_goes_on_from_there() -> None:
    record, dungeon = read("table-07")
    (whole,) = record.path
    cut = msgspec.structs.replace(record, path=(whole[:-3],))
    # from the place after the last one that was left; drawn from either end
    for places in (whole[-3:], whole[-3:][::-1]):
        assert draw(cut, dungeon, places, parted_of(cut)).path == (whole,)
    assert draw(cut, dungeon, whole[-3:], parted_of(cut), join=False).path == (whole[:-3], whole[-3:])


def test_a_stretch_in_the_middle_that_was_left_out_is_joined_at_both_sides() -> None:
    record, dungeon = read("table-07")
    (whole,) = record.path
    parts = msgspec.structs.replace(record, path=(whole[:4], whole[6:]))
    assert parted_strokes(dungeon, parts) == (1,)
    assert draw(parts, dungeon, whole[3:7], parted_of(parts)).path == (whole,)


def test_the_likeliest_way_to_join_a_line_that_parts_is_the_one_that_was_drawn() -> None:
    record, dungeon = read("table-10")
    joins = ways_to_join(record, dungeon, parted_of(record)(record.path))
    assert [join.cost_mm for join in joins] == sorted(join.cost_mm for join in joins)
    (path,) = joins[0].path
    at = path.index("0.d1")
    assert path[at : at + 7] == ("0.d1", "0.A", "0.d2", "0.j7", "0.d2", "0.A", "0.d1")
    assert ways_to_join(msgspec.structs.replace(record, path=(path,)), dungeon, ()) == ()
    assert parted_of(record)((path,)) == ()


def test_a_circle_taken_away_by_hand_ends_the_doubt_about_it() -> None:
    # kept before readers told how sure they are of a circle: the reading itself asks about it
    read, terms = reading_of("table-07"), Terms(primary="sword", secondary="pit")
    walked = {name for stroke in read.tableau.path for name in stroke}
    places = build_dungeon(open_deck(), read.tableau.cards).places.values()
    off = next(place.id for place in places if place.kind == "find" and place.id not in walked)
    marks = Marks(circled=(*read.tableau.marks.circled, off), struck=read.tableau.marks.struck)
    asked = Question("path", off, (), *REASONS["off-path"].pair, name=f"path:off-path:{off}")
    scan = replace(
        read,
        mark_confidence={},
        tableau=msgspec.structs.replace(read.tableau, marks=marks),
        questions=(*read.questions, asked),
    )
    assert off in {each.place for each in assess(scan, Table(open_deck()), terms).open_questions}
    left = assess(scan, Table(open_deck()), terms, corrected=read.tableau)
    assert left.sure and not left.open_questions


def test_what_can_only_be_walked_from_its_far_end_is_where_the_path_begins() -> None:
    """Down a pit at one end of the line: nobody walks up it, so all of the line runs the other way."""
    pit = one_card_catalogue(
        [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
            {"id": "p1", "kind": "find", "find": "pitfall", "at": [31, 22]},
            {"id": "u1", "kind": "junction", "at": [31, 22], "level": "underground"},
            {"id": "e1", "kind": "opening", "side": "right", "at": [63, 22], "level": "underground"},
        ],
        [("w1", "p1"), ("u1", "e1")],
        [("p1", "u1")],
    )
    below = make_record((PlacedCard("C1", 0, 0),), (("0.e1", "0.u1"),))
    ways = ways_by(below, build_dungeon(pit, below.cards), "0.w1")
    assert ways[0].path == (("0.w1", "0.p1", "0.u1", "0.e1"),) and not ways[0].lost_mm
