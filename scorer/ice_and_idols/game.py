"""The implementation of `scorer.game` for Ice and Idols."""

from __future__ import annotations

from pathlib import Path

from scorer.board_game import BoardGame, BoardWords, make_board_game
from scorer.ice_and_idols import words as messages
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
from scorer.ice_and_idols.sheet import IDOL_WORDS, Sheet
from scorer.port.photo import TilesInLayers
from scorer.text import Text, unchanged
from scorer.vocabulary import Vocabulary

_SETTINGS: dict[str, tuple[Text, Text]] = {
    "quick": (
        Text("Quick play"),
        Text("On: all have the five powers from the start; an idol that is placed is studied."),
    ),
    "architect_turns": (
        Text("What the architect turns"),
        Text("both: both tiles may be turned; other: only the one that comes into the old place."),
    ),
}

#: The open temple, which calibration/decks/ice_and_idols draws.
BUNDLED = Path(__file__).parent / "catalogue"

_VOCABULARY = Vocabulary(
    words={
        **IDOL_WORDS,
        **{sort.role: sort.name for asked in ASKED for sort in asked.sorts},
        "powers": Text("powers"),
        "character": Text("figure"),
        "cube": Text("cube"),
        "idol": Text("idol"),
        "key": Text("key card"),
        "event": Text("event card"),
        "vp": Text("VP token"),
        "adrenaline": Text("adrenaline"),
        "plus": unchanged("+"),
        "minus": unchanged("−"),
        "first-player": Text("first player"),
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
