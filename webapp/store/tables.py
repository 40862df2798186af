"""Life cycle of a shared table: created from stated facts, extended by photos, answers and corrections; the
ruling is updated each time.

There is one tableau for all players of the round, and it is the first player's. What stands is its record;
where that was read from a photo and no person put another in its place, it is worked out from the photo's
reading, what is told, what people answered, and how the table stood before that photo.

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
from webapp.store.revisions import add_revision, current_revision, judged, revision_numbered
from webapp.store.revisions import stand_again as revision_again
from webapp.store.rounds import follow_ruling, touch
from webapp.store.tableaus import keep_reading, not_read, stands_finished, used_shot

#: Kinds of revisions that a photo brings; what follows them is of that photo.
BY_PHOTO = frozenset({"read", "photo", "restore"})
#: Kinds by which people put another record in the place of what was read.
BY_HAND = frozenset({"card", "path", "record"})
#: A turn was taken.
TURN = "turn"
#: What stands at the beginning, and what is told and not seen.
TOLD = "table"
_KNOWN: KnownAssessments[GroupAssessment] = KnownAssessments()


@dataclass(frozen=True)
class Standing:
    """How a table stands. `assessment` is what its photo was read as, with what people answered, and `asked`
    what is open of the record as it stands; both None where no photo was read. `corrected`: a person put
    another record in the reading's place."""

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
        """What the rules say of the groups that play."""
        return groups_of(self.rules)


def loss_hangs_on(standing: Standing) -> Question | None:
    """The question on which a loss hangs: what nobody told of what was bought may have helped on whoever is
    stuck now. None where nothing is lost, or somebody has said it."""
    if standing.asked is None:
        return None
    asked = {each.name: each for each in standing.asked.questions if is_untold(each.name)}
    if not asked:
        return None
    rules, record, groups = standing.rules, standing.record, standing.groups
    if groups.told(standing.catalogue, record, standing.ruling).result != "lost":
        return None
    board = rules.board(standing.catalogue, record)
    hang = (UNTOLD + each.name for each in groups.untold(board, record, standing.ruling) if not each.last)
    return next((asked[name] for name in hang if name in asked), None)


def table_entry(round_: GameRound) -> Entry:
    """The player's round that the table of all is kept with."""
    return min(round_.entries, key=lambda entry: entry.seat.position)


def shared_entry(entry: Entry) -> Entry:
    """Owner of the tableau that photos for a player's round go to: the player, or the shared table."""
    return table_entry(entry.round) if play_kind(rules_of_entry(entry)).shared else entry


def players_of(tableau: Tableau) -> tuple[str, ...]:
    """Players in the order of their seats."""
    if tableau.entry is None:
        return ("",)
    seats = sorted(tableau.entry.round.game.seats, key=lambda seat: seat.position)
    return tuple(seat.name for seat in seats)


def encode_table(scan: GroupScan) -> bytes:
    """The reading of a table's photo as it is kept."""
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
    """A photo is read together with no other any more: those that it was read with are read again without
    it."""
    mates = [each for each in tableau.shots if each is not shot and shot in of_turn(tableau, each)]
    for each in mates:
        if each.beside == shot.id:
            each.beside = shot.beside
        if tableau.late_shot_id == each.id:
            tableau.late_shot_id = None
        each.state, each.stage, each.error, each.reading, each.attempts = "waiting", "", None, None, 0


def last_of_turn(tableau: Tableau) -> Shot | None:
    """The latest photo of a table, where nobody has taken a turn since; None where there is none, or it
    could not be read."""
    shots = [shot for shot in tableau.shots if shot.deleted_at is None]
    last = max(shots, key=lambda shot: shot.sequence, default=None)
    if last is None or last.state == "failed":
        return None
    stands = current_revision(tableau)
    while stands is not None:
        if stands.kind == TURN and stands.sequence > last.sequence:
            return None
        stands = revision_numbered(tableau, stands.before)
    return last


def shown_shot(tableau: Tableau, used: Shot) -> Shot:
    """Of the photos that were read together with the one in use, the one in which the reading lies: it shows
    most of the table."""
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
    """The reading of the photos of one turn as it is kept. Raises `WaymarkError`."""
    return encode_table(read_groups([*map(load_photo, photos)], catalogue, rules, told, on_stage))


def told_of_table(tableau: Tableau) -> dict[str, bytes]:
    """Stated facts that a photo is read with: the groups and their pens, and other statements."""
    return {"table": msgspec.json.encode(tableau.record)} if tableau.record is not None else {}


# --- how it stands ------------------------------------------------------------------------------------------


