"""Random games of Ice and Idols as a state machine, checked against a second referee that is slow and plain:
it walks cell by cell over drawn tiles, tries every action for the cheapest way, and has nothing of the first
but its answers.

`WAYMARK_BOARDS` sets how many tables (5,000 for a release)."""

from __future__ import annotations

import os
import random
from collections import Counter
from typing import Any

import hypothesis.strategies as st
import msgspec
import pytest
from by_chance import CHANCE, run_machine, tried
from hypothesis import given
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from ice_and_idols_cases import COLOURS, COPIES, CORRIDORS, IDOLS, MAP, box

from scorer.house_settings import house_of
from scorer.ice_and_idols.rules.board_ruling import BoardRuling, rule_board
from scorer.ice_and_idols.rules.house import House
from scorer.ice_and_idols.rules.pieces import pieces_of
from scorer.ice_and_idols.rules.turn_record import turn_told
from scorer.ice_and_idols.rules.turn_ruling import TurnRuling, rule_turn
from scorer.ice_and_idols.rules.validation import board_told

PIECES = pieces_of(box())
SIDES = ("top", "right", "bottom", "left")
STEP = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
ACROSS = {"top": "bottom", "right": "left", "bottom": "top", "left": "right"}
CELLS = [(column, row) for row in range(5) for column in range(5)]
NAMES = ("Aya", "Ben", "Cem", "Dan")
TABLES = int(os.environ.get("WAYMARK_BOARDS", "25"))

Cell = tuple[int, int]


def random_table(chance: random.Random) -> dict[str, Any]:
    """Tiles anywhere, some beside the temple, figures on them, cubes on the tracks."""
    names = [name for name, copies in COPIES.items() for _ in range(copies)]
    chance.shuffle(names)
    inside = chance.randrange(17, 26)
    cells = chance.sample(CELLS, inside)
    tiles = [
        {"tile": name, "column": cell[0], "row": cell[1], "rotation": chance.choice((0, 90, 180, 270))}
        for name, cell in zip(names, cells, strict=False)
    ]
    spare = [{"tile": name, "at": "discard"} for name in names[inside:]]
    count = chance.choice((2, 3, 4))
    colours = chance.sample(sorted(COLOURS), count)
    pieces: list[dict[str, Any]] = []
    players = []
    for name, colour in zip(NAMES, colours, strict=False):
        tile = chance.choice(tiles)
        pieces.append(
            {
                "piece": f"figure-{colour}",
                "column": tile["column"],
                "row": tile["row"],
                "place": chance.choice([side for c in CORRIDORS[str(tile["tile"])] for side in c]),
            }
        )
        powers = [idol for idol in IDOLS if chance.random() < 0.4]
        hands = 2 if "tiger_eye" in powers else 1
        held = chance.sample(IDOLS, chance.randrange(hands + 1))
        sign = "adrenaline-minus" if chance.random() < 0.2 else "adrenaline-plus"
        players.append(
            {
                "name": name,
                "piece": f"figure-{colour}",
                "seat": chance.choice(SIDES),
                "powers": powers,
                "holds": {f"idol-{idol}": 1 for idol in held} | {sign: 1},
                "hand": [chance.choice(("key-1", "key-2", "key-3"))],
            }
        )
    pieces += _track(chance, colours)
    borders = ("sun", "star", "moon", "comet")
    first = chance.randrange(4)
    return {
        "format": "waymark-board/1",
        "game": "ice_and_idols",
        "tiles": tiles,
        "spare": spare,
        "pieces": pieces,
        "ground": {
            "rotation": chance.choice((0, 90, 180, 270)),
            "tiles": [{"tile": "map", "column": 0, "row": 0, "rotation": 0}],
        },
        "borders": {side: borders[(first + number) % 4] for number, side in enumerate(SIDES)},
        "boards": {"research": {"columns": 5, "rows": 8, "rotation": 0}},
        "players": players,
    }


