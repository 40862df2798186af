"""Whether the labels of a picture are in it and cover neither each other nor a sign."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from unittest import mock

import numpy as np

from waymark.picture.canvas import Canvas
from waymark.picture.labels import Labels
from waymark.review.projection import Points


def placed_labels(draw: Callable[[], object]) -> Labels:
    """The labels of the one drawing that `draw` makes."""
    with mock.patch.object(Labels, "draw", autospec=True) as drawn, mock.patch.object(Canvas, "finished"):
        draw()
    ((labels,), _) = drawn.call_args
    return labels  # type: ignore[no-any-return]


def boxes_of(labels: Labels) -> list[tuple[Points, Points]]:
    """The boxes (low, high) of labels."""
    return [(label.centre - label.half, label.centre + label.half) for label in labels.placed]


def check_clear(boxes: Sequence[tuple[Points, Points]], signs: Points, size: tuple[int, int]) -> None:
    """Boxes (low, high) lie in a picture of this size and on none of the signs (N, 4) and of each other."""
    for low, high in boxes:
        assert (low >= -1).all() and (high <= np.array(size) + 1).all()
        assert not ((low < signs[:, 2:]) & (high > signs[:, :2])).all(axis=1).any()
    for (low, high), (other_low, other_high) in itertools.combinations(boxes, 2):
        assert not ((low < other_high) & (high > other_low)).all()


def check_labels(draw: Callable[[], object]) -> Labels:
    """The labels of a drawing, all clear, and all that they point at in the picture."""
    labels = placed_labels(draw)
    size = labels.size
    # Every label is an obstacle to those placed after it.
    check_clear(boxes_of(labels), labels.obstacles[: -len(labels.placed)], size)
    for label in labels.placed:
        assert (label.at >= 0).all() and (label.at <= size).all(), label.lines
    return labels
