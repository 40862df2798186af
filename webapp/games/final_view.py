"""View of a game's final score: every column of every player, its sources, and how the win was decided, in
words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import msgspec
from flask_babel import gettext as _
from msgspec import UNSET, UnsetType

from scorer.game import Game as Rules
from scorer.games import game_named
from scorer.play_kinds import BOARD, play_kind
from scorer.sheet import Column, Note, Played
from scorer.text import Language, Text
from waymark.phrases import say
from webapp.games.score_sheet import GameState
from webapp.games.view import EntryView, GameView, LateReading, RoundView
from webapp.store.boxes import ruled_columns, telling_columns
from webapp.views import view

#: Longer names are truncated in sentences that only mention a player.
SHORT_NAME = 40


class FinalNote(msgspec.Struct, frozen=True, kw_only=True):
    """Source of a value in the final score, in the reader's language, such as "9 ÷ 2" or "2 × (an icon) most
    escapes"."""

    number: int
    sign: str
    icon: str
    icon_words: str
    words: str


class FinalRow(msgspec.Struct, frozen=True, kw_only=True):
    """A player's columns; `seat_number` counts from 1. `columns` are points by final column, `notes` explain
    them. The last fields are Map Masters', with their names from version 1 of the API: `secondary` is halved,
    `secondary_whole` is the entered value; `escapes` are ticked boxes, `coins_left` coins (below 0: the books
    are wrong, no coin counts)."""

    seat_id: str
    seat_number: int
    person_id: str
    name: str
    colour: str
    columns: dict[str, int]
    notes: dict[str, FinalNote]
    total: int
    rank: int
    primary: int | UnsetType = UNSET
    secondary_whole: int | UnsetType = UNSET
    secondary: int | UnsetType = UNSET
    time_bonus: int | UnsetType = UNSET
    escapes: int | UnsetType = UNSET
    escape_bonus: int | UnsetType = UNSET
    escape_why: str | UnsetType = UNSET
    coins_left: int | UnsetType = UNSET
    coins: int | UnsetType = UNSET


class OpenPoint(msgspec.Struct, frozen=True, kw_only=True):
    """An open fact that may change the score, in words, with its location: a photo's tableau or a round."""

    words: str
    round: int
    tableau_id: str | None = None


class FinalView(msgspec.Struct, frozen=True, kw_only=True):
    """The final or current score of a game: `complete` when all `rounds` have all values. `rounds_played` is
    the last round with a value, `rounds_written` are all rounds with values, `rounds_whole` those with all
    players' values. `gaps`: some are incomplete, so that there is no winner. `state`: open, finished or
    given-up. `settled`: complete without open facts, or ended after complete rounds; only then is there a
    winner. Rows are in the order of rank; `verdict` says who won and why, `doubts` are facts that may change
    it. `first_seat_id` began the first round."""

    id: str
    game: str
    version: int
    title: str
    location: str
    notes: str
    created_at: datetime
    finished_at: datetime | None
    state: GameState
    rounds: int
    complete: bool
    rounds_played: int
    rounds_written: int
    rounds_whole: int
    gaps: bool
    settled: bool
    first_seat_id: str
    decided_by: str
    winners: list[str]
    verdict: str
    doubts: list[str]
    rows: list[FinalRow]


def final_view(game: GameView, language: Language) -> FinalView:
    """The final score of a game, from its view, in the reader's language."""
    rules = game_named(game.game)
    entries = [entry for round_ in game.rounds for entry in round_.entries]
    played = [Played(seat.name, tuple(_row(rules, game, seat.id))) for seat in game.seats]
    notes = rules.sheet.notes(played, rules.rules.settings.make(game.settings))
    rows = [_final_row(rules, game, number, told, language) for number, told in enumerate(notes)]
    complete = game.rounds_played == len(game.rounds) and all(entry.scored for entry in entries)
    open_here = open_points(game, language)
    ended = game.finished_at is not None and game.rounds_played > 0 and not game.gaps
    settled = game.state != "given-up" and (ended or (complete and not open_here))
    return view(
        FinalView,
        game,
        rounds=len(game.rounds),
        complete=complete,
        rounds_written=sum(_has_anything(rules, round_) for round_ in game.rounds),
        rounds_whole=sum(all(entry.scored for entry in round_.entries) for round_ in game.rounds),
        settled=settled,
        first_seat_id=game.rounds[0].market_order[0],
        decided_by=game.score.decided_by,
        winners=list(game.score.winners) if game.rounds_played and game.state != "given-up" else [],
        verdict=_verdict(game, rows, settled, language),
        doubts=[point.words for point in open_here],
        rows=sorted(rows, key=lambda row: row.rank),
    )


def _final_row(
    rules: Rules, game: GameView, index: int, told: Mapping[str, Note], language: Language
) -> FinalRow:
    seat, player = game.seats[index], game.score.players[index]
    notes = {column: view(FinalNote, note, language) for column, note in told.items()}
    return view(
        FinalRow,
        seat,
        seat_id=seat.id,
        seat_number=index + 1,
        columns=dict(player.columns),
        notes=notes,
        total=player.total,
        rank=player.rank,
        **rules.api.final_columns(player.columns, told, language),
    )


def _row(rules: Rules, game: GameView, seat_id: str) -> Iterator[dict[str, Any]]:
    """A player's rounds in the form of the game's rules."""
    once = [column.id for column in rules.sheet.columns if column.once]
    for round_ in game.rounds:
        for entry in round_.entries:
            if entry.seat_id == seat_id:
                spent = {"coins_spent": entry.coins_spent} if rules.play.market is not None else {}
                yield {**entry.scores, **{column: entry.time_bonus for column in once}, **spent}


