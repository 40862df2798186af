"""Optimistic concurrency control: each change names the version it was based on. If another device changed
the same value since, the change is reported as a conflict and not saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from scorer.errors import Code, WaymarkError
from scorer.game import Game as Rules
from scorer.sheet import Column
from scorer.terms import Term
from scorer.text import ENGLISH, Text, each_language, listed, lower, unchanged
from waymark.review.decision import CERTAINTY
from webapp.games.score_sheet import first_to_finish
from webapp.store.boxes import boxes_of, ruled_columns, rules_of, rules_of_entry, sure_from, with_usual
from webapp.store.models import Entry, Game, GameRound, Person, Seat, Tableau

Values: TypeAlias = Mapping[str, Any]
#: Number of characters after which a quoted text is truncated.
_SHORT = 60

#: Function from a value to its words.
_Tell: TypeAlias = Callable[[Any], Text]


def check_entry(entry: Entry, seen: Values, wanted: Values) -> None:
    """Raises `WaymarkError` (conflict) where an entry differs from both `seen` and the `wanted` values, after
    a change by another device."""
    _check(_entry_now(entry), _told_of_entry(entry), seen, wanted)


def check_round(round_: GameRound, seen: Values, wanted: Values) -> None:
    """Raises `WaymarkError` (conflict) where a round differs from both `seen` and the `wanted` values."""
    rules = rules_of(round_.game)
    now = {
        **with_usual(rules, round_.terms, "objective"),
        "hourglass": round_.hourglass,
        "time_bonus_seat": first_to_finish(round_),
        "nobody_first": round_.nobody_first,
    }
    objectives = {
        term.id: _objective(rules, term) for term in rules.rules.settings.terms if term.group == "objective"
    }
    _check(now, {**_ROUND, **objectives, "time_bonus_seat": _seat_told(round_)}, seen, wanted)


def check_game(game: Game, seen: Values, wanted: Values) -> None:
    """Raises `WaymarkError` (conflict) where a game's texts, house rules or certainty differ from
    `seen` and the `wanted` values."""
    now = {"title": game.title, "location": game.location, "notes": game.notes, "certainty": sure_from(game)}
    rules = rules_of(game)
    house = with_usual(rules, game.settings, "house")
    _check(
        {**now, "settings": tuple(house.items())}, _WORDS, *(_whole(rules, each) for each in (seen, wanted))
    )


def _whole(rules: Rules, values: Values) -> Values:
    """A game's values with the usual ones in place of those that are left out."""
    whole = dict(values)
    if "settings" in values:
        whole["settings"] = tuple(with_usual(rules, values["settings"], "house").items())
    if "certainty" in values:
        whole["certainty"] = values["certainty"] or CERTAINTY
    return whole


def check_words(row: Seat | Tableau | Person, seen: Values, wanted: Values) -> None:
    """Raises `WaymarkError` (conflict) where a name, or a seat's colour, differs from `seen` and the `wanted`
    values."""
    told = {**_WORDS, "colour": _colour(row.game)} if isinstance(row, Seat) else _WORDS
    _check({column: getattr(row, column) for column in seen}, told, seen, wanted)


def entry_told(entry: Entry, columns: list[str]) -> list[Text]:
    """Values of an entry in these columns."""
    now, told = _entry_now(entry), _told_of_entry(entry)
    return [told[column](now[column]) for column in columns]


def _check(now: Values, told: Mapping[str, _Tell], seen: Values, wanted: Values) -> None:
    there, looked, aims = (_by_part(values) for values in (now, seen, wanted))
    other: dict[str, Any] = {}
    for name, part in looked:
        # A kind of token that no player has is in no mapping.
        value, was = there.get((name, part), 0), looked[name, part]
        if not _same(value, was) and not _same(value, aims.get((name, part), was)):
            other.setdefault(name, {})[part] = value
    if not other:
        return
    now_there = listed(told[name](parts.get("", parts)) for name, parts in other.items())
    raise WaymarkError(
        Code.CONFLICT,
        Text(
            "This was changed on another device, it now says: {now}; check it and do it again.", now=now_there
        ),
    )


