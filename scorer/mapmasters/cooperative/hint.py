"""A hint for those who ask for one: which goals can still be met by whom, and what closes a way for good.

A way is called closed only where nothing that may still be laid, found or bought could open it: an empty slot
may hold any card, an obstacle is passed wherever its tool may still be had, lines that might cross in a room
are feared only where doors alternate. So "closed" is certain, and "can still" a hope.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

import msgspec

from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, Place
from scorer.mapmasters.cooperative.layout import Cell
from scorer.mapmasters.cooperative.messages import artifact_words, part, told
from scorer.mapmasters.cooperative.mission import ARTIFACTS, Goal
from scorer.mapmasters.cooperative.record import CellStart, Group, TableRecord
from scorer.mapmasters.cooperative.referee import referee_table
from scorer.mapmasters.cooperative.ruling import CoopRuling, GroupRuling, Result
from scorer.mapmasters.cooperative.settings import HOUSE, CoopSettings, Difficulty
from scorer.mapmasters.cooperative.setup import honoured_books
from scorer.mapmasters.cooperative.sheet import CoopSheet
from scorer.mapmasters.cooperative.table import Table, make_table
from scorer.mapmasters.means import BOOK_FOR, CLIMB, CROSS_ITSELF, TO_BARREL, TO_MONSTER, TOOLS, WILD, Tool
from scorer.mapmasters.messages import place_words
from scorer.mapmasters.objectives import OBJECTIVE_OF, OPTIMIZERS
from scorer.mapmasters.rooms import chord, finds_in, visits_cross
from scorer.mapmasters.vocabulary import VOCABULARY
from scorer.mapmasters.walk import OBSTACLES
from scorer.placement import OUTWARD
from scorer.text import Text

FORMAT = "waymark-hint/1"

#: How a group stands to a goal: over cards that lie; only by cards that are still to be laid; not any more.
State = Literal["way", "cards", "closed"]
#: Why it cannot meet the goal.
Why = Literal["over", "met-here", "artifact", "too-few", "too-many", "cut", "no-way"]

#: Paths that claim nothing.
_SKETCHES = ("sketch", "waiting", "stopped")
_ENDS_WAY = ("violation", "obstacle", "edge", "dead_end")
_SENTENCES: dict[str, Text] = {
    "way": Text(
        "{group} can still get there over the cards that lie.",
        "{group}グループは、今あるカードだけでまだ行けます。",
    ),
    "cards": Text(
        "{group} can still get there if the right cards are laid.",
        "{group}グループは、置くカードしだいでまだ行けます。",
    ),
    "gates": Text("All ways lead through {what}.", "どの経路も{what}を通ります。"),
    "over": Text("{group}'s way is over.", "{group}グループの経路はもう終わっています。"),
    "met-here": Text(
        "{group} has met a goal on {what} already.", "{group}グループは{what}の目標をすでに達成しています。"
    ),
    "artifact": Text("{other} has {what}.", "{what}は{other}グループが持っています。"),
    "too-few": Text(
        "{group} can find {count} more {what} at most, and {wanted} are missing.",
        "{group}グループは{what}があと {wanted} つ必要ですが、見つかるのは {count} つまでです。",
    ),
    "too-many": Text(
        "{group} has {count} {what} too many.", "{group}グループは{what}が {count} つ多すぎます。"
    ),
    "cut": Text(
        "{other}'s line at {what} closes the way.", "{other}グループの経路が{what}をふさいでいます。"
    ),
    "no-way": Text("No way leads there for {group}.", "{group}グループがそこへ行く道はありません。"),
}
_WINNABLE = Text("The mission can still be won.", "ミッションはまだ成功できます。")
_NOT_WINNABLE = Text(
    "The mission cannot be won any more: {what}.", "このミッションはもう成功できません: {what}。"
)
_NO_GROUP = Text("no group can meet {goal}", "{goal}を達成できるグループがありません")
_TOO_FEW_GROUPS = Text("the groups left are too few for the goals left", "残りの目標にグループが足りません")
_ENDED = Text("The game is over.", "ゲームは終わっています。")
_SLOT = Text("the slot in column {column}, row {row}", "{column} 列 {row} 段の区画")
_AND = Text(" and ", "と")


class HintGate(msgspec.Struct, frozen=True, kw_only=True):
    """What every way that is left leads through: a `place`, or a `slot` (column and row, from 0)."""

    place: str | None = None
    slot: Cell | None = None


class HintLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line that closes a way: at `place`, a group's path of that number."""

    place: str
    group: str
    path: int


