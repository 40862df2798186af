"""Shared tracings: export of a deck's dungeons and fingerprints without pictures, and import by others.

docs/FORMATS.md defines the format ("waymark-shared-deck/1"). The file comes from an unknown person. Its
size is limited, it is validated like a catalogue, and it contains no file names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.catalogue_folder import changed_catalogue, write_whole
from calibration.enrol.share.fingerprints import (
    KNOWN,
    LIKELY,
    VERSION,
    Fingerprint,
    Match,
    cells_of,
    fingerprint,
    matches,
    packed,
    turn_against,
    unpacked,
)
from calibration.enrol.share.same_dungeon import alike_dungeons, moved_card, turned_card
from scorer.catalogue import Card, Catalogue, Point, art_file, load_catalogue, structure_faults, told_card
from scorer.errors import Code, WaymarkError
from scorer.json_faults import json_fault, wrong_format
from scorer.text import OR, Text, listed
from vision.cards.index import read_art

FORMAT = "waymark-shared-deck/1"
#: A box of 2,000 cards with dense dungeons takes 12 MB.
MAX_MB = 20
MAX_CARDS, MAX_PLACES, MAX_POINTS, MAX_LETTERS = 4000, 600, 400, 200
#: Lengths of a piece, and how far off it a place may lie (rounding).
SIZES_MM, OFF_CARD_MM = (5.0, 1000.0), 5.0
#: Greatest relative difference of sides between cards of one size.
SAME_SIZE = 0.002
#: Greatest number of cards offered in a question.
_OFFERED = 5
#: What a person may have given a face by hand, and what is the file's own.
_OWN = ("art", "seed", "traced", "fingerprint", "former", "drawn_on")


@dataclass(frozen=True)
class SharedDeck:
    """A shared tracing: `catalogue` has the cards with their dungeons and no art, `fingerprints` one for
    each card."""

    catalogue: Catalogue
    fingerprints: tuple[Fingerprint, ...]


@dataclass(frozen=True)
class Known:
    """Match of one face with a shared tracing: the card, certain where there is no `question`. `options`:
    the candidate cards, the likeliest first. `turn`: clockwise quarter turns of the face relative to the
    first. `dungeon`: the dungeon is certain, since all options share it (a starter's colours)."""

    card: str
    options: tuple[str, ...]
    turn: int
    confidence: float
    question: Text | None = None
    dungeon: bool = True


@dataclass(frozen=True)
class Shared:
    """Result of an export: number of cards, number of cards with a dungeon, and the ids omitted because
    their art cannot be read."""

    cards: int
    traced: int
    left_out: tuple[str, ...]


# --- writing ------------------------------------------------------------------------------------------------


def write_shared(folder: Path, file: Path) -> Shared:
    """Write the dungeons and fingerprints of a folder's catalogue to a file, without unconfirmed guesses.

    Raises `WaymarkError` (no-catalogue, not-a-catalogue, broken-catalogue, no-cards, not-writable).
    """
    catalogue = load_catalogue(folder)
    told, left_out, traced = [], [], 0
    for card in catalogue.cards:
        mark = _fingerprint_in(catalogue.art_path(card), catalogue.size_of(card.id))
        if mark is None:
            left_out.append(card.id)
            continue
        if card.tracing != "yes":
            card = msgspec.structs.replace(card, nodes=(), edges=(), rooms=(), goals=())
        traced += card.tracing == "yes"
        plain = {key: value for key, value in told_card(card).items() if key not in _OWN}
        told.append(plain | {"fingerprint": packed(mark)})
    if not told:
        raise WaymarkError(
            Code.NO_CARDS,
            Text(
                "No card in {folder!r} has art that can be read; enrol its cards first.", folder=str(folder)
            ),
        )
    whole = msgspec.to_builtins(msgspec.structs.replace(catalogue, cards=()))
    head = {key: value for key, value in whole.items() if key not in ("cards", "format", "out")}
    deck = {"format": FORMAT, **head, "fingerprints": VERSION, "cards": told}
    write_whole(file, msgspec.json.format(msgspec.json.encode(deck), indent=1) + b"\n")
    return Shared(len(told), traced, tuple(left_out))


def _fingerprint_in(file: Path, size_mm: tuple[float, float]) -> Fingerprint | None:
    """The fingerprint of a card's art, or None where the file is missing or not a picture."""
    try:
        told = file.stat()
    except OSError:
        return None
    return _fingerprint_of(file, (told.st_mtime_ns, told.st_size), size_mm)


@lru_cache(maxsize=1000)
def _fingerprint_of(file: Path, _stamp: tuple[int, int], size_mm: tuple[float, float]) -> Fingerprint | None:
    art = read_art(file)
    return None if art is None else fingerprint(art, size_mm)


# --- reading ------------------------------------------------------------------------------------------------


def read_shared(file: Path) -> SharedDeck:
    """Read and check a shared tracing. Raises `WaymarkError` (no-file, not-a-shared-deck)."""
    try:
        if file.stat().st_size > MAX_MB * 1_000_000:
            raise _fault(Text("it is larger than {max_mb} MB", max_mb=MAX_MB))
        data = file.read_bytes()
    except (OSError, ValueError) as error:
        raise WaymarkError(
            Code.NO_FILE,
            Text("There is no readable file {file!r}; check the name and the folder.", file=str(file)),
        ) from error
    return parse_shared(data)


def parse_shared(data: bytes) -> SharedDeck:
    """A shared tracing from its JSON. Raises `WaymarkError` (not-a-shared-deck)."""
    try:
        told = msgspec.json.decode(data, type=dict[str, Any])
        if told.get("format") != FORMAT:
            raise _fault(wrong_format(told.get("format"), FORMAT))
        if (version := told.get("fingerprints")) != VERSION:
            raise _fault(
                Text(
                    "its fingerprints are of version {version!r}, this Waymark reads {version2}",
                    version=version,
                    version2=VERSION,
                )
            )
        entries = msgspec.convert(told.get("cards"), list[dict[str, Any]])
        if not 1 <= len(entries) <= MAX_CARDS:
            raise _fault(
                Text("it has {count} cards, not 1 to {max_cards}", count=len(entries), max_cards=MAX_CARDS)
            )
        cards = [
            msgspec.convert({k: v for k, v in entry.items() if k not in _OWN} | {"art": ""}, Card)
            for entry in entries
        ]
        catalogue = msgspec.convert(
            {k: v for k, v in told.items() if k not in ("cards", "format", "out")} | {"cards": []}, Catalogue
        )
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError, RecursionError) as error:
        raise _fault(json_fault(error, data)) from error
    catalogue = msgspec.structs.replace(catalogue, cards=tuple(cards))
    for fault in _faults(catalogue):
        raise _fault(fault)
    marks = []
    for card, entry in zip(cards, entries, strict=True):
        try:
            marks.append(unpacked(str(entry.get("fingerprint", "")), cells_of(catalogue.size_of(card.id))))
        except ValueError as error:
            raise _fault(Text("card {id!r} has no fingerprint of its size", id=card.id)) from error
    return SharedDeck(catalogue, tuple(marks))


