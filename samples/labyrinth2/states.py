"""Positions of Labyrinth 2 that a table could have come to, and turns that somebody could have played on
them, by the rules or against one of them.

A position is drawn by chance: tiles anywhere, treasures taken in their order, each held by somebody or lost.
What a turn is worth the referee says, who looks at the boards before and after.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from samples.layouts import NoScene
from scorer.board_record import Board, board_told
from scorer.catalogue import Catalogue, Side
from scorer.labyrinth2.rules.moves import moves_of
from scorer.labyrinth2.rules.pieces import CELLS, MIDDLE, SECOND, Pieces, pieces_of
from scorer.labyrinth2.rules.position import ARROWS, EXITS, LINES, beside, cell_of
from scorer.labyrinth2.rules.table import Table, table_of
from scorer.labyrinth2.rules.turn_record import turn_told
from scorer.labyrinth2.rules.turn_ruling import TurnRuling, rule_turn
from scorer.labyrinth2.rules.validation import board_told as checked_board
from scorer.square_grid import SIDES, Cell, bits

#: How often chips and gargoyles start elsewhere than the set has them: editions differ.
ELSEWHERE = 0.3
#: How often the spare does not lie at its arrow.
TAKEN_AWAY = 0.2
#: Rules that a turn between two photos can be played against.
FAULTS = (
    "walk-blocked", "no-push", "not-a-push", "push-reversed", "not-carried", "nest", "treasure-order",
    "treasure-elsewhere", "treasure-left", "treasure-many", "dragon-turned",
)  # fmt: skip
#: Turns for which a push is looked for that opens the way to a treasure.
SOUGHT = ("", "treasure-left", "treasure-many")


@dataclass(frozen=True)
class Lying:
    """A tile as it lies: its id and its rotation."""

    tile: str
    rotation: int


@dataclass(frozen=True)
class Player:
    """Who sits at a side of the board; `holds` and `hand` in the order in which they were laid down."""

    name: str
    explorer: str
    seat: Side
    holds: tuple[str, ...] = ()
    hand: tuple[str, ...] | None = None


@dataclass(frozen=True)
class State:
    """What lies and stands where; cells are numbers row by row. `at`: the arrow at which the spare lies."""

    tiles: dict[int, Lying]
    spare: Lying
    at: str | None
    chips: tuple[tuple[str, int], ...]
    standing: dict[str, int]
    facing: int
    players: tuple[Player, ...]
    to_move: str
    dragons: tuple[str, ...] = field(default=("dragon",))


@dataclass(frozen=True)
class PlayedTurn:
    """A turn between two photos: what was done, against which rule, and what the referee says of it."""

    before: State
    after: State
    player: str
    fault: str
    push: dict[str, Any] | None
    to: Cell
    took: tuple[str, ...]
    ruling: TurnRuling


def random_state(catalogue: Catalogue, rng: np.random.Generator) -> State:
    """A position somewhere in a game."""
    pieces = pieces_of(catalogue)
    loose = sorted(pieces.loose)
    order = [name for name in loose for _ in range(pieces.copies[name])]
    order = [order[int(k)] for k in rng.permutation(len(order))]
    free = [cell for cell in range(CELLS) if cell not in pieces.printed]
    tiles = {cell: Lying(name, _quarter(rng)) for cell, name in zip(free, order, strict=False)}
    spare = Lying(order[len(free)], _quarter(rng))
    explorers = [name for name, role in pieces.figures.items() if role == "explorer"]
    count = int(rng.choice([2, 3, 4], p=[0.35, 0.3, 0.35]))
    turn = int(rng.integers(len(explorers)))
    chosen = sorted(rng.permutation(len(explorers))[:count].tolist())
    seats = sorted(rng.permutation(4)[:count].tolist())
    seated = [explorers[(k + turn) % len(explorers)] for k in chosen]
    chips, holds = _treasures(pieces, count, rng)
    anywhere = [cell for cell in range(CELLS) if cell != MIDDLE]
    standing = {name: int(rng.choice(anywhere)) for name in seated}
    standing |= {name: cell for name, cell in _gargoyles(pieces, anywhere, rng).items()}
    players = tuple(
        Player(_name(catalogue, name), name, SIDES[seat], tuple(held))
        for name, seat, held in zip(seated, seats, holds, strict=True)
    )
    return State(
        tiles=tiles,
        spare=spare,
        at=_lies_at(str(rng.choice(ARROWS)), rng),
        chips=tuple(chips),
        standing=standing,
        facing=int(rng.integers(4)),
        players=_with_hands(players, pieces, rng),
        to_move=players[int(rng.integers(count))].name,
        dragons=tuple(sorted(pieces.dragons)),
    )


def _lies_at(arrow: str, rng: np.random.Generator) -> str | None:
    """Where the spare was left: mostly where it came out."""
    return arrow if rng.random() >= TAKEN_AWAY else None


def _name(catalogue: Catalogue, explorer: str) -> str:
    """Players are called as a photo can tell them apart: by their colour."""
    return catalogue.card(explorer).colour or explorer


def _quarter(rng: np.random.Generator) -> int:
    return 90 * int(rng.integers(4))


def _treasures(
    pieces: Pieces, players: int, rng: np.random.Generator
) -> tuple[list[tuple[str, int]], list[list[str]]]:
    """Treasures left with their cells, and what each player holds, when so many were taken in order."""
    names = sorted(pieces.treasures, key=lambda name: pieces.treasures[name])
    order = [name for name in names for _ in range(pieces.copies[name])]
    first = sum(1 for name in order if pieces.treasures[name] not in SECOND)
    taken = int(rng.integers(0, len(order) + 1)) if rng.random() < 0.9 else int(rng.integers(0, 3))
    holds: list[list[str]] = [[] for _ in range(players)]
    skill = rng.dirichlet(np.full(players, 2.0))
    for name in order[:taken]:
        if rng.random() < 0.85:
            who = int(rng.choice(players, p=skill))
            holds[who].append(name)
            if rng.random() < 0.35:
                holds[who].append(min(pieces.coins))
    left = order[taken:first] if taken < first else order[taken:]
    known = sorted(pieces.chip_cells or ())
    if len(known) < len(left) or rng.random() < ELSEWHERE:
        known = [cell for cell in range(CELLS) if cell != MIDDLE]
    cells = [known[int(k)] for k in rng.permutation(len(known))[: len(left)]]
    return list(zip(left, cells, strict=True)), holds


def _gargoyles(pieces: Pieces, anywhere: Sequence[int], rng: np.random.Generator) -> dict[str, int]:
    names = sorted(name for name, role in pieces.figures.items() if role == "gargoyle")
    return {name: int(rng.choice(anywhere)) for name in names}


def _with_hands(players: tuple[Player, ...], pieces: Pieces, rng: np.random.Generator) -> tuple[Player, ...]:
    """Now and then somebody plays with open cards."""
    deck = [name for name in sorted(pieces.cards) for _ in range(pieces.copies[name])]
    deck = [deck[int(k)] for k in rng.permutation(len(deck))]
    dealt = []
    for player in players:
        hand = None
        if rng.random() < 0.15:
            count = int(rng.integers(1, 5))
            hand, deck = tuple(deck[:count]), deck[count:]
        dealt.append(replace(player, hand=hand))
    return tuple(dealt)


# --- as records -------------------------------------------------------------------------------------------


def record_of(state: State, catalogue: Catalogue, *, in_view: Sequence[str] | None = None) -> Board:
    """The board record of a state; holdings of the players `in_view` alone, of all unless told."""
    tiles = [
        {"tile": lying.tile, "column": cell_of(cell)[0], "row": cell_of(cell)[1], "rotation": lying.rotation}
        for cell, lying in sorted(state.tiles.items())
    ]
    spare = {"tile": state.spare.tile, "rotation": state.spare.rotation}
    pieces = [
        {"piece": name, "column": cell_of(cell)[0], "row": cell_of(cell)[1]}
        for name, cell in (*state.chips, *state.standing.items())
    ]
    nest = dict(zip(("column", "row"), cell_of(MIDDLE), strict=True))
    pieces += [{"piece": name, **nest, "facing": SIDES[state.facing]} for name in state.dragons]
    players = []
    for player in state.players:
        told: dict[str, Any] = {"name": player.name, "piece": player.explorer, "seat": player.seat}
        if in_view is None or player.name in in_view:
            told["holds"] = dict(Counter(player.holds))
            if player.hand is not None:
                told["hand"] = list(player.hand)
        players.append(told)
    told = {
        "format": "waymark-board/1",
        "game": "labyrinth2",
        "catalogue": catalogue.name,
        "grid": {"columns": 7, "rows": 7},
        "tiles": tiles,
        "spare": [spare | ({"at": state.at} if state.at else {})],
        "pieces": pieces,
        "players": players,
    }
    return checked_board(told, pieces_of(catalogue))


def turn_record_of(turn: PlayedTurn, catalogue: Catalogue) -> dict[str, Any]:
    """The turn record of two states, all holdings told."""
    before = board_told(record_of(turn.before, catalogue)) | {"to_move": turn.before.to_move}
    return {
        "format": "waymark-turn/1",
        "game": "labyrinth2",
        "catalogue": catalogue.name,
        "player": turn.player,
        "before": before,
        "after": board_told(record_of(turn.after, catalogue)),
    }


# --- turns ------------------------------------------------------------------------------------------------


def pushed_state(state: State, arrow: str, rotation: int) -> State:
    """The state after the spare was pushed in at an arrow; what stood on the line moves with it."""
    line = LINES[arrow]
    tiles = dict(state.tiles)
    out = tiles[line[-1]]
    for here, there in zip(line[-2::-1], line[:0:-1], strict=True):
        tiles[there] = tiles[here]
    tiles[line[0]] = Lying(state.spare.tile, rotation)
    carried = dict(zip(line, (*line[1:], line[0]), strict=True))
    return replace(
        state,
        tiles=tiles,
        spare=out,
        at=EXITS[arrow],
        chips=tuple((name, carried.get(cell, cell)) for name, cell in state.chips),
        standing={name: carried.get(cell, cell) for name, cell in state.standing.items()},
    )


def random_turn(state: State, catalogue: Catalogue, rng: np.random.Generator, fault: str = "") -> PlayedTurn:
    """A turn of who is to move, by the rules or against `fault`. Raises `NoScene` where chance found none."""
    for _ in range(30):
        made = _attempt(state, catalogue, rng, fault)
        if made is None:
            continue
        turn = turn_told(turn_record_of(made, catalogue), pieces_of(catalogue))
        ruling = rule_turn(turn, pieces_of(catalogue))
        rules = {each.rule for each in ruling.violations}
        if (fault in rules) if fault else ruling.legal:
            return replace(made, ruling=ruling)
    raise NoScene


def _attempt(state: State, catalogue: Catalogue, rng: np.random.Generator, fault: str) -> PlayedTurn | None:
    explorer = next(each.explorer for each in state.players if each.name == state.to_move)
    pieces = pieces_of(catalogue)
    choices = [arrow for arrow in ARROWS if (arrow == state.at) == (fault == "push-reversed")]
    if not choices:
        return None
    arrow, rotation = str(rng.choice(choices)), _quarter(rng)
    if fault in SOUGHT and rng.random() < 0.6:
        useful = moves_of(_table(state, catalogue), explorer)
        if useful:
            move = useful[int(rng.integers(len(useful)))]
            arrow, rotation = move.at, move.rotation
    pushing = fault != "no-push"
    moved = pushed_state(state, arrow, rotation) if pushing else state
    table = _table(moved, catalogue)
    at = moved.standing[explorer]
    joined = [cell for cell in bits(table.ways.joined(at)) if cell != MIDDLE] if at != MIDDLE else [at]
    play = _PLAYS.get(fault, _play)
    done = play(moved, table, explorer, joined, state, rng)
    if done is None:
        return None
    after, took = done
    mover = next(each for each in after.players if each.name == state.to_move)
    holds = (*mover.holds, *took)
    if len(took) == 1 and rng.random() < 0.4:
        holds = (*holds, min(pieces.coins))
    players = tuple(replace(each, holds=holds) if each is mover else each for each in after.players)
    after = replace(after, players=players, to_move=_next(state))
    if pushing:
        after = replace(after, at=_lies_at(EXITS[arrow], rng))
    if took:
        # four arrows, or a gargoyle, leave it as it was
        arrows = int(rng.choice([0, 1, 2, 3], p=[0.25, 0.35, 0.25, 0.15]))
        after = replace(after, facing=(state.facing + arrows) % 4)
    return PlayedTurn(
        before=state,
        after=after,
        player=state.to_move,
        fault=fault,
        push={"at": arrow, "rotation": rotation} if pushing else None,
        to=cell_of(after.standing[explorer]),
        took=tuple(took),
        ruling=None,  # type: ignore[arg-type]
    )


def _next(state: State) -> str:
    names = [each.name for each in state.players]
    return names[(names.index(state.to_move) + 1) % len(names)]


def _table(state: State, catalogue: Catalogue) -> Table:
    return table_of(record_of(state, catalogue), pieces_of(catalogue))


Done = tuple[State, Sequence[str]] | None


def _gone_to(state: State, explorer: str, cell: int) -> State:
    return replace(state, standing={**state.standing, explorer: cell})


def _without(state: State, *gone: tuple[str, int]) -> State:
    chips = list(state.chips)
    for chip in gone:
        chips.remove(chip)
    return replace(state, chips=tuple(chips))


def _lowest(state: State, table: Table) -> list[tuple[str, int]]:
    values = table.pieces.treasures
    return [chip for chip in state.chips if values[chip[0]] == table.lowest]


def _play(
    state: State, table: Table, explorer: str, joined: list[int], before: State, rng: np.random.Generator
) -> Done:
    """As the rules have it: to a treasure that may be taken, or anywhere, or nowhere."""
    here = state.standing[explorer]
    near = [chip for chip in _lowest(state, table) if chip[1] in joined and chip[1] != here]
    if near:
        chip = near[int(rng.integers(len(near)))]
        last = len(_lowest(state, table)) == 1 and table.lowest == min(SECOND) - 1
        if not last:  # (the later treasures would have to be laid out at once)
            return _without(_gone_to(state, explorer, chip[1]), chip), [chip[0]]
    quiet = [cell for cell in joined if all(cell != chip[1] for chip in _lowest(state, table))]
    if not quiet or rng.random() < 0.2:
        return state, []
    return _gone_to(state, explorer, int(rng.choice(quiet))), []


def _blocked(
    state: State, table: Table, explorer: str, joined: list[int], before: State, rng: np.random.Generator
) -> Done:
    low = {cell for _, cell in _lowest(state, table)}
    barred = {*joined, *low, MIDDLE}
    others = [cell for cell in range(CELLS) if cell not in barred]
    return (_gone_to(state, explorer, int(rng.choice(others))), []) if others else None


def _two_pushes(
    state: State, table: Table, explorer: str, joined: list[int], before: State, rng: np.random.Generator
) -> Done:
    """A tile beside the pushed line was turned as well."""
    cell = int(rng.choice(sorted(state.tiles)))
    lying = state.tiles[cell]
    turned = Lying(lying.tile, (lying.rotation + 90) % 360)
    return replace(state, tiles={**state.tiles, cell: turned}), []


def _left_behind(
    state: State, table: Table, explorer: str, joined: list[int], before: State, rng: np.random.Generator
) -> Done:
    """Somebody else's figure was held fast while its tile was pushed."""
    moved = [
        name for name, cell in state.standing.items() if before.standing[name] != cell and name != explorer
    ]
    if not moved:
        return None
    name = moved[int(rng.integers(len(moved)))]
    return replace(state, standing={**state.standing, name: before.standing[name]}), []


