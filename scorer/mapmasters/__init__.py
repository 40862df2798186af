"""Rules of Map Masters, versus mode (README.md in this folder states them in our own words)."""

from scorer.mapmasters.rules.referee import referee, referee_dungeon
from scorer.mapmasters.rules.ruling import Ruling
from scorer.mapmasters.rules.settings import HOUSE, ONLINE, VersusSettings

__all__ = ["HOUSE", "ONLINE", "Ruling", "VersusSettings", "referee", "referee_dungeon"]
