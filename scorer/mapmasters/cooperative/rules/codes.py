"""The rule table of the cooperative game: every rule code of a ruling, its section of the rulebook, and a
sentence for it in our own words.

Sentences of paths are templates as in `scorer.mapmasters.rules.codes`; the others name `group`, `groups`,
`goal`, `goals`, `missing`, `cards`, `slot`, `what` and numbers.
"""

from __future__ import annotations

from scorer.mapmasters.rules.codes import Rule
from scorer.text import Text


def _table(*rules: Rule) -> dict[str, Rule]:
    return {rule.code: rule for rule in rules}


_SETUP = Text("Cooperative II. Set-up")
_MARKET = Text("Cooperative II. Set-up, market")
_LAYING = Text("Cooperative III. Exploration, playing a card")
_GOALS = Text("Cooperative III. Exploration, goals")
_DRAWING = Text("Cooperative III. Exploration, drawing paths")
_DEAD_ENDS = Text("Cooperative III. Exploration, dead ends")
_OBSTACLES = Text("Cooperative III. Exploration, obstacles")
_TELEPORTERS = Text("Cooperative III. Exploration, teleporters")
_ROOMS = Text("Cooperative III. Exploration, rooms")
_USING = Text("Cooperative III. Exploration, using items")
_VICTORY = Text("Cooperative IV. Victory")
_DEFEAT = Text("Cooperative IV. Defeat")

PATH_RULES = _table(
    Rule(
        "bad-start",
        _DRAWING,
        Text(
            "The path starts at {place}. A group's first path starts at an opening on the tableau's edge, "
            "where its miniature was put and the mission lets groups start; later ones start where the "
            "miniature stands on a step card. Nothing on it counts."
        ),
    ),
    Rule("after-end", _DRAWING, Text("The group's way was over already, so it cannot go on to {place}.")),
    Rule(
        "monster",
        _OBSTACLES,
        Text("The group had nothing to defeat {place} with at step {step}. That is a dead end."),
    ),
    Rule(
        "padlock",
        _OBSTACLES,
        Text("The group had nothing to open {place} with at step {step}. That is a dead end."),
    ),
    Rule(
        "lava",
        _OBSTACLES,
        Text("The group had nothing to cross {place} with at step {step}. That is a dead end."),
    ),
    Rule(
        "room-guarded",
        _ROOMS,
        Text(
            "The group could not defeat every monster in {room}, so it cannot go on to {place} at step "
            "{step}. That is a dead end."
        ),
    ),
    Rule(
        "no-way",
        _DRAWING,
        Text(
            "Nothing leads from {before} to {place} at step {step}: neither a corridor nor a teleport that "
            "the group had the means for."
        ),
    ),
    Rule(
        "climb",
        _USING,
        Text(
            "The group climbed to {place} at step {step}; that takes the spellbook SB-4 and a pit that "
            "nobody has used."
        ),
    ),
    Rule(
        "circle-used",
        _TELEPORTERS,
        Text(
            "The group teleported from {before} to {place} at step {step}, but one of the two circles had "
            "been used before, by whichever group."
        ),
    ),
    Rule(
        "circle-inactive",
        _TELEPORTERS,
        Text("The group had no scroll to activate {before}, so it cannot go on at {place} at step {step}."),
    ),
    Rule(
        "corridor-reused",
        _DRAWING,
        Text(
            "A line comes to {place} a second time at step {step}; {once}, by one group in all. That is a "
            "dead end."
        ),
    ),
    Rule(
        "door-reused",
        _ROOMS,
        Text(
            "{door} is used a second time at step {step}; rooms may be entered again, but each of their "
            "doors is used once, by one group in all. That is a dead end."
        ),
    ),
    Rule(
        "fall-forced",
        _OBSTACLES,
        Text(
            "Without a rope the group falls at {before}; it cannot stay on the main floor and go on to "
            "{place} at step {step}."
        ),
    ),
    Rule(
        "path-crossed",
        _DRAWING,
        Text(
            "Leaving by {place} at step {step}, the line would cross another one in {room}, the group's "
            "own or another group's. That is a dead end."
        ),
    ),
)

