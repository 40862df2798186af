"""Two boards of one turn, corrected by each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec

from scorer.board_record import Board, BoardPlayer, Cell, Piece, SpareTile, Tile
from scorer.catalogue import Catalogue
from scorer.port.photo import Way
from waymark.review.boards.confidence import PRINTED
from waymark.review.boards.pairing import (
    Lying,
    carried_to,
    chips_unmatched,
    is_chip,
    is_laid_out,
    paired_figures,
    paired_tiles,
    sides_of,
    stays_in_place,
)
from waymark.review.boards.questions import SURE_DISC, SURE_FACING
from waymark.review.boards.surety import Surety


def tiles_mended(
    before: Board, after: Board, sure: tuple[Surety, Surety], way: Way, cards: Catalogue
) -> tuple[Board, Board]:
    """Both boards with each tile as the photo that shows it better has it."""
    changed: tuple[dict[Any, Any], dict[Any, Any]] = ({}, {})
    for one, other in paired_tiles(before, after, way):
        both, sights = (one, other), (sure[0].of(one), sure[1].of(other))
        what = 0 if one.tile != other.tile else 1
        turns = isinstance(one, Tile) and isinstance(other, Tile)
        if what == 1 and (not turns or sides_of(both[0], cards) == sides_of(both[1], cards)):  # type: ignore[arg-type]
            continue
        weak = 0 if sights[0][what] < sights[1][what] else 1
        if sights[weak][what] < PRINTED.tile:
            strong: Any = both[1 - weak]
            new = {"tile": strong.tile} | ({"rotation": strong.rotation} if turns else {})
            changed[weak][_where(both[weak])] = msgspec.structs.replace(both[weak], **new)
    return _with_tiles(before, changed[0]), _with_tiles(after, changed[1])


def spares_filled(before: Board, after: Board, way: Way) -> tuple[Board, Board]:
    """Both boards; a tile beside the board that one photo does not show follows from the other photo and
    the way the tiles moved."""
    if way.entry is None or way.out is None:
        return before, after
    entered = {each.cell: each for each in after.tiles or ()}.get(way.entry)
    gone = {each.cell: each for each in before.tiles or ()}.get(way.out)
    if not before.spare and entered is not None:
        lying = SpareTile(tile=entered.tile, rotation=entered.rotation)
        before = msgspec.structs.replace(before, spare=(lying,))
    if not after.spare and gone is not None:
        lying = SpareTile(tile=gone.tile, rotation=gone.rotation, at=way.at)
        after = msgspec.structs.replace(after, spare=(lying,))
    return before, after


def _where(lying: Lying) -> Cell | None:
    return lying.cell if isinstance(lying, Tile) else None


def _with_tiles(board: Board, changed: Mapping[Cell | None, Any]) -> Board:
    if not changed:
        return board
    tiles = tuple(changed.get(each.cell, each) for each in board.tiles or ())
    spare: tuple[SpareTile, ...] | None = board.spare
    if None in changed:
        spare = (changed[None],)
    return msgspec.structs.replace(board, tiles=tiles, spare=spare)


def pieces_mended(
    before: Board, after: Board, sure: tuple[Surety, Surety], way: Way, cards: Catalogue, mover: str
) -> tuple[Board, Board]:
    """Both boards with each piece as the photo that shows it better has it."""
    first, second = list(before.pieces or ()), list(after.pieces or ())
    _figures_mended(first, second, before, after, sure, way, cards, mover)
    _missing_figures_added(first, second, before, after, sure, way, cards, mover)
    _chips_mended(first, second, before, after, sure, way, cards, mover)
    return (
        msgspec.structs.replace(before, pieces=tuple(first)),
        msgspec.structs.replace(after, pieces=tuple(second)),
    )


def _came_from(piece: Piece, way: Way, cards: Catalogue) -> Cell:
    """Cell of a piece before a push that moves the tiles, if no player moved it."""
    cell = piece.cell or (0, 0)
    return cell if stays_in_place(piece, way, cards) else way.came_from(cell)


def _figures_mended(
    first: list[Piece],
    second: list[Piece],
    before: Board,
    after: Board,
    sure: tuple[Surety, Surety],
    way: Way,
    cards: Catalogue,
    mover: str,
) -> None:
    """Put and turn the figures of both boards (`first`, `second`) as the surer photo has them."""
    for one, other in paired_figures(before, after, cards):
        ours, theirs = sure[0].piece(one), sure[1].piece(other)
        if one.piece != mover and one.cell and other.cell and other.cell != carried_to(one, way, cards):
            if ours < min(theirs, PRINTED.figure):
                first[first.index(one)] = one = _put(one, _came_from(other, way, cards))
            elif theirs < min(ours, PRINTED.figure):
                second[second.index(other)] = other = _put(other, carried_to(one, way, cards))
        if one.facing != other.facing:
            looks = [each.facings.get(one.piece or "", 1.0) for each in sure]
            if looks[0] < min(looks[1], SURE_FACING):
                first[first.index(one)] = msgspec.structs.replace(one, facing=other.facing)
            elif looks[1] < min(looks[0], SURE_FACING):
                second[second.index(other)] = msgspec.structs.replace(other, facing=one.facing)


def _missing_figures_added(
    first: list[Piece],
    second: list[Piece],
    before: Board,
    after: Board,
    sure: tuple[Surety, Surety],
    way: Way,
    cards: Catalogue,
    mover: str,
) -> None:
    """Add the figures of one board that the other lacks, but for the mover's."""
    names = {each.piece for each in first}, {each.piece for each in second}
    for one in before.pieces or ():
        known = one.piece in names[1] or one.piece in sure[1].absent
        if one.cell and not is_chip(one, cards) and not known and one.piece != mover:
            second.append(_put(one, carried_to(one, way, cards)))
    for other in after.pieces or ():
        known = other.piece in names[0] or other.piece in sure[0].absent
        if other.cell and not is_chip(other, cards) and not known and other.piece != mover:
            first.append(_put(other, _came_from(other, way, cards)))


