"""A game's pages: the form that begins it, its score board, its rounds."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from sqlalchemy import select
from werkzeug.wrappers import Response

from scorer.errors import WaymarkError
from webapp.games.final_view import held_words, open_points
from webapp.games.games import NewPlayer, create_game
from webapp.games.house_rules import (
    FIELD_PREFIX,
    begun_rules,
    changed_rules,
    house_rules,
    presets,
    settings_from,
)
from webapp.games.score_sheet import round_numbered
from webapp.games.view import the_game
from webapp.http.languages import current_language
from webapp.http.pages.rules import of_rules
from webapp.http.services import read_session, services, write_session
from webapp.http.shown import shown_game
from webapp.store.boxes import rules_of
from webapp.store.models import Person, Tableau

pages = Blueprint("games", __name__, url_prefix="/games")

#: People whose names are offered.
MAX_PEOPLE = 200
MAX_NAME = 300


@pages.get("/new")
def new() -> str:
    """The form that begins a game."""
    return _form([], _proposed_deck() if "deck" not in request.args else request.args["deck"])


@pages.post("/new")
def begin() -> Response | tuple[str, int]:
    """Begin the game that the form describes; what is wrong with it is said in the form, and nothing that was
    written is lost."""
    deck, rules = services().shelf.chosen(request.form.get("deck", ""))
    rows = request.form.getlist("row")[: rules.sheet.most_players]
    players = [
        (
            request.form.get(f"name-{row}", "").strip()[:MAX_NAME],
            request.form.get(f"colour-{row}", next(iter(rules.sheet.colours))),
        )
        for row in rows
    ]
    try:
        settings = settings_from(rules, request.form)
        with write_session() as session:
            game = create_game(
                session,
                rules,
                [NewPlayer(name, colour) for name, colour in players if name],
                title=request.form.get("title", "")[:MAX_NAME],
                location=request.form.get("location", "")[:MAX_NAME],
                settings=settings,
                deck=deck,
            )
            game_id = game.id
    except WaymarkError as error:
        return _form(players, deck, wrong=error.message(current_language())), 422
    return redirect(url_for("games.show", game_id=game_id), 303)


@pages.get("/<game_id>")
def show(game_id: str) -> str:
    """The score board."""
    row = the_game(read_session(), game_id)
    rules, game, language = rules_of(row), shown_game(row), current_language()
    return render_template(
        "games/board.html",
        game=game,
        open_points=open_points(game, language),
        names={seat.id: seat.name for seat in game.seats},
        rules=changed_rules(rules, language, row.settings),
        begun_rules=begun_rules(rules, language),
        prefix=FIELD_PREFIX,
        **of_rules(rules),
    )


@pages.get("/<game_id>/rounds/<int:number>")
def show_round(game_id: str, number: int) -> str:
    """A round: objectives, everybody's photo, means and coins, and the steps of its end."""
    row = the_game(read_session(), game_id)
    round_numbered(row, number)
    rules, game, language = rules_of(row), shown_game(row), current_language()
    round_ = game.rounds[number - 1]
    return render_template(
        "games/round.html",
        game=game,
        round=round_,
        names={seat.id: seat.name for seat in game.seats},
        open_here=[point for point in open_points(game, language) if point.round == number],
        held_words={entry.id: held_words(rules, entry, language) for entry in round_.entries},
        **of_rules(rules),
    )


def _proposed_deck() -> str:
    """The box of the newest photo that was read: what was recognised there is on the table."""
    newest = (
        select(Tableau.deck)
        .where(Tableau.shot_id.is_not(None), Tableau.deleted_at.is_(None))
        .order_by(Tableau.created_at.desc())
        .limit(1)
    )
    deck = read_session().scalar(newest) or ""
    return deck if any(deck == each.id for each in services().shelf.playable()) else ""


def _form(players: list[tuple[str, str]], deck_id: str, *, wrong: str = "") -> str:
    people = read_session().scalars(
        select(Person.name).where(Person.deleted_at.is_(None)).order_by(Person.name).limit(MAX_PEOPLE)
    )
    shelf, language = services().shelf, current_language()
    deck, rules = shelf.chosen(deck_id)
    decks = [
        (shelf.name_of(each), shelf.title(each).message(current_language())) for each in shelf.playable()
    ]
    sheet = rules.sheet
    free = [colour for colour in sheet.colours if colour not in {colour for _, colour in players}]
    rows = [*players, *(("", colour) for colour in free)][: sheet.most_players]
    return render_template(
        "games/new.html",
        players=rows,
        deck=deck,
        decks=decks if len(decks) > 1 else [],
        people=list(dict.fromkeys(people)),
        rules=house_rules(rules, language),
        presets=presets(rules, language),
        prefix=FIELD_PREFIX,
        given=request.form,
        again=request.method == "POST",
        wrong=wrong,
        **of_rules(rules),
    )
