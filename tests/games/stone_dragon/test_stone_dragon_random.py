"""Random games of Stone Dragon as a state machine: every action that there is, tried one by one, against the
options that a ruling lists; turns as a whole against the same actions, one turn each; what no action may do.

`WAYMARK_BOARDS` sets how many tables (5,000 for a release)."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from by_chance import CHANCE, run_machine
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from stone_dragon_cases import box

from scorer.board_record import Board
from scorer.board_turn import ListedActions
from scorer.house_settings import house_of
from scorer.stone_dragon.rules.board_ruling import BoardRuling, rule_board
from scorer.stone_dragon.rules.house import House
from scorer.stone_dragon.rules.pieces import pieces_of
from scorer.stone_dragon.rules.turn_record import Action, TurnRecord, turn_told
from scorer.stone_dragon.rules.turn_ruling import TurnRuling, rule_turn
from scorer.stone_dragon.rules.validation import board_told

PIECES = pieces_of(box())
NAMES = ("Aya", "Ben", "Cem", "Dan")
COLOURS = ("red", "blue", "green", "yellow")
ROTATIONS = (0, 90, 180, 270)
CELLS = [(column, row) for row in range(4) for column in range(4)]
TABLES = int(os.environ.get("WAYMARK_BOARDS", "20"))


def random_table(chance: random.Random) -> dict[str, Any]:
    """A table as it may be under way: some panels up, pawns on them, what each player has."""
    panels = [name for name in PIECES.panels if name != "entrance" for _ in range(PIECES.copies[name])]
    chance.shuffle(panels)
    up = chance.sample(CELLS[1:], chance.randrange(3, 15))
    tiles = [{"tile": "entrance", "column": 0, "row": 0, "rotation": chance.choice(ROTATIONS)}]
    for cell in CELLS[1:]:
        where = {"column": cell[0], "row": cell[1]}
        told = {"tile": panels.pop(), "rotation": chance.choice(ROTATIONS)} if cell in up else None
        tiles.append(where | (told or {"tile": None, "face": "down"}))
    count = chance.choice((3, 4))
    characters = chance.sample(sorted(PIECES.characters), count)
    supply = Counter({name: PIECES.copies[name] for name in PIECES.chips})
    dungeon = [name for name in (*PIECES.monsters, *PIECES.items, *PIECES.curses)]
    pile = [name for name in PIECES.victories for _ in range(2)]
    chance.shuffle(pile)
    players, pieces = [], [{"piece": "pawn-black", "column": 3, "row": 3}]
    left = Counter({name: PIECES.copies[name] for name in dungeon})
    gathered = chance.random() < 0.3
    for name, colour, character in zip(NAMES[:count], COLOURS, characters, strict=False):
        cell = up[0] if gathered else chance.choice([(0, 0), (0, 0), *up])
        pieces.append({"piece": f"pawn-{colour}", "column": cell[0], "row": cell[1]})
        players.append(_player(chance, name, colour, character, supply, left, pile))
    return {
        "format": "waymark-board/1",
        "game": "stone_dragon",
        "grid": {"columns": 4, "rows": 4},
        "tiles": tiles,
        "pieces": pieces,
        "dragon": {"piece": "pawn-black", "life": chance.randrange(1, 11)},
        "players": players,
        "house": _house(chance),
    }


def _house(chance: random.Random) -> dict[str, Any]:
    told = {
        name: chance.choice((True, False))
        for name in ("turn_under_dragon", "turn_entrance", "steal_on_counter", "dragon_is_monster")
        if chance.random() < 0.2
    }
    return told | ({"curse_takes": "any"} if chance.random() < 0.3 else {})


def _player(
    chance: random.Random,
    name: str,
    colour: str,
    character: str,
    supply: Counter[str],
    left: Counter[str],
    pile: list[str],
) -> dict[str, Any]:
    holds: Counter[str] = Counter()
    equipped = []
    for kind in ("sword", "shield"):
        worn = [each for each in supply if each.startswith(kind) and supply[each]]
        if worn and chance.random() < 0.6:
            equipped.append(chance.choice(worn))
            supply[equipped[-1]] -= 1
    for chip in chance.sample(sorted(supply), 3):
        if supply[chip]:
            holds[chip] += 1
            supply[chip] -= 1
    for card in chance.sample(sorted(left), 5):
        if left[card] and not (card in PIECES.curses and holds[card]):
            holds[card] += 1
            left[card] -= 1
    hand = [pile.pop() for _ in range(chance.randrange(3))]
    laid: list[dict[str, str]] = []
    if chance.random() < 0.5:
        card = pile.pop()
        side = "spent" if card == "eloquence" else chance.choice(("points", "bonus"))
        laid.append({"card": card, "side": side})
    return {
        "name": name,
        "piece": f"pawn-{colour}",
        "character": character,
        "life": chance.randrange(1, 9),
        "coins": chance.randrange(8),
        "holds": dict(holds),
        "equipped": equipped,
        "victory": laid,
        "hand": hand,
    }


def ruling_of(table: dict[str, Any]) -> tuple[Board, House, BoardRuling]:
    house = house_of(House, table["house"])
    board = board_told(table, PIECES)
    return board, house, rule_board(board, PIECES, house)


def turn_of(table: dict[str, Any], player: str, actions: list[dict[str, Any]]) -> TurnRuling:
    told = {
        "format": "waymark-turn/1",
        "game": "stone_dragon",
        "player": player,
        "before": table,
        "claims": {"actions": actions},
    }
    return rule_turn(turn_told(told, PIECES), PIECES, house_of(House, table["house"]))


def is_legal(board: Board, house: House, player: str, action: dict[str, Any]) -> bool:
    """Whether one action alone is legal, on a board that was read."""
    played: Action = msgspec.convert(action, Action)
    turn = TurnRecord(player=player, before=board, claims=ListedActions(actions=(played,)))
    return bool(rule_turn(turn, PIECES, house).legal)


def a_draw(table: dict[str, Any]) -> str | None:
    """A card that lies before nobody, and brings no fight."""
    held: Counter[str] = Counter()
    for player in table["players"]:
        held.update(player["holds"])
    cards = [*PIECES.items, *PIECES.curses]
    return next((name for name in cards if held[name] < PIECES.copies[name]), None)


def fight(actor: dict[str, Any], table: dict[str, Any], target: str) -> Iterator[dict[str, Any]]:
    """An attack, with every chip that could be taken, and none."""
    worn = {chip for player in table["players"] for chip in player["equipped"]}
    for steal in (None, *sorted(worn)):
        yield {"do": "attack", "target": target} | ({} if steal is None else {"steal": steal})


def check_options(chance: random.Random, table: dict[str, Any]) -> None:
    """A player's options are what is legal, and nothing else."""
    board, house, ruling = ruling_of(table)
    assert {each.rule for each in ruling.problems} <= {"same-side", "eloquence-side"}
    assert ruling.options is not None and ruling.turnable is not None
    player = chance.choice(table["players"])
    name, options = player["name"], ruling.options[player["name"]]
    draw = a_draw(table)

    def legal(action: dict[str, Any]) -> bool:
        return is_legal(board, house, name, action)

    moves = [
        cell
        for cell in CELLS
        if legal({"do": "move", "to": cell}) or legal({"do": "move", "to": cell, "draw": draw})
    ]
    assert moves == options.moves
    turned = [cell for cell in CELLS if legal({"do": "turn", "at": cell, "rotation": 90})]
    assert turned == ruling.turnable
    told = {
        (each.to, tile, turn)
        for each in options.explore
        for tile, ways in each.turns.items()
        for turn in ways
    }
    near = [cell for cell in CELLS if any(cell == each.to for each in options.explore)] or CELLS
    for cell in near:
        for tile in PIECES.panels:
            for turn in ROTATIONS:
                action = {"do": "explore", "to": cell, "tile": tile, "rotation": turn}
                assert legal(action) == ((cell, tile, turn) in told), action
    others = [each["name"] for each in table["players"]] + ["dragon"]
    attacked = [each for each in others if any(legal(way) for way in fight(player, table, each))]
    assert sorted(attacked) == sorted(options.attack)
    bought = [chip for chip in (*PIECES.chips, "life-1", "coin-1") if legal({"do": "buy", "chip": chip})]
    drawn = [count for count in (1, 2) if legal(_victory(table, count))]
    there = options.entrance
    if there is None:
        assert not bought and not drawn and not legal({"do": "heal"})
        assert not any(legal({"do": "sell", "cards": [card]}) for card in PIECES.monsters)
    else:
        assert bought == there.buy and legal({"do": "heal"}) == there.heal
        assert drawn == ([there.draw] if there.draw else [])
        for card in [*PIECES.monsters, *PIECES.items, *PIECES.curses]:
            sold = turn_of(table, name, [{"do": "sell", "cards": [card]}])
            assert bool(sold.legal) == (card in there.sell)
            if sold.legal and sold.after is not None:
                after = next(each for each in sold.after["players"] if each["name"] == name)
                assert after["coins"] - player["coins"] == there.sell[card]
    for card in PIECES.items:
        kind = PIECES.items[card].chip or "sword"
        chips = [None, "life-1", *(chip for chip in PIECES.chips if chip.startswith(kind))]
        ways = [
            (gain, given)
            for given in chips
            for gain in chips
            if (gain is not None or PIECES.items[card].chip is None)
            and legal({"do": "use", "card": card, "gain": gain, "discard": given})
        ]
        assert sorted(map(str, ways)) == sorted(map(str, options.use.get(card, [])))
    for card in PIECES.victories:
        sides = [
            side
            for side in ("points", "bonus")
            if card != "eloquence" and legal({"do": "reveal", "card": card, "side": side})
        ]
        assert sides == list(options.reveal.get(card, []))


