"""Words of questions about a tableau: prompt, reason, and the short label of each answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from flask_babel import gettext as _

from scorer.places import place_words
from scorer.text import Language
from vision.asking import part_of
from vision.questions import Question
from waymark.phrases import say
from waymark.review.tableau.assess import Assessment
from waymark.review.tableau.doubt_kinds import UNREAD, Kind, kind_of, reason_of
from waymark.review.tableau.option import Option
from waymark.review.tableau.question_names import BROKEN_RULE, GAP, MARKS, NO_PATH, PART_READ, UNCLEAR
from webapp.tableaus.path_answers import Way, path_words, runs_or_not


@dataclass(frozen=True)
class Given:
    """An answer, the path that follows from it, and the terms stated before."""

    option: Option
    way: Way
    told: Any


def label_of(
    question: Question, given: Given, own: Sequence[int], ways: Sequence[Way], language: Language
) -> str:
    """The short name of an answer on its button."""
    option, way = given.option, given.way
    match option.kind:
        case "unknown" | "otherwise" | "retake":
            return _leaves_open(question, option)
        case "held":
            return _held(given, language)
        case "turned" | "broken":
            return _from_the_other_end(option, way, language)
        case "unmarked":
            return _("The mark here is from another round, or there is none")
        case "led" if question.name != GAP and len(ways) == 2:
            return _("The line goes through here")
        case "jumped":
            return _jumped(way, ways[0], language)
        case "stands":
            return _as_it_stands(question, way, own, ways, language)
    return _another_reading(question, given, own, ways, language)


def _leaves_open(question: Question, option: Option) -> str:
    """Label of an answer that leaves the question open."""
    if option.kind == "unknown":
        return _("I cannot tell")
    if option.kind == "retake":
        return _retake(question)
    return _("None of these cards") if question.about == "card" else _("The line was read wrongly")


def _from_the_other_end(option: Option, way: Way, language: Language) -> str:
    """Label of an answer that reverses the path's direction."""
    place = _start(way.assessment, language)
    if option.kind == "broken":
        return _("The path was drawn from the other end and breaks a rule: %(place)s", place=place)
    return _("The path was drawn from the other end: %(place)s", place=place)


def _another_reading(
    question: Question, given: Given, own: Sequence[int], ways: Sequence[Way], language: Language
) -> str:
    """Label of an answer that chooses another reading, in the words of its question."""
    way = given.way
    if question.about == "card":
        return card_of(question, given) or _tableau(way, language)
    if question.about == "mark":
        return _circled(question, way)
    if question.about == "direction":
        return _("It starts at %(place)s", place=_start(way.assessment, language))
    if question.name == GAP and runs_or_not(ways):
        return _("They are joined here")
    if kind_of(question.name) is Kind.END:
        return _("The path stops before this place")
    return path_words(way, own, ways, language)[0]


def _as_it_stands(
    question: Question, way: Way, own: Sequence[int], ways: Sequence[Way], language: Language
) -> str:
    """Label of the answer that keeps the current reading, in the words of its question."""
    if question.about == "card":
        return _cards_as_they_stand(question, way, language)
    if question.about == "mark":
        return _circled(question, way)
    if question.about == "direction":
        return _("It starts at %(place)s", place=_start(way.assessment, language))
    said = _ruling_as_it_stands(question, way) or _line_as_it_stands(question)
    if said is not None:
        return said
    return path_words(way, own, ways, language)[0]


def _ruling_as_it_stands(question: Question, way: Way) -> str | None:
    """Label of the answer that keeps the current reading, for a question about the whole path or the ruling;
    otherwise None."""
    if question.name == GAP:
        return _("The lines are not joined")
    if question.name == BROKEN_RULE and _lines_are_drawn(way):
        return _("The rule was broken")
    if question.name == MARKS:
        return _("The path is right as it was read")
    if question.name in (PART_READ, UNCLEAR):
        return _("It is right as it is drawn here")
    if not way.assessment.record.path and _lines_are_drawn(way):
        return _("No path was drawn")
    return None


def _line_as_it_stands(question: Question) -> str | None:
    """Label of the answer that keeps the current reading, for a question about a stretch of the line. None
    for a question whose answers are stretches."""
    if reason_of(question.name) == "path:beside":
        return _("There is no line here")
    if reason_of(question.name) == "path:unseen":
        return _("There is nothing there: this is the end of the path")
    if kind_of(question.name) is Kind.END:
        return _("This is the end of the path")
    if kind_of(question.name) is Kind.CUT:
        return _("The whole path is in the photo, and it is right")
    if not question.alternatives:
        return _("It is right as it was read")
    return None


def card_of(question: Question, given: Given) -> str | None:
    """Id of the card that an answer names; None for an answer that names no card or several."""
    option, kind = given.option, kind_of(question.name)
    cards = given.way.assessment.record.cards
    if option.leaves_open or kind is Kind.TABLEAU or (kind in UNREAD and option.kind == "stands"):
        return None
    return cards[-1].card if kind in UNREAD else cards[int(question.place)].card


def _cards_as_they_stand(question: Question, way: Way, language: Language) -> str:
    match reason_of(question.name):
        case "card:group" if question.alternatives:
            return _tableau(way, language)
        case "card:group":
            return _("These cards: %(cards)s", cards=_cards(way, language))
        case "card:gap":
            return _("No card is missing")
        case "card:stranger" | "card:cut-off":
            return _("There is no card of this tableau here")
        case "card:screen":
            return _("These are the cards themselves")
    return way.assessment.record.cards[int(question.place)].card


