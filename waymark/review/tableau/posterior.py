"""Posterior probability that a score is right, as a noisy-OR of doubts.

Each doubt of a reading is an independent possible cause of a wrong score. Its chance is a logistic function
of what is known about it: its kind, where it lies, how far its alternatives lag behind in log likelihood, and
whether they break a rule. The reading as a whole is one more cause, for what no doubt names. The score is
right if no cause is at work (noisy-OR: Pearl, Probabilistic Reasoning in Intelligent Systems, 1988, 4.3).
`tools.fit_posterior` fits the weights to photos with known truth.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import pairwise

import msgspec

from scorer.record import Record
from vision.questions import Question
from vision.scan import Scan
from waymark.review.tableau.bearing import is_come_to, is_missing_nothing, may_be_meant, runs_out
from waymark.review.tableau.doubt_kinds import OPEN_ENDED, OUT_OF_SIGHT, Kind, kind_of, reason_of
from waymark.review.tableau.joins import ends_of
from waymark.review.tableau.merge import merge_records
from waymark.review.tableau.option import Standing, is_marked, led_by
from waymark.review.tableau.question_names import PART_READ, UNCLEAR

#: Name of the cause that stands for the reading as a whole.
WHOLE = "reading"
#: Feature of a doubt about what the picture does not show, and the least log-odds of one: a chance of 0.1.
#: Drawn photos show whole tables of known cards, and the tableau in their middle is meant, so weights fitted
#: on them tell too little of it.
UNSEEN, UNSEEN_LOG_ODDS = "of the unseen", -2.2
#: Lags (nats) between which the log-odds of a doubt follow its lag by one slope.
_KNOTS = (-3.0, 1.0, 4.0, 8.0)


@dataclass(frozen=True)
class Cause:
    """A possible cause of a wrong score: the name of its question (or `WHOLE`), the chance (0 to 1) that it
    makes the score wrong, and the features that the chance was computed from."""

    name: str
    chance: float
    features: Mapping[str, float] = field(default_factory=dict)


class Weights(msgspec.Struct, frozen=True):
    """Weights (log-odds) of a doubt's features and of those of a reading, by the names of features."""

    doubt: Mapping[str, float]
    reading: Mapping[str, float]


@cache
def weights() -> Weights:
    """The fitted weights."""
    return msgspec.json.decode(files(__package__).joinpath("posterior.json").read_bytes(), type=Weights)


def probability(causes: Collection[Cause]) -> float:
    """Probability (0 to 1) that no cause is at work."""
    return math.prod(1 - cause.chance for cause in causes)


def to_ask(causes: Collection[Cause], certainty: float) -> frozenset[str]:
    """The names of the fewest causes to ask about, so that the score is right with a probability of at least
    `certainty` once those are ruled out."""
    asked, left = set(), 1.0
    for cause in sorted(causes, key=lambda each: each.chance):
        left *= 1 - cause.chance
        if left < certainty:
            asked.add(cause.name)
    return frozenset(asked)


def causes_of(
    scan: Scan, doubts: Sequence[Question], standing: Standing, against: Collection[str]
) -> tuple[Cause, ...]:
    """The possible causes of a wrong score, the likeliest first: the reading as a whole, and its unanswered
    `doubts`. `against` names what contradicts the record (a broken rule, unjoined lines, marks). Where
    somebody has checked the whole path, only doubts about cards and marks are left."""
    causes = _causes(scan, doubts, standing, against)
    if not standing.answered.isdisjoint({PART_READ, UNCLEAR}):
        about = {each.name: each.about for each in doubts}
        causes = (each for each in causes if about.get(each.name) in ("card", "mark"))
    return tuple(sorted(causes, key=lambda cause: -cause.chance))


def _causes(
    scan: Scan, doubts: Sequence[Question], standing: Standing, against: Collection[str]
) -> Iterator[Cause]:
    fitted = weights()
    yield _cause(WHOLE, _reading_features(scan, standing, against), fitted.reading)
    others = {each.name: _changing(each, standing) for each in doubts}
    idle = [each for each in doubts if each.alternatives and not others[each.name]]
    for doubt in idle:
        others[doubt.name] = _changing_together(doubt, idle, standing)
    open_doubts = [each for each in doubts if not _changes_nothing(each, others[each.name], standing)]
    places = standing.table.dungeon(standing.record.cards)
    for doubt in open_doubts:
        beside = [each for each in open_doubts if each is not doubt]
        if not is_missing_nothing(doubt, beside, scan, places, standing):
            features = _doubt_features(doubt, others[doubt.name], scan, standing, against)
            yield _cause(doubt.name, features, fitted.doubt)


def _is_of_the_unseen(doubt: Question, scan: Scan, standing: Standing) -> bool:
    """Whether a doubt is about what the picture does not show (a part beyond its end, which of two tableaus
    is meant), or about a card that may not be in the catalogue."""
    if kind_of(doubt.name) is Kind.TABLEAU:
        meant = any(may_be_meant(each, standing) for each in doubt.alternatives)
        return meant and not runs_out(doubt, scan)
    return kind_of(doubt.name) in OUT_OF_SIGHT or kind_of(doubt.name) in OPEN_ENDED


def _cause(name: str, features: Mapping[str, float], weight: Mapping[str, float]) -> Cause:
    told = {feature: value for feature, value in features.items() if value}
    log_odds = sum(weight.get(feature, 0.0) * value for feature, value in told.items())
    if UNSEEN in told:
        log_odds = max(log_odds, UNSEEN_LOG_ODDS)
    return Cause(name, 1 / (1 + math.exp(-log_odds)), told)


