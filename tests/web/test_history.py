"""What was played: final scores, games and photos found again, people, statistics, the bin."""

from __future__ import annotations

import io
import re
from datetime import UTC, datetime
from html import unescape
from itertools import pairwise
from typing import Any

import pytest
from api_calls import Calls, json_of
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from live_server import PHONE, PHOTOS, TABLET, LiveServer
from long_rest import long_but
from page_looks import faults, keep_screenshot
from PIL import Image
from played import write_scores
from put_readings import put_reading

from scorer.games import game_named
from webapp.games.digests import keep_digests
from webapp.games.history import days_meant
from webapp.games.plots import BAR_LABEL, HEIGHT, SCALE_GAP, WIDTH, bar_plot, line_plot
from webapp.games.statistics import PlayedGame, PlayedRound, player_statistics
from webapp.http.services import KEY, Services
from webapp.store.models import Game, Seat, Tableau

Score = dict[str, Any]


def play(call: Calls, scores: dict[str, Score], *, rounds: int = 6, **more: Any) -> Any:
    """A game in which everybody has the same score in every round."""
    colours = ("red", "blue", "green", "yellow", "purple")
    players = [{"name": name, "colour": colour} for name, colour in zip(scores, colours, strict=False)]
    game = call("POST", "/games", {"players": players, **more}, status=201)
    written = {
        entry["id"]: score
        for round_ in game["rounds"][:rounds]
        for entry, score in zip(round_["entries"], scores.values(), strict=True)
    }
    write_scores(call.client.application, written)
    return call("GET", f"/games/{game['id']}")


def points(primary: int, secondary: int = 0, *, escaped: bool = False, coins: int = 0) -> Score:
    return {"primary_vp": primary, "secondary_vp": secondary, "escaped": escaped, "coins_received": coins}


# --- the end of a game --------------------------------------------------------------------------------------


def test_every_column_of_the_end_says_where_it_comes_from(call: Calls) -> None:
    game = play(
        call, {"Aya": points(3, 3, escaped=True, coins=1), "Ken": points(4, 1), "Mo": points(1, escaped=True)}
    )
    call("PATCH", f"/entries/{game['rounds'][5]['entries'][2]['id']}", {"escaped": False})
    call("PATCH", f"/entries/{game['rounds'][0]['entries'][1]['id']}", {"time_bonus": True})
    final = call("GET", f"/games/{game['id']}/final")
    assert final["complete"] and final["winners"] == ["Aya"] and final["doubts"] == []
    assert final["verdict"] == "Aya wins with 33 VP."
    rows = {row["name"]: row for row in final["rows"]}
    assert [row["name"] for row in final["rows"]] == ["Aya", "Ken", "Mo"]
    columns = ("primary", "secondary_whole", "secondary", "time_bonus", "escapes", "escape_bonus")
    assert [rows["Aya"][column] for column in columns] == [18, 18, 9, 0, 6, 2]
    assert [rows["Ken"][column] for column in columns] == [24, 6, 3, 1, 0, 0]
    assert [rows["Mo"][column] for column in columns] == [6, 0, 0, 0, 5, 1]
    assert (rows["Aya"]["coins_left"], rows["Aya"]["coins"]) == (12, 4)
    assert [rows[name]["escape_why"] for name in rows] == ["most escapes", "no escape", "second most escapes"]


@pytest.mark.parametrize(
    ("scores", "decided_by", "english", "japanese"),
    [
        (
            {"あや": points(4, 2), "Ken": points(3, 4)},
            "secondary",
            "Ken wins: the totals are tied at 32 VP, and the higher secondary column decides.",
            "合計は 32 点で同点ですが、副目標の得点が高いKenの勝ちです。",
        ),
        (
            {"あや": points(4, 2), "Ken": points(4, 2)},
            "shared",
            "あや, Ken share the win: 32 VP each, and equal secondary columns.",
            "あや、Kenが勝利を分け合います。合計 32 点も副目標の得点も同じです。",
        ),
    ],
)
def test_how_a_tie_was_decided_is_said_in_words(
    client: FlaskClient, call: Calls, scores: dict[str, Score], decided_by: str, english: str, japanese: str
) -> None:
    game = play(call, scores)
    final = call("GET", f"/games/{game['id']}/final")
    assert (final["decided_by"], final["verdict"]) == (decided_by, english)
    page = client.get(f"/games/{game['id']}/final", headers={"Accept-Language": "ja"}).text
    assert japanese in page and "最終得点" in page


