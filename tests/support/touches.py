"""Fingers on a page's screen, as Chromium hears them of a touch screen: the browser decides by itself what it
scrolls, what it zooms, and what a script is told of."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from playwright.sync_api import Error as PageGone

Point = tuple[float, float]

#: A finger is heard of about as often (in steps of a drag); more would only take longer.
STEPS = 8
REST_MS = 120


#: A script for every page: it counts the taps and clicks that the page has heard of.
HEAR = "addEventListener('click', () => { window.clicksHeard = (window.clicksHeard ?? 0) + 1; }, true);"
_HEARD = "() => `${performance.timeOrigin} ${window.clicksHeard ?? 0}`"
#: Not every tap is heard as a click: what lay there may be gone.
_HEARD_SECONDS = 10.0


def until_heard(page: Any, tap: Callable[[], None]) -> bool:
    """Tap, and wait until the page has heard of it, or another page is there: the browser says that it has
    tapped before the page's scripts hear of it, on a busy machine long before. Whether it was heard."""
    before = page.evaluate(_HEARD)
    tap()
    end = time.monotonic() + _HEARD_SECONDS
    with suppress(PageGone):
        while page.evaluate(_HEARD) == before:
            if time.monotonic() > end:
                return False
            page.wait_for_timeout(10)
    return True


def tap_at(page: Any, x: float, y: float) -> None:
    """Tap at a point of the window, CSS pixels, and wait until the page has heard of it."""
    until_heard(page, lambda: page.touchscreen.tap(x, y))


class Fingers:
    """Touches on one page, in CSS pixels of its window (`Input.dispatchTouchEvent`)."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._devtools = page.context.new_cdp_session(page)

    def drag(self, *way: Point, steps: int = STEPS, lift: bool = True) -> None:
        """One finger goes down at the first point, by way of the others, and up at the last."""
        self._send("touchStart", [way[0]])
        for start, end in pairwise(way):
            for k in range(1, steps + 1):
                self._send("touchMove", [between(start, end, k / steps)])
        if lift:
            # A finger that comes to rest throws nothing on.
            self._page.wait_for_timeout(REST_MS)
            self._send("touchMove", [way[-1]])
            self.lift()

    def tap_twice(self, at: Point) -> None:
        """Two taps a tenth of a second apart, however long the browser takes to hear of them."""
        began = time.time() - 0.2
        for seconds in (0.0, 0.1):
            self._send("touchStart", [at], began + seconds)
            self._send("touchEnd", [], began + seconds + 0.05)

    def pinch(self, before: tuple[Point, Point], after: tuple[Point, Point], steps: int = STEPS) -> None:
        """Two fingers go down one after the other, to other places, and up."""
        self._send("touchStart", [before[0]])
        self._send("touchStart", before)
        self.move(before, after, steps)
        self.lift()

    def put_down(self, fingers: Sequence[Point]) -> None:
        """More fingers touch; those that do already are among them."""
        self._send("touchStart", fingers)

    def move(self, before: Sequence[Point], after: Sequence[Point], steps: int = STEPS) -> None:
        """All fingers that touch go on."""
        for k in range(1, steps + 1):
            moved = [between(a, b, k / steps) for a, b in zip(before, after, strict=True)]
            self._send("touchMove", moved)

    def lift(self) -> None:
        """All fingers go up."""
        self._send("touchEnd", [])

    def break_off(self) -> None:
        """The browser or the system takes the touches away."""
        self._send("touchCancel", [])

    def _send(self, kind: str, fingers: Sequence[Point], at: float | None = None) -> None:
        """`at`: when it was, in seconds of `time.time`; now unless it is given."""
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(fingers)]
        told = {"type": kind, "touchPoints": points} | ({} if at is None else {"timestamp": at})
        self._devtools.send("Input.dispatchTouchEvent", told)


def between(a: Point, b: Point, share: float) -> Point:
    """The point at a share of the way from one to another."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
