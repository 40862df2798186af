"""The state of a game: panels, pawns and each player's possessions. Cells are numbers, row by row from the
top left. An action is tried on a copy, so that an illegal one leaves no trace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from msgspec import structs as msgs

from scorer.board_record import Board, BoardPlayer, Piece, Tile
from scorer.record import Rotation
from scorer.square_grid import STEPS, Cell
from scorer.stone_dragon.rules.house import House
from scorer.stone_dragon.rules.pieces import CELLS, SIDE, Ability, Character, Pieces
from scorer.stone_dragon.rules.validation import LaidSide, seat_of, top_of


def cell_of(number: int) -> Cell:
    """The column and row of a cell number."""
    return number % SIDE, number // SIDE


def number_of(cell: Cell) -> int:
    """The number of a cell (column, row), counted row by row."""
    return cell[1] * SIDE + cell[0]


def side_towards(cell: int, other: int) -> int | None:
    """The number of the side that two cells share, seen from the first; None where they share none."""
    (column, row), (there, below) = cell_of(cell), cell_of(other)
    step = there - column, below - row
    return STEPS.index(step) if step in STEPS else None


@dataclass(slots=True)
class Panel:
    """The panel in a cell; name and rotation are None where unknown."""

    name: str | None
    rotation: Rotation | None
    up: bool


@dataclass(slots=True)
class Holder:
    """A player. `cell` is the pawn's cell, and `holds` are the chips in the hand and the dungeon cards.
    `hand` are the hidden victory cards, or None where unknown; `hand_size` is then their number."""

    name: str
    pawn: str
    character_name: str
    character: Character
    cell: int
    life: int
    coins: int
    holds: Counter[str]
    equipped: list[str]
    victory: list[tuple[str, LaidSide]]
    hand: list[str | None] | None
    hand_size: int

    @property
    def hidden(self) -> int:
        """The number of hidden victory cards."""
        return self.hand_size if self.hand is None else len(self.hand)

    def copy(self) -> Holder:
        return replace(
            self,
            holds=Counter(self.holds),
            equipped=list(self.equipped),
            victory=list(self.victory),
            hand=None if self.hand is None else list(self.hand),
        )


@dataclass(slots=True)
class Position:
    """The state that a turn changes. `entrance` is a cell, `slayer` the player who killed the dragon. `sides`
    are the open sides of face-up panels, 0 for others."""

    pieces: Pieces
    house: House
    panels: list[Panel]
    entrance: int
    holders: dict[str, Holder]
    dragon_pawn: str
    dragon_cell: int
    dragon_life: int
    slayer: str | None = None
    sides: list[int] = field(default_factory=list)

    def copy(self) -> Position:
        return replace(
            self,
            panels=list(self.panels),
            holders={name: holder.copy() for name, holder in self.holders.items()},
            sides=list(self.sides),
        )

    def lay(self, cell: int, panel: Panel) -> None:
        """Place a panel in a cell, and update the open sides."""
        self.panels[cell] = panel
        self.sides[cell] = _sides(panel, self.pieces)

    def opens(self, cell: int, side: int) -> bool:
        """Whether the face-up panel in a cell has a passage at a side (0 to 3)."""
        return bool(self.sides[cell] >> side & 1)

    def joined(self, cell: int, other: int) -> bool:
        """Whether two neighbouring cells are connected by passages."""
        side = side_towards(cell, other)
        return side is not None and self.opens(cell, side) and self.opens(other, (side + 2) % 4)

    def neighbours(self, cell: int) -> Iterator[int]:
        """The cells that share a side with a cell."""
        column, row = cell_of(cell)
        for right, down in STEPS:
            if 0 <= column + right < SIDE and 0 <= row + down < SIDE:
                yield number_of((column + right, row + down))

    # --- what is left in the supply and in the piles ---

    def supply(self, chip: str) -> int:
        """The number of copies of an item chip that no player has."""
        out = sum(each.holds[chip] + each.equipped.count(chip) for each in self.holders.values())
        return self.pieces.copies[chip] - out

    def dungeon_left(self, card: str) -> int:
        """The number of copies of a dungeon card that no player has."""
        return self.pieces.copies[card] - sum(each.holds[card] for each in self.holders.values())

    def dungeon_pile(self) -> int:
        """The number of dungeon cards that no player has, since an empty pile is reshuffled."""
        held = sum(
            count
            for each in self.holders.values()
            for name, count in each.holds.items()
            if self.pieces.is_dungeon_card(name)
        )
        return self.pieces.dungeon_count - held

    def victory_pile(self) -> int:
        """The number of victory cards that no player has."""
        return self.pieces.victory_count - sum(
            len(each.victory) + each.hidden for each in self.holders.values()
        )

    def known_copies(self, card: str) -> int:
        """The number of copies of a victory card whose location is known."""
        shown = sum(laid == card for each in self.holders.values() for laid, _ in each.victory)
        return shown + sum((each.hand or []).count(card) for each in self.holders.values())

    # --- what a player is worth ---

    def abilities(self, holder: Holder) -> Iterator[Ability]:
        """Those of the character, and of victory cards that lie for their bonus."""
        yield from holder.character.abilities
        for card, side in holder.victory:
            if side == "bonus":
                yield from self.pieces.victories[card].abilities

    def total(self, holder: Holder, effect: str) -> int:
        """The sum of the bonuses of all abilities with one effect."""
        return sum(ability.add for ability in self.abilities(holder) if ability.effect == effect)

    def has(self, holder: Holder, effect: str) -> bool:
        return any(ability.effect == effect for ability in self.abilities(holder))

    def worn(self, holder: Holder, kind: str) -> int:
        """The total value of the equipped chips of a kind."""
        chips = self.pieces.chips
        return sum(
            chips[name].value for name in holder.equipped if name in chips and chips[name].kind == kind
        )

    def attack(self, holder: Holder) -> int:
        """A player's attack strength, without paid bonuses."""
        return holder.character.attack + self.worn(holder, "sword") + self.total(holder, "attack")

    def defence(self, holder: Holder) -> int:
        return holder.character.defence + self.worn(holder, "shield") + self.total(holder, "defence")

    def price(self, holder: Holder, card: str) -> int | None:
        """The sale price of a dungeon card at the entrance, for its holder; None for a card without a
        price."""
        pieces = self.pieces
        if card in pieces.monsters:
            kind, price = "monster", pieces.monsters[card].price
        elif card in pieces.items:
            kind, price = "item", pieces.items[card].price
        else:
            return None
        times = 1
        for ability in self.abilities(holder):
            if ability.of in (kind, "any"):
                price += ability.add if ability.effect == "sell_add" else 0
                times *= ability.times if ability.effect == "sell_times" else 1
        return price * times

    def is_cursed(self, holder: Holder, kind: str) -> bool:
        """Whether a player has a curse on a kind of chip."""
        return any(holder.holds[name] and curse.of == kind for name, curse in self.pieces.curses.items())


