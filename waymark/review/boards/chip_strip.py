"""One question about the chips in all hidden cells of a board, in place of one for each cell: which chip lies
there, then where, until that is all. Its answers are turned into answers to the questions about the cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from scorer.board_game import BoardGame
from scorer.board_record import Board, Cell, Piece
from scorer.catalogue import Catalogue
from scorer.text import Text
from vision.boards.seen import Doubt
from waymark.review.boards.question import (
    BoardOption,
    BoardQuestion,
    Called,
    as_question,
    cannot_tell,
    in_cell,
    same,
    worded,
)

#: Fewer hidden cells than this are asked about one by one.
LEAST_CELLS = 2
#: Numbers of the first two options of a strip and of a question about a hidden cell.
_OPEN, _NOTHING = 0, 1

_NONE = Text("none of them is there")
_ALL = Text("that is all")


@dataclass(frozen=True)
class ChipStrip:
    """`answers` are those given, with the answers to the questions about hidden cells that follow from them.
    `question` is the next one to be asked in place of these; None if nothing is left to ask."""

    answers: Mapping[str, int]
    question: BoardQuestion | None = None


def chip_strip(
    asked: Sequence[BoardQuestion],
    board: Board,
    catalogue: Catalogue,
    game: BoardGame,
    called: Called,
    answers: Mapping[str, int],
    under: Sequence[BoardQuestion] = (),
) -> ChipStrip:
    """The strip for the questions about hidden cells among those `asked`, under the answers so far. `board`
    is the board as read. A chip whose place nobody can tell leaves all cells open that are not settled.
    A named chip may also lie in the cells of the questions `under`; of these nothing is left open."""
    hidden = {each.cell: each for each in asked if _offers_chips(each, catalogue) and each.cell is not None}
    if len(hidden) < LEAST_CELLS:
        return ChipStrip(answers)
    covered = {each.cell: each for each in under if each.cell is not None}
    left, told, lost = unplaced_discs(board, catalogue, game), dict[str, int](), False
    number = 1
    while True:
        rest = {cell: each for cell, each in hidden.items() if each.name not in told}
        more = tuple(cell for cell, each in covered.items() if each.name not in told)
        step = _Step(number, board, {each.name: cell for cell, each in rest.items()}, more, called, answers)
        question = step.which(left)
        chosen = question.option(answers.get(question.name))
        if chosen is not None and chosen.piece is None:
            settled = _OPEN if lost or chosen.leaves_open else _NOTHING
            told |= {each.name: settled for each in rest.values()}
            return ChipStrip({**told, **answers})
        if chosen is not None and chosen.piece is not None:
            question = step.where(chosen.piece)
            at = question.option(answers.get(question.name))
            if at is not None:
                left[chosen.piece] -= 1
                lost |= at.leaves_open
                told |= {} if at.cell is None else _put((hidden | covered)[at.cell], chosen.piece)
                number += 1
                continue
        return ChipStrip({**told, **answers}, question if question.covers else None)


def in_strip(questions: Sequence[BoardQuestion], strip: BoardQuestion | None) -> list[BoardQuestion]:
    """The questions, with a strip in place of those that it covers."""
    if strip is None:
        return list(questions)
    names = {strip.name, *(name for name, _ in strip.covers)}
    made = {each.name: each for each in (strip if each.name in names else each for each in questions)}
    return list(made.values())


def narrowed(strip: BoardQuestion | None, keeps: Callable[[str], bool]) -> BoardQuestion | None:
    """The strip without the cells whose questions are settled; None if none is left."""
    covers = () if strip is None else tuple(each for each in strip.covers if keeps(each[0]))
    return replace(strip, covers=covers) if strip is not None and covers else None


def unplaced_discs(board: Board, catalogue: Catalogue, game: BoardGame) -> Counter[str]:
    """How many copies of each disc, but for coins, are neither on the board, nor before a player, nor set
    aside for later."""
    aside = game.photo.strategy.set_aside(board, game.rules.pieces_of(catalogue))
    there = Counter(piece.piece for piece in board.pieces or ())
    for player in board.players:
        there.update(player.holds or {})
    return +Counter(
        {
            card.id: card.copies - there[card.id]
            for card in catalogue.cards
            if card.shape == "disc" and card.kind != "coin" and card.id not in aside
        }
    )


@dataclass(frozen=True)
class _Step:
    """The questions about one further chip; `cells` are those that no earlier step settled, by the names of
    their questions, and `under` those under figures."""

    number: int
    board: Board
    cells: Mapping[str, Cell]
    under: tuple[Cell, ...]
    called: Called
    answers: Mapping[str, int]

    def which(self, left: Counter[str]) -> BoardQuestion:
        """Which chip lies in a hidden cell, if any."""
        ends = BoardOption(_NONE if self.number == 1 else _ALL, self.board)
        chips = [
            BoardOption(same(name), self.board, piece=name) for name, copies in left.items() if copies > 0
        ]
        made = as_question(
            Doubt("piece", "chips", None, ()),
            (cannot_tell(self.board), ends, *chips),
            open_ended=True,
            covers=self._open(),
        )
        return worded(replace(made, name=f"{made.name}:{self.number}"), self.called)

    def where(self, chip: str) -> BoardQuestion:
        """In which hidden cell, or under which figure, a chip lies."""
        options = [
            BoardOption(in_cell(cell), _with(self.board, chip, cell), cell=cell)
            for cell in (*self.cells.values(), *self.under)
        ]
        made = as_question(
            Doubt("piece", "chip-place", None, (chip,)),
            (cannot_tell(self.board), *options),
            pieces=(chip,),
            put=chip,
            open_ended=True,
            covers=self._open(),
        )
        return worded(replace(made, name=f"{made.name}:{self.number}:{chip}"), self.called)

    def _open(self) -> tuple[tuple[str, Cell], ...]:
        return tuple(each for each in self.cells.items() if each[0] not in self.answers)


def _offers_chips(question: BoardQuestion, catalogue: Catalogue) -> bool:
    named = [each.piece for each in question.options if each.piece is not None]
    return question.kind == "hidden" and any(catalogue.card(name).shape == "disc" for name in named)


def _put(question: BoardQuestion, chip: str) -> dict[str, int]:
    """The answer to the question about a hidden cell that a chip lies there."""
    numbers = [k for k, each in enumerate(question.options) if each.piece == chip]
    return {question.name: numbers[0] if numbers else _OPEN}


def _with(board: Board, chip: str, cell: Cell) -> Board:
    there = Piece(piece=chip, column=cell[0], row=cell[1])
    return msgspec.structs.replace(board, pieces=(*(board.pieces or ()), there))
