"""Notices come one at a time, can be dismissed, and cover no link."""

from __future__ import annotations

from typing import Any

import pytest
from live_server import PHONE, TABLET

SAY = """async (notices) => {
  const { toast } = await import("/static/app.js");
  for (const [words, options] of notices) {
    if (options.action) options.action = { label: options.action, run: () => (window.done = words) };
    toast(words, options);
  }
}"""
#: The links and buttons on the screen that a tap in their middle does not reach, for a notice lies over them.
COVERED = """() => [...document.querySelectorAll("a[href], button, summary, label, input")]
  .filter((each) => !each.closest(".toasts"))
  .map((each) => [each, each.getBoundingClientRect()])
  .filter(([, { width, height, left, right, top, bottom }]) =>
    width && height && left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight)
  .filter(([, box]) => {
    const notice = document.querySelector(".toast").getBoundingClientRect();
    const beside = box.left >= notice.right || box.right <= notice.left;
    return !beside && box.top < notice.bottom && box.bottom > notice.top;
  })
  .map(([each]) => each.outerHTML.slice(0, 80))"""


def game_of(page: Any, players: int = 4) -> str:
    colours = ["red", "blue", "green", "yellow"][:players]
    names = [{"name": f"Player {k}", "colour": colour} for k, colour in enumerate(colours)]
    return str(page.request.post("/api/v1/games", data={"players": names}).json()["id"])


def test_twelve_notices_come_one_at_a_time_the_newest_first(new_page: Any) -> None:
    page = new_page(size=PHONE)
    page.goto("/")
    page.evaluate(SAY, [[f"Notice {k}", {"action": "Undo"} if k == 10 else {}] for k in range(12)])
    notice = page.locator(".toast")
    assert notice.count() == 1 and "Notice 11" in notice.inner_text()
    notice.get_by_role("button", name="Close this notice").tap()
    # What there is still something to do about comes back; the others are over.
    assert notice.count() == 1 and "Notice 10" in notice.inner_text()
    notice.get_by_role("button", name="Undo").tap()
    assert notice.count() == 0 and page.evaluate("window.done") == "Notice 10"


def test_a_failure_that_nobody_has_read_comes_back(new_page: Any) -> None:
    page = new_page(language="ja")
    page.goto("/")
    page.evaluate(SAY, [["壊れました。", {"kind": "bad"}], ["保存しました。", {}], ["保存しました。", {}]])
    notice = page.locator(".toast")
    assert "保存しました" in notice.inner_text()
    notice.get_by_role("button", name="このお知らせを閉じる").click()
    assert "壊れました" in notice.inner_text()
    page.evaluate(SAY, [["直りました。", {"about": "x"}], ["もう一度。", {"about": "x"}]])
    assert "もう一度" in notice.inner_text()


def is_docked(page: Any, size: dict[str, int]) -> bool:
    """Whether the notice makes the screen shorter: it reaches from side to side along its lower edge."""
    box = page.locator(".toast").bounding_box()
    return bool(
        box["x"] == 0 and box["width"] == size["width"] and box["y"] + box["height"] == size["height"]
    )


def covers_nothing(page: Any, size: dict[str, int]) -> bool:
    """Whether every link can be tapped, or scrolled above the notice, once that has found its place: that it
    is docked may be seen a moment after links were that it lies over."""
    page.wait_for_timeout(600)
    for _ in range(600):
        if is_docked(page, size) or page.evaluate(COVERED) == []:
            return True
        page.wait_for_timeout(100)
    return False


@pytest.mark.long
@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
def test_a_notice_covers_no_link_wherever_the_page_is_scrolled(new_page: Any, size: dict[str, int]) -> None:
    page = new_page(size=size)
    page.goto(f"/games/{game_of(page)}/rounds/1")
    # It stays while the page is scrolled under it.
    page.evaluate(SAY, [["The score of Player 1 was written down.", {"action": "Undo"}]])
    for y in (0, 150, 400, 900, 10_000):
        page.evaluate(f"scrollTo(0, {y})")
        assert covers_nothing(page, size), y
        box = page.locator(".toast").bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"]
        if y == 400:
            page.evaluate(SAY, [["The score of Player 2 was written down.", {"action": "Undo"}]])


@pytest.mark.long
def test_where_links_fill_the_screen_all_can_be_scrolled_above_the_notice(new_page: Any) -> None:
    page = new_page(size=PHONE)
    page.goto("/")
    page.evaluate(
        """() => {
          const links = Array.from({ length: 60 }, (_, k) => {
            const link = document.createElement("a");
            Object.assign(link, { href: `#${k}`, textContent: `Link ${k}`, className: "button big" });
            return link;
          });
          const main = document.querySelector("main");
          main.replaceChildren(...links);
          main.style.gap = "0";
        }"""
    )
    page.evaluate("scrollTo(0, 700)")
    page.evaluate(SAY, [["Nowhere to be", {"action": "Undo"}]])
    assert is_docked(page, PHONE)
    for name in ("Link 20", "Link 59"):
        page.get_by_role("link", name=name, exact=True).tap()  # fails where something lies over it
        page.wait_for_url(f"**/#{name[5:]}")
    page.evaluate("scrollTo(0, 100_000)")
    page.wait_for_function(f"() => ({COVERED})().length === 0")
    page.get_by_role("button", name="Undo").tap()
    assert page.evaluate("window.done") == "Nowhere to be"