def _chips_mended(
    first: list[Piece],
    second: list[Piece],
    before: Board,
    after: Board,
    sure: tuple[Surety, Surety],
    way: Way,
    cards: Catalogue,
    mover: str,
) -> None:
    """Name the chips as the surer photo has them, and add those that lie where a photo shows nothing."""
    walked_to = next((each.cell for each in second if each.piece == mover), None)
    gone, come = chips_unmatched(before, after, way, cards)
    if is_laid_out(come, way, sure[0].dark):
        return
    for piece in gone:
        to = way.carried(piece.cell or (0, 0))
        there = next((each for each in come if each.cell == to), None)
        if there is not None:
            come.remove(there)
            if sure[0].piece(piece) < min(sure[1].piece(there), SURE_DISC):
                first[first.index(piece)] = _put(there, piece.cell or (0, 0))
            elif sure[1].piece(there) < min(sure[0].piece(piece), SURE_DISC):
                second[second.index(there)] = _put(piece, to)
        elif (to in sure[1].dark and to != walked_to) and piece.piece not in {each.piece for each in come}:
            second.append(_put(piece, to))
    for piece in come:
        at = _came_from(piece, way, cards)
        if at in sure[0].dark and piece.piece not in {each.piece for each in gone}:
            first.append(_put(piece, at))


def glimpses_placed(
    before: Board, after: Board, sure: tuple[Surety, Surety], way: Way, cards: Catalogue, mover: str
) -> tuple[Board, Board]:
    """Both boards with the figures that neither photo shows well, where both glimpsed one on the same tile.
    All of 16 such figures stood there."""
    placed: dict[str, list[Cell]] = {}
    there = {mover, *(each.piece for board in (before, after) for each in board.pieces or ())}
    for name, cell in sorted(sure[0].glimpses):
        if (
            name not in there | sure[0].absent | sure[1].absent
            and (name, way.carried(cell)) in sure[1].glimpses
        ):
            placed.setdefault(name, []).append(cell)
    found = {name: cells[0] for name, cells in placed.items() if len(cells) == 1}
    first = [_put(Piece(piece=name), cell) for name, cell in found.items()]
    second = [_put(Piece(piece=name), way.carried(cell)) for name, cell in found.items()]
    return (
        msgspec.structs.replace(before, pieces=(*(before.pieces or ()), *first)),
        msgspec.structs.replace(after, pieces=(*(after.pieces or ()), *second)),
    )


