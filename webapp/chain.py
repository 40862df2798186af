"""Photo to ruling: the chain that the command line, the web app and the benchmark share.

Reading never asks what is legal, and the referee never sees a picture; here the two meet. A reading that
was in doubt carries its other readings as records: all of them are refereed, and the scan is `sure` only
when none of them would change what the player gets.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.mapmasters.direction import scores_alike
from scorer.mapmasters.notation import to_notation
from scorer.mapmasters.referee import referee
from scorer.mapmasters.ruling import Ruling
from scorer.mapmasters.settings import HOUSE, VersusSettings
from scorer.record import Objectives, Record
from vision.card_index import CardIndex, load_index
from vision.photo import Photo, load_photo
from vision.questions import Question
from vision.scan import Scan, scan_photo
from webapp.messages import Language
from webapp.settle import Rule, settle_direction

NO_PATH = Question(
    "path",
    "",
    (),
    "No line was found on the cards; if there is one, take the photo nearer and without glare.",
    "カードに線が見つかりません。線があれば、反射を避けてもう少し近くから撮り直してください。",
)


@dataclass(frozen=True)
class Means:
    """What is told, not seen: fairy tokens, spellbooks, the round's objectives, the table's house rules."""

    fairy_tokens: dict[str, int] = field(default_factory=dict)
    spellbooks: tuple[str, ...] = ()
    primary: str | None = None
    secondary: str | None = None
    settings: VersusSettings = HOUSE


@dataclass(frozen=True)
class ScoreResult:
    """A photo's scan, its ruling, and the dungeon that both speak of."""

    photo: Photo
    scan: Scan
    ruling: Ruling
    dungeon: Dungeon


@dataclass(frozen=True)
class Judged:
    """A reading as the referee takes it: `scan.tableau` holds the means that were told, `scan.sure` whether
    no doubt of the reading can change the score."""

    scan: Scan
    ruling: Ruling
    dungeon: Dungeon


#: A file, its bytes, or what gives the photo that somebody has begun to decode.
PhotoSource = Path | str | bytes | Callable[[], Photo]


def read_photo(source: PhotoSource, catalogue: Catalogue) -> Scan:
    """Photo to scan. Raises `WaymarkError`: statuses 3 and 4 of CONTRACT section 6."""
    return score_photo(source, catalogue).scan


def score_photo(source: PhotoSource, catalogue: Catalogue, means: Means = Means()) -> ScoreResult:
    """Photo to scan and ruling. Raises `WaymarkError`: statuses 3 and 4 of CONTRACT section 6."""
    start = time.perf_counter()
    photo = source() if callable(source) else load_photo(source)
    scan = read_table(photo, catalogue, decode_ms=(time.perf_counter() - start) * 1000)
    scanned = time.perf_counter()
    judged = judge(scan, catalogue, means)
    done = time.perf_counter()
    timings = scan.timings_ms | {
        "referee": round((done - scanned) * 1000, 1),
        "total": round((done - start) * 1000, 1),
    }
    return ScoreResult(photo, replace(judged.scan, timings_ms=timings), judged.ruling, judged.dungeon)


def read_table(
    photo: Photo,
    catalogue: Catalogue,
    *,
    decode_ms: float = 0.0,
    on_stage: Callable[[str], None] | None = None,
) -> Scan:
    """What the photo shows, before anybody asks what is legal: this is what is kept of a photo.

    `on_stage` is told each stage of reading as it ends. Raises `WaymarkError`: no card (status 4).
    """
    scan = ask_for_the_path(scan_photo(photo, catalogue, load_cards(catalogue), on_stage))
    return replace(scan, timings_ms=scan.timings_ms | {"photo": round(decode_ms, 1)})


def judge(
    scan: Scan, catalogue: Catalogue, means: Means = Means(), *, ask_from_ruling: bool = True
) -> Judged:
    """Referee a reading: its direction settled where the rules tell it, and whether it is sure.

    `ask_from_ruling`: a ruling that makes a misreading likely adds its question; not where people have
    answered it."""

    def rule(reading: Record) -> Ruling:
        return referee(catalogue, with_means(reading, means), means.settings)

    scan, direction = settle_direction(scan, rule)
    record = with_means(scan.tableau, means)
    ruling = msgspec.structs.replace(rule(record), direction=direction)
    if ask_from_ruling:
        scan = ask_where_strokes_part(scan, ruling)
    sure = is_sure(ruling, scan, rule)
    dungeon = build_dungeon(catalogue, record.cards)
    return Judged(replace(scan, tableau=record, sure=sure), ruling, dungeon)


_indexes: dict[int, tuple[Catalogue, CardIndex]] = {}


def load_cards(catalogue: Catalogue) -> CardIndex:
    """The catalogue's index, kept for as long as the program runs. Raises `WaymarkError`."""
    # The catalogue is kept beside its index, so that no other object can come to have its identity.
    if id(catalogue) not in _indexes:
        _indexes[id(catalogue)] = (catalogue, load_index(catalogue))
    return _indexes[id(catalogue)][1]


def ask_for_the_path(scan: Scan) -> Scan:
    """Cards without a line are a reading that nobody draws: it is asked, lest nothing found becomes a
    score."""
    if scan.tableau.path:
        return scan
    return replace(scan, questions=(*scan.questions, NO_PATH), sure=False)


def ask_where_strokes_part(scan: Scan, ruling: Ruling) -> Scan:
    """Lines that nothing joins are sooner misread (a stretch lost, a scratch taken for ink) than drawn so:
    where the referee finds no way from one to the next, the reading is asked about."""
    parted = [v for v in ruling.violations if v.rule == "no-way" and v.stroke > 0 and v.step == 0]
    if not parted:
        return scan
    question = Question(
        "path",
        parted[0].place,
        (),
        "A line starts here that does not join the one before it; was a stretch of the path not seen?",
        "ここから始まる線が前の線とつながりません。道の一部が写っていないのではありませんか。",
    )
    return replace(scan, questions=(*scan.questions, question), sure=False)


def with_means(record: Record, means: Means) -> Record:
    """The record with what was told beside the photo."""
    return msgspec.structs.replace(
        record,
        fairy_tokens=means.fairy_tokens,
        spellbooks=means.spellbooks,
        objectives=Objectives(primary=means.primary, secondary=means.secondary),
    )


def is_sure(ruling: Ruling, scan: Scan, rule: Rule) -> bool:
    """Whether no doubt of the reading can change the score, where `rule` referees another reading. A question
    without another reading to try is a doubt."""
    if not scan.sure and not scan.questions:
        return False
    return all(
        question.alternatives and all(scores_alike(rule(other), ruling) for other in question.alternatives)
        for question in scan.questions
    )


def scan_json(scan: Scan, language: Language = "en") -> dict[str, Any]:
    """The scan as CONTRACT section 4, ready for JSON; other readings stay inside the program."""
    answer: dict[str, Any] = msgspec.json.decode(scan.to_json())
    answer["notation"] = to_notation(scan.tableau)
    answer["photo"]["warnings"] = [warning.message(language) for warning in scan.photo.warnings]
    for question in answer["questions"]:
        question["reason"] = question["reason_ja" if language == "ja" else "reason_en"]
    return answer


def score_json(result: ScoreResult, language: Language = "en") -> dict[str, Any]:
    """A score as CONTRACT section 6 has it: the scan and its ruling."""
    return {"scan": scan_json(result.scan, language), "ruling": msgspec.to_builtins(result.ruling)}
