"""Views of a tableau's photos for a reviewer: reading progress, display copies, photo defects."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from flask import url_for
from sqlalchemy.orm import Session

from scorer.text import Language
from vision import quality
from webapp.scans.queue import ScanQueue
from webapp.scans.worker import STAGES
from webapp.store.models import Photo, Shot, Tableau
from webapp.store.photos import DISPLAY_SIZES
from webapp.store.tableaus import in_use
from webapp.tableaus.model import ReviewShot, State
from webapp.tableaus.reading_model import PhotoSize, ReviewDoubt, ReviewPhoto, ReviewQuestion, Shortcoming
from webapp.views import view, views


def review_shot(session: Session, shot: Shot, queue: ScanQueue, language: Language) -> ReviewShot:
    """A photo of a tableau with its reading progress."""
    stage, progress = stage_and_progress(shot, queue)
    return view(
        ReviewShot,
        shot,
        photo=review_photo(shot.photo),
        stage=stage,
        progress=progress,
        used=in_use(session, shot),
        late=shot.id == shot.tableau.late_shot_id,
        deleted=shot.deleted_at is not None,
        error=str(shot.error[language]) if shot.error is not None else None,
        shortcomings=shortcomings_told(
            msgspec.convert((shot.error or {}).get("shortcomings", ()), tuple[quality.Shortcoming, ...]),
            language,
        ),
    )


def shortcomings_told(found: tuple[quality.Shortcoming, ...], language: Language) -> tuple[Shortcoming, ...]:
    return views(Shortcoming, found, language)


#: Defects that affect the whole photo, whatever area is reported.
_ALL_OVER = frozenset({"dark", "far", "blurred"})


def bearing_on(
    found: tuple[Shortcoming, ...], questions: Sequence[ReviewQuestion], doubts: Sequence[ReviewDoubt]
) -> tuple[Shortcoming, ...]:
    """Defects of a photo, each with whether an open question, one of its answers, or a doubt lies in the same
    area."""
    points = [doubt.at for doubt in doubts]
    for question in questions:
        if question.matters:
            points += [question.at, *(at for each in question.options for line in each.lines for at in line)]

    def bears(shortcoming: Shortcoming) -> bool:
        if shortcoming.box is None or shortcoming.kind in _ALL_OVER:
            return bool(points)
        left, top, right, bottom = shortcoming.box
        return any(left <= x <= right and top <= y <= bottom for x, y in points)

    return tuple(msgspec.structs.replace(each, bears=bears(each)) for each in found)


def stage_and_progress(shot: Shot, queue: ScanQueue) -> tuple[str, float]:
    stage = queue.stage(shot) if shot.state == "running" else ""
    done = shot.state in ("done", "failed")
    progress = 1.0 if done else (STAGES.index(stage) + 1) / (len(STAGES) + 1) if stage in STAGES else 0.0
    return stage, round(progress, 2)


def review_photo(photo: Photo) -> ReviewPhoto:
    """A photo with its display copies, from small to its full sharpness."""
    longest = max(photo.width, photo.height)
    useful = [size for size in DISPLAY_SIZES if size < longest] or [min(DISPLAY_SIZES)]
    if useful[-1] < longest and len(useful) < len(DISPLAY_SIZES):
        useful.append(DISPLAY_SIZES[len(useful)])
    return view(
        ReviewPhoto,
        photo,
        sizes=tuple(
            PhotoSize(longest=size, url=url_for("photos.show", sha256=photo.id, longest_px=size))
            for size in useful
        ),
    )


def photo_state(tableau: Tableau) -> State:
    shown = [shot.state for shot in tableau.shots if shot.deleted_at is None]
    if not shown:
        return "empty"
    return "failed" if all(state == "failed" for state in shown) else "waiting"


def is_being_read(shots: Sequence[Shot]) -> bool:
    """Whether any of these photos is being read or waits to be read."""
    return any(shot.state in ("waiting", "running") for shot in shots)


def why_failed(shots: Sequence[Shot], language: Language) -> str:
    """The error of the last of these photos; empty where it was read."""
    error = shots[-1].error if shots else None
    return error[language] if error is not None else ""
