"""Judgement of a pass from the players' report alone: violations, decisions still missing, and the board
after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from scorer.board_record import Board, BoardPlayer, Piece, SpareTile, Tile
from scorer.labyrinth2.rules.hands import without
from scorer.labyrinth2.rules.passes import (
    Pass,
    Violation,
    barred,
    dice_violations,
    fight_violations,
    final_violations,
    in_order,
    is_card_wrong,
    is_further,
    is_second_six,
    is_treasure_left,
    is_won,
    lowest_held,
    treasure_violation,
    turn_violations,
    unearned,
    violation,
    walk_violations,
    watch_of,
)
from scorer.labyrinth2.rules.position import EXITS, LINES, cell_of, number_of, pushed
from scorer.labyrinth2.rules.table import Table
from scorer.labyrinth2.rules.turn_record import DragonDie, FinalFight, TurnRecord
from scorer.square_grid import SIDES

WINS = 12


@dataclass(frozen=True)
class Fought:
    """A fight that was due or reported: the player, the opponent, the outcome and the treasure lost, where
    known."""

    player: str | None
    piece: str | None
    by: str | None
    won: bool | None
    lost: str | None


@dataclass(frozen=True)
class Ended:
    """The fight with the dragon, with the sum of the dice; None where they are unknown."""

    sum: int | None
    won: bool
    lost: str | None


@dataclass(frozen=True)
class Judged:
    """The judgement of a pass. `entered` is the id of the tile that was pushed in."""

    done: Pass
    violations: tuple[Violation, ...]
    pending: tuple[str, ...]
    arrow: str | None
    rotation: int | None
    taken: str | None
    die: DragonDie | None
    facing: int | None
    fights: tuple[Fought, ...]
    final: Ended | None


def judge_told(turn: TurnRecord, table: Table) -> Judged:
    """The judgement of a pass from the players' report. The position must be playable."""
    claims, further = turn.claims, is_further(turn)
    explorer = table.player(turn.player).piece or ""
    found = list(turn_violations(turn, table, further=further))
    position = table.position
    if claims.push is None:
        found.append(violation("no-push"))
    else:
        if claims.push.at == position.spare_at and barred(table, further=further):
            found.append(violation("push-reversed", arrow=claims.push.at))
        position = pushed(position, table.pieces, table.house, claims.push.at, claims.push.rotation)
    stood = position.explorers[explorer]
    to = stood if claims.to is None else number_of(claims.to)
    done = Pass(turn, table, position, explorer, stood, to, further)
    found += walk_violations(done)
    taken = [] if claims.take is None else [claims.take]
    if claims.take is not None:
        wrong = treasure_violation(done, claims.take, lying(done, claims.take))
        found += [] if wrong is None else [wrong]
    elif is_treasure_left(done):
        found.append(violation("treasure-left", to))
    if is_card_wrong(done, claims.take):
        found.append(violation("card-wrong"))
    if claims.die is not None and not taken:
        found.append(violation("die-unearned"))
    pending = ["die"] if taken and claims.die is None else []
    fights, broken, owed = _fights(done, taken)
    found += broken
    pending += ["fights"] if owed else []
    pending += ["late-chips"] if is_second_six(done, taken) else []
    found += final_violations(done, attempted=False)
    return Judged(
        done=done,
        violations=in_order(found),
        pending=tuple(pending),
        arrow=None if claims.push is None else claims.push.at,
        rotation=None if claims.push is None else claims.push.rotation,
        taken=claims.take,
        die=claims.die,
        facing=_facing(done),
        fights=tuple(fights),
        final=None if claims.final is None else ended(done, claims.final),
    )


def lying(done: Pass, name: str) -> int | None:
    """The cell of a treasure that was taken: the explorer's cell, else that of any copy."""
    cells = [cell for each, cell in done.position.chips if each == name and cell is not None]
    if done.to in cells:
        return done.to
    return next((cell for cell in cells if cell != done.position.nest), cells[0] if cells else None)


def _facing(done: Pass) -> int | None:
    die, facing = done.turn.claims.die, done.position.facing
    if facing is None:
        return None
    return (facing + (die.arrows or 0 if die is not None else 0)) % 4


def _fights(done: Pass, taken: Sequence[str]) -> tuple[list[Fought], list[Violation], bool]:
    """The fights of a pass, their violations, and whether any fight is still to be reported."""
    claims = done.turn.claims
    told = claims.fights or ()
    broken = list(dice_violations(done, told, taken))
    if claims.die is None:
        broken += unearned(done, told, taken)
        return [fought_as_told(done, name=fight.player, taken=taken) for fight in told], broken, False
    by, watch = watch_of(done, claims.die, taken)
    if claims.fights is not None:
        broken += fight_violations(done, told, watch)
    owners = done.table.owners
    named = [fight.player for fight in told]
    pieces = [*watch.fights, *(piece for piece in watch.maybe if owners.get(piece) in named)]
    fights = [fought_as_told(done, piece=piece, by=by, taken=taken) for piece in pieces]
    return fights, broken, claims.fights is None and bool(watch.fights)


