"""Rulings of the versus mode in words (`scorer.port.words.Words`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from scorer.dungeon import Dungeon
from scorer.mapmasters.rules.objectives import VP_EACH, Tally, tallies
from scorer.mapmasters.rules.referee import referee_dungeon
from scorer.mapmasters.rules.ruling import ObjectiveScore, Ruling
from scorer.mapmasters.rules.settings import VersusSettings
from scorer.mapmasters.words.explain import told_steps
from scorer.mapmasters.words.vocabulary import VOCABULARY
from scorer.record import Record
from scorer.text import NO_WORDS, Text, listed, unchanged, written
from scorer.verdict import Fact, Reason, Report, ToldStep, Turn

_MARKS = Text("Circles and strikes that disagree with the path (the path decides):")


_LABELS = {
    "primary": Text("Primary objective"),
    "secondary": Text("Secondary objective"),
    "coins": Text("Coins"),
    "escaped": Text("Escaped", context="label"),
    "legal": Text("Path"),
    "optimizers": Text("Optimizers"),
    "spent": Text("Spent"),
}


_YES, _NO = Text("yes"), Text("no")


_LEGAL, _BROKEN = Text("legal"), Text("breaks a rule")


class VersusWords:
    """The words of the versus mode (`scorer.port.words.Words`)."""

    vocabulary = VOCABULARY

    def why(self, verdict: Ruling) -> Reason:
        told = verdict.why
        return Reason(
            told.rule, written(told.message, told.message_ja), written(told.section, told.section_ja)
        )

    def turn(self, record: Record, verdict: Ruling) -> Turn:
        """The step that broke a rule, the obstacle that stopped the path, or its last step."""
        why = self.why(verdict)
        names = [name for stroke in record.path for name in stroke]
        if verdict.violations:
            broken = verdict.violations[0]
            number = sum(len(stroke) for stroke in record.path[: broken.stroke]) + broken.step + 1
            return Turn(broken.place, number, why)
        reached = len(verdict.steps)
        if verdict.ended == "obstacle" and reached < len(names):
            return Turn(names[reached], reached + 1, why)
        return Turn(verdict.last_place, reached or None, why)

    def steps(self, board: Dungeon, verdict: Ruling, *, with_ids: bool = True) -> tuple[ToldStep, ...]:
        return told_steps(board, verdict, with_ids=with_ids)

    def without_ids(self, board: Dungeon, record: Record, verdict: Ruling) -> Ruling:
        settings = VersusSettings(**verdict.settings)
        said = referee_dungeon(board, record, settings, with_ids=False)
        return msgspec.structs.replace(said, direction=verdict.direction)

    def tallies(self, board: Dungeon, verdict: Ruling) -> tuple[Tally, ...]:
        return tallies(board, verdict)

    def report(self, verdict: Ruling) -> Report:
        counts = {find: count for find, count in verdict.discovered.items() if count}
        chosen = verdict.direction
        notes = [written(note.message, note.message_ja) for note in verdict.payments]
        if verdict.marks:
            notes += [
                _MARKS,
                *(
                    unchanged("- {note}").filled(note=written(note.message, note.message_ja))
                    for note in verdict.marks
                ),
            ]
        return Report(
            counts=tuple((find, counts[find]) for find in VP_EACH if find in counts),
            facts=tuple(_facts(verdict)),
            faults=tuple(written(fault.message, fault.message_ja) for fault in verdict.placement),
            chosen=NO_WORDS if chosen is None else written(chosen.message, chosen.message_ja),
            notes=tuple(notes),
            brief=_brief(verdict, counts),
        )


def _facts(ruling: Ruling) -> Iterator[Fact]:
    for column, objective in (("primary", ruling.primary), ("secondary", ruling.secondary)):
        if objective is not None:
            yield Fact(_LABELS[column], _objective_words(objective))
    yield Fact(_LABELS["coins"], unchanged(ruling.coins))
    yield Fact(_LABELS["escaped"], _YES if ruling.escaped else _NO)
    yield Fact(_LABELS["legal"], _LEGAL if ruling.legal else _BROKEN)
    used = [(VOCABULARY.name(find), count) for find, count in ruling.optimizers.items() if count]
    if used:
        yield Fact(_LABELS["optimizers"], listed([_counted(name, count) for name, count in used]))
    spent = [(VOCABULARY.name(payment.means), payment.at) for payment in ruling.spent]
    if spent:
        words = [Text("{name} ({at})", name=name, at=at) for name, at in spent]
        yield Fact(_LABELS["spent"], listed(words), with_ids=True)


def _brief(ruling: Ruling, counts: Mapping[str, int]) -> Text:
    """The start of the path and its score, in a few words."""
    place = ruling.steps[0].place if ruling.steps else "-"
    found = [_counted(VOCABULARY.name(find), count) for find, count in counts.items()] or [
        Text("nothing found")
    ]
    scored = [_objective_words(each) for each in (ruling.primary, ruling.secondary) if each is not None]
    what = listed((listed(found), *scored))
    if ruling.escaped:
        return Text("starting at {place}: {what}, escaped", place=place, what=what)
    return Text("starting at {place}: {what}, not escaped", place=place, what=what)


def _objective_words(objective: ObjectiveScore) -> Text:
    name = VOCABULARY.name(objective.objective)
    return Text("{name} x {count} = {vp} VP", name=name, count=objective.count, vp=objective.vp)


def _counted(name: Text, count: int) -> Text:
    return Text("{name} {count}", name=name, count=count)
