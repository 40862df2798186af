"""Ink likelihood: faces and pens -> share of a pen's full film at each pixel of a card, and one ink map of
the tableau."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from vision.cards.pose import LayoutCard
from vision.ink import parameters
from vision.ink.faces import Face, SeenCards, each_card, find_faces, given_up
from vision.ink.ink_map import PX_PER_MM, InkMap
from vision.ink.occlusion import near_things
from vision.ink.pens import Changed, Pen, PenProfile, all_thin, find_pens
from vision.ink.rectify import halved_pose
from vision.ink.relight import channel_sum, strongest, values_of

Image = NDArray[np.float32]
Picture = NDArray[np.uint8]
U = TypeVar("U", bound=np.generic)


#: Diameter (px) of the disc over which evidence is averaged: most of a thin pen's width.
_TIP_PX = round(0.8 * PX_PER_MM) // 2 * 2 + 1

_TIP = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_TIP_PX, _TIP_PX)).astype(np.float32)
_TIP /= _TIP.sum()


@dataclass(frozen=True)
class Layer:
    """One card's part of the ink map, upright; arrays are (H, W).

    `seen` and `blank` (H, W, 3) uint8 are the card as photographed, and without ink in the same light.
    """

    evidence: Image
    visible: NDArray[np.bool_]
    film: Image
    hidden: float
    seen: Picture
    blank: Picture
    inside: NDArray[np.bool_]
    moved_mm: float
    blur_mm: float


@dataclass(frozen=True)
class Shown:
    """A face prepared for fitting pen films, (H, W, 3) each: the relit `blank` card, the `change` from it to
    the photo, and the light's `gain` and `offset`; `veil` (H, W) is the share of veiling light, 0 to 1."""

    blank: Image
    change: Image
    gain: Image
    offset: Image
    veil: Image


def _cover(shown: Shown, pen: Pen) -> tuple[Image, Image, Image]:
    """Projection of each pixel's colour change onto the line from card to ink colour.

    It returns the share of full ink (H, W), the residual off the line, and the length of the line.
    """
    # in place, since allocating memory costs more than the arithmetic
    if pen.known is not None:
        # light that the film absorbs from the card's own colour; it does not absorb the light of a veil
        blue, green, red = pen.known.taken
        way = cv2.subtract(shown.offset, shown.blank)
        cv2.multiply(way, (blue, green, red, 0.0), way)
    else:
        way = cv2.multiply(shown.gain, (*pen.bgr, 0.0))
        cv2.subtract(cv2.add(way, shown.offset, way), shown.blank, way)
    change: Any = shown.change
    if pen.known is not None:
        # a film as thin as the noise is visible after averaging over a pen's tip
        change = cv2.filter2D(change, -1, _TIP)
    product = cv2.multiply(way, way)
    length2 = np.maximum(channel_sum(product), np.float32(1e-4))
    share = channel_sum(cv2.multiply(change, way, product)) / length2
    rest2 = np.maximum(channel_sum(cv2.multiply(change, change, product)) - share * share * length2, 0)
    return np.asarray(share), np.asarray(np.sqrt(rest2)), np.asarray(np.sqrt(length2))


def changed_spots(face: Face) -> Changed:
    """The changed pixels of one card that are surely neither blank card nor occluded, with their colours."""
    least = np.maximum(
        np.float32(parameters.EVIDENCE.changed_deviations) * face.noise,
        np.float32(parameters.EVIDENCE.changed_value),
    )
    strong = (face.change > least) & face.inside & ~face.things
    where = cv2.erode(strong.view(np.uint8), np.ones((2, 2), np.uint8)) > 0
    at = np.flatnonzero(where)

    def there(picture: NDArray[U]) -> NDArray[U]:
        return picture.reshape(-1, 3)[at]

    gain, offset = (there(each) for each in face.relit.light())
    on_art = (values_of(there(face.seen)) - offset) / np.maximum(gain, np.float32(0.1))
    ground = there(face.relit.art)
    # nothing absorbs more than all light: a larger value means that the illumination is misjudged
    if (dark := on_art.min(axis=1) < -parameters.PENS.misjudged_light_value).any():
        where.flat[at[dark]] = False
        on_art, ground = on_art[~dark], ground[~dark]
    beside = near_things(face.things)[where] if face.things.any() else None
    return Changed(where, np.asarray(on_art, np.float32), ground, beside)


def shown_of(face: Face) -> Shown:
    """A face converted to the form needed for fitting pen films."""
    blank, (gain, offset) = face.relit.blank_and_light()
    # under veiling glare a film has less contrast than its colour implies, so missing ink is weaker evidence
    veil: Image = np.clip(channel_sum(offset) / np.maximum(channel_sum(blank), 0.3), 0, 1)
    if face.relit.washed is not None:
        veil = np.maximum(veil, face.relit.washed)
    return Shown(blank, np.asarray(cv2.subtract(values_of(face.seen), blank)), gain, offset, veil)


