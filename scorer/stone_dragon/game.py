"""The implementation of `scorer.game` for Stone Dragon."""

from __future__ import annotations

from pathlib import Path

from scorer.board_game import BoardGame, BoardWords, make_board_game
from scorer.port.photo import LoosePieces
from scorer.stone_dragon import words as messages
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
from scorer.text import Text
from scorer.vocabulary import Vocabulary

_SETTINGS: dict[str, tuple[Text, Text]] = {
    "room_search": (
        Text("Searching a room"),
        Text("on-entry: a room is searched as it is entered, at no cost; action: searching is an action."),
    ),
    "turn_under_dragon": (
        Text("Turning the dragon's panel"),
        Text("On: the panel under the dragon may be turned."),
    ),
    "turn_entrance": (Text("Turning the entrance"), Text("On: the entrance may be turned.")),
    "free_after_last": (
        Text("Free actions at the end"),
        Text("On: change, equipment and victory cards are allowed when no action is left."),
    ),
    "curse_takes": (
        Text("What a curse takes"),
        Text("equipped: the chip that is equipped; any: else the lowest of its kind in the hand."),
    ),
    "steal_on_counter": (
        Text("Taking a chip when striking back"),
        Text("On: who beats the attacker by striking back takes a chip, too."),
    ),
    "defeat_ends_turn": (
        Text("Beaten in the own turn"),
        Text("On: the turn ends then; off: the other actions are still there."),
    ),
    "dragon_is_monster": (
        Text("The dragon is a monster"),
        Text("On: to be beaten by the dragon is to be beaten by a monster."),
    ),
    "eloquence_any": (
        Text("Eloquence on others' cards"),
        Text("On: any player's card may be swapped; off: only an own one."),
    ),
}

#: The open panels, which calibration/decks/stone_dragon draws.
BUNDLED = Path(__file__).parent / "catalogue"

_VOCABULARY = Vocabulary(
    words={
        **{sort.role: sort.name for asked in ASKED for sort in asked.sorts},
        "tile": Text("panel"),
        "pawn": Text("pawn"),
        "cursed": Text("cursed"),
        "dragon-card": Text("dragon card"),
        "monster": Text("monster"),
        "item": Text("item card"),
        "curse": Text("curse"),
        "dragon": Text("dragon"),
        "sword": Text("sword"),
        "shield": Text("shield"),
        "potion": Text("potion"),
        "coin": Text("coin"),
        "life": Text("life"),
        "character": Text("character"),
        "coins": Text("coins"),
        "equipped": Text("worn"),
        "victory": Text("victory cards"),
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
    forms=StoneDragonTable(),
    bundled=BUNDLED,
    strategy=LoosePieces(laid_out),
    put_down=put_down,
    infer_turn=seen_turn,
    asked=ASKED,
)
