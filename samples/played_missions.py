"""Cooperative tables as they stand at some moment: a mission played by the program that plays them, stopped
after some cards, its ways cut at step cards; now and then one that stops midway or runs into a wall."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

import msgspec
import numpy as np

from calibration.missions.play import Game
from samples.layouts import NoScene
from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.mapmasters.cooperative import CoopSettings, referee
from scorer.mapmasters.cooperative.rules.mission import Mission, load_mission, slots_of
from scorer.mapmasters.cooperative.rules.record import Group, GroupPath, TableRecord
from scorer.mapmasters.cooperative.rules.ruling import CoopRuling
from scorer.record import Marks

#: Missions whose tables are large enough, and how often each is taken.
MISSIONS, SHARES = ("M01", "M03", "M05", "M06", "M08"), (0.15, 0.15, 0.2, 0.25, 0.25)
FEWEST_CARDS, MOST_CARDS = 20, 40
STEP_CARDS = ("B05", "B06", "B07", "B08")
#: A game of a mission with many slots takes a second to play.
_KEPT_GAMES = 16


@dataclass(frozen=True)
class PlayedTable:
    """A table at one moment: the record with every group's marks, its dungeon and what the referee says."""

    record: TableRecord
    dungeon: Dungeon
    ruling: CoopRuling


def played_table(catalogue: Catalogue, rng: np.random.Generator) -> PlayedTable:
    """A random table of a mission. Raises `NoScene` where these choices make none."""
    mission = _varied(catalogue, load_mission(catalogue, str(rng.choice(MISSIONS, p=SHARES))), rng)
    whole = _played(catalogue, mission, int(rng.integers(1 << 30)))
    if len(whole.cards) < FEWEST_CARDS:
        raise NoScene
    count = len(whole.cards)
    if rng.random() < 0.5:
        count = int(rng.integers(FEWEST_CARDS, count + 1))
    record = stopped(catalogue, mission, whole, min(count, MOST_CARDS))
    record = _cut_at_steps(record, mission, rng)
    hidden = {i for i, card in enumerate(record.cards) if card.face_down}
    dungeon = build_dungeon(catalogue, [card.placed for card in record.cards], hidden=hidden)
    if rng.random() < 0.3:
        record = _with_a_stray(catalogue, record, dungeon, rng)
    if not record.paths:
        raise NoScene
    ruling = referee(catalogue, record, "normal", CoopSettings())
    return PlayedTable(_marked(record, dungeon, ruling, rng), dungeon, ruling)


@cache
def _kept() -> dict[tuple[bytes, int], TableRecord]:
    return {}


def _played(catalogue: Catalogue, mission: Mission, seed: int) -> TableRecord:
    """The record of a whole game."""
    kept, key = _kept(), (msgspec.json.encode(mission), seed)
    if key not in kept:
        while len(kept) >= _KEPT_GAMES:
            del kept[next(iter(kept))]
        kept[key] = Game(catalogue, mission, "normal", seed).play().record
    return kept[key]


def _varied(catalogue: Catalogue, mission: Mission, rng: np.random.Generator) -> Mission:
    """The mission with some of its starters exchanged for step cards and for cards that lie face down."""
    layout = [list(row) for row in mission.layout]
    starters = [(y, x) for y, row in enumerate(layout) for x, word in enumerate(row) if word == "S"]
    named = {word.strip("?").partition("/")[0] for row in layout for word in row}
    steps = [str(name) for name in rng.permutation(STEP_CARDS)][: int(rng.integers(0, 3))]
    dungeons = [card.id for card in catalogue.cards if card.kind == "dungeon" and card.id not in named]
    covered = [str(name) for name in rng.permutation(dungeons)[: int(rng.choice([0, 1, 2, 3]))]]
    words = [f"{name}/{180 * int(rng.integers(2))}" for name in steps] + [f"?{name}" for name in covered]
    for (y, x), word in zip([starters[k] for k in rng.permutation(len(starters))], words, strict=False):
        layout[y][x] = word
    return msgspec.structs.replace(
        mission, layout=tuple(map(tuple, layout)), steps=(*(mission.steps or ()), *steps)
    )


def stopped(catalogue: Catalogue, mission: Mission, whole: TableRecord, count: int) -> TableRecord:
    """The table after so many cards: ways that need more are not drawn yet, and what they turned up lies
    face down again."""
    paths = [path for path in whole.paths if max(map(_card_of, _places(path)), default=0) < count]
    walked = {_card_of(name) for path in paths for name in _places(path)}
    covered = {slot.card for slot in slots_of(mission).values() if slot.kind == "face_down"}
    cards = [
        msgspec.structs.replace(card, card=None, rotation=0, face_down=True)
        if card.card in covered and number not in walked
        else card
        for number, card in enumerate(whole.cards[:count])
    ]
    return msgspec.structs.replace(whole, cards=tuple(cards), paths=tuple(paths), turn=None)


def _places(path: GroupPath) -> list[str]:
    return [name for stroke in path.path for name in stroke]


