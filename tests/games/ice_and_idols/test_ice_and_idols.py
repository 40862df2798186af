"""The rules of Ice and Idols by example (tests/golden/ice_and_idols), and what cannot be read."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest
from board_cases import Case
from check_game import check_game
from ice_and_idols_cases import GOLDEN, LETTERS, box, cases_of, invented_box

from scorer.catalogue import parse_catalogue
from scorer.errors import WaymarkError
from scorer.house_settings import house_of
from scorer.ice_and_idols.game import GAME
from scorer.ice_and_idols.rules.board_ruling import rule_board
from scorer.ice_and_idols.rules.codes import PROBLEMS, VIOLATIONS
from scorer.ice_and_idols.rules.final_score import final_score, read_game
from scorer.ice_and_idols.rules.house import House
from scorer.ice_and_idols.rules.pieces import pieces_of
from scorer.ice_and_idols.rules.turn_record import turn_told
from scorer.ice_and_idols.rules.turn_ruling import rule_turn
from scorer.ice_and_idols.rules.validation import board_told

CASES = [case for file in sorted(GOLDEN.glob("*.txt")) for case in cases_of(file)]
PIECES = pieces_of(box())
NAMES = {name: letter for letter, name in LETTERS.items()}


def rule(case: Case) -> dict[str, Any]:
    """The answer to a case, as JSON has it."""
    house = house_of(House, case.board.get("house", {}))
    answer: Any
    if case.turn is not None:
        answer = rule_turn(turn_told(case.turn, PIECES), PIECES, house)
    else:
        answer = rule_board(board_told(case.board, PIECES), PIECES, house)
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(answer))
    return told


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_is_ruled_as_told(case: Case) -> None:
    answer = rule(case)
    assert {name: told(answer, name) for name in case.expected} == case.expected


def test_every_code_has_a_case() -> None:
    cited = {case.expected.get("breaks", "").split(" ")[0] for case in CASES}
    assert set(VIOLATIONS) <= cited
    cited = {code for case in CASES for code in case.expected.get("problems", "").split()}
    assert set(PROBLEMS) <= cited


def told(answer: dict[str, Any], name: str) -> str:
    """A part of an answer in the words of a golden file."""
    first, _, rest = name.partition(" ")
    if name == "problems":
        return " ".join(sorted({each["rule"] for each in answer["problems"]})) or "nothing"
    if name == "breaks":
        return _broken(answer["violations"])
    if name == "unknown":
        return str(answer["unknown"])
    if name == "ap":
        ap = answer["ap"]
        return f"{ap['start']}+{ap['gained']}-{ap['spent']}={ap['left']}"
    if name == "end":
        return _end(answer["end"])
    if name == "cheapest":
        return _cheapest(answer["cheapest"])
    if first == "track":
        return _track(answer["tracks"], rest)
    if "players" in answer:
        player = next(each for each in answer["players"] if each["name"] == first)
        return _standing(player, rest)
    return _after(answer["after"], first, rest)


def _broken(violations: list[dict[str, Any]]) -> str:
    if not violations:
        return "nothing"
    first = violations[0]
    also = f", also {' '.join(first['also'])}" if first["also"] else ""
    return f"{first['rule']} at {first['action']}{also}"


def _end(end: dict[str, Any] | None) -> str:
    if end is None:
        return "unknown"
    tenth = "".join(f", {name} has placed all" for name in end["tenth"])
    return f"{end['full_tracks']} full{tenth}{', the end comes' if end['triggered'] else ''}"


def _cheapest(cheapest: dict[str, Any]) -> str:
    if cheapest["ap"] is None:
        return "none"
    if any(each["do"] != "move" for each in cheapest["actions"]):
        return str(cheapest["ap"])
    return f"{cheapest['ap']}: {', '.join('move ' + each['to'] for each in cheapest['actions'])}".strip()


def _track(tracks: list[dict[str, Any]] | None, idol: str) -> str:
    if tracks is None:
        return "unknown"
    track = next(each for each in tracks if each["idol"] == idol)
    parts = [f"{track['filled']} of {track['spaces']}"]
    parts.append(f"{track['value']}{' locked' if track['locked'] else ''}")
    if track["next"] is not None:
        parts.append(f"next {track['next']['row']} {track['next']['gives']}")
    return ", ".join(parts)


def _cell(cell: list[int] | None) -> str:
    return "none" if cell is None else ",".join(map(str, cell))


def _standing(player: dict[str, Any], what: str) -> str:
    if what == "stands":
        if player["stands"] is None:
            return "unknown"
        return f"{_cell(player['stands'])} {' '.join(player['sides'])}"
    if what == "here":
        if player["idols"] is None:
            return "unknown"
        return " ".join([*player["idols"], *(f"{each} altar" for each in player["altars"])]) or "nothing"
    value = player[what]
    if value is None:
        return "unknown"
    if what == "map":
        return _cell(value)
    if what == "reach":
        return "; ".join(f"{_cell(each['cell'])} {' '.join(each['sides'])} {each['ap']}" for each in value)
    if what == "gets":
        idols, altars = (
            ", ".join(f"{kind} {ap}" for kind, ap in sorted(value[each].items()))
            for each in ("idols", "altars")
        )
        return f"{idols or 'nothing'} and altars {altars or 'none'}"
    if what == "collapse":
        return " ".join(f"{side} {_cell(cell)}" for side, cell in value.items())
    if what == "key":
        return f"{value['card']} " + (
            f"met at {' '.join(map(_cell, value['at']))}" if value["met"] else "not met"
        )
    return str(value)


def _after(board: dict[str, Any], first: str, rest: str) -> str:
    if first == "ground":
        return str(board["ground"]["rotation"])
    if first == "to":
        return str(board["to_move"])
    if first == "beside":
        told = [f"{each['at']} {NAMES[each['tile']]}" for each in board["spare"]]
        kept = [each for each in told if not each.startswith("discard")]
        discard = [each.split()[1] for each in told if each.startswith("discard")]
        return " ".join((["discard", *discard] if discard else []) + kept) or "nothing"
    if first == "tokens":
        return _tokens(board)
    if first == "cubes":
        column = next(n for n, idol in enumerate(IDOLS) if idol == rest)
        cubes = [p for p in board["pieces"] if "cube" in p["piece"] and p["column"] == column]
        cubes.sort(key=lambda each: -int(each["row"]))
        return " ".join(each["piece"].removeprefix("cube-") for each in cubes)
    lying = {f"{each['column']},{each['row']}": each for each in board["tiles"]}
    if first == "panel":
        return f"{NAMES[lying[rest]['tile']]}{lying[rest]['rotation']}"
    if first == "empty":
        cells = [f"{column},{row}" for row in range(5) for column in range(5)]
        return " ".join(cell for cell in cells if cell not in lying) or "nothing"
    player = next(each for each in board["players"] if each["name"] == first)
    if rest == "at":
        return _at(board, lying, player["piece"])
    if rest == "powers":
        return " ".join(player["powers"]) or "nothing"
    if rest == "sign":
        return "minus" if "adrenaline-minus" in player["holds"] else "plus"
    idols = [each.removeprefix("idol-") for each in player["holds"] if each.startswith("idol")]
    return " ".join(sorted(idols)) or "nothing"


IDOLS = ("sapphire", "tiger_eye", "jade", "ruby", "gold")


def _tokens(board: dict[str, Any]) -> str:
    tokens = sorted(
        (each["column"], each["piece"].removeprefix("vp-") + ("!" if each["row"] == 0 else ""))
        for each in board["pieces"]
        if each["piece"].startswith("vp")
    )
    return " ".join(token for _, token in tokens)


def _at(board: dict[str, Any], lying: dict[str, Any], figure: str) -> str:
    piece = next(each for each in board["pieces"] if each["piece"] == figure)
    tile = lying[f"{piece['column']},{piece['row']}"]
    number = PIECES.tiles[tile["tile"]].nodes[piece["place"]] if "place" in piece else 0
    sides = PIECES.lying[tile["tile"], tile["rotation"]][number]
    names = [name for side, name in enumerate(("top", "right", "bottom", "left")) if sides >> side & 1]
    return f"{piece['column']},{piece['row']} {' '.join(names)}"


# --- what cannot be read ------------------------------------------------------------------------------------


def a_table() -> dict[str, Any]:
    return copy.deepcopy(next(case.board for case in CASES if case.file == "turns.txt"))


def with_player(**more: Any) -> dict[str, Any]:
    table = a_table()
    table["players"][0] |= more
    return table


@pytest.mark.parametrize(
    "table",
    [
        a_table() | {"game": "chess"},
        a_table() | {"grid": {"columns": 4, "rows": 5}},
        a_table() | {"house": {"quick": 1}},
        a_table() | {"to_move": "nobody"},
        a_table() | {"tiles": [{"tile": "key-1", "column": 0, "row": 0, "rotation": 0}]},
        a_table() | {"tiles": [{"tile": "nothing", "column": 0, "row": 0, "rotation": 0}]},
        a_table() | {"tiles": [{"tile": "archway", "column": 0, "row": 0, "rotation": 30}]},
        a_table() | {"tiles": [{"tile": "archway", "column": 0.5, "row": 0, "rotation": 0}]},
        a_table() | {"spare": [{"tile": "archway", "at": "Dan"}]},
        a_table() | {"pieces": [{"piece": "cube-green", "column": 0, "row": 0}]},
        a_table() | {"pieces": [{"piece": "figure-green", "column": 0, "row": 0, "on": "research"}]},
        a_table() | {"pieces": [{"piece": "cube-green", "column": 0, "row": 0, "on": "roof"}]},
        a_table() | {"ground": {"rotation": 45}},
        a_table() | {"ground": {"tiles": [{"tile": "research"}]}},
        a_table() | {"borders": {"top": "cloud"}},
        a_table() | {"ask": {"cheapest": {"player": "Dan", "to": {"idol": "jade"}}}},
        a_table() | {"ask": {"cheapest": {"player": "Aya", "to": {}}}},
        a_table() | {"ask": {"cheapest": {"player": "Aya", "to": {"idol": "glass"}}}},
        a_table() | {"ask": {"cheapest": {"player": "Aya", "to": {"cell": [5, 0]}}}},
        a_table() | {"ask": {"cheapest": {"player": "Aya", "to": {"idol": "jade"}, "with": ["luck"]}}},
        a_table() | {"ask": {"cheapest": {"player": "Aya", "to": {"idol": "jade"}, "limit": 8}}},
        with_player(name="Ben"),
        with_player(name=""),
        with_player(piece="figure-blue"),
        with_player(seat="north"),
        with_player(powers=["glass"]),
        with_player(powers=["jade", "jade"]),
        with_player(holds={"key-1": 1}),
        with_player(hand=["key-1", "key-2"]),
        with_player(hand=["calm"]),
    ],
    ids=str,
)
def test_what_is_no_board(table: dict[str, Any]) -> None:
    with pytest.raises(WaymarkError) as caught:
        board_told(table, PIECES)
    assert caught.value.exit_status == 3 and caught.value.en != caught.value.ja


@pytest.mark.parametrize(
    "change",
    [
        {"player": "nobody"},
        {"claims": None},
        {"claims": {}},
        {"before": None},
        {"claims": {"actions": [{"do": "dance"}]}},
        {"claims": {"actions": [{"do": "move"}]}},
        {"claims": {"actions": [{"do": "move", "to": "north"}]}},
        {"claims": {"actions": [{"do": "pick", "idol": "glass"}]}},
        {"claims": {"actions": [{"do": "place", "idol": "jade"}]}},
        {"claims": {"actions": [{"do": "place", "idol": "jade", "for": "fun"}]}},
        {"claims": {"actions": [{"do": "place", "idol": "jade", "for": "power", "event": "key-1"}]}},
        {"claims": {"actions": [{"do": "ruby", "cell": [5, 0], "turn": "clockwise"}]}},
        {"claims": {"actions": [{"do": "keysmith", "to": "top", "tile": "key-1", "rotation": 0}]}},
        {"claims": {"actions": [{"do": "pass", "cell": [1, 1]}]}},
        {"after": with_player(name="Dan")},
    ],
    ids=str,
)
def test_what_is_no_turn(change: dict[str, Any]) -> None:
    told = {
        "format": "waymark-turn/1",
        "game": "ice_and_idols",
        "player": "Aya",
        "before": a_table(),
        "claims": {"actions": []},
    }
    turn_told(told, PIECES)
    with pytest.raises(WaymarkError) as caught:
        rule_turn(turn_told(told | change, PIECES), PIECES, house_of(House, {}))
    assert caught.value.exit_status == 3 and caught.value.en != caught.value.ja


@pytest.mark.parametrize("what", ["idol", "value", "character", "event", "tracks"])
def test_a_box_whose_numbers_cannot_be_is_refused(what: str) -> None:
    told = invented_box()
    for card in told["cards"]:
        if what in card:
            card[what] = "many"
    with pytest.raises(WaymarkError):
        pieces_of(parse_catalogue(msgspec.json.encode(told)))


# --- the final score ----------------------------------------------------------------------------------------


def written(name: str, tracks: int, **more: int) -> dict[str, Any]:
    return {"name": name, "tracks": {"sapphire": tracks}, **more}


def final(*players: dict[str, Any]) -> dict[str, Any]:
    told = {"format": "waymark-game/1", "game": "ice_and_idols", "players": list(players)}
    answer: dict[str, Any] = msgspec.to_builtins(final_score(read_game(told), None))
    return answer


def test_the_score_of_the_source() -> None:
    """5 + 8 + 6 + 7 + 12 on the tracks, bonus spaces 5, not all powers, the key card 10: 53."""
    tracks = dict(zip(IDOLS, (5, 8, 6, 7, 12), strict=True))
    answer = final({"name": "Aya", "tracks": tracks, "bonus": 5, "powers": 3, "key": 10, "markers": 8})
    assert answer["players"][0]["total"] == 53 and answer["players"][0]["tracks"] == 38


def test_all_five_powers_count_eight() -> None:
    answer = final(written("Aya", 10, powers=5), written("Ben", 17))
    assert [each["total"] for each in answer["players"]] == [18, 17]
    assert answer["players"][0]["powers"] == 8


def test_a_track_without_a_token_is_not_locked() -> None:
    answer = rule(next(case for case in CASES if case.title == "a column without its token"))
    jade = next(each for each in answer["tracks"] if each["idol"] == "jade")
    assert jade["locked"] is False and jade["token"] is None and jade["value"] is None


def test_in_quick_play_all_score_the_eight() -> None:
    told: dict[str, Any] = {"format": "waymark-game/1", "game": "ice_and_idols", "house": {"quick": True}}
    told["players"] = [written("Aya", 6, markers=2), written("Ben", 3, powers=5, markers=1)]
    answer: dict[str, Any] = msgspec.to_builtins(final_score(read_game(told), None))
    assert [(each["powers"], each["total"]) for each in answer["players"]] == [(8, 14), (8, 11)]
    assert answer["winners"] == ["Aya"] and answer["decided_by"] == "total"


@pytest.mark.parametrize("house", [{"quick": 1}, {"speed": True}], ids=str)
def test_settings_beside_typed_figures_are_settings(house: dict[str, Any]) -> None:
    told = {"format": "waymark-game/1", "game": "ice_and_idols", "players": [written("Aya", 6)]}
    with pytest.raises(WaymarkError) as caught:
        read_game(told | {"house": house})
    assert caught.value.exit_status == 3


@pytest.mark.parametrize(
    ("aya", "ben", "by"),
    [
        (written("Aya", 11), written("Ben", 10), "total"),
        (written("Aya", 10, powers=3), written("Ben", 10, powers=2), "powers"),
        (written("Aya", 5, key=5), written("Ben", 10), "key"),
        (written("Aya", 10, markers=5), written("Ben", 10, markers=4), "markers"),
    ],
    ids=str,
)
def test_ties_are_broken_in_order(aya: dict[str, Any], ben: dict[str, Any], by: str) -> None:
    for players in ((aya, ben), (ben, aya)):
        answer = final(*players)
        assert answer["winners"] == ["Aya"] and answer["decided_by"] == by


def test_the_later_in_turn_order_wins_what_is_equal() -> None:
    answer = final(written("Aya", 10), written("Ben", 10))
    assert answer["winners"] == ["Ben"] and answer["decided_by"] == "order"
    assert [each["rank"] for each in answer["players"]] == [2, 1]


def on_the_table(*changes: dict[str, Any]) -> dict[str, Any]:
    """The final score of the full table of boards.txt."""
    board = copy.deepcopy(next(case.board for case in CASES if case.title.startswith("a full track is")))
    for change in changes:
        board |= change
    told = {"format": "waymark-game/1", "game": "ice_and_idols", "board": board}
    answer: dict[str, Any] = msgspec.to_builtins(final_score(read_game(told), box()))
    return answer


def test_the_table_is_counted() -> None:
    """Aya: two cubes at 3, one of them on a bonus space, one at 4, and the three meet her key card."""
    board = next(case.board for case in CASES if case.title.startswith("a full track is"))
    players = copy.deepcopy(board["players"])
    for player in players:
        player["hand"] = ["key-1"]
    answer = on_the_table({"players": players})
    aya = answer["players"][0]
    assert aya["by_track"] == {"sapphire": 6, "tiger_eye": 4} and aya["bonus"] == 1
    assert aya["key"] == 10 and aya["total"] == 21 and answer["winners"] == ["Aya"]


def test_who_has_no_key_card_scores_none() -> None:
    answer = on_the_table()
    assert [each["key"] for each in answer["players"]] == [0, 0, 0] and answer["winners"] == ["Aya"]


def test_a_hand_that_is_not_told_leaves_the_totals_open() -> None:
    board = next(case.board for case in CASES if case.title.startswith("a full track is"))
    players = [{name: value for name, value in each.items() if name != "hand"} for each in board["players"]]
    answer = on_the_table({"players": players})
    assert [each["total"] for each in answer["players"]] == [None, None, None]
    assert answer["winners"] == [] and answer["decided_by"] is None


@pytest.mark.parametrize(
    "change",
    [
        {"players": []},
        {"players": [{"name": "Aya", "powers": 6}]},
        {"players": [{"name": "Aya", "bonus": -1}]},
        {"players": [{"name": "Aya", "tracks": {"glass": 1}}]},
        {"players": [{"name": "Aya"}, {"name": "Aya"}]},
        {"format": "waymark-game/2"},
        {"game": "chess"},
    ],
    ids=str,
)
def test_what_is_no_game(change: dict[str, Any]) -> None:
    told = {"format": "waymark-game/1", "game": "ice_and_idols", "players": [{"name": "Aya"}]}
    with pytest.raises(WaymarkError) as caught:
        read_game(told | change)
    assert caught.value.exit_status == 3


# --- as a game ----------------------------------------------------------------------------------------------


def test_it_is_a_game_as_waymark_asks() -> None:
    records = [GAME.rules.parse_record(msgspec.json.encode(a_table()))]
    check_game(GAME, box(), records, {"quick": True, "architect_turns": "other"})


def test_turns_are_told_in_both_languages() -> None:
    turns = GAME.play.turns
    assert turns is not None
    for case in CASES:
        if case.turn is None:
            continue
        turn = turns.parse(msgspec.json.encode(case.turn))
        ruling = turns.referee(box(), turn, turns.terms_of(turn, GAME.rules.settings.make({})))
        words = [step.what for step in turns.steps(ruling)] + [turns.why(ruling).words]
        report = turns.report(ruling)
        words += [*report.faults, *report.notes, report.brief, *(fact.words for fact in report.facts)]
        assert all(each.en and each.ja and "{" not in each.en + each.ja for each in words)


def test_a_table_after_a_turn_can_be_played_on() -> None:
    for case in CASES:
        if case.turn is not None and case.expected.get("breaks") == "nothing":
            board_told(rule(case)["after"], PIECES)
