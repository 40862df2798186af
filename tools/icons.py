"""Draw the PNG icons of the web app from `webapp/static/icon.svg` with Chromium. Run it when the drawing
changes: python tools/icons.py"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

STATIC = Path(__file__).parents[1] / "webapp" / "static"
#: Launchers cut a maskable icon to any shape inside the middle 80 %.
SAFE = 0.72
ICONS = (
    ("icon-192", 192, 1.0),
    ("icon-512", 512, 1.0),
    ("maskable-192", 192, SAFE),
    ("maskable-512", 512, SAFE),
    ("apple-touch-180", 180, 0.86),
)


def main() -> None:
    drawing = (STATIC / "icon.svg").read_text()
    ground = re.search(r'<rect[^>]*fill="([^"]+)"', drawing)
    assert ground is not None
    folder = STATIC / "icons"
    folder.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"] if os.geteuid() == 0 else []
        )
        for name, side, share in ICONS:
            page = browser.new_page(viewport={"width": side, "height": side})
            colour = "transparent" if share == 1 else ground[1]
            inner = round(side * share)
            page.set_content(
                f"<style>body{{margin:0;background:{colour};display:grid;place-items:center;height:100vh}}"
                f"svg{{width:{inner}px;height:{inner}px}}</style>{drawing}"
            )
            page.screenshot(path=folder / f"{name}.png", omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
