"""Readings of one photo under different assumptions about lens and cards.

A known lens distortion is removed. Cards may be set by a person. Doubtful cards are replaced by their
alternatives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from scorer.placement import card_to_table
from scorer.record import PlacedCard, Rotation
from vision.allowance import allowance, one_allowance
from vision.asking import cards_told, with_more_doubts, with_too_much
from vision.cards.adjacency import Size
from vision.cards.compare import COARSE_PX_PER_MM, Likeness, align, least_likeness, likeness_to
from vision.cards.find_layout import read_layout
from vision.cards.index import CardIndex
from vision.cards.layout import CardDoubt, Layout
from vision.cards.pose import CardPose, Corners, LayoutCard, corners_of
from vision.ink.faces import SeenCards
from vision.ink.pens import PenProfile
from vision.mirrored import as_turned_over, read_either_way, reflected, run_backwards, turned_over
from vision.other_tableaus import OtherTableau, is_about, other_tableaus, seen_from, with_tableaus
from vision.photo import geometry
from vision.photo.decode import Photo
from vision.photo.lens import KnownLens, lens_of
from vision.photo.runtime import single_threaded_blas
from vision.photo.view import View, make_view
from vision.scan import Scan, StageClock, scan_layout, seen_photo

Array = NDArray[np.float64]
Box = tuple[int, int, int, int]


def as_photographed(scan: Scan, lens: KnownLens) -> Scan:
    """A scan of an undistorted photo (`KnownLens.straight_photo`), mapped back to pixels of the photo
    itself."""
    photo = replace(
        scan.photo,
        apart=tuple(_bent_card(card, lens) for card in scan.photo.apart),
        shortcomings=tuple(
            replace(each, box=_bent_box(each.box, lens)) if each.box is not None else each
            for each in scan.photo.shortcomings
        ),
    )
    questions = tuple(
        replace(each, crop_px=_bent_box(each.crop_px, lens)) if each.crop_px is not None else each
        for each in scan.questions
    )
    return replace(
        scan,
        photo=photo,
        cards=tuple(_bent_card(card, lens) for card in scan.cards),
        path_px=tuple(_bent(line, lens) for line in scan.path_px),
        questions=questions,
        instead=tuple(as_photographed(other, lens) for other in scan.instead),
    )


def straight_corners(corners: Corners, lens: KnownLens) -> Corners:
    """Undistorted corners, from corners that a person set in the photo."""
    return corners_of(lens.straight(np.array(corners, np.float64)))


def _bent_card(card: CardPose, lens: KnownLens) -> CardPose:
    return replace(card, corners=_bent(card.corners, lens))


def _bent(line: tuple[tuple[float, float], ...], lens: KnownLens) -> tuple[tuple[float, float], ...]:
    if not line:
        return line
    seen = lens.seen(np.array(line, np.float64))
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in seen)


def _bent_box(box: Box, lens: KnownLens) -> Box:
    left, top, right, bottom = box
    corners = lens.seen(np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64))
    corners = corners.clip(0, [lens.width, lens.height])
    low, high = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


#: Largest offset of a dragged outline when cards are compared with it.
_OUTLINE_SLACK_MM = 4.0


@dataclass(frozen=True)
class PinnedCard(CardPose):
    """A card as set by a person, with the record's `x`, `y` (mm) and `rotation`. It is stored with a photo.

    `changed`: the outline or the card differs from the reading. `options` are the ids that are still possible
    (best first), if any are.
    """

    rotation: Rotation
    x: float
    y: float
    changed: bool = False
    options: tuple[str, ...] = ()


@single_threaded_blas()
def scan_pinned(
    photo: Photo,
    pinned: Sequence[PinnedCard],
    catalogue: Catalogue,
    index: CardIndex,
    on_stage: Callable[[str], None] | None = None,
    pen: PenProfile | None = None,
    seen: SeenCards | None = None,
) -> Scan:
    """Scan of ink, path and marks of a photo on the pinned cards, in their order.

    `on_stage` is called at the end of each stage. `pen` is the player's own. `seen` is the cache of the
    photo's cards. Raises `WaymarkError` (unknown-card, heaped-cards).
    """
    if run_backwards([card.corners for card in pinned]):
        over = tuple(replace(card, corners=as_turned_over(card.corners, photo.width)) for card in pinned)
        read = scan_pinned(turned_over(photo), over, catalogue, index, on_stage, pen)
        return reflected(read, photo.width)
    clock = StageClock(on_stage)
    if (lens := lens_of(photo)) is not None:
        straight = tuple(replace(card, corners=straight_corners(card.corners, lens)) for card in pinned)
        scan = scan_pinned(lens.straight_photo(photo), straight, catalogue, index, on_stage, pen)
        return as_photographed(scan, lens)
    clock.note("photo")
    poses = _poses(photo, pinned, index)
    table = np.concatenate([_footprint_mm(card, catalogue) for card in pinned])
    corners = np.concatenate([card.corners_px for card in pinned])
    table_to_photo, _ = cv2.findHomography(table, corners)
    doubts = [CardDoubt(k, card.options, "alike") for k, card in enumerate(pinned) if card.options]
    layout = Layout(poses, np.asarray(table_to_photo, np.float64), doubts=tuple(doubts))
    clock.note("layout")
    return scan_layout(photo, layout, catalogue, clock, pen, seen)


@single_threaded_blas()
def likeliest_cards(photo: Photo, corners: Corners, index: CardIndex) -> list[tuple[str, int]]:
    """All cards ranked by likeness to the photo within an outline: (id, degrees clockwise against the
    outline).

    The ranking is the catalogue's order if the outline is outside the photo.
    """
    if run_backwards([corners]):
        return likeliest_cards(turned_over(photo), as_turned_over(corners, photo.width), index)
    view, likeness = make_view(photo, max(index.neighbours.board)), likeness_to(index)
    slack = round(_OUTLINE_SLACK_MM * COARSE_PX_PER_MM)
    scores = np.full((4, len(index.ids)), -np.inf)
    for size_mm in index.footprints:
        for quarters in index.flips(size_mm):
            turned = (*corners[quarters:], *corners[:quarters])
            region = likeness.coarse_region(view, _to_photo(turned, size_mm), size_mm, slack)
            if region is None:
                return [(name, 0) for name in index.ids]
            scores[quarters, likeness.cards_of(size_mm)] = likeness.try_all(region, size_mm, slack)[0]
    turn = 90 * scores.argmax(axis=0)
    return [(index.ids[card], int(turn[card])) for card in np.argsort(-scores.max(axis=0), kind="stable")]


def _poses(photo: Photo, pinned: Sequence[PinnedCard], index: CardIndex) -> tuple[LayoutCard, ...]:
    touched = any(card.changed for card in pinned)
    view = make_view(photo, max(index.neighbours.board)) if touched else None
    likeness = likeness_to(index)
    poses = []
    for card in pinned:
        size_mm = index.sizes_mm[index.ids.index(card.card)]
        to_photo = _to_photo(card.corners, size_mm)
        if view is not None and card.changed:
            to_photo = _laid_over(view, to_photo, card.card, likeness)
        poses.append(
            LayoutCard(
                card=card.card,
                rotation=card.rotation,
                x_mm=card.x,
                y_mm=card.y,
                card_to_photo=to_photo,
                corners=corners_of(geometry.apply(to_photo, geometry.rectangle(*size_mm))),
                confidence=card.confidence,
            )
        )
    return tuple(poses)


def _laid_over(view: View, to_photo: Array, card: str, likeness: Likeness) -> Array:
    """Homography (3, 3) of a card aligned to the photo near `to_photo`; `to_photo` itself where the art fits
    nowhere."""
    number = likeness.index.ids.index(card)
    aligned = align(view, to_photo, number, likeness)
    fits = aligned is not None and aligned.likeness >= least_likeness(likeness.index.sizes_mm[number])
    return aligned.card_to_photo if aligned is not None and fits else to_photo


def _to_photo(corners: Corners, size_mm: Size) -> Array:
    face = geometry.rectangle(*size_mm).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(face, np.array(corners, np.float32)), np.float64)


def _footprint_mm(card: PinnedCard, catalogue: Catalogue) -> Array:
    """Printed corners (4, 2) of a card in table mm."""
    size = catalogue.size_of(card.card)
    placed = PlacedCard(card.card, card.x, card.y, card.rotation)
    corners = geometry.rectangle(*size).tolist()
    return np.array([card_to_table(placed, (x, y), size) for x, y in corners])


#: Largest number of other identities tried for one card, and of readings for one photo: each costs as much as
#: the first reading of ink and path.
MOST_NAMES, MOST_READINGS = 2, 3
#: Largest distance at which a card without a name is moved to where its openings meet its neighbour's.
_SNAP_MM = 15.0


@one_allowance()
@single_threaded_blas()
def scan_with_doubts(
    photo: Photo,
    catalogue: Catalogue,
    index: CardIndex,
    on_stage: Callable[[str], None] | None = None,
    pen: PenProfile | None = None,
    most_cards: int | None = None,
) -> Scan:
    """Scan of a photo: cards, layout, ink, path, marks and doubts.

    `index` is the catalogue's (`vision.cards.index.load_index`). `on_stage` is called at the end of each
    stage. `pen` is the player's own, if it was measured. Doubts about cards carry the readings for their
    other answers (`Scan.instead`). If the phone's lens was measured, its distortion is removed first.

    A tableau has at most `most_cards` (None: any number). Ink is not read on another card beside as many, and
    a question about one has no other answers.

    Raises `WaymarkError`: status 3 where the photo cannot be read, 4 where no card is in it.
    """
    clock = StageClock(on_stage)
    lens = lens_of(photo)
    straight = photo if lens is None else lens.straight_photo(photo)
    clock.note("photo")

    def read(photo: Photo) -> Scan:
        layout = read_layout(photo, index)
        clock.note("layout")
        seen = SeenCards(other_cards=bool(layout.doubts))
        scan = scan_layout(photo, layout, catalogue, clock, pen, seen)
        # After the tableau's own cards, because decoding for other tableaus must not change how those are
        # seen.
        refused = allowance().refusals
        tableaus = other_tableaus(photo, layout, catalogue, index, pen)
        if allowance().refusals > refused:
            asked = with_too_much(scan.questions, scan.tableau, layout, catalogue)
            scan = replace(scan, questions=asked, sure=False)
        if tableaus:
            first, layout = layout, with_tableaus(layout, tableaus)
            tableaus = tuple(seen_from(photo, each, layout) for each in tableaus)
            scan = replace(
                scan,
                photo=seen_photo(photo, layout, scan.photo.shortcomings),
                questions=with_more_doubts(scan.questions, first, layout),
                sure=False,
            )
        scan = with_other_cards(photo, layout, scan, catalogue, index, pen, seen, tableaus, most_cards)
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
    most_cards: int | None = None,
) -> Scan:
    """A scan of a layout, with the readings added for the other answers to its doubts about cards.

    `pen` is the pen of the scan. `seen` is the cache of its cards. `tableaus` are already read. `most_cards`:
    see `scan_with_doubts`.
    """
    questions, instead = list(scan.questions), list(scan.instead)
    steps = allowance()
    first = steps.spent
    full = most_cards is not None and len(layout.poses) >= most_cards
    # Questions about cards come first, in the order of the layout's doubts.
    for number, doubt in enumerate(layout.doubts):
        read = [each.scan for each in tableaus if is_about(doubt, each)][:1]
        instead += read
        known = bool(read) or (full and doubt.reason in ("stranger", "cut-off"))
        for cards in _other_cards(photo, layout, doubt, index) if not known else ():
            other = None
            # another reading takes about as many steps as the first
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
    """Scan of the photo with other cards; None if they cannot lie there."""
    try:
        return scan_pinned(photo, cards, catalogue, index, pen=pen, seen=seen)
    except WaymarkError:
        return None


def _told(layout: Layout, doubt: CardDoubt, other: Scan) -> str:
    """List, in one line, of the cards in which a reading differs from the layout; all cards for another
    group."""
    before = [(pose.card, pose.x_mm, pose.y_mm) for pose in layout.poses if doubt.reason != "group"]
    cards = other.tableau.cards
    return cards_told(card.card for card in cards if (card.card, card.x, card.y) not in before)


def _other_cards(
    photo: Photo, layout: Layout, doubt: CardDoubt, index: CardIndex
) -> Iterator[tuple[PinnedCard, ...]]:
    """Iterator over the tableau's cards for each other answer of a doubt, likeliest first."""
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


