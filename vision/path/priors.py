"""Path priors (nats): log-prior of walking a link once and again, and the cost of a line's end at each place.

They are added to the ink's evidence (`vision.path.link_evidence`) and come from how players usually draw
(`vision.path.style`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scorer.dungeon import Dungeon, Link
from vision.path import parameters
from vision.path.link_evidence import LinkEvidence
from vision.path.style import habits_of


def prior_score(dungeon: Dungeon, link: Link, evidence: LinkEvidence) -> float:
    """Log-likelihood ratio (nats) of walking `link` once against not walking it, from the ink and the
    priors."""
    if link.kind == "fall":
        return -parameters.WALKS.fall_nats
    if link.kind == "room":
        kinds = {dungeon.places[link.a].kind, dungeon.places[link.b].kind}
        if "room_find" in kinds:
            return -parameters.WALKS.room_find_nats
        return 0.5 * evidence.score + parameters.WALKS.circled_room_nats * evidence.covered
    if link.kind == "crossing" or evidence.length_mm == 0:
        return -parameters.WALKS.crossing_nats
    unseen = parameters.WALKS.unseen_nats_per_mm * (1 - evidence.seen) * evidence.length_mm
    return evidence.score + parameters.WALKS.circled_way_nats * evidence.covered - unseen


def twice_score(link: Link, evidence: LinkEvidence) -> float:
    """Log-likelihood ratio of walking `link` a second time against walking it once."""
    if link.kind in ("corridor", "stairs") and evidence.length_mm > 0:
        # two overlaid lines are one line, a little wider: rarely by chance, and rarely not at all
        wider = 0.0 if np.isnan(evidence.wider_mm) else evidence.wider_mm
        overlaid = min(
            max(
                parameters.WALKS.wider_nats_per_mm * (wider - parameters.WALKS.wider_mm),
                parameters.WALKS.overlaid_least_nats,
            ),
            parameters.WALKS.overlaid_most_nats,
        )
        return max(evidence.second - parameters.WALKS.twice_nats, overlaid)
    return -parameters.WALKS.twice_room_nats if link.kind == "room" else -parameters.WALKS.twice_unseen_nats


def further_ends(dungeon: Dungeon, ends: Sequence[str]) -> int:
    """Number of line ends beyond two, without ends at gates, where a line may break off."""
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
    """Cost (nats) of a stroke that ends at a place."""
    place = dungeon.places[place_id]
    if place.kind == "opening":
        if place.id in dungeon.open_openings:
            return parameters.ENDS.outer_nats
        return parameters.ENDS.end_nats if _leads_nowhere(dungeon, place_id) else parameters.ENDS.opening_nats
    if place.kind == "room_find":
        return parameters.ENDS.room_find_nats
    if place.kind in ("junction", "door") and _leads_nowhere(dungeon, place_id):
        return parameters.ENDS.end_nats
    if place.find is not None:
        habits = habits_of(dungeon)
        return parameters.ENDS.at(
            "gate" if place.find in habits.gates else "stop" if place.find in habits.stops_at else "find"
        )
    return parameters.ENDS.at(place.kind)


def end_prices(dungeon: Dungeon) -> dict[str, float]:
    """Cost (nats) of a stroke's end at every place; cached with the dungeon, since hundreds of readings use
    it."""
    kept = vars(dungeon)
    if "end_prices" not in kept:
        kept["end_prices"] = {place: end_price(dungeon, place) for place in dungeon.places}
    prices: dict[str, float] = kept["end_prices"]
    return prices


def _leads_nowhere(dungeon: Dungeon, place_id: str) -> bool:
    """Whether a place is a dead end: at most one way leads on, not counting ways to closed openings."""
    ways = dungeon.neighbours[place_id]
    onward = [link.b for link in ways if dungeon.places[link.b].kind == "opening"]
    shut = [b for b in onward if b not in dungeon.open_openings and len(dungeon.neighbours[b]) == 1]
    return len(ways) - len(shut) <= 1
