"""The referee of the cooperative game: a table's record in, a ruling out.

Paths are walked in the order in which they were drawn, over ground that all groups share. After each it is
looked where the group's miniature stands now and what it met there; the first path that wins or loses
decides.
How means were paid is settled at the very end (`purse`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorer.catalogue import Catalogue
from scorer.mapmasters.cooperative.rules.codes import LAYING_RULES, RESULTS
from scorer.mapmasters.cooperative.rules.mission import Slot
from scorer.mapmasters.cooperative.rules.play_state import Drawn, Party
from scorer.mapmasters.cooperative.rules.purse import Settled
from scorer.mapmasters.cooperative.rules.record import TableRecord
from scorer.mapmasters.cooperative.rules.ruling import (
    CoopRuling,
    GroupRuling,
    MissionRuling,
    PathRuling,
    TableFaultTold,
)
from scorer.mapmasters.cooperative.rules.settings import HOUSE, CoopSettings, Difficulty
from scorer.mapmasters.cooperative.rules.setup import setup_faults
from scorer.mapmasters.cooperative.rules.simulation import Play
from scorer.mapmasters.cooperative.rules.table import Table, make_table
from scorer.mapmasters.cooperative.rules.walk import Stride
from scorer.mapmasters.cooperative.sheet import group_words
from scorer.mapmasters.cooperative.words.messages import card_names, missing_words, told
from scorer.mapmasters.rules.ruling import Step
from scorer.mapmasters.rules.settings import departures
from scorer.text import Text, unchanged

_WANTED: dict[str, Text] = {"starter": Text("a starter"), "face_down": Text("a card that lies face down")}


def referee(
    catalogue: Catalogue,
    record: TableRecord,
    difficulty: Difficulty = "normal",
    settings: CoopSettings = HOUSE,
) -> CoopRuling:
    """The ruling on a cooperative table. Any arrangement that can be laid and drawn gets one. Raises
    `WaymarkError` for unknown cards, places, groups, goals, missions, requirements, tokens or spellbooks."""
    return referee_table(make_table(catalogue, record), record, difficulty, settings)


def referee_table(
    table: Table,
    record: TableRecord,
    difficulty: Difficulty = "normal",
    settings: CoopSettings = HOUSE,
    *,
    with_ids: bool = True,
) -> CoopRuling:
    """`referee` for a table that is made already (it must be that of the record)."""
    play = _RuledPlay(table, record, difficulty, settings, with_ids)
    for number, path in enumerate(record.paths):
        play.draw(number, path)
    return play.ruling()


class _RuledPlay(Play):
    """The construction of the ruling from a simulated game."""

    def ruling(self) -> CoopRuling:
        settled = {name: party.walker.purse.settled() for name, party in self._parties.items()}
        paths = tuple(self._path_ruling(drawn, settled[drawn.party.name]) for drawn in self._drawn)
        violations = [drawn.violation for drawn in self._drawn if drawn.violation is not None]
        return CoopRuling(
            difficulty=self._difficulty,
            legal=not violations,
            mission=self._mission_ruling(),
            groups=tuple(self._group_ruling(party, settled[name]) for name, party in self._parties.items()),
            paths=paths,
            violations=tuple(violations[:1]),
            placement=self._placement(),
            setup=setup_faults(
                [party.told for party in self._parties.values()], self._plan.mission, self._settings
            ),
            settings=departures(self._settings),
        )

    def _mission_ruling(self) -> MissionRuling:
        decision = self._in_the_end()
        lost_by = next((drawn for drawn in self._drawn if drawn.number == decision.path), None)
        rule = RESULTS["mission" if decision.reason.startswith("mission:") else decision.reason]
        words = told(
            rule.words,
            group=group_words(decision.group or decision.what),
            missing=missing_words(lost_by.missing if lost_by is not None else {}, self._plan.mission),
            what=decision.what,
        )
        return MissionRuling(
            id=self._plan.id,
            result=decision.result,
            reason=decision.reason,
            path=decision.path,
            group=decision.group,
            needed=self._plan.needed,
            goals={goal: self._met.get(goal) for goal in self._plan.goals},
            message=words.en,
            message_ja=words.ja,
            section=rule.section.en,
            section_ja=rule.section.ja,
        )

    def _path_ruling(self, drawn: Drawn, settled: Settled) -> PathRuling:
        strides = drawn.party.walker.strides
        first, last = drawn.strides
        return PathRuling(
            path=drawn.number,
            group=drawn.party.name,
            legal=drawn.violation is None,
            ended=drawn.ended,
            goal=drawn.goal,
            choices=drawn.choices,
            missing=drawn.missing,
            last_place=drawn.last_place,
            violations=() if drawn.violation is None else (drawn.violation,),
            why=drawn.why,
            steps=tuple(_step(strides, index, settled) for index in range(first, last)),
        )

    def _group_ruling(self, party: Party, settled: Settled) -> GroupRuling:
        counts = self._counted(party)
        open_goals = [
            goal
            for goal in self._plan.goals.values()
            if goal.id not in self._met and goal.card not in party.cards_met and not party.over
        ]
        return GroupRuling(
            group=party.name,
            legal=not party.violations,
            ended=party.ended,
            stands=party.stands,
            reached=tuple(party.reached),
            artifacts=tuple(party.taken),
            discovered=dict(party.walker.counts),
            coins=party.walker.counts["coin"],
            optimizers=dict(party.walker.optimizers),
            counts=counts | settled.counts,
            tokens=settled.tokens,
            spent=tuple(paid for each in settled.payments for paid in each),
            missing=party.missing,
            wanting={goal.id: self._missing(party, goal) for goal in open_goals},
            violations=tuple(party.violations),
        )

    def _placement(self) -> tuple[TableFaultTold, ...]:
        slots = self._plan.slots
        told_faults = []
        for fault in self._table.faults:
            rule = LAYING_RULES[fault.rule]
            words = told(
                rule.words,
                cards=card_names(self._record, fault.cards),
                slot="{},{}".format(*fault.slot) if fault.slot is not None else "",
                what=_wanted(slots, fault.slot),
            )
            told_faults.append(
                TableFaultTold(
                    rule=fault.rule,
                    cards=fault.cards,
                    slot=fault.slot,
                    message=words.en,
                    message_ja=words.ja,
                    section=rule.section.en,
                    section_ja=rule.section.ja,
                )
            )
        return tuple(told_faults)


def _wanted(slots: Mapping[tuple[int, int], Slot], cell: tuple[int, int] | None) -> Text:
    """The card that the mission requires in a slot, in words."""
    slot = slots.get(cell) if cell is not None else None
    if slot is None:
        return unchanged("")
    return unchanged(slot.card) if slot.card is not None else _WANTED.get(slot.kind, unchanged(""))


def _step(strides: Sequence[Stride], index: int, settled: Settled) -> Step:
    stride = strides[index]
    before = strides[index - 1].logged if index else 0
    return Step(
        place=stride.place,
        event=stride.event,
        held=settled.held[stride.logged],
        way=stride.way,
        found=stride.found,
        paid=tuple(paid for each in settled.payments[before : stride.logged] for paid in each),
    )
