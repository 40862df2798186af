"""Map Masters cooperative as an implementation of `scorer.game.Game`: groups, ordered paths, one mission."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from scorer.catalogue import Catalogue, Point
from scorer.game import TypedGame
from scorer.groups import Contradiction, DrawnLine, Untold
from scorer.house_counterfactuals import HouseWhatIfs
from scorer.laying import Grid, Laying
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
from scorer.mapmasters.cooperative.rules import notation
from scorer.mapmasters.cooperative.rules.mission import parse_mission
from scorer.mapmasters.cooperative.rules.record import Group, GroupPath, TableCard, TableRecord, parse_table
from scorer.mapmasters.cooperative.rules.referee import referee_table
from scorer.mapmasters.cooperative.rules.ruling import CoopRuling, GroupRuling, PathRuling
from scorer.mapmasters.cooperative.rules.settings import checked
from scorer.mapmasters.cooperative.rules.table import Table, make_table
from scorer.mapmasters.cooperative.rules.terms import (
    DIFFICULTY_WORDS,
    TERMS,
    CoopTerms,
    make_terms,
    term_values,
    terms_of,
    with_terms,
)
from scorer.mapmasters.cooperative.sheet import CoopSheet, group_words
from scorer.mapmasters.cooperative.words.messages import missing_words
from scorer.mapmasters.game import VERSUS
from scorer.mapmasters.rules.objectives import VP_EACH
from scorer.mapmasters.words.explain import steps_told
from scorer.mapmasters.words.vocabulary import VOCABULARY
from scorer.port.photo import Photo
from scorer.port.play import Play
from scorer.port.rules import Settings
from scorer.record import FORMAT, PlacedCard, Record
from scorer.text import SEMICOLON, Text, listed, sentences, unchanged, written
from scorer.verdict import Choice, Discord, Fact, Reason, Report, RuledDoubt, ToldStep, Turn, choose_by_worth
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
_ORDER = {
    "only_legal": Text("Only one order of the paths is legal, so that is the one."),
    "same_score": Text("The paths come to the same in every order that they may have been drawn in."),
    "asked": Text("The paths come to something else in another order; please say in which they were drawn."),
}


@dataclass(frozen=True)
class TableNotation:
    """`scorer.game.Notation`: `scorer.mapmasters.cooperative.rules.notation`."""

    def write(self, record: TableRecord) -> str:
        return notation.to_notation(record)

    def parse(self, text: str) -> TableRecord:
        return notation.parse_notation(text)


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
            (each.group, each.ended, each.reached, sorted(each.artifacts), _found(each)) for each in groups
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


class CoopRules:
    """The rules of the cooperative mode (`scorer.port.rules.Rules`)."""

    record_type: type[TableRecord] = TableRecord
    verdict_type: type[CoopRuling] = CoopRuling
    settings: Settings[TableRecord, CoopTerms] = Settings(
        TERMS, make_terms, term_values, terms_of, with_terms
    )

    def parse_record(self, data: bytes) -> TableRecord:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return parse_table(data)  # whose error says what was expected
        if notation.is_notation(text):
            return notation.parse_notation(text)
        return parse_table(text)

    def board(self, catalogue: Catalogue, record: TableRecord) -> Table:
        return make_table(catalogue, record)

    def referee(self, board: Table, record: TableRecord, terms: CoopTerms) -> CoopRuling:
        return referee_table(board, record, terms.difficulty, terms.settings)

    def worth(self, verdict: CoopRuling) -> tuple[Any, ...]:
        mission = verdict.mission
        return (
            mission.result,
            mission.reason,
            tuple(mission.goals.items()),
            tuple(_worth(group) for group in verdict.groups),
        )

    def outcome(self, verdict: CoopRuling) -> tuple[Any, ...]:
        ends = tuple((path.ended, path.last_place, path.legal) for path in verdict.paths)
        return self.worth(verdict), verdict.legal, ends

    def reach(self, verdict: CoopRuling) -> int:
        return sum(len(path.steps) for path in verdict.paths)

    def backwards(self, record: TableRecord) -> TableRecord | None:
        """Always None: groups start at their miniatures, so no line is read backwards."""
        return None

    def choose(self, verdicts: Sequence[CoopRuling]) -> Choice:
        """Choose between the orders in which paths may have been drawn. A legal one was, if there is any."""
        return choose_by_worth(verdicts, self.worth, _ORDER)

    def chosen(self, verdict: CoopRuling, choice: Choice, *, turned: bool = False) -> CoopRuling:
        return verdict

    def doubts(self, board: Table, record: TableRecord, verdict: CoopRuling) -> Iterator[RuledDoubt]:
        """Groups break rules seldom, and stop nowhere but where the rules let them; a misread line does both
        more often."""
        for path in verdict.paths:
            for broken in path.violations:
                yield RuledDoubt("broken-rule", broken.place, written(broken.message, broken.message_ja))
            drawn = record.paths[path.path]
            if (
                path.ended in ("stopped", "dead_end", "edge", "obstacle", "unmet")
                and drawn.path
                and not drawn.sketch
            ):
                yield RuledDoubt("stops", drawn.path[-1][-1], _path_note(path))

    def discord(self, board: Table, record: TableRecord, verdict: CoopRuling) -> tuple[Discord, ...]:
        return ()


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
            notes=tuple(_path_note(path) for path in verdict.paths),
            brief=_brief(verdict),
        )


def _from_photo(catalogue: Catalogue, tableau: Record) -> TableRecord:
    """The cards, and the line as the path of one group that has no colour yet."""
    cards = tuple(TableCard(card.card, card.x, card.y, card.rotation) for card in tableau.cards)
    line = GroupPath(group="1", path=tableau.path)
    return TableRecord(
        format=FORMAT,
        mode="cooperative",
        catalogue=tableau.catalogue,
        cards=cards,
        groups=(Group(group="1", marks=tableau.marks),) if tableau.path else (),
        paths=(line,) if tableau.path else (),
    )


def _worth(group: GroupRuling) -> tuple[Any, ...]:
    return group.group, group.ended, group.stands, group.reached, group.artifacts, _found(group)


def _found(group: GroupRuling) -> tuple[tuple[str, int], ...]:
    return tuple((find, count) for find, count in group.discovered.items() if count)


def _begins(path: PathRuling, what: Text) -> Text:
    number = path.path + 1
    group = group_words(path.group)
    return Text("Path {number}, {group}: {what}", number=number, group=group, what=what)


def _ends(path: PathRuling, what: Text) -> Text:
    return sentences((what, written(path.why.message, path.why.message_ja)))


def _path_note(path: PathRuling) -> Text:
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
    return Text("{result}: {note}", result=result, note=_path_note(verdict.paths[-1]))


_RULES = CoopRules()
#: A table's paths tell all that was done, so that it has no turns. The open deck comes with `calibration`.
COOPERATIVE: TypedGame[TableRecord, Table, CoopTerms, CoopRuling] = TypedGame(
    id=VERSUS.id,
    mode="cooperative",
    name=Text("Map Masters, cooperative"),
    rules=_RULES,
    words=CoopWords(),
    play=Play(what_ifs=HouseWhatIfs(_RULES.settings, _RULES.outcome), groups=CoopGroups()),
    photo=Photo(
        laying=Laying(rotations=frozenset({0, 180}), grid=Grid()),
        habits=VERSUS.photo.habits,
        from_photo=_from_photo,
    ),
    sheet=CoopSheet(),
    notation=TableNotation(),
)