def _victory(table: dict[str, Any], count: int) -> dict[str, Any]:
    """Drawing so many victory cards that lie before nobody."""
    seen: Counter[str] = Counter()
    for player in table["players"]:
        seen.update(each["card"] for each in player["victory"])
        seen.update(player["hand"])
    pile = [name for name in PIECES.victories for _ in range(2 - seen[name])]
    return {"do": "victory", "draw": pile[:count]}


def some_action(chance: random.Random, table: dict[str, Any]) -> dict[str, Any]:
    """An action, often against the rules."""
    names = [each["name"] for each in table["players"]]
    cards = [*PIECES.monsters, *PIECES.items, *PIECES.curses]
    chips = list(PIECES.chips)
    cell = chance.choice(CELLS)
    return chance.choice(
        (
            {"do": "move", "to": cell, "draw": chance.choice(cards)},
            {"do": "move", "to": cell},
            {
                "do": "explore",
                "to": cell,
                "tile": chance.choice(sorted(PIECES.panels)),
                "rotation": chance.choice(ROTATIONS),
            },
            {"do": "turn", "at": cell, "rotation": chance.choice(ROTATIONS)},
            {"do": "potion", "chip": chance.choice(chips)},
            {"do": "use", "card": chance.choice(cards), "gain": chance.choice(chips)},
            {"do": "attack", "target": chance.choice([*names, "dragon"])},
            {"do": "sell", "cards": chance.sample(cards, 2)},
            {"do": "buy", "chip": chance.choice(chips)},
            {"do": "heal"},
            {"do": "equip", "chip": chance.choice(chips)},
            {
                "do": "reveal",
                "card": chance.choice([card for card in PIECES.victories if card != "eloquence"]),
                "side": chance.choice(("points", "bonus")),
            },
        )
    )


