"""Proposals for a catalogue's folder: every card without a dungeon gets an unconfirmed one.

```
DIR/enrol/proposals/ID.json   the machine's last proposal for a card, before edits by people
DIR/enrol/sights/ID.npz       cached network output for its face; computed again if missing
```
"""

from __future__ import annotations

import hashlib
import io
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.catalogue_folder import ENROL, changed_catalogue, write_whole
from calibration.enrol.propose.icons import most_told_next
from calibration.enrol.propose.knowledge import learn
from calibration.enrol.propose.parts import WEIGHTS, Sight, look
from calibration.enrol.propose.propose import propose
from scorer.catalogue import Card, Point, read_catalogue, told_card
from vision.cards.index import read_art

PROPOSALS, SIGHTS = "proposals", "sights"
_DUNGEON = ("nodes", "edges", "rooms")
_SHAPES = ("starter", "dungeon", "step", "boss")


@dataclass(frozen=True)
class ProposedCard:
    """Summary of a card's proposal: counts of its parts, and the lowest confidence. All counts are zero
    where nothing was found. `unreadable`: the art file cannot be read."""

    card: str
    openings: int
    corridors: int
    rooms: int
    finds: int
    confidence: float | None
    unreadable: bool = False


@dataclass(frozen=True)
class Proposed:
    """Result of a run: the cards with a new proposal, the cards left unchanged because a person edited or
    confirmed them, and the ids of the cards that are most useful to trace next."""

    cards: tuple[ProposedCard, ...]
    left: tuple[str, ...]
    learned_from: int
    trace_next: tuple[str, ...]


def propose_folder(folder: Path) -> Proposed:
    """Propose a dungeon for every untraced card of the catalogue in `folder`, learned from the confirmed
    cards.

    A proposal edited by a person is kept; an unedited one is replaced. Card images are analysed without
    holding the catalogue's lock. Each proposal is written only where the card is still unedited. Raises
    `WaymarkError` (no-catalogue, not-a-catalogue, busy, not-writable).
    """
    catalogue = read_catalogue(folder)
    faces: dict[str, NDArray[np.uint8]] = {}
    sights: dict[str, Sight] = {}

    def sight_of(card: Card, face: NDArray[np.uint8]) -> Sight:
        if card.id not in sights:
            sights[card.id] = _kept_sight(folder, card, face, catalogue.size_of(card.id))
        return sights[card.id]

    knowledge = learn(catalogue, sight_of)
    wanted: list[Card] = []
    left: list[Card] = []
    for card in catalogue.cards:
        if card.kind not in _SHAPES:
            continue
        (wanted if _untouched(folder, told_card(card)) else left).append(card)
    made: dict[str, Card] = {}
    for card in wanted:
        art = read_art(catalogue.art_path(card))
        if art is not None:
            face = faces[card.id] = np.asarray(art, np.uint8)
            size_mm = catalogue.size_of(card.id)
            made[card.id] = propose(face, size_mm, knowledge, like=card, sight=sight_of(card, face))
    written = _written(folder, made)
    told = []
    for card in wanted:
        if card.id in made and card.id not in written:
            left.append(card)  # someone began to trace it meanwhile
            continue
        told.append(_told(card, made.get(card.id)))
    seen = [(card, faces[card.id], catalogue.size_of(card.id)) for card in made.values()]
    order = most_told_next(seen, knowledge.prints)
    return Proposed(tuple(told), tuple(card.id for card in left), knowledge.cards, tuple(order))


def machine_proposal(folder: Path, card_id: str) -> dict[str, Any] | None:
    """The nodes, edges and rooms of the last machine proposal for a card, or None where there is none."""
    with suppress(OSError, msgspec.DecodeError):
        told = msgspec.json.decode(_proposal_file(folder, card_id).read_bytes())
        if isinstance(told, dict):
            return {part: told.get(part) or [] for part in _DUNGEON}
    return None


def copy_proposal(folder: Path, old: str, new: str) -> None:
    """Copy a card's machine proposal to a new id, before the card is renamed. Raises `WaymarkError`
    (not-writable)."""
    try:
        told = msgspec.json.decode(_proposal_file(folder, old).read_bytes())
    except (OSError, msgspec.DecodeError):
        forget_proposal(folder, new)
        return
    write_whole(_proposal_file(folder, new), msgspec.json.encode({**told, "card": new}))


