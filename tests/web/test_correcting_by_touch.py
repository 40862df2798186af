"""Correcting by touch, in a real browser: each kind of correction on a shipped photo, until the score is that
of the truth again; everything also by lists and keys."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from live_server import PHONE, PHOTOS, TABLET, send_photo, wait_until_read
from long_rest import long_but
from page_looks import faults, keep_screenshot
from patience import PATIENCE_SECONDS
from touches import tap_at

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import load_catalogue
from scorer.mapmasters.game import VERSUS
from scorer.mapmasters.rules.referee import referee
from scorer.mapmasters.rules.terms import Terms, with_terms
from scorer.record import parse_record
from webapp.tableaus.verdict_view import score_of

#: A photo that is read surely: what is wrong was made wrong by the test.
PHOTO = "table-07.jpg"


def true_score() -> dict[str, Any]:
    """What the photo's truth scores."""
    truth = msgspec.json.decode((PHOTOS / PHOTO).with_suffix(".truth.json").read_bytes())
    record = parse_record(msgspec.json.encode(truth["tableau"]))
    terms = Terms(primary="sword", secondary="pit")
    ruling = referee(load_catalogue(bundled_catalogue()), with_terms(record, terms))
    score: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(score_of(VERSUS, ruling, "en")))
    return score


def read_photo(page: Any) -> tuple[str, dict[str, Any]]:
    """A tableau with the photo read; its id and review, which is the truth."""
    made = page.request.post("/api/v1/tableaus", data={"title": "t", "primary": "sword", "secondary": "pit"})
    tableau_id: str = made.json()["id"]
    send_photo(page, tableau_id, PHOTOS / PHOTO)
    wait_until_read(page, tableau_id)
    read = review(page, tableau_id)
    assert read["reading"]["sure"] and read["reading"]["score"] == true_score()
    return tableau_id, read


def review(page: Any, tableau_id: str) -> dict[str, Any]:
    got: dict[str, Any] = page.request.get(f"/api/v1/tableaus/{tableau_id}/review").json()
    return got


def correct(page: Any, tableau_id: str, **correction: Any) -> dict[str, Any]:
    """Make something wrong on purpose, as a program does."""
    version = review(page, tableau_id)["version"]
    sent = page.request.post(
        f"/api/v1/tableaus/{tableau_id}/corrections", data={"version": version, "correction": correction}
    )
    assert sent.status == 200, sent.text()
    return until_read_again(page, tableau_id)


def until_read_again(page: Any, tableau_id: str) -> dict[str, Any]:
    return until(page, tableau_id, lambda now: now["rereading"] is None)


