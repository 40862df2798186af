"""Comparison of one photo's reading with its truth, both in the same form. A tableau rotated by 180
degrees as a whole counts as the same tableau."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from scorer.catalogue import Catalogue
from scorer.errors import NOTHING_FOUND, WaymarkError
from scorer.placement import footprint
from scorer.record import PlacedCard, Record, path_backwards
from waymark.bench.players import Played
from waymark.bench.truth import Seen, SeenCard
from waymark.review.referee_cache import Table

#: A card's corners are right within this share of the card's height in the photo.
CORNER_TOLERANCE = 0.04
#: docs/FORMATS.md, section 2: readers compare places on the table within this distance.
PLACE_TOLERANCE_MM = 3.0


@dataclass(frozen=True)
class Hits:
    """Counts of matches and misses for an F1 score."""

    both: int = 0
    only_truth: int = 0
    only_read: int = 0

    @property
    def f1(self) -> float:
        """The F1 score; 1 where nothing was to be found and nothing was found."""
        missed = self.only_truth + self.only_read
        return 1.0 if missed == 0 else 2 * self.both / (2 * self.both + missed)

    def __add__(self, other: Hits) -> Hits:
        return Hits(
            self.both + other.both, self.only_truth + other.only_truth, self.only_read + other.only_read
        )


@dataclass(frozen=True)
class Measured:
    """The measurements of one photo. `seconds` is the wall time from photo to ruling, `cpu_seconds` the
    processor time, `stages_ms` the time of each stage. `peak_mb` is the peak memory of the process.
    `decode_seconds` and `decode_cpu_seconds` measure bare JPEG decoding right afterwards (None for other
    formats). `error` is the reason why nothing was read, in both languages. Then nothing is right,
    unless the photo has nothing to score and is rightly `refused`. `sure` uses the terms of the truth,
    `sure_untold` no stated terms.

    `players`: the result for each simulated player. `groups`: the photo's groups by name.
    `card_confidences`: for each card read, its confidence and whether that card lies there.
    `doubt_confidences`: for each doubt, the probability of the current reading and whether it is true."""

    photo: str
    card_count: int
    cards_right: int = 0
    cards_extra: int = 0
    tableau_exact: bool = False
    path_exact: bool = False
    counts_exact: bool = False
    escape_right: bool = False
    circled: Hits = Hits()
    struck: Hits = Hits()
    sure: bool = False
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    stages_ms: Mapping[str, float] = field(default_factory=dict)
    peak_mb: float = 0.0
    decode_seconds: float | None = None
    decode_cpu_seconds: float | None = None
    error: str | None = None
    error_ja: str | None = None
    refused: bool = False
    sure_untold: bool = False
    players: Mapping[str, Played] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    card_confidences: tuple[tuple[float, bool], ...] = ()
    doubt_confidences: tuple[tuple[float, bool], ...] = ()

    @property
    def outcome_exact(self) -> bool:
        """Whether the score from the reading equals that of the drawing: every count, and the escape."""
        return self.counts_exact and self.escape_right

    @property
    def every_card_right(self) -> bool:
        return self.cards_right == self.card_count and self.cards_extra == 0

    @property
    def marks(self) -> Hits:
        return self.circled + self.struck


def compare(photo: str, truth: Seen, read: Seen, catalogue: Catalogue) -> Measured:
    """The measurements of a reading against its truth. Both are refereed with the truth's terms."""
    table, told = Table(catalogue), read.tableau
    terms = table.terms_in(truth.tableau)
    pairs = match_cards(truth.cards, read.cards)
    turned = _best_turn(truth.cards, read.cards, pairs)
    right = sum(card_right(truth.cards[t], read.cards[r], turned) for t, r in pairs)
    to_truth = {r: t for t, r in pairs}
    true_ruling, read_ruling = (table.referee(each, terms) for each in (truth.tableau, told))
    # Where there is nothing to score any score is wrong, also one of nothing.
    scored = bool(truth.cards)
    return Measured(
        photo=photo,
        card_count=len(truth.cards),
        cards_right=right,
        cards_extra=len(read.cards) - len(pairs),
        tableau_exact=tableau_exact(truth.tableau, told, pairs, catalogue),
        path_exact=path_exact(truth.tableau, rename_path(told.path, to_truth), table),
        counts_exact=scored and _counts(table, true_ruling) == _counts(table, read_ruling),
        escape_right=_escaped(true_ruling) == _escaped(read_ruling),
        circled=mark_hits(truth.tableau.marks.circled, told.marks.circled, to_truth),
        struck=mark_hits(truth.tableau.marks.struck, told.marks.struck, to_truth),
        sure=read.sure,
        stages_ms=read.timings_ms,
        card_confidences=tuple((card.confidence, _lies_there(truth.cards, card)) for card in read.cards),
    )


def unread(photo: str, truth: Seen, error: WaymarkError) -> Measured:
    """The measurements of a photo that was not read: everything is missed, or rightly `refused` where
    there is nothing to score."""
    refused = not truth.cards and error.exit_status == NOTHING_FOUND
    marks = truth.tableau.marks
    return Measured(
        photo=photo,
        card_count=len(truth.cards),
        tableau_exact=refused,
        path_exact=refused,
        counts_exact=refused,
        escape_right=refused,
        circled=Hits(only_truth=len(marks.circled)),
        struck=Hits(only_truth=len(marks.struck)),
        error=error.en,
        error_ja=error.ja,
        refused=refused,
    )