def test_nobody_has_won_while_something_is_open(client: FlaskClient, call: Calls) -> None:
    game = play(call, {"Aya": points(3), "Ken": points(2)})
    call("PATCH", f"/games/{game['id']}/rounds/6", {"hourglass": True})
    final = call("GET", f"/games/{game['id']}/final")
    assert final["complete"] and not final["settled"] and final["verdict"] == "Aya leads with 20 VP."
    page = client.get(f"/games/{game['id']}/final").text
    assert "This is not the final score: something is still open." in page
    assert '<h2 id="final-title">Standing so far</h2>' in page
    assert "Won by" not in client.get("/history").text
    call("PATCH", f"/games/{game['id']}", {"finished": True})
    assert "Won by" in client.get("/history").text
    ended = call("GET", f"/games/{game['id']}/final")
    assert ended["verdict"] == "Aya wins with 20 VP." and ended["doubts"], "ended by people as it stands"


def test_fewer_than_six_rounds_are_a_standing_so_far(client: FlaskClient, call: Calls) -> None:
    game = play(call, {"Aya": points(3), "Ken": points(2)}, rounds=4)
    final = call("GET", f"/games/{game['id']}/final")
    assert not final["complete"] and final["verdict"] == "Aya leads with 14 VP."
    page = client.get(f"/games/{game['id']}/final").text
    assert "This is not the final score: 4 of 6 rounds are entered." in page
    assert '<h2 id="final-title">Standing so far</h2>' in page
    for entry in game["rounds"][1]["entries"]:
        call("POST", f"/entries/{entry['id']}/follow-photo", {})
    page = client.get(f"/games/{game['id']}/final").text
    assert "3 of 6 rounds are entered." in page, "a round that was left out does not count"
    empty = play(call, {"Aya": points(3), "Ken": points(2)}, rounds=0)
    assert call("GET", f"/games/{empty['id']}/final")["winners"] == []
    assert client.get(f"/games/{empty['id']}/final").status_code == 200


def test_a_name_as_long_as_a_page_is_cut_and_told_whole(client: FlaskClient, call: Calls) -> None:
    name = "寿限無<b>" * 30
    game = play(call, {name: points(3), "Ken": points(2)})
    page = unescape(client.get(f"/games/{game['id']}/final").text)
    assert f"<span>{name[:39]}… " in page
    assert f'<p class="verdict" title="{name} ' in page
    call("POST", f"/entries/{game['rounds'][1]['entries'][0]['id']}/follow-photo", {})
    doubts = call("GET", f"/games/{game['id']}/final")["doubts"]
    assert doubts == [f"{name[:39]}…, round 2: some fields are empty."]


def test_what_may_still_change_the_score_is_said(app: Flask, client: FlaskClient, call: Calls) -> None:
    game = play(call, {"Aya": points(3), "Ken": points(2)})
    entry = game["rounds"][1]["entries"][0]["id"]
    call("POST", f"/entries/{entry}/follow-photo", {})
    photo = (PHOTOS / "table-07.jpg").read_bytes()
    sent = client.post("/api/v1/photos", data={"photo": (io.BytesIO(photo), "x.jpg"), "entry_id": entry})
    assert sent.status_code == 202
    first, second = (f"/entries/{game['rounds'][number]['entries'][1]['id']}" for number in (0, 1))
    call("PATCH", first, {"coins_received": 99})
    call("POST", f"{second}/purchases", {"kind": "other", "coins": 99}, status=201)
    call("PATCH", first, {"coins_received": 0})
    final = call("GET", f"/games/{game['id']}/final")
    assert final["doubts"] == [
        "Aya, round 2: the photo is still being read.",
        "Ken spent more coins than they had, so no coins count.",
    ]
    assert not final["complete"]


