"""Detection of loose pieces without a catalogue: photo -> discs of one size, squares and rectangles of known
sizes (mm)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.outlines.background import unlike_table
from vision.outlines.blank_cards import outline_near
from vision.outlines.edges import find_quads
from vision.photo import geometry
from vision.photo.decode import Photo
from vision.photo.geometry import card_homography, misfit, plane_seen_at
from vision.photo.lens import AnyLens, Lens

Array = NDArray[np.float64]

#: Longer side of the picture in which rims are searched.
DISC_VIEW_PX = 900.0
#: Foreground probability above which a pixel is not table; kernel sizes (px) of the closing and the opening.
_UNLIKE, _CLOSED, _OPENED = 0.35, 9, 7
#: Focal length (share of the diagonal), tilts and azimuths (degrees) of the table that are tried.
_FOCAL = 0.65
_TILTS_DEG, _AZIMUTHS_DEG = (0.0, 12.0, 24.0, 36.0, 48.0), range(0, 360, 30)
#: Initial steps of the refinement: tilt and azimuth (degrees) and radius (factor); and how often they are
#: halved.
_STEPS, _HALVED = (6.0, 15.0, 1.05), 4
#: Bounds of the radii tried, as shares of the picture's longer side, and the ratio of successive radii.
_RADII, _RADIUS_STEP = (0.025, 0.2), 1.1
#: Size of the cells in which votes are counted, as a share of the radius.
_CELL = 0.12
#: Least visible share of a disc's rim, and the radii of other discs that are tried, relative to the first.
_RIM, _OTHER_RADII = 0.33, (0.8, 0.85, 0.9, 0.95, 1.0, 1.05, 1.1, 1.16, 1.22)
#: Least share of a disc's area that is foreground.
_FILLED = 0.3
#: Least distance between the centres of discs, in radii.
_APART = 1.5


@dataclass(frozen=True)
class LooseDisc:
    """Outline of a disc.

    `corners_px` (4, 2) is its bounding square in photo pixels, clockwise. `radius` is relative to the usual
    disc of the photo. `rim` is the visible share of its rim, 0 to 1.
    """

    corners_px: Array
    radius: float
    rim: float


@dataclass(frozen=True)
class _Rims:
    """Edge points of the foreground: points (n, 2) in a picture, and for each a point (n, 2) a little further
    inside.

    `unlike` (h, w) is the probability that each pixel is not table.
    """

    at: Array
    inner: Array
    unlike: NDArray[np.float32]

    def on(self, to_plane: Array) -> tuple[Array, Array]:
        """The edge points (n, 2) on a plane, and their inward unit normals (n, 2)."""
        at = geometry.apply(to_plane, self.at)
        towards = geometry.apply(to_plane, self.inner) - at
        # A normal of an edge in the picture is not one in the plane, but a tangent remains a tangent.
        turned = np.column_stack([-(self.inner - self.at)[:, 1], (self.inner - self.at)[:, 0]])
        along = geometry.apply(to_plane, self.at + turned) - at
        normal = np.column_stack([-along[:, 1], along[:, 0]])
        normal *= np.sign((normal * towards).sum(axis=1, keepdims=True))
        return at, normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)


def find_loose_discs(photo: Photo, most_seen: int = 60) -> tuple[LooseDisc, ...]:
    """The discs in a photo, listed from the top down; at most `most_seen` of them."""
    scale = min(1.0, DISC_VIEW_PX / max(photo.width, photo.height))
    size_px = (round(photo.width * scale), round(photo.height * scale))
    small = np.asarray(cv2.resize(photo.pixels, size_px, interpolation=cv2.INTER_AREA), np.uint8)
    rims = _rims(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2Lab), np.uint8))
    if len(rims.at) < 30:
        return ()
    pose, radius = _best_plane(rims, size_px)
    discs = _discs(rims, pose, radius, most_seen)
    unlike = rims.unlike
    return tuple(
        LooseDisc((disc.corners_px + 0.5) / scale - 0.5, disc.radius, disc.rim)
        for disc in discs
        if _filled(unlike, disc.corners_px) >= _FILLED
    )


def _best_plane(rims: _Rims, size_px: tuple[int, int]) -> tuple[Array, float]:
    """Plane homography (3, 3), and the disc radius on it, for which the Hough votes are most concentrated."""

    def merit(tilt: float, azimuth: float, radius: float) -> float:
        return _meeting(rims, plane_seen_at((tilt, azimuth), _FOCAL, size_px), radius)

    coarse = [
        (merit(tilt, azimuth, radius), (tilt, azimuth, radius))
        for tilt in _TILTS_DEG
        for azimuth in (map(float, _AZIMUTHS_DEG) if tilt else (0.0,))
        for radius in _radii(max(size_px))
    ]
    most, best = max(coarse)
    tilt_step, azimuth_step, factor = _STEPS
    for _ in range(_HALVED):
        tilt, azimuth, radius = best
        around = [
            (abs(tilt + a * tilt_step), azimuth + b * azimuth_step, radius * factor**c)
            for a in (-1, 0, 1)
            for b in (-1, 0, 1)
            for c in (-1, 0, 1)
        ]
        most, best = max([(most, best), *((merit(*each), each) for each in around)])
        tilt_step, azimuth_step, factor = tilt_step / 2, azimuth_step / 2, factor**0.5
    tilt, azimuth, radius = best
    return plane_seen_at((tilt, azimuth), _FOCAL, size_px), radius


def _radii(longer_px: float) -> Sequence[float]:
    low, high = (share * longer_px / 2 for share in _RADII)
    return list(np.geomspace(low, high, round(np.log(high / low) / np.log(_RADIUS_STEP))))


def _rims(lab: NDArray[np.uint8]) -> _Rims:
    """Edge points of the foreground mask of a picture in CIE L*a*b*."""
    unlike = unlike_table(lab)
    mask = (unlike > _UNLIKE).astype(np.uint8) * 255
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _round(_CLOSED)), np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _round(_OPENED)), np.uint8)
    soft = cv2.GaussianBlur(mask, (0, 0), 2.5).astype(np.float32)
    across, down = cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    points = np.concatenate([each[:, 0] for each in outlines]) if outlines else np.zeros((0, 2), int)
    slope = np.column_stack([across[points[:, 1], points[:, 0]], down[points[:, 1], points[:, 0]]])
    steep = np.linalg.norm(slope, axis=1)
    kept = steep > 40
    at = points[kept].astype(np.float64)
    return _Rims(at, at + slope[kept] / steep[kept, None], unlike)


def _round(size: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


def _votes(at: Array, normal: Array, radius: float) -> tuple[NDArray[np.float32], Array]:
    """Hough votes (h, w) for the centres of discs of one radius, and the position (2,) of the first cell."""
    cell = _CELL * radius
    middles = (at + radius * normal) / cell
    low = np.floor(middles.min(axis=0)) - 2
    cells = np.round(middles - low).astype(np.intp)
    width, height = cells.max(axis=0) + 3
    counts = np.bincount(cells[:, 1] * width + cells[:, 0], minlength=int(width * height))
    votes = counts.reshape(int(height), int(width)).astype(np.float32)
    # as a share of the whole rim, as if all of it were visible
    return np.asarray(cv2.boxFilter(votes, -1, (3, 3), normalize=False)), low


def _meeting(rims: _Rims, pose: Array, radius: float) -> float:
    """Concentration of the Hough votes for a plane and a radius: the sum of cubed votes, normalised."""
    at, normal = rims.on(np.asarray(np.linalg.inv(pose), np.float64))
    if np.ptp(at, axis=0).max() > 60 * radius:
        return 0.0
    votes, _ = _votes(at, normal, radius)
    return float((votes.astype(np.float64) ** 3).sum() / votes.sum() / len(at))


def _discs(rims: _Rims, pose: Array, radius: float, most_seen: int) -> list[LooseDisc]:
    """The discs at the peaks of the Hough votes, in the picture's own pixels, from the top down."""
    at, normal = rims.on(np.asarray(np.linalg.inv(pose), np.float64))
    found: list[tuple[float, float, Array]] = []
    for share in _OTHER_RADII:
        own = share * radius
        votes, low = _votes(at, normal, own)
        peaks = votes * (votes == cv2.dilate(votes, np.ones((3, 3), np.uint8)))
        for row, column in zip(*np.nonzero(peaks), strict=True):
            middle = (np.array([column, row]) + low) * _CELL * own
            # (an edge may have two points per pixel, so angles are counted)
            rim = _rim_seen(at, normal, middle, own)
            if rim >= _RIM:
                found.append((rim, own, middle))
    found.sort(key=lambda each: -each[0])
    kept: list[tuple[float, float, Array]] = []
    for one in found:
        if all(np.linalg.norm(one[2] - other[2]) > _APART * radius for other in kept):
            kept.append(one)
    discs = []
    usual = float(np.median([own for _, own, _ in kept])) if kept else radius
    for rim, own, middle in kept[:most_seen]:
        middle, own = _settled(at, normal, middle, own)
        square = middle + own * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        corners = geometry.apply(pose, square)
        discs.append(LooseDisc(corners, own / usual, rim))
    return sorted(discs, key=lambda each: float(each.corners_px[:, 1].mean()))


