"""Play random games with the open set and tell what they came to.

python -m calibration.decks.ice_and_idols --games 1000 --seed 4001
"""

from __future__ import annotations

from calibration.decks.ice_and_idols.play import play_game, summary
from calibration.decks.ice_and_idols.temple_set import build_catalogue
from calibration.decks.random_games import play_and_tell

if __name__ == "__main__":
    play_and_tell(__doc__, build_catalogue(), (2, 3, 4), play_game, summary)
