"""Boxes of a table: made, listed, chosen for a game; photos are read by the cards of the game's box."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from api_calls import Call
from flask import Flask
from flask.testing import FlaskClient
from live_server import PHOTOS, LiveServer, wait_until_read
from page_looks import keep_screenshot
from PIL import Image
from untraced_deck import untraced_deck

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import FILE_NAME, read_catalogue
from webapp.decks.enrolling import Enrolling, Job, jobs_of, look_at_photo
from webapp.decks.shelf import Deck
from webapp.http.services import KEY, Services
from webapp.scans.scan_processes import Died

#: What table-07.jpg shows.
CARDS = {
    card["card"]: "yes"
    for card in json.loads((PHOTOS / "table-07.truth.json").read_bytes())["tableau"]["cards"]
}


def boxes_of(app: Flask) -> Path:
    services: Services = app.extensions[KEY]
    return services.config.data / "boxes"


def test_a_box_is_made_and_listed(app: Flask, client: FlaskClient, call: Call) -> None:
    made = client.post("/api/v1/decks", json={"name": " 木曜の箱 / 2 ", "game": "mapmasters"})
    assert made.status_code == 201 and made.json is not None
    deck = made.json
    assert (deck["id"], deck["name"], deck["cards"], deck["own"]) == ("mapmasters", "木曜の箱 / 2", 0, True)
    assert (boxes_of(app) / "mapmasters" / FILE_NAME).is_file()
    again = client.post("/api/v1/decks", json={"name": "木曜の箱 / 2", "game": "mapmasters"})
    assert again.json is not None and again.json["id"] == "mapmasters-2"
    listed = client.get("/api/v1/decks").json
    assert listed is not None and [each["id"] for each in listed] == ["open", "mapmasters", "mapmasters-2"]
    assert (listed[0]["own"], listed[0]["cards"], listed[0]["traced"]) == (False, 125, 125)


def test_a_folder_that_is_no_box_is_told_in_one_sentence(app: Flask, client: FlaskClient) -> None:
    (boxes_of(app) / "holiday photos").mkdir(parents=True)
    listed = client.get("/api/v1/decks").json
    assert listed is not None and "no readable" in listed[1]["wrong"]
    assert client.get("/decks").status_code == 200
    answer = client.get("/api/v1/decks/holiday%2520photos")
    assert answer.status_code == 400 and answer.json is not None
    assert answer.json["error"]["code"] == "no-catalogue"


def test_the_open_deck_stays_as_it_is(client: FlaskClient) -> None:
    edit = {"kind": "opening", "at": [0, 22]}
    answer = client.post("/api/v1/decks/open/cards/D39/tracing/edits", json={"version": 0, "edit": edit})
    assert answer.status_code == 403
    assert client.get("/decks/open/cards/D39").status_code == 403


def test_a_long_box_comes_in_parts_and_a_page_takes_them_all_in(new_page: Any) -> None:
    ids = [card.id for card in read_catalogue(bundled_catalogue()).cards]
    plain = new_page(java_script_enabled=False)
    plain.goto("/decks/open")
    seen = []
    while True:
        seen += plain.locator("#deck-cards .clip").all_text_contents()
        more = plain.get_by_role("link", name="More cards")
        if not more.count():
            break
        with plain.expect_navigation():
            more.click()
    assert seen == ids
    page = new_page()
    page.goto("/decks/open")
    page.locator("#deck-cards .face-item").nth(len(ids) - 1).wait_for()
    assert page.locator("#deck-cards .clip").all_text_contents() == ids
    assert page.get_by_role("link", name="More cards").count() == 0


def test_two_devices_at_one_card_are_told(app: Flask, client: FlaskClient) -> None:
    untraced_deck(boxes_of(app) / "ours", {"D41": "no"})
    address = "/api/v1/decks/ours/cards/D41/tracing"
    body: dict[str, Any] = {"version": 0, "edit": {"kind": "corridor", "points": [[0, 22], [63, 22]]}}
    assert client.post(f"{address}/edits", json=body).status_code == 200
    later = client.post(f"{address}/edits", json=body, headers={"Accept-Language": "ja"})
    assert later.status_code == 409 and later.json is not None
    assert "別の端末" in later.json["error"]["message"]
    undone = client.post(f"{address}/undo", json={"version": 1})
    assert undone.json is not None and undone.json["nodes"] == [] and undone.json["redo"]
    nothing = client.post(f"{address}/undo", json={"version": 2})
    assert nothing.status_code == 400


def test_a_game_is_played_with_the_box_that_was_chosen(app: Flask, client: FlaskClient) -> None:
    assert b"deck=ours" not in client.get("/games/new").data
    untraced_deck(boxes_of(app) / "ours", {"D39": "yes", "D40": "no"})
    assert b"deck=ours" in client.get("/games/new").data
    # Who chose the open deck keeps it when they choose how to play.
    assert "deck=&amp;mode=together" in client.get("/games/new?deck=").text
    players = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    made = client.post("/api/v1/games", json={"players": players, "deck": "ours"})
    assert made.status_code == 201 and made.json is not None
    services: Services = app.extensions[KEY]
    with app.test_request_context(f"/api/v1/games/{made.json['id']}"):
        app.preprocess_request()
        assert set(services.catalogue.by_id) == {"D39", "D40"}
    assert client.post("/api/v1/games", json={"players": players, "deck": "none"}).status_code == 404
    with app.test_request_context("/api/v1/games"):
        assert len(services.catalogue.by_id) == 125


class InProcess:
    """A queue that has things done here, in place of a reading process."""

    def lend(self, work: Any) -> Any:
        return work(self)

    def ask(self, function: Any, *arguments: Any, seconds: float) -> Any:
        return function(*arguments)


@pytest.fixture
def enrolling(app: Flask) -> Enrolling:
    services: Services = app.extensions[KEY]
    return Enrolling(services.shelf, InProcess(), services.read_again)  # type: ignore[arg-type]


def until_done(enrolling: Enrolling, deck: Deck) -> list[Job]:
    """Do what waits, as the server's thread does."""
    while any(job.state == "waiting" for _, job in jobs_of(deck.folder)):
        assert enrolling._work(deck)
    return [job for _, job in jobs_of(deck.folder)]


