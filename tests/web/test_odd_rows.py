"""What the database cannot refuse in a row (JSON of another form, words of no game) hides one thing, with a
sentence: no list, no page of another thing, no export fails of it."""

from __future__ import annotations

import gc
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from api_calls import Call, json_of
from board_play import begin, photograph
from board_seen import BOARDS as GAME_OF
from board_seen import seen_of
from flask import Flask
from flask.testing import FlaskClient
from long_rest import long_but
from mission_play import begin as begin_mission
from mission_play import read_as_truth
from put_readings import put_reading

from webapp.config import ServerConfig
from webapp.games.digests import keep_digests
from webapp.http.services import KEY, Services
from webapp.log.log_export import log_size_bytes
from webapp.store.column_types import Json, Text
from webapp.store.database import Database
from webapp.store.models import Base, Photo

#: What the database takes, and no game knows.
OBJECT, ARRAY, WORD = '{"a": {"b": [null]}, "cards": 3}', '[{"a": 7}, null]', "no-such-thing"
LISTS = (
    "/",
    "/history",
    "/history/photos",
    "/players",
    "/trash",
    "/exchange",
    "/api/v1/games",
    "/api/v1/games/version",
    "/api/v1/history",
    "/api/v1/history/photos",
    "/api/v1/persons",
    "/api/v1/trash",
    "/api/v1/export/rounds.csv?unfinished=1",
    "/api/v1/export/games.json?unfinished=1",
    "/api/v1/export/plays.bgsplay?unfinished=1",
    "/api/v1/export/plays.xml?unfinished=1",
)
#: Those in which the other game is told.
TELL_GAMES = ("/", "/history", "/api/v1/games", "/api/v1/history", "/api/v1/export/rounds.csv?unfinished=1")


@dataclass(frozen=True)
class Table:
    """A table with two games; of one, nothing is touched."""

    file: Path
    database: Database
    client: FlaskClient
    spoilt: dict[str, Any]

    def things(self) -> list[str]:
        """Addresses of what belongs to the other game."""
        game, entry = self.spoilt["id"], self.spoilt["rounds"][0]["entries"][0]
        tableau, person = entry["tableau_id"], self.spoilt["seats"][0]["person_id"]
        return [
            f"/games/{game}",
            f"/games/{game}/rounds/1",
            f"/games/{game}/final",
            f"/players/{person}",
            f"/tableaus/{tableau}",
            f"/tableaus/{tableau}/dispute",
            f"/api/v1/games/{game}",
            f"/api/v1/games/{game}/final",
            f"/api/v1/entries/{entry['id']}",
            f"/api/v1/tableaus/{tableau}/review",
            f"/api/v1/persons/{person}",
        ]


@pytest.fixture
def config(tmp_path: Path) -> ServerConfig:
    """A table that is asked often."""
    return ServerConfig(data=tmp_path / "data", scan_workers=0, requests_per_minute=1_000_000)


@pytest.fixture
def table(app: Flask, call: Call, client: FlaskClient, config: ServerConfig) -> Table:
    """Both games have photos, typed scores, a purchase, a claim, and a line in the journal."""
    colours = ("red", "blue")
    for title, names in (("Untouched", ("Ann", "Ben")), ("Spoilt", ("Cleo", "Dan"))):
        players = [{"name": name, "colour": colour} for name, colour in zip(names, colours, strict=True)]
        game = call("POST", "/games", {"players": players, "title": title}, status=201)
        entries = [each["id"] for each in game["rounds"][0]["entries"]]
        put_reading(app, entries[0], "table-01")
        call("PATCH", f"/entries/{entries[1]}", {"scores": {"primary": 5, "secondary": 2}})
        call("PATCH", f"/games/{game['id']}", {"notes": "rain"})
        bought = {"kind": "other", "what": "luck", "coins": 0}
        call("POST", f"/entries/{entries[1]}/purchases", bought, status=201)
        game = call("GET", f"/games/{game['id']}")
        tableau = game["rounds"][0]["entries"][0]["tableau_id"]
        said = {"who": names[0], "words": "not so"}
        call("POST", f"/tableaus/{tableau}/claims", said, status=201)
    return Table(config.data / "waymark.sqlite3", app.extensions[KEY].database, client, game)


def odd_values() -> list[tuple[str, str, str]]:
    """Table, column and value of everything that the database takes and no game knows."""
    values = {dict: OBJECT, list: ARRAY}
    return [
        (name, column.name, values[column.type.shape] if isinstance(column.type, Json) else WORD)
        for name, table in sorted(Base.metadata.tables.items())
        for column in table.columns
        if name != "digest"
        and isinstance(column.type, Json | Text)
        and not column.foreign_keys
        and not column.primary_key
    ]


def write(file: Path, table: str, column: str, place: int, value: Any) -> Any:
    """Write a value past the app, and what stood there before; None where the database refuses it."""
    with closing(sqlite3.connect(file)) as opened:
        before = opened.execute(f'SELECT "{column}" FROM {table} WHERE rowid = ?', (place,)).fetchone()
        try:
            opened.execute(f'UPDATE {table} SET "{column}" = ? WHERE rowid = ?', (value, place))
        except sqlite3.IntegrityError:
            return None
        opened.commit()
        return before


def look(table: Table, addresses: list[str], what: str) -> None:
    for address in addresses:
        answer = table.client.get(address, headers={"Accept-Language": "en"})
        text = answer.get_data(as_text=True)
        if address in LISTS:
            assert answer.status_code == 200, f"{what}: {address}: {text[:300]}"
        elif answer.status_code >= 500:
            assert answer.status_code == 503 and "waymark data mend" in text, (
                f"{what}: {address}: {text[:900]}"
            )
        if address in TELL_GAMES:
            assert "Untouched" in text, f"{what}: {address}"


