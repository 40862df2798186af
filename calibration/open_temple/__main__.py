"""Play random games with the open set and tell what they came to.

python -m calibration.open_temple --games 1000 --seed 1
"""

from __future__ import annotations

import argparse

from rich.progress import track

from calibration.open_temple.play import play_game, summary
from calibration.open_temple.temple_set import build_catalogue


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=4)
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    args = parser.parse_args()
    catalogue = build_catalogue()
    seeds = range(args.seed, args.seed + args.games)
    games = [play_game(catalogue, seed, args.players) for seed in track(seeds, "playing")]
    for name, value in summary(games, catalogue).items():
        if isinstance(value, dict):
            print(f"{name}:")
            for key, each in value.items():
                print(f"  {key}: {each}")
        else:
            print(f"{name}: {value}")


if __name__ == "__main__":
    main()
