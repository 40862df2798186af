"""Builds the open temple's catalogue, and draws its art.

python -m calibration.decks.ice_and_idols.build                    # catalogue.json and the art of every piece
python -m calibration.decks.ice_and_idols.build --topology-only    # catalogue.json alone
python -m calibration.decks.ice_and_idols.build archway key-01     # catalogue.json and the art of these
pieces
"""

from __future__ import annotations

from calibration.decks.build import build_pieces
from calibration.decks.ice_and_idols.temple_set import build_catalogue
from scorer.ice_and_idols.game import BUNDLED


def main() -> None:
    from calibration.decks.ice_and_idols.art import draw_piece

    build_pieces(__doc__, build_catalogue(), BUNDLED, draw_piece)


if __name__ == "__main__":
    main()
