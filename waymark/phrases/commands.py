"""Help on commands: one sentence for each, and the headings of a help page."""

from __future__ import annotations

from scorer.text import Text

#: Key: (English, Japanese), formatted with `str.format`.
SENTENCES: dict[str, Text] = {
    "help.not_installed": Text("Not installed: needs {extra}."),
    "help.group": Text(
        "Waymark reads a photo of Map Masters cards with a marker path, referees the path and scores it."
    ),
    "help.scan": Text("Read the cards on the table and the path."),
    "help.score": Text("Read a photo, referee its path and score it."),
    "help.referee": Text(
        "Referee tableau records: JSON or notation, or what scan and score answered (- is standard input)."
    ),
    "help.final": Text("Add up the score of a game."),
    "help.bench": Text("Measure how well a folder of photos with known truth is read."),
    "help.bench_rulings": Text("Measure how many random records are refereed in a second."),
    "help.bench_proposals": Text(
        "Measure how well the dungeons of a catalogue are proposed while some of its cards count as traced."
    ),
    "help.enrol": Text("Add the faces seen in photos of blank cards to a catalogue's folder."),
    "help.calibrate": Text("Measure camera, pen and light."),
    "help.calibrate.sheet": Text("Write a sheet to print, by which a camera is measured."),
    "help.calibrate.camera": Text(
        "Measure a phone's lens on photos of the sheet, and straighten its photos from now on."
    ),
    "help.calibrate.ink": Text(
        "Learn a player's pen from the line in the first photo, and show what that changes on all of them."
    ),
    "help.deck": Text("The cards: write out, check, share, print."),
    "help.deck.share": Text(
        "Write a deck's dungeons and fingerprints, without any picture, for others who own its cards."
    ),
    "help.deck.export": Text("Write the open deck as a folder."),
    "help.deck.check": Text("Check a catalogue for faults."),
    "help.deck.print": Text("Write cards and pieces as a PDF at true size, with cut marks."),
    "help.hint": Text(
        "Tell which goals of a cooperative table can still be met by whom, and what closes a way for good."
    ),
    "help.deck.missions": Text(
        "Write mission sheets as a PDF: table, task, goals, and how often each was won as played."
    ),
    "help.serve": Text("Start the web app: phones and tablets in the same Wi-Fi open it by its QR code."),
    "help.data": Text("Check, mend, back up and restore the folder of photos and scores."),
    "help.data.check": Text("Say what is wrong in a data folder: its database, rows and photos."),
    "help.data.mend": Text("Set aside in quarantine/ what is wrong in a data folder, with a sentence each."),
    "help.data.backup": Text("Write the whole data folder into one file, while the server runs."),
    "help.data.restore": Text("Make a data folder from a backup."),
    "help.worker": Text(
        "Read photos for servers with the same database and photos, on this machine or others."
    ),
    "help.reread": Text(
        "Read all photos of a data folder again with this version, and say what would score differently."
    ),
    "help.usage": Text("Usage: "),
    "help.usage.options": Text("[OPTIONS]"),
    "help.usage.command": Text("COMMAND [ARGS]..."),
    "help.options": Text("Options"),
    "help.commands": Text("Commands"),
    "help.default": Text("default:"),
}
