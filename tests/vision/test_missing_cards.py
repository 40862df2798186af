"""An end of the path is certain only where the ground for a card beyond it is seen and bare."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import NamedTuple

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from shared_readings import open_deck, photo_file, reading_of, reading_of_data

from scorer.dungeon import Dungeon, build_dungeon
from tools.cut_pictures import cropped, filled, panel
from vision.cards.find_layout import read_layout
from vision.cards.pose import LayoutCard, corners_of
from vision.groups.scan import scan_groups
from vision.missing_cards import Grounds, is_cut
from vision.path.line_beyond import goes_on
from vision.photo.decode import Photo, load_photo
from vision.scan import line_to_photo
from waymark.bench.players import Truth, play
from waymark.bench.truth import read_truth
from waymark.review.pipeline import load_cards
from waymark.review.referee_cache import Table
from waymark.review.tableau.answers import answered_with, options
from waymark.review.tableau.assess import Assessment, assess
from waymark.review.tableau.ranking import in_order

Pixels = NDArray[np.uint8]


class Scene(NamedTuple):
    """A photo that ships, its cards, and the last place of its path."""

    pixels: Pixels
    poses: tuple[LayoutCard, ...]
    dungeon: Dungeon
    last: str

    def quad(self, out_mm: tuple[float, float], aside_mm: float) -> NDArray[np.int32]:
        """Where in the photo a rectangle lies beyond the last place."""
        place = self.dungeon.places[self.last]
        out = np.array(place.at_mm) - np.asarray(self.dungeon.outline_mm(place.card_index)).mean(axis=0)
        out = np.where(np.abs(out) == np.abs(out).max(), np.sign(out), 0)
        near, far = out_mm
        reach = np.array([[near, -aside_mm], [near, aside_mm], [far, aside_mm], [far, -aside_mm]])
        at_mm = np.array(place.at_mm) + reach[:, :1] * out + reach[:, 1:] * out[::-1]
        return np.asarray(line_to_photo(at_mm, self.dungeon, self.poses).round(), np.int32)

    def is_bare(self, pixels: Pixels) -> bool:
        return Grounds(Photo(pixels), 0, dict(enumerate(self.poses)), self.dungeon).is_bare(self.last)


@cache
def scene() -> Scene:
    photo = load_photo(photo_file("table-07"), whole=True)
    poses = read_layout(photo, load_cards(open_deck())).poses
    record = reading_of("table-07").tableau
    dungeon = build_dungeon(open_deck(), record.cards)
    assert record.path[-1][-1] in dungeon.open_openings
    return Scene(photo.pixels, poses, dungeon, record.path[-1][-1])


@pytest.mark.parametrize("led_on", [True, False])
def test_ink_beyond_the_edge_is_told(led_on: bool) -> None:
    here = scene()
    pixels = here.pixels.copy()
    if led_on:
        start, end = here.quad((-9.0, 12.0), 0.0)[[0, 2]].tolist()
        cv2.line(pixels, start, end, pixels[start[1], start[0]].tolist(), 14, cv2.LINE_AA)
    assert goes_on(pixels, 1.0, here.poses, here.dungeon, here.last) == led_on


def test_ground_that_is_seen_is_bare() -> None:
    assert scene().is_bare(scene().pixels)


@pytest.mark.parametrize(
    "colour", [(104, 136, 190), (0, 0, 0), (250, 250, 250)], ids=["hand", "black", "white"]
)
def test_what_lies_on_the_ground_may_hide_a_card(colour: tuple[int, int, int]) -> None:
    pixels = scene().pixels.copy()
    cv2.fillPoly(pixels, [scene().quad((2.0, 40.0), 20.0)], colour)
    assert not scene().is_bare(pixels)


def test_a_filling_in_the_colour_of_the_table_is_not_bare() -> None:
    pixels = scene().pixels.copy()
    ground = scene().quad((3.0, 31.0), 12.0)
    colour = np.median(pixels[ground[:, 1], ground[:, 0]], axis=0)
    cv2.fillPoly(pixels, [ground], colour.tolist())
    assert not scene().is_bare(pixels)


@pytest.mark.parametrize("seen_mm", [9.0, 15.0, 38.0])
def test_ground_that_a_card_would_cover_has_to_be_in_the_picture(seen_mm: float) -> None:
    """A card beyond begins within 6 mm, so the next 6 mm of bare ground show that there is none."""
    here = scene()
    height, width = here.pixels.shape[:2]
    axis = int(np.abs(np.diff(here.quad((0.0, seen_mm), 10.0)[[0, 3]], axis=0)).argmax())
    if here.quad((0.0, seen_mm), 10.0)[3, axis] < here.quad((0.0, seen_mm), 10.0)[0, axis]:
        # upside down, so that what is cut away is the picture's end
        half_turn = np.array([[-1.0, 0.0, width - 1], [0.0, -1.0, height - 1], [0.0, 0.0, 1.0]])
        poses = tuple(replace(pose, card_to_photo=half_turn @ pose.card_to_photo) for pose in here.poses)
        poses = tuple(
            replace(pose, corners=corners_of((width - 1, height - 1) - pose.corners_px)) for pose in poses
        )
        here = here._replace(pixels=here.pixels[::-1, ::-1], poses=poses)
    stop = int(here.quad((seen_mm, seen_mm), 10.0)[:, axis].mean())
    pixels = here.pixels[:, :stop] if axis == 0 else here.pixels[:stop]
    assert here.is_bare(np.ascontiguousarray(pixels)) == (seen_mm > 12)


def test_a_card_is_cut_where_a_corner_is_outside_the_photo() -> None:
    photo = Photo(np.zeros((200, 300, 3), np.uint8))
    card = np.array([[100.0, 50.0], [163.0, 50.0], [163.0, 138.0], [100.0, 138.0]])
    for down, across, cut in ((0, 0, False), (63, 0, False), (66, 0, True), (0, -104, True)):
        assert is_cut(card + np.array([across, down]), photo) == cut


def as_file(pixels: Pixels) -> bytes:
    written = cv2.imencode(".jpg", np.ascontiguousarray(pixels), [cv2.IMWRITE_JPEG_QUALITY, 92])[1]
    return np.asarray(written).tobytes()


def assessed(photo: str, data: bytes) -> tuple[Assessment, Truth]:
    truth = Truth(
        read_truth(photo_file(photo).parent / f"{photo}.truth.json", [open_deck()]), Table(open_deck())
    )
    return assess(reading_of_data(data), truth.table, truth.terms), truth


#: A photo, what is made of it, and a question that follows.
CUT: dict[str, tuple[str, Callable[[Pixels], Pixels], str]] = {
    "crop": ("table-05", partial(cropped, side="left", kept=0.66), "path:unseen:1.w1"),
    "a card like the table": ("table-01", partial(cropped, side="left", kept=0.35), "path:unseen:0.w1"),
    "card cut by the frame": ("table-08", partial(cropped, side="right", kept=0.72), "path:cut:3.w1"),
    "panel": ("table-08", partial(panel, side="right", taken=0.3, looks="black"), "path:unseen:3.w1"),
    "panel over cards": ("table-05", partial(panel, side="right", taken=0.5, looks="wood"), "path:cut:1.f1"),
    "panel over corners": (
        "table-09",
        partial(panel, side="right", taken=0.5, looks="wood"),
        "path:cut:0.w1",
    ),
    "panel of large blotches": (
        "table-02",
        partial(panel, side="left", taken=0.5, looks="print"),
        "path:cut:1.d2",
    ),
    "panel over cards and table": (
        "table-03",
        partial(panel, side="left", taken=0.4, looks="wood"),
        "path:unseen:0.w1",
    ),
    "filling": ("table-03", partial(filled, from_row=0.5, across=0.0, colour=255), "path:cut:1.j4"),
}


@pytest.mark.parametrize("kind", CUT)
def test_what_is_not_in_the_picture_is_asked(kind: str) -> None:
    """Each of these was sure, and wrong, in the hands of some player."""
    photo, made, asked = CUT[kind]
    data = as_file(made(load_photo(photo_file(photo), whole=True).pixels))
    now, truth = assessed(photo, data)
    assert not now.sure
    assert asked in [question.name for question in now.open_questions]
    hurried = play(now.reading, truth, "hurried")
    assert not hurried.sure
    assert not play(now.reading, truth, "careful").sure_and_wrong
    # whoever says that it is so is believed; another photo shows it; nobody need know
    question = now.question(asked)
    assert question is not None
    shown = in_order(question, options(now, asked))
    assert shown[0].kind == "retake"
    stands = next(each for each in shown if each.kind == "stands")
    assert answered_with(now, asked, stands).question(asked) is None
    retaken = answered_with(now, asked, shown[0])
    assert not retaken.sure and asked in [each.name for each in retaken.left_questions]


def test_whole_photos_are_asked_about_no_exit() -> None:
    for photo in ("table-03", "table-04", "table-11"):  # fewer cards than may lie there, or more
        names = [question.name for question in reading_of(photo).questions]
        assert not [name for name in names if name.startswith(("path:unseen", "path:cut", "path:covered"))]


GROUPS = photo_file("table-07").parents[1] / "group_photos" / "table-of-four-groups.jpg"


def test_a_line_of_a_group_ends_surely_only_where_some_photo_shows_bare_ground() -> None:
    whole = load_photo(GROUPS)
    close = Photo(np.ascontiguousarray(whole.pixels[:, 560:]))  # less than 12 mm beyond the card on the left

    def asked(*photos: Photo) -> list[str]:
        scan = scan_groups(photos, open_deck(), load_cards(open_deck()), [None] * 4)
        names = (question.name for line in scan.lines for question in line.questions)
        return [name for name in names if name.startswith("path:unseen:")]

    assert asked(close) == ["path:unseen:0.w2"]
    assert asked(close, whole) == []
