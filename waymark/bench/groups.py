"""Groups of photos with a common property: difficulty, each nuisance, the deck. A truth's `sample`
describes the scene of each photo."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from waymark.bench.metric import Measured
from waymark.bench.truth import Seen

#: A longer text (characters) is a description rather than a group.
LONGEST_WORD = 24
#: Values that stand for "none of it".
NONE = ("", "false")
#: Tiers that also form a group together.
HARD = ("hard", "wild")
HARD_AND_WILD = "hard and wild"

Row = TypeVar("Row", bound=Measured)


def groups_of(truth: Seen) -> dict[str, str]:
    """The groups that a photo belongs to, by name -> value: its deck, and each yes/no value or short word
    of `sample`. Nested values are included one level deep ("light.kind")."""
    return {"deck": truth.tableau.catalogue or "", **dict(_words(truth.sample.items()))}


def _words(told: Iterable[tuple[str, Any]], within: str = "") -> Iterator[tuple[str, str]]:
    for name, value in told:
        if isinstance(value, bool):
            yield within + name, "true" if value else "false"
        elif isinstance(value, str) and len(value) <= LONGEST_WORD:
            yield within + name, value
        elif isinstance(value, Mapping) and not within:
            yield from _words(value.items(), f"{name}.")


def grouped(rows: Sequence[Row]) -> dict[str, dict[str, list[Row]]]:
    """The photos for each value of each group: group -> value -> rows. Groups with a single value are left
    out, except deck and tier. A photo without a value for a group is in none of its lists."""
    names = dict.fromkeys(name for row in rows for name in row.groups)
    found: dict[str, dict[str, list[Row]]] = {}
    for name in names:
        values: dict[str, list[Row]] = {}
        for row in rows:
            if name in row.groups:
                values.setdefault(row.groups[name], []).append(row)
        if name == "tier" and (hard := [row for row in rows if row.groups.get(name) in HARD]):
            values[HARD_AND_WILD] = hard
        if len(values) > 1 or name in ("deck", "tier"):
            found[name] = dict(sorted(values.items()))
    return found
