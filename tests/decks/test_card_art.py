"""The open deck's art agrees with the declaration it is drawn from."""

from __future__ import annotations

import math
import typing

import cv2
import numpy as np
import pytest
from long_rest import long_but

pytest.importorskip("skia", exc_type=ImportError, reason="drawing the deck needs the extra `deck`")

from calibration.decks.drawing.noise import Grid
from calibration.decks.drawing.plan import card_plan
from calibration.decks.mapmasters.art.artifacts import ARTIFACTS, draw_token
from calibration.decks.mapmasters.art.card_art import draw_card
from calibration.decks.mapmasters.art.goals import plaques
from scorer.catalogue import Card, Edge, FindKind, Goal, Node, Room, RoomFind

PX_PER_MM = 8.0
# sRGB of fresh dry-erase ink as a phone sees it.
INKS = {"black": (35, 35, 38), "blue": (30, 60, 160), "red": (190, 35, 40), "green": (20, 120, 70)}


def card(**change: typing.Any) -> Card:
    """A card with both levels, a room, a dead end, stairs and a pit."""
    nodes = (
        Node(id="w", kind="opening", side="left", at=(0, 22)),
        Node(id="e", kind="opening", side="right", at=(63, 22)),
        Node(id="n", kind="opening", side="top", at=(31.5, 0)),
        Node(id="j", kind="junction", at=(31.5, 22)),
        Node(id="p", kind="find", find="pitfall", at=(48, 22)),
        Node(id="u", kind="junction", level="underground", at=(48, 22)),
        Node(id="d", kind="door", room="A", at=(31.5, 38)),
        Node(id="x", kind="end", at=(12, 40)),
        Node(id="k", kind="junction", at=(12, 24)),
        Node(id="s", kind="stairs", at=(53, 50)),
        Node(id="t", kind="stairs", level="underground", at=(53, 60)),
        Node(id="o", kind="opening", side="right", level="underground", at=(63, 66)),
    )
    edges = (
        Edge(kind="corridor", level="main", from_="w", to="k", via=((6, 22),)),
        Edge(kind="corridor", level="main", from_="k", to="j"),
        Edge(kind="corridor", level="main", from_="k", to="x"),
        Edge(kind="corridor", level="main", from_="j", to="n"),
        Edge(kind="corridor", level="main", from_="j", to="p"),
        Edge(kind="corridor", level="main", from_="p", to="e"),
        Edge(kind="corridor", level="main", from_="j", to="d"),
        Edge(kind="corridor", level="underground", from_="u", to="t", via=((57, 36), (58, 52))),
        Edge(kind="corridor", level="underground", from_="t", to="o", via=((56, 66),)),
        Edge(kind="fall", from_="p", to="u"),
        Edge(kind="stairs", from_="s", to="t"),
    )
    room = Room(
        id="A",
        outline=((18, 38), (45, 38), (45, 72), (18, 72)),
        finds=(RoomFind(id="A1", find="coin", value=3, at=(26, 60)),),
    )
    fields: dict[str, typing.Any] = {
        "id": "D99", "kind": "dungeon", "art": "art/D99.png", "cost": 4,
        "nodes": nodes, "edges": edges, "rooms": (room,),
    }  # fmt: skip
    return Card(**{**fields, **change})


@pytest.fixture(scope="module")
def face() -> np.ndarray:
    return np.array(draw_card(card(), 7))


def mean_colour(face: np.ndarray, at: tuple[float, float], radius: float = 1.2) -> np.ndarray:
    """Mean sRGB within `radius` mm of `at`."""
    y, x = np.indices(face.shape[:2])
    near = np.hypot(x + 0.5 - at[0] * PX_PER_MM, y + 0.5 - at[1] * PX_PER_MM) <= radius * PX_PER_MM
    made: np.ndarray = face[near].mean(axis=0)
    return made


def lightness(colour: np.ndarray) -> float:
    return float(colour @ [0.299, 0.587, 0.114])


def yellowness(colour: np.ndarray) -> float:
    return float((colour[0] - colour[2]) / colour.max())


@pytest.mark.parametrize(("px_per_mm", "size"), long_but([(8.0, (504, 704)), (12.0, (756, 1056))], 0))
def test_a_card_has_its_true_size(px_per_mm: float, size: tuple[int, int]) -> None:
    image = draw_card(card(), 7, px_per_mm)
    assert image.mode == "RGB"
    assert image.size == size


