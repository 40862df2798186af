"""The rules of Stone Dragon by example (tests/golden/stone_dragon), and what cannot be read."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest
from board_cases import Case
from check_game import check_game
from same_boards import same_board
from stone_dragon_cases import GOLDEN, LETTERS, box, cases_of, invented_box

from scorer.catalogue import parse_catalogue, to_json
from scorer.errors import WaymarkError
from scorer.house_settings import house_of
from scorer.stone_dragon.game import GAME
from scorer.stone_dragon.rules.board_ruling import rule_board
from scorer.stone_dragon.rules.codes import PROBLEMS, VIOLATIONS
from scorer.stone_dragon.rules.final_score import final_score, read_game
from scorer.stone_dragon.rules.house import House
from scorer.stone_dragon.rules.pieces import pieces_of
from scorer.stone_dragon.rules.turn_record import turn_told
from scorer.stone_dragon.rules.turn_ruling import rule_turn
from scorer.stone_dragon.rules.validation import board_told

CASES = [case for file in sorted(GOLDEN.glob("*.txt")) for case in cases_of(file)]
PIECES = pieces_of(box())


def rule(case: Case) -> dict[str, Any]:
    """The answer to a case, as JSON has it."""
    house = house_of(House, case.board.get("house", {}))
    answer: Any
    if case.turn is not None:
        answer = rule_turn(turn_told(case.turn, PIECES), PIECES, house)
    else:
        grid = {"columns": 4, "rows": 4}
        answer = rule_board(board_told({"grid": grid} | case.board, PIECES), PIECES, house)
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
    word, _, about = name.partition(" ")
    if word == "breaks":
        broken = answer["violations"]
        return f"{broken[0]['rule']} at {broken[0]['action']}" if broken else "nothing"
    if word == "problems":
        return " ".join(dict.fromkeys(each["rule"] for each in answer["problems"])) or "nothing"
    if word == "legal":
        return {None: "unknown", True: "yes", False: "no"}[answer["legal"]]
    if word in ("ended", "slayer"):
        return str(answer[word])
    if word == "used":
        return str(answer["actions_used"])
    if word == "fights":
        return "; ".join(map(_fight, answer["fights"])) or "none"
    if word == "asked":
        return "; ".join(f"{each['player']} {each['card']}" for each in answer["asked"]) or "nothing"
    if word == "differs":
        return "; ".join(map(_difference, answer["differs"])) or "nothing"
    if word == "dragon":
        return str(answer["after"]["dragon"]["life"])
    if word == "panel":
        return _panel(answer["after"], about)
    if word == "stars":
        return {None: "unknown"}.get(answer["stars"][about], str(answer["stars"][about]))
    if word == "turnable":
        return _cells(answer["turnable"])
    if word == "options":
        return "none" if answer["options"] is None and answer["turnable"] is None else "some"
    if "options" in answer:
        return _option(answer["options"], word, about.split())
    return _player(answer["after"], word, about)


def _fight(fight: dict[str, Any]) -> str:
    parts = [
        f"{fight['attacker']} {fight['attack']}-{fight['defence']}={fight['damage']} {fight['defender']}"
    ]
    if fight["counter"] is not None:
        back = fight["counter"]
        parts.append(f"back {back['attack']}-{back['defence']}={back['damage']}")
    parts += [f"{fight['beaten']} beaten"] if fight["beaten"] else []
    parts += [f"takes {fight['stolen']}"] if fight["stolen"] else []
    return ", ".join(parts)


def _difference(each: dict[str, Any]) -> str:
    about = each.get("player") or ",".join(map(str, each.get("cell", ())))
    return f"{each['what']} {about}".strip()


def _panel(board: dict[str, Any], cell: str) -> str:
    there = next(each for each in board["tiles"] if f"{each['column']},{each['row']}" == cell)
    letter = next(letter for letter, name in LETTERS.items() if name == there["tile"])
    return f"{letter}{there['rotation']}"


def _cells(cells: list[list[int]]) -> str:
    return " ".join(",".join(map(str, cell)) for cell in cells) or "nowhere"


def _option(options: dict[str, Any], word: str, about: list[str]) -> str:
    mine = options[about[0]]
    if word == "moves":
        return _cells(mine["moves"])
    if word == "explore":
        return "; ".join(map(_exploring, mine["explore"])) or "nowhere"
    if word == "attack":
        return " ".join(mine["attack"]) or "nobody"
    if word == "use":
        ways = mine["use"][about[1]]
        named = [f"{gain or 'as it is'}{f' of {given}' if given else ''}" for gain, given in ways]
        return ", ".join(named) or "nothing"
    if word == "reveal":
        sides = mine["reveal"].get(about[1])
        return "not listed" if sides is None else " ".join(sides) or "never"
    there = mine["entrance"]
    if there is None:
        return "not there"
    if word == "sell":
        return ", ".join(f"{card} {coins}" for card, coins in there["sell"].items()) or "nothing"
    if word == "buy":
        return " ".join(there["buy"]) or "nothing"
    return {True: "yes", False: "no"}[there["heal"]] if word == "heal" else str(there["draw"])


def _exploring(each: dict[str, Any]) -> str:
    turns = [f"{name} {' '.join(map(str, rotations))}" for name, rotations in each["turns"].items()]
    return f"{','.join(map(str, each['to']))} {each['side']} {', '.join(turns)}"


def _player(board: dict[str, Any], name: str, what: str) -> str:
    player = next(each for each in board["players"] if each["name"] == name)
    if what == "at":
        pawn = next(each for each in board["pieces"] if each["piece"] == player["piece"])
        return f"{pawn['column']},{pawn['row']}"
    if what == "holds":
        listed = [name for name, count in player["holds"].items() for _ in range(count)]
        return " ".join(listed) or "nothing"
    if what == "victory":
        return " ".join(f"{each['card']}:{each['side']}" for each in player["victory"]) or "nothing"
    if what == "hand":
        return " ".join("?" if card is None else card for card in player["hand"]) or "nothing"
    return " ".join(player[what]) or "nothing" if what == "equipped" else str(player[what])


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
        a_table() | {"players": []},
        a_table() | {"phase": "night"},
        a_table() | {"house": {"eloquence_any": "yes"}},
        a_table() | {"house": {"room_search": "never"}},
        a_table() | {"to_move": "nobody"},
        a_table() | {"dragon": {"piece": "pawn-red"}},
        a_table() | {"dragon": {"piece": "slime"}},
        a_table() | {"dragon": {"piece": "pawn-black", "life": -1}},
        a_table() | {"tiles": [{"tile": "hall", "column": 4, "row": 0, "rotation": 0}]},
        a_table() | {"tiles": [{"tile": "back", "column": 0, "row": 0, "rotation": 0}]},
        a_table() | {"tiles": [{"tile": "hall", "column": 0, "row": 0, "face": "down"}]},
        a_table() | {"tiles": [{"tile": "hall", "column": 0, "row": 0, "rotation": 45}]},
        a_table() | {"tiles": [{"tile": None, "column": 0, "row": 0, "face": "sideways"}]},
        a_table() | {"pieces": [{"piece": "slime", "column": 0, "row": 0}]},
        a_table() | {"pieces": [{"piece": "nobody", "column": 0, "row": 0}]},
        with_player(name="dragon"),
        with_player(name="Ben"),
        with_player(piece="pawn-blue"),
        with_player(character="slime"),
        with_player(equipped=["slime"]),
        with_player(holds={"hunter": 1}),
        with_player(holds={"slime": -1}),
        with_player(holds={"slime": 1.5}),
        with_player(life=True),
        with_player(victory=[{"card": "slime", "side": "points"}]),
        with_player(victory=[{"card": "rich", "side": "up"}]),
        with_player(hand=["slime"]),
        with_player(hand_size=4),
    ],
    ids=str,
)
def test_what_is_no_board(table: dict[str, Any]) -> None:
    with pytest.raises(WaymarkError) as caught:
        board_told(table, PIECES)
    assert caught.value.exit_status == 3 and caught.value.en != caught.value.ja
    assert caught.value.code in ("bad-record", "unknown-card")


def test_who_has_no_pawn_has_none_on_the_board() -> None:
    told = a_table()["players"]
    players = [{name: told for name, told in each.items() if name != "piece"} for each in told]
    answer = rule_board(board_told(a_table() | {"players": players}, PIECES), PIECES, house_of(House, {}))
    assert sum(each.rule == "pawn-missing" for each in answer.problems) == len(players)
    assert answer.options is None


@pytest.mark.parametrize(
    "change",
    [
        {"player": "nobody"},
        {"claims": None},
        {"claims": {}},
        {"claims": {"actions": [{"do": "dance"}]}},
        {"claims": {"actions": [{"do": "move"}]}},
        {"claims": {"actions": [{"do": "move", "to": [4, 0]}]}},
        {"claims": {"actions": [{"do": "move", "to": [1.5, 0]}]}},
        {"claims": {"actions": [{"do": "move", "to": [1, 0], "draw": "sword+1"}]}},
        {"claims": {"actions": [{"do": "move", "to": [1, 0], "by": "nobody"}]}},
        {"claims": {"actions": [{"do": "explore", "to": [1, 0], "tile": "slime", "rotation": 0}]}},
        {"claims": {"actions": [{"do": "explore", "to": [1, 0], "tile": "hall", "rotation": 30}]}},
        {"claims": {"actions": [{"do": "use", "card": "sword+1"}]}},
        {"claims": {"actions": [{"do": "use", "card": "sword1"}]}},
        {"claims": {"actions": [{"do": "attack", "target": "nobody"}]}},
        {"claims": {"actions": [{"do": "attack", "target": "Ben", "boost": {"nobody": {}}}]}},
        {"claims": {"actions": [{"do": "reveal", "card": "rich"}]}},
        {"claims": {"actions": [{"do": "reveal", "card": "slime", "side": "points"}]}},
        {"claims": {"actions": [{"do": "reveal", "card": "eloquence", "swap": "rich", "of": "nobody"}]}},
        {"claims": {"actions": [{"do": "sell", "cards": ["sword+1"]}]}},
        {"claims": {"actions": [{"do": "change", "give": {"slime": 1}, "take": {}}]}},
        {"after": with_player(name="Dan")},
    ],
    ids=str,
)
def test_what_is_no_turn(change: dict[str, Any]) -> None:
    turn = {
        "format": "waymark-turn/1",
        "game": "stone_dragon",
        "player": "Aya",
        "before": a_table(),
        "claims": {"actions": []},
    }
    turn_told(turn, PIECES)
    with pytest.raises(WaymarkError) as caught:
        turn_told(turn | change, PIECES)
    assert caught.value.exit_status == 3 and caught.value.en != caught.value.ja
    assert caught.value.code in ("bad-record", "unknown-card")


@pytest.mark.parametrize("what", ["arrow", "stars", "value", "attack"])
def test_a_box_whose_numbers_cannot_be_is_refused(what: str) -> None:
    told = invented_box()
    for card in told["cards"]:
        if what in card:
            card[what] = "many"
    with pytest.raises(WaymarkError):
        pieces_of(parse_catalogue(msgspec.json.encode(told)))


def test_the_numbers_of_pieces_are_kept_when_a_catalogue_is_written() -> None:
    again = parse_catalogue(to_json(box()))
    assert again.cards == box().cards and again.card("ogre").more["attack"] == 4


# --- the final score ----------------------------------------------------------------------------------------


def final(slayer: str | None, **laid: str) -> dict[str, Any]:
    players = [
        {
            "name": name,
            "victory": [dict(zip(("card", "side"), each.split(":"), strict=True)) for each in cards.split()],
        }
        for name, cards in laid.items()
    ]
    told = {"format": "waymark-game/1", "game": "stone_dragon", "slayer": slayer, "players": players}
    answer: dict[str, Any] = msgspec.to_builtins(final_score(read_game(told), box()))
    return answer


def test_stars_laid_for_points_and_the_dragons_decide() -> None:
    """Aya slew the dragon (3) and has 1 for points: 4; Ben's 2 + 2 + 1 = 5 wins."""
    answer = final("Aya", Aya="rich:points", Ben="hunter:points messenger:points guardian:points", Cem="")
    assert [(each["name"], each["total"], each["rank"]) for each in answer["players"]] == [
        ("Aya", 4, 2),
        ("Ben", 5, 1),
        ("Cem", 0, 3),
    ]
    assert answer["finished"] and answer["winners"] == ["Ben"] and answer["decided_by"] == "total"


