"""Every page at phone and tablet size, in both languages, light and dark: nothing serious by axe, nothing too
small to tap, nothing wider than the screen, nothing that jumps.

`WAYMARK_SCREENSHOTS=out/screens pytest tests/web/test_looks.py` keeps a picture of each.
"""

from __future__ import annotations

import itertools
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest
import requests
from camera_film import SENSOR, launch_with_camera, write_still
from live_server import DESKTOP, PHONE, PHOTOS, TABLET, TABLET_WIDE, LiveServer
from long_rest import long_but
from page_looks import faults, keep_screenshot, stop_the_clock
from patience import PATIENCE_SECONDS
from put_readings import put_reading
from sqlalchemy import select
from table_scenes import LONG_NAME, SCENES, laid_table, new_game, post, whole_game
from untraced_deck import untraced_deck

from webapp.store.models import Person

LOOKS = list(itertools.product(("phone", "tablet"), ("en", "ja"), (False, True)))
#: What people have open is looked at on a phone, a tablet held across and a desk, each in one language.
SCENE_LOOKS = [("phone", "en", False), ("wide", "ja", True), ("desktop", "en", True)]
if not os.environ.get("WAYMARK_SCREENSHOTS"):
    # In the suite each size, language and light comes once; `make screens` looks at all.
    LOOKS = long_but([("phone", "ja", True), ("tablet", "en", False)])
    SCENE_LOOKS = SCENE_LOOKS[:1]
VIEWFINDER = "/capture/live"
_count = itertools.count(1)
SIZES = {"phone": PHONE, "tablet": TABLET, "wide": TABLET_WIDE, "desktop": DESKTOP}
#: What GET answers with something else than a page.
NO_PAGES = re.compile(
    r"\.(jpg|png|webp|js|webmanifest|crt|zip|csv|json|xml|bgsplay)$|^/static/|^/api/|^/exchange/|/(around|dialogs)$|/drawing$|^/healthz$"
)
#: Most bytes of a page's HTML.
MOST_BYTES = 40_000
#: Pages that are looked at as scenes only.
SCENE_PAGES = {scene.page for scene in SCENES.values() if not scene.page.startswith(("/", "a tableau"))}
#: What the README shows, as a screen shows it: (page, size, language, dark).
README = {
    ("/games/<game_id>/rounds/<int:number>", "phone", "en", False): "round",
    ("a tableau that is sure", "phone", "en", False): "review",
    ("/tableaus/<tableau_id>", "phone", "ja", True): "question",
    ("/tableaus/<tableau_id>/dispute", "phone", "en", False): "dispute",
    ("/games/<game_id>", "tablet", "en", False): "scoreboard",
}


