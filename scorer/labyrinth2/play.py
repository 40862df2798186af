"""Labyrinth 2 as played at the table (`scorer.turn_forms`): set-up, entry of a pass step by step, and the
board after it."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from scorer.board_record import Board, BoardPlayer, GridSize, Piece, SpareTile, Tile
from scorer.catalogue import Catalogue
from scorer.labyrinth2.rules.board_ruling import rule_board
from scorer.labyrinth2.rules.pieces import FIRST, MIDDLE, SECOND, SIDE, Pieces, pieces_of
from scorer.labyrinth2.rules.position import ARROWS, LINES, cell_of, cells_of, number_of, pushed
from scorer.labyrinth2.rules.reported_turn import board_after, judge_told
from scorer.labyrinth2.rules.table import Table, table_of
from scorer.labyrinth2.rules.turn_record import Claims, Push, TurnRecord
from scorer.labyrinth2.words import told_move
from scorer.square_grid import Cell, bits
from scorer.text import Text, plural
from scorer.turn_forms import (
    ROTATIONS,
    BoardTable,
    Seated,
    Step,
    StepField,
    StepForm,
    Trace,
    after_told,
    figures_by_colour,
    next_player,
)

#: Where the set has carpets for explorers and plinths for gargoyles.
CORNERS: dict[str, Cell] = {"red": (0, 0), "blue": (6, 0), "yellow": (6, 6), "green": (0, 6)}
PLINTHS: tuple[Cell, ...] = ((4, 2), (2, 4))

_PUSH = Text("Push the tile in")
_WALK = Text("Walk")
_TAKE = Text("Take the treasure")
_DIE = Text("Dragon die")
_FIGHT = Text("A fight")
_AGAIN = Text("Throw again (card)")
_CARD = Text("Card for a coin")
_EXTRA = Text("A further turn (card)")
_FINAL = Text("Fight the dragon")
_WHERE = Text("At which arrow?")
_TURNED = Text("Turned how?")
_TO = Text("To which tile?")
_WHICH = Text("Which one?")
_WHO = Text("Who?")
_SHOWED = Text("What did the die show?")
_PIPS: tuple[str, ...] = ("1", "2", "3", "4", "5", "6")


class Labyrinth2Table(BoardTable):
    """The game as played at the table (`scorer.turn_forms.BoardTable`)."""

    arrows = ARROWS

    def begun(self, catalogue: Catalogue, players: Sequence[Seated]) -> Board:
        pieces = pieces_of(catalogue)
        fixed = [card for card in catalogue.cards if card.kind == "fixed" and card.cell is not None]
        tiles = [
            Tile(tile=card.id, column=card.cell[0], row=card.cell[1], rotation=card.rotation or 0)  # type: ignore[index]
            for card in fixed
        ]
        explorers = figures_by_colour(catalogue, "explorer")
        standing = [
            Piece(piece=explorers[each.colour], column=cell[0], row=cell[1])
            for each in players
            if each.colour in explorers and (cell := CORNERS.get(each.colour)) is not None
        ]
        gargoyles = [name for name, role in pieces.figures.items() if role == "gargoyle"]
        standing += [
            Piece(piece=name, column=column, row=row)
            for name, (column, row) in zip(sorted(gargoyles), PLINTHS, strict=False)
        ]
        column, row = cell_of(MIDDLE)
        standing += [
            Piece(piece=name, column=column, row=row, facing="top") for name in sorted(pieces.dragons)[:1]
        ]
        return Board(
            game=catalogue.game,
            catalogue=catalogue.name,
            grid=GridSize(columns=SIDE, rows=SIDE),
            tiles=tuple(sorted(tiles, key=lambda tile: (tile.row, tile.column))),
            spare=(),
            pieces=tuple(standing),
            players=tuple(
                BoardPlayer(name=each.name, piece=explorers.get(each.colour), holds={}) for each in players
            ),
            to_move=players[0].name,
        )

    def may_deal(self, catalogue: Catalogue, board: Board) -> bool:
        return _lacks_tiles(board) or _late_are_due(catalogue, board)

    def dealt(self, catalogue: Catalogue, board: Board, chance: random.Random) -> Board:
        pieces = pieces_of(catalogue)
        if _late_are_due(catalogue, board):
            return replace(board, pieces=(*(board.pieces or ()), *_chips(pieces, SECOND, chance)))
        if not _lacks_tiles(board):
            return board
        names = [name for name in sorted(pieces.loose) for _ in range(pieces.copies[name])]
        chance.shuffle(names)
        free = [cell for cell in range(SIDE * SIDE) if cell not in pieces.printed]
        printed = [tile for tile in board.tiles or () if tile.tile not in pieces.loose]
        tiles = [
            Tile(tile=names.pop(), column=cell_of(cell)[0], row=cell_of(cell)[1], rotation=_quarter(chance))
            for cell in free
        ]
        others = [piece for piece in board.pieces or () if piece.piece not in pieces.treasures]
        return replace(
            board,
            tiles=tuple(sorted((*printed, *tiles), key=lambda tile: (tile.row, tile.column))),
            spare=(SpareTile(tile=names.pop(), rotation=0),),
            pieces=(*_chips(pieces, FIRST, chance), *others),
        )

    # --- a pass

    def forms(
        self, catalogue: Catalogue, board: Board, steps: Sequence[Step], terms: Any
    ) -> tuple[StepForm, ...]:
        pieces, told = pieces_of(catalogue), self.claims(steps)
        table = table_of(board, pieces, terms)
        if _lacks_tiles(board) or table.position.spare is None or board.to_move is None:
            return ()
        if "push" not in told:
            arrow = StepField("at", _WHERE, "arrow", ARROWS)
            turned = StepField("rotation", _TURNED, "rotation", ROTATIONS, tile=table.position.spare)
            return (StepForm("push", _PUSH, (arrow, turned), lead=True),)
        there = _pushed(table, told["push"])
        explorer = table.player(board.to_move).piece or ""
        stood = there.position.explorers.get(explorer)
        forms: list[StepForm] = []
        if "to" not in told and stood is not None:
            likely = tuple(cells_of(bits(there.ways.joined(stood))))
            forms.append(StepForm("walk", _WALK, (StepField("to", _TO, "cell", likely=likely),), lead=True))
        at = tuple(told["to"]) if "to" in told else None if stood is None else cell_of(stood)
        lying = [name for name, cell in there.position.chips if cell is not None and cell_of(cell) == at]
        if "take" not in told and lying:
            field = StepField("what", _WHICH, "choice", tuple(dict.fromkeys(lying)))
            forms.append(StepForm("take", _TAKE, (field,), lead="to" in told))
        names = tuple(player.name for player in board.players)
        thrown = StepField("pips", _SHOWED, "choice", _PIPS)
        if "take" in told and "die" not in told:
            forms.append(StepForm("die", _DIE, (_die(pieces, table),), lead=True))
        if "die" in told:
            who = StepField("player", _WHO, "choice", names)
            forms.append(StepForm("fight", _FIGHT, (who, thrown)))
            if told.get("fights"):
                forms.append(StepForm("again", _AGAIN, (who, _card(pieces), thrown)))
        if table.phase == "final" and "final" not in told:
            dice = tuple(
                StepField(f"die{number}", Text("Die {number}", number=number), "choice", _PIPS)
                for number in (1, 2, 3)
            )
            forms.append(StepForm("final", _FINAL, dice))
        if "take" in told and "card" not in told:
            forms.append(StepForm("card", _CARD, (_card(pieces),)))
        if "extra" not in told:
            forms.append(StepForm("extra", _EXTRA, (_card(pieces),)))
        return tuple(forms)

    def claims(self, steps: Sequence[Step]) -> dict[str, Any]:
        told: dict[str, Any] = {}
        for step in steps:
            match step.get("do"):
                case "push":
                    told["push"] = {"at": step.get("at"), "rotation": int(step.get("rotation") or 0)}
                case "walk":
                    told["to"] = step.get("to")
                case "take":
                    told["take"] = step.get("what")
                case "die":
                    showed = str(step.get("showed"))
                    told["die"] = {"arrows": int(showed)} if showed.isdigit() else {"gargoyle": showed}
                case "fight":
                    fight = {"player": step.get("player"), "throws": [[int(step.get("pips") or 0)]]}
                    told["fights"] = [*told.get("fights", ()), fight]
                case "again":
                    told["fights"] = [_thrown_again(fight, step) for fight in told.get("fights", ())]
                case "final":
                    told["final"] = {"throws": [[int(step.get(f"die{n}") or 0)] for n in (1, 2, 3)]}
                case "card" | "extra" as what:
                    told[what] = step.get("card")
                case _:
                    pass
        return told

    def seen_steps(self, ruling: Any) -> tuple[Step, ...]:
        if ruling.push is None:
            return ()
        push = {"do": "push", "at": ruling.push.at, "rotation": ruling.push.rotation}
        taken = ({"do": "take", "what": ruling.taken},) if ruling.taken is not None else ()
        return (push, {"do": "walk", "to": ruling.to}, *taken)

    def shown(self, catalogue: Catalogue, board: Board, claims: Mapping[str, Any], terms: Any) -> Board:
        push = claims.get("push")
        if not push or _lacks_tiles(board) or board.to_move is None:
            return board
        table = table_of(board, pieces_of(catalogue), terms)
        done = Claims(push=Push(at=push["at"], rotation=push["rotation"]), to=claims.get("to"))
        turn = TurnRecord(player=board.to_move or "", before=board, after=None, claims=done)
        return replace(board_after(judge_told(turn, table)), to_move=board.to_move, more=board.more)

    def after(
        self, catalogue: Catalogue, before: Board, ruling: Any, claims: Mapping[str, Any], seen: Board | None
    ) -> Board | None:
        if seen is None:
            return after_told(ruling.result)
        pieces = pieces_of(catalogue)
        further = claims.get("extra") is not None
        players = tuple(_player_after(player, ruling, claims, pieces) for player in before.players)
        return replace(
            seen,
            players=players,
            to_move=next_player(before, ruling.player),
            more={**before.more, "extra_done": further},
        )

    # --- what it comes to

    def rows(self, catalogue: Catalogue, board: Board, terms: Any) -> dict[str, dict[str, Any]]:
        pieces = pieces_of(catalogue)
        rows = {}
        for player in board.players:
            held = Counter(player.holds or {})
            row: dict[str, Any] = {}
            for name, value in pieces.treasures.items():
                column = f"treasure_{value}"
                row[column] = row.get(column, 0) + held[name]
            row["coins"] = sum(held[name] for name in pieces.coins)
            row["dragon"] = any(held[name] for name in pieces.dragons)
            rows[player.name] = row
        return rows

    def is_over(self, catalogue: Catalogue, board: Board) -> bool:
        return table_of(board, pieces_of(catalogue)).phase == "over"

    def traces(self, before: Board, after: Board, catalogue: Catalogue, ruling: Any) -> tuple[Trace, ...]:
        found: list[Trace] = []
        if ruling.push is not None:
            line = [cell_of(cell) for cell in LINES[ruling.push.at]]
            (x0, y0), (x1, y1) = line[0], line[-1]
            dx, dy = (x1 > x0) - (x1 < x0), (y1 > y0) - (y1 < y0)
            start = (x0 + 0.5 - 0.95 * dx, y0 + 0.5 - 0.95 * dy)
            found.append(Trace("push", (start, (x1 + 0.5 + 0.9 * dx, y1 + 0.5 + 0.9 * dy))))
        if ruling.to is not None:
            start_cell = ruling.stood or ruling.to
            ways = table_of(after, pieces_of(catalogue)).ways
            way = ways.way(number_of(tuple(start_cell)), number_of(tuple(ruling.to)))
            cells = [start_cell, ruling.to] if way is None else [cell_of(each) for each in way]
            if tuple(start_cell) != tuple(ruling.to):
                found.append(Trace("walk", tuple((x + 0.5, y + 0.5) for x, y in cells)))
            if ruling.taken is not None:
                x, y = ruling.to
                found.append(Trace("take", ((x + 0.5, y + 0.5),), ruling.taken))
        for each in ruling.violations:
            if each.cell is not None:
                x, y = each.cell
                found.append(Trace("wrong", ((x + 0.5, y + 0.5),)))
        return tuple(found)

    def without_advice(self, ruling: Any) -> Any:
        return replace(ruling, best=None, moves=None)

    def best(self, catalogue: Catalogue, board: Board, terms: Any) -> Text | None:
        ruling = rule_board(table_of(board, pieces_of(catalogue), terms))
        return None if ruling.best is None else told_move(ruling.best)


def _lacks_tiles(board: Board) -> bool:
    return len(board.tiles or ()) < SIDE * SIDE or not board.spare


def _late_are_due(catalogue: Catalogue, board: Board) -> bool:
    return table_of(board, pieces_of(catalogue)).phase == "between" and not _lacks_tiles(board)


def _chips(pieces: Pieces, values: Sequence[int], chance: random.Random) -> list[Piece]:
    names = [
        name for name, value in sorted(pieces.treasures.items()) if value in values
        for _ in range(pieces.copies[name])
    ]  # fmt: skip
    chance.shuffle(names)
    cells = cells_of(pieces.chip_cells or ())
    return [
        Piece(piece=name, column=column, row=row) for name, (column, row) in zip(names, cells, strict=False)
    ]


def _quarter(chance: random.Random) -> Any:
    return chance.choice((0, 90, 180, 270))


def _pushed(table: Table, push: Mapping[str, Any]) -> Table:
    position = pushed(table.position, table.pieces, table.house, push["at"], push["rotation"])
    return dataclasses.replace(table, position=position, ways=position.passages())


def _die(pieces: Pieces, table: Table) -> StepField:
    gargoyles = tuple(sorted(table.position.gargoyles))
    words = {str(n): plural("{count} arrow", "{count} arrows", n) for n in range(1, 5)}
    return StepField("showed", _SHOWED, "choice", (*words, *gargoyles), words)


def _card(pieces: Pieces) -> StepField:
    return StepField("card", _WHICH, "choice", tuple(pieces.cards))


def _thrown_again(fight: dict[str, Any], step: Step) -> dict[str, Any]:
    if fight["player"] != step.get("player"):
        return fight
    throws = [[*fight["throws"][0], int(step.get("pips") or 0)]]
    return {**fight, "throws": throws, "discards": [*fight.get("discards", ()), step.get("card")]}


def _player_after(player: BoardPlayer, ruling: Any, claims: Mapping[str, Any], pieces: Pieces) -> BoardPlayer:
    """A player's possessions after a photographed pass, computed from the ruling, since photos do not show
    them."""
    held = Counter(player.holds or {})
    if player.name == ruling.player:
        held.update([ruling.taken] if ruling.taken is not None else [])
        held.update([min(pieces.coins)] if claims.get("card") and pieces.coins else [])
        if ruling.final is not None:
            held.update([min(pieces.dragons)] if ruling.final.won else [])
            held.subtract([ruling.final.lost] if ruling.final.lost is not None else [])
    held.subtract([each.lost for each in ruling.fights if each.player == player.name and each.lost])
    holds = {name: count for name, count in held.items() if count > 0}
    return replace(player, holds=holds if player.holds is not None else None)
