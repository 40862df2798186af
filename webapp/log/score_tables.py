"""Scores as a table for spreadsheets, and in the form waymark-game/1."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from webapp.games.score_sheet import to_game_record
from webapp.games.view import EntryView, GameView, RoundView
from webapp.store.models import Game

#: Tells Excel that the file is UTF-8.
BYTE_ORDER_MARK = "\ufeff"
COLUMNS = (
    "game_id",
    "date",
    "title",
    "location",
    "round",
    "primary_objective",
    "secondary_objective",
    "hourglass",
    "player",
    "colour",
    "seat",
    "primary_vp",
    "secondary_vp",
    "time_bonus_vp",
    "escaped",
    "coins_received",
    "coins_spent",
    "coins_after",
    "written_by_hand",
    "game_total",
    "game_rank",
)
#: A cell that begins so is a formula to spreadsheets (full-width forms to some in Japanese).
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'")


def rounds_csv(games: Iterable[GameView]) -> Iterator[str]:
    """One row for each player's round of each game: what is not written down yet is empty."""
    yield BYTE_ORDER_MARK + csv_line(COLUMNS)
    for view in games:
        totals = {seat.id: player for seat, player in zip(view.seats, view.standing.players, strict=True)}
        for round_ in view.rounds:
            for seat_number, entry in enumerate(round_.entries, 1):
                player = totals[entry.seat_id]
                row = _row(view, round_, entry, seat_number)
                yield csv_line((*row, player.total, player.rank))


def _row(game: GameView, round_: RoundView, entry: EntryView, seat_number: int) -> tuple[object, ...]:
    seat = game.seats[seat_number - 1]
    bonus = game.settings["time_bonus_vp"] if entry.time_bonus else 0
    return (
        game.id,
        game.created_at.astimezone().date().isoformat(),
        game.title,
        game.location,
        round_.number,
        round_.primary,
        round_.secondary,
        _yes(round_.hourglass),
        seat.name,
        seat.colour,
        seat_number,
        entry.primary_vp,
        entry.secondary_vp,
        bonus,
        _yes(entry.escaped),
        entry.coins_received,
        entry.coins_spent,
        entry.coins_after,
        _yes(entry.typed),
    )


def _yes(value: bool | None) -> str | None:
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
    record: dict[str, Any] = msgspec.to_builtins(to_game_record(game))
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
    for number, game in enumerate(games):
        yield (b",\n" if number else b"\n") + msgspec.json.encode(game_json(game))
    yield b"\n]\n"
