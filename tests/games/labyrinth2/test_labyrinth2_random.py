"""Random games of Labyrinth 2 as a state machine. Each board is checked against a second referee that is slow
and plain: it walks cell by cell, and has nothing of the first but its answers."""

from __future__ import annotations

import os
import random
from typing import Any

import hypothesis.strategies as st
import msgspec
import pytest
from by_chance import CHANCE, run_machine
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from labyrinth2_cases import OPEN, PRINTED, SHAPES, labyrinth, push_by_hand

from scorer.labyrinth2.rules.board_ruling import rule_board
from scorer.labyrinth2.rules.pieces import pieces_of
from scorer.labyrinth2.rules.table import table_of
from scorer.labyrinth2.rules.turn_record import turn_told
from scorer.labyrinth2.rules.turn_ruling import rule_turn
from scorer.labyrinth2.rules.validation import board_told

SIDES = ("top", "right", "bottom", "left")
STEP = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
ACROSS = {"top": "bottom", "right": "left", "bottom": "top", "left": "right"}
ARROWS = [f"{side}{number}" for side in SIDES for number in (1, 3, 5)]
PIECES = pieces_of(labyrinth())

Cell = tuple[int, int]


# --- boards -------------------------------------------------------------------------------------------------


def random_board(rng: random.Random) -> dict[str, Any]:
    """All loose tiles anywhere, figures anywhere, some treasures left, some held."""
    loose = ["I"] * 12 + ["L"] * 16 + ["T"] * 6
    rng.shuffle(loose)
    cells = [(column, row) for row in range(7) for column in range(7)]
    tiles = [
        {"tile": loose.pop(), "column": column, "row": row, "rotation": rng.choice([0, 90, 180, 270])}
        for column, row in cells
        if column % 2 or row % 2
    ]

    def anywhere() -> dict[str, int]:
        column, row = rng.choice(cells)
        return {"column": column, "row": row}

    colours = ["red", "blue", "green", "yellow"][: rng.randint(1, 4)]
    pieces: list[dict[str, Any]] = [{"piece": f"explorer-{colour}", **anywhere()} for colour in colours]
    pieces += [{"piece": f"gargoyle-{number}", **anywhere()} for number in (1, 2)]
    pieces.append({"piece": "dragon", "column": 3, "row": 3, "facing": rng.choice(SIDES)})
    house: dict[str, Any] = {}
    for name, value in {
        "round_trip": True,
        "take": "may",
        "front": "open",
        "same_tile": "even",
        "empty_handed": "passed_over",
        "pushed_chip": "spare",
        "reverse": "others",
    }.items():
        if rng.random() < 0.3:
            house[name] = value
    low = rng.randint(1, 12)
    lying = [value for value in range(low, 7 if low < 7 else 13) for _ in range(rng.randint(0, 2))]
    for value in lying:
        spare = house.get("pushed_chip") == "spare" and rng.random() < 0.1
        pieces.append({"piece": f"chip-{value}", **({"on": "spare"} if spare else anywhere())})
    rng.shuffle(pieces)
    players = []
    for colour in colours:
        player: dict[str, Any] = {"name": colour.title(), "piece": f"explorer-{colour}"}
        if rng.random() < 0.85:
            held = rng.sample(range(1, low + 1), min(low, rng.randint(0, 2)))
            player["holds"] = {f"chip-{value}": 1 for value in held}
        players.append(player)
    return {
        "format": "waymark-board/1",
        "game": "labyrinth2",
        "tiles": tiles,
        "spare": [{"tile": loose.pop(), **({"at": rng.choice(ARROWS)} if rng.random() < 0.7 else {})}],
        "pieces": pieces,
        "players": players,
        "to_move": rng.choice(players)["name"],
        "house": house,
    }


# --- the second referee -------------------------------------------------------------------------------------


