"""Logs that lie: a sound log with one or a few things in it that no table has written, made from a number."""

from __future__ import annotations

import copy
import io
import json
import random
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Row = dict[str, Any]

#: What stands in a log's JSON in place of these words, which Python would not write so.
_RAW = {
    "<NaN>": "NaN",
    "<Infinity>": "Infinity",
    "<1e999>": "1e999",
    "<huge>": "9" * 400,
    "<deep>": "[" * 3000 + "]" * 3000,
    "<deep object>": '{"a":' * 3000 + "1" + "}" * 3000,
    "<surrogate>": '"\\ud800"',
    "<NUL>": '"a\\u0000b"',
}
#: Values that some column, some box or some term cannot have.
ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2,
    7,
    1000,
    10**6,
    2**31 - 1,
    2**31,
    2**63,
    -(2**63) - 1,
    1.5,
    1e308,
    "",
    " ",
    "x",
    "1",
    "red",
    "mauve",
    "sword",
    "SB-4",
    "sb-99",
    "mapmasters",
    "no-such-game",
    "../../x",
    "nobody",
    "x" * 400,
    "x" * 100_000,
    "あ\u202e",
    "[]",
    [],
    [[]],
    [1],
    ["x"],
    ["SB-4", "SB-4"],
    [None],
    [{}],
    {},
    {"a": 1},
    {"sword": 1},
    {"sword": "1"},
    {"sword": -1},
    {"sword": 10**9},
    {"rope": True},
    {"card_limit": "many"},
    {"card_limit": 10**6},
    {"luck": 1},
    {"primary": "key"},
    {"primary": ["key"]},
    {"primary": 3},
    {"spellbooks": 3},
    {"spellbooks": ["SB-1", "SB-2", "SB-3"]},
    {"fairy_tokens": []},
    {"en": "x", "ja": "x"},
    {"__proto__": 1},
    *_RAW,
)
TIMES: tuple[Any, ...] = (
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59.999999Z",
    "9999-12-31T23:59:59-14:00",
    "1969-12-31T23:59:59Z",
    "2026-02-30T00:00:00Z",
    "2026-11-22T10:00:00",
    "2500-01-01T00:00:00Z",
    0,
    -1,
    None,
    "now",
)
LATER = "2027-01-01T00:00:00Z"
#: What a column refers to.
PARENTS = {
    "seat": ("game_id", "person_id"),
    "game_round": ("game_id",),
    "entry": ("round_id", "seat_id"),
    "purchase": ("entry_id",),
    "tableau": ("entry_id", "shot_id", "late_shot_id"),
    "shot": ("tableau_id", "photo_id", "reread_of", "beside"),
    "revision": ("tableau_id", "shot_id"),
    "claim": ("tableau_id", "accepted_revision"),
    "change": ("noun_id",),
}
_TABLE_OF = {
    "game_id": "game",
    "person_id": "person",
    "round_id": "game_round",
    "seat_id": "seat",
    "entry_id": "entry",
    "shot_id": "shot",
    "late_shot_id": "shot",
    "tableau_id": "tableau",
    "photo_id": "photo",
    "reread_of": "shot",
    "beside": "shot",
    "accepted_revision": "revision",
}


@dataclass
class Log:
    """A log in its parts: rows by table, files by name (readings and photos), the manifest."""

    rows: dict[str, list[Row]]
    files: dict[str, bytes]
    manifest: Row
    done: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, data: bytes) -> Log:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            manifest = json.loads(archive.read("manifest.json"))
            rows = {
                noun: [json.loads(line) for line in archive.read(each["file"]).splitlines()]
                for noun, each in manifest["tables"].items()
            }
            listed = {"manifest.json", *(each["file"] for each in manifest["tables"].values())}
            files = {name: archive.read(name) for name in archive.namelist() if name not in listed}
        return cls(rows, files, manifest)

    def zip(self) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            tables = {}
            for noun, rows in self.rows.items():
                text = "".join(_json(row) + "\n" for row in rows)
                archive.writestr(f"rows/{noun}.jsonl", text)
                tables[noun] = {"file": f"rows/{noun}.jsonl", "rows": len(rows)}
            for name, data in self.files.items():
                archive.writestr(name, data)
            archive.writestr("manifest.json", _json({"tables": tables} | self.manifest | {"tables": tables}))
        return out.getvalue()


