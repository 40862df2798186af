"""The layers that a photo of Ice and Idols may show besides tiles and figures, and the places of pieces on
its boards. Cubes may lie anywhere in their space. Places on a player's board are given by the board's
catalogue entry."""

from __future__ import annotations

import msgspec

from scorer.board_pieces import told_piece
from scorer.catalogue import Card, Catalogue
from scorer.ice_and_idols.rules.pieces import BORDERS, FIRST, MINUS, PLUS, IdolKind, Pieces
from scorer.ice_and_idols.rules.validation import RESEARCH
from scorer.layered import Layers, Place, Point, SideBoard

#: Shares of a space within which its cube's middle lies, and how far things lie off their place (mm).
CUBE_REACH, TOKEN_MM, IDOL_MM = (0.3, 0.24), 2.5, 3.0
#: The role of a player's board, and the names of its places.
PLAYER_BOARD = "player-board"
ALTAR, HAND, ADRENALINE = "altar", "hand", "adrenaline"


class _Altar(msgspec.Struct, frozen=True, kw_only=True):
    idol: IdolKind
    at: Point


class _PlayerBoard(msgspec.Struct, frozen=True, kw_only=True):
    altars: tuple[_Altar, ...] = ()
    hands: tuple[Point, ...] = ()
    adrenaline: Point | None = None


def layers_of(pieces: Pieces) -> Layers | None:
    """The layers that a photo may show; None where the catalogue lacks a one-piece map with art, by which
    photos are aligned."""
    catalogue = pieces.catalogue
    whole = tuple(name for name, each in pieces.maps.items() if (each.columns, each.rows) == (5, 5))
    if not whole or not all(catalogue.by_id[name].art for name in whole):
        return None
    rims = {card.id.removeprefix("border-"): card.id for card in _of(catalogue, "border")}
    return Layers(
        grounds=whole,
        rims=tuple(rims[name] for name in BORDERS if name in rims),
        boards=(
            *(_research(card, pieces) for card in _of(catalogue, RESEARCH)),
            *(_player_board(card, pieces) for card in _of(catalogue, PLAYER_BOARD)),
        ),
        blocks=tuple(pieces.cubes),
        loose=(FIRST,) if FIRST in catalogue.by_id else (),
        cards=(*pieces.keys, *(card.id for card in _of(catalogue, "key-back"))),
    )


def _of(catalogue: Catalogue, role: str) -> list[Card]:
    return [card for card in catalogue.cards if card.role == role]


def place_name(column: int, row: int) -> str:
    """The name of a cell of the research board: "column,row"."""
    return f"{column},{row}"


def _research(card: Card, pieces: Pieces) -> SideBoard:
    research = pieces.research
    assert research is not None
    width, height = pieces.catalogue.size_of(card.id)
    wide, high = width / research.columns, height / research.rows
    places, groups = [], []

    def middle(column: int, row: int) -> Point:
        return wide * (column + 0.5), high * (row + 0.5)

    for track in research.tracks:
        groups.append((place_name(track.column, track.top), place_name(track.column, track.below)))
        for row, name in zip((track.top, track.below), groups[-1], strict=True):
            places.append(Place(name, middle(track.column, row), (TOKEN_MM, TOKEN_MM), tuple(pieces.tokens)))
        reach = CUBE_REACH[0] * wide, CUBE_REACH[1] * high
        for space in track.spaces:
            name = place_name(track.column, space.row)
            places.append(Place(name, middle(track.column, space.row), reach, tuple(pieces.cubes)))
    return SideBoard(card.id, tuple(places), tuple(groups))


def _player_board(card: Card, pieces: Pieces) -> SideBoard:
    told = told_piece(pieces.catalogue, card, _PlayerBoard)
    off = IDOL_MM, IDOL_MM
    places = [Place(f"{ALTAR}:{each.idol}", each.at, off, (pieces.idol(each.idol),)) for each in told.altars]
    places += [
        Place(f"{HAND}:{number}", at, off, tuple(pieces.idols)) for number, at in enumerate(told.hands)
    ]
    groups: list[tuple[str, ...]] = []
    if told.adrenaline is not None:
        places.append(Place(ADRENALINE, told.adrenaline, off, (PLUS, MINUS)))
        groups.append((ADRENALINE,))
    return SideBoard(card.id, tuple(places), tuple(groups))
