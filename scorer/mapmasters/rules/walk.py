"""Path simulation: the effect of each place, and the first rule that a step breaks.

A step from `here` to `there` is checked in the order that decides which rule is cited (docs/FORMATS.md,
section 3): `after-end`, the obstacle not passed, `no-way`, `climb`, `circle-used`, `circle-inactive`,
`corridor-reused` or `door-reused`, `fall-forced`, `path-crossed`. Only a step that breaks none is paid for
and taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scorer.dungeon import Dungeon, Place
from scorer.mapmasters.rules.means import CLIMB, CROSS_ITSELF, TO_BARREL, TO_MONSTER, TOOLS, Means, Tool
from scorer.mapmasters.rules.objectives import OBJECTIVE_OF, OPTIMIZERS, VP_EACH
from scorer.mapmasters.rules.rooms import Chord, chord, finds_in, visits_cross
from scorer.mapmasters.rules.ruling import Ended, Event, Payment, Step, Way
from scorer.mapmasters.rules.settings import VersusSettings
from scorer.mapmasters.rules.teleports import edge_book, teleport_between


class Spot(NamedTuple):
    """A place in the path of a record, and where it is written there (both counted from 0)."""

    stroke: int
    step: int
    place: Place


@dataclass(frozen=True, slots=True)
class Walk:
    """The result of a path simulation. `rule` is the rule broken at `stopped_at`, or the obstacle there that
    ended the path.
    """

    ended: Ended
    rule: str | None
    stopped_at: Spot | None
    steps: tuple[Step, ...]
    discovered: dict[str, int]
    optimizers: dict[str, int]
    #: Circles teleported from or to, pitfalls crossed or climbed.
    used: frozenset[str] = frozenset()
    #: Pitfalls fallen into.
    fallen: frozenset[str] = frozenset()

    @property
    def last_place(self) -> str | None:
        return self.steps[-1].place if self.steps else None


@dataclass(slots=True)
class Ground:
    """The traces that lines have left in a dungeon, by any group: corridor places and doors walked (once
    each), circles and pits struck out, and finds discovered (each counts once). Further fields are the
    cleared rooms, and their visits from door to door."""

    walked: set[str] = field(default_factory=set)
    struck: set[str] = field(default_factory=set)
    known: set[str] = field(default_factory=set)
    cleared: set[str] = field(default_factory=set)
    visits: dict[str, list[tuple[Place, Place]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Visit:
    """The visit of a room that is going on; `door` is None when it began inside."""

    room: str
    door: Place | None


@dataclass(frozen=True, slots=True)
class Obstacle:
    """An obstacle's tool, the rule that walking on without it breaks, and the event of using it."""

    tool: Tool
    rule: str
    event: Event


OBSTACLES: dict[str | None, Obstacle] = {
    "monster": Obstacle("sword", "monster", "defeated"),
    "padlock": Obstacle("key", "padlock", "opened"),
    "lava_pit": Obstacle("rope", "lava", "crossed"),
}
_ITEMS = frozenset({"coin", "barrel", *TOOLS})
_TOOL_ITEMS: dict[str, Tool] = {tool: tool for tool in TOOLS}
_TELEPORTS = frozenset({"circle", "barrel", "monster", "edge"})


def walk(
    dungeon: Dungeon, strokes: Sequence[Sequence[Place]], purse: Means, settings: VersusSettings
) -> Walk:
    """Follow `strokes` (places in walking order) as far as the rules allow. `purse` is spent on the way."""
    spots = spots_of(strokes)
    walker = Walker(dungeon, purse, settings)
    if not spots:
        return walker.report("dead_end", None, None)
    if spots[0].place.id not in dungeon.open_openings:
        return walker.report("violation", "bad-start", spots[0])
    walker.start(spots[0].place)
    return walker.report(*walker.follow(spots))


def spots_of(strokes: Sequence[Sequence[Place]]) -> list[Spot]:
    """The places of a path in walking order, with where they are written."""
    return [
        Spot(stroke, step, place)
        for stroke, places in enumerate(strokes)
        for step, place in enumerate(places)
    ]