def pen_layer(face: Face, shown: Shown, pens: Sequence[Pen], faint: float = 1.0) -> Layer:
    """One card's layer of the ink map for the given pens; `faint` as in `read_ink`."""
    blank, veil, washed = shown.blank, shown.veil, face.relit.washed
    evidence, film, known = _of_pen(shown, face.noise, pens[0], veil, faint)
    for pen in pens[1:]:
        ratio, share, fits = _of_pen(shown, face.noise, pen, veil, faint)
        # where no pen has drawn, the pen with the most ink determines the evidence against ink
        better = fits & (ratio > np.maximum(evidence, 0))
        evidence, film = np.where(better, ratio, evidence), np.where(better, share, film)
        known |= better
    visible = face.inside & ~face.things & known
    if washed is not None:
        # ink that is visible in spite of glare counts
        visible &= (washed < parameters.GLARE.veiled_share) | (evidence > 0)
    # a pen is wider than the residue that registration leaves at a printed edge
    evidence = cv2.filter2D(evidence.astype(np.float32), -1, _TIP)
    film = cv2.filter2D(np.clip(film, 0, fullest(pens[0])).astype(np.float32), -1, _TIP)
    for layer in (evidence, film):
        layer[~face.inside | face.things] = 0
    # a dark line on dark print is never visible, so another photo would not help: not counted as hidden
    shows = face.inside & _would_show(face.relit.art, pens[0])
    hidden = float(np.count_nonzero(shows & ~visible)) / max(float(np.count_nonzero(shows)), 1.0)
    return Layer(
        evidence,
        visible,
        film,
        hidden,
        face.seen,
        np.asarray(cv2.convertScaleAbs(cv2.max(blank, 0), alpha=255), np.uint8),
        face.inside,
        face.moved_mm,
        face.blur_mm,
    )


def _would_show(art: Image, pen: Pen) -> NDArray[np.bool_]:
    """Mask (H, W) of pixels where a pen's line would contrast with the art in even light."""
    if pen.known is None:
        return np.asarray(
            strongest(cv2.absdiff(art, (*pen.bgr, 0.0))) > parameters.EVIDENCE.shows_contrast_value
        )
    taken = strongest(cv2.multiply(art, (*pen.known.taken, 0.0)))
    return np.asarray(taken > parameters.KNOWN_PEN.shows_value * pen.known.film)


def fullest(pen: Pen) -> float:
    """Upper bound of a pen's film as a share of its full film.

    A known pen may now draw a fuller film than when its profile was measured.
    """
    return 1.1 if pen.known is None else max(1.1, 1 / pen.known.film)


def _of_pen(
    shown: Shown, noise: Image, pen: Pen, veil: Image, faint: float
) -> tuple[Image, Image, NDArray[np.bool_]]:
    """Log-likelihood ratio of one pen's ink, share of its full film, and mask of pixels where both are known;
    (H, W)."""
    share, rest, contrast = _cover(shown, pen)
    least = faint * parameters.EVIDENCE.least_cover_share
    least_contrast = parameters.EVIDENCE.least_contrast_deviations
    if pen.known is not None:
        least, least_contrast = pen.known.least_cover, parameters.KNOWN_PEN.least_contrast_deviations
        noise = noise * np.float32(parameters.KNOWN_PEN.noise_share)
    spread2 = noise**2 + (faint * parameters.EVIDENCE.film_spread_share * contrast) ** 2
    short = share - np.clip(share, least, fullest(pen))
    ratio = (share**2 - short**2) * contrast**2 / (2 * spread2)
    # neither card nor ink: a highlight, a die, a finger
    tolerance2: Any = parameters.EVIDENCE.colour_tolerance_value**2
    if pen.known is not None:
        # the colour error grows with a film's thickness beyond the measured one
        tolerance2 = tolerance2 + (parameters.KNOWN_PEN.hue_share * np.maximum(share, 0) * contrast) ** 2
    strange2 = rest**2 / (2 * ((1.5 * noise) ** 2 + tolerance2))
    ratio = np.clip(ratio, -parameters.EVIDENCE.limit_nats, parameters.EVIDENCE.limit_nats) * np.exp(
        -strange2
    )
    ratio = np.where(ratio < 0, ratio * (1 - veil), ratio)
    known = (contrast > least_contrast * noise) & (strange2 < 2.0)
    return ratio, share, known