def test_a_game_is_finished_and_reopened(call: Calls) -> None:
    game = play(call, {"Aya": points(3), "Ken": points(2)})
    call("PATCH", f"/games/{game['id']}", {"finished": True})
    finished = call("GET", f"/games/{game['id']}/final")["finished_at"]
    assert finished is not None
    call("PATCH", f"/games/{game['id']}", {"finished": True})
    assert call("GET", f"/games/{game['id']}/final")["finished_at"] == finished
    call("PATCH", f"/games/{game['id']}", {"finished": False})
    assert call("GET", f"/games/{game['id']}/final")["finished_at"] is None


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_picture_of_the_end_holds_any_names(client: FlaskClient, call: Calls, language: str) -> None:
    names = ("寿限無" * 60, '🏆 "O\'Neill"', "<script>", "Ken\n2", "X")
    game = play(call, {name: points(index) for index, name in enumerate(names)}, title="卓" * 100)
    answer = client.get(f"/games/{game['id']}/final.png", headers={"Accept-Language": language})
    assert answer.mimetype == "image/png"
    with Image.open(io.BytesIO(answer.get_data())) as picture:
        assert picture.size[0] == 1080 and 800 < picture.size[1] < 2000
        assert len(picture.convert("RGB").getcolors(1 << 24) or []) > 50


@pytest.mark.parametrize(
    "sign", long_but(["\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}", "\u2764\ufe0f\u200d\N{FIRE}"], 0)
)
def test_joined_emoji_leave_nothing_behind_in_the_picture(
    client: FlaskClient, call: Calls, sign: str
) -> None:
    game = play(call, {"Aya": points(3), f"健太{sign}": points(2)})
    joined = client.get(f"/games/{game['id']}/final.png").get_data()
    call("PATCH", f"/seats/{game['seats'][1]['id']}", {"name": "健太"})
    assert client.get(f"/games/{game['id']}/final.png").get_data() == joined


