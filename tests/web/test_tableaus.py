"""Tableaus over the API: begun, and given to another player."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from put_readings import put_reading
from shared_readings import photo_file, reading_of

from webapp.games.games import tableau_of_entry
from webapp.http.services import KEY, Services
from webapp.store.models import Entry
from webapp.store.photos import store_original
from webapp.store.tableaus import add_shot, take_reading


@pytest.mark.parametrize("objective", ["Origin", "", "S" * 40])
def test_a_tableau_takes_no_objective_that_does_not_exist(client: FlaskClient, objective: str) -> None:
    answer = client.post("/api/v1/tableaus", json={"primary": "sword", "secondary": objective})
    assert answer.status_code == 400 and answer.json is not None
    assert answer.json["error"]["code"] == "unknown-objective"


# --- a photo that was taken for the wrong player ------------------------------------------------------------


class Table:
    """A game of three with sword and coin asked for; what stands in round 1 of each."""

    def __init__(self, app: Flask) -> None:
        self.app, self.client = app, app.test_client()
        players = [
            {"name": name, "colour": colour}
            for name, colour in (("Aya", "red"), ("Ben", "blue"), ("Chie", "green"))
        ]
        self.game = self.call("POST", "/games", {"players": players})["id"]
        self.call("PATCH", f"/games/{self.game}/rounds/1", {"primary": "sword", "secondary": "coin"})
        self.aya, self.ben, self.chie = (entry["id"] for entry in self.round_one())

    def call(self, method: str, path: str, body: object = None, status: int | None = None) -> Any:
        answer = self.client.open(f"/api/v1{path}", method=method, json=body)
        assert answer.status_code == status or (status is None and answer.status_code < 300), answer.text
        return answer.json

    def round_one(self) -> Any:
        return self.call("GET", f"/games/{self.game}")["rounds"][0]["entries"]

    def of(self, entry_id: str) -> Any:
        return next(entry for entry in self.round_one() if entry["id"] == entry_id)

    def score(self, entry_id: str) -> tuple[Any, ...]:
        entry = self.of(entry_id)
        return tuple(entry[key] for key in ("primary_vp", "secondary_vp", "escaped", "coins_received"))

    def move(self, tableau_id: str, to: str | None, status: int = 200, **changes: Any) -> Any:
        version = self.call("GET", f"/tableaus/{tableau_id}")["version"]
        body = {"entry_id": to, "version": version} | changes
        return self.call("POST", f"/tableaus/{tableau_id}/move", body, status)


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app)


def test_a_tableau_goes_to_the_player_whose_it_is_and_back(table: Table) -> None:
    put_reading(table.app, table.aya, "table-07")
    tableau = table.of(table.aya)["tableau_id"]
    table.call("POST", f"/tableaus/{tableau}/claims", {"who": "Ben", "words": "That was no rope."})
    version = table.call("GET", f"/tableaus/{tableau}")["version"]
    review = table.call("GET", f"/tableaus/{tableau}/review")
    marked = {mark["place"] for mark in review["reading"]["marks"]}
    place = next(find["place"] for find in review["reading"]["finds"] if find["place"] not in marked)
    table.call(
        "POST",
        f"/tableaus/{tableau}/corrections",
        {"version": version, "correction": {"kind": "mark", "place": place, "circled": True, "struck": True}},
    )
    before = table.score(table.aya)
    record = table.call("GET", f"/tableaus/{tableau}")["record"]

    moved = table.move(tableau, table.ben)
    assert moved["round"]["player"] == "Ben"
    assert table.score(table.ben) == before and table.of(table.ben)["tableau_id"] == tableau
    assert table.score(table.aya) == (None, None, None, 0) and table.of(table.aya)["tableau_id"] is None
    there = table.call("GET", f"/tableaus/{tableau}")
    assert there["record"] == record and len(there["shots"]) == 1
    assert len(table.call("GET", f"/tableaus/{tableau}/dispute")["claims"]) == 1
    # what was corrected before is still taken back, one by one
    undone = table.call("POST", f"/tableaus/{tableau}/undo", {"version": moved["version"]})
    assert undone["reading"]["record"]["marks"] != record["marks"] and undone["round"]["player"] == "Ben"

    table.move(tableau, table.aya)
    assert table.of(table.aya)["tableau_id"] == tableau
    assert table.score(table.ben) == (None, None, None, 0)


def test_it_is_refereed_with_what_its_new_player_holds_and_no_undo_takes_that_away(table: Table) -> None:
    put_reading(table.app, table.aya, "table-07")
    tableau = table.of(table.aya)["tableau_id"]
    table.call("PATCH", f"/entries/{table.ben}", {"fairy_tokens": {"rope": 1}})
    means = {"kind": "means", "fairy_tokens": {"sword": 2}, "spellbooks": []}
    version = table.call("GET", f"/tableaus/{tableau}")["version"]
    table.call("POST", f"/tableaus/{tableau}/corrections", {"version": version, "correction": means})

    moved = table.move(tableau, table.ben)
    assert moved["means"]["fairy_tokens"] == {"rope": 1}
    assert table.of(table.aya)["fairy_tokens"] == {"sword": 2}
    more = {"kind": "means", "fairy_tokens": {"rope": 1, "key": 1}, "spellbooks": []}
    body = {"version": moved["version"], "correction": more}
    now = table.call("POST", f"/tableaus/{tableau}/corrections", body)
    assert now["means"]["fairy_tokens"] == {"rope": 1, "key": 1}
    while now["history"]["undo"]:
        now = table.call("POST", f"/tableaus/{tableau}/undo", {"version": now["version"]})
        assert now["means"]["fairy_tokens"] == {"rope": 1}


def test_two_photos_that_were_mixed_up_change_places(table: Table) -> None:
    put_reading(table.app, table.aya, "table-07")
    put_reading(table.app, table.ben, "table-01")
    aya, ben = (table.of(entry)["tableau_id"] for entry in (table.aya, table.ben))
    scores = [table.score(entry) for entry in (table.aya, table.ben)]
    assert scores[0] != scores[1]
    table.move(aya, table.ben)
    assert [table.of(entry)["tableau_id"] for entry in (table.aya, table.ben)] == [ben, aya]
    assert [table.score(entry) for entry in (table.ben, table.aya)] == scores
    table.move(aya, table.aya)
    assert [table.score(entry) for entry in (table.aya, table.ben)] == scores


def test_a_photo_from_outside_is_brought_into_a_game_and_out_again(table: Table) -> None:
    put_reading(table.app, table.aya, "table-07")
    put_reading(table.app, table.ben, "table-01")
    tableau, other = (table.of(entry)["tableau_id"] for entry in (table.aya, table.ben))
    score = table.score(table.aya)
    out = table.move(tableau, None)
    assert out["round"] is None and out["means"]["primary"] is None
    assert table.score(table.aya) == (None, None, None, 0) and table.of(table.aya)["tableau_id"] is None
    page = table.client.get(f"/tableaus/{tableau}").text
    assert [f'data-move="{entry}"' in page for entry in (table.aya, table.ben, table.chie)] == [
        True,
        False,
        True,
    ]
    assert table.move(tableau, table.ben, status=400)["error"]["code"] == "has-photo"
    assert table.move(tableau, table.chie)["round"]["player"] == "Chie"
    assert table.score(table.chie) == score and table.of(table.ben)["tableau_id"] == other
    table.call("PATCH", f"/games/{table.game}", {"finished": True})
    assert table.move(tableau, None, status=409)["error"]["code"] == "game-finished"


def test_scores_that_people_wrote_stay_in_both_rounds(table: Table) -> None:
    put_reading(table.app, table.aya, "table-07")
    written = {"primary_vp": 41, "secondary_vp": 5, "escaped": False, "coins_received": 2}
    for entry in (table.aya, table.ben):
        table.call("PATCH", f"/entries/{entry}", written)
    table.move(table.of(table.aya)["tableau_id"], table.ben)
    assert table.score(table.aya) == table.score(table.ben) == (41, 5, False, 2)
    assert table.of(table.aya)["ruled"] is None and table.of(table.ben)["ruled"] is not None


def test_a_photo_in_the_bin_stays_there_when_another_takes_its_place(table: Table) -> None:
    put_reading(table.app, table.aya, "table-07")
    put_reading(table.app, table.ben, "table-01")
    aya, ben = (table.of(entry)["tableau_id"] for entry in (table.aya, table.ben))
    table.call("DELETE", f"/tableaus/{ben}")
    table.move(aya, table.ben)
    assert table.of(table.ben)["tableau_id"] == aya
    table.move(aya, table.aya)
    table.call("POST", f"/tableaus/{ben}/restore")
    assert table.of(table.ben)["tableau_id"] == ben


def test_a_move_that_cannot_be_is_told_and_changes_nothing(table: Table) -> None:
    put_reading(table.app, table.aya, "table-07")
    aya = table.of(table.aya)["tableau_id"]
    other = Table(table.app)
    before = table.score(table.aya)
    assert table.move(aya, other.ben, 400)["error"]["code"] == "other-game"
    assert table.move(aya, table.ben, 409, version=0)["error"]["code"] == "conflict"
    assert table.move(aya, "nobody", 404)["error"]["code"] == "not-found"
    table.move(aya, table.aya)
    assert table.of(table.aya)["tableau_id"] == aya and table.score(table.aya) == before


def test_a_gap_that_was_answered_is_told_as_the_players_word_and_not_as_a_question(table: Table) -> None:
    services: Services = table.app.extensions[KEY]
    with services.database.transaction() as session:
        tableau = tableau_of_entry(session, session.get_one(Entry, table.aya))
        stored = store_original(services.photos, photo_file("table-10").read_bytes())
        shot = add_shot(session, tableau, stored)
        session.flush()
        take_reading(session, services.catalogue, shot, reading_of("table-10"))
        tableau_id = tableau.id
    asks, so = "answer its questions", "Sure, as the player says"
    address = f"/games/{table.game}/rounds/1"
    assert asks in table.client.get(address).text and not table.of(table.aya)["as_said"]
    review = table.call("GET", f"/tableaus/{tableau_id}/review")
    while review["reading"]["questions"]:
        question = review["reading"]["questions"][0]["name"]
        given = {"question": question, "option": 0, "version": review["version"]}
        review = table.call("POST", f"/tableaus/{tableau_id}/answers", given)
    shown = table.client.get(address).text
    assert so in shown and asks not in shown and table.of(table.aya)["as_said"]
    japanese = table.client.get(address, headers={"Accept-Language": "ja"}).text
    assert "プレイヤーの申告のとおり" in japanese