def _track(chance: random.Random, colours: list[str]) -> list[dict[str, Any]]:
    others = [colour for colour in COLOURS if colour not in colours]
    left = Counter({colour: 10 for colour in colours})
    pieces = []
    for column, value in enumerate(chance.sample((3, 4, 5, 6, 7), 5)):
        taken = 4 - len(colours)
        filled = chance.randrange(taken, 7)
        for number in range(filled):
            able = others if number < taken else [colour for colour in colours if left[colour]]
            if not able:
                filled = number
                break
            colour = chance.choice(able)
            left[colour] -= 1
            pieces.append({"piece": f"cube-{colour}", "column": column, "row": 6 - number, "on": "research"})
        row = 0 if filled == 6 else 7
        pieces.append({"piece": f"vp-{value}", "column": column, "row": row, "on": "research"})
    return pieces


def ruled(table: dict[str, Any]) -> BoardRuling:
    return rule_board(board_told(table, PIECES), PIECES, house_of(House, table.get("house", {})))


def turn_of(table: dict[str, Any], player: str, actions: list[dict[str, Any]]) -> TurnRuling:
    told = {
        "format": "waymark-turn/1",
        "game": "ice_and_idols",
        "player": player,
        "before": table,
        "claims": {"actions": actions, "ends": False},
    }
    return rule_turn(turn_told(told, PIECES), PIECES, House())


# --- the second referee -------------------------------------------------------------------------------------


