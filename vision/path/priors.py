"""Path priors (nats): log-prior of walking a link once and again, and the cost of a line's end at each place.

They are added to the ink's evidence (`vision.path.link_evidence`) and come from how players usually draw
(`vision.path.style`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scorer.dungeon import Dungeon, Link
from vision import tuning
from vision.path.link_evidence import LinkEvidence
from vision.path.style import habits_of


def prior_score(dungeon: Dungeon, link: Link, evidence: LinkEvidence) -> float:
    """Log-likelihood ratio of walking `link` once against not walking it."""
    if link.kind == "fall":
        return -tuning.FALL_COST
    if link.kind == "room":
        kinds = {dungeon.places[link.a].kind, dungeon.places[link.b].kind}
        if "room_find" in kinds:
            return -tuning.ROOM_FIND_COST
        return 0.5 * evidence.score + tuning.CIRCLED_ROOM * evidence.covered
    if link.kind == "crossing" or evidence.length_mm == 0:
        return -tuning.CROSSING_COST
    unseen = tuning.UNSEEN_COST * (1 - evidence.seen) * evidence.length_mm
    return evidence.score + tuning.CIRCLED_WAY * evidence.covered - unseen


def twice_score(link: Link, evidence: LinkEvidence) -> float:
    """Log-likelihood ratio of walking `link` once more."""
    if link.kind in ("corridor", "stairs") and evidence.length_mm > 0:
        # two lines on each other are one line, a little wider: never as wide by chance, seldom no wider at
        # all
        wider = 0.0 if np.isnan(evidence.wider_mm) else evidence.wider_mm
        overlaid = min(
            max(tuning.WIDER_GAIN * (wider - tuning.WIDER_MM), tuning.OVERLAID_LEAST), tuning.OVERLAID_MOST
        )
        return max(evidence.second - tuning.TWICE_COST, overlaid)
    return -tuning.DOOR_TWICE_COST if link.kind == "room" else -tuning.TWICE_UNSEEN_COST


def further_ends(dungeon: Dungeon, ends: Sequence[str]) -> int:
    """Number of line ends beyond the two of one line, not counting those at gates, where a line breaks
    off."""
    return max(len(set(ends) - gate_places(dungeon)) - 2, 0)


def gate_places(dungeon: Dungeon) -> frozenset[str]:
    """Places of gates and of rooms that have one, cached with the dungeon."""
    kept = vars(dungeon)
    if "gates" not in kept:
        finds = habits_of(dungeon).gates
        found = [place for place in dungeon.places.values() if place.find in finds]
        kept["gates"] = frozenset(name for place in found for name in (place.id, place.room) if name)
    gates: frozenset[str] = kept["gates"]
    return gates


def end_price(dungeon: Dungeon, place_id: str) -> float:
    """Cost (nats) of a stroke's end at a place."""
    place = dungeon.places[place_id]
    if place.kind == "opening":
        if place.id in dungeon.open_openings:
            return tuning.END_COST["outer"]
        return tuning.END_COST["end"] if _leads_nowhere(dungeon, place_id) else tuning.END_COST["opening"]
    if place.kind == "room_find":
        return tuning.END_COST["room_find"]
    if place.kind in ("junction", "door") and _leads_nowhere(dungeon, place_id):
        return tuning.END_COST["end"]
    if place.find is not None:
        habits = habits_of(dungeon)
        return tuning.END_COST[
            "gate" if place.find in habits.gates else "stop" if place.find in habits.stops_at else "find"
        ]
    return tuning.END_COST.get(place.kind, tuning.END_COST["place"])


def end_prices(dungeon: Dungeon) -> dict[str, float]:
    """Cost (nats) of a stroke's end at every place, cached with the dungeon: hundreds of readings ask for
    it."""
    kept = vars(dungeon)
    if "end_prices" not in kept:
        kept["end_prices"] = {place: end_price(dungeon, place) for place in dungeon.places}
    prices: dict[str, float] = kept["end_prices"]
    return prices


def _leads_nowhere(dungeon: Dungeon, place_id: str) -> bool:
    """Whether a line that comes to a place cannot go on: one way only, or the other ends at a shut
    opening.
    """
    ways = dungeon.neighbours[place_id]
    onward = [link.b for link in ways if dungeon.places[link.b].kind == "opening"]
    shut = [b for b in onward if b not in dungeon.open_openings and len(dungeon.neighbours[b]) == 1]
    return len(ways) - len(shut) <= 1
