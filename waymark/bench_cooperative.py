"""Processing time of the referee for cooperative tables, as quoted in
scorer/mapmasters/cooperative/README.md.

The tables are random: 30 cards of a catalogue on a grid, with five groups that have tokens and
spellbooks. The lines wander from the edge and stop now and then on a step card. The timed work is that
of `waymark referee --json` after start-up, as in `waymark.bench_rulings`."""

from __future__ import annotations

import time
from collections.abc import Sequence

import msgspec
import numpy as np

from calibration.decks.mapmasters.playability import TURNS
from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.games import USUAL_GAME
from scorer.mapmasters.cooperative import CoopRuling, TableRecord
from scorer.mapmasters.cooperative.rules.mission import FORMAT as MISSION_FORMAT
from scorer.mapmasters.cooperative.rules.mission import Mission, MissionGoal
from scorer.mapmasters.cooperative.rules.record import Group, GroupPath, TableCard
from scorer.mapmasters.cooperative.rules.settings import DIFFICULTIES
from scorer.mapmasters.rules.means import BOOK_FOR, TOOLS, WILD
from scorer.record import FORMAT
from waymark.cli.inputs import read_record
from waymark.cli.refereeing import RefereeRequest, referee_answer, referee_record

COLUMNS, ROWS = 6, 5
GROUPS = ("red", "blue", "green", "yellow", "purple")
#: Number of step cards, where a group may stop and go on, and of goals on them.
STEPS, GOALS = 12, 6
PATHS_OF_A_GROUP = 3
MOST_PLACES = 60


class TablesReport(msgspec.Struct, frozen=True):
    """Timing of `tables` random tables with `mean_places` places on their lines: seconds for all, and
    for the slowest."""

    tables: int
    mean_places: float
    legal: int
    seconds: float
    worst_seconds: float


def bench_cooperative(catalogue: Catalogue, count: int, seed: int) -> TablesReport:
    """Timing of the referee on `count` random cooperative tables."""
    rng = np.random.default_rng(seed)
    records = [msgspec.json.encode(random_table(catalogue, rng)) for _ in range(count)]
    wanted, times = RefereeRequest(), []
    rulings: list[CoopRuling] = []
    places = 0
    for data in records:
        start = time.process_time()
        refereed = referee_record(catalogue, read_record(data, USUAL_GAME), wanted)
        msgspec.json.encode(referee_answer(refereed))
        times.append(time.process_time() - start)
        rulings.append(refereed.ruling)
        places += sum(len(path.steps) for path in refereed.ruling.paths)
    return TablesReport(
        tables=count,
        mean_places=round(places / count, 1),
        legal=sum(ruling.legal for ruling in rulings),
        seconds=round(sum(times), 3),
        worst_seconds=round(max(times), 4),
    )


def random_table(catalogue: Catalogue, rng: np.random.Generator) -> TableRecord:
    """A random cooperative table: 30 cards, five groups, at most three paths each, and an inline
    mission."""
    names = [card.id for card in catalogue.cards if card.nodes]
    cells = COLUMNS * ROWS
    laid = [str(name) for name in rng.choice(names, cells, replace=len(names) < cells)]
    width, height = catalogue.card_size_mm
    cards = tuple(
        TableCard(name, i % COLUMNS * width, i // COLUMNS * height, TURNS[int(rng.integers(2))])
        for i, name in enumerate(laid)
    )
    dungeon = build_dungeon(catalogue, [card.placed for card in cards])
    steps = list(dict.fromkeys(str(name) for name in rng.choice(laid, STEPS, replace=False)))
    goals = tuple(
        MissionGoal(
            id=f"{name} {number}",
            card=name,
            requires={str(rng.choice(TOOLS)): int(rng.integers(0, 3)), "room": int(rng.integers(0, 2))},
        )
        for name in steps[:GOALS]
        for number in range(2)
    )
    walked: set[str] = set()
    paths = [path for group in GROUPS for path in _paths(dungeon, group, steps, walked, rng)]
    books = (*BOOK_FOR.values(), WILD, "SB-2", "SB-4", "SB-7", "SB-8")
    return TableRecord(
        format=FORMAT,
        mode="cooperative",
        cards=cards,
        mission=Mission(format=MISSION_FORMAT, steps=tuple(steps), goals=goals),
        difficulty=DIFFICULTIES[int(rng.integers(len(DIFFICULTIES)))],
        groups=tuple(
            Group(
                group=group,
                fairy_tokens={tool: 1 for tool in TOOLS if rng.random() < 0.5},
                spellbooks=tuple(str(book) for book in rng.choice(books, 2, replace=False)),
            )
            for group in GROUPS
        ),
        paths=tuple(paths),
    )


def _paths(
    dungeon: Dungeon, group: str, steps: Sequence[str], walked: set[str], rng: np.random.Generator
) -> list[GroupPath]:
    """A random line of one group, cut where it stops on step cards. It avoids places that other lines
    already use."""
    starts = sorted(dungeon.open_openings - walked)
    line = [str(rng.choice(starts))]
    while len(line) < MOST_PLACES:
        onward = [
            link.b
            for link in dungeon.neighbours[line[-1]]
            if link.b not in walked and link.b not in line and dungeon.places[link.b].kind != "room_find"
        ]
        if not onward:
            break
        line.append(str(rng.choice(onward)))
    walked.update(name for name in line if dungeon.places[name].kind != "room")
    paths: list[GroupPath] = []
    first = 0
    for index, name in enumerate(line):
        on_step = dungeon.cards[dungeon.places[name].card_index].card in steps
        last = len(paths) == PATHS_OF_A_GROUP - 1 or index == len(line) - 1
        if index > first and ((on_step and rng.random() < 0.3) or index == len(line) - 1):
            end = len(line) - 1 if last else index
            paths.append(GroupPath(group=group, path=(tuple(line[first : end + 1]),)))
            first = end
            if last:
                break
    return paths
