"""The turn between two photos of a board: what changed, and which actions explain it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from scorer.board_game import BoardGame
from scorer.board_record import Board, Cell
from scorer.catalogue import Catalogue
from scorer.infer_turns import MOST_NATS, SeenTurn, Trust
from scorer.port.photo import Way
from scorer.text import Text
from vision.boards.seen import LayeredScan
from waymark.review.boards.contradictions import contradictions, disagreements, from_nowhere
from waymark.review.boards.mended import (
    glimpses_placed,
    holdings_mended,
    pieces_mended,
    spares_filled,
    tiles_mended,
)
from waymark.review.boards.pairing import paired_tiles
from waymark.review.boards.surety import BOARD_MOST_NATS, Read, Surety, nats

#: Share of cells with equal tiles required of two photos of one turn; below it they show different tables.
ONE_TABLE = 0.6
#: A reading with more evidence (nats) than this is not overruled without a person.
OVERRULED = 1.5
#: Evidence (nats) of the other photo against every other option from which it settles a doubt.
SETTLED = 2.5
_OPEN = Text(
    "The photos do not show all that this turn may have changed: check its steps, and enter what is missing."
)
_NOT_FOUND = Text(
    "No turn that follows the rules was found between the two boards: check that everything was read right,"
    " or enter the turn step by step."
)


@dataclass(frozen=True)
class Together:
    """The likeliest joint reading of two boards: both boards, the way the tiles moved, and `lead`, the
    margin in nats over the next way. `overruled` is the largest evidence (nats) for a reading that the
    other photo has overruled."""

    before: Board
    after: Board
    way: Way
    lead: float
    overruled: float = 0.0


def together(
    before: Board,
    after: Board,
    sure: tuple[Surety, Surety],
    ways: Sequence[Way],
    cards: Catalogue,
    mover: str,
) -> Together | None:
    """The likeliest way the tiles moved, and both boards corrected by each other; None where the boards
    seem to be of two tables. `mover` is the figure that may have walked."""
    if not ways:
        return None
    costs = [sum(contradictions(before, after, sure, way, cards, mover)) for way in ways]
    order = sorted(range(len(ways)), key=costs.__getitem__)
    way = ways[order[0]]
    pairs = list(paired_tiles(before, after, way))
    alike = sum(one.tile == other.tile for one, other in pairs)
    if alike < ONE_TABLE * len(pairs):
        return None
    lead = costs[order[1]] - costs[order[0]] if len(order) > 1 else BOARD_MOST_NATS
    first, second = spares_filled(before, after, way)
    first, second = tiles_mended(first, second, sure, way, cards)
    first, second = pieces_mended(first, second, sure, way, cards, mover)
    first, second = glimpses_placed(first, second, sure, way, cards, mover)
    first, second = holdings_mended(first, second, way, cards, mover)
    against = [
        *disagreements(before, after, sure, way, cards, mover),
        *from_nowhere(before, after, sure, way, cards),
    ]
    overruled = max(against, default=0.0)
    return Together(first, second, way, lead, overruled)


class Judged(Read, Protocol):
    """A board with its catalogue and terms."""

    @property
    def catalogue(self) -> Catalogue: ...
    @property
    def terms(self) -> Any: ...


def seen_between(game: BoardGame, before: Judged, after: Judged, player: str) -> SeenTurn | None:
    """The likeliest turn of a player between two boards; None where no turn is possible on the first."""
    assert game.photo.infer_turn is not None
    pieces = game.rules.pieces_of(before.catalogue)
    trust = _least(_trust(before), _trust(after))
    return game.photo.infer_turn(before.board, after.board, player, pieces, before.terms, trust)


def why_untold(seen: SeenTurn | None) -> Text | None:
    """Reason why two boards do not determine a turn; None where they do, or where the ruling states it."""
    if seen is None or seen.is_told:
        return None
    return _OPEN if seen.open else _NOT_FOUND


def _trust(read: Judged) -> Trust:
    """The confidence (nats) of each doubted thing on a board. Things that were answered or corrected
    count as certain."""
    if read.by_hand:
        return Trust()
    scan = read.scan
    asked = {each.cell for each in read.doubts if each.on is None}
    beside = {each.cell for each in read.doubts if each.on is not None}
    return Trust(
        tiles={each.cell: nats(each.confidence) for each in scan.tiles if each.cell in asked},
        pieces={each.piece: nats(each.confidence) for each in scan.pieces if each.cell in asked},
        beside=_spaces(scan, beside) if isinstance(scan, LayeredScan) else {},
    )


def _spaces(scan: LayeredScan, asked: set[Cell | None]) -> dict[Cell, float]:
    found: dict[Cell, float] = {}
    for each in () if scan.layers is None else scan.layers.places:
        column, _, row = each.place.partition(",")
        if column.isdigit() and row.isdigit() and (int(column), int(row)) in asked:
            found[int(column), int(row)] = nats(each.confidence)
    return found


def _least(one: Trust, other: Trust) -> Trust:
    def least(mine: Any, theirs: Any) -> Any:
        return {
            name: min(mine.get(name, MOST_NATS), theirs.get(name, MOST_NATS)) for name in {*mine, *theirs}
        }

    return Trust(
        least(one.tiles, other.tiles), least(one.pieces, other.pieces), least(one.beside, other.beside)
    )
