"""A game is open, finished or given up, with any number of rounds: what leaves of it, and what counts."""

from __future__ import annotations

import csv
import io
import json
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree as Xml

import pytest
from alembic import command
from alembic.config import Config
from api_calls import json_of
from exchanged import export, play, rows_of, take
from flask.testing import FlaskClient
from sqlalchemy import create_engine, text

from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.http.services import KEY
from webapp.log.score_tables import BYTE_ORDER_MARK
from webapp.store.database import MIGRATIONS

#: Rounds written down, what is asked of the API, the state, whether somebody has won.
GAMES: dict[str, tuple[int, dict[str, bool], str, bool]] = {
    "not begun": (0, {}, "open", False),
    "open": (3, {}, "open", False),
    "finished": (3, {"finished": True}, "finished", True),
    "whole": (6, {}, "finished", True),
    "whole and ended": (6, {"finished": True}, "finished", True),
    "given up": (3, {"given_up": True}, "given-up", False),
    "given up at once": (0, {"given_up": True}, "given-up", False),
    "given up whole": (6, {"given_up": True}, "given-up", False),
    "ended at once": (0, {"finished": True}, "finished", False),
}
#: Those that leave without being asked for.
LEAVE = {"finished", "whole", "whole and ended"}


@pytest.fixture
def games(client: FlaskClient) -> dict[str, str]:
    """The ids of these games, by their titles."""
    ids = {}
    for title, (rounds, ending, _, _) in GAMES.items():
        ids[title] = play(client, "Aya", "Ken", rounds=rounds, title=title)["id"]
        change = {"notes": title, **ending}
        assert client.patch(f"/api/v1/games/{ids[title]}", json=change).status_code == 200
    return ids


def exported(client: FlaskClient, asked: str = "") -> dict[str, dict[str, Any]]:
    """What each way out says of each game, by title: its winners' names, and whether it is incomplete."""
    said: dict[str, dict[str, Any]] = {"xml": {}, "bgsplay": {}, "json": {}, "csv": {}}
    for game in Xml.fromstring(client.get(f"/api/v1/export/plays.xml{asked}").get_data()):
        title = game.findtext("comments", "").splitlines()[-1]
        winners = [each.get("name") for each in game.iter("player") if each.get("win") == "1"]
        said["xml"][title] = (winners, game.get("incomplete") == "1")
        assert game.get("incomplete") == game.get("nowinstats")
    file = json.loads(client.get(f"/api/v1/export/plays.bgsplay{asked}").get_data())
    names = {each["id"]: each["name"] for each in file["players"]}
    for each in file["plays"]:
        winners = [names[score["playerRefId"]] for score in each["playerScores"] if score["winner"]]
        said["bgsplay"][each["comments"].splitlines()[-1]] = (winners, each["ignored"])
    for each in json.loads(client.get(f"/api/v1/export/games.json{asked}").get_data()):
        said["json"][each["title"]] = (each["state"], each["incomplete"])
    table = client.get(f"/api/v1/export/rounds.csv{asked}").get_data().decode().removeprefix(BYTE_ORDER_MARK)
    for row in csv.DictReader(io.StringIO(table, newline="")):
        first = [row["player"]] if row["game_rank"] == "1" else []
        known, _ = said["csv"].get(row["title"], ([], ""))
        said["csv"][row["title"]] = (sorted({*known, *first}), row["game_state"])
    return said


def test_exports_take_finished_games(client: FlaskClient, games: dict[str, str]) -> None:
    said = exported(client)
    assert all(set(each) == LEAVE for each in said.values())
    for title in LEAVE:
        assert said["xml"][title] == said["bgsplay"][title] == (["Ken"], False)
        assert said["csv"][title] == (["Ken"], "finished")
        assert said["json"][title] == ("finished", False)


def test_others_leave_when_asked_for_as_incomplete_and_won_by_nobody(
    client: FlaskClient, games: dict[str, str]
) -> None:
    said = exported(client, "?unfinished=1")
    for title, (_, _, state, won) in GAMES.items():
        winners = ["Ken"] if won else []
        assert said["xml"][title] == said["bgsplay"][title] == (winners, not won), title
        assert said["csv"][title] == (winners, state), title
        assert said["json"][title] == (state, not won), title
    for title, game_id in games.items():
        alone = exported(client, f"?game={game_id}")
        assert alone == {way: {title: said[way][title]} for way in said}, "one game is asked for by its name"


def test_the_link_to_bg_stats_says_what_became_of_the_game(
    client: FlaskClient, games: dict[str, str]
) -> None:
    for title, words in {
        "open": "Not finished (3/6 rounds).\nopen",
        "given up": "Given up (3/6 rounds).\ngiven up",
        "finished": "finished",
    }.items():
        link = json_of(client.get(f"/api/v1/games/{games[title]}/bg-stats"))["link"]
        sent = json.loads(unquote(link.partition("data=")[2]))
        assert sent["comments"] == words
        assert [each["winner"] for each in sent["players"]] == [title == "finished", False]
        assert sent["players"][0]["rank"] == (1 if title == "finished" else 0)
    japanese = client.get("/api/v1/export/plays.xml?unfinished=1", headers={"Accept-Language": "ja"})
    assert "打ち切り(3/6 ラウンド)。" in japanese.get_data(as_text=True)


