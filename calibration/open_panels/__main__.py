"""Play random games with the open set and tell what they came to.

python -m calibration.open_panels --games 1000 --seed 1001
"""

from __future__ import annotations

from calibration.open_panels.panel_set import build_catalogue
from calibration.open_panels.play import play_game, summary
from calibration.random_games import play_and_tell

if __name__ == "__main__":
    play_and_tell(__doc__, build_catalogue(), (3, 4), play_game, summary)
