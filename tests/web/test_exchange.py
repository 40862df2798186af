"""The log leaves and comes in: nothing is lost, nothing doubled, nothing private goes along."""

from __future__ import annotations

import csv
import errno
import hashlib
import io
import itertools
import json
import re
import secrets
import shutil
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from unicodedata import normalize
from urllib.parse import unquote
from xml.etree import ElementTree as Xml

import msgspec
import numpy as np
import pytest
from api_calls import json_of
from exchanged import (
    OWNER,
    RECORD,
    export,
    full_table,
    photo_with_place,
    play,
    rows_of,
    send,
    services_of,
    take,
)
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from live_server import PHOTOS
from long_rest import long_but
from PIL import ExifTags, Image
from spoilt_logs import Log
from sqlalchemy import select

from scorer.games import game_named
from scorer.mapmasters.rules.final_score import final_score
from scorer.mapmasters.rules.game_record import parse_game
from vision.photo.decode import load_photo
from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.http.services import KEY
from webapp.log import log_import, score_tables
from webapp.log.log_export import log_zip
from webapp.log.log_import import finish_imports
from webapp.log.metadata import without_metadata
from webapp.log.score_tables import BYTE_ORDER_MARK, csv_line
from webapp.store.models import Change, Photo, Revision, Shot, Tableau, new_id, now
from webapp.store.photo_store import PhotoStore
from webapp.store.photos import StoredPhoto, original_key, store_original

HEIC = Path(__file__).parents[1] / "data" / "quadrants-turned.heic"


def says_where(data: bytes) -> bool:
    with Image.open(io.BytesIO(data)) as picture:
        exif = picture.getexif()
        return bool(exif.get_ifd(ExifTags.IFD.GPSInfo)) or OWNER.encode() in data


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Flask]:
    """Another table, empty."""
    app = create_app(ServerConfig(data=tmp_path / "other", scan_workers=0))
    yield app
    app.extensions[KEY].database.engine.dispose()


# --- the whole log ------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_an_empty_table_that_takes_a_log_in_is_the_same_table(
    app: Flask, client: FlaskClient, other: Flask
) -> None:
    full_table(app, client)
    log = export(client)
    report = take(other.test_client(), log)
    assert report["photos_added"] == 2
    assert (report["photos_missing"], report["updated"], report["kept"]) == (0, {}, {})
    here, there = rows_of(app), rows_of(other)
    # A photo that said where it was taken is another file without that; all others are the same.
    manifest = json.loads(zipfile.ZipFile(io.BytesIO(log)).read("manifest.json"))
    renamed = {photo["id"]: photo["sha256"] for photo in manifest["photos"]}
    for shot in here["shot"].values():
        shot["photo_id"] = renamed[shot["photo_id"]]
    photos = {renamed[photo_id] for photo_id in here.pop("photo")}
    assert set(there.pop("photo")) == photos
    assert here == there
    assert len(here["game"]) == 2 and len(here["change"]) > 10
    kept = {
        file.name: file.read_bytes() for file in services_of(other).config.photos.rglob("*") if file.is_file()
    }
    assert set(kept) == photos
    assert all(hashlib.sha256(data).hexdigest() == name for name, data in kept.items())


def test_a_log_taken_in_twice_changes_nothing_the_second_time(
    app: Flask, client: FlaskClient, other: Flask
) -> None:
    full_table(app, client)
    log = export(client)
    take(other.test_client(), log)
    before = rows_of(other)
    for table, where in ((other.test_client(), other), (client, app)):
        mine = rows_of(where)
        report = take(table, log)
        assert not any(report["added"].values()) and not report["updated"] and not report["kept"]
        assert report["photos_added"] == 0
        assert rows_of(where) == mine
    assert rows_of(other) == before


