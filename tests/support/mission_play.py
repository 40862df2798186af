"""A mission in the app: begun, photographed, bought for, asked about."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from flask import Flask

from scorer.games import game_named
from webapp.http.services import KEY, Services
from webapp.store.models import Tableau
from webapp.store.photos import store_original
from webapp.store.tableaus import add_shot
from webapp.store.tables import decode_table, encode_table, last_of_turn, take_table

PHOTOS = Path(__file__).parents[2] / "samples" / "growing_photos"
GAME = game_named("mapmasters/cooperative")
TOKENS = {"green": {"rope": 1, "sword": 1}, "red": {"sword": 1}}


def truth(photo: str) -> Any:
    return json.loads((PHOTOS / f"{photo}.truth.json").read_bytes())


def text_of(photo: str) -> str:
    """A photo's table as text."""
    assert GAME.notation is not None
    record = GAME.rules.parse_record(json.dumps(truth(photo)["tableau"]).encode())
    return GAME.notation.write(msgspec.structs.replace(record, mission=None, groups=record.groups, turn=None))


def begin(call: Any, names: tuple[str, ...] = ("Aya", "Ben"), mission: str = "M02") -> tuple[Any, str]:
    players = [{"name": n, "colour": c} for n, c in zip(names, ("red", "blue", "green"), strict=False)]
    game = call("POST", "/games", {"players": players, "table": {"mission": mission}}, status=201)
    return game, f"/tableaus/{game['rounds'][0]['entries'][0]['tableau_id']}"


def change(call: Any, table: str, status: int = 200, **change: Any) -> Any:
    version = call("GET", f"{table}/table")["version"]
    return call("POST", f"{table}/table", {"version": version, "change": change}, status=status)


def read_as_truth(
    app: Flask,
    table: str,
    photo: str,
    short: Mapping[str, int] = {},
    together: tuple[int, ...] = (),
    doubt: str | None = None,
    leaves_out: str | None = None,
    spoil: Callable[[dict[str, Any]], None] | None = None,
) -> None:
    """Give a table a photo that was read as its truth says; lines of some groups lack so many places. It is
    of the same turn as the photo before where both were read `together`. It leaves a card in `doubt`, and
    another out; `spoil` changes the reading as JSON has it."""
    services: Services = app.extensions[KEY]
    told = truth(photo)
    record = GAME.rules.parse_record(json.dumps(told["tableau"]).encode())
    shown = [number for number, card in enumerate(record.cards) if card.card != leaves_out]
    numbers = {f"{number}": f"{here}" for here, number in enumerate(shown)}
    lines = []
    for number, group in enumerate(record.groups):
        path = [
            [f"{numbers[name.partition('.')[0]]}.{name.partition('.')[2]}" for name in stroke]
            for each in record.paths
            if each.group == group.group
            for stroke in each.path
        ]
        if left_out := short.get(group.group):
            path[-1] = path[-1][:-left_out]
        owner = {"group": number, "others": []}
        marks = msgspec.to_builtins(group.marks)
        if path:
            lines.append(
                {
                    "pen": number,
                    "rgb": [0, 0, 0],
                    "owner": owner,
                    "paths": [path],
                    "path_px": [],
                    "marks": marks,
                    "questions": [],
                }
            )
    cards = [record.cards[number] for number in shown]
    placed = [{"card": c.card, "x": c.x, "y": c.y, "rotation": c.rotation} for c in cards]
    asked = [
        {
            "about": "card",
            "place": f"{number}",
            "options": [card.card],
            "reason_en": "Half of this card is hidden.",
            "reason_ja": "このカードは半分隠れています。",
            "name": f"card:{number}",
        }
        for number, card in enumerate(cards)
        if card.card == doubt
    ]
    size = {"width": told["photo"]["width"], "height": told["photo"]["height"], "warnings": []}
    scan = {
        "photo": size,
        "placed": placed,
        "cards": [told["cards"][number] for number in shown],
        "lines": lines,
        "questions": asked,
        "timings_ms": {},
        "photos": together or (0,),
    }
    if spoil is not None:
        spoil(scan)
    reading = decode_table(json.dumps(scan).encode())
    stored = store_original(services.photos, (PHOTOS / f"{photo}.jpg").read_bytes())
    with services.database.transaction() as session:
        tableau = session.get_one(Tableau, table.rpartition("/")[2])
        before = last_of_turn(tableau) if together else None
        shot = add_shot(session, tableau, stored, beside=before.id if before is not None else None)
        session.flush()
        take_table(session, services.catalogue, shot, encode_table(reading))


def buy(call: Any, table: str) -> None:
    for group, tokens in TOKENS.items():
        change(call, table, kind="group", group=group, fairy_tokens=tokens)


def asked_of(call: Any, table: str) -> Any:
    return call("GET", f"{table}/review")["reading"]
