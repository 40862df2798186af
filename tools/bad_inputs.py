"""What a server makes of bad inputs: bodies, uploads, logs, pictures, headers to every route, and catalogues.

    python -m tools.bad_inputs --count 20000 --addresses 50

starts `waymark serve` on a data folder at which something has been played and sends it what tests/malformed
makes of the app's own routes, sound requests with bytes changed at random, and what once kept a server busy
for minutes; first one after the other, then from many addresses at once, while another looks at a page.
Beside it catalogues with values changed are loaded. Prints what came of it beside what must hold; exit status
1 where something does not.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import socket
import statistics
import sys
import tempfile
import threading
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.client import HTTPResponse
from itertools import islice
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import psutil
import requests

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from malformed.faults import faults_of
from malformed.sound import Malformed, Route, Table, file_part, multipart_request, routes_of, table_of
from picture_files import ENDLESS, KINDS
from played import play_a_little
from server_process import ServerProcess

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import load_catalogue
from scorer.errors import WaymarkError
from tools.load_test import MAX_SERVER_MB, Memory, at_most, printed, watch_memory
from webapp.app import create_app
from webapp.config import ServerConfig

TIMEOUT_SECONDS = 60
#: What must hold.
MAX_SECONDS = 2.0
MAX_PAGE_SECONDS = 0.5
#: The server's own limit is 1200 a minute of one address.
PAUSE_SECONDS = 0.05


@dataclass
class Seen(Memory):
    """Results of the run: counts of answers by kind and status, seconds by route, and failures."""

    answers: Counter[tuple[str, int]] = field(default_factory=Counter)
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    wrong: list[str] = field(default_factory=list)
    page_seconds: list[float] = field(default_factory=list)


# --- inputs -------------------------------------------------------------------------------------------------


def bad_inputs(routes: list[Route], table: Table, rng: random.Random) -> Iterator[Malformed]:
    """Endless stream of malformed requests: faults of every kind for every route in turn."""
    while True:
        for route in rng.sample(routes, len(routes)):
            yield from rng.sample(list(faults_of(route, table, rng)), 3)
            yield from changed(route, table, rng)
            if route.sound.body:
                yield from changed(route, table, rng)
        yield from heavy(routes, table, rng)


def changed(route: Route, table: Table, rng: random.Random) -> Iterator[Malformed]:
    """Variants of a valid request with random bytes, JSON values, picture data or headers changed."""
    sound = route.sound
    if sound.body:
        yield Malformed("bytes", route.name, replace(sound, body=spoilt(sound.body, rng)).raw())
    if sound.headers.get("Content-Type") == b"application/json":
        told = json.loads(sound.body or b"null")
        body = json.dumps(odd_value(told, rng)).encode()
        yield Malformed("values", route.name, replace(sound, body=body).raw())
    if (sound.headers.get("Content-Type") or b"").startswith(b"multipart"):
        name = rng.choice(sorted(KINDS))
        part = file_part(spoilt(KINDS[name], rng))
        yield Malformed("picture", route.name, multipart_request(sound, table, [part]).raw())
    line = bytes(rng.randrange(33, 127) for _ in range(rng.randrange(1, 60)))
    header = rng.choice(
        [b"Accept-Language", b"Cookie", b"Range", b"If-None-Match", b"Accept", b"X-Forwarded-For"]
    )
    raw = sound.raw().replace(b"\r\n", b"\r\n" + header + b": " + line * rng.choice([1, 1, 400]) + b"\r\n", 1)
    yield Malformed("odd header", route.name, raw)


def spoilt(data: bytes, rng: random.Random) -> bytes:
    """A copy of `data` with random bytes changed, mostly near the beginning with its headers; sometimes
    truncated or extended."""
    made = bytearray(data)
    for _ in range(rng.choice([1, 2, 5, 30])):
        reach = rng.choice([64, 400, len(made)])
        made[rng.randrange(min(reach, len(made)))] = rng.choice([0, 255, rng.randrange(256)])
    if rng.random() < 0.2:
        del made[rng.randrange(len(made)) :]
    if rng.random() < 0.1:
        at = rng.randrange(len(made) + 1)
        made[at:at] = made[: rng.randrange(5000)]
    return bytes(made)


ODD: list[Any] = [
    None,
    True,
    -1,
    0,
    10**30,
    -(10**30),
    1e308,
    0.1,
    "",
    "x" * 70_000,
    "\ud800",
    "\u202e😀\n",
    [],
    {},
    [[]],
]
ODD += [
    [1] * 5000,
    {"a": {"a": {"a": 1}}},
    "9999-12-31T23:59:59Z",
    "0000-00-00",
    "NaN",
    "../..",
    "<b>",
    "'\"",
]


def odd_value(value: Any, rng: random.Random) -> Any:
    """A copy of a JSON value with one nested value replaced by an odd one, or with fields removed or
    added."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        made = dict(value)
        name = rng.choice(list(made))
        if rng.random() < 0.1:
            del made[name]
        elif rng.random() < 0.1:
            made[rng.choice(["", "id", "名", name + "x", "x" * 5000])] = rng.choice(ODD)
        else:
            made[name] = odd_value(made[name], rng)
        return made
    if isinstance(value, list) and value and rng.random() < 0.7:
        at = rng.randrange(len(value))
        return [odd_value(each, rng) if number == at else each for number, each in enumerate(value)]
    return rng.choice(ODD)


