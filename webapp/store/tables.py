"""Life cycle of a shared table: created from stated facts, extended by photos, answers and corrections; the
ruling is updated each time.

All players of the round share one tableau, which is stored with the first player. Its record is the current
state. A record that was read and not replaced by a person is derived: from the photo's reading, stated facts,
people's answers, and the table before that photo.

All functions work inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.game import Game as Rules
from scorer.groups import Groups
from scorer.play_kinds import TABLE, groups_of, play_kind
from vision.groups.scan import GroupScan
from vision.photo.decode import load_photo
from vision.questions import Question
from waymark.review.groups import (
    OPEN_BEFORE,
    UNTOLD,
    GroupAssessment,
    OpenBefore,
    assess_groups,
    is_untold,
    open_of,
    read_groups,
)
from webapp.store.boxes import empty_boxes, kind_of, rules_of, rules_of_entry, terms_of
from webapp.store.known_assessments import KnownAssessments
from webapp.store.models import Entry, GameRound, Revision, Shot, Tableau
from webapp.store.revisions import add_revision, judged, revision_numbered, revisions_back
from webapp.store.revisions import stand_again as revision_again
from webapp.store.rounds import follow_ruling, touch
from webapp.store.tableaus import keep_reading, not_read, stands_finished, used_shot

#: Kinds of revisions made by a photo; later revisions refer to that photo.
BY_PHOTO = frozenset({"read", "photo", "restore"})
#: Kinds of revisions in which a person replaced the read record.
BY_HAND = frozenset({"card", "path", "record"})
#: Kind of revision for a turn.
TURN = "turn"
#: Kind of revision for the initial state and for stated facts.
TOLD = "table"
_KNOWN: KnownAssessments[GroupAssessment] = KnownAssessments()


@dataclass(frozen=True)
class Standing:
    """Current state of a table. `assessment` is the photo's reading with people's answers, `asked` the open
    questions of the current record; both are None without a photo. `corrected`: a person replaced the
    reading's record."""

    rules: Rules
    catalogue: Catalogue
    record: Any
    ruling: Any
    terms: Any
    assessment: GroupAssessment | None
    asked: GroupAssessment | None
    corrected: bool
    sure: bool

    @property
    def groups(self) -> Groups[Any, Any]:
        """The rules' definitions for groups of players."""
        return groups_of(self.rules)


def loss_hangs_on(standing: Standing) -> Question | None:
    """The open question that decides whether the mission is lost: an unstated purchase may still help a stuck
    group. None where the mission is not lost, or the purchase is stated."""
    if standing.asked is None:
        return None
    asked = {each.name: each for each in standing.asked.questions if is_untold(each.name)}
    if not asked:
        return None
    rules, record, groups = standing.rules, standing.record, standing.groups
    if groups.told(standing.catalogue, record, standing.ruling).result != "lost":
        return None
    board = rules.rules.board(standing.catalogue, record)
    hang = (UNTOLD + each.name for each in groups.untold(board, record, standing.ruling) if not each.last)
    return next((asked[name] for name in hang if name in asked), None)


def table_entry(round_: GameRound) -> Entry:
    """The entry that holds the shared tableau of a round: that of the first seat."""
    return min(round_.entries, key=lambda entry: entry.seat.position)


def shared_entry(entry: Entry) -> Entry:
    """Owner of the tableau that photos for a player's round go to: the player, or the shared table."""
    return table_entry(entry.round) if play_kind(rules_of_entry(entry)).shared else entry


def players_of(tableau: Tableau) -> tuple[str, ...]:
    """Names of the players in the order of their seats."""
    if tableau.entry is None:
        return ("",)
    seats = sorted(tableau.entry.round.game.seats, key=lambda seat: seat.position)
    return tuple(seat.name for seat in seats)


def encode_table(scan: GroupScan) -> bytes:
    """Encode the reading of a table's photo for storage."""
    return msgspec.json.encode(scan)


def decode_table(data: bytes) -> GroupScan:
    """Decode a table of `encode_table`. Raises `msgspec.DecodeError`."""
    return msgspec.json.decode(data, type=GroupScan)


