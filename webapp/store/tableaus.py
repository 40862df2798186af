"""Life cycle of a tableau: photos are added and read, the best reading is used, people correct it; the ruling
is updated each time.

All functions work inside the caller's transaction. `Assessment` is what pages and the API show: it is
computed from the stored data and never stored itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.game import most_pieces
from scorer.play_kinds import TABLEAU
from scorer.record import Record
from scorer.text import Text
from vision.cards.pose import Corners
from vision.reader import PinnedCard
from vision.scan import Scan
from waymark.review.pipeline import decode_reading, encode_reading
from waymark.review.tableau.answers import still_settled
from waymark.review.tableau.assess import Assessment
from waymark.review.tableau.question_names import CARDS_CORRECTED
from waymark.review.tableau.reread import Carried, carry_over, ink_is_read, pinned_cards, read_on
from webapp.store.assessments import assessed
from webapp.store.boxes import boxes_of, empty_boxes, house_rules_of, is_blank, kind_of, rules_of, terms_of
from webapp.store.models import Photo, Revision, Shot, Tableau, now
from webapp.store.photos import StoredPhoto
from webapp.store.revisions import add_revision, revision_numbered, revisions_back
from webapp.store.revisions import current_revision as current_revision
from webapp.store.rounds import follow_ruling
from webapp.store.rounds import score_of as score_of
from webapp.store.rounds import touch as touch

# --- photos -------------------------------------------------------------------------------------------------


def add_shot(
    session: Session,
    tableau: Tableau,
    stored: StoredPhoto,
    *,
    filename: str = "",
    client_key: str | None = None,
    beside: str | None = None,
) -> Shot:
    """Add a stored photo to a tableau; it is queued for reading."""
    photo = session.get(Photo, stored.sha256)
    if photo is None:
        photo = Photo(
            id=stored.sha256,
            media_type=stored.media_type,
            width=stored.width,
            height=stored.height,
            size_bytes=stored.size_bytes,
        )
        session.add(photo)
        session.flush()
    shot = Shot(tableau=tableau, photo=photo, filename=filename, client_key=client_key, beside=beside)
    session.add(shot)
    touch(tableau)
    return shot


def take_reading(session: Session, catalogue: Catalogue, shot: Shot, scan: Scan) -> None:
    """Save the reading of a photo, and use it if it is the best of the tableau's photos. Corrections are
    kept. A finished game's score is kept, too: a reading that would change it waits for a person's decision.
    So does a contradicting, sure reading of another photo."""
    shot.state, shot.stage, shot.error = "done", "", None
    tableau = shot.tableau
    if shot.reread_of is not None:
        _take_reread(session, catalogue, tableau, shot, scan)
        touch(tableau)
        return
    shot.reading = encode_reading(scan)
    if not is_corrected(tableau):
        best = best_shot(catalogue, tableau)
        if best is not None and stands_finished(tableau) and _says_otherwise(catalogue, best):
            tableau.late_shot_id = best.id
        elif best is not None:
            use_shot(session, catalogue, tableau, best, kind="read")
            tableau.late_shot_id = _contradicting(session, catalogue, tableau, tableau.shots)
    elif not stands_finished(tableau):
        tableau.late_shot_id = _contradicting(session, catalogue, tableau, [shot]) or tableau.late_shot_id
    touch(tableau)


def keep_reading(session: Session, shot: Shot, reading: bytes) -> bool:
    """Save the reading of a photo of a shared tableau. Returns whether it is the newest photo in use."""
    shot.state, shot.stage, shot.error, shot.reading = "done", "", None, reading
    used = used_shot(session, shot.tableau)
    session.flush()
    return used is None or used.sequence <= shot.sequence


def read_again(session: Session, deck: str, card: str) -> int:
    """Queue the photos that show a newly traced card for another reading; returns their number. Corrected
    tableaus and finished games are left out."""
    shows = select(Tableau).where(
        Tableau.deck == deck,
        Tableau.deleted_at.is_(None),
        Tableau.cards.contains(f"\n{card.lower()}\n", autoescape=True),
    )
    return sum(
        read_tableau_again(tableau)
        for tableau in session.scalars(shows)
        if not is_corrected(tableau) and not stands_finished(tableau)
    )


def read_tableau_again(tableau: Tableau) -> int:
    """Queue the photos of a tableau for another reading; returns their number."""
    done = [shot for shot in tableau.shots if shot.state == "done" and shot.deleted_at is None]
    for shot in done:
        shot.state, shot.stage, shot.attempts = "waiting", "", 0
    touch(tableau)
    return len(done)


def _contradicting(
    session: Session, catalogue: Catalogue, tableau: Tableau, shots: Sequence[Shot]
) -> str | None:
    """Id of the latest of `shots` whose reading contradicts the current record, so that a person must decide.
    An unsure reading counts only if it came after a sure one, since more may have been drawn. A photo with
    only some of the cards does not count."""
    if tableau.record is None or tableau.ruling is None or tableau.shot_id is None:
        return None
    rules, used = rules_of(tableau), session.get_one(Shot, tableau.shot_id)
    stands = rules.rules.worth(msgspec.convert(tableau.ruling, rules.rules.verdict_type))
    laid = Counter(card["card"] for card in tableau.record["cards"])
    others = [shot for shot in shots if shot.state == "done" and shot.deleted_at is None]
    for shot in sorted(others, key=lambda shot: shot.sequence, reverse=True):
        if shot.reread_of is not None or in_use(session, shot):
            continue
        judged = _as_read(catalogue, shot)
        seen = Counter(card.card for card in judged.scan.tableau.cards)
        counts = judged.scan.sure or (tableau.sure and shot.sequence > used.sequence)
        if counts and not seen < laid and rules.rules.worth(judged.ruling) != stands:
            return shot.id
    return None


def pen_owner(tableau: Tableau) -> str:
    """Id of the owner of the pen that drew on a tableau: the player's person, or the tableau itself outside
    games."""
    return tableau.entry.seat.person_id if tableau.entry is not None else tableau.id


def stands_finished(tableau: Tableau) -> bool:
    """Whether a finished game has a score from this tableau, so that new photos must not change it. In a
    blank round the first reading counts."""
    entry = tableau.entry
    if entry is None or entry.typed or entry.round.game.finished_at is None:
        return False
    return not is_blank(entry)


def _says_otherwise(catalogue: Catalogue, shot: Shot) -> bool:
    """Whether a photo's reading gives another score than the stored one of its round."""
    entry = shot.tableau.entry
    if entry is None:
        return False
    return boxes_of(entry) != score_of(entry, _as_read(catalogue, shot).ruling)


