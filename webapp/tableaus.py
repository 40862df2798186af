"""A tableau's life: photos are added and read, the best reading stands, people correct it, the referee
follows.

All functions work inside the caller's transaction. `Standing` is what pages and the API show: it is
computed from what is kept and never kept itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.mapmasters.ruling import Ruling
from scorer.mapmasters.settings import HOUSE, VersusSettings
from scorer.record import Record
from vision.scan import Scan
from webapp.chain import Means, judge
from webapp.models import Entry, Photo, Revision, Shot, Tableau, now
from webapp.photo_store import StoredPhoto
from webapp.readings import decode_reading, encode_reading
from webapp.standing import Standing, stand, still_settled

# --- photos -------------------------------------------------------------------------------------------------


def add_shot(
    session: Session,
    tableau: Tableau,
    stored: StoredPhoto,
    *,
    filename: str = "",
    client_key: str | None = None,
) -> Shot:
    """Note a photo of a tableau that lies in the photo store; it waits to be read."""
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
    shot = Shot(tableau=tableau, photo=photo, filename=filename, client_key=client_key)
    session.add(shot)
    touch(tableau)
    return shot


def take_reading(session: Session, catalogue: Catalogue, shot: Shot, scan: Scan) -> None:
    """A photo has been read: keep the reading, and use it if it is the best of the tableau's photos. What
    people corrected stays as they left it."""
    shot.reading = encode_reading(scan)
    shot.state, shot.stage, shot.error = "done", "", None
    tableau = shot.tableau
    if not is_corrected(tableau):
        best = best_shot(catalogue, tableau)
        if best is not None:
            use_shot(session, catalogue, tableau, best, kind="read")
    touch(tableau)


def best_shot(catalogue: Catalogue, tableau: Tableau) -> Shot | None:
    """The photo that was read best: more cards before fewer (half a tableau is read surely and wrongly), sure
    before unsure, fewer questions, then the surer cards."""

    def quality(shot: Shot) -> tuple[int, bool, int, float]:
        judged = judge(decode_reading(shot.reading or b""), catalogue, means_of(tableau))
        cards = judged.scan.cards
        confidence = fmean(card.confidence for card in cards) if cards else 0.0
        return len(cards), judged.scan.sure, -len(judged.scan.questions), confidence

    done = [shot for shot in tableau.shots if shot.state == "done" and shot.deleted_at is None]
    return max(done, key=quality, default=None)


def use_shot(session: Session, catalogue: Catalogue, tableau: Tableau, shot: Shot, *, kind: str) -> None:
    """Take a photo's reading as the tableau's, corrections aside; they stay in the revisions."""
    tableau.shot_id = shot.id
    judged = judge(decode_reading(shot.reading or b""), catalogue, means_of(tableau))
    revise(session, catalogue, tableau, judged.scan.tableau, kind=kind, answered=())


def unread(tableau: Tableau) -> None:
    """No photo's reading stands; neither does its score, unless a person typed it. Revisions stay."""
    tableau.shot_id, tableau.record, tableau.ruling = None, None, None
    tableau.answered, tableau.sure = [], False
    entry = tableau.entry
    if entry is not None and not entry.typed:
        entry.primary_vp = entry.secondary_vp = entry.escaped = None
        entry.coins_received = 0


# --- corrections --------------------------------------------------------------------------------------------


def revise(
    session: Session,
    catalogue: Catalogue,
    tableau: Tableau,
    record: Record,
    *,
    kind: str,
    answered: Sequence[int],
) -> Revision:
    """Make `record` the tableau's, keep it as a revision, and have it refereed. `answered` are the questions
    that are settled with it, those settled before included."""
    if tableau.record is not None:
        before = msgspec.convert(tableau.record, Record)
        answered = [*still_settled(answered, before, record)]
    number = max((revision.number for revision in tableau.revisions), default=-1) + 1
    plain = msgspec.to_builtins(record)
    revision = Revision(
        tableau=tableau,
        number=number,
        kind=kind,
        shot_id=tableau.shot_id,
        record=plain,
        answered=sorted(set(answered)),
    )
    session.add(revision)
    tableau.record, tableau.answered = plain, revision.answered
    rejudge(session, catalogue, tableau)
    return revision


def is_corrected(tableau: Tableau) -> bool:
    """Whether a person has changed the reading that stands (an answer is a correction)."""
    latest = max(tableau.revisions, key=lambda revision: revision.number, default=None)
    return latest is not None and latest.kind not in ("read", "restore", "photo")


def rejudge(session: Session, catalogue: Catalogue, tableau: Tableau) -> None:
    """Referee the tableau again: after a correction, or when means or objectives changed. The score of
    its round follows, unless a person typed it."""
    standing = standing_of(session, catalogue, tableau)
    if standing is None:
        return
    # The direction may have been settled by means that have changed since.
    tableau.record = msgspec.to_builtins(standing.record)
    tableau.ruling, tableau.sure = msgspec.to_builtins(standing.ruling), standing.sure
    if tableau.entry is not None:
        follow_ruling(tableau.entry, standing.ruling)
    touch(tableau)


def standing_of(session: Session, catalogue: Catalogue, tableau: Tableau) -> Standing | None:
    """The tableau as it stands, or None while no photo of it has been read."""
    shot = session.get(Shot, tableau.shot_id) if tableau.shot_id is not None else None
    if shot is None or shot.reading is None or tableau.record is None:
        return None
    if not is_corrected(tableau):
        return stand(decode_reading(shot.reading), catalogue, means_of(tableau))
    return stand(
        decode_reading(shot.reading),
        catalogue,
        means_of(tableau),
        corrected=msgspec.convert(tableau.record, Record),
        answered=tableau.answered,
    )


# --- the round it belongs to --------------------------------------------------------------------------------


def means_of(tableau: Tableau) -> Means:
    """What is held and asked for, and the house rules: the round's in a game, the tableau's own outside
    one."""
    entry = tableau.entry
    if entry is None:
        return Means(tableau.fairy_tokens, tuple(tableau.spellbooks), tableau.primary, tableau.secondary)
    round_ = entry.round
    return Means(
        entry.fairy_tokens,
        tuple(entry.spellbooks),
        round_.primary,
        round_.secondary,
        settings_of(tableau),
    )


def settings_of(tableau: Tableau) -> VersusSettings:
    """The house settings of the tableau's game."""
    return game_settings(tableau.entry.round.game.settings) if tableau.entry is not None else HOUSE


def game_settings(changed: dict[str, Any]) -> VersusSettings:
    """The settings of a game from what it changed."""
    return replace(HOUSE, **changed)


def follow_ruling(entry: Entry, ruling: Ruling) -> None:
    """Write a ruling's score into a player's round, unless a person typed another."""
    if entry.typed:
        return
    entry.primary_vp = ruling.primary.vp if ruling.primary is not None else None
    entry.secondary_vp = ruling.secondary.vp if ruling.secondary is not None else None
    entry.escaped, entry.coins_received = ruling.escaped, ruling.coins


def touch(tableau: Tableau) -> None:
    """Tell every page that shows the tableau, or its game, to look again."""
    tableau.version += 1
    if tableau.entry is not None:
        tableau.entry.round.game.version += 1


def delete(row: Tableau | Shot) -> None:
    """Hide a row; `restore` brings it back."""
    row.deleted_at = now()


def restore(row: Tableau | Shot) -> None:
    """Bring back what `delete` hid."""
    row.deleted_at = None
