"""Life cycle of a board: initial state, stated or photographed turns, answers, corrections, agreements; the
referee's ruling is updated each time.

All players share one tableau, which is stored with the first player. Its record is the current state. A photo
is pending (`Pending`), compared with the previous state, until a person accepts it as a turn or as a plain
state. Until then its record is the reading with answers and corrections.

All functions work inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import msgspec
from sqlalchemy.orm import Session

from scorer.board_edits import Edit, PutPiece, WholeRecord, cells_of, edit_told, edited
from scorer.board_game import BoardGame
from scorer.board_record import Board, board_told
from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from scorer.game import Game as Rules
from scorer.play_kinds import BOARD, as_board_game
from scorer.turn_forms import Seated
from scorer.turns import TURN_FORMAT
from vision.boards.seen import BoardScan, LayeredScan, LooseScan
from vision.photo.decode import load_photo
from waymark.review.boards.assess import (
    BoardAssessment,
    TurnAssessment,
    assess_board,
    assess_turn,
    read_board,
)
from waymark.review.boards.chip_strip import in_strip, narrowed
from waymark.review.boards.final_matter import has_ended
from waymark.review.boards.question import BoardQuestion, Settled
from waymark.review.boards.questions import to_be_looked_over
from waymark.review.tableau.looked_at import is_looked_at
from webapp.store.boxes import kind_of, rules_of, terms_of
from webapp.store.database import not_found
from webapp.store.known_assessments import KnownAssessments
from webapp.store.models import Revision, Seat, Shot, Tableau
from webapp.store.revisions import (
    add_revision,
    current_revision,
    judged,
    revision_numbered,
    revisions_back,
    stand_again,
)
from webapp.store.rounds import touch
from webapp.store.tableaus import keep_reading, not_read

#: Kinds of revisions: stated board, turn, correction by touch, answer, photo.
TOLD, TURN, RIGHT, ANSWER, READ = "table", "turn", "record", "answer", "read"
BY_PHOTO = frozenset({READ, "photo"})
#: Option number that confirms the reading in a question without options.
AS_READ = 0
#: Prefix, before the player's name, of questions about things that a photo does not show.
UNSEEN = "held:unseen:"
#: Key in the first revision's `told`: whether the starting player was drawn by lot.
_LOT = "lot"
_KNOWN: KnownAssessments[BoardAssessment] = KnownAssessments()


@dataclass(frozen=True)
class Pending:
    """A photo that nobody has accepted or rejected. `now` is the read board with answers and corrections,
    `before` the previous board. `turn` is the turn in between; None where it is undetermined because the
    board before was incomplete."""

    shot: Shot
    before: Board
    now: BoardAssessment
    turn: TurnAssessment | None


@dataclass(frozen=True)
class BoardStanding:
    """Current state of a board: `board` with its `ruling`, as shown by the photo that is `pending`. `terms`
    are those of the accepted board."""

    rules: BoardGame
    catalogue: Catalogue
    board: Board
    ruling: Any
    terms: Any
    pending: Pending | None

    @property
    def counts(self) -> Board:
        """The accepted board, without the pending photo."""
        return self.board if self.pending is None else self.pending.before


def board_rules(tableau: Tableau) -> BoardGame:
    """The rules of a board game. Raises `WaymarkError` (not-found) for any other game."""
    rules = as_board_game(rules_of(tableau)) if kind_of(tableau) is BOARD else None
    if rules is None:
        raise not_found()
    return rules


def encode_board(scan: BoardScan) -> bytes:
    """Encode the reading of a board's photo for storage."""
    return msgspec.json.encode(scan)


def decode_board(data: bytes) -> BoardScan:
    """Decode a board of `encode_board`. Raises `msgspec.DecodeError`."""
    kind = msgspec.json.decode(data, type=_ScanKind)
    if kind.layers is not None:
        return msgspec.json.decode(data, type=LayeredScan)
    return msgspec.json.decode(data, type=LooseScan if kind.loose else BoardScan)


class _ScanKind(msgspec.Struct):
    """Fields that only some games' readings have."""

    layers: Any = None
    loose: bool = False


