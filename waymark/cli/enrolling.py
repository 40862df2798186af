"""`waymark enrol`: photos of blank cards into a catalogue's folder."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorer.errors import Code, WaymarkError
from waymark.cli.answers import Output, with_progress, wrong_usage
from waymark.cli.inputs import read_input
from waymark.phrases import counted

if TYPE_CHECKING:
    from calibration.enrol.faces.enrolment import EnrolledPhoto
    from calibration.enrol.share.sharing import Known

FORMAT = "waymark-enrol/1"


def size_told(value: str | None) -> tuple[float, float] | None:
    """Width and height in mm, parsed from `63x88`. Raises `WaymarkError` (usage)."""
    return None if value is None else size_of(value, "--card-size", "63x88", value)


def size_of(value: str, option: str, form: str, told: str) -> tuple[float, float]:
    """Width and height in mm, parsed from a part of an option's value. `option` and `form` are named in
    the error. Raises `WaymarkError` (usage)."""
    try:
        wide, high = (float(side) for side in value.lower().replace("×", "x").split("x"))
    except ValueError:
        wide = high = 0.0
    if not (10 <= wide <= 1000 and 10 <= high <= 1000):
        raise wrong_usage("usage.option", option=option, form=form, value=told)
    return wide, high


def answers_told(values: Sequence[str]) -> dict[str, str]:
    """Mapping from cards of the folder to ids of shared cards, parsed from `CARD=ID`. Raises
    `WaymarkError` (usage)."""
    told = {}
    for value in values:
        # Names may have the sign, too: the shared card's is what stands behind the last one.
        card, sign, chosen = value.rpartition("=")
        if not (card and sign and chosen):
            raise wrong_usage("usage.option", option="--answer", form="CARD=ID", value=value)
        told[card] = chosen
    return told


def enrol_photos(
    output: Output,
    folder: Path,
    photos: Sequence[str],
    game: str | None,
    size_mm: tuple[float, float] | None,
    shared: Path | None = None,
    answers: Mapping[str, str] | None = None,
    *,
    cards: int | None = None,
) -> None:
    """Enrol photos one after another, print the results and write the JSON answer. Ends the command with
    the exit status of docs/FORMATS.md.
    Faces known to the file `shared` take its names and dungeons. `answers` map cards of the folder to
    its cards, for earlier questions. `cards` is the stated number of different cards."""
    from calibration.enrol.share.sharing import read_shared, take_answer, take_known

    # What cannot be read is told before any photo is.
    deck = read_shared(shared) if shared is not None else None
    if deck is not None:
        for card, chosen in (answers or {}).items():
            take_answer(folder, deck, card, chosen)
    results = _enrolled(output, folder, photos, game, size_mm)
    errors = [result for result in results if isinstance(result, WaymarkError)]
    failed = bool(results) and len(errors) == len(results)
    entries = [
        _photo_entry(output, folder, name if len(photos) > 1 else None, name, result)
        for name, result in zip(photos, results, strict=True)
    ]
    known: Mapping[str, Known] = {}
    if deck is not None and not failed:
        known = take_known(folder, deck)
    for entry in entries:
        for face in entry["faces"]:
            _tell_known(face, known, output.language)
    answer: dict[str, Any] = {"format": FORMAT, "cards": _card_count(results, folder), "photos": entries}
    if deck is not None:
        answer["known"] = [_told_known(name, one, output.language) for name, one in known.items()]
        _say_known(output, known)
    _tell_missing(output, folder, cards, answer)
    if failed:
        answer |= output.error_answer(errors[0])
    output.answer(answer)
    if failed:
        sys.exit(errors[0].exit_status)


def _tell_missing(output: Output, folder: Path, cards: int | None, answer: dict[str, Any]) -> None:
    """Print what the deck still lacks, and add it to the JSON answer."""
    from calibration.enrol.catalogue_folder import has_catalogue
    from calibration.enrol.faces.missing import missing_words, state_cards
    from scorer.catalogue import read_catalogue

    if not has_catalogue(folder):
        return
    if cards is not None:
        state_cards(folder, cards)
    words = [told.message(output.language) for told in missing_words(folder, read_catalogue(folder))]
    answer["missing"] = words
    for sentence in words:
        output.say("enrol.advice", advice=sentence)


def _enrolled(
    output: Output, folder: Path, photos: Sequence[str], game: str | None, size_mm: tuple[float, float] | None
) -> list[EnrolledPhoto | WaymarkError]:
    """The result or error of each photo; a usage error ends the command at once."""
    from calibration.enrol.faces.enrolment import enrol_photo

    results: list[EnrolledPhoto | WaymarkError] = []
    for name in with_progress(output, photos):
        try:
            results.append(enrol_photo(folder, read_input(name), name, game=game, card_size_mm=size_mm))
        except WaymarkError as error:
            results.append(error)
            if error.code == Code.USAGE:
                raise
    return results


def _photo_entry(
    output: Output, folder: Path, named: str | None, name: str, result: EnrolledPhoto | WaymarkError
) -> dict[str, Any]:
    """A photo's entry in the JSON answer, also printed; `named`: whether an error has to name the photo."""
    if isinstance(result, WaymarkError):
        output.complain(result, named)
        return {"photo": name, "faces": [], **output.error_answer(result)}
    _say(output, folder, result)
    return told_photo(result, output.language)


