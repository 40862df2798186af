"""Taps and seconds of tracing a deck: a simulated person traces every card over the machine's proposals.

    python -m tools.trace_taps --deck DIR [--most 24] [--json FILE]

The person works in a copy of the deck whose cards are untraced and whose faces are worn as if enrolled. The
cards come in the order that the proposals suggest. Each guess in doubt is answered rightly, what else is
wrong is erased, moved or drawn (`tools.mend_tracing`), and the card is confirmed, with the page's own
functions (`edit_draft`, `finish_draft`). What is wrong even then is counted by comparison with the true
dungeon, which replaces it. Cards of one dungeon in several colours are traced once.

Model of the time, at keystroke level: `TAP_SECONDS` for a tap (pointing and pressing) and `LOOK_SECONDS` for
looking over a card before it is confirmed. The page begins with the first question by itself. One tap answers
each guess in doubt; corridors, and openings with doors, are asked about together where several are in doubt:
one tap confirms them all, one erases each wrong one. `MEND_TAPS` mend each other wrong or missing part, and
one tap confirms the card.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import zlib
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from math import dist
from pathlib import Path

import cv2
import msgspec
import numpy as np

from calibration.enrol.catalogue_folder import changed_catalogue, export_catalogue
from calibration.enrol.faces.store import png
from calibration.enrol.propose.comparison import SAME_END_MM, Comparison, compare
from calibration.enrol.propose.folder import propose_folder
from calibration.enrol.trace.drafts import Draft, draft_of, edit_draft, finish_draft
from calibration.enrol.trace.tracing import (
    Change,
    Confirm,
    Edit,
    Erase,
    EraseCorridor,
    NoEffect,
    Part,
    Tracing,
    in_doubt,
    with_tracing,
)
from scorer.catalogue import Card, Catalogue, Edge, Node, load_catalogue, read_catalogue, told_card
from scorer.errors import WaymarkError
from tools.mend_tracing import next_mend, on_an_edge
from waymark.bench_proposals import worn_face

TAP_SECONDS, LOOK_SECONDS = 1.5, 3.0
#: Taps that mend a part nobody was asked about: one chooses it or its tool, one erases or draws it.
MEND_TAPS = 2
#: Proposals are made again after so many traced cards, as the app does within a minute.
PROPOSE_EVERY = 3


@dataclass(frozen=True)
class CardTaps:
    """Effort for one card: answers about guesses in doubt, parts that were mended, and all taps."""

    card: str
    answers: int
    mends: int

    @property
    def taps(self) -> int:
        return self.answers + MEND_TAPS * self.mends + 1

    @property
    def seconds(self) -> float:
        return TAP_SECONDS * self.taps + LOOK_SECONDS


def traced_deck(deck: Catalogue, folder: Path, most: int | None = None) -> list[CardTaps]:
    """Trace `most` distinct dungeons of a deck in an empty folder, and return the effort for each."""
    true = _untraced_copy(deck, folder)
    done: list[CardTaps] = []
    order: list[str] = []
    while true and (most is None or len(done) < most):
        if len(done) % PROPOSE_EVERY == 0:
            order = list(propose_folder(folder).trace_next)
        card_id = next((each for each in order if each in true), next(iter(true)))
        done.append(_trace(folder, true.pop(card_id)))
    return done


def _untraced_copy(deck: Catalogue, folder: Path) -> dict[str, Card]:
    """A copy of a deck without dungeons, with worn faces and one card for each dungeon. Returns the true
    cards."""
    export_catalogue(deck.folder or Path(), folder)
    true: dict[bytes, Card] = {}
    for card in deck.cards:
        if card.nodes:
            true.setdefault(msgspec.json.encode((card.nodes, card.edges, card.rooms)), card)
    kept = {card.id: card for card in true.values()}
    with changed_catalogue(folder) as told:
        told["cards"] = [entry for entry in told["cards"] if entry["id"] in kept]
        for entry in told["cards"]:
            entry |= {"nodes": [], "edges": [], "rooms": [], "traced": "no"}
            entry.pop("goals", None)
            face = np.asarray(cv2.imread(str(deck.art_path(kept[entry["id"]]))), np.uint8)
            seed = zlib.crc32(entry["id"].encode())
            (folder / entry["art"]).write_bytes(png(worn_face(face, deck.size_of(entry["id"]), seed)))
    return kept


def _trace(folder: Path, true: Card) -> CardTaps:
    """Trace one card: answer the guesses in doubt, mend the rest, and confirm it."""
    catalogue = read_catalogue(folder)
    card = catalogue.card(true.id)
    draft = draft_of(folder, card, catalogue.size_of(card.id))
    together = _asked_together(draft.tracing)
    answers = len(together)
    while (edit := next_answer(draft, true)) is not None:
        answers += not (isinstance(edit, Confirm) and _group_of(_part_of(draft.tracing, edit)) in together)
        draft = edit_draft(folder, card.id, draft.version, edit)
    done: list[Edit] = []
    while (edit := next_mend(with_tracing(card, draft.tracing, "proposed"), true, done)) is not None:
        done.append(edit)
        with suppress(NoEffect):
            draft = edit_draft(folder, card.id, draft.version, edit)
    left = _faults(compare(with_tracing(card, draft.tracing, "proposed"), true))
    if left:
        draft = _mended(folder, card, draft, true)
    finish_draft(folder, card.id, draft.version, anyway=True)
    return CardTaps(card.id, answers, len(done) + left)


def _group_of(part: Part) -> str | None:
    """The group in which the page asks about a guess (`webapp/static/decks/trace_groups.js`)."""
    if isinstance(part, Edge):
        return "corridors" if part.kind == "corridor" else None
    kind = part.kind if isinstance(part, Node) else ""
    return {"junction": "corridors", "end": "corridors", "opening": "openings", "door": "openings"}.get(kind)


def _asked_together(tracing: Tracing) -> set[str]:
    counts = Counter(_group_of(part) for part in tracing.parts() if in_doubt(part))
    return {group for group, count in counts.items() if group is not None and count > 1}


def _part_of(tracing: Tracing, answer: Confirm) -> Part:
    if answer.edge is not None:
        return tracing.edges[answer.edge]
    return next(part for part in tracing.parts() if not isinstance(part, Edge) and part.id == answer.place)


def next_answer(draft: Draft, true: Card) -> Edit | None:
    """The person's answer to the first guess in doubt, or None where none is left."""
    tracing = draft.tracing
    places = {node.id: (node.at, node.find) for node in true.nodes}
    places |= {find.id: (find.at, find.find) for room in true.rooms for find in room.finds}
    kinds = {node.id: node.kind for node in true.nodes}
    for node in tracing.nodes:
        if in_doubt(node):
            near = [name for name, (at, _) in places.items() if dist(at, node.at) <= SAME_END_MM]
            if node.find is not None:
                return _answer_find(node.id, node.find, [places[name][1] for name in near])
            there = any(kinds.get(name) == node.kind for name in near)
            return Confirm(place=node.id) if there else Erase(place=node.id)
    for room in tracing.rooms:
        for find in room.finds:
            if in_doubt(find):
                near_finds = [kind for at, kind in places.values() if dist(at, find.at) <= SAME_END_MM]
                return _answer_find(find.id, find.find, near_finds)
        if in_doubt(room):
            return Confirm(place=room.id) if true.rooms else Erase(place=room.id)
    at = {node.id: node.at for node in tracing.nodes}
    at |= {find.id: find.at for room in tracing.rooms for find in room.finds}
    for number, edge in enumerate(tracing.edges):
        if in_doubt(edge):
            there = on_an_edge([at[edge.from_], *edge.via, at[edge.to]], true, edge.kind)
            return Confirm(edge=number) if there else EraseCorridor(edge=number)
    return None


