"""Costs, rule violations and effects of each action. All violations of an action are found, so that one is
cited and the others are listed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorer.ice_and_idols.rules.pieces import CUBES, Event, Gift, Space, Track
from scorer.ice_and_idols.rules.position import Position, Stand, Traveller
from scorer.ice_and_idols.rules.temple_frame import NEIGHBOURS, QUARTER, across, beside, number_of
from scorer.ice_and_idols.rules.turn_record import (
    Action,
    Adrenaline,
    Architect,
    Curator,
    Drop,
    Gold,
    Jade,
    Keysmith,
    Move,
    Pass,
    Pick,
    Place,
    Ruby,
    Sculptor,
    place_missing,
)
from scorer.record import Rotation
from scorer.square_grid import SIDES

COSTS: dict[type, int] = {
    Move: 1,
    Pick: 1,
    Place: 1,
    Drop: 0,
    Adrenaline: 0,
    Jade: 2,
    Ruby: 1,
    Gold: 2,
    Curator: 4,
    Keysmith: 3,
    Sculptor: 3,
    Architect: 3,
    Pass: 0,
}
_POWERS: dict[type, str] = {Jade: "jade", Ruby: "ruby", Gold: "gold"}
_CHARACTERS: dict[type, str] = {
    Curator: "curator",
    Keysmith: "keysmith",
    Sculptor: "sculptor",
    Architect: "architect",
}


class Unknown(Exception):
    """The legality of an action depends on an unknown fact: `ground`, `research` or `spare`. `found` are the
    rules that the action breaks in any case."""

    def __init__(self, what: str, found: tuple[str, ...] = ()) -> None:
        super().__init__(what)
        self.what = what
        self.found = found


def faults(position: Position, who: Traveller, action: Action) -> list[str]:
    """The codes of the rules that an action breaks, in no order. The AP left and the other actions of the
    turn are not considered here. Raises `Unknown`, and `WaymarkError` for a pass that does not name its
    corridor."""
    found = list(_ability_faults(position, who, action))
    try:
        for fault in _own_faults(position, who, action):
            found.append(fault)
    except Unknown as unknown:
        raise Unknown(unknown.what, tuple(found)) from None
    if not found and isinstance(action, Place):
        found = list(_gift_faults(position, action))
    return found


def _ability_faults(position: Position, who: Traveller, action: Action) -> Iterator[str]:
    power, character = _POWERS.get(type(action)), _CHARACTERS.get(type(action))
    if power is not None and power not in who.powers:
        yield "no-power"
    if character is not None and position.pieces.characters.get(who.figure) != character:
        yield "wrong-character"


def _own_faults(position: Position, who: Traveller, action: Action) -> Iterator[str]:
    match action:
        case Move():
            yield from _step_faults(position, who, SIDES.index(action.to), 1)
        case Curator():
            yield from _step_faults(position, who, SIDES.index(action.to), 2)
        case Pick():
            yield from _pick_faults(position, who, action)
        case Place():
            yield from _place_faults(position, who, action)
        case Drop():
            if not who.idols[position.pieces.idol(action.idol)]:
                yield "not-held"
        case Adrenaline():
            if who.minus:
                yield "adrenaline-spent"
        case Ruby():
            yield from _tile_faults(position, who, number_of(action.cell))
        case Gold():
            cell = number_of(action.cell)
            yield from _tile_faults(position, who, cell)
            if position.tiles[NEIGHBOURS[cell][SIDES.index(action.to)]] is not None:
                yield "not-empty"
        case Keysmith():
            if position.discard is None:
                raise Unknown("spare")
            if action.tile not in (*position.discard, *who.kept):
                yield "no-spare"
        case Architect():
            yield from _architect_faults(position, who, action)
        case Pass():
            yield from _pass_faults(position, who, action)


def _step_faults(position: Position, who: Traveller, side: int, steps: int) -> Iterator[str]:
    stand = position.stands[who.figure]
    there = beside(stand.cell, side, steps)
    if not position.sides(stand) >> side & 1:
        yield "wall"
    if position.tiles[there] is None:
        yield "gap"
    elif position.opening(there, across(side)) is None:
        yield "blocked"


def _pick_faults(position: Position, who: Traveller, action: Pick) -> Iterator[str]:
    spot = position.spot(position.stands[who.figure].cell)
    if spot is None:
        raise Unknown("ground")
    if action.idol not in spot.idols:
        yield "no-idol"
    if who.idols[position.pieces.idol(action.idol)]:
        yield "same-idol"
    if sum(who.idols.values()) >= who.hands:
        yield "hands-full"


def _place_faults(position: Position, who: Traveller, action: Place) -> Iterator[str]:
    spot = position.spot(position.stands[who.figure].cell)
    if not who.idols[position.pieces.idol(action.idol)]:
        yield "not-held"
    if spot is None:
        raise Unknown("ground")
    if action.idol not in spot.altars:
        yield "no-altar"
    if action.for_ == "power":
        if position.house.quick:
            yield "quick-study"
        if action.idol in who.powers:
            yield "power-owned"
        return
    track = _track(position, action)
    if position.is_full(track):
        yield "track-full"
    if position.placed(who) >= CUBES:
        yield "no-marker"


def _track(position: Position, action: Place) -> Track:
    track = position.pieces.track(action.idol)
    if track is None or position.cubes is None:
        raise Unknown("research")
    return track


def _next_space(position: Position, track: Track) -> Space | None:
    """The lowest empty space of a track; None where the track is full."""
    return next(
        (space for space in track.spaces if (track.column, space.row) not in (position.cubes or {})), None
    )


def _gift(position: Position, action: Place) -> Gift | None:
    """The bonus for placing an idol: an event for a power, else the bonus of the next space of the track."""
    if action.for_ == "power":
        return "event"
    space = _next_space(position, _track(position, action))
    return None if space is None else space.gives


def _gift_faults(position: Position, action: Place) -> Iterator[str]:
    gift = _gift(position, action)
    if gift == "event" and action.event is None:
        yield "event-missing"
    if gift != "event" and action.event is not None:
        yield "event-unearned"
    if gift != "shift" and action.shift is not None:
        yield "shift-unearned"


def _tile_faults(position: Position, who: Traveller, cell: int) -> Iterator[str]:
    """The rules that forbid turning or sliding a tile by a power."""
    if position.tiles[cell] is None:
        yield "gap"
    elif position.others_on(cell, who.figure):
        yield "occupied"


def _architect_faults(position: Position, who: Traveller, action: Architect) -> Iterator[str]:
    cell = position.stands[who.figure].cell
    own, other = position.tiles[cell], position.tiles[NEIGHBOURS[cell][SIDES.index(action.to)]]
    if other is None and action.other_rotation is not None:
        yield "gap"
    turned = own is not None and action.rotation is not None and action.rotation != own[1]
    if turned and other is not None and position.house.architect_turns == "other":
        yield "own-turned"


def _pass_faults(position: Position, who: Traveller, action: Pass) -> Iterator[str]:
    cell = number_of(action.cell)
    laid = position.tiles[cell]
    if cell == position.stands[who.figure].cell:
        yield "same-tile"
    if position.others_on(cell, who.figure):
        yield "occupied"
    if laid is None:
        yield "gap"
        return
    tile = position.pieces.tiles[laid[0]]
    if (action.place is None and len(tile.corridors) > 1) or (
        action.place is not None and action.place not in tile.nodes
    ):
        raise place_missing(action.cell)


# --- what is done -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Gained:
    """The AP gained by an action."""

    ap: int = 0


def play(position: Position, who: Traveller, action: Action) -> Gained:
    """Apply a legal action to the position, and return the AP gained."""
    match action:
        case Move():
            _step(position, who, SIDES.index(action.to), 1)
        case Curator():
            _step(position, who, SIDES.index(action.to), 2)
        case Pick():
            who.idols[position.pieces.idol(action.idol)] += 1
        case Drop():
            who.idols[position.pieces.idol(action.idol)] -= 1
        case Place():
            return _place(position, who, action)
        case Adrenaline():
            who.minus = True
            return Gained(1)
        case Jade():
            position.turn_temple(QUARTER[action.turn])
        case Ruby():
            turn_tile(position, number_of(action.cell), 90 * QUARTER[action.turn])
        case Gold():
            cell = number_of(action.cell)
            slide(position, cell, NEIGHBOURS[cell][SIDES.index(action.to)])
        case Keysmith():
            _lay(position, who, action)
        case Sculptor():
            position.shift_line(position.stands[who.figure].cell, SIDES.index(action.to))
        case Architect():
            _change_places(position, who, action)
        case Pass():
            cell = number_of(action.cell)
            laid = position.tiles[cell]
            assert laid is not None
            nodes = position.pieces.tiles[laid[0]].nodes
            position.stands[who.figure] = Stand(cell, nodes[action.place] if action.place else 0)
    return Gained()


def _step(position: Position, who: Traveller, side: int, steps: int) -> None:
    there = beside(position.stands[who.figure].cell, side, steps)
    position.stands[who.figure] = Stand(there, position.opening(there, across(side)) or 0)


def turn_tile(position: Position, cell: int, degrees: int) -> None:
    """Rotate a tile in place by a number of degrees, together with the figures on it."""
    laid = position.tiles[cell]
    assert laid is not None
    position.tiles[cell] = laid[0], (laid[1] + degrees) % 360


def slide(position: Position, cell: int, to: int) -> None:
    """Slide a tile into an empty space, together with the figures on it."""
    position.tiles[to], position.tiles[cell] = position.tiles[cell], None
    position.carry(cell, to)


def _lay(position: Position, who: Traveller, action: Keysmith) -> None:
    """Lay a tile from beside the temple. Figures in that cell stay, on the corridor named for them, else on
    the one open to the sun's side or the next clockwise."""
    cell = NEIGHBOURS[position.stands[who.figure].cell][SIDES.index(action.to)]
    assert position.discard is not None
    if action.tile in position.discard:
        position.discard.remove(action.tile)
    else:
        who.kept.remove(action.tile)
    laid = position.tiles[cell]
    if laid is not None:
        position.discard.append(laid[0])
    position.tiles[cell] = action.tile, action.rotation
    sun = position.border_side("sun")
    usual = next(
        corridor
        for corridor in (position.opening(cell, (sun + turn) % 4) for turn in range(4))
        if corridor is not None
    )
    nodes = position.pieces.tiles[action.tile].nodes
    named = {
        position.players[name].figure: nodes[place] for name, place in action.stand.items() if place in nodes
    }
    for figure in position.figures_on(cell):
        position.stands[figure] = Stand(cell, named.get(figure, usual))


