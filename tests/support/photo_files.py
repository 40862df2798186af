"""Where the originals of photos are kept in a folder."""

from __future__ import annotations

from pathlib import Path

from webapp.store.photos import original_key


def original_file(folder: Path, sha256: str) -> Path:
    """The file of an original."""
    return folder / original_key(sha256)
