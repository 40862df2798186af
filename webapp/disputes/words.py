"""Sentences of a dispute's assumptions: the condition, the button that rules again under it, and the change
it makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask_babel import force_locale
from flask_babel import gettext as _

from scorer.counterfactual import Assumption
from scorer.places import place_words
from scorer.text import LANGUAGES, Language
from waymark.review.tableau.assess import Assessment
from waymark.review.tableau.counterfactuals import BACKWARDS, assumed_answer
from webapp.tableaus.questions import review_questions


def assumption_words(assessment: Assessment, assumption: Assumption) -> dict[str, str]:
    """An assumption in words, by language, for the tableau's current state."""
    words: dict[str, str] = {}
    for language in LANGUAGES:
        with force_locale(language):
            words[language] = wording(assessment, language).condition(assumption)
    return words


def wording(assessment: Assessment, language: Language) -> Wording:
    """The `Wording` of assumptions about a tableau, in the current language."""
    readings = {
        (question.name, option.number): (question.place, option.label)
        for question in review_questions(assessment, language)
        for option in question.options
    }
    return Wording(assessment, language, readings)


@dataclass(frozen=True)
class Wording:
    """Words for the assumptions about one tableau. `readings` maps (question, option) of open questions to
    the place and the answer."""

    assessment: Assessment
    language: Language
    readings: Mapping[tuple[str, int], tuple[str, str]]

    def condition(self, assumption: Assumption) -> str:
        """An assumption as a phrase, such as "With a rope token"."""
        if assumption == BACKWARDS:
            return _("If the path was walked the other way round")
        read = assumed_answer(assumption)
        if read is not None:
            return self._reading(read)
        now = self.assessment
        words = now.table.game.play.what_ifs.condition(now.board, now.terms, assumption)
        return words.message(self.language)

    def settling(self, assumption: Assumption) -> str:
        """Label of the button that makes an assumption a fact."""
        if assumption == BACKWARDS:
            return _("Rule again: the path was walked the other way round")
        read = assumed_answer(assumption)
        if read is not None:
            answer = self.readings.get(read, ("", ""))[1]
            return _("Rule again with this reading: %(answer)s", answer=answer)
        now = self.assessment
        words = now.table.game.play.what_ifs.settling(now.board, now.terms, assumption)
        return words.message(self.language)

    def changes(self, assumption: Assumption, *, in_game: bool) -> str:
        """Side effects of settling an assumption, in words."""
        if assumption.kind in ("held", "not_held"):
            if in_game:
                return _("Changes the ruling, and what is noted as held in this round. It can be undone.")
            return _("Changes the ruling, and what is noted as held. It can be undone.")
        if assumption.kind == "house":
            if in_game:
                return _(
                    "Changes the ruling, and the house rule in all rounds of this game. It can be undone."
                )
            return _("Changes the ruling, and the house rule for these cards. It can be undone.")
        if assumption.kind == "paid":
            return _("Changes the ruling, and what is noted as used. It can be undone.")
        if assumption == BACKWARDS:
            return _("Changes the ruling, and the direction of the path. It can be undone.")
        return _("Changes the ruling, and what was read from the photo. It can be undone.")

    def _reading(self, read: tuple[str, int]) -> str:
        told = self.readings.get(read)
        if told is None:
            return _("An answer to a question that is settled now")
        place, answer = told
        if place in self.assessment.dungeon.places:
            return _("If %(place)s is read as: %(answer)s", place=self._place(place), answer=answer)
        cards = self.assessment.record.cards
        if place.isdigit() and int(place) < len(cards):
            return _("If card %(card)s is read as %(answer)s", card=cards[int(place)].card, answer=answer)
        return _("If it is read as: %(answer)s", answer=answer)

    def _place(self, place: str) -> str:
        """Name of a place, such as "the pit on the left of D65"."""
        dungeon = self.assessment.dungeon
        return place_words(
            self.assessment.table.game.words.vocabulary, dungeon, dungeon.places[place], with_id=False
        ).message(self.language)
