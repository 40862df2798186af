"""Words on pages as a player reads them: sums of coins, where a line goes, what is wrong with a field."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import numpy as np
import pytest
from api_calls import Calls
from flask.testing import FlaskClient
from live_server import NEW_GAME
from played import write_scores

from scorer.text import Language
from webapp.tableaus.headings import Stretch, heading, headings, turns

PLAYERS = [{"name": "Mia", "colour": "red"}, {"name": "Leo", "colour": "blue"}]


def shown(client: FlaskClient, address: str, language: str) -> str:
    page = client.get(address, headers={"Accept-Language": language}).get_data(as_text=True)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


@pytest.mark.parametrize(
    ("language", "summed", "plain"),
    [
        ("en", "Coins: 6 + 2 received – 2 spent = 6", "Coins: 6"),
        ("ja", "コイン: 6 + 獲得 2 – 使用 2 = 6", "コイン: 6"),
    ],
)
def test_coins_are_told_as_a_sum(
    client: FlaskClient, call: Calls, language: str, summed: str, plain: str
) -> None:
    game = call("POST", "/games", {"players": PLAYERS}, status=201)
    (mia, leo) = (entry["id"] for entry in game["rounds"][0]["entries"])
    call("POST", f"/entries/{mia}/purchases", {"kind": "spellbook", "what": "SB-4"}, status=201)
    write_scores(client.application, {mia: {"primary_vp": 1, "coins_received": 2}})
    assert leo != mia
    words = shown(client, f"/games/{game['id']}/rounds/1", language)
    assert summed in words
    assert words.count(plain) == 2, "of Leo, who neither found nor spent any, no sum"


def line(*points: tuple[float, float], first: bool = False) -> Stretch:
    return Stretch(np.array(points, float), first)


@pytest.mark.parametrize(
    ("to", "on", "origin"),
    [
        ((100, 3), "to the right", "from the left"),
        ((80, 90), "to the lower right", "from the upper left"),
        ((2, 100), "downwards", "from above"),
        ((-90, 80), "to the lower left", "from the upper right"),
        ((-100, 5), "to the left", "from the right"),
        ((-80, -90), "to the upper left", "from the lower right"),
        ((0, -100), "upwards", "from below"),
        ((90, -80), "to the upper right", "from the lower left"),
    ],
)
def test_a_stretch_is_told_by_where_it_goes_in_the_photo(
    to: tuple[float, float], on: str, origin: str
) -> None:
    told, begun = heading(line((0, 0), to)), heading(line((0, 0), to, first=True))
    assert told is not None and told.en == f"It goes on {on}"
    assert begun is not None and begun.en == f"It comes {origin}"


def test_headings_in_japanese() -> None:
    language: Language = "ja"
    told = headings([line((0, 0), (-9, 0)), line((0, 0), (0, 9))])
    assert told is not None
    assert [each.message(language) for each in told] == ["左へ進む", "下へ進む"]


def test_several_turns_are_told_in_a_row() -> None:
    left, down = line((0, 0), (-9, 0)), line((0, 0), (0, 9))
    told = [turns(each) for each in ([left, down, left], [down], [None], [], [line((0, 0), (9, 0), (0, 0))])]
    assert [each and each.en for each in told] == [
        "It goes left, then down, then left",
        "It goes on downwards",
        "It ends here",
        None,
        None,
    ]
    assert told[0] is not None and told[0].message("ja") == "左、次に下、次に左へ進む"


def test_a_detour_and_stretches_that_go_the_same_way_are_named_by_their_places() -> None:
    assert heading(line((0, 0), (50, 0), (4, 2))) is None
    right, down = line((0, 0), (9, 0)), line((0, 0), (0, 9))
    assert headings([right, line((0, 0), (8, 1))]) is None
    assert headings([right, None]) is None
    assert headings([right, down, line((0, 0), (50, 0), (0, 0))]) is None


@pytest.mark.parametrize(
    ("language", "empty", "most"),
    [
        ("ja", "この欄に入力してください。", "5 以下を入力してください。"),
        ("en", "Fill in this field.", "Enter at most 5."),
    ],
)
def test_what_is_wrong_with_a_field_is_said_in_the_pages_language(
    new_page: Any, language: str, empty: str, most: str
) -> None:
    page = new_page(language=language)
    page.goto("/decks")
    field = page.locator("form input[name=name][required]").first
    said = """(field) => {
        field.setCustomValidity("");
        const { type, max, value } = field;
        field.checkValidity();
        return field.validationMessage;
    }"""
    field.evaluate("(field) => { field.value = ''; }")
    assert field.evaluate(said) == empty
    number = """(field) => {
        const other = document.createElement("input");
        Object.assign(other, { type: "number", max: "5", value: "7" });
        field.form.append(other);
        other.checkValidity();
        const words = other.validationMessage;
        other.value = "4";
        other.dispatchEvent(new Event("input", { bubbles: true }));
        return [words, other.checkValidity()];
    }"""
    assert field.evaluate(number) == [most, True]
    # A field that a script fills in is judged anew when its form is sent.
    assert (
        field.evaluate(
            """(field) => {
            field.value = "Open deck";
            field.form.addEventListener("submit", (event) => event.preventDefault());
            field.form.querySelector("button").click();
            return field.validationMessage;
        }"""
        )
        == ""
    )
    page.goto(NEW_GAME)