def read_photos(
    photos: Sequence[Path],
    catalogue: Catalogue,
    rules: Rules,
    told: Mapping[str, bytes],
    on_stage: Callable[[str], None],
) -> bytes:
    """The encoded reading of a board's latest photo. Raises `WaymarkError`."""
    return encode_board(read_board(load_photo(photos[-1]), catalogue, on_stage))


def record_of(rules: BoardGame, plain: Mapping[str, Any]) -> Board:
    """A record in the form of the database. Raises `WaymarkError`."""
    return rules.rules.parse_record(msgspec.json.encode(plain))


# --- current state ------------------------------------------------------------------------------------------


def board_standing(
    session: Session, catalogue: Catalogue, tableau: Tableau, claims: Mapping[str, Any] | None = None
) -> BoardStanding | None:
    """Current state of a board; None before the game has begun. `claims` are the stated facts of the turn
    beside its photo. Raises `WaymarkError`."""
    if tableau.record is None or kind_of(tableau) is not BOARD:
        return None
    rules = board_rules(tableau)
    terms = terms_of(tableau)
    pending = _pending(session, catalogue, tableau, rules, terms, claims)
    board = record_of(rules, tableau.record) if pending is None else pending.now.board
    ruling = rules.rules.referee(
        rules.rules.board(catalogue, board), board, rules.rules.settings.of(board, terms)
    )
    counts = board if pending is None else pending.before
    return BoardStanding(rules, catalogue, board, ruling, rules.rules.settings.of(counts, terms), pending)


def photo_revision(tableau: Tableau) -> Revision | None:
    """The revision of the pending photo; None where there is none."""
    since = since_photo(tableau)
    return since[-1] if since and since[-1].kind in BY_PHOTO else None


def since_photo(tableau: Tableau) -> list[Revision]:
    """The revisions from the current one back to the latest photo, turn or statement."""
    found: list[Revision] = []
    for stands in revisions_back(tableau):
        found.append(stands)
        if stands.kind not in (RIGHT, ANSWER):
            break
    return found


def turns_of(tableau: Tableau) -> Iterator[Revision]:
    """The turns that led to the current board, the latest first."""
    return (each for each in revisions_back(tableau) if each.kind == TURN)


def answers_of(answered: Sequence[Any]) -> dict[str, int]:
    """People's answers: number of the option by question name."""
    told = (str(each).rpartition("=") for each in answered)
    return {name: int(number) for name, _, number in told if name and number.isdigit()}


def _pending(
    session: Session,
    catalogue: Catalogue,
    tableau: Tableau,
    rules: BoardGame,
    terms: Any,
    claims: Mapping[str, Any] | None,
) -> Pending | None:
    read = photo_revision(tableau)
    shot = session.get(Shot, read.shot_id) if read is not None and read.shot_id is not None else None
    base = revision_numbered(tableau, read.before) if read is not None else None
    if shot is None or shot.reading is None or base is None:
        return None
    before = record_of(rules, base.record)
    right = tuple(each.told for each in reversed(since_photo(tableau)) if each.kind == RIGHT and each.told)
    answers = answers_of(tableau.answered)
    now = _assessed(catalogue, shot, rules, terms, before, answers, right)
    before = now.told or before
    turn = _turn(catalogue, rules, before, now, claims)
    return Pending(shot, before, now if turn is None else turn.after, turn)


def _assessed(
    catalogue: Catalogue,
    shot: Shot,
    rules: BoardGame,
    terms: Any,
    before: Board,
    answers: Mapping[str, int],
    right: tuple[dict[str, Any], ...],
) -> BoardAssessment:
    told = msgspec.json.encode((msgspec.to_builtins(before), sorted(answers.items()), right))

    def make() -> BoardAssessment:
        made = assess_board(decode_board(shot.reading or b""), catalogue, terms, before, answers)
        made = _without_what_stays(made, before)
        return _put_right(rules, catalogue, made, [edit_told(each) for each in right]) if right else made

    return _KNOWN.of(catalogue, (shot.id, shot.reading, told, msgspec.json.encode(terms)), make)


def _without_what_stays(read: BoardAssessment, before: Board) -> BoardAssessment:
    """The reading without questions about players' things that the photo does not show; these stay as
    before."""
    known = {f"{UNSEEN}{player.name}" for player in before.players if player.holds is not None}
    questions, doubts = (
        tuple(each for each in those if each.name not in known) for those in (read.questions, read.doubts)
    )
    return replace(read, questions=questions, doubts=doubts)


