"""Builds the open tile set's catalogue, and draws its art.

python -m calibration.open_tiles.build                    # catalogue.json and the art of every piece
python -m calibration.open_tiles.build --topology-only    # catalogue.json alone
python -m calibration.open_tiles.build I03 dragon         # catalogue.json and the art of these pieces
"""

from __future__ import annotations

from calibration.open_deck.build import build_pieces
from calibration.open_tiles.tile_set import build_catalogue
from scorer.labyrinth2.game import BUNDLED


def main() -> None:
    from calibration.open_tiles.art import draw_piece

    build_pieces(__doc__, build_catalogue(), BUNDLED, draw_piece)


if __name__ == "__main__":
    main()
