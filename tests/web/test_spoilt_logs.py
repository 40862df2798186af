"""A log cannot break what is here: whatever it says, it is refused and leaves nothing, or every page
answers."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from exchanged import export, full_table, rows_of
from long_rest import long_but
from played import play_a_little
from spoilt_logs import LATER, Log, Row, spoilt

from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.http.services import KEY
from webapp.store.models import Base, Game, Person, Tableau

#: How many logs are spoilt by chance; `WAYMARK_SPOILT_LOGS=2000` takes minutes.
MANY = int(os.environ.get("WAYMARK_SPOILT_LOGS", "80"))


class SoundTable:
    """A table with everything in it that is made anew after each log that it took."""

    def __init__(self, folder: Path) -> None:
        self.kept, self.data = folder / "kept", folder / "data"
        config = ServerConfig(data=self.data, scan_workers=0)
        self.app = create_app(replace(config, requests_per_minute=10**6, uploads_per_minute=10**6))
        play_a_little(self.app)
        full_table(self.app, self.app.test_client())
        self.log = Log.of(export(self.app.test_client()))
        self.app.extensions[KEY].database.engine.dispose()
        shutil.copytree(self.data, self.kept)
        self.rows = self.rows_now()

    def rows_now(self) -> Any:
        return rows_of(self.app)

    def files_now(self) -> set[str]:
        return {str(file.relative_to(self.data / "photos")) for file in (self.data / "photos").rglob("*")}

    def make_anew(self) -> None:
        self.app.extensions[KEY].database.engine.dispose()
        # Into the file that the server opened: another one in its place is a fault that it tells.
        with (
            closing(sqlite3.connect(self.kept / "waymark.sqlite3")) as kept,
            closing(sqlite3.connect(self.data / "waymark.sqlite3")) as data,
        ):
            kept.backup(data)
        shutil.rmtree(self.data / "photos")
        shutil.copytree(self.kept / "photos", self.data / "photos")
        shutil.rmtree(self.data / "display", ignore_errors=True)

    def addresses(self) -> Iterator[str]:
        """Every page and every answer that shows what was played."""
        for each in ("", "history", "history/photos", "players", "trash", "exchange", "api/v1/games"):
            yield f"/{each}"
        for each in ("history", "history/photos", "persons", "trash"):
            yield f"/api/v1/{each}"
        for each in ("rounds.csv", "games.json", "plays.bgsplay", "plays.xml"):
            yield f"/api/v1/export/{each}"
        yield "/api/v1/log"
        with self.app.extensions[KEY].database.snapshot() as session:
            rows: list[Base] = []
            for table in (Game, Person, Tableau):
                rows += session.query(table).filter(table.deleted_at.is_(None))
        for row in rows:
            if isinstance(row, Person):
                yield f"/players/{row.id}"
            elif isinstance(row, Game):
                yield f"/games/{row.id}/final"
                yield f"/games/{row.id}/final.png"
                yield f"/api/v1/games/{row.id}/standing"
                yield f"/api/v1/games/{row.id}/bg-stats"
                for number in range(1, 7):
                    yield f"/games/{row.id}/rounds/{number}"
            elif isinstance(row, Tableau):
                yield f"/tableaus/{row.id}"
                yield f"/api/v1/tableaus/{row.id}/review"
                if row.record is not None and row.shot_id is not None:
                    yield f"/tableaus/{row.id}/dispute"

    def broken(self) -> list[str]:
        client = self.app.test_client()
        answers = ((each, client.get(each, headers={"Accept": "*/*"})) for each in self.addresses())
        return [f"{each}: {answer.status_code}" for each, answer in answers if not _is_fine(each, answer)]


def _is_fine(address: str, answer: Any) -> bool:
    try:
        len(answer.get_data())
    except Exception:
        return False
    return answer.status_code == 200 or (address.endswith("/dispute") and answer.status_code == 409)


def outcome(table: SoundTable, log: Log) -> tuple[int, list[str]]:
    """The status with which a log is answered, and what is wrong afterwards."""
    files = table.files_now()
    answer = table.app.test_client().post("/api/v1/log", data=log.zip())
    wrong = []
    if answer.status_code == 200:
        wrong = table.broken()
        table.make_anew()
    else:
        if answer.status_code >= 500 or not answer.is_json:
            wrong.append(f"answered {answer.status_code}: {answer.text[:200]}")
        if table.rows_now() != table.rows:
            wrong.append("rows are left")
        if table.files_now() != files:
            wrong.append("files are left")
        if wrong:
            table.make_anew()
    if list((table.data / "receiving").iterdir()):
        wrong.append("something is left in receiving")
    return answer.status_code, wrong


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SoundTable]:
    table = SoundTable(tmp_path_factory.mktemp("sound"))
    yield table
    table.app.extensions[KEY].database.engine.dispose()


def changed_later(log: Log, noun: str, row: Row) -> None:
    log.rows["change"].append(
        {
            "id": f"later-{len(log.rows['change'])}",
            "created_at": LATER,
            "deleted_at": None,
            "noun": noun,
            "noun_id": row["id"],
            "before": {},
            "after": {},
        }
    )


def added(noun: str, **columns: Any) -> Callable[[Log], str]:
    """One more row, like the first of its table but for these columns."""

    def change(log: Log) -> str:
        log.rows[noun].append({**log.rows[noun][0], "id": "one-more", **columns})
        return "one-more"

    return change


def changed(noun: str, **columns: Any) -> Callable[[Log], str]:
    """The first row of a table, changed later."""

    def change(log: Log) -> str:
        row = log.rows[noun][0]
        row.update(columns)
        changed_later(log, noun, row)
        return str(row["id"])

    return change


def of_another_game(log: Log) -> str:
    """A player's round of a seat that sits elsewhere."""
    first = log.rows["game"][0]["id"]
    other = next(row for row in log.rows["seat"] if row["game_id"] != first)
    return added("entry", seat_id=other["id"])(log)


