"""Builds the open tile set's catalogue, and draws its art.

python -m calibration.decks.labyrinth2.build                    # catalogue.json and the art of every piece
python -m calibration.decks.labyrinth2.build --topology-only    # catalogue.json alone
python -m calibration.decks.labyrinth2.build I03 dragon         # catalogue.json and the art of these pieces
"""

from __future__ import annotations

from calibration.decks.build import build_pieces
from calibration.decks.labyrinth2.tile_set import build_catalogue
from scorer.labyrinth2.game import BUNDLED


def main() -> None:
    from calibration.decks.labyrinth2.art import draw_piece

    build_pieces(__doc__, build_catalogue(), BUNDLED, draw_piece)


if __name__ == "__main__":
    main()
