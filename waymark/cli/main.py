"""The `waymark` command: a group of commands; docs/FORMATS.md fixes what they answer."""

from __future__ import annotations

import gc
import os
import sys
import warnings

import click

from waymark.cli.answers import explain_option
from waymark.cli.usage_errors import Commands

#: Module and name of each command, in the order in which help lists them; only the called one is imported.
_COMMANDS = {
    "scan": "waymark.cli.photos:scan",
    "score": "waymark.cli.photos:score",
    "referee": "waymark.cli.records:referee",
    "hint": "waymark.cli.records:hint",
    "final": "waymark.cli.records:final",
    "bench": "waymark.cli.benching:bench",
    "bench-rulings": "waymark.cli.benching:bench_rulings",
    "bench-proposals": "waymark.cli.benching:bench_proposals",
    "enrol": "waymark.cli.decks:enrol",
    "calibrate": "waymark.cli.calibrating:calibrate",
    "deck": "waymark.cli.decks:deck",
}


@click.group(
    name="waymark",
    cls=Commands,
    modules=_COMMANDS,
    help=explain_option("help.group"),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.option("--debug", is_flag=True, hidden=True)
@click.version_option(package_name="waymark", prog_name="waymark", help=explain_option("help.opt.version"))
def cli(debug: bool) -> None:
    """The top-level group of commands; `debug` is looked up where a traceback may be printed."""


def main() -> None:
    """Entry point of the console script."""
    # What is imported stays: looking through it for garbage after every 700 new objects is a waste.
    gc.set_threshold(50_000)
    # Read once, as numpy and scipy are loaded: their threads need not even start (vision.photo.runtime keeps
    # them idle in programs that need them). table-04.jpg on two cores: 1.64 s of CPU in place of 1.87.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Warnings of libraries are for who develops: `python -W default -m waymark` shows them.
    if not sys.warnoptions:
        warnings.simplefilter("ignore")
    cli(prog_name="waymark")


if __name__ == "__main__":
    main()
