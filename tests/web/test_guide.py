"""From a box of cards to the first scored photo, as docs/YOUR_OWN_BOX.md tells it, with the pictures there:
`make screens` keeps them."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import pytest
from blank_deck import CARDS, blank_cards, work
from live_server import PHONE, PHOTOS, TABLET_WIDE, LiveServer, wait_until_read
from page_looks import faults
from PIL import Image

from calibration.enrol.share.sharing import write_shared
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import read_catalogue
from scorer.games import game_named

#: The pictures are looked at in a text: so wide, in pixels.
WIDTH, QUALITY = 390, 80


def keep(page: Any, name: str, part: Any = None) -> None:
    """Keep a picture for the guide, as a small WebP: of the screen, or of a part of the page."""
    assert not faults(page)
    folder = os.environ.get("WAYMARK_SCREENSHOTS")
    if not folder:
        return
    file = Path(folder) / "guide" / f"{name}.webp"
    file.parent.mkdir(parents=True, exist_ok=True)
    picture = Image.open(io.BytesIO(part.screenshot() if part is not None else page.screenshot()))
    picture.thumbnail((WIDTH if picture.height > picture.width else 2 * WIDTH, 10_000))
    picture.convert("RGB").save(file, "WEBP", quality=QUALITY)


def tiles(names: list[str]) -> bytes:
    """Six tiles of the open set of Labyrinth 2, laid apart on a table, as a JPEG."""
    bundled = game_named("labyrinth2").bundled
    assert bundled is not None
    table = Image.new("RGB", (2200, 1600), (160, 128, 92))
    for number, name in enumerate(names):
        face = Image.open(bundled / "art" / f"{name}.png").convert("RGB").resize((450, 450))
        table.paste(face, (240 + 640 * (number % 3), 240 + 660 * (number // 3)))
    data = io.BytesIO()
    table.save(data, "JPEG", quality=92)
    return data.getvalue()


@pytest.mark.long
def test_a_board_games_box_is_made_from_photos_of_its_pieces(new_page: Any, live: LiveServer) -> None:
    page = new_page(size=PHONE)
    page.goto("/decks")
    page.locator("input[name=name]").fill("Maze")
    page.locator("select[name=game]").select_option("labyrinth2")
    assert page.locator("input[name=height]").is_hidden()
    page.locator("form.panel button").tap()
    page.wait_for_url("**/decks/Maze")
    names = ["I01", "L01", "T01", "I02", "L02", "T02"]
    photo = {"name": "tiles.jpg", "mimeType": "image/jpeg", "buffer": tiles(names)}
    page.locator("#files-tile").set_input_files(photo)
    page.locator("#pieces-photos li").wait_for()
    work(live.services.enrolling, live, "Maze")
    page.locator(".piece").nth(5).wait_for()
    box = live.services.config.data / "boxes" / "Maze"
    assert {card.traced for card in read_catalogue(box).cards} == {"proposed"}
    page.goto("/decks/Maze#sort-tile")
    page.wait_for_load_state("networkidle")
    keep(page, "pieces")
    page.locator("[data-piece=tile-02]").tap()
    page.locator("#piece[open] img").wait_for()
    page.wait_for_load_state("networkidle")
    keep(page, "piece")
    page.locator("#piece [data-close]").tap()
    page.locator("[data-all-right=tile]").tap()
    page.locator("[data-all-right=tile]").wait_for(state="detached")
    # what is asked of one is answered for itself
    left = [card for card in read_catalogue(box).cards if card.traced != "yes"]
    assert len(left) < len(names) and all("asked" in card.more for card in left)


@pytest.mark.long
def test_from_the_box_to_the_first_scored_photo(new_page: Any, live: LiveServer, tmp_path: Path) -> None:
    enrolling = live.services.enrolling
    page = new_page(size=PHONE)
    page.goto("/decks")
    page.locator("input[name=name]").fill("Thursday")
    page.locator("form.panel").scroll_into_view_if_needed()
    keep(page, "new-box", page.locator("form.panel"))
    page.locator("form.panel button").tap()
    page.wait_for_url("**/decks/Thursday")

    photo = {"name": "cards.jpg", "mimeType": "image/jpeg", "buffer": blank_cards(CARDS)}
    page.locator("#deck-files").set_input_files(photo)
    page.locator("#enrolment-photos li").wait_for()
    work(enrolling, live, "Thursday")
    page.goto("/decks/Thursday")
    page.locator(".face img").last.wait_for()
    page.wait_for_load_state("networkidle")
    page.evaluate("document.querySelector('#enrolment').scrollIntoView()")
    keep(page, "cards")
    box = live.services.config.data / "boxes" / "Thursday"
    found = read_catalogue(box).cards
    assert len(found) == len(CARDS) and {card.tracing for card in found} == {"proposed"}

    tablet = new_page(size=TABLET_WIDE)
    tablet.goto(f"/decks/Thursday/cards/{found[0].id}")
    tablet.wait_for_function("() => document.querySelector('#trace-tools button')")
    tablet.wait_for_load_state("networkidle")
    keep(tablet, "trace")
    tablet.locator(".trace-bar [data-done]").tap()
    tablet.locator(".looking").wait_for()
    keep(tablet, "look-at")
    tablet.close()

    # Somebody has traced the same cards: their file spares the rest.
    file = tmp_path / "box.json"
    write_shared(bundled_catalogue(), file)
    page.goto("/decks/Thursday")
    page.locator("#manage").scroll_into_view_if_needed()
    keep(page, "share", page.locator("#manage"))
    page.locator("#shared-file").set_input_files(str(file))
    page.locator(".toast").wait_for()
    work(enrolling, live, "Thursday")
    assert {card.id: card.tracing for card in read_catalogue(box).cards} == dict.fromkeys(CARDS, "yes")

    page.goto("/games/new")
    page.locator("[href*='deck=Thursday']").scroll_into_view_if_needed()
    keep(page, "which-box")
    players = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    game = page.request.post("/api/v1/games", data={"players": players, "deck": "Thursday"}).json()
    entry = game["rounds"][0]["entries"][0]["id"]
    aims = {"primary": "sword", "secondary": "pit"}
    page.request.patch(f"/api/v1/games/{game['id']}/rounds/1", data=aims)
    played = {**photo, "name": "table.jpg", "buffer": (PHOTOS / "table-07.jpg").read_bytes()}
    sent = page.request.post("/api/v1/photos", multipart={"entry_id": entry, "photo": played}).json()
    read = wait_until_read(page, sent["tableau_id"])
    assert {card["card"] for card in read["record"]["cards"]} == set(CARDS)
    page.goto(f"/tableaus/{sent['tableau_id']}")
    page.locator("#score:not([hidden])").wait_for()
    page.wait_for_load_state("networkidle")
    keep(page, "scored")