def until(page: Any, tableau_id: str, so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Wait until something is so, in the review; all of it."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not so(now := review(page, tableau_id)):
        assert time.monotonic() < end, now
        page.wait_for_timeout(100)
    return now


def open_editor(page: Any, tableau_id: str, tool: str) -> None:
    page.goto(f"/tableaus/{tableau_id}")
    page.locator("[data-correct]").tap()
    page.locator(f"button[data-tool={tool}]").tap()


def client_point(page: Any, at: list[float], *, near: bool = True) -> tuple[float, float]:
    """Where a photo point is on the screen, the photo zoomed in on it if `near`."""
    page.evaluate(
        """async ([x, y, near]) => {
          const { page } = await import(document.querySelector('script[src*="review/main.js"]').src);
          if (near) page.viewer.fit([x - 90, y - 90, x + 90, y + 90]);
        }""",
        [*at, near],
    )
    where: list[float] = page.evaluate(
        """async ([x, y]) => {
          const { page } = await import(document.querySelector('script[src*="review/main.js"]').src);
          const at = page.viewer.toClient(x, y);
          return [at.x, at.y];
        }""",
        at,
    )
    return where[0], where[1]


def tap(page: Any, at: list[float], *, near: bool = True) -> None:
    tap_at(page, *client_point(page, at, near=near))
    # A second tap right after it would be a double tap.
    page.wait_for_timeout(400)


def score(page: Any) -> str:
    words: str = page.locator("[data-editor-score]").inner_text()
    return words


def place_of(now: dict[str, Any], name: str) -> list[float]:
    at: list[float] = next(place["at"] for place in now["reading"]["places"] if place["id"] == name)
    return at


def settled(page: Any) -> None:
    page.wait_for_function("() => !document.querySelector('#editor').hasAttribute('aria-busy')")


@pytest.mark.long
def test_a_path_is_mended_by_touch(new_page: Any) -> None:
    page = new_page(size=PHONE, language="ja")
    tableau_id, truth = read_photo(page)
    (stroke,) = truth["reading"]["record"]["path"]
    # the path is cut in the middle, its last part gone, and walked backwards
    middle = len(stroke) // 2
    correct(page, tableau_id, kind="erase", stroke=0, start=middle, end=len(stroke) - 1)
    wrong = correct(page, tableau_id, kind="swap", stroke=None)
    assert wrong["reading"]["score"] != truth["reading"]["score"]

    open_editor(page, tableau_id, "path")
    before = score(page)
    page.locator("[data-key=swap]").tap()
    settled(page)
    # tap the end of the line and then on to where it went, by way of a place between
    there = [stroke[middle], *stroke[middle + 4 :: 4], stroke[-1]]
    for name in dict.fromkeys(there):
        tap(page, place_of(truth, name))
        settled(page)
    # what it changed is told
    page.wait_for_function("() => document.querySelector('[data-editor-status]').textContent.includes('→')")
    page.locator("[data-key=lift]").tap()
    mended = review(page, tableau_id)
    assert mended["reading"]["record"]["path"] == truth["reading"]["record"]["path"]
    assert mended["reading"]["score"] == truth["reading"]["score"]
    assert score(page) != before
    keep_screenshot(page, "correct-path-ja", whole=False)
    assert not faults(page)

    # the eraser takes the stretch that is tapped; undo brings it back
    page.locator("[data-mode=erase]").tap()
    tap(page, place_of(truth, stroke[1]))
    settled(page)
    assert review(page, tableau_id)["reading"]["record"]["path"] != [stroke]
    page.locator("[data-undo]").tap()
    settled(page)
    assert review(page, tableau_id)["reading"]["record"]["path"] == [stroke]
    page.locator("[data-done]").tap()
    page.locator("#score").wait_for()


@pytest.mark.long
def test_a_line_is_dragged_back_to_where_it_ended(new_page: Any) -> None:
    page = new_page(size=TABLET)
    tableau_id, truth = read_photo(page)
    (stroke,) = truth["reading"]["record"]["path"]
    shorter = correct(page, tableau_id, kind="move-end", stroke=0, end="end", place=stroke[-3])
    assert shorter["reading"]["record"]["path"] == [stroke[:-2]]
    open_editor(page, tableau_id, "path")
    page.locator("[data-mode=drag]").tap()
    start, end = place_of(truth, stroke[-3]), place_of(truth, stroke[-1])
    client_point(page, [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2])
    from_x, from_y = client_point(page, start, near=False)
    to_x, to_y = client_point(page, end, near=False)
    page.mouse.move(from_x, from_y)
    page.mouse.down()
    page.mouse.move((from_x + to_x) / 2, (from_y + to_y) / 2, steps=4)
    page.mouse.move(to_x, to_y, steps=4)
    page.mouse.up()
    page.wait_for_function("(id) => document.querySelector('[data-undo]').disabled === false", arg=None)
    settled(page)
    mended = review(page, tableau_id)
    assert mended["reading"]["record"]["path"] == [stroke]
    assert mended["reading"]["score"] == truth["reading"]["score"]


@pytest.mark.long
def test_a_mark_goes_round_with_each_tap(new_page: Any) -> None:
    page = new_page(size=PHONE)
    tableau_id, truth = read_photo(page)
    find = next(f for f in truth["reading"]["finds"] if f["state"] == "missed" and f["find"] == "sword")
    open_editor(page, tableau_id, "marks")
    status = page.locator("[data-editor-status]")
    for words, circled, struck in (
        (": circled.", True, False),
        (": struck through.", False, True),
        (": circled and struck through.", True, True),
        (": not marked.", False, False),
    ):
        tap(page, find["at"])
        page.wait_for_function(
            "(words) => document.querySelector('[data-editor-status]').textContent.includes(words)", arg=words
        )
        marks = review(page, tableau_id)["reading"]["record"]["marks"]
        assert (find["place"] in marks["circled"], find["place"] in marks["struck"]) == (circled, struck)
    assert status.get_attribute("aria-live") == "polite"
    # the same by its row in the list, with the keyboard
    row = page.locator(f'[data-find="{find["place"]}"]').last
    row.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(
        "() => document.querySelector('[data-editor-status]').textContent.includes(': circled.')"
    )
    assert review(page, tableau_id)["reading"]["corrected"]


@pytest.mark.long
def test_a_wrong_card_is_put_right_by_touch(new_page: Any) -> None:
    page = new_page(size=TABLET, dark=True)
    tableau_id, truth = read_photo(page)
    card = truth["reading"]["cards"][-1]
    others = {each["card"] for each in truth["reading"]["cards"]}
    wrong = "D05" if "D05" not in others else "D06"
    misread = correct(page, tableau_id, kind="card", index=card["index"], card=wrong)
    assert misread["reading"]["score"] != truth["reading"]["score"]

    open_editor(page, tableau_id, "cards")
    at = [sum(corner[k] for corner in card["corners"]) / 4 for k in (0, 1)]
    tap(page, at)
    page.locator("[data-key=another]").tap()
    page.locator("[data-choice]").first.wait_for()
    # the likeliest card of all is the one that lies there
    assert page.locator("[data-choice]").first.get_attribute("data-choice") == card["card"]
    keep_screenshot(page, "correct-card-en", whole=False)
    assert not faults(page)
    full_width = "".join(chr(ord(letter) + 0xFEE0) for letter in card["card"].lower())
    page.locator("dialog input[type=search]").fill(full_width)
    page.locator(f'[data-choice="{card["card"]}"]').tap()
    page.wait_for_function("() => !document.querySelector('[data-undo]').disabled")
    settled(page)
    mended = until_read_again(page, tableau_id)
    assert mended["reading"]["record"] == truth["reading"]["record"]
    assert mended["reading"]["score"] == truth["reading"]["score"] and mended["reading"]["sure"]
    # the page shows it without being loaded again
    page.wait_for_function("() => document.querySelector('[data-rereading]').hidden")

    page.locator("[data-restore]").tap()
    settled(page)
    restored = review(page, tableau_id)
    assert not restored["reading"]["corrected"] and restored["reading"]["score"] == truth["reading"]["score"]


@pytest.mark.long
def test_a_card_is_taken_away_and_added_again(new_page: Any) -> None:
    page = new_page(size=TABLET)
    tableau_id, truth = read_photo(page)
    card = truth["reading"]["cards"][-1]
    open_editor(page, tableau_id, "cards")
    page.locator(f"[data-key=card-{card['index']}]").tap()
    page.locator("[data-key=remove]").tap()
    settled(page)
    until_read_again(page, tableau_id)
    page.wait_for_function("() => document.querySelector('[data-rereading]').hidden")
    page.locator("[data-key=add]").tap()
    page.locator("[data-key=site-0]").wait_for()
    keep_screenshot(page, "correct-add-card", whole=False)
    at = [sum(corner[k] for corner in card["corners"]) / 4 for k in (0, 1)]
    tap(page, at, near=False)
    first = page.locator("[data-choice]").first
    first.wait_for()
    assert first.get_attribute("data-choice") == card["card"]
    first.tap()
    page.wait_for_function(
        "(n) => document.querySelectorAll('.edit-card-button').length === n",
        arg=len(truth["reading"]["cards"]),
    )
    added = until_read_again(page, tableau_id)
    assert added["reading"]["record"]["path"] == truth["reading"]["record"]["path"]
    assert added["reading"]["score"] == truth["reading"]["score"]


@pytest.mark.long
def test_a_card_is_moved_back_to_its_place(new_page: Any) -> None:
    page = new_page(size=PHONE, language="ja")
    tableau_id, truth = read_photo(page)
    last = len(truth["reading"]["cards"]) - 1
    right = truth["reading"]["cards"][last]
    # in line with the others, but half a card off
    wrong = correct(page, tableau_id, kind="move-card", index=last, x=right["x"], y=right["y"] - 44)
    assert wrong["reading"]["record"] != truth["reading"]["record"]
    open_editor(page, tableau_id, "cards")
    page.locator(f"[data-key=card-{last}]").tap()
    page.locator("[data-key=move]").tap()
    page.locator("[data-key=site-0]").wait_for()
    sites = page.request.get(f"/api/v1/tableaus/{tableau_id}/sites?without={last}").json()
    nearest = min(
        range(len(sites)), key=lambda k: abs(sites[k]["x"] - right["x"]) + abs(sites[k]["y"] - right["y"])
    )
    page.locator(f"[data-key=site-{nearest}]").tap()
    settled(page)
    page.wait_for_function("() => !document.querySelector('[data-key^=site]')")
    mended = until_read_again(page, tableau_id)
    assert mended["reading"]["record"]["path"] == truth["reading"]["record"]["path"]
    assert mended["reading"]["score"] == truth["reading"]["score"]


@pytest.mark.long
def test_corners_are_dragged_to_the_card(new_page: Any) -> None:
    page = new_page(size=PHONE)
    tableau_id, truth = read_photo(page)
    card = truth["reading"]["cards"][1]
    open_editor(page, tableau_id, "cards")
    page.locator("[data-key=card-1]").tap()
    page.locator("[data-key=corners]").tap()
    x, y = client_point(page, card["corners"][0], near=False)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 8, y + 6, steps=3)
    page.mouse.up()
    # keys move a handle, too
    page.locator("[data-key=corner-2]").focus()
    page.keyboard.press("ArrowLeft")
    page.locator("[data-key=corners-done]").tap()
    settled(page)
    after = until_read_again(page, tableau_id)
    assert after["reading"]["corrected"] and after["reading"]["score"] == truth["reading"]["score"]


