"""The review page of a tableau: photo and questions, score and replay."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, url_for
from sqlalchemy import select
from werkzeug.wrappers import Response

from scorer.games import game_together
from scorer.play_kinds import BOARD, TABLE
from webapp.games.house_rules import ruling_rules
from webapp.games.score_sheet import current_round, live_tableau, next_up
from webapp.games.view import with_everything
from webapp.http.languages import current_language
from webapp.http.pages.rules import names_of_things, of_rules
from webapp.http.services import read_session, services
from webapp.http.this_phone import own_seat
from webapp.store.boxes import group_of, kind_of, rules_of, told_of
from webapp.store.database import get_row
from webapp.store.models import Entry, Game, Tableau
from webapp.tableaus.kinds import reviewed

pages = Blueprint("tableaus", __name__)

#: Number of games offered for a photo from outside: the newest open ones.
OPEN_GAMES = 3


@pages.get("/tableaus/<tableau_id>")
def show(tableau_id: str) -> str | Response:
    """Review page of a tableau, from the waiting photo to the score."""
    session = read_session()
    tableau = get_row(session, Tableau, tableau_id)
    if kind_of(tableau) is BOARD and tableau.entry is not None:
        return redirect(url_for("games.show", game_id=tableau.entry.round.game_id))
    at_hand = services()
    rules, language = rules_of(tableau), current_language()
    return render_template(
        "tableaus/show.html",
        reading=reviewed(tableau).summary(session, at_hand.catalogue, tableau, language),
        own_deck=at_hand.shelf.named(tableau.deck).own,
        **_around(tableau),
        pen_kept=at_hand.pens.kept(tableau),
        path_spellbooks=[
            {"id": thing, "words": term.choice_words[thing].message(language)}
            for term in rules.rules.settings.terms
            if term.group == "held" and term.kind == "set"
            for thing in (term.in_rulings or term.choices)
        ],
        rules=ruling_rules(rules, language),
        thing_names=names_of_things(rules.words.vocabulary),
        may_together=tableau.entry is None and game_together(rules.id) is not None,
        drawn=rules.photo.habits.drawn,
        **of_rules(rules),
    )


@pages.get("/tableaus/<tableau_id>/around")
def around(tableau_id: str) -> str:
    """Template variables that follow the game: owner of the tableau, objectives, next photo."""
    return render_template("tableaus/around.html", **_around(get_row(read_session(), Tableau, tableau_id)))


def _around(tableau: Tableau) -> dict[str, Any]:
    entry = tableau.entry
    return {
        "tableau": tableau,
        "entry": entry,
        "aims": _aims(tableau),
        "table": kind_of(tableau) is TABLE,
        "next_up": _next_here(entry) if entry is not None else None,
        "others": _others(entry) if entry is not None else _waiting_for_photos(),
    }


def _next_here(entry: Entry) -> Entry | None:
    """The entry to photograph next with this device; None on a player's own phone, which has its photo."""
    own = own_seat(entry.round.game.seats)
    return None if entry.seat_id == own else next_up(entry)


def _aims(tableau: Tableau) -> list[tuple[str, str, str]]:
    """Objectives of a tableau: (objective, term id, icon)."""
    told, rules = told_of(tableau), rules_of(tableau)
    asked = group_of(rules, "objective")
    return [(told[name], name, rules.words.vocabulary.icon(told[name])) for name in asked if told.get(name)]


def _waiting_for_photos() -> list[dict[str, Any]]:
    """Players without a photo in the current rounds of open games."""
    wanted = select(Game).where(Game.deleted_at.is_(None), Game.finished_at.is_(None))
    games = (
        read_session()
        .scalars(with_everything(wanted.order_by(Game.created_at.desc()).limit(OPEN_GAMES)))
        .all()
    )
    rounds = [next(each for each in game.rounds if each.number == current_round(game)) for game in games]
    missing = [
        entry
        for each in rounds
        for entry in sorted(each.entries, key=_position)
        if live_tableau(entry) is None and not entry.typed
    ]
    return [_offered(entry) for entry in missing]


def _others(entry: Entry) -> list[dict[str, Any]]:
    """The other players of the round, in seating order."""
    others = sorted((each for each in entry.round.entries if each is not entry), key=_position)
    return [_offered(other) for other in others]


def _offered(entry: Entry) -> dict[str, Any]:
    return {
        "entry_id": entry.id,
        "name": entry.seat.name,
        "colour": entry.seat.colour,
        "has_photo": live_tableau(entry) is not None,
        "round": entry.round.number,
    }


def _position(entry: Entry) -> int:
    return entry.seat.position
