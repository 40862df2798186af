"""Questions about a board photo for its page: with pictures, in the photo's orientation."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence

import msgspec
import numpy as np
from flask_babel import gettext as _

from scorer.board_record import Cell
from scorer.catalogue import Catalogue
from scorer.text import Language
from scorer.told_apart import told_apart
from vision.boards.seen import SIDES, BoardScan
from waymark.review.boards.question import LIES, LOOKS, BoardOption, BoardQuestion, degrees
from webapp.tableaus.board_model import AskedOption, AskedPiece, BoardAsked
from webapp.views import view


def asked_in_photo(
    questions: Sequence[BoardQuestion],
    scan: BoardScan,
    catalogue: Catalogue,
    called: Callable[[str], str],
    language: Language,
    needed: Collection[str] | None = None,
) -> tuple[BoardAsked, ...]:
    """The questions about a photo, for its page; `called` maps pieces to their names. Those that are
    `needed` (names; None: all) come first."""
    quarters = quarters_in_photo(scan)
    first = [each for each in questions if needed is None or each.name in needed]
    rest = [each for each in questions if each not in first]
    return tuple(
        view(
            BoardAsked,
            question,
            needed=question in first,
            words=question.reason.message(language),
            cell=question.cell if question.on is None else None,
            options=_options(question, quarters, catalogue, called, language),
            places=tuple(cell for _, cell in question.covers if question.put is None),
            pieces=tuple(
                AskedPiece(art=name, name=called(name)) for name in question.pieces if name in catalogue.by_id
            ),
        )
        for question in (*first, *rest)
    )


def quarters_in_photo(scan: BoardScan) -> int:
    """Clockwise rotation of the board in its photo, in quarter turns."""
    corners = np.array(scan.grid_px, np.float64)
    up = (corners[0] + corners[1] - corners[2] - corners[3]) / 2
    return round(math.degrees(math.atan2(up[0], -up[1])) / 90) % 4


def _options(
    question: BoardQuestion,
    quarters: int,
    catalogue: Catalogue,
    called: Callable[[str], str],
    language: Language,
) -> tuple[AskedOption, ...]:
    """The answers of a question as they appear in the photo: cells by letters, rotations and sides as
    photographed."""
    cells = list(dict.fromkeys(each.cell for each in question.options if each.cell is not None))
    made = [
        _option(question, option, cells, quarters, catalogue, called, language) for option in question.options
    ]
    apart = [(f"{each.rotation}°", each.art or "") for each in made]
    words = told_apart([each.words for each in made], apart)
    return tuple(msgspec.structs.replace(each, words=told) for each, told in zip(made, words, strict=True))


def _option(
    question: BoardQuestion,
    option: BoardOption,
    cells: Sequence[Cell],
    quarters: int,
    catalogue: Catalogue,
    called: Callable[[str], str],
    language: Language,
) -> AskedOption:
    tile = None if question.cell is None else option.board.at(question.cell)
    turned = (((tile.rotation or 0) if tile is not None else 0) + 90 * quarters) % 360
    if option.cell is not None:
        mark = chr(ord("A") + cells.index(option.cell))
        if option.leaves_open:
            words = _("Probably the place marked %(mark)s", mark=mark)
            return AskedOption(words=words, art=None, rotation=0)
        guessed = any(each.leaves_open and each.cell == option.cell for each in question.options)
        words = (
            _("Certainly the place marked %(mark)s", mark=mark)
            if guessed
            else _("The place marked %(mark)s", mark=mark)
        )
        return AskedOption(words=words, art=None, rotation=0, cell=option.cell, mark=mark)
    if option.side is not None:
        side = SIDES[(SIDES.index(option.side) + quarters) % 4]
        sides = LOOKS if question.kind == "facing" else LIES
        return AskedOption(words=sides[side].message(language), art=None, rotation=0)
    if option.piece is not None and option.piece in catalogue.by_id:
        lies = tile is not None and tile.tile == option.piece
        return AskedOption(words=called(option.piece), art=option.piece, rotation=turned if lies else 0)
    if question.about in ("rotation", "tile") and option.turned and tile is not None:
        return AskedOption(words=degrees(turned).message(language), art=tile.tile, rotation=turned)
    empty = not (option.leaves_open or option.piece or option.turned)
    return AskedOption(words=option.words.message(language), art=None, rotation=0, empty=empty)