def focus_on(page: Any, selector: str) -> None:
    """Focus an element as soon as it is in sight: a hidden one takes no focus."""
    element = page.locator(selector)
    element.wait_for()
    element.focus()


@pytest.mark.long
def test_everything_works_with_the_keyboard_alone(new_page: Any) -> None:
    page = new_page(size=TABLET, touch=False)
    tableau_id, truth = read_photo(page)
    (stroke,) = truth["reading"]["record"]["path"]
    page.goto(f"/tableaus/{tableau_id}")
    focus_on(page, "[data-correct]")
    page.keyboard.press("Enter")
    focus_on(page, ".edit-steps summary")
    page.keyboard.press("Enter")
    focus_on(page, f"[data-key=erase-0-{len(stroke) - 1}]")
    page.keyboard.press("Enter")
    settled(page)
    until(page, tableau_id, lambda now: now["reading"]["record"]["path"] == [stroke[:-1]])
    field = page.locator("[data-key=to]")
    field.focus()
    page.keyboard.type(stroke[-1])
    page.keyboard.press("Enter")
    until(page, tableau_id, lambda now: now["reading"]["record"]["path"] == [stroke])
    # means by their chips
    focus_on(page, "button[data-tool=means]")
    page.keyboard.press("Enter")
    focus_on(page, '[data-means="SB-4"]')
    page.keyboard.press("Space")
    page.wait_for_function(
        "() => document.querySelector('[data-means=\"SB-4\"]').getAttribute('aria-pressed') === 'true'"
    )
    assert review(page, tableau_id)["means"]["spellbooks"] == ["SB-4"]
    # what is asked for and played by, outside a game
    focus_on(page, "button[data-tool=terms]")
    page.keyboard.press("Enter")
    page.locator("#term-primary").select_option("key")
    page.wait_for_selector(".aims .aim.primary")
    settled(page)
    focus_on(page, "#misaligned_voids_path")
    page.keyboard.press("Space")
    page.wait_for_selector("[data-editor-status].told >> text=void the path: on.")
    means = review(page, tableau_id)["means"]
    assert (means["primary"], means["settings"]["misaligned_voids_path"]) == ("key", True)
    focus_on(page, "[data-undo]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#misaligned_voids_path:not(:checked)")
    assert not faults(page)


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "language", "put_in"),
    long_but([(PHONE, "en", "Inserted after step 8."), (TABLET, "ja", "8 歩目の後")], 0),
    ids=["phone", "tablet"],
)
def test_a_drawn_stretch_is_told_where_it_was_put(
    new_page: Any, size: dict[str, int], language: str, put_in: str
) -> None:
    page = new_page(size=size, language=language)
    made = page.request.post("/api/v1/tableaus", data={"title": "t", "primary": "sword", "secondary": "pit"})
    tableau = made.json()["id"]
    # The way through a room and back is read as a line of its own, walked once.
    send_photo(page, tableau, PHOTOS / "table-10.webp")
    wait_until_read(page, tableau)
    page.goto(f"/tableaus/{tableau}")
    page.locator(".answer").nth(1).wait_for()
    assert "4" in page.inner_text(".question-count")
    assert faults(page) == []
    keep_screenshot(page, f"review-off-path-{language}")
    open_editor(page, tableau, "path")
    now = review(page, tableau)
    for name in ("0.j7", "0.d2", "0.d1", "0.j2"):
        tap(page, place_of(now, name))
    page.wait_for_function(
        "words => document.querySelector('[data-editor-status]').textContent.includes(words)", arg=put_in
    )
    assert len(review(page, tableau)["reading"]["record"]["path"]) == 1
    assert faults(page) == []
    keep_screenshot(page, f"correct-put-in-{language}")


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "language", "loose"),
    [(PHONE, "en", "choose below how it joins"), (TABLET, "ja", "下から選んで")],
    ids=["phone", "tablet"],
)
def test_a_stretch_that_touches_the_path_nowhere_is_asked_how_it_joins(
    new_page: Any, size: dict[str, int], language: str, loose: str
) -> None:
    page = new_page(size=size, language=language)
    tableau, truth = read_photo(page)
    (stroke,) = truth["reading"]["record"]["path"]
    # The path ends early, and a corridor of its way is drawn farther on.
    middle = len(stroke) // 2
    correct(page, tableau, kind="erase", stroke=0, start=middle, end=len(stroke) - 1)
    assert review(page, tableau)["reading"]["record"]["path"] == [stroke[: middle + 1]]
    ways = {(link["a"], link["b"]) for link in truth["reading"]["links"] if link["kind"] == "corridor"}
    far = next(
        (a, b) for a, b in pairwise(stroke[middle + 2 :]) if {(a, b), (b, a)} & ways and b != stroke[-1]
    )
    open_editor(page, tableau, "path")
    for name in far:
        tap(page, place_of(truth, name))
        settled(page)
    page.wait_for_function(
        "words => document.querySelector('[data-editor-status]').textContent.includes(words)", arg=loose
    )
    assert page.locator("[data-editor-status]").is_visible()
    answers = page.locator(".edit-joins .answer")
    assert answers.count() > 1
    assert faults(page) == []
    answers.first.scroll_into_view_if_needed()
    keep_screenshot(page, f"correct-joins-{language}", whole=False)
    assert review(page, tableau)["reading"]["record"]["path"] == [stroke[: middle + 1], list(far)]
    answers.first.tap()
    page.wait_for_function("() => !document.querySelector('.edit-joins')")
    (joined,) = review(page, tableau)["reading"]["record"]["path"]
    assert joined[: middle + 1] == stroke[: middle + 1] and tuple(joined[-2:]) == far