class Walker:
    """The state of a walk: the current place, the means used up, and the discoveries. Its `ground` may have
    been changed by lines of other groups."""

    def __init__(
        self, dungeon: Dungeon, purse: Means, settings: VersusSettings, ground: Ground | None = None
    ) -> None:
        ground = ground or Ground()
        self._dungeon = dungeon
        self._purse = purse
        self._settings = settings
        self._here: Place | None = None
        self._came: Way = "start"
        self._visit: Visit | None = None
        self._walked = ground.walked
        self._struck = ground.struck
        self._fallen: set[str] = set()  # those pits that the path fell into
        self._known = ground.known
        self._cleared = ground.cleared
        self._visits = ground.visits
        self._chords: dict[tuple[str, str], Chord] = {}
        self._counts: dict[str, int] = dict.fromkeys(VP_EACH, 0)
        self._optimizers: dict[str, int] = dict.fromkeys(OPTIMIZERS, 0)
        self._steps: list[Step] = []
        self._paid_before = 0
        self.guarded = False
        self.at_exit = False

    def report(self, ended: Ended, rule: str | None, stopped_at: Spot | None) -> Walk:
        return Walk(
            ended,
            rule,
            stopped_at,
            tuple(self._steps),
            self._counts,
            self._optimizers,
            frozenset(self._struck - self._fallen),
            frozenset(self._fallen),
        )

    def start(self, opening: Place) -> None:
        self._walked.add(opening.id)
        self._arrived(opening, "start", "started")

    def follow(self, spots: Sequence[Spot]) -> tuple[Ended, str | None, Spot]:
        """Walk on from the first of `spots`, the current place, as far as the rules allow. Returns how the
        walk ended, by which rule, and where."""
        last = len(spots) - 1
        for index in range(1, len(spots)):
            spot = spots[index]
            if self.guarded and all(self._stays_in_guarded_room(later) for later in spots[index:]):
                return "obstacle", "room-guarded", spots[index - 1]
            way, rule = self.check(spot.place, jump=spot.step == 0)
            if rule is not None or way is None:
                return "violation", rule or "no-way", spot
            obstacle = self.take(spot.place, way)
            if obstacle is not None:
                return "obstacle" if index == last else "violation", obstacle, spot
        if self.guarded:
            return "obstacle", "room-guarded", spots[-1]
        if self.at_exit:
            self._amend("escaped")
            return "exit", None, spots[-1]
        return "dead_end", None, spots[-1]

    def _stays_in_guarded_room(self, spot: Spot) -> bool:
        """Whether the line stays in the guarded room at `spot`. The spot is then the room itself, listed
        after the find at which the line arrived, or a monster in the room at which the line stops."""
        visit, place = self._visit, spot.place
        if visit is None or spot.step == 0:
            return False
        return place.id == visit.room or (place.room == visit.room and place.find == "monster")

    # The laws of the path.

    def check(self, there: Place, *, jump: bool) -> tuple[Way | None, str | None]:
        """The way from the current place to `there`, and the first rule that this step breaks."""
        here = self._standing()
        way = self._jump(here, there) if jump else self._link(here, there)
        if self.at_exit and way != "edge":
            return None, "after-end"
        if self.guarded:
            return None, "room-guarded"
        if way is None:
            return None, "no-way"
        return way, self._broken(here, there, way)

    def _broken(self, here: Place, there: Place, way: Way) -> str | None:
        if way == "climb" and (there.id in self._struck or not self._purse.has_book(CLIMB)):
            return "climb"
        if way == "circle":
            if here.id in self._struck or there.id in self._struck:
                return "circle-used"
            if not self._purse.can_pay("scroll"):
                return "circle-inactive"
        if there.id in self._walked:
            return "door-reused" if there.kind == "door" else "corridor-reused"
        if there.kind == "room" and here.kind == "door" and self._came == "room":
            return "door-reused"  # back through the door that the path just came out by
        if self._stays_over_pit(here, way) and not self._purse.can_pay("rope"):
            return "fall-forced"
        if self._is_barred(there):
            return "path-crossed"
        return None

    def _link(self, here: Place, there: Place) -> Way | None:
        if here.kind == "room":
            return "room" if there.room == here.id else None
        neighbours = self._dungeon.neighbours
        way = neighbours.kind_of_way(here, there)
        if way is None and neighbours.kind_of_way(there, here) == "fall":
            return "climb"
        return way

    def _jump(self, here: Place, there: Place) -> Way | None:
        return teleport_between(self._dungeon, here, there, self._purse, self._known)

    def _stays_over_pit(self, here: Place, way: Way) -> bool:
        """Whether a step leads on from an unused pitfall on the main level without a fall. Steps by teleport
        are exempt."""
        return (
            here.find == "pitfall"
            and here.level == "main"
            and here.id not in self._struck
            and way != "fall"
            and way not in _TELEPORTS
        )

    def _is_barred(self, there: Place) -> bool:
        """Whether the step to `there` would cross a line that may not be crossed."""
        return self._crosses_itself(there) and not self._may_cross_itself()

    def _crosses_itself(self, there: Place) -> bool:
        """Whether leaving the room by the door `there` crosses an earlier visit."""
        visit = self._visit
        if visit is None or visit.door is None or there.kind != "door" or visit.room not in self._visits:
            return False
        leaving = self._chord(visit.door, there)
        return any(visits_cross(self._chord(*doors), leaving) for doors in self._visits[visit.room])

    def _chord(self, entered: Place, left: Place) -> Chord:
        """The visit that joins two doors of a room. Most rooms are visited once and never asked for one."""
        found = self._chords.get((entered.id, left.id))
        if found is None:
            room = self._dungeon.places[entered.room or ""]
            found = self._chords[entered.id, left.id] = chord(room, entered, left)
        return found

    def _may_cross_itself(self) -> bool:
        return self._purse.has_book(CROSS_ITSELF) or any(
            payment.means == CROSS_ITSELF for payment in self._purse.spent
        )

    # Taking a step.

    def take(self, there: Place, way: Way) -> str | None:
        """Pay for leaving here, arrive at `there`. Returns the rule of an obstacle that keeps the path from
        arriving.
        """
        here = self._standing()
        if way == "monster" and not self._purse.can_pay("sword"):
            return "monster"  # a teleport to a monster that cannot be defeated does not take place
        self._depart(here, there, way)
        if there.kind == "room":
            self._arrive_in_room(there, here, way)
            return None
        if there.kind == "room_find":
            return self._arrive_at_room_find(there, way)
        self._visit = None
        return self._arrive_in_corridor(there, way)

    def _depart(self, here: Place, there: Place, way: Way) -> None:
        purse = self._purse
        self.at_exit = False
        if way == "fall":
            self._struck.add(here.id)
            self._fallen.add(here.id)
        elif self._stays_over_pit(here, way):
            purse.pay("rope", here.id)
            self._struck.add(here.id)
            self._amend("crossed")
        if way == "climb":
            purse.use_book(CLIMB, there.id)
            self._struck.add(there.id)
        elif way == "circle":
            purse.pay("scroll", here.id)
            self._struck.update((here.id, there.id))
        elif way == "barrel":
            purse.use_book(TO_BARREL, here.id)
        elif way == "monster":
            purse.use_book(TO_MONSTER, here.id)
        elif way == "edge":
            book = edge_book(here)
            if book is not None:
                purse.use_book(book, here.id)
                self._amend("escaped")
        if purse.has_book(CROSS_ITSELF) and self._crosses_itself(there):
            purse.use_book(CROSS_ITSELF, there.id)
        visit = self._visit
        if visit is not None and visit.door is not None and there.kind == "door":
            self._passed(visit.room, visit.door, there)

    def _passed(self, room: str, entered: Place, left: Place) -> None:
        """Store a visit of a room from the door of entry to the door of exit."""
        self._visits.setdefault(room, []).append((entered, left))

    def _arrive_in_corridor(self, there: Place, way: Way) -> str | None:
        event: Event = "walked"
        obstacle = OBSTACLES.get(there.find)
        if obstacle is not None:
            if not self._purse.can_pay(obstacle.tool):
                return obstacle.rule
            self._purse.pay(obstacle.tool, there.id)
            event = obstacle.event
        elif way == "climb":
            event = "climbed"
        elif there.find is not None:
            event = "collected" if there.find in _ITEMS else "discovered"
        elif way == "fall":
            event = "fell"
        elif way == "stairs":
            event = "took_stairs"
        elif way == "edge":
            event = "re_entered"
        if way == "stairs":
            self._counts["stairs"] += 1
        self._walked.add(there.id)
        # An opening that is reached on foot leads out; at the start and after a re-entry it leads in.
        self.at_exit = there.id in self._dungeon.open_openings and way != "edge"
        self._arrived(there, way, event, self._discover(there))
        return None

    def _arrive_in_room(self, room: Place, here: Place, way: Way) -> None:
        if self._visit is not None and self._visit.room == room.id:
            self._arrived(room, way, "in_room")
        else:
            self._enter(room, here if here.kind == "door" else None, room, way)

    def _arrive_at_room_find(self, found: Place, way: Way) -> str | None:
        if way != "room":
            if found.room is not None:
                self._enter(self._dungeon.places[found.room], None, found, way)
            return None
        obstacle = OBSTACLES.get(found.find) if self._walked_around(found) else None
        if obstacle is None or found.id in self._known:
            self._arrived(found, way, "in_room")
            return None
        if not self._purse.can_pay(obstacle.tool):
            return obstacle.rule
        self._purse.pay(obstacle.tool, found.id)
        self._arrived(found, way, obstacle.event, self._discover(found))
        return None

    def _enter(self, room: Place, door: Place | None, at: Place, way: Way) -> None:
        """Enter `room` at the place `at`. Its monsters are fought with the means held now; if these do not
        suffice, nothing is discovered and the room stays guarded."""
        self._visit = Visit(room.id, door)
        if room.id in self._cleared:
            event: Event = "revisited" if at is room else "climbed" if way == "climb" else "teleported"
            self._arrived(at, way, event)
            return
        finds = finds_in(self._dungeon, room.id)
        monsters = [found for found in finds if found.find == "monster"]
        if monsters and not self._purse.can_pay("sword", len(monsters)):
            self.guarded = True
            self._arrived(at, way, "guarded")
            return
        for name in self._purse.stated_first([monster.id for monster in monsters]):
            self._purse.pay("sword", name)
        self._cleared.add(room.id)
        self._counts["room"] += 1
        discovered = [
            name for found in finds if not self._walked_around(found) for name in self._discover(found)
        ]
        self._arrived(at, way, "entered", tuple(discovered))

    def _walked_around(self, found: Place) -> bool:
        """Whether a find in a room is discovered only if the path goes over it, rather than with the room."""
        return found.find == "padlock" or (found.find == "lava_pit" and self._settings.room_lava_needs_rope)

    # Book-keeping.

    def _discover(self, place: Place) -> tuple[str, ...]:
        find = place.find
        if find is None or place.id in self._known:
            return ()
        self._known.add(place.id)
        if find in self._optimizers:
            self._optimizers[find] += 1
            return (place.id,)
        self._counts[OBJECTIVE_OF[find]] += place.value if find == "coin" else 1
        tool = _TOOL_ITEMS.get(find)
        if tool is not None:
            self._purse.collect(tool, place.id)
        return (place.id,)

    def _arrived(self, place: Place, way: Way, event: Event, found: tuple[str, ...] = ()) -> None:
        self._here, self._came = place, way
        self._steps.append(
            Step(
                place=place.id, event=event, held=self._purse.held(), way=way, found=found, paid=self._paid()
            )
        )

    def _amend(self, event: Event) -> None:
        """Update the last step once the path's way onward is known: its event, and the payments made for
        it."""
        step = self._steps[-1]
        self._steps[-1] = Step(
            place=step.place,
            event=event,
            held=self._purse.held(),
            way=step.way,
            found=step.found,
            paid=step.paid + self._paid(),
        )

    def _paid(self) -> tuple[Payment, ...]:
        """The payments made since the last call."""
        spent = self._purse.spent
        if len(spent) == self._paid_before:
            return ()
        paid = tuple(spent[self._paid_before :])
        self._paid_before = len(spent)
        return paid

    def _standing(self) -> Place:
        assert self._here is not None, "the walk has not started"
        return self._here
