"""Options of printed cards: paper, resolution, bleed, backs, and the card sizes of print services."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scorer.catalogue import Point
from scorer.errors import Code, WaymarkError
from scorer.text import Text

Paper = Literal["a4", "letter"]

#: Resolution that print services ask for.
SERVICE_DPI = 300
#: Bleed of a page where a service has no size of its own.
SERVICE_BLEED_MM = 3.0
#: A card may differ this much from a service's size, which is then cut from its bleed.
_SIZE_TOLERANCE_MM = 1.0


@dataclass(frozen=True)
class PrintOptions:
    """`dpi`: resolution of the pictures, None for the art's own. `bleed_mm`: art beyond the cuts of cards.
    `backs`: whether each page of cards is followed by their backs, for printing on both sides."""

    dpi: int | None = None
    bleed_mm: float = 0.0
    backs: bool = False


@dataclass(frozen=True)
class Service:
    """A print service: the size of a card that it cuts, and of the picture with bleed that it takes, in mm;
    None for any size with 3 mm of bleed."""

    cut_mm: Point | None = None
    whole_mm: Point | None = None


def _px(width: int, height: int) -> Point:
    return width / SERVICE_DPI * 25.4, height / SERVICE_DPI * 25.4


#: Templates by the service's name, as published in 2026: poker-sized cards.
SERVICES: dict[str, Service] = {
    "makeplayingcards": Service((63.5, 88.9), _px(822, 1122)),
    "thegamecrafter": Service((63.0, 87.9), _px(825, 1125)),
    "drivethrucards": Service((63.5, 88.9), _px(825, 1125)),
    "pages": Service(),
}


def whole_size(service: Service, size_mm: Point) -> Point:
    """Width and height (mm) of a card's picture with bleed. Raises `WaymarkError` (cards-too-large) for a
    card that the service has no template for."""
    if service.cut_mm is None or service.whole_mm is None:
        return size_mm[0] + 2 * SERVICE_BLEED_MM, size_mm[1] + 2 * SERVICE_BLEED_MM
    if any(abs(a - b) > _SIZE_TOLERANCE_MM for a, b in zip(service.cut_mm, size_mm, strict=True)):
        raise WaymarkError(
            Code.CARDS_TOO_LARGE,
            Text(
                "This service cuts cards of {cut} mm, and a card here is {size} mm; use the service 'pages'.",
                cut=measured(service.cut_mm),
                size=measured(size_mm),
            ),
        )
    return service.whole_mm


def measured(size_mm: Point) -> str:
    return f"{size_mm[0]:g} x {size_mm[1]:g}"
