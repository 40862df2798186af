"""Cyclomatic complexity: writes the functions over ruff's limit into pyproject.toml's list, by file and name.

    python -m tools.complexity

Run it when functions in the list became simple, moved, or are gone. It adds none: a function that is
too complex and not listed is an error, and the list stays as it is.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYPROJECT = ROOT / "pyproject.toml"
#: A function's cyclomatic complexity (McCabe) may be this at most.
MOST_COMPLEX = 12
_HEAD = "[tool.ruff.lint.per-file-ignores]\n"
_ENTRY = re.compile(r'^"([^"]+)" = \["C901"\]  # (.+)\n', re.MULTILINE)


def too_complex() -> dict[str, list[str]]:
    """The functions with a complexity over `MOST_COMPLEX`, by file, including those listed in
    pyproject.toml."""
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


def listed() -> dict[str, list[str]]:
    """The functions in pyproject.toml's list, by file."""
    entries = _ENTRY.findall(PYPROJECT.read_text(encoding="utf-8"))
    return {file: sorted(names.split(", ")) for file, names in entries}


def main() -> None:
    """Rewrite the list of complex functions; exit status 1 where a function would be new in it."""
    found = too_complex()
    known = [name for names in listed().values() for name in names]
    added = [f"{file}: {name}" for file, names in found.items() for name in names if name not in known]
    if added:
        sys.exit("Make these functions simpler:\n" + "\n".join(added))
    text = _ENTRY.sub("", PYPROJECT.read_text(encoding="utf-8"))
    entries = "".join(f'"{file}" = ["C901"]  # {", ".join(names)}\n' for file, names in found.items())
    PYPROJECT.write_text(text.replace(_HEAD, _HEAD + entries), encoding="utf-8")


if __name__ == "__main__":
    main()
