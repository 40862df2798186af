"""Ice and Idols as played at the table (`scorer.turn_forms`): set-up, entry of a turn action by action, and
the resulting board."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from scorer.board_record import Board, BoardPlayer, Piece, SpareTile, Tile, board_told
from scorer.catalogue import Catalogue
from scorer.ice_and_idols.rules.board_ruling import rule_board
from scorer.ice_and_idols.rules.final_score import GameFile, final_score
from scorer.ice_and_idols.rules.pieces import FIRST, IDOLS, Pieces, pieces_of
from scorer.ice_and_idols.rules.temple_frame import SIDE
from scorer.ice_and_idols.rules.turn_record import Action, kinds_of
from scorer.ice_and_idols.rules.validation import DISCARD, GRID, RESEARCH
from scorer.ice_and_idols.sheet import IDOL_WORDS
from scorer.ice_and_idols.words import DONE
from scorer.text import Text
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

_WORDS = {
    **IDOL_WORDS,
    "top": Text("up"),
    "right": Text("right"),
    "bottom": Text("down"),
    "left": Text("left"),
    "clockwise": Text("clockwise"),
    "counterclockwise": Text("counterclockwise"),
    "study": Text("study (research track)"),
    "power": Text("its power (own board)"),
}


class IceAndIdolsTable(BoardTable):
    """The game as played at the table (`scorer.turn_forms.BoardTable`): set-up, entry of turns, and the
    resulting board."""

    def begun(self, catalogue: Catalogue, players: Sequence[Seated]) -> Board:
        pieces = pieces_of(catalogue)
        figures = figures_by_colour(catalogue, "character")
        whole = next(
            (name for name, each in pieces.maps.items() if (each.columns, each.rows) == (SIDE, SIDE))
        )
        research = pieces.research
        boards = {}
        if research is not None:
            boards = {RESEARCH: {"columns": research.columns, "rows": research.rows, "rotation": 0}}
        return Board(
            game=catalogue.game,
            catalogue=catalogue.name,
            grid=GRID,
            tiles=(),
            spare=(),
            pieces=tuple(_nobodys_cubes(pieces, players)),
            players=tuple(
                BoardPlayer(
                    name=each.name,
                    piece=figures[each.colour],
                    holds={"adrenaline-plus": 1} | ({FIRST: 1} if number == 0 else {}),
                    hand_size=1,
                )
                for number, each in enumerate(players)
            ),
            to_move=players[0].name,
            more={
                "ground": {"rotation": 0, "tiles": [{"tile": whole, "column": 0, "row": 0, "rotation": 0}]},
                "boards": boards,
            },
        )

    def may_deal(self, catalogue: Catalogue, board: Board) -> bool:
        return not board.tiles

    def dealt(self, catalogue: Catalogue, board: Board, chance: random.Random) -> Board:
        pieces = pieces_of(catalogue)
        round_about = next(name for name, tile in pieces.tiles.items() if tile.roundabout)
        names = [
            name for name in sorted(pieces.tiles) if name != round_about for _ in range(pieces.copies[name])
        ]
        chance.shuffle(names)
        start = _start(board, pieces)
        cells = [(column, row) for row in range(SIDE) for column in range(SIDE)]
        quarter: Any = lambda: chance.choice((0, 90, 180, 270))  # noqa: E731
        tiles = [
            Tile(tile=round_about, column=cell[0], row=cell[1], rotation=0)
            if cell == start
            else Tile(tile=names.pop(), column=cell[0], row=cell[1], rotation=quarter())
            for cell in cells
            if cell == start or names
        ]
        smith = next(
            (p.name for p in board.players if pieces.characters.get(p.piece or "") == "keysmith"), "box"
        )
        spare = [SpareTile(tile=round_about, at=smith), *(SpareTile(tile=each, at=DISCARD) for each in names)]
        place = pieces.tiles[round_about].named[0]
        standing = [
            Piece(piece=player.piece, column=start[0], row=start[1], place=place) for player in board.players
        ]
        tokens = sorted(pieces.tokens)
        chance.shuffle(tokens)
        tracks = () if pieces.research is None else pieces.research.tracks
        laid = [
            Piece(piece=name, column=track.column, row=track.below, on=RESEARCH)
            for name, track in zip(tokens, tracks, strict=False)
        ]
        return replace(
            board, tiles=tuple(tiles), spare=tuple(spare), pieces=(*standing, *laid, *(board.pieces or ()))
        )

    def forms(
        self, catalogue: Catalogue, board: Board, steps: Sequence[Step], terms: Any
    ) -> tuple[StepForm, ...]:
        pieces = pieces_of(catalogue)
        places = tuple(dict.fromkeys(name for tile in pieces.tiles.values() for name in tile.nodes))
        choices = {"pass.place": places}
        more = {"architect.rotation": {"lies": "here"}, "architect.other_rotation": {"lies": "beyond"}}
        return action_forms(get_args(Action), DONE, kinds_of(pieces), (), _WORDS, choices, more)

    def after(
        self, catalogue: Catalogue, before: Board, ruling: Any, claims: Mapping[str, Any], seen: Board | None
    ) -> Board | None:
        stands = super().after(catalogue, before, ruling, claims, seen)
        mover = ruling.after.get("to_move") if ruling.legal and ruling.after is not None else None
        return stands if stands is None or mover is None else replace(stands, to_move=mover)

    def rows(self, catalogue: Catalogue, board: Board, terms: Any) -> dict[str, dict[str, Any]]:
        # The pieces on the tracks are worth what the catalogue says.
        house = {**board.house, "quick": terms.quick}
        told = msgspec.to_builtins(board_told(replace(board, house=house)))
        final = final_score(GameFile(board=told), catalogue)
        markers = {
            player.name: player.markers for player in rule_board(board, pieces_of(catalogue), terms).players
        }
        return {
            each.name: {kind: (each.by_track or {}).get(kind, 0) for kind in IDOLS}
            | {"bonus": each.bonus, "powers": each.powers, "key": each.key, "markers": markers[each.name]}
            for each in final.players
        }

    def is_over(self, catalogue: Catalogue, board: Board) -> bool:
        return False  # the round is played to its end: people say when that is

    def traces(self, before: Board, after: Board, catalogue: Catalogue, ruling: Any) -> tuple[Trace, ...]:
        figures = {player.name: player.piece for player in before.players}
        piece = figures.get(ruling.player)
        cells = [
            each.cell
            for board in (before, after)
            for each in board.pieces or ()
            if each.piece == piece and each.on is None
        ]
        return walk_trace(cells)


def _nobodys_cubes(pieces: Pieces, players: Sequence[Seated]) -> list[Piece]:
    """The neutral cubes placed at set-up for this number of players, in colours that no player has."""
    taken = {each.colour for each in players}
    free = [name for name, colour in pieces.cubes.items() if colour not in taken]
    tracks = () if pieces.research is None else pieces.research.tracks
    found = []
    for track in tracks:
        spaces = [space for space in track.spaces if len(players) in space.start]
        found += [
            Piece(piece=cube, column=track.column, row=space.row, on=RESEARCH)
            for cube, space in zip(free, spaces, strict=False)
        ]
    return found


def _start(board: Board, pieces: Pieces) -> tuple[int, int]:
    """The space over the map's start, in the initial orientation of the map."""
    for each in (board.more.get("ground") or {}).get("tiles", ()):
        for spot in pieces.maps[each["tile"]].cells:
            if spot.start:
                return spot.cell
    return SIDE // 2, SIDE // 2
