"""Messages of the cooperative game in English and Japanese."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from scorer.mapmasters.cooperative.mission import NO_MISSION, Mission
from scorer.mapmasters.cooperative.record import TableRecord
from scorer.mapmasters.messages import capitalised
from scorer.mapmasters.rules import Rule
from scorer.mapmasters.vocabulary import VOCABULARY
from scorer.text import Text

_TOO_MANY = Text("{count} {what} too many", "{what} {count} が余分")
_WANTING = Text("{count} {what}", "{what} あと {count}")
_ARTIFACT = Text("the artifact {what}", "アーティファクト {what}")


def told(words: Text, **named: object) -> Text:
    """A sentence template filled with words of both languages, or with plain values."""
    sentence = part(words, **named)
    return Text(capitalised(sentence.en), sentence.ja)


def part(words: Text, **named: object) -> Text:
    """`told`, within a sentence."""
    return Text(
        words.en.format(**{n: each.en if isinstance(each, Text) else each for n, each in named.items()}),
        words.ja.format(**{n: each.ja if isinstance(each, Text) else each for n, each in named.items()}),
    )


def filled(rule: Rule, **named: object) -> Rule:
    """The rule with some of what it names put in, the rest left for later."""
    en, ja = rule.words.en, rule.words.ja
    for name, each in named.items():
        words = each if isinstance(each, Text) else Text(str(each), str(each))
        en = en.replace(f"{{{name}}}", _bare(words.en))
        ja = ja.replace(f"{{{name}}}", _bare(words.ja))
    return replace(rule, words=Text(en, ja))


def _bare(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def artifact_words(mission: Mission, name: str) -> Text:
    """The display name of an artifact from the mission, or its id."""
    words = mission.words.get(name, {})
    return Text(words.get("en", name), words.get("ja", name))


def missing_words(missing: Mapping[str, int | tuple[str, ...]], mission: Mission = NO_MISSION) -> Text:
    """Words for the means missing for a goal: "2 key, the Winged Boots"; "1 key too many"."""
    parts: list[Text] = []
    for kind, wanted in missing.items():
        if isinstance(wanted, tuple):
            parts += [
                artifact_words(mission, name) if name in mission.words else part(_ARTIFACT, what=name)
                for name in wanted
            ]
        else:
            words = _WANTING if wanted > 0 else _TOO_MANY
            parts.append(part(words, count=abs(wanted), what=VOCABULARY.name(kind)))
    return Text(", ".join(each.en for each in parts), "、".join(each.ja for each in parts))


def card_names(record: TableRecord, numbers: Sequence[int]) -> Text:
    """Cards by their names; alike ones, and those that nobody has seen, are told apart by their numbers."""
    laid = Counter(card.card for card in record.cards)
    names = []
    for number in numbers:
        name = record.cards[number].card
        names.append(name if name is not None and laid[name] == 1 else f"{name or '?'}[{number}]")
    return Text(" and ".join(names), "と".join(names))
