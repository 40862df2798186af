"""`waymark scan` and `score` of tables on which several groups draw."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from waymark.cli.answers import Output, answer_each
from waymark.cli.batches import print_scored
from waymark.cli.inputs import (
    CatalogueChoice,
    FirstPhotoEarly,
    TableTold,
    TermsTold,
    game_of_groups,
    read_input,
)


def score_table(
    output: Output,
    photos: Sequence[str],
    choice: CatalogueChoice,
    table: TableTold,
    told: TermsTold,
    *,
    scan_alone: bool = False,
    overlay: Path | None = None,
) -> None:
    """Answer the photos of one table together: the scan and its ruling, or the scan alone; `overlay`: where a
    picture of both is written. What the terms are the table may tell itself."""
    told.check(choice)
    inputs = FirstPhotoEarly(photos, read_input)
    from waymark.review.groups import groups_json, score_groups

    def work(name: str) -> Any:
        cards = choice.load()
        game = game_of_groups(cards)
        shown = [inputs.load(photo) for photo in photos]
        scored = score_groups(shown, cards, game, table.of(game), told.of(game))
        if overlay is not None:
            from waymark.picture.table_overlay import write_table

            write_table(overlay, shown[scored.scan.photos[0]], cards, scored, output.language)
        answer = groups_json(scored, output.language)
        return answer["scan"] if scan_alone else answer

    def show(name: str, scored: Any) -> None:
        from waymark.cli import tables

        if scan_alone:
            tables.print_scan(output.console, scored, name, output.language)
        else:
            game = game_of_groups(choice.load())
            print_scored(output, game, told.of(game), scored, name)
            if overlay is not None:
                output.say("overlay.written", file=overlay)

    answer_each(output, [", ".join(photos)], work, show)
