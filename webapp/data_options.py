"""Command-line options for the location of a table's data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from waymark.cli.answers import explain_option
from webapp.config import ServerConfig, default_data_folder

data_option = click.option("--data", metavar="DIR", help=explain_option("help.opt.data"))
database_option = click.option(
    "--database", metavar="URL", envvar="WAYMARK_DATABASE", help=explain_option("help.opt.database")
)
photos_option = click.option(
    "--photos", metavar="URL", envvar="WAYMARK_PHOTOS", help=explain_option("help.opt.photos")
)


def config_of(data: str | None, database: str | None, photos: str | None, **more: Any) -> ServerConfig:
    """Settings from the values of these options, with `more` of them."""
    folder = Path(data) if data else default_data_folder()
    return ServerConfig(data=folder, database_url=database, photos_url=photos, **more)
