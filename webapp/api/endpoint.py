"""Endpoints that describe themselves: the types of what is taken and answered are declared once, checked
on every request, and written into the OpenAPI document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import msgspec
from flask import Response, request
from werkzeug.exceptions import UnsupportedMediaType

from scorer.errors import WaymarkError
from webapp.api import api


@dataclass(frozen=True)
class Endpoint:
    """One row of the API. `path` is Flask's (`/games/<game_id>`); `query` names optional string
    parameters with what they mean; `upload` says that the body is multipart with a file in `photo` and names
    the optional texts beside it."""

    method: str
    path: str
    name: str
    summary: str
    body: Any = None
    answer: Any = None
    status: int = 200
    query: dict[str, str] = field(default_factory=dict)
    upload: dict[str, str] | None = None
    #: Media type of an answer that is no JSON, and of a body that is a file.
    media_type: str | None = None
    takes: str | None = None


#: Every endpoint that was declared, in order.
ENDPOINTS: list[Endpoint] = []

View = Callable[..., Any]


def endpoint(
    method: str,
    path: str,
    *,
    summary: str,
    body: Any = None,
    answer: Any = None,
    status: int = 200,
    query: dict[str, str] | None = None,
    upload: dict[str, str] | None = None,
    media_type: str | None = None,
    takes: str | None = None,
) -> Callable[[View], View]:
    """Declare a view of the API. It is called with the path's parts and, where `body` names a msgspec
    type, with the decoded `body`; it returns a value of the type `answer` (or a `Response`)."""

    def declare(view: View) -> View:
        entry = Endpoint(
            method,
            path,
            view.__name__,
            summary,
            body,
            answer,
            status,
            query or {},
            upload,
            media_type,
            takes,
        )
        ENDPOINTS.append(entry)

        @wraps(view)
        def answered(**arguments: Any) -> Response:
            if body is not None:
                arguments["body"] = decode_body(body)
            value = view(**arguments)
            return value if isinstance(value, Response) else json_answer(value, status)

        api.add_url_rule(path, view.__name__, answered, methods=[method])
        return view

    return declare


def decode_body(kind: Any) -> Any:
    """The request's JSON as `kind`. Raises `WaymarkError` (not-valid) and 415 for what is not JSON."""
    if not request.is_json:
        raise UnsupportedMediaType
    try:
        return msgspec.json.decode(request.get_data(cache=False), type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise not_valid(str(error)) from error


def json_answer(value: object, status: int = 200) -> Response:
    """A value as a JSON response; None is an empty one."""
    if value is None:
        return Response(status=204)
    return Response(msgspec.json.encode(value), status=status, mimetype="application/json")


def not_valid(detail: str) -> WaymarkError:
    """The error for a body that does not have the documented form."""
    return WaymarkError(
        "not-valid",
        f"The request's JSON has not the documented form ({detail}); see /api/v1/openapi.json.",
        f"リクエストの JSON が仕様と違います（{detail}）。/api/v1/openapi.json を見てください。",
    )
