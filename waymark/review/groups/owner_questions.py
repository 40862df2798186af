"""Whose a line is, where another group's pen is much alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scorer.text import Text
from waymark.review.assessment import CLEAR_DOUBT
from waymark.review.groups.asked import Asked
from waymark.review.groups.names import owner_name
from waymark.review.groups.readings import Readings

_OWNER = Text(
    "Two groups draw in much the same colour; please say whose line this is.",
    "似た色のペンを使うグループがあります。この線がどのグループのものか教えてください。",
)


def owner_questions(made: Readings) -> list[Asked]:
    """Whose a line is, where another group's pen is much alike: each with the groups changed."""
    asked = []
    least = made.cost_of_owners(made.owner_of)
    for number, line in enumerate(made.scan.lines):
        others = []
        now = made.owner_of[number]
        for owners in made.given_to_others(made.owner_of, number):
            name = owners[number]
            if made.cost_of_owners(owners) - least > CLEAR_DOUBT:
                continue
            drawn = {
                k: replace(made.ways_of(k)[made.taken.get(k, 0)][1], group=owner)
                for k, owner in owners.items()
            }
            others.append((name, Text(name, name), made.of(drawn)[0]))
        if others:
            asked.append(
                Asked(
                    owner_name(number),
                    "path",
                    line.path[0][0],
                    _OWNER,
                    tuple(others),
                    (now, Text(now, now)),
                    _box(line.path_px),
                )
            )
    return asked


def _box(lines: Sequence[Sequence[tuple[float, float]]]) -> tuple[int, int, int, int] | None:
    """Where in the photo lines lie."""
    points = [point for line in lines for point in line]
    if not points:
        return None
    xs, ys = zip(*points, strict=True)
    return int(min(xs)), int(min(ys)), int(max(xs)), int(max(ys))
