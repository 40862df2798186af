"""What the picture of a board shows: everything that was read, and no label over what it tells of."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from clear_labels import check_labels
from long_rest import long_but

from scorer.catalogue import load_catalogue
from scorer.games import game_named
from vision.photo.decode import load_photo
from waymark.picture.board_overlay import draw_board
from waymark.review.boards.assess import score_board

SAMPLES = Path(__file__).parents[2] / "samples"
SHIPPED = [
    (game, file.name)
    for game in ("labyrinth2", "stone_dragon", "ice_and_idols")
    for file in sorted((SAMPLES / f"{game}_photos").glob("*.jpg"))
]


@pytest.mark.parametrize(("game", "name"), long_but(SHIPPED, 1))
def test_no_label_covers_a_piece_or_another_label(game: str, name: str) -> None:
    bundled = game_named(game).bundled
    assert bundled is not None
    photo = load_photo(SAMPLES / f"{game}_photos" / name)
    now = score_board(photo, load_catalogue(bundled))
    for language in ("en", "ja"):
        shown = check_labels(partial(draw_board, photo, now, language)).placed
        pieces = {each.piece for each in now.scan.pieces} | {each.piece for each in now.scan.held}
        assert pieces <= {line for label in shown for line in label.lines}
