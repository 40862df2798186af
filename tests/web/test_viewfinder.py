"""The viewfinder, with a camera that looks at a shipped photo: what it shows, when it goes off by itself, and
what arrives; and what is left where there is no camera."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle
from typing import Any

import cv2
import numpy as np
import pytest
from camera_film import (
    FILM_SIZE,
    SENSOR,
    SWEEP,
    TABLE,
    TREMBLE,
    launch_with_camera,
    picture,
    picture_blurred,
    picture_cut_off,
    picture_from_afar,
    picture_in_the_dark,
    write_film,
    write_still,
)
from live_server import PHONE, LiveServer, wait_until_read
from long_rest import long_but
from numpy.typing import NDArray
from page_looks import box_of
from photo_files import original_file
from PIL import Image

from vision.photo.sharpness import blur_px

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
    browser = launch_with_camera(launch, write_still(tmp_path_factory.mktemp("camera") / "still.y4m"))
    yield browser
    browser.close()


#: What the server answers to each look in turn, over and over.
Looks = Sequence[dict[str, Any]]


def open_viewfinder(
    new_page: Any, *scripts: str, by_itself: bool = True, looks: Looks = (), **more: Any
) -> Any:
    """The viewfinder; where `looks` are given they take the place of the server's from the first on."""
    page = new_page(permissions=["camera"], **more)
    if looks:
        answers = cycle(looks)
        page.route("**/api/v1/outlines", lambda route: route.fulfill(json=next(answers)))
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


@pytest.mark.long
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
    # It rests for several looks, also on a busy machine.
    film = write_film(tmp_path_factory.mktemp("camera") / "moving.mjpeg", (SWEEP, 2), (TREMBLE, 8))
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


def square(left: float, top: float, side: float) -> list[list[float]]:
    """A card's outline as the server tells it, as wide as high in a picture that is as wide as high."""
    return [[left, top], [left + side, top], [left + side, top + side], [left, top + side]]


#: What the server sees in the picture, and what is said of it.
WHOLE, BESIDE = square(0.3, 0.3, 0.2), square(0.5, 0.3, 0.2)
LOOKS_AT_CARDS = [
    ([], [], "No card is seen: closer, please."),
    ([WHOLE, square(0.9, 0.3, 0.2)], [], "A card is cut off: get all of it into the picture."),
    ([square(0.3, 0.3, 0.1), square(0.4, 0.3, 0.1)], [], "Closer: the cards are too small."),
    (None, [], "The cards cannot be checked just now: press the shutter when all of them are in the frame."),
    # A neighbour's card may lie beyond the picture.
    ([WHOLE, BESIDE, square(0.9, 0.8, 0.2)], [2], "Hold still"),
]


@pytest.mark.parametrize(
    ("cards", "apart", "said"), long_but(LOOKS_AT_CARDS, 4), ids=["none", "cut off", "small", "busy", "well"]
)
def test_it_goes_off_only_when_the_cards_are_whole_and_near(
    new_page: Any, cards: list[list[list[float]]] | None, apart: list[int], said: str
) -> None:
    seen = {"busy": cards is None, "cards": cards or [], "apart": apart}
    page = open_viewfinder(new_page, by_itself=False, looks=[seen])
    sent = photos_sent(page)
    hint = page.locator("[data-live-hint]")
    by_itself = page.get_by_role("button", name="Take it automatically")
    if said == "Hold still":
        hint.filter(has_text="Cards seen: 2").wait_for()
        hint.evaluate(
            """hint => {
              window.said = [];
              const hear = () => window.said.push(hint.textContent);
              new MutationObserver(hear).observe(hint, { childList: true });
            }"""
        )
        with page.expect_request("**/api/v1/photos"):
            by_itself.click()
        assert any(words.startswith(said) for words in page.evaluate("window.said"))
    else:
        by_itself.click()
        hint.filter(has_text=said).wait_for()
        page.wait_for_timeout(2_500)
        assert hint.inner_text() == said
        assert not sent