def last_rows(file: Path) -> dict[str, int]:
    """The row of each table that was written last: the other game's."""
    with closing(sqlite3.connect(file)) as opened:
        return {
            name: opened.execute(f"SELECT max(rowid) FROM {name}").fetchone()[0]
            for name in Base.metadata.tables
        }


def spoil(table: Table, columns: list[tuple[str, str, str]], addresses: list[str]) -> int:
    """Try values in columns, and look at pages each time."""
    rows, tried = last_rows(table.file), 0
    for name, column, value in columns:
        place = rows[name]
        before = write(table.file, name, column, place, value) if place is not None else None
        if before is None:
            continue
        look(table, addresses, f"{name}.{column} = {value!r}")
        write(table.file, name, column, place, before[0])
        tried += 1
    return tried


#: Tables of a board, or of what all share, and its photos.
SHARED = ("tableau", "revision", "shot")


@pytest.mark.parametrize(
    "word", long_but(["labyrinth2", "stone_dragon", "ice_and_idols", "mapmasters/cooperative"], 0)
)
def test_a_row_of_what_all_share_hides_one_thing(app: Flask, call: Call, table: Table, word: str) -> None:
    """A board, or the table of a mission, whose photo waits to be taken over."""
    if word in GAME_OF:
        game, address = begin(call, f"open-{word}", GAME_OF[word])
        record = call("GET", f"{address}/record")
        photograph(app, address, seen_of(word, record))
    else:
        game, address = begin_mission(call)
        read_as_truth(app, address, "M02-won-1")
    tableau, addresses = address.split("/")[2], [*LISTS, f"/games/{game['id']}"]
    addresses += [f"/tableaus/{tableau}", f"/r/{tableau}", f"/api/v1/games/{game['id']}"]
    addresses += [f"/api/v1/tableaus/{tableau}/{what}" for what in ("board", "table", "review", "progress")]
    look(table, addresses, "sound")
    assert spoil(table, [each for each in odd_values() if each[0] in SHARED], addresses) > 10
    look(table, addresses, "sound again")


@pytest.mark.long
@pytest.mark.parametrize("digests", [False, True])
def test_a_row_that_cannot_be_hides_one_thing(app: Flask, table: Table, digests: bool) -> None:
    if digests:
        services: Services = app.extensions[KEY]
        assert sum(keep_digests(services.database)) == 2
    addresses = [*LISTS] if digests else [*LISTS, *table.things()]
    assert spoil(table, odd_values(), addresses) > 30


def test_more_photos_than_a_whole_number_counts_are_no_trouble(app: Flask, client: FlaskClient) -> None:
    services: Services = app.extensions[KEY]
    with services.database.transaction() as session:
        session.add_all(
            Photo(id=f"{number:064x}", media_type="image/jpeg", width=9, height=9, size_bytes=60_000_000)
            for number in range(50)
        )
    assert client.get("/exchange").status_code == 200
    with services.database.snapshot() as session:
        assert log_size_bytes(session) == 3_000_000_000


def test_an_export_gives_its_connection_back(app: Flask, table: Table) -> None:
    services: Services = app.extensions[KEY]
    gc.disable()
    try:
        for address in LISTS:
            table.client.get(address).get_data()
        assert services.database.engine.pool.checkedout() == 0  # type: ignore[attr-defined]
    finally:
        gc.enable()


def test_what_is_hidden_is_said_in_a_sentence(table: Table) -> None:
    place = last_rows(table.file)["entry"]
    write(table.file, "entry", "scores", place, '{"primary": "many"}')
    page = table.client.get("/", headers={"Accept-Language": "en"}).get_data(as_text=True)
    assert "Untouched" in page and "Spoilt" not in page
    assert "something in scores that cannot stand there" in page and "waymark data mend" in page
    answer = table.client.get("/api/v1/games")
    assert [game["title"] for game in json_of(answer)] == ["Untouched"]
    assert answer.headers["Waymark-Hidden"] == "1"
    page = table.client.get("/history", headers={"Accept-Language": "ja"}).get_data(as_text=True)
    assert "データが壊れているため表示できません" in page
    plays = Xml.fromstring(table.client.get("/api/v1/export/plays.xml?unfinished=1").get_data())
    assert plays.get("total") == "1" == str(len(plays)), "what is told is counted"
    one = table.client.get(f"/api/v1/games/{table.spoilt['id']}")
    assert (one.status_code, json_of(one)["error"]["code"]) == (503, "damaged")
    write(table.file, "entry", "scores", place, "{}")
    # Text that is none is shown, with a sign for what is missing.
    with closing(sqlite3.connect(table.file)) as opened:
        opened.execute("UPDATE game SET title = CAST(x'5370ff' AS TEXT) WHERE title = 'Spoilt'")
        opened.commit()
    page = table.client.get("/").get_data(as_text=True)
    assert "Untouched" in page and "Sp\ufffd" in page


def test_lists_answer_whatever_stands_in_a_row(table: Table) -> None:
    columns = [
        ("game", "game", WORD),
        ("game", "settings", OBJECT),
        ("entry", "scores", OBJECT),
        ("tableau", "record", OBJECT),
        ("tableau", "ruling", OBJECT),
    ]
    assert spoil(table, columns, list(TELL_GAMES)) == len(columns)
