"""What is open when a game ends, and a finished game that is changed on purpose only."""

from __future__ import annotations

import io
from typing import Any

import pytest
from api_calls import Call
from at_the_table import read_tableau
from flask import Flask
from flask.testing import FlaskClient
from live_server import PHONE, PHOTOS, LiveServer
from page_looks import box_of, faults, keep_screenshot
from put_readings import put_reading, put_reread


@pytest.fixture
def game(call: Call) -> Any:
    players = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    return call("POST", "/games", {"players": players}, status=201)


def entry(game: Any, number: int, seat: int) -> str:
    return f"/entries/{game['rounds'][number - 1]['entries'][seat]['id']}"


def shown(call: Call, game: Any, number: int, seat: int) -> Any:
    return call("GET", entry(game, number, seat))


def score_of(entry: Any) -> Any:
    return {key: entry[key] for key in ("scores", "primary_vp", "secondary_vp", "escaped", "coins_received")}


def doubts(call: Call, game: Any) -> list[str]:
    found: list[str] = call("GET", f"/games/{game['id']}/final")["doubts"]
    return found


def whole(call: Call, game: Any) -> None:
    for round_ in game["rounds"]:
        for each in round_["entries"]:
            score = {"primary_vp": 3, "secondary_vp": 2, "escaped": True}
            call("PATCH", f"/entries/{each['id']}", score)


def test_a_finished_game_is_changed_only_after_it_is_taken_up_again(call: Call, game: Any) -> None:
    bought = call("POST", f"{entry(game, 1, 0)}/purchases", {"kind": "card", "what": "3"}, status=201)
    written = call("PATCH", entry(game, 1, 0), {"primary_vp": 3})
    call("PATCH", f"/games/{game['id']}", {"finished": True})
    before = call("GET", f"/games/{game['id']}")
    changes = [
        ("PATCH", entry(game, 1, 0), {"primary_vp": 4}),
        ("PATCH", entry(game, 1, 0), {"spellbooks": {"SB-4": True}}),
        ("POST", f"{entry(game, 1, 0)}/undo", {"change": written["change"]}),
        ("POST", f"{entry(game, 1, 0)}/follow-photo", {}),
        ("POST", f"{entry(game, 1, 0)}/purchases", {"kind": "fairy", "what": "sword"}),
        ("POST", f"{entry(game, 1, 0)}/purchases/held", None),
        ("DELETE", f"/purchases/{bought['id']}", None),
        ("PATCH", f"/games/{game['id']}/rounds/1", {"primary": "key"}),
        ("PATCH", f"/games/{game['id']}", {"settings": {"card_limit": 6}}),
    ]
    for method, path, body in changes:
        assert call(method, path, body, status=409)["error"]["code"] == "game-finished", path
    assert call("GET", f"/games/{game['id']}") == before
    call("PATCH", f"/games/{game['id']}", {"title": "The long evening"})
    call("PATCH", f"/games/{game['id']}", {"finished": False})
    assert call("PATCH", entry(game, 1, 0), {"primary_vp": 4})["primary_vp"] == 4


def test_what_is_read_of_a_finished_game_is_changed_only_after_it_is_taken_up_again(
    app: Flask, call: Call, game: Any
) -> None:
    call("PATCH", f"/games/{game['id']}/rounds/1", {"primary": "sword", "secondary": "pit"})
    for seat in (0, 1):
        put_reading(app, entry(game, 1, seat).removeprefix("/entries/"), "table-07")
    path = f"/tableaus/{shown(call, game, 1, 0)['tableau_id']}"
    review = call("GET", f"{path}/review")
    shot, version = review["shots"][0]["id"], {"version": review["version"]}
    call("PATCH", f"/games/{game['id']}", {"finished": True})
    before = call("GET", f"/games/{game['id']}"), call("GET", path)
    swap = {"correction": {"kind": "swap"}, **version}
    changes = [
        ("POST", f"{path}/answers", {"question": 0, "option": 0, **version}),
        ("POST", f"{path}/corrections", swap),
        ("POST", f"{path}/undo", version),
        ("POST", f"{path}/redo", version),
        ("POST", f"{path}/restore-reading", version),
        ("POST", f"{path}/shots/{shot}/use", None),
        ("DELETE", f"{path}/shots/{shot}", None),
        ("POST", f"{path}/shots/{shot}/restore", {"use": True}),
        ("POST", f"{path}/dispute/settle", {"assumes": "backwards", **version}),
        ("POST", f"{path}/move", {"entry_id": game["rounds"][0]["entries"][1]["id"], **version}),
        ("DELETE", path, None),
    ]
    for method, change, body in changes:
        assert call(method, change, body, status=409)["error"]["code"] == "game-finished", change
    call("POST", f"{path}/claims", {"who": "Ben", "words": "That was no rope."}, status=201)
    after = call("GET", f"/games/{game['id']}"), call("GET", path)
    assert after[0]["standing"] == before[0]["standing"] and after[1]["record"] == before[1]["record"]
    call("PATCH", f"/games/{game['id']}", {"finished": False})
    call("POST", f"{path}/corrections", {**swap, "version": after[1]["version"]})
    assert call("GET", path)["record"] != before[1]["record"]


