"""Assignment of a photo's views to known cards."""

from __future__ import annotations

from calibration.enrol.faces.assignment import posteriors


def test_two_views_that_look_like_one_card_leave_a_doubt() -> None:
    first, second = posteriors([{0: 1000.0}, {0: 60.0}])
    assert first[0] > 0.9
    assert 0.1 < second[0] < 0.9


def test_a_view_takes_the_card_that_no_other_view_claims() -> None:
    first, second = posteriors([{0: 100.0, 1: 100.0}, {0: 1000.0}])
    assert first[1] > 0.9
    assert second[0] > 0.9


def test_two_equal_candidates_stay_a_doubt() -> None:
    (only,) = posteriors([{0: 100.0, 1: 100.0}])
    assert 0.4 < only[0] < 0.5 and only[0] == only[1]


def test_without_a_likely_card_the_view_is_new() -> None:
    assert sum(posteriors([{0: 0.001}, {}])[0].values()) < 0.01
