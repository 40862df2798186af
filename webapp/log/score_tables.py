"""Scores as a table for spreadsheets, and in the form waymark-game/1."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from scorer.game import Game as Rules
from scorer.sheet import Column
from webapp.games.score_sheet import (
    entry_at,
    game_state,
    has_result,
    live_purchases,
    standing,
    to_game_record,
    transcript,
)
from webapp.store.boxes import boxes_of, with_usual
from webapp.store.models import Entry, Game, GameRound, Seat

#: Tells Excel that the file is UTF-8.
BYTE_ORDER_MARK = "\ufeff"
#: First characters by which spreadsheets recognise a formula (full-width ones in some Japanese versions).
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'")


def columns_of(kinds: Sequence[Rules]) -> tuple[str, ...]:
    """Column names of the score table for these rules: objectives and boxes of the rounds."""
    objectives = [
        f"{term.id}_objective"
        for rules in kinds
        for term in rules.rules.settings.terms
        if term.group == "objective"
    ]
    glass = ["hourglass"] if any(column.once for rules in kinds for column in rules.sheet.columns) else []
    boxes = [_name(column) for rules in kinds for column in rules.sheet.columns]
    books = ["coins_spent", "coins_after"] if any(rules.play.market is not None for rules in kinds) else []
    told = ("game_id", "date", "title", "location", "round", *objectives, *glass)
    ended = ("written_by_hand", "game_total", "game_rank", "game_state")
    written = ("player", "colour", "seat", *boxes, *books, *ended)
    return tuple(dict.fromkeys((*told, *written)))


def _name(column: Column) -> str:
    return f"{column.id}_vp" if column.kind == "points" or column.once else column.id


def rounds_csv(games: Iterable[Game], kinds: Sequence[Rules]) -> Iterator[str]:
    """CSV with one row for each player's round of each game, game by game. Values not entered yet are empty,
    and so is the rank while a game has no result. The columns are those of all games of these `kinds`."""
    columns = columns_of(kinds)
    yield BYTE_ORDER_MARK + csv_line(columns)
    for game in games:
        told = transcript(game)
        totals = standing(told).players
        market = told.rules.play.market
        held = [market.coins(player.rows) if market is not None else () for player in told.played]
        for round_ in game.rounds:
            for place, seat in enumerate(game.seats):
                row = _row(told.rules, round_, entry_at(round_, seat.id), seat)
                if market is not None:
                    row["coins_after"] = held[place][round_.number]
                rank = totals[place].rank if has_result(game) else None
                total = totals[place].total if told.rounds else None
                row |= {"game_state": game_state(game), "game_total": total, "game_rank": rank}
                yield csv_line(row.get(column) for column in columns)


def _row(rules: Rules, round_: GameRound, entry: Entry, seat: Seat) -> dict[str, object]:
    game, written = round_.game, boxes_of(entry)
    house = with_usual(rules, game.settings, "house")
    boxes: dict[str, object] = {}
    for column in rules.sheet.columns:
        value = entry.time_bonus if column.once else written.get(column.id)
        if column.once:
            boxes[_name(column)] = house.get(column.worth, 1) if value else 0
        else:
            boxes[_name(column)] = _yes(value) if column.kind == "tick" else value
    asked = with_usual(rules, round_.terms, "objective")
    return {
        "game_id": game.id,
        "date": game.created_at.astimezone().date().isoformat(),
        "title": game.title,
        "location": game.location,
        "round": round_.number,
        **{f"{term}_objective": objective for term, objective in asked.items()},
        "hourglass": _yes(round_.hourglass),
        "player": seat.name,
        "colour": seat.colour,
        "seat": seat.position + 1,
        **boxes,
        "coins_spent": sum(purchase.coins for purchase in live_purchases(entry)),
        "written_by_hand": _yes(entry.typed),
    }


def _yes(value: object) -> str | None:
    return None if value is None else ("yes" if value else "no")


def csv_line(cells: Iterable[object]) -> str:
    """One line of CSV (RFC 4180). A text that a spreadsheet would treat as a formula is prefixed with an
    apostrophe."""
    out = io.StringIO()
    csv.writer(out).writerow([_guarded(cell) for cell in cells])
    return out.getvalue()


def _guarded(cell: object) -> object:
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return "'" + cell
    return cell


def game_json(game: Game) -> dict[str, Any]:
    """A game as waymark-game/1, with its time, place and house rules."""
    record: dict[str, Any] = msgspec.to_builtins(to_game_record(transcript(game)))
    return {
        **record,
        "id": game.id,
        "played_at": game.created_at.isoformat(),
        "finished_at": game.finished_at.isoformat() if game.finished_at is not None else None,
        "state": game_state(game),
        "incomplete": not has_result(game),
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
