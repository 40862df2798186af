"""Open questions as a person answers them: a picture, what each answer says, and what it would score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
from flask import url_for
from flask_babel import gettext as _

from scorer.places import place_words
from scorer.text import Language
from scorer.told_apart import told_apart
from vision.asking import part_of
from vision.questions import Question
from waymark.phrases import say
from waymark.picture.annotations import path_pieces
from waymark.review.projection import Points, Projection
from waymark.review.tableau.answers import answered_with, asks_the_same, options
from waymark.review.tableau.assess import Assessment
from waymark.review.tableau.option import Option
from waymark.review.tableau.question_names import (
    BROKEN_RULE,
    CUT,
    GAP,
    HIDDEN_ENDS,
    MARKS,
    MISSING,
    NO_PATH,
    PART_READ,
    STORIES,
    UNCLEAR,
    UNSEEN,
    card_reason,
    is_open_ended,
    number_of,
    seen_before,
)
from waymark.review.tableau.ranking import in_order
from webapp.tableaus.model import ReviewOption, ReviewQuestion
from webapp.tableaus.new_cards import may_be_new
from webapp.tableaus.path_answers import (
    Way,
    lines_of,
    own_edges,
    path_words,
    runs_or_not,
    seen_lines,
    where_they_part,
)
from webapp.tableaus.verdict_view import how_it_ends, px, pxs, score_now

_Box = tuple[float, float, float, float]

#: A crop shows at least this much, so that people see where on the cards they are.
_LEAST_CROP_MM = 44.0
_CROP_MARGIN_MM = 6.0


@dataclass(frozen=True)
class _Given:
    """An answer, the way that the path takes with it, and the terms that were told before."""

    option: Option
    way: Way
    told: Any


def review_questions(assessment: Assessment, language: Language) -> tuple[ReviewQuestion, ...]:
    """Every open question, the one that is put first before the others; those that somebody left open
    last."""
    projection = Projection(assessment.scan.cards, assessment.dungeon)
    still = (*assessment.open_questions, *assessment.left_questions)
    asked = [
        _asked(assessment, question, projection, language)
        for k, question in enumerate(still)
        if not any(asks_the_same(question, before) for before in still[:k])
    ]
    if not any(question.matters for question in asked):
        # None changes the score alone, but two of them together would: all have to be asked.
        asked = [msgspec.structs.replace(question, matters=True) for question in asked]
    return tuple(sorted(asked, key=lambda question: (question.left, not question.matters)))


def _asked(
    assessment: Assessment, question: Question, projection: Projection, language: Language
) -> ReviewQuestion:
    given = [
        _Given(
            option,
            _way(option.number, answered_with(assessment, question.name, option, together=False)),
            assessment.terms,
        )
        for option in in_order(question, options(assessment, question.name))
    ]
    ways = [each.way for each in given if not each.option.leaves_open]
    ways.sort(key=lambda way: way.number)
    at = where(question.place, assessment, projection)
    # Cards are told by their names, whatever they come to.
    merge = question.alternatives and question.about != "card"
    groups = _alike(given) if merge else [[each] for each in given]
    told = _told_apart([_option(question, group, ways, language) for group in groups], groups, language)
    crops = [option.crop for option in told if option.crop is not None]
    lines = [np.array(line) for option in told for line in option.lines]
    prompt, reason = _prompt(question, assessment, given, ways, language)
    return ReviewQuestion(
        name=question.name,
        number=number_of(question.name, assessment.reading.questions),
        about=question.about,
        place=question.place,
        at=px(at),
        reason=reason,
        prompt=prompt,
        crop=_about_all(crops) if crops else _crop(question, at, lines, assessment, projection),
        options=told,
        matters=not question.alternatives
        or is_open_ended(question.name)
        or not all(assessment.table.alike(assessment.ruling, way.assessment.ruling) for way in ways),
        joins=question.name == GAP,
        left=question in assessment.left_questions,
        new_card=may_be_new(question),
    )


def _told_apart(
    told: Sequence[ReviewOption], groups: Sequence[Sequence[_Given]], language: Language
) -> tuple[ReviewOption, ...]:
    """The answers, those that would be told by the same words with where they part, or what else differs."""

    def apart(k: int) -> ReviewOption:
        same = [groups[j][0].way for j, each in enumerate(told) if each.label == told[k].label and j != k]
        words = where_they_part(groups[k][0].way, same, language)
        return msgspec.structs.replace(told[k], label=words) if words else told[k]

    parted = list(map(apart, range(len(told))))
    words = told_apart([each.label for each in parted], [(each.detail,) for each in parted])
    return tuple(
        msgspec.structs.replace(each, label=label) for each, label in zip(parted, words, strict=True)
    )


def _way(number: int, assessment: Assessment) -> Way:
    projection = Projection(assessment.scan.cards, assessment.dungeon)
    names = [name for stroke in assessment.record.path for name in stroke]
    pieces = tuple(path_pieces(assessment, projection))
    return Way(number, assessment, tuple(pairwise(names)), pieces)


def _alike(given: Sequence[_Given]) -> list[list[_Given]]:
    """Answers that come to the same in groups, in the order of their first ones. Where all do, each stays for
    itself: there is nothing to choose between, and every answer shows what was drawn."""
    groups: list[list[_Given]] = []
    for each in given:
        for group in groups:
            kinds = {group[0].option.kind, each.option.kind}
            if kinds <= _READ and _same_end(group[0].way.assessment, each.way.assessment):
                group.append(each)
                break
        else:
            groups.append([each])
    read = [group for group in groups if group[0].option.kind in _READ]
    return groups if len(read) > 1 else [[each] for each in given]


#: Answers that take one of the readings.
_READ = frozenset({"stands", "other"})


def _same_end(one: Assessment, other: Assessment) -> bool:
    return one.table.alike(one.ruling, other.ruling) and how_it_ends(one) == how_it_ends(other)


def _option(
    question: Question, group: Sequence[_Given], ways: Sequence[Way], language: Language
) -> ReviewOption:
    first, option = group[0].way, group[0].option
    own = [_own(each.way, ways, question) if not option.leaves_open else [] for each in group]
    mm = Projection(first.assessment.scan.cards, first.assessment.dungeon).px_per_mm
    lines = [line for each, edges in zip(group, own, strict=True) for line in seen_lines(each.way, edges, mm)]
    rest: list[Points] = []
    lacks: list[Points] = []
    detail = ""
    if question.about == "path" and len(ways) > 1 and not option.leaves_open:
        rest, lacks = _not_own(first, own[0], ways)
        words = path_words(first, own[0], ways, language)
        # The short name of an answer that only people give tells of no stretch.
        named = bool(question.alternatives) or question.name == GAP or len(ways) > 2
        if question.name not in STORIES and (named or first.number):
            detail = words[1] if named or runs_or_not(ways) else words[0]
    card = _card(question, group[0]) if question.about == "card" else None
    shows_start = option.kind in ("turned", "broken") or question.about == "direction"
    start = first.pieces[0].line_px[0] if shows_start and first.pieces and not option.leaves_open else None
    return ReviewOption(
        number=option.number,
        label=_label(question, group[0], own[0], ways, language),
        detail=detail,
        lines=tuple(pxs(line) for line in lines),
        rest=tuple(pxs(line) for line in rest),
        lacks=tuple(pxs(line) for line in lacks),
        score=score_now(first.assessment, language),
        start=px(start) if start is not None else None,
        card=card,
        picture=card_picture(card) if card is not None else None,
        alike=len(group),
        kind=option.kind,
        crop=_cards_crop(first.assessment) if _is_tableau(question, option) else None,
    )


def _is_tableau(question: Question, option: Option) -> bool:
    """Whether an answer is one of several tableaus in a photo: what tells it is its part of that."""
    return card_reason(question.name) == "group" and not option.leaves_open and bool(question.alternatives)


def _cards_crop(assessment: Assessment) -> _Box:
    """The part of the photo in which a tableau lies."""
    projection = Projection(assessment.scan.cards, assessment.dungeon)
    every = np.concatenate(projection.corners_px)
    margin = _CROP_MARGIN_MM * projection.px_per_mm
    return _in_photo(every.min(axis=0) - margin, every.max(axis=0) + margin, assessment)


def _not_own(way: Way, own: Sequence[int], ways: Sequence[Way]) -> tuple[list[Points], list[Points]]:
    """The rest of a way's path, and what others have that it lacks."""
    there = {frozenset(edge) for edge in way.edges}
    rest = lines_of(way, [k for k in range(len(way.edges)) if k not in own])
    lacks = [
        line
        for other in ways
        for line in lines_of(
            other, [k for k in own_edges(other, ways) if frozenset(other.edges[k]) not in there]
        )
    ]
    return rest, lacks


