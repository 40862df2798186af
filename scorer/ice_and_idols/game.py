"""The implementation of `scorer.game` for Ice and Idols."""

from __future__ import annotations

from pathlib import Path

from scorer.board_game import BoardGame, make_board_game
from scorer.ice_and_idols import words
from scorer.ice_and_idols.enrol import ASKED
from scorer.ice_and_idols.photo.infer_turn import seen_turn
from scorer.ice_and_idols.photo.layers import layers_of
from scorer.ice_and_idols.photo.layout import laid_out, put_down
from scorer.ice_and_idols.play import IceAndIdolsTable
from scorer.ice_and_idols.rules.board_ruling import BoardRuling, rule_board
from scorer.ice_and_idols.rules.house import House
from scorer.ice_and_idols.rules.pieces import pieces_of
from scorer.ice_and_idols.rules.turn_record import turn_told
from scorer.ice_and_idols.rules.turn_ruling import rule_turn
from scorer.ice_and_idols.rules.validation import GAME as WORD
from scorer.ice_and_idols.rules.validation import GRID, NAME, check_board
from scorer.ice_and_idols.sheet import Sheet
from scorer.port.photo import TilesInLayers

#: The open temple, which calibration/decks/ice_and_idols draws.
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
    anywhere=True,
    forms=IceAndIdolsTable(),
    bundled=BUNDLED,
    strategy=TilesInLayers(layers_of, laid_out),
    put_down=put_down,
    infer_turn=seen_turn,
    asked=ASKED,
)
