"""Maximum size of request bodies by path, so that too large requests are refused by their header before the
body is received."""

from __future__ import annotations

import re

from calibration.enrol.share.sharing import MAX_MB
from webapp.config import MEGABYTE, ServerConfig

#: Limit for JSON and forms: a corrected record takes 20 kB, the longest notes 80 kB, a viewfinder's picture 1
#: MB.
MAX_FORM_BYTES = 2 * MEGABYTE
#: Largest number of fields in a form or URL: the longest form has 200 (all rules of a game, eight players).
MAX_FIELDS = 1000
#: Largest number of parts in a form with photos, as browsers send all chosen files at once; and memory for
#: the parts that are not files.
MAX_PHOTO_PARTS = 100
MAX_PHOTO_FIELD_BYTES = 160 * 1024
#: Paths that accept a photo, and the one that accepts a log.
PHOTO_PATHS = frozenset({"/api/v1/photos", "/capture"})
LOG_PATH = "/api/v1/log"


#: Paths for photos of blank cards of a deck.
_DECK_PHOTOS = re.compile(r"/api/v1/decks/[^/]+/photos")
#: Path for a tracing shared by another deck.
_SHARED_DECK = re.compile(r"/api/v1/decks/[^/]+/shared")


def takes_photos(path: str) -> bool:
    """Whether requests to a path upload photos."""
    return path in PHOTO_PATHS or _DECK_PHOTOS.fullmatch(path) is not None


def takes_log(method: str, path: str) -> bool:
    """Whether a request uploads a log."""
    return (method, path) == ("POST", LOG_PATH)


def body_limit(config: ServerConfig, method: str, path: str) -> int:
    """Maximum size in bytes of a request's body, by method and path."""
    if takes_log(method, path):
        return config.max_log_bytes
    if _SHARED_DECK.fullmatch(path) is not None:
        return MAX_MB * MEGABYTE
    return config.max_upload_bytes if takes_photos(path) else MAX_FORM_BYTES
