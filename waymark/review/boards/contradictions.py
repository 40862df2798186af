"""What two photos of one turn say against each other, in nats."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.board_record import Board, Tile
from scorer.catalogue import Catalogue
from scorer.port.photo import Way
from waymark.review.boards.pairing import (
    carried_to,
    chips_unmatched,
    is_chip,
    is_laid_out,
    paired_figures,
    paired_tiles,
    sides_of,
    stays_in_place,
)
from waymark.review.boards.surety import UNSEEN_DISC, Surety, disc_nats, nats

#: Cost (nats) where the tile beside the board is not where the push released it.
ELSEWHERE = 1.5


def speaks_against(
    board: Board, other: Board, sure: Surety, way: Way, cards: Catalogue, mover: str, *, first: bool
) -> float:
    """Evidence (nats) of the `other` photo against a board, given the way the tiles moved. `first`: the
    board is the earlier one."""
    pair = (board, other) if first else (other, board)
    both = (Surety(), sure) if first else (sure, Surety())
    costs = [
        *disagreements(*pair, both, way, cards, mover),
        *_absent(board, other, sure, way, cards, mover, first=first),
        *_chips_against(*pair, sure, way, cards, mover, first=first),
    ]
    return sum(costs)


def contradictions(
    before: Board, after: Board, sure: tuple[Surety, Surety], way: Way, cards: Catalogue, mover: str
) -> Iterator[float]:
    """The costs (nats) of a way: for each thing that it does not explain, the evidence of the less
    certain photo."""
    yield from disagreements(before, after, sure, way, cards, mover)
    spare = (after.spare or (None,))[0]
    if spare is not None and way.out is not None and spare.at != way.at:
        yield ELSEWHERE
    gone, come = chips_unmatched(before, after, way, cards)
    for piece in gone:
        yield 0.5 * nats(sure[0].piece(piece))
    for piece in () if is_laid_out(come, way, sure[0].dark) else come:
        yield 0.5 * nats(sure[1].piece(piece))


def disagreements(
    before: Board, after: Board, sure: tuple[Surety, Surety], way: Way, cards: Catalogue, mover: str
) -> Iterator[float]:
    """Evidence (nats) of the less certain photo, for each tile or figure on which the photos disagree."""
    for one, other in paired_tiles(before, after, way):
        ours, theirs = sure[0].of(one), sure[1].of(other)
        if one.tile != other.tile:
            yield nats(min(ours[0], theirs[0]))
        elif (
            isinstance(one, Tile)
            and isinstance(other, Tile)
            and sides_of(one, cards) != sides_of(other, cards)
        ):
            yield nats(min(ours[1], theirs[1]))
    for piece, to in paired_figures(before, after, cards):
        if piece.piece != mover and piece.cell is not None and to.cell != carried_to(piece, way, cards):
            yield nats(min(sure[0].piece(piece), sure[1].piece(to)))


def _absent(
    board: Board, other: Board, sure: Surety, way: Way, cards: Catalogue, mover: str, *, first: bool
) -> Iterator[float]:
    """Evidence (nats) of the `other` photo for each of its figures that a board has nowhere, but for the
    mover's: only its own photo tells where it stands. A figure that stays is won only from a board without
    chips."""
    there = {mover, *(each.piece for each in board.pieces or ())}
    last = not first and not any(is_chip(each, cards) for each in other.pieces or ())
    for each in other.pieces or ():
        won = last and stays_in_place(each, way, cards)
        if each.piece not in there and each.cell is not None and not is_chip(each, cards) and not won:
            yield nats(sure.piece(each))


def _chips_against(
    before: Board, after: Board, sure: Surety, way: Way, cards: Catalogue, mover: str, *, first: bool
) -> Iterator[float]:
    """Evidence (nats) of the other photo, read with confidences `sure`, for each chip on which two boards
    disagree. `first`: the other photo is the later one. A chip may be missing later where the mover stops."""
    gone, come = chips_unmatched(before, after, way, cards)
    stop = next((each.cell for each in after.pieces or () if each.piece == mover), None)
    for piece in gone:
        to = way.carried(piece.cell or (0, 0))
        if to != stop:
            yield (0.0 if to in sure.dark else UNSEEN_DISC) if first else disc_nats(sure.piece(piece))
    dark = frozenset() if first else sure.dark
    for piece in () if is_laid_out(come, way, dark) else come:
        origin = way.came_from(piece.cell or (0, 0))
        yield disc_nats(sure.piece(piece)) if first else (0.0 if origin in sure.dark else UNSEEN_DISC)


def from_nowhere(
    before: Board, after: Board, sure: tuple[Surety, Surety], way: Way, cards: Catalogue
) -> Iterator[float]:
    """Evidence (nats) of the less certain photo, for each later chip that the earlier one lacks in plain
    view."""
    _, come = chips_unmatched(before, after, way, cards)
    if is_laid_out(come, way, sure[0].dark):
        return
    for piece in come:
        if way.came_from(piece.cell or (0, 0)) not in sure[0].dark:
            yield min(disc_nats(sure[1].piece(piece)), UNSEEN_DISC)
