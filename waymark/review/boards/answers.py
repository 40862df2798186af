"""JSON answers for board readings and turns, in the form of the commands (docs/FORMATS.md, section 7)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from scorer.text import Language
from waymark.review.boards.assess import BoardAssessment, TurnAssessment
from waymark.review.boards.question import BoardQuestion
from waymark.review.boards.questions import to_be_looked_over
from waymark.review.boards.records import board_json


def board_scan_json(now: BoardAssessment, language: Language = "en") -> dict[str, Any]:
    """A board's scan as JSON-ready data, in the form of the commands' answers (docs/FORMATS.md, section
    7)."""
    scan = now.scan
    cards: list[dict[str, Any]] = [
        {
            "card": tile.tile,
            "rotation": tile.rotation,
            "corners": tile.corners,
            "confidence": round(tile.confidence, 3),
            "cell": tile.cell,
        }
        for tile in scan.tiles
    ]
    if scan.spare is not None:
        cards.append(
            {
                "card": scan.spare.tile,
                "rotation": scan.spare.rotation,
                "corners": scan.spare.corners,
                "confidence": scan.spare.confidence,
            }
        )
    for piece in scan.pieces:
        told = {"card": piece.piece, "at_px": piece.at_px, "confidence": piece.confidence, "cell": piece.cell}
        cards.append(told | ({} if piece.facing is None else {"facing": piece.facing}))
    owners = {player.seat: player.name for player in now.board.players if player.seat is not None}
    for held in scan.held:
        told = {"card": held.piece, "at_px": held.at_px, "confidence": held.confidence, "seat": held.seat}
        cards.append(told | ({"owner": owners[held.seat]} if held.seat in owners else {}))
    return {
        "format": "waymark-scan/1",
        "photo": {
            "width": scan.width,
            "height": scan.height,
            "warnings": [warning.message(language) for warning in scan.warnings],
        },
        "board": board_json(now.board),
        "cards": cards,
        "grid_px": scan.grid_px,
        "questions": [question_json(each, language) for each in now.questions],
        "sure": now.sure,
        "timings_ms": dict(now.timings_ms),
    }


def question_json(question: BoardQuestion, language: Language = "en") -> dict[str, Any]:
    return {
        "about": question.about,
        "place": "" if question.cell is None else f"{question.cell[0]},{question.cell[1]}",
        "cell": question.cell,
        "options": [option.words.message(language) for option in question.options],
        "reason": question.reason.message(language),
        "reason_en": question.reason.en,
        "reason_ja": question.reason.ja,
        "name": question.name,
        "crop_px": question.crop_px,
    } | {
        name: value
        for name, value in (("on", question.on), ("cells", [cell for _, cell in question.covers]))
        if value
    }


def board_answer(now: BoardAssessment, language: Language = "en") -> dict[str, Any]:
    """Scan and ruling of a board as JSON-ready data, in the form of the commands' answers."""
    return {"scan": board_scan_json(now, language), "ruling": msgspec.to_builtins(now.ruling)}


def turn_answer(now: TurnAssessment, language: Language = "en") -> dict[str, Any]:
    """Both scans, the turn between them and its ruling, as JSON-ready data. Of the questions, each scan has
    those that the turn depends on."""
    boards = zip((now.before, now.after), now.asked, strict=True)
    return {
        "scans": [board_scan_json(_asking(each, asked), language) for each, asked in boards],
        "turn": now.turn,
        "ruling": msgspec.to_builtins(now.ruling),
        "sure": now.sure,
    }


def _asking(now: BoardAssessment, asked: tuple[BoardQuestion, ...]) -> BoardAssessment:
    """The board with these questions alone, and the one that asks to look over it."""
    last = [each for each in now.questions if each.name == to_be_looked_over().name]
    return replace(now, questions=(*asked, *last))
