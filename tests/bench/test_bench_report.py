"""What a run tells: groups, what confidence is worth, what changed since another run, and the page of it."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from cli_runs import run_here
from PIL import Image
from shared_readings import open_deck, photo_file, reading_of

from scorer.errors import WaymarkError
from scorer.record import make_record
from scorer.text import Language
from waymark.bench.comparison import comparison, read_report, sign_test
from waymark.bench.doubts import stands_likely
from waymark.bench.groups import HARD_AND_WILD, grouped, groups_of
from waymark.bench.metric import Measured
from waymark.bench.page import write_page
from waymark.bench.players import Asked, Played, Truth
from waymark.bench.reliability import curve
from waymark.bench.report import report
from waymark.bench.truth import TRUTH_SUFFIX, Seen, deck_of, read_truth
from waymark.bench.worst import draw_as_it_is, draw_as_read, picture_files, worst
from waymark.review.referee_cache import Table

RIGHT = Measured(
    "right.jpg",
    1,
    cards_right=1,
    tableau_exact=True,
    path_exact=True,
    counts_exact=True,
    escape_right=True,
    sure=True,
)
WRONG = replace(RIGHT, photo="wrong.jpg", counts_exact=False, path_exact=False)
DOUBTED = replace(WRONG, photo="doubted.jpg", sure=False)


def plain(rows: list[Measured]) -> dict[str, Any]:
    """A report as it is written and read again."""
    made: dict[str, Any] = json.loads(msgspec.json.encode(report(rows)))
    return made


# --- groups -------------------------------------------------------------------------------------------------


def test_a_photo_is_in_a_group_for_each_word_and_each_yes_or_no_of_its_sample() -> None:
    sample = {
        "tier": "wild",
        "sleeves": "matte",
        "low_light": True,
        "messenger": False,
        "ghost": "",
        "seed": 7,
        "hidden": ["1.w1"],
        "light": {"kind": "lamp", "kelvin": 3000.0, "deep": {"er": "no"}},
        "told": "a description that is longer than any name of a group",
    }
    assert groups_of(Seen(make_record((), (), catalogue="open"), (), sample=sample)) == {
        "deck": "open",
        "tier": "wild",
        "sleeves": "matte",
        "low_light": "true",
        "messenger": "false",
        "ghost": "",
        "light.kind": "lamp",
    }


def test_groups_are_counted_each_for_itself_and_hard_ones_together() -> None:
    tiers = ("easy", "hard", "wild", "wild")
    rows = [
        replace(row, groups={"tier": tier, "deck": "open", "split": "tuning", "glare": glare})
        for row, tier, glare in zip(
            (RIGHT, RIGHT, WRONG, DOUBTED), tiers, ("", "", "stripe", ""), strict=True
        )
    ]
    groups = report([*rows, RIGHT])["groups"]
    assert list(groups) == ["tier", "deck", "glare"], "one split is no group"
    assert {tier: told["photos"] for tier, told in groups["tier"].items()} == {
        "easy": 1,
        "hard": 1,
        "wild": 2,
        HARD_AND_WILD: 3,
    }
    assert groups["tier"][HARD_AND_WILD]["sure_and_wrong_count"] == 1
    assert groups["glare"]["stripe"]["counts_exact"] == 0.0
    assert grouped([RIGHT]) == {}


def test_truths_name_the_deck_that_they_are_read_with() -> None:
    deck = open_deck()
    other = msgspec.structs.replace(deck, name="other")
    of = {name: Seen(make_record((), (), catalogue=name), ()) for name in ("open", "other", "none")}
    assert deck_of(of["open"], [other, deck]) is deck
    assert deck_of(of["other"], [deck, other]) is other
    assert deck_of(of["none"], [other, deck]) is other


# --- what confidence is worth -------------------------------------------------------------------------------


def test_a_confidence_that_keeps_its_word_is_on_the_line() -> None:
    told = curve([(0.85, k < 17) for k in range(20)] + [(1.0, True)] * 10)
    assert told["count"] == 30 and told["gap"] == pytest.approx(0)
    assert [(each["count"], each["right"]) for each in told["bins"]] == [(20, 0.85), (10, 1.0)]
    assert all(each["low"] < each["predicted"] <= each["high"] for each in told["bins"])


def test_a_confidence_that_is_too_sure_of_itself_is_seen() -> None:
    told = curve([(0.98, k < 10) for k in range(20)])
    assert told["gap"] == pytest.approx(0.48)
    assert told["bins"][0]["high"] < 0.98


def test_what_stands_is_as_likely_as_the_ink_says() -> None:
    assert stands_likely(0.0, 2) == pytest.approx(0.5)
    assert stands_likely(0.0, 4) == pytest.approx(0.25)
    assert stands_likely(5.0, 2) > 0.99


def test_cards_doubts_and_scores_are_held_against_what_came() -> None:
    rows = [
        replace(
            RIGHT,
            card_confidences=((0.99, True), (0.55, False)),
            doubt_confidences=((0.88, True), (0.88, False)),
        ),
        DOUBTED,
    ]
    told = report(rows)["reliability"]
    assert told["cards"]["count"] == 2
    assert [(each["count"], each["right"]) for each in told["doubts"]["bins"]] == [(2, 0.5)]
    assert told["scores"]["sure"]["right"] == 1.0 and told["scores"]["not_sure"]["right"] == 0.0


# --- two runs -----------------------------------------------------------------------------------------------


def test_two_runs_are_compared_photo_by_photo() -> None:
    before = plain([RIGHT, replace(WRONG, photo="b"), replace(DOUBTED, photo="c"), replace(RIGHT, photo="d")])
    now = plain([RIGHT, replace(RIGHT, photo="b"), replace(WRONG, photo="c"), replace(RIGHT, photo="e")])
    told = comparison(before, now)
    assert (told["photos"], told["only_before"], told["only_now"]) == (3, ["d"], ["e"])
    figures = told["figures"]
    assert (figures["counts_exact"]["better"], figures["counts_exact"]["worse"]) == (["b"], [])
    assert figures["counts_exact"]["before"] == pytest.approx(1 / 3)
    assert figures["counts_exact"]["now"] == pytest.approx(2 / 3)
    assert (figures["sure_and_wrong"]["better"], figures["sure_and_wrong"]["worse"]) == (["b"], ["c"])
    assert figures["marks_f1"]["better"] == figures["marks_f1"]["worse"] == []


def test_players_are_compared_that_answered_in_both_runs() -> None:
    question = Asked("a", "", 0, settles=True, changed=True, answers=2, again=False)
    ended = Played(right=True, sure=True)
    before = plain([replace(RIGHT, players={"careful": ended, "hurried": ended})])
    now = plain([replace(RIGHT, players={"hurried": replace(ended, right=False, asked=(question,))})])
    figures = comparison(before, now)["figures"]
    assert not any(name.startswith("careful") for name in figures)
    for name in ("hurried.right", "hurried.sure_and_wrong", "hurried.questions"):
        assert figures[name]["worse"] == ["right.jpg"], name


@pytest.mark.parametrize(
    ("better", "worse", "chance"),
    [(0, 0, 1.0), (1, 0, 1.0), (6, 0, 2 / 64), (8, 1, 20 / 512), (5, 5, 1.0), (2000, 0, 0.0)],
)
def test_how_often_chance_does_as_much(better: int, worse: int, chance: float) -> None:
    assert sign_test(better, worse) == pytest.approx(chance)
    assert sign_test(worse, better) == sign_test(better, worse)


@pytest.mark.parametrize("data", [b"", b"[]", b'{"format": "waymark-scan/1"}', b"\xff"])
def test_what_is_no_report_is_not_compared(data: bytes) -> None:
    with pytest.raises(WaymarkError, match=r"earlier\.json") as caught:
        read_report(data, "earlier.json")
    assert caught.value.exit_status == 2


# --- the worst photos, and the page -------------------------------------------------------------------------


def test_what_is_sure_and_wrong_comes_first_and_what_is_right_does_not_come() -> None:
    marks = replace(RIGHT, photo="marks.jpg", cards_extra=1)
    hurried = replace(RIGHT, photo="hurried.jpg", players={"hurried": Played(sure=True)})
    unread = Measured("unread.jpg", 3, error="no card")
    rows = [RIGHT, marks, DOUBTED, unread, hurried, WRONG]
    assert [row.photo for row in worst(rows)] == [
        "wrong.jpg",
        "hurried.jpg",
        "unread.jpg",
        "doubted.jpg",
        "marks.jpg",
    ]


def test_a_photo_is_drawn_as_it_was_read_and_as_it_is(tmp_path: Path) -> None:
    photo = photo_file("table-07")
    truth = Truth(read_truth(photo.with_name(f"table-07{TRUTH_SUFFIX}"), [open_deck()]), Table(open_deck()))
    # Half of the line was not seen.
    reading = reading_of("table-07")
    shorter = tuple(stroke[: len(stroke) // 2] for stroke in reading.tableau.path)
    half = replace(reading, tableau=msgspec.structs.replace(reading.tableau, path=shorter))
    read, true = (tmp_path / name for name in picture_files(1))
    draw_as_read(read, photo, half, truth, "en")
    draw_as_it_is(true, photo, truth, "en")
    with Image.open(read) as first, Image.open(true) as second:
        assert first.format == second.format == "JPEG"
        assert max(first.size) <= 1600 and min(first.size) > 500
        assert first.tobytes() != second.resize(first.size).tobytes()


def test_a_photo_with_nothing_to_score_is_shown_bare(tmp_path: Path) -> None:
    photo, file = photo_file("table-07"), tmp_path / "true.jpg"
    draw_as_it_is(file, photo, Truth(Seen(make_record((), ()), ()), Table(open_deck())), "en")
    with Image.open(file) as shown, Image.open(photo) as taken:
        assert max(shown.size) == 1600
        small = taken.convert("RGB").resize(shown.size)
        difference = np.abs(np.asarray(small, float) - np.asarray(shown, float))
    assert difference.mean() < 6


class _Parts(HTMLParser):
    """What a page shows and links to."""

    def __init__(self) -> None:
        super().__init__()
        self.files: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.files |= {value for name, value in attributes if name in ("src", "href") and value}

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_page_shows_figures_and_pictures_that_lie_beside_it(tmp_path: Path, language: Language) -> None:
    question = Asked("path:faint:0.<d1>", "0.d1", 2, settles=False, changed=False, answers=2, again=False)
    end = Played(sure=True, asked=(question,))
    odd = replace(
        WRONG, photo="<b>.jpg", groups={"tier": "wild", "sleeves": "matte"}, players={"careful": end}
    )
    fine = replace(RIGHT, groups={"tier": "easy"}, players={"careful": Played(right=True, sure=True)})
    for file in picture_files(1):
        (tmp_path / file).write_bytes(b"")
    told = plain([fine, odd])
    told["comparison"] = comparison(plain([replace(odd, sure=False)]), told)
    write_page(tmp_path, told, "photos & co", language)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    parts = _Parts()
    parts.feed(page)
    assert parts.files == {"reliability.png", *picture_files(1)}
    assert all((tmp_path / file).exists() for file in parts.files)
    for words in ("<b>.jpg", "photos & co", "sleeves: matte", "path:faint:0.<d1> → ?/2", "1 / 2 ≤97.5%"):
        assert words in parts.text
    assert "<b>.jpg" not in page, "names are escaped"
    with Image.open(tmp_path / "reliability.png") as diagram:
        assert len(diagram.convert("RGB").getcolors(1_000_000) or ()) > 5


# --- the command --------------------------------------------------------------------------------------------


@pytest.fixture
def two_photos(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A run of two photos without reading any; what the command asked for is kept."""
    asked: dict[str, Any] = {}

    def bench_folder(folder: Path, catalogues: Any, **wanted: Any) -> dict[str, Any]:
        asked.update(wanted, catalogues=[catalogue.name for catalogue in catalogues])
        ends = {player: Played(sure=True) for player in wanted["players"]}
        return report([replace(RIGHT, players=ends), replace(WRONG, players=ends)])

    monkeypatch.setattr("waymark.bench.folder.bench_folder", bench_folder)
    return asked


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["1 of 2 sure scores", "95% bound", "hurried: sure and wrong", "worse in something: 0"]),
        ("ja", ["確実とした 2 件のうち誤りは 1 件", "95% 上限", "急ぐ人: 確実として誤り", "前回"]),
    ],
)
def test_a_run_is_told_and_compared(
    two_photos: dict[str, Any], tmp_path: Path, language: str, words: list[str]
) -> None:
    first, page = tmp_path / "first.json", tmp_path / "new" / "page"
    assert run_here("bench", tmp_path, "--player", "hurried", "--json", first).exit_code == 0
    told = run_here(
        *("bench", tmp_path, "--player", "hurried", "--player", "none", "--jobs", 1),
        *("--compare", first, "--html", page, "--lang", language),
    )
    assert told.exit_code == 0, told.stderr
    for each in words:
        assert each in told.stdout
    assert (two_photos["players"], two_photos["jobs"]) == (["hurried"], 1)
    assert two_photos["catalogues"] == ["open"]
    assert str(page) in told.stdout.replace("\n", "") and (page / "index.html").exists()


@pytest.mark.parametrize(("language", "why"), [("en", "no card there"), ("ja", "カードがない")])
def test_photos_that_were_not_read_are_told_below_the_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: str, why: str
) -> None:
    unread = Measured("dark.jpg", 3, error="no card there" * 20, error_ja="カードがない" * 20)
    monkeypatch.setattr("waymark.bench.folder.bench_folder", lambda *_, **__: report([RIGHT, unread]))
    told = run_here("bench", tmp_path, "--lang", language).stdout
    rows = [line for line in told.splitlines() if line.startswith("│")]
    assert all("/" in row and "✓" in row for row in rows if "right.jpg" in row)
    assert "dark.jpg: " in told and why in told.replace("\n", "")


@pytest.mark.usefixtures("two_photos")
def test_what_is_no_run_is_told_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("well read")
    other = run_here("bench", tmp_path, "--compare", tmp_path / "note.txt")
    assert (other.exit_code, other.stdout) == (2, "")
    assert "--json" in other.stderr
    blocked = run_here("bench", tmp_path, "--html", tmp_path / "note.txt" / "page")
    assert (blocked.exit_code, blocked.stdout) == (3, "")
    assert blocked.stderr.count("\n") == 1
