"""Builds the open temple's catalogue, and draws its art.

python -m calibration.open_temple.build                    # catalogue.json and the art of every piece
python -m calibration.open_temple.build --topology-only    # catalogue.json alone
python -m calibration.open_temple.build archway key-01     # catalogue.json and the art of these pieces
"""

from __future__ import annotations

from calibration.open_deck.build import build_pieces
from calibration.open_temple.temple_set import build_catalogue
from scorer.ice_and_idols.game import BUNDLED


def main() -> None:
    from calibration.open_temple.art import draw_piece

    build_pieces(__doc__, build_catalogue(), BUNDLED, draw_piece)


if __name__ == "__main__":
    main()
