"""Which doubts about a board can change the final score of a game that has ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from scorer.board_game import BoardGame
from scorer.board_record import Board, Piece
from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from scorer.turn_forms import ENDED
from waymark.review.boards.question import BROKEN_RULE, BoardQuestion

#: Each player's values by column of the score sheet; None where a board does not determine them.
Rows = Mapping[str, Mapping[str, Any]] | None


@dataclass(frozen=True)
class FinalMatter:
    """The final score of an ended game as the matter of a photo. `told` is the board before the photo, which
    has what the photo does not show; `board` is the board as read."""

    game: BoardGame
    catalogue: Catalogue
    told: Board
    board: Board
    terms: Any

    def rows(self, board: Board) -> Rows:
        """The score sheet's values if this board is saved."""
        try:
            saved = self.game.photo.put_down(self.told, board)
            return self.game.play.forms.rows(self.catalogue, saved, self.terms)
        except WaymarkError:
            return None

    @cached_property
    def own(self) -> Rows:
        """The score sheet's values if the board is saved as read."""
        return self.rows(self.board)

    def alike(self, rows: Rows) -> bool:
        """Whether these are certainly the values of the board as read."""
        return rows is not None and rows == self.own

    def hangs_on(self, question: BoardQuestion) -> bool:
        """Whether an answer to a question can change the final score. What is out of view may be anything."""
        if question.kind == "unseen":
            return True
        if question.kind == BROKEN_RULE:
            return self._hangs_on_rule(question.name.split(":")[1])
        answers = list(_answers(question))
        return not answers or not all(self.alike(self.rows(each)) for each in answers)

    def _hangs_on_rule(self, rule: str) -> bool:
        """Whether a broken rule may mean that something which scores was misread: it is not broken when
        players hold nothing, or pieces on boards score, or a value of the score sheet is unknown."""
        bare = msgspec.structs.replace(self.board, tiles=(), spare=(), pieces=())
        unknown = any(value is None for row in (self.own or {}).values() for value in row.values())
        if unknown or not self.alike(self.rows(bare)):
            return True
        players = tuple(msgspec.structs.replace(each, holds={}) for each in self.board.players)
        empty = msgspec.structs.replace(self.board, players=players)
        try:
            rules = self.game.rules
            ruling = rules.referee(rules.board(self.catalogue, empty), empty, self.terms)
        except WaymarkError:
            return True
        return all(each.rule != rule for each in ruling.problems)


def final_matter(
    game: BoardGame, catalogue: Catalogue, told: Board | None, board: Board, terms: Any
) -> FinalMatter | None:
    """The final score as the matter of a photo; None where the game had not ended before it, or where the
    board as read does not determine the final score."""
    if told is None or not has_ended(game, catalogue, told):
        return None
    matter = FinalMatter(game, catalogue, told, board, terms)
    return None if matter.own is None else matter


def has_ended(game: BoardGame, catalogue: Catalogue, board: Board) -> bool:
    """Whether the game on a board has ended, by its rules or by a person's statement."""
    if board.more.get(ENDED, False):
        return True
    try:
        return game.play.forms.is_over(catalogue, board)
    except WaymarkError:
        return False


def _answers(question: BoardQuestion) -> Iterator[Board]:
    """The boards that answers to a question lead to; the place of a piece may be any cell with a tile."""
    yield from (option.board for option in question.options)
    if question.put is None:
        return
    for tile in question.read.tiles or ():
        there = Piece(piece=question.put, column=tile.column, row=tile.row)
        pieces = (*(question.read.pieces or ()), there)
        yield msgspec.structs.replace(question.read, pieces=pieces)