def _faults(catalogue: Catalogue) -> Iterator[Text]:
    """Violations in a file from an unknown person: impossible lengths, invalid names, and inconsistent
    ids."""
    names = [catalogue.name, catalogue.game, *(card.id for card in catalogue.cards)]
    names += [word for card in catalogue.cards for word in (card.colour, card.role) if word]
    if not all(map(_is_name, names)):
        yield Text("a name in it is empty, too long or not printable")
    sizes = [catalogue.card_size_mm, *(card.size_mm for card in catalogue.cards if card.size_mm)]
    lengths = [catalogue.corner_radius_mm, catalogue.corridor_width_mm or 0.0, catalogue.icon_mm or 0.0]
    if not all(SIZES_MM[0] <= side <= SIZES_MM[1] for size in sizes for side in size) or not all(
        0 <= length <= min(map(min, sizes)) for length in lengths
    ):
        yield Text("a length in it is none of a card's")
        return
    for card in catalogue.cards:
        if what := _card_fault(card, card.size_mm or catalogue.card_size_mm):
            yield Text("card {id!r}: {what}", id=card.id, what=what)
    for card_id, place, what_en in structure_faults(catalogue):
        yield Text("card {card!r}, {place!r}: {what}", card=card_id, place=place, what=what_en)


def _card_fault(card: Card, size_mm: Point) -> Text | None:
    finds = [find for room in card.rooms for find in room.finds]
    ids = [*(n.id for n in card.nodes), *(r.id for r in card.rooms), *(f.id for f in finds)]
    if len(ids) + len(card.edges) > MAX_PLACES or any(len(line) > MAX_POINTS for line in _lines(card)):
        return Text("it has too many places")
    if not all(map(_is_name, ids)):
        return Text("a place has no good name")
    points = [*(node.at for node in card.nodes), *(find.at for find in finds)]
    points += [point for line in _lines(card) for point in line]
    low, high = -OFF_CARD_MM, OFF_CARD_MM
    if not all(low <= x <= size_mm[0] + high and low <= y <= size_mm[1] + high for x, y in points):
        return Text("a place lies off the card")
    if not 1 <= card.copies <= MAX_CARDS:
        return Text("the box cannot hold {copies} of it", copies=card.copies)
    return None


