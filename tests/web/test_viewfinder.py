"""The viewfinder, with a camera that looks at a shipped photo: what it shows, when it goes off by itself, and
what arrives; and what is left where there is no camera."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from camera_film import FILM_SIZE, SENSOR, SWEEP, TABLE, TREMBLE, launch_with_camera, picture, write_film
from live_server import PHONE, LiveServer, wait_until_read
from long_rest import long_but
from numpy.typing import NDArray
from page_looks import box_of
from PIL import Image

from webapp.store.photos import original_file

TRUTH = json.loads(TABLE.with_suffix(".truth.json").read_text())
#: How far an outline's corner may lie from the card's, as a share of the card's width: the median of several
#: looks, for one look alone is up to 6% off, by the camera's noise.
NEAR = 0.05
LOOKS = 5
#: How a device is tilted that is held level above the table, and one that is held upright.
LEVEL, UPRIGHT = {"beta": 2, "gamma": -1}, {"beta": 75, "gamma": 0}


@pytest.fixture(scope="module")
def browser(launch: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser whose camera looks steadily at a shipped table."""
    browser = launch_with_camera(
        launch, write_film(tmp_path_factory.mktemp("camera") / "still.mjpeg", (TREMBLE, 1))
    )
    yield browser
    browser.close()


def open_viewfinder(new_page: Any, *scripts: str, by_itself: bool = True, **more: Any) -> Any:
    page = new_page(permissions=["camera"], **more)
    page.add_init_script(f"localStorage.setItem('waymark-auto-shot', '{'on' if by_itself else 'off'}')")
    for script in scripts:
        page.add_init_script(script)
    page.goto("/capture/live")
    return page


def shot_of(page: Any) -> tuple[str, dict[str, Any]]:
    """Wait until the page has gone on to the tableau of its photo: its id and the one photo."""
    page.wait_for_url("**/tableaus/*")
    tableau_id = str(page.url.rsplit("/", 1)[1])
    (shot,) = page.request.get(f"/api/v1/tableaus/{tableau_id}").json()["shots"]
    return tableau_id, shot


def outlines(page: Any) -> list[NDArray[np.float64]]:
    """The cards that the viewfinder outlines: four corners each, in pixels of the camera's picture."""
    path = page.locator("[data-live-cards]").get_attribute("d") or ""
    cards = [card.removeprefix("M").split("L") for card in path.split("Z") if card]
    return [np.array([corner.split() for corner in card], np.float64) for card in cards]


def distance(outline: NDArray[np.float64], corners: NDArray[np.float64]) -> float:
    """The greatest distance of a corner, from whichever corner the outline begins."""
    turns = (np.linalg.norm(np.roll(outline, turn, axis=0) - corners, axis=1).max() for turn in range(4))
    return float(min(turns))


@pytest.mark.long
def test_the_cards_are_outlined_where_they_lie(new_page: Any) -> None:
    page = open_viewfinder(new_page, by_itself=False)
    page.get_by_text(f"Cards seen: {len(TRUTH['cards'])}").wait_for()
    looks: list[Any] = []
    while len(looks) < LOOKS:
        found = outlines(page)
        if len(found) == len(TRUTH["cards"]):
            looks.append(found)
        page.wait_for_timeout(1_000)
    for card in TRUTH["cards"]:
        corners = np.array(card["corners"]) * FILM_SIZE[0] / TRUTH["photo"]["width"]
        width = float(np.linalg.norm(corners[1] - corners[0]))
        off = [min(distance(outline, corners) for outline in found) for found in looks]
        assert np.median(off) < NEAR * width, (card["card"], off)
    # They are drawn on the picture, whatever part of the screen that fills.
    guide, video = page.locator("[data-live-guide]"), page.locator("video")
    assert box_of(guide) == box_of(video)
    assert guide.get_attribute("viewBox") == f"0 0 {FILM_SIZE[0]} {FILM_SIZE[1]}"


def test_held_still_and_level_it_takes_a_full_size_photo_that_is_read(new_page: Any) -> None:
    page = open_viewfinder(new_page, SENSOR % json.dumps(UPRIGHT))
    page.get_by_text("Hold the device level above the cards.").wait_for()
    level = page.locator("[data-live-level]")
    assert level.is_visible() and not page.locator("[data-live-level].level").count()
    page.wait_for_timeout(1_500)
    assert page.url.endswith("/capture/live"), "nothing is taken while it is not level"
    page.evaluate(f"window.tilt = {json.dumps(LEVEL)}")
    page.locator("[data-live-level].level").wait_for()
    tableau_id, shot = shot_of(page)
    assert (shot["width"], shot["height"]) == FILM_SIZE
    wait_until_read(page, tableau_id)
    cards = page.request.get(f"/api/v1/tableaus/{tableau_id}/review").json()["reading"]["cards"]
    assert {card["card"] for card in cards} == {card["card"] for card in TRUTH["cards"]}