def not_read() -> WaymarkError:
    """The error for using a photo that has no reading."""
    return WaymarkError(
        Code.NOT_READ,
        Text(
            "This photo has not been read, so its reading cannot be used; choose another or take a new one."
        ),
    )


def best_shot(catalogue: Catalogue, tableau: Tableau) -> Shot | None:
    """The photo with the best reading: most cards, then sure before unsure, then the likeliest; of equal ones
    the first. Cards come first, since half a tableau can be read with certainty and be wrong."""

    def quality(shot: Shot) -> tuple[int, float]:
        judged = _as_read(catalogue, shot)
        return len(judged.scan.cards), 1.0 if judged.sure else judged.probability

    done = [shot for shot in tableau.shots if shot.state == "done" and shot.deleted_at is None]
    return max(done, key=quality, default=None)


def _as_read(catalogue: Catalogue, shot: Shot) -> Assessment:
    """Assessment of a tableau from one photo's reading alone."""
    return assessed(catalogue, shot.tableau, decode_reading(shot.reading or b""))


def use_shot(session: Session, catalogue: Catalogue, tableau: Tableau, shot: Shot, *, kind: str) -> None:
    """Make a photo's reading the tableau's current record. Corrections remain in the revisions."""
    tableau.shot_id, tableau.late_shot_id = shot.id, None
    judged = _as_read(catalogue, shot)
    revise(session, catalogue, tableau, judged.scan.tableau, kind=kind, answered=())


def unread(tableau: Tableau) -> None:
    """Clear the tableau's record, and its score unless typed. Revisions are kept."""
    tableau.shot_id, tableau.record, tableau.ruling = None, None, None
    tableau.answered, tableau.sure = [], False
    entry = tableau.entry
    if entry is not None and not entry.typed:
        empty_boxes(entry)


def _take_reread(session: Session, catalogue: Catalogue, tableau: Tableau, shot: Shot, scan: Scan) -> None:
    """Save a rescan of the ink on corrected cards, and apply it unless it would change a finished game."""
    shot.reading = encode_reading(scan)
    if stands_finished(tableau):
        tableau.late_shot_id = shot.id
    else:
        take_over_reread(session, catalogue, shot)


