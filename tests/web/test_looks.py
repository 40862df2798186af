"""Every page at phone and tablet size, in both languages, light and dark: nothing serious by axe, nothing too
small to tap, nothing wider than the screen, nothing that jumps.

`WAYMARK_SCREENSHOTS=out/screens pytest tests/web/test_looks.py` keeps a picture of each.
"""

from __future__ import annotations

import itertools
import re
import time
from typing import Any

import pytest
import requests
from live_server import PHONE, PHOTOS, READ_TIMEOUT_SECONDS, TABLET, LiveServer
from page_looks import faults, keep_screenshot
from sqlalchemy import select

from webapp.models import Person

LOOKS = list(itertools.product(("phone", "tablet"), ("en", "ja"), (False, True)))
SIZES = {"phone": PHONE, "tablet": TABLET}
#: What GET answers with something else than a page.
NO_PAGES = re.compile(
    r"\.(jpg|png|js|webmanifest|crt|zip|csv|json|xml|bgsplay)$|^/static/|^/api/|^/exchange/"
)
#: What the README shows, as a screen shows it: (page, size, language, dark).
README = {
    ("/games/<game_id>/rounds/<int:number>", "phone", "en", False): "round",
    ("a tableau that is sure", "phone", "en", False): "review",
    ("/tableaus/<tableau_id>", "phone", "ja", True): "question",
    ("/tableaus/<tableau_id>/dispute", "phone", "en", False): "dispute",
    ("/games/<game_id>", "tablet", "en", False): "scoreboard",
}


@pytest.fixture(scope="module")
def paths(live: LiveServer) -> dict[str, str]:
    """Every page by its rule, of a game in which two photos were read, one of an illegal path."""
    api = f"{live.url}/api/v1"
    players = [
        {"name": name, "colour": colour}
        for name, colour in (("あや", "red"), ("Ben “the mole”", "blue"), ("<b>Chris</b>", "green"))
    ]
    game = requests.post(f"{api}/games", json={"players": players, "title": "木曜の会"}, timeout=30).json()
    requests.patch(
        f"{api}/games/{game['id']}/rounds/1", json={"primary": "sword", "secondary": "pit"}, timeout=30
    )
    entries = [entry["id"] for entry in game["rounds"][0]["entries"]]
    tableaus = []
    for entry, photo in zip(entries, ("table-07.jpg", "table-09.jpg"), strict=False):
        files = {"photo": (photo, (PHOTOS / photo).read_bytes())}
        sent = requests.post(f"{api}/photos", files=files, data={"entry_id": entry}, timeout=60).json()
        tableaus.append(sent["tableau_id"])
    end = time.monotonic() + READ_TIMEOUT_SECONDS
    while any(
        shot["state"] in ("waiting", "running")
        for tableau in tableaus
        for shot in requests.get(f"{api}/tableaus/{tableau}", timeout=30).json()["shots"]
    ):
        assert time.monotonic() < end, "the photos were not read"
        time.sleep(0.3)
    requests.patch(f"{api}/entries/{entries[2]}", json={"primary_vp": 4, "secondary_vp": 3}, timeout=30)
    with live.services.database.snapshot() as session:
        person = session.scalars(select(Person.id).where(Person.name == "あや")).first()
    known = {"game_id": game["id"], "number": "1", "tableau_id": tableaus[1], "person_id": person}
    known["language"] = "en"
    rules = [str(rule) for rule in live.app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    pages = [rule for rule in rules if not NO_PAGES.search(re.sub(r"<[^>]+>", "x", rule))]
    found = {
        rule: re.sub(r"<(?:[^<>]*:)?(\w+)>", lambda part: str(known[part[1]]), rule) for rule in sorted(pages)
    }
    return {**found, "a tableau that is sure": f"/tableaus/{tableaus[0]}", "nothing there": "/nowhere"}


@pytest.mark.parametrize(("size", "language", "dark"), LOOKS)
def test_pages_are_fit_for_eyes_and_fingers(
    new_page: Any, paths: dict[str, str], size: str, language: str, dark: bool
) -> None:
    page = new_page(size=SIZES[size], language=language, dark=dark)
    wrong = {}
    for name, path in paths.items():
        page.goto(path.replace("/offline/en", f"/offline/{language}"))
        if "tableau" in name:
            page.wait_for_load_state("networkidle")  # The review is filled in by its script.
        words = re.sub(r"\W+", "-", re.sub(r"<[^>]+>", "", name)).strip("-") or "home"
        keep_screenshot(page, f"{words}-{size}-{language}-{'dark' if dark else 'light'}")
        if shown := README.get((name, size, language, dark)):
            keep_screenshot(page, f"readme/{shown}", whole=False)
        if found := faults(page):
            wrong[name] = found
    assert not wrong
