"""Pages of the history: final scores, games, players, the bin, and export and import of the log."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, Response, render_template, request, send_file
from flask_babel import gettext
from markupsafe import Markup

from scorer.games import game_named, word_of
from scorer.text import LANGUAGES
from webapp.games import history
from webapp.games.digests import GameDigest, digested
from webapp.games.final_photo import shared_final
from webapp.games.final_picture import drawn_final, left_out
from webapp.games.final_view import final_view, late_words
from webapp.games.history_view import (
    games_by_person,
    history_games,
    history_photos,
    most_played,
    person_detail,
    persons_view,
    trash_view,
)
from webapp.games.plots import BAR_LABEL, HEIGHT, SCALE_GAP, WIDTH, bar_plot, line_plot
from webapp.games.view import the_game
from webapp.http.languages import current_language
from webapp.http.pages.joining import qr_code
from webapp.http.pages.rules import of_rules
from webapp.http.presenters import shown_game
from webapp.http.services import read_session, services
from webapp.log.bg_stats import bg_stats_link
from webapp.log.log_export import log_size_bytes
from webapp.log.plays import play_of
from webapp.store.boxes import rules_of
from webapp.store.database import get_row
from webapp.store.models import Game, Person
from webapp.store.names import name_key

pages = Blueprint("history", __name__)

#: Largest number of games in a player's plot and table: more dots would merge into a line.
MAX_PLOTTED = 50


@pages.get("/games/<game_id>/final")
def final(game_id: str) -> str:
    """Page with the final score of a game, or its current standing."""
    row = the_game(read_session(), game_id)
    game = shown_game(row)
    final = final_view(game, current_language())
    link = bg_stats_link(play_of(row), current_language())
    names = {seat.id: seat.name for seat in game.seats}
    late = [entry for round_ in game.rounds for entry in round_.entries if entry.late is not None]
    rules, language = rules_of(row), current_language()
    told = {
        late_words(rules, entry.late, names[entry.seat_id], entry.round, language)
        for entry in late
        if entry.late
    }
    return render_template(
        "history/final.html",
        game=game,
        final=final,
        left_out=left_out(final),
        names=names,
        doubts=[words for words in final.doubts if words not in told],
        link=link.link,
        code=qr_code(link.link, error="l") if link.link is not None and link.qr else Markup(""),
        **of_rules(rules),
    )


@pages.get("/games/<game_id>/final.png")
def final_png(game_id: str) -> Response:
    """Picture (PNG) of the final score, for sharing."""
    game = the_game(read_session(), game_id)
    return Response(drawn_final(game, services().catalogue, current_language()), mimetype="image/png")


@pages.get("/games/<game_id>/final.jpg")
def final_jpg(game_id: str) -> Response:
    """Small picture (JPEG) of the final score with a photo of the game, for sharing."""
    session, at_hand = read_session(), services()
    game = the_game(session, game_id)
    asked = request.args.get("lang")
    language = asked if asked in LANGUAGES else current_language()
    catalogue = at_hand.shelf.catalogue_of(game.deck)
    file = shared_final(
        session, at_hand.config.data, at_hand.photos, at_hand.pictures, game, catalogue, language
    )
    answer = send_file(
        file, mimetype="image/jpeg", etag=file.stem, conditional=True, download_name="waymark-final.jpg"
    )
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


@pages.get("/history")
def games() -> str:
    """Page with games by date."""
    words, person_id = request.args.get("q", ""), request.args.get("person", "")
    found = history.find_games(read_session(), words=words, person_id=person_id, number=_page_number())
    return render_template(
        "history/games.html",
        found=history_games(found, services().shelf.catalogue_of, current_language()),
        words=words,
        person_id=person_id,
        people=persons_view(history.people(read_session())),
    )


@pages.get("/history/photos")
def photos() -> str:
    """Page with photos by date, including photos outside games."""
    words, outside = request.args.get("q", ""), request.args.get("outside") == "1"
    found = history.find_tableaus(read_session(), words=words, outside=outside, number=_page_number())
    return render_template("history/photos.html", found=history_photos(found), words=words, outside=outside)


@pages.get("/players")
def players() -> str:
    """Page with all players, their games and wins."""
    session = read_session()
    played = digested(session, history.games_with(session))
    word, games = _game_asked(played), games_by_person(played)
    people = [
        person_detail(session, person, word, games.get(person.id, [])) for person in history.people(session)
    ]
    return render_template(
        "history/players.html",
        people=people,
        alike=[persons_view(each) for each in history.look_alikes(history.people(session))],
        games_of={each.person.id: each.statistics.games + each.unfinished for each in people},
        word=word,
        sheet=game_named(word).sheet,
        played={each: game_named(each).name for detail in people for each in detail.whole_games},
    )


@pages.get("/players/<person_id>")
def player(person_id: str) -> str:
    """A player's statistics and plots."""
    session = read_session()
    person = get_row(session, Person, person_id)
    games = digested(session, history.games_with(session, person.id))
    detail = person_detail(session, person, _game_asked(games), games)
    rules, language = game_named(detail.game), current_language()
    others = [each for each in history.people(session) if each is not person and isinstance(each.name, str)]
    latest = detail.games[-MAX_PLOTTED:]
    objectives = [
        (
            rules.words.vocabulary.name(each.objective).message(language),
            each.mean,
            gettext("%(number)s rounds", number=each.rounds),
        )
        for each in detail.statistics.objectives
    ]
    return render_template(
        "history/player.html",
        detail=detail,
        played={each: game_named(each).name for each in detail.whole_games},
        latest=latest,
        scores=line_plot([game.total for game in latest]),
        by_objective=bar_plot(objectives),
        **of_rules(rules),
        WIDTH=WIDTH,
        HEIGHT=HEIGHT,
        BAR_LABEL=BAR_LABEL,
        SCALE_GAP=SCALE_GAP,
        others=persons_view(others),
        # A person whose name looks the same is offered first.
        alike=next((each.id for each in others if name_key(each.name) == name_key(person.name)), ""),
    )


@pages.get("/trash")
def trash() -> str:
    """Page with deleted things."""
    return render_template("history/trash.html", trash=trash_view(history.bin_of(read_session())))


@pages.get("/exchange")
def exchange() -> str:
    """Page for export and import of the log."""
    return render_template("history/exchange.html", megabytes=log_size_bytes(read_session()) / 1e6)


def _game_asked(games: Sequence[tuple[Game, GameDigest]]) -> str:
    return request.args.get("game") or most_played(games, word_of(services().rules))


def _page_number() -> int:
    return history.page_number(request.args.get("page", ""))
