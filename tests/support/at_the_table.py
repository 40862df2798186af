"""What people at the table do in a browser, and what they know of the photos that ship: their truth."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import msgspec
from live_server import PHOTOS, LiveServer
from shared_readings import photo_file, reading_of

from scorer.record import Record
from vision.scan import Scan
from waymark.review.tableau.answers import answer
from waymark.review.tableau.assess import Assessment
from webapp.games.games import tableau_of_entry
from webapp.http.services import Services
from webapp.store.models import Entry, Tableau
from webapp.store.photos import store_original
from webapp.store.tableaus import add_shot, assessment_of, take_reading


@dataclass(frozen=True)
class Written:
    """A player's round that is written by hand: points as on the score sheet."""

    primary: int
    secondary: int
    escaped: bool
    coins: int = 0


def all_asked(read: Scan) -> Scan:
    """The reading with all asked that the ink leaves open, however unlikely ink, marks and rules make it."""
    return replace(
        read,
        questions=tuple(replace(question, behind=-1.0) for question in read.questions),
        mark_confidence=dict.fromkeys((*read.tableau.marks.circled, *read.tableau.marks.struck), 0.0),
    )


def read_tableau(
    services: Services,
    photo: str,
    *,
    every_doubt: bool = False,
    primary: str = "sword",
    secondary: str = "pit",
    entry_id: str | None = None,
) -> str:
    """A tableau of a player's round, or outside a game, with a photo that has been read; its id."""
    read = all_asked(reading_of(photo)) if every_doubt else reading_of(photo)
    with services.database.transaction() as session:
        if entry_id is None:
            tableau = Tableau(title=photo, terms={"primary": primary, "secondary": secondary})
            session.add(tableau)
        else:
            tableau = tableau_of_entry(session, session.get_one(Entry, entry_id))
        stored = store_original(services.photos, photo_file(photo).read_bytes())
        shot = add_shot(session, tableau, stored, filename=photo_file(photo).name)
        session.flush()
        take_reading(session, services.catalogue, shot, read)
        return tableau.id


def truth_of(photo: str) -> Record:
    truth = json.loads((PHOTOS / f"{photo.split('.')[0]}.truth.json").read_bytes())
    return msgspec.convert(truth["tableau"], Record)


# --- what people do -----------------------------------------------------------------------------------------


def card_of(page: Any, name: str) -> Any:
    """The part of a round's page that is a player's."""
    return page.locator(".player-card", has=page.locator("h2", has_text=name))


def write_by_hand(page: Any, name: str, written: Written) -> None:
    card_of(page, name).locator(".score-button").tap()
    editor = page.locator("#editor")
    editor.locator("[name=primary]").fill(str(written.primary))
    editor.locator("[name=secondary]").fill(str(written.secondary))
    editor.locator(f"[name=escaped][value={json.dumps(written.escaped)}]").check(force=True)
    editor.locator("[name=coins_received]").fill(str(written.coins))
    editor.locator("[value=save]").tap()
    boxes = card_of(page, name).locator(".score-button .box-primary")
    boxes.filter(has_text=str(written.primary)).wait_for()


def answer_questions(page: Any, live: LiveServer, truth: Record) -> None:
    """Tap the answer that is nearest to what was drawn, question by question, until Waymark is sure."""
    shown = page.locator("#question .answer:enabled, .badge.sure")
    shown.first.wait_for()
    while not page.locator(".badge.sure").is_visible():
        option = nearest_answer(page, live, truth)
        with page.expect_response("**/answers") as told:
            page.locator(f"#question .answer[data-option='{option}']").tap()
        assert told.value.ok, told.value.text()
        shown.first.wait_for()


def nearest_answer(page: Any, live: LiveServer, truth: Record) -> int:
    """The number of the answer to the question that is asked which leaves the least to be put right."""
    tableau_id = page.url.rsplit("/", 1)[1]
    review = page.request.get(f"/api/v1/tableaus/{tableau_id}/review").json()
    question = next(each for each in review["reading"]["questions"] if each["matters"])
    catalogue = live.services.catalogue
    with live.services.database.readers() as session:
        tableau = session.get_one(Tableau, tableau_id)
        assessment = assessment_of(session, catalogue, tableau)
        assert assessment is not None
        drawn = as_it_was_read(truth, assessment)

        def wrong(option: dict[str, Any]) -> int:
            then = answer(assessment, question["name"], option["number"])
            assert then is not None
            either_way = question["about"] != "direction"
            steps = steps_of(then.record, either_way) ^ steps_of(drawn, either_way)
            return len(steps) + len(set(then.record.marks.circled) ^ set(drawn.marks.circled))

        settling = [option for option in question["options"] if option["number"] >= 0]
        best = min(settling, key=wrong)
    number: int = best["number"]
    return number


def as_it_was_read(truth: Record, assessment: Assessment) -> Record:
    """The truth with its cards numbered as in a reading."""
    read = {card.card: str(index) for index, card in enumerate(assessment.record.cards)}
    number = {str(index): read[card.card] for index, card in enumerate(truth.cards)}

    def renamed(places: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(
            ".".join((number[card], rest)) for card, rest in (place.split(".", 1) for place in places)
        )

    marks = msgspec.structs.replace(
        truth.marks, circled=renamed(truth.marks.circled), struck=renamed(truth.marks.struck)
    )
    return msgspec.structs.replace(truth, path=tuple(renamed(stroke) for stroke in truth.path), marks=marks)


def steps_of(record: Record, either_way: bool) -> set[tuple[str, ...]]:
    steps = (step for stroke in record.path for step in pairwise(stroke))
    return {tuple(sorted(step)) if either_way else step for step in steps}
