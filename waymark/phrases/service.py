"""The table's server, its data folder and its workers."""

from __future__ import annotations

from scorer.text import Text

#: Key: (English, Japanese), formatted with `str.format`.
SENTENCES: dict[str, Text] = {
    "data.sound": Text("Nothing is wrong with the data in {folder}."),
    "data.finding": Text("{where}: {what}"),
    "data.mended": Text("{things} set aside in {folder}; README.txt there says what and why."),
    "data.backed_up": Text(
        "The database and {photos} are in {file}; keep it safe, the table's keys are in it."
    ),
    "data.missing": Text("{photos} could not be backed up whole; waymark data check says which."),
    "data.restored": Text(
        "{folder} is as the backup of {when} has it; start the server with --data {folder}."
    ),
    "reread.taken": Text("Tableau {tableau} was read again; its score changed."),
    "reread.left": Text("Tableau {tableau} would be read differently now; it was left as it is."),
    "reread.summary": Text(
        "Photos that came to the same: {same}; to something else: {otherwise}; not read: {unread}."
    ),
    "worker.started": Text("Photos that wait are read here, {workers} at a time."),
    "serve.open": Text(
        "Waymark is open at {url} (photos and scores: {data}). Scan this with a phone in the same Wi-Fi:"
    ),
    "serve.alone": Text("Waymark is open at {url} for this device alone (photos and scores: {data})."),
    "serve.no_network": Text(
        "Waymark is open at {url} (photos and scores: {data}), but this device is in no network, so that no "
        "phone can come in. Connect it to the Wi-Fi, then open the page “Join” there."
    ),
    "serve.others": Text("If the phone does not find it, try {urls}."),
    "serve.https": Text(
        "Browsers warn about the table's own certificate; {url} says why and how to trust it."
    ),
    "serve.ready": Text("The cards are loaded: photos are read at once."),
    "serve.stop": Text("Ctrl+C stops it; nothing is lost."),
}