#: What adds to a known game, or changes it, so that it is one no more; each answers the row that is named.
UNSOUND: dict[str, Callable[[Log], str]] = {
    "a seat without rounds": added("seat", position=2, name="Zoe", colour="yellow"),
    "a seat far down the table": added("seat", position=7, name="Zoe", colour="yellow"),
    "a seventh round": added("game_round", number=7),
    "a round below one": added("game_round", number=-1),
    "a player's round twice": added("entry"),
    "a player's round of another game": of_another_game,
    "a correction of nothing": added("revision", number=5, kind="card", before=4),
    "a correction that goes back to itself": added("revision", number=5, kind="card", before=5),
    "a correction that repeats what is not there": added("revision", number=5, kind="card", repeats=3),
    "a correction of no kind": added("revision", number=5, kind="guess", before=0),
    "a correction without a record": added("revision", number=5, kind="card", before=0, record={}),
    "a photo that reads nothing again": added("shot", client_key=None, reread_of="nobody", given=[]),
    "a photo that was read of itself": added("shot", client_key=None, reread_of="one-more", given=[]),
    "a photo that goes with none": added("shot", client_key=None, beside="nobody"),
    "a photo that goes with itself": added("shot", client_key=None, beside="one-more"),
    "a purchase of nothing that is sold": added("purchase", kind="luck"),
    "a purchase for less than nothing": added("purchase", coins=-5),
    "a purchase for all the coins there are": added("purchase", coins=10**6),
    "a house rule that there is not": changed("game", settings={"luck": 1}),
    "a house rule in words": changed("game", settings={"card_limit": "many"}),
    "an objective that there is not": changed("game_round", terms={"primary": "luck"}),
    "an objective that is a list": changed("game_round", terms={"primary": ["key"]}),
    "a house rule told of a round": changed("game_round", terms={"card_limit": 9}),
    "tokens in words": changed("entry", terms={"fairy_tokens": {"sword": "1"}}),
    "tokens that nobody has so many of": changed("entry", terms={"fairy_tokens": {"sword": 10**9}}),
    "tokens that are a list": changed("entry", terms={"fairy_tokens": ["sword"]}),
    "a spellbook that is a number": changed("entry", terms={"spellbooks": [4]}),
    "spellbooks that are one word": changed("entry", terms={"spellbooks": "SB-4"}),
    "more spellbooks than hands": changed("entry", terms={"spellbooks": ["SB-1", "SB-2", "SB-3"]}),
    "a spellbook that there is not": changed("entry", terms={"spellbooks": ["SB-99"]}),
    "a score in words": changed("entry", scores={"primary": "3"}),
    "a score below nothing": changed("entry", scores={"primary": -1}),
    "a score in no box": changed("entry", scores={"luck": 1}),
    "a colour that there is not": changed("seat", colour="mauve"),
    "a name of blanks": changed("seat", name="  "),
    "a seat that left": changed("seat", deleted_at=LATER),
    "a time before clocks": changed("game", created_at="0001-01-01T00:00:00Z"),
    "a time after clocks": changed("game", finished_at="9999-12-31T23:59:59Z"),
    "a time of no place": changed("game", finished_at="2026-11-22T10:00:00"),
    "a version that cannot be counted up": changed("game", version=2**31 - 1),
    "a game that there is not": changed("game", game="luck"),
    "a number that no computer counts to": changed("entry", scores={"primary": "<huge>"}),
    "a number that is none": changed("entry", scores={"primary": "<NaN>"}),
    "half a character": changed("game", title="<surrogate>"),
    "a character that nobody sees": changed("game", title="<NUL>"),
    "a list without a bottom": changed("game", settings={"card_limit": "<deep>"}),
    "a title without an end": changed("game", title="x" * 200_000),
    "a tableau on another's photo": changed("tableau", shot_id="nobody"),
    "a person who is nobody": changed("seat", person_id="nobody"),
}


