"""What befalls a table's disk: it is told in one sentence, nothing is acknowledged that is not kept, and what
can be repaired is."""

from __future__ import annotations

import errno
import io
import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from api_calls import Call, json_of
from flask import Flask
from flask.testing import FlaskClient
from live_server import PHOTOS
from photo_files import original_file
from sqlalchemy import event
from werkzeug.test import TestResponse

import webapp.store.models
from scorer.errors import WaymarkError
from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.http.services import KEY, Services
from webapp.scans.leases import fail
from webapp.store.models import Shot
from webapp.store.photos import check_original

PHOTO = (PHOTOS / "table-01.jpg").read_bytes()
GAME = {"players": [{"name": "Ann", "colour": "red"}, {"name": "Ben", "colour": "blue"}]}


def send(client: FlaskClient, data: bytes = PHOTO) -> TestResponse:
    return client.post("/api/v1/photos", data={"photo": (io.BytesIO(data), "table.jpg")})


def services_of(app: Flask) -> Services:
    found: Services = app.extensions[KEY]
    return found


def refused(answer: TestResponse, status: int, code: str) -> str:
    assert answer.status_code == status, answer.get_data(as_text=True)
    error = json_of(answer)["error"]
    assert error["code"] == code
    return str(error["message"])


def test_a_full_disk_keeps_nothing_and_says_so(
    app: Flask, client: FlaskClient, config: ServerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        assert "make room" in refused(send(client), 507, "disk-full")
    assert not [file for file in config.photos.rglob("*") if file.is_file()]
    assert json_of(client.get("/api/v1/history/photos"))["total"] == 0

    def no_page_more(connection: Any) -> None:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")

    engine = services_of(app).database.engine
    event.listen(engine, "begin", no_page_more)
    # Until the room is used up that the tables' pages still have.
    full_answers: list[TestResponse] = []
    while not full_answers or full_answers[-1].status_code == 201:
        assert len(full_answers) < 100
        full_answers.append(client.post("/api/v1/games", json={**GAME, "title": "x" * 300}))
    assert "make room" in refused(full_answers[-1], 507, "disk-full")
    assert client.get("/").status_code == 200
    event.remove(engine, "begin", no_page_more)
    engine.dispose()
    kept = [answer for answer in full_answers if answer.status_code == 201]
    assert len(json_of(client.get("/api/v1/games"))) == len(kept)
    assert client.post("/api/v1/games", json=GAME).status_code == 201


def test_a_folder_that_is_locked_or_has_gone_is_told(
    app: Flask, client: FlaskClient, config: ServerConfig
) -> None:
    assert client.post("/api/v1/games", json=GAME).status_code == 201

    def locked(connection: Any) -> None:
        connection.exec_driver_sql("PRAGMA query_only = 1")

    engine = services_of(app).database.engine
    event.listen(engine, "begin", locked)
    assert "allow writing" in refused(client.post("/api/v1/games", json=GAME), 503, "data-folder")
    event.remove(engine, "begin", locked)
    engine.dispose()
    assert client.get("/").status_code == 200
    shutil.rmtree(config.data)
    # SQLite by itself would go on in the file that was removed, and forget it all.
    assert "put it back" in refused(client.post("/api/v1/games", json=GAME), 503, "data-folder")
    refused(send(client), 503, "data-folder")
    page = client.get("/", headers={"Accept-Language": "ja"})
    assert page.status_code == 503 and "データフォルダー" in page.get_data(as_text=True)
    assert not (config.data / "waymark.sqlite3").exists()


def spoil_header(data: Path) -> None:
    (data / "waymark.sqlite3").write_bytes(b"no database at all" * 1000)


def make_newer(data: Path) -> None:
    with closing(sqlite3.connect(data / "waymark.sqlite3")) as opened:
        opened.execute("UPDATE alembic_version SET version_num = '9999'")
        opened.commit()


def photos_a_file(data: Path) -> None:
    shutil.rmtree(data / "photos")
    (data / "photos").write_bytes(b"")


def key_a_folder(data: Path) -> None:
    (data / "secret-key").unlink()
    (data / "secret-key").mkdir()


@pytest.mark.parametrize(
    ("spoil", "code", "words"),
    [
        (spoil_header, "damaged", "waymark data restore"),
        (make_newer, "newer-data", "newer Waymark"),
        (photos_a_file, "not-writable", "photos"),
        (key_a_folder, "not-writable", "secret-key"),
    ],
)
def test_a_folder_that_cannot_be_used_is_told_at_the_start(
    app: Flask, config: ServerConfig, spoil: Any, code: str, words: str
) -> None:
    services_of(app).database.engine.dispose()
    spoil(config.data)
    with pytest.raises(WaymarkError) as told:
        create_app(config)
    assert told.value.code == code and words in told.value.en


def test_a_database_that_is_damaged_later_is_told(
    app: Flask, client: FlaskClient, config: ServerConfig
) -> None:
    assert client.post("/api/v1/games", json=GAME).status_code == 201
    services_of(app).database.engine.dispose()
    with (config.data / "waymark.sqlite3").open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))
    assert "damaged" in refused(client.get("/api/v1/games"), 503, "damaged")
    assert client.get("/").status_code == 503
    refused(client.post("/api/v1/games", json=GAME), 503, "damaged")


