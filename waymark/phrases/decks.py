"""Decks of cards: enrolling, checking, sharing, printing, proposed dungeons."""

from __future__ import annotations

from scorer.text import Text

#: Key: (English, Japanese), formatted with `str.format`.
SENTENCES: dict[str, Text] = {
    "enrol.photo": Text("{photo}: new: {new}; known: {again}; in {folder}: {all}."),
    "enrol.pieces": Text("{photo}: {all} pieces, {new} of them new; the box is in {folder}."),
    "enrol.read": Text("{piece}: {read}"),
    "enrol.confirm": Text(
        "What was read is a draft until you confirm it: --answer PIECE=right or --answer all=right."
    ),
    "enrol.asked": Text("Still missing: {piece} ({about})"),
    "enrol.missing": Text("Not in the box yet: {pieces}, {count} more."),
    "enrol.backs": Text("Backs left out: {backs}."),
    "enrol.question": Text("? {question} ({name})"),
    "enrol.advice": Text("! {advice}"),
    "deck.exported": Text("{cards} written to {folder}."),
    "deck.printed": Text("{cards} on {pages} written to {file}; print at 100%."),
    "deck.for_service": Text("{cards} as {count} pictures written to {file}."),
    "deck.missions": Text("Mission sheets on {pages} written to {file}."),
    "deck.shared": Text("{cards}, {traced} with a dungeon, written to {file} without any picture."),
    "deck.not_shared": Text("Left out: {card}, whose art cannot be read."),
    "deck.clean": Text("{name}: {cards}, nothing wrong."),
    "deck.faults": Text("{name}: {faults} in {cards}."),
    "deck.nearest": Text(
        "Most alike: {a} and {b}, {distance:.1f} apart (colour difference, root mean square over the face)."
    ),
    "deck.nearest_layouts": Text("Most alike with different corridors: {a} and {b}, {distance:.1f} apart."),
    "deck.scanned": Text("{cards} that look alike were scanned from their own art."),
    "deck.asked": Text("A scan asks which of these it is, all of one dungeon: {cards}."),
    "deck.not_scanned": Text("{count} more look alike and were not scanned."),
    "deck.place": Text("place"),
    "deck.fault": Text("fault"),
    "enrol.known": Text("{count} known by the shared tracing, with their dungeons: {names}."),
    "enrol.known_question": Text("? {card}: {question}"),
    "enrol.known_answer": Text("Answer with --from FILE.json --answer CARD=ID."),
    "enrol.proposed": Text(
        "{cards} proposed, learned from {known} traced; {left} that people have in hand were left as they "
        "are. Nothing proposed counts before a person has confirmed it."
    ),
    "enrol.trace_next": Text("Trace these first, they teach most: {cards}."),
    "proposals.title": Text(
        "Proposals for {deck} ({faces}, traced {order}): found / right, percent (how many)"
    ),
    "proposals.part": Text("part"),
    "proposals.after": Text("{traced} traced, {cards} cards"),
    "proposals.ways": Text("equal ways"),
    "proposals.exact": Text("exact cards"),
    "proposals.links": Text("cards with exact links"),
    "proposals.sure_wrong": Text("sure guesses that are wrong"),
    "proposals.unwarned": Text("wrong cards without a doubt"),
    "proposals.doubts": Text("things to look at a card"),
}
