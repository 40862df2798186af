"""What holds on PostgreSQL beyond what every database does (see `ON_EVERY_DATABASE` in conftest)."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

import pytest
from api_calls import json_of
from column_values import COLUMNS, accepts, put_a_row_in_each, refused
from flask import Flask
from flask.testing import FlaskClient
from live_server import PHOTOS
from patience import PATIENCE_SECONDS
from postgresql_cluster import Cluster
from shared_readings import reading_of_data
from sqlalchemy import text

from scorer.errors import WaymarkError
from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.http.services import KEY, Services
from webapp.log.metadata import without_metadata
from webapp.store.database import open_database
from webapp.store.models import Game, Shot, now
from webapp.store.tableaus import take_reading

PHOTO = PHOTOS / "table-07.jpg"
MakeApp = Callable[[str | None], Flask]


@pytest.fixture
def make_app(tmp_path: Path) -> Iterator[MakeApp]:
    """An app with a data folder of its own, on a database: None is a SQLite file."""
    made: list[Flask] = []

    def make(url: str | None) -> Flask:
        made.append(
            create_app(ServerConfig(data=tmp_path / str(len(made)), database_url=url, scan_workers=0))
        )
        return made[-1]

    yield make
    for app in made:
        services_of(app).database.engine.dispose()


def services_of(app: Flask) -> Services:
    services: Services = app.extensions[KEY]
    return services


def play(app: Flask) -> None:
    """A game with scores by hand and a photo that was read, answered, disputed, corrected and undone."""
    client, services = app.test_client(), services_of(app)

    def call(method: str, path: str, body: Any = None) -> Any:
        answer = client.open(f"/api/v1{path}", method=method, json=body)
        assert answer.status_code < 300, answer.text
        return answer.json

    players = [{"name": 'あや "100%" <b>', "colour": "red"}, {"name": "Ken", "colour": "blue"}]
    game = call("POST", "/games", {"players": players, "title": "金曜の卓 🏆"})
    call("PATCH", f"/games/{game['id']}", {"notes": "line\nline"})
    call("PATCH", f"/games/{game['id']}/rounds/1", {"primary": "sword", "secondary": "pit"})
    for round_ in game["rounds"][1:]:
        for entry in round_["entries"]:
            call("PATCH", f"/entries/{entry['id']}", {"primary_vp": 3, "secondary_vp": 2, "escaped": True})
    call("PATCH", f"/entries/{game['rounds'][1]['entries'][0]['id']}", {"primary_vp": 4})
    entry_id = game["rounds"][0]["entries"][0]["id"]
    # Without metadata, which no log has: the photo keeps its hash.
    photo = without_metadata(PHOTO.read_bytes(), "image/jpeg").data
    sent = client.post(
        "/api/v1/photos", data={"photo": (io.BytesIO(photo), "表.jpg"), "entry_id": entry_id}
    ).json
    assert sent is not None
    scan = reading_of_data(photo)
    with services.database.transaction() as session:
        take_reading(session, services.catalogue, session.get_one(Shot, sent["shot"]["id"]), scan)
    tableau = f"/tableaus/{sent['tableau_id']}"
    now = call("GET", f"{tableau}/review")
    erased = {"kind": "erase", "stroke": 0, "start": 2, "end": len(now["reading"]["record"]["path"][0]) - 1}
    now = call("POST", f"{tableau}/corrections", {"version": now["version"], "correction": erased})
    call("POST", f"{tableau}/undo", {"version": now["version"]})
    call("POST", f"{tableau}/claims", {"who": "Ken", "words": "鍵がない"})


def log_of(client: FlaskClient) -> dict[str, bytes]:
    """What the exported log holds, by file; the manifest says when it was exported, so it is left out."""
    with zipfile.ZipFile(io.BytesIO(client.get("/api/v1/log").get_data())) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name != "manifest.json"}


@pytest.mark.long
def test_a_log_goes_from_sqlite_to_postgresql_and_back_unchanged(
    make_app: MakeApp, postgresql_url: str
) -> None:
    first = make_app(None)
    play(first)
    logs = [log_of(first.test_client())]
    source = first.test_client()
    for url in (postgresql_url, None):
        table = make_app(url).test_client()
        log = source.get("/api/v1/log").get_data()
        taken = table.post("/api/v1/log", data=log, content_type="application/octet-stream")
        assert taken.status_code == 200, taken.text
        logs.append(log_of(table))
        source = table
    assert logs[0] == logs[1] == logs[2]
    assert sum(name.startswith("photos/") for name in logs[0]) == 1
    assert logs[0]["rows/revision.jsonl"].count(b"\n") == 3


@pytest.mark.long
def test_a_photo_is_read_in_the_background(config: ServerConfig, postgresql_url: str) -> None:
    app = create_app(replace(config, database_url=postgresql_url, scan_workers=1))
    services_of(app).queue.start()
    client = app.test_client()
    try:
        body = {"primary": "sword", "secondary": "pit"}
        path = f"/api/v1/tableaus/{json_of(client.post('/api/v1/tableaus', json=body))['id']}"
        with PHOTO.open("rb") as photo:
            client.post("/api/v1/photos", data={"photo": photo, "tableau_id": path.rpartition("/")[2]})
        end = time.monotonic() + PATIENCE_SECONDS
        while (read := client.get(path).json or {})["shots"][0]["state"] in ("waiting", "running"):
            assert time.monotonic() < end, "not read"
            time.sleep(0.3)
    finally:
        services_of(app).queue.stop()
        services_of(app).database.engine.dispose()
    assert read["ruling"]["primary"] == {"objective": "sword", "count": 2, "vp": 2} and read["sure"]


def test_times_are_utc_where_the_database_has_another_zone(postgresql_url: str) -> None:
    database = open_database(postgresql_url)
    with database.transaction() as session:
        name = session.scalar(text("SELECT current_database()"))
        session.execute(text(f"ALTER DATABASE {name} SET timezone = 'Asia/Tokyo'"))
        session.add(game := Game())
    database.engine.dispose()
    database = open_database(postgresql_url)
    with database.snapshot() as session:
        assert session.scalar(text("SHOW timezone")) == "Asia/Tokyo"
        made = session.get_one(Game, game.id).created_at
    database.engine.dispose()
    assert made == game.created_at and made.tzinfo is UTC
    assert now() - made < timedelta(hours=1)


def test_a_column_refuses_what_no_page_could_show(postgresql_url: str) -> None:
    database = open_database(postgresql_url)
    with database.engine.connect() as connection:
        put_a_row_in_each(connection)
        accepted = [
            (str(column), value)
            for column in COLUMNS
            for value in refused(column, "postgresql")
            if accepts(connection, column, value)
        ]
    database.engine.dispose()
    assert accepted == []


def test_a_database_that_goes_away_is_told_in_a_sentence(
    make_app: MakeApp, cluster: Cluster, postgresql_url: str
) -> None:
    client = make_app(postgresql_url).test_client()
    assert client.get("/history").status_code == 200
    cluster.drop(postgresql_url)
    answer = client.post("/api/v1/tableaus", json={})
    assert answer.status_code == 503 and answer.json is not None
    assert answer.json["error"]["code"] == "no-database"
    page = client.get("/history", headers={"Accept-Language": "ja"})
    assert page.status_code == 503 and "データベースが応答しない" in page.text


def test_a_database_that_is_not_there_is_told_without_its_password() -> None:
    with pytest.raises(WaymarkError) as caught:
        open_database("postgresql+psycopg://ken:geheim@/nowhere?host=/nowhere")
    assert caught.value.code == "no-database"
    for sentence in (caught.value.en, caught.value.ja):
        assert "geheim" not in sentence and "--database" in sentence and "\n" not in sentence