def turn_proposal(folder: Path, told: dict[str, Any], turned: dict[str, Any]) -> None:
    """Rotate the stored proposal with a card that is about to be rotated, if its dungeon is the unedited
    proposal. Raises `WaymarkError` (not-writable)."""
    if told.get("traced") == "proposed" and _untouched(folder, told):
        whole = {"card": told["id"], **_dungeon_of(turned)}
        write_whole(_proposal_file(folder, told["id"]), msgspec.json.encode(whole))


def forget_proposal(folder: Path, card_id: str) -> None:
    """Delete the stored proposal of a card id that is no longer used."""
    with suppress(OSError):
        _proposal_file(folder, card_id).unlink()


def _proposal_file(folder: Path, card_id: str) -> Path:
    return folder / ENROL / PROPOSALS / f"{quote(card_id, safe='')}.json"


def _untouched(folder: Path, told: dict[str, Any]) -> bool:
    """Whether a card has no dungeon, or has exactly the dungeon of the machine's proposal."""
    if not any(told.get(part) for part in _DUNGEON):
        return told.get("traced") != "yes"  # a card without any way, says a person
    if told.get("traced") != "proposed":
        return False
    machine = machine_proposal(folder, str(told.get("id")))
    return machine is not None and machine == _dungeon_of(told)


def _dungeon_of(told: dict[str, Any]) -> dict[str, Any]:
    """The nodes, edges and rooms of a card's JSON, normalised to the form of stored proposals."""
    card = msgspec.convert({**told, "art": told.get("art", "")}, Card)
    whole = msgspec.json.decode(msgspec.json.encode(told_card(card)))
    return {part: whole.get(part) or [] for part in _DUNGEON}


def _written(folder: Path, made: dict[str, Card]) -> set[str]:
    """Write the proposals of cards that are still unedited. Returns the ids of the written cards."""
    written: set[str] = set()
    with changed_catalogue(folder) as told:
        for entry in told["cards"]:
            card = made.get(str(entry.get("id")))
            if card is None or entry.get("art") != card.art or not _untouched(folder, entry):
                continue
            dungeon = _dungeon_of(told_card(card))
            if any(dungeon.values()):
                # the machine's own is there first: what stands in the catalogue is never without it
                write_whole(
                    _proposal_file(folder, card.id), msgspec.json.encode({"card": card.id, **dungeon})
                )
                entry.update(dungeon, traced="proposed")
            else:
                entry.update({part: [] for part in _DUNGEON}, traced="no")
            written.add(card.id)
    return written


def _told(card: Card, made: Card | None) -> ProposedCard:
    if made is None:
        return ProposedCard(card.id, 0, 0, 0, 0, None, unreadable=True)
    finds = [node.confidence for node in made.nodes if node.find]
    finds += [find.confidence for room in made.rooms for find in room.finds]
    sure = [node.confidence for node in made.nodes] + [edge.confidence for edge in made.edges]
    sure += [room.confidence for room in made.rooms] + finds
    return ProposedCard(
        card=card.id,
        openings=sum(node.kind == "opening" for node in made.nodes),
        corridors=sum(edge.kind == "corridor" for edge in made.edges),
        rooms=len(made.rooms),
        finds=len(finds),
        confidence=min((chance for chance in sure if chance is not None), default=None),
    )


def _kept_sight(folder: Path, card: Card, face: NDArray[np.uint8], size_mm: Point) -> Sight:
    """The network's output for a face, from a cache file beside the faces. Inference costs more than all
    other steps."""
    stat = WEIGHTS.stat()
    digest = hashlib.sha256(f"{stat.st_size} {stat.st_mtime_ns} {size_mm} {face.shape}".encode())
    digest.update(face.tobytes())
    key = digest.hexdigest()
    file = folder / ENROL / SIGHTS / f"{quote(card.id, safe='')}.npz"
    with suppress(OSError, ValueError, KeyError), np.load(file, allow_pickle=False) as kept:
        if str(kept["key"]) == key:
            return Sight(kept["odds"].astype(np.float32), kept["features"].astype(np.float32))
    sight = look(face, size_mm)
    packed = io.BytesIO()
    np.savez_compressed(
        packed, key=key, odds=sight.odds.astype(np.float16), features=sight.features.astype(np.float16)
    )
    write_whole(file, packed.getvalue())
    return sight
