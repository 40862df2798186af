"""The answer to a turn (`waymark-turn-ruling/1`): one action after the other, until one breaks a rule."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from scorer.board_problems import ToldProblem, filled, told_problems
from scorer.board_record import Board, board_told
from scorer.square_grid import Cell
from scorer.stone_dragon.photo.diff import Difference, compare
from scorer.stone_dragon.rules.actions import play
from scorer.stone_dragon.rules.codes import VIOLATIONS
from scorer.stone_dragon.rules.fights import Outcome, ToldFight
from scorer.stone_dragon.rules.house import House
from scorer.stone_dragon.rules.illegal_action import Breach
from scorer.stone_dragon.rules.pieces import Pieces
from scorer.stone_dragon.rules.position import Position, board_of, position_of
from scorer.stone_dragon.rules.problems import can_play, problems_of
from scorer.stone_dragon.rules.turn_record import Action, Change, Equip, Reveal, TurnRecord

FORMAT = "waymark-turn-ruling/1"
ACTIONS = 3


class ToldViolation(msgspec.Struct, frozen=True, kw_only=True):
    rule: str
    action: int
    message: str
    message_ja: str


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A victory card whose condition only people can check."""

    action: int
    player: str
    card: str


class ToldAction(msgspec.Struct, frozen=True, kw_only=True):
    """An action that was played: its player, the action, and the pawn's cell at that time."""

    action: int
    player: str
    do: str
    cell: Cell


class TurnRuling(msgspec.Struct, frozen=True, kw_only=True):
    """The ruling on a turn. `legal` is None where a problem prevents play; `differs` are the differences to
    the photographed board after."""

    format: str = FORMAT
    game: str = "stone_dragon"
    player: str
    problems: list[ToldProblem]
    legal: bool | None = None
    violations: list[ToldViolation] = []
    ended: Literal["turn", "dragon", "violation"] | None = None
    actions_used: int = 0
    actions: list[ToldAction] = []
    fights: list[ToldFight] = []
    asked: list[Asked] = []
    slayer: str | None = None
    after: dict[str, Any] | None = None
    differs: list[Difference] = []


@dataclass
class UnderWay:
    """The state of a turn during its ruling. `interrupting` is the player who has one action in another's
    turn."""

    player: str
    position: Position
    used: int = 0
    left: int = ACTIONS
    interrupting: str | None = None
    played: list[ToldAction] = field(default_factory=list)
    fights: list[ToldFight] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)

    def take(self, action: Action, number: int) -> None:
        """Play one action. Raises `Breach`, and nothing has happened then."""
        by = action.by or self.player
        if self.position.slayer is not None or self.position.dragon_life <= 0:
            raise Breach("after-end")
        interrupts = by == self.interrupting
        if by != self.player and not interrupts:
            raise Breach("not-your-turn", player=by)
        is_free = isinstance(action, (Change, Equip, Reveal))
        may_act = interrupts or self.left > 0 or (is_free and self.position.house.free_after_last)
        if not may_act:
            raise Breach("no-actions-left", player=by)
        position = self.position.copy()
        done = play(position, position.holders[by], action, number)
        self.position = position
        if not interrupts:
            self.interrupting = None
        if not is_free:
            if interrupts:
                self.interrupting = None
            else:
                self.used += 1
                self.left -= 1
        if done.outcome is not None:
            self._after_fight(done.outcome)
        if done.asked is not None:
            self.asked.append(Asked(action=number, player=by, card=done.asked))
        column, row = position.holders[by].cell % 4, position.holders[by].cell // 4
        name: Any = action.__struct_config__.tag
        self.played.append(ToldAction(action=number, player=by, do=name, cell=(column, row)))

    def _after_fight(self, outcome: Outcome) -> None:
        self.fights.append(outcome.fight)
        beaten = outcome.beaten
        if beaten is None:
            return
        one_more = self.position.has(self.position.holders[beaten], "action_on_defeat")
        if beaten == self.player:
            if self.position.house.defeat_ends_turn:
                self.left = 0
            self.left += one_more
        elif one_more:
            self.interrupting = beaten


def rule_turn(turn: TurnRecord, pieces: Pieces, house: House) -> TurnRuling:
    """The ruling on a turn. Raises `WaymarkError` for an impossible record."""
    problems = problems_of(turn.before, pieces)
    if not can_play(problems):
        return TurnRuling(player=turn.player, problems=told_problems(problems))
    under_way = UnderWay(turn.player, position_of(turn.before, pieces, house))
    violations = []
    mover = turn.before.to_move
    try:
        if mover is not None and mover != turn.player:
            _refuse_first(under_way, turn.player)
        for number, action in enumerate(turn.claims.actions):
            under_way.take(action, number)
    except Breach as breach:
        words = filled(VIOLATIONS, breach.rule, **breach.about)
        number = len(under_way.played)
        violations.append(
            ToldViolation(rule=breach.rule, action=number, message=words.en, message_ja=words.ja)
        )
    after = board_of(under_way.position, turn.before)
    return _told(turn, under_way, violations, after, told_problems(problems), pieces)


def _refuse_first(under_way: UnderWay, player: str) -> None:
    if under_way.position.dragon_life <= 0:
        raise Breach("after-end")
    raise Breach("not-your-turn", player=player)


def _told(
    turn: TurnRecord,
    under_way: UnderWay,
    violations: list[ToldViolation],
    after: Board,
    problems: list[ToldProblem],
    pieces: Pieces,
) -> TurnRuling:
    slayer = under_way.position.slayer
    ended: Literal["turn", "dragon", "violation"] = "dragon" if slayer is not None else "turn"
    return TurnRuling(
        player=turn.player,
        problems=problems,
        legal=not violations,
        violations=violations,
        ended="violation" if violations else ended,
        actions_used=under_way.used,
        actions=under_way.played,
        fights=under_way.fights,
        asked=under_way.asked,
        slayer=slayer,
        after=board_told(after),
        differs=[] if turn.after is None else compare(after, turn.after, pieces),
    )
