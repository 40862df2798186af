"""Question types: the doubts of a scan, with the records that the possible answers would give."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from scorer.record import Record
from scorer.text import Text, written

#: Log-likelihood difference (nats) to the best reading beyond which another reading is not a doubt.
DOUBT = 5.0

About = Literal["card", "path", "direction", "mark"]

#: Reasons of doubts by keyword: the sentence in English and in Japanese.
REASONS: dict[str, Text] = {
    "direction": Text("The ink does not show in which direction or order the path was drawn."),
    "faint": Text("The line here is too faint or broken to tell whether the path runs on."),
    "ghost": Text("The line here is thin; it may be what is left of a path from an earlier round."),
    "other-pen": Text(
        "The line here is not in the colour of this player's pen; it may be somebody else's, or from an "
        "earlier round."
    ),
    "hidden": Text("Glare or something on the card hides whether the path runs here."),
    "standing": Text("Something stands on this end of the line, so it is not clear where exactly it ends."),
    "stray": Text("What looks like a line here may be a shadow, or run along another group's line."),
    "covered": Text("Something covers this end of the path, or its line goes on; there may be another card."),
    "unseen": Text(
        "The photo does not show that nothing follows this end of the path: the picture ends there, or "
        "something covers it. There may be another card."
    ),
    "cut": Text(
        "The path runs over this card, but part of it is outside the picture, or covered; "
        "other cards may be, too."
    ),
    "crossing": Text("Lines meet here, and which one goes on where is not clear."),
    "beside": Text("There is ink here that is not part of the path as read."),
    "too-much": Text("The ink here could be read in more ways than Waymark has tried."),
    "off-path": Text("This find is circled, but the path as read does not come to it."),
    "card": Text("This card could also be another one."),
    "unlike-its-art": Text(
        "This looks most like the card named here, but not exactly: it may be another one, or one that is "
        "not in this catalogue."
    ),
    "stranger": Text(
        "There seems to be a card here that could not be read: it may be hidden, or not in this catalogue."
    ),
    "cut-off": Text("A card of this tableau seems to be cut off here by the edge of the picture."),
    "gap": Text("A card may be missing beside this one: there is another one in line beyond a gap."),
    "group": Text("There are two groups of cards in this photo; this could be the tableau to score."),
    "proposed": Text(
        "The corridors of this card are only a draft that nobody has confirmed; check the path on it, and "
        "trace the card."
    ),
    "untraced": Text(
        "Nobody has traced this card yet, so no path can be read on it; trace it, or draw the path by hand."
    ),
    "drawn-on": Text(
        "The picture of this card in the box was taken with a line on it, so the line is hard to see; "
        "check the path here, or photograph the blank card for the box."
    ),
    "screen": Text(
        "There is a fine grid over cards and table, as on a screen; only a photo of the cards themselves "
        "counts."
    ),
    "mark": Text("Whether this find is circled is not clear."),
}
_WORD_OF = {sentence.en: word for word, sentence in REASONS.items()}


@dataclass(frozen=True)
class Question:
    """One doubt, as a question. The first of `options` is the answer as read; `alternatives` are the records
    for the others.

    `place` is a place of the record, or a card's index for a doubt about a card, or "" for a doubt about no
    single place.

    `crop_px` is the box in photo pixels (left, top, right, bottom) to show with the question, or None.

    `behind` is the difference of log likelihood (nats) between the reading and the other answers, 0 if the
    ink gives none.

    `reason` is the English sentence listed in docs/FORMATS.md section 4.

    `name` identifies the question within its scan, and is the same whenever the photo is read the same
    (`with_names`). It is "" before the question belongs to a scan.
    """

    about: About
    place: str
    options: tuple[str, ...]
    reason_en: str
    reason_ja: str
    crop_px: tuple[int, int, int, int] | None = None
    alternatives: tuple[Record, ...] = ()
    behind: float = 0.0
    name: str = ""
    reason: str = field(init=False, default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "reason", self.reason_en)

    @property
    def words(self) -> Text:
        """The reason as a text to show: a known reason in every language, any other as it was stored."""
        known = REASONS.get(_WORD_OF.get(self.reason_en, ""))
        return known or written(self.reason_en, self.reason_ja)


def with_names(questions: Iterable[Question]) -> tuple[Question, ...]:
    """The questions of one scan, each with a name; existing names are kept.

    A name consists of the subject, the reason and the place ("path:faint:1.w2", "card:3", "mark:0.A1",
    "direction"). Later questions with the same name get a number (":2"). Scans stored before questions had
    names get the same names.
    """
    questions = tuple(questions)
    taken = {question.name for question in questions if question.name}
    named = []
    for question in questions:
        if not question.name:
            name = first = _name(question)
            twin = 1
            while name in taken:
                twin += 1
                name = f"{first}:{twin}"
            taken.add(name)
            question = replace(question, name=name)
        named.append(question)
    return tuple(named)


def _name(question: Question) -> str:
    if question.about == "direction":
        return "direction"
    word = _WORD_OF.get(question.reason_en, "")
    return ":".join(
        part for part in (question.about, word * (word != question.about), question.place) if part
    )
