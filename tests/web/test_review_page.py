"""The review page: answered by touch, replayed by keys, zoomed by fingers."""

from __future__ import annotations

from typing import Any

import pytest
from live_server import PHONE, PHOTOS, TABLET, TABLET_WIDE, send_photo, wait_until_read
from page_looks import faults, keep_screenshot

#: A photo that is sure, and one whose direction matters.
SURE, EITHER_WAY = "table-07.jpg", "table-09.jpg"


def begin(page: Any, title: str, photo: str) -> str:
    page.goto("/")
    tableau: dict[str, Any] = page.evaluate(
        """async (title) => {
            const { api } = await import("/static/app.js");
            return api("POST", "/tableaus", { title, primary: "monster", secondary: "coin" });
        }""",
        title,
    )
    send_photo(page, tableau["id"], PHOTOS / photo)
    return str(tableau["id"])


def test_questions_are_answered_by_touch_until_the_score_is_sure(new_page: Any) -> None:
    page = new_page(size=PHONE, language="ja")
    tableau = begin(page, "</script><script>alert(1)</script>卓", EITHER_WAY)
    page.goto(f"/tableaus/{tableau}")
    page.wait_for_selector("#viewer image")  # the photo is there before it has been read
    page.locator("#question h2").wait_for(timeout=120_000)
    assert "どちらの端" in page.inner_text("#question h2")
    assert page.locator(".badge.not-sure").is_visible()
    answers = page.locator(".answer")
    assert answers.count() == 2
    for box in answers.all():
        assert box.bounding_box()["height"] >= 64
    assert "→" in answers.nth(1).inner_text()
    page.reload()
    page.locator("#question h2").wait_for()
    assert faults(page) == []
    keep_screenshot(page, "review-question-phone-ja")
    beside = new_page(size=TABLET, dark=True)
    beside.goto(f"/tableaus/{tableau}")
    beside.locator("#question h2").wait_for()
    assert faults(beside) == []
    answers.nth(1).tap()
    page.locator(".badge.sure").wait_for()
    beside.locator(".badge.sure").wait_for()  # other devices follow
    assert not page.locator("#question").is_visible()
    read = wait_until_read(page, tableau)
    assert read["sure"] and read["ruling"]["coins"] == 0


def test_the_path_is_replayed_by_arrow_keys_and_the_photo_zoomed(new_page: Any) -> None:
    page = new_page(size=TABLET_WIDE, touch=False)
    tableau = begin(page, "replay", SURE)
    wait_until_read(page, tableau)
    page.goto(f"/tableaus/{tableau}")
    page.locator(".badge.sure").wait_for()
    primary = page.locator("[data-tally=primary]")
    assert primary.inner_text() == "3"
    page.keyboard.press("Home")
    assert primary.inner_text() == "0"
    assert page.inner_text("#step-sentence").startswith("1. Started at")
    while page.inner_text("#replay output") != "7/17":
        page.keyboard.press("ArrowRight")
    assert "Entered the room" in page.inner_text("#step-sentence")
    assert primary.inner_text() == "3"
    assert page.locator(".path-line.later").count() > 0
    page.keyboard.press("End")
    assert page.locator(".path-line.later").count() == 0
    assert faults(page) == []
    keep_screenshot(page, "review-sure-tablet-wide-en")

    viewer = page.locator("#viewer")
    zoom = "() => document.querySelector('.viewer-svg').viewBox.baseVal.width"
    whole = page.evaluate(zoom)
    viewer.hover()
    page.mouse.wheel(0, -400)
    assert page.evaluate(zoom) < whole
    viewer.focus()
    page.keyboard.press("0")
    page.keyboard.press("+")
    assert page.evaluate(zoom) < whole


def test_the_photo_is_zoomed_by_two_fingers_and_moved_by_one(new_page: Any) -> None:
    page = new_page(size=PHONE)
    tableau = begin(page, "fingers", SURE)
    wait_until_read(page, tableau)
    page.goto(f"/tableaus/{tableau}")
    page.locator(".badge.sure").wait_for()
    view = """() => { const box = document.querySelector('.viewer-svg').viewBox.baseVal;
        return [box.x, box.y, box.width]; }"""
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        fingers.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)]},
        )

    box = page.locator("#viewer").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = page.evaluate(view)
    touch("touchStart", (x - 20, y), (x + 20, y))
    for apart in (30, 45, 60):
        touch("touchMove", (x - apart, y), (x + apart, y))
    touch("touchEnd")
    zoomed = page.evaluate(view)
    assert zoomed[2] == pytest.approx(before[2] / 3, rel=0.1)
    touch("touchStart", (x, y))
    for way in (20, 40, 60):
        touch("touchMove", (x, y - way))
    touch("touchEnd")
    moved = page.evaluate(view)
    assert moved[2] == pytest.approx(zoomed[2]) and moved[1] > zoomed[1]
    for _ in range(2):
        page.touchscreen.tap(x, y)
    assert page.evaluate(view)[2] == pytest.approx(before[2], rel=0.3)


def test_each_answer_shows_its_own_stretch_with_an_arrow_and_crosses_out_what_it_lacks(new_page: Any) -> None:
    page = new_page(size=PHONE)
    tableau = begin(page, "two ways", "table-06.heic")
    wait_until_read(page, tableau)
    page.goto(f"/tableaus/{tableau}")
    first, second = page.locator(".answer").nth(0), page.locator(".answer").nth(1)
    second.wait_for()
    assert page.inner_text(".question-count") == "Question 1 of 8"
    assert first.locator(".answer-line").count() == 1 and first.locator(".path-arrow").count() >= 1
    assert second.locator(".answer-cross").count() == 1 and second.locator(".answer-line").count() == 0
    assert first.locator(".answer-label").inner_text() != second.locator(".answer-label").inner_text()
    first.tap()
    page.locator(".question-count", has_text="Question 2 of").wait_for()
    assert faults(page) == []