def test_without_a_japanese_font_the_picture_is_in_english(
    client: FlaskClient, call: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = play(call, {"Aya": points(3), "Ken": points(2)})
    address = f"/games/{game['id']}/final.png"

    def picture(language: str) -> bytes:
        return client.get(address, headers={"Accept-Language": language}).get_data()

    english = picture("en")
    monkeypatch.setattr("waymark.picture.canvas.japanese_font_file", lambda: None)
    assert picture("ja") == english


# --- found again --------------------------------------------------------------------------------------------


def date_of(app: Flask, game: Any, moment: datetime) -> None:
    services: Services = app.extensions[KEY]
    with services.database.transaction() as session:
        session.get_one(Game, game["id"]).created_at = moment


@pytest.mark.both_databases
def test_games_are_found_by_every_word_and_come_newest_first(app: Flask, call: Calls) -> None:
    old = play(call, {"あや": points(3), "Ken": points(2)}, title="金曜の卓", location="高円寺")
    new = play(call, {"Aya 100%": points(3), "Mo": points(2)}, title="Café_1", rounds=1)
    date_of(app, old, datetime(2024, 5, 17, 12, tzinfo=UTC))
    call("PATCH", f"/games/{new['id']}", {"notes": "The rope! とても接戦"})

    def found(words: str, **more: str) -> list[str]:
        query = "&".join(f"{name}={value}" for name, value in more.items())
        return [game["id"] for game in call("GET", f"/history?q={words}&{query}")["games"]]

    assert found("") == [new["id"], old["id"]]
    for words in (
        "あや",
        "ken",
        "ｋｅｎ",
        "金曜",
        "高円寺",
        "2024",
        "2024-05",
        "2024/5/17",
        "2024年5月",
        "２０２４／５",
        "金曜 あや 2024-05-17",
    ):
        assert found(words) == [old["id"]], words
    for words in ("rope", "接戦", "100%25", "café_1", "mo ROPE"):
        assert found(words) == [new["id"]], words
    for words in ("あや mo", "2023", "2024-13", "%25%25", "fé-1"):
        assert found(words) == [], words
    person = next(seat["person_id"] for seat in old["seats"] if seat["name"] == "Ken")
    assert found("", person=person) == [old["id"]]
    call("DELETE", f"/games/{old['id']}")
    assert found("") == [new["id"]]


@pytest.mark.both_databases
def test_the_history_comes_in_pages(client: FlaskClient, call: Calls) -> None:
    games = [play(call, {"Aya": points(1), "Ken": points(2)}, rounds=0)["id"] for _ in range(21)]
    first, second, beyond = (call("GET", f"/history?page={page}") for page in ("1", "2", "999"))
    assert (first["pages"], first["total"], beyond["page"]) == (2, 21, 2)
    listed = [game["id"] for page in (first, second) for game in page["games"]]
    assert listed == games[::-1]
    for page in ("x", "-1"):
        call("GET", f"/history?page={page}", status=400)
    page = client.get("/history?page=2&q=aya").text
    assert 'rel="prev"' in page and 'rel="next"' not in page and "q=aya" in page


@given(st.dates(min_value=datetime(1990, 1, 1).date(), max_value=datetime(2100, 1, 1).date()))
def test_a_day_lies_in_its_month_and_year(day: Any) -> None:
    words = [f"{day.year}", f"{day.year}-{day.month}", day.isoformat()]
    spans = [days_meant(word) for word in words]
    for outer, inner in pairwise(spans):
        assert outer is not None and inner is not None
        assert outer[0] <= inner[0] < inner[1] <= outer[1]
    assert (
        days_meant("0001") is days_meant("9999") is days_meant("2024-13") is days_meant("2023-02-29") is None
    )
    assert days_meant(f"{day.year}年{day.month}月{day.day}日") == spans[2]


@pytest.mark.both_databases
def test_photos_are_found_by_player_game_card_and_date(app: Flask, client: FlaskClient, call: Calls) -> None:
    game = play(call, {"Aya": points(1), "Ken": points(2)}, title="Friday")
    photo = (PHOTOS / "table-07.jpg").read_bytes()
    entry = game["rounds"][2]["entries"][1]["id"]
    in_game, outside = (
        json_of(client.post("/api/v1/photos", data={"photo": (io.BytesIO(photo), "x.jpg"), **more}))[
            "tableau_id"
        ]
        for more in ({"entry_id": entry}, {})
    )
    services: Services = app.extensions[KEY]
    with services.database.transaction() as session:
        session.get_one(Tableau, outside).record = {"cards": [{"card": "D29", "x": 0, "y": 0, "rotation": 0}]}
    call("PATCH", f"/tableaus/{outside}", {"title": "看板", "notes": "the odd one"})

    def found(words: str, more: str = "") -> list[str]:
        return [each["tableau_id"] for each in call("GET", f"/history/photos?q={words}{more}")["photos"]]

    assert found("") == [outside, in_game]
    assert found("", "&outside=1") == found("d29") == found("看板") == found("odd") == [outside]
    assert found("ken") == found("friday ken") == [in_game]
    assert found("D2") == found("aya") == []
    assert len(found(str(datetime.now().year))) == 2
    (seen,) = call("GET", "/history/photos?q=ken")["photos"]
    assert (seen["round"], seen["seat"]["name"], seen["game_title"]) == (3, "Ken", "Friday")
    call("DELETE", f"/games/{game['id']}")
    assert found("") == [outside]


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "more", [{"deck": "open-labyrinth2"}, {"table": {"mission": "M02"}}], ids=["board", "table"]
)
def test_the_photo_of_what_all_share_is_found_by_every_player(
    client: FlaskClient, call: Calls, more: dict[str, Any]
) -> None:
    game = play(call, {"Aya": {}, "Ken": {}}, rounds=0, **more)
    photo = (PHOTOS / "table-07.jpg").read_bytes()
    entry = game["rounds"][0]["entries"][0]["id"]
    sent = json_of(
        client.post("/api/v1/photos", data={"photo": (io.BytesIO(photo), "x.jpg"), "entry_id": entry})
    )
    for name in ("Aya", "Ken"):
        (found,) = call("GET", f"/history/photos?q={name}")["photos"]
        assert (found["tableau_id"], found["shared"]) == (sent["tableau_id"], True)
    assert call("GET", "/history/photos?q=Ben")["photos"] == []


