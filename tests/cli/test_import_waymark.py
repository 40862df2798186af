"""`import waymark`: the same results in anybody's program, whatever it imported before and however it
calls."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PIL import Image
from shared_readings import open_deck, photo_file

import waymark
from scorer.errors import WaymarkError
from waymark import Score

ROOT = Path(__file__).parents[2]
PHOTO = photo_file("table-03")
TOLD = {"primary": "key", "secondary": "barrel"}


@cache
def scored() -> Score:
    return waymark.score(PHOTO, open_deck(), **TOLD)


def test_a_plain_import_loads_no_picture_library() -> None:
    heavy = "{'cv2', 'numpy', 'PIL', 'flask', 'click', 'scipy'}"
    script = f"import sys; import waymark; print(sorted({heavy} & sys.modules.keys()))"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert told == "[]\n"


def test_the_readme_s_example_runs(tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    (example,) = [block for block in blocks if "waymark.score" in block]
    shutil.copy(PHOTO, tmp_path / "photo.jpg")
    ran = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "primary" in ran.stdout and (tmp_path / "explained.png").stat().st_size > 10_000


def test_a_photo_is_scored() -> None:
    score = scored()
    assert score.sure == score.reading.sure and score.cards == score.reading.cards
    assert score.ruling.verdict.primary.objective == "key"
    assert score.row["primary"] == score.ruling.verdict.primary.vp
    assert [card.card for card in score.cards] == [card.card for card in score.reading.record.cards]
    assert score.path == score.reading.record.path and score.ruling.legal
    english, japanese = score.explain(), score.explain("ja")
    assert len(english.splitlines()) == len(japanese.splitlines()) > len(score.path[0])
    assert english.isascii() and any(ord(letter) > 0x3000 for letter in japanese)
    with pytest.raises(dataclasses.FrozenInstanceError):
        score.reading.sure = True  # type: ignore[misc]


def test_a_photo_is_a_path_bytes_or_pixels() -> None:
    with Image.open(PHOTO) as picture:
        pixels = np.asarray(picture.convert("RGB"))
    for photo in (str(PHOTO), PHOTO.read_bytes(), pixels):
        other = waymark.read(photo, open_deck(), **TOLD)
        assert other.path == scored().path and other.sure == scored().sure
    for wrong in (pixels[..., 0], pixels.astype(float), np.zeros((20, 20, 3), np.uint8)):
        with pytest.raises(WaymarkError):
            waymark.read(wrong, open_deck())


@pytest.mark.long
def test_the_command_answers_the_same(tmp_path: Path) -> None:
    file = tmp_path / "answer.json"
    told = ["--primary", "key", "--secondary", "barrel"]
    subprocess.run(
        [sys.executable, "-m", "waymark", "score", str(PHOTO), *told, "--json", str(file)],
        check=True,
        capture_output=True,
    )
    answer, mine = json.loads(file.read_bytes()), json.loads(msgspec.json.encode(scored().to_json()))
    del answer["scan"]["timings_ms"], mine["scan"]["timings_ms"]
    assert answer == mine


def test_an_answer_is_a_new_value() -> None:
    reading = waymark.read(photo_file("table-10"), open_deck(), primary="sword", secondary="pit")
    assert not reading.sure
    question = next(each for each in reading.questions if len(each.options) > 1)
    then = reading.answer(question.name, 1)
    assert question.name in {each.name for each in reading.questions}
    assert question.name not in {each.name for each in then.questions}
    with pytest.raises(WaymarkError, match="No question"):
        then.answer(question.name, 1)
    assert waymark.referee(then).verdict == then.ruling.verdict


def test_a_record_is_refereed_from_whatever_tells_it() -> None:
    score = scored()
    record = score.reading.record
    plain = msgspec.to_builtins(record)
    text = msgspec.json.encode(record)
    # A record does not tell that ink left its direction open.
    expected = msgspec.structs.replace(score.ruling.verdict, direction=None)
    for told in (record, plain, text, text.decode()):
        assert waymark.referee(told).verdict == expected
    assert waymark.referee(score.reading).verdict == score.ruling.verdict
    other = waymark.referee(record, primary="sword", house={"card_limit": 2})
    assert other.verdict.primary.objective == "sword" and other.verdict.settings == {"card_limit": 2}
    assert "too-many-cards" in {fault.rule for fault in other.verdict.placement}
    for wrong in ({"primary": "gold"}, {"house": {"fun": True}}, {"house": {"card_limit": "six"}}):
        with pytest.raises(WaymarkError):
            waymark.referee(record, **wrong)


@pytest.mark.long
def test_a_result_is_drawn(tmp_path: Path) -> None:
    file = tmp_path / "ruling.png"
    waymark.draw(scored(), file)
    with Image.open(file) as picture:
        assert picture.format == "PNG" and min(picture.size) > 1000


@pytest.mark.long
def test_threads_read_at_once() -> None:
    alone = {name: waymark.score(photo_file(name), open_deck()).path for name in ("table-01", "table-03")}
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda name: (name, waymark.score(photo_file(name)).path), [*alone] * 2))
    assert all(path == alone[name] for name, path in found)


def test_a_running_event_loop_is_no_hindrance() -> None:
    async def cell() -> Score:
        return waymark.score(PHOTO, open_deck(), **TOLD)

    # A thread of its own: the browser's tests leave a loop running in theirs.
    with ThreadPoolExecutor(1) as thread:
        score = thread.submit(asyncio.run, cell()).result()
    assert score.ruling.verdict == scored().ruling.verdict


@pytest.mark.long
def test_numpy_imported_before_changes_nothing() -> None:
    script = (
        "import numpy, sys, signal; before = signal.getsignal(signal.SIGINT); import waymark; "
        "score = waymark.score(sys.argv[1], primary='key', secondary='barrel'); "
        "assert signal.getsignal(signal.SIGINT) is before; print(score.path)"
    )
    told = subprocess.run(
        [sys.executable, "-c", script, str(PHOTO)], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == str(scored().path)