def test_equal_totals_share_a_rank_and_the_next_is_skipped() -> None:
    answer = final("Aya", Aya="", Ben="hunter:points guardian:points", Cem="rich:bonus")
    assert [each["rank"] for each in answer["players"]] == [1, 1, 3]
    assert answer["winners"] == ["Aya", "Ben"] and answer["decided_by"] == "shared"


def test_before_the_dragon_is_dead_it_is_the_standing() -> None:
    answer = final(None, Aya="rich:points", Ben="", Cem="")
    assert not answer["finished"] and [each["dragon"] for each in answer["players"]] == [0, 0, 0]


def test_cards_that_cannot_lie_so_are_told_and_count_as_they_lie() -> None:
    answer = final("Aya", Aya="rich:points", Ben="rich:points rich:bonus eloquence:points")
    assert {each["rule"] for each in answer["problems"]} == {
        "same-side",
        "eloquence-side",
        "copies",
        "players",
    }
    assert [each["victory"] for each in answer["players"]] == [1, 1]


@pytest.mark.parametrize(
    "change",
    [
        {"players": []},
        {"slayer": "nobody"},
        {"players": [{"name": "Aya", "victory": [{"card": "slime", "side": "points"}]}]},
        {"players": [{"name": "Aya", "victory": [{"card": None, "side": "points"}]}]},
        {"format": "waymark-game/2"},
        {"game": "chess"},
    ],
    ids=str,
)
def test_what_is_no_game(change: dict[str, Any]) -> None:
    told = {"format": "waymark-game/1", "game": "stone_dragon", "players": [{"name": "Aya"}]}
    with pytest.raises(WaymarkError) as caught:
        final_score(read_game(told | change), box())
    assert caught.value.exit_status == 3 and caught.value.code in ("bad-record", "unknown-card")


# --- as a game ----------------------------------------------------------------------------------------------


def test_it_is_a_game_as_waymark_asks() -> None:
    records = [GAME.rules.parse_record(msgspec.json.encode(a_table()))]
    check_game(GAME, box(), records, {"room_search": "action", "turn_entrance": False})


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
        words += [*report.faults, *report.notes, report.brief]
        assert all(each.en and each.ja and "{" not in each.en + each.ja for each in words)


def test_a_board_after_a_turn_can_be_played_on() -> None:
    for case in CASES:
        if case.turn is None or case.expected.get("breaks") != "nothing":
            continue
        after = board_told(rule(case)["after"], PIECES)
        assert same_board(after, board_told(rule(case)["after"], PIECES))