# --- people -------------------------------------------------------------------------------------------------


def person_of(game: Any, name: str) -> str:
    return next(str(seat["person_id"]) for seat in game["seats"] if seat["name"] == name)


def test_a_renamed_player_has_the_new_name_in_old_games_unless_it_is_taken(call: Calls) -> None:
    first = play(call, {"Aya": points(1), "Ken": points(2)}, rounds=1)
    second = play(call, {"Aya": points(1), "Maya": points(2)}, rounds=1)
    person = person_of(first, "Aya")
    assert call("PATCH", f"/persons/{person}", {"name": " Maya "})["name"] == "Maya"
    names = [
        [seat["name"] for seat in call("GET", f"/games/{game['id']}")["seats"]] for game in (first, second)
    ]
    assert names == [["Maya", "Ken"], ["Aya", "Maya"]]
    call("PATCH", f"/persons/{person}", {"name": "  "}, status=400)


@pytest.mark.both_databases
def test_two_entries_for_one_human_are_brought_together_and_apart_again(app: Flask, call: Calls) -> None:
    first = play(call, {"Aya": points(3), "Ken": points(2)})
    second = play(call, {"あや": points(1), "Ken": points(2)})
    aya, ayah = person_of(first, "Aya"), person_of(second, "あや")
    call("POST", f"/persons/{ayah}/merge", {"into": aya})
    statistics = call("GET", f"/persons/{aya}")["statistics"]
    assert (statistics["games"], statistics["wins"]) == (2, 1)
    assert [person["name"] for person in call("GET", "/persons")] == ["Aya", "Ken"]
    # A game of later is not touched by taking it back.
    call("POST", f"/persons/{ayah}/restore")
    assert call("GET", f"/persons/{aya}")["statistics"]["games"] == 1
    assert call("GET", f"/persons/{ayah}")["statistics"]["games"] == 1
    call("POST", f"/persons/{aya}/merge", {"into": aya}, status=400)
    call("POST", f"/persons/{aya}/merge", {"into": "nobody"}, status=404)


def test_a_player_in_the_bin_keeps_the_games(app: Flask, call: Calls) -> None:
    game = play(call, {"Aya": points(3), "Ken": points(2)})
    person = person_of(game, "Aya")
    call("DELETE", f"/persons/{person}")
    assert [each["name"] for each in call("GET", "/persons")] == ["Ken"]
    services: Services = app.extensions[KEY]
    with services.database.snapshot() as session:
        assert session.query(Seat).filter(Seat.person_id == person).count() == 1
    assert [each["name"] for each in call("GET", "/trash")["persons"]] == ["Aya"]
    call("POST", f"/persons/{person}/restore")
    assert call("GET", f"/persons/{person}")["statistics"]["games"] == 1


@pytest.mark.both_databases
def test_what_games_come_to_is_kept_until_they_change(app: Flask, call: Calls) -> None:
    database = app.extensions[KEY].database
    game = play(call, {"Ann": points(5), "Ben": points(3)})
    listed, person = call("GET", "/games"), person_of(game, "Ann")
    counted = call("GET", f"/persons/{person}")
    assert [sum(keep_digests(database)) for _ in range(2)] == [1, 0]
    assert (call("GET", "/games"), call("GET", f"/persons/{person}")) == (listed, counted)
    call("PATCH", f"/entries/{game['rounds'][0]['entries'][1]['id']}", points(50))
    assert call("GET", "/games")[0]["leaders"] == ["Ben"], "what is kept is out of date, and not told"
    assert call("GET", f"/persons/{person}")["statistics"]["wins"] == 0
    assert sum(keep_digests(database)) == 1