@pytest.mark.long
def test_it_goes_off_when_the_hand_comes_to_rest_and_not_on_its_way(
    launch: Callable[..., Any], live: LiveServer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    film = write_film(tmp_path_factory.mktemp("camera") / "moving.mjpeg", (SWEEP, 2), (TREMBLE, 4))
    browser = launch_with_camera(launch, film)
    context = browser.new_context(base_url=live.url, viewport=PHONE, locale="en-GB", permissions=["camera"])
    page = context.new_page()
    page.goto("/capture/live")
    _, shot = shot_of(page)
    taken = original_file(live.services.config.photos, shot["photo_id"])
    seen = np.asarray(Image.open(taken).convert("L"), np.float64)
    rest = np.asarray(Image.fromarray(picture()[:, :, ::-1]).convert("L"), np.float64)
    assert seen.shape == rest.shape
    # From a place of the way it differs by 25.
    assert np.abs(seen - rest).mean() < 8
    browser.close()


@pytest.mark.long
def test_a_hand_that_never_rests_takes_no_photo(
    launch: Callable[..., Any], live: LiveServer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    browser = launch_with_camera(
        launch, write_film(tmp_path_factory.mktemp("camera") / "sweep.mjpeg", (SWEEP, 1))
    )
    context = browser.new_context(base_url=live.url, viewport=PHONE, locale="ja-JP", permissions=["camera"])
    page = context.new_page()
    page.goto("/capture/live")
    page.locator("[data-live-hint]", has_text="カード").wait_for()  # it looks: at none yet, or at some
    page.wait_for_timeout(3_000)
    assert page.url.endswith("/capture/live")
    browser.close()


@pytest.mark.long
def test_a_table_without_cards_takes_no_photo_by_itself_but_by_hand(new_page: Any) -> None:
    page = open_viewfinder(new_page, by_itself=False)
    page.route("**/api/v1/outlines", lambda route: route.fulfill(json={"busy": False, "cards": []}))
    page.get_by_text("No card is seen").wait_for()
    page.get_by_role("button", name="Take it by itself").click()
    page.wait_for_timeout(2_000)
    assert page.url.endswith("/capture/live")
    page.get_by_role("button", name="Take the photo").click()
    assert (shot_of(page)[1]["width"], shot_of(page)[1]["height"]) == FILM_SIZE


#: What the camera shows, the tilt, and what the hand is said to do after a second of it.
HANDS = [
    ("still", "(i) => (i % 2) * 200 + 20", None, "still", 1),
    ("the light alone changes", "(i, k) => (i % 2) * 100 + 80 + k * 4", None, "still", 1),
    ("moving", "(i, k) => ((i + k) % 7) * 30 + 20", None, "moving", 0),
    ("dark", "(i) => (i % 2) * 20", None, "dark", 0),
    ("a bare wall", "() => 130", None, "moving", 0),
    ("level", "(i) => (i % 2) * 200 + 20", "(k) => ({ beta: 4 + k * 0.1, gamma: -3 })", "still", 1),
    ("on edge", "(i) => (i % 2) * 200 + 20", "() => ({ beta: 80, gamma: 0 })", "tilted", 0),
    ("swaying", "(i) => (i % 2) * 200 + 20", "(k) => ({ beta: k * 2.5, gamma: 0 })", "moving", 0),
]


def test_a_steady_hand_is_told_from_others(new_page: Any) -> None:
    page = new_page()
    page.goto("/capture")
    for name, grey, tilt, state, share in HANDS:
        told = page.evaluate(
            f"""async () => {{
              const {{ Steadiness }} = await import("/static/capture/steady.js");
              const hand = new Steadiness();
              let told;
              for (let k = 0; k <= 10; k += 1) {{
                const grey = Float32Array.from({{ length: 480 }}, (_, i) => ({grey})(i, k));
                told = hand.look(grey, {f"({tilt})(k)" if tilt else "null"}, k * 100);
              }}
              return told;
            }}"""
        )
        assert (told["state"], told["share"]) == (state, share), name


def sends_from_its_button(page: Any, label: str) -> None:
    page.get_by_label(label).set_input_files(TABLE)
    assert shot_of(page)[1]["filename"] == TABLE.name


@pytest.mark.parametrize(
    ("language", "why", "label"),
    long_but(
        [
            ("en", "The camera was not allowed:", "Take a photo"),
            ("ja", "カメラが許可されていません。", "写真を撮る"),
        ],
        1,
    ),
)
def test_a_refused_camera_is_told_in_a_sentence_and_the_button_stays(
    new_page: Any, language: str, why: str, label: str
) -> None:
    page = new_page(language=language)
    page.goto("/capture/live")
    assert page.get_by_role("alert").inner_text().startswith(why)
    sends_from_its_button(page, label)


def test_a_device_without_a_camera_is_told_in_a_sentence_and_the_button_stays(
    launch: Callable[..., Any], live: LiveServer
) -> None:
    browser = launch()
    context = browser.new_context(base_url=live.url, viewport=PHONE, locale="en-GB", permissions=["camera"])
    page = context.new_page()
    page.goto("/capture/live")
    page.get_by_text("This device shows no camera; use the button below.").wait_for()
    sends_from_its_button(page, "Take a photo")
    browser.close()


def test_where_the_browser_keeps_the_camera_to_itself_the_button_stays(new_page: Any) -> None:
    page = new_page()
    page.add_init_script("Object.defineProperty(navigator, 'mediaDevices', { value: undefined })")
    page.goto("/capture/live")
    assert "waymark serve --https" in page.get_by_role("alert").inner_text()
    sends_from_its_button(page, "Take a photo")
