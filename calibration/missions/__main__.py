"""Play missions and keep how often they are won, beside the catalogue, for the mission sheets.

python -m calibration.missions                          # every mission and difficulty, 200 games each in all
python -m calibration.missions M01 --games 50 --difficulty easy hard

What was played before is gone on with. Games are played in rounds, so that all get on alike.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec

from calibration.missions.shares import Share, play_on, read_played, shares_of, write_played
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import load_catalogue
from scorer.mapmasters.cooperative.rules.mission import load_mission, mission_ids
from scorer.mapmasters.cooperative.rules.settings import DIFFICULTIES

#: What sheets name: it goes on with whatever was played.
COMMAND = "python -m calibration.missions"
#: Games of each before the next has its turn.
ROUND = 5


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("missions", nargs="*", help="ids; all of the catalogue when none is named")
    parser.add_argument("--catalogue", type=Path, default=bundled_catalogue(), help="folder of the deck")
    parser.add_argument("--games", type=int, default=200, help="of each mission and difficulty, in all")
    parser.add_argument("--difficulty", nargs="+", choices=DIFFICULTIES, default=list(DIFFICULTIES))
    args = parser.parse_args()
    catalogue = load_catalogue(args.catalogue)
    played = msgspec.structs.replace(read_played(args.catalogue), command=COMMAND)
    for games in range(ROUND, args.games + ROUND, ROUND):
        for name in args.missions or mission_ids(catalogue):
            mission = load_mission(catalogue, name)
            before, wanted = shares_of(played, mission), min(games, args.games)
            lacking = [each for each in args.difficulty if before.get(each, Share()).games < wanted]
            if not lacking:
                continue
            played = play_on(catalogue, played, mission, lacking, wanted)
            write_played(args.catalogue, played)
            for difficulty in lacking:
                share = shares_of(played, mission)[difficulty]
                reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(share.reasons.items()))
                print(f"{name} {difficulty}: {share.won} of {share.games} won; {reasons}", flush=True)


if __name__ == "__main__":
    main()
