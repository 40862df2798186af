"""Whatever is killed at any moment has kept all that it acknowledged, and leaves nothing over.

`python -m tools.kill_test --kills 200` kills more often, on both databases, and prints how much was kept.
"""

from __future__ import annotations

import random
import time
from pathlib import Path

import psutil
import pytest
import requests
from killed import KINDS, OF_FOLDERS, Killing
from patience import PATIENCE_SECONDS
from played import small_photo
from postgresql_cluster import Cluster
from server_process import ServerProcess


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_what_was_acknowledged_survives_kills(tmp_path: Path, kind: str) -> None:
    outcome = KINDS[kind](Killing(tmp_path, 3, random.Random(20261121)))
    assert outcome.acknowledged.total() > 0
    assert outcome.kills == 3 and not outcome.lost and not outcome.left


@pytest.mark.long
@pytest.mark.parametrize("kind", sorted(KINDS.keys() - OF_FOLDERS))
def test_the_same_on_postgresql(tmp_path: Path, kind: str, cluster: Cluster) -> None:
    outcome = KINDS[kind](Killing(tmp_path, 2, random.Random(20261122), cluster.new_database))
    assert outcome.kills == 2 and not outcome.lost and not outcome.left


@pytest.mark.long
def test_a_killed_server_leaves_no_worker_behind(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data", "--workers", "1")
    server.wait_until_it_answers()
    requests.post(
        f"{server.url}/api/v1/photos", files={"photo": ("p.jpg", small_photo("x"))}, timeout=PATIENCE_SECONDS
    )
    end = time.monotonic() + PATIENCE_SECONDS
    while not (workers := psutil.Process(server.process.pid).children(recursive=True)):
        assert time.monotonic() < end, "no worker was started"
        time.sleep(0.05)
    server.kill()
    _, alive = psutil.wait_procs(workers, timeout=PATIENCE_SECONDS)
    assert not alive
