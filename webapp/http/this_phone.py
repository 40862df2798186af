"""Whose phone a request comes from: a person, chosen once and kept in a cookie, or everybody at the table."""

from __future__ import annotations

from collections.abc import Iterable

from flask import request

from webapp.games.view import SeatView
from webapp.store.models import Seat

COOKIE = "phone"
#: Value of the cookie for a device that everybody at the table uses.
EVERYBODY = "everybody"


def owner() -> str | None:
    """Id of the person whose phone it is, or `EVERYBODY`; None where nobody has said."""
    return request.cookies.get(COOKIE)


def own_seat(seats: Iterable[Seat | SeatView]) -> str | None:
    """Id of the owner's seat; None for a phone of nobody in these seats."""
    whose = owner()
    return next((seat.id for seat in seats if seat.person_id == whose), None)