def test_statistics_count_games_with_a_result(client: FlaskClient, games: dict[str, str]) -> None:
    (ken,) = [each for each in json_of(client.get("/api/v1/persons")) if each["name"] == "Ken"]
    detail = json_of(client.get(f"/api/v1/persons/{ken['id']}"))
    assert {each["title"]: (each["rank"], len(each["rounds"])) for each in detail["games"]} == {
        "finished": (1, 3),
        "whole": (1, 6),
        "whole and ended": (1, 6),
    }
    assert (detail["statistics"]["wins"], detail["unfinished"]) == (3, 6)
    page = client.get(f"/players/{ken['id']}").text
    assert "6 games were not finished and do not count." in page


def test_pages_and_lists_crown_nobody_in_a_game_that_was_given_up(
    client: FlaskClient, games: dict[str, str]
) -> None:
    for title, (_, _, state, won) in GAMES.items():
        final = json_of(client.get(f"/api/v1/games/{games[title]}/final"))
        assert (final["state"], final["settled"]) == (state, won), title
        page = client.get(f"/games/{games[title]}/final").text
        assert ('class="winner"' in page) == (won or title == "open"), title
        assert ("Won by" in page) == won, title
    assert (
        json_of(client.get(f"/api/v1/games/{games['finished']}/final"))["verdict"] == "Ken wins with 19 VP."
    )
    told = "The game was given up; nobody has won."
    assert told in client.get(f"/games/{games['given up']}/final").text
    assert "This game was given up on" in client.get(f"/games/{games['given up']}").text
    history = {
        each["title"]: (each["state"], each["winners"])
        for each in json_of(client.get("/api/v1/history"))["games"]
    }
    assert history["given up whole"] == ("given-up", []) and history["finished"] == ("finished", ["Ken"])
    listed = client.get("/history").text
    for words in ("not begun", "after round 3", "ended after round 3", "given up"):
        assert words in listed
    for state in ("open", "finished", "given-up"):
        found = {each["title"] for each in json_of(client.get(f"/api/v1/games?state={state}"))}
        ended = {title for title, (_, ending, _, _) in GAMES.items() if ending}
        fits = {title for title, (_, _, each, _) in GAMES.items() if each == state}
        assert found == (set(GAMES) - ended if state == "open" else fits & ended)


def test_a_game_over_blanks_is_finished_and_won_by_nobody(client: FlaskClient) -> None:
    game = play(client, "Aya", "Ken", rounds=2, title="blank")
    entry = game["rounds"][1]["entries"][0]["id"]
    client.patch(f"/api/v1/entries/{entry}", json={"primary_vp": None})
    client.patch(f"/api/v1/games/{game['id']}", json={"finished": True, "notes": "blank"})
    assert exported(client)["xml"] == {"blank": ([], True)}
    assert not json_of(client.get(f"/api/v1/games/{game['id']}/final"))["settled"]


def test_a_game_is_taken_up_again_from_either_end(client: FlaskClient) -> None:
    address = f"/api/v1/games/{play(client, 'Aya', 'Ken', rounds=2)['id']}"

    def after(**change: bool) -> tuple[str, bool]:
        game = json_of(client.patch(address, json=change))
        return game["state"], game["finished_at"] is not None

    assert after(given_up=False) == ("open", False)
    assert after(finished=True) == ("finished", True)
    assert after(given_up=False) == ("finished", True), "it was not given up"
    assert after(given_up=True) == ("given-up", True)
    assert after(finished=True) == ("finished", True)
    assert after(given_up=True) == ("given-up", True)
    assert after(given_up=False) == ("open", False)
    assert after(given_up=True) == ("given-up", True)
    assert after(finished=False) == ("open", False)


def test_what_became_of_a_game_is_in_the_log(
    client: FlaskClient, games: dict[str, str], tmp_path: Any
) -> None:
    other = create_app(ServerConfig(data=tmp_path / "other", scan_workers=0))
    take(other.test_client(), export(client))
    there = rows_of(other)["game"]
    assert {row["title"] for row in there.values() if row["given_up"]} == {
        title for title, (_, _, state, _) in GAMES.items() if state == "given-up"
    }
    other.extensions[KEY].database.engine.dispose()


def test_a_database_from_before_is_opened_and_none_of_its_games_was_given_up(tmp_path: Any) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'waymark.sqlite3'}")
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0011")
        connection.execute(
            text(
                "INSERT INTO game (id, created_at, game, deck, title, location, notes, settings, version) "
                "VALUES ('old', '2026-01-01 00:00:00', 'mapmasters', '', 'old', '', '', '{}', 1)"
            )
        )
    engine.dispose()
    app = create_app(ServerConfig(data=tmp_path, scan_workers=0))
    assert {row["title"]: row["given_up"] for row in rows_of(app)["game"].values()} == {"old": False}
    app.extensions[KEY].database.engine.dispose()
