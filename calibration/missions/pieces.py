"""What missions need beside the box: the tokens of artifacts, and the cards that they lay out by name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from scorer.catalogue import Card, Catalogue
from scorer.mapmasters.cooperative.mission import Mission, slots_of

FOLDER = "pieces"
TOKEN_MM = 22.0


def piece_art(catalogue: Catalogue, artifact: str) -> Path | None:
    """The picture of an artifact's token, if the catalogue's folder has one."""
    if catalogue.folder is None:
        return None
    file = catalogue.folder / FOLDER / f"{artifact}.png"
    return file if file.is_file() else None


def with_pieces(catalogue: Catalogue, missions: Iterable[Mission]) -> tuple[Catalogue, list[Card]]:
    """The catalogue with the missions' tokens added to it, and what there is to print for them: the cards
    that they name, each once, boss and step cards first, and the tokens."""
    cards: dict[str, Card] = {}
    tokens: dict[str, Card] = {}
    for mission in missions:
        for slot in slots_of(mission).values():
            if slot.card is not None:
                cards[slot.card] = catalogue.card(slot.card)
        for name in mission.artifacts:
            art = piece_art(catalogue, name)
            if art is not None:
                tokens[name] = _token(name)
    added = msgspec.structs.replace(catalogue, cards=(*catalogue.cards, *tokens.values()))
    added.__dict__["_folder"] = catalogue.folder
    chosen = sorted(cards.values(), key=lambda card: (card.kind not in ("boss", "step"), card.id))
    return added, [*chosen, *tokens.values()]


def _token(name: str) -> Card:
    return Card(id=name, kind="chip", art=f"{FOLDER}/{name}.png", shape="disc", size_mm=(TOKEN_MM, TOKEN_MM))
