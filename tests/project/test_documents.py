"""Documents: short READMEs, a generated page of commands, links that lead somewhere, commands that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.document_commands import PAGE, all_commands, page
from waymark.cli.main import cli

ROOT = Path(__file__).parents[2]
FOLDERS = ("docs", "samples", "tests", "scorer", "calibration", ".github")
DOCUMENTS = sorted(
    file
    for file in [*ROOT.glob("*.md"), *(file for folder in FOLDERS for file in (ROOT / folder).rglob("*.md"))]
    if "sets" not in file.parts and file.name != "CHANGELOG.md"
)
COMMANDS = {name: command for name, command in all_commands(cli)}


@pytest.mark.parametrize("name", ["README.md", "README.ja.md"])
def test_the_readme_is_short(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    assert len(text.encode()) <= 8_000


def test_the_changelog_is_short() -> None:
    assert len((ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()) <= 40


def test_the_page_of_commands_is_what_the_commands_declare() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m tools.document_commands`"
    assert {"waymark serve", "waymark score", "waymark data backup", "waymark deck print"} <= COMMANDS.keys()


def anchors(text: str) -> set[str]:
    """The anchors that a Markdown page's headings get."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_links_lead_somewhere(file: Path) -> None:
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", file.read_text(encoding="utf-8")):
        path, _, anchor = target.partition("#")
        if "://" in path:
            continue
        there = (file.parent / path).resolve() if path else file
        if not there.exists() or (anchor and anchor not in anchors(there.read_text(encoding="utf-8"))):
            broken.append(target)
    assert broken == []


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_commands_exist(file: Path) -> None:
    """`waymark ...` in a code span or block names a command and options that it has."""
    wrong = []
    text = file.read_text(encoding="utf-8")
    for words in re.findall(r"(?:^|`)(?:\.venv/bin/)?(waymark [a-z][^`\n]*)", text, re.MULTILINE):
        words = words.replace("scan|score", "score")
        fits = [name for name in COMMANDS if f"{words} ".startswith(f"{name} ")]
        if not fits:
            wrong += [words] * (not any(name.startswith(f"{words} ") for name in COMMANDS))
            continue
        options = {option for parameter in COMMANDS[max(fits, key=len)].params for option in parameter.opts}
        told = re.findall(r"(?<=\s)--[a-z][a-z-]*", words)
        wrong += [words for option in told if option not in options | {"--help"}]
    assert wrong == []
