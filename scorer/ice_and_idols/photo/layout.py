"""The record of a table of Ice and Idols from a photo: the map under the temple, the research track and each
player's possessions, with doubts about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgspec import structs

from scorer.board_record import Board, BoardPlayer, Piece
from scorer.catalogue import Side
from scorer.errors import Code, WaymarkError
from scorer.ice_and_idols.photo.layers import ADRENALINE, ALTAR, HAND, PLAYER_BOARD
from scorer.ice_and_idols.rules.pieces import BORDERS, FIRST, Pieces
from scorer.ice_and_idols.rules.validation import RESEARCH
from scorer.layered import Foot, LayerAnswer, LayerDoubt, LayersSeen, LayersTold, OnPlace
from scorer.square_grid import SIDES, STEPS
from scorer.text import Text, unchanged

#: Confidence from which no question is asked.
SURE_CUBE, SURE_TOKEN, SURE_HELD, SURE_KEY = 0.75, 0.75, 0.6, 0.5
#: A foot is on a corridor where it is nearer to its middle than to the other's by this (cells).
ON_CORRIDOR = 0.12


def laid_out(board: Board, seen: LayersSeen, pieces: Pieces, told: Board | None) -> LayersTold:
    """The record of the pieces seen in a photo, and the doubts about it. `told` gives the players."""
    figures, doubtful_feet = _on_corridors(board, seen.feet, pieces)
    on_track = [each for each in seen.places if each.board in _ids(pieces, RESEARCH)]
    found = any(name in seen.boards for name in _ids(pieces, RESEARCH))
    track = [_on_track(each, each.piece) for each in on_track if each.piece is not None]
    more = {name: value for name, value in board.more.items() if name not in ("boards", "borders")}
    more["ground"] = {
        "rotation": seen.rotation,
        "tiles": [{"tile": seen.ground, "column": 0, "row": 0, "rotation": 0}],
    }
    if seen.rims is not None:
        more["borders"] = {side: _border(name, pieces) for side, name in seen.rims.items()}
    if found and pieces.research is not None:
        size = {"columns": pieces.research.columns, "rows": pieces.research.rows, "rotation": 0}
        more["boards"] = {RESEARCH: size}
    players = tuple(_player(each, seen, pieces) for each in _who(board, seen, pieces, told))
    made = structs.replace(board, pieces=(*figures, *track), players=players, spare=None, more=more)
    doubts: list[LayerDoubt] = []
    doubts += [_about_place(made, *each) for each in doubtful_feet]
    doubts += _about_track(made, on_track, pieces)
    doubts += _about_held(made, seen, pieces)
    return LayersTold(made, tuple(doubts))


def put_down(before: Board, seen: Board) -> Board:
    """The table after a photo; facts that the photo does not show stay as before. Raises `WaymarkError` where
    the photo does not show how the temple lies over the map."""
    ground = seen.more.get("ground") or {}
    if ground.get("rotation") is None:
        raise WaymarkError(
            Code.CONFLICT,
            Text(
                "The photo does not show how the temple lies over the map; take another with all four "
                "borders."
            ),
        )
    track = seen if "boards" in seen.more else before
    pieces = [each for each in seen.pieces or () if each.on is None]
    pieces += [each for each in track.pieces or () if each.on == RESEARCH]
    told = {name: seen.more[name] for name in ("ground", "borders", "boards") if name in seen.more}
    now = {player.name: player for player in seen.players}
    players = tuple(_as_seen(each, now.get(each.name)) for each in before.players)
    return structs.replace(
        before, tiles=seen.tiles, pieces=tuple(pieces), players=players, more=dict(before.more) | told
    )


def _as_seen(player: BoardPlayer, now: BoardPlayer | None) -> BoardPlayer:
    if now is None or now.holds is None:
        return player
    more = dict(player.more) | {"powers": now.more.get("powers", [])}
    return structs.replace(player, holds=now.holds, more=more, hand=now.hand or player.hand)


def _ids(pieces: Pieces, role: str) -> list[str]:
    return [card.id for card in pieces.catalogue.cards if card.role == role]


def _border(name: str, pieces: Pieces) -> str:
    own = {f"border-{each}": each for each in BORDERS}
    return own.get(name, name)


# --- figures ------------------------------------------------------------------------------------------------


def corridors_by_nearness(
    pieces: Pieces, tile: str, rotation: int, at: tuple[float, float]
) -> list[tuple[str, float]]:
    """A node of each corridor of a tile, with the distance (cells) of its centre line from a point in the
    cell, the nearest first."""
    design = pieces.tiles[tile]
    found = [
        (name, _off_line(sides, at))
        for name, sides in zip(design.named, pieces.lying[tile, rotation], strict=True)
    ]
    return sorted(found, key=lambda each: each[1])


def _off_line(sides: int, at: tuple[float, float]) -> float:
    """The distance of a point from the centre line of the corridor that opens to the given sides."""
    open_to = [STEPS[k] for k in range(4) if sides >> k & 1]
    x, y = at[0] - 0.5, at[1] - 0.5
    if len(open_to) == 2 and open_to[0][0] * open_to[1][0] + open_to[0][1] * open_to[1][1] == 0:
        right, down = (open_to[0][k] + open_to[1][k] for k in (0, 1))
        away = ((x - right / 2) ** 2 + (y - down / 2) ** 2) ** 0.5
        return float(abs(away - 0.5))
    # straight lines from the middle
    return min((abs(x * down - y * right) for right, down in open_to), default=1.0)


def _on_corridors(
    board: Board, feet: Sequence[Foot], pieces: Pieces
) -> tuple[list[Piece], list[tuple[Piece, Piece]]]:
    """The figures with their corridors, and pairs of alternatives for those that may be on the other
    corridor."""
    lying = {tile.cell: tile for tile in board.tiles or ()}
    at = {foot.piece: foot.at for foot in feet}
    told, doubtful = [], []
    for piece in board.pieces or ():
        tile = None if piece.cell is None else lying.get(piece.cell)
        if tile is None or tile.tile is None or piece.piece not in at:
            told.append(piece)
            continue
        near = corridors_by_nearness(pieces, tile.tile, tile.rotation or 0, at[piece.piece])
        if len(near) < 2:
            told.append(piece)
            continue
        own = structs.replace(piece, place=near[0][0])
        told.append(own)
        if near[1][1] - near[0][1] < ON_CORRIDOR:
            doubtful.append((own, structs.replace(piece, place=near[1][0])))
    return told, doubtful


def _about_place(board: Board, own: Piece, other: Piece) -> LayerDoubt:
    options = (LayerAnswer(_corridor(own), board), LayerAnswer(_corridor(other), _with(board, own, other)))
    pieces = () if own.piece is None else (own.piece,)
    return LayerDoubt("place", "place", own.cell, f"place:{own.piece}", options, pieces=pieces)


def _corridor(piece: Piece) -> Text:
    words = {
        "top": Text("on the corridor that opens at the art's top"),
        "right": Text("on the corridor that opens at the art's right"),
        "bottom": Text("on the corridor that opens at the art's bottom"),
        "left": Text("on the corridor that opens at the art's left"),
    }
    name = piece.place or ""
    return words.get(name, unchanged(name))


def _with(board: Board, own: Piece | None, other: Piece | None) -> Board:
    """The board with one piece replaced by another."""
    kept = [each for each in board.pieces or () if each != own]
    return structs.replace(board, pieces=(*kept, *(() if other is None else (other,))))


# --- the track ----------------------------------------------------------------------------------------------


def _cell(place: str) -> tuple[int, int]:
    column, row = place.split(",")
    return int(column), int(row)


def _on_track(where: OnPlace, piece: str) -> Piece:
    column, row = _cell(where.place)
    return Piece(piece=piece, column=column, row=row, on=RESEARCH)


def _about_track(board: Board, on_track: Sequence[OnPlace], pieces: Pieces) -> Iterator[LayerDoubt]:
    """Doubts about the research track: cubes of uncertain colour or presence, and tokens of uncertain
    identity."""
    for each in on_track:
        token = not {each.piece, *each.others}.isdisjoint(pieces.tokens)
        if each.confidence >= (SURE_TOKEN if token else SURE_CUBE) or (token and each.piece is None):
            continue
        own = None if each.piece is None else _on_track(each, each.piece)
        others = [None if name is None else _on_track(each, name) for name in each.others]
        options = tuple(
            _answer(
                None if piece is None else piece.piece, board if piece == own else _with(board, own, piece)
            )
            for piece in (own, *others)
        )
        about = "token" if token else "piece"
        yield LayerDoubt(
            about, about if token else "block", _cell(each.place), f"track:{each.place}", options, each
        )


def _answer(piece: str | None, board: Board) -> LayerAnswer:
    """The answer to a doubt that a given piece, or none, lies at the place."""
    words = Text("nothing") if piece is None else unchanged(piece)
    return LayerAnswer(words, board, piece)


# --- players ------------------------------------------------------------------------------------------------


def _who(board: Board, seen: LayersSeen, pieces: Pieces, told: Board | None) -> Sequence[BoardPlayer]:
    """The players as given; by default the owners of the figures in the temple, named by their colours."""
    if told is not None and told.players:
        return board.players
    standing = {piece.piece for piece in board.pieces or ()}
    return [
        BoardPlayer(name=colour, piece=figure)
        for figure, colour in pieces.colours.items()
        if figure in standing or _board_of(figure, pieces) in seen.boards
    ]


def _board_of(figure: str | None, pieces: Pieces) -> str | None:
    """The id of the player's board in the colour of a figure."""
    colour = pieces.colours.get(figure or "")
    cards = pieces.catalogue.cards
    return next((card.id for card in cards if card.role == PLAYER_BOARD and card.colour == colour), None)


