"""A photo is sent, kept and read in the background."""

from __future__ import annotations

from typing import Any

import requests
from live_server import PHOTOS, LiveServer, send_photo, wait_until_read
from patience import PATIENCE_SECONDS
from untraced_deck import untraced_deck


def test_an_uploaded_photo_is_read_and_refereed(new_page: Any) -> None:
    page = new_page()
    page.goto("/")
    tableau = page.evaluate(
        """async () => {
            const { api } = await import("/static/app.js");
            return api("POST", "/tableaus", { title: "<script>", primary: "sword", secondary: "pit" });
        }"""
    )
    send_photo(page, tableau["id"], PHOTOS / "table-07.jpg", filename="表<script>.jpg")
    read = wait_until_read(page, tableau["id"])
    assert read["ruling"]["primary"] == {"objective": "sword", "count": 2, "vp": 2}
    assert read["sure"]


def test_the_next_test_finds_nothing_of_this_one(live: LiveServer) -> None:
    def found() -> list[Any]:
        lists = ("games", "persons", "history/photos", "decks")
        return [requests.get(f"{live.url}/api/v1/{each}", timeout=PATIENCE_SECONDS).json() for each in lists]

    before = found()
    players = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    api, files = f"{live.url}/api/v1", {"photo": ("p.jpg", (PHOTOS / "table-07.jpg").read_bytes())}
    requests.post(f"{api}/games", json={"players": players}, timeout=PATIENCE_SECONDS).raise_for_status()
    requests.post(f"{api}/photos", files=files, timeout=PATIENCE_SECONDS).raise_for_status()
    untraced_deck(live.services.config.data / "boxes" / "ours", {"D40": "yes"})
    assert all(one != other for one, other in zip(before, found(), strict=True))
    live.clear()
    assert found() == before
