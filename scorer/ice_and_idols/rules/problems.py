"""Problems of a position itself, independent of the actions played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from scorer.board_problems import Problem, filled
from scorer.board_record import Board, Cell, Piece
from scorer.ice_and_idols.rules.codes import PROBLEMS, STOPPING
from scorer.ice_and_idols.rules.house import House
from scorer.ice_and_idols.rules.pieces import CUBES, Pieces, Research, Track
from scorer.ice_and_idols.rules.position import borders_of, has_track, position_of, spots_of
from scorer.ice_and_idols.rules.validation import RESEARCH, top_of


def problems_of(board: Board, pieces: Pieces, house: House) -> list[Problem]:
    """All problems of a board: of the temple, the players and the track."""
    found = [*_tiles(board, pieces), *_figures(board, pieces), *_frame(board, pieces)]
    found += _hands(board, pieces, house)
    if has_track(board) and pieces.research is not None:
        found += _track(board, pieces, pieces.research)
    return found


def temple_stands(problems: list[Problem]) -> bool:
    """Whether the temple can be ruled on in spite of these problems."""
    return not any(problem.rule in STOPPING for problem in problems)


def track_stands(problems: list[Problem]) -> bool:
    """Whether the research track can be ruled on in spite of these problems."""
    return not any(problem.rule == "unread-track" for problem in problems)


def _problem(rule: str, cells: list[Cell] | None = None, **about: object) -> Problem:
    return Problem(rule, filled(PROBLEMS, rule, **about), tuple(cells or ()))


def _on_grid(cell: Cell) -> bool:
    return 0 <= cell[0] < 5 and 0 <= cell[1] < 5


def _in_temple(board: Board) -> list[Piece]:
    return [piece for piece in board.pieces or () if piece.on is None]


def _tiles(board: Board, pieces: Pieces) -> Iterator[Problem]:
    cells = [tile.cell for tile in board.tiles or ()]
    cells += [piece.cell for piece in _in_temple(board) if piece.cell is not None]
    off = [cell for cell in cells if not _on_grid(cell)]
    if off:
        yield _problem("off-grid", off, count=len(off))
    there = Counter(tile.cell for tile in board.tiles or ())
    twice = [cell for cell, count in there.items() if count > 1 and _on_grid(cell)]
    if twice:
        yield _problem("two-tiles", twice, count=len(twice))
    known = Counter(tile.tile for tile in board.tiles or ())
    known.update(spare.tile for spare in board.spare or ())
    for name, count in known.items():
        if name is not None and count > pieces.copies[name]:
            yield _problem("too-many", piece=name, count=count, copies=pieces.copies[name])
    if board.tiles is not None and board.spare is not None:
        missing = sum(pieces.copies[name] for name in pieces.tiles) - sum(known.values())
        if missing > 0:
            yield _problem("tiles-missing", count=missing)
    unread = [tile.cell for tile in board.tiles or () if tile.tile is None or tile.rotation is None]
    unread += [piece.cell for piece in _in_temple(board) if piece.piece is None and piece.cell is not None]
    beside = sum(spare.tile is None for spare in board.spare or ())
    ground = top_of(board).ground
    beside += ground is not None and not ground.is_read
    if unread or beside:
        yield _problem("unread", unread, count=len(unread) + beside)


def _figures(board: Board, pieces: Pieces) -> Iterator[Problem]:
    tiles = {tile.cell: tile.tile for tile in reversed(board.tiles or ())}
    seen: Counter[str] = Counter()
    for piece in _in_temple(board):
        if piece.piece is None or piece.cell is None:
            continue
        seen[piece.piece] += 1
        if board.tiles is not None:
            yield from _stand(piece, tiles, pieces)
    for name, count in seen.items():
        if count > 1:
            yield _problem("two-figures", piece=name)
    for player in board.players:
        if board.tiles is not None and not seen[player.piece or ""]:
            yield _problem("no-figure", player=player.name)


def _stand(piece: Piece, tiles: Mapping[Cell, str | None], pieces: Pieces) -> Iterator[Problem]:
    """Problems with the location of a figure: no tile in its cell, or no such corridor on the tile."""
    assert piece.cell is not None
    if piece.cell not in tiles:
        if _on_grid(piece.cell):
            yield _problem("no-tile", [piece.cell], piece=piece.piece)
        return
    name = tiles[piece.cell]
    if name is None:
        return
    tile = pieces.tiles[name]
    if piece.place is not None and piece.place not in tile.nodes:
        yield _problem("place-unknown", [piece.cell], piece=piece.piece)
    elif piece.place is None and len(tile.corridors) > 1:
        yield _problem("place-missing", [piece.cell], piece=piece.piece)


def _frame(board: Board, pieces: Pieces) -> Iterator[Problem]:
    top = top_of(board)
    if borders_of(top) is None:
        yield _problem("borders")
    ground = top.ground
    laid = ground is not None and (ground.is_read or not ground.tiles)
    if laid and spots_of(top, pieces) is None:
        yield _problem("ground")


def _hands(board: Board, pieces: Pieces, house: House) -> Iterator[Problem]:
    travellers = position_of(board, pieces, house).players
    for player in travellers.values():
        if sum(player.idols.values()) > player.hands or any(count > 1 for count in player.idols.values()):
            yield _problem("hands", player=player.name)


# --- the research track -------------------------------------------------------------------------------------


def _track(board: Board, pieces: Pieces, research: Research) -> Iterator[Problem]:
    spaces = {(track.column, space.row) for track in research.tracks for space in track.spaces}
    ends = {(track.column, row) for track in research.tracks for row in (track.top, track.below)}
    there = [piece for piece in board.pieces or () if piece.on == RESEARCH]
    off = [
        piece.cell or (0, 0)
        for piece in there
        if piece.piece is not None
        and (piece.cell is None or piece.cell not in (spaces if piece.piece in pieces.cubes else ends))
    ]
    if off:
        yield _problem("off-board", off, count=len(off))
    unread = [piece for piece in there if piece.piece is None]
    if unread:
        yield _problem(
            "unread-track", [piece.cell for piece in unread if piece.cell is not None], count=len(unread)
        )
    cubes = {
        piece.cell: pieces.cubes[piece.piece]
        for piece in there
        if piece.piece is not None and piece.piece in pieces.cubes and piece.cell is not None
    }
    hidden = _Hidden.among(unread)
    for track in research.tracks:
        rows = [(track.column, space.row) for space in track.spaces]
        highest = max((number for number, cell in enumerate(rows) if cell in cubes), default=0)
        if not hidden.may_fill(cell for cell in rows[:highest] if cell not in cubes):
            yield _problem("floating-cube", idol=track.idol)
    if board.players and not _setup_cubes_stand(board, pieces, research, cubes, hidden):
        yield _problem("setup-cubes")
    for colour, count in Counter(cubes.values()).items():
        if count > CUBES:
            yield _problem("cubes-over", colour=colour)
    tokens = Counter(piece.piece for piece in there if piece.piece in pieces.tokens)
    for name, count in tokens.items():
        if name is not None and count > pieces.copies[name]:
            yield _problem("too-many", piece=name, count=count, copies=pieces.copies[name])
    for track in research.tracks:
        yield from _tokens(track, there, pieces, cubes, hidden)


@dataclass(frozen=True)
class _Hidden:
    """Unrecognised pieces on the track: their cells, and the number of those without a cell. Each may be any
    piece missing from a cell, and none counts as a cube or token."""

    cells: frozenset[Cell]
    anywhere: int

    @classmethod
    def among(cls, unread: list[Piece]) -> _Hidden:
        cells = [piece.cell for piece in unread if piece.cell is not None]
        return cls(frozenset(cells), len(unread) - len(cells))

    def may_fill(self, cells: Iterable[Cell]) -> bool:
        """Whether the unrecognised pieces may fill all of the cells."""
        return sum(cell not in self.cells for cell in cells) <= self.anywhere


def _setup_cubes_stand(
    board: Board, pieces: Pieces, research: Research, cubes: dict[Cell, str], hidden: _Hidden
) -> bool:
    """Whether the spaces filled at set-up have cubes of unplayed colours, and no other space has one, as far
    as recognised."""
    played = {pieces.colours.get(player.piece or "") for player in board.players}
    number = len(board.players)
    starts = {
        (track.column, space.row)
        for track in research.tracks
        for space in track.spaces
        if number in space.start
    }
    return hidden.may_fill(starts - cubes.keys()) and all(
        (colour in played) != (cell in starts) for cell, colour in cubes.items()
    )


def _tokens(
    track: Track, there: list[Piece], pieces: Pieces, cubes: dict[Cell, str], hidden: _Hidden
) -> Iterator[Problem]:
    rows = [
        piece.cell[1]
        for piece in there
        if piece.piece in pieces.tokens and piece.cell is not None and piece.cell[0] == track.column
    ]
    empty = [(track.column, space.row) for space in track.spaces if (track.column, space.row) not in cubes]
    if not rows and not hidden.anywhere and all(cell[0] != track.column for cell in hidden.cells):
        yield _problem("token-missing", idol=track.idol)
    if len(rows) > 1:
        yield _problem("token-doubled", idol=track.idol)
    if track.top in rows and not hidden.may_fill(empty):
        yield _problem("locked-early", idol=track.idol)
    if track.below in rows and not empty:
        yield _problem("lock-missing", idol=track.idol)