def fought_as_told(
    done: Pass,
    *,
    name: str | None = None,
    piece: str | None = None,
    by: str | None = None,
    taken: Sequence[str],
) -> Fought:
    """The outcome of a fight from the players' report, looked up by the player's name or by the explorer."""
    if name is None:
        name = done.table.owners.get(piece or "")
    fight = next((each for each in done.turn.claims.fights or () if each.player == name), None)
    player = None if name is None else done.table.player(name)
    piece = piece if player is None else player.piece
    if fight is None or player is None:
        return Fought(name, piece, by, None, None)
    won = is_won(fight)
    lost = None if won else lowest_held(done, player, taken) or fight.lost
    return Fought(name, piece, by, won, lost)


def ended(done: Pass, final: FinalFight) -> Ended:
    """The outcome of the fight with the dragon from its dice."""
    total = sum(die[-1] for die in final.throws)
    won = total >= WINS
    return Ended(total, won, None if won else lowest_held(done, done.mover, ()))


# --- the board after ----------------------------------------------------------------------------------------


def board_after(judged: Judged) -> Board:
    """The board after a legal pass, as far as it follows from the report."""
    done = judged.done
    board, arrow = done.table.board, judged.arrow or ""
    names = [player.name for player in board.players]
    following = names[(names.index(done.turn.player) + 1) % len(names)]
    tiles, out = _pushed_tiles(board, arrow, judged.rotation or 0)
    more = {name: value for name, value in board.more.items() if name != "ask"}
    return replace(
        board,
        tiles=tiles,
        spare=(SpareTile(tile=done.position.spare, rotation=out, at=EXITS[arrow]),),
        pieces=tuple(_pieces_after(judged)),
        players=tuple(_player_after(judged, player) for player in board.players),
        to_move=following,
        more=more | {"extra_done": done.further},
    )


def _pushed_tiles(board: Board, arrow: str, rotation: Any) -> tuple[tuple[Tile, ...], Any]:
    line = LINES[arrow]
    there = dict(pairwise(line))
    moved, out = [], None
    for tile in board.tiles or ():
        cell = number_of(tile.cell)
        if cell == line[-1]:
            out = tile.rotation
        elif cell in there:
            column, row = cell_of(there[cell])
            moved.append(replace(tile, column=column, row=row))
        else:
            moved.append(tile)
    column, row = cell_of(line[0])
    entered = board.spare[0].tile if board.spare else None
    moved.append(Tile(tile=entered, column=column, row=row, rotation=rotation))
    return tuple(sorted(moved, key=lambda tile: (tile.row, tile.column))), out


def _pieces_after(judged: Judged) -> Iterator[Piece]:
    done = judged.done
    position, pieces = done.position, done.table.pieces
    standing = {**position.explorers, **position.gargoyles, done.explorer: done.to}
    chips = iter(position.chips)
    taken = judged.taken
    for piece in done.table.board.pieces or ():
        name = piece.piece or ""
        if name in pieces.dragons:
            if judged.final is None or not judged.final.won:
                yield replace(piece, facing=_side(judged.facing))
        elif name in standing and piece.cell is not None:
            column, row = cell_of(standing[name])
            place = piece.place if name != done.explorer or done.to == done.stood else None
            yield replace(piece, column=column, row=row, place=place)
        elif name in pieces.treasures and (piece.cell is not None or piece.on is not None):
            _, cell = next(chips)
            if name == taken and cell == done.to:
                taken = None
            elif cell is None:
                yield Piece(piece=name, on="spare")
            else:
                column, row = cell_of(cell)
                yield Piece(piece=name, column=column, row=row)
        else:
            yield piece


def _side(facing: int | None) -> Any:
    return None if facing is None else SIDES[facing]


def _player_after(judged: Judged, player: BoardPlayer) -> BoardPlayer:
    done, claims = judged.done, judged.done.turn.claims
    mover = player.name == done.turn.player
    gained: list[str] = []
    used: list[str] = []
    if mover:
        gained += [judged.taken] if judged.taken is not None else []
        gained += [min(done.table.pieces.coins)] if claims.card is not None else []
        gained += [min(done.table.pieces.dragons)] if judged.final is not None and judged.final.won else []
        used += [card for card in (claims.extra, claims.card) if card is not None]
        used += claims.final.discards if claims.final is not None else ()
    lost = [each.lost for each in judged.fights if each.player == player.name and each.lost is not None]
    lost += [judged.final.lost] if mover and judged.final is not None and judged.final.lost else []
    used += [card for fight in claims.fights or () if fight.player == player.name for card in fight.discards]
    holds = None if player.holds is None else dict(player.holds)
    if holds is not None:
        for name in gained:
            holds[name] = holds.get(name, 0) + 1
        for name in lost:
            holds[name] = holds.get(name, 0) - 1
        holds = {name: count for name, count in holds.items() if count > 0}
    return replace(
        player,
        holds=holds,
        hand=None if player.hand is None else without(player.hand, used),
        hand_size=None if player.hand_size is None else player.hand_size - len(used),
    )
