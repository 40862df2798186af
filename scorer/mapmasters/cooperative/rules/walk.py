"""Path simulation of one group over ground that all groups share: where it differs from one player's
(`scorer.mapmasters.rules.walk`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scorer.dungeon import Dungeon, Place
from scorer.mapmasters.cooperative.rules.purse import OpenPurse, Saved
from scorer.mapmasters.rules.means import TO_MONSTER, Tool
from scorer.mapmasters.rules.objectives import OBJECTIVE_OF, OPTIMIZERS
from scorer.mapmasters.rules.rooms import finds_in, visits_cross
from scorer.mapmasters.rules.ruling import Ended, Event, Way
from scorer.mapmasters.rules.settings import HOUSE
from scorer.mapmasters.rules.walk import OBSTACLES, Ground, Spot, Visit, Walker

#: Finds in a room that every group discovers that comes there, not only the first.
_FOR_ALL = frozenset({"magic_circle", "pitfall"})


@dataclass(frozen=True, slots=True)
class Stride:
    """A place reached; `logged` is the number of events in the group's means log by then."""

    place: str
    way: Way
    event: Event
    found: tuple[str, ...]
    logged: int


@dataclass(frozen=True, slots=True)
class _SavedWalk:
    here: Place | None
    came: Way
    visit: Visit | None
    guarded: bool
    at_exit: bool
    counts: dict[str, int]
    optimizers: dict[str, int]
    fallen: frozenset[str]
    seen: frozenset[str]
    been: frozenset[str]
    through: frozenset[str]
    visits: dict[str, int]
    strides: int
    purse: Saved


