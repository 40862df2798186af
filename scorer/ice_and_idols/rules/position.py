"""The state of a game: the temple with its figures over the map, spare tiles, the research track, and each
player's possessions. Actions are played on a copy."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from msgspec import structs as msgs

from scorer.board_record import Board, BoardPlayer, Piece, SpareTile, Tile
from scorer.catalogue import Side
from scorer.ice_and_idols.rules.house import House
from scorer.ice_and_idols.rules.pieces import (
    BORDERS,
    FIRST,
    IDOLS,
    MINUS,
    PLUS,
    BorderName,
    MapSpot,
    Pieces,
    Track,
    map_spots,
)
from scorer.ice_and_idols.rules.temple_frame import CELLS, NEIGHBOURS, UNDER, cell_of, line_of, number_of
from scorer.ice_and_idols.rules.validation import BOX, DISCARD, RESEARCH, Top, seat_of, top_of
from scorer.square_grid import SIDES

#: A tile as it lies: its design, and degrees.
Laid = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Stand:
    """The location of a figure: a cell, and the number of a corridor of the tile there."""

    cell: int
    corridor: int


@dataclass(slots=True)
class Traveller:
    """A player. `minus` says that the adrenaline token is on its minus side. `key` is the key card: None
    where unknown, "" for none. `kept` are the roundabouts in the player's possession."""

    name: str
    figure: str
    seat: Side
    idols: Counter[str]
    powers: set[str]
    minus: bool
    key: str | None
    kept: list[str] = field(default_factory=list)

    def copy(self) -> Traveller:
        return replace(self, idols=Counter(self.idols), powers=set(self.powers), kept=list(self.kept))

    @property
    def base(self) -> int:
        """The AP of a turn before adrenaline."""
        return 6 if "sapphire" in self.powers else 5

    @property
    def hands(self) -> int:
        """The number of idols that the player can carry."""
        return 2 if "tiger_eye" in self.powers else 1


@dataclass(slots=True)
class Position:
    """The state of a game. `tiles` are by cell, `stands` by figure; `quarters` is the map's rotation in
    quarter turns. `spots` are the symbols printed on each cell of the map. `discard` are the tiles beside
    the temple.

    `cubes` are the colours by (column, row) of the track; `tokens` are by column, each with a flag whether it
    is locked. `spots`, `discard`, `cubes` and `tokens` are None where unknown."""

    pieces: Pieces
    house: House
    tiles: list[Laid | None]
    stands: dict[str, Stand]
    quarters: int
    spots: tuple[MapSpot, ...] | None
    borders: tuple[BorderName, ...]
    discard: list[str] | None
    players: dict[str, Traveller]
    cubes: dict[tuple[int, int], str] | None
    tokens: dict[int, tuple[str, bool]] | None

    def copy(self) -> Position:
        return replace(
            self,
            tiles=list(self.tiles),
            stands=dict(self.stands),
            discard=None if self.discard is None else list(self.discard),
            players={name: player.copy() for name, player in self.players.items()},
            cubes=None if self.cubes is None else dict(self.cubes),
            tokens=None if self.tokens is None else dict(self.tokens),
        )

    # --- the temple ---

    def corridors(self, cell: int) -> tuple[int, ...]:
        """The open sides of each corridor in a cell; none where no tile lies."""
        laid = self.tiles[cell]
        return () if laid is None else self.pieces.lying[laid]

    def sides(self, stand: Stand) -> int:
        """The open sides of the corridor on which a figure stands."""
        return self.corridors(stand.cell)[stand.corridor]

    def opening(self, cell: int, side: int) -> int | None:
        """The number of the corridor in a cell that opens to a side; None where there is none."""
        return next((number for number, sides in enumerate(self.corridors(cell)) if sides >> side & 1), None)

    def figures_on(self, cell: int) -> list[str]:
        return [figure for figure, stand in self.stands.items() if stand.cell == cell]

    def others_on(self, cell: int, figure: str) -> bool:
        """Whether a figure other than `figure` stands in a cell."""
        return any(each != figure for each in self.figures_on(cell))

    def spot(self, cell: int) -> MapSpot | None:
        """The map symbols under a cell; None where the map is unknown."""
        return None if self.spots is None else self.spots[UNDER[self.quarters][cell]]

    def turn_temple(self, quarters: int) -> None:
        """Rotate the temple over the map by a number of clockwise quarter turns."""
        self.quarters = (self.quarters - quarters) % 4

    def shift_line(self, cell: int, side: int) -> None:
        """Shift all spaces of a cell's row or column one step towards a side, cyclically, with the figures on
        them."""
        line = line_of(cell, side)
        moved = dict(zip(line, (*line[1:], line[0]), strict=True))
        there = {moved[each]: self.tiles[each] for each in line}
        for each, laid in there.items():
            self.tiles[each] = laid
        self.stands = {
            figure: replace(stand, cell=moved.get(stand.cell, stand.cell))
            for figure, stand in self.stands.items()
        }

    def carry(self, cell: int, to: int) -> None:
        """Move the figures of a cell to another cell, on the same corridors."""
        for figure in self.figures_on(cell):
            self.stands[figure] = replace(self.stands[figure], cell=to)

    def falling(self, player: Traveller, side: int) -> int | None:
        """The cell whose tile falls, for an X at a side of a collapse card in the orientation of the player
        who holds it."""
        stand = self.stands[player.figure]
        for turn in range(4):
            cell = NEIGHBOURS[stand.cell][(self.card_side(player, side) + turn) % 4]
            if self.tiles[cell] is not None and not self.others_on(cell, player.figure):
                return cell
        return None

    def card_side(self, player: Traveller, side: int) -> int:
        """The side of the temple to which a side of a card points, for a card that is upright for a
        player."""
        # Who sits at the bottom of the map has the card's top at the map's top.
        return (side + SIDES.index(player.seat) - SIDES.index("bottom") + self.quarters) % 4

    def border_side(self, name: BorderName) -> int:
        """The side of the temple at which a border lies."""
        return self.borders.index(name)

    # --- the track ---

    def filled(self, track: Track) -> int:
        """The number of spaces of a track with a cube."""
        return sum((track.column, space.row) in (self.cubes or {}) for space in track.spaces)

    def is_full(self, track: Track) -> bool:
        return self.filled(track) == len(track.spaces)

    def placed(self, player: Traveller) -> int:
        """The number of cubes that a player has placed."""
        colour = self.pieces.colours.get(player.figure)
        return sum(each == colour for each in (self.cubes or {}).values())

    def shift_tokens(self, step: int) -> None:
        """Move each unlocked token to the next column with an unlocked token, cyclically."""
        assert self.tokens is not None
        loose = sorted(column for column, (_, locked) in self.tokens.items() if not locked)
        values = [self.tokens[column] for column in loose]
        for number, column in enumerate(loose):
            self.tokens[column] = values[(number - step) % len(values)]


