"""`waymark referee` tells the mode of Map Masters from the record, and takes cooperative ones like any
other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_runs import run_here, write_deck
from dungeons import card

NOTATION = "cooperative | K^@0,0 B^@63,0 | blue key=1 | blue 0:w1 key1 padlock1 e1 1:w1 | mission=M01"
MISSION = {
    "format": "waymark-mission/1",
    "name": {"en": "Keys", "ja": "鍵"},
    "goals": [{"id": "keys", "card": "B", "at": ["w1"], "requires": {"key": 2}}],
}


@pytest.fixture
def deck(tmp_path: Path) -> str:
    boss = card("B", "w1 j1 e1") | {"kind": "boss"}
    folder = Path(write_deck(tmp_path / "deck", card("K", "w1 key1 padlock1 e1"), boss))
    (folder / "missions").mkdir()
    (folder / "missions" / "M01.json").write_text(json.dumps(MISSION), "utf-8")
    return str(folder)


def table(**fields: Any) -> dict[str, Any]:
    told = {
        "format": "waymark-tableau/1",
        "mode": "cooperative",
        "cards": [
            {"card": "K", "x": 0, "y": 0, "rotation": 0},
            {"card": "B", "x": 63, "y": 0, "rotation": 0},
        ],
        "groups": [{"group": "blue", "fairy_tokens": {"key": 1}}],
        "paths": [{"group": "blue", "path": [["0.w1", "0.key1", "0.padlock1", "0.e1", "1.w1"]]}],
        "mission": "M01",
    }
    return told | fields


def ruled(deck: str, record: Any, *more: str, status: int = 0) -> Any:
    text = record if isinstance(record, str) else json.dumps(record)
    result = run_here("referee", "-", "--catalogue", deck, "--json", "-", *more, input=text)
    assert result.exit_code == status, result.stdout
    return json.loads(result.stdout)


def test_a_cooperative_record_is_ruled_on_as_one(deck: str) -> None:
    ruling = ruled(deck, table(difficulty="easy"))
    assert (ruling["format"], ruling["mode"], ruling["difficulty"]) == (
        "waymark-ruling/1",
        "cooperative",
        "easy",
    )
    mission = ruling["mission"]
    assert (mission["id"], mission["result"], mission["reason"]) == ("M01", "won", "all-goals")
    assert (mission["path"], mission["group"]) == (0, "blue")
    assert mission["needed"] == ["keys"] and mission["goals"] == {"keys": "blue"}
    (group,), (path,) = ruling["groups"], ruling["paths"]
    assert (group["ended"], group["stands"], group["reached"]) == ("goal", "1.w1", ["keys"])
    assert group["tokens"] == {"key": 1} and group["counts"]["key"] == 2
    assert [(paid["at"], paid["means"]) for paid in group["spent"]] == [("0.padlock1", "key")]
    assert (path["ended"], path["goal"], path["last_place"]) == ("goal", "keys", "1.w1")
    assert ruling["violations"] == ruling["placement"] == ruling["setup"] == []


def test_the_difficulty_is_the_records_and_else_what_is_told(deck: str) -> None:
    assert ruled(deck, table())["paths"][0]["missing"] == {"key": 1}
    assert ruled(deck, table(), "--term", "difficulty=easy")["mission"]["result"] == "won"
    assert ruled(deck, table(difficulty="hard"), "--term", "difficulty=easy")["mission"]["result"] == "lost"


def test_a_house_rule_of_this_mode_is_told_for_it(deck: str) -> None:
    broken = table(paths=[{"group": "blue", "path": [["0.w1", "0.e1"]]}])
    assert ruled(deck, broken)["mission"]["reason"] == "broken-rule"
    told = ruled(deck, broken, "--house", "broken_rule=open")
    assert (told["mission"]["result"], told["settings"]) == ("open", {"broken_rule": "open"})
    assert run_here("referee", "-", "--house", "no_rule=1", input="{}").exit_code == 2


def test_the_mission_may_stand_in_the_record(deck: str) -> None:
    mission = MISSION | {"id": "Mine", "lose": {"declared": ["alarm"]}}
    told = ruled(deck, table(mission=mission, declared=["alarm"], difficulty="easy"))["mission"]
    assert (told["id"], told["result"], told["reason"]) == ("Mine", "lost", "mission:alarm")


def test_the_notation_is_read_and_written(deck: str) -> None:
    assert ruled(deck, NOTATION, "--notation")["notation"] == NOTATION
    assert ruled(deck, table(), "--notation")["notation"] == NOTATION
    shown = run_here("referee", "-", "--catalogue", deck, "--notation", input=NOTATION).stdout
    assert shown == f"{NOTATION}\n"


def test_the_steps_say_whose_path_it_is_how_it_ended_and_what_is_missing(deck: str) -> None:
    told = ruled(deck, NOTATION, "--explain")["told"]
    assert told[0]["what"].startswith("Path 1, blue: Started at")
    assert told[-1]["what"].endswith("without what is asked for there: 1 key. The mission is lost.")
    assert told[-1]["what_ja"].endswith("求められたものが足りません(鍵 あと 1)。ミッションは失敗です。")
    shown = run_here("referee", "-", "--catalogue", deck, "--explain", input=NOTATION).stdout
    assert "blue still needs 1 key" in " ".join(shown.split())
    japanese = run_here("referee", "-", "--catalogue", deck, "--explain", "--lang", "ja", input=NOTATION)
    assert "青: 鍵 あと 1" in japanese.stdout and "ミッション失敗" in japanese.stdout


def test_records_of_both_modes_in_one_call(deck: str, tmp_path: Path) -> None:
    files = [tmp_path / "a.txt", tmp_path / "b.txt", tmp_path / "c.json"]
    files[0].write_text("K^@0,0 | 0:w1 key1 padlock1 e1")
    files[1].write_text(NOTATION)
    files[2].write_text(json.dumps(table(groups=[])))
    result = run_here("referee", *files, "--catalogue", deck, "--json", "-")
    versus, cooperative, refused = json.loads(result.stdout)
    assert result.exit_code == 0 and versus["escaped"] is True
    assert cooperative["mission"]["reason"] == "requirement"
    assert refused["error"]["code"] == "unknown-group"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"format": "waymark-tableau/2"}, "not-a-record"),
        ({"cards": [{"card": None, "x": 0, "y": 0}]}, "not-a-record"),
        ({"cards": [{"card": "K", "x": "far", "y": 0}]}, "not-a-record"),
        ({"cards": [{"card": "K", "x": 0, "y": 0, "rotation": 45}]}, "not-a-record"),
        ({"cards": [{"card": "K9", "x": 0, "y": 0}]}, "unknown-card"),
        ({"difficulty": "nightmare"}, "not-a-record"),
        ({"mission": "M99"}, "unknown-mission"),
        ({"mission": {}}, "not-a-record"),
        ({"mission": {"format": "waymark-mission/2"}}, "not-a-mission"),
        ({"mission": MISSION | {"layout": [["K", "/"]]}}, "unknown-card"),
        ({"mission": MISSION | {"layout": [[""]]}}, "not-a-mission"),
        ({"mission": MISSION | {"starts": ["up"]}}, "not-a-mission"),
        (
            {"mission": MISSION | {"goals": [{"id": "a", "card": "B", "requires": {"gold": 1}}]}},
            "unknown-objective",
        ),
        (
            {"mission": MISSION | {"goals": [{"id": "a", "card": "B", "requires": {"key": -1}}]}},
            "not-a-mission",
        ),
        (
            {"mission": MISSION | {"goals": [{"id": "a", "card": "B", "requires": {"key": []}}]}},
            "not-a-mission",
        ),
        (
            {"mission": MISSION | {"goals": [{"id": "a", "card": "B", "requires": {"artifacts": 1}}]}},
            "not-a-mission",
        ),
        ({"mission": MISSION | {"goals": [{"id": "a", "card": "B", "at": ["w7"]}]}}, "unknown-place"),
        ({"mission": MISSION | {"win": {"goals": ["gold"]}}}, "unknown-goal"),
        ({"house": {"luck": True}}, "unknown-setting"),
        ({"house": {"step_start": "door"}}, "bad-setting"),
        ({"house": {"token_supply": -1}}, "bad-setting"),
        ({"turn": {"hand": -1}}, "not-a-record"),
        ({"groups": [{"group": "blue", "fairy_tokens": {"key": -1}}]}, "unknown-token"),
        ({"groups": [{"group": "blue", "fairy_tokens": {"coin": 1}}]}, "unknown-token"),
        ({"groups": [{"group": "blue", "spellbooks": ["SB-40"]}]}, "unknown-spellbook"),
        ({"groups": [{"group": "blue", "start": {"cell": [0], "side": "left", "at": 22}}]}, "not-a-record"),
        ({"groups": [{"group": "blue", "start": "5.w1"}]}, "unknown-place"),
        ({"groups": [{"group": "blue"}, {"group": "blue"}]}, "not-a-record"),
        ({"paths": [{"group": "red", "path": []}]}, "unknown-group"),
        ({"paths": [{"group": "blue", "path": [["0.w7"]]}]}, "unknown-place"),
        ({"paths": [{"group": "blue", "path": [], "goal": "gold"}]}, "unknown-goal"),
        ({"paths": [{"group": "blue"}] * 1_001}, "record-too-large"),
        ({"paths": [{"group": "blue", "path": [["0.w1"] * 20_001]}]}, "record-too-large"),
    ],
)
def test_what_cannot_be_read_ends_with_3_and_a_sentence(deck: str, fields: dict[str, Any], code: str) -> None:
    error = ruled(deck, table(**fields), status=3)["error"]
    assert error["code"] == code and error["message"].endswith(".")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("cooperative", "not-a-notation"),
        ("cooperative | | |", "not-a-notation"),
        ("cooperative | K^@0,0 | | | | more", "not-a-notation"),
        ("cooperative | K@0,0", "not-a-notation"),
        ("cooperative | K^@0,0 | blue key=many", "not-a-notation"),
        ("cooperative | K^@0,0 | blue took=0:key1", "not-a-notation"),
        ("cooperative | K^@0,0 | blue ; ; red", "not-a-notation"),
        ("cooperative | K^@0,0 | blue | blue w1", "not-a-notation"),
        ("cooperative | K^@0,0 | blue | blue 0:w1 sketches=yes", "not-a-notation"),
        ("cooperative | K^@0,0 | blue | | hard", "not-a-notation"),
        ("cooperative | K^@0,0 | blue | | level=hard", "not-a-notation"),
        ("cooperative | K^@0,0 | blue | | origin=here", "not-a-notation"),
        ("cooperative | K^@0,0 | blue | | turn=Eva/some", "not-a-notation"),
        ("cooperative | K^@0,0 | blue | | mission=%7B", "not-a-mission"),
        ("cooperative | K^@0,0 | blue | | difficulty=nightmare", "bad-setting"),
    ],
)
def test_notation_that_cannot_be_read_ends_with_3(deck: str, text: str, code: str) -> None:
    assert ruled(deck, text, status=3)["error"]["code"] == code


@pytest.mark.parametrize("content", ["{", "[]", '{"format": "waymark-mission/9"}', ""])
def test_a_mission_file_that_is_none(deck: str, content: str) -> None:
    (Path(deck) / "missions" / "M01.json").write_text(content)
    assert ruled(deck, table(), status=3)["error"]["code"] == "not-a-mission"


def test_goals_of_a_card_name_its_places(tmp_path: Path) -> None:
    boss = card("B", "w1 j1 e1") | {"kind": "boss", "goals": [{"id": "a", "at": ["w7"]}]}
    deck = write_deck(tmp_path / "deck", boss)
    record = "cooperative | B^@0,0"
    assert ruled(str(deck), record, status=3)["error"]["code"] == "broken-catalogue"
    found = json.loads(run_here("deck", "check", deck, "--json", "-").stdout)
    assert any("w7" in json.dumps(finding) for finding in found["findings"])


def test_a_hint_tells_who_can_still_meet_what(deck: str, tmp_path: Path) -> None:
    file = tmp_path / "table.json"
    file.write_text(json.dumps(table(mission="M01", paths=[])), "utf-8")
    result = run_here("hint", file, "--catalogue", deck, "--json", "-")
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    assert (answer["format"], answer["winnable"]) == ("waymark-hint/1", True)
    (goal,) = answer["goals"]
    assert [(way["group"], way["state"]) for way in goal["ways"]] == [("blue", "way")]
    told = run_here("hint", file, "--catalogue", deck, "--lang", "ja")
    assert "ミッションはまだ成功できます。" in told.stdout
    assert "青グループ" in told.stdout


def test_a_versus_record_gets_no_hint(deck: str, tmp_path: Path) -> None:
    file = tmp_path / "versus.txt"
    file.write_text("K^@0,0 | 0:w1 key1", "utf-8")
    result = run_here("hint", file, "--catalogue", deck)
    assert result.exit_code == 2
    assert "no cooperative table" in result.stderr