def heavy(routes: list[Route], table: Table, rng: random.Random) -> Iterator[Malformed]:
    """Requests that once took minutes: large bodies, and pictures with endless headers."""
    route = rng.choice(
        [each for each in routes if each.sound.headers.get("Content-Type") == b"application/json"]
    )
    field_names = sorted(json.loads(route.sound.body or b"{}")) or ["a"]
    keys = b",".join(b'"%x":1' % number for number in range(150_000))
    body = b'{"%s":{%s}}' % (rng.choice(field_names).encode(), keys)
    yield Malformed("many keys", route.name, replace(route.sound, body=body).raw())
    body = b'{"a":' + b"[" * 900_000
    yield Malformed("deep", route.name, replace(route.sound, body=body).raw())
    photos = next(each for each in routes if each.name == "POST /api/v1/photos")
    data = ENDLESS[rng.choice(sorted(ENDLESS))]
    yield Malformed("endless", photos.name, multipart_request(photos.sound, table, [file_part(data)]).raw())
    form = next(each for each in routes if each.name == "POST /language")
    yield Malformed("many fields", form.name, replace(form.sound, body=b"a&" * 900_000).raw())


# --- sending ------------------------------------------------------------------------------------------------


def send(port: int, address: str, bad: Malformed, seen: Seen) -> None:
    """Send one request and record its status and duration."""
    start = time.monotonic()
    status = 0
    try:
        with socket.create_connection(("127.0.0.1", port), TIMEOUT_SECONDS, (address, 0)) as connection:
            # It was refused before it was whole; the answer may be there all the same.
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(bad.raw)
            answer = HTTPResponse(connection)
            answer.begin()
            answer.read()
            status = answer.status
    except Exception as error:
        seen.wrong.append(f"no answer: {bad.route} {bad.kind}: {error!r} {bad.raw[:200]!r}")
    seen.seconds[f"{bad.route} {bad.kind}"].append(time.monotonic() - start)
    seen.answers[bad.kind.split(":")[0], status] += 1
    if status >= 500 and status not in (503, 507):
        seen.wrong.append(f"{status}: {bad.route} {bad.kind} {bad.raw[:300]!r}")


