"""Search schedule: the views of a photo in which cards are detected, coarse to fine, and detection in
each."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterable, Iterator
from functools import partial

from vision.allowance import allowance, one_allowance
from vision.cards.features import (
    Features,
    Matches,
    Sighting,
    described,
    detect,
    find_features,
    match_features,
    most_features,
    sight_cards,
)
from vision.cards.index import CardIndex
from vision.cards.search_views import Sight, enlarged, parts, straight, stretched
from vision.photo.decode import Photo
from vision.photo.runtime import single_threaded_blas
from vision.photo.view import LONGER_SIDE_PX, Reductions, view_px

#: Longer side of the picture at the first look, and at the closer ones, which are taken if cards are in doubt
#: or there seem to be more than were found; the last one only if none was found.
LOOKS_PX = (540.0, LONGER_SIDE_PX, 2200.0)
#: Least ratio of side lengths from one view to the next finer one; a small photo has no finer view.
FINER = 1.2
#: Cards shorter than this in a small photo are searched once more in a picture enlarged by up to this factor.
#: Of 30 photos (`tuning-evening`, open deck and a third one) reduced until cards are 60 px long, 23 instead
#: of 10 are then read rightly; at 75 px 25 instead of 23; at 90 px it would be 26 instead of 25.
SMALL_PX, MOST_ENLARGED = 85.0, 2.5


def sighted(sight: Sight, index: CardIndex) -> tuple[Features, Matches, tuple[Sighting, ...]]:
    """Features, matches and card detections in one view, cached while the photo is read.

    A later search for the reason of an empty result uses them again.
    """
    view = sight.view

    def look() -> tuple[Features, Matches, tuple[Sighting, ...]]:
        features = find_features(view, index, finely=sight.finely)
        matches = match_features(features, index)
        return features, matches, sight_cards(matches, index, view.scale)

    what = ("sighted", id(index), sight.finely, zlib.crc32(view.grey.tobytes()), sight.to_photo.tobytes())
    return allowance().once(what, price_of(sight), look)


def price_of(sight: Sight) -> int:
    """Cost of searching a view, in steps of `vision.allowance`: one step per pixel, mostly for the
    features."""
    return int(sight.view.grey.size)


@one_allowance()
@single_threaded_blas()
def boxes_shown(photo: Photo, indexes: Iterable[CardIndex]) -> tuple[int, ...]:
    """Numbers of the indexes whose cards are detected in the first two views of a photo.

    Most photos show their cards there, and searching all views takes ten times as long. Features are detected
    once for all indexes.
    """
    photo_at = Reductions(photo)
    return tuple(number for number, index in enumerate(indexes) if _shows_cards(photo_at, index))


def _shows_cards(photo_at: Reductions, index: CardIndex) -> bool:
    for sight in itertools.islice(sights_of(photo_at, index), 2):
        view, most = sight.view, most_features(sight.view, index)
        what = ("detected", most, view.grey.shape, zlib.crc32(view.grey.tobytes()))
        found = allowance().once(what, price_of(sight), partial(detect, view, most))
        if sight_cards(match_features(described(found, view, index), index), index, view.scale):
            return True
    return False


def sights_of(photo_at: Reductions, index: CardIndex) -> Iterator[Sight]:
    """Iterator over the views of a photo to search, coarse to fine; the caller stops when nothing is left
    open."""
    freely = index.neighbours.laying.grid is None
    cells, whole, before = max(index.neighbours.board), max(photo_at.size), 0.0
    # A board has many pieces, which are small in any picture of the whole board.
    for longer_side_px in LOOKS_PX if freely else LOOKS_PX[1:]:
        seen_px = min(view_px(cells, longer_side_px), whole)
        if seen_px >= FINER * before:
            before = seen_px
            yield straight(photo_at, seen_px)
        if freely and longer_side_px == LONGER_SIDE_PX:
            yield stretched(photo_at, seen_px)
    if freely and (growth := min(MOST_ENLARGED, LOOKS_PX[-1] / whole)) >= FINER:
        yield enlarged(photo_at, whole * growth)
    elif freely:
        yield from parts(photo_at)