def spots_of(top: Top, pieces: Pieces) -> tuple[MapSpot, ...] | None:
    """The symbols printed on the map, in the map's own cells; None where the map is unknown or impossible."""
    if top.ground is None or not top.ground.tiles or not top.ground.is_read:
        return None
    laid = tuple((each.tile or "", (each.column, each.row), each.rotation or 0) for each in top.ground.tiles)
    return map_spots(pieces, laid)


def borders_of(top: Top) -> tuple[BorderName, ...] | None:
    """The borders by side: the usual ones where not given, None where those given are impossible."""
    if top.borders is None:
        return BORDERS
    told = [top.borders.get(side) for side in SIDES]
    names = [name for name in told if name is not None]
    if len(names) < 4 or len(set(names)) < 4:
        return None
    facing = {names[0], names[2]}
    return tuple(names) if facing in ({"sun", "moon"}, {"star", "comet"}) else None


def position_of(board: Board, pieces: Pieces, house: House) -> Position:
    """The position of a checked board, without its invalid parts."""
    top = top_of(board)
    tiles: list[Laid | None] = [None] * CELLS
    for tile in board.tiles or ():
        number = number_of(tile.cell) if _on_grid(tile.cell) else None
        if number is not None and tiles[number] is None and tile.tile is not None:
            tiles[number] = tile.tile, tile.rotation or 0
    cubes, tokens = _track_of(board, pieces)
    position = Position(
        pieces=pieces,
        house=house,
        tiles=tiles,
        stands={},
        quarters=0 if top.ground is None else (top.ground.rotation or 0) // 90,
        spots=spots_of(top, pieces),
        borders=borders_of(top) or BORDERS,
        discard=None
        if board.spare is None
        else [each.tile for each in board.spare if each.tile is not None and each.at in (None, DISCARD)],
        players={player.name: _traveller(player, board, pieces, house) for player in board.players},
        cubes=cubes,
        tokens=tokens,
    )
    for piece in board.pieces or ():
        if piece.on is None and piece.piece is not None and piece.cell is not None and _on_grid(piece.cell):
            cell = number_of(piece.cell)
            laid = tiles[cell]
            if laid is not None:
                corridor = 0 if piece.place is None else pieces.tiles[laid[0]].nodes.get(piece.place, 0)
                position.stands[piece.piece] = Stand(cell, corridor)
    return position


def _on_grid(cell: tuple[int, int]) -> bool:
    return 0 <= cell[0] < 5 and 0 <= cell[1] < 5


def has_track(board: Board) -> bool:
    """Whether a record contains the research track."""
    return RESEARCH in (top_of(board).boards or {})


