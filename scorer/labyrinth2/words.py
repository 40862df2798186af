"""Rulings of Labyrinth 2 in words: the steps of a pass, the options of each player, the problems of a
position."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.board_game import BoardWords
from scorer.board_problems import told_cell
from scorer.labyrinth2.rules.board_ruling import BoardRuling, Reach, Watching
from scorer.labyrinth2.rules.moves import Move
from scorer.labyrinth2.rules.turn_ruling import ToldFight, TurnRuling
from scorer.square_grid import Cell
from scorer.text import SEMICOLON, Text, listed, plural
from scorer.verdict import Fact, Reason, ToldStep, numbered_steps
from scorer.vocabulary import Vocabulary

PHASES: dict[str, Text] = {
    "first": Text("Treasures 1 to 6 are sought."),
    "second": Text("Treasures 7 to 12 are sought."),
    "between": Text("Treasures 7 to 12 have to be laid out."),
    "final": Text("All treasures are taken; the dragon can be fought."),
    "over": Text("The dragon is won; the game is over."),
}
_SIDES = {
    "top": Text("above"),
    "right": Text("on the right"),
    "bottom": Text("below"),
    "left": Text("on the left"),
}
_PENDING = {
    "die": Text("The dragon die has still to be thrown."),
    "fights": Text("Somebody still has to fight."),
    "late-chips": Text("Treasures 7 to 12 have still to be laid out."),
}
_DIFFERS = {
    "push": Text("The photos show a different push from the one entered."),
    "to": Text("The photos show the explorer in a different place from the one entered."),
    "take": Text("The photos show a different treasure from the one entered."),
}

_PUSH_ROW = Text("the spare tile into row {number} from {side}, upright")
_PUSH_COLUMN = Text("the spare tile into column {number} from {side}, upright")
_PUSH_TURNED_ROW = Text("the spare tile into row {number} from {side}, turned by {rotation} degrees")
_PUSH_TURNED_COLUMN = Text("the spare tile into column {number} from {side}, turned by {rotation} degrees")


def told_push(at: str, rotation: int) -> Text:
    """A push in words, as a player would describe it."""
    side, number = _SIDES[at[:-1]], int(at[-1]) + 1
    across = at[:-1] in ("left", "right")
    if rotation:
        words = _PUSH_TURNED_ROW if across else _PUSH_TURNED_COLUMN
        return words.filled(number=number, side=side, rotation=rotation)
    return (_PUSH_ROW if across else _PUSH_COLUMN).filled(number=number, side=side)


def told_move(move: Move) -> Text:
    """A move in words, as a player would describe it."""
    push, cell = told_push(move.at, move.rotation), told_cell(move.cell)
    if not move.danger:
        words = Text("Push {push}, then walk {steps} to {cell}.")
    elif move.danger == 1:
        words = Text(
            "Push {push}, then walk {steps} to {cell}; of five throws of the dragon die once a fight."
        )
    else:
        words = Text(
            "Push {push}, then walk {steps} to {cell}; of five throws of the dragon die {danger} times a "
            "fight."
        )
    return words.filled(push=push, steps=move.steps, cell=cell, danger=move.danger)


# --- boards -------------------------------------------------------------------------------------------------


def board_steps(ruling: BoardRuling) -> tuple[ToldStep, ...]:
    """One line for the reach of each explorer, and one for the cells watched by the dragon and each
    gargoyle."""
    told = [(f"{each.cell[0]},{each.cell[1]}", _reach(each)) for each in ruling.reach]
    told += [(each.by, _watch(each)) for each in ruling.watch]
    return numbered_steps(told)


def _reach(reach: Reach) -> Text:
    who, count = reach.player or reach.piece, len(reach.cells)
    if count == 1:
        told = Text("{who} cannot walk anywhere", who=who)
    else:
        told = Text("{who} can walk to {count} cells", who=who, count=count - 1)
    if reach.takes:
        takes = listed((told_cell(cell) for cell in reach.takes), SEMICOLON)
        told = Text("{told} and take a treasure at {takes}", told=told, takes=takes)
    if reach.front:
        return Text("{told}, the dragon's front among them.", told=told)
    return Text("{told}.", told=told)


def _watch(watch: Watching) -> Text:
    count = len(watch.cells)
    told = Text("Watches {count} cells", count=count)
    if watch.fights:
        return Text("{told}; {fights} would have to fight.", told=told, fights=listed(watch.fights))
    if watch.maybe:
        return Text(
            "{told}; {maybe} would have to fight with a treasure in hand.",
            told=told,
            maybe=listed(watch.maybe),
        )
    return Text("{told}; nobody would have to fight.", told=told)


def _facts(ruling: BoardRuling) -> list[Fact]:
    facts = [Fact(Text("Phase"), PHASES[ruling.phase])]
    if ruling.next is not None:
        cells = [told_cell(cell) for cell in ruling.next.cells]
        where = listed(cells, SEMICOLON) if cells else Text("no cell now")
        words = Text("{treasure}, at {where}", treasure=ruling.next.value, where=where)
        facts.append(Fact(Text("Next treasure"), words))
    return [*facts, *_best(ruling)]


def _best(ruling: BoardRuling | TurnRuling) -> list[Fact]:
    return [] if ruling.best is None else [Fact(Text("Best move"), told_move(ruling.best))]


# --- turns --------------------------------------------------------------------------------------------------


def turn_steps(ruling: TurnRuling) -> tuple[ToldStep, ...]:
    """The steps of a pass in words: push, walk, treasure, die and fights."""
    return numbered_steps(_done(ruling))


def _done(ruling: TurnRuling) -> Iterator[tuple[str, Text]]:
    who = ruling.player
    if ruling.push is not None:
        push = told_push(ruling.push.at, ruling.push.rotation)
        yield ruling.push.at, Text("{who} pushed {push}.", who=who, push=push)
    if ruling.to is not None and ruling.walked:
        cell = told_cell(ruling.to)
        yield _place(ruling.to), Text("{who} walked to {cell}.", who=who, cell=cell)
    if ruling.taken is not None:
        yield ruling.taken, Text("{who} took {taken}.", who=who, taken=ruling.taken)
    if ruling.die is not None and ruling.die.arrows is not None:
        count = ruling.die.arrows
        yield (
            "dragon",
            plural(
                "The dragon turned by {count} quarter.",
                "The dragon turned by {count} quarters.",
                count,
                degrees=90 * count,
            ),
        )
    elif ruling.die is not None:
        yield ruling.die.gargoyle or "", Text("The die showed a gargoyle.")
    for fight in ruling.fights:
        yield fight.by or "", _fight(fight)
    if ruling.final is not None:
        won = ruling.final.won
        yield (
            "dragon",
            Text("{who} won the dragon.", who=who) if won else Text("{who} did not win the dragon.", who=who),
        )


def _place(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def _fight(fight: ToldFight) -> Text:
    who = fight.player or fight.piece or "?"
    if fight.won is None:
        return Text("{who} has to fight.", who=who)
    if fight.won:
        return Text("{who} fought and won.", who=who)
    lost = fight.lost or "?"
    return Text("{who} fought and lost {lost}.", who=who, lost=lost)


#: The labels of house rules, and what they say.
SETTINGS: dict[str, tuple[Text, Text]] = {
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

VOCABULARY = Vocabulary(
    words={
        "tile": Text("tile"),
        "treasure": Text("treasure"),
        "coin": Text("coin"),
        "dragon": Text("dragon"),
        "explorer": Text("explorer"),
        "gargoyle": Text("gargoyle"),
    }
)

WORDS = BoardWords(
    vocabulary=VOCABULARY,
    board_steps=board_steps,
    fine=lambda ruling: Reason(ruling.phase, PHASES[ruling.phase]),
    board_facts=_facts,
    turn_steps=turn_steps,
    turn_facts=_best,
    turn_notes=lambda ruling: [
        *(_PENDING[each] for each in ruling.pending),
        *(_DIFFERS[each] for each in ruling.differs),
    ],
)
