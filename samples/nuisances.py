"""What makes a real evening's photo hard to read: nuisances by name, and tiers by their number and strength.

`easy` has good light and nothing of the kind; `typical` what an evening brings; `hard` and `wild` several at
once, the stronger the wilder.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

Tier = Literal["easy", "typical", "hard", "wild"]
#: The tier of a photo by its index, so that every set of ten has the same.
TIERS: tuple[Tier, ...] = (
    "typical",
    "hard",
    "easy",
    "typical",
    "wild",
    "typical",
    "hard",
    "easy",
    "typical",
    "wild",
)
#: How many nuisances a photo of a tier has, with their shares.
NUMBERS: dict[Tier, tuple[tuple[int, float], ...]] = {
    "easy": ((0, 1.0),),
    "typical": ((0, 0.2), (1, 0.4), (2, 0.3), (3, 0.1)),
    "hard": ((2, 0.3), (3, 0.4), (4, 0.3)),
    "wild": ((4, 0.4), (5, 0.4), (6, 0.2)),
}
STRENGTHS: dict[Tier, tuple[float, float]] = {
    "easy": (0.0, 0.0),
    "typical": (0.0, 0.35),
    "hard": (0.3, 0.7),
    "wild": (0.6, 1.0),
}
#: How often each comes; each is one of the fields below.
SHARES = {
    "sleeves": 1.6,
    "gaps": 1.2,
    "ghost": 1.6,
    "glare": 1.2,
    "over": 1.2,
    "low_light": 0.8,
    "messenger": 1.0,
    "neighbours": 0.9,
    "market": 0.8,
    "broken_rule": 1.2,
    "tokens": 1.0,
    "spur": 0.8,
    "pens": 1.2,
    "checked": 0.9,
    "home_print": 0.8,
}
#: Rules a path can be drawn against (scorer/mapmasters/README.md, violations).
BREAKABLE = (
    "bad-start",
    "after-end",
    "monster",
    "padlock",
    "lava",
    "room-guarded",
    "no-way",
    "climb",
    "circle-used",
    "circle-inactive",
    "corridor-reused",
    "door-reused",
    "fall-forced",
    "path-crossed",
)
STEEP_DEG = 40.0


@dataclass(frozen=True)
class Nuisances:
    """One photo's. `strength` 0 to 1 scales those that have one; lengths in mm, angles in degrees.

    `glare` is "mirror" where the cards mirror the main light itself; `ghost` is how strong the wiped path
    still shows, as a share of a fresh line; `gap_mm` is the widest gap.
    """

    tier: Tier
    strength: float = 0.0
    tilt_deg: float = 0.0
    sleeves: Literal["", "clear", "matte"] = ""
    gap_mm: float = 0.0
    ghost: float = 0.0
    glare: Literal["", "stripe", "haze", "mirror"] = ""
    over: Literal["", "hand", "finger", "pen"] = ""
    low_light: bool = False
    messenger: bool = False
    neighbours: bool = False
    market: bool = False
    broken_rule: str = ""
    tokens: bool = False
    spur: bool = False
    pens: Literal["", "marks", "changed", "faint"] = ""
    checked: bool = False
    home_print: bool = False

    def named(self) -> dict[str, Any]:
        """The nuisances as truth tells them: false or "" where there is none of the kind."""
        return {
            "tier": self.tier,
            "sleeves": self.sleeves,
            "gaps": "" if not self.gap_mm else "narrow" if self.gap_mm <= 3.0 else "wide",
            "ghost": "" if not self.ghost else "faint" if self.ghost <= 0.2 else "strong",
            "glare": self.glare,
            "over": self.over,
            "low_light": self.low_light,
            "messenger": self.messenger,
            "neighbours": self.neighbours,
            "market": self.market,
            "broken_rule": self.broken_rule,
            "tokens": self.tokens,
            "spur": self.spur,
            "pens": self.pens,
            "checked": self.checked,
            "home_print": self.home_print,
            "steep": self.tilt_deg > STEEP_DEG,
        }


def random_nuisances(tier: Tier, rng: np.random.Generator) -> Nuisances:
    """The nuisances of a photo of this tier."""
    low, high = STRENGTHS[tier]
    found = Nuisances(tier, strength=float(rng.uniform(low, high)), tilt_deg=_tilt(tier, rng))
    counts, shares = zip(*NUMBERS[tier], strict=True)
    weights = np.array(list(SHARES.values()))
    names = rng.choice(
        list(SHARES), size=int(rng.choice(counts, p=shares)), replace=False, p=weights / weights.sum()
    )
    for name in sorted(map(str, names)):
        found = _with(found, name, rng)
    if found.sleeves:  # sleeves keep the cards apart by themselves
        found = replace(found, gap_mm=0.0)
    return found


def _tilt(tier: Tier, rng: np.random.Generator) -> float:
    if rng.random() < 0.08:
        return 0.0
    if tier == "easy":
        return float(min(19.0, abs(rng.normal(0, 10))))
    steep = {"typical": 0.0, "hard": 0.3, "wild": 0.5}[tier]
    if rng.random() < steep:
        return float(rng.uniform(38, 60))
    return float(min(40.0, abs(rng.normal(0, 17))))


def _with(found: Nuisances, name: str, rng: np.random.Generator) -> Nuisances:
    strength = found.strength
    value: Any = True
    if name == "sleeves":
        value = str(rng.choice(["clear", "matte"], p=[0.65, 0.35]))
    elif name == "gaps":
        return replace(found, gap_mm=float(1.5 + 1.5 * rng.random() + 3.0 * strength))
    elif name == "ghost":
        value = float(np.clip(0.10 + 0.25 * strength + rng.normal(0, 0.03), 0.10, 0.35))
    elif name == "glare":
        value = str(rng.choice(["stripe", "haze"], p=[0.6, 0.4]))
    elif name == "over":
        value = str(rng.choice(["hand", "finger", "pen"], p=[0.3, 0.35, 0.35]))
    elif name == "broken_rule":
        value = str(rng.choice(BREAKABLE))
    elif name == "pens":
        value = str(rng.choice(["marks", "changed", "faint"], p=[0.45, 0.3, 0.25]))
    return replace(found, **{name: value})
