"""API of boards: state, stated and photographed turns, questions, corrections, disputes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import msgspec

from scorer.board_record import board_told
from webapp.disputes.claims import delete_claim
from webapp.disputes.shared_claims import NewBoardClaim, accept_board_claim, add_board_claim
from webapp.http.api.endpoint import endpoint
from webapp.http.api.review import change, claim_of, open_tableau
from webapp.http.languages import current_language
from webapp.http.services import read_session, services, write_session
from webapp.store.boards import BoardStanding, board_rules, board_standing
from webapp.store.database import get_row, not_found
from webapp.store.models import Tableau
from webapp.tableaus import boards
from webapp.tableaus.board_model import BestMove, BoardView, TurnTrial
from webapp.tableaus.board_view import trial_of, view_of_board
from webapp.tableaus.kinds import redo, undo

Version = Annotated[int, msgspec.Meta(ge=0)]
Steps = Annotated[tuple[dict[str, Any], ...], msgspec.Meta(max_length=200)]


class Looked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The version of the board that the change is based on."""

    version: Version


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


@endpoint(
    "GET",
    "/tableaus/<tableau_id>/board",
    summary="A board as it stands: what lies where, what players have, a photo that waits, turns.",
    answer=BoardView,
)
def read_board(tableau_id: str) -> BoardView:
    session = read_session()
    tableau = get_row(session, Tableau, tableau_id)
    told = view_of_board(session, services().catalogue, tableau, current_language())
    if told is None:
        raise not_found()
    return told


@endpoint(
    "GET",
    "/tableaus/<tableau_id>/board/record",
    summary="The board as a record (waymark-board/1).",
    answer=dict[str, Any],
)
def read_board_record(tableau_id: str) -> dict[str, Any]:
    standing = _standing(tableau_id)
    return board_told(standing.board)


@endpoint(
    "GET",
    "/tableaus/<tableau_id>/board/best",
    summary="What the player to move could do best, for those who ask.",
    answer=BestMove,
)
def read_best_move(tableau_id: str) -> BestMove:
    standing = _standing(tableau_id)
    told = standing.rules.play.forms.best(standing.catalogue, standing.counts, standing.terms)
    return BestMove(words=None if told is None else told.message(current_language()))


@endpoint(
    "POST",
    "/tableaus/<tableau_id>/board/try",
    summary="What a turn comes to as far as it was told, and what can be told next; nothing is kept.",
    body=ToldTurn,
    answer=TurnTrial,
)
def try_turn(tableau_id: str, body: ToldTurn) -> TurnTrial:
    session, catalogue = read_session(), services().catalogue
    tableau = get_row(session, Tableau, tableau_id)
    claims = boards.claims_of(tableau, body.steps)
    standing = boards.looked_at_board(session, catalogue, tableau, body.version, claims)
    return trial_of(standing, tableau, body.steps, current_language())


@endpoint(
    "POST",
    "/tableaus/<tableau_id>/board/turn",
    summary="Take a turn that was told; it stands if it goes by the rules.",
    body=ToldTurn,
    answer=BoardView,
)
def tell_turn(tableau_id: str, body: ToldTurn) -> BoardView:
    return _changed(tableau_id, boards.tell_turn, body.steps, body.version)


@endpoint(
    "POST",
    "/tableaus/<tableau_id>/board/photo",
    summary="Take a photo over: as a turn, or as how the board stands.",
    body=TakenPhoto,
    answer=BoardView,
)
def take_photo(tableau_id: str, body: TakenPhoto) -> BoardView:
    return _changed(tableau_id, boards.take_photo_over, body.steps, body.version, turn=body.turn)


@endpoint(
    "POST",
    "/tableaus/<tableau_id>/board/leave",
    summary="Leave the photo that waits: the board stands as before it.",
    body=Looked,
    answer=BoardView,
)
def leave_photo(tableau_id: str, body: Looked) -> BoardView:
    return _changed(tableau_id, boards.leave_photo, body.version)


