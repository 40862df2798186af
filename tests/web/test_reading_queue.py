"""A photo is always read: whoever dies, hangs or holds the database, it is read once more, and in turn."""

from __future__ import annotations

import io
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import psutil
import pytest
import stand_in_reader
from click.testing import CliRunner
from flask import Flask
from live_server import readers_kept
from patience import PATIENCE_SECONDS
from played import small_photo
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from webapp.app import create_app
from webapp.cli import worker
from webapp.config import ServerConfig
from webapp.http.services import KEY, Services
from webapp.scans import queue as scan_queue
from webapp.scans.leases import LEASE_SECONDS, MAX_ATTEMPTS, MAX_INTERRUPTIONS, Leases, this_process
from webapp.scans.scan_processes import Reader
from webapp.store.models import Lease, Shot, Tableau, now
from webapp.store.photos import StoredPhoto, store_original
from webapp.store.tableaus import add_shot

ROOT = Path(__file__).parents[2]
ELSEWHERE = "another machine/1/2"
#: How long who asks in passing waits, at most. Other tests' servers have their readers wait longer.
IN_PASSING_SECONDS = scan_queue._TURN_SECONDS + scan_queue._GLANCE_SECONDS


# --- leases -------------------------------------------------------------------------------------------------


@pytest.fixture
def services(app: Flask) -> Services:
    at_hand: Services = app.extensions[KEY]
    return at_hand


@pytest.fixture
def mine(services: Services) -> Leases:
    return Leases(services.database, this_process())


def photos_of(services: Services, tableau_id: str | None, count: int) -> list[str]:
    """Photos that wait, of one player or of nobody known."""
    ids = []
    for _ in range(count):
        with services.database.transaction() as session:
            tableau = session.get_one(Tableau, tableau_id) if tableau_id else Tableau()
            session.add(tableau)
            session.flush()
            number = session.query(Shot).count()
            stored = StoredPhoto(f"{number:064x}", "image/jpeg", 900, 600, 1)
            shot = add_shot(session, tableau, stored)
            session.flush()
            ids.append(shot.id)
    return ids


def game_of(app: Flask, *names: str) -> list[str]:
    """The first round's tableaus of a new game, by player."""
    client = app.test_client()
    colours = ("red", "blue", "green")
    players = [{"name": name, "colour": colour} for name, colour in zip(names, colours, strict=False)]
    game: Any = client.post("/api/v1/games", json={"players": players}).json
    round_: Any = client.get(f"/api/v1/games/{game['id']}").json
    entries = round_["rounds"][0]["entries"]
    made = []
    for entry in entries:
        photo = {"photo": (io.BytesIO(small_photo(entry["id"])), "p.jpg"), "entry_id": entry["id"]}
        sent: Any = client.post("/api/v1/photos", data=photo).json
        made.append(sent["tableau_id"])
    return made


def state(services: Services, shot_id: str) -> tuple[str, int]:
    with services.database.snapshot() as session:
        shot = session.get_one(Shot, shot_id)
        return shot.state, shot.attempts


def held_by(services: Services, shot_id: str, holder: str, *, seconds: float) -> None:
    with services.database.transaction() as session:
        lease = session.get_one(Lease, shot_id)
        lease.holder, lease.until = holder, now() + timedelta(seconds=seconds)


def test_a_photo_is_claimed_once(services: Services, mine: Leases) -> None:
    first, second = photos_of(services, None, 2)
    claimed = [mine.claim(), Leases(services.database, ELSEWHERE).claim(), mine.claim()]
    assert [each and each.id for each in claimed] == [first, second, None]


