"""Checks of column values that the database cannot make: JSON of the documented form, and what depends on
the game's rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from scorer.board_edits import edit_told
from scorer.game import Game as Rules
from vision.quality import Shortcoming
from vision.reader import PinnedCard
from webapp.store.boards import RIGHT
from webapp.store.boxes import check_boxes, check_terms
from webapp.store.kinds import kept_by
from webapp.store.models import MOST_COINS, Base, Claim, Entry, Game, GameRound, Revision, Seat, Shot, Tableau
from webapp.store.tables import BY_PHOTO, open_told

#: A column, and a function that raises if its value is not valid.
Check = tuple[str, Callable[[], object]]


def checks_of(row: Base, rules: Rules | None) -> Iterator[Check]:
    """Validation functions for a row's values, by column."""
    if rules is not None:
        yield from _term_checks(row, rules)
    checks = _CHECKS.get(type(row))
    if checks is not None:
        yield from checks(row, rules)


def _term_checks(row: Base, rules: Rules) -> Iterator[Check]:
    """Validation functions for the game's terms stated in a row."""
    if isinstance(row, Game):
        yield "settings", lambda: check_terms(rules, row.settings, "house")
    elif isinstance(row, GameRound):
        yield "terms", lambda: check_terms(rules, row.terms, "objective")
    elif isinstance(row, Entry):
        yield "terms", lambda: check_terms(rules, row.terms, "held")
    elif isinstance(row, Tableau):
        yield "terms", lambda: rules.rules.settings.make(row.terms)


def _seat_checks(row: Seat, rules: Rules | None) -> Iterator[Check]:
    if rules is not None:
        yield "colour", lambda: _is(row.colour in rules.sheet.colours)


def _round_checks(row: GameRound, _rules: Rules | None) -> Iterator[Check]:
    yield "checklist", lambda: _is(all(_is_step(*step) for step in row.checklist.items()))


def _entry_checks(row: Entry, rules: Rules | None) -> Iterator[Check]:
    if rules is not None:
        yield "scores", lambda: check_boxes(row)
    yield "optimizers_used", lambda: _is(all(_is_use(*use) for use in row.optimizers_used.items()))


def _tableau_checks(row: Tableau, rules: Rules | None) -> Iterator[Check]:
    yield "record", lambda: row.record is None or _check_record(row.record, rules)
    yield "answered", lambda: _is(all(isinstance(name, (str, int)) for name in row.answered))
    if rules is not None:
        yield "ruling", lambda: row.ruling is None or rules.sheet.row(_verdict(rules, row.ruling))


def _shot_checks(row: Shot, _rules: Rules | None) -> Iterator[Check]:
    yield "error", lambda: row.error is None or msgspec.convert(row.error, _ErrorTold)
    yield "given", lambda: row.given is None or msgspec.convert(row.given, tuple[PinnedCard, ...])


def _revision_checks(row: Revision, rules: Rules | None) -> Iterator[Check]:
    yield "record", lambda: _check_record(row.record, rules)
    yield "told", lambda: row.told is None or row.kind != RIGHT or edit_told(row.told)
    yield "told", lambda: row.told is None or row.kind not in BY_PHOTO or open_told(row.told) is not None
    yield "before", lambda: _is(row.before in (None, *_numbers(row)))
    yield "repeats", lambda: _is(row.repeats in (None, *_numbers(row)))


def _claim_checks(row: Claim, rules: Rules | None) -> Iterator[Check]:
    yield "record", lambda: row.record is None or _check_record(row.record, rules)
    yield "basis", lambda: row.basis is None or msgspec.convert(row.basis, _BasisTold)


#: Tables whose values are checked beyond the database's constraints.
_CHECKS: dict[type[Base], Callable[[Any, Rules | None], Iterator[Check]]] = {
    Seat: _seat_checks,
    GameRound: _round_checks,
    Entry: _entry_checks,
    Tableau: _tableau_checks,
    Shot: _shot_checks,
    Revision: _revision_checks,
    Claim: _claim_checks,
}


def _check_record(plain: Any, rules: Rules | None) -> object:
    return kept_by(rules).check_record(plain, rules)


def _is_step(number: str, done: object) -> bool:
    return number.isascii() and number.isdigit() and len(number) <= 2 and type(done) is bool


def _is_use(kind: str, count: object) -> bool:
    return len(kind) <= 64 and type(count) is int and 0 <= count <= MOST_COINS


class _ErrorTold(msgspec.Struct):
    code: str
    en: str
    ja: str
    shortcomings: tuple[Shortcoming, ...] = ()


class _BasisTold(msgspec.Struct):
    words: dict[str, str]
    before: dict[str, int]


def _verdict(rules: Rules, ruling: Any) -> Any:
    return msgspec.convert(ruling, rules.rules.verdict_type)


def _numbers(revision: Revision) -> list[int]:
    """Numbers of the existing revisions, to which undo or repetition may refer."""
    return [each.number for each in revision.tableau.revisions]


def _is(so: bool) -> None:
    if not so:
        raise ValueError
