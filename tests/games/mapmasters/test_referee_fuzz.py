"""Whatever is given as a record gets a ruling or one sentence; `waymark bench-rulings` measures how fast."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest
from cli_runs import run_here
from dungeons import HEIGHT, WIDTH
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from long_rest import long_but
from random_records import chance, deck, in_turns, random_path, random_record, with_random_statements

from scorer.dungeon import build_dungeon
from scorer.errors import WaymarkError
from scorer.mapmasters import referee
from scorer.mapmasters.rules.means import SPELLBOOKS, TOOLS
from scorer.mapmasters.rules.ruling import to_json
from scorer.record import PlacedCard, make_record, parse_record

#: Records that name what does not exist.
UNKNOWN = {f"unknown-{what}" for what in ("card", "place", "token", "spellbook", "means", "objective")} | {
    "heaped-cards"
}

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False)
    | st.sampled_from(["", "0.w1", "0.A", "T", "SB-4", "key", "樽"])
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def spots_of(data: Any, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every place in a JSON value, as the keys that lead there."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [at, *(spot for key, value in inner for spot in spots_of(value, (*at, key)))]


def replaced(data: Any, spot: tuple[str | int, ...], value: Any) -> Any:
    if not spot:
        return value
    copy: Any = dict(data) if isinstance(data, dict) else list(data)
    copy[spot[0]] = replaced(data[spot[0]], spot[1:], value)
    return copy


@in_turns
@settings(max_examples=100)
@given(st.integers(0, 2**32), st.data())
def test_any_json_is_ruled_on_or_gets_a_sentence(turn: int, seed: int, data: st.DataObject) -> None:
    record = with_random_statements(chance(turn, seed), random_record(chance(turn, seed)))
    whole = json.loads(json.dumps(msgspec.to_builtins(record)))
    spot = data.draw(st.sampled_from(spots_of(whole)))
    text = json.dumps(replaced(whole, spot, data.draw(json_values)))
    try:
        ruling = referee(deck(), parse_record(text))
    except WaymarkError as error:
        assert error.exit_status == 3 and error.en and error.ja
        assert "\n" not in error.en
    else:
        assert json.loads(to_json(ruling))["format"] == "waymark-ruling/1"


def damaged_records(seed: int, data: st.DataObject) -> str:
    """A record with one value of it replaced, or its text cut off."""
    record = with_random_statements(random.Random(seed), random_record(random.Random(seed)))
    text = json.dumps(msgspec.to_builtins(record))
    if data.draw(st.booleans()):
        return text[: data.draw(st.integers(0, len(text) - 1))]
    whole = json.loads(text)
    return json.dumps(replaced(whole, data.draw(st.sampled_from(spots_of(whole))), data.draw(json_values)))


@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32), st.data())
def test_the_command_answers_what_is_no_record_with_status_3_and_one_sentence(
    seed: int, data: st.DataObject
) -> None:
    text = damaged_records(seed, data) if data.draw(st.booleans()) else json.dumps(data.draw(json_values))
    result = run_here("referee", "-", "--json", "-", input=text)
    if result.exit_code == 0:
        parse_record(text)  # the damage left a record
        return
    assert result.exit_code == 3
    error = json.loads(result.stdout)["error"]
    assert error["code"] in {"not-a-record", "not-a-notation", *UNKNOWN}
    assert result.stderr.count("\n") == 1 and "Traceback" not in result.output


@pytest.mark.parametrize("seed", long_but(range(3), 1))
def test_a_huge_record_is_ruled_on(seed: int) -> None:
    rng = random.Random(seed)
    names = [face.id for face in deck().cards if face.kind == "dungeon"]
    cards = tuple(
        PlacedCard(rng.choice(names), index % 10 * WIDTH, index // 10 * HEIGHT, rng.choice((0, 180)))
        for index in range(50)
    )
    dungeon = build_dungeon(deck(), cards)
    # The longest of some random walks, then walked up and down to five thousand places.
    path = max((random_path(rng, dungeon)[0] for _ in range(200)), key=len)
    long = (path + path[-2::-1]) * (5000 // len(path))
    record = make_record(cards, (long[:5000],), fairy_tokens=dict.fromkeys(TOOLS, 10), spellbooks=SPELLBOOKS)
    ruling = referee(deck(), record)
    assert json.loads(to_json(ruling))["format"] == "waymark-ruling/1"
    assert ruling.steps and ruling.violations


def test_a_room_with_a_thousand_doors_is_ruled_on() -> None:
    """A path of five thousand places, all legal: in by one door of the room and out by the next, again and
    again."""
    doors = 1200
    nodes: list[dict[str, Any]] = [
        {"id": "w", "kind": "opening", "side": "left", "at": [0, 44]},
        *(
            {"id": f"d{i}", "kind": "door", "room": "A", "at": [10 + 40 * i / doors, 20]}
            for i in range(doors)
        ),
        *(
            {"id": f"m{i}", "kind": "find", "find": "monster", "at": [10 + 40 * i / doors, 10]}
            for i in range(doors)
        ),
        *(
            {"id": f"s{i}", "kind": "find", "find": "sword", "at": [10 + 40 * i / doors, 5]}
            for i in range(doors)
        ),
    ]
    edges = [{"kind": "corridor", "from": "w", "to": "d0"}]
    names = ["0.w"]
    for i in range(0, doors - 2, 2):
        a, b = f"d{i + 1}", f"d{i + 2}"
        edges += [
            {"kind": "corridor", "from": start, "to": end}
            for start, end in ((a, f"s{i}"), (f"s{i}", f"m{i}"), (f"m{i}", b))
        ]
        names += [f"0.d{i}", "0.A", f"0.{a}", f"0.s{i}", f"0.m{i}"]
    room = {"id": "A", "outline": [[10, 20], [50, 20], [50, 60], [10, 60]]}
    face = {"id": "Z", "kind": "dungeon", "art": "", "nodes": nodes, "edges": edges, "rooms": [room]}
    huge = msgspec.convert(
        {"name": "z", "game": "mapmasters", "card_size_mm": [WIDTH, HEIGHT], "cards": [face]}, type(deck())
    )
    record = make_record((PlacedCard("Z", 0, 0, 0),), (tuple(names),), spellbooks=SPELLBOOKS)
    ruling = referee(huge, record)
    assert ruling.legal and ruling.discovered["monster"] == doors // 2 - 1