def _put_right(
    rules: BoardGame, catalogue: Catalogue, read: BoardAssessment, edits: Sequence[Edit]
) -> BoardAssessment:
    """The reading with people's corrections applied; questions about corrected parts are removed."""
    board = edited(rules, catalogue, read.board, edits)
    ruling = rules.rules.referee(rules.rules.board(catalogue, board), board, read.terms)

    def carried(question: BoardQuestion) -> BoardQuestion:
        options = [
            replace(option, board=edited(rules, catalogue, option.board, edits))
            for option in question.options
        ]
        return replace(question, options=tuple(options))

    doubts = tuple(carried(each) for each in read.doubts if not is_looked_at(each, edits, catalogue))
    names = {each.name for each in doubts}
    strip = _strip_after(read.strip, names, edits, catalogue)
    asked = {each.name for each in read.questions}
    asked |= {name for each in read.questions for name, _ in each.covers}
    whole = any(isinstance(edit, WholeRecord) for edit in edits)
    last = to_be_looked_over().name
    looked_over = [carried(each) for each in read.questions if each.name == last and not whole]
    questions = in_strip([each for each in doubts if each.name in asked], strip)
    return replace(
        read,
        board=board,
        ruling=ruling,
        doubts=doubts,
        questions=(*questions, *looked_over),
        strip=strip,
        settled=not doubts and not ruling.problems,
        by_hand=whole,
        certain=False,
        said=read.said | _said(edits),
    )


def _strip_after(
    strip: BoardQuestion | None, names: Collection[str], edits: Sequence[Edit], catalogue: Catalogue
) -> BoardQuestion | None:
    """The strip about chips in the cells whose doubts (`names`) corrections left; None where a correction
    put its chip elsewhere, after which the cells are asked about one by one."""
    if strip is None or is_looked_at(strip, edits, catalogue):
        return None
    return narrowed(strip, lambda name: name in names)


def _said(edits: Sequence[Edit]) -> Settled:
    """What corrections say about a board: the figures taken off it, and the cells looked at."""
    pieces = [edit for edit in edits if isinstance(edit, PutPiece)]
    last = {edit.piece: edit.cell for edit in pieces}
    return Settled(
        frozenset(name for name, cell in last.items() if cell is None),
        frozenset(cell for edit in pieces for cell in cells_of(edit)),
    )


def _turn(
    catalogue: Catalogue,
    rules: BoardGame,
    before: Board,
    now: BoardAssessment,
    claims: Mapping[str, Any] | None,
) -> TurnAssessment | None:
    """The turn between the previous board and the board of its photo; None in a game that has ended."""
    if before.to_move is None or has_ended(rules, catalogue, before):
        return None
    ruling = rules.rules.referee(rules.rules.board(catalogue, before), before, now.terms)
    if rules.play.forms.may_deal(catalogue, before) and ruling.problems:
        return None
    stood = replace(
        now,
        board=before,
        ruling=ruling,
        questions=(),
        doubts=(),
        settled=True,
        by_hand=True,
        scan=cast(Any, None),
    )
    try:
        return assess_turn(stood, now, before.to_move, claims or None)
    except WaymarkError:
        return None  # in this game two boards do not determine a turn


def turn_record(
    board: Board, player: str, claims: Mapping[str, Any] | None, seen: Board | None
) -> dict[str, Any]:
    """A turn in the referee's form (`waymark-turn/1`)."""
    turn = {
        "format": TURN_FORMAT,
        "game": board.game,
        "catalogue": board.catalogue,
        "player": player,
        "before": board_told(board),
    }
    if seen is not None:
        turn["after"] = board_told(seen)
    return turn | ({"claims": dict(claims)} if claims else {})


# --- changes ------------------------------------------------------------------------------------------------


def begin_board(
    session: Session, catalogue: Catalogue, tableau: Tableau, seats: Sequence[Seat], *, lot: bool
) -> None:
    """Start a board game with its certain initial state, and store whether the first player was drawn by
    `lot`."""
    seated = [Seated(seat.name, seat.colour) for seat in seats]
    begun = board_rules(tableau).play.forms.begun(catalogue, seated)
    revise_board(session, catalogue, tableau, begun, kind=TOLD, told={_LOT: lot})


