"""Payments of a ruling for a reviewer: each with the means that were held at that step."""

from __future__ import annotations

from scorer.payments import PaymentChoice, Way
from scorer.places import place_words
from scorer.text import Language
from waymark.review.projection import Projection
from waymark.review.tableau.assess import Assessment
from waymark.review.tableau.edits import with_payment
from webapp.tableaus.reading_model import ReviewPayment, ReviewWay, Score
from webapp.tableaus.verdict_view import px, score_now, score_of


def review_payments(
    assessment: Assessment, projection: Projection, language: Language
) -> tuple[ReviewPayment, ...]:
    """The payments of a ruling that had several possible means, in walking order."""
    dungeon, payments = assessment.dungeon, assessment.table.game.play.payments
    if payments is None:
        return ()
    return tuple(
        ReviewPayment(
            place=choice.at,
            name=place_words(
                assessment.table.game.words.vocabulary, dungeon, dungeon.places[choice.at], with_id=False
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
                    score=_other_score(assessment, choice, way, language),
                )
                for way in choice.ways
            ),
        )
        for choice in payments.choices(assessment.board, assessment.told, assessment.terms)
    )


def _other_score(assessment: Assessment, choice: PaymentChoice, way: Way, language: Language) -> Score | None:
    """The score with another payment; None where it would be the same."""
    if way not in choice.elsewhere:
        return None
    stated = with_payment(assessment.record, assessment.table, choice.at, way.means, way.source)
    verdict = assessment.table.referee(stated, assessment.terms)
    then = score_of(assessment.table.game, verdict, language)
    return then if then != score_now(assessment, language) else None
