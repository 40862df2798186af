"""Storage operations that differ by the kind of play: one player's tableau, a shared table, or a board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.game import Game as Rules
from scorer.play_kinds import BOARD, TABLE, TABLEAU, PlayKind, play_kind
from waymark.review.pipeline import decode_reading
from webapp.store import boards, records, tableaus, tables
from webapp.store.boxes import kind_of
from webapp.store.models import Revision, Shot, Tableau
from webapp.store.revisions import Judge, current_revision, revision_numbered


@dataclass(frozen=True)
class SharedPhotos:
    """Operations on photos of what all players share. `told` gives the stated facts for reading a photo,
    `read` encodes the reading of one turn's photos, and `take` saves that encoding."""

    told: Callable[[Tableau], dict[str, bytes]]
    read: Callable[[Sequence[Path], Catalogue, Rules, dict[str, bytes], Callable[[str], None]], bytes]
    take: Callable[[Session, Catalogue, Shot, bytes], None]


@dataclass(frozen=True)
class Kept:
    """Storage operations of one kind of play. `judge` referees the current state. `check_record` and
    `check_reading` raise `ValueError`, `TypeError` or `WaymarkError` for invalid values. `by_photo` are the
    kinds of revisions that undo does not revert."""

    judge: Judge
    check_record: Callable[[Any, Rules | None], object]
    check_reading: Callable[[bytes], None]
    by_photo: frozenset[str]
    photos: SharedPhotos | None = None


_KEPT: dict[PlayKind, Kept] = {
    TABLEAU: Kept(
        tableaus.judge_tableau, records.check_record, records.check_tableau_reading, frozenset({"read"})
    ),
    TABLE: Kept(
        tables.judge_table,
        records.check_table_record,
        records.check_table_reading,
        tables.BY_PHOTO,
        SharedPhotos(tables.told_of_table, tables.read_photos, tables.take_table),
    ),
    BOARD: Kept(
        boards.judge_board,
        records.check_board_record,
        records.check_board_reading,
        frozenset(),
        SharedPhotos(lambda tableau: {}, boards.read_photos, boards.take_board),
    ),
}


def kept(tableau: Tableau) -> Kept:
    """The storage operations for the kind of a tableau."""
    return _KEPT[kind_of(tableau)]


def kept_by(rules: Rules | None) -> Kept:
    """The storage operations for the kind of play of these rules; one player's where the rules are
    unknown."""
    return _KEPT[TABLEAU if rules is None else play_kind(rules)]


class _Headed(msgspec.Struct):
    """The fields that distinguish encoded readings of the three kinds. They stay undecoded, since a value may
    be null."""

    tableau: msgspec.Raw = msgspec.Raw(b"")
    grid_px: msgspec.Raw = msgspec.Raw(b"")


def decode_any(data: bytes) -> object:
    """Decode a stored reading of any kind. Raises `msgspec.DecodeError`."""
    head = msgspec.json.decode(data, type=_Headed)
    if bytes(head.tableau):
        return decode_reading(data)
    return boards.decode_board(data) if bytes(head.grid_px) else tables.decode_table(data)


def rejudge(session: Session, catalogue: Catalogue, tableau: Tableau) -> None:
    """Referee a tableau again after a change of means, objectives or house rules. The score of its round
    follows, unless a person typed the score."""
    kept(tableau).judge(session, catalogue, tableau)


def undoable(tableau: Tableau) -> Revision | None:
    """The revision that undo returns to; None where there is nothing to undo."""
    stands = current_revision(tableau)
    if stands is None or stands.kind in kept(tableau).by_photo:
        return None
    return revision_numbered(tableau, stands.before) if stands.before is not None else None


def redoable(tableau: Tableau) -> Revision | None:
    """The revision that redo returns to: the latest change that was made to the current revision."""
    stands, by_photo = current_revision(tableau), kept(tableau).by_photo
    after = [
        revision
        for revision in tableau.revisions
        if stands is not None
        and revision.before == stands.number
        and revision.repeats is None
        and revision.kind not in by_photo
    ]
    return max(after, key=lambda revision: revision.number, default=None)
