"""Errors on the web: one sentence in the reader's language, as a page or as `{"error": {"code",
"message"}}`."""

from __future__ import annotations

import logging

from flask import Flask, Response, jsonify, make_response, render_template, request
from flask.globals import request_ctx
from sqlalchemy.exc import OperationalError
from werkzeug.exceptions import HTTPException

from scorer.errors import WaymarkError
from webapp.http.languages import current_language
from webapp.store.database import not_found

log = logging.getLogger(__name__)

API_PREFIX = "/api/"
#: After what a busy server may be asked again.
BUSY_SECONDS = 2
#: HTTP status by error code; what is not named is the request's fault (400).
_STATUS = {
    "not-found": 404,
    "pin-needed": 401,
    "forbidden": 403,
    "wrong-method": 405,
    "not-acceptable": 406,
    "conflict": 409,
    "game-finished": 409,
    "photo-lost": 410,
    "too-large": 413,
    "not-json": 415,
    "encoded": 415,
    "not-an-image": 415,
    "other-name": 421,
    "cut-off": 422,
    "too-small": 422,
    "no-card": 422,
    "slow-down": 429,
    "internal": 500,
    "busy": 503,
    "no-database": 503,
}
_BY_STATUS: dict[int, tuple[str, str, str]] = {
    401: (
        "pin-needed",
        "This table asks for its PIN; enter it first.",
        "このテーブルの PIN を入力してください。",
    ),
    403: (
        "forbidden",
        "This request did not come from a page of this table; load the page again and retry.",
        "このテーブルのページからの操作ではありません。ページを読み込み直してからやり直してください。",
    ),
    405: (
        "wrong-method",
        "This address does not take that kind of request; see /api/v1/openapi.json.",
        "このアドレスではその操作はできません。/api/v1/openapi.json を見てください。",
    ),
    413: (
        "too-large",
        "This is larger than the server takes; send a smaller file.",
        "大きすぎて受け取れません。小さいファイルを送ってください。",
    ),
    415: (
        "not-json",
        "This address takes JSON; send it with the content type application/json.",
        "このアドレスは JSON を受け取ります。Content-Type を application/json にしてください。",
    ),
    421: (
        "other-name",
        "This table does not go by that name; open it by its address as Join shows it, "
        "or start it with --host-name and the name.",
        "この名前ではこのテーブルを開けません。「参加」に表示されるアドレスで開くか、"
        "--host-name にこの名前を指定して起動してください。",
    ),
    429: (
        "slow-down",
        "That was too often in a short time; wait a minute and try again.",
        "短い時間に繰り返しすぎです。1 分待ってからやり直してください。",
    ),
}


def status_of(error: WaymarkError) -> int:
    """The HTTP status that an error is answered with."""
    return _STATUS.get(error.code, 400)


def as_waymark_error(error: HTTPException) -> WaymarkError:
    """An HTTP error of the framework in our words."""
    if error.code == 404:
        return not_found()
    if error.code in _BY_STATUS:
        return WaymarkError(*_BY_STATUS[error.code])
    return WaymarkError(
        "bad-request",
        "This request could not be understood; load the page again and retry.",
        "リクエストを理解できませんでした。ページを読み込み直してからやり直してください。",
    )


def answer_error(error: WaymarkError, status: int | None = None) -> Response:
    """The answer to a request that failed: JSON below `/api/`, else a page."""
    status = status or status_of(error)
    message = error.message(current_language())
    if request.path.startswith(API_PREFIX):
        response = jsonify({"error": {"code": error.code, "message": message}})
    elif request_ctx.url_adapter is None:
        # The name that it came by is none: no page can have links.
        response = Response(f"{message}\n", mimetype="text/plain")
    else:
        response = make_response(render_template("error.html", message=message, code=error.code))
    response.status_code = status
    if status == 503:
        response.headers["Retry-After"] = str(BUSY_SECONDS)
    return response


def init_errors(app: Flask) -> None:
    """Have every error of an app answered in one sentence."""

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

    @app.errorhandler(OperationalError)
    def database_away(error: OperationalError) -> Response:
        log.error("the database does not answer: %s", error.orig)
        return answer_error(
            WaymarkError(
                "no-database",
                "The database does not answer, so nothing was changed; "
                "check that it is running and has room, and try again.",
                "データベースが応答しないため、何も変更していません。"
                "動作と空き容量を確かめて、もう一度お試しください。",
            )
        )

    @app.errorhandler(Exception)
    def our_mistake(error: Exception) -> Response:
        log.exception("unexpected error", exc_info=error)
        return answer_error(
            WaymarkError(
                "internal",
                "Something went wrong on our side; what you entered before is kept. Try again.",
                "Waymark の側で問題が起きました。これまでの入力は保存されています。もう一度お試しください。",
            )
        )
