"""A whole game of six rounds, as people at the table go through it: by touch, with photos, on two devices."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest
from at_the_table import Written, answer_questions, card_of, truth_of, write_by_hand
from live_server import PHONE, PHOTOS, TABLET, LiveServer
from page_looks import keep_screenshot

from scorer.mapmasters import referee
from scorer.mapmasters.rules.final_score import final_score
from scorer.mapmasters.rules.game_record import (
    GAME_FORMAT,
    Game,
    Player,
    Round,
    coins_held,
    parse_game,
    round_of,
)
from scorer.mapmasters.rules.terms import TOKEN_PRICE
from scorer.record import Objectives

NAMES = ("Aya", "Ben", "千恵")


@dataclass(frozen=True)
class Seen:
    """A player's round that is scored from a shipped photo, with fairy tokens bought for it."""

    photo: str
    tokens: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Played:
    """A round: its objectives, who finished first (an hourglass lies on the card then), and the players'."""

    primary: str
    secondary: str
    players: tuple[Seen | Written, Seen | Written, Seen | Written]
    first: int | None = None


#: Every shipped photo but the two whose readings need more than answers.
ROUNDS = (
    Played("sword", "scroll", (Seen("table-07.jpg"), Seen("table-05.jpg"), Seen("table-08.jpg")), first=1),
    Played("key", "room", (Seen("table-01.jpg"), Written(4, 2, False, 1), Written(2, 5, False, 3))),
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
        players.append(Player(name=name, coins_left=coins_held(rounds)[-1], rounds=rounds))
    return Game(format=GAME_FORMAT, players=tuple(players))


# --- what people do -----------------------------------------------------------------------------------------


def choose_objectives(page: Any, played: Played) -> None:
    for kind, find in (("primary", played.primary), ("secondary", played.secondary)):
        page.locator(f"#choose-{kind}").tap()
        page.locator(f"#objectives [data-objective={find}]").tap()
        page.locator(f"#choose-{kind}[data-current={find}]").wait_for()
    if played.first is not None:
        page.locator("#hourglass").tap()
        page.locator("[data-first]", has_text=NAMES[played.first]).tap()
        page.locator("[data-first][aria-pressed=true]", has_text=NAMES[played.first]).wait_for()


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
    page.get_by_role("link", name=f"Go to round {number}").tap()
    page.wait_for_url(f"**/rounds/{number}")


# --- the flows ----------------------------------------------------------------------------------------------


@pytest.mark.long
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
    page.wait_for_url("**/rounds/1")
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
