"""Photos of Stone Dragon tables: sixteen panels on the bare table, face up and down, pawns on them, the
dragon's card with its life beside the grid, and before each player a character with chips on and beside it,
dungeon cards, and victory cards by which way up they lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Point

from samples.board_photos import Laid, random_ground, take_photo
from samples.board_truth import BoardSample, Seen
from samples.boards import OUTWARD, BoardLay, laid_disc, laid_flat, random_lay
from samples.clutter import ground_of
from samples.deck import read_face
from samples.figures import ground_of as foot_of
from samples.nuisances import TIERS
from samples.scene_schema import CardPose, Figure, SceneCard
from samples.splits import Split
from samples.stone_dragon.states import Player, State, random_state, record_of
from scorer.board_record import board_told
from scorer.catalogue import Catalogue, Side, load_catalogue
from scorer.stone_dragon.game import BUNDLED
from scorer.stone_dragon.rules.pieces import SIDE, pieces_of

Array = NDArray[np.float64]
#: A panel's side, and how far apart panels are laid (share of it).
APART = (1.004, 1.045)
#: How often pawns are turned ones in their colours, as most boxes have them.
PAWNS = 0.5
PAWN_MM = (13.0, 25.0)
PAWN_RGB = {
    "red": (198, 40, 44), "blue": (38, 84, 178), "yellow": (236, 190, 40), "green": (40, 130, 66),
    "black": (34, 33, 36),
}  # fmt: skip
#: Places of an equipped sword and shield on a character's card, and of what lies there besides (mm from its
#: middle).
WORN_MM = {"sword": (-13.5, 27.0), "shield": (13.5, 27.0)}
#: From middle to middle of chips, and of cards side by side.
CHIP_PITCH, CARD_PITCH, ROW_MM = 24.5, 48.0, 72.0
#: What is laid before a player takes so much of the table's width at most.
ZONE_MM = 236.0
#: By which way up a victory card lies, seen by its player.
TURNS = {"points": 0.0, "bonus": 180.0, "spent": 90.0}
#: The side of the table to which a card's lower edge points, before a player at each side.
FACING: dict[Side, float] = {"top": 180.0, "right": 270.0, "bottom": 0.0, "left": 90.0}
DRAGON = "dragon"


@cache
def open_panels() -> Catalogue:
    """The bundled set."""
    return load_catalogue(BUNDLED)


def stone_dragon_table(catalogue: Catalogue, split: Split, seed: int) -> BoardSample:
    """The photo of one seed. Raises `NoScene` where chance makes none."""
    state = random_state(catalogue, np.random.default_rng([seed, 31]))
    rng = np.random.default_rng([seed, 32])
    lay = _lay(catalogue, seed, rng)
    laid = _laid(lay, catalogue, state, rng)
    others = _piles(lay, catalogue, laid, rng)
    photo = take_photo(lay, laid, others, random_ground(seed, rng), split, seed, TIERS[seed % len(TIERS)])
    held = tuple(each for each in laid.holdings if each.owner in photo.in_view)
    return BoardSample(
        split=split,
        seed=seed,
        scene=photo.scene,
        images=_faces(catalogue, laid, others),
        lay=lay,
        board=board_told(record_of(state, catalogue, in_view=photo.in_view)),
        seen=(*laid.tiles, *laid.pieces, *held),
        printed=(),
        nuisances=photo.nuisances,
        told={
            "pawns": "pawn" if any(each.build == "pawn" for each in laid.figures) else "folded",
            "holdings_in_view": list(photo.in_view),
            "whole_board": board_told(record_of(state, catalogue)),
        },
    )


def _lay(catalogue: Catalogue, seed: int, rng: np.random.Generator) -> BoardLay:
    panel = catalogue.card_size_mm[0]
    pitch = float(panel * rng.uniform(*APART))
    lay = random_lay(seed, SIDE, SIDE, pitch, (SIDE * pitch, SIDE * pitch))
    return replace(lay, board_thickness_mm=0.0, tile_mm=panel)


# --- what lies and stands -----------------------------------------------------------------------------------


def _laid(lay: BoardLay, catalogue: Catalogue, state: State, rng: np.random.Generator) -> Laid:
    tiles = [
        Seen(lying.tile, _panel(lay, lying.tile, cell, lying.rotation), lying.rotation, cell)
        for cell, lying in state.panels.items()
    ]
    figures = _figures(lay, catalogue, state, rng)
    zones: dict[str, Array] = {}
    holdings: list[Seen] = []
    for player in state.players:
        found, ground = _before(lay, catalogue, player)
        holdings += found
        zones[player.name] = ground
    found, zones[DRAGON] = _dragon_card(lay, catalogue, state, rng)
    holdings += found
    flat = [each.thing for each in (*tiles, *holdings) if isinstance(each.thing, SceneCard)]
    return Laid(
        cards=tuple(flat),
        figures=tuple(each.thing for each in figures if isinstance(each.thing, Figure)),
        tiles=tuple(tiles),
        pieces=tuple(figures),
        holdings=tuple(holdings),
        zones=zones,
    )


def _panel(lay: BoardLay, name: str, cell: tuple[int, int], rotation: int) -> SceneCard:
    """A panel laid by hand: off its cell's middle as far as its neighbours leave room, a little turned."""
    rng = lay.chance("panel", cell, rotation)
    room = (lay.cell_mm - lay.tile_mm) / 2
    off = np.clip(rng.normal(0, 0.4 + 0.8 * lay.loose, 2), -room - 0.2, room + 0.2)
    turn = float(np.clip(rng.normal(0, 0.3 + 0.7 * lay.loose), -2.5, 2.5))
    at = lay.on_table(lay.cell_middle(cell) + off)[0]
    return SceneCard(
        card=name,
        x=float(cell[0] * lay.cell_mm),
        y=float(cell[1] * lay.cell_mm),
        rotation=rotation,
        face=f"face-{name}.png",
        pose=CardPose((float(at[0]), float(at[1])), lay.angle_deg + rotation + turn),
        size_mm=(lay.tile_mm, lay.tile_mm),
        corner_radius_mm=2.0,
        thickness_mm=lay.tile_thickness_mm,
    )


