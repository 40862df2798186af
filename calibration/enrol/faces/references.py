"""Printed references of cards ("D17"), read from their faces by text recognition and used as card names.

A reference is at the same place on all cards of a deck, and is unique. Text is therefore searched on a few
cards first. The place where most cards show a text of their own is the deck's place, and only it is read
from then on. The place also gives a card's orientation. A reading of high confidence names a card that has
no name yet; an uncertain reading becomes a question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import msgspec
import numpy as np

from calibration.enrol.box_edits import rename_card, turn_card
from calibration.enrol.catalogue_folder import turned_art
from calibration.enrol.faces.store import Asked, Faces, PrintedReference
from scorer.catalogue import Card, Catalogue, read_catalogue
from scorer.errors import Code, WaymarkError
from scorer.text import Text
from vision.cards.index import read_art
from vision.outlines.text import Box, Pixels, PrintedText, read_box, text_places

#: Letters, then a number, then perhaps a letter.
_REFERENCE = re.compile(r"[A-Za-z]{0,3}[-./#]?\d{1,3}[A-Za-z]?")
#: A name that enrolment gave: unlike all that may be printed on a card, or a printed number could not be told
#: from it.
_NUMBERED = re.compile(r"card-\d{2,}")
#: Resolution in pixels per mm for reading; references are at least 1.5 mm high.
_PX_PER_MM = 8.0
#: As sure as this a reference names its card, as this it is asked about. Of 85 cards of the open deck that
#: were new in 8 photos (`samples.blank_cards`, tuning, seeds 4101 and 4102) 33 are named so, none wrongly,
#: and 10 asked about, all rightly; the others are colours of one starter, or in a photo taken from too far.
SURE, LIKELY = 0.85, 0.5
#: Distance in mm within which texts on two cards are at the same place.
_SAME_PLACE_MM = 2.5
#: Margin in mm around the place, since other references may be longer.
_ABOUT_MM = 4.0
#: Lowest number and share of examined cards that must have unique texts at a place.
_LEAST_CARDS, _LEAST_SHARE = 3, 0.35
#: So many cards must say something of one form before any is named: a D is easily read as a 0.
_LEAST_OF_FORM = 4
#: Greatest number of cards searched for the place, since a deck may have no references.
_MOST_SEARCHED = 24

Size = tuple[float, float]


@dataclass(frozen=True)
class Named:
    """A card renamed to its printed reference: its old and new names, and whether it was rotated."""

    before: str
    now: str
    turned: bool = False


@dataclass(frozen=True)
class _Place:
    """Place of the references on an upright card: centre and size of the box, in mm."""

    middle: tuple[float, float]
    size: tuple[float, float]


def name_by_reference(folder: Path, kept: Faces, new: Collection[str]) -> list[Named]:
    """Rename numbered cards among `new` to their printed references, rotate them upright, and ask about
    uncertain readings.

    Only `new` cards are renamed, since users may know the names of others. `kept` is modified; the caller
    must write it. Needs the lock of `calibration.enrol.faces.store.one_enrolment`.
    """
    catalogue = read_catalogue(folder)
    nameless = [card for card in catalogue.cards if card.id in new and _is_nameless(card, kept)]
    if not nameless:
        return []
    _look_at(catalogue, kept, nameless)
    place = _place_of(catalogue, kept)
    if place is None:
        return []
    found = {
        card.id: next(iter(_said_at({"": kept.printed.get(card.art, [])}, place.middle)), None)
        for card in catalogue.cards
    }
    counted = Counter(each.text.casefold() for each in found.values() if each is not None)
    taken = {
        name.casefold() for card in (*catalogue.cards, *catalogue.out) for name in (card.id, *card.former)
    }
    form = _form_of([each for each in found.values() if each is not None])
    named = []
    for card in nameless:
        seen = found[card.id]
        if seen is None or form is None or _form(seen.text) != form:
            continue
        if counted[seen.text.casefold()] > 1 or seen.text.casefold() in taken:
            continue
        if seen.confidence >= SURE:
            now = _name(folder, kept, card, seen)
            named.append(Named(card.id, now, now != card.id and seen.upside_down))
        elif seen.confidence >= LIKELY:
            _ask(kept, card, seen)
    return named


def numbered(number: int) -> str:
    """The default name of a card, from its number in the box."""
    return f"card-{number:02d}"


def question_of(text: str) -> Text:
    """The question whether a text is printed on a card."""
    return Text("Is {text} printed on this card?", text=text)


def answer_reference(folder: Path, kept: Faces, asked: Asked, right: bool) -> str:
    """Apply the answer to a question about a reference: rename the card or keep its name. Returns the
    card's name."""
    kept.settled.append(asked.art)
    card = next((each for each in read_catalogue(folder).cards if each.art == asked.art), None)
    if card is None:
        return ""
    seen = next((each for each in kept.printed.get(card.art, []) if each.text == asked.text), None)
    if right and seen is not None:
        return _name(folder, kept, card, seen)
    return card.id


def _is_nameless(card: Card, kept: Faces) -> bool:
    """Whether a card still has its default name and no edits or questions of a person."""
    waiting = any(each.kind == "reference" and each.art == card.art for each in kept.asked)
    mine = bool(_NUMBERED.fullmatch(card.id)) and not card.former and not card.nodes
    return mine and not waiting and card.art not in kept.settled and not card.drawn_on


