"""Presenter of decks and tracings: views in the language of the request, with URLs of pictures."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from flask import url_for
from flask_babel import gettext, ngettext

from calibration.enrol.faces.enrolment import Choice
from calibration.enrol.faces.missing import missing_words
from calibration.enrol.faces.store import read_faces
from calibration.enrol.share.questions import kept_shared, open_shared_questions
from calibration.enrol.share.same_dungeon import turned_card
from calibration.enrol.trace.drafts import Draft, draft_of
from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.games import game_of
from scorer.text import Language, Text
from webapp.decks.enrolling import Job, jobs_of, open_questions
from webapp.decks.shelf import Deck
from webapp.decks.view import DungeonSketch, TracingView, sketch_of, tracing_view
from webapp.http.languages import current_language
from webapp.http.services import services


class EnrolledPhoto(msgspec.Struct, frozen=True, kw_only=True):
    """A photo of blank cards: `state` is waiting, done or failed; `words` describe the result, and `advice`
    how to take a better photo."""

    name: str
    state: str
    words: str
    advice: list[str]


class OfferedCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card of the deck that a question offers, with its picture."""

    card: str
    picture: str


class FaceQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question about a face: whether it is the same card as another (`kind` "same"), the back, a removed
    card to be added again ("removed"), or has `text` printed on it ("reference"); with both pictures.
    `choices` are the possible answers, `others` further cards that it may be."""

    name: str
    kind: str
    picture: str
    card: str | None
    card_picture: str | None
    text: str
    choices: list[Choice]
    others: list[OfferedCard]


class SharedQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """The question which card of a shared tracing a card of the deck is: its picture, the sentence, and the
    candidates, most likely first. All are oriented like the card."""

    card: str
    picture: str
    words: str
    candidates: list[DungeonSketch]


class Enrolment(msgspec.Struct, frozen=True, kw_only=True):
    """Progress of a deck's photos: number waiting, latest results, open questions (`shared`: about dungeons
    shared by another deck), number of cards, the `stated` one, and sentences about `missing` cards."""

    waiting: int
    cards: int
    stated: int | None
    missing: list[str]
    photos: list[EnrolledPhoto]
    questions: list[FaceQuestion]
    shared: list[SharedQuestion]


def picture_address(deck: Deck, catalogue: Catalogue) -> Callable[[str], str]:
    """URL of a card's picture, with a version that changes with the picture."""

    def address(card_id: str) -> str:
        try:
            changed = catalogue.art_path(catalogue.card(card_id)).stat().st_mtime_ns
        except (OSError, WaymarkError):
            changed = 0
        return url_for("decks.card_picture", deck_id=deck.id, card_id=card_id, version=f"{changed:x}")

    return address


def shown_tracing(deck: Deck, card_id: str, draft: Draft | None = None) -> TracingView:
    """View of a card's current tracing. Raises `WaymarkError` (unknown-card)."""
    catalogue = services().shelf.catalogue(deck)
    card = catalogue.card(card_id)
    draft = draft or draft_of(deck.folder, card, catalogue.size_of(card.id))
    return tracing_view(deck, catalogue, card, draft, current_language(), picture_address(deck, catalogue))


def own_deck(deck_id: str) -> Deck:
    """A deck that may be changed here. Raises `WaymarkError`."""
    deck = services().shelf.deck(deck_id)
    if not deck.own:
        raise WaymarkError(
            Code.FORBIDDEN,
            Text("The open deck comes with Waymark and stays as it is; make a box of your own."),
        )
    return deck


_CHOICES: dict[str, list[Choice]] = {"back": ["back", "new", "leave"], "reference": ["same", "leave"]}
_OF_A_CARD: list[Choice] = ["same", "new", "back", "leave"]


def shown_enrolment(deck: Deck) -> Enrolment:
    """Progress of a deck's photos, in the language of the request."""
    language, catalogue = current_language(), services().shelf.catalogue(deck)
    by_art = {card.art: card.id for card in catalogue.cards}
    picture = picture_address(deck, catalogue)
    jobs = [job for _, job in jobs_of(deck.folder)]
    questions = []
    for asked in open_questions(deck.folder):
        card = by_art.get(asked.art)
        beside = card if asked.kind != "reference" else None
        questions.append(
            FaceQuestion(
                name=asked.name,
                kind=asked.kind,
                picture=url_for("decks.view_picture", deck_id=deck.id, question=asked.name),
                card=card,
                card_picture=picture(beside) if beside is not None else None,
                text=asked.text,
                choices=_CHOICES.get(asked.kind, _OF_A_CARD),
                others=[
                    OfferedCard(card=by_art[art], picture=picture(by_art[art]))
                    for art in asked.options
                    if art in by_art
                ],
            )
        )
    return Enrolment(
        waiting=sum(job.state == "waiting" for job in jobs),
        cards=len(catalogue.cards),
        stated=read_faces(deck.folder).stated,
        missing=[words.message(language) for words in missing_words(deck.folder, catalogue)],
        photos=[
            EnrolledPhoto(
                name=job.name,
                state=job.state,
                words=_job_words(job, language),
                advice=[each.message(language) for each in job.advice],
            )
            for job in reversed(jobs)
            if not job.question or job.state == "failed"
        ],
        questions=questions,
        shared=_shared_questions(deck, catalogue, picture),
    )


def _shared_questions(
    deck: Deck, catalogue: Catalogue, picture: Callable[[str], str]
) -> list[SharedQuestion]:
    asked = open_shared_questions(deck.folder)
    shared = kept_shared(deck.folder) if asked else None
    if shared is None:
        return []
    cards, rules = shared.catalogue, game_of(catalogue)
    return [
        SharedQuestion(
            card=each.card,
            picture=picture(each.card),
            words=each.question.message(current_language()),
            candidates=[
                sketch_of(
                    turned_card(cards.card(option), each.turn, cards.size_of(option)),
                    catalogue.size_of(each.card),
                    rules,
                )
                for option in each.options
            ],
        )
        for each in asked
    ]


def _job_words(job: Job, language: Language) -> str:
    if job.error is not None:
        return job.error.message(language)
    if job.state == "waiting":
        return gettext("is being checked")
    if job.shared:
        return ngettext("%(num)s dungeon taken over", "%(num)s dungeons taken over", job.told)
    told = [
        ngettext("%(num)s new card", "%(num)s new cards", job.added) if job.added else "",
        ngettext("%(num)s known card", "%(num)s known cards", job.known) if job.known else "",
        ngettext("%(num)s back", "%(num)s backs", job.backs) if job.backs else "",
        ngettext("%(num)s to be answered", "%(num)s to be answered", job.asked) if job.asked else "",
        ngettext("%(num)s unclear", "%(num)s unclear", job.unclear) if job.unclear else "",
    ]
    return gettext(", ").join(each for each in told if each) or gettext("nothing new")
