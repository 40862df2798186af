"""A throw-away PostgreSQL cluster for tests, reached through a socket in its own folder only."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from patience import PATIENCE_SECONDS

#: Where Debian keeps the programs; elsewhere they are found by PATH.
_DEBIAN = Path("/usr/lib/postgresql")
#: A crash loses nothing that anybody wants to keep.
_FAST = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c listen_addresses=''"
_WAIT = ("--wait", f"--timeout={PATIENCE_SECONDS}")
USER = "waymark"


class NoPostgreSQL(Exception):
    """Why no cluster can be had on this machine, and what would help."""


class Cluster:
    """A running cluster; `new_database` makes a database in it."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs = programs
        self._folder = folder
        self._numbers = count(1)

    def new_database(self, like: str | None = None) -> str:
        """The URL of an empty one, or of a copy of the one at the URL `like`, which nobody may be using."""
        name = f"waymark_{next(self._numbers)}"
        self._call("createdb", name, *([] if like is None else ["--template", _name_of(like)]))
        return f"postgresql+psycopg://{USER}@/{name}?host={self._folder}"

    def drop(self, url: str) -> None:
        """Remove what `new_database` made, whoever is still connected."""
        self._call("dropdb", "--force", "--if-exists", _name_of(url))

    def _call(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), "--host", str(self._folder), "--username", USER, *arguments]
        subprocess.run(command, check=True, capture_output=True, text=True)


def _name_of(url: str) -> str:
    return url.rpartition("?")[0].rpartition("/")[2]


@contextmanager
def postgresql_cluster() -> Iterator[Cluster]:
    """Start a cluster and stop it. Raises `NoPostgreSQL`."""
    programs = _programs()
    prefix, owner = _as_somebody()
    # Not below pytest's own folder, which no other user may enter.
    folder = Path(tempfile.mkdtemp(prefix="waymark-postgresql-"))
    try:
        if owner is not None:
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        data = str(folder / "data")

        def call(program: str, *arguments: str) -> None:
            done = subprocess.run(
                [*prefix, str(programs / program), "--pgdata", data, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.STDOUT,
                cwd=folder,
            )
            if done.returncode:
                raise NoPostgreSQL(f"{program} of PostgreSQL failed here")

        # What people write is found in any case, as on a machine that is set up for people.
        call(
            "initdb", "--no-sync", "--auth=trust", f"--username={USER}", "--encoding=UTF8", "--locale=C.UTF-8"
        )
        call("pg_ctl", "start", *_WAIT, "--log", str(folder / "log"), "--options", f"{_FAST} -k {folder}")
        try:
            yield Cluster(programs, folder)
        finally:
            call("pg_ctl", "stop", *_WAIT, "--mode=immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _programs() -> Path:
    newest = sorted(_DEBIAN.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]), reverse=True)
    found = newest[0] if newest else shutil.which("initdb")
    if found is None:
        raise NoPostgreSQL("no PostgreSQL on this machine (Debian: apt install postgresql)")
    return Path(found).parent


def _as_somebody() -> tuple[list[str], pwd.struct_passwd | None]:
    """How to run a program as somebody who is not root: PostgreSQL refuses to be root's."""
    if os.geteuid() != 0:
        return [], None
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        raise NoPostgreSQL("PostgreSQL does not run as root, and there is no setpriv to be somebody else")
    for name in ("postgres", "nobody"):
        try:
            owner = pwd.getpwnam(name)
        except KeyError:
            continue
        ids = [f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--clear-groups"]
        return [setpriv, *ids], owner
    raise NoPostgreSQL("PostgreSQL does not run as root, and there is no other user")
