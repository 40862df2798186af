"""Several devices on one game: what one of them enters, no other one overwrites unseen."""

from __future__ import annotations

import json
from typing import Any

import pytest
from api_calls import Call, Calls
from flask import Flask
from live_server import PHONE, TABLET
from page_looks import faults, keep_screenshot
from put_readings import put_reading
from touches import tap_at

COLOURS = ("red", "blue", "green")


@pytest.fixture
def phone(app: Flask) -> Call:
    return Calls(app.test_client())


@pytest.fixture
def tablet(app: Flask) -> Call:
    return Calls(app.test_client())


@pytest.fixture
def game(phone: Call) -> Any:
    players = [{"name": n, "colour": c} for n, c in zip(("Aya", "Ben", "Chie"), COLOURS, strict=True)]
    return phone("POST", "/games", {"players": players}, status=201)


@pytest.fixture
def entry(game: Any) -> str:
    return f"/entries/{game['rounds'][0]['entries'][0]['id']}"


# --- scores written by hand


def test_what_another_device_wrote_is_not_overwritten_unseen(
    phone: Call, tablet: Call, app: Flask, entry: str
) -> None:
    phone("PATCH", entry, {"primary_vp": 8, "seen": {"primary_vp": None}})
    late = {"primary_vp": 9, "escaped": True, "seen": {"primary_vp": None, "escaped": None}}
    error = tablet("PATCH", entry, late, status=409)["error"]
    assert error["code"] == "conflict"
    assert "it now says: primary objective 8;" in error["message"]
    japanese = app.test_client().patch(f"/api/v1{entry}", json=late, headers={"Accept-Language": "ja"}).json
    assert japanese is not None
    assert japanese["error"]["message"].startswith("別の端末で変更されました(主目標 8)。")
    kept = tablet("GET", entry)
    assert (kept["primary_vp"], kept["escaped"]) == (8, None), "all of it or nothing is written"
    # Who wrote the same, or something else, or has looked again, is in nobody's way.
    tablet("PATCH", entry, {"primary_vp": 8, "seen": {"primary_vp": None}})
    tablet("PATCH", entry, {"secondary_vp": 3, "seen": {"secondary_vp": None}})
    assert tablet("PATCH", entry, {"primary_vp": 9, "seen": {"primary_vp": 8}})["primary_vp"] == 9
    assert tablet("PATCH", entry, {"primary_vp": 7})["primary_vp"] == 7


def test_what_was_typed_is_undone_step_by_step(phone: Call, entry: str) -> None:
    first = phone("PATCH", entry, {"primary_vp": 3})
    second = phone("PATCH", entry, {"primary_vp": 6, "escaped": True})
    back = phone("POST", f"{entry}/undo", {"change": second["change"]})
    assert (back["primary_vp"], back["escaped"], back["typed"]) == (3, None, True)
    assert back["change"] == first["change"], "what can be undone next"
    back = phone("POST", f"{entry}/undo", {"change": first["change"]})
    assert (back["primary_vp"], back["typed"], back["change"]) == (None, False, None)
    assert phone("POST", f"{entry}/undo", {"change": first["change"]}) == back, "a double tap"
    phone("POST", f"{entry}/undo", {"change": "no-such-change"}, status=404)


def test_undo_takes_back_what_it_names_and_nothing_newer(
    phone: Call, tablet: Call, app: Flask, entry: str
) -> None:
    mine = phone("PATCH", entry, {"primary_vp": 8, "secondary_vp": 2})
    theirs = tablet("PATCH", entry, {"primary_vp": 9, "seen": {"primary_vp": 8}})
    undo = {"change": mine["change"]}
    error = phone("POST", f"{entry}/undo", undo, status=409)["error"]
    assert error["code"] == "conflict"
    assert "it now says: primary objective 9;" in error["message"]
    japanese = app.test_client().post(f"/api/v1{entry}/undo", json=undo, headers={"Accept-Language": "ja"})
    assert "(主目標 9)" in (japanese.json or {})["error"]["message"]
    kept = phone("GET", entry)
    assert (kept["primary_vp"], kept["secondary_vp"]) == (9, 2)
    # Once the newer one is taken back, the older one stands again and can be.
    assert tablet("POST", f"{entry}/undo", {"change": theirs["change"]})["primary_vp"] == 8
    assert phone("POST", f"{entry}/undo", undo)["primary_vp"] is None


