"""Map matching: link evidence -> how often the pen ran along each link, optimised for the drawing as a whole.

After Newson & Krumm (2009), whole walks are matched rather than single links. A set of links is likely if the
ink supports it (`vision.path.link_evidence`) and if it consists of few strokes. Every place at which an odd
number of chosen links meet is an end of a stroke, and the cost of an end depends on its place. The likeliest
set is a minimum-weight T-join: starting from all links that the ink favours, the odd places are removed by
flipping links along shortest paths (`vision.path.t_join`). Priors: `vision.path.priors`. Rules of the game
play no part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Dungeon
from vision.allowance import SHARE, allowance
from vision.path import parameters
from vision.path.link_evidence import LinkEvidence
from vision.path.priors import end_price, end_prices, further_ends, gate_places, prior_score, twice_score
from vision.path.t_join import (
    MOST_TABLED,
    Edge,
    best_of_subsets,
    mend,
    odd_places,
    pairing_groups,
    shortest,
    ways_around,
)
from vision.questions import DOUBT

Array = NDArray[np.float64]

#: Largest number of links walked there and back, and of rings, for which alternatives are tried; and number
#: of links tried for opening each ring.
_MOST_TURNS, _MOST_RINGS, _MOST_OPENED = 2, 2, 2
#: Extra costs of ends tried if one line has too many ends, as shares of the cost of a further end.
_DEARER = (0.25, 0.5, 1.0)


@dataclass(frozen=True)
class Matching:
    """The chosen links.

    `times[i]` is how often link i is walked, `cost` (nats) the cost of the flips, `ends` the places where
    strokes end. `single`: they form one line, with two ends besides those at gates. Such a result was found
    with each end that is not at a gate `dearer` by some nats; `loose` is the result without that constraint.
    `price`: the steps of `vision.allowance` spent.
    """

    times: tuple[int, ...]
    ends: tuple[str, ...]
    cost: float
    single: bool = False
    dearer: float = 0.0
    loose: Matching | None = None
    price: int = field(default=0, compare=False)


def match(
    dungeon: Dungeon,
    evidence: Sequence[LinkEvidence],
    *,
    single: bool = False,
    forced: Mapping[int, int] | None = None,
    like: Matching | None = None,
) -> Matching:
    """The likeliest set of links; `single` restricts it to one line.

    `forced` fixes the count, 0 to 2, of some links (by index). With `like`, the result is `single` if that
    is.
    """
    single = single if like is None else like.single
    known: _Known = {}
    loose = _searched(dungeon, evidence, forced or {}, False, 0.0, known)
    if not single or not further_ends(dungeon, loose.ends):
        return replace(loose, single=single)
    # the matching prices each end by itself, so only expensive ends are avoided
    most = parameters.WALKS.further_end_nats
    dearer = [share * most for share in _DEARER] if like is None else [like.dearer or most]
    found = [_searched(dungeon, evidence, forced or {}, True, each, known) for each in (0.0, *dearer)]
    best = max(found, key=lambda matching: objective(dungeon, evidence, matching))
    return replace(best, loose=loose)


#: Cached results by the extra cost of ends and the forced links, because two forced links are reached in
#: either order.
_Known = dict[tuple[float, frozenset[tuple[int, int]]], Matching]


def _searched(
    dungeon: Dungeon,
    evidence: Sequence[LinkEvidence],
    forced: Mapping[int, int],
    single: bool,
    dearer: float,
    known: _Known,
) -> Matching:
    """The likeliest set of links, if each end that is not at a gate costs `dearer` more.

    Links walked there and back, and rings, are also tried with other counts.
    """

    def matched(forced: Mapping[int, int]) -> Matching:
        key = dearer, frozenset(forced.items())
        if key not in known:
            known[key] = _matched(dungeon, evidence, forced, dearer)
        return replace(known[key], single=single)

    best = matched(forced)
    best = _without_turning(dungeon, evidence, forced, matched, _turns(dungeon, evidence, best))
    for ring in _rings(dungeon, best.times)[:_MOST_RINGS]:
        tried = (
            matched({**forced, i: times})
            for i, times in _opened(dungeon, evidence, best.times, ring)
            if i not in forced and allowance().covers(best.price)
        )
        best = max((best, *tried), key=lambda matching: objective(dungeon, evidence, matching))
    return best


def _without_turning(
    dungeon: Dungeon,
    evidence: Sequence[LinkEvidence],
    forced: Mapping[int, int],
    matched: Callable[[Mapping[int, int]], Matching],
    most: int,
) -> Matching:
    """The likeliest set of links after trying other counts for up to `most` links walked there and back.

    The T-join cannot price these turns, because it does not know the direction of a line. `matched` is
    `_matched`.
    """
    best = matched(forced)
    if not most:
        return best
    tried = (
        _without_turning(dungeon, evidence, {**forced, i: times}, matched, most - 1)
        for i, times in _turned_otherwise(dungeon, evidence, best.times)
        if i not in forced and allowance().covers(best.price)
    )
    return max((best, *tried), key=lambda matching: objective(dungeon, evidence, matching))


def _turns(dungeon: Dungeon, evidence: Sequence[LinkEvidence], matching: Matching) -> int:
    """Number of links, walked there and back, to try at once within the photo's allowance of steps."""
    tries = len(_turned_otherwise(dungeon, evidence, matching.times))
    most = _MOST_TURNS
    while most and not allowance().covers(tries**most * matching.price, SHARE):
        most -= 1
    return most


