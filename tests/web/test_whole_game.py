"""Whole flows, as people at the table go through them: a game of six rounds by touch, another by keyboard
alone, and what a screen reader is told."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import msgspec
from live_server import DESKTOP, PHONE, PHOTOS, TABLET, LiveServer, send_photo
from page_looks import keep_screenshot

from scorer.mapmasters import referee
from scorer.mapmasters.game import (
    GAME_FORMAT,
    Game,
    Player,
    Round,
    coins_held,
    final_score,
    parse_game,
    round_of,
)
from scorer.mapmasters.market import TOKEN_PRICE
from scorer.record import Objectives, Record
from webapp.models import Tableau
from webapp.standing import Standing, answer
from webapp.tableaus import means_of, standing_of

NAMES = ("Aya", "Ben", "千恵")


@dataclass(frozen=True)
class Seen:
    """A player's round that is scored from a shipped photo, with fairy tokens bought for it."""

    photo: str
    tokens: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Written:
    """A player's round that is written by hand: points as on the score sheet."""

    primary: int
    secondary: int
    escaped: bool
    coins: int = 0


@dataclass(frozen=True)
class Played:
    """A round: its objectives, who finished first (an hourglass lies on the card then), and the players'."""

    primary: str
    secondary: str
    players: tuple[Seen | Written, Seen | Written, Seen | Written]
    first: int | None = None


#: Every shipped photo but the one whose reading needs more than answers.
ROUNDS = (
    Played("sword", "scroll", (Seen("table-07.jpg"), Seen("table-05.jpg"), Seen("table-08.jpg")), first=1),
    Played("key", "room", (Seen("table-01.jpg"), Seen("table-02.jpg"), Written(2, 5, False, 3))),
    Played("coin", "stairs", (Seen("table-11.jpg"), Written(0, 3, True), Seen("table-06.heic"))),
    Played(
        "pit", "monster", (Seen("table-09.jpg", {"rope": 1}), Written(3, 6, True, 2), Seen("table-04.jpg"))
    ),
    Played("magic_circle", "barrel", (Seen("table-03.jpg"), Written(4, 1, False), Seen("table-12.jpg"))),
    Played(
        "rope", "padlock", (Written(6, 3, True, 1), Written(3, 0, False), Written(0, 6, True, 4)), first=2
    ),
)
#: The round (from 1) whose photos follow one another without a look at the round's page between them.
IN_TURN = 1
#: The round of which the first player's photo is taken with a phone, in Japanese.
ON_THE_PHONE = 5


# --- what is to come out ------------------------------------------------------------------------------------


def truth_of(photo: str) -> Record:
    truth = json.loads((PHOTOS / f"{photo.split('.')[0]}.truth.json").read_bytes())
    return msgspec.convert(truth["tableau"], Record)


def expected_round(live: LiveServer, played: Played, seat: int) -> Round:
    """The round as the referee has it from what was truly drawn."""
    player = played.players[seat]
    first = played.first == seat
    if isinstance(player, Written):
        return Round(
            primary=player.primary,
            secondary=player.secondary,
            time_bonus=int(first),
            escaped=player.escaped,
            coins_received=player.coins,
        )
    record = msgspec.structs.replace(
        truth_of(player.photo),
        objectives=Objectives(primary=played.primary, secondary=played.secondary),
        fairy_tokens=dict(player.tokens),
    )
    ruling = referee(live.services.catalogue, record)
    spent = TOKEN_PRICE * sum(player.tokens.values())
    return round_of(ruling, time_bonus=first, coins_spent=spent, fairy_tokens=dict(player.tokens))


def expected_game(live: LiveServer) -> Game:
    players = []
    for seat, name in enumerate(NAMES):
        rounds = tuple(expected_round(live, played, seat) for played in ROUNDS)
        players.append(Player(name=name, coins_left=coins_held(rounds), rounds=rounds))
    return Game(format=GAME_FORMAT, players=tuple(players))