def _filled(unlike: NDArray[np.float32], corners_px: Array) -> float:
    """Share of a disc's area that is foreground, 0 to 1."""
    mask = np.zeros(unlike.shape, np.uint8)
    middle = corners_px.mean(axis=0)
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    across, down = (corners_px[1] - corners_px[0]) / 2, (corners_px[3] - corners_px[0]) / 2
    ring = middle + 0.9 * (np.cos(turn)[:, None] * across + np.sin(turn)[:, None] * down)
    cv2.fillConvexPoly(mask, np.rint(ring).astype(np.int32), 1)
    shown = unlike[mask > 0]
    return float((shown > _UNLIKE).mean()) if len(shown) else 0.0


def _near_rim(at: Array, normal: Array, middle: Array, radius: float) -> NDArray[np.bool_]:
    away = at - middle
    far = np.linalg.norm(away, axis=1)
    looks = -(away * normal).sum(axis=1) / np.maximum(far, 1e-9)
    return np.asarray((np.abs(far / radius - 1) < 0.08) & (looks > 0.9))


def _rim_seen(at: Array, normal: Array, middle: Array, radius: float) -> float:
    """Visible share of a disc's rim, 0 to 1, counted in 36 angular sectors."""
    away = (at - middle)[_near_rim(at, normal, middle, radius)]
    parts = np.floor((np.arctan2(away[:, 1], away[:, 0]) / (2 * np.pi) % 1) * 36).astype(int) % 36
    return len(np.unique(parts)) / 36


