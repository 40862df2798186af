"""The photo under fingers, as a phone hears them: moving it, pinching it, and every drag of the editor. What
a drag may not do is as much of it: a second finger, the browser or a way out of the photo breaks it off."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from at_the_table import read_tableau
from live_server import PHONE, LiveServer
from page_looks import box_of, faults, keep_screenshot
from shared_readings import open_deck, reading_of
from touches import Fingers, Point, between, tap_at

from scorer.dungeon import build_dungeon
from scorer.errors import WaymarkError
from waymark.review.tableau.edits import lead_through

#: A photo that is read surely, with a path of one line over all cards.
PHOTO = "table-07"

Place = list[float]


class Table:
    """A tableau in a phone's browser, with fingers on it."""

    def __init__(self, page: Any, tableau_id: str) -> None:
        self.page, self.id = page, tableau_id
        self.fingers = Fingers(page)
        page.goto(f"/tableaus/{tableau_id}")
        page.locator("#review:not(.loading)").wait_for()

    @property
    def review(self) -> dict[str, Any]:
        shown: dict[str, Any] = self.page.request.get(f"/api/v1/tableaus/{self.id}/review").json()
        return shown

    @property
    def path(self) -> list[list[str]]:
        path: list[list[str]] = self.review["reading"]["record"]["path"]
        return path

    def edit(self, tool: str, mode: str = "") -> None:
        if not self.page.locator("#editor").is_visible():
            self.page.locator("[data-correct]").tap()
        self.page.locator(f"button[data-tool={tool}]").tap()
        if mode:
            self.page.locator(f"[data-mode={mode}]").tap()

    def viewer(self, call: str, *values: Any) -> Any:
        """What `page.viewer` answers to a call in JavaScript, `values` as `v`."""
        return self.page.evaluate(
            """async ([call, v]) => {
              const { page } = await import(document.querySelector('script[src*="review/main.js"]').src);
              const viewer = page.viewer;
              if (call === "fit") return viewer.fit(v[0]);
              if (call === "toPhoto") return viewer.toPhoto(...v);
              if (call === "toClient") return viewer.toClient(...v);
              return viewer[call];
            }""",
            [call, values],
        )

    def at(self, place: Place) -> Point:
        """Where a photo point is on the screen."""
        point = self.viewer("toClient", *place)
        return point["x"], point["y"]

    def under(self, point: Point) -> Point:
        """The photo point at a point of the screen."""
        found = self.viewer("toPhoto", *point)
        return found["x"], found["y"]

    def look_at(self, *places: Place, margin: float = 60) -> None:
        xs, ys = ([place[k] for place in places] for k in (0, 1))
        self.viewer("fit", [min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin])

    def told(self, words: str) -> None:
        """Wait until the editor has said it."""
        self.page.locator("[data-editor-status]", has_text=words).wait_for(state="attached")

    def until_path(self, wanted: Callable[[list[list[str]]], bool]) -> list[list[str]]:
        for _ in range(600):
            path = self.path
            if wanted(path):
                return path
            self.page.wait_for_timeout(100)
        raise AssertionError(path)

    def spot(self, name: str) -> Place:
        places = self.review["reading"]["places"]
        at: Place = next(place["at"] for place in places if place["id"] == name)
        return at


@pytest.fixture
def table(new_page: Any, live: LiveServer) -> Table:
    return Table(new_page(size=PHONE, is_mobile=True), read_tableau(live.services, PHOTO))


def viewer_box(table: Table) -> tuple[float, float, float, float]:
    box = box_of(table.page.locator("#viewer"))
    return box["x"], box["y"], box["width"], box["height"]


def apart(a: Sequence[float], b: Sequence[float]) -> float:
    made: float = ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5
    return made


# --- looking ------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_two_fingers_pinch_and_one_moves_the_photo_that_stays_under_them(table: Table) -> None:
    left, top, width, height = viewer_box(table)
    middle = (left + width * 0.45, top + height * 0.5)
    # on two cards of the photo, fingers 80 px apart, then 240 px, a little lower and turned
    before = ((middle[0] - 40, middle[1]), (middle[0] + 40, middle[1]))
    after = ((middle[0] - 110, middle[1] + 60), (middle[0] + 110, middle[1] - 20))
    held, scale = table.under(middle), table.viewer("scale")
    table.fingers.pinch(before, after)
    grown = table.viewer("scale")
    assert grown / scale == pytest.approx(apart(*after) / apart(*before), rel=0.02)
    now = table.at(list(held))
    assert apart(now, between(*after, 0.5)) < 2
    # the page itself was not zoomed
    assert table.page.evaluate("() => window.visualViewport.scale") == 1

    held = table.under(middle)
    end = (middle[0] - 60, middle[1] + 45)
    table.fingers.drag(middle, end)
    assert apart(table.at(list(held)), end) < 2 and table.viewer("scale") == grown
    assert table.page.evaluate("() => window.scrollY") == 0

    # two taps show the whole, and two taps more a part of it
    for near in (False, True):
        table.fingers.tap_twice(middle)
        table.page.locator("#viewer.viewer-zoomed").wait_for(state="attached" if near else "detached")

    # pinched smaller than the whole photo, it is shown whole
    table.fingers.pinch(after, ((middle[0] - 3, middle[1]), (middle[0] + 3, middle[1])))
    assert table.viewer("scale") == pytest.approx(min(width / 1728, height / 2304), rel=0.35)
    assert "viewer-zoomed" not in table.page.locator("#viewer").get_attribute("class")


