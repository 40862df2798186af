"""Fingers on a page's screen, as Chromium hears them of a touch screen: the browser decides by itself what it
scrolls, what it zooms, and what a script is told of."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

Point = tuple[float, float]

#: A finger is heard of about as often (in steps of a drag); more would only take longer.
STEPS = 8
REST_MS = 120


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

    def _send(self, kind: str, fingers: Sequence[Point]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(fingers)]
        self._devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def between(a: Point, b: Point, share: float) -> Point:
    """The point at a share of the way from one to another."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
