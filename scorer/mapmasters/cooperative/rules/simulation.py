"""Simulation of a cooperative game, path by path: each walk, the goals and items it claims, and its effect on
the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from scorer.dungeon import Place
from scorer.mapmasters.cooperative.rules.codes import DEAD_ENDS, ENDS, PATH_RULES
from scorer.mapmasters.cooperative.rules.layout import at_start
from scorer.mapmasters.cooperative.rules.mission import ARTIFACTS, Goal, check_goal
from scorer.mapmasters.cooperative.rules.play_state import Decision, Drawn, Meeting, Party
from scorer.mapmasters.cooperative.rules.purse import OpenPurse, how_much
from scorer.mapmasters.cooperative.rules.record import CellStart, Group, GroupPath, TableRecord, unknown_group
from scorer.mapmasters.cooperative.rules.ruling import Missing, PathEnded, PathViolation
from scorer.mapmasters.cooperative.rules.settings import CoopSettings, Difficulty
from scorer.mapmasters.cooperative.rules.setup import honoured_books, honoured_tokens
from scorer.mapmasters.cooperative.rules.table import Table
from scorer.mapmasters.cooperative.rules.walk import GroupWalker, Stride, ground_as_it_is, undo
from scorer.mapmasters.cooperative.words.goal_words import goal_name
from scorer.mapmasters.cooperative.words.messages import filled, missing_words
from scorer.mapmasters.rules.codes import Rule
from scorer.mapmasters.rules.means import TOOLS
from scorer.mapmasters.rules.ruling import Reason
from scorer.mapmasters.rules.walk import Ground, Spot, spots_of
from scorer.mapmasters.words.messages import sentence
from scorer.places import known_place
from scorer.text import Text, listed, unchanged

#: Where a path on a step card may begin, at tables that let it begin anywhere there.
_CORRIDOR_KINDS = frozenset({"opening", "junction", "find", "stairs", "end"})
#: Ends of a path that are no stop: nothing is claimed.
_SKETCHES = frozenset({"sketch", "stopped", "waiting"})
#: Ends at which the miniature comes to stand.
_STOPS = frozenset({"goal", "choice", "unmet", "step"})
_STUCK = frozenset({"violation", "obstacle", "edge", "dead_end"})

#: The tools that finds on a path may demand.
_ASKS: dict[str, str] = {
    "monster": "sword",
    "padlock": "key",
    "lava_pit": "rope",
    "pitfall": "rope",
    "magic_circle": "scroll",
}


class Play:
    """Simulation of a cooperative game, path by path."""

    def __init__(
        self,
        table: Table,
        record: TableRecord,
        difficulty: Difficulty,
        settings: CoopSettings,
        with_ids: bool,
    ) -> None:
        self._table, self._record = table, record
        self._dungeon, self._plan = table.dungeon, table.plan
        self._difficulty, self._settings = difficulty, settings
        self._with_ids = with_ids
        self._ground = Ground()
        self._parties = {group.group: self._party(group) for group in self._groups()}
        self._met: dict[str, str] = {}
        self._taken: set[str] = set()
        self._drawn: list[Drawn] = []
        self._decided: Decision | None = None

    def _groups(self) -> list[Group]:
        """The groups of the record, and those of the mission that only its paths name. Raises `WaymarkError`
        (unknown-group)."""
        groups = {group.group: group for group in self._record.groups}
        playing = self._plan.mission.groups
        for name in groups:
            if playing is not None and name not in playing:
                raise unknown_group(name, playing)
        for path in self._record.paths:
            if path.group not in groups:
                if playing is None or path.group not in playing:
                    raise unknown_group(path.group, playing or tuple(groups))
                groups[path.group] = Group(group=path.group)
        return list(groups.values())

    def _party(self, group: Group) -> Party:
        named = [*group.marks.circled, *group.marks.struck, *group.optimizer_tokens]
        named += [group.start] if isinstance(group.start, str) else []
        for name in named:
            known_place(self._dungeon, name)
        purse = OpenPurse(
            honoured_tokens(group),
            honoured_books(group),
            self._difficulty,
            group.optimizer_tokens,
            group.marks.struck,
            self._due(group.group) if self._difficulty == "rookie" else None,
        )
        return Party(group, GroupWalker(self._dungeon, purse, self._ground), group.start)

    def _due(self, group: str) -> dict[str, int]:
        """An upper bound on the demands of a group's paths, by tool, including those of checks for a possible
        continuation."""
        guards = Counter(place.room for place in self._dungeon.places.values() if place.find == "monster")
        due: Counter[str] = Counter(dict.fromkeys(TOOLS, 1))
        due["sword"] = max(guards.values(), default=1)
        for path in self._record.paths:
            for place in self._places(path) if path.group == group else ():
                tool = _ASKS.get(place.find or "")
                if tool is not None:
                    due[tool] += 1
                if place.kind in ("room", "room_find"):
                    due["sword"] += guards[place.id if place.kind == "room" else place.room]
        return dict(due)

    def _places(self, path: GroupPath) -> Iterator[Place]:
        """The places of a path in order. Raises `WaymarkError` (unknown-place)."""
        return (known_place(self._dungeon, name) for stroke in path.path for name in stroke)

    def draw(self, number: int, path: GroupPath) -> None:
        """Walk one path and apply its effects. Raises `WaymarkError` (unknown-place, unknown-goal)."""
        if path.goal is not None:
            check_goal(path.goal, self._plan.goals)
        party = self._parties[path.group]
        spots = spots_of([[known_place(self._dungeon, name) for name in stroke] for stroke in path.path])
        walker = party.walker
        before, ground, first = walker.save(), ground_as_it_is(self._ground), len(walker.strides)
        carried = set(party.carried)
        drawn, meeting = self._walked(number, party, path, spots)
        drawn.strides = first, len(walker.strides)
        if drawn.violation is not None:
            party.violations.append(drawn.violation)
        if drawn.ended in _SKETCHES:
            walker.restore(before)
            undo(self._ground, ground)
            drawn.strides = 0, 0
            party.carried = carried
        else:
            self._claim(party, drawn, meeting)
        party.ended = drawn.ended
        self._drawn.append(drawn)
        if self._decided is None:
            self._decided = self._decision(drawn)

    def _walked(
        self, number: int, party: Party, path: GroupPath, spots: Sequence[Spot]
    ) -> tuple[Drawn, Meeting]:
        """The result of walking a path on trial."""
        if not spots:
            why = self._reason(ENDS["sketch" if path.sketch else "no-path"], spots, None, None)
            ended: PathEnded = "sketch" if path.sketch else "stopped"
            return Drawn(number, party, ended, why, None), Meeting(ended)
        walker, first = party.walker, spots[0].place
        refused = self._refused(party, first)
        if refused is not None:
            return self._broken(number, party, path, spots, refused, spots[0], None), Meeting("violation")
        since = len(walker.strides)
        obstacle = None
        if party.begun and first.id == party.stands:
            walker.go_on()
        else:
            obstacle = walker.begin(first)
        stopped, rule, spot = walker.follow_from(spots, obstacle)
        last = walker.strides[-1].place if len(walker.strides) > since else None
        if stopped == "violation" and rule is not None:
            return self._broken(number, party, path, spots, rule, spot, last), Meeting("violation")
        if path.sketch:
            meeting = Meeting("sketch")
        elif stopped == "obstacle":
            meeting = Meeting("obstacle")
        else:
            self._pick_up(party, walker.strides[since:])
            meeting = self._meeting(party, path, spots)
        why = self._why(meeting, rule, spots, spot, last)
        drawn = Drawn(
            number,
            party,
            meeting.ended,
            why,
            last,
            goal=meeting.goal.id if meeting.goal is not None else None,
            choices=meeting.choices,
            missing=meeting.missing,
        )
        return drawn, meeting

    def _refused(self, party: Party, first: Place) -> str | None:
        """The rule by which a path cannot begin at `first`."""
        if party.over:
            return "after-end"
        if not party.begun:
            if not self._may_enter(party, first):
                return "bad-start"
            party.start = party.start or first.id
            return "corridor-reused" if first.id in self._ground.walked else None
        stands = self._dungeon.places[party.stands] if party.stands is not None else None
        if stands is None or self._card_of(stands) not in self._plan.steps:
            return "bad-start"
        if first.id == stands.id:
            return None
        free = first.kind in _CORRIDOR_KINDS and first.id not in self._ground.walked
        if self._settings.step_start == "card" and free and first.card_index == stands.card_index:
            return None
        return "bad-start"

    def _may_enter(self, party: Party, first: Place) -> bool:
        """Whether a group's first path may begin at a place: outside, at its miniature, on a side that the
        mission allows."""
        if first.id not in self._dungeon.open_openings:
            return False
        cells = self._table.layout.cells
        rules = self._plan.starts
        if rules is not None and not any(
            rule.side == first.side and rule.cell in (None, cells[first.card_index]) for rule in rules
        ):
            return False
        start = party.start
        if isinstance(start, CellStart):
            return at_start(first, self._table.layout, self._record, self._dungeon.catalogue, start)
        return start in (None, first.id)

    def _broken(
        self,
        number: int,
        party: Party,
        path: GroupPath,
        spots: Sequence[Spot],
        rule: str,
        spot: Spot,
        last: str | None,
    ) -> Drawn:
        """The result of a path that breaks a rule. For a sketch it has no consequences."""
        broken = self._reason(PATH_RULES[rule], spots, spot, last)
        violation = PathViolation(
            rule=rule,
            path=number,
            group=party.name,
            stroke=spot.stroke,
            step=spot.step,
            place=spot.place.id,
            message=broken.message,
            message_ja=broken.message_ja,
            section=broken.section,
            section_ja=broken.section_ja,
        )
        ended: PathEnded = "sketch" if path.sketch else "violation"
        why = self._reason(ENDS["sketch"], spots, None, last) if path.sketch else broken
        return Drawn(number, party, ended, why, last, violation)

    def _meeting(self, party: Party, path: GroupPath, spots: Sequence[Spot]) -> Meeting:
        """How a path ends that is legal and not stopped."""
        here = party.walker.here
        if here is None or len(spots) == 1:
            return Meeting("stopped")
        goals = [goal for goal in self._plan.goals.values() if self._is_goal(goal, party, here)]
        if goals:
            chosen = [goal for goal in goals if goal.id == path.goal]
            return self._of_goals(party, chosen or goals)
        if here.id in self._dungeon.open_openings:
            return Meeting("edge")
        if self._card_of(here) in self._plan.steps:
            return Meeting("step")
        if here.id in self._table.waiting:
            return Meeting("waiting")
        return Meeting("stopped" if party.walker.can_go_on() else "dead_end")

    def _is_goal(self, goal: Goal, party: Party, here: Place) -> bool:
        """Whether the place is a goal for the group: unmet, and on a card where the group has met none."""
        if goal.id in self._met or goal.card in party.cards_met:
            return False
        if goal.card is None:
            return here.id in self._dungeon.open_openings and here.side in goal.sides
        if self._card_of(here) != goal.card:
            return False
        return here.kind == "opening" if goal.places is None else here.local_id in goal.places

    def _of_goals(self, party: Party, goals: Sequence[Goal]) -> Meeting:
        missing = {goal.id: self._missing(party, goal) for goal in goals}
        meetable = [goal for goal in goals if not missing[goal.id]]
        if not meetable:
            return Meeting("unmet", missing=min(missing.values(), key=_size))
        if len({goal.asks for goal in meetable}) > 1:
            return Meeting("choice", choices=tuple(goal.id for goal in meetable))
        return Meeting("goal", goal=meetable[0])

    def _missing(self, party: Party, goal: Goal) -> Missing:
        """The items that the group lacks for a goal, under the best way of paying."""
        missing: Missing = dict(party.walker.purse.missing(goal.counts, self._counted(party)))
        artifacts = tuple(name for name in goal.artifacts if name not in party.carried)
        return missing | {ARTIFACTS: artifacts} if artifacts else missing

    def _counted(self, party: Party) -> dict[str, int]:
        """The group's counts of the kinds for goals that are never used for payment."""
        counts = dict(party.walker.counts)
        if not self._settings.used_circles_count and self._difficulty in ("normal", "hard"):
            counts["magic_circle"] -= party.walker.used_circles
        return counts

    def _pick_up(self, party: Party, strides: Sequence[Stride]) -> None:
        """Give the artifacts on the walked cards to the group, whose path reaches them first."""
        lying = [name for name in self._plan.mission.artifacts if name not in self._taken]
        if not lying:
            return
        for card in dict.fromkeys(self._card_of(self._dungeon.places[stride.place]) for stride in strides):
            for name in lying:
                if self._plan.mission.artifacts[name] == card:
                    party.carried.add(name)

    def _claim(self, party: Party, drawn: Drawn, meeting: Meeting) -> None:
        """Apply a path that is no sketch: the items taken, the goal met, and the group's new place."""
        walker = party.walker
        self._pick_up(party, walker.strides[drawn.strides[0] : drawn.strides[1]])
        new = [name for name in self._plan.mission.artifacts if name in party.carried - self._taken]
        party.taken += new
        self._taken.update(new)
        party.begun = True
        party.over = party.over or drawn.ended in _STUCK
        party.missing = drawn.missing
        if drawn.ended in _STOPS:
            party.stands = drawn.last_place
        goal = meeting.goal
        if goal is None:
            return
        walker.meet(goal.counts, self._counted(party))
        party.carried -= set(goal.artifacts)
        party.reached.append(goal.id)
        self._met[goal.id] = party.name
        if goal.card is not None:
            party.cards_met.add(goal.card)
        party.over = party.over or goal.card is None or goal.card in self._plan.bosses

    def _card_of(self, place: Place) -> str:
        return self._dungeon.cards[place.card_index].card

    def _decision(self, drawn: Drawn) -> Decision | None:
        """The decision by a path to win or lose the mission; None if it decides nothing."""
        name, number = drawn.party.name, drawn.number
        rule = drawn.violation.rule if drawn.violation is not None else None
        if drawn.ended in ("obstacle", "edge", "dead_end") or (
            drawn.ended == "violation" and rule in DEAD_ENDS
        ):
            return Decision("lost", "dead-end", number, name)
        if drawn.ended == "violation":
            lost = self._settings.broken_rule == "lost"
            return Decision("lost", "broken-rule", number, name) if lost else None
        if drawn.ended == "unmet":
            return Decision("lost", "requirement", number, name)
        if drawn.goal is not None and self._plan.needed and self._all_done():
            return Decision("won", "all-goals", number, name)
        return None

    def _all_done(self) -> bool:
        needed, declared = self._plan.needed, self._plan.mission.win.declared
        return all(goal in self._met for goal in needed) and set(declared) <= set(self._record.declared)

    def _in_the_end(self) -> Decision:
        """The result of the mission after all paths."""
        decided, mission = self._decided, self._plan.mission
        if decided is not None and decided.result == "lost":
            return decided
        for code in self._record.declared:
            if code in mission.lose.declared:
                return Decision("lost", f"mission:{code}", what=code)
        if decided is not None:
            return decided
        if not self._plan.needed and mission.win.declared and self._all_done():
            return Decision("won", "all-goals")
        chooses = next((drawn for drawn in self._drawn if drawn.ended == "choice"), None)
        if chooses is not None:
            return Decision("open", "choice", what=chooses.party.name)
        turn = self._record.turn
        if turn is not None:
            no_slot = bool(self._plan.slots) and not self._table.layout.empty
            if turn.hand == 0 or no_slot:
                return Decision("lost", "no-card")
        return Decision("open", "unfinished")

    def _why(
        self, meeting: Meeting, rule: str | None, spots: Sequence[Spot], spot: Spot, last: str | None
    ) -> Reason:
        if meeting.ended == "obstacle":
            return self._reason(ENDS[f"stopped-by-{rule}"], spots, spot, last)
        template = filled(
            ENDS[meeting.ended],
            goal=self._goal_words(meeting.goal.id) if meeting.goal is not None else "",
            goals=listed([self._goal_words(name) for name in meeting.choices]),
            missing=missing_words(meeting.missing, self._plan.mission),
        )
        return self._reason(template, spots, spot, last)

    def _goal_words(self, name: str) -> Text:
        """The name of a goal: its id with `with_ids`, else its description for people."""
        if self._with_ids:
            return unchanged(name)
        words = goal_name(self._plan.goals[name], self._plan.mission, self._dungeon.catalogue)
        return Text("“{words}”", words=words)

    def _reason(self, rule: Rule, spots: Sequence[Spot], spot: Spot | None, last: str | None) -> Reason:
        words = sentence(
            rule,
            self._dungeon,
            place=spot.place if spot is not None else None,
            before=self._dungeon.places[last] if last is not None else None,
            step=1 + next((n for n, each in enumerate(spots) if each is spot), 0),
            with_ids=self._with_ids,
        )
        return Reason(
            rule=rule.code,
            message=words.en,
            message_ja=words.ja,
            section=rule.section.en,
            section_ja=rule.section.ja,
        )


def _size(missing: Missing) -> int:
    counts = {kind: wanted for kind, wanted in missing.items() if isinstance(wanted, int)}
    return how_much(counts) + sum(len(each) for each in missing.values() if isinstance(each, tuple))
