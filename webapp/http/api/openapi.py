"""The OpenAPI document of the API, made from the declared endpoints."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import version
from typing import Any

import msgspec
from flask import Response, jsonify

from webapp.http.api.endpoint import ENDPOINTS, Endpoint, api

_ARGUMENT = re.compile(r"<(?:(\w+):)?(\w+)>")
_REF = "#/components/schemas/{name}"


class ErrorDetail(msgspec.Struct, frozen=True):
    """An error: a stable code, and one sentence in the reader's language."""

    code: str
    message: str


class ErrorAnswer(msgspec.Struct, frozen=True):
    """The answer to any request that failed."""

    error: ErrorDetail


@api.get("/openapi.json")
def openapi() -> Response:
    """The OpenAPI document as a JSON response."""
    return jsonify(document())


@cache
def document() -> dict[str, Any]:
    """The OpenAPI 3.1 document for all endpoints."""
    kinds = [kind for entry in ENDPOINTS for kind in (entry.body, entry.answer) if kind is not None]
    schemas, components = msgspec.json.schema_components([*kinds, ErrorAnswer], ref_template=_REF)
    schema_of = {id(kind): schema for kind, schema in zip([*kinds, ErrorAnswer], schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for entry in ENDPOINTS:
        operation = _operation(entry, schema_of)
        paths.setdefault(openapi_path(entry.path), {})[entry.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Waymark",
            "version": version("waymark"),
            "description": "Photos of game tables in, rulings and scores out.",
        },
        "servers": [{"url": "/api/v1"}],
        "paths": paths,
        "components": {"schemas": components},
    }


def openapi_path(path: str) -> str:
    """A Flask path converted to OpenAPI's notation."""
    return _ARGUMENT.sub(r"{\2}", path)


def _operation(entry: Endpoint, schema_of: dict[int, Any]) -> dict[str, Any]:
    parameters = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "integer"} if kind == "int" else {"type": "string"},
        }
        for kind, name in _ARGUMENT.findall(entry.path)
    ]
    parameters += [
        {
            "name": name,
            "in": "query",
            "required": False,
            "description": query.meaning,
            "schema": {"type": "string", "pattern": f"^(?:{query.pattern})$"},
        }
        for name, query in entry.query.items()
    ]
    good: dict[str, Any] = {"description": "Done."}
    if entry.media_type is not None:
        # A file: bytes, or arbitrary JSON.
        file = {} if entry.media_type == "application/json" else {"type": "string", "format": "binary"}
        good["content"] = {entry.media_type: {"schema": file}}
    elif entry.answer is not None:
        good["content"] = {"application/json": {"schema": schema_of[id(entry.answer)]}}
    bad = {
        "description": "It failed: one sentence says what is wrong and what to do.",
        "content": {"application/json": {"schema": schema_of[id(ErrorAnswer)]}},
    }
    operation: dict[str, Any] = {
        "operationId": entry.name,
        "summary": entry.summary,
        "parameters": parameters,
        "responses": {str(entry.status if entry.answer or entry.media_type else 204): good, "default": bad},
    }
    if entry.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schema_of[id(entry.body)]}},
        }
    if entry.takes is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {entry.takes: {"schema": {"type": "string", "format": "binary"}}},
        }
    if entry.upload is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {
                "multipart/form-data": {
                    "schema": {
                        "type": "object",
                        "required": ["photo"],
                        "properties": {
                            "photo": {"type": "string", "format": "binary"},
                            **{
                                name: {"type": "string", "maxLength": 64, "description": meaning}
                                for name, meaning in entry.upload.items()
                            },
                        },
                    }
                }
            },
        }
    return operation
