"""How a server bears many devices: phones that send 12-megapixel photos all at once while others look at
pages.

    python -m tools.load_test --devices 20 --seconds 60
    python -m tools.load_test --devices 20 --seconds 3600 --every 30

starts `waymark serve` on an empty data folder, sends photos from as many loopback addresses as there are
devices (so that the server's own limits apply to each as at a table), asks for pages from others
meanwhile, looks whether every photo that was acknowledged is there, file and row, and prints what it
measured beside what must hold. Exit status 1 where something does not.

    python -m tools.grow_data DIR --photo-px 2400
    python -m tools.load_test --log DIR

exports the log of a grown table, and imports it at an empty one, in place of the phones. The log and the
other folder are made beside DIR and removed in the end.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import psutil
import requests
from requests.adapters import HTTPAdapter

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from server_process import ServerProcess

PHOTO = Path(__file__).parents[1] / "samples" / "photos" / "table-04.jpg"
#: How often a device that only looks asks for a page, in seconds.
LOOK_SECONDS = 0.5
LOOKERS = 4
#: Limits: page time (ms; beside a log in the middle and at worst), and memory of the server (MB).
MAX_PAGE_MS = 200
MAX_PAGE_BESIDE_LOG_MS, WORST_PAGE_BESIDE_LOG_MS = 500, 5000
MAX_SERVER_MB = 800
#: Limit of memory growth (MB) from the first half of the run to the second.
MAX_GROWN_MB = 100
LOG_TIMEOUT_SECONDS = 4 * 3600
#: What was measured: its name, its value and its limit as text, and whether the limit holds.
Measurement = tuple[str, str, str, bool]


class FromAddress(HTTPAdapter):
    """HTTP adapter that sends requests from one loopback address."""

    def __init__(self, address: str) -> None:
        self._address = address
        super().__init__()

    def init_poolmanager(self, *args: object, **kwargs: object) -> None:
        kwargs["source_address"] = (self._address, 0)
        super().init_poolmanager(*args, **kwargs)  # type: ignore[arg-type]


@dataclass
class Memory:
    """Resident memory in MB over time: of the server alone, and with its workers."""

    server_mb: list[float] = field(default_factory=list)
    all_mb: list[float] = field(default_factory=list)


@dataclass
class Seen(Memory):
    """The measurements of all devices; durations are in seconds."""

    upload_seconds: list[float] = field(default_factory=list)
    page_seconds: list[float] = field(default_factory=list)
    #: SHA-256 of each photo that was acknowledged, by tableau.
    photos: dict[str, str] = field(default_factory=dict)
    put_off: int = 0
    unanswered: list[str] = field(default_factory=list)


def device(address: str) -> requests.Session:
    """An HTTP session with its own client address."""
    session = requests.Session()
    session.mount("http://", FromAddress(address))
    return session


def send_photos(url: str, number: int, until: float, every: float, photo: bytes, seen: Seen) -> None:
    """Upload photos as one phone, each a distinct file, on average one every `every` seconds (0: one
    after the other)."""
    session = device(f"127.0.1.{number + 1}")
    count = 0
    while time.monotonic() < until:
        count += 1
        # Bytes behind a JPEG's end make it another file and change no pixel.
        data = photo + f"{number}-{count}".encode()
        start = time.monotonic()
        try:
            answer = session.post(f"{url}/api/v1/photos", files={"photo": ("p.jpg", data)}, timeout=120)
        except requests.RequestException as error:
            seen.unanswered.append(repr(error))
            continue
        seen.upload_seconds.append(time.monotonic() - start)
        if answer.status_code == 202:
            seen.photos[answer.json()["tableau_id"]] = hashlib.sha256(data).hexdigest()
        elif answer.status_code in (429, 503):
            seen.put_off += 1
            time.sleep(1)
        else:
            seen.unanswered.append(f"{answer.status_code} {answer.text[:200]}")
        # Phones do not all go off at once.
        time.sleep(
            max(
                0.0,
                min(random.uniform(0.5, 1.5) * every - (time.monotonic() - start), until - time.monotonic()),
            )
        )


def look(url: str, pages: list[str], number: int, going: Callable[[], bool], seen: Seen) -> None:
    """Load pages as another device, and record the durations."""
    session = device(f"127.0.2.{number + 1}")
    turn = number
    while going():
        start = time.monotonic()
        try:
            answer = session.get(f"{url}{pages[turn % len(pages)]}", timeout=60)
        except requests.RequestException as error:
            seen.unanswered.append(repr(error))
            continue
        seen.page_seconds.append(time.monotonic() - start)
        if answer.status_code != 200:
            seen.unanswered.append(f"page {answer.status_code}")
        turn += 1
        time.sleep(LOOK_SECONDS)


def watch_memory(process: psutil.Process, stop: threading.Event, seen: Memory) -> None:
    """Record the memory of the server alone and with its workers, four times a second."""
    while not stop.wait(0.25):
        total = own = process.memory_info().rss
        for child in process.children(recursive=True):
            try:
                total += child.memory_info().rss
            except psutil.NoSuchProcess:
                continue
        seen.all_mb.append(total / 1e6)
        seen.server_mb.append(own / 1e6)


def unread(url: str, data: Path, photos: dict[str, str]) -> tuple[int, int]:
    """Number of acknowledged photos that still wait or run, and number of those lost. A photo is present
    if its row exists and its file has the right SHA-256."""
    session, waiting, lost = device("127.0.3.1"), 0, 0
    for tableau, sha256 in photos.items():
        answer = session.get(f"{url}/api/v1/tableaus/{tableau}", timeout=60)
        while answer.status_code == 429:
            time.sleep(2)
            answer = session.get(f"{url}/api/v1/tableaus/{tableau}", timeout=60)
        shots = answer.json().get("shots", []) if answer.ok else []
        file = data / "photos" / sha256[:2] / sha256
        whole = file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == sha256
        lost += not whole or sha256 not in [shot["photo_id"] for shot in shots]
        waiting += any(shot["state"] in ("waiting", "running") for shot in shots)
    return waiting, lost


def grown(memory: list[float]) -> float:
    """Growth of the memory peak in MB, from the first half of the measurements to the second."""
    half = len(memory) // 2
    return max(memory[half:]) - max(memory[:half]) if half else 0.0


@contextmanager
def watched(data: Path, seen: Memory, *options: str) -> Iterator[ServerProcess]:
    """A server on a data folder, with its memory recorded in `seen`; it is stopped in the end."""
    server, stop = ServerProcess(data, *options), threading.Event()
    server.wait_until_it_answers()
    process = psutil.Process(server.process.pid)
    watcher = threading.Thread(target=watch_memory, args=(process, stop, seen), daemon=True)
    watcher.start()
    try:
        yield server
    finally:
        stop.set()
        watcher.join()
        server.stop()


def beside_pages(url: str, work: Callable[[], None], seen: Seen) -> None:
    """Run `work` while devices load the pages of a new game."""
    players = [{"name": f"Player {n}", "colour": c} for n, c in enumerate(("red", "blue", "green"))]
    game = requests.post(f"{url}/api/v1/games", json={"players": players}, timeout=60).json()["id"]
    pages = ["/", "/history", f"/games/{game}", f"/games/{game}/rounds/1", f"/api/v1/games/{game}/version"]
    working = threading.Event()
    working.set()
    lookers = [
        threading.Thread(target=look, args=(url, pages, number, working.is_set, seen))
        for number in range(LOOKERS)
    ]
    for looker in lookers:
        looker.start()
    try:
        work()
    finally:
        working.clear()
        for looker in lookers:
            looker.join()


def from_phones(devices: int, seconds: float, every: float) -> bool:
    """Upload photos from many devices; returns whether all limits hold."""
    seen, photo = Seen(), PHOTO.read_bytes()
    with tempfile.TemporaryDirectory() as folder, watched(data := Path(folder) / "data", seen) as server:

        def upload() -> None:
            until = time.monotonic() + seconds
            with ThreadPoolExecutor(devices) as phones:
                for number in range(devices):
                    phones.submit(send_photos, server.url, number, until, every, photo, seen)

        beside_pages(server.url, upload, seen)
        waiting, lost = unread(server.url, data, seen.photos)
    rows = [
        ("photos kept", f"{len(seen.photos)} ({len(photo) / 1e6:.1f} MB each)", "some", bool(seen.photos)),
        ("lost", str(lost), "0", not lost),
        *pages_and_memory(seen, MAX_PAGE_MS),
        ("upload, median", f"{statistics.median(seen.upload_seconds):.2f} s", "", True),
        ("upload, worst", f"{max(seen.upload_seconds):.2f} s", "", True),
        ("put off (429, 503)", str(seen.put_off), "", True),
        ("still to be read", str(waiting), "", True),
        at_most("memory, grown", grown(seen.server_mb), MAX_GROWN_MB, "MB"),
    ]
    return printed(rows)


def of_log(source: Path) -> bool:
    """Export the log of a data folder, and import it at an empty one; returns whether all limits hold."""
    with tempfile.TemporaryDirectory(dir=source.parent) as made:
        log, other = Path(made) / "log.zip", Path(made) / "data"
        holds = True
        for name, data, carry in (("export", source, receive_log), ("import", other, send_log)):
            seen, begun = Seen(), time.monotonic()
            with watched(data, seen) as server:
                beside_pages(server.url, partial(carry, server.url, log), seen)
            print(f"{name}: {time.monotonic() - begun:.0f} s, {log.stat().st_size / 1e9:.2f} GB")
            holds &= printed(pages_and_memory(seen, MAX_PAGE_BESIDE_LOG_MS, WORST_PAGE_BESIDE_LOG_MS))
        before, after = (sum(map(Path.is_file, (each / "photos").rglob("*"))) for each in (source, other))
        left = sorted(file.name for file in (other / "receiving").rglob("*"))
        print(f"{before} files of photos there, {after} here; left over: {left}")
    return holds and before == after and not left


def receive_log(url: str, log: Path) -> None:
    """Export a server's log to a file."""
    with requests.get(f"{url}/api/v1/log", stream=True, timeout=LOG_TIMEOUT_SECONDS) as answer:
        answer.raise_for_status()
        with log.open("wb") as file:
            shutil.copyfileobj(answer.raw, file)