def test_a_photo_for_a_finished_game_is_kept(client: FlaskClient, call: Call, game: Any) -> None:
    call("PATCH", f"/games/{game['id']}", {"finished": True})
    photo = io.BytesIO((PHOTOS / "table-07.jpg").read_bytes())
    form = {"photo": (photo, "x.jpg"), "entry_id": entry(game, 1, 0).removeprefix("/entries/")}
    assert client.post("/api/v1/photos", data=form).status_code == 202
    assert shown(call, game, 1, 0)["state"] == "reading"


@pytest.fixture
def finished(app: Flask, call: Call, game: Any) -> str:
    """A finished game with one photo, and another that is read after the end; the path of the tableau."""
    call("PATCH", f"/games/{game['id']}/rounds/1", {"primary": "sword", "secondary": "coin"})
    put_reading(app, entry(game, 1, 0).removeprefix("/entries/"), "table-02")
    call("PATCH", f"/games/{game['id']}", {"finished": True})
    put_reading(app, entry(game, 1, 0).removeprefix("/entries/"), "table-07")
    return f"/tableaus/{shown(call, game, 1, 0)['tableau_id']}"


def test_a_photo_read_after_the_end_stands_beside_the_score_until_it_is_taken_over(
    client: FlaskClient, call: Call, game: Any, finished: str
) -> None:
    stands = shown(call, game, 1, 0)
    score, late = score_of(stands), stands["late"]
    assert stands["ruled"] == score and late["score"] != score
    says = "Aya, round 1: a photo gives a different result: primary "
    assert [words for words in doubts(call, game) if words.startswith(says)]
    for page in ("", "/rounds/1", "/final"):
        assert says in client.get(f"/games/{game['id']}{page}").text, page
    use = f"{finished}/shots/{late['shot_id']}/use"
    assert call("POST", use, status=409)["error"]["code"] == "game-finished"
    waiting = [shot["late"] for shot in call("GET", f"{finished}/review")["shots"]]
    assert waiting == [False, True]
    # Going on for another reason takes nothing over.
    call("PATCH", f"/games/{game['id']}", {"finished": False})
    assert score_of(shown(call, game, 1, 0)) == score and shown(call, game, 1, 0)["late"] == late
    version = call("POST", use)["version"]
    taken = shown(call, game, 1, 0)
    assert score_of(taken) == late["score"] and taken["late"] is None
    call("POST", f"{finished}/undo", {"version": version})
    assert score_of(shown(call, game, 1, 0)) == score


def test_what_a_finished_game_says_can_be_left_whatever_a_late_photo_says(
    call: Call, game: Any, finished: str
) -> None:
    late = shown(call, game, 1, 0)["late"]
    leave = f"{finished}/shots/{late['shot_id']}/leave"
    before = call("GET", f"/games/{game['id']}/standing")
    call("POST", leave, {})
    assert shown(call, game, 1, 0)["late"] is None and not [
        each for each in doubts(call, game) if "says" in each
    ]
    call("POST", leave, {"left": False})
    assert shown(call, game, 1, 0)["late"] == late
    assert call("GET", f"/games/{game['id']}/standing") == before
    call("DELETE", f"{finished}/shots/{late['shot_id']}", status=200)
    assert shown(call, game, 1, 0)["late"] is None


def test_ink_read_again_after_the_end_waits_as_well(app: Flask, call: Call, game: Any) -> None:
    call("PATCH", f"/games/{game['id']}/rounds/1", {"primary": "sword", "secondary": "coin"})
    put_reading(app, entry(game, 1, 0).removeprefix("/entries/"), "table-07")
    path = f"/tableaus/{shown(call, game, 1, 0)['tableau_id']}"
    put_right = {"kind": "card", "index": 4, "card": "B01"}
    version = call("GET", f"{path}/review")["version"]
    call("POST", f"{path}/corrections", {"version": version, "correction": put_right})
    score = score_of(shown(call, game, 1, 0))
    call("PATCH", f"/games/{game['id']}", {"finished": True})
    put_reread(app, path.removeprefix("/tableaus/"))
    late = shown(call, game, 1, 0)["late"]
    assert score_of(shown(call, game, 1, 0)) == score != late["score"]
    call("PATCH", f"/games/{game['id']}", {"finished": False})
    review = call("POST", f"{path}/shots/{late['shot_id']}/use")
    assert review["reading"]["cards"][4]["card"] == "B01"
    assert score_of(shown(call, game, 1, 0)) == late["score"]


