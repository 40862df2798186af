"""The record format shared by all grid games: the pieces on a board and those of its players
(`waymark-board/1`, docs/FORMATS.md section 7).

Cells are (column, row) from the board's top-left corner; rotations are clockwise. None means a piece that is
present but was not recognised. Fields that a game adds are kept in `Board.more` and read by the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal, TypeVar

import msgspec

from scorer.catalogue import Catalogue, Side
from scorer.errors import Code, WaymarkError
from scorer.json_faults import as_form, wrong_format
from scorer.record import Record, Rotation
from scorer.text import Text

FORMAT = "waymark-board/1"

#: Far beyond any table: a board with more is a mistake or mischief, and must not keep the program busy.
MOST_CELLS = 2_500
MOST_THINGS = 5_000

Cell = tuple[int, int]
S = TypeVar("S", bound=msgspec.Struct)
Face = Literal["up", "down"]
_SIDES: tuple[Side, ...] = ("top", "right", "bottom", "left")


class GridSize(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of columns and rows of a board."""

    columns: int
    rows: int


class Tile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tile in a cell of the grid. Face down it is None or the id of its back, and may have no rotation."""

    tile: str | None
    column: int
    row: int
    rotation: Rotation | None = None
    face: Face = "up"

    @property
    def cell(self) -> Cell:
        return self.column, self.row


class SpareTile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tile beside the grid; `at` is its place, in the game's words."""

    tile: str | None
    rotation: Rotation | None = None
    at: str | None = None
    face: Face = "up"


