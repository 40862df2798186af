"""Template helpers for a game: its sheet, terms, words and icons in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask_babel import gettext

from scorer.game import Game as Rules
from scorer.terms import Term
from scorer.text import Text
from scorer.vocabulary import Vocabulary
from webapp.games.final_view import late_words, score_words
from webapp.games.view import LateReading, RoundView
from webapp.http.languages import current_language


def words(text: Text) -> str:
    """A text in the reader's language."""
    return text.message(current_language())


def names_of_things(vocabulary: Vocabulary) -> dict[str, str]:
    """Names of a game's things in the reader's language, by id, for scripts (`thingName`)."""
    return {thing: words(vocabulary.name(thing)) for thing in vocabulary.words}


def of_rules(rules: Rules) -> dict[str, Any]:
    """Template variables of a game's pages."""
    of_group = {
        group: [term for term in rules.rules.settings.terms if term.group == group]
        for group in ("held", "objective")
    }
    wares = {ware.id: ware for ware in rules.play.market.wares} if rules.play.market is not None else {}
    sold = {ware.fills: ware for ware in wares.values() if ware.fills is not None}

    def thing(what: str) -> str:
        return words(rules.words.vocabulary.name(what))

    def icon_of_term(term: Term) -> str:
        return sold[term.id].id if term.id in sold else rules.words.vocabulary.icon(term.id)

    def singular(term: Term) -> str:
        return words(sold[term.id].label if term.id in sold else term.label)

    def steps_of(round_: RoundView) -> dict[str, int]:
        """Points of one discovery for each of a round's objectives, by column."""
        chosen = {term.id: (term.worth, round_.terms.get(term.id)) for term in of_group["objective"]}
        return {column: worth.get(objective or "", 1) for column, (worth, objective) in chosen.items()}

    def choice_words(column: str, index: int) -> str:
        box = next(each for each in rules.sheet.columns if each.id == column)
        return words(box.choices[index]) or words(box.ticks[index])

    def late(late: LateReading, name: str, number: int) -> str:
        return late_words(rules, late, name, number, current_language())

    def score(scores: Mapping[str, Any]) -> str:
        return score_words(rules, scores, current_language())

    def card_words(what: str) -> str:
        return gettext("Card of %(cost)s", cost=what) if what.isdecimal() else thing(what)

    return {
        "sheet": rules.sheet,
        "market": rules.play.market,
        "market_anew": rules.play.market.anew_after if rules.play.market is not None else None,
        "wares": wares,
        "terms": {term.id: term for term in rules.rules.settings.terms},
        "held": of_group["held"],
        "objectives": of_group["objective"],
        "once": any(column.once for column in rules.sheet.columns),
        "columns": {column.id: column for column in rules.sheet.columns},
        "colour_names": {colour: words(text) for colour, text in rules.sheet.colours.items()},
        "thing": thing,
        "icon_of": rules.words.vocabulary.icon,
        "icon_of_term": icon_of_term,
        "singular": singular,
        "steps_of": steps_of,
        "choice_words": choice_words,
        "late_words": late,
        "score_words": score,
        "card_words": card_words,
    }
