"""Tracing a card by touch, in a real browser: with the app's own controls the declared dungeon comes out; a
guess is right in one tap; nobody overwrites another device; a server that is killed has lost nothing."""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
import requests
from live_server import PHONE, SMALL_PHONE, TABLET, LiveServer
from page_looks import faults, keep_screenshot, stop_the_clock
from patience import PATIENCE_SECONDS
from server_process import ServerProcess
from shared_readings import open_deck
from touches import tap_at
from traced_by_hand import differences, edits_of
from untraced_deck import untraced_deck

from calibration.enrol.catalogue_folder import changed_catalogue
from calibration.enrol.trace.tracing import (
    Corridor,
    Door,
    Edit,
    Find,
    Lead,
    Opening,
    Outline,
    Stairs,
    tracing_of,
)
from scorer.catalogue import Card, Node, Point, RoomFind, read_catalogue

_count = itertools.count(1)

#: The id of the place that is asked about.
CHOSEN = """async () => {
  const { page } = await import(document.querySelector('script[src*="decks/trace.js"]').src);
  const { sort, node, find } = page.chosen;
  return (sort === "node" ? node : find).id;
}"""
#: A bend of a corridor that is not there, mm on the card.
PHANTOM = (8.0, 45.0)


@pytest.fixture
def box(live: LiveServer) -> Iterator[Path]:
    """A box of its own on the live server: one card in ink, one in pencil, three without a dungeon."""
    folder = live.services.config.data / "boxes" / f"thursday-{next(_count)}"
    cards = {"S1-red": "yes", "S1-blue": "no", "D39": "no", "D40": "proposed", "D41": "no"}
    yield untraced_deck(folder, cards)


def card_of(box: Path, card_id: str) -> Card:
    return read_catalogue(box).card(card_id)


def open_card(page: Any, box: Path, card_id: str) -> None:
    page.goto(f"/decks/{quote(box.name)}/cards/{card_id}")
    page.wait_for_function("() => document.querySelector('#trace-tools button')")


