"""A deck whose art is what enrolment made of it, so that played photos can be read with both.

`samples.enrol_bench --art DIR` writes it. Cards, dungeons and names are those of the true deck; a card that
was not enrolled is left out.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.enrol.faces.cut_out import turned
from calibration.enrol.faces.identity import LookedUp, close_looks, quarters_of
from calibration.enrol.faces.store import png
from scorer.catalogue import FILE_NAME, Catalogue, load_catalogue
from vision.cards.index import read_art


def write_with_enrolled_art(deck: Catalogue, box: Path, names: dict[str, str | None], out: Path) -> None:
    """Write `deck` to the folder `out` with the art of the catalogue in `box`, whose cards have the true
    `names`; each lies as the true card does."""
    assert deck.folder is not None
    told = json.loads((deck.folder / FILE_NAME).read_bytes())
    enrolled = load_catalogue(box)
    made: dict[str, str] = {}
    (out / "art").mkdir(parents=True, exist_ok=True)
    for card in enrolled.cards:
        name = names.get(card.id)
        art = read_art(enrolled.art_path(card))
        if not name or name in made or art is None:
            continue
        made[name] = f"art/{name}.png"
        (out / made[name]).write_bytes(png(_lying_as(art, deck, name)))
    told["cards"] = [{**entry, "art": made[entry["id"]]} for entry in told["cards"] if entry["id"] in made]
    (out / FILE_NAME).write_text(json.dumps(told, ensure_ascii=False), "utf-8")


def _lying_as(art: NDArray[np.uint8], deck: Catalogue, name: str) -> NDArray[np.uint8]:
    """The art of a card, turned as the true card `name` lies."""
    card = deck.card(name)
    true, size_mm = read_art(deck.art_path(card)), deck.size_of(name)
    assert true is not None
    own = [LookedUp.of_pixels(np.asarray(each, np.uint8), size_mm) for each in (art, true)]
    looks = close_looks(own[0], own[1:], quarters_of(size_mm))
    nearest = max(looks, key=lambda each: each.difference.alike, default=None)
    return turned(art, nearest.quarters) if nearest is not None else art
