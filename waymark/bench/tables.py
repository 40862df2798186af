"""Measurement of tables on which several groups draw: each is read from one or several photos, compared
with its truth, and its questions are answered from the truth."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from scorer.game import Game
from vision.photo.decode import load_photo
from waymark.bench.players import PLAYERS, PlayerName
from waymark.bench.table_players import TablePlayed, play_table
from waymark.bench.table_truth import TableKnown, Walk, share_of
from waymark.bench.truth import TableTruth
from waymark.review.groups import assess_groups, read_groups

#: A line counts as right where its overlap with the true line is at least this share of the longer one.
LINE_SHARE = 0.6


@dataclass(frozen=True)
class TableMeasured:
    """The measurements of one table, read from its `photos`. If they show only a part of it (not
    `whole`), its cards alone are measured.
    Of the true `lines`, `lines_right` were read and given to their groups, `lines_exact` are equal place
    by place, and `lines_asked` have a question about their owner. `result_right`: the result of all
    groups is right; `right`: that of every group is. `players`: the result for each simulated player."""

    photos: tuple[str, ...]
    whole: bool
    card_count: int
    cards_right: int = 0
    cards_extra: int = 0
    lines: int = 0
    lines_right: int = 0
    lines_exact: int = 0
    lines_asked: int = 0
    result_right: bool = False
    right: bool = False
    sure: bool = False
    players: Mapping[PlayerName, TablePlayed] = field(default_factory=dict)
    cpu_seconds: float = 0.0
    stages_ms: Mapping[str, float] = field(default_factory=dict)
    error: str | None = None
    error_ja: str | None = None

    @property
    def every_card_right(self) -> bool:
        return self.cards_right == self.card_count and self.cards_extra == 0


def measure_table(
    photos: Sequence[Path | bytes], names: Sequence[str], truth: TableTruth, catalogue: Catalogue, game: Game
) -> TableMeasured:
    """The measurements of a table that is read from its photos (called by `names`). `truth` belongs to the
    first photo."""
    start = time.process_time()
    told, terms = {"table": bytes(truth.tableau)}, game.rules.settings.make({})
    wanted = frozenset(truth.face_up if truth.is_whole else truth.shown)
    bare = TableMeasured(tuple(names), truth.is_whole, len(wanted))
    try:
        scan = read_groups([load_photo(photo) for photo in photos], catalogue, game, told)
        now = assess_groups(scan, catalogue, game, told, terms)
    except WaymarkError as error:
        return replace(bare, error=error.en, error_ja=error.ja)
    seconds = time.process_time() - start
    known = TableKnown(truth, catalogue, game, terms)
    right = known.cards_right(now)
    bare = replace(
        bare,
        cards_right=len(wanted & right),
        cards_extra=len(scan.cards) - len(right),
        cpu_seconds=seconds,
        stages_ms=scan.timings_ms,
    )
    if not truth.is_whole:
        return bare
    lines, read = known.lines, known.lines_of(now, now.record)
    own = [group for group in lines if share_of(lines[group], read.get(group, Walk())) >= LINE_SHARE]
    players = {player: play_table(player, known, now, told, terms) for player in PLAYERS}
    return replace(
        bare,
        lines=len(lines),
        lines_right=len(own),
        lines_exact=sum(lines[group] == read.get(group) for group in lines),
        lines_asked=sum(name.startswith("owner:") for name in players["careful"].asked),
        result_right=known.result_is_right(now.ruling),
        right=known.is_right(now.ruling),
        sure=now.sure,
        players=players,
    )
