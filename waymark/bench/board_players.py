"""Simulated players of a board photo. The careful one gives the true option where there is one; the
hurried one taps the first option."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from msgspec import structs

from scorer.board_record import Board, BoardPlayer, Piece
from scorer.catalogue import Catalogue
from waymark.bench.board_facts import Key, differing, far, is_held
from waymark.bench.players import MOST_QUESTIONS, Ended, PlayerName
from waymark.review.boards.assess import BoardAssessment
from waymark.review.boards.question import BoardQuestion
from waymark.review.boards.questions import to_be_looked_over

#: Function from answers (option numbers by question) to the board under them.
Answered = Callable[[Mapping[str, int]], BoardAssessment]


@dataclass(frozen=True)
class Played(Ended):
    """How a board photo ended for one simulated player. `right`: the final board equals the truth; `held`:
    the possessions do, None where the truth states none. `sure`: nothing is left in doubt. `answered`
    counts the questions that were answered by an option, `by_hand` those by a tap on the board or by
    counting what a player has. `without_true_answer` counts the questions whose options do not include the
    truth, `needless` those about what was read rightly."""

    answered: int = 0
    without_true_answer: int = 0
    needless: int = 0
    by_hand: int = 0
    held: bool | None = None


@dataclass(frozen=True)
class Answering:
    """The assessment of a board after a player's answers, and the counts of `Played`. `pieces` were put on
    the board by hand, and of `players` the possessions were counted."""

    now: BoardAssessment
    answered: int = 0
    without_true_answer: int = 0
    needless: int = 0
    pieces: tuple[Piece, ...] = ()
    players: tuple[BoardPlayer, ...] = ()

    @property
    def board(self) -> Board:
        """The board with what was told by hand."""
        there = {each.piece for each in self.now.board.pieces or () if each.on is None}
        put = tuple(each for each in self.pieces if each.piece not in there)
        told = {each.name: each for each in self.players}
        return structs.replace(
            self.now.board,
            pieces=(*(self.now.board.pieces or ()), *put),
            players=tuple(told.get(each.name, each) for each in self.now.board.players),
        )


def play(player: PlayerName, now: BoardAssessment, truth: Board, answered: Answered) -> Played:
    """Simulation of one player answering a board's questions one at a time, up to the end or to the limit."""
    end = answer_all(player, now, truth, answered)
    wrong = differing(end.board, truth, now.catalogue)
    told = any(each.holds is not None for each in truth.players)
    return Played(
        not any(not is_held(key) for key in wrong),
        end.now.settled,
        end.answered,
        end.without_true_answer,
        end.needless,
        len(end.pieces) + len(end.players),
        not any(is_held(key) for key in wrong) if told else None,
    )


def answer_all(
    player: PlayerName, now: BoardAssessment, truth: Board, answered: Answered, most: int = MOST_QUESTIONS
) -> Answering:
    """The assessment after at most `most` questions."""
    answers: dict[str, int] = {}
    left_open: set[str] = set()
    end = Answering(now)
    while len(answers) + len(left_open) < most:
        told = {*answers, *left_open}
        # that the whole is to be looked over comes last: no answer to it makes a board sure
        asked = (each for each in end.now.questions if each.name != to_be_looked_over().name)
        question = next((each for each in asked if each.name not in told), None)
        if question is None:
            break
        wrong = differing(end.now.board, truth, now.catalogue)
        is_read = question.about != "held" or _is_told(question, truth)
        end = replace(end, needless=end.needless + (is_read and not is_wrong_at(question, wrong)))
        option = 0 if player == "hurried" else true_option(question, truth, now.catalogue, wrong)
        if option is None:
            # who knows better than all answers gives none
            left_open.add(question.name)
            end = _by_hand(end, question, truth)
            continue
        answers[question.name] = option
        end = replace(end, now=answered(answers), answered=len(answers))
    return end


def _by_hand(end: Answering, question: BoardQuestion, truth: Board) -> Answering:
    """The answering after a question whose truth is none of its options: a person taps where a figure stands,
    and counts what a player has."""
    stands = [each for each in truth.pieces or () if each.on is None and each.piece == question.put]
    counted = [each for each in truth.players if each.name == question.player and each.holds is not None]
    if question.kind == "missing" and stands:
        return replace(end, pieces=(*end.pieces, *stands[:1]))
    if question.kind == "unseen" and counted:
        return replace(end, players=(*end.players, counted[0]))
    return replace(end, without_true_answer=end.without_true_answer + 1)


def true_option(
    question: BoardQuestion, truth: Board, catalogue: Catalogue, wrong: frozenset[Key]
) -> int | None:
    """Index of the option whose board is nearest to the truth, of which the board as read is `wrong` in some
    facts. None where it is wrong at that place and no option is nearer to the truth."""
    if question.kind == "chips":
        return _next_chip(question, truth)
    is_right = not is_wrong_at(question, wrong)
    if not question.options:
        # a broken rule is confirmed
        return 0 if is_right else None
    away = [far(option.board, truth, catalogue) for option in question.options]
    # who sees what is there says so, and who sees nothing of it says that
    unknown = question.about == "held" and not _is_told(question, truth)
    best = min(range(len(away)), key=lambda k: (away[k], question.options[k].leaves_open != unknown))
    if question.kind == "unseen" and is_wrong_at(
        question, differing(question.options[best].board, truth, catalogue)
    ):
        # what is counted by hand is none of the options
        return None
    return best if away[best] < len(wrong) or is_right else None


def _is_told(question: BoardQuestion, truth: Board) -> bool:
    """Whether the truth states the possessions that a question is about."""
    return any(each.name == question.player and each.holds is not None for each in truth.players)


def _next_chip(question: BoardQuestion, truth: Board) -> int:
    """Number of the first offered chip that is missing in a cell that the question covers, or under a figure;
    of the option that none does, otherwise."""
    cells = {cell for _, cell in question.covers} | {each.cell for each in question.read.pieces or ()}
    lacks = Counter(truth.pieces or ()) - Counter(question.read.pieces or ())
    there = {each.piece for each in lacks if each.cell in cells}
    named = [k for k, option in enumerate(question.options) if option.piece in there]
    return named[0] if named else 1


def is_wrong_at(question: BoardQuestion, wrong: frozenset[Key]) -> bool:
    """Whether a board that differs from the truth in some facts is wrong at the place of a question."""
    cells = {question.cell, *(cell for _, cell in question.covers)} - {None}
    if question.about in ("tile", "rotation"):
        return any(key[0] == "tile" and (not cells or key[1] in cells) for key in wrong)
    if question.about in ("spare", "ground"):
        return (question.about,) in wrong
    if question.about == "held":
        theirs = [key[2:] for key in wrong if is_held(key) and key[1] == question.player]
        return any(not question.pieces or key[-1] in (*question.pieces, "told") for key in theirs)
    pieces = [key for key in wrong if key[0] == "piece"]
    if cells:
        named = question.pieces if question.on is None else ()
        return any(
            key[2] == question.on and key[3] in cells and (not named or key[1] in named) for key in pieces
        )
    name = question.put or question.name.rpartition(":")[2]
    return any(key[1] == name for key in pieces)