def photos_sent(page: Any) -> list[str]:
    """The addresses to which the page sends photos from now on; none arrives."""
    sent: list[str] = []
    page.route("**/api/v1/photos", lambda route: route.abort())
    page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/photos") else None)
    return sent


ALL_WELL = {"busy": False, "cards": [WHOLE, BESIDE], "apart": []}
CUT = {"busy": False, "cards": [WHOLE, square(0.9, 0.3, 0.2)], "apart": []}
NOTHING: dict[str, Any] = {"busy": False, "cards": [], "apart": []}


@pytest.mark.long
@pytest.mark.parametrize(
    "looks", [[CUT, ALL_WELL, ALL_WELL], [NOTHING, ALL_WELL]], ids=["cut off", "seen once"]
)
def test_one_look_in_which_all_is_well_is_not_enough(new_page: Any, looks: Looks) -> None:
    page = open_viewfinder(new_page, looks=looks)
    sent = photos_sent(page)
    for _ in range(3 * len(looks)):
        with page.expect_response("**/api/v1/outlines"):
            pass
    assert not sent
    page.unroute("**/api/v1/outlines")
    with page.expect_request("**/api/v1/photos"):
        page.route("**/api/v1/outlines", lambda route: route.fulfill(json=ALL_WELL))


@pytest.mark.long
@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (picture_in_the_dark, "Too dark: more light, please."),
        (picture_blurred, "The picture is blurred: hold still until it is sharp."),
        (picture_from_afar, "Closer: the cards are too small."),
        (picture_cut_off, "A card is cut off: get all of it into the picture."),
    ],
    ids=["dark", "blurred", "far", "cut off"],
)
def test_what_spoils_a_photo_is_said_before_it_is_taken(
    launch: Callable[..., Any],
    live: LiveServer,
    tmp_path_factory: pytest.TempPathFactory,
    shown: Callable[[], NDArray[np.uint8]],
    said: str,
) -> None:
    film = write_still(tmp_path_factory.mktemp("camera") / "spoilt.y4m", shown())
    browser = launch_with_camera(launch, film)
    context = browser.new_context(base_url=live.url, viewport=PHONE, locale="en-GB", permissions=["camera"])
    page = context.new_page()
    page.goto("/capture/live")
    page.locator("[data-live-hint]", has_text=said).wait_for()
    page.wait_for_timeout(3_000)
    assert page.locator("[data-live-hint]").inner_text() == said
    assert page.url.endswith("/capture/live"), "nothing takes itself"
    browser.close()


@pytest.mark.long
def test_the_outlines_go_with_the_picture(new_page: Any) -> None:
    page = new_page()
    page.goto("/capture")
    told = page.evaluate(
        """async () => {
          const { shiftOf } = await import("/static/capture/sight.js");
          const [width, height] = [96, 72];
          const at = (x, y) => 120 + 60 * Math.sin(x / 3) * Math.cos(y / 5) + 20 * Math.sin(x * y / 40);
          const pixels = (make) =>
            Float32Array.from({ length: width * height }, (_, i) => make(i % width, (i / width) | 0, i));
          const seen = (dx, dy) => pixels((x, y) => at(x - dx, y - dy));
          const before = seen(0, 0);
          let from = { dx: 0, dy: 0 };
          const moved = [];
          for (const [dx, dy] of [[0, 0], [3, -2], [6, -4], [9, -7]]) {
            from = shiftOf(before, seen(dx, dy), width, from);
            moved.push([from.dx, from.dy, from.left < 1]);
          }
          const other = pixels((x, y, i) => (i * 7919) % 256);
          return [...moved, shiftOf(before, other, width, from).left > 8];
        }"""
    )
    assert told == [[0, 0, True], [3, -2, True], [6, -4, True], [9, -7, True], True]


