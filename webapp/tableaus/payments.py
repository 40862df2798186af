"""What was paid with, for a reviewer: each payment of the ruling with the ways that were held then."""

from __future__ import annotations

from flask_babel import gettext as _

from scorer.dungeon import Dungeon
from scorer.mapmasters.choices import PaymentChoice, payment_choices
from scorer.mapmasters.means import WILD, Held, Tool
from scorer.mapmasters.messages import means_words, place_words
from scorer.mapmasters.payments import state_payment
from scorer.mapmasters.referee import referee_dungeon
from scorer.mapmasters.ruling import Ruling
from scorer.text import Language
from waymark.phrases import find_name, plain
from waymark.review.assessment import Assessment
from waymark.review.projection import Projection
from webapp.tableaus.model import ReviewPayment, ReviewPaymentNote, ReviewWay, Score
from webapp.tableaus.questions import px, score_of


def review_payments(
    assessment: Assessment, projection: Projection, language: Language
) -> tuple[ReviewPayment, ...]:
    """The payments of a ruling that could have been made with one thing or another, in walking order."""
    dungeon = assessment.dungeon
    step_of = {
        payment.at: number
        for number, step in enumerate(assessment.ruling.steps, start=1)
        for payment in step.paid
    }
    return tuple(
        ReviewPayment(
            place=choice.payment.at,
            name=place_words(dungeon, dungeon.places[choice.payment.at], with_id=False).message(language),
            at=px(projection.place(choice.payment.at)),
            step=step_of[choice.payment.at],
            tool=choice.tool,
            stated=choice.payment.stated,
            ways=tuple(
                ReviewWay(
                    means=way.means,
                    source=way.source,
                    words=way_words(dungeon, way, choice.tool, language),
                    used=way == choice.used,
                    score=_other_score(assessment, choice, way),
                )
                for way in choice.ways
            ),
        )
        for choice in payment_choices(dungeon, assessment.record, assessment.settings)
    )


def review_payment_notes(
    ruling: Ruling, projection: Projection, language: Language
) -> tuple[ReviewPaymentNote, ...]:
    """What the ruling says of the payments that were stated."""
    return tuple(
        ReviewPaymentNote(
            about=note.about,
            place=note.at,
            at=px(projection.place(note.at)),
            message=plain(note.message_ja if language == "ja" else note.message),
        )
        for note in ruling.payments
    )


def way_words(dungeon: Dungeon, way: Held, tool: Tool, language: Language) -> str:
    """A means by which a demand for a tool may be met: "the rope at the top left of D29", "a rope token"."""
    if way.means == WILD:
        return _("%(book)s as a %(tool)s token", book=WILD, tool=find_name(language, tool))
    return means_words(dungeon, way, with_id=False).message(language)


def _other_score(assessment: Assessment, choice: PaymentChoice, way: Held) -> Score | None:
    """What would stand if it had been paid so. Only SB-5 can be missed elsewhere."""
    if way == choice.used or WILD not in (way.means, choice.used.means):
        return None
    stated = state_payment(assessment.record, choice.payment.at, way.means, way.source)
    then = score_of(referee_dungeon(assessment.dungeon, stated, assessment.settings))
    return then if then != score_of(assessment.ruling) else None
