"""A board that was read becomes the game's record: what is in doubt is asked, what is asked can be answered,
and two boards tell a turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from clear_labels import check_labels
from hypothesis import given, settings
from hypothesis import strategies as st
from labyrinth2_scans import assessed, open_tiles, piece, pushed, scan, turn_of, with_tile

from scorer.board_record import Board, BoardPlayer, GridSize
from vision.boards.seen import BoardScan, HeldPiece, HiddenCell
from vision.photo.decode import photo_of_pixels
from waymark.bench.board_players import play
from waymark.bench.boards import measure, total
from waymark.bench.players import PLAYERS
from waymark.picture.board_overlay import draw_board, draw_turn, shortest_way
from waymark.review.boards.answers import board_answer, turn_answer
from waymark.review.boards.assess import BoardAssessment, assess_turn
from waymark.review.boards.certainty import doubtful_cells
from waymark.review.boards.records import board_json


def players(*seats: tuple[str, str, str]) -> Board:
    told = tuple(BoardPlayer(name=name, piece=f"explorer-{of}", seat=side) for name, of, side in seats)  # type: ignore[arg-type]
    return Board(game="labyrinth2", grid=GridSize(columns=7, rows=7), players=told, to_move=seats[0][0])


def names(now: BoardAssessment) -> list[str]:
    """What is asked, but for the last: to look over the whole, which is asked of every photo."""
    (*asked, last) = [question.name for question in now.questions]
    assert last == "board:looked-over"
    return asked


def test_what_nobody_tells_is_not_sure_before_somebody_has_put_down_what_lies_there() -> None:
    now = assessed(scan())
    assert now.settled and not now.sure and names(now) == []
    answered = assessed(scan(), answers={"board:looked-over": 0})
    assert answered.questions == () and not answered.sure
    by_hand = assessed(scan(), corrected=now.board)
    assert by_hand.sure and by_hand.questions == ()


def test_what_is_certain_is_sure_where_people_have_told_who_plays() -> None:
    told = players(("Aya", "red", "bottom"), ("Ben", "blue", "top"))
    holding = tuple(msgspec.structs.replace(each, holds={}) for each in told.players)
    told = msgspec.structs.replace(told, players=holding)
    now = assessed(scan(), told)
    assert now.sure and now.questions == ()
    assert not assessed(scan()).sure, "who plays was not told"
    likely = piece("gargoyle-1", (4, 2), confidence=0.97)
    pieces = tuple(likely if each.piece == likely.piece else each for each in scan().pieces)
    assert assessed(scan(pieces=pieces), told).settled and not assessed(scan(pieces=pieces), told).sure
    taken = scan(held=(held("chip-1", "bottom", 400),))
    assert names(assessed(taken, told)) == [] and not assessed(taken, told).sure
    assert not assessed(with_tile(scan(), (1, 0), turn_confidence=0.975), told).sure


def test_a_board_that_is_read_plainly_leaves_nothing_in_doubt() -> None:
    now = assessed(scan())
    assert now.settled
    assert now.board.spare is not None and now.board.spare[0].at == "top3"
    assert [player.name for player in now.board.players] == ["red", "blue"]
    assert now.ruling.next.value == 3


def test_the_answer_has_the_form_of_board_games() -> None:
    answer = board_answer(assessed(scan()), "ja")["scan"]
    lying = answer["board"]
    assert lying["format"] == "waymark-board/1" and lying["grid"] == {"columns": 7, "rows": 7}
    order = [each["tile"] for each in (*lying["tiles"], *lying["spare"])]
    order += [each["piece"] for each in lying["pieces"]]
    assert [card["card"] for card in answer["cards"]] == order
    assert "corners" in answer["cards"][0] and "at_px" in answer["cards"][-1]
    assert msgspec.json.decode(msgspec.json.encode(answer)) is not None


@pytest.mark.parametrize(("line", "at"), [(1, "left1"), (2, None), (None, None)])
def test_a_spare_lies_at_an_arrow_only_where_there_is_one(line: int | None, at: str | None) -> None:
    spare = scan().spare
    assert spare is not None
    side: Any = None if line is None else "left"
    now = assessed(scan(spare=replace(spare, side=side, line=line)))
    assert now.board.spare is not None and now.board.spare[0].at == at


def test_a_tile_in_doubt_is_asked_and_an_answer_swaps_the_two() -> None:
    read = with_tile(scan(), (1, 0), tile_confidence=0.6, options=(("L03", 90),))
    now = assessed(read)
    assert not now.settled and names(now) == ["tile:tile:1,0"]
    assert now.questions[0].cell == (1, 0) and now.questions[0].crop_px == (200, 100, 300, 200)
    there = next(each.cell for each in read.tiles if each.tile == "L03")
    was = next(each.tile for each in read.tiles if each.cell == (1, 0))
    then = assessed(read, answers={"tile:tile:1,0": 2})
    tiles = {each.cell: each.tile for each in then.board.tiles or ()}
    assert then.settled and tiles[1, 0] == "L03" and tiles[there] == was


def test_a_turn_that_opens_the_same_sides_is_not_asked_about() -> None:
    # the first loose tile is straight: turned by half it is the same corridor, by a quarter it is not
    assert names(assessed(with_tile(scan(), (1, 0), turn_confidence=0.5))) == ["rotation:rotation:1,0"]
    alone = with_tile(scan(), (1, 0), tile_confidence=0.5, options=())
    assert not assessed(alone).settled


def test_a_facing_in_doubt_is_asked_with_the_other_sides() -> None:
    pieces = (piece("dragon", (3, 3), facing="left", facing_confidence=0.5), *scan().pieces[1:])
    now = assessed(scan(pieces=pieces))
    assert names(now) == ["facing:facing:3,3"]
    turned = assessed(scan(pieces=pieces), answers={"facing:facing:3,3": 3})
    facing = next(each.facing for each in turned.board.pieces or () if each.piece == "dragon")
    assert facing == "right" and turned.settled


@pytest.mark.parametrize("missing", ["gargoyle-1", "dragon"])
def test_a_figure_that_stands_on_every_board_is_missed(missing: str) -> None:
    left = tuple(each for each in scan().pieces if each.piece != missing)
    now = assessed(scan(pieces=left))
    assert f"piece:missing:{missing}" in names(now) and not now.settled


def test_a_cell_that_nobody_sees_is_asked_about() -> None:
    now = assessed(scan(hidden=(HiddenCell((5, 5), 0.9, True),)))
    assert names(now) == ["piece:hidden:5,5"] and not now.settled
    assert assessed(scan(hidden=(HiddenCell((5, 5), 0.9, True),)), answers={"piece:hidden:5,5": 1}).settled


def test_who_taps_the_first_answer_settles_nothing_that_is_hardly_likely() -> None:
    hidden = scan(hidden=(HiddenCell((5, 5), 0.9, True),))
    (question, _) = assessed(hidden).questions
    assert [option.words.en for option in question.options[:2]] == ["I cannot tell", "nothing"]
    tapped = assessed(hidden, answers={question.name: 0})
    assert not tapped.settled and names(tapped) == [], "who cannot tell is not asked again"
    likely = assessed(with_tile(scan(), (1, 0), tile_confidence=0.9, options=(("L03", 90),)))
    assert likely.questions[0].options[0].words.en == "I01"


def test_something_like_a_chip_is_asked_and_put_there_by_an_answer() -> None:
    now = assessed(scan(unread=(piece("chip-4", (4, 4), confidence=0.3, options=("chip-1",)),)))
    question, _ = now.questions
    assert [option.words.en for option in question.options] == [
        "I cannot tell", "nothing", "chip-4", "chip-1",
    ]  # fmt: skip
    assert question.options[3].board.pieces is not None
    assert question.options[3].board.pieces[-1].piece == "chip-1"


def test_two_answers_stand_together() -> None:
    pieces = (piece("dragon", (3, 3), facing="left", facing_confidence=0.5), *scan().pieces[1:])
    read = with_tile(scan(pieces=pieces), (1, 0), tile_confidence=0.6, options=(("L03", 90),))
    now = assessed(read, answers={"facing:facing:3,3": 2, "tile:tile:1,0": 2})
    tiles = {each.cell: each.tile for each in now.board.tiles or ()}
    facing = next(each.facing for each in now.board.pieces or () if each.piece == "dragon")
    assert now.settled and tiles[1, 0] == "L03" and facing == "top"


def test_without_a_spare_the_board_is_not_sure() -> None:
    assert "spare:spare" in names(assessed(scan(spare=None)))


def test_a_corrected_board_is_what_people_say() -> None:
    board = assessed(scan()).board
    now = assessed(scan(hidden=(HiddenCell((5, 5), 0.9, True),)), corrected=board)
    assert now.settled and now.board == board


def held(name: str, seat: str, x: float) -> HeldPiece:
    return HeldPiece(name, seat, (x, 850.0 if seat == "bottom" else 50.0), 1.0, 11.0)  # type: ignore[arg-type]


def test_what_lies_before_a_player_is_theirs() -> None:
    lying = (
        held("chip-1", "bottom", 400),
        held("chip-1", "bottom", 430),
        held("chip-2", "top", 300),
        held("coin", "top", 348),
    )
    told = players(("Aya", "red", "bottom"), ("Ben", "blue", "top"))
    now = assessed(scan(held=lying), told)
    assert [player.holds for player in now.board.players] == [{"chip-1": 2}, {"chip-2": 1, "coin": 1}]
    assert now.board.to_move == "Aya"
    owners = [card["owner"] for card in board_answer(now)["scan"]["cards"] if "owner" in card]
    assert owners == ["Aya", "Aya", "Ben", "Ben"]


def test_a_heap_of_coins_is_nobodys_and_of_a_single_coin_nobody_can_tell() -> None:
    told = players(("Aya", "red", "bottom"), ("Ben", "blue", "top"))
    heap = (held("coin", "top", 300), replace(held("coin", "top", 340), at_px=(325.0, 75.0)))
    row = (held("chip-1", "bottom", 400), held("coin", "bottom", 448))
    assert [player.holds for player in assessed(scan(held=(*heap, *row)), told).board.players] == [
        {"chip-1": 1, "coin": 1}, {},
    ]  # fmt: skip
    alone = assessed(scan(held=(held("coin", "top", 300),)), told)
    assert [player.holds for player in alone.board.players] == [{}, None]


def test_what_may_go_on_beyond_the_picture_is_not_told() -> None:
    told = players(("Aya", "red", "bottom"), ("Ben", "blue", "top"))
    cut = replace(held("chip-1", "bottom", 400), at_px=(400.0, 889.0))
    assert assessed(scan(held=(cut,)), told).board.players[0].holds is None
    unseen = scan(held=(), seats_in_view=("top",))
    assert [player.holds for player in assessed(unseen, told).board.players] == [None, {}]


def test_two_photos_tell_the_push() -> None:
    turn = turn_of(pushed())
    assert turn.ruling.push.at == "top3" and turn.ruling.push.rotation == 90
    assert turn.settled and not turn.sure and turn.ruling.taken is None
    answer = turn_answer(turn)
    assert answer["ruling"]["format"] == "waymark-turn-ruling/1" and len(answer["scans"]) == 2


def test_two_photos_of_the_same_board_tell_that_nobody_pushed() -> None:
    turn = turn_of(scan())
    assert next(each.rule for each in turn.ruling.violations) == "no-push"


def test_what_one_photo_shows_badly_the_other_tells() -> None:
    unsure = with_tile(pushed(), (5, 5), turn_confidence=0.6)
    assert turn_of(unsure).settled
    other = (next(each for each in pushed().tiles if each.cell == (5, 5)).rotation + 90) % 360
    turn = turn_of(with_tile(pushed(), (5, 5), rotation=other, turn_confidence=0.6))
    assert turn.settled and turn.ruling.push.at == "top3"


def test_a_tile_that_both_photos_show_surely_is_not_overruled() -> None:
    other = (next(each for each in pushed().tiles if each.cell == (5, 5)).rotation + 90) % 360
    turn = turn_of(with_tile(pushed(), (5, 5), rotation=other))
    assert next(each.rule for each in turn.ruling.violations) == "not-a-push"
    likely = turn_of(with_tile(pushed(), (5, 5), rotation=other, turn_confidence=0.9))
    assert not likely.settled


def test_a_doubt_that_changes_the_turn_leaves_it_open() -> None:
    known = dict.fromkeys(["turn_confidence"], 0.6)
    before = assessed(with_tile(scan(), (5, 5), **known))
    after = assessed(with_tile(pushed(), (5, 5), **known))
    assert not assess_turn(before, after, "red").settled


def test_a_doubt_that_changes_the_turn_and_no_board_is_asked() -> None:
    unsure = with_tile(scan(), (5, 5), turn_confidence=0.6)
    after = assessed(with_tile(pushed(), (5, 5), turn_confidence=0.6))
    quiet = replace(after, questions=after.questions[-1:])
    asked = [each.name for each in assess_turn(assessed(unsure), quiet, "red").after.questions]
    assert asked == ["rotation:rotation:5,5", "board:looked-over"]


def test_a_figure_that_one_photo_hides_stands_where_the_other_has_it() -> None:
    hidden = [each for each in pushed().pieces if each.piece == "gargoyle-1"]
    without = replace(pushed(), pieces=tuple(each for each in pushed().pieces if each not in hidden))
    assert len(hidden) == 1 and not turn_of(without).ruling.problems
    rules = [each.rule for each in turn_of(without).ruling.violations]
    assert "not-carried" not in rules


def photo() -> Any:
    return photo_of_pixels(np.full((900, 900, 3), 120, np.uint8))


@pytest.mark.long
def test_the_picture_marks_what_is_asked() -> None:
    plain = np.asarray(draw_board(photo(), assessed(scan()), "en"))
    asked = np.asarray(draw_board(photo(), assessed(scan(hidden=(HiddenCell((5, 5), 0.9, True),))), "en"))
    assert plain.shape[1] == asked.shape[1]
    differs = cv2.absdiff(plain[: plain.shape[1]], asked[: plain.shape[1]]).max(axis=2) > 40
    ys, xs = np.nonzero(differs[: 900 * plain.shape[1] // 900])
    # round the cell's middle, at 650 of 900 px
    assert abs(np.median(xs) / plain.shape[1] - 650 / 900) < 0.06 and len(ys)


@pytest.mark.long
def test_a_turn_is_drawn_with_an_arrow_along_the_pushed_line() -> None:
    drawn = np.asarray(draw_turn(photo(), turn_of(pushed()), "en")).astype(int)
    sky = np.abs(drawn - (86, 180, 233)).sum(axis=2) < 30
    ys, xs = np.nonzero(sky)
    width = drawn.shape[1]
    assert abs(np.median(xs) / width - 450 / 900) < 0.02 and np.ptp(ys) > 0.7 * width


@st.composite
def crowded(draw: st.DrawFn) -> BoardScan:
    """A board with pieces anywhere on it, several on a cell, and others close together beside it."""
    names = [each.piece for each in scan().pieces]
    cells = draw(st.lists(st.tuples(*[st.integers(0, 6)] * 2), min_size=len(names), max_size=len(names)))
    pieces = tuple(piece(name, cell) for name, cell in zip(names, cells, strict=True))
    beside = draw(st.lists(st.tuples(st.integers(815, 880), st.integers(20, 880)), max_size=12))
    held = tuple(HeldPiece("coin", "right", (float(x), float(y)), 1.0, 14.0) for x, y in beside)
    return scan(pieces=pieces, held=held, hidden=(HiddenCell(draw(st.sampled_from(cells)), 0.9, True),))


@settings(max_examples=12)
@given(crowded())
def test_no_label_covers_a_piece_or_another_label(read: BoardScan) -> None:
    shown = check_labels(lambda: draw_board(photo(), assessed(read), "en")).placed
    pieces = [each.piece for each in read.pieces] + [each.piece for each in read.held]
    told = [label for label in shown if label.lines[0] in pieces]
    assert len(told) == len(pieces)
    # A coin's radius; the picture is larger than the photo.
    assert min(np.hypot(*(label.nearest - label.at)) for label in told) > 14 * 1500 / 900 - 1


def test_the_shortest_way_follows_corridors() -> None:
    board = assessed(scan()).board
    assert shortest_way(board, open_tiles(), (0, 0), (0, 0)) == [(0, 0)]
    for end in ((6, 6), (2, 2)):
        way = shortest_way(board, open_tiles(), (0, 0), end)
        if way is not None:
            steps = [abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in pairwise(way)]
            assert set(steps) == {1}


def test_a_figure_that_nobody_plays_with_is_no_piece() -> None:
    told = players(("Aya", "red", "top"), ("Ken", "green", "left"))
    now = assessed(scan(), told)
    assert "explorer-blue" not in [each.piece for each in now.board.pieces or ()]
    assert names(now) == ["owner:whose:Ken"], "whose it is comes before that a figure is missing"
    not_his = assessed(scan(), told, answers={"owner:whose:Ken": 0})
    assert names(not_his) == ["piece:missing:explorer-green"]
    his = assessed(scan(), told, answers={"owner:whose:Ken": 1})
    assert his.board.players[1].piece == "explorer-blue" and names(his) == []


def test_what_was_not_found_is_asked_with_the_cells_in_which_it_may_be() -> None:
    pieces = tuple(each for each in scan().pieces if each.piece != "gargoyle-2")
    dark = (HiddenCell((1, 1), 0.5, True), HiddenCell((5, 5), 0.6, True))
    now = assessed(scan(pieces=pieces, hidden=dark))
    question = next(each for each in now.questions if each.name == "piece:missing:gargoyle-2")
    assert [option.words.en for option in question.options] == [
        "not to be seen in the photo", "column 2, row 2", "column 6, row 6", "not on the board",
    ]  # fmt: skip
    unseen = assessed(scan(pieces=pieces, hidden=dark), answers={question.name: 0})
    assert not unseen.settled and "piece:missing:gargoyle-2" not in names(unseen), "it is not asked again"
    nowhere = assessed(scan(pieces=pieces, hidden=dark), answers={question.name: 3})
    assert question.name not in {each.name for each in nowhere.doubts}
    there = assessed(scan(pieces=pieces, hidden=dark), answers={question.name: 1})
    assert ("gargoyle-2", (1, 1)) in [(each.piece, each.cell) for each in there.board.pieces or ()]


def test_what_may_well_stand_elsewhere_is_not_put_down_and_asked_with_its_likeliest_places() -> None:
    pieces = tuple(each for each in scan().pieces if each.piece != "gargoyle-2")
    maybe = (
        piece("gargoyle-2", (4, 4), confidence=0.05),
        piece("gargoyle-2", (1, 1), confidence=0.1),
        piece("explorer-green", (5, 1), confidence=0.2),
    )
    told = players(("Aya", "red", "top"), ("Ken", "blue", "left"))
    for unread, weak in ((maybe, ()), (maybe[:1], (piece("gargoyle-2", (1, 1), confidence=0.79),))):
        read = scan(pieces=(*pieces, *weak), unread=unread, hidden=(HiddenCell((5, 5), 0.6, True),))
        now = assessed(read, told)
        assert "gargoyle-2" not in [each.piece for each in now.board.pieces or ()]
        question = next(each for each in now.questions if each.name == "piece:missing:gargoyle-2")
        assert [option.words.en for option in question.options] == [
            "probably column 2, row 2", "column 2, row 2", "column 5, row 5", "column 6, row 6",
            "not to be seen in the photo", "not on the board",
        ]  # fmt: skip
        assert not now.settled and question.put == "gargoyle-2"


def test_a_guess_where_a_figure_stands_puts_it_there_and_settles_nothing() -> None:
    pieces = tuple(each for each in scan().pieces if each.piece != "gargoyle-2")
    weak = piece("gargoyle-2", (1, 1), confidence=0.6)
    read = scan(pieces=(*pieces, weak), hidden=(HiddenCell((5, 5), 0.6, True),))

    def stands(now: BoardAssessment) -> list[Any]:
        return [each.cell for each in now.board.pieces or () if each.piece == "gargoyle-2"]

    missing, hidden = "piece:missing:gargoyle-2", "piece:hidden:5,5"
    guessed = assessed(read, answers={missing: 0})
    assert stands(guessed) == [(1, 1)] and not guessed.settled and missing not in names(guessed)
    doubt = next(each for each in guessed.doubts if each.name == missing)
    others = [
        [each.cell for each in option.board.pieces or () if each.piece == doubt.put]
        for option in doubt.options
    ]
    assert others == [[(1, 1)], [(1, 1)], [(5, 5)], [], []]
    known = next(each for each in assessed(read).questions if each.name == hidden)
    number = next(k for k, each in enumerate(known.options) if each.piece == "gargoyle-2")
    assert stands(assessed(read, answers={missing: 0, hidden: number})) == [(5, 5)]


def test_a_doubted_figure_may_be_the_one_like_it_that_is_missing() -> None:
    kept = tuple(each for each in scan().pieces if not each.piece.startswith("explorer"))
    doubted = piece("explorer-blue", (6, 0), confidence=0.85, options=("explorer-green",))
    told = players(("Aya", "red", "top"), ("Ken", "blue", "left"))
    lost = assessed(scan(pieces=(*kept, doubted)), told)
    question = next(each for each in lost.questions if each.cell == (6, 0))
    words = [option.words.en for option in question.options]
    assert words[0] == "I cannot tell" and "explorer-red" in words
    found = assessed(scan(pieces=(*kept, doubted, piece("explorer-red", (0, 0)))), told)
    question = next(each for each in found.questions if each.cell == (6, 0))
    assert [option.words.en for option in question.options] == ["explorer-blue", "explorer-green", "nothing"]


def test_a_figure_is_put_down_where_it_is_likely() -> None:
    pieces = tuple(each for each in scan().pieces if each.piece != "gargoyle-2")
    likely = scan(pieces=(*pieces, piece("gargoyle-2", (1, 1), confidence=0.8)))
    assert ("gargoyle-2", (1, 1)) in [(each.piece, each.cell) for each in assessed(likely).board.pieces or ()]


def test_a_piece_at_the_edge_may_be_in_the_next_cell_or_nowhere() -> None:
    unsure = piece("chip-3", (2, 0), confidence=0.2, next_cell=(3, 0), disc=True)
    read = scan(pieces=(*scan().pieces[:-1], unsure))
    question = next(each for each in assessed(read).questions if each.about == "piece")
    assert [option.words.en for option in question.options] == [
        "I cannot tell", "chip-3", "column 4, row 1", "nothing",
    ]  # fmt: skip
    for option, cells in ((2, [(3, 0)]), (3, [])):
        board = assessed(read, answers={question.name: option}).board
        assert [each.cell for each in board.pieces or () if each.piece == "chip-3"] == cells


def test_the_careful_player_finds_the_true_answer_and_the_hurried_one_does_not() -> None:
    wrong = piece("chip-4", (2, 0), confidence=0.2, options=("chip-3",), disc=True)
    read = scan(pieces=(*scan().pieces[:-1], wrong))
    truth = assessed(scan()).board

    def answered(answers: Mapping[str, int]) -> BoardAssessment:
        return assessed(read, answers=answers)

    careful, hurried = (play(each, assessed(read), truth, answered) for each in PLAYERS)
    assert careful.right and careful.sure and careful.without_true_answer == 0
    assert not hurried.right and not hurried.sure


def measured(truth: Sequence[BoardScan], read: Sequence[BoardScan]) -> dict[str, Any]:
    rows = []
    for number, (true, seen) in enumerate(zip(truth, read, strict=True)):
        board = board_json(assessed(true).board)
        rows.append(measure(f"{number}", board, {}, assessed(seen), 0.5))
    return total(rows)


def test_the_truth_fed_back_measures_as_all_right() -> None:
    told = measured([scan(), pushed()], [scan(), pushed()])
    assert told["board"] == told["tiles"] == told["sure"] == [2, 2] and told["wrong"] == [0, 2]


def test_known_mistakes_measure_as_what_they_are() -> None:
    moved = replace(scan(), pieces=(*scan().pieces[:-1], piece("chip-3", (5, 5))))
    turned = with_tile(scan(), (1, 0), rotation=90)
    told = measured([scan()] * 3, [moved, turned, scan(spare=None)])
    assert told["board"] == [0, 3] and told["tiles"] == [1, 3]
    assert told["pieces"] == [17, 18] and told["strangers"] == 1
    assert told["sure"] == [2, 3] and told["wrong"] == [2, 2]


def test_the_shipped_photos_are_of_boards() -> None:
    from waymark.bench.boards import shows_boards

    shipped = Path(__file__).parents[3] / "samples"
    assert shows_boards(shipped / "labyrinth2_photos") and not shows_boards(shipped / "photos")


def test_a_figure_that_is_not_in_its_cell_is_asked_for_elsewhere() -> None:
    """ "Nothing" tells of one cell: the gargoyle still stands somewhere, and who knows where is asked."""
    gargoyle = next(each for each in scan().pieces if each.piece == "gargoyle-1")
    others = tuple(each for each in scan().pieces if each != gargoyle)
    read = replace(scan(), pieces=(*others, replace(gargoyle, confidence=0.85, next_cell=(1, 1))))
    (question,) = [each for each in assessed(read).questions if each.kind == "cell"]
    nothing = [each.words.en for each in question.options].index("nothing")
    gone = assessed(read, answers={question.name: nothing})
    assert names(gone) == ["piece:missing:gargoyle-1"] and not gone.settled and not gone.said.absent
    asked = gone.questions[0]
    assert gargoyle.cell not in [each.cell for each in asked.options], "it was said not to stand there"
    absent = [each.words.en for each in asked.options].index("not on the board")
    done = assessed(read, answers={question.name: nothing, asked.name: absent})
    assert done.said.absent == {"gargoyle-1"} and names(done)[:1] != [asked.name]


def test_a_missing_figure_that_another_answer_puts_down_is_not_asked_for() -> None:
    left = tuple(each for each in scan().pieces if each.piece != "gargoyle-2")
    read = replace(scan(), pieces=left, hidden=(HiddenCell((5, 5), 0.9, False),))
    (hidden,) = [each for each in assessed(read).questions if each.kind == "hidden"]
    number = [each.piece for each in hidden.options].index("gargoyle-2")
    answered = assessed(read, answers={hidden.name: number})
    assert "piece:missing:gargoyle-2" not in {each.name for each in (*answered.questions, *answered.doubts)}


def test_who_looks_the_board_over_is_shown_what_is_least_certain() -> None:
    assert doubtful_cells(assessed(scan())) == ()
    tile = with_tile(scan(), (1, 2), tile_confidence=0.985)
    assert doubtful_cells(assessed(tile)) == ((1, 2),), "it is not asked about, but not certain either"
    gargoyle = next(each for each in scan().pieces if each.piece == "gargoyle-1")
    others = tuple(each for each in scan().pieces if each != gargoyle)
    faint = replace(scan(), pieces=(*others, replace(gargoyle, confidence=0.97)))
    assert doubtful_cells(assessed(faint)) == (gargoyle.cell,)
    dark = assessed(replace(scan(), hidden=(HiddenCell((5, 5), 0.9, False),)))
    assert doubtful_cells(dark) == ((5, 5),)
    (hidden,) = [each for each in dark.questions if each.kind == "hidden"]
    looked = assessed(dark.scan, answers={hidden.name: 1})
    assert doubtful_cells(looked) == (), "somebody has looked"
    assert doubtful_cells(assessed(faint, corrected=looked.board)) == ()
