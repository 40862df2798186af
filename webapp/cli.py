"""`waymark serve`, `waymark worker` and `waymark reread`: the commands of this package; the command line
loads them by their entry points."""

from __future__ import annotations

import ipaddress
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from waymark.cli.answers import Output, explain_option, with_output, with_progress, wrong_usage
from waymark.cli.inputs import CatalogueChoice, catalogue_option, cluster_option, cluster_told
from waymark.cli.usage_errors import Command
from webapp.data_options import config_of, data_option, database_option, photos_option

if TYPE_CHECKING:
    from webapp.http.addresses import Address


class Checked(click.ParamType[str]):
    """Click parameter type for a text that a function validates: the function returns the stored form or
    raises `ValueError`."""

    def __init__(self, name: str, check: Callable[[str], str]) -> None:
        self.name, self._check = name, check

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return self._check(value)
        except (OSError, ValueError) as error:
            self.fail(str(error), param, ctx)


def _network(words: str) -> str:
    """Validated IP address or network."""
    return str(ipaddress.ip_network(words))


def _host_name(words: str) -> str:
    """Validated host name."""
    from webapp.http.host_names import host_name

    return host_name(words)


def _pin_in(file: str) -> str:
    """The PIN from the first line of a file."""
    pin = (Path(file).read_text(encoding="utf-8").splitlines() or [""])[0].strip()
    if not pin:
        raise ValueError("the file is empty")
    return pin


def _not_in_the_process_list(_ctx: click.Context, _param: click.Parameter, value: str | None) -> None:
    if value is not None:
        raise wrong_usage("usage.pin")


_workers_option = click.option(
    "--workers",
    type=click.IntRange(1, 64),
    metavar="N",
    default=2,
    show_default=True,
    help=explain_option("help.opt.workers"),
)


@click.command(cls=Command, help=explain_option("help.serve"))
@click.option(
    "--host", metavar="ADDRESS", default="0.0.0.0", show_default=True, help=explain_option("help.opt.host")
)
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    metavar="N",
    default=8080,
    show_default=True,
    help=explain_option("help.opt.port"),
)
@click.option(
    "--host-name",
    "host_names",
    multiple=True,
    type=Checked("name", _host_name),
    metavar="NAME",
    envvar="WAYMARK_HOST_NAMES",
    help=explain_option("help.opt.host_name"),
)
@data_option
@click.option("--https", is_flag=True, help=explain_option("help.opt.https"))
@click.option(
    "--pin-file", type=Checked("file", _pin_in), metavar="FILE", help=explain_option("help.opt.pin_file")
)
@click.option("--pin", hidden=True, expose_value=False, callback=_not_in_the_process_list)
@click.option(
    "--trusted-proxy",
    "trusted_proxies",
    multiple=True,
    type=Checked("address", _network),
    metavar="ADDRESS",
    envvar="WAYMARK_TRUSTED_PROXIES",
    help=explain_option("help.opt.trusted_proxy"),
)
@database_option
@photos_option
@_workers_option
@catalogue_option
@with_output
def serve(
    output: Output,
    host: str,
    port: int,
    host_names: tuple[str, ...],
    data: str | None,
    https: bool,
    pin_file: str | None,
    trusted_proxies: tuple[str, ...],
    database: str | None,
    photos: str | None,
    workers: int,
    catalogue: str | None,
) -> None:
    from vision.photo.lens import know_lenses_in
    from webapp.http.addresses import is_loopback, own_url, table_urls
    from webapp.server import serve as answer_requests

    config = config_of(
        data,
        database,
        photos,
        catalogue=Path(catalogue) if catalogue else None,
        pin=pin_file or os.environ.get("WAYMARK_PIN", "").strip() or None,
        trusted_proxies=trusted_proxies,
        scan_workers=workers,
        alone=is_loopback(host),
        host_names=host_names,
        https=https,
    )
    know_lenses_in(config.data)

    def started(address: Address) -> None:
        urls = table_urls(address)
        url = urls[0] if urls else own_url(address)
        if output.for_people and (config.alone or not urls):
            output.say("serve.alone" if config.alone else "serve.no_network", url=url, data=config.data)
            output.say("serve.stop")
        elif output.for_people:
            import segno

            output.say("serve.open", url=url, data=config.data)
            segno.make(url, error="m", micro=False).terminal(border=2, compact=True)
            if len(urls) > 1:
                output.say("serve.others", urls=", ".join(urls[1:]))
            if https:
                output.say("serve.https", url=f"{url}join")
            output.say("serve.stop")
        output.answer({"url": url, "data": str(config.data)})
        sys.stdout.flush()

    def ready() -> None:
        output.say("serve.ready")
        sys.stdout.flush()

    answer_requests(config, host, port, on_start=started, on_ready=ready)


@click.command(cls=Command, help=explain_option("help.worker"))
@data_option
@database_option
@photos_option
@_workers_option
@catalogue_option
@with_output
def worker(
    output: Output,
    data: str | None,
    database: str | None,
    photos: str | None,
    workers: int,
    catalogue: str | None,
) -> None:
    from vision.photo.lens import know_lenses_in
    from webapp.scans.standalone import read_photos

    if database is not None and photos is None and data is None:
        # Another machine's photos are not in this machine's default folder.
        raise wrong_usage("usage.worker_photos")
    cards = Path(catalogue) if catalogue else None
    config = config_of(data, database, photos, catalogue=cards, scan_workers=workers)
    know_lenses_in(config.data)

    def started() -> None:
        output.say("worker.started", workers=workers)
        output.say("serve.stop")
        output.answer({"workers": workers})
        sys.stdout.flush()

    def ready() -> None:
        output.say("serve.ready")
        sys.stdout.flush()

    read_photos(config, on_start=started, on_ready=ready)


@click.command(cls=Command, help=explain_option("help.reread"))
@data_option
@database_option
@photos_option
@click.option("--take", is_flag=True, help=explain_option("help.opt.take"))
@cluster_option
@click.option("--jobs", type=click.IntRange(1), metavar="N", help=explain_option("help.opt.jobs"))
@catalogue_option
@with_output
def reread(
    output: Output,
    data: str | None,
    database: str | None,
    photos: str | None,
    take: bool,
    cluster: str | None,
    jobs: int | None,
    catalogue: str | None,
) -> None:
    from webapp.scans import rescanning
    from webapp.store.database import open_database
    from webapp.store.photo_places import open_store

    config = config_of(data, database, photos)
    with cluster_told(cluster or ""):
        report = rescanning.reread(
            open_database(config.url),
            open_store(config.photos_at),
            CatalogueChoice(catalogue).load(),
            take=take,
            jobs=jobs,
            cluster=cluster,
            progress=partial(with_progress, output),
        )
    for each in report.otherwise:
        output.say("reread.taken" if each.taken else "reread.left", tableau=each.tableau_id)
    output.say("reread.summary", same=report.same, otherwise=len(report.otherwise), unread=report.unread)
    output.answer(report)
