"""The whole chain on the photo of a table of several groups that ships, against its exact truth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_runs import run_here

PHOTO = Path(__file__).parents[2] / "samples" / "group_photos" / "table-of-four-groups.jpg"
TRUTH: dict[str, Any] = json.loads(PHOTO.with_name("table-of-four-groups.truth.json").read_text())

pytestmark = pytest.mark.long


def told(folder: Path) -> Path:
    """What people tell of the table, as a file."""
    table = folder / "told.json"
    bare = {name: value for name, value in TRUTH["tableau"].items() if name not in ("cards", "paths")}
    table.write_text(json.dumps(bare))
    return table


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    table = told(tmp_path_factory.mktemp("table"))
    result = run_here("score", PHOTO, "--table", table, "--json", "-")
    assert result.exit_code == 0, result.output
    read: dict[str, Any] = json.loads(result.stdout)
    return read


def numbers(answer: dict[str, Any]) -> dict[str, str]:
    """The number in the truth of each card that was read: the one of that name whose middle is there."""
    middles = [np.mean(card["corners"], axis=0) for card in TRUTH["cards"]]
    same = {}
    for number, card in enumerate(answer["scan"]["cards"]):
        if card["card"] is None:  # it lies face down
            continue
        middle = np.mean(card["corners"], axis=0)
        off = [float(np.linalg.norm(middle - other)) for other in middles]
        nearest = int(np.argmin(off))
        if off[nearest] < 20 and TRUTH["cards"][nearest]["card"] == card["card"]:
            same[str(number)] = str(nearest)
    return same


def lines(record: dict[str, Any], names: dict[str, str] | None = None) -> dict[str, list[str]]:
    """All places of each group's paths, one after the other; a place at which one stops stands once."""
    walked: dict[str, list[str]] = {}
    for path in record["paths"]:
        line = walked.setdefault(path["group"], [])
        for stroke in path["path"]:
            for place in stroke:
                card, _, local = place.partition(".")
                told = place if names is None else f"{names[card]}.{local}"
                if line[-1:] != [told]:
                    line.append(told)
    return walked


def test_every_card_of_the_grid_is_found(answer: dict[str, Any]) -> None:
    assert sorted(numbers(answer).values(), key=int) == [
        str(number) for number, card in enumerate(TRUTH["cards"]) if card["card"]
    ]


def test_every_line_is_read_and_given_to_its_group(answer: dict[str, Any]) -> None:
    assert lines(answer["scan"]["tableau"], numbers(answer)) == lines(TRUTH["tableau"])


def test_the_mission_is_ruled_on_as_it_lies_there(answer: dict[str, Any], tmp_path: Path) -> None:
    record = tmp_path / "true.json"
    record.write_text(json.dumps(TRUTH["tableau"]))
    true = json.loads(run_here("referee", record, "--json", "-").stdout)
    read = answer["ruling"]["mission"]
    assert (read["result"], read["goals"]) == (true["mission"]["result"], true["mission"]["goals"])


def test_a_line_that_ends_where_nobody_stops_is_asked_about(answer: dict[str, Any]) -> None:
    assert not answer["scan"]["sure"]
    assert any(question["name"].startswith("stops:") for question in answer["scan"]["questions"])