def test_undo_leaves_what_another_device_wrote_beside_it(phone: Call, tablet: Call, entry: str) -> None:
    mine = phone("PATCH", entry, {"primary_vp": 8})
    theirs = tablet("PATCH", entry, {"secondary_vp": 3})
    back = phone("POST", f"{entry}/undo", {"change": mine["change"]})
    assert (back["primary_vp"], back["secondary_vp"], back["typed"]) == (None, 3, True)
    back = tablet("POST", f"{entry}/undo", {"change": theirs["change"]})
    assert (back["secondary_vp"], back["typed"]) == (None, False), "nothing that was typed is left"


def test_who_wrote_nothing_new_has_nothing_to_take_back(phone: Call, tablet: Call, entry: str) -> None:
    phone("PATCH", entry, {"primary_vp": 8})
    assert tablet("PATCH", entry, {"primary_vp": 8})["change"] is None
    other = tablet("PATCH", entry.replace(entry, entry), {"fairy_tokens": {"key": 1}})
    assert other["change"] is None


def test_an_entry_undoes_only_changes_of_its_own(phone: Call, game: Any) -> None:
    mine, other = (f"/entries/{each['id']}" for each in game["rounds"][0]["entries"][:2])
    change = phone("PATCH", mine, {"primary_vp": 8})["change"]
    phone("POST", f"{other}/undo", {"change": change}, status=404)
    assert phone("GET", mine)["primary_vp"] == 8


def test_the_photo_is_not_followed_over_what_was_not_seen(phone: Call, tablet: Call, entry: str) -> None:
    phone("PATCH", entry, {"primary_vp": 8})
    tablet("PATCH", entry, {"primary_vp": 9})
    follow = f"{entry}/follow-photo"
    assert "9" in phone("POST", follow, {"seen": {"primary_vp": 8}}, status=409)["error"]["message"]
    followed = phone("POST", follow, {"seen": {"primary_vp": 9}})
    assert (followed["primary_vp"], followed["typed"]) == (None, False)
    typed = tablet("PATCH", entry, {"escaped": True})
    assert (
        "escaped"
        in phone("POST", f"{entry}/undo", {"change": followed["change"]}, status=409)["error"]["message"]
    )
    tablet("POST", f"{entry}/undo", {"change": typed["change"]})
    assert phone("POST", f"{entry}/undo", {"change": followed["change"]})["primary_vp"] == 9


# --- means and the market


def test_taps_on_different_chips_all_count(phone: Call, tablet: Call, entry: str) -> None:
    phone("PATCH", entry, {"fairy_tokens": {"sword": 1}, "seen": {"fairy_tokens": {"sword": 0}}})
    tablet("PATCH", entry, {"fairy_tokens": {"rope": 1}, "seen": {"fairy_tokens": {"rope": 0}}})
    phone("PATCH", entry, {"spellbooks": {"SB-4": True}})
    tablet("PATCH", entry, {"spellbooks": {"SB-2": True}})
    phone("PATCH", entry, {"optimizers_used": {"recycle": 1}, "seen": {"optimizers_used": {"recycle": 0}}})
    held = tablet("PATCH", entry, {"optimizers_used": {"scissors": 2}})
    assert held["fairy_tokens"] == {"sword": 1, "rope": 1}
    assert held["spellbooks"] == ["SB-4", "SB-2"]
    assert held["optimizers_used"] == {"recycle": 1, "scissors": 2}
    held = phone("PATCH", entry, {"spellbooks": {"SB-4": False}, "fairy_tokens": {"sword": 0}})
    assert (held["spellbooks"], held["fairy_tokens"]) == (["SB-2"], {"rope": 1})