def send_log(url: str, log: Path) -> None:
    """Import a log file into a server, and print its report."""
    with log.open("rb") as file:
        answer = requests.post(f"{url}/api/v1/log", data=file, timeout=LOG_TIMEOUT_SECONDS)
    answer.raise_for_status()
    print(answer.json())


def at_most(name: str, measured: float, limit: float, unit: str) -> Measurement:
    """A measurement with an upper limit."""
    return name, f"{measured:.0f} {unit}", f"< {limit} {unit}", measured < limit


def pages_and_memory(seen: Seen, median_ms: float, worst_ms: float = math.inf) -> list[Measurement]:
    """What must hold of requests, pages and memory in every run."""
    pages_ms = [1000 * seconds for seconds in seen.page_seconds]
    return [
        ("not answered", f"{len(seen.unanswered)} {seen.unanswered[:3] or ''}", "0", not seen.unanswered),
        at_most("page, median", statistics.median(pages_ms), median_ms, "ms"),
        at_most("page, worst", max(pages_ms), worst_ms, "ms"),
        at_most("memory, server", max(seen.server_mb), MAX_SERVER_MB, "MB"),
        ("memory, with workers", f"{max(seen.all_mb):.0f} MB", "", True),
    ]


def printed(rows: Sequence[Measurement]) -> bool:
    """Print measurements beside their limits; returns whether all hold."""
    for name, measured, wanted, holds in rows:
        print(f"{name:22}{measured:28}{wanted:10}{'' if holds else 'FAILED'}".rstrip())
    return all(holds for *_, holds in rows)


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--devices", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--every", type=float, default=0, help="seconds between the photos of a device")
    parser.add_argument("--log", type=Path, metavar="DIR", help="a data folder whose log is carried instead")
    asked = parser.parse_args()
    if asked.log is not None:
        return 0 if of_log(asked.log.absolute()) else 1
    return 0 if from_phones(asked.devices, asked.seconds, asked.every) else 1


if __name__ == "__main__":
    sys.exit(main())
