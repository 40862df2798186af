"""The project's own files agree with each other: locks with pins, README with commands, both languages
with each other."""

from __future__ import annotations

import re
import string
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import load_catalogue
from scorer.mapmasters.rules.referee import referee
from scorer.notation import parse_record_or_notation
from tools.document_commands import all_commands
from waymark import phrases as messages
from waymark.cli.main import cli

ROOT = Path(__file__).parents[2]
LOCKS = tuple(f"requirements{kind}.lock" for kind in ("", "-dev", "-headless", "-scale"))


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
    scale = pins("requirements-scale.lock")
    assert {"psycopg", "psycopg-binary", "boto3"} <= scale.keys()
    assert scale.items() <= pins("requirements-dev.lock").items()
    for lock, extras in needed.items():
        locked = pins(lock)
        wrong = [r for r in requirements(*extras) if not r.specifier.contains(locked.get(r.name, "0"))]
        assert wrong == [], lock


def test_the_headless_build_is_of_the_same_version() -> None:
    assert pins("requirements-headless.lock") == {
        "opencv-python-headless": pins("requirements.lock")["opencv-python"]
    }


def test_the_readme_begins_with_the_two_commands() -> None:
    blocks = re.findall(r"^```\n(.*?)\n```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert blocks[:2] == ["make run", "make test"]


def test_every_command_takes_json_and_a_language() -> None:
    for words, command in all_commands(cli):
        options = {name for parameter in command.params for name in parameter.opts}
        assert {"--json", "--lang"} <= options, words


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_both_languages_say_the_same_things() -> None:
    for key, sentence in messages._SENTENCES.items():
        assert fields(sentence.ja) <= fields(sentence.en), key
        assert sentence.en and sentence.ja, key


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