def _answer_find(place: str, find: str, near: Sequence[str | None]) -> Edit:
    kinds = [kind for kind in near if kind is not None]
    if not kinds:
        return Erase(place=place)
    return Confirm(place=place) if find in kinds else Change(place=place, find=kinds[0])  # type: ignore[arg-type]


def _faults(told: Comparison) -> int:
    """Number of parts that are wrong or missing: of each kind of place and link, and kinds of finds."""
    counts = [count for kind, count in told.parts.items() if kind != "places of finds"]
    return sum(count.true - count.found + count.proposed - count.found for count in counts)


def _mended(folder: Path, card: Card, draft: Draft, true: Card) -> Draft:
    """The draft with the true dungeon. The catalogue gets it as another device would write it."""
    with changed_catalogue(folder) as told:
        entry = next(entry for entry in told["cards"] if entry["id"] == card.id)
        dungeon = told_card(true)
        entry |= {key: dungeon[key] for key in ("nodes", "edges", "rooms")} | {"traced": "yes"}
    catalogue = read_catalogue(folder)
    (folder / "enrol" / "tracings" / f"{card.id}.json").unlink(missing_ok=True)
    return draft_of(folder, catalogue.card(card.id), catalogue.size_of(card.id))


def main() -> None:
    """Print taps and seconds a card, and minutes for the deck."""
    parser = argparse.ArgumentParser(description="Taps and seconds of tracing a deck")
    parser.add_argument("--deck", type=Path, required=True, help="a catalogue's folder, with dungeons")
    parser.add_argument("--most", type=int, help="trace only so many dungeons")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    try:
        deck = load_catalogue(options.deck)
    except WaymarkError as error:
        parser.error(error.en)
    with tempfile.TemporaryDirectory() as folder:
        cards = traced_deck(deck, Path(folder) / "deck", options.most)
    taps, seconds = [each.taps for each in cards], [each.seconds for each in cards]
    print(f"{len(cards)} dungeons: median {statistics.median(taps):g} taps,", end=" ")
    print(f"{statistics.median(seconds):.1f} s a card (mean {statistics.mean(seconds):.1f} s),", end=" ")
    print(f"one tap: {sum(count == 1 for count in taps)}; 72 cards: {1.2 * statistics.mean(seconds):.1f} min")
    if options.json is not None:
        options.json.write_bytes(msgspec.json.encode([asdict(each) | {"taps": each.taps} for each in cards]))


if __name__ == "__main__":
    main()
