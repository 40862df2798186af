"""How a server bears many devices: phones that send 12-megapixel photos all at once while others look at
pages.

    python -m tools.load_test --devices 20 --seconds 60

starts `waymark serve` on an empty data folder, sends photos from as many loopback addresses as there are
devices (so that the server's own limits apply to each as at a table), asks for pages from others
meanwhile, waits until all photos are read, and prints what it measured. Exit status 1 where a photo was
lost or an upload not answered.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import requests
from requests.adapters import HTTPAdapter

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from server_process import ServerProcess

PHOTO = Path(__file__).parents[1] / "samples" / "photos" / "table-04.jpg"
#: How often a device that only looks asks for a page, in seconds.
LOOK_SECONDS = 0.5
LOOKERS = 4


class FromAddress(HTTPAdapter):
    """Requests from one loopback address."""

    def __init__(self, address: str) -> None:
        self._address = address
        super().__init__()

    def init_poolmanager(self, *args: object, **kwargs: object) -> None:
        kwargs["source_address"] = (self._address, 0)
        super().init_poolmanager(*args, **kwargs)  # type: ignore[arg-type]


@dataclass
class Seen:
    """What the devices met. Times are seconds."""

    upload_seconds: list[float] = field(default_factory=list)
    page_seconds: list[float] = field(default_factory=list)
    tableaus: list[str] = field(default_factory=list)
    put_off: int = 0
    unanswered: list[str] = field(default_factory=list)
    peak_mb: float = 0.0
    peak_server_mb: float = 0.0


def device(address: str) -> requests.Session:
    """A device with an address of its own."""
    session = requests.Session()
    session.mount("http://", FromAddress(address))
    return session


def send_photos(url: str, number: int, until: float, photo: bytes, seen: Seen) -> None:
    """One phone: a photo after the other, each a file of its own."""
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
            seen.tableaus.append(answer.json()["tableau_id"])
        elif answer.status_code in (429, 503):
            seen.put_off += 1
            time.sleep(1)
        else:
            seen.unanswered.append(f"{answer.status_code} {answer.text[:200]}")


def look(url: str, pages: list[str], number: int, until: float, seen: Seen) -> None:
    """Another device: looks at pages."""
    session = device(f"127.0.2.{number + 1}")
    turn = number
    while time.monotonic() < until:
        start = time.monotonic()
        answer = session.get(f"{url}{pages[turn % len(pages)]}", timeout=60)
        seen.page_seconds.append(time.monotonic() - start)
        if answer.status_code != 200:
            seen.unanswered.append(f"page {answer.status_code}")
        turn += 1
        time.sleep(LOOK_SECONDS)


def watch_memory(process: psutil.Process, stop: threading.Event, seen: Seen) -> None:
    """Peak resident memory of the server alone and of it with its workers."""
    while not stop.wait(0.25):
        total = own = process.memory_info().rss
        for child in process.children(recursive=True):
            try:
                total += child.memory_info().rss
            except psutil.NoSuchProcess:
                continue
        seen.peak_mb = max(seen.peak_mb, total / 1e6)
        seen.peak_server_mb = max(seen.peak_server_mb, own / 1e6)


def unread(url: str, tableaus: list[str]) -> tuple[int, int]:
    """(waiting or running, lost) of the tableaus that were acknowledged."""
    session, waiting, lost = device("127.0.3.1"), 0, 0
    for tableau in tableaus:
        answer = session.get(f"{url}/api/v1/tableaus/{tableau}", timeout=60)
        while answer.status_code == 429:
            time.sleep(2)
            answer = session.get(f"{url}/api/v1/tableaus/{tableau}", timeout=60)
        shots = answer.json().get("shots", []) if answer.ok else []
        lost += not shots
        waiting += any(shot["state"] in ("waiting", "running") for shot in shots)
    return waiting, lost


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--devices", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    seen, photo = Seen(), PHOTO.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder) / "data")
        server.wait_until_it_answers()
        players = [{"name": f"Player {n}", "colour": c} for n, c in enumerate(("red", "blue", "green"))]
        game = requests.post(f"{server.url}/api/v1/games", json={"players": players}, timeout=30).json()
        pages = [
            "/",
            f"/games/{game['id']}",
            f"/games/{game['id']}/rounds/1",
            f"/api/v1/games/{game['id']}/version",
        ]
        stop, until = threading.Event(), time.monotonic() + arguments.seconds
        watcher = threading.Thread(
            target=watch_memory, args=(psutil.Process(server.process.pid), stop, seen), daemon=True
        )
        watcher.start()
        threads = [
            threading.Thread(target=send_photos, args=(server.url, n, until, photo, seen))
            for n in range(arguments.devices)
        ]
        threads += [
            threading.Thread(target=look, args=(server.url, pages, n, until, seen)) for n in range(LOOKERS)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        waiting, lost = unread(server.url, seen.tableaus)
        stop.set()
        watcher.join()
        server.stop()
    print(f"photos sent and kept      {len(seen.tableaus)} ({len(photo) / 1e6:.1f} MB each)")
    print(f"put off (429, 503)        {seen.put_off}")
    print(f"not answered              {len(seen.unanswered)} {seen.unanswered[:3]}")
    print(f"lost                      {lost}")
    print(f"still waiting to be read  {waiting}")
    print(
        f"upload, seconds           median {statistics.median(seen.upload_seconds):.2f}, "
        f"worst {max(seen.upload_seconds):.2f}"
    )
    print(
        f"page, milliseconds        median {1000 * statistics.median(seen.page_seconds):.0f}, "
        f"worst {1000 * max(seen.page_seconds):.0f} of {len(seen.page_seconds)}"
    )
    print(f"memory, MB                server {seen.peak_server_mb:.0f}, with its workers {seen.peak_mb:.0f}")
    return 1 if lost or seen.unanswered else 0


if __name__ == "__main__":
    sys.exit(main())
