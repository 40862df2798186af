"""Boards of square pieces as they lie on a table: the board, the tiles in its cells a little askew, discs on
them, the tile at the end of a line, and what lies in rows before the players.

A board's own frame: mm from its top-left corner, x right, y down. What a piece does by chance hangs on its
name, its place and the table's seed, so that nothing moves between two photos but what was moved.
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from samples.scene_schema import CardPose, SceneCard
from scorer.board_record import Cell
from scorer.catalogue import Card, Catalogue, Side

Array = NDArray[np.float64]
#: The outward direction of each side of a board, and of a walk along it with the board on the right hand.
OUTWARD: dict[Side, tuple[int, int]] = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}


@dataclass(frozen=True)
class BoardLay:
    """How a board lies, and what its tiles are like: `tile_mm` their true side, which is a little less than
    the cell's; `loose` how carelessly they lie, 0 to 1."""

    seed: int
    columns: int
    rows: int
    cell_mm: float
    size_mm: tuple[float, float]
    angle_deg: float
    board_thickness_mm: float
    tile_mm: float
    tile_thickness_mm: float
    disc_thickness_mm: float
    loose: float

    @property
    def frame_mm(self) -> tuple[float, float]:
        """How far the first cell is from the board's left and top edge."""
        return (
            (self.size_mm[0] - self.columns * self.cell_mm) / 2,
            (self.size_mm[1] - self.rows * self.cell_mm) / 2,
        )

    def on_table(self, points_mm: Array) -> Array:
        """Points of the board's frame (N, 2) in table mm; the board's middle is the table's origin."""
        angle = math.radians(self.angle_deg)
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        return np.asarray((np.atleast_2d(points_mm) - np.asarray(self.size_mm) / 2) @ turn.T)

    def cell_middle(self, cell: tuple[float, float]) -> Array:
        """The middle of a cell (column, row) in the board's frame, (2,)."""
        return np.asarray(self.frame_mm) + (np.asarray(cell, float) + 0.5) * self.cell_mm

    def grid_corners(self) -> Array:
        """The corners (4, 2) of all cells together, top-left first, clockwise, board's frame."""
        left, top = self.frame_mm
        right, bottom = left + self.columns * self.cell_mm, top + self.rows * self.cell_mm
        return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])

    def cell_corners(self, cell: Cell) -> Array:
        """The corners (4, 2) of a cell, top-left first, clockwise, board's frame."""
        left, top = np.asarray(self.frame_mm) + np.asarray(cell) * self.cell_mm
        side = self.cell_mm
        return np.array([[left, top], [left + side, top], [left + side, top + side], [left, top + side]])

    def chance(self, *what: object) -> np.random.Generator:
        """The chance of one thing in its place."""
        return np.random.default_rng([self.seed, zlib.crc32(repr(what).encode())])


def random_lay(seed: int, columns: int, rows: int, cell_mm: float, size_mm: tuple[float, float]) -> BoardLay:
    """How a board lies by chance: mostly along the table."""
    rng = np.random.default_rng([seed, 21])
    return BoardLay(
        seed=seed,
        columns=columns,
        rows=rows,
        cell_mm=cell_mm,
        size_mm=size_mm,
        angle_deg=float(rng.uniform(-180, 180) if rng.random() < 0.15 else rng.normal(0, 3)),
        board_thickness_mm=float(rng.uniform(1.6, 3.0)),
        tile_mm=float(cell_mm * rng.uniform(0.984, 0.997)),
        tile_thickness_mm=float(rng.uniform(1.2, 2.2)),
        disc_thickness_mm=float(rng.uniform(1.4, 2.2)),
        loose=float(rng.beta(1.5, 2.0)),
    )


def laid_board(lay: BoardLay, card: Card) -> SceneCard:
    """The printed board itself."""
    return SceneCard(
        card=card.id,
        x=0.0,
        y=0.0,
        rotation=0,
        face=f"face-{card.id}.png",
        pose=CardPose((0.0, 0.0), lay.angle_deg),
        size_mm=lay.size_mm,
        corner_radius_mm=1.0,
        thickness_mm=lay.board_thickness_mm,
    )


