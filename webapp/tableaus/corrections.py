"""Corrections of a tableau: each is a revision, and all earlier ones are kept; return to the reading.

All functions work inside the caller's transaction. They raise `WaymarkError`: conflict where the tableau has
changed since the person looked, and whatever the correction itself raises."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any, Literal

import msgspec
import numpy as np
from msgspec import UNSET
from sqlalchemy import select
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.record import Record
from scorer.text import Text
from vision.photo import geometry
from waymark.review.projection import cards_in_photo, share_in_photo, table_point
from waymark.review.tableau.answers import after_correction, direction_settled
from waymark.review.tableau.assess import Assessment
from waymark.review.tableau.card_edits import card_at, extent, snapped
from waymark.review.tableau.edits import (
    AddCard,
    CardCorrection,
    Corners,
    Correction,
    MoveStroke,
    SetCard,
    SetMark,
    SetMeans,
    SetPayment,
    SetTerms,
    Swap,
    corrected,
    told_values,
)
from webapp.store.boxes import changed_house, group_of, house_rules_of, only, rules_of, with_usual
from webapp.store.models import Change, Revision, Shot, Tableau
from webapp.store.tableaus import (
    assessment_of,
    before_cards,
    current_revision,
    first_shot_id,
    means_of,
    revise,
    touch,
    use_shot,
)
from webapp.tableaus.answers import changed_meanwhile
from webapp.tableaus.holding import hold

#: Least side of an outline in px; a smaller one cannot be a readable card.
_LEAST_SIDE_PX = 20.0

#: Least share of a card within the photo.
LEAST_IN_PHOTO = 0.3


def correct(
    session: Session, catalogue: Catalogue, tableau: Tableau, correction: Correction, version: int
) -> None:
    """Apply one correction to a tableau and referee it again. Changed cards have their ink read again."""
    assessment = looked_at(session, catalogue, tableau, version)
    record, corners = assessment.record, None
    if isinstance(correction, (SetCard, AddCard)) and correction.corners is not None:
        _check_outline(correction.corners)
        number = len(record.cards) if isinstance(correction, AddCard) else correction.index
        corners = {number: correction.corners}
    record = corrected(record, assessment.table, correction)
    if isinstance(correction, SetCard) and correction.corners is not None:
        record = _laid_by_outline(record, catalogue, assessment, correction.index, correction.corners)
    settings = house_rules_of(tableau)
    if isinstance(correction, SetTerms):
        _check_outside_a_game(tableau)
        if correction.settings is not UNSET:
            settings = changed_house(rules_of(tableau), correction.settings)
    if isinstance(correction, SetMeans) and assessment.table.game.rules.record_type is not Record:
        # Held means do not follow from a photo's reading; they belong to the player's round.
        hold(session, catalogue, tableau, told_values(correction))
        touch(tableau)
        return
    if record == assessment.record and settings == house_rules_of(tableau) and corners is None:
        return
    if isinstance(correction, CardCorrection):
        check_in_photo(assessment, record, catalogue)
        record = _as_before(tableau, record)
    if isinstance(correction, SetMeans):
        hold(session, catalogue, tableau, told_values(correction))
    if isinstance(correction, SetTerms):
        _play_by(tableau, record, settings)
    settled = set(after_correction(assessment, record))
    if isinstance(correction, (Swap, MoveStroke)):
        # A person who sets a direction against the rules settles it.
        settled |= direction_settled(assessment, record)
    if isinstance(correction, SetMark):
        settled |= {
            asked.name
            for asked in assessment.reading.questions
            if (asked.about, asked.place) == ("mark", correction.place)
        }
    kind = _kind(correction)
    revise(session, catalogue, tableau, record, kind=kind, answered=sorted(settled), corners=corners)


def restore_reading(session: Session, catalogue: Catalogue, tableau: Tableau, version: int) -> None:
    """Take the reading of the photo in use as it first was, without any correction. They can be brought back
    by undoing."""
    looked_at(session, catalogue, tableau, version)
    used = session.get_one(Shot, tableau.shot_id)
    use_shot(session, catalogue, tableau, session.get_one(Shot, first_shot_id(used)), kind="restore")


def looked_at(session: Session, catalogue: Catalogue, tableau: Tableau, version: int) -> Assessment:
    """A tableau's assessment. Raises `WaymarkError` (conflict) where it has changed since the given
    version."""
    assessment = assessment_of(session, catalogue, tableau)
    if assessment is None or tableau.version != version:
        raise changed_meanwhile()
    return assessment


def stand_again(session: Session, catalogue: Catalogue, tableau: Tableau, target: Revision) -> None:
    """Undo or redo one revision: restore its record, and the other facts that were changed with it."""
    record = msgspec.convert(target.record, Record)
    stands = current_revision(tableau)
    undone = stands is not None and stands.before == target.number
    change = stands.kind if stands is not None and undone else target.kind
    if change == "terms" and tableau.entry is None:
        _play_by(tableau, record, target.settings or {})
    means = change == "means"
    if means and stands is not None and not _moved_since(session, tableau, min(stands, target, key=_made)):
        before = msgspec.convert(stands.record, Record)
        hold(session, catalogue, tableau, _held_with(tableau, before, record))
    tableau.shot_id, tableau.record = target.shot_id, None
    revise(
        session,
        catalogue,
        tableau,
        record,
        kind=target.kind,
        answered=target.answered,
        before=stands.number if stands is not None else None,
        repeats=target.number,
    )


def _moved_since(session: Session, tableau: Tableau, revision: Revision) -> bool:
    """Whether the tableau belonged to another player when a revision was made, so that other means
    applied."""
    journal = select(Change).where(
        Change.noun == Tableau.__tablename__,
        Change.noun_id == tableau.id,
        Change.sequence > revision.sequence,
    )
    return any("entry_id" in change.after for change in session.scalars(journal))


def _made(revision: Revision) -> int:
    return revision.sequence


def _kind(correction: Correction) -> Literal["card", "mark", "means", "terms", "payment", "path"]:
    if isinstance(correction, CardCorrection):
        return "card"
    if isinstance(correction, SetMark):
        return "mark"
    if isinstance(correction, SetPayment):
        return "payment"
    if isinstance(correction, SetTerms):
        return "terms"
    return "means" if isinstance(correction, SetMeans) else "path"


def _play_by(tableau: Tableau, record: Any, settings: dict[str, Any]) -> None:
    """Save a record's objectives and these house rules with a tableau outside a game."""
    rules = rules_of(tableau)
    told = rules.rules.settings.values(rules.rules.settings.of(record, rules.rules.settings.make({})))
    held, asked = group_of(rules, "held"), group_of(rules, "objective")
    tableau.terms = {**only(tableau.terms, held), **only(told, asked), **settings}


