"""Throughput of the referee in records per second, as quoted in scorer/mapmasters/README.md.

The records are random hands and walks over a catalogue's own cards, as JSON files. The timed work is
that of `waymark referee --json` after start-up: read the files, join the cards to dungeons, rule, and
write the rulings as JSON. Processor time is measured, so that other load on the machine hardly counts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import numpy as np

from calibration.decks.mapmasters.playability import TURNS, Table, deal_hand
from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.games import game_of
from scorer.mapmasters import Ruling, referee_dungeon
from scorer.mapmasters.rules.means import SPELLBOOKS, TOOLS, Purse
from scorer.mapmasters.rules.objectives import VP_EACH
from scorer.mapmasters.rules.teleports import teleport_between
from scorer.record import Objectives, PlacedCard, Record, make_record, to_json
from waymark.cli.inputs import read_record
from waymark.cli.refereeing import RefereeRequest, referee_answer, referee_record

Strokes = tuple[tuple[str, ...], ...]

#: SB-1 to SB-12: every spellbook that acts on the path (and SB-10, which does not).
BOOKS_IN_PLAY = SPELLBOOKS[:12]
PATH_PLACES = range(10, 41)
LEGAL_SHARE = 0.9
JUMP_SHARE = 0.1
WALKS = 8
#: Size of the worst-case record.
HUGE_CARDS, HUGE_COLUMNS, HUGE_PLACES, HUGE_TOKENS = 50, 10, 5000, 40


class RulingsReport(msgspec.Struct, frozen=True):
    """Timing of `records` random records of five cards, of which `legal` are legal; means are over their
    paths. The worst-case record has 50 cards, 40 tokens and 5,000 places (`pathological_steps` of them
    walked)."""

    records: int
    legal: int
    mean_places: float
    mean_strokes: float
    rulings_per_second: float
    pathological_steps: int
    pathological_seconds: float


def bench_rulings(catalogue: Catalogue, count: int, seed: int) -> RulingsReport:
    """Timing of the referee on `count` random records, and on the worst-case record."""
    rng = np.random.default_rng(seed)
    records = random_records(catalogue, count, rng)
    rulings, seconds = _timed(catalogue, records)
    (huge,), huge_seconds = _timed(catalogue, [pathological_record(catalogue, rng)])
    return RulingsReport(
        records=count,
        legal=sum(ruling.legal for ruling in rulings),
        mean_places=round(sum(_places(record.path) for record in records) / count, 1),
        mean_strokes=round(sum(len(record.path) for record in records) / count, 1),
        rulings_per_second=round(count / seconds),
        pathological_steps=len(huge.steps),
        pathological_seconds=round(huge_seconds, 3),
    )


def _timed(catalogue: Catalogue, records: Sequence[Record]) -> tuple[list[Ruling], float]:
    """The rulings on records that are read from files, and the processor time in seconds."""
    wanted, game = RefereeRequest(), game_of(catalogue)  # loaded here: starting up is not timed
    with TemporaryDirectory() as folder:
        files = [Path(folder, f"{number}.json") for number in range(len(records))]
        for file, record in zip(files, records, strict=True):
            file.write_bytes(to_json(record))
        start = time.process_time()
        refereed = [
            referee_record(catalogue, read_record(file.read_bytes(), game.id), wanted) for file in files
        ]
        answers = [referee_answer(each) for each in refereed]
        Path(folder, "rulings.json").write_bytes(msgspec.json.format(msgspec.json.encode(answers), indent=1))
        seconds = time.process_time() - start
    return [each.ruling for each in refereed], seconds


# --- the records --------------------------------------------------------------------------------------------


def random_records(catalogue: Catalogue, count: int, rng: np.random.Generator) -> list[Record]:
    """Records of five cards that keep the rules of laying, with paths of 10 to 40 places, nine in ten legal.
    SB-1 to SB-12, some fairy tokens and two objectives are held."""
    table = Table(catalogue)
    records: list[Record] = []
    while len(records) < count:
        layout = table.lay(deal_hand(catalogue, rng), rng)
        if layout is None:
            continue
        primary, secondary = rng.choice(list(VP_EACH), 2, replace=False)
        means = make_record(
            layout,
            fairy_tokens={tool: int(rng.integers(0, 3)) for tool in TOOLS},
            spellbooks=BOOKS_IN_PLAY,
            objectives=Objectives(primary=str(primary), secondary=str(secondary)),
        )
        length = int(rng.integers(PATH_PLACES.start, PATH_PLACES.stop))
        legal = rng.random() < LEGAL_SHARE
        path = draw_path(build_dungeon(catalogue, layout), means, rng, length, legal=legal)
        if _places(path) in PATH_PLACES:
            records.append(msgspec.structs.replace(means, path=path))
    return records


def pathological_record(catalogue: Catalogue, rng: np.random.Generator) -> Record:
    """A worst-case record: 50 cards edge to edge and a legal path of 5,000 places between a room and a
    find in it."""
    width, height = catalogue.card_size_mm
    names = [card.id for card in catalogue.cards if card.nodes]
    while True:
        cards = tuple(
            PlacedCard(
                str(rng.choice(names)),
                i % HUGE_COLUMNS * width,
                i // HUGE_COLUMNS * height,
                TURNS[int(rng.integers(2))],
            )
            for i in range(HUGE_CARDS)
        )
        dungeon = build_dungeon(catalogue, cards)
        means = make_record(
            cards,
            fairy_tokens=dict.fromkeys(TOOLS, HUGE_TOKENS // len(TOOLS)),
            spellbooks=BOOKS_IN_PLAY,
            objectives=Objectives(primary="monster", secondary="room"),
        )
        path = draw_path(dungeon, means, rng, HUGE_PLACES, legal=True)
        steps = referee_dungeon(dungeon, msgspec.structs.replace(means, path=path)).steps
        for count, step in reversed(list(enumerate(steps, 1))):
            items = [
                link.b
                for link in dungeon.neighbours[step.place]
                if dungeon.places[link.b].find in ("coin", *TOOLS)
            ]
            if step.event == "entered" and step.way == "room" and items:
                *before, last = _first(path, count)
                on = islice(cycle((items[0], step.place)), HUGE_PLACES - count)
                return msgspec.structs.replace(means, path=(*before, (*last, *on)))


def draw_path(
    dungeon: Dungeon, means: Record, rng: np.random.Generator, length: int, *, legal: bool
) -> Strokes:
    """The longest of several random walks of at most `length` places. Each is cut before the first
    broken rule, or one place after it where not `legal`."""
    paths = []
    for _ in range(WALKS):
        strokes = _wander(dungeon, means, rng, length)
        ruling = referee_dungeon(dungeon, msgspec.structs.replace(means, path=strokes))
        paths.append(_first(strokes, len(ruling.steps) + (not legal)))
    return max(paths, key=_places)


def _wander(dungeon: Dungeon, means: Record, rng: np.random.Generator, length: int) -> Strokes:
    """A random walk to unvisited places with occasional teleports, without regard to other rules."""
    purse = Purse(means.fairy_tokens, means.spellbooks)
    here = str(rng.choice(sorted(dungeon.open_openings)))
    strokes, seen = [[here]], {here}
    while len(seen) < length:
        onward = [
            link.b
            for link in dungeon.neighbours[here]
            if link.b not in seen and dungeon.places[link.b].kind not in ("end", "room_find")
        ]
        if onward and rng.random() >= JUMP_SHARE:
            here = str(rng.choice(onward))
            strokes[-1].append(here)
        else:
            place = dungeon.places[here]
            unseen = [other for name, other in dungeon.places.items() if name not in seen]
            landings = [
                other.id for other in unseen if teleport_between(dungeon, place, other, purse, frozenset())
            ]
            if not landings:
                break
            here = str(rng.choice(landings))
            strokes.append([here])
        seen.add(here)
    return tuple(tuple(stroke) for stroke in strokes)


def _first(strokes: Strokes, count: int) -> Strokes:
    """The first `count` places of a path."""
    cut = []
    for stroke in strokes:
        if count <= 0:
            break
        cut.append(stroke[:count])
        count -= len(stroke)
    return tuple(cut)


def _places(strokes: Strokes) -> int:
    return sum(len(stroke) for stroke in strokes)
