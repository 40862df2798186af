"""A box is changed over the API: what was played with it stands, and nobody is surprised."""

from __future__ import annotations

import io
import threading
from pathlib import Path
from typing import Any

import pytest
from api_calls import Call
from flask import Flask
from flask.testing import FlaskClient
from live_server import PHOTOS
from patience import PATIENCE_SECONDS
from untraced_deck import untraced_deck

from calibration.enrol.share import sharing
from calibration.enrol.share.fingerprints import fingerprint
from calibration.enrol.share.questions import FOLDER, TRACING
from scorer.catalogue import read_catalogue
from webapp.decks.enrolling import Enrolling, jobs_of
from webapp.http.services import KEY, Services
from webapp.store import render_cache

PLAYERS = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
ADDRESS = "/api/v1/decks/ours"


@pytest.fixture
def box(app: Flask) -> Path:
    services: Services = app.extensions[KEY]
    return untraced_deck(services.config.data / "boxes" / "ours", {"D39": "yes", "D40": "no"})


def cards_of(client: FlaskClient, part: str = "cards") -> list[str]:
    told = client.get(ADDRESS).json
    assert told is not None
    return [card["id"] for card in told[part]]


def error_of(answer: Any, status: int) -> str:
    assert answer.status_code == status and answer.json is not None, answer.data
    return str(answer.json["error"]["message"])


def test_a_box_set_aside_is_offered_to_nobody_and_comes_back(client: FlaskClient, box: Path) -> None:
    assert b"deck=ours" in client.get("/games/new").data
    assert client.patch(ADDRESS, json={"set_aside": True}).status_code == 200
    assert b"deck=ours" not in client.get("/games/new").data
    listed = client.get("/api/v1/decks").json
    assert listed is not None and [each["id"] for each in listed] == ["open"]
    assert b"1 box is set aside" in client.get("/decks").data
    back = client.patch(ADDRESS, json={"set_aside": False})
    assert back.json is not None and not back.json["set_aside"]
    assert b"deck=ours" in client.get("/games/new").data
    error_of(client.patch("/api/v1/decks/open", json={"set_aside": True}), 403)


def test_a_box_is_not_set_aside_from_under_a_game(client: FlaskClient, box: Path) -> None:
    game = client.post("/api/v1/games", json={"players": PLAYERS, "deck": "ours"}).json
    assert game is not None
    refused = client.patch(ADDRESS, json={"set_aside": True}, headers={"Accept-Language": "ja"})
    assert "1 件" in error_of(refused, 409)
    assert client.patch(ADDRESS, json={"set_aside": True, "anyway": True}).status_code == 200
    # It goes on all the same.
    assert client.get(f"/games/{game['id']}").status_code == 200
    assert client.get("/decks/ours").status_code == 200
    error_of(client.post("/api/v1/games", json={"players": PLAYERS, "deck": "none"}), 404)


def test_a_box_is_renamed_over_what_was_seen(client: FlaskClient, box: Path) -> None:
    renamed = client.patch(ADDRESS, json={"name": "Friday", "seen": "木曜の箱"})
    assert renamed.json is not None and (renamed.json["id"], renamed.json["name"]) == ("ours", "Friday")
    assert "Friday" in error_of(client.patch(ADDRESS, json={"name": "Sunday", "seen": "木曜の箱"}), 409)


def test_cards_are_renamed_taken_out_and_put_back(client: FlaskClient, box: Path) -> None:
    assert client.patch(f"{ADDRESS}/cards/D40", json={"name": "A/7"}).status_code == 200
    assert cards_of(client) == ["D39", "A/7"]
    assert "D39" in error_of(client.patch(f"{ADDRESS}/cards/A%252F7", json={"name": "D39"}), 409)
    assert client.patch(f"{ADDRESS}/cards/A%252F7", json={"out": True}).status_code == 200
    assert (cards_of(client), cards_of(client, "out")) == (["D39"], ["A/7"])
    assert b"Taken out of the box" in client.get("/decks/ours").data
    assert client.patch(f"{ADDRESS}/cards/A%252F7", json={"out": False}).status_code == 200
    assert cards_of(client) == ["D39", "A/7"]
    # The page of the old name is still that of the card.
    assert b"A/7" in client.get("/decks/ours/cards/D40").data
    error_of(client.patch("/api/v1/decks/open/cards/D39", json={"out": True}), 403)


