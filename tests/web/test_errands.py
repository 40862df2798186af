"""What is asked of a tableau and takes reading photos is answered at once and done beside photos: a line that
is tapped, a pen that is taken back, a card that is new. Whatever is cut short is done again, and once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from live_server import LiveServer
from page_looks import faults, keep_screenshot
from patience import PATIENCE_SECONDS
from put_readings import put_reading, true_reading
from sqlalchemy import select
from untraced_deck import untraced_deck

from calibration.enrol.catalogue_folder import ENROL
from calibration.enrol.faces.enrolment import enrol_played
from calibration.kept_pens import keep_pen, kept_pen, pen_folder
from calibration.pen import NOT_READ, no_line
from scorer.errors import Code, WaymarkError
from scorer.text import written
from vision.ink.pens import PenProfile
from vision.questions import REASONS, Question
from vision.scan import Scan
from waymark.review.pipeline import encode_reading
from webapp.decks.enrolling import WAITING
from webapp.games.games import NewPlayer, create_game, tableau_of_entry
from webapp.http.services import KEY, Services
from webapp.scans.leases import ERRAND_MEMORY, ERRAND_PATIENCE, Claimed, ClaimedErrand, Leases, this_process
from webapp.scans.scan_processes import Died
from webapp.scans.worker import learn_pen_in
from webapp.store.models import Entry, Errand, Lease, Shot, Tableau
from webapp.store.photos import StoredPhoto
from webapp.store.tableaus import add_shot, pen_owner, take_reading

FAINT = PenProfile(through=(0.85, 0.85, 0.85), spread=0.2, width_mm=1.5, line_mm=200.0)
OLDER = msgspec.structs.replace(FAINT, width_mm=0.8)
ELSEWHERE = "another machine/1/2"
TAP = {"at": [800.0, 600.0]}


class Table:
    """A game in whose first round Aya has two photos, the later one in use; read by a reader that looks at
    none."""

    def __init__(self, app: Flask) -> None:
        self.app, self.client = app, app.test_client()
        self.services: Services = app.extensions[KEY]
        with self.services.database.transaction() as session:
            players = [NewPlayer("Aya", "red"), NewPlayer("Ben", "blue")]
            game = create_game(session, self.services.rules, players)
            entry_id = game.rounds[0].entries[0].id
        for photo in ("table-07", "table-07"):
            put_reading(app, entry_id, photo)
        with self.services.database.transaction() as session:
            tableau = tableau_of_entry(session, session.get_one(Entry, entry_id))
            self.tableau_id, self.owner = tableau.id, pen_owner(tableau)
        self.pens = pen_folder(self.services.config.data)
        self.leases = Leases(self.services.database, this_process(), errands=True)
        self.reads: Scan = shorter(true_reading("table-07"))
        self.asked: list[str] = []
        #: What happens instead of an answer, by what is asked.
        self.instead: dict[str, list[Exception]] = {}

    def ask(self, function: Callable[..., Any], *arguments: Any, **_: Any) -> Any:
        """A reader's."""
        self.asked.append(function.__name__)
        if waits := self.instead.get(function.__name__):
            raise waits.pop(0)
        if function is enrol_played:
            return "D14", True
        return FAINT if function is learn_pen_in else encode_reading(self.reads)

    def start(self) -> None:
        """A reader's: it is there."""

    def tap(self) -> Any:
        return self.client.post(f"/api/v1/tableaus/{self.tableau_id}/pen", json=TAP)

    def undo(self) -> Any:
        return self.client.post(f"/api/v1/tableaus/{self.tableau_id}/pen/undo")

    def errand(self) -> Any:
        """As the page asks for it."""
        told: Any = self.client.get(f"/api/v1/tableaus/{self.tableau_id}/progress").json
        return told["errand"]

    def step(self) -> bool:
        """Do what comes next, as the queue does; whether there was anything."""
        claimed = self.leases.claim()
        if claimed is None:
            return False
        assert isinstance(claimed, ClaimedErrand)
        self.services.queue._leases = self.leases
        self.services.queue._work(self, claimed)  # type: ignore[arg-type]
        return True

    def work(self) -> Any:
        """Do all of it; what came of it."""
        while self.step():
            pass
        return self.errand()

    def photo_id(self) -> str:
        """Of a photo that is kept."""
        with self.services.database.snapshot() as session:
            return session.scalars(select(Shot.photo_id)).first() or ""

    def pen(self) -> PenProfile | None:
        known = kept_pen(self.owner, self.pens)
        return None if known is None else known.pen


