"""Reviews of the photos that ship."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import numpy as np
from at_the_table import all_asked
from flask import Flask
from flask.testing import FlaskClient
from live_server import PHOTOS
from shared_readings import reading_of_data

from scorer.mapmasters.rules.terms import Terms
from vision.scan import Scan
from webapp.http.services import KEY, Services
from webapp.store.models import Tableau
from webapp.store.photos import store_original
from webapp.store.tableaus import add_shot, take_reading
from webapp.tableaus.model import Review

TERMS = Terms(primary="monster", secondary="coin")
#: A photo that is sure, one with a path in doubt at several places, one whose direction matters.
SURE, DOUBTED, EITHER_WAY = "table-07.jpg", "table-10.webp", "table-09.jpg"
ROOM_FOR_ONE = "table-03.jpg"


@cache
def reading(photo: str) -> Scan:
    return all_asked(reading_of_data((PHOTOS / photo).read_bytes()))


def get_review(client: FlaskClient, tableau_id: str, language: str = "en") -> Review:
    answered = client.get(f"/api/v1/tableaus/{tableau_id}/review", headers={"Accept-Language": language})
    assert answered.status_code == 200, answered.text
    return msgspec.json.decode(answered.data, type=Review)


def give(client: FlaskClient, review: Review, question: str | int, option: int, **changes: Any) -> Any:
    body = {"question": question, "option": option, "version": review.version} | changes
    return client.post(f"/api/v1/tableaus/{review.id}/answers", json=body)


def box_of_card(scan: Scan, index: int) -> tuple[int, int, int, int]:
    corners = np.array(scan.cards[index].corners)
    (left, top), (right, bottom) = corners.min(axis=0).astype(int), corners.max(axis=0).astype(int)
    return int(left), int(top), int(right), int(bottom)


def review_of(app: Flask, scan: Scan, photo: str) -> Review:
    """The review of a tableau whose photo was read so."""
    services: Services = app.extensions[KEY]
    with services.database.transaction() as session:
        tableau = Tableau(terms={"primary": TERMS.primary, "secondary": TERMS.secondary})
        session.add(tableau)
        stored = store_original(services.photos, (PHOTOS / photo).read_bytes())
        shot = add_shot(session, tableau, stored, filename=photo)
        session.flush()
        take_reading(session, services.catalogue, shot, scan)
        tableau_id = tableau.id
    return get_review(app.test_client(), tableau_id)