def _is_name(word: str) -> bool:
    return word.isprintable() and bool(word.strip()) and len(word) <= MAX_LETTERS


def _lines(card: Card) -> list[tuple[Point, ...]]:
    return [*(edge.via for edge in card.edges), *(room.outline for room in card.rooms)]


def _fault(fault: Text) -> WaymarkError:
    return WaymarkError(
        Code.NOT_A_SHARED_DECK,
        Text(
            "This is not a shared tracing ({fault}); ask for a file made by `waymark deck share`.",
            fault=fault,
        ),
    )


# --- taking over --------------------------------------------------------------------------------------------


def known_faces(
    faces: Mapping[str, NDArray[np.uint8]], catalogue: Catalogue, shared: SharedDeck
) -> dict[str, Known]:
    """Matches of the `faces` (by id, BGR, cropped at the edge) of a catalogue's cards with a shared
    tracing. Faces without a similar card are omitted."""
    told: dict[str, Known] = {}
    by_cells: dict[tuple[int, int], list[str]] = {}
    marks = {name: fingerprint(face, catalogue.size_of(name)) for name, face in faces.items()}
    for name, mark in marks.items():
        by_cells.setdefault(mark.cells, []).append(name)
    for cells, names in by_cells.items():
        numbers = [k for k, mark in enumerate(shared.fingerprints) if mark.cells == cells]
        cards = [shared.catalogue.cards[k] for k in numbers]
        turns = (0, 1, 2, 3) if cells[0] == cells[1] else (0, 2)
        found = matches([marks[name] for name in names], [shared.fingerprints[k] for k in numbers], turns)
        told |= {name: _known(match, cards) for name, match in zip(names, found, strict=True) if match}
    return _each_once(told)


def _known(match: Match, cards: Sequence[Card]) -> Known:
    options = tuple(cards[k].id for k in match.best)[:_OFFERED]
    same = len({(cards[k].nodes, cards[k].edges, cards[k].rooms) for k in match.best}) == 1
    confidence = round(float(np.clip(1 - match.distance / LIKELY / 2, 0, 1)), 3)
    if match.clear:
        return Known(options[0], options[:1], match.turn, confidence)
    near = match.distance <= KNOWN and len(options) > 1
    return Known(options[0], options, match.turn, confidence / 2, _which(options), dungeon=same and near)


def _which(options: Sequence[str]) -> Text:
    if len(options) == 1:
        return Text(
            "Is this the card {options}? It does not show clearly; look at both, or photograph it again.",
            options=options[0],
        )
    return Text("Which of these cards is it: {names}? They look nearly alike here.", names=listed(options))


def _each_once(told: dict[str, Known]) -> dict[str, Known]:
    """The matches with conflicts turned into questions: two faces cannot be the same card."""
    claimed = Counter(known.card for known in told.values() if known.question is None)
    return {
        name: known
        if known.question is not None or claimed[known.card] == 1
        else replace(
            known,
            dungeon=False,
            question=Text(
                "More than one face looks like the card {card}; which of them is it?", card=known.card
            ),
        )
        for name, known in told.items()
    }


def take_answer(folder: Path, shared: SharedDeck, name: str, chosen: str) -> None:
    """Give a card of a folder's catalogue the id and dungeon of the shared card chosen by a person.

    Raises `WaymarkError` as `take_known` does, unknown-card, and conflict where another card has that id.
    """
    shared.catalogue.card(chosen)
    with changed_catalogue(folder) as told:
        catalogue = load_catalogue(folder)
        card = catalogue.card(name)
        if chosen != name and catalogue.by_id.get(chosen, card) is not card:
            raise WaymarkError(
                Code.CONFLICT,
                Text(
                    "Another card has the name {chosen} here; give that one another name first.",
                    chosen=chosen,
                ),
            )
        found = alike_dungeons(card, catalogue, shared.catalogue) if card.tracing == "proposed" else ()
        turns = [each.turn for each in found if each.card == chosen]
        art = read_art(art_file(folder, card))
        if art is not None and not turns:
            at = [one.id for one in shared.catalogue.cards].index(chosen)
            mark = fingerprint(art, catalogue.size_of(name))
            turns = [turn_against(mark, shared.fingerprints[at])]
        known = Known(chosen, (chosen,), turns[0] if turns else 0, 1.0)
        for entry in told["cards"]:
            if entry["id"] == name:
                _take_over(entry, known, catalogue, shared)