def _figures(lay: BoardLay, catalogue: Catalogue, state: State, rng: np.random.Generator) -> list[Seen]:
    """Pawns about the middle of their panel, apart from those that stand there already."""
    turned = bool(rng.random() < PAWNS)
    size = float(rng.uniform(0.85, 1.15))
    tints = {name: rng.normal(0, 0.03, 3) for name in PAWN_RGB}
    where = {each.pawn: each.cell for each in state.players} | {state.dragon: state.dragon_cell}
    taken: dict[tuple[int, int], list[Any]] = {}
    found = []
    for name, cell in where.items():
        there = taken.setdefault(cell, [])
        chance = lay.chance("pawn", name, cell)
        best, room = None, -1.0
        for number in range(40):
            at = lay.cell_middle(cell) + np.clip(chance.normal(0, 7.0 + 0.5 * number, 2), -21, 21)
            made = _figure(lay, catalogue, name, at, float(chance.uniform(0, 360)))
            colour = catalogue.card(name).colour or ""
            if turned and colour in PAWN_RGB:
                dyed = np.clip(np.asarray(PAWN_RGB[colour]) / 255 + tints[colour], 0.01, 0.98)
                made = msgspec.structs.replace(
                    made,
                    build="pawn",
                    face="",
                    colour=(float(dyed[0]), float(dyed[1]), float(dyed[2])),
                    size_mm=(PAWN_MM[0] * size, PAWN_MM[1] * size),
                )
            free = min((foot_of(made).distance(other) for other in there), default=99.0)
            if free > room:
                best, room = made, free
            if room >= 1.0:
                break
        assert best is not None
        there.append(foot_of(best))
        found.append(Seen(name, best, cell=cell))
    return found


