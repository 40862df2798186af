"""The metric is tested before it is trusted: the truth fed as a reading is perfect, a known mistake costs
what it should."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from scorer.catalogue import Catalogue, parse_catalogue
from scorer.errors import Code, WaymarkError
from scorer.record import Marks, PlacedCard, make_record, path_backwards
from scorer.text import written
from waymark.bench.metric import Hits, Measured, compare, match_cards, unread
from waymark.bench.report import report
from waymark.bench.truth import Seen, SeenCard, find_photos, read_truth
from waymark.bench.worst import worst

MM = 10.0  # pixels; a card is 880 pixels high, so 4% are 35.2


def straight_card(card_id: str, find: str) -> dict[str, object]:
    """A corridor from left to right with a find on it."""
    return {
        "id": card_id,
        "kind": "dungeon",
        "art": "",
        "nodes": [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
            {"id": "f1", "kind": "find", "find": find, "at": [31, 22]},
            {"id": "e1", "kind": "opening", "side": "right", "at": [63, 22]},
        ],
        "edges": [
            {"kind": "corridor", "level": "main", "from": "w1", "to": "f1"},
            {"kind": "corridor", "level": "main", "from": "f1", "to": "e1"},
        ],
    }


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    cards = [straight_card("C1", "coin"), straight_card("C2", "barrel"), straight_card("C3", "monster")]
    whole = {"format": "waymark-catalogue/1", "name": "trial", "game": "mapmasters", "cards": cards}
    return parse_catalogue(json.dumps(whole | {"card_size_mm": [63, 88]}).encode())


def corners(placed: PlacedCard) -> tuple[tuple[float, float], ...]:
    left, top, right, bottom = placed.x * MM, placed.y * MM, (placed.x + 63) * MM, (placed.y + 88) * MM
    around = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return tuple(around[2:] + around[:2] if placed.rotation == 180 else around)


def seen(
    placed: Sequence[PlacedCard],
    path: Sequence[Sequence[str]] = (("0.w1", "0.f1", "0.e1", "1.w1", "1.f1", "1.e1"),),
    marks: Marks | None = None,
    sure: bool = True,
) -> Seen:
    return Seen(
        tableau=make_record(
            tuple(placed), tuple(map(tuple, path)), marks=marks or Marks(circled=("0.f1", "1.f1"))
        ),
        cards=tuple(SeenCard(card.card, card.rotation, corners(card)) for card in placed),  # type: ignore[arg-type]
        sure=sure,
    )


PAIR = (PlacedCard("C1", 0, 0), PlacedCard("C2", 63, 0))


def test_the_truth_as_a_reading_is_perfect(catalogue: Catalogue) -> None:
    row = compare("a.jpg", seen(PAIR), seen(PAIR), catalogue)
    assert row.every_card_right and row.tableau_exact and row.path_exact and row.counts_exact
    assert row.escape_right and row.marks.f1 == 1.0 and row.sure
    total = report([row, row])["total"]
    for measure in ("every_card_right", "tableau_exact", "path_exact", "counts_exact", "marks_f1", "sure"):
        assert total[measure] == 1.0
    assert total["exact_among_sure"] == 1.0
    assert total["sure_and_wrong"] == 0.0


def test_the_order_of_the_cards_does_not_matter(catalogue: Catalogue) -> None:
    other_way = seen(
        PAIR[::-1],
        path=[("1.w1", "1.f1", "1.e1", "0.w1", "0.f1", "0.e1")],
        marks=Marks(circled=("0.f1", "1.f1")),
    )
    row = compare("a.jpg", seen(PAIR), other_way, catalogue)
    assert row.every_card_right and row.tableau_exact and row.path_exact and row.marks.f1 == 1.0


def test_the_origin_and_a_half_turn_of_the_whole_tableau_do_not_matter(catalogue: Catalogue) -> None:
    truth = seen((PlacedCard("C1", 0, 0, 180), PlacedCard("C2", 63, 0, 180)))
    turned = (PlacedCard("C1", 500, 7), PlacedCard("C2", 437, 7))
    read = msgspec.structs.replace(
        seen(turned), cards=tuple(msgspec.structs.replace(card, rotation=0) for card in truth.cards)
    )
    row = compare("a.jpg", truth, read, catalogue)
    assert row.every_card_right and row.tableau_exact


def test_one_card_turned_the_wrong_way_is_wrong(catalogue: Catalogue) -> None:
    three = (*PAIR, PlacedCard("C3", 126, 0))
    read = (*PAIR, PlacedCard("C3", 126, 0, 180))
    row = compare("a.jpg", seen(three), seen(read), catalogue)
    assert (row.cards_right, row.card_count, row.tableau_exact) == (2, 3, False)


@pytest.mark.parametrize(("off_px", "right"), [(35.0, 2), (35.4, 1)])
def test_corners_are_right_within_four_percent_of_the_height(
    catalogue: Catalogue, off_px: float, right: int
) -> None:
    read = seen(PAIR)
    moved = list(read.cards[0].corners)
    moved[2] = (moved[2][0] + off_px, moved[2][1])
    cards = (msgspec.structs.replace(read.cards[0], corners=tuple(moved)), read.cards[1])
    row = compare("a.jpg", seen(PAIR), msgspec.structs.replace(read, cards=cards), catalogue)
    assert row.cards_right == right


@pytest.mark.parametrize(("off_mm", "exact"), [(2.9, True), (7.0, False)])
def test_places_on_the_table_agree_within_three_millimetres(
    catalogue: Catalogue, off_mm: float, exact: bool
) -> None:
    three = (*PAIR, PlacedCard("C3", 126, 0))
    read = seen(three)
    shifted = (*PAIR, PlacedCard("C3", 126, off_mm))
    read = msgspec.structs.replace(read, tableau=msgspec.structs.replace(read.tableau, cards=shifted))
    assert compare("a.jpg", seen(three), read, catalogue).tableau_exact is exact


def test_a_missed_card_and_an_invented_one(catalogue: Catalogue) -> None:
    walk = [("0.w1", "0.f1", "0.e1")]
    one = seen(PAIR[:1], walk, Marks(circled=("0.f1",)))
    missed = compare("a.jpg", seen(PAIR), one, catalogue)
    assert (missed.cards_right, missed.cards_extra, missed.every_card_right) == (1, 0, False)
    assert not missed.tableau_exact and not missed.path_exact and not missed.counts_exact
    invented = compare("a.jpg", one, seen(PAIR, walk, Marks(circled=("0.f1",))), catalogue)
    assert (invented.cards_right, invented.cards_extra, invented.every_card_right) == (1, 1, False)


def test_cards_of_one_id_are_matched_by_where_they_lie() -> None:
    twins = (PlacedCard("C1", 0, 0), PlacedCard("C1", 63, 0))
    assert match_cards(seen(twins).cards, seen(twins[::-1]).cards) == [(0, 1), (1, 0)]


def test_the_whole_path_backwards_counts_where_both_ways_are_legal(catalogue: Catalogue) -> None:
    there = [("0.w1", "0.f1", "0.e1", "1.w1", "1.f1", "1.e1")]
    row = compare("a.jpg", seen(PAIR, there), seen(PAIR, path_backwards(there)), catalogue)
    assert row.path_exact and row.counts_exact


def test_backwards_does_not_count_where_it_is_illegal(catalogue: Catalogue) -> None:
    cards = (PlacedCard("C1", 0, 0), PlacedCard("C3", 63, 0))
    # Walked this way the path ends at the monster; the other way it would walk through it without a sword.
    there = [("0.w1", "0.f1", "0.e1", "1.w1", "1.f1")]
    row = compare("a.jpg", seen(cards, there), seen(cards, path_backwards(there)), catalogue)
    assert not row.path_exact and not row.counts_exact


def test_a_place_too_few_is_not_exact(catalogue: Catalogue) -> None:
    short = seen(PAIR, [("0.w1", "0.f1", "0.e1", "1.w1", "1.f1")])
    row = compare("a.jpg", seen(PAIR), short, catalogue)
    assert (row.path_exact, row.counts_exact, row.escape_right) == (False, True, False)


def test_marks_are_counted_both_ways(catalogue: Catalogue) -> None:
    truth = seen(PAIR, marks=Marks(circled=("0.f1", "1.f1"), struck=("1.f1",)))
    read = seen(PAIR, marks=Marks(circled=("0.f1",), struck=("0.f1", "1.f1")))
    row = compare("a.jpg", truth, read, catalogue)
    assert (row.circled, row.struck) == (Hits(1, 1, 0), Hits(1, 0, 1))
    assert row.marks.f1 == pytest.approx(2 * 2 / (2 * 2 + 2))


def test_means_are_told_not_read(catalogue: Catalogue) -> None:
    cards = (PlacedCard("C3", 0, 0),)
    walk = [("0.w1", "0.f1", "0.e1")]
    truth = seen(cards, walk, Marks())
    truth = msgspec.structs.replace(
        truth, tableau=msgspec.structs.replace(truth.tableau, fairy_tokens={"sword": 1})
    )
    row = compare("a.jpg", truth, seen(cards, walk, Marks()), catalogue)
    assert row.counts_exact and row.escape_right


def test_totals_over_rows_with_known_mistakes() -> None:
    def row(exact: bool, sure: bool, right: int, **more: Any) -> Measured:
        return Measured(
            photo="x",
            card_count=4,
            cards_right=right,
            counts_exact=exact,
            escape_right=more.pop("escape_right", exact),
            sure=sure,
            **more,
        )

    rows = [
        row(True, True, 4, seconds=1.0, decode_seconds=0.1, peak_mb=300.0, stages_ms={"ink": 100.0}),
        row(False, True, 3, seconds=3.0, decode_seconds=0.2, peak_mb=500.0, stages_ms={"ink": 300.0}),
        row(True, False, 4, seconds=2.0, peak_mb=400.0, stages_ms={"ink": 200.0}),
        row(False, False, 0, error="no card"),
    ]
    total = report(rows)["total"]
    assert total["photos"] == 4 and total["unread"] == 1
    assert total["every_card_right"] == 0.5
    assert total["cards_right"] == pytest.approx(11 / 16)
    assert total["counts_exact"] == 0.5
    assert total["sure"] == 0.5
    assert total["exact_among_sure"] == 0.5
    assert total["sure_and_wrong"] == 0.25
    assert (total["seconds_median"], total["seconds_worst"], total["peak_mb"]) == (2.0, 3.0, 500.0)
    assert total["stages_ms_median"] == {"ink": 200.0}
    assert total["decodes_median"] == pytest.approx(12.5)
    worked = row(True, True, 4, seconds=9.0, cpu_seconds=0.6, decode_seconds=0.9, decode_cpu_seconds=0.1)
    assert report([worked])["total"]["cpu_decodes_median"] == pytest.approx(6.0)


def test_a_photo_with_nothing_to_score_has_to_be_refused(catalogue: Catalogue) -> None:
    nothing = Seen(make_record((), ()), ())
    refused = unread(
        "table.jpg", nothing, WaymarkError(Code.NO_CARD, written("No card.", "カードがありません。"))
    )
    broken = unread(
        "broken.jpg", nothing, WaymarkError(Code.CUT_OFF, written("Cut off.", "途中で切れています。"))
    )
    assert refused.refused and refused.outcome_exact and refused.every_card_right
    assert not broken.refused and not broken.outcome_exact
    # A card that is not there, with no line on it: worth nothing, and wrong all the same.
    made_up = compare("poster.jpg", nothing, seen(PAIR[:1], [], Marks()), catalogue)
    assert not made_up.outcome_exact and not made_up.every_card_right
    missed = unread(
        "far.jpg", seen(PAIR), WaymarkError(Code.NO_CARD, written("No card.", "カードがありません。"))
    )
    assert not missed.refused and missed.marks == Hits(0, 2, 0)
    total = report([refused, broken, made_up, missed])["total"]
    assert (total["unread"], total["refused"]) == (2, 1)
    assert (total["sure_and_wrong_count"], total["counts_exact"]) == (1, 0.25)
    assert [row.photo for row in worst([refused, made_up, missed])] == ["poster.jpg", "far.jpg"]


def test_a_sure_reading_with_the_wrong_escape_is_wrong() -> None:
    row = Measured(photo="x", card_count=1, counts_exact=True, escape_right=False, sure=True)
    total = report([row])["total"]
    assert (total["counts_exact"], total["sure_and_wrong"], total["exact_among_sure"]) == (1.0, 1.0, 0.0)


def test_nothing_sure_is_no_share_of_the_sure() -> None:
    total = report([Measured(photo="x", card_count=1)])["total"]
    assert total["exact_among_sure"] is None


# --- folders ------------------------------------------------------------------------------------------------


def test_photos_are_found_beside_their_truths(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("b.jpg", "b.truth.json", "deep/a.HEIC", "deep/a.truth.json", "lonely.jpg", "b.overlay.png"):
        (tmp_path / name).write_bytes(b"")
    assert [photo.name for photo, _ in find_photos(tmp_path)] == ["b.jpg", "a.HEIC"]


def test_a_folder_without_truths(tmp_path: Path) -> None:
    with pytest.raises(WaymarkError) as caught:
        find_photos(tmp_path)
    assert caught.value.code == "no-photos"


def test_a_truth_keeps_fields_that_are_not_compared(tmp_path: Path, catalogue: Catalogue) -> None:
    file = tmp_path / "a.truth.json"
    file.write_bytes(msgspec.json.encode(msgspec.to_builtins(seen(PAIR)) | {"renderer": "cycles", "seed": 7}))
    assert read_truth(file, [catalogue]) == seen(PAIR)


@pytest.mark.parametrize("path", [None, [("0.w1", "0.zz")]])
def test_a_truth_that_is_none_or_of_other_cards(
    tmp_path: Path, catalogue: Catalogue, path: list[tuple[str, str]] | None
) -> None:
    file = tmp_path / "a.truth.json"
    file.write_bytes(b"{}" if path is None else msgspec.json.encode(seen(PAIR, path)))
    with pytest.raises(WaymarkError, match=r"a\.truth\.json") as caught:
        read_truth(file, [catalogue])
    assert caught.value.code == "not-a-truth"
