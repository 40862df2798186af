"""A photo of six blank cards of the open deck, and what the server does with it in the background."""

from __future__ import annotations

import io
import json

from live_server import PHOTOS, LiveServer
from PIL import Image

from calibration.open_deck import bundled_catalogue
from webapp.decks.enrolling import Enrolling

CARDS = [
    card["card"] for card in json.loads((PHOTOS / "table-07.truth.json").read_bytes())["tableau"]["cards"]
]


def blank_cards(cards: list[str]) -> bytes:
    """Up to six cards of the open deck, laid apart on a table and looked at from above, as a JPEG."""
    table = Image.new("RGB", (2400, 2200), (92, 84, 78))
    for number, card in enumerate(cards):
        face = Image.open(bundled_catalogue() / "art" / f"{card}.png").convert("RGB").resize((630, 880))
        table.paste(face, (140 + 750 * (number % 3), 140 + 1040 * (number // 3)))
    data = io.BytesIO()
    table.save(data, "JPEG", quality=92)
    return data.getvalue()


def work(enrolling: Enrolling, live: LiveServer, box: str) -> None:
    """Do what the server does in the background for a box."""
    deck = live.services.shelf.deck(box)
    while enrolling._work(deck):
        enrolling._proposed.clear()
