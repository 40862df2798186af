"""Vocabulary of a game: names of its things in English and Japanese."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scorer.text import Text, unchanged


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names of a game's things (`words`, by id: finds, objectives, means, tokens), and the icons of
    things without one under their own id (`icons`). `events` are short phrases for events at a step, with
    `{what}` for the things concerned; unimportant events are left out."""

    words: Mapping[str, Text] = field(default_factory=dict)
    icons: Mapping[str, str] = field(default_factory=dict)
    events: Mapping[str, Text] = field(default_factory=dict)

    def name(self, thing: str) -> Text:
        """The name of `thing`; its id where the game has no word for it."""
        return self.words.get(thing, unchanged(thing))

    def icon(self, thing: str) -> str:
        """The icon of `thing`, as it is called in the pages' sprite."""
        return self.icons.get(thing, thing)
