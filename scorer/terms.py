"""Terms: stated facts of a round that no photo shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from scorer.errors import Code, WaymarkError
from scorer.text import Text, listed

TermKind = Literal["counts", "number", "choice", "set", "flag"]

TermGroup = Literal["held", "objective", "house"]


_BAD_SETTING = Text("{name} takes {takes}, not {value!r}.")
_BAD_HOUSE_RULE = Text("The house rule {name} takes {takes}, not {value!r}.")


@dataclass(frozen=True, slots=True)
class Term:
    """One fact that people state, as requested by forms and the command line.

    `kind` is the type of the value. `counts`: the number of each of `choices` (a mapping). `number`: an
    integer from `least` to `most` (None where `optional`). `choice`: one of `choices` (None where
    `optional`). `set`: any of `choices`, at most `most`. `flag`: yes or no. `group` says whether it is a
    possession, a demand of the round, or a house rule. House rules without effect on a ruling have `ruling`
    false; those fixed at the start of a game have `until_begun` true. `usual` is the default.

    `worth` are the points of each choice, for objectives. `kept` says that possessions stay with the player
    in later rounds, at most `at_once` of a set. `in_rulings` are the choices that can occur in a ruling
    (none: all). `timer`: the number is the minutes of a timer that people start in each round."""

    id: str
    kind: TermKind
    group: TermGroup
    label: Text
    explanation: Text | None = None
    choices: tuple[str, ...] = ()
    choice_words: Mapping[str, Text] = field(default_factory=dict)
    least: int = 0
    most: int = 999
    optional: bool = False
    ruling: bool = True
    until_begun: bool = False
    usual: Any = None
    worth: Mapping[str, int] = field(default_factory=dict)
    kept: bool = False
    at_once: int | None = None
    in_rulings: tuple[str, ...] = ()
    timer: bool = False

    def takes(self) -> Text:
        """A description of the accepted values, in words."""
        choices = listed(self.choices)
        if self.kind == "flag":
            return Text("true or false")
        if self.kind == "counts":
            return Text("WHAT:N with WHAT one of {choices}", choices=choices)
        if self.kind == "set":
            return Text("any of {choices}, separated by commas", choices=choices)
        if self.kind == "choice":
            told = Text("one of {choices}", choices=choices)
        else:
            told = Text("a whole number from {least} to {most}", least=self.least, most=self.most)
        return Text("{told}, or none", told=told) if self.optional else told

    def read(self, words: str) -> Any:
        """The value parsed from text (`3`, `true`, `sword:1,key:2`). Raises `WaymarkError` (bad-setting)."""
        word = words.strip()
        if self.kind == "choice" and word not in self.choices:
            word = word.lower()
        parts = [part.strip() for part in word.split(",") if part.strip()]
        if self.optional and word.lower() in ("", "none"):
            return None
        if self.kind == "flag" and word.lower() in ("true", "false"):
            return word.lower() == "true"
        if self.kind == "choice" and word in self.choices:
            return word
        number = _whole_number(word) if self.kind == "number" else None
        if number is not None and self.least <= number <= self.most:
            return number
        if self.kind == "set" and set(parts) <= set(self.choices) and len(parts) <= self.most:
            return tuple(dict.fromkeys(parts))
        if self.kind == "counts":
            told = [
                (what, _whole_number(count)) for what, _, count in (part.rpartition(":") for part in parts)
            ]
            counts = {what: count for what, count in told if count is not None and count <= self.most}
            if len(counts) == len(dict(told)) and set(counts) <= set(self.choices):
                return counts
        raise self.refusal(words)

    def refusal(self, value: object) -> WaymarkError:
        """The error for an invalid value."""
        takes, house = self.takes(), self.group == "house"
        return WaymarkError(
            Code.BAD_SETTING,
            (_BAD_HOUSE_RULE if house else _BAD_SETTING).filled(name=self.id, takes=takes, value=value),
        )


def _whole_number(word: str) -> int | None:
    """The number that a word of figures is; None for other words, and for numbers that nothing counts to."""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 9 else None
