"""What a dispute is about: the step at which a ruling turned, and what the referee would say if one thing
were otherwise.

Nothing here bends a rule: every other reading is a record, or a table, that could be so, refereed anew."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import msgspec

from scorer.mapmasters.choices import PaymentChoice, payment_choices
from scorer.mapmasters.means import FAIRY, PATH_SPELLBOOKS, POOLS, SPELLBOOKS, TOOLS, Held
from scorer.mapmasters.payments import state_payment
from scorer.mapmasters.ruling import Reason, Ruling
from scorer.mapmasters.settings import VersusSettings
from scorer.record import Record, path_backwards
from waymark.review.assessment import Assessment, answer, assess, direction_settled
from waymark.review.question_names import name_of
from waymark.review.terms import Terms

Kind = Literal["held", "not_held", "house", "reading", "backwards", "paid"]

#: `1.p1=rope@0.f3`: a place, the means, where an item came from.
_PAID = re.compile(
    f"(?P<at>.+?)=(?P<means>{'|'.join({means for pool in POOLS.values() for means in pool})})"
    r"(?:@(?P<source>.+))?"
)
#: `mark:0.A1:1`: a question by its name, the number of an answer.
_READ = re.compile(r"(?P<question>[!-~]+):(?P<option>[0-9]{1,4})")
#: A room may ask for several swords at once: so many tokens of a kind are tried before that kind is given up.
_MOST_OF_A_KIND = 4
#: Longest list of means that is tried together to bring a path to its end.
_MOST_TOGETHER = 6

#: No way of paying: the assumption is about something else.
_NOTHING = Held("")


@dataclass(frozen=True)
class Turn:
    """Where a ruling turned: the place and its number along the path (from 1), the rule and its sentence.
    Without a path there is no place."""

    place: str | None
    step: int | None
    why: Reason


@dataclass(frozen=True)
class Assumption:
    """One thing that may have been otherwise. `means` are named as in `Payment.means` with how many of them
    (held, not_held), `setting` is a house rule, `question` and `option` those of an open question; `at` is
    the place where `way` was paid with."""

    kind: Kind
    means: tuple[tuple[str, int], ...] = ()
    setting: str = ""
    question: str = ""
    option: int = 0
    at: str = ""
    way: Held = _NOTHING

    @property
    def key(self) -> str:
        """The assumption as one word: `held:fairy:rope*1`, `house:room_lava_needs_rope`,
        `reading:mark:0.A1:1`, `paid:1.p1=SB-5`, `paid:1.p1=rope@0.f3`."""
        if self.kind in ("held", "not_held"):
            return f"{self.kind}:" + "+".join(f"{name}*{count}" for name, count in self.means)
        if self.kind == "house":
            return f"house:{self.setting}"
        if self.kind == "paid":
            source = f"@{self.way.source}" if self.way.source is not None else ""
            return f"paid:{self.at}={self.way.means}{source}"
        return f"reading:{self.question}:{self.option}" if self.kind == "reading" else self.kind


@dataclass(frozen=True)
class WhatIf:
    """How the tableau would stand; each of `assumptions` alone comes to this."""

    assumptions: tuple[Assumption, ...]
    then: Assessment


@dataclass(frozen=True)
class FreeChoice:
    """A payment for which more was held than was used: `instead` are the ways that change nothing else."""

    choice: PaymentChoice
    instead: tuple[Assumption, ...]


def turning_step(assessment: Assessment) -> Turn:
    """The step that broke a rule, the obstacle that stopped the path, or its last step."""
    ruling, path = assessment.ruling, assessment.record.path
    names = [name for stroke in path for name in stroke]
    if ruling.violations:
        broken = ruling.violations[0]
        number = sum(len(stroke) for stroke in path[: broken.stroke]) + broken.step + 1
        return Turn(broken.place, number, ruling.why)
    if ruling.ended == "obstacle" and len(ruling.steps) < len(names):
        return Turn(names[len(ruling.steps)], len(ruling.steps) + 1, ruling.why)
    return Turn(ruling.last_place, len(ruling.steps) or None, ruling.why)


def parse_assumption(key: str) -> Assumption | None:
    """The assumption that has this key; None for what is none."""
    kind, _, rest = key.partition(":")
    if kind in ("held", "not_held"):
        found = _parse_means(rest)
        return Assumption("held" if kind == "held" else "not_held", means=found) if found else None
    if kind == "house" and rest in {each.name for each in fields(VersusSettings)}:
        return Assumption("house", setting=rest)
    if kind == "reading" and (read := _READ.fullmatch(rest)) is not None:
        return Assumption("reading", question=read["question"], option=int(read["option"]))
    if kind == "paid" and (paid := _PAID.fullmatch(rest)) is not None:
        return Assumption("paid", at=paid["at"], way=Held(paid["means"], paid["source"]))
    return Assumption("backwards") if key == "backwards" else None


def suppose(assessment: Assessment, assumption: Assumption) -> Assessment | None:
    """How the tableau would stand; None where that cannot be assumed of it (a token that is not held cannot
    be missing, a question may be settled)."""
    record, terms = assessment.record, assessment.terms
    if assumption.kind == "reading":
        name = name_of(assumption.question, assessment.reading.questions)
        return answer(assessment, name, assumption.option)
    if assumption.kind == "backwards":
        if not record.path:
            return None
        record = msgspec.structs.replace(record, path=path_backwards(record.path))
        # Also one that no rule leaves open: what it would be the other way round is what is asked here.
        return _assessed_anew(assessment, record, terms, direction_settled(assessment))
    if assumption.kind == "paid":
        at, (paid, source) = assumption.at, assumption.way
        if not {at, source or at} <= assessment.dungeon.places.keys():
            return None
        record = state_payment(record, at, paid, source)
        return _assessed_anew(assessment, record, terms, assessment.answered)
    changed = changed_terms(terms, assumption)
    if changed is None:
        return None
    return _assessed_anew(assessment, record, changed, assessment.answered)


def _assessed_anew(
    assessment: Assessment, record: Record, terms: Terms, answered: frozenset[str]
) -> Assessment:
    return assess(assessment.reading, assessment.table, terms, corrected=record, answered=answered)


def changed_terms(terms: Terms, assumption: Assumption) -> Terms | None:
    """Means and house rules under an assumption about them; None where it cannot be."""
    if assumption.kind == "house":
        now = getattr(terms.settings, assumption.setting, None)
        if not isinstance(now, bool):
            return None
        other: dict[str, Any] = {assumption.setting: not now}
        return replace(terms, settings=replace(terms.settings, **other))
    tokens, books = Counter(terms.fairy_tokens), list(terms.spellbooks)
    sign = 1 if assumption.kind == "held" else -1
    for name, count in assumption.means:
        if name.startswith(FAIRY):
            tokens[name.removeprefix(FAIRY)] += sign * count
        elif sign > 0 and name not in books:
            books.append(name)
        elif sign < 0 and name in books:
            books.remove(name)
        else:
            return None
    if any(count < 0 for count in tokens.values()):
        return None
    held = {tool: count for tool, count in tokens.items() if count}
    return replace(terms, fairy_tokens=held, spellbooks=tuple(books))


def what_ifs(assessment: Assessment) -> tuple[WhatIf, ...]:
    """Everything that would change the ruling, the most relevant first: what makes the path legal, then what
    was read, what was paid with, what was held, what the table agreed on. Both directions are told apart from
    these."""
    told = [
        *_grouped(_readings(assessment)),
        *_grouped(_supposed(assessment, _other_payments(assessment))),
        *_grouped(_more_means(assessment)),
        *_all_it_takes(assessment),
        *_grouped(_supposed(assessment, _less_means(assessment.ruling))),
        *_grouped(_supposed(assessment, _house_rules())),
    ]
    legal = assessment.ruling.legal
    return tuple(sorted(told, key=lambda each: not (each.then.ruling.legal and not legal)))


def free_choices(assessment: Assessment, told: Iterable[WhatIf]) -> tuple[FreeChoice, ...]:
    """Payments for which something else was held that does the same and comes to the same; what changes the
    ruling is `told` apart."""
    changing = {assumption for each in told for assumption in each.assumptions}
    choices = []
    for choice in payment_choices(assessment.dungeon, assessment.record, assessment.terms.settings):
        instead = tuple(other for other in _instead(choice) if other not in changing)
        if instead:
            choices.append(FreeChoice(choice, instead))
    return tuple(choices)


def outcome(ruling: Ruling) -> tuple[object, ...]:
    """What players would notice of a ruling: what it is worth, whether it is legal, where the path ends."""
    return (
        ruling.legal,
        ruling.escaped,
        ruling.ended,
        ruling.last_place,
        ruling.why.rule,
        {find: count for find, count in ruling.discovered.items() if count},
        {find: count for find, count in ruling.optimizers.items() if count},
    )


def held_before(terms: Terms, assumption: Assumption) -> dict[str, int]:
    """How many were held of the means that an assumption names; of a house rule, 1 where it is on."""
    if assumption.kind == "house":
        return {assumption.setting: int(getattr(terms.settings, assumption.setting) is True)}
    return {name: _held(terms, name) for name, _ in assumption.means}


def left_to_assume(assumption: Assumption, before: Mapping[str, int], terms: Terms) -> Assumption | None:
    """What has still to be assumed of one that was made when so much was held; None where it has come true.
    Only means and house rules can."""
    if assumption.kind == "house":
        still = held_before(terms, assumption)
        return assumption if (before or still) == still else None
    if assumption.kind not in ("held", "not_held"):
        return assumption
    sign = 1 if assumption.kind == "held" else -1
    left = []
    for name, count in assumption.means:
        held = _held(terms, name)
        missing = count + sign * (before.get(name, held) - held)
        if missing > 0:
            left.append((name, missing))
    return replace(assumption, means=tuple(left)) if left else None


def _held(terms: Terms, name: str) -> int:
    if name in SPELLBOOKS:
        return int(name in terms.spellbooks)
    return terms.fairy_tokens.get(name.removeprefix(FAIRY), 0)


def _parse_means(words: str) -> tuple[tuple[str, int], ...]:
    found = []
    for word in words.split("+"):
        name, _, count = word.partition("*")
        known = name in SPELLBOOKS or (name.removeprefix(FAIRY) in TOOLS and name.startswith(FAIRY))
        if not known or count not in {str(n) for n in range(1, _MOST_OF_A_KIND * _MOST_TOGETHER)}:
            return ()
        found.append((name, int(count)))
    return tuple(found)


def _supposed(assessment: Assessment, assumptions: Iterable[Assumption]) -> Iterator[WhatIf]:
    """Those of `assumptions` that change the ruling."""
    for assumption in assumptions:
        then = suppose(assessment, assumption)
        if then is not None and outcome(then.ruling) != outcome(assessment.ruling):
            yield WhatIf((assumption,), then)


def _grouped(told: Iterable[WhatIf]) -> list[WhatIf]:
    """Those that come to the same as one, where the first of them stood."""
    groups: list[WhatIf] = []
    for each in told:
        for k, group in enumerate(groups):
            if outcome(group.then.ruling) == outcome(each.then.ruling):
                groups[k] = replace(group, assumptions=group.assumptions + each.assumptions)
                break
        else:
            groups.append(each)
    return groups


def _readings(assessment: Assessment) -> Iterator[WhatIf]:
    options = [
        Assumption("reading", question=question.name, option=option)
        for question in assessment.open_questions
        if question.about != "direction"
        for option in range(1, len(question.alternatives) + 1)
    ]
    return _supposed(assessment, options)


def _other_payments(assessment: Assessment) -> Iterator[Assumption]:
    for choice in payment_choices(assessment.dungeon, assessment.record, assessment.terms.settings):
        yield from _instead(choice)


def _instead(choice: PaymentChoice) -> Iterator[Assumption]:
    """The ways in which a payment was not made."""
    for way in choice.ways:
        if way != choice.used:
            yield Assumption("paid", at=choice.payment.at, way=way)


def _more_means(assessment: Assessment) -> Iterator[WhatIf]:
    """One kind of means more: the fewest tokens of a kind that change anything, any spellbook of the path."""
    for tool in TOOLS:
        tried = (
            Assumption("held", means=((FAIRY + tool, count),)) for count in range(1, _MOST_OF_A_KIND + 1)
        )
        found = next(_supposed(assessment, tried), None)
        if found is not None:
            yield found
    yield from _supposed(assessment, _books_not_held(assessment.terms))


def _books_not_held(terms: Terms) -> list[Assumption]:
    return [
        Assumption("held", means=((book, 1),))
        for book in SPELLBOOKS
        if book in PATH_SPELLBOOKS and book not in terms.spellbooks
    ]


def _all_it_takes(assessment: Assessment) -> list[WhatIf]:
    """Several means together that make a path legal which no single kind makes so: at each stop the one that
    leads it farthest is added."""
    if assessment.ruling.legal:
        return []
    so_far, then = Assumption("held"), assessment
    for _ in range(_MOST_TOGETHER):
        best: tuple[Assumption, Assessment] | None = None
        reached = len(then.ruling.steps)
        for more in _one_more(assessment.terms, so_far):
            tried = suppose(assessment, more)
            if tried is not None and (tried.ruling.legal or len(tried.ruling.steps) > reached):
                best, reached = (more, tried), len(tried.ruling.steps)
                if tried.ruling.legal:
                    break
        if best is None:
            return []
        so_far, then = best
        if then.ruling.legal:
            return [WhatIf((so_far,), then)] if len(so_far.means) > 1 else []
    return []


def _one_more(terms: Terms, so_far: Assumption) -> Iterator[Assumption]:
    names = [FAIRY + tool for tool in TOOLS]
    names += [each.means[0][0] for each in _books_not_held(terms)]
    for name in names:
        counts = Counter(dict(so_far.means))
        most = _MOST_OF_A_KIND if name.startswith(FAIRY) else 1
        for more in range(1, most + 1 - counts[name]):
            yield Assumption("held", means=tuple((counts + Counter({name: more})).items()))


def _less_means(ruling: Ruling) -> list[Assumption]:
    """Each kind of means that was told and used, without one of it."""
    told = [payment.means for payment in ruling.spent if payment.source is None]
    return [Assumption("not_held", means=((name, 1),)) for name in dict.fromkeys(told)]


def _house_rules() -> list[Assumption]:
    """Every house rule that is on or off."""
    return [
        Assumption("house", setting=each.name)
        for each in fields(VersusSettings)
        if isinstance(each.default, bool)
    ]
