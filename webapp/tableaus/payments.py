"""What was paid with, for a reviewer: each payment of the ruling with the ways that were held then."""

from __future__ import annotations

from scorer.game import PaymentChoice, Way
from scorer.places import place_words
from scorer.text import Language
from waymark.review.assessment import Assessment
from waymark.review.edits import with_payment
from waymark.review.projection import Projection
from webapp.tableaus.model import ReviewPayment, ReviewPaymentNote, ReviewWay, Score
from webapp.tableaus.questions import px, score_of


def review_payments(
    assessment: Assessment, projection: Projection, language: Language
) -> tuple[ReviewPayment, ...]:
    """The payments of a ruling that could have been made with one thing or another, in walking order."""
    dungeon, payments = assessment.dungeon, assessment.table.game.payments
    if payments is None:
        return ()
    return tuple(
        ReviewPayment(
            place=choice.at,
            name=place_words(
                assessment.table.game.vocabulary, dungeon, dungeon.places[choice.at], with_id=False
            ).message(language),
            at=px(projection.place(choice.at)),
            step=choice.step,
            tool=choice.tool,
            stated=choice.stated,
            ways=tuple(
                ReviewWay(
                    means=way.means,
                    source=way.source,
                    words=way.words.message(language),
                    used=way == choice.used,
                    score=_other_score(assessment, choice, way),
                )
                for way in choice.ways
            ),
        )
        for choice in payments.choices(assessment.board, assessment.told, assessment.terms)
    )


def review_payment_notes(
    assessment: Assessment, projection: Projection, language: Language
) -> tuple[ReviewPaymentNote, ...]:
    """What the ruling says of the payments that were stated."""
    return tuple(
        ReviewPaymentNote(
            about=note.about,
            place=note.at,
            at=px(projection.place(note.at)),
            message=note.message_ja if language == "ja" else note.message,
        )
        for note in assessment.said.payments
    )


def _other_score(assessment: Assessment, choice: PaymentChoice, way: Way) -> Score | None:
    """What would stand if it had been paid so, where that can be missed elsewhere."""
    if way not in choice.elsewhere:
        return None
    stated = with_payment(assessment.record, assessment.table, choice.at, way.means, way.source)
    then = score_of(assessment.table.referee(stated, assessment.terms))
    return then if then != score_of(assessment.ruling) else None