def test_only_whole_games_enter_statistics(call: Calls) -> None:
    play(call, {"Aya": points(3, 2, escaped=True, coins=2), "Ken": points(2)})
    play(call, {"Aya": points(9), "Ken": points(2)}, rounds=5)
    shared = play(call, {"Ken": points(2), "Aya": points(2)})
    detail = call("GET", f"/persons/{person_of(shared, 'Aya')}")
    statistics = detail["statistics"]
    assert (statistics["games"], detail["unfinished"]) == (2, 1)
    assert (statistics["wins"], statistics["shared_wins"], statistics["win_share"]) == (2, 1, 1.0)
    # 18 + 12/2 + 2 + (6 + 12)/3 and 12 + 6/3.
    assert (statistics["best_total"], statistics["mean_total"]) == (32, 23.0)
    assert (statistics["escapes"], statistics["escape_share"]) == (6, 0.5)
    assert statistics["mean_columns"] == {
        "primary": 15.0,
        "secondary": 3.0,
        "time_bonus": 0.0,
        "escape_bonus": 1.0,
        "coins": 4.0,
    }
    assert (statistics["coins_received"], statistics["mean_coins_left"]) == (12, 12.0)


# --- statistics and plots, without a server -----------------------------------------------------------------


RULES = game_named("mapmasters")


def played(total: int, rank: int = 1, rounds: list[PlayedRound] | None = None) -> PlayedGame:
    return PlayedGame(
        game_id=str(total),
        title="",
        played_at=datetime(2026, 1, 1, tzinfo=UTC),
        rank=rank,
        shared=False,
        players=2,
        total=total,
        columns={column.id: 1 for column in RULES.sheet.final_columns},
        coins_left=3,
        rounds=rounds or [],
    )


def test_nobody_without_games_has_means() -> None:
    nothing = player_statistics(RULES, [])
    assert (nothing.games, nothing.win_share, nothing.mean_total, nothing.best_game) == (0, None, None, None)
    assert nothing.objectives == [] and nothing.mean_columns == {}


def test_points_by_objective_count_both_columns_and_leave_out_what_is_not_written() -> None:
    def round_(primary: str | None, vp: int | None, secondary: str | None, whole: int | None) -> PlayedRound:
        return PlayedRound(
            terms={"primary": primary, "secondary": secondary},
            scores={"primary": vp, "secondary": whole, "escaped": None, "coins_received": 0},
        )

    rounds = [round_("key", 6, "pit", 3), round_("pit", 9, "key", None), round_(None, 4, "key", 2)]
    statistics = player_statistics(RULES, [played(1, rounds=rounds)])
    assert [(each.objective, each.rounds, each.points, each.mean) for each in statistics.objectives] == [
        ("pit", 2, 12, 6.0),
        ("key", 2, 8, 4.0),
    ]
    assert statistics.escape_share is None


@given(st.lists(st.integers(0, 12_000), min_size=1, max_size=60))
def test_a_line_stays_in_its_plot_and_higher_is_higher(values: list[int]) -> None:
    plot = line_plot(values)
    assert [dot.value for dot in plot.dots] == values
    assert all(0 <= dot.x <= WIDTH and 0 <= dot.y <= HEIGHT for dot in (*plot.dots, *plot.scale))
    # A digit of the scale's numbers is 8.3 units wide.
    assert all(8.3 * len(str(round(line.value))) <= line.x - SCALE_GAP for line in plot.scale)
    assert plot.scale[-1].value >= max(values) and 2 <= len(plot.scale) <= 8
    for one, other in pairwise(plot.dots):
        assert one.x < other.x
        assert (one.value < other.value) <= (one.y >= other.y)
    assert bool(plot.path) == (len(values) > 1)


@given(st.lists(st.floats(0, 100), max_size=12))
def test_bars_stay_in_their_plot(values: list[float]) -> None:
    plot = bar_plot([("key", value, "") for value in values])
    assert all(0 <= bar.length <= WIDTH - BAR_LABEL and 0 < bar.y < plot.height for bar in plot.bars)


# --- the bin ------------------------------------------------------------------------------------------------


