"""Questions about a board that a manual correction also settles: those about exactly the corrected item."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.board_edits import Edit, Hold, PutPiece, PutSpare, PutTile, TellPlayer, WholeRecord, cells_of
from scorer.catalogue import Catalogue
from waymark.review.boards.question import BROKEN_RULE, BoardQuestion


def is_looked_at(question: BoardQuestion, edits: Sequence[Edit], catalogue: Catalogue) -> bool:
    """Whether a correction changed the very item that a question is about, rather than another item in
    its cell. Broken rules are not settled this way, as the next ruling reports them again."""
    if question.kind == BROKEN_RULE:
        return True
    for edit in edits:
        match edit:
            case WholeRecord():
                return True
            case PutTile() if question.about in ("tile", "rotation") and question.cell == edit.cell:
                return True
            case PutSpare() if question.about == "spare":
                return True
            case PutPiece() if question.on == edit.on and _is_about(question, edit, catalogue):
                return True
            case Hold() | TellPlayer() if question.about == "held" and question.player == edit.player:
                return True
            case _:
                pass
    return False


def _is_about(question: BoardQuestion, edit: PutPiece, catalogue: Catalogue) -> bool:
    """Whether a question is about a piece that a correction set. It is about that piece itself, or about
    a cell where a piece of the same form was set or removed."""
    if question.put == edit.piece:
        return True
    if question.about not in ("piece", "facing", "place", "token") or question.cell not in cells_of(edit):
        return False
    form = catalogue.card(edit.piece).shape
    return edit.piece in question.pieces or any(
        catalogue.card(name).shape == form for name in question.pieces
    )
