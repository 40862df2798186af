"""A server that is killed at any moment has kept all that it acknowledged.

`WAYMARK_KILLS=50 pytest tests/web/test_crash.py` kills more often than the suite does.
"""

from __future__ import annotations

import hashlib
import io
import os
import random
import sqlite3
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import requests
from live_server import PHOTOS
from PIL import Image
from server_process import ServerProcess

KILLS = int(os.environ.get("WAYMARK_KILLS", "3"))
WRITERS = 3


@dataclass
class Acknowledged:
    """What the server said that it has kept: hashes of photos by shot, and for each score the value that was
    acknowledged last and the one that was on its way."""

    photos: dict[str, str] = field(default_factory=dict)
    tableaus: dict[str, str] = field(default_factory=dict)
    scores: dict[str, int] = field(default_factory=dict)
    under_way: dict[str, int] = field(default_factory=dict)


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    data, rng = tmp_path / "data", random.Random(20261121)
    kept = Acknowledged()
    server = ServerProcess(data, "--workers", "1")
    server.wait_until_it_answers()
    entries = begin_game(server.url)
    for _ in range(KILLS):
        writers = [
            threading.Thread(target=write, args=(server.url, entries[n], kept, n)) for n in range(WRITERS)
        ]
        for writer in writers:
            writer.start()
        time.sleep(rng.uniform(0.1, 1.5))
        server.kill()
        for writer in writers:
            writer.join()
        check_database(data)
        server = ServerProcess(data, "--workers", "1")
        server.wait_until_it_answers()
        check_kept(server.url, data, kept)
    assert len(kept.photos) >= KILLS and len(kept.scores) == WRITERS
    server.stop()


def begin_game(url: str) -> list[str]:
    players = [{"name": f"Player {n}", "colour": colour} for n, colour in enumerate(("red", "blue", "green"))]
    game = requests.post(f"{url}/api/v1/games", json={"players": players}, timeout=30).json()
    return [entry["id"] for entry in game["rounds"][0]["entries"]]


def write(url: str, entry_id: str, kept: Acknowledged, writer: int) -> None:
    """Send scores and photos until the server is gone."""
    while True:
        try:
            score = kept.under_way[entry_id] = (kept.scores.get(entry_id, 0) + 1) % 900
            answer = requests.patch(
                f"{url}/api/v1/entries/{entry_id}", json={"primary_vp": score}, timeout=30
            )
            assert answer.status_code == 200, answer.text
            kept.scores[entry_id] = score
            photo = small_photo(f"{writer}-{score}-{time.monotonic_ns()}")
            answer = requests.post(f"{url}/api/v1/photos", files={"photo": ("p.jpg", photo)}, timeout=30)
            assert answer.status_code == 202, answer.text
            shot = answer.json()["shot"]
            kept.photos[shot["id"]] = hashlib.sha256(photo).hexdigest()
            kept.tableaus[shot["id"]] = answer.json()["tableau_id"]
        except requests.RequestException:
            return


def small_photo(text: str) -> bytes:
    """A shipped photo made small, with a comment that makes it another file."""
    with Image.open(PHOTOS / "table-07.jpg") as picture:
        picture.thumbnail((900, 900))
        buffer = io.BytesIO()
        picture.save(buffer, "JPEG", comment=text.encode())
    return buffer.getvalue()


def check_database(data: Path) -> None:
    with sqlite3.connect(data / "waymark.sqlite3") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def check_kept(url: str, data: Path, kept: Acknowledged) -> None:
    for shot_id, sha256 in kept.photos.items():
        file = data / "photos" / sha256[:2] / sha256
        assert hashlib.sha256(file.read_bytes()).hexdigest() == sha256
        tableau = requests.get(f"{url}/api/v1/tableaus/{kept.tableaus[shot_id]}", timeout=30).json()
        assert [shot["photo_id"] for shot in tableau["shots"] if shot["id"] == shot_id] == [sha256]
    for entry_id, score in kept.scores.items():
        entry = requests.get(f"{url}/api/v1/entries/{entry_id}", timeout=30).json()
        # What was on its way may have been kept without its answer having arrived.
        assert entry["primary_vp"] in (score, kept.under_way[entry_id])
        kept.scores[entry_id] = entry["primary_vp"]


def test_a_killed_server_leaves_no_worker_behind(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data", "--workers", "1")
    server.wait_until_it_answers()
    requests.post(f"{server.url}/api/v1/photos", files={"photo": ("p.jpg", small_photo("x"))}, timeout=30)
    time.sleep(1)
    workers = psutil.Process(server.process.pid).children(recursive=True)
    assert workers
    server.kill()
    _, alive = psutil.wait_procs(workers, timeout=20)
    assert not alive
