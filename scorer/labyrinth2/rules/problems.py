"""Problems of a position itself, independent of the moves played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scorer.board_problems import Problem, filled
from scorer.labyrinth2.rules.codes import PROBLEMS
from scorer.labyrinth2.rules.pieces import CELLS, FIRST, MIDDLE, SECOND
from scorer.labyrinth2.rules.position import cells_of, number_of
from scorer.labyrinth2.rules.table import Table, held_treasures, holds_dragon


def problems_of(table: Table) -> list[Problem]:
    """All problems of a board, those that prevent play first."""
    return [*_missing(table), *_unread(table), *_figures(table), *_printed(table), *_counts(table)]


def _problem(rule: str, cells: Iterator[int] | tuple[int, ...] = (), **about: object) -> Problem:
    return Problem(rule, filled(PROBLEMS, rule, **about), tuple(cells_of(cells)))


def _missing(table: Table) -> Iterator[Problem]:
    board = table.board
    there = {number_of(tile.cell) for tile in board.tiles or ()} | set(table.pieces.printed)
    empty = tuple(cell for cell in range(CELLS) if cell not in there)
    if empty:
        yield _problem("missing-tile", empty, count=len(empty))
    if len(board.spare or ()) != 1:
        yield _problem("no-spare", count=len(board.spare or ()))


def _unread(table: Table) -> Iterator[Problem]:
    board, dragons = table.board, table.pieces.dragons
    unread = [
        number_of(tile.cell)
        for tile in board.tiles or ()
        if tile.tile is None or tile.rotation is None or tile.face == "down"
    ]
    beside = sum(spare.tile is None or spare.face == "down" for spare in board.spare or ())
    for piece in board.pieces or ():
        known = piece.piece is not None and (piece.piece not in dragons or piece.facing is not None)
        if not known and piece.cell is not None:
            unread.append(number_of(piece.cell))
        elif not known:
            beside += 1
    if unread or beside:
        yield _problem("unread", tuple(unread), count=len(unread) + beside)


def _figures(table: Table) -> Iterator[Problem]:
    board, pieces = table.board, table.pieces
    standing = [piece.cell for piece in board.pieces or () if piece.piece in pieces.dragons]
    held = sum(holds_dragon(player, pieces) for player in board.players)
    if len(standing) + held != 1 or (standing and standing[0] != (MIDDLE % 7, MIDDLE // 7)):
        cells = tuple(number_of(cell) for cell in standing if cell is not None)
        yield _problem("dragon-place", cells)
    for player in board.players:
        if player.piece not in table.position.explorers:
            yield _problem("explorer-missing", player=player.name)
    if table.phase == "between":
        yield _problem("late-chips")


def _printed(table: Table) -> Iterator[Problem]:
    pieces, position = table.pieces, table.position
    moved = []
    for tile in table.board.tiles or ():
        cell = number_of(tile.cell)
        name, read = tile.tile, tile.face == "up" and tile.rotation is not None
        if name is None or tile.face == "down":
            continue
        printed = pieces.printed.get(cell)
        if printed is None:
            if name not in pieces.loose:
                moved.append(cell)
        elif name != printed[0] or (read and position.sides[cell] != printed[1]):
            moved.append(cell)
    if moved:
        yield _problem("fixed-moved", tuple(moved), count=len(moved))


def count_pieces(table: Table) -> Counter[str]:
    """The number of each piece in a record, over all locations."""
    board = table.board
    names: list[str | None] = [tile.tile for tile in board.tiles or () if tile.face == "up"]
    names += [spare.tile for spare in board.spare or () if spare.face == "up"]
    names += [piece.piece for piece in board.pieces or ()]
    counted = Counter(name for name in names if name is not None)
    for player in board.players:
        counted.update(player.holds or {})
        counted.update(name for name in player.hand or () if name is not None)
    return counted


def _counts(table: Table) -> Iterator[Problem]:
    pieces = table.pieces
    for name, count in count_pieces(table).items():
        copies = pieces.copies.get(name, 1)
        if count > copies:
            yield _problem("too-many", piece=name, count=count, copies=copies)
    lying = [(pieces.treasures[name], cell) for name, cell in table.position.chips]
    values = {value for value, _ in lying}
    if values & set(FIRST) and values & set(SECOND):
        yield _problem("chip-mix")
    held = [
        pieces.treasures[name]
        for player in table.board.players
        for name in held_treasures(player, pieces) or ()
    ]
    if table.lowest is not None and any(value > table.lowest for value in held):
        yield _problem("chip-order")
