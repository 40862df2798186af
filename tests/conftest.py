"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import settings

# The catalogue's index is built once for all tests and all runs, not in the user's own cache.
os.environ.setdefault("WAYMARK_CACHE", str(Path(__file__).parent.parent / ".cache" / "tests"))
# No test is timed: what is slow on one machine, or beside others, is not wrong.
settings.register_profile("waymark", deadline=None)
settings.load_profile("waymark")
