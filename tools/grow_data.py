"""A data folder as large as a table's after years, to measure pages on: games that are whole, with photos.

    python -m tools.grow_data DIR --games 1000 --photos 20000

Rows are copies of one game and one reading (a sample photo, read as its truth says) with other ids, players
and times; every photo is a small JPEG with numbers of its own under its hash, so that the folder is sound.
`--photo-px 2400` makes them so large that the log has more than 4 GB."""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import random
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
from PIL import Image
from sqlalchemy import Connection, insert

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import load_catalogue
from scorer.games import game_of
from vision.scan import Scan
from waymark.review.pipeline import encode_reading
from waymark.review.referee_cache import Table
from waymark.review.tableau.assess import assess
from webapp.config import ServerConfig
from webapp.store.database import open_database
from webapp.store.models import Base, Entry, Game, GameRound, Person, Photo, Revision, Seat, Shot, Tableau

SAMPLE = Path(__file__).parent.parent / "samples/photos/table-04"
PEOPLE = 30
SEATS = 4
#: Rows that are written at a time.
BATCH_GAMES = 50
FIRST_GAME = datetime(2016, 1, 1, 19, tzinfo=UTC)
PHOTO_PX = 960
#: Position of the last three entries of a JPEG's first quantisation table, after the file's and JFIF
#: headers (ITU-T T.81, B.2.4.1). They are kept with the picture.
_FINEST = slice(86, 89)

Rows = dict[type[Base], list[dict[str, Any]]]


def one_reading() -> dict[str, Any]:
    """The stored data of one read photo: reading, record, ruling, and the resulting score columns."""
    catalogue = load_catalogue(bundled_catalogue())
    truth = json.loads(SAMPLE.with_name(SAMPLE.name + ".truth.json").read_bytes())
    told = {key: truth[key] for key in ("tableau", "cards", "path_px")}
    size = {"width": truth["photo"]["width"], "height": truth["photo"]["height"]}
    scan = msgspec.convert({"photo": size, **told, "questions": [], "sure": True}, Scan)
    rules = game_of(catalogue)
    terms = {"primary": "coin", "secondary": "barrel"}
    seen = assess(scan, Table(catalogue), rules.rules.settings.make(terms))
    row = rules.sheet.row(seen.ruling)
    return {
        "game": rules.id,
        "rounds": rules.sheet.rounds,
        "colours": list(rules.sheet.colours),
        "terms": terms,
        "reading": encode_reading(scan),
        "record": msgspec.to_builtins(seen.record),
        "ruling": msgspec.to_builtins(seen.ruling),
        "sure": seen.sure,
        "scores": {column: value for column, value in row.items() if value is not None},
    }


