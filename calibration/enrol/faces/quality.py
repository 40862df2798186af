"""Quality of a photo's view of a card, with advice in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.faces.cut_out import LEAST_PX_PER_MM
from scorer.text import Text
from vision.photo.sharpness import blur_px

#: Below this resolution small print cannot be read, and no art is made of it.
LEAST_USABLE_PX_PER_MM = 3.5
#: A blur (standard deviation) that hides a coin's number or a thin wall, mm.
MOST_BLUR_MM = 0.32
#: Level that counts as glare, and the greatest accepted share of glare on a card.
_WHITE, MOST_GLARE = 250, 0.06
#: Relative contrast below which, and brightness above which, a face counts as veiled by glare.
_WASHED, _LIGHTER = 0.5, 1.2
#: Lowest share of a card that must be inside the picture.
LEAST_INSIDE = 0.985

TOO_BLURRED = Text("Too blurred; take it once more.")
CUT_OFF = Text("A card is cut off at the picture's edge; have all of it in view.")
UNCLEAR = Text("The edge of this card is not clear; lay it on a plain table, away from others.")
GLARE = Text("Glare hides a part of this card; take it once more from another side.")


@dataclass(frozen=True)
class Quality:
    """Measures of a card's view: resolution, blur in mm, glare, and visible share. `blur_mm` is None where
    nothing sharp is printed. `glare` is the share of the card overexposed to white."""

    px_per_mm: float
    blur_mm: float | None
    glare: float
    inside: float

    @property
    def usable(self) -> bool:
        """Whether the view is good enough to identify the face and to store it."""
        return (
            self.inside >= LEAST_INSIDE
            and self.px_per_mm >= LEAST_USABLE_PX_PER_MM
            and self.glare <= 0.3
            and (self.blur_mm is None or self.blur_mm <= 2 * MOST_BLUR_MM)
        )

    @property
    def advice(self) -> tuple[Text, ...]:
        """Sentences that name the view's faults and their remedies."""
        told = []
        if self.inside < LEAST_INSIDE:
            told.append(CUT_OFF)
        if self.px_per_mm < LEAST_USABLE_PX_PER_MM:
            told.append(too_small(self.px_per_mm))
        if self.blur_mm is not None and self.blur_mm > MOST_BLUR_MM:
            told.append(TOO_BLURRED)
        if self.glare > MOST_GLARE:
            told.append(GLARE)
        return tuple(told)


def quality_of(
    face: NDArray[np.uint8], kept_px_per_mm: float, native_px_per_mm: float, inside: float
) -> Quality:
    """Quality measures of a rectified face (H, W, 3) BGR."""
    grey = np.asarray(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), np.uint8)
    blur = blur_px(grey)
    white = np.asarray(face.min(axis=2) >= _WHITE, np.uint8)
    glare = cv2.morphologyEx(white, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    return Quality(
        native_px_per_mm, None if blur is None else blur / kept_px_per_mm, float(glare.mean()), inside
    )


def washed_out(faces: Sequence[NDArray[np.uint8]]) -> list[bool]:
    """Flags of a photo's faces veiled by glare: brighter than the others, with far less contrast."""
    if not faces:
        return []
    greys = [cv2.cvtColor(face, cv2.COLOR_BGR2GRAY) for face in faces]
    contrast = np.array([float(grey.std()) for grey in greys])
    light = np.array([float(grey.mean()) for grey in greys])
    least = _WASHED * float(np.median(contrast))
    veiled = (contrast < least) & (light > _LIGHTER * float(np.median(light)))
    return [bool(each) for each in veiled]


def too_small(px_per_mm: float) -> Text:
    """Advice on how much nearer to take the photo, for sharp art."""
    nearer = LEAST_PX_PER_MM / px_per_mm
    return Text(
        "The cards are small in the picture ({px_per_mm:.1f} pixels a millimetre); go {nearer:.1f} times "
        "as near, with fewer cards at once.",
        px_per_mm=px_per_mm,
        nearer=nearer,
    )