def _player(player: BoardPlayer, seen: LayersSeen, pieces: Pieces) -> BoardPlayer:
    """A player with the pieces on and beside the own board; without them where that board was not found."""
    own = _board_of(player.piece, pieces)
    if own is None or own not in seen.boards:
        return structs.replace(player, holds=None)
    there = {each.place: each.piece for each in seen.places if each.board == own}
    held = [
        piece
        for place, piece in there.items()
        if piece is not None and place.partition(":")[0] in (HAND, ADRENALINE)
    ]
    lying = [each.piece for each in seen.lying if each.near == own]
    holds = Counter(held + [piece for piece in lying if piece == FIRST])
    powers = [
        place.partition(":")[2]
        for place, piece in there.items()
        if piece is not None and place.partition(":")[0] == ALTAR
    ]
    keys = [piece for piece in lying if piece in pieces.keys]
    more: Mapping[str, Any] = dict(player.more) | {"powers": powers}
    return structs.replace(
        player,
        holds=dict(sorted(holds.items())),
        more=more,
        hand=tuple(keys) if len(keys) == 1 else player.hand,
        seat=_seat(seen.boards[own], seen) or player.seat,
    )


def _seat(side: Side, seen: LayersSeen) -> Side | None:
    """The side of the printed map that lies at a side of the temple."""
    if seen.rotation is None:
        return None
    return SIDES[(SIDES.index(side) - seen.rotation // 90) % 4]


def _about_held(board: Board, seen: LayersSeen, pieces: Pieces) -> Iterator[LayerDoubt]:
    """Doubts about pieces on players' boards that may be misread, and about boards that were not found. Where
    one key card lies face up, all do."""
    face_up = any(each.piece in pieces.keys for each in seen.lying)
    for player in board.players:
        own = _board_of(player.piece, pieces)
        if own is None or own not in seen.boards:
            yield LayerDoubt("held", "unseen", None, f"unseen:{player.name}", player=player.name)
            continue
        for number, each in enumerate(seen.places):
            if each.board == own and each.confidence < SURE_HELD:
                yield _about_own_place(board, player, seen, number, pieces)
        keys = [each for each in seen.lying if each.near == own and each.piece in pieces.keys]
        if len(keys) > 1 or any(each.confidence < SURE_KEY for each in keys) or (face_up and not keys):
            yield _about_key(board, player, [each.piece for each in keys], pieces)
    told = [each for each in board.players if each.holds is not None]
    if told and len(told) == len(board.players) and not any((each.holds or {}).get(FIRST) for each in told):
        options = tuple(
            LayerAnswer(
                unchanged(each.name), _with_player(board, structs.replace(each, holds=_and_first(each)))
            )
            for each in told
        )
        yield LayerDoubt("held", "first", None, f"held:{FIRST}", options, pieces=(FIRST,))


def _and_first(player: BoardPlayer) -> dict[str, int]:
    return dict(sorted({**(player.holds or {}), FIRST: 1}.items()))


def _with_player(board: Board, player: BoardPlayer) -> Board:
    players = tuple(player if each.name == player.name else each for each in board.players)
    return structs.replace(board, players=players)


def _about_own_place(
    board: Board, player: BoardPlayer, seen: LayersSeen, number: int, pieces: Pieces
) -> LayerDoubt:
    """A doubt about the piece on one place of a player's board; each answer rebuilds the player's record."""
    place = seen.places[number]

    def then(piece: str | None) -> Board:
        other = replace(place, piece=piece)
        there = (*seen.places[:number], other, *seen.places[number + 1 :])
        return _with_player(board, _player(player, replace(seen, places=there), pieces))

    names = dict.fromkeys([place.piece, *place.others, None])
    options = tuple(_answer(name, board if name == place.piece else then(name)) for name in names)
    about = tuple(each for each in names if each is not None)
    name = f"held:{player.name}:{place.place}"
    return LayerDoubt("held", "held", None, name, options, place, about, player.name)


def _about_key(board: Board, player: BoardPlayer, read: Sequence[str], pieces: Pieces) -> LayerDoubt:
    """A doubt about a player's key card; the cards read in the photo are offered first."""
    unread: list[str | None] = [] if read else [None]
    names = dict.fromkeys([*unread, *read, *sorted(pieces.keys)])
    options = tuple(
        _answer(name, board if name is None else _with_player(board, structs.replace(player, hand=(name,))))
        for name in names
    )
    pictured = tuple(dict.fromkeys(read))
    return LayerDoubt("held", "held", None, f"held:{player.name}:key", options, None, pictured, player.name)
