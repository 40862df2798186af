"""Recognition of the game in a photo among several board games. Only the boards are detected; no piece
is read."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from vision.allowance import one_allowance
from vision.boards.art import is_loose, layers_of, load_board
from vision.boards.layered_art import layered_art
from vision.boards.panel_plane import find_lattice
from vision.boards.plane import find_plane, known_boards
from vision.boards.scan_loose import loose_board
from vision.mirrored import turned_over
from vision.photo.decode import Photo
from vision.photo.runtime import single_threaded_blas
from vision.photo.view import Reductions


@one_allowance()
@single_threaded_blas()
def board_shown(photo: Photo, catalogues: Sequence[Catalogue]) -> int | None:
    """Index of the first catalogue whose board is detected in a photo, or else in its mirror image; None
    where none is. A catalogue whose pieces cannot be searched for is skipped."""
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
        return find_plane(pictures, layered_art(catalogue, layers).known) is not None
    art = load_board(catalogue)
    if not is_loose(catalogue):
        return find_plane(pictures, known_boards({"": art})) is not None
    board = loose_board(catalogue, art)
    return find_lattice(pictures, board.panels, board.art.columns, board.art.rows) is not None
