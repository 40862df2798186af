"""Pages of a game: the form that creates it, its score board, its rounds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from sqlalchemy import select
from werkzeug.wrappers import Response

from scorer.errors import WaymarkError
from scorer.game import Game as Rules
from scorer.games import game_of, game_together
from scorer.play_kinds import BOARD, TABLE, PlayKind, play_kind
from webapp.decks.shelf import Deck
from webapp.games.final_view import held_words, open_points
from webapp.games.games import NewPlayer, NewTable, create_game, rematch
from webapp.games.house_rules import (
    FIELD_PREFIX,
    begun_rules,
    certainty_from,
    certainty_rule,
    changed_rules,
    house_rules,
    presets,
    settings_from,
)
from webapp.games.people import known_names, last_players, with_usual_names
from webapp.games.score_sheet import live_tableau, round_numbered
from webapp.games.tables import offers_of, table_view
from webapp.games.view import photo_of, the_game
from webapp.http.languages import current_language
from webapp.http.pages.rules import of_rules, words
from webapp.http.presenters import shown_game
from webapp.http.services import read_session, services, write_session
from webapp.http.this_phone import own_seat
from webapp.store.boxes import kind_of, rules_of
from webapp.store.database import not_found
from webapp.store.kinds import redoable, undoable
from webapp.store.models import Game, Tableau
from webapp.store.tables import last_of_turn, shown_shot, table_entry
from webapp.tableaus.leading import bring_to_new
from webapp.tableaus.photo_view import is_being_read, why_failed

pages = Blueprint("games", __name__, url_prefix="/games")

#: Largest number of people whose names are offered while typing, and of those that a tap seats.
MAX_PEOPLE = 200
MAX_CHIPS = 8
MAX_NAME = 300
#: Form value of a shared table, and the fields of groups' pens.
TOGETHER = "together"
_PEN = "pen-"
#: Form value for drawing the starting player by lot.
_LOT = "lot"


@pages.get("/new")
def new() -> str:
    """Form for a new game."""
    deck = _proposed_deck() if "deck" not in request.args else request.args["deck"]
    return _form(None, deck, together=request.args.get("mode") == TOGETHER)


@pages.post("/new")
def begin() -> Response | tuple[str, int]:
    """Create a game from the submitted form, or the rematch of one (`again`). After an error the form is
    shown again with the error and all input."""
    if "again" in request.form:
        return _begin_again(request.form["again"])
    together = request.form.get("mode") == TOGETHER
    deck, rules = services().shelf.chosen(request.form.get("deck", ""), together=together)
    rows = request.form.getlist("row")[: rules.sheet.most_players]
    players = [
        NewPlayer(
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
                with_usual_names(players, rules.sheet.least_players),
                title=request.form.get("title", "")[:MAX_NAME],
                location=request.form.get("location", "")[:MAX_NAME],
                settings=settings,
                certainty=certainty_from(rules, request.form),
                deck=deck,
                catalogue=services().shelf.catalogue_of(deck),
                table=_table_of_form(rules) if together else None,
                lot=request.form.get("begins") == _LOT,
            )
            if photo := request.form.get("photo", ""):
                session.flush()
                bring_to_new(session, photo, game)
            begun = _first_page(game)
    except WaymarkError as error:
        told = error.message(current_language())
        return _form(players, deck, together=together, wrong=told), 422
    services().queue.wake()
    return redirect(begun, 303)


def _first_page(game: Game) -> str:
    """Address of the page on which a new game is played: that of what is shared, or of the first round."""
    if kind_of(game) in _SHARED_PAGES:
        return url_for("games.show", game_id=game.id)
    return url_for("games.show_round", game_id=game.id, number=1)


def _begin_again(game_id: str) -> Response:
    """Begin a rematch. On a shared table the form asks for the mission."""
    with write_session() as session:
        game = the_game(session, game_id)
        if kind_of(game) is TABLE:
            return redirect(url_for("games.new", deck=game.deck, mode=TOGETHER), 303)
        begun = _first_page(rematch(session, services().shelf.catalogue_of(game.deck), game))
    return redirect(begun, 303)


@pages.get("/<game_id>")
def show(game_id: str) -> str:
    """Page with a game's score board."""
    row = the_game(read_session(), game_id)
    if page := _SHARED_PAGES.get(kind_of(row)):
        return page(row)
    game, language = shown_game(row), current_language()
    return render_template(
        "games/board.html",
        game=game,
        open_points=open_points(game, language),
        names={seat.id: seat.name for seat in game.seats},
        **_rules_on_page(row),
    )


