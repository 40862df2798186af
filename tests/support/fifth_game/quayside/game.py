"""The implementation of `scorer.game` for Quayside."""

from __future__ import annotations

from quayside import words
from quayside.pieces import GAME as WORD
from quayside.pieces import GRID, HOUSE_WORDS, NAME, House, check_board, pieces_of
from quayside.play import Table
from quayside.rules import BoardRuling, rule_board
from quayside.sheet import Sheet
from quayside.turns import rule_turn, seen_turn, turn_told
from scorer.board_game import BoardGame, Laid, Words
from scorer.board_record import Board
from scorer.game import TypedGame
from scorer.vocabulary import Vocabulary

GAME: TypedGame[Board, Laid, House, BoardRuling] = BoardGame(
    id=WORD,
    name=NAME,
    vocabulary=Vocabulary(words=words.NAMES),
    grid=GRID,
    house=House,
    house_words=HOUSE_WORDS,
    sheet=Sheet(),
    verdict_type=BoardRuling,
    words=Words(
        board_steps=lambda ruling: (),
        board_why=words.board_why,
        board_report=words.board_report,
        turn_steps=words.turn_steps,
        turn_why=words.turn_why,
        turn_report=words.turn_report,
    ),
    pieces_of=pieces_of,
    check=check_board,
    rule=rule_board,
    turn_told=turn_told,
    rule_turn=rule_turn,
    table=Table(),
    seen_turn=seen_turn,
)
