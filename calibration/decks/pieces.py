"""What the sets of all games share: pieces as data, and the form of a catalogue's file."""

from __future__ import annotations

from typing import Any

import msgspec

from scorer.catalogue import Card, CardKind, Catalogue, Point, Side, told_card

PX_PER_MM = 8.0


def piece(name: str, kind: CardKind, role: str | None = None, **fields: Any) -> Card:
    """A piece with its art at `art/NAME.png`."""
    return Card(id=name, kind=kind, role=role, art=f"art/{name}.png", **fields)


def disc(name: str, kind: CardKind, role: str, across_mm: float, **fields: Any) -> Card:
    """A round piece of a diameter in millimetres."""
    return piece(name, kind, role, size_mm=(across_mm, across_mm), shape="disc", **fields)


def side_middles(side_mm: float) -> dict[Side, Point]:
    """The middle of each side of a square tile, in millimetres from its upper left corner."""
    half, far = side_mm / 2, side_mm
    return {"top": (half, 0.0), "right": (far, half), "bottom": (half, far), "left": (0.0, half)}


def sides_of(card: Card) -> tuple[Side, ...]:
    """The open sides of a tile."""
    return tuple(node.side for node in card.nodes if node.side is not None)


def catalogue_json(catalogue: Catalogue) -> bytes:
    """The catalogue as JSON with one card a line, for small files and small diffs."""
    told = msgspec.to_builtins(msgspec.structs.replace(catalogue, cards=()))
    head = msgspec.json.encode({key: value for key, value in told.items() if key != "out"})
    cards = b",\n".join(msgspec.json.encode(told_card(card)) for card in catalogue.cards)
    return head.replace(b'"cards":[]', b'"cards":[\n' + cards + b"\n]") + b"\n"
