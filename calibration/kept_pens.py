"""Stored pen profiles of players: one file each, in the user's data folder or in a table's data folder.

`$WAYMARK_PENS` overrides the user's folder. A file holds the current pen and the previous one, for one
step of undo. Without a previous pen, undo deletes the file.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Literal

import msgspec
from platformdirs import user_data_path

from calibration.enrol.catalogue_folder import write_whole
from scorer.errors import Code, WaymarkError
from scorer.text import Text
from vision.ink.pens import PenProfile

Format = Literal["waymark-pen/1"]
FORMAT: Format = "waymark-pen/1"
FOLDER_VARIABLE = "WAYMARK_PENS"
#: Whose pen it is where nobody is named.
NOBODY = "me"


class KeptPen(msgspec.Struct, frozen=True, kw_only=True):
    """The stored pen of `player`, with the previously stored one."""

    player: str
    pen: PenProfile
    before: PenProfile | None = None
    format: Format = FORMAT


def pen_folder(data: Path | None = None) -> Path:
    """The folder of pen files: that of a table's data folder, or the user's own."""
    if data is not None:
        return data / "pens"
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else user_data_path("waymark", appauthor=False) / "pens"


def pen_file(player: str, folder: Path) -> Path:
    """The file of a player's pen."""
    return folder / f"{hashlib.sha256(player.encode(errors='replace')).hexdigest()[:20]}.json"


def kept_pen(player: str, folder: Path) -> KeptPen | None:
    """A player's stored pen, or None where none was learned or the file is damaged."""
    return _read(pen_file(player, folder))


def keep_pen(player: str, pen: PenProfile, folder: Path) -> KeptPen:
    """Store a pen as a player's current pen. A pen equal to the stored one changes nothing. Raises
    `WaymarkError` (not-writable)."""
    known = kept_pen(player, folder)
    if known is not None and known.pen == pen:
        return known
    kept = KeptPen(player=player, pen=pen, before=None if known is None else known.pen)
    _write(kept, folder)
    return kept


def undo_pen(player: str, folder: Path) -> tuple[PenProfile | None, PenProfile | None]:
    """Restore a player's previous pen. Returns the pens before and after. Raises `WaymarkError`
    (not-writable)."""
    known = kept_pen(player, folder)
    before = None if known is None else known.before
    put_pen(player, before, folder)
    return (None if known is None else known.pen), before


def put_pen(player: str, pen: PenProfile | None, folder: Path) -> None:
    """Set a player's pen without a previous one, or delete it (None). Raises `WaymarkError`
    (not-writable)."""
    if pen is None:
        pen_file(player, folder).unlink(missing_ok=True)
    else:
        _write(KeptPen(player=player, pen=pen), folder)


def pen_told(told: str, folder: Path) -> PenProfile:
    """The pen from a file, or of a player by name. Raises `WaymarkError` (no-pen)."""
    file = Path(told)
    known = _read(file) if file.is_file() else kept_pen(told, folder)
    if known is None:
        raise WaymarkError(
            Code.NO_PEN,
            Text(
                "No pen is kept for {told!r}, and there is no such file; learn it: waymark calibrate ink "
                "PHOTO --player {told!r}.",
                told=told,
            ),
        )
    return known.pen


def _read(file: Path) -> KeptPen | None:
    try:
        kept = msgspec.json.decode(file.read_bytes(), type=KeptPen)
    except (OSError, msgspec.DecodeError, ValueError):
        return None
    return kept if kept.pen.makes_sense() and (kept.before is None or kept.before.makes_sense()) else None


def _write(kept: KeptPen, folder: Path) -> None:
    write_whole(
        pen_file(kept.player, folder), msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n"
    )
