"""What a box of pieces holds of what its game asks for: which sort each piece is of, what is missing, and
what is still open of a piece."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from scorer.catalogue import FILE_NAME, Catalogue, read_catalogue
from scorer.enrolment_facts import untold
from scorer.enrolment_pieces import AskedPieces, TileSort
from scorer.games import game_named
from scorer.play_kinds import as_board_game

#: Whether a person has said that a piece is right, it is as it was read, or something is asked of it.
State = Literal["ink", "pencil", "asked"]
#: What is asked of a piece of which something printed has to be told.
FACTS = "facts"


def asked_of(game: str) -> tuple[AskedPieces, ...]:
    """The pieces that a game asks for; none of a game of cards alone."""
    known = as_board_game(game_named(game))
    return () if known is None else known.asked


def sort_of(entry: Mapping[str, Any], asked: tuple[AskedPieces, ...]) -> AskedPieces | None:
    """Which of the asked pieces an entry of a catalogue is of; None for none of them."""
    return next(
        (each for each in asked if entry["kind"] == each.kind and entry.get("role") in each.roles), None
    )


def missing_of(box: Catalogue) -> tuple[tuple[AskedPieces, int], ...]:
    """The game's pieces that a box has fewer of than its game, with how many fewer."""
    found = []
    for asked in asked_of(box.game):
        own = [card for card in box.cards if card.kind == asked.kind and card.role in asked.roles]
        left = asked.count - sum(card.copies for card in own)
        if not asked.count:
            # how many copies there are is the box's matter
            left = max(1, len(asked.values), len(asked.colours)) - len(own)
        if left > 0:
            found.append((asked, left))
    return tuple(found)


def sorts_held(box: Catalogue, asked: AskedPieces) -> list[tuple[TileSort, int]]:
    """How many tiles a box has of each sort that a person tells apart."""
    return [
        (sort, sum(card.copies for card in box.cards if card.kind == asked.kind and card.role == sort.role))
        for sort in asked.sorts
        if not sort.corridors
    ]


def facts_told(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What people have told of a piece, with the role that it has."""
    return {"role": entry.get("role")} | dict(entry.get("told", {}))


def open_question(entry: Mapping[str, Any], asked: AskedPieces | None) -> str:
    """What is still asked of a piece: `name`, `sort`, `ways`, `glare`, `same:ID`, `facts`; "" for nothing."""
    if entry.get("asked"):
        return str(entry["asked"])
    return FACTS if asked is not None and untold(asked.facts, facts_told(entry)) else ""


def open_pieces(folder: Path) -> dict[str, tuple[str, ...]]:
    """Pieces of the box in `folder` of which something is asked, with what: `open_question`, after `facts`
    their words. Raises `WaymarkError`."""
    asked = asked_of(read_catalogue(folder).game)
    told: dict[str, Any] = msgspec.json.decode((folder / FILE_NAME).read_bytes())
    found: dict[str, tuple[str, ...]] = {}
    for entry in told["cards"]:
        sort = sort_of(entry, asked)
        about = open_question(entry, sort)
        left = untold(sort.facts, facts_told(entry)) if sort is not None and about == FACTS else []
        if about:
            found[str(entry["id"])] = (about, *(fact.word for fact in left))
    return found


def state_of(entry: Mapping[str, Any], asked: AskedPieces | None) -> State:
    """How far a piece is."""
    if open_question(entry, asked):
        return "asked"
    return "pencil" if entry.get("traced") == "proposed" else "ink"
