"""What is killed (SIGKILL) at any moment, and what must be there afterwards: servers at which people write,
servers that take in a log or bring a database to the newest schema, and the commands for the data folder.

`tests/web/test_crash.py` kills each a few times, `tools/kill_test.py` two hundred times in all."""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

import psutil
import requests
from cli_runs import run_here
from flask.testing import FlaskClient
from patience import PATIENCE_SECONDS
from played import play_a_little, small_photo
from ready_made import take_back
from server_process import ServerProcess, free_port
from sqlalchemy import create_engine, inspect, select

from tools.grow_data import a_picture, grow, photo_bytes
from vision.photo.decode import load_photo
from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.http.services import KEY
from webapp.store.database import MIGRATIONS, Database, open_database
from webapp.store.models import Entry, Errand, Game, Lease, Person, Photo, Purchase, Revision, Shot, Tableau

#: Photos are read by one process in the end, a second each.
READ_SECONDS = 1800
#: A device sends one after so long.
_PHOTO_SECONDS = 0.5
#: A grown folder: rows and files that a command takes some time over.
_GAMES, _PHOTOS = 12, 240
#: Where all of them are looked at after each kill, several times.
_FEW_PHOTOS = 72
#: The schema from which a database is brought to the newest.
_OLD_SCHEMA = "0003"
#: What is kept of rows: these stand for all.
_ROWS = (Person, Game, Entry, Purchase, Photo, Tableau, Shot, Revision)


@dataclass
class Outcome:
    """What came of so many kills: what had been acknowledged, by kind; what of that was lost; what was left
    over that serves nobody."""

    kills: int = 0
    acknowledged: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    def check(self, holds: bool, what: str) -> None:
        """Note something as lost unless it is there."""
        if not holds:
            self.lost.append(what)


@dataclass(frozen=True)
class Killing:
    """How often, when, in which folder, and with which database (None: the folder's own)."""

    folder: Path
    kills: int
    chance: random.Random
    new_database: Callable[..., str | None] = lambda like=None: None

    def wait(self, seconds: float) -> None:
        """Wait some part of this time."""
        time.sleep(self.chance.uniform(0, seconds))


# --- a server at which people write -------------------------------------------------------------------------


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
    they were taken back), the version of a tableau with its record, taps on a line, and games that were
    imported. `under_way` is what was asked last of each kind: it may have been kept without its answer having
    arrived."""

    photos: dict[str, tuple[str, str]] = field(default_factory=dict)
    score: int | None = None
    purchases: dict[str, bool] = field(default_factory=dict)
    corrected: tuple[int, Any] = (0, None)
    taps: set[str] = field(default_factory=set)
    games: set[str] = field(default_factory=set)
    under_way: dict[str, Any] = field(default_factory=dict)
    writes: Counter[str] = field(default_factory=Counter)

    def count(self, kind: str) -> None:
        self.writes[kind] += 1


def kill_servers(killing: Killing) -> Outcome:
    """Kill a server while photos, scores, purchases, corrections, taps and logs come in from six devices."""
    data, url, outcome = killing.folder / "data", killing.new_database(), Outcome()
    place = _played_table(ServerConfig(data=data, database_url=url, scan_workers=0), killing)
    kept = Acknowledged()
    server = _serve(data, url)
    kept.corrected = (0, get(server.url, f"/tableaus/{place.tableau}")["record"])
    seen: set[str] = set()
    for writer in WRITERS:
        writer(server.url, place, kept)
    for _ in range(killing.kills):
        threads = [
            threading.Thread(target=_write, args=(writer, server.url, place, kept)) for writer in WRITERS
        ]
        for thread in threads:
            thread.start()
        time.sleep(killing.chance.uniform(0.1, 2.5))
        server.kill()
        outcome.kills += 1
        for thread in threads:
            thread.join()
        _check_database(data, url, outcome)
        server = _serve(data, url)
        _check_kept(server.url, data, url, place, kept, kept.photos.keys() - seen, outcome)
        seen |= kept.photos.keys()
    # Once more, all of it: nothing was lost later; and every photo is read.
    _check_kept(server.url, data, url, place, kept, seen, outcome)
    _wait_until_read(data, url, outcome)
    outcome.acknowledged = kept.writes
    _end(server, outcome)
    _look_for_rests(data, url, outcome)
    return outcome


def _serve(data: Path, url: str | None, *options: str) -> ServerProcess:
    named = ["--database", url] if url is not None else []
    server = ServerProcess(data, "--workers", "1", *named, *options)
    server.wait_until_it_answers()
    return server


def _end(server: ServerProcess, outcome: Outcome) -> None:
    readers = psutil.Process(server.process.pid).children(recursive=True)
    server.stop()
    _, alive = psutil.wait_procs(readers, timeout=PATIENCE_SECONDS)
    outcome.left += [f"process {each.pid}" for each in alive]


def _played_table(config: ServerConfig, killing: Killing) -> Place:
    """A table with a photo that was read, and the logs of another table."""
    app = create_app(config)
    play_a_little(app)
    client = app.test_client()
    listed: Any = client.get("/api/v1/games").json
    game: Any = client.get(f"/api/v1/games/{listed[0]['id']}").json
    entries = [entry for round_ in game["rounds"] for entry in round_["entries"]]
    tableau = next(entry["tableau_id"] for entry in entries if entry["tableau_id"])
    scored, buying, *_ = (entry["id"] for entry in entries if not entry["tableau_id"])
    app.extensions[KEY].database.engine.dispose()
    client = create_app(ServerConfig(data=killing.folder / "other")).test_client()
    logs = list(itertools.islice(growing_logs(client), killing.kills * 3))
    return Place(scored, buying, tableau, logs)


def growing_logs(client: FlaskClient) -> Iterator[tuple[str, bytes]]:
    """A table's log after each game that it begins, with the id of that game."""
    while True:
        players = [{"name": "Chie", "colour": "red"}, {"name": "Dan", "colour": "blue"}]
        game: Any = client.post("/api/v1/games", json={"players": players}).json
        yield game["id"], client.get("/api/v1/log").get_data()


