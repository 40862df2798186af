"""Random tables of a cooperative game."""

from __future__ import annotations

from functools import cache

import msgspec
import numpy as np

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue
from scorer.mapmasters.cooperative import TableRecord, make_table
from scorer.mapmasters.cooperative.rules.record import GroupPath
from waymark.bench_cooperative import random_table


@cache
def deck() -> Catalogue:
    return load_catalogue(bundled_catalogue())


def table(seed: int) -> TableRecord:
    """A random table whose lines were meddled with: cut, turned, joined to others', marked as sketches, led
    onto finds, and with goals that somebody says were chosen."""
    rng = np.random.default_rng(seed)
    record = random_table(deck(), rng)
    dungeon = make_table(deck(), record).dungeon
    mission = record.mission
    assert mission is not None and not isinstance(mission, str)
    paths = []
    for path in record.paths:
        (line,) = path.path
        meddle = rng.integers(8)
        if meddle == 0 and len(line) > 2:
            cut = int(rng.integers(1, len(line)))
            strokes: tuple[tuple[str, ...], ...] = (line[:cut], line[cut:])
        elif meddle == 1:
            strokes = (line[::-1],)
        elif meddle == 2:
            strokes = (line[: int(rng.integers(0, len(line) + 1))],)
        elif meddle == 3:
            near = [link.b for link in dungeon.neighbours[line[-1]]]
            strokes = ((*line, str(rng.choice(near))) if near else line,)
        elif meddle == 4:
            other = record.paths[int(rng.integers(len(record.paths)))].path
            strokes = (*path.path, *other)
        else:
            strokes = path.path
        goal = mission.goals[int(rng.integers(len(mission.goals)))].id if rng.random() < 0.5 else None
        paths.append(GroupPath(group=path.group, path=strokes, goal=goal, sketch=bool(rng.random() < 0.1)))
    return msgspec.structs.replace(record, paths=tuple(paths))