def test_who_sends_many_photos_holds_up_nobody_else(app: Flask, services: Services, mine: Leases) -> None:
    (aya, ben), (chie, dan) = game_of(app, "Aya", "Ben"), game_of(app, "Chie", "Dan")
    photos_of(services, aya, 20)
    photos_of(services, ben, 1)
    photos_of(services, None, 5)
    with services.database.snapshot() as session:
        whose = {shot.id: shot.tableau_id for shot in session.scalars(select(Shot))}
    turns = []
    for _ in range(6):
        claimed = mine.claim()
        assert claimed is not None
        turns.append(whose[claimed.id])
        mine.finish(claimed.id, lambda session, shot: setattr(shot, "state", "done"))
    games = [{aya: "first", ben: "first", chie: "second", dan: "second"}.get(each, "none") for each in turns]
    # Games, and what is in none, take turns; in a game its players do.
    assert games == ["first", "second", "none"] * 2
    assert set(turns[:5]) > {aya, ben, chie, dan}


def test_ink_to_be_read_again_comes_first(services: Services, mine: Leases) -> None:
    photos_of(services, None, 3)
    (corrected,) = photos_of(services, None, 1)
    with services.database.transaction() as session:
        session.get_one(Shot, corrected).reread_of = "first"
    claimed = mine.claim()
    assert claimed is not None and claimed.id == corrected


@pytest.mark.parametrize(
    ("holder", "seconds", "expected"),
    [
        (ELSEWHERE, 30, "running"),
        (ELSEWHERE, -1, "waiting"),
        # Given before the clock was put back by an hour.
        (ELSEWHERE, 3600, "waiting"),
        (None, 30, "running"),
        (f"{this_process().split('/')[0]}/{2**22 + 1}/1", 30, "waiting"),
        (this_process().rsplit("/", 1)[0] + "/1", 30, "waiting"),
    ],
    ids=["read elsewhere", "lapsed", "clock", "read here", "process gone", "another process of that number"],
)
def test_what_nobody_reads_any_more_waits_again(
    services: Services, mine: Leases, holder: str | None, seconds: float, expected: str
) -> None:
    (shot_id,) = photos_of(services, None, 1)
    mine.claim()
    held_by(services, shot_id, holder or mine.holder, seconds=seconds)
    mine.sweep()
    # Nobody knows that the photo was to blame.
    assert state(services, shot_id) == (expected, 0)


def test_a_photo_that_an_earlier_version_was_reading_waits_again(services: Services, mine: Leases) -> None:
    (shot_id,) = photos_of(services, None, 1)
    with services.database.transaction() as session:
        session.get_one(Shot, shot_id).state = "running"
    mine.sweep()
    assert state(services, shot_id) == ("waiting", 0)


def test_a_lease_that_is_prolonged_does_not_pass(services: Services, mine: Leases) -> None:
    (shot_id,) = photos_of(services, None, 1)
    mine.claim()
    held_by(services, shot_id, mine.holder, seconds=-1)
    mine.renew([shot_id])
    mine.sweep()
    with services.database.snapshot() as session:
        until = session.get_one(Lease, shot_id).until
    assert until is not None and until > now() + timedelta(seconds=LEASE_SECONDS / 2)
    assert state(services, shot_id)[0] == "running"


def test_a_reading_counts_whoever_brings_it_and_once(services: Services, mine: Leases) -> None:
    (shot_id,) = photos_of(services, None, 1)
    other = Leases(services.database, ELSEWHERE)
    mine.claim()
    held_by(services, shot_id, ELSEWHERE, seconds=30)
    taken: list[str] = []

    def take(session: Any, shot: Shot) -> None:
        shot.state = "done"
        taken.append(shot.id)

    # It failed here, but is read elsewhere: what comes of that counts.
    mine.finish(shot_id, take, if_held=True)
    assert not taken
    mine.finish(shot_id, take)
    other.finish(shot_id, take)
    assert taken == [shot_id] and state(services, shot_id)[0] == "done"


def test_a_photo_fails_that_ends_its_reader_again(services: Services, mine: Leases) -> None:
    (shot_id,) = photos_of(services, None, 1)
    for attempt in range(1, MAX_ATTEMPTS + 1):
        mine.claim()
        mine.give_back(shot_id, charged=True)
        assert state(services, shot_id) == ("waiting" if attempt < MAX_ATTEMPTS else "failed", attempt)


