"""The command that plays random games of a set, to test whether the set is playable."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from rich.progress import track

from scorer.catalogue import Catalogue

G = TypeVar("G")


def play_and_tell(
    what: str | None,
    catalogue: Catalogue,
    players: Sequence[int],
    play: Callable[[Catalogue, int, int], G],
    summary: Callable[[list[G], Catalogue], dict[str, Any]],
) -> None:
    """Play the number of games given on the command line and print their summary. The default number of
    players is the largest. `what` is the command's help. `play` maps catalogue, seed and number of players
    to a game."""
    parser = argparse.ArgumentParser(description=what, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--players", type=int, choices=players, default=max(players))
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    args = parser.parse_args()
    seeds = range(args.seed, args.seed + args.games)
    games = [play(catalogue, seed, args.players) for seed in track(seeds, "playing")]
    for name, value in summary(games, catalogue).items():
        if isinstance(value, dict):
            print(f"{name}:")
            for key, each in value.items():
                print(f"  {key}: {each}")
        else:
            print(f"{name}: {value}")
