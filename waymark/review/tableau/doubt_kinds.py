"""The kinds of doubt. A doubt's kind decides how it is weighed, asked and answered; its reason, a word of
`vision.questions.REASONS`, only how it is worded. Both follow from the name of its question."""

from __future__ import annotations

from enum import StrEnum

from vision.questions import REASONS


class Kind(StrEnum):
    """What a doubt is about."""

    CARD = "card"
    """Which card lies here."""
    UNLISTED = "unlisted"
    """Whether the card that was read is in the catalogue at all."""
    MISSING = "missing"
    """Whether a card of the tableau lies here that was not read."""
    TABLEAU = "tableau"
    """Which of two groups of cards is meant."""
    SCREEN = "screen"
    """Whether the cards are shown on a screen."""
    STRETCH = "stretch"
    """Whether the line runs here, or which way."""
    INK = "ink"
    """Whether ink beside the path belongs to it."""
    END = "end"
    """Whether another card follows an end of the path, which the photo does not show."""
    CUT = "cut"
    """Whether the path is all there on a card of which a part is not visible."""
    DIRECTION = "direction"
    """From which end the path was drawn."""
    MARK = "mark"
    """Whether a find is circled, or why a circle lies beside the path."""
    PATH = "path"
    """The path as a whole, and what the ruling says of it."""


_KINDS: dict[str, Kind] = {
    "card": Kind.CARD,
    "card:unlike-its-art": Kind.UNLISTED,
    **dict.fromkeys(("card:stranger", "card:cut-off", "card:gap"), Kind.MISSING),
    "card:group": Kind.TABLEAU,
    "card:screen": Kind.SCREEN,
    **dict.fromkeys(("path:beside", "path:too-much"), Kind.INK),
    **dict.fromkeys(("path:covered", "path:unseen"), Kind.END),
    "path:cut": Kind.CUT,
    "direction": Kind.DIRECTION,
    **dict.fromkeys(("mark", "path:off-path"), Kind.MARK),
}
#: Kinds of doubt where nothing was read: a card, a group of cards, or the cards themselves.
UNREAD = frozenset({Kind.MISSING, Kind.TABLEAU, Kind.SCREEN})
#: Kinds of doubt where possibly none of the options is right.
OPEN_ENDED = UNREAD | {Kind.UNLISTED}
#: Kinds of doubt about what the picture does not show of the path.
OUT_OF_SIGHT = frozenset({Kind.END, Kind.CUT})


def reason_of(name: str) -> str:
    """What a question's name says without its place: `path:faint` of `path:faint:1.w2`."""
    about, _, rest = name.partition(":")
    word = rest.partition(":")[0]
    return f"{about}:{word}" if word in REASONS else about


def kind_of(name: str) -> Kind:
    """Kind of the doubt that a question of this name is about."""
    reason = reason_of(name)
    return _KINDS.get(reason, Kind.STRETCH if reason.startswith("path:") else Kind.PATH)