@pytest.mark.long
def test_print_and_screen_show_the_same_picture(face: np.ndarray) -> None:
    fine = np.array(draw_card(card(), 7, 12.0))
    small = [
        cv2.resize(image, (126, 176), interpolation=cv2.INTER_AREA).astype(float) for image in (face, fine)
    ]
    assert np.corrcoef(small[0].ravel(), small[1].ravel())[0, 1] > 0.9


def test_the_same_card_and_seed_give_the_same_picture(face: np.ndarray) -> None:
    assert np.array_equal(face, np.array(draw_card(card(), 7)))


@pytest.mark.long
def test_another_seed_or_another_id_changes_the_rock_all_over(face: np.ndarray) -> None:
    for other in (draw_card(card(), 8), draw_card(card(id="D98"), 7)):
        changed = np.abs(face.astype(int) - np.array(other)).max(axis=2) > 12
        assert changed.mean() > 0.4


def test_every_declared_main_corridor_is_a_light_floor_and_rock_is_darker(face: np.ndarray) -> None:
    rock = lightness(mean_colour(face, (8, 8), 3))
    for at in [(3, 22), (20, 23), (40, 22), (31.5, 8), (31.5, 30), (12, 32), (58, 22)]:
        assert lightness(mean_colour(face, at)) > 140 > rock + 20


def test_openings_reach_the_edge_of_the_card(face: np.ndarray) -> None:
    for at in [(0.4, 22), (62.6, 22), (31.5, 0.4)]:
        assert lightness(mean_colour(face, at, 0.35)) > 140
    assert lightness(mean_colour(face, (0.4, 60), 0.35)) < 110, "rock where there is no opening"


def test_the_underground_is_yellow_and_passes_under_main_floors(face: np.ndarray) -> None:
    under, main = mean_colour(face, (62.3, 66), 0.6), mean_colour(face, (40, 22))
    assert yellowness(under) > yellowness(main) + 0.15
    crossing = card(
        nodes=(*card().nodes, Node(id="q", kind="opening", side="left", level="underground", at=(0, 66))),
        edges=(*card().edges, Edge(kind="corridor", level="underground", from_="q", to="t")),
    )
    crossed = np.array(draw_card(crossing, 7))
    assert yellowness(mean_colour(crossed, (8, 65))) > yellowness(main) + 0.15
    assert yellowness(mean_colour(crossed, (35, 55))) < yellowness(main) + 0.1, "the room lies above it"


@pytest.mark.parametrize("find", long_but(typing.get_args(FindKind), 0, 4, 7))
def test_every_kind_of_find_shows_at_its_spot_and_nowhere_else(face: np.ndarray, find: FindKind) -> None:
    room = card().rooms[0]
    shown = Room(id="A", outline=room.outline, finds=(*room.finds, RoomFind(id="A2", find=find, at=(37, 52))))
    picture = np.array(draw_card(card(rooms=(shown,)), 7))
    changed = np.abs(face.astype(int) - picture).max(axis=2) > 24
    y, x = np.nonzero(changed)
    off = np.maximum(np.abs((x + 0.5) / PX_PER_MM - 37), np.abs((y + 0.5) / PX_PER_MM - 52))
    assert off.max() < 5.3, "with rim and shadow"
    assert changed.sum() / PX_PER_MM**2 > 10, "at least 10 square millimetres"
    assert off.max() > 2.8, "icons are about 7.5 mm across"


def test_a_coin_of_more_than_one_shows_its_value(face: np.ndarray) -> None:
    room = card().rooms[0]
    five = Room(id="A", outline=room.outline, finds=(RoomFind(id="A1", find="coin", value=5, at=(26, 60)),))
    changed = np.abs(face.astype(int) - np.array(draw_card(card(rooms=(five,)), 7))).max(axis=2) > 40
    y, x = np.nonzero(changed)
    assert len(x) > 40
    assert np.hypot(x / PX_PER_MM - 26, y / PX_PER_MM - 60).max() < 2.5


def test_ink_of_every_colour_stands_out_on_every_floor(face: np.ndarray) -> None:
    floors = {"dirt": (20, 23), "flagstone": (38, 62), "underground": (62.3, 66)}
    for floor, at in floors.items():
        paper = mean_colour(face, at, 0.6)
        for name, ink in INKS.items():
            assert math.dist(paper, ink) > 110, (name, floor)


