"""How often missions are won, as played: a file beside the catalogue, from which the mission sheets tell it.

Games are added to it in rounds, by seeds that follow each other, so that a run can be broken off and gone on
with. Figures of a mission that was changed since are thrown away.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from calibration.missions.losses import OWN
from calibration.missions.plans import Plans, named_cards, ways_of
from calibration.missions.play import PLAYERS, Game
from scorer.catalogue import Catalogue
from scorer.mapmasters.cooperative.mission import Mission, plan_of
from scorer.mapmasters.cooperative.settings import Difficulty
from scorer.output_file import write_output

FILE_NAME = "missions-played.json"
FORMAT = "waymark-missions-played/1"


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """Games of one mission at one difficulty: how many, how many won, cards laid in those in all, and why
    they ended."""

    games: int = 0
    won: int = 0
    cards_when_won: int = 0
    reasons: dict[str, int] = {}

    def with_game(self, won: bool, reason: str, turns: int) -> Share:
        return Share(
            games=self.games + 1,
            won=self.won + won,
            cards_when_won=self.cards_when_won + turns * won,
            reasons=dict(Counter(self.reasons) + Counter([reason])),
        )


class MissionShares(msgspec.Struct, frozen=True, kw_only=True):
    """A mission's games by difficulty; `mark` is that of the mission as it was played."""

    mark: str
    shares: dict[str, Share] = {}


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """All that was played, and by what: the first game's seed, and the command."""

    missions: dict[str, MissionShares] = {}
    seed: int = 1
    players: int = PLAYERS
    command: str = ""
    format: str = FORMAT


def mark_of(mission: Mission) -> str:
    """Changes with whatever of a mission is played: not with its words, nor with its number."""
    lose = msgspec.structs.replace(mission.lose, told={})
    plain = msgspec.structs.replace(mission, id="", number=0, name={}, rules={}, words={}, lose=lose)
    told = msgspec.json.encode(plain, order="sorted") + repr(sorted(OWN.get(mission.id, {}).items())).encode()
    return hashlib.sha256(told).hexdigest()[:12]


def read_played(catalogue_folder: Path) -> Played:
    """What was played of a catalogue's missions; nothing where there is no such file."""
    try:
        return msgspec.json.decode((catalogue_folder / FILE_NAME).read_bytes(), type=Played)
    except FileNotFoundError:
        return Played()


def shares_of(played: Played, mission: Mission) -> dict[str, Share]:
    """A mission's shares by difficulty, if it was played as it is now."""
    found = played.missions.get(mission.id)
    return found.shares if found is not None and found.mark == mark_of(mission) else {}


def play_on(
    catalogue: Catalogue, played: Played, mission: Mission, difficulties: Sequence[Difficulty], games: int
) -> Played:
    """`played` with enough games more at each difficulty to make `games`."""
    shares = dict(shares_of(played, mission))
    ways = ways_of(catalogue, plan_of(mission, catalogue, named_cards(mission)))
    fewest = min(shares.get(each, Share()).games for each in difficulties)
    for number in range(fewest, games):
        plans = Plans(ways)
        for difficulty in difficulties:
            share = shares.get(difficulty, Share())
            if share.games == number:
                seed = played.seed + number
                outcome = Game(catalogue, mission, difficulty, seed, played.players, plans).play()
                shares[difficulty] = share.with_game(outcome.won, outcome.reason, outcome.turns)
    made = MissionShares(mark=mark_of(mission), shares=shares)
    return msgspec.structs.replace(played, missions={**played.missions, mission.id: made})


def write_played(catalogue_folder: Path, played: Played) -> None:
    """One difficulty a line. Raises `WaymarkError` (not-writable)."""
    told = msgspec.to_builtins(played)
    missions = told.pop("missions")
    lines = [f" {_json(name)}: {_json(value)}," for name, value in told.items()]
    blocks = []
    for name, each in sorted(missions.items()):
        shares = ",\n".join(f"   {_json(d)}: {_json(s)}" for d, s in each["shares"].items())
        blocks.append(f'  {_json(name)}: {{"mark": {_json(each["mark"])}, "shares": {{\n{shares}}}}}')
    text = "{\n" + "\n".join(lines) + '\n "missions": {\n' + ",\n".join(blocks) + "}}\n"
    write_output(catalogue_folder / FILE_NAME, text.encode())


def _json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
