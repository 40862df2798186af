"""`waymark data`: the commands for the data folder; the command line loads them by their entry point."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from scorer.errors import Code, WaymarkError
from scorer.text import plural, plurals
from waymark.cli.answers import Output, explain_option, with_output, with_progress
from waymark.cli.inputs import CatalogueChoice, catalogue_option
from waymark.cli.usage_errors import Commands
from waymark.phrases import counted
from webapp.config import ServerConfig
from webapp.data_options import config_of, data_option, database_option, photos_option

if TYPE_CHECKING:
    from scorer.catalogue import Catalogue
    from webapp.data.check import Finding

#: Number of findings listed one by one for people; programs get all.
_TOLD = 50


_BROKEN = plurals(
    "There is {count} fault in {folder!r}; restore a backup.",
    "There are {count} faults in {folder!r}; restore a backup.",
)
_UNSOUND = plurals(
    "There is {count} fault in {folder!r}; waymark data mend sets them aside.",
    "There are {count} faults in {folder!r}; waymark data mend sets them aside.",
)


@click.group(cls=Commands, help=explain_option("help.data"))
def data() -> None:
    """The group of the commands about the data folder."""


@data.command(name="check", help=explain_option("help.data.check"))
@click.argument("folder", metavar="DIR")
@database_option
@photos_option
@catalogue_option
@with_output
def check_folder(
    output: Output, folder: str, database: str | None, photos: str | None, catalogue: str | None
) -> None:
    config = config_of(folder, database, photos)
    findings = _findings(output, config, CatalogueChoice(catalogue).load())
    answer = {"folder": folder, "findings": _plain(output, findings)}
    if not findings:
        output.say("data.sound", folder=folder)
        output.answer(answer)
        return
    _tell(output, findings)
    count = len(findings)
    broken = any(each.kind == "database" for each in findings)
    error = WaymarkError(
        Code.DAMAGED if broken else Code.UNSOUND_DATA, (_BROKEN if broken else _UNSOUND)(count, folder=folder)
    )
    _fail(output, answer, error)


@data.command(name="mend", help=explain_option("help.data.mend"))
@click.argument("folder", metavar="DIR")
@database_option
@photos_option
@catalogue_option
@with_output
def mend_folder(
    output: Output, folder: str, database: str | None, photos: str | None, catalogue: str | None
) -> None:
    from webapp.data.check import open_data, photo_finding, photo_ids
    from webapp.data.check import orphans as orphans_of
    from webapp.data.repair import QUARANTINE, Quarantine, check_mendable, mend_rows
    from webapp.store.photo_places import open_store
    from webapp.store.photos import clear_parts

    config = config_of(folder, database, photos)
    originals, cards = open_store(config.photos_at), CatalogueChoice(catalogue).load()
    opened = open_data(config)
    # Removes the remains of a killed process.
    clear_parts(config.data / QUARANTINE)
    quarantine = Quarantine(config.data, output.language)
    try:
        check_mendable(opened)
        mend_rows(opened, cards, quarantine)
        with opened.snapshot() as session:
            ids = photo_ids(session)
        for photo_id in with_progress(output, ids):
            found = photo_finding(originals, photo_id)
            if found is not None and found.kind == "photo-damaged":
                quarantine.keep_photo(originals, found)
        for found in list(orphans_of(originals, config.display_copies.name, set(ids), time.time())):
            quarantine.keep_photo(originals, found)
    finally:
        opened.engine.dispose()
    # Removed photos are now lost, and are reported as such; they cannot be repaired here.
    left = _findings(output, config, cards)
    told = quarantine.told
    if told:
        for line in told[:_TOLD]:
            output.say("data.finding", where="-", what=line)
        things = counted("thing", len(told))
        output.say("data.mended", things=things, folder=quarantine.folder)
    elif not left:
        output.say("data.sound", folder=folder)
    answer = {
        "folder": folder,
        "quarantine": str(quarantine.folder) if told else None,
        "set_aside": told,
        "findings": _plain(output, left),
    }
    _tell(output, left)
    rest = [each for each in left if each.kind != "photo-lost"]
    if not rest:
        output.answer(answer)
        return
    error = WaymarkError(
        Code.UNSOUND_DATA,
        plural(
            "{count} fault in {folder!r} could not be mended; restore a backup.",
            "{count} faults in {folder!r} could not be mended; restore a backup.",
            len(rest),
            folder=folder,
        ),
    )
    _fail(output, answer, error)


@data.command(name="backup", help=explain_option("help.data.backup"))
@click.argument("file", metavar="FILE")
@data_option
@database_option
@photos_option
@with_output
def backup_folder(
    output: Output, file: str, data: str | None, database: str | None, photos: str | None
) -> None:
    from webapp.data.backup import make_backup

    made = make_backup(config_of(data, database, photos), Path(file), lambda ids: with_progress(output, ids))
    count = sum(name.startswith("photos/") for name in made.files)
    output.say("data.backed_up", photos=counted("photo", count), file=file)
    if made.photos_missing:
        missing = counted("photo", len(made.photos_missing))
        output.say("data.missing", photos=missing)
    output.answer({"file": file, "photos": count, "photos_missing": made.photos_missing})


@data.command(name="restore", help=explain_option("help.data.restore"))
@click.argument("file", metavar="FILE")
@click.argument("folder", metavar="DIR")
@photos_option
@with_output
def restore_folder(output: Output, file: str, folder: str, photos: str | None) -> None:
    from webapp.data.backup import restore_backup
    from webapp.store.photo_places import open_store

    def follow(names: list[str]) -> Iterable[str]:
        return with_progress(output, names)

    made = restore_backup(Path(file), Path(folder), follow, open_store(photos) if photos else None)
    when = made.made_at.astimezone().isoformat(sep=" ", timespec="minutes")
    count = sum(name.startswith("photos/") for name in made.files)
    output.say("data.restored", folder=folder, when=when)
    output.answer({"folder": folder, "made_at": made.made_at, "photos": count})


# --- findings -----------------------------------------------------------------------------------------------


def _findings(output: Output, config: ServerConfig, catalogue: Catalogue) -> list[Finding]:
    """All faults of a data folder: database, rows, and photos."""
    from webapp.data import check
    from webapp.store.photo_places import open_store

    originals, database = open_store(config.photos_at), check.open_data(config)
    try:
        found = check.check_database(database)
        if found:
            # Rows and photos cannot be checked against a damaged file.
            return found
        with database.snapshot() as session:
            faults = list(check.row_faults(session))
            found += map(check.as_finding, faults)
            known = {fault.row_id for fault in faults}
            found += map(check.as_finding, check.thing_faults(session, catalogue, known))
            ids = check.photo_ids(session)
        photos = (check.photo_finding(originals, each) for each in with_progress(output, ids))
        found += [finding for finding in photos if finding is not None]
        found += check.orphans(originals, config.display_copies.name, set(ids), time.time())
        return found
    finally:
        database.engine.dispose()


def _fail(output: Output, answer: dict[str, Any], error: WaymarkError) -> NoReturn:
    output.complain(error)
    output.answer(answer | output.error_answer(error))
    sys.exit(error.exit_status)


def _plain(output: Output, findings: list[Finding]) -> list[dict[str, str]]:
    return [
        {"kind": each.kind, "where": each.where, "message": each.what.message(output.language)}
        for each in findings
    ]


def _tell(output: Output, findings: list[Finding]) -> None:
    for each in findings[:_TOLD]:
        output.say("data.finding", where=each.where, what=each.what.message(output.language))