def test_taps_on_one_chip_mean_one_token_and_a_bought_one_is_not_lost(
    phone: Call, tablet: Call, entry: str
) -> None:
    tap = {"fairy_tokens": {"key": 1}, "seen": {"fairy_tokens": {"key": 0}}}
    for device in (phone, tablet):
        assert device("PATCH", entry, tap)["fairy_tokens"] == {"key": 1}
    tablet("POST", f"{entry}/purchases", {"kind": "fairy", "what": "key"}, status=201)
    away = {"fairy_tokens": {"key": 0}, "seen": {"fairy_tokens": {"key": 1}}}
    assert "fairy tokens (key): 2" in phone("PATCH", entry, away, status=409)["error"]["message"]
    assert phone("GET", entry)["fairy_tokens"] == {"key": 2}


def test_a_spellbook_of_a_later_round_stays_when_an_earlier_one_changes(
    phone: Call, tablet: Call, game: Any
) -> None:
    second, third = (f"/entries/{game['rounds'][number]['entries'][0]['id']}" for number in (1, 2))
    tablet("PATCH", third, {"spellbooks": {"SB-5": True}})
    phone("PATCH", second, {"spellbooks": {"SB-1": True}})
    assert phone("GET", third)["spellbooks"] == ["SB-5", "SB-1"]
    phone("PATCH", second, {"spellbooks": {"SB-1": False}})
    assert phone("GET", third)["spellbooks"] == ["SB-5"]


def test_undoing_means_on_the_review_page_leaves_what_was_tapped_since(
    phone: Call, tablet: Call, app: Flask, entry: str
) -> None:
    put_reading(app, entry.removeprefix("/entries/"), "table-07")
    tableau = f"/tableaus/{phone('GET', entry)['tableau_id']}"
    version = phone("GET", tableau)["version"]
    means = {"kind": "means", "fairy_tokens": {"sword": 1}, "spellbooks": ["SB-4"]}
    phone("POST", f"{tableau}/corrections", {"version": version, "correction": means})
    held = tablet("PATCH", entry, {"fairy_tokens": {"rope": 1}, "spellbooks": {"SB-2": True}})
    assert (held["fairy_tokens"], held["spellbooks"]) == ({"sword": 1, "rope": 1}, ["SB-4", "SB-2"])
    # What was looked at before the tap is not corrected, nor undone.
    late = {"kind": "means", "fairy_tokens": {}, "spellbooks": []}
    phone("POST", f"{tableau}/corrections", {"version": version + 1, "correction": late}, status=409)
    for change, left in (
        ("undo", ({"rope": 1}, ["SB-2"])),
        ("redo", ({"sword": 1, "rope": 1}, ["SB-2", "SB-4"])),
    ):
        phone("POST", f"{tableau}/{change}", {"version": phone("GET", tableau)["version"]})
        now = phone("GET", entry)
        assert (now["fairy_tokens"], now["spellbooks"]) == left


def test_both_buy(phone: Call, tablet: Call, entry: str) -> None:
    for device, key in ((phone, "a"), (tablet, "b"), (phone, "a")):
        device("POST", f"{entry}/purchases", {"kind": "fairy", "what": "key", "client_key": key}, status=201)
    bought = phone("GET", entry)
    assert (len(bought["purchases"]), bought["fairy_tokens"]) == (2, {"key": 2})


# --- rounds, seats, the game


CHANGES = [
    # What is changed by whom from what was seen, what the other one wanted from the same, how it is told.
    ("round", "primary", None, "key", "barrel", "primary objective: key"),
    ("round", "secondary", None, "monster", None, ""),
    ("round", "hourglass", False, True, False, ""),
    ("game", "title", "", "夜の卓", "Friday", "title “夜の卓”"),
    ("game", "location", "", "家", "home", "place “家”"),
    ("game", "notes", "", "とても接戦\nだった", "close", "notes “とても接戦 だった”"),
    ("seat", "name", "Aya", "Aya K", "Aya M", "name “Aya K”"),
    ("seat", "colour", "red", "purple", "yellow", "colour purple"),
]


