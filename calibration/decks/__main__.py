"""Builds the open sets of all games.

python -m calibration.decks build mapmasters                   # catalogue.json, the art of every card, tokens
python -m calibration.decks build labyrinth2 --topology-only   # catalogue.json alone
python -m calibration.decks build stone_dragon knight rat      # catalogue.json and the art of these pieces
"""

from __future__ import annotations

import argparse
from collections.abc import Collection
from importlib import import_module
from pathlib import Path
from typing import Any

from calibration.decks.pieces import PX_PER_MM, catalogue_json
from calibration.missions.pieces import FOLDER as TOKENS
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import FILE_NAME, Catalogue
from scorer.games import game_named

#: The module of each game's folder that has the set as data.
SETS = {
    "mapmasters": "geometry",
    "labyrinth2": "tile_set",
    "stone_dragon": "panel_set",
    "ice_and_idols": "temple_set",
}


def part(game: str, name: str) -> Any:
    """A module of a game's folder. Art needs a library that only developers have, so it is imported late."""
    return import_module(f"calibration.decks.{game}.{name}")


def build(game: str, folder: Path, only: Collection[str], topology_only: bool) -> None:
    """Write a set's catalogue, and the art of all or of named pieces as PNG at 8 px/mm."""
    catalogue: Catalogue = part(game, SETS[game]).build_catalogue()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE_NAME).write_bytes(catalogue_json(catalogue))
    if topology_only:
        return
    (folder / "art").mkdir(exist_ok=True)
    for card in catalogue.cards:
        if not only or card.id in only:
            part(game, "art").draw_piece(card, PX_PER_MM).save(folder / card.art, optimize=True)
    if game == "mapmasters" and not only:
        (folder / TOKENS).mkdir(exist_ok=True)
        tokens = part(game, "art.artifacts")
        for name in tokens.ARTIFACTS:
            # Tokens are small, so they are drawn finer than cards.
            tokens.draw_token(name, 1.5 * PX_PER_MM).save(folder / TOKENS / f"{name}.png", optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    steps = parser.add_subparsers(dest="step", required=True)
    building = steps.add_parser("build")
    building.add_argument("game", choices=SETS)
    building.add_argument("pieces", nargs="*", help="ids of the pieces to draw; all when none is named")
    building.add_argument("--topology-only", action="store_true", help="write catalogue.json, draw nothing")
    building.add_argument("--out", type=Path, help="folder to write; that of the shipped set otherwise")
    args = parser.parse_args()
    shipped = getattr(game_named(args.game), "bundled", None) or bundled_catalogue()
    build(args.game, args.out or shipped, args.pieces, args.topology_only)


if __name__ == "__main__":
    main()
