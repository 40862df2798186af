"""What `waymark referee` answers about one record: the ruling, and on request the steps in words, the other
direction and the notation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from scorer.catalogue import Catalogue
from scorer.game import Game, ToldStep, referee_either_way
from waymark.cli.inputs import RecordFile

DirectionChoice = Literal["as-written", "unknown"]


@dataclass(frozen=True)
class RefereeRequest:
    """How a record is to be refereed and what is wanted beside the ruling. `values` are terms that the
    record does not tell (house rules), by their ids; None: as usual."""

    values: dict[str, Any] | None = None
    direction: DirectionChoice = "as-written"
    explain: bool = False
    notation: bool = False


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """One step of what happened, in words (`scorer.game.ToldStep`)."""

    number: int
    place: str
    what: str
    what_ja: str
    held: str
    held_ja: str


@dataclass(frozen=True)
class Refereed:
    """A record's ruling, and beside it: that on the record read the other way, where people must say which
    is right (`other`); the steps in words; the record in notation; whether a scan was in doubt of it."""

    game: Game
    ruling: Any
    other: Any = None
    steps: tuple[ToldStep, ...] | None = None
    notation: str | None = None
    doubted: bool = False

    def answer(self) -> msgspec.Struct:
        """The ruling's JSON object, with what was found beside it."""
        told = UNSET if self.steps is None else tuple(_told(step) for step in self.steps)
        ruling_type: Any = self.game.verdict_type
        answer: msgspec.Struct = _answer_type(ruling_type)(
            **msgspec.structs.asdict(self.ruling),
            other_direction=UNSET if self.other is None else self.other,
            told=told,
            notation=UNSET if self.notation is None else self.notation,
            doubted=True if self.doubted else UNSET,
        )
        return answer


@cache
def _answer_type(ruling: Any) -> type[msgspec.Struct]:
    """A game's ruling with the fields that are answered beside it. JSON leaves out what is unset."""
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
    """Referee a record. Raises `WaymarkError`."""
    game, record = file.game, file.record
    board = game.board(catalogue, record)
    terms = game.terms_of(record, game.make_terms(wanted.values or {}))
    other = None
    if wanted.direction == "unknown":
        either = referee_either_way(game, board, record, terms)
        ruling = either.ruling
        if either.choice.asked:
            other = either.other
        if either.turned:
            record = game.backwards(record)
    else:
        ruling = game.referee(board, record, terms)
    return Refereed(
        game,
        ruling,
        other,
        tuple(game.steps(board, ruling)) if wanted.explain else None,
        game.notation.write(record) if wanted.notation and game.notation is not None else None,
        file.doubted,
    )


def _told(step: ToldStep) -> Told:
    return Told(
        number=step.number,
        place=step.place,
        what=step.what.en,
        what_ja=step.what.ja,
        held=step.held.en,
        held_ja=step.held.ja,
    )
