"""Which of several board games a photo shows: their boards are looked for, and nothing is read of them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from vision.allowance import one_allowance
from vision.boards.art import is_loose, layers_of, load_board
from vision.boards.layered_art import layered_art
from vision.boards.layered_plane import find_ground
from vision.boards.panel_plane import find_lattice
from vision.boards.plane import find_plane
from vision.boards.scan_loose import loose_board
from vision.mirrored import turned_over
from vision.photo.decode import Photo
from vision.photo.runtime import single_threaded_blas
from vision.photo.view import Reductions


@one_allowance()
@single_threaded_blas()
def board_shown(photo: Photo, catalogues: Sequence[Catalogue]) -> int | None:
    """The number of the first catalogue whose board is in a photo, or in its mirror image where none is in
    the photo itself; None where there is none. A catalogue whose pieces cannot be looked for has none."""
    for each in (photo, turned_over(photo)):
        pictures = Reductions(each)
        for number, catalogue in enumerate(catalogues):
            with suppress(WaymarkError):  # art-unreadable, or no map in one piece
                if _shows(pictures, catalogue):
                    return number
    return None


def _shows(pictures: Reductions, catalogue: Catalogue) -> bool:
    layers = layers_of(catalogue)
    if layers is not None:
        return find_ground(pictures, layered_art(catalogue, layers)) is not None
    art = load_board(catalogue)
    if not is_loose(catalogue):
        return find_plane(pictures, art) is not None
    board = loose_board(catalogue, art)
    return find_lattice(pictures, board.panels, board.art.columns, board.art.rows) is not None
