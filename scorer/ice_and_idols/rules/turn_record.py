"""The record of a turn (`waymark-turn/1`): the table before it, the actions in order, and the table after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from scorer.action_fields import Asks, OnGrid, PieceOf, PlayerName, check_fields
from scorer.board_turn import ListedActions, TurnTold, bad_turn, turn_of
from scorer.catalogue import Side
from scorer.errors import WaymarkError
from scorer.ice_and_idols.rules.pieces import IDOLS, IdolKind, Pieces
from scorer.ice_and_idols.rules.temple_frame import SIDE
from scorer.ice_and_idols.rules.validation import GAME, board_told
from scorer.record import Rotation
from scorer.square_grid import Cell
from scorer.text import Text

Quarter: TypeAlias = Annotated[Literal["clockwise", "counterclockwise"], Asks(Text("Which way round?"))]
_To: TypeAlias = Annotated[Side, Asks(Text("To which side?"), ("top", "right", "bottom", "left"))]
_Idol: TypeAlias = Annotated[IdolKind, Asks(Text("Which idol?"), IDOLS)]
_Cell: TypeAlias = Annotated[Cell, OnGrid(SIDE), Asks(Text("Which space?"))]
_TURNED = Asks(Text("Turned how?"))


class _Action(msgspec.Struct, frozen=True, kw_only=True, tag_field="do"):
    pass


class Move(_Action, frozen=True, kw_only=True, tag="move"):
    to: _To


class Pick(_Action, frozen=True, kw_only=True, tag="pick"):
    idol: _Idol


class Place(_Action, frozen=True, kw_only=True, tag="place"):
    """Action: place an idol. `shift` and `event` are the effects of the space or of the power."""

    idol: _Idol
    for_: Annotated[Literal["study", "power"], Asks(Text("For what?"))] = msgspec.field(name="for")
    shift: Annotated[Literal["left", "right"] | None, Asks(Text("Which way are the tokens shifted?"))] = None
    event: Annotated[str | None, PieceOf("event"), Asks(Text("Which event card was drawn?"))] = None


class Drop(_Action, frozen=True, kw_only=True, tag="drop"):
    idol: _Idol


class Adrenaline(_Action, frozen=True, kw_only=True, tag="adrenaline"):
    pass


class Jade(_Action, frozen=True, kw_only=True, tag="jade"):
    turn: Quarter


class Ruby(_Action, frozen=True, kw_only=True, tag="ruby"):
    cell: _Cell
    turn: Quarter


class Gold(_Action, frozen=True, kw_only=True, tag="gold"):
    cell: _Cell
    to: _To


class Curator(_Action, frozen=True, kw_only=True, tag="curator"):
    to: _To


class Keysmith(_Action, frozen=True, kw_only=True, tag="keysmith"):
    """Action: lay a spare tile. `stand` gives, by player, the corridor of the new tile on which a figure
    stands."""

    to: _To
    tile: Annotated[str, PieceOf("tile"), Asks(Text("Which tile?"))]
    rotation: Annotated[Rotation, _TURNED]
    stand: Annotated[dict[str, str], PlayerName()] = {}


class Sculptor(_Action, frozen=True, kw_only=True, tag="sculptor"):
    to: _To


class Architect(_Action, frozen=True, kw_only=True, tag="architect"):
    """The rotations of both tiles afterwards; absent: as they were."""

    to: _To
    rotation: Annotated[Rotation | None, _TURNED] = None
    other_rotation: Annotated[Rotation | None, Asks(Text("The other tile turned how?"))] = None


class Pass(_Action, frozen=True, kw_only=True, tag="pass"):
    cell: _Cell
    place: Annotated[str | None, Asks(Text("On which corridor?"))] = None


Action: TypeAlias = (
    Move
    | Pick
    | Place
    | Drop
    | Adrenaline
    | Jade
    | Ruby
    | Gold
    | Curator
    | Keysmith
    | Sculptor
    | Architect
    | Pass
)


class Claims(ListedActions[Action], frozen=True, kw_only=True):
    """The actions of a turn; `ends` says that it is over."""

    ends: bool = True


#: `claims` are None where the actions are unknown.
TurnRecord: TypeAlias = TurnTold[Claims | None]


def turn_told(told: Mapping[str, Any], pieces: Pieces) -> TurnRecord:
    """A turn record from decoded JSON. Raises `WaymarkError`."""
    turn: TurnRecord = turn_of(told, Claims | None, GAME, lambda each, before: board_told(each, pieces))
    names = {player.name for player in turn.before.players}
    for action in turn.claims.actions if turn.claims is not None else ():
        _check_action(action, names, pieces)
    return turn


def _check_action(action: Action, names: set[str], pieces: Pieces) -> None:
    check_fields(action, pieces.catalogue, kinds_of(pieces), names)
    if isinstance(action, Keysmith):
        for place in action.stand.values():
            if place not in pieces.tiles[action.tile].nodes:
                raise _no_place(action.tile, place)


def kinds_of(pieces: Pieces) -> dict[str, tuple[str, ...]]:
    """The ids of pieces by the kinds that fields of actions name."""
    return {"event": tuple(pieces.events), "tile": tuple(pieces.tiles)}


def _no_place(tile: str, place: str) -> WaymarkError:
    return bad_turn(Text("{tile!r} has no place {place!r}", tile=tile, place=place))


def place_missing(cell: Cell) -> WaymarkError:
    """The error for a pass to a tile with several corridors that does not name one of them."""
    return bad_turn(Text("`place` has to say which corridor of the tile at {cell}", cell=list(cell)))