def _turned_otherwise(
    dungeon: Dungeon, evidence: Sequence[LinkEvidence], times: Sequence[int]
) -> list[tuple[int, int]]:
    """Alternatives to links walked there and back: pairs of a link index and another count."""
    turning = _there_and_back(dungeon, times)
    others = [(i, count) for i in dict.fromkeys(i for i, _ in turning) for count in (0, 1)]
    # a loop through a room returns on its own line; the costlier half of that line is left out
    others += [(i, 2) for _, tip in turning for i in _led_through(dungeon, evidence, times, tip)]
    return list(dict.fromkeys(others))


def _rings(dungeon: Dungeon, times: Sequence[int]) -> list[set[str]]:
    """The places of each connected group of walked links that is closed, so that it has no ends."""
    degree: dict[str, int] = {}
    groups: list[set[str]] = []
    for link, count in zip(dungeon.links, times, strict=True):
        if not count:
            continue
        ends = {link.a, link.b}
        for place in ends:
            degree[place] = degree.get(place, 0) + count
        groups = [*(each for each in groups if not each & ends), ends.union(*(g for g in groups if g & ends))]
    return [group for group in groups if all(degree[place] % 2 == 0 for place in group)]


def _opened(
    dungeon: Dungeon, evidence: Sequence[LinkEvidence], times: Sequence[int], ring: Set[str]
) -> list[tuple[int, int]]:
    """Ways to open a ring, as pairs of a link index and a count.

    They drop one of its weakest links, or add one of the likeliest links that lead to it.
    """
    scored = [
        (prior_score(dungeon, link, seen), i)
        for i, (link, seen) in enumerate(zip(dungeon.links, evidence, strict=True))
        if link.a in ring or link.b in ring
    ]
    own = sorted((score, i) for score, i in scored if times[i])
    other = sorted(((-score, i) for score, i in scored if not times[i]))
    return [(i, 0) for _, i in own[:_MOST_OPENED]] + [(i, 1) for _, i in other[:_MOST_OPENED]]


def _there_and_back(dungeon: Dungeon, times: Sequence[int]) -> list[tuple[int, str]]:
    """Links (by index) walked twice to a place where no other link is walked, with that place.

    Both places of a link are listed if no other link meets either.
    """
    degree: dict[str, int] = {}
    for link, count in zip(dungeon.links, times, strict=True):
        if count:
            degree[link.a] = degree.get(link.a, 0) + count
            degree[link.b] = degree.get(link.b, 0) + count
    return [
        (i, place)
        for i, (link, count) in enumerate(zip(dungeon.links, times, strict=True))
        if count == 2
        for place in (link.a, link.b)
        if degree[place] == 2
    ]


