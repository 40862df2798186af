"""How large a share may really be, when so many were counted."""

from __future__ import annotations

from scipy.special import betaincinv

CONFIDENCE = 0.95


def upper_bound(count: int, of: int) -> float | None:
    """The largest share that `count` of `of` photos leaves possible: where the true share is larger, so few
    are counted in at most 5% of such runs. Clopper and Pearson's, on one side; 1 - 0.05**(1/n) for none of
    n. None where there is no photo."""
    if of <= 0:
        return None
    return 1.0 if count >= of else float(betaincinv(count + 1, of - count, CONFIDENCE))


def lower_bound(count: int, of: int) -> float | None:
    """The smallest share that `count` of `of` leaves possible, likewise."""
    above = upper_bound(of - count, of)
    return None if above is None else 1 - above
