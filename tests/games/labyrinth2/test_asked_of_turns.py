"""What is asked of a turn between two photos: what its ruling hangs on, and nothing that the other photo
settles."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from labyrinth2_scans import assessed, piece, pushed, scan, turn_of, with_tile

from scorer.board_record import Board, BoardPlayer, GridSize
from vision.boards.seen import BoardScan, HiddenCell
from waymark.review.boards.answers import turn_answer
from waymark.review.boards.assess import TurnAssessment, assess_turn


def without(read: BoardScan, name: str, *others: Any) -> BoardScan:
    """The scan with other pieces in place of one."""
    return replace(read, pieces=(*(each for each in read.pieces if each.piece != name), *others))


def asked(turn: TurnAssessment) -> list[list[str]]:
    return [[each.name for each in questions] for questions in turn.asked]


def test_the_other_photo_speaks_against_that_nothing_stands_there() -> None:
    doubted = without(pushed(), "gargoyle-1", piece("gargoyle-1", (4, 2), confidence=0.85))
    turn = turn_of(doubted)
    assert "piece:cell:4,2:gargoyle-1" in [each.name for each in turn.after.doubts]
    assert turn.settled and asked(turn) == [[], []]
    mover = without(pushed(), "explorer-red", piece("explorer-red", (0, 0), confidence=0.85))
    assert asked(turn_of(mover)) == [[], ["piece:cell:0,0:explorer-red"]], "only its own photo tells"


def test_a_figure_that_one_photo_does_not_show_stands_where_the_other_has_it_and_is_not_asked() -> None:
    players = tuple(BoardPlayer(name=of, piece=f"explorer-{of}") for of in ("red", "blue"))
    told = Board(game="labyrinth2", grid=GridSize(columns=7, rows=7), players=players, to_move="red")
    lying = replace(scan(), spare=replace(scan().spare, side=None, line=None))  # type: ignore[type-var]
    turn = assess_turn(assessed(lying, told), assessed(without(pushed(), "explorer-blue"), told), "red")
    assert turn.settled and turn.ruling.push.at == "top3" and asked(turn) == [[], []]
    assert any(each.piece == "explorer-blue" for each in turn.after.board.pieces or ())


def test_a_figure_that_no_photo_shows_leaves_push_and_walk() -> None:
    before = assessed(without(scan(), "gargoyle-1"))
    turn = assess_turn(before, assessed(without(pushed(), "gargoyle-1")), "red")
    assert turn.ruling.push.at == "top3" and turn.ruling.to == (0, 0)
    assert turn.settled and asked(turn) == [[], []]


def test_a_mover_that_is_hardly_seen_is_ruled_where_it_may_stand_and_asked() -> None:
    weak = piece("explorer-red", (1, 0), confidence=0.4)
    turn = turn_of(without(pushed(), "explorer-red", weak))
    assert turn.ruling.to == (1, 0) and turn.ruling.push.at == "top3" and not turn.settled
    assert asked(turn) == [[], ["piece:missing:explorer-red"]]
    assert all(each.piece != "explorer-red" for each in turn.after.board.pieces or ())


def test_a_guess_where_the_mover_stands_leaves_the_turn_open() -> None:
    after = without(pushed(), "explorer-red", piece("explorer-red", (1, 0), confidence=0.4))
    lying = replace(scan(), spare=replace(scan().spare, side=None, line=None))  # type: ignore[type-var]
    for number, settled in ((0, False), (1, True)):
        answered = assessed(after, answers={"piece:missing:explorer-red": number})
        turn = assess_turn(assessed(lying), answered, "red")
        assert turn.ruling.to == (1, 0) and asked(turn) == [[], []]
        assert turn.settled == settled


def test_a_wholly_hidden_tile_is_not_taken_for_sure_while_the_one_beside_is_not() -> None:
    cell = (5, 5)
    spare = replace(pushed().spare, confidence=0.4)  # type: ignore[type-var]
    read = replace(pushed(), hidden=(HiddenCell(cell, 1.0, False),), spare=spare)
    assert "tile:tile:5,5" in [each.name for each in assessed(read).doubts]
    known = replace(read, spare=pushed().spare)
    assert "tile:tile:5,5" not in [each.name for each in assessed(known).doubts]


def test_a_chip_from_nowhere_is_never_ruled_as_sure() -> None:
    extra = piece("chip-4", (5, 5), disc=True)
    turn = turn_of(replace(pushed(), pieces=(*pushed().pieces, extra)))
    assert [each.rule for each in turn.ruling.violations] == ["late-chips"] and not turn.settled
    dark = replace(scan(), hidden=(HiddenCell((5, 5), 0.6, False),))
    seen = assess_turn(assessed(dark), assessed(replace(pushed(), pieces=(*pushed().pieces, extra))), "red")
    rules = [each.rule for each in seen.ruling.violations]
    assert "late-chips" not in rules, "the earlier photo could not show it"


def test_a_rotation_on_which_both_photos_agree_is_not_asked() -> None:
    known = {"turn_confidence": 0.85}
    before, after = (assessed(with_tile(each, (5, 5), **known)) for each in (scan(), pushed()))
    turn = assess_turn(before, after, "red")
    assert turn.settled and asked(turn) == [[], []]


def test_the_answer_asks_what_the_turn_needs_alone() -> None:
    hidden = replace(pushed(), hidden=(HiddenCell((6, 6), 0.6, False),))
    turn = turn_of(hidden)
    assert "piece:hidden:6,6" in [each.name for each in turn.after.questions]
    names = [[each["name"] for each in told["questions"]] for told in turn_answer(turn)["scans"]]
    assert names == [["board:looked-over"], ["board:looked-over"]]