def test_what_was_half_written_is_cleared_at_the_start(app: Flask, config: ServerConfig) -> None:
    places = [config.photos / "ab" / ".part-1", config.display_copies / "ab" / ".part-2"]
    for place in places:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(b"half")
    services_of(create_app(config)).database.engine.dispose()
    assert not any(place.exists() for place in places)


def test_a_damaged_photo_is_noticed_and_mended_by_sending_it_again(
    app: Flask, client: FlaskClient, config: ServerConfig
) -> None:
    sent = json_of(send(client))["shot"]
    file = original_file(config.photos, sent["photo_id"])
    file.write_bytes(file.read_bytes()[:-100] + bytes(100))
    refused_page = client.get(f"/photos/{sent['photo_id']}/480.jpg")
    assert refused_page.status_code == 410 and "send the same photo again" in refused_page.get_data(True)
    with pytest.raises(WaymarkError) as noticed:
        check_original(file, sent["photo_id"])
    with services_of(app).database.transaction() as session:
        fail(session.get_one(Shot, sent["id"]), noticed.value)
    assert send(client).status_code == 202
    assert file.read_bytes() == PHOTO
    assert client.get(f"/photos/{sent['photo_id']}/480.jpg").status_code == 200
    with services_of(app).database.snapshot() as session:
        assert session.get_one(Shot, sent["id"]).state == "waiting", "it is read after all"


def test_a_clock_that_goes_back_costs_no_undo(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = call("POST", "/games", GAME, status=201)["rounds"][0]["entries"][0]["id"]
    changes = []
    for years, points in enumerate((5, 7, 9)):

        class Earlier(datetime):
            """A clock that was put back."""

            back = timedelta(days=365 * years)

            @classmethod
            def now(cls, tz: Any = None) -> Any:
                return datetime.now(tz or UTC) - cls.back

        monkeypatch.setattr(webapp.store.models, "datetime", Earlier)
        changes.append(call("PATCH", f"/entries/{entry}", {"scores": {"primary": points}})["change"])
    stood = []
    for change in reversed(changes):
        undone = call("POST", f"/entries/{entry}/undo", {"change": change})
        stood.append(undone["scores"]["primary"])
    assert stood == [7, 5, None]


def test_a_data_folder_may_be_named_from_here(
    config: ServerConfig, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    services_of(app).database.engine.dispose()
    monkeypatch.chdir(config.data.parent)
    here = create_app(ServerConfig(data=Path(config.data.name), scan_workers=0))
    client = here.test_client()
    photo = json_of(send(client))["shot"]["photo_id"]
    assert client.get(f"/photos/{photo}/480.jpg").status_code == 200
    services_of(here).database.engine.dispose()


def test_text_goes_out_compressed_but_no_page_that_repeats_its_address(client: FlaskClient) -> None:
    def coding(address: str, accepts: str = "gzip, br") -> str | None:
        answer = client.get(address, headers={"Accept-Encoding": accepts})
        return answer.headers.get("Content-Encoding")

    assert [coding(each) for each in ("/", "/api/v1/openapi.json", "/static/app.css")] == ["gzip"] * 3
    assert coding("/api/v1/export/rounds.csv") == "gzip"
    assert coding("/", "identity") is None and coding("/", "gzip;q=0") is None
    # Beside the form's token anybody could have put there what it is to be compared with.
    assert coding("/history?q=token") is None and coding("/nowhere") is None
    assert coding("/static/icons/apple-touch-180.png") is None
