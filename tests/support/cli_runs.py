"""The `waymark` command run by tests, in this process or as a program, and a small record to run it on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from waymark.cli.main import cli

ROOT = Path(__file__).parents[2]


def run_here(*arguments: object, input: bytes | str | None = None, **environment: str) -> Result:
    """`waymark` in this process, in English unless `environment` or the arguments ask for Japanese."""
    unset: dict[str, str | None] = dict.fromkeys(("LC_ALL", "LC_MESSAGES", "LANG"))
    return CliRunner().invoke(cli, [str(each) for each in arguments], input=input, env=unset | environment)


def run_program(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`waymark` as people run it."""
    return subprocess.run(
        [sys.executable, "-m", "waymark", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"} | environment,
        check=False,
    )


def record(file: Path, card: str = "C1", **fields: Any) -> Path:
    """A record of one card, walked from left to right, written to `file`."""
    whole = {
        "format": "waymark-tableau/1",
        "cards": [{"card": card, "x": 0, "y": 0, "rotation": 0}],
        "path": [["0.w1", "0.f1", "0.e1"]],
    }
    file.write_text(json.dumps(whole | fields))
    return file


def trial_deck(folder: Path) -> Path:
    """A catalogue of one card with a straight corridor, a coin worth 2 on it, and no art."""
    card = {
        "id": "C1",
        "kind": "dungeon",
        "art": "art/C1.png",
        "nodes": [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
            {"id": "f1", "kind": "find", "find": "coin", "value": 2, "at": [31, 22]},
            {"id": "e1", "kind": "opening", "side": "right", "at": [63, 22]},
        ],
        "edges": [
            {"kind": "corridor", "level": "main", "from": "w1", "to": "f1"},
            {"kind": "corridor", "level": "main", "from": "f1", "to": "e1"},
        ],
    }
    return write_deck(folder, card)


def write_deck(folder: Path, *cards: dict[str, Any]) -> Path:
    """A catalogue of these declared cards, without art."""
    folder.mkdir(exist_ok=True)
    catalogue = {"format": "waymark-catalogue/1", "name": "trial", "game": "mapmasters", "cards": cards}
    (folder / "catalogue.json").write_text(json.dumps(catalogue | {"card_size_mm": [63, 88]}))
    return folder
