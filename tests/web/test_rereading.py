"""A history is read again with a newer version: what would score otherwise is told, and taken where nobody
has had a say."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from flask import Flask
from live_server import PHOTOS
from put_readings import put_reading
from sqlalchemy import select

from vision.scan import Scan
from waymark.review.pipeline import decode_reading, encode_reading
from webapp.http.services import KEY, Services
from webapp.scans import rescanning
from webapp.scans.rescanning import Reread, reread
from webapp.store.models import Shot, Tableau

Read = Callable[..., Reread]


@pytest.fixture
def entry_id(app: Flask) -> str:
    """A player's round with a photo that has been read."""
    client = app.test_client()
    players = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    game: Any = client.post("/api/v1/games", json={"players": players}).json
    told: Any = client.get(f"/api/v1/games/{game['id']}").json
    entry: str = told["rounds"][0]["entries"][0]["id"]
    terms = {"primary": "sword", "secondary": "pit"}
    client.patch(f"/api/v1/games/{game['id']}/rounds/1", json=terms)
    put_reading(app, entry, "table-07")
    return entry


@pytest.fixture
def read(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Have all photos read again, as `as_now` makes of what was read before."""
    services: Services = app.extensions[KEY]

    @contextmanager
    def here(jobs: int, decks: Sequence[str | None]) -> Any:
        with ThreadPoolExecutor(1) as threads:
            workers: Executor = threads
            yield workers, 1

    def again(as_now: Callable[[Scan], Scan], **more: Any) -> Reread:
        def newer(photo: bytes, deck: str | None) -> bytes:
            with services.database.snapshot() as session:
                reading = session.scalars(select(Shot.reading)).first()
            return encode_reading(as_now(decode_reading(reading or b"")))

        monkeypatch.setattr(rescanning, "local_workers", here)
        monkeypatch.setattr(rescanning, "read", newer)
        monkeypatch.setattr(rescanning, "load_cards", lambda catalogue: None)
        return reread(services.database, services.photos, services.catalogue, **more)

    return again


def shorter(scan: Scan) -> Scan:
    """Less of the path is seen."""
    path = tuple(stroke[:3] for stroke in scan.tableau.path)
    lines: Any = tuple(() for _ in path)
    return replace(scan, tableau=msgspec.structs.replace(scan.tableau, path=path), path_px=lines)


def stands(app: Flask) -> tuple[Any, int]:
    services: Services = app.extensions[KEY]
    with services.database.snapshot() as session:
        tableau = session.scalars(select(Tableau)).one()
        return tableau.record, tableau.version


def test_what_comes_to_the_same_changes_nothing(app: Flask, entry_id: str, read: Read) -> None:
    before = stands(app)
    assert read(lambda scan: scan, take=True) == Reread(same=1, unread=0, otherwise=())
    assert stands(app) == before


@pytest.mark.parametrize("take", [False, True])
def test_what_would_score_otherwise_is_told_and_taken_where_asked(
    app: Flask, entry_id: str, read: Read, take: bool
) -> None:
    before = stands(app)
    (found,) = read(shorter, take=take).otherwise
    assert found.before != found.now and found.taken == take
    assert (stands(app)[0] != before[0]) == take


def test_what_people_corrected_is_left(app: Flask, entry_id: str, read: Read) -> None:
    services: Services = app.extensions[KEY]
    with services.database.snapshot() as session:
        tableau_id = session.scalars(select(Tableau.id)).one()
    client = app.test_client()
    version = client.get(f"/api/v1/tableaus/{tableau_id}/review").json["version"]  # type: ignore[index]
    turned = {"version": version, "correction": {"kind": "swap"}}
    assert client.post(f"/api/v1/tableaus/{tableau_id}/corrections", json=turned).status_code == 200
    before = stands(app)
    (found,) = read(shorter, take=True).otherwise
    assert not found.taken and stands(app) == before


def test_a_photo_that_is_gone_leaves_the_others(app: Flask, entry_id: str, read: Read) -> None:
    services: Services = app.extensions[KEY]
    for key in list(services.photos.names()):
        services.photos.remove(key)
    photo = {"photo": (io.BytesIO((PHOTOS / "table-04.jpg").read_bytes()), "p.jpg")}
    app.test_client().post("/api/v1/photos", data=photo)  # Waits unread: it has no reading to compare.
    assert read(lambda scan: scan) == Reread(same=0, unread=1, otherwise=())
