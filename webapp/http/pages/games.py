"""A game's pages: the form that begins it, its score board, its rounds."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask_babel import gettext
from sqlalchemy import select
from werkzeug.wrappers import Response

from scorer.errors import WaymarkError
from scorer.mapmasters.means import TOOLS
from scorer.mapmasters.objectives import OPTIMIZERS, VP_EACH
from scorer.mapmasters.score_sheet import MAX_PLAYERS, MIN_PLAYERS, ROUNDS
from scorer.mapmasters.spellbooks import SPELLBOOKS
from scorer.mapmasters.terms import CARD_PRICES, SPELLBOOK_PRICE, TOKEN_PRICE
from webapp.games.final_view import held_words, late_words, open_points, score_words
from webapp.games.games import COLOURS, NewPlayer, create_game
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
from webapp.http.services import read_session, write_session
from webapp.http.shown import shown_game
from webapp.store.models import Person
from webapp.store.tableaus import game_settings

pages = Blueprint("games", __name__, url_prefix="/games")

#: People whose names are offered.
MAX_PEOPLE = 200
MAX_NAME = 300


@pages.get("/new")
def new() -> str:
    """The form that begins a game."""
    return _form([])


@pages.post("/new")
def begin() -> Response | tuple[str, int]:
    """Begin the game that the form describes; what is wrong with it is said in the form, and nothing that was
    written is lost."""
    rows = request.form.getlist("row")[:MAX_PLAYERS]
    players = [
        (
            request.form.get(f"name-{row}", "").strip()[:MAX_NAME],
            request.form.get(f"colour-{row}", COLOURS[0]),
        )
        for row in rows
    ]
    try:
        settings = settings_from(request.form)
        with write_session() as session:
            game = create_game(
                session,
                [NewPlayer(name, colour) for name, colour in players if name],
                title=request.form.get("title", "")[:MAX_NAME],
                location=request.form.get("location", "")[:MAX_NAME],
                settings=settings,
            )
            game_id = game.id
    except WaymarkError as error:
        return _form(players, wrong=error.message(current_language())), 422
    return redirect(url_for("games.show", game_id=game_id), 303)


@pages.get("/<game_id>")
def show(game_id: str) -> str:
    """The score board."""
    game = shown_game(the_game(read_session(), game_id))
    colours, names = colour_names(), {seat.id: seat.name for seat in game.seats}
    return render_template(
        "games/board.html",
        game=game,
        open_points=open_points(game, current_language()),
        names=names,
        colour_names=colours,
        rules=changed_rules(game_settings(game.settings)),
        begun_rules=begun_rules(),
        prefix=FIELD_PREFIX,
        VP_EACH=VP_EACH,
        ROUNDS=ROUNDS,
    )


@pages.get("/<game_id>/rounds/<int:number>")
def show_round(game_id: str, number: int) -> str:
    """A round: objectives, everybody's photo, means and coins, and the steps of its end."""
    row = the_game(read_session(), game_id)
    round_numbered(row, number)
    game = shown_game(row)
    language = current_language()
    return render_template(
        "games/round.html",
        game=game,
        round=game.rounds[number - 1],
        names={seat.id: seat.name for seat in game.seats},
        colour_names=colour_names(),
        spellbooks=[
            {"id": book.id, "words": book.words.message(language), "phase": book.phase}
            for book in SPELLBOOKS.values()
        ],
        open_here=[point for point in open_points(game, language) if point.round == number],
        late_words=late_words,
        score_words=score_words,
        held_words={entry.id: held_words(entry, language) for entry in game.rounds[number - 1].entries},
        TOOLS=TOOLS,
        VP_EACH=VP_EACH,
        OPTIMIZERS=OPTIMIZERS,
        CARD_PRICES=CARD_PRICES,
        TOKEN_PRICE=TOKEN_PRICE,
        SPELLBOOK_PRICE=SPELLBOOK_PRICE,
        ROUNDS=ROUNDS,
    )


def colour_names() -> dict[str, str]:
    """The box's colours in words."""
    return {
        "red": gettext("Red"),
        "blue": gettext("Blue"),
        "green": gettext("Green"),
        "yellow": gettext("Yellow"),
        "purple": gettext("Purple"),
    }


def _form(players: list[tuple[str, str]], *, wrong: str = "") -> str:
    people = read_session().scalars(
        select(Person.name).where(Person.deleted_at.is_(None)).order_by(Person.name).limit(MAX_PEOPLE)
    )
    free = [colour for colour in COLOURS if colour not in {colour for _, colour in players}]
    rows = [*players, *(("", colour) for colour in free)][:MAX_PLAYERS]
    return render_template(
        "games/new.html",
        players=rows,
        people=list(dict.fromkeys(people)),
        colour_names=colour_names(),
        rules=house_rules(),
        presets=presets(),
        prefix=FIELD_PREFIX,
        given=request.form,
        again=request.method == "POST",
        wrong=wrong,
        MIN_PLAYERS=MIN_PLAYERS,
        MAX_PLAYERS=MAX_PLAYERS,
    )