def _into_nest(
    state: State, table: Table, explorer: str, joined: list[int], before: State, rng: np.random.Generator
) -> Done:
    beside_nest = {beside(MIDDLE, side) for side in range(4)}
    if not beside_nest & set(joined):
        return None
    return _gone_to(state, explorer, MIDDLE), []


def _out_of_order(
    state: State, table: Table, explorer: str, joined: list[int], before: State, rng: np.random.Generator
) -> Done:
    later = [chip for chip in state.chips if chip not in _lowest(state, table) and chip[1] in joined]
    if not later:
        return None
    chip = later[int(rng.integers(len(later)))]
    return _without(_gone_to(state, explorer, chip[1]), chip), [chip[0]]


def _elsewhere(
    state: State, table: Table, explorer: str, joined: list[int], before: State, rng: np.random.Generator
) -> Done:
    low = _lowest(state, table)
    quiet = [cell for cell in joined if all(cell != chip[1] for chip in state.chips)]
    if not low or not quiet:
        return None
    chip = low[int(rng.integers(len(low)))]
    return _without(_gone_to(state, explorer, int(rng.choice(quiet))), chip), [chip[0]]


def _left_lying(
    state: State, table: Table, explorer: str, joined: list[int], before: State, rng: np.random.Generator
) -> Done:
    near = [chip for chip in _lowest(state, table) if chip[1] in joined]
    return (_gone_to(state, explorer, near[int(rng.integers(len(near)))][1]), []) if near else None


