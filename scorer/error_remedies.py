"""Remedies of errors: what to do about each, in English and Japanese, by the error's code."""

from __future__ import annotations

from scorer.text import Text

REMEDIES: dict[str, Text] = {
    # Any command or request.
    "usage": Text(
        "Call the command with --help and correct what the message names.",
    ),
    "internal": Text(
        "Try again, and report it with the file or page if it stays.",
    ),
    "no-file": Text(
        "Check the file's name and that it may be opened.",
    ),
    "not-writable": Text(
        "Name another place, or allow writing there.",
    ),
    # Photos.
    "no-photo": Text(
        "Check the name of the file, or attach a photo to the request.",
    ),
    "not-an-image": Text(
        "Give a JPEG, PNG, WebP, HEIC or AVIF photo.",
    ),
    "cut-off": Text(
        "Copy or upload the photo once more.",
    ),
    "too-large": Text(
        "Send a smaller file.",
    ),
    "too-small": Text(
        "Give the photo itself instead of a preview.",
    ),
    "no-card": Text(
        "Take a sharp photo from above, filled by the cards, and name the right catalogue.",
    ),
    "other-pieces": Text(
        "Name the pieces that the photo shows, or confirm the pieces that you named (--as-told).",
    ),
    "no-sheet": Text(
        "Photograph the camera sheet flat, filling the picture, from several sides.",
    ),
    "no-line": Text(
        "Point at the line of the path, where it is clearest, in a sharp photo.",
    ),
    "no-pen": Text(
        "Name a player whose pen was learned, or its file.",
    ),
    "photo-lost": Text(
        "Take the photo again, or restore the data folder from a backup.",
    ),
    "photo-damaged": Text(
        "Send the same photo again, take another, or restore a backup.",
    ),
    "no-photos": Text(
        "Name a folder of photos with their truths beside them.",
    ),
    "not-a-truth": Text(
        "Write the truth in the form of a scan, for the same catalogue.",
    ),
    # Records and what is told of them.
    "not-a-record": Text(
        "Correct the field that the message names; docs/FORMATS.md has the form.",
    ),
    "not-a-notation": Text(
        "Write it like the example in the message.",
    ),
    "not-a-game": Text(
        "Correct the field that the message names; docs/FORMATS.md has the form.",
    ),
    "bad-record": Text(
        "Correct the field that the message names; docs/FORMATS.md has the form.",
    ),
    "unknown-game": Text(
        "Name one of the games that the message lists, or install the one that is meant.",
    ),
    "record-too-large": Text(
        "Check the program that made the record.",
    ),
    "heaped-cards": Text(
        "Check where the record lays its cards.",
    ),
    "unknown-card": Text(
        "Check the card's name, or name its catalogue.",
    ),
    "unknown-place": Text(
        "Write places as the number of the card, from 0, a dot and the place.",
    ),
    "unknown-means": Text(
        "Name an item, a fairy token or a spellbook as the message writes them.",
    ),
    "no-payments": Text(
        "Leave the payment out: this game has no payments.",
    ),
    "no-such-question": Text(
        "Look at the questions that are open, and answer one of them.",
    ),
    "unknown-token": Text(
        "Give a count of 0 or more for a token that the message names.",
    ),
    "unknown-spellbook": Text(
        "Name a spellbook from SB-1 to SB-17.",
    ),
    "unknown-objective": Text(
        "Choose one of the objectives that the message names.",
    ),
    "unknown-group": Text(
        "Name one of the groups that the message lists, or add the group to the record.",
    ),
    "unknown-goal": Text(
        "Name one of the goals that the message lists.",
    ),
    "unknown-mission": Text(
        "Name a mission of the catalogue, or write it into the record.",
    ),
    "not-a-mission": Text(
        "Correct the field that the message names; docs/FORMATS.md has the form.",
    ),
    "unknown-setting": Text(
        "Choose one of the house rules that the message names.",
    ),
    "bad-setting": Text(
        "Give the house rule a value that the message names.",
    ),
    "not-sold": Text(
        "Choose something that the market sells.",
    ),
    # Catalogues and printing.
    "no-catalogue": Text(
        "Name a folder made by waymark deck export.",
    ),
    "not-a-catalogue": Text(
        "Make the catalogue again with waymark deck export.",
    ),
    "broken-catalogue": Text(
        "Run waymark deck check on the catalogue and correct what it finds.",
    ),
    "unsound-catalogue": Text(
        "Correct the listed faults and check again.",
    ),
    "not-a-shared-deck": Text(
        "Ask for the file again, as waymark deck share writes it.",
    ),
    "art-unreadable": Text(
        "Run waymark deck check and give the card a picture that can be read.",
    ),
    "no-cards": Text(
        "Choose at least one card to print.",
    ),
    "cards-too-large": Text(
        "Choose the larger paper, or smaller cards.",
    ),
    # Corrections of a reading.
    "last-card": Text(
        "Choose which card this is, or take another photo.",
    ),
    "no-such-card": Text(
        "Check the cards again and repeat your change.",
    ),
    "no-such-step": Text(
        "Check the path again and repeat your change.",
    ),
    "bad-place": Text(
        "Choose a place beside the other cards, inside the photo.",
    ),
    "bad-outline": Text(
        "Put each of the four points on its own corner of the card.",
    ),
    "no-route": Text(
        "Erase the part that is wrong, then draw it again.",
    ),
    "nothing-left": Text(
        "Go on; there is nothing to take back.",
    ),
    "not-read": Text(
        "Wait until the photo is read, or take another.",
    ),
    "in-game": Text(
        "Choose objectives on the game's round, and settle house rules in a dispute.",
    ),
    "other-game": Text(
        "Choose a player of the same game.",
    ),
    "has-photo": Text(
        "Delete the photo there first, or choose another player.",
    ),
    # Disputes.
    "no-claim": Text(
        "Say in words what should be different, or choose an assumption.",
    ),
    "no-name": Text(
        "Say whose claim it is.",
    ),
    "several-claims": Text(
        "Make a separate claim for each path and each assumption.",
    ),
    "cannot-be": Text(
        "Check the dispute again and make another choice.",
    ),
    # Games and players.
    "bad-name": Text(
        "Write the player's name.",
    ),
    "bad-players": Text(
        "Give as many players as the game takes, each with a name and a colour of their own.",
    ),
    "same-person": Text(
        "Choose two different players.",
    ),
    "bad-round": Text(
        "Choose a round that the game has.",
    ),
    "bad-seat": Text(
        "Load the page again and choose a player who sits at this game.",
    ),
    "too-many-spellbooks": Text(
        "Put a spellbook back first.",
    ),
    "no-price": Text(
        "Say how many coins it cost.",
    ),
    "too-few-coins": Text(
        "Check the price, or the coins entered.",
    ),
    "game-finished": Text(
        "Go on with the game before you change it.",
    ),
    "conflict": Text(
        "Check what it says now, then repeat your change if it is still needed.",
    ),
    # Logs.
    "not-a-log": Text(
        "Choose the file waymark-log.zip that a table exported.",
    ),
    "log-broken": Text(
        "Export the log again and retry.",
    ),
    # The server and its requests.
    "port-taken": Text(
        "Choose another --port or --host.",
    ),
    "no-database": Text(
        "Check --data and --database, and that the database is running and has room.",
    ),
    "disk-full": Text(
        "Make room on the disk of the data folder, then try again.",
    ),
    "data-folder": Text(
        "Put the data folder in order as the message says, then start Waymark again.",
    ),
    "newer-data": Text(
        "Update Waymark, or name another data folder.",
    ),
    "damaged": Text(
        "Run waymark data check and mend, or restore a backup.",
    ),
    "unsound-data": Text(
        "Run waymark data mend, or restore a backup.",
    ),
    "not-a-backup": Text(
        "Name a whole file made by waymark data backup.",
    ),
    "photos-away": Text(
        "Try again in a moment, and check --photos and that the store of photos is running.",
    ),
    "busy": Text(
        "Try again in a few seconds.",
    ),
    "bad-request": Text(
        "Load the page again and retry; programs follow /api/v1/openapi.json.",
    ),
    "pin-needed": Text(
        "Enter the table's PIN, or send it as a bearer token.",
    ),
    "forbidden": Text(
        "Load a page of this table again and retry from there.",
    ),
    "not-found": Text(
        "Go back to the start page, or check the link.",
    ),
    "wrong-method": Text(
        "Use a method that /api/v1/openapi.json names for this address.",
    ),
    "not-json": Text(
        "Send JSON with the content type application/json.",
    ),
    "encoded": Text(
        "Send it without Content-Encoding.",
    ),
    "other-name": Text(
        "Open the table by its address, or start it with --host-name and the name.",
    ),
    "slow-down": Text(
        "Wait a minute and try again.",
    ),
    "not-valid": Text(
        "Send the form that /api/v1/openapi.json documents.",
    ),
    "two-targets": Text(
        "Give a tableau_id or an entry_id.",
    ),
    "several-photos": Text(
        "Send one photo with each request.",
    ),
}