def test_what_is_cut_short_without_fault_is_read_many_times(services: Services, mine: Leases) -> None:
    (shot_id,) = photos_of(services, None, 1)
    for _ in range(MAX_INTERRUPTIONS - 1):
        assert mine.claim() is not None
        mine.give_back(shot_id, charged=False)
    assert state(services, shot_id) == ("waiting", 0)


def test_leases_are_removed_when_they_tell_nothing_more(services: Services, mine: Leases) -> None:
    ids = photos_of(services, None, 2)
    mine.claim()
    mine.finish(ids[0], lambda session, shot: setattr(shot, "state", "done"))
    mine.claim()
    with services.database.transaction() as session:
        for lease in session.scalars(select(Lease)):
            lease.claimed_at -= timedelta(hours=1)
    mine.sweep()
    with services.database.snapshot() as session:
        assert session.scalars(select(Lease.id)).all() == [ids[1]]


# --- processes ----------------------------------------------------------------------------------------------


@pytest.fixture
def make_queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Services]]:
    """Start apps on one data folder whose photos are read by the stand-in, in so many processes."""
    for name in ("read_shot", "warm_up"):
        monkeypatch.setattr(scan_queue, name, getattr(scan_queue, name))
    monkeypatch.setenv(stand_in_reader.READING, "")
    monkeypatch.setenv(stand_in_reader.SECONDS, "")
    stand_in_reader.stand_in(tmp_path, seconds=0)
    started: list[Services] = []

    def make(workers: int = 1, **more: Any) -> Services:
        config = replace(ServerConfig(data=tmp_path / "data", scan_workers=workers), **more)
        app = create_app(config)
        started.append(app.extensions[KEY])
        started[-1].queue.start()
        return started[-1]

    yield make
    for each in started:
        each.queue.stop()
        each.database.engine.dispose()


def send(services: Services, word: bytes = b"") -> str:
    """Send a photo with a word in it; the id of its shot."""
    stored = store_original(services.photos, small_photo(str(time.monotonic_ns())) + word)
    with services.database.transaction() as session:
        session.add(tableau := Tableau())
        session.flush()
        shot = add_shot(session, tableau, stored)
        session.flush()
        shot_id = shot.id
    services.queue.wake()
    return shot_id


def wait_for(services: Services, shot_id: str, *states: str) -> tuple[str, int]:
    end = time.monotonic() + PATIENCE_SECONDS
    while (now_ := state(services, shot_id))[0] not in states:
        assert time.monotonic() < end, now_
        time.sleep(0.02)
    return now_


def reading_process(services: Services) -> psutil.Process:
    """The one process of this queue: a server that other tests share has its own beside it."""
    (reader,) = services.queue._readers._all
    assert reader._process is not None
    return psutil.Process(reader._process.pid)


def test_a_reader_that_dies_idle_is_replaced(make_queue: Callable[..., Services]) -> None:
    services = make_queue()
    assert wait_for(services, send(services), "done", "failed") == ("done", 0)
    reader = reading_process(services)
    reader.kill()
    # Not `wait`: the queue is told by its own.
    while reader.is_running() and reader.status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.02)
    assert wait_for(services, send(services), "done", "failed") == ("done", 0)


def test_who_asks_in_passing_is_told_that_nobody_has_time(
    make_queue: Callable[..., Services], monkeypatch: pytest.MonkeyPatch
) -> None:
    services = make_queue()
    wait_for(services, send(services), "done")
    assert IN_PASSING_SECONDS < 2
    monkeypatch.setattr(scan_queue, "_TURN_SECONDS", 0.01)
    with readers_kept(services):
        assert services.queue.glance(small_photo("a")) is None
        assert services.queue.rank_cards("0" * 64, [(0.0, 0.0)] * 4) is None


def test_a_death_is_charged_to_the_photo_that_caused_it_alone(make_queue: Callable[..., Services]) -> None:
    services = make_queue(2)
    good = [send(services)]
    bad = send(services, stand_in_reader.ABORTS)
    good += [send(services) for _ in range(3)]
    assert wait_for(services, bad, "done", "failed") == ("failed", MAX_ATTEMPTS)
    for shot_id in good:
        assert wait_for(services, shot_id, "done", "failed") == ("done", 0)