Writer = Callable[[str, Place, Acknowledged], None]


def _write(writer: Writer, url: str, place: Place, kept: Acknowledged) -> None:
    """Have one writer write until the server is gone."""
    try:
        while True:
            writer(url, place, kept)
    except requests.RequestException:
        return


def get(url: str, path: str) -> Any:
    answer = requests.get(f"{url}/api/v1{path}", timeout=PATIENCE_SECONDS)
    assert answer.ok, answer.text
    return answer.json()


def ask(method: str, url: str, path: str, **more: Any) -> Any:
    answer = requests.request(method, f"{url}/api/v1{path}", timeout=PATIENCE_SECONDS, **more)
    assert answer.ok, answer.text
    return answer.json() if answer.content else None


def send_photo(url: str, place: Place, kept: Acknowledged) -> None:
    photo = small_photo(str(time.monotonic_ns()))
    sent = ask("POST", url, "/photos", files={"photo": ("p.jpg", photo)})
    kept.photos[sent["shot"]["id"]] = (hashlib.sha256(photo).hexdigest(), sent["tableau_id"])
    kept.count("photo")
    time.sleep(_PHOTO_SECONDS)


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
    _keep_correction(url, place, kept, "correction", answer["version"])
    answer = ask("POST", url, f"{tableau}/undo", json={"version": answer["version"]})
    _keep_correction(url, place, kept, "correction undone", answer["version"])


def _keep_correction(url: str, place: Place, kept: Acknowledged, kind: str, version: int) -> None:
    kept.corrected = (version, None)
    kept.corrected = (version, get(url, f"/tableaus/{place.tableau}")["record"])
    kept.count(kind)


def tap_line(url: str, place: Place, kept: Acknowledged) -> None:
    tapped = requests.post(
        f"{url}/api/v1/tableaus/{place.tableau}/pen", json={"at": [800, 600]}, timeout=PATIENCE_SECONDS
    )
    if tapped.status_code != HTTPStatus.CONFLICT:  # The one before is still being looked at.
        assert tapped.ok, tapped.text
        kept.taps.add(tapped.json()["id"])
        kept.count("tap")
    time.sleep(_PHOTO_SECONDS)


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


WRITERS: list[Writer] = [
    send_photo,
    score_and_take_back,
    buy_and_put_back,
    correct_and_undo,
    tap_line,
    take_log,
]


def _check_database(data: Path, url: str | None, outcome: Outcome) -> None:
    if url is not None:
        return
    with closing(sqlite3.connect(data / "waymark.sqlite3")) as connection:
        found = connection.execute("PRAGMA integrity_check").fetchall()
        outcome.check(found == [("ok",)], f"the database: {found[:3]}")
        dangling = connection.execute("PRAGMA foreign_key_check").fetchall()
        outcome.check(dangling == [], f"rows that point at nothing: {dangling[:3]}")


