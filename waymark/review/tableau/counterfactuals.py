"""Counterfactuals of a ruling: the deciding step, and the ruling if one thing were different. That is a
stated fact or used means (the game lists the options), a detail of the reading, or the direction of the
path.

No rule is changed: every counterfactual is a possible record or table, refereed anew."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import msgspec

from scorer.counterfactual import Assumption
from scorer.payments import PaymentChoice, Way
from scorer.record import path_backwards
from scorer.verdict import Turn
from waymark.review.tableau.answers import answer, direction_settled
from waymark.review.tableau.assess import Assessment, assess
from waymark.review.tableau.question_names import assumption_by_name

#: Key of the assumption that the path runs in the other direction.
BACKWARDS = Assumption("backwards")
#: Form of the key of an assumed answer, such as `reading:mark:0.A1:1`: the question's name and the option's
#: number.
_READING = re.compile(r"reading:(?P<question>[!-~]+):(?P<option>[0-9]{1,4})")


@dataclass(frozen=True)
class WhatIf:
    """A counterfactual ruling; each of `assumptions` alone leads to it."""

    assumptions: tuple[Assumption, ...]
    then: Assessment


@dataclass(frozen=True)
class FreeChoice:
    """A payment with alternatives: more was held than was used. `instead` are the alternatives that
    change nothing else, each with the assumption that it was used."""

    choice: PaymentChoice
    instead: tuple[tuple[Way, Assumption], ...]


def turning_step(assessment: Assessment) -> Turn:
    """The deciding step of a ruling, in words for people who look at the photo."""
    return assessment.table.game.words.turn(assessment.told, assessment.said)


def parse_assumption(assessment: Assessment, key: str) -> Assumption | None:
    """The assumption with this key; None for a string that is no such key."""
    if key == BACKWARDS.key:
        return BACKWARDS
    if _READING.fullmatch(key) is not None:
        return Assumption(assumption_by_name(key, assessment.reading.questions))
    return assessment.table.game.play.what_ifs.parse(key)


def answer_to(question: str, option: int) -> Assumption:
    """The assumption that a question is answered with this option."""
    return Assumption(f"reading:{question}:{option}")


def assumed_answer(assumption: Assumption) -> tuple[str, int] | None:
    """Name of the question and number of the option that an assumption stands for; None for other
    assumptions."""
    read = _READING.fullmatch(assumption.key)
    if read is None:
        return None
    return read["question"], int(read["option"])


def suppose(assessment: Assessment, assumption: Assumption) -> Assessment | None:
    """Assessment of the tableau under an assumption; None where the assumption is impossible (a token that
    is not held cannot be missing, a question may be settled)."""
    read = assumed_answer(assumption)
    if read is not None:
        return answer(assessment, *read)
    record, terms, answered = assessment.record, assessment.terms, assessment.answered
    if assumption == BACKWARDS:
        if assessment.table.game.rules.backwards(assessment.told) is None:
            return None
        record = msgspec.structs.replace(record, path=path_backwards(record.path))
        # Also a direction that no rule leaves open, since this asks for the ruling in the other direction.
        answered = direction_settled(assessment)
    else:
        supposed = supposed_of(assessment, assumption)
        if supposed is None:
            return None
        told, terms = supposed
        # An assumption about the game's own record replaces it; others are applied to the tableau.
        record = told if isinstance(told, type(record)) else record
    return assess(
        assessment.reading,
        assessment.table,
        terms,
        corrected=record,
        answered=answered,
        certainty=assessment.certainty,
    )


def supposed_of(assessment: Assessment, assumption: Assumption) -> tuple[Any, Any] | None:
    """The game's record and terms under an assumption about stated facts or used means; None where it is
    impossible."""
    what_ifs = assessment.table.game.play.what_ifs
    if what_ifs.parse(assumption.key) is None:
        return None
    return what_ifs.suppose(assessment.board, assessment.told, assessment.terms, assumption)


def what_ifs(assessment: Assessment) -> tuple[WhatIf, ...]:
    """All single changes that would change the ruling, most relevant first: what makes the path legal,
    then the reading, means used, means held, and house rules. The direction of the path is reported
    separately."""
    supposed: dict[Assumption, Assessment | None] = {}

    def then(assumption: Assumption) -> Any:
        if assumption not in supposed:
            supposed[assumption] = suppose(assessment, assumption)
        assessed = supposed[assumption]
        return assessed.ruling if assessed is not None else None

    tried = assessment.table.game.play.what_ifs.tried(
        assessment.board, assessment.told, assessment.terms, assessment.ruling, then
    )
    told = _grouped(_readings(assessment))
    for _kind, alike in groupby(tried, key=lambda assumption: assumption.kind):
        changing = ((each, supposed.get(each) or suppose(assessment, each)) for each in alike)
        told += _grouped(WhatIf((each,), after) for each, after in changing if after is not None)
    legal = assessment.ruling.legal
    return tuple(sorted(told, key=lambda each: not (each.then.ruling.legal and not legal)))


def free_choices(assessment: Assessment, told: Iterable[WhatIf]) -> tuple[FreeChoice, ...]:
    """Payments for which other means were held with the same effect and result. Alternatives that change
    the ruling are left to `told`."""
    game, terms = assessment.table.game, assessment.terms
    if game.play.payments is None:
        return ()
    changing = {assumption for each in told for assumption in each.assumptions}
    free = game.play.what_ifs.free(assessment.board, assessment.told, terms)
    choices = []
    for choice, (_, assumed) in zip(
        game.play.payments.choices(assessment.board, assessment.told, terms), free, strict=True
    ):
        others = [way for way in choice.ways if way != choice.used]
        instead = tuple(each for each in zip(others, assumed, strict=True) if each[1] not in changing)
        if instead:
            choices.append(FreeChoice(choice, instead))
    return tuple(choices)


def same_outcome(one: Assessment, other: Assessment) -> bool:
    """Whether two rulings are equal in everything that players notice."""
    game = one.table.game
    return game.rules.outcome(one.ruling) == game.rules.outcome(other.ruling)


def _grouped(told: Iterable[WhatIf]) -> list[WhatIf]:
    """The counterfactuals with equal outcomes merged into one, at the position of the first."""
    groups: list[WhatIf] = []
    for each in told:
        for k, group in enumerate(groups):
            if same_outcome(group.then, each.then):
                groups[k] = replace(group, assumptions=group.assumptions + each.assumptions)
                break
        else:
            groups.append(each)
    return groups


def _readings(assessment: Assessment) -> Iterator[WhatIf]:
    """The alternative options of open questions that change the ruling."""
    for question in assessment.open_questions:
        if question.about == "direction":
            continue
        for option in range(1, len(question.alternatives) + 1):
            then = answer(assessment, question.name, option)
            if then is not None and not same_outcome(then, assessment):
                yield WhatIf((answer_to(question.name, option),), then)
