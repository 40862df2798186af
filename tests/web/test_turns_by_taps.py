"""Four turns, a dispute and the final score of the games whose turns are lists of actions in a real browser:
by taps, and one by a photo of the table. What is tapped is found by asking the referee; it is entered as a
person enters it."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from action_evening import panels_photo, temple_photo
from live_server import PHONE, TABLET, send_photo, wait_until_read
from page_looks import faults
from patience import PAGE_PATIENCE_MS

from scorer.board_record import board_from
from scorer.catalogue import load_catalogue
from scorer.ice_and_idols.game import BUNDLED as TEMPLE
from scorer.stone_dragon.game import BUNDLED as PANELS

pytestmark = pytest.mark.long

Step = dict[str, Any]
GAMES = {
    "open-stone_dragon": (("Aya", "red"), ("Ben", "blue"), ("Cem", "green")),
    "open-ice_and_idols": (("Aya", "green"), ("Ben", "blue")),
}
PHOTOS = {"open-stone_dragon": (panels_photo, PANELS), "open-ice_and_idols": (temple_photo, TEMPLE)}
#: Steps that bring a game on, before others.
FIRST = ("explore", "move", "pick", "pass", "search", "adrenaline")


def next_step(page: Any, board: str, language: str) -> tuple[Any, Step]:
    """A step that goes by the rules, one that brings the game on where there is one, and its form."""
    version = page.request.get(board).json()["version"]

    def trial(told: list[Step]) -> Any:
        told_in = {"Accept-Language": language}
        return page.request.post(f"{board}/try", data={"version": version, "steps": told}, headers=told_in)

    forms = [form for form in trial([]).json()["forms"] if form["possible"]]
    for form in sorted(forms, key=lambda each: FIRST.index(each["id"]) if each["id"] in FIRST else 99):
        needed = [field for field in form["fields"] if not field["optional"]]
        values = [
            field["likely"]
            if field["kind"] == "cell"
            else [0, 90, 180, 270]
            if field["kind"] == "rotation"
            else field["choices"]
            for field in needed
            if field["kind"] in ("cell", "rotation", "choice")
        ]
        if len(values) < len(needed):
            continue
        for chosen in product(*values):
            step = {"do": form["id"], **dict(zip([field["id"] for field in needed], chosen, strict=True))}
            tried = trial([step])
            if tried.ok and tried.json()["done"]:
                return form, step
    raise AssertionError("somebody can always do something")


def tap_in(page: Any, form: Any, step: Step) -> None:
    """Tell a step by taps: what it is, then each thing that is asked; what may be left out is."""
    chip = page.locator(f'[data-form="{form["id"]}"]')
    chip.wait_for()
    chip.tap()
    for field in form["fields"]:
        asking = page.get_by_role("group", name=field["label"], exact=True)
        asking.wait_for()
        value = step.get(field["id"])
        if value is None:
            asking.locator(":scope > .button").tap()
        elif field["kind"] == "cell":
            page.locator(f'#picture [data-cell="{value[0]},{value[1]}"]').tap()
        elif field["kind"] == "rotation":
            asking.locator(f'[data-turn="{value}"]').tap()
        else:
            asking.locator(f'[data-choice="{value}"]').tap()


def photograph(page: Any, board: str, deck: str, step: Step, file: Path) -> None:
    """Send a photo of the table after a step, and put right what was read wrong of it."""

    def act(what: str, **body: Any) -> Any:
        version = page.request.get(board).json()["version"]
        answer = page.request.post(f"{board}/{what}", data={"version": version, **body})
        assert answer.ok, answer.text()

    act("turn", steps=[step])
    right = page.request.get(f"{board}/record").json()
    act("undo")
    taken, folder = PHOTOS[deck]
    file.write_bytes(taken(load_catalogue(folder), board_from(right, anywhere=True), 3, 0))
    tableau = board.split("/")[-2]
    send_photo(page, tableau, file, anew=True)
    wait_until_read(page, tableau)
    page.wait_for_selector("#pending:not([hidden])")
    seen = page.request.get(f"{board}/record").json()
    same = {key: right[key] for key in ("tiles", "pieces", "players")}
    act("changes", change={"kind": "record", "record": {**seen, **same}})


@pytest.mark.parametrize("deck", list(GAMES))
@pytest.mark.parametrize(("size", "language"), [(PHONE, "en"), (TABLET, "ja")])
def test_four_turns_and_a_dispute(new_page: Any, deck: str, size: Any, language: str, tmp_path: Path) -> None:
    page = new_page(size=size, language=language)
    page.set_default_timeout(3 * PAGE_PATIENCE_MS)
    players = [{"name": name, "colour": colour} for name, colour in GAMES[deck]]
    made = page.request.post("/api/v1/games", data={"players": players, "deck": deck}).json()
    board = f"/api/v1/tableaus/{made['rounds'][0]['entries'][0]['tableau_id']}/board"
    page.goto(f"/games/{made['id']}")
    page.locator("#deal").tap()
    turns = page.locator("#turns li")
    for number in range(1, 5):
        page.locator("#tell-turn").wait_for()
        form, step = next_step(page, board, language)
        if number == 4 and size is PHONE:
            photograph(page, board, deck, step, tmp_path / "table.jpg")
            page.locator("#pending .verdict-legal").wait_for()
            page.locator("#take-photo-turn").tap()
        else:
            page.locator("#tell-turn").tap()
            tap_in(page, form, step)
            page.locator("#tell .verdict-legal").wait_for()
            page.locator("[data-take-turn]:not([disabled])").tap()
        turns.nth(number - 1).wait_for()
    fine = ("data-cell", "the layout shifted")
    assert not [fault for fault in faults(page) if not any(each in fault for each in fine)]
    page.locator("#claims summary").tap()
    page.locator("#claim textarea").fill("No way.")
    page.locator("#claim button").tap()
    page.locator("[data-accept]").tap()
    turns.nth(3).wait_for(state="detached")
    assert turns.count() == 3, "it was taken back"
    page.locator("#end").tap()
    page.get_by_role("link", name="Score sheet and end" if language == "en" else "得点表と終了").tap()
    page.locator(".final-table tbody tr").nth(len(players) - 1).wait_for()
    assert not faults(page)
