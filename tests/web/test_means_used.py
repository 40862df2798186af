"""What was paid with, chosen by touch: the ruling follows at once, and every choice can be taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from at_the_table import read_tableau
from dungeons import card
from flask import Flask
from flask.testing import FlaskClient
from live_server import PHONE, TABLET, LiveServer
from page_looks import faults, keep_screenshot
from tiny_tableaus import assessment
from touches import tap_at

from waymark.review.projection import Projection
from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.http.services import KEY
from webapp.tableaus.payments import review_payments

#: A padlock is opened with a key that lies in a room.
PHOTO = "table-02"


@pytest.fixture
def tableau(live: LiveServer) -> str:
    """A tableau whose padlock could be opened by other means."""
    return read_tableau(live.services, PHOTO, primary="padlock", secondary="magic_circle")


def hold(page: Any, tableau: str) -> None:
    correct(page, tableau, kind="means", fairy_tokens={"key": 1, "scroll": 1}, spellbooks=["SB-5"])


def correct(page: Any, tableau: str, **correction: Any) -> None:
    version = review(page, tableau)["version"]
    sent = page.request.post(
        f"/api/v1/tableaus/{tableau}/corrections", data={"version": version, "correction": correction}
    )
    assert sent.status == 200, sent.text()


def review(page: Any, tableau: str) -> dict[str, Any]:
    got: dict[str, Any] = page.request.get(f"/api/v1/tableaus/{tableau}/review").json()
    return got


def open_means(page: Any, tableau: str) -> None:
    page.goto(f"/tableaus/{tableau}")
    page.locator("[data-correct]").tap()
    page.locator("button[data-tool=means]").tap()


@pytest.mark.long
def test_another_means_is_chosen_by_touch_and_taken_back(new_page: Any, tableau: str) -> None:
    page = new_page(size=PHONE)
    hold(page, tableau)
    open_means(page, tableau)
    padlock = page.locator("[data-payment]").first
    used = padlock.locator("[aria-pressed=true]")
    score = page.locator("[data-editor-score]").inner_text()
    assert "padlock" in padlock.locator("button").first.inner_text()
    chosen = used.inner_text()
    assert "chosen by the referee" in chosen
    way = padlock.get_by_role("button", name="a key token", exact=True)
    way.scroll_into_view_if_needed()
    keep_screenshot(page, "means-used-phone-en", whole=False)
    assert faults(page) == []

    way.tap()
    page.locator("[data-editor-status].told", has_text="a key token was used").wait_for()
    assert "as you said" in used.inner_text() and "a key token" in used.inner_text()
    assert page.locator("[data-editor-score]").inner_text() == score
    now = review(page, tableau)["reading"]
    assert now["payments"][0]["stated"] and len(now["record"]["payments"]) == 1
    assert any("as stated" in step["sentence"] for step in now["steps"])

    page.locator("[data-undo]").tap()
    page.locator("[data-editor-status].told", has_text="Undone").wait_for()
    assert used.inner_text() == chosen
    page.locator("[data-redo]").tap()
    page.locator("[data-editor-status].told", has_text="Done again").wait_for()
    # ... and by the keyboard back to the referee's choice
    leave = padlock.get_by_role("button", name="Leave it to the referee")
    leave.focus()
    page.keyboard.press("Enter")
    page.locator("[data-editor-status].told", has_text="left to the referee").wait_for()
    assert used.inner_text() == chosen
    page.locator("[data-done]").tap()
    assert "payments" not in review(page, tableau)["reading"]["record"]


@pytest.mark.long
def test_what_was_said_and_cannot_be_is_told_until_it_is_withdrawn(new_page: Any, tableau: str) -> None:
    page = new_page(size=PHONE, dark=True)
    hold(page, tableau)
    lock = review(page, tableau)["reading"]["payments"][0]["place"]
    correct(page, tableau, kind="payment", at=lock, means="fairy:key")
    correct(page, tableau, kind="means", fairy_tokens={}, spellbooks=[])
    page.goto(f"/tableaus/{tableau}")
    told = page.locator("#notes").get_by_text("a key token was used at the padlock")
    told.wait_for()
    # where it is told, one tap takes it back, and another one brings it again
    withdraw = page.locator("#notes").get_by_role("button", name="Take this statement back")
    withdraw.scroll_into_view_if_needed()
    keep_screenshot(page, "means-not-held-told-phone-en-dark", whole=False)
    withdraw.tap()
    told.wait_for(state="detached")
    assert "payments" not in review(page, tableau)["reading"]["record"]
    page.locator(".toast", has_text="left to the referee").get_by_role("button", name="Undo").tap()
    told.wait_for()
    page.locator("[data-correct]").tap()
    page.locator("button[data-tool=means]").tap()
    note = page.locator(".edit-payment-note")
    assert "was not held when the path came there" in note.inner_text()
    note.scroll_into_view_if_needed()
    keep_screenshot(page, "means-not-held-phone-en-dark", whole=False)
    assert faults(page) == []
    note.get_by_role("button", name="Take this statement back").tap()
    note.wait_for(state="detached")
    assert "payments" not in review(page, tableau)["reading"]["record"]
    page.locator("[data-done]").tap()
    told.wait_for(state="detached")


@pytest.mark.long
def test_a_payment_that_a_swapped_path_leaves_behind_is_taken_back_where_that_is_told(
    new_page: Any, tableau: str
) -> None:
    page = new_page(size=PHONE, language="ja")
    (payment,) = review(page, tableau)["reading"]["payments"]
    (way,) = (each for each in payment["ways"] if each["used"])
    correct(page, tableau, kind="payment", at=payment["place"], means=way["means"], source=way["source"])
    page.goto(f"/tableaus/{tableau}")
    page.locator("[data-correct]").tap()
    page.get_by_role("button", name="向きを逆にする").first.tap()
    told = page.locator(".toast", has_text="申告が合わなくなりました")
    told.wait_for()
    keep_screenshot(page, "means-left-behind-phone-ja", whole=False)
    assert review(page, tableau)["reading"]["payment_notes"]
    told.get_by_role("button", name="取り下げる").tap()
    page.locator("[data-editor-status].told", has_text="審判に任せ").wait_for()
    now = review(page, tableau)["reading"]
    assert "payments" not in now["record"] and not now["payment_notes"]


@pytest.mark.long
def test_a_payment_is_found_on_the_photo_and_its_items_pay_by_a_tap(new_page: Any, tableau: str) -> None:
    page = new_page(size=TABLET, language="ja")
    hold(page, tableau)
    open_means(page, tableau)
    payments = review(page, tableau)["reading"]["payments"]
    lock = next(payment for payment in payments if payment["tool"] == "key")
    row = page.locator(f'[data-payment="{lock["place"]}"]')
    row.locator("button").first.tap()
    wild = row.locator(".edit-way", has_text="SB-5")
    wild.tap()
    page.locator("[data-editor-status].told", has_text="SB-5").wait_for()
    assert "申告どおり" in row.locator("[aria-pressed=true]").inner_text()
    keep_screenshot(page, "means-used-tablet-ja", whole=False)
    assert faults(page) == []
    # the key itself, where it lies
    (key,) = [way for way in lock["ways"] if way["source"]]
    places = review(page, tableau)["reading"]["places"]
    at = next(place["at"] for place in places if place["id"] == key["source"])
    spot = page.evaluate(
        """async ([x, y]) => {
          const { page } = await import(document.querySelector('script[src*="review/main.js"]').src);
          page.viewer.fit([x - 90, y - 90, x + 90, y + 90]);
          const at = page.viewer.toClient(x, y);
          return [at.x, at.y];
        }""",
        at,
    )
    page.locator("#viewer").scroll_into_view_if_needed()
    tap_at(page, *spot)
    row.locator(f'[data-means$=" key {key["source"]}"][aria-pressed=true]').wait_for()
    stated = review(page, tableau)["reading"]["record"]["payments"]
    assert stated == [{"at": lock["place"], "means": "key", "source": key["source"]}]


@pytest.mark.long
def test_a_dispute_lists_what_else_would_have_done_and_settles_it(new_page: Any, tableau: str) -> None:
    page = new_page(size=PHONE, language="ja")
    hold(page, tableau)
    dispute = page.request.get(f"/api/v1/tableaus/{tableau}/dispute").json()
    (choice,) = dispute["choices"]
    place = choice["place"]
    assert [way["assumption"]["key"] for way in choice["ways"]] == [
        f"paid:{place}=fairy:key",
        f"paid:{place}=SB-5",
    ]
    assert not choice["stated"] and all(way["assumption"]["can_settle"] for way in choice["ways"])

    page.goto(f"/tableaus/{tableau}/dispute")
    box = page.locator("#choices .choice")
    box.scroll_into_view_if_needed()
    keep_screenshot(page, "means-disputed-phone-ja", whole=False)
    assert faults(page) == []
    box.get_by_role("button", name="鍵のフェアリートークン").first.tap()
    box.get_by_text("申告どおり").wait_for()
    assert review(page, tableau)["reading"]["record"]["payments"] == [{"at": place, "means": "fairy:key"}]
    page.locator(".toast").get_by_role("button").first.tap()
    box.get_by_text("審判の選択").wait_for()
    assert "payments" not in review(page, tableau)["reading"]["record"]


def test_a_claim_may_be_about_what_was_used(client: FlaskClient, app: Flask) -> None:
    tableau = read_tableau(app.extensions[KEY], PHOTO, primary="padlock", secondary="magic_circle")
    url = f"/api/v1/tableaus/{tableau}"
    now = client.get(f"{url}/review").json or {}
    means = {"kind": "means", "fairy_tokens": {"key": 1}, "spellbooks": []}
    client.post(f"{url}/corrections", json={"version": now["version"], "correction": means})
    (choice,) = (client.get(f"{url}/dispute").json or {})["choices"]
    key = choice["ways"][0]["assumption"]["key"]
    claimed = client.post(f"{url}/claims", json={"who": "Aki", "words": "a token", "assumes": key}).json or {}
    (claim,) = claimed["claims"]
    assert claim["assumption"]["key"] == key and claim["agrees"]
    assert claim["assumption"]["words"].startswith("If a key token was used at the padlock")
    settled = client.post(f"{url}/dispute/settle", json={"version": claimed["version"], "assumes": key})
    assert settled.status_code == 200 and (settled.json or {})["choices"][0]["stated"]
    for assumes, code in (
        ("paid:9.p1=rope", "unknown-place"),
        (key.partition("=")[0] + "=key@9.f1", "unknown-place"),
        ("not_held:SB-4*1", "cannot-be"),
    ):
        settle = {"version": (settled.json or {})["version"], "assumes": assumes}
        refused = client.post(f"{url}/dispute/settle", json=settle)
        assert refused.status_code == 400 and (refused.json or {})["error"]["code"] == code


def test_what_was_used_goes_along_in_a_log(app: Flask, client: FlaskClient, tmp_path: Path) -> None:
    tableau = read_tableau(app.extensions[KEY], "table-07")
    url = f"/api/v1/tableaus/{tableau}"
    now = client.get(f"{url}/review").json or {}
    (payment,) = now["reading"]["payments"]
    (way,) = payment["ways"]
    said = {"kind": "payment", "at": payment["place"], "means": way["means"], "source": way["source"]}
    stated = client.post(f"{url}/corrections", json={"version": now["version"], "correction": said})
    assert stated.status_code == 200
    other = create_app(ServerConfig(data=tmp_path / "other", scan_workers=0))
    log = client.get("/api/v1/log").get_data()
    taken = other.test_client().post("/api/v1/log", data=log, content_type="application/octet-stream")
    assert taken.status_code == 200, taken.text
    there = (other.test_client().get(f"{url}/review").json or {})["reading"]
    assert there["payments"][0]["stated"]
    assert there["record"] == (stated.json or {})["reading"]["record"]
    other.extensions[KEY].database.engine.dispose()


def test_a_way_that_would_cost_the_escape_is_told_with_its_score(app: Flask) -> None:
    """The key is there; whoever opens the padlock by SB-5 misses it at the monster."""
    short = card("S", "w1 key1 padlock1 coin1 monster1 e1")
    now = assessment(short, "w1 key1 padlock1 coin1 monster1 e1", tokens={"key": 1}, books=["SB-5"])
    projection = Projection(now.scan.cards, now.dungeon)
    with app.test_request_context(headers={"Accept-Language": "en"}):
        padlock, monster = review_payments(now, projection, "en")
    assert [(way.words, way.used, way.score and way.score.escaped) for way in padlock.ways] == [
        ("the key at the top left of S", True, None),
        ("a key token", False, None),
        ("SB-5 as a key token", False, False),
    ]
    assert [(way.words, way.used) for way in monster.ways] == [("SB-5 as a sword token", True)]
