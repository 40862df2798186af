"""The implementation of `scorer.game` for Stone Dragon."""

from __future__ import annotations

from pathlib import Path

from scorer.board_game import BoardGame, make_board_game
from scorer.port.photo import LoosePieces
from scorer.stone_dragon import words
from scorer.stone_dragon.enrol import ASKED
from scorer.stone_dragon.photo.infer_turn import seen_turn
from scorer.stone_dragon.photo.layout import laid_out, put_down
from scorer.stone_dragon.play import StoneDragonTable
from scorer.stone_dragon.rules.board_ruling import BoardRuling, rule_board
from scorer.stone_dragon.rules.house import House
from scorer.stone_dragon.rules.pieces import pieces_of
from scorer.stone_dragon.rules.turn_record import turn_told
from scorer.stone_dragon.rules.turn_ruling import rule_turn
from scorer.stone_dragon.rules.validation import GAME as WORD
from scorer.stone_dragon.rules.validation import GRID, NAME, check_board
from scorer.stone_dragon.sheet import Sheet

#: The open panels, which calibration/decks/stone_dragon draws.
BUNDLED = Path(__file__).parent / "catalogue"

GAME: BoardGame = make_board_game(
    id=WORD,
    name=NAME,
    grid=GRID,
    house=House,
    house_words=words.SETTINGS,
    sheet=Sheet(),
    verdict_type=BoardRuling,
    words=words.WORDS,
    pieces_of=pieces_of,
    check=check_board,
    rule=rule_board,
    turn_told=turn_told,
    rule_turn=rule_turn,
    forms=StoneDragonTable(),
    bundled=BUNDLED,
    strategy=LoosePieces(laid_out),
    put_down=put_down,
    infer_turn=seen_turn,
    asked=ASKED,
)
