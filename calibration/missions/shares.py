"""Win rates of missions from simulated play, in a file beside the catalogue for the mission sheets.

Games are added in rounds of consecutive seeds, so a run can be interrupted and continued. Results of a
mission that was changed since are discarded.
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
from scorer.mapmasters.cooperative.rules.mission import Mission, plan_of
from scorer.mapmasters.cooperative.rules.settings import Difficulty
from scorer.output_file import write_output

FILE_NAME = "missions-played.json"
FORMAT = "waymark-missions-played/1"


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """Results of one mission at one difficulty: number of games, number won, total cards laid in won
    games, and counts of the reasons for the end."""

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
    """A mission's results by difficulty. `mark` is the hash of the mission as it was played."""

    mark: str
    shares: dict[str, Share] = {}


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """All results, with the seed of the first game and the command of the simulation."""

    missions: dict[str, MissionShares] = {}
    seed: int = 1
    players: int = PLAYERS
    command: str = ""
    format: str = FORMAT


def mark_of(mission: Mission) -> str:
    """Hash of all parts of a mission that affect play. Its texts and its number are excluded."""
    lose = msgspec.structs.replace(mission.lose, told={})
    plain = msgspec.structs.replace(mission, id="", number=0, name={}, rules={}, words={}, lose=lose)
    told = msgspec.json.encode(plain, order="sorted") + repr(sorted(OWN.get(mission.id, {}).items())).encode()
    return hashlib.sha256(told).hexdigest()[:12]


def read_played(catalogue_folder: Path) -> Played:
    """The results stored for a catalogue's missions; empty where the file is missing."""
    try:
        return msgspec.json.decode((catalogue_folder / FILE_NAME).read_bytes(), type=Played)
    except FileNotFoundError:
        return Played()


def shares_of(played: Played, mission: Mission) -> dict[str, Share]:
    """A mission's results by difficulty, or none if the mission was changed since."""
    found = played.missions.get(mission.id)
    return found.shares if found is not None and found.mark == mark_of(mission) else {}


def play_on(
    catalogue: Catalogue, played: Played, mission: Mission, difficulties: Sequence[Difficulty], games: int
) -> Played:
    """`played` extended by simulated games, up to `games` at each difficulty."""
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
    """Write the results as JSON, one difficulty a line. Raises `WaymarkError` (not-writable)."""
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
