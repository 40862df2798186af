"""The measure of tables on which groups draw: the truth fed back is right in all, known mistakes are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from shared_readings import open_deck

from scorer.mapmasters.cooperative.game import COOPERATIVE
from scorer.mapmasters.cooperative.rules.record import TableRecord
from scorer.record import Marks, make_record
from vision.cards.pose import CardPose
from vision.groups.pens import Owner
from vision.groups.scan import GroupScan, SeenLine
from vision.questions import REASONS, Question, with_names
from vision.scan import SeenPhoto
from waymark.bench import tables
from waymark.bench.folder import KnownTable, tables_asked
from waymark.bench.players import PLAYERS, PlayerName
from waymark.bench.table_players import TablePlayed
from waymark.bench.table_report import table_report
from waymark.bench.table_truth import TableKnown
from waymark.bench.tables import TableMeasured, measure_table
from waymark.bench.truth import TableTruth, game_of_truth, read_table_truth
from waymark.review.groups import assess_groups

FILE = Path(__file__).parents[2] / "samples" / "group_photos" / "table-of-four-groups.truth.json"
TRUTH = read_table_truth(FILE, COOPERATIVE, open_deck())
RECORD: TableRecord = COOPERATIVE.rules.parse_record(bytes(TRUTH.tableau))


def as_it_is() -> GroupScan:
    """The truth as a reading."""
    up = [number for number, card in enumerate(TRUTH.cards) if card.card is not None]
    number_of = {str(true): str(number) for number, true in enumerate(up)}

    def named(place: str) -> str:
        index, _, local = place.partition(".")
        return f"{number_of[index]}.{local}"

    groups = [group.group for group in RECORD.groups]
    lines: list[SeenLine] = []
    for name, paths in groupby(sorted(RECORD.paths, key=lambda path: path.group), lambda path: path.group):
        strokes = tuple(tuple(map(named, stroke)) for path in paths for stroke in path.path)
        owner = Owner(groups.index(name))
        lines.append(SeenLine(len(lines), (0, 0, 0), owner, (strokes,), (), Marks(), ()))
    return GroupScan(
        SeenPhoto(TRUTH.photo.width, TRUTH.photo.height),
        tuple(RECORD.cards[number].placed for number in up),
        tuple(
            CardPose(card.card or "", card.rotation, card.corners, 1.0)
            for card in (TRUTH.cards[number] for number in up)
        ),
        tuple(lines),
        (),
        {},
    )


def measured(scan: GroupScan, monkeypatch: pytest.MonkeyPatch, truth: TableTruth = TRUTH) -> TableMeasured:
    def read(photos: Sequence[Any], *told: Any) -> GroupScan:
        return scan

    monkeypatch.setattr(tables, "read_groups", read)
    monkeypatch.setattr(tables, "load_photo", lambda photo: photo)
    return measure_table([b""], ["table.jpg"], truth, open_deck(), COOPERATIVE)


def test_the_truth_fed_back_is_right_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    row = measured(as_it_is(), monkeypatch)
    assert row.every_card_right
    assert row.lines == row.lines_right == row.lines_exact == 4
    assert (row.result_right, row.right) == (True, True)
    assert [row.players[player].right for player in PLAYERS] == [True, True]


def test_lines_given_to_each_others_groups_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    scan = as_it_is()
    first, second, *others = scan.lines
    mixed = replace(first, owner=second.owner), replace(second, owner=first.owner)
    row = measured(replace(scan, lines=(*mixed, *others)), monkeypatch)
    assert (row.lines_right, row.lines_exact, row.right) == (2, 2, False)


def test_where_a_line_ends_people_know_before_it_is_told_whose_it_is() -> None:
    scan = as_it_is()
    first, second, *_ = scan.lines
    *strokes, last = first.path
    whole = make_record(scan.placed, first.path, catalogue=open_deck().name)
    shorter = replace(
        first,
        owner=Owner(second.owner.group, (first.owner.group,)),
        paths=((*strokes, last[:-1]),),
        questions=with_names(
            [Question("path", last[-2], ("-", "-"), *REASONS["faint"].pair, None, (whole,))]
        ),
    )
    told, terms = {"table": bytes(TRUTH.tableau)}, COOPERATIVE.rules.settings.make({})
    others = {"owner:0": RECORD.groups[second.owner.group].group}
    now = assess_groups(replace(scan, lines=(shorter,)), open_deck(), COOPERATIVE, told, terms, others)
    (question,) = (each for each in now.questions if each.name.startswith("path:faint"))
    answered = TableKnown(TRUTH, open_deck(), COOPERATIVE, terms).answer(now, question)
    assert answered is not None
    assert [path.path for path in answered.record.paths][-1][-1][-1] == last[-1]


def test_who_taps_the_first_answer_leaves_open_what_nothing_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two groups' inks are alike, and their lines were given to each other: the careful player mends it."""
    scan = as_it_is()
    first, second, *others = scan.lines
    mixed = tuple(
        replace(line, owner=Owner(other.owner.group, (line.owner.group,)))
        for line, other in ((first, second), (second, first))
    )
    row = measured(replace(scan, lines=(*mixed, *others)), monkeypatch)
    careful, hurried = row.players["careful"], row.players["hurried"]
    assert (careful.right, careful.sure) == (True, True)
    assert (hurried.sure, hurried.left_open > 0) == (False, True)