@pytest.mark.long
def test_the_later_change_stands_whichever_table_made_it(
    app: Flask, client: FlaskClient, other: Flask
) -> None:
    game = play(client, "Aya", "Ken")
    first, second = (round_["entries"][0]["id"] for round_ in game["rounds"][:2])
    there = other.test_client()
    take(there, export(client))
    # Each table changes a score of its own and one that the other changes, too; the other table is later.
    client.patch(f"/api/v1/entries/{first}", json={"primary_vp": 11})
    client.patch(f"/api/v1/entries/{second}", json={"primary_vp": 5})
    there.patch(f"/api/v1/entries/{second}", json={"primary_vp": 9})
    version = json_of(client.get(f"/api/v1/games/{game['id']}"))["version"]
    report = take(client, export(there))
    assert (report["updated"], report["kept"]) == ({"entry": 1}, {"entry": 1})
    scores = [json_of(client.get(f"/api/v1/entries/{entry}"))["primary_vp"] for entry in (first, second)]
    assert scores == [11, 9]
    assert json_of(client.get(f"/api/v1/games/{game['id']}"))["version"] > version
    with services_of(app).database.snapshot() as session:
        overwritten = [change.before.get("scores.primary") for change in session.query(Change)]
    assert 5 in overwritten
    # The other table takes the score that was only changed here, and both are the same again.
    assert take(there, export(client))["updated"] == {"entry": 1}
    scores = [json_of(there.get(f"/api/v1/entries/{entry}"))["primary_vp"] for entry in (first, second)]
    assert scores == [11, 9]


@pytest.mark.long
def test_corrections_on_both_tables_are_all_kept_and_the_later_one_stands(
    app: Flask, client: FlaskClient, other: Flask
) -> None:
    full_table(app, client)
    take(other.test_client(), export(client))

    def correct(where: Flask, card: str, minutes: int) -> None:
        with services_of(where).database.transaction() as session:
            tableau = (
                session.query(Tableau)
                .filter(Tableau.record.is_not(None))
                .order_by(Tableau.created_at)
                .first()
            )
            assert tableau is not None
            record = {**RECORD, "cards": [{**RECORD["cards"][0], "card": card}]}
            revision = Revision(tableau=tableau, number=1, kind="card", record=record, before=0)
            revision.created_at = now() + timedelta(minutes=minutes)
            session.add(revision)
            tableau.record = record

    correct(app, "D30", 1)
    correct(other, "D31", 2)
    take(client, export(other.test_client()))
    with services_of(app).database.snapshot() as session:
        revisions = session.query(Revision).order_by(Revision.number).all()
        tableau = session.get_one(Tableau, revisions[0].tableau_id)
        assert [row.record["cards"][0]["card"] for row in revisions] == ["D29", "D30", "D31"]
        assert tableau.record is not None and tableau.record["cards"][0]["card"] == "D31"
    # The other way round this table's is the later one: it is repeated behind what came in.
    log = export(client)
    correct_later = rows_of(other)
    take(other.test_client(), log)
    with services_of(other).database.snapshot() as session:
        latest = session.query(Revision).order_by(Revision.number.desc()).first()
        assert latest is not None and latest.record["cards"][0]["card"] == "D31"
    assert len(correct_later["revision"]) < len(rows_of(other)["revision"])


def test_a_table_with_games_of_its_own_keeps_them_and_is_told_of_namesakes(
    client: FlaskClient, other: Flask
) -> None:
    there = other.test_client()
    play(client, "Aya", "Ken", title="here")
    play(there, "Aya", "Mo", title="there")
    report = take(there, export(client))
    assert report["added"]["game"] == 1 and report["namesakes"] == ["Aya"]
    assert [game["title"] for game in json_of(there.get("/api/v1/history"))["games"]] == ["there", "here"]


def test_where_both_tables_photographed_a_round_both_photos_are_kept(
    app: Flask, client: FlaskClient, other: Flask
) -> None:
    game = play(client, "Aya", "Ken", rounds=0)
    entry = game["rounds"][0]["entries"][0]["id"]
    there = other.test_client()
    take(there, export(client))
    first = send(there, photo_with_place(), entry_id=entry)["tableau_id"]
    second = send(client, photo_with_place(orientation=1), entry_id=entry)["tableau_id"]
    report = take(there, export(client))
    assert (report["added"]["tableau"], report["photos_added"], report["kept"]) == (1, 1, {"tableau": 1})
    with services_of(other).database.snapshot() as session:
        assert session.get_one(Tableau, first).entry_id == entry
        assert session.get_one(Tableau, second).entry_id is None
    found = json_of(there.get("/api/v1/history/photos"))["photos"]
    assert {photo["tableau_id"] for photo in found} == {first, second}


