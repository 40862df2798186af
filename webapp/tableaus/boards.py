"""User actions on a board: state a turn, use or reject a photo, answer, correct by touch, deal, end the game.

All functions work inside the caller's transaction. They raise `WaymarkError`: conflict where the board has
changed since the person looked, and whatever the change itself raises."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from scorer.board_edits import edit_told, edited
from scorer.board_record import Board
from scorer.board_turn import bad_turn
from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.text import Text
from scorer.turn_forms import ENDED
from webapp.store.boards import (
    ANSWER,
    AS_READ,
    RIGHT,
    TOLD,
    TURN,
    BoardStanding,
    Pending,
    answers_of,
    board_rules,
    board_standing,
    leave_board_photo,
    photo_revision,
    record_of,
    revise_board,
    stand_again_board,
    turn_record,
    turns_of,
)
from webapp.store.models import Revision, Tableau
from webapp.store.revisions import current_revision, revision_numbered
from webapp.tableaus.answers import nothing_left, settled_meanwhile

Steps = Sequence[Mapping[str, Any]]

#: Key in a turn's `told`: its steps were read from the photo, so that no question about it is asked again.
READ_OFF = "read_off"


def looked_at_board(
    session: Session,
    catalogue: Catalogue,
    tableau: Tableau,
    version: int,
    claims: Mapping[str, Any] | None = None,
) -> BoardStanding:
    """Current state of a board. Raises `WaymarkError` (conflict) where it has changed since the given
    version."""
    standing = board_standing(session, catalogue, tableau, claims)
    if standing is None or tableau.version != version:
        raise WaymarkError(
            Code.CONFLICT,
            Text("Somebody else has changed this board in the meantime; look at it again, then repeat it."),
        )
    return standing


def claims_of(tableau: Tableau, steps: Steps) -> dict[str, Any]:
    """Claims about a turn, from its stated steps. Raises `WaymarkError` (bad-record) for a step without
    content."""
    table = board_rules(tableau).play.forms
    try:
        return table.claims(steps)
    except (TypeError, ValueError) as error:
        raise bad_turn(Text("a step tells {error}", error=error)) from error


def ruled_turn(standing: BoardStanding, claims: Mapping[str, Any], *, photo: bool = True) -> Any:
    """The ruling of a partly stated turn of the player to move, with the pending `photo` if there is one.
    Raises `WaymarkError`."""
    pending, rules = standing.pending, standing.rules
    before = standing.counts
    seen = pending.now.board if pending is not None and photo else None
    if seen is not None and rules.photo.infer_turn is not None:
        seen = msgspec.structs.replace(seen, to_move=None)  # no photo shows who is to move
    turn = turn_record(before, _mover(standing), claims, seen)
    assert rules.play.turns is not None, "board games have turns"
    return rules.play.turns.referee(standing.catalogue, turn, standing.terms)


def tell_turn(
    session: Session, catalogue: Catalogue, tableau: Tableau, steps: Steps, version: int
) -> Revision:
    """Save a stated turn without a photo; it must follow the rules. Raises `WaymarkError` (conflict, with the
    broken rule)."""
    standing = looked_at_board(session, catalogue, tableau, version)
    _no_photo_waits(standing)
    table = standing.rules.play.forms
    claims = claims_of(tableau, steps)
    ruling = ruled_turn(standing, claims)
    after = table.after(catalogue, standing.board, ruling, claims, None) if ruling.legal else None
    if after is None:
        assert standing.rules.play.turns is not None
        why = standing.rules.play.turns.why(ruling).words
        raise WaymarkError(
            Code.CONFLICT,
            Text("{why} Enter the turn in a different way, or take a photo of the board.", why=why),
        )
    told = {"player": _mover(standing), "claims": claims}
    return revise_board(session, catalogue, tableau, after, kind=TURN, told=told, answered={})


def take_photo_over(
    session: Session, catalogue: Catalogue, tableau: Tableau, steps: Steps, version: int, *, turn: bool
) -> Revision:
    """Accept a photo as the board after a turn of the player to move, with the stated steps, or as the plain
    state of the board. Raises `WaymarkError` (conflict without a pending photo)."""
    claims = claims_of(tableau, steps)
    standing = looked_at_board(session, catalogue, tableau, version, claims)
    pending, read = standing.pending, photo_revision(tableau)
    if pending is None or read is None:
        raise _nothing_open()
    before, seen = pending.before, pending.now.board
    if not turn:
        board = standing.rules.photo.put_down(before, seen)
        return revise_board(session, catalogue, tableau, board, kind=TOLD, answered={})
    claims, ruling, read_off = _turn_on_photo(standing, pending, claims)
    if standing.rules.photo.infer_turn is not None and ruling.legal is False:
        seen = standing.rules.photo.put_down(before, seen)
    after = standing.rules.play.forms.after(catalogue, before, ruling, claims, seen)
    if after is None or ruling.legal is None:
        raise WaymarkError(
            Code.CONFLICT,
            Text("This turn cannot be judged; correct the board first, or save it as the current board."),
        )
    stands = current_revision(tableau)
    assert stands is not None, "a photo waits"
    told = {"player": _mover(standing), "claims": claims, "photo": True}
    told["before"] = _base(session, catalogue, tableau, read, before)
    told |= {READ_OFF: True} if read_off else {}
    return revise_board(
        session, catalogue, tableau, after, kind=TURN, told=told, answered={}, before=stands.number
    )


def _base(
    session: Session, catalogue: Catalogue, tableau: Tableau, read: Revision, before: Board
) -> int | None:
    """The revision before a photo, replaced by a corrected one where an answer changed it (such as a figure's
    owner)."""
    base = revision_numbered(tableau, read.before)
    if base is None or record_of(board_rules(tableau), base.record) == before:
        return read.before
    made = revise_board(session, catalogue, tableau, before, kind=TOLD, answered={}, before=base.number)
    return made.number


def _turn_on_photo(
    standing: BoardStanding, pending: Pending, claims: dict[str, Any]
) -> tuple[dict[str, Any], Any, bool]:
    """The turn between the board before and its photo, its ruling, and whether the photo alone determines
    it."""
    if standing.rules.photo.infer_turn is None or claims.get("actions"):
        return claims, ruled_turn(standing, claims), False
    read = pending.turn
    if read is None or read.seen is None or not read.seen.is_told:
        raise WaymarkError(
            Code.CONFLICT,
            Text(
                "The photo does not show this turn; enter it step by step, or save it as the current board."
            ),
        )
    return dict(read.turn["claims"]), read.ruling, True


def leave_photo(session: Session, catalogue: Catalogue, tableau: Tableau, version: int) -> None:
    """Reject a pending photo; the board is as before it."""
    looked_at_board(session, catalogue, tableau, version)
    if photo_revision(tableau) is None:
        raise _nothing_open()
    leave_board_photo(session, catalogue, tableau)


def answer_board(
    session: Session, catalogue: Catalogue, tableau: Tableau, question: str, option: int, version: int
) -> None:
    """Answer a question about a photo by the option's number; 0 keeps the reading."""
    standing = looked_at_board(session, catalogue, tableau, version)
    asked = () if standing.pending is None else standing.pending.now.questions
    found = next((each for each in asked if each.name == question), None)
    if found is None or not (option == AS_READ or 0 < option < len(found.options)):
        raise settled_meanwhile()
    answers = {**answers_of(tableau.answered), question: option}
    revise_board(session, catalogue, tableau, standing.board, kind=ANSWER, answered=answers)


