"""Photos come in: by the API and the plain form, once for each key, from any device and under any name."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from api_calls import json_of
from flask import Flask
from flask.testing import FlaskClient
from live_server import PHOTOS
from photo_files import original_file
from PIL import Image
from sqlalchemy import func, select

from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.http.services import KEY, Services
from webapp.store.models import Entry, Game, GameRound, Person, Photo, Seat, Shot, Tableau

ENTIRE = (PHOTOS / "table-07.jpg").read_bytes()
OTHER = (PHOTOS / "table-01.jpg").read_bytes()


def services_of(app: Flask) -> Services:
    found: Services = app.extensions[KEY]
    return found


def make_entry(services: Services, name: str = "あや") -> str:
    """A player's round; its id."""
    with services.database.transaction() as session:
        game = Game()
        seat = Seat(game=game, person=Person(name=name), position=0, name=name, colour="red")
        entry = Entry(round=GameRound(game=game, number=1), seat=seat)
        session.add(entry)
        session.flush()
        return entry.id


def count(services: Services, kind: type[Any]) -> int:
    with services.database.snapshot() as session:
        return session.scalar(select(func.count()).select_from(kind)) or 0


def send(client: FlaskClient, data: bytes = ENTIRE, name: str = "table.jpg", **fields: str) -> Any:
    form = {"photo": (io.BytesIO(data), name), **fields}
    return client.post("/api/v1/photos", data=form, content_type="multipart/form-data")


def picture(kind: str, size: tuple[int, int] = (400, 300), mode: str = "RGB") -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, size, "white").save(buffer, kind)
    return buffer.getvalue()


def test_a_photo_is_kept_as_it_came_before_it_is_acknowledged(app: Flask, client: FlaskClient) -> None:
    answer = send(client, client_key="k")
    assert answer.status_code == 202
    services = services_of(app)
    photo_id = answer.json["shot"]["photo_id"]
    assert original_file(services.config.photos, photo_id).read_bytes() == ENTIRE
    with services.database.snapshot() as session:
        shot = session.get_one(Shot, answer.json["shot"]["id"])
        assert (shot.tableau_id, shot.state) == (answer.json["tableau_id"], "waiting")


def test_the_same_key_gives_the_same_answer_and_one_photo(app: Flask, client: FlaskClient) -> None:
    first, second = send(client, client_key="k"), send(client, client_key="k")
    assert (second.status_code, second.json) == (202, first.json)
    assert (count(services_of(app), Shot), count(services_of(app), Tableau)) == (1, 1)


def test_the_same_key_at_the_same_moment_keeps_one_photo(app: Flask) -> None:
    answers: list[Any] = []
    ready = threading.Barrier(8)

    def one() -> None:
        client = app.test_client()
        ready.wait()
        answers.append(send(client, client_key="k"))

    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == [202] * 8
    assert len({answer.json["shot"]["id"] for answer in answers}) == 1
    assert (count(services_of(app), Shot), count(services_of(app), Tableau)) == (1, 1)


def test_a_database_that_sees_the_key_taken_too_late_is_asked_again(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    # SQLite has one writer; elsewhere two may find the key free, and the later one hears so at its flush.
    from webapp.http import uploads
    from webapp.store import tableaus

    first = send(client, client_key="k")
    look, blind = uploads._keep, [True]

    def keep(session: Any, upload: Any, stored: Any) -> Shot:
        if blind.pop() if blind else False:
            return tableaus.add_shot(
                session, uploads._target(session, upload), stored, client_key=upload.client_key
            )
        return look(session, upload, stored)

    monkeypatch.setattr(uploads, "_keep", keep)
    again = send(client, client_key="k")
    assert not blind
    assert (again.status_code, again.json) == (202, first.json)
    assert (count(services_of(app), Shot), count(services_of(app), Tableau)) == (1, 1)


def test_a_key_stands_for_one_photo_of_one_tableau(app: Flask, client: FlaskClient) -> None:
    mine, yours = make_entry(services_of(app)), make_entry(services_of(app), "ben")
    assert send(client, client_key="k", entry_id=mine).status_code == 202
    for answer in (
        send(client, OTHER, client_key="k", entry_id=mine),
        send(client, client_key="k", entry_id=yours),
        send(client, client_key="k", tableau_id="x"),
    ):
        assert (answer.status_code, answer.json["error"]["code"]) == (409, "conflict")
    assert count(services_of(app), Shot) == 1


def test_photos_of_an_entry_go_to_its_one_tableau(app: Flask, client: FlaskClient) -> None:
    entry = make_entry(services_of(app))
    first, second = send(client, entry_id=entry), send(client, OTHER, entry_id=entry)
    third = send(client, tableau_id=first.json["tableau_id"])
    assert len({answer.json["tableau_id"] for answer in (first, second, third)}) == 1
    shown = json_of(client.get(f"/api/v1/tableaus/{first.json['tableau_id']}"))
    assert [shot["id"] for shot in shown["shots"]] == [
        answer.json["shot"]["id"] for answer in (first, second, third)
    ]
    assert count(services_of(app), Photo) == 2


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("卓上 の写真 🎲.jpg", "卓上 の写真 🎲.jpg"),
        ("../../../etc/passwd", "passwd"),
        ("C:\\fakepath\\IMG_1.JPG", "IMG_1.JPG"),
        ("<script>alert('x')</script>.jpg", "script>.jpg"),
        ("a\"b'c;d=e.jpg", "a\"b'c;d=e.jpg"),
        ("あ" * 400 + ".jpg", "あ" * 300),
        ("tab\there\x00.jpg", "tabhere.jpg"),
        ("..", ".."),
    ],
)
def test_a_file_may_be_called_anything(sent: str, kept: str) -> None:
    from webapp.http.uploads import plain_filename

    assert plain_filename(sent) == kept