def take_over_reread(session: Session, catalogue: Catalogue, shot: Shot) -> bool:
    """Apply a rescan of the ink, together with people's earlier changes. False, and nothing is done, where
    the cards or the photo in use have changed meanwhile."""
    tableau = shot.tableau
    carried = carried_reread(session, catalogue, shot)
    if carried is None:
        return False
    # Undoing also undoes the changes that followed from the correction automatically.
    stands = current_revision(tableau)
    before = stands.before if stands is not None and _changed_cards(tableau, stands) else None
    shot.reading = encode_reading(carried.scan)
    tableau.shot_id, tableau.late_shot_id, tableau.record = shot.id, None, None
    revise(
        session,
        catalogue,
        tableau,
        carried.record,
        kind="reread",
        answered=sorted(carried.answered),
        before=before,
    )
    return True


def carried_reread(session: Session, catalogue: Catalogue, shot: Shot) -> Carried | None:
    """The tableau's record with rescanned ink; None where the rescan is of other cards or another photo."""
    tableau = shot.tableau
    used = used_shot(session, tableau)
    if used is None or used.reading is None or shot.reading is None or tableau.record is None:
        return None
    ours, scan = msgspec.convert(tableau.record, Record), decode_reading(shot.reading)
    if first_shot_id(used) != shot.reread_of or CARDS_CORRECTED in tableau.answered:
        return None
    if not ink_is_read(scan, ours, catalogue):
        return None
    return carry_over(
        decode_reading(used.reading), ours, scan, catalogue, tableau.answered, earlier=before_cards(tableau)
    )


def before_cards(tableau: Tableau) -> Record | None:
    """The record before the latest correction of the cards; the current record where the cards were not
    corrected."""
    unchanged = (each for each in revisions_back(tableau) if not _changed_cards(tableau, each))
    stands = next(unchanged, None)
    return msgspec.convert(stands.record, Record) if stands is not None else None


def _changed_cards(tableau: Tableau, revision: Revision) -> bool:
    """Whether a revision changed the cards, by a correction or an answer."""
    before = revision_numbered(tableau, revision.before)
    return before is not None and (
        revision.kind == "card"
        or (revision.kind == "answer" and revision.record["cards"] != before.record["cards"])
    )


def used_shot(session: Session, tableau: Tableau) -> Shot | None:
    """The photo whose reading is in use; None where none is."""
    return session.get(Shot, tableau.shot_id) if tableau.shot_id is not None else None


def first_shot_id(shot: Shot) -> str:
    """Id of the original shot of a reading, also for a rescan."""
    return shot.reread_of or shot.id


def in_use(session: Session, shot: Shot) -> bool:
    """Whether a reading of this photo is the one in use."""
    used = used_shot(session, shot.tableau)
    return used is not None and first_shot_id(used) == first_shot_id(shot)


def rereading(session: Session, tableau: Tableau) -> Shot | None:
    """The latest rescan of ink on corrected cards, finished or waiting."""
    return session.scalar(
        select(Shot)
        .where(Shot.tableau_id == tableau.id, Shot.reread_of.is_not(None), Shot.deleted_at.is_(None))
        .order_by(Shot.sequence.desc())
        .limit(1)
    )


# --- corrections --------------------------------------------------------------------------------------------


def revise(
    session: Session,
    catalogue: Catalogue,
    tableau: Tableau,
    record: Record,
    *,
    kind: str,
    answered: Collection[str],
    before: int | None = None,
    repeats: int | None = None,
    corners: Mapping[int, Corners] | None = None,
) -> Revision:
    """Save `record` as a new revision of the tableau, and referee it. `answered` are all settled questions;
    `before` and `repeats` are as in `add_revision`.

    If the ink was read on other cards, it is read again, with the card outlines dragged by a person
    (`corners`, by card)."""
    if tableau.record is not None:
        answered = [*still_settled(answered, msgspec.convert(tableau.record, Record), record)]
    revision = add_revision(
        session,
        tableau,
        msgspec.to_builtins(record),
        kind=kind,
        answered=answered,
        settings=house_rules_of(tableau) if tableau.entry is None else None,
        before=before,
        repeats=repeats,
    )
    judge_tableau(session, catalogue, tableau)
    _ask_to_reread(session, catalogue, tableau, record, corners)
    return revision


def _ask_to_reread(
    session: Session,
    catalogue: Catalogue,
    tableau: Tableau,
    record: Record,
    corners: Mapping[int, Corners] | None,
) -> None:
    """Queue a rescan where the ink was read on other cards, unless a person has confirmed the path on these
    cards. Rescans of outdated cards are cancelled."""
    session.flush()
    latest = rereading(session, tableau)
    if latest is not None and latest.state in ("waiting", "failed"):
        latest.deleted_at = now()
    used = used_shot(session, tableau)
    if used is None or used.reading is None or CARDS_CORRECTED in tableau.answered:
        return
    scan = decode_reading(used.reading)
    if corners is None and ink_is_read(read_on(scan, record, catalogue), record, catalogue):
        return
    before = msgspec.convert(latest.given, tuple[PinnedCard, ...]) if latest and latest.given else ()
    pinned = pinned_cards(scan, record, catalogue, answered=tableau.answered, before=before, corners=corners)
    again = Shot(
        tableau_id=tableau.id,
        photo_id=used.photo_id,
        filename=used.filename,
        reread_of=first_shot_id(used),
        given=msgspec.to_builtins(pinned),
    )
    session.add(again)
    session.flush()


