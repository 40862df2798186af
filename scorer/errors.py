"""The exceptions that reach people: what is wrong and what to do about it, in English and Japanese."""

from __future__ import annotations

#: Exit statuses of CONTRACT section 6.
WRONG_USAGE = 2
UNREADABLE = 3
NOTHING_FOUND = 4


class WaymarkError(Exception):
    """A cause that the person at the table can mend.

    `code` is a stable machine word (`not-a-record`), `en` and `ja` are one sentence each, `exit_status` is 3
    for input that could not be read and 4 for input in which there is nothing to score.
    """

    def __init__(self, code: str, en: str, ja: str, *, exit_status: int = UNREADABLE) -> None:
        super().__init__(en)
        self.code = code
        self.en = en
        self.ja = ja
        self.exit_status = exit_status

    def message(self, language: str) -> str:
        """The sentence in `language` ("ja", anything else is English)."""
        return self.ja if language == "ja" else self.en

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions cross process borders in batch runs; the default would lose the keyword argument.
        return (_rebuild, (self.code, self.en, self.ja, self.exit_status))


def _rebuild(code: str, en: str, ja: str, exit_status: int) -> WaymarkError:
    return WaymarkError(code, en, ja, exit_status=exit_status)
