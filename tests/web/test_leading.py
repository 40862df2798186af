"""A photo of a quick look that shows another game than one player's cards is led into that game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from api_calls import Call
from flask import Flask
from flask.testing import FlaskClient
from live_server import wait_until_read
from long_rest import long_but
from page_looks import keep_screenshot
from shared_readings import open_deck

from scorer.games import game_named, game_together
from webapp.http.services import KEY, Services
from webapp.scans.leases import OtherGame, fail
from webapp.store.models import Tableau
from webapp.store.photos import store_original
from webapp.store.tableaus import add_shot

SAMPLES = Path(__file__).parents[2] / "samples"
SMALL = {"width": 390, "height": 664}
#: Photos, and the box of the game that they show.
SHOWN = [
    ("growing_photos/M02-won-1.jpg", ""),
    ("labyrinth2_photos/table-01.jpg", "open-labyrinth2"),
    ("stone_dragon_photos/table-01.jpg", "open-stone_dragon"),
    ("ice_and_idols_photos/table-01.jpg", "open-ice_and_idols"),
]


@pytest.mark.parametrize(
    "photo",
    [
        file
        for folder in ("photos", "growing_photos", "group_photos")
        for file in sorted((SAMPLES / folder).glob("*.truth.json"))
    ],
    ids=lambda file: file.stem,
)
def test_cards_tell_a_table_of_all_from_one_players(photo: Path) -> None:
    """Each player's starters are of one colour; only missions have boss and step cards."""
    together = game_together("mapmasters")
    assert together is not None and together.play.groups is not None
    laid = json.loads(photo.read_bytes())["tableau"]["cards"]
    names = [card["card"] for card in laid if card["card"]]
    assert together.play.groups.shows_all(open_deck(), names) == (photo.parent.name != "photos")


def quick(app: Flask, game: str = "labyrinth2") -> str:
    """A quick look whose photo was recognised as a board."""
    services: Services = app.extensions[KEY]
    data = (SAMPLES / "labyrinth2_photos" / "table-01.jpg").read_bytes()
    stored = store_original(services.photos, data)
    with services.database.transaction() as session:
        tableau = Tableau(game=services.catalogue.game)
        session.add(tableau)
        session.flush()
        shot = add_shot(session, tableau, stored, filename="board.jpg")
        fail(shot, OtherGame(game_named(game).name, game, f"open-{game}"))
        return tableau.id


def test_a_board_is_led_into_its_game_and_nothing_is_lost(
    app: Flask, call: Call, client: FlaskClient
) -> None:
    tableau = quick(app)
    lead = call("GET", f"/tableaus/{tableau}/review")["lead"]
    assert (lead["game"], lead["deck"], lead["together"]) == ("labyrinth2", "open-labyrinth2", False)
    assert lead["words"] == "This looks like a board of Labyrinth 2. Bring the photo into a game of it."
    assert lead["games"] == []
    players = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    game = call("POST", "/games", {"players": players, "deck": "open-labyrinth2"}, status=201)
    (offered,) = call("GET", f"/tableaus/{tableau}/review")["lead"]["games"]
    assert (offered["id"], sorted(offered["players"])) == (game["id"], ["Aya", "Ben"])
    for _ in range(2):
        brought = call("POST", f"/tableaus/{tableau}/bring", {"game_id": game["id"]})
    shots = call("GET", f"/tableaus/{brought['tableau_id']}")["shots"]
    assert [(shot["state"], shot["filename"]) for shot in shots] == [("waiting", "board.jpg")], "once"
    assert call("GET", f"/tableaus/{tableau}")["shots"], "the quick look stays"
    call("PATCH", f"/games/{game['id']}", {"finished": True})
    assert call("GET", f"/tableaus/{tableau}/review")["lead"]["games"] == []
    call("POST", f"/tableaus/{tableau}/bring", {"game_id": game["id"]}, status=409)
    cards = call("POST", "/games", {"players": players}, status=201)
    refused = call("POST", f"/tableaus/{tableau}/bring", {"game_id": cards["id"]}, status=400)
    assert "share one table" in refused["error"]["message"]


@pytest.mark.parametrize("wrong", [False, True])
def test_a_game_that_is_begun_takes_the_photo_along(
    app: Flask, call: Call, client: FlaskClient, wrong: bool
) -> None:
    tableau = quick(app)
    page = client.get(f"/games/new?deck=open-labyrinth2&photo={tableau}").get_data(as_text=True)
    assert f'name="photo" value="{tableau}"' in page and "comes into this game" in page
    form = {"deck": "open-labyrinth2", "photo": tableau, "row": ["0", "1"], "name-0": "Aya", "name-1": "Ben"}
    form |= {"colour-0": "red", "colour-1": "red" if wrong else "blue"}
    app.config["WTF_CSRF_ENABLED"] = False
    begun = client.post("/games/new", data=form)
    if wrong:
        assert begun.status_code == 422
        assert f'name="photo" value="{tableau}"' in begun.get_data(as_text=True), "it is not forgotten"
        return
    game = call("GET", f"/games/{begun.location.rpartition('/')[2]}")
    shared = game["rounds"][0]["entries"][0]["tableau_id"]
    assert [shot["filename"] for shot in call("GET", f"/tableaus/{shared}")["shots"]] == ["board.jpg"]


@pytest.mark.parametrize(("photo", "deck"), long_but(SHOWN, 0, 1))
def test_the_photo_of_another_game_is_recognised(new_page: Any, photo: str, deck: str) -> None:
    page = new_page(size=SMALL, language="ja" if "labyrinth2" in photo else "en")
    data = (SAMPLES / photo).read_bytes()
    file = {"name": "board.jpg", "mimeType": "image/jpeg", "buffer": data}
    tableau_id = page.request.post("/api/v1/photos", multipart={"photo": file}).json()["tableau_id"]
    wait_until_read(page, tableau_id)
    page.goto(f"/tableaus/{tableau_id}")
    lead = page.locator("#lead")
    lead.wait_for()
    told = page.request.get(f"/api/v1/tableaus/{tableau_id}/review").json()["lead"]
    assert told["deck"] == deck and told["together"] == (not deck)
    keep_screenshot(page, f"lead-{deck or 'together'}", whole=False)
    way = lead.locator("a.button.primary")
    box = way.bounding_box()
    assert box["y"] + box["height"] <= SMALL["height"], "it is seen without scrolling"
    way.click()
    page.locator("input[name=photo]").wait_for(state="attached")
    assert page.locator("input[name=photo]").input_value() == tableau_id
    if not deck:
        assert page.locator("input[name=mode]").input_value() == "together"
