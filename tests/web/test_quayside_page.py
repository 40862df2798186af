"""Quayside in the app, which knows nothing of it: begun, dealt, told by taps and by a photo, and counted."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import quayside_table
from api_calls import Call, Calls
from board_play import act, begin, photograph
from quayside_table import photo_of, turned

from scorer.board_record import board_from
from scorer.catalogue import Catalogue
from vision.photo.decode import load_photo
from waymark.review.boards.assess import read_board
from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.http.services import KEY


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    return quayside_table.deck(tmp_path_factory.mktemp("quayside"))


def turn_on(record: dict[str, Any], cell: tuple[int, int]) -> dict[str, Any]:
    """The action that turns the tile in a cell by a quarter."""
    lying = next(each for each in record["tiles"] if (each["column"], each["row"]) == cell)
    return {"do": "turn", "at": list(cell), "rotation": (lying["rotation"] + 90) % 360}


def test_a_game_from_its_beginning_to_its_final_score(
    deck: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(random, "SystemRandom", lambda: random.Random(5))
    app, away = (
        create_app(ServerConfig(data=tmp_path / name, catalogue=deck.folder, scan_workers=0))
        for name in ("home", "away")
    )
    client = app.test_client()
    phone: Call = Calls(client)
    assert "Boats in one place" in client.get("/games/new").text
    game, board = begin(phone, deck="")
    told = phone("GET", board)
    assert told["legal"] and len(told["picture"]["tiles"]) == 25 and told["to_move"] == "Aya"
    # A turn by taps: the forms come from the actions' fields.
    forms = {form["id"]: form for form in act(phone, board, "try", steps=[])["forms"]}
    assert set(forms) == {"sail", "turn", "load"} and forms["sail"]["fields"][0]["kind"] == "cell"
    step = turn_on(phone("GET", f"{board}/record"), (1, 0))
    assert act(phone, board, "try", steps=[step])["done"]
    turns = act(phone, board, "turn", steps=[step])["turns"]
    assert turns[0]["ruling"]["says"] == ["Aya turns the tile at column 2, row 1."]
    assert "error" in act(phone, board, "turn", status=409, steps=[{"do": "sail", "to": [0, 0]}])
    # A turn by a photo: what was done is read off it.
    record = phone("GET", f"{board}/record")
    step = turn_on(record, (3, 0))
    after = turned(deck, board_from(record), [step])
    file = tmp_path / "table.jpg"
    file.write_bytes(photo_of(after))
    photograph(app, board, read_board(load_photo(file), deck))
    pending = phone("GET", board)["pending"]
    assert pending["steps"] == [step] and pending["turn"]["legal"]
    assert [each["name"] for each in pending["questions"]] == ["board:looked-over"]
    taken = act(phone, board, "photo", turn=True)
    assert taken["to_move"] == "Aya" and len(taken["turns"]) == 2
    # A log takes it to another table, where it is counted in Japanese.
    elsewhere = away.test_client()
    log = client.get("/api/v1/log").get_data()
    assert elsewhere.post("/api/v1/log", data=log, content_type="application/zip").status_code == 200
    other: Call = Calls(elsewhere)
    assert other("GET", board)["turns"] == taken["turns"]
    held = {"kind": "holds", "player": "Ben", "what": "silk", "count": 2}
    act(other, board, "changes", change=held)
    act(other, board, "end", ended=True)
    final = other("GET", f"/games/{game['id']}/final")
    assert final["complete"] and final["winners"] == ["Ben"]
    assert [row["columns"] for row in final["rows"]] == [{"goods": 6, "sets": 0}, {"goods": 0, "sets": 0}]
    elsewhere.set_cookie("language", "ja")
    assert "いちばん多く陸揚げしました: 6 点" in elsewhere.get(f"/games/{game['id']}/final").text
    assert "ハーバー" in elsewhere.get(f"/games/{game['id']}").text
    for each in (app, away):
        each.extensions[KEY].database.engine.dispose()