def shorter(scan: Scan) -> Scan:
    """The reading, with the path's end not seen."""
    (stroke,), (line,) = scan.tableau.path, scan.path_px
    seen = msgspec.structs.replace(scan.tableau, path=(stroke[:-2],))
    return replace(scan, tableau=seen, path_px=(line[:-2],))


def photo_waits(table: Table) -> str:
    """A photo of somebody else's comes; the id of its shot."""
    with table.services.database.transaction() as session:
        stored = StoredPhoto(f"{session.query(Shot).count():064x}", "image/jpeg", 900, 600, 1)
        session.add(tableau := Tableau())
        session.flush()
        shot = add_shot(session, tableau, stored)
        session.flush()
        return shot.id


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app)


def test_a_tap_is_answered_before_anything_is_read(table: Table) -> None:
    answer = table.tap()
    assert answer.status_code == 202 and answer.json["state"] == "waiting" and answer.json["kind"] == "pen"
    assert table.asked == [] and table.pen() is None
    assert table.errand() == answer.json


def test_what_a_tap_changes_is_told_photo_by_photo(table: Table) -> None:
    table.tap()
    table.step()
    begun = table.errand()
    assert begun["state"] == "waiting" and begun["pen"] == {"kept": True, "photos": []}
    assert table.pen() == FAINT
    done = table.work()
    assert table.asked == ["learn_pen_in", "read_shot", "read_shot"]
    assert done["state"] == "done" and len(done["pen"]["photos"]) == 2
    (photo, _) = done["pen"]["photos"]
    places = len(true_reading("table-07").tableau.path[0])
    assert (photo["before"]["places"], photo["after"]["places"]) == (places, places - 2)
    assert photo["changed"] and not photo["stays"] and photo["round"] == 1
    review: Any = table.client.get(f"/api/v1/tableaus/{table.tableau_id}/review").json
    assert len(review["reading"]["record"]["path"][0]) == places - 2 and review["errand"] == done


def test_one_undo_takes_a_tap_back(table: Table) -> None:
    keep_pen(table.owner, OLDER, table.pens)
    table.tap()
    table.work()
    table.reads = true_reading("table-07")
    assert table.undo().status_code == 202
    assert table.pen() == FAINT  # It is done in its turn ...
    done = table.work()
    assert table.pen() == OLDER and done["kind"] == "pen-undo" and done["pen"]["kept"]
    assert [photo["changed"] for photo in done["pen"]["photos"]] == [True, True]


def test_where_no_pen_is_known_nothing_is_taken_back(table: Table) -> None:
    told = table.undo().json
    assert (told["state"], told["pen"]) == ("done", {"kept": False, "photos": []})
    assert not table.step() and table.asked == []


@pytest.mark.parametrize("ask", ["tap", "undo"])
def test_a_step_that_was_cut_short_is_done_once(table: Table, ask: str) -> None:
    keep_pen(table.owner, OLDER, table.pens)
    if ask == "undo":
        keep_pen(table.owner, FAINT, table.pens)
    getattr(table, ask)()
    claimed = table.leases.claim()
    assert isinstance(claimed, ClaimedErrand)
    # The pen is changed, and the server ends before that is noted.
    table.services.pens.step(table, claimed)  # type: ignore[arg-type]
    table.leases.leave()
    done = table.work()
    assert done["state"] == "done" and len(done["pen"]["photos"]) == 2
    kept = kept_pen(table.owner, table.pens)
    assert kept is not None
    assert (kept.pen, kept.before) == ((FAINT, OLDER) if ask == "tap" else (OLDER, None))


def test_a_tap_outlives_whoever_was_at_work_on_it(table: Table) -> None:
    table.tap()
    table.step()
    other = Leases(table.services.database, ELSEWHERE, errands=True)
    assert other.claim() is not None
    table.leases.sweep()
    assert not table.step(), "it is the other's still"
    with table.services.database.transaction() as session:
        for lease in session.scalars(select(Lease)):
            assert lease.until is not None
            lease.until -= timedelta(minutes=2)
    table.leases.sweep()
    done = table.work()
    assert done["state"] == "done" and len(done["pen"]["photos"]) == 2


