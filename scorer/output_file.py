"""Files that a person asked for by name."""

from __future__ import annotations

from pathlib import Path

from scorer.errors import Code, WaymarkError


def write_output(file: Path, data: bytes) -> None:
    """Write a file, in a folder that is made where it is not there. Raises `WaymarkError` (not-writable)."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    except OSError as error:
        raise WaymarkError(
            Code.NOT_WRITABLE,
            f"{str(file)!r} cannot be written ({error.strerror}); choose another place.",
            f"{str(file)!r} に書き込めません。別の場所を指定してください。",
        ) from error
