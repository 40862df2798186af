"""Claims: what players say about a ruling, and settling it by what turns out to be so.

All functions work inside the caller's transaction."""

from __future__ import annotations

import msgspec
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from scorer.mapmasters.direction import path_backwards
from scorer.record import Record
from webapp.dispute.dispute_model import NewClaim, Settle
from webapp.dispute.disputes import (
    Assumption,
    changed_means,
    direction_settled,
    parse_assumption,
    suppose,
    with_path,
)
from webapp.models import Claim, Revision, Tableau, now
from webapp.play import games
from webapp.reading.corrections import SetMeans, SetPayment
from webapp.reading.judging import Means
from webapp.reading.standing import Standing
from webapp.review.correcting import correct
from webapp.review.review_model import Answer
from webapp.review.reviewing import answer_question, changed_meanwhile
from webapp.sent_once import id_for
from webapp.services import get_row, not_found
from webapp.tableaus import means_of, revise, standing_of, touch


def add_claim(session: Session, catalogue: Catalogue, tableau: Tableau, new: NewClaim) -> Claim:
    """Write down what a player says. Raises `WaymarkError`: nobody says it, nothing is said, it assumes what
    cannot be, or there is no such path."""
    claim_id = id_for(tableau.id, new.client_key)
    known = session.get(Claim, claim_id)
    if known is not None:
        return known
    who, words = new.who.strip(), new.words.strip()
    standing = standing_of(session, catalogue, tableau)
    if standing is None:
        raise unread_dispute()
    if not who:
        raise WaymarkError(
            "no-name",
            "Say whose claim this is.",
            "だれの主張かを入力してください。",
        )
    if not words and new.assumes is None and new.revision is None:
        raise WaymarkError(
            "no-claim",
            "Say in words what should be otherwise, or choose what is to be assumed.",
            "どこが違うと思うかを書くか、仮定を選んでください。",
        )
    record = None
    if new.revision is not None:
        means = means_of(tableau)
        found = {revision.number: revision for revision, _ in paths_of(tableau, standing, catalogue, means)}
        if new.revision not in found:
            raise _cannot_be()
        record = found[new.revision].record
    elif new.assumes is not None and parse_assumption(new.assumes) is None:
        raise _cannot_be()
    claim = Claim(id=claim_id, tableau=tableau, who=who, words=words, record=record, assumes=new.assumes)
    session.add(claim)
    touch(tableau)
    session.flush()
    return claim


def delete_claim(claim: Claim) -> None:
    """Take a claim back; it is kept."""
    claim.deleted_at = now()
    touch(claim.tableau)


def restore_claim(claim: Claim) -> None:
    """Make a claim again that was taken back."""
    claim.deleted_at = None
    touch(claim.tableau)


def ruled_claim(claim: Claim, standing: Standing, catalogue: Catalogue, means: Means) -> Standing | None:
    """How the tableau would stand if the claim held; None for words alone and for what cannot be any more."""
    if claim.record is not None:
        return _with_path(msgspec.convert(claim.record, Record), standing, catalogue, means)
    assumption = parse_assumption(claim.assumes) if claim.assumes else None
    return suppose(standing, catalogue, means, assumption) if assumption is not None else None


def paths_of(
    tableau: Tableau, standing: Standing, catalogue: Catalogue, means: Means
) -> list[tuple[Revision, Standing]]:
    """Paths over the same cards that people drew and that do not stand now, newest first, each once."""
    seen = {standing.record.path}
    found = []
    for revision in sorted(tableau.revisions, key=lambda each: -each.number):
        record = msgspec.convert(revision.record, Record)
        then = _with_path(record, standing, catalogue, means)
        if then is None or record.path in seen:
            continue
        seen.add(record.path)
        found.append((revision, then))
    return found


def settle_dispute(session: Session, catalogue: Catalogue, tableau: Tableau, settle: Settle) -> None:
    """Make what was assumed a fact: means, what was used, the answer to a question, the direction, a path, a
    house rule of the game. Raises `WaymarkError` (conflict) where the tableau has changed in the meantime,
    and where it cannot be."""
    standing = standing_of(session, catalogue, tableau)
    if standing is None or tableau.version != settle.version:
        raise changed_meanwhile()
    if settle.claim is not None:
        claim = get_row(session, Claim, settle.claim)
        if claim.tableau_id != tableau.id:
            raise not_found()
        if claim.record is not None:
            record = msgspec.convert(claim.record, Record)
            if _with_path(record, standing, catalogue, means_of(tableau)) is None:
                raise _cannot_be()
            _take_path(session, catalogue, tableau, standing, record)
            return
        key = claim.assumes
    else:
        key = settle.assumes
    assumption = parse_assumption(key) if key else None
    if assumption is None:
        raise _cannot_be()
    _take(session, catalogue, tableau, standing, assumption)


def unread_dispute() -> WaymarkError:
    """The error for a tableau that has no ruling."""
    return WaymarkError(
        "not-read",
        "There is no ruling to dispute yet; take a photo of the cards first.",
        "まだ判定がありません。先にカードの写真を撮ってください。",
    )


def _take(
    session: Session, catalogue: Catalogue, tableau: Tableau, standing: Standing, assumption: Assumption
) -> None:
    if assumption.kind == "reading":
        given = Answer(question=assumption.question, option=assumption.option, version=tableau.version)
        answer_question(session, catalogue, tableau, given)
        return
    if assumption.kind == "backwards":
        record = standing.record
        back = msgspec.structs.replace(record, path=path_backwards(record.path))
        _take_path(session, catalogue, tableau, standing, back)
        return
    if assumption.kind == "paid":
        paid = SetPayment(at=assumption.at, means=assumption.way.means, source=assumption.way.source)
        correct(session, catalogue, tableau, paid, tableau.version)
        return
    changed = changed_means(means_of(tableau), assumption)
    if changed is None:
        raise _cannot_be()
    if assumption.kind == "house":
        if tableau.entry is None:
            raise _cannot_be()
        games.change_settings(session, catalogue, tableau.entry.round.game, changed.settings)
        return
    held = SetMeans(fairy_tokens=changed.fairy_tokens, spellbooks=changed.spellbooks)
    correct(session, catalogue, tableau, held, tableau.version)


def _take_path(
    session: Session, catalogue: Catalogue, tableau: Tableau, standing: Standing, record: Record
) -> None:
    taken = msgspec.structs.replace(standing.record, path=record.path)
    revise(session, catalogue, tableau, taken, kind="path", answered=sorted(direction_settled(standing)))


def _with_path(record: Record, standing: Standing, catalogue: Catalogue, means: Means) -> Standing | None:
    """The tableau with another path; None where that was drawn over other cards."""
    if record.cards != standing.record.cards:
        return None
    return with_path(standing, catalogue, means, record.path)


def _cannot_be() -> WaymarkError:
    return WaymarkError(
        "cannot-be",
        "That cannot be assumed of this tableau (any more); look at the dispute again and choose anew.",
        "その仮定はこのタブローには当てはまらなくなりました。もう一度確かめて選び直してください。",
    )