def changed(log: bytes, change: Callable[[str, bytes], bytes | None]) -> bytes:
    """The zip with files replaced, or left out (None)."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(log)) as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new,
    ):
        for name in old.namelist():
            data = change(name, old.read(name))
            if data is not None:
                new.writestr(name, data)
    return out.getvalue()


def zip_of(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "."), data)
    return out.getvalue()


def with_a_rule_in_words(noun: str) -> Callable[[str, bytes], bytes]:
    return lambda name, data: (
        data.replace(b'"settings":{}', b'"settings":{"card_limit":"many"}').replace(
            b'"terms":{}', b'"terms":{"card_limit":"many"}'
        )
        if name == f"rows/{noun}.jsonl"
        else data
    )


BROKEN: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "nothing": ("not-a-log", lambda log: b""),
    "a photo": ("not-a-log", lambda log: photo_with_place()),
    "another zip": ("not-a-log", lambda log: zip_of(readme__txt=b"hello")),
    "half of it": ("not-a-log", lambda log: log[: len(log) // 2]),
    "a manifest that is none": ("not-a-log", lambda log: zip_of(manifest__json=b"[1, 2")),
    "a later format": (
        "not-a-log",
        lambda log: changed(log, lambda name, data: data.replace(b"waymark-log/1", b"waymark-log/9")),
    ),
    "another photo under its name": (
        "log-broken",
        lambda log: changed(log, lambda name, data: data[:-9] if name.startswith("photos/") else data),
    ),
    "a photo is gone": (
        "log-broken",
        lambda log: changed(log, lambda name, data: None if name.startswith("photos/") else data),
    ),
    "a table is gone": (
        "log-broken",
        lambda log: changed(log, lambda name, data: None if name == "rows/seat.jsonl" else data),
    ),
    "a row is gone": (
        "log-broken",
        lambda log: changed(
            log, lambda name, data: b"".join(data.splitlines(True)[1:]) if name == "rows/seat.jsonl" else data
        ),
    ),
    "a score in words": (
        "log-broken",
        lambda log: changed(log, lambda name, data: data.replace(b'"primary":3', b'"primary":"3"')),
    ),
    "an id that is a path": (
        "log-broken",
        lambda log: changed(
            log,
            lambda name, data: (
                re.sub(rb'"id":"[^"]*"', b'"id":"../../x"', data) if "person" in name else data
            ),
        ),
    ),
    "an id with a line break": (
        "log-broken",
        lambda log: changed(
            log,
            lambda name, data: (
                re.sub(rb'"id":"([^"]*)"', rb'"id":"\1\\n"', data) if "claim" in name else data
            ),
        ),
    ),
    "photos that are named by no hash": (
        "log-broken",
        lambda log: changed(
            log,
            lambda name, data: (
                re.sub(rb'"(id|photo_id)": ?"[0-9a-f]{6}([0-9a-f]{58})"', rb'"\1":"photo-\2"', data)
                if name in {"rows/photo.jsonl", "rows/shot.jsonl", "manifest.json"}
                else data
            ),
        ),
    ),
    "a number that no database holds": (
        "log-broken",
        lambda log: changed(log, lambda name, data: data.replace(b'"primary":3', b'"primary":99999999999')),
    ),
    "a text that no database holds": (
        "log-broken",
        lambda log: changed(log, lambda name, data: data.replace(b'"title":"', b'"title":"\\u0000')),
    ),
    "a word longer than its column": (
        "log-broken",
        lambda log: changed(
            log, lambda name, data: data.replace(b'"colour":"red"', b'"colour":"%b"' % (b"r" * 17))
        ),
    ),
    "rows that refer to nothing": (
        "log-broken",
        lambda log: changed(
            log, lambda name, data: re.sub(rb'"person_id":"[^"]*"', b'"person_id":"nobody"', data)
        ),
    ),
    "a reading that is none": (
        "log-broken",
        lambda log: changed(log, lambda name, data: b"{}" if name.startswith("readings/") else data),
    ),
    "a claim that was said of nothing": (
        "log-broken",
        lambda log: changed(log, lambda name, data: data.replace(b'"before":{', b'"before":[],"x":{')),
    ),
    "house rules that there are none of": (
        "log-broken",
        lambda log: changed(log, lambda name, data: data.replace(b'"settings":{}', b'"settings":{"luck":1}')),
    ),
    "a house rule in words": ("log-broken", lambda log: changed(log, with_a_rule_in_words("game"))),
    "a tableau's house rule in words": (
        "log-broken",
        lambda log: changed(log, with_a_rule_in_words("tableau")),
    ),
    "a file too large for what it says": (
        "too-large",
        lambda log: changed(log, lambda name, data: b" " * (65 << 20) if name == "manifest.json" else data),
    ),
    "a line without an end": (
        "too-large",
        lambda log: changed(log, lambda name, data: b" " * (5 << 20) if name == "rows/game.jsonl" else data),
    ),
}


@pytest.fixture(scope="module")
def whole_log(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The log of a table with everything in it."""
    app = create_app(ServerConfig(data=tmp_path_factory.mktemp("whole") / "data", scan_workers=0))
    full_table(app, app.test_client())
    log = export(app.test_client())
    app.extensions[KEY].database.engine.dispose()
    return log


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_log_is_refused_in_one_sentence_and_nothing_of_it_stays(
    whole_log: bytes, other: Flask, case: str
) -> None:
    code, spoil = BROKEN[case]
    before = rows_of(other)
    answer = other.test_client().post("/api/v1/log", data=spoil(whole_log), headers={"Accept-Language": "ja"})
    assert answer.json is not None and answer.json["error"]["code"] == code, answer.text
    assert answer.status_code in (400, 413)
    assert answer.json["error"]["message"].endswith("。")
    assert rows_of(other) == before
    assert not list(services_of(other).config.receiving.iterdir())


