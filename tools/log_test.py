"""How a server bears a log of any size: it leaves a grown table and comes in at an empty one, while others
look at pages.

    python -m tools.grow_data DIR --photo-px 2400
    python -m tools.log_test DIR

starts `waymark serve` on the folder and exports its log, then another one on an empty folder and sends it
there; prints what both took beside what must hold. The log and the other folder are made beside DIR and
removed in the end. Exit status 1 where something does not hold.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import requests

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from server_process import ServerProcess

from tools.load_test import MAX_SERVER_MB, Seen, look, watch_memory

#: What must hold of others' pages, in the middle and at worst.
MAX_PAGE_MS, WORST_PAGE_MS = 500, 5000
LOOKERS = 2
_PIECE = 1 << 20
_TIMEOUT_SECONDS = 4 * 3600


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    source = parser.parse_args().folder.absolute()
    with tempfile.TemporaryDirectory(dir=source.parent) as made:
        log, other = Path(made) / "log.zip", Path(made) / "data"
        holds = watched(source, "export", lambda url: receive(url, log))
        print(f"the log has {log.stat().st_size / 1e9:.2f} GB")
        answers: list[dict[str, Any]] = []
        holds &= watched(other, "import", lambda url: answers.append(send(url, log)))
        print(answers[0])
        before, after = counted(source), counted(other)
        left = sorted(file.name for file in (other / "receiving").rglob("*"))
        print(f"{before} files of photos there, {after} here; left over: {left}")
    return 0 if holds and before == after and not left else 1


def receive(url: str, log: Path) -> None:
    """Export a server's log to a file."""
    asked = requests.get(f"{url}/api/v1/log", stream=True, timeout=_TIMEOUT_SECONDS)
    with asked as answer, log.open("wb") as file:
        answer.raise_for_status()
        for piece in answer.iter_content(_PIECE):
            file.write(piece)


def send(url: str, log: Path) -> dict[str, Any]:
    """Import a log file into a server; returns the server's report."""
    with log.open("rb") as file:
        answer = requests.post(f"{url}/api/v1/log", data=file, timeout=_TIMEOUT_SECONDS)
    answer.raise_for_status()
    report: dict[str, Any] = answer.json()
    return report


def counted(data: Path) -> int:
    """Number of original photos in a data folder."""
    return sum(file.is_file() for file in (data / "photos").rglob("*"))


def watched(data: Path, name: str, work: Callable[[str], None]) -> bool:
    """Run `work` against a server on a folder while others load pages; returns whether all limits hold."""
    server = ServerProcess(data)
    server.wait_until_it_answers()
    seen, stop = Seen(), threading.Event()
    players = [{"name": "Chie", "colour": "red"}, {"name": "Dan", "colour": "blue"}]
    game = requests.post(f"{server.url}/api/v1/games", json={"players": players}, timeout=60).json()["id"]
    pages = ["/", f"/games/{game}", "/history", f"/api/v1/games/{game}/version"]
    watcher = threading.Thread(
        target=watch_memory, args=(psutil.Process(server.process.pid), stop, seen), daemon=True
    )
    watcher.start()
    working = threading.Event()
    working.set()
    lookers = [
        threading.Thread(target=look, args=(server.url, pages, number, working.is_set, seen))
        for number in range(LOOKERS)
    ]
    for looker in lookers:
        looker.start()
    begun = time.monotonic()
    try:
        work(server.url)
        seconds = time.monotonic() - begun
    finally:
        working.clear()
        for looker in lookers:
            looker.join()
        stop.set()
        watcher.join()
        server.stop()
    return report(name, seconds, seen)


def report(name: str, seconds: float, seen: Seen) -> bool:
    """Print the measurements beside their limits; returns whether all limits hold."""
    pages_ms = 1000 * statistics.median(seen.page_seconds)
    worst_ms, most_mb = 1000 * max(seen.page_seconds), max(seen.server_mb)
    rows = [
        ("not answered", f"{len(seen.unanswered)} {seen.unanswered[:3] or ''}", "0", not seen.unanswered),
        ("page, median", f"{pages_ms:.0f} ms", f"< {MAX_PAGE_MS} ms", pages_ms < MAX_PAGE_MS),
        ("page, worst", f"{worst_ms:.0f} ms", f"< {WORST_PAGE_MS} ms", worst_ms < WORST_PAGE_MS),
        ("memory, server", f"{most_mb:.0f} MB", f"< {MAX_SERVER_MB} MB", most_mb < MAX_SERVER_MB),
        ("memory, with workers", f"{max(seen.all_mb):.0f} MB", "", True),
    ]
    print(f"{name}: {seconds:.0f} s")
    for what, measured, wanted, holds in rows:
        print(f"  {what:22}{measured:28}{wanted:12}{'' if holds else 'FAILED'}".rstrip())
    return all(holds for *_, holds in rows)


if __name__ == "__main__":
    sys.exit(main())