def turned(side: str, degrees: int) -> str:
    return SIDES[(SIDES.index(side) + degrees // 90) % 4]


def corridors(tile: dict[str, Any]) -> list[frozenset[str]]:
    """The open sides of each corridor of a tile as it lies."""
    return [
        frozenset(turned(side, tile["rotation"]) for side in corridor) for corridor in CORRIDORS[tile["tile"]]
    ]


def by_cell(table: dict[str, Any]) -> dict[Cell, dict[str, Any]]:
    return {(tile["column"], tile["row"]): tile for tile in table["tiles"]}


def next_to(cell: Cell, side: str) -> Cell:
    right, down = STEP[side]
    return (cell[0] + right) % 5, (cell[1] + down) % 5


def stands(table: dict[str, Any], figure: str) -> tuple[Cell, frozenset[str]]:
    piece = next(each for each in table["pieces"] if each["piece"] == figure)
    cell = piece["column"], piece["row"]
    tile = by_cell(table)[cell]
    if "place" not in piece:
        return cell, corridors(tile)[0]
    number = next(n for n, sides in enumerate(CORRIDORS[tile["tile"]]) if piece["place"] in sides)
    return cell, corridors(tile)[number]


def walked(table: dict[str, Any], figure: str, most: int) -> dict[tuple[Cell, frozenset[str]], int]:
    """Every corridor that can be walked to, with the least steps."""
    tiles = by_cell(table)
    found = {stands(table, figure): 0}
    for steps in range(1, most + 1):
        for (cell, sides), before in list(found.items()):
            if before != steps - 1:
                continue
            for side in sides:
                there = next_to(cell, side)
                for corridor in corridors(tiles[there]) if there in tiles else ():
                    if ACROSS[side] in corridor:
                        found.setdefault((there, corridor), steps)
    return found


def printed(table: dict[str, Any], cell: Cell) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Idols and altars under a cell, by turning the map as a whole."""
    degrees = table["ground"]["rotation"]
    for (column, row), printed_there in MAP.items():
        here = {0: (column, row), 90: (4 - row, column), 180: (4 - column, 4 - row), 270: (row, 4 - column)}
        if here[degrees] == cell:
            return printed_there
    return (), ()


def falls(table: dict[str, Any], player: dict[str, Any], side: str) -> Cell | None:
    """What falls for an X at a side of the card: the card is turned like its player, and like the map."""
    cell, _ = stands(table, player["piece"])
    seated = {"bottom": 0, "left": 90, "top": 180, "right": 270}[player["seat"]]
    first = turned(side, seated + table["ground"]["rotation"])
    others = {
        (piece["column"], piece["row"])
        for piece in table["pieces"]
        if piece.get("on") is None and piece["piece"] != player["piece"]
    }
    for number in range(4):
        there = next_to(cell, SIDES[(SIDES.index(first) + number) % 4])
        if there in by_cell(table) and there not in others:
            return there
    return None


def check_board(table: dict[str, Any], points: int) -> None:
    """Walks, idols and falling tiles are as on the table."""
    table = table | {"ask": {"ap": points}}
    ruling = ruled(table)
    for told, player in zip(ruling.players, table["players"], strict=True):
        found = walked(table, player["piece"], points)
        assert told.reach is not None and told.gets is not None and told.collapse is not None
        reached = {(each.cell, frozenset(each.sides)): each.ap for each in told.reach}
        assert reached == found
        for which, told_least in enumerate((told.gets.idols, told.gets.altars)):
            least: dict[str, int] = {}
            for (cell, _), steps in found.items():
                for kind in printed(table, cell)[which]:
                    least[kind] = min(steps, least.get(kind, steps))
            assert told_least == least
        assert dict(told.collapse) == {side: falls(table, player, side) for side in SIDES}
        mine = [p for p in table["pieces"] if p["piece"] == player["piece"].replace("figure", "cube")]
        assert told.markers == len(mine)


# --- the cheapest way, by trying everything -----------------------------------------------------------------

COSTS = {
    "move": 1,
    "jade": 2,
    "ruby": 1,
    "gold": 2,
    "curator": 4,
    "keysmith": 3,
    "sculptor": 3,
    "architect": 3,
}


def everything(table: dict[str, Any], means: list[str], character: str) -> list[dict[str, Any]]:
    """Every action that may bring a figure on."""
    turns = ("clockwise", "counterclockwise")
    actions: list[dict[str, Any]] = [{"do": "move", "to": side} for side in SIDES]
    if "jade" in means:
        actions += [{"do": "jade", "turn": turn} for turn in turns]
    for cell in by_cell(table):
        if "ruby" in means:
            actions += [{"do": "ruby", "cell": cell, "turn": turn} for turn in turns]
        if "gold" in means:
            actions += [{"do": "gold", "cell": cell, "to": side} for side in SIDES]
    if "character" in means and character in ("curator", "sculptor"):
        actions += [{"do": character, "to": side} for side in SIDES]
    if "character" in means and character == "architect":
        actions += [
            {"do": "architect", "to": side, "rotation": mine}
            | ({} if other is None else {"other_rotation": other})
            for side in SIDES
            for mine in (0, 90, 180, 270)
            for other in (None, 0, 90, 180, 270)
        ]
    if "character" in means and character == "keysmith":
        beside = sorted({each["tile"] for each in table["spare"]})
        actions += [
            {"do": "keysmith", "to": side, "tile": tile, "rotation": rotation}
            for side in SIDES
            for tile in beside
            for rotation in (0, 90, 180, 270)
        ]
    return actions


def cheapest(
    table: dict[str, Any], name: str, goal: dict[str, Any], means: list[str], limit: int
) -> int | None:
    """The least AP by trying everything, step by step."""
    player = next(each for each in table["players"] if each["name"] == name)
    able = [each for each in means if each == "character" or each in player["powers"]]
    character = COLOURS[player["piece"].removeprefix("figure-")]
    by_cost: list[list[dict[str, Any]]] = [[table], *([] for _ in range(limit))]
    seen: dict[bytes, int] = {}
    for cost in range(limit + 1):
        for state in by_cost[cost]:
            if is_there(state, player["piece"], goal):
                return cost
            for action in everything(state, able, character):
                dear = cost + COSTS[action["do"]]
                if dear > limit:
                    continue
                ruling = turn_of(state, name, [action])
                if not ruling.legal or ruling.after is None:
                    continue
                key = msgspec.json.encode(
                    [ruling.after["tiles"], ruling.after["pieces"], ruling.after["ground"]["rotation"]]
                )
                if seen.get(key, limit + 1) > dear:
                    seen[key] = dear
                    by_cost[dear].append(ruling.after)
    return None


def is_there(table: dict[str, Any], figure: str, goal: dict[str, Any]) -> bool:
    cell, _ = stands(table, figure)
    (what, where), *_ = goal.items()
    if what == "cell":
        return list(cell) == list(where)
    idols, altars = printed(table, cell)
    return where in (idols if what == "idol" else altars)


@given(chance=CHANCE)
@tried(3)
def test_the_cheapest_way_is_the_cheapest(chance: random.Random) -> None:
    check_cheapest(chance)


@pytest.mark.long
@given(chance=CHANCE)
@tried(max(6, TABLES // 20))
def test_the_cheapest_way_is_the_cheapest_on_many_tables(chance: random.Random) -> None:
    check_cheapest(chance)


def check_cheapest(chance: random.Random) -> None:
    """The cheapest way to a goal, with some of the means."""
    table = random_table(chance)
    player = chance.choice(table["players"])
    goal: dict[str, Any] = chance.choice(
        ({"cell": chance.choice(CELLS)}, {"idol": chance.choice(IDOLS)}, {"altar": chance.choice(IDOLS)})
    )
    means = [each for each in ("jade", "ruby", "gold", "character") if chance.random() < 0.6]
    limit = 2 if "ruby" in means and "ruby" in player["powers"] else 3
    player["holds"] = {"adrenaline-plus": 1}
    asked = {"player": player["name"], "to": goal, "with": means, "limit": limit}
    told = ruled(table | {"ask": {"cheapest": asked}}).cheapest
    assert told is not None
    assert told.ap == cheapest(table, player["name"], goal, means, limit)
    if told.actions is not None and told.ap:
        ruling = turn_of(table, player["name"], told.actions)
        assert ruling.legal and ruling.after is not None and ruling.ap.spent == told.ap
        assert is_there(ruling.after, player["piece"], goal)


@given(chance=CHANCE)
@tried(max(3, TABLES // 8))
def test_few_tiles_and_many_points_come_to_the_cheapest_way_too(chance: random.Random) -> None:
    """A temple of which little is left: the way may need several powers, and the character's ability."""
    table = random_table(chance)
    player = table["players"][0]
    kept = chance.sample(table["tiles"], chance.randrange(2, 5))
    table["spare"] += [{"tile": each["tile"], "at": "discard"} for each in table["tiles"] if each not in kept]
    table["tiles"], table["players"] = kept, [player]
    table["pieces"] = [
        {
            "piece": player["piece"],
            "column": kept[0]["column"],
            "row": kept[0]["row"],
            "place": chance.choice([side for c in CORRIDORS[kept[0]["tile"]] for side in c]),
        }
    ]
    table["spare"] = table["spare"][:3]
    player["holds"], player["powers"] = {}, [each for each in IDOLS if chance.random() < 0.6]
    goal = {"cell": [kept[-1]["column"], kept[-1]["row"]]}
    means = ["jade", "ruby", "gold", "character"]
    asked = {"player": player["name"], "to": goal, "with": means, "limit": 5}
    told = ruled(table | {"ask": {"cheapest": asked}}).cheapest
    assert told is not None and told.ap == cheapest(table, player["name"], goal, means, 5)


# --- turns --------------------------------------------------------------------------------------------------


def some_action(chance: random.Random, table: dict[str, Any]) -> dict[str, Any]:
    side, cell = chance.choice(SIDES), chance.choice(CELLS)
    turn = chance.choice(("clockwise", "counterclockwise"))
    idol = chance.choice(IDOLS)
    beside = [each["tile"] for each in table["spare"]] or ["archway"]
    event = chance.choice(
        (None, "calm", "collapse-top", "collapse-two", "rotate-left", "sun-moon", "star-comet")
    )
    placed: dict[str, Any] = {"do": "place", "idol": idol, "for": chance.choice(("study", "power"))}
    if event is not None:
        placed["event"] = event
    elif chance.random() < 0.5:
        placed["shift"] = chance.choice(("left", "right"))
    return chance.choice(
        (
            {"do": "move", "to": side},
            {"do": "move", "to": side},
            {"do": "pick", "idol": idol},
            placed,
            {"do": "drop", "idol": idol},
            {"do": "jade", "turn": turn},
            {"do": "ruby", "cell": cell, "turn": turn},
            {"do": "gold", "cell": cell, "to": side},
            {"do": "curator", "to": side},
            {"do": "sculptor", "to": side},
            {"do": "architect", "to": side, "rotation": 90},
            {"do": "keysmith", "to": side, "tile": chance.choice(beside), "rotation": 180},
        )
    )


class Game(RuleBasedStateMachine):
    """Turns from a random table: a turn is its actions one after the other, and after each the board is ruled
    on as the second referee has it."""

    step: dict[str, Any]
    before: dict[str, Any]

    @initialize(chance=CHANCE)
    def lay_out(self, chance: random.Random) -> None:
        self.step = random_table(chance)
        assert not ruled(self.step).problems
        self._begin_turn(chance)

    def _begin_turn(self, chance: random.Random) -> None:
        self.before = self.step
        self.player = chance.choice(self.step["players"])["name"]
        self.actions: list[dict[str, Any]] = []
        self.spent = 0

    @rule(chance=CHANCE)
    def act(self, chance: random.Random) -> None:
        """Some actions, most of which are illegal; the legal ones count."""
        for _ in range(4):
            action = some_action(chance, self.step)
            whole = turn_of(self.before, self.player, [*self.actions, action])
            alone = turn_of(self.step, self.player, [action])
            if action["do"] == "move":
                self._walks_as_it_may(action["to"], alone)
            if not whole.legal:
                assert whole.violations[0].action == len(self.actions)
                # Only the points of the turn before it are another matter.
                assert not alone.legal or whole.violations[0].rule == "no-ap"
                continue
            assert alone.legal and alone.after is not None and whole.after is not None
            self.spent += alone.ap.spent
            assert whole.ap.spent == self.spent
            assert as_it_lies(whole.after) == as_it_lies(alone.after)
            self.actions.append(action)
            self.step = alone.after

    def _walks_as_it_may(self, side: str, ruling: TurnRuling) -> None:
        """A step is legal where the second referee walks, and ends where it does."""
        figure = next(each["piece"] for each in self.step["players"] if each["name"] == self.player)
        here = stands(self.step, figure)
        ends = set(walked(self.step, figure, 1)) - {here}
        there = {end for end in ends if end[0] == next_to(here[0], side)}
        if ruling.legal:
            assert ruling.after is not None and stands(ruling.after, figure) in there
        elif ruling.violations[0].rule in ("wall", "gap", "blocked"):
            assert not there

    @rule(chance=CHANCE)
    def another_turn(self, chance: random.Random) -> None:
        self._begin_turn(chance)

    @rule(points=st.integers(0, 6))
    def look(self, points: int) -> None:
        check_board(self.step, points)

    @invariant()
    def nothing_comes_or_goes(self) -> None:
        is_sound(self.before, self.step)


def test_turns_and_boards_are_as_on_the_table() -> None:
    run_machine(Game, examples=TABLES // 3, steps=15)


@pytest.mark.long
def test_turns_and_boards_are_as_on_many_tables() -> None:
    run_machine(Game, examples=TABLES, steps=15)


def as_it_lies(table: dict[str, Any]) -> dict[str, Any]:
    """A table with the corridors of figures told by their open sides: any node may name one."""
    figures = [each["piece"] for each in table["pieces"] if each.get("on") is None]
    others = [each for each in table["pieces"] if each.get("on") is not None]
    return table | {"pieces": others, "figures": {figure: stands(table, figure) for figure in figures}}


def is_sound(before: dict[str, Any], after: dict[str, Any]) -> None:
    """No tile comes or goes, no two lie in a cell, every figure stands on one."""

    def tiles(table: dict[str, Any]) -> Counter[str]:
        return Counter(each["tile"] for each in (*table["tiles"], *table["spare"]))

    assert tiles(before) == tiles(after)
    cells = by_cell(after)
    assert len(cells) == len(after["tiles"])
    for piece in after["pieces"]:
        if piece.get("on") is None:
            assert (piece["column"], piece["row"]) in cells
    values = sorted(each["piece"] for each in after["pieces"] if each["piece"].startswith("vp"))
    assert values == ["vp-3", "vp-4", "vp-5", "vp-6", "vp-7"]
    assert not {each.rule for each in ruled(after).problems} - {"hands"}
