"""Leftovers: ink beside the path that may be a stretch of it, and what is none."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_cards import Table, catalogue

from scorer.record import PlacedCard
from vision.ink import read_ink
from vision.leftovers import unexplained
from vision.marks import find_rings


@pytest.mark.parametrize(
    ("size_mm", "told"),
    [
        pytest.param((1.5, 7.0), True, id="a piece of a line"),
        pytest.param((4.0, 5.5), False, id="a patch of shade"),
        pytest.param((1.5, 2.5), False, id="a speck"),
    ],
)
def test_only_a_line_beside_the_path_is_told(size_mm: tuple[float, float], told: bool) -> None:
    card = next(card for card in catalogue().cards if card.rooms)
    table = Table((PlacedCard(card.id, 0, 0, 0),))
    photo, layout = table.photo()
    ink = read_ink(photo.pixels, layout.poses, catalogue())
    corridors = [link.line_mm for link in table.dungeon.links if link.kind == "corridor"]
    ends = max((np.asarray(line) for line in corridors), key=lambda line: np.abs(np.diff(line, axis=0)).max())
    leg = int(np.linalg.norm(np.diff(ends, axis=0), axis=1).argmax())
    start, end = ends[leg], ends[leg + 1]
    across = 0 if abs(end[1] - start[1]) > abs(end[0] - start[0]) else 1
    half = np.array(size_mm if across == 0 else size_mm[::-1]) / 2
    low, high = (ink.to_px((start + end) / 2 + side * half).round().astype(int).tolist() for side in (-1, 1))
    evidence = np.full_like(ink.evidence, -2.0)
    cv2.rectangle(evidence, low, high, 3.0, -1)
    ink = replace(ink, evidence=evidence)
    left = unexplained(ink, table.dungeon, find_rings(ink, table.dungeon), ())
    assert len(left) == told