# --- what people do -----------------------------------------------------------------------------------------


def card_of(page: Any, name: str) -> Any:
    """The part of a round's page that is a player's."""
    return page.locator(".player-card", has=page.locator("h2", has_text=name))


def choose_objectives(page: Any, played: Played) -> None:
    for kind, find in (("primary", played.primary), ("secondary", played.secondary)):
        page.locator(f"#choose-{kind}").tap()
        page.locator(f"#objectives [data-objective={find}]").tap()
        page.locator(f"#choose-{kind}[data-current={find}]").wait_for()
    if played.first is not None:
        page.locator("#hourglass").tap()
        page.locator("[data-first]", has_text=NAMES[played.first]).tap()
        page.locator("[data-first][aria-pressed=true]", has_text=NAMES[played.first]).wait_for()


def write_by_hand(page: Any, name: str, written: Written) -> None:
    card_of(page, name).locator(".score-button").tap()
    editor = page.locator("#editor")
    editor.locator("[name=primary_vp]").fill(str(written.primary))
    editor.locator("[name=secondary_vp]").fill(str(written.secondary))
    editor.locator(f"[name=escaped][value={json.dumps(written.escaped)}]").check(force=True)
    editor.locator("[name=coins_received]").fill(str(written.coins))
    editor.locator("[value=save]").tap()
    boxes = card_of(page, name).locator(".score-button .box-primary")
    boxes.filter(has_text=str(written.primary)).wait_for()


def buy_tokens(page: Any, name: str, tokens: Mapping[str, int]) -> None:
    card = card_of(page, name)
    for token in tokens:
        card.locator(".market summary").tap()
        card.locator(f"[data-buy=fairy][data-what={token}]").tap()
        card.locator(f".token[data-token={token}][aria-pressed=true]").wait_for()


def take_photo(page: Any, live: LiveServer, name: str, seen: Seen) -> None:
    """From the round's page: buy what is held, take the photo, answer what is asked, go back."""
    buy_tokens(page, name, seen.tokens)
    card_of(page, name).locator("input[capture]").set_input_files(PHOTOS / seen.photo)
    page.wait_for_url("**/tableaus/*")
    answer_questions(page, live, truth_of(seen.photo))
    page.locator(".review-head .back").tap()
    page.wait_for_url("**/rounds/*")
    card_of(page, name).locator(".photo-state.state-sure").wait_for()


def take_photos_in_turn(page: Any, live: LiveServer, played: Played) -> None:
    """From one player's score to the next one's photo, and from the last one's to the end of the round."""
    photos = [player.photo for player in played.players if isinstance(player, Seen)]
    card_of(page, NAMES[0]).locator("input[capture]").set_input_files(PHOTOS / photos[0])
    page.wait_for_url("**/tableaus/*")
    answer_questions(page, live, truth_of(photos[0]))
    for name, photo in zip(NAMES[1:], photos[1:], strict=True):
        before = page.url
        page.locator("#next-up").get_by_label(f"Photo of {name}").set_input_files(PHOTOS / photo)
        page.wait_for_url(lambda url, before=before: url != before)
        answer_questions(page, live, truth_of(photo))
    page.get_by_role("link", name="To the end of round").tap()
    page.wait_for_url("**/rounds/*")


def continue_to(page: Any, number: int) -> None:
    page.get_by_role("link", name=f"On with round {number}").tap()
    page.wait_for_url(f"**/rounds/{number}")


def answer_questions(page: Any, live: LiveServer, truth: Record) -> None:
    """Tap the answer that is nearest to what was drawn, question by question, until Waymark is sure."""
    shown = page.locator("#question .answer:enabled, .badge.sure")
    shown.first.wait_for(timeout=60_000)
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
    with live.services.database.reading() as session:
        tableau = session.get_one(Tableau, tableau_id)
        standing = standing_of(session, catalogue, tableau)
        assert standing is not None
        drawn = as_it_was_read(truth, standing)

        def wrong(option: dict[str, Any]) -> int:
            then = answer(standing, catalogue, means_of(tableau), question["number"], option["number"])
            assert then is not None
            either_way = question["about"] != "direction"
            steps = steps_of(then.record, either_way) ^ steps_of(drawn, either_way)
            return len(steps) + len(set(then.record.marks.circled) ^ set(drawn.marks.circled))

        best = min(question["options"], key=wrong)
    number: int = best["number"]
    return number


