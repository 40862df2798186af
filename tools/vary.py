"""Runs a command of `waymark` with other values of the reader's parameters, to see what a value is good for.

    python -m tools.vary vision.path.parameters.STROKES.worth_nats=12 -- bench DIR --json new.json

Values are JSON; lists become tuples. No file is changed. Docs/experiments.md tells how two runs are compared.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from vision.parameters import set_values
from waymark.cli.main import cli


def parse(arguments: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Parameter values by full name, and the command, from `NAME=VALUE ... -- COMMAND`. SystemExit for
    other arguments."""
    if "--" not in arguments:
        raise SystemExit(__doc__)
    cut = list(arguments).index("--")
    values = {}
    for each in arguments[:cut]:
        name, _, told = each.partition("=")
        value = json.loads(told)
        values[name] = tuple(value) if isinstance(value, list) else value
    return values, list(arguments[cut + 1 :])


# The processes of `bench` load this file anew, as "__mp_main__" and with the same arguments.
if __name__ in ("__main__", "__mp_main__"):
    VALUES, COMMAND = parse(sys.argv[1:])
    set_values(VALUES)
if __name__ == "__main__":
    cli(COMMAND, prog_name="waymark")
