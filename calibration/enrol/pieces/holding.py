"""Contents of a box compared with its game: the kind of each piece, missing pieces, and open questions
about pieces."""

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
#: The question about a piece whose printed facts are missing.
FACTS = "facts"


def asked_of(game: str) -> tuple[AskedPieces, ...]:
    """The pieces of a game that must be enrolled; empty for games of cards only."""
    known = as_board_game(game_named(game))
    return () if known is None else known.enrol.asked


def sort_of(entry: Mapping[str, Any], asked: tuple[AskedPieces, ...]) -> AskedPieces | None:
    """The kind of piece that a catalogue entry belongs to, or None."""
    return next(
        (each for each in asked if entry["kind"] == each.kind and entry.get("role") in each.roles), None
    )


def missing_of(box: Catalogue) -> tuple[tuple[AskedPieces, int], ...]:
    """The game's pieces of which a box has too few, with the numbers missing."""
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
    """Number of tiles in a box of each tile type that a person must tell apart."""
    return [
        (sort, sum(card.copies for card in box.cards if card.kind == asked.kind and card.role == sort.role))
        for sort in asked.sorts
        if not sort.corridors
    ]


def facts_told(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Facts about a piece entered by people, together with its role."""
    return {"role": entry.get("role")} | dict(entry.get("told", {}))


def open_question(entry: Mapping[str, Any], asked: AskedPieces | None) -> str:
    """The open question about a piece: `name`, `sort`, `ways`, `glare`, `same:ID`, `facts`, or "" for
    none."""
    if entry.get("asked"):
        return str(entry["asked"])
    return FACTS if asked is not None and untold(asked.facts, facts_told(entry)) else ""


def open_pieces(folder: Path) -> dict[str, tuple[str, ...]]:
    """Pieces of the box in `folder` with an open question, and that question; `facts` is followed by the
    missing words. Raises `WaymarkError`."""
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
    """State of a piece: "asked" (open question), "pencil" (unconfirmed) or "ink" (confirmed)."""
    if open_question(entry, asked):
        return "asked"
    return "pencil" if entry.get("traced") == "proposed" else "ink"