def test_a_late_photo_counts_at_once_where_the_finished_game_says_nothing(
    app: Flask, call: Call, game: Any
) -> None:
    call("PATCH", f"/games/{game['id']}/rounds/1", {"primary": "sword", "secondary": "coin"})
    call("PATCH", entry(game, 1, 1), {"primary_vp": 6})
    call("PATCH", f"/games/{game['id']}", {"finished": True})
    for seat in (0, 1):
        put_reading(app, entry(game, 1, seat).removeprefix("/entries/"), "table-07")
    blank, typed = (shown(call, game, 1, seat) for seat in (0, 1))
    assert score_of(blank) == blank["ruled"] and blank["late"] is None
    # What was typed stands against a photo as ever.
    assert typed["primary_vp"] == 6 and typed["ruled"] == blank["ruled"] and typed["late"] is None


@pytest.mark.parametrize("page", ["", "/rounds/2"])
def test_every_page_of_a_finished_game_says_so(client: FlaskClient, call: Call, game: Any, page: str) -> None:
    says = "This game was finished on"
    assert says not in client.get(f"/games/{game['id']}{page}").text
    call("PATCH", f"/games/{game['id']}", {"finished": True})
    assert says in client.get(f"/games/{game['id']}{page}").text


def test_what_is_held_is_paid_for_once_and_stays_held_when_that_is_taken_back(
    client: FlaskClient, call: Call, game: Any
) -> None:
    held = {"fairy_tokens": {"sword": 2}, "spellbooks": {"SB-4": True}}
    call("PATCH", entry(game, 1, 1), held)
    call("POST", f"{entry(game, 1, 1)}/purchases", {"kind": "fairy", "what": "key"}, status=201)
    unpaid = [(each["what"], each["coins"]) for each in shown(call, game, 1, 1)["unpaid"]]
    assert unpaid == [("sword", 1), ("sword", 1), ("SB-4", 2)]
    assert "Ben, round 1: sword × 2, SB-4 held but not bought." in doubts(call, game)
    end_of_round = client.get(f"/games/{game['id']}/rounds/1").text.split('id="round-end"')[1]
    assert "SB-4 held but not bought." in end_of_round
    # In the next round the spellbook is still Ben's; that it was not paid for is told where it came.
    assert shown(call, game, 2, 1)["spellbooks"] == ["SB-4"] and not shown(call, game, 2, 1)["unpaid"]
    bought = call("POST", f"{entry(game, 1, 1)}/purchases/held", status=201)
    assert [(each["kind"], each["coins"]) for each in bought] == [("fairy", 1)] * 2 + [("spellbook", 2)]
    assert call("POST", f"{entry(game, 1, 1)}/purchases/held", status=201) == []
    assert shown(call, game, 1, 1)["coins_after"] == 6 - 1 - 4
    assert doubts(call, game) == []
    for each in bought:
        call("DELETE", f"/purchases/{each['id']}?held=stays", status=204)
    assert shown(call, game, 1, 1)["fairy_tokens"] == {"sword": 2, "key": 1}
    assert shown(call, game, 2, 1)["spellbooks"] == ["SB-4"]
    assert shown(call, game, 1, 1)["coins_after"] == 5


def test_nobody_pays_more_than_they_hold_for_what_is_held(call: Call, game: Any) -> None:
    call("PATCH", entry(game, 1, 0), {"fairy_tokens": {"sword": 5}})
    call("POST", f"{entry(game, 1, 0)}/purchases", {"kind": "card", "what": "3"}, status=201)
    error = call("POST", f"{entry(game, 1, 0)}/purchases/held", status=400)["error"]
    assert error["code"] == "too-few-coins"


