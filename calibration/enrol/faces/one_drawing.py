"""Cards with one drawing in several colours: what they have in common is made from the views of all.

A starter of five colours is one drawing with a coloured mark. Each card's own view is sharp, blurred or
veiled by chance, and a reader would take that for a difference of print. So all views are brought into the
light of the best one and merged, and each card keeps its own view only where it is printed otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.faces.identity import (
    GLANCE,
    ONE_DRAWING,
    OTHER_STRUCTURE,
    SAME_STRUCTURE,
    LookedUp,
    close_looks,
)
from calibration.enrol.faces.light import encoded, linear
from calibration.enrol.faces.likeness import (
    CLOSE_PX_PER_MM,
    DrawnApart,
    drawn_apart,
    glances,
    laid_on,
    within_rim,
)
from calibration.enrol.faces.merging import merged, worth
from vision.ink.rectify import for_registration, residual_flow

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Light = NDArray[np.float32]
Size = tuple[float, float]

#: Blur (sigma, mm) at which prints are compared, and the least difference of print there, CIELAB: the marks
#: of starters differ by 30 to 130.
_BLUR_MM, _LEAST_APART = 0.8, 10.0
#: A difference of print stands out from the others by this factor of their 0.95 quantile, or has this share
#: of the greatest; a mark covers this share of a card at most.
_OUTLYING, _SHARE, _MOST = 3.0, 0.35, 0.15
#: Width in mm beyond a mark in which a card keeps its own view, and of the rim and corners of a view that may
#: show the table.
_AROUND_MM, _RIM_MM, _CORNER_MM = 1.5, 1.0, 3.6
#: Light is even within this distance (sigma, mm), and is fitted at this resolution; variance (of linear
#: light) that may be noise, and greatest gain.
_LIGHT_MM, _COARSE_PX_PER_MM, _LIGHT_NOISE, _MOST_GAIN = 5.0, 2.0, 1e-3, 4.0


def drawn_alike(
    faces: Mapping[str, LookedUp], changed: Sequence[str], quarters: Sequence[int]
) -> list[dict[str, int]]:
    """Groups of two or more of the `faces` with one drawing that have a `changed` one among them. Each tells
    the clockwise quarter turns that align its faces with each other."""
    group_of = {name: {name: 0} for name in faces}
    for name in changed:
        others = [each for each in faces if each not in group_of[name] and _near(faces, name, each, quarters)]
        for look in close_looks(faces[name], [faces[other] for other in others], quarters):
            own, other = group_of[name], group_of[others[look.known]]
            if look.difference.alike >= ONE_DRAWING and own is not other:
                turn = look.quarters + other[others[look.known]] - own[name]
                both = other | {each: (turned + turn) % 4 for each, turned in own.items()}
                group_of |= dict.fromkeys(both, both)
    groups = {id(group_of[name]): group_of[name] for name in changed}
    return [group for group in groups.values() if len(group) > 1]


def _near(faces: Mapping[str, LookedUp], name: str, other: str, quarters: Sequence[int]) -> bool:
    """Whether two faces may have one drawing, at a glance."""
    ways = [np.ascontiguousarray(np.rot90(faces[name].at_a_glance, -turn)) for turn in quarters]
    return max(glances(way, [faces[other].at_a_glance])[0] for way in ways) >= GLANCE


def with_one_drawing(faces: Mapping[str, Pixels], size_mm: Size) -> dict[str, Pixels]:
    """Faces (H, W, 3) BGR of one drawing, with one picture of all that is printed alike on them. Left out are
    those that differ all over or nowhere, those whose mark is hidden by glare, and those that would become
    another drawing."""
    best = max(faces, key=lambda name: worth(faces[name]))
    model = faces[best]
    px_per_mm = model.shape[1] / size_mm[0]
    views = {best: _View(model, np.ones(model.shape[:2], np.bool_))}
    mark = np.zeros(model.shape[:2], np.bool_)
    for name, face in faces.items():
        if name != best:
            own, inside = _laid(face, model, px_per_mm)
            lit, differs = _relit(own, model, inside, px_per_mm)
            drawn = _drawn_apart(lit, model, px_per_mm)
            view = _View(lit, _enlarged(drawn.clear, model.shape[:2]))
            differs |= _enlarged(drawn.structure > SAME_STRUCTURE, model.shape[:2])
            differs &= view.shown
            if 0 < differs.mean() <= _MOST:
                views[name], mark = view, mark | differs
    if not mark.any():
        return {}
    views = {name: view for name, view in views.items() if view.shown[mark].mean() > 0.5}
    if len(views) < 2:
        return {}
    clear = [np.where(view.shown[..., None], view.lit, model) for view in views.values()]
    common = linear(merged(clear, size_mm, px_per_mm))
    kept = _around(mark, px_per_mm).astype(np.float32)
    own = cv2.GaussianBlur(kept, (0, 0), 0.5 * px_per_mm)[..., None]
    made = {name: encoded(own * linear(view.lit) + (1 - own) * common) for name, view in views.items()}
    return {
        name: face
        for name, face in made.items()
        if _drawn_apart(views[name].lit, face, px_per_mm).structure.max() <= OTHER_STRUCTURE
    }


@dataclass(frozen=True)
class _View:
    """A card's view in the model's light (H, W, 3) BGR, and the mask of where no glare hides it."""

    lit: Pixels
    shown: Mask


def _drawn_apart(one: Pixels, other: Pixels, px_per_mm: float) -> DrawnApart:
    """Difference of the drawings of two registered views (H, W, 3) BGR."""
    share = CLOSE_PX_PER_MM / px_per_mm
    small = [
        np.asarray(cv2.resize(each, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)
        for each in (one, other)
    ]
    return drawn_apart(small[0], small[1])


def _enlarged(mask: Mask, shape: tuple[int, int]) -> Mask:
    """A mask with the (height, width) of a larger image."""
    large = cv2.resize(mask.astype(np.uint8), shape[::-1], interpolation=cv2.INTER_NEAREST)
    return np.asarray(large > 0, np.bool_)


def _laid(face: Pixels, model: Pixels, px_per_mm: float) -> tuple[Pixels, Mask]:
    """A face laid on another one, of its size, and the mask of where it shows the card."""
    height, width = model.shape[:2]
    smaller = cv2.INTER_AREA if face.shape[1] > width else cv2.INTER_CUBIC
    own = np.asarray(cv2.resize(face, (width, height), interpolation=smaller), np.uint8)
    affine, _ = laid_on(own, model, px_per_mm)
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    own = np.asarray(
        cv2.warpAffine(own, affine, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    card = within_rim(height, width, _RIM_MM, _CORNER_MM, px_per_mm)
    shown = cv2.warpAffine(
        card.astype(np.uint8), affine, (width, height), flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    )
    greys = [cv2.cvtColor(each, cv2.COLOR_BGR2GRAY).astype(np.float32) for each in (own, model)]
    flow = residual_flow(greys[0], for_registration(greys[1], px_per_mm), px_per_mm)
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    at_x, at_y = x + flow[..., 0], y + flow[..., 1]
    own = np.asarray(cv2.remap(own, at_x, at_y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    return own, (cv2.remap(shown, at_x, at_y, cv2.INTER_NEAREST) > 0) & card


def _relit(own: Pixels, model: Pixels, inside: Mask, px_per_mm: float) -> tuple[Pixels, Mask]:
    """A view (H, W, 3) BGR in the model's light, and the mask of where the prints differ."""
    light, target = linear(own), linear(model)
    differs = _differs(_in_the_light_of(light, target, inside, px_per_mm), target, px_per_mm) & inside
    # a mark is no light: what is fitted around it tells the light on it
    alike = inside & ~_around(differs, px_per_mm)
    light = _in_the_light_of(light, target, alike, px_per_mm)
    light[~inside] = target[~inside]
    return encoded(light), _differs(light, target, px_per_mm)