def test_a_step_that_another_has_done_meanwhile_counts_once(table: Table) -> None:
    table.tap()
    table.step()
    late = table.leases.claim()
    assert isinstance(late, ClaimedErrand)
    table.leases.leave()  # It took too long: others go on.
    assert table.step()
    table.services.queue._work(table, late)  # type: ignore[arg-type]
    done = table.work()
    assert done["state"] == "done" and len(done["pen"]["photos"]) == 2
    assert table.asked == ["learn_pen_in"] + ["read_shot"] * 3


def test_of_two_taps_at_once_the_second_is_told_to_wait(table: Table) -> None:
    assert [table.tap().status_code for _ in range(2)] == [202, 409]
    assert table.undo().status_code == 409
    table.work()
    assert table.tap().status_code == 202


def test_a_deleted_tableau_takes_no_tap_and_ends_one(table: Table) -> None:
    table.tap()
    assert table.client.delete(f"/api/v1/tableaus/{table.tableau_id}").status_code < 300
    assert table.tap().status_code == 404
    while table.step():
        pass
    with table.services.database.snapshot() as session:
        errand = session.scalars(select(Errand)).one()
    assert errand.state == "failed" and errand.error is not None and errand.error["code"] == "not-found"
    assert table.pen() is None


def test_a_tableau_without_a_photo_takes_no_tap(client: FlaskClient) -> None:
    tableau: Any = client.post("/api/v1/tableaus", json={}).json
    answer = client.post(f"/api/v1/tableaus/{tableau['id']}/pen", json=TAP)
    assert answer.status_code == 400 and answer.json is not None
    assert answer.json["error"]["code"] == "no-photo"


def test_where_no_line_is_it_is_said_so(table: Table) -> None:
    table.instead["learn_pen_in"] = [no_line(NOT_READ)]
    table.tap()
    done = table.work()
    assert done["state"] == "failed" and "line" in done["error"] and done["pen"] is None
    assert table.pen() is None and table.asked == ["learn_pen_in"]


def test_a_photo_that_cannot_be_read_now_stays_as_it_was(table: Table) -> None:
    failed = WaymarkError(Code.NO_CARD, written("There is no card.", "カードがありません。"))
    table.instead["read_shot"] = [Died("exit status -6", own_fault=True), failed]
    table.tap()
    done = table.work()
    assert done["state"] == "done" and done["pen"] == {"kept": True, "photos": []}
    assert table.asked == ["learn_pen_in", "read_shot", "read_shot"]


def test_what_ends_the_process_again_is_given_up(table: Table) -> None:
    table.instead["learn_pen_in"] = [Died("exit status -6", own_fault=True)] * 2
    table.tap()
    done = table.work()
    assert done["state"] == "failed" and table.pen() is None


def test_photos_come_first_and_an_errand_not_for_ever_last(table: Table) -> None:
    table.tap()
    ids = [photo_waits(table) for _ in range(3)]
    first = table.leases.claim()
    assert first is not None and first.id == ids[0]
    with table.services.database.transaction() as session:
        errand = session.scalars(select(Errand)).one()
        errand.created_at -= ERRAND_PATIENCE * 2
    second, third = table.leases.claim(), table.leases.claim()
    assert isinstance(second, ClaimedErrand) and third is not None and third.id == ids[1]
    table.leases.give_back(second.id, charged=False)
    only_photos = Leases(table.services.database, ELSEWHERE)
    last = only_photos.claim()
    assert last is not None and last.id == ids[2]
    assert not only_photos.waiting() and table.leases.waiting()


def test_what_was_asked_long_ago_is_forgotten(table: Table) -> None:
    table.tap()
    table.work()
    with table.services.database.transaction() as session:
        session.scalars(select(Errand)).one().created_at -= ERRAND_MEMORY * 2
    table.leases.sweep()
    assert table.errand() is None


