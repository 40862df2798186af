"""Time to first paint and to shown content of the main pages, in a slowed Chromium.

    .venv/bin/python -m tools.first_paint http://127.0.0.1:8001 http://127.0.0.1:8002 [--times 7]

The servers have the same data (copies of one folder) with a game that has a photo; they are asked in turn, so
that versions can be compared on a busy machine. Each page is opened in a new browser profile, then once more
with what that has kept. The table has medians in milliseconds after the navigation began: `paint` (first
contentful paint) and `shown` (the page's content is visible), and the bytes of the page's HTML."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from statistics import median
from typing import Any
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

PHONE = ViewportSize(width=390, height=844)
MBIT_PER_SECOND, LATENCY_MS, PROCESSOR_SLOWER = 1.5, 150, 4
PATIENCE_SECONDS = 120
#: Selector of the element that is visible as soon as a page's content is.
SHOWN = {
    "start": "#main h1, #main .button",
    "board": ".score-board tbody",
    "round": ".player-card",
    "review": "#score:not([hidden]), #question:not([hidden])",
    "dispute": "#turn *",
}
#: Notes when the content is visible: looked for before each frame.
_WATCH = """(() => {
  const look = () => {
    const found = document.querySelector(%s);
    if (found?.checkVisibility({ visibilityProperty: true })) window.shownAt = performance.now();
    else requestAnimationFrame(look);
  };
  look();
})()"""
_TIMES = """[
  performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null, window.shownAt ?? null,
  performance.getEntriesByType("navigation")[0].decodedBodySize]"""


def paths_of(server: str) -> dict[str, str]:
    """Paths of the pages, by name, of the newest game with a photo. Raises `StopIteration` without one."""

    def ask(path: str) -> Any:
        with urlopen(f"{server}/api/v1{path}") as answer:
            return json.load(answer)

    for game in ask("/games"):
        for entry in ask(f"/games/{game['id']}")["rounds"][0]["entries"]:
            if tableau := entry["tableau_id"]:
                at = {"start": "/", "board": f"/games/{game['id']}", "round": f"/games/{game['id']}/rounds/1"}
                return at | {"review": f"/tableaus/{tableau}", "dispute": f"/tableaus/{tableau}/dispute"}
    raise StopIteration


def times_of(page: Page, address: str) -> tuple[float, float, float]:
    """Milliseconds to the first contentful paint and to the shown content, and bytes of HTML. Raises
    `TimeoutError` for a page that shows nothing."""
    page.goto(address, wait_until="load", timeout=1000 * PATIENCE_SECONDS)
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        paint, shown, size = page.evaluate(_TIMES)
        if paint is not None and shown is not None:
            return paint, shown, size
        page.wait_for_timeout(100)
    raise TimeoutError(address)


def measure(browser: Browser, name: str, address: str) -> list[tuple[float, float, float]]:
    """The times of a page in a new profile, and again with its cache."""
    with browser.new_context(viewport=PHONE, device_scale_factor=2, service_workers="block") as context:
        page = context.new_page()
        page.add_init_script(_WATCH % json.dumps(SHOWN[name]))
        session = context.new_cdp_session(page)
        rate = MBIT_PER_SECOND * 1e6 / 8
        limits = {
            "offline": False,
            "latency": LATENCY_MS,
            "downloadThroughput": rate,
            "uploadThroughput": rate,
        }
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", limits)
        session.send("Emulation.setCPUThrottlingRate", {"rate": PROCESSOR_SLOWER})
        return [times_of(page, address) for _ in range(2)]


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("servers", nargs="+")
    parser.add_argument("--times", type=int, default=7)
    parser.add_argument("--pages", nargs="+", default=list(SHOWN), choices=list(SHOWN))
    arguments = parser.parse_args()
    paths = paths_of(arguments.servers[0])
    print(f"{'page':10}{'server':26}{'paint':>8}{'shown':>8}   again{'paint':>8}{'shown':>8}{'bytes':>9}")
    with sync_playwright() as playwright:
        program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program)
        for name in arguments.pages:
            found: dict[str, list[list[tuple[float, float, float]]]] = {
                each: [] for each in arguments.servers
            }
            for _ in range(arguments.times):
                for server, taken in found.items():
                    taken.append(measure(browser, name, server + paths[name]))
            for server, taken in found.items():
                first, again = (
                    [median(load[of][value] for load in taken) for value in range(3)] for of in range(2)
                )
                shown = f"{first[0]:8.0f}{first[1]:8.0f}        {again[0]:8.0f}{again[1]:8.0f}{first[2]:9.0f}"
                print(f"{name:10}{server:26}{shown}", flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
