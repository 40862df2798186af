"""Players' pens over the API: learned from a tap on a line, taken back in one step."""

from __future__ import annotations

from typing import Annotated

import msgspec

from webapp.http.api.endpoint import endpoint
from webapp.http.services import services
from webapp.tableaus.pens import PenChanged

Pixel = Annotated[float, msgspec.Meta(ge=0, le=100_000)]


class PenTap(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A point on the line, in pixels of the photo in use."""

    at: tuple[Pixel, Pixel]


@endpoint(
    "POST",
    "/tableaus/<tableau_id>/pen",
    summary="Learn the pen of the line at a point of the photo: photos of this player are read with it from "
    "now on, those of this game again at once.",
    body=PenTap,
    answer=PenChanged,
)
def learn_pen(tableau_id: str, body: PenTap) -> PenChanged:
    return services().pens.learn(tableau_id, body.at)


@endpoint(
    "POST",
    "/tableaus/<tableau_id>/pen/undo",
    summary="Take back what was learned last of this player's pen; the photos of this game are read again.",
    answer=PenChanged,
)
def undo_pen(tableau_id: str) -> PenChanged:
    return services().pens.undo(tableau_id)
