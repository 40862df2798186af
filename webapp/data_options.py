"""Command-line options for the location of a table's data."""

from __future__ import annotations

import click

from waymark.cli.answers import explain_option

data_option = click.option("--data", metavar="DIR", help=explain_option("help.opt.data"))
database_option = click.option(
    "--database", metavar="URL", envvar="WAYMARK_DATABASE", help=explain_option("help.opt.database")
)
photos_option = click.option(
    "--photos", metavar="URL", envvar="WAYMARK_PHOTOS", help=explain_option("help.opt.photos")
)
