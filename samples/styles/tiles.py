"""Square tiles in a style: corridors from the middle to some of the sides, as board games have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.pieces.openings import opening_nodes
from samples.styles.face import draw_face
from samples.styles.style import style_of
from scorer.catalogue import Card, Edge, Node

SIDE_MM, PX_PER_MM = 50.0, 5.0
#: Corridors of tiles are this wide (mm).
_NARROWEST_MM, _WIDEST_MM = 6.0, 14.0


def tile_set(name: str, shapes: Mapping[int, float], count: int) -> tuple[list[int], list[NDArray[np.uint8]]]:
    """Tiles of a set in the style of a name: their open sides (bits of `scorer.square_grid`), drawn at random
    from the `shapes` with their frequencies, and their faces (H, W, 3) BGR."""
    style = style_of(name)
    wide = float(np.clip(1.6 * style.corridor_mm, _NARROWEST_MM, _WIDEST_MM))
    style = replace(style, size_mm=(SIDE_MM, SIDE_MM), corridor_mm=wide, frame="none", labels=0)
    rng = np.random.default_rng([style.seed, 5])
    kinds = list(shapes)
    odds = np.array([shapes[kind] for kind in kinds])
    sides = [kinds[int(k)] for k in rng.choice(len(kinds), size=count, p=odds / odds.sum())]
    faces = []
    for open_to in sides:
        nodes, edges = opening_nodes((open_to,), SIDE_MM)
        card = Card(
            id="T",
            kind="tile",
            nodes=tuple(msgspec.convert(node, Node) for node in nodes),
            edges=tuple(msgspec.convert(edge, Edge) for edge in edges),
        )
        faces.append(draw_face(card, style, PX_PER_MM, rng))
    return sides, faces
