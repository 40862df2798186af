"""A game of Labyrinth 2 in a real browser: four turns by photos, one of them disputed, corrected by touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from board_evening import first_state, played, write_evening
from live_server import PHONE, TABLET, send_photo, wait_until_read
from page_looks import faults
from patience import PAGE_PATIENCE_MS

from samples.labyrinth2.states import State
from scorer.catalogue import load_catalogue
from scorer.labyrinth2.game import BUNDLED

pytestmark = pytest.mark.long

WORDS = {
    "en": {"stands": "The board is now as in the photo.", "legal": "This turn follows the rules."},
    "ja": {"stands": "写真のとおりの盤面にしました。", "legal": "この手番はルールどおりです。"},
}


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[State], list[Path]]:
    """A game as it began and after each turn; the third breaks a rule and is taken back."""
    catalogue = load_catalogue(BUNDLED)
    begin = first_state(catalogue, ["Aya", "Ben"], ["red", "blue"], chance=7)
    turns = played(catalogue, begin, ["", "", "walk-blocked", "", ""], chance=7)
    states = [begin, *(turn.after for turn in turns)]
    return states, write_evening(tmp_path_factory.mktemp("evening"), catalogue, states, table=11)


def begin_game(page: Any) -> tuple[str, str]:
    """A game that Aya begins; its id and its tableau's."""
    players = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    made = page.request.post("/api/v1/games", data={"players": players, "deck": "open-labyrinth2"}).json()
    return made["id"], made["rounds"][0]["entries"][0]["tableau_id"]


def make_true(page: Any, tableau: str, truth: State) -> None:
    """What was read wrong is put right, and what is asked is answered, as a careful player does."""
    from samples.labyrinth2.states import record_of
    from scorer.board_record import board_told

    path = f"/api/v1/tableaus/{tableau}/board"
    view = page.request.get(path).json()
    right = board_told(record_of(truth, load_catalogue(BUNDLED)))
    record = page.request.get(f"{path}/record").json()
    same = {key: right[key] for key in ("tiles", "spare", "pieces")}
    if any(_whatever(record[key]) != _whatever(same[key]) for key in same) or view["pending"]["questions"]:
        change = {"kind": "record", "record": {**record, **same}}
        answer = page.request.post(f"{path}/changes", data={"version": view["version"], "change": change})
        assert answer.ok, answer.text()


def _whatever(things: list[dict[str, Any]]) -> list[str]:
    return sorted(str(sorted((k, v) for k, v in each.items() if v is not None)) for each in things)


@pytest.mark.parametrize(("size", "language"), [(PHONE, "en"), (TABLET, "ja")])
def test_four_turns_by_photos_with_a_dispute(
    new_page: Any, evening: tuple[list[State], list[Path]], size: Any, language: str
) -> None:
    states, photos = evening
    words, page = WORDS[language], new_page(size=size, language=language)
    page.set_default_timeout(3 * PAGE_PATIENCE_MS)
    game, tableau = begin_game(page)
    page.goto(f"/games/{game}")

    def photograph(number: int) -> None:
        send_photo(page, tableau, photos[number], anew=True)
        wait_until_read(page, tableau)
        page.wait_for_selector("#pending:not([hidden])")
        make_true(page, tableau, states[number])
        page.wait_for_selector("#question", state="detached")

    photograph(0)
    page.locator("#take-photo-board").tap()
    page.get_by_text(words["stands"]).wait_for()
    for number in (1, 2):
        photograph(number)
        page.locator("#pending .verdict-legal").wait_for()
        assert words["legal"] in page.locator("#pending").inner_text()
        page.locator("#take-photo-turn").tap()
        page.locator(f"#turns li >> nth={number - 1}").wait_for()
    photograph(3)
    page.locator("#pending .verdict-illegal").wait_for()
    # Seven cells beside each other are no fingertips wide on a phone, and a photo that was read makes room
    # for what is asked about it.
    fine = ("data-cell", "the layout shifted")
    assert not [fault for fault in faults(page) if not any(each in fault for each in fine)]
    page.locator("#claims summary").tap()
    page.locator("#claim textarea").fill("No way.")
    page.locator("#claim button").tap()
    page.locator("[data-accept]").tap()
    page.wait_for_selector("#pending", state="hidden")
    assert page.locator("#turns li").count() == 2, "it was taken back"
    for number in (4, 5):
        photograph(number)
        page.locator("#pending .verdict-legal").wait_for()
        page.locator("#take-photo-turn").tap()
        page.locator(f"#turns li >> nth={number - 2}").wait_for()
    page.locator('[data-cell="1,1"]').tap()
    page.locator("#touch [data-other-tile]").wait_for()
    page.locator("#touch [data-close]").tap()
    page.locator("#end").tap()
    page.goto(f"/games/{game}/final")
    assert page.locator(".final-table tbody tr").count() == 2
    assert not faults(page)
