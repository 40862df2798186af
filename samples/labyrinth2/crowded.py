"""Photos of Labyrinth 2 boards crowded with standing pieces, also several of a kind, for training only: one
photo shows as many pieces as three tables do."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Point
from shapely.geometry.base import BaseGeometry

from samples.board_photos import Laid, random_ground, take_photo
from samples.board_truth import Seen
from samples.boards import BoardLay
from samples.figures import ground_of as foot_of
from samples.labyrinth2 import tables
from samples.labyrinth2.states import random_state
from samples.nuisances import Tier
from samples.scene_schema import Figure, Scene, SceneCard
from scorer.catalogue import Catalogue
from scorer.labyrinth2.rules.pieces import CELLS, pieces_of
from scorer.labyrinth2.rules.position import cell_of

#: Number of pieces that are added, places tried for each, and how far from its cell's middle it stands (mm).
MORE, PLACES, OFF_MM = (5, 12), 12, 18.0
#: Hard photos come more often than at tables.
TIERS: tuple[Tier, ...] = ("easy", "typical", "typical", "hard", "hard", "wild", "wild")
#: Size of the photo relative to a table's: boards are compared at less.
SHRUNK = 0.6


@dataclass(frozen=True)
class Crowded:
    """A scene with its pictures, what stands in it, and whether explorers are turned pawns."""

    scene: Scene
    images: dict[str, NDArray[np.uint8]]
    lay: BoardLay
    standing: tuple[Seen, ...]
    pawns: bool

    def foot_mm(self, figure: Figure) -> tuple[float, float]:
        """The foot of a figure, in mm from the first cell's corner."""
        angle = np.radians(self.lay.angle_deg)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        middle = np.asarray(self.lay.size_mm) / 2 - np.asarray(self.lay.frame_mm)
        x, y = np.asarray(figure.foot_mm) @ turn + middle
        return float(x), float(y)


def crowded_board(catalogue: Catalogue, seed: int) -> Crowded:
    """The crowded board of one seed. Raises `NoScene` where chance finds no place for the phone."""
    rng = np.random.default_rng([seed, 77])
    state = random_state(catalogue, rng)
    lay = tables._lay(catalogue, seed)
    styles = tables._Styles.random(catalogue, rng)
    laid = tables._laid(lay, catalogue, state, styles)
    more = _more_figures(lay, catalogue, styles, laid, rng)
    figures = (each.thing for each in more if isinstance(each.thing, Figure))
    laid = replace(laid, figures=(*laid.figures, *figures), pieces=(*laid.pieces, *more))
    ground = random_ground(seed, rng)
    others = tables._beside(lay, catalogue, laid.cards, rng)
    tier = TIERS[int(rng.integers(len(TIERS)))]
    scene = take_photo(lay, laid, others, ground, "tuning-labyrinth2", seed, tier).scene
    if scene.post.copy is None:
        camera = scene.camera
        size = {"width": round(camera.width * SHRUNK), "height": round(camera.height * SHRUNK)}
        scene = msgspec.structs.replace(scene, camera=msgspec.structs.replace(camera, **size))
    standing = tuple(each for each in laid.pieces if isinstance(each.thing, Figure))
    return Crowded(scene, tables._faces(catalogue, laid, others), lay, standing, styles.pawns)


def _more_figures(
    lay: BoardLay, catalogue: Catalogue, styles: tables._Styles, laid: Laid, rng: np.random.Generator
) -> list[Seen]:
    """Pieces anywhere, where there is room."""
    names = [card.id for card in catalogue.cards if card.role in ("explorer", "gargoyle")] * 2
    names += [card.id for card in catalogue.cards if card.role == "dragon"]
    taken: list[BaseGeometry] = [foot_of(figure) for figure in laid.figures]
    for each in laid.pieces:
        if isinstance(each.thing, SceneCard):
            taken.append(Point(each.thing.pose.centre_mm).buffer(each.thing.size_mm[0] / 2))
    found: list[Seen] = []
    for _ in range(int(rng.integers(*MORE))):
        name = str(rng.choice(names))
        for _ in range(PLACES):
            cell = int(rng.integers(CELLS))
            figure = _anywhere(lay, catalogue, styles, name, cell, rng)
            foot = foot_of(figure)
            if min((foot.distance(other) for other in taken), default=99.0) > tables.APART_MM:
                taken.append(foot)
                found.append(Seen(name, figure, cell=cell_of(cell)))
                break
    return found


def _anywhere(
    lay: BoardLay,
    catalogue: Catalogue,
    styles: tables._Styles,
    name: str,
    cell: int,
    rng: np.random.Generator,
) -> Figure:
    at = lay.cell_middle(cell_of(cell)) + np.clip(rng.normal(0, 6, 2), -OFF_MM, OFF_MM)
    straight = 90.0 * rng.integers(4) + rng.normal(0, 12)
    turn = float(straight if rng.random() < 0.5 else rng.uniform(0, 360))
    height = tables._height(lay, pieces_of(catalogue), cell)
    figure = tables._figure(lay, catalogue, name, at, turn, height)
    if styles.pawns and name in styles.rgb:
        figure = msgspec.structs.replace(
            figure, build="pawn", face="", colour=styles.rgb[name], size_mm=styles.pawn_mm
        )
    return figure
