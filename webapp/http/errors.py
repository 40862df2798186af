"""Errors on the web: one sentence in the reader's language, as a page or as `{"error": {"code",
"message"}}`."""

from __future__ import annotations

import logging

from flask import Flask, Response, jsonify, make_response, render_template, request
from flask.globals import request_ctx
from sqlalchemy.exc import OperationalError
from werkzeug.exceptions import HTTPException

from scorer.errors import Code, WaymarkError
from scorer.text import Text
from webapp.http.languages import current_language
from webapp.store.database import not_found

log = logging.getLogger(__name__)

API_PREFIX = "/api/"
#: After what a busy server may be asked again.
BUSY_SECONDS = 2
#: What the framework refuses, in our words.
_REFUSALS: dict[Code, Text] = {
    Code.PIN_NEEDED: Text(
        "This table asks for its PIN; enter it first.",
        "このテーブルの PIN を入力してください。",
    ),
    Code.FORBIDDEN: Text(
        "This request did not come from a page of this table; load the page again and retry.",
        "このテーブルのページからの操作ではありません。ページを読み込み直してからやり直してください。",
    ),
    Code.WRONG_METHOD: Text(
        "This address does not take that kind of request; see /api/v1/openapi.json.",
        "このアドレスではその操作はできません。/api/v1/openapi.json を見てください。",
    ),
    Code.TOO_LARGE: Text(
        "This is larger than the server takes; send a smaller file.",
        "大きすぎて受け取れません。小さいファイルを送ってください。",
    ),
    Code.NOT_JSON: Text(
        "This address takes JSON; send it with the content type application/json.",
        "このアドレスは JSON を受け取ります。Content-Type を application/json にしてください。",
    ),
    Code.OTHER_NAME: Text(
        "This table does not go by that name; open it by its address as Join shows it, "
        "or start it with --host-name and the name.",
        "この名前ではこのテーブルを開けません。「参加」に表示されるアドレスで開くか、"
        "--host-name にこの名前を指定して起動してください。",
    ),
    Code.SLOW_DOWN: Text(
        "That was too often in a short time; wait a minute and try again.",
        "短い時間に繰り返しすぎです。1 分待ってからやり直してください。",
    ),
    Code.BUSY: Text(
        "The server is taking in as much as it can keep just now; try again in a few seconds.",
        "ただいま受け取れる量の上限に達しています。数秒待ってからやり直してください。",
    ),
    Code.BAD_REQUEST: Text(
        "This request could not be understood; load the page again and retry.",
        "リクエストを理解できませんでした。ページを読み込み直してからやり直してください。",
    ),
}
_BY_STATUS = {code.http_status: code for code in _REFUSALS}


def as_waymark_error(error: HTTPException) -> WaymarkError:
    """An HTTP error of the framework in our words."""
    if error.code == 404:
        return not_found()
    code = _BY_STATUS.get(error.code or 0, Code.BAD_REQUEST)
    text = _REFUSALS[code]
    return WaymarkError(code, text.en, text.ja)


def answer_error(error: WaymarkError, status: int | None = None) -> Response:
    """The answer to a request that failed: JSON below `/api/`, else a page."""
    status = status or error.code.http_status
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
                Code.NO_DATABASE,
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
                Code.INTERNAL,
                "Something went wrong on our side; what you entered before is kept. Try again.",
                "Waymark の側で問題が起きました。これまでの入力は保存されています。もう一度お試しください。",
            )
        )
