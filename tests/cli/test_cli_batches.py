"""Several photos in one call: a few are read two at a time, many by processes; all are answered in order."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Barrier, Lock
from typing import Any

import pytest
from cli_runs import run_here
from patience import PATIENCE_SECONDS

from scorer.errors import Code, WaymarkError
from scorer.text import written
from waymark.cli.batches import MANY
from waymark.cli.inputs import CatalogueChoice

NAMES = ("a.jpg", "b.jpg", "c.jpg", "d.jpg")


class Scanned:
    """A scan that tells the photo's name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def to_json(self, language: str) -> dict[str, str]:
        return {"read": self.name}


@pytest.fixture
def read_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[str], None]], None]:
    """Let `waymark scan` read photos by calling a function with their names."""

    def install(look: Callable[[str], None]) -> None:
        def read(
            source: partial[Any], catalogue: object, pen: object = None, certainty: float | None = None
        ) -> Scanned:
            name: str = source.args[0]
            look(name)
            return Scanned(name)

        monkeypatch.setattr("waymark.program.read", read)

    return install


def test_two_photos_are_read_at_a_time_and_answered_in_order(
    read_by: Callable[[Callable[[str], None]], None],
) -> None:
    both, lock, now, most = Barrier(2, timeout=PATIENCE_SECONDS), Lock(), 0, 0

    def look(name: str) -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        both.wait()  # Breaks where nobody else comes.
        with lock:
            now -= 1

    read_by(look)
    done = run_here("scan", *NAMES, "--json", "-")
    assert done.exit_code == 0, done.stderr
    assert [each["read"] for each in json.loads(done.stdout)] == list(NAMES)
    assert most == 2


def test_a_photo_that_fails_beside_others_leaves_their_answers(
    read_by: Callable[[Callable[[str], None]], None],
) -> None:
    def look(name: str) -> None:
        if name == "b.jpg":
            raise WaymarkError(Code.NO_CARD, written("No card.", "カードがありません。"))
        if name == "c.jpg":
            raise ZeroDivisionError("of ours")

    read_by(look)
    done = run_here("scan", *NAMES, "--json", "-")
    answers = json.loads(done.stdout)
    assert done.exit_code == 0
    assert [each.get("read") for each in answers] == ["a.jpg", None, None, "d.jpg"]
    assert [each["error"]["code"] for each in answers[1:3]] == ["no-card", "internal"]
    assert done.stderr.count("\n") == 2 and "Traceback" not in done.stderr


def test_photos_that_are_read_at_once_share_the_cards(
    read_by: Callable[[Callable[[str], None]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    loads: list[object] = []
    load = CatalogueChoice.load

    def counted(choice: CatalogueChoice) -> Any:
        loads.append(load(choice))
        return loads[-1]

    monkeypatch.setattr(CatalogueChoice, "load", counted)
    read_by(lambda _: None)
    assert run_here("scan", *NAMES, "--json", "-").exit_code == 0
    assert len(loads) == len(NAMES) and len({id(each) for each in loads}) == 1


@pytest.mark.parametrize("command", ["scan", "score"])
def test_many_photos_go_to_processes_and_are_answered_in_order(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decks: list[str | None] = []

    @contextmanager
    def workers(jobs: int, named: Sequence[str | None]) -> Iterator[tuple[Executor, int]]:
        decks.extend(named)
        with ThreadPoolExecutor(jobs) as pool:
            yield pool, jobs

    def read(photo: bytes, deck: str | None, *more: object) -> dict[str, str]:
        if photo == b"3":
            raise WaymarkError(Code.NO_CARD, written("No card.", "カードがありません。"))
        return {"read": photo.decode()}

    monkeypatch.setattr("waymark.cluster.local_workers", workers)
    monkeypatch.setattr(f"waymark.cluster.{command}", read)
    photos = [tmp_path / f"{number}.jpg" for number in range(MANY)]
    for number, photo in enumerate(photos):
        photo.write_bytes(str(number).encode())
    done = run_here(command, *photos, "--json", "-")
    answers = json.loads(done.stdout)
    assert done.exit_code == 0 and decks == [None]
    assert [each.get("read") for each in answers] == ["0", "1", "2", None, *map(str, range(4, MANY))]
    assert answers[3]["error"]["code"] == "no-card"
