"""Self-describing endpoints: request and response types are declared once, checked on every request, and
written to the OpenAPI document."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from types import NoneType
from typing import Annotated, Any, TypeVar, get_type_hints

import msgspec
from flask import Blueprint, Response, request
from werkzeug.exceptions import UnsupportedMediaType

from scorer.errors import Code, WaymarkError
from scorer.text import Text

api = Blueprint("api", __name__, url_prefix="/api/v1")


#: Version of what a person looked at before changing it.
Version = Annotated[int, msgspec.Meta(ge=0)]


class Looked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The version that the change is based on."""

    version: Version


@dataclass(frozen=True)
class Query:
    """An optional query parameter: its description (a plain string is the description only), and the regular
    expression that it matches."""

    meaning: str
    pattern: str = ".*"


@dataclass(frozen=True)
class Endpoint:
    """One row of the API. `path` is Flask's (`/games/<game_id>`); `query` are its optional parameters by
    name; `upload` says that the body is multipart with a file in `photo` and names
    the optional texts beside it."""

    method: str
    path: str
    name: str
    summary: str
    body: Any = None
    answer: Any = None
    status: int = 200
    query: dict[str, Query] = field(default_factory=dict)
    upload: dict[str, str] | None = None
    #: Media type of a response that is not JSON, and of a body that is a file.
    media_type: str | None = None
    takes: str | None = None


#: Every endpoint that was declared, in order.
ENDPOINTS: list[Endpoint] = []

View = TypeVar("View", bound=Callable[..., Any])


def endpoint(
    method: str,
    path: str,
    *,
    status: int = 200,
    query: Mapping[str, Query | str] | None = None,
    upload: dict[str, str] | None = None,
    media_type: str | None = None,
    takes: str | None = None,
) -> Callable[[View], View]:
    """Declare a view of the API. Its docstring is the summary, its annotations are the types. It is called
    with the path's parts and, where it has a `body`, with the decoded body; it returns a value of the answer
    type, None (204) or a `Response`."""

    def declare(view: View) -> View:
        types = get_type_hints(view, include_extras=True)
        body, answer = types.get("body"), types["return"]
        entry = Endpoint(
            method,
            path,
            view.__name__,
            " ".join((view.__doc__ or "").split()),
            body,
            None if answer in (NoneType, Response) else answer,
            status,
            {name: each if isinstance(each, Query) else Query(each) for name, each in (query or {}).items()},
            upload,
            media_type,
            takes,
        )
        ENDPOINTS.append(entry)

        @wraps(view)
        def answered(**arguments: Any) -> Response:
            check_query(entry.query)
            if body is not None:
                arguments["body"] = decode_body(body)
            value = view(**arguments)
            return value if isinstance(value, Response) else json_answer(value, status)

        api.add_url_rule(path, view.__name__, answered, methods=[method])
        return view

    return declare


def check_query(known: dict[str, Query]) -> None:
    """Raises `WaymarkError` (not-valid) for undeclared, repeated or invalid query parameters."""
    for name, values in request.args.lists():
        if name not in known:
            raise not_valid(f"there is no parameter {name[:40]!r}")
        if len(values) > 1:
            raise not_valid(f"the parameter {name} is there {len(values)} times")
        if not re.fullmatch(known[name].pattern, values[0], re.DOTALL):
            raise not_valid(f"the parameter {name} is not {known[name].meaning}")


def decode_body(kind: Any) -> Any:
    """The request's JSON body decoded as `kind`. Raises `WaymarkError` (not-valid), and 415 for any other
    media type."""
    if not request.is_json:
        raise UnsupportedMediaType
    data = request.get_data(cache=False)
    try:
        value = msgspec.json.decode(data, type=kind)
        json.loads(data, object_pairs_hook=_each_once)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise not_valid(str(error)) from error
    if _NUL.search(data):
        # PostgreSQL cannot store a text that contains it.
        raise not_valid("a text has the character U+0000")
    return value


#: U+0000 in JSON: an escape whose backslash is not itself escaped.
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def _each_once(pairs: list[tuple[str, Any]]) -> None:
    """Hook for `json.loads` that rejects duplicate fields, since msgspec would silently use the last one.
    Raises `WaymarkError` (not-valid)."""
    seen = set()
    for name, _ in pairs:
        if name in seen:
            raise not_valid(f"the field {name[:40]!r} is there twice")
        seen.add(name)


def json_answer(value: object, status: int = 200) -> Response:
    """A value as a JSON response; None gives an empty response (204)."""
    if value is None:
        return Response(status=204)
    return Response(msgspec.json.encode(value), status=status, mimetype="application/json")


def not_valid(detail: str) -> WaymarkError:
    """The error for a body that does not have the documented form."""
    return WaymarkError(
        Code.NOT_VALID, Text("Invalid request body ({detail}); see /api/v1/openapi.json.", detail=detail)
    )
