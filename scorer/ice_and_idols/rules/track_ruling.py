"""The state of the research track: filled spaces, the value of each token, key patterns, and the end of the
game."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from scorer.ice_and_idols.rules.pieces import CUBES, Gift, Key, Research
from scorer.ice_and_idols.rules.position import Position, Traveller
from scorer.square_grid import Cell

#: The number of full tracks that ends the game.
FULL_TRACKS = 4


class NextSpace(msgspec.Struct, frozen=True, kw_only=True):
    row: int
    gives: Gift | None


class TrackTold(msgspec.Struct, frozen=True, kw_only=True):
    """`token` and `value` are None where its column has none; `next` where it is full."""

    idol: str
    filled: int
    spaces: int
    full: bool
    token: str | None
    value: int | None
    locked: bool
    next: NextSpace | None


class KeyTold(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a player's key card is met; `at` are the cells of three cubes that form the pattern."""

    card: str
    met: bool
    at: list[Cell] | None


class EndTold(msgspec.Struct, frozen=True, kw_only=True):
    """The end of the game. `tenth`: the player with all cubes placed; `triggered`: the game ends after this
    round."""

    full_tracks: int
    tenth: list[str]
    triggered: bool


def tracks_of(position: Position, research: Research) -> list[TrackTold]:
    """The state of all tracks, from left to right."""
    told = []
    for track in sorted(research.tracks, key=lambda each: each.column):
        token, locked = (position.tokens or {}).get(track.column, (None, False))
        empty = [s for s in track.spaces if (track.column, s.row) not in (position.cubes or {})]
        told.append(
            TrackTold(
                idol=track.idol,
                filled=len(track.spaces) - len(empty),
                spaces=len(track.spaces),
                full=not empty,
                token=token,
                value=None if token is None else position.pieces.tokens[token],
                locked=locked,
                next=NextSpace(row=empty[0].row, gives=empty[0].gives) if empty else None,
            )
        )
    return told


def end_of(position: Position, tracks: Sequence[TrackTold]) -> EndTold:
    full = sum(track.full for track in tracks)
    tenth = [name for name, player in position.players.items() if position.placed(player) >= CUBES]
    return EndTold(full_tracks=full, tenth=tenth, triggered=full >= FULL_TRACKS or bool(tenth))


def key_of(position: Position, player: Traveller) -> KeyTold | None:
    """Whether a player's key pattern is met; None where the player has no key card or it is unknown."""
    if not player.key:
        return None
    at = pattern_at(position, player, position.pieces.keys[player.key])
    return KeyTold(card=player.key, met=at is not None, at=at)


def pattern_at(position: Position, player: Traveller, key: Key) -> list[Cell] | None:
    """The cells of a player's cubes that form a pattern, in any rotation but not mirrored, without
    wraparound."""
    colour = position.pieces.colours.get(player.figure)
    mine = sorted(cell for cell, each in (position.cubes or {}).items() if each == colour)
    there = set(mine)
    pattern = list(key.pattern)
    for _ in range(4):
        first = pattern[0]
        for column, row in mine:
            cells = [(column + x - first[0], row + y - first[1]) for x, y in pattern]
            if all(cell in there for cell in cells):
                return sorted(cells)
        pattern = [(-y, x) for x, y in pattern]
    return None