def of_turn(tableau: Tableau, shot: Shot) -> tuple[Shot, ...]:
    """The photos of one turn that are read together, oldest first; this one is the last."""
    by_id = {each.id: each for each in tableau.shots}
    found = [shot]
    while (before := by_id.get(found[0].beside or "")) is not None and before.sequence < found[0].sequence:
        found.insert(0, before)
    return tuple(found)


def part_from_turn(tableau: Tableau, shot: Shot) -> None:
    """Remove a photo from the photos read together in one turn; the others are read again without it."""
    mates = [each for each in tableau.shots if each is not shot and shot in of_turn(tableau, each)]
    for each in mates:
        if each.beside == shot.id:
            each.beside = shot.beside
        if tableau.late_shot_id == each.id:
            tableau.late_shot_id = None
        each.state, each.stage, each.error, each.reading, each.attempts = "waiting", "", None, None, 0


def last_of_turn(tableau: Tableau) -> Shot | None:
    """The latest photo of a table's current turn; None where there is none or it could not be read."""
    shots = [shot for shot in tableau.shots if shot.deleted_at is None]
    last = max(shots, key=lambda shot: shot.sequence, default=None)
    if last is None or last.state == "failed":
        return None
    turned = any(each.kind == TURN and each.sequence > last.sequence for each in revisions_back(tableau))
    return None if turned else last


def shown_shot(tableau: Tableau, used: Shot) -> Shot:
    """The photo to show: of the photos read together with the one in use, the one whose frame the reading
    uses, since it shows most of the table."""
    together = of_turn(tableau, used)
    if len(together) < 2 or used.reading is None:
        return used
    return together[decode_table(used.reading).photos[0]]


def read_photos(
    photos: Sequence[Path],
    catalogue: Catalogue,
    rules: Rules,
    told: Mapping[str, bytes],
    on_stage: Callable[[str], None],
) -> bytes:
    """The encoded reading of the photos of one turn. Raises `WaymarkError`."""
    return encode_table(read_groups([*map(load_photo, photos)], catalogue, rules, told, on_stage))


def told_of_table(tableau: Tableau) -> dict[str, bytes]:
    """Stated facts that a photo is read with: the groups and their pens, and other statements."""
    return {"table": msgspec.json.encode(tableau.record)} if tableau.record is not None else {}


# --- current state ------------------------------------------------------------------------------------------


def standing_of(session: Session, catalogue: Catalogue, tableau: Tableau) -> Standing | None:
    """Current state of a table; None where nothing was stated of it yet, and for a tableau of one player.
    Raises `WaymarkError`."""
    if tableau.record is None or kind_of(tableau) is not TABLE:
        return None
    rules, terms = rules_of(tableau), terms_of(tableau)
    record = msgspec.convert(tableau.record, rules.rules.record_type)
    shot = used_shot(session, tableau)
    by_hand = corrected_by_hand(tableau)
    if shot is None or shot.reading is None:
        ruling = rules.rules.referee(rules.rules.board(catalogue, record), record, terms)
        return Standing(rules, catalogue, record, ruling, terms, None, None, by_hand, sure=by_hand)
    now = asked = _assessed(catalogue, tableau, shot, rules, terms)
    if by_hand:
        asked = _assessed(catalogue, tableau, shot, rules, terms, record, now.questions)
    else:
        record = groups_of(rules).with_choices(now.record, record)
    if record != asked.record:
        ruling = rules.rules.referee(rules.rules.board(catalogue, record), record, terms)
    else:
        ruling = asked.ruling
    return Standing(rules, catalogue, record, ruling, terms, now, asked, by_hand, sure=asked.sure)


def corrected_by_hand(tableau: Tableau) -> bool:
    """Whether a person has replaced the record that was read from the photo in use."""
    return any(revision.kind in BY_HAND for revision in _since_the_photo(tableau))


def _since_the_photo(tableau: Tableau) -> Iterator[Revision]:
    """Revisions from the current one back to the latest photo's own revision."""
    for stands in revisions_back(tableau):
        yield stands
        if stands.kind in BY_PHOTO:
            return


