"""What all tests share."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from markers import BY_FOLDER, mark_by_use

# The catalogue's index is built once for all tests and all runs, not in the user's own cache.
os.environ.setdefault("WAYMARK_CACHE", str(Path(__file__).parent.parent / ".cache" / "tests"))
# Photos are read once in a run: its processes inherit where the readings lie (`shared_readings.py`).
if "WAYMARK_TEST_READINGS" not in os.environ:
    _READINGS = tempfile.TemporaryDirectory(prefix="waymark-test-readings-")
    os.environ["WAYMARK_TEST_READINGS"] = _READINGS.name
# No test is timed: what is slow on one machine, or beside others, is not wrong. Nor does one fail by chance:
# the same examples are tried in each run, others with `WAYMARK_EXPLORE=1`.
settings.register_profile(
    "waymark",
    deadline=None,
    derandomize="WAYMARK_EXPLORE" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("waymark")

#: They last the longest: begun last, they keep one process busy while the others have nothing left to do.
FIRST = (
    "test_whole_game",
    "test_odd_rows",
    "test_crash",
    "test_looks",
    "test_cooperative_payments",
    "test_board_by_photos",
    "test_two_devices",
)
WEB = Path(__file__).parent / "web"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Half as many processes again as cores: tests of pages wait for the browser a third of their time."""
    return max(2, (os.cpu_count() or 1) * 3 // 2)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out folders without unit tests where only those are asked for: importing all takes as long as
    the tests."""
    only_units = config.option.markexpr == "unit" and collection_path.parent == Path(__file__).parent
    return True if only_units and collection_path.name in BY_FOLDER else None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays: nobody looks through it for garbage, which took a fifth of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_itemcollected(item: pytest.Item) -> None:
    mark_by_use(item)


@pytest.hookimpl(trylast=True)  # after pytest-randomly has shuffled them
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # Those with a server follow, so that few processes start one of their own, a browser and PostgreSQL.
    items.sort(key=lambda item: item.path.parent != WEB)
    others = [item for item in items if item.path.stem not in FIRST]
    # Each process takes a stretch as long as the others', and begins with its share of what lasts.
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    ordered: list[pytest.Item] = []
    for process in range(processes):
        begun = [item for stem in FIRST[process::processes] for item in items if item.path.stem == stem]
        end = len(items) * (process + 1) // processes
        ordered += begun
        rest = max(0, end - len(ordered))
        ordered += others[:rest]
        del others[:rest]
    items[:] = ordered + others


def pytest_collection_finish() -> None:
    """Modules and tests stay until the end: who looks for garbage need not look through them each time. Nor
    that often: it took a seventh of the tests' time."""
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)