class HintWay(msgspec.Struct, frozen=True, kw_only=True):
    """How one group stands to one goal. `gates` where it can still meet it, `lines` where lines close it."""

    group: str
    state: State
    why: Why | None
    gates: tuple[HintGate, ...]
    lines: tuple[HintLine, ...]
    message: str
    message_ja: str


class HintGoal(msgspec.Struct, frozen=True, kw_only=True):
    """One goal that is needed: the group that met it, or how each group stands to it."""

    goal: str
    met: str | None
    ways: tuple[HintWay, ...]


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """What can still be done (docs/FORMATS.md). `winnable` is false where that is certain."""

    result: Result
    winnable: bool
    goals: tuple[HintGoal, ...]
    message: str
    message_ja: str
    mode: Literal["cooperative"] = "cooperative"
    format: str = FORMAT


def hint(
    catalogue: Catalogue,
    record: TableRecord,
    difficulty: Difficulty = "normal",
    settings: CoopSettings = HOUSE,
    *,
    with_ids: bool = True,
) -> Hint:
    """What is still open on a cooperative table; for people who stand at it places have no names (`with_ids`)
    and lie as the cards do. Raises `WaymarkError` as `referee` does."""
    table = make_table(catalogue, record)
    table = table if with_ids else table.as_it_lies()
    ruling = referee_table(table, record, difficulty, settings)
    mission = ruling.mission
    goals = {name: table.plan.goals[name] for name in mission.needed}
    if mission.result != "open":
        met = tuple(HintGoal(goal=name, met=mission.goals.get(name), ways=()) for name in goals)
        return Hint(
            result=mission.result,
            winnable=mission.result == "won",
            goals=met,
            message=_ENDED.en,
            message_ja=_ENDED.ja,
        )
    lines = _Lines(table, record, ruling)
    reaches = [
        _Reach(table, record, difficulty, settings, lines, told_group, ruled, with_ids)
        for told_group, ruled in _playing(table, record, ruling)
    ]
    hints = tuple(
        HintGoal(
            goal=name,
            met=mission.goals.get(name),
            ways=() if mission.goals.get(name) else tuple(reach.way(goal, reaches) for reach in reaches),
        )
        for name, goal in goals.items()
    )
    words = _outlook(hints, goals, table.plan.bosses)
    return Hint(
        result=mission.result,
        winnable=words is _WINNABLE,
        goals=hints,
        message=words.en,
        message_ja=words.ja,
    )


def _playing(
    table: Table, record: TableRecord, ruling: CoopRuling
) -> Iterator[tuple[Group, GroupRuling | None]]:
    """The groups of the record with what is ruled of them, and those of the mission that it does not name."""
    groups = {group.group: group for group in record.groups}
    ruled = {group.group: group for group in ruling.groups}
    for name in dict.fromkeys([*groups, *ruled, *(table.plan.mission.groups or ())]):
        yield groups.get(name, Group(group=name)), ruled.get(name)


