"""A table of groups as the commands answer it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from scorer.text import Language
from waymark.review.groups.assessment import GroupAssessment


def groups_json(now: GroupAssessment, language: Language = "en") -> dict[str, Any]:
    """Scan and ruling as the commands answer them (docs/FORMATS.md)."""
    questions = []
    for question in now.questions:
        told = msgspec.to_builtins(replace(question, alternatives=()))
        del told["alternatives"], told["behind"]
        told["reason"] = told["reason_ja" if language == "ja" else "reason_en"]
        told["options"] = [option.words.message(language) for option in now.offered[question.name]]
        questions.append(told)
    scan = {
        "format": "waymark-scan/1",
        "photo": {
            "width": now.scan.photo.width,
            "height": now.scan.photo.height,
            "number": now.scan.photos[0],
            "shown_by": now.scan.photos,
            "warnings": [warning.message(language) for warning in now.scan.photo.warnings],
        },
        "tableau": msgspec.to_builtins(now.record),
        "cards": [
            {"card": None, "confidence": 0.0} if card is None else msgspec.to_builtins(card)
            for card in now.cards
        ],
        "path_px": now.lines,
        "inks": [
            {"group": owner, "rgb": line.rgb, "strokes": len(line.path)}
            for owner, line in zip(now.owners, now.scan.lines, strict=True)
        ],
        "questions": questions,
        "sure": now.sure,
        "timings_ms": dict(now.timings_ms),
    }
    if now.game.notation is not None:
        scan["notation"] = now.game.notation.write(now.record)
    return {"scan": scan, "ruling": msgspec.to_builtins(now.ruling)}
