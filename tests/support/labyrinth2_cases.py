"""Golden cases of Labyrinth 2: drawn boards, turns in words, and what the referee answers.

tests/golden/labyrinth2/README.md tells how they are written. Boards are made here by hand of plain dicts, and
pushes too, so that nothing of the referee's own is used to say what lies where."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from scorer.catalogue import Card, Catalogue, Node, Side

GOLDEN = Path(__file__).parents[1] / "golden" / "labyrinth2"

SHAPES = {
    **dict.fromkeys("│", ("I", 0)),
    **dict.fromkeys("─", ("I", 90)),
    "└": ("L", 0),
    "┌": ("L", 90),
    "┐": ("L", 180),
    "┘": ("L", 270),
    "┬": ("T", 0),
    "┤": ("T", 90),
    "┴": ("T", 180),
    "├": ("T", 270),
}
OPEN: dict[str, tuple[Side, ...]] = {
    "I": ("top", "bottom"),
    "L": ("top", "right"),
    "T": ("right", "bottom", "left"),
}
PRINTED = ("┌┬┬┐", "├├┬┤", "├┴┤┤", "└┴┴┘")
COLOURS = ("red", "blue", "green", "yellow")


@cache
def labyrinth(chip_cells: tuple[tuple[int, int], ...] | None = None) -> Catalogue:
    """A catalogue of the pieces, without art; enough straights to draw any board with."""
    middles = {"top": (25.0, 0.0), "right": (50.0, 25.0), "bottom": (25.0, 50.0), "left": (0.0, 25.0)}

    def tile(name: str, shape: str, kind: Any, **more: Any) -> Card:
        nodes = tuple(Node(id=side, kind="opening", side=side, at=middles[side]) for side in OPEN[shape])
        return Card(id=name, kind=kind, art="-", nodes=nodes, **more)

    cards = [tile("I", "I", "tile", copies=40), tile("L", "L", "tile", copies=16)]
    cards.append(tile("T", "T", "tile", copies=6))
    for row, shapes in enumerate(PRINTED):
        for column, drawn in enumerate(shapes):
            shape, rotation = SHAPES[drawn]
            cell: Any = (2 * column, 2 * row)
            name = f"F{2 * column}{2 * row}"
            cards.append(tile(name, shape, "fixed", cell=cell, rotation=rotation))
    for value in range(1, 13):
        cards.append(Card(id=f"chip-{value}", kind="chip", role="treasure", value=value, copies=2, art="-"))
        cards.append(
            Card(id=f"card-{value}", kind="card", role="treasure-card", value=value, copies=2, art="-")
        )
    cards += [Card(id=f"explorer-{name}", kind="pawn", role="explorer", art="-") for name in COLOURS]
    cards += [Card(id=f"gargoyle-{n}", kind="figure", role="gargoyle", art="-") for n in (1, 2)]
    cards.append(Card(id="dragon", kind="figure", role="dragon", art="-"))
    cards.append(Card(id="coin", kind="coin", role="coin", copies=24, art="-"))
    cards.append(Card(id="board", kind="board", art="-", chip_cells=chip_cells))
    return Catalogue(name="golden", game="labyrinth2", cards=tuple(cards), card_size_mm=(50, 50))


@dataclass(frozen=True)
class Case:
    """A board, what was done on it (None: the board itself is asked about), and the expected answers."""

    file: str
    line: int
    title: str
    board: dict[str, Any]
    catalogue: Catalogue
    turn: dict[str, Any] | None
    expected: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.title}"


# --- boards -------------------------------------------------------------------------------------------------


def drawn_board(lines: list[str]) -> dict[str, Any]:
    """A board from seven drawn rows; printed tiles are left to the catalogue, `.` is no tile."""
    tiles = []
    for row, line in enumerate(lines):
        for column, drawn in enumerate(line):
            if drawn != "." and (row % 2 or column % 2):
                shape, rotation = SHAPES[drawn]
                tiles.append({"tile": shape, "column": column, "row": row, "rotation": rotation})
    return {
        "format": "waymark-board/1",
        "game": "labyrinth2",
        "tiles": tiles,
        "spare": [{"tile": "I"}],
        "pieces": [],
        "players": [],
    }


def cell(words: str) -> dict[str, int]:
    column, row = words.split(",")
    return {"column": int(column), "row": int(row)}


def set_up(board: dict[str, Any], line: str) -> dict[str, Any]:
    """A board with one more thing told, in words."""
    word, _, rest = line.partition(" ")
    pieces = board["pieces"]
    players = {player["name"]: player for player in board["players"]}
    if word == "dragon":
        pieces[:] = [each for each in pieces if each["piece"] != "dragon"]
        if rest != "gone":
            where, side = rest.split() if " " in rest else ("3,3", rest)
            looks = {} if side == "?" else {"facing": side}
            pieces.append({"piece": "dragon", **cell(where), **looks})
    elif word in COLOURS or word == "gargoyle":
        name, _, where = rest.partition(" ") if word == "gargoyle" else (word, "", rest)
        name = f"{'gargoyle' if word == 'gargoyle' else 'explorer'}-{name}"
        pieces[:] = [each for each in pieces if each["piece"] != name]
        if where != "gone":
            pieces.append({"piece": name, **cell(where)})
    elif word == "chips":
        pieces[:] = [each for each in pieces if not str(each["piece"]).startswith("chip")]
        for told in rest.split():
            value, where = told.split("@")
            at = {"on": "spare"} if where == "spare" else cell(where)
            pieces.append({"piece": f"chip-{value}", **at})
    elif word == "spare":
        board["spare"] = [_spare(told) for told in rest.split(" and ")] if rest != "none" else []
    elif word == "tile":
        where, drawn = rest.split(" ", 1)
        board["tiles"] = [each for each in board["tiles"] if cell(where).items() - each.items()]
        if drawn == "face down":
            board["tiles"].append({"tile": None, **cell(where), "face": "down"})
        elif drawn in SHAPES:
            shape, rotation = SHAPES[drawn]
            board["tiles"].append({"tile": shape, **cell(where), "rotation": rotation})
        elif drawn != "none":
            name, rotation_word = drawn.split()
            turned = None if rotation_word == "?" else int(rotation_word)
            board["tiles"].append({"tile": name, **cell(where), "rotation": turned})
    elif word == "house":
        name, value = rest.split("=")
        board.setdefault("house", {})[name] = {"true": True, "false": False}.get(value, value)
    elif line.startswith("to move "):
        board["to_move"] = line.removeprefix("to move ")
    elif line == "further pass done":
        board["extra_done"] = True
    elif line == "nobody told":
        for player in board["players"]:
            player.pop("holds", None)
    else:
        _set_up_player(board, players, word, rest)
    return board


def _spare(told: str) -> dict[str, Any]:
    tile, *at = told.split(" at ")
    return {"tile": None if tile == "?" else tile, **({"at": at[0]} if at else {})}


def _set_up_player(board: dict[str, Any], players: dict[str, Any], name: str, rest: str) -> None:
    player = players.get(name)
    if player is None:
        player = {"name": name}
        board["players"].append(player)
    what, _, words = rest.partition(" ")
    if what == "plays":
        player["piece"] = f"explorer-{words}"
    elif what == "holds":
        player["holds"] = {}
        for told in [] if words == "nothing" else words.split():
            number, _, thing = told.rpartition("x")
            thing = f"chip-{thing}" if thing.isdigit() else thing
            player["holds"][thing] = int(number or 1)
    elif what == "hand":
        player["hand"] = [None if told == "?" else f"card-{told}" for told in words.split()]
    elif what == "has":
        player["hand_size"] = int(words.split()[0])
    else:
        raise ValueError(f"{name} {rest}: what is that?")


def push_by_hand(board: dict[str, Any], arrow: str, rotation: int) -> None:
    """Push the spare in, and carry what stands on the line; the dragon stays."""
    side, number = arrow[:-1], int(arrow[-1])
    step = {"left": (1, 0), "right": (-1, 0), "top": (0, 1), "bottom": (0, -1)}[side]
    start = {"left": (0, number), "right": (6, number), "top": (number, 0), "bottom": (number, 6)}[side]
    line = [(start[0] + k * step[0], start[1] + k * step[1]) for k in range(7)]
    by_cell = {(each["column"], each["row"]): each for each in board["tiles"]}
    out = by_cell[line[6]]
    for k in range(6, 0, -1):
        moved = by_cell[line[k - 1]]
        moved["column"], moved["row"] = line[k]
    board["tiles"].remove(out)
    entered = {"tile": board["spare"][0]["tile"], "rotation": rotation}
    board["tiles"].append({**entered, "column": start[0], "row": start[1]})
    exit_side = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}[side]
    board["spare"] = [{"tile": out["tile"], "at": f"{exit_side}{number}"}]
    stays = board.get("house", {}).get("pushed_chip") == "spare"
    for piece in board["pieces"]:
        at = piece.get("column"), piece.get("row")
        chip = piece["piece"].startswith("chip")
        if piece.get("on") == "spare":
            del piece["on"]
            piece["column"], piece["row"] = line[0]
        elif piece["piece"] == "dragon" or at not in line:
            continue
        elif at == line[6] and chip and stays:
            del piece["column"], piece["row"]
            piece["on"] = "spare"
        else:
            piece["column"], piece["row"] = line[(line.index(at) + 1) % 7]


# --- turns --------------------------------------------------------------------------------------------------


def told_turn(words: str) -> tuple[str, dict[str, Any]]:
    """The player and the claims of `Aya: push bottom1 0, to 2,0, take 3`."""
    player, _, rest = words.partition(": ")
    claims: dict[str, Any] = {}
    for told in re.split(r", (?=[a-z])", rest) if rest and rest != "nothing" else []:
        what, _, more = told.partition(" ")
        if what == "push":
            at, rotation = more.split()
            claims["push"] = {"at": at, "rotation": int(rotation)}
        elif what == "to":
            claims["to"] = list(cell(more).values())
        elif what == "take":
            claims["take"] = f"chip-{more}"
        elif what in ("card", "extra"):
            claims[what] = f"card-{more}"
        elif what == "die":
            claims["die"] = {"arrows": int(more)} if more.isdigit() else {"gargoyle": more}
        elif what == "fights":
            claims["fights"] = []
        elif what == "fight":
            claims.setdefault("fights", []).append(_fight(more))
        elif what == "final":
            dice, _, discards = more.partition(" paid ")
            throws = [[int(throw) for throw in die.split(">")] for die in dice.split()]
            claims["final"] = {"throws": throws, "discards": [f"card-{each}" for each in discards.split()]}
        else:
            raise ValueError(f"{told}: what is that?")
    return player, claims


def _fight(words: str) -> dict[str, Any]:
    found = re.fullmatch(r"(\w+) throws ([\d>]+)(?: paid ([\d ]+))?(?: loses (\d+))?", words)
    if found is None:
        raise ValueError(f"{words}: what is that?")
    name, throws, paid, lost = found.groups()
    return {
        "player": name,
        "throws": [[int(throw) for throw in throws.split(">")]],
        "discards": [f"card-{each}" for each in (paid or "").split()],
        "lost": None if lost is None else f"chip-{lost}",
    }


# --- files --------------------------------------------------------------------------------------------------

EXPECTED = frozenset(
    {"breaks", "problems", "phase", "next", "pending", "differs", "stood", "to", "taken", "facing", "fights"}
    | {"final", "result", "candidates", "reach", "watch", "moves", "best", "legal", "walked"}
)


def cases_of(file: Path) -> Iterator[Case]:
    """The cases of a golden file."""
    boards: dict[str, dict[str, Any]] = {}
    for line_number, head, body in _paragraphs(file):
        word, _, rest = head.partition(" ")
        if word == "board":
            name, _, parent = rest.partition(" as ")
            rows = [line for line in body if set(line) <= {*SHAPES, "."} and len(line) == 7]
            board = copy.deepcopy(boards[parent]) if parent else drawn_board(rows)
            for line in body:
                if line not in rows:
                    set_up(board, line)
            boards[name] = board
        else:
            name, _, title = rest.partition(": ")
            yield _case(file, line_number, title, copy.deepcopy(boards[name]), body)


def _case(file: Path, number: int, title: str, board: dict[str, Any], body: list[str]) -> Case:
    expected: dict[str, str] = {}
    claims: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    player, chip_cells = "", None
    for line in body:
        word, _, rest = line.partition(": ")
        if word.split(" ")[0] in EXPECTED and ": " in line:
            expected[word] = rest
        elif line.startswith("after "):
            if after is None:
                after = copy.deepcopy(board)
            change = line.removeprefix("after ")
            if change.startswith("push "):
                arrow, rotation = change.removeprefix("push ").split()
                push_by_hand(after, arrow, int(rotation))
            elif change == "nobody":
                after["players"] = []
            elif change != "the same":
                set_up(after, change)
        elif line.startswith("chip cells "):
            cells = [tuple(cell(each).values()) for each in line.removeprefix("chip cells ").split()]
            chip_cells = tuple(cells)
        elif word in [each["name"] for each in board["players"]] and ": " in line:
            player, claims = told_turn(line)
        elif line.endswith(" plays, nothing told"):
            player = line.split()[0]
        else:
            set_up(board, line)
    turn = None
    if player:
        turn = {"format": "waymark-turn/1", "game": "labyrinth2", "player": player, "before": board}
        if claims is not None:
            turn["claims"] = claims
        if after is not None:
            turn["after"] = after
    catalogue = labyrinth(chip_cells)
    return Case(file.stem, number, title, board, catalogue, turn, expected)


def _paragraphs(file: Path) -> Iterator[tuple[int, str, list[str]]]:
    head, number = "", 0
    body: list[str] = []
    for at, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            if head:
                yield number, head, body
            head, number, body = line.strip(), at, []
        else:
            body.append(line.strip())
    if head:
        yield number, head, body
