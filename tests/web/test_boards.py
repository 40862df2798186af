"""A board game in the app: told by taps, photographed, put right, disputed, counted."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from api_calls import Call, Calls
from board_play import act, after, begin, layers_of_record, panels_of_record, photograph, pushes, scan_of
from flask import Flask
from flask.testing import FlaskClient

from scorer.games import game_named
from vision.boards.seen import BoardScan, HeldPiece, LayeredScan, LooseScan
from vision.boards.turned_scan import turned_scan
from webapp.http.services import KEY


@pytest.fixture
def phone(app: Flask) -> Call:
    return Calls(app.test_client())


# --- begun and told by taps


def test_a_game_begins_with_what_is_certain_and_is_dealt(phone: Call) -> None:
    game, board = begin(phone, deal=False)
    assert game["game"] == "labyrinth2"
    told = phone("GET", board)
    assert len(told["picture"]["tiles"]) == 16 and told["may_deal"] and not told["legal"]
    dealt = act(phone, board, "deal")
    assert len(dealt["picture"]["tiles"]) == 49 and len(dealt["picture"]["spare"]) == 1
    assert dealt["legal"] and not dealt["may_deal"]
    assert [player["total"] for player in dealt["players"]] == [0, 0]


def test_a_turn_is_asked_for_step_by_step_and_stands(phone: Call) -> None:
    _, board = begin(phone)
    first = phone("GET", board)["to_move"]
    forms = act(phone, board, "try", steps=[])["forms"]
    assert [(form["id"], form["lead"]) for form in forms] == [("push", True)]
    push = pushes(phone, board)
    trial = act(phone, board, "try", steps=[push])
    assert trial["done"] and trial["ruling"]["traces"][0]["kind"] == "push"
    walk = next(form for form in trial["forms"] if form["id"] == "walk")
    (cell,) = [field["likely"][0] for field in walk["fields"]]
    walked = act(phone, board, "try", steps=[push, {"do": "walk", "to": cell}])
    assert "walk" not in [form["id"] for form in walked["forms"]]
    told = act(phone, board, "turn", steps=[push])
    assert told["to_move"] != first and [turn["ruling"]["player"] for turn in told["turns"]] == [first]


def test_a_turn_against_the_rules_is_told_with_the_rule_and_does_not_stand(phone: Call) -> None:
    _, board = begin(phone)
    error = act(phone, board, "turn", status=409, steps=[{"do": "walk", "to": [3, 1]}])["error"]
    assert "push" in error["message"].lower()
    assert not phone("GET", board)["turns"]


def test_undo_takes_a_turn_back_and_redo_brings_it(phone: Call) -> None:
    _, board = begin(phone)
    before = phone("GET", board)
    after = act(phone, board, "turn", steps=[pushes(phone, board)])
    back = act(phone, board, "undo")
    assert back["picture"] == before["picture"] and back["to_move"] == before["to_move"] and not back["turns"]
    assert act(phone, board, "redo")["picture"] == after["picture"]


def test_who_looked_at_an_older_board_is_told_so(phone: Call) -> None:
    _, board = begin(phone)
    version = phone("GET", board)["version"]
    push = pushes(phone, board)
    phone("POST", f"{board}/turn", {"version": version, "steps": [push]})
    assert (
        phone("POST", f"{board}/turn", {"version": version, "steps": [push]}, status=409)["error"]["code"]
        == "conflict"
    )


@pytest.mark.parametrize(
    "step",
    [
        {"do": "push", "at": "nowhere"},
        {"do": "push", "at": "top1", "rotation": "x"},
        {"do": "walk", "to": [9, 9]},
    ],
)
def test_steps_that_tell_nothing_are_refused(phone: Call, step: dict[str, Any]) -> None:
    _, board = begin(phone)
    before = phone("GET", board)
    act(phone, board, "turn", status=400, steps=[step])
    assert phone("GET", board) == before


# --- who begins


def test_the_first_player_begins_and_the_board_says_why(phone: Call) -> None:
    for _ in range(4):  # whose turn it is hangs on no lot
        _, board = begin(phone)
        told = phone("GET", board)
        assert told["to_move"] == "Aya" and told["begins"] == "Aya begins: first in the list of players."
    act(phone, board, "turn", steps=[pushes(phone, board)])
    assert phone("GET", board)["begins"] == "", "nobody asks any more"


def test_lots_are_drawn_where_people_say_so_and_the_board_tells_it(
    phone: Call, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda count: count - 1)
    players = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    game = phone("POST", "/games", {"players": players, "deck": "open-labyrinth2", "lot": True}, status=201)
    board = f"/tableaus/{game['rounds'][0]['entries'][0]['tableau_id']}/board"
    told = phone("GET", board)
    assert told["to_move"] == "Ben" and told["begins"] == "Ben begins, drawn by lot."
    form = client.get("/games/new?deck=open-labyrinth2").get_data(as_text=True)
    assert "Waymark draws lots" in form and 'name="begins" value="first" checked' in form
    assert "Waymark draws lots" not in client.get("/games/new").get_data(as_text=True)


# --- put right by touch


def test_a_tile_put_elsewhere_changes_places_with_what_lay_there(phone: Call) -> None:
    _, board = begin(phone)
    tiles = {tuple(tile["cell"]): tile["art"] for tile in phone("GET", board)["picture"]["tiles"]}
    one, two = tiles[1, 0], tiles[3, 0]
    act(phone, board, "changes", change={"kind": "tile", "cell": [1, 0], "tile": two, "rotation": 90})
    after = {tuple(tile["cell"]): tile for tile in phone("GET", board)["picture"]["tiles"]}
    assert (after[1, 0]["art"], after[1, 0]["rotation"], after[3, 0]["art"]) == (two, 90, one)


def test_what_a_player_has_is_put_right_and_counted(phone: Call) -> None:
    _, board = begin(phone)
    for what, count in (("chip-5", 1), ("coin", 2)):
        act(phone, board, "changes", change={"kind": "holds", "player": "Ben", "what": what, "count": count})
    ben = next(player for player in phone("GET", board)["players"] if player["name"] == "Ben")
    assert (ben["total"], ben["rank"]) == (15, 1)
    act(
        phone,
        board,
        "changes",
        status=400,
        change={"kind": "holds", "player": "Ben", "what": "nothing", "count": 1},
    )


def test_the_game_is_counted_up_when_people_say_that_it_is_over(phone: Call) -> None:
    game, board = begin(phone)
    act(phone, board, "changes", change={"kind": "holds", "player": "Aya", "what": "chip-12", "count": 1})
    assert phone("GET", f"/games/{game['id']}/final")["rounds_played"] == 0
    says = phone("GET", board)["says"]
    told = act(phone, board, "end", ended=True)
    assert told["over"] and told["says"] == "The game is over; the score sheet shows the result."
    final = phone("GET", f"/games/{game['id']}/final")
    assert final["winners"] == ["Aya"] and final["complete"]
    assert [row["columns"]["treasures"] for row in final["rows"]] == [12, 0]
    assert act(phone, board, "end", ended=False)["says"] == says
    assert phone("GET", f"/games/{game['id']}/final")["rounds_played"] == 0


def test_a_player_who_is_renamed_goes_on_playing(phone: Call) -> None:
    game, board = begin(phone)
    seat = next(seat for seat in game["seats"] if seat["name"] == "Ben")
    phone("PATCH", f"/seats/{seat['id']}", {"name": "Benno"})
    names = [player["name"] for player in phone("GET", board)["players"]]
    assert sorted(names) == ["Aya", "Benno"]
    act(phone, board, "turn", steps=[pushes(phone, board)])


# --- photos, read as their truth says


def test_a_photo_shows_the_turn_and_waits_until_it_is_taken_over(app: Flask, phone: Call) -> None:
    _, board = begin(phone)
    first = phone("GET", board)["to_move"]
    push = pushes(phone, board)
    photograph(app, board, scan_of(after(phone, board, [push])))
    told = phone("GET", board)
    turn = told["pending"]["turn"]
    assert turn["legal"] and turn["player"] == first
    assert told["pending"]["sure"] and not told["pending"]["questions"], "all of it is certain"
    assert [trace["kind"] for trace in turn["traces"]] == ["push"] and len(turn["traces"][0]["px"]) == 2
    assert told["to_move"] == first and not told["turns"], "nobody has taken it over"
    taken = act(phone, board, "photo", turn=True)
    assert taken["pending"] is None and taken["to_move"] != first
    assert taken["turns"][0]["photo_id"] and taken["turns"][0]["ruling"]["legal"]


WORDS = {
    "labyrinth2": ("red", "blue"),
    "stone_dragon": ("red", "blue", "green"),
    "ice_and_idols": ("green", "blue"),
}


@pytest.mark.parametrize("word", WORDS)
def test_a_photo_that_nobody_has_taken_over_changes_nothing_that_counts(
    app: Flask, phone: Call, word: str
) -> None:
    game, board = begin(phone, f"open-{word}", WORDS[word])
    for name in ("Aya", "Ben") if word == "ice_and_idols" else ():
        act(phone, board, "changes", change={"kind": "player", "player": name, "told": {"hand": ["key-01"]}})
    record = phone("GET", f"{board}/record")
    act(phone, board, "end", ended=True)

    def counts() -> dict[str, Any]:
        told = phone("GET", board)
        kept = {name: told[name] for name in ("players", "facts", "over", "ended", "to_move", "turns")}
        addresses = ("standing", "final", "record")
        scores = {name: phone("GET", f"/games/{game['id']}/{name}") for name in addresses}
        scores["final"].pop("version")
        return kept | scores

    before = counts()
    assert before["final"]["complete"] and before["over"]
    photograph(app, board, seen_with_other_pieces(word, record))
    assert phone("GET", board)["pending"] is not None
    assert counts() == before, "a game that was counted up stays so"
    for what, body in (("end", {"ended": False}), ("turn", {"steps": []}), ("deal", {})):
        assert "photo" in act(phone, board, what, status=409, **body)["error"]["message"]
    assert counts() == before
    act(phone, board, "leave")
    assert counts() == before


def test_a_photo_after_the_end_is_asked_only_about_what_scores(app: Flask, phone: Call) -> None:
    game, board = begin(phone)
    record = phone("GET", f"{board}/record")
    seats = [{**each, "seat": side} for each, side in zip(record["players"], ("bottom", "top"), strict=True)]
    act(phone, board, "changes", change={"kind": "record", "record": {**record, "players": seats}})
    act(phone, board, "end", ended=True)
    treasure = HeldPiece("chip-6", "bottom", (150.0, 380.0), 1.0, 11.0)
    seen = scan_of(record, doubted=(1, 0))
    lost = tuple(each for each in seen.pieces if each.piece != "gargoyle-1")
    photograph(app, board, replace(seen, pieces=lost, held=(treasure,), height=420, spare=None))
    pending = phone("GET", board)["pending"]
    assert [each["kind"] for each in pending["questions"]] == ["looked-over"] and pending["turn"] is None
    act(phone, board, "photo", turn=False)
    rows = {row["name"]: row["total"] for row in phone("GET", f"/games/{game['id']}/final")["rows"]}
    assert rows == {"Aya": 6, "Ben": 0} and phone("GET", board)["over"]


def test_a_player_who_is_renamed_takes_no_photo_over(app: Flask, phone: Call) -> None:
    game, board = begin(phone)
    before = phone("GET", board)
    photograph(app, board, scan_of(after(phone, board, [pushes(phone, board)])))
    held = {"kind": "player", "player": "Ben", "told": {"holds": {"chip-8": 2}}}
    act(phone, board, "changes", change=held)
    waits = phone("GET", board)["pending"]
    seat = next(seat for seat in game["seats"] if seat["name"] == "Ben")
    phone("PATCH", f"/seats/{seat['id']}", {"name": "Benno"})
    told = phone("GET", board)
    assert told["pending"] and told["pending"]["seen"] == waits["seen"]
    assert told["pending"]["questions"] == waits["questions"] and not told["turns"]
    assert {player["name"] for player in told["players"]} == {"Aya", "Benno"}
    record = {each["name"]: each for each in phone("GET", f"{board}/record")["players"]}
    assert record["Benno"]["holds"] == {"chip-8": 2}, "what was put right stays"
    left = act(phone, board, "leave")
    assert left["picture"] == before["picture"] and not left["turns"]
    assert {player["name"] for player in left["players"]} == {"Aya", "Benno"}


def test_a_doubt_is_asked_with_its_cell_and_an_answer_settles_it(
    app: Flask, phone: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A tile of which nothing hangs is not asked about, and on some boards the first bend is one.
    monkeypatch.setattr(random, "SystemRandom", lambda: random.Random(7))
    _, board = begin(phone)
    record = after(phone, board, [pushes(phone, board)])
    cell = next((t["column"], t["row"]) for t in record["tiles"] if t["tile"].startswith("L"))
    photograph(app, board, scan_of(record, doubted=cell))
    question, last = phone("GET", board)["pending"]["questions"]
    assert tuple(question["cell"]) == cell and len(question["options"]) == 5
    unknown = act(phone, board, "answers", question=question["name"], option=0)
    assert unknown["pending"]["questions"] == [last], "who cannot tell is not asked again"
    assert not unknown["pending"]["sure"], "and settles nothing"
    assert act(phone, board, "undo")["pending"]["questions"] == [question, last]
    told = act(phone, board, "answers", question=question["name"], option=1)
    assert told["pending"]["questions"] == [last] and told["pending"]["turn"]["legal"]
    act(phone, board, "answers", status=409, question=question["name"], option=1)


def test_what_was_read_wrong_is_put_right_by_touch(app: Flask, phone: Call) -> None:
    _, board = begin(phone)
    before = phone("GET", f"{board}/record")
    record = after(phone, board, [pushes(phone, board)])
    still = [tile for tile in record["tiles"] if tile in before["tiles"]]
    wrong = next(tile for tile in still if tile["tile"].startswith("L"))
    read = {
        **record,
        "tiles": [
            {**t, "rotation": (t["rotation"] + 90) % 360} if t is wrong else t for t in record["tiles"]
        ],
    }
    photograph(app, board, scan_of(read))
    told = phone("GET", board)["pending"]["turn"]
    assert told["legal"] is False, "two tiles cannot have been turned"
    change = {
        "kind": "tile",
        "cell": [wrong["column"], wrong["row"]],
        "tile": wrong["tile"],
        "rotation": wrong["rotation"],
    }
    assert act(phone, board, "changes", change=change)["pending"]["turn"]["legal"]
    assert act(phone, board, "undo")["pending"]["turn"]["legal"] is False


def test_a_photo_of_the_beginning_is_how_the_board_stands(app: Flask, phone: Call) -> None:
    _, dealt = begin(phone)
    record = phone("GET", f"{dealt}/record")
    _, board = begin(phone, deal=False)
    photograph(app, board, scan_of(record))
    told = phone("GET", board)
    assert told["pending"]["turn"] is None
    assert act(phone, board, "photo", turn=False)["legal"]
    photograph(app, board, scan_of(record))
    left = act(phone, board, "leave")
    assert left["pending"] is None and left["picture"]["tiles"] == phone("GET", dealt)["picture"]["tiles"]


def test_a_disputed_turn_is_taken_back_when_the_table_agrees(app: Flask, phone: Call) -> None:
    _, board = begin(phone)
    before = phone("GET", board)
    push = pushes(phone, board)
    record = after(phone, board, [push])
    mover = next(p["piece"] for p in record["players"] if p["name"] == before["to_move"])
    walk = next(form for form in act(phone, board, "try", steps=[push])["forms"] if form["id"] == "walk")
    reached = walk["fields"][0]["likely"]
    far = next([x, y] for x in (5, 3, 1) for y in (5, 3, 1) if [x, y] not in reached)
    for piece in record["pieces"]:
        if piece["piece"] == mover:
            piece["column"], piece["row"] = far
    photograph(app, board, scan_of(record))
    turn = phone("GET", board)["pending"]["turn"]
    assert turn["legal"] is False and "wrong" in [trace["kind"] for trace in turn["traces"]]
    act(phone, board, "photo", turn=True)  # it is taken over all the same
    claim = {"who": "Ben", "words": "No way leads there.", "wants": "back", "client_key": "one"}
    told = phone("POST", f"{board}/claims", claim, status=201)
    (said,) = phone("POST", f"{board}/claims", claim, status=201)["claims"]
    assert told["turns"][0]["ruling"]["legal"] is False and not said["accepted"]
    agreed = act(phone, board, f"claims/{said['id']}/accept")
    assert agreed["claims"][0]["accepted"] and not agreed["turns"]
    assert agreed["picture"] == before["picture"] and agreed["to_move"] == before["to_move"]


# --- kept


def test_a_game_goes_out_in_a_log_and_comes_in_elsewhere(app: Flask, phone: Call, tmp_path: Any) -> None:
    from webapp.app import create_app
    from webapp.config import ServerConfig

    _, board = begin(phone)
    act(phone, board, "turn", steps=[pushes(phone, board)])
    photograph(app, board, scan_of(after(phone, board, [pushes(phone, board)])))
    told = phone("GET", board)
    assert told["pending"]
    log = app.test_client().get("/api/v1/log").get_data()
    other = create_app(ServerConfig(data=tmp_path / "other", scan_workers=0))
    client = other.test_client()
    came = client.post("/api/v1/log", data=log, content_type="application/zip")
    assert came.status_code == 200, came.get_data(as_text=True)
    assert Calls(client)("GET", board)["picture"] == told["picture"]
    assert Calls(client)("GET", board)["turns"] == told["turns"]
    assert Calls(client)("GET", board)["pending"] == told["pending"]
    other.extensions[KEY].database.engine.dispose()


# --- the other games

#: When a game begins no panel but the entrance lies face up, and no idol is under a figure.
AGAINST_THE_RULES = {
    "stone_dragon": {"do": "turn", "at": [3, 2], "rotation": 90},
    "ice_and_idols": {"do": "pick", "idol": "jade"},
}


@pytest.mark.parametrize(
    ("word", "colours", "steps"),
    [
        (
            "stone_dragon",
            ("red", "blue", "green"),
            [{"do": "explore", "to": [1, 0], "tile": "T1", "rotation": 0}],
        ),
        ("ice_and_idols", ("green", "blue"), [{"do": "adrenaline"}]),
    ],
)
def test_every_board_game_is_dealt_told_and_counted(
    phone: Call, word: str, colours: tuple[str, ...], steps: list[dict[str, Any]]
) -> None:
    game, board = begin(phone, f"open-{word}", colours)
    told = phone("GET", board)
    assert told["legal"], told["faults"]
    trial = act(phone, board, "try", steps=[])
    assert trial["forms"] and {form["label"] for form in trial["forms"]}
    tried = act(phone, board, "try", steps=steps)["ruling"]
    if tried["legal"]:
        assert len(act(phone, board, "turn", steps=steps)["turns"]) == 1
    assert tried["why"]
    broken = act(phone, board, "try", steps=[AGAINST_THE_RULES[word]])
    assert broken["ruling"]["legal"] is False and not broken["forms"], "it is taken back first"
    for name in ("Aya", "Ben") if word == "ice_and_idols" else ():  # what nobody saw is told in the end
        told = {"hand": ["key-01"]}
        act(phone, board, "changes", change={"kind": "player", "player": name, "told": told})
    act(phone, board, "end", ended=True)
    final = phone("GET", f"/games/{game['id']}/final")
    columns = {column.id for column in game_named(word).sheet.final_columns}
    assert final["complete"] and all(set(row["columns"]) == columns for row in final["rows"])


def seen_with_other_pieces(word: str, record: dict[str, Any]) -> BoardScan | LayeredScan | LooseScan:
    """What a perfect reader reads of a board, its tiles turned."""
    turned = [{**each, "rotation": ((each.get("rotation") or 0) + 180) % 360} for each in record["tiles"]]
    other = {**record, "tiles": turned}
    if word == "labyrinth2":
        return scan_of(other)
    if word == "ice_and_idols":
        return layers_of_record(record, 90, beside=True)
    return panels_of_record(other, {each["piece"]: (2, 2) for each in record["pieces"]})


def test_how_a_table_of_layers_stands_is_taken_from_its_photo(app: Flask, phone: Call) -> None:
    _, board = begin(phone, "open-ice_and_idols", ("green", "blue"))
    record = phone("GET", f"{board}/record")
    photograph(app, board, layers_of_record(record, 90))
    view = phone("GET", board)
    assert view["pending"] and view["picture"]["ground_rotation"] == 90
    act(phone, board, "photo", turn=False)
    stands = phone("GET", f"{board}/record")
    assert stands["ground"]["rotation"] == 90 and stands["tiles"] == record["tiles"]
    on_track = [each for each in record["pieces"] if each.get("on") == "research"]
    assert [each for each in stands["pieces"] if each.get("on") == "research"] == on_track


def moved(call: Any, board: str) -> dict[str, Any]:
    """A step by which the figure of who is to move goes by the rules."""
    forms = act(call, board, "try", steps=[])["forms"]
    (to,) = [form["fields"][0] for form in forms if form["id"] == "move"]
    for side in to["choices"]:
        step = {"do": "move", "to": side}
        if act(call, board, "try", steps=[step])["done"]:
            return step
    raise AssertionError("a figure on a roundabout can go somewhere")


def test_a_photo_of_the_temple_tells_the_steps_of_a_turn(
    app: Flask, phone: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(random, "SystemRandom", lambda: random.Random(5))
    _, board = begin(phone, "open-ice_and_idols", ("green", "blue"))
    first, step = phone("GET", board)["to_move"], moved(phone, board)
    seen = after(phone, board, [step])
    photograph(app, board, layers_of_record(seen, 0, beside=True, step=step["to"]))
    pending = phone("GET", board)["pending"]
    assert pending["steps"] == [step] and pending["turn"]["legal"] and not pending["sure"]
    taken = act(phone, board, "photo", turn=True)
    assert taken["to_move"] != first and [each["ruling"]["legal"] for each in taken["turns"]] == [True]
    assert phone("GET", f"{board}/record") == seen


def test_what_a_photo_does_not_show_of_a_turn_is_told_beside_it(
    app: Flask, phone: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(random, "SystemRandom", lambda: random.Random(5))
    _, board = begin(phone, "open-ice_and_idols", ("green", "blue"))
    step = moved(phone, board)
    photograph(app, board, layers_of_record(after(phone, board, [step]), 0))
    turn = phone("GET", board)["pending"]["turn"]
    assert turn["legal"] is None and "not show" in turn["why"], "neither the track nor the boards are in view"
    act(phone, board, "photo", status=409, turn=True)
    told = [{"do": "adrenaline"}, step]
    assert act(phone, board, "try", steps=told)["ruling"]["legal"]
    assert len(act(phone, board, "photo", turn=True, steps=told)["turns"]) == 1


def test_a_photo_that_no_turn_leads_to_is_not_said_to_be_against_the_rules(app: Flask, phone: Call) -> None:
    _, board = begin(phone, "open-ice_and_idols", ("green", "blue"))
    seen = phone("GET", f"{board}/record")
    gone = [each for each in seen["tiles"] if (each["column"], each["row"]) not in ((0, 0), (4, 3))]
    photograph(app, board, layers_of_record({**seen, "tiles": gone}, 0, beside=True))
    turn = phone("GET", board)["pending"]["turn"]
    assert turn["legal"] is None and any("the tiles" in note for note in turn["notes"])


def test_a_photo_from_another_side_of_the_table_puts_panels_down_as_they_stood(
    app: Flask, phone: Call
) -> None:
    _, board = begin(phone, "open-stone_dragon", ("red", "blue", "green"))
    record = phone("GET", f"{board}/record")
    pawns = {each["piece"]: (each["column"], each["row"]) for each in record["pieces"]}
    turned = {"tile": "T1", "column": 1, "row": 0, "rotation": 180}
    lies = [turned if (each["column"], each["row"]) == (1, 0) else each for each in record["tiles"]]
    seen = panels_of_record({**record, "tiles": lies}, {**pawns, "pawn-red": (1, 0)})
    photograph(app, board, turned_scan(seen, 1))
    assert [each["cell"] for each in phone("GET", board)["pending"]["questions"]] == [None], "all was told"
    act(phone, board, "photo", turn=False)
    stands = phone("GET", f"{board}/record")
    assert [each for each in stands["tiles"] if (each["column"], each["row"]) == (1, 0)] == [turned]
    assert {each["piece"]: (each["column"], each["row"]) for each in stands["pieces"]} == {
        **pawns,
        "pawn-red": (1, 0),
    }
    kept = ("name", "character", "life", "coins", "holds", "hand_size")
    assert [{key: each.get(key) for key in kept} for each in stands["players"]] == [
        {key: each.get(key) for key in kept} for each in record["players"]
    ], "what no photo shows stays"


def test_statistics_are_kept_by_game_and_pages_say_which(phone: Call, client: FlaskClient) -> None:
    game, board = begin(phone)
    act(phone, board, "end", ended=True)
    aya = game["seats"][0]["person_id"]
    usual = phone("GET", f"/persons/{aya}")
    assert usual["game"] == "mapmasters" and usual["statistics"]["games"] == 0
    assert usual["whole_games"] == {"labyrinth2": 1}
    told = phone("GET", f"/persons/{aya}?game=labyrinth2")
    assert told["statistics"]["games"] == 1 and told["games"][0]["game_id"] == game["id"]
    assert set(told["statistics"]["mean_columns"]) == {"treasures", "coins", "dragon"}
    # Pages show what was played, without being asked for it.
    assert "The dragon" in client.get(f"/players/{aya}").get_data(as_text=True)
    for page in ("/", "/history", f"/games/{game['id']}/final"):
        assert "Labyrinth 2" in client.get(page).get_data(as_text=True), page


def test_the_end_of_a_game_says_what_nobody_told(phone: Call, client: FlaskClient) -> None:
    game, board = begin(phone, "open-ice_and_idols", ("green", "blue"))
    act(phone, board, "end", ended=True)
    final = client.get(f"/games/{game['id']}/final").get_data(as_text=True)
    assert "Aya: not entered yet: Key card." in final and "Rounds" not in final
