"""Photo to ruling: when a reading is sure, what is told beside the photo, and photos that cannot be read."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from long_rest import long_but
from numpy.typing import NDArray
from trial_card import one_card_catalogue

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue
from scorer.mapmasters import VersusSettings
from scorer.mapmasters.rules.terms import Terms, with_terms
from scorer.record import PlacedCard, Record, make_record
from vision.cards.pose import CardPose
from vision.questions import Question
from vision.scan import Scan, SeenPhoto
from waymark.cli.main import cli
from waymark.review.pipeline import scan_json, score_photo
from waymark.review.referee_cache import Table
from waymark.review.tableau.assess import Assessment, assess
from waymark.review.tableau.question_names import BROKEN_RULE, GAP


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    """One card: a corridor from left to right past a coin, and a branch with a monster that leads up."""
    return one_card_catalogue(
        [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
            {"id": "c1", "kind": "find", "find": "coin", "at": [15, 22]},
            {"id": "j1", "kind": "junction", "at": [31, 22]},
            {"id": "e1", "kind": "opening", "side": "right", "at": [63, 22]},
            {"id": "m1", "kind": "find", "find": "monster", "at": [31, 10]},
            {"id": "n1", "kind": "opening", "side": "top", "at": [31, 0]},
        ],
        [("w1", "c1"), ("c1", "j1"), ("j1", "e1"), ("j1", "m1"), ("m1", "n1")],
    )


ACROSS = ("0.w1", "0.c1", "0.j1", "0.e1")
UP = ("0.w1", "0.c1", "0.j1", "0.m1", "0.n1")


def tableau(*path: tuple[str, ...]) -> Record:
    return make_record((PlacedCard("C1", 0, 0),), path)


def scan_of(record: Record, *alternatives: tuple[Record, ...]) -> Scan:
    """A scan with one question for each group of other readings."""
    return Scan(
        photo=SeenPhoto(1000, 1000),
        tableau=record,
        cards=(CardPose("C1", 0, ((0, 0), (63, 0), (63, 88), (0, 88)), 1.0),),
        path_px=(),
        questions=tuple(
            Question("path", "0.j1", ("a", "b"), "why", "理由", None, others) for others in alternatives
        ),
        sure=not alternatives,
    )


NOTHING_TOLD = Terms()


def assessed(catalogue: Catalogue, scan: Scan, terms: Terms = NOTHING_TOLD, **settled: Any) -> Assessment:
    return assess(scan, Table(catalogue), terms, **settled)


def sure(catalogue: Catalogue, scan: Scan, terms: Terms = NOTHING_TOLD) -> bool:
    """Whether a doubt about the path is harmless, broken rules aside."""
    return assessed(catalogue, scan, terms, answered={BROKEN_RULE}).sure


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        pytest.param((ACROSS,), None, id="one line"),
        pytest.param(
            (("0.w1", "0.c1"), ("0.m1", "0.n1")), "0.m1", id="a second line that nothing joins to it"
        ),
        pytest.param((("0.w1", "0.e1"),), None, id="a gap within a line was drawn so"),
    ],
)
def test_lines_that_nothing_joins_are_asked_about(
    catalogue: Catalogue, path: tuple[tuple[str, ...], ...], asked: str | None
) -> None:
    now = assessed(catalogue, scan_of(tableau(*path)), answered={BROKEN_RULE})
    assert [(question.name, question.place) for question in now.open_questions] == (
        [] if asked is None else [(GAP, asked)]
    )
    assert now.sure == (asked is None)
    # what people say of a gap ends the doubt, on their word alone
    told = assessed(catalogue, scan_of(tableau(*path)), answered={BROKEN_RULE, GAP})
    assert not told.open_questions and told.sure
    assert told.as_said == (set() if asked is None else {"parted"})


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        pytest.param((ACROSS,), [], id="a legal path"),
        pytest.param((("0.w1", "0.c1", "0.w1"),), ["0.w1"], id="a path that turns back"),
    ],
)
def test_a_broken_rule_is_asked_about_before_it_is_told_as_sure(
    catalogue: Catalogue, path: tuple[tuple[str, ...], ...], asked: list[str]
) -> None:
    now = assessed(catalogue, scan_of(tableau(*path)))
    assert [question.place for question in now.open_questions] == asked
    assert now.sure == (not asked)


def test_a_reading_without_questions_is_sure(catalogue: Catalogue) -> None:
    assert sure(catalogue, scan_of(tableau(ACROSS)))


def test_a_doubt_that_cannot_change_the_score_leaves_it_sure(catalogue: Catalogue) -> None:
    back = tableau(ACROSS[::-1])
    assert sure(catalogue, scan_of(tableau(ACROSS), (back,)))


def test_a_doubt_that_changes_the_score_does_not(catalogue: Catalogue) -> None:
    stopped = tableau(("0.e1", "0.j1"))
    assert not sure(catalogue, scan_of(tableau(ACROSS), (tableau(ACROSS[::-1]), stopped)))


@pytest.mark.parametrize("other", [(("0.w1", "0.c1", "0.w1"),), (("0.e1", "0.j1"),)])
def test_another_reading_is_likelier_the_less_ink_and_rules_speak_against_it(
    catalogue: Catalogue, other: tuple[tuple[str, ...], ...]
) -> None:
    """The one breaks a rule, the other stops in the open."""

    def chance(behind: float) -> float:
        doubt = Question("path", "0.j1", ("a", "b"), "why", "理由", None, (tableau(*other),), behind)
        scan = replace(scan_of(tableau(ACROSS)), questions=(doubt,), sure=False)
        now = assessed(catalogue, scan, answered={BROKEN_RULE})
        return next((each.chance for each in now.causes if each.name == "path:0.j1"), 0.0)

    chances = [chance(behind) for behind in (0.0, 1.2, 3.5)]
    assert chances[0] >= chances[1] > chances[2] > 0


def test_a_question_without_another_reading_is_a_doubt(catalogue: Catalogue) -> None:
    assert not sure(catalogue, scan_of(tableau(ACROSS), ()))


def test_every_question_has_to_be_harmless(catalogue: Catalogue) -> None:
    back, stopped = tableau(ACROSS[::-1]), tableau(ACROSS[:3])
    assert not sure(catalogue, scan_of(tableau(ACROSS), (back,), (stopped,)))


def test_what_is_held_decides_whether_a_doubt_matters(catalogue: Catalogue) -> None:
    stops_at_monster = scan_of(tableau(UP[:4]), (tableau(UP[:3]),))
    assert sure(catalogue, stops_at_monster, Terms(fairy_tokens={"key": 1}))
    assert not sure(catalogue, stops_at_monster, Terms(fairy_tokens={"sword": 1}))


def test_a_scan_that_is_unsure_without_a_question_stays_so(catalogue: Catalogue) -> None:
    assert not sure(catalogue, replace(scan_of(tableau(ACROSS)), sure=False))


def test_what_is_told_is_put_into_the_record() -> None:
    terms = Terms({"key": 2}, ("SB-4",), primary="coin", secondary="pit")
    record = with_terms(tableau(ACROSS), terms)
    assert record.fairy_tokens == {"key": 2}
    assert record.spellbooks == ("SB-4",)
    assert (record.objectives.primary, record.objectives.secondary) == ("coin", "pit")
    assert record.path == (ACROSS,)


def test_a_score_says_what_settled_the_direction(catalogue: Catalogue) -> None:
    options = ("0.w1", "0.e1")
    asked = Question("direction", "0.w1", options, "why", "理由", None, (tableau(ACROSS[::-1]),))
    line = tuple((float(x), 22.0) for x in range(4))
    scan = replace(scan_of(tableau(ACROSS)), path_px=(line,), questions=(asked,), sure=False)
    now = assessed(catalogue, scan)
    assert now.ruling.direction is not None
    assert (now.ruling.direction.by, now.ruling.direction.turned) == ("same_score", False)
    assert now.sure


def test_a_score_whose_direction_was_read_says_nothing_of_it(catalogue: Catalogue) -> None:
    assert assessed(catalogue, scan_of(tableau(ACROSS))).ruling.direction is None


def test_house_rules_are_part_of_what_is_told(catalogue: Catalogue) -> None:
    scan = scan_of(tableau(ACROSS))
    assert assessed(catalogue, scan).ruling.placement == ()
    ruling = assessed(catalogue, scan, Terms(settings=VersusSettings(card_limit=0))).ruling
    assert [fault.rule for fault in ruling.placement] == ["too-many-cards"]


def test_other_readings_stay_inside_the_program(catalogue: Catalogue) -> None:
    scan = scan_of(tableau(ACROSS), (tableau(UP),))
    answer = scan_json(scan, assessed(catalogue, scan), "ja")
    (question,) = answer["questions"]
    assert "alternatives" not in question
    assert (question["about"], question["place"], question["reason"]) == ("path", "0.j1", "理由")
    assert answer["format"] == "waymark-scan/1"
    json.dumps(answer)


def test_cards_without_a_line_are_asked_about(tmp_path: Path) -> None:
    catalogue = load_catalogue(bundled_catalogue())
    table = np.full((1400, 1400, 3), (60, 90, 120), np.uint8)
    for column, card in enumerate(("D01", "D02")):
        face = cv2.imread(str(catalogue.art_path(catalogue.card(card))))
        assert face is not None
        table[300 : 300 + 704, 180 + column * 504 : 180 + (column + 1) * 504] = face
    result = score_photo(encoded(table), catalogue)
    assert [card.card for card in result.scan.cards] in (["D01", "D02"], ["D02", "D01"])
    assert result.scan.tableau.path == ()
    assert not result.scan.sure
    assert "No line was found" in result.scan.questions[-1].reason_en


# --- photos that cannot be read -----------------------------------------------------------------------------


def encoded(pixels: NDArray[Any], suffix: str = ".jpg") -> bytes:
    ok, packed = cv2.imencode(suffix, pixels)
    assert ok
    return packed.tobytes()


def noise(height: int, width: int) -> NDArray[np.uint8]:
    return np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8)


def wooden_table() -> NDArray[np.uint8]:
    """Boards with grain, and nothing on them."""
    rng = np.random.default_rng(2)
    grain = cv2.GaussianBlur(
        rng.normal(0, 40, (1500, 2000)).astype(np.float32), (0, 0), sigmaX=60, sigmaY=1.2
    )
    boards = np.repeat(rng.normal(0, 12, 10), 150)[:, None]
    wood = np.array([60, 100, 150]) + (grain * 4 + boards)[..., None]
    made: NDArray[np.uint8] = np.clip(wood + rng.normal(0, 4, (1500, 2000, 3)), 0, 255).astype(np.uint8)
    return made


def other_cards() -> NDArray[np.uint8]:
    """Four cards of another game: card shapes with strange pictures on the wooden table."""
    table, rng = wooden_table(), np.random.default_rng(3)
    for column in range(4):
        face = cv2.resize(
            rng.integers(0, 256, (9, 7, 3), np.uint8), (378, 528), interpolation=cv2.INTER_CUBIC
        )
        for _ in range(40):
            centre = (int(rng.integers(0, 378)), int(rng.integers(0, 528)))
            colour = tuple(int(part) for part in rng.integers(0, 256, 3))
            cv2.circle(face, centre, int(rng.integers(5, 50)), colour, int(rng.integers(1, 9)), cv2.LINE_AA)
        table[450 : 450 + 528, 150 + column * 430 : 150 + column * 430 + 378] = face
    return table


def png_that_claims_a_size(width: int, height: int) -> bytes:
    """A PNG header with next to no picture behind it."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b""))
        + chunk(b"IEND", b"")
    )


