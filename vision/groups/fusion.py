"""Fusion of several photos of one table: layouts -> one layout on the plane of one of them, by the cards that
they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from scorer.placement import Footprint, card_to_table, footprint
from scorer.record import PlacedCard
from vision.cards.layout import CardDoubt, Layout
from vision.cards.pose import LayoutCard, corners_of
from vision.groups import parameters
from vision.photo import geometry

Array = NDArray[np.float64]

#: Reasons of doubts about the surroundings of a card, which another photo may settle.
_BESIDE = ("gap", "stranger", "cut-off", "group", "alone")


@dataclass(frozen=True)
class View:
    """The cards that one photo (by number) shows, and for each of them its number among the cards of the
    table."""

    photo: int
    poses: tuple[LayoutCard, ...]
    cards: tuple[int, ...]


@dataclass(frozen=True)
class Together:
    """The table's layout, in the coordinates of the photo that shows most cards.

    `views` holds the cards of every photo used, that photo first. `apart` lists the photos (by number) that
    share too few cards to be joined.
    """

    layout: Layout
    views: tuple[View, ...]
    apart: tuple[int, ...] = ()


@dataclass(frozen=True)
class _Move:
    """Rigid motion from the table of one photo to that of another: an optional half turn, then a shift in
    mm."""

    turned: bool
    shift_mm: tuple[float, float]

    def of(self, pose: LayoutCard, size_mm: tuple[float, float]) -> LayoutCard:
        (x, y), lying = self.shift_mm, _footprint(pose, size_mm)
        if not self.turned:
            return replace(pose, x_mm=pose.x_mm + x, y_mm=pose.y_mm + y)
        rotation = (pose.rotation + 180) % 360
        return replace(pose, rotation=rotation, x_mm=x - lying.right, y_mm=y - lying.bottom)


def put_together(layouts: Sequence[Layout], catalogue: Catalogue) -> Together:
    """One layout from the layouts of several photos.

    Where two photos disagree about a card, the reading with the higher confidence is kept, and a doubt is
    added.
    """
    order = sorted(range(len(layouts)), key=lambda k: -len(layouts[k].poses))
    base = layouts[order[0]]
    poses, doubts = list(base.poses), [(order[0], doubt) for doubt in base.doubts]
    views = [View(order[0], base.poses, tuple(range(len(base.poses))))]
    waiting = order[1:]
    while waiting:
        moves = {k: _move(layouts[k].poses, poses, catalogue) for k in waiting}
        # the photo that shares most cards with those joined so far
        photo = max(waiting, key=lambda k: moves[k][1])
        move, shared = moves[photo]
        if shared < min(parameters.PHOTOS.least_shared_cards, len(layouts[photo].poses)) or not shared:
            break
        waiting.remove(photo)
        layout = layouts[photo]
        before = [pose.card for pose in poses]
        lying = [move.of(pose, _size(pose, catalogue)) for pose in layout.poses]
        numbers = tuple(_number(pose, poses, base, catalogue) for pose in lying)
        views.append(View(photo, layout.poses, numbers))
        for pose, number in zip(layout.poses, numbers, strict=True):
            read = {pose.card, *before[number : number + 1]} - {poses[number].card}
            doubts += [(photo, CardDoubt(number, (poses[number].card, other), "alike")) for other in read]
        doubts += [(photo, _moved(doubt, numbers, layout, base, move)) for doubt in layout.doubts]
    whole = replace(base, poses=tuple(poses))
    left = tuple(doubt for _, doubt in doubts if not _is_shown(doubt, doubts, whole, views, catalogue))
    return Together(replace(whole, doubts=left), tuple(views), tuple(waiting))


def _size(pose: LayoutCard, catalogue: Catalogue) -> tuple[float, float]:
    return catalogue.size_of(pose.card)


def _placed(pose: LayoutCard) -> PlacedCard:
    return PlacedCard(pose.card, pose.x_mm, pose.y_mm, pose.rotation)  # type: ignore[arg-type]


def _footprint(pose: LayoutCard, size_mm: tuple[float, float]) -> Footprint:
    return footprint(_placed(pose), size_mm)


def _middle(pose: LayoutCard, catalogue: Catalogue) -> Array:
    lying = _footprint(pose, _size(pose, catalogue))
    return np.array([lying.left + lying.right, lying.top + lying.bottom]) / 2


def _move(
    poses: Sequence[LayoutCard], known: Sequence[LayoutCard], catalogue: Catalogue
) -> tuple[_Move, int]:
    """The best motion from one photo's table onto the `known` cards, and the number of cards that agree with
    it."""
    best: tuple[_Move, int] = (_Move(False, (0.0, 0.0)), 0)
    for turned in (False, True):
        bare = _Move(turned, (0.0, 0.0))
        shifts = np.array(
            [
                _middle(other, catalogue) - _middle(here, catalogue)
                for here in (bare.of(pose, _size(pose, catalogue)) for pose in poses)
                for other in known
                if (here.card, here.rotation) == (other.card, other.rotation)
            ]
        )
        for shift in shifts:
            near = shifts[np.linalg.norm(shifts - shift, axis=1) < parameters.PHOTOS.shared_mm]
            if len(near) > best[1]:
                x, y = np.median(near, axis=0).tolist()
                best = _Move(turned, (x, y)), len(near)
    return best


def _number(pose: LayoutCard, poses: list[LayoutCard], base: Layout, catalogue: Catalogue) -> int:
    """The table number of the card at a pose; a card is appended to `poses` where none lies.

    If two photos name the card differently, the more confident reading replaces the other in `poses`.
    """
    middle = _middle(pose, catalogue)
    off = [float(np.linalg.norm(middle - _middle(other, catalogue))) for other in poses]
    nearest = int(np.argmin(off))
    is_new = off[nearest] > min(_size(pose, catalogue)) / 2
    if is_new or (pose.card != poses[nearest].card and pose.confidence > poses[nearest].confidence):
        seen = _on_plane(pose, base, catalogue)
        if is_new:
            poses.append(seen)
            return len(poses) - 1
        poses[nearest] = seen
    elif pose.card == poses[nearest].card:
        poses[nearest] = replace(poses[nearest], confidence=max(poses[nearest].confidence, pose.confidence))
    return nearest


def _on_plane(pose: LayoutCard, base: Layout, catalogue: Catalogue) -> LayoutCard:
    """The pose of a card from another photo, projected into the base photo."""
    size, placed = _size(pose, catalogue), _placed(pose)
    (x, y), (ax, ay), (bx, by) = (card_to_table(placed, at, size) for at in ((0, 0), (1, 0), (0, 1)))
    to_table = np.array([[ax - x, bx - x, x], [ay - y, by - y, y], [0.0, 0.0, 1.0]])
    to_photo = base.table_to_photo @ to_table
    return replace(
        pose, card_to_photo=to_photo, corners=corners_of(geometry.apply(to_photo, geometry.rectangle(*size)))
    )


def _moved(doubt: CardDoubt, numbers: Sequence[int], layout: Layout, base: Layout, move: _Move) -> CardDoubt:
    """A doubt of another photo, with its card number and its corners converted to the base photo's."""
    corners = doubt.corners_px
    if corners is not None:
        points_mm = _to_table(layout, corners)
        moved_mm = np.asarray((-points_mm if move.turned else points_mm) + move.shift_mm)
        corners = geometry.apply(base.table_to_photo, moved_mm)
    return replace(doubt, index=numbers[doubt.index], corners_px=corners)