def face_of(card: str) -> Image.Image:
    """A card of the open deck."""
    return Image.open(bundled_catalogue() / "art" / f"{card}.png").convert("RGB").resize((630, 880))


def photo_of(*cards: str | Image.Image) -> bytes:
    """Cards of the open deck, or faces, laid apart on a grey table and looked at from above, as a JPEG."""
    table = Image.new("RGB", (max(2400, 120 + 740 * len(cards)), 1600), (92, 84, 78))
    for number, card in enumerate(cards):
        table.paste(face_of(card) if isinstance(card, str) else card, (120 + 740 * number, 320))
    data = io.BytesIO()
    table.save(data, "JPEG", quality=92)
    return data.getvalue()


def test_a_photo_for_a_box_is_kept_before_it_is_looked_at(app: Flask, client: FlaskClient) -> None:
    client.post("/api/v1/decks", json={"name": "ours", "game": "mapmasters"})
    data = photo_of("D39")
    sent = client.post("/api/v1/decks/ours/photos", data={"photo": (io.BytesIO(data), "a.jpg")})
    assert sent.status_code == 202 and sent.json is not None and sent.json["waiting"] == 1
    # The server is killed here; the next one finds it.
    [(file, job)] = jobs_of(boxes_of(app) / "ours")
    assert job.name == "a.jpg" and file.with_suffix(".photo").read_bytes() == data
    no_photo = client.post("/api/v1/decks/ours/photos", data={"photo": (io.BytesIO(b"no"), "b.jpg")})
    assert no_photo.status_code == 415
    nothing = client.post("/api/v1/decks/ours/answers", json={"question": "q9", "choice": "same"})
    assert nothing.status_code == 400


@pytest.mark.parametrize(("own_fault", "state"), [(False, "waiting"), (True, "failed")])
def test_a_photo_for_a_box_outlives_the_process_that_looks_at_it(
    app: Flask, client: FlaskClient, own_fault: bool, state: str
) -> None:
    """What ends because the server stops costs no try; what fails twice is told, and kept."""

    class Ends:
        def lend(self, work: Any) -> Any:
            raise Died("it ended", own_fault=own_fault)

    client.post("/api/v1/decks", json={"name": "ours", "game": "mapmasters"})
    services: Services = app.extensions[KEY]
    deck, data = services.shelf.deck("ours"), photo_of("D39")
    enrolling = Enrolling(services.shelf, Ends(), services.read_again)  # type: ignore[arg-type]
    enrolling.keep_photo(deck, data, "a.jpg")
    assert enrolling._work(deck) is (state == "failed")
    [(file, job)] = jobs_of(deck.folder)
    assert job.state == state
    assert file.with_suffix(".photo").read_bytes() == data


