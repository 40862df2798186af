"""Names that a game has in version 1 of the web API besides `scores`, `terms` and `facts`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.sheet import Note
from scorer.text import Language


class ApiNames:
    """The fields of a game that has none of its own. A game with older names overrides all of it."""

    #: Whether the game has names of its own.
    known = False
    #: The column of each box of a round, and the terms of held means, that have fields of their own.
    columns: Mapping[str, str] = {}
    means: tuple[str, ...] = ()

    def boxes(self, scores: Mapping[str, Any]) -> dict[str, Any]:
        """The boxes of a round."""
        return {}

    def held(self, terms: Mapping[str, Any]) -> dict[str, Any]:
        """The means held."""
        return {}

    def objectives(self, terms: Mapping[str, Any]) -> dict[str, Any]:
        """The objectives of a round."""
        return {}

    def final_columns(
        self, columns: Mapping[str, int], notes: Mapping[str, Note], language: Language
    ) -> dict[str, Any]:
        """The columns of the final score and their sources."""
        return {}

    def statistics(self, boxes: Mapping[str, tuple[int, int, float | None]]) -> dict[str, Any]:
        """Totals, rounds and means of boxes."""
        return {}

    def score(self, verdict: Any) -> dict[str, Any]:
        """The summary of a verdict."""
        return {}

    def steps(self, verdict: Any) -> list[dict[str, Any]]:
        """Further fields of each step."""
        return []

    def how(self, verdict: Any) -> str:
        """The word for the end of a path."""
        return ""

    def end_place(self, verdict: Any) -> str | None:
        """The place at which a path ended."""
        return None

    def violations(self, said: Any, language: Language) -> tuple[str, ...]:
        """The rules that a path breaks, in words."""
        return ()

    def is_asked(self, verdict: Any) -> bool:
        """Whether the direction of the path is still an open question."""
        return False

    def notes(self, said: Any, about: str) -> Sequence[Any]:
        """Notes on `marks` or `payments`, each with its place."""
        return ()

    def fingerprint(self, verdict: Any) -> tuple[Any, ...]:
        """The parts of a ruling that the fingerprint in a shared link covers."""
        return ()


NO_NAMES = ApiNames()