def _card(question: Question, given: _Given) -> str | None:
    """The card that an answer names; None for one that names none, or several."""
    option, reason = given.option, card_reason(question.name)
    cards = given.way.assessment.record.cards
    if option.leaves_open or reason == "group" or (reason in MISSING and option.kind == "stands"):
        return None
    return cards[-1].card if reason in MISSING else cards[int(question.place)].card


def card_picture(card: str) -> str:
    """Where a small picture of a card is."""
    return url_for("photos.card", card_id=card)


def _own(way: Way, ways: Sequence[Way], question: Question) -> list[int]:
    if question.about == "direction" or (question.name in (PART_READ, UNCLEAR) and len(ways) == 1):
        return list(range(len(way.edges)))
    return own_edges(way, ways) if question.about == "path" else []


def _label(
    question: Question, given: _Given, own: Sequence[int], ways: Sequence[Way], language: Language
) -> str:
    option, way = given.option, given.way
    match option.kind:
        case "unknown":
            return _("I cannot tell")
        case "otherwise":
            return _("None of these cards") if question.about == "card" else _("The line was read wrongly")
        case "retake":
            return _retake(question)
        case "held":
            return _held(given, language)
        case "turned":
            place = _start(way.assessment, language)
            return _("The path was drawn from the other end: %(place)s", place=place)
        case "broken":
            place = _start(way.assessment, language)
            return _("The path was drawn from the other end and breaks a rule: %(place)s", place=place)
        case "unmarked":
            return _("The mark here is from another round, or there is none")
        case "led" if question.name != GAP and len(ways) == 2:
            return _("The line goes through here")
        case "jumped":
            return _jumped(way, ways[0], language)
        case "stands":
            return _as_it_stands(question, way, own, ways, language)
    if question.about == "card":
        return _card(question, given) or _tableau(way, language)
    if question.about == "mark":
        return _circled(question, way)
    if question.about == "direction":
        return _("It starts at %(place)s", place=_start(way.assessment, language))
    if question.name == GAP and runs_or_not(ways):
        return _("They are joined here")
    if question.name.startswith(HIDDEN_ENDS):
        return _("The path stops before this place")
    return path_words(way, own, ways, language)[0]


