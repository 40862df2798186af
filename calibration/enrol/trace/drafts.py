"""Unfinished tracings in the catalogue's folder: each edit is written to disk before it is answered.

```
DIR/enrol/tracings/ID.json   one card's draft (the id percent-quoted): every state since it was begun, up to
                             `MOST_STATES`, the machine's proposal as it was, and the effort: taps, seconds
```
A finished draft is written to the catalogue as a whole. Later edits reach the catalogue only when the draft
is finished again. When two devices edit one card, the later one gets a conflict and overwrites nothing.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from calibration.enrol.catalogue_folder import (
    ENROL,
    changed_catalogue,
    one_at_a_time,
    turned_art,
    write_whole,
)
from calibration.enrol.trace.canvas import edited
from calibration.enrol.trace.graph import REACH_MM
from calibration.enrol.trace.tracing import (
    Edit,
    NoEffect,
    Tracing,
    confirmed,
    in_ink,
    problems_of,
    settled,
    tracing_of,
    turned,
    with_tracing,
)
from scorer.catalogue import Card, Catalogue, Point, read_catalogue, told_card
from scorer.errors import Code, WaymarkError
from scorer.text import Text

TRACINGS = "tracings"
#: Greatest number of stored states for undo.
MOST_STATES = 200
#: Seconds to wait for the lock on a box before the error "busy".
_PATIENCE = 20.0
_LOCK = ".tracings-lock"


class Effort(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person's effort on a card since the last report: taps and seconds."""

    taps: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 0
    seconds: Annotated[float, msgspec.Meta(ge=0, le=86_400)] = 0.0


NO_EFFORT = Effort()


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """The unfinished tracing of a card. `states[at]` is the current state. `machine` is the proposal at
    the start of the tracing. `copied` is the id of the card that the dungeon was copied from."""

    version: int
    states: tuple[Tracing, ...]
    at: int = 0
    machine: Tracing | None = None
    done: bool = False
    copied: str | None = None
    taps: int = 0
    seconds: float = 0.0
    #: Art file that the tracing was drawn on.
    art: str = ""

    @property
    def tracing(self) -> Tracing:
        return self.states[self.at]


def draft_of(folder: Path, card: Card, size_mm: Point) -> Draft:
    """The draft of a card, or a new one from the catalogue's dungeon where none is stored. A later change
    of the catalogue takes precedence. A draft of a card that was rotated is rotated too."""
    kept = _read(folder, card.id)
    there = tracing_of(card)
    guess = there if card.tracing == "proposed" else None
    if kept is None:
        return Draft(version=0, states=(there,), machine=guess, done=settled(card), art=card.art)
    if kept.art and kept.art == turned_art(card.art):
        kept = replace(
            kept,
            # Who has it open is told.
            version=kept.version + 1,
            states=tuple(turned(state, size_mm) for state in kept.states),
            machine=kept.machine and turned(kept.machine, size_mm),
        )
    kept = replace(kept, art=card.art)
    if kept.done and kept.tracing != there:
        states = (*kept.states[: kept.at + 1], there)[-MOST_STATES:]
        return replace(
            kept, states=states, at=len(states) - 1, machine=guess or kept.machine, done=settled(card)
        )
    if settled(card) and in_ink(kept.tracing) == there:
        # It was written to the catalogue, and the machine switched off before that was noted here.
        return replace(kept, done=True)
    return kept


def effort_of(folder: Path, card_id: str) -> Draft | None:
    """The stored draft of a card with its effort, or None where no draft was begun."""
    return _read(folder, card_id)


def median_taps(folder: Path, card_ids: list[str]) -> float | None:
    """Median number of taps over the finished cards, or None where no card is finished."""
    taps = [kept.taps for card_id in card_ids if (kept := _read(folder, card_id)) is not None and kept.done]
    return statistics.median(taps) if taps else None


def edit_draft(
    folder: Path,
    card_id: str,
    version: int,
    edit: Edit,
    *,
    reach_mm: float = REACH_MM,
    effort: Effort = NO_EFFORT,
) -> Draft:
    """Apply an edit to a draft and write it to disk. Raises `WaymarkError`: conflict (another device
    edited first), an edit without effect, no such card."""
    return _changed(
        folder,
        card_id,
        version,
        effort,
        lambda draft, card, cards: _with_state(
            draft, edited(draft.tracing, edit, cards.size_of(card.id), reach_mm)
        ),
    )


def step_draft(folder: Path, card_id: str, version: int, step: int, *, effort: Effort = NO_EFFORT) -> Draft:
    """Undo (`step` -1) or redo (1) an edit of a draft."""

    def stepped(draft: Draft, _card: Card, _cards: Catalogue) -> Draft:
        at = draft.at + step
        if not 0 <= at < len(draft.states):
            raise NoEffect(Text("There is nothing more to undo or redo."))
        return replace(draft, at=at, done=False)

    return _changed(folder, card_id, version, effort, stepped)