def _check_outside_a_game(tableau: Tableau) -> None:
    if tableau.entry is not None:
        raise WaymarkError(
            Code.IN_GAME,
            Text(
                "This tableau belongs to a game; choose the objectives on its round, and settle house "
                "rules in a dispute."
            ),
        )


def _held_with(tableau: Tableau, before: Record, after: Record) -> dict[str, Any]:
    """Currently held means, with the changes between two records applied. Changes made on the round's page in
    between are kept."""
    rules = rules_of(tableau)
    none = rules.rules.settings.make({})
    now, old, new = (
        with_usual(rules, rules.rules.settings.values(terms), "held")
        for terms in (
            means_of(tableau),
            rules.rules.settings.of(before, none),
            rules.rules.settings.of(after, none),
        )
    )
    held: dict[str, Any] = {}
    for term in rules.rules.settings.terms:
        if term.group != "held":
            continue
        if term.kind == "counts":
            counts = Counter(now[term.id])
            counts.update(new[term.id])
            counts.subtract(old[term.id])
            held[term.id] = dict(+counts)
            continue
        stays = [each for each in now[term.id] if each in new[term.id] or each not in old[term.id]]
        held[term.id] = [
            *stays,
            *(each for each in new[term.id] if each not in old[term.id] and each not in stays),
        ]
    return held


def _laid_by_outline(
    record: Record, catalogue: Catalogue, assessment: Assessment, index: int, corners: Corners
) -> Record:
    """The record with a card placed by its outline in the photo, using the plane of the other cards."""
    others = [
        (placed, seen)
        for number, (placed, seen) in enumerate(zip(record.cards, assessment.scan.cards, strict=True))
        if number != index
    ]
    if not others:
        return record
    placed = card_at(record, index)
    x, y = table_point(others, catalogue, tuple(np.mean(corners, axis=0)))
    width, height = extent(catalogue, placed)
    x, y = x - width / 2, y - height / 2
    x, y = snapped(catalogue, [card for card, _ in others], placed.card, placed.rotation, x, y)
    if math.dist((x, y), (placed.x, placed.y)) < 1e-9:
        return record
    cards = list(record.cards)
    cards[index] = msgspec.structs.replace(placed, x=x, y=y)
    return msgspec.structs.replace(record, cards=tuple(cards))


def _as_before(tableau: Tableau, record: Record) -> Record:
    """The record with path, marks and payments restored on cards that are back to their earlier state."""
    before = before_cards(tableau)
    if before is None or before.cards != record.cards:
        return record
    return msgspec.structs.replace(record, path=before.path, marks=before.marks, payments=before.stated)


def check_in_photo(assessment: Assessment, record: Record, catalogue: Catalogue) -> None:
    """Raises `WaymarkError` (bad-place) for a card outside the photo, where its ink is not visible."""
    photo = assessment.reading.photo
    for seen in cards_in_photo(assessment.reading, record, catalogue):
        if share_in_photo(np.array(seen.corners), photo.width, photo.height) < LEAST_IN_PHOTO:
            raise WaymarkError(
                Code.BAD_PLACE,
                Text("The card would lie outside this photo; take another photo that shows all cards."),
            )


def _check_outline(corners: Corners) -> None:
    points = np.array(corners, float)
    sides = np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1)
    if not geometry.is_convex(points) or sides.min() < _LEAST_SIDE_PX:
        raise WaymarkError(
            Code.BAD_OUTLINE, Text("These corners make no card; put each on its own corner of the card.")
        )
