"""Effect of a pen profile on the reading of given photos: each one is read without and with it."""

from __future__ import annotations

import msgspec

from scorer.catalogue import Catalogue
from vision.ink.pens import PenProfile
from vision.photo.decode import Photo
from waymark.review.pipeline import score_photo


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """How a photo was read: its path, whether its score is sure, and how many questions are open."""

    path: tuple[tuple[str, ...], ...]
    sure: bool
    questions: int

    @property
    def places(self) -> int:
        """Number of places on the path."""
        return sum(len(stroke) for stroke in self.path)


class PenChange(msgspec.Struct, frozen=True, kw_only=True):
    """The readings of a photo before and after a change of the pen profile."""

    photo: str
    before: Seen
    after: Seen

    @property
    def changed(self) -> bool:
        return self.before != self.after


def change_on(
    name: str, photo: Photo, catalogue: Catalogue, before: PenProfile | None, after: PenProfile | None
) -> PenChange:
    """The readings of a photo with pen profile `before` and with pen profile `after`. Raises
    `WaymarkError` (no-card)."""

    def seen(pen: PenProfile | None) -> Seen:
        now = score_photo(lambda: photo, catalogue, pen=pen).assessment
        return Seen(path=now.record.path, sure=now.sure, questions=len(now.open_questions))

    return PenChange(photo=name, before=seen(before), after=seen(after))