def test_a_card_that_lies_upside_down_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    scan = as_it_is()
    first, *others = scan.cards
    turned = replace(first, corners=(*first.corners[2:], *first.corners[:2]))
    row = measured(replace(scan, cards=(turned, *others)), monkeypatch)
    assert (row.card_count - row.cards_right, row.cards_extra) == (1, 1)


def test_a_photo_that_shows_a_part_is_measured_by_its_cards() -> None:
    assert TRUTH.is_whole
    narrow = TableTruth(TRUTH.tableau, TRUTH.cards, replace_size(TRUTH, 1200))
    assert not narrow.is_whole
    assert set(narrow.shown) < set(narrow.face_up)


def replace_size(truth: TableTruth, width: int) -> Any:
    return type(truth.photo)(width, truth.photo.height)


def test_photos_of_one_table_are_read_alone_and_together() -> None:
    narrow = TableTruth(TRUTH.tableau, TRUTH.cards, replace_size(TRUTH, 1200))
    known = {
        name: KnownTable(Path(name), open_deck(), seen, COOPERATIVE)
        for name, seen in (("a-close.jpg", narrow), ("whole.jpg", TRUTH))
    }
    assert tables_asked(known) == [("a-close.jpg",), ("whole.jpg",), ("whole.jpg", "a-close.jpg")]


def test_a_truth_of_a_table_is_told_from_others() -> None:
    assert game_of_truth(FILE, [open_deck()]) == (COOPERATIVE, open_deck())
    versus = FILE.parent.parent / "photos" / "table-07.truth.json"
    assert game_of_truth(versus, [open_deck()]) is None


def test_figures_tell_what_is_sure_and_wrong_before_and_after_answers() -> None:
    right = TableMeasured(
        ("a",), whole=True, card_count=20, cards_right=20, lines=3, lines_right=3, result_right=True,
        right=True, sure=True, players=dict.fromkeys(PLAYERS, TablePlayed(True, True, True)),
    )  # fmt: skip
    ends: dict[PlayerName, TablePlayed] = {
        "careful": TablePlayed(True, True, False),
        "hurried": TablePlayed(True, False, True),
    }
    wrong = replace(right, right=False, lines_right=2, players=ends)
    part = TableMeasured(("b",), whole=False, card_count=5, cards_right=5)
    told = table_report([right, wrong, part, replace(right, photos=("a", "b"))])
    figures = told["one_photo"]
    assert (figures["photos"], figures["lines_right"], figures["every_line_right"]) == (2, 5 / 6, 0.5)
    assert (figures["sure_count"], figures["sure_and_wrong_count"]) == (2, 1)
    assert {who: end["sure_and_wrong_count"] for who, end in figures["players"].items()} == {
        "careful": 0,
        "hurried": 1,
    }
    assert (told["together"]["photos"], told["parts"]["every_card_right"]) == (1, 1.0)