def as_it_was_read(truth: Record, standing: Standing) -> Record:
    """The truth with its cards numbered as in a reading."""
    read = {card.card: str(index) for index, card in enumerate(standing.record.cards)}
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


# --- the flows ----------------------------------------------------------------------------------------------


def test_a_game_of_six_rounds_for_three_from_photos_to_the_final_ranking(
    new_page: Any, live: LiveServer
) -> None:
    page = new_page(size=TABLET)
    page.goto("/")
    page.get_by_role("link", name="New game").tap()
    names = page.get_by_label("Name of the player")
    page.get_by_role("button", name="Add a player").tap()
    for seat, name in enumerate(NAMES):
        names.nth(seat).fill(name)
    page.get_by_role("button", name="Begin the game").tap()
    page.get_by_role("link", name="On with round 1").tap()
    phone = new_page(size=PHONE, language="ja")

    for number, played in enumerate(ROUNDS, start=1):
        assert page.inner_text("h1") == f"Round {number}"
        if number == ON_THE_PHONE:
            phone.goto(page.url)
        choose_objectives(page, played)
        if number == IN_TURN:
            take_photos_in_turn(page, live, played)
            continue_to(page, number + 1)
            continue
        for name, player in zip(NAMES, played.players, strict=True):
            if isinstance(player, Written):
                write_by_hand(page, name, player)
            elif number == ON_THE_PHONE and name == NAMES[0]:
                # Each device shows what the other does without a touch.
                phone.locator(f"#choose-primary[data-current={played.primary}]").wait_for()
                take_photo(phone, live, name, player)
                card_of(page, name).locator(".photo-state.state-sure").wait_for()
            else:
                take_photo(page, live, name, player)
        if number < len(ROUNDS):
            continue_to(page, number + 1)
    keep_screenshot(page, "whole-game-last-round")
    page.get_by_role("link", name="Final score").tap()
    page.wait_for_url("**/final")
    keep_screenshot(page, "whole-game-final")

    final = final_score(expected_game(live))
    game = page.url.split("/")[-2]
    record = page.request.get(f"/api/v1/games/{game}/record").json()
    assert parse_game(json.dumps(record)) == expected_game(live)
    shown = {}
    for row in page.locator(".final-table tbody tr").all():
        cells = [int(cell.split()[0]) for cell in row.locator("td").all_inner_texts()]
        rank, name = row.locator(".final-rank").inner_text(), row.locator("th a").inner_text()
        shown[name] = (*cells, int(rank.split()[0]))
    assert shown == {
        player.name: (
            player.primary,
            player.secondary,
            player.time_bonus,
            player.escape_bonus,
            player.coins,
            player.total,
            player.rank,
        )
        for player in final.players
    }


# --- by keyboard alone --------------------------------------------------------------------------------------

#: What is wrong with how the focus shows: an outline of the element, or of the label that stands for it.
FOCUS_FAULT = """() => {
  const at = document.activeElement;
  if (at === document.body) return null;
  if (!at.matches(":focus-visible")) return `no focus is visible on ${at.outerHTML.slice(0, 120)}`;
  const own = at.id ? [...document.querySelectorAll(`label[for="${CSS.escape(at.id)}"]`)] : [];
  const shown = [at, at.closest("label"), ...own, at.nextElementSibling].filter(Boolean);
  const outlined = shown.some((element) => {
    const style = getComputedStyle(element);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  });
  return outlined ? null : `no outline on ${at.outerHTML.slice(0, 120)}`;
}"""
#: More stops than any page has.
MANY_STOPS = 400