def _json(value: Any) -> str:
    text = json.dumps(value)
    for word, raw in _RAW.items():
        text = text.replace(f'"{word}"', raw)
    return text


def spoilt(sound: Log, seed: int) -> Log:
    """The log with one to three faults, and what they are (`done`)."""
    rng = random.Random(seed)
    log = copy.deepcopy(sound)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        rng.choice(FAULTS)(log, rng)
    return log


def _noun(log: Log, rng: random.Random, *but: str) -> str:
    return rng.choice([noun for noun, rows in log.rows.items() if rows and noun not in but])


def _new_id(rng: random.Random) -> str:
    return f"made-{rng.randrange(10**12):012}"


def _changed_later(log: Log, rng: random.Random, noun: str, row: Row) -> None:
    """A change of the row in the journal, so that what the log says of it stands."""
    log.rows["change"].append(
        {
            "id": _new_id(rng),
            "created_at": LATER,
            "deleted_at": None,
            "noun": noun,
            "noun_id": row["id"],
            "before": {},
            "after": {},
        }
    )


def add_a_row(log: Log, rng: random.Random) -> None:
    """One more row, like another but for its id and a few columns."""
    noun = _noun(log, rng, "photo")
    row = {**rng.choice(log.rows[noun]), "id": _new_id(rng)}
    number = next((name for name in ("position", "number") if name in row), None)
    if number is not None and rng.random() < 0.8:
        row[number] = rng.choice((row[number] + 1, 2, 6, 7, 99, -1))
    if noun == "seat" and rng.random() < 0.7:
        row["name"], row["colour"] = rng.choice(("Zoe", row["name"])), rng.choice(("yellow", "mauve", "red"))
    for name in PARENTS.get(noun, ()):
        others = log.rows.get(_TABLE_OF.get(name, noun), [])
        if others and rng.random() < 0.5:
            row[name] = rng.choice(others)["id"]
    if noun == "shot":
        row["client_key"] = None
    if noun == "tableau" and rng.random() < 0.5:
        row["entry_id"] = None
    log.rows[noun].append(row)
    log.done.append(f"added {noun} {row}")


def odd_value(log: Log, rng: random.Random) -> None:
    """A column, or a part of one, that is something else."""
    noun = _noun(log, rng)
    row = rng.choice(log.rows[noun])
    column = rng.choice([name for name in row if name != "id"] or ["id"])
    value = rng.choice(ODD)
    whole = row[column]
    if isinstance(whole, dict | list) and rng.random() < 0.75:
        way = _change_within(whole, rng, value)
    else:
        row[column], way = value, ""
    _changed_later(log, rng, noun, row)
    log.done.append(f"{noun}.{column}{way} = {str(value)[:60]!r}")


def _change_within(value: Any, rng: random.Random, new: Any) -> str:
    """Change a part of a JSON value, or add one; where."""
    way = ""
    while True:
        keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys or rng.random() < 0.25:
            if isinstance(value, dict):
                added = rng.choice(
                    ("luck", "card_limit", "primary", "spellbooks", "0", "typed", "", "x" * 300)
                )
                value[added] = new
                return f"{way}[{added[:20]!r}]"
            value.append(new)
            return f"{way}[+]"
        key = rng.choice(keys)
        way += f"[{key!r}]"
        if isinstance(value[key], dict | list) and rng.random() < 0.8:
            value = value[key]
            continue
        if rng.random() < 0.2:
            del value[key]
            return f"{way} gone"
        value[key] = new
        return way


def odd_time(log: Log, rng: random.Random) -> None:
    noun = _noun(log, rng)
    row = rng.choice(log.rows[noun])
    column = rng.choice([name for name in row if name.endswith("_at")])
    row[column] = rng.choice(TIMES)
    _changed_later(log, rng, noun, row)
    log.done.append(f"{noun}.{column} = {row[column]!r}")


def lose_rows(log: Log, rng: random.Random) -> None:
    noun = _noun(log, rng)
    gone = rng.sample(log.rows[noun], rng.choice((1, len(log.rows[noun]))))
    log.rows[noun] = [row for row in log.rows[noun] if row not in gone]
    log.done.append(f"lost {len(gone)} {noun}")


def double_an_id(log: Log, rng: random.Random) -> None:
    noun = _noun(log, rng)
    row = copy.deepcopy(rng.choice(log.rows[noun]))
    column = rng.choice(list(row))
    if column != "id":
        row[column] = rng.choice(log.rows[noun])[column]
    log.rows[noun].append(row)
    log.done.append(f"{noun} {row['id']} twice")