def test_floors_hold_no_mark_as_dark_as_ink(face: np.ndarray) -> None:
    y, x = np.indices(face.shape[:2])
    corridor = (np.abs(y / PX_PER_MM - 22) < 1.6) & (x / PX_PER_MM > 34) & (x / PX_PER_MM < 43)
    floor = (x / PX_PER_MM > 30) & (x / PX_PER_MM < 42) & (y / PX_PER_MM > 44) & (y / PX_PER_MM < 68)
    for where in (corridor, floor):
        light = face[where] @ np.array([0.299, 0.587, 0.114])
        assert np.mean(light < 90) < 0.02


@pytest.mark.long
def test_starters_of_one_layout_differ_in_emblem_frame_and_rock() -> None:
    colours = ("red", "blue", "green", "yellow", "purple")
    faces = {
        c: np.array(draw_card(card(id=f"S1-{c}", kind="starter", cost=None, colour=c), 7)).astype(int)
        for c in colours
    }
    for i, first in enumerate(colours):
        for second in colours[i + 1 :]:
            apart = np.abs(faces[first] - faces[second]).max(axis=2) > 24
            emblem = apart[
                round(80.4 * PX_PER_MM) : round(87 * PX_PER_MM),
                round(0.5 * PX_PER_MM) : round(7.5 * PX_PER_MM),
            ]
            assert emblem.mean() > 0.25
            assert apart.mean() > 0.2


def test_a_card_is_rich_in_keypoints_all_over(face: np.ndarray) -> None:
    grey = cv2.cvtColor(cv2.resize(face, (252, 352), interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2GRAY)
    keypoints = np.array([point.pt for point in cv2.SIFT.create().detect(grey, None)])
    assert len(keypoints) >= 250
    count, _, _ = np.histogram2d(keypoints[:, 0], keypoints[:, 1], bins=(3, 4), range=((0, 252), (0, 352)))
    assert count.min() >= 10


def test_a_card_without_topology_is_drawn_too() -> None:
    bare = Card(id="D98", kind="dungeon", art="art/D98.png")
    assert draw_card(bare, 1).size == (504, 704)


def floor_of(card: Card) -> tuple[np.ndarray, Grid]:
    grid = Grid(PX_PER_MM)
    plan = card_plan(card, 7, grid)
    return np.minimum(plan.main_mm, plan.under_mm), grid


@pytest.mark.long
@pytest.mark.parametrize("asked", [{"key": 2}, {"artifacts": ("cook",)}])
def test_a_goal_is_told_on_a_plaque_in_the_rock(face: np.ndarray, asked: dict[str, typing.Any]) -> None:
    told = card(goals=(Goal(id="g", at=("n",), requires=asked),))
    floor_mm, grid = floor_of(told)
    (plaque,) = plaques(told, floor_mm, grid)
    assert math.dist(plaque.middle, (31.5, 0)) < 15, "near its entrance"
    changed = np.abs(face.astype(int) - np.array(draw_card(told, 7))).max(axis=2) > 40
    y, x = np.nonzero(changed)
    (cx, cy), (width, height) = plaque.middle, plaque.size
    on_plaque = (np.abs(x / PX_PER_MM - cx) < width / 2) & (np.abs(y / PX_PER_MM - cy) < height / 2)
    assert on_plaque.sum() > 0.3 * width * height * PX_PER_MM**2
    inside = floor_mm[round(6 * PX_PER_MM) :, round(6 * PX_PER_MM) :][y, x]
    assert inside.min() > -2.0, "only a pointer's tip is on the floor"
    assert np.mean(inside < -0.3) < 0.05


def test_two_goals_get_a_plaque_each_and_one_that_asks_nothing_none() -> None:
    goals = (
        Goal(id="a", at=("n",), requires={"coin": 5}),
        Goal(id="b", at=("w", "o"), requires={"scroll": 3}),
        Goal(id="c", at=("e",)),
    )
    made = plaques(card(goals=goals), *floor_of(card()))
    assert [plaque.goal.id for plaque in made] == ["a", "b", "b"]
    for i, one in enumerate(made):
        for other in made[:i]:
            apart = [
                abs(a - b) - (s + t) / 2
                for a, b, s, t in zip(one.middle, other.middle, one.size, other.size, strict=True)
            ]
            assert max(apart) > 0


@pytest.mark.parametrize("name", [*ARTIFACTS, "something_else"])
def test_a_token_is_round_and_shows_its_artifact(name: str) -> None:
    picture = np.array(draw_token(name, PX_PER_MM)).astype(float)
    assert picture.shape == (176, 176, 3)
    middle = picture[48:128, 48:128].reshape(-1, 3)
    assert np.ptp(middle.mean(axis=1)) > 150, "dark lines on a pale ground"