@pytest.fixture(scope="module")
def with_camera(launch: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser whose camera looks at a shipped table."""
    film = write_still(tmp_path_factory.mktemp("camera") / "still.y4m")
    browser = launch_with_camera(launch, film)
    yield browser
    browser.close()


@pytest.fixture
def new_page_with_camera(
    with_camera: Any, pages_in: Callable[[Any], AbstractContextManager[Any]]
) -> Iterator[Any]:
    with pages_in(with_camera) as open_page:
        yield open_page


@pytest.fixture
def paths(live: LiveServer) -> dict[str, str]:
    """Every page by its rule, of a game in which two photos were read, one of an illegal path; and pages of
    games that were played to their end."""
    api = f"{live.url}/api/v1"
    players = [
        {"name": name, "colour": colour}
        for name, colour in (("あや", "red"), ("Ben “the mole”", "blue"), ("Chris", "green"))
    ]
    game = requests.post(
        f"{api}/games", json={"players": players, "title": "木曜の会"}, timeout=PATIENCE_SECONDS
    ).json()
    requests.patch(
        f"{api}/games/{game['id']}/rounds/1",
        json={"primary": "sword", "secondary": "pit"},
        timeout=PATIENCE_SECONDS,
    )
    entries = [entry["id"] for entry in game["rounds"][0]["entries"]]
    tableaus = []
    for entry, photo in zip(entries, ("table-07.jpg", "table-09.jpg"), strict=False):
        files = {"photo": (photo, (PHOTOS / photo).read_bytes())}
        sent = requests.post(
            f"{api}/photos", files=files, data={"entry_id": entry}, timeout=PATIENCE_SECONDS
        ).json()
        tableaus.append(sent["tableau_id"])
    end = time.monotonic() + PATIENCE_SECONDS
    while any(
        shot["state"] in ("waiting", "running")
        for tableau in tableaus
        for shot in requests.get(f"{api}/tableaus/{tableau}", timeout=PATIENCE_SECONDS).json()["shots"]
    ):
        assert time.monotonic() < end, "the photos were not read"
        time.sleep(0.3)
    requests.patch(
        f"{api}/entries/{entries[2]}", json={"primary_vp": 4, "secondary_vp": 3}, timeout=PATIENCE_SECONDS
    )
    with live.services.database.snapshot() as session:
        person = session.scalars(select(Person.id).where(Person.name == "あや")).first()
    known = {"game_id": game["id"], "number": "1", "tableau_id": tableaus[1], "person_id": person}
    known["language"] = "en"
    box = f"looks-{next(_count)}"
    untraced_deck(live.services.config.data / "boxes" / box, {"D40": "proposed", "D41": "no"})
    known |= {"deck_id": box, "card_id": "D40"}
    rules = [str(rule) for rule in live.app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    pages = [rule for rule in rules if not NO_PAGES.search(re.sub(r"<[^>]+>", "x", rule))]
    found = {
        rule: re.sub(r"<(?:[^<>]*:)?(\w+)>", lambda part: str(known[part[1]]), rule) for rule in sorted(pages)
    }
    whole = whole_game(live.url, ("あや", LONG_NAME, "Ben “the mole”"), title=LONG_NAME, shift=1)
    whole_game(live.url, ("Ben “the mole”", "あや"), title="", shift=2, finished=False)
    names = ("Ilse", "たろう", "Noor", LONG_NAME[:60], "O’Brien")
    begun = new_game(live.url, names, "Five at the table")
    held = {"fairy_tokens": {"rope": 2}, "spellbooks": {"SB-3": True, "SB-5": True}}
    post(live.url, f"/entries/{begun['rounds'][0]['entries'][0]['id']}", held, "PATCH")
    long = new_game(live.url, [letter * 60 for letter in "千恵子狐部"], "木曜の会")
    for number, entry in enumerate(long["rounds"][0]["entries"], 1):
        put_reading(live.app, entry["id"], f"table-0{number}")
    return {
        **found,
        "a round of five with photos and long names": f"/games/{long['id']}/rounds/1",
        "the board of five with photos and long names": f"/games/{long['id']}",
        "a tableau that is sure": f"/tableaus/{tableaus[0]}",
        "nothing there": "/nowhere",
        "the board of a whole game": f"/games/{whole}",
        "the end of a whole game": f"/games/{whole}/final",
        "a player of whole games": f"/players/{person}",
        "a round with five players": f"/games/{begun['id']}/rounds/1",
        "a shared table of five groups": f"/games/{laid_table(live.url, names)}",
        "the cards that come with Waymark": "/decks/open",
    }


def picture_name(name: str, size: str, language: str, dark: bool) -> str:
    words = re.sub(r"\W+", "-", re.sub(r"<[^>]+>", "", name)).strip("-") or "home"
    return f"{words}-{size}-{language}-{'dark' if dark else 'light'}"


def open_page(new_page: Any, size: str, language: str, dark: bool) -> Any:
    page = new_page(size=SIZES[size], language=language, dark=dark, permissions=["camera"])
    # The viewfinder stays where it is, to be looked at.
    page.add_init_script("localStorage.setItem('waymark-auto-shot', 'off')")
    page.add_init_script(SENSOR % '{ "beta": 14, "gamma": 8 }')
    return page


def open_path(page: Any, path: str) -> None:
    answer = page.goto(path)
    assert answer.ok or path == "/nowhere", f"{path}: {answer.status}"
    if "tableau" in path:
        page.wait_for_load_state("networkidle")  # The review is filled in by its script.
    if path == VIEWFINDER:
        page.locator("[data-live-cards][d*=Z]").wait_for(state="attached")


def test_pages_are_small(live: LiveServer, paths: dict[str, str]) -> None:
    sizes = {
        (name, language): len(
            requests.get(
                live.url + path, headers={"Accept-Language": language}, timeout=PATIENCE_SECONDS
            ).content
        )
        for name, path in paths.items()
        for language in ("en", "ja")
    }
    assert sizes["/tableaus/<tableau_id>", "en"] > 5_000, "the page is there"
    assert {page: size for page, size in sizes.items() if size >= MOST_BYTES} == {}


@pytest.mark.parametrize(("size", "language", "dark"), LOOKS)
def test_pages_are_fit_for_eyes_and_fingers(
    new_page: Any, new_page_with_camera: Any, paths: dict[str, str], size: str, language: str, dark: bool
) -> None:
    here, at_camera = (open_page(new, size, language, dark) for new in (new_page, new_page_with_camera))
    wrong = {}
    for name, path in paths.items():
        if name in SCENE_PAGES:
            continue
        page = at_camera if path == VIEWFINDER else here
        open_path(page, path.replace("/offline/en", f"/offline/{language}"))
        keep_screenshot(page, picture_name(name, size, language, dark))
        if shown := README.get((name, size, language, dark)):
            keep_screenshot(page, f"readme/{shown}", whole=False)
        if found := faults(page):
            wrong[name] = found
        if page is at_camera:
            # A camera that plays on takes half a core.
            page.goto("/")
    assert not wrong


@pytest.mark.long
@pytest.mark.parametrize(("size", "language", "dark"), SCENE_LOOKS)
def test_what_people_open_is_fit_for_eyes_and_fingers(
    new_page: Any, new_page_with_camera: Any, paths: dict[str, str], size: str, language: str, dark: bool
) -> None:
    here, at_camera = (open_page(new, size, language, dark) for new in (new_page, new_page_with_camera))
    wrong = {}
    for name, scene in SCENES.items():
        page = at_camera if paths[scene.page] == VIEWFINDER else here
        open_path(page, paths[scene.page])
        if ".toast" in scene.shows:
            stop_the_clock(page)
        for tap in scene.taps:
            page.locator(tap).first.click()
        page.locator(scene.shows).first.wait_for()
        over = page.locator("dialog[open], .toast").count() > 0
        keep_screenshot(page, picture_name(f"scene {name}", size, language, dark), whole=not over)
        if found := faults(page):
            wrong[name] = found
        if "undo" in name:
            page.locator(scene.shows).click()
        if page is at_camera:
            # A camera that plays on takes half a core.
            page.goto("/")
    assert not wrong
