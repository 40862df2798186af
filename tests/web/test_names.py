"""Names that look alike are one person, however they were typed; names are kept as they were typed."""

from __future__ import annotations

from typing import Any
from unicodedata import normalize

import pytest
from api_calls import json_of
from exchanged import export, play, take
from flask import Flask
from flask.testing import FlaskClient

from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.http.services import KEY
from webapp.store.models import Person, Seat
from webapp.store.names import name_key

COMPOSED, APART = normalize("NFC", "José"), normalize("NFD", "José")
ALIKE = [
    (COMPOSED, APART),
    ("Aya", "Ａｙａ"),
    ("ガク", "ｶﾞｸ"),
    ("ガク", normalize("NFD", "ガク")),
    ("Aya", "\u200bAya"),
    ("Aya", "A\u2060y\u00ada\ufeff"),
    ("José", "Jose\u200b\u0301"),
    ("Aya 2", "Aya\u00a02"),
    ("Aya 2", "Aya\u3000 2"),
    ("נועה", "\u200fנועה"),
    ("محمد", "محمد\u200e"),
    ("김", normalize("NFD", "김")),
    ("❤", "❤\ufe0f"),
]
OTHERS = [
    ("Aya", "aya"),
    ("Jose", "José"),
    ("Aya", "Ay a"),
    ("👩\u200d🚀", "👩🚀"),
    ("👩🏽\u200d🚀", "👩\u200d🚀"),
    ("น้ำ", "นำ"),
    ("はな", "ばな"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_are_compared_as_one(one: str, other: str) -> None:
    assert one != other and name_key(one) == name_key(other) != ""


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_names_that_look_different_are_two(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


def begin(client: FlaskClient, *names: str) -> Any:
    colours = ("red", "blue", "green")
    players = [{"name": name, "colour": colour} for name, colour in zip(names, colours, strict=False)]
    return client.post("/api/v1/games", json={"players": players})


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_a_table_does_not_seat_one_person_twice(client: FlaskClient, one: str, other: str) -> None:
    answer = begin(client, one, other)
    assert answer.status_code == 400 and json_of(answer)["error"]["code"] == "bad-players"
    assert "Two players have the same name" in json_of(answer)["error"]["message"]
    game = json_of(begin(client, one, "Mo"))
    renamed = client.patch(f"/api/v1/seats/{game['seats'][1]['id']}", json={"name": other})
    assert renamed.status_code == 400
    assert json_of(begin(client, "\u200b", "Mo"))["error"]["code"] == "bad-players", "a name that nobody sees"


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_one_person_however_the_name_is_typed(client: FlaskClient, one: str, other: str) -> None:
    seats = [json_of(begin(client, name, "Mo"))["seats"][0] for name in (one, other)]
    assert seats[0]["person_id"] == seats[1]["person_id"]
    assert [seat["name"] for seat in seats] == [one, other.strip()], "as it was typed"
    persons = json_of(client.get("/api/v1/persons"))
    assert sorted(person["name"] for person in persons) == sorted(["Mo", one])


def test_a_player_is_found_however_the_name_is_typed(client: FlaskClient) -> None:
    play(client, APART, "Mo", title="apart")
    play(client, "Ken", "Mo", title="another")
    for words in (COMPOSED, APART):
        found = json_of(client.get("/api/v1/history", query_string={"q": words}))["games"]
        assert [game["title"] for game in found] == ["apart"]


@pytest.fixture
def old_table(app: Flask, client: FlaskClient) -> list[str]:
    """A table from before: two people whose names look alike, in games of their own and in one together;
    their ids."""
    games = [play(client, *names) for names in (("José", "Mo"), ("Jo 2", "Mo"), ("José", "Jo 2"))]
    with app.extensions[KEY].database.transaction() as session:
        second = session.query(Person).filter_by(name="Jo 2").one()
        second.name = APART
        for seat in session.query(Seat).filter_by(name="Jo 2"):
            seat.name = APART
        return [games[0]["seats"][0]["person_id"], second.id]


def test_two_people_from_before_go_on_each_and_the_page_offers_to_bring_them_together(
    client: FlaskClient, old_table: list[str]
) -> None:
    first, second = old_table
    assert json_of(begin(client, COMPOSED, "Mo"))["seats"][0]["person_id"] == first
    assert json_of(begin(client, APART, "Mo"))["seats"][0]["person_id"] == second
    assert json_of(begin(client, "Ｊｏｓé", "Mo"))["seats"][0]["person_id"] == first, "the older one"
    page = client.get("/players").text
    assert "The same name twice" in page
    section = page.split('id="alike-title"')[1].split("</section>")[0]
    assert first in section and second in section and "(4 games)" in section and "(3 games)" in section
    assert f'<option value="{second}" selected>' in client.get(f"/players/{first}").text
    merged = client.post(f"/api/v1/persons/{second}/merge", json={"into": first})
    assert merged.status_code == 200
    assert "The same name twice" not in client.get("/players").text
    client.post(f"/api/v1/persons/{second}/restore")
    assert "The same name twice" in client.get("/players").text


def test_a_game_from_before_is_changed_and_taken_in_as_it_is(
    app: Flask, client: FlaskClient, old_table: list[str], tmp_path: Any
) -> None:
    (game,) = [
        each
        for each in json_of(client.get("/api/v1/games"))
        if {seat["name"] for seat in each["seats"]} == {COMPOSED, APART}
    ]
    seat = f"/api/v1/seats/{game['seats'][0]['id']}"
    assert client.patch(seat, json={"colour": "green"}).status_code == 200
    assert client.patch(seat, json={"name": "Ｊｏｓé"}).status_code == 400
    assert client.patch(seat, json={"name": "José M."}).status_code == 200
    other = create_app(ServerConfig(data=tmp_path / "other", scan_workers=0))
    report = take(other.test_client(), export(client))
    assert report["added"]["game"] == 3 and report["namesakes"] == [APART]
    other.extensions[KEY].database.engine.dispose()
