"""A box is managed by touch, in a real browser: cards and the box itself change, and every change is undone
by one tap; questions about faces and shared dungeons are answered by one."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from live_server import PHONE, LiveServer
from page_looks import faults, keep_screenshot
from untraced_deck import untraced_deck

from calibration.enrol.catalogue_folder import changed_catalogue, write_whole
from calibration.enrol.faces.store import Asked, Faces, KnownFace, SeenPhoto, View, write_faces
from calibration.enrol.share.questions import ASKED, FOLDER, AskedCard, keep_shared
from calibration.enrol.share.sharing import write_shared
from scorer.catalogue import read_catalogue
from scorer.text import written
from webapp.decks.enrolling import Enrolling

TABLET = {"width": 1024, "height": 768}
_count = itertools.count(1)


@pytest.fixture
def box(live: LiveServer) -> Iterator[Path]:
    folder = live.services.config.data / "boxes" / f"managed-{next(_count)}"
    cards = {"S1-red": "yes", "S1-blue": "no", "D39": "yes", "D40": "proposed", "D41": "no"}
    yield untraced_deck(folder, cards)


def names(box: Path) -> list[str]:
    return [card.id for card in read_catalogue(box).cards]


def sizes(new_page: Any, kind: str) -> Any:
    """A phone in Japanese, a tablet held across in English."""
    return new_page(size=PHONE, language="ja") if kind == "phone" else new_page(size=TABLET, language="en")


def wait_until_reloaded(page: Any, tap: Any) -> None:
    with page.expect_navigation():
        tap.tap()
    page.locator(".toast").wait_for()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["phone", "tablet"])
def test_cards_and_boxes_change_and_change_back(new_page: Any, box: Path, kind: str) -> None:
    page = sizes(new_page, kind)
    page.goto(f"/decks/{box.name}")
    keep_screenshot(page, f"managing-{kind}", whole=True)
    assert not faults(page)
    page.locator("[data-card=D40]").tap()
    page.locator("#card-edit[open]").wait_for()
    assert not faults(page)
    keep_screenshot(page, f"managing-card-{kind}", whole=False)
    # A name that is taken is told in the dialog.
    page.locator("#card-name input").fill("D39")
    page.locator("#card-name button").tap()
    page.locator("#card-edit-wrong:not([hidden])").wait_for()
    keep_screenshot(page, f"managing-wrong-{kind}", whole=False)
    page.locator("#card-name input").fill("A-07")
    wait_until_reloaded(page, page.locator("#card-name button"))
    assert names(box)[3] == "A-07"
    keep_screenshot(page, f"managing-renamed-{kind}", whole=False)
    wait_until_reloaded(page, page.locator(".toast .quiet"))
    assert names(box)[3] == "D40"

    page.locator("[data-card=D41]").tap()
    wait_until_reloaded(page, page.locator("[data-take-out]"))
    assert "D41" not in names(box)
    keep_screenshot(page, f"managing-taken-out-{kind}", whole=True)
    assert not faults(page)
    wait_until_reloaded(page, page.locator("[data-put-back=D41]"))
    assert names(box)[-1] == "D41"

    art = read_catalogue(box).card("D39").art
    page.locator("[data-card=D39]").tap()
    wait_until_reloaded(page, page.locator("[data-turn]"))
    assert read_catalogue(box).card("D39").art != art
    wait_until_reloaded(page, page.locator(".toast .quiet"))
    assert read_catalogue(box).card("D39").art == art

    page.locator("#box-name input").fill("金曜の箱")
    wait_until_reloaded(page, page.locator("#box-name button"))
    assert page.locator("h1").inner_text() == "金曜の箱"
    players = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    made = page.request.post("/api/v1/games", data={"players": players, "deck": box.name})
    assert made.ok
    page.locator("[data-aside=true]").tap()
    page.locator("#aside-anyway[open]").wait_for()
    keep_screenshot(page, f"managing-aside-{kind}", whole=False)
    assert not faults(page)
    wait_until_reloaded(page, page.locator("#aside-anyway [value=anyway]"))
    page.goto("/decks")
    keep_screenshot(page, f"managing-boxes-{kind}", whole=True)
    assert not faults(page)
    page.locator(".set-aside summary").tap()
    page.locator(f".set-aside a[href='/decks/{box.name}']").tap()
    wait_until_reloaded(page, page.locator("[data-aside=false]"))
    page.goto("/decks")
    assert page.locator(f".deck-list a[href='/decks/{box.name}']").is_visible()
    page.request.delete(f"/api/v1/games/{made.json()['id']}")


def ask_about(box: Path) -> None:
    """A view of D39 that may be D39 waits for an answer."""
    face = cv2.imread(str(box / "art/D39.png"))
    assert face is not None
    small = np.asarray(cv2.resize(face, (504, 704), interpolation=cv2.INTER_AREA), np.uint8)
    for number in (0, 1):
        file = box / f"enrol/views/p-{number}.png"
        file.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(file), small)
    views = [View(file=f"views/p-{number}.png", photo="p", px_per_mm=8.0) for number in (0, 1)]
    photos = {"p": SeenPhoto(name="p.jpg", file="photos/p.jpg")}
    known = KnownFace(art="art/D39.png", views=views[:1])
    asked = [Asked("q1", "same", views[1], "art/D39.png"), Asked("q2", "same", views[1], "art/D39.png")]
    write_faces(box, Faces(photos=photos, faces=[known], asked=asked))


@pytest.mark.long
@pytest.mark.parametrize("kind", ["phone", "tablet"])
def test_questions_are_answered_by_a_tap(new_page: Any, box: Path, live: LiveServer, kind: str) -> None:
    """Whether a face is a card that the box has; and which dungeon of somebody else's file it has."""
    ask_about(box)
    theirs = untraced_deck(box.with_name(f"{box.name}-theirs"), {"D40": "yes", "D41": "yes"})
    file = box.with_name(f"{box.name}.json")
    write_shared(theirs, file)
    shutil.rmtree(theirs)
    keep_shared(box, file.read_bytes())
    question = written("Which of these cards is it: D40, D41?", "次のうちどのカードですか: D40、D41。")
    asked = [AskedCard(card="D41", options=("D40", "D41"), turn=0, question=question)]
    write_whole(box / "enrol" / FOLDER / ASKED, msgspec.json.encode(asked))
    with changed_catalogue(box) as told:
        # The box has D41 alone, under a name of its own.
        del told["cards"][3]
    page = sizes(new_page, kind)
    page.goto(f"/decks/{box.name}")
    page.locator(".sketch").first.wait_for()
    keep_screenshot(page, f"enrol-questions-{kind}", whole=True)
    assert not faults(page)
    page.locator("#enrolment-questions [data-choice=same]").first.tap()
    page.wait_for_function(
        "() => document.querySelectorAll('#enrolment-questions .face-question').length < 2"
    )
    page.locator("#enrolment-questions [data-choice=new]").tap()
    page.locator("#shared-questions [data-candidate=D41]").tap()
    page.locator("#shared-questions .face-question").wait_for(state="detached")
    assert read_catalogue(box).card("D41").tracing == "yes"
    enrolling: Enrolling = live.services.enrolling
    deck = live.services.shelf.deck(box.name)
    for _ in range(2):
        assert enrolling._work(deck)
    assert len(names(box)) == 5
