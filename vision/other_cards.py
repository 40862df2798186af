"""The photo read once more for each other answer to a doubt about cards: another card in its place, a likely
name for one that has none, the other group. Only so does an answer tell what it would score."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from scorer.record import Rotation
from vision import homography
from vision.allowance import allowance, one_allowance
from vision.asking import cards_told, with_more_doubts
from vision.blas import single_threaded_blas
from vision.card_index import CardIndex
from vision.faces import SeenCards
from vision.known_lens import lens_of
from vision.layout import CardDoubt, CardPose, Layout, read_layout
from vision.mirrored import read_either_way
from vision.other_tableaus import OtherTableau, is_about, other_tableaus, seen_from, with_tableaus
from vision.pen_profile import PenProfile
from vision.photo import Photo
from vision.rescan import Corners, PinnedCard, likeliest_cards, scan_pinned
from vision.scan import Scan, StageClock, scan_layout, seen_photo
from vision.through_lens import as_photographed

Array = NDArray[np.float64]

#: So many other names are tried for one card, and so many readings made for one photo: each costs as much as
#: the ink and the path of the first.
MOST_NAMES, MOST_READINGS = 2, 3
#: A card without a name lies this near to where its neighbour's openings would meet its own.
_SNAP_MM = 15.0


@one_allowance()
@single_threaded_blas()
def scan_with_doubts(
    photo: Photo,
    catalogue: Catalogue,
    index: CardIndex,
    on_stage: Callable[[str], None] | None = None,
    pen: PenProfile | None = None,
) -> Scan:
    """Read a photo as `vision.scan.scan_photo` does; doubts about cards carry the readings that their other
    answers make (`Scan.instead`). Where the phone's lens was measured, what it bends is straightened first.
    Raises `WaymarkError`: status 3 where the photo cannot be read, 4 where no card is in it."""
    clock = StageClock(on_stage)
    lens = lens_of(photo)
    straight = photo if lens is None else lens.straight_photo(photo)
    clock.note("photo")

    def read(photo: Photo) -> Scan:
        layout = read_layout(photo, index)
        clock.note("layout")
        seen = SeenCards(other_cards=bool(layout.doubts))
        scan = scan_layout(photo, layout, catalogue, clock, pen, seen)
        # After the tableau's own cards: what is decoded for others must not change how those are seen.
        tableaus = other_tableaus(photo, layout, catalogue, index, pen)
        if tableaus:
            first, layout = layout, with_tableaus(layout, tableaus)
            tableaus = tuple(seen_from(photo, each, layout) for each in tableaus)
            scan = replace(
                scan,
                photo=seen_photo(photo, layout, scan.photo.shortcomings),
                questions=with_more_doubts(scan.questions, first, layout),
                sure=False,
            )
        scan = with_other_cards(photo, layout, scan, catalogue, index, pen, seen, tableaus)
        return replace(scan, timings_ms=clock.total())

    scan = read_either_way(straight, read)
    return scan if lens is None else as_photographed(scan, lens)


def with_other_cards(
    photo: Photo,
    layout: Layout,
    scan: Scan,
    catalogue: Catalogue,
    index: CardIndex,
    pen: PenProfile | None = None,
    seen: SeenCards | None = None,
    tableaus: Sequence[OtherTableau] = (),
) -> Scan:
    """A scan of a layout with the readings that other answers to its doubts about cards make; `pen` is the
    one that the scan was read with, `seen` what was kept of its cards, `tableaus` are read already."""
    questions, instead = list(scan.questions), list(scan.instead)
    steps = allowance()
    first = steps.spent
    # Questions about cards come first, in the order of the layout's doubts.
    for number, doubt in enumerate(layout.doubts):
        read = [each.scan for each in tableaus if is_about(doubt, each)][:1]
        instead += read
        for cards in _other_cards(photo, layout, doubt, index) if not read else ():
            other = None
            # one more reading takes about as many steps as the first
            if len(instead) < MOST_READINGS and steps.covers(first):
                other = _read_on(photo, cards, catalogue, index, pen, seen)
            if other is not None and other.tableau.cards != scan.tableau.cards:
                read.append(other)
                instead.append(other)
        if read:
            questions[number] = replace(
                questions[number],
                options=(questions[number].options[0], *(_told(layout, doubt, other) for other in read)),
                alternatives=tuple(other.tableau for other in read),
            )
    return replace(scan, questions=tuple(questions), instead=tuple(instead))


def _read_on(
    photo: Photo,
    cards: Sequence[PinnedCard],
    catalogue: Catalogue,
    index: CardIndex,
    pen: PenProfile | None,
    seen: SeenCards | None,
) -> Scan | None:
    """The photo read on these cards; None where they cannot lie so."""
    try:
        return scan_pinned(photo, cards, catalogue, index, pen=pen, seen=seen)
    except WaymarkError:
        return None


def _told(layout: Layout, doubt: CardDoubt, other: Scan) -> str:
    """By which cards a reading differs, in one line; of another group all of them."""
    before = [(pose.card, pose.x_mm, pose.y_mm) for pose in layout.poses if doubt.reason != "group"]
    cards = other.tableau.cards
    return cards_told(card.card for card in cards if (card.card, card.x, card.y) not in before)


def _other_cards(
    photo: Photo, layout: Layout, doubt: CardDoubt, index: CardIndex
) -> Iterator[tuple[PinnedCard, ...]]:
    """The tableau's cards for each of a doubt's other answers, the likeliest first."""
    cards = tuple(_pinned(pose) for pose in layout.poses)
    if doubt.reason in ("alike", "unlike-its-art"):
        now = cards[doubt.index]
        for option in [name for name in doubt.options if name != now.card][:MOST_NAMES]:
            named = replace(now, card=option, confidence=1.0, changed=True)
            yield (*cards[: doubt.index], named, *cards[doubt.index + 1 :])
    elif doubt.reason in ("stranger", "cut-off") and doubt.corners_px is not None:
        for stranger in _likely_strangers(photo, layout, doubt, index):
            yield (*cards, stranger)
    elif doubt.reason == "group" and doubt.corners_px is not None:
        group = [pose for pose in layout.others if _within(pose.corners_px, doubt.corners_px)]
        if group:
            yield _upright([_pinned(pose) for pose in group], index)


def _pinned(pose: CardPose) -> PinnedCard:
    return PinnedCard(
        pose.card,
        cast("Rotation", pose.rotation % 360),
        pose.x_mm,
        pose.y_mm,
        _corners(pose.corners_px),
        pose.confidence,
    )


def _corners(at_px: Array) -> Corners:
    return tuple((float(x), float(y)) for x, y in at_px)


def _within(corners_px: Array, outline_px: Array) -> bool:
    """Whether the middle of a card lies within the box about an outline, both in photo pixels."""
    middle = corners_px.mean(axis=0)
    return bool((middle >= outline_px.min(axis=0)).all() and (middle <= outline_px.max(axis=0)).all())


def _likely_strangers(
    photo: Photo, layout: Layout, doubt: CardDoubt, index: CardIndex
) -> Iterator[PinnedCard]:
    """The cards that are most like what lies in a place without a name, or the one that was sighted there,
    laid beside its neighbour."""
    assert doubt.corners_px is not None
    outline = _corners(doubt.corners_px)
    from_photo = np.asarray(np.linalg.inv(layout.table_to_photo), np.float64)
    corners_mm = homography.apply(from_photo, doubt.corners_px)
    along = corners_mm[1] - corners_mm[0]
    quarters = round(float(np.arctan2(along[1], along[0])) / (np.pi / 2)) % 4
    used = {pose.card for pose in layout.poses}
    names = [each for each in likeliest_cards(photo, outline, index) if each[0] not in used]
    for name, turn in names[:MOST_NAMES]:
        card = index.ids.index(name)
        size = index.sizes_mm[card]
        rotation = (90 * quarters + turn) % 360
        extent = np.array(size if rotation % 180 == 0 else size[::-1])
        middle = _beside(layout, doubt.index, corners_mm.mean(axis=0), extent, index)
        if middle is None or rotation not in index.rotations[card]:
            continue
        x, y = middle - extent / 2
        turned = (*outline[turn // 90 :], *outline[: turn // 90])
        yield PinnedCard(
            name,
            cast("Rotation", rotation),
            round(float(x), 2),
            round(float(y), 2),
            turned,
            confidence=1.0,
            changed=True,
        )


def _beside(
    layout: Layout, neighbour: int, middle_mm: Array, extent_mm: Array, index: CardIndex
) -> Array | None:
    """Where the middle of a card lies that touches a neighbour near a place, table mm."""
    pose = layout.poses[neighbour]
    size = index.sizes_mm[index.ids.index(pose.card)]
    own = np.array(size if pose.rotation % 180 == 0 else size[::-1])
    one, other = ((float(each[0]), float(each[1])) for each in (own, extent_mm))
    spots = np.array([pose.x_mm, pose.y_mm]) + own / 2 + index.neighbours.shifts(one, other)
    if not len(spots):
        return None
    away = np.linalg.norm(spots - middle_mm, axis=1)
    nearest: Array = spots[int(away.argmin())]
    return nearest if away.min() <= _SNAP_MM else None


def _upright(cards: Sequence[PinnedCard], index: CardIndex) -> tuple[PinnedCard, ...]:
    """A group turned by a quarter as a whole where its cards may not lie as they do in this frame."""

    def lies(card: PinnedCard) -> bool:
        return card.rotation in index.rotations[index.ids.index(card.card)]

    if all(lies(card) for card in cards):
        return tuple(cards)
    turned = []
    for card in cards:
        width, height = index.sizes_mm[index.ids.index(card.card)]
        across = height if card.rotation % 180 == 0 else width
        rotation = cast("Rotation", (card.rotation + 90) % 360)
        turned.append(replace(card, rotation=rotation, x=round(-card.y - across, 2), y=card.x))
    return tuple(turned)
