"""Words for people, in both languages, and which language a reader wants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "ja"]
LANGUAGES: tuple[Language, ...] = ("en", "ja")


@dataclass(frozen=True, slots=True)
class Text:
    """Words in English and Japanese: a name, a sentence, a label. They travel together to where the reader's
    language is known.
    """

    en: str
    ja: str

    def message(self, language: str) -> str:
        """The words in `language` ("ja", anything else is English)."""
        return self.ja if language == "ja" else self.en


#: Nothing is said.
NO_WORDS = Text("", "")