class Finger:
    """What a person does on the page, told in mm on the card."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.level = "main"

    def at(self, at: Point) -> tuple[float, float]:
        where: list[float] = self.page.evaluate(
            """async ([x, y]) => {
              const { page } = await import(document.querySelector('script[src*="decks/trace.js"]').src);
              const at = page.viewer.toClient(...page.scale.px([x, y]));
              return [at.x, at.y];
            }""",
            list(at),
        )
        return where[0], where[1]

    def settled(self) -> None:
        self.page.evaluate(
            """async () => {
              const { page } = await import(document.querySelector('script[src*="decks/trace.js"]').src);
              await page.saver.last;
            }"""
        )
        self.page.wait_for_timeout(30)

    def tap(self, at: Point) -> None:
        tap_at(self.page, *self.at(at))
        self.settled()

    def drag(self, points: tuple[Point, ...]) -> None:
        first, *rest = [self.at(point) for point in points]
        self.page.mouse.move(*first)
        self.page.mouse.down()
        for point in rest:
            self.page.mouse.move(*point, steps=4)
        self.page.mouse.up()
        self.settled()

    def use(self, tool: str, level: str | None = None) -> None:
        self.page.locator(f"[data-tool={tool}]").tap()
        if level is not None and level != self.level:
            self.page.locator(f"[data-level={level}]").tap()
            self.level = level

    def choose(self, find: str, value: int) -> None:
        self.page.locator(f"[data-find={find}]").tap()
        if find == "coin":
            self.page.locator(f"[data-coin='{value}']").tap()

    def make(self, edit: Edit) -> None:
        match edit:
            case Outline():
                self.use("room", edit.level)
                for corner in edit.corners:
                    self.tap(corner)
                self.page.get_by_role("button", name="Close the room").tap()
                self.settled()
            case Door():
                self.use("gate")
                self.tap(edit.at)
            case Opening():
                self.use("gate", edit.level)
                self.tap(edit.at)
            case Corridor():
                self.use("corridor", edit.level)
                if len(edit.points) > 4:
                    self.drag(edit.points)
                else:
                    # From bend to bend; nobody taps twice within a finger's breadth.
                    start, *via, end = edit.points
                    far = [at for at in via if min(math.dist(at, start), math.dist(at, end)) > 5]
                    for point in (start, *far, end):
                        self.tap(point)
                    self.use("look")
            case Find():
                self.use("find", edit.level)
                self.choose(edit.find, edit.value)
                self.tap(edit.at)
            case _:
                raise AssertionError(edit)


@pytest.mark.long
def test_a_card_traced_by_touch_is_the_declared_one(new_page: Any, box: Path) -> None:
    """Rooms, doors, openings, corridors on two levels, a dead end, finds in rooms and on corridors, coins by
    worth, stairs and a pit with its landing."""
    declared = open_deck().card("D39")
    page = new_page(size=TABLET)
    open_card(page, box, "D39")
    finger = Finger(page)
    steps = list(edits_of(declared))
    for edit, then in itertools.zip_longest(steps, steps[1:]):
        if isinstance(edit, (tuple, Lead)) or (isinstance(edit, Stairs) and edit.level != "main"):
            continue  # Where it leads to is asked at once; stairs come out where that is.
        if isinstance(edit, Stairs):
            finger.use("stairs", "main")
            finger.tap(edit.at)
            finger.tap(_led_to(declared, edit.at))
        else:
            finger.make(edit)
            if isinstance(edit, Find) and edit.find == "pitfall":
                page.get_by_role("button", name="Straight below").tap()
                finger.settled()
        assert then is None or page.locator("#toasts .bad").count() == 0
    keep_screenshot(page, "traced-by-touch")
    assert page.locator("#trace-problems .trace-faults").count() == 0
    page.locator(".trace-bar [data-done]").tap()
    page.wait_for_url("**/cards/D40")
    card = card_of(box, "D39")
    assert card.tracing == "yes" and not differences(tracing_of(card), declared)
    (traced,) = [each for each in cards_of(page, box) if each["id"] == "D39"]
    assert traced["taps"] > 20 and traced["seconds"] > 0


def _led_to(card: Card, at: Point) -> Point:
    """Where the stairs at a spot come out."""
    spots = {node.id: node.at for node in card.nodes}
    pairs = [(spots[edge.from_], spots[edge.to]) for edge in card.edges if edge.kind == "stairs"]
    return next(b if a == at else a for a, b in pairs if at in (a, b))


def cards_of(page: Any, box: Path) -> list[dict[str, Any]]:
    cards: list[dict[str, Any]] = page.request.get(f"/api/v1/decks/{quote(box.name)}").json()["cards"]
    return cards


@pytest.mark.long
def test_a_guess_that_is_right_takes_one_tap_and_a_twin_two(new_page: Any, box: Path) -> None:
    page = new_page(size=PHONE, language="ja")
    open_card(page, box, "D40")
    assert page.locator(".traced-line.guess").count() > 3
    page.locator(".trace-bar [data-done]").tap()
    page.wait_for_url("**/cards/D41")
    card = card_of(box, "D40")
    assert card.tracing == "yes" and not differences(tracing_of(card), open_deck().card("D40"))
    # A starter in another colour is the same dungeon.
    open_card(page, box, "S1-blue")
    page.locator(".trace-alike").tap()
    page.wait_for_function("() => document.querySelectorAll('.traced-line').length > 3")
    page.locator(".trace-bar [data-done]").tap()
    page.wait_for_url("**/cards/D39")
    card = card_of(box, "S1-blue")
    assert not differences(tracing_of(card), open_deck().card("S1-blue"))
    taps = {each["id"]: each["taps"] for each in cards_of(page, box)}
    assert (taps["D40"], taps["S1-blue"]) == (1, 2)


@pytest.mark.long
@pytest.mark.parametrize(("size", "language"), [("phone", "ja"), ("tablet", "en")])
def test_what_the_machine_cannot_name_is_looked_at_first(
    new_page: Any, live: LiveServer, size: str, language: str
) -> None:
    folder = live.services.config.data / "boxes" / f"unsure-{next(_count)}"
    box = untraced_deck(folder, {"D41": "unsure", "D40": "no"})
    with changed_catalogue(box) as told:
        [card] = [each for each in told["cards"] if each["id"] == "D41"]
        phantom = {"id": "A9", "find": "coin", "at": [50.5, 36.0], "confidence": 0.05}
        card["rooms"][0]["finds"].append(phantom)
        card["nodes"][0]["confidence"] = 0.3
    declared = open_deck().card("D41")
    finds = [each for each in declared.nodes if each.find]
    true: dict[str, Node | RoomFind] = {each.id: each for each in finds}
    true |= {each.id: each for room in declared.rooms for each in room.finds}
    page = new_page(size={"phone": PHONE, "tablet": TABLET}[size], language=language)
    open_card(page, box, "D41")
    finger, big = Finger(page), page.locator(".trace-bar [data-done]")
    # None is shown as what it was guessed to be.
    assert page.locator(".traced-find.in-doubt").count() == len(true) + 1
    assert page.locator("#viewer use").count() == 0 and page.locator("#viewer .doubt-mark").count() == 7
    refused = page.request.post(
        f"/api/v1/decks/{quote(box.name)}/cards/D41/tracing/done", data={"version": 0, "anyway": True}
    )
    assert refused.status == 409
    for left in range(len(true) + 2, 0, -1):
        assert str(left) in big.inner_text() or left == 1
        look_long_enough(page, left)
        if left == 4:
            keep_screenshot(page, f"traced-unclear-{size}-{language}", whole=False)
            assert not faults(page)
        chosen = page.evaluate(CHOSEN)
        find = true.get(chosen)
        if chosen == phantom["id"]:
            page.locator("[data-key=erase]").tap()
        elif find is None:
            page.locator("#trace-box .trace-actions button").first.tap()
        elif find.find == "coin":
            page.locator(f"#trace-box [data-coin='{find.value}']").tap()
        else:
            page.locator(f"#trace-box [data-find={find.find}]").tap()
        finger.settled()
        kept = page.request.get(f"/api/v1/decks/{quote(box.name)}/cards/D41/tracing").json()
        assert len(kept["doubts"]) == left - 1
    big.tap()
    page.wait_for_url("**/cards/D40")
    card = card_of(box, "D41")
    assert card.tracing == "yes" and not differences(tracing_of(card), declared)
    # One for each, one for the card.
    (taken,) = [each["taps"] for each in cards_of(page, box) if each["id"] == "D41"]
    assert taken == len(true) + 3


@pytest.mark.parametrize(("size", "language"), [(SMALL_PHONE, "en"), (TABLET, "ja")], ids=["phone", "tablet"])
def test_all_corridors_are_right_in_one_tap_and_a_wrong_one_takes_one_more(
    new_page: Any, live: LiveServer, size: dict[str, int], language: str
) -> None:
    folder = live.services.config.data / "boxes" / f"doubted-{next(_count)}"
    box = untraced_deck(folder, {"D41": "doubted", "D40": "no"})
    declared = open_deck().card("D41")
    finds = {each.id: each for each in declared.nodes if each.find}
    true: dict[str, Node | RoomFind] = finds | {
        find.id: find for room in declared.rooms for find in room.finds
    }
    with changed_catalogue(box) as told:
        [card] = [each for each in told["cards"] if each["id"] == "D41"]
        a, b = [node["id"] for node in card["nodes"] if node["kind"] == "opening"][:2]
        phantom = {"kind": "corridor", "from": a, "to": b, "level": "main", "via": [list(PHANTOM)]}
        card["edges"].append(phantom | {"confidence": 0.3})
    page = new_page(size=size, language=language)
    open_card(page, box, "D41")
    finger, big = Finger(page), page.locator(".trace-bar [data-done]")
    lines = page.locator(".traced-line")
    before = lines.count()
    settle_unseen(page)
    assert not faults(page)
    keep_screenshot(page, f"traced-corridors-{language}", whole=False)
    finger.tap(PHANTOM)
    assert lines.count() == before - 1
    for question in ("openings", "finds"):
        big.tap()
        finger.settled()
        if question == "openings":
            page.locator(".asked-openings").wait_for()
            settle_unseen(page)
            assert not faults(page)
            keep_screenshot(page, f"traced-openings-{language}", whole=False)
    for left in range(len(true), 0, -1):
        look_long_enough(page, left)
        find = true[page.evaluate(CHOSEN)]
        choice = f"[data-coin='{find.value}']" if find.find == "coin" else f"[data-find={find.find}]"
        page.locator(f"#trace-box {choice}").tap()
        finger.settled()
    big.tap()
    page.wait_for_url("**/cards/D40")
    assert not differences(tracing_of(card_of(box, "D41")), declared)
    # All corridors, the wrong one, all openings, each find, the card.
    (taken,) = [each["taps"] for each in cards_of(page, box) if each["id"] == "D41"]
    assert taken == len(true) + 4


def settle_unseen(page: Any) -> None:
    """Until who was led to a question has looked at it."""
    page.wait_for_timeout(400)


def look_long_enough(page: Any, left: int) -> None:
    """Until who was led to one of so many things in doubt has looked at it."""
    page.evaluate(
        """async () => {
          const { page } = await import(document.querySelector('script[src*="decks/trace.js"]').src);
          window.tracePage = page;
        }"""
    )
    page.wait_for_function(
        """(left) => {
          const { chosen, ledOn, tracing: { doubts } } = window.tracePage;
          const led = chosen && doubts.length === left && doubts.includes((chosen.node ?? chosen.find).id);
          return led && performance.now() - ledOn > 400;
        }""",
        arg=left,
    )


@pytest.mark.long
def test_two_quick_taps_settle_one_thing(new_page: Any, live: LiveServer) -> None:
    folder = live.services.config.data / "boxes" / f"unsure-{next(_count)}"
    box = untraced_deck(folder, {"D41": "unsure"})
    page = new_page(size=PHONE)
    open_card(page, box, "D41")
    look_long_enough(page, 5)
    count = page.locator(".in-doubt.traced-find").count()
    stop_the_clock(page)
    page.locator("#trace-box [data-find=sword]").tap()
    Finger(page).settled()
    page.locator("#trace-box [data-find=sword]").tap()
    Finger(page).settled()
    assert page.locator(".in-doubt.traced-find").count() == count - 1


@pytest.mark.long
def test_a_guess_is_mended_where_it_is_wrong(new_page: Any, box: Path) -> None:
    page = new_page(size=PHONE)
    open_card(page, box, "D40")
    finger = Finger(page)
    declared = open_deck().card("D40")
    find = next(node for node in declared.nodes if node.kind == "find")
    finger.tap(find.at)
    assert "guess" in page.locator("#trace-status").inner_text()
    icons = page.locator(".traced-find").count()
    page.locator("[data-key=erase]").tap()
    finger.settled()
    assert page.locator(".traced-find").count() == icons - 1
    page.locator("[data-undo]").tap()
    finger.settled()
    page.locator("[data-redo]").tap()
    finger.settled()
    finger.use("find", find.level)
    finger.choose(find.find or "", find.value)
    finger.tap(find.at)
    # A walk: is there a way from one opening to another?
    ends = [node.at for node in declared.nodes if node.kind == "opening" and node.level == "main"][:2]
    finger.use("way", "main")
    for end in ends:
        finger.tap(end)
    page.wait_for_function("() => / mm|No way/.test(document.querySelector('#trace-status').textContent)")
    page.locator(".trace-bar [data-done]").tap()
    page.wait_for_url("**/cards/D41")
    card = card_of(box, "D40")
    assert not differences(tracing_of(card), declared)
    kept = msgspec.json.decode((box / "enrol/tracings/D40.json").read_bytes())
    assert kept["machine"]["nodes"][0]["confidence"] is not None


@pytest.mark.long
def test_what_does_not_hang_together_is_told_at_its_place_and_asked_about(new_page: Any, box: Path) -> None:
    page = new_page(size=PHONE)
    open_card(page, box, "D41")
    finger = Finger(page)
    finger.use("find", "main")
    finger.choose("rope", 1)
    finger.tap((30, 40))
    assert page.locator("#trace-problems").inner_text().startswith("Check these: 1")
    assert page.locator(".fault-ring").count() == 1
    page.locator(".trace-bar [data-done]").tap()
    dialog = page.locator("#trace-anyway")
    dialog.wait_for()
    keep_screenshot(page, "traced-anyway", whole=False)
    # Back closes what lies over the page.
    page.go_back()
    dialog.wait_for(state="hidden")
    assert card_of(box, "D41").tracing == "no"
    page.locator(".trace-bar [data-done]").tap()
    page.get_by_role("button", name="It is right anyway").tap()
    page.wait_for_url("**/cards/S1-blue")
    assert card_of(box, "D41").tracing == "yes"


@pytest.mark.long
def test_two_devices_at_one_card_do_not_overwrite_each_other(new_page: Any, box: Path) -> None:
    one, other = new_page(size=PHONE), new_page(size=TABLET)
    for page in (one, other):
        open_card(page, box, "D41")
    first, second = Finger(one), Finger(other)
    first.use("corridor", "main")
    first.drag(((0.5, 22), (30, 24), (62.5, 22)))
    second.use("corridor", "main")
    second.drag(((31, 0.5), (32, 60), (31, 87.5)))
    assert "another device" in other.locator("#trace-status").inner_text()
    # What stands there now is shown, and drawn on.
    second.drag(((31, 0.5), (32, 60), (31, 87.5)))
    kept = other.request.get(f"/api/v1/decks/{quote(box.name)}/cards/D41/tracing").json()
    assert sorted(node["kind"] for node in kept["nodes"]) == ["junction", *["opening"] * 4]


@pytest.mark.long
@pytest.mark.parametrize(("size", "language"), [("phone", "ja"), ("tablet", "en")])
def test_the_pages_are_fit_for_eyes_and_fingers(new_page: Any, box: Path, size: str, language: str) -> None:
    page = new_page(size={"phone": PHONE, "tablet": TABLET}[size], language=language)
    wrong = {}
    here = f"/decks/{quote(box.name)}"
    pages = {"boxes": "/decks", "box": here, "guess": f"{here}/cards/D40", "blank": f"{here}/cards/S1-blue"}
    for name, path in pages.items():
        page.goto(path)
        page.wait_for_load_state("networkidle")
        keep_screenshot(page, f"decks-{name}-{size}-{language}", whole=False)
        if found := faults(page):
            wrong[name] = found
    for tool in ("corridor", "room", "find", "gate", "stairs", "erase", "way"):
        page.locator(f"[data-tool={tool}]").tap()
        if found := faults(page):
            wrong[tool] = found
    assert not wrong


@pytest.mark.long
def test_kills_lose_nothing_that_was_answered(tmp_path: Path) -> None:
    """Each time (`WAYMARK_TRACE_KILLS`) the server is killed in the middle of drawing; what it had answered
    stands, and goes on."""
    kills = int(os.environ.get("WAYMARK_TRACE_KILLS", "6"))
    data = tmp_path / "data"
    folder = untraced_deck(data / "boxes" / "thursday", {"D41": "no", "D40": "no"})
    address = "/api/v1/decks/thursday/cards/D41/tracing"
    version, said = 0, 0
    server = ServerProcess(data, "--workers", "1")
    for kill in range(kills):
        now = requests.get(server.url + address, timeout=PATIENCE_SECONDS).json()
        # What was on its way when it was killed may stand, too.
        assert now["version"] in (version, version + 1) and len(now["nodes"]) in (said, said + 1)
        version, said = now["version"], len(now["nodes"])
        session = requests.Session()
        for step in range(3):
            edit = {"kind": "opening", "at": [3 + kill * 2.9, 0 if step == 0 else 88 if step == 1 else 0]}
            if step == 2:
                edit = {"kind": "opening", "at": [0 if kill % 2 else 63, 3 + kill * 4]}
            body = {"version": version, "edit": edit, "reach_mm": 0.6, "effort": {"taps": 1, "seconds": 1}}
            if step == 2:
                server.process.kill()
            try:
                made = session.post(f"{server.url}{address}/edits", json=body, timeout=PATIENCE_SECONDS)
            except requests.ConnectionError:
                break
            assert made.status_code == 200, made.text
            version, said = made.json()["version"], len(made.json()["nodes"])
        server.process.wait()
        port = server.port
        server = ServerProcess(data, "--workers", "1", port=port)
    now = requests.get(server.url + address, timeout=PATIENCE_SECONDS).json()
    assert now["version"] in (version, version + 1) and len(now["nodes"]) >= 2 * kills
    done = requests.post(
        f"{server.url}{address}/done", json={"version": now["version"]}, timeout=PATIENCE_SECONDS
    )
    assert done.status_code == 200, done.text
    server.kill()
    assert len(read_catalogue(folder).card("D41").nodes) == len(now["nodes"])
