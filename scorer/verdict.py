"""The verdict of a referee, and its form for people."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from scorer.text import NO_WORDS, Text


class Verdict(Protocol):
    """The verdict of the referee. Its further fields are the game's own, and are written to JSON
    unchanged."""

    @property
    def legal(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason of a decision: a rule's code, its section of the rulebook, and one sentence."""

    rule: str
    words: Text
    section: Text = NO_WORDS


@dataclass(frozen=True, slots=True)
class Turn:
    """The point at which a verdict was decided: the place, its number along the path (from 1), and the
    reason. Place and number may be missing."""

    place: str | None
    step: int | None
    why: Reason


@dataclass(frozen=True, slots=True)
class ToldStep:
    """One line of what happened: its number from 1, the place's id in the record, the event there, and the
    means held afterwards. `brief` is a short form of the event, and empty for an unimportant one. `found`
    are the places of items discovered. `used` are the places of things overcome, passed through or used
    up. `paid` are the means used, by ids of the vocabulary."""

    number: int
    place: str
    what: Text
    held: Text
    brief: Text = NO_WORDS
    found: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    paid: tuple[str, ...] = ()


def numbered_steps(told: Iterable[tuple[str, Text]]) -> tuple[ToldStep, ...]:
    """Steps in order, each a place with what happened there, without means held."""
    return tuple(ToldStep(number, place, what, NO_WORDS) for number, (place, what) in enumerate(told, 1))


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of a report: a subject and a statement about it. `with_ids` says that the words contain ids of
    places in the record, which mean nothing to a viewer of the photo."""

    about: Text
    words: Text
    with_ids: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """A verdict as shown to people. `counts` are the counts above 0, by ids of the vocabulary, in the game's
    order. `facts` are their values and further facts. `faults` are faults of laying. `chosen` says how the
    reading was chosen, where asked. `notes` are points for people to check. `brief` is everything in one
    line."""

    counts: tuple[tuple[str, int], ...] = ()
    facts: tuple[Fact, ...] = ()
    faults: tuple[Text, ...] = ()
    chosen: Text = NO_WORDS
    notes: tuple[Text, ...] = ()
    brief: Text = NO_WORDS


@dataclass(frozen=True, slots=True)
class Choice:
    """The choice between several readings of the same drawing. `chosen` is the one taken and `rivals` are the
    equally likely ones. The criterion is the game's word and a sentence. `asked` says that people must
    decide, since the rivals have a different worth."""

    chosen: int
    rivals: tuple[int, ...]
    by: str
    why: Text
    asked: bool = False


@dataclass(frozen=True, slots=True)
class RuledDoubt:
    """A doubt raised by a ruling rather than by the photo, because the reading is unlikely. `about` is a
    stable word (`gap`, `broken-rule`), and `place` is its place. `strokes` are those that do not join the
    stroke before. `blocking` says that no answer can make the score certain. `others` are records that may
    be true instead."""

    about: str
    place: str
    words: Text
    strokes: tuple[int, ...] = ()
    blocking: bool = False
    others: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Discord:
    """A mark beside the path, or a missing mark, that contradicts a verdict. `place` is the place marked, or
    left unmarked while the player marks all else. `weight` (nats) is the strength of the contradiction if
    it was read correctly. `there` says whether the mark is present rather than missing."""

    place: str
    weight: float
    there: bool = True


V = TypeVar("V", bound=Verdict)


def choose_by_worth(
    verdicts: Sequence[V], worth: Callable[[V], Hashable], words: Mapping[str, Text]
) -> Choice:
    """The first legal reading, or the first where none is: the `only_legal` one, of the `same_score` as all
    others as likely, or `asked`; `words` has a sentence for each of the three."""
    legal = [number for number, verdict in enumerate(verdicts) if verdict.legal]
    chosen, *rivals = legal or range(len(verdicts))
    by = "asked"
    if not rivals:
        by = "only_legal"
    elif all(worth(verdicts[chosen]) == worth(verdicts[other]) for other in rivals):
        by = "same_score"
    return Choice(chosen, tuple(rivals), by, words[by], asked=by == "asked")
