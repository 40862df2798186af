"""Rulings of drawn cards that were photographed straight from above."""

from __future__ import annotations

from typing import Any

import numpy as np
from dungeons import card, catalogue, record

from scorer.placement import card_to_table
from vision.cards.pose import CardPose
from vision.photo.decode import Photo
from vision.questions import Question
from vision.scan import Scan, SeenPhoto
from waymark.review.pipeline import ScoreResult
from waymark.review.referee_cache import Table
from waymark.review.tableau.assess import assess

CORRIDOR = card("C1", "w1 coin1 j1 e1", "j1 monster1 n")
PITS = card("C2", "w1 rope1 pit1 j1 e1", "u1 st1u", "st1 e2", falls=["pit1 u1"], stairs=["st1u st1"])
ROOM = card("C3", "w1 Adw", "Ade e1", rooms={"A": "coin barrel"})
PX_PER_MM = 12.0
MARGIN_MM = 40.0


def scored(
    cards: list[dict[str, Any]], path: str, questions: tuple[Question, ...] = (), **means: Any
) -> ScoreResult:
    """A result as the chain gives it, of cards photographed straight from above."""
    told = record(cards, path, **means)
    deck = catalogue(*{face["id"]: face for face in cards}.values())
    seen = []
    for placed in told.cards:
        around = [
            card_to_table(placed, corner, deck.card_size_mm)
            for corner in ((0, 0), (63, 0), (63, 88), (0, 88))
        ]
        seen.append(
            CardPose(
                placed.card,
                placed.rotation,
                tuple(((x + MARGIN_MM) * PX_PER_MM, (y + MARGIN_MM) * PX_PER_MM) for x, y in around),
                1.0,
            )
        )
    width, height = (round((side + 2 * MARGIN_MM) * PX_PER_MM) for side in (63 * len(cards), 88))
    pixels = np.full((height, width, 3), 90, np.uint8)
    scan = Scan(SeenPhoto(width, height), told, tuple(seen), (), questions, sure=not questions)
    table = Table(deck)
    return ScoreResult(Photo(pixels), scan, assess(scan, table, table.terms_in(told)))