class Piece(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A piece in a cell of the grid, or of another board (`on`). `place` is a node or room of the tile that
    lies there, `facing` the side that it looks to."""

    piece: str | None
    column: int | None = None
    row: int | None = None
    place: str | None = None
    facing: Side | None = None
    on: str | None = None

    @property
    def cell(self) -> Cell | None:
        return None if self.column is None or self.row is None else (self.column, self.row)


class BoardPlayer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The pieces of one player, as recorded. `piece` is the id of the player's figure. `holds` are the
    face-up pieces (id to count). `hand` are the hidden cards, as far as known, and `hand_size` is their
    number. `seat` is the side of the board at which the player sits. None means unknown. `more` are fields
    that the game adds."""

    name: str
    piece: str | None = None
    holds: dict[str, int] | None = None
    hand: tuple[str | None, ...] | None = None
    hand_size: int | None = None
    seat: Side | None = None
    more: dict[str, Any] = {}


class Board(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A board record. `tiles`, `spare` and `pieces` are None where a record does not give them. `more` are
    all further top-level fields, as games need them: `ground`, `boards`, `piles`, `borders`, `phase`,
    `ask`."""

    game: str
    catalogue: str | None = None
    grid: GridSize | None = None
    tiles: tuple[Tile, ...] | None = None
    spare: tuple[SpareTile, ...] | None = None
    pieces: tuple[Piece, ...] | None = None
    players: tuple[BoardPlayer, ...] = ()
    to_move: str | None = None
    house: dict[str, Any] = {}
    more: dict[str, Any] = {}
    format: str = msgspec.field(default=FORMAT)

    def at(self, cell: Cell) -> Tile | None:
        """The tile in a cell; None where the cell is empty."""
        return next((tile for tile in self.tiles or () if tile.cell == cell), None)


def board_from(told: Mapping[str, Any], *, anywhere: bool = False) -> Board:
    """A board record from decoded JSON; `anywhere`: tiles and pieces may lie off the grid, and two tiles in a
    cell. Raises `WaymarkError` (bad-record)."""
    if told.get("format") != FORMAT:
        raise bad_record(wrong_format(told.get("format"), FORMAT))
    whole = _with_more(told, Board)
    if isinstance(told.get("players"), list):
        whole["players"] = [
            _with_more(each, BoardPlayer) if isinstance(each, dict) else each for each in told["players"]
        ]
    return checked_board(as_form(whole_numbers(whole), Board, bad_record), anywhere=anywhere)


def checked_board(board: Board, *, anywhere: bool = False) -> Board:
    """The same board, after a check that its cells, players and counts are possible. With `anywhere`, cells
    outside the grid are allowed. Raises `WaymarkError` (bad-record)."""
    things = [*(board.tiles or ()), *(board.spare or ()), *(board.pieces or ()), *board.players]
    if len(things) > MOST_THINGS:
        raise bad_record(Text("it has more than {most_things:,} things", most_things=MOST_THINGS))
    grid = board.grid
    if grid is not None and not (grid.columns > 0 < grid.rows and grid.columns * grid.rows <= MOST_CELLS):
        raise bad_record(
            Text("a grid of {columns} x {rows} cells cannot be", columns=grid.columns, rows=grid.rows)
        )
    _check_players(board)
    if anywhere:
        return board
    cells = [tile.cell for tile in board.tiles or ()]
    on_grid = [piece.cell for piece in board.pieces or () if piece.on is None]
    for cell in [*cells, *(cell for cell in on_grid if cell is not None)]:
        if min(cell) < 0 or (grid is not None and (cell[0] >= grid.columns or cell[1] >= grid.rows)):
            raise bad_record(Text("cell {cell} is outside the grid", cell=list(cell)))
    twice = next((cell for cell, count in Counter(cells).items() if count > 1), None)
    if twice is not None:
        raise bad_record(Text("two tiles lie in cell {twice}", twice=list(twice)))
    return board


def _check_players(board: Board) -> None:
    names = [player.name for player in board.players]
    for name in names:
        if not name or names.count(name) > 1:
            raise bad_record(
                Text("two players are called {name!r}", name=name) if name else Text("a player has no name")
            )
    if board.to_move is not None and board.to_move not in names:
        raise bad_record(Text("to_move is nobody's name: {to_move!r}", to_move=board.to_move))
    figures = [player.piece for player in board.players if player.piece is not None]
    for player in board.players:
        if player.piece is not None and figures.count(player.piece) > 1:
            raise bad_record(Text("two players have {piece!r}", piece=player.piece))
        if any(count < 0 for count in (player.holds or {}).values()) or (player.hand_size or 0) < 0:
            raise bad_record(Text("{player!r} has a count below 0", player=player.name))
        told = player.hand is not None and player.hand_size is not None
        if told and len(player.hand or ()) != player.hand_size:
            raise bad_record(Text("the hand of {player!r} is not of hand_size", player=player.name))


def to_json(board: Board) -> bytes:
    """The board as compact UTF-8 JSON, in the order of docs/FORMATS.md."""
    return msgspec.json.encode(board_told(board))


def board_told(board: Board) -> dict[str, Any]:
    """The board as a JSON object."""
    told: dict[str, Any] = msgspec.to_builtins(board)
    told.pop("more", None)
    for tile in told.get("tiles", ()):
        if "face" not in tile:  # one that lies face up and was not made out is told so
            tile.setdefault("rotation", None)
    if "players" in told:
        told["players"] = [
            {key: value for key, value in player.items() if key != "more"} | player.get("more", {})
            for player in told["players"]
        ]
    return {"format": FORMAT} | told | board.more


# --- a turned table ----------------------------------------------------------------------------------------


def turned_board(board: Board, quarters: int) -> Board:
    """The board after a rotation of the whole table by a number of clockwise quarter turns. Raises
    `ValueError` for a board without a grid."""
    if board.grid is None:
        raise ValueError("a board without a grid cannot be turned")
    for _ in range(quarters % 4):
        board = _turned_once(board, board.grid or GridSize(columns=0, rows=0))
    return board


def _turned_once(board: Board, grid: GridSize) -> Board:
    def cell(column: int, row: int) -> dict[str, int]:
        return {"column": grid.rows - 1 - row, "row": column}

    tiles = board.tiles and tuple(
        msgspec.structs.replace(tile, **cell(tile.column, tile.row), rotation=_quarter_on(tile.rotation))
        for tile in board.tiles
    )
    pieces = board.pieces and tuple(
        piece
        if piece.cell is None or piece.on is not None
        else msgspec.structs.replace(piece, **cell(*piece.cell), facing=_side_on(piece.facing))
        for piece in board.pieces
    )
    players = tuple(msgspec.structs.replace(each, seat=_side_on(each.seat)) for each in board.players)
    turned = GridSize(columns=grid.rows, rows=grid.columns)
    return msgspec.structs.replace(board, grid=turned, tiles=tiles, pieces=pieces, players=players)


def _quarter_on(rotation: Rotation | None) -> Rotation | None:
    turned: dict[Rotation, Rotation] = {0: 90, 90: 180, 180: 270, 270: 0}
    return None if rotation is None else turned[rotation]


def _side_on(side: Side | None) -> Side | None:
    return None if side is None else _SIDES[(_SIDES.index(side) + 1) % 4]


# --- from a photo -------------------------------------------------------------------------------------------


def board_on_table(tableau: Record, catalogue: Catalogue, grid: GridSize | None = None) -> Board:
    """The board record made of pieces found in a photo at positions in mm.

    Square tiles go into the cells of a grid, whose top-left cell is given by the leftmost and topmost tiles.
    Any other piece goes into the cell that contains its centre. `grid` is the size of the game's grid, where
    that is fixed; by default the grid is just large enough for the pieces. Raises `WaymarkError`
    (unknown-card)."""
    side = catalogue.card_size_mm[0]
    placed = [(each, catalogue.card(each.card)) for each in tableau.cards]
    tiles = [(each, card) for each, card in placed if card.kind in ("tile", "fixed")]
    left = min((each.x for each, _ in tiles), default=0.0)
    top = min((each.y for each, _ in tiles), default=0.0)

    def cell(x: float, y: float) -> Cell:
        return int((x - left) // side), int((y - top) // side)

    lying = []
    for each, card in tiles:
        column, row = cell(each.x + side / 2, each.y + side / 2)
        lying.append(Tile(tile=card.id, column=column, row=row, rotation=each.rotation))
    size = grid or GridSize(
        columns=1 + max((tile.column for tile in lying), default=0),
        rows=1 + max((tile.row for tile in lying), default=0),
    )
    pieces = []
    for each, card in placed:
        if card.kind in ("tile", "fixed"):
            continue
        width, height = catalogue.size_of(card.id)
        if each.rotation in (90, 270):
            width, height = height, width
        column, row = cell(each.x + width / 2, each.y + height / 2)
        if 0 <= column < size.columns and 0 <= row < size.rows:
            pieces.append(Piece(piece=card.id, column=column, row=row))
        else:
            pieces.append(Piece(piece=card.id, on="spare"))
    return Board(
        game=catalogue.game, catalogue=catalogue.name, grid=size, tiles=tuple(lying), pieces=tuple(pieces)
    )


# --- reading ------------------------------------------------------------------------------------------------


def _with_more(told: Mapping[str, Any], struct: type[msgspec.Struct]) -> dict[str, Any]:
    """The fields known to a struct, with all other fields collected under `more`."""
    known = set(struct.__struct_fields__) - {"more"}
    more = {key: value for key, value in told.items() if key not in known}
    return {key: value for key, value in told.items() if key in known} | {"more": more}


def whole_numbers(told: Any) -> Any:
    """Decoded JSON in which floats with integer values, such as 7.0, are replaced by integers."""
    if isinstance(told, dict):
        return {key: whole_numbers(value) for key, value in told.items()}
    if isinstance(told, list):
        return [whole_numbers(value) for value in told]
    return int(told) if isinstance(told, float) and told.is_integer() else told


def beside_form(more: Mapping[str, Any], form: type[S]) -> S:
    """The fields that a game adds to a board or a player (`more`), converted to the game's own struct. Raises
    `WaymarkError` (bad-record)."""
    return as_form(dict(more), form, bad_record)


def bad_record(fault: Text, form: str = FORMAT) -> WaymarkError:
    """The error for input that cannot be taken as a board record, or as another form that has one in it."""
    return WaymarkError(
        Code.BAD_RECORD,
        Text(
            "This is not a board record ({fault}); give a JSON file of the form {form}.",
            fault=fault,
            form=form,
        ),
    )
