"""`waymark enrol --pieces`: photos of a board game's pieces into a catalogue's folder."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorer.enrolment_facts import SIDE_NAMES
from scorer.errors import Code, WaymarkError
from scorer.text import Text, listed, unchanged
from waymark.cli.answers import Output, with_progress, wrong_usage
from waymark.cli.enrolling import FORMAT, size_of
from waymark.cli.inputs import read_input

if TYPE_CHECKING:
    from calibration.enrol.pieces.enrolled import EnrolledPieces


def read_words(read: str) -> Text:
    """The properties read from a piece, in words, with sides by their names."""
    names = dict(SIDE_NAMES)
    told = [names.get(word, unchanged(word)) for word in read.split("+")]
    return listed(told)


def pieces_told(values: Sequence[str]) -> dict[str, tuple[float, float]]:
    """The size in mm of each kind of pieces, parsed from `WORD=WxH`. Raises `WaymarkError` (usage)."""
    told = {}
    for value in values:
        word, sign, size = value.partition("=")
        if not (word and sign):
            raise wrong_usage("usage.option", option="--pieces", form="tile=50x50", value=value)
        told[word] = size_of(size, "--pieces", "tile=50x50", value)
    return told


def enrol_box(
    output: Output,
    folder: Path,
    photos: Sequence[str],
    game: str | None,
    shown: Mapping[str, tuple[float, float]],
    answers: Mapping[str, str],
    *,
    as_told: bool,
) -> None:
    """Enrol photos of pieces, each of the given kinds, then apply the answers. `as_told`: the kinds hold
    even where pieces look like others. Ends the command with the exit status of docs/FORMATS.md."""
    from calibration.enrol.pieces.answers import answer_piece
    from calibration.enrol.pieces.enrolment import enrol_pieces
    from calibration.enrol.pieces.holding import missing_of, open_pieces
    from scorer.catalogue import read_catalogue

    results: list[EnrolledPieces | WaymarkError] = []
    for name in with_progress(output, photos):
        try:
            results.append(enrol_pieces(folder, read_input(name), shown, name, game=game, as_told=as_told))
        except WaymarkError as error:
            results.append(error)
            if error.code == Code.USAGE:
                raise
    for piece, said in answers.items():
        answer_piece(folder, piece, said)
    entries: list[dict[str, Any]] = []
    for name, result in zip(photos, results, strict=True):
        if isinstance(result, WaymarkError):
            entries.append({"photo": name, "faces": [], **output.error_answer(result)})
            output.complain(result, name if len(photos) > 1 else None)
        else:
            entries.append(_told(result, output.language))
            _say(output, folder, result)
    errors = [result for result in results if isinstance(result, WaymarkError)]
    failed = bool(results) and len(errors) == len(results)
    answer: dict[str, Any] = {"format": FORMAT, "cards": 0, "photos": entries, "missing": {}}
    if not failed:
        box = read_catalogue(folder)
        missing = missing_of(box)
        answer |= {"cards": len(box.cards), "missing": {asked.word: count for asked, count in missing}}
        answer["asked"] = {piece: list(about) for piece, about in open_pieces(folder).items()}
        for piece, about in open_pieces(folder).items():
            output.say("enrol.asked", piece=piece, about=" ".join(about))
        for asked, count in missing:
            output.say("enrol.missing", pieces=asked.name.message(output.language), count=count)
    else:
        answer |= output.error_answer(errors[0])
    output.answer(answer)
    if failed:
        sys.exit(errors[0].exit_status)


def _told(seen: EnrolledPieces, language: str) -> dict[str, Any]:
    return {
        "photo": seen.photo,
        "faces": [
            {
                "card": each.piece,
                "new": each.new,
                "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in each.corners],
                "confidence": each.confidence,
                "read": each.read,
                "question": each.question.message(language) if each.question is not None else None,
            }
            for each in seen.pieces
        ],
        "unread": [[round(float(x), 1), round(float(y), 1)] for x, y in seen.unread],
        "advice": [seen.advice.message(language)] if seen.advice is not None else [],
    }


def _say(output: Output, folder: Path, seen: EnrolledPieces) -> None:
    output.say(
        "enrol.pieces",
        photo=seen.photo,
        new=sum(each.new for each in seen.pieces),
        all=len(seen.pieces),
        folder=folder,
    )
    for each in seen.pieces:
        if each.read:
            output.say("enrol.read", piece=each.piece, read=read_words(each.read).message(output.language))
        if each.question is not None:
            question = each.question.message(output.language)
            output.say("enrol.question", question=question, name=each.piece)
    if seen.advice is not None:
        output.say("enrol.advice", advice=seen.advice.message(output.language))
    if any(each.read for each in seen.pieces):
        output.say("enrol.confirm")