def is_corrected(tableau: Tableau) -> bool:
    """Whether a person has changed the reading in use (an answer is a correction)."""
    latest = max(tableau.revisions, key=lambda revision: revision.number, default=None)
    return latest is not None and latest.kind not in ("read", "restore", "photo")


def judge_tableau(session: Session, catalogue: Catalogue, tableau: Tableau) -> None:
    """Referee the tableau again after a correction, or a change of means or objectives. The round's score is
    updated unless typed."""
    assessment = assessment_of(session, catalogue, tableau)
    if assessment is None:
        return
    # The direction may have been determined by means that have changed since.
    tableau.record = msgspec.to_builtins(assessment.record)
    tableau.ruling, tableau.sure = msgspec.to_builtins(assessment.ruling), assessment.sure
    if tableau.entry is not None:
        follow_ruling(tableau.entry, assessment.ruling)
    touch(tableau)


def assessment_of(session: Session, catalogue: Catalogue, tableau: Tableau) -> Assessment | None:
    """Assessment of the tableau's current state, or None while no photo of it has been read, and where it
    is of another game than the cards in use."""
    if tableau.game != catalogue.game or kind_of(tableau) is not TABLEAU:
        return None
    shot = used_shot(session, tableau)
    if shot is None or shot.reading is None or tableau.record is None:
        return None
    scan = decode_reading(shot.reading)
    if not is_corrected(tableau):
        return assessed(catalogue, tableau, scan)
    return assessed(catalogue, tableau, scan, msgspec.convert(tableau.record, Record), tableau.answered)


# --- pending readings ---------------------------------------------------------------------------------------

# A photo's reading is pending if it differs from the current record and is read after its game has finished,
# or is no more certain than another photo of the same tableau. The current record is kept until a person
# accepts or rejects the reading.


def pending_shot(session: Session, tableau: Tableau) -> Shot | None:
    """The photo whose reading waits for a person's decision; None where there is none."""
    shot = session.get(Shot, tableau.late_shot_id) if tableau.late_shot_id is not None else None
    return shot if shot is not None and shot.deleted_at is None else None


def pending_assessment(session: Session, catalogue: Catalogue, shot: Shot) -> Assessment | None:
    """Assessment of the tableau with a waiting reading; None where the tableau's cards have changed since."""
    if shot.reading is None:
        return None
    if shot.reread_of is None:
        return _as_read(catalogue, shot)
    carried = carried_reread(session, catalogue, shot)
    if carried is None:
        return None
    return assessed(catalogue, shot.tableau, carried.scan, carried.record, carried.answered)


def says_otherwise(tableau: Tableau, ruling: Any, other: Any) -> bool:
    """Whether two rulings on a tableau give different scores, now or for objectives that are still
    unknown."""
    rules = rules_of(tableau)
    row = rules.sheet.row(ruling)
    if None in row.values() and rules.rules.worth(ruling) != rules.rules.worth(other):
        return True
    return row != rules.sheet.row(other)


def leave_pending(tableau: Tableau, shot: Shot) -> None:
    """Keep the current reading: the other photo is stored and no longer offered."""
    if tableau.late_shot_id == shot.id:
        tableau.late_shot_id = None
        touch(tableau)


def offer_pending(tableau: Tableau, shot: Shot) -> None:
    """Undo `leave_pending`."""
    if shot.state == "done":
        tableau.late_shot_id = shot.id
        touch(tableau)


# --- the tableau's round ------------------------------------------------------------------------------------


def means_of(tableau: Tableau) -> Any:
    """Held means, objectives and house rules: the round's in a game, the tableau's own outside one."""
    return terms_of(tableau)


def most_cards(tableau: Tableau) -> int | None:
    """The greatest number of cards in the tableau by its rules; None where nobody knows it."""
    try:
        return most_pieces(rules_of(tableau), means_of(tableau))
    except WaymarkError:
        return None


def delete(row: Tableau | Shot) -> None:
    """Hide a row; `restore` brings it back."""
    row.deleted_at = now()


def restore(row: Tableau | Shot) -> None:
    """Bring back what `delete` hid."""
    row.deleted_at = None
