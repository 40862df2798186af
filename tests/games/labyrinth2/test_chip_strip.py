"""Chips in hidden cells of a board are one question: which chip lies there, where, until that is all."""

from __future__ import annotations

from dataclasses import replace

from labyrinth2_scans import assessed, open_tiles, piece, pushed, scan, turn_of

from scorer.board_record import Board
from vision.boards.seen import BoardScan, HiddenCell
from waymark.bench.board_players import play
from waymark.review.boards.answers import question_json
from waymark.review.boards.assess import BoardAssessment

DARK = ((5, 5), (1, 5), (3, 1))


def hidden(read: BoardScan | None = None) -> BoardScan:
    """A board of which three cells are hidden."""
    return replace(read or scan(), hidden=tuple(HiddenCell(cell, 0.9, True) for cell in DARK))


def asked(now: BoardAssessment) -> list[str]:
    return [each.name for each in now.questions if each.kind != "looked-over"]


def under_figures(board: Board) -> list[object]:
    """The cells of all that stands."""
    return [each.cell for each in board.pieces or () if not str(each.piece).startswith("chip")]


def option(now: BoardAssessment, piece: str) -> int:
    return [each.piece for each in now.questions[0].options].index(piece)


def chips(board: Board) -> set[tuple[str | None, object]]:
    names = {card.id for card in open_tiles().cards if card.kind == "chip"}
    return {(each.piece, each.cell) for each in board.pieces or () if each.piece in names}


def test_chips_in_several_hidden_cells_are_one_question() -> None:
    now = assessed(hidden())
    assert asked(now) == ["piece:chips:1"] and not now.settled
    question = now.questions[0]
    words = [each.words.en for each in question.options]
    assert words[:2] == ["I cannot tell", "none of them is there"]
    assert [each.piece for each in question.options[2:]] == [f"chip-{value}" for value in range(1, 7)], (
        "later ones have not come"
    )
    assert question_json(question)["cells"] == list(DARK)
    lying = tuple(piece("chip-4", (column, 6), disc=True) for column in (0, 1))
    both = assessed(hidden(replace(scan(), pieces=(*scan().pieces, *lying))))
    assert "chip-4" not in [each.piece for each in both.questions[0].options], "both of its copies are seen"


def test_who_taps_the_first_answer_or_a_picture_settles_nothing() -> None:
    tapped = assessed(hidden(), answers={"piece:chips:1": 0})
    assert asked(tapped) == [] and not tapped.settled, "who cannot tell is not asked again"
    picture = assessed(hidden(), answers={"piece:chips:1": 2})
    assert asked(picture) == ["piece:chip-place:1:chip-1"] and not picture.settled
    assert chips(picture.board) == chips(assessed(scan()).board)


def test_none_of_them_settles_all_hidden_cells() -> None:
    now = assessed(hidden(), answers={"piece:chips:1": 1})
    assert asked(now) == [] and now.settled and chips(now.board) == {("chip-3", (2, 0))}
    assert now.said.cells == set(DARK)
    one_by_one = assessed(hidden(), answers={f"piece:hidden:{column},{row}": 1 for column, row in DARK})
    assert one_by_one.settled and one_by_one.board == now.board and one_by_one.said == now.said


def test_a_chip_is_named_then_its_place_until_that_is_all() -> None:
    answers = {"piece:chips:1": option(assessed(hidden()), "chip-3")}
    where = assessed(hidden(), answers=answers)
    (question, _) = where.questions
    assert question.put == "chip-3"
    assert [each.cell for each in question.options] == [None, *DARK, *under_figures(where.board)]
    answers[question.name] = 2
    further = assessed(hidden(), answers=answers)
    assert asked(further) == ["piece:chips:2"] and not further.settled
    (question, _) = further.questions
    assert question.options[1].words.en == "that is all"
    assert [cell for _, cell in question.covers] == [(5, 5), (3, 1)]
    assert "chip-3" not in [each.piece for each in question.options], "one lies in view, one was named"
    done = assessed(hidden(), answers={**answers, "piece:chips:2": 1})
    assert done.settled and chips(done.board) == {("chip-3", (2, 0)), ("chip-3", (1, 5))}