BAD_PHOTOS: list[tuple[str, Callable[[], bytes], int]] = [
    ("empty", lambda: b"", 3),
    ("text", lambda: b"This is a shopping list, not a photo.\n", 3),
    ("cut off", lambda: encoded(noise(600, 800))[:20_000], 3),
    ("only a JPEG's first bytes", lambda: b"\xff\xd8\xff\xe0", 3),
    ("a PNG cut off", lambda: encoded(noise(300, 400), ".png")[:9000], 3),
    ("one pixel", lambda: encoded(noise(1, 1), ".png"), 4),
    ("20,000 by 20,000", lambda: encoded(np.zeros((20_000, 20_000), np.uint8), ".png"), 3),
    ("a header that claims 60,000 by 60,000", lambda: png_that_claims_a_size(60_000, 60_000), 3),
    ("a black picture", lambda: encoded(np.zeros((1200, 1600, 3), np.uint8)), 4),
    ("a table with no cards", lambda: encoded(wooden_table()), 4),
    ("noise", lambda: encoded(noise(1200, 1600)), 4),
    ("cards of another game", lambda: encoded(other_cards()), 4),
]


@pytest.mark.parametrize(
    ("make", "status"),
    long_but([row[1:] for row in BAD_PHOTOS], 0, 1, 2, 3, 4, 5, 6, 7, 8),
    ids=[row[0] for row in BAD_PHOTOS],
)
def test_a_photo_that_gives_no_score_gets_one_sentence(
    tmp_path: Path, make: Callable[[], bytes], status: int
) -> None:
    file = tmp_path / "photo.jpg"
    file.write_bytes(make())
    result = CliRunner().invoke(cli, ["score", str(file), "--json", "-"])
    assert result.exit_code == status, result.stderr
    error = json.loads(result.stdout)["error"]
    assert error["code"] != "internal"
    assert result.stderr == f"waymark: {error['message']}\n"
    in_japanese = CliRunner().invoke(cli, ["scan", str(file), "--lang", "ja"])
    assert in_japanese.exit_code == status
    assert in_japanese.stdout == ""
    assert any(ord(letter) > 0x3000 for letter in in_japanese.stderr)


def test_a_folder_is_no_photo(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["score", str(tmp_path), "--json", "-"])
    assert result.exit_code == 3
    assert json.loads(result.stdout)["error"]["code"] == "no-file"
