"""Photo storage in a folder, or in a bucket of an S3-compatible object store that servers and workers on
several machines share."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from scorer.errors import Code, WaymarkError
from scorer.text import Text
from webapp.store.photo_store import PhotoStore, StoreUnreachable
from webapp.store.photos import write_whole

S3_SCHEME = "s3"
#: Query parameter for the URL of a store other than Amazon's: `s3://bucket/folder?endpoint=https://...`.
_ENDPOINT = "endpoint"


class FolderStore:
    """Photo storage in a folder, with one file per key."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, key: str, data: bytes) -> None:
        write_whole(self.folder / key, data)

    def read(self, key: str) -> bytes:
        return (self.folder / key).read_bytes()

    def has(self, key: str) -> bool:
        return (self.folder / key).is_file()

    def remove(self, key: str) -> None:
        (self.folder / key).unlink(missing_ok=True)

    def names(self) -> Iterator[str]:
        for file in self.folder.rglob("*"):
            if file.is_file() and not file.name.startswith("."):
                yield file.relative_to(self.folder).as_posix()

    def written_at(self, key: str) -> float:
        return (self.folder / key).stat().st_mtime

    def local_file(self, key: str) -> AbstractContextManager[Path]:
        if not self.has(key):
            raise FileNotFoundError(self.folder / key)
        return nullcontext(self.folder / key)


class S3Store:
    """Photo storage in an S3 bucket, or in a folder of one. Credentials are found by boto3: environment
    variables, files in the home folder, or the machine."""

    def __init__(self, bucket: str, folder: str, endpoint: str | None) -> None:
        """Raises `WaymarkError` (usage) where boto3 is not installed."""
        try:
            import boto3
            from botocore.config import Config
        except ImportError as error:
            raise WaymarkError(
                Code.USAGE, Text("Photos in a bucket need boto3; install it with: pip install 'waymark[s3]'")
            ) from error
        self._bucket = bucket
        self._prefix = f"{folder.strip('/')}/" if folder.strip("/") else ""
        patience = Config(connect_timeout=5, read_timeout=30, retries={"max_attempts": 4, "mode": "standard"})
        self._client: Any = boto3.client("s3", endpoint_url=endpoint, config=patience)

    def write(self, key: str, data: bytes) -> None:
        with _asking(key):
            self._client.put_object(Bucket=self._bucket, Key=self._prefix + key, Body=data)

    def read(self, key: str) -> bytes:
        with _asking(key):
            data: bytes = self._client.get_object(Bucket=self._bucket, Key=self._prefix + key)["Body"].read()
            return data

    def has(self, key: str) -> bool:
        try:
            with _asking(key):
                self._client.head_object(Bucket=self._bucket, Key=self._prefix + key)
        except FileNotFoundError:
            return False
        return True

    def remove(self, key: str) -> None:
        with _asking(key):
            self._client.delete_object(Bucket=self._bucket, Key=self._prefix + key)

    def names(self) -> Iterator[str]:
        with _asking(self._prefix):
            pages = self._client.get_paginator("list_objects_v2")
            for page in pages.paginate(Bucket=self._bucket, Prefix=self._prefix):
                for found in page.get("Contents", ()):
                    yield found["Key"].removeprefix(self._prefix)

    def written_at(self, key: str) -> float:
        with _asking(key):
            head = self._client.head_object(Bucket=self._bucket, Key=self._prefix + key)
            return float(head["LastModified"].timestamp())

    @contextmanager
    def local_file(self, key: str) -> Iterator[Path]:
        data = self.read(key)
        handle, name = tempfile.mkstemp(prefix="waymark-photo-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            yield Path(name)
        finally:
            Path(name).unlink(missing_ok=True)


#: HTTP statuses and words with which stores report a missing key.
_MISSING = ("404", "NoSuchKey", "NotFound")


@contextmanager
def _asking(key: str) -> Iterator[None]:
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except ClientError as error:
        told = error.response.get("Error", {})
        if told.get("Code") in _MISSING:
            raise FileNotFoundError(key) from None
        raise StoreUnreachable(f"{told.get('Code')}: {told.get('Message')}") from None
    except BotoCoreError as error:
        raise StoreUnreachable(str(error)) from None


def open_store(where: str | Path) -> PhotoStore:
    """The store at a URL (`s3://bucket/folder`, with `?endpoint=URL` for one that is not Amazon's own), or in
    a folder. Raises `WaymarkError` (usage) for another URL."""
    parts = urlsplit(str(where))
    # One letter and a colon is a Windows drive.
    if isinstance(where, Path) or len(parts.scheme) < 2:
        return FolderStore(Path(where))
    if parts.scheme == "file":
        return FolderStore(Path(parts.path))
    if parts.scheme != S3_SCHEME or not parts.netloc:
        raise WaymarkError(
            Code.USAGE,
            Text(
                "Photos cannot be kept at {where!r}; name a folder, or s3://BUCKET/FOLDER.", where=str(where)
            ),
        )
    endpoint = parse_qs(parts.query).get(_ENDPOINT, [None])[0]
    return S3Store(parts.netloc, parts.path, endpoint)


def copies_beside(where: str | Path, folder: Path) -> PhotoStore:
    """The storage of derived pictures: in the same bucket where servers share one, otherwise in a folder."""
    parts = urlsplit(str(where))
    if parts.scheme != S3_SCHEME:
        return FolderStore(folder)
    return open_store(parts._replace(path=f"{parts.path.rstrip('/')}/{folder.name}").geturl())
