"""Labyrinth of Stone Dragon as played at the table (`scorer.turn_forms`): set-up, entry of a turn action by
action, and the resulting board."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from msgspec.structs import replace

from scorer.board_record import Board, BoardPlayer, Cell, Piece, Tile
from scorer.catalogue import Catalogue
from scorer.stone_dragon.rules.board_ruling import rule_board
from scorer.stone_dragon.rules.pieces import MADE, SIDE, Pieces, pieces_of
from scorer.stone_dragon.rules.turn_record import Action, kinds_of
from scorer.stone_dragon.rules.validation import DRAGON, GRID, seat_of, top_of
from scorer.stone_dragon.words import DONE
from scorer.text import Text, capitalised
from scorer.turn_forms import (
    BoardTable,
    Seated,
    Step,
    StepForm,
    Trace,
    action_forms,
    figures_by_colour,
    walk_trace,
)

_GOES = Text("Goes")

#: In a record's `more`: who killed the dragon.
SLAYER = "slayer"
_SIDES = {"points": Text("for its stars"), "bonus": Text("for its bonus")}


class StoneDragonTable(BoardTable):
    """The game as played at the table (`scorer.turn_forms.BoardTable`)."""

    def begun(self, catalogue: Catalogue, players: Sequence[Seated]) -> Board:
        pieces = pieces_of(catalogue)
        entrance = min(pieces.entrances)
        back = min(pieces.backs - pieces.marked_backs)
        tiles = [
            Tile(tile=back, column=column, row=row, face="down")
            for row in range(SIDE)
            for column in range(SIDE)
            if (column, row) != (0, 0)
        ]
        rotation: Any = next(
            (turn for turn in (0, 90, 180, 270) if pieces.lying[entrance, turn] == 0b0110), 0
        )
        pawns = figures_by_colour(catalogue, "pawn")
        free = [name for colour, name in pawns.items() if colour not in {each.colour for each in players}]
        dragon = pawns["black"] if pawns.get("black") in free else free[0]
        standing = [Piece(piece=pawns[each.colour], column=0, row=0) for each in players]
        return Board(
            game=catalogue.game,
            catalogue=catalogue.name,
            grid=GRID,
            tiles=(Tile(tile=entrance, column=0, row=0, rotation=rotation), *tiles),
            pieces=(*standing, Piece(piece=dragon, column=SIDE - 1, row=SIDE - 1)),
            players=tuple(
                BoardPlayer(name=each.name, piece=pawns[each.colour], holds={}) for each in players
            ),
            to_move=players[0].name,
            more={"dragon": {"piece": dragon, "life": pieces.dragon.life}},
        )

    def may_deal(self, catalogue: Catalogue, board: Board) -> bool:
        return any(seat_of(player).character is None for player in board.players)

    def dealt(self, catalogue: Catalogue, board: Board, chance: random.Random) -> Board:
        pieces = pieces_of(catalogue)
        taken = {seat_of(player).character for player in board.players}
        names = [name for name in sorted(pieces.characters) if name not in taken]
        chance.shuffle(names)
        players = []
        for player in board.players:
            if seat_of(player).character is None and names:
                name = names.pop()
                character = pieces.characters[name]
                told = {"character": name, "life": character.life, "coins": character.coins}
                player = replace(player, more=player.more | told)
            players.append(player)
        return replace(board, players=tuple(players))

    def forms(
        self, catalogue: Catalogue, board: Board, steps: Sequence[Step], terms: Any
    ) -> tuple[StepForm, ...]:
        pieces = pieces_of(catalogue)
        names = tuple(player.name for player in board.players)
        words = {name: capitalised(text) for name, text in DONE.items()} | {"move": _GOES}
        dragon = {DRAGON: Text("the dragon")}
        more = {
            f"use.{field}": {"by": "card", "choices_by": _made_by_items(pieces, at)}
            for at, field in enumerate(("discard", "gain"))
        }
        return action_forms(get_args(Action), words, kinds_of(pieces), names, _SIDES | dragon, more=more)

    def after(
        self, catalogue: Catalogue, before: Board, ruling: Any, claims: Mapping[str, Any], seen: Board | None
    ) -> Board | None:
        stands = super().after(catalogue, before, ruling, claims, seen)
        if stands is None or ruling.slayer is None:
            return stands
        return replace(stands, more=stands.more | {SLAYER: ruling.slayer})

    def rows(self, catalogue: Catalogue, board: Board, terms: Any) -> dict[str, dict[str, Any]]:
        pieces = pieces_of(catalogue)
        stars = rule_board(board, pieces, terms).stars
        slayer = board.more.get(SLAYER)
        return {
            name: {"stars": count, "dragon": pieces.dragon.stars if name == slayer else 0}
            for name, count in stars.items()
        }

    def is_over(self, catalogue: Catalogue, board: Board) -> bool:
        return top_of(board).dragon.life == 0

    def traces(self, before: Board, after: Board, catalogue: Catalogue, ruling: Any) -> tuple[Trace, ...]:
        figures = {player.name: player.piece for player in before.players}
        cells = {piece.piece: piece.cell for piece in before.pieces or ()}
        walks: dict[str, list[Cell | None]] = {}
        for action in ruling.actions:
            walk = walks.setdefault(action.player, [cells.get(figures.get(action.player))])
            walk.append(action.cell)
        return tuple(each for walk in walks.values() for each in walk_trace(walk))


def _made_by_items(pieces: Pieces, at: int) -> dict[str, tuple[str, ...]]:
    """For each item card, the chips handed in (`at` 0) or made (`at` 1) with it."""
    return {
        card: tuple(
            name
            for name, chip in pieces.chips.items()
            if chip.kind == item.chip and any(made[at] == chip.value for made in MADE[item.level or 1])
        )
        for card, item in pieces.items.items()
    }
