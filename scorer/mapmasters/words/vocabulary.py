"""Vocabulary of Map Masters in English and Japanese: finds, places and events."""

from __future__ import annotations

from collections.abc import Mapping

from scorer.text import Text
from scorer.vocabulary import Vocabulary

#: Finds, and what objectives count that is none.
FINDS: Mapping[str, Text] = {
    "coin": Text("coin"),
    "barrel": Text("barrel"),
    "sword": Text("sword"),
    "key": Text("key"),
    "rope": Text("rope"),
    "scroll": Text("scroll"),
    "monster": Text("monster"),
    "padlock": Text("padlock"),
    "pitfall": Text("pitfall"),
    "lava_pit": Text("lava pit"),
    "magic_circle": Text("magic circle"),
    "recycle": Text("recycling sign"),
    "scissors": Text("scissors"),
}
_COUNTED: Mapping[str, Text] = {"pit": Text("pit"), "room": Text("room"), "stairs": Text("stairs")}
_TOKENS: Mapping[str, Text] = {
    f"fairy:{tool}": Text("fairy {finds}", finds=FINDS[tool]) for tool in ("sword", "key", "rope", "scroll")
}
_EVENTS: Mapping[str, Text] = {
    "collected": Text("{what} collected"),
    "discovered": Text("{what} discovered"),
    "defeated": Text("{what} defeated"),
    "opened": Text("{what} opened"),
    "crossed": Text("{what} crossed"),
    "fell": Text("fell to the underground"),
    "climbed": Text("climbed out of the pit"),
    "took_stairs": Text("took the stairs"),
    "teleported": Text("teleported"),
    "re_entered": Text("re-entered on the other side"),
    "entered": Text("room cleared: {what}"),
    "guarded": Text("room still guarded"),
    "escaped": Text("escaped"),
}

VOCABULARY = Vocabulary(words={**FINDS, **_COUNTED, **_TOKENS}, events=_EVENTS)
