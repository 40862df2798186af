"""What the picture of a shared table shows: each group's line in its ink, where it was cut, which goals are
met and which still wait."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from dungeons import card, catalogue
from PIL import Image

from scorer.mapmasters.cooperative.game import COOPERATIVE
from scorer.play_kinds import groups_of
from scorer.record import Marks, PlacedCard
from vision.cards.pose import CardPose
from vision.groups.pens import Owner
from vision.groups.scan import GroupScan, SeenLine
from vision.photo.decode import Photo
from vision.scan import SeenPhoto
from waymark.picture.table_overlay import draw_table, inks_of, signs_of, write_table
from waymark.review.groups import GroupAssessment, assess_groups

CARDS = catalogue(
    card("S", "w1 j1 key1 e1") | {"kind": "starter"},
    card("D", "w1 j1 e1") | {"kind": "step"},
    card("B", "w1 j1 e1") | {"kind": "boss"},
)
MISSION = {
    "format": "waymark-mission/1",
    "layout": [["S", "D", "B"]],
    "groups": ["green", "blue"],
    "steps": ["D"],
    "goals": [
        {"id": "key", "card": "B", "at": ["w1"], "requires": {"key": 1}},
        {"id": "coins", "card": "B", "at": ["e1"], "requires": {"coin": 2}},
    ],
}
PLACED = tuple(PlacedCard(name, 63.0 * column, 0.0, 0) for column, name in enumerate("SDB"))
TO_THE_KEY = ("0.w1", "0.j1", "0.key1", "0.e1", "1.w1", "1.j1", "1.e1", "2.w1")
#: Pixels to a millimetre, and how much of the table is seen about the cards.
SCALE, MARGIN = 6.0, 20.0


def read(*places: str, pens: tuple[str, str] = ("green", "blue")) -> GroupAssessment:
    def seen(x: float, y: float) -> tuple[float, float]:
        return (x + MARGIN) * SCALE, (y + MARGIN) * SCALE

    cards = tuple(
        CardPose(
            each.card, 0, tuple(seen(each.x + x, y) for x, y in ((0, 0), (63, 0), (63, 88), (0, 88))), 1.0
        )
        for each in PLACED
    )
    line = SeenLine(0, (0, 0, 0), Owner(0), ((places,),), (((1.0, 1.0), (9.0, 9.0)),), Marks(), ())
    scan = GroupScan(SeenPhoto(1374, 768), PLACED, cards, (line,) if places else (), (), {})
    told = [{"group": group, "colour": pen} for group, pen in zip(("green", "blue"), pens, strict=True)]
    table = json.dumps({"mission": MISSION, "groups": told}).encode()
    return assess_groups(scan, CARDS, COOPERATIVE, {"table": table}, COOPERATIVE.rules.settings.make({}))


def signs(now: GroupAssessment) -> set[tuple[Any, ...]]:
    told = groups_of(COOPERATIVE).told(CARDS, now.record, now.ruling)
    return {(sign.kind, sign.place, sign.group) for sign in signs_of(told, now.record)}


def test_a_line_is_cut_where_it_goes_on_and_ticked_where_its_goal_is_met() -> None:
    assert signs(read(*TO_THE_KEY)) == {
        ("in", "0.w1", "green"),
        ("cut", "1.j1", "green"),
        ("met", "2.w1", "green"),
        ("open", "2.e1", ""),
    }


def test_goals_that_nobody_met_wait_with_what_they_ask_for() -> None:
    now = read()
    told = groups_of(COOPERATIVE).told(CARDS, now.record, now.ruling)
    assert [(sign.place, sign.wanted) for sign in signs_of(told, now.record)] == [
        ("2.w1", ("key",)),
        ("2.e1", ("coin",)),
    ]


def test_a_goal_reached_with_too_little_is_where_the_group_stopped() -> None:
    assert ("stopped", "2.e1", "green") in signs(read("2.w1", "2.j1", "2.e1"))


def test_a_line_is_drawn_on_the_photo_in_its_pens_colour() -> None:
    def drawn(*places: str) -> int:
        now = read(*places, pens=("orange", "blue"))
        (ink, _) = inks_of(groups_of(COOPERATIVE).told(CARDS, now.record, now.ruling)).values()
        on_photo = np.asarray(draw_table(photo(), CARDS, now, "en"))[:, :1374]
        return int(np.all(on_photo == ink, axis=2).sum())

    assert drawn() == 0
    assert drawn(*TO_THE_KEY) > 1000


def test_black_and_brown_pens_are_told_apart_and_seen_on_rock() -> None:
    now = read(pens=("black", "brown"))
    black, brown = inks_of(groups_of(COOPERATIVE).told(CARDS, now.record, now.ruling)).values()
    assert min(np.dot(each, (0.299, 0.587, 0.114)) for each in (black, brown)) > 65
    assert max(np.abs(np.subtract(black, brown))) > 30


def test_the_files_name_says_whether_it_is_a_jpeg(tmp_path: Path) -> None:
    for name, form in (("table.jpg", "JPEG"), ("table.png", "PNG"), ("table", "PNG")):
        write_table(tmp_path / name, photo(), CARDS, read(*TO_THE_KEY), "en")
        assert Image.open(tmp_path / name).format == form


def photo() -> Photo:
    return Photo(np.full((768, 1374, 3), 90, np.uint8))
