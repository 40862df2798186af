"""The JSON API under `/api/v1`: one module per noun, described by `openapi.json`."""

from flask import Blueprint

api = Blueprint("api", __name__, url_prefix="/api/v1")

from webapp.api import (  # noqa: E402,F401  (they add their endpoints to `api`)
    corrections,
    disputes,
    entries,
    exchange,
    games,
    history,
    market,
    openapi,
    photos,
    review,
    tableaus,
)
