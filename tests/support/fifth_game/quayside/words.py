"""Rulings in words: boards and turns, as sentences for people."""

from __future__ import annotations

from quayside.rules.board import Action, BoardRuling, Load, Sail, TurnTile
from quayside.rules.turns import TurnRuling
from scorer.board_problems import told_cell
from scorer.text import NO_WORDS, Text, unchanged, written
from scorer.verdict import Fact, Reason, Report, ToldStep

NAMES = {"boat": Text("boat"), "grain": Text("grain"), "salt": Text("salt"), "silk": Text("silk")}
HOUSE_WORDS = {
    "berths": (Text("Boats in one place"), Text("one: an occupied place is closed; any: boats lie together."))
}
_FINE = Text("Nothing is wrong with this board.")
_LEGAL = Text("This turn follows the rules.")
_UNKNOWN = Text("This turn cannot be judged until the board is corrected.")
_DIFFERS = Text("The photo shows another board than this turn leads to.")


def board_why(ruling: BoardRuling) -> Reason:
    """The first problem, else that there is none."""
    for first in ruling.problems:
        return Reason(first.rule, written(first.message, first.message_ja))
    return Reason("legal", _FINE)


def board_report(ruling: BoardRuling) -> Report:
    """The players' points, and what is wrong."""
    points = [(name, count) for name, count in ruling.points.items() if count is not None]
    return Report(
        facts=tuple(Fact(Text("Points of {name}", name=name), unchanged(count)) for name, count in points),
        faults=tuple(written(each.message, each.message_ja) for each in ruling.problems),
        brief=board_why(ruling).words,
    )


def turn_steps(ruling: TurnRuling) -> tuple[ToldStep, ...]:
    """The actions played, in order."""
    return tuple(
        ToldStep(number, "", _told(each).filled(player=ruling.player), NO_WORDS)
        for number, each in enumerate(ruling.actions, 1)
    )


def _told(action: Action) -> Text:
    match action:
        case Sail():
            return Text("{player} sails to {cell}.", cell=told_cell(action.to))
        case TurnTile():
            return Text("{player} turns the tile at {cell}.", cell=told_cell(action.at))
        case Load():
            return Text("{player} loads {good}.", good=NAMES.get(action.good, unchanged(action.good)))


def turn_why(ruling: TurnRuling) -> Reason:
    """The broken rule, else that the turn is legal or cannot be judged."""
    for first in ruling.violations:
        return Reason(first.rule, written(first.message, first.message_ja))
    if ruling.legal is None:
        return Reason(ruling.problems[0].rule if ruling.problems else "unknown", _UNKNOWN)
    return Reason("legal", _LEGAL)


def turn_report(ruling: TurnRuling) -> Report:
    """Whose turn it was, what is wrong, and whether a photo shows something else."""
    broken = (*ruling.problems, *ruling.violations)
    return Report(
        facts=(Fact(Text("Turn of"), unchanged(ruling.player)),),
        faults=tuple(written(each.message, each.message_ja) for each in broken),
        notes=(_DIFFERS,) if ruling.differs else (),
        brief=turn_why(ruling).words,
    )
