"""What `waymark referee` answers about one record: the ruling, and on request the walk in words, the other
direction and the notation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.mapmasters import HOUSE, Ruling, VersusSettings, referee_dungeon
from scorer.mapmasters.direction import path_backwards, referee_dungeon_either_way
from scorer.mapmasters.explain import told_steps
from scorer.notation import to_notation
from waymark.cli.record_files import RecordFile

DirectionChoice = Literal["as-written", "unknown"]


@dataclass(frozen=True)
class RefereeRequest:
    """How a record is to be refereed and what is wanted beside the ruling."""

    settings: VersusSettings = HOUSE
    direction: DirectionChoice = "as-written"
    explain: bool = False
    notation: bool = False


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """One step of the walk in words (`scorer.mapmasters.explain.ToldStep` in both languages)."""

    number: int
    place: str
    what: str
    what_ja: str
    held: str
    held_ja: str


class RefereeAnswer(Ruling, frozen=True, kw_only=True):
    """The ruling, and beside it: that on the path read the other way, where people must say which is right;
    the steps in words; the record in notation; whether a scan was in doubt of it. JSON leaves out what is
    unset."""

    other_direction: Ruling | UnsetType = UNSET
    told: tuple[Told, ...] | UnsetType = UNSET
    notation: str | UnsetType = UNSET
    doubted: bool | UnsetType = UNSET


def answer_record(catalogue: Catalogue, file: RecordFile, wanted: RefereeRequest) -> RefereeAnswer:
    """Referee a record. Raises `WaymarkError`."""
    record = file.record
    dungeon = build_dungeon(catalogue, record.cards)
    other: Ruling | UnsetType = UNSET
    if wanted.direction == "unknown":
        either = referee_dungeon_either_way(dungeon, record, wanted.settings)
        ruling = either.ruling
        if not either.settled:
            other = either.other
        if either.direction.turned:
            record = msgspec.structs.replace(record, path=path_backwards(record.path))
    else:
        ruling = referee_dungeon(dungeon, record, wanted.settings)
    return RefereeAnswer(
        **msgspec.structs.asdict(ruling),
        other_direction=other,
        told=_told(dungeon, ruling) if wanted.explain else UNSET,
        notation=to_notation(record) if wanted.notation else UNSET,
        doubted=True if file.doubted else UNSET,
    )


def _told(dungeon: Dungeon, ruling: Ruling) -> tuple[Told, ...]:
    languages = (told_steps(dungeon, ruling, "en"), told_steps(dungeon, ruling, "ja"))
    return tuple(
        Told(number=en.number, place=en.place, what=en.what, what_ja=ja.what, held=en.held, held_ja=ja.held)
        for en, ja in zip(*languages, strict=True)
    )