def terms_of(cause: Cause) -> dict[str, float]:
    """The terms (log-odds) whose sum gives a cause's chance, by the names of features."""
    weight = weights().reading if cause.name == WHOLE else weights().doubt
    terms = {name: weight.get(name, 0.0) * value for name, value in cause.features.items()}
    if UNSEEN in terms:
        terms[UNSEEN] += math.log(cause.chance / (1 - cause.chance)) - sum(terms.values())
    return {name: round(term, 3) for name, term in terms.items()}


#: Another reading: its record, and how far it is behind by the ink alone (nats).
Other = tuple[Record, float]


def _changes_nothing(doubt: Question, changing: Sequence[Other], standing: Standing) -> bool:
    """Whether no answer to a doubt changes the score: all that the ink could be is worth the same, no line
    could have come to it, or the path comes to its place anyway."""
    if is_come_to(doubt, standing):
        return True
    if not (doubt.alternatives or kind_of(doubt.name) is Kind.INK) or kind_of(doubt.name) in OPEN_ENDED:
        return False
    return not changing


def _changing(doubt: Question, standing: Standing) -> list[Other]:
    """The other readings of a doubt that are not worth the same as the current record."""
    table, terms = standing.table, standing.terms
    now = table.referee(standing.record, terms)
    others: Iterable[Other] = ((each, doubt.behind) for each in doubt.alternatives)
    if not doubt.alternatives and kind_of(doubt.name) is Kind.INK:
        others = _led_through(doubt, standing)
    return [other for other in others if not table.alike(now, table.referee(other[0], terms))]


def _changing_together(doubt: Question, idle: Sequence[Question], standing: Standing) -> list[Other]:
    """As `_changing`, for a doubt that by itself changes nothing: together with another one of those."""
    record, table, terms = standing.record, standing.table, standing.terms
    now = table.referee(record, terms)
    merged = (
        (merge_records(record, one, two, table), doubt.behind + other.behind)
        for other in idle
        if other is not doubt
        for one in doubt.alternatives
        for two in other.alternatives
    )
    return [
        (both, behind)
        for both, behind in merged
        if both is not None and not table.alike(now, table.referee(both, terms))
    ]


def _led_through(doubt: Question, standing: Standing) -> Iterator[Other]:
    near = [doubt.place]
    if reason_of(doubt.name) == "path:too-much":
        # Most of that ink lies on the line, which may continue from there.
        dungeon = standing.table.dungeon(standing.record.cards)
        near += sorted(link.b for link in dungeon.neighbours[doubt.place])
    for option in led_by(standing, *near):
        yield option.record, option.behind - standing.evidence.against(option.record, standing.terms)


def _doubt_features(
    doubt: Question, changing: Sequence[Other], scan: Scan, standing: Standing, against: Collection[str]
) -> dict[str, float]:
    record, table, terms = standing.record, standing.table, standing.terms
    full = table.is_full(record, terms)
    walked = {name for line in record.path for name in line}
    cards = {name.partition(".")[0] for name in walked}
    features = {
        "doubt": 1.0,
        f"about {doubt.about}": 1.0,
        f"reason {reason_of(doubt.name)}": 1.0,
        "contradicted": float(bool(against)),
        "full": float(full),
        "may hide a card": float(not full and kind_of(doubt.name) in OUT_OF_SIGHT),
        "at an end": float(doubt.place in ends_of(record.path)),
        "on a line": float(doubt.place in walked),
        "on a walked card": float(doubt.place.partition(".")[0] in cards),
        "no alternative": float(not doubt.alternatives),
        "discord": _discord(standing),
        "unmarked": float(not is_marked(record)),
        UNSEEN: float(_is_of_the_unseen(doubt, scan, standing)),
    }
    if kind_of(doubt.name) is Kind.TABLEAU:
        meant = any(may_be_meant(each, standing) for each in doubt.alternatives)
        features |= {"bears a line": float(meant), "runs out": float(runs_out(doubt, scan))}
    if changing:
        lag = min(_lag(each, standing) for each in changing)
        features |= {f"lag from {low:.0f}": min(max(lag, low), high) - low for low, high in pairwise(_KNOTS)}
        features["illegal"] = float(not any(table.referee(each, terms).legal for each, _ in changing))
    return features


def _lag(other: Other, standing: Standing) -> float:
    """Log likelihood (nats) by which another reading is behind the record, from ink, rules and marks."""
    record, terms, evidence = standing.record, standing.terms, standing.evidence
    against = evidence.against(other[0], terms) - evidence.against(record, terms)
    return other[1] + against + evidence.unusual(other[0], record, terms)


def _discord(standing: Standing) -> float:
    """Weight (nats, at most 5) of the marks that contradict the path."""
    discord = standing.evidence.discord(standing.record, standing.terms)
    return min(sum(each.weight for each in discord), 5.0)


def _reading_features(scan: Scan, standing: Standing, against: Collection[str]) -> dict[str, float]:
    record, table, terms = standing.record, standing.table, standing.terms
    return {
        "reading": 1.0,
        **{f"ruled {each}": 1.0 for each in against},
        "legal": float(table.referee(record, terms).legal),
        "discord": _discord(standing),
        "unlike card": 1.0 - min((card.confidence for card in scan.cards), default=0.0),
        "no line": float(not record.path),
        "lines": float(min(max(len(record.path) - 1, 0), 3)),
        "places": sum(map(len, record.path)) / 30,
        "unmarked": float(not is_marked(record)),
        "doubtful mark": float(min(scan.mark_confidence.values(), default=1.0) < 0.5),
        "warnings": float(min(len(scan.photo.warnings), 2)),
        "shortcomings": float(min(len(scan.photo.shortcomings), 2)),
        "room for a card": float(not table.is_full(record, terms)),
    }
