"""Search for a way of one group to a goal: of those over the fewest lines, one of the shortest."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from scorer.mapmasters.cooperative.play.hint_moves import Moves, Spot, Step
from scorer.mapmasters.cooperative.play.hint_record import HintLine
from scorer.mapmasters.cooperative.rules.layout import Cell
from scorer.mapmasters.cooperative.rules.mission import Goal
from scorer.mapmasters.rules.rooms import finds_in

Test = Callable[[Spot], bool]


@dataclass(frozen=True)
class FoundWay:
    """A shortest path found: its spots, and the drawn lines that it would have to cross."""

    spots: tuple[Spot, ...]
    lines: tuple[HintLine, ...]


class GoalSearch(Moves):
    """Searches over the moves of one group for its goals."""

    @property
    def artifacts(self) -> tuple[str, ...]:
        return self._ruled.artifacts if self._ruled is not None else ()

    def _search(
        self, goal: Goal, *, over_lines: bool = False, over_slots: bool = True, without: Spot | None = None
    ) -> FoundWay | None:
        """A way to the goal, of those over the fewest lines one of the shortest; None where there is none."""

        def barred(spot: Spot) -> bool:
            return spot == without or (spot.kind == "slot" and not over_slots)

        for name in goal.artifacts:
            if name not in self.artifacts and self._to(self._is_lair(name), barred, over_lines) is None:
                return None
        return self._to(lambda spot: self._meets(goal, spot), barred, over_lines)

    def _to(self, there: Test, barred: Test, over_lines: bool) -> FoundWay | None:
        """The cheapest way to a spot where `there` holds. No way ends where it begins: those starts that are
        such spots are tried one by one where the others lead nowhere."""
        starts = list(self._starts())
        found = self._from([each for each in starts if not there(each[0])], there, barred, over_lines)
        if found is not None:
            return found
        tries = (self._from([each], there, barred, over_lines) for each in starts if there(each[0]))
        return next((made for made in tries if made is not None), None)

    def _from(self, starts: Iterable[Step], there: Test, barred: Test, over_lines: bool) -> FoundWay | None:
        """0-1 breadth-first search: the cost is the number of drawn lines crossed."""
        came: dict[Spot, tuple[Spot | None, HintLine | None]] = {}
        now: deque[tuple[Spot, Spot | None, HintLine | None]] = deque()
        later: list[tuple[Spot, Spot | None, HintLine | None]] = []
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
    def _flooded(self) -> set[Spot]:
        """All spots that the group can still reach without crossing a line (flood fill)."""
        seen: set[Spot] = set()
        stack = [spot for spot, line in self._starts() if line is None]
        while stack:
            spot = stack.pop()
            if spot not in seen:
                seen.add(spot)
                stack += [after for after, line in self._onward(spot) if line is None]
        return seen

    def _meets(self, goal: Goal, spot: Spot) -> bool:
        """Whether a path may end at this spot to meet the goal."""
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

    def _is_lair(self, artifact: str) -> Test:
        card = self._table.plan.mission.artifacts.get(artifact, "")

        def there(spot: Spot) -> bool:
            if spot.kind == "slot":
                return self._may_be(spot.slot, card)
            name = spot.place if spot.kind == "place" else spot.room
            return spot.kind != "hub" and self._card_at(name) == card

        return there

    def _card_at(self, name: str) -> str:
        return self._dungeon.cards[self._dungeon.places[name].card_index].card

    def _may_be(self, slot: Cell, card: str) -> bool:
        """Whether a card may lie, now or later, in a slot whose content is unknown."""
        number = self._hidden.get(slot)
        if number is not None:
            here = self._table.plan.slots.get(slot)
            named = self._record.cards[number].card or (here.card if here is not None else None)
            return named in (None, card)
        seen = {laid.card for laid in self._record.cards if laid.card is not None}
        seen |= {each.card for each in self._table.plan.slots.values() if each.card is not None}
        return card not in seen


def _traced(spot: Spot, came: Mapping[Spot, tuple[Spot | None, HintLine | None]]) -> FoundWay:
    spots, lines = [spot], []
    at: Spot | None = spot
    while at is not None:
        before, line = came[at]
        if line is not None:
            lines.append(line)
        if before is not None:
            spots.append(before)
        at = before
    return FoundWay(tuple(reversed(spots)), tuple(reversed(lines)))
