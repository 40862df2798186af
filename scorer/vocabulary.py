"""Vocabulary of a game: names of its things in English and Japanese."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scorer.text import Text, unchanged


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the things of a game are called (`words`, by id: finds, objectives, means, tokens), and the icon
    of those that do not have one by their own id (`icons`). `events`: what happens at a step, in short, with
    `{what}` for the things that it happens to; events that nobody wants to be told are not in it."""

    words: Mapping[str, Text] = field(default_factory=dict)
    icons: Mapping[str, str] = field(default_factory=dict)
    events: Mapping[str, Text] = field(default_factory=dict)

    def name(self, thing: str) -> Text:
        """What `thing` is called; its id where the game has no word for it."""
        return self.words.get(thing, unchanged(thing))

    def icon(self, thing: str) -> str:
        """The icon of `thing`, as it is called in the pages' sprite."""
        return self.icons.get(thing, thing)