@pytest.mark.long
def test_the_page_scrolls_under_a_finger_beside_the_photo_and_on_the_whole_photo(table: Table) -> None:
    page = table.page
    left, top, width, height = viewer_box(table)
    scrolled = "() => Math.round(window.scrollY)"
    table.fingers.drag((200, 800), (200, 560))
    page.wait_for_function("() => window.scrollY > 100")
    page.evaluate("() => window.scrollTo(0, 0)")
    # the photo as a whole is no trap for the finger that scrolls
    table.viewer("fit", None)
    table.fingers.drag((left + width / 2, top + height - 40), (left + width / 2, top + 20))
    page.wait_for_function("() => window.scrollY > 60")
    page.evaluate("() => window.scrollTo(0, 0)")
    page.locator("[data-zoom=in]").tap()
    page.locator("[data-zoom=in]").tap()
    table.fingers.drag((left + width / 2, top + height - 40), (left + width / 2, top + 20))
    assert page.evaluate(scrolled) == 0
    # and the editor's sheet scrolls, too
    table.edit("path")
    page.wait_for_timeout(300)
    table.fingers.drag((200, 800), (200, 500))
    page.wait_for_function("() => window.scrollY > 60")


# --- the path -----------------------------------------------------------------------------------------------


def test_the_path_is_dragged_by_a_finger(table: Table) -> None:
    (stroke,) = table.path
    reading = table.review["reading"]
    # its end a few places back, and on again
    table.edit("path", "drag")
    last, back = table.spot(stroke[-1]), table.spot(stroke[-4])
    table.look_at(last, back)
    table.fingers.drag(table.at(last), table.at(back))
    table.told("The end is moved.")
    assert table.path == [stroke[:-3]]
    keep_screenshot(table.page, "touch-drag-end", whole=False)
    table.look_at(last, back)
    table.fingers.drag(table.at(back), table.at(last))
    table.until_path(lambda path: path == [stroke])

    # a stretch of it through a place beside
    piece, beside = next(led_through(reading["pieces"], reading["places"]))
    middle = half_way(piece["line"])
    table.look_at(middle, beside["at"])
    table.fingers.drag(table.at(middle), table.at(beside["at"]))
    table.told("The line now takes another way.")
    assert beside["id"] in table.path[0]
    table.page.locator("[data-undo]").tap()
    table.until_path(lambda path: path == [stroke])
    assert not faults(table.page)


