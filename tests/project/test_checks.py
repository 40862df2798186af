"""What `make check` asks of the code: no cycle of imports, and lists of exceptions that can only shrink."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import grimp
import networkx as nx

ROOT = Path(__file__).parents[2]
PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
TOOLS: dict[str, Any] = tomllib.loads(PYPROJECT)["tool"]
#: A function's cyclomatic complexity (McCabe) may be this at most.
MOST_COMPLEX = 12


def test_imports_run_in_no_circle() -> None:
    """The contracts of import-linter are about packages; this is about modules."""
    first, *others = TOOLS["importlinter"]["root_packages"]
    imports = grimp.build_graph(first, *others)
    graph = nx.DiGraph(
        (module, imported)
        for module in imports.modules
        for imported in imports.find_modules_directly_imported_by(module)
    )
    circles = [sorted(circle) for circle in nx.strongly_connected_components(graph) if len(circle) > 1]
    assert graph.number_of_nodes() > 500 and circles == []


@cache
def too_complex() -> dict[str, list[str]]:
    """Files with functions over `MOST_COMPLEX`, and those functions, whatever pyproject.toml's list says."""
    wanted = [
        "--isolated",
        "--select=C901",
        f"--config=lint.mccabe.max-complexity={MOST_COMPLEX}",
        "--extend-exclude=samples/sets,.cycles-venv,out",
        "--output-format=json",
    ]
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--exit-zero", *wanted, "."]
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    found: dict[str, list[str]] = defaultdict(list)
    for fault in json.loads(told.stdout):
        (name,) = re.findall(r"`(\w+)`", fault["message"])
        found[Path(fault["filename"]).relative_to(ROOT).as_posix()].append(name)
    return {file: sorted(names) for file, names in sorted(found.items())}


def test_functions_that_are_too_complex_are_listed_and_no_others() -> None:
    """An entry whose functions are simple enough now, or gone, is taken out of the list; none is added."""
    assert TOOLS["ruff"]["lint"]["mccabe"]["max-complexity"] == MOST_COMPLEX
    listed = {
        file: sorted(names.split(", "))
        for file, names in re.findall(r'^"([^"]+)" = \["C901"\]  # (.+)$', PYPROJECT, re.MULTILINE)
    }
    assert listed.keys() == TOOLS["ruff"]["lint"]["per-file-ignores"].keys()
    lines = [f'"{file}" = ["C901"]  # {", ".join(names)}' for file, names in too_complex().items()]
    assert listed == too_complex(), "pyproject.toml's list should be\n" + "\n".join(lines)
