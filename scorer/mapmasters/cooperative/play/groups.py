"""The group functions of the cooperative mode (`scorer.groups.Groups`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from scorer.catalogue import Catalogue, Point
from scorer.groups import Contradiction, DrawnLine, Untold
from scorer.mapmasters.cooperative.photo.from_photo import (
    Laid,
    lay_out,
    order_told,
    readings_of,
    sketched,
    table_told,
)
from scorer.mapmasters.cooperative.photo.merge_photos import contradictions, grown, lying_now
from scorer.mapmasters.cooperative.play.counterfactuals import what_ifs
from scorer.mapmasters.cooperative.play.missing_facts import untold
from scorer.mapmasters.cooperative.play.shared import CoopTable
from scorer.mapmasters.cooperative.rules.mission import parse_mission
from scorer.mapmasters.cooperative.rules.record import Group, TableRecord, parse_table
from scorer.mapmasters.cooperative.rules.ruling import CoopRuling, GroupRuling
from scorer.mapmasters.cooperative.rules.table import Table
from scorer.mapmasters.cooperative.rules.terms import CoopTerms, terms_of
from scorer.record import PlacedCard
from scorer.text import Text


@dataclass(frozen=True)
class _Seen:
    """The set-up of a table that was seen before: the facts `told` now, and its earlier state."""

    told: TableRecord
    before: TableRecord


@dataclass(frozen=True)
class _LaidAgain:
    """The cards in a new photo of a table whose earlier state is `before`."""

    now: Laid
    before: TableRecord

    @property
    def size_mm(self) -> Point:
        return self.now.table.dungeon.catalogue.card_size_mm

    @property
    def steps(self) -> frozenset[str]:
        return self.now.table.plan.steps


class CoopGroups(CoopTable):
    """The group functions of the cooperative mode (`scorer.groups.Groups`), from
    `scorer.mapmasters.cooperative.photo.from_photo`."""

    def setup(
        self, catalogue: Catalogue, told: Mapping[str, Any], terms: CoopTerms
    ) -> tuple[TableRecord | _Seen, CoopTerms]:
        mission = told.get("mission")
        if isinstance(mission, bytes):
            mission = parse_mission(mission)
        table = table_told(catalogue, mission=mission, table=told.get("table"))
        if names := told.get("groups"):
            groups = tuple(Group(group=name, colour=colour) for name, colour in names.items())
            table = msgspec.structs.replace(table, groups=groups)
        if before := told.get("before"):
            return _Seen(table, parse_table(before)), terms_of(table, terms)
        return table, terms_of(table, terms)

    def colours(self, setup: TableRecord | _Seen) -> Mapping[str, str | None]:
        groups = setup.told.groups if isinstance(setup, _Seen) else setup.groups
        return {group.group: group.colour for group in groups}

    def laid(
        self, catalogue: Catalogue, setup: TableRecord | _Seen, cards: Sequence[PlacedCard]
    ) -> Laid | _LaidAgain:
        if isinstance(setup, _Seen):
            return _LaidAgain(lay_out(catalogue, setup.told, cards), setup.before)
        return lay_out(catalogue, setup, cards)

    def readings(
        self,
        laid: Laid | _LaidAgain,
        lines: Sequence[DrawnLine],
        terms: CoopTerms,
        said: Mapping[str, str] = {},
    ) -> tuple[TableRecord, ...]:
        if not isinstance(laid, _LaidAgain):
            return readings_of(laid, lines, terms)
        return grown(laid.before, readings_of(laid.now, lines, terms), laid.size_mm, laid.steps, said)

    def contradictions(
        self,
        laid: Laid | _LaidAgain,
        lines: Sequence[DrawnLine],
        terms: CoopTerms,
        said: Mapping[str, str] = {},
    ) -> tuple[Contradiction, ...]:
        if not isinstance(laid, _LaidAgain):
            return ()
        seen = readings_of(laid.now, lines, terms)[0]
        return contradictions(laid.before, seen, laid.size_mm, laid.steps, said)

    def lying_now(
        self, laid: Laid | _LaidAgain, said: Mapping[str, str] = {}
    ) -> tuple[Mapping[int, int], frozenset[int]]:
        if not isinstance(laid, _LaidAgain):
            return {}, frozenset()
        return lying_now(laid.before, laid.now.bare, laid.size_mm, said)

    def result(self, verdict: CoopRuling) -> tuple[Any, ...]:
        return verdict.mission.result, tuple(sorted(verdict.mission.goals.items()))

    def outcome(self, verdict: CoopRuling) -> tuple[Any, ...]:
        groups = sorted(verdict.groups, key=lambda group: group.group)
        return self.result(verdict), tuple(
            (each.group, each.ended, each.reached, sorted(each.artifacts), found_by(each)) for each in groups
        )

    def untold(self, board: Table, record: TableRecord, verdict: CoopRuling) -> Iterator[Untold]:
        return untold(board, record, verdict)

    def lying(self, board: Table, turns: Sequence[int]) -> Table:
        return replace(board, dungeon=board.dungeon.lying(turns))

    def what_ifs(
        self, board: Table, record: TableRecord, terms: CoopTerms, verdict: CoopRuling
    ) -> Iterator[tuple[Text, CoopRuling]]:
        return what_ifs(board, record, terms, verdict)

    def order_told(self, record: TableRecord, first: TableRecord) -> Text:
        return order_told(record, first)

    def sketched(self, record: TableRecord, place: str) -> TableRecord:
        return sketched(record, place)


def found_by(group: GroupRuling) -> tuple[tuple[str, int], ...]:
    """What a group discovered, with counts, without what it did not discover."""
    return tuple((find, count) for find, count in group.discovered.items() if count)