def _outlook(hints: Iterable[HintGoal], goals: Mapping[str, Goal], bosses: Collection[str]) -> Text:
    """Whether the groups suffice for the goals that are left. A boss goal or an edge goal ends a way, so each
    of those wants a group of its own."""
    able: dict[str, list[str]] = {}
    for each in hints:
        if each.met is not None:
            continue
        groups = [way.group for way in each.ways if way.state != "closed"]
        if not groups:
            return told(_NOT_WINNABLE, what=part(_NO_GROUP, goal=each.goal))
        if goals[each.goal].card is None or goals[each.goal].card in bosses:
            able[each.goal] = groups
    taken: dict[str, str] = {}
    for goal in able:
        if not _given(goal, able, taken, set()):
            return told(_NOT_WINNABLE, what=_TOO_FEW_GROUPS)
    return _WINNABLE


def _given(goal: str, able: Mapping[str, list[str]], taken: dict[str, str], tried: set[str]) -> bool:
    """Give a goal to a group, another of that group's goals to another where need be (Kuhn)."""
    for group in able[goal]:
        if group in tried:
            continue
        tried.add(group)
        if group not in taken or _given(taken[group], able, taken, tried):
            taken[group] = goal
            return True
    return False


# --- what lines have used up --------------------------------------------------------------------------------


class _Lines:
    """What the lines that count have used: places and by whom, ways through rooms, finds that are gone."""

    def __init__(self, table: Table, record: TableRecord, ruling: CoopRuling) -> None:
        places = table.dungeon.places
        self.at: dict[str, HintLine] = {}
        self.visits: dict[str, list[tuple[Place, Place, HintLine]]] = {}
        self.found: set[str] = set()
        self.found_by: dict[str, set[str]] = {}
        self.struck: set[str] = set()
        self.cleared: set[str] = set()
        self.last_ends: dict[str, tuple[str, str | None]] = {}
        for path in ruling.paths:
            if path.ended in _SKETCHES:
                continue
            self.last_ends[path.group] = path.ended, path.goal
            entered: Place | None = None
            for before, step in pairwise([None, *path.steps]):
                assert step is not None
                place = places[step.place]
                line = HintLine(place=step.place, group=path.group, path=path.path)
                self.found.update(step.found)
                self.found_by.setdefault(path.group, set()).update(step.found)
                self.struck.update(paid.at for paid in step.paid)
                if step.way == "fall" and before is not None:
                    self.struck.add(before.place)
                if step.way == "circle":
                    self.struck.update([step.place, *([before.place] if before is not None else [])])
                if place.kind in ("room", "room_find"):
                    room = place.room if place.kind == "room_find" else place.id
                    if step.event != "guarded" and room is not None:
                        self.cleared.add(room)
                    continue
                self.at.setdefault(step.place, line)
                if before is not None and places[before.place].kind in ("room", "room_find"):
                    if place.kind == "door" and entered is not None and entered.room == place.room:
                        self.visits.setdefault(place.room or "", []).append((entered, place, line))
                    entered = None
                if place.kind == "door":
                    entered = place


# --- where one group can get to -----------------------------------------------------------------------------


class _Spot(NamedTuple):
    """Somewhere to be: at a `place`, in a `room` that was entered by a door (`place`, empty: otherwise), in a
    `slot`, or on any circle or barrel (`hub`)."""

    kind: Literal["place", "room", "slot", "hub"]
    place: str = ""
    room: str = ""
    slot: Cell = (0, 0)


_Test = Callable[[_Spot], bool]
#: A spot that comes next, and the line that is in the way there, if there is one.
_Step = tuple[_Spot, "HintLine | None"]
_CIRCLES, _BARRELS = _Spot("hub", "circle"), _Spot("hub", "barrel")


@dataclass(frozen=True)
class _Found:
    """A way found: where it leads through, and the lines that it would have to go over."""

    spots: tuple[_Spot, ...]
    lines: tuple[HintLine, ...]


