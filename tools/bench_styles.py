"""How well dungeons are proposed on decks in styles that were never trained on.

    python -m tools.bench_styles --decks samples/sets/styles --cards 12 --json FILE

Draws the decks of the held-out styles (`samples.styles`) where they are missing, takes the faces as if
enrolled from photos, and prints for each deck, and for all, what is found of openings, corridors, doors,
finds and stairs from nothing and after ten traced cards (`waymark bench-proposals` for one deck).

    python -m tools.bench_styles --tiles

prints how well the open sides of tiles in those styles are read (`calibration.enrol.pieces.sides`).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from calibration.enrol.pieces.enrolled import SURE
from calibration.enrol.pieces.sides import read_ways
from samples.styles.decks import BY_HAND, deck_of, write_deck
from samples.styles.style import held_out_names, style_of
from samples.styles.tiles import SIDE_MM, tile_set
from scorer.catalogue import FILE_NAME, load_catalogue
from scorer.labyrinth2.enrol import ASKED
from waymark.bench_proposals import ProposalFigures, bench_proposals, worn_face

SHOWN = ("openings", "corridors", "doors", "finds", "places of finds", "stairs", "rooms", "landings")
TRACED = (0, 10)
TILES = 20


def figures_of(name: str, folder: Path, cards: int | None) -> tuple[ProposalFigures, ...]:
    """Figures of one deck from nothing and after ten traced cards."""
    if not (folder / FILE_NAME).exists():
        write_deck(name, folder)
    return bench_proposals(load_catalogue(folder), TRACED, worn=True, most=cards).figures


def summed(figures: Sequence[ProposalFigures]) -> dict[str, Any]:
    """Counts of all decks together."""
    true, found, proposed = Counter[str](), Counter[str](), Counter[str]()
    for each in figures:
        for part, count in each.parts.items():
            true[part] += count.true
            found[part] += count.found
            proposed[part] += count.proposed
    cards = sum(each.cards for each in figures)
    return {
        "cards": cards,
        "parts": {
            part: {
                "true": true[part],
                "recall": round(100 * found[part] / max(1, true[part]), 1),
                "precision": round(100 * found[part] / max(1, proposed[part]), 1),
            }
            for part in SHOWN
        },
        "exact_cards": round(sum(each.exact_cards * each.cards for each in figures) / cards, 1),
        "exact_links": round(sum(each.exact_links * each.cards for each in figures) / cards, 1),
        "sure_guesses": sum(each.sure_guesses for each in figures),
        "sure_wrong": sum(each.sure_wrong for each in figures),
        "unwarned_cards": sum(each.unwarned_cards for each in figures),
        "doubts": round(sum(each.doubts * each.cards for each in figures) / cards, 1),
        "seconds": round(sum(each.seconds * each.cards for each in figures) / cards, 3),
    }


def table_of(report: dict[str, list[dict[str, Any]]]) -> Table:
    """One row for each deck and number of traced cards: recall in percent of each part."""
    table = Table(title="Recall in percent; precision of all decks below")
    for column in ("deck", "traced", "cards", *SHOWN, "exact cards", "exact links", "sure, wrong", "doubts"):
        table.add_column(column, justify="left" if column == "deck" else "right")
    for name, rows in report.items():
        for traced, row in zip(TRACED, rows, strict=True):
            recalls = [f"{row['parts'][part]['recall']:.0f}" for part in SHOWN]
            more = [f"{row['exact_cards']:.0f}", f"{row['exact_links']:.0f}"]
            wrong = f"{row['sure_wrong']} of {row['sure_guesses']}"
            table.add_row(
                name, str(traced), str(row["cards"]), *recalls, *more, wrong, f"{row['doubts']:.1f}"
            )
    for traced, row in zip(TRACED, report["all"], strict=True):
        precisions = [f"{row['parts'][part]['precision']:.0f}" for part in SHOWN]
        table.add_row("precision", str(traced), "", *precisions, "", "", "", "")
    return table


def tiles_read(names: Sequence[str]) -> dict[str, dict[str, int]]:
    """Tiles of each style: how many, read right, read surely, and read surely and wrong."""
    shapes = next(each.lying_ways for each in ASKED if each.ways)
    found: dict[str, dict[str, int]] = {}
    for name in names:
        sides, faces = tile_set(name, shapes, TILES)
        worn = [worn_face(face, (SIDE_MM, SIDE_MM), number) for number, face in enumerate(faces)]
        pairs = list(zip(read_ways(worn, shapes), sides, strict=True))
        sure = [(ways, true) for ways, true in pairs if ways.confidence >= SURE]
        found[name] = {
            "tiles": len(pairs),
            "right": sum(ways.sides == true for ways, true in pairs),
            "sure": len(sure),
            "sure_wrong": sum(ways.sides != true for ways, true in sure),
        }
    found["all"] = {key: sum(each[key] for each in found.values()) for key in next(iter(found.values()))}
    return found


def main() -> None:
    """Measure the held-out decks and print the table."""
    parser = argparse.ArgumentParser(description="Proposals on decks in held-out styles")
    parser.add_argument("--decks", type=Path, help="folder of the decks, drawn if missing")
    parser.add_argument("--tiles", action="store_true", help="read tiles in place of cards")
    parser.add_argument("--style", action="append", help="only these styles")
    parser.add_argument("--cards", type=int, help="cards that are measured of each deck")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    for name in options.style or ():
        try:
            style_of(name) if options.tiles else deck_of(name)
        except ValueError as error:
            parser.error(f"{error}; python -m samples.styles --list shows the names")
    if options.tiles:
        for name, counts in tiles_read(options.style or held_out_names()).items():
            print(name, *(f"{key} {count}" for key, count in counts.items()))
        return
    if options.decks is None:
        parser.error("give --decks or --tiles")
    names = options.style or [*held_out_names(), *BY_HAND]
    each = {name: figures_of(name, options.decks / name, options.cards) for name in track(names)}
    report = {name: [summed([one]) for one in figures] for name, figures in each.items()}
    report["all"] = [summed([figures[k] for figures in each.values()]) for k in range(len(TRACED))]
    Console(width=200).print(table_of(report))
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
