"""API of boards: state, stated and photographed turns, questions, corrections, disputes."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from scorer.board_record import board_told
from webapp.disputes.shared_claims import NewBoardClaim, accept_board_claim, add_board_claim
from webapp.http.api.endpoint import Looked, Version, endpoint
from webapp.http.api.review import Action, actions, claims
from webapp.http.languages import current_language
from webapp.http.services import read_session, services
from webapp.store.boards import BoardStanding, board_rules, board_standing
from webapp.store.database import get_row, not_found
from webapp.store.models import Tableau
from webapp.tableaus import boards
from webapp.tableaus.board_model import BestMove, BoardView, TurnTrial
from webapp.tableaus.board_view import trial_of, view_of_board
from webapp.tableaus.kinds import redo, undo

Steps = Annotated[tuple[dict[str, Any], ...], msgspec.Meta(max_length=200)]


class ToldTurn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A turn of the player to move, step by step: `do` and the fields of the forms (docs/FORMATS.md, section
    7)."""

    version: Version
    steps: Steps = ()


class TakenPhoto(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Acceptance of a photo: it shows the board after a `turn` of the player to move, or only the state of
    the board. `steps` state facts that no photo shows (dice)."""

    version: Version
    turn: bool
    steps: Steps = ()


class GivenAnswer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The number of the answer to a question about a photo; 0 keeps the reading."""

    version: Version
    question: Annotated[str, msgspec.Meta(max_length=300)]
    option: Annotated[int, msgspec.Meta(ge=0)]


class PutRight(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One correction of the board: `change` as in docs/FORMATS.md, section 7."""

    version: Version
    change: dict[str, Any]


class Ended(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether the game is over, with everything counted in its current place."""

    version: Version
    ended: bool


@endpoint("GET", "/tableaus/<tableau_id>/board")
def read_board(tableau_id: str) -> BoardView:
    """A board as it stands: what lies where, what players have, a photo that waits, turns."""
    session = read_session()
    tableau = get_row(session, Tableau, tableau_id)
    told = view_of_board(session, services().catalogue, tableau, current_language())
    if told is None:
        raise not_found()
    return told


@endpoint("GET", "/tableaus/<tableau_id>/board/record")
def read_board_record(tableau_id: str) -> dict[str, Any]:
    """The board as a record (waymark-board/1)."""
    standing = _standing(tableau_id)
    return board_told(standing.board)


@endpoint("GET", "/tableaus/<tableau_id>/board/best")
def read_best_move(tableau_id: str) -> BestMove:
    """What the player to move could do best, for those who ask."""
    standing = _standing(tableau_id)
    told = standing.rules.play.forms.best(standing.catalogue, standing.counts, standing.terms)
    return BestMove(words=None if told is None else told.message(current_language()))


@endpoint("POST", "/tableaus/<tableau_id>/board/try")
def try_turn(tableau_id: str, body: ToldTurn) -> TurnTrial:
    """What a turn comes to as far as it was told, and what can be told next; nothing is kept."""
    session, catalogue = read_session(), services().catalogue
    tableau = get_row(session, Tableau, tableau_id)
    stated = boards.claims_of(tableau, body.steps)
    standing = boards.looked_at_board(session, catalogue, tableau, body.version, stated)
    return trial_of(standing, tableau, body.steps, current_language())


actions(
    read_board,
    board_rules,
    Action(
        "tell_turn",
        "/board/turn",
        ToldTurn,
        boards.tell_turn,
        "Take a turn that was told; it stands if it goes by the rules.",
    ),
    Action(
        "take_photo",
        "/board/photo",
        TakenPhoto,
        boards.take_photo_over,
        "Take a photo over: as a turn, or as how the board stands.",
    ),
    Action(
        "leave_photo",
        "/board/leave",
        Looked,
        boards.leave_photo,
        "Leave the photo that waits: the board stands as before it.",
    ),
    Action(
        "answer_board",
        "/board/answers",
        GivenAnswer,
        boards.answer_board,
        "Settle a question about the photo that waits.",
    ),
    Action(
        "put_right",
        "/board/changes",
        PutRight,
        boards.put_right,
        "Put one thing of a board right: a tile, its turn, a piece, what somebody has.",
    ),
    Action("deal", "/board/deal", Looked, boards.deal, "Have what chance lays out dealt by Waymark."),
    Action(
        "end_board",
        "/board/end",
        Ended,
        boards.end_board,
        "Say that the game is over and everything counts as it lies, or that it goes on.",
    ),
    Action(
        "undo_board", "/board/undo", Looked, undo, "Take the latest change of a board back, and so on back."
    ),
    Action(
        "redo_board",
        "/board/redo",
        Looked,
        redo,
        "Make the change of a board again that was taken back last.",
    ),
)


claims(read_board, "board", "/board/claims", NewBoardClaim, add_board_claim, accept_board_claim)


def _standing(tableau_id: str) -> BoardStanding:
    session = read_session()
    standing = board_standing(session, services().catalogue, get_row(session, Tableau, tableau_id))
    if standing is None:
        raise not_found()
    return standing
