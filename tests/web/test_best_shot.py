"""Several photos of one tableau: the best reading is in use, whichever came first."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import permutations
from typing import Any

import msgspec
import pytest
from api_calls import json_of
from flask import Flask
from flask.testing import FlaskClient
from live_server import PHOTOS
from PIL import Image, ImageFilter
from shared_readings import reading_of_data

from scorer.mapmasters.rules.terms import Terms
from vision.questions import Question
from vision.scan import Scan
from waymark.review.referee_cache import Table
from waymark.review.tableau.assess import assess
from webapp.http.services import KEY, Services
from webapp.store.models import Shot, Tableau
from webapp.store.tableaus import take_reading

TABLE = PHOTOS / "table-07.jpg"


def jpeg(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=92)
    return buffer.getvalue()


def photos_of_one_table() -> dict[str, bytes]:
    """A good photo, a shaken one, and one that cuts the upper cards off."""
    good = Image.open(TABLE)
    width, height = good.size
    return {
        "good": TABLE.read_bytes(),
        "blurred": jpeg(good.filter(ImageFilter.GaussianBlur(5))),
        "cropped": jpeg(good.crop((0, height // 2, width, height))),
    }


@pytest.fixture(scope="module")
def photos() -> dict[str, bytes]:
    return photos_of_one_table()


@pytest.mark.long
def test_the_best_reading_is_in_use_whichever_photo_came_first(
    app: Flask, client: FlaskClient, photos: dict[str, bytes]
) -> None:
    services: Services = app.extensions[KEY]
    scans = {name: reading_of_data(data) for name, data in photos.items()}
    cards = {name: len(scan.cards) for name, scan in scans.items()}
    assert cards["good"] == 5 > cards["cropped"] > 0, "the photos are no test of the choice"
    for number, order in enumerate(permutations(photos)):
        in_use = [send_and_read(services, client, number, scans, photos, order[: n + 1]) for n in range(3)]
        assert in_use[order.index("good") :] == ["good"] * (3 - order.index("good")), order


def test_a_sure_half_never_replaces_an_unsure_whole(
    app: Flask, client: FlaskClient, photos: dict[str, bytes]
) -> None:
    services: Services = app.extensions[KEY]
    whole, half = (reading_of_data(photos[name]) for name in ("good", "cropped"))
    # what the ink and the circles of half a path leave open is none of this
    half = replace(half, questions=(), sure=True, mark_confidence={})
    assert assess(half, Table(services.catalogue), Terms()).sure, "the photo is no test of the choice"
    doubt = Question("path", "", ("as read",), "A doubt that only a person settles.", "人が決める疑問です。")
    scans = {"good": replace(whole, questions=(*whole.questions, doubt), sure=False), "cropped": half}
    for number, order in enumerate((("good", "cropped"), ("cropped", "good"))):
        used = [send_and_read(services, client, number, scans, photos, order[: n + 1]) for n in range(2)]
        assert used[-1] == "good"


def test_two_sure_photos_that_score_otherwise_are_asked_about(
    app: Flask, client: FlaskClient, photos: dict[str, bytes]
) -> None:
    services: Services = app.extensions[KEY]
    whole = reading_of_data(photos["good"])
    shorter = replace(
        whole,
        questions=(),
        sure=True,
        # its circles were hardly seen
        mark_confidence={},
        tableau=msgspec.structs.replace(whole.tableau, path=(whole.tableau.path[0][:11],)),
    )
    assert assess(shorter, Table(services.catalogue), Terms()).sure, "the photo is no test of the choice"
    scans = {"good": whole, "blurred": shorter, "cropped": reading_of_data(photos["cropped"])}
    for number, order in enumerate((("good", "blurred"), ("blurred", "good"), ("good", "cropped"))):
        used = [send_and_read(services, client, number, scans, photos, order[: n + 1]) for n in range(2)][-1]
        with services.database.snapshot() as session:
            path = session.query(Shot).filter_by(client_key=f"{number}-{order[0]}").one().tableau_id
        tableau = f"/api/v1/tableaus/{path}"
        review: Any = client.get(f"{tableau}/review").json
        if "cropped" in order:
            assert review["other"] is None, "half of the cards say nothing"
            continue
        other = review["other"]
        assert other["photo"] == 1 + (order[1] != used) and other["score"] != review["reading"]["score"]
        left: Any = client.post(f"{tableau}/shots/{other['shot_id']}/leave", json={}).json
        assert left["other"] is None and left["reading"] == review["reading"]
        counted: Any = client.post(f"{tableau}/shots/{other['shot_id']}/use").json
        assert counted["other"] is None and counted["reading"]["score"] == other["score"]


def test_an_unsure_photo_is_asked_about_where_it_came_after_a_sure_one(
    app: Flask, client: FlaskClient, photos: dict[str, bytes]
) -> None:
    services: Services = app.extensions[KEY]
    whole = reading_of_data(photos["good"])
    doubt = Question("path", "", ("as read",), "A doubt that only a person settles.", "人が決める疑問です。")
    less = msgspec.structs.replace(whole.tableau, path=(whole.tableau.path[0][:5],))
    scans = {"good": whole, "blurred": replace(whole, questions=(doubt,), sure=False, tableau=less)}
    for number, order in enumerate((("good", "blurred"), ("blurred", "good"))):
        used = [send_and_read(services, client, number, scans, photos, order[: n + 1]) for n in range(2)][-1]
        assert used == "good"
        with services.database.snapshot() as session:
            tableau = session.query(Shot).filter_by(client_key=f"{number}-good").one().tableau_id
        review: Any = client.get(f"/api/v1/tableaus/{tableau}/review").json
        asked = review["other"] and (review["other"]["photo"], review["other"]["sure"])
        assert asked == ((2, False) if order[0] == "good" else None)


def send_and_read(
    services: Services,
    client: FlaskClient,
    number: int,
    scans: dict[str, Scan],
    photos: dict[str, bytes],
    names: tuple[str, ...],
) -> Any:
    """Send the last of `names` to the tableau of those before it and have it read; the name in use."""
    name = names[-1]
    key = f"{number}-"
    form: dict[str, Any] = {"photo": (io.BytesIO(photos[name]), f"{name}.jpg"), "client_key": key + name}
    if len(names) > 1:
        with services.database.snapshot() as session:
            first = session.query(Shot).filter_by(client_key=key + names[0]).one()
            form["tableau_id"] = first.tableau_id
    sent = json_of(client.post("/api/v1/photos", data=form, content_type="multipart/form-data"))
    with services.database.transaction() as session:
        take_reading(session, services.catalogue, session.get_one(Shot, sent["shot"]["id"]), scans[name])
    with services.database.snapshot() as session:
        tableau = session.get_one(Tableau, sent["tableau_id"])
        return session.get_one(Shot, tableau.shot_id).filename.removesuffix(".jpg")
