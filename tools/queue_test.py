"""Whether photos are always read, and how much faster by many: real queues and processes, with a stand-in
that looks at no photo and costs the same time for each.

    python -m tools.queue_test kills --kills 200
    python -m tools.queue_test speed --workers 1 4

`kills` has worker processes read while they, and the processes that read for them, are killed (SIGKILL) at
random; then every photo must have been read, and nothing be left over. `speed` times the same photos with
each number of reading processes. `--database` takes the URL of another database, an empty one; the workers
are as many processes there as `--processes` says. Exit status 1 where something does not hold.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil
from sqlalchemy import func, select

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from played import small_photo
from stand_in_reader import stand_in

from webapp.config import ServerConfig
from webapp.scans.leases import LEASE_SECONDS
from webapp.scans.standalone import read_photos
from webapp.store.database import Database, open_database
from webapp.store.models import Lease, Revision, Shot, Tableau
from webapp.store.photo_places import open_store
from webapp.store.photos import store_original
from webapp.store.tableaus import add_shot

#: Minimum speed-up by number of reading processes, compared with one.
LEAST_SPEEDUP = {4: 3.6}
#: Share of kills that hit a process that reads photos; the others hit its parent.
READERS = 0.85
#: Share of kills before which another photo is read; the others may hit a process that is still starting.
READING = 0.8
#: Longest wait in seconds for that photo.
PROGRESS_SECONDS = 60
#: Number of waiting photos while workers are killed.
WAITING = 12


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--database", metavar="URL")
    kinds = parser.add_subparsers(dest="kind", required=True)
    kills = kinds.add_parser("kills")
    kills.add_argument("--kills", type=int, default=200)
    kills.add_argument("--processes", type=int, default=2)
    kills.add_argument("--workers", type=int, default=2)
    kills.add_argument("--seconds", type=float, default=0.3, help="what a photo costs")
    kills.add_argument("--seed", type=int, default=1)
    speed = kinds.add_parser("speed")
    speed.add_argument("--workers", type=int, nargs="+", default=[1, 4])
    speed.add_argument("--photos", type=int, default=40)
    speed.add_argument("--seconds", type=float, default=1.0, help="what a photo costs")
    worker = kinds.add_parser("worker")
    worker.add_argument("--data", type=Path, required=True)
    worker.add_argument("--workers", type=int, required=True)
    worker.add_argument("--seconds", type=float, required=True)
    asked = parser.parse_args(arguments)
    if asked.kind == "worker":
        stand_in(asked.data, asked.seconds)
        config = ServerConfig(data=asked.data, database_url=asked.database, scan_workers=asked.workers)
        read_photos(config, on_start=lambda: None)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder), asked.database)
        if asked.kind == "speed":
            return time_workers(table, asked)
        chance = random.Random(asked.seed)
        found = kill_workers(
            table,
            kills=asked.kills,
            chance=chance,
            processes=asked.processes,
            workers=asked.workers,
            seconds=asked.seconds,
        )
        return _report((*found.kept, *found.left))


class Table:
    """A data folder with its database, its photos and the worker processes that read them."""

    def __init__(self, data: Path, url: str | None) -> None:
        self.config = ServerConfig(data=data, database_url=url)
        self.database: Database = open_database(self.config.url)
        self._photo = small_photo("queue")
        self._sent = 0
        self._started: list[subprocess.Popen[bytes]] = []
        (data / "photos").mkdir()

    def send(self, count: int) -> None:
        """Add `count` waiting photos, each with a tableau of its own."""
        photos = open_store(self.config.photos_at)
        for _ in range(count):
            self._sent += 1
            stored = store_original(photos, self._photo + str(self._sent).encode())
            with self.database.transaction() as session:
                session.add(tableau := Tableau())
                session.flush()
                add_shot(session, tableau, stored)

    def start(self, workers: int, seconds: float) -> subprocess.Popen[bytes]:
        """Start a worker process with `workers` reading processes."""
        command = [sys.executable, "-m", "tools.queue_test"]
        if self.config.database_url is not None:
            command += ["--database", self.config.database_url]
        command += ["worker", "--data", str(self.config.data)]
        command += ["--workers", str(workers), "--seconds", str(seconds)]
        with (self.config.data / "workers.log").open("ab") as told:
            process = subprocess.Popen(command, stdout=told, stderr=told)
        self._started.append(process)
        return process

    def states(self) -> Counter[str]:
        with self.database.snapshot() as session:
            return Counter(dict(session.execute(select(Shot.state, func.count()).group_by(Shot.state)).all()))

    def wait_until(self, holds: Callable[[Counter[str]], bool], seconds: float) -> bool:
        """Wait until the numbers of photos by state fulfil a condition; whether they did in time."""
        end = time.monotonic() + seconds
        while not (held := holds(self.states())) and time.monotonic() < end:
            time.sleep(0.05)
        return held

    def wait_until_read(self, seconds: float) -> None:
        if not self.wait_until(lambda states: not states.keys() & {"waiting", "running"}, seconds):
            print(f"not read: {dict(self.states())}")

    def stop(self) -> None:
        for process in self._started:
            if process.poll() is None:
                process.terminate()
        for process in self._started:
            process.wait(timeout=600)


@dataclass(frozen=True)
class Found:
    """Results of a kill test as (name, measured, expected): of what has to be kept, and of what may not
    be left over."""

    kept: list[tuple[str, object, object]]
    left: list[tuple[str, object, object]]


def kill_workers(
    table: Table,
    *,
    kills: int,
    chance: random.Random,
    processes: int = 2,
    workers: int = 2,
    seconds: float = 0.3,
) -> Found:
    """Kill worker processes repeatedly, mostly once another photo was read, and check that every photo is
    read in the end. The stand-in reader takes `seconds` for a photo."""
    killed = Counter[str]()
    running = [table.start(workers, seconds) for _ in range(processes)]
    while killed.total() < kills:
        states = table.states()
        table.send(max(0, WAITING - states["waiting"]))
        # Now and then one that is still starting, or several at once.
        if chance.random() < READING:
            table.wait_until(partial(_more_done, states["done"]), PROGRESS_SECONDS)
        time.sleep(chance.uniform(0, 2 * seconds))
        number = chance.randrange(len(running))
        readers = _readers_of(running[number])
        kind = "reader" if readers and chance.random() < READERS else "worker"
        victims = readers if kind == "reader" else [running[number].pid]
        with suppress(ProcessLookupError):
            os.kill(chance.choice(victims), signal.SIGKILL)
            killed[kind] += 1
        if kind == "worker":
            running[number].wait()
            running[number] = table.start(workers, seconds)
    table.wait_until_read(600 + LEASE_SECONDS)
    children = [pid for process in running for pid in _readers_of(process)]
    table.stop()
    return _found(table, children)


def _more_done(count: int, states: Counter[str]) -> bool:
    return states["done"] > count


def _readers_of(process: subprocess.Popen[bytes]) -> list[int]:
    try:
        children = psutil.Process(process.pid).children()
        return [each.pid for each in children if "spawn_main" in " ".join(each.cmdline())]
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return []


def _found(table: Table, children: list[int]) -> Found:
    states = table.states()
    with table.database.snapshot() as session:
        charged = session.scalar(select(func.count()).where(Shot.attempts > 0))
        readings = session.scalar(select(func.count()).where(Shot.reading.is_not(None)))
        twice = session.scalar(select(func.count()).where(Revision.number > 0))
        held = session.scalar(select(func.count()).where(Lease.holder.is_not(None)))
    parts = [file for file in table.config.data.rglob(".part-*")]
    kept: list[tuple[str, object, object]] = [
        ("read", states["done"], states.total()),
        ("with a reading", readings, states.total()),
        ("failed", states["failed"], 0),
        ("charged with a death", charged, 0),
        ("taken twice", twice, 0),
    ]
    left: list[tuple[str, object, object]] = [
        ("leases held", held, 0),
        ("processes left over", sum(map(psutil.pid_exists, children)), 0),
        ("files left over", len(parts), 0),
    ]
    return Found(kept, left)


def time_workers(table: Table, asked: argparse.Namespace) -> int:
    """Time the reading of equal sets of photos with each number of processes."""
    seconds: dict[int, float] = {}
    for workers in asked.workers:
        table.start(workers, asked.seconds)
        # All of them have started once as many photos are read at the same time.
        while (states := table.states())["running"] < workers:
            table.send(max(0, workers - states["waiting"]))
            time.sleep(0.05)
        table.wait_until_read(600)
        begun = time.monotonic()
        table.send(asked.photos)
        table.wait_until_read(600 + 2 * asked.photos * asked.seconds)
        seconds[workers] = time.monotonic() - begun
        table.stop()
        print(f"{workers} read {asked.photos} photos of {asked.seconds} s in {seconds[workers]:.1f} s")
    one = seconds[asked.workers[0]]
    found = []
    for workers, took in list(seconds.items())[1:]:
        print(f"{workers} read {one / took:.2f} times as fast as {asked.workers[0]}")
        if workers in LEAST_SPEEDUP and asked.workers[0] == 1:
            found.append((f"{workers} fast enough", one / took >= LEAST_SPEEDUP[workers], True))
    return _report([("all read", table.states().keys() <= {"done"}, True), *found])


def _report(found: Sequence[tuple[str, object, object]]) -> int:
    for name, measured, wanted in found:
        print(f"{name:24}{measured!s:12}{'' if measured == wanted else f'FAILED: {wanted}'}".rstrip())
    return 0 if all(measured == wanted for _, measured, wanted in found) else 1


if __name__ == "__main__":
    sys.exit(main())
