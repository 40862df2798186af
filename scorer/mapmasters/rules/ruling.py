"""The ruling on a record as data (docs/FORMATS.md, section 3): one Struct per JSON object."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

FORMAT = "waymark-ruling/1"

Ended = Literal["exit", "obstacle", "dead_end", "violation"]

#: The event at a place.
Event = Literal[
    "started",  # the path begins here
    "walked",  # passed a place with nothing on it
    "collected",  # took the item
    "discovered",  # came upon a circle, an optimizer, or a pitfall
    "defeated",  # beat the monster on the corridor
    "opened",  # unlocked the padlock
    "crossed",  # got over a pitfall or a lava pit
    "fell",  # landed under a pitfall
    "climbed",  # came up through a pitfall
    "took_stairs",  # came up or down a staircase
    "teleported",  # landed where nothing new was to be had
    "re_entered",  # came back in at the opposite edge
    "entered",  # first visit of a room: cleared, and all in it discovered
    "revisited",  # came back to a room that was cleared before
    "guarded",  # in a room whose monsters stay undefeated: the path ends
    "in_room",  # moved about within a room
    "escaped",  # left the dungeon
]

#: The kind of move to a place.
Way = Literal[
    "start", "corridor", "crossing", "stairs", "fall", "climb", "room", "circle", "barrel", "monster", "edge"
]


#: What settled a direction that the ink does not tell: the rules, or what is marked; `asked`: nothing did.
SettledBy = Literal["only_legal", "same_score", "marks", "asked"]

#: What became of a stated payment that is worth a person's look.
PaymentDoubt = Literal["not_held", "wrong_means", "nothing_due", "stated_twice", "ends_the_path"]

MarkDoubt = Literal["passed_not_circled", "circled_not_reached", "used_not_struck", "struck_not_used"]


class Payment(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One use of means. `at` is the obstacle, or the place of departure. `means` is an item (`rope`), a fairy
    token (`fairy:rope`) or a spellbook (`SB-3`). `source` is the place where the item was collected.
    `stands_for` is the kind chosen for the wild token of SB-5. `stated` says that a person stated this
    use."""

    at: str
    means: str
    source: str | None = None
    stands_for: str | None = None
    stated: bool = False


class Step(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One place reached: the kind of move (`way`), the event there (`event`), the places newly discovered
    (`found`), the means used (`paid`), and the means held afterwards (named as in `Payment.means`)."""

    place: str
    event: Event
    held: dict[str, int]
    way: Way
    found: tuple[str, ...] = ()
    paid: tuple[Payment, ...] = ()


class Violation(msgspec.Struct, frozen=True, kw_only=True):
    """The rule that the path breaks. `stroke` and `step` (counted from 0) point at `place` in the record's
    path.
    """

    rule: str
    stroke: int
    step: int
    place: str
    message: str
    message_ja: str
    section: str
    section_ja: str


class LayingFault(msgspec.Struct, frozen=True, kw_only=True):
    """A rule of laying that cards break; `places` are the openings of a `misaligned`."""

    rule: str
    cards: tuple[int, ...]
    places: tuple[str, ...]
    message: str
    message_ja: str
    section: str
    section_ja: str


class ObjectiveScore(msgspec.Struct, frozen=True, kw_only=True):
    """An objective's discoveries and victory points."""

    objective: str
    count: int
    vp: int


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """Why the path ended: a rule code, where the rulebook has it, and one sentence in each language."""

    rule: str
    message: str
    message_ja: str
    section: str
    section_ja: str


class MarkNote(msgspec.Struct, frozen=True, kw_only=True):
    """A circle or strike on the cards that disagrees with the path, for people to look at."""

    about: MarkDoubt
    place: str
    message: str
    message_ja: str


class PaymentNote(msgspec.Struct, frozen=True, kw_only=True):
    """A stated payment that was not made so, or that ended the path, for people to look at."""

    about: PaymentDoubt
    at: str
    means: str
    message: str
    message_ja: str


class Direction(msgspec.Struct, frozen=True, kw_only=True):
    """The criterion that decided the direction of the path. `turned` says that the ruling is about the
    record's path read backwards."""

    by: SettledBy
    turned: bool
    message: str
    message_ja: str


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """The complete ruling. `legal` concerns the path alone. `primary` and `secondary` are null where the
    record has no objective. `why` explains how the path ended. `marks` is empty for a record without
    marks. `payments` is empty where all stated payments were made and none ended the path. `direction` is
    null where the path was ruled on as recorded. `settings` are the house rules that differ from their
    defaults."""

    legal: bool
    escaped: bool
    ended: Ended
    last_place: str | None
    violations: tuple[Violation, ...]
    placement: tuple[LayingFault, ...]
    discovered: dict[str, int]
    coins: int
    primary: ObjectiveScore | None
    secondary: ObjectiveScore | None
    optimizers: dict[str, int]
    spent: tuple[Payment, ...]
    steps: tuple[Step, ...]
    why: Reason
    marks: tuple[MarkNote, ...] = ()
    payments: tuple[PaymentNote, ...] = ()
    direction: Direction | None = None
    settings: dict[str, Any] = {}
    format: str = FORMAT


def to_json(ruling: Ruling) -> bytes:
    """The ruling as compact UTF-8 JSON."""
    return msgspec.json.encode(ruling)
