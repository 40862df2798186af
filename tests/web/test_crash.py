"""A server that is killed at any moment has kept all that it acknowledged: photos, scores, what was taken
back, corrections, purchases, imports.

`WAYMARK_KILLS=50 pytest tests/web/test_crash.py -s` kills more often than the suite does, and prints how much
was kept.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import random
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest
import requests
from flask.testing import FlaskClient
from long_rest import long_but
from played import play_a_little, small_photo
from server_process import ServerProcess

from vision.photo import load_photo
from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.http.services import KEY

KILLS = int(os.environ.get("WAYMARK_KILLS", "3"))
TIMEOUT_SECONDS = 60


@dataclass
class Place:
    """Where things are written: players' rounds for scores and purchases, a tableau to correct, and logs to
    take in, each with a game more than the one before."""

    scored: str
    buying: str
    tableau: str
    logs: list[tuple[str, bytes]]


@dataclass
class Acknowledged:
    """What the server said that it has kept: photos (hash and tableau by shot), a score, purchases (whether
    they were taken back), the version of a tableau with its record, and games that were imported. `under_way`
    is what was asked last of each kind: it may have been kept without its answer having arrived."""

    photos: dict[str, tuple[str, str]] = field(default_factory=dict)
    score: int | None = None
    purchases: dict[str, bool] = field(default_factory=dict)
    corrected: tuple[int, Any] = (0, None)
    games: set[str] = field(default_factory=set)
    under_way: dict[str, Any] = field(default_factory=dict)
    writes: dict[str, int] = field(default_factory=dict)

    def count(self, kind: str) -> None:
        self.writes[kind] = self.writes.get(kind, 0) + 1


@pytest.mark.parametrize("kills", long_but([1, KILLS]))
def test_what_was_acknowledged_survives_a_kill(tmp_path: Path, kills: int) -> None:
    data, rng = tmp_path / "data", random.Random(20261121)
    place = played_table(data, tmp_path / "other", kills)
    kept = Acknowledged()
    server = ServerProcess(data, "--workers", "1")
    server.wait_until_it_answers()
    kept.corrected = (0, get(server.url, f"/tableaus/{place.tableau}")["record"])
    seen: set[str] = set()
    for writer in WRITERS:
        writer(server.url, place, kept)
    for _ in range(kills):
        threads = [
            threading.Thread(target=write, args=(writer, server.url, place, kept)) for writer in WRITERS
        ]
        for thread in threads:
            thread.start()
        time.sleep(rng.uniform(0.1, 2.5))
        server.kill()
        for thread in threads:
            thread.join()
        check_database(data)
        server = ServerProcess(data, "--workers", "1")
        server.wait_until_it_answers()
        check_kept(server.url, data, place, kept, kept.photos.keys() - seen)
        seen |= kept.photos.keys()
    # Once more, all of it: nothing was lost later.
    check_kept(server.url, data, place, kept, seen)
    print(f"\n{kills} kills; acknowledged and kept: {kept.writes}", file=sys.stderr)
    server.stop()


def played_table(data: Path, other: Path, kills: int) -> Place:
    """A table with a photo that was read, and the logs of another table."""
    app = create_app(ServerConfig(data=data, scan_workers=0))
    play_a_little(app)
    client = app.test_client()
    listed: Any = client.get("/api/v1/games").json
    game: Any = client.get(f"/api/v1/games/{listed[0]['id']}").json
    entries = [entry for round_ in game["rounds"] for entry in round_["entries"]]
    tableau = next(entry["tableau_id"] for entry in entries if entry["tableau_id"])
    scored, buying, *_ = (entry["id"] for entry in entries if not entry["tableau_id"])
    app.extensions[KEY].database.engine.dispose()
    client = create_app(ServerConfig(data=other)).test_client()
    logs = list(itertools.islice(growing_logs(client), kills * 3))
    return Place(scored, buying, tableau, logs)


def growing_logs(client: FlaskClient) -> Iterator[tuple[str, bytes]]:
    """A table's log after each game that it begins, with the id of that game."""
    while True:
        players = [{"name": "Chie", "colour": "red"}, {"name": "Dan", "colour": "blue"}]
        game: Any = client.post("/api/v1/games", json={"players": players}).json
        yield game["id"], client.get("/api/v1/log").get_data()


# --- writing ------------------------------------------------------------------------------------------------


Writer = Callable[[str, Place, Acknowledged], None]


def write(writer: Writer, url: str, place: Place, kept: Acknowledged) -> None:
    """Have one writer write until the server is gone."""
    try:
        while True:
            writer(url, place, kept)
    except requests.RequestException:
        return


def get(url: str, path: str) -> Any:
    answer = requests.get(f"{url}/api/v1{path}", timeout=TIMEOUT_SECONDS)
    assert answer.ok, answer.text
    return answer.json()


def ask(method: str, url: str, path: str, **more: Any) -> Any:
    answer = requests.request(method, f"{url}/api/v1{path}", timeout=TIMEOUT_SECONDS, **more)
    assert answer.ok, answer.text
    return answer.json() if answer.content else None


