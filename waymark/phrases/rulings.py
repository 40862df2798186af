"""Rulings on a terminal and on pictures: tables, walks, final scores, the legend of the overlay."""

from __future__ import annotations

from scorer.text import Text

#: Key: (English, Japanese), formatted with `str.format`.
SENTENCES: dict[str, Text] = {
    "ruling.title": Text("Ruling"),
    "ruling.found": Text("Discovered"),
    "ruling.count": Text("Count"),
    "ruling.placement": Text("Laying"),
    "ruling.spent": Text("Spent"),
    "ruling.settings": Text("House rules: {settings}"),
    "ruling.doubted": Text(
        "The scan was not sure of this reading; the ruling holds for the path as the file has it."
    ),
    "notation": Text("Notation"),
    "walk.title": Text("The walk"),
    "walk.place": Text("place"),
    "walk.what": Text("what happened"),
    "walk.held": Text("held after it"),
    "walk.ended": Text("Ended by {rule} ({section}): {sentence}"),
    "walk.ended.plain": Text("Ended by {rule}: {sentence}"),
    "steps.title": Text("Step by step"),
    "steps.ended": Text("{sentence} ({rule}, {section})"),
    "steps.ended.plain": Text("{sentence} ({rule})"),
    "final.title": Text("Final score"),
    "final.so_far": Text("Standing after {rounds} of {of} rounds"),
    "final.rank": Text("rank"),
    "final.name": Text("player"),
    "final.total": Text("total"),
    "ruling.nothing": Text("nothing", context="list"),
    "yes": Text("yes"),
    "no": Text("no"),
    "list.comma": Text(", "),
    "picture.unsure": Text("Not sure yet: look over what was read, above all at the question marks."),
    "overlay.start": Text("START"),
    "overlay.exit": Text("EXIT"),
    "overlay.collected": Text("collected"),
    "overlay.used": Text("used"),
    "overlay.missed": Text("missed"),
    "overlay.walked": Text("path, in the order of its colours"),
    "overlay.underground": Text("path underground"),
    "overlay.not_counted": Text("drawn, but does not count"),
    "overlay.cut": Text("stopped here, and goes on from here"),
    "overlay.goal_met": Text("goal met"),
    "overlay.goal_open": Text("goal that nobody has met yet"),
    "overlay.stopped": Text("cannot go on, or breaks a rule"),
    "overlay.goes_on": Text("can still go on"),
    "overlay.told": Text("What happened", context="heading"),
    "overlay.written": Text("Picture: {file}"),
}