def lead_elsewhere(log: Log, rng: random.Random) -> None:
    """A row that refers to another one than it did: of another game, of itself, of none."""
    noun = rng.choice([each for each in PARENTS if log.rows[each]])
    row = rng.choice(log.rows[noun])
    column = rng.choice(PARENTS[noun])
    others = log.rows.get(_TABLE_OF.get(column, noun), [])
    row[column] = rng.choice([row["id"], "nobody", None, *(each["id"] for each in rng.choices(others, k=6))])
    _changed_later(log, rng, noun, row)
    log.done.append(f"{noun}.{column} -> {row[column]}")


def odd_number(log: Log, rng: random.Random) -> None:
    """Numbers by which rows stand in order, or go back to each other."""
    noun, column = rng.choice(
        (
            ("seat", "position"),
            ("game_round", "number"),
            ("revision", "number"),
            ("revision", "before"),
            ("revision", "repeats"),
            ("purchase", "coins"),
            ("game", "version"),
            ("tableau", "version"),
            ("shot", "attempts"),
            ("photo", "width"),
            ("photo", "size_bytes"),
        )
    )
    if not log.rows[noun]:
        return
    row = rng.choice(log.rows[noun])
    row[column] = rng.choice((0, 1, 2, 5, -1, 999, 10**6, 2**31 - 1, 2**31, None))
    _changed_later(log, rng, noun, row)
    log.done.append(f"{noun}.{column} = {row[column]!r}")


def odd_change(log: Log, rng: random.Random) -> None:
    """A line of the journal that says what nobody did."""
    noun = rng.choice(list(log.rows))
    row = rng.choice(log.rows[noun] or [{"id": "nobody"}])
    column = rng.choice((*row, "scores.primary", "scores.luck", "typed", ""))
    log.rows["change"].append(
        {
            "id": _new_id(rng),
            "created_at": rng.choice((LATER, *TIMES)),
            "deleted_at": None,
            "noun": rng.choice((noun, "nothing", "")),
            "noun_id": row["id"],
            "before": {column: rng.choice(ODD)},
            "after": rng.choice(({column: rng.choice(ODD)}, {})),
        }
    )
    log.done.append(f"change {log.rows['change'][-1]}"[:300])


def odd_reading(log: Log, rng: random.Random) -> None:
    """A reading with a part that is something else."""
    names = [name for name in log.files if name.startswith("readings/")]
    name = rng.choice(names)
    reading = json.loads(log.files[name])
    way = _change_within(reading, rng, rng.choice((*ODD, 1e20, -5.0, 1e-9)))
    log.files[name] = _json(reading).encode()
    # Of a photo that is new here, so that it is looked at at all.
    shot = next((row for row in log.rows["shot"] if name == f"readings/{row['id']}.json"), None)
    if shot is not None and rng.random() < 0.8:
        _as_new(log, rng, shot)
    log.done.append(f"reading{way}")


def _as_new(log: Log, rng: random.Random, shot: Row) -> None:
    """The shot, its tableau and all that refers to them under other ids."""
    names = {shot["id"]: _new_id(rng), shot["tableau_id"]: _new_id(rng)}
    tableau = shot["tableau_id"]
    for noun in ("tableau", "shot", "revision", "claim"):
        for row in log.rows[noun]:
            if tableau in (row["id"], row.get("tableau_id")):
                row.update(
                    {key: names.get(value, value) for key, value in row.items() if isinstance(value, str)}
                )
                if noun in ("revision", "claim"):
                    row["id"] = _new_id(rng)
                if noun == "shot":
                    row["client_key"] = None
    log.files |= {
        f"readings/{new}.json": log.files.pop(f"readings/{old}.json")
        for old, new in names.items()
        if f"readings/{old}.json" in log.files
    }


def odd_manifest(log: Log, rng: random.Random) -> None:
    _change_within(log.manifest, rng, rng.choice(ODD))
    log.done.append("manifest")


FAULTS: list[Callable[[Log, random.Random], None]] = [
    *[add_a_row] * 4,
    *[odd_value] * 6,
    odd_time,
    lose_rows,
    double_an_id,
    *[lead_elsewhere] * 2,
    *[odd_number] * 2,
    *[odd_change] * 2,
    *[odd_reading] * 3,
    odd_manifest,
]
