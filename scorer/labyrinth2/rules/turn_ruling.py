"""The ruling on a pass (`waymark-turn-ruling/1`)."""

from __future__ import annotations

from typing import Any

import msgspec

from scorer.board_problems import Problem
from scorer.board_record import board_told
from scorer.catalogue import Side
from scorer.labyrinth2.photo import Candidate, contradicted, judge_photos
from scorer.labyrinth2.rules.board_ruling import can_play
from scorer.labyrinth2.rules.house import House
from scorer.labyrinth2.rules.moves import Move, best_of, moves_of
from scorer.labyrinth2.rules.passes import barred, is_further, walked
from scorer.labyrinth2.rules.pieces import Pieces
from scorer.labyrinth2.rules.position import cell_of
from scorer.labyrinth2.rules.problems import problems_of
from scorer.labyrinth2.rules.reported_turn import Judged, board_after, judge_told
from scorer.labyrinth2.rules.table import Table, table_of
from scorer.labyrinth2.rules.turn_record import DragonDie, TurnRecord
from scorer.square_grid import SIDES, Cell

FORMAT = "waymark-turn-ruling/1"


class TurnProblem(msgspec.Struct, frozen=True, kw_only=True):
    """A problem of the board before or after a pass."""

    in_: str = msgspec.field(name="in")
    rule: str
    message: str
    message_ja: str
    cells: list[Cell]


class ToldViolation(msgspec.Struct, frozen=True, kw_only=True):
    rule: str
    message: str
    message_ja: str
    cell: Cell | None


class ToldPush(msgspec.Struct, frozen=True, kw_only=True):
    at: str
    rotation: int
    tile: str | None


class ToldCandidate(msgspec.Struct, frozen=True, kw_only=True):
    at: str
    rotation: int


class ToldFight(msgspec.Struct, frozen=True, kw_only=True):
    player: str | None
    piece: str | None
    by: str | None
    won: bool | None
    lost: str | None


class ToldFinal(msgspec.Struct, frozen=True, kw_only=True):
    sum: int | None
    won: bool
    lost: str | None


class TurnRuling(msgspec.Struct, frozen=True, kw_only=True):
    """The ruling on a pass. `legal` is None where a problem prevents play. `pending` are the decisions still
    missing. `differs` are contradictions between report and photos. `moves` and `best` are the possible
    moves and the best one."""

    format: str = FORMAT
    game: str = "labyrinth2"
    player: str
    problems: list[TurnProblem]
    legal: bool | None = None
    violations: list[ToldViolation] = []
    pending: list[str] = []
    differs: list[str] = []
    push: ToldPush | None = None
    candidates: list[ToldCandidate] = []
    stood: Cell | None = None
    to: Cell | None = None
    walked: bool | None = None
    taken: str | None = None
    die: DragonDie | None = None
    facing: Side | None = None
    result: dict[str, Any] | None = None
    moves: list[Move] | None = None
    best: Move | None = None
    fights: list[ToldFight] = []
    final: ToldFinal | None = None


def rule_turn(turn: TurnRecord, pieces: Pieces, house: House | None = None) -> TurnRuling:
    """The ruling on a pass. A given `house` overrides the settings of its board."""
    before = table_of(turn.before, pieces, house)
    after = None if turn.after is None else table_of(turn.after, pieces, before.house)
    wrong = problems_of(before)
    wrong_after = [] if after is None else _problems_after(turn, after)
    told = [_problem("before", each) for each in wrong]
    told += [_problem("after", each) for each in wrong_after]
    explorer = before.player(turn.player).piece or ""
    moves = None
    if can_play(wrong):
        moves = moves_of(before, explorer, barred=barred(before, further=is_further(turn)))
    if not can_play([*wrong, *wrong_after]):
        return TurnRuling(
            player=turn.player, problems=told, die=turn.claims.die, moves=moves, best=best_of(moves or [])
        )
    candidates: list[Candidate] = []
    if after is None:
        judged = judge_told(turn, before)
    else:
        judged, candidates = judge_photos(turn, before, after)
    return _told(turn, judged, candidates, told, moves, photos=after is not None)


def _problems_after(turn: TurnRecord, after: Table) -> list[Problem]:
    """Problems of the board after a pass. Treasures still to be laid out are no problem, and a missing dragon
    may be with the player who fought it."""
    found = [problem for problem in problems_of(after) if problem.rule != "late-chips"]
    hidden = after.player(turn.player).holds is None
    gone = all(piece.piece not in after.pieces.dragons for piece in after.board.pieces or ())
    if hidden and gone:
        found = [problem for problem in found if problem.rule != "dragon-place"]
    return found


def _problem(where: str, problem: Problem) -> TurnProblem:
    return TurnProblem(
        in_=where,
        rule=problem.rule,
        message=problem.words.en,
        message_ja=problem.words.ja,
        cells=list(problem.cells),
    )


def _told(
    turn: TurnRecord,
    judged: Judged,
    candidates: list[Candidate],
    problems: list[TurnProblem],
    moves: list[Move] | None,
    *,
    photos: bool,
) -> TurnRuling:
    done = judged.done
    legal = not judged.violations
    won = judged.final is not None and judged.final.won
    return TurnRuling(
        player=turn.player,
        problems=problems,
        legal=legal,
        violations=[
            ToldViolation(rule=each.rule, message=each.words.en, message_ja=each.words.ja, cell=each.cell)
            for each in judged.violations
        ],
        pending=list(judged.pending),
        differs=contradicted(turn, judged) if photos else [],
        push=None
        if judged.arrow is None
        else ToldPush(at=judged.arrow, rotation=judged.rotation or 0, tile=done.table.position.spare),
        candidates=[ToldCandidate(at=each.arrow, rotation=each.rotation) for each in candidates],
        stood=cell_of(done.stood),
        to=cell_of(done.to),
        walked=walked(done, taken=judged.taken is not None),
        taken=judged.taken,
        die=judged.die,
        facing=None if judged.facing is None or won else SIDES[judged.facing],
        result=board_told(board_after(judged)) if legal and not photos else None,
        moves=moves,
        best=best_of(moves or []),
        fights=[
            ToldFight(player=each.player, piece=each.piece, by=each.by, won=each.won, lost=each.lost)
            for each in judged.fights
        ],
        final=None
        if judged.final is None
        else ToldFinal(sum=judged.final.sum, won=judged.final.won, lost=judged.final.lost),
    )
