"""Places, ways through rooms and finds that the drawn lines of a cooperative table have used."""

from __future__ import annotations

from itertools import pairwise

from scorer.dungeon import Place
from scorer.mapmasters.cooperative.play.hint_record import HintLine
from scorer.mapmasters.cooperative.rules.record import TableRecord
from scorer.mapmasters.cooperative.rules.ruling import CoopRuling
from scorer.mapmasters.cooperative.rules.table import Table

#: Ends of paths without effect.
_SKETCHES = ("sketch", "waiting", "stopped")


class UsedLines:
    """The resources used up by valid lines: places with the groups that used them, ways through rooms, and
    finds."""

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
