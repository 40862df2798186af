"""A table at which something has been played, for tests that ask about it."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from typing import Any

from flask import Flask
from live_server import PHOTOS
from PIL import Image
from shared_readings import reading_of_data
from sqlalchemy import select

from scorer.mapmasters.api import VersusApi
from webapp.games.manual_scores import type_score
from webapp.http.services import KEY
from webapp.store.models import Base, Entry, Shot
from webapp.store.tableaus import take_reading


def play_a_little(app: Flask) -> None:
    """A game with a photo that has been read, so that there is something to ask about."""
    client, services = app.test_client(), app.extensions[KEY]
    players = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    game = client.post("/api/v1/games", json={"players": players}).json
    assert game is not None and "id" in game, game
    with services.database.snapshot() as session:
        entry_id = session.scalars(select(Entry.id)).first()
    photo = (PHOTOS / "table-07.jpg").read_bytes()
    sent = client.post("/api/v1/photos", data={"photo": (io.BytesIO(photo), "x.jpg"), "entry_id": entry_id})
    assert sent.status_code == 202 and sent.json is not None, sent.json
    client.post(f"/api/v1/entries/{entry_id}/purchases", json={"kind": "other", "what": "x", "coins": 1})
    catalogue = services.catalogue
    scan = reading_of_data(photo)
    with services.database.transaction() as session:
        take_reading(session, catalogue, session.scalars(select(Shot)).one(), scan)
    claim = {"who": "Ben", "words": "That was no rope."}
    client.post(f"/api/v1/tableaus/{sent.json['tableau_id']}/claims", json=claim)


def write_scores(app: Flask, scores: Mapping[str, Mapping[str, Any]]) -> None:
    """Scores of a game that are written by hand, by player's round, called as in the API: its twelve requests
    would take longer than most tests do."""
    with app.extensions[KEY].database.transaction() as session:
        for entry_id, score in scores.items():
            written = {VersusApi.columns[name]: value for name, value in score.items()}
            type_score(session, session.get_one(Entry, entry_id), written)


def small_photo(text: str) -> bytes:
    """A shipped photo made small, with a comment that makes it another file."""
    with Image.open(PHOTOS / "table-07.jpg") as picture:
        picture.thumbnail((900, 900))
        buffer = io.BytesIO()
        picture.save(buffer, "JPEG", comment=text.encode())
    return buffer.getvalue()


def known_ids(app: Flask, names: Iterable[str]) -> dict[str, Any]:
    """For `game_id` the id of a game that is there, and so on; names of no table are left out."""
    tables = {mapper.class_.__tablename__: mapper.class_ for mapper in Base.registry.mappers}
    found: dict[str, Any] = {"number": 1} if "number" in names else {}
    with app.extensions[KEY].database.snapshot() as session:
        for name in names:
            if (table := tables.get(name.removesuffix("_id"))) is not None:
                found[name] = session.scalars(select(table.id).order_by(table.created_at)).first()
    return {name: row_id for name, row_id in found.items() if row_id is not None}
