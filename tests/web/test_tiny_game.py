"""Another game through the web: Trails (tests/support/tiny_game) has two boxes a round, three rounds, no
line, no
market."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from api_calls import Call, Calls
from flask import Flask
from flask.testing import FlaskClient
from live_server import LiveServer
from page_looks import keep_screenshot, serious_findings
from trails_table import ROWS, board, photo_of, tableau, write_deck

from scorer.board_record import Board
from scorer.catalogue import Catalogue
from vision.cards.pose import CardPose
from vision.scan import Scan, SeenPhoto
from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.games.games import tableau_of_entry
from webapp.http.services import KEY, Services
from webapp.store.models import Entry
from webapp.store.photos import store_original
from webapp.store.tableaus import add_shot, take_reading

PX_PER_MM, MARGIN_MM = 6.0, 25.0
PLAYERS = [{"name": "Aya", "colour": "red"}, {"name": "Ken", "colour": "green"}]


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the tiny game's cards."""
    return write_deck(tmp_path_factory.mktemp("trails") / "deck")


@pytest.fixture
def trails(tmp_path: Path, cards: Path) -> Iterator[Flask]:
    """A server with its cards."""
    app = create_app(ServerConfig(data=tmp_path / "trails", catalogue=cards, scan_workers=0))
    yield app
    app.extensions[KEY].database.engine.dispose()


@pytest.fixture
def client(trails: Flask) -> FlaskClient:
    return trails.test_client()


@pytest.fixture
def call(client: FlaskClient) -> Call:
    return Calls(client)


