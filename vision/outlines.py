"""Where a picture seems to show cards: a first look, for a viewfinder. No layout is solved, nothing read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.blas import single_threaded_blas
from vision.card_index import CardIndex
from vision.cards import find_features, match_features, sight_cards
from vision.photo import Photo
from vision.view import make_view


@single_threaded_blas()
def find_outlines(photo: Photo, index: CardIndex) -> list[NDArray[np.float64]]:
    """The corners, (4, 2) pixels, of each card that is recognised at a first look; none where none is."""
    view = make_view(photo.pixels)
    matches = match_features(find_features(view, index), index)
    return [sighting.corners_px(index) for sighting in sight_cards(matches, index, view.scale)]
