"""Open questions about a board photo: each has its cell and the records that its answers produce."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import msgspec

from scorer.board_game import BoardGame
from scorer.board_record import Board, BoardPlayer, Cell, Piece, SpareTile, Tile
from scorer.catalogue import Catalogue, Side
from scorer.port.photo import Strategy
from scorer.text import Text
from vision.boards.seen import BoardPiece, BoardScan, BoardTile, Doubt, HeldPiece, LaidPiece
from vision.boards.seen import SpareTile as SeenSpare
from waymark.review.boards.chip_strip import LEAST_CELLS, unplaced_discs
from waymark.review.boards.confidence import SURE_SPARE, asked_below, tile_confidences
from waymark.review.boards.question import (
    LOOKS,
    BoardOption,
    BoardQuestion,
    as_question,
    cannot_tell,
    degrees,
    in_cell,
    probably_in,
    same,
    settled_by,
    unless_told,
    with_answers,
)
from waymark.review.boards.records import always_there, glimpsed, may_be_there

#: Confidence from which no question is asked. A disc's confidence is its lead over the next candidate: none
#: of 340 in plain view was wrong (`tuning-labyrinth2`, 54 photos).
SURE_FACING, SURE_DISC = 0.8, 0.45
#: Confidence below which the reading is not the first option; "I cannot tell" is, which settles nothing.
LIKELY, LIKELY_DISC = 0.8, 0.3


def questions_of(
    scan: BoardScan,
    pieces: Sequence[BoardPiece],
    board: Board,
    catalogue: Catalogue,
    game: BoardGame,
    recorded: Callable[[BoardScan], Board],
) -> list[BoardQuestion]:
    """All open questions of a reading. `pieces` are the scan's pieces in the board's order; `recorded`
    makes the record of another scan."""
    asked: list[BoardQuestion] = []
    strategy = game.photo.strategy
    sure, least = tile_confidences(scan), asked_below(scan)
    for number, read in enumerate(scan.tiles):
        tile = replace(read, tile_confidence=sure[read.cell][0], turn_confidence=sure[read.cell][1])
        if tile.tile_confidence < least.tile:
            asked.append(
                _about_tile(tile, number, board, scan)
                if not strategy.is_loose
                else _about_panel(tile, number, board, scan, strategy, game.rules.pieces_of(catalogue))
            )
        elif tile.turn_confidence < least.tile and (board.tiles or ())[number].face == "up":
            asked.append(about_turn(tile, number, board, scan))
    missing = missing_pieces(scan, board, catalogue, game)
    for number, piece in enumerate(pieces):
        if piece.confidence < (SURE_DISC if piece.disc else least.figure):
            others = _may_be(piece, missing, catalogue)
            asked.append(about_piece(piece, number, board, scan, others))
        if piece.facing is not None and piece.facing_confidence < SURE_FACING:
            asked.append(_about_facing(piece, number, board, scan))
    for piece in (*glimpsed(scan, catalogue, board), *scan.unread):
        if piece.piece not in missing and may_be_there(piece.piece, catalogue, board):
            asked.append(about_unread(piece, board, scan))
    left = () if strategy.is_loose else tuple(unplaced_discs(board, catalogue, game))
    if missing or left:
        asked += [about_hidden(each.cell, (*missing, *left), board, scan) for each in scan.hidden]
    asked += [about_missing(name, board, scan) for name in missing]
    if strategy.is_loose:
        asked += about_holdings(scan, board, catalogue, recorded)
    elif strategy.spare_at is not None and (scan.spare is None or scan.spare.confidence < SURE_SPARE):
        asked.append(_about_spare(scan.spare, board, catalogue))
    return asked


def to_be_looked_over() -> BoardQuestion:
    """The question that asks a person to look over the whole reading; only a person's own record makes a
    board sure.
    Of 48 photos (`validation-labyrinth2` 700 to 747, half of them of other tiles) 10 left nothing in
    doubt, and none of these boards was wrong (at most 26%, 95%). Wrong were 2 of 30 once a careful
    player had answered, and 6 of 32 once a hurried one had."""
    return _open(Doubt("board", "looked-over", None, ()))


def _if_likely(question: BoardQuestion, confidence: float, likely: float = LIKELY) -> BoardQuestion:
    return question if confidence >= likely else unless_told(question)


def _open(doubt: Doubt) -> BoardQuestion:
    """A question without options, which a person settles by looking at the board."""
    return as_question(doubt, ())


def _about_tile(tile: BoardTile, number: int, board: Board, scan: BoardScan) -> BoardQuestion:
    """The question which tile lies in a cell. An option swaps the tile with the cell or spare that has
    the other tile."""
    doubt = Doubt("tile", "tile", tile.cell, (tile.tile,), scan.box_px(tile.cell))
    options = [BoardOption(same(tile.tile), board, piece=tile.tile)]
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
        options.append(BoardOption(same(name), made, piece=name))
    if tile.turn_confidence < asked_below(scan).tile:
        options += _turned_otherwise(tile, number, board)
    return _if_likely(as_question(doubt, options), tile.tile_confidence * tile.turn_confidence)


def _about_panel(
    tile: BoardTile, number: int, board: Board, scan: BoardScan, strategy: Strategy, pieces: Any
) -> BoardQuestion:
    """The question which loose piece lies in a cell, or whether it is face down; an option changes that
    cell alone."""
    doubt = Doubt("tile", "tile", tile.cell, (tile.tile,), scan.box_px(tile.cell))
    options = [BoardOption(same(tile.tile), board, piece=tile.tile)]
    for name, rotation in tile.options:
        other = Tile(tile=name, column=tile.cell[0], row=tile.cell[1], rotation=cast(Any, rotation))
        alone = msgspec.structs.replace(board, tiles=(other,), players=())
        laid = strategy.laid_out(alone, (), (), pieces, None)
        tiles = list(board.tiles or ())
        tiles[number : number + 1] = laid.tiles or ()
        made = msgspec.structs.replace(board, tiles=tuple(tiles))
        options.append(BoardOption(same(name), made, piece=name))
    return as_question(doubt, options)


def _about_spare(seen: SeenSpare | None, board: Board, catalogue: Catalogue) -> BoardQuestion:
    """The question which tile lies beside the board: the one as read, or one that lies nowhere else."""
    there = Counter(each.tile for each in board.tiles or ())
    there.update(each.tile for each in board.spare or ())
    left = [card.id for card in catalogue.cards if card.kind == "tile" and there[card.id] < card.copies]
    own = next(iter(board.spare or ()), None)
    names = [*([own.tile] if own is not None and own.tile is not None else []), *left]
    crop = None if seen is None else _box(seen.corners)
    options = []
    for name in names:
        lying = own if own is not None and own.tile == name else SpareTile(tile=name, rotation=0)
        made = msgspec.structs.replace(board, spare=(lying, *(board.spare or ())[1:]))
        options.append(BoardOption(same(name), made, piece=name))
    options.insert(0 if own is None else len(options), cannot_tell(board))
    return as_question(Doubt("spare", "spare", None, (), crop), options, open_ended=True)


def _box(corners: Sequence[tuple[float, float]]) -> tuple[int, int, int, int]:
    xs, ys = zip(*corners, strict=True)
    return round(min(xs)), round(min(ys)), round(max(xs)), round(max(ys))


def about_holdings(
    scan: BoardScan, board: Board, catalogue: Catalogue, recorded: Callable[[BoardScan], Board]
) -> list[BoardQuestion]:
    """The questions about uncertain pieces beside the board, and about players whose possessions are
    partly out of view."""
    asked = [
        _about_held(number, each, board, scan, catalogue, recorded)
        for number, each in enumerate(scan.held)
        if each.confidence < asked_below(scan).held
    ]
    # what lies before a player whose things are not told changes nothing
    asked = [each for each in asked if any(option.board != board for option in each.options)]
    return asked + [about_unseen(player, board) for player in board.players if player.holds is None]


def about_unseen(player: BoardPlayer, board: Board) -> BoardQuestion:
    """The question about the possessions of a player that are partly out of view: none, or those counted
    by hand."""
    asked = about_player(Doubt("held", "unseen", None, (player.name,)), player, board)
    return replace(asked, name=f"{asked.name}:{player.name}")


def about_player(doubt: Doubt, player: BoardPlayer, board: Board) -> BoardQuestion:
    players = tuple(
        msgspec.structs.replace(each, holds={}) if each is player else each for each in board.players
    )
    nothing = BoardOption(_NOTHING_THERE, msgspec.structs.replace(board, players=players))
    return as_question(doubt, (cannot_tell(board), nothing), player=player.name, open_ended=True)


def _about_held(
    number: int,
    piece: HeldPiece,
    board: Board,
    scan: BoardScan,
    catalogue: Catalogue,
    recorded: Callable[[BoardScan], Board],
) -> BoardQuestion:
    """The question which piece lies beside the board: another one of its form and size, or none. Each
    option recomputes the record, because the owner depends on the other pieces beside the board."""
    x, y, reach = *piece.at_px, piece.reach_px
    crop = (round(x - reach), round(y - reach), round(x + reach), round(y + reach))

    def without(*pieces: HeldPiece) -> Board:
        return recorded(replace(scan, held=(*scan.held[:number], *pieces, *scan.held[number + 1 :])))

    options = [BoardOption(same(piece.piece), board, piece=piece.piece)]
    for name in _as_large(piece, catalogue):
        options.append(BoardOption(same(name), without(replace(piece, piece=name)), piece=name))
    options += [BoardOption(_NOTHING, without()), cannot_tell(board)]
    player = next((each.name for each in board.players if each.seat == piece.seat), None)
    made = as_question(
        Doubt("held", "held", None, (piece.piece,), crop),
        options,
        pieces=(piece.piece,),
        player=player,
        open_ended=True,
    )
    return replace(made, name=f"{made.name}:{piece.piece}:{round(x)},{round(y)}")


def _as_large(piece: HeldPiece, catalogue: Catalogue) -> list[str]:
    """Ids of the pieces that a piece beside the board may be: as read first, then all of the same form
    and size."""
    own = catalogue.card(piece.piece)
    alike = [
        card.id
        for card in catalogue.cards
        if card.shape == own.shape
        and (card.kind in ("chip", "coin")) == (own.kind in ("chip", "coin"))
        and card.kind not in ("tile", "board", "fixed")
        and catalogue.size_of(card.id) == catalogue.size_of(own.id)
    ]
    others = piece.others if isinstance(piece, LaidPiece) else ()
    return [name for name in dict.fromkeys([*others, *alike]) if name != piece.piece]


def about_turn(tile: BoardTile, number: int, board: Board, scan: BoardScan) -> BoardQuestion:
    doubt = Doubt("rotation", "rotation", tile.cell, (str(tile.rotation),), scan.box_px(tile.cell))
    own = BoardOption(degrees(tile.rotation), board, turned=True)
    options = [own, *_turned_otherwise(tile, number, board)]
    return _if_likely(as_question(doubt, options), tile.turn_confidence)


def _turned_otherwise(tile: BoardTile, number: int, board: Board) -> list[BoardOption]:
    options = []
    for more in (90, 180, 270):
        rotation = (tile.rotation + more) % 360
        tiles = list(board.tiles or ())
        tiles[number] = msgspec.structs.replace(tiles[number], rotation=cast(Any, rotation))
        made = msgspec.structs.replace(board, tiles=tuple(tiles))
        options.append(BoardOption(degrees(rotation), made, turned=True))
    return options


def _may_be(piece: BoardPiece, missing: Sequence[str], catalogue: Catalogue) -> list[str]:
    """The missing figures for which a figure that looks like others may have been mistaken."""
    if piece.disc or not piece.options:
        return []
    own = catalogue.card(piece.piece)
    cards = [catalogue.card(name) for name in missing if name not in piece.options]
    return [each.id for each in cards if (each.kind, each.role) == (own.kind, own.role)]


def about_piece(
    piece: BoardPiece, number: int, board: Board, scan: BoardScan, others: Sequence[str] = ()
) -> BoardQuestion:
    """Question which piece is at a place, or whether it is in the next cell, or none. `others` are missing
    pieces that it may be as well; then the reading is not the first option."""
    reason = "piece" if piece.options else "cell"
    doubt = Doubt("piece", reason, piece.cell, (piece.piece, *piece.options), scan.box_px(piece.cell))
    own = (board.pieces or ())[number]

    def with_own(*pieces: Piece) -> Board:
        others = board.pieces or ()
        return msgspec.structs.replace(board, pieces=(*others[:number], *pieces, *others[number + 1 :]))

    own_cell = None if piece.options else piece.cell
    options = [BoardOption(same(piece.piece), board, piece=piece.piece, cell=own_cell)]
    for name in (*piece.options, *others):
        other = msgspec.structs.replace(own, piece=name)
        options.append(BoardOption(same(name), with_own(other), piece=name))
    if piece.next_cell is not None:
        column, row = piece.next_cell
        moved = msgspec.structs.replace(own, column=column, row=row)
        options.append(BoardOption(in_cell(piece.next_cell), with_own(moved), cell=piece.next_cell))
    options.append(BoardOption(_NOTHING, with_own()))
    made = as_question(doubt, options, pieces=(piece.piece, *piece.options, *others))
    asked = replace(made, name=f"{doubt.name}:{piece.piece}")
    return _if_likely(asked, 0.0 if others else piece.confidence, LIKELY_DISC if piece.disc else LIKELY)


def _about_facing(piece: BoardPiece, number: int, board: Board, scan: BoardScan) -> BoardQuestion:
    doubt = Doubt("facing", "facing", piece.cell, (str(piece.facing),), scan.box_px(piece.cell))
    own = cast(Side, piece.facing)
    options = [BoardOption(LOOKS[own], board, side=own)]
    for side, words in LOOKS.items():
        if side != piece.facing:
            pieces = list(board.pieces or ())
            pieces[number] = msgspec.structs.replace(pieces[number], facing=side)
            made = msgspec.structs.replace(board, pieces=tuple(pieces))
            options.append(BoardOption(words, made, side=side))
    return _if_likely(as_question(doubt, options, pieces=(piece.piece,)), piece.facing_confidence)


def about_unread(piece: BoardPiece, board: Board, scan: BoardScan) -> BoardQuestion:
    """The question about a possible piece that was left out of the record; its options add the piece."""
    reason = "disc" if piece.disc else "figure"
    doubt = Doubt("piece", reason, piece.cell, (piece.piece,), scan.box_px(piece.cell))
    names = (piece.piece, *piece.options)
    options = [BoardOption(_NOTHING, board), *(_put(name, piece.cell, board) for name in names)]
    return unless_told(as_question(doubt, options, pieces=names))


def about_hidden(cell: Cell, names: Sequence[str], board: Board, scan: BoardScan) -> BoardQuestion:
    """Question about a hidden place: nothing, or one of these pieces."""
    options = [BoardOption(_NOTHING, board), *(_put(name, cell, board) for name in names)]
    doubt = Doubt("piece", "hidden", cell, (), scan.box_px(cell))
    return unless_told(as_question(doubt, options, pieces=tuple(names)))


def about_missing(name: str, board: Board, scan: BoardScan) -> BoardQuestion:
    """The question where a piece is that belongs on every board but was not found: in a candidate cell,
    or not on the board. A person may also name any other cell. Where it was glimpsed, the first option puts
    it there as a guess, which settles nothing."""
    weak = sorted((*scan.pieces, *scan.unread), key=lambda piece: -piece.confidence)
    glimpse = next((each.cell for each in weak if not each.disc and each.piece == name), None)
    cells = [] if glimpse is None else [glimpse]
    cells += [piece.cell for piece in weak if not piece.disc and name in (piece.piece, *piece.options)]
    cells += [hidden.cell for hidden in scan.hidden]
    told = {piece.piece for piece in board.pieces or ()}
    cells += [piece.cell for piece in scan.pieces if piece.piece not in told and not piece.disc]
    options = [_put(name, cell, board, in_cell(cell)) for cell in dict.fromkeys(cells)]
    options.append(BoardOption(_NOT_ON_BOARD, board))
    options.insert(0 if glimpse is None else -1, BoardOption(_NOWHERE, board, leaves_open=True))
    if glimpse is not None:
        guess = _put(name, glimpse, board, probably_in(glimpse))
        options.insert(0, replace(guess, leaves_open=True))
    return as_question(
        Doubt("piece", "missing", None, (name,)),
        options,
        pieces=(name,),
        put=name,
        open_ended=True,
        unanswered=board,
    )


def missing_pieces(scan: BoardScan, board: Board, catalogue: Catalogue, game: BoardGame) -> list[str]:
    """Names of the pieces that are on every board or belong to a player, and were not found."""
    there = {piece.piece for piece in board.pieces or ()}
    dragon = (board.more.get("dragon") or {}).get("piece")
    told = [name for name in (*(player.piece for player in board.players), dragon) if name is not None]
    names = dict.fromkeys([*always_there(game, catalogue), *told])
    held = {piece for player in board.players for piece, count in (player.holds or {}).items() if count}
    return [name for name in names if name not in there and name not in held]


def under_figures(
    board: Board, scan: BoardScan, catalogue: Catalogue, game: BoardGame
) -> list[BoardQuestion]:
    """The questions which chip lies wholly under a figure, where hidden cells are asked about in one strip
    anyway."""
    left = unplaced_discs(board, catalogue, game)
    if game.photo.strategy.is_loose or len(scan.hidden) < LEAST_CELLS or not left:
        return []
    pieces = [(each.piece, each.cell) for each in board.pieces or () if each.piece is not None]
    known = {cell for name, cell in pieces if catalogue.card(name).shape == "disc"}
    known |= {each.cell for each in scan.hidden}
    cells = dict.fromkeys(cell for _, cell in pieces if cell is not None and cell not in known)
    return [about_hidden(cell, tuple(left), board, scan) for cell in cells]


def missing_by_now(
    asked: Sequence[BoardQuestion],
    answers: Mapping[str, int],
    read: Board,
    scan: BoardScan,
    catalogue: Catalogue,
    game: BoardGame,
) -> list[BoardQuestion]:
    """The questions where pieces stand that the answers have taken off the board as `read`: who says that a
    gargoyle is not in its cell has not said that it is nowhere."""
    board, known = with_answers(read, asked, answers), {each.put for each in asked}
    names = [name for name in missing_pieces(scan, board, catalogue, game) if name not in known]
    looked = settled_by(asked, answers).cells

    def elsewhere(name: str, pieces: tuple[BoardPiece, ...]) -> tuple[BoardPiece, ...]:
        return tuple(each for each in pieces if each.piece != name or each.cell not in looked)

    return [
        about_missing(
            name,
            board,
            replace(scan, pieces=elsewhere(name, scan.pieces), unread=elsewhere(name, scan.unread)),
        )
        for name in names
    ]


def _put(name: str, cell: Cell, board: Board, words: Text | None = None) -> BoardOption:
    """The answer that a piece is in a cell."""
    there = Piece(piece=name, column=cell[0], row=cell[1])
    made = msgspec.structs.replace(board, pieces=(*(board.pieces or ()), there))
    if words is not None:
        return BoardOption(words, made, cell=cell)
    return BoardOption(same(name), made, piece=name)


def no_tile() -> Text:
    """The answer option that a cell has no tile."""
    return Text("no tile")


_NOTHING = Text("nothing")
_NOTHING_THERE = Text("nothing lies there")
_NOWHERE = Text("not to be seen in the photo")
_NOT_ON_BOARD = Text("not on the board")
