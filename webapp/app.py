"""Application factory: `create_app` builds the web app from its settings. One blueprint per noun, in `pages`
and `api`."""

from __future__ import annotations

import errno
import tempfile
from contextlib import suppress
from pathlib import Path

from flask import Flask

from calibration.kept_pens import pen_folder
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import load_catalogue
from scorer.errors import Code, WaymarkError
from scorer.text import Text
from webapp.config import ServerConfig
from webapp.decks.shelf import Shelf
from webapp.http.addresses import EscapedConverter
from webapp.http.api import api
from webapp.http.body_limits import MAX_FORM_BYTES
from webapp.http.compression import init_compression
from webapp.http.errors import init_errors
from webapp.http.languages import init_languages
from webapp.http.pages import (
    access,
    capture,
    decks,
    disputes,
    games,
    history,
    home,
    init_templates,
    joining,
    messages,
    photos,
    tableaus,
)
from webapp.http.security import csrf, init_safety
from webapp.http.services import KEY, Services, close_read_session
from webapp.scans.queue import ScanQueue
from webapp.store.database import open_database
from webapp.store.photo_places import copies_beside, open_store
from webapp.store.photos import clear_parts
from webapp.store.storage_errors import storage_error

#: Every noun of pages.
PAGES = (home, games, access, joining, history, capture, photos, tableaus, disputes, decks, messages)


def create_app(config: ServerConfig) -> Flask:
    """The web app for its data folder, with the database migrated to the newest schema. The scan queue is not
    started; the server does that (`services().queue.start()`).

    Raises `WaymarkError` where the data folder, the database or the cards cannot be used."""
    _make_folder(config.data, private=True)
    kept_here = (config.photos, config.display_copies) if config.photos_url is None else ()
    for place in (config.receiving, *kept_here):
        _make_folder(place)
    for place in kept_here:
        clear_parts(place)
    folder = config.catalogue or bundled_catalogue()
    catalogue = load_catalogue(folder)
    database = open_database(config.url)
    app = Flask(__name__)
    app.url_map.converters["escaped"] = EscapedConverter
    app.config.update(
        # Photos are sent as files; forms contain names and notes.
        MAX_FORM_MEMORY_SIZE=MAX_FORM_BYTES,
        SEND_FILE_MAX_AGE_DEFAULT=3600,
    )
    photos = open_store(config.photos_at)
    shelf = Shelf(config.data, catalogue, folder)
    queue = ScanQueue(database, photos, shelf, config.scan_workers, pens=pen_folder(config.data))
    copies = copies_beside(config.photos_at, config.display_copies)
    app.extensions[KEY] = Services(config, database, shelf, photos, copies, queue)
    init_compression(app)
    init_languages(app)
    init_errors(app)
    try:
        init_safety(app, data=config.data, https=config.https)
    except OSError as error:
        raise _unusable(error, config.data) from error
    init_templates(app)
    for noun in PAGES:
        app.register_blueprint(noun.pages)
    app.jinja_env.globals.update(form_key=capture.form_key, may_have_camera=capture.may_have_camera)
    app.register_blueprint(api)
    csrf.exempt(api)  # Requests from other sites are refused by their origin; see `webapp.http.security`.
    app.teardown_appcontext(close_read_session)
    return app


def _make_folder(folder: Path, *, private: bool = False) -> None:
    """Create a writable folder. `private`: only this user may read it; the permissions of an existing shared
    folder stay."""
    try:
        if folder.exists() and not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "it is a file", str(folder))
        ours = not folder.is_dir() or not any(folder.iterdir()) or (folder / "secret-key").exists()
        folder.mkdir(parents=True, exist_ok=True)
        if private and ours:
            with suppress(PermissionError):  # Another user's folder, with write access.
                folder.chmod(0o700)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _unusable(error, folder) from error


def _unusable(error: OSError, folder: Path) -> WaymarkError:
    """The error for a part of the data folder that prevents Waymark from starting."""
    if (told := storage_error(error)) is not None and told.code == Code.DISK_FULL:
        return told
    what, why = str(error.filename or folder), error.strerror or str(error)
    return WaymarkError(
        Code.NOT_WRITABLE,
        Text(
            "{what!r} cannot be used ({why}); move what is in the way, allow writing there, or choose "
            "another folder with --data.",
            what=what,
            why=why,
        ),
    )
