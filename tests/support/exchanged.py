"""A table with everything in it, its log, and a log taken in."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
from api_calls import json_of
from flask import Flask
from flask.testing import FlaskClient
from live_server import PHOTOS
from PIL import ExifTags, Image
from played import write_scores

from webapp.http.services import KEY, Services
from webapp.log.rows import TABLES, columns_of
from webapp.store.models import Claim, Revision, Shot, Tableau

#: Where the photo was taken, as phones write it.
PLACE = (35.0, 41.0, 22.5)
OWNER = "Hanako's phone"


def photo_with_place(kind: str = "JPEG", *, orientation: int = 6) -> bytes:
    """A photo that says where and with whose phone it was taken, in EXIF, a comment and behind its end."""
    rng = np.random.default_rng(7)
    picture = Image.fromarray(rng.integers(0, 255, (240, 320, 3), dtype=np.uint8))
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    exif[ExifTags.Base.HostComputer] = OWNER
    exif[ExifTags.Base.GPSInfo] = {
        ExifTags.GPS.GPSLatitudeRef: "N",
        ExifTags.GPS.GPSLatitude: PLACE,
        ExifTags.GPS.GPSLongitudeRef: "E",
        ExifTags.GPS.GPSLongitude: PLACE,
    }
    buffer = io.BytesIO()
    formats: Any = {
        "JPEG": {"comment": OWNER.encode(), "progressive": True, "quality": 92},
        "PNG": {},
        "WEBP": {"lossless": True},
    }[kind]
    picture.save(buffer, kind, exif=exif, **formats)
    return buffer.getvalue() + (OWNER.encode() if kind == "JPEG" else b"")


def services_of(app: Flask) -> Services:
    services: Services = app.extensions[KEY]
    return services


def play(client: FlaskClient, *names: str, rounds: int = 6, **more: Any) -> Any:
    """A game in which everybody has points; the first player escapes."""
    players = [
        {"name": name, "colour": colour}
        for name, colour in zip(names, ("red", "blue", "green", "yellow"), strict=False)
    ]
    game = json_of(client.post("/api/v1/games", json={"players": players, **more}))
    scores = {
        entry["id"]: {"primary_vp": 3 + index, "secondary_vp": 3, "escaped": index == 0, "coins_received": 1}
        for round_ in game["rounds"][:rounds]
        for index, entry in enumerate(round_["entries"])
    }
    write_scores(client.application, scores)
    return json_of(client.get(f"/api/v1/games/{game['id']}"))


def send(client: FlaskClient, photo: bytes, **more: str) -> Any:
    sent = client.post("/api/v1/photos", data={"photo": (io.BytesIO(photo), "表.jpg"), **more})
    assert sent.status_code == 202, sent.text
    return sent.json


def export(client: FlaskClient) -> bytes:
    answer = client.get("/api/v1/log")
    assert answer.status_code == 200
    return answer.get_data()


def take(client: FlaskClient, log: bytes, *, status: int = 200) -> Any:
    answer = client.post("/api/v1/log", data=log, content_type="application/octet-stream")
    assert answer.status_code == status, answer.text
    return answer.json


def rows_of(app: Flask) -> dict[str, dict[str, Any]]:
    """Everything in a table's database, by noun and id."""
    with services_of(app).database.snapshot() as session:
        return {
            table.__tablename__: {
                row.id: {column.key: getattr(row, column.key) for column in columns_of(table)}
                | ({"reading": row.reading} if isinstance(row, Shot) else {})
                for row in session.query(table)
            }
            for table in TABLES
        }


def full_table(app: Flask, client: FlaskClient) -> Any:
    """A table with everything in it: games, a photo that has been read, purchases, a deleted game."""
    game = play(client, "あや 🐉", 'O\'Neill, "the\nfox"', "=HYPERLINK(1)", title="卓", location="下北沢")
    entry = game["rounds"][0]["entries"][0]
    client.patch(f"/api/v1/games/{game['id']}/rounds/2", json={"nobody_first": True})
    bought = {"kind": "fairy", "what": "rope"}
    assert client.post(f"/api/v1/entries/{entry['id']}/purchases", json=bought).status_code == 201
    read = send(client, (PHOTOS / "table-07.jpg").read_bytes(), entry_id=entry["id"])
    with services_of(app).database.transaction() as session:
        shot = session.get_one(Shot, read["shot"]["id"])
        shot.state, shot.reading = "done", SCAN
        tableau = session.get_one(Tableau, read["tableau_id"])
        tableau.record, tableau.shot_id, tableau.late_shot_id = RECORD, shot.id, shot.id
        session.add(Revision(tableau=tableau, number=0, kind="read", shot_id=shot.id, record=RECORD))
        basis = {"words": {"en": "With a rope token"}, "before": {"fairy:rope": 0}}
        session.add(Claim(tableau=tableau, who="あや", assumes="held:fairy:rope*1", basis=basis))
    send(client, photo_with_place())
    gone = play(client, "Ken", "Mo", rounds=1)
    client.delete(f"/api/v1/games/{gone['id']}")
    return game


RECORD: dict[str, Any] = {
    "format": "waymark-tableau/1",
    "catalogue": "open",
    "cards": [{"card": "D29", "x": 0, "y": 0, "rotation": 0}],
    "path": [],
    "marks": {"circled": [], "struck": []},
}
SCAN = json.dumps(
    {
        "format": "waymark-scan/1",
        "photo": {"width": 1200, "height": 900, "warnings": []},
        "tableau": RECORD,
        "cards": [
            {
                "card": "D29",
                "rotation": 0,
                "corners": [[10, 10], [70, 10], [70, 100], [10, 100]],
                "confidence": 0.9,
            }
        ],
        "path_px": [],
        "questions": [],
        "sure": True,
        "timings_ms": {"total": 1},
    }
).encode()
