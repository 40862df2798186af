"""The record of the pieces round the grid in a photo: their owners, the equipped chips, and the orientation
of victory cards. Positions are in mm in the grid's plane, from its top-left corner."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import structs

from scorer.board_record import Board, BoardPlayer, Tile
from scorer.catalogue import Side
from scorer.port.photo import Sight
from scorer.stone_dragon.rules.pieces import WORN, Pieces
from scorer.stone_dragon.rules.validation import LaidSide, seat_of

#: How a card lies that is upright for who sits at a side.
UPRIGHT: Mapping[Side, float] = {"bottom": 0.0, "left": 90.0, "top": 180.0, "right": 270.0}
#: What a photo of a player's things tells, chips for life and coins among `holds`.
_SEEN = frozenset({"life", "coins", "equipped", "victory"})
#: Largest gap (mm), edge to edge, between pieces of one cluster.
TOGETHER_MM = 9.0
#: Largest gap (mm) between the pieces of one player.
ZONE_MM = 14.0


def laid_out(
    board: Board, sights: Sequence[Sight], seats: Sequence[Side], pieces: Pieces, told: Board | None
) -> Board:
    """The record of the pieces seen in a photo. `seats` are the sides whose whole area is in view. `told`
    gives the players with their pawns and characters: a player's seat is the one at the character card."""
    tiles = tuple(_face_down(tile, pieces) for tile in board.tiles or ())
    groups = _groups(sights, pieces)
    players = tuple(_player(player, groups, seats, pieces) for player in board.players)
    more = dict(board.more)
    dragon = dict(more.get("dragon") or {})
    standing = {piece.piece for piece in board.pieces or () if piece.piece in pieces.pawns}
    left = standing - {player.piece for player in players}
    if "piece" not in dragon and told is not None and len(left) == 1:
        dragon["piece"] = next(iter(left))
    lives = [pieces.lives[each.piece] for each in groups.dragon if each.piece in pieces.lives]
    if groups.dragon and lives:
        dragon["life"] = sum(lives)
    if dragon:
        more["dragon"] = dragon
    return structs.replace(board, tiles=tiles, players=players, more=more)


def put_down(before: Board, seen: Board) -> Board:
    """The table after a photo; facts that the photo does not show stay as before."""
    now = {player.name: player for player in seen.players}
    players = tuple(_as_seen(each, now.get(each.name)) for each in before.players)
    dragon = dict(before.more.get("dragon") or {}) | dict(seen.more.get("dragon") or {})
    return structs.replace(
        before,
        tiles=seen.tiles,
        pieces=seen.pieces,
        players=players,
        more=dict(before.more) | ({"dragon": dragon} if dragon else {}),
    )


def _as_seen(player: BoardPlayer, now: BoardPlayer | None) -> BoardPlayer:
    """A player with the photographed pieces. A hidden hand of unchanged size stays as before."""
    if now is None or now.holds is None:
        return player
    told = {name: value for name, value in player.more.items() if name not in _SEEN}
    shown = {name: now.more[name] for name in _SEEN if name in now.more}
    same = player.hand is not None and len(player.hand) == now.hand_size
    return structs.replace(
        player,
        seat=now.seat or player.seat,
        holds=now.holds,
        hand=player.hand if same else None,
        hand_size=None if same else now.hand_size,
        more=told | shown,
    )


def _face_down(tile: Tile, pieces: Pieces) -> Tile:
    """A face-down tile. Only the back of an entrance identifies its panel."""
    if tile.tile not in pieces.backs:
        return tile
    name = tile.tile if tile.tile in pieces.marked_backs else None
    return Tile(tile=name, column=tile.column, row=tile.row, face="down")


class _Groups:
    """The pieces in front of each side of the grid, and those that belong to the dragon's card."""

    def __init__(self, before: Mapping[Side, list[Sight]], dragon: list[Sight]) -> None:
        self.before, self.dragon = before, dragon


def _groups(sights: Sequence[Sight], pieces: Pieces) -> _Groups:
    catalogue = pieces.catalogue
    cards = {card.id for card in catalogue.cards if card.role == "dragon-card"}
    chips = [each for each in sights if each.piece in pieces.lives]
    own = [each for each in sights if each.piece in cards]
    others = [each for each in sights if each not in chips and each not in own]
    theirs: list[Sight] = []
    for row in _together(chips, pieces, TOGETHER_MM):
        if own and _gap(row, own, pieces) < _gap(row, others, pieces):
            theirs += row
    rest = [each for each in sights if each not in own and each not in theirs]
    before: dict[Side, list[Sight]] = {}
    for group in _together(rest, pieces, ZONE_MM):
        # a pile lies alone, and belongs to nobody
        backs = {card.id for card in catalogue.cards if card.role in ("dungeon-back", "victory-back")}
        if len(group) == 1 and group[0].piece in backs:
            continue
        for each in group:
            before.setdefault(each.seat, []).append(each)
    return _Groups(before, [*own, *theirs])


