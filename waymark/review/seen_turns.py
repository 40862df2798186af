"""A turn whose steps two boards tell (`BoardGame.seen_turn`): how far what was read of them is trusted, and
what is said where they do not tell it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from scorer.board_game import BoardGame
from scorer.board_record import Cell
from scorer.catalogue import Catalogue
from scorer.seen_turns import MOST_NATS, SeenTurn, Trust
from scorer.text import Text
from vision.layered_board import LayeredScan
from waymark.review.board_question import BoardQuestion
from waymark.review.two_boards import Read, nats

_OPEN = Text(
    "The photos do not show all that this turn may have changed: look at its steps, and tell what is "
    "missing.",
    "写真には、この手番で変わりうるものが全部は写っていません。手順を確かめて、足りない分を入れてください。",
)
_NOT_FOUND = Text(
    "No turn that follows the rules was found between the two boards: see whether all was read right, or "
    "tell the turn step by step.",
    "前後の盤面をつなぐ、ルールどおりの手番が見つかりません。読み取りを確かめるか、手番を順に入れてください。",
)


class Judged(Read, Protocol):
    """A board with what is in doubt on it."""

    @property
    def catalogue(self) -> Catalogue: ...
    @property
    def terms(self) -> Any: ...
    @property
    def doubts(self) -> Sequence[BoardQuestion]: ...


def seen_between(game: BoardGame, before: Judged, after: Judged, player: str) -> SeenTurn | None:
    """The likeliest turn of a player between two boards; None where nothing can be played on the first."""
    assert game.seen_turn is not None
    pieces = game.pieces_of(before.catalogue)
    trust = _least(_trust(before), _trust(after))
    return game.seen_turn(before.board, after.board, player, pieces, before.terms, trust)


def why_untold(seen: SeenTurn | None) -> Text | None:
    """Why two boards do not tell a turn; None where they do, or where the ruling says why."""
    if seen is None or seen.is_told:
        return None
    return _OPEN if seen.open else _NOT_FOUND


def _trust(read: Judged) -> Trust:
    """What is in doubt no more, for it was answered or put right, is sure."""
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
