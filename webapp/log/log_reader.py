"""Reader of a log's zip: every part is validated, and no name in the zip ever becomes a path."""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from scorer.errors import Code, WaymarkError
from scorer.text import Text, each_language
from vision.photo.file_header import MAX_FILE_MB
from vision.questions import Question
from waymark.review.tableau.question_names import assumption_by_name, kept_questions, names_of
from webapp.games.soundness import UnsoundRow
from webapp.log.log_export import LOG_FORMAT, MANIFEST, Manifest, ManifestPhoto
from webapp.log.rows import Values, decode_row
from webapp.store.kinds import decode_any
from webapp.store.models import Base, Claim, Revision, Shot, Tableau
from webapp.store.packed_again import PackedFiles

#: Largest row, and largest reading: a complete record of a tableau takes 10 kB, a reading 200 kB.
MAX_ROW_BYTES = 1 << 20
MAX_READING_BYTES = 16 << 20
#: Largest compression ratio of text, and number of bytes of text allowed in any zip: rows, readings and
#: manifests of real tables have a tenth of this.
_MOST_TIMES, _ANY_TEXT_BYTES = 100, 128 << 20
#: Least compressed size of a row (it has an id) and of a photo (it has a hash), which limit their numbers in
#: a zip; and the number of rows allowed in any zip.
_LEAST_ROW_BYTES, _LEAST_PHOTO_BYTES, _ANY_ROWS = 12, 32, 20_000
_MANIFEST_ROW_BYTES = 400
#: Number of characters after which the description of a fault is truncated.
_MOST_TOLD = 200
#: Least size of an entry in the zip's directory.
_LEAST_ENTRY_BYTES = 46

#: Exceptions of the libraries for files that are damaged or not such zips.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    OverflowError,
    RecursionError,
    RuntimeError,
    TypeError,
    ValueError,
)


@contextmanager
def open_log(file: Path) -> Iterator[LogReader]:
    """Context manager that opens a log's zip. Raises `WaymarkError`, at once or while reading: not-a-log,
    log-broken, too-large."""
    try:
        with zipfile.ZipFile(file) as archive:
            yield LogReader(archive, file.stat().st_size)
    except zipfile.BadZipFile as error:
        raise not_a_log() from error
    except UnsoundRow as error:
        raise log_broken(error) from error
    except _DAMAGE as error:
        raise log_broken() from error


