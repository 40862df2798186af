"""What `make check` asks of the code: no cycle of imports, and a list of exceptions that can only shrink."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import grimp
import networkx as nx

from tools.complexity import MOST_COMPLEX, listed, too_complex

ROOT = Path(__file__).parents[2]
TOOLS: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]


def test_imports_run_in_no_circle() -> None:
    """The contracts of import-linter are about packages; this is about modules."""
    first, *others = TOOLS["importlinter"]["root_packages"]
    imports = grimp.build_graph(first, *others, cache_dir=None)
    graph = nx.DiGraph(
        (module, imported)
        for module in imports.modules
        for imported in imports.find_modules_directly_imported_by(module)
    )
    circles = [sorted(circle) for circle in nx.strongly_connected_components(graph) if len(circle) > 1]
    assert graph.number_of_nodes() > 500 and circles == []


def test_functions_that_are_too_complex_are_listed_and_no_others() -> None:
    """An entry whose functions are simple enough now, or gone, is taken out of the list; none is added."""
    lint = TOOLS["ruff"]["lint"]
    assert lint["mccabe"]["max-complexity"] == MOST_COMPLEX and "C901" in lint["select"]
    assert listed().keys() == lint["per-file-ignores"].keys()
    assert listed() == too_complex(), "run `python -m tools.complexity`"
