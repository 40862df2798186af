"""Builds the open panels' catalogue, and draws its art.

python -m calibration.decks.stone_dragon.build                    # catalogue.json and the art of every piece
python -m calibration.decks.stone_dragon.build --topology-only    # catalogue.json alone
python -m calibration.decks.stone_dragon.build H1 knight          # catalogue.json and the art of these pieces
"""

from __future__ import annotations

from calibration.decks.build import build_pieces
from calibration.decks.stone_dragon.panel_set import build_catalogue
from scorer.stone_dragon.game import BUNDLED


def main() -> None:
    from calibration.decks.stone_dragon.art import draw_piece

    build_pieces(__doc__, build_catalogue(), BUNDLED, draw_piece)


if __name__ == "__main__":
    main()
