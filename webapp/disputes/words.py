"""What a dispute assumes, in words: as a condition, as the button that rules again by it, and what that
changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask_babel import force_locale
from flask_babel import gettext as _

from scorer.catalogue import Catalogue
from scorer.mapmasters.means import FAIRY
from scorer.mapmasters.messages import means_words, place_words
from scorer.mapmasters.spellbooks import SPELLBOOKS
from scorer.text import LANGUAGES, Language
from waymark.phrases import find_name, say
from waymark.review.assessment import Assessment
from waymark.review.judge import Means
from waymark.review.what_if import Assumption
from webapp.games.house_rules import house_rules
from webapp.tableaus.questions import review_questions


def assumption_words(
    assessment: Assessment, catalogue: Catalogue, means: Means, assumption: Assumption
) -> dict[str, str]:
    """An assumption in words, by language, as it is said of a tableau now."""
    words: dict[str, str] = {}
    for language in LANGUAGES:
        with force_locale(language):
            words[language] = wording(assessment, catalogue, means, language).condition(assumption)
    return words


def wording(assessment: Assessment, catalogue: Catalogue, means: Means, language: Language) -> Wording:
    """What is needed to put assumptions about a tableau into words of the language in use."""
    readings = {
        (question.number, option.number): (question.place, option.label)
        for question in review_questions(assessment, catalogue, means, language)
        for option in question.options
    }
    return Wording(assessment, means, language, readings)


@dataclass(frozen=True)
class Wording:
    """A tableau's facts at hand. `readings` are the open questions' options: (question, option) to the place
    and the answer."""

    assessment: Assessment
    means: Means
    language: Language
    readings: Mapping[tuple[int, int], tuple[str, str]]

    def condition(self, assumption: Assumption) -> str:
        """ "With a rope token"."""
        if assumption.kind == "backwards":
            return _("If the path was walked the other way round")
        if assumption.kind == "reading":
            return self._reading(assumption)
        if assumption.kind == "house":
            if self._rule_is_on(assumption):
                return _(
                    "If the table did not play by the house rule “%(rule)s”", rule=self._rule(assumption)
                )
            return _("If the table played by the house rule “%(rule)s”", rule=self._rule(assumption))
        if assumption.kind == "paid":
            if assumption.at not in self.assessment.dungeon.places:
                return _("Another payment, at a place that is not there any more")
            return _("If %(means)s was used at %(place)s", **self._paid(assumption))
        if assumption.kind == "not_held":
            if tool := self._tool_of_several(assumption):
                return _("With one %(tool)s token fewer", tool=tool)
            return _("Without %(means)s", means=self._listed(assumption))
        if (counted := self._one_kind(assumption)) is None:
            return _("With %(means)s", means=self._listed(assumption))
        tool, count, more = counted
        if more and count == 1:
            return _("With one more %(tool)s token", tool=tool)
        if more:
            return _("With %(count)s more %(tool)s tokens", count=count, tool=tool)
        return _("With %(count)s %(tool)s tokens", count=count, tool=tool)

    def settling(self, assumption: Assumption) -> str:
        """What the button says that makes it a fact."""
        if assumption.kind == "backwards":
            return _("Rule again: the path was walked the other way round")
        if assumption.kind == "reading":
            answer = self.readings.get((assumption.question, assumption.option), ("", ""))[1]
            return _("Rule again with this reading: %(answer)s", answer=answer)
        if assumption.kind == "house":
            if self._rule_is_on(assumption):
                return _("Rule again without the house rule “%(rule)s”", rule=self._rule(assumption))
            return _("Rule again with the house rule “%(rule)s”", rule=self._rule(assumption))
        if assumption.kind == "paid":
            if assumption.at not in self.assessment.dungeon.places:
                return ""
            return _("Rule again: %(means)s was used at %(place)s", **self._paid(assumption))
        if assumption.kind == "not_held":
            if tool := self._tool_of_several(assumption):
                return _("Rule again: one %(tool)s token fewer was held", tool=tool)
            return _("Rule again without %(means)s", means=self._listed(assumption, brief=True))
        if (counted := self._one_kind(assumption)) is None:
            if len(assumption.means) == 1:
                return _("Rule again: %(means)s was held", means=self._listed(assumption, brief=True))
            return _("Rule again: %(means)s were held", means=self._listed(assumption, brief=True))
        tool, count, more = counted
        if more and count == 1:
            return _("Rule again: one more %(tool)s token was held", tool=tool)
        if more:
            return _("Rule again: %(count)s more %(tool)s tokens were held", count=count, tool=tool)
        return _("Rule again: %(count)s %(tool)s tokens were held", count=count, tool=tool)

    def changes(self, assumption: Assumption, *, in_game: bool) -> str:
        """What else is another once it is settled."""
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
        if assumption.kind == "backwards":
            return _("Changes the ruling, and the direction of the path. It can be undone.")
        return _("Changes the ruling, and what was read from the photo. It can be undone.")

    def _paid(self, assumption: Assumption) -> dict[str, str]:
        dungeon = self.assessment.dungeon
        return {
            "means": means_words(dungeon, assumption.way, with_id=False).message(self.language),
            "place": self.place(assumption.at),
        }

    def _reading(self, assumption: Assumption) -> str:
        read = self.readings.get((assumption.question, assumption.option))
        if read is None:
            return _("An answer to a question that is settled now")
        place, answer = read
        if place in self.assessment.dungeon.places:
            return _("Read at %(place)s: %(answer)s", place=self.place(place), answer=answer)
        cards = self.assessment.record.cards
        if place.isdigit() and int(place) < len(cards):
            return _("Card %(card)s read as %(answer)s", card=cards[int(place)].card, answer=answer)
        return _("Read so: %(answer)s", answer=answer)

    def _rule(self, assumption: Assumption) -> str:
        rules = house_rules(self.means.settings)
        return next(rule.label for rule in rules if rule.name == assumption.setting)

    def _rule_is_on(self, assumption: Assumption) -> bool:
        return getattr(self.means.settings, assumption.setting) is True

    def place(self, place: str) -> str:
        """A place's name: "the pit on the left of D65"."""
        dungeon = self.assessment.dungeon
        return place_words(dungeon, dungeon.places[place], with_id=False).message(self.language)

    def _tool_of_several(self, assumption: Assumption) -> str | None:
        """The tool of which one token is missing, and of which others are left."""
        if len(assumption.means) != 1:
            return None
        name, count = assumption.means[0]
        tool = name.removeprefix(FAIRY)
        left = self.means.fairy_tokens.get(tool, 0) - count
        return find_name(self.language, tool) if tool != name and count == 1 and left > 0 else None

    def _one_kind(self, assumption: Assumption) -> tuple[str, int, bool] | None:
        """Tokens of one kind alone, whose number is said in a sentence of its own: the tool, how many, and
        whether they come to others that are held. None where a list says it."""
        if len(assumption.means) != 1:
            return None
        name, count = assumption.means[0]
        tool = name.removeprefix(FAIRY)
        more = self.means.fairy_tokens.get(tool, 0) > 0
        return (find_name(self.language, tool), count, more) if tool != name and (more or count > 1) else None

    def _listed(self, assumption: Assumption, *, brief: bool = False) -> str:
        more = assumption.kind == "held"
        words = [self._means(name, count, more=more, brief=brief) for name, count in assumption.means]
        return say(self.language, "list.comma").join(words)

    def _means(self, name: str, count: int, *, more: bool, brief: bool) -> str:
        """ "a rope token", "2 more rope tokens", "the spellbook SB-3 (cross one pitfall)"."""
        if brief and name in SPELLBOOKS:
            return _("the spellbook %(book)s", book=name)
        if book := SPELLBOOKS.get(name):
            # Who does not know it by its number is told what it does.
            what = (
                book.words.ja if self.language == "ja" else book.words.en[:1].lower() + book.words.en[1:]
            ).rstrip(".。")
            return _("the spellbook %(book)s (%(what)s)", book=name, what=what)
        tool = name.removeprefix(FAIRY)
        what = find_name(self.language, tool)
        if more and self.means.fairy_tokens.get(tool):
            if count == 1:
                return _("one more %(tool)s token", tool=what)
            return _("%(count)s more %(tool)s tokens", count=count, tool=what)
        if count == 1:
            return _("a %(tool)s token", tool=what)
        return _("%(count)s %(tool)s tokens", count=count, tool=what)
