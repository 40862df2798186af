"""A photo is sent, kept and read in the background."""

from __future__ import annotations

from typing import Any

from live_server import PHOTOS, send_photo, wait_until_read


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
