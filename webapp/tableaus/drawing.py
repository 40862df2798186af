"""The drawing of a reading as SVG for pages, in photo pixels: the same signs as on pictures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import groupby

import numpy as np
from flask_babel import gettext as _

from scorer.text import Language
from waymark.phrases import say
from waymark.picture.annotations import Annotations, CardLabel, EndState, FindMark, PathPiece
from waymark.picture.canvas import GREY, Canvas, Colour
from waymark.picture.signs import draw_signs, path_colour
from webapp.tableaus.reading_model import ReviewCard, ReviewEnd, ReviewFind, ReviewPiece

_ENDS: dict[str, EndState] = {"exit": "exit", "violation": "violation"}


def drawing_of(
    size: tuple[int, int],
    cards: Sequence[ReviewCard],
    pieces: Sequence[ReviewPiece],
    finds: Sequence[ReviewFind],
    end: ReviewEnd,
    px_per_mm: float,
    language: Language,
) -> str:
    """SVG elements over a photo of `size` (width, height): cards, path, finds, ends, and their labels."""
    lines = [
        ([_piece(piece) for piece in own], colour)
        for colour, own in groupby(pieces, key=lambda piece: piece.colour or None)
    ]
    starts = [piece.line_px[0] for own, _colour in lines[:1] for piece in own[:1]]
    notes = Annotations(
        cards=tuple(CardLabel(np.array(card.corners), card.card) for card in cards),
        pieces=tuple(piece for own, _colour in lines for piece in own),
        finds=tuple(_find(find, language) for find in finds),
        questions=(),
        start_px=starts[0] if starts else None,
        end_px=np.array(end.at) if end.at is not None else None,
        end=_ENDS.get(end.how, "stopped"),
        why="",
        told=(),
        px_per_mm=px_per_mm,
    )
    canvas = Canvas(size, language)
    draw_signs(
        canvas,
        notes,
        lines=[
            (own, path_colour if colour is None else partial(_in_ink, _rgb(colour))) for own, colour in lines
        ],
    )
    return canvas.fragment()


def _piece(piece: ReviewPiece) -> PathPiece:
    return PathPiece(
        line_px=np.array(piece.line),
        underground=piece.underground,
        jump=piece.jump,
        counted=piece.counted,
        order=piece.order,
        number=piece.number or 0,
    )


def _find(find: ReviewFind, language: Language) -> FindMark:
    name = find.name
    if find.value > 1:
        name = _("%(name)s, worth %(value)s", name=find.name, value=find.value)
    title = f"{name}: {say(language, f'overlay.{find.state}')}"
    return FindMark(np.array(find.at), find.find, find.state, find.number, find.place, title)


def _rgb(colour: str) -> Colour:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def _in_ink(ink: Colour, piece: PathPiece) -> Colour:
    return ink if piece.counted else GREY