def _tableau(way: Way, language: Language) -> str:
    """Label of one tableau in a photo: its position and its cards."""
    seen = way.assessment.scan
    middle = np.mean([corner for card in seen.cards for corner in card.corners], axis=0)
    place = part_of(seen.photo, middle).message(language)
    return _("%(place)s: %(cards)s", place=place[:1].upper() + place[1:], cards=_cards(way, language))


def _cards(way: Way, language: Language) -> str:
    return say(language, "list.comma").join(placed.card for placed in way.assessment.record.cards)


def _retake(question: Question) -> str:
    if question.name == NO_PATH:
        return _("There is a line: take the photo again")
    if question.name == UNCLEAR:
        return _("Take the photo again")
    if reason_of(question.name) == "path:unseen":
        return _("It goes on: take the photo again with all cards in it")
    if kind_of(question.name) is Kind.CUT:
        return _("Not all of it: take the photo again with all cards in it")
    if kind_of(question.name) is Kind.END:
        return _("A card is hidden here: take the photo again")
    if kind_of(question.name) is Kind.TABLEAU:
        if question.alternatives:
            return _("Take a photo of one tableau alone")
        return _("Other cards should be read: take the photo again")
    if kind_of(question.name) is Kind.SCREEN:
        return _("It is a screen: take a photo of the cards")
    return _("A card is missing: take the photo again")


def _circled(question: Question, way: Way) -> str:
    circled = question.place in way.assessment.record.marks.circled
    return _("It is circled") if circled else _("It is not circled")


def _held(given: Given, language: Language) -> str:
    assert given.option.assumption is not None, "what was held is assumed"
    what_ifs = given.way.assessment.table.game.play.what_ifs
    return what_ifs.telling(given.told, given.option.assumption).message(language)


def _jumped(way: Way, stands: Way, language: Language) -> str:
    """Label of an answer with a teleport that the current path lacks: its two gates."""
    dungeon, words = way.assessment.dungeon, way.assessment.table.game.words.vocabulary
    there, before = _jumps(way), _jumps(stands)
    here, onto = (
        place_words(words, dungeon, dungeon.places[name], with_id=False).message(language)
        for name in next((jump for jump in there if jump not in before), there[-1])
    )
    return _("The path teleports from %(here)s to %(onto)s", here=here, onto=onto)


def _jumps(way: Way) -> list[tuple[str, str]]:
    path = way.assessment.record.path
    return [(before[-1], after[0]) for before, after in pairwise(path)]


def _start(assessment: Assessment, language: Language) -> str:
    first = assessment.dungeon.places[assessment.record.path[0][0]]
    words = assessment.table.game.words.vocabulary
    return place_words(words, assessment.dungeon, first, with_id=False).message(language)


def prompt_of(
    question: Question,
    assessment: Assessment,
    given: Sequence[Given],
    ways: Sequence[Way],
    language: Language,
) -> tuple[str, str]:
    """Prompt of a question, and its reason."""
    why = question.words.message(language)
    asks = _asks_of_all(question, ways)
    if asks is None and question.name == BROKEN_RULE:
        why = assessment.table.game.words.why(assessment.said).words.message(language)
        means = any(each.option.kind == "held" for each in given)
        asked = assessment.table.game.play.what_ifs.asking(assessment.ruling)
        asks = asked.message(language) if means else _("Was the path read right here?")
    return asks or _asks_of_the_line(question, ways), why


def _asks_of_all(question: Question, ways: Sequence[Way]) -> str | None:
    """Prompt of a question that is not about a stretch of a line; None for other questions."""
    if question.about == "card":
        return _which_card(question)
    if question.about == "direction":
        return _("From which end was the path drawn?")
    if question.about == "mark":
        return _("Is this find circled?")
    if question.name == GAP and len(ways) > 1:
        return _("Are these lines joined?") if runs_or_not(ways) else _("How are these lines joined?")
    if not _lines_are_drawn(ways[0]):
        return _("Is it right as it was read?")
    if question.name == NO_PATH:
        return _("Was a path drawn?")
    return None


def _asks_of_the_line(question: Question, ways: Sequence[Way]) -> str:
    """Prompt of a question about a stretch of the line, or about the whole line."""
    if question.name in (PART_READ, UNCLEAR):
        return _("Is the whole path right as shown?")
    if question.name == MARKS:
        return _("Do the circles match the path?")
    if reason_of(question.name) == "path:beside":
        return _("Is there a line of the path here?")
    if kind_of(question.name) is Kind.END:
        return _("Does the path begin or end here?")
    if kind_of(question.name) is Kind.CUT:
        return _("Is the whole path in the photo, as it was read?")
    if not question.alternatives:
        return _("Was the path read right here?")
    return _("Does the line run here?") if runs_or_not(ways) else _("Which way does the path run?")


def _which_card(question: Question) -> str:
    match reason_of(question.name):
        case "card:group" if question.alternatives:
            return _("Which one should be scored?")
        case "card:group":
            return _("Which cards should be read?")
        case "card:gap":
            return _("Is a card missing here?")
        case "card:stranger" | "card:cut-off":
            return _("What is here?")
        case "card:screen":
            return _("Is this a picture on a screen?")
    return _("Which card is this?")


def _lines_are_drawn(way: Way) -> bool:
    return way.assessment.table.game.photo.habits.drawn
