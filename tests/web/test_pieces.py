"""A board game's box in the app: what it asks for, photos of its pieces, what is said of them by touch."""

from __future__ import annotations

import io
import itertools
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from live_server import PHONE, TABLET_WIDE, LiveServer
from page_looks import faults, keep_screenshot
from pieces_box import TILES, pieces_box
from PIL import Image

from calibration.enrol.pieces.undoing import changes_of
from scorer.catalogue import read_catalogue
from scorer.games import game_named
from scorer.square_grid import LEFT, TOP, open_sides
from scorer.text import written
from webapp.decks.enrolling import Job, jobs_of
from webapp.http.services import KEY, Services

_count = itertools.count(1)


@pytest.fixture
def box(app: Flask) -> Path:
    services: Services = app.extensions[KEY]
    return pieces_box(services.config.data / "boxes" / "lab")


def table_of(*names: str) -> bytes:
    """Pieces of the open set, laid apart on a grey table and looked at from above, as a JPEG."""
    bundled = game_named("labyrinth2").bundled
    assert bundled is not None
    table = Image.new("RGB", (2400, 1800), (160, 128, 92))
    for number, name in enumerate(names):
        face = Image.open(bundled / "art" / f"{name}.png").convert("RGB").resize((450, 450))
        table.paste(face, (250 + 700 * (number % 3), 250 + 700 * (number // 3)))
    data = io.BytesIO()
    table.save(data, "JPEG", quality=92)
    return data.getvalue()


def doubted_photo(box: Path, key: str) -> None:
    """Put a photo into a box that was sent as tiles and seems to show chips."""
    waiting = box / "enrol" / "waiting"
    waiting.mkdir(parents=True, exist_ok=True)
    told = written("These are no tiles.", "タイルではありません。")
    shown = {"tile": (50.0, 50.0)}
    job = Job(name=f"{key}.jpg", state="other", shown=shown, rather=("chip",), error=told)
    (waiting / f"{key}.photo").write_bytes(b"photo")
    (waiting / f"{key}.json").write_bytes(msgspec.json.encode(job))


def ask(client: FlaskClient, body: dict[str, Any], language: str = "en") -> Any:
    headers = {"Accept-Language": language}
    return client.post("/api/v1/decks/lab/pieces/answers", json=body, headers=headers)


def test_a_box_says_what_its_game_asks_for_and_what_is_missing(client: FlaskClient, box: Path) -> None:
    told = client.get("/api/v1/decks/lab/pieces", headers={"Accept-Language": "ja"}).json
    assert told is not None
    sorts = {sort["word"]: sort for group in told["groups"] for sort in group["sorts"]}
    assert sorts["tile"]["name"] == "タイル" and sorts["tile"]["missing"] == 34 - len(TILES)
    assert sorts["tile"]["wanted"] == 34 and not sorts["tile"]["amiss"]
    assert (sorts["chip"]["have"], sorts["chip"]["missing"]) == (2, 22)
    assert sorts["coin"]["size_mm"] == [20.0, 20.0] and not sorts["coin"]["measured"]
    states = {piece["id"]: (piece["state"], piece["about"]) for piece in told["pieces"]}
    assert states == dict.fromkeys(TILES, ("pencil", "")) | {"chip-8": ("asked", "name")}
    page = client.get("/decks/lab", headers={"Accept-Language": "ja"}).get_data(as_text=True)
    assert "タイルの一辺 50 mm" in page and "このページには JavaScript が必要です" in page


def test_the_tiles_of_a_box_are_square(client: FlaskClient) -> None:
    wide = client.post("/api/v1/decks", json={"name": "b", "game": "labyrinth2", "card_size_mm": [63, 88]})
    assert wide.status_code == 400 and wide.json is not None
    assert "as wide as it is high" in wide.json["error"]["message"]
    made = client.post("/api/v1/decks", json={"name": "b", "game": "labyrinth2", "card_size_mm": [50, 50]})
    assert made.status_code == 201


def test_a_photo_of_pieces_is_kept_with_what_it_shows(client: FlaskClient, box: Path) -> None:
    def send(shown: str) -> Any:
        photo = {"photo": (io.BytesIO(table_of("I01")), "t.jpg")}
        return client.post(f"/api/v1/decks/lab/pieces/photos?shown={shown}", data=photo)

    assert send("chip:22x22,coin:20x20").status_code == 202
    # The server is killed here; the next one finds it.
    [(file, job)] = jobs_of(box)
    assert job.shown == {"chip": (22.0, 22.0), "coin": (20.0, 20.0)}
    assert file.with_suffix(".photo").read_bytes() == table_of("I01")
    for wrong in ("meeple:10x10", "tile:1x1", "tile", "tile:50x50,"):
        assert send(wrong).status_code == 400, wrong
    assert len(jobs_of(box)) == 1


def test_a_photo_that_seems_to_show_other_pieces_waits_for_somebody_who_says_which(
    client: FlaskClient, box: Path
) -> None:
    for key in ("01-a", "02-b"):
        doubted_photo(box, key)
    waiting = box / "enrol" / "waiting"

    def say(photo: str, shown: str) -> Any:
        return client.post("/api/v1/decks/lab/pieces/doubted", json={"photo": photo, "shown": shown})

    headers = {"Accept-Language": "ja"}
    told_box: Any = client.get("/api/v1/decks/lab/pieces", headers=headers).json
    first, second = told_box["doubted"]
    assert (first["words"], first["told"], first["rather"]) == (
        "タイルではありません。",
        "tile:50x50",
        ["chip"],
    )
    assert say(first["key"], "chip:22x22,coin:20x20").status_code == 202
    [(file, again)] = [(file, job) for file, job in jobs_of(box) if job.state == "waiting"]
    assert again.as_told and set(again.shown) == {"chip", "coin"}
    assert file.with_suffix(".photo").read_bytes() == b"photo"
    assert say(first["key"], "tile:50x50").status_code == 409
    assert say(second["key"], "").status_code == 202
    assert not (waiting / "02-b.photo").exists() and len(jobs_of(box)) == 1


def test_two_people_at_one_box_overwrite_nothing_unseen(client: FlaskClient, box: Path) -> None:
    told = client.get("/api/v1/decks/lab/pieces").json
    assert told is not None
    seen = {piece["id"]: piece["version"] for piece in told["pieces"]}
    one = ask(client, {"pieces": {"tile-01": seen["tile-01"]}, "said": "left+top"})
    assert one.status_code == 200 and one.json is not None
    other = ask(client, {"pieces": {"tile-02": seen["tile-02"]}, "said": "right"})
    assert other.status_code == 200
    late = ask(client, {"pieces": {name: seen[name] for name in TILES}, "said": "right"}, "ja")
    assert late.status_code == 409 and late.json is not None
    assert "別の端末でこのコマの内容が変わりました" in late.json["error"]["message"]
    assert read_catalogue(box).card("tile-03").traced == "proposed"
    # each takes back what was theirs
    undo = {"change": one.json["undo"]}
    assert client.post("/api/v1/decks/lab/pieces/undo", json=undo).status_code == 200
    assert client.post("/api/v1/decks/lab/pieces/undo", json=undo).status_code == 409
    assert read_catalogue(box).card("tile-01").traced == "proposed"
    assert read_catalogue(box).card("tile-02").traced == "yes"


def test_the_open_sets_stay_as_they_are(client: FlaskClient) -> None:
    assert client.get("/api/v1/decks/open-labyrinth2/pieces").status_code == 403
    answer = {"pieces": {"I01": "x"}, "said": "right"}
    assert client.post("/api/v1/decks/open-labyrinth2/pieces/answers", json=answer).status_code == 403


# --- by touch -----------------------------------------------------------------------------------------------


def sizes(new_page: Any, kind: str) -> Any:
    """A phone in Japanese, a tablet held across in English."""
    known = {"phone": (PHONE, "ja"), "tablet": (TABLET_WIDE, "en")}
    size, language = known[kind]
    return new_page(size=size, language=language)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["phone", "tablet"])
def test_pieces_are_looked_over_by_touch(new_page: Any, live: LiveServer, kind: str) -> None:
    box = pieces_box(live.services.config.data / "boxes" / f"lab-{next(_count)}")
    doubted_photo(box, "01-a")
    page = sizes(new_page, kind)
    page.goto(f"/decks/{box.name}")
    page.locator(".piece").last.wait_for()
    assert page.locator("[data-counted=tile].good").count() == 0
    # a photo of something else is asked about
    keep_screenshot(page, f"pieces-{kind}", whole=True)
    assert not faults(page)
    page.locator("[data-shows=chip-coin]").wait_for()
    page.locator("[data-shows='']").tap()
    page.locator("[data-shows]").first.wait_for(state="detached")
    assert jobs_of(box) == []
    # what is asked comes first, and one follows the other
    page.locator("#pieces-next").tap()
    page.locator("#piece[open] [data-name=chip-8]").wait_for()
    keep_screenshot(page, f"pieces-name-{kind}", whole=False)
    assert not faults(page)
    page.locator("#piece [data-name=chip-7]").tap()
    page.locator("#piece:not([open])").wait_for(state="attached")
    assert read_catalogue(box).card("chip-7").value == 7
    # a side of a tile is mended by one tap
    page.locator("[data-piece=tile-02]").tap()
    page.locator("#piece [data-side=left]").tap()
    page.locator("#piece [data-side=right]").tap()
    keep_screenshot(page, f"pieces-tile-{kind}", whole=False)
    assert not faults(page)
    assert read_catalogue(box).card("tile-02").traced == "proposed"
    page.locator("#piece-right").tap()
    page.locator("#piece:not([open])").wait_for(state="attached")
    assert open_sides(read_catalogue(box).card("tile-02")) == LEFT | TOP
    page.locator("[data-all-right=tile]").tap()
    page.locator("[data-all-right=tile]").wait_for(state="detached")
    assert {card.traced for card in read_catalogue(box).cards} == {"yes"}
    page.locator("#pieces-undo").tap()
    page.locator("[data-all-right=tile]").wait_for()
    assert read_catalogue(box).card("tile-01").traced == "proposed"
    assert len(changes_of(box)) == 2


@pytest.mark.long
def test_what_is_printed_is_told_by_touch(new_page: Any, live: LiveServer) -> None:
    card = {"kind": "card", "shape": "rect", "size_mm": [44, 68], "traced": "proposed"}
    map_ = {"id": "map-01", "kind": "board", "role": "map", "shape": "square", "size_mm": [250, 250]}
    more = [{"id": "event-01", **card, "role": "event"}, map_]
    folder = live.services.config.data / "boxes" / f"temple-{next(_count)}"
    box = pieces_box(folder, game="ice_and_idols", more=more)
    page = sizes(new_page, "phone")
    page.goto(f"/decks/{box.name}")
    page.locator("[data-piece=event-01]").tap()
    # nothing is kept before everything is told
    page.locator("#piece-right").tap()
    page.locator("#piece-wrong:not([hidden])").wait_for()
    page.locator("#piece [data-fact=players][data-value='2']").tap()
    page.locator("#piece [data-value=collapse]").tap()
    page.locator("#piece [data-value=top]").tap()
    assert not faults(page)
    keep_screenshot(page, "pieces-facts", whole=False)
    page.locator("#piece-right").tap()
    # the next one that is asked about
    page.locator("#piece [data-cell='2.1']").tap()
    page.locator("#piece [data-mark=altar-ruby]").tap()
    page.locator("#piece [data-cell='0.4']").tap()
    page.locator("#piece [data-mark=start]").tap()
    assert not faults(page)
    keep_screenshot(page, "pieces-map", whole=False)
    page.locator("#piece-right").tap()
    page.locator("#piece:not([open])").wait_for(state="attached")
    made = {card.id: card for card in read_catalogue(box).cards}
    event = {key: made["event-01"].more[key] for key in ("event", "players", "x")}
    assert event == {"event": "collapse", "players": 2, "x": ["top"]}
    assert msgspec.json.encode(made["map-01"].more["cells"]) == msgspec.json.encode(
        [{"cell": [2, 1], "altars": ["ruby"]}, {"cell": [0, 4], "start": True}]
    )
    # which of the tiles one is, and how it lies
    page.locator("[data-piece=tile-01]").tap()
    page.locator("#piece [data-lying='archway@0']").tap()
    keep_screenshot(page, "pieces-lying", whole=False)
    assert not faults(page)
    page.locator("#piece-right").tap()
    page.locator("#piece:not([open])").wait_for(state="attached")
    assert read_catalogue(box).card("tile-01").role == "archway"
