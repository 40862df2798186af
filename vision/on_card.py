"""Points of the table as they lie on a card: `scorer.placement.table_to_card` for many points at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scorer.placement import table_to_card
from scorer.record import PlacedCard

Array = NDArray[np.float64]


def on_card(placed: PlacedCard, points_mm: Array, card_size_mm: tuple[float, float]) -> Array:
    """(N, 2) table mm as mm on the upright card."""
    origin, *axes = np.array([table_to_card(placed, at, card_size_mm) for at in ((0, 0), (1, 0), (0, 1))])
    # quarter turns: nothing of the shift may be left in them
    return np.asarray(np.asarray(points_mm, np.float64) @ np.round(np.array(axes) - origin) + origin)
