"""Batches on a cluster answer as they do on this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from cli_runs import run_here
from patience import PATIENCE_SECONDS
from shared_readings import PHOTOS, open_deck

from waymark.cluster import ON_THEIR_WAY, ahead, deck_name, deck_named

SAMPLES = ("table-04.jpg", "table-07.jpg")


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a scheduler with one worker."""
    import dask
    from distributed import LocalCluster

    local: Any = LocalCluster
    patient = {f"distributed.comm.timeouts.{what}": f"{PATIENCE_SECONDS}s" for what in ("connect", "tcp")}
    with (
        pytest.MonkeyPatch.context() as patch,
        dask.config.set(patient),
        local(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp"
        ) as made,
    ):
        patch.setattr("waymark.cluster.CONNECT_SECONDS", PATIENCE_SECONDS)
        yield made.scheduler_address


def without_times(told: Any) -> Any:
    if isinstance(told, list):
        return [without_times(each) for each in told]
    if isinstance(told, dict):
        return {name: without_times(value) for name, value in told.items() if name != "timings_ms"}
    return told


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("more", [["scan"], ["score", "--primary", "sword", "--secondary", "pit"]])
def test_photos_are_read_on_a_cluster_as_here(cluster: str, tmp_path: Path, more: list[str]) -> None:
    (tmp_path / "text.jpg").write_text("no photo")
    photos = [*(PHOTOS / name for name in SAMPLES), tmp_path / "text.jpg"]
    here, there = (run_here(*more, *photos, "--json", "-", *where) for where in ([], ["--cluster", cluster]))
    assert there.exit_code == here.exit_code
    assert without_times(json.loads(there.stdout)) == without_times(json.loads(here.stdout))


@pytest.mark.long
def test_many_photos_are_read_by_processes_as_by_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "text.jpg").write_text("no photo")
    photos = [*(PHOTOS / name for name in SAMPLES), tmp_path / "text.jpg"]
    few = run_here("scan", *photos, "--json", "-")
    monkeypatch.setattr("waymark.cli.photos.MANY", len(photos))
    many = run_here("scan", *photos, "--json", "-")
    assert many.exit_code == few.exit_code and many.stderr == few.stderr
    assert without_times(json.loads(many.stdout)) == without_times(json.loads(few.stdout))


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_a_folder_is_measured_on_a_cluster(cluster: str, tmp_path: Path) -> None:
    for name in SAMPLES:
        for file in (Path(name), Path(name).with_suffix(".truth.json")):
            (tmp_path / file).write_bytes((PHOTOS / file).read_bytes())
    told = json.loads(run_here("bench", tmp_path, "--json", "-", "--cluster", cluster).stdout)
    assert told["jobs"] == 1 and [row["photo"] for row in told["photos"]] == list(SAMPLES)
    assert told["total"]["unread"] == 0


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_is_not_there_is_wrong_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("waymark.cluster.CONNECT_SECONDS", 0.2)
    told = run_here("scan", PHOTOS / SAMPLES[0], "--cluster", "tcp://127.0.0.1:9")
    assert (told.exit_code, told.stderr.count("\n")) == (2, 1) and "No cluster answers" in told.stderr


@pytest.mark.parametrize("picture", [["scan", "--stages"], ["score", "--overlay"]])
def test_a_cluster_draws_no_pictures(tmp_path: Path, picture: list[str]) -> None:
    told = run_here(*picture, tmp_path / "x.png", PHOTOS / SAMPLES[0], "--cluster", "tcp://127.0.0.1:9")
    assert told.exit_code == 2 and picture[1] in told.stderr


def test_a_deck_is_known_by_a_name_that_other_machines_know() -> None:
    bundled = open_deck().folder
    assert bundled is not None and deck_name(bundled) is None
    assert deck_named(None).name == open_deck().name
    assert deck_name(Path("/decks/mine")) == "/decks/mine"


def test_no_more_is_begun_ahead_than_may_be_on_its_way() -> None:
    begun: list[int] = []
    with ThreadPoolExecutor(1) as pool:

        def begin(number: int) -> Future[int]:
            begun.append(number)
            return pool.submit(lambda: number)

        for number, future in enumerate(ahead(range(3 * ON_THEIR_WAY), begin)):
            assert future.result() == number and len(begun) <= number + ON_THEIR_WAY
    assert begun == list(range(3 * ON_THEIR_WAY))