def test_whatever_is_deleted_is_in_the_bin_and_comes_back(client: FlaskClient, call: Calls) -> None:
    game = play(call, {"Aya": points(1), "Ken": points(2)}, title="Friday", rounds=1)
    photo = (PHOTOS / "table-07.jpg").read_bytes()
    sent = [
        json_of(client.post("/api/v1/photos", data={"photo": (io.BytesIO(photo), "x.jpg")})) for _ in range(2)
    ]
    tableau, other = (each["tableau_id"] for each in sent)
    shot = sent[1]["shot"]["id"]
    call("DELETE", f"/games/{game['id']}")
    call("DELETE", f"/tableaus/{tableau}")
    call("DELETE", f"/tableaus/{other}/shots/{shot}", status=200)
    trash = call("GET", "/trash")
    assert [each["title"] for each in trash["games"]] == ["Friday"]
    assert [each["tableau_id"] for each in trash["tableaus"]] == [tableau]
    assert [each["shot_id"] for each in trash["shots"]] == [shot]
    assert call("GET", "/history/photos")["total"] == 0
    page = client.get("/trash").text
    for path in re.findall(r'data-restore="([^"]*)"', page):
        call("POST", path, {} if "/shots/" in path else None)
    assert not any(call("GET", "/trash").values())
    assert call("GET", "/history/photos")["total"] == 2 and call("GET", "/history")["total"] == 1


def test_a_photo_in_the_bin_takes_its_score_along_and_brings_it_back(app: Flask, call: Calls) -> None:
    game = play(call, {"Aya": points(1), "Ken": points(2)}, rounds=0)
    entry, round_ = f"/entries/{game['rounds'][0]['entries'][0]['id']}", f"/games/{game['id']}/rounds/1"
    call("PATCH", round_, {"primary": "sword"})
    put_reading(app, entry.removeprefix("/entries/"), "table-07")
    scored = call("GET", entry)
    assert scored["primary_vp"] == 2
    first = f"/tableaus/{scored['tableau_id']}"
    call("DELETE", first)
    assert call("GET", entry)["primary_vp"] is None
    # It comes back to what the round asks for now, and not where another one stands.
    call("PATCH", round_, {"primary": "pit"})
    second = call("POST", f"{entry}/tableau")["tableau_id"]
    call("POST", f"{first}/restore")
    assert call("GET", entry)["tableau_id"] == second
    for path in (first, f"/tableaus/{second}"):
        call("DELETE", path)
    call("POST", f"{first}/restore")
    back = call("GET", entry)
    assert back["tableau_id"] == scored["tableau_id"]
    assert back["primary_vp"] == back["ruled"]["primary_vp"] == 3


# --- in a browser -------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_game_is_found_put_away_brought_back_and_looked_at(new_page: Any, live: LiveServer) -> None:
    page = new_page(size=PHONE, language="ja", dark=True, accept_downloads=True)
    call = Calls(live.app.test_client())
    title = "履歴の卓 <b>"
    game = play(call, {"あや": points(4, 2, escaped=True), "寿限無" * 20: points(3, 4)}, title=title)
    for path in ("/history/photos", "/players", f"/players/{game['seats'][0]['person_id']}", "/exchange"):
        page.goto(path)
        assert not faults(page), path
    page.goto("/history")
    page.get_by_role("searchbox", name="検索").fill("履歴 あや")
    page.get_by_role("button", name="検索").click()
    row = page.locator(f"[data-game='{game['id']}']")
    page.wait_for_url("**/history?q=*")
    row.wait_for()
    assert page.locator("[data-game]").count() == 1
    keep_screenshot(page, "history-phone-ja-dark")
    assert not faults(page)

    row.get_by_text("メモと場所").click()
    row.get_by_label("メモ", exact=True).fill("とても接戦")
    row.get_by_role("button", name="保存").click()
    row.locator(".notes", has_text="とても接戦").wait_for()
    assert not row.get_by_label("メモ", exact=True).is_visible()

    row.get_by_role("button", name="ごみ箱").click()
    row.wait_for(state="hidden")
    assert page.locator("[data-count]").inner_text() == "0 ゲーム"
    page.get_by_role("button", name="取り消す").click()
    row.wait_for(state="visible")
    assert page.locator("[data-count]").inner_text() == "1 ゲーム"
    assert call("GET", f"/games/{game['id']}")["title"] == title

    row.get_by_role("button", name="ごみ箱").click()
    row.wait_for(state="hidden")
    page.goto("/trash")
    assert not faults(page)
    restore = page.get_by_role("button", name=re.compile("履歴の卓.*元に戻す"))
    restore.click()
    restore.wait_for(state="hidden")

    page.goto(f"/games/{game['id']}/final")
    page.get_by_role("heading", name="最終得点").wait_for()
    assert (
        "副目標の得点が高い" in page.locator(".verdict").inner_text()
        or "勝ち" in page.locator(".verdict").inner_text()
    )
    keep_screenshot(page, "final-phone-ja-dark")
    assert not faults(page)
    with page.expect_download() as download:
        page.locator("#picture").click()
    with Image.open(download.value.path()) as picture:
        assert picture.format == "JPEG" and picture.size[0] == 1080
    page.get_by_role("button", name="ゲームを終える").click()
    page.get_by_role("button", name="プレイを再開").wait_for()

    with page.expect_download() as download:
        page.goto("/exchange")
        page.get_by_role("link", name="すべて (zip)").click()
    log = download.value.path()
    page.locator("input[name=log]").set_input_files(str(log))
    page.get_by_role("button", name="取り込み", exact=True).click()
    page.get_by_text("ファイルの内容はすべて取り込み済みです。").wait_for()


