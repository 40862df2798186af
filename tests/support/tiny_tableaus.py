"""Tiny dungeons as they stand after a photo: for tests of what the web app makes of a reading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dungeons import HEIGHT, WIDTH, catalogue, record

from scorer.mapmasters.rules.settings import HOUSE, VersusSettings
from scorer.mapmasters.rules.terms import Terms
from scorer.placement import card_to_table
from vision.cards.pose import CardPose
from vision.questions import Question
from vision.scan import Scan, SeenPhoto
from waymark.review.referee_cache import Table
from waymark.review.tableau.assess import Assessment, assess

PX_PER_MM = 12.0
MARGIN_MM = 40.0


def assessment(
    cards: dict[str, Any] | Sequence[dict[str, Any]],
    path: str,
    *,
    questions: tuple[Question, ...] = (),
    settings: VersusSettings = HOUSE,
    **told: Any,
) -> Assessment:
    """How a tableau stands whose cards were photographed straight from above; `told` are arguments of
    `dungeons.record`. Its means are those of the record."""
    laid = [cards] if isinstance(cards, dict) else list(cards)
    written = record(laid, path, **told)
    deck = catalogue(*{face["id"]: face for face in laid}.values())
    face = ((0.0, 0.0), (WIDTH, 0.0), (WIDTH, HEIGHT), (0.0, HEIGHT))
    seen = []
    for placed in written.cards:
        corners = [card_to_table(placed, corner, deck.card_size_mm) for corner in face]
        in_photo = tuple(((x + MARGIN_MM) * PX_PER_MM, (y + MARGIN_MM) * PX_PER_MM) for x, y in corners)
        seen.append(CardPose(placed.card, placed.rotation, in_photo, 1.0))
    photo = SeenPhoto(
        round((WIDTH * len(laid) + 2 * MARGIN_MM) * PX_PER_MM), round((HEIGHT + 2 * MARGIN_MM) * PX_PER_MM)
    )
    scan = Scan(photo, written, tuple(seen), (), questions, sure=not questions)
    terms = Terms(
        written.fairy_tokens,
        written.spellbooks,
        written.objectives.primary,
        written.objectives.secondary,
        settings,
    )
    return assess(scan, Table(deck), terms)
