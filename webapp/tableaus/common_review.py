"""Common parts of the reviews of one player's tableau and of a shared table: the frame, and the parts of a
reading that follow from the dungeon, its projection and the strokes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from msgspec import UNSET, UnsetType
from sqlalchemy.orm import Session

from scorer.dungeon import Dungeon
from scorer.game import Game as Rules
from scorer.places import place_words
from scorer.text import Language
from scorer.verdict import ToldStep
from waymark.picture.annotations import PathPiece, find_marks
from waymark.review.projection import Projection
from webapp.decks.shelf import MAIN
from webapp.scans.queue import ScanQueue
from webapp.store.boxes import told_of, with_usual
from webapp.store.kinds import redoable, undoable
from webapp.store.models import Tableau
from webapp.tableaus.model import Review, ReviewHistory, ReviewMeans, ReviewRound
from webapp.tableaus.photo_view import photo_state, review_shot
from webapp.tableaus.reading_model import (
    Reading,
    ReviewCount,
    ReviewFind,
    ReviewLink,
    ReviewPiece,
    ReviewPlace,
)
from webapp.tableaus.verdict_view import px, pxs
from webapp.views import view


def review_with(
    session: Session,
    queue: ScanQueue,
    tableau: Tableau,
    language: Language,
    reading: Reading | None,
    rules: Rules | None,
    player: str,
    **own: Any,
) -> Review:
    """The review of a photographed tableau with its `reading` (None: no photo was read), its terms by `rules`
    (None: nothing is stated yet), the name of its `player`, and its `own` further fields."""
    return view(
        Review,
        tableau,
        deck=tableau.deck or MAIN,
        state="ready" if reading is not None else photo_state(tableau),
        shots=tuple(review_shot(session, shot, queue, language) for shot in tableau.shots),
        means=_means(tableau, rules),
        round=_round(tableau, player),
        history=ReviewHistory(undo=undoable(tableau) is not None, redo=redoable(tableau) is not None),
        reading=reading,
        **own,
    )


def _means(tableau: Tableau, rules: Rules | None) -> ReviewMeans:
    if rules is None:
        return ReviewMeans(terms={}, settings={})
    told = told_of(tableau)
    return ReviewMeans(
        terms={
            term.id: told.get(term.id, term.usual)
            for term in rules.rules.settings.terms
            if term.group != "house"
        },
        settings=with_usual(rules, told, "house"),
        **rules.api.held(with_usual(rules, told, "held")),
        **rules.api.objectives(with_usual(rules, told, "objective")),
    )


def _round(tableau: Tableau, player: str) -> ReviewRound | None:
    entry = tableau.entry
    if entry is None:
        return None
    return ReviewRound(
        game_id=entry.round.game.id,
        game_title=entry.round.game.title,
        number=entry.round.number,
        entry_id=entry.id,
        player=player,
        colour=entry.seat.colour,
        typed=entry.typed,
    )


def review_places(
    rules: Rules, dungeon: Dungeon, projection: Projection, language: Language
) -> tuple[ReviewPlace, ...]:
    """All places of the dungeon, for the review."""
    return tuple(
        view(
            ReviewPlace,
            place,
            card=place.card_index,
            at=px(projection.place(place.id)),
            name=place_words(rules.words.vocabulary, dungeon, place, with_id=False).message(language),
        )
        for place in dungeon.places.values()
    )


def review_links(dungeon: Dungeon, projection: Projection) -> tuple[ReviewLink, ...]:
    """All connections of the dungeon, for the review."""
    return tuple(view(ReviewLink, link, line=pxs(projection.link(link))) for link in dungeon.links)


def drawn_pieces(
    strokes: Sequence[Sequence[str]],
    pieces: Iterable[PathPiece],
    *,
    first: int = 0,
    before: int = 0,
    path: int | UnsetType = UNSET,
    colour: str | UnsetType = UNSET,
) -> Iterator[ReviewPiece]:
    """The pieces of a path, with strokes counted from `first` and places after `before` earlier ones. For a
    shared table each has its `path` and `colour`."""
    spots = [(s, i, name) for s, stroke in enumerate(strokes, first) for i, name in enumerate(stroke)]
    for (last, (stroke, step, name)), piece in zip(pairwise(spots), pieces, strict=True):
        yield view(
            ReviewPiece,
            piece,
            a=last[2],
            b=name,
            stroke=stroke,
            step=step,
            number=before + piece.number if piece.counted else None,
            line=pxs(piece.line_px),
            order=round(piece.order, 4),
            path=path,
            colour=colour,
        )


def review_finds(
    rules: Rules, steps: Sequence[ToldStep], dungeon: Dungeon, projection: Projection, language: Language
) -> tuple[ReviewFind, ...]:
    """All finds of the cards, each with its state after the ruling's steps."""
    return tuple(
        view(
            ReviewFind,
            mark,
            name=rules.words.vocabulary.name(mark.find).message(language),
            value=dungeon.places[mark.place].value,
            at=px(mark.at_px),
        )
        for mark in find_marks(steps, dungeon, projection, steps)
    )


def review_counts(rules: Rules, verdict: Any, language: Language) -> tuple[ReviewCount, ...]:
    """Counts of a ruling, in the game's order and words."""
    words = rules.words.vocabulary
    return tuple(
        ReviewCount(id=what, name=words.name(what).message(language), icon=words.icon(what), count=count)
        for what, count in rules.words.report(verdict).counts
    )
