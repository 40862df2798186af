"""Photo to ruling: the chain that the command line, the web app and the benchmark share."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from scorer.catalogue import Catalogue
from scorer.game import most_pieces
from scorer.games import line_habits
from scorer.text import Language, Text
from vision.cards.index import CardIndex, load_index
from vision.ink.pens import PenProfile
from vision.photo.decode import Photo, load_photo
from vision.questions import Question, with_names
from vision.reader import scan_with_doubts
from vision.scan import Scan
from waymark.review.referee_cache import Table
from waymark.review.tableau.assess import Assessment, assess
from waymark.review.tableau.posterior import terms_of

NO_PATH = Question(
    "path",
    "",
    (),
    *Text("No line was found on the cards; if there is one, take the photo nearer and without glare.").pair,
)


@dataclass(frozen=True)
class ScoreResult:
    """A photo, the scan that is shown for it, and the assessment of its tableau."""

    photo: Photo
    scan: Scan
    assessment: Assessment


#: A file, its bytes, or a function that returns the decoded photo.
PhotoSource = Path | str | bytes | Callable[[], Photo]


def score_photo(
    source: PhotoSource,
    catalogue: Catalogue,
    terms: Any = None,
    pen: PenProfile | None = None,
    certainty: float | None = None,
) -> ScoreResult:
    """Photo to scan and ruling; `pen` is the player's pen profile, `certainty` as in `assess`. Raises
    `WaymarkError`: exit statuses 3 and 4."""
    start = time.perf_counter()
    table = Table(catalogue)
    terms = terms or table.game.rules.settings.make({})
    photo = source() if callable(source) else load_photo(source)
    decode_ms = (time.perf_counter() - start) * 1000
    most = most_pieces(table.game, terms)
    scan = read_table(photo, catalogue, decode_ms=decode_ms, pen=pen, most_cards=most)
    scanned = time.perf_counter()
    assessment = assess(scan, table, terms, certainty=certainty)
    done = time.perf_counter()
    timings = scan.timings_ms | {
        "referee": round((done - scanned) * 1000, 1),
        "total": round((done - start) * 1000, 1),
    }
    return ScoreResult(photo, replace(assessment.scan, timings_ms=timings), assessment)


def read_table(
    photo: Photo,
    catalogue: Catalogue,
    *,
    decode_ms: float = 0.0,
    on_stage: Callable[[str], None] | None = None,
    pen: PenProfile | None = None,
    most_cards: int | None = None,
) -> Scan:
    """Scan of a photo before any question of legality: the value that is stored for the photo.

    `on_stage` is told each stage of reading as it ends; `pen` is the player's own. A tableau has at most
    `most_cards` (None: not known yet). Raises `WaymarkError`: no card (status 4).
    """
    scan = scan_with_doubts(photo, catalogue, load_cards(catalogue), on_stage, pen, most_cards)
    scan = ask_for_the_path(scan, catalogue)
    return replace(scan, timings_ms=scan.timings_ms | {"photo": round(decode_ms, 1)})


#: Lock by which threads that need the same catalogue wait for the one that reads its art.
_loading = threading.Lock()


def load_cards(catalogue: Catalogue) -> CardIndex:
    """The catalogue's search index, cached with the catalogue. Raises `WaymarkError`."""
    kept = vars(catalogue)
    with _loading:
        if "card_index" not in kept:
            kept["card_index"] = load_index(catalogue)
    index: CardIndex = kept["card_index"]
    return index


def ask_for_the_path(scan: Scan, catalogue: Catalogue) -> Scan:
    """The scan with a question about the path, where none was found in a game in which lines are drawn.
    Without it, a missed line would become a score."""
    if scan.tableau.path or not line_habits(catalogue.game).drawn:
        return scan
    return replace(scan, questions=with_names((*scan.questions, NO_PATH)), sure=False)


def encode_reading(scan: Scan) -> bytes:
    """A photo's reading as stored: the whole scan as JSON bytes, including the alternatives of its
    questions."""
    return msgspec.json.encode(scan)


def decode_reading(data: bytes) -> Scan:
    """Decode a reading of `encode_reading`, also one from before questions had names."""
    scan = msgspec.json.decode(data, type=Scan)
    return replace(scan, questions=with_names(scan.questions))


def scan_json(scan: Scan, assessment: Assessment, language: Language = "en") -> dict[str, Any]:
    """The scan as JSON-ready data (docs/FORMATS.md, section 4), without the alternatives of questions."""
    answer: dict[str, Any] = msgspec.json.decode(scan.to_json())
    game = assessment.table.game
    if game.photo.scan_key != "tableau":
        answer[game.photo.scan_key] = msgspec.to_builtins(assessment.told)
        del answer["tableau"]
    if game.notation is not None:
        answer["notation"] = game.notation.write(assessment.told)
    answer["photo"]["warnings"] = [warning.message(language) for warning in scan.photo.warnings]
    answer["probability"] = round(assessment.probability, 4)
    answer["causes"] = [
        {"name": cause.name, "chance": round(cause.chance, 4), "terms": terms_of(cause)}
        for cause in assessment.causes
    ]
    for question in answer["questions"]:
        question["reason"] = question["reason_ja" if language == "ja" else "reason_en"]
    return answer


def score_json(result: ScoreResult, language: Language = "en") -> dict[str, Any]:
    """A score as JSON-ready data in the form of the command's answer: the scan and its ruling."""
    scan = scan_json(result.scan, result.assessment, language)
    return {"scan": scan, "ruling": msgspec.to_builtins(result.assessment.ruling)}