def _pinned(pose: LayoutCard) -> PinnedCard:
    return PinnedCard(
        card=pose.card,
        rotation=cast("Rotation", pose.rotation % 360),
        corners=pose.corners,
        confidence=pose.confidence,
        x=pose.x_mm,
        y=pose.y_mm,
    )


def _within(corners_px: Array, outline_px: Array) -> bool:
    """Whether the middle of a card is within the bounding box of an outline, both in photo pixels."""
    middle = corners_px.mean(axis=0)
    return bool((middle >= outline_px.min(axis=0)).all() and (middle <= outline_px.max(axis=0)).all())


def _likely_strangers(
    photo: Photo, layout: Layout, doubt: CardDoubt, index: CardIndex
) -> Iterator[PinnedCard]:
    """Cards most like an unidentified or cut-off card in a doubt's outline, each placed beside its
    neighbour."""
    assert doubt.corners_px is not None
    outline = corners_of(doubt.corners_px)
    from_photo = np.asarray(np.linalg.inv(layout.table_to_photo), np.float64)
    corners_mm = geometry.apply(from_photo, doubt.corners_px)
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
            card=name,
            rotation=cast("Rotation", rotation),
            corners=turned,
            confidence=1.0,
            x=round(float(x), 2),
            y=round(float(y), 2),
            changed=True,
        )


def _beside(
    layout: Layout, neighbour: int, middle_mm: Array, extent_mm: Array, index: CardIndex
) -> Array | None:
    """Centre (table mm) of a card that touches a neighbour, at the allowed offset nearest to a place; None if
    none is near."""
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
    """A group of cards, rotated as a whole by a quarter turn if a card's rotation is not allowed in this
    frame."""

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
