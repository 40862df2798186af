"""Which card lies there: the records that other cards would make."""

from __future__ import annotations

from scorer.errors import WaymarkError
from scorer.text import Text
from waymark.review.groups.asked import AS_IT_WAS_READ, Asked, Other
from waymark.review.groups.names import AS_READ, card_at
from waymark.review.groups.readings import Readings


def card_questions(made: Readings) -> list[Asked]:
    """Those about cards, with the records that other cards would make."""
    asked = []
    for question in made.scan.questions:
        others = []
        for other in question.alternatives:
            card = card_at(other.cards, question)
            try:
                record = made.of(cards=made.with_change(made.placed, other.cards))[0]
                made.rule(record)
            except WaymarkError:
                continue  # a line on it leads nowhere: people have to look
            others.append(Other(card, Text(card, card), record))
        whole = bool(others) and len(others) == len(question.alternatives)
        read = card_at(made.scan.placed, question)
        asked.append(
            Asked(
                question.name,
                "card",
                question.place,
                Text(question.reason_en, question.reason_ja),
                tuple(others),
                (read, Text(read, read)) if question.alternatives else (AS_READ, AS_IT_WAS_READ),
                question.crop_px,
                is_open=not whole,
            )
        )
    return asked
