"""The chances of one group to meet each goal: a path over the laid cards, a path over cards still to be laid,
or none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scorer.mapmasters.cooperative.play.hint_lines import UsedLines
from scorer.mapmasters.cooperative.play.hint_record import HintGate, HintLine, HintWay, Why
from scorer.mapmasters.cooperative.play.hint_search import FoundWay, GoalSearch
from scorer.mapmasters.cooperative.rules.mission import ARTIFACTS, Goal
from scorer.mapmasters.cooperative.rules.record import Group, TableRecord
from scorer.mapmasters.cooperative.rules.ruling import GroupRuling
from scorer.mapmasters.cooperative.rules.settings import CoopSettings, Difficulty
from scorer.mapmasters.cooperative.rules.table import Table
from scorer.mapmasters.cooperative.sheet import CoopSheet
from scorer.mapmasters.cooperative.words.messages import artifact_words, told
from scorer.mapmasters.rules.means import TO_BARREL, TOOLS, WILD
from scorer.mapmasters.rules.objectives import OBJECTIVE_OF, OPTIMIZERS
from scorer.mapmasters.words.messages import place_words
from scorer.mapmasters.words.vocabulary import VOCABULARY
from scorer.text import AND, ENGLISH, Text, each_language, listed, sentences, unchanged

_ENDS_WAY = ("violation", "obstacle", "edge", "dead_end")

_SENTENCES: dict[str, Text] = {
    "way": Text("{group} can still get there over the cards that lie."),
    "cards": Text("{group} can still get there if the right cards are laid."),
    "gates": Text("All ways lead through {what}."),
    "over": Text("{group}'s way is over."),
    "met-here": Text("{group} has met a goal on {what} already."),
    "artifact": Text("{other} has {what}."),
    "too-few": Text("{group} can find {count} more {what} at most, and {wanted} are missing."),
    "too-many": Text("{group} has {count} {what} too many."),
    "cut": Text("{other}'s line at {what} closes the way."),
    "no-way": Text("No way leads there for {group}."),
}

_SLOT = Text("the slot in column {column}, row {row}")


class GroupWays(GoalSearch):
    """The chances of one group to meet the goals, with sentences that describe them."""

    def __init__(
        self,
        table: Table,
        record: TableRecord,
        difficulty: Difficulty,
        settings: CoopSettings,
        lines: UsedLines,
        group: Group,
        ruled: GroupRuling | None,
        with_ids: bool,
    ) -> None:
        super().__init__(table, record, difficulty, settings, lines, group, ruled)
        self._with_ids = with_ids

    @property
    def name(self) -> str:
        return self._group.group

    def way(self, goal: Goal, all_groups: Iterable[GroupWays]) -> HintWay:
        """This group's state for an unmet goal."""
        shut = self._shut(goal, all_groups)
        if shut is not None:
            return shut
        laid = self._search(goal, over_slots=False)
        open_way = laid or self._search(goal)
        if open_way is None:
            return self._cut(goal)
        short = self._amiss(goal)
        if short is not None:
            return short
        by_cards = laid is None
        gates = tuple(self._gates(goal, open_way))
        words = told(_SENTENCES["cards" if by_cards else "way"], group=_called(self.name))
        if gates:
            through = told(_SENTENCES["gates"], what=listed((self._gate_words(gate) for gate in gates), AND))
            words = sentences((words, through))
        return HintWay(
            group=self.name,
            state="cards" if by_cards else "way",
            why=None,
            gates=gates,
            lines=(),
            message=words.en,
            message_ja=words.ja,
        )

    def _closed(self, why: Why, lines: tuple[HintLine, ...] = (), **named: object) -> HintWay:
        words = told(_SENTENCES[why], **{"group": _called(self.name), **named})
        return HintWay(
            group=self.name,
            state="closed",
            why=why,
            gates=(),
            lines=lines,
            message=words.en,
            message_ja=words.ja,
        )

    def _shut(self, goal: Goal, all_groups: Iterable[GroupWays]) -> HintWay | None:
        goals, bosses = self._table.plan.goals, self._table.plan.bosses
        ended, met = self._lines.last_ends.get(self.name, ("", None))
        last = goals[met] if met is not None else None
        if ended in _ENDS_WAY or (last is not None and (last.card is None or last.card in bosses)):
            return self._closed("over")
        reached = self._ruled.reached if self._ruled is not None else ()
        if goal.card is not None and any(goals[name].card == goal.card for name in reached):
            return self._closed("met-here", what=goal.card)
        for wanted in goal.artifacts:
            for other in all_groups:
                if other is not self and wanted in other.artifacts:
                    return self._closed(
                        "artifact",
                        other=_called(other.name),
                        what=artifact_words(self._table.plan.mission, wanted),
                    )
        return None

    def _amiss(self, goal: Goal) -> HintWay | None:
        """The kind of item of which the group cannot get enough for the goal, or already has too many; None
        if there is none."""
        wanting = self._ruled.wanting.get(goal.id) if self._ruled is not None else None
        missing = goal.counts if wanting is None else wanting
        for kind, count in missing.items():
            if kind == ARTIFACTS or not isinstance(count, int):
                continue
            if count < 0 and kind not in TOOLS and not (kind == "barrel" and TO_BARREL in self._books):
                return self._closed("too-many", count=-count, what=VOCABULARY.name(kind))
            if count > 0 and not self._slots:
                left = self._left(kind)
                if left < count:
                    return self._closed("too-few", count=left, wanted=count, what=VOCABULARY.name(kind))
        return None

    def _left(self, kind: str) -> int:
        """The maximum number of finds of a kind that this group may still discover on the laid cards."""
        been = {spot.room for spot in self._flooded if spot.kind == "room"}
        at = {spot.place for spot in self._flooded if spot.kind == "place"}
        mine = self._lines.found_by.get(self.name, set())
        left = 0
        for place in self._dungeon.places.values():
            near = place.id in at or place.room in been or place.id in been
            if not near:
                continue
            if kind == "room":
                left += place.kind == "room"
            elif kind == "stairs":
                left += place.kind == "stairs"
            elif OBJECTIVE_OF.get(place.find or "") == kind:
                gone = mine if kind in ("magic_circle", "pit") else self._lines.found
                left += (place.value if kind == "coin" else 1) * (place.id not in gone)
            elif kind in TOOLS and self._difficulty == "rookie" and place.find in OPTIMIZERS:
                left += place.id not in self._lines.found
        if kind in TOOLS and self._ruled is None:
            left += bool(self._group.fairy_tokens.get(kind)) + (WILD in self._books)
        return left

    def _cut(self, goal: Goal) -> HintWay:
        """The state of a goal without an open path: the lines that block the path which crosses the
        fewest."""
        over = self._search(goal, over_lines=True)
        if over is None or not over.lines:
            return self._closed("no-way")
        first = over.lines[0]
        what = place_words(self._dungeon, self._dungeon.places[first.place], with_id=self._with_ids)
        return self._closed("cut", tuple(dict.fromkeys(over.lines)), other=_called(first.group), what=what)

    def _gates(self, goal: Goal, found: FoundWay) -> Iterator[HintGate]:
        """Bottlenecks that every remaining path must pass (slots, openings and doors), in the order of the
        path."""
        places = self._dungeon.places
        before = ""
        for spot in found.spots[1:]:
            if spot.kind == "slot":
                if self._search(goal, without=spot) is None:
                    yield HintGate(slot=spot.slot)
            elif spot.kind == "place" and places[spot.place].kind in ("opening", "door"):
                crossed = before and any(
                    link.b == spot.place and link.kind == "crossing"
                    for link in self._dungeon.neighbours[before]
                )
                if not crossed and self._search(goal, without=spot) is None:
                    yield HintGate(place=spot.place)
            before = spot.place if spot.kind == "place" else ""

    def _gate_words(self, gate: HintGate) -> Text:
        if gate.place is not None:
            return place_words(self._dungeon, self._dungeon.places[gate.place], with_id=self._with_ids)
        column, row = gate.slot or (0, 0)
        return _SLOT.filled(column=column + 1, row=row + 1)


def _called(group: str) -> Text:
    """A group's name; colours are translated, in English as the group is called."""
    colour = CoopSheet.colours.get(group, unchanged(group))
    return each_language(lambda language: group if language == ENGLISH else colour.message(language))