class GroupWalker(Walker):
    """One group over all of its paths. `ground` is shared with the other groups; openings that are outer are
    the dungeon's `open_openings`."""

    def __init__(self, dungeon: Dungeon, purse: OpenPurse, ground: Ground) -> None:
        super().__init__(dungeon, purse, HOUSE, ground)
        self.purse = purse
        self._all_visits = ground.visits
        self._visits = {}  # this group's own
        self._seen: set[str] = set()  # circles and pitfalls that this group discovered
        self._been: set[str] = set()  # rooms that this group visited
        #: Circles that this group teleported from or to.
        self._through: set[str] = set()
        self._by_find: dict[str, list[Place]] = {}
        self.strides: list[Stride] = []

    @property
    def here(self) -> Place | None:
        return self._here

    @property
    def counts(self) -> dict[str, int]:
        """The group's discoveries, by objective."""
        return self._counts

    @property
    def optimizers(self) -> dict[str, int]:
        return self._optimizers

    @property
    def used_circles(self) -> int:
        """The number of magic circles that the group discovered and teleported from or to."""
        return len(self._through & self._seen)

    def begin(self, place: Place) -> str | None:
        """Begin a path at a place where no line has been. Returns the rule of an obstacle that lies there and
        cannot be paid for."""
        self._visit, self.guarded = None, False
        if place.find is not None:
            obstacle = self._arrive_in_corridor(place, "start")
        else:
            self.start(place)
            obstacle = None
        self.at_exit = False  # a path that begins at an outer opening leads in
        return obstacle

    def go_on(self) -> None:
        """Begin a path at the place where the previous one stopped."""
        here = self._standing()
        self.at_exit = False  # as in `begin`
        self.strides.append(Stride(here.id, "start", "started", (), self.purse.logged))

    def meet(self, asked: Mapping[str, int], found: Mapping[str, int]) -> None:
        """Meet a goal at the group's current place (`OpenPurse.meet`)."""
        self.purse.meet(asked, found, self._standing().id)
        self.strides[-1] = replace(self.strides[-1], logged=self.purse.logged)

    def can_go_on(self) -> bool:
        """Whether at least one further step is possible: out of the room, to a neighbouring place, or by a
        teleport. The group must have the means for it; an impassable obstacle does not count."""
        here, visit = self._standing(), self._visit
        inside = visit.room if visit is not None and here.kind in ("room", "room_find") else None
        stands = [here]
        if inside is not None:
            stands = [self._dungeon.places[inside], *finds_in(self._dungeon, inside)]
        try:
            for stand in stands:
                self._here = stand
                if any(self._may_go(there, jump=jump) for there, jump in self._onward(stand, inside)):
                    return True
            return False
        finally:
            self._here = here

    def _onward(self, stand: Place, inside: str | None) -> Iterator[tuple[Place, bool]]:
        """The possible next places, each with a flag whether a teleport leads there."""
        places = self._dungeon.places
        for link in self._dungeon.neighbours[stand.id]:
            there = places[link.b]
            if inside is None or inside not in (there.id, there.room) or there.kind == "door":
                yield there, False
        laid = self._dungeon.laid[stand.card_index]
        for way in laid.face.ways:
            if way.kind == "fall" and way.b == stand.local_id:
                yield places[laid.prefix + way.a], False
        if stand.find in ("magic_circle", "barrel"):
            yield from ((there, True) for there in self._lying(stand.find))
        if self.purse.has_book(TO_MONSTER):
            yield from ((there, True) for there in self._lying("monster"))

    def _lying(self, find: str) -> Sequence[Place]:
        """Everywhere that a teleport may lead to by a find of that kind."""
        if find not in self._by_find:
            self._by_find[find] = [there for there in self._dungeon.places.values() if there.find == find]
        return self._by_find[find]

    def _may_go(self, there: Place, *, jump: bool) -> bool:
        way, rule = self.check(there, jump=jump)
        if way is None or rule is not None:
            return False
        needs: list[Tool] = ["rope"] if self._stays_over_pit(self._standing(), way) else []
        if way == "circle":
            needs.append("scroll")
        room = there.id if there.kind == "room" else there.room if there.kind == "room_find" else None
        obstacle = OBSTACLES.get(there.find)
        if room is not None:
            guards = [] if room in self._cleared else finds_in(self._dungeon, room)
            needs += ["sword" for found in guards if found.find == "monster"]
        elif obstacle is not None:
            needs.append(obstacle.tool)
        return self.purse.could(needs)

    # Where a group differs from a single player.

    def _is_barred(self, there: Place) -> bool:
        return super()._is_barred(there) or self._crosses_others(there)

    def _crosses_others(self, there: Place) -> bool:
        """Whether leaving the room by the door `there` crosses another group's line, which no spellbook
        permits."""
        visit = self._visit
        if visit is None or visit.door is None or there.kind != "door":
            return False
        own = self._visits.get(visit.room, ())
        others = [doors for doors in self._all_visits.get(visit.room, ()) if doors not in own]
        if not others:
            return False
        leaving = self._chord(visit.door, there)
        return any(visits_cross(self._chord(*doors), leaving) for doors in others)

    def _passed(self, room: str, entered: Place, left: Place) -> None:
        super()._passed(room, entered, left)
        self._all_visits.setdefault(room, []).append((entered, left))

    def _depart(self, here: Place, there: Place, way: Way) -> None:
        super()._depart(here, there, way)
        if way == "circle":
            self._through.update((here.id, there.id))

    def _enter(self, room: Place, door: Place | None, at: Place, way: Way) -> None:
        """A room that others cleared is entered as one: it is visited, its circles and pitfalls are
        discovered."""
        if room.id not in self._cleared or room.id in self._been:
            super()._enter(room, door, at, way)
            if room.id in self._cleared:
                self._been.add(room.id)
            return
        self._visit = Visit(room.id, door)
        self._been.add(room.id)
        self._counts["room"] += 1
        found = [
            name
            for each in finds_in(self._dungeon, room.id)
            if each.find in _FOR_ALL
            for name in self._discover(each)
        ]
        self._arrived(at, way, "entered", tuple(found))

    def _discover(self, place: Place) -> tuple[str, ...]:
        find = place.find
        if find is not None and find in _FOR_ALL:
            if place.id in self._seen:
                return ()
            self._seen.add(place.id)
            self._counts[OBJECTIVE_OF[find]] += 1
            return (place.id,)
        found = super()._discover(place)
        if found and find in OPTIMIZERS:
            self.purse.optimizer(place.id)
        return found

    def _arrived(self, place: Place, way: Way, event: Event, found: tuple[str, ...] = ()) -> None:
        self._here, self._came = place, way
        self.strides.append(Stride(place.id, way, event, found, self.purse.logged))

    def _amend(self, event: Event) -> None:
        """Rewrite the last stride. Coming to an outer opening is told with the end of the path."""
        last = self.strides[-1]
        event = last.event if event == "escaped" else event
        self.strides[-1] = replace(last, event=event, logged=self.purse.logged)

    def follow_from(self, spots: Sequence[Spot], obstacle: str | None) -> tuple[Ended, str | None, Spot]:
        """`follow`, where an `obstacle` may lie at the first place already."""
        if obstacle is not None:
            return "obstacle" if len(spots) == 1 else "violation", obstacle, spots[0]
        return self.follow(spots)

    # What a sketch undoes.

    def save(self) -> _SavedWalk:
        return _SavedWalk(
            self._here,
            self._came,
            self._visit,
            self.guarded,
            self.at_exit,
            dict(self._counts),
            dict(self._optimizers),
            frozenset(self._fallen),
            frozenset(self._seen),
            frozenset(self._been),
            frozenset(self._through),
            {room: len(visits) for room, visits in self._visits.items()},
            len(self.strides),
            self.purse.save(),
        )

    def restore(self, saved: _SavedWalk) -> None:
        self._here, self._came, self._visit = saved.here, saved.came, saved.visit
        self.guarded, self.at_exit = saved.guarded, saved.at_exit
        self._counts, self._optimizers = dict(saved.counts), dict(saved.optimizers)
        self._fallen, self._seen = set(saved.fallen), set(saved.seen)
        self._been, self._through = set(saved.been), set(saved.through)
        _shorten(self._visits, saved.visits)
        del self.strides[saved.strides :]
        self.purse.restore(saved.purse)


def ground_as_it_is(ground: Ground) -> Ground:
    """A copy of the ground, for `undo`."""
    return Ground(
        set(ground.walked),
        set(ground.struck),
        set(ground.known),
        set(ground.cleared),
        {room: list(visits) for room, visits in ground.visits.items()},
    )


def undo(ground: Ground, before: Ground) -> None:
    """Restore `ground`, which has only grown since, to `before`."""
    ground.walked &= before.walked
    ground.struck &= before.struck
    ground.known &= before.known
    ground.cleared &= before.cleared
    _shorten(ground.visits, {room: len(visits) for room, visits in before.visits.items()})


def _shorten(visits: dict[str, list[tuple[Place, Place]]], lengths: dict[str, int]) -> None:
    for room, done in visits.items():
        del done[lengths.get(room, 0) :]
