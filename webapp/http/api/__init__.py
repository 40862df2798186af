"""The JSON API under `/api/v1`: one module per noun, described by `openapi.json`."""

from flask import Blueprint

api = Blueprint("api", __name__, url_prefix="/api/v1")

from webapp.http.api import (  # noqa: E402,F401  (they add their endpoints to `api`)
    corrections,
    disputes,
    entries,
    games,
    history,
    log,
    market,
    openapi,
    photos,
    review,
    tableaus,
)