def test_an_odd_name_is_shown_and_names_no_file(app: Flask, client: FlaskClient) -> None:
    answer = send(client, name="../../表 <b>.jpg")
    assert answer.json["shot"]["filename"] == "表 <b>.jpg"
    folder = services_of(app).config.photos
    assert [file.name for file in folder.rglob("*") if file.is_file()] == [answer.json["shot"]["photo_id"]]


@pytest.mark.parametrize(
    ("data", "status", "code"),
    [  # What is large is made when it is its turn.
        (ENTIRE[: len(ENTIRE) // 2], 422, "cut-off"),
        (ENTIRE[:4000], 422, "cut-off"),
        (b"%PDF-1.7 no picture", 415, "not-an-image"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", 415, "not-an-image"),
        (partial(picture, "GIF"), 415, "not-an-image"),
        (partial(picture, "PNG", (100, 100)), 422, "too-small"),
        (partial(picture, "PNG", (12000, 9500), mode="1"), 413, "too-large"),
        (b"", 400, "no-photo"),
    ],
    ids=["half", "header-only", "pdf", "svg", "gif", "too-small", "too-many-pixels", "empty"],
)
def test_what_is_no_photo_is_refused_in_one_sentence(
    app: Flask, client: FlaskClient, data: bytes | Callable[[], bytes], status: int, code: str
) -> None:
    sent = data if isinstance(data, bytes) else data()
    answer = send(client, sent, entry_id=make_entry(services_of(app)))
    assert (answer.status_code, answer.json["error"]["code"]) == (status, code)
    assert answer.json["error"]["message"].endswith(".")
    assert (count(services_of(app), Shot), count(services_of(app), Tableau)) == (0, 0)
    assert not [file for file in services_of(app).config.photos.rglob("*") if file.is_file()]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_the_type_is_seen_in_the_bytes_whatever_the_name_says(client: FlaskClient, kind: str) -> None:
    assert send(client, picture(kind), name="notes.txt").status_code == 202


def test_an_upload_beyond_the_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    app = create_app(ServerConfig(data=tmp_path / "data", scan_workers=0, max_upload_bytes=len(ENTIRE) // 2))
    answer = send(app.test_client())
    assert (answer.status_code, answer.json["error"]["code"]) == (413, "too-large")
    services_of(app).database.engine.dispose()


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"tableau_id": "nowhere"}, 404, "not-found"),
        ({"entry_id": "nowhere"}, 404, "not-found"),
        ({"entry_id": "a", "tableau_id": "b"}, 400, "two-targets"),
        ({"client_key": "k" * 65}, 400, "not-valid"),
        ({"client_key": "a\nb"}, 400, "not-valid"),
    ],
)
def test_a_wrong_target_or_key_is_told(
    client: FlaskClient, fields: dict[str, Any], status: int, code: str
) -> None:
    answer = send(client, **fields)
    assert (answer.status_code, answer.json["error"]["code"]) == (status, code)


def test_one_request_brings_one_photo(app: Flask, client: FlaskClient) -> None:
    form = {"photo": [(io.BytesIO(ENTIRE), "a.jpg"), (io.BytesIO(OTHER), "b.jpg")]}
    answer = client.post("/api/v1/photos", data=form, content_type="multipart/form-data")
    assert (answer.status_code, json_of(answer)["error"]["code"]) == (400, "several-photos")
    assert count(services_of(app), Shot) == 0


def test_a_plain_form_brings_photos_once_and_goes_to_the_tableau(app: Flask, client: FlaskClient) -> None:
    entry = make_entry(services_of(app))
    app.config["WTF_CSRF_ENABLED"] = False

    def post(*photos: bytes, **fields: str) -> Any:
        # The camera's input comes first and is empty where files were chosen.
        files = [(io.BytesIO(b""), ""), *((io.BytesIO(photo), "p.jpg") for photo in photos)]
        form = {"photo": files, "form_key": "f", "entry_id": entry, **fields}
        return client.post("/capture", data=form, content_type="multipart/form-data")

    first, again = post(ENTIRE), post(ENTIRE, OTHER)
    assert (first.status_code, first.location) == (303, again.location)
    assert first.location.startswith("/tableaus/")
    assert (count(services_of(app), Shot), count(services_of(app), Tableau)) == (2, 1)
    assert post(OTHER, next="/games/x").location == "/games/x"
    assert post(OTHER, next="//elsewhere.example/").location == "/"


def test_a_plain_form_of_another_site_brings_nothing(app: Flask, client: FlaskClient) -> None:
    form = {"photo": (io.BytesIO(ENTIRE), "p.jpg")}
    assert client.post("/capture", data=form, content_type="multipart/form-data").status_code == 400
    assert count(services_of(app), Shot) == 0


@pytest.mark.parametrize(("language", "word"), [("en", "Take a photo"), ("ja", "写真を撮る")])
def test_the_app_can_be_installed_in_both_languages(client: FlaskClient, language: str, word: str) -> None:
    page = client.get("/", headers={"Accept-Language": language}).get_data(as_text=True)
    address = f"/manifest/{language}.webmanifest"
    assert f'rel="manifest" href="{address}"' in page
    answer = client.get(address)
    assert answer.mimetype == "application/manifest+json"
    manifest = json.loads(answer.data)
    assert (manifest["lang"], manifest["shortcuts"][0]["name"]) == (language, word)
    assert {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]} >= {
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    }
    for icon in manifest["icons"]:
        side = int(icon["sizes"].split("x")[0])
        assert Image.open(io.BytesIO(client.get(icon["src"]).data)).size == (side, side)


