"""The start page: take a photo, go on with a game, begin one."""

from __future__ import annotations

from flask import Blueprint, render_template
from sqlalchemy import select

from webapp.models import Game
from webapp.services import reading

pages = Blueprint("home", __name__)

#: Games on the start page; the others are in the history.
RECENT = 5


@pages.get("/")
def show() -> str:
    games = reading().scalars(
        select(Game).where(Game.deleted_at.is_(None)).order_by(Game.created_at.desc()).limit(RECENT)
    )
    return render_template("home.html", games=list(games))