def test_a_reader_that_somebody_kills_is_not_the_photos_fault(make_queue: Callable[..., Services]) -> None:
    services = make_queue()
    shot_id = send(services, stand_in_reader.KILLED_ONCE)
    assert wait_for(services, shot_id, "done", "failed") == ("done", 0)


@pytest.mark.long
def test_a_photo_on_which_the_reader_hangs_fails_and_others_are_read(
    make_queue: Callable[..., Services], monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = Reader.ask

    def ask_soon(reader: Reader, function: Any, photo: Path, *more: Any, seconds: float, **told: Any) -> Any:
        # A good one takes as long as the machine is busy.
        assert seconds == scan_queue.PHOTO_SECONDS
        hangs = stand_in_reader.HANGS in photo.read_bytes()
        return ask(reader, function, photo, *more, seconds=1 if hangs else PATIENCE_SECONDS, **told)

    monkeypatch.setattr(Reader, "ask", ask_soon)
    services = make_queue()
    hanging, good = send(services, stand_in_reader.HANGS), send(services)
    assert wait_for(services, hanging, "done", "failed") == ("failed", MAX_ATTEMPTS)
    assert wait_for(services, good, "done", "failed") == ("done", 0)


def test_a_reading_waits_until_the_database_is_free(
    make_queue: Callable[..., Services], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("webapp.store.database.BUSY_SECONDS", 0.1)
    services = make_queue()
    shot_id = send(services, stand_in_reader.UNTIL_TOLD)
    wait_for(services, shot_id, "running")
    refused = threading.Event()
    patiently = services.queue._patiently

    def note(work: Callable[[], Any]) -> Any:
        def noting() -> Any:
            try:
                return work()
            except OperationalError:
                refused.set()
                raise

        return patiently(noting)

    monkeypatch.setattr(services.queue, "_patiently", note)
    with closing(sqlite3.connect(services.config.data / "waymark.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        stand_in_reader.tell_to_go_on()
        assert refused.wait(PATIENCE_SECONDS)
        other.execute("ROLLBACK")
    assert wait_for(services, shot_id, "done", "failed") == ("done", 0)


def test_a_photo_that_the_machine_cannot_read_now_is_read_later(
    make_queue: Callable[..., Services], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scan_queue, "_AGAIN_SECONDS", 0.01)
    services, refusals = make_queue(), [OSError("too many open files")]
    original = services.queue._original

    def refuse_once(*arguments: Any) -> Path:
        if refusals:
            raise refusals.pop()
        return original(*arguments)

    monkeypatch.setattr(services.queue, "_original", refuse_once)
    assert wait_for(services, send(services), "done", "failed") == ("done", 0)
    assert not refusals


def test_a_reading_that_cannot_be_kept_is_told_as_failed(
    make_queue: Callable[..., Services], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: Any) -> None:
        raise KeyError("a mistake of ours")

    monkeypatch.setattr(scan_queue, "take_reading", stumble)
    services = make_queue()
    assert wait_for(services, send(services), "done", "failed")[0] == "failed"


def test_what_a_stopped_server_was_reading_is_read_by_the_next(make_queue: Callable[..., Services]) -> None:
    first = make_queue()
    shot_id = send(first, stand_in_reader.UNTIL_TOLD)
    wait_for(first, shot_id, "running")
    first.queue.stop()
    assert state(first, shot_id) == ("waiting", 0)
    stand_in_reader.tell_to_go_on()
    assert wait_for(make_queue(), shot_id, "done", "failed") == ("done", 0)


def test_two_processes_share_the_photos(make_queue: Callable[..., Services]) -> None:
    one, other = make_queue(), make_queue()
    ids = [send(one) for _ in range(6)]
    for shot_id in ids:
        assert wait_for(other, shot_id, "done", "failed") == ("done", 0)


def test_a_process_finds_photos_that_another_one_queued(make_queue: Callable[..., Services]) -> None:
    server, worker_process = make_queue(0), make_queue()
    assert wait_for(worker_process, send(server), "done", "failed") == ("done", 0)


@pytest.mark.long
def test_as_many_photos_are_read_at_once_as_there_are_reading_processes(
    make_queue: Callable[..., Services],
) -> None:
    services = make_queue(4)
    ids = [send(services, stand_in_reader.UNTIL_TOLD) for _ in range(5)]
    for shot_id in ids[:4]:
        wait_for(services, shot_id, "running")
    assert services.queue.load() == (4, 4) and state(services, ids[4])[0] == "waiting"
    stand_in_reader.tell_to_go_on()
    for shot_id in ids:
        assert wait_for(services, shot_id, "done", "failed") == ("done", 0)


@pytest.mark.long
def test_processes_share_the_photos_of_postgresql_and_hear_of_them_at_once(
    make_queue: Callable[..., Services], postgresql_url: str
) -> None:
    one, other = (make_queue(2, database_url=postgresql_url) for _ in range(2))
    ids = [send(one) for _ in range(6)]
    bad = send(other, stand_in_reader.ABORTS)
    for shot_id in ids:
        assert wait_for(other, shot_id, "done", "failed") == ("done", 0)
    assert wait_for(one, bad, "done", "failed") == ("failed", MAX_ATTEMPTS)
    for each in (one, other):
        each.queue.stop()
    last, elsewhere = send(one), Leases(one.database, ELSEWHERE)
    assert elsewhere.claim() is not None
    elsewhere.renew([last])
    elsewhere.sweep()
    assert state(one, last)[0] == "running"
    held_by(one, last, ELSEWHERE, seconds=-1)
    elsewhere.sweep()
    assert state(one, last)[0] == "waiting"


def test_what_an_earlier_version_kept_beside_the_database_is_removed(
    make_queue: Callable[..., Services],
) -> None:
    first = make_queue()
    first.queue.stop()
    shot_id = send(first)
    left = [first.config.data / f"waymark.queue.sqlite3{end}" for end in ("", "-wal", "-shm")]
    for file in left:
        file.write_bytes(os.urandom(8192))
    assert wait_for(make_queue(), shot_id, "done", "failed") == ("done", 0)
    assert not [file for file in left if file.exists()]


def test_a_thread_that_fails_to_claim_goes_on(
    make_queue: Callable[..., Services], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scan_queue, "_AGAIN_SECONDS", 0.01)
    services, mistakes = make_queue(), [KeyError("a mistake of ours")]
    claim = services.queue._leases.claim

    def stumble_once(_: Leases) -> Any:
        if mistakes:
            raise mistakes.pop()
        return claim()

    monkeypatch.setattr(Leases, "claim", stumble_once)
    assert wait_for(services, send(services), "done", "failed") == ("done", 0)
    assert not mistakes


def test_a_reader_ends_with_the_process_that_asks_it(make_queue: Callable[..., Services]) -> None:
    services = make_queue()
    wait_for(services, send(services), "done")
    reader = reading_process(services)
    services.queue.stop()
    end = time.monotonic() + PATIENCE_SECONDS
    while reader.is_running() and reader.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.long
def test_workers_that_are_killed_lose_nothing() -> None:
    """`python -m tools.queue_test kills` kills 200 times."""
    command = [sys.executable, "-m", "tools.queue_test", "kills", "--kills", "8"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=3 * PATIENCE_SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("options", "status"), [(["--database", "sqlite:///x"], 2), (["--photos", "nowhere/photos"], 3)]
)
def test_a_worker_is_told_where_the_photos_are(tmp_path: Path, options: list[str], status: int) -> None:
    """It would tell each of them as lost."""
    more = ["--data", str(tmp_path)] if "--photos" in options else []
    told = CliRunner().invoke(worker, [*options, *more, "--lang", "en"])
    assert told.exit_code == status and "--photos" in told.stderr