ENDS = _table(
    Rule("sketch", _DRAWING, Text("This line is a sketch: it claims nothing and loses nothing.")),
    Rule("goal", _GOALS, Text("The goal {goal} is met at {before}.")),
    Rule("choice", _GOALS, Text("Several goals can be met at {before}: {goals}. Say which one it is.")),
    Rule(
        "unmet",
        _GOALS,
        Text("The path reaches {before} without what is asked for there: {missing}. The mission is lost."),
    ),
    Rule(
        "edge",
        _DEAD_ENDS,
        Text(
            "The path comes out of the tableau at {before}, where the mission sends nobody. That is a dead "
            "end."
        ),
    ),
    Rule("step", _GOALS, Text("The group stops on the step card, at {before}, and goes on from there.")),
    Rule("waiting", _LAYING, Text("The path waits at {before} for a card; so far it is a sketch.")),
    Rule("stopped", _DRAWING, Text("The path stops at {before}, where it can go on; so far it is a sketch.")),
    Rule(
        "dead_end",
        _DEAD_ENDS,
        Text("The path stops at {before}, and no way leads on that the group can take. That is a dead end."),
    ),
    Rule("no-path", _DRAWING, Text("Nothing was drawn.")),
    Rule("stopped-by-monster", _OBSTACLES, Text("The group cannot defeat {place}. That is a dead end.")),
    Rule("stopped-by-padlock", _OBSTACLES, Text("The group cannot open {place}. That is a dead end.")),
    Rule("stopped-by-lava", _OBSTACLES, Text("The group cannot cross {place}. That is a dead end.")),
    Rule(
        "stopped-by-room-guarded",
        _ROOMS,
        Text("The group cannot defeat every monster in {room}. That is a dead end."),
    ),
)

LAYING_RULES = _table(
    Rule("turned", _LAYING, Text("{cards} lies on its side; cards are laid upright or upside down.")),
    Rule("overlap", _LAYING, Text("{cards} lie on each other; each slot takes one card.")),
    Rule(
        "shifted",
        _LAYING,
        Text("{cards} are out of line; in this game cards are not shifted against each other."),
    ),
    Rule("outside", _LAYING, Text("{cards} does not lie in a slot of the mission's layout.")),
    Rule("wrong-card", _SETUP, Text("{cards} lies in the slot {slot}, where the mission wants {what}.")),
    Rule("wrong-way", _SETUP, Text("{cards} lies the other way up than the mission says.")),
    Rule("missing-card", _SETUP, Text("Nothing lies in the slot {slot}, where the mission wants {what}.")),
)

SETUP_RULES = _table(
    Rule(
        "over-budget",
        _MARKET,
        Text("{spent} coins were spent in the market, but the mission grants {granted}."),
    ),
    Rule(
        "token-limit",
        _MARKET,
        Text("{group} has more than one fairy token of a kind; one of each is honoured."),
    ),
    Rule(
        "book-limit",
        _MARKET,
        Text("{group} has more than two spellbooks; the first two cooperative ones are honoured."),
    ),
    Rule(
        "tokens-and-books",
        _MARKET,
        Text("{group} has fairy tokens and spellbooks; at this table a group has one or the other."),
    ),
    Rule("not-cooperative", _MARKET, Text("{group} has {what}; only SB-1 to SB-9 are in this game.")),
    Rule(
        "token-supply",
        _MARKET,
        Text("{count} {what} tokens were given out, but there are only {supply} of a kind."),
    ),
)

RESULTS = _table(
    Rule("all-goals", _VICTORY, Text("The mission is won: everything that it asks for is done.")),
    Rule("dead-end", _DEFEAT, Text("The mission is lost: {group} is at a dead end.")),
    Rule(
        "requirement",
        _DEFEAT,
        Text("The mission is lost: {group} reached a goal without what it asks for ({missing})."),
    ),
    Rule("broken-rule", _DEFEAT, Text("The mission is lost: the line of {group} breaks a rule.")),
    Rule("no-card", _DEFEAT, Text("The mission is lost: the player whose turn it is cannot lay a card.")),
    Rule("mission", _DEFEAT, Text("The mission is lost by its own rule {what}.")),
    Rule(
        "choice",
        _GOALS,
        Text("The mission is open: {group} can meet several goals, and it is not said which one it meets."),
    ),
    Rule("unfinished", _VICTORY, Text("The mission is open: not everything that it asks for is done yet.")),
)

#: Rules that a path breaks by going where it could not: dead ends.
DEAD_ENDS = frozenset(
    {"monster", "padlock", "lava", "room-guarded", "corridor-reused", "door-reused", "path-crossed"}
)