def at_entrance(table: dict[str, Any], player: str) -> list[dict[str, Any]]:
    """What a ruling offers a player at the entrance; of all actions, few are that."""
    options = ruling_of(table)[2].options
    there = None if options is None else options[player].entrance
    if there is None:
        return []
    bought = [{"do": "buy", "chip": chip} for chip in there.buy]
    return bought + [{"do": "sell", "cards": [card]} for card in there.sell] + [{"do": "heal"}]


def _is_sound(after: dict[str, Any]) -> None:
    """Nothing is there more often than the box has it, nobody has less than nothing."""
    counted: Counter[str] = Counter()
    for player in after["players"]:
        assert player["life"] >= 1 and player["coins"] >= 0
        assert all(count > 0 for count in player["holds"].values())
        counted.update(player["holds"])
        counted.update(player["equipped"])
        counted.update(each["card"] for each in player["victory"])
    assert all(count <= PIECES.copies[name] for name, count in counted.items())
    assert len(after["tiles"]) == 16 and msgspec.json.encode(after)


class Game(RuleBasedStateMachine):
    """Turns of three actions from a random table: a turn is its actions one after the other."""

    step: dict[str, Any]
    before: dict[str, Any]

    @initialize(chance=CHANCE)
    def lay_out(self, chance: random.Random) -> None:
        table = random_table(chance)
        # As rulings write it.
        self.step = self._as_ruled(table, turn_of(table, table["players"][0]["name"], []))
        self._begin_turn(chance)

    def _begin_turn(self, chance: random.Random) -> None:
        self.before = self.step
        self.player = chance.choice(self.step["players"])["name"]
        self.actions: list[dict[str, Any]] = []
        self.used = self.fights = 0

    def _as_ruled(self, table: dict[str, Any], ruling: TurnRuling) -> dict[str, Any]:
        assert ruling.after is not None
        return {"house": table["house"]} | ruling.after

    @rule(chance=CHANCE)
    def act(self, chance: random.Random) -> None:
        """Try actions until one is legal; a turn has three."""
        if len(self.actions) == 3:
            self._begin_turn(chance)
        offers = at_entrance(self.step, self.player)
        for _ in range(12):
            offered = offers and chance.random() < 0.5
            action = chance.choice(offers) if offered else some_action(chance, self.step)
            alone = turn_of(self.step, self.player, [action])
            whole = turn_of(self.before, self.player, [*self.actions, action])
            assert whole.legal == alone.legal
            if alone.legal:
                self.used += alone.actions_used
                self.fights += len(alone.fights)
                self.step = self._as_ruled(self.before, alone)
                self.actions.append(action)
            else:
                assert whole.violations[0].action == len(self.actions)
                assert whole.violations[0].rule == alone.violations[0].rule
            assert whole.actions_used == self.used and len(whole.fights) == self.fights
            assert self._as_ruled(self.before, whole) == self.step
            if alone.legal:
                break

    @rule(chance=CHANCE)
    def another_turn(self, chance: random.Random) -> None:
        self._begin_turn(chance)

    @precondition(lambda self: self.step["dragon"]["life"] > 0)
    @rule(chance=CHANCE)
    def look(self, chance: random.Random) -> None:
        check_options(chance, self.step)

    @invariant()
    def nothing_comes_or_goes(self) -> None:
        _is_sound(self.step)


def test_turns_and_options_are_as_on_the_table() -> None:
    run_machine(Game, examples=TABLES // 5, steps=10)


@pytest.mark.long
def test_turns_and_options_are_as_on_many_tables() -> None:
    run_machine(Game, examples=TABLES // 2, steps=10)
