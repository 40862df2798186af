"""A dungeon put together from the parts that are seen: lines, rooms and spots become places and links."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.proposal.doors import find_doors
from calibration.proposal.draft import LEVELS, Draft
from calibration.proposal.habits import Habits
from calibration.proposal.landings import find_landings
from calibration.proposal.loose_ends import keep_one_line_an_end, lead_on, withhold_stubs
from calibration.proposal.lying_finds import join_at_meetings, lay_finds
from calibration.proposal.openings import bridge_gaps, find_openings, keep_one_opening_a_place
from calibration.proposal.spots import SeenFind
from calibration.proposal.standing_stairs import stand_stairs
from calibration.proposal.written import written
from scorer.catalogue import Card, Point


def assembled(
    parts: NDArray[np.float32],
    size_mm: Point,
    finds: list[SeenFind],
    habits: Habits,
    like: tuple[str, Any, str],
) -> Card:
    """The card, its id, kind and art as told, with the dungeon that `parts` (8, H, W) and `finds` make."""
    draft = Draft(parts, size_mm, finds, habits)
    for level in LEVELS:
        bridge_gaps(draft, level)
        find_openings(draft, level)
    keep_one_opening_a_place(draft)
    find_doors(draft)
    stand_stairs(draft)
    lay_finds(draft)
    for level in LEVELS:
        join_at_meetings(draft, level)
    find_landings(draft)
    for level in LEVELS:
        lead_on(draft, level)
        withhold_stubs(draft, level)
        lead_on(draft, level)
        draft.nets[level].make_single()
        keep_one_line_an_end(draft, level)
    return written(draft, *like)
