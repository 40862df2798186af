"""Whose a line is, where another group's pen is much alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scorer.text import Text
from waymark.review.far_fetched import CLEAR_DOUBT
from waymark.review.groups.asked import Asked, Other
from waymark.review.groups.names import owner_name
from waymark.review.groups.readings import Readings

#: Colours that make one group's drawing less than this likelier (nats) than another's do not tell them apart.
ALIKE_NATS = 1.0

_OWNER = Text(
    "Two groups draw in much the same colour; please say whose line this is.",
    "似た色のペンを使うグループがあります。この線がどのグループのものか教えてください。",
)


def owner_questions(made: Readings) -> list[Asked]:
    """Whose a line is, where another group's pen is much alike: each with the groups changed. What the rules
    make of it does not count where colours tell nothing: who drew it knows."""
    asked = []
    least, by_colour = made.cost_of_owners(made.owner_of), made.colour_cost(made.owner_of)
    for number, line in enumerate(made.scan.lines):
        others = []
        now = made.owner_of[number]
        for owners in made.given_to_others(made.owner_of, number):
            name = owners[number]
            behind = made.cost_of_owners(owners) - least
            is_alike = made.colour_cost(owners) - by_colour < ALIKE_NATS
            if behind > CLEAR_DOUBT and not is_alike:
                continue
            drawn = {
                k: replace(made.ways_of(k)[made.taken.get(k, 0)][1], group=owner)
                for k, owner in owners.items()
            }
            others.append(Other(name, Text(name, name), made.of(drawn)[0], behind))
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