@endpoint(
    "POST",
    "/tableaus/<tableau_id>/board/answers",
    summary="Settle a question about the photo that waits.",
    body=GivenAnswer,
    answer=BoardView,
)
def answer_board(tableau_id: str, body: GivenAnswer) -> BoardView:
    return _changed(tableau_id, boards.answer_board, body.question, body.option, body.version)


@endpoint(
    "POST",
    "/tableaus/<tableau_id>/board/changes",
    summary="Put one thing of a board right: a tile, its turn, a piece, what somebody has.",
    body=PutRight,
    answer=BoardView,
)
def put_right(tableau_id: str, body: PutRight) -> BoardView:
    return _changed(tableau_id, boards.put_right, body.change, body.version)


@endpoint(
    "POST",
    "/tableaus/<tableau_id>/board/deal",
    summary="Have what chance lays out dealt by Waymark.",
    body=Looked,
    answer=BoardView,
)
def deal(tableau_id: str, body: Looked) -> BoardView:
    return _changed(tableau_id, boards.deal, body.version)


@endpoint(
    "POST",
    "/tableaus/<tableau_id>/board/end",
    summary="Say that the game is over and everything counts as it lies, or that it goes on.",
    body=Ended,
    answer=BoardView,
)
def end_board(tableau_id: str, body: Ended) -> BoardView:
    return _changed(tableau_id, boards.end_board, body.version, ended=body.ended)


@endpoint(
    "POST",
    "/tableaus/<tableau_id>/board/undo",
    summary="Take the latest change of a board back, and so on back.",
    body=Looked,
    answer=BoardView,
)
def undo_board(tableau_id: str, body: Looked) -> BoardView:
    return _changed(tableau_id, undo, body.version)


@endpoint(
    "POST",
    "/tableaus/<tableau_id>/board/redo",
    summary="Make the change of a board again that was taken back last.",
    body=Looked,
    answer=BoardView,
)
def redo_board(tableau_id: str, body: Looked) -> BoardView:
    return _changed(tableau_id, redo, body.version)


@endpoint(
    "POST",
    "/tableaus/<tableau_id>/board/claims",
    summary="Write down what a player says against a turn or the board.",
    body=NewBoardClaim,
    answer=BoardView,
    status=201,
)
def claim_of_board(tableau_id: str, body: NewBoardClaim) -> BoardView:
    with write_session() as session:
        add_board_claim(session, services().catalogue, get_row(session, Tableau, tableau_id), body)
    return read_board(tableau_id)


@endpoint(
    "POST",
    "/tableaus/<tableau_id>/board/claims/<claim_id>/accept",
    summary="The table agrees with a claim: what it wants is done.",
    body=Looked,
    answer=BoardView,
)
def accept_claim_of_board(tableau_id: str, claim_id: str, body: Looked) -> BoardView:
    with write_session() as session:
        open_tableau(session, tableau_id)
        claim = claim_of(session, tableau_id, claim_id)
        accept_board_claim(session, services().catalogue, claim, body.version)
    return read_board(tableau_id)


@endpoint(
    "DELETE",
    "/tableaus/<tableau_id>/board/claims/<claim_id>",
    summary="Take a claim against a board back; it is kept.",
    answer=BoardView,
)
def take_board_claim_back(tableau_id: str, claim_id: str) -> BoardView:
    with write_session() as session:
        delete_claim(claim_of(session, tableau_id, claim_id))
    return read_board(tableau_id)


def _standing(tableau_id: str) -> BoardStanding:
    session = read_session()
    standing = board_standing(session, services().catalogue, get_row(session, Tableau, tableau_id))
    if standing is None:
        raise not_found()
    return standing


def _changed(tableau_id: str, done: Callable[..., object], *told: Any, **named: Any) -> BoardView:
    """The view of a board after a change by a function of `webapp.tableaus.boards` with its arguments
    `told`."""
    change(tableau_id, done, *told, check=board_rules, **named)
    return read_board(tableau_id)
