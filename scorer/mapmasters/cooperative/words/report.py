"""Rulings of the cooperative mode in words (`scorer.port.words.Words`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from scorer.mapmasters.cooperative.rules.record import TableRecord
from scorer.mapmasters.cooperative.rules.referee import referee_table
from scorer.mapmasters.cooperative.rules.ruling import CoopRuling, GroupRuling, PathRuling
from scorer.mapmasters.cooperative.rules.settings import checked
from scorer.mapmasters.cooperative.rules.table import Table
from scorer.mapmasters.cooperative.rules.terms import DIFFICULTY_WORDS
from scorer.mapmasters.cooperative.sheet import group_words
from scorer.mapmasters.cooperative.words.messages import missing_words
from scorer.mapmasters.rules.objectives import VP_EACH
from scorer.mapmasters.words.explain import steps_told
from scorer.mapmasters.words.vocabulary import VOCABULARY
from scorer.text import SEMICOLON, Text, listed, sentences, unchanged, written
from scorer.verdict import Fact, Reason, Report, ToldStep, Turn
from scorer.vocabulary import Vocabulary

_LABELS = {"mission": Text("Mission"), "difficulty": Text("Difficulty"), "goal": Text("Goal {goal}")}


_RESULTS = {
    "won": Text("won", context="mission"),
    "lost": Text("lost"),
    "open": Text("open", context="mission"),
}


_MET = Text("met by {group}")


_NOBODY = Text("not met")


_ALL_THERE = Text("{group} has all that it takes")


_LACKS = Text("{group} still needs {missing}")


class CoopWords:
    """The words of the cooperative mode (`scorer.port.words.Words`)."""

    vocabulary: Vocabulary = VOCABULARY

    def why(self, verdict: CoopRuling) -> Reason:
        told = verdict.mission
        return Reason(
            told.reason, written(told.message, told.message_ja), written(told.section, told.section_ja)
        )

    def turn(self, record: TableRecord, verdict: CoopRuling) -> Turn:
        """The end of the path that decided the mission, or of the last path."""
        why, number = self.why(verdict), verdict.mission.path
        if not verdict.paths:
            return Turn(None, None, why)
        path = verdict.paths[-1 if number is None else number]
        before = sum(len(each.steps) for each in verdict.paths[: path.path])
        place = path.violations[0].place if path.violations else path.last_place
        return Turn(place, before + len(path.steps) or None, why)

    def steps(self, board: Table, verdict: CoopRuling, *, with_ids: bool = True) -> tuple[ToldStep, ...]:
        """The steps of all paths, numbered consecutively. The first step of each path names its group, the
        last one says how the path ended."""
        every = [step for path in verdict.paths for step in path.steps]
        told = list(steps_told(board.dungeon, every, with_ids=with_ids))
        first = 0
        for path in verdict.paths:
            last = first + len(path.steps) - 1
            if path.steps:
                told[first] = replace(told[first], what=_begins(path, told[first].what))
                told[last] = replace(told[last], what=_ends(path, told[last].what))
            first = last + 1
        return tuple(told)

    def without_ids(self, board: Table, record: TableRecord, verdict: CoopRuling) -> CoopRuling:
        return referee_table(board, record, verdict.difficulty, checked(verdict.settings), with_ids=False)

    def tallies(self, board: Table, verdict: CoopRuling) -> tuple[Any, ...]:
        return ()

    def report(self, verdict: CoopRuling) -> Report:
        counts = {find: sum(group.discovered.get(find, 0) for group in verdict.groups) for find in VP_EACH}
        faults = [written(fault.message, fault.message_ja) for fault in verdict.placement]
        faults += [written(fault.message, fault.message_ja) for fault in verdict.setup]
        return Report(
            counts=tuple((find, count) for find, count in counts.items() if count),
            facts=tuple(_facts(verdict)),
            faults=tuple(faults),
            notes=tuple(path_note(path) for path in verdict.paths),
            brief=_brief(verdict),
        )


def _begins(path: PathRuling, what: Text) -> Text:
    number = path.path + 1
    group = group_words(path.group)
    return Text("Path {number}, {group}: {what}", number=number, group=group, what=what)


def _ends(path: PathRuling, what: Text) -> Text:
    return sentences((what, written(path.why.message, path.why.message_ja)))


def path_note(path: PathRuling) -> Text:
    words = written(path.why.message, path.why.message_ja)
    if path.violations and path.ended == "sketch":
        broken = path.violations[0]
        words = sentences((words, written(broken.message, broken.message_ja)))
    return _begins(path, words)


def _facts(verdict: CoopRuling) -> Iterator[Fact]:
    """Facts about the mission and about every goal: the group that met it, or what each group still needs for
    it."""
    yield Fact(_LABELS["mission"], _RESULTS[verdict.mission.result])
    yield Fact(_LABELS["difficulty"], DIFFICULTY_WORDS[verdict.difficulty])
    for goal, met in verdict.mission.goals.items():
        about = _LABELS["goal"].filled(goal=goal)
        if met is not None:
            yield Fact(about, _MET.filled(group=group_words(met)))
            continue
        still = [_still(group, goal) for group in verdict.groups if goal in group.wanting]
        yield Fact(about, listed((_NOBODY, *still), SEMICOLON))


def _still(group: GroupRuling, goal: str) -> Text:
    missing = group.wanting[goal]
    words, lacking = (_LACKS, missing_words(missing)) if missing else (_ALL_THERE, unchanged(""))
    return words.filled(group=group_words(group.group), missing=lacking)


def _brief(verdict: CoopRuling) -> Text:
    """The result of the mission so far, and the effect of the last path."""
    result = _RESULTS[verdict.mission.result]
    if not verdict.paths:
        return result
    return Text("{result}: {note}", result=result, note=path_note(verdict.paths[-1]))