def _in_the_light_of(own: Light, model: Light, alike: Mask, px_per_mm: float) -> Light:
    """Linear light (H, W, 3) mapped to the model's by a gain and a veil for each channel that change slowly
    over the card, as fitted where both are printed `alike` (a guided filter: He, Sun and Tang 2013)."""
    height, width = own.shape[:2]
    share = min(1.0, _COARSE_PX_PER_MM / px_per_mm)
    size = (round(width * share), round(height * share))
    a, b = (
        cv2.resize(
            cv2.GaussianBlur(each, (0, 0), _BLUR_MM / 2 * px_per_mm), size, interpolation=cv2.INTER_AREA
        )
        for each in (own, model)
    )
    counts = cv2.resize(alike.astype(np.float32), size, interpolation=cv2.INTER_AREA)[..., None]
    weight = _near_mean(counts)[..., None] + 1e-3
    mean_a, mean_b = _near_mean(a * counts) / weight, _near_mean(b * counts) / weight
    variance = _near_mean(a * a * counts) / weight - mean_a**2
    both = _near_mean(a * b * counts) / weight - mean_a * mean_b
    # where hardly anything is drawn, light is a gain
    plain = _LIGHT_NOISE * mean_b / np.maximum(mean_a, 1e-3)
    gain = np.clip((both + plain) / (variance + _LIGHT_NOISE), 1 / _MOST_GAIN, _MOST_GAIN)
    across = [cv2.resize(each, (width, height)) for each in (gain, mean_b - gain * mean_a)]
    return np.asarray(np.clip(across[0] * own + across[1], 0, 1), np.float32)


def _near_mean(field: Light) -> Light:
    """Mean of a coarse image over the neighbourhood in which light is even."""
    return np.asarray(cv2.GaussianBlur(field, (0, 0), _LIGHT_MM * _COARSE_PX_PER_MM), np.float32)


def _differs(own: Light, model: Light, px_per_mm: float) -> Mask:
    """Mask (H, W) of where two prints in one light differ. Empty where they differ nowhere."""
    blurred = [cv2.GaussianBlur(each, (0, 0), _BLUR_MM * px_per_mm) for each in (own, model)]
    lab = [
        cv2.cvtColor((np.clip(each, 1e-4, 1) ** (1 / 2.2)).astype(np.float32), cv2.COLOR_BGR2Lab)
        for each in blurred
    ]
    apart = np.linalg.norm(lab[0] - lab[1], axis=2)
    outlying = min(_OUTLYING * float(np.quantile(apart, 0.95)), _SHARE * float(apart.max()))
    return np.asarray(apart > max(_LEAST_APART, outlying), np.bool_)


def _around(mark: Mask, px_per_mm: float) -> Mask:
    """A mark with its surroundings."""
    side = 2 * round(_AROUND_MM * px_per_mm) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return np.asarray(cv2.dilate(mark.astype(np.uint8), disc) > 0, np.bool_)
