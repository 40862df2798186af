"""Cards alike in all but colour: those that lie together are one owner's, and are told by what all show."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cards.compare import Aligned
from vision.cards.hypotheses import Candidate
from vision.cards.identify import Sisters, Told, told_by_colour
from vision.cards.index import TINT_PX
from vision.cards.pose import TablePose

SIZE, CELLS = (63.0, 88.0), (12, 9)
KNOWN, FIRST_RED, FIRST_BLUE, OTHER_RED, OTHER_BLUE = range(5)
OWNERS = ("", "red", "blue", "red", "blue")
Levels = NDArray[np.float64]


def printed() -> Levels:
    """(5, rows, columns, 3) a card without an owner, and two layouts that red and blue share."""
    drawn = np.random.default_rng(4).uniform(70, 190, (3, *CELLS, 3))
    red, blue = np.array([0.9, 1.0, 1.1]), np.array([1.1, 1.0, 0.9])
    return np.stack([drawn[0], drawn[1] * red, drawn[1] * blue, drawn[2] * red, drawn[2] * blue])


def between(one: Levels, other: Levels, share: float) -> Levels:
    return (1 - share) * one + share * other


def told(
    seen: list[Levels], owners: tuple[str, ...], groups: tuple[int, int] = (0, 0), art: Levels | None = None
) -> list[Told]:
    """What is told of each layout where `seen` lie side by side, 100 mm apart, the known card first."""

    def colours_through(to_photo: NDArray[np.float64], _size: tuple[int, int]) -> NDArray[np.uint8]:
        cells = seen[round(float(to_photo[0, 2]) // 100)]
        return cells.round().astype(np.uint8).repeat(TINT_PX, axis=0).repeat(TINT_PX, axis=1)

    def seen_at(card: int, place: int) -> Candidate:
        to_photo = np.array([[1, 0, 100 * place], [0, 1, 0], [0, 0, 1]], float)
        aligned = Aligned(to_photo, 0.8, np.zeros((0, 2)), np.zeros((0, 2)))
        return Candidate(TablePose(card, (0.0, 0.0), 0.0, SIZE), np.zeros(0, np.intp), 1.0, aligned)

    tints = (printed() if art is None else art).astype(np.uint8)
    index: Any = SimpleNamespace(tints=tints, sizes_mm=(SIZE,) * 5, owners=owners)
    photo_at: Any = SimpleNamespace(colours_through=colours_through)
    known = [seen_at(KNOWN, 0) for _ in groups]
    open_ = [
        Sisters(seen_at(FIRST_BLUE, 1), (FIRST_BLUE, FIRST_RED), (0.8, 0.8), groups[0]),
        Sisters(seen_at(OTHER_BLUE, 2), (OTHER_BLUE, OTHER_RED), (0.8, 0.8), groups[1]),
    ]
    return [each for each in told_by_colour(known, open_, photo_at, index) if each is not None]


@pytest.mark.parametrize(
    ("owners", "groups", "other"),
    [
        (OWNERS, (0, 0), OTHER_RED),  # they touch: what the plain one shows counts for both
        (OWNERS, (0, 1), OTHER_BLUE),  # somebody else's
        (("",) * 5, (0, 0), OTHER_BLUE),  # a game in which anybody lays any colour
    ],
)
def test_cards_that_lie_together_are_one_owners(
    owners: tuple[str, ...], groups: tuple[int, int], other: int
) -> None:
    art = printed()
    seen = [art[KNOWN], art[FIRST_RED], between(art[OTHER_RED], art[OTHER_BLUE], 0.6)]
    assert [each.options[0] for each in told(seen, owners, groups)] == [FIRST_RED, other]


def test_a_mark_that_is_printed_more_saturated_than_all_is_nearest_to_its_own_colour() -> None:
    """It is no colour for sure, but the right one is offered first."""
    art = printed()
    art[[FIRST_BLUE, OTHER_RED, OTHER_BLUE]] = art[[FIRST_RED, OTHER_RED, OTHER_RED]]
    mark = (slice(8, 11), slice(5, 8))
    faint, strong = np.array([48.0, 58.0, 172.0]), np.array([40.0, 50.0, 200.0])
    art[FIRST_RED][mark], art[FIRST_BLUE][mark] = strong, strong[::-1]
    red = art[FIRST_RED].copy()
    art[FIRST_RED][0] *= np.array([1.04, 1.0, 0.96])  # its art was made of a worse view
    red[mark] = faint
    first = told([art[KNOWN], red, art[OTHER_RED]], ("",) * 5, art=art)[0]
    assert first.options[0] == FIRST_RED and not first.clear
