"""Invents the open deck's declarations by seeded random search; the result is frozen in `declarations.txt`.

    python -m calibration.decks.mapmasters.invent              # adds the cards that declarations.txt lacks
    python -m calibration.decks.mapmasters.invent D07 D08      # invents these anew

All 89 layouts take about fifteen minutes. A card is tried as a whole: rooms are set on the grid, openings and
doors are joined by random shortest paths into one net of corridors, loops and spurs are added, stairs and
pits tie it to a second net underground, finds are dealt by the card's cost. What
`calibration.enrol.card_geometry` finds fault with, or what looks like an earlier card, is thrown away.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import shapely

from calibration.decks.mapmasters.deck_plan import Wish, relaxed, wishes
from calibration.decks.mapmasters.declaration import (
    DECLARATIONS_FILE,
    CardDeclaration,
    format_declarations,
    load_declarations,
)
from calibration.decks.mapmasters.geometry import CARD_SIZE_MM, LayoutError, lay_out
from calibration.decks.mapmasters.net import Rejected
from calibration.decks.mapmasters.sketch import Sketch
from calibration.enrol.card_geometry import contract_problems, corridors, outline_polygon
from calibration.enrol.drawing_geometry import drawing_problems
from scorer.catalogue import Card

ALIKE = 0.62  # share of painted floor in common above which two cards look alike
TRIES = 700


def faults(card: Card) -> list[str]:
    """All geometric problems of a card, as codes with place and detail."""
    problems = [*contract_problems(card, CARD_SIZE_MM), *drawing_problems(card, CARD_SIZE_MM)]
    return [f"{p.code} {p.place} {p.detail}" for p in problems]


def floor_mask(card: Card) -> np.ndarray:
    """Mask (44, 32) bool of the main level's floor, at 2 mm a pixel."""
    shapes = [line.buffer(3.5) for edge, line in corridors(card) if edge.level == "main"]
    shapes += [outline_polygon(room.outline) for room in card.rooms]
    floor = shapely.union_all(shapes)
    x, y = np.meshgrid(np.arange(1, 64, 2.0), np.arange(1, 89, 2.0))
    return np.asarray(shapely.contains_xy(floor, x, y))


def likeness(a: np.ndarray, b: np.ndarray) -> float:
    """Greatest intersection over union of two floor masks, over upright, rotated and mirrored versions."""
    turns = (b, b[::-1, ::-1], b[:, ::-1], b[::-1])
    return max(float((a & t).sum() / (a | t).sum()) for t in turns)


def invent_card(wish: Wish, rng: np.random.Generator, earlier: list[np.ndarray]) -> CardDeclaration:
    """A valid card that fulfils the wish and resembles none of the `earlier` floor masks. Raises
    `RuntimeError` after `TRIES`."""
    log: dict[str, int] = {}
    for _ in range(TRIES):
        try:
            sketch = Sketch(wish, rng).build()
        except Rejected as reason:
            log[str(reason)] = log.get(str(reason), 0) + 1
            continue
        for _ in range(6):
            draft = replace(sketch, seed=int(rng.integers(1, 100_000)))
            try:
                card = lay_out(draft)
            except LayoutError:
                log["layout"] = log.get("layout", 0) + 1
                continue
            wrong = faults(card)
            if not wrong:
                mask = floor_mask(card)
                if all(likeness(mask, m) < ALIKE for m in earlier):
                    earlier.append(mask)
                    return draft
                log["alike"] = log.get("alike", 0) + 1
                break
            code = wrong[0].split()[0]
            log[code] = log.get(code, 0) + 1
            if len(wrong) > 6:
                break
    raise RuntimeError(f"{wish}: no card found, {log}")


def main() -> None:
    """Command: keep the declared cards except the named ones, and invent the others."""
    anew = set(sys.argv[1:])
    kept = {c.id: c for c in load_declarations() if c.id not in anew} if DECLARATIONS_FILE.exists() else {}
    earlier = [floor_mask(lay_out(card)) for card in kept.values()]
    plan = wishes()
    for index, wish in enumerate(plan):
        rng = np.random.default_rng([2026, index, len(anew)])
        for attempt in relaxed(wish):
            if wish.id not in kept:
                try:
                    kept[wish.id] = invent_card(attempt, rng, earlier)
                except RuntimeError as error:
                    print(error, file=sys.stderr, flush=True)
        DECLARATIONS_FILE.write_text(format_declarations(kept[w.id] for w in plan if w.id in kept), "utf-8")


if __name__ == "__main__":
    main()
