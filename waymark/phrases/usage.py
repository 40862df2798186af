"""Wrong use of the command line: one sentence for each kind of error."""

from __future__ import annotations

from scorer.text import Text

#: Key: (English, Japanese), formatted with `str.format`.
SENTENCES: dict[str, Text] = {
    "stopped": Text("Stopped; what was not answered yet is not done."),
    "json.not_writable": Text(
        "The answer cannot be written to {file!r}; give --json a file in a folder that exists, or -."
    ),
    "file.not_writable": Text("{file!r} cannot be written; name a file in a folder that exists."),
    "usage.overlay_file": Text(
        "For one photo --overlay takes the name of a PNG, and {file!r} is a folder; name a file in it."
    ),
    "usage.overlay_folder": Text(
        "For several photos --overlay takes a folder, and {file!r} is a file; name a folder."
    ),
    "usage.stages_folder": Text("--stages takes a folder, and {file!r} is a file; name a folder."),
    "usage.no_option": Text("There is no option {option}; `{command} --help` lists the options."),
    "usage.no_command": Text("There is no command {name!r}; `{command} --help` lists the commands."),
    "usage.not_installed": Text(
        '`waymark {name}` needs more packages; install them with `pip install "{extra}"`.'
    ),
    "usage.missing": Text("{what} is missing; `{command} --help` says what it is."),
    "usage.extra": Text("Unexpected argument {extra!r}. See `{command} --help`."),
    "usage.needs_value": Text(
        "{option} needs a value, as in {option} {form}; `{command} --help` lists the options."
    ),
    "usage.no_value": Text("{option} takes no value; `{command} --help` lists the options."),
    "usage.choice": Text("{option} cannot be {value!r}; choose one of: {choices}."),
    "usage.value": Text("{option} cannot be {value!r}; `{command} --help` says what it takes."),
    "usage.other": Text("The command line is not understood; `{command} --help` says how to call it."),
    "usage.pin": Text(
        "The PIN would stand in the list of processes; write it into a file and give --pin-file, "
        "or set WAYMARK_PIN."
    ),
    "usage.calibrate_photos": Text("Name photos of the sheet, or give --forget."),
    "usage.calibrate_ink": Text("Name a photo that shows the line, or give --undo."),
    "usage.hint": Text("{file!r} is no cooperative table; hints are for those."),
    "usage.pdf": Text("{file!r} is not the name of a PDF; name a file that ends in .pdf."),
    "usage.pdf_or_zip": Text("{file!r} is no PDF or zip; name a file that ends in .pdf or .zip."),
    "usage.part": Text("{part!r} cannot be printed here; choose from {parts}."),
    "usage.service": Text("{service!r} is not a known print service; choose from {services}."),
    "usage.option": Text("{option} takes {form}, not {value!r}."),
    "usage.photos_or_propose": Text(
        "Name photos to enrol, --from FILE.json, or --propose alone for cards that are enrolled already."
    ),
    "usage.no_distributed": Text(
        "A cluster needs dask.distributed; install it with: pip install 'waymark[cluster]'"
    ),
    "usage.no_cluster": Text(
        "No cluster answers at {address!r} ({what}); start its scheduler, or leave --cluster out."
    ),
    "usage.with_board": Text("{option} does not apply to a game on a board; leave it out."),
    "usage.turn_board": Text("--turn is of games on a board; name such a game's catalogue with --catalogue."),
    "usage.turn_photos": Text("--turn takes two photos: the board before and after the turn."),
    "usage.turn_player": Text("There is no player {player!r} on this board; choose from {players}."),
    "usage.with_groups": Text("{option} does not apply to a table on which groups draw; leave it out."),
    "usage.no_groups": Text(
        "{game} has no mode in which groups draw; leave --mission, --table and --group out."
    ),
    "usage.cluster_pictures": Text("Pictures are not drawn on a cluster; leave --cluster or {option} out."),
    "usage.worker_photos": Text("Name the photos of that database with --photos."),
}
