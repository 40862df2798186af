"""A faint line is tapped once in the app: the player's pen is known, and photos are read with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import pytest
from flask import Flask
from live_server import PHOTOS, TABLET_WIDE, LiveServer, wait_until_read
from page_looks import faults, keep_screenshot

from calibration.kept_pens import keep_pen, kept_pen, pen_folder
from samples.compositor import photograph
from samples.deck import open_deck
from samples.faint_pens import pen_photo
from samples.truth import write_truth
from scorer.games import game_of
from vision.ink.pens import PenProfile
from webapp.data.backup import make_backup, restore_backup
from webapp.games.games import NewPlayer, create_game, tableau_of_entry
from webapp.http.services import KEY, Services
from webapp.scans.leases import Claimed, Leases
from webapp.store.models import Entry, Tableau
from webapp.store.photos import store_original
from webapp.store.tableaus import add_shot, pen_owner

PEN = PenProfile(through=(0.85, 0.85, 0.85), spread=0.2, width_mm=1.5, line_mm=200.0)


class Asked:
    """A reading process that notes what it is asked."""

    pen: object = "nothing was asked"
    most_cards: int | None = None

    def ask(self, function: object, *arguments: Any, **_: Any) -> bytes:
        _photo, _given, _folder, self.pen, self.most_cards = arguments
        return b""


def test_a_photo_that_waits_is_read_with_its_players_pen_and_the_games_rules(app: Flask) -> None:
    services: Services = app.extensions[KEY]
    pens = pen_folder(services.config.data)
    with services.database.transaction() as session:
        players = [NewPlayer("Aya", "red"), NewPlayer("Ben", "blue")]
        game = create_game(session, game_of(services.catalogue), players)
        owners: dict[str, str] = {}
        for entry in game.rounds[0].entries:
            tableau = tableau_of_entry(session, entry)
            stored = store_original(services.photos, (PHOTOS / f"table-0{len(owners) + 1}.jpg").read_bytes())
            add_shot(session, tableau, stored)
            owners[pen_owner(tableau)] = entry.seat.name
    keep_pen(next(owner for owner, name in owners.items() if name == "Aya"), PEN, pens)
    asked = {}
    leases = Leases(services.database, "test/1/1")
    while isinstance(claimed := leases.claim(), Claimed):
        reader = Asked()
        services.queue._read_shot(reader, Path("photo"), claimed)  # type: ignore[arg-type]
        asked[owners[claimed.pen_owner]] = reader.pen, reader.most_cards
    assert asked == {"Aya": (PEN, 5), "Ben": (None, 5)}


def test_pens_come_back_from_a_backup(app: Flask, tmp_path: Path) -> None:
    services: Services = app.extensions[KEY]
    keep_pen("somebody", PEN, pen_folder(services.config.data))
    make_backup(services.config, tmp_path / "backup.zip", iter)
    restore_backup(tmp_path / "backup.zip", tmp_path / "restored", iter)
    kept = kept_pen("somebody", pen_folder(tmp_path / "restored"))
    assert kept is not None and kept.pen == PEN


@pytest.mark.long
def test_one_tap_on_a_faint_line_is_enough_and_undone_in_one(
    new_page: Any, live: LiveServer, tmp_path: Path
) -> None:
    sample = pen_photo("tuning-evening", 3, 0, open_deck())
    file = tmp_path / "faint.png"
    picture = photograph(sample.scene, sample.images.__getitem__)
    cv2.imwrite(str(file), cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
    write_truth(sample, file, renderer="compositor")
    truth = json.loads(file.with_name("faint.truth.json").read_bytes())
    services = live.services
    with services.database.transaction() as session:
        players = [NewPlayer("Aya", "red"), NewPlayer("Ben", "blue")]
        game = create_game(session, game_of(services.catalogue), players)
        entry_id = game.rounds[0].entries[0].id
    page = new_page(size=TABLET_WIDE, language="ja")
    sent = page.request.post(
        "/api/v1/photos",
        multipart={
            "entry_id": entry_id,
            "photo": {"name": "faint.png", "mimeType": "image/png", "buffer": file.read_bytes()},
        },
    )
    tableau_id = sent.json()["tableau_id"]
    places = {place.split(".")[1] for stroke in truth["tableau"]["path"] for place in stroke}

    def read_places() -> set[str]:
        tableau = wait_until_read(page, tableau_id)
        return {place.split(".")[1] for stroke in tableau["record"]["path"] for place in stroke}

    assert read_places() != places
    page.goto(f"/tableaus/{tableau_id}")
    page.locator("#viewer image").first.wait_for()
    page.locator("#pen summary").click()
    assert page.locator("[data-pen=undo]").is_hidden()
    page.locator("[data-pen=tap]").click()
    line = max(truth["path_px"], key=len)
    where = page.evaluate(
        """async ([x, y]) => {
            const { page } = await import(document.querySelector("script[src*='review/main.js']").src);
            page.viewer.fit([x - 200, y - 200, x + 200, y + 200]);
            return page.viewer.toClient(x, y);
        }""",
        line[len(line) // 2],
    )
    page.mouse.click(where["x"], where["y"])
    page.locator("#pen-changes li").wait_for()
    assert "→" in page.inner_text("#pen-changes") and "確実" in page.inner_text("#pen-changes")
    assert read_places() == places
    assert faults(page) == []
    keep_screenshot(page, "review-pen-tablet-ja")
    with services.database.snapshot() as session:
        owner = pen_owner(session.get_one(Tableau, tableau_id))
        assert session.get_one(Entry, entry_id).seat.person_id == owner
    assert kept_pen(owner, pen_folder(services.config.data)) is not None
    page.locator("[data-pen=undo]").click()
    page.locator("[data-pen=undo]").wait_for(state="hidden")
    assert read_places() != places
    assert kept_pen(owner, pen_folder(services.config.data)) is None
