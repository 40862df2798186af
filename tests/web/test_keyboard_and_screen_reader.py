"""Without a pointer and without sight: a round by keyboard alone, and what a screen reader is told."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from at_the_table import Written, answer_questions, card_of, nearest_answer, truth_of, write_by_hand
from live_server import DESKTOP, NEW_GAME, PHONE, PHOTOS, TABLET, LiveServer, send_photo
from put_readings import photo_that_asks

# --- by keyboard alone --------------------------------------------------------------------------------------

#: What is wrong with how the focus shows: an outline of the element, or of the label that stands for it.
FOCUS_FAULT = """() => {
  const at = document.activeElement;
  if (at === document.body) return null;
  if (!at.matches(":focus-visible")) return `no focus is visible on ${at.outerHTML.slice(0, 120)}`;
  const own = at.id ? [...document.querySelectorAll(`label[for="${CSS.escape(at.id)}"]`)] : [];
  const shown = [at, at.closest("label"), ...own, at.nextElementSibling].filter(Boolean);
  const outlined = shown.some((element) => {
    const style = getComputedStyle(element);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  });
  return outlined ? null : `no outline on ${at.outerHTML.slice(0, 120)}`;
}"""
#: More stops than any page has.
MANY_STOPS = 400


def tab_to(page: Any, wanted: Any, *, key: str = "Tab") -> None:
    """Press Tab until an element has the focus; the focus shows at every stop."""
    target = wanted.element_handle()
    for _ in range(MANY_STOPS):
        page.keyboard.press(key)
        assert page.evaluate(FOCUS_FAULT) is None
        if target.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"Tab does not come to {wanted}")


def press(page: Any, wanted: Any, key: str = "Enter") -> None:
    tab_to(page, wanted)
    page.keyboard.press(key)


def tab_round(page: Any) -> list[str]:
    """What Tab stops at on a page, once round: it gets out at the end again."""
    page.evaluate("document.activeElement.blur()")
    stops: list[str] = []
    for _ in range(MANY_STOPS):
        page.keyboard.press("Tab")
        assert page.evaluate(FOCUS_FAULT) is None
        here = page.evaluate(
            "document.activeElement === document.body ? '' : document.activeElement.outerHTML.slice(0, 200)"
        )
        if not here:
            return stops
        stops.append(here)
    raise AssertionError(f"Tab goes round in a part of the page: {stops[-3:]}")


@pytest.mark.long
def test_a_round_by_keyboard_alone(new_page: Any, live: LiveServer) -> None:
    page = new_page(size=DESKTOP, touch=False)
    page.goto(NEW_GAME)
    for seat, name in enumerate(("Aya", "Ben")):
        tab_to(page, page.get_by_label("Name of the player").nth(seat))
        page.keyboard.type(name)
    press(page, page.get_by_role("button", name="Begin the game"))
    page.wait_for_url("**/games/*")
    press(page, page.get_by_role("link", name="Go to round 1"))
    page.wait_for_url("**/rounds/1")
    assert len(tab_round(page)) > 20

    # An objective: Escape leaves the dialog as it was, the focus goes back to what opened it.
    objective, dialog = page.locator("#choose-primary"), page.locator("#objectives")
    press(page, objective)
    dialog.wait_for()
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert objective.evaluate("element => element === document.activeElement")
    page.keyboard.press("Enter")
    press(page, dialog.get_by_role("button", name="sword"))
    page.locator("#choose-primary[data-current=sword]").wait_for()
    assert not dialog.is_visible()
    assert page.locator("#choose-primary").evaluate("element => element === document.activeElement")

    # A score is written.
    ben = card_of(page, "Ben")
    press(page, ben.locator(".score-button"))
    editor = page.locator("#editor")
    editor.wait_for()
    tab_to(page, editor.get_by_label("Primary objective", exact=True))
    page.keyboard.type("3")
    tab_to(page, editor.locator("[name=escaped]:checked"))
    page.keyboard.press("ArrowUp")
    press(page, editor.get_by_role("button", name="Save"))
    ben.get_by_role("button", name="primary 3").wait_for()
    assert ben.locator(".score-button").evaluate("element => element === document.activeElement")

    # A token is held by Space; the photo's button is a stop, and its file is read.
    press(page, card_of(page, "Aya").get_by_role("button", name="Fairy token: rope"), "Space")
    card_of(page, "Aya").get_by_role("button", name="Fairy token: rope, 1").wait_for()
    camera = card_of(page, "Aya").locator("input[capture]")
    tab_to(page, camera)
    photo = {"name": "table-01.jpg", "mimeType": "image/jpeg", "buffer": photo_that_asks("table-01")}
    camera.set_input_files(photo)
    page.wait_for_url("**/tableaus/*")
    page.locator("#question .answer:enabled").first.wait_for()

    # A question is answered; the photo is zoomed, the path replayed.
    assert len(tab_round(page)) > 10
    while not page.locator(".badge.sure").is_visible():
        option = nearest_answer(page, live, truth_of("table-01.jpg"))
        with page.expect_response("**/answers"):
            press(page, page.locator(f"#question .answer[data-option='{option}']"))
        page.locator("#question .answer:enabled, .badge.sure").first.wait_for()
        assert page.evaluate("document.activeElement.closest('#question, #score') !== null")
    tab_to(page, page.locator("#viewer"))
    width = "document.querySelector('.viewer-svg').viewBox.baseVal.width"
    whole = page.evaluate(width)
    page.keyboard.press("+")
    assert page.evaluate(width) < whole
    page.keyboard.press("0")
    page.keyboard.press("Home")
    assert page.inner_text("#replay-at").startswith("1/")
    page.keyboard.press("ArrowRight")
    assert not page.inner_text("#replay-at").startswith("1/")
    press(page, page.get_by_role("button", name="Play the path"), "Space")
    page.get_by_role("button", name="Pause").wait_for()
    assert len(tab_round(page)) > 10


# --- what a screen reader is told ---------------------------------------------------------------------------

#: A line of an accessibility tree that is something to operate, and no name after it.
NAMELESS = re.compile(
    r"^\s*- (button|link|textbox|checkbox|radio|slider|combobox|spinbutton|switch|dialog)(:|\s*\[|\s*$)"
)
HEADING = re.compile(r'^\s*- \'?heading ".*\[level=(\d)\]')


def heard_faults(page: Any) -> list[str]:
    """What of a page cannot be followed by ear: controls without a name, headings that leave out a level."""
    tree = page.locator("body").aria_snapshot().splitlines()
    found = [line.strip() for line in tree if NAMELESS.match(line)]
    levels = [int(heading[1]) for line in tree if (heading := HEADING.match(line))]
    if levels[:1] != [1] or levels.count(1) != 1:
        found.append(f"the page has not one heading of level 1 first: {levels}")
    found += [f"heading {b} after {a}" for a, b in pairwise(levels) if b > a + 1]
    return found


@pytest.mark.long
def test_a_page_is_followed_by_ear(new_page: Any, live: LiveServer) -> None:
    page, beside = new_page(size=TABLET), new_page(size=PHONE, language="ja")
    players = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    page.goto("/")
    game = page.request.post("/api/v1/games", data={"players": players}).json()
    round_, entries = game["rounds"][0], game["rounds"][0]["entries"]
    page.request.patch(
        f"/api/v1/games/{game['id']}/rounds/{round_['number']}",
        data={"primary": "sword", "secondary": "scroll", "hourglass": True},
    )
    tableau = page.request.post(f"/api/v1/entries/{entries[0]['id']}/tableau").json()["tableau_id"]

    # The score is said when a photo has been read that somebody on the page waits for (not one that is there
    # on arrival), and again when an answer changes it.
    page.goto(f"/tableaus/{tableau}")
    page.locator("#review:not(.loading)").wait_for()
    send_photo(page, tableau, PHOTOS / "table-01.jpg", data=photo_that_asks("table-01"))
    said = page.locator("#announced")
    page.locator("#question .answer").first.wait_for()
    assert said.inner_text().startswith("Not sure yet · Primary 0 VP")
    faults = {"question": heard_faults(page)}
    page.locator("[data-correct]").tap()
    page.locator("#editor h2").wait_for()
    faults["correction"] = heard_faults(page)
    page.locator("#editor [data-done]").tap()
    answer_questions(page, live, truth_of("table-01.jpg"))
    assert said.inner_text().startswith("Sure · ")

    # On the other device, too, whoever writes it.
    beside.goto(f"/games/{game['id']}")
    page.goto(f"/games/{game['id']}/rounds/1")
    write_by_hand(page, "Ben", Written(3, 1, True))
    told = "Ben、ラウンド 1: 主目標 3, 副目標 1"
    beside.locator("#announced", has_text=told).wait_for(state="attached")

    for path in (
        "/",
        "/games/new",
        "/capture",
        "/join",
        "/history",
        "/history/photos",
        "/players",
        "/trash",
        "/exchange",
        f"/games/{game['id']}",
        f"/games/{game['id']}/rounds/1",
        f"/games/{game['id']}/final",
        f"/tableaus/{tableau}/dispute",
        f"/r/{tableau}",
    ):
        assert page.goto(path).ok, path
        faults[path] = heard_faults(page)
    assert {path: found for path, found in faults.items() if found} == {}
