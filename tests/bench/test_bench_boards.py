"""Photos of boards are read with the pieces that lie in them, whatever other boxes are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from samples.second_tiles import second_tiles
from waymark.bench.boards import bench_boards

SHIPPED = Path(__file__).parents[2] / "samples" / "labyrinth2_photos"


@pytest.mark.long
def test_a_box_that_the_photos_do_not_show_changes_no_reading() -> None:
    named, alone = (bench_boards(SHIPPED, boxes)["photos"] for boxes in ([second_tiles()], []))
    for one in (*named, *alone):
        one.pop("cpu_seconds", None)
    assert named == alone
