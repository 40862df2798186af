"""Rules of Map Masters, cooperative mode (README.md in this folder states them in our own words)."""

from scorer.mapmasters.cooperative.rules.record import TableRecord, parse_table
from scorer.mapmasters.cooperative.rules.referee import referee, referee_table
from scorer.mapmasters.cooperative.rules.ruling import CoopRuling
from scorer.mapmasters.cooperative.rules.settings import HOUSE, CoopSettings
from scorer.mapmasters.cooperative.rules.table import make_table

__all__ = [
    "HOUSE",
    "CoopRuling",
    "CoopSettings",
    "TableRecord",
    "make_table",
    "parse_table",
    "referee",
    "referee_table",
]
