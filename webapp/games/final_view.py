"""The end of a game as pages, pictures and other programs show it: every column of every player, what it
comes from, and how the win was decided, in words."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

import msgspec
from flask_babel import gettext as _

from scorer.mapmasters.score_sheet import ROUNDS, DecidedBy, escape_bonuses, shown_final
from scorer.mapmasters.settings import VersusSettings
from scorer.text import Language
from waymark.phrases import find_name, say
from webapp.games.view import EntryView, GameView, LateReading, RuledScore

#: Longer names are cut where they only say whom a sentence is about.
SHORT_NAME = 40


class FinalRow(msgspec.Struct, frozen=True, kw_only=True):
    """A player's columns; `seat_number` counts from 1. `secondary` is halved, `secondary_whole` is what was
    written; `escapes` are ticked boxes, `coins_left` coins (below 0: the books are wrong, no coin counts)."""

    seat_id: str
    seat_number: int
    person_id: str
    name: str
    colour: str
    primary: int
    secondary_whole: int
    secondary: int
    time_bonus: int
    escapes: int
    escape_bonus: int
    escape_why: str
    coins_left: int
    coins: int
    total: int
    rank: int


class OpenPoint(msgspec.Struct, frozen=True, kw_only=True):
    """What may still change the score, in words, and where that is settled: a photo's tableau, or else a
    round."""

    words: str
    round: int
    tableau_id: str | None = None


class FinalView(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a game, or how it stands: `complete` when six rounds are written down for everybody.
    `rounds_played` is the last round in which anything is, `rounds_written` are all of these, `rounds_whole`
    those that are written down for everybody; `gaps` says that some are not, so that nobody is crowned.
    `settled`: complete, with nothing open or ended as it stands: only then has anybody won. Rows are in the
    order of rank; `verdict` says who won and why, `doubts` what may still change it;
    `first_seat_id` began the first round."""

    id: str
    version: int
    title: str
    location: str
    notes: str
    created_at: datetime
    finished_at: datetime | None
    complete: bool
    rounds_played: int
    rounds_written: int
    rounds_whole: int
    gaps: bool
    settled: bool
    first_seat_id: str
    decided_by: DecidedBy
    winners: list[str]
    verdict: str
    doubts: list[str]
    rows: list[FinalRow]


def final_view(game: GameView, language: Language) -> FinalView:
    """The game's end from its view, in the reader's language."""
    entries = [entry for round_ in game.rounds for entry in round_.entries]
    played = [round_ for round_ in game.rounds if round_.number <= game.rounds_played]
    by_seat = {
        seat.id: [entry for round_ in played for entry in round_.entries if entry.seat_id == seat.id]
        for seat in game.seats
    }
    boxes = [sum(bool(entry.escaped) for entry in by_seat[seat.id]) for seat in game.seats]
    bonuses = escape_bonuses(boxes, VersusSettings(**game.settings))
    rows = [
        FinalRow(
            seat_id=seat.id,
            seat_number=number,
            person_id=seat.person_id,
            name=seat.name,
            colour=seat.colour,
            primary=player.primary,
            secondary_whole=sum(entry.secondary_vp or 0 for entry in by_seat[seat.id]),
            secondary=player.secondary,
            time_bonus=player.time_bonus,
            escapes=escapes,
            escape_bonus=player.escape_bonus,
            escape_why=_escape_why(escapes, bonus),
            coins_left=game.coins[seat.id],
            coins=player.coins,
            total=player.total,
            rank=player.rank,
        )
        for number, (seat, player, escapes, bonus) in enumerate(
            zip(game.seats, game.standing.players, boxes, bonuses, strict=True), 1
        )
    ]
    complete = game.rounds_played == ROUNDS and all(entry.scored for entry in entries)
    open_here = open_points(game, language)
    settled = complete and (not open_here or game.finished_at is not None)
    return FinalView(
        id=game.id,
        version=game.version,
        title=game.title,
        location=game.location,
        notes=game.notes,
        created_at=game.created_at,
        finished_at=game.finished_at,
        complete=complete,
        rounds_played=game.rounds_played,
        rounds_written=sum(any(map(_is_written, round_.entries)) for round_ in game.rounds),
        rounds_whole=sum(all(entry.scored for entry in round_.entries) for round_ in game.rounds),
        gaps=game.gaps,
        settled=settled,
        first_seat_id=game.rounds[0].market_order[0],
        decided_by=game.standing.decided_by,
        winners=list(game.standing.winners) if game.rounds_played else [],
        verdict=_verdict(game, rows, settled, language),
        doubts=[point.words for point in open_here],
        rows=sorted(rows, key=lambda row: row.rank),
    )


