"""Games to look at: whole ones with ties and names as long as a page, and what people have open on a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import requests
from patience import PATIENCE_SECONDS

#: As long as a name may be: kanji, emoji and Latin letters.
LONG_NAME = ("千恵子🦊マップマスターズ部長 Wolfeschlegelsteinhausenbergerdorff " * 6)[:300].strip()
COLOURS = ("red", "blue", "green", "yellow", "purple")
OBJECTIVES = (("sword", "pit"), ("key", "room"), ("coin", "stairs"), ("pit", "monster"), ("rope", "padlock"))
#: What a player wrote in a round: primary, secondary (not halved), escaped, coins.
WRITTEN = (
    (6, 3, True, 2),
    (3, 5, False, 1),
    (9, 2, True, 0),
    (0, 7, True, 3),
    (4, 4, False, 2),
    (12, 6, True, 1),
)


def post(url: str, path: str, body: Any, method: str = "POST") -> Any:
    answer = requests.request(method, f"{url}/api/v1{path}", json=body, timeout=PATIENCE_SECONDS)
    answer.raise_for_status()
    return answer.json() if answer.content else None


def whole_game(url: str, names: Sequence[str], *, title: str, shift: int, finished: bool = True) -> str:
    """A game of six rounds, written by hand: the first two players have all the same, a third one is behind.
    Its id."""
    game = new_game(url, names, title, location="岡山・ボドゲカフェ")
    for number, played in enumerate(game["rounds"], 1):
        primary, secondary = OBJECTIVES[number % len(OBJECTIVES)]
        aims: dict[str, Any] = {"primary": primary, "secondary": secondary, "hourglass": number == 2}
        post(url, f"/games/{game['id']}/rounds/{number}", aims, "PATCH")
        for seat, entry in enumerate(played["entries"]):
            wrote = WRITTEN[(number + shift) % len(WRITTEN)] if seat < 2 else (number % 4, 2, number > 2, 1)
            score = dict(zip(("primary_vp", "secondary_vp", "escaped", "coins_received"), wrote, strict=True))
            post(url, f"/entries/{entry['id']}", score, "PATCH")
    if finished:
        post(
            url,
            f"/games/{game['id']}",
            {"finished": True, "notes": "雨の日。\nLast round by candle."},
            "PATCH",
        )
    return str(game["id"])


def new_game(url: str, names: Sequence[str], title: str, **more: Any) -> Any:
    """A game that has begun, as the API shows it."""
    players = [{"name": name, "colour": colour} for name, colour in zip(names, COLOURS, strict=False)]
    return post(url, "/games", {"players": players, "title": title, **more})


def laid_table(url: str, names: Sequence[str]) -> str:
    """A mission of five groups on a shared table whose every slot has its card, told without a photo. Its
    game's id."""
    game = new_game(url, names, "Five ways", table={"mission": "M08"})
    tableau = f"/tableaus/{game['rounds'][0]['entries'][0]['tableau_id']}"
    missions = requests.get(f"{url}/api/v1/missions", timeout=PATIENCE_SECONDS).json()
    slots = next(each["slots"] for each in missions if each["id"] == "M08")
    starters = (f"S{number}-{colour}" for number in range(1, 10) for colour in COLOURS)
    cards = [
        f"{slot['card'] or next(starters)}^@{slot['cell'][0] * 63},{slot['cell'][1] * 88}" for slot in slots
    ]
    told = requests.get(f"{url}/api/v1{tableau}/table", timeout=PATIENCE_SECONDS).json()
    change = {"kind": "record", "text": f"cooperative | {' '.join(cards)}"}
    post(url, f"{tableau}/table", {"version": told["version"], "change": change})
    return str(game["id"])


@dataclass(frozen=True)
class Scene:
    """A page as people have it before them: what is tapped there in turn, and what then shows."""

    page: str
    taps: tuple[str, ...] = ()
    shows: str = "main"


#: By name; the pages' names are those of `tests/web/test_looks.py`.
SCENES = {
    "board, all six rounds": Scene("the board of a whole game"),
    "board, a score being written": Scene(
        "the board of a whole game", (".score-board tbody .cell",), "#editor[open]"
    ),
    "board, about the game": Scene("the board of a whole game", ("main > details > summary",), "#about"),
    "round, an objective being chosen": Scene(
        "a round with five players", ("[data-choose=primary]",), "dialog[open]"
    ),
    "round, the market and what is held": Scene(
        "a round with five players", (".market summary",), ".market[open]"
    ),
    "round, spellbooks being chosen": Scene(
        "a round with five players", ("[data-books=hold]",), "dialog[open]"
    ),
    "a new game with house rules": Scene("/games/new", ("[data-move=remove]", "details > summary")),
    "final score with a tie": Scene("the end of a whole game", ("details > summary",)),
    "ending a game too early": Scene("/games/<game_id>/final", ("#finish",), "#finish-early[open]"),
    "history of several games": Scene("/history", (".past-game .edit summary",)),
    "a game in the bin, and undo": Scene(
        "/history", (".past-game:first-child [data-delete-game]",), ".toast .button"
    ),
    "statistics with plots": Scene("a player of whole games"),
    "review, the path being corrected": Scene("/tableaus/<tableau_id>", ("[data-correct]",), "#editor"),
    "review, a card being chosen": Scene(
        "a tableau that is sure",
        ("[data-correct]", "[data-tool=cards]", ".edit-card-button", ".edit-card-actions .button"),
        "dialog[open] .edit-choice",
    ),
    "review, the marks being corrected": Scene(
        "a tableau that is sure", ("[data-correct]", "[data-tool=marks]"), ".edit-list"
    ),
    "review, the means being corrected": Scene(
        "a tableau that is sure", ("[data-correct]", "[data-tool=means]"), ".edit-count"
    ),
    "review, replayed half-way": Scene(
        "a tableau that is sure", ("[data-replay=back]",) * 3, ".told li[aria-current]"
    ),
    "a claim being written": Scene("/tableaus/<tableau_id>/dispute", (".claim-form summary",)),
    "the viewfinder, held crooked": Scene("/capture/live"),
}