def _sides(panel: Panel, pieces: Pieces) -> int:
    if not panel.up or panel.name is None:
        return 0
    return pieces.lying.get((panel.name, panel.rotation or 0), 0)


# --- from a record and back ---------------------------------------------------------------------------------


def position_of(board: Board, pieces: Pieces, house: House) -> Position:
    """The position of a checked board with which nothing is wrong that stops play."""
    top = top_of(board)
    panels = [Panel(None, None, False) for _ in range(CELLS)]
    for tile in board.tiles or ():
        panels[number_of(tile.cell)] = Panel(tile.tile, tile.rotation, tile.face == "up")
    standing = {
        piece.piece: piece.cell for piece in board.pieces or () if piece.cell is not None and piece.on is None
    }
    pawn = top.dragon.piece or ""
    position = Position(
        pieces=pieces,
        house=house,
        panels=panels,
        entrance=entrances_of(panels, pieces)[0],
        holders={player.name: _holder(player, pieces, standing) for player in board.players},
        dragon_pawn=pawn,
        dragon_cell=number_of(standing.get(pawn) or (0, 0)),
        dragon_life=pieces.dragon.life if top.dragon.life is None else top.dragon.life,
    )
    position.sides = [_sides(panel, pieces) for panel in panels]
    return position


def entrances_of(panels: Iterable[Panel], pieces: Pieces) -> list[int]:
    """The cells of entrances, those that lie up first; one that lies face down is known by its back."""
    up = [cell for cell, panel in enumerate(panels) if panel.up and panel.name in pieces.entrances]
    down = [cell for cell, panel in enumerate(panels) if not panel.up and panel.name in pieces.marked_backs]
    return [*up, *down]