@pytest.mark.parametrize(("noun", "column", "seen", "mine", "theirs", "told"), CHANGES)
def test_whatever_is_changed_is_not_changed_unseen(
    phone: Call, tablet: Call, game: Any, noun: str, column: str, seen: Any, mine: Any, theirs: Any, told: str
) -> None:
    path = {
        "game": f"/games/{game['id']}",
        "round": f"/games/{game['id']}/rounds/1",
        "seat": f"/seats/{game['seats'][0]['id']}",
    }[noun]
    phone("PATCH", path, {column: mine, "seen": {column: seen}})
    if told:
        error = tablet("PATCH", path, {column: theirs, "seen": {column: seen}}, status=409)["error"]
        assert f"it now says: {told};" in error["message"]
    else:
        # Who wants what stood there has nothing against what stands now: both see the same.
        tablet("PATCH", path, {column: mine, "seen": {column: seen}})
    now = tablet("GET", f"/games/{game['id']}")
    shown = {"game": now, "round": now["rounds"][0], "seat": now["seats"][0]}[noun]
    assert shown[column] == mine
    tablet("PATCH", path, {column: theirs, "seen": {column: mine}})


def test_a_page_has_line_breaks_of_its_own(phone: Call, game: Any) -> None:
    path = f"/games/{game['id']}"
    phone("PATCH", path, {"notes": "接戦\r\n雨"})
    kept = phone("PATCH", path, {"notes": "接戦\n雨\n続く", "seen": {"notes": "接戦\n雨"}})
    assert kept["notes"] == "接戦\n雨\n続く"


def test_house_rules_are_not_changed_unseen(phone: Call, tablet: Call, game: Any) -> None:
    path = f"/games/{game['id']}"
    phone("PATCH", path, {"settings": {"card_limit": 6}, "seen": {"settings": {}}})
    late = {"settings": {"time_bonus_vp": 2}, "seen": {"settings": {}}}
    assert "other house rules" in tablet("PATCH", path, late, status=409)["error"]["message"]
    assert phone("GET", path)["settings"]["card_limit"] == 6


def test_words_about_a_photo_and_a_player_are_not_changed_unseen(
    phone: Call, tablet: Call, game: Any, entry: str
) -> None:
    tableau = f"/tableaus/{phone('POST', f'{entry}/tableau')['tableau_id']}"
    person = f"/persons/{game['seats'][0]['person_id']}"
    phone("PATCH", tableau, {"notes": "long " * 50, "seen": {"notes": ""}})
    assert (
        "“long long"
        in tablet("PATCH", tableau, {"notes": "x", "seen": {"notes": ""}}, status=409)["error"]["message"]
    )
    phone("PATCH", person, {"name": "あや", "seen": {"name": "Aya"}})
    assert (
        "“あや”"
        in tablet("PATCH", person, {"name": "Aja", "seen": {"name": "Aya"}}, status=409)["error"]["message"]
    )
    assert phone("GET", person)["person"]["name"] == "あや"


def test_the_time_bonus_given_twice_is_told(phone: Call, tablet: Call, game: Any) -> None:
    aya, ben, chie = (seat["id"] for seat in game["seats"])
    path = f"/games/{game['id']}/rounds/1"
    phone("PATCH", path, {"time_bonus_seat": aya, "seen": {"time_bonus_seat": None}})
    late = {"time_bonus_seat": ben, "seen": {"time_bonus_seat": None}}
    assert "time bonus: Aya" in tablet("PATCH", path, late, status=409)["error"]["message"]
    # The score sheet of one player gives it, too, and takes it from whoever has it.
    sheet = f"/entries/{game['rounds'][0]['entries'][2]['id']}"
    error = tablet("PATCH", sheet, {"time_bonus": True, "seen": {"time_bonus_seat": None}}, status=409)[
        "error"
    ]
    assert "time bonus: Aya" in error["message"]
    taken = tablet("PATCH", sheet, {"time_bonus": True, "seen": {"time_bonus_seat": aya}})
    assert (taken["time_bonus"], taken["time_bonus_seat"]) == (True, chie)
    # Nor is it said unseen that nobody has it, or taken from nobody.
    nobody = {"nobody_first": True, "seen": {"time_bonus_seat": None, "nobody_first": False}}
    assert "time bonus: Chie" in phone("PATCH", path, nobody, status=409)["error"]["message"]
    phone("PATCH", f"/games/{game['id']}/rounds/2", {"nobody_first": True})
    of_round_2 = f"/entries/{game['rounds'][1]['entries'][0]['id']}"
    for where, late in (
        (f"/games/{game['id']}/rounds/2", {"time_bonus_seat": ben, "seen": {"nobody_first": False}}),
        (of_round_2, {"time_bonus": True, "seen": {"time_bonus_seat": None, "nobody_first": False}}),
    ):
        message = tablet("PATCH", where, late, status=409)["error"]["message"]
        assert "nobody was first to finish" in message
    # Without an hourglass nobody has it: neither is that taken from somebody unseen.
    off = {"hourglass": False, "seen": {"hourglass": True, "time_bonus_seat": None}}
    assert "time bonus: Chie" in phone("PATCH", path, off, status=409)["error"]["message"]
    assert phone("GET", f"/games/{game['id']}")["rounds"][0]["time_bonus_seat"] == chie


