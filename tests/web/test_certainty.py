"""How sure a score has to be before it is called sure: a setting of a game."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from api_calls import Call
from board_play import begin as begin_board
from exchanged import export, services_of, take
from flask import Flask
from flask.testing import FlaskClient
from live_server import PHONE
from page_looks import box_of, faults, keep_screenshot
from put_readings import put_reading, true_reading
from ready_made import take_back

from vision.questions import REASONS, Question
from vision.scan import Scan
from waymark.review.decision import CERTAINTY
from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.store.database import open_database
from webapp.store.models import Entry, Game
from webapp.store.tableaus import assessment_of

PHOTO = "table-07"
PLAYERS = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]


def begin(call: Call, **more: Any) -> Any:
    game = call("POST", "/games", {"players": PLAYERS, **more}, status=201)
    call("PATCH", f"/games/{game['id']}/rounds/1", {"primary": "sword", "secondary": "pit"})
    return game


def nearly_sure() -> Scan:
    """A photo whose last stretch is faint: most likely, but not certainly, the path runs along it."""
    read = true_reading(PHOTO)
    *others, line = read.tableau.path
    short = msgspec.structs.replace(read.tableau, path=(*others, line[:-1]))
    question = Question("path", line[-2], ("it runs on", "it ends"), *REASONS["faint"].pair)
    faint = replace(question, alternatives=(short,), name=f"path:faint:{line[-2]}", behind=6.0)
    marks = read.tableau.marks
    confidence = dict.fromkeys((*marks.circled, *marks.struck), 0.99)
    return replace(read, questions=(faint,), sure=False, mark_confidence=confidence)


def first_entry(call: Call, game: Any) -> Any:
    return call("GET", f"/games/{game['id']}")["rounds"][0]["entries"][0]


def photographed(app: Flask, call: Call, game: Any) -> float:
    """Give Aya a photo that is nearly sure; the answer is a certainty that it does not reach."""
    entry_id = first_entry(call, game)["id"]
    put_reading(app, entry_id, PHOTO, nearly_sure())
    services = services_of(app)
    with services.database.snapshot() as session:
        tableau = session.get_one(Entry, entry_id).tableau
        assert tableau is not None
        assessment = assessment_of(session, services.catalogue, tableau)
    assert assessment is not None and CERTAINTY <= assessment.probability < 0.999
    return (1 + assessment.probability) / 2


def stored(app: Flask, game: Any) -> float | None:
    with services_of(app).database.snapshot() as session:
        return session.get_one(Game, game["id"]).certainty


def test_a_stricter_game_asks_about_a_photo_that_was_sure_and_back(app: Flask, call: Call) -> None:
    game = begin(call)
    strict = photographed(app, call, game)
    sure = first_entry(call, game)
    assert (game["certainty"], sure["state"]) == (CERTAINTY, "sure")
    version = call("GET", f"/tableaus/{sure['tableau_id']}/review")["version"]

    changed = call("PATCH", f"/games/{game['id']}", {"certainty": strict, "seen": {"certainty": CERTAINTY}})
    assert changed["certainty"] == strict and changed["version"] > game["version"]
    asked = call("GET", f"/tableaus/{sure['tableau_id']}/review")
    (question,) = asked["reading"]["questions"]
    assert first_entry(call, game)["state"] == "questions"
    assert asked["version"] > version, "other devices load it again"

    # An answer makes it as sure as the game wants it.
    answer = {"question": question["name"], "option": 0, "version": asked["version"]}
    call("POST", f"/tableaus/{sure['tableau_id']}/answers", answer)
    answered = first_entry(call, game)
    assert (answered["state"], answered["scores"]) == ("sure", sure["scores"])

    back = call("PATCH", f"/games/{game['id']}", {"certainty": None})
    assert back["certainty"] == CERTAINTY and stored(app, game) is None


def test_a_game_can_begin_stricter(app: Flask, call: Call) -> None:
    strict = photographed(app, call, begin(call))
    game = begin(call, certainty=strict)
    assert (game["certainty"], stored(app, game)) == (strict, strict)
    put_reading(app, first_entry(call, game)["id"], PHOTO, nearly_sure())
    assert first_entry(call, game)["state"] == "questions"
    usual = begin(call, certainty=CERTAINTY)
    assert stored(app, usual) is None, "it follows the usual one, also when that changes"


def test_a_typed_score_stays_when_the_certainty_changes(app: Flask, call: Call) -> None:
    game = begin(call)
    strict = photographed(app, call, game)
    call("PATCH", f"/entries/{first_entry(call, game)['id']}", {"primary_vp": 9})
    call("PATCH", f"/games/{game['id']}", {"certainty": strict})
    entry = first_entry(call, game)
    assert (entry["scores"]["primary"], entry["typed"], entry["state"]) == (9, True, "questions")


@pytest.mark.parametrize("wrong", [CERTAINTY - 0.01, 1, "0.99", True])
def test_what_is_no_certainty_is_refused_with_a_sentence(app: Flask, call: Call, wrong: Any) -> None:
    game = begin(call)
    told = call("PATCH", f"/games/{game['id']}", {"certainty": wrong}, status=400)["error"]
    assert told["code"] == "not-valid" and "certainty" in told["message"]
    call("POST", "/games", {"players": PLAYERS, "certainty": wrong}, status=400)
    assert stored(app, game) is None


def test_a_board_game_has_no_certainty(call: Call) -> None:
    game = begin_board(call)[0]
    assert game["certainty"] is None
    told = call("PATCH", f"/games/{game['id']}", {"certainty": 0.99}, status=400)["error"]
    assert "each player's cards" in told["message"]
    call("PATCH", f"/games/{game['id']}", {"certainty": None})


def test_two_devices_do_not_change_the_certainty_unseen(call: Call) -> None:
    path = f"/games/{begin(call)['id']}"
    call("PATCH", path, {"certainty": 0.99, "seen": {"certainty": None}})
    late = call("PATCH", path, {"certainty": 0.995, "seen": {"certainty": CERTAINTY}}, status=409)
    assert "a score is sure from 99%" in late["error"]["message"]
    call("PATCH", path, {"certainty": 0.995, "seen": {"certainty": 0.99}})


def test_a_finished_game_keeps_its_certainty(app: Flask, call: Call) -> None:
    game = begin(call)
    call("PATCH", f"/games/{game['id']}", {"finished": True})
    call("PATCH", f"/games/{game['id']}", {"certainty": 0.99}, status=409)
    assert stored(app, game) is None


def test_the_form_begins_a_stricter_game(app: Flask, client: FlaskClient) -> None:
    client.application.config["WTF_CSRF_ENABLED"] = False
    form = {"row": ["0", "1"], "name-0": "Aya", "colour-0": "red", "name-1": "Ben", "colour-1": "blue"}
    english = {"Accept-Language": "en"}
    wrong = client.post("/games/new", data={**form, "certainty": "0.5"}, headers=english)
    page = wrong.get_data(as_text=True)
    assert wrong.status_code == 422 and "certainty takes one of 0.97, 0.99, 0.995" in page
    begun = client.post("/games/new", data={**form, "certainty": "0.99"})
    board = begun.headers["Location"].removesuffix("/rounds/1")
    game = client.get("/api/v1" + board).json
    assert game is not None and game["certainty"] == 0.99
    page = client.get(board, headers=english).get_data(as_text=True)
    assert "When Waymark calls a score sure: <strong>Stricter (99%, asks more often)" in page


def test_only_games_of_each_players_cards_offer_it(client: FlaskClient) -> None:
    def offers(address: str) -> bool:
        return 'name="certainty"' in client.get(address).get_data(as_text=True)

    assert offers("/games/new")
    assert not offers("/games/new?mode=together")
    assert not offers("/games/new?deck=open-labyrinth2")


def test_an_exported_game_keeps_its_certainty(call: Call, client: FlaskClient, tmp_path: Path) -> None:
    game = begin(call, certainty=0.995)
    other = create_app(ServerConfig(data=tmp_path / "other", scan_workers=0))
    take(other.test_client(), export(client))
    assert stored(other, game) == 0.995
    services_of(other).database.engine.dispose()


def test_a_database_from_before_opens_with_the_usual_certainty(tmp_path: Path) -> None:
    file = tmp_path / "waymark.sqlite3"
    database = open_database(f"sqlite:///{file}")
    with database.transaction() as session:
        session.add(Game(id="old", title="卓"))
    take_back(database, "0013")
    with closing(sqlite3.connect(file)) as opened:
        assert "certainty" not in str(opened.execute("SELECT sql FROM sqlite_master").fetchall())
    database = open_database(f"sqlite:///{file}")
    with database.snapshot() as session:
        game = session.get_one(Game, "old")
        assert (game.title, game.certainty) == ("卓", None)
    database.engine.dispose()


# --- in the browser -----------------------------------------------------------------------------------------


def fits(page: Any) -> bool:
    return bool(page.locator("#house-rules").evaluate("each => each.scrollWidth <= each.clientWidth"))


@pytest.mark.long
def test_the_dialog_makes_a_game_stricter_on_a_phone(new_page: Any) -> None:
    page = new_page(size=PHONE)
    begun = page.request.post("/api/v1/games", data={"players": PLAYERS})
    game = f"/games/{begun.json()['id']}"

    def certainty() -> float:
        value: float = page.request.get(f"/api/v1{game}").json()["certainty"]
        return value

    def saved(button: str) -> None:
        with page.expect_response(lambda answer: answer.request.method == "PATCH"):
            page.get_by_role("button", name=button).last.tap()

    page.goto(game)
    page.locator("summary", has_text="About this game").tap()
    page.get_by_role("button", name="Change the house rules").tap()
    choice = page.locator("#house-rules").get_by_label("When Waymark calls a score sure")
    assert choice.input_value() == str(CERTAINTY)
    choice.select_option("Strictest (99.5%, asks most often)")
    choice.scroll_into_view_if_needed()
    assert box_of(choice)["height"] >= 44 and not faults(page)
    assert fits(page)
    keep_screenshot(page, "certainty-phone-en", whole=False)
    saved("Save")
    page.locator("[data-live=rules]", has_text="Strictest (99.5%").wait_for()
    assert certainty() == 0.995
    saved("Undo")
    page.locator("[data-live=rules]", has_text="As usual").wait_for()
    assert certainty() == CERTAINTY

    other = new_page(size=PHONE, language="ja")
    other.goto(game)
    other.locator("summary", has_text="このゲームについて").tap()
    other.get_by_role("button", name="ハウスルールを変更").tap()
    chosen = other.locator("#house-rules").get_by_label("得点を「確実」とする基準")
    chosen.select_option("厳しめ(99%、質問が増えます)")
    chosen.scroll_into_view_if_needed()
    assert not faults(other) and fits(other)
    keep_screenshot(other, "certainty-phone-ja", whole=False)