def _led_through(
    dungeon: Dungeon, evidence: Sequence[LinkEvidence], times: Sequence[int], tip: str
) -> list[int]:
    """Links (by index) from a door, at which a line turns back, into a room where other links are walked."""
    walked = {
        place for link, count in zip(dungeon.links, times, strict=True) if count for place in (link.a, link.b)
    }
    return [
        i
        for i, link in enumerate(dungeon.links)
        if link.kind == "room"
        and tip in (link.a, link.b)
        and evidence[i].score > 0
        and (link.b if link.a == tip else link.a) in walked
    ]


def _matched(
    dungeon: Dungeon, evidence: Sequence[LinkEvidence], forced: Mapping[int, int], dearer: float
) -> Matching:
    """The likeliest set of links by the T-join, without the cost of turning back.

    Each end that is not at a gate costs `dearer` more.
    """
    edges = _with_forced(_edges(dungeon, evidence), forced)
    chosen = [edge.score > 0 for edge in edges]
    prices = end_prices(dungeon)
    if dearer:
        gates = gate_places(dungeon)
        prices = {name: price + dearer * (name not in gates) for name, price in prices.items()}
    before = allowance().spent
    cost = mend(edges, chosen, prices)
    times = [0] * len(dungeon.links)
    degree: dict[str, int] = {}
    for edge, taken in zip(edges, chosen, strict=True):
        if taken:
            times[edge.link] += 1
            for place in (edge.a, edge.b):
                degree[place] = degree.get(place, 0) + 1
    ends = tuple(sorted(place for place, count in degree.items() if count % 2))
    return Matching(tuple(times), ends, cost, dearer=dearer, price=allowance().spent - before)


def _with_forced(edges: Sequence[Edge], forced: Mapping[int, int]) -> Sequence[Edge]:
    """The edges, with the counts of some links (by index) forced by very large scores."""
    if not forced:
        return edges
    return [
        replace(edge, score=1e6 if forced[edge.link] else -1e6) if edge.link in forced else edge
        for edge in edges
        if not (edge.copy and forced.get(edge.link, 2) < 2)
    ]


def _edges(dungeon: Dungeon, evidence: Sequence[LinkEvidence]) -> Sequence[Edge]:
    """Links as scored edges, each with a copy for a second walk.

    They are cached with the dungeon, because a path is matched to the same evidence tens of times.
    """
    kept = vars(dungeon)
    if "edges" not in kept or kept["edges"][0] is not evidence:
        kept["edges"] = evidence, _scored_edges(dungeon, evidence)
    edges: list[Edge] = kept["edges"][1]
    return edges


def _scored_edges(dungeon: Dungeon, evidence: Sequence[LinkEvidence]) -> list[Edge]:
    edges: list[Edge] = []
    for i, (link, seen) in enumerate(zip(dungeon.links, evidence, strict=True)):
        score = prior_score(dungeon, link, seen)
        edges.append(Edge(i, link.a, link.b, score, 0))
        if link.kind in ("corridor", "stairs") and seen.length_mm > 0:
            if score > 0:
                edges.append(Edge(i, link.a, link.b, twice_score(link, seen), 1))
        else:
            edges.append(Edge(i, link.a, link.b, twice_score(link, seen), 1))
    return edges


