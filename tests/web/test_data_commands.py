"""`waymark data`: a folder is checked, mended, backed up while it is written to, and restored."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import threading
import time
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest
from api_calls import Call, json_of
from click.testing import CliRunner, Result
from flask import Flask
from flask.testing import FlaskClient
from live_server import PHOTOS
from photo_files import original_file

from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.data.cli import data as commands
from webapp.http.services import KEY, Services

PHOTO = (PHOTOS / "table-01.jpg").read_bytes()
GAME = {"players": [{"name": "Ann", "colour": "red"}, {"name": "Ben", "colour": "blue"}]}
LONG_AGO = time.time() - 10_000


def run(*arguments: object, language: str = "en") -> Result:
    return CliRunner().invoke(commands, [*map(str, arguments), "--lang", language])


def answer_of(*arguments: object) -> Any:
    """What a command answers to programs."""
    file = Path(str(arguments[-1])).parent / "answer.json"
    run(*arguments, "--json", file)
    return json.loads(file.read_bytes())


def send(client: FlaskClient, data: bytes = PHOTO, **more: str) -> Any:
    sent = client.post("/api/v1/photos", data={"photo": (io.BytesIO(data), "table.jpg"), **more})
    assert sent.status_code == 202
    return json_of(sent)


def sql(folder: Path, statement: str, *values: object) -> None:
    """Write past the app."""
    with closing(sqlite3.connect(folder / "waymark.sqlite3")) as opened:
        opened.execute(statement, values)
        opened.commit()


def dispose(app: Flask) -> None:
    services: Services = app.extensions[KEY]
    services.database.engine.dispose()


def test_a_sound_folder_is_called_so(
    app: Flask, client: FlaskClient, call: Call, config: ServerConfig
) -> None:
    call("POST", "/games", GAME, status=201)
    send(client)
    checked = run("check", config.data)
    assert checked.exit_code == 0 and "Nothing is wrong" in checked.output
    assert answer_of("check", config.data) == {"folder": str(config.data), "findings": []}
    missing = run("check", config.data / "nowhere")
    assert missing.exit_code == 3 and "no data of Waymark" in missing.output


def test_what_is_wrong_is_found_and_set_aside(
    app: Flask, client: FlaskClient, call: Call, config: ServerConfig
) -> None:
    games = [
        call("POST", "/games", {**GAME, "title": title}, status=201) for title in ("one", "two", "three")
    ]
    entries = [game["rounds"][0]["entries"] for game in games]
    damaged, lost, kept = (send(client, PHOTO + end)["shot"]["photo_id"] for end in (b"1", b"2", b"3"))
    dispose(app)
    folder = config.data
    sql(folder, "UPDATE entry SET scores = '{\"castle\": 4}' WHERE id = ?", entries[0][0]["id"])
    sql(folder, "DELETE FROM entry WHERE id = ?", entries[1][1]["id"])
    sql(folder, "UPDATE game_round SET number = 9 WHERE number = 6 AND game_id = ?", games[2]["id"])
    original_file(config.photos, damaged).write_bytes(b"no more")
    original_file(config.photos, lost).unlink()
    orphan = config.photos / "ab" / "notes.txt"
    orphan.parent.mkdir(exist_ok=True)
    orphan.write_text("mine")
    os.utime(orphan, (LONG_AGO, LONG_AGO))
    (config.photos / "cd").mkdir(exist_ok=True)
    (config.photos / "cd" / "just-now").write_text("its row comes in a moment")

    found = answer_of("check", folder)
    kinds = sorted(each["kind"] for each in found["findings"])
    assert kinds == ["game", "game", "photo-damaged", "photo-lost", "photo-orphan", "row"]
    assert found["error"]["code"] == "unsound-data" and run("check", folder).exit_code == 3

    mended = answer_of("mend", folder)
    assert [each["kind"] for each in mended["findings"]] == ["photo-lost"] * 2, "photos stay lost, and told"
    quarantine = Path(mended["quarantine"])
    assert (quarantine / "photos" / "ab" / "notes.txt").read_text() == "mine"
    assert (quarantine / "photos" / damaged[:2] / damaged).read_bytes() == b"no more"
    told = (quarantine / "README.txt").read_text()
    assert len(told.splitlines()) == len(mended["set_aside"])
    rows = [json.loads(line) for line in (quarantine / "rows.jsonl").read_text().splitlines()]
    by_table = {row["table"]: row for row in rows if row["row"]["id"] == entries[0][0]["id"]}
    assert by_table["entry"]["row"]["scores"] == '{"castle": 4}' and "scores" in by_table["entry"]["why"]
    assert {"game", "seat", "game_round", "entry"} <= {row["table"] for row in rows}

    again = create_app(config).test_client()
    shown = {game["title"]: game for game in json_of(again.get("/api/v1/games"))}
    assert set(shown) == {"one", "two"}, "a game without a round is none"
    one = json_of(again.get(f"/api/v1/games/{shown['one']['id']}"))
    assert one["rounds"][0]["entries"][0]["scores"]["primary"] is None
    assert "cannot stand there" in one["notes"]
    two = json_of(again.get(f"/api/v1/games/{shown['two']['id']}"))
    assert [len(round_["entries"]) for round_ in two["rounds"]] == [2] * 6
    assert original_file(config.photos, kept).exists()
    dispose(again.application)
    assert answer_of("mend", folder)["set_aside"] == []


def test_a_damaged_database_is_told_to_be_restored(app: Flask, call: Call, config: ServerConfig) -> None:
    call("POST", "/games", GAME, status=201)
    dispose(app)
    file = config.data / "waymark.sqlite3"
    with file.open("r+b") as opened:
        size = opened.seek(0, os.SEEK_END)
        opened.seek(size // 2)
        opened.write(b"\xa5" * 8192)
    found = answer_of("check", config.data)
    assert found["error"]["code"] == "damaged" and "backup" in found["error"]["message"]
    assert run("check", config.data, language="ja").exit_code == 3


def test_a_value_written_past_the_constraints_is_damage_of_the_file(
    app: Flask, call: Call, config: ServerConfig
) -> None:
    call("POST", "/games", GAME, status=201)
    dispose(app)
    with closing(sqlite3.connect(config.data / "waymark.sqlite3")) as opened:
        opened.execute("PRAGMA ignore_check_constraints=ON")
        opened.execute("UPDATE game SET settings = '{'")
        opened.commit()
    found = answer_of("check", config.data)
    assert found["error"]["code"] == "damaged" and "CHECK" in found["findings"][0]["message"]
    again = create_app(config)
    listed = again.test_client().get("/api/v1/games")
    assert (listed.status_code, json_of(listed)["error"]["code"]) == (503, "damaged")
    dispose(again)


def test_a_backup_taken_while_it_is_written_is_whole(
    app: Flask, client: FlaskClient, call: Call, config: ServerConfig, tmp_path: Path
) -> None:
    call("POST", "/games", {**GAME, "title": "before"}, status=201)
    acknowledged = [send(client, PHOTO + b"0")["shot"]["photo_id"]]
    stop, begun = threading.Event(), threading.Event()
    written: list[str] = []

    def write() -> None:
        writer = app.test_client()
        number = 1
        while not stop.is_set():
            written.append(send(writer, PHOTO + str(number).encode())["shot"]["photo_id"])
            number += 1
            begun.set()

    thread = threading.Thread(target=write)
    thread.start()
    begun.wait(60)
    acknowledged += written
    file = tmp_path / "waymark.backup"
    made = run("backup", file, "--data", config.data)
    stop.set()
    thread.join()
    assert made.exit_code == 0 and "keep it safe" in made.output
    assert file.stat().st_mode & 0o077 == 0, "keys are in it"

    folder = tmp_path / "restored"
    restored = run("restore", file, folder)
    assert restored.exit_code == 0 and f"--data {folder}" in restored.output
    assert (folder / "secret-key").read_text() == (config.data / "secret-key").read_text()
    assert run("check", folder).exit_code == 0, "no row without its photo"
    there = create_app(ServerConfig(data=folder, scan_workers=0))
    assert [game["title"] for game in json_of(there.test_client().get("/api/v1/games"))] == ["before"]
    for photo in acknowledged:
        assert original_file(folder / "photos", photo).read_bytes().startswith(PHOTO)
    dispose(there)
    again = run("restore", file, folder)
    assert again.exit_code == 3 and "is not empty" in again.output


def test_a_backup_holds_peoples_own_boxes(app: Flask, config: ServerConfig, tmp_path: Path) -> None:
    box = config.data / "boxes" / "うちの箱"
    kept = {
        "catalogue.json": b"{}",
        "art/D 1'.png": b"face",
        "enrol/views/%E5%90%8D/a.png": b"view",
        "enrol/waiting/1-a.photo": b"photo",
    }
    for name, data in {**kept, "enrol/.lock": b"", "enrol/.part-x": b"half"}.items():
        file = box / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    backup, folder = tmp_path / "table.backup", tmp_path / "restored"
    assert run("backup", backup, "--data", config.data).exit_code == 0
    assert run("restore", backup, folder).exit_code == 0
    there = folder / "boxes" / box.name
    files = [file for file in there.rglob("*") if file.is_file()]
    assert {file.relative_to(there).as_posix(): file.read_bytes() for file in files} == kept


def test_a_backup_that_was_unpacked_and_packed_again_is_restored(
    app: Flask, client: FlaskClient, config: ServerConfig, tmp_path: Path
) -> None:
    send(client)
    name = "ポケットの箱"  # another text in NFD, as macOS writes it
    box = config.data / "boxes" / name
    box.mkdir(parents=True)
    (box / "catalogue.json").write_bytes(b"{}")
    file, again = tmp_path / "a.backup", tmp_path / "again.zip"
    assert run("backup", file, "--data", config.data).exit_code == 0
    with zipfile.ZipFile(file) as there, zipfile.ZipFile(again, "w", zipfile.ZIP_DEFLATED) as new:
        new.mkdir("table")
        new.writestr("table/.DS_Store", b"")
        for each in there.namelist():
            new.writestr(normalize("NFD", f"table/{each}"), there.read(each))
            new.writestr(f"__MACOSX/table/._{each.rpartition('/')[2]}", b"\0\5")
    folder = tmp_path / "restored"
    restored = run("restore", again, folder)
    assert restored.exit_code == 0, restored.output
    assert run("check", folder).exit_code == 0
    assert (folder / "boxes" / name / "catalogue.json").read_bytes() == b"{}"
    assert not list(folder.rglob("._*"))


@pytest.mark.parametrize("spoil", ["cut", "changed", "outside", "none"])
def test_what_is_no_whole_backup_restores_nothing(
    app: Flask, client: FlaskClient, config: ServerConfig, tmp_path: Path, spoil: str
) -> None:
    send(client)
    file, other = tmp_path / "a.backup", tmp_path / "b.backup"
    assert run("backup", file, "--data", config.data).exit_code == 0
    if spoil == "cut":
        other.write_bytes(file.read_bytes()[:-2000])
    elif spoil == "none":
        other.write_bytes(b"PK nothing")
    else:
        with zipfile.ZipFile(file) as there, zipfile.ZipFile(other, "w") as new:
            for name in there.namelist():
                content = there.read(name)
                if spoil == "changed" and name.startswith("photos/"):
                    content = content[:-1] + b"?"
                if spoil == "outside" and name == "manifest.json":
                    content = content.replace(b"secret-key", b"../evil")
                new.writestr(name.replace("secret-key", "../evil") if spoil == "outside" else name, content)
    folder = tmp_path / "restored"
    tried = run("restore", other, folder)
    assert tried.exit_code == 3 and "no whole backup" in tried.output
    assert not folder.exists() and not list(tmp_path.glob(".part-*")) and not (tmp_path / "evil").exists()


def test_a_database_elsewhere_is_backed_up_by_its_own_means(tmp_path: Path) -> None:
    told = run("backup", tmp_path / "file", "--data", tmp_path, "--database", "postgresql+psycopg://nobody/x")
    assert told.exit_code == 2 and "pg_dump" in told.output


def test_a_game_is_checked_as_one_of_a_log_is(
    app: Flask, client: FlaskClient, call: Call, config: ServerConfig
) -> None:
    """Rows that are each what they can be: a log with them was refused, and the folder called sound."""
    games = [call("POST", "/games", {**GAME, "title": title}, status=201) for title in ("one", "two")]
    first, second = ([entry["id"] for entry in game["rounds"][0]["entries"]] for game in games)
    bought = call(
        "POST", f"/entries/{second[0]}/purchases", {"kind": "other", "what": "x", "coins": 0}, status=201
    )
    tableau, other = (send(client, PHOTO + end) for end in (b"1", b"2"))
    dispose(app)
    folder = config.data
    for entry in first:
        sql(folder, "UPDATE entry SET time_bonus = 1 WHERE id = ?", entry)
    sql(folder, "UPDATE purchase SET kind = 'castle' WHERE id = ?", bought["id"])
    shot = other["shot"]["id"]
    sql(folder, "UPDATE tableau SET late_shot_id = ? WHERE id = ?", shot, tableau["tableau_id"])
    found = {each["where"]: each for each in answer_of("check", folder)["findings"]}
    assert found.keys() == {
        f"game {games[0]['id']}",
        f"game {games[1]['id']}",
        f"tableau {tableau['tableau_id']}",
    }
    assert "two were first to finish" in found[f"game {games[0]['id']}"]["message"]
    assert f"purchase {bought['id']}" in found[f"game {games[1]['id']}"]["message"]
    mended = answer_of("mend", folder)
    assert mended["findings"] == []
    aside = [
        json.loads(line) for line in (Path(mended["quarantine"]) / "rows.jsonl").read_text().splitlines()
    ]
    assert {row["row"]["id"] for row in aside} >= {games[0]["id"], bought["id"], tableau["tableau_id"]}
    again = create_app(config)
    listed = json_of(again.test_client().get("/api/v1/games"))
    assert [game["title"] for game in listed] == ["two"], "a purchase goes alone"
    assert again.test_client().get(f"/api/v1/tableaus/{other['tableau_id']}").status_code == 200
    dispose(again)
