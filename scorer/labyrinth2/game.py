"""The implementation of `scorer.game` for Labyrinth 2."""

from __future__ import annotations

from pathlib import Path

from scorer.board_game import BoardGame, BoardWords, make_board_game
from scorer.labyrinth2 import words as messages
from scorer.labyrinth2.enrol import ASKED
from scorer.labyrinth2.play import Labyrinth2Table
from scorer.labyrinth2.rules.board_ruling import BoardRuling, rule_board
from scorer.labyrinth2.rules.house import House
from scorer.labyrinth2.rules.pieces import pieces_of
from scorer.labyrinth2.rules.position import arrow_at, ways
from scorer.labyrinth2.rules.table import table_of
from scorer.labyrinth2.rules.turn_record import turn_told
from scorer.labyrinth2.rules.turn_ruling import rule_turn
from scorer.labyrinth2.rules.validation import GAME as WORD
from scorer.labyrinth2.rules.validation import GRID, NAME, check_board
from scorer.labyrinth2.sheet import Sheet
from scorer.port.photo import TilesOnGrid
from scorer.text import Text
from scorer.vocabulary import Vocabulary

#: The open tile set, which calibration/decks/labyrinth2 draws.
BUNDLED = Path(__file__).parent / "catalogue"

_SETTINGS: dict[str, tuple[Text, Text]] = {
    "reverse": (
        Text("Undoing the last push"),
        Text(
            "any: nobody pushes a tile back in where the last push let it out; others: only other players' "
            "pushes are not undone."
        ),
    ),
    "pushed_chip": (
        Text("A treasure pushed off the board"),
        Text("entered: it goes onto the tile just entered; spare: it stays on its tile."),
    ),
    "round_trip": (
        Text("Out and back counts as a walk"),
        Text("On: who stands on a treasure may take it by walking out and back."),
    ),
    "take": (
        Text("Taking a treasure"),
        Text("must: who stops on a treasure that may be taken takes it; may: it may be left."),
    ),
    "front": (
        Text("The dragon's front"),
        Text("any: it looks through any tile before it; open: only through one open to it."),
    ),
    "same_tile": (
        Text("A gargoyle's own tile"),
        Text("nearer: it is nearer than the next tile; even: as near."),
    ),
    "empty_handed": (
        Text("Explorers without a treasure"),
        Text("shields: they shield those behind; passed_over: the nearest with a treasure fights."),
    ),
}

_VOCABULARY = Vocabulary(
    words={
        "tile": Text("tile"),
        "treasure": Text("treasure"),
        "coin": Text("coin"),
        "dragon": Text("dragon"),
        "explorer": Text("explorer"),
        "gargoyle": Text("gargoyle"),
    }
)

GAME: BoardGame = make_board_game(
    id=WORD,
    name=NAME,
    grid=GRID,
    house=House,
    house_words=_SETTINGS,
    sheet=Sheet(),
    verdict_type=BoardRuling,
    words=BoardWords(
        vocabulary=_VOCABULARY,
        board_steps=messages.board_steps,
        board_why=messages.board_why,
        board_report=messages.board_report,
        turn_steps=messages.turn_steps,
        turn_why=messages.turn_why,
        turn_report=messages.turn_report,
    ),
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
    ),
    asked=ASKED,
)