def test_the_service_worker_may_serve_the_whole_app_and_knows_its_files(client: FlaskClient) -> None:
    answer = client.get("/sw.js")
    assert (answer.mimetype, answer.headers["Service-Worker-Allowed"]) == ("text/javascript", "/")
    lines = answer.get_data(as_text=True).splitlines()
    files = json.loads(next(line for line in lines if line.startswith("const FILES"))[14:-1])
    assert "/static/app.css" in files
    assert all(client.get(file).status_code == 200 for file in files)


def test_the_service_worker_has_another_version_with_another_file(tmp_path: Path) -> None:
    from webapp.http.pages.capture import static_files

    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "a.css").write_text("a {}")
    before = static_files(tmp_path / "static")
    (tmp_path / "static" / "a.css").write_text("b {}")
    static_files.cache_clear()
    after = static_files(tmp_path / "static")
    static_files.cache_clear()
    assert before[1] == after[1] == ("a.css",)
    assert before[0] != after[0]


def test_what_browsers_fetch_by_themselves_needs_no_pin(tmp_path: Path) -> None:
    app = create_app(ServerConfig(data=tmp_path / "data", scan_workers=0, pin="2468"))
    client = app.test_client()
    for address in ("/sw.js", "/manifest/en.webmanifest", "/offline/ja"):
        assert client.get(address).status_code == 200
    assert client.get("/capture").status_code == 302
    assert send(client).status_code == 401
    services_of(app).database.engine.dispose()


def test_a_viewfinder_is_told_where_nobody_has_time_to_look(client: FlaskClient) -> None:
    def look(data: bytes) -> Any:
        form = {"photo": (io.BytesIO(data), "frame.jpg")}
        return client.post("/api/v1/outlines", data=form, content_type="multipart/form-data")

    assert look(picture("JPEG")).json == {"busy": True, "cards": [], "apart": []}
    assert look(b"x" * ((1 << 20) + 1)).status_code == 413


def test_a_photo_that_waits_is_called_after_its_player(app: Flask, client: FlaskClient) -> None:
    name = "<script>さくら"
    entry = make_entry(services_of(app), name)
    for address in (f"/capture?entry_id={entry}", f"/capture/live?entry_id={entry}"):
        page = client.get(address).get_data(as_text=True)
        assert 'data-name="&lt;script&gt;さくら"' in page
        assert f'data-entry="{entry}"' in page
        assert name not in page


def test_devices_at_the_same_cards_are_counted_until_they_are_gone() -> None:
    from webapp.scans.presence import GONE_AFTER, Photographers

    photographers = Photographers()
    assert photographers.tell("aya", "phone", 0) == 0
    assert photographers.tell("aya", "phone", 1) == 0, "one device is no other"
    assert photographers.tell("aya", "tablet", 2) == 1
    assert photographers.tell("ben", "laptop", 2) == 0
    assert photographers.tell("aya", "tablet", 1 + GONE_AFTER) == 0, "the phone has gone"


def test_whoever_is_about_to_photograph_hears_of_photos_that_came(app: Flask, client: FlaskClient) -> None:
    entry = make_entry(services_of(app))

    def tell(device: str = "phone", **whose: str) -> Any:
        return client.post("/api/v1/photographers", json={"device": device, **whose})

    assert tell(entry_id=entry).json == {"others": 0, "tableau_id": None, "shots": []}
    tableau_id = send(client, entry_id=entry).json["tableau_id"]
    for whose in ({"entry_id": entry}, {"tableau_id": tableau_id}):
        heard = tell(**whose).json
        assert (heard["tableau_id"], len(heard["shots"])) == (tableau_id, 1)
    # Who photographs for the round and who takes its photo again photograph the same cards.
    assert tell("tablet", tableau_id=tableau_id).json["others"] == 1
    assert tell().json == {"others": 0, "tableau_id": None, "shots": []}
    assert tell(entry_id="nobody").status_code == 404
    assert client.get("/api/v1/reader").json == {"ready": False, "reading": 0, "workers": 0}