def reading(record: Board, cards: Catalogue) -> Scan:
    """A photo from straight above, read as it lies there."""
    seen = tableau(record)
    sizes = {card.id: card.size_mm or cards.card_size_mm for card in cards.cards}

    def corners(
        x: float, y: float, size: tuple[float, float], turned: int
    ) -> tuple[tuple[float, float], ...]:
        ring = [(x, y), (x + size[0], y), (x + size[0], y + size[1]), (x, y + size[1])]
        first = (-turned // 90) % 4
        ring = ring[first:] + ring[:first]
        return tuple(((a + MARGIN_MM) * PX_PER_MM, (b + MARGIN_MM) * PX_PER_MM) for a, b in ring)

    side = round((150 + 2 * MARGIN_MM) * PX_PER_MM)
    found = tuple(
        CardPose(card.card, card.rotation, corners(card.x, card.y, sizes[card.card], card.rotation), 0.9)
        for card in seen.cards
    )
    return Scan(SeenPhoto(side, side), seen, found, (), (), sure=True)


def put_photo(app: Flask, entry_id: str, record: Board) -> str:
    """Give a player's round a photo that was read; the tableau."""
    services: Services = app.extensions[KEY]
    picture = io.BytesIO()
    photo_of(record, PX_PER_MM, MARGIN_MM).save(picture, "JPEG", quality=70)
    stored = store_original(services.photos, picture.getvalue())
    with services.database.transaction() as session:
        shot = add_shot(session, tableau_of_entry(session, session.get_one(Entry, entry_id)), stored)
        session.flush()
        take_reading(session, services.catalogue, shot, reading(record, services.catalogue))
        return shot.tableau_id


def play(app: Flask) -> dict[str, Any]:
    """A whole game of two: a photo in the first round, the others by hand."""
    call = Calls(app.test_client())
    game = call("POST", "/games", {"players": PLAYERS, "settings": {"wrap": True}}, status=201)
    address = f"/games/{game['id']}"
    call("PATCH", f"{address}/rounds/1", {"terms": {"objective": "owls"}})
    rounds = [[entry["id"] for entry in round_["entries"]] for round_ in game["rounds"]]
    put_photo(app, rounds[0][0], board(owls=((0, 0), (2, 2))))
    call("PATCH", f"/entries/{rounds[0][1]}", {"scores": {"road": 3, "objective": 0}})
    for number, entries in enumerate(rounds[1:], start=2):
        for seat, entry in enumerate(entries):
            call("PATCH", f"/entries/{entry}", {"scores": {"road": number + seat, "objective": 2 * seat}})
    told: dict[str, Any] = call("GET", address)
    return told


def test_a_game_begins_with_its_own_players_rounds_and_house_rules(client: FlaskClient, call: Call) -> None:
    form = client.get("/games/new").text
    assert "The world is round" in form and "Points of the time bonus" not in form
    assert 'value="purple"' not in form and 'value="yellow"' in form
    game = call("POST", "/games", {"players": PLAYERS[:1]}, status=201)
    assert len(game["rounds"]) == 3 and game["game"] == "trails" and game["settings"] == {"wrap": False}
    assert set(game["rounds"][0]["entries"][0]["scores"]) == {"road", "objective"}
    assert "primary_vp" not in game["rounds"][0]["entries"][0], "no names of another game"
    assert "丸い世界" in client.get("/games/new", headers={"Accept-Language": "ja"}).text
    for wrong in ({"card_limit": 6}, {"wrap": 3}):
        call("POST", "/games", {"players": PLAYERS, "settings": wrong}, status=400)


def test_boxes_are_written_by_hand_and_undone(call: Call) -> None:
    game = call("POST", "/games", {"players": PLAYERS}, status=201)
    entry = f"/entries/{game['rounds'][0]['entries'][0]['id']}"
    first = call("PATCH", entry, {"scores": {"road": 4}, "seen": {"scores": {"road": None}}})
    call("PATCH", entry, {"scores": {"objective": 2}})
    assert call("PATCH", entry, {"scores": {"road": 5}, "seen": {"scores": {"road": 3}}}, status=409)["error"]
    back = call("POST", f"{entry}/undo", {"change": first["change"]})
    assert back["scores"] == {"road": None, "objective": 2} and back["typed"]
    for wrong in ({"primary": 1}, {"road": True}, {"road": 1000}):
        call("PATCH", entry, {"scores": wrong}, status=400)
    call("PATCH", entry, {"primary_vp": 1}, status=400)


def test_what_is_held_and_asked_for_changes_the_ruling(trails: Flask, call: Call) -> None:
    game = call("POST", "/games", {"players": PLAYERS}, status=201)
    entry = game["rounds"][0]["entries"][0]["id"]
    put_photo(trails, entry, board(ROWS, owls=((0, 0), (2, 2))))
    read = call("GET", f"/entries/{entry}")
    assert read["scores"] == {"road": 7, "objective": None} and read["state"] == "sure"
    more = call("PATCH", f"/entries/{entry}", {"terms": {"lanterns": 2}, "seen": {"terms": {"lanterns": 0}}})
    assert more["scores"]["road"] > 7 and more["terms"] == {"lanterns": 2}
    call("PATCH", f"/entries/{entry}", {"terms": {"lanterns": 9}}, status=400)
    address = f"/games/{game['id']}/rounds/1"
    asked = call("PATCH", address, {"terms": {"objective": "owls"}, "seen": {"terms": {"objective": None}}})
    assert asked["rounds"][0]["entries"][0]["scores"]["objective"] == 4
    call("PATCH", address, {"primary": "coin"}, status=400)


def test_what_was_held_is_corrected_on_the_photo_by_the_games_own_words(trails: Flask, call: Call) -> None:
    game = call("POST", "/games", {"players": PLAYERS}, status=201)
    entry = game["rounds"][0]["entries"][0]["id"]
    tableau = f"/tableaus/{put_photo(trails, entry, board(ROWS))}"
    version = call("GET", f"{tableau}/review")["version"]

    def say(terms: dict[str, Any], status: int = 200) -> Any:
        correction = {"kind": "means", "terms": terms}
        body = {"version": version, "correction": correction}
        return call("POST", f"{tableau}/corrections", body, status=status)

    refused: tuple[dict[str, Any], ...] = ({"fairy_tokens": {}}, {"objective": "owls"}, {"wrap": True})
    for wrong in refused:
        assert "lanterns" in say(wrong, 400)["error"]["message"]
    held = say({"lanterns": 2})
    assert held["means"]["terms"]["lanterns"] == 2
    assert call("GET", f"/entries/{entry}")["terms"] == {"lanterns": 2}
    assert held["reading"]["score"]["scores"]["road"] > 7


@pytest.mark.parametrize(
    ("language", "column", "verdict"),
    [("en", "Longest road", "ran farthest"), ("ja", "いちばん長い道", "優勝")],
)
def test_board_and_final_page_speak_the_games_words(
    trails: Flask, language: str, column: str, verdict: str
) -> None:
    game, client = play(trails), trails.test_client()
    client.set_cookie("language", language)
    shown = client.get(f"/games/{game['id']}").text
    assert column in shown and shown.count('class="sum sum-') == 2
    for of_map_masters in ("Market", "マーケット", "Coins", "コイン", "Escape", "脱出"):
        assert of_map_masters not in shown
    assert client.get(f"/games/{game['id']}/rounds/1").status_code == 200
    final = client.get(f"/games/{game['id']}/final").text
    assert verdict in final and "Map Masters" not in final
    told = client.get(f"/api/v1/games/{game['id']}/final").json
    assert told is not None and told["complete"] and told["settled"]
    totals = {row["name"]: (row["columns"]["road"], row["columns"]["objective"]) for row in told["rows"]}
    assert totals["Ken"] == (3 + 3 + 4, 0 + 2 + 2)
    assert totals["Aya"][1] == 4, "two owls in the first round"


OF_MAP_MASTERS = (
    *("Escaped", "escaped", "Coins", "coins", "magic circle", "monster", "barrel"),
    *("脱出", "コイン", "魔法陣", "モンスター", "南京錠", "樽", "Map Masters"),
)


@pytest.mark.parametrize(
    ("language", "sentence", "step", "fact", "counted"),
    [
        ("en", "The fox runs over 7 tiles.", "Ran to column 3, row 3.", "7 VP", "tiles of the road"),
        ("ja", "キツネはタイル 7 枚を走ります。", "3 列目の 3 行目へ走った。", "7 勝利点", "道のタイル"),
    ],
)
def test_review_dispute_and_shared_ruling_speak_the_games_words(
    trails: Flask, language: str, sentence: str, step: str, fact: str, counted: str
) -> None:
    client = trails.test_client()
    client.set_cookie("language", language)
    call = Calls(client)
    game = call("POST", "/games", {"players": PLAYERS}, status=201)
    call("PATCH", f"/games/{game['id']}/rounds/1", {"terms": {"objective": "owls"}})
    entry = game["rounds"][0]["entries"][0]["id"]
    tableau_id = put_photo(trails, entry, board(ROWS, owls=((0, 0), (2, 2))))
    tableau = f"/tableaus/{tableau_id}"
    fetched = {tableau: ["review"], f"{tableau}/dispute": ["review", "dispute"], f"/r/{tableau_id}": []}
    for page, parts in fetched.items():
        answer = client.get(page)
        assert answer.status_code == 200, page
        data = [client.get(f"/api/v1{tableau}/{part}").text for part in parts]
        shown = re.sub(r"<script.*?</script>", "", answer.text, flags=re.S) + "".join(data)
        assert sentence in shown and fact in shown and counted in shown and step in shown, page
        assert [word for word in OF_MAP_MASTERS if word in shown] == [], page
    picture = client.get(f"{tableau}/ruling.png")
    assert picture.status_code == 200 and picture.data[:4] == b"\x89PNG"
    reading = call("GET", f"{tableau}/review")["reading"]
    assert reading["score"]["scores"] == {"road": 7, "objective": 4} and reading["sure"]
    assert reading["score"]["facts"][0]["words"] == fact
    assert [each["count"] for each in reading["counts"]] == [7, 2]
    assert len(reading["steps"]) == 7 and step in [each["sentence"] for each in reading["steps"]]
    assert not {"primary", "secondary", "discovered"} & set(reading)
    dispute = call("GET", f"{tableau}/dispute")
    assert dispute["turn"]["sentence"] == sentence and dispute["turn"]["step"] == 7
    assert dispute["ruling"]["score"] == reading["score"] and dispute["directions"] == []


def test_the_installed_app_has_the_games_name(client: FlaskClient) -> None:
    names = [client.get(f"/manifest/{language}.webmanifest").json or {} for language in ("en", "ja")]
    assert "Trails" in names[0]["name"] and "トレイル" in names[1]["name"]


def test_a_shared_ruling_tells_what_was_corrected_since(trails: Flask, call: Call) -> None:
    client = trails.test_client()
    game = call("POST", "/games", {"players": PLAYERS}, status=201)
    entry = game["rounds"][0]["entries"][0]["id"]
    tableau_id = put_photo(trails, entry, board())
    link = call("GET", f"/tableaus/{tableau_id}/dispute")["share"]
    assert "Unchanged since it was shared" in client.get(link).text
    call("PATCH", f"/entries/{entry}", {"terms": {"lanterns": 2}})
    now = client.get(link).text
    assert "Corrected since it was shared" in now
    assert re.search(r"Longest road</th>\s*<td[^>]*>7</td>\s*<td[^>]*>9</td>", now)


def test_a_ruling_that_is_none_says_why(trails: Flask, call: Call) -> None:
    client = trails.test_client()
    game = call("POST", "/games", {"players": PLAYERS}, status=201)
    tableau_id = put_photo(trails, game["rounds"][0]["entries"][0]["id"], board(fox=None))
    for page in (f"/tableaus/{tableau_id}", f"/r/{tableau_id}", f"/api/v1/tableaus/{tableau_id}/dispute"):
        assert "The fox stands on no tile" in client.get(page).text, page
    reading = call("GET", f"/tableaus/{tableau_id}/review")["reading"]
    assert reading["end"]["how"] == "violation" and not reading["sure"]
    assert client.get(f"/tableaus/{tableau_id}/ruling.png").status_code == 200


def test_exports_have_its_columns(trails: Flask) -> None:
    game, client = play(trails), trails.test_client()
    header, *rows = client.get("/api/v1/export/rounds.csv").text.splitlines()
    assert "objective_objective" in header and "road_vp" in header and "coins_spent" not in header
    assert len(rows) == 6
    plays = client.get("/api/v1/export/plays.bgsplay").json or client.get("/api/v1/export/plays.bgsplay").text
    assert "Trails" in str(plays)
    assert 'name="Trails"' in client.get("/api/v1/export/plays.xml").text
    assert client.get(f"/games/{game['id']}/final.png").data[:4] == b"\x89PNG"
    (person, *_) = client.get("/api/v1/persons").json or []
    detail = client.get(f"/api/v1/persons/{person['id']}").json
    assert detail is not None and detail["statistics"]["games"] == 1
    assert client.get(f"/players/{person['id']}").status_code == 200


def test_its_log_keeps_everything(trails: Flask, tmp_path: Path, cards: Path) -> None:
    game = play(trails)
    log = trails.test_client().get("/api/v1/log").data
    other = create_app(ServerConfig(data=tmp_path / "other", catalogue=cards, scan_workers=0))
    there = Calls(other.test_client())
    sent = other.test_client().post("/api/v1/log", data=log, content_type="application/octet-stream")
    assert sent.status_code == 200, sent.get_data(as_text=True)
    taken = there("GET", f"/games/{game['id']}")

    def plain(told: dict[str, Any]) -> dict[str, Any]:
        entries = [entry for round_ in told["rounds"] for entry in round_["entries"]]
        return {**told, "rounds": [{**entry, "photo_id": None} for entry in entries]}

    assert plain(taken) == plain(game)
    other.extensions[KEY].database.engine.dispose()


def test_a_server_with_other_cards_still_shows_what_was_played(trails: Flask, app: Flask) -> None:
    game, client = play(trails), app.test_client()
    log = trails.test_client().get("/api/v1/log").data
    sent = client.post("/api/v1/log", data=log, content_type="application/octet-stream")
    assert sent.status_code == 200, sent.get_data(as_text=True)
    for page in ("", "/rounds/1", "/final"):
        shown = client.get(f"/games/{game['id']}{page}")
        assert shown.status_code == 200 and "road" in shown.text.lower()
    photo = game["rounds"][0]["entries"][0]["tableau_id"]
    assert client.get(f"/tableaus/{photo}").status_code == 200, "its cards are not here, its photo is"


@pytest.mark.long
def test_it_looks_well_on_a_phone_in_japanese(
    browser: Any, tmp_path: Path, cards: Path, request: pytest.FixtureRequest
) -> None:
    config = ServerConfig(data=tmp_path / "live", catalogue=cards, scan_workers=0)
    server = LiveServer(replace(config, requests_per_minute=100_000))
    try:
        game = play(server.app)
        context = browser.new_context(
            base_url=server.url, viewport={"width": 390, "height": 844}, locale="ja-JP", has_touch=True
        )
        page, errors = context.new_page(), []
        page.on("pageerror", lambda error: errors.append(str(error)))
        for name, path in (("board", ""), ("round", "/rounds/1"), ("final", "/final")):
            page.goto(f"/games/{game['id']}{path}")
            assert serious_findings(page) == []
            keep_screenshot(page, f"trails-{name}")
        tableau = game["rounds"][0]["entries"][0]["tableau_id"]
        for name, path in (
            ("review", f"/tableaus/{tableau}"),
            ("dispute", f"/tableaus/{tableau}/dispute"),
            ("ruling", f"/r/{tableau}"),
        ):
            page.goto(path)
            page.get_by_text("勝利点").first.wait_for()
            assert serious_findings(page) == [] and "undefined" not in page.locator("main").inner_text()
            keep_screenshot(page, f"trails-{name}")
        page.goto(f"/tableaus/{tableau}")
        page.locator(".told-step").nth(2).click()
        page.goto(f"/games/{game['id']}")
        page.locator("button.cell").first.click()
        page.locator("#edit-road").fill("9")
        page.locator("[data-save]").click()
        page.locator("#editor").wait_for(state="hidden")
        page.get_by_role("button", name="いちばん長い道 9").wait_for()
        assert errors == []
        context.close()
    finally:
        server.stop()
