"""Problems of a position itself, independent of the actions played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scorer.board_problems import Problem, filled
from scorer.board_record import Board, BoardPlayer
from scorer.square_grid import SIDES, STEPS
from scorer.stone_dragon.rules.codes import PROBLEMS, STOPPING
from scorer.stone_dragon.rules.pieces import CELLS, WORN, Pieces
from scorer.stone_dragon.rules.position import (
    Panel,
    cell_of,
    coins_told,
    entrances_of,
    life_told,
    number_of,
    side_towards,
)
from scorer.stone_dragon.rules.validation import GRID, Seat, seat_of, top_of


@dataclass(frozen=True)
class _Look:
    """A board record looked at once; `there` are the cells with a panel."""

    board: Board
    pieces: Pieces
    there: frozenset[int]
    panels: tuple[Panel, ...]
    entrance: int | None
    seats: tuple[tuple[BoardPlayer, Seat], ...]
    dragon_pawn: str | None
    dragon_life: int | None
    setup: bool

    def cells_with(self, pawn: str | None) -> list[int]:
        """The cells in which a pawn stands."""
        return [
            number_of(piece.cell)
            for piece in self.board.pieces or ()
            if piece.piece == pawn and pawn is not None and piece.on is None and piece.cell is not None
        ]


def problems_of(board: Board, pieces: Pieces) -> list[Problem]:
    """All problems of a board; a grid of the wrong size is reported alone."""
    if board.grid != GRID:
        return [_problem("grid")]
    panels = [Panel(None, None, False) for _ in range(CELLS)]
    for tile in board.tiles or ():
        panels[number_of(tile.cell)] = Panel(tile.tile, tile.rotation, tile.face == "up")
    entrances, top = entrances_of(panels, pieces), top_of(board)
    look = _Look(
        board=board,
        pieces=pieces,
        there=frozenset(number_of(tile.cell) for tile in board.tiles or ()),
        panels=tuple(panels),
        entrance=entrances[0] if entrances else None,
        seats=tuple((player, seat_of(player)) for player in board.players),
        dragon_pawn=top.dragon.piece,
        dragon_life=top.dragon.life,
        setup=top.phase == "setup",
    )
    found = [*_panels(look), *_pawns(look), *_dragon(look), *_players(look), *_cards(look)]
    return found + (list(_setup(look)) if look.setup else [])


def can_play(problems: list[Problem]) -> bool:
    """Whether an action can be played in spite of these problems."""
    return not any(problem.rule in STOPPING for problem in problems)


def is_unread(problems: list[Problem]) -> bool:
    """Whether any piece was not recognised."""
    return any(problem.rule == "unread" for problem in problems)


def _problem(rule: str, cells: list[int] | None = None, **about: object) -> Problem:
    return Problem(rule, filled(PROBLEMS, rule, **about), tuple(cell_of(cell) for cell in cells or ()))


def _panels(look: _Look) -> Iterator[Problem]:
    empty = [cell for cell in range(CELLS) if cell not in look.there]
    if empty:
        yield _problem("cells", empty, count=len(empty))
    cells, beside = _unread(look)
    if cells or beside:
        yield _problem("unread", cells, count=len(cells) + beside)
    if look.entrance is None:
        yield _problem("entrance-missing")
        return
    if not look.panels[look.entrance].up:
        yield _problem("entrance-face-down", [look.entrance])
    if look.entrance not in _CORNERS:
        yield _problem("entrance-place", [look.entrance])


_CORNERS = (0, 3, 12, 15)


def _unread(look: _Look) -> tuple[list[int], int]:
    """The cells in which something was not made out, and how much of that lies elsewhere."""
    cells = [
        number_of(tile.cell)
        for tile in look.board.tiles or ()
        if tile.face == "up" and (tile.tile is None or tile.rotation is None)
    ]
    cells += [
        number_of(piece.cell)
        for piece in look.board.pieces or ()
        if piece.piece is None and piece.cell is not None
    ]
    beside = sum(piece.piece is None and piece.cell is None for piece in look.board.pieces or ())
    for _, seat in look.seats:
        beside += seat.character is None
        beside += sum(laid.card is None or laid.side is None for laid in seat.victory)
    return cells, beside


def _pawns(look: _Look) -> Iterator[Problem]:
    for player, _ in look.seats:
        cells = look.cells_with(player.piece)
        if len(cells) != 1:
            yield _problem("pawn-missing", cells, player=player.name)
        down = [cell for cell in cells if cell in look.there and not look.panels[cell].up]
        if down:
            yield _problem("pawn-face-down", down, player=player.name)
    known = {player.piece for player, _ in look.seats} | {look.dragon_pawn, None}
    for piece in look.board.pieces or ():
        if piece.piece not in known and piece.on is None:
            cells = [] if piece.cell is None else [number_of(piece.cell)]
            yield _problem("pawn-extra", cells, piece=piece.piece)


def _dragon(look: _Look) -> Iterator[Problem]:
    cells = look.cells_with(look.dragon_pawn)
    if len(cells) != 1:
        yield _problem("dragon-missing", cells)
    elif look.entrance is not None and cells[0] not in _farthest(look.entrance):
        yield _problem("dragon-place", cells)
    printed = look.pieces.dragon.life
    told = look.dragon_life
    if told is not None and (told > printed or (look.setup and told != printed)):
        yield _problem("dragon-life", life=printed)


def _farthest(entrance: int) -> list[int]:
    """The cells with the largest number of steps from the entrance."""
    column, row = cell_of(entrance)

    def steps(cell: int) -> int:
        return abs(cell_of(cell)[0] - column) + abs(cell_of(cell)[1] - row)

    most = max(steps(cell) for cell in range(CELLS))
    return [cell for cell in range(CELLS) if steps(cell) == most]


def _players(look: _Look) -> Iterator[Problem]:
    pieces = look.pieces
    characters = [seat.character for _, seat in look.seats if seat.character is not None]
    if len(look.seats) not in (3, 4) or len(set(characters)) < len(characters):
        yield _problem("players")
    yield from _copies(look)
    for player, seat in look.seats:
        worn = [pieces.chips[name].kind if name in pieces.chips else "" for name in seat.equipped]
        if any(kind not in WORN or worn.count(kind) > 1 for kind in worn):
            yield _problem("equipment", player=player.name)
    for player, _ in look.seats:
        for name in pieces.curses:
            if (player.holds or {}).get(name, 0) > 1:
                yield _problem("curse-twice", player=player.name, piece=name)
    for player, _ in look.seats:
        if not look.setup and life_told(player, pieces) == 0:
            yield _problem("no-life", player=player.name)


def _copies(look: _Look) -> Iterator[Problem]:
    pieces = look.pieces
    counted = Counter(panel.name for panel in look.panels if panel.up and panel.name is not None)
    marked = sum(panel.name in pieces.marked_backs for panel in look.panels if not panel.up)
    for name in pieces.entrances:
        if marked:
            counted[name] += marked
    hidden = 0
    for player, seat in look.seats:
        counted.update(player.holds or {})
        counted.update(seat.equipped)
        counted.update(name for name in (seat.character, player.piece) if name is not None)
        counted.update(laid.card for laid in seat.victory if laid.card is not None)
        counted.update(name for name in player.hand or () if name is not None)
        hidden += len(player.hand) if player.hand is not None else player.hand_size or 0
        hidden += len(seat.victory)
    for name, count in counted.items():
        unlimited = name in pieces.lives or name in pieces.coins
        if not unlimited and count > pieces.copies[name]:
            yield _problem("copies", piece=name, count=count, copies=pieces.copies[name])
    if hidden > pieces.victory_count:
        cards = "victory cards"
        yield Problem(
            "copies", filled(PROBLEMS, "copies", piece=cards, count=hidden, copies=pieces.victory_count)
        )


def _cards(look: _Look) -> Iterator[Problem]:
    laid = [card for _, seat in look.seats for card in seat.victory if card.card is not None]
    yield from laid_problems([(card.card or "", card.side) for card in laid], look.pieces)


def laid_problems(laid: Sequence[tuple[str, str | None]], pieces: Pieces) -> Iterator[Problem]:
    """Problems of the victory cards shown, regarding the use of each (points, bonus or spent)."""
    for (card, side), count in Counter(laid).items():
        if count > 1 and side in ("points", "bonus"):
            yield _problem("same-side", piece=card)
    for card, side in dict.fromkeys(laid):
        if side is not None and (side == "spent") != pieces.victories[card].condition.swap:
            yield _problem("eloquence-side", piece=card)


def _setup(look: _Look) -> Iterator[Problem]:
    pieces, entrance = look.pieces, look.entrance
    if entrance in _CORNERS and not _is_turned(entrance, look.panels[entrance], pieces):
        yield _problem("entrance-turned", [entrance])
    up = [cell for cell, panel in enumerate(look.panels) if panel.up and cell != entrance]
    if up:
        yield _problem("panels-up", up, count=len(up))
    for player, seat in look.seats:
        cells = look.cells_with(player.piece)
        if entrance is not None and len(cells) == 1 and cells[0] != entrance:
            yield _problem("pawn-place", cells, player=player.name)
        yield from _setup_holdings(look, player, seat)


def _is_turned(entrance: int, panel: Panel, pieces: Pieces) -> bool:
    """Whether an entrance in a corner has its passages inwards and its arrow outwards, as far as it was
    recognised."""
    if not panel.up or panel.name is None or panel.rotation is None:
        return True
    sides = pieces.lying[panel.name, panel.rotation]
    inwards = {
        side_towards(entrance, cell) for cell in range(CELLS) if side_towards(entrance, cell) is not None
    }
    arrow = (SIDES.index(pieces.arrows[panel.name]) + panel.rotation // 90) % len(STEPS)
    return arrow not in inwards and all(side in inwards for side in range(4) if sides >> side & 1)


def _setup_holdings(look: _Look, player: BoardPlayer, seat: Seat) -> Iterator[Problem]:
    pieces = look.pieces
    character = pieces.characters.get(seat.character or "")
    if character is not None:
        if life_told(player, pieces) != character.life:
            yield _problem("life", player=player.name, count=character.life)
        if coins_told(player, pieces) != character.coins:
            yield _problem("coins", player=player.name, count=character.coins)
    hidden = len(player.hand) if player.hand is not None else player.hand_size or 0
    if hidden != 1:
        yield _problem("victory-count", player=player.name)
    other = {
        name
        for name, count in (player.holds or {}).items()
        if count and name not in pieces.lives and name not in pieces.coins
    }
    if other or seat.equipped or seat.victory:
        yield _problem("holdings", player=player.name)