def _look_at(catalogue: Catalogue, kept: Faces, cards: Sequence[Card]) -> None:
    """Read the texts of cards not read before: at the deck's place if it is known, else over the whole
    face."""
    for card in cards:
        if card.art in kept.printed:
            continue
        place = _place_of(catalogue, kept)
        if place is None and len(kept.printed) >= _MOST_SEARCHED:
            return
        size = catalogue.size_of(card.id)
        face = _face(catalogue, card, size)
        if face is None:
            continue
        boxes = text_places(face) if place is None else _boxes_at(face, place, size)
        told = [each for box in boxes for each in read_box(face, box)]
        kept.printed[card.art] = [
            _told(each, size)
            for each in told
            if each.confidence >= LIKELY and _REFERENCE.fullmatch(each.text) is not None
        ]


def _face(catalogue: Catalogue, card: Card, size_mm: Size) -> Pixels | None:
    art = read_art(catalogue.art_path(card))
    if art is None:
        return None
    wide, high = (round(side * _PX_PER_MM) for side in size_mm)
    return np.asarray(cv2.resize(art, (wide, high), interpolation=cv2.INTER_AREA), np.uint8)


def _told(seen: PrintedText, size_mm: Size) -> PrintedReference:
    """A reading with its place in mm on the card, as oriented when the text is upright."""
    left, top, right, bottom = (side / _PX_PER_MM for side in seen.box)
    x, y = (left + right) / 2, (top + bottom) / 2
    if seen.upside_down:
        x, y = size_mm[0] - x, size_mm[1] - y
    return PrintedReference(
        seen.text, seen.confidence, (x, y), (right - left, bottom - top), seen.upside_down
    )


def _boxes_at(face: Pixels, place: _Place, size_mm: Size) -> list[Box]:
    """Boxes of text near the place, for both orientations of the card, in pixels of its face."""
    boxes = []
    for x, y in (place.middle, (size_mm[0] - place.middle[0], size_mm[1] - place.middle[1])):
        across, down = (side / 2 + _ABOUT_MM for side in place.size)
        left, top = (max(0, round(at * _PX_PER_MM)) for at in (x - across, y - down))
        right, bottom = (round(at * _PX_PER_MM) for at in (x + across, y + down))
        for box in text_places(face[top:bottom, left:right]):
            boxes.append((box[0] + left, box[1] + top, box[2] + left, box[3] + top))
    return boxes


def _place_of(catalogue: Catalogue, kept: Faces) -> _Place | None:
    """The place where most cards have a unique text, or None."""
    printed = {card.art: kept.printed[card.art] for card in catalogue.cards if card.art in kept.printed}
    best, most = None, 0.0
    for own in (each for said in printed.values() for each in said):
        here = _said_at(printed, own.middle_mm)
        texts = {each.text.casefold() for each in here}
        worth = sum(each.confidence for each in here) - 2.0 * (len(here) - len(texts))
        if len(texts) >= max(_LEAST_CARDS, _LEAST_SHARE * len(printed)) and worth > most:
            best, most = here, worth
    if best is None:
        return None
    x, y, across, down = (
        float(np.median(column)) for column in zip(*((*b.middle_mm, *b.size_mm) for b in best), strict=True)
    )
    return _Place((x, y), (across, down))


def _said_at(
    printed: Mapping[str, Sequence[PrintedReference]], middle_mm: tuple[float, float]
) -> list[PrintedReference]:
    """The most confident reading of each card near a place (mm)."""
    found = []
    for said in printed.values():
        near = [
            each
            for each in said
            if np.hypot(each.middle_mm[0] - middle_mm[0], each.middle_mm[1] - middle_mm[1]) <= _SAME_PLACE_MM
        ]
        if near:
            found.append(max(near, key=lambda each: each.confidence))
    return found


def _form(text: str) -> str:
    """Pattern of a reference's prefix: each letter before the number becomes "A". A number without its
    prefix is a misreading."""
    return re.sub(r"[A-Za-z]", "A", re.sub(r"\d.*", "", text))


def _form_of(said: Sequence[PrintedReference]) -> str | None:
    """The pattern that most references share, or None while too few are read with high confidence."""
    forms = Counter(_form(each.text) for each in said if each.confidence >= SURE)
    if not forms:
        return None
    form, count = forms.most_common(1)[0]
    return form if count >= _LEAST_OF_FORM and count > forms.total() / 2 else None


def _name(folder: Path, kept: Faces, card: Card, seen: PrintedReference) -> str:
    """Rename a card to its reference and rotate it if it is upside down. Returns the card's name,
    unchanged where another device edited it first."""
    try:
        if seen.upside_down:
            turn_card(folder, card.id)
            said = kept.printed.pop(card.art, [])
            turned = [msgspec.structs.replace(each, upside_down=not each.upside_down) for each in said]
            kept.printed[turned_art(card.art)] = turned
        rename_card(folder, card.id, seen.text)
    except WaymarkError as error:
        if error.code not in (Code.CONFLICT, Code.UNKNOWN_CARD, Code.NO_FILE):
            raise
        return card.id
    return seen.text


def _ask(kept: Faces, card: Card, seen: PrintedReference) -> None:
    face = next((each for each in kept.faces if each.art == card.art), None)
    if face is not None and face.views:
        name = f"q{kept.next_question}"
        kept.next_question += 1
        kept.asked.append(Asked(name, "reference", face.views[0], card.art, text=seen.text))