def send_photo(url: str, place: Place, kept: Acknowledged) -> None:
    photo = small_photo(str(time.monotonic_ns()))
    sent = ask("POST", url, "/photos", files={"photo": ("p.jpg", photo)})
    kept.photos[sent["shot"]["id"]] = (hashlib.sha256(photo).hexdigest(), sent["tableau_id"])
    kept.count("photo")


def score_and_take_back(url: str, place: Place, kept: Acknowledged) -> None:
    entry = f"/entries/{place.scored}"
    first = random.randrange(400)
    for score in (first, first + 400):
        kept.under_way["score"] = score
        change = ask("PATCH", url, entry, json={"primary_vp": score})["change"]
        kept.score = score
        kept.count("score")
    kept.under_way["score"] = first
    ask("POST", url, f"{entry}/undo", json={"change": change})
    kept.score = first
    kept.count("score taken back")


def buy_and_put_back(url: str, place: Place, kept: Acknowledged) -> None:
    for _ in range(2):
        thing = {"kind": "other", "what": "x", "coins": 0, "client_key": str(time.monotonic_ns())}
        bought = ask("POST", url, f"/entries/{place.buying}/purchases", json=thing)["id"]
        kept.purchases[bought] = False
        kept.count("purchase")
    kept.under_way["purchase"] = bought
    ask("DELETE", url, f"/purchases/{bought}")
    kept.purchases[bought] = True
    kept.count("purchase put back")


def correct_and_undo(url: str, place: Place, kept: Acknowledged) -> None:
    tableau = f"/tableaus/{place.tableau}"
    version = get(url, f"{tableau}/review")["version"]
    turned = {"version": version, "correction": {"kind": "swap"}}
    answer = ask("POST", url, f"{tableau}/corrections", json=turned)
    keep_correction(url, place, kept, "correction", answer["version"])
    answer = ask("POST", url, f"{tableau}/undo", json={"version": answer["version"]})
    keep_correction(url, place, kept, "correction undone", answer["version"])


def keep_correction(url: str, place: Place, kept: Acknowledged, kind: str, version: int) -> None:
    kept.corrected = (version, None)
    kept.corrected = (version, get(url, f"/tableaus/{place.tableau}")["record"])
    kept.count(kind)


def take_log(url: str, place: Place, kept: Acknowledged) -> None:
    for game, log in place.logs:
        if game not in kept.games:
            ask("POST", url, "/log", data=log)
            kept.games.add(game)
            kept.count("import")
            time.sleep(0.3)
            return
    time.sleep(0.5)
    get(url, "/games")


WRITERS: list[Writer] = [send_photo, score_and_take_back, buy_and_put_back, correct_and_undo, take_log]


# --- what was kept ------------------------------------------------------------------------------------------


def check_database(data: Path) -> None:
    with sqlite3.connect(data / "waymark.sqlite3") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def check_kept(url: str, data: Path, place: Place, kept: Acknowledged, shots: set[str]) -> None:
    for shot_id in shots:
        sha256, tableau_id = kept.photos[shot_id]
        file = data / "photos" / sha256[:2] / sha256
        assert hashlib.sha256(file.read_bytes()).hexdigest() == sha256
        assert max(load_photo(file).pixels.shape) == 900
        tableau = get(url, f"/tableaus/{tableau_id}")
        assert [shot["photo_id"] for shot in tableau["shots"] if shot["id"] == shot_id] == [sha256]
    score = get(url, f"/entries/{place.scored}")["primary_vp"]
    assert score in (kept.score, kept.under_way.get("score"))
    kept.score = score
    with sqlite3.connect(data / "waymark.sqlite3") as connection:
        there = dict(connection.execute("SELECT id, deleted_at IS NOT NULL FROM purchase"))
    for bought, put_back in kept.purchases.items():
        assert bool(there[bought]) == put_back or bought == kept.under_way.get("purchase")
        kept.purchases[bought] = bool(there[bought])
    version, record = kept.corrected
    stands = get(url, f"/tableaus/{place.tableau}")
    assert stands["version"] >= version
    if stands["version"] == version and record is not None:
        assert stands["record"] == record
    kept.corrected = (stands["version"], stands["record"])
    games = {game["id"] for game in get(url, "/games")}
    assert games >= kept.games
    for game in games:
        assert len(get(url, f"/games/{game}")["rounds"]) == 6


def test_a_killed_server_leaves_no_worker_behind(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data", "--workers", "1")
    server.wait_until_it_answers()
    requests.post(f"{server.url}/api/v1/photos", files={"photo": ("p.jpg", small_photo("x"))}, timeout=30)
    end = time.monotonic() + TIMEOUT_SECONDS
    while not (workers := psutil.Process(server.process.pid).children(recursive=True)):
        assert time.monotonic() < end, "no worker was started"
        time.sleep(0.05)
    server.kill()
    _, alive = psutil.wait_procs(workers, timeout=20)
    assert not alive