def mosaic(
    poses: Sequence[LayoutCard], layers: Sequence[Layer], pens: tuple[Pen, ...], faint: float = 1.0
) -> InkMap:
    """Ink map composed of the layers of all cards, each rotated and placed as on the table."""
    margin_mm = 2.0
    low = np.array([min(p.x_mm for p in poses), min(p.y_mm for p in poses)]) - margin_mm
    turned = [_turn(p.rotation) for p in poses]
    places = []
    high = np.zeros(2, int)
    for pose, layer, turn in zip(poses, layers, turned, strict=True):
        height, width = turn(layer.inside).shape
        left, top = (round((v - o) * PX_PER_MM) for v, o in ((pose.x_mm, low[0]), (pose.y_mm, low[1])))
        places.append((slice(top, top + height), slice(left, left + width)))
        high = np.maximum(high, [top + height, left + width])
    shape = tuple(int(v) for v in high + round(margin_mm * PX_PER_MM))
    evidence = np.zeros(shape, np.float32)
    visible = np.zeros(shape, bool)
    film = np.zeros(shape, np.float32)
    picture, blank = np.zeros((*shape, 3), np.uint8), np.zeros((*shape, 3), np.uint8)
    for place, turn, layer in zip(places, turned, layers, strict=True):
        inside = turn(layer.inside)
        np.copyto(visible[place], turn(layer.visible), where=inside)
        within = inside.view(np.uint8)
        cv2.copyTo(turn(layer.evidence), within, evidence[place])
        cv2.copyTo(turn(layer.film), within, film[place])
        picture[place], blank[place] = turn(layer.seen), turn(layer.blank)
    return InkMap(
        evidence,
        visible,
        (float(low[0]), float(low[1])),
        picture,
        pens,
        film,
        _line_film(evidence, film, pens, faint),
        registered_mm=tuple(layer.moved_mm for layer in layers),
        hidden=tuple(layer.hidden for layer in layers),
        blur_mm=max(layer.blur_mm for layer in layers),
        blank=blank,
        faint=faint,
    )


def _line_film(evidence: Image, film: Image, pens: Sequence[Pen], faint: float) -> float:
    """Film along the photo's clearest lines, as a share of a full film; blur and thin tips reduce it.

    If all pens are thin, no line counts as clear, and a value from the parameters is returned.
    """
    inked = film[evidence > parameters.EVIDENCE.sure_nats]
    if pens and pens[0].known is not None:
        # the profile's line is a plain line, and fuller films may occur
        plain = np.quantile(inked, parameters.GHOSTS.line_film_quantile) if len(inked) else 1.0
        return float(np.clip(plain, parameters.KNOWN_PEN.line_film_share, fullest(pens[0])))
    low, high = parameters.GHOSTS.least_line_film_share, parameters.GHOSTS.thin_line_film_share
    if not len(inked) or not pens or all_thin(pens):
        return faint * high
    return float(np.clip(np.quantile(inked, parameters.GHOSTS.line_film_quantile), low, 1.0))


def _turn(rotation: int) -> Callable[[NDArray[U]], NDArray[U]]:
    """Function that rotates pictures clockwise by a card's rotation (degrees)."""
    way = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}.get(
        rotation
    )

    def turned(picture: NDArray[U]) -> NDArray[U]:
        if way is None:
            return picture
        plain = picture.view(np.uint8) if picture.dtype == np.bool_ else picture
        return np.asarray(cv2.rotate(plain, way)).view(picture.dtype)

    return turned


#: Pen assumed if none was found: black.
NO_PEN = Pen((0.1, 0.1, 0.1))


def read_ink(
    photo_bgr: NDArray[np.uint8],
    poses: Sequence[LayoutCard],
    catalogue: Catalogue,
    *,
    halvings: int = 0,
    known: PenProfile | None = None,
    faint: float = 1.0,
    seen: SeenCards | None = None,
) -> InkMap:
    """Ink map of a layout's cards: photo and layout -> `InkMap`.

    `photo_bgr` is (H, W, 3) uint8, halved `halvings` times; `known` is the player's own pen. `faint` is the
    share of a usual film that drying pens leave, if no pen left a full one. `seen` caches what a second
    reading of the same photo can reuse.
    """
    seen = seen or SeenCards()
    halved = [halved_pose(pose, halvings) for pose in poses]
    faces = seen.faces(halved, lambda: find_faces(photo_bgr, halved, catalogue, seen))
    pens = find_pens(each_card(changed_spots, faces), PX_PER_MM, known)
    if all_thin(pens):
        seen.keep(halved, faces)
    faint = faint if all_thin(pens) else 1.0
    layers = each_card(
        lambda face: pen_layer(face, shown_of(face), pens or (NO_PEN,), faint), given_up(faces)
    )
    return replace(mosaic(poses, layers, pens, faint), player=known)
