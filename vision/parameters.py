"""Parameters of the modules directly in `vision`, and `varied`, which sets other values temporarily.

Subpackages have their own: `vision.ink.parameters`, `vision.path.parameters`, `vision.groups.parameters`.
docs/experiments.md says on which photos the values were measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Marks:
    """Parameters of the rings and strikes on finds."""

    #: Largest distance of a ring's line inside its icon's rim ...
    ring_inside_mm: float = 0.55
    #: ... and outside it.
    ring_outside_mm: float = 3.45
    #: A question is asked about a ring whose probability is above this ...
    doubt_from_share: float = 0.3
    #: ... and below this.
    doubt_to_share: float = 0.7
    #: A ring is residue of a wiped one if its film is below this share of the plainest lines' median film ...
    wiped_film_share: float = 0.05
    #: ... and less than this share of its line is inked.
    wiped_inked_share: float = 0.2
    #: Visible share of a ring's line below which a missing ring cannot be ruled out.
    seen_share: float = 0.5


@dataclass(frozen=True)
class FaintPens:
    """Parameters of the second reading of interrupted lines, for pens that run dry."""

    #: Shares of a usual film that are assumed in turn where all pens are thin ...
    film_shares: tuple[float, ...] = (0.6, 0.3)
    #: ... as long as each lengthens the path by more than this factor.
    longer_factor: float = 1.15


MARKS, FAINT_PENS = Marks(), FaintPens()


@contextmanager
def varied(values: Mapping[str, Any]) -> Iterator[None]:
    """Context manager that sets other values in this process, by their full names:
    `{"vision.ink.parameters.PENS.thin_share": 0.5}`.

    Raises AttributeError for a value that does not exist. Results that are already cached, such as a
    dungeon's ends, do not change.
    """
    before = set_values(values)
    try:
        yield
    finally:
        set_values(before)


def set_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Set values by their full names, all or none, and return the former values."""
    before = {}
    for name in values:
        group, field = _at(name)
        before[name] = getattr(group, field)
    for name, value in values.items():
        group, field = _at(name)
        module, instance, _ = name.rsplit(".", 2)
        setattr(import_module(module), instance, replace(group, **{field: value}))
    return before


def _at(name: str) -> tuple[Any, str]:
    module, instance, field = name.rsplit(".", 2)
    return getattr(import_module(module), instance), field
