"""What a board's photo leaves open, as questions: each with its cell and the records that its answers
make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import msgspec

from scorer.board_game import BoardGame
from scorer.board_record import Board, Cell, Piece, Tile
from scorer.catalogue import Catalogue, Side
from scorer.text import Text
from vision.board_questions import REASONS, Doubt
from vision.board_seen import BoardPiece, BoardScan, BoardTile, HeldPiece

#: What is as likely as this is not asked about. A disc's likelihood is by how much it leads the next: none of
#: 340 in plain view was wrong (`tuning-labyrinth2`, 54 photos).
SURE_TILE, SURE_SPARE, SURE_HELD = 0.97, 0.6, 0.6
SURE_FIGURE, SURE_FACING, SURE_DISC = 0.93, 0.8, 0.45
#: What is less likely than this is no first answer: that nobody can tell is, which settles nothing.
LIKELY, LIKELY_DISC = 0.8, 0.3


@dataclass(frozen=True)
class BoardOption:
    """An answer: its words, and the record that it makes."""

    words: Text
    board: Board


@dataclass(frozen=True)
class BoardQuestion:
    """Something that a board leaves open. `options` are the answers, what was read first; their records are
    the `alternatives`, without the first's. `cell` (of the board `on`, where that is told) and `crop_px` say
    where; `name` stays the same whenever the photo is read the same."""

    about: str
    cell: Cell | None
    options: tuple[BoardOption, ...]
    reason: Text
    name: str
    crop_px: tuple[int, int, int, int] | None = None
    on: str | None = None
    open_first: bool = False

    @property
    def alternatives(self) -> tuple[Any, ...]:
        return tuple(option.board for option in self.options[1:])


def questions_of(
    scan: BoardScan, pieces: Sequence[BoardPiece], board: Board, catalogue: Catalogue, game: BoardGame
) -> list[BoardQuestion]:
    """All that a reading leaves open; `pieces` are those of the scan that the board has, in its order."""
    asked: list[BoardQuestion] = []
    loose = game.laid_out is not None
    for number, tile in enumerate(scan.tiles):
        if tile.tile_confidence < SURE_TILE:
            asked.append(
                _about_panel(tile, number, board, scan, catalogue, game)
                if loose
                else _about_tile(tile, number, board, scan)
            )
        elif tile.turn_confidence < SURE_TILE and (board.tiles or ())[number].face == "up":
            asked.append(about_turn(tile, number, board, scan))
    for number, piece in enumerate(pieces):
        if piece.confidence < (SURE_DISC if piece.disc else SURE_FIGURE):
            dark = [each.cell for each in scan.hidden] if piece in scan.unread else []
            asked.append(about_piece(piece, number, board, scan, dark))
        if piece.facing is not None and piece.facing_confidence < SURE_FACING:
            asked.append(_about_facing(piece, number, board, scan))
    missing = missing_pieces(scan, board, catalogue, game)
    for piece in scan.unread:
        told = piece in pieces or piece.piece in missing
        if not told and _may_be_there(piece.piece, board, catalogue):
            asked.append(about_unread(piece, board, scan))
    for hidden in scan.hidden:
        asked.append(_about_hidden(hidden.cell, missing, board, catalogue, scan, discs=not loose))
    asked += [about_missing(name, board, scan) for name in missing]
    if loose:
        asked += _about_what_lies_beside(scan, board)
    elif scan.spare is None or scan.spare.confidence < SURE_SPARE:
        asked.append(_open(Doubt("spare", "spare", None, ())))
    return asked


def to_be_looked_over() -> BoardQuestion:
    """That somebody looks over all that was read: nothing but a person's own record makes a board sure. Of 48
    photos (`validation-labyrinth2` 700 to 747, half of them of other tiles) 10 left nothing in doubt, and
    none of these boards was wrong (at most 26%, 95%); 2 of 30 were once a careful player had answered, and 6
    of 32 once a hurried one had."""
    return _open(Doubt("board", "looked-over", None, ()))


def as_question(doubt: Doubt, options: Sequence[BoardOption]) -> BoardQuestion:
    return BoardQuestion(
        doubt.about, doubt.cell, tuple(options), REASONS[doubt.reason], doubt.name, doubt.crop_px
    )


def unless_told(question: BoardQuestion) -> BoardQuestion:
    """A question whose first answer is that nobody can tell; not where there is no other answer anyway."""
    if len(question.options) < 2:
        return question
    unknown = BoardOption(_CANNOT_TELL, question.options[0].board)
    return replace(question, options=(unknown, *question.options), open_first=True)


def _if_likely(question: BoardQuestion, confidence: float, likely: float = LIKELY) -> BoardQuestion:
    return question if confidence >= likely else unless_told(question)


def _open(doubt: Doubt) -> BoardQuestion:
    """A question to which there is no answer to choose from: somebody has to look."""
    return as_question(doubt, ())


def _about_tile(tile: BoardTile, number: int, board: Board, scan: BoardScan) -> BoardQuestion:
    """Which tile lies there: an answer swaps it with the cell, or the spare, that has the other one."""
    doubt = Doubt("tile", "tile", tile.cell, (tile.tile,), scan.box_px(tile.cell))
    options = [BoardOption(same(tile.tile), board)]
    for name, rotation in tile.options:
        tiles, spare = list(board.tiles or ()), list(board.spare or ())
        own = tiles[number]
        tiles[number] = msgspec.structs.replace(own, tile=name, rotation=cast(Any, rotation))
        other = next((k for k, each in enumerate(tiles) if each.tile == name and k != number), None)
        if other is not None:
            tiles[other] = msgspec.structs.replace(tiles[other], tile=own.tile)
        elif spare and spare[0].tile == name:
            spare[0] = msgspec.structs.replace(spare[0], tile=own.tile)
        made = msgspec.structs.replace(board, tiles=tuple(tiles), spare=tuple(spare))
        options.append(BoardOption(same(name), made))
    if tile.turn_confidence < SURE_TILE:
        options += _turned_otherwise(tile, number, board)
    return _if_likely(as_question(doubt, options), tile.tile_confidence * tile.turn_confidence)


def _about_panel(
    tile: BoardTile, number: int, board: Board, scan: BoardScan, catalogue: Catalogue, game: BoardGame
) -> BoardQuestion:
    """Which loose piece lies there, or whether it lies face down: an answer changes that cell alone."""
    doubt = Doubt("tile", "tile", tile.cell, (tile.tile,), scan.box_px(tile.cell))
    options = [BoardOption(same(tile.tile), board)]
    for name, rotation in tile.options:
        other = Tile(tile=name, column=tile.cell[0], row=tile.cell[1], rotation=cast(Any, rotation))
        alone = msgspec.structs.replace(board, tiles=(other,), players=())
        assert game.laid_out is not None
        laid = game.laid_out(alone, (), (), game.pieces_of(catalogue), None)
        tiles = list(board.tiles or ())
        tiles[number : number + 1] = laid.tiles or ()
        options.append(BoardOption(same(name), msgspec.structs.replace(board, tiles=tuple(tiles))))
    return as_question(doubt, options)


def _about_what_lies_beside(scan: BoardScan, board: Board) -> list[BoardQuestion]:
    """Things before players that may be others, and players before whom not all is in view."""
    asked = [_about_held(each) for each in scan.held if each.confidence < SURE_HELD]
    for player in board.players:
        if player.holds is None:
            unseen = _open(Doubt("held", "unseen", None, (player.name,)))
            asked.append(replace(unseen, name=f"{unseen.name}:{player.name}"))
    return asked


def _about_held(piece: HeldPiece) -> BoardQuestion:
    """Which piece lies beside the board: whose it is hangs on what else lies there, so somebody looks."""
    x, y, reach = *piece.at_px, piece.reach_px
    crop = (round(x - reach), round(y - reach), round(x + reach), round(y + reach))
    made = _open(Doubt("held", "held", None, (piece.piece,), crop))
    return replace(made, name=f"{made.name}:{piece.piece}:{round(x)},{round(y)}")


def about_turn(tile: BoardTile, number: int, board: Board, scan: BoardScan) -> BoardQuestion:
    doubt = Doubt("rotation", "rotation", tile.cell, (str(tile.rotation),), scan.box_px(tile.cell))
    options = [BoardOption(_degrees(tile.rotation), board), *_turned_otherwise(tile, number, board)]
    return _if_likely(as_question(doubt, options), tile.turn_confidence)


def _turned_otherwise(tile: BoardTile, number: int, board: Board) -> list[BoardOption]:
    options = []
    for more in (90, 180, 270):
        rotation = (tile.rotation + more) % 360
        tiles = list(board.tiles or ())
        tiles[number] = msgspec.structs.replace(tiles[number], rotation=cast(Any, rotation))
        options.append(BoardOption(_degrees(rotation), msgspec.structs.replace(board, tiles=tuple(tiles))))
    return options


def about_piece(
    piece: BoardPiece, number: int, board: Board, scan: BoardScan, elsewhere: Sequence[Cell] = ()
) -> BoardQuestion:
    """Which piece stands there, or whether it is in the next cell, or `elsewhere`, or none."""
    reason = "piece" if piece.options else "cell"
    doubt = Doubt("piece", reason, piece.cell, (piece.piece, *piece.options), scan.box_px(piece.cell))
    own = (board.pieces or ())[number]

    def with_own(*pieces: Piece) -> Board:
        others = board.pieces or ()
        return msgspec.structs.replace(board, pieces=(*others[:number], *pieces, *others[number + 1 :]))

    options = [BoardOption(same(piece.piece), board)]
    for name in piece.options:
        options.append(BoardOption(same(name), with_own(msgspec.structs.replace(own, piece=name))))
    if piece.next_cell is not None:
        column, row = piece.next_cell
        moved = msgspec.structs.replace(own, column=column, row=row)
        options.append(BoardOption(_in_cell(piece.next_cell), with_own(moved)))
    for cell in elsewhere:
        if cell not in (piece.cell, piece.next_cell):
            moved = msgspec.structs.replace(own, column=cell[0], row=cell[1])
            options.append(BoardOption(_in_cell(cell), with_own(moved)))
    options.append(BoardOption(_NOTHING, with_own()))
    asked = replace(as_question(doubt, options), name=f"{doubt.name}:{piece.piece}")
    return _if_likely(asked, piece.confidence, LIKELY_DISC if piece.disc else LIKELY)


def _about_facing(piece: BoardPiece, number: int, board: Board, scan: BoardScan) -> BoardQuestion:
    doubt = Doubt("facing", "facing", piece.cell, (str(piece.facing),), scan.box_px(piece.cell))
    options = [BoardOption(_SIDES[cast(Side, piece.facing)], board)]
    for side, words in _SIDES.items():
        if side != piece.facing:
            pieces = list(board.pieces or ())
            pieces[number] = msgspec.structs.replace(pieces[number], facing=side)
            options.append(BoardOption(words, msgspec.structs.replace(board, pieces=tuple(pieces))))
    return _if_likely(as_question(doubt, options), piece.facing_confidence)


def about_unread(piece: BoardPiece, board: Board, scan: BoardScan) -> BoardQuestion:
    """What may be a piece was left out: the answers put it there."""
    reason = "disc" if piece.disc else "figure"
    doubt = Doubt("piece", reason, piece.cell, (piece.piece,), scan.box_px(piece.cell))
    names = (piece.piece, *piece.options)
    return unless_told(
        as_question(doubt, [BoardOption(_NOTHING, board), *(_put(name, piece.cell, board) for name in names)])
    )


def _about_hidden(
    cell: Cell,
    missing: Sequence[str],
    board: Board,
    catalogue: Catalogue,
    scan: BoardScan,
    *,
    discs: bool,
) -> BoardQuestion:
    """What cannot be seen: nothing, or a piece of which one could still be anywhere; `discs` lie on loose
    boards never."""
    there = Counter(piece.piece for piece in board.pieces or ())
    for player in board.players:
        there.update(player.holds or {})
    left = [
        card.id
        for card in catalogue.cards
        if discs and card.shape == "disc" and card.kind != "coin" and there[card.id] < card.copies
    ]
    return about_hidden(cell, (*missing, *left), board, scan)


def about_hidden(cell: Cell, names: Sequence[str], board: Board, scan: BoardScan) -> BoardQuestion:
    """What cannot be seen: nothing, or one of these pieces."""
    options = [BoardOption(_NOTHING, board), *(_put(name, cell, board) for name in names)]
    return unless_told(as_question(Doubt("piece", "hidden", cell, (), scan.box_px(cell)), options))


def about_missing(name: str, board: Board, scan: BoardScan) -> BoardQuestion:
    """A piece that is on every board was not found: where it may be after all."""
    cells = [piece.cell for piece in scan.unread if name in (piece.piece, *piece.options)]
    cells += [hidden.cell for hidden in scan.hidden]
    options = [_put(name, cell, board, _in_cell(cell)) for cell in dict.fromkeys(cells)]
    nowhere = BoardOption(_NOWHERE, board)
    asked = as_question(Doubt("piece", "missing", None, (name,)), (nowhere, *options) if options else ())
    return replace(asked, open_first=True)


def missing_pieces(scan: BoardScan, board: Board, catalogue: Catalogue, game: BoardGame) -> list[str]:
    """The pieces that are on every board, or are played with, and were not found."""
    there = {piece.piece for piece in board.pieces or ()}
    told = [player.piece for player in board.players if player.piece is not None]
    names = dict.fromkeys([*game.always(game.pieces_of(catalogue)), *told])
    held = {piece for player in board.players for piece, count in (player.holds or {}).items() if count}
    return [name for name in names if name not in there and name not in held]


def _may_be_there(name: str, board: Board, catalogue: Catalogue) -> bool:
    """Not a figure that nobody plays with, where people have told who does."""
    told = {player.piece for player in board.players}
    return not told or catalogue.card(name).kind != "pawn" or name in told


def is_answered(question: BoardQuestion, answers: Mapping[str, int]) -> bool:
    """Whether a question is settled: not by that nobody can tell."""
    number = answers.get(question.name)
    return number is not None and not (number == 0 and question.open_first)


def _put(name: str, cell: Cell, board: Board, words: Text | None = None) -> BoardOption:
    """The answer that a piece is in a cell."""
    there = Piece(piece=name, column=cell[0], row=cell[1])
    made = msgspec.structs.replace(board, pieces=(*(board.pieces or ()), there))
    return BoardOption(words or same(name), made)


def no_tile() -> Text:
    """The answer that no tile lies in a cell."""
    return Text("no tile", "タイルなし")


_NOTHING = Text("nothing", "何もない")
_CANNOT_TELL = Text("I cannot tell", "分からない")
_NOWHERE = Text("not to be seen in the photo", "写真では見えない")


def _in_cell(cell: Cell) -> Text:
    column, row = cell
    return Text(f"column {column + 1}, row {row + 1}", f"{column + 1}列目・{row + 1}行目")


_SIDES: dict[Side, Text] = {
    "top": Text("up", "上"),
    "right": Text("to the right", "右"),
    "bottom": Text("down", "下"),
    "left": Text("to the left", "左"),
}


def same(name: str) -> Text:
    return Text(name, name)


def _degrees(rotation: int) -> Text:
    return Text(f"turned {rotation}°", f"{rotation}° 回転")


def merged(board: Board, read: Board, answer: Board) -> Board:
    """The board with what an answer changes of what was read."""

    def one_merged(now: Any, was: Any, then: Any) -> Any:
        if was == then:
            return now
        gone, come = Counter(was) - Counter(then), Counter(then) - Counter(was)
        changed = []
        for each in now:
            if gone[each]:
                gone[each] -= 1
                new = next(iter(come.elements()), None)
                if new is None:
                    continue
                come[new] -= 1
                each = new
            changed.append(each)
        return (*changed, *come.elements())

    return msgspec.structs.replace(
        board,
        tiles=one_merged(board.tiles, read.tiles, answer.tiles),
        spare=one_merged(board.spare, read.spare, answer.spare),
        pieces=one_merged(board.pieces, read.pieces, answer.pieces),
    )


def carried(question: BoardQuestion, board: Board) -> BoardQuestion:
    """A question about the board as it stands now, with what else was answered."""
    if not question.options:
        return question
    read = question.options[0].board
    options = [replace(each, board=merged(board, read, each.board)) for each in question.options]
    return replace(question, options=tuple(options))