def printed_cell(lay: BoardLay, card: Card) -> SceneCard:
    """A cell that is printed on the board, as if it were a card: nothing is drawn of it."""
    assert card.cell is not None
    at = lay.on_table(lay.cell_middle(card.cell))[0]
    return SceneCard(
        card=card.id,
        x=0.0,
        y=0.0,
        rotation=card.rotation or 0,
        face="",
        pose=CardPose((float(at[0]), float(at[1])), lay.angle_deg + (card.rotation or 0)),
        size_mm=(lay.cell_mm, lay.cell_mm),
        corner_radius_mm=0.0,
        thickness_mm=0.0,
        on_mm=lay.board_thickness_mm,
    )


def laid_tile(lay: BoardLay, name: str, cell: Cell, rotation: int) -> SceneCard:
    """A loose tile in its cell, off its middle by less than a millimetre or so and turned by less than two
    degrees, as far as its neighbours leave room."""
    rng = lay.chance("tile", name, cell, rotation)
    room = (lay.cell_mm - lay.tile_mm) / 2
    off = np.clip(rng.normal(0, 0.25 + 0.35 * lay.loose, 2), -1.0, 1.0)
    # a line of tiles was pushed as one, more or less far
    column, row = cell
    if column % 2:
        off[1] += lay.chance("line", "column", column).normal(0, 0.4 * lay.loose)
    elif row % 2:
        off[0] += lay.chance("line", "row", row).normal(0, 0.4 * lay.loose)
    off = np.clip(off, -room - 0.7, room + 0.7)
    turn = float(np.clip(rng.normal(0, 0.2 + 0.6 * lay.loose), -1.9, 1.9))
    at = lay.on_table(lay.cell_middle(cell) + off)[0]
    return SceneCard(
        card=name,
        x=float(lay.frame_mm[0] + column * lay.cell_mm),
        y=float(lay.frame_mm[1] + row * lay.cell_mm),
        rotation=rotation,
        face=f"face-{name}.png",
        pose=CardPose(
            (float(at[0]), float(at[1])),
            lay.angle_deg + rotation + turn,
            lift_mm=float(abs(rng.normal(0, 0.12))),
            tilt_deg=(float(rng.normal(0, 0.15)), float(rng.normal(0, 0.15))),
        ),
        size_mm=(lay.tile_mm, lay.tile_mm),
        corner_radius_mm=0.6,
        thickness_mm=lay.tile_thickness_mm,
        on_mm=lay.board_thickness_mm,
    )


def tile_at_end(lay: BoardLay, name: str, side: Side, line: int, rotation: int, out: bool) -> SceneCard:
    """A tile beside the grid at the end of a line: as it was pushed out, half on the board's frame and
    leaning on its edge, or (`out`) taken quite off the board."""
    rng = lay.chance("end", name, side, line, out)
    outward = np.asarray(OUTWARD[side], float)
    across = 0 if side in ("left", "right") else 1
    cell: tuple[float, float] = (
        {"left": 0.0, "right": lay.columns - 1.0}.get(side, float(line)),
        {"top": 0.0, "bottom": lay.rows - 1.0}.get(side, float(line)),
    )
    frame = lay.frame_mm[across]
    side_mm = lay.tile_mm
    if out:
        away = lay.cell_mm / 2 + frame + side_mm / 2 + rng.uniform(1.5, 14.0)
        turn, slide, slope = float(rng.normal(0, 6)), float(rng.normal(0, 4)), 0.0
    else:
        gap = float(rng.uniform(0.5, 5.0))
        away = lay.cell_mm / 2 + gap + side_mm / 2
        turn, slide = float(rng.normal(0, 1.2)), float(rng.normal(0, 0.8))
        # it would tip where more than half of it is over the edge
        hanging = gap + side_mm - frame
        slope = math.degrees(math.atan2(lay.board_thickness_mm, hanging)) if hanging > side_mm / 2 else 0.0
    at = lay.on_table(lay.cell_middle(cell) + outward * away + outward[::-1] * slide)[0]
    on = 0.0 if out or slope else lay.board_thickness_mm
    # the slope as the tile's own x and y have it: lower outwards
    local = math.radians(-rotation - turn)
    inward = -outward
    along = (
        inward[0] * math.cos(local) - inward[1] * math.sin(local),
        inward[0] * math.sin(local) + inward[1] * math.cos(local),
    )
    return SceneCard(
        card=name,
        x=0.0,
        y=0.0,
        rotation=rotation,
        face=f"face-{name}.png",
        pose=CardPose(
            (float(at[0]), float(at[1])),
            lay.angle_deg + rotation + turn,
            tilt_deg=(float(slope * along[0]), float(slope * along[1])),
        ),
        size_mm=(side_mm, side_mm),
        corner_radius_mm=0.6,
        thickness_mm=lay.tile_thickness_mm,
        on_mm=on,
    )