@pages.get("/<game_id>/rounds/<int:number>")
def show_round(game_id: str, number: int) -> str:
    """Page of a round: objectives, photos, means and coins of all players, and the steps at its end."""
    row = the_game(read_session(), game_id)
    round_numbered(row, number)
    if page := _SHARED_PAGES.get(kind_of(row)):
        return page(row)
    rules, game, language = rules_of(row), shown_game(row), current_language()
    round_, own = game.rounds[number - 1], own_seat(game.seats)
    return render_template(
        "games/round.html",
        game=game,
        round=round_,
        own=own,
        places=sorted(range(len(game.seats)), key=lambda place: game.seats[place].id != own),
        by_rank=sorted(range(len(game.seats)), key=lambda place: game.score.players[place].rank),
        timer=next((game.settings[each.id] for each in rules.rules.settings.terms if each.timer), None),
        names={seat.id: seat.name for seat in game.seats},
        open_here=[point for point in open_points(game, language) if point.round == number],
        held_words={entry.id: held_words(rules, entry, language) for entry in round_.entries},
        **of_rules(rules),
    )


@pages.get("/<game_id>/dialogs")
def dialogs(game_id: str) -> str:
    """The dialogs of a game's pages, fetched by their script: house rules, and for a game of rounds its score
    editor, objectives, and market; for a shared table its books and cards."""
    row = the_game(read_session(), game_id)
    kind = kind_of(row)
    by_round = kind not in _SHARED_PAGES
    return render_template(
        "games/dialogs.html",
        by_round=by_round,
        things_held=_things_held(row) if by_round else _books_sold(row) if kind is TABLE else {},
        cards=[card.id for card in services().catalogue.cards] if kind is TABLE else [],
        **_rules_on_page(row),
    )


def _things_held(row: Game) -> dict[str, dict[str, str]]:
    """The choices of each term whose value is a set of things held, with their meaning."""
    return {
        term.id: {
            each: words(term.choice_words[each]) if each in term.choice_words else "" for each in term.choices
        }
        for term in rules_of(row).rules.settings.terms
        if term.group == "held" and term.kind == "set"
    }


def _books_sold(row: Game) -> dict[str, dict[str, str]]:
    """The books for sale at a shared table, with their meaning, as `books`."""
    tableau = live_tableau(table_entry(row.rounds[0]))
    if tableau is None:
        raise not_found()
    table = table_view(read_session(), services().catalogue, tableau, current_language())
    return {} if table is None else {"books": {book.id: book.name for book in table.market.books}}


def _rules_on_page(row: Game) -> dict[str, Any]:
    """Template variables about the rules and house rules of a game."""
    rules, language = rules_of(row), current_language()
    return {
        "rules": changed_rules(rules, language, row),
        "begun_rules": begun_rules(rules, language),
        "certainty": certainty_rule(rules, language, row),
        "prefix": FIELD_PREFIX,
        **of_rules(rules),
    }


def _shared_table(row: Game) -> str:
    """Page of a game with a shared table: current turn, possessions and needs of the groups, and the
    photo."""
    session, at_hand = read_session(), services()
    game, language = shown_game(row), current_language()
    tableau = live_tableau(table_entry(row.rounds[0]))
    if tableau is None:
        raise not_found()
    table = table_view(session, at_hand.catalogue, tableau, language)
    if table is None:
        raise not_found()
    reading = [shot for shot in tableau.shots if shot.deleted_at is None]
    used = next((shot for shot in reading if shot.id == tableau.shot_id), None)
    return render_template(
        "games/table.html",
        game=game,
        table=table,
        round=game.rounds[0],
        names={seat.id: seat.name for seat in game.seats},
        busy=is_being_read(reading),
        photo_id=shown_shot(tableau, used).photo_id if used is not None else photo_of(tableau),
        failed=why_failed(reading, language),
        one_more=last_of_turn(tableau) is not None,
        undo=undoable(tableau) is not None,
        redo=redoable(tableau) is not None,
        whole="whole" in request.args,
        **_rules_on_page(row),
    )