def photo_bytes(number: int, picture: bytes) -> bytes:
    """JPEG bytes that are unique for each number: the finest quantisation entries differ."""
    made = bytearray(picture)
    made[_FINEST] = (1 + number // 255**place % 255 for place in range(3))
    return bytes(made)


def a_picture(longest_px: int) -> bytes:
    """JPEG bytes of the sample photo, scaled to this number of pixels on its longest side."""
    buffer = io.BytesIO()
    with Image.open(SAMPLE.with_suffix(".jpg")) as picture:
        picture.thumbnail((longest_px, longest_px))
        picture.convert("RGB").save(buffer, "JPEG", quality=40)
    return buffer.getvalue()


def _row(at: datetime, key: str, /, **values: Any) -> dict[str, Any]:
    return {"id": key, "created_at": at, **values}


def games_of(
    numbers: range, photos_a_game: int, people: list[str], like: dict[str, Any], chance: random.Random
) -> Iterator[tuple[Rows, list[tuple[str, int]]]]:
    """The database rows of the games, one game at a time, with the numbers of their photos by hash."""
    picture = like["picture"]
    for number in numbers:
        rows: Rows = {table: [] for table in (Game, Seat, GameRound, Entry, Photo, Tableau, Shot, Revision)}
        photos: list[tuple[str, int]] = []
        at = FIRST_GAME + timedelta(hours=number * 80)

        game, end = f"game{number:08}", None if number % 50 == 0 else at + timedelta(hours=2)
        told = {"title": f"Evening {number}", "location": f"Place {number % 7}", "notes": "", "settings": {}}
        rows[Game].append(_row(at, game, game=like["game"], version=40, finished_at=end, **told))
        for place, person in enumerate(chance.sample(range(PEOPLE), SEATS)):
            seated = {"game_id": game, "person_id": people[person], "name": f"Player {person}"}
            rows[Seat].append(
                _row(at, f"seat{number:08}{place}", position=place, colour=like["colours"][place], **seated)
            )
        for turn in range(1, like["rounds"] + 1):
            key = f"round{number:08}{turn}"
            begun = {"hourglass": False, "nobody_first": False, "checklist": {}}
            rows[GameRound].append(_row(at, key, game_id=game, number=turn, terms=like["terms"], **begun))
            for place in range(SEATS):
                entry = f"entry{number:08}{turn}{place}"
                scores = {**like["scores"], "primary": chance.randrange(30), "secondary": chance.randrange(9)}
                typed = {"time_bonus": False, "typed": False, "terms": {}, "optimizers_used": {}}
                rows[Entry].append(
                    _row(at, entry, round_id=key, seat_id=f"seat{number:08}{place}", scores=scores, **typed)
                )
                if len(photos) >= photos_a_game:
                    continue
                count = number * photos_a_game + len(photos)
                data = photo_bytes(count, picture)
                sha256 = hashlib.sha256(data).hexdigest()
                photos.append((sha256, count))
                tableau, shot = f"table{number:08}{turn}{place}", f"shot{count:010}"
                width, height = like["size"]
                size = {"width": width, "height": height, "size_bytes": len(data)}
                rows[Photo].append(_row(at, sha256, media_type="image/jpeg", **size))
                read = {"shot_id": shot, "record": like["record"], "answered": []}
                ruled = {"ruling": like["ruling"], "sure": like["sure"], "version": 3}
                blank = {"title": "", "notes": "", "terms": {}}
                rows[Tableau].append(
                    _row(at, tableau, game=like["game"], entry_id=entry, **blank, **read, **ruled)
                )
                done = {"state": "done", "stage": "", "attempts": 1, "reading": like["reading"]}
                rows[Shot].append(
                    _row(at, shot, tableau_id=tableau, photo_id=sha256, filename=f"{count}.jpg", **done)
                )
                rows[Revision].append(
                    _row(at, f"rev{count:010}", tableau_id=tableau, number=0, kind="read", **read)
                )
        yield rows, photos


def write(connection: Connection, rows: Rows) -> None:
    """Insert rows, tables with foreign-key targets first."""
    for table, values in rows.items():
        if values:
            connection.execute(insert(table), values)


def grow(config: ServerConfig, games: int, photos: int, longest_px: int = PHOTO_PX) -> None:
    """Fill an empty data folder with games and photos."""
    like, chance = one_reading(), random.Random(1)
    like["picture"] = a_picture(longest_px)
    with Image.open(io.BytesIO(like["picture"])) as opened:
        like["size"] = opened.size
    database = open_database(config.url)
    people = [f"person{number:08}" for number in range(PEOPLE)]
    engine = database.engine.execution_options(writes=True)
    with engine.begin() as connection:
        named = [{"id": each, "name": f"Player {number}"} for number, each in enumerate(people)]
        connection.execute(insert(Person), named)
    each_game = photos // games
    for first in range(0, games, BATCH_GAMES):
        batch: Rows = {}
        for rows, kept in games_of(
            range(first, min(games, first + BATCH_GAMES)), each_game, people, like, chance
        ):
            for table, values in rows.items():
                batch.setdefault(table, []).extend(values)
            for sha256, number in kept:
                file = config.photos / sha256[:2] / sha256
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(photo_bytes(number, like["picture"]))
        with engine.begin() as connection:
            write(connection, batch)
    database.engine.dispose()


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--photos", type=int, default=20_000)
    parser.add_argument("--photo-px", type=int, default=PHOTO_PX)
    arguments = parser.parse_args()
    if (arguments.folder / "waymark.sqlite3").exists():
        parser.error(f"{arguments.folder} has data in it; name a new folder")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    grow(ServerConfig(data=arguments.folder), arguments.games, arguments.photos, arguments.photo_px)
    return 0


if __name__ == "__main__":
    sys.exit(main())