def standing_of(session: Session, catalogue: Catalogue, tableau: Tableau) -> Standing | None:
    """Current state of a table; None where nothing was stated of it yet, and for a tableau of one player.
    Raises `WaymarkError`."""
    if tableau.record is None or kind_of(tableau) is not TABLE:
        return None
    rules, terms = rules_of(tableau), terms_of(tableau)
    record = msgspec.convert(tableau.record, rules.record_type)
    shot = used_shot(session, tableau)
    by_hand = corrected_by_hand(tableau)
    if shot is None or shot.reading is None:
        ruling = rules.referee(rules.board(catalogue, record), record, terms)
        return Standing(rules, catalogue, record, ruling, terms, None, None, by_hand, sure=by_hand)
    now = asked = _assessed(catalogue, tableau, shot, rules, terms)
    if by_hand:
        asked = _assessed(catalogue, tableau, shot, rules, terms, record, now.questions)
    else:
        record = groups_of(rules).with_choices(now.record, record)
    if record != asked.record:
        ruling = rules.referee(rules.board(catalogue, record), record, terms)
    else:
        ruling = asked.ruling
    return Standing(rules, catalogue, record, ruling, terms, now, asked, by_hand, sure=asked.sure)


def corrected_by_hand(tableau: Tableau) -> bool:
    """Whether a person put another record in the place of what the photo in use was read as."""
    return any(revision.kind in BY_HAND for revision in _since_the_photo(tableau))


def _since_the_photo(tableau: Tableau) -> Iterator[Revision]:
    """The revisions that led from the latest photo to what stands, that of the photo last."""
    stands = current_revision(tableau)
    while stands is not None:
        yield stands
        if stands.kind in BY_PHOTO:
            return
        stands = revision_numbered(tableau, stands.before)


def before_the_photo(tableau: Tableau) -> Revision | None:
    """State before the photo in use was read; None where that was the first event."""
    first = _by_the_photo(tableau)
    return revision_numbered(tableau, first.before) if first is not None else None


def _by_the_photo(tableau: Tableau) -> Revision | None:
    """The revision that the photo in use brought, else the first one."""
    return next(reversed([*_since_the_photo(tableau)]), None)


def _open_before_the_photo(tableau: Tableau) -> tuple[OpenBefore, ...]:
    """What was open of the table when the photo in use was read."""
    first = _by_the_photo(tableau)
    told = first.told if first is not None and first.kind in BY_PHOTO else None
    return open_told(told) if told is not None else ()


def open_told(told: Mapping[str, Any]) -> tuple[OpenBefore, ...]:
    """Open questions that the revision of a photo keeps. Raises `msgspec.ValidationError`."""
    return msgspec.convert(told.get("open", ()), tuple[OpenBefore, ...])


def turns_taken(tableau: Tableau) -> int:
    """Number of turns that led to the current state."""
    count, stands = 0, current_revision(tableau)
    while stands is not None:
        count += stands.kind == TURN
        stands = revision_numbered(tableau, stands.before)
    return count


def answers_of(answered: Collection[Any]) -> dict[str, str]:
    """People's answers by the names of questions, as in a table's `answered`."""
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
    record = msgspec.convert(tableau.record, rules.record_type)
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


# --- what changes it ----------------------------------------------------------------------------------------


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
    """Make `record` the table's, keep it as a revision, and have it refereed; `before` as in `add_revision`.
    `answered` are all answers that count with it (None: those that did); `left` is what was open when a photo
    brought it."""
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
    """Referee the table again. The score of its round follows for all players, but where it was typed; a loss
    that hangs on what nobody told yet is none."""
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
    """Have an earlier revision stand again."""
    return revision_again(session, catalogue, tableau, target, judge_table)


# --- photos -------------------------------------------------------------------------------------------------


def take_table(session: Session, catalogue: Catalogue, shot: Shot, reading: bytes) -> None:
    """A photo of a table has been read: keep the reading, and let it add to the table where it is the newest.
    The score of a finished game stays: a reading that would change it waits to be taken over."""
    tableau, newest = shot.tableau, keep_reading(session, shot, reading)
    if stands_finished(tableau):
        tableau.late_shot_id = shot.id
    elif newest:
        use_table(session, catalogue, shot, kind="read")
    touch(tableau)


def use_table(session: Session, catalogue: Catalogue, shot: Shot, *, kind: str = "photo") -> None:
    """Let a photo add to the table as it stands. A photo of another table than this one is told as failed.
    Raises `WaymarkError` (not-read) where it has not been read."""
    if shot.reading is None:
        raise not_read()
    tableau = shot.tableau
    record = msgspec.convert(tableau.record, rules_of(tableau).record_type)
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
    """What nobody has answered of a table as it stands: another photo that does not show it makes nothing of
    it sure."""
    if standing is None or standing.assessment is None or standing.asked is None:
        return ()
    return open_of(standing.assessment, standing.asked, standing.record)


def _joins(tableau: Tableau, shot: Shot) -> bool:
    """Whether a photo was read together with the one in use, whose reading its own then replaces: both add to
    the table as it stood before the turn. What people put in a reading's place stays, and it adds to that."""
    assert shot.reading is not None, "it was read"
    *earlier, _ = (each.id for each in of_turn(tableau, shot))
    if tableau.shot_id not in earlier or corrected_by_hand(tableau):
        return False
    return earlier.index(tableau.shot_id) in decode_table(shot.reading).photos


def leave_photo(session: Session, catalogue: Catalogue, tableau: Tableau) -> None:
    """What the photo in use added is taken back: the table stands as before it, and before those that were
    taken off earlier, but for what another photo of the same turn says alone."""
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