class LogReader:
    """Reader of an open zip of known size in bytes, one row or file at a time; the amount of data is limited
    by that size. `shot_of` maps a tableau to the shot whose reading it uses, since older logs refer to
    questions by number."""

    def __init__(self, archive: zipfile.ZipFile, size_bytes: int) -> None:
        self._bytes = size_bytes
        if len(archive.filelist) > _ANY_ROWS + size_bytes // _LEAST_ENTRY_BYTES:
            raise _too_large()
        self._files = PackedFiles(archive, MANIFEST)
        if MANIFEST not in self._files:
            raise not_a_log()
        text = [name for name in self._files.names if not name.startswith("photos/")]
        if (
            sum(self._files.size_bytes(name) or 0 for name in text)
            > _ANY_TEXT_BYTES + _MOST_TIMES * size_bytes
        ):
            raise _too_large()
        self.manifest = self._manifest()
        self.shot_of: Callable[[str], str | None] = lambda tableau_id: None

    def _manifest(self) -> Manifest:
        most = _ANY_ROWS * _MANIFEST_ROW_BYTES + self._bytes // _LEAST_PHOTO_BYTES * _MANIFEST_ROW_BYTES
        try:
            manifest = msgspec.json.decode(self._whole(MANIFEST, most), type=Manifest)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise not_a_log() from error
        if manifest.format != LOG_FORMAT:
            raise not_a_log()
        rows = sum(listed.rows for listed in manifest.tables.values())
        if rows > _ANY_ROWS + self._bytes // _LEAST_ROW_BYTES:
            raise _too_large()
        return manifest

    def rows(self, table: type[Base]) -> Iterator[Values]:
        """The rows of a table in the order of their creation, as many as the manifest says. Raises
        `UnsoundRow`, and the errors of `open_log`."""
        listed = self.manifest.tables.get(table.__tablename__)
        if listed is None:
            return
        if listed.file not in self._files:
            raise log_broken()
        number = 0
        with self._files.open(listed.file) as lines:
            while line := lines.readline(MAX_ROW_BYTES + 1):
                if len(line) > MAX_ROW_BYTES:
                    raise _too_large()
                number += 1
                if number > listed.rows:
                    raise log_broken()
                yield self._row(table, line, number)
        if number != listed.rows:
            raise log_broken()

    def _row(self, table: type[Base], line: bytes, number: int) -> Values:
        try:
            return self._with_names(table, decode_row(table, line))
        except (TypeError, ValueError, RecursionError) as error:
            what = Text("it does not have the form of such a row")
            raise UnsoundRow(table.__tablename__, f"({number})", what) from error

    def _with_names(self, table: type[Base], values: Values) -> Values:
        """A row with questions referred to by name; older logs refer to them by number."""
        if table in (Tableau, Revision) and any(_is_number(each) for each in values.get("answered", ())):
            questions = self._questions(values.get("shot_id"))
            return {**values, "answered": names_of(values["answered"], questions)}
        if table is Claim and values.get("assumes"):
            questions = self._questions(self.shot_of(values["tableau_id"]))
            return {**values, "assumes": assumption_by_name(values["assumes"], questions)}
        return values

    def _questions(self, shot_id: str | None) -> tuple[Question, ...]:
        reading = self.reading(shot_id) if shot_id is not None else None
        return kept_questions(reading or b"")

    def reading(self, shot_id: str) -> bytes | None:
        """A shot's encoded reading; None for a shot without one."""
        name = f"readings/{shot_id}.json"
        if name not in self._files:
            return None
        data = self._whole(name, MAX_READING_BYTES)
        try:
            decode_any(data)
        except (WaymarkError, TypeError, ValueError, RecursionError) as error:
            what = Text("its reading is none")
            raise UnsoundRow(Shot.__tablename__, shot_id, what) from error
        return data

    def photo(self, photo: ManifestPhoto) -> bytes:
        """A photo's bytes, checked against the length and hash in the manifest."""
        data = self._whole(photo.file, MAX_FILE_MB * 1_000_000)
        if len(data) != photo.size_bytes or hashlib.sha256(data).hexdigest() != photo.sha256:
            raise log_broken()
        return data

    def _whole(self, name: str, limit: int) -> bytes:
        size = self._files.size_bytes(name)
        if size is None:
            raise log_broken()
        if size > limit:
            raise _too_large()
        # Reading is limited to the size in the directory, and the checksum is compared at the end.
        with self._files.open(name) as entry:
            return entry.read()


def _is_number(asked: str | int) -> bool:
    return isinstance(asked, int) or (asked.isascii() and asked.isdigit())


def not_a_log() -> WaymarkError:
    """The error for a file that is no Waymark export."""
    return WaymarkError(
        Code.NOT_A_LOG, Text("This is not a zip that Waymark exported; choose the file waymark-log.zip.")
    )


def log_broken(row: UnsoundRow | None = None) -> WaymarkError:
    """The error for a damaged or contradictory log, with the invalid row if known."""
    if row is None:
        words = Text("This log is damaged, so nothing was imported; export it again and retry.")
    else:
        words = Text(
            "This log is damaged (the {row}: {what}), so nothing was imported; export it again and retry.",
            row=row.name,
            what=each_language(lambda language: _first(row.what.message(language))),
        )
    return WaymarkError(Code.LOG_BROKEN, words)


def _first(words: str) -> str:
    """The start of an error text (at most `_MOST_TOLD` characters), without a final full stop."""
    return words[:_MOST_TOLD].rstrip(".。 ")


def _too_large() -> WaymarkError:
    return WaymarkError(
        Code.TOO_LARGE,
        Text("This log is larger than any table's can be, so nothing was imported; export it again."),
    )