def _same(here: object, there: object) -> bool:
    """Whether two values are equal; line breaks of texts are normalised."""
    if isinstance(here, str) and isinstance(there, str):
        return here.splitlines() == there.splitlines()
    return here == there


def _by_part(values: Values) -> dict[tuple[str, str], Any]:
    return {
        (name, part): each
        for name, value in values.items()
        for part, each in (value.items() if isinstance(value, Mapping) else [("", value)])
    }


def _entry_now(entry: Entry) -> Values:
    rules, round_ = rules_of_entry(entry), entry.round
    return {
        **boxes_of(entry),
        **with_usual(rules, entry.terms, "held"),
        "optimizers_used": entry.optimizers_used,
        "time_bonus_seat": first_to_finish(round_),
        "nobody_first": round_.nobody_first,
    }


def _told_of_entry(entry: Entry) -> Mapping[str, _Tell]:
    rules = rules_of_entry(entry)
    boxes = {column.id: _box(column) for column in ruled_columns(rules)}
    held = {
        term.id: _counts(rules, lower(term.label)) if term.kind == "counts" else _value(term)
        for term in rules.rules.settings.terms
        if term.group == "held"
    }
    later = {"optimizers_used": _counts(rules, Text("used in the refresh"))}
    return {**_ENTRY, **boxes, **held, **later, "time_bonus_seat": _seat_told(entry.round)}


def _seat_told(round_: GameRound) -> _Tell:
    names = {entry.seat_id: _short(entry.seat.name) for entry in round_.entries}
    return lambda seat: (
        Text("time bonus: nobody") if seat is None else Text("time bonus: {name}", name=names[seat])
    )


def _box(column: Column) -> _Tell:
    if column.kind == "tick":
        ticked, left, open_ = column.ticks
        return {None: open_, True: ticked, False: left}.__getitem__
    name = column.told if column.told.en else column.label
    return lambda points: (
        Text("{name} empty", name=name)
        if points is None
        else Text("{name} {points}", name=name, points=points)
    )


def _counts(rules: Rules, what: Text) -> _Tell:
    def tell(counts: Mapping[str, int]) -> Text:
        return listed(
            Text("{what} ({name}): {count}", what=what, name=rules.words.vocabulary.name(kind), count=count)
            for kind, count in counts.items()
        )

    return tell


def _value(term: Term) -> _Tell:
    return lambda value: Text("{what}: {value}", what=lower(term.label), value=value)


def _objective(rules: Rules, term: Term) -> _Tell:
    what = lower(term.label)

    def tell(objective: str | None) -> Text:
        if objective is None:
            return Text("no {what}", context="not decided", what=what)
        return Text("{what}: {value}", what=what, value=rules.words.vocabulary.name(objective))

    return tell


def _colour(game: Game) -> _Tell:
    colours = rules_of(game).sheet.colours
    return lambda colour: Text("colour {colour}", colour=_called(colours, colour))


def _called(colours: Mapping[str, Text], colour: str) -> Text:
    """English name of a colour, as in records."""
    words = colours.get(colour, unchanged(colour))
    return each_language(lambda language: colour if language == ENGLISH else words.message(language))


def _text(what: Text) -> _Tell:
    return lambda text: (
        Text("{what} “{text}”", what=what, text=_short(text)) if text else Text("no {what}", what=what)
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHORT else line[: _SHORT - 1] + "…"


_NOBODY_FIRST: _Tell = {
    True: Text("nobody was first to finish"),
    False: Text("who was first to finish is open"),
}.__getitem__
_ENTRY: dict[str, _Tell] = {"nobody_first": _NOBODY_FIRST}
_ROUND: dict[str, _Tell] = {
    "nobody_first": _NOBODY_FIRST,
    "hourglass": {True: Text("hourglass"), False: Text("no hourglass")}.__getitem__,
}
_WORDS: dict[str, _Tell] = {
    "title": _text(Text("title")),
    "location": _text(Text("place")),
    "notes": _text(Text("notes")),
    "name": _text(Text("name")),
    "settings": lambda _: Text("other house rules"),
    "certainty": lambda sure: Text("a score is sure from {percent}%", percent=f"{100 * sure:.4g}"),
}
