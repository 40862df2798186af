"""Hint on a cooperative table: which goals each group can still meet, and what closes a way for good.

A way is called closed only where nothing that may still be laid, found or bought could open it: an empty slot
may hold any card, an obstacle is passed wherever its tool may still be had, lines that might cross in a room
are feared only where doors alternate. So "closed" is certain, and "can still" a hope.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from scorer.catalogue import Catalogue
from scorer.mapmasters.cooperative.play.hint_lines import UsedLines
from scorer.mapmasters.cooperative.play.hint_record import Hint, HintGoal
from scorer.mapmasters.cooperative.play.hint_ways import GroupWays
from scorer.mapmasters.cooperative.rules.mission import Goal
from scorer.mapmasters.cooperative.rules.record import Group, TableRecord
from scorer.mapmasters.cooperative.rules.referee import referee_table
from scorer.mapmasters.cooperative.rules.ruling import CoopRuling, GroupRuling
from scorer.mapmasters.cooperative.rules.settings import HOUSE, CoopSettings, Difficulty
from scorer.mapmasters.cooperative.rules.table import Table, make_table
from scorer.mapmasters.cooperative.words.messages import told
from scorer.text import Text

_WINNABLE = Text("The mission can still be won.")

_NOT_WINNABLE = Text("The mission cannot be won any more: {what}.")

_NO_GROUP = Text("no group can meet {goal}")
_TOO_FEW_GROUPS = Text("the groups left are too few for the goals left")
_ENDED = Text("The game is over.")


def hint(
    catalogue: Catalogue,
    record: TableRecord,
    difficulty: Difficulty = "normal",
    settings: CoopSettings = HOUSE,
    *,
    with_ids: bool = True,
) -> Hint:
    """The goals that are still open on a cooperative table, for each group. Without `with_ids` places are
    named by where they are on the table. Raises `WaymarkError` as `referee` does."""
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
    lines = UsedLines(table, record, ruling)
    reaches = [
        GroupWays(table, record, difficulty, settings, lines, told_group, ruled, with_ids)
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
        result=mission.result, winnable=words is _WINNABLE, goals=hints, message=words.en, message_ja=words.ja
    )


def _playing(
    table: Table, record: TableRecord, ruling: CoopRuling
) -> Iterator[tuple[Group, GroupRuling | None]]:
    """The groups of the record with their rulings, then the mission's groups that the record does not
    name."""
    groups = {group.group: group for group in record.groups}
    ruled = {group.group: group for group in ruling.groups}
    for name in dict.fromkeys([*groups, *ruled, *(table.plan.mission.groups or ())]):
        yield groups.get(name, Group(group=name)), ruled.get(name)


def _outlook(hints: Iterable[HintGoal], goals: Mapping[str, Goal], bosses: Collection[str]) -> Text:
    """Whether enough groups are left for the remaining goals. A boss goal or an edge goal ends a path, so
    each needs a group of its own."""
    able: dict[str, list[str]] = {}
    for each in hints:
        if each.met is not None:
            continue
        groups = [way.group for way in each.ways if way.state != "closed"]
        if not groups:
            return told(_NOT_WINNABLE, what=_NO_GROUP.filled(goal=each.goal))
        if goals[each.goal].card is None or goals[each.goal].card in bosses:
            able[each.goal] = groups
    taken: dict[str, str] = {}
    for goal in able:
        if not _given(goal, able, taken, set()):
            return told(_NOT_WINNABLE, what=_TOO_FEW_GROUPS)
    return _WINNABLE


def _given(goal: str, able: Mapping[str, list[str]], taken: dict[str, str], tried: set[str]) -> bool:
    """Assign a goal to a group, reassigning that group's goals where necessary (augmenting path of Kuhn's
    algorithm)."""
    for group in able[goal]:
        if group in tried:
            continue
        tried.add(group)
        if group not in taken or _given(taken[group], able, taken, tried):
            taken[group] = goal
            return True
    return False
