"""Rulings in words: boards and turns, as sentences for people."""

from __future__ import annotations

from quayside.rules.board import Action, Load, Sail, TurnTile
from quayside.rules.turns import TurnRuling
from scorer.board_game import BoardWords
from scorer.board_problems import told_cell
from scorer.text import Text, unchanged
from scorer.verdict import Fact, Reason, ToldStep, numbered_steps
from scorer.vocabulary import Vocabulary

NAMES = {"boat": Text("boat"), "grain": Text("grain"), "salt": Text("salt"), "silk": Text("silk")}
HOUSE_WORDS = {
    "berths": (Text("Boats in one place"), Text("one: an occupied place is closed; any: boats lie together."))
}
_FINE = Text("Nothing is wrong with this board.")
_DIFFERS = Text("The photo shows another board than this turn leads to.")


def turn_steps(ruling: TurnRuling) -> tuple[ToldStep, ...]:
    """The actions played, in order."""
    return numbered_steps(("", _told(each).filled(player=ruling.player)) for each in ruling.actions)


def _told(action: Action) -> Text:
    match action:
        case Sail():
            return Text("{player} sails to {cell}.", cell=told_cell(action.to))
        case TurnTile():
            return Text("{player} turns the tile at {cell}.", cell=told_cell(action.at))
        case Load():
            return Text("{player} loads {good}.", good=NAMES.get(action.good, unchanged(action.good)))


WORDS = BoardWords(
    vocabulary=Vocabulary(words=NAMES),
    fine=lambda ruling: Reason("legal", _FINE),
    board_facts=lambda ruling: [
        Fact(Text("Points of {name}", name=name), unchanged(count))
        for name, count in ruling.points.items()
        if count is not None
    ],
    turn_steps=turn_steps,
    turn_notes=lambda ruling: (_DIFFERS,) if ruling.differs else (),
)
