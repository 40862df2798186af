"""What no photo tells: in which order lines were drawn, what was agreed before, what nobody told yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scorer.groups import AGREED, SEEN, Untold
from scorer.text import Text
from vision.questions import Question
from waymark.review.groups.asked import Asked, Other
from waymark.review.groups.names import AGREED_BEFORE, AS_READ, BY_ORDER, LEFT_OPEN, UNTOLD, order_key
from waymark.review.groups.readings import Readings

_ORDER = Text(
    "The ruling depends on the order in which these lines were drawn, on the direction of one, or on where "
    "it stopped on its way; please say how it was.",
    "線を描いた順番や向き、途中で止まった場所によって結果が変わります。どうだったかを教えてください。",
)
_STANDS = Text("It is right as it stands now", "今の内容で正しいです")


def order_question(made: Readings, record: Any, rivals: Sequence[Any]) -> Asked:
    """In which order lines were drawn, and which way: of several that come to the same the first."""
    others: dict[Any, Any] = {}
    stands = made.game.worth(made.rule(record))
    for rival in rivals:
        others.setdefault(made.game.worth(made.rule(rival)), rival)
    others.pop(stands, None)
    return Asked(
        BY_ORDER,
        "direction",
        "",
        _ORDER,
        tuple(Other(order_key(each), made.groups.order_told(each, record), each) for each in others.values()),
        (order_key(record), made.groups.order_told(record, record)),
    )


def agreed_questions(made: Readings) -> list[Asked]:
    """What was agreed before and the photo shows otherwise: which of both is right. A card that is asked
    about anyhow is asked about once."""
    asked = []
    cards = {question.place for question in made.scan.questions if question.alternatives}
    for each in made.contradictions:
        if AGREED_BEFORE + each.name in made.answers or (each.about == "card" and each.place in cards):
            continue
        other = SEEN if each.stands == AGREED else AGREED
        words = {AGREED: each.agreed, SEEN: each.seen}
        record = made.of(said={each.name: other})[0]
        asked.append(
            Asked(
                AGREED_BEFORE + each.name,
                each.about,
                each.place,
                each.words,
                (Other(other, words[other], record),),
                (each.stands, words[each.stands]),
            )
        )
    return asked


def untold_question(each: Untold) -> Asked:
    return Asked(UNTOLD + each.name, "path", "", each.words, stands=(AS_READ, each.nothing), is_open=True)


def looked_over(question: Question) -> Asked:
    """Whether a record that people put in the reading's place has right what the reading left open."""
    why = Text(question.reason_en, question.reason_ja)
    name = LEFT_OPEN + question.name.removeprefix(LEFT_OPEN)
    return Asked(
        name, question.about, question.place, why, (), (AS_READ, _STANDS), question.crop_px, is_open=True
    )
