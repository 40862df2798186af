"""A catalogue's `BoardArt`, kept with the catalogue and on disk between runs."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path

import numpy as np

from scorer.board_game import BoardGame
from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.games import game_of
from scorer.layered import Layers
from vision.board_art import DESCRIPTORS, POINTS, Arrays, BoardArt, board_art, look_at_art
from vision.card_index import cache_folder, cache_name, write_arrays

#: Raise whenever what is kept changes: old files are then not read any more.
VERSION = 1

#: Threads that begin with the same catalogue wait for the one that reads its art.
_loading = threading.Lock()


def shows_a_board(catalogue: Catalogue) -> bool:
    """Whether photos of a game show a board of a fixed grid: one that is printed, or of loose pieces."""
    if any(card.kind in ("board", "fixed") for card in catalogue.cards):
        return game_of(catalogue).laying.grid is not None
    return is_loose(catalogue)


def is_loose(catalogue: Catalogue) -> bool:
    """Whether a game's board is of loose pieces alone."""
    game = game_of(catalogue)
    return isinstance(game, BoardGame) and game.laid_out is not None


def layers_of(catalogue: Catalogue) -> Layers | None:
    """What photos of a board of layers may show; None for games whose boards are none."""
    game = game_of(catalogue)
    if not isinstance(game, BoardGame) or game.layers is None:
        return None
    layers = game.layers(game.pieces_of(catalogue))
    if layers is None:
        raise WaymarkError(
            Code.NO_CARD,
            "Photos of this box cannot be read: its catalogue has no map in one piece; tell turns by hand.",
            "このカタログには 1 枚の地図がないため、写真を読めません。手番は手で入力してください。",
        )
    return layers


def load_board(catalogue: Catalogue) -> BoardArt:
    """What a catalogue's pieces look like. Raises `WaymarkError` (art-unreadable)."""
    kept = vars(catalogue)
    with _loading:
        if "board_art" not in kept:
            kept["board_art"] = _load(catalogue)
    art: BoardArt = kept["board_art"]
    return art


def _load(catalogue: Catalogue) -> BoardArt:
    grid = game_of(catalogue).laying.grid
    assert grid is not None, "asked of boards alone"
    file = cache_folder() / f"board-{cache_name(catalogue, VERSION)}.npz"
    arrays = _kept(file)
    if arrays is None:
        arrays = look_at_art(catalogue, grid)
        write_arrays(arrays, file)
        _prune(file)
    return board_art(catalogue, grid, arrays)


def _kept(file: Path) -> Arrays | None:
    """What is kept in a file; None where there is none, or it is damaged."""
    try:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
    except Exception:
        # Whatever is wrong with a cache file, reading the art anew mends it.
        return None
    return arrays if POINTS in arrays and DESCRIPTORS in arrays else None


def _prune(file: Path) -> None:
    """Remove what is kept of earlier states of the catalogue."""
    earlier = file.name.rpartition("-")[0]
    with contextlib.suppress(OSError):
        for other in file.parent.glob(f"{earlier}-*.npz"):
            if other != file:
                other.unlink()
