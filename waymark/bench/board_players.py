"""Simulated players of a board photo. The careful one gives the true option where there is one; the
hurried one taps the first option."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from scorer.board_record import Board
from waymark.bench.players import MOST_QUESTIONS, Ended, PlayerName
from waymark.review.boards.assess import BoardAssessment
from waymark.review.boards.question import BoardQuestion
from waymark.review.boards.questions import to_be_looked_over


@dataclass(frozen=True)
class Played(Ended):
    """How a board photo ended for one simulated player. `right`: the final board equals the truth. `sure`:
    nothing is left in doubt.
    `answered` counts the answered questions; `without_true_answer` counts the questions whose options do
    not include the truth."""

    answered: int = 0
    without_true_answer: int = 0


def play(
    player: PlayerName,
    now: BoardAssessment,
    truth: Board,
    answered: Callable[[Mapping[str, int]], BoardAssessment],
) -> Played:
    """Simulation of one player answering a board's questions one at a time, up to the end or to the limit.
    `answered` returns the assessment of the board under the given answers."""
    answers: dict[str, int] = {}
    left_open: set[str] = set()
    while len(answers) + len(left_open) < MOST_QUESTIONS:
        told = {*answers, *left_open}
        # that the whole is to be looked over comes last: no answer to it makes a board sure
        asked = (each for each in now.questions if each.name != to_be_looked_over().name)
        question = next((each for each in asked if each.name not in told), None)
        if question is None:
            break
        option = 0 if player == "hurried" else true_option(question, truth)
        if option is None:
            # who knows better than all answers gives none
            left_open.add(question.name)
            continue
        answers[question.name] = option
        now = answered(answers)
    return Played(far(now.board, truth) == 0, now.settled, len(answers), len(left_open))


def true_option(question: BoardQuestion, truth: Board) -> int | None:
    """Index of the option whose board is nearest to the truth.
    None where the reading is wrong at that place and no option is nearer to the truth."""
    if not question.options:
        return None
    if question.kind == "chips":
        return _next_chip(question, truth)
    away = [far(option.board, truth) for option in question.options]
    # who sees what is there says so
    best = min(range(len(away)), key=lambda k: (away[k], question.options[k].leaves_open))
    nearer = away[best] < far(question.read, truth)
    return best if nearer or not _is_wrong_at(question, truth) else None


def _next_chip(question: BoardQuestion, truth: Board) -> int:
    """Number of the first offered chip that is missing in a cell that the question covers, or under a figure;
    of the option that none does, otherwise."""
    cells = {cell for _, cell in question.covers} | {each.cell for each in question.read.pieces or ()}
    lacks = Counter(truth.pieces or ()) - Counter(question.read.pieces or ())
    there = {each.piece for each in lacks if each.cell in cells}
    named = [k for k, option in enumerate(question.options) if option.piece in there]
    return named[0] if named else 1


def _is_wrong_at(question: BoardQuestion, truth: Board) -> bool:
    """Whether the board as read differs from the truth at the place that the question is about."""
    read = question.read

    def there(board: Board) -> Counter[Any]:
        if question.about in ("tile", "rotation"):
            return Counter(each for each in board.tiles or () if each.cell == question.cell)
        if question.cell is None:
            named = question.name.rpartition(":")[2]
            return Counter(each for each in board.pieces or () if each.piece == named)
        return Counter(each for each in board.pieces or () if each.cell == question.cell)

    return there(read) != there(truth)


def far(board: Board, truth: Board) -> int:
    """Distance between two boards: the number of tiles and pieces in which they differ."""
    tiles = {each.cell: (each.tile, each.rotation) for each in board.tiles or ()}
    wrong = sum(tiles.get(each.cell) != (each.tile, each.rotation) for each in truth.tiles or ())
    spare = [[(each.tile, each.at) for each in one.spare or ()] for one in (board, truth)]
    ours, theirs = (Counter(one.pieces or ()) for one in (board, truth))
    pieces = sum((ours - theirs).values()) + sum((theirs - ours).values())
    return wrong + pieces + (spare[0] != spare[1])
