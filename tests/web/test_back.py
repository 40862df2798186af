"""Back closes what lies over a page before it leaves the page."""

from __future__ import annotations

from typing import Any

import pytest
from live_server import PHONE, LiveServer, send_photo, wait_until_read
from shared_readings import PHOTOS

#: Sets `window.listens` once taps_ahead.js, the only script that listens so, keeps early taps.
LISTENS_TO_EARLY_TAPS = """
const listen = window.addEventListener;
window.addEventListener = (...wanted) => {
  listen.apply(window, wanted);
  if (wanted[0] === "click" && wanted[2] === true) window.listens = true;
};
"""


def open_round(page: Any) -> str:
    """The round of a new game, reached from the start page."""
    players = [{"name": "Aya", "colour": "green"}, {"name": "Ben", "colour": "red"}]
    game = page.request.post("/api/v1/games", data={"players": players}).json()
    page.goto("/")
    path = f"/games/{game['id']}/rounds/1"
    page.goto(path)
    return path


def back(page: Any) -> None:
    page.evaluate("history.back()")


def test_back_closes_a_dialog_and_then_leaves(new_page: Any) -> None:
    page = new_page(size=PHONE)
    path = open_round(page)
    dialog = page.locator("#objectives")
    for _ in range(2):
        page.locator("[data-choose]").first.click()
        dialog.wait_for()
        back(page)
        dialog.wait_for(state="hidden")
        assert page.url.endswith(path)
    back(page)
    page.wait_for_url("**/")


@pytest.mark.long
def test_what_was_closed_otherwise_costs_no_second_back(new_page: Any) -> None:
    page = new_page(size=PHONE)
    path = open_round(page)
    dialog = page.locator("#objectives")
    for _ in range(3):
        page.locator("[data-choose]").first.click()
        dialog.wait_for()
        page.keyboard.press("Escape")
        dialog.wait_for(state="hidden")
    assert page.url.endswith(path)
    back(page)
    page.wait_for_url("**/")


@pytest.mark.long
def test_links_within_a_page_stay_steps_of_their_own(new_page: Any) -> None:
    page = new_page(size=PHONE)
    path = open_round(page)
    page.locator("[data-choose]").first.click()
    dialog = page.locator("#objectives")
    dialog.wait_for()
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    page.evaluate("location.hash = 'round-end'")
    page.wait_for_url(f"**{path}#round-end")
    back(page)
    page.wait_for_url(f"**{path}")
    back(page)
    page.wait_for_url("**/")


@pytest.mark.long
def test_back_closes_the_editor_and_what_is_open_in_it(new_page: Any, live: LiveServer) -> None:
    page = new_page(size=PHONE, language="ja")
    tableau_id = str(page.request.post("/api/v1/tableaus", data={}).json()["id"])
    send_photo(page, tableau_id, PHOTOS / "table-07.jpg")
    wait_until_read(page, tableau_id)
    page.goto("/")
    page.goto(f"/tableaus/{tableau_id}")
    page.locator("[data-correct]").click()
    editor = page.locator("#editor")
    editor.wait_for()
    # What was corrected and closed by its own button costs no second Back.
    editor.locator("[data-tool=path]").click()
    editor.locator("[data-key=swap]").click()
    page.wait_for_function("() => !document.querySelector('#editor').hasAttribute('aria-busy')")
    editor.locator("[data-done]").click()
    editor.wait_for(state="hidden")
    page.locator("[data-correct]").click()
    editor.wait_for()
    editor.get_by_role("button", name="カード", exact=True).click()
    editor.get_by_role("button", name="カードを追加").click()
    back(page)
    editor.wait_for(state="hidden")
    assert page.url.endswith(tableau_id)
    back(page)
    page.wait_for_url("**/")


def test_a_tap_before_the_scripts_are_there_counts_once_they_are(new_page: Any) -> None:
    page = new_page(size=PHONE)
    path = open_round(page)
    late: list[Any] = []
    page.route("**/static/games/round.js*", lambda route: late.append(route))
    page.add_init_script(LISTENS_TO_EARLY_TAPS)
    page.goto(path, wait_until="commit")
    choose = page.locator("[data-choose]").first
    choose.wait_for()
    page.wait_for_function("() => window.listens === true")
    for _ in range(2):
        choose.click(no_wait_after=True)
    assert page.locator("#objectives[open]").count() == 0
    for each in late:
        each.continue_()
    page.locator("#objectives[open]").wait_for()
