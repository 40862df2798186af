"""Several photos of one table are put together by the cards that they share."""

from __future__ import annotations

import numpy as np
from dungeons import card, catalogue

from vision.cards.layout import CardDoubt, Layout
from vision.cards.pose import LayoutCard, corners_of
from vision.groups.fusion import put_together
from vision.photo import geometry

CARDS = catalogue(*(card(name, "w1 j1 e1") for name in "ABCDEFXY"))
WIDTH, HEIGHT = CARDS.card_size_mm
#: Two rows of three cards, by column and row.
CELLS = {"A": (0, 0), "B": (1, 0), "C": (2, 0), "D": (0, 1), "E": (1, 1), "F": (2, 1)}


def layout(
    cells: dict[str, tuple[int, int]],
    scale: float = 2.0,
    *,
    turned: bool = False,
    doubts: tuple[CardDoubt, ...] = (),
    confidence: float = 0.9,
) -> Layout:
    """Cards seen from right above, `scale` pixels to the millimetre; `turned`: from the other side."""
    to_photo = np.diag([scale, scale, 1.0])
    poses = []
    for name, (column, row) in cells.items():
        x, y = column * WIDTH, row * HEIGHT
        if turned:
            x, y = -x - WIDTH, -y - HEIGHT
        half = 180 if turned else 0
        turn = geometry.similarity(
            np.radians(half), np.array([x, y]) + (np.array([WIDTH, HEIGHT]) if half else 0)
        )
        card_to_photo = to_photo @ turn
        corners = geometry.apply(card_to_photo, geometry.rectangle(WIDTH, HEIGHT))
        poses.append(LayoutCard(name, half, corners_of(corners), confidence, x, y, card_to_photo))
    return Layout(tuple(poses), to_photo, doubts=doubts)


def some(names: str) -> dict[str, tuple[int, int]]:
    return {name: CELLS[name] for name in names}


def test_a_card_that_only_the_close_up_shows_lies_in_its_place() -> None:
    table = put_together([layout(some("ABCDE")), layout(some("BCEF"), 5.0)], CARDS)
    assert [pose.card for pose in table.layout.poses] == list("ABCDEF")
    added = table.layout.poses[5]
    assert (added.x_mm, added.y_mm, added.rotation) == (2 * WIDTH, HEIGHT, 0)
    assert np.allclose(added.corners_px[0], [2 * 2 * WIDTH, 2 * HEIGHT])
    assert [(view.photo, view.cards) for view in table.views] == [(0, (0, 1, 2, 3, 4)), (1, (1, 2, 4, 5))]


def test_photos_from_two_sides_of_the_table_are_turned_onto_each_other() -> None:
    table = put_together([layout(some("ABCDE")), layout(some("BCEF"), turned=True)], CARDS)
    added = table.layout.poses[5]
    assert (added.card, added.rotation) == ("F", 0)
    assert np.allclose((added.x_mm, added.y_mm), (2 * WIDTH, HEIGHT))


def test_the_photo_that_shows_most_is_the_first_whatever_their_order() -> None:
    table = put_together([layout(some("BC")), layout(some("ABCDE"))], CARDS)
    assert [view.photo for view in table.views] == [1, 0]


def test_a_chain_of_photos_is_put_together_where_the_ends_share_no_card() -> None:
    table = put_together([layout(some("ABD")), layout(some("ABE")), layout(some("BCEF"))], CARDS)
    assert {pose.card for pose in table.layout.poses} == set("ABCDEF")
    assert table.apart == ()


def test_a_photo_of_another_table_is_left_out() -> None:
    table = put_together([layout(some("ABCDE")), layout({"X": (0, 0), "Y": (1, 0)})], CARDS)
    assert table.apart == (1,)
    assert [pose.card for pose in table.layout.poses] == list("ABCDE")


def test_a_card_that_another_photo_names_without_a_doubt_is_in_doubt_no_more() -> None:
    doubt = CardDoubt(1, ("B", "X"), "alike")
    alone = put_together([layout(some("ABC"), doubts=(doubt,))], CARDS)
    both = put_together([layout(some("ABC"), doubts=(doubt,)), layout(some("AB"))], CARDS)
    assert (alone.layout.doubts, both.layout.doubts) == ((doubt,), ())


def test_a_card_that_photos_read_otherwise_is_the_surer_ones_and_asked_about() -> None:
    other = layout({"A": (0, 0), "X": (1, 0), "C": (2, 0)}, confidence=0.95)
    table = put_together([layout(some("ABCD")), other], CARDS)
    assert [pose.card for pose in table.layout.poses] == ["A", "X", "C", "D"]
    assert [(doubt.index, doubt.options) for doubt in table.layout.doubts] == [(1, ("X", "B"))]


def test_a_card_cut_off_in_the_close_up_that_the_other_photo_shows_is_no_doubt() -> None:
    beyond = geometry.rectangle(WIDTH, HEIGHT) * 5 + np.array([2 * WIDTH, 0]) * 5
    cut_off = CardDoubt(1, ("B",), "cut-off", beyond)
    table = put_together([layout(some("ABCDE")), layout(some("ABDE"), 5.0, doubts=(cut_off,))], CARDS)
    assert table.layout.doubts == ()
