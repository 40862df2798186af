"""The picture of a card's face, from its file: a catalogue may come from anybody, so that a file is looked at
before it is decoded."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from scorer.catalogue import Card, Catalogue
from scorer.errors import Code, WaymarkError

#: The largest piece is a board of 80 x 60 cm, at the 8 px/mm that art has at least.
MAX_ART_MEGAPIXELS = 40
MAX_ART_MB = 60
#: What pieces of a colour are painted in (red, green, blue): wooden figures and cubes of games that are sold.
PAINTS: dict[str, tuple[int, int, int]] = {
    "red": (198, 40, 44),
    "blue": (38, 84, 178),
    "yellow": (236, 190, 40),
    "green": (40, 130, 66),
    "purple": (112, 52, 140),
    "orange": (226, 110, 30),
    "black": (36, 34, 34),
    "white": (236, 234, 228),
}
_PLAIN_PX_PER_MM = 8.0


def read_art(path: Path, *, clear: bool = False) -> NDArray[np.uint8] | None:
    """A face, (H, W, 3) blue-green-red, or (H, W, 4) with how much of it hides what lies below, where it may
    be `clear`; None where the file is none, or no picture of a bounded size."""
    try:
        if path.stat().st_size > MAX_ART_MB * 1_000_000:
            return None
        with Image.open(path, formats=("PNG", "JPEG", "WEBP")) as header:
            if header.width * header.height > MAX_ART_MEGAPIXELS * 1_000_000:
                return None
        data = np.frombuffer(path.read_bytes(), np.uint8)
        if not clear:
            return cv2.imdecode(data, cv2.IMREAD_COLOR)
        return _with_alpha(cv2.imdecode(data, cv2.IMREAD_UNCHANGED))
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError, cv2.error):
        return None


def picture_of(catalogue: Catalogue, card: Card) -> NDArray[np.uint8] | None:
    """A piece's face, (H, W, 3) blue-green-red: its art, or for one without art its colour alone; None where
    its file cannot be read, and where nothing is known of its looks."""
    if card.art:
        return read_art(catalogue.art_path(card))
    paint = PAINTS.get(card.colour or "")
    if paint is None:
        return None
    width, height = (max(4, round(_PLAIN_PX_PER_MM * side)) for side in catalogue.size_of(card.id))
    return np.full((height, width, 3), paint[::-1], np.uint8)


def is_known_by_sight(card: Card) -> bool:
    """Whether a photo can tell a piece: by its art or its colour. Others are told by people."""
    return bool(card.art) or card.colour in PAINTS


def unreadable(card: Card) -> WaymarkError:
    """The error for a card whose face is needed and cannot be had."""
    if not card.art:
        return WaymarkError(
            Code.ART_UNREADABLE,
            f"Card {card.id!r} has no art, so that no photo can tell it; give it a picture.",
            f"カード {card.id!r} に絵がないため、写真では見分けられません。絵を用意してください。",
        )
    return WaymarkError(
        Code.ART_UNREADABLE,
        f"The art of card {card.id!r} ({card.art}) cannot be read; run `waymark deck check`.",
        f"カード {card.id!r} の絵({card.art})を読めません。`waymark deck check` で調べてください。",
    )


def _with_alpha(picture: NDArray[np.uint8] | None) -> NDArray[np.uint8] | None:
    if picture is None or picture.dtype != np.uint8:
        return None
    if picture.ndim == 2:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    if picture.shape[2] == 4:
        return picture
    return np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])