def look(port: int, begun: Event, until: Event, told: Queue[tuple[list[float], list[str]]]) -> None:
    """Load the start page again and again from a separate process, which does not wait for the sending
    threads."""
    page = Malformed("page", "GET /", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    seconds: list[float] = []
    wrong: list[str] = []
    begun.set()
    while not until.wait(0.25):
        mine = Seen()
        send(port, "127.0.6.1", page, mine)
        seconds += mine.seconds["GET / page"]
        if mine.answers["page", 200] != 1:
            wrong.append(f"the page was answered {mine.answers}")
    told.put((seconds, wrong))


def from_addresses(port: int, inputs: list[Malformed], addresses: int, seen: Seen) -> None:
    """Send all requests, distributed over this number of client addresses at once."""

    def sender(number: int) -> None:
        for bad in inputs[number::addresses]:
            send(port, f"127.0.5.{number + 1}", bad, seen)
            time.sleep(PAUSE_SECONDS)

    threads = [threading.Thread(target=sender, args=(number,)) for number in range(addresses)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def catalogues(count: int, rng: random.Random, seen: Seen) -> None:
    """Load catalogues with random values and bytes changed; each one has to load or fail with a
    `WaymarkError`."""
    whole = json.loads((bundled_catalogue() / "catalogue.json").read_bytes())
    whole["cards"] = whole["cards"][:3]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "catalogue.json"
        for _ in range(count):
            made = whole
            for _ in range(rng.choice([1, 3])):
                made = odd_value(made, rng)
            data = json.dumps(made).encode()
            file.write_bytes(spoilt(data, rng) if rng.random() < 0.3 else data)
            start, status = time.monotonic(), 200
            try:
                for card in (loaded := load_catalogue(Path(folder))).cards:
                    loaded.art_path(card)
            except WaymarkError:
                status = 400
            except Exception as error:
                status = 500
                seen.wrong.append(f"catalogue: {error!r} {data[:300]!r}")
            seen.seconds["catalogue"].append(time.monotonic() - start)
            seen.answers["catalogue", status] += 1


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--addresses", type=int, default=50)
    parser.add_argument("--seed", type=int, default=11)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    rng = random.Random(arguments.seed)
    alone, together = Seen(), Seen()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        os.environ.setdefault("WAYMARK_TEST_READINGS", folder)
        app = create_app(ServerConfig(data=data, scan_workers=0, requests_per_minute=10**6))
        play_a_little(app)
        table = table_of(app)
        routes = routes_of(app, table)
        server = ServerProcess(data, "--workers", "1")
        server.wait_until_it_answers()
        while not requests.get(f"{server.url}/api/v1/reader", timeout=TIMEOUT_SECONDS).json()["ready"]:
            time.sleep(0.2)
        stop = threading.Event()
        watching = threading.Thread(
            target=watch_memory, args=(psutil.Process(server.process.pid), stop, together)
        )
        processes = multiprocessing.get_context("spawn")
        begun, stop_looking, told = processes.Event(), processes.Event(), processes.Queue()
        looking = processes.Process(target=look, args=(server.port, begun, stop_looking, told))
        inputs = bad_inputs(routes, table, rng)
        catalogues(arguments.count // 20, rng, alone)
        # One after the other, from a few addresses for the sake of the server's limits.
        for number, bad in enumerate(islice(inputs, arguments.count // 4)):
            send(server.port, f"127.0.4.{number % 20 + 1}", bad, alone)
        watching.start()
        looking.start()
        begun.wait(TIMEOUT_SECONDS)
        from_addresses(
            server.port, list(islice(inputs, arguments.count * 7 // 10)), arguments.addresses, together
        )
        stop.set()
        stop_looking.set()
        watching.join()
        together.page_seconds, wrong = told.get(timeout=2 * TIMEOUT_SECONDS)
        together.wrong += wrong
        looking.join()
        ended = server.stop()
        tracebacks = server.log.read_text(errors="replace").count("Traceback")
    return report(alone, together, tracebacks, ended)


def report(alone: Seen, together: Seen, tracebacks: int, ended: int) -> int:
    """Print the measurements beside their limits; returns the exit status."""
    both = alone.answers + together.answers
    for kind in sorted({kind for kind, _ in both}):
        statuses = sorted((status, count) for (each, status), count in both.items() if each == kind)
        print(f"{kind:24}" + "  ".join(f"{status}: {count}" for status, count in statuses))
    slow = sorted(((max(times), name) for name, times in alone.seconds.items()), reverse=True)
    for seconds, name in slow[:8]:
        print(f"{seconds:6.2f} s  {name}")
    wrong = alone.wrong + together.wrong
    for each in wrong[:30]:
        print(each)
    pages = together.page_seconds
    rows = [
        ("inputs", str(both.total()), "", True),
        ("500, no answer", str(len(wrong)), "0", not wrong),
        ("tracebacks", str(tracebacks), "0", not tracebacks),
        ("slowest, alone", f"{slow[0][0]:.2f} s", f"< {MAX_SECONDS} s", slow[0][0] < MAX_SECONDS),
        ("page, median", f"{statistics.median(pages):.3f} s of {len(pages)}", "", True),
        ("page, 95 of 100", f"{at_share(pages, 0.95):.3f} s", "", True),
        ("page, 99 of 100", f"{at_share(pages, 0.99):.3f} s", "", True),
        ("page, worst", f"{max(pages):.3f} s", f"< {MAX_PAGE_SECONDS} s", max(pages) < MAX_PAGE_SECONDS),
        at_most("memory, server", max(together.server_mb), MAX_SERVER_MB, "MB"),
        ("memory, with workers", f"{max(together.all_mb):.0f} MB", "", True),
        ("ended with", str(ended), "0", ended == 0),
    ]
    return 0 if printed(rows) else 1


def at_share(seconds: list[float], share: float) -> float:
    """Quantile of a list of durations: the value that the share `share` of them does not exceed."""
    return sorted(seconds)[min(len(seconds) - 1, int(share * len(seconds)))]


if __name__ == "__main__":
    sys.exit(main())
