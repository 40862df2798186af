"""Missions: the layout, where groups start, the winning and losing conditions. Inline in a record, or
`missions/<id>.json` in the catalogue's folder (docs/FORMATS.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

import msgspec

from scorer.catalogue import Catalogue, Side
from scorer.errors import Code, WaymarkError
from scorer.json_faults import read_json, wrong_format
from scorer.mapmasters.rules.objectives import check_objective
from scorer.text import Text

FORMAT = "waymark-mission/1"
FOLDER = "missions"
#: The word in a goal's `requires` that lists artifacts.
ARTIFACTS = "artifacts"
EDGE = "edge"

Requirement = dict[str, int | tuple[str, ...]]


class MissionGoal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A goal: on a `card` at one of the places `at` (empty: any of its openings), or, without a card, by
    leaving at `edge` or `edge:<side>`."""

    id: str
    card: str | None = None
    at: tuple[str, ...] = ()
    requires: Requirement = {}


class Win(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The requirements of a win: goals (None: all goals of boss cards and edges) and codes to be declared by
    people."""

    goals: tuple[str, ...] | None = None
    declared: tuple[str, ...] = ()


class Lose(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The codes that lose the mission when declared; `told` describes each code in both languages."""

    declared: tuple[str, ...] = ()
    told: dict[str, dict[str, str]] = {}


_WIN, _LOSE = Win(), Lose()


class Mission(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A mission file. None means that the file leaves the field out. `words` are the names of its artifacts,
    by language; `number` is its rank in the catalogue, from the easiest."""

    id: str = ""
    number: int = 0
    name: dict[str, str] = {}
    layout: tuple[tuple[str, ...], ...] = ()
    groups: tuple[str, ...] | None = None
    starts: tuple[str, ...] | None = None
    market_coins: int | None = None
    deck: dict[str, Any] = {}
    rules: dict[str, str] = {}
    steps: tuple[str, ...] | None = None
    bosses: tuple[str, ...] | None = None
    artifacts: dict[str, str] = {}
    words: dict[str, dict[str, str]] = {}
    goals: tuple[MissionGoal, ...] = ()
    win: Win = _WIN
    lose: Lose = _LOSE
    format: str


#: No mission: all of its fields absent.
NO_MISSION = Mission(format=FORMAT)

CellKind = Literal["starter", "empty", "none", "card", "face_down"]


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot of the layout: its content at set-up, and the rotation of a named card."""

    kind: CellKind
    card: str | None = None
    rotation: int = 0


@dataclass(frozen=True, slots=True)
class StartRule:
    """The possible starts of groups: a side of any card, or of the card in the slot `cell` (column and
    row)."""

    side: Side
    cell: tuple[int, int] | None = None


_SIDES = ("left", "right", "top", "bottom")
_NAMED = re.compile(r"(\?)?(.+?)(?:/(0|180))?", re.DOTALL)
_START = re.compile(r"(?:(-?\d{1,6}),(-?\d{1,6}):)?(left|right|top|bottom)")
_PLAIN: dict[str, Slot] = {
    "S": Slot("starter"),
    ".": Slot("empty"),
    "-": Slot("none"),
    "?": Slot("face_down"),
}
_FILE_NAME = re.compile(r"[\w-][\w.-]{0,99}")


def slots_of(mission: Mission) -> dict[tuple[int, int], Slot]:
    """The slots of the layout by (column, row); cells without a slot are left out. Raises `WaymarkError`
    (not-a-mission)."""
    slots: dict[tuple[int, int], Slot] = {}
    for row, words in enumerate(mission.layout):
        for column, word in enumerate(words):
            slot = _slot(word)
            if slot.kind != "none":
                slots[column, row] = slot
    return slots


def _slot(word: str) -> Slot:
    if word in _PLAIN:
        return _PLAIN[word]
    match = _NAMED.fullmatch(word)
    if match is None or not match[2].strip():
        raise not_a_mission(Text("a slot cannot be {word!r}", word=word))
    return Slot("face_down" if match[1] else "card", match[2], int(match[3] or 0))


def start_rules(mission: Mission) -> tuple[StartRule, ...] | None:
    """The rules for starts; None: anywhere outside. Raises `WaymarkError` (not-a-mission)."""
    if mission.starts is None:
        return None
    rules = []
    for word in mission.starts:
        match = _START.fullmatch(word)
        if match is None:
            raise not_a_mission(Text("a start cannot be {word!r}", word=word))
        cell = None if match[1] is None else (int(match[1]), int(match[2]))
        rules.append(StartRule(cast(Side, match[3]), cell))
    return tuple(rules)


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal as it is played for: `places` are ids on its card (None: any opening), `sides` those of the
    table where leaving meets it."""

    id: str
    card: str | None
    places: frozenset[str] | None
    sides: frozenset[str]
    counts: Mapping[str, int]
    artifacts: tuple[str, ...]

    @property
    def asks(self) -> tuple[frozenset[tuple[str, int]], frozenset[str]]:
        """The demands of the goal, as a key. Goals with equal keys are met in order."""
        return frozenset(self.counts.items()), frozenset(self.artifacts)


@dataclass(frozen=True, slots=True)
class Plan:
    """A mission prepared for play: its slots, starts, ordered goals, required goals, step cards and boss
    cards."""

    mission: Mission
    id: str | None
    slots: dict[tuple[int, int], Slot]
    starts: tuple[StartRule, ...] | None
    goals: dict[str, Goal]
    needed: tuple[str, ...]
    steps: frozenset[str]
    bosses: frozenset[str]


def plan_of(mission: Mission, catalogue: Catalogue, on_table: Iterable[str]) -> Plan:
    """A mission over the cards that lie on the table. Raises `WaymarkError` (not-a-mission, unknown-card,
    unknown-place, unknown-goal, unknown-objective)."""
    slots = slots_of(mission)
    lying = dict.fromkeys(on_table)
    for name in _cards_named(mission, slots):
        catalogue.card(name)
    kinds = {name: catalogue.card(name).kind for name in lying}
    steps = mission.steps if mission.steps is not None else [n for n in lying if kinds[n] == "step"]
    bosses = mission.bosses if mission.bosses is not None else [n for n in lying if kinds[n] == "boss"]
    goals: dict[str, Goal] = {}
    for goal in (*mission.goals, *_catalogue_goals(mission, catalogue, (*lying, *steps, *bosses))):
        if goal.id in goals:
            raise not_a_mission(Text("two goals are called {id!r}", id=goal.id))
        goals[goal.id] = _playable(goal, catalogue)
    needed = mission.win.goals
    if needed is None:
        needed = tuple(goal.id for goal in goals.values() if goal.card is None or goal.card in bosses)
    for name in needed:
        check_goal(name, goals)
    return Plan(
        mission=mission,
        id=mission.id or None,
        slots=slots,
        starts=start_rules(mission),
        goals=goals,
        needed=tuple(dict.fromkeys(needed)),
        steps=frozenset(steps),
        bosses=frozenset(bosses),
    )


def check_goal(name: str, goals: Iterable[str]) -> None:
    """Validate the name of a goal. Raises `WaymarkError` (unknown-goal) if `goals` does not have it."""
    if name not in goals:
        listed = ", ".join(goals) or "-"
        raise WaymarkError(
            Code.UNKNOWN_GOAL,
            Text("There is no goal {name!r} here; the goals are {listed}.", name=name, listed=listed),
        )


def _cards_named(mission: Mission, slots: Mapping[tuple[int, int], Slot]) -> Iterator[str]:
    yield from (slot.card for slot in slots.values() if slot.card is not None)
    yield from (*(mission.steps or ()), *(mission.bosses or ()), *mission.artifacts.values())
    yield from (goal.card for goal in mission.goals if goal.card is not None)


def _catalogue_goals(mission: Mission, catalogue: Catalogue, cards: Iterable[str]) -> Iterator[MissionGoal]:
    """The goals printed on cards for which the mission defines none."""
    told = {goal.card for goal in mission.goals}
    for name in dict.fromkeys(cards):
        if name not in told:
            for goal in catalogue.card(name).goals:
                yield MissionGoal(id=f"{name}.{goal.id}", card=name, at=goal.at, requires=dict(goal.requires))


def _playable(goal: MissionGoal, catalogue: Catalogue) -> Goal:
    counts: dict[str, int] = {}
    artifacts: tuple[str, ...] = ()
    for kind, wanted in goal.requires.items():
        if kind == ARTIFACTS:
            if not isinstance(wanted, tuple):
                raise _bad_requirement(goal.id, kind)
            artifacts = tuple(dict.fromkeys(wanted))
            continue
        check_objective(kind)
        if not isinstance(wanted, int) or wanted < 0:
            raise _bad_requirement(goal.id, kind)
        counts[kind] = wanted
    if goal.card is None:
        return Goal(goal.id, None, frozenset(), _edges(goal), counts, artifacts)
    card = catalogue.card(goal.card)
    places = {node.id for node in card.nodes} | {room.id for room in card.rooms}
    places |= {find.id for room in card.rooms for find in room.finds}
    for name in goal.at:
        if name not in places:
            raise WaymarkError(
                Code.UNKNOWN_PLACE,
                Text(
                    "The goal {id!r} names the place {name!r}, which card {card!r} does not have.",
                    id=goal.id,
                    name=name,
                    card=goal.card,
                ),
            )
    return Goal(goal.id, goal.card, frozenset(goal.at) or None, frozenset(), counts, artifacts)


def _edges(goal: MissionGoal) -> frozenset[str]:
    sides: set[str] = set()
    for word in goal.at or (EDGE,):
        _, _, side = word.partition(":")
        if word == EDGE:
            sides.update(_SIDES)
        elif word.startswith(f"{EDGE}:") and side in _SIDES:
            sides.add(side)
        else:
            raise WaymarkError(
                Code.UNKNOWN_PLACE,
                Text(
                    "The goal {id!r} names no card and the place {word!r}; write edge or edge:<side>.",
                    id=goal.id,
                    word=word,
                ),
            )
    return frozenset(sides)


def _bad_requirement(goal: str, kind: str) -> WaymarkError:
    return not_a_mission(
        Text("the goal {goal!r} asks for {kind} by something that is no count", goal=goal, kind=kind)
    )


# --- reading ------------------------------------------------------------------------------------------------


def parse_mission(data: bytes) -> Mission:
    """Read a mission file. Raises `WaymarkError` (not-a-mission)."""
    return checked_mission(read_json(data, Mission, not_a_mission))


def checked_mission(mission: Mission) -> Mission:
    """The same mission, after a check of its format field. Raises `WaymarkError` (not-a-mission)."""
    if mission.format != FORMAT:
        raise not_a_mission(wrong_format(mission.format, FORMAT))
    return mission


def mission_ids(catalogue: Catalogue) -> list[str]:
    """The ids of the missions in the catalogue's folder, by number; unnumbered and invalid ones come last."""
    if catalogue.folder is None:
        return []
    files = sorted((catalogue.folder / FOLDER).glob("*.json"))
    return [file.stem for file in sorted(files, key=lambda file: _number_in(file) or len(files) + 1)]


def _number_in(file: Path) -> int:
    try:
        return msgspec.json.decode(file.read_bytes(), type=_Numbered).number
    except (OSError, msgspec.DecodeError):
        return 0


class _Numbered(msgspec.Struct):
    """The number of a mission file, without its other fields."""

    number: int = 0


def load_mission(catalogue: Catalogue, name: str) -> Mission:
    """The mission of that id in the catalogue's folder. Raises `WaymarkError` (unknown-mission,
    not-a-mission)."""
    folder = catalogue.folder
    if folder is not None and _FILE_NAME.fullmatch(name):
        try:
            data = (folder / FOLDER / f"{name}.json").read_bytes()
        except (OSError, ValueError):
            pass
        else:
            mission = parse_mission(data)
            return mission if mission.id else msgspec.structs.replace(mission, id=name)
    raise WaymarkError(
        Code.UNKNOWN_MISSION,
        Text(
            "There is no mission {name!r} in the catalogue {catalogue!r}; give one of the files of its "
            "folder {folder}.",
            name=name,
            catalogue=catalogue.name,
            folder=FOLDER,
        ),
    )


def not_a_mission(fault: Text) -> WaymarkError:
    """The error for an invalid mission."""
    return WaymarkError(
        Code.NOT_A_MISSION,
        Text("This is not a mission ({fault}); write it in the form {format}.", fault=fault, format=FORMAT),
    )
