"""Ghosts: what a bad wipe left of an old path, told from this round's lines by how much of a film is there.

The remains have the pen's own hue and run where lines run; but they are thin, all along. A pen that runs dry
draws a thin line, too: in between it is not told but asked.
"""

from __future__ import annotations

import math

from vision import tuning


def freshness(film: float, line_film: float) -> float:
    """How surely a line with this share of a full film is of this round: 0 is a ghost's, 1 a fresh one's, as
    beside a photo's plainest lines (`vision.ink_map.InkMap`). A line whose film was not measured is fresh.
    """
    if math.isnan(film):
        return 1.0
    share = film / max(line_film, 1e-6)
    return min(max((share - tuning.GHOST) / (tuning.FRESH - tuning.GHOST), 0.0), 1.0)


def weighed(score: float, fresh: float) -> float:
    """What speaks for a line (nats) when it may be a ghost: nothing does for what was wiped, which speaks
    against it as much, where little of it is seen.
    """
    return score if score <= 0 else fresh * score - (1 - fresh) * min(tuning.GHOST_COST, score)