def put_right(
    session: Session, catalogue: Catalogue, tableau: Tableau, change: Mapping[str, Any], version: int
) -> None:
    """Apply one correction made by touch (`scorer.board_edits`)."""
    standing = looked_at_board(session, catalogue, tableau, version)
    board = edited(standing.rules, catalogue, standing.board, [edit_told(change)])
    revise_board(session, catalogue, tableau, board, kind=RIGHT, told=change)


def deal(session: Session, catalogue: Catalogue, tableau: Tableau, version: int) -> None:
    """Draw a random layout for the board, which players then lay out."""
    standing = looked_at_board(session, catalogue, tableau, version)
    _no_photo_waits(standing)
    board = standing.rules.play.forms.dealt(catalogue, standing.board, random.SystemRandom())
    revise_board(session, catalogue, tableau, board, kind=TOLD)


def end_board(session: Session, catalogue: Catalogue, tableau: Tableau, version: int, *, ended: bool) -> None:
    """Mark the game as over, so that everything counts in its current place, or as not over."""
    standing = looked_at_board(session, catalogue, tableau, version)
    _no_photo_waits(standing)
    more = {name: value for name, value in standing.board.more.items() if name != ENDED}
    board = msgspec.structs.replace(standing.board, more=more | ({ENDED: True} if ended else {}))
    revise_board(session, catalogue, tableau, board, kind=TOLD)


def take_turn_back(session: Session, catalogue: Catalogue, tableau: Tableau) -> Revision | None:
    """Undo the latest turn, or reject the pending photo; returns the new revision. None where no turn was
    taken."""
    if photo_revision(tableau) is not None:
        leave_board_photo(session, catalogue, tableau)
        return current_revision(tableau)
    turn = next(turns_of(tableau), None)
    target = before_turn(tableau, turn) if turn is not None else None
    return None if target is None else stand_again_board(session, catalogue, tableau, target)


def before_turn(tableau: Tableau, turn: Revision) -> Revision | None:
    """State of the board before a turn."""
    told = (turn.told or {}).get("before", turn.before)
    return revision_numbered(tableau, told if isinstance(told, int) else turn.before)


def ruling_of_turn(catalogue: Catalogue, tableau: Tableau, turn: Revision, terms: Any) -> Any:
    """The ruling of a past turn, computed again. Raises `WaymarkError`."""
    rules, told = board_rules(tableau), turn.told or {}
    before, last = before_turn(tableau, turn), revision_numbered(tableau, turn.before)
    if before is None or last is None:
        raise nothing_left()
    board = record_of(rules, before.record)
    seen = record_of(rules, last.record) if told.get("photo") and not told.get(READ_OFF) else None
    if seen is not None and rules.photo.infer_turn is not None:
        seen = msgspec.structs.replace(seen, to_move=None)
    record = turn_record(board, str(told.get("player")), told.get("claims"), seen)
    assert rules.play.turns is not None
    return rules.play.turns.referee(catalogue, record, rules.rules.settings.of(board, terms))


def _mover(standing: BoardStanding) -> str:
    board = standing.counts
    return board.to_move or (board.players[0].name if board.players else "")


def _no_photo_waits(standing: BoardStanding) -> None:
    """Raises `WaymarkError` (conflict) while a photo is pending, since a stated change would accept the photo
    unseen."""
    if standing.pending is not None:
        raise WaymarkError(
            Code.CONFLICT,
            Text("A photo of this board is waiting to be checked; first use it or say not to use it."),
        )


def _nothing_open() -> WaymarkError:
    return WaymarkError(Code.CONFLICT, Text("No photo is waiting to be used here; check the board again."))
