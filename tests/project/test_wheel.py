"""The wheel: small, whole, and able to score a photo without this repository and the web's packages."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PHOTO = ROOT / "samples" / "photos" / "table-07.jpg"
MAX_MB = 25

#: Runs the program from a folder, with the installed packages of others but without this repository.
RUN = """
import sys
folder, packages, blocked, *arguments = sys.argv[1:]
sys.path[:0] = [folder]
sys.path.append(packages)

sys.modules |= dict.fromkeys(blocked.split(","))
sys.argv = ["waymark", *arguments]
from waymark.cli.main import main
import waymark
assert waymark.__file__.startswith(folder), waymark.__file__
sys.exit(main())
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(out)]
    subprocess.run([sys.executable, *command, str(ROOT)], check=True, capture_output=True)
    (file,) = out.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the wheel alone was installed."""
    folder = tmp_path_factory.mktemp("installed")
    command = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(folder)]
    subprocess.run([sys.executable, *command, str(wheel)], check=True, capture_output=True)
    return folder


def run(folder: Path, *arguments: str, blocked: str = "") -> subprocess.CompletedProcess[str]:
    packages = sysconfig.get_paths()["purelib"]
    # -S: no site packages, so that the repository, which is installed there, is not found.
    command = [sys.executable, "-S", "-c", RUN, str(folder), packages, blocked, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)


@pytest.mark.long
def test_the_wheel_is_small_and_holds_no_developer_files(wheel: Path) -> None:
    assert wheel.stat().st_size < MAX_MB * 1_000_000
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0] for name in names if ".dist-info" not in name} == {
        "scorer",
        "vision",
        "calibration",
        "waymark",
        "webapp",
    }
    assert not [name for name in names if name.endswith(".png") and "/art/" in name]


@pytest.mark.long
def test_a_photo_is_scored_without_the_packages_of_the_web(installed: Path) -> None:
    blocked = "flask,sqlalchemy,alembic,uvicorn,babel,cryptography,segno"
    arguments = ("score", str(PHOTO), "--primary", "sword", "--secondary", "pit", "--json", "-")
    answer = run(installed, *arguments, blocked=blocked)
    assert answer.returncode == 0, answer.stderr
    told = json.loads(answer.stdout)
    truth = json.loads(PHOTO.with_suffix(".truth.json").read_text())
    assert told["scan"]["sure"]
    assert [c["card"] for c in told["scan"]["cards"]] == [c["card"] for c in told["scan"]["tableau"]["cards"]]
    names = {card["card"] for card in truth["tableau"]["cards"]}
    assert {card["card"] for card in told["scan"]["tableau"]["cards"]} == names


@pytest.mark.long
def test_the_table_says_what_to_install(installed: Path) -> None:
    answer = run(installed, "serve", "--lang", "en", blocked="flask,sqlalchemy")
    assert answer.returncode == 2
    assert 'pip install "waymark[web]"' in answer.stderr
    assert "Traceback" not in answer.stderr
    shown = run(installed, "--help", blocked="flask,sqlalchemy")
    assert shown.returncode == 0 and "waymark[web]" in shown.stdout


@pytest.mark.long
def test_an_exported_deck_has_png_art_that_is_sound(installed: Path, tmp_path: Path) -> None:
    deck = tmp_path / "deck"
    assert run(installed, "deck", "export", str(deck), "--lang", "en").returncode == 0
    cards = json.loads((deck / "catalogue.json").read_text())["cards"]
    assert {Path(card["art"]).suffix for card in cards} == {".png"}
    assert all((deck / card["art"]).is_file() for card in cards)
    assert {file.suffix for file in (deck / "art").iterdir()} == {".png"}