def _is_written(entry: EntryView) -> bool:
    """Whether the score board has anything of a player's round."""
    return entry.time_bonus or (entry.primary_vp, entry.secondary_vp, entry.escaped) != (None, None, None)


def _escape_why(escapes: int, bonus: int) -> str:
    if bonus == 2:
        return _("most escapes")
    if bonus == 1:
        return _("second most escapes")
    return _("no escape") if escapes == 0 else _("fewer escapes")


def _verdict(game: GameView, rows: list[FinalRow], settled: bool, language: Language) -> str:
    if not game.rounds_played:
        return _("No round is written down yet.")
    who = say(language, "list.comma").join(game.standing.winners)
    if game.gaps:
        most = max(row.total for row in rows)
        return _("So far %(name)s: %(total)s VP, but not every round is written down.", name=who, total=most)
    final = shown_final(game.standing)
    return (final.won if settled else final.leads).message(language)


def open_points(game: GameView, language: Language) -> list[OpenPoint]:
    """What may still change the score, said plainly, in the order of the rounds."""
    names = {seat.id: _short(seat.name) for seat in game.seats}
    points = []
    for round_ in game.rounds:
        not_chosen = round_.hourglass and round_.time_bonus_seat is None and not round_.nobody_first
        if not_chosen and any(map(_is_written, round_.entries)):
            words = _("Round %(number)s: who was first to finish is not chosen yet.", number=round_.number)
            points.append(OpenPoint(words=words, round=round_.number))
        for entry in round_.entries:
            points += _open_in_entry(game, entry, names[entry.seat_id], language)
    for seat in game.seats:
        if game.coins[seat.id] < 0:
            words = _("%(name)s spent more coins than there were, so no coin counts.", name=names[seat.id])
            entries = [entry for round_ in game.rounds for entry in round_.entries]
            short = [each for each in entries if each.seat_id == seat.id and each.coins_after < 0]
            points.append(OpenPoint(words=words, round=short[0].round))
    return points


def _open_in_entry(game: GameView, entry: EntryView, name: str, language: Language) -> list[OpenPoint]:
    values = {"name": name, "number": entry.round}
    points = []
    if entry.state == "questions" and not entry.typed:
        words = (
            _("%(name)s, round %(number)s: there is a gap in the path.", **values)
            if entry.parted
            else _("%(name)s, round %(number)s: Waymark is not sure of the reading.", **values)
        )
        points.append(OpenPoint(words=words, round=entry.round, tableau_id=entry.tableau_id))
    elif entry.state == "reading" and not entry.typed:
        words = _("%(name)s, round %(number)s: the photo is still being read.", **values)
        points.append(OpenPoint(words=words, round=entry.round, tableau_id=entry.tableau_id))
    elif not entry.scored and entry.round <= game.rounds_played:
        words = _("%(name)s, round %(number)s: something is not written down.", **values)
        points.append(OpenPoint(words=words, round=entry.round))
    if entry.late is not None:
        words = late_words(entry.late, name, entry.round)
        points.append(OpenPoint(words=words, round=entry.round, tableau_id=entry.tableau_id))
    if entry.unpaid:
        what = held_words(entry, language)
        words = _("%(name)s, round %(number)s: %(what)s held but not bought.", **values, what=what)
        points.append(OpenPoint(words=words, round=entry.round))
    return points


def late_words(late: LateReading, name: str, number: int) -> str:
    """What a photo says that waits beside the score, and of whose round."""
    words = _(
        "%(name)s, round %(number)s: a photo says otherwise: %(score)s.",
        name=_short(name),
        number=number,
        score=score_words(late.score),
    )
    return words if late.sure else _("%(words)s Waymark is not sure of it.", words=words)


def score_words(score: RuledScore | EntryView) -> str:
    """A round's score in words."""
    values = {
        "primary": "–" if score.primary_vp is None else score.primary_vp,
        "secondary": "–" if score.secondary_vp is None else score.secondary_vp,
        "coins": score.coins_received,
    }
    if score.escaped:
        return _("primary %(primary)s, secondary %(secondary)s, coins %(coins)s, escaped", **values)
    return _("primary %(primary)s, secondary %(secondary)s, coins %(coins)s, not escaped", **values)


def held_words(entry: EntryView, language: Language) -> str:
    """What is held without having been bought, in words."""
    kinds = Counter(
        find_name(language, each.what) if each.kind == "fairy" else each.what for each in entry.unpaid
    )
    return say(language, "list.comma").join(
        what if count == 1 else f"{what} × {count}" for what, count in kinds.items()
    )


def _short(name: str) -> str:
    return name if len(name) <= SHORT_NAME else name[: SHORT_NAME - 1] + "…"
