"""Quick-score photos of another game than one player's cards: which game they show, and how they are moved to
it."""

from __future__ import annotations

from typing import Any

import msgspec
from flask_babel import gettext as _
from sqlalchemy import select
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.games import game_named, game_together, word_of
from scorer.play_kinds import TABLE, groups_of, play_kind
from scorer.text import Language, Text
from webapp.games.games import check_open, tableau_of_entry
from webapp.games.view import photo_of
from webapp.store.boxes import kind_of, rules_of
from webapp.store.database import get_row
from webapp.store.models import Game, Photo, Tableau
from webapp.store.photos import StoredPhoto
from webapp.store.tableaus import add_shot
from webapp.store.tables import table_entry
from webapp.tableaus.model import Lead, LeadGame

#: Number of games offered: the newest open ones of that kind.
_OFFERED = 3


def lead_of(session: Session, catalogue: Catalogue, tableau: Tableau, language: Language) -> Lead | None:
    """The game that a quick-score photo shows; None for one player's cards, or for a photo that belongs to a
    game already."""
    if tableau.entry_id is not None or photo_of(tableau) is None:
        return None
    found = _of_a_board(tableau) or _of_all(catalogue, tableau)
    if found is None:
        return None
    word, deck = found
    name, together = game_named(word).name.message(language), play_kind(game_named(word)) is TABLE
    return Lead(
        game=word,
        deck=deck,
        together=together,
        name=name,
        words=_(
            "Groups play together on this table: it has starters of several colours, or a boss card. Bring "
            "the photo into their game, where all paths are ruled."
        )
        if together
        else _("This looks like a board of %(game)s. Bring the photo into a game of it.", game=name),
        games=tuple(
            LeadGame(id=game.id, title=game.title, players=tuple(seat.name for seat in game.seats))
            for game in _being_played(session, word, deck)
        ),
    )


def bring(session: Session, tableau: Tableau, game: Game) -> Tableau:
    """Read the photo outside a game in a game with a shared table; the single photo is kept. Raises
    `WaymarkError` (not-valid: the game has no shared table, or there is no photo; game-finished)."""
    check_open(game)
    photo_id = photo_of(tableau)
    photo = session.get(Photo, photo_id) if photo_id is not None else None
    rules = rules_of(game)
    if photo is None or not play_kind(rules).shared:
        raise WaymarkError(
            Code.NOT_VALID,
            Text("Only a photo can be brought into a game, and only into one whose players share one table."),
        )
    shared = tableau_of_entry(session, table_entry(game.rounds[0]))
    if all(shot.photo_id != photo.id or shot.deleted_at is not None for shot in shared.shots):
        stored = StoredPhoto(photo.id, photo.media_type, photo.width, photo.height, photo.size_bytes)
        add_shot(session, shared, stored, filename=_filename(tableau, photo.id))
    return shared


def bring_to_new(session: Session, tableau_id: str, game: Game) -> None:
    """Move the photo to a new game, where it is one that the photo can belong to."""
    tableau = get_row(session, Tableau, tableau_id)
    if kind_of(game).shared:
        bring(session, tableau, game)


def _filename(tableau: Tableau, photo_id: str) -> str:
    return next((shot.filename for shot in tableau.shots if shot.photo_id == photo_id), "")


def _of_a_board(tableau: Tableau) -> tuple[str, str] | None:
    """The board game recognised in the latest photo, if nothing else was read."""
    shots = [shot for shot in tableau.shots if shot.deleted_at is None]
    if tableau.record is not None or not shots or shots[-1].state != "failed":
        return None
    try:
        told = msgspec.convert(shots[-1].error, _OtherGame)
        return word_of(game_named(told.game)), told.deck
    except (msgspec.ValidationError, WaymarkError):
        return None


class _OtherGame(msgspec.Struct):
    """Stored data of a photo that shows another game."""

    game: str
    deck: str


def _of_all(catalogue: Catalogue, tableau: Tableau) -> tuple[str, str] | None:
    """The cooperative game that the cards of a reading belong to."""
    try:
        together = game_together(rules_of(tableau).id)
    except WaymarkError:
        return None
    if together is None or tableau.record is None:
        return None
    laid: list[dict[str, Any]] = tableau.record.get("cards", [])
    names = [card["card"] for card in laid if card["card"] in catalogue.by_id]
    return (word_of(together), tableau.deck) if groups_of(together).shows_all(catalogue, names) else None


def _being_played(session: Session, word: str, deck: str) -> list[Game]:
    wanted = select(Game).where(
        Game.game == word, Game.deck == deck, Game.deleted_at.is_(None), Game.finished_at.is_(None)
    )
    return list(session.scalars(wanted.order_by(Game.created_at.desc()).limit(_OFFERED)))