def _check_kept(
    url: str,
    data: Path,
    database: str | None,
    place: Place,
    kept: Acknowledged,
    shots: Iterable[str],
    outcome: Outcome,
) -> None:
    for shot_id in shots:
        sha256, tableau_id = kept.photos[shot_id]
        file = data / "photos" / sha256[:2] / sha256
        whole = file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == sha256
        outcome.check(whole and max(load_photo(file).pixels.shape) == 900, f"the file of shot {shot_id}")
        tableau = get(url, f"/tableaus/{tableau_id}")
        named = [shot["photo_id"] for shot in tableau["shots"] if shot["id"] == shot_id]
        outcome.check(named == [sha256], f"shot {shot_id}")
    score = get(url, f"/entries/{place.scored}")["primary_vp"]
    outcome.check(score in (kept.score, kept.under_way.get("score")), f"score {kept.score}: {score}")
    kept.score = score
    with _opened(data, database) as opened, opened.snapshot() as session:
        there = {
            row_id: deleted_at is not None
            for row_id, deleted_at in session.execute(select(Purchase.id, Purchase.deleted_at))
        }
        taps = set(session.scalars(select(Errand.id)))
    for bought, put_back in kept.purchases.items():
        same = there.get(bought) == put_back or bought == kept.under_way.get("purchase")
        outcome.check(bought in there and same, f"purchase {bought}")
        kept.purchases[bought] = there.get(bought, put_back)
    for tap in kept.taps - taps:
        outcome.check(False, f"tap {tap}")
    version, record = kept.corrected
    stands = get(url, f"/tableaus/{place.tableau}")
    same = stands["version"] > version or record is None or stands["record"] == record
    outcome.check(stands["version"] >= version and same, f"correction {version}")
    kept.corrected = (stands["version"], stands["record"])
    games = {game["id"] for game in get(url, "/games")}
    for game in kept.games - games:
        outcome.check(False, f"game {game} of a log")
    for game in games:
        outcome.check(len(get(url, f"/games/{game}")["rounds"]) == 6, f"rounds of game {game}")


@contextmanager
def _opened(data: Path, url: str | None) -> Iterator[Database]:
    database = open_database(ServerConfig(data=data, database_url=url).url)
    try:
        yield database
    finally:
        database.engine.dispose()


def _wait_until_read(data: Path, url: str | None, outcome: Outcome) -> None:
    kinds: tuple[type[Shot | Errand], ...] = Shot, Errand
    with _opened(data, url) as database:
        end = time.monotonic() + READ_SECONDS
        unread = ["?"]
        while unread and time.monotonic() < end:
            time.sleep(0.2)
            with database.snapshot() as session:
                unread = []
                for kind in kinds:
                    waiting = select(kind.id).where(kind.state.in_(("waiting", "running")))
                    unread += [f"{kind.__tablename__} {each}" for each in session.scalars(waiting)]
    for each in unread:
        outcome.check(False, f"{each} is not read")


def _look_for_rests(data: Path, url: str | None, outcome: Outcome) -> None:
    """What a server that has ended leaves: nothing that is half written, half received, or held; and no photo
    that no row names, but such as nobody was told that they are kept."""
    outcome.left += [str(file) for file in data.parent.rglob(".part-*")]
    outcome.left += [str(file) for file in (data / "receiving").iterdir()]
    with _opened(data, url) as database, database.snapshot() as session:
        held = session.scalars(select(Lease.id).where(Lease.holder.is_not(None)))
        outcome.left += [f"lease {each}" for each in held]


# --- a log on its way in ------------------------------------------------------------------------------------


def kill_imports(killing: Killing) -> Outcome:
    """Kill a server while it takes in a log with photos, another log each time: what was accepted comes in to
    its end, and what was not leaves nothing behind."""
    data, url, outcome = killing.folder / "data", killing.new_database(), Outcome()
    server = _serve(data, url)
    for number in range(killing.kills):
        games, photos, log = _log_with_photos(killing.folder / f"from {number}", 8)
        sent: list[requests.Response] = []
        sender = threading.Thread(target=_send_log, args=(server.url, log, sent))
        sender.start()
        # Receiving, looking through, storing and writing take about so long.
        killing.wait(1.5)
        server.kill()
        outcome.kills += 1
        sender.join()
        _check_database(data, url, outcome)
        server = _serve(data, url)
        _wait_for_imports(data, outcome)
        there = {game["id"] for game in get(server.url, "/games")} & games
        outcome.check(there in (set(), games), f"{len(there)} of {len(games)} games of a log")
        acknowledged = any(answer.ok for answer in sent)
        outcome.check(there == games or not acknowledged, "a log that was acknowledged")
        # Whoever got no answer sends it again.
        ask("POST", server.url, "/log", data=log)
        there = {game["id"] for game in get(server.url, "/games")} & games
        outcome.check(there == games, f"games of a log that was sent again: {len(there)}")
        for sha256 in photos:
            file = data / "photos" / sha256[:2] / sha256
            whole = file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == sha256
            outcome.check(whole, f"photo {sha256} of a log")
        outcome.acknowledged["import"] += 1
        outcome.acknowledged["photo"] += len(photos)
        shutil.rmtree(killing.folder / f"from {number}")
    _end(server, outcome)
    _look_for_rests(data, url, outcome)
    return outcome


