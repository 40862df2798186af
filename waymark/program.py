"""What `import waymark` gives: the results of one photo or record, as frozen values that answer what people
ask of them. The command line calls the same functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue
from scorer.errors import Code, WaymarkError
from scorer.game import Game
from scorer.games import game_of
from scorer.record import Record
from scorer.text import Language, Text, written
from vision.cards.pose import CardPose
from vision.ink.pens import PenProfile
from vision.photo.decode import Photo, photo_of_pixels
from waymark.review.pipeline import ScoreResult, scan_json, score_json, score_photo
from waymark.review.tableau.answers import answer, options
from waymark.review.tableau.option import Option
from waymark.review.tableau.persisted_questions import ends_told
from waymark.review.tableau.question_names import name_of

#: A file, its bytes, its pixels (height, width, 3) uint8 in red, green, blue, or what gives a decoded photo.
PhotoLike: TypeAlias = "str | Path | bytes | NDArray[np.uint8] | Photo | Callable[[], Photo]"
#: JSON, plain data, a game's own record, or a reading.
RecordLike: TypeAlias = "bytes | str | Mapping[str, Any] | msgspec.Struct | Reading"

#: The rules of the house come together under this word, beside the terms of a player.
_HOUSE = "house"


@dataclass(frozen=True)
class Question:
    """Something that the photo leaves open and that can change the score. `name` is what `answer` takes;
    `options` are the answers, by their numbers (0 is what stands), each with what would follow."""

    name: str
    about: str
    place: str
    reason: Text
    options: tuple[str, ...]


@dataclass(frozen=True)
class Ruling:
    """What the referee says. `verdict` is the game's own ruling (docs/FORMATS.md), `row` what it writes on
    the score sheet, by column; `legal`: no rule is broken."""

    verdict: Any
    legal: bool
    row: Mapping[str, Any]
    _game: Game = field(repr=False)
    _board: Any = field(repr=False)
    _record: Any = field(repr=False)

    def explain(self, language: str = "en") -> str:
        """What happened, step by step, and why it ended as it did: one line each, in "en" or "ja"."""
        steps = self._game.words.steps(self._board, self.verdict)
        why = self._game.words.turn(self._record, self.verdict).why
        lines = [f"{step.number}. {step.what.message(language)}" for step in steps]
        return "\n".join([*lines, why.words.message(language)])

    def to_json(self) -> dict[str, Any]:
        """The ruling as the commands answer it (docs/FORMATS.md)."""
        return cast("dict[str, Any]", msgspec.to_builtins(self.verdict))


@dataclass(frozen=True)
class Reading:
    """What was read in a photo. `sure`: nothing that is left open can change the score; else `questions` ask
    what can. `cards` lie in the order of `record.cards`, and `path` has a tuple of places for each stroke."""

    sure: bool
    questions: tuple[Question, ...]
    cards: tuple[CardPose, ...]
    path: tuple[tuple[str, ...], ...]
    record: Record
    warnings: tuple[Text, ...]
    _result: ScoreResult = field(repr=False)

    @property
    def probability(self) -> float:
        """Probability (0 to 1) that the score of the reading is right."""
        return self._result.assessment.probability

    @property
    def ruling(self) -> Ruling:
        """What the referee says of the reading as it stands."""
        now = self._result.assessment
        game = now.table.game
        return Ruling(now.ruling, now.ruling.legal, game.sheet.row(now.ruling), game, now.board, now.told)

    def answer(self, question: str, option: int) -> Reading:
        """The reading once a question, called by its name, is answered; `option` 0 is what stands. This
        reading stays as it is. Raises `WaymarkError` (no-such-question)."""
        now = self._result.assessment
        then = answer(now, name_of(question, now.reading.questions), option)
        if then is None:
            raise WaymarkError(
                Code.NO_SUCH_QUESTION,
                Text(
                    "No question {question!r} has an open answer {option}; `questions` lists what is open.",
                    question=question,
                    option=option,
                ),
            )
        return _reading(replace(self._result, scan=then.scan, assessment=then))

    def explain(self, language: str = "en") -> str:
        """`Ruling.explain`."""
        return self.ruling.explain(language)

    def to_json(self, language: Language = "en") -> dict[str, Any]:
        """The scan as `waymark scan --json` answers it (docs/FORMATS.md)."""
        return scan_json(self._result.scan, self._result.assessment, language)


@dataclass(frozen=True)
class Score:
    """A photo's `reading` and the `ruling` on it."""

    reading: Reading
    ruling: Ruling

    @property
    def sure(self) -> bool:
        """`Reading.sure`."""
        return self.reading.sure

    @property
    def questions(self) -> tuple[Question, ...]:
        """`Reading.questions`."""
        return self.reading.questions

    @property
    def cards(self) -> tuple[CardPose, ...]:
        """`Reading.cards`."""
        return self.reading.cards

    @property
    def path(self) -> tuple[tuple[str, ...], ...]:
        """`Reading.path`."""
        return self.reading.path

    @property
    def row(self) -> Mapping[str, Any]:
        """What goes on the score sheet, by column."""
        return self.ruling.row

    def answer(self, question: str, option: int) -> Score:
        """`Reading.answer`, refereed."""
        return _score(self.reading.answer(question, option))

    def explain(self, language: str = "en") -> str:
        """`Ruling.explain`."""
        return self.ruling.explain(language)

    def to_json(self, language: Language = "en") -> dict[str, Any]:
        """Scan and ruling as `waymark score --json` answers them (docs/FORMATS.md)."""
        return score_json(self.reading._result, language)


