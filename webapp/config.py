"""Settings of the server, chosen at its start."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from platformdirs import user_data_path

MEGABYTE = 1 << 20


def default_data_folder() -> Path:
    """Default folder for photos and scores: the user's data folder of the system. An existing folder below
    `.local/share`, from older versions, is preferred."""
    older = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "waymark"
    return older if older.is_dir() else user_data_path("waymark", appauthor=False)


@dataclass(frozen=True)
class ServerConfig:
    """Settings of one server. `catalogue` is a folder of cards (None: the open deck); `scan_workers`
    processes read photos (0: photos are stored and not read, for tests of the queue); `pin` is the table's
    PIN or None. Photos are stored in the data folder unless `photos_url` names another place
    (`webapp.store.photo_places`)."""

    data: Path = field(default_factory=default_data_folder)
    database_url: str | None = None
    photos_url: str | None = None
    catalogue: Path | None = None
    pin: str | None = None
    scan_workers: int = 2
    #: Largest accepted request body; `vision.photo.file_header` limits the photo itself, before it is
    #: decoded.
    max_upload_bytes: int = 64 * MEGABYTE
    #: Largest log (zip) that is imported. The limit lets a table's own export come back; the free disk space
    #: is checked before the upload.
    max_log_bytes: int = 1 << 50
    #: Maximum requests of one client per minute: all requests, photo uploads, and attempts at the PIN.
    requests_per_minute: int = 1200
    uploads_per_minute: int = 120
    pin_tries_per_minute: int = 10
    #: Whether no other device can reach the server (it listens at the loopback address).
    alone: bool = False
    #: Host names of the table beside its addresses and the names of a home network.
    host_names: tuple[str, ...] = ()
    #: Addresses or networks of reverse proxies, whose forwarding headers are trusted.
    trusted_proxies: tuple[str, ...] = ()
    #: Whether pages are reached only by https; cookies are then marked as secure.
    https: bool = False

    def __post_init__(self) -> None:
        # The path stays valid if the working directory changes.
        object.__setattr__(self, "data", self.data.absolute())

    @property
    def url(self) -> str:
        """SQLAlchemy URL of the database: SQLite in the data folder unless another database was
        configured."""
        return self.database_url or f"sqlite:///{self.data / 'waymark.sqlite3'}"

    @property
    def photos(self) -> Path:
        """Folder of the originals, if they are stored in the data folder."""
        return self.data / "photos"

    @property
    def photos_at(self) -> str | Path:
        """Location of the originals: a folder or a URL."""
        return self.photos_url or self.photos

    @property
    def receiving(self) -> Path:
        """Folder for uploads in progress, on the disk of the photos; its files are useless after the server
        has ended."""
        return self.data / "receiving"

    @property
    def display_copies(self) -> Path:
        """Folder of re-encoded copies for pages, if stored in the data folder; they can be made again at any
        time."""
        return self.data / "display"