def test_how_far_an_import_has_come_is_told(
    app: Flask, client: FlaskClient, other: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    full_table(app, client)
    log = export(client)
    asked: list[Any] = []

    def progress(key: str) -> Any:
        return other.test_client().get(f"/api/v1/log/progress?key={key}").json

    def store(originals: PhotoStore, data: bytes) -> StoredPhoto:
        asked.append((progress("mine"), progress("another")))
        return store_original(originals, data)

    monkeypatch.setattr("webapp.log.log_import.store_original", store)
    answer = other.test_client().post(
        "/api/v1/log?key=mine", data=log, content_type="application/octet-stream"
    )
    assert answer.status_code == 200
    nothing = {"running": False, "photos": 0, "total": 0}
    assert len(asked) == 2
    for mine, another in asked:
        # Both may be on their way at once: neither is told as stored before it is.
        assert mine in ({"running": True, "photos": number, "total": 2} for number in range(2))
        assert another == nothing
    assert progress("mine") == nothing


def test_names_in_a_zip_never_become_paths(
    app: Flask, client: FlaskClient, other: Flask, tmp_path: Path
) -> None:
    full_table(app, client)

    out = io.BytesIO(export(client))
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("../../escaped.txt", b"x")
        archive.writestr("/escaped.txt", b"x")
    take(other.test_client(), out.getvalue())
    assert not list(tmp_path.rglob("escaped.txt"))


def packed_again(data: bytes, folder: str, *, added: bool = True, encoding_told: bool = True) -> bytes:
    """A zip whose files were unpacked and packed again in a folder, as Finder does it: in NFD, with what it
    adds, and, from older versions, in UTF-8 without a word of it."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as there, zipfile.ZipFile(out, "w") as new:
        new.mkdir(folder.rstrip("/"))
        for name in there.namelist():
            path = normalize("NFD", folder + name)
            new.writestr(path, there.read(name))
            if added:
                new.writestr(f"__MACOSX/{folder}._{name.rpartition('/')[2]}", b"\0\5\x16\7")
        if added:
            new.writestr(f"{folder}.DS_Store", b"\0\0\0\1")
    packed = out.getvalue()
    if encoding_told:
        return packed
    # The bit that says "UTF-8", in the headers of files and in the directory.
    for start, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = packed.find(start)
        while at >= 0:
            bits = int.from_bytes(packed[at + flags : at + flags + 2], "little") & ~0x800
            packed = packed[: at + flags] + bits.to_bytes(2, "little") + packed[at + flags + 2 :]
            at = packed.find(start, at + 1)
    return packed


@pytest.mark.parametrize("folder", ["waymark-log/", "ダウンロード/waymark-log 2/"])
@pytest.mark.parametrize("added", [True, False])
@pytest.mark.parametrize("encoding_told", [True, False])
def test_a_log_that_was_unpacked_and_packed_again_is_the_same_log(
    app: Flask, client: FlaskClient, other: Flask, folder: str, added: bool, encoding_told: bool
) -> None:
    full_table(app, client)
    log = packed_again(export(client), folder, added=added, encoding_told=encoding_told)
    assert take(other.test_client(), log)["photos_added"] == 2
    here, there = rows_of(app), rows_of(other)
    assert all(here[noun] == there[noun] for noun in ("person", "game", "seat", "entry", "tableau"))


def test_two_logs_packed_into_one_zip_are_none(app: Flask, client: FlaskClient, other: Flask) -> None:
    log, out = export(client), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(log)) as there, zipfile.ZipFile(out, "w") as new:
        for name in there.namelist():
            new.writestr(f"monday/{name}", there.read(name))
            new.writestr(f"tuesday/{name}", there.read(name))
    answer = other.test_client().post("/api/v1/log", data=out.getvalue())
    assert json_of(answer)["error"]["code"] == "not-a-log"


# --- nothing private goes along -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", long_but([1, 6, 8], 1))
def test_a_photo_leaves_without_its_place_and_with_every_pixel(kind: str, orientation: int) -> None:
    photo = photo_with_place(kind, orientation=orientation)
    assert says_where(photo)
    public = without_metadata(photo, Image.MIME[kind])
    assert public.lossless and not says_where(public.data)
    assert np.array_equal(load_photo(photo).pixels, load_photo(public.data).pixels)
    assert without_metadata(public.data, public.media_type).data == public.data


def test_a_jfif_thumbnail_stays_at_home() -> None:
    """It may show what a photo was before it was cut."""
    buffer = io.BytesIO()
    Image.new("RGB", (400, 300), "green").save(buffer, "JPEG")
    plain = buffer.getvalue()
    small = b"what it was!"
    header = b"\xff\xe0" + (16 + len(small)).to_bytes(2, "big") + plain[6:18] + b"\x02\x02" + small
    photo = plain[:2] + header + plain[20:]
    public = without_metadata(photo, "image/jpeg")
    assert public.lossless and small in photo and small not in public.data
    assert public.data == plain
    assert np.array_equal(load_photo(photo).pixels, load_photo(public.data).pixels)


def test_a_heic_leaves_as_an_upright_jpeg() -> None:
    public = without_metadata(HEIC.read_bytes(), "image/heif")
    assert (public.media_type, public.lossless) == ("image/jpeg", False)
    before, after = load_photo(HEIC), load_photo(public.data)
    assert before.pixels.shape == after.pixels.shape
    assert np.abs(before.pixels.astype(int) - after.pixels).mean() < 3


@pytest.mark.parametrize("photo", sorted(PHOTOS.glob("*.jpg"))[:3], ids=lambda path: path.name)
def test_shipped_photos_keep_every_pixel(photo: Path) -> None:
    public = without_metadata(photo.read_bytes(), "image/jpeg")
    assert np.array_equal(load_photo(photo).pixels, load_photo(public.data).pixels)


def test_every_way_out_is_without_the_place(app: Flask, client: FlaskClient) -> None:
    photo = photo_with_place()
    game = play(client, "Aya", "Ken")
    sent = send(client, photo, entry_id=game["rounds"][0]["entries"][0]["id"])
    sha256 = hashlib.sha256(photo).hexdigest()
    ways = [client.get(f"/photos/{sha256}/{size}.jpg").get_data() for size in (480, 1600, 3200)]
    ways.append(client.get(f"/games/{game['id']}/final.png").get_data())
    with zipfile.ZipFile(io.BytesIO(export(client))) as log:
        ways += [log.read(name) for name in log.namelist() if name.startswith("photos/")]
        assert not any(OWNER.encode() in log.read(name) for name in log.namelist())
    assert len(ways) == 5
    assert not any(says_where(data) for data in ways)
    # What the table itself keeps is the photo as it came.
    assert says_where((services_of(app).config.photos / sha256[:2] / sha256).read_bytes())
    assert sent["shot"]["photo_id"] == sha256


# --- tables and other programs ------------------------------------------------------------------------------

NAMES = st.text(min_size=1, max_size=40) | st.sampled_from(
    [
        "=1+1",
        "+81",
        "-5",
        "@SUM(A1)",
        "\t=1",
        'say "hi", Bob',
        "two\nlines",
        "寿限無,寿限無",
        "🐉\u200d🔥",
        "'=1",
    ]
)


@given(st.lists(NAMES, min_size=1, max_size=5))
def test_any_name_comes_back_from_csv_and_is_no_formula(names: list[str]) -> None:
    (row,) = csv.reader(io.StringIO(csv_line(names), newline=""), strict=True)
    assert [cell.removeprefix("'") for cell in row] == names
    assert not any(
        cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")) for cell in row
    )


def test_the_table_has_a_row_for_each_players_round(client: FlaskClient) -> None:
    game = play(client, "=Aya", "Ken 🐉", rounds=2, location='"卓", 1')
    answer = client.get("/api/v1/export/rounds.csv?unfinished=1")
    text = answer.get_data().decode()
    assert text.startswith(BYTE_ORDER_MARK)
    rows = list(csv.DictReader(io.StringIO(text.removeprefix(BYTE_ORDER_MARK), newline="")))
    assert tuple(rows[0]) == score_tables.columns_of([game_named("mapmasters")]) and len(rows) == 12
    assert [row["player"] for row in rows[:2]] == ["'=Aya", "Ken 🐉"]
    first = rows[0]
    assert (first["primary_vp"], first["escaped"], first["coins_after"], first["location"]) == (
        "3",
        "yes",
        "7",
        '"卓", 1',
    )
    assert rows[11]["primary_vp"] == "" and rows[11]["escaped"] == ""
    totals = {
        row["name"]: row["total"] for row in json_of(client.get(f"/api/v1/games/{game['id']}/final"))["rows"]
    }
    assert int(first["game_total"]) == totals["=Aya"]


def test_exported_games_score_as_the_game_does(client: FlaskClient) -> None:
    game = play(client, "Aya", "Ken")
    play(client, "Mo", "Jun", rounds=3)
    exported = json.loads(client.get("/api/v1/export/games.json?unfinished=1").get_data())
    assert len(exported) == 2
    (mine,) = [each for each in exported if each["id"] == game["id"]]
    final = final_score(parse_game(json.dumps(mine)))
    assert json.loads(msgspec.json.encode(final)) == client.get(f"/api/v1/games/{game['id']}/standing").json
    only = json.loads(client.get(f"/api/v1/export/games.json?game={game['id']}").get_data())
    assert [each["id"] for each in only] == [game["id"]]


def test_bg_stats_is_given_every_boolean_and_stable_ids(client: FlaskClient) -> None:
    game = play(client, "あや", "Ken", location="家", title="卓")
    client.patch(f"/api/v1/games/{game['id']}", json={"finished": True})
    link = json_of(client.get(f"/api/v1/games/{game['id']}/bg-stats"))
    start = "https://app.bgstatsapp.com/createPlay.html?data="
    assert link["link"].startswith(start) and link["qr"]
    sent = json.loads(unquote(link["link"].removeprefix(start)))
    assert sent["sourcePlayId"] == game["id"] and sent["sourceName"] == "Waymark"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", sent["playDate"])
    assert "bggId" not in sent["game"]
    assert (sent["game"]["highestWins"], sent["game"]["noPoints"]) == (True, False)
    players = {player["name"]: player for player in sent["players"]}
    assert [type(player["startPlayer"]) for player in sent["players"]] == [bool, bool]
    assert (players["Ken"]["winner"], players["Ken"]["rank"], players["あや"]["winner"]) == (True, 1, False)
    assert players["あや"]["startPlayer"] and not players["Ken"]["startPlayer"]

    first, second = (json.loads(client.get("/api/v1/export/plays.bgsplay").get_data()) for _ in range(2))
    assert first == second
    (play_,) = first["plays"]
    assert play_["rounds"] == 6 and play_["locationRefId"] == first["locations"][0]["id"]
    assert isinstance(play_["playerScores"][0]["score"], str)
    assert {score["playerRefId"] for score in play_["playerScores"]} == {
        each["id"] for each in first["players"]
    }
    for score in play_["playerScores"]:
        assert all(isinstance(score[name], bool) for name in ("winner", "startPlayer", "newPlayer"))
    assert "meRefId" in first["userInfo"]


def test_a_link_that_would_break_is_not_offered(client: FlaskClient) -> None:
    long = play(client, "寿限無" * 60, "Ken")
    assert client.get(f"/api/v1/games/{long['id']}/bg-stats").json == {"link": None, "qr": False}
    page = client.get(f"/games/{long['id']}/final").text
    assert "too long for a QR code" in page and "bgstatsapp" not in page


def test_board_game_geeks_file_is_xml_whatever_the_names_are(client: FlaskClient) -> None:
    play(client, '<b>&"Aya"\x0b', "Ken 🐉", location="<家>")
    plays = Xml.fromstring(client.get("/api/v1/export/plays.xml").get_data())
    (play_,) = plays
    assert play_.get("location") == "<家>" and play_.get("incomplete") == "0"
    players = play_.findall("players/player")
    assert [player.get("name") for player in players] == ["Ken 🐉", '<b>&"Aya"']
    assert [player.get("win") for player in players] == ["1", "0"]
    item = play_.find("item")
    assert item is not None and item.get("objectid") is None


def test_no_id_is_a_formula_to_spreadsheets() -> None:
    """One of 64 was, so that its game had another id in the table of rounds than elsewhere."""
    assert all(csv_line([made]) == f"{made}\r\n" for made in (new_id() for _ in range(2000)))


def test_more_games_than_are_in_memory_at_a_time_leave_in_every_form(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.log.plays._AT_A_TIME", 2)
    games = [play(client, "Aya", f"Ken {number}", rounds=number)["id"] for number in range(5)]
    plays = Xml.fromstring(client.get("/api/v1/export/plays.xml?unfinished=1").get_data())
    assert [each.get("id") for each in plays] == games[::-1] and plays.get("total") == "5"
    stats = json.loads(client.get("/api/v1/export/plays.bgsplay?unfinished=1").get_data())
    assert len(stats["plays"]) == 5 and len(stats["players"]) == 6
    exported = json.loads(client.get("/api/v1/export/games.json?unfinished=1").get_data())
    assert [each["id"] for each in exported] == games[::-1]
    text = (
        client.get("/api/v1/export/rounds.csv?unfinished=1").get_data().decode().removeprefix(BYTE_ORDER_MARK)
    )
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert list(dict.fromkeys(row["game_id"] for row in rows)) == games[::-1] and len(rows) == 60
    finals = [json_of(client.get(f"/api/v1/games/{game}/final")) for game in games[::-1]]
    told = [[player.get("score") for player in play_.iter("player")] for play_ in plays]
    # Of a game without a round nobody has points yet.
    assert told == [
        [str(row["total"] if final["rounds_played"] else 0) for row in final["rows"]] for final in finals
    ]


def test_a_log_beyond_the_limits_of_a_zip_comes_back(
    app: Flask, client: FlaskClient, other: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if 4 GB, and 65,535 parts, were reached at once.
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 10_000)
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 5)
    full_table(app, client)
    log = export(client)
    assert b"PK\x06\x06" in log
    report = take(other.test_client(), log)
    assert report["photos_added"] == 2
    assert rows_of(app)["game"] == rows_of(other)["game"]


@pytest.mark.long
def test_a_log_leaves_in_the_same_memory_however_many_photos_it_has(app: Flask, client: FlaskClient) -> None:
    sent = send(client, (PHOTOS / "table-07.jpg").read_bytes())
    services = services_of(app)

    def peak_bytes() -> int:
        tracemalloc.start()
        for _ in log_zip(services.database, services.photos):
            pass
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    peak_bytes()
    few = peak_bytes()
    with services.database.transaction() as session:
        photo = session.scalars(select(Photo)).one()
        whole = services.photos.read(original_key(photo.id))
        for number in range(300):
            sha256 = hashlib.sha256(b"%d" % number).hexdigest()
            services.photos.write(original_key(sha256), whole + b"%d" % number)
            session.add(Photo(id=sha256, media_type="image/jpeg", width=9, height=9, size_bytes=9))
            session.add(Shot(tableau_id=sent["tableau_id"], photo_id=sha256))
    assert peak_bytes() < few + (2 << 20)


@pytest.mark.long
def test_a_log_comes_in_in_the_same_memory_however_many_rows_it_has(
    client: FlaskClient, other: Flask
) -> None:
    play(client, "Aya", "Ken")
    log = Log.of(export(client))
    people = [
        {**log.rows["person"][0], "id": secrets.token_urlsafe(12), "name": f"{number}"}
        for number in range(20_000)
    ]
    log.rows["person"] += people
    data = log.zip()
    tracemalloc.start()
    report = take(other.test_client(), data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert report["added"]["person"] == 20_002
    assert peak < len(data) + (24 << 20)


# --- others meanwhile, and the end of a server --------------------------------------------------------------


@pytest.mark.long
def test_others_write_while_a_log_comes_in(
    client: FlaskClient, other: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its games are written in a transaction each: between them the database is everybody's."""
    for _ in range(3):
        play(client, "Aya", "Ken")
    log = export(client)
    there = other.test_client()
    entry = play(there, "Mo", "Jun", rounds=0)["rounds"][0]["entries"][0]["id"]
    write, points = log_import._Import._write_unit, itertools.count()

    def write_and_let_others(self: Any, unit: str) -> Any:
        written = write(self, unit)
        wanted = next(points)
        assert there.patch(f"/api/v1/entries/{entry}", json={"primary_vp": wanted}).status_code == 200
        return written

    monkeypatch.setattr(log_import._Import, "_write_unit", write_and_let_others)
    take(other.test_client(), log)
    assert len(json_of(there.get("/api/v1/games"))) == 4
    assert json_of(there.get(f"/api/v1/entries/{entry}"))["primary_vp"] == next(points) - 1 == 2


def test_one_log_comes_in_at_a_time(client: FlaskClient, other: Flask) -> None:
    log = export(client)
    with services_of(other).imports.alone():
        answer = take(other.test_client(), log, status=503)
    assert answer["error"]["code"] == "busy"
    take(other.test_client(), log)


class Stopped(BaseException):
    """The server is killed."""


def finish(app: Flask) -> int:
    services = services_of(app)
    config = services.config
    return finish_imports(services.database, services.shelf.catalogue_of, services.photos, config.receiving)


@pytest.mark.parametrize("stops_at", ["_write_unit", "_merge_people"])
def test_what_was_accepted_is_taken_in_to_its_end_by_the_next_server(
    app: Flask, client: FlaskClient, other: Flask, monkeypatch: pytest.MonkeyPatch, stops_at: str
) -> None:
    full_table(app, client)
    log = export(client)
    with monkeypatch.context() as patch:
        write = getattr(log_import._Import, stops_at)
        calls = iter(range(9))

        def stop(*arguments: Any) -> Any:
            if next(calls):
                raise Stopped
            return write(*arguments)

        patch.setattr(log_import._Import, stops_at, stop)
        if stops_at == "_merge_people":
            next(calls)
        with pytest.raises(Stopped):
            take(other.test_client(), log)
    assert list(services_of(other).config.receiving.iterdir())
    assert finish(other) == 1 and finish(other) == 0
    assert not list(services_of(other).config.receiving.iterdir())
    here, there = rows_of(app), rows_of(other)
    for each in (here, there):
        del each["photo"], each["shot"]
    assert here == there
    before = rows_of(other)
    take(other.test_client(), log)
    assert rows_of(other) == before


def test_what_was_not_accepted_is_cleared_away(
    app: Flask, client: FlaskClient, other: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    full_table(app, client)
    before = rows_of(other)
    folder = services_of(other).config.receiving / "log-left"
    folder.mkdir()
    (folder / "log.zip").write_bytes(export(client))
    assert finish(other) == 0
    assert rows_of(other) == before and not list(folder.parent.iterdir())


def test_a_log_that_cannot_be_written_whole_says_so_and_is_finished_later(
    app: Flask, client: FlaskClient, other: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    full_table(app, client)
    log = export(client)
    with monkeypatch.context() as patch:

        def full(*_: Any) -> StoredPhoto:
            raise OSError(errno.ENOSPC, "No space left on device")

        patch.setattr("webapp.log.log_import.store_original", full)
        answer = take(other.test_client(), log, status=503)
    assert "No space left on device" in answer["error"]["message"]
    assert finish(other) == 1
    assert rows_of(other)["game"] == rows_of(app)["game"]


def test_a_log_that_the_disk_has_no_room_for_is_not_taken(
    app: Flask, client: FlaskClient, other: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    full_table(app, client)
    log, before = export(client), rows_of(other)
    usage = shutil.disk_usage(services_of(other).config.data)
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage._replace(free=1_000))
    assert take(other.test_client(), log, status=507)["error"]["code"] == "disk-full"
    assert rows_of(other) == before and not list(services_of(other).config.receiving.iterdir())


def test_two_tables_that_saw_another_finish_first_keep_the_later_word(
    app: Flask, client: FlaskClient, other: Flask
) -> None:
    game = play(client, "Aya", "Ken")
    there = other.test_client()
    take(there, export(client))
    seats = [seat["id"] for seat in game["seats"]]
    address = f"/api/v1/games/{game['id']}/rounds/1"
    assert client.patch(address, json={"time_bonus_seat": seats[0]}).status_code == 200
    assert there.patch(address, json={"time_bonus_seat": seats[1]}).status_code == 200
    take(client, export(there))
    first = json_of(client.get(f"/api/v1/games/{game['id']}"))["rounds"][0]
    assert [entry["time_bonus"] for entry in first["entries"]] == [False, True]


def test_a_photo_whose_file_is_gone_is_told_and_the_rest_leaves(
    app: Flask, client: FlaskClient, other: Flask
) -> None:
    sent = send(client, photo_with_place())
    services = services_of(app)
    for file in services.config.photos.rglob("*"):
        if file.is_file():
            file.unlink()
    log = export(client)
    assert json.loads(zipfile.ZipFile(io.BytesIO(log)).read("manifest.json"))["photos_left_out"] == [
        sent["shot"]["photo_id"]
    ]
    assert take(other.test_client(), log)["photos_missing"] == 1
    with services_of(other).database.snapshot() as session:
        assert session.get(Photo, sent["shot"]["photo_id"]) is not None
        assert session.get(Shot, sent["shot"]["id"]) is not None