def read(
    photo: PhotoLike,
    catalogue: Catalogue | str | Path | None = None,
    told: Any = None,
    pen: PenProfile | None = None,
    certainty: float | None = None,
) -> Reading:
    """`waymark.read`; `told` are the terms, by their ids, or the game's own terms; `pen` is the player's,
    `certainty` the least probability of a score that is called sure."""
    cards = catalogue_of(catalogue)
    terms = terms_of(game_of(cards), told or {})
    return _reading(score_photo(_source(photo), cards, terms, pen, certainty))


def score(
    photo: PhotoLike,
    catalogue: Catalogue | str | Path | None = None,
    told: Any = None,
    pen: PenProfile | None = None,
    certainty: float | None = None,
) -> Score:
    """`waymark.score`; `told`, `pen` and `certainty` as in `read`."""
    return _score(read(photo, catalogue, told, pen, certainty))


def referee(record: RecordLike, catalogue: Catalogue | str | Path | None = None, told: Any = None) -> Ruling:
    """`waymark.referee`; `told` as in `read`."""
    if isinstance(record, Reading) and catalogue is None:
        if not told:
            return record.ruling
        catalogue = record._result.assessment.table.catalogue
    cards = catalogue_of(catalogue)
    game = game_of(cards)
    written = _record(record, game)
    known = game.rules.settings.values(game.rules.settings.of(written, game.rules.settings.make({})))
    terms = terms_of(game, told or {}, known)
    written = game.rules.settings.into(written, terms)
    board = game.rules.board(cards, written)
    verdict = game.rules.referee(board, written, terms)
    return Ruling(verdict, verdict.legal, game.sheet.row(verdict), game, board, written)


def draw(result: Reading | Score, file: str | Path, language: str = "en") -> None:
    """`waymark.draw`."""
    from waymark.picture.overlay import write_overlay

    reading = result.reading if isinstance(result, Score) else result
    write_overlay(Path(file), reading._result, language)


def catalogue_of(catalogue: Catalogue | str | Path | None) -> Catalogue:
    """The catalogue to use: a given one, that of a folder, or the open deck, which is loaded once.
    Raises `WaymarkError`."""
    if isinstance(catalogue, Catalogue):
        return catalogue
    if catalogue is not None:
        return load_catalogue(Path(catalogue))
    return _open_deck()


@cache
def _open_deck() -> Catalogue:
    return load_catalogue(bundled_catalogue())


def terms_of(game: Game, told: Any, known: Mapping[str, Any] | None = None) -> Any:
    """The game's terms from stated values by id, with house rules together or one by one. `known` are
    values stated earlier. Finished terms are returned unchanged. Raises `WaymarkError` for values that
    the game does not know."""
    if not isinstance(told, Mapping):
        return told
    values = {name: value for name, value in told.items() if name != _HOUSE and value is not None}
    return game.rules.settings.make({**(known or {}), **values, **(told.get(_HOUSE) or {})})


def _reading(result: ScoreResult) -> Reading:
    now = result.assessment
    return Reading(
        sure=now.sure,
        questions=tuple(
            Question(
                question.name,
                question.about,
                question.place,
                written(question.reason_en, question.reason_ja),
                tuple(_told(each) for each in options(now, question.name) if not each.leaves_open),
            )
            for question in now.open_questions
        ),
        cards=now.scan.cards,
        path=now.record.path,
        record=now.record,
        warnings=now.scan.photo.warnings,
        _result=result,
    )


def _told(option: Option) -> str:
    """Short text of an option: its kind (`waymark.review.tableau.options.Kind`), with the means held or
    the resulting path."""
    if option.assumption is not None:
        return f"{option.kind}: {option.assumption.key}"
    return f"{option.kind}: {ends_told(option.record.path)}"


def _score(reading: Reading) -> Score:
    return Score(reading, reading.ruling)


def _source(photo: PhotoLike) -> Path | str | bytes | Callable[[], Photo]:
    if isinstance(photo, Photo):
        return lambda: photo
    if isinstance(photo, np.ndarray):
        return lambda: photo_of_pixels(photo)
    return bytes(photo) if isinstance(photo, (bytearray, memoryview)) else photo


def _record(record: RecordLike, game: Game) -> Any:
    """A game's record from any of its forms: reading, record, mapping or JSON. Raises `WaymarkError`."""
    if isinstance(record, Reading):
        return record._result.assessment.told
    if isinstance(record, game.rules.record_type):
        return record
    if isinstance(record, Mapping):
        return game.rules.parse_record(msgspec.json.encode(record))
    return game.rules.parse_record(record.encode() if isinstance(record, str) else cast("bytes", record))
