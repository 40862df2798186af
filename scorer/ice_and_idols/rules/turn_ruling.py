"""The ruling on a turn (`waymark-turn-ruling/1`): actions are checked in order until one breaks a rule."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from scorer.board_problems import ToldProblem, filled, told_problems
from scorer.board_record import board_told
from scorer.ice_and_idols.photo.diff import differences
from scorer.ice_and_idols.rules.actions import COSTS, Unknown, faults, play
from scorer.ice_and_idols.rules.board_ruling import ap_of
from scorer.ice_and_idols.rules.codes import ORDER, VIOLATIONS
from scorer.ice_and_idols.rules.house import House
from scorer.ice_and_idols.rules.pieces import Pieces
from scorer.ice_and_idols.rules.position import Position, board_of, position_of
from scorer.ice_and_idols.rules.problems import problems_of, temple_stands, track_stands
from scorer.ice_and_idols.rules.turn_record import Action, Adrenaline, Pass, TurnRecord

FORMAT = "waymark-turn-ruling/1"


class ToldViolation(msgspec.Struct, frozen=True, kw_only=True):
    """The rule that is cited, and the others that the action breaks."""

    rule: str
    action: int
    also: list[str]
    message: str
    message_ja: str


class ToldPoints(msgspec.Struct, frozen=True, kw_only=True):
    start: int
    gained: int
    spent: int
    left: int


class ToldAction(msgspec.Struct, frozen=True, kw_only=True):
    """An action that was played, and the AP left after it."""

    action: int
    do: str
    ap: int


class TurnRuling(msgspec.Struct, frozen=True, kw_only=True):
    """The ruling on a turn. `legal` is None where it cannot be decided, and `unknown` names the missing part:
    `board`, `actions`, `ground`, `research` or `spare`."""

    format: str = FORMAT
    game: str = "ice_and_idols"
    player: str
    legal: bool | None
    unknown: Literal["board", "actions", "ground", "research", "spare"] | None
    problems: list[ToldProblem]
    ap: ToldPoints
    violations: list[ToldViolation]
    steps: list[ToldAction]
    after: dict[str, Any] | None


@dataclass
class UnderWay:
    """The state of a turn during its ruling."""

    record: TurnRecord
    position: Position
    start: int
    gained: int = 0
    spent: int = 0
    passed: bool = False
    adrenaline: bool = False
    steps: list[ToldAction] = field(default_factory=list)

    @property
    def left(self) -> int:
        return max(0, self.start + self.gained - self.spent)

    def broken(self, action: Action | None) -> list[str]:
        """All rules that an action breaks, the one to cite first. Raises `Unknown`."""
        mover, first = self.record.before.to_move, not self.steps
        found = ["after-pass"] if self.passed else []
        if first and mover is not None and mover != self.record.player:
            found.append("not-to-move")
        if action is not None:
            if isinstance(action, Pass) and not first:
                found.append("pass-not-first")
            told = self._faults(action, sure=bool(found) or COSTS[type(action)] > self.left)
            if COSTS[type(action)] > self.left:
                # What an action gives is asked only of one that breaks nothing else.
                told = [each for each in told if ORDER[each] < ORDER["no-ap"]] + ["no-ap"]
            elif found:
                told = [each for each in told if ORDER[each] < ORDER["no-ap"]]
            found += told
        return sorted(found, key=ORDER.__getitem__)

    def _faults(self, action: Action, *, sure: bool) -> list[str]:
        """The rules that an action breaks by itself. Raises `Unknown` where that depends on an unknown fact,
        unless the action is `sure` to break another rule."""
        try:
            return faults(self.position, self.position.players[self.record.player], action)
        except Unknown as unknown:
            if not sure and not unknown.found:
                raise
            return list(unknown.found)

    def take(self, action: Action) -> None:
        """Play a legal action."""
        after = self.position.copy()
        gained = play(after, after.players[self.record.player], action)
        self.position = after
        self.gained += gained.ap
        self.spent += COSTS[type(action)]
        self.passed = self.passed or isinstance(action, Pass)
        self.adrenaline = self.adrenaline or isinstance(action, Adrenaline)
        name: Any = action.__struct_config__.tag
        self.steps.append(ToldAction(action=len(self.steps), do=name, ap=self.left))

    def end(self) -> str | None:
        """Apply the effects of the end of a turn; returns the player to move next."""
        player = self.position.players[self.record.player]
        if player.minus and not self.adrenaline and not self.passed:
            player.minus = False
        names = list(self.position.players)
        return names[(names.index(player.name) + 1) % len(names)]


def rule_turn(turn: TurnRecord, pieces: Pieces, house: House) -> TurnRuling:
    """The ruling on a turn. Raises `WaymarkError` for an impossible record."""
    problems = problems_of(turn.before, pieces, house)
    under_way = UnderWay(turn, position_of(turn.before, pieces, house), 0)
    under_way.start = ap_of(under_way.position.players[turn.player])
    if not track_stands(problems):
        under_way.position.cubes = under_way.position.tokens = None
    told = told_problems(problems)
    figure = under_way.position.players[turn.player].figure
    if not temple_stands(problems) or figure not in under_way.position.stands:
        return _unjudged(under_way, told, "board")
    if turn.claims is None:
        return _unjudged(under_way, told, "actions")
    violations = []
    to_move = turn.before.to_move
    ends = False
    try:
        for action in turn.claims.actions or (None,):
            broken = under_way.broken(action)
            if broken:
                violations.append(_violation(under_way, action, broken))
                break
            if action is not None:
                under_way.take(action)
        else:
            ends = turn.claims.ends
    except Unknown as unknown:
        return _unjudged(under_way, told, unknown.what)
    points = _points(under_way)
    if ends:
        to_move = under_way.end()
    after = board_of(under_way.position, turn.before, to_move=to_move)
    if not violations and turn.after is not None:
        found = differences(after, turn.after, pieces)
        if found:
            words = filled(VIOLATIONS, "after-differs", what=", ".join(each.en for each in found))
            words_ja = filled(VIOLATIONS, "after-differs", what="、".join(each.ja for each in found))
            violations.append(
                ToldViolation(
                    rule="after-differs",
                    action=len(turn.claims.actions),
                    also=[],
                    message=words.en,
                    message_ja=words_ja.ja,
                )
            )
    return TurnRuling(
        player=turn.player,
        legal=not violations,
        unknown=None,
        problems=told,
        ap=points,
        violations=violations,
        steps=under_way.steps,
        after=board_told(after),
    )


def _violation(under_way: UnderWay, action: Action | None, broken: list[str]) -> ToldViolation:
    record = under_way.record
    words = filled(
        VIOLATIONS,
        broken[0],
        player=record.player,
        other=record.before.to_move,
        cost=0 if action is None else COSTS[type(action)],
        left=under_way.left,
    )
    return ToldViolation(
        rule=broken[0], action=len(under_way.steps), also=broken[1:], message=words.en, message_ja=words.ja
    )


def _points(under_way: UnderWay) -> ToldPoints:
    return ToldPoints(
        start=under_way.start, gained=under_way.gained, spent=under_way.spent, left=under_way.left
    )


def _unjudged(under_way: UnderWay, problems: list[ToldProblem], unknown: Any) -> TurnRuling:
    return TurnRuling(
        player=under_way.record.player,
        legal=None,
        unknown=unknown,
        problems=problems,
        ap=_points(under_way),
        violations=[],
        steps=under_way.steps,
        after=None,
    )
