"""Every page at phone and tablet size, in both languages, light and dark: nothing serious by axe, nothing too
small to tap, nothing wider than the screen, nothing that jumps.

`WAYMARK_SCREENSHOTS=out/screens make test` keeps a picture of each.
"""

from __future__ import annotations

from typing import Any

import pytest
from live_server import PHONE, TABLET, TABLET_WIDE
from page_looks import faults, keep_screenshot

SIZES = {"phone": PHONE, "tablet": TABLET, "tablet-wide": TABLET_WIDE}
#: Two sizes in each language, one light and one dark: every size, language and theme is met.
LOOKS = [
    ("phone", "en", False),
    ("phone", "ja", True),
    ("tablet", "ja", False),
    ("tablet-wide", "en", True),
]
PAGES = {
    "home": "/",
    "capture": "/capture",
    "viewfinder": "/capture/live",
    "offline": "/offline/en",
    "unknown": "/nowhere",
}


@pytest.mark.parametrize(("size", "language", "dark"), LOOKS)
def test_pages_are_fit_for_eyes_and_fingers(new_page: Any, size: str, language: str, dark: bool) -> None:
    page = new_page(size=SIZES[size], language=language, dark=dark)
    wrong = {}
    for name, path in PAGES.items():
        page.goto(path)
        keep_screenshot(page, f"{name}-{size}-{language}-{'dark' if dark else 'light'}")
        if found := faults(page):
            wrong[name] = found
    assert not wrong