def _send_log(url: str, log: bytes, sent: list[requests.Response]) -> None:
    with suppress(requests.RequestException):
        sent.append(requests.post(f"{url}/api/v1/log", data=log, timeout=PATIENCE_SECONDS))


def _wait_for_imports(data: Path, outcome: Outcome) -> None:
    """Wait until a server that has just started has finished, or removed, what the last one was taking in."""
    end = time.monotonic() + PATIENCE_SECONDS
    while left := list((data / "receiving").glob("log-*")):
        if time.monotonic() > end:
            outcome.left += map(str, left)
            return
        time.sleep(0.05)


_NUMBERS = itertools.count(1)


@cache
def _small_picture() -> bytes:
    return a_picture(320)


def _log_with_photos(folder: Path, count: int) -> tuple[set[str], list[str], bytes]:
    """The games, the photos and the bytes of a log of a table of its own."""
    app = create_app(ServerConfig(data=folder, scan_workers=0))
    client = app.test_client()
    games, photos = set[str](), list[str]()
    for number in range(count):
        players = [{"name": f"Chie {number}", "colour": "red"}, {"name": "Dan", "colour": "blue"}]
        game: Any = client.post("/api/v1/games", json={"players": players}).json
        games.add(game["id"])
        photo = photo_bytes(next(_NUMBERS), _small_picture())
        body = {"photo": (io.BytesIO(photo), "p.jpg"), "entry_id": game["rounds"][0]["entries"][0]["id"]}
        sent: Any = client.post("/api/v1/photos", data=body).json
        photos.append(sent["shot"]["photo_id"])
    log = client.get("/api/v1/log").get_data()
    app.extensions[KEY].database.engine.dispose()
    return games, photos, log


# --- a database on its way to the newest schema -------------------------------------------------------------


