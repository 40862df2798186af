"""What `waymark deck print` writes: cards, other parts of a game, files for print services."""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from calibration.decks.paper_parts import Part
from calibration.decks.print_options import Paper, PrintOptions
from calibration.decks.print_sheet import draw_sheets, new_document
from scorer.catalogue import Card, Catalogue
from scorer.games import game_of, word_of
from scorer.output_file import write_output
from scorer.text import Language
from waymark.cli.answers import wrong_usage

CARDS, ALL = "cards", "all"


def parts_of(catalogue: Catalogue) -> dict[str, Part]:
    """The parts of the catalogue's game that can be printed besides its pieces, by name."""
    module = f"calibration.decks.{word_of(game_of(catalogue))}.parts"
    if find_spec(module.rpartition(".")[0]) is None or find_spec(module) is None:
        return {}
    made: dict[str, Part] = import_module(module).parts(catalogue)
    return made


def print_parts(
    catalogue: Catalogue,
    cards: Sequence[Card],
    file: Path,
    names: Sequence[str],
    paper: Paper,
    options: PrintOptions,
    language: Language,
) -> int:
    """Write the named parts to one PDF; returns the number of pages. Raises `WaymarkError` (usage) for a
    part that the game does not have."""
    known = parts_of(catalogue)
    chosen = [CARDS, *known] if ALL in names else list(dict.fromkeys(names))
    for name in chosen:
        if name != CARDS and name not in known:
            raise wrong_usage("usage.part", part=name, parts=", ".join([CARDS, *known, ALL]))
    made = io.BytesIO()
    canvas = new_document(made, catalogue.name, paper)
    pages = 0
    for name in chosen:
        if name == CARDS:
            pages += draw_sheets(canvas, catalogue, cards, paper, options)
        else:
            pages += known[name](canvas, paper, language, options.backs)
    canvas.save()
    write_output(file, made.getvalue())
    return pages
