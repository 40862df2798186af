"""`waymark serve`: the app on its production server, with its scan queue, until it is stopped."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from flask import Flask

from scorer.errors import Code, WaymarkError
from scorer.text import Text
from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.http.addresses import CERTIFICATES, Address, lan_addresses
from webapp.http.certificates import local_certificates
from webapp.http.connection_limits import MAX_CONNECTIONS
from webapp.http.host_names import is_address
from webapp.http.listening import listen
from webapp.http.services import KEY, Services
from webapp.http.trust_door import TrustDoor, set_trust_door
from webapp.log.log_import import finish_imports

log = logging.getLogger(__name__)


def serve(
    config: ServerConfig,
    host: str,
    port: int,
    *,
    on_start: Callable[[Address], None],
    on_ready: Callable[[], None] = lambda: None,
) -> None:
    """Answer requests until interrupted or terminated. `on_start` is called when the port is open, `on_ready`
    when photos are read at once.

    Raises `WaymarkError`: the port is taken, or the data folder, the database or the cards cannot be used.
    """
    if not is_address(host):
        config = replace(config, host_names=(*config.host_names, host.lower()))
    # Photos, scores and keys are readable by this user only, wherever their folder is.
    os.umask(0o077)
    app = create_app(config)
    address = https_address(config, host, port) if config.https else Address(host, port)
    _spool_in(config.receiving)
    _open_enough_files()
    services: Services = app.extensions[KEY]
    services.digests.start()
    services.enrolling.start()
    threading.Thread(target=_finish_imports, args=(services,), name="imports", daemon=True).start()
    # A service manager ends a server by SIGTERM, which is handled like Ctrl+C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        server = listen(app, address)
        if config.https:
            _open_trust_door(app, address)
        on_start(address)
        services.queue.start(on_ready)
        server.run()
    except OSError as error:
        raise _port_taken(address, error) from error
    except KeyboardInterrupt:
        pass
    finally:
        services.digests.stop()
        services.enrolling.stop()
        services.queue.stop()


def _spool_in(folder: Path) -> None:
    """Use a folder for temporary files of large bodies, since the default folder may be small or in memory.
    Files left by a killed server are removed, except interrupted imports (`_finish_imports`)."""
    for left in folder.iterdir():
        # Files put there by others are kept.
        if not left.is_dir():
            with suppress(OSError):
                left.unlink()
    tempfile.tempdir = str(folder)


def _finish_imports(services: Services) -> None:
    """Complete the imports that the previous server had accepted."""
    config = services.config
    if finish_imports(services.database, services.shelf.catalogue_of, services.photos, config.receiving):
        services.queue.wake()


def _open_enough_files() -> None:
    """Raise the limit of open files, since some systems start with 256 and a connection may need two."""
    if sys.platform != "win32":
        import resource

        few, many = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = 4 * MAX_CONNECTIONS if many == resource.RLIM_INFINITY else min(4 * MAX_CONNECTIONS, many)
        if few != resource.RLIM_INFINITY and few < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, many))


def https_address(config: ServerConfig, host: str, port: int) -> Address:
    """An https address of the server, with certificates for all names of this machine."""
    names = {"localhost", "127.0.0.1", *lan_addresses(), socket.gethostname(), host, *config.host_names}
    names -= {"", "0.0.0.0", "::"}
    files = local_certificates(config.data / CERTIFICATES, sorted(names))
    return Address(host, port, files.server, files.key)


def _open_trust_door(app: Flask, address: Address) -> None:
    """Open the port after that of an https server as its trust door; where it is in use, that is logged."""
    try:
        door = listen(app, replace(address, port=address.port + 1, certificate=None, key=None))
    except (OSError, OverflowError) as error:
        log.warning("no page explains the certificate at port %d: %s", address.port + 1, error)
        return
    set_trust_door(app, TrustDoor(door.port, address.port))
    threading.Thread(target=door.run, name="trust door", daemon=True).start()


def _port_taken(address: Address, error: OSError) -> WaymarkError:
    return WaymarkError(
        Code.PORT_TAKEN,
        Text(
            "The server cannot listen at {host}:{port} ({reason}); choose another --port.",
            host=address.host,
            port=address.port,
            reason=error.strerror or error,
        ),
    )
