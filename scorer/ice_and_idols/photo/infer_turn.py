"""Inference of a turn from two boards: the actions that lead from the first to the second."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from copy import copy
from dataclasses import replace
from typing import Any, Literal

import msgspec

from scorer.board_record import Board
from scorer.errors import WaymarkError
from scorer.ice_and_idols.rules.actions import Unknown
from scorer.ice_and_idols.rules.board_ruling import ap_of
from scorer.ice_and_idols.rules.house import House
from scorer.ice_and_idols.rules.pieces import IDOLS, MINUS, Event, Pieces
from scorer.ice_and_idols.rules.position import Position, Traveller, borders_of, has_track, position_of
from scorer.ice_and_idols.rules.problems import problems_of, temple_stands
from scorer.ice_and_idols.rules.temple_frame import CELLS, NEIGHBOURS, apart, cell_of
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
    TurnRecord,
)
from scorer.ice_and_idols.rules.turn_ruling import UnderWay
from scorer.ice_and_idols.rules.validation import RESEARCH, seat_of, top_of
from scorer.infer_turns import HELD_NATS, MOST_NATS, Playing, SeenTurn, Step, Trust, likeliest
from scorer.square_grid import SIDES

#: What speaks against the corridor on which a figure was seen; what an idol in hand that is to be placed is
#: nearer, and each step of a figure farther (nats).
CORRIDOR, TO_BE_PLACED, A_STEP_AWAY = 2.5, 2.0, 0.4


def seen_turn(
    before: Board, after: Board, player: str, pieces: Pieces, house: House, trust: Trust
) -> SeenTurn | None:
    """The likeliest turn of a player between two boards with the sun at the top. None where the first board
    cannot be played on, or one board is oriented differently."""
    if any(borders_of(top_of(board)) is None for board in (before, after)):
        return None
    if any((borders_of(top_of(board)) or ("",))[0] != "sun" for board in (before, after)):
        return None
    if not temple_stands(problems_of(before, pieces, house)):
        return None
    position = position_of(before, pieces, house)
    if position.players[player].figure not in position.stands:
        return None
    record = TurnRecord(player=player, before=before, claims=None)
    start = UnderWay(record, position, ap_of(position.players[player]))
    found = likeliest(start, _Seen(player, after, pieces, house, trust).playing())
    # idols that are picked and placed lie before a player and on the track
    held = [each.holds for board in (before, after) for each in board.players if each.name == player]
    whole = len(held) == 2 and None not in held and has_track(before) and has_track(after)
    return found if whole else replace(found, open=True)


class _Seen:
    """The observed board after the turn, for comparison with candidate states."""

    def __init__(self, player: str, after: Board, pieces: Pieces, house: House, trust: Trust) -> None:
        self.player, self.pieces, self.trust = player, pieces, trust
        self.position = position_of(after, pieces, house)
        ground = top_of(after).ground
        self.rotation = None if ground is None else ground.rotation
        unread = {tile.cell for tile in after.tiles or () if tile.tile is None or tile.rotation is None}
        self.cells = [] if after.tiles is None else [n for n in range(CELLS) if cell_of(n) not in unread]
        self.placed = {piece.piece for piece in after.pieces or () if piece.on is None and piece.place}
        known = has_track(after) and all(
            piece.piece is not None for piece in after.pieces or () if piece.on == RESEARCH
        )
        self.track = self.position.cubes if known else None
        self.held = {each.name for each in after.players if each.holds is not None}
        self.powers = {each.name for each in after.players if "powers" in each.more}
        self.told_powers = {each.name: set(seat_of(each).powers) for each in after.players}
        self.minus = {each.name for each in after.players if (each.holds or {}).get(MINUS)}
        self.events = _different(pieces)

    def playing(self) -> Playing[UnderWay]:
        return Playing(self.on, self.unlike, self.far, _key, _left)

    def lying(self, position: Position, cell: int) -> Any:
        laid = position.tiles[cell]
        return None if laid is None else (laid[0], frozenset(self.pieces.lying[laid]))

    # --- how unlike a position is

    def unlike(self, state: UnderWay) -> float:
        return sum(self._unlike(state))

    def _unlike(self, state: UnderWay) -> Iterator[float]:
        now = state.position
        yield from self._temple_unlike(now)
        yield from self._research_unlike(now)
        for name, player in now.players.items():
            yield from self._player_unlike(state, name, player)

    def _temple_unlike(self, now: Position) -> Iterator[float]:
        """Costs in nats of tiles, the temple's rotation and figures that differ from the board after."""
        seen = self.position
        for cell in self.cells:
            if now.tiles[cell] != seen.tiles[cell] and self.lying(now, cell) != self.lying(seen, cell):
                yield self.trust.tile(cell_of(cell))
        if self.rotation not in (None, 90 * now.quarters):
            yield MOST_NATS
        for figure, stand in now.stands.items():
            there = seen.stands.get(figure)
            if there is None:
                yield CORRIDOR
            elif there.cell != stand.cell:
                yield self.trust.piece(figure)
            elif figure in self.placed and now.sides(stand) != seen.sides(there):
                yield min(CORRIDOR, self.trust.piece(figure))

    def _research_unlike(self, now: Position) -> Iterator[float]:
        """Costs in nats of cubes and tokens on the research track that differ."""
        if self.track is not None and now.cubes is not None:
            for space in now.cubes.keys() | self.track.keys():
                if now.cubes.get(space) != self.track.get(space):
                    yield self.trust.space(space)
            tokens = self.position.tokens or {}
            for column, token in (now.tokens or {}).items():
                if tokens.get(column) != token:
                    yield HELD_NATS

    def _player_unlike(self, state: UnderWay, name: str, player: Traveller) -> Iterator[float]:
        """Costs in nats of idols, adrenaline and powers of a player that differ."""
        own = self.position.players.get(name)
        if own is None:
            return
        if name in self.held:
            yield HELD_NATS * sum(((own.idols - player.idols) + (player.idols - own.idols)).values())
            minus = player.minus
            if name == self.player and not (state.adrenaline or state.passed):
                minus = False  # it goes back when the turn is over
            if minus != (name in self.minus):
                yield HELD_NATS
        if name in self.powers:
            yield HELD_NATS * len(player.powers ^ self.told_powers[name])

    def far(self, state: UnderWay) -> float:
        now, who = state.position, state.position.players[self.player]
        there, stand = self.position.stands.get(who.figure), now.stands[who.figure]
        worth = 0.0 if there is None else A_STEP_AWAY * apart(stand.cell, there.cell)
        for kind in IDOLS:
            if who.idols[self.pieces.idol(kind)] and self._is_placed(state, kind):
                worth -= TO_BE_PLACED
        return worth

    def _is_placed(self, state: UnderWay, kind: str) -> bool:
        """Whether the observed board shows a placed idol of a kind that the state does not have placed
        yet."""
        who, track = state.position.players[self.player], self.pieces.track(kind)
        if kind in self.told_powers.get(self.player, ()) and kind not in who.powers:
            return True
        if track is None or self.track is None:
            return False
        now = state.position.cubes or {}
        return any(column == track.column and (column, row) not in now for column, row in self.track)

    # --- what can be done

    def on(self, state: UnderWay) -> Iterator[tuple[Step, UnderWay]]:
        for action in self._actions(state):
            try:
                if state.broken(action):
                    continue
                after = copy(state)
                after.steps = list(state.steps)
                after.take(action)
            except (Unknown, WaymarkError):
                continue
            yield _told(action), after

    def _actions(self, state: UnderWay) -> Iterator[Action]:
        now, who = state.position, state.position.players[self.player]
        first = not state.steps
        if first and (self.player not in self.held or self.player in self.minus):
            yield Adrenaline()
        for side in SIDES:
            yield Move(to=side)
        yield from self._idol_actions(now, who)
        if self.rotation not in (None, 90 * now.quarters):
            yield Jade(turn="clockwise")
            yield Jade(turn="counterclockwise")
        yield from self._powers(now)
        yield from self._character_actions(now, who)
        if first:  # who may walk somewhere sooner walks
            yield from self._passes(who.figure)

    def _idol_actions(self, now: Position, who: Traveller) -> Iterator[Action]:
        """Possible actions on idols at the figure's cell: pick up, drop and place."""
        spot = now.spot(now.stands[who.figure].cell)
        for idol in () if spot is None else spot.idols:
            yield Pick(idol=idol)
        for idol in IDOLS:
            if who.idols[self.pieces.idol(idol)]:
                yield Drop(idol=idol)
                if spot is not None and idol in spot.altars:
                    yield from self._placings(idol)

    def _character_actions(self, now: Position, who: Traveller) -> Iterator[Action]:
        """The action of the figure's character, to each side."""
        character = self.pieces.characters.get(who.figure)
        cell = now.stands[who.figure].cell
        for side in SIDES:
            if character == "curator":
                yield Curator(to=side)
            elif character == "sculptor":
                yield Sculptor(to=side)
            elif character == "keysmith":
                yield from self._laid(now, cell, side)
            elif character == "architect":
                yield from self._exchanged(now, cell, side)

    def _placings(self, idol: Any) -> Iterator[Action]:
        yield Place(idol=idol, for_="study")
        shifts: tuple[Literal["left", "right"], ...] = ("left", "right")
        for shift in shifts:
            yield Place(idol=idol, for_="study", shift=shift)
        for event in self.events:
            yield Place(idol=idol, for_="study", event=event)
            yield Place(idol=idol, for_="power", event=event)

    def _differs(self, now: Position, cell: int) -> bool:
        return bool(self.lying(now, cell) != self.lying(self.position, cell))

    def _powers(self, now: Position) -> Iterator[Action]:
        for cell in self.cells:
            if now.tiles[cell] is None or not self._differs(now, cell):
                continue
            yield Ruby(cell=cell_of(cell), turn="clockwise")
            yield Ruby(cell=cell_of(cell), turn="counterclockwise")
            for number, side in enumerate(SIDES):
                if now.tiles[NEIGHBOURS[cell][number]] is None:
                    yield Gold(cell=cell_of(cell), to=side)

    def _laid(self, now: Position, cell: int, side: Any) -> Iterator[Action]:
        there = NEIGHBOURS[cell][SIDES.index(side)]
        laid = self.position.tiles[there]
        if laid is not None and self._differs(now, there):
            yield Keysmith(to=side, tile=laid[0], rotation=laid[1])  # type: ignore[arg-type]

    def _exchanged(self, now: Position, cell: int, side: Any) -> Iterator[Action]:
        """Candidate actions of the architect on the figure's tile and its neighbour: each tile keeps its
        rotation, or takes the one observed."""
        there = NEIGHBOURS[cell][SIDES.index(side)]
        seen = self.position.tiles
        own = seen[there][1] if seen[there] is not None else None  # type: ignore[index]
        below = seen[cell]
        other = None if below is None or now.tiles[there] is None else below[1]
        for rotation in dict.fromkeys((None, own)):
            for other_rotation in dict.fromkeys((None, other)):
                yield Architect(to=side, rotation=rotation, other_rotation=other_rotation)  # type: ignore[arg-type]

    def _passes(self, figure: str) -> Iterator[Action]:
        there = self.position.stands.get(figure)
        if there is None:
            return
        laid = self.position.tiles[there.cell]
        for place in () if laid is None else self.pieces.tiles[laid[0]].named:
            yield Pass(cell=cell_of(there.cell), place=place)


def _different(pieces: Pieces) -> list[str]:
    """One event card for each distinct effect."""
    found: dict[Event, str] = {}
    for name, event in pieces.events.items():
        found.setdefault(msgspec.structs.replace(event, players=None), name)
    return list(found.values())


def _told(action: Action) -> Step:
    plain: dict[str, Any] = msgspec.to_builtins(action)
    return {name: value for name, value in plain.items() if value not in (None, {})}


def _key(state: UnderWay) -> Hashable:
    return _left(state), state.left, state.passed, state.adrenaline, bool(state.steps)


def _left(state: UnderWay) -> Hashable:
    now = state.position
    return (
        tuple(now.tiles),
        tuple(sorted((figure, stand.cell, stand.corridor) for figure, stand in now.stands.items())),
        now.quarters,
        tuple(
            (name, tuple(sorted(+player.idols)), tuple(sorted(player.powers)), player.minus)
            for name, player in now.players.items()
        ),
        frozenset((now.cubes or {}).items()),
        frozenset((now.tokens or {}).items()),
    )
