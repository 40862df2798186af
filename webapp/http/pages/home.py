"""The home page: take a photo, continue a game, start one."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from sqlalchemy import select
from werkzeug.wrappers import Response

from webapp.games.digests import summaries
from webapp.games.games import restore_game, version_of_all
from webapp.games.running import open_games, running_game
from webapp.http.services import read_session, write_session
from webapp.http.this_phone import owner
from webapp.store.database import get_row
from webapp.store.models import Game

pages = Blueprint("home", __name__)

#: Number of games of each kind on the home page; the others are in the history.
RECENT = 6


@pages.get("/")
def show() -> str:
    deleted = request.args.get("deleted", "")
    game = read_session().get(Game, deleted) if deleted else None
    begun = open_games(read_session(), RECENT)
    ended = select(Game).where(Game.deleted_at.is_(None), Game.finished_at.is_not(None))
    return render_template(
        "home.html",
        owner=owner(),
        running=running_game(begun, owner()),
        open_games=begun,
        finished_games=summaries(read_session(), ended.order_by(Game.created_at.desc()).limit(RECENT)),
        deleted=deleted if game is not None and game.deleted_at is not None else "",
        version=version_of_all(read_session()),
    )


@pages.post("/restore-game")
def restore() -> Response:
    """Restore a deleted game."""
    with write_session() as session:
        game = get_row(session, Game, request.form.get("game", ""), deleted=True)
        restore_game(game)
        game_id = game.id
    return redirect(url_for("games.show", game_id=game_id), 303)