def test_steps_ticked_on_two_devices_are_all_ticked(phone: Call, tablet: Call, game: Any) -> None:
    path = f"/games/{game['id']}/rounds/1"
    phone("PATCH", path, {"checklist": {"0": True}})
    now = tablet("PATCH", path, {"checklist": {"1": True}})
    assert [step["done"] for step in now["rounds"][0]["checklist"]][:2] == [True, True]


def test_a_game_is_ended_once(phone: Call, tablet: Call, game: Any) -> None:
    path = f"/games/{game['id']}"
    ended = phone("PATCH", path, {"finished": True})["finished_at"]
    assert tablet("PATCH", path, {"finished": True})["finished_at"] == ended


def test_every_change_can_say_what_was_seen(app: Flask) -> None:
    """Whatever PATCH takes stands in its `seen`, too, unless it is merged by its parts."""
    document = json.loads(app.test_client().get("/api/v1/openapi.json").data)
    merged = {"checklist", "spellbooks", "finished", "given_up", "time_bonus"}
    schemas = document["components"]["schemas"]

    def properties(schema: Any) -> Any:
        return schemas[schema["$ref"].rsplit("/", 1)[1]]["properties"]

    bodies = {
        path: properties(operation["patch"]["requestBody"]["content"]["application/json"]["schema"])
        for path, operation in document["paths"].items()
        # A box tells the name that was seen, a card's is its address.
        if "patch" in operation and not path.startswith("/decks/")
    }
    assert len(bodies) == 6
    for path, body in bodies.items():
        seen = body["seen"].get("allOf", [body["seen"]])[0]
        assert set(body) - {"seen"} - merged <= set(properties(seen)), path


def test_one_number_tells_of_every_change_in_any_game(phone: Call, tablet: Call, game: Any) -> None:
    path = f"/games/{game['id']}"
    changes: list[tuple[str, str, Any, int]] = [
        (
            "POST",
            "/games",
            {"players": [{"name": "Dai", "colour": "red"}, {"name": "Emi", "colour": "blue"}]},
            201,
        ),
        ("PATCH", path, {"title": "The long evening"}, 200),
        ("PATCH", f"{path}/rounds/1", {"primary": "key"}, 200),
        ("PATCH", f"/entries/{game['rounds'][0]['entries'][0]['id']}", {"primary_vp": 4}, 200),
        ("PATCH", f"/seats/{game['seats'][0]['id']}", {"name": "Aya-chan"}, 200),
        ("DELETE", path, None, 204),
        ("POST", f"{path}/restore", None, 200),
    ]
    told = phone("GET", "/games/version")["version"]
    for method, change, body, status in changes:
        tablet(method, change, body, status=status)
        now = phone("GET", "/games/version")["version"]
        assert now > told, change
        told = now
    assert phone("GET", "/games/version")["version"] == told


# --- in the browser


