"""Taps of an evening on a small phone: from the start page to the first photo, to a rematch, into a running
game from another phone; what is seen without scrolling; the timer."""

from __future__ import annotations

import re
from typing import Any

import pytest
from at_the_table import card_of
from live_server import NEW_GAME, PHOTOS, LiveServer
from page_looks import box_of, faults, keep_screenshot

#: The part of a small phone's screen that a browser leaves to pages: CSS pixels.
SMALL = {"width": 390, "height": 664}
LANGUAGES = ["en", "ja"]


class Thumb:
    """A person with one thumb: counts taps, and finds what it taps without scrolling."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.taps = 0

    def tap(self, place: Any) -> None:
        self.reach(place)
        place.tap()

    def reach(self, place: Any) -> None:
        """One tap more, on something that is seen: a camera's button, whose camera a test cannot open."""
        place.wait_for()
        assert in_view(self.page, place), "it takes scrolling"
        self.taps += 1


def in_view(page: Any, place: Any) -> bool:
    """Whether all of an element is seen as the page stands, without scrolling."""
    box = box_of(place)
    return bool(box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"])


def new_game(page: Any, *names: str, **more: Any) -> Any:
    """A game begun by a program."""
    colours = ("red", "blue", "green", "yellow", "purple")
    players = [{"name": name, "colour": colour} for name, colour in zip(names, colours, strict=False)]
    game = page.request.post("/api/v1/games", data={"players": players, **more})
    assert game.ok, game.text()
    return game.json()


def write(page: Any, game: Any, number: int, *points: int) -> None:
    """Whole scores of the players of a round."""
    for entry, primary in zip(game["rounds"][number - 1]["entries"], points, strict=True):
        scores = {"primary_vp": primary, "secondary_vp": 0, "escaped": False, "coins_received": 0}
        assert page.request.patch(f"/api/v1/entries/{entry['id']}", data=scores).ok


def camera_of(page: Any, name: str) -> Any:
    return card_of(page, name).locator(".capture-way.primary")


# --- beginning ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_from_the_start_page_to_the_first_photo_of_three_in_four_taps(new_page: Any, language: str) -> None:
    page = new_page(size=SMALL, language=language)
    thumb = Thumb(page)
    page.goto("/")
    thumb.tap(page.locator("main a[href='/games/new']"))
    thumb.tap(page.locator("#add-player"))
    thumb.tap(page.locator(".begin"))
    page.wait_for_url("**/rounds/1")
    first = {"en": "Player 1", "ja": "プレイヤー 1"}[language]
    thumb.reach(camera_of(page, first))
    assert thumb.taps == 4
    assert page.locator(".player-card").count() == 3
    keep_screenshot(page, f"taps-round-{language}", whole=False)
    assert not faults(page)


def test_the_people_of_the_last_game_begin_another_in_three_taps(new_page: Any) -> None:
    page = new_page(size=SMALL)
    last = new_game(page, "Aya", "Ben", "千恵")
    page.request.patch(f"/api/v1/games/{last['id']}", data={"finished": True})
    thumb = Thumb(page)
    page.goto("/")
    thumb.tap(page.locator("main a[href='/games/new']"))
    thumb.tap(page.locator(".begin"))
    page.wait_for_url("**/rounds/1")
    thumb.reach(camera_of(page, "Aya"))
    assert thumb.taps == 3
    names = page.locator(".player-card h2").all_inner_texts()
    assert [name.strip() for name in names] == ["Aya", "Ben", "千恵"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mission_is_chosen_on_one_screen(new_page: Any, language: str) -> None:
    page = new_page(size=SMALL, language=language)
    last = new_game(page, "Aya", "Ben", "千恵")
    page.request.patch(f"/api/v1/games/{last['id']}", data={"finished": True})
    thumb = Thumb(page)
    page.goto("/")
    thumb.tap(page.locator("main a[href='/games/new']"))
    thumb.tap(page.locator("a[href*='mode=together']"))
    page.wait_for_url("**mode=together**")
    mission = page.locator(".mission-choice:has([value=M05])")
    thumb.tap(mission)
    assert page.locator(".mission-more:visible").count() == 1
    assert mission.locator(".mission-more").is_visible()
    assert page.locator("#who-plays").inner_text() == "Aya · Ben · 千恵"
    keep_screenshot(page, f"taps-mission-{language}", whole=False)
    assert not faults(page)
    thumb.tap(page.locator(".begin"))
    page.wait_for_selector("#table")
    assert thumb.taps == 4


def test_people_from_before_are_seated_by_a_tap(new_page: Any) -> None:
    page = new_page(size=SMALL)
    new_game(page, "Mia", "Leo")
    new_game(page, "Aya", "Ben")
    page.goto(NEW_GAME)
    chips = page.locator("[data-person]:visible")
    assert sorted(chips.all_inner_texts()) == ["Leo", "Mia"]
    page.locator("[data-person=Mia]").tap()
    page.locator(".new-player").nth(1).locator("[data-move=remove]").tap()
    assert chips.all_inner_texts() == ["Leo"]
    page.locator(".begin").tap()
    page.wait_for_url("**/rounds/1")
    assert [name.strip() for name in page.locator(".player-card h2").all_inner_texts()] == ["Aya", "Mia"]


def test_without_scripts_players_without_names_are_called_by_their_seats(client: Any, call: Any) -> None:
    client.application.config["WTF_CSRF_ENABLED"] = False
    form = {"row": ["0", "1", "2"], "name-1": "Ben", "colour-0": "red", "colour-1": "blue"}
    begun = client.post("/games/new", data=form, headers={"Accept-Language": "en"})
    game = call("GET", begun.location.removesuffix("/rounds/1"))
    assert [seat["name"] for seat in game["seats"]] == ["Player 1", "Ben"]


def test_a_rematch_takes_two_taps_and_turns_the_seats(new_page: Any) -> None:
    page = new_page(size=SMALL)
    game = new_game(page, "Aya", "Ben", "Chie", settings={"card_limit": 6}, location="home")
    write(page, game, 1, 3, 2, 1)
    page.request.patch(f"/api/v1/games/{game['id']}", data={"finished": True})
    thumb = Thumb(page)
    page.goto("/")
    thumb.tap(page.locator(f"#game-{game['id']}"))
    again = page.locator("[data-again] button")
    thumb.tap(again)
    page.wait_for_url("**/rounds/1")
    assert thumb.taps == 2
    assert in_view(page, camera_of(page, "Ben"))
    begun = page.request.get(f"/api/v1/games/{page.url.split('/')[-3]}").json()
    assert [seat["name"] for seat in begun["seats"]] == ["Ben", "Chie", "Aya"]
    assert [seat["colour"] for seat in begun["seats"]] == ["blue", "green", "red"]
    assert begun["settings"]["card_limit"] == 6 and begun["location"] == "home"

    page.goto(f"/games/{game['id']}/final")
    again.evaluate("button => { button.click(); button.click(); }")
    page.wait_for_url("**/rounds/1")
    assert len(page.request.get("/api/v1/games").json()) == 3, "one more, however often it is tapped"


def test_a_game_ends_after_any_round(new_page: Any) -> None:
    page = new_page(size=SMALL)
    game = new_game(page, "Aya", "Ben")
    write(page, game, 1, 3, 2)
    page.goto(f"/games/{game['id']}/rounds/1")
    page.locator("[data-end-game]").tap()
    page.locator("#finish-early").get_by_role("button", name="End it anyway").tap()
    page.wait_for_url("**/final")
    assert "Aya" in page.locator(".verdict").inner_text()
    assert page.request.get(f"/api/v1/games/{game['id']}").json()["state"] == "finished"


def test_back_returns_to_the_player(new_page: Any) -> None:
    page = new_page(size=SMALL)
    game = new_game(page, "Aya", "Ben", "Chie")
    page.goto(f"/games/{game['id']}/rounds/1")
    for step in (page.go_back, lambda: page.locator(".review-head .back").tap()):
        card_of(page, "Chie").evaluate("element => element.scrollIntoView()")
        card_of(page, "Chie").locator("input[capture]").set_input_files(PHOTOS / "table-07.jpg")
        page.wait_for_url("**/tableaus/*")
        step()
        page.wait_for_url("**/rounds/1**")
        seen = "element => { const { top } = element.getBoundingClientRect(); return top > -4 && top < 332; }"
        card = card_of(page, "Chie")
        card.wait_for()
        assert card.evaluate(seen)


# --- joining ------------------------------------------------------------------------------------------------


def test_a_phone_says_once_whose_it_is_and_opens_on_that_players_round(
    new_page: Any, live: LiveServer
) -> None:
    page = new_page(size=SMALL, language="ja")
    game = new_game(page, "あや", "Ben", "千恵")
    page.request.patch(f"/api/v1/games/{game['id']}/rounds/1", data={"primary": "sword"})
    thumb = Thumb(page)
    page.goto("/")
    # Nothing large scores outside the game.
    biggest = max(page.locator("main .button:visible").all(), key=lambda each: box_of(each)["height"])
    assert biggest.get_attribute("href") == f"/games/{game['id']}/join"
    page.goto(f"/games/{game['id']}/join")
    assert not faults(page)
    thumb.tap(page.get_by_role("button", name="千恵"))
    page.wait_for_url("**/rounds/1")
    own = page.locator(".player-card").first
    assert own.locator("h2").inner_text().strip() == "千恵"
    for part in (
        page.locator(".objectives"),
        own.locator(".capture-way.primary"),
        own.locator(".means .row"),
    ):
        assert in_view(page, part.first)
    keep_screenshot(page, "taps-own-ja", whole=False)
    assert not faults(page)

    page.goto("/")
    thumb.tap(page.locator("main a.button.primary"))
    page.wait_for_url("**/rounds/1")
    assert thumb.taps == 2, "it is not asked again"
    # In another game of the same person, too.
    new_game(page, "千恵", "Mia")
    page.goto("/")
    thumb.tap(page.locator("main a.button.primary"))
    page.wait_for_url("**/rounds/1")
    assert page.locator(".player-card.own h2").inner_text().strip() == "千恵"
    # Said otherwise, it opens otherwise.
    page.locator(".whose-phone a").tap()
    page.get_by_role("button", name="みんなで使う端末").tap()
    page.wait_for_url("**/rounds/1")
    assert page.locator(".player-card.own").count() == 0


def test_an_own_phone_does_not_offer_the_next_players_photo(client: Any, call: Any) -> None:
    players = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    game = call("POST", "/games", {"players": players}, status=201)
    entry = game["rounds"][0]["entries"][0]
    tableau = call("POST", f"/entries/{entry['id']}/tableau")["tableau_id"]

    def offered() -> bool:
        page = client.get(f"/tableaus/{tableau}", headers={"Accept-Language": "en"}).text
        return '<div data-fresh="next-photo">' in page

    assert offered()
    client.set_cookie("phone", game["seats"][0]["person_id"])
    assert not offered()


def test_nobody_from_another_game_owns_a_phone(client: Any, call: Any) -> None:
    client.application.config["WTF_CSRF_ENABLED"] = False
    games = [
        call(
            "POST",
            "/games",
            {"players": [{"name": name, "colour": "red"}, {"name": "Ben", "colour": "blue"}]},
            status=201,
        )
        for name in ("Aya", "Mia")
    ]
    mia = games[1]["seats"][0]["person_id"]
    refused = client.post("/join", data={"game": games[0]["id"], "person": mia})
    assert refused.status_code == 400 and client.get_cookie("phone") is None


def test_the_code_of_a_game_leads_into_it(client: Any, call: Any) -> None:
    def code() -> str:
        page = client.get("/join", base_url="http://192.0.2.7:8080", headers={"Accept-Language": "en"}).text
        found = re.search(r'aria-label="QR code of ([^"]*)"', page)
        assert found is not None
        return found[1]

    assert code() == "http://192.0.2.7:8080/"
    players = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    game = call("POST", "/games", {"players": players}, status=201)
    assert code() == f"http://192.0.2.7:8080/games/{game['id']}/join"
    page = client.get("/join", base_url="http://192.0.2.7:8080", headers={"Accept-Language": "en"}).text
    assert "It leads into the game of Aya, Ben." in page
    call("PATCH", f"/games/{game['id']}", {"finished": True})
    assert code() == "http://192.0.2.7:8080/"


# --- around the table ---------------------------------------------------------------------------------------


def test_the_timer_runs_on_over_a_reload_and_says_when_time_is_up(new_page: Any) -> None:
    page = new_page(size=SMALL)
    page.clock.install()
    game = new_game(page, "Aya", "Ben")
    page.goto(f"/games/{game['id']}/rounds/1")
    run, left = page.locator("[data-timer-run]"), page.locator("[data-timer-left]")

    def seconds_left() -> int:
        minutes, seconds = left.inner_text().split(":")
        return 60 * int(minutes) + int(seconds)

    # Seconds are rounded up; time passes by itself, too, while the browser is busy.
    assert left.inner_text() == "5:00"
    run.tap()
    page.clock.run_for(60_000)
    assert 220 < seconds_left() <= 241 and run.get_attribute("aria-pressed") == "true"
    page.reload()
    page.clock.run_for(60_000)
    assert 160 < seconds_left() <= 182
    run.tap()
    stands = seconds_left()
    page.clock.run_for(60_000)
    page.reload()
    page.clock.run_for(1_000)
    assert seconds_left() == stands
    run.tap()
    page.clock.run_for(181_000)
    page.locator(".toast", has_text="Time is up").wait_for()
    assert left.inner_text() == "0:00"
    assert not faults(page)
    page.locator("[data-timer-reset]").tap()
    assert left.inner_text() == "5:00"
    online = new_game(page, "Aya", "Ben", settings={"exploration_minutes": None})
    page.goto(f"/games/{online['id']}/rounds/1")
    assert run.count() == 0, "by their house rules they take their time"


def test_a_round_says_how_people_stand_and_what_they_still_have_to_do(new_page: Any) -> None:
    page = new_page(size=SMALL)
    game = new_game(page, "Aya", "Ben", "Chie")
    page.goto(f"/games/{game['id']}/rounds/1")
    assert page.locator(".standing").count() == 0
    write(page, game, 1, 2, 9, 4)
    page.locator(".standing").wait_for()
    told = page.locator(".standing").inner_text().split()
    assert [word for word in told if word in ("Aya", "Ben", "Chie")] == ["Ben", "Chie", "Aya"]
    end = page.locator("#round-end")
    assert end.get_by_text("Secondary objective: not chosen yet.").count() == 1
    steps = end.locator(".step").all_inner_texts()
    assert len(steps) == 6
    # What Waymark writes down by itself is nobody's to tick.
    assert not any("points" in step or "escape box" in step or "hourglass" in step for step in steps)
