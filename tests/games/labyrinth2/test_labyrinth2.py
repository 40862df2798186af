"""The rules of Labyrinth 2 by example (tests/golden/labyrinth2), and what cannot be read."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest
from check_game import check_game
from labyrinth2_cases import GOLDEN, Case, cases_of, drawn_board, labyrinth
from same_boards import same_board

from scorer.errors import WaymarkError
from scorer.labyrinth2.game import GAME
from scorer.labyrinth2.rules.board_ruling import rule_board
from scorer.labyrinth2.rules.codes import PROBLEMS, VIOLATIONS
from scorer.labyrinth2.rules.final_score import final_score, read_game, worth_of
from scorer.labyrinth2.rules.pieces import pieces_of
from scorer.labyrinth2.rules.table import table_of
from scorer.labyrinth2.rules.turn_record import turn_told
from scorer.labyrinth2.rules.turn_ruling import rule_turn
from scorer.labyrinth2.rules.validation import board_told

CASES = [case for file in sorted(GOLDEN.glob("*.txt")) for case in cases_of(file)]
PIECES = pieces_of(labyrinth())


def rule(case: Case) -> dict[str, Any]:
    """The answer to a case, as JSON has it."""
    pieces = pieces_of(case.catalogue)
    if case.turn is not None:
        answer: Any = rule_turn(turn_told(case.turn, pieces), pieces)
    else:
        answer = rule_board(table_of(board_told(case.board, pieces), pieces))
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(answer))
    return told


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_is_ruled_as_told(case: Case) -> None:
    answer = rule(case)
    assert {name: told(answer, name) for name in case.expected} == case.expected


def test_every_code_has_a_case() -> None:
    cited = {code for case in CASES for code in case.expected.get("breaks", "").split()}
    assert set(VIOLATIONS) <= cited
    cited = {code for case in CASES for code in case.expected.get("problems", "").split()}
    assert set(PROBLEMS) <= cited


def told(answer: dict[str, Any], name: str) -> str:
    """A part of an answer in the words of a golden file."""
    word, _, about = name.partition(" ")
    value = answer.get({"breaks": "violations"}.get(word, word))
    if word in ("breaks", "problems"):
        return " ".join(each["rule"] for each in value or ()) or "nothing"
    if word == "legal":
        return {None: "unknown", True: "yes", False: "no"}[value]
    if word in ("pending", "differs"):
        return " ".join(value or ()) or "nothing"
    if word in ("stood", "to"):
        return cell(value)
    if word == "fights":
        return "; ".join(_fight(each) for each in value or ()) or "nobody"
    if word == "final":
        return "none" if value is None else _final(value)
    if word == "candidates":
        return "; ".join(f"{each['at']} {each['rotation']}" for each in value or ()) or "none"
    if word == "next":
        return "nothing" if value is None else f"{value['value']} at {cells(value['cells'])}{_nested(value)}"
    if word == "reach":
        return _reach(next(each for each in value or () if each["piece"] == f"explorer-{about}"))
    if word == "watch":
        return _watch(next(each for each in value or () if each["by"] == about))
    if word == "moves":
        return "not played" if value is None else "; ".join(map(_move, value)) or "none"
    if word == "best":
        return "none" if value is None else _move(value)
    if word == "result":
        return _result(answer["result"], about)
    return str(value)


def cell(value: Any) -> str:
    return "none" if value is None else ",".join(map(str, value))


def cells(values: Any) -> str:
    return " ".join(map(cell, values)) or "nowhere"


def _nested(value: dict[str, Any]) -> str:
    return f", nested {cells(value['nested'])}" if value["nested"] else ""


def _fight(fight: dict[str, Any]) -> str:
    ended = {None: "?", True: "won", False: f"lost {str(fight['lost']).removeprefix('chip-')}"}[fight["won"]]
    return f"{fight['player']} by {fight['by']} {ended}"


def _final(final: dict[str, Any]) -> str:
    lost = f" lost {final['lost'].removeprefix('chip-')}" if final["lost"] else ""
    return f"{final['sum']} {'won' if final['won'] else 'not won'}{lost}"


def _reach(reach: dict[str, Any]) -> str:
    front = ", the front" if reach["front"] else ""
    return f"{len(reach['cells'])} cells, takes {cells(reach['takes'])}{front}"


def _watch(watch: dict[str, Any]) -> str:
    parts = [f"{len(watch['cells'])} cells"]
    for word in ("nearest", "fights", "maybe"):
        names = [name.removeprefix("explorer-") for name in watch[word]]
        parts += [f"{word} {' '.join(names)}"] if names else []
    return ", ".join(parts)


def _move(move: dict[str, Any]) -> str:
    where = f"{move['at']} {move['rotation']} to {cell(move['cell'])}"
    return f"{where} in {move['steps']} danger {move['danger']}"


def _result(board: dict[str, Any] | None, about: str) -> str:
    if board is None:
        return "none"
    if about:
        player = next(each for each in board["players"] if each["name"] == about.split()[0])
        what = about.split()[1]
        if what == "holds":
            holds = player.get("holds")
            names = [
                f"{n}x{k.removeprefix('chip-')}" if n > 1 else k.removeprefix("chip-")
                for k, n in (holds or {}).items()
            ]
            return "not told" if holds is None else " ".join(names) or "nothing"
        if what == "hand":
            return " ".join("?" if card is None else card.removeprefix("card-") for card in player["hand"])
        return str(player["hand_size"])
    further = ", further pass done" if board["extra_done"] else ""
    return f"to move {board['to_move']}, spare at {board['spare'][0]['at']}{further}"


# --- what cannot be read ------------------------------------------------------------------------------------


def a_board(**more: Any) -> dict[str, Any]:
    board = drawn_board(["┌─┬─┬─┐", "│─│─│─│", "├─├─┬─┤", "│─│─│─│", "├─┴─┤─┤", "│─│─│─│", "└─┴─┴─┘"])
    board["pieces"] = [{"piece": "dragon", "column": 3, "row": 3, "facing": "left"}]
    board["pieces"].append({"piece": "explorer-red", "column": 1, "row": 1})
    board["players"] = [{"name": "Aya", "piece": "explorer-red"}]
    return board | more


TILE = {"tile": "I", "column": 1, "row": 0, "rotation": 0}


@pytest.mark.parametrize(
    "change",
    [
        {"game": "chess"},
        {"format": "waymark-board/2"},
        {"grid": {"columns": 6, "rows": 7}},
        {"tiles": [TILE, TILE]},
        {"tiles": [TILE | {"column": 7}]},
        {"tiles": [TILE | {"rotation": 45}]},
        {"tiles": [TILE | {"column": True}]},
        {"tiles": [TILE | {"tile": "nobody"}]},
        {"tiles": [TILE | {"tile": "coin"}]},
        {"spare": [{"tile": "F00"}]},
        {"spare": [{"tile": "I", "at": "top2"}]},
        {"pieces": [{"piece": "coin", "column": 0, "row": 0}]},
        {"pieces": [{"piece": "explorer-red", "on": "spare"}]},
        {"pieces": [{"piece": "chip-1", "on": "research"}]},
        {"pieces": [{"piece": "dragon", "column": 3, "row": 3, "facing": "north"}]},
        {"players": [{"name": "Aya"}, {"name": "Aya"}]},
        {"players": [{"name": "Aya", "piece": "dragon"}]},
        {"players": [{"name": name, "piece": "explorer-red"} for name in ("Aya", "Ben")]},
        {"players": [{"name": "Aya", "holds": {"card-1": 1}}]},
        {"players": [{"name": "Aya", "holds": {"coin": -1}}]},
        {"players": [{"name": "Aya", "holds": {"coin": 1.5}}]},
        {"players": [{"name": "Aya", "hand": ["chip-1"]}]},
        {"to_move": "nobody"},
        {"house": {"speed": 2}},
        {"house": {"take": "never"}},
        {"house": {"round_trip": 1}},
        {"extra_done": "yes"},
        {"pieces": [{"piece": "chip-1", "on": "spare"}]},
        {"pieces": [{"piece": "chip-1", "column": 4, "row": None}]},
        {"pieces": [{"piece": "gargoyle-1"}]},
        {"players": [{"name": "Aya", "hand": ["card-1", None], "hand_size": 1}]},
    ],
    ids=str,
)
def test_what_is_no_board(change: dict[str, Any]) -> None:
    with pytest.raises(WaymarkError) as caught:
        board_told(a_board(**change), PIECES)
    assert caught.value.exit_status == 3 and caught.value.en != caught.value.ja


ON_SPARE = [{"piece": "chip-1", "on": "spare"}]


def test_a_chip_on_the_spare_tile_where_the_table_before_plays_so() -> None:
    spare = {"house": {"pushed_chip": "spare"}}
    assert board_told(a_board(pieces=ON_SPARE, **spare), PIECES).pieces
    turn = {"format": "waymark-turn/1", "game": "labyrinth2", "player": "Aya", "before": a_board(**spare)}
    after = turn_told(turn | {"after": a_board(pieces=ON_SPARE)}, PIECES).after
    assert after is not None and after.pieces


@pytest.mark.parametrize(
    "change",
    [
        {"player": "nobody"},
        {"game": "chess"},
        {"format": "waymark-board/1"},
        {"claims": None},
        {"before": None},
        {"before": {}, "claims": {}},
        {"claims": {"push": {"at": "top2", "rotation": 0}}},
        {"claims": {"push": {"at": "top1", "rotation": 30}}},
        {"claims": {"push": {"at": "top1", "rotation": True}}},
        {"claims": {"to": [7, 0]}},
        {"claims": {"take": "card-1"}},
        {"claims": {"take": "nothing"}},
        {"claims": {"card": "chip-1"}},
        {"claims": {"die": {"arrows": 5}}},
        {"claims": {"die": {}}},
        {"claims": {"die": {"arrows": 1, "gargoyle": "gargoyle-1"}}},
        {"claims": {"die": {"gargoyle": "gargoyle-1"}}},
        {"claims": {"fights": [{"player": "Ben", "throws": [[1]]}]}},
        {"claims": {"fights": [{"player": "Aya", "throws": [[1], [2]]}]}},
        {"claims": {"fights": [{"player": "Aya", "throws": [[]]}]}},
        {"claims": {"fights": [{"player": "Aya", "throws": [[7]]}]}},
        {"claims": {"final": {"throws": [[1], [2]]}}},
        {"after": a_board(players=[{"name": "Ben", "piece": "explorer-red"}])},
        {"after": a_board(pieces=ON_SPARE, house={"pushed_chip": "spare"})},
    ],
    ids=str,
)
def test_what_is_no_turn(change: dict[str, Any]) -> None:
    sound = {"format": "waymark-turn/1", "game": "labyrinth2", "player": "Aya", "before": a_board()}
    turn_told(sound | {"claims": {}}, PIECES)
    with pytest.raises(WaymarkError) as caught:
        turn_told({**sound, "claims": {}, **change}, PIECES)
    assert caught.value.exit_status == 3


def test_order_and_what_nobody_knows_mean_nothing() -> None:
    board = a_board()
    shuffled = copy.deepcopy(board) | {"table": "round"}
    shuffled["tiles"].reverse()
    shuffled["pieces"].reverse()
    shuffled["tiles"][0]["column"] = float(shuffled["tiles"][0]["column"])
    one, other = (board_told(each, PIECES) for each in (board, shuffled))
    assert same_board(one, msgspec.structs.replace(other, more={}))
    assert rule_board(table_of(one, PIECES)).watch == rule_board(table_of(other, PIECES)).watch


def test_the_game_keeps_what_every_game_keeps() -> None:
    records = [
        GAME.rules.parse_record(msgspec.json.encode(case.board)) for case in CASES if case.turn is None
    ]
    check_game(GAME, labyrinth(), records[:6], {"take": "may", "round_trip": True})


# --- the final score ----------------------------------------------------------------------------------------


def final(**holds: dict[str, int]) -> dict[str, Any]:
    players = [{"name": name, "holds": held} for name, held in holds.items()]
    game = {"format": "waymark-game/1", "game": "labyrinth2", "players": players}
    scored: dict[str, Any] = msgspec.to_builtins(final_score(read_game(game), worth_of(labyrinth())))
    return scored


def test_treasures_coins_and_the_dragon_are_worth() -> None:
    scored = final(Aya={"chip-3": 1, "chip-12": 1, "coin": 2, "dragon": 1}, Ben={"chip-1": 2})
    aya, ben = scored["players"]
    assert aya == {
        "name": "Aya",
        "treasures": 15,
        "coins": 10,
        "dragon": 15,
        "chips": 2,
        "total": 40,
        "rank": 1,
    }
    assert (ben["total"], ben["rank"]) == (2, 2)
    assert (scored["winners"], scored["decided_by"], scored["complete"]) == (["Aya"], "total", True)


def test_more_treasures_break_a_tie_and_coins_do_not() -> None:
    scored = final(Aya={"coin": 1}, Ben={"chip-2": 1, "chip-3": 1}, Chie={"chip-5": 1}, Dan={"chip-1": 1})
    assert [player["rank"] for player in scored["players"]] == [3, 1, 2, 4]
    assert (scored["winners"], scored["decided_by"], scored["complete"]) == (["Ben"], "chips", False)


def test_who_has_the_same_of_both_shares_the_place() -> None:
    scored = final(Aya={"chip-5": 1}, Ben={"chip-5": 1}, Chie={})
    assert [player["rank"] for player in scored["players"]] == [1, 1, 3]
    assert (scored["winners"], scored["decided_by"]) == (["Aya", "Ben"], "shared")


@pytest.mark.parametrize(
    "holds", [{"chip-3": 3}, {"chip-3": -1}, {"card-3": 1}, {"nothing": 1}, {"coin": 25}, {"coin": True}]
)
def test_what_is_no_game(holds: dict[str, int]) -> None:
    with pytest.raises(WaymarkError) as caught:
        final(Aya=holds)
    assert caught.value.exit_status == 3
