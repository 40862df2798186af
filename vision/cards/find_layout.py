"""Layout from a photo: photo -> card poses on one table plane, searched in views from coarse to fine.

One model explains all feature matches of all cards (`vision.cards.cards_in_view`). It is a homography from
table mm to photo pixels, with a position and rotation per card. A finer view is searched only if the last one
leaves doubts.
"""

from __future__ import annotations

from scorer.errors import Code, WaymarkError
from scorer.text import Text
from vision.allowance import allowance, one_allowance
from vision.cards.cards_in_view import CardsInView, find_in_view
from vision.cards.compare import Likeness, likeness_to
from vision.cards.index import CardIndex
from vision.cards.layout import Layout
from vision.cards.looks import price_of, sights_of
from vision.cards.search_views import Sight, from_above
from vision.mirrored import MirroredPhoto, turned_over
from vision.photo.decode import Photo
from vision.photo.runtime import single_threaded_blas
from vision.photo.sharpness import is_blurred
from vision.photo.view import Reductions


@one_allowance()
@single_threaded_blas()
def read_layout(photo: Photo, index: CardIndex) -> Layout:
    """Layout of a photo's cards: detection of the cards, and their poses on the table plane.

    Views are searched from coarse to fine, as long as the last one leaves doubts.

    Raises `WaymarkError` (no-card, exit status 4) when no card of the index is in the photo. It is a
    `MirroredPhoto` if a card is in the photo's mirror image.
    """
    likeness, photo_at = likeness_to(index), Reductions(photo)
    freely = index.neighbours.laying.grid is None
    best: CardsInView | None = None
    for number, sight in enumerate(sights_of(photo_at, index)):
        if number and not allowance().covers(price_of(sight)):
            break
        best = _better(best, find_in_view(photo, photo_at, likeness, sight))
        close = number > 0 or not freely
        if freely and best is not None and best.doubtful and (above := _above(best, photo_at)) is not None:
            best, close = _better(best, find_in_view(photo, photo_at, likeness, above)), True
        small = best is not None and best.small and not sight.finely
        if best is not None and not best.poor and not small and (close or not best.doubtful):
            break
        # Checked before the remaining looks, which take most of the time.
        if best is None and number == 1 and _is_mirrored(photo, likeness):
            raise MirroredPhoto(no_card())
        if number == 1 and freely and is_blurred(sight.view.grey):
            break
    if best is None:
        raise MirroredPhoto(no_card()) if number < 1 and _is_mirrored(photo, likeness) else no_card()
    return best.layout


def _is_mirrored(photo: Photo, likeness: Likeness) -> bool:
    """Whether cards are detected in the mirror image of a photo, by its first view."""
    over = turned_over(photo)
    photo_at = Reductions(over)
    look = find_in_view(over, photo_at, likeness, next(sights_of(photo_at, likeness.index)))
    return look is not None and not look.poor


def layout_seen(photo: Photo, photo_at: Reductions, index: CardIndex, sight: Sight) -> Layout | None:
    """Layout from a single view of a photo; None if it shows no card."""
    look = find_in_view(photo, photo_at, likeness_to(index), sight)
    return None if look is None else look.layout


def _above(look: CardsInView, photo_at: Reductions) -> Sight | None:
    """Rectified top view of the table, if the view is steep; None if it is not, or the photo shows too
    little."""
    placed = [candidate.placed for candidate, _ in look.judged]
    return from_above(photo_at, look.table_to_photo, placed) if look.steep else None


def _better(one: CardsInView | None, other: CardsInView | None) -> CardsInView | None:
    """The better of two views: the one whose cards explain more of the photo."""
    if one is None or other is None:
        return one or other
    return other if other.worth > one.worth else one


def no_card() -> WaymarkError:
    """The error for a photo in which no card of the catalogue was recognised."""
    return WaymarkError(
        Code.NO_CARD,
        Text(
            "No card of this catalogue was recognised; take a sharp photo from above, filled by the cards, "
            "or name the catalogue of the game or box that lies there."
        ),
    )
