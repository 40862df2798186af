"""Simulated players of boards that have no top of their own: the truth is turned to the board as read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np
from msgspec import structs

from samples.stone_dragon.states import random_state, record_of
from samples.stone_dragon.tables import open_panels
from scorer.board_record import BoardPlayer, Piece, turned_board
from waymark.bench.board_facts import differing, far, turned_alike
from waymark.bench.board_players import Played, play
from waymark.bench.players import PLAYERS
from waymark.review.boards.assess import BoardAssessment
from waymark.review.boards.question import BoardOption, BoardQuestion, cannot_tell, same

CATALOGUE = open_panels()
TRUTH = record_of(random_state(CATALOGUE, np.random.default_rng(7)), CATALOGUE)


class _Now:
    """An assessment as far as players look at it."""

    def __init__(self, board: object, *questions: BoardQuestion) -> None:
        self.board, self.questions, self.settled, self.catalogue = board, questions, True, CATALOGUE


def now(board: object, *questions: BoardQuestion) -> BoardAssessment:
    return cast(BoardAssessment, _Now(board, *questions))


def test_a_turned_table_is_the_same_table() -> None:
    seen = turned_board(TRUTH, 3)
    assert far(seen, TRUTH, CATALOGUE) > 4
    assert not differing(seen, turned_alike(TRUTH, seen, CATALOGUE), CATALOGUE)


def first_pawn() -> Piece:
    return (TRUTH.pieces or ())[0]


def ended(question: BoardQuestion, *others: object) -> dict[str, Played]:
    """How the players end who answer one question; option k leads to board k."""
    boards = [question.read, *others]

    def answered(answers: Mapping[str, int]) -> BoardAssessment:
        return now(boards[answers[question.name]])

    start = now(question.read, question)
    return {player: play(player, start, TRUTH, answered) for player in PLAYERS}


def test_a_careful_player_gives_the_true_piece_and_a_hurried_one_the_first() -> None:
    own = first_pawn()
    wrong = structs.replace(TRUTH, pieces=tuple(each for each in TRUTH.pieces or () if each != own))
    options = BoardOption(same("nothing"), wrong), BoardOption(same("here"), TRUTH)
    question = BoardQuestion(
        "piece", own.cell, options, same(""), "piece:hidden:0,0", pieces=(own.piece or "",), kind="hidden"
    )
    told = ended(question, TRUTH)
    assert told["careful"].right and told["careful"].answered == 1 and not told["careful"].needless
    assert not told["hurried"].right


def test_what_is_told_by_a_tap_or_by_counting_is_no_option() -> None:
    own, player = first_pawn(), TRUTH.players[0]
    lost = structs.replace(TRUTH, pieces=tuple(each for each in TRUTH.pieces or () if each != own))
    missing = BoardQuestion(
        "piece", None, (cannot_tell(lost),), same(""), "piece:missing", put=own.piece, kind="missing"
    )
    tapped = ended(missing)["careful"]
    assert tapped.right and tapped.by_hand == 1 and not tapped.without_true_answer
    unseen = structs.replace(TRUTH, players=(BoardPlayer(name=player.name), *TRUTH.players[1:]))
    nothing = structs.replace(unseen, players=(structs.replace(player, holds={}), *TRUTH.players[1:]))
    options = cannot_tell(unseen), BoardOption(same("nothing"), nothing)
    question = BoardQuestion("held", None, options, same(""), "held:1", player=player.name, kind="unseen")
    counted = ended(question, nothing)["careful"]
    assert counted.held and counted.by_hand == 1 and not counted.without_true_answer
