"""API of players' pens: learned from a tap on a line, undone in one step."""

from __future__ import annotations

from typing import Annotated

import msgspec

from webapp.http.api.endpoint import endpoint
from webapp.http.languages import current_language
from webapp.http.services import services, write_session
from webapp.store.database import get_row
from webapp.store.models import Tableau
from webapp.tableaus.jobs import errand_view
from webapp.tableaus.model import ReviewErrand

Pixel = Annotated[float, msgspec.Meta(ge=0, le=100_000)]


class PenTap(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tapped point (x, y) on a line, in pixels of the photo in use."""

    at: tuple[Pixel, Pixel]


@endpoint("POST", "/tableaus/<tableau_id>/pen", status=202)
def learn_pen(tableau_id: str, body: PenTap) -> ReviewErrand:
    """Have the pen learned of the line at a point of the photo: photos of this player are read with it from
    then on, those of this game again. It is kept, then done in the background; `.../progress` tells how
    far."""
    with write_session() as session:
        errand = services().pens.learn(session, get_row(session, Tableau, tableau_id), body.at)
    services().queue.wake()
    return errand_view(errand, current_language())


@endpoint("POST", "/tableaus/<tableau_id>/pen/undo", status=202)
def undo_pen(tableau_id: str) -> ReviewErrand:
    """Have taken back what was learned last of this player's pen; the photos of this game are read again. It
    is kept, then done in the background; `.../progress` tells how far."""
    with write_session() as session:
        errand = services().pens.undo(session, get_row(session, Tableau, tableau_id))
    services().queue.wake()
    return errand_view(errand, current_language())