def before_the_photo(tableau: Tableau) -> Revision | None:
    """State before the photo in use was read; None where that was the first event."""
    first = _by_the_photo(tableau)
    return revision_numbered(tableau, first.before) if first is not None else None


def _by_the_photo(tableau: Tableau) -> Revision | None:
    """The revision made by the photo in use, or the first revision without a photo."""
    return next(reversed([*_since_the_photo(tableau)]), None)


def _open_before_the_photo(tableau: Tableau) -> tuple[OpenBefore, ...]:
    """Questions about the table that were open when the photo in use was read."""
    first = _by_the_photo(tableau)
    told = first.told if first is not None and first.kind in BY_PHOTO else None
    return open_told(told) if told is not None else ()


def open_told(told: Mapping[str, Any]) -> tuple[OpenBefore, ...]:
    """Open questions stored with a photo's revision. Raises `msgspec.ValidationError`."""
    return msgspec.convert(told.get("open", ()), tuple[OpenBefore, ...])


def turns_taken(tableau: Tableau) -> int:
    """Number of turns that led to the current state."""
    return sum(each.kind == TURN for each in revisions_back(tableau))


def answers_of(answered: Collection[Any]) -> dict[str, str]:
    """People's answers by question name, from a table's `answered` list."""
    told = (str(each).rpartition("=") for each in answered)
    return {name: key for name, _, key in told if name}


def _assessed(
    catalogue: Catalogue,
    tableau: Tableau,
    shot: Shot,
    rules: Rules,
    terms: Any,
    corrected: Any = None,
    left: tuple[Question, ...] = (),
) -> GroupAssessment:
    before = before_the_photo(tableau)
    record = msgspec.convert(tableau.record, rules.rules.record_type)
    table = msgspec.json.encode(groups_of(rules).told_only(record))
    stood = msgspec.json.encode(before.record) if before is not None else b""
    answers = tuple(sorted(answers_of(tableau.answered).items()))
    reading = shot.reading or b""
    by_hand = msgspec.json.encode(corrected) if corrected is not None else b""
    open_names, open_before = tuple(question.name for question in left), _open_before_the_photo(tableau)
    told: dict[str, Any] = {"table": table} | ({"before": stood} if stood else {})

    def make() -> GroupAssessment:
        scan = decode_table(reading)
        return assess_groups(
            scan, catalogue, rules, told, terms, dict(answers), corrected, left, open_before, ask_untold=True
        )

    key = (shot.id, reading, table, stood, answers, terms, by_hand, open_names, open_before)
    return _KNOWN.of(catalogue, key, make)


# --- changes ------------------------------------------------------------------------------------------------


def revise_table(
    session: Session,
    catalogue: Catalogue,
    tableau: Tableau,
    record: Any,
    *,
    kind: str,
    answered: Mapping[str, str] | None = None,
    before: int | None = None,
    left: Sequence[OpenBefore] = (),
) -> Revision:
    """Save `record` as a new revision of the table, and referee it; `before` is as in `add_revision`.
    `answered` are all answers that belong to it (None: unchanged). `left` are questions that were open when a
    photo was added."""
    told = answers_of(tableau.answered) if answered is None else answered
    revision = add_revision(
        session,
        tableau,
        msgspec.to_builtins(record),
        kind=kind,
        answered=[f"{name}={key}" for name, key in told.items()],
        told={"open": msgspec.to_builtins(left)} if left else None,
        before=before,
    )
    return judged(session, catalogue, tableau, revision, judge_table)


def judge_table(session: Session, catalogue: Catalogue, tableau: Tableau) -> None:
    """Referee the table again. All players' scores of the round are updated, except typed ones. A loss that
    depends on an unstated fact does not count as one."""
    standing = standing_of(session, catalogue, tableau)
    if standing is None:
        return
    tableau.record = msgspec.to_builtins(standing.record)
    tableau.ruling, tableau.sure = msgspec.to_builtins(standing.ruling), standing.sure
    if tableau.entry is not None:
        undecided = loss_hangs_on(standing) is not None
        for entry in tableau.entry.round.entries:
            if not undecided:
                follow_ruling(entry, standing.ruling)
            elif not entry.typed:
                empty_boxes(entry)
    touch(tableau)


