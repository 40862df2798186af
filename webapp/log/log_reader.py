"""Opens a zip of the log and gives out what is in it, checked: nothing of it is taken on trust, and no name
in it ever becomes a path."""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from scorer.errors import Code, WaymarkError
from vision.photo import MAX_FILE_MB
from vision.questions import Question
from waymark.review.pipeline import decode_reading
from waymark.review.question_names import assumption_by_name, kept_questions, names_of
from webapp.log.log_export import LOG_FORMAT, MANIFEST, Manifest, ManifestPhoto
from webapp.log.rows import TABLES, Values, decode_row
from webapp.store.models import Base, Claim, Revision, Tableau

#: What a table's log can hold in ten years of weekly games is a hundredth of this.
MAX_ENTRIES = 200_000
MAX_ROWS_BYTES = 1 << 30
#: A tableau's record with everything in it takes 10 kB, a reading 200 kB.
MAX_ROW_BYTES = 4 << 20
MAX_READING_BYTES = 16 << 20
MAX_MANIFEST_BYTES = 64 << 20

#: Whatever a file that is no zip of ours, or a damaged one, makes the libraries raise.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    msgspec.DecodeError,
    UnicodeError,
)


@contextmanager
def open_log(file: Path) -> Iterator[LogReader]:
    """The log in a zip. Raises `WaymarkError`, then or while it is read: not-a-log, log-broken, too-large."""
    try:
        with zipfile.ZipFile(file) as archive:
            yield LogReader(archive)
    except zipfile.BadZipFile as error:
        raise not_a_log() from error
    except _DAMAGE as error:
        raise log_broken() from error


class LogReader:
    """Reads the parts of an open zip."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._sizes = {info.filename: info.file_size for info in archive.infolist()}
        if MANIFEST not in self._sizes:
            raise not_a_log()
        text = [size for name, size in self._sizes.items() if not name.startswith("photos/")]
        if len(self._sizes) > MAX_ENTRIES or sum(text) > MAX_ROWS_BYTES:
            raise _too_large()
        self.manifest = self._manifest()
        self._shot_of: dict[str, str | None] | None = None

    def _manifest(self) -> Manifest:
        try:
            manifest = msgspec.json.decode(self._whole(MANIFEST, MAX_MANIFEST_BYTES), type=Manifest)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise not_a_log() from error
        if manifest.format != LOG_FORMAT:
            raise not_a_log()
        return manifest

    def rows(self, table: type[Base]) -> Iterator[Values]:
        """The rows of a table, in the order of their making."""
        listed = self.manifest.tables.get(table.__tablename__)
        if listed is None:
            return
        if listed.file not in self._sizes:
            raise log_broken()
        with self._archive.open(listed.file) as lines:
            while line := lines.readline(MAX_ROW_BYTES + 1):
                if len(line) > MAX_ROW_BYTES:
                    raise _too_large()
                yield self._with_names(table, decode_row(table, line))

    def _with_names(self, table: type[Base], values: Values) -> Values:
        """A row with the questions that it speaks of called by name: older logs call them by number."""
        if table in (Tableau, Revision) and values.get("answered"):
            questions = self._questions(values.get("shot_id"))
            return {**values, "answered": names_of(values["answered"], questions)}
        if table is Claim and values.get("assumes"):
            if self._shot_of is None:
                self._shot_of = {row["id"]: row.get("shot_id") for row in self.rows(Tableau)}
            questions = self._questions(self._shot_of.get(values["tableau_id"]))
            return {**values, "assumes": assumption_by_name(values["assumes"], questions)}
        return values

    def _questions(self, shot_id: str | None) -> tuple[Question, ...]:
        reading = self.reading(shot_id) if shot_id is not None else None
        return kept_questions(reading or b"")

    def reading(self, shot_id: str) -> bytes | None:
        """A shot's reading, None where it had none."""
        name = f"readings/{shot_id}.json"
        if name not in self._sizes:
            return None
        data = self._whole(name, MAX_READING_BYTES)
        decode_reading(data)  # raises what `open_log` tells
        return data

    def photo(self, photo: ManifestPhoto) -> bytes:
        """A photo's bytes, as long and with the hash that the manifest says."""
        data = self._whole(photo.file, MAX_FILE_MB * 1_000_000)
        if len(data) != photo.size_bytes or hashlib.sha256(data).hexdigest() != photo.sha256:
            raise log_broken()
        return data

    def _whole(self, name: str, limit: int) -> bytes:
        size = self._sizes.get(name)
        if size is None:
            raise log_broken()
        if size > limit:
            raise _too_large()
        # A file never gives more than its directory says, and its checksum is compared at its end.
        with self._archive.open(name) as entry:
            return entry.read()


def check_tables(reader: LogReader) -> None:
    """Every row has the right form and they are as many as the manifest says. Raises `WaymarkError`."""
    for table in TABLES:
        listed = reader.manifest.tables.get(table.__tablename__)
        if listed is not None and sum(1 for _ in reader.rows(table)) != listed.rows:
            raise log_broken()


def not_a_log() -> WaymarkError:
    """The error for a file that Waymark did not export."""
    return WaymarkError(
        Code.NOT_A_LOG,
        "This is not a zip that Waymark exported; choose the file waymark-log.zip.",
        "Waymark から書き出した zip ではありません。waymark-log.zip を選んでください。",
    )


def log_broken() -> WaymarkError:
    """The error for a damaged or contradictory log."""
    return WaymarkError(
        Code.LOG_BROKEN,
        "This log is damaged, so nothing was taken from it; export it again and retry.",
        "記録が壊れているため、何も取り込みませんでした。もう一度書き出してからやり直してください。",
    )


def _too_large() -> WaymarkError:
    return WaymarkError(
        Code.TOO_LARGE,
        "This log is larger than any table's can be, so nothing was taken from it; export it again.",
        "記録が大きすぎるため、何も取り込みませんでした。もう一度書き出してください。",
    )
