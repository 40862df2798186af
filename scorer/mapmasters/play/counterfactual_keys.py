"""The content of an assumption (means held or not, another payment, a house rule), parsed from its key."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Literal

from scorer.counterfactual import Assumption
from scorer.mapmasters.rules.means import FAIRY, POOLS, SPELLBOOKS, TOOLS, Held
from scorer.mapmasters.rules.settings import VersusSettings
from scorer.mapmasters.rules.terms import Terms

#: `1.p1=rope@0.f3`: a place, the means, where an item came from.
_PAID = re.compile(
    f"(?P<at>.+?)=(?P<means>{'|'.join({means for pool in POOLS.values() for means in pool})})"
    r"(?:@(?P<source>.+))?"
)

#: A room may ask for several swords at once: so many tokens of a kind are tried before that kind is given up.
MOST_OF_A_KIND = 4
#: Longest list of means that is tried together to bring a path to its end.
MOST_TOGETHER = 6
#: Means by their names in `Payment.means`, with how many of each.
Amounts = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class HeldMeans:
    """The assumption that more or fewer (`sign`) of some means were held."""

    sign: Literal[1, -1]
    means: Amounts

    @property
    def assumption(self) -> Assumption:
        listed = "+".join(f"{name}*{count}" for name, count in self.means)
        return Assumption(f"{'held' if self.sign > 0 else 'not_held'}:{listed}")


@dataclass(frozen=True)
class HouseSetting:
    """The assumption that a house rule had the opposite setting."""

    setting: str

    @property
    def assumption(self) -> Assumption:
        return Assumption(f"house:{self.setting}")


@dataclass(frozen=True)
class PaidWith:
    """The assumption that a payment at a place was made with other means."""

    at: str
    way: Held

    @property
    def assumption(self) -> Assumption:
        source = f"@{self.way.source}" if self.way.source is not None else ""
        return Assumption(f"paid:{self.at}={self.way.means}{source}")


Content = HeldMeans | HouseSetting | PaidWith


def content_of(key: str) -> Content | None:
    kind, _, rest = key.partition(":")
    if kind in ("held", "not_held"):
        means = _parse_means(rest)
        return HeldMeans(1 if kind == "held" else -1, means) if means else None
    if kind == "house" and rest in {each.name for each in fields(VersusSettings)}:
        return HouseSetting(rest)
    if kind == "paid" and (paid := _PAID.fullmatch(rest)) is not None:
        return PaidWith(paid["at"], Held(paid["means"], paid["source"]))
    return None


def _parse_means(words: str) -> Amounts:
    found = []
    for word in words.split("+"):
        name, _, count = word.partition("*")
        known = name in SPELLBOOKS or (name.removeprefix(FAIRY) in TOOLS and name.startswith(FAIRY))
        if not known or count not in {str(n) for n in range(1, MOST_OF_A_KIND * MOST_TOGETHER)}:
            return ()
        found.append((name, int(count)))
    return tuple(found)


def count_held(terms: Terms, name: str) -> int:
    if name in SPELLBOOKS:
        return int(name in terms.spellbooks)
    return terms.fairy_tokens.get(name.removeprefix(FAIRY), 0)


def is_on(terms: Terms, setting: str) -> bool:
    return getattr(terms.settings, setting) is True