def laid_disc(
    lay: BoardLay, catalogue: Catalogue, name: str, at_mm: Array, on_mm: float, turn_deg: float
) -> SceneCard:
    """A disc whose middle lies at a place of the board's frame."""
    return _piece(lay, catalogue, name, at_mm, on_mm, turn_deg, lay.disc_thickness_mm)


def laid_flat(
    lay: BoardLay, catalogue: Catalogue, name: str, at_mm: Array, turn_deg: float, on_mm: float = 0.0
) -> SceneCard:
    """A card that lies face up, its middle at a place of the board's frame."""
    return _piece(lay, catalogue, name, at_mm, on_mm, turn_deg, 0.35)


def _piece(
    lay: BoardLay, catalogue: Catalogue, name: str, at_mm: Array, on_mm: float, turn_deg: float, thick: float
) -> SceneCard:
    width, height = catalogue.size_of(name)
    at = lay.on_table(at_mm)[0]
    disc = catalogue.card(name).shape == "disc"
    return SceneCard(
        card=name,
        x=0.0,
        y=0.0,
        rotation=0,
        face=f"face-{name}.png",
        pose=CardPose((float(at[0]), float(at[1])), lay.angle_deg + turn_deg),
        size_mm=(width, height),
        corner_radius_mm=min(width, height) / 2 if disc else 2.5,
        thickness_mm=thick,
        on_mm=on_mm,
    )


def surface_mm(lay: BoardLay, *, printed: bool) -> float:
    """How high the board's printed cells, or the tiles in the others, are over the table."""
    return lay.board_thickness_mm + (0.0 if printed else lay.tile_thickness_mm)


# --- what lies before the players ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Zone:
    """Where a player lays things down: rows that grow outwards from a side of the board, from `start_mm`
    (board's frame), `wide` places to a row; in the first `narrow` rows only two."""

    start_mm: tuple[float, float]
    outward: tuple[int, int]
    wide: int
    pitch_mm: float
    narrow: int = 0

    def _row(self, number: int) -> tuple[int, int, int]:
        """Row and column of a place, and how many places its row has."""
        if number < 2 * self.narrow:
            return *divmod(number, 2), 2
        row, column = divmod(number - 2 * self.narrow, self.wide)
        return row + self.narrow, column, self.wide

    def rows(self, count: int) -> int:
        """How many rows so many things take, at least one."""
        return self._row(max(count - 1, 0))[0] + 1

    def place(self, number: int) -> Array:
        """The middle of a place, (2,)."""
        row, column, wide = self._row(number)
        out = np.asarray(self.outward, float)
        along = np.array([-out[1], out[0]])
        return np.asarray(
            np.asarray(self.start_mm)
            + out * (row + 0.5) * self.pitch_mm
            + along * (column - (wide - 1) / 2) * self.pitch_mm
        )

    def area(self, count: int) -> Array:
        """The ground about so many things, or about the first place, (N, 2)."""
        half = self.pitch_mm / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        return np.vstack([self.place(number) + half for number in range(max(count, 1))])


def zone_of(
    lay: BoardLay, side: Side, *, line: float, away_mm: float, wide: int, pitch_mm: float, narrow: int = 0
) -> Zone:
    """A zone that begins so far from a side of the board, over against a line of cells."""
    out = np.asarray(OUTWARD[side], float)
    cell: tuple[float, float] = (
        {"left": 0.0, "right": lay.columns - 1.0}.get(side, line),
        {"top": 0.0, "bottom": lay.rows - 1.0}.get(side, line),
    )
    frame = lay.frame_mm[0 if side in ("left", "right") else 1]
    start = lay.cell_middle(cell) + out * (lay.cell_mm / 2 + frame + away_mm)
    return Zone((float(start[0]), float(start[1])), OUTWARD[side], wide, pitch_mm, narrow)