def match_cards(truth: Sequence[SeenCard], read: Sequence[SeenCard]) -> list[tuple[int, int]]:
    """Matching of cards as pairs (truth index, read index): equal ids, nearest in the photo first."""
    candidates = sorted(
        (math.dist(_centre(a.corners), _centre(b.corners)), t, r)
        for t, a in enumerate(truth)
        for r, b in enumerate(read)
        if a.card == b.card
    )
    pairs: list[tuple[int, int]] = []
    for _, t, r in candidates:
        if all(t != other_t and r != other_r for other_t, other_r in pairs):
            pairs.append((t, r))
    return sorted(pairs)


def card_right(truth: SeenCard, read: SeenCard, turned: int) -> bool:
    """Whether a read card has the right position and rotation, with the whole tableau rotated by
    `turned` degrees. The ids are equal already."""
    return lies_so(truth.corners, read.corners) and (truth.rotation - read.rotation - turned) % 360 == 0


def lies_so(truth: Sequence[tuple[float, float]], read: Sequence[tuple[float, float]]) -> bool:
    """Whether all four corners are within `CORNER_TOLERANCE` of the card's height of the true corners
    (photo pixels)."""
    top_left, top_right, bottom_right, bottom_left = truth
    height = (math.dist(top_left, bottom_left) + math.dist(top_right, bottom_right)) / 2
    return all(math.dist(a, b) <= CORNER_TOLERANCE * height for a, b in zip(truth, read, strict=True))


def _lies_there(truth: Sequence[SeenCard], read: SeenCard) -> bool:
    """Whether a true card with the same id lies within half a card's height of the read card."""
    middle = _centre(read.corners)
    return any(
        card.card == read.card
        and math.dist(_centre(card.corners), middle) < math.dist(card.corners[0], card.corners[3]) / 2
        for card in truth
    )


def _best_turn(truth: Sequence[SeenCard], read: Sequence[SeenCard], pairs: Sequence[tuple[int, int]]) -> int:
    """Rotation of the whole tableau, 0 or 180 degrees, that makes the most cards right."""
    return max((0, 180), key=lambda turn: sum(card_right(truth[t], read[r], turn) for t, r in pairs))


def tableau_exact(
    truth: Record, read: Record, pairs: Sequence[tuple[int, int]], catalogue: Catalogue
) -> bool:
    """Whether all cards have the true positions and rotations, up to translation and a 180 degree
    rotation of the whole tableau."""
    if not len(pairs) == len(truth.cards) == len(read.cards):
        return False
    for cards in (read.cards, tuple(_turned_half(card, catalogue) for card in read.cards)):
        matched = [(truth.cards[t], cards[r]) for t, r in pairs]
        shift_x = statistics.median(a.x - b.x for a, b in matched)
        shift_y = statistics.median(a.y - b.y for a, b in matched)
        if all(
            a.card == b.card
            and a.rotation == b.rotation
            and math.hypot(a.x - b.x - shift_x, a.y - b.y - shift_y) <= PLACE_TOLERANCE_MM
            for a, b in matched
        ):
            return True
    return False


def _turned_half(placed: PlacedCard, catalogue: Catalogue) -> PlacedCard:
    """The placed card after a rotation of the table by 180 degrees about its origin."""
    rectangle = footprint(placed, catalogue.size_of(placed.card))
    return msgspec.structs.replace(
        placed, x=-rectangle.right, y=-rectangle.bottom, rotation=(placed.rotation + 180) % 360
    )


def path_exact(truth: Record, read_path: Sequence[Sequence[str]], table: Table) -> bool:
    """Whether the strokes equal the true ones. The reversed path also counts where both directions are
    legal."""
    if _strokes(read_path) == _strokes(truth.path):
        return True
    backwards = msgspec.structs.replace(truth, path=path_backwards(truth.path))
    if _strokes(read_path) != backwards.path:
        return False
    terms = table.terms_in(truth)
    return all(table.referee(way, terms).legal for way in (truth, backwards))


def _strokes(path: Iterable[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(stroke) for stroke in path)


def rename_path(path: Iterable[Sequence[str]], to_truth: Mapping[int, int]) -> tuple[tuple[str, ...], ...]:
    """The path with the reading's card indices replaced by the truth's; `?` for a card without a
    counterpart."""
    return tuple(tuple(_rename(place, to_truth) for place in stroke) for stroke in path)


def _rename(place: str, to_truth: Mapping[int, int]) -> str:
    index, _, local_id = place.partition(".")
    return f"{to_truth.get(int(index), '?')}.{local_id}"


def mark_hits(truth: Iterable[str], read: Iterable[str], to_truth: Mapping[int, int]) -> Hits:
    """Counts of the marks in both, in the truth alone, and in the reading alone."""
    wanted, got = set(truth), {_rename(place, to_truth) for place in read}
    return Hits(len(wanted & got), len(wanted - got), len(got - wanted))


def _counts(table: Table, verdict: Any) -> dict[str, int]:
    return dict(table.game.words.report(verdict).counts)


def _escaped(verdict: Any) -> bool | None:
    """Whether the path escapes; None in games without an escape."""
    return getattr(verdict, "escaped", None)


def _centre(corners: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)
