"""The markers of a test, found from what it uses: `unit`, `photo`, `browser`, `postgres`.

A test uses its fixtures, and what its code names: other functions of the tests are followed, what they name
in the program is looked up. Nothing is run or read from a file for it, so that collecting stays quick.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

TESTS = Path(__file__).parents[1]
#: What every test of a folder needs: `-m unit` need not even import it.
BY_FOLDER = {
    "bench": "photo",
    "cards": "photo",
    "decks": "photo",
    "enrol": "photo",
    "renderer": "photo",
    "vision": "photo",
    "web": "server",
}
#: Fixtures of tests/web/conftest.py on which all others rest that open a page or need PostgreSQL.
BY_FIXTURE = {"launch": "browser", "webkit": "browser", "cluster": "postgres", "postgresql_url": "postgres"}
#: Packages that look at pixels, and whatever reads a photo from a file or has it read.
READERS = (
    "calibration.decks",
    "calibration.enrol",
    "cv2",
    "PIL",
    "samples",
    "shared_readings",
    "vision",
    "waymark.bench",
    "waymark.review.pipeline",
)
_IN_READERS = tuple(f"{reader}." for reader in READERS)
#: Commands that read photos or art, as `run_here("deck", ...)` names them.
READING_COMMANDS = frozenset({"bench", "deck", "score"})
PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".heic")
#: Whatever starts a program, a process or a server.
STARTERS = frozenset({"subprocess", "multiprocessing", "socket", "server_process", "run_program", "killed"})


def mark_by_use(item: pytest.Item) -> None:
    """Mark a test with what it needs, and with `unit` where that is nothing and the test is quick."""
    found = needs(item)
    is_unit = not found and item.get_closest_marker("long") is None
    for marker in {"unit"} if is_unit else found & {"photo", "browser", "postgres"}:
        item.add_marker(marker)


def needs(item: pytest.Item) -> frozenset[str]:
    """What a test needs: `photo`, `browser`, `postgres`, `server`, `program`."""
    fixtures: tuple[str, ...] = tuple(getattr(item, "fixturenames", ()))
    function = getattr(item, "function", None)
    # A test with many parameters is looked through once.
    key = item.path, function, fixtures
    if key not in _NEEDED:
        info = getattr(item, "_fixtureinfo", None)
        defined: dict[str, Any] = info.name2fixturedefs if info is not None else {}
        code = [definition.func for name in fixtures for definition in defined.get(name, ())]
        _NEEDED[key] = _needs(item.path, fixtures, (function, *code))
    call = getattr(item, "callspec", None)
    on_postgres = call is not None and call.params.get("database_url") == "postgresql"
    return _NEEDED[key] | {"postgres"} if on_postgres else _NEEDED[key]


_NEEDED: dict[tuple[Path, object, tuple[str, ...]], frozenset[str]] = {}


def _needs(path: Path, fixtures: tuple[str, ...], code: tuple[Any, ...]) -> frozenset[str]:
    """What a test in a file needs by its folder, its fixtures, and the code of both."""
    found = {BY_FIXTURE[name] for name in fixtures if name in BY_FIXTURE}
    folder = path.relative_to(TESTS).parts[0] if TESTS in path.parents else ""
    if folder in BY_FOLDER:
        found.add(BY_FOLDER[folder])
    for function in code:
        function = inspect.unwrap(function) if function is not None else None
        inner = getattr(getattr(function, "hypothesis", None), "inner_test", function)
        if isinstance(inner, FunctionType):
            found |= uses(inner)
    return frozenset(found)


@cache
def uses(function: FunctionType) -> frozenset[str]:
    """What a function of the tests needs, with all that it calls."""
    found: set[str] = set()
    seen: set[FunctionType] = set()
    ahead = [function]
    while ahead:
        here = ahead.pop()
        if here in seen:
            continue
        seen.add(here)
        for code in _codes(here.__code__):
            if "photo" not in found and any(
                isinstance(const, str) and const.endswith(PICTURES) for const in code.co_consts
            ):
                found.add("photo")
            if "run_here" in code.co_names and READING_COMMANDS.intersection(_strings(code)):
                found.add("photo")
            for name in code.co_names:
                used = here.__globals__.get(name)
                if name in STARTERS:
                    found.add("program")
                elif used is not None:
                    found |= _named(used)
                    ahead += _followed(used)
    return frozenset(found)


def _strings(code: CodeType) -> Iterator[str]:
    """The strings in code, those of its tuples with them."""
    for const in code.co_consts:
        held = const if isinstance(const, tuple) else (const,)
        yield from (each for each in held if isinstance(each, str))


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A function's code, and that of the functions in it."""
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _codes(const)


def _named(used: object) -> set[str]:
    """What naming this needs."""
    if isinstance(used, type) or not (callable(used) or isinstance(used, ModuleType)):
        return set()
    module = used.__name__ if isinstance(used, ModuleType) else getattr(used, "__module__", None) or ""
    if module in READERS or module.startswith(_IN_READERS):
        return {"photo"}
    return {"program"} if module.partition(".")[0] in STARTERS else set()


def _followed(used: object) -> list[FunctionType]:
    """The functions of the tests that this is, or has."""
    used = inspect.unwrap(used) if callable(used) else used
    if isinstance(used, FunctionType):
        return [used] if _is_of_tests(used) else []
    if isinstance(used, type):
        return [each for each in vars(used).values() if isinstance(each, FunctionType) and _is_of_tests(each)]
    return []


@cache
def _is_of_tests(function: FunctionType) -> bool:
    return function.__code__.co_filename.startswith(str(TESTS))