def _figure(lay: BoardLay, catalogue: Catalogue, name: str, at_mm: Array, turn: float) -> Figure:
    at = lay.on_table(at_mm)[0]
    own = lay.chance("folded", name)
    width, height = catalogue.size_of(name)
    return Figure(
        piece=name,
        build="folded",
        foot_mm=(float(at[0]), float(at[1])),
        on_mm=lay.tile_thickness_mm,
        size_mm=(width, height),
        angle_deg=lay.angle_deg + turn,
        face=f"face-{name}.png",
        spread_mm=float(own.uniform(0.6, 0.22 * height)),
        lean_deg=float(np.clip(own.normal(0, 2.0), -5, 5)),
    )


# --- before the players -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Seat:
    """The ground before a side of the grid: `place` maps mm to the player's right and towards the player,
    from the middle of that side, to the board's frame."""

    lay: BoardLay
    side: Side
    away_mm: float

    def place(self, right: float, down: float) -> Array:
        out = np.asarray(OUTWARD[self.side], float)
        along = np.array([out[1], -out[0]])
        edge = np.asarray(self.lay.size_mm) / 2 * (1 + out)
        return np.asarray(edge + out * (self.away_mm + down) + along * right)

    @property
    def facing(self) -> float:
        return FACING[self.side]


def _before(lay: BoardLay, catalogue: Catalogue, player: Player) -> tuple[list[Seen], Array]:
    """What lies before a player, and its ground (N, 2) table mm: rows of chips, the character, and rows of
    cards beside it."""
    rng = lay.chance("before", player.name)
    pieces = pieces_of(catalogue)
    seat = _Seat(lay, player.seat, float(rng.uniform(14, 38)))
    cards = [name for name in player.holds if pieces.is_dungeon_card(name)]
    chips = [name for name in player.holds if not pieces.is_dungeon_card(name)]
    found: list[Seen] = []
    spots: list[tuple[float, float]] = []

    def put(name: str, right: float, down: float, turn: float = 0.0) -> None:
        chance = lay.chance("held", player.name, len(found))
        off = np.clip(chance.normal(0, 0.8, 2), -1.4, 1.4)
        at = seat.place(right + off[0], down + off[1])
        if catalogue.card(name).shape == "disc":
            made = laid_disc(lay, catalogue, name, at, 0.0, seat.facing + float(chance.normal(0, 40)))
        else:
            angle = seat.facing + turn + float(np.clip(chance.normal(0, 2.5), -6, 6))
            made = laid_flat(lay, catalogue, name, at, angle)
        found.append(Seen(name, made, owner=player.name))
        width, height = catalogue.size_of(name)
        spots.extend((right + x * width / 2, down + y * height / 2) for x in (-1, 1) for y in (-1, 1))

    wide = int(ZONE_MM // CHIP_PITCH)
    rows = [chips[k : k + wide] for k in range(0, len(chips), wide)]
    down = 0.0
    for row in rows:
        for number, name in enumerate(row):
            put(name, (number - (len(row) - 1) / 2) * CHIP_PITCH, down + 12)
        down += CHIP_PITCH
    down += 4.0
    width, height = catalogue.size_of(player.character)
    shown = [
        *((card, TURNS[side]) for card, side in player.victory),
        *(("victory-back", 0.0) for _ in range(player.hidden)),
        *((name, 0.0) for name in cards),
    ]
    room = int((ZONE_MM - width - 6) // CARD_PITCH)
    left = -(width + 6 + min(len(shown), room) * CARD_PITCH) / 2
    put(player.character, left + width / 2, down + height / 2)
    character = found[-1]
    for number, (name, turn) in enumerate(shown):
        line, column = divmod(number, room)
        put(name, left + width + 6 + (column + 0.5) * CARD_PITCH, down + 35 + line * ROW_MM, turn)
    found += _worn(lay, catalogue, player, character)
    ground = np.vstack([seat.place(x, y) for x, y in spots])
    return found, lay.on_table(ground)


def _worn(lay: BoardLay, catalogue: Catalogue, player: Player, character: Seen) -> list[Seen]:
    """Equipped chips on their places on the character's card."""
    assert isinstance(character.thing, SceneCard)
    pose = character.thing.pose
    turn = np.radians(pose.angle_deg)
    found = []
    for name in player.equipped:
        chance = lay.chance("worn", player.name, name)
        right, down = np.asarray(WORN_MM[catalogue.card(name).role or ""]) + np.clip(
            chance.normal(0, 1.2, 2), -3, 3
        )
        off = (right * np.cos(turn) - down * np.sin(turn), right * np.sin(turn) + down * np.cos(turn))
        at = np.add(pose.centre_mm, off)
        made = laid_disc(lay, catalogue, name, np.zeros(2), 0.35, float(chance.normal(0, 40)))
        placed = CardPose((float(at[0]), float(at[1])), pose.angle_deg + float(chance.normal(0, 30)))
        found.append(Seen(name, msgspec.structs.replace(made, pose=placed), owner=player.name))
    return found


def _corner(lay: BoardLay, rng: np.random.Generator, corner: int, reach: float) -> Array:
    """A place off a corner of the grid, out of every player's way."""
    at = np.array([corner in (1, 2), corner in (2, 3)], float)
    return np.asarray(at * lay.size_mm + (2 * at - 1) * (reach + rng.uniform(8, 26, 2)))


def _dragon_card(
    lay: BoardLay, catalogue: Catalogue, state: State, rng: np.random.Generator
) -> tuple[list[Seen], Array]:
    """The dragon's card off a corner of the grid, its life chips in rows beside and below it."""
    card = next(each.id for each in catalogue.cards if each.role == "dragon-card")
    corner = int(rng.integers(4))
    middle = _corner(lay, rng, corner, 44.0)
    out = 1.0 if corner in (1, 2) else -1.0
    turn = float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 4))
    found = [Seen(card, laid_flat(lay, catalogue, card, middle, turn), owner=DRAGON)]
    spots = [np.add(middle, (x, y)) for x in (-44, 44) for y in (-44, 44)]
    for number, name in enumerate(state.dragon_chips):
        column, row = divmod(number, 4)
        off = (out * (60 + column * CHIP_PITCH), (row - 1.5) * CHIP_PITCH)
        at = np.add(middle, off) + rng.normal(0, 0.7, 2)
        found.append(
            Seen(name, laid_disc(lay, catalogue, name, at, 0.0, float(rng.uniform(0, 360))), owner=DRAGON)
        )
        spots.append(np.add(at, (out * 13, 0)))
    return found, lay.on_table(np.vstack(spots))