def by_lot(tableau: Tableau) -> bool | None:
    """Whether the first player was drawn by lot; None where that is unknown."""
    begun = revision_numbered(tableau, 0)
    told = (begun.told or {}).get(_LOT) if begun is not None else None
    return told if isinstance(told, bool) else None


def revise_board(
    session: Session,
    catalogue: Catalogue,
    tableau: Tableau,
    board: Board,
    *,
    kind: str,
    told: Mapping[str, Any] | None = None,
    answered: Mapping[str, int] | None = None,
    before: int | None = None,
) -> Revision:
    """Save `board` as a new revision, and referee it; `told` and `before` are as in `add_revision`,
    `answered` as in `webapp.store.tables.revise_table`."""
    answers = answers_of(tableau.answered) if answered is None else answered
    revision = add_revision(
        session,
        tableau,
        board_told(board),
        kind=kind,
        answered=[f"{name}={option}" for name, option in answers.items()],
        told=told,
        before=before,
    )
    return judged(session, catalogue, tableau, revision, judge_board)


def judge_board(session: Session, catalogue: Catalogue, tableau: Tableau) -> None:
    """Referee the board again. The score sheet is filled when the game is over."""
    standing = board_standing(session, catalogue, tableau)
    if standing is None:
        return
    tableau.record = board_told(standing.board)
    tableau.ruling = msgspec.to_builtins(standing.ruling)
    tableau.sure = standing.pending is None
    if tableau.entry is not None:
        rows = rows_of(standing) if is_over(standing) else {}
        for entry in tableau.entry.round.entries:
            if not entry.typed:
                row = rows.get(entry.seat.name, {})
                entry.scores = {column: value for column, value in row.items() if value is not None}
    touch(tableau)


def is_over(standing: BoardStanding) -> bool:
    """Whether the game has ended, by its rules or by a person's statement. A pending photo does not change
    that."""
    return has_ended(standing.rules, standing.catalogue, standing.counts)


def rows_of(standing: BoardStanding) -> dict[str, dict[str, Any]]:
    """Each player's values by column of the score sheet; empty where the board does not determine them."""
    try:
        return standing.rules.play.forms.rows(standing.catalogue, standing.counts, standing.terms)
    except WaymarkError:
        return {}


def stand_again_board(session: Session, catalogue: Catalogue, tableau: Tableau, target: Revision) -> Revision:
    """Restore an earlier revision as the current one."""
    return stand_again(session, catalogue, tableau, target, judge_board)


# --- photos -------------------------------------------------------------------------------------------------


def take_board(session: Session, catalogue: Catalogue, shot: Shot, reading: bytes) -> None:
    """Save the reading of a board's photo, and offer it for review if it is the newest. In a finished game
    the reading is saved without any change."""
    tableau, newest = shot.tableau, keep_reading(session, shot, reading)
    entry = tableau.entry
    finished = entry is not None and entry.round.game.finished_at is not None
    if newest and not finished:
        use_board_shot(session, catalogue, shot, kind=READ)
    touch(tableau)


def use_board_shot(session: Session, catalogue: Catalogue, shot: Shot, *, kind: str = "photo") -> None:
    """Make a photo the pending one, compared with the previous board; another pending photo is rejected.
    Raises `WaymarkError` (not-read)."""
    if shot.reading is None:
        raise not_read()
    tableau = shot.tableau
    open_photo = photo_revision(tableau)
    stands = current_revision(tableau) if open_photo is None else open_photo
    base = stands.number if open_photo is None and stands is not None else None
    if open_photo is not None:
        base = open_photo.before
    board = record_of(board_rules(tableau), tableau.record or {})
    tableau.shot_id, tableau.late_shot_id = shot.id, None
    revise_board(session, catalogue, tableau, board, kind=kind, answered={}, before=base)


def leave_board_photo(session: Session, catalogue: Catalogue, tableau: Tableau) -> None:
    """Reject a photo; the board is as before it."""
    read = photo_revision(tableau)
    base = revision_numbered(tableau, read.before) if read is not None else None
    if base is not None:
        stand_again_board(session, catalogue, tableau, base)