def _as_it_stands(
    question: Question, way: Way, own: Sequence[int], ways: Sequence[Way], language: Language
) -> str:
    """The answer that changes nothing, in the words of its question."""
    record = way.assessment.record
    if question.about == "card":
        return _cards_as_they_stand(question, way, language)
    if question.about == "mark":
        return _circled(question, way)
    if question.about == "direction":
        return _("It starts at %(place)s", place=_start(way.assessment, language))
    if question.name == GAP:
        return _("The lines are not joined")
    if question.name == BROKEN_RULE and _lines_are_drawn(way):
        return _("That is right: the rule was broken")
    if question.name == MARKS:
        return _("The path is right as it was read")
    if question.name in (PART_READ, UNCLEAR):
        return _("It is right as it is drawn here")
    if seen_before(question.name) is not None:
        return _("That is right, I have checked again")
    if not record.path and _lines_are_drawn(way):
        return _("No path was drawn")
    if question.name.startswith("path:beside"):
        return _("There is no line here")
    if question.name.startswith(UNSEEN):
        return _("There is nothing there: this is the end of the path")
    if question.name.startswith(HIDDEN_ENDS):
        return _("This is the end of the path")
    if not question.alternatives:
        return _("It is right as it was read")
    return path_words(way, own, ways, language)[0]


def _cards_as_they_stand(question: Question, way: Way, language: Language) -> str:
    match card_reason(question.name):
        case "group" if question.alternatives:
            return _tableau(way, language)
        case "group":
            return _("These cards: %(cards)s", cards=_cards(way, language))
        case "gap":
            return _("No card is missing")
        case "stranger" | "cut-off":
            return _("There is no card of this tableau here")
        case "screen":
            return _("These are the cards themselves")
    return way.assessment.record.cards[int(question.place)].card


def _tableau(way: Way, language: Language) -> str:
    """Where in the photo a tableau lies, and its cards."""
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
    if question.name.startswith(UNSEEN):
        return _("It goes on: take the photo again with all cards in it")
    if question.name.startswith(CUT):
        return _("Take the photo again with the whole card in it")
    if question.name.startswith(HIDDEN_ENDS):
        return _("A card is hidden here: take the photo again")
    if card_reason(question.name) == "group":
        if question.alternatives:
            return _("Take a photo of one tableau alone")
        return _("Other cards should be read: take the photo again")
    if card_reason(question.name) == "screen":
        return _("It is a screen: take a photo of the cards")
    return _("A card is missing: take the photo again")


def _circled(question: Question, way: Way) -> str:
    circled = question.place in way.assessment.record.marks.circled
    return _("It is circled") if circled else _("It is not circled")


def _held(given: _Given, language: Language) -> str:
    assert given.option.assumption is not None, "what was held is assumed"
    what_ifs = given.way.assessment.table.game.what_ifs
    return what_ifs.telling(given.told, given.option.assumption).message(language)