def take_known(folder: Path, shared: SharedDeck) -> dict[str, Known]:
    """Give the cards of a folder's catalogue the ids and dungeons of their certain matches in a shared
    tracing.

    A face with only its colour in doubt takes the dungeon, which all colours share, and keeps its id. A
    confirmed dungeon is kept. A name already given to another card is not used again. Returns, by the
    previous ids, the applied matches (no `question`) and the open questions; cards without a match are
    omitted. Raises `WaymarkError` as `changed_catalogue` does, and broken-catalogue.
    """
    with changed_catalogue(folder) as told:
        catalogue = load_catalogue(folder)
        faces = {}
        for card in catalogue.cards:
            art = read_art(art_file(folder, card)) if card.tracing != "yes" else None
            if art is not None:
                faces[card.id] = art
        known = known_faces(faces, catalogue, shared)
        drawn = [card for card in catalogue.cards if card.id in faces and card.id not in known]
        known |= _same_dungeons(drawn, catalogue, shared)
        known = _not_taken_yet(known, catalogue)
        for entry in told["cards"]:
            one = known.get(entry["id"])
            if one is not None and (one.question is None or one.dungeon):
                _take_over(entry, one, catalogue, shared)
    return known


def _same_dungeons(cards: Iterable[Card], catalogue: Catalogue, shared: SharedDeck) -> dict[str, Known]:
    """Questions about cards whose proposed openings and finds equal a shared dungeon drawn in another way."""
    asked = {}
    for card in cards:
        found = alike_dungeons(card, catalogue, shared.catalogue) if card.tracing == "proposed" else ()

        if found:
            options = tuple(each.card for each in found)[:_OFFERED]
            question = Text(
                "Has this card the dungeon of {cards}? Its openings and finds lie as there; the drawing "
                "differs.",
                cards=listed(options, OR),
            )
            asked[card.id] = Known(
                options[0], options, found[0].turn, found[0].share / 2, question, dungeon=False
            )
    return asked


def _not_taken_yet(known: dict[str, Known], catalogue: Catalogue) -> dict[str, Known]:
    """The matches, with those turned into questions whose name another card already has."""
    renamed = {name for name, one in known.items() if one.question is None}
    owner = {name: card.id for name, card in catalogue.by_id.items() if card.id not in renamed}
    return {
        name: one
        if one.question is not None or owner.get(one.card, name) == name
        else replace(
            one,
            dungeon=False,
            question=Text(
                "This face looks like the card {card}, but another card has that name here; is it the same?",
                card=one.card,
            ),
        )
        for name, one in known.items()
    }


def _take_over(entry: dict[str, Any], known: Known, catalogue: Catalogue, shared: SharedDeck) -> None:
    """Copy the shared card's id, dungeon and other data to a card's entry. Art and unknown fields are
    kept, and so is a proposal where the shared card has no dungeon."""
    size = shared.catalogue.size_of(known.card)
    card = turned_card(shared.catalogue.card(known.card), known.turn, size)
    own = catalogue.size_of(entry["id"])
    # A printing may be a little larger.
    across, down = own[0] / size[0], own[1] / size[1]
    if abs(across - 1) > SAME_SIZE or abs(down - 1) > SAME_SIZE:
        card = moved_card(card, lambda point: (round(point[0] * across, 2), round(point[1] * down, 2)))
    left = (*_OWN, "size_mm") if known.question is None else (*_OWN, "size_mm", "id", "colour")
    new = {key: value for key, value in told_card(card).items() if key not in left}
    if card.tracing == "no":
        for key in ("nodes", "edges", "rooms"):
            del new[key]
    else:
        new["traced"] = "yes"
    if new.get("id", entry["id"]) != entry["id"]:
        earlier = [each for each in entry.get("former", ()) if each != new["id"]]
        new["former"] = [*earlier, entry["id"]]
    entry.update(new)
