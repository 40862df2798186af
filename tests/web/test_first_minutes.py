"""The first minutes: from the page of decks to the first scored photo, with one's own deck and a shared
tracing, by taps and waits. Seconds of a person follow the keystroke-level model (Card, Moran, Newell)."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from blank_deck import CARDS, blank_cards, work
from live_server import PHONE, PHOTOS, LiveServer

from calibration.enrol.share.sharing import write_shared
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import read_catalogue

#: Seconds for a tap with its aim, for a typed letter, and to read a new page before the first tap on it.
TAP_SECONDS, LETTER_SECONDS, READ_SECONDS = 1.5, 0.3, 5.0
#: Taps that a photo takes (the page's button, the shutter, "use this photo"), and a file (button and file).
PHOTO_TAPS, FILE_TAPS = 3, 2
MOST_SECONDS = 600.0


class Hand:
    """A person at a phone: counts taps, letters and pages, and measures the waits."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.taps = self.letters = self.pages = 0
        self.waited = 0.0

    @property
    def seconds(self) -> float:
        told = TAP_SECONDS * self.taps + LETTER_SECONDS * self.letters + READ_SECONDS * self.pages
        return told + self.waited

    def tap(self, place: Any) -> None:
        self.taps += 1
        place.tap()

    def write(self, place: Any, words: str) -> None:
        self.taps += 1
        self.letters += len(words)
        place.fill(words)

    def give(self, place: Any, file: Any, taps: int) -> None:
        self.taps += taps
        place.set_input_files(file)

    def wait(self, come: Callable[[], Any]) -> None:
        begun = time.perf_counter()
        come()
        self.waited += time.perf_counter() - begun

    def read(self, address: str) -> None:
        """Wait for a page and read it."""
        self.wait(lambda: self.page.wait_for_url(address))
        self.pages += 1


def make_the_box(hand: Hand, live: LiveServer, tracing: Path) -> None:
    """A box, its cards from one photo, and somebody's tracing of them."""
    page = hand.page
    page.goto("/decks")
    hand.pages += 1
    hand.write(page.locator("input[name=name]"), "Thursday")
    hand.write(page.locator("input[name=cards]"), str(len(CARDS)))
    hand.tap(page.locator("form.panel button"))
    hand.read("**/decks/Thursday")
    photo = {"name": "cards.jpg", "mimeType": "image/jpeg", "buffer": blank_cards(CARDS)}
    hand.give(page.locator("#deck-camera"), photo, PHOTO_TAPS)
    page.locator("#enrolment-photos li").wait_for()
    hand.wait(lambda: work(live.services.enrolling, live, "Thursday"))
    page.reload()
    told = page.locator("#enrolment-missing")
    assert f"All {len(CARDS)} cards are in the box." in told.inner_text()
    hand.give(page.locator("#shared-file"), str(tracing), FILE_TAPS)
    page.locator(".toast").wait_for()
    hand.wait(lambda: work(live.services.enrolling, live, "Thursday"))


def play_a_round(hand: Hand) -> None:
    """A game with that box, its objectives, and the first photo."""
    page = hand.page
    page.goto("/")
    hand.taps += 1  # the sign of the start page
    hand.pages += 1
    hand.tap(page.get_by_role("link", name="New game"))
    hand.read("**/games/new**")
    hand.tap(page.locator("[href*='deck=Thursday']"))
    hand.read("**/games/new?deck=Thursday**")
    for seat, name in enumerate(("Aya", "Ben")):
        hand.write(page.get_by_label("Name of the player").nth(seat), name)
    hand.tap(page.get_by_role("button", name="Begin the game"))
    hand.tap(page.get_by_role("link", name="Go to round 1"))
    hand.read("**/rounds/1")
    for kind, find in (("primary", "sword"), ("secondary", "pit")):
        hand.tap(page.locator(f"#choose-{kind}"))
        hand.tap(page.locator(f"#objectives [data-objective={find}]"))
        page.locator(f"#choose-{kind}[data-current={find}]").wait_for()
    hand.give(page.locator("input[capture]").first, str(PHOTOS / "table-07.jpg"), PHOTO_TAPS)
    hand.read("**/tableaus/*")
    hand.wait(lambda: page.locator("#score:not([hidden])").wait_for())


@pytest.mark.long
def test_the_first_photo_is_scored_within_ten_minutes(
    new_page: Any, live: LiveServer, tmp_path: Path
) -> None:
    tracing = tmp_path / "box.json"
    write_shared(bundled_catalogue(), tracing)
    hand = Hand(new_page(size=PHONE))
    make_the_box(hand, live, tracing)
    box = live.services.config.data / "boxes" / "Thursday"
    assert {card.id: card.tracing for card in read_catalogue(box).cards} == dict.fromkeys(CARDS, "yes")
    play_a_round(hand)
    print(f"{hand.taps} taps, {hand.letters} letters, {hand.pages} pages,", end=" ")
    print(f"{hand.waited:.0f} s of waits: {hand.seconds:.0f} s")
    assert hand.seconds < MOST_SECONDS
