"""Play missions, and tell how often they are won.

python -m calibration.missions                            # every mission of the open deck, normal, 200 games
python -m calibration.missions M01 --games 50 --difficulty easy hard
"""

from __future__ import annotations

import argparse
from pathlib import Path

from calibration.missions.play import PLAYERS, tally
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import load_catalogue
from scorer.mapmasters.cooperative.mission import FOLDER, load_mission
from scorer.mapmasters.cooperative.settings import DIFFICULTIES


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("missions", nargs="*", help="ids; all of the catalogue when none is named")
    parser.add_argument("--catalogue", type=Path, default=bundled_catalogue(), help="folder of the deck")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", type=int, default=PLAYERS)
    parser.add_argument("--seed", type=int, default=1, help="of the first game; the others follow")
    parser.add_argument("--difficulty", nargs="+", choices=DIFFICULTIES, default=["normal"])
    args = parser.parse_args()
    catalogue = load_catalogue(args.catalogue)
    shipped = sorted(path.stem for path in (args.catalogue / FOLDER).glob("*.json"))
    for name in args.missions or shipped:
        mission = load_mission(catalogue, name)
        for difficulty in args.difficulty:
            told = tally(catalogue, mission, difficulty, args.games, args.seed, args.players)
            reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(told.reasons.items()))
            print(
                f"{name} {difficulty}: {told.won} of {told.games} won ({told.share:.0%}), "
                f"{told.turns:.1f} cards laid in those; {reasons}",
                flush=True,
            )


if __name__ == "__main__":
    main()