def _change_places(position: Position, who: Traveller, action: Architect) -> None:
    cell = position.stands[who.figure].cell
    other = NEIGHBOURS[cell][SIDES.index(action.to)]
    tiles = position.tiles
    tiles[cell], tiles[other] = tiles[other], tiles[cell]
    moved = {cell: other, other: cell}
    position.stands = {
        figure: replace(stand, cell=moved.get(stand.cell, stand.cell))
        for figure, stand in position.stands.items()
    }
    _set_rotation(position, other, action.rotation)
    _set_rotation(position, cell, action.other_rotation)


def _set_rotation(position: Position, cell: int, rotation: Rotation | None) -> None:
    laid = position.tiles[cell]
    if laid is not None and rotation is not None:
        position.tiles[cell] = laid[0], rotation


def _place(position: Position, who: Traveller, action: Place) -> Gained:
    """Study an idol or take its power. The effect of the space or the power follows at once."""
    gained = 0
    who.idols[position.pieces.idol(action.idol)] -= 1
    if action.for_ == "power":
        who.powers.add(action.idol)
        gained = 1 if action.idol == "sapphire" else 0
    else:
        track = _track(position, action)
        space = _next_space(position, track)
        assert space is not None and position.cubes is not None
        position.cubes[track.column, space.row] = position.pieces.colours[who.figure]
        if action.shift is not None:
            position.shift_tokens(-1 if action.shift == "left" else 1)
        _lock(position, track)
    if action.event is not None:
        happen(position, who, position.pieces.events[action.event])
    return Gained(gained)


def _lock(position: Position, track: Track) -> None:
    """Move the token of a full track to the top, and lock it there."""
    if position.tokens is not None and track.column in position.tokens and position.is_full(track):
        position.tokens[track.column] = position.tokens[track.column][0], True


def happen(position: Position, who: Traveller, event: Event) -> None:
    """Apply the effect of an event card, at the figure of the active player."""
    if event.event == "rotate" and event.turn is not None:
        position.turn_temple(QUARTER[event.turn])
    elif event.event == "shift" and event.to is not None:
        position.shift_line(position.stands[who.figure].cell, position.border_side(event.to))
    elif event.event == "collapse":
        for side in event.x:
            cell = position.falling(who, SIDES.index(side))
            laid = None if cell is None else position.tiles[cell]
            if cell is not None and laid is not None:
                position.tiles[cell] = None
                if position.discard is not None:
                    position.discard.append(laid[0])