def test_an_hourglass_without_anybody_first_is_open_until_somebody_is(
    client: FlaskClient, call: Call, game: Any
) -> None:
    path = f"/games/{game['id']}/rounds/1"
    call("PATCH", path, {"hourglass": True})
    assert doubts(call, game) == []
    whole(call, game)
    assert doubts(call, game) == ["Round 1: who was first to finish is not chosen yet."]
    assert "who was first to finish is not chosen yet" in client.get(f"/games/{game['id']}").text
    aya = game["seats"][0]["id"]
    call("PATCH", path, {"time_bonus_seat": aya})
    assert doubts(call, game) == []

    # Nobody can have been first on purpose: then nobody has the bonus, and nothing is open.
    first = call("PATCH", path, {"nobody_first": True})["rounds"][0]
    assert (first["hourglass"], first["nobody_first"], first["time_bonus_seat"]) == (True, True, None)
    assert [row["time_bonus"] for row in call("GET", f"/games/{game['id']}/final")["rows"]] == [0, 0]
    assert doubts(call, game) == []
    first = call("PATCH", path, {"time_bonus_seat": aya})["rounds"][0]
    assert (first["nobody_first"], first["time_bonus_seat"]) == (False, aya)
    call("PATCH", path, {"nobody_first": True})
    call("PATCH", path, {"nobody_first": False})
    assert doubts(call, game) == ["Round 1: who was first to finish is not chosen yet."]
    call("PATCH", path, {"nobody_first": True})
    first = call("PATCH", path, {"hourglass": False})["rounds"][0]
    assert (first["hourglass"], first["nobody_first"]) == (False, False)


def test_nobody_is_crowned_while_somebody_has_blank_cells(client: FlaskClient, call: Call, game: Any) -> None:
    score = {"primary_vp": 9, "secondary_vp": 2, "escaped": True}
    call("PATCH", entry(game, 1, 0), score)
    for page in (f"/games/{game['id']}/final", "/history", "/"):
        assert "In the lead" not in client.get(page).text, page
    board = client.get(f"/games/{game['id']}").text
    assert "Rank so far" in board and "Ben, round 1: some fields are empty." in board
    final = call("GET", f"/games/{game['id']}/final")
    assert final["gaps"] and final["rounds_whole"] == 0
    assert final["verdict"].startswith("So far Aya: 14 VP")
    assert call("GET", "/games")[0]["leaders"] == []
    call("PATCH", entry(game, 1, 1), {**score, "primary_vp": 3})
    assert "Rank so far" not in client.get(f"/games/{game['id']}").text
    assert call("GET", "/games")[0]["leaders"] == ["Aya"]
    assert "In the lead" in client.get("/history").text
    assert call("GET", f"/games/{game['id']}/final")["rounds_whole"] == 1


def test_a_game_in_which_nothing_is_written_ranks_nobody(client: FlaskClient, game: Any) -> None:
    assert '<span class="rank">–</span>' in client.get("/history").text
    assert '<span class="rank">1</span>' not in client.get("/history").text


@pytest.mark.long
def test_changing_a_finished_game_is_asked_about_and_impossible_points_are(new_page: Any) -> None:
    page = new_page(size=PHONE)
    players = [{"name": name, "colour": colour} for name, colour in (("Aya", "red"), ("Ben", "blue"))]
    game = page.request.post("/api/v1/games", data={"players": players}).json()
    path = f"/api/v1/games/{game['id']}"
    page.request.patch(f"{path}/rounds/1", data={"primary": "monster", "hourglass": True})
    page.request.patch(path, data={"finished": True})
    page.goto(f"/games/{game['id']}/rounds/1")
    ben = page.locator(".player-card", has=page.get_by_role("heading", name="Ben"))
    ben.get_by_role("button", name="Fairy token: Sword").tap()
    question = page.get_by_role("dialog", name="Change the finished game?")
    question.get_by_role("button", name="Leave it as it is").tap()
    page.get_by_text("This game is finished, so nothing was changed").wait_for()
    ben.get_by_role("button", name="Fairy token: Sword").tap()
    keep_screenshot(page, "finished-asked", whole=False)
    question.get_by_role("button", name="Change it anyway").tap()
    page.get_by_text("Ben: Sword held.").wait_for()
    page.locator(".finished-banner").wait_for(state="hidden")
    assert not faults(page)

    # Without the hourglass nobody is first to finish; taking that back brings both.
    first = page.locator(f"#first-{game['seats'][1]['id']}")
    first.tap()
    pressed = page.locator("[data-first][aria-pressed=true]")
    pressed.wait_for()
    page.locator("#hourglass").tap()
    first.wait_for(state="detached")
    page.locator(".toast", has_text="No hourglass").get_by_role("button", name="Undo").tap()
    pressed.wait_for()
    assert page.request.get(path).json()["rounds"][0]["time_bonus_seat"] == game["seats"][1]["id"]
    nobody = page.get_by_role("group", name="Who was first to finish?").get_by_role("button", name="Nobody")
    nobody.tap()
    pressed.wait_for(state="detached")
    assert nobody.get_attribute("aria-pressed") == "true"
    assert not faults(page)
    keep_screenshot(page, "nobody-first")

    ben.get_by_role("button", name="Bought for 1").tap()
    page.get_by_text("Ben: Sword bought.").wait_for()
    ben.get_by_role("button", name="Put back: sword").wait_for()
    # One notice at a time about a player's round; undoing leaves the token held.
    assert page.locator(".toast", has_text="Ben:").count() == 1
    page.locator(".toast").get_by_role("button", name="Undo").tap()
    ben.get_by_role("button", name="Bought for 1").wait_for()

    ben.locator("[data-edit]").tap()
    sheet = page.locator("#editor")
    sheet.get_by_label("Primary objective", exact=True).fill("7")
    sheet.get_by_label("Secondary (not halved)", exact=True).fill("999")
    sheet.get_by_role("button", name="Save").tap()
    sheet.get_by_text("7 is not a multiple of 3.").wait_for()
    sheet.get_by_text("Is that right?").wait_for()
    keep_screenshot(page, "impossible-points", whole=False)
    sheet.get_by_label("Primary objective", exact=True).fill("6")
    sheet.get_by_role("button", name="Save it anyway").tap()
    sheet.get_by_role("button", name="Save it anyway").tap()
    page.get_by_text("Ben: 6 / 999 entered").wait_for()
    boxes = ben.locator(".box-secondary")
    assert box_of(boxes)["height"] == box_of(ben.locator(".box-primary"))["height"]
    keep_screenshot(page, "one-notice", whole=False)


