"""The project's own files agree with each other: locks with pins, README with commands, both languages
with each other."""

from __future__ import annotations

import ast
import re
import string
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import click
import pytest
from packaging.requirements import Requirement

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import load_catalogue
from scorer.mapmasters.referee import referee
from scorer.notation import parse_record_or_notation
from waymark import phrases as messages
from waymark.cli.main import cli

ROOT = Path(__file__).parents[2]
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-headless.lock")


def project() -> dict[str, object]:
    made: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return made


def pins(lock: str) -> dict[str, str]:
    """Names and versions of a lock file."""
    return dict(re.findall(r"^([a-z0-9-]+)==([^\s;\\]+)", (ROOT / lock).read_text(), re.MULTILINE))


@pytest.mark.parametrize("lock", LOCKS)
def test_locks_name_no_host_and_hash_everything(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert "://" not in text
    assert not re.search(r"^\s*--(?!hash=)", text, re.MULTILINE)
    for requirement in re.split(r"^(?=\S)", text, flags=re.MULTILINE):
        assert not requirement or "--hash=sha256:" in requirement


def requirements(*extras: str) -> list[Requirement]:
    """What the project asks for at run time, and by these extras."""
    asked: Any = project()
    lists = [asked["dependencies"], *(asked["optional-dependencies"][extra] for extra in extras)]
    return [Requirement(each) for requirements in lists for each in requirements]


def test_the_locks_have_versions_that_the_project_asks_for() -> None:
    asked: Any = project()
    every = tuple(asked["optional-dependencies"])
    needed = {"requirements.lock": ("web", "build"), "requirements-dev.lock": every}
    for lock, extras in needed.items():
        locked = pins(lock)
        wrong = [r for r in requirements(*extras) if not r.specifier.contains(locked.get(r.name, "0"))]
        assert wrong == [], lock


def test_the_headless_build_is_of_the_same_version() -> None:
    assert pins("requirements-headless.lock") == {
        "opencv-python-headless": pins("requirements.lock")["opencv-python"]
    }


#: Packages of this repository that are installed, and those that only developers have.
RUN_TIME = ("scorer", "vision", "calibration", "waymark", "webapp")
#: Asked for by name, and imported by what imports it for us.
BEHIND = {"httptools": "uvicorn.protocols.http.httptools_impl"}
#: Those that render or train have environments of their own: what comes with Blender, and PyTorch.
ELSEWHERE = {"bpy", "bmesh", "mathutils", "onnx", "torch"}


@cache
def import_statements(folder: str) -> dict[Path, list[ast.Import | ast.ImportFrom]]:
    """Every module in a folder, and its imports, wherever in it."""
    return {
        file: [
            node
            for node in statements(ast.parse(file.read_text()))
            if isinstance(node, ast.Import | ast.ImportFrom)
        ]
        for file in (ROOT / folder).rglob("*.py")
    }


def statements(block: ast.AST) -> Iterator[ast.AST]:
    """All statements in a block, and in those; expressions, which hold none, are not looked through."""
    yield block
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(block, part, ()):
            yield from statements(inner)


def imported(folder: str) -> set[str]:
    """The modules of others that a folder's modules import, in full."""
    found: set[str] = set()
    for nodes in import_statements(folder).values():
        for node in nodes:
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif node.module and not node.level:
                found.add(node.module)
    # Tests import their helpers by bare names, wherever in `tests/` they lie.
    ours = {path.stem for path in (*ROOT.iterdir(), *(ROOT / "tests").rglob("*"))}
    others = {name for name in found if name.partition(".")[0] not in sys.stdlib_module_names | ours}
    return {name for name in others if name.partition(".")[0] not in ELSEWHERE}


owners_of_packages = cache(packages_distributions)


def distributions(modules: set[str]) -> set[str]:
    """The names that the modules' packages are installed by."""
    owners = owners_of_packages()
    names = {min(owners[name.partition(".")[0]]) for name in modules}
    # OpenCV's headless build may stand in for the other.
    return {re.sub(r"[-_.]+", "-", name).lower().removesuffix("-headless") for name in names}


def asked_for(*extras: str) -> set[str]:
    """Names of the packages that the project asks for at run time, or those of its extras."""
    asked: Any = project()
    lists = [asked["optional-dependencies"][extra] for extra in extras] or [asked["dependencies"]]
    return {Requirement(requirement).name for each in lists for requirement in each}


def test_what_is_imported_at_run_time_is_asked_for_and_nothing_else() -> None:
    # The drawn deck is shipped: only who draws it anew needs the extra. Buckets and clusters are for few.
    few = asked_for("deck", "s3", "cluster")
    core = set().union(*(imported(package) for package in RUN_TIME if package != "webapp"))
    assert distributions(core) - few == asked_for()
    web = imported("webapp")
    behind = {name for name, importer in BEHIND.items() if importer in web}
    assert distributions(web) - few - asked_for() | behind == asked_for("web")


@pytest.mark.parametrize("folder", ["samples", "tools", "tests"])
def test_what_developers_import_is_asked_for(folder: str) -> None:
    extras = ("web", "dev", "build", "postgresql", "s3", "cluster")
    assert distributions(imported(folder)) <= asked_for() | asked_for(*extras)


def commands(group: click.Group, prefix: str = "waymark") -> list[str]:
    names = []
    for name, command in group.commands.items():
        words = f"{prefix} {name}"
        names += commands(command, words) if isinstance(command, click.Group) else [words]
    return names


def test_the_readme_begins_with_the_two_commands() -> None:
    blocks = re.findall(r"^```\n(.*?)\n```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert blocks[:2] == ["make run", "make test"]


def test_every_command_takes_json_and_a_language() -> None:
    for words in commands(cli):
        command: click.Command = cli
        for word in words.split()[1:]:
            assert isinstance(command, click.Group)
            command = command.commands[word]
        options = {name for parameter in command.params for name in parameter.opts}
        assert {"--json", "--lang"} <= options, words


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_both_languages_say_the_same_things() -> None:
    for key, (english, japanese) in messages._SENTENCES.items():
        assert fields(japanese) <= fields(english), key
        assert english and japanese, key


def test_no_sentence_is_left_over() -> None:
    """Every message is used by its key, or (`event.`, `find.` ...) by a key that is put together."""
    files = (file for package in ("waymark", "webapp") for file in (ROOT / package).rglob("*.py"))
    code = "\n".join(file.read_text() for file in files)
    in_full = set(re.findall(r"""(?=["']([^"'\n]*)["'](?!:))""", code))
    put_together = set(re.findall(r"""f["']([^"'{\n]*)\.{""", code))
    left_over = [key for key in messages._SENTENCES if key not in in_full]
    assert [key for key in left_over if key.rpartition(".")[0] not in put_together] == []


def test_the_examples_that_people_copy_are_legal() -> None:
    page = (ROOT / "docs/getting-started.md").read_text()
    notation = re.search(r"`(\S+@\d[^`|]* \| [^`]*)`", page)
    formats = (ROOT / "docs/FORMATS.md").read_text()
    record = re.search(r'```json\n(\{"format": "waymark-tableau/1".*?)```', formats, re.S)
    assert notation and record
    catalogue = load_catalogue(bundled_catalogue())
    for example in (notation[1], record[1]):
        ruling = referee(catalogue, parse_record_or_notation(example))
        assert ruling.legal and ruling.escaped and not ruling.placement and not ruling.marks


#: What each package may not import: imports point one way, and the rules know no picture and no web.
FORBIDDEN = {
    "scorer": {
        "vision",
        "calibration",
        "waymark",
        "webapp",
        "samples",
        "cv2",
        "numpy",
        "flask",
        "PIL",
        "sqlalchemy",
        "scipy",
    },
    "vision": {"calibration", "waymark", "webapp", "samples", "flask", "sqlalchemy"},
    "calibration": {"waymark", "webapp", "samples", "flask", "sqlalchemy"},
    "waymark": {"samples", "tests", "flask", "sqlalchemy"},
    "webapp": {"samples", "tests"},
}


@pytest.mark.parametrize("package", FORBIDDEN)
def test_imports_point_one_way(package: str) -> None:
    for file, nodes in import_statements(package).items():
        for node in nodes:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            assert not {name.partition(".")[0] for name in names} & FORBIDDEN[package], file


#: What stands on what: a module imports from its own floor and from those below.
FLOORS = (
    ("scorer",),
    ("vision", "calibration"),
    ("waymark",),
    ("webapp.store", "webapp.config"),
    ("webapp.games", "webapp.tableaus", "webapp.disputes", "webapp.log", "webapp.scans", "webapp.decks"),
    ("webapp.http",),
    ("webapp", "webapp.app", "webapp.server", "webapp.cli"),
)


def imports() -> dict[str, set[str]]:
    """Every module of the project, and those of them that it names, wherever in it."""
    files = {file: nodes for package in RUN_TIME for file, nodes in import_statements(package).items()}
    named = {".".join(file.relative_to(ROOT).with_suffix("").parts): nodes for file, nodes in files.items()}
    modules = {name.removesuffix(".__init__"): nodes for name, nodes in named.items()}
    found: dict[str, set[str]] = {name: set() for name in modules}
    for name, nodes in modules.items():
        for node in nodes:
            if isinstance(node, ast.Import):
                found[name] |= {alias.name for alias in node.names} & modules.keys()
            elif node.module:
                parts = [f"{node.module}.{alias.name}" for alias in node.names]
                found[name] |= {part if part in modules else node.module for part in parts} & modules.keys()
    return found


def floor(module: str) -> int:
    """The floor that a module stands on: that of the longest name that fits."""
    fits = [
        (len(prefix), number)
        for number, prefixes in enumerate(FLOORS)
        for prefix in prefixes
        if module == prefix or module.startswith(f"{prefix}.")
    ]
    return max(fits)[1]


def test_nothing_is_imported_from_a_floor_above() -> None:
    found = imports()
    assert sorted((a, b) for a, named in found.items() for b in named if floor(b) > floor(a)) == []


def test_the_web_names_no_game() -> None:
    """Pages, store and exports ask `scorer.games` which game it is, and loop over what that tells."""
    games = ("scorer.mapmasters",)
    found = {name: [b for b in named if b.startswith(games)] for name, named in imports().items()}
    assert {name: named for name, named in found.items() if named and name.startswith("webapp")} == {}


def test_imports_run_in_no_circle() -> None:
    found = {name: named - {name} for name, named in imports().items()}
    # Whoever names nobody that is left is done: what stays is in a circle, or stands on one.
    while done := {name for name, named in found.items() if not named}:
        found = {name: named - done for name, named in found.items() if name not in done}
    assert found == {}
