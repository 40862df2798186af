"""What can be measured of a page: accessibility (axe-core), touch targets, width, layout shifts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import FloatRect, Locator

#: The least side of what a finger taps, in CSS pixels.
TOUCH_PX = 44
#: "Good" by Web Vitals: cumulative layout shift while a page loads.
MAX_LAYOUT_SHIFT = 0.1

_TARGETS = """(least) => [...document.querySelectorAll(
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab]")]
  .filter((element) => {
    if (element.closest(".visually-hidden, .skip-link, [hidden], [inert]") || element.disabled) return false;
    // A link within a sentence is as high as its line (WCAG 2.5.8 leaves it out, too).
    if (element.tagName === "A" && getComputedStyle(element).display === "inline") return false;
    // A box or dot of a label is tapped on the label.
    if (element.matches("input") && element.closest("label")) return false;
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && (box.width < least - 0.5 || box.height < least - 0.5);
  })
  .map((element) => {
    const box = element.getBoundingClientRect();
    return `${element.outerHTML.slice(0, 120)} is ${Math.round(box.width)} x ${Math.round(box.height)}`;
  })"""

# What goes round for good, as a spinner does, is not waited for.
_COME_TO_REST = """() => Promise.allSettled(document.getAnimations()
    .filter((each) => each.playState === "running" && each.effect.getComputedTiming().endTime !== Infinity)
    .map((each) => each.finished)).then(() => {})"""

# What a tap brings comes later than the half second that a browser takes for its doing where the machine is
# slow: what moves before the first one moves by itself.
_SHIFT = """() => new Promise((resolve) => {
    const seen = { "layout-shift": [], "first-input": [] };
    const observers = Object.keys(seen).map((type) => {
      const observer = new PerformanceObserver((list) => seen[type].push(...list.getEntries()));
      observer.observe({ type, buffered: true });
      return observer;
    });
    setTimeout(() => {
      observers.forEach((observer) => observer.disconnect());
      const first = Math.min(...seen["first-input"].map((input) => input.startTime));
      const moved = seen["layout-shift"].filter((shift) => !shift.hadRecentInput && shift.startTime < first);
      const names = moved.flatMap((shift) => shift.sources.map(({ node }) =>
        node?.id ? `#${node.id}` : `${node?.nodeName} ${node?.className ?? ""}`));
      resolve([moved.reduce((sum, shift) => sum + shift.value, 0), [...new Set(names)].join(", ")]);
    }, 100);
  })"""


def serious_findings(page: Any) -> list[str]:
    """What axe-core finds on the page that is serious or critical, each with its elements."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    violations = page.evaluate(
        "() => axe.run({ resultTypes: ['violations'] }).then((found) => found.violations)"
    )
    return [
        f"{found['id']} ({found['impact']}): {found['help']}: {node['html'][:160]}"
        for found in violations
        if found["impact"] in ("serious", "critical")
        for node in found["nodes"]
    ]


def small_targets(page: Any) -> list[str]:
    """What is to be tapped and smaller than a fingertip."""
    found: list[str] = page.evaluate(_TARGETS, TOUCH_PX)
    return found


def sideways_overflow(page: Any) -> int:
    """By how many pixels the page is wider than the screen."""
    overflow: int = page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")
    return overflow


def layout_shift(page: Any) -> tuple[float, str]:
    """Cumulative layout shift from when the page was loaded until it was first tapped; and what moved."""
    shift, names = page.evaluate(_SHIFT)
    return float(shift), str(names)


def keep_screenshot(page: Any, name: str, *, whole: bool = True) -> None:
    """Write `<name>.png` into the folder that WAYMARK_SCREENSHOTS names; without it nothing is written."""
    folder = os.environ.get("WAYMARK_SCREENSHOTS")
    if folder:
        file = Path(folder) / f"{name}.png"
        file.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(file), full_page=whole)


def faults(page: Any) -> list[str]:
    """Everything above that is wrong with the page as it stands, once all that moves has come to its end."""
    page.evaluate(_COME_TO_REST)
    found = [*serious_findings(page), *small_targets(page)]
    if (overflow := sideways_overflow(page)) > 0:
        found.append(f"the page is {overflow} px wider than the screen")
    shift, names = layout_shift(page)
    if shift > MAX_LAYOUT_SHIFT:
        found.append(f"the layout shifted by {shift:.3f}: {names}")
    return found


def stop_the_clock(page: Any) -> None:
    """Have no time pass on this page, however long the machine takes: notices stay (to look at one with axe
    takes longer than to read it), and one tap follows another at once."""
    page.evaluate("() => { const now = performance.now(); performance.now = () => now; }")


def box_of(found: Locator) -> FloatRect:
    """Where an element lies in its page, CSS pixels. One that is drawn anew at this moment (a page follows
    the server) lies nowhere: the next one is waited for."""
    for _ in range(100):
        found.wait_for()
        box = found.bounding_box()
        if box is not None:
            return box
        found.page.wait_for_timeout(50)
    raise AssertionError(f"{found} is never to be seen")