def tab_to(page: Any, wanted: Any, *, key: str = "Tab") -> None:
    """Press Tab until an element has the focus; the focus shows at every stop."""
    target = wanted.element_handle()
    for _ in range(MANY_STOPS):
        page.keyboard.press(key)
        assert page.evaluate(FOCUS_FAULT) is None
        if target.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"Tab does not come to {wanted}")


def press(page: Any, wanted: Any, key: str = "Enter") -> None:
    tab_to(page, wanted)
    page.keyboard.press(key)


def tab_round(page: Any) -> list[str]:
    """What Tab stops at on a page, once round: it gets out at the end again."""
    page.evaluate("document.activeElement.blur()")
    stops = []
    for _ in range(MANY_STOPS):
        page.keyboard.press("Tab")
        assert page.evaluate(FOCUS_FAULT) is None
        here = page.evaluate(
            "document.activeElement === document.body ? '' : document.activeElement.outerHTML.slice(0, 200)"
        )
        if not here:
            return stops
        stops.append(here)
    raise AssertionError(f"Tab goes round in a part of the page: {stops[-3:]}")


def test_a_round_by_keyboard_alone(new_page: Any, live: LiveServer) -> None:
    page = new_page(size=DESKTOP, touch=False)
    page.goto("/games/new")
    for seat, name in enumerate(("Aya", "Ben")):
        tab_to(page, page.get_by_label("Name of the player").nth(seat))
        page.keyboard.type(name)
    press(page, page.get_by_role("button", name="Begin the game"))
    page.wait_for_url("**/games/*")
    press(page, page.get_by_role("link", name="On with round 1"))
    page.wait_for_url("**/rounds/1")
    assert len(tab_round(page)) > 20

    # An objective: Escape leaves the dialog as it was, the focus goes back to what opened it.
    objective, dialog = page.locator("#choose-primary"), page.locator("#objectives")
    press(page, objective)
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert objective.evaluate("element => element === document.activeElement")
    page.keyboard.press("Enter")
    press(page, dialog.get_by_role("button", name="sword"))
    page.locator("#choose-primary[data-current=sword]").wait_for()
    assert not dialog.is_visible()
    assert page.locator("#choose-primary").evaluate("element => element === document.activeElement")

    # A score is written.
    ben = card_of(page, "Ben")
    press(page, ben.locator(".score-button"))
    editor = page.locator("#editor")
    tab_to(page, editor.get_by_label("Primary objective", exact=True))
    page.keyboard.type("3")
    tab_to(page, editor.locator("[name=escaped]:checked"))
    page.keyboard.press("ArrowUp")
    press(page, editor.get_by_role("button", name="Save"))
    ben.get_by_role("button", name="primary 3").wait_for()
    assert ben.locator(".score-button").evaluate("element => element === document.activeElement")

    # A token is held by Space; the photo's button is a stop, and its file is read.
    press(page, card_of(page, "Aya").get_by_role("button", name="Fairy token: rope"), "Space")
    card_of(page, "Aya").get_by_role("button", name="Fairy token: rope, 1").wait_for()
    camera = card_of(page, "Aya").locator("input[capture]")
    tab_to(page, camera)
    camera.set_input_files(PHOTOS / "table-03.jpg")
    page.wait_for_url("**/tableaus/*")
    page.locator("#question .answer").first.wait_for(timeout=60_000)

    # A question is answered; the photo is zoomed, the path replayed.
    assert len(tab_round(page)) > 10
    while not page.locator(".badge.sure").is_visible():
        option = nearest_answer(page, live, truth_of("table-03.jpg"))
        with page.expect_response("**/answers"):
            press(page, page.locator(f"#question .answer[data-option='{option}']"))
        page.locator("#question .answer:enabled, .badge.sure").first.wait_for()
        assert page.evaluate("document.activeElement.closest('#question, #score') !== null")
    tab_to(page, page.locator("#viewer"))
    width = "document.querySelector('.viewer-svg').viewBox.baseVal.width"
    whole = page.evaluate(width)
    page.keyboard.press("+")
    assert page.evaluate(width) < whole
    page.keyboard.press("0")
    page.keyboard.press("Home")
    assert page.inner_text("#replay-at").startswith("1/")
    page.keyboard.press("ArrowRight")
    assert not page.inner_text("#replay-at").startswith("1/")
    press(page, page.get_by_role("button", name="Play the path"), "Space")
    page.get_by_role("button", name="Pause").wait_for()
    assert len(tab_round(page)) > 10


