"""The verdict of a referee, and its form for people."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from scorer.text import NO_WORDS, Text


class Verdict(Protocol):
    """What the referee says. Its other fields are the game's own, and are written as JSON as they are."""

    @property
    def legal(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Reason:
    """What decided: a rule by its code, where the rulebook has it, and one sentence."""

    rule: str
    words: Text
    section: Text = NO_WORDS


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a verdict turned: a place and its number along the way (from 1), as far as there is one; why."""

    place: str | None
    step: int | None
    why: Reason


@dataclass(frozen=True, slots=True)
class ToldStep:
    """One line of what happened: its number from 1, the place's name in the record, what happened there, and
    what is held afterwards. `brief` says in a few words what a person wants to be told of it, and is empty
    where that is nothing. `found` are the places of what was found with it, `used` of what was overcome, gone
    through or used up there; `paid` is what was used, by ids of the vocabulary."""

    number: int
    place: str
    what: Text
    held: Text
    brief: Text = NO_WORDS
    found: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    paid: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of a report: what it is about, and what is so. `with_ids`: the words tell places by their
    names in the record, which mean nothing to who looks at the photo."""

    about: Text
    words: Text
    with_ids: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """A verdict as people are told it. `counts`: how many of what was counted, by ids of the vocabulary, in
    the game's order, those above 0 alone. `facts`: what they are worth, and what else is so. `faults`: what
    is wrong with how things lie. `chosen`: how its reading was chosen, where that was asked. `notes`: what
    people should look at. `brief`: all of it in one line."""

    counts: tuple[tuple[str, int], ...] = ()
    facts: tuple[Fact, ...] = ()
    faults: tuple[Text, ...] = ()
    chosen: Text = NO_WORDS
    notes: tuple[Text, ...] = ()
    brief: Text = NO_WORDS


@dataclass(frozen=True, slots=True)
class Choice:
    """Which of several readings of the same thing stands (`chosen`), which others are as likely (`rivals`),
    and by what it was chosen: the game's word for it, and a sentence. `asked`: people must say which it is,
    for the rivals are worth something else."""

    chosen: int
    rivals: tuple[int, ...]
    by: str
    why: Text
    asked: bool = False


@dataclass(frozen=True, slots=True)
class RuledDoubt:
    """A doubt that follows from a ruling and not from the photo: what was read makes a misreading likely.
    `about` is a stable word (`gap`, `broken-rule`), `place` where it is; `strokes` are those that do not
    join the one before. `blocking`: no answer of people makes the score sure. `others`: records that may be
    true instead."""

    about: str
    place: str
    words: Text
    strokes: tuple[int, ...] = ()
    blocking: bool = False
    others: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Discord:
    """Something drawn beside the line that tells another story than a verdict: a mark at `place`, or none
    where the player marks all else. `weight` is how strongly (nats) it speaks against the verdict if it was
    read right; `there`: whether it is a mark, or one that is wanting."""

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