def _board(row: Game) -> str:
    """Page of a board game; its script fetches the board."""
    tableau = live_tableau(table_entry(row.rounds[0]))
    if tableau is None or tableau.record is None:
        raise not_found()
    return render_template(
        "boards/show.html", game=shown_game(row), tableau_id=tableau.id, **_rules_on_page(row)
    )


#: Functions from a game with a shared table to its page and that of its only round, by kind of play.
_SHARED_PAGES: dict[PlayKind, Callable[[Game], str]] = {TABLE: _shared_table, BOARD: _board}


def _table_of_form(rules: Rules) -> NewTable:
    """Initial facts of a shared table from the submitted form."""
    pens = {name.removeprefix(_PEN): value for name, value in request.form.items() if name.startswith(_PEN)}
    terms = {
        term.id: request.form[f"term-{term.id}"]
        for term in rules.rules.settings.terms
        if term.group == "objective" and request.form.get(f"term-{term.id}")
    }
    return NewTable(request.form.get("mission", "")[:MAX_NAME], pens, terms)


def _proposed_deck() -> str:
    """Deck of the latest read photo, as the default choice for a new game; "" for the server's own."""
    newest = (
        select(Tableau.deck)
        .where(Tableau.shot_id.is_not(None), Tableau.deleted_at.is_(None))
        .order_by(Tableau.created_at.desc())
        .limit(1)
    )
    deck = read_session().scalar(newest) or ""
    return deck if any(deck == each.id for each in services().shelf.playable()) else ""


def _form(players: list[NewPlayer] | None, deck_id: str, *, together: bool = False, wrong: str = "") -> str:
    """The form with these players; for None with those of the latest game."""
    shelf, language = services().shelf, current_language()
    deck, rules = shelf.chosen(deck_id)
    may_together = game_together(rules.id) is not None
    if together and may_together:
        deck, rules = shelf.chosen(deck_id, together=True)
    groups = rules.play.groups
    offers = offers_of(rules, shelf.catalogue_of(deck), language) if groups is not None else None
    playing = dict.fromkeys(group for offer in offers or () for group in offer.groups)
    decks = [
        (shelf.name_of(each), _called(each), _picture(shelf.catalogue(each).game))
        for each in shelf.playable()
    ]
    seated = last_players(read_session(), rules) if players is None else players
    return render_template(
        "games/new.html",
        players=_rows(rules, seated),
        seated=[player.name for player in seated if player.name],
        deck=deck,
        decks=decks if len(decks) > 1 else [],
        people=known_names(read_session(), MAX_PEOPLE),
        chips=MAX_CHIPS,
        rules=house_rules(rules, language),
        certainty=certainty_rule(rules, language),
        presets=presets(rules, language),
        prefix=FIELD_PREFIX,
        given=request.form,
        photo=request.form.get("photo") or request.args.get("photo"),
        again=request.method == "POST",
        wrong=wrong,
        may_together=may_together,
        on_board=play_kind(rules) is BOARD,
        offers=offers,
        pens={pen: name.message(language) for pen, name in (groups.pens() if groups else {}).items()},
        group_names={group: _group_name(rules, group) for group in playing},
        **of_rules(rules),
    )


def _rows(rules: Rules, players: list[NewPlayer]) -> list[NewPlayer]:
    """The form's rows: the players, and one more for each free colour while the game has seats."""
    taken = {player.colour for player in players}
    spare = [NewPlayer("", colour) for colour in rules.sheet.colours if colour not in taken]
    return [*players, *spare][: rules.sheet.most_players]


def _called(deck: Deck) -> str:
    """Name of a deck in the list of games to choose."""
    shelf = services().shelf
    name = shelf.title(deck) if deck.own else game_of(shelf.catalogue(deck)).name
    return name.message(current_language())


def _picture(game: str) -> str:
    """Path below `static/` of a game's picture in the list; "" for a game without one."""
    name = f"games/pictures/{game}.webp"
    return name if Path(current_app.static_folder or "", name).is_file() else ""


def _group_name(rules: Rules, group: str) -> str:
    known = rules.sheet.colours.get(group)
    return known.message(current_language()) if known is not None else group
