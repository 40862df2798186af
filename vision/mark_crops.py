"""Mark crops: what lies round each find, in the icon's own size, for the network that tells marks
(`vision.mark_net`).

A crop shows what the photo has beside what the blank card would have there, and what the ink map makes of it:
so it looks the same on any deck, with any pen and in any light.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import tuning
from vision.ink_map import PX_PER_MM, InkMap

Array = NDArray[np.float64]

#: Pixels along a crop, and how much of the table it shows, in icons.
SIDE, SPAN = 40, 2.4
#: What is seen less what the blank card shows (blue, green, red), the blank card, evidence, film, visible.
CHANNELS = 7
#: Crops are brought to the light in which a photo's cards are this bright (median, 0 to 1); darker photos
#: than the second would be mostly noise.
_LIGHT, _LEAST_LIGHT = 0.6, 0.12


def mark_crops(
    ink: InkMap, at_mm: Array, icon_mm: float, *, side: int = SIDE, span: float = SPAN
) -> NDArray[np.float32]:
    """(F, 7, side, side) float32, about -1 to 1, of `span` icons about each of (F, 2) table mm; 0 where no
    card is.
    """
    # two samples each way a pixel: it is about three of the map's
    fine = 2 * side
    reach = (np.arange(fine) - (fine - 1) / 2) * (span * icon_mm * PX_PER_MM / fine)
    grid = np.stack(np.meshgrid(reach, reach), axis=-1).astype(np.float32)
    centre = ink.to_px(np.asarray(at_mm, float).reshape(-1, 1, 1, 2)).astype(np.float32)
    at = (centre + grid).reshape(-1, fine, 2)
    blank = ink.picture if ink.blank is None else ink.blank

    def seen(layer: NDArray[np.generic]) -> NDArray[np.float32]:
        found = cv2.remap(layer, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        found = cv2.resize(found, (side, len(at) // 2), interpolation=cv2.INTER_AREA)
        return np.asarray(found, np.float32).reshape(-1, side, side, *layer.shape[2:])

    bare = seen(blank)
    scale = np.float32(_LIGHT / (255 * max(_light(blank), _LEAST_LIGHT)))
    change = (seen(ink.picture) - bare) * (2 * scale)
    ground = bare[..., 0] + bare[..., 1] + bare[..., 2]
    made = np.zeros((len(bare), CHANNELS, side, side), np.float32)
    for channel in range(3):
        made[:, channel] = change[..., channel]
    made[:, 3] = np.where(ground > 0, ground * (2 * scale / 3) - 1, 0)
    made[:, 4] = seen(ink.evidence) / tuning.EVIDENCE_LIMIT
    if ink.film is not None:
        made[:, 5] = seen(ink.film) / ink.line_film
    made[:, 6] = seen(255 * ink.visible.view(np.uint8)) / 255
    return np.clip(made, -1.25, 1.25, out=made)


def _light(blank: NDArray[np.uint8]) -> float:
    """How bright the cards are on (H, W, 3) the map: the median, 0 to 1."""
    blue, green, red = cv2.split(blank[::9, ::9])
    level = np.maximum(np.maximum(blue, green), red)
    return float(np.median(level[level > 0])) / 255 if level.any() else 1.0