def _card_of(name: str) -> int:
    return int(name.partition(".")[0])


def _cut_at_steps(record: TableRecord, mission: Mission, rng: np.random.Generator) -> TableRecord:
    """Ways that stop on step cards, mostly, and go on from there later."""
    steps = set(mission.steps or ())
    begun: list[GroupPath] = []
    later: list[tuple[int, GroupPath]] = []
    for number, path in enumerate(record.paths):
        rest = path
        while (cut := _first_stop(record, rest, steps)) is not None and rng.random() < 0.8:
            stroke, at = cut
            strokes = rest.path
            done = (*strokes[:stroke], strokes[stroke][: at + 1])
            rest = msgspec.structs.replace(rest, path=(strokes[stroke][at:], *strokes[stroke + 1 :]))
            begun.append(GroupPath(group=path.group, path=done))
            steps = steps - {record.cards[_card_of(strokes[stroke][at])].card or ""}
        if rest is path:
            begun.append(path)
        else:
            later.append((number, rest))
    return msgspec.structs.replace(record, paths=(*begun, *(path for _, path in later)))


def _first_stop(record: TableRecord, path: GroupPath, steps: set[str]) -> tuple[int, int] | None:
    """The stroke and step at which a way first comes to a corridor place of a step card, and goes on."""
    for number, stroke in enumerate(path.path):
        for at, name in enumerate(stroke[:-1]):
            if at and record.cards[_card_of(name)].card in steps:
                inner = [k for k in range(at, len(stroke) - 1) if _card_of(stroke[k]) == _card_of(name)]
                plain = [k for k in inner if stroke[k].partition(".")[2].startswith(("j", "f", "n", "c"))]
                if plain:
                    return number, plain[0]
    return None


def _with_a_stray(
    catalogue: Catalogue, record: TableRecord, dungeon: Dungeon, rng: np.random.Generator
) -> TableRecord:
    """The table with the last way broken off midway, or with one more by a group that has drawn none."""
    idle = [each.group for each in record.groups if all(p.group != each.group for p in record.paths)]
    for walk in wandered(record, dungeon, rng) if idle else ():
        stray = GroupPath(group=str(rng.choice(idle)), path=(walk,))
        astray = msgspec.structs.replace(record, paths=(*record.paths, stray))
        ruled = referee(catalogue, astray, "normal", CoopSettings()).paths[-1]
        if all(broken.rule != "bad-start" for broken in ruled.violations):
            return astray
    if not record.paths:
        return record
    *others, last = record.paths
    stroke = last.path[-1]
    if len(stroke) < 6:
        return record
    kept = stroke[: int(rng.integers(4, len(stroke)))]
    while len(kept) > 3 and dungeon.places[kept[-1]].kind in ("room", "room_find"):
        kept = kept[:-1]
    cut = msgspec.structs.replace(last, path=(*last.path[:-1], kept), goal=None)
    return msgspec.structs.replace(record, paths=(*others, cut))


def wandered(record: TableRecord, dungeon: Dungeon, rng: np.random.Generator) -> Iterator[tuple[str, ...]]:
    """Walks from the edge over corridors that nobody has walked, until nothing leads on."""
    used = {name for path in record.paths for name in _places(path)}
    for start in rng.permutation(sorted(dungeon.open_openings - used))[:12]:
        walk, seen = [str(start)], {str(start)} | used
        while len(walk) < 30 and dungeon.places[walk[-1]].find not in ("monster", "padlock", "lava_pit"):
            ways = [
                link.b
                for link in dungeon.neighbours[walk[-1]]
                if link.kind in ("corridor", "stairs", "crossing") and link.b not in seen
            ]
            ways = [name for name in ways if dungeon.places[name].kind != "door"]
            if not ways:
                break
            walk.append(str(rng.choice(ways)))
            seen.add(walk[-1])
        if len(walk) >= 6:
            yield tuple(walk)


def _marked(
    record: TableRecord, dungeon: Dungeon, ruling: CoopRuling, rng: np.random.Generator
) -> TableRecord:
    """The table with what each group circled and struck through: most of it, some of it, or nothing."""
    groups: list[Group] = []
    for group in record.groups:
        care = float(rng.choice([1.0, 0.7, 0.0], p=[0.3, 0.2, 0.5]))
        steps = [step for ruled in ruling.paths if ruled.group == group.group for step in ruled.steps]
        circled = _kept_finds((name for step in steps for name in step.found), dungeon, care, rng)
        struck = _kept_finds((paid.at for step in steps for paid in step.paid), dungeon, care, rng)
        groups.append(msgspec.structs.replace(group, marks=Marks(circled=circled, struck=struck)))
    return msgspec.structs.replace(record, groups=tuple(groups))


def _kept_finds(
    names: Iterable[str], dungeon: Dungeon, care: float, rng: np.random.Generator
) -> tuple[str, ...]:
    finds = [name for name in dict.fromkeys(names) if dungeon.places[name].find is not None]
    return tuple(name for name in finds if rng.random() < care)
