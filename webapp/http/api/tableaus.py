"""API of tableaus: readings and rulings."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from webapp.http.api.endpoint import endpoint
from webapp.http.api.games import Line, check_house
from webapp.http.languages import current_language
from webapp.http.services import read_session, services, write_session
from webapp.store.database import get_row
from webapp.store.models import Shot, Tableau
from webapp.views import view


class NewTableau(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tableau outside games, for a single photo: `terms` are held means, objectives and house rules by
    ids of the game's terms. `settings` are house rules alone; Map Masters' objectives have fields of their
    own."""

    title: Line = ""
    primary: str | None = None
    secondary: str | None = None
    settings: dict[str, Any] = {}
    terms: dict[str, Any] = {}


class ShotView(msgspec.Struct, frozen=True, kw_only=True):
    """A photo of a tableau. `stage` is the progress of a running scan; `error` is the reason of a failed
    one."""

    id: str
    photo_id: str
    filename: str
    state: str
    stage: str
    width: int
    height: int
    created_at: datetime
    error: dict[str, str] | None = None


class TableauView(msgspec.Struct, frozen=True, kw_only=True):
    """A tableau: its photos, its current record, and its ruling."""

    id: str
    version: int
    title: str
    notes: str
    sure: bool
    shot_id: str | None
    record: dict[str, Any] | None
    ruling: dict[str, Any] | None
    shots: list[ShotView]


def shot_view(shot: Shot) -> ShotView:
    """A shot as the API shows it."""
    error = None
    if shot.error is not None:
        error = {"code": shot.error["code"], "message": shot.error[current_language()]}
    return view(
        ShotView,
        shot,
        stage=services().queue.stage(shot),
        width=shot.photo.width,
        height=shot.photo.height,
        error=error,
    )


def tableau_view(tableau: Tableau) -> TableauView:
    """A tableau as the API shows it."""
    shots = [shot_view(shot) for shot in tableau.shots if shot.deleted_at is None]
    return view(TableauView, tableau, shots=shots)


@endpoint("POST", "/tableaus", status=201)
def create_tableau(body: NewTableau) -> TableauView:
    """Begin a tableau outside a game."""
    rules = services().rules
    check_house(rules, body.settings)
    objectives = {
        name: value for name in ("primary", "secondary") if (value := getattr(body, name)) is not None
    }
    terms = rules.rules.settings.make({**body.terms, **objectives, **body.settings})
    with write_session() as session:
        told = msgspec.to_builtins(rules.rules.settings.values(terms))
        tableau = Tableau(game=rules.id, title=body.title, terms=told)
        session.add(tableau)
        session.flush()
        return tableau_view(tableau)


@endpoint("GET", "/tableaus/<tableau_id>")
def read_tableau(tableau_id: str) -> TableauView:
    """A tableau as it stands."""
    return tableau_view(get_row(read_session(), Tableau, tableau_id))
