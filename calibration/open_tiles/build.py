"""Builds the open tile set's catalogue, and draws its art.

python -m calibration.open_tiles.build                    # catalogue.json and the art of every piece
python -m calibration.open_tiles.build --topology-only    # catalogue.json alone
python -m calibration.open_tiles.build I03 dragon         # catalogue.json and the art of these pieces
"""

from __future__ import annotations

import argparse
from collections.abc import Collection
from pathlib import Path

from calibration.open_deck.build import PX_PER_MM, write_topology
from calibration.open_tiles.tile_set import build_catalogue
from scorer.catalogue import Catalogue
from scorer.labyrinth2.game import BUNDLED


def write_art(catalogue: Catalogue, folder: Path, only: Collection[str] = ()) -> None:
    """Draws the pieces (all, or those named in `only`) as PNG at 8 px/mm."""
    from calibration.open_tiles.art import draw_piece

    (folder / "art").mkdir(parents=True, exist_ok=True)
    for card in catalogue.cards:
        if not only or card.id in only:
            draw_piece(card, PX_PER_MM).save(folder / card.art, optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pieces", nargs="*", help="ids of the pieces to draw; all when none is named")
    parser.add_argument("--topology-only", action="store_true", help="write catalogue.json, draw nothing")
    parser.add_argument("--out", type=Path, default=BUNDLED, help="folder to write")
    args = parser.parse_args()
    catalogue = build_catalogue()
    write_topology(catalogue, args.out)
    if not args.topology_only:
        write_art(catalogue, args.out, args.pieces)


if __name__ == "__main__":
    main()
