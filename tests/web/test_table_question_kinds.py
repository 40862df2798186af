"""Every kind of question about a table of groups, asked and answered over the API that its page talks to."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from typing import Any

import pytest
from api_calls import Call, Calls
from flask import Flask
from mission_play import asked_of, begin, buy, read_as_truth, text_of

import waymark.review.groups

#: What makes each question, and how its questions' names begin; None: it is answered in test_group_answers.
MADE_BY = {
    "card_questions": "card:",
    "line_questions": None,
    "owner_questions": "owner:",
    "doubt_questions": "stops:",
    "agreed_questions": "agreed:",
    "untold_question": "untold:",
    "open_question": "open:before",
    "looked_over": "open:",
    "order_question": None,
}


@pytest.fixture
def phone(app: Flask) -> Call:
    return Calls(app.test_client())


def _pens_alike(scan: dict[str, Any]) -> None:
    for number, line in enumerate(scan["lines"]):
        line["owner"] = {"group": number, "others": [1 - number]}


def _scene(app: Flask, call: Any, made_by: str) -> str:
    """A table that asks a question of a kind."""
    table: str = begin(call)[1]
    if made_by != "untold_question":
        buy(call, table)
    match made_by:
        case "card_questions" | "open_question" | "looked_over":
            read_as_truth(app, table, "M02-won-1", doubt="S5-blue")
        case "owner_questions":
            read_as_truth(app, table, "M02-won-1", spoil=_pens_alike)
        case _:
            read_as_truth(app, table, "M02-won-1")
    match made_by:
        case "doubt_questions":
            read_as_truth(app, table, "M02-lost-2")
        case "agreed_questions":
            read_as_truth(app, table, "M02-won-2", short={"red": 6})
        case "open_question":
            read_as_truth(app, table, "M02-won-2", leaves_out="S5-blue")
        case "looked_over":
            version = call("GET", f"{table}/table")["version"]
            text = {"kind": "record", "text": text_of("M02-won-1")}
            call("POST", f"{table}/table", {"version": version, "change": text})
    return table


def test_each_builder_of_questions_has_a_table_that_asks_its_own() -> None:
    builders = {
        name
        for module in pkgutil.iter_modules(waymark.review.groups.__path__, "waymark.review.groups.")
        for name, made in inspect.getmembers(importlib.import_module(module.name), inspect.isfunction)
        if made.__module__ == module.name and made.__annotations__.get("return") in ("Asked", "list[Asked]")
    }
    assert builders == set(MADE_BY)


@pytest.mark.parametrize("made_by", [name for name, begins in MADE_BY.items() if begins is not None])
def test_every_answer_works_and_says_something_of_its_own(app: Flask, phone: Call, made_by: str) -> None:
    table = _scene(app, phone, made_by)
    asked = asked_of(phone, table)["questions"]
    found = [each for each in asked if each["name"].startswith(str(MADE_BY[made_by]))]
    assert found, [each["name"] for each in asked]
    question = found[0]
    japanese = app.test_client().get(f"/api/v1{table}/review", headers={"Accept-Language": "ja"}).get_json()
    for told in (question, *(e for e in japanese["reading"]["questions"] if e["name"] == question["name"])):
        labels = [option["label"] for option in told["options"]]
        assert len(labels) >= 2 and len({*labels}) == len(labels) and all(labels)
    for option in question["options"]:
        version = phone("GET", f"{table}/table")["version"]
        given = {"question": question["name"], "option": option["number"], "version": version}
        told = phone("POST", f"{table}/answers", given)["reading"]
        again = [each for each in told["questions"] if each["name"] == question["name"] and not each["left"]]
        assert not again, option
        if option["number"] < 0:
            assert not told["sure"], "what is left open is not sure"
        phone("POST", f"{table}/undo", {"version": phone("GET", f"{table}/table")["version"]})
