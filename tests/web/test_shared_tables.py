"""A cooperative game in the app: one table for all players, told, photographed and corrected by anybody."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from api_calls import Call, Calls
from flask import Flask
from live_server import NEW_GAME, PHONE, TABLET, send_photo, wait_until_read
from mission_play import PHOTOS, TOKENS, asked_of, begin, buy, change, read_as_truth, text_of
from patience import PAGE_PATIENCE_MS

from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.http.services import KEY
from webapp.store.models import Shot, Tableau
from webapp.store.tables import last_of_turn, of_turn


@pytest.fixture
def phone(app: Flask) -> Call:
    return Calls(app.test_client())


@pytest.fixture
def tablet(app: Flask) -> Call:
    return Calls(app.test_client())


# --- told and changed


def test_a_mission_begins_with_one_table_for_all(phone: Call, tablet: Call) -> None:
    game, table = begin(phone)
    assert game["game"] == "mapmasters/cooperative"
    told = tablet("GET", f"{table}/table")
    assert (told["player"], told["hand"], told["result"]) == ("Aya", 3, "open")
    assert [goal["asks"] for goal in told["goals"]] == ["the cook", "sword ×2"]
    assert [entry["scored"] for entry in game["rounds"][0]["entries"]] == [False, False]


def test_a_turn_is_seen_by_other_devices_and_taken_only_once(phone: Call, tablet: Call) -> None:
    _, table = begin(phone)
    seen = tablet("GET", f"{table}/table")["version"]
    phone("POST", f"{table}/turn", {"version": seen})
    assert tablet("GET", f"{table}/table")["player"] == "Ben"
    error = tablet("POST", f"{table}/turn", {"version": seen}, status=409)["error"]
    assert error["code"] == "conflict"
    phone("POST", f"{table}/undo", {"version": tablet("GET", f"{table}/table")["version"]})
    assert tablet("GET", f"{table}/table")["player"] == "Aya"


def test_a_table_written_as_text_is_refereed_for_all_and_undone(phone: Call) -> None:
    game, table = begin(phone)
    buy(phone, table)
    change(phone, table, kind="record", text=text_of("M02-won-2"))
    assert phone("GET", f"{table}/table")["result"] == "won"
    standing = phone("GET", f"/games/{game['id']}/standing")
    assert standing["winners"] == ["Aya", "Ben"] and standing["decided_by"] == "won"
    phone("POST", f"{table}/undo", {"version": phone("GET", f"{table}/table")["version"]})
    assert phone("GET", f"{table}/table")["result"] == "open"
    assert phone("GET", f"/games/{game['id']}/standing")["rounds"] == 0


def test_what_cannot_be_is_refused_and_changes_nothing(phone: Call) -> None:
    _, table = begin(phone)
    change(phone, table, status=400, kind="group", group="pink", fairy_tokens={})
    before = phone("GET", f"{table}/table")
    phone("POST", f"{table}/table", {"version": before["version"], "change": {"kind": "?"}}, status=400)
    assert phone("GET", f"{table}/table") == before


def test_a_claim_that_brings_a_record_is_accepted(phone: Call) -> None:
    _, table = begin(phone)
    buy(phone, table)
    claim = {"who": "Ben", "words": "Red went in.", "text": text_of("M02-won-1"), "client_key": "one"}
    phone("POST", f"{table}/table-claims", claim, status=201)
    told = phone("POST", f"{table}/table-claims", claim, status=201)
    (said,) = told["claims"]
    assert (said["who"], said["accepted"]) == ("Ben", False) and said["result"]
    accepted = phone("POST", f"{table}/table-claims/{said['id']}/accept", {"version": told["version"]})
    assert accepted["claims"][0]["accepted"] and len(accepted["paths"]) == 1


# --- photos


def test_photos_add_to_the_table_and_keep_the_order_of_lines(app: Flask, phone: Call) -> None:
    _, table = begin(phone)
    buy(phone, table)
    read_as_truth(app, table, "M02-won-1")
    first = phone("GET", f"{table}/table")
    assert [path["group"] for path in first["paths"]] == ["red"]
    read_as_truth(app, table, "M02-won-2")
    won = phone("GET", f"{table}/table")
    assert [path["group"] for path in won["paths"]] == ["red", "green"], (
        "green is named first, and drew later"
    )
    assert won["result"] == "won"
    review = phone("GET", f"{table}/review")["reading"]
    assert {piece["path"] for piece in review["pieces"]} == {0, 1}
    assert len({piece["colour"] for piece in review["pieces"]}) == 2


def test_photos_of_one_turn_replace_each_other_and_a_turn_taken_ends_that(app: Flask, phone: Call) -> None:
    _, table = begin(phone)
    buy(phone, table)
    read_as_truth(app, table, "M02-won-2", short={"red": 6})
    assert phone("GET", f"{table}/table")["result"] == "open"
    read_as_truth(app, table, "M02-won-2", together=(0, 1))
    now = phone("GET", f"{table}/table")
    assert now["result"] == "won"
    assert all(not each["name"].startswith("agreed:") for each in asked_of(phone, table)["questions"]), (
        "nothing was agreed of this turn before"
    )
    shots = phone("GET", table)["shots"]
    assert asked_of(phone, table)["photo"]["id"] == shots[0]["photo_id"], "it shows most of the table"
    phone("DELETE", f"{table}/shots/{shots[1]['id']}", status=200)
    assert phone("GET", f"{table}/table")["result"] == "open", "as the first photo says alone"
    phone("POST", f"{table}/turn", {"version": phone("GET", f"{table}/table")["version"]})
    with app.extensions[KEY].database.snapshot() as session:
        assert last_of_turn(session.get_one(Tableau, table.rpartition("/")[2])) is None


def test_photos_are_read_again_without_the_one_of_their_turn_that_was_taken_off(
    app: Flask, phone: Call
) -> None:
    _, table = begin(phone)
    buy(phone, table)
    read_as_truth(app, table, "M02-won-1")
    read_as_truth(app, table, "M02-won-2", together=(0, 1))
    assert phone("GET", f"{table}/table")["result"] == "won"
    first, second = phone("GET", table)["shots"]
    phone("DELETE", f"{table}/shots/{first['id']}", status=200)
    assert phone("GET", f"{table}/table")["paths"] == [], "what both said together counts no more"
    (left,) = phone("GET", table)["shots"]
    assert (left["id"], left["state"]) == (second["id"], "waiting")
    with app.extensions[KEY].database.snapshot() as session:
        shot = session.get_one(Shot, second["id"])
        assert of_turn(shot.tableau, shot) == (shot,)


def test_what_was_in_doubt_stays_so_where_a_newer_photo_does_not_show_it(app: Flask, phone: Call) -> None:
    _, table = begin(phone)
    buy(phone, table)
    read_as_truth(app, table, "M02-won-1", doubt="S5-blue")
    read_as_truth(app, table, "M02-won-2", leaves_out="S5-blue")
    told = asked_of(phone, table)
    (left,) = (each for each in told["questions"] if each["about"] == "card")
    assert not told["sure"] and left["reason"] == "Half of this card is hidden."
    lying = phone("GET", f"{table}/review")["reading"]["cards"]
    assert lying[int(left["place"])]["card"] == "S5-blue", "cards are numbered otherwise now"
    answered = answer(phone, table, left, 0)
    assert all(each["about"] != "card" for each in answered["questions"])


@pytest.mark.parametrize(("option", "result"), [(0, "won"), (1, "open")])
def test_a_photo_that_shows_an_agreed_line_otherwise_is_asked_about(
    app: Flask, phone: Call, option: int, result: str
) -> None:
    _, table = begin(phone)
    buy(phone, table)
    read_as_truth(app, table, "M02-won-1")
    read_as_truth(app, table, "M02-won-2", short={"red": 6})
    now = phone("GET", f"{table}/review")["reading"]
    question = now["questions"][0]
    assert not now["sure"] and question["name"] == "agreed:line:red"
    assert [(each["number"], each["label"]) for each in question["options"][:3]] == [
        (-3, "I cannot tell"),  # who taps the first answer settles nothing
        (0, "As it was agreed before"),
        (1, "As this photo shows it"),
    ]
    assert question["options"][1]["lines"], "what the photo does not have is drawn on it"
    version = phone("GET", f"{table}/table")["version"]
    answer = {"question": question["name"], "option": option, "version": version}
    phone("POST", f"{table}/answers", answer)
    assert phone("GET", f"{table}/table")["result"] == result


def test_a_photo_taken_off_takes_back_what_it_added(app: Flask, phone: Call) -> None:
    _, table = begin(phone)
    buy(phone, table)
    read_as_truth(app, table, "M02-won-1")
    read_as_truth(app, table, "M02-won-2")
    shots = phone("GET", table)["shots"]
    phone("DELETE", f"{table}/shots/{shots[1]['id']}", status=200)
    assert phone("GET", f"{table}/table")["result"] == "open"
    phone("POST", f"{table}/shots/{shots[1]['id']}/restore", {"use": True})
    assert phone("GET", f"{table}/table")["result"] == "won"


def test_a_dead_end_loses_and_is_shown_where(app: Flask, phone: Call) -> None:
    game, table = begin(phone)
    buy(phone, table)
    read_as_truth(app, table, "M02-won-1")
    read_as_truth(app, table, "M02-lost-2")
    told = phone("GET", f"{table}/table")
    assert told["result"] == "lost"
    review = phone("GET", f"{table}/review")["reading"]
    (question,) = review["questions"]
    assert question["name"].startswith("stops:") and review["end"]["at"] is not None
    assert "[" not in question["reason"], "people at the table know no names of places"
    sketch = next(option for option in question["options"] if option["kind"] == "other")
    answer = {"question": question["name"], "option": 0, "version": told["version"]}
    sure = phone("POST", f"{table}/answers", answer)["reading"]
    assert sure["sure"] and not sure["questions"]
    phone("POST", f"{table}/undo", {"version": phone("GET", f"{table}/table")["version"]})
    version = phone("GET", f"{table}/table")["version"]
    answer = {"question": question["name"], "option": sketch["number"], "version": version}
    phone("POST", f"{table}/answers", answer)
    assert phone("GET", f"{table}/table")["result"] == "open", "a sketch claims nothing"
    assert phone("GET", f"/games/{game['id']}/standing")["rounds"] == 0


def test_what_is_told_after_a_photo_stays_beside_it(app: Flask, phone: Call) -> None:
    game, table = begin(phone)
    read_as_truth(app, table, "M02-won-1")
    told = phone("GET", f"{table}/table")
    assert told["result"] == "open", "a sword is missing, and nobody said what was bought"
    buy(phone, table)
    assert phone("GET", f"{table}/table")["result"] == "open"
    phone("PATCH", f"/games/{game['id']}/rounds/1", {"terms": {"difficulty": "hard"}})
    hard = phone("GET", f"{table}/review")["reading"]
    assert hard["record"]["difficulty"] == "hard"
    change(phone, table, kind="sketch", path=0, on=True)
    assert [path["sketch"] for path in phone("GET", f"{table}/table")["paths"]] == [True]
    change(phone, table, kind="owner", path=0, group="green")
    assert [path["group"] for path in phone("GET", f"{table}/table")["paths"]] == ["green"]


def answer(call: Any, table: str, question: Any, option: int) -> Any:
    version = call("GET", f"{table}/table")["version"]
    given = {"question": question["name"], "option": option, "version": version}
    return call("POST", f"{table}/answers", given)["reading"]


def test_who_enters_nothing_is_asked_what_was_bought_before_anything_is_sure(app: Flask, phone: Call) -> None:
    game, table = begin(phone)
    read_as_truth(app, table, "M02-won-1")
    stands = phone("GET", f"{table}/table")
    assert stands["result"] == "open", "red would have had a sword"
    assert "it may change the result" in stands["says"][0]
    assert stands["says"][1] == "If nothing was bought:" and "is lost" in stands["says"][2]
    told = asked_of(phone, table)
    assert told["score"]["facts"][0]["words"] == "not decided: what was bought is not entered"
    assert phone("GET", f"/games/{game['id']}/standing")["rounds"] == 0, "no score yet"
    for language, lost in (("en", "Lost"), ("ja", "失敗")):
        page = app.test_client().get(f"/games/{game['id']}", headers={"Accept-Language": language})
        heading = page.get_data(as_text=True).partition('id="state-title"')[2].partition("</h2>")[0]
        assert lost not in heading, heading
    bought = next(each for each in told["questions"] if each["name"] == "untold:bought")
    assert not told["sure"]
    assert [each["kind"] for each in bought["options"]] == ["otherwise", "stands", "unknown"]
    # the other questions are answered without looking, this one is left
    for question in (each for each in told["questions"] if each["name"] != bought["name"]):
        told = answer(phone, table, question, 0)
    assert not told["sure"]
    assert phone("GET", f"{table}/table")["result"] == "open", "left open it is no loss"
    said = answer(phone, table, bought, 0)
    assert said["sure"], "somebody said that nothing was bought"
    assert phone("GET", f"{table}/table")["result"] == "lost"
    assert phone("GET", f"/games/{game['id']}/standing")["rounds"] == 1
    buy(phone, table)
    assert asked_of(phone, table)["sure"] and phone("GET", f"{table}/table")["result"] == "open"


def test_a_won_mission_is_sure_once_it_is_said_that_its_own_loss_never_happened(
    app: Flask, phone: Call
) -> None:
    _, table = begin(phone)
    buy(phone, table)
    read_as_truth(app, table, "M02-won-2")
    told = asked_of(phone, table)
    (happened,) = told["questions"]
    assert not told["sure"] and happened["name"].startswith("untold:happened")
    assert "underground" in happened["reason"]
    assert answer(phone, table, happened, 0)["sure"]


def test_that_nothing_was_bought_is_said_once_for_all_photos(app: Flask, phone: Call) -> None:
    _, table = begin(phone)
    read_as_truth(app, table, "M02-won-1")
    questions = asked_of(phone, table)["questions"]
    answer(phone, table, next(each for each in questions if each["name"] == "untold:bought"), 0)
    read_as_truth(app, table, "M02-won-2")
    assert "untold:bought" not in {each["name"] for each in asked_of(phone, table)["questions"]}


def test_a_table_corrected_by_hand_is_sure_once_what_it_leaves_open_is_answered(
    app: Flask, phone: Call
) -> None:
    _, table = begin(phone)
    buy(phone, table)
    read_as_truth(app, table, "M02-won-1")
    read_as_truth(app, table, "M02-won-2", short={"red": 6})
    change(phone, table, kind="owner", path=1, group="red")
    told = asked_of(phone, table)
    assert told["corrected"] and not told["sure"]
    assert "open:agreed:line:red" in {each["name"] for each in told["questions"]}, "nobody has answered it"
    for _ in range(len(told["questions"])):
        told = answer(phone, table, told["questions"][0], 0)
    assert told["sure"] and not told["questions"]


def test_a_line_is_drawn_and_rubbed_out_by_hand(app: Flask, phone: Call) -> None:
    _, table = begin(phone)
    buy(phone, table)
    read_as_truth(app, table, "M02-won-1")
    told = asked_of(phone, table)
    (line,) = told["record"]["paths"]
    (stroke,) = line["path"]

    def correct(path: int | None, **correction: Any) -> Any:
        version = phone("GET", f"{table}/table")["version"]
        body = {"version": version, "group": "red", "path": path, "correction": correction}
        return phone("POST", f"{table}/lines", body)["reading"]["record"].get("paths", [])

    (shorter,) = correct(0, kind="erase", stroke=0, start=4, end=len(stroke) - 1)
    assert shorter["path"] == [stroke[:5]] and phone("GET", f"{table}/table")["result"] == "open"
    (again,) = correct(0, kind="draw", places=[stroke[4], stroke[-1]], join=True)
    assert again["path"] == [stroke]
    assert phone("GET", f"{table}/table")["goals"][1]["met"] == "Red"
    assert correct(0, kind="remove-stroke", stroke=0) == []
    (anew,) = correct(None, kind="draw", places=stroke, join=True)
    assert (anew["group"], anew["path"]) == ("red", [stroke])
    phone("POST", f"{table}/undo", {"version": phone("GET", f"{table}/table")["version"]})
    assert phone("GET", f"{table}/table")["paths"] == []


def test_a_table_has_a_page_to_share_that_tells_what_would_be_otherwise(app: Flask, phone: Call) -> None:
    _, table = begin(phone)
    buy(phone, table)
    read_as_truth(app, table, "M02-won-1")
    read_as_truth(app, table, "M02-lost-2")
    claim = {"who": "Ben", "words": "Green only planned it.", "client_key": "two"}
    phone("POST", f"{table}/table-claims", claim, status=201)
    client = app.test_client()
    address = f"/r/{table.rpartition('/')[2]}"
    page = client.get(address).get_data(as_text=True)
    assert "Green only planned it." in page and page.count("<polyline") > 4
    assert "path 2 (green) only showed a way" in page and "The mission is open" in page
    japanese = client.get(address, headers={"Accept-Language": "ja"}).get_data(as_text=True)
    assert "もし違っていたら" in japanese and "経路 2(緑)が、まだ進んでいない予定の線なら" in japanese
    link = page.partition('id="share-link" readonly value="')[2].partition('"')[0]
    shared = address + "?" + link.partition("?")[2]
    assert "Unchanged since it was shared" in client.get(shared).get_data(as_text=True)
    change(phone, table, kind="sketch", path=1, on=True)
    assert "Corrected since it was shared" in client.get(shared).get_data(as_text=True)


# --- out and in


def test_a_cooperative_game_goes_out_and_in(app: Flask, phone: Call, tmp_path: Path) -> None:
    game, table = begin(phone)
    buy(phone, table)
    read_as_truth(app, table, "M02-won-1")
    read_as_truth(app, table, "M02-won-2")
    log = app.test_client().get("/api/v1/log").get_data()
    other = create_app(ServerConfig(data=tmp_path / "other", scan_workers=0))
    taken = other.test_client().post("/api/v1/log", data=log, content_type="application/zip")
    assert taken.status_code == 200, taken.get_data(as_text=True)
    there = Calls(other.test_client())
    assert there("GET", f"{table}/table")["result"] == "won"
    assert there("GET", f"/games/{game['id']}/standing")["decided_by"] == "won"
    other.extensions[KEY].database.engine.dispose()


def test_a_won_mission_counts_in_statistics_and_exports(phone: Call, app: Flask) -> None:
    game, table = begin(phone)
    buy(phone, table)
    change(phone, table, kind="record", text=text_of("M02-won-2"))
    plays = app.test_client().get("/api/v1/export/plays.bgsplay").get_data(as_text=True)
    assert json.loads(plays)["games"][0]["cooperative"] is True
    assert all(score["winner"] for score in json.loads(plays)["plays"][0]["playerScores"])
    for page in (f"/games/{game['id']}", f"/games/{game['id']}/final", "/history", "/players"):
        assert app.test_client().get(page).status_code == 200


# --- in a browser


def take(page: Any, table: str, photo: Path, way: str = "[data-fresh=take]") -> Any:
    """Take a photo with the page's own button, and wait until the page shows what was read; the table as the
    API shows it."""
    shots = len(page.request.get(f"/api/v1/tableaus/{table}").json()["shots"])
    with page.expect_file_chooser() as chosen:
        page.locator(f"{way} label.button.primary").tap()
    with page.expect_navigation(timeout=PAGE_PATIENCE_MS):
        chosen.value.set_files(photo)
    assert len(wait_until_read(page, table)["shots"]) == shots + 1
    told = page.request.get(f"/api/v1/tableaus/{table}/table").json()
    shows(page, told)
    return told


def shows(page: Any, told: Any) -> None:
    """Wait until a page shows a table as it was told: a change of what nobody sees any more is refused."""
    page.wait_for_selector(f"#table[data-version='{told['version']}']", timeout=PAGE_PATIENCE_MS)


def take_one_more(page: Any, table: str, photo: Path) -> Any:
    """Take a photo of the turn that was photographed last."""
    page.locator("#one-more summary").tap()
    page.wait_for_selector("#one-more[open]")
    return take(page, table, photo, "#one-more")


def under_glare(photo: Path, folder: Path) -> tuple[Path, Path]:
    """The photo with the middle of the green line under glare, and one of that part from close by."""
    seen = cv2.imread(str(photo))
    assert seen is not None
    glare = cv2.ellipse(np.zeros(seen.shape[:2], np.float32), (830, 500), (170, 75), 0, 0, 360, 1.0, -1)
    glare = cv2.GaussianBlur(glare, (0, 0), 12)[..., None]
    close = cv2.resize(seen[380:800, 440:1350], None, fx=1.5, fy=1.5, interpolation=cv2.INTER_CUBIC)
    files = folder / "glare.jpg", folder / "close.jpg"
    for file, picture in zip(files, (seen * (1 - glare) + 255 * glare, close), strict=True):
        assert cv2.imwrite(str(file), picture.astype(np.uint8))
    return files


def begin_by_hand(page: Any) -> str:
    """Begin the second mission with two players; the id of its table."""
    page.goto(f"{NEW_GAME}&mode=together")
    page.locator(".mission-choice:has(input[value=M02])").tap()
    page.locator(".new-name input").nth(0).fill("Aya")
    page.locator("#add-player").tap()
    page.locator(".new-name input").nth(1).fill("Ben")
    page.locator(".new-game > .button.primary").tap()
    page.wait_for_selector("#table")
    for group, tokens in TOKENS.items():
        page.locator(f"[data-keep=bought-{group}] > summary").tap()
        for token in tokens:
            pressed = f"#token-{group}-{token}"
            page.locator(pressed).tap()
            page.wait_for_selector(f"{pressed}[aria-pressed=true]")
    return str(page.locator("#table").get_attribute("data-tableau"))


def test_a_spellbook_is_bought_for_a_group_and_given_back(new_page: Any) -> None:
    page = new_page()
    players = [{"name": name, "colour": colour} for name, colour in (("Aya", "red"), ("Ben", "blue"))]
    game = page.request.post("/api/v1/games", data={"players": players, "table": {"mission": "M02"}}).json()
    page.goto(f"/games/{game['id']}")
    group = page.locator(".group").first
    group.locator("summary").tap()
    group.get_by_role("button", name="Bought for this group").tap()
    page.get_by_role("dialog").get_by_role("button", name="SB-4 ").tap()
    held = group.get_by_role("button", name="SB-4", pressed=True)
    held.wait_for()
    held.tap()
    held.wait_for(state="detached")


@pytest.mark.long
def test_a_mission_is_won_by_two_devices_from_photos_and_taps(new_page: Any, tmp_path: Path) -> None:
    glare, close = under_glare(PHOTOS / "M02-won-2.jpg", tmp_path)
    phone, tablet = new_page(size=PHONE), new_page(size=TABLET, language="ja")
    table = begin_by_hand(phone)
    tablet.goto(phone.url)
    tablet.locator("[data-turn]").tap()
    phone.wait_for_selector(".turn-who strong:text-is('Ben')")
    assert take(phone, table, PHOTOS / "M02-won-1.jpg")["result"] == "open"
    phone.locator("[data-turn]").tap()
    phone.wait_for_selector(".turn-who strong:text-is('Aya')")
    assert phone.locator("#one-more").is_hidden(), "nobody has photographed this turn"
    hidden = take(phone, table, glare)
    assert hidden["result"] == "open" and hidden["questions"], hidden["says"]
    # Another device takes the part that the glare covers from close by: both are read as one.
    shows(tablet, hidden)
    told = take_one_more(tablet, table, close)
    assert told["result"] == "won" and not told["warnings"], told["says"]
    tablet.wait_for_selector(".table-state.result-won")
    phone.wait_for_selector(".table-state.result-won")
    assert phone.locator(".goals .met").count() == 2
    # What is not of this table is told, and changes nothing.
    stranger = take_one_more(tablet, table, PHOTOS.parent / "photos" / "table-01.jpg")
    assert stranger["result"] == "won" and len(stranger["paths"]) == 2
    tablet.wait_for_selector(".table-state .warn:has-text('写真 3')")
    # That the cook never went underground only people know.
    phone.locator(".table-state a.button").tap()
    asked = phone.request.get(f"/api/v1/tableaus/{table}/review").json()["reading"]["questions"]
    for left in range(len(asked), 0, -1):
        phone.wait_for_selector(f"#question .question-count:has-text('{left}')")
        phone.locator("#question [data-option='0']").tap()
    phone.wait_for_selector("#question[hidden]", state="attached")
    phone.locator(".review-head .back").tap()
    phone.wait_for_selector(".table-state.result-won:not(.unsure)")
    phone.locator(".go-on a").tap()
    phone.wait_for_selector(".final tr.winner")
    assert phone.locator(".final tr.winner").count() == 2


@pytest.mark.long
def test_a_line_is_drawn_by_finger_on_the_photo(new_page: Any) -> None:
    page = new_page(size=PHONE)
    table = begin_by_hand(page)
    send_photo(page, table, PHOTOS / "M02-won-1.jpg")
    wait_until_read(page, table)
    page.goto(f"/tableaus/{table}")
    page.locator("[data-correct]").tap()
    page.wait_for_selector("#editor:not([hidden]) [data-line='0'][aria-pressed=true]")
    page.locator("#editor [data-mode=erase]").tap()
    before = page.request.get(f"/api/v1/tableaus/{table}/review").json()["reading"]
    x, y = before["end"]["at"]
    spot = page.evaluate(
        """async ([x, y]) => {
          const { page } = await import(document.querySelector("script[src*='review/main.js']").src);
          return page.viewer.toClient(x, y);
        }""",
        [x, y],
    )
    page.touchscreen.tap(*(spot if isinstance(spot, list) else (spot["x"], spot["y"])))
    page.wait_for_selector("#editor [data-undo]:not([disabled])")
    after = page.request.get(f"/api/v1/tableaus/{table}/review").json()["reading"]
    assert len(after["pieces"]) < len(before["pieces"]) and after["corrected"]


def test_what_is_opened_is_fetched_and_then_follows_other_devices(new_page: Any) -> None:
    page = new_page(size=TABLET)
    page.route("**/games/*?whole=1", lambda route: route.abort())
    players = [{"name": name, "colour": colour} for name, colour in (("Aya", "red"), ("Ben", "blue"))]
    game = page.request.post("/api/v1/games", data={"players": players, "table": {"mission": "M02"}}).json()
    page.goto(f"/games/{game['id']}")
    cards = page.get_by_text("The cards on the table")
    cards.click()
    page.get_by_text("The server cannot be reached").wait_for()
    page.unroute_all()
    cards.click()
    cards.click()
    slot = page.get_by_role("button", name="Column 1, row 1: ")
    slot.press("Enter")
    page.locator("#slot select").select_option("D29")
    page.get_by_role("button", name="This card is here").click()
    page.get_by_role("button", name="Column 1, row 1: D29").wait_for()
    page.get_by_text("The table as text").click()
    page.wait_for_function("() => document.querySelector('#record textarea').value.includes('D29')")


def test_a_table_shows_everything_without_scripts(new_page: Any) -> None:
    page = new_page(java_script_enabled=False)
    players = [{"name": name, "colour": colour} for name, colour in (("Aya", "red"), ("Ben", "blue"))]
    game = page.request.post("/api/v1/games", data={"players": players, "table": {"mission": "M02"}}).json()
    page.goto(f"/games/{game['id']}")
    page.get_by_text("The cards on the table").click()
    with page.expect_navigation():
        page.get_by_role("link", name="Show everything").click()
    page.get_by_text("The cards on the table").click()
    page.get_by_role("group", name="The cards on the table").get_by_role("button").first.wait_for()


@pytest.mark.long
def test_a_card_is_carried_to_another_slot(new_page: Any) -> None:
    page = new_page(size=TABLET)
    table = begin_by_hand(page)
    told = page.request.get(f"/api/v1/tableaus/{table}/table").json()
    lies = {"kind": "card", "cell": [0, 0], "card": "D29", "rotation": 0}
    change = {"version": told["version"], "change": lies}
    assert page.request.post(f"/api/v1/tableaus/{table}/table", data=change).ok
    page.reload()
    page.get_by_text("The cards on the table").click()
    page.locator(".slot.carried").scroll_into_view_if_needed()
    box, to = (page.locator(each).first.bounding_box() for each in (".slot.carried", "[data-slot*='[1, 0]']"))
    middles = [(each["x"] + each["width"] / 2, each["y"] + each["height"] / 2) for each in (box, to)]
    page.mouse.move(*middles[0])
    page.mouse.down()
    page.mouse.move(*middles[1], steps=5)
    page.mouse.up()
    page.wait_for_selector(".slot.carried[data-slot*='[1, 0]']")


@pytest.mark.long
def test_a_mission_is_lost_by_a_dead_end_which_is_shown(new_page: Any) -> None:
    page = new_page(size=PHONE)
    table = begin_by_hand(page)
    take(page, table, PHOTOS / "M02-won-1.jpg")
    take(page, table, PHOTOS / "M02-lost-2.jpg")
    page.wait_for_selector(".table-state.result-lost")
    page.locator(".table-state a.button").tap()
    page.wait_for_selector("#question:not([hidden])")
    questions = page.request.get(f"/api/v1/tableaus/{table}/review").json()["reading"]["questions"]
    for left in range(len(questions), 0, -1):
        page.wait_for_selector(f"#question .question-count:has-text('{left}')")
        page.locator("#question [data-option='0']").tap()
    page.wait_for_selector("#question[hidden]", state="attached")
    page.wait_for_selector("#score:not([hidden])")
    page.locator(".review-head .back").tap()
    page.wait_for_selector(".table-state.result-lost", timeout=PAGE_PATIENCE_MS)
    shot = page.request.get(f"/api/v1/tableaus/{table}/review").json()
    assert shot["reading"]["end"]["at"] is not None
    assert shot["reading"]["sure"]
