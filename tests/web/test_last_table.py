"""A data folder and a log of the last version open as before (tests/data/last_table/README.md)."""

from __future__ import annotations

import csv
import io
import json
import lzma
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from flask import Flask

from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.http.services import KEY

#: Where on a card something is: told as the card was printed then, as it lies in the photo now.
_SPOT = re.compile(
    r"at the (top left|top right|top|bottom left|bottom right|bottom|left|right)|in the middle"
    r"|左上|右上|左下|右下|中央|(?<=の)[上下左右](?=の)"
)
#: Terms and sentences that have changed since then: old and new.
_RENAMED = (
    ("Read at .*: The line does not run here", "An answer to a question that is settled now"),
    ("D43の左下の端を「ここを通っていない」と読むなら", "すでに答えが出た質問について"),
    ("a photo says otherwise", "a photo gives a different result"),
    ("No round is written down yet", "No round is entered yet"),
    ("Read at (.+?): ", r"If \1 is read as: "),
    (
        "A line starts here that nothing joins to the one before it: a stretch of",
        "The line that starts here does not join the one before it: part of",
    ),
    ("3方向の交差点", "三方向の交差点"),
    ("4方向の交差点", "四方向の交差点"),
    ("部屋の出入口", "部屋の扉"),
    ("規則どおり", "ルールどおり"),
    ("記録と異なります", "入力された得点と異なります"),
    ("買った記録がありません", "購入の入力がありません"),
    ("使ったものの記録が", "使ったものが"),
    ("there is a gap in the path.", "Waymark is not sure of the reading."),
    ("経路が途切れています。", "読み取りに確認待ちの点があります。"),
    (r": part of the path .*? may be wrong\.", ". The score rests on the answer alone."),
    (
        "線が、前の線とつながっていません。.*?かもしれません。",
        "線は、その前の線につながっていません。得点はお答えだけによるものです。",
    ),
    ("？", "?"),
)
#: The tableau there whose player said that its lines were drawn apart: it is sure now, as the player says.
APART = "oLzgOnDrGEpt0hST"
#: The tableau there with a doubt that is too unlikely to be asked about by now.
UNLIKELY = "gcNc8oXB7Jae7mAc"
#: The game there that was not begun.
OPEN = "q1eums7NbLMs4l-G"
LAST = Path(__file__).parents[1] / "data" / "last_table"


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    """What the last version answered."""
    told: dict[str, Any] = json.loads(lzma.decompress((LAST / "answers.json.xz").read_bytes()))
    return {route: as_read(route, answer) for route, answer in told.items()}


def closed(app: Flask) -> None:
    app.extensions[KEY].database.engine.dispose()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Flask]:
    """A server on the last version's data folder."""
    with zipfile.ZipFile(LAST / "data.zip") as archive:
        archive.extractall(tmp_path / "data")
    app = create_app(ServerConfig(data=tmp_path / "data", scan_workers=0))
    yield app
    closed(app)


def missing(then: Any, now: Any, at: str = "") -> list[str]:
    """Where `now` does not say what was said `then`: fields may have been added."""
    if isinstance(then, dict) and isinstance(now, dict):
        return [
            found
            for key, value in then.items()
            for found in (missing(value, now[key], f"{at}/{key}") if key in now else [f"{at}/{key} is gone"])
        ]
    if isinstance(then, list) and isinstance(now, list) and at.endswith("/options"):
        # answers are there by their numbers and score the same; others have come
        scores = {option["number"]: option["score"] for option in now}
        return [
            found
            for option in then
            for found in missing(option["score"], scores.get(option["number"]), f"{at}/{option['number']}")
        ]
    if isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        return [
            found
            for number, (a, b) in enumerate(zip(then, now, strict=True))
            for found in missing(a, b, f"{at}/{number}")
        ]
    if (APART in at or UNLIKELY in at) and at.endswith("/sure") and now is True:
        return []
    if UNLIKELY in at and (at.endswith(("/questions", "/what_ifs")) or "/claims/0/" in at) and not now:
        return []
    if then == now or (at.endswith("/key") and _asked(then) and _asked(now)):
        return []
    if isinstance(then, str) and isinstance(now, str) and _worded(then) == _worded(now):
        return []
    return [f"{at}: {str(then)[:80]} -> {str(now)[:80]}"]


def _worded(text: str) -> str:
    """The words of a sentence, by the names and with the spaces of today; not where on a card it is."""
    for old, new in _RENAMED:
        text = re.sub(old, new, text)
    return re.sub(r"(?<=[ぁ-ヶ一-龥]) | (?=[ぁ-ヶ一-龥])", "", _SPOT.sub("", text))


def _asked(key: Any) -> bool:
    """Whether it names a question of a reading: by number then, by name now."""
    return isinstance(key, str) and key.startswith("reading:")


def asked(app: Flask, route: str) -> Any:
    client = app.test_client()
    language, _, path = route.rpartition(" ")
    client.set_cookie("language", language or "en")
    # Until now games that were not finished left, too.
    answer = client.get(f"/api/v1{path}" + ("?unfinished=1" if path.startswith("/export") else ""))
    assert answer.status_code == 200, (route, answer.get_data(as_text=True))
    return as_read(route, answer.json if language else answer.get_data(as_text=True))


def as_read(route: str, told: Any) -> Any:
    """What leaves of the games as programs read it, by its parts; without the game that was not finished,
    which everybody had won until now."""
    if route.endswith(".bgsplay"):
        # It is written while games are looked through: who and what they speak of stands behind them now.
        file = json.loads(told)
        return {**file, "plays": [play for play in file["plays"] if len(play["playerScores"]) > 2]}
    if route.endswith("games.json"):
        return [game for game in json.loads(told) if game["id"] != OPEN]
    if route.endswith("rounds.csv"):
        rows = csv.DictReader(io.StringIO(told.removeprefix("\ufeff"), newline=""))
        return [row for row in rows if row["game_id"] != OPEN]
    if route.endswith("plays.xml"):
        plays = [play for play in Xml.fromstring(told) if play.get("id") != OPEN]
        return [[(part.tag, part.text, dict(part.attrib)) for part in play.iter()] for play in plays]
    if route.endswith(f"/{OPEN}/bg-stats"):
        return {**told, "link": ""}
    return told


def test_every_answer_is_as_before(opened: Flask, answers: dict[str, Any]) -> None:
    changed = {route: missing(then, asked(opened, route), route)[:5] for route, then in answers.items()}
    assert {route: found for route, found in changed.items() if found} == {}


@pytest.mark.long
def test_its_log_gives_the_same_games(tmp_path: Path, answers: dict[str, Any]) -> None:
    app = create_app(ServerConfig(data=tmp_path / "new", scan_workers=0))
    client = app.test_client()
    log = (LAST / "log.zip").read_bytes()
    report = client.post("/api/v1/log", data=log, content_type="application/octet-stream").json
    assert report is not None and report.get("photos_missing") == 0 and report["added"]["game"] == 3, report
    told = {
        route: then
        for route, then in answers.items()
        if route.startswith(("en /games", "ja /games", "en /persons", "en /entries", "/export"))
    }
    changed = {route: missing(then, asked(app, route), route) for route, then in told.items()}
    # A photo leaves without its metadata, as another file.
    changed = {route: [each for each in found if "photo_id" not in each] for route, found in changed.items()}
    assert {route: found[:5] for route, found in changed.items() if found} == {}
    for route, then in answers.items():
        if route.startswith("en /tableaus/") and route.count("/") == 2:
            assert missing({key: then[key] for key in ("record", "ruling", "sure")}, asked(app, route)) == []
    closed(app)
