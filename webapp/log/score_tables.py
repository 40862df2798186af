"""Scores as a table for spreadsheets, and in the form waymark-game/1."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from scorer.game import Column
from scorer.game import Game as Rules
from scorer.games import game_named
from webapp.games.score_sheet import to_game_record, transcript
from webapp.games.view import EntryView, GameView, RoundView
from webapp.store.damage import each_readable
from webapp.store.models import Game

#: Tells Excel that the file is UTF-8.
BYTE_ORDER_MARK = "\ufeff"
#: A cell that begins so is a formula to spreadsheets (full-width forms to some in Japanese).
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'")


def columns_of(kinds: Sequence[Rules]) -> tuple[str, ...]:
    """The columns of the table of these games: what their rounds ask for, what stands in their boxes."""
    objectives = [
        f"{term.id}_objective" for rules in kinds for term in rules.terms if term.group == "objective"
    ]
    glass = ["hourglass"] if any(column.once for rules in kinds for column in rules.sheet.columns) else []
    boxes = [_name(column) for rules in kinds for column in rules.sheet.columns]
    books = ["coins_spent", "coins_after"] if any(rules.market is not None for rules in kinds) else []
    told = ("game_id", "date", "title", "location", "round", *objectives, *glass)
    written = ("player", "colour", "seat", *boxes, *books, "written_by_hand", "game_total", "game_rank")
    return tuple(dict.fromkeys((*told, *written)))


def _name(column: Column) -> str:
    return f"{column.id}_vp" if column.kind == "points" or column.once else column.id


def rounds_csv(games: Sequence[GameView], usual: Rules) -> Iterator[str]:
    """One row for each player's round of each game: what is not written down yet is empty. Where nothing was
    played, the columns are those of the `usual` game."""
    kinds = [game_named(word) for word in dict.fromkeys(view.game for view in games)] or [usual]
    columns = columns_of(kinds)
    yield BYTE_ORDER_MARK + csv_line(columns)
    for view in games:
        rules = game_named(view.game)
        totals = {seat.id: player for seat, player in zip(view.seats, view.score.players, strict=True)}
        for round_ in view.rounds:
            for seat_number, entry in enumerate(round_.entries, 1):
                player = totals[entry.seat_id]
                row = _row(rules, view, round_, entry, seat_number)
                row |= {"game_total": player.total, "game_rank": player.rank}
                yield csv_line(row.get(column) for column in columns)


def _row(
    rules: Rules, game: GameView, round_: RoundView, entry: EntryView, seat_number: int
) -> dict[str, object]:
    seat = game.seats[seat_number - 1]
    boxes: dict[str, object] = {}
    for column in rules.sheet.columns:
        value = entry.time_bonus if column.once else entry.scores.get(column.id)
        if column.once:
            boxes[_name(column)] = game.settings.get(column.worth, 1) if value else 0
        else:
            boxes[_name(column)] = _yes(value) if column.kind == "tick" else value
    return {
        "game_id": game.id,
        "date": game.created_at.astimezone().date().isoformat(),
        "title": game.title,
        "location": game.location,
        "round": round_.number,
        **{f"{term}_objective": objective for term, objective in round_.terms.items()},
        "hourglass": _yes(round_.hourglass),
        "player": seat.name,
        "colour": seat.colour,
        "seat": seat_number,
        **boxes,
        "coins_spent": entry.coins_spent,
        "coins_after": entry.coins_after,
        "written_by_hand": _yes(entry.typed),
    }


def _yes(value: object) -> str | None:
    return None if value is None else ("yes" if value else "no")


def csv_line(cells: Iterable[object]) -> str:
    """One line of CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe in
    front."""
    out = io.StringIO()
    csv.writer(out).writerow([_guarded(cell) for cell in cells])
    return out.getvalue()


def _guarded(cell: object) -> object:
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return "'" + cell
    return cell


def game_json(game: Game) -> dict[str, Any]:
    """A game as waymark-game/1, with when, where and by which house rules it was played."""
    record: dict[str, Any] = msgspec.to_builtins(to_game_record(transcript(game)))
    return {
        **record,
        "id": game.id,
        "played_at": game.created_at.isoformat(),
        "finished_at": game.finished_at.isoformat() if game.finished_at is not None else None,
        "title": game.title,
        "location": game.location,
        "notes": game.notes,
        "settings": game.settings,
    }


def games_json(games: Iterable[Game]) -> Iterator[bytes]:
    """A list of games as JSON, game by game."""
    yield b"["
    for number, record in enumerate(each_readable(games, game_json)):
        yield (b",\n" if number else b"\n") + msgspec.json.encode(record)
    yield b"\n]\n"