def alike_both_ways_up(card: str) -> Image.Image:
    """A face whose lower half is its upper half turned, as a back may be."""
    face = face_of(card)
    upper = face.crop((0, 0, face.width, face.height // 2))
    face.paste(upper.rotate(180), (0, face.height - upper.height))
    return face


def two_questions() -> bytes:
    """A photo of two cards, and of two faces that may be backs."""
    return photo_of("D39", "D40", alike_both_ways_up("D41"), alike_both_ways_up("D42"))


@pytest.mark.long
def test_a_photo_that_raises_two_questions(app: Flask, client: FlaskClient, enrolling: Enrolling) -> None:
    client.post("/api/v1/decks", json={"name": "ours", "game": "mapmasters"})
    deck = app.extensions[KEY].shelf.deck("ours")
    client.post("/api/v1/decks/ours/photos", data={"photo": (io.BytesIO(two_questions()), "a.jpg")})
    [job] = until_done(enrolling, deck)
    assert (job.state, job.added, job.known, job.asked, job.unclear, job.backs) == ("done", 2, 0, 2, 0, 0)
    told = client.get("/api/v1/decks/ours/enrolment").json
    assert told is not None and [each["kind"] for each in told["questions"]] == ["back", "back"]
    assert told["photos"][0]["words"] == "2 new cards, 2 to be answered" and told["cards"] == 2
    for asked, choice in zip(told["questions"], ("new", "back"), strict=True):
        client.post("/api/v1/decks/ours/answers", json={"question": asked["name"], "choice": choice})
    until_done(enrolling, deck)
    told = client.get("/api/v1/decks/ours/enrolment").json
    assert told is not None and told["questions"] == [] and told["cards"] == 3


@pytest.mark.long
def test_a_second_try_loses_no_question_and_calls_nothing_known(
    app: Flask, client: FlaskClient, enrolling: Enrolling, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process ends when it has enrolled the photo and told nobody."""
    client.post("/api/v1/decks", json={"name": "ours", "game": "mapmasters"})
    deck, tries = app.extensions[KEY].shelf.deck("ours"), 0

    def told_at_the_second_try(self: InProcess, function: Any, *arguments: Any, seconds: float) -> Any:
        nonlocal tries
        answered = function(*arguments)
        tries += function is look_at_photo
        if tries == 1:
            raise Died("it ended", own_fault=True)
        return answered

    monkeypatch.setattr(InProcess, "ask", told_at_the_second_try)
    enrolling.keep_photo(deck, two_questions(), "a.jpg")
    [job] = until_done(enrolling, deck)
    assert (job.state, job.added, job.known, job.asked, job.backs) == ("done", 2, 0, 2, 0) and tries == 2
    told = client.get("/api/v1/decks/ours/enrolment").json
    assert told is not None and len(told["questions"]) == 2


@pytest.mark.long
def test_what_came_in_is_shown_where_it_is(new_page: Any, live: LiveServer) -> None:
    """One tap shows the new cards, and leaves the questions where they are."""
    page = new_page(size={"width": 390, "height": 664})
    page.request.post("/api/v1/decks", data={"name": "ours", "game": "mapmasters"})
    page.goto("/decks/ours")
    photo = {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": two_questions()}
    page.locator("#deck-files").set_input_files(photo)
    page.locator("#enrolment-photos li").wait_for()
    deck = live.services.shelf.deck("ours")
    until_done(Enrolling(live.services.shelf, InProcess(), live.services.read_again), deck)  # type: ignore[arg-type]
    page.locator(".face-question").nth(1).wait_for()
    assert page.locator("#deck-cards").is_hidden()
    keep_screenshot(page, "enrol-asked", whole=False)
    page.get_by_role("button", name="There are new cards").tap()
    page.locator(".fresh").nth(1).wait_for()
    assert page.locator("#deck-cards [data-card]").count() == page.locator(".fresh").count() == 2
    assert page.locator(".face-question").count() == 2
    # Where the eye is: in the window, whatever stands above it.
    page.wait_for_function(
        "() => document.querySelector('.face-item').getBoundingClientRect().top < innerHeight / 2"
    )
    assert page.get_by_role("button", name="There are new cards").count() == 0
    keep_screenshot(page, "enrol-shown", whole=False)


@pytest.mark.long
def test_cards_come_into_a_box_from_photos(app: Flask, client: FlaskClient, enrolling: Enrolling) -> None:
    client.post("/api/v1/decks", json={"name": "ours", "game": "mapmasters"})
    deck = app.extensions[KEY].shelf.deck("ours")
    enrolling.keep_photo(deck, photo_of("D39", "D40", "D41"), "a.jpg")
    plain = io.BytesIO()
    Image.new("RGB", (1600, 1200), (90, 90, 90)).save(plain, "JPEG")
    enrolling.keep_photo(deck, plain.getvalue(), "table.jpg")
    seen, empty = until_done(enrolling, deck)
    assert seen.state == "done" and seen.added > 0
    assert empty.state == "failed" and empty.error is not None and "--" not in empty.error.en
    told = client.get("/api/v1/decks/ours").json
    assert told is not None and [card["tracing"] for card in told["cards"]] == ["no"] * seen.added
    assert client.get(told["cards"][0]["picture"]).mimetype == "image/jpeg"


@pytest.mark.long
def test_a_photo_of_a_box_is_read_by_its_cards(new_page: Any, live: LiveServer) -> None:
    """In a game with that box, and by itself in a quick look once the open deck is not on the table."""
    folder = untraced_deck(live.services.config.data / "boxes" / "seven", {**CARDS, "D72": "no"})
    page = new_page()
    players = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    game = page.request.post("/api/v1/games", data={"players": players, "deck": "seven"}).json()
    entry = game["rounds"][0]["entries"][0]["id"]
    photo = {
        "name": "table-07.jpg",
        "mimeType": "image/jpeg",
        "buffer": (PHOTOS / "table-07.jpg").read_bytes(),
    }
    sent = page.request.post("/api/v1/photos", multipart={"entry_id": entry, "photo": photo}).json()
    read = wait_until_read(page, sent["tableau_id"])
    assert {card["card"] for card in read["record"]["cards"]} == set(CARDS)
    page.goto(f"/tableaus/{sent['tableau_id']}")
    page.locator("#score:not([hidden])").wait_for()
    assert folder.is_dir()


@pytest.mark.long
def test_a_new_card_is_traced_from_the_photo_that_shows_it(new_page: Any, live: LiveServer) -> None:
    """The reading is made again with what was traced."""
    (first, *_) = CARDS
    folder = live.services.config.data / "boxes" / "half"
    untraced_deck(folder, {**CARDS, first: "proposed"})
    page = new_page()
    players = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    game = page.request.post("/api/v1/games", data={"players": players, "deck": "half"}).json()
    data = (PHOTOS / "table-07.jpg").read_bytes()
    photo = {"name": "table-07.jpg", "mimeType": "image/jpeg", "buffer": data}
    entry = game["rounds"][0]["entries"][0]["id"]
    sent = page.request.post("/api/v1/photos", multipart={"entry_id": entry, "photo": photo}).json()
    wait_until_read(page, sent["tableau_id"])
    page.goto(f"/tableaus/{sent['tableau_id']}")
    page.locator("#untraced").wait_for()
    keep_screenshot(page, "untraced", whole=True)
    shots = page.request.get(f"/api/v1/tableaus/{sent['tableau_id']}").json()["version"]
    page.locator("#untraced-cards a").tap()
    page.wait_for_function("() => document.querySelector('#trace-tools button')")
    page.locator(".trace-bar [data-done]").tap()
    page.wait_for_url(f"**/tableaus/{sent['tableau_id']}")
    read = wait_until_read(page, sent["tableau_id"])
    assert read["version"] > shots and {card["card"] for card in read["record"]["cards"]} == set(CARDS)
    page.wait_for_function("() => document.querySelector('#untraced').hidden")
    assert read_catalogue(folder).card(first).tracing == "yes"


def test_a_log_names_its_box(app: Flask, client: FlaskClient) -> None:
    folder = untraced_deck(boxes_of(app) / "ours", {"D39": "yes"})
    players = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    made = client.post("/api/v1/games", json={"players": players, "deck": "ours"}).json
    assert made is not None
    log = client.get("/api/v1/log").data
    taken = client.post("/api/v1/log", data=log, content_type="application/zip")
    assert taken.status_code == 200, taken.data
    folder.rename(folder.with_name("elsewhere"))
    answer = client.get(f"/api/v1/games/{made['id']}")
    assert answer.status_code == 400 and answer.json is not None
    assert "'ours'" in answer.json["error"]["message"]
    assert client.get("/").status_code == 200 and client.get("/history").status_code == 200
