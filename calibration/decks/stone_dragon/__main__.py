"""Play random games with the open set and tell what they came to.

python -m calibration.decks.stone_dragon --games 1000 --seed 1001
"""

from __future__ import annotations

from calibration.decks.random_games import play_and_tell
from calibration.decks.stone_dragon.panel_set import build_catalogue
from calibration.decks.stone_dragon.play import play_game, summary

if __name__ == "__main__":
    play_and_tell(__doc__, build_catalogue(), (3, 4), play_game, summary)
