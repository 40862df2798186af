"""Every photo that ships is corrected until it is what was drawn: where its reading differs from the truth,
the truth is reached, and each kind of correction and its way back leave it and its ruling as they are."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
import pytest
from api_calls import json_of
from at_the_table import as_it_was_read, read_tableau, truth_of
from flask import Flask
from live_server import PHONE, PHOTOS, LiveServer
from long_rest import long_but
from shared_readings import open_deck
from touches import Fingers, tap_at

from scorer.mapmasters.game import VERSUS
from scorer.mapmasters.rules.referee import referee
from scorer.mapmasters.rules.ruling import Ruling
from scorer.record import Objectives, Record, parse_record, path_backwards
from webapp.http.services import KEY, Services
from webapp.store.models import Tableau
from webapp.store.tableaus import assessment_of
from webapp.tableaus.verdict_view import score_of

ALL = sorted(file.name.split(".")[0] for file in PHOTOS.glob("*.truth.json"))
#: What puts a path right that is read otherwise than it was drawn: from which place on the first stroke is
#: erased, and what is drawn, each with whether it joins what is there.
REDRAWN: dict[str, tuple[str | None, list[tuple[list[str], bool]]]] = {
    # The loop through the room's doors was read the other way round, and its end in the room was lost.
    "table-02": (
        "0.A",
        [(["0.A", "0.d2", "0.j1", "0.j2", "0.d1", "0.A", "0.A1"], True), (["0.A2", "0.A"], False)],
    ),
    # The way through the room and back was read as a line of its own.
    "table-10": (None, [(["0.j7", "0.d2", "0.d1", "0.j2"], True)]),
}
END_AT = {"end": -1, "start": 0}
NEXT_MARK = ["none", "circled", "struck", "both"]


class Corrected:
    """A tableau with a photo of the shipped ones, corrected over the API."""

    def __init__(self, app: Flask, photo: str) -> None:
        self.client = app.test_client()
        self.services: Services = app.extensions[KEY]
        self.id = read_tableau(self.services, photo)
        with self.services.database.readers() as session:
            assessment = assessment_of(session, open_deck(), session.get_one(Tableau, self.id))
        assert assessment is not None
        truth = as_it_was_read(truth_of(photo), assessment)
        self.truth = msgspec.structs.replace(
            truth, cards=assessment.record.cards, objectives=Objectives(primary="sword", secondary="pit")
        )

    @property
    def review(self) -> dict[str, Any]:
        shown: dict[str, Any] = json_of(self.client.get(f"/api/v1/tableaus/{self.id}/review"))
        return shown

    @property
    def record(self) -> Record:
        return parse_record(msgspec.json.encode(self.review["reading"]["record"]))

    def correct(self, **correction: Any) -> dict[str, Any]:
        body = {"version": self.review["version"], "correction": correction}
        done = self.client.post(f"/api/v1/tableaus/{self.id}/corrections", json=body)
        assert done.status_code == 200, done.text
        review: dict[str, Any] = json_of(done)
        return review

    def mark(self, place: str, marks: Any) -> None:
        self.correct(kind="mark", place=place, circled=place in marks.circled, struck=place in marks.struck)

    @property
    def ruling(self) -> Ruling:
        with self.services.database.readers() as session:
            assessment = assessment_of(session, open_deck(), session.get_one(Tableau, self.id))
        assert assessment is not None
        ruling: Ruling = assessment.ruling
        return ruling

    def is_the_truth(self) -> bool:
        now, ought = self.record, self.truth
        same_marks = [set(names) for names in (now.marks.circled, now.marks.struck)] == [
            set(names) for names in (ought.marks.circled, ought.marks.struck)
        ]
        return now.cards == ought.cards and now.path == ought.path and same_marks

    def check_ruling(self) -> None:
        ought, now = referee(open_deck(), self.truth), self.ruling
        assert score_of(VERSUS, now, "en") == score_of(VERSUS, ought, "en")
        assert (now.ended, now.last_place, now.violations) == (
            ought.ended,
            ought.last_place,
            ought.violations,
        )


@pytest.mark.parametrize("photo", long_but(ALL, 2, 11))
def test_every_photo_is_corrected_to_what_was_drawn(app: Flask, photo: str) -> None:
    table = Corrected(app, photo)
    put_right(table, photo)
    assert table.is_the_truth()
    table.check_ruling()

    # a card is called another, and found again in the list
    index = len(table.truth.cards) - 1
    card = table.truth.cards[index].card
    laid = {each.card for each in table.truth.cards}
    other = next(each for each in ("D05", "D06", "D07", "D08", "D09", "D10") if each not in laid)
    table.correct(kind="card", index=index, card=other)
    assert table.record.cards[index].card == other
    choices = json_of(table.client.get(f"/api/v1/tableaus/{table.id}/card-choices?index={index}"))
    assert card in [choice["card"] for choice in choices]
    table.correct(kind="card", index=index, card=card)
    assert table.is_the_truth()

    # a stretch is erased and drawn again, the end moved back and on again; where the ink leaves the direction
    # open, the rules may turn a shorter path round for as long as it is shorter
    line = table.truth.path[0]
    table.correct(kind="erase", stroke=0, start=len(line) - 3, end=len(line) - 1)
    assert line[:-2] in either_way(table.record)
    table.correct(kind="draw", places=line[-3:])
    assert table.is_the_truth()
    table.correct(kind="move-end", stroke=0, end="end", place=line[-2])
    assert line[:-1] in either_way(table.record)
    table.correct(kind="move-end", **end_at(table.record, line[-2]), place=line[-1])
    assert table.is_the_truth()

    # a mark is toggled and put back, the direction swapped and swapped again
    find = table.review["reading"]["finds"][0]["place"]
    there = find in table.truth.marks.circled
    table.correct(kind="mark", place=find, circled=not there, struck=find in table.truth.marks.struck)
    assert not table.is_the_truth()
    table.mark(find, table.truth.marks)
    table.correct(kind="swap")
    assert table.record.path == path_backwards(table.truth.path)
    table.correct(kind="swap")
    assert table.is_the_truth()
    table.check_ruling()


def either_way(record: Record) -> list[tuple[str, ...]]:
    return [*record.path, *path_backwards(record.path)]


def end_at(record: Record, place: str) -> dict[str, Any]:
    """Which end of which stroke lies at a place."""
    ends = [(k, end, stroke[at]) for k, stroke in enumerate(record.path) for end, at in END_AT.items()]
    return next({"stroke": k, "end": end} for k, end, name in ends if name == place)


def put_right(table: Corrected, photo: str) -> None:
    """Make of the reading what was drawn."""
    now, truth = table.record, table.truth
    for place in sorted(wrong_marks(now, truth)):
        table.mark(place, truth.marks)
    if photo in REDRAWN:
        erased_from, drawn = REDRAWN[photo]
        if erased_from is not None:
            line = now.path[0]
            table.correct(kind="erase", stroke=0, start=line.index(erased_from), end=len(line) - 1)
        for places, join in drawn:
            table.correct(kind="draw", places=places, join=join)
    if table.record.path == path_backwards(truth.path) != truth.path:
        table.correct(kind="swap")


def wrong_marks(now: Record, truth: Record) -> set[str]:
    return (set(now.marks.circled) ^ set(truth.marks.circled)) | (
        set(now.marks.struck) ^ set(truth.marks.struck)
    )


# --- the same by fingers, where a reading differs -----------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("photo", long_but(["table-01", "table-02", "table-10"], 2))
def test_a_reading_that_differs_is_put_right_by_touch(new_page: Any, live: LiveServer, photo: str) -> None:
    table = Corrected(live.app, photo)
    before = table.record
    assert not table.is_the_truth()
    page = new_page(size=PHONE, is_mobile=True)
    page.goto(f"/tableaus/{table.id}")
    page.locator("#review:not(.loading)").wait_for()
    touch = Touch(page, table)
    page.evaluate("() => document.querySelector('[data-correct]').click()")
    page.locator("button[data-tool=marks]").tap()
    for place in sorted(wrong_marks(before, table.truth)):
        wanted = state_of(place, table.truth)
        while state_of(place, table.record) != wanted:
            touch.tap(place)
    page.locator("button[data-tool=path]").tap()
    if photo in REDRAWN:
        erased_from, drawn = REDRAWN[photo]
        if erased_from is not None:
            page.locator("[data-mode=erase]").tap()
            line = before.path[0]
            touch.sweep(line[line.index(erased_from) :])
        page.locator("[data-mode=draw]").tap()
        for places, join in drawn:
            if not join:
                page.locator("[data-key=lift]").tap()
                page.locator("[data-key=apart]").tap()
            for place in places:
                touch.tap(place)
    if table.record.path == path_backwards(table.truth.path) != table.truth.path:
        page.locator("[data-key=swap]").tap()
        touch.settle()
    assert table.is_the_truth(), table.record.path
    table.check_ruling()


def state_of(place: str, record: Record) -> str:
    return NEXT_MARK[(place in record.marks.circled) + 2 * (place in record.marks.struck)]


class Touch:
    """Fingers on the photo of a tableau, by the names of places."""

    def __init__(self, page: Any, table: Corrected) -> None:
        self.page, self.fingers = page, Fingers(page)
        reading = table.review["reading"]
        self.spots = {place["id"]: place["at"] for place in reading["places"]}
        self.lines = {(link["a"], link["b"]): link["line"] for link in reading["links"]}
        self.mm = reading["px_per_mm"]

    def tap(self, place: str) -> None:
        (point,) = self._look_at([self.spots[place]])
        tap_at(self.page, *point)
        self.settle()

    def sweep(self, places: tuple[str, ...]) -> None:
        """Along the line from the middle of its first piece to that of its last."""
        pieces = [self.lines.get((a, b)) or self.lines[b, a][::-1] for a, b in pairwise(places)]
        middles = [piece[len(piece) // 2] if len(piece) > 2 else half_way(piece) for piece in pieces]
        self.fingers.drag(*self._look_at(middles), steps=4)
        self.settle()

    def settle(self) -> None:
        self.page.wait_for_function(
            "() => document.querySelector('[data-editor-status].told')"
            " && !document.querySelector('#editor').hasAttribute('aria-busy')"
        )

    def _look_at(self, spots: list[list[float]]) -> list[tuple[float, float]]:
        """Where photo points are on the screen, once the photo is turned to them."""
        reach = 12 * self.mm
        xs, ys = ([spot[k] for spot in spots] for k in (0, 1))
        box = [min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach]
        points = self.page.evaluate(
            """async ([box, spots]) => {
              const { page } = await import(document.querySelector('script[src*="review/main.js"]').src);
              page.viewer.fit(box);
              return spots.map(([x, y]) => page.viewer.toClient(x, y));
            }""",
            [box, spots],
        )
        return [(point["x"], point["y"]) for point in points]


def half_way(piece: list[list[float]]) -> list[float]:
    return [(piece[0][k] + piece[-1][k]) / 2 for k in (0, 1)]
