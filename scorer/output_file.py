"""Output files whose paths are given by the user."""

from __future__ import annotations

from pathlib import Path

from scorer.errors import Code, WaymarkError
from scorer.text import Text


def write_output(file: Path, data: bytes) -> None:
    """Write a file, in a folder that is made where it is not there. Raises `WaymarkError` (not-writable)."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    except OSError as error:
        raise WaymarkError(
            Code.NOT_WRITABLE,
            Text(
                "{file!r} cannot be written ({reason}); choose another place.",
                file=str(file),
                reason=error.strerror,
            ),
        ) from error
