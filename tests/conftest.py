"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

# The catalogue's index is built once for all tests and all runs, not in the user's own cache.
os.environ.setdefault("WAYMARK_CACHE", str(Path(__file__).parent.parent / ".cache" / "tests"))
