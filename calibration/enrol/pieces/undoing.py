"""Undo of changes to a box of pieces: the previous and the new version of each changed catalogue entry.

```
DIR/enrol/changes.json   the last `MOST` changes, the newest last
```
No art is overwritten by a change, so a restored entry still has its picture. A change can be undone only
while the same entries have not been changed since.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from calibration.enrol.catalogue_folder import ENROL, changed_catalogue, write_whole
from scorer.errors import Code, WaymarkError
from scorer.text import Text

_FILE = "changes.json"
MOST = 100

Entry = dict[str, Any]


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """A change by its number: the entries before it, each with its position (None: absent), and the
    versions after it ("" for deleted entries)."""

    number: int
    before: dict[str, tuple[int, Entry] | None]
    after: dict[str, str]


def version_of(entry: Mapping[str, Any]) -> str:
    """Hash of an entry, which differs whenever any field differs."""
    told = msgspec.json.encode(dict(entry), order="deterministic")
    return hashlib.sha256(told).hexdigest()[:12]


def seen_version(entry: Mapping[str, Any]) -> str:
    """Hash of the visible fields of an entry. Confidences are excluded, since every photo of similar
    pieces changes them."""
    shown = {name: told for name, told in entry.items() if name != "asked" or told not in ("ways", "sort")}
    nodes = [
        {name: told for name, told in node.items() if name != "confidence"} for node in entry.get("nodes", ())
    ]
    return version_of(shown | {"nodes": nodes})


def changes_of(folder: Path) -> list[Change]:
    """The changes that can be undone, the newest last; empty where the file cannot be read."""
    try:
        return msgspec.json.decode((folder / ENROL / _FILE).read_bytes(), type=list[Change])
    except (OSError, msgspec.DecodeError):
        return []


@contextmanager
def changed_box(folder: Path, new: dict[str, Any] | None = None) -> Iterator[dict[str, Any]]:
    """Context manager: `changed_catalogue`, with the change recorded for undo. Needs the lock
    `one_enrolment`. Raises `WaymarkError`."""
    before: list[Entry] = []
    with changed_catalogue(folder, new) as told:
        before = msgspec.json.decode(msgspec.json.encode(told["cards"]))
        yield told
    _keep(folder, before, told["cards"])


def take_back(folder: Path, number: int) -> None:
    """Undo a change by its number. Needs the lock `one_enrolment`. Raises `WaymarkError` (conflict where
    the same pieces were changed since, or the change was undone already)."""
    changes = changes_of(folder)
    change = next((each for each in changes if each.number == number), None)
    with changed_catalogue(folder) as told:
        here = {entry["id"]: entry for entry in told["cards"]}
        now = (
            {name: version_of(here[name]) if name in here else "" for name in change.after} if change else {}
        )
        if change is None or now != change.after:
            raise WaymarkError(
                Code.CONFLICT,
                Text(
                    "This cannot be undone any more: these pieces were changed since, maybe on another "
                    "device."
                ),
            )
        told["cards"] = [entry for entry in told["cards"] if entry["id"] not in change.after]
        back = [each for each in change.before.values() if each is not None]
        for at, entry in sorted(back, key=lambda each: each[0]):
            told["cards"].insert(at, entry)
    _write(folder, [each for each in changes if each.number != number])


def _keep(folder: Path, before: list[Entry], after: list[Entry]) -> None:
    was = {entry["id"]: (at, entry) for at, entry in enumerate(before)}
    now = {entry["id"]: version_of(entry) for entry in after}
    changed = [
        name
        for name in {**was, **now}
        if (version_of(was[name][1]) if name in was else "") != now.get(name, "")
    ]
    if not changed:
        return
    changes = changes_of(folder)
    number = changes[-1].number + 1 if changes else 1
    made = Change(
        number, {name: was.get(name) for name in changed}, {name: now.get(name, "") for name in changed}
    )
    _write(folder, [*changes, made][-MOST:])


def _write(folder: Path, changes: list[Change]) -> None:
    write_whole(folder / ENROL / _FILE, msgspec.json.encode(changes))
