"""Draw the PNG icons of the web app from `webapp/static/icon.svg`. Run it when the drawing changes:
`python -m tools.icons`"""

from __future__ import annotations

import re
from pathlib import Path

import resvg_py

STATIC = Path(__file__).parents[1] / "webapp" / "static"
#: Name, side (px), and the drawing's share of it: launchers cut a maskable icon inside its middle 80 %.
ICONS = (
    *((f"icon-{side}", side, 1.0) for side in (192, 512)),
    *((f"maskable-{side}", side, 0.72) for side in (192, 512)),
    ("apple-touch-180", 180, 0.86),
)


def icon(side: int, share: float) -> bytes:
    """A PNG of `side` px with the drawing on a `share` of it, and the ground's colour around it."""
    drawing = (STATIC / "icon.svg").read_text()
    (colour,) = re.findall(r'<rect[^>]*fill="([^"]+)"', drawing)
    inner = round(side * share)
    rim = (side - inner) / 2
    ground = f'<rect width="{side}" height="{side}" fill="{colour if share < 1 else "none"}"/>'
    inside = f'<svg x="{rim}" y="{rim}" width="{inner}" height="{inner}" '
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}">'
    return bytes(resvg_py.svg_to_bytes(f"{head}{ground}{drawing.replace('<svg ', inside, 1)}</svg>"))


if __name__ == "__main__":
    for name, side, share in ICONS:
        (STATIC / "icons" / f"{name}.png").write_bytes(icon(side, share))