def objective(dungeon: Dungeon, evidence: Sequence[LinkEvidence], matching: Matching) -> float:
    """Log-likelihood (nats, up to a constant) of a set of links, including the costs of ends and of turning
    back."""
    total = 0.0
    for link, seen, times in zip(dungeon.links, evidence, matching.times, strict=True):
        if times:
            total += prior_score(dungeon, link, seen)
        if times > 1:
            total += twice_score(link, seen)
    for i, tip in _there_and_back(dungeon, matching.times):
        # a find at a dead end is sometimes fetched, against the rules
        price = (
            parameters.WALKS.turn_back_nats
            if dungeon.places[tip].find is None
            else parameters.WALKS.fetch_nats
        )
        price = (
            parameters.WALKS.circled_fetch_nats
            if evidence[i].circled and price < parameters.WALKS.turn_back_nats
            else price
        )
        # a clearly visible second line reduces this cost
        total -= max(price - max(evidence[i].second - parameters.WALKS.twice_nats, 0.0), 0.0)
    for ring in _rings(dungeon, matching.times):
        # a drawn ring has a start and an end somewhere
        total -= 2 * min(end_price(dungeon, place) for place in ring)
    if matching.single:
        total -= parameters.WALKS.further_end_nats * further_ends(dungeon, matching.ends)
    return total - sum(end_price(dungeon, place) for place in matching.ends)


def doubtful(
    dungeon: Dungeon, evidence: Sequence[LinkEvidence], matching: Matching, links: Sequence[int]
) -> list[int] | None:
    """Those of `links` whose opposite reading is less likely than `matching` by no more than a doubt.

    None if there are too many odd places to decide without trying. Reading a link against its ink makes its
    two places odd. The cost of the odd places is looked up in tables of all subsets. The detour may use the
    link itself, so the result may, though seldom, hold too many links.
    """
    if not links:
        return []
    edges = _edges(dungeon, evidence)
    end_cost = end_prices(dungeon)
    odd = odd_places(edges, [edge.score > 0 for edge in edges], end_cost)
    groups = pairing_groups(odd.pair_cost, odd.last_cost)
    if any(len(group) > MOST_TABLED for group in groups):
        return None
    n = len(odd.places)
    whole, without_one = 0.0, np.zeros(n)
    saved_two = np.full((n, n), np.nan)
    for group in groups:
        best = best_of_subsets(odd.pair_cost[np.ix_(group, group)], odd.last_cost[group])
        everything = len(best) - 1
        bits = 1 << np.arange(len(group))
        whole += best[-1]
        without_one[group] = best[everything ^ bits] - best[-1]
        saved_two[np.ix_(group, group)] = best[everything & ~(bits[:, None] | bits[None])] - best[-1]
    without_two = np.where(np.isnan(saved_two), without_one[:, None] + without_one[None], saved_two) + whole
    without_one = without_one + whole
    np.fill_diagonal(without_two, np.inf)
    number = {place: k for k, place in enumerate(odd.places)}
    around = ways_around(edges)
    to_end, _ = shortest(end_cost, around)
    first = {edge.link: k for k, edge in enumerate(edges) if edge.copy == 0}
    # difference between the sum of the edge scores used so far and the objective of `matching`
    paid = sum(edge.score for edge in edges if edge.score > 0) - objective(dungeon, evidence, matching)
    found = []
    for i in links:
        edge = edges[first[i]]
        if (edge.score > 0) != (matching.times[i] > 0):
            found.append(i)
            continue
        away = {
            place: np.array([distance.get(place, np.inf) for distance, _ in odd.routes])
            for place in (edge.a, edge.b)
        }
        known, new = [p for p in away if p in number], [p for p in away if p not in number]
        if not new:
            mended = float(without_two[number[edge.a], number[edge.b]])
        elif known:
            k, (x,) = number[known[0]], new
            mended = min(without_one[k] + to_end[x], np.min(without_two[k] + away[x], initial=np.inf))
        else:
            a, b = new
            near, _ = shortest(
                {a: 0.0}, around, most=max(DOUBT + paid - abs(edge.score) - whole, 0.0), without=first[i]
            )
            mended = min(
                whole + min(to_end[a] + to_end[b], near.get(b, np.inf)),
                to_end[a] + np.min(without_one + away[b], initial=np.inf),
                to_end[b] + np.min(without_one + away[a], initial=np.inf),
                np.min(without_two + away[a][:, None] + away[b][None], initial=np.inf),
            )
        if abs(edge.score) + mended - paid <= DOUBT:
            found.append(i)
    return found
