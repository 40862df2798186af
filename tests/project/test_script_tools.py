"""The tools that check the pages' scripts are pinned, and the scripts run without them."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "webapp" / "static"


def test_every_tool_is_pinned_to_one_version_by_its_hash() -> None:
    asked = json.loads((ROOT / "package.json").read_text())["devDependencies"]
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    assert packages[""]["devDependencies"] == asked
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in asked.values())
    for path, package in packages.items():
        if path:
            assert package["integrity"].startswith("sha512-"), path
            assert package["dev"] is True, f"{path} would be for more than checks"


def test_the_lock_file_names_no_host() -> None:
    text = (ROOT / "package-lock.json").read_text()
    assert "://" not in text
    assert '"resolved"' not in text


def test_no_script_is_left_out_of_the_type_check() -> None:
    """Of others' scripts, kept as they are released, there is one folder."""
    for script in {*STATIC.rglob("*.js")} - {*STATIC.glob("vendor/*.js")}:
        text = script.read_text()
        assert not re.search(r"@ts-(nocheck|ignore)", text), script


def test_scripts_run_as_they_are_served() -> None:
    """They import nothing but each other: no package, no step that builds them."""
    imported = re.compile(r'^(?:import|(?:import|export|\}) .*?from|.*\bimport\() ?"([^"]+)"', re.MULTILINE)
    for script in STATIC.rglob("*.js"):
        code = re.sub(r"/\*.*?\*/", "", script.read_text(), flags=re.DOTALL)
        for name in imported.findall(code):
            assert (script.parent / name).is_file(), f"{script.name} imports {name}"
