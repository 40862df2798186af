"""Maximum size of request bodies by path, so that too large requests are refused by their header before the
body is received."""

from __future__ import annotations

import re

from calibration.enrol.share.sharing import MAX_MB
from webapp.config import MEGABYTE, ServerConfig

#: JSON and forms: a corrected record takes 20 kB, the longest notes 80 kB; a viewfinder's picture 1 MB.
MAX_FORM_BYTES = 2 * MEGABYTE
#: Fields of a form or an address: the longest form of ours has 200 (all rules of a game, eight players).
MAX_FIELDS = 1000
#: Parts of a form with photos, and memory for what is no file in it: a browser sends what was chosen at once.
MAX_PHOTO_PARTS = 100
MAX_PHOTO_FIELD_BYTES = 160 * 1024
#: Paths that take a photo, and the one that takes a log.
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