def copy_draft(
    folder: Path,
    card_id: str,
    version: int,
    other: str,
    *,
    upside_down: bool = False,
    effort: Effort = NO_EFFORT,
) -> Draft:
    """Copy another card's dungeon into a draft as a guess, which a person checks before finishing."""

    def copied(draft: Draft, card: Card, cards: Catalogue) -> Draft:
        source = cards.card(other)
        if source.tracing != "yes":
            raise NoEffect(Text("That card is not traced yet."))
        tracing = tracing_of(source)
        if upside_down:
            tracing = turned(tracing, cards.size_of(card.id))
        return replace(_with_state(draft, tracing), copied=other)

    return _changed(folder, card_id, version, effort, copied)


def finish_draft(
    folder: Path, card_id: str, version: int, *, anyway: bool = False, effort: Effort = NO_EFFORT
) -> Draft:
    """Confirm a whole card, also one without a dungeon, and write it to the catalogue before returning.

    `anyway`: also where the dungeon has problems. Raises `WaymarkError` (unsound-catalogue), and
    `StillInDoubt` while doubtful guesses are left unchecked.
    """

    def finished(draft: Draft, card: Card, cards: Catalogue) -> Draft:
        tracing = confirmed(draft.tracing)
        inked = with_tracing(card, tracing, "yes")
        wrong = problems_of(inked, cards.size_of(card.id))
        if wrong and not anyway:
            raise WaymarkError(
                Code.UNSOUND_CATALOGUE,
                Text("This card still has problems; correct them, or say that it is right anyway."),
            )
        with changed_catalogue(folder) as told:
            for entry in (*told["cards"], *told.get("out", ())):
                if entry.get("id") == card.id:
                    new = told_card(inked)
                    entry |= {key: new[key] for key in ("nodes", "edges", "rooms")}
                    if "goals" in entry:
                        entry["goals"] = new.get("goals", [])
                    entry["traced"] = inked.traced
        return replace(_with_state(draft, tracing), done=True)

    return _changed(folder, card_id, version, effort, finished)


def copy_kept_draft(folder: Path, old: str, new: str) -> None:
    """Copy a card's draft to a new id before the card is renamed. Needs the lock `drafts_held`."""
    if (kept := _read(folder, old)) is not None:
        _write(folder, new, kept)
    else:
        forget_draft(folder, new)


def forget_draft(folder: Path, card_id: str) -> None:
    """Delete the draft of a card id that is no longer used."""
    with suppress(OSError):
        _file(folder, card_id).unlink()


def _changed(
    folder: Path,
    card_id: str,
    version: int,
    effort: Effort,
    change: Callable[[Draft, Card, Catalogue], Draft],
) -> Draft:
    with drafts_held(folder):
        catalogue = read_catalogue(folder)
        card = catalogue.card(card_id)
        draft = draft_of(folder, card, catalogue.size_of(card.id))
        if draft.version != version:
            raise WaymarkError(
                Code.CONFLICT,
                Text(
                    "This card was changed on another device; the current version is shown, continue from it."
                ),
            )
        made = change(draft, card, catalogue)
        made = replace(
            made,
            version=version + 1,
            taps=draft.taps + effort.taps,
            seconds=round(draft.seconds + effort.seconds, 1),
        )
        _write(folder, card.id, made)
        return made


def _with_state(draft: Draft, tracing: Tracing) -> Draft:
    if tracing == draft.tracing:
        return replace(draft, done=False)
    states = (*draft.states[: draft.at + 1], tracing)[-MOST_STATES:]
    return replace(draft, states=states, at=len(states) - 1, done=False)


def drafts_held(folder: Path) -> AbstractContextManager[None]:
    """Lock on all drafts of a box. A change of the catalogue takes this lock first. Raises `WaymarkError`
    (busy, not-writable)."""
    busy = Text("Somebody else is drawing in this box just now; try again in a moment.")
    return one_at_a_time(folder, _LOCK, _PATIENCE, busy)


def _file(folder: Path, card_id: str) -> Path:
    return folder / ENROL / TRACINGS / f"{quote(card_id, safe='')}.json"


def _read(folder: Path, card_id: str) -> Draft | None:
    try:
        return msgspec.json.decode(_file(folder, card_id).read_bytes(), type=Draft)
    except OSError:
        return None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise WaymarkError(
            Code.BROKEN_CATALOGUE,
            Text(
                "The tracing of card {card_id!r} cannot be read; move {file!r} away to begin it anew.",
                card_id=card_id,
                file=_file(folder, card_id).name,
            ),
        ) from error


def _write(folder: Path, card_id: str, draft: Draft) -> None:
    write_whole(_file(folder, card_id), msgspec.json.encode(draft))
