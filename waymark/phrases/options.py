"""Help on options: one sentence for each."""

from __future__ import annotations

from scorer.text import Text

#: Key: (English, Japanese), formatted with `str.format`.
SENTENCES: dict[str, Text] = {
    "help.opt.propose": Text(
        "Propose a dungeon for every card that has none, learned from those that have one."
    ),
    "help.opt.traced": Text(
        "How many cards count as traced. Again for more numbers; 0 and 10 when none is given."
    ),
    "help.opt.worn": Text("Take the faces as if enrolled from photos: softer, a little off, grainy."),
    "help.opt.as_told": Text("Trace the cards that the program asks for first, not cards drawn by chance."),
    "help.opt.most_cards": Text("How many of the other cards to measure (default: all)."),
    "help.opt.player": Text(
        "Also tell how photos end in a simulated player's hands: careful answers from the truth, hurried "
        "taps the first answer and tells nothing. Again for both."
    ),
    "help.opt.cluster": Text(
        "Read photos on the workers of a dask.distributed scheduler, such as tcp://10.0.0.5:8786."
    ),
    "help.opt.jobs": Text(
        "How many photos are read at a time (default: one for each processor); 1 tells the time of one alone."
    ),
    "help.opt.catalogues": Text(
        "Folder of cards that photos may show, beside the open deck; again for each. Their truths name it."
    ),
    "help.opt.html": Text(
        "Write a page to this folder: figures, what confidence is worth, the worst photos."
    ),
    "help.opt.compare": Text(
        "Show which photos are better or worse than in an earlier run, whose --json wrote this file."
    ),
    "help.opt.record_count": Text("How many records."),
    "help.opt.seed": Text("Another number makes other records."),
    "help.opt.game": Text("The game of a new catalogue (mapmasters)."),
    "help.opt.card_count": Text(
        "How many different cards the deck has; the answer then tells what is missing."
    ),
    "help.opt.card_size": Text("Width and height of its cards in mm, such as 63x88."),
    "help.opt.answer": Text(
        "With --from: the card CARD of the folder is the shared one ID. Of a board game's piece: right, its "
        "open sides (left+top), which tile it is (archway@90), x2, turned, out, facts (attack:2,life:1), or "
        "which piece it is. May be given several times."
    ),
    "help.opt.pieces_as_told": Text(
        "The photos show the pieces that --pieces names, though they look like others."
    ),
    "help.opt.pieces": Text(
        "A board game's pieces that the photos show, with their size in mm, such as tile=50x50; again for "
        "each sort."
    ),
    "help.opt.from": Text(
        "A shared tracing (`waymark deck share`): faces that it knows take its names and dungeons."
    ),
    "help.opt.at": Text(
        "A point on the line, in pixels of the first photo (default: the line that is read in it)."
    ),
    "help.opt.pen_player": Text("Whose pen it is (default: me)."),
    "help.opt.undo_pen": Text("Take back what was learned last of this player's pen."),
    "help.opt.pen_data": Text("Data folder to keep the pen in (default: your own)."),
    "help.opt.pen": Text(
        "The pen that drew: a player whose pen was learned (`waymark calibrate ink`), or its file."
    ),
    "help.opt.certainty": Text(
        "Least probability with which a score must be right to be called sure, for example 0.99; with a "
        "higher one, more is asked. Without it, 0.97."
    ),
    "help.opt.turn": Text(
        "Of a game on a board: two photos, before and after the turn of this player. Answers what was done "
        "and whether it was legal; --overlay draws it with arrows."
    ),
    "help.opt.mission": Text(
        "A cooperative table: the mission played on it, by its id or file. Several photos are of one table."
    ),
    "help.opt.table": Text(
        "A cooperative table: a record that tells mission, groups, what they hold and the difficulty; its "
        "cards and paths are not looked at."
    ),
    "help.opt.group": Text(
        "A cooperative table: a group that plays, and the colour of its pen where it is not called by it."
    ),
    "help.opt.forget_lens": Text(
        "Forget the phones that took these photos, or all; their photos are read as they are."
    ),
    "help.opt.lens_data": Text("Data folder of a server that shall know the phone (default: your own)."),
    "help.opt.bundled_game": Text("The game whose open pieces are meant."),
    "help.opt.host": Text("Address to listen at; 127.0.0.1 keeps other devices out."),
    "help.opt.port": Text("Port to listen at."),
    "help.opt.host_name": Text(
        "A further name that browsers may open the table by, such as a reverse proxy's (again for each); "
        "addresses and names of the home network are always answered."
    ),
    "help.opt.data": Text("Folder of photos and scores (default: the user's data folder)."),
    "help.opt.https": Text(
        "Speak https with a certificate made for this table: browsers then grant the live camera."
    ),
    "help.opt.pin_file": Text("File with a PIN that devices must enter (or the variable WAYMARK_PIN)."),
    "help.opt.trusted_proxy": Text(
        "Address or network of a reverse proxy, which names the device that asks (again for each)."
    ),
    "help.opt.database": Text("SQLAlchemy URL of another database (default: SQLite in the data folder)."),
    "help.opt.photos": Text(
        "Where photos are kept: a folder, or s3://BUCKET/FOLDER (default: in the data folder)."
    ),
    "help.opt.workers": Text("Processes that read photos."),
    "help.opt.take": Text(
        "Have scores follow, where nobody has corrected anything and the game is not finished."
    ),
    "help.opt.help": Text("Show this help."),
    "help.opt.version": Text("Show the version."),
    "help.opt.json": Text("Write the answer as JSON to this file; - is standard output."),
    "help.opt.lang": Text("Language of what is said (default: that of the environment)."),
    "help.opt.catalogue": Text("Folder of the cards in use (default: the open deck)."),
    "help.opt.explain": Text("Explain the walk step by step, and the rule that ended it."),
    "help.opt.direction": Text("unknown: referee it from both ends, because the start is not known."),
    "help.opt.notation": Text("Print the record as a line of text, to copy into a post."),
    "help.opt.online": Text("Judge by the online edition's rules."),
    "help.opt.house": Text("A house rule, such as card_limit=6; once for each."),
    "help.opt.term": Text(
        "Any other term of the game that is played, such as objective=owls; once for each."
    ),
    "help.opt.overlay": Text(
        "Draw the ruling on the photo, as PNG, JPEG or WebP by the file's ending; "
        "with several photos a folder for them."
    ),
    "help.opt.stages": Text(
        "Write a picture of each stage of the reading to this folder; of several photos, each to one in it."
    ),
    "help.opt.paper": Text("Paper size."),
    "help.opt.missions": Text(
        "Of these missions, by id, separated by commas, or all: for deck print the cards that they name and "
        "their artifacts."
    ),
    "help.opt.cards": Text("Only these cards, by id, separated by commas (default: the whole box)."),
    "help.opt.parts": Text(
        "What to print, separated by commas: cards, objectives, spellbooks, tokens, score (score sheet), "
        "rules (in every language), or all. [default: cards]"
    ),
    "help.opt.dpi": Text(
        "Resolution of the pictures; 300 is what print services ask for. [default: the art's own]"
    ),
    "help.opt.bleed": Text("Art beyond the cuts of cards in mm; 3 is usual."),
    "help.opt.backs": Text("After each page of cards their backs, for paper turned on its long edge."),
    "help.opt.service": Text(
        "Each card alone with bleed in the size of a print service: makeplayingcards, thegamecrafter, "
        "drivethrucards, or pages (any size, 3 mm of bleed). FILE.zip is JPEGs, FILE.pdf a page for each."
    ),
}
