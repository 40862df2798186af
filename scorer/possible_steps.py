"""The steps of a turn that the rules allow now, found by trial on the position. Pages offer them before steps
that would break a rule. An untried step counts as possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import Any

from scorer.board_record import Cell
from scorer.turn_forms import ROTATIONS, Step, StepField, StepForm

#: Of what a step tells beside the first thing so many are tried: a panel among sixteen may lie in any way,
#: and any of them tells whether there is room for one.
_FEW = 4

Breaks = Callable[[Step], bool]


def tried(forms: Sequence[StepForm], cells: Sequence[Cell], breaks: Breaks) -> tuple[StepForm, ...]:
    """The step forms, each with a flag whether any of its steps is legal, and with the cells at which one is.
    `breaks` says whether a step, entered after the earlier ones, breaks a rule."""
    return tuple(_tried(form, cells, breaks) for form in forms)


def _tried(form: StepForm, cells: Sequence[Cell], breaks: Breaks) -> StepForm:
    needed = [field for field in form.fields if not field.optional]
    needed += [field for field in form.fields if field.optional and needed and field.by == needed[0].id]
    if not needed:
        return replace(form, possible=not breaks({"do": form.id}))
    first, rest = needed[0], needed[1:]
    open_: list[Any] = []
    for value in _values(first, cells):
        if any(not breaks(step) for step in _steps(form, first, value, rest, cells)):
            open_.append(value)
            if first.kind != "cell":
                break
    if first.kind != "cell":
        return replace(form, possible=bool(open_))
    likely = replace(first, likely=tuple(open_))
    fields = tuple(likely if field is first else field for field in form.fields)
    return replace(form, fields=fields, possible=bool(open_))


def _steps(
    form: StepForm, first: StepField, value: Any, rest: Sequence[StepField], cells: Sequence[Cell]
) -> Iterator[Step]:
    for others in product(*(tuple(islice(_hanging(field, value, cells), _FEW)) for field in rest)):
        told = {field.id: other for field, other in zip(rest, others, strict=True) if other is not None}
        yield {"do": form.id, first.id: value, **told}


def _hanging(field: StepField, first: Any, cells: Sequence[Cell]) -> Iterator[Any]:
    """The values of a field after the first one; None: it is left out."""
    if field.by:
        yield from field.choices_by.get(str(first), ())
        yield None
    else:
        yield from _values(field, cells)


def _values(field: StepField, cells: Sequence[Cell]) -> Iterator[Any]:
    if field.kind == "cell":
        yield from cells if field.likely is None else field.likely
    elif field.kind == "rotation":
        yield from map(int, ROTATIONS)
    elif field.kind == "things":
        yield from ([each] for each in field.choices)
    elif field.kind == "count":
        yield from ({each: 1} for each in field.choices)
    else:
        yield from field.choices