def told_photo(seen: EnrolledPhoto, language: str) -> dict[str, Any]:
    """An enrolled photo as JSON-ready data (docs/FORMATS.md)."""
    return {
        "photo": seen.photo,
        "faces": [
            {
                "card": face.card,
                "new": face.new,
                "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in face.corners],
                "confidence": face.confidence,
                "question": face.question.message(language) if face.question is not None else None,
                **({"name": face.name} if face.name else {}),
                **({"advice": [text.message(language) for text in face.advice]} if face.advice else {}),
            }
            for face in seen.faces
        ],
        "backs": seen.backs,
        "advice": [text.message(language) for text in seen.advice],
    }


def _tell_known(face: dict[str, Any], known: Mapping[str, Known], language: str) -> None:
    """Add the shared tracing's information about a card to the face's JSON data."""
    one = known.get(face["card"])
    if one is None or face["question"] is not None:
        return
    if one.question is None:
        face["card"] = one.card
    else:
        face["question"] = one.question.message(language)


def _told_known(name: str, one: Known, language: str) -> dict[str, Any]:
    return {
        "face": name,
        "card": one.card if one.question is None else None,
        "dungeon": one.dungeon,
        "options": list(one.options),
        "confidence": one.confidence,
        "question": one.question.message(language) if one.question is not None else None,
    }


def _say_known(output: Output, known: Mapping[str, Known]) -> None:
    taken = [one.card for one in known.values() if one.question is None]
    names = ", ".join(taken) or "-"
    output.say("enrol.known", count=counted("card", len(taken)), names=names)
    for name, one in known.items():
        if one.question is not None:
            question = one.question.message(output.language)
            output.say("enrol.known_question", card=name, question=question)
    if len(taken) < len(known):
        output.say("enrol.known_answer")


def _card_count(results: Sequence[EnrolledPhoto | WaymarkError], folder: Path) -> int:
    done = [result.cards for result in results if not isinstance(result, WaymarkError)]
    if done:
        return done[-1]
    from calibration.enrol.catalogue_folder import has_catalogue
    from scorer.catalogue import read_catalogue

    try:
        return len(read_catalogue(folder).cards) if has_catalogue(folder) else 0
    except WaymarkError:
        return 0


def _say(output: Output, folder: Path, seen: EnrolledPhoto) -> None:
    language = output.language
    new = [face.card for face in seen.faces if face.new]
    again = [face.card for face in seen.faces if face.card and not face.new and face.question is None]
    output.say(
        "enrol.photo",
        photo=seen.photo,
        new=counted("card", len(new)),
        again=counted("card", len(again)),
        all=counted("card", seen.cards),
        folder=folder,
    )
    if seen.backs:
        output.say("enrol.backs", backs=counted("card", seen.backs))
    for face in seen.faces:
        if face.question is not None:
            output.say("enrol.question", question=face.question.message(language), name=face.name)
    told = {text.message(language) for face in seen.faces for text in face.advice}
    for text in (*sorted(told), *(text.message(language) for text in seen.advice)):
        output.say("enrol.advice", advice=text)