# --- what a screen reader is told ---------------------------------------------------------------------------

#: A line of an accessibility tree that is something to operate, and no name after it.
NAMELESS = re.compile(
    r"^\s*- (button|link|textbox|checkbox|radio|slider|combobox|spinbutton|switch|dialog)(:|\s*\[|\s*$)"
)
HEADING = re.compile(r'^\s*- \'?heading ".*\[level=(\d)\]')


def heard_faults(page: Any) -> list[str]:
    """What of a page cannot be followed by ear: controls without a name, headings that leave out a level."""
    tree = page.locator("body").aria_snapshot().splitlines()
    found = [line.strip() for line in tree if NAMELESS.match(line)]
    levels = [int(heading[1]) for line in tree if (heading := HEADING.match(line))]
    if levels[:1] != [1] or levels.count(1) != 1:
        found.append(f"the page has not one heading of level 1 first: {levels}")
    found += [f"heading {b} after {a}" for a, b in pairwise(levels) if b > a + 1]
    return found


def test_a_page_is_followed_by_ear(new_page: Any, live: LiveServer) -> None:
    page, beside = new_page(size=TABLET), new_page(size=PHONE, language="ja")
    players = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    page.goto("/")
    game = page.request.post("/api/v1/games", data={"players": players}).json()
    round_, entries = game["rounds"][0], game["rounds"][0]["entries"]
    page.request.patch(
        f"/api/v1/games/{game['id']}/rounds/{round_['number']}",
        data={"primary": "sword", "secondary": "scroll", "hourglass": True},
    )
    tableau = page.request.post(f"/api/v1/entries/{entries[0]['id']}/tableau").json()["tableau_id"]
    send_photo(page, tableau, PHOTOS / "table-09.jpg")

    # The score is said when the photo has been read, and again when an answer changes it.
    page.goto(f"/tableaus/{tableau}")
    said = page.locator("#score-said")
    page.locator("#question .answer").first.wait_for(timeout=60_000)
    assert said.inner_text().startswith("Not sure yet · Primary 0 VP")
    faults = {"question": heard_faults(page)}
    page.locator("[data-correct]").tap()
    page.locator("#editor h2").wait_for()
    faults["correction"] = heard_faults(page)
    page.locator("#editor [data-done]").tap()
    answer_questions(page, live, truth_of("table-09.jpg"))
    assert said.inner_text().startswith("Sure · ")

    # On the other device, too, whoever writes it.
    beside.goto(f"/games/{game['id']}")
    page.goto(f"/games/{game['id']}/rounds/1")
    write_by_hand(page, "Ben", Written(3, 1, True))
    told = "Ben、ラウンド 1: 主目標 3, 副目標 1"
    beside.locator("main > [role=status]", has_text=told).wait_for(state="attached")

    for path in (
        "/",
        "/games/new",
        "/capture",
        "/join",
        "/history",
        "/history/photos",
        "/players",
        "/trash",
        "/exchange",
        f"/games/{game['id']}",
        f"/games/{game['id']}/rounds/1",
        f"/games/{game['id']}/final",
        f"/tableaus/{tableau}/dispute",
        f"/r/{tableau}",
    ):
        assert page.goto(path).ok, path
        faults[path] = heard_faults(page)
    assert {path: found for path, found in faults.items() if found} == {}
