"""Every kind of question about a board's photo, asked and answered through the app: no answer is dead, each
says something of its own, and what is left open keeps the board from being sure."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from api_calls import Call, Calls
from board_asking import asking, read_truly
from board_play import act, after, begin, photograph, pushes, scan_of
from board_question_scenes import LABYRINTH, AskingPhoto, asking_photos, other_players
from flask import Flask
from long_rest import long_but

from samples.deck import open_deck
from scorer.board_record import Board
from scorer.text import NO_WORDS, Text
from vision.boards.seen import REASONS
from waymark.review.boards.question import BROKEN_RULE, BoardOption, BoardQuestion
from webapp.tableaus.board_questions import _options

PHOTOS = asking_photos()
#: One photo of each kind of question; the same kind in another game takes its turn with the long tests.
QUICK = sorted({photo.kind: number for number, photo in reversed([*enumerate(PHOTOS)])}.values())


@pytest.fixture
def phone(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Call:
    monkeypatch.setattr(random, "SystemRandom", lambda: random.Random(5))
    return Calls(app.test_client())


def test_each_kind_of_question_has_a_photo_that_asks_it() -> None:
    assert {photo.kind for photo in PHOTOS} == {*REASONS, BROKEN_RULE}


@pytest.mark.parametrize("photo", long_but(PHOTOS, *QUICK), ids=[photo.name for photo in PHOTOS])
def test_every_answer_to_every_question_works(app: Flask, phone: Call, photo: AskingPhoto) -> None:
    board, question = asking(app, phone, photo)
    assert "{" not in question["words"] and question["words"]
    if "{pieces}" in REASONS.get(photo.kind, NO_WORDS).en:
        names = [each["name"].lower() for each in question["pieces"]]
        assert names and all(name in question["words"].lower() for name in names)
    japanese = app.test_client().get(f"/api/v1{board}", headers={"Accept-Language": "ja"}).get_json()
    (other,) = [each for each in japanese["pending"]["questions"] if each["name"] == question["name"]]
    assert "{" not in other["words"] and other["words"] != question["words"]
    for told in (question, other):
        words = [each["words"] for each in told["options"]]
        assert len(words) != 1 and len({*words}) == len(words) and all(words)
    for number in range(max(1, len(question["options"]))):
        told = act(phone, board, "answers", question=question["name"], option=number)
        assert question["name"] not in [each["name"] for each in told["pending"]["questions"]], number
        assert act(phone, board, "undo")["pending"]["questions"] != told["pending"]["questions"]


# --- answers that need more than a tap on a button


def pieces_at(call: Any, board: str, name: str) -> list[tuple[int, int]]:
    pieces = call("GET", board)["picture"]["pieces"]
    return [tuple(each["cell"]) for each in pieces if each["art"] == name]


def photo_named(name: str) -> AskingPhoto:
    return next(photo for photo in PHOTOS if photo.name == name)


def test_a_missing_piece_is_put_where_somebody_taps(app: Flask, phone: Call) -> None:
    board, question = asking(app, phone, photo_named("labyrinth2-missing"))
    assert question["put"] == "explorer-red" and question["words"].startswith("Red explorer")
    marked = [(each["mark"], each["cell"]) for each in question["options"] if each["cell"]]
    assert marked == [("A", [5, 5]), ("B", [1, 5])]
    told = act(phone, board, "answers", question=question["name"], option=2)
    assert pieces_at(phone, board, "explorer-red") == [(1, 5)]
    act(phone, board, "undo")
    change = {"kind": "piece", "piece": question["put"], "cell": [3, 2]}
    told = act(phone, board, "changes", change=change)
    assert question["name"] not in [each["name"] for each in told["pending"]["questions"]]
    assert pieces_at(phone, board, "explorer-red") == [(3, 2)]


def test_a_guessed_place_stands_beside_the_certain_one(app: Flask) -> None:
    """Whoever taps "probably" settles nothing; the same place without a doubt says so."""
    words, nothing = Text("somewhere"), Board(game="labyrinth2", players=())
    options = (
        BoardOption(words, nothing, cell=(2, 3), leaves_open=True),
        BoardOption(words, nothing, cell=(2, 3)),
        BoardOption(words, nothing, cell=(4, 1)),
    )
    question = BoardQuestion("piece", None, options, NO_WORDS, "q1")
    said = []
    for language in ("en", "ja"):
        with app.test_request_context(headers={"Accept-Language": language}):
            said.append(_options(question, 0, open_deck(), str, language))
    told, theirs = said
    assert [each.words for each in told] == [
        "Probably the place marked A",
        "Certainly the place marked A",
        "The place marked B",
    ]
    assert [each.words for each in theirs] == ["おそらくAの場所", "確かにAの場所", "Bの場所"]


def test_a_piece_put_into_a_cell_settles_nothing_else_there(app: Flask, phone: Call) -> None:
    board, scan = read_truly(phone, LABYRINTH)
    photograph(app, board, photo_named("labyrinth2-rotation").spoil(scan))
    question = phone("GET", board)["pending"]["questions"][0]
    assert question["kind"] == "rotation"
    change = {"kind": "piece", "piece": "explorer-red", "cell": question["cell"]}
    told = act(phone, board, "changes", change=change)
    assert question["name"] in [each["name"] for each in told["pending"]["questions"]]
    tile = next(t for t in told["picture"]["tiles"] if t["cell"] == question["cell"])
    change = {"kind": "tile", "cell": tile["cell"], "tile": tile["art"], "rotation": tile["rotation"]}
    told = act(phone, board, "changes", change=change)
    assert question["name"] not in [each["name"] for each in told["pending"]["questions"]]


def test_what_somebody_left_open_keeps_the_photo_from_being_sure(app: Flask, phone: Call) -> None:
    board, question = asking(app, phone, photo_named("labyrinth2-missing"))
    assert question["options"][0]["words"] == "not to be seen in the photo"
    told = act(phone, board, "answers", question=question["name"], option=0)
    for each in told["pending"]["questions"]:
        told = act(phone, board, "answers", question=each["name"], option=0)
    assert told["pending"]["questions"] == [] and not told["pending"]["sure"]


def test_other_players_than_the_games_are_asked_about_and_play_on(app: Flask, phone: Call) -> None:
    _, board = begin(phone)
    record = after(phone, board, [pushes(phone, board)])
    photograph(app, board, other_players(scan_of(record)))
    told = phone("GET", board)
    theirs = {"Aya": "explorer-yellow", "Ben": "explorer-green"}
    for _ in theirs:
        question = told["pending"]["questions"][0]
        assert question["kind"] == "whose" and question["player"] in question["words"]
        assert question["words"].startswith("Are these your players?")
        number = [each["art"] for each in question["options"]].index(theirs[question["player"]])
        told = act(phone, board, "answers", question=question["name"], option=number)

    def playing(view: dict[str, Any]) -> dict[str, str]:
        return {each["name"]: each["piece"] for each in view["players"]}

    assert playing(told) == theirs
    assert {each["name"]: each["colour"] for each in told["players"]} == {"Aya": "yellow", "Ben": "green"}
    assert told["pending"]["turn"]["legal"], "their figures stand where the game's stood"
    taken = act(phone, board, "photo", turn=True)
    assert [turn["ruling"]["legal"] for turn in taken["turns"]] == [True]
    assert playing(taken) == theirs
    claim = {"who": "Ben", "words": "No.", "wants": "back", "client_key": "one"}
    (said,) = phone("POST", f"{board}/claims", claim, status=201)["claims"]
    back = act(phone, board, f"claims/{said['id']}/accept")
    assert not back["turns"] and playing(back) == theirs, (
        "who plays with what stays when a turn is taken back"
    )


def test_other_figures_may_be_nobodys(app: Flask, phone: Call) -> None:
    board, question = asking(app, phone, photo_named("labyrinth2-whose"))
    told = act(phone, board, "answers", question=question["name"], option=0)
    kinds = [(each["kind"], each["player"], each["put"]) for each in told["pending"]["questions"]]
    (other,) = {"Aya", "Ben"} - {question["player"]}
    assert ("whose", other, None) in kinds and not [kind for kind in kinds if kind[0] == "missing"]
    question = told["pending"]["questions"][0]
    told = act(phone, board, "answers", question=question["name"], option=0)
    missing = {each["put"] for each in told["pending"]["questions"]}
    assert {"explorer-red", "explorer-blue"} <= missing, "then their own figures are asked about"


def test_how_the_map_lies_is_told_by_a_border(app: Flask, phone: Call) -> None:
    board, question = asking(app, phone, photo_named("ice_and_idols-ground"))
    pending = phone("GET", board)["pending"]
    assert {each["kind"] for each in pending["questions"]} <= {"ground", "looked-over"}, (
        "all else hangs on it"
    )
    words = [each["words"] for each in question["options"]]
    before = phone("GET", board)["picture"]
    told = act(phone, board, "answers", question=question["name"], option=words.index("at the right"))
    picture = told["picture"]
    assert picture["ground_rotation"] == 270, "what was its right is its top now"
    turned = {(row, 4 - column) for column, row in (tile["cell"] for tile in before["tiles"])}
    assert {tuple(tile["cell"]) for tile in picture["tiles"]} == turned


def test_what_a_player_has_is_counted_when_it_is_not_in_view(app: Flask, phone: Call) -> None:
    board, question = asking(app, phone, photo_named("stone_dragon-unseen"))
    assert question["player"] and question["player"] in question["words"]
    change = {"kind": "holds", "player": question["player"], "what": "coin-1", "count": 2}
    told = act(phone, board, "changes", change=change)
    assert question["name"] not in [each["name"] for each in told["pending"]["questions"]]


def test_sides_and_turns_are_told_as_the_photo_shows_them(app: Flask, phone: Call) -> None:
    board, scan = read_truly(phone, LABYRINTH)
    doubted = photo_named("labyrinth2-facing").spoil(scan)
    corners = doubted.grid_px
    # photographed from the left: the board's top is at the photo's right
    turned = replace(doubted, grid_px=(*corners[1:], corners[0]))
    photograph(app, board, turned)
    pending = phone("GET", board)["pending"]
    assert pending["seen"]["quarters"] == 1
    (question,) = [each for each in pending["questions"] if each["kind"] == "facing"]
    words = [each["words"] for each in question["options"] if each["words"] != "I cannot tell"]
    assert words == ["to the right", "down", "to the left", "up"], "the board's up is the photo's right"


def test_what_a_turn_needs_is_asked_first_and_the_rest_may_be_left_open(app: Flask, phone: Call) -> None:
    for kind, needed in (("missing", True), ("hidden", False), ("tile", False)):
        board, question = asking(app, phone, photo_named(f"labyrinth2-{kind}"))
        asked = phone("GET", board)["pending"]["questions"]
        assert question["needed"] is needed
        assert [each["needed"] for each in asked] == sorted((each["needed"] for each in asked), reverse=True)
        nothing = [each["words"] for each in question["options"] if each["empty"]]
        assert nothing == {"missing": ["not on the board"], "hidden": ["nothing"], "tile": []}[kind]


def test_a_figure_that_somebody_takes_off_is_not_put_back_by_the_board_before(
    app: Flask, phone: Call
) -> None:
    board, scan = read_truly(phone, LABYRINTH)
    photograph(app, board, scan)
    (cell,) = pieces_at(phone, board, "explorer-blue")
    told = act(
        phone,
        board,
        "changes",
        change={"kind": "piece", "piece": "explorer-blue", "cell": None, "from": cell},
    )
    assert not pieces_at(phone, board, "explorer-blue") and not told["pending"]["sure"]


def test_a_corrected_cell_is_not_asked_about_with_the_chips(app: Flask, phone: Call) -> None:
    board, question = asking(app, phone, photo_named("labyrinth2-chips"))
    assert question["places"] == [[5, 5], [1, 5], [3, 1]] and question["options"][1]["empty"]
    chip = question["options"][2]["art"]
    told = act(phone, board, "changes", change={"kind": "piece", "piece": chip, "cell": [1, 5]})
    (question,) = [each for each in told["pending"]["questions"] if each["kind"] == "chips"]
    assert question["places"] == [[5, 5], [3, 1]]
    told = act(phone, board, "answers", question=question["name"], option=1)
    assert [each["kind"] for each in told["pending"]["questions"]] == ["looked-over"]
    assert pieces_at(phone, board, chip) == [(1, 5)]


def test_a_chip_that_lies_elsewhere_is_put_by_a_tap_and_the_cells_are_asked_about(
    app: Flask, phone: Call
) -> None:
    board, question = asking(app, phone, photo_named("labyrinth2-chip-place"))
    marks = [each["mark"] for each in question["options"]]
    assert marks == ["", *"ABC", *"DEF"], "three hidden cells, and three figures with no treasure in sight"
    assert not question["places"]
    change = {"kind": "piece", "piece": question["put"], "cell": [0, 3]}
    told = act(phone, board, "changes", change=change)
    assert [each["kind"] for each in told["pending"]["questions"]] == ["hidden"] * 3 + ["looked-over"]
    for each in told["pending"]["questions"][:3]:
        told = act(phone, board, "answers", question=each["name"], option=1)
    assert [each["kind"] for each in told["pending"]["questions"]] == ["looked-over"]
    assert pieces_at(phone, board, question["put"]) == [(0, 3)]


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("stone_dragon-missing", set()),
        ("stone_dragon-held", set()),
        ("ice_and_idols-tile", set()),
        ("ice_and_idols-token", {"broken-rule"}),
    ],
)
def test_after_the_end_other_games_ask_about_what_scores(
    app: Flask, phone: Call, name: str, kinds: set[str]
) -> None:
    photo = photo_named(name)
    board, scan = read_truly(phone, photo.deck)
    act(phone, board, "end", ended=True)
    photograph(app, board, photo.spoil(scan))
    asked = phone("GET", board)["pending"]["questions"]
    assert {each["kind"] for each in asked} == kinds | {"looked-over"}