#: The open sides of a tile as it lies, and what is printed where.
OPENS = {
    (shape, rotation): frozenset(SIDES[(SIDES.index(side) + rotation // 90) % 4] for side in sides)
    for shape, sides in OPEN.items()
    for rotation in (0, 90, 180, 270)
}
PRINTED_AT = {
    (2 * column, 2 * row): SHAPES[drawn]
    for row, shapes in enumerate(PRINTED)
    for column, drawn in enumerate(shapes)
}


def sides_of(board: dict[str, Any], cell: Cell) -> frozenset[str]:
    """The sides to which the tile in a cell opens."""
    for tile in board["tiles"]:
        if (tile["column"], tile["row"]) == cell:
            return OPENS[tile["tile"], tile["rotation"]]
    return OPENS[PRINTED_AT[cell]]


def steps_from(board: dict[str, Any], cell: Cell) -> dict[Cell, int]:
    """The fewest steps to every cell that can be walked to."""
    lying = {(tile["column"], tile["row"]): (tile["tile"], tile["rotation"]) for tile in board["tiles"]}
    dragon = any(piece["piece"] == "dragon" for piece in board["pieces"])

    def opens(at: Cell) -> frozenset[str]:
        return frozenset() if dragon and at == (3, 3) else OPENS[lying.get(at) or PRINTED_AT[at]]

    steps, ahead = {cell: 0}, [cell]
    while ahead:
        here = ahead.pop(0)
        for side in opens(here):
            there = here[0] + STEP[side][0], here[1] + STEP[side][1]
            inside = 0 <= there[0] < 7 and 0 <= there[1] < 7
            if inside and there not in steps and ACROSS[side] in opens(there):
                steps[there] = steps[here] + 1
                ahead.append(there)
    return steps


def where(board: dict[str, Any], name: str) -> Cell:
    piece = next(each for each in board["pieces"] if each["piece"] == name)
    return piece["column"], piece["row"]


def armed(board: dict[str, Any]) -> dict[str, bool | None]:
    told = {player["piece"]: player.get("holds") for player in board["players"]}
    return {name: None if holds is None else any(holds.values()) for name, holds in told.items()}


def fighters(board: dict[str, Any], by: str, has: dict[str, bool | None], facing: str) -> set[str]:
    """Who must fight what was thrown."""
    house = board["house"]
    if by == "dragon":
        start = 3 + STEP[facing][0], 3 + STEP[facing][1]
        if house.get("front") == "open" and ACROSS[facing] not in sides_of(board, start):
            return set()
    else:
        start = where(board, by)
        if start == (3, 3):
            return set()
    steps = steps_from(board, start)
    far = {name: steps.get(where(board, name)) for name in has}
    seen = {
        name: max(0, distance - 1) if by != "dragon" and house.get("same_tile") == "even" else distance
        for name, distance in far.items()
        if distance is not None and (house.get("empty_handed") != "passed_over" or has[name] is not False)
    }
    nearest = {name for name, distance in seen.items() if distance == min(seen.values())}
    return {name for name in nearest if has[name]}


def value_of(name: str) -> int:
    return int(name.removeprefix("chip-"))


def lowest_chips(board: dict[str, Any]) -> list[Cell]:
    """Where the lowest treasures lie, but the nest and the spare tile."""
    chips = [piece for piece in board["pieces"] if piece["piece"].startswith("chip")]
    lowest = min((value_of(piece["piece"]) for piece in chips), default=None)
    cells = {
        (piece["column"], piece["row"])
        for piece in chips
        if value_of(piece["piece"]) == lowest and "column" in piece
    }
    return sorted(cells - {(3, 3)}, key=lambda cell: (cell[1], cell[0]))


def taking_steps(board: dict[str, Any], start: Cell, goal: Cell) -> int | None:
    """How many steps it takes to take a treasure there; None where it cannot be taken."""
    steps = steps_from(board, start)
    if start == goal:
        return 2 if board["house"].get("round_trip") and len(steps) > 1 else None
    return steps.get(goal)


def copied(board: dict[str, Any]) -> dict[str, Any]:
    copy: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(board))
    return copy


def moves(board: dict[str, Any], explorer: str) -> list[dict[str, Any]]:
    """Every push after which the explorer can take a treasure or, when all are taken, comes to the front."""
    found = []
    facing = next(piece for piece in board["pieces"] if piece["piece"] == "dragon")["facing"]
    final = not any(piece["piece"].startswith("chip") for piece in board["pieces"])
    for arrow in ARROWS:
        if arrow == board["spare"][0].get("at"):
            continue
        for rotation in {"I": (0, 90)}.get(board["spare"][0]["tile"], (0, 90, 180, 270)):
            after = copied(board)
            push_by_hand(after, arrow, rotation)
            start = where(after, explorer)
            if final:
                front = 3 + STEP[facing][0], 3 + STEP[facing][1]
                steps = steps_from(after, start).get(front)
                if steps is not None:
                    found.append((arrow, rotation, front, steps, 0))
                continue
            ways = {goal: taking_steps(after, start, goal) for goal in lowest_chips(after)}
            near = sorted((steps, goal[1], goal[0]) for goal, steps in ways.items() if steps is not None)
            if not near:
                continue
            steps, row, column = near[0]
            piece = next(each for each in after["pieces"] if each["piece"] == explorer)
            piece["column"], piece["row"] = column, row
            has = armed(after) | {explorer: True}
            turned = [SIDES[(SIDES.index(facing) + arrows) % 4] for arrows in (1, 2, 3)]
            danger = sum(explorer in fighters(after, "dragon", has, side) for side in turned)
            danger += sum(explorer in fighters(after, f"gargoyle-{n}", has, "") for n in (1, 2))
            found.append((arrow, rotation, (column, row), steps, danger))
    names = ("at", "rotation", "cell", "steps", "danger")
    return [dict(zip(names, [*move[:2], list(move[2]), *move[3:]], strict=True)) for move in found]


# --- both ---------------------------------------------------------------------------------------------------


def check_board(board: dict[str, Any]) -> None:
    answer: Any = msgspec.to_builtins(rule_board(table_of(board_told(board, PIECES), PIECES)))
    answer = msgspec.json.decode(msgspec.json.encode(answer))
    for reach in answer["reach"]:
        cell = tuple(reach["cell"])
        assert {tuple(each) for each in reach["cells"]} == set(steps_from(board, cell))
        takes = [goal for goal in lowest_chips(board) if taking_steps(board, cell, goal) is not None]
        assert [tuple(each) for each in reach["takes"]] == takes
    facing = next(piece for piece in board["pieces"] if piece["piece"] == "dragon")["facing"]
    for watch in answer["watch"]:
        assert set(watch["fights"]) == fighters(board, watch["by"], armed(board), facing)
    explorer = f"explorer-{board['to_move'].lower()}"
    if answer["phase"] == "between":
        assert answer["moves"] is None
    else:
        assert answer["moves"] == moves(board, explorer)
        best = min(answer["moves"], key=lambda move: (move["danger"], move["steps"]), default=None)
        assert answer["best"] == best
        check_turn(board, explorer, answer["moves"])


def check_turn(board: dict[str, Any], explorer: str, found: list[dict[str, Any]]) -> None:
    """What hindsight finds can be played: told, and seen in a second photo; a step further cannot."""
    turn = _turn(board)
    for move in found[:2]:
        after = copied(board)
        push = {"at": move["at"], "rotation": move["rotation"]}
        push_by_hand(after, move["at"], move["rotation"])
        chip = _lowest_chip(after, move["cell"])
        claims: dict[str, Any] = {"push": push, "to": move["cell"]}
        if chip is not None:
            claims["take"] = chip["piece"]
        told: Any = msgspec.to_builtins(rule_turn(turn_told({**turn, "claims": claims}, PIECES), PIECES))
        assert told["legal"] is True, told["violations"]
        assert list(told["to"]) == move["cell"]
        if chip is not None:
            after["pieces"].remove(chip)
        figure = next(each for each in after["pieces"] if each["piece"] == explorer)
        figure["column"], figure["row"] = move["cell"]
        after["players"] = []
        seen: Any = msgspec.to_builtins(rule_turn(turn_told({**turn, "after": after}, PIECES), PIECES))
        assert push in seen["candidates"]
        if len(seen["candidates"]) == 1:
            assert seen["legal"] is True, seen["violations"]
            assert seen["taken"] == claims.get("take")
        away = [[column, row] for column in range(7) for row in range(7)]
        made = copied(board)
        push_by_hand(made, move["at"], move["rotation"])
        reached = steps_from(made, where(made, explorer))
        barred = next((cell for cell in away if tuple(cell) not in reached), None)
        if barred is not None:
            claims = {"push": push, "to": barred}
            told = msgspec.to_builtins(rule_turn(turn_told({**turn, "claims": claims}, PIECES), PIECES))
            assert told["legal"] is False
            assert told["violations"][0]["rule"] in ("nest", "walk-blocked")


def _lowest_chip(board: dict[str, Any], cell: list[int]) -> dict[str, Any] | None:
    """The lowest treasure of the board that lies on a cell."""
    chips = [piece for piece in board["pieces"] if piece["piece"].startswith("chip")]
    lowest = min((value_of(piece["piece"]) for piece in chips), default=None)
    there = [piece for piece in chips if [piece.get("column"), piece.get("row")] == cell]
    return next((piece for piece in there if value_of(piece["piece"]) == lowest), None)


# --- games --------------------------------------------------------------------------------------------------


class Game(RuleBasedStateMachine):
    """Passes played from a random board: the result of one ruling is the board of the next."""

    board: dict[str, Any]

    @initialize(chance=CHANCE)
    def lay_out(self, chance: random.Random) -> None:
        self.board = random_board(chance)

    @rule(chance=CHANCE)
    def play(self, chance: random.Random) -> None:
        """A pass as hindsight finds it; where it finds none, a push, and the explorer stays."""
        board = self.board
        explorer = f"explorer-{board['to_move'].lower()}"
        ways = moves(board, explorer)
        if ways:
            way = chance.choice(ways)
        else:
            way = {"at": chance.choice(_arrows(board)), "rotation": chance.choice((0, 90))}
        after = copied(board)
        push_by_hand(after, way["at"], way["rotation"])
        claims: dict[str, Any] = {"push": {"at": way["at"], "rotation": way["rotation"]}}
        claims["to"] = way.get("cell", where(after, explorer))
        taken = _lowest_chip(after, list(claims["to"])) if ways else None
        if taken is not None:
            claims |= {"take": taken["piece"], "die": {"arrows": chance.randrange(1, 4)}}
        told = rule_turn(turn_told(_turn(board) | {"claims": claims}, PIECES), PIECES)
        if told.legal is None:
            # The treasures from 7 on have yet to be laid out.
            assert told.problems
            return
        assert told.legal or not ways, told.violations
        if told.legal:
            assert told.result is not None
            self._go_on(copied(told.result), chance)

    def _go_on(self, after: dict[str, Any], chance: random.Random) -> None:
        """The board as a ruling gives it, with the treasures from 7 on when those before them are taken."""
        before = self.board
        assert _tiles(before) == _tiles(after)
        held = sum(sum(player.get("holds", {}).values()) for player in after["players"])
        assert held - sum(sum(player.get("holds", {}).values()) for player in before["players"]) in (0, 1)
        after.setdefault("house", {})
        if not any(value_of(piece["piece"]) < 7 for piece in _chips(after)) and any(
            value_of(piece["piece"]) < 7 for piece in _chips(before)
        ):
            cells = [(column, row) for column in range(7) for row in range(7)]
            for value in range(7, 13):
                column, row = chance.choice(cells)
                after["pieces"].append({"piece": f"chip-{value}", "column": column, "row": row})
        self.board = after

    @rule(chance=CHANCE)
    def another_moves(self, chance: random.Random) -> None:
        self.board["to_move"] = chance.choice(self.board["players"])["name"]

    @rule(side=st.sampled_from(SIDES))
    def the_dragon_turns(self, side: str) -> None:
        for piece in self.board["pieces"]:
            if piece["piece"] == "dragon":
                piece["facing"] = side

    @invariant()
    def both_rule_alike(self) -> None:
        check_board(self.board)


def _turn(board: dict[str, Any]) -> dict[str, Any]:
    return {"format": "waymark-turn/1", "game": "labyrinth2", "player": board["to_move"], "before": board}


def _arrows(board: dict[str, Any]) -> list[str]:
    return [arrow for arrow in ARROWS if arrow != board["spare"][0].get("at")]


def _tiles(board: dict[str, Any]) -> list[str]:
    """The loose tiles; a ruling lists those that are printed, too."""
    loose = [each for each in board["tiles"] if (each["column"], each["row"]) not in PRINTED_AT]
    return sorted(each["tile"] for each in (*loose, *board["spare"]))


def _chips(board: dict[str, Any]) -> list[dict[str, Any]]:
    return [piece for piece in board["pieces"] if piece["piece"].startswith("chip")]


def test_random_games_are_ruled_alike() -> None:
    run_machine(Game, examples=10, steps=8)


@pytest.mark.long
def test_thousands_of_random_boards_are_ruled_alike() -> None:
    """`WAYMARK_BOARDS=5000` rules on as many as were ruled on when this was written."""
    run_machine(Game, examples=int(os.environ.get("WAYMARK_BOARDS", "1500")) // 12, steps=12)
