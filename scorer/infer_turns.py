"""Inference of the steps that lead from one seen board to another when nobody has entered them. It is a beam
search over the steps that the rules allow."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from scorer.board_record import Cell

S = TypeVar("S")
Step = Mapping[str, Any]

#: Weight (nats) of a certain observation against a turn that contradicts it.
MOST_NATS = 6.0
#: Weight (nats) of players' possessions, which are recorded less reliably than the board.
HELD_NATS = 2.5
#: A turn that leaves more than this unexplained is none that was played.
EXPLAINED = 1.5
#: The weight (nats) that each further step of a turn must explain in addition.
A_STEP = 0.05
#: Beam width (positions kept after each step) and maximum number of steps.
WIDTH, DEPTH = 160, 9


@dataclass(frozen=True)
class Trust:
    """Confidence weights (nats) of what was seen on a board: tiles by cell, pieces by id, and spaces of a
    separate board. Anything not listed is certain."""

    tiles: Mapping[Cell, float] = field(default_factory=dict)
    pieces: Mapping[str, float] = field(default_factory=dict)
    beside: Mapping[Cell, float] = field(default_factory=dict)

    def tile(self, cell: Cell) -> float:
        return self.tiles.get(cell, MOST_NATS)

    def piece(self, piece: str | None) -> float:
        return self.pieces.get(piece or "", MOST_NATS)

    def space(self, cell: Cell) -> float:
        return self.beside.get(cell, MOST_NATS)


@dataclass(frozen=True)
class SeenTurn:
    """The likeliest turn between two boards: its `steps` in the form of a turn record, and the weight (nats)
    of the observations that they leave `unexplained`.

    `open` says that other turns explain the observations equally well but differ elsewhere. Then `steps` are
    only the common beginning of all of these turns."""

    steps: tuple[Step, ...]
    unexplained: float
    open: bool = False

    @property
    def is_told(self) -> bool:
        """Whether the photos determine the whole turn."""
        return self.unexplained <= EXPLAINED and not self.open


@dataclass(frozen=True)
class Playing(Generic[S]):
    """A game as a search problem. `on` gives the steps from a state with their results. `unlike` is the
    weight (nats) of the observations that a state contradicts. `far` is the distance to the observed
    board, by pieces not yet in place. `key` identifies equal states. `left` gives the lasting part of a
    state after the turn."""

    on: Callable[[S], Iterable[tuple[Step, S]]]
    unlike: Callable[[S], float]
    far: Callable[[S], float]
    key: Callable[[S], Hashable]
    left: Callable[[S], Hashable]


@dataclass(frozen=True)
class _Tried(Generic[S]):
    steps: tuple[Step, ...]
    state: S
    unlike: float


def likeliest(start: S, playing: Playing[S]) -> SeenTurn:
    """The turn that explains most of the observations, with as few steps as possible (beam search)."""
    beam = [_Tried((), start, playing.unlike(start))]
    ends, known = list(beam), {playing.key(start)}
    for _ in range(DEPTH):
        if min(_worth(each) for each in ends) <= A_STEP * len(beam[0].steps):
            break  # all is explained, and longer turns are no likelier
        after = []
        for tried in beam:
            for step, state in playing.on(tried.state):
                key = playing.key(state)
                if key not in known:
                    known.add(key)
                    after.append(_Tried((*tried.steps, step), state, playing.unlike(state)))
        after.sort(key=lambda each: each.unlike + playing.far(each.state))
        beam = after[:WIDTH]
        ends += beam
        if not beam:
            break
    best = min(ends, key=_worth)
    alike = [each for each in ends if _worth(each) <= _worth(best)]
    is_open = len({playing.left(each.state) for each in alike}) > 1
    steps = _common([each.steps for each in alike]) if is_open else best.steps
    return SeenTurn(steps, best.unlike, is_open)


def _worth(tried: _Tried[Any]) -> float:
    return tried.unlike + A_STEP * len(tried.steps)


def _common(turns: Sequence[tuple[Step, ...]]) -> tuple[Step, ...]:
    """The longest common prefix of all turns."""
    shared: list[Step] = []
    for steps in zip(*turns, strict=False):
        if any(step != steps[0] for step in steps):
            break
        shared.append(steps[0])
    return tuple(shared)