def _together(things: Sequence[Sight], pieces: Pieces, apart_mm: float) -> list[list[Sight]]:
    """Clusters of pieces in which each is closer than `apart_mm` to another (single linkage)."""
    left, found = list(things), []
    while left:
        group = [left.pop()]
        for each in group:
            near = [other for other in left if _gap([each], [other], pieces) < apart_mm]
            left = [other for other in left if other not in near]
            group += near
        found.append(group)
    return found


def _gap(ones: Sequence[Sight], others: Sequence[Sight], pieces: Pieces) -> float:
    """The smallest edge-to-edge distance (mm) between two clusters."""
    return min((_edge_to_edge(one, other, pieces) for one in ones for other in others), default=float("inf"))


def _edge_to_edge(one: Sight, other: Sight, pieces: Pieces) -> float:
    """About how far two things are apart: each is a row of circles as wide as its shorter side."""
    (mine, radius), (theirs, reach) = _circles(one, pieces), _circles(other, pieces)
    return min(math.dist(a, b) for a in mine for b in theirs) - radius - reach


def _circles(each: Sight, pieces: Pieces) -> tuple[list[tuple[float, float]], float]:
    width, height = pieces.catalogue.size_of(each.piece)
    if each.turn_deg is None:
        return [each.at_mm], width / 2
    turn, off = math.radians(each.turn_deg), (height - width) / 2
    down = -math.sin(turn), math.cos(turn)
    return [
        (each.at_mm[0] + k * off * down[0], each.at_mm[1] + k * off * down[1]) for k in (-1, 0, 1)
    ], width / 2


def _player(player: BoardPlayer, groups: _Groups, seats: Sequence[Side], pieces: Pieces) -> BoardPlayer:
    """A player with the pieces at the seat of the character card; without them where that area is not wholly
    in view."""
    character = seat_of(player).character
    more = {name: value for name, value in player.more.items() if name not in _SEEN}
    bare = structs.replace(player, seat=None, holds=None, hand=None, hand_size=None, more=more)
    side = next(
        (
            side
            for side, things in groups.before.items()
            if character is not None and any(each.piece == character for each in things)
        ),
        None,
    )
    if side is None:
        return bare
    if side not in seats:
        return structs.replace(bare, seat=side)
    things = groups.before[side]
    card = next(each for each in things if each.piece == character)
    worn = [each for each in things if _is_worn(each, card, pieces)]
    holds = Counter(
        each.piece
        for each in things
        if each not in worn
        and (
            pieces.is_dungeon_card(each.piece) or each.piece in {*pieces.chips, *pieces.lives, *pieces.coins}
        )
    )
    backs = {each.id for each in pieces.catalogue.cards if each.role == "victory-back"}
    more = more | {
        "equipped": [each.piece for each in worn],
        "victory": [
            {"card": each.piece, "side": _lies(each, side)}
            for each in things
            if each.piece in pieces.victories
        ],
    }
    hidden = sum(each.piece in backs for each in things)
    return structs.replace(bare, seat=side, holds=dict(sorted(holds.items())), hand_size=hidden, more=more)


def _is_worn(chip: Sight, card: Sight, pieces: Pieces) -> bool:
    """Whether a sword or shield lies on a character card."""
    if chip.piece not in pieces.chips or pieces.chips[chip.piece].kind not in WORN:
        return False
    turn = math.radians(card.turn_deg or 0.0)
    x, y = chip.at_mm[0] - card.at_mm[0], chip.at_mm[1] - card.at_mm[1]
    right, down = x * math.cos(turn) + y * math.sin(turn), -x * math.sin(turn) + y * math.cos(turn)
    width, height = pieces.catalogue.size_of(card.piece)
    return abs(right) < width / 2 and abs(down) < height / 2


def _lies(card: Sight, side: Side) -> LaidSide:
    """The use of a victory card (points, bonus or spent), from its orientation towards the player at a
    side."""
    quarter = round(((card.turn_deg or 0.0) - UPRIGHT[side]) / 90) % 4
    return "points" if quarter == 0 else "bonus" if quarter == 2 else "spent"
