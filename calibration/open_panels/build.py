"""Builds the open panels' catalogue, and draws its art.

python -m calibration.open_panels.build                    # catalogue.json and the art of every piece
python -m calibration.open_panels.build --topology-only    # catalogue.json alone
python -m calibration.open_panels.build H1 knight          # catalogue.json and the art of these pieces
"""

from __future__ import annotations

from calibration.open_deck.build import build_pieces
from calibration.open_panels.panel_set import build_catalogue
from scorer.stone_dragon.game import BUNDLED


def main() -> None:
    from calibration.open_panels.art import draw_piece

    build_pieces(__doc__, build_catalogue(), BUNDLED, draw_piece)


if __name__ == "__main__":
    main()