@pytest.mark.long
def test_reviewing_and_disputing_a_finished_game_and_late_photos_ask_first(
    new_page: Any, live: LiveServer
) -> None:
    page = new_page(size=PHONE)
    players = [{"name": name, "colour": colour} for name, colour in (("Aya", "red"), ("Ben", "blue"))]
    game = page.request.post("/api/v1/games", data={"players": players}).json()
    path = f"/api/v1/games/{game['id']}"
    page.request.patch(f"{path}/rounds/1", data={"primary": "sword", "secondary": "pit"})
    aya, ben = (each["id"] for each in game["rounds"][0]["entries"])
    tableau = read_tableau(live.services, "table-07", entry_id=aya)
    put_reading(live.app, ben, "table-02")
    page.request.patch(path, data={"finished": True})
    question = page.get_by_role("dialog", name="Change the finished game?")

    page.goto(f"/tableaus/{tableau}")
    page.locator("#actions").get_by_role("button", name="Correct").tap()
    page.locator("#editor").get_by_role("button", name="Swap the direction", exact=True).tap()
    keep_screenshot(page, "finished-review", whole=False)
    question.get_by_role("button", name="Leave it as it is").tap()
    status = page.locator("[data-editor-status]")
    status.get_by_text("This game is finished, so nothing was changed").wait_for()
    assert page.request.get(path).json()["finished_at"]
    page.locator("#editor").get_by_role("button", name="Swap the direction", exact=True).tap()
    question.get_by_role("button", name="Change it anyway").tap()
    status.get_by_text("The direction is swapped.").wait_for()
    assert not page.request.get(path).json()["finished_at"]

    page.request.patch(path, data={"finished": True})
    page.goto(f"/tableaus/{tableau}/dispute")
    page.locator("button.settle").first.tap()
    keep_screenshot(page, "finished-dispute", whole=False)
    question.get_by_role("button", name="Change it anyway").tap()
    page.get_by_text("The ruling now uses what you settled.").wait_for()
    assert not page.request.get(path).json()["finished_at"]

    page.request.patch(path, data={"finished": True})
    read_tableau(live.services, "table-07", entry_id=ben)
    for where in ("/rounds/1", "/final"):
        page.goto(f"/games/{game['id']}{where}")
        page.locator(".late-note").get_by_text("Ben, round 1: a photo gives a different result").wait_for()
        keep_screenshot(page, f"late{where.replace('/', '-')}")
    assert not faults(page)
    page.get_by_role("button", name="Let the photo count").tap()
    question.get_by_role("button", name="Change it anyway").tap()
    page.locator(".toast", has_text="Ben: the photo counts now.").get_by_role("button", name="Undo").tap()
    page.get_by_role("button", name="Let the photo count").wait_for()
    page.locator(".late-note").get_by_role("button", name="Leave it as it is").tap()
    page.get_by_text("Ben: the score of the game is kept.").wait_for()
    page.locator(".late-note").wait_for(state="detached")
