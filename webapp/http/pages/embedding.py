"""Data within a page, for its scripts."""

from __future__ import annotations

import msgspec
from markupsafe import Markup


def script_json(value: object) -> Markup:
    """A value as JSON for a script element: nothing in it can end the element, as with `tojson`."""
    data = msgspec.json.encode(value).decode()
    return Markup(data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))
