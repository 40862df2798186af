"""Confidence bounds on a proportion estimated from a count."""

from __future__ import annotations

from scipy.special import betaincinv

CONFIDENCE = 0.95


def upper_bound(count: int, of: int) -> float | None:
    """One-sided 95% upper confidence bound on a proportion, from `count` hits among `of` photos.
    The bound is Clopper and Pearson's exact one, for example 1 - 0.05**(1/n) for no hit among n. None where
    there is no photo."""
    if of <= 0:
        return None
    return 1.0 if count >= of else float(betaincinv(count + 1, of - count, CONFIDENCE))


def lower_bound(count: int, of: int) -> float | None:
    """One-sided 95% lower confidence bound on a proportion, from `count` hits among `of` photos
    (Clopper-Pearson). None where there is no photo."""
    above = upper_bound(of - count, of)
    return None if above is None else 1 - above
