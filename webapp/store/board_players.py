"""Renamed players of a board, applied to its state and to waiting photos."""

from __future__ import annotations

import msgspec
from sqlalchemy.orm import Session

from scorer.board_record import Board
from scorer.catalogue import Catalogue
from webapp.store.boards import (
    TOLD,
    UNSEEN,
    answers_of,
    board_rules,
    photo_revision,
    record_of,
    revise_board,
    since_photo,
)
from webapp.store.models import Tableau
from webapp.store.revisions import revision_numbered


def rename_player(session: Session, catalogue: Catalogue, tableau: Tableau, old: str, new: str) -> None:
    """Rename a player in the state of the board and in a pending photo."""
    if tableau.record is None or old == new:
        return
    rules, read = board_rules(tableau), photo_revision(tableau)
    waiting = [] if read is None else [*reversed(since_photo(tableau))]
    base = revision_numbered(tableau, read.before) if read is not None else None
    if base is not None:
        tableau.shot_id = base.shot_id
    stands = tableau.record if base is None else base.record
    board = _renamed(record_of(rules, stands), old, new)
    told = revise_board(
        session,
        catalogue,
        tableau,
        board,
        kind=TOLD,
        answered={} if base is not None else None,
        before=base.number if base is not None else None,
    )
    for each in waiting if base is not None else ():
        tableau.shot_id = each.shot_id
        change = each.told
        if change is not None and change.get("player") == old:
            change = {**change, "player": new}
        answers = {_of_player(name, old, new): option for name, option in answers_of(each.answered).items()}
        told = revise_board(
            session,
            catalogue,
            tableau,
            _renamed(record_of(rules, each.record), old, new),
            kind=each.kind,
            told=change,
            answered=answers,
            before=told.number,
        )


def _of_player(question: str, old: str, new: str) -> str:
    """Name of a question after the player that it refers to was renamed."""
    return f"{UNSEEN}{new}" if question == f"{UNSEEN}{old}" else question


def _renamed(board: Board, old: str, new: str) -> Board:
    players = tuple(
        msgspec.structs.replace(each, name=new) if each.name == old else each for each in board.players
    )
    spare = tuple(
        msgspec.structs.replace(each, at=new) if each.at == old else each for each in board.spare or ()
    )
    mover = new if board.to_move == old else board.to_move
    return msgspec.structs.replace(
        board, players=players, to_move=mover, spare=spare if board.spare is not None else None
    )