@pytest.mark.long
def test_the_end_on_a_tablet_in_light(new_page: Any, live: LiveServer) -> None:
    page = new_page(size=TABLET)
    call = Calls(live.app.test_client())
    game = play(call, {"Aya": points(4, 2), "Ken": points(3, 4), "Mo": points(2, 2, escaped=True)})
    page.goto(f"/games/{game['id']}/final")
    keep_screenshot(page, "final-tablet-en-light")
    assert not faults(page)
    # On paper it is black on white, whatever the screen's colours are.
    page.emulate_media(media="print", color_scheme="dark")
    colours = page.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    assert colours == ["rgb(27, 36, 48)", "rgb(255, 255, 255)"]
    assert page.locator(".site-header").is_hidden() and page.locator("#print").is_hidden()
    keep_screenshot(page, "final-print")
    page.emulate_media(media="screen", color_scheme="light")
    page.goto(f"/players/{game['seats'][0]['person_id']}")
    keep_screenshot(page, "player-tablet-en-light")
    assert not faults(page)
    assert page.locator("svg.plot[role=img]").first.get_attribute("aria-labelledby")


# --- names --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "day"), [("en", r"\w{3}, \w{3} \d+"), ("ja", r"\d+月\d+日\(.\)")])
def test_a_game_is_called_by_who_played_and_when(call: Calls, language: str, day: str) -> None:
    """ "Mia 16 – Leo 10 · Sat, Nov 28": nobody has to think of a title to find an evening again."""
    ended = play(call, {"Mia": points(3, 2), "Leo": points(2)})
    call("PATCH", f"/games/{ended['id']}", {"finished": True})
    play(call, {"Ann": points(1), "Ben": points(2)}, rounds=1)
    titled = play(call, {"Zoe": points(1), "Kim": points(2)}, title="Last evening")

    def page(address: str) -> str:
        told = call.client.get(address, headers={"Accept-Language": language}).get_data(as_text=True)
        return unescape(re.sub(r"<[^>]+>", "", told))

    history = page("/history")
    totals = {row["name"]: row["total"] for row in call("GET", f"/games/{ended['id']}/final")["rows"]}
    assert re.search(rf"Mia {totals['Mia']} – Leo {totals['Leo']} · {day}", history)
    assert re.search(rf"(Ben|Ann)[,、] ?(Ann|Ben) · {day}", history), "nothing is decided: no totals"
    assert "Last evening" in history and not re.search(rf"Zoe.{{0,20}}{day}", history)
    assert re.search(rf"Mia[,、] ?Leo · {day}", page(f"/games/{ended['id']}"))
    assert "Last evening" in page(f"/games/{titled['id']}")
