"""Ink: what the pen added to the cards, as a likelihood on a map of the tableau.

Each card is turned upright from the full photo and registered to its blank art (`vision.upright_cards`), the
art is brought into the photo's light (`vision.faces`), and every pixel is asked whether the pen's film
explains it better than the blank card does (`vision.film`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from vision.faces import SeenCards, each_card, find_faces, given_up
from vision.film import changed_spots, pen_layer, shown_of
from vision.ink_map import PX_PER_MM, InkMap
from vision.ink_mosaic import mosaic
from vision.layout import CardPose
from vision.pen_profile import PenProfile
from vision.pens import Pen, all_thin, find_pens
from vision.upright_cards import halved_pose

#: A pen where none has drawn: black.
NO_PEN = Pen((0.1, 0.1, 0.1))


def read_ink(
    photo_bgr: NDArray[np.uint8],
    poses: Sequence[CardPose],
    catalogue: Catalogue,
    *,
    halvings: int = 0,
    known: PenProfile | None = None,
    faint: float = 1.0,
    seen: SeenCards | None = None,
) -> InkMap:
    """The ink on the cards of a layout. `photo_bgr` (H, W, 3) uint8, halved so many times; `known` is the
    player's own pen. `faint`: what share of a usual film pens leave that run dry, where none left a full
    one. `seen` keeps what reading the same photo again can use."""
    seen = seen or SeenCards()
    halved = [halved_pose(pose, halvings) for pose in poses]
    faces = seen.faces(halved, lambda: find_faces(photo_bgr, halved, catalogue, seen))
    pens = find_pens(each_card(changed_spots, faces), PX_PER_MM, known)
    if all_thin(pens):
        seen.keep(halved, faces)
    faint = faint if all_thin(pens) else 1.0
    layers = each_card(
        lambda face: pen_layer(face, shown_of(face), pens or (NO_PEN,), faint), given_up(faces)
    )
    return replace(mosaic(poses, layers, pens, faint), player=known)
