"""Messages of the cooperative game in English and Japanese."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from scorer.mapmasters.cooperative.rules.mission import NO_MISSION, Mission
from scorer.mapmasters.cooperative.rules.record import TableRecord
from scorer.mapmasters.rules.codes import Rule
from scorer.mapmasters.words.vocabulary import VOCABULARY
from scorer.text import AND, Text, capitalised, each_language, listed

_TOO_MANY = Text("{count} {what} too many")
_WANTING = Text("{count} {what}")
_ARTIFACT = Text("the artifact {what}")


def told(words: Text, **named: object) -> Text:
    """A sentence template filled with texts or plain values; it begins with a capital letter."""
    return capitalised(words.filled(**named))


def filled(rule: Rule, **named: object) -> Rule:
    """The rule with some of its placeholders filled, the rest left for later."""
    return replace(rule, words=rule.words.filled(**named))


def artifact_words(mission: Mission, name: str) -> Text:
    """The display name of an artifact from the mission, or its id."""
    return of_mission(mission.words.get(name, {}), name)


def of_mission(words: Mapping[str, str], otherwise: str) -> Text:
    """A text of the mission in the languages it provides; `otherwise` in all other languages."""
    return each_language(lambda language: words.get(language, otherwise))


def missing_words(missing: Mapping[str, int | tuple[str, ...]], mission: Mission = NO_MISSION) -> Text:
    """Words for the means missing for a goal: "2 key, the Winged Boots"; "1 key too many"."""
    parts: list[Text] = []
    for kind, wanted in missing.items():
        if isinstance(wanted, tuple):
            parts += [
                artifact_words(mission, name) if name in mission.words else _ARTIFACT.filled(what=name)
                for name in wanted
            ]
        else:
            words = _WANTING if wanted > 0 else _TOO_MANY
            parts.append(words.filled(count=abs(wanted), what=VOCABULARY.name(kind)))
    return listed(parts)


def card_names(record: TableRecord, numbers: Sequence[int]) -> Text:
    """The names of cards. Identical and unseen cards are distinguished by their numbers."""
    laid = Counter(card.card for card in record.cards)
    names = []
    for number in numbers:
        name = record.cards[number].card
        names.append(name if name is not None and laid[name] == 1 else f"{name or '?'}[{number}]")
    return listed(names, AND)
