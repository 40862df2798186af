"""One photo's reading against its truth, both in one form, so that the metric can be fed the truth itself. A
tableau turned by 180 degrees as a whole is the same tableau."""

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
    """Counts for an F1 measure."""

    both: int = 0
    only_truth: int = 0
    only_read: int = 0

    @property
    def f1(self) -> float:
        """1 where there was nothing to find and nothing was found."""
        missed = self.only_truth + self.only_read
        return 1.0 if missed == 0 else 2 * self.both / (2 * self.both + missed)

    def __add__(self, other: Hits) -> Hits:
        return Hits(
            self.both + other.both, self.only_truth + other.only_truth, self.only_read + other.only_read
        )


@dataclass(frozen=True)
class Measured:
    """One photo. `seconds` is the wall time of photo to ruling, `cpu_seconds` what the processor worked for
    it, `stages_ms` its parts, `peak_mb` the process's highest memory meanwhile, `decode_seconds` and
    `decode_cpu_seconds` what the bare decoder takes for it right afterwards (None for what is no JPEG);
    `error` says why nothing was read, in both languages (then nothing is right, but for a photo in which
    there is nothing to score: it is `refused`, as it should be). `sure` is told with the means that the truth
    tells, `sure_untold` before anybody has told them.

    `players`: how it ended for each simulated player; `groups`: what the photo has in common with others, by
    name; `card_confidences`: of each card that was read, and whether that card lies there;
    `doubt_confidences`: how likely what stands is of each doubt, and whether it is true."""

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
        """What a player gets by the reading is what the drawing is worth: every count, and the escape."""
        return self.counts_exact and self.escape_right

    @property
    def every_card_right(self) -> bool:
        return self.cards_right == self.card_count and self.cards_extra == 0

    @property
    def marks(self) -> Hits:
        return self.circled + self.struck


def compare(photo: str, truth: Seen, read: Seen, catalogue: Catalogue) -> Measured:
    """Measure a reading against the truth. Both are refereed here; the means held beside the path are the
    truth's."""
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
    """A photo in which nothing was read: all of it is missed, or there is nothing to score in it, which is
    what has to be said of it."""
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
    """Pairs of (truth, read) indices: cards of one id, the nearest in the photo first."""
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
    """Whether a card of the right id lies where it should, the whole tableau being turned by `turned`
    degrees."""
    return lies_so(truth.corners, read.corners) and (truth.rotation - read.rotation - turned) % 360 == 0


def lies_so(truth: Sequence[tuple[float, float]], read: Sequence[tuple[float, float]]) -> bool:
    """Whether a card lies as it should in the photo, by its printed corners."""
    top_left, top_right, bottom_right, bottom_left = truth
    height = (math.dist(top_left, bottom_left) + math.dist(top_right, bottom_right)) / 2
    return all(math.dist(a, b) <= CORNER_TOLERANCE * height for a, b in zip(truth, read, strict=True))


def _lies_there(truth: Sequence[SeenCard], read: SeenCard) -> bool:
    """Whether a card of that id lies where it was read, within half a card."""
    middle = _centre(read.corners)
    return any(
        card.card == read.card
        and math.dist(_centre(card.corners), middle) < math.dist(card.corners[0], card.corners[3]) / 2
        for card in truth
    )


def _best_turn(truth: Sequence[SeenCard], read: Sequence[SeenCard], pairs: Sequence[tuple[int, int]]) -> int:
    """The turn of the whole tableau, 0 or 180, in which most cards agree."""
    return max((0, 180), key=lambda turn: sum(card_right(truth[t], read[r], turn) for t, r in pairs))


def tableau_exact(
    truth: Record, read: Record, pairs: Sequence[tuple[int, int]], catalogue: Catalogue
) -> bool:
    """Whether the same cards lie in the same places, up to the origin and a half turn of the whole
    tableau."""
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
    """The card after the table was turned by 180 degrees about its origin."""
    rectangle = footprint(placed, catalogue.size_of(placed.card))
    return msgspec.structs.replace(
        placed, x=-rectangle.right, y=-rectangle.bottom, rotation=(placed.rotation + 180) % 360
    )


def path_exact(truth: Record, read_path: Sequence[Sequence[str]], table: Table) -> bool:
    """Whether the strokes are the same; walked the other way as a whole counts where both ways are legal."""
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
    """The path with the reading's card indices replaced by the truth's (`?` where the card has no
    counterpart)."""
    return tuple(tuple(_rename(place, to_truth) for place in stroke) for stroke in path)


def _rename(place: str, to_truth: Mapping[int, int]) -> str:
    index, _, local_id = place.partition(".")
    return f"{to_truth.get(int(index), '?')}.{local_id}"


def mark_hits(truth: Iterable[str], read: Iterable[str], to_truth: Mapping[int, int]) -> Hits:
    """Marks that both have, and that only one has."""
    wanted, got = set(truth), {_rename(place, to_truth) for place in read}
    return Hits(len(wanted & got), len(wanted - got), len(got - wanted))


def _counts(table: Table, verdict: Any) -> dict[str, int]:
    return dict(table.game.report(verdict).counts)


def _escaped(verdict: Any) -> bool | None:
    """Whether the path escapes, in games in which it may."""
    return getattr(verdict, "escaped", None)


def _centre(corners: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)