def _has_anything(rules: Rules, round_: RoundView) -> bool:
    """Whether the score board has any value for a round."""
    telling = telling_columns(rules)
    return any(
        entry.time_bonus or any(entry.scores[column] is not None for column in telling)
        for entry in round_.entries
    )


def _verdict(game: GameView, rows: list[FinalRow], settled: bool, language: Language) -> str:
    if not game.rounds_played:
        return _("No round is entered yet.")
    if game.state == "given-up":
        return _("The game was given up; nobody has won.")
    who = say(language, "list.comma").join(game.score.winners)
    if game.gaps:
        most = max(row.total for row in rows)
        values = {"name": who, "total": most}
        if len(game.rounds) == 1:
            return _("So far %(name)s: %(total)s VP, but some fields are empty.", **values)
        return _("So far %(name)s: %(total)s VP, but not every round is entered.", **values)
    return (game.score.won if settled else game.score.leads).message(language)


def open_points(game: GameView, language: Language) -> list[OpenPoint]:
    """Open facts that may change the score, in words, ordered by round."""
    rules = game_named(game.game)
    names = {seat.id: _short(seat.name) for seat in game.seats}
    points = []
    for round_ in game.rounds:
        not_chosen = round_.hourglass and round_.time_bonus_seat is None and not round_.nobody_first
        if not_chosen and _has_anything(rules, round_):
            words = _("Round %(number)s: who was first to finish is not chosen yet.", number=round_.number)
            points.append(OpenPoint(words=words, round=round_.number))
        for entry in round_.entries:
            points += _open_in_entry(rules, game, entry, names[entry.seat_id], language)
    for seat in game.seats:
        if game.coins[seat.id] < 0:
            words = _("%(name)s spent more coins than they had, so no coins count.", name=names[seat.id])
            entries = [entry for round_ in game.rounds for entry in round_.entries]
            short = [each for each in entries if each.seat_id == seat.id and each.coins_after < 0]
            points.append(OpenPoint(words=words, round=short[0].round))
    return points


def _open_in_entry(
    rules: Rules, game: GameView, entry: EntryView, name: str, language: Language
) -> list[OpenPoint]:
    values = {"name": name, "number": entry.round}
    points = []
    if play_kind(rules) is BOARD and entry.state in ("questions", "reading") and not entry.typed:
        # A counted score remains until a person accepts the photo's.
        if not entry.scored:
            words = _("A photo of the board is waiting to be checked.")
            points.append(OpenPoint(words=words, round=entry.round, tableau_id=entry.tableau_id))
    elif entry.state == "questions" and not entry.typed:
        words = _("%(name)s, round %(number)s: Waymark is not sure of the reading.", **values)
        points.append(OpenPoint(words=words, round=entry.round, tableau_id=entry.tableau_id))
    elif entry.state == "reading" and not entry.typed:
        words = _("%(name)s, round %(number)s: the photo is still being read.", **values)
        points.append(OpenPoint(words=words, round=entry.round, tableau_id=entry.tableau_id))
    elif not entry.scored and entry.round <= game.rounds_played:
        words = (
            _("%(name)s: not entered yet: %(what)s.", name=name, what=_missing(rules, entry, language))
            if len(game.rounds) == 1
            else _("%(name)s, round %(number)s: some fields are empty.", **values)
        )
        points.append(OpenPoint(words=words, round=entry.round))
    if entry.late is not None:
        words = late_words(rules, entry.late, name, entry.round, language)
        points.append(OpenPoint(words=words, round=entry.round, tableau_id=entry.tableau_id))
    if entry.unpaid:
        what = held_words(rules, entry, language)
        words = _("%(name)s, round %(number)s: %(what)s held but not bought.", **values, what=what)
        points.append(OpenPoint(words=words, round=entry.round))
    return points


def _missing(rules: Rules, entry: EntryView, language: Language) -> str:
    empty = [column for column in rules.sheet.columns if entry.scores[column.id] is None]
    return say(language, "list.comma").join(column.label.message(language) for column in empty)


def late_words(rules: Rules, late: LateReading, name: str, number: int, language: Language) -> str:
    """Words for a photo's reading that waits beside the score, with the player and round."""
    words = _(
        "%(name)s, round %(number)s: a photo gives a different result: %(score)s.",
        name=_short(name),
        number=number,
        score=score_words(rules, late.score.scores, language),
    )
    return words if late.sure else _("%(words)s Waymark is not sure of it.", words=words)


def score_words(rules: Rules, scores: Mapping[str, Any], language: Language) -> str:
    """Boxes of a round in words: points and counts first, then ticks."""
    ruled = ruled_columns(rules)
    words = [
        f"{_short_name(column).message(language)} {'–' if scores[column.id] is None else scores[column.id]}"
        for column in ruled
        if column.kind != "tick"
    ]
    words += [
        column.ticks[0 if scores[column.id] else 1].message(language)
        for column in ruled
        if column.kind == "tick"
    ]
    return say(language, "list.comma").join(words)


def _short_name(column: Column) -> Text:
    return column.short if column.short.en else column.label


def held_words(rules: Rules, entry: EntryView, language: Language) -> str:
    """Words for means that are held but were not bought."""
    kinds = Counter(rules.words.vocabulary.name(each.what).message(language) for each in entry.unpaid)
    return say(language, "list.comma").join(
        what if count == 1 else f"{what} × {count}" for what, count in kinds.items()
    )


def _short(name: str) -> str:
    return name if len(name) <= SHORT_NAME else name[: SHORT_NAME - 1] + "…"
