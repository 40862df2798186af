"""Values of the reader can be varied from outside, and each is read where it is used."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from tools.vary import parse
from vision.ink import parameters as ink_parameters
from vision.ink.ink_map import freshness
from vision.parameters import set_values, varied
from vision.path import parameters as path_parameters

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "vision").rglob("parameters.py"))
UNITS = re.compile(
    r"_(mm|mm2|deg|nats|nats_per_mm|nats_per_deg|shares?|value|factor|corridors|deviations|quantile|rank|cards"
    r"|links|marks|stations)$"
)
WIPED = "vision.ink.parameters.GHOSTS.wiped_share"


def values() -> Iterator[str]:
    """The full names of all values."""
    for file in FILES:
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        for instance, group in vars(importlib.import_module(name)).items():
            if is_dataclass(group) and not isinstance(group, type):
                yield from (f"{name}.{instance}.{field.name}" for field in fields(group))


def test_a_value_is_another_one_for_as_long_as_it_is_varied() -> None:
    usual = ink_parameters.GHOSTS
    film = usual.wiped_share + 0.01
    assert freshness(film, line_film=1.0) > 0
    with varied({WIPED: film}):
        assert freshness(film, line_film=1.0) == 0
    assert usual == ink_parameters.GHOSTS
    assert freshness(film, line_film=1.0) > 0


def test_values_are_as_they_were_after_a_fault() -> None:
    usual = ink_parameters.GHOSTS
    with pytest.raises(ZeroDivisionError), varied({WIPED: 0.1}):
        raise ZeroDivisionError
    assert usual == ink_parameters.GHOSTS


@pytest.mark.parametrize(
    "unknown", ["vision.ink.parameters.GHOSTS.nothing", "vision.ink.parameters.NONE.nothing"]
)
def test_where_one_value_is_unknown_none_is_set(unknown: str) -> None:
    usual = ink_parameters.GHOSTS
    with pytest.raises(AttributeError):
        set_values({WIPED: 0.1, unknown: 1.0})
    assert usual == ink_parameters.GHOSTS


def test_several_values_of_one_group_are_varied_together() -> None:
    with varied({"vision.path.parameters.DOTS.gate_mm2": 2.0, "vision.path.parameters.DOTS.gate_share": 0.5}):
        assert (path_parameters.DOTS.gate_mm2, path_parameters.DOTS.gate_share) == (2.0, 0.5)


def test_the_tool_takes_values_and_a_command() -> None:
    assert parse(["a.B.c=2", "a.B.d=[1, 2]", "--", "score", "x.jpg"]) == (
        {"a.B.c": 2, "a.B.d": (1, 2)},
        ["score", "x.jpg"],
    )


def test_every_value_has_its_unit_in_its_name() -> None:
    assert [name for name in values() if not UNITS.search(name)] == []


def test_every_measured_value_is_there() -> None:
    text = (ROOT / "docs" / "experiments.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| `(vision(?:\.\w+)?\.parameters\.[\w.]+)` \|", text, re.MULTILINE))
    assert len(rows) >= 35
    assert rows <= set(values())


@pytest.mark.parametrize(
    "file", sorted((ROOT / "vision").rglob("*.py")), ids=lambda file: str(file.relative_to(ROOT))
)
def test_no_value_is_taken_while_a_module_loads(file: Path) -> None:
    """What is varied later would not reach it: not in defaults of arguments and fields, nor in constants."""
    assert list(taken_at_import(ast.parse(file.read_text(encoding="utf-8")))) == []


def taken_at_import(node: ast.AST) -> Iterator[str]:
    """Values that are read outside of the bodies of functions."""
    if isinstance(node, ast.Attribute) and re.search(r"(^|_)parameters$", ast.unparse(node.value)):
        yield ast.unparse(node)
    inner = ast.iter_child_nodes(node)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        inner = iter([*node.decorator_list, node.args])
    elif isinstance(node, ast.Lambda):
        inner = iter([node.args])
    for each in inner:
        yield from taken_at_import(each)
