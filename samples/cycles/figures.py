"""Standing pieces: folded strips of print, and turned pawns."""

from __future__ import annotations

import bpy
import numpy as np

from samples.cycles.geometry import lathe, mesh_object, place
from samples.cycles.materials import PAPER_WHITE, PRINT_BLACK, to_linear
from samples.cycles.nodes import Graph, linear, picture, plain
from samples.figure_shapes import PAWN, Sheet, sheets_of
from samples.scene_schema import Figure

#: The inner, unprinted side of a folded strip lies so far behind the print.
PAPER_MM = 0.3


def add_figure(figure: Figure, face_srgb: np.ndarray | None, number: int) -> None:
    """Stand a figure on its foot. `face_srgb` (H, W, 3) float 0-1 is what a folded one shows."""
    if figure.build == "pawn":
        _pawn(figure, number)
        return
    assert face_srgb is not None
    graph = Graph(f"figure {number}")
    art = to_linear(face_srgb) * (PAPER_WHITE - PRINT_BLACK) + PRINT_BLACK
    print_ = graph.surface(
        Base_Color=graph.image(picture(f"figure {number}", art)), Roughness=0.45, Coat_Weight=0.3
    )
    inside = plain(f"inside {number}", (0.75, 0.73, 0.70), 0.8)
    for index, sheet in enumerate(sheets_of(figure)):
        _sheet(f"figure {number} {index}", sheet, figure, print_, inside)


def _sheet(
    name: str, sheet: Sheet, figure: Figure, print_: bpy.types.Material, inside: bpy.types.Material
) -> None:
    """A flat part with its print, and the bare side behind it."""
    back = sheet.corners_mm - PAPER_MM * sheet.normal
    points = np.vstack([sheet.corners_mm, back])
    top = figure.flap_share if sheet.ground else 1.0
    ends = [(0, 0), (1, 0), (1, top), (0, top)] if sheet.ground else [(0, 1), (1, 1), (1, 0), (0, 0)]
    sides = [[i, (i + 1) % 4, 4 + (i + 1) % 4, 4 + i] for i in range(4)]
    mesh_object(
        name,
        points,
        [[0, 1, 2, 3], [7, 6, 5, 4], *sides],
        [print_, inside],
        uv=np.array(ends * 2, float),
        face_materials=[0, 1, 1, 1, 1, 1],
        smooth=False,
    )


def _pawn(figure: Figure, number: int) -> None:
    height = figure.size_mm[1]
    paint = plain(f"pawn {number}", linear(figure.colour), 0.3, Coat_Weight=0.5, Coat_Roughness=0.1)
    profile = [(max(radius * height, 0.05), at * height) for at, radius in PAWN]
    place(lathe(f"pawn {number}", profile, [paint]), figure.foot_mm, 0.0, figure.on_mm)