def test_a_chip_may_lie_under_a_figure() -> None:
    answers = {"piece:chips:1": option(assessed(hidden()), "chip-3")}
    (question, _) = assessed(hidden(), answers=answers).questions
    figure = under_figures(assessed(scan()).board)[0]
    answers[question.name] = [each.cell for each in question.options].index(figure)  # type: ignore[arg-type]
    done = assessed(hidden(), answers={**answers, "piece:chips:2": 1})
    assert chips(done.board) == {("chip-3", (2, 0)), ("chip-3", figure)}
    assert done.settled and done.said.cells == {*DARK, figure}, "nothing is said of the other figures"


def test_where_later_chips_have_come_all_may_be_hidden() -> None:
    late = assessed(hidden(replace(scan(), pieces=(*scan().pieces, piece("chip-9", (1, 1), disc=True)))))
    assert [each.piece for each in late.questions[0].options[2:]] == [f"chip-{n}" for n in range(1, 13)]


def test_a_hidden_cell_where_nothing_can_lie_is_not_asked_about() -> None:
    early = [f"chip-{value}" for value in range(1, 7) for _ in range(2)]
    cells = [(column, row) for row in (1, 4, 6) for column in range(6)]
    there = [(each.piece, each.cell) for each in scan().pieces]
    lying = [piece(name, cell, disc=True) for name, cell in zip(early, cells, strict=False)]
    lying = [each for each in lying if (each.piece, each.cell) not in there]
    gone = [each for each in scan().pieces if not each.disc]
    now = assessed(hidden(replace(scan(), pieces=(*gone, *lying))))
    assert not any(each.kind in ("hidden", "chips") for each in (*now.questions, *now.doubts))


def test_a_chip_whose_place_nobody_can_tell_leaves_the_board_unsettled() -> None:
    answers = {"piece:chips:1": 2, "piece:chip-place:1:chip-1": 0, "piece:chips:2": 1}
    now = assessed(hidden(), answers=answers)
    assert asked(now) == [] and not now.settled
    assert chips(now.board) == {("chip-3", (2, 0))} and not now.said.cells


def test_all_hidden_cells_that_have_a_chip_end_the_questions() -> None:
    answers: dict[str, int] = {}
    for number in range(1, 4):
        answers |= {f"piece:chips:{number}": 2, f"piece:chip-place:{number}:chip-{(number + 1) // 2}": 1}
    now = assessed(hidden(), answers=answers)
    assert asked(now) == [] and now.settled
    assert chips(now.board) >= {("chip-1", (5, 5)), ("chip-1", (1, 5)), ("chip-2", (3, 1))}


def test_a_figure_that_was_not_found_is_asked_about_beside_the_chips() -> None:
    lost = tuple(each for each in scan().pieces if each.piece != "gargoyle-2")
    now = assessed(hidden(replace(scan(), pieces=lost)), answers={"piece:chips:1": 1})
    assert asked(now) == ["piece:missing:gargoyle-2"]
    assert now.said.absent == frozenset(), "that no chip lies in a cell says nothing about figures"


def test_a_turn_asks_about_chips_only_where_its_ruling_depends_on_them() -> None:
    turn = turn_of(hidden(pushed()))
    assert "piece:chips:1" in asked(turn.after) and turn.asked == ((), ())


def test_a_careful_player_finds_the_hidden_chip_and_a_hurried_one_is_never_sure() -> None:
    extra = piece("chip-4", (1, 5), disc=True)
    truth = assessed(replace(scan(), pieces=(*scan().pieces, extra))).board

    def answered(answers: object) -> BoardAssessment:
        return assessed(hidden(), answers=answers)

    careful = play("careful", assessed(hidden()), truth, answered)
    assert careful.right and careful.sure and careful.answered == 3
    hurried = play("hurried", assessed(hidden()), truth, answered)
    assert not hurried.sure and hurried.answered == 1
