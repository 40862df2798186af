"""What is searched for a photo is bounded by counting before it begins, and what is left out is told."""

from __future__ import annotations

import numpy as np
import pytest
from spoilt_photos import SAMPLES, reader_of, spoilt

from samples.deck import open_deck
from vision import other_tableaus
from vision.allowance import STEPS, Allowance, allowance, one_allowance
from vision.path import t_join
from vision.path.t_join import Edge, mend
from vision.photo.decode import Photo, load_photo
from vision.scan import Scan
from waymark.review.pipeline import load_cards

#: What cannot be skipped may pass the budget a little; an ordinary photo takes an eighth of it.
MOST_STEPS = 1.03 * STEPS


def test_what_is_not_covered_is_left_out_and_remembered() -> None:
    own = Allowance(100)
    assert own.covers(100) and own.refusals == 0
    own.spend(60)
    assert not own.covers(41) and own.refusals == 1
    assert own.covers(40) and not own.covers(40, share=0.1) and own.refusals == 2
    assert own.spent == 60 and own.left == 40


def test_what_was_made_for_a_photo_is_paid_for_once() -> None:
    own = Allowance(100)
    assert [own.once("a", 30, lambda: 7), own.once("a", 30, lambda: 8), own.once("b", 30, lambda: 9)] == [
        7,
        7,
        9,
    ]
    assert own.left == 40


def test_all_of_a_photo_has_one_allowance_and_the_next_photo_another() -> None:
    with one_allowance() as outer:
        allowance().spend(5)
        with one_allowance() as inner:
            assert inner is outer is allowance()
    assert outer.left == STEPS - 5
    with one_allowance() as other:
        assert other.left == STEPS


def pairing(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(n)
    away = rng.uniform(0, 4, (n, n))
    away = away + away.T
    np.fill_diagonal(away, np.inf)
    return away, np.full(n, 5.0)


@pytest.mark.parametrize("n", [6, 12, 20])
def test_pairs_made_by_turns_are_never_cheaper_than_the_cheapest(n: int) -> None:
    away, last = pairing(n)

    def price(pairs: list[tuple[int, int]]) -> float:
        assert sorted(k for pair in pairs for k in pair if k >= 0) == list(range(n)), "each once"
        return float(sum(last[i] if j < 0 else away[i, j] for i, j in pairs))

    exact = price(t_join._paired(away, last, exactly=True))
    assert exact - 1e-6 <= price(t_join._paired(away, last, exactly=False)) <= last.sum()


def test_a_drawing_with_hundreds_of_odd_places_is_paired_by_turns_and_that_is_told() -> None:
    edges = [Edge(k, f"a{k}", f"b{k}", 1.0, 0) for k in range(150)]
    edges += [Edge(150 + k, f"b{k}", f"a{k + 1}", -0.5, 0) for k in range(149)]
    chosen = [edge.score > 0 for edge in edges]
    prices = {name: 3.0 for edge in edges for name in (edge.a, edge.b)}
    with one_allowance() as own:
        paid = mend(edges, chosen, prices)
    assert own.refusals and own.spent < STEPS / 10
    # one line with two ends
    assert all(chosen) and paid == pytest.approx(149 * 0.5 + 2 * 3.0)


@pytest.mark.parametrize(
    ("photo", "way", "much"),
    [
        ("photos/table-05.jpg", "blur", 4.5),
        ("photos/table-05.jpg", "blur", 6.0),
        ("photos/table-08.jpg", "blur", 6.0),
        ("photos/table-10.webp", "blur", 6.0),
    ],
)
def test_a_blurred_photo_is_read_at_once_and_asks_to_be_taken_again(
    photo: str, way: str, much: float
) -> None:
    load_cards(open_deck())
    file = SAMPLES / photo
    read = reader_of(file.with_name(f"{file.stem}.truth.json"))
    with one_allowance() as own:
        scan = read(spoilt(load_photo(file, whole=True), way, much))
    assert own.spent < MOST_STEPS
    assert isinstance(scan, Scan) and not scan.sure
    assert "blurred" in {each.kind for each in scan.photo.shortcomings}


def test_a_photo_full_of_scribbles_says_that_not_all_of_it_was_looked_into() -> None:
    """The look for other tableaus is left out, too, where it is not covered."""
    load_cards(open_deck())
    file = SAMPLES / "photos" / "table-08.jpg"
    read = reader_of(file.with_name("table-08.truth.json"))
    with one_allowance() as own:
        scan = read(spoilt(load_photo(file, whole=True), "clutter", 150.0))
    assert own.spent < MOST_STEPS and own.refusals
    assert isinstance(scan, Scan) and not scan.sure
    assert any(each.name.startswith("path:too-much") for each in scan.questions)


def test_other_tableaus_that_were_not_looked_for_are_a_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    file = SAMPLES / "photos" / "table-11.jpg"
    read = reader_of(file.with_name("table-11.truth.json"))
    photo = load_photo(file)
    plain = read(photo)
    assert isinstance(plain, Scan) and not [each for each in plain.questions if "too-much" in each.name]
    monkeypatch.setattr(other_tableaus, "price_of", lambda sight: STEPS)
    scan = read(Photo(photo.pixels))
    assert scan.tableau == plain.tableau and not scan.sure
    (asked,) = [each for each in scan.questions if "too-much" in each.name]
    assert asked.name == f"path:too-much:{scan.tableau.path[0][0]}" and asked.crop_px is not None


def test_the_same_photo_is_read_alike_however_often() -> None:
    file = SAMPLES / "photos" / "table-10.webp"
    read = reader_of(file.with_name("table-10.truth.json"))
    blurred = spoilt(load_photo(file, whole=True), "blur", 4.5)
    first, second = (read(Photo(blurred.pixels)) for _ in range(2))
    assert first.tableau == second.tableau and first.questions == second.questions
