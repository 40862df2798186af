"""Edits of a box by its owner: name of the box, names of cards, removal and return of cards, and rotation.

Each edit is one write of the catalogue, and is undone by the opposite edit. Scans made earlier remain
linked to their card: a renamed card keeps its old names (`former`), and a removed card is listed in `out`.
A card is rotated with its art. The data of enrolment and tracing are rotated at their next use
(`turned_art`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import Any

import cv2
import msgspec

from calibration.enrol.catalogue_folder import changed_catalogue, turned_art, write_whole
from calibration.enrol.faces.store import png
from calibration.enrol.propose.folder import copy_proposal, forget_proposal, turn_proposal
from calibration.enrol.trace.drafts import copy_kept_draft, drafts_held, forget_draft
from calibration.enrol.trace.tracing import tracing_of, turned
from scorer.catalogue import Card, art_file, told_card
from scorer.errors import Code, WaymarkError
from scorer.text import Text
from vision.cards.index import read_art

MOST_LETTERS = 60


def rename_box(folder: Path, name: str, seen: str) -> None:
    """Rename a box. `seen` is the name shown to the user. Raises `WaymarkError` (not-valid; conflict where
    another device renamed the box first)."""
    name = _checked(name)
    with changed_catalogue(folder) as told:
        if told["name"] != seen:
            raise WaymarkError(
                Code.CONFLICT,
                Text(
                    "Another device has called this box “{name}” meanwhile; look, and try again.",
                    name=told["name"],
                ),
            )
        told["name"] = name


def rename_card(folder: Path, card_id: str, name: str) -> None:
    """Rename a card, with its scans and drafts. Raises `WaymarkError` (unknown-card, not-valid; conflict
    where another card has or had that name)."""
    name = _checked(name)
    if name == card_id:
        return
    with drafts_held(folder):
        _rename(folder, card_id, name)
        forget_draft(folder, card_id)
        forget_proposal(folder, card_id)


def _rename(folder: Path, card_id: str, name: str) -> None:
    with changed_catalogue(folder) as told:
        entry = _entry(told["cards"], card_id)
        for other in (*told["cards"], *told.get("out", ())):
            taken = [other["id"], *other.get("former", ())]
            if other is not entry and name.casefold() in map(str.casefold, taken):
                raise WaymarkError(
                    Code.CONFLICT,
                    Text("Another card has or had the name {name}; choose another one.", name=name),
                )
        # What is drawn lies under both names until the catalogue has the new one.
        copy_kept_draft(folder, card_id, name)
        copy_proposal(folder, card_id, name)
        former = [each for each in entry.get("former", ()) if each != name]
        entry |= {"id": name, "former": [*former, card_id]}


def take_out(folder: Path, card_id: str) -> None:
    """Remove a card from the box without deleting its data. Raises `WaymarkError` (unknown-card)."""
    _carried(folder, card_id, "cards", "out")


def put_back(folder: Path, card_id: str) -> None:
    """Return a removed card to the box. Raises `WaymarkError` (unknown-card)."""
    _carried(folder, card_id, "out", "cards")


def turn_card(
    folder: Path, card_id: str, held: Callable[[], AbstractContextManager[None]] = nullcontext
) -> None:
    """Rotate a card with its dungeon by 180 degrees. `held` is a context entered before the first write
    and left after the last. An error raised by it leaves the card unchanged. Raises `WaymarkError`
    (unknown-card; no-file where the art cannot be read)."""
    with ExitStack() as until_written, drafts_held(folder), changed_catalogue(folder) as told:
        until_written.enter_context(held())
        entry = _entry(told["cards"], card_id)
        card = msgspec.convert(entry, Card)
        art = read_art(art_file(folder, card))
        if art is None:
            raise WaymarkError(
                Code.NO_FILE,
                Text(
                    "The picture of the card {card_id} cannot be read; photograph the card again.",
                    card_id=card_id,
                ),
            )
        size = tuple(entry.get("size_mm") or told["card_size_mm"])
        dungeon = turned(tracing_of(card), (float(size[0]), float(size[1])))
        new = told_card(msgspec.structs.replace(card, **msgspec.structs.asdict(dungeon)))
        # The new picture is there before anything names it.
        write_whole(folder / turned_art(card.art), png(cv2.rotate(art, cv2.ROTATE_180)))
        new = {key: new[key] for key in ("nodes", "edges", "rooms")}
        turn_proposal(folder, entry, entry | new)
        entry |= new | {"art": turned_art(card.art)}


def _carried(folder: Path, card_id: str, here: str, there: str) -> None:
    with changed_catalogue(folder) as told:
        entry = _entry(told.get(here, []), card_id)
        at = told[here].index(entry)
        del told[here][at]
        if there == "out":
            told.setdefault("out", []).append(entry | {"at": at})
        else:
            # Back to where it was.
            told["cards"].insert(entry.pop("at", len(told["cards"])), entry)
        if not told.get("out"):
            told.pop("out", None)


def _entry(entries: list[dict[str, Any]], card_id: str) -> dict[str, Any]:
    entry = next((each for each in entries if each["id"] == card_id), None)
    if entry is None:
        raise WaymarkError(
            Code.UNKNOWN_CARD,
            Text(
                "The card {card_id} is not there any more; maybe another device changed it.", card_id=card_id
            ),
        )
    return entry


def _checked(name: str) -> str:
    name = name.strip()
    if not name or len(name) > MOST_LETTERS or not name.isprintable():
        raise WaymarkError(
            Code.NOT_VALID,
            Text("A name has 1 to {most_letters} printable letters.", most_letters=MOST_LETTERS),
        )
    return name
