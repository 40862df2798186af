"""API of the log: export and import as one zip, scores as tables, plays for other programs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

from flask import Response, request, stream_with_context
from sqlalchemy.orm import Session

from webapp.games.view import the_game
from webapp.http.api.endpoint import Query, endpoint
from webapp.http.languages import current_language
from webapp.http.services import close_read_session, read_session, services
from webapp.log.bg_stats import BgStatsLink, bg_stats_link, plays_file, plays_xml
from webapp.log.log_export import log_zip
from webapp.log.log_import import LOG_FILE, ImportProgress, ImportReport, import_folder, import_log, no_room
from webapp.log.plays import Games, play_of
from webapp.log.score_tables import games_json, rounds_csv

LOG_NAME = "waymark-log.zip"
_IMPORT_KEY = Query("chosen by the sender, to ask how far the import has come", "[A-Za-z0-9_-]{1,64}")
_WHICH_GAMES: dict[str, str | Query] = {
    "game": "only this game (id), whatever became of it; all finished ones without it",
    "unfinished": Query("1: open games and those given up, too, incomplete and won by nobody", "0|1"),
}


@endpoint("GET", "/log", media_type="application/zip")
def export_log() -> Response:
    """The whole log as one zip: rows, readings, and photos without their private metadata."""
    at_hand = services()
    return _file(log_zip(at_hand.database, at_hand.photos), "application/zip", LOG_NAME)


@endpoint("POST", "/log", takes="application/octet-stream", query={"key": _IMPORT_KEY})
def take_log() -> ImportReport:
    """Take in a zip of the log, beside what is there: new rows are added, later ones stand."""
    at_hand = services()
    close_read_session()
    config = at_hand.config
    needed = request.content_length or 0
    if shutil.disk_usage(config.receiving).free < needed:
        raise no_room(needed)
    with at_hand.imports.alone(), import_folder(config.receiving) as folder:
        file = folder / LOG_FILE
        with file.open("wb") as received:
            shutil.copyfileobj(request.stream, received)
        with at_hand.imports.follow(request.args.get("key", "")) as tell:
            report = import_log(at_hand.database, at_hand.shelf.catalogue_of, at_hand.photos, file, tell)
    at_hand.queue.wake()
    at_hand.digests.wake()
    return report


@endpoint("GET", "/log/progress", query={"key": _IMPORT_KEY})
def read_import_progress() -> ImportProgress:
    """How far an import has come, while `POST /log` has not answered yet."""
    return services().imports.progress(request.args.get("key", ""))


@endpoint("GET", "/export/rounds.csv", query=_WHICH_GAMES, media_type="text/csv")
def export_csv() -> Response:
    """One row for each player's round, for spreadsheets."""
    games = _games()
    return _file(rounds_csv(games, games.kinds() or [services().rules]), "text/csv", "waymark-rounds.csv")


@endpoint("GET", "/export/games.json", query=_WHICH_GAMES, media_type="application/json")
def export_json() -> Response:
    """A list of games in the form waymark-game/1."""
    return _file(games_json(_games()), "application/json", "waymark-games.json")


@endpoint("GET", "/export/plays.bgsplay", query=_WHICH_GAMES, media_type="application/octet-stream")
def export_bg_stats() -> Response:
    """Games as a file for BG Stats."""
    plays = plays_file((play_of(game) for game in _games()), current_language())
    return _file(plays, "application/octet-stream", "waymark.bgsplay")


@endpoint("GET", "/export/plays.xml", query=_WHICH_GAMES, media_type="application/xml")
def export_board_game_geek() -> Response:
    """Games as BoardGameGeek's XML of plays."""
    plays = plays_xml((play_of(game) for game in _games()), current_language())
    return _file(plays, "application/xml", "waymark-plays.xml")


@endpoint("GET", "/games/<game_id>/bg-stats")
def read_bg_stats_link(game_id: str) -> BgStatsLink:
    """The link that opens BG Stats with this game."""
    return bg_stats_link(play_of(the_game(read_session(), game_id)), current_language())


def _games() -> Games:
    asked = request.args
    return Games.of(read_session(), asked.get("game"), unfinished=asked.get("unfinished") == "1")


def _to_the_end(parts: Iterator[Any], session: Session) -> Iterator[Any]:
    """The parts of a streamed answer; the session is closed after the last one."""
    try:
        yield from parts
    finally:
        session.close()


def _file(parts: Iterator[bytes] | Iterator[str], media_type: str, name: str) -> Response:
    answer = Response(stream_with_context(_to_the_end(parts, read_session())), mimetype=media_type)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