def test_a_card_is_turned_until_a_photo_was_read_with_it(
    app: Flask, client: FlaskClient, call: Call, box: Path
) -> None:
    first = read_catalogue(box).card("D39")
    assert client.patch(f"{ADDRESS}/cards/D39", json={"turned": True}).status_code == 200
    assert read_catalogue(box).card("D39").nodes[0].at != first.nodes[0].at
    game = client.post("/api/v1/games", json={"players": PLAYERS, "deck": "ours"}).json
    assert game is not None
    data = (PHOTOS / "table-07.jpg").read_bytes()
    entry = game["rounds"][0]["entries"][0]["id"]
    sent = client.post("/api/v1/photos", data={"photo": (io.BytesIO(data), "a.jpg"), "entry_id": entry})
    assert sent.status_code == 202
    busy = client.patch(f"{ADDRESS}/cards/D39", json={"turned": True})
    assert "being read" in error_of(busy, busy.status_code)


def test_the_viewfinder_looks_for_the_cards_of_the_games_box(
    app: Flask, client: FlaskClient, box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = []

    def glance(frame: bytes, deck: str = "") -> tuple[list[Any], list[int]]:
        looked.append(deck)
        return [], []

    services: Services = app.extensions[KEY]
    monkeypatch.setattr(services.queue, "glance", glance)
    game = client.post("/api/v1/games", json={"players": PLAYERS, "deck": "ours"}).json
    assert game is not None
    entry = game["rounds"][0]["entries"][0]["id"]
    frame = (PHOTOS / "table-07.jpg").read_bytes()
    for more in ({}, {"entry_id": entry}, {"entry_id": "gone"}):
        sent = client.post("/api/v1/outlines", data={"photo": (io.BytesIO(frame), "frame.jpg"), **more})
        assert sent.status_code == 200, sent.data
    tableau = client.post("/api/v1/tableaus", json={}).json
    assert tableau is not None
    data = {"photo": (io.BytesIO(frame), "frame.jpg"), "tableau_id": tableau["id"]}
    assert client.post("/api/v1/outlines", data=data).status_code == 200
    assert looked == ["", "ours", "", ""]


class InProcess:
    """A queue that has things done here, in place of a reading process."""

    def lend(self, work: Any) -> Any:
        return work(self)

    def ask(self, function: Any, *arguments: Any, seconds: float) -> Any:
        return function(*arguments)


def test_a_file_of_a_large_box_is_made_while_others_are_answered(
    client: FlaskClient, box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on: threading.Event = threading.Event()
    looked_at: list[Any] = []

    def slow(*arguments: Any) -> Any:
        looked_at.append(arguments)
        assert go_on.wait(PATIENCE_SECONDS)
        return fingerprint(*arguments)

    monkeypatch.setattr(sharing, "fingerprint", slow)
    with monkeypatch.context() as impatient:
        impatient.setattr(render_cache, "WAIT_SECONDS", 0.0)
        for _ in range(2):
            answer = client.get(f"{ADDRESS}/shared")
            assert "still being made" in error_of(answer, 503) and "Retry-After" in answer.headers
    go_on.set()
    # A page looks whether it is there, then saves it; no card is looked at twice.
    assert [client.get(f"{ADDRESS}/shared").status_code for _ in range(2)] == [200, 200]
    assert len(looked_at) == len(cards_of(client))


@pytest.mark.long
def test_dungeons_go_from_box_to_box(app: Flask, client: FlaskClient, box: Path) -> None:
    services: Services = app.extensions[KEY]
    theirs = untraced_deck(box.with_name("theirs"), {"D39": "no", "D41": "no"})
    file = client.get(f"{ADDRESS}/shared")
    assert file.status_code == 200 and "attachment" in file.headers["Content-Disposition"]
    assert b"art/" not in file.data
    address = "/api/v1/decks/theirs"
    kind = "application/octet-stream"
    wrong = client.post(f"{address}/shared?name=a.json", data=b"{}", content_type=kind)
    assert "shared tracing" in error_of(wrong, 400)
    # A photo of another table: the card lies under another name here.
    client.patch(f"{address}/cards/D39", json={"name": "C01"})
    sent = client.post(f"{address}/shared?name=a.json", data=file.data, content_type=kind)
    assert sent.status_code == 202 and sent.json is not None and sent.json["waiting"] == 1
    # The server is killed here; the next one finds it.
    enrolling = Enrolling(services.shelf, InProcess(), services.read_again)  # type: ignore[arg-type]
    deck = services.shelf.deck("theirs")
    while any(job.state == "waiting" for _, job in jobs_of(deck.folder)):
        assert enrolling._work(deck)
    assert (theirs / "enrol" / FOLDER / TRACING).is_file()
    cards = {card.id: card for card in read_catalogue(theirs).cards}
    assert cards["D39"].tracing == "yes" and cards["D41"].tracing == "no"
    assert read_catalogue(theirs).card("C01").id == "D39"
    told = client.get(f"{address}/enrolment").json
    assert told is not None and told["photos"][0]["words"] == "1 dungeon taken over"
