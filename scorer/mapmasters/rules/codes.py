"""The rule table: every rule code of a ruling, with its section of the rulebook and a sentence.

Sentences are templates, in our own words. Of the path: `place` (what and where: "the monster at the left of
D29"), `step` (its number along the path, from 1), `before` (the place reached last), the `door` and the
`room` of the step, `once` (why a corridor is not walked again). Of laying: `cards`, `limit`, and English
verbs that follow their number.
"""

from __future__ import annotations

from dataclasses import dataclass

from scorer.text import Text


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that rulings can cite: its code, its section of the printed rulebook (versus part), and its
    sentence."""

    code: str
    section: Text
    words: Text


_BUILDING = Text("D. Exploration, building the dungeon")
_DRAWING = Text("D. Exploration, drawing the path")
_ENDING = Text("D. Exploration, how a path ends")
_OBSTACLES = Text("D. Exploration, obstacles")
_TELEPORTERS = Text("D. Exploration, teleporters")
_ROOMS = Text("D. Exploration, rooms")
_USING = Text("D. Exploration, using items")
_HAND = Text("C. Building the hand")

_PATH_RULES = (
    Rule(
        "bad-start",
        _DRAWING,
        Text(
            "The path starts at {place}, but it has to start at an opening on the dungeon's outside. "
            "Nothing on it counts."
        ),
    ),
    Rule(
        "after-end",
        _ENDING,
        Text(
            "The path was over when it came out at {before}. You went on to {place} at step {step}, so it "
            "is no escape either."
        ),
    ),
    Rule(
        "monster",
        _OBSTACLES,
        Text(
            "You had nothing to defeat {place} with at step {step}. It does not count, and the path ends at "
            "{before}."
        ),
    ),
    Rule(
        "padlock",
        _OBSTACLES,
        Text(
            "You had nothing to open {place} with at step {step}. It does not count, and the path ends at "
            "{before}."
        ),
    ),
    Rule(
        "lava",
        _OBSTACLES,
        Text(
            "You had nothing to cross {place} with at step {step}. It does not count, and the path ends at "
            "{before}."
        ),
    ),
    Rule(
        "room-guarded",
        _ROOMS,
        Text(
            "You could not defeat every monster on entering {room}, so nothing in it counts. Going on to "
            "{place} at step {step} is not possible; the path ends in the room."
        ),
    ),
    Rule(
        "no-way",
        _DRAWING,
        Text(
            "Nothing leads from {before} to {place} at step {step}: neither a corridor nor a teleport that "
            "you had the means for. The path ends at {before}."
        ),
    ),
    Rule(
        "climb",
        _USING,
        Text(
            "You climbed to {place} at step {step}; that takes the spellbook SB-4 and a pit that was not "
            "used before. The path ends at {before}."
        ),
    ),
    Rule(
        "circle-used",
        _TELEPORTERS,
        Text(
            "You teleported from {before} to {place} at step {step}, but one of the two circles had been "
            "used before. The path ends at {before}."
        ),
    ),
    Rule(
        "circle-inactive",
        _TELEPORTERS,
        Text(
            "You had no scroll to activate {before}, so you cannot go on at {place} at step {step}. The path "
            "ends at the circle."
        ),
    ),
    Rule(
        "corridor-reused",
        _DRAWING,
        Text("You came to {place} a second time at step {step}; {once}. The path ends at {before}."),
    ),
    Rule(
        "door-reused",
        _ROOMS,
        Text(
            "You used {door} a second time at step {step}; a room may be visited often, but each of its "
            "doors is used once. The path ends at {before}."
        ),
    ),
    Rule(
        "fall-forced",
        _OBSTACLES,
        Text(
            "Without a rope you fall at {before}; you cannot stay on the main floor and go on to {place} "
            "at step {step}. The path ends at the pitfall."
        ),
    ),
    Rule(
        "path-crossed",
        _DRAWING,
        Text(
            "Leaving by {place} at step {step}, you would cross your own line in {room}. The path ends "
            "in the room."
        ),
    ),
    Rule(
        "misaligned",
        _BUILDING,
        Text(
            "At this table a dungeon whose corridors do not line up scores nothing, so the path from {place} "
            "does not count."
        ),
    ),
)

_ENDS = (
    Rule("exit", _ENDING, Text("You left the dungeon at {before}. Tick the escape box.")),
    Rule(
        "dead-end",
        _ENDING,
        Text(
            "The path stops at {before}. That is a dead end: all that it discovered counts, but it is no "
            "escape."
        ),
    ),
    Rule("no-path", _DRAWING, Text("No path was drawn, so nothing was discovered.")),
    Rule(
        "stopped-by-monster",
        _OBSTACLES,
        Text("You could not defeat {place}: it does not count, and the path ends at {before}."),
    ),
    Rule(
        "stopped-by-padlock",
        _OBSTACLES,
        Text("You could not open {place}: it does not count, and the path ends at {before}."),
    ),
    Rule(
        "stopped-by-lava",
        _OBSTACLES,
        Text("You could not cross {place}: it does not count, and the path ends at {before}."),
    ),
    Rule(
        "stopped-by-room-guarded",
        _ROOMS,
        Text(
            "You could not defeat every monster in {room}: the path ends there and nothing in the room "
            "counts."
        ),
    ),
)

_LAYING_RULES = (
    Rule("turned", _BUILDING, Text("{cards} lies on its side; cards are laid upright or upside down.")),
    Rule("overlap", _BUILDING, Text("{cards} lie on each other; cards may touch, but not overlap.")),
    Rule(
        "detached",
        _BUILDING,
        Text(
            "{cards} {does} not touch the rest of the dungeon; it has to be in one piece, and corners "
            "alone do not join."
        ),
    ),
    Rule(
        "misaligned",
        _BUILDING,
        Text("The corridors between {cards} do not line up; openings that do not meet count as closed."),
    ),
    Rule("too-many-cards", _HAND, Text("A dungeon has at most {limit} cards; {cards} {are} too many.")),
)

PATH_RULES: dict[str, Rule] = {rule.code: rule for rule in _PATH_RULES}
ENDS: dict[str, Rule] = {rule.code: rule for rule in _ENDS}
LAYING_RULES: dict[str, Rule] = {rule.code: rule for rule in _LAYING_RULES}
