"""Games: begun, scored by hand and by photo, paid for in the market, shown on every device."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import Any

import pytest
from api_calls import Call
from flask import Flask
from flask.testing import FlaskClient
from live_server import NEW_GAME, PHONE, TABLET_WIDE
from page_looks import box_of, faults, keep_screenshot
from put_readings import put_reading
from sqlalchemy import select

from scorer.games import game_named
from scorer.mapmasters.rules.final_score import final_score, to_json
from scorer.mapmasters.rules.game_record import parse_game
from scorer.mapmasters.rules.settings import HOUSE, ONLINE, VersusSettings
from webapp.games.house_rules import as_words, house_rules, presets
from webapp.games.score_sheet import next_up
from webapp.http.services import KEY, Services
from webapp.store.models import Change, Entry, Tableau, now

COLOURS = ("red", "blue", "green", "yellow", "purple")
LONG_NAMES = ("あや", "<script>alert(1)</script>", "寿限無" * 60, '🏆 "O\'Neill"', "X")


def begin(call: Call, *names: str, **more: Any) -> Any:
    players = [{"name": name, "colour": colour} for name, colour in zip(names, COLOURS, strict=False)]
    return call("POST", "/games", {"players": players, **more}, status=201)


def entry_of(game: Any, number: int, seat: int) -> Any:
    return game["rounds"][number - 1]["entries"][seat]


def write(call: Call, game: Any, number: int, seat: int, **score: Any) -> Any:
    return call("PATCH", f"/entries/{entry_of(game, number, seat)['id']}", score)


def reread(call: Call, game: Any) -> Any:
    return call("GET", f"/games/{game['id']}")


# --- beginning


def test_a_game_has_six_rounds_and_six_coins_each(call: Call) -> None:
    game = begin(call, "あや", "Ben", title="卓", location="家")
    assert [len(round_["entries"]) for round_ in game["rounds"]] == [2] * 6
    assert set(game["coins"].values()) == {6}
    assert game["current_round"] == 1
    assert [seat["name"] for seat in game["seats"]] == ["あや", "Ben"]


@pytest.mark.parametrize(
    "names", [("Aya",), ("Aya", "Ben", "Chie", "Dan", "Eve", "Fay"), ("Aya", "Aya"), ("Aya", " ")]
)
def test_players_who_cannot_sit_down(call: Call, names: tuple[str, ...]) -> None:
    players = [{"name": name, "colour": COLOURS[seat % 5]} for seat, name in enumerate(names)]
    error = call("POST", "/games", {"players": players}, status=400)["error"]
    assert error["code"] == "bad-players"


def test_two_players_cannot_have_one_colour(call: Call) -> None:
    players = [{"name": name, "colour": "red"} for name in ("Aya", "Ben")]
    assert call("POST", "/games", {"players": players}, status=400)["error"]["code"] == "bad-players"


@pytest.mark.both_databases
def test_who_played_before_is_the_same_person(call: Call) -> None:
    first, second = begin(call, "Aya", "Ben"), begin(call, "Ben", "Chie")
    assert first["seats"][1]["person_id"] == second["seats"][0]["person_id"]


def test_the_journal_knows_who_sat_there_before(app: Flask, call: Call) -> None:
    game = begin(call, "Aya", "Ben")
    seat = game["seats"][0]
    renamed = call("PATCH", f"/seats/{seat['id']}", {"name": "Chie"})["seats"][0]
    assert renamed["person_id"] != seat["person_id"]
    services: Services = app.extensions[KEY]
    with services.database.readers() as session:
        (change,) = session.scalars(select(Change).where(Change.noun_id == seat["id"]))
    assert change.before == {"person_id": seat["person_id"], "name": "Aya"}
    assert change.after == {"person_id": renamed["person_id"], "name": "Chie"}


def test_by_lot_the_seating_order_only_turns(call: Call) -> None:
    game = begin(call, "a", "b", "c", settings={"first_player": "random"})
    seated = "".join(seat["name"] for seat in game["seats"])
    assert seated in ("abc", "bca", "cab")


def test_the_form_begins_a_game_and_loses_nothing_on_a_mistake(client: FlaskClient) -> None:
    form = {"row": ["3", "0", "1"], "name-3": "<b>あや", "colour-3": "green", "name-0": "Ben", "name-1": ""}
    form |= {"colour-0": "green", "title": "夜の卓", "rule-card_limit": "6", "rule-time_bonus_vp": "2"}
    form |= {"rule-first_player": "youngest", "rule-exploration_minutes": ""}
    client.application.config["WTF_CSRF_ENABLED"] = False
    wrong = client.post("/games/new", data=form)
    page = wrong.get_data(as_text=True)
    assert wrong.status_code == 422
    assert all(kept in page for kept in ("&lt;b&gt;あや", "夜の卓", 'value="6"'))
    good = client.post("/games/new", data=form | {"colour-0": "red"})
    assert good.status_code == 303
    path, _, number = good.headers["Location"].rpartition("/rounds/")
    assert number == "1"
    game = client.get(f"/api/v1{path}").json
    assert game is not None
    assert [(seat["name"], seat["colour"]) for seat in game["seats"]] == [
        ("<b>あや", "green"),
        ("Ben", "red"),
    ]
    assert game["settings"]["card_limit"] == 6
    assert game["settings"]["exploration_minutes"] is None
    assert game["settings"]["room_lava_needs_rope"] is False


def test_every_house_rule_is_explained() -> None:
    rules = game_named("mapmasters")
    told = house_rules(rules, "ja")
    assert [rule.name for rule in told] == [each.name for each in fields(VersusSettings)]
    assert all(rule.label and rule.explanation for rule in told)
    assert [preset.values for preset in presets(rules, "ja")] == [
        as_words(asdict(HOUSE)),
        as_words(asdict(ONLINE)),
    ]


# --- scores


def test_the_scoreboard_is_the_scorers(call: Call) -> None:
    game = begin(call, "Aya", "Ben")
    write(call, game, 1, 0, primary_vp=6, secondary_vp=5, escaped=True, coins_received=4)
    write(call, game, 1, 1, primary_vp=3, secondary_vp=9, escaped=False, coins_received=1)
    record = call("GET", f"/games/{game['id']}/record")
    final = final_score(parse_game(json.dumps(record)))
    standing = call("GET", f"/games/{game['id']}/standing")
    assert standing == json.loads(to_json(final))
    aya = {"primary": 6, "secondary": 2, "time_bonus": 0, "escape_bonus": 2, "coins": 3, "total": 13}
    assert standing["players"][0] == {"name": "Aya", **aya, "rank": 1}


@pytest.mark.parametrize(
    ("ben", "decided_by", "ranks"),
    [
        ({"primary_vp": 8, "secondary_vp": 0}, "secondary", [1, 2]),
        ({"primary_vp": 6, "secondary_vp": 4}, "shared", [1, 1]),
    ],
)
def test_ties(call: Call, ben: dict[str, int], decided_by: str, ranks: list[int]) -> None:
    game = begin(call, "Aya", "Ben")
    write(call, game, 1, 0, primary_vp=6, secondary_vp=4, escaped=False)
    write(call, game, 1, 1, escaped=False, **ben)
    standing = reread(call, game)["standing"]
    assert standing["decided_by"] == decided_by
    assert [player["rank"] for player in standing["players"]] == ranks


@pytest.mark.parametrize(
    "body",
    [
        {"primary_vp": -1},
        {"primary_vp": 1000},
        {"primary_vp": "6"},
        {"coins_received": None},
        {"fairy_tokens": {"sword": 6}},
        {"spellbooks": {"SB-18": True}},
        {"spellbooks": {"SB-1": True, "SB-2": True, "SB-3": True}},
        {"points": 3},
    ],
)
def test_what_no_score_sheet_holds_is_refused(call: Call, body: dict[str, Any]) -> None:
    game = begin(call, "Aya", "Ben")
    write_path = f"/entries/{entry_of(game, 1, 0)['id']}"
    assert "message" in call("PATCH", write_path, body, status=400)["error"]


def test_exactly_one_player_has_the_time_bonus(call: Call) -> None:
    game = begin(call, "Aya", "Ben", settings={"time_bonus_vp": 2})
    path = f"/games/{game['id']}/rounds/2"
    for seat in (0, 1):
        game = call("PATCH", path, {"time_bonus_seat": game["seats"][seat]["id"]})
        assert [entry["time_bonus"] for entry in game["rounds"][1]["entries"]] == [seat == 0, seat == 1]
    assert game["rounds"][1]["hourglass"]
    assert [player["time_bonus"] for player in game["standing"]["players"]] == [0, 2]
    game = call("PATCH", path, {"hourglass": False})
    assert not any(entry["time_bonus"] for entry in game["rounds"][1]["entries"])


def test_the_round_to_go_on_with(call: Call) -> None:
    game = begin(call, "Aya", "Ben")
    whole = {"primary_vp": 1, "secondary_vp": 0, "escaped": True}
    write(call, game, 1, 0, **whole)
    assert reread(call, game)["current_round"] == 1
    write(call, game, 1, 1, **whole)
    assert reread(call, game)["current_round"] == 2
    # Nobody goes past a round in which nothing was done, whatever was done in a later one.
    call("PATCH", f"/games/{game['id']}/rounds/4", {"primary": "key"})
    write(call, game, 5, 0, **whole)
    assert reread(call, game)["current_round"] == 2
    for number in (2, 3):
        for seat in (0, 1):
            write(call, game, number, seat, **whole)
    assert reread(call, game)["current_round"] == 5
    for number, seat in ((4, 0), (4, 1), (5, 1), (6, 0), (6, 1)):
        write(call, game, number, seat, **whole)
    assert reread(call, game)["current_round"] == 6


# --- coins and the market


def test_coins_go_from_round_to_round(call: Call) -> None:
    game = begin(call, "Aya", "Ben")
    purchases = f"/entries/{entry_of(game, 1, 0)['id']}/purchases"
    assert call("POST", purchases, {"kind": "fairy", "what": "key"}, status=201)["coins"] == 1
    assert call("POST", purchases, {"kind": "spellbook", "what": "SB-10"}, status=201)["coins"] == 2
    # SB-10 makes one card a round cheaper.
    assert call("POST", purchases, {"kind": "card", "what": "2"}, status=201)["coins"] == 1
    assert call("POST", purchases, {"kind": "card", "what": "2"}, status=201)["coins"] == 2
    call("POST", purchases, {"kind": "other", "what": "手数料"}, status=400)
    write(call, game, 1, 0, coins_received=5)
    game = reread(call, game)
    first, second = entry_of(game, 1, 0), entry_of(game, 2, 0)
    assert (first["coins_before"], first["coins_spent"], first["coins_after"]) == (6, 6, 5)
    assert second["coins_before"] == 5
    assert (first["fairy_tokens"], second["fairy_tokens"]) == ({"key": 1}, {})
    assert (first["spellbooks"], second["spellbooks"]) == (["SB-10"], ["SB-10"])


def test_a_purchase_is_put_back_with_what_it_brought_and_bought_again(call: Call) -> None:
    game = begin(call, "Aya", "Ben")
    entry = f"/entries/{entry_of(game, 1, 0)['id']}"
    bought = call("POST", f"{entry}/purchases", {"kind": "fairy", "what": "rope"}, status=201)
    call("DELETE", f"/purchases/{bought['id']}", status=204)
    back = call("GET", entry)
    assert (back["coins_after"], back["fairy_tokens"], back["purchases"]) == (6, {}, [])
    call("POST", f"/purchases/{bought['id']}/restore")
    again = call("GET", entry)
    assert (again["coins_after"], again["fairy_tokens"]) == (5, {"rope": 1})


def test_nobody_spends_more_coins_than_they_hold(client: FlaskClient, call: Call) -> None:
    game = begin(call, "あや", "Ben")
    first, second = (f"/entries/{entry_of(game, number, 0)['id']}" for number in (1, 2))
    key = call("POST", f"{first}/purchases", {"kind": "fairy", "what": "key"}, status=201)
    dear = {"kind": "other", "what": "?", "coins": 999}
    error = call("POST", f"{first}/purchases", dear, status=400)["error"]
    assert error["code"] == "too-few-coins"
    assert error["message"].startswith("This costs 999 coins and the player holds 5;")
    call("POST", f"{first}/purchases", {**dear, "coins": 5}, status=201)
    # What was put back is bought again only for coins that are still there.
    call("DELETE", f"/purchases/{key['id']}", status=204)
    call("POST", f"{first}/purchases", {**dear, "coins": 1}, status=201)
    call("POST", f"/purchases/{key['id']}/restore", status=400)
    write(call, game, 1, 0, primary_vp=1, secondary_vp=0, escaped=True, coins_received=4)
    call("POST", f"{second}/purchases", {**dear, "coins": 5}, status=400)
    call("POST", f"{second}/purchases", {**dear, "coins": 4}, status=201)
    # Written down wrong afterwards, it is said and stays: the books are to be put right by people.
    write(call, game, 1, 0, coins_received=0)
    assert call("GET", second)["coins_after"] == -4
    page = client.get(f"/games/{game['id']}/rounds/2").get_data(as_text=True)
    assert "More coins were spent than あや had" in page
    board = client.get(f"/games/{game['id']}").get_data(as_text=True)
    assert "あや spent more coins than they had, so no coins count." in board


@pytest.mark.both_databases
def test_a_purchase_sent_twice_is_bought_once(call: Call) -> None:
    game = begin(call, "Aya", "Ben")
    entry = f"/entries/{entry_of(game, 1, 0)['id']}"
    body = {"kind": "fairy", "what": "key", "client_key": "tap-1"}
    first, again = (call("POST", f"{entry}/purchases", body, status=201) for _ in range(2))
    assert again == first
    call("POST", f"{entry}/purchases", {**body, "client_key": "tap-2"}, status=201)
    assert call("GET", entry)["fairy_tokens"] == {"key": 2}
    other = f"/entries/{entry_of(game, 1, 1)['id']}"
    call("POST", f"{other}/purchases", body, status=201)
    assert call("GET", other)["fairy_tokens"] == {"key": 1}, "a key is the one entry's"


def test_coins_that_are_not_known_yet_keep_nobody_from_the_market(call: Call) -> None:
    game = begin(call, "Aya", "Ben")
    purchases = f"/entries/{entry_of(game, 2, 0)['id']}/purchases"
    call("POST", purchases, {"kind": "other", "coins": 9}, status=201)


def test_market_order_begins_with_the_fewest_coins_then_the_lower_score(call: Call) -> None:
    game = begin(call, "Aya", "Ben", "Chie")
    names = {seat["id"]: seat["name"] for seat in game["seats"]}

    def order(number: int) -> list[str]:
        round_ = reread(call, game)["rounds"][number - 1]
        return [names[seat] for seat in round_["market_order"]]

    assert order(1) == ["Aya", "Ben", "Chie"]
    write(call, game, 1, 0, primary_vp=2, coins_received=3)
    write(call, game, 1, 1, primary_vp=9, coins_received=0)
    write(call, game, 1, 2, primary_vp=1, coins_received=0)
    assert order(2) == ["Chie", "Aya", "Ben"]
    assert order(1) == ["Aya", "Ben", "Chie"]


def test_steps_of_the_end_are_ticked_for_everybody(call: Call) -> None:
    game = begin(call, "Aya", "Ben")
    third = game["rounds"][2]["checklist"]
    assert len(third) == len(game["rounds"][3]["checklist"]) + 1, "after round 3 the market is replaced"
    game = call("PATCH", f"/games/{game['id']}/rounds/3", {"checklist": {third[-1]["key"]: True}})
    assert [step["done"] for step in game["rounds"][2]["checklist"]] == [False] * (len(third) - 1) + [True]


# --- photos


def test_a_means_chip_has_the_photo_refereed_again(app: Flask, call: Call) -> None:
    game = begin(call, "Aya", "Ben")
    entry = f"/entries/{entry_of(game, 1, 0)['id']}"
    put_reading(app, entry_of(game, 1, 0)["id"], "table-09")
    call("PATCH", f"/games/{game['id']}/rounds/1", {"primary": "sword", "secondary": "pit"})
    read = call("GET", entry)
    assert (read["primary_vp"], read["secondary_vp"], read["escaped"]) == (0, 3, False)
    helped = call("PATCH", entry, {"fairy_tokens": {"rope": 1}})
    assert (helped["primary_vp"], helped["escaped"]) == (1, True)
    without = call("PATCH", entry, {"fairy_tokens": {"rope": 0}})
    assert (without["primary_vp"], without["escaped"]) == (0, False)


def test_house_rules_reach_the_referee(app: Flask, call: Call) -> None:
    game = begin(call, "Aya", "Ben")
    put_reading(app, entry_of(game, 1, 0)["id"], "table-07")
    call("PATCH", f"/games/{game['id']}/rounds/1", {"primary": "sword"})
    tableau = entry_of(reread(call, game), 1, 0)["tableau_id"]
    assert call("GET", f"/tableaus/{tableau}")["ruling"]["placement"] == []
    call("PATCH", f"/games/{game['id']}", {"settings": {"card_limit": 4}})
    laid = call("GET", f"/tableaus/{tableau}")["ruling"]["placement"]
    assert [fault["rule"] for fault in laid] == ["too-many-cards"]


def test_what_was_typed_stands_against_the_photo_until_it_is_followed_again(app: Flask, call: Call) -> None:
    game = begin(call, "Aya", "Ben")
    entry = f"/entries/{entry_of(game, 1, 0)['id']}"
    call("PATCH", f"/games/{game['id']}/rounds/1", {"primary": "sword", "secondary": "pit"})
    write(call, game, 1, 0, primary_vp=9)
    put_reading(app, entry_of(game, 1, 0)["id"], "table-07")
    typed = call("GET", entry)
    assert (typed["primary_vp"], typed["typed"], typed["ruled"]["primary_vp"]) == (9, True, 2)
    followed = call("POST", f"{entry}/follow-photo", {})
    assert (followed["primary_vp"], followed["typed"]) == (2, False)
    assert call("POST", f"{entry}/undo", {"change": followed["change"]})["primary_vp"] == 9


def test_a_deleted_photo_of_a_round_makes_room_for_another(app: Flask, call: Call) -> None:
    game = begin(call, "Aya", "Ben")
    entry = f"/entries/{entry_of(game, 1, 0)['id']}"
    first = call("POST", f"{entry}/tableau")["tableau_id"]
    assert call("POST", f"{entry}/tableau")["tableau_id"] == first
    services: Services = app.extensions[KEY]
    with services.database.transaction() as session:
        session.get_one(Tableau, first).deleted_at = now()
    second = call("POST", f"{entry}/tableau")["tableau_id"]
    assert second != first
    assert call("POST", f"{entry}/tableau")["tableau_id"] == second
    with services.database.readers() as session:
        changes = session.scalars(select(Change).where(Change.noun_id == first).order_by(Change.created_at))
        entry_id = entry.removeprefix("/entries/")
        assert changes.all()[-1].before == {"entry_id": entry_id}, "the journal knows whose it was"


def test_after_a_player_comes_the_next_one_clockwise_with_nothing_yet(app: Flask, call: Call) -> None:
    game = begin(call, "Aya", "Ben", "Chie", "Dan")
    write(call, game, 1, 1, primary_vp=3)
    put_reading(app, entry_of(game, 1, 3)["id"], "table-07")
    services: Services = app.extensions[KEY]
    with services.database.readers() as session:
        entries = [session.get_one(Entry, entry_of(game, 1, seat)["id"]) for seat in range(4)]
        following = [next_up(entry) for entry in entries]
        assert following == [entries[2], entries[2], entries[0], entries[0]]
    for seat in (0, 2):
        write(call, game, 1, seat, escaped=True)
    with services.database.readers() as session:
        assert next_up(session.get_one(Entry, entry_of(game, 1, 0)["id"])) is None


# --- the game as a whole


@pytest.mark.both_databases
def test_a_game_goes_into_the_bin_and_comes_back(call: Call) -> None:
    game = begin(call, "Aya", "Ben", title="夜の卓")
    call("DELETE", f"/games/{game['id']}", status=204)
    assert call("GET", f"/games/{game['id']}", status=404)["error"]["code"] == "not-found"
    assert call("GET", f"/entries/{entry_of(game, 1, 0)['id']}", status=404)
    assert call("GET", "/games") == []
    call("POST", f"/games/{game['id']}/restore")
    assert [each["title"] for each in call("GET", "/games")] == ["夜の卓"]


def test_the_start_page_brings_a_deleted_game_back(client: FlaskClient, call: Call) -> None:
    client.application.config["WTF_CSRF_ENABLED"] = False
    game = begin(call, "Aya", "Ben", title="夜の卓")
    assert "夜の卓" in client.get("/").get_data(as_text=True)
    call("DELETE", f"/games/{game['id']}", status=204)
    page = client.get("/", query_string={"deleted": game["id"]}).get_data(as_text=True)
    assert "夜の卓" not in page
    assert "/restore-game" in page
    assert client.post("/restore-game", data={"game": game["id"]}).status_code == 303
    assert "夜の卓" in client.get("/").get_data(as_text=True)


def test_every_change_grows_the_version(call: Call) -> None:
    game = begin(call, "Aya", "Ben")
    entry = f"/entries/{entry_of(game, 1, 0)['id']}"
    seen = [call("GET", f"/games/{game['id']}/version")["version"]]
    for method, path, body in (
        ("PATCH", entry, {"primary_vp": 3}),
        ("PATCH", entry, {"fairy_tokens": {"key": 1}}),
        ("PATCH", entry, {"optimizers_used": {"recycle": 1}}),
        ("PATCH", f"/games/{game['id']}/rounds/1", {"primary": "key"}),
        ("PATCH", f"/games/{game['id']}/rounds/1", {"checklist": {"0": True}}),
        ("PATCH", f"/games/{game['id']}", {"notes": "メモ"}),
        ("PATCH", f"/seats/{game['seats'][0]['id']}", {"name": "あや"}),
        ("POST", f"{entry}/follow-photo", {}),
    ):
        call(method, path, body)
        seen.append(call("GET", f"/games/{game['id']}/version")["version"])
    assert seen == sorted(set(seen))


# --- in the browser


LOOKS = [(PHONE, "ja", True), (TABLET_WIDE, "en", False)]


@pytest.mark.long  # test_looks opens these pages, too
@pytest.mark.parametrize(("size", "language", "dark"), LOOKS)
def test_pages_of_games_are_fit_for_eyes_and_fingers(
    new_page: Any, size: dict[str, int], language: str, dark: bool
) -> None:
    page = new_page(size=size, language=language, dark=dark)
    players = [{"name": name, "colour": colour} for name, colour in zip(LONG_NAMES, COLOURS, strict=True)]
    game = page.request.post("/api/v1/games", data={"players": players}).json()
    entry = entry_of(game, 2, 0)["id"]
    page.request.patch(f"/api/v1/games/{game['id']}/rounds/2", data={"primary": "pit", "hourglass": True})
    page.request.patch(
        f"/api/v1/entries/{entry}", data={"primary_vp": 9, "spellbooks": {"SB-2": True, "SB-17": True}}
    )
    page.request.post(f"/api/v1/entries/{entry}/purchases", data={"kind": "card", "what": "6"})
    wrong = {}
    deleted = page.request.post("/api/v1/games", data={"players": players, "title": "寿限無" * 100}).json()
    page.request.delete(f"/api/v1/games/{deleted['id']}")
    for name, path, opener in (
        ("final", f"/games/{game['id']}/final", ""),
        ("bin", "/trash", ""),
        ("long-editor", f"/games/{game['id']}", ".score-board tbody td:nth-child(4) [data-edit]"),
        ("new", NEW_GAME, "details summary"),
        ("board", f"/games/{game['id']}", ""),
        ("editor", f"/games/{game['id']}", "[data-edit]"),
        ("round", f"/games/{game['id']}/rounds/2", ".market summary"),
        ("objectives", f"/games/{game['id']}/rounds/2", "#choose-primary"),
        ("spellbooks", f"/games/{game['id']}/rounds/2", "[data-books]"),
    ):
        page.goto(path)
        if opener:
            page.locator(opener).first.tap()
            page.locator("dialog[open], details:not(.start)[open] > :not(summary) *").first.wait_for()
        keep_screenshot(page, f"game-{name}-{size['width']}-{language}-{'dark' if dark else 'light'}")
        if found := faults(page):
            wrong[name] = found
    assert not wrong


def test_a_double_tap_in_the_market_buys_once(new_page: Any) -> None:
    page = new_page(size=PHONE)
    players = [{"name": name, "colour": colour} for name, colour in (("Aya", "red"), ("Ben", "blue"))]
    game = page.request.post("/api/v1/games", data={"players": players}).json()
    page.goto(f"/games/{game['id']}/rounds/1")
    page.locator(".market summary").first.tap()
    page.locator('[data-buy="fairy"]').first.evaluate("button => { button.click(); button.click(); }")
    page.get_by_text("1 coins spent").wait_for()
    form = page.locator("[data-other]").first
    form.locator('[name="coins"]').fill("9")
    form.get_by_role("button").tap()
    page.get_by_text("This costs 9 coins and the player holds 5").wait_for()
    assert form.locator('[name="coins"]').input_value() == "9", "what was written stays to be put right"
    form.locator('[name="coins"]').fill("2")
    form.evaluate("form => { form.requestSubmit(); form.requestSubmit(); }")
    page.get_by_text("3 coins spent").wait_for()
    kept = page.request.get(f"/api/v1/entries/{entry_of(game, 1, 0)['id']}").json()
    assert [each["coins"] for each in kept["purchases"]] == [1, 2]


def test_a_form_with_a_mistake_stays_and_going_back_sends_nothing_again(new_page: Any) -> None:
    page = new_page(size=PHONE)
    page.goto("/")
    page.goto(NEW_GAME)
    names = page.get_by_label("Name of the player")
    names.nth(0).fill("Aya")
    names.nth(1).fill("Aya")
    page.get_by_role("button", name="Begin the game").tap()
    page.get_by_role("alert").get_by_text("Two players have the same name").wait_for()
    assert (names.nth(0).input_value(), page.title()) == ("Aya", "New game · Waymark")
    names.nth(1).fill("Ben")
    page.get_by_role("button", name="Begin the game").tap()
    page.get_by_role("heading", name="Round 1").wait_for()
    page.go_back()
    assert page.url.endswith("/")
    assert page.get_by_role("link", name="New game").is_visible()


@pytest.mark.long
def test_a_game_that_is_not_whole_is_ended_only_when_that_is_meant(new_page: Any) -> None:
    page = new_page(size=PHONE)
    players = [{"name": name, "colour": colour} for name, colour in (("Aya", "red"), ("Ben", "blue"))]
    game = page.request.post("/api/v1/games", data={"players": players}).json()
    page.request.patch(f"/api/v1/entries/{entry_of(game, 1, 0)['id']}", data={"primary_vp": 3})
    page.goto(f"/games/{game['id']}/final")
    page.get_by_role("button", name="End the game").tap()
    question = page.get_by_role("dialog", name="End the game now?")
    question.get_by_text("Some fields are empty: nobody wins").wait_for()
    question.get_by_text("Ben, round 1: some fields are empty.").wait_for()
    keep_screenshot(page, "game-finish-early", whole=False)
    question.get_by_role("button", name="Keep playing").tap()
    question.wait_for(state="hidden")
    assert page.request.get(f"/api/v1/games/{game['id']}").json()["finished_at"] is None
    page.goto(f"/games/{game['id']}")
    page.locator("summary", has_text="About this game").tap()
    page.get_by_label("Notes").fill("not saved yet")
    page.get_by_role("button", name="End the game").tap()
    question.get_by_role("button", name="End it anyway").tap()
    page.get_by_role("button", name="Play on").wait_for()
    assert page.get_by_label("Notes").input_value() == "not saved yet"
    assert page.request.get(f"/api/v1/games/{game['id']}").json()["finished_at"] is not None


def test_a_long_notice_leaves_its_button_whole(new_page: Any) -> None:
    page = new_page(size=PHONE)
    page.goto("/")
    page.evaluate(
        """import(document.querySelector('script[type="module"]').src.replace(/[^/]+$/, "app.js")).then(
             ({ toast }) => toast("あ".repeat(400), { action: { label: "Undo", run() {} } }))"""
    )
    undo = page.get_by_role("button", name="Undo")
    undo.wait_for()
    box = box_of(undo)
    assert box["width"] > box["height"] >= 44


@pytest.mark.long
def test_a_round_written_by_hand_on_a_phone_in_japanese(new_page: Any) -> None:
    page = new_page(size=PHONE, language="ja")
    page.goto(NEW_GAME)
    names = page.get_by_label("プレイヤーの名前")
    names.nth(0).fill("あや")
    names.nth(1).fill('<b>"健太"')
    page.get_by_role("button", name="プレイヤーを追加").tap()
    names.nth(2).fill("ミカ")
    # Who takes a colour gives away the own one.
    page.locator(".new-player").nth(2).get_by_label("赤").check(force=True)
    page.locator(".new-player").nth(2).get_by_role("button", name="席を前へ").tap()
    page.get_by_role("button", name="ゲームを始める").tap()

    page.get_by_role("button", name="主目標 選ぶ").tap()
    page.locator("#objectives").get_by_role("button", name="鍵").tap()
    page.get_by_role("button", name="主目標 鍵").wait_for()
    page.get_by_role("button", name="副目標 選ぶ").tap()
    page.locator("#objectives").get_by_role("button", name="樽").tap()
    page.get_by_role("button", name="主目標に砂時計").tap()
    page.get_by_role("button", name="ミカ", exact=True).tap()
    page.locator('[data-first][aria-pressed="true"]', has_text="ミカ").wait_for()

    aya = page.locator(".player-card", has=page.get_by_role("heading", name="あや"))
    aya.locator(".market summary").tap()
    aya.get_by_role("button", name="フェアリートークンを買う: 剣").tap()
    aya.get_by_role("button", name="フェアリートークン: 剣, 1").wait_for()
    aya.get_by_role("button", name="魔導書を買う").tap()
    page.locator("#spellbooks").get_by_role("button", name="SB-4").tap()
    aya.get_by_text("3 コイン支払い").wait_for()
    aya.get_by_role("button", name="マーケットに戻す: 剣").tap()
    aya.get_by_text("2 コイン支払い").wait_for()
    page.get_by_role("button", name="取り消す").last.tap()
    aya.get_by_text("3 コイン支払い").wait_for()

    scores = {"あや": (3, 2, True), "ミカ": (1, 4, False), '<b>"健太"': (2, 1, True)}
    for name, (keys, barrels, escaped) in scores.items():
        card = page.locator(".player-card", has=page.get_by_role("heading", name=name))
        card.locator("[data-edit]").tap()
        editor = page.locator("#editor")
        for _ in range(keys):
            editor.get_by_role("button", name="主目標を増やす", exact=True).tap()
        editor.get_by_label("副目標(半分にする前)", exact=True).fill(str(barrels))
        editor.get_by_label("脱出した" if escaped else "脱出せず").check()
        editor.get_by_role("button", name="保存").tap()
        card.get_by_role("button", name=f"主目標 {2 * keys}, 副目標 {barrels}").wait_for()

    step = page.get_by_label("経路にあるコインを銀行から受け取ります。")
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        step.check()
    page.reload()
    assert step.is_checked()

    other = new_page(size=PHONE, language="ja")
    other.goto(page.url.rsplit("/rounds", 1)[0])
    total = other.locator("[data-total]")
    # Primary, half the secondary, time bonus, escape bonus, a third of the coins left.
    expected = {"あや": 6 + 1 + 0 + 2 + 1, "ミカ": 2 + 2 + 1 + 0 + 2, '<b>"健太"': 4 + 0 + 0 + 2 + 2}
    assert dict(zip(["あや", "ミカ", '<b>"健太"'], total.all_text_contents(), strict=True)) == {
        name: str(points) for name, points in expected.items()
    }
    # What one device writes, the other shows without being touched.
    page.get_by_role("link", name="スコアボード").last.tap()
    page.locator("[data-edit]").first.tap()
    page.locator("#editor").get_by_label("主目標", exact=True).fill("20")
    page.locator("#editor").get_by_role("button", name="保存").tap()
    other.locator('[data-total="あや"]', has_text="24").wait_for()
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth")

    # A house rule that was set wrong is put right while the game goes on, and back.
    page.locator("summary", has_text="このゲームについて").tap()
    page.get_by_role("button", name="ハウスルールを変更").tap()
    page.get_by_label("タイムボーナスの点数").fill("3")
    keep_screenshot(page, "house-rules-phone-ja", whole=False)
    assert not faults(page)
    page.locator("#house-rules").get_by_role("button", name="保存").tap()
    other.locator('[data-total="ミカ"]', has_text="9").wait_for()
    page.locator("[data-live=rules]", has_text="タイムボーナスの点数: 3").wait_for()
    page.get_by_role("button", name="取り消す").last.tap()
    other.locator('[data-total="ミカ"]', has_text="7").wait_for()