def _piles(
    lay: BoardLay, catalogue: Catalogue, laid: Laid, rng: np.random.Generator
) -> tuple[SceneCard, ...]:
    """The piles of dungeon and victory cards, which are nobody's, off corners where nothing lies."""
    taken = [ground_of(card).buffer(10) for card in laid.cards]
    found = []
    for back in (card.id for card in catalogue.cards if card.role in ("dungeon-back", "victory-back")):
        for corner in rng.permutation(4):
            at = _corner(lay, rng, int(corner), 38.0)
            if any(shape.intersects(Point(lay.on_table(at)[0]).buffer(42)) for shape in taken):
                continue
            turn = float(rng.uniform(0, 360))
            thick = float(rng.uniform(1.5, 9.0))
            pile = msgspec.structs.replace(laid_flat(lay, catalogue, back, at, turn), thickness_mm=thick)
            found.append(pile)
            taken.append(ground_of(pile).buffer(10))
            break
    return tuple(found)


def _faces(catalogue: Catalogue, laid: Laid, others: Sequence[SceneCard]) -> dict[str, NDArray[np.uint8]]:
    names = {card.card for card in (*laid.cards, *others)} | {f.piece for f in laid.figures if f.face}
    return {f"face-{name}.png": _art(catalogue.art_path(catalogue.card(name))) for name in sorted(names)}


@lru_cache(128)
def _art(path: Path) -> NDArray[np.uint8]:
    """A piece's picture, read once for all photos of a set."""
    return read_face(path)