def _jumped(way: Way, stands: Way, language: Language) -> str:
    """From which gate to which other one, where the path that stands does not."""
    dungeon, words = way.assessment.dungeon, way.assessment.table.game.vocabulary
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
    words = assessment.table.game.vocabulary
    return place_words(words, assessment.dungeon, first, with_id=False).message(language)


def _prompt(
    question: Question,
    assessment: Assessment,
    given: Sequence[_Given],
    ways: Sequence[Way],
    language: Language,
) -> tuple[str, str]:
    """What is asked, and why."""
    why = question.reason_ja if language == "ja" else question.reason_en
    if question.about == "card":
        return _which_card(question), why
    if question.about == "direction":
        return _("From which end was the path drawn?"), why
    if question.about == "mark":
        return _("Is this find circled?"), why
    if question.name == GAP and len(ways) > 1:
        return (_("Are these lines joined?") if runs_or_not(ways) else _("How are these lines joined?")), why
    if seen_before(question.name) is not None:
        return _("Is this really right?"), why
    if not _lines_are_drawn(ways[0]):
        return _("Is it right as it was read?"), why
    if question.name == NO_PATH:
        return _("Was a path drawn?"), why
    if question.name == BROKEN_RULE:
        why = assessment.table.game.why(assessment.said).words.message(language)
        if any(each.option.kind == "held" for each in given):
            return _("How did the path go on here?"), why
        return _("Was the path read right here?"), why
    if question.name in (PART_READ, UNCLEAR):
        return _("Is the whole path right as shown?"), why
    if question.name == MARKS:
        return _("Do the circles match the path?"), why
    if question.name.startswith("path:beside"):
        return _("Is there a line of the path here?"), why
    if question.name.startswith(HIDDEN_ENDS):
        return _("Does the path begin or end here?"), why
    if question.name.startswith(CUT):
        return _("Is the path right on this card?"), why
    if not question.alternatives:
        return _("Was the path read right here?"), why
    return (_("Does the line run here?") if runs_or_not(ways) else _("Which way does the path run?")), why


def _which_card(question: Question) -> str:
    match card_reason(question.name):
        case "group" if question.alternatives:
            return _("Which one should be scored?")
        case "group":
            return _("Which cards should be read?")
        case "gap":
            return _("Is a card missing here?")
        case "stranger" | "cut-off":
            return _("What is here?")
        case "screen":
            return _("Is this a picture on a screen?")
    return _("Which card is this?")


def _lines_are_drawn(way: Way) -> bool:
    return way.assessment.table.game.habits.drawn


def where(place: str, assessment: Assessment, projection: Projection) -> Points:
    """Where a question is: its place, its card, or the middle of all cards."""
    index = place.partition(".")[0]
    if place in assessment.dungeon.places:
        return projection.place(place)
    corners = projection.corners_px
    if index.isdigit() and int(index) < len(corners):
        corners = [corners[int(index)]]
    middle: Points = np.concatenate(corners).mean(axis=0)
    return middle


def _crop(
    question: Question, at: Points, lines: Sequence[Points], assessment: Assessment, projection: Projection
) -> _Box:
    """The part of the photo that shows a question and all its answers."""
    mm = projection.px_per_mm
    # A place without a card lies beside the card that the question is filed under.
    points = [] if question.about == "card" and question.crop_px is not None else [at[None], *lines]
    if question.crop_px is not None:
        points.append(np.array(question.crop_px, float).reshape(2, 2))
    elif question.place not in assessment.dungeon.places:
        points += projection.corners_px
    every = np.concatenate(points)
    low, high = every.min(axis=0) - _CROP_MARGIN_MM * mm, every.max(axis=0) + _CROP_MARGIN_MM * mm
    middle, half = (low + high) / 2, np.maximum((high - low) / 2, _LEAST_CROP_MM / 2 * mm)
    return _in_photo(middle - half, middle + half, assessment)


def _about_all(crops: Sequence[_Box]) -> _Box:
    """The box (left, top, right, bottom) about several."""
    lefts, tops, rights, bottoms = zip(*crops, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _in_photo(low: Points, high: Points, assessment: Assessment) -> _Box:
    """A box (left, top, right, bottom) as far as it lies in the photo."""
    photo = assessment.scan.photo
    left, top = np.clip(low, 0, (photo.width, photo.height))
    right, bottom = np.clip(high, 0, (photo.width, photo.height))
    return round(float(left), 1), round(float(top), 1), round(float(right), 1), round(float(bottom), 1)