def stand_again(session: Session, catalogue: Catalogue, tableau: Tableau, target: Revision) -> Revision:
    """Restore an earlier revision as the current one."""
    return revision_again(session, catalogue, tableau, target, judge_table)


# --- photos -------------------------------------------------------------------------------------------------


def take_table(session: Session, catalogue: Catalogue, shot: Shot, reading: bytes) -> None:
    """Save the reading of a table's photo, and add it to the table if the photo is the newest. The score of a
    finished game stays: a reading that would change it waits for a person's decision."""
    tableau, newest = shot.tableau, keep_reading(session, shot, reading)
    if stands_finished(tableau):
        tableau.late_shot_id = shot.id
    elif newest:
        use_table(session, catalogue, shot, kind="read")
    touch(tableau)


def use_table(session: Session, catalogue: Catalogue, shot: Shot, *, kind: str = "photo") -> None:
    """Add a photo's reading to the current table. A photo of a different table is marked as failed. Raises
    `WaymarkError` (not-read) without a reading."""
    if shot.reading is None:
        raise not_read()
    tableau = shot.tableau
    record = msgspec.convert(tableau.record, rules_of(tableau).rules.record_type)
    answers, before = answers_of(tableau.answered), None
    told = {name: key for name, key in answers.items() if is_untold(name)}
    if _joins(tableau, shot):
        before, left = before_the_photo(tableau), _open_before_the_photo(tableau)
        told |= {name: key for name, key in answers.items() if name.startswith(OPEN_BEFORE)}
    else:
        left = _still_open(standing_of(session, catalogue, tableau))
    tableau.shot_id, tableau.late_shot_id = shot.id, None
    number = before.number if before is not None else None
    revise_table(session, catalogue, tableau, record, kind=kind, answered=told, before=number, left=left)


def _still_open(standing: Standing | None) -> tuple[OpenBefore, ...]:
    """Unanswered questions about the current table; a further photo that does not show the place leaves them
    open."""
    if standing is None or standing.assessment is None or standing.asked is None:
        return ()
    return open_of(standing.assessment, standing.asked, standing.record)


def _joins(tableau: Tableau, shot: Shot) -> bool:
    """Whether a photo was read together with the one in use, so that its reading replaces the previous one.
    Both readings extend the table from before the turn. A record corrected by a person is kept, and the photo
    extends that record."""
    assert shot.reading is not None, "it was read"
    *earlier, _ = (each.id for each in of_turn(tableau, shot))
    if tableau.shot_id not in earlier or corrected_by_hand(tableau):
        return False
    return earlier.index(tableau.shot_id) in decode_table(shot.reading).photos


def leave_photo(session: Session, catalogue: Catalogue, tableau: Tableau) -> None:
    """Undo the changes made by the photo in use and by photos removed earlier. Changes that another photo of
    the same turn supports alone are kept."""
    before, used = before_the_photo(tableau), session.get(Shot, tableau.shot_id or "")
    if before is not None:
        stand_again(session, catalogue, tableau, before)
        *earlier, _ = of_turn(tableau, used) if used is not None else (None,)
        if earlier and before.shot_id != earlier[-1].id:
            other = next((shot for shot in reversed(earlier) if _can_be_used(shot)), None)
            if other is not None:
                use_table(session, catalogue, other, kind="photo")
        stands_on = session.get(Shot, tableau.shot_id or "")
        if stands_on is not None and stands_on.deleted_at is not None:
            leave_photo(session, catalogue, tableau)
        return
    tableau.shot_id = None
    if tableau.entry is not None:
        for entry in tableau.entry.round.entries:
            if not entry.typed:
                empty_boxes(entry)


def _can_be_used(shot: Shot) -> bool:
    return shot.deleted_at is None and shot.reading is not None