class _Reach:
    """Where one group can still get to, in the best case."""

    def __init__(
        self,
        table: Table,
        record: TableRecord,
        difficulty: Difficulty,
        settings: CoopSettings,
        lines: _Lines,
        group: Group,
        ruled: GroupRuling | None,
        with_ids: bool,
    ) -> None:
        self._with_ids = with_ids
        self._table, self._record, self._settings = table, record, settings
        self._difficulty, self._lines = difficulty, lines
        self._dungeon: Dungeon = table.dungeon
        self._group, self._ruled = group, ruled
        spent = {paid.means for paid in ruled.spent} if ruled is not None else set()
        self._books = set(honoured_books(group)) - spent
        self._hidden = {
            cell: number for number, cell in enumerate(table.layout.cells) if record.cards[number].face_down
        }
        self._slots = {*table.layout.empty, *self._hidden}

    @property
    def name(self) -> str:
        return self._group.group

    @property
    def artifacts(self) -> tuple[str, ...]:
        return self._ruled.artifacts if self._ruled is not None else ()

    def way(self, goal: Goal, all_groups: Iterable[_Reach]) -> HintWay:
        """How this group stands to a goal that is not met."""
        shut = self._shut(goal, all_groups)
        if shut is not None:
            return shut
        laid = self._search(goal, over_slots=False)
        open_way = laid or self._search(goal)
        if open_way is None:
            return self._cut(goal)
        short = self._amiss(goal)
        if short is not None:
            return short
        by_cards = laid is None
        gates = tuple(self._gates(goal, open_way))
        words = told(_SENTENCES["cards" if by_cards else "way"], group=_called(self.name))
        if gates:
            through = told(_SENTENCES["gates"], what=_listed([self._gate_words(gate) for gate in gates]))
            words = Text(f"{words.en} {through.en}", words.ja + through.ja)
        return HintWay(
            group=self.name,
            state="cards" if by_cards else "way",
            why=None,
            gates=gates,
            lines=(),
            message=words.en,
            message_ja=words.ja,
        )

    def _closed(self, why: Why, lines: tuple[HintLine, ...] = (), **named: object) -> HintWay:
        words = told(_SENTENCES[why], **{"group": _called(self.name), **named})
        return HintWay(
            group=self.name,
            state="closed",
            why=why,
            gates=(),
            lines=lines,
            message=words.en,
            message_ja=words.ja,
        )

    # What closes a goal whatever ways there are.

    def _shut(self, goal: Goal, all_groups: Iterable[_Reach]) -> HintWay | None:
        goals, bosses = self._table.plan.goals, self._table.plan.bosses
        ended, met = self._lines.last_ends.get(self.name, ("", None))
        last = goals[met] if met is not None else None
        if ended in _ENDS_WAY or (last is not None and (last.card is None or last.card in bosses)):
            return self._closed("over")
        reached = self._ruled.reached if self._ruled is not None else ()
        if goal.card is not None and any(goals[name].card == goal.card for name in reached):
            return self._closed("met-here", what=goal.card)
        for wanted in goal.artifacts:
            for other in all_groups:
                if other is not self and wanted in other.artifacts:
                    return self._closed(
                        "artifact",
                        other=_called(other.name),
                        what=artifact_words(self._table.plan.mission, wanted),
                    )
        return None

    def _amiss(self, goal: Goal) -> HintWay | None:
        """What the group cannot have as often as the goal asks for, or has too often already."""
        wanting = self._ruled.wanting.get(goal.id) if self._ruled is not None else None
        missing = goal.counts if wanting is None else wanting
        for kind, count in missing.items():
            if kind == ARTIFACTS or not isinstance(count, int):
                continue
            if count < 0 and kind not in TOOLS and not (kind == "barrel" and TO_BARREL in self._books):
                return self._closed("too-many", count=-count, what=VOCABULARY.name(kind))
            if count > 0 and not self._slots:
                left = self._left(kind)
                if left < count:
                    return self._closed("too-few", count=left, wanted=count, what=VOCABULARY.name(kind))
        return None

    def _left(self, kind: str) -> int:
        """How many of a kind this group may still discover on the cards that lie, at most."""
        been = {spot.room for spot in self._flooded if spot.kind == "room"}
        at = {spot.place for spot in self._flooded if spot.kind == "place"}
        mine = self._lines.found_by.get(self.name, set())
        left = 0
        for place in self._dungeon.places.values():
            near = place.id in at or place.room in been or place.id in been
            if not near:
                continue
            if kind == "room":
                left += place.kind == "room"
            elif kind == "stairs":
                left += place.kind == "stairs"
            elif OBJECTIVE_OF.get(place.find or "") == kind:
                gone = mine if kind in ("magic_circle", "pit") else self._lines.found
                left += (place.value if kind == "coin" else 1) * (place.id not in gone)
            elif kind in TOOLS and self._difficulty == "rookie" and place.find in OPTIMIZERS:
                left += place.id not in self._lines.found
        if kind in TOOLS and self._ruled is None:
            left += bool(self._group.fairy_tokens.get(kind)) + (WILD in self._books)
        return left

    def _cut(self, goal: Goal) -> HintWay:
        """No way is left: the lines that close the one that would go over the fewest."""
        over = self._search(goal, over_lines=True)
        if over is None or not over.lines:
            return self._closed("no-way")
        first = over.lines[0]
        what = place_words(self._dungeon, self._dungeon.places[first.place], with_id=self._with_ids)
        return self._closed("cut", tuple(dict.fromkeys(over.lines)), other=_called(first.group), what=what)

    # What all ways go through.

    def _gates(self, goal: Goal, found: _Found) -> Iterator[HintGate]:
        """Slots, openings and doors without which no way is left, in the order of the way."""
        places = self._dungeon.places
        before = ""
        for spot in found.spots[1:]:
            if spot.kind == "slot":
                if self._search(goal, without=spot) is None:
                    yield HintGate(slot=spot.slot)
            elif spot.kind == "place" and places[spot.place].kind in ("opening", "door"):
                crossed = before and any(
                    link.b == spot.place and link.kind == "crossing"
                    for link in self._dungeon.neighbours[before]
                )
                if not crossed and self._search(goal, without=spot) is None:
                    yield HintGate(place=spot.place)
            before = spot.place if spot.kind == "place" else ""

    def _gate_words(self, gate: HintGate) -> Text:
        if gate.place is not None:
            return place_words(self._dungeon, self._dungeon.places[gate.place], with_id=self._with_ids)
        column, row = gate.slot or (0, 0)
        return part(_SLOT, column=column + 1, row=row + 1)

    # Searching.

    def _search(
        self,
        goal: Goal,
        *,
        over_lines: bool = False,
        over_slots: bool = True,
        without: _Spot | None = None,
    ) -> _Found | None:
        """A way to the goal, of those over the fewest lines one of the shortest; None where there is none."""

        def barred(spot: _Spot) -> bool:
            return spot == without or (spot.kind == "slot" and not over_slots)

        for name in goal.artifacts:
            if name not in self.artifacts and self._to(self._is_lair(name), barred, over_lines) is None:
                return None
        return self._to(lambda spot: self._meets(goal, spot), barred, over_lines)

    def _to(self, there: _Test, barred: _Test, over_lines: bool) -> _Found | None:
        """The cheapest way to a spot where `there` holds. No way ends where it begins: those starts that are
        such spots are tried one by one where the others lead nowhere."""
        starts = list(self._starts())
        found = self._from([each for each in starts if not there(each[0])], there, barred, over_lines)
        if found is not None:
            return found
        tries = (self._from([each], there, barred, over_lines) for each in starts if there(each[0]))
        return next((made for made in tries if made is not None), None)

    def _from(self, starts: Iterable[_Step], there: _Test, barred: _Test, over_lines: bool) -> _Found | None:
        """A search by lines gone over, fewest first."""
        came: dict[_Spot, tuple[_Spot | None, HintLine | None]] = {}
        now: deque[tuple[_Spot, _Spot | None, HintLine | None]] = deque()
        later: list[tuple[_Spot, _Spot | None, HintLine | None]] = []
        for spot, line in starts:
            (now if line is None else later).append((spot, None, line))
        while now or (later and over_lines):
            if not now:
                now, later = deque(later), []
            spot, before, line = now.popleft()
            if spot in came or barred(spot):
                continue
            came[spot] = before, line
            if before is not None and there(spot):
                return _traced(spot, came)
            for after, crossed in self._onward(spot):
                if after not in came:
                    (now if crossed is None else later).append((after, spot, crossed))
        return None

    @cached_property
    def _flooded(self) -> set[_Spot]:
        """Everywhere that the group can still get to."""
        seen: set[_Spot] = set()
        stack = [spot for spot, line in self._starts() if line is None]
        while stack:
            spot = stack.pop()
            if spot not in seen:
                seen.add(spot)
                stack += [after for after, line in self._onward(spot) if line is None]
        return seen

    def _starts(self) -> Iterator[_Step]:
        """Where the group stands, or may begin; with the line that is there already."""
        stands = self._ruled.stands if self._ruled is not None else None
        places = self._dungeon.places
        if TO_MONSTER in self._books:
            for place in places.values():
                if place.find == "monster" and place.id not in self._lines.found:
                    yield self._spot(place), None
        if stands is not None:
            yield self._spot(places[stands]), None
            if self._settings.step_start == "card":
                for place in places.values():
                    if place.card_index == places[stands].card_index and place.kind not in (
                        "room",
                        "room_find",
                    ):
                        yield self._spot(place), self._lines.at.get(place.id)
            return
        start = self._group.start
        for name in self._dungeon.open_openings:
            place = places[name]
            cell = self._table.layout.cells[place.card_index]
            put = isinstance(start, CellStart) and (start.cell, start.side) == (cell, place.side)
            if put or (start in (None, name) and self._may_start(cell, place.side or "")):
                yield self._spot(place), self._lines.at.get(name)
        for slot in sorted(self._slots):
            sides = [side for side in OUTWARD if self._is_outer(slot, side)]
            if isinstance(start, CellStart):
                if slot == start.cell:
                    yield _Spot("slot", slot=slot), None
            elif start is None and any(self._may_start(slot, side) for side in sides):
                yield _Spot("slot", slot=slot), None

    def _may_start(self, cell: Cell, side: str) -> bool:
        rules = self._table.plan.starts
        return rules is None or any(rule.side == side and rule.cell in (None, cell) for rule in rules)

    def _is_outer(self, slot: Cell, side: str) -> bool:
        """Whether nothing lies, and no slot is, beyond that side."""
        dx, dy = next(step for name, step in OUTWARD.items() if name == side)
        beyond = slot[0] + round(dx), slot[1] + round(dy)
        return beyond not in self._table.plan.slots and beyond not in self._table.layout.lying

    def _spot(self, place: Place) -> _Spot:
        if place.kind == "room":
            return _Spot("room", room=place.id)
        if place.kind == "room_find":
            return _Spot("room", room=place.room or "")
        return _Spot("place", place.id)

    def _meets(self, goal: Goal, spot: _Spot) -> bool:
        """Whether a way may end there at the goal."""
        if spot.kind == "slot":
            if goal.card is None:
                return any(self._is_outer(spot.slot, side) for side in goal.sides)
            return self._may_be(spot.slot, goal.card)
        if spot.kind == "hub":
            return False
        place = self._dungeon.places[spot.place if spot.kind == "place" else spot.room]
        if goal.card is None:
            return place.id in self._dungeon.open_openings and place.side in goal.sides
        if self._dungeon.cards[place.card_index].card != goal.card:
            return False
        if goal.places is None:
            return place.kind == "opening"
        inside = finds_in(self._dungeon, place.id) if spot.kind == "room" else []
        return any(each.local_id in goal.places for each in (place, *inside))

    def _is_lair(self, artifact: str) -> _Test:
        card = self._table.plan.mission.artifacts.get(artifact, "")

        def there(spot: _Spot) -> bool:
            if spot.kind == "slot":
                return self._may_be(spot.slot, card)
            name = spot.place if spot.kind == "place" else spot.room
            return spot.kind != "hub" and self._card_at(name) == card

        return there

    def _card_at(self, name: str) -> str:
        return self._dungeon.cards[self._dungeon.places[name].card_index].card

    def _may_be(self, slot: Cell, card: str) -> bool:
        """Whether that card may lie, or come to lie, in a slot of which nothing is seen."""
        number = self._hidden.get(slot)
        if number is not None:
            here = self._table.plan.slots.get(slot)
            named = self._record.cards[number].card or (here.card if here is not None else None)
            return named in (None, card)
        seen = {laid.card for laid in self._record.cards if laid.card is not None}
        seen |= {each.card for each in self._table.plan.slots.values() if each.card is not None}
        return card not in seen

    # One step.

    def _onward(self, spot: _Spot) -> Iterator[_Step]:
        """Where one may come from there; with the line in the way, if there is one."""
        if spot.kind == "place":
            yield from self._from_place(self._dungeon.places[spot.place])
        elif spot.kind == "room":
            yield from self._from_room(spot)
        elif spot.kind == "slot":
            yield from self._from_slot(spot.slot)
        else:
            find = "magic_circle" if spot == _CIRCLES else "barrel"
            for place in self._dungeon.places.values():
                if place.find == find and place.id not in (self._lines.struck if spot == _CIRCLES else ()):
                    yield self._spot(place), self._lines.at.get(place.id)
            yield from ((_Spot("slot", slot=slot), None) for slot in self._slots)

    def _from_place(self, place: Place) -> Iterator[_Step]:
        places = self._dungeon.places
        for link in self._dungeon.neighbours[place.id]:
            there = places[link.b]
            if place.find == "pitfall" and link.kind != "fall" and not self._could("rope"):
                continue
            if there.kind == "room":
                if self._enters(there):
                    yield _Spot("room", place.id if place.kind == "door" else "", there.id), None
            elif there.kind != "room_find" and self._passes(there):
                yield _Spot("place", there.id), self._lines.at.get(there.id)
        if CLIMB in self._books:
            laid = self._dungeon.laid[place.card_index]
            for way in laid.face.ways:
                if way.kind == "fall" and way.b == place.local_id:
                    up = places[laid.prefix + way.a]
                    yield self._spot(up), self._lines.at.get(up.id)
        if place.id in self._table.waiting and place.side is not None:
            dx, dy = OUTWARD[place.side]
            column, row = self._table.layout.cells[place.card_index]
            slot = column + round(dx), row + round(dy)
            if slot in self._slots:
                yield _Spot("slot", slot=slot), None
        yield from self._jumps([place])

    def _from_room(self, spot: _Spot) -> Iterator[_Step]:
        places = self._dungeon.places
        room = places[spot.room]
        inside = finds_in(self._dungeon, room.id)
        for place in self._doors_of(room):
            if place.id != spot.place:
                line = self._lines.at.get(place.id) or self._line_across(room, spot.place, place)
                yield _Spot("place", place.id), line
        for find in inside:
            if find.find == "pitfall" and find.id not in self._lines.struck:
                for link in self._dungeon.neighbours[find.id]:
                    if link.kind == "fall":
                        yield _Spot("place", link.b), self._lines.at.get(link.b)
        yield from self._jumps(inside)

    def _doors_of(self, room: Place) -> list[Place]:
        return self._doors.get(room.id, [])

    @cached_property
    def _doors(self) -> dict[str, list[Place]]:
        doors: dict[str, list[Place]] = {}
        for place in self._dungeon.places.values():
            if place.kind == "door" and place.room is not None:
                doors.setdefault(place.room, []).append(place)
        return doors

    def _line_across(self, room: Place, entered: str, left: Place) -> HintLine | None:
        """A line through the room that a way between two doors would have to cross."""
        if not entered:
            return None
        leaving = chord(room, self._dungeon.places[entered], left)
        own = self._books | {paid.means for paid in self._ruled.spent} if self._ruled else self._books
        for first, second, line in self._lines.visits.get(room.id, ()):
            if line.group == self.name and CROSS_ITSELF in own:
                continue
            if visits_cross(chord(room, first, second), leaving):
                return line
        return None

    def _from_slot(self, slot: Cell) -> Iterator[_Step]:
        for dx, dy in OUTWARD.values():
            beside = slot[0] + round(dx), slot[1] + round(dy)
            if beside in self._slots:
                yield _Spot("slot", slot=beside), None
        for name in self._facing.get(slot, ()):
            place = self._dungeon.places[name]
            if self._passes(place):
                yield _Spot("place", name), self._lines.at.get(name)
        if self._could("scroll"):
            yield _CIRCLES, None
        if TO_BARREL in self._books:
            yield _BARRELS, None

    @cached_property
    def _facing(self) -> dict[Cell, list[str]]:
        """The openings that face each slot."""
        facing: dict[Cell, list[str]] = {}
        for name in sorted(self._table.waiting):
            place = self._dungeon.places[name]
            if place.side is not None:
                dx, dy = OUTWARD[place.side]
                column, row = self._table.layout.cells[place.card_index]
                facing.setdefault((column + round(dx), row + round(dy)), []).append(name)
        return facing

    def _jumps(self, places: Iterable[Place]) -> Iterator[_Step]:
        for place in places:
            if place.find == "magic_circle" and place.id not in self._lines.struck and self._could("scroll"):
                yield _CIRCLES, None
            if place.find == "barrel" and TO_BARREL in self._books:
                yield _BARRELS, None

    def _passes(self, place: Place) -> bool:
        """Whether the tool for an obstacle there may still be had."""
        obstacle = OBSTACLES.get(place.find)
        return obstacle is None or self._could(obstacle.tool)

    def _enters(self, room: Place) -> bool:
        guarded = any(find.find == "monster" for find in finds_in(self._dungeon, room.id))
        return not guarded or room.id in self._lines.cleared or self._could("sword")

    def _could(self, tool: Tool) -> bool:
        if tool not in self._tools:
            self._tools[tool] = self._might_have(tool)
        return self._tools[tool]

    @cached_property
    def _tools(self) -> dict[Tool, bool]:
        return {}

    def _might_have(self, tool: Tool) -> bool:
        """Whether the group has such a tool, or there is one left that it might find."""
        if self._slots or not self._books.isdisjoint((WILD, BOOK_FOR[tool])):
            return True
        ruled = self._ruled
        if ruled is None:
            has = bool(self._group.fairy_tokens.get(tool))
        else:
            used = sum(paid.means == tool for paid in ruled.spent)
            has = bool(ruled.tokens.get(tool)) or ruled.discovered.get(tool, 0) > used
        left = {tool, *(OPTIMIZERS if self._difficulty == "rookie" else ())}
        return has or any(
            place.find in left and place.id not in self._lines.found
            for place in self._dungeon.places.values()
        )


def _traced(spot: _Spot, came: Mapping[_Spot, tuple[_Spot | None, HintLine | None]]) -> _Found:
    spots, lines = [spot], []
    at: _Spot | None = spot
    while at is not None:
        before, line = came[at]
        if line is not None:
            lines.append(line)
        if before is not None:
            spots.append(before)
        at = before
    return _Found(tuple(reversed(spots)), tuple(reversed(lines)))


def _called(group: str) -> Text:
    """A group's name; the colours' in both languages."""
    colour = CoopSheet.colours.get(group)
    return Text(group, group if colour is None else colour.ja)


def _listed(words: list[Text]) -> Text:
    return Text(_AND.en.join(each.en for each in words), _AND.ja.join(each.ja for each in words))
