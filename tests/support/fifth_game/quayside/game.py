"""The implementation of `scorer.game` for Quayside."""

from __future__ import annotations

from quayside import words
from quayside.photo import STRATEGY, infer_turn
from quayside.play import Table
from quayside.rules.board import BoardRuling, rule_board
from quayside.rules.pieces import GAME as WORD
from quayside.rules.pieces import GRID, NAME, House, check_board, pieces_of
from quayside.rules.turns import rule_turn, turn_told
from quayside.sheet import Sheet
from scorer.board_game import BoardGame, make_board_game

GAME: BoardGame = make_board_game(
    id=WORD,
    name=NAME,
    grid=GRID,
    house=House,
    house_words=words.HOUSE_WORDS,
    sheet=Sheet(),
    verdict_type=BoardRuling,
    words=words.WORDS,
    pieces_of=pieces_of,
    check=check_board,
    rule=rule_board,
    turn_told=turn_told,
    rule_turn=rule_turn,
    forms=Table(),
    strategy=STRATEGY,
    infer_turn=infer_turn,
)