@pytest.mark.long
def test_two_devices_at_one_table(new_page: Any) -> None:
    phone, tablet = new_page(size=PHONE), new_page(size=TABLET, language="ja")
    players = [{"name": n, "colour": c} for n, c in zip(("Aya", "Ben", "Chie"), COLOURS, strict=True)]
    # The start page follows what another device begins and ends.
    tablet.goto("/")
    game = phone.request.post("/api/v1/games", data={"players": players, "title": "The long evening"}).json()
    aya, ben, chie = (entry["id"] for entry in game["rounds"][0]["entries"])
    for finished, where in ((None, ".game-card"), (True, ".finished-game"), (False, ".game-card")):
        if finished is not None:
            phone.request.patch(f"/api/v1/games/{game['id']}", data={"finished": finished})
        tablet.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        tablet.locator(where, has_text="The long evening").wait_for()
    assert not faults(tablet)

    def kept(entry_id: str) -> Any:
        return phone.request.get(f"/api/v1/entries/{entry_id}").json()

    # Two score sheets of one player are open.
    for page in (phone, tablet):
        page.goto(f"/games/{game['id']}")
        page.locator("[data-edit]").first.tap()
    sheet = tablet.locator("#editor")
    phone.get_by_label("Primary objective", exact=True).fill("8")
    tap_at(phone, 5, 5)  # beside the sheet: what is written in it does not get lost
    sheet.get_by_label("主目標", exact=True).fill("9")
    sheet.get_by_label("脱出せず").check()
    phone.locator("#editor").get_by_role("button", name="Save", exact=True).tap()
    phone.locator(".toast", has_text="Aya: 8 / – entered").wait_for()
    sheet.get_by_role("button", name="保存").tap()
    sheet.get_by_role("alert").get_by_text("別の端末で変更されました(主目標 8)。").wait_for()
    assert "ここで入力した値: 主目標 9。" in sheet.get_by_role("alert").inner_text()
    assert sheet.get_by_label("主目標", exact=True).input_value() == "8"
    keep_screenshot(tablet, "devices-sheet-tablet-ja", whole=False)
    sheet.get_by_label("主目標", exact=True).fill("9")
    sheet.get_by_role("button", name="保存").tap()
    tablet.locator(f"#cell-{aya} .box-primary", has_text="9").wait_for()
    assert (kept(aya)["primary_vp"], kept(aya)["escaped"]) == (9, False)

    # What another device has written since is not undone: it is told and shown.
    phone.reload()  # without the notice of the first score
    phone.locator(f"#cell-{ben}").tap()
    phone.get_by_label("Primary objective", exact=True).fill("5")
    phone.locator("#editor").get_by_role("button", name="Save", exact=True).tap()
    undo = phone.locator(".toast").last.get_by_role("button", name="Undo")
    undo.wait_for()
    tablet.request.patch(f"/api/v1/entries/{ben}", data={"primary_vp": 6})
    undo.tap()
    phone.get_by_text("A newer entry has replaced this, it now says: primary objective 6;").wait_for()
    phone.locator(f"#cell-{ben} .box-primary", has_text="6").wait_for()
    keep_screenshot(phone, "devices-undo-phone-en", whole=False)

    # The time bonus is taken back to whoever had it, and the hourglass that came with it.
    phone.locator(f"#cell-{chie}").tap()
    phone.get_by_label("First to finish", exact=True).check()
    phone.locator("#editor").get_by_role("button", name="Save", exact=True).tap()
    phone.locator(f"#cell-{chie} .circled").wait_for()
    phone.locator(".toast").last.get_by_role("button", name="Undo").tap()
    phone.locator(f"#cell-{chie} .circled").wait_for(state="detached")
    assert not kept(chie)["typed"]
    assert not phone.request.get(f"/api/v1/games/{game['id']}").json()["rounds"][0]["hourglass"]

    # Both write notes: both texts stay.
    for page, words in ((phone, "Aya was late."), (tablet, "また来週")):
        page.locator("summary h2").tap()
        page.locator("[name=notes]").fill(words)
    phone.locator("#about").get_by_role("button", name="Save").tap()
    phone.get_by_text("Saved.").wait_for()
    tablet.locator("#about").get_by_role("button", name="保存").tap()
    tablet.locator("#about").get_by_role("alert").get_by_text("メモ「Aya was late.」").wait_for()
    assert tablet.locator("[name=notes]").input_value() == "Aya was late.\nまた来週"
    keep_screenshot(tablet, "devices-notes-tablet-ja", whole=False)
    assert not faults(tablet)
    tablet.locator("#about").get_by_role("button", name="保存").tap()
    tablet.get_by_text("保存しました。").wait_for()
    phone.wait_for_function("() => document.querySelector('[name=notes]').value.includes('また来週')")

    # Taps on a page that has not heard of the other's yet: what can stand beside each other does, the rest
    # is told.
    for page in (phone, tablet):
        page.route("**/version", lambda route: route.abort())
        page.goto(f"/games/{game['id']}/rounds/1")
    held = f"[data-live=means-{aya}]"
    phone.locator(f"{held} [data-token=sword]").tap()
    phone.locator(f"{held} [data-token=sword]", has_text="1").wait_for()
    tablet.locator(f"{held} [data-token=rope]").tap()
    tablet.locator(f"{held} [data-token=rope]", has_text="1").wait_for()
    assert kept(aya)["fairy_tokens"] == {"sword": 1, "rope": 1}
    phone.route("**/api/v1/entries/**", lambda route: route.abort())
    phone.locator(f"{held} [data-token=key]").tap()
    phone.get_by_text("The server cannot be reached; try again in a moment.").wait_for()
    phone.unroute("**/api/v1/entries/**")
    phone.locator("#hourglass").tap()
    phone.locator(f"#first-{game['seats'][0]['id']}").tap()
    phone.locator(f"#first-{game['seats'][0]['id']}[aria-pressed='true']").wait_for()
    tablet.reload()
    phone.locator("#first-open").tap()
    phone.locator("#first-open:disabled").wait_for()
    phone.locator("#choose-primary").tap()
    phone.locator("#objectives [data-objective=key]").tap()
    phone.locator("#choose-primary[data-current=key]").wait_for()
    tablet.locator(f"#first-{game['seats'][1]['id']}").tap()
    tablet.get_by_text("別の端末で変更されました(タイムボーナスなし)。").wait_for()
    # The page shows what stands now, all of it.
    tablet.locator("#choose-primary[data-current=key]").wait_for()
    keep_screenshot(tablet, "devices-bonus-tablet-ja", whole=False)
    tablet.locator(f"#first-{game['seats'][1]['id']}").tap()
    tablet.locator(f"#first-{game['seats'][1]['id']}[aria-pressed='true']").wait_for()
    for page in (phone, tablet):
        page.unroute("**/version")

    # Whose photo comes next, and the final score, follow.
    tableau = tablet.request.post(f"/api/v1/entries/{aya}/tableau").json()["tableau_id"]
    phone.request.post(f"/api/v1/entries/{ben}/follow-photo", data={})
    tablet.goto(f"/tableaus/{tableau}")
    phone.goto(f"/games/{game['id']}/final")
    following = '[data-fresh="next-photo"] form[data-name="%s"]'
    tablet.locator(following % "Ben").wait_for(state="attached")
    tablet.request.patch(f"/api/v1/entries/{ben}", data={"primary_vp": 7})
    form = tablet.locator(following % "Chie")
    form.wait_for(state="attached")
    assert form.locator("[name=entry_id]").get_attribute("value") == chie
    assert (form.get_attribute("data-entry"), "Chie" in form.text_content()) == (chie, True)
    tablet.request.patch(f"/api/v1/entries/{chie}", data={"primary_vp": 1})
    tablet.locator('[data-fresh="round-end"]:not([hidden])').wait_for(state="attached")
    phone.locator("[data-live=rounds] td", has_text="7").first.wait_for()

    # In the history, too.
    phone.goto("/history")
    row = phone.locator(f'[data-game="{game["id"]}"]')
    row.locator("summary").tap()
    row.get_by_label("Place").fill("home")
    row.get_by_label("Notes").fill("Aya was late.\n また来週\nBen, too.")
    tablet.request.patch(f"/api/v1/games/{game['id']}", data={"location": "家"})
    row.get_by_role("button", name="Save").tap()
    row.get_by_role("alert").get_by_text("it now says: place “家”;").wait_for()
    assert "You had written: Place home." in row.get_by_role("alert").inner_text()
    keep_screenshot(phone, "devices-history-phone-en", whole=False)
    row.get_by_role("button", name="Save").tap()
    phone.locator(".toast", has_text="Saved.").wait_for()
    now = phone.request.get(f"/api/v1/games/{game['id']}").json()
    assert (now["location"], now["notes"].endswith("Ben, too.")) == ("家", True)
