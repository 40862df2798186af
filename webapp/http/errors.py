"""Errors on the web: one sentence in the reader's language, as a page or as `{"error": {"code",
"message"}}`."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from flask import Flask, Response, g, jsonify, make_response, render_template, request
from flask.globals import request_ctx
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import HTTPException

from scorer.errors import Code, WaymarkError
from scorer.text import Text
from webapp.http.languages import current_language
from webapp.http.services import close_read_session, read_session, services
from webapp.store.database import not_found
from webapp.store.integrity import damaged, hidden_from
from webapp.store.models import Base, Claim, Entry, Game, Purchase, Revision, Shot, Tableau
from webapp.store.storage_errors import storage_error

log = logging.getLogger(__name__)

API_PREFIX = "/api/"
#: Seconds after which clients may retry when the server is busy.
BUSY_SECONDS = 2
#: User-facing texts for errors of the framework.
_REFUSALS: dict[Code, Text] = {
    Code.PIN_NEEDED: Text("This table asks for its PIN; enter it first."),
    Code.FORBIDDEN: Text(
        "This request did not come from a page of this table; load the page again and retry."
    ),
    Code.WRONG_METHOD: Text("This address does not take that kind of request; see /api/v1/openapi.json."),
    Code.TOO_LARGE: Text("This is larger than the server takes; send a smaller file."),
    Code.NOT_JSON: Text("This address takes JSON; send it with the content type application/json."),
    Code.OTHER_NAME: Text(
        "This table does not go by that name; open it by its address as Join shows it, "
        "or start it with --host-name and the name."
    ),
    Code.SLOW_DOWN: Text("Too many attempts in a short time; wait a minute and try again."),
    Code.BUSY: Text("The server has reached its limit just now; try again in a few seconds."),
    Code.BAD_REQUEST: Text("This request could not be understood; load the page again and retry."),
}
_BY_STATUS = {code.http_status: code for code in _REFUSALS}


def as_waymark_error(error: HTTPException) -> WaymarkError:
    """The `WaymarkError` for an HTTP error of the framework."""
    if error.code == 404:
        return not_found()
    code = _BY_STATUS.get(error.code or 0, Code.BAD_REQUEST)
    text = _REFUSALS[code]
    return WaymarkError(code, text)


def answer_error(error: WaymarkError, status: int | None = None) -> Response:
    """The response to a failed request: JSON below `/api/`, otherwise a page."""
    status = status or error.code.http_status
    message = error.message(current_language())
    if request.path.startswith(API_PREFIX):
        response = jsonify({"error": {"code": error.code, "message": message}})
    elif request_ctx.url_adapter is None:
        # The host name of the request is not valid, so no page with links can be rendered.
        response = Response(f"{message}\n", mimetype="text/plain")
    else:
        response = make_response(render_template("error.html", message=message, code=error.code))
    response.status_code = status
    if status == 503:
        response.headers["Retry-After"] = str(BUSY_SECONDS)
    return response


#: Models by the names of URL parameters.
_NAMED: dict[str, type[Base]] = {
    "game_id": Game,
    "entry_id": Entry,
    "tableau_id": Tableau,
    "shot_id": Shot,
    "claim_id": Claim,
    "purchase_id": Purchase,
    "revision_id": Revision,
}


def _storage_error(error: Exception) -> WaymarkError | None:
    """The `WaymarkError` for an error of the disk or database; None for an error about any other file, which
    is a bug."""
    if isinstance(error, OSError) and error.filename is not None:
        data = services().config.data.absolute()
        if not Path(os.fsdecode(error.filename)).absolute().is_relative_to(data):
            return None
    return storage_error(error)


def _damaged_thing() -> WaymarkError | None:
    """The error for damaged rows that a request is about; None where the rows are sound."""
    close_read_session()
    try:
        session = read_session()
        for name, row_id in (request.view_args or {}).items():
            kind = _NAMED.get(name)
            thing = _thing(session.get(kind, row_id)) if kind is not None else None
            if thing is not None and (error := damaged(thing)) is not None:
                return error
    except (SQLAlchemyError, WaymarkError):
        return None
    return None


def _thing(row: Base | None) -> Game | Tableau | None:
    """The game that a row belongs to, or the tableau outside games."""
    if isinstance(row, Purchase):
        row = row.entry
    if isinstance(row, (Shot, Claim, Revision)):
        row = row.tableau
    if isinstance(row, Tableau):
        row = row.entry or row
    if isinstance(row, Entry):
        return row.round.game
    return row if isinstance(row, (Game, Tableau)) else None


def _tell_what_is_hidden(response: Response) -> Response:
    """Report how many things a list leaves out: by a header for programs, in words on pages
    (`hidden_here`)."""
    if hidden := hidden_here():
        response.headers["Waymark-Hidden"] = str(len(hidden))
    return response


def hidden_here() -> list[str]:
    """Reasons why things were left out of the current answer, in the reader's language."""
    session = g.get("reading")
    return [why.message(current_language()) for why in hidden_from(session)] if session is not None else []


def init_errors(app: Flask) -> None:
    """Register the error handlers of an app: every error is answered in one sentence."""
    app.after_request(_tell_what_is_hidden)
    app.jinja_env.globals["hidden_here"] = hidden_here

    @app.errorhandler(WaymarkError)
    def waymark_error(error: WaymarkError) -> Response:
        return answer_error(error)

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> Response:
        response = error.get_response()
        if error.code is not None and error.code < 400:
            return Response(response.response, response.status, response.headers)
        answer = answer_error(as_waymark_error(error), error.code or 500)
        for header in ("Allow", "Retry-After"):
            if header in response.headers:
                answer.headers[header] = response.headers[header]
        return answer

    @app.errorhandler(Exception)
    def something_else(error: Exception) -> Response:
        told = _storage_error(error) or _damaged_thing()
        if told is not None:
            log.error("%s: %s", told.en, error)
            return answer_error(told)
        log.exception("unexpected error", exc_info=error)
        return answer_error(
            WaymarkError(
                Code.INTERNAL,
                Text("Something went wrong on our side; what you entered before is kept. Try again."),
            )
        )
