"""Presenter of a board game's deck: in the reader's language, with URLs of pictures."""

from __future__ import annotations

import msgspec
from flask_babel import gettext, ngettext

from scorer.text import Language
from webapp.decks.enrolling import Job, jobs_of
from webapp.decks.pieces import AskedTogether, BoxPiece, groups_of, last_change, pieces_of
from webapp.decks.shelf import Deck
from webapp.http.deck_presenter import EnrolledPhoto, picture_address
from webapp.http.languages import current_language
from webapp.http.services import services


class DoubtedPhoto(msgspec.Struct, frozen=True, kw_only=True):
    """A photo that seems to show other pieces than stated: the sentence, the stated sorts (`told`, as in the
    address for sending), and the recognised sorts."""

    key: str
    name: str
    words: str
    told: str
    rather: list[str]


class PiecesBox(msgspec.Struct, frozen=True, kw_only=True):
    """A deck of pieces: required pieces, pieces in the deck, number of waiting photos, and latest results.
    `doubted` are photos with an open question about their content. The change to undo next is None where
    there is none."""

    groups: list[AskedTogether]
    pieces: list[BoxPiece]
    waiting: int
    photos: list[EnrolledPhoto]
    doubted: list[DoubtedPhoto]
    undo: int | None


def shown_pieces(deck: Deck) -> PiecesBox:
    """View of a deck of pieces, in the language of the request."""
    language, catalogue = current_language(), services().shelf.catalogue(deck)
    known = jobs_of(deck.folder)
    jobs = [job for _, job in known]
    return PiecesBox(
        groups=groups_of(catalogue, language),
        pieces=pieces_of(deck, catalogue, picture_address(deck, catalogue), language),
        waiting=sum(job.state == "waiting" for job in jobs),
        photos=[
            EnrolledPhoto(
                name=job.name,
                state=job.state,
                words=_words(job, language),
                advice=[each.message(language) for each in job.advice],
            )
            for job in reversed(jobs)
            if job.state != "other"
        ],
        doubted=[
            DoubtedPhoto(
                key=file.stem,
                name=job.name,
                words=_words(job, language),
                told=",".join(f"{word}:{wide:g}x{high:g}" for word, (wide, high) in job.shown.items()),
                rather=list(job.rather),
            )
            for file, job in known
            if job.state == "other"
        ],
        undo=last_change(deck),
    )


def _words(job: Job, language: Language) -> str:
    if job.error is not None:
        return job.error.message(language)
    if job.state == "waiting":
        return gettext("is being checked")
    told = [
        ngettext("%(num)s new piece", "%(num)s new pieces", job.added) if job.added else "",
        ngettext("%(num)s known piece", "%(num)s known pieces", job.known) if job.known else "",
        ngettext("%(num)s to check", "%(num)s to check", job.unclear) if job.unclear else "",
    ]
    return gettext(", ").join(each for each in told if each) or gettext("nothing new")
