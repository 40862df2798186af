"""The photos that went worst, and what they look like: as they were read and as they are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from scorer.text import Language
from vision.cards.pose import CardPose
from vision.photo.decode import Photo, load_photo
from vision.scan import Scan, SeenPhoto
from waymark.bench.metric import Measured
from waymark.bench.players import Truth
from waymark.picture.overlay import draw_overlay
from waymark.review.pipeline import ScoreResult
from waymark.review.tableau.assess import assess, scan_to_show
from waymark.review.tableau.question_names import BROKEN_RULE, GAP

#: Limit of photos shown.
MOST = 24
#: Longer side of a picture on the page, px.
LONG_SIDE_PX = 1600


def worst(rows: Sequence[Measured]) -> list[Measured]:
    """Photos with errors, worst first: sure but wrong scores, then wrong scores, cards, paths and marks."""
    return sorted((row for row in rows if any(badness(row))), key=badness, reverse=True)[:MOST]


def badness(row: Measured) -> tuple[float, ...]:
    """Sort key of a photo's errors: all zero where everything is right and every player ended right."""
    ends = row.players.values()
    return (
        float(row.sure and not row.outcome_exact),
        float(sum(each.sure_and_wrong for each in ends)),
        float(row.error is not None and not row.refused),
        float(not row.outcome_exact),
        float(sum(not each.right for each in ends)),
        float(row.card_count - row.cards_right + row.cards_extra),
        float(not row.path_exact),
        float(row.marks.only_truth + row.marks.only_read),
        float(sum(each.without_true_answer for each in ends)),
    )


def picture_files(number: int) -> tuple[str, str]:
    """File names of the two pictures of a photo by its rank among the worst: as read, and as in the truth."""
    return f"worst-{number:02}-read.jpg", f"worst-{number:02}-true.jpg"


def draw_as_read(file: Path, photo: Path, reading: Scan, truth: Truth, language: Language) -> None:
    """Write a picture of the ruling on the reading, using the terms of the truth."""
    now = assess(reading, truth.table, truth.terms)
    _draw(file, ScoreResult(load_photo(photo, whole=True), scan_to_show(now), now), language)


def draw_as_it_is(file: Path, photo: Path, truth: Truth, language: Language) -> None:
    """Write a picture of the ruling on the truth."""
    pixels = load_photo(photo, whole=True)
    if not truth.seen.cards:
        _save(file, Image.fromarray(pixels.pixels[..., ::-1]))
        return
    _draw(file, ruled_as_it_is(pixels, truth), language)


def ruled_as_it_is(photo: Photo, truth: Truth) -> ScoreResult:
    """The ruling on the truth of a photo with at least one card."""
    seen = truth.seen
    scan = Scan(
        photo=SeenPhoto(photo.width, photo.height),
        tableau=seen.tableau,
        cards=tuple(CardPose(card.card, card.rotation, card.corners, 1.0) for card in seen.cards),
        path_px=tuple(() for _ in seen.tableau.path),
        questions=(),
        sure=True,
    )
    # The truth breaks what rules it breaks: that is no question here.
    now = assess(scan, truth.table, truth.terms, answered={BROKEN_RULE, GAP})
    return ScoreResult(photo, scan_to_show(now), now)


def _draw(file: Path, result: ScoreResult, language: Language) -> None:
    _save(file, draw_overlay(result, language))


def _save(file: Path, picture: Image.Image) -> None:
    picture.thumbnail((LONG_SIDE_PX, LONG_SIDE_PX), Image.Resampling.LANCZOS)
    picture.save(file, "JPEG", quality=82)