def _is_shown(
    doubt: CardDoubt,
    doubts: Sequence[tuple[int, CardDoubt]],
    table: Layout,
    views: Sequence[View],
    catalogue: Catalogue,
) -> bool:
    """Whether another photo settles a doubt: it shows the same card without a doubt, or shows a card where
    one seemed to be missing."""
    if len(views) == 1 or doubt.reason == "screen":
        return False
    if doubt.reason in _BESIDE:
        if doubt.corners_px is None:
            return doubt.reason == "alone"
        x, y = _to_table(table, doubt.corners_px).mean(axis=0).tolist()
        return any(_footprint(pose, _size(pose, catalogue)).covers((x, y)) for pose in table.poses)
    doubted = {each for each, other in doubts if other.index == doubt.index and other.reason not in _BESIDE}
    return any(
        view.photo not in doubted and pose.card == table.poses[doubt.index].card
        for view in views
        for pose, number in zip(view.poses, view.cards, strict=True)
        if number == doubt.index
    )


def _to_table(layout: Layout, points_px: Array) -> Array:
    """Photo points (N, 2) px -> table points (N, 2) mm."""
    to_table = np.asarray(np.linalg.inv(layout.table_to_photo), np.float64)
    return np.asarray(geometry.apply(to_table, points_px), np.float64)