def led_through(
    pieces: list[dict[str, Any]], places: list[dict[str, Any]]
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Pieces of the path, each with a place off it that the line may be led through from there; the nearest
    first."""
    record = reading_of(PHOTO).tableau
    dungeon = build_dungeon(open_deck(), record.cards)
    both = [
        (piece, place)
        for piece in pieces
        for place in places
        if not piece["jump"] and piece["step"] > 2 and place["kind"] == "junction"
    ]
    for piece, place in sorted(both, key=lambda pair: apart(half_way(pair[0]["line"]), pair[1]["at"])):
        with suppress(WaymarkError):
            lead_through(record, dungeon, piece["stroke"], piece["step"], place["id"])
            yield piece, place


@pytest.mark.long
def test_a_stretch_is_rubbed_out_and_drawn_again_by_a_finger(table: Table) -> None:
    (stroke,) = table.path
    table.edit("path", "erase")
    start, middle, end = (table.spot(stroke[-k]) for k in (5, 3, 1))
    table.look_at(start, middle, end)
    table.fingers.drag(table.at(between_places(table, stroke[-4])), table.at(middle), table.at(end), steps=12)
    table.told("Erased.")
    cut = table.path
    assert len(cut) == 1 and cut[0] == stroke[: len(cut[0])] and len(cut[0]) <= len(stroke) - 2
    table.page.locator("[data-mode=draw]").tap()
    places = [table.spot(name) for name in stroke[len(cut[0]) - 1 :]]
    table.look_at(*places)
    tap_at(table.page, *table.at(places[0]))
    table.told("Start:")
    along = [places[0], *lines_of(table, stroke[len(cut[0]) - 1 :])]
    table.fingers.drag(*[table.at(point) for point in along], steps=3)
    table.until_path(lambda path: path == [stroke])
    keep_screenshot(table.page, "touch-draw", whole=False)


def between_places(table: Table, name: str) -> Place:
    """The middle of the piece of path that leads to a place."""
    piece = next(each for each in table.review["reading"]["pieces"] if each["b"] == name)
    return half_way(piece["line"])


def half_way(line: list[Place]) -> Place:
    """The middle of the segment in the middle of a line."""
    a, b = line[(len(line) - 1) // 2], line[(len(line) - 1) // 2 + 1]
    return [(a[k] + b[k]) / 2 for k in (0, 1)]


def lines_of(table: Table, names: list[str]) -> list[Place]:
    """The points of the ways from place to place."""
    links = table.review["reading"]["links"]
    points: list[Place] = []
    for a, b in pairwise(names):
        line = next(
            link["line"] if link["a"] == a else link["line"][::-1]
            for link in links
            if {link["a"], link["b"]} == {a, b}
        )
        points += line[1:]
    return points


@pytest.mark.long
def test_what_breaks_a_drag_off_changes_nothing_and_is_said(table: Table) -> None:
    (stroke,) = table.path
    version = table.review["version"]
    table.edit("path", "drag")
    last, back = table.spot(stroke[-1]), table.spot(stroke[-4])
    left, top, width, height = viewer_box(table)

    def looked_at() -> tuple[Point, Point]:
        table.look_at(last, back, margin=120)
        return table.at(last), table.at(back)

    # a second finger: the drag is off, the two pinch
    here, there = looked_at()
    scale = table.viewer("scale")
    table.fingers.drag(here, there, lift=False)
    other = (there[0] + 50, there[1] + 50)
    table.fingers.put_down([there, other])
    table.fingers.move([there, other], [(there[0] - 20, there[1] - 20), (other[0] + 50, other[1] + 50)])
    table.fingers.lift()
    table.told("Nothing is changed: the drag was broken off.")
    assert table.viewer("scale") > scale * 1.3

    # the system takes the touch
    here, there = looked_at()
    table.fingers.drag(here, there, lift=False)
    table.fingers.break_off()
    table.told("Nothing is changed: the drag was broken off.")

    # out of the photo, onto the sheet below it
    here, there = looked_at()
    table.fingers.drag(here, there, (left + width / 2, top + height + 120))
    table.told("Nothing is changed: your finger left the photo.")
    keep_screenshot(table.page, "touch-left-photo", whole=False)

    # to where no place is
    table.viewer("fit", None)
    nowhere = (left + 12, top + height - 12)
    here = table.at(last)
    table.fingers.drag(here, nowhere)
    table.told("Nothing is changed: there is no place")
    assert table.review["version"] == version and table.path == [stroke]

    # and the eraser is broken off by a second finger as well
    table.page.locator("[data-mode=erase]").tap()
    here, there = looked_at()
    table.fingers.drag(here, there, lift=False)
    table.fingers.put_down([there, (there[0] + 60, there[1])])
    table.fingers.lift()
    table.told("Nothing is changed: the drag was broken off.")
    assert table.review["version"] == version


@pytest.mark.long
def test_a_long_line_is_led_from_card_to_card_by_taps_and_a_finger(table: Table) -> None:
    """The whole path rubbed out and drawn again, from one end to the other."""
    (stroke,) = table.path
    table.edit("path", "erase")
    table.page.locator(".edit-steps summary").tap()
    table.page.locator("[data-key=gone-0]").tap()
    table.told("Erased.")
    assert table.path == []
    table.page.locator("[data-mode=draw]").tap()
    stops = [*stroke[::6], stroke[-1]] if stroke[-1] not in stroke[::6] else stroke[::6]
    table.look_at(table.spot(stops[0]))
    tap_at(table.page, *table.at(table.spot(stops[0])))
    table.told("Start:")
    for start, end in pairwise(stops):
        names = stroke[stroke.index(start) : stroke.index(end) + 1]
        points = [table.spot(start), *lines_of(table, names)]
        table.look_at(*points, margin=40)
        table.fingers.drag(*[table.at(point) for point in points], steps=2)
        table.until_path(lambda path, end=end: bool(path) and path[0][-1] == end)  # type: ignore[misc]
    assert table.path == [stroke]


# --- cards --------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_card_is_carried_to_its_place_by_a_finger(table: Table) -> None:
    read = table.review
    card = read["reading"]["cards"][-1]
    half = {"kind": "move-card", "index": card["index"], "x": card["x"], "y": card["y"] - 44}
    wrong = table.page.request.post(
        f"/api/v1/tableaus/{table.id}/corrections", data={"version": read["version"], "correction": half}
    )
    assert wrong.ok, wrong.text()
    # What is read anew would come under the finger otherwise.
    while (again := table.review["rereading"]) is not None and again["state"] != "failed":
        table.page.wait_for_timeout(200)
    table.page.reload()
    table.page.locator("#review:not(.loading)").wait_for()
    table.edit("cards")
    table.page.locator(f"[data-key=card-{card['index']}]").tap()
    now = table.review["reading"]["cards"][card["index"]]
    lies, ought = middle_of(now["corners"]), middle_of(card["corners"])
    table.look_at(*now["corners"], *card["corners"], margin=20)
    # first nowhere: it stays where it lay
    table.fingers.drag(table.at(lies), table.at([lies[0] + 40, lies[1] + 30]))
    table.told("Nothing is changed")
    table.fingers.drag(table.at(lies), table.at(ought), lift=False)
    keep_screenshot(table.page, "touch-carry-card", whole=False)
    table.fingers.lift()
    table.told("The card is moved.")
    placed = table.review["reading"]["record"]["cards"][card["index"]]
    assert (placed["x"], placed["y"]) == pytest.approx((card["x"], card["y"]), abs=2)


@pytest.mark.long
def test_an_outline_is_dragged_by_its_corners_and_as_a_whole(table: Table) -> None:
    card = table.review["reading"]["cards"][1]
    version = table.review["version"]
    table.edit("cards")
    table.page.locator("[data-key=card-1]").tap()
    table.page.locator("[data-key=corners]").tap()
    outline = table.page.locator(".edit-outline")
    drawn = outline.get_attribute("d")

    # broken off by a second finger, and out of the photo: as it was
    corner = table.at(card["corners"][0])
    table.fingers.drag(corner, (corner[0] + 30, corner[1] + 30), lift=False)
    table.fingers.put_down([(corner[0] + 30, corner[1] + 30), (corner[0] + 90, corner[1] + 90)])
    table.fingers.lift()
    table.told("broken off")
    assert outline.get_attribute("d") == drawn
    left, top, width, height = viewer_box(table)
    corner = table.at(card["corners"][2])
    table.fingers.drag(corner, (left + width / 2, top + height + 60))
    table.told("your finger left the photo")
    assert outline.get_attribute("d") == drawn

    corner = table.at(card["corners"][0])
    table.fingers.drag(corner, (corner[0] + 6, corner[1] + 4))
    moved = outline.get_attribute("d")
    assert moved != drawn
    middle = table.at(middle_of(card["corners"]))
    table.fingers.drag(middle, (middle[0] - 3, middle[1] - 2))
    assert outline.get_attribute("d") != moved
    assert table.review["version"] == version
    keep_screenshot(table.page, "touch-outline", whole=False)
    table.page.locator("[data-key=corners-done]").tap()
    table.told("The card's outline is set.")
    assert table.review["reading"]["corrected"]


def middle_of(corners: list[Place]) -> Place:
    return [sum(corner[k] for corner in corners) / len(corners) for k in (0, 1)]


def test_a_teleport_is_put_into_the_path_by_two_taps(new_page: Any, live: LiveServer) -> None:
    table = Table(new_page(size=PHONE, is_mobile=True), read_tableau(live.services, "table-03"))
    reading = table.review["reading"]
    circles = [find["place"] for find in reading["finds"] if find["find"] == "magic_circle"]
    ways = [(link["a"], link["b"]) for link in reading["links"]]
    before, here = next(way for way in [*ways, *((b, a) for a, b in ways)] if way[1] in circles)
    there = next(place for place in circles if place != here)

    def correct(**correction: Any) -> None:
        body = {"version": table.review["version"], "correction": correction}
        sent = table.page.request.post(f"/api/v1/tableaus/{table.id}/corrections", data=body)
        assert sent.ok, sent.text()

    while table.path:
        correct(kind="remove-stroke", stroke=0)
    correct(kind="draw", places=[before, here], join=True)
    table.edit("path", "teleport")
    for name in (here, there):
        table.look_at(table.spot(name))
        tap_at(table.page, *table.at(table.spot(name)))
        if name == here:
            table.told("Start:")
            keep_screenshot(table.page, "touch-teleport", whole=False)
            assert not faults(table.page)
    table.told("The path now teleports here.")
    assert table.path == [[before, here], [there]]
