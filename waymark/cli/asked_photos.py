"""The request of a `scan` or `score` command, and the answering of its photos for every kind of game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scorer.errors import WaymarkError
from scorer.game import Game
from scorer.play_kinds import BOARD, TABLE, TABLEAU, PlayKind, play_kind
from waymark.cli.answers import Output, answer_each, wrong_usage
from waymark.cli.inputs import CatalogueChoice, TableTold, TermsTold, overlay_files

#: A photo uses one core most of the time and two at times; each takes a third of a gigabyte. Many are read
#: by processes (`waymark.cli.batches`).
PHOTOS_AT_ONCE = 2


@dataclass(frozen=True)
class Asked:
    """The request of a `waymark scan` (`scan_alone`) or `waymark score` command.
    `own` are the options that apply only to one player's tableau. `turn` is the player who moved between
    two photos of a board."""

    output: Output
    photos: tuple[str, ...]
    choice: CatalogueChoice
    table: TableTold
    told: TermsTold = field(default_factory=TermsTold)
    scan_alone: bool = False
    overlay: str | None = None
    turn: str | None = None
    own: Mapping[str, object] = field(default_factory=dict)

    @property
    def kind(self) -> PlayKind:
        """The kind of play that the photos show. An unreadable catalogue is reported later, as each
        photo's error."""
        try:
            from scorer.games import game_named

            if play_kind(game_named(self.choice.game)) is BOARD:
                from vision.boards.art import shows_a_board

                if shows_a_board(self.choice.load()):
                    return BOARD
        except WaymarkError:
            pass
        return TABLE if self.table else TABLEAU

    def pictures(self, names: Sequence[str]) -> dict[str, Path | None]:
        """The output file of each photo's picture; None without one."""
        return dict(zip(names, overlay_files(self.overlay, names), strict=True))


def refuse(options: Mapping[str, object], phrase: str) -> None:
    """Raises `WaymarkError` (usage) for options that do not apply to this kind of play; `phrase` is the
    message's key."""
    for option, value in options.items():
        if value:
            raise wrong_usage(phrase, option=option)


def answer_photos(
    asked: Asked,
    names: Sequence[str],
    work: Callable[[str], Any],
    game: Callable[[], Game],
    written: Mapping[str, Path | None],
    said: tuple[str, str] = ("overlay.written", "file"),
) -> None:
    """Answer photos with the results of `work`, and print each: a scan, or a score by the terms of
    `game`. Then the `written` files are reported by the message `said` (key, name of its file value)."""
    output = asked.output

    def show(name: str, answer: Any) -> None:
        from waymark.cli import tables
        from waymark.cli.batches import print_scored

        if asked.scan_alone:
            tables.print_scan(output.console, answer, name, output.language)
        else:
            print_scored(output, game(), asked.told.of(game()), answer, name)
        if (file := written.get(name)) is not None:
            phrase, name_of_file = said
            output.say(phrase, **{name_of_file: file})

    answer_each(output, names, work, show, at_once=PHOTOS_AT_ONCE)
