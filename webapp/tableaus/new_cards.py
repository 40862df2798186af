"""Enrolment of a card that a photo shows and no catalogue has: its position from the question about it, and
the background job that adds it to the deck."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from calibration.enrol.faces.enrolment import enrol_played
from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.record import PlacedCard
from scorer.text import Text
from vision.questions import Question
from waymark.review.projection import Points, outline_px, table_point
from waymark.review.tableau.assess import Assessment
from waymark.review.tableau.doubt_kinds import reason_of
from webapp.decks.shelf import Deck, Shelf
from webapp.games.games import check_tableau_open
from webapp.scans.leases import ClaimedErrand
from webapp.scans.scan_processes import Reader
from webapp.store.database import Database, get_row
from webapp.store.models import Errand, Shot, Tableau
from webapp.store.photo_store import PhotoStore
from webapp.store.photos import intact_original
from webapp.store.tableaus import assessment_of, is_corrected, read_tableau_again, use_shot
from webapp.tableaus.answers import changed_meanwhile, settled_meanwhile
from webapp.tableaus.jobs import ask
from webapp.tableaus.model import AddedCard

#: Reasons of questions about a card that resembles a known one but may be another, and about a place where an
#: unknown card may lie.
_NAMED, _NAMELESS = frozenset({"card:unlike-its-art", "card"}), "card:stranger"
#: Number of steps in which the outline is fitted to the question's box, and the largest deviation (share of
#: the box).
_STEPS, _FITS = 8, 0.06
#: Time limit in seconds for cutting a card out of a photo.
_CARD_SECONDS = 60.0


class _Cut(msgspec.Struct, frozen=True, kw_only=True):
    """The photo, the outline of the new card in it, and the target deck."""

    photo_id: str
    deck: str
    corners_px: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class NewCards:
    """Background jobs that add cards from photos to the decks of one table. `came_in` is called with each
    changed deck."""

    database: Database
    photos: PhotoStore
    shelf: Shelf
    came_in: Callable[[Deck], None]

    def add(self, session: Session, tableau: Tableau, deck: Deck, question: str, version: int) -> Errand:
        """Start a job that cuts the card of a question out of the photo, adds it to the deck, and reads the
        photo again. `version` is that of the tableau which the person saw. Raises `WaymarkError` (conflict;
        no-card if the photo does not show where it lies)."""
        catalogue = self.shelf.catalogue(deck)
        assessment = assessment_of(session, catalogue, tableau)
        if assessment is None or tableau.version != version:
            raise changed_meanwhile()
        asked = next((each for each in assessment.open_questions if each.name == question), None)
        if asked is None or not may_be_new(asked):
            raise settled_meanwhile()
        outline = outline_in_photo(assessment, asked)
        if outline is None:
            raise WaymarkError(
                Code.NO_CARD,
                Text(
                    "Where this card ends is not clear in the photo; photograph the blank card for the box."
                ),
            )
        photo_id = session.get_one(Shot, tableau.shot_id).photo_id
        cut = _Cut(photo_id=photo_id, deck=deck.id, corners_px=tuple((x, y) for x, y in outline.tolist()))
        return ask(session, tableau, "new-card", cut)

    def step(self, reader: Reader, errand: ClaimedErrand) -> Callable[[Session, Errand], None]:
        """Cut the card out of the photo and add it to the deck. Raises `WaymarkError`, `Died`."""
        cut = msgspec.convert(errand.given, _Cut)
        with self.database.snapshot() as session:
            get_row(session, Tableau, errand.tableau_id)
        deck = self.shelf.deck(cut.deck)
        with intact_original(self.photos, cut.photo_id) as photo:
            card, new = reader.ask(enrol_played, deck.folder, photo, cut.corners_px, seconds=_CARD_SECONDS)
        self.came_in(deck)
        added = AddedCard(deck=deck.id, card=card, new=new)

        def take(session: Session, row: Errand) -> None:
            row.state, row.outcome = "done", msgspec.to_builtins(added)
            with suppress(WaymarkError):  # The game was finished meanwhile: its result is kept.
                check_tableau_open(row.tableau)
                self._read_again(session, row.tableau)

        return take

    def _read_again(self, session: Session, tableau: Tableau) -> None:
        if is_corrected(tableau) and tableau.shot_id is not None:
            # The answers were about other cards; they remain among the corrections that can be undone.
            shot = session.get_one(Shot, tableau.shot_id)
            first = session.get_one(Shot, shot.reread_of or shot.id)
            catalogue = self.shelf.catalogue_of(tableau.deck)
            use_shot(session, catalogue, tableau, first, kind="restore")
        read_tableau_again(tableau)


def may_be_new(question: Question) -> bool:
    """Whether a question is about one card that may be missing in the catalogue."""
    return question.crop_px is not None and reason_of(question.name) in {*_NAMED, _NAMELESS}


def outline_in_photo(assessment: Assessment, question: Question) -> Points | None:
    """The corners (4, 2) of the card that a question is about, photo pixels, in the tableau's orientation;
    None where the photo does not determine them."""
    card = int(question.place)
    if reason_of(question.name) != _NAMELESS:
        return np.array(assessment.scan.cards[card].corners, float)
    if question.crop_px is None:
        return None
    box = np.array(question.crop_px, float)
    found = min(_outlines(assessment, card, box), key=lambda each: each[0], default=None)
    if found is None or found[0] > _FITS:
        return None
    return found[1]


def _outlines(
    assessment: Assessment, beside: int, box: NDArray[np.float64]
) -> Iterator[tuple[float, Points]]:
    """Candidate outlines of a card in the plane of the card `beside`. Each has its distance from filling a
    box (left, top, right, bottom), as a fraction of the box."""
    catalogue = assessment.dungeon.catalogue
    cards = [assessment.record.cards[beside]]
    seen = [assessment.scan.cards[beside]]
    usual = _usual_card(catalogue)
    width, height = catalogue.size_of(usual)
    extent = float(np.hypot(*(box[2:] - box[:2])))
    middle = table_point(list(zip(cards, seen, strict=True)), catalogue, tuple((box[:2] + box[2:]) / 2))

    def off(at: NDArray[np.float64], rotation: int) -> tuple[NDArray[np.float64], Points]:
        placed = PlacedCard(usual, float(at[0]), float(at[1]), rotation)  # type: ignore[arg-type]
        outline = outline_px(placed, cards, seen, catalogue)
        return np.concatenate([outline.min(axis=0), outline.max(axis=0)]) - box, outline

    for rotation in (0, 90) if width != height else (0,):
        across, down = (width, height) if rotation == 0 else (height, width)
        at = np.array(middle) - np.array([across, down]) / 2
        for _ in range(_STEPS):
            here, _outline = off(at, rotation)
            slopes = np.column_stack([off(at + step, rotation)[0] - here for step in np.eye(2)])
            at = at - np.linalg.lstsq(slopes, here, rcond=None)[0]
        here, outline = off(at, rotation)
        yield float(np.abs(here).max()) / extent, outline


def _usual_card(catalogue: Catalogue) -> str:
    """A card of the deck's usual size."""
    usual = catalogue.card_size_mm
    return min(catalogue.cards, key=lambda card: (card.size_mm or usual) != usual).id