# --- the page -----------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    ("language", "reading", "known"),
    [("en", "Learning the pen", "The pen is learned"), ("ja", "ペンを調べ", "ペンを覚えました")],
)
def test_the_page_tells_what_a_tap_changed(
    new_page: Any, live: LiveServer, monkeypatch: pytest.MonkeyPatch, language: str, reading: str, known: str
) -> None:
    table, go_on = Table(live.app), threading.Event()

    def step(_reader: object, claimed: ClaimedErrand) -> Any:
        if claimed.outcome is not None:
            go_on.wait(PATIENCE_SECONDS)
        return live.services.pens.step(table, claimed)  # type: ignore[arg-type]

    monkeypatch.setattr(live.services.queue, "_steps", step)
    page = new_page(language=language)
    page.goto(f"/tableaus/{table.tableau_id}")
    page.locator("#viewer image").first.wait_for()
    page.locator("#pen summary").tap()
    assert page.locator("[data-pen=undo]").is_hidden()
    page.locator("[data-pen=tap]").tap()
    page.locator("#viewer").tap()
    page.locator("#pen-said", has_text=reading).wait_for()
    # Who comes while it is done sees so, and hears what came of it.
    page.reload()
    page.locator("#pen summary").tap()
    page.locator("#pen-said", has_text=reading).wait_for()
    assert page.locator("[data-pen=tap]").is_disabled()
    go_on.set()
    page.locator("#pen-said", has_text=known).wait_for(timeout=PATIENCE_SECONDS * 1000)
    assert page.locator("#pen-changes li").count() == 2 and "→" in page.inner_text("#pen-changes")
    assert page.locator("[data-pen=tap]").is_enabled()
    assert faults(page) == []
    keep_screenshot(page, f"review-pen-phone-{language}")
    table.reads = true_reading("table-07")
    page.locator("[data-pen=undo]").tap()
    page.locator("[data-pen=undo]").wait_for(state="hidden", timeout=PATIENCE_SECONDS * 1000)
    assert table.pen() is None


# --- a card that is new -------------------------------------------------------------------------------------


def asked_of_a_new_card(table: Table) -> tuple[str, dict[str, Any]]:
    """A tableau of the table's own box whose first card looks unlike its art, and what a person asks."""
    scan = true_reading("table-07")
    folder = table.services.config.data / "boxes" / "ours"
    untraced_deck(folder, {card.card: "yes" for card in scan.tableau.cards})
    question = Question("card", "0", ("as read",), *REASONS["unlike-its-art"].pair, (0, 0, 400, 400))
    asked = replace(question, name="card:unlike-its-art:0")
    with table.services.database.transaction() as session:
        session.add(tableau := Tableau(deck="ours"))
        session.flush()
        shot = add_shot(session, tableau, StoredPhoto(table.photo_id(), "image/jpeg", 1600, 1200, 1))
        session.flush()
        catalogue = table.services.shelf.catalogue_of("ours")
        take_reading(session, catalogue, shot, replace(scan, questions=(asked,), sure=False))
        return tableau.id, {"question": asked.name, "version": tableau.version}


def test_a_card_that_is_new_comes_into_the_box_in_its_turn(table: Table) -> None:
    table.tableau_id, given = asked_of_a_new_card(table)
    path = f"/api/v1/tableaus/{table.tableau_id}/new-card"
    answer = table.client.post(path, json=given)
    assert answer.status_code == 202 and table.asked == []
    assert table.client.post(path, json=given).status_code == 409
    assert table.step()
    assert table.asked == ["enrol_played"]
    errand = table.errand()
    assert errand["state"] == "done" and errand["card"] == {"deck": "ours", "card": "D14", "new": True}
    # The photo that shows it is read again.
    claimed = table.leases.claim()
    assert isinstance(claimed, Claimed) and claimed.photo_id == table.photo_id()
    assert (table.services.config.data / "boxes" / "ours" / ENROL / WAITING / "propose").exists()


def test_a_card_is_cut_out_of_what_the_person_looked_at(table: Table) -> None:
    table.tableau_id, given = asked_of_a_new_card(table)
    path = f"/api/v1/tableaus/{table.tableau_id}/new-card"
    assert table.client.post(path, json={**given, "version": 0}).status_code == 409
    assert table.client.post(path, json={**given, "question": "path:gap:0.f1"}).status_code == 409
    assert not table.step()
