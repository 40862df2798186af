"""The JSON API under `/api/v1`: one module per noun, described by `openapi.json`."""

from webapp.http.api import (  # noqa: F401  (they add their endpoints to `api`)
    boards,
    corrections,
    deck_edits,
    decks,
    disputes,
    entries,
    games,
    history,
    log,
    market,
    openapi,
    pens,
    photos,
    pieces,
    review,
    tableaus,
    tables,
)
from webapp.http.api.endpoint import api

__all__ = ["api"]
