"""The implementation of `scorer.game` for Labyrinth 2."""

from __future__ import annotations

from pathlib import Path

from scorer.board_game import BoardGame, make_board_game
from scorer.labyrinth2 import words
from scorer.labyrinth2.enrol import ASKED
from scorer.labyrinth2.play import Labyrinth2Table
from scorer.labyrinth2.rules.board_ruling import BoardRuling, rule_board
from scorer.labyrinth2.rules.house import House
from scorer.labyrinth2.rules.pieces import pieces_of, set_aside
from scorer.labyrinth2.rules.position import arrow_at, ways
from scorer.labyrinth2.rules.table import table_of
from scorer.labyrinth2.rules.turn_record import turn_told
from scorer.labyrinth2.rules.turn_ruling import rule_turn
from scorer.labyrinth2.rules.validation import GAME as WORD
from scorer.labyrinth2.rules.validation import GRID, NAME, check_board
from scorer.labyrinth2.sheet import Sheet
from scorer.port.photo import TilesOnGrid

#: The open tile set, which calibration/decks/labyrinth2 draws.
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
    rule=lambda board, pieces, house: rule_board(table_of(board, pieces, house)),
    turn_told=turn_told,
    rule_turn=rule_turn,
    forms=Labyrinth2Table(),
    bundled=BUNDLED,
    strategy=TilesOnGrid(
        spare_at=arrow_at,
        ways=ways(),
        always=lambda pieces: [
            name for name, role in pieces.figures.items() if role in ("gargoyle", "dragon")
        ],
        set_aside=set_aside,
    ),
    asked=ASKED,
)