@pytest.mark.parametrize("case", long_but(list(UNSOUND), 0, 2, 5, 7, 11, 19, 34))
def test_a_game_takes_nothing_that_it_cannot_have(table: SoundTable, case: str) -> None:
    log = deepcopy(table.log)
    named = UNSOUND[case](log)
    before = table.rows_now()
    answer = table.app.test_client().post("/api/v1/log", data=log.zip())
    if answer.status_code == 200:
        table.make_anew()
    assert answer.status_code == 400 and answer.json is not None, (case, answer.text)
    assert answer.json["error"]["code"] == "log-broken"
    message = answer.json["error"]["message"]
    # A row whose form is wrong is told by its place in its file; one may be wrong for another's sake.
    assert named in message or re.search(r"\(the [a-z' ]+ (\S{16}|\(\d+\)): ", message), message
    assert table.rows_now() == before == table.rows
    assert not list((table.data / "receiving").iterdir())


def test_a_photo_and_a_correction_that_are_sound_come_into_a_known_game(table: SoundTable) -> None:
    log = deepcopy(table.log)
    first = log.rows["revision"][0]
    added("revision", number=5, kind="path", before=first["number"])(log)
    added("purchase", coins=2)(log)
    status, wrong = outcome(table, log)
    assert (status, wrong) == (200, [])


@pytest.mark.parametrize("seed", long_but(list(range(8)), 0))
def test_any_spoilt_log_is_refused_or_harmless(table: SoundTable, seed: int) -> None:
    _, wrong = outcome(table, spoilt(table.log, seed))
    assert not wrong


@pytest.mark.long
@pytest.mark.parametrize("first", range(1_000, 1_000 + MANY, 20))
def test_many_spoilt_logs_are_refused_or_harmless(table: SoundTable, first: int) -> None:
    for seed in range(first, first + 20):
        log = spoilt(table.log, seed)
        _, wrong = outcome(table, log)
        assert not wrong, (seed, log.done)