def with_guesses(
    before: Board, after: Board, sure: tuple[Surety, Surety], way: Way, cards: Catalogue, mover: str
) -> tuple[Board, Board]:
    """Both boards with the figures that neither has where they were glimpsed best; the mover's on each
    board."""
    boards = [list(before.pieces or ()), list(after.pieces or ())]
    there = [{each.piece for each in pieces} for pieces in boards]
    for k in (0, 1):
        spots = [cell for name, cell in _best_first(sure[k]) if name == mover]
        if spots and mover not in there[k] | sure[k].absent:
            boards[k].append(_put(Piece(piece=mover), spots[0]))
    both = [(value, k, *spot) for k in (0, 1) for spot, value in sure[k].glimpses.items()]
    for _, k, name, cell in sorted(both, reverse=True):
        if (
            not _is_in_play(name, before, cards)
            or name in {mover} | there[0] | there[1] | sure[0].absent | sure[1].absent
        ):
            continue
        there[0].add(name)
        origin = cell if k == 0 else way.came_from(cell)
        boards[0].append(_put(Piece(piece=name), origin))
        boards[1].append(_put(Piece(piece=name), way.carried(origin)))
    return (
        msgspec.structs.replace(before, pieces=tuple(boards[0])),
        msgspec.structs.replace(after, pieces=tuple(boards[1])),
    )


def _is_in_play(name: str, board: Board, cards: Catalogue) -> bool:
    return cards.card(name).kind != "pawn" or any(each.piece == name for each in board.players)


def _best_first(sure: Surety) -> list[tuple[str, Cell]]:
    return sorted(sure.glimpses, key=lambda spot: -sure.glimpses[spot])


def _put(piece: Piece, cell: Cell) -> Piece:
    return msgspec.structs.replace(piece, column=cell[0], row=cell[1])


def holdings_mended(
    before: Board, after: Board, way: Way, cards: Catalogue, mover: str
) -> tuple[Board, Board]:
    """Both boards, with possessions set to unknown where the turn does not explain their change, since
    one photo shows them badly."""
    gone, _ = chips_unmatched(before, after, way, cards)
    taken = Counter(each.piece for each in gone)
    then = {each.name: each for each in after.players}
    doubted = {
        player.name
        for player in before.players
        if (other := then.get(player.name)) is not None
        and player.holds is not None
        and other.holds is not None
        and not _is_explained(player, other, taken if player.piece == mover else Counter(), cards)
    }

    def told(players: tuple[BoardPlayer, ...]) -> tuple[BoardPlayer, ...]:
        return tuple(
            msgspec.structs.replace(each, holds=None) if each.name in doubted else each for each in players
        )

    return (
        msgspec.structs.replace(before, players=told(before.players)),
        msgspec.structs.replace(after, players=told(after.players)),
    )


def _is_explained(
    before: BoardPlayer, after: BoardPlayer, taken: Counter[str | None], cards: Catalogue
) -> bool:
    """Whether the change of a player's possessions fits a turn: the `taken` pieces are added, with at
    most a coin. A loss in a fight looks like an oversight, so it counts as unexplained."""
    there: Counter[str | None] = Counter(before.holds or {})
    there.update(taken)
    now: Counter[str | None] = Counter(after.holds or {})
    come, lost = now - there, there - now
    kinds = [cards.card(each or "").kind for each in come.elements()]
    return not lost and kinds in ([], ["coin"] if taken else [])
