"""Players' claims about a ruling, and their settlement by established facts.

All functions work inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.counterfactual import Assumption
from scorer.errors import Code, WaymarkError
from scorer.places import known_place
from scorer.record import Record, path_backwards
from scorer.text import Text
from waymark.review.tableau.answers import direction_settled, with_path
from waymark.review.tableau.assess import Assessment
from waymark.review.tableau.counterfactuals import (
    BACKWARDS,
    assumed_answer,
    parse_assumption,
    suppose,
    supposed_of,
)
from waymark.review.tableau.edits import SetMeans, SetTerms
from webapp.disputes.drawn_paths import with_claimed_path
from webapp.disputes.model import NewClaim, Settle
from webapp.disputes.words import assumption_words
from webapp.games import games
from webapp.store.boxes import group_of, only, rules_of, with_usual
from webapp.store.database import get_row, not_found
from webapp.store.idempotency import id_for
from webapp.store.models import Claim, Revision, Tableau, now
from webapp.store.tableaus import assessment_of, current_revision, revise, touch
from webapp.tableaus.answers import answer_question, changed_meanwhile
from webapp.tableaus.corrections import correct
from webapp.tableaus.model import Answer


class Basis(msgspec.Struct, frozen=True):
    """The basis of a claim when it was made: its assumption in `words`, by language, and the number of such
    means held `before` (for a house rule, 1 if it was on)."""

    words: dict[str, str]
    before: dict[str, int]


@dataclass(frozen=True)
class ClaimNow:
    """Current result of a claim. `assumption` is still hypothetical; None for words alone, a path, or an
    assumption that has come true. `then` is the resulting assessment; None for words alone or an impossible
    claim. `accepted`: the table agreed, and that was not undone."""

    assumption: Assumption | None
    then: Assessment | None
    accepted: bool


def add_claim(session: Session, catalogue: Catalogue, tableau: Tableau, new: NewClaim) -> Claim:
    """Save a player's claim. Raises `WaymarkError` for a missing name or text, an impossible assumption, or
    an unknown path."""
    claim_id = id_for(tableau.id, new.client_key)
    known = session.get(Claim, claim_id)
    if known is not None:
        return known
    who, words = new.who.strip(), new.words.strip()
    assessment = assessment_of(session, catalogue, tableau)
    if assessment is None:
        raise unread_dispute()
    if not who:
        raise WaymarkError(Code.NO_NAME, Text("Say whose claim this is."))
    brought = sum(each is not None for each in (new.assumes, new.revision, new.path))
    if not words and not brought:
        raise no_claim()
    if brought > 1:
        raise WaymarkError(
            Code.SEVERAL_CLAIMS,
            Text("A claim brings one thing, another path or one assumption; make a claim of each."),
        )
    record = None
    assumption = None
    if new.path is not None:
        drawn = with_claimed_path(assessment, new.path).record
        record = msgspec.to_builtins(drawn)
    elif new.revision is not None:
        found = {revision.number: revision for revision, _ in paths_of(tableau, assessment)}
        if new.revision not in found:
            raise _cannot_be()
        record = found[new.revision].record
    elif new.assumes is not None:
        assumption = parse_assumption(assessment, new.assumes)
        if assumption is None:
            raise _cannot_be()
    assumes = assumption.key if assumption is not None else None
    claim = Claim(id=claim_id, tableau=tableau, who=who, words=words, record=record, assumes=assumes)
    if assumption is not None:
        said = assumption_words(assessment, assumption)
        before = assessment.table.game.play.what_ifs.before(assessment.terms, assumption)
        claim.basis = msgspec.to_builtins(Basis(said, before))
    return written(session, claim)


def written(session: Session, claim: Claim) -> Claim:
    """Save a new claim with its tableau."""
    session.add(claim)
    touch(claim.tableau)
    session.flush()
    return claim


def no_claim() -> WaymarkError:
    """The error for an empty claim."""
    return WaymarkError(
        Code.NO_CLAIM, Text("Say in words what should be different, or choose an assumption.")
    )


def delete_claim(claim: Claim) -> None:
    """Mark a claim as withdrawn; it is kept in the database."""
    claim.deleted_at = now()
    touch(claim.tableau)


def restore_claim(claim: Claim) -> None:
    """Restore a withdrawn claim."""
    claim.deleted_at = None
    touch(claim.tableau)


def claim_now(claim: Claim, assessment: Assessment) -> ClaimNow:
    """The referee's result of a claim in the tableau's current state."""
    accepted = _is_accepted(claim, assessment)
    if claim.record is not None:
        then = _with_path(msgspec.convert(claim.record, Record), assessment)
        return ClaimNow(None, then, accepted)
    assumption = _assumption_of(claim, assessment)
    if assumption is None:
        return ClaimNow(None, None, accepted)
    left = _left(claim, assumption, assessment)
    if left is None or (accepted and assumption.kind in ("reading", BACKWARDS.kind)):
        # In the other direction it would be another claim.
        return ClaimNow(None, assessment, accepted)
    return ClaimNow(left, suppose(assessment, left), accepted)


def said_basis(claim: Claim) -> Basis | None:
    """The basis stored with a claim; None for a claim without assumption."""
    return msgspec.convert(claim.basis, Basis) if claim.basis is not None else None


def paths_of(tableau: Tableau, assessment: Assessment) -> list[tuple[Revision, Assessment]]:
    """Earlier paths over the same cards, with their assessments; newest first, without duplicates."""
    seen = {assessment.record.path}
    found = []
    for revision in sorted(tableau.revisions, key=lambda each: -each.number):
        record = msgspec.convert(revision.record, Record)
        then = _with_path(record, assessment)
        if then is None or record.path in seen:
            continue
        seen.add(record.path)
        found.append((revision, then))
    return found


def settle_dispute(session: Session, catalogue: Catalogue, tableau: Tableau, settle: Settle) -> None:
    """Make an assumption a fact: means, a payment, an answer, the direction, a path, or a house rule of the
    game or tableau. Raises `WaymarkError` (conflict) where the tableau has changed in the meantime, and for
    an impossible assumption."""
    assessment = assessment_of(session, catalogue, tableau)
    if assessment is None or tableau.version != settle.version:
        raise changed_meanwhile()
    if settle.claim is not None:
        claim = get_row(session, Claim, settle.claim)
        if claim.tableau_id != tableau.id:
            raise not_found()
        if claim.record is not None:
            record = msgspec.convert(claim.record, Record)
            if _with_path(record, assessment) is None:
                raise _cannot_be()
            _take_path(session, catalogue, tableau, assessment, record)
            _accept(tableau, [claim], by_rule=False)
            return
        said = _assumption_of(claim, assessment)
        assumption = _left(claim, said, assessment) if said is not None else None
    else:
        assumption = parse_assumption(assessment, settle.assumes) if settle.assumes else None
    if assumption is None:
        raise _cannot_be()
    # Equal claims are accepted as well.
    alike = list(_claims_that_say(tableau, assumption, assessment))
    _take(session, catalogue, tableau, assessment, assumption)
    _accept(tableau, alike, by_rule=assumption.kind == "house")


def unread_dispute() -> WaymarkError:
    """The error for a tableau that has no ruling."""
    return WaymarkError(
        Code.NOT_READ, Text("There is no ruling to dispute yet; take a photo of the cards first.")
    )


def _assumption_of(claim: Claim, assessment: Assessment) -> Assumption | None:
    return parse_assumption(assessment, claim.assumes) if claim.assumes else None


def _left(claim: Claim, assumption: Assumption, assessment: Assessment) -> Assumption | None:
    basis = said_basis(claim)
    if basis is None or assumption == BACKWARDS or assumed_answer(assumption) is not None:
        return assumption
    return assessment.table.game.play.what_ifs.left(assumption, basis.before, assessment.terms)


def _claims_that_say(tableau: Tableau, assumption: Assumption, assessment: Assessment) -> Iterator[Claim]:
    for claim in tableau.claims:
        if claim.record is not None or claim.deleted_at is not None:
            continue
        said = _assumption_of(claim, assessment)
        if said is not None and _left(claim, said, assessment) == assumption:
            yield claim


def _accept(tableau: Tableau, claims: list[Claim], *, by_rule: bool) -> None:
    stands = current_revision(tableau)
    for claim in claims:
        claim.accepted_at = now()
        claim.accepted_revision = stands.id if stands is not None and not by_rule else None


def _is_accepted(claim: Claim, assessment: Assessment) -> bool:
    """Whether the table agreed with a claim and has not undone that."""
    if claim.accepted_at is None:
        return False
    if claim.accepted_revision is None:
        said = _assumption_of(claim, assessment)
        return said is not None and _left(claim, said, assessment) is None
    numbers = {revision.number: revision for revision in claim.tableau.revisions}
    stands = current_revision(claim.tableau)
    while stands is not None and stands.id != claim.accepted_revision:
        stands = numbers.get(stands.before) if stands.before is not None else None
    return stands is not None


def _take(
    session: Session, catalogue: Catalogue, tableau: Tableau, assessment: Assessment, assumption: Assumption
) -> None:
    read = assumed_answer(assumption)
    if read is not None:
        given = Answer(question=read[0], option=read[1], version=tableau.version)
        answer_question(session, catalogue, tableau, given)
        return
    if assumption == BACKWARDS:
        record = assessment.record
        back = msgspec.structs.replace(record, path=path_backwards(record.path))
        _take_path(session, catalogue, tableau, assessment, back)
        return
    supposed = supposed_of(assessment, assumption)
    if supposed is None:
        for place in assessment.table.game.play.what_ifs.places(assumption):
            known_place(assessment.dungeon, place)
        raise _cannot_be()
    told, changed = supposed
    if assumption.kind == "paid":
        if told != assessment.told:
            answered = sorted(assessment.answered)
            revise(session, catalogue, tableau, told, kind="payment", answered=answered)
        return
    rules = rules_of(tableau)
    values = rules.rules.settings.values(changed)
    if assumption.kind == "house":
        house = only(values, group_of(rules, "house"))
        if tableau.entry is None:
            correct(session, catalogue, tableau, SetTerms(settings=house), tableau.version)
            return
        games.change_settings(session, catalogue, tableau.entry.round.game, house)
        return
    held = SetMeans(terms=with_usual(rules, values, "held"))
    correct(session, catalogue, tableau, held, tableau.version)


def _take_path(
    session: Session, catalogue: Catalogue, tableau: Tableau, assessment: Assessment, record: Record
) -> None:
    taken = msgspec.structs.replace(assessment.record, path=record.path)
    revise(
        session, catalogue, tableau, taken, kind="path", answered=sorted(direction_settled(assessment, taken))
    )


def _with_path(record: Record, assessment: Assessment) -> Assessment | None:
    """Assessment of the tableau with another record's path; None where that was drawn over other cards."""
    if record.cards != assessment.record.cards:
        return None
    return with_path(assessment, record.path)


def _cannot_be() -> WaymarkError:
    return WaymarkError(
        Code.CANNOT_BE,
        Text(
            "This assumption does not fit this tableau any more; check the dispute again and make another "
            "choice."
        ),
    )
