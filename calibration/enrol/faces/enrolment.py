"""Enrolment: from a photo of blank cards to faces in the catalogue's folder.

Every card in the photo is detected, rectified and corrected for uneven light. It is classified as a known
card (whose art is then improved), a new card, the back, or an open question. Nothing is guessed: a
doubtful view is stored unchanged until a person answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from calibration.enrol.catalogue_folder import changed_catalogue, has_catalogue, new_catalogue, turned_art
from calibration.enrol.faces.art import digest, veiled
from calibration.enrol.faces.cut_out import art_px_per_mm, cut_out, native_px_per_mm
from calibration.enrol.faces.light import evened, light_over, tones_of_photo
from calibration.enrol.faces.missing import UnusedFace, keep_unused_views
from calibration.enrol.faces.quality import GLARE, UNCLEAR, quality_of, too_small, washed_out
from calibration.enrol.faces.references import answer_reference, name_by_reference, question_of
from calibration.enrol.faces.sorting import GAME, EnrolledFace, SeenFace, Size, Sorting, same_size
from calibration.enrol.faces.store import (
    Asked,
    Faces,
    SeenPhoto,
    keep_photo,
    one_enrolment,
    read_faces,
    write_faces,
)
from scorer.catalogue import read_catalogue
from scorer.errors import Code, WaymarkError
from scorer.games import game_named
from scorer.text import Text
from vision.outlines.blank_cards import BlankTable, find_blank_cards, outline_near
from vision.photo.decode import Photo, load_photo
from vision.photo.lens import Lens, lens_of

Choice = Literal["same", "new", "back", "leave"]
CARD_SIZE_MM = (63.0, 88.0)
#: Below this many pixels a millimetre a photo is said to be taken from too far.
_FAR_PX_PER_MM = 5.0


@dataclass(frozen=True, eq=False)
class EnrolledPhoto:
    """Result for one photo: its faces, the number of backs, advice, and the number of `cards` now in the
    catalogue."""

    photo: str
    faces: tuple[EnrolledFace, ...]
    cards: int
    backs: int = 0
    advice: tuple[Text, ...] = ()


def enrol_photo(
    folder: Path,
    photo: bytes | Path | str,
    name: str = "",
    *,
    game: str | None = None,
    card_size_mm: Size | None = None,
) -> EnrolledPhoto:
    """Add the faces in a photo (bytes or file) to the catalogue in `folder`, which is created if it is
    missing.

    A new catalogue takes its `game` and `card_size_mm` from the arguments. Raises `WaymarkError`: the errors
    of an unreadable photo or catalogue, no-card, usage (size or game differs from the catalogue's), busy,
    not-writable.
    """
    data = photo if isinstance(photo, bytes) else read_photo(Path(photo))
    if not name and not isinstance(photo, bytes):
        name = Path(photo).name
    new = _begun(folder, game, card_size_mm)
    wide, high = read_catalogue(folder).card_size_mm if has_catalogue(folder) else new["card_size_mm"]
    size_mm = float(wide), float(high)
    picture = load_photo(data, whole=True)
    table = find_blank_cards(picture, size_mm, lens_of(picture))
    if not table.cards:
        raise _no_card(size_mm)
    looked, unused = _looked_at(picture, table, size_mm)
    with one_enrolment(folder):
        key, file = keep_photo(folder, data)
        kept = confirmed_faces(folder)
        tones = tones_of_photo([each.pixels for each in looked])
        kept.photos[key] = SeenPhoto(name=name, file=file, tones=tones)
        seen, hazy = _without_veiled(folder, looked, kept, key)
        unused += hazy
        keep_unused_views(folder, kept, key, picture, size_mm, unused)
        with changed_catalogue(folder, new) as told:
            found, backs = Sorting(folder, told, kept, key, size_mm).sort(seen)
            count = len(told["cards"])
            kept.pending = key
            write_faces(folder, kept)
        kept.pending = ""
        write_faces(folder, kept)
        found = _with_references(folder, kept, found)
    faults = [_fault(one) for one in unused]
    advice = (too_small(table.px_per_mm),) if table.px_per_mm < _FAR_PX_PER_MM else ()
    return EnrolledPhoto(name, (*found, *faults), count, backs, advice)


def _with_references(folder: Path, kept: Faces, found: list[EnrolledFace]) -> list[EnrolledFace]:
    """Rename new cards to their printed references. Returns the faces with their new card ids."""
    waiting = {each.name for each in kept.asked}
    new = {face.card for face in found if face.new}
    named = {each.before: each for each in name_by_reference(folder, kept, new)}
    write_faces(folder, kept)
    cards = {card.art: card.id for card in read_catalogue(folder).cards}
    asked = {cards.get(each.art): each for each in kept.asked if each.name not in waiting}
    told = []
    for face in found:
        question = asked.get(face.card) if face.question is None else None
        if question is not None:
            # The card is enrolled all the same, whatever it is called.
            face = replace(face, advice=(*face.advice, question_of(question.text)))
        now = named.get(face.card)
        if now is not None:
            corners = np.roll(face.corners, 2, axis=0) if now.turned else face.corners
            face = replace(face, card=now.now, corners=corners)
        told.append(face)
    return told


def enrol_played(folder: Path, photo: Path, corners_px: Sequence[Sequence[float]]) -> tuple[str, bool]:
    """Add the card near four corners in a photo of a game, and return its id and whether it is new.

    The corners are in photo pixels, clockwise from the top left. The art shows the drawn lines until a
    photo of the blank card is enrolled (`Card.drawn_on`). Raises `WaymarkError`: the errors of an
    unreadable photo or catalogue, no-card (too blurred, cut off by the picture's rim, no clear edges),
    busy, not-writable.
    """
    data = read_photo(photo)
    picture = load_photo(data, whole=True)
    size_mm = read_catalogue(folder).card_size_mm
    lens = lens_of(picture) or Lens(picture.width, picture.height)
    outline = outline_near(picture, lens, np.array(corners_px, float), size_mm)
    if outline is None:
        raise WaymarkError(Code.NO_CARD, UNCLEAR)
    corners = outline.corners_px
    px_per_mm = native_px_per_mm(corners, size_mm)
    seen, unused = _looked_at(picture, BlankTable((outline,), lens, px_per_mm), size_mm)
    if not seen:
        raise WaymarkError(Code.NO_CARD, unused[0].advice[0] if unused[0].advice else UNCLEAR)
    with one_enrolment(folder):
        key, file = keep_photo(folder, data)
        kept = confirmed_faces(folder)
        tones = tones_of_photo([each.pixels for each in seen])
        kept.photos.setdefault(key, SeenPhoto(name="", file=file, tones=tones))
        with changed_catalogue(folder) as told:
            card, new = Sorting(folder, told, kept, key, size_mm).add_played(seen[0])
            kept.pending = key
            write_faces(folder, kept)
        kept.pending = ""
        write_faces(folder, kept)
    return card, new


def answer(folder: Path, question: str, choice: Choice, chosen: str = "") -> str:
    """Apply the answer to a named question of enrolment: "same" card, "new" card, "back", or "leave" to
    omit it. "same" means the card with the id `chosen`, one of those that the question offers, else the
    first one.

    Returns the card's id. It is "" where the view is no card, or where a "new" card may equal one added
    since, which raises a new question. Raises `WaymarkError` (no-such-question).
    """
    with one_enrolment(folder):
        kept = confirmed_faces(folder)
        asked = next((each for each in kept.asked if each.name == question), None)
        if asked is None:
            raise WaymarkError(
                Code.NO_SUCH_QUESTION,
                Text(
                    "There is no open question {question!r} about this deck's cards; enrol its photos first.",
                    question=question,
                ),
            )
        other = choice == "same" and bool(chosen) and _choose(folder, asked, chosen)
        kept.asked.remove(asked)
        if asked.kind == "reference":
            card = answer_reference(folder, kept, asked, choice == "same")
            write_faces(folder, kept)
            return card
        with changed_catalogue(folder) as told:
            size_mm = (float(told["card_size_mm"][0]), float(told["card_size_mm"][1]))
            sorting = Sorting(folder, told, kept, asked.view.photo, size_mm)
            card = ""
            if other:
                sorting.turn_towards(asked)
            if choice == "same":
                sorting.put_back(asked.art)
            if choice == "back":
                kept.backs.append(asked.view)
            elif choice == "new":
                card = sorting.add_unless_another(asked)
            elif choice == "same" and not sorting.has(asked.art):
                card = sorting.add(asked.view)
            elif choice == "same":
                card = sorting.join(asked.art, asked.view)
            sorting.share_drawings()
            kept.pending = asked.view.photo
            write_faces(folder, kept)
        kept.pending = ""
        write_faces(folder, kept)
    return card


def _choose(folder: Path, asked: Asked, card: str) -> bool:
    """Make a card that a question offers its first one; whether it was another one before. Raises
    `WaymarkError` (unknown-card, conflict)."""
    art = read_catalogue(folder).card(card).art
    if art not in (asked.art, *asked.options):
        raise WaymarkError(Code.CONFLICT, Text("The question does not offer the card {card}.", card=card))
    changed = art != asked.art
    asked.art = art
    return changed


def read_photo(file: Path) -> bytes:
    """The bytes of a photo file. Raises `WaymarkError` (no-photo)."""
    try:
        return file.read_bytes()
    except OSError as error:
        raise WaymarkError(
            Code.NO_PHOTO,
            Text("{file!r} cannot be read; check that the photo exists and may be opened.", file=str(file)),
        ) from error


def _begun(folder: Path, game: str | None, card_size_mm: Size | None) -> dict[str, Any]:
    """The JSON of a catalogue without cards. Raises `WaymarkError` where game or size differs from the
    existing catalogue's."""
    new = new_catalogue(folder.resolve().name, game_named(game or GAME).id, card_size_mm or CARD_SIZE_MM)
    if has_catalogue(folder):
        there = read_catalogue(folder)
        if game is not None and there.game != game:
            raise WaymarkError(
                Code.USAGE,
                Text(
                    "The catalogue in {folder!r} is of the game {game!r}; name another folder for {game2!r}.",
                    folder=str(folder),
                    game=there.game,
                    game2=game,
                ),
            )
        if card_size_mm is not None and not same_size(there.card_size_mm, card_size_mm):
            wide, high = there.card_size_mm
            raise WaymarkError(
                Code.USAGE,
                Text(
                    "The cards in {folder!r} measure {wide:g} x {high:g} mm; name another folder for another "
                    "size.",
                    folder=str(folder),
                    wide=wide,
                    high=high,
                ),
            )
    return new


def _no_card(size_mm: Size) -> WaymarkError:
    wide, high = size_mm
    return WaymarkError(
        Code.NO_CARD,
        Text(
            "No card of {wide:g} x {high:g} mm is found in the photo; lay the cards flat and apart on a "
            "plain table, or give their size with --card-size.",
            wide=wide,
            high=high,
        ),
    )


def _looked_at(picture: Photo, table: BlankTable, size_mm: Size) -> tuple[list[SeenFace], list[UnusedFace]]:
    """The usable cards of a photo, and the unusable ones with advice."""
    outlines = [card.corners_px for card in table.cards]
    light = light_over(picture, table.lens, outlines, size_mm)
    looked = []
    for card in table.cards:
        px_per_mm = art_px_per_mm(card.corners_px, size_mm)
        face = cut_out(picture, table.lens, card.corners_px, size_mm, px_per_mm)
        native = native_px_per_mm(card.corners_px, size_mm)
        looked.append((card, face, px_per_mm, quality_of(face, px_per_mm, native, card.inside)))
    washed = washed_out([face for _, face, _, _ in looked])
    seen, unused = [], []
    for (card, face, px_per_mm, quality), hazy in zip(looked, washed, strict=True):
        if quality.usable and card.clear and not hazy:
            seen.append(SeenFace(card, evened(face, card.corners_px, light), px_per_mm, quality))
        else:
            told = [*quality.advice, *([GLARE] if hazy else []), *([] if card.clear else [UNCLEAR])]
            unused.append(UnusedFace(card.corners_px, face, tuple(dict.fromkeys(told))))
    return seen, unused


def _without_veiled(
    folder: Path, looked: Sequence[SeenFace], kept: Faces, photo: str
) -> tuple[list[SeenFace], list[UnusedFace]]:
    """The cards of a stored photo that can be used, and those of which a veil of glare leaves too little."""
    hazy = veiled(folder, [one.pixels for one in looked], photo, kept)
    seen = [one for one, veil in zip(looked, hazy, strict=True) if not veil]
    unused = [
        UnusedFace(one.outline.corners_px, one.pixels, (*one.quality.advice, GLARE))
        for one, veil in zip(looked, hazy, strict=True)
        if veil
    ]
    return seen, unused


def _fault(one: UnusedFace) -> EnrolledFace:
    return EnrolledFace("", False, one.corners, 0.0, advice=one.advice)


def confirmed_faces(folder: Path) -> Faces:
    """The stored enrolment data without entries left by a power failure that are in no catalogue. Views of
    cards rotated by a person since are rotated too."""
    kept = read_faces(folder)
    arts: set[str] = set()
    if has_catalogue(folder):
        there = read_catalogue(folder)
        arts = {card.art for card in (*there.cards, *there.out)}
        _turn_with(folder, kept, arts)
    if kept.pending:
        kept.faces = [
            face
            for face in kept.faces
            if face.art in arts or any(view.photo != kept.pending for view in face.views)
        ]
        kept.pending = ""
    return kept


def _turn_with(folder: Path, kept: Faces, arts: set[str]) -> None:
    for face in kept.faces:
        art = turned_art(face.art)
        if face.art in arts or art not in arts:
            continue
        with suppress(OSError):
            if digest((folder / face.art).read_bytes()) == face.made:
                face.made = digest((folder / art).read_bytes())
        asked = [each.view for each in kept.asked if each.art == face.art]
        for view in (*face.views, *asked):
            view.quarters = (view.quarters + 2) % 4
        for each in kept.asked:
            each.art = art if each.art == face.art else each.art
            each.options = [art if other == face.art else other for other in each.options]
            each.others = [art if other == face.art else other for other in each.others]
        face.art = art