def kill_upgrades(killing: Killing) -> Outcome:
    """Kill a server while it brings the database of an older version to the newest schema."""
    outcome, old = Outcome(), killing.folder / "old"
    url = killing.new_database()
    rows = _older(old, url)
    outcome.acknowledged["rows"] = rows.total()
    data = killing.folder / "data"
    seconds = 0.0
    while outcome.kills < killing.kills:
        shutil.rmtree(data, ignore_errors=True)
        shutil.copytree(old, data)
        here = killing.new_database(url) if url is not None else None
        process = subprocess.Popen(_serving(data, here), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            _wait_for(partial(_is_opened, data, here), process)
            if seconds:
                killing.wait(seconds)
            else:
                # As long as the first takes: later ones are killed on its way.
                begun = time.monotonic()
                _wait_for(partial(_is_new, data, here), process)
                seconds = time.monotonic() - begun
        finally:
            process.kill()
            process.wait()
        outcome.kills += 1
        with _opened(data, here) as database:
            outcome.check(_rows_of(database) == rows, f"rows: {_rows_of(database) - rows}")
            outcome.check(_is_new(data, here), "the newest schema")
            tables = inspect(database.engine).get_table_names()
            outcome.left += [name for name in tables if name.startswith("_alembic")]
        _check_database(data, here, outcome)
    return outcome


def _serving(data: Path, url: str | None) -> list[str]:
    named = ["--database", url] if url is not None else []
    options = [
        "--host",
        "127.0.0.1",
        "--port",
        str(free_port()),
        "--workers",
        "1",
        "--data",
        str(data),
        *named,
    ]
    return [sys.executable, "-m", "waymark", "serve", *options]


def _older(data: Path, url: str | None) -> Counter[str]:
    """A grown folder as an older version had it; how many rows it has, by table."""
    config = _grown(data, url)
    with _opened(data, url) as database:
        rows = _rows_of(database)
        take_back(database, _OLD_SCHEMA)
    if url is None:
        with closing(sqlite3.connect(config.data / "waymark.sqlite3")) as opened:
            opened.execute("PRAGMA journal_mode=DELETE")
    return rows


def _grown(data: Path, url: str | None = None, photos: int = _PHOTOS) -> ServerConfig:
    config = ServerConfig(data=data, database_url=url)
    data.mkdir(parents=True)
    grow(config, _GAMES, photos, 320)
    return config


def _rows_of(database: Database) -> Counter[str]:
    with database.snapshot() as session:
        return Counter({table.__tablename__: len(session.scalars(select(table.id)).all()) for table in _ROWS})


def _is_opened(data: Path, url: str | None) -> bool:
    """Whether a process has begun with the database."""
    if url is None:
        return (data / "waymark.sqlite3-wal").exists()
    with _asking(url) as ask_one:
        return bool(ask_one("SELECT count(*) > 1 FROM pg_stat_activity WHERE datname = current_database()"))


def _is_new(data: Path, url: str | None) -> bool:
    newest = max(file.name[:4] for file in (MIGRATIONS / "versions").glob("0*.py"))
    with _asking(url or f"sqlite:///{data / 'waymark.sqlite3'}") as ask_one:
        return bool(ask_one("SELECT version_num FROM alembic_version") == newest)


@contextmanager
def _asking(url: str) -> Iterator[Callable[[str], Any]]:
    """A connection that only looks."""
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            yield lambda statement: connection.exec_driver_sql(statement).scalar()
    finally:
        engine.dispose()


def _wait_for(so: Callable[[], bool], process: subprocess.Popen[bytes]) -> bool:
    """Wait until something is so; whether the process was still there then."""
    end = time.monotonic() + PATIENCE_SECONDS
    while process.poll() is None and time.monotonic() < end:
        if so():
            return True
        time.sleep(0.002)
    return False


# --- the commands for the data folder -----------------------------------------------------------------------


def kill_backups(killing: Killing) -> Outcome:
    """Kill backups; the one that is made in the end has everything, and lies alone where it was wanted."""
    data, outcome = killing.folder / "data", Outcome()
    config = _grown(data)
    with _opened(data, None) as database:
        rows = _rows_of(database)
    place = killing.folder / "backups"
    place.mkdir()
    file = place / "table.backup"
    _kill_command(
        killing,
        outcome,
        ["backup", str(file), "--data", str(data)],
        begun=lambda: any(place.glob(".part-*")),
        look=lambda: _check_backup(file, outcome),
        again=lambda: file.unlink(missing_ok=True),
    )
    _command("backup", str(file), "--data", str(data))
    outcome.left += [each.name for each in place.iterdir() if each != file]
    _check_folder(config.data, rows, outcome)
    _check_restored(file, killing.folder / "restored", rows, outcome)
    return outcome


def _check_backup(file: Path, outcome: Outcome) -> None:
    """A backup is there whole, or not at all."""
    if file.exists():
        with zipfile.ZipFile(file) as archive:
            outcome.check(archive.testzip() is None, "a backup in part")


def kill_restores(killing: Killing) -> Outcome:
    """Kill what makes a folder of a backup; the folder is there whole in the end, and nothing beside it."""
    outcome = Outcome()
    config = _grown(killing.folder / "data")
    with _opened(config.data, None) as database:
        rows = _rows_of(database)
    file, place = killing.folder / "table.backup", killing.folder / "restored"
    _command("backup", str(file), "--data", str(config.data))
    place.mkdir()
    folder = place / "data"

    def look() -> None:
        if folder.exists():
            _check_folder(folder, rows, outcome)

    _kill_command(
        killing,
        outcome,
        ["restore", str(file), str(folder)],
        begun=lambda: any(place.glob(".part-*")),
        look=look,
        again=lambda: shutil.rmtree(folder, ignore_errors=True),
    )
    _check_restored(file, folder, rows, outcome)
    outcome.left += [each.name for each in place.iterdir() if each != folder]
    return outcome


def kill_mends(killing: Killing) -> Outcome:
    """Kill what mends a folder with damaged rows and photos; whatever was there is there in the end, or set
    aside."""
    outcome, damaged, data = Outcome(), killing.folder / "damaged", killing.folder / "data"
    config = _grown(damaged, photos=_FEW_PHOTOS)
    with _opened(damaged, None) as database:
        rows = _rows_of(database)
        ids = _entries(database)
    with closing(sqlite3.connect(damaged / "waymark.sqlite3")) as opened:
        opened.execute("UPDATE entry SET scores = '{\"castle\": 4}' WHERE rowid % 3 = 0")
        opened.execute("UPDATE seat SET position = position + 9 WHERE rowid % 11 = 0")
        opened.execute("UPDATE revision SET record = '{}' WHERE rowid % 4 = 0")
        opened.commit()
    files = sorted(file for file in config.photos.rglob("*") if file.is_file())
    for file in files[::4]:
        file.write_bytes(b"no more")

    def anew() -> None:
        shutil.rmtree(data, ignore_errors=True)
        shutil.copytree(damaged, data)

    def look() -> None:
        _command("mend", str(data), statuses=(0,))
        found = _command("check", str(data), statuses=(0, 3))
        kinds = {each["kind"] for each in found["findings"]} - {"photo-lost"}
        outcome.check(not kinds, f"what mending left: {kinds}")
        with _opened(data, None) as database:
            there = _entries(database)
        aside = {
            told["row"]["id"]
            for file in data.glob("quarantine/*/rows.jsonl")
            for told in map(json.loads, file.read_text(encoding="utf-8").splitlines())
        }
        outcome.check(ids <= there | aside, f"{len(ids - there - aside)} rows of players' rounds")
        # One that was set aside and not yet taken away is set aside once more: there twice, not lost.
        kept = {
            file.name
            for part in ("photos", "quarantine/*/photos")
            for file in data.glob(part + "/*/*")
            if file.is_file()
        }
        lost = {file.name for file in files} - kept
        outcome.check(not lost, f"{len(lost)} files of photos")
        outcome.left += [str(file) for file in data.rglob(".part-*")]

    anew()
    outcome.acknowledged.update({"rows": rows.total(), "photo": len(files)})
    _kill_command(
        killing,
        outcome,
        ["mend", str(data)],
        begun=lambda: (data / "quarantine").exists(),
        look=look,
        again=anew,
    )
    return outcome


def _entries(database: Database) -> set[str]:
    with database.snapshot() as session:
        return set(session.scalars(select(Entry.id)))


def _kill_command(
    killing: Killing,
    outcome: Outcome,
    arguments: list[str],
    *,
    begun: Callable[[], bool],
    look: Callable[[], None],
    again: Callable[[], None],
) -> None:
    """Kill a command of `waymark data` on its way, as often as is wanted. After each kill `look` says whether
    all is well; before the next one `again` has it as it was."""
    seconds = 0.0
    while outcome.kills < killing.kills:
        process = subprocess.Popen(_called(*arguments), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _wait_for(begun, process)
        if not seconds:
            # The first comes to its end: it tells how long the others have.
            started = time.monotonic()
            process.wait(PATIENCE_SECONDS)
            seconds = time.monotonic() - started
        else:
            killing.wait(seconds)
            on_its_way = process.poll() is None
            process.kill()
            process.wait()
            outcome.kills += on_its_way
        look()
        again()


def _called(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "waymark", "data", *arguments, "--json", "-"]


def _command(*arguments: str, statuses: tuple[int, ...] = (0,)) -> Any:
    """What a command of `waymark data` answers to programs."""
    done = run_here("data", *arguments, "--json", "-")
    assert done.exit_code in statuses, done.stderr
    return json.loads(done.stdout)


def _check_folder(data: Path, rows: Counter[str], outcome: Outcome) -> None:
    """A folder has these rows, and nothing is wrong with it."""
    found = _command("check", str(data), statuses=(0, 3))
    outcome.check(not found["findings"], f"{data.name}: {found['findings'][:3]}")
    with _opened(data, None) as database:
        outcome.check(_rows_of(database) == rows, f"{data.name}: rows")


def _check_restored(file: Path, folder: Path, rows: Counter[str], outcome: Outcome) -> None:
    """A backup has all of it."""
    made = _command("restore", str(file), str(folder))
    outcome.check(made["photos"] == _PHOTOS, f"{made['photos']} photos of a backup")
    _check_folder(folder, rows, outcome)
    outcome.acknowledged.update({"rows": rows.total(), "photo": _PHOTOS})


#: What is killed, by its name; those that use no other database but the folder's own are `OF_FOLDERS`.
KINDS: dict[str, Callable[[Killing], Outcome]] = {
    "server": kill_servers,
    "import": kill_imports,
    "upgrade": kill_upgrades,
    "backup": kill_backups,
    "restore": kill_restores,
    "mend": kill_mends,
}
OF_FOLDERS = frozenset({"backup", "restore", "mend"})