def _two_chips(
    state: State, table: Table, explorer: str, joined: list[int], before: State, rng: np.random.Generator
) -> Done:
    near = [chip for chip in _lowest(state, table) if chip[1] in joined]
    others = [chip for chip in state.chips if not near or chip != near[0]]
    if not near or not others:
        return None
    other = others[int(rng.integers(len(others)))]
    return _without(_gone_to(state, explorer, near[0][1]), near[0], other), [near[0][0], other[0]]


def _dragon_turned(
    state: State, table: Table, explorer: str, joined: list[int], before: State, rng: np.random.Generator
) -> Done:
    quiet = [cell for cell in joined if all(cell != chip[1] for chip in _lowest(state, table))]
    if not quiet:
        return None
    turned = replace(state, facing=(state.facing + int(rng.integers(1, 4))) % 4)
    return _gone_to(turned, explorer, int(rng.choice(quiet))), []


Play = Callable[[State, Table, str, list[int], State, np.random.Generator], Done]
_PLAYS: dict[str, Play] = {
    "walk-blocked": _blocked,
    "not-a-push": _two_pushes,
    "not-carried": _left_behind,
    "nest": _into_nest,
    "treasure-order": _out_of_order,
    "treasure-elsewhere": _elsewhere,
    "treasure-left": _left_lying,
    "treasure-many": _two_chips,
    "dragon-turned": _dragon_turned,
}
