"""Answers of `waymark referee` for one record: the ruling, and on request the steps in words, the
reversed path and the notation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from scorer.catalogue import Catalogue
from scorer.game import Game, referee_either_way
from scorer.verdict import Reason, Report, ToldStep
from waymark.cli.inputs import RecordFile, TermsTold

DirectionChoice = Literal["as-written", "unknown"]


@dataclass(frozen=True)
class RefereeRequest:
    """Options of a refereeing: the requested additions to the ruling. `told`: terms that the record does
    not state."""

    told: TermsTold = field(default_factory=TermsTold)
    direction: DirectionChoice = "as-written"
    explain: bool = False
    notation: bool = False


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """One step of what happened, in words (`scorer.verdict.ToldStep`)."""

    number: int
    place: str
    what: str
    what_ja: str
    held: str
    held_ja: str


@dataclass(frozen=True)
class Refereed:
    """The result of refereeing a record under `terms`. `other` is the ruling on the reversed path, where
    people must choose the direction.
    Further fields: the steps in words, the notation, whether the record's scan was in doubt, and whether
    the record is a turn."""

    game: Game
    terms: Any
    ruling: Any
    other: Any = None
    steps: Sequence[ToldStep] | None = None
    notation: str | None = None
    doubted: bool = False
    is_turn: bool = False

    @property
    def report(self) -> Report:
        """The ruling in the form that is shown to people."""
        turns = self.game.play.turns if self.is_turn else None
        return self.game.words.report(self.ruling) if turns is None else turns.report(self.ruling)

    @property
    def why(self) -> Reason:
        """The deciding reason, in one sentence."""
        turns = self.game.play.turns if self.is_turn else None
        return self.game.words.why(self.ruling) if turns is None else turns.why(self.ruling)


@cache
def _answer_type(ruling: Any) -> type[msgspec.Struct]:
    """The game's ruling type, extended by the additional answer fields. JSON omits unset fields."""
    return msgspec.defstruct(
        "RefereeAnswer",
        [
            ("other_direction", ruling | UnsetType, UNSET),
            ("told", tuple[Told, ...] | UnsetType, UNSET),
            ("notation", str | UnsetType, UNSET),
            ("doubted", bool | UnsetType, UNSET),
        ],
        bases=(ruling,),
        frozen=True,
        kw_only=True,
    )


def referee_record(catalogue: Catalogue, file: RecordFile, wanted: RefereeRequest) -> Refereed:
    """The result of refereeing a record or a turn. Raises `WaymarkError`."""
    game, record = file.game, file.record
    if file.is_turn and game.play.turns is not None:
        terms = game.play.turns.terms_of(record, wanted.told.of(game))
        ruling: Any = game.play.turns.referee(catalogue, record, terms)
        told = game.play.turns.steps(ruling) if wanted.explain else None
        return Refereed(game, terms, ruling, steps=told, is_turn=True)
    board = game.rules.board(catalogue, record)
    terms = game.rules.settings.of(record, wanted.told.of(game))
    other = None
    if wanted.direction == "unknown":
        either = referee_either_way(game, board, record, terms)
        ruling = either.ruling
        if either.choice.asked:
            other = either.other
        if either.turned:
            record = game.rules.backwards(record)
    else:
        ruling = game.rules.referee(board, record, terms)
    steps = game.words.steps(board, ruling) if wanted.explain else None
    written = game.notation.write(record) if wanted.notation and game.notation is not None else None
    return Refereed(game, terms, ruling, other, steps, written, file.doubted)


def referee_answer(refereed: Refereed) -> msgspec.Struct:
    """The ruling as a JSON object, with the requested additions."""
    steps = refereed.steps
    ruling_type: Any = type(refereed.ruling)
    answer: msgspec.Struct = _answer_type(ruling_type)(
        **msgspec.structs.asdict(refereed.ruling),
        other_direction=UNSET if refereed.other is None else refereed.other,
        told=UNSET if steps is None else tuple(_told(step) for step in steps),
        notation=UNSET if refereed.notation is None else refereed.notation,
        doubted=True if refereed.doubted else UNSET,
    )
    return answer


def _told(step: ToldStep) -> Told:
    return Told(
        number=step.number,
        place=step.place,
        what=step.what.en,
        what_ja=step.what.ja,
        held=step.held.en,
        held_ja=step.held.ja,
    )