def _holder(player: BoardPlayer, pieces: Pieces, standing: Mapping[str | None, Cell]) -> Holder:
    seat = seat_of(player)
    holds = Counter({name: count for name, count in (player.holds or {}).items() if count})
    name = seat.character or ""
    return Holder(
        name=player.name,
        pawn=player.piece or "",
        character_name=name,
        character=pieces.characters.get(name, Character()),
        cell=number_of(standing.get(player.piece) or (0, 0)),
        life=life_told(player, pieces) or 0,
        coins=coins_told(player, pieces) or 0,
        holds=Counter(
            {each: count for each, count in holds.items() if each not in {*pieces.lives, *pieces.coins}}
        ),
        equipped=list(seat.equipped),
        victory=[(laid.card or "", laid.side or "points") for laid in seat.victory],
        hand=None if player.hand is None else list(player.hand),
        hand_size=len(player.hand) if player.hand is not None else player.hand_size or 0,
    )


def life_told(player: BoardPlayer, pieces: Pieces) -> int | None:
    """A player's life: as recorded, else computed from the chips; None where neither is known."""
    told = seat_of(player).life
    return _by_chips(player, pieces.lives) if told is None else told


def coins_told(player: BoardPlayer, pieces: Pieces) -> int | None:
    """A player's coins: as recorded, else computed from the chips; None where neither is known."""
    told = seat_of(player).coins
    return _by_chips(player, pieces.coins) if told is None else told


def _by_chips(player: BoardPlayer, values: Mapping[str, int]) -> int | None:
    if player.holds is None:
        return None
    return sum(values[name] * count for name, count in player.holds.items() if name in values)


def board_of(position: Position, board: Board) -> Board:
    """The board record of a position that `board` came to."""
    tiles = []
    for cell, panel in enumerate(position.panels):
        column, row = cell_of(cell)
        face: Any = "up" if panel.up else "down"
        tiles.append(Tile(tile=panel.name, column=column, row=row, rotation=panel.rotation, face=face))
    standing = {holder.pawn: holder.cell for holder in position.holders.values()}
    pieces = []
    for piece in board.pieces or ():
        if piece.piece in standing:
            column, row = cell_of(standing[piece.piece])
            pieces.append(Piece(piece=piece.piece, column=column, row=row))
        else:
            pieces.append(piece)
    top = top_of(board)
    dragon = {"piece": top.dragon.piece, "life": position.dragon_life}
    return msgs.replace(
        board,
        tiles=tuple(tiles),
        pieces=tuple(pieces),
        players=tuple(_player(position.holders[player.name], player) for player in board.players),
        more=board.more | {"dragon": dragon},
    )


def _player(holder: Holder, player: BoardPlayer) -> BoardPlayer:
    more = {
        "life": holder.life,
        "coins": holder.coins,
        "equipped": list(holder.equipped),
        "victory": [{"card": card, "side": side} for card, side in holder.victory],
    }
    return msgs.replace(
        player,
        holds={name: count for name, count in holder.holds.items() if count > 0},
        hand=None if holder.hand is None else tuple(holder.hand),
        hand_size=holder.hidden if player.hand_size is not None or player.hand is None else None,
        more=player.more | more,
    )