def _settled(at: Array, normal: Array, middle: Array, radius: float) -> tuple[Array, float]:
    """Centre (2,) and radius of a circle fitted to the edge points near a rim (Kasa, 1976)."""
    for _ in range(3):
        near = at[_near_rim(at, normal, middle, radius)]
        if len(near) < 8:
            break
        rows = np.column_stack([2 * near, np.ones(len(near))])
        told = np.linalg.lstsq(rows, (near**2).sum(axis=1), rcond=None)[0]
        middle = told[:2]
        radius = float(np.sqrt(max(told[2] + middle @ middle, 1e-9)))
    return middle, radius


Size = tuple[float, float]

#: Longer side of the picture in which outlines are searched.
VIEW_PX = 1400.0
#: Largest misfit of a quadrangle for a phone's picture of a piece; and largest difference (logarithm) of its
#: sides from a size in the table's plane.
_MISFIT, _LIKE = 0.10, 0.07
#: For a piece that lies alone: its greatest misfit, and its least area as a share of the largest.
_MISFIT_ALONE, _AS_LARGE = 0.04, 0.8
#: Largest number of quadrangles from which planes are derived.
_PLANES = 60
#: Exponent of a piece's area in the merit, which prefers a piece to a frame printed on it.
_LARGER = 0.5
#: Least difference of the foreground share between a piece and its surroundings.
_CONTRAST = 0.25
#: Width of the picture's border within which an outline counts as cut off.
_RIM_PX = 3


@dataclass(frozen=True)
class LoosePiece:
    """Outline of a square or rectangular piece.

    `size` is an index into the requested sizes. `corners_px` (4, 2) are photo pixels, clockwise, with the
    width as the first side. `clear` is True where the sides are plainly visible.
    """

    size: int
    corners_px: Array
    clear: bool


@dataclass(frozen=True)
class _Fit:
    """A quadrangle identified as a piece of one size on some plane, with the deviation of its sides from that
    size."""

    quad: Array
    size: int
    off: float

    @property
    def area(self) -> float:
        return abs(cv2.contourArea(self.quad.astype(np.float32)))


def find_loose_pieces(
    photo: Photo, sizes_mm: Sequence[Size], lens: AnyLens | None = None, *, alone: bool = False
) -> tuple[LoosePiece, ...]:
    """The pieces of the given sizes (width and height, mm) in a photo, from the top down.

    With `alone`, only the one piece in the photo, such as a board: its frames and cells may have its shape
    too.
    """
    lens = lens or Lens(photo.width, photo.height)
    scale = min(1.0, VIEW_PX / max(photo.width, photo.height))
    size_px = (round(photo.width * scale), round(photo.height * scale))
    small = np.asarray(cv2.resize(photo.pixels, size_px, interpolation=cv2.INTER_AREA), np.uint8)
    lab = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2Lab), np.uint8)
    unlike = unlike_table(lab)
    quads = find_quads(lab, unlike)
    fits = _only_one(quads, sizes_mm, size_px, unlike) if alone else _most_alike(quads, sizes_mm, size_px)
    found = []
    for fit in fits:
        if alone:  # (not refined: a board is not known to the few mm that are searched)
            found.append(LoosePiece(fit.size, (fit.quad + 0.5) / scale - 0.5, True))
            continue
        corners = (fit.quad + 0.5) / scale - 0.5
        outline = outline_near(photo, lens, corners, sizes_mm[fit.size])
        clear = outline is not None and outline.clear
        found.append(LoosePiece(fit.size, outline.corners_px if outline is not None else corners, clear))
    return tuple(sorted(found, key=lambda each: float(each.corners_px[:, 1].mean())))


