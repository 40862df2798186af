"""Photos lie in a folder or in a bucket, and whoever asks for one cannot tell."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from live_server import PHOTOS

from scorer.errors import WaymarkError
from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.data.cli import data as commands
from webapp.http.services import KEY
from webapp.store.photo_places import FolderStore, S3Store, open_store
from webapp.store.photo_store import PhotoStore, StoreUnreachable
from webapp.store.photos import original_key, store_original

PHOTO = (PHOTOS / "table-04.jpg").read_bytes()


@pytest.fixture(scope="session")
def bucket_server() -> Iterator[str]:
    """The address of a server that speaks S3 and has a bucket `table`."""
    import boto3
    from moto.moto_server.threaded_moto_server import ThreadedMotoServer

    with pytest.MonkeyPatch.context() as environment:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            environment.setenv(name, "test")
        environment.setenv("AWS_DEFAULT_REGION", "eu-west-1")
        server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
        server.start()
        host, port = server.get_host_and_port()
        address = f"http://{host}:{port}"
        client: Any = boto3.client("s3", endpoint_url=address)
        client.create_bucket(Bucket="table", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
        yield address
        server.stop()


@pytest.fixture
def bucket(bucket_server: str, request: pytest.FixtureRequest) -> str:
    """The URL of an empty folder of the bucket: no test sees what another has written."""
    evening = hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:12]
    return f"s3://table/{evening}?endpoint={bucket_server}"


@pytest.fixture(params=["folder", pytest.param("bucket", marks=pytest.mark.long)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> PhotoStore:
    where = request.getfixturevalue("bucket") if request.param == "bucket" else str(tmp_path / "photos")
    return open_store(where)


def test_what_is_written_is_there_under_its_key(store: PhotoStore) -> None:
    store.write("ab/one", b"1")
    store.write("cd/two", b"2")
    store.write("ab/one", b"another")
    assert sorted(store.names()) == ["ab/one", "cd/two"]
    assert store.read("ab/one") == b"another" and store.has("cd/two")
    with store.local_file("ab/one") as file:
        assert file.read_bytes() == b"another"
    store.remove("ab/one")
    store.remove("ab/one")
    assert not store.has("ab/one") and list(store.names()) == ["cd/two"]


def test_what_is_not_there_is_told_as_such(store: PhotoStore) -> None:
    with pytest.raises(FileNotFoundError):
        store.read("no/thing")
    with pytest.raises(FileNotFoundError), store.local_file("no/thing"):
        pass


@pytest.mark.long
def test_the_file_of_a_bucket_lasts_as_long_as_it_is_read(bucket: str) -> None:
    store = open_store(bucket)
    store.write("ab/one", b"1")
    with store.local_file("ab/one") as file:
        assert file.exists()
    assert not file.exists()


@pytest.mark.long
def test_a_photo_is_sent_shown_and_exported_from_a_bucket(tmp_path: Path, bucket: str) -> None:
    config = ServerConfig(data=tmp_path / "data", scan_workers=0)
    app = create_app(replace(config, photos_url=bucket))
    client = app.test_client()
    sent: Any = client.post("/api/v1/photos", data={"photo": (io.BytesIO(PHOTO), "p.jpg")}).json
    photo_id = sent["shot"]["photo_id"]
    assert not config.photos.exists()
    for _ in range(2):  # Made, then kept.
        shown = client.get(f"/photos/{photo_id}/480.jpg")
        assert shown.status_code == 200 and shown.data.startswith(b"\xff\xd8")
    originals = app.extensions[KEY].photos
    assert {original_key(photo_id), f"display/{original_key(photo_id)}-480.jpg"} <= set(originals.names())
    assert originals.read(original_key(photo_id)) == PHOTO
    other = create_app(ServerConfig(data=tmp_path / "other", scan_workers=0)).test_client()
    log = client.get("/api/v1/log").data
    taken: Any = other.post("/api/v1/log", data=log, content_type="application/octet-stream").json
    assert (taken["photos_added"], taken["photos_missing"]) == (1, 0)
    originals.remove(original_key(photo_id))
    lost = client.get(f"/photos/{photo_id}/1600.jpg")
    assert lost.status_code == 410 and "no longer" in lost.text


def test_a_photo_is_kept_once_however_often_it_comes(store: PhotoStore) -> None:
    assert store_original(store, PHOTO) == store_original(store, PHOTO)
    assert len([key for key in store.names() if len(key) == 67]) == 1


@pytest.mark.long
def test_a_store_that_does_not_answer_says_so(bucket: str) -> None:
    assert isinstance(open_store(bucket), S3Store)
    away = S3Store("nowhere", "", bucket.partition("endpoint=")[2])
    with pytest.raises(StoreUnreachable) as told:
        away.write("ab/one", b"1")
    assert told.value.code.http_status == 503 and "nothing is lost" in told.value.en


def test_places_that_are_no_store_are_refused(tmp_path: Path) -> None:
    assert isinstance(open_store(tmp_path), FolderStore)
    assert isinstance(open_store("C:/photos"), FolderStore)
    for where in ("ftp://example/photos", "s3:///folder", "https://example/photos"):
        with pytest.raises(WaymarkError, match="s3://"):
            open_store(where)


@pytest.mark.long
def test_the_data_commands_look_after_photos_in_a_bucket(tmp_path: Path, bucket: str) -> None:
    """They saw the folder alone: a backup had no photo in it, and said that all were lost."""
    config = ServerConfig(data=tmp_path / "data", photos_url=bucket, scan_workers=0)
    app = create_app(config)
    client, originals = app.test_client(), app.extensions[KEY].photos
    kept, damaged = (
        client.post("/api/v1/photos", data={"photo": (io.BytesIO(PHOTO + end), "p.jpg")}).get_json()["shot"][
            "photo_id"
        ]
        for end in (b"1", b"2")
    )
    assert client.get(f"/photos/{kept}/480.jpg").status_code == 200
    app.extensions[KEY].database.engine.dispose()
    places = ["--photos", bucket]
    assert command_answer("check", config.data, *places)["findings"] == []

    # A backup has them, and goes to a folder or to another bucket.
    file = tmp_path / "table.backup"
    assert command_answer("backup", file, "--data", config.data, *places)["photos"] == 2
    assert command_answer("restore", file, tmp_path / "in a folder")["photos"] == 2
    assert (tmp_path / "in a folder" / "photos" / original_key(kept)).read_bytes() == PHOTO + b"1"
    assert command_answer("check", tmp_path / "in a folder")["findings"] == []
    other = bucket.replace("?", "-other?")
    assert command_answer("restore", file, tmp_path / "beside", "--photos", other)["photos"] == 2
    assert set(open_store(other).names()) == {original_key(kept), original_key(damaged)}
    assert not list((tmp_path / "beside").rglob(kept))
    assert command_answer("check", tmp_path / "beside", "--photos", other)["findings"] == []

    # What is wrong there is found, and set aside in the data folder.
    originals.write(original_key(damaged), b"no more")
    originals.write("ab/notes.txt", b"mine")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("webapp.data.check.ORPHAN_SECONDS", -60)
        found = command_answer("check", config.data, *places)["findings"]
        assert sorted(each["kind"] for each in found) == ["photo-damaged", "photo-orphan"]
        mended = command_answer("mend", config.data, *places)
    assert [each["kind"] for each in mended["findings"]] == ["photo-lost"]
    aside = Path(mended["quarantine"]) / "photos"
    assert (aside / "ab" / "notes.txt").read_bytes() == b"mine"
    assert (aside / original_key(damaged)).read_bytes() == b"no more"
    there = set(originals.names())
    assert original_key(kept) in there and not there & {original_key(damaged), "ab/notes.txt"}
    assert any(name.startswith("display/") for name in there)


@pytest.mark.long
def test_a_bucket_that_is_not_there_is_told_by_the_data_commands(tmp_path: Path, bucket: str) -> None:
    data = tmp_path / "data"
    create_app(ServerConfig(data=data, scan_workers=0)).extensions[KEY].database.engine.dispose()
    away = bucket.replace("s3://table/", "s3://nowhere/")
    told = CliRunner().invoke(commands, ["check", str(data), "--photos", away, "--lang", "en"])
    assert told.exit_code == 3 and "cannot be reached" in told.output


def command_answer(*arguments: object) -> Any:
    """What a command of `waymark data` answers to programs."""
    done = CliRunner().invoke(commands, [*map(str, arguments), "--json", "-"])
    return json.loads(done.stdout)