@pytest.mark.parametrize("spread", long_but([0.0, 1.0, 2.0, 6.0], 1))
def test_the_browser_measures_blur_as_the_reader_does(new_page: Any, spread: float) -> None:
    photo = cv2.cvtColor(picture(), cv2.COLOR_BGR2GRAY)[850:1106, 330:586]
    seen = photo if not spread else np.asarray(cv2.GaussianBlur(photo, (0, 0), spread), np.uint8)
    page = new_page()
    page.goto("/capture")
    told = page.evaluate(
        """async ([grey, width]) => {
          const { blurOf } = await import("/static/capture/sharpness.js");
          return blurOf(Float32Array.from(grey), width);
        }""",
        [seen.ravel().tolist(), 256],
    )
    measured = blur_px(seen)
    if spread == 6:
        assert told is measured is None, "an edge was found where none is left"
    else:
        assert told == pytest.approx(measured, rel=0.02)
        assert measured is not None and spread <= measured < spread + 1


def new_entry(page: Any) -> str:
    """The round of a player called Aya in a game of her own."""
    players = [{"name": "Aya", "colour": "green"}, {"name": "さくら", "colour": "yellow"}]
    game = page.request.post("/api/v1/games", data={"players": players}).json()
    return str(game["rounds"][0]["entries"][0]["id"])


@pytest.mark.long
def test_the_player_whose_photo_it_is_is_named(new_page: Any) -> None:
    page = new_page(language="ja", permissions=["camera"])
    page.goto(f"/capture/live?entry_id={new_entry(page)}")
    assert page.locator(".live-whose").inner_text().strip() == "Ayaのカードを撮る"
    assert page.locator(".live-colour").get_attribute("data-colour") == "green"


@pytest.mark.long
def test_two_devices_that_photograph_for_one_player_learn_of_each_other_at_once(new_page: Any) -> None:
    phone = open_viewfinder(new_page)
    entry = new_entry(phone)
    phone.route(
        "**/api/v1/outlines", lambda route: route.fulfill(json={"busy": True, "cards": [], "apart": []})
    )
    phone.goto(f"/capture/live?entry_id={entry}")
    heard = phone.locator("[data-others]")
    by_itself = phone.get_by_role("button", name="Take it automatically")
    phone.get_by_text("The cards cannot be checked").wait_for()
    assert heard.is_hidden() and by_itself.get_attribute("aria-pressed") == "true"
    tablet = new_page(language="ja")
    tablet.goto(f"/capture?entry_id={entry}")
    phone.get_by_text("Another device is about to photograph the same cards.").wait_for()
    tablet.get_by_text("別の端末でも同じカードを撮ろうとしています。").wait_for()
    # The tablet is first.
    sent = tablet.request.post(
        "/api/v1/photos",
        multipart={
            "entry_id": entry,
            "photo": {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": TABLE.read_bytes()},
        },
    ).json()
    phone.get_by_text("A photo of the same cards has just come from another device.").wait_for()
    assert by_itself.get_attribute("aria-pressed") == "false", "the next photo is taken by hand"
    phone.get_by_role("link", name="Look at it").click()
    phone.wait_for_url(f"**/tableaus/{sent['tableau_id']}")


@pytest.mark.long
def test_a_table_without_cards_takes_no_photo_by_itself_but_by_hand(new_page: Any) -> None:
    page = open_viewfinder(new_page, by_itself=False, looks=[NOTHING])
    page.get_by_text("No card is seen").wait_for()
    page.get_by_role("button", name="Take it automatically").click()
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


@pytest.mark.long
def test_a_device_without_a_camera_is_told_in_a_sentence_and_the_button_stays(
    launch: Callable[..., Any], live: LiveServer
) -> None:
    browser = launch(whole=True)
    context = browser.new_context(base_url=live.url, viewport=PHONE, locale="en-GB", permissions=["camera"])
    page = context.new_page()
    page.goto("/capture/live")
    page.get_by_text("No camera was found on this device; use the button below.").wait_for()
    sends_from_its_button(page, "Take a photo")
    browser.close()


@pytest.mark.long
def test_where_the_browser_keeps_the_camera_to_itself_the_button_stays(new_page: Any) -> None:
    page = new_page()
    page.add_init_script("Object.defineProperty(navigator, 'mediaDevices', { value: undefined })")
    page.goto("/capture/live")
    assert "waymark serve --https" in page.get_by_role("alert").inner_text()
    sends_from_its_button(page, "Take a photo")