def _most_alike(quads: Sequence[Array], sizes_mm: Sequence[Size], size_px: tuple[int, int]) -> list[_Fit]:
    """Pieces on the best plane hypothesis: the one with the highest score of quadrangles of the right
    sizes."""
    best: list[_Fit] = []
    best_merit = 0.0
    for quad in quads[:_PLANES]:
        for size in sizes_mm:
            for turn in (0, 1):
                plane = card_homography(np.roll(quad, turn, axis=0), size)
                off = misfit(plane, size_px)
                if off > _MISFIT:
                    continue
                fits = _apart(_in_plane(plane, quads, sizes_mm))
                merit = sum((1 - fit.off / _LIKE / 2) * fit.area**_LARGER for fit in fits) * (1 - 3 * off)
                if merit > best_merit:
                    best_merit, best = merit, fits
    return best


def _only_one(
    quads: Sequence[Array], sizes_mm: Sequence[Size], size_px: tuple[int, int], unlike: NDArray[np.float32]
) -> list[_Fit]:
    """The most often found quadrangle of a piece's proportions that stands out from the table.

    Only quadrangles nearly as large as the largest such one count.
    """
    fits = []
    for quad in quads:
        for number, size in enumerate(sizes_mm):
            for turn in (0, 1):
                own = np.roll(quad, -turn, axis=0)
                off = misfit(card_homography(own, size), size_px)
                if off < _MISFIT_ALONE and _stands_out(quad, unlike):
                    fits.append(_Fit(own, number, off))
    largest = max((fit.area for fit in fits), default=0.0)
    return [fit for fit in fits if fit.area > _AS_LARGE * largest][:1]


def _in_plane(plane: Array, quads: Sequence[Array], sizes_mm: Sequence[Size]) -> list[_Fit]:
    """The quadrangles that have one of the given sizes on a plane, with their width first."""
    flat = geometry.apply(np.asarray(np.linalg.inv(plane), np.float64), np.array(quads))
    sides = np.linalg.norm(np.roll(flat, -1, axis=1) - flat, axis=2)
    across = np.linalg.norm(flat[:, [2, 3]] - flat[:, [0, 1]], axis=2)
    fits = []
    for number, (width, height) in enumerate(sizes_mm):
        diagonal = np.abs(np.log(across / np.hypot(width, height))).max(axis=1)
        for turn in (0, 1):
            wanted = (width, height) if turn == 0 else (height, width)
            off = np.maximum(np.abs(np.log(sides / np.tile(wanted, 2))).max(axis=1), diagonal)
            for k in np.flatnonzero(off < _LIKE).tolist():
                fits.append(_Fit(np.roll(quads[k], -turn, axis=0), number, float(off[k])))
    return fits


def _stands_out(quad: Array, unlike: NDArray[np.float32]) -> bool:
    """Whether a quadrangle is foreground, is surrounded by table, and lies within the picture."""
    height, width = unlike.shape
    if (quad < _RIM_PX).any() or (quad > np.array([width, height]) - 1 - _RIM_PX).any():
        return False
    middle = quad.mean(axis=0)
    masks = []
    for share in (0.97, 1.03, 1.12):
        mask = np.zeros(unlike.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.rint(middle + share * (quad - middle)).astype(np.int32), 1)
        masks.append(mask > 0)
    within, beside = unlike[masks[0]], unlike[masks[2] & ~masks[1]]
    return bool(len(within) and len(beside) and within.mean() - beside.mean() > _CONTRAST)


def _apart(fits: Sequence[_Fit]) -> list[_Fit]:
    """Non-maximum suppression: pieces that do not overlap, those nearest to their size preferred."""
    kept: list[_Fit] = []
    for fit in sorted(fits, key=lambda each: each.off):
        middle = fit.quad.mean(axis=0)
        hull = fit.quad.astype(np.float32)
        if all(
            cv2.pointPolygonTest(other.quad.astype(np.float32), tuple(map(float, middle)), False) < 0
            and cv2.pointPolygonTest(hull, tuple(map(float, other.quad.mean(axis=0))), False) < 0
            for other in kept
        ):
            kept.append(fit)
    return kept