def _track_of(
    board: Board, pieces: Pieces
) -> tuple[dict[tuple[int, int], str] | None, dict[int, tuple[str, bool]] | None]:
    if not has_track(board) or pieces.research is None:
        return None, None
    cubes: dict[tuple[int, int], str] = {}
    tokens: dict[int, tuple[str, bool]] = {}
    spaces = {(track.column, space.row) for track in pieces.research.tracks for space in track.spaces}
    tops = {(track.column, track.top) for track in pieces.research.tracks}
    for piece in board.pieces or ():
        if piece.on != RESEARCH or piece.piece is None or piece.cell is None:
            continue
        if piece.piece in pieces.cubes and piece.cell in spaces:
            cubes[piece.cell] = pieces.cubes[piece.piece]
        elif piece.piece in pieces.tokens:
            tokens.setdefault(piece.cell[0], (piece.piece, piece.cell in tops))
    return cubes, tokens


def _traveller(player: BoardPlayer, board: Board, pieces: Pieces, house: House) -> Traveller:
    holds = player.holds or {}
    return Traveller(
        name=player.name,
        figure=player.piece or "",
        seat=player.seat or "bottom",
        idols=Counter({name: count for name, count in holds.items() if count and name in pieces.idols}),
        powers=set(IDOLS) if house.quick else set(seat_of(player).powers),
        minus=bool(holds.get(MINUS)),
        key=None if player.hand is None else player.hand[0] if player.hand else "",
        kept=[each.tile for each in board.spare or () if each.at == player.name and each.tile is not None],
    )


# --- back to a record ---------------------------------------------------------------------------------------


def board_of(position: Position, board: Board, *, to_move: str | None) -> Board:
    """The board record of a position that was derived from `board`."""
    top = top_of(board)
    more = {name: value for name, value in board.more.items() if name != "ask"}
    if top.ground is not None:
        more["ground"] = board.more["ground"] | {"rotation": 90 * position.quarters}
    tiles = tuple(
        Tile(tile=laid[0], column=cell % 5, row=cell // 5, rotation=laid[1])  # type: ignore[arg-type]
        for cell, laid in enumerate(position.tiles)
        if laid is not None
    )
    return msgs.replace(
        board,
        tiles=None if board.tiles is None else tiles,
        spare=None if position.discard is None else _spare(position, board),
        pieces=(*_figures(position, board), *_on_track(position, board)),
        players=tuple(
            _player(position.players[player.name], player, position.house) for player in board.players
        ),
        to_move=to_move,
        more=more,
    )


def _spare(position: Position, board: Board) -> tuple[SpareTile, ...]:
    told = [SpareTile(tile=name, at=DISCARD) for name in position.discard or ()]
    told += [SpareTile(tile=name, at=each.name) for each in position.players.values() for name in each.kept]
    told += [spare for spare in board.spare or () if spare.at == BOX]
    return tuple(told)


def _figures(position: Position, board: Board) -> list[Piece]:
    told = []
    for piece in board.pieces or ():
        if piece.on is not None:
            continue
        stand = position.stands.get(piece.piece or "")
        if stand is None:
            told.append(piece)
            continue
        column, row = cell_of(stand.cell)
        laid = position.tiles[stand.cell]
        tile = position.pieces.tiles[laid[0]] if laid is not None else None
        place = tile.named[stand.corridor] if tile is not None and len(tile.corridors) > 1 else None
        if tile is not None and piece.place is not None and tile.nodes.get(piece.place) == stand.corridor:
            place = piece.place
        told.append(Piece(piece=piece.piece, column=column, row=row, place=place))
    return told


def _on_track(position: Position, board: Board) -> list[Piece]:
    pieces = position.pieces
    if position.cubes is None or position.tokens is None or pieces.research is None:
        return [piece for piece in board.pieces or () if piece.on is not None]
    told = [
        Piece(piece=pieces.cube(colour), column=column, row=row, on=RESEARCH)
        for (column, row), colour in position.cubes.items()
    ]
    for track in pieces.research.tracks:
        if track.column in position.tokens:
            token, locked = position.tokens[track.column]
            row = track.top if locked else track.below
            told.append(Piece(piece=token, column=track.column, row=row, on=RESEARCH))
    return told


def _player(traveller: Traveller, player: BoardPlayer, house: House) -> BoardPlayer:
    holds: dict[str, int] = {name: count for name, count in traveller.idols.items() if count > 0}
    holds[MINUS if traveller.minus else PLUS] = 1
    if (player.holds or {}).get(FIRST):
        holds[FIRST] = 1
    more: dict[str, Any] = dict(player.more)
    if not house.quick and traveller.powers != set(seat_of(player).powers):
        more["powers"] = [kind for kind in IDOLS if kind in traveller.powers]
    return msgs.replace(player, holds=holds, more=more)
