"""Manual scores: they override the photo's until they are withdrawn.

All functions work inside the caller's transaction and leave `game.version` higher when they change
anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorer.errors import Code, WaymarkError
from scorer.text import Text, listed
from webapp.games.games import touch
from webapp.games.preconditions import entry_told
from webapp.games.score_sheet import live_tableau
from webapp.store.boxes import boxes_of, empty_boxes, ruled_boxes, rules_of_entry, write_boxes
from webapp.store.database import BOX, get_row, not_found
from webapp.store.models import Change, Entry, now
from webapp.store.tables import shared_entry


def type_score(session: Session, entry: Entry, values: Mapping[str, Any]) -> Change | None:
    """Write boxes by hand, by column; they override the photo's ruling. Returns the change for `undo`, or
    None where nothing changed."""
    game = entry.round.game
    before = standing_changes(session, entry)
    # In one flush, so that the journal has one change.
    with session.no_autoflush:
        write_boxes(entry, values)
        entry.typed = True
    touch(game)
    return _newest(session, entry, before)


def follow_photo(session: Session, entry: Entry) -> Change | None:
    """Withdraw typed values, so that the photo's ruling fills the boxes again. Returns the change for `undo`,
    or None where nothing was typed."""
    before = standing_changes(session, entry)
    # In one flush, so that the journal has one change.
    with session.no_autoflush:
        entry.typed = False
        take_ruling(entry)
    return _newest(session, entry, before)


def take_ruling(entry: Entry) -> None:
    """Fill the boxes of an untyped round from the photo's ruling; without a ruling they are emptied."""
    tableau, game = live_tableau(shared_entry(entry)), entry.round.game
    if tableau is not None and tableau.ruling is not None:
        write_boxes(entry, ruled_boxes(rules_of_entry(entry), tableau.ruling))
    else:
        empty_boxes(entry)
    touch(game)


def undo(session: Session, entry: Entry, change_id: str) -> Change | None:
    """Undo one manual score by its change; values that others wrote stay. Returns the latest remaining
    change, or None. Undoing twice has no further effect. Raises `WaymarkError`: not-found for an invalid
    change, conflict where a newer value was written over it."""
    change = get_row(session, Change, change_id, deleted=True)
    standing = standing_changes(session, entry)
    if change.noun_id == entry.id and change.deleted_at is not None:
        return standing[0] if standing else None
    if change not in standing:
        raise not_found()
    later = standing[: standing.index(change)]
    columns = set(_by_hand(change))
    over = [each for each in later if columns & each.before.keys()]
    if over:
        raise _written_over(entry, change, over)
    before = {column: change.before[column] for column in columns}
    if later and "typed" in before:
        # The values entered at the same time still replace the photo's; the first of these changes now
        # records that.
        heir = later[-1]
        heir.before, heir.after = {**heir.before, "typed": before.pop("typed")}, {**heir.after, "typed": True}
    known = _journal(session, entry)
    boxes = {column.removeprefix(BOX): value for column, value in before.items() if column.startswith(BOX)}
    write_boxes(entry, boxes)
    entry.typed = before.get("typed", entry.typed)
    if not entry.typed:
        take_ruling(entry)
    session.flush()
    # Undoing is recorded in the journal, too; both changes leave the list of undoable changes.
    for row in (change, *(row for row in _journal(session, entry) if row not in known)):
        row.deleted_at = now()
    touch(entry.round.game)
    standing = standing_changes(session, entry)
    return standing[0] if standing else None


def standing_changes(session: Session, entry: Entry) -> list[Change]:
    """Manual changes of an entry's score that were not undone, newest first. A change whose earlier value was
    not typed replaced the photo's value."""
    found, typed = [], entry.typed
    for change in _journal(session, entry):
        by_hand = typed or "typed" in change.before
        if change.deleted_at is None and by_hand and _by_hand(change):
            found.append(change)
        if change.deleted_at is None:
            typed = change.before.get("typed", typed)
    return found


def _newest(session: Session, entry: Entry, before: list[Change]) -> Change | None:
    standing = standing_changes(session, entry)
    return standing[0] if standing and standing[0] not in before else None


def _journal(session: Session, entry: Entry) -> list[Change]:
    """All journal rows of an entry, newest first."""
    session.flush()
    journal = select(Change).where(Change.noun == Entry.__tablename__, Change.noun_id == entry.id)
    return list(session.scalars(journal.order_by(Change.sequence.desc())))


def _by_hand(change: Change) -> list[str]:
    """Values of a journal row that concern the score."""
    return [column for column in change.before if column == "typed" or column.startswith(BOX)]


def _written_over(entry: Entry, change: Change, over: list[Change]) -> WaymarkError:
    lost = {column for each in over for column in each.before} & change.before.keys()
    boxes = list(boxes_of(entry))
    now = listed(entry_told(entry, [box for box in boxes if BOX + box in lost] or boxes))
    return WaymarkError(
        Code.CONFLICT,
        Text(
            "A newer entry has replaced this, it now says: {now}; nothing was undone, enter it again if it "
            "is wrong.",
            now=now,
        ),
    )
