"""View of a dispute in the reader's language, with positions in the photo."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from flask_babel import gettext as _
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.counterfactual import Assumption
from scorer.dungeon import Dungeon
from scorer.places import place_words
from scorer.text import Language, Text
from waymark.review.projection import Projection
from waymark.review.tableau.assess import Assessment
from waymark.review.tableau.counterfactuals import (
    BACKWARDS,
    WhatIf,
    assumed_answer,
    free_choices,
    parse_assumption,
    same_outcome,
    suppose,
    supposed_of,
    turning_step,
    what_ifs,
)
from waymark.review.tableau.posterior import WHOLE
from webapp.disputes.claims import claim_now, paths_of, said_basis, unread_dispute
from webapp.disputes.drawn_paths import parting, parting_words, with_drawn_path
from webapp.disputes.model import (
    Dispute,
    DisputeAssumption,
    DisputeCause,
    DisputeChoice,
    DisputeClaim,
    DisputeComparison,
    DisputeDirection,
    DisputeParting,
    DisputePath,
    DisputeTurn,
    DisputeWay,
    DisputeWhatIf,
    DrawnPath,
    DrawPath,
    Outlook,
)
from webapp.disputes.shared_rulings import share_path
from webapp.disputes.words import wording
from webapp.store.models import Claim, Tableau
from webapp.store.tableaus import assessment_of
from webapp.tableaus.drawing import drawing_of
from webapp.tableaus.reading_model import Px
from webapp.tableaus.verdict_view import px, review_end, score_now
from webapp.tableaus.view import reading_of, review_cards, review_pieces

#: The number of causes of a wrong score that are shown, and the least chance of one.
_MOST_CAUSES, _LEAST_CHANCE = 5, 0.005
_NO_DOUBT = Text("The reading is wrong where Waymark has no doubt.")
#: Half the side of the crop around the deciding step.
_CROP_HALF_MM = 48.0


def drawn_path_of(
    session: Session, catalogue: Catalogue, tableau: Tableau, drawn: DrawPath, language: Language
) -> DrawnPath:
    """Result of a path that a player draws. Raises `WaymarkError`: not-read where there is no ruling, and
    what `with_drawn_path` raises."""
    assessment = assessment_of(session, catalogue, tableau)
    if assessment is None:
        raise unread_dispute()
    then = with_drawn_path(assessment, drawn)
    view = _View(assessment, tableau, language)
    return DrawnPath(
        path=then.record.path,
        reading=reading_of(session, tableau, then, language),
        outlook=view.outlook(then),
        compared=view.compared(then),
    )


def dispute_of(tableau: Tableau, assessment: Assessment | None, language: Language) -> Dispute:
    """The dispute about a tableau's ruling. Raises `WaymarkError` (not-read) where there is no ruling."""
    if assessment is None:
        raise unread_dispute()
    view = _View(assessment, tableau, language)
    told = what_ifs(assessment)
    entry = tableau.entry
    return Dispute(
        id=tableau.id,
        version=tableau.version,
        turn=view.turn(assessment),
        ruling=view.outlook(assessment),
        sure=assessment.sure,
        what_ifs=tuple(
            DisputeWhatIf(
                assumptions=tuple(view.assumption(assumption) for assumption in each.assumptions),
                outlook=view.outlook(each.then),
            )
            for each in told
        ),
        directions=view.directions(),
        choices=view.choices(told),
        paths=tuple(
            DisputePath(revision=revision.number, created_at=revision.created_at, outlook=view.outlook(then))
            for revision, then in paths_of(tableau, assessment)
        ),
        claims=tuple(view.claim(claim) for claim in tableau.claims),
        players=tuple(seat.name for seat in entry.round.game.seats) if entry is not None else (),
        share=share_path(tableau, assessment.table.game, assessment.record, assessment.ruling),
        probability=round(assessment.probability, 3),
        causes=_causes(assessment, language),
    )


def _causes(assessment: Assessment, language: Language) -> tuple[DisputeCause, ...]:
    """The likeliest causes of a wrong score in words; doubts of one kind count as one cause."""
    doubts = {doubt.name: doubt for doubt in assessment.doubts}
    right: dict[str, float] = {}
    for cause in assessment.causes:
        words = _NO_DOUBT if cause.name == WHOLE else doubts[cause.name].words
        told = words.message(language)
        right[told] = right.get(told, 1.0) * (1 - cause.chance)
    chances = sorted(((1 - left, told) for told, left in right.items()), reverse=True)
    return tuple(
        DisputeCause(words=told, chance=round(chance, 3))
        for chance, told in chances[:_MOST_CAUSES]
        if chance >= _LEAST_CHANCE
    )


def outlook_drawing(tableau: Tableau, assessment: Assessment | None, of: str, language: Language) -> str:
    """SVG elements of a ruling over its photo, without the finds: that of the claim `claim:ID`, or under the
    assumption with this key; the current one where neither is possible. Raises `WaymarkError` (not-read)."""
    if assessment is None:
        raise unread_dispute()
    claim = next((each for each in tableau.claims if f"claim:{each.id}" == of), None)
    assumption = parse_assumption(assessment, of) if claim is None else None
    if claim is not None:
        then = claim_now(claim, assessment).then
    else:
        then = suppose(assessment, assumption) if assumption is not None else None
    then = then or assessment
    projection, photo = Projection(then.scan.cards, then.dungeon), then.scan.photo
    return drawing_of(
        (photo.width, photo.height),
        review_cards(then, projection),
        review_pieces(then, projection),
        (),
        review_end(then, projection, language),
        projection.px_per_mm,
        language,
    )


class _View:
    """One dispute, with all data needed to describe it in words."""

    def __init__(self, assessment: Assessment, tableau: Tableau, language: Language) -> None:
        self._assessment = assessment
        self._tableau = tableau
        self._language = language
        self._wording = wording(assessment, language)

    def turn(self, then: Assessment) -> DisputeTurn:
        """The step at which a ruling was decided."""
        turn = turning_step(then)
        at, crop = self._seen(turn.place)
        return DisputeTurn(
            place=turn.place,
            name=self._name(then.dungeon, turn.place) if turn.place in then.dungeon.places else None,
            step=turn.step,
            at=at,
            crop=crop,
            rule=turn.why.rule,
            section=turn.why.section.message(self._language),
            sentence=turn.why.words.message(self._language),
        )

    def compared(self, then: Assessment) -> DisputeComparison:
        """Comparison of a claimed path with the current one, over the same cards."""
        dungeon = self._assessment.dungeon
        parts = parting(self._assessment.record.path, then.record.path)
        if parts is None:
            return DisputeComparison(parting=None, turn=self.turn(then))
        last = parts.common[-1] if parts.common else None
        at, crop = self._seen(last)
        sentence = parting_words(
            self._assessment.table.game.words.vocabulary,
            parts,
            self._assessment.record.path,
            then.record.path,
            dungeon,
            self._language,
        )
        parted = DisputeParting(
            step=len(parts.common) or None, place=last, at=at, crop=crop, sentence=sentence
        )
        return DisputeComparison(parting=parted, turn=self.turn(then))

    def outlook(self, then: Assessment) -> Outlook:
        projection = Projection(then.scan.cards, then.dungeon)
        return Outlook(
            score=score_now(then, self._language),
            end=review_end(then, projection, self._language),
            pieces=review_pieces(then, projection),
            steps=then.table.game.rules.reach(then.ruling),
        )

    def directions(self) -> tuple[DisputeDirection, ...]:
        """The path in its current direction and reversed; empty without a path."""
        turned = BACKWARDS
        back = suppose(self._assessment, turned)
        if back is None:
            return ()
        return tuple(
            DisputeDirection(
                words=self._start(then),
                stands=then is self._assessment,
                key=None if then is self._assessment else turned.key,
                assumption=None if then is self._assessment else self.assumption(turned),
                outlook=self.outlook(then),
            )
            for then in (self._assessment, back)
        )

    def choices(self, told: Sequence[WhatIf]) -> tuple[DisputeChoice, ...]:
        dungeon = self._assessment.dungeon
        return tuple(
            DisputeChoice(
                place=free.choice.at,
                name=_capitalised(self._name(dungeon, free.choice.at)),
                used=free.choice.used.words.message(self._language),
                stated=free.choice.stated,
                ways=tuple(
                    DisputeWay(words=way.words.message(self._language), assumption=self.assumption(each))
                    for way, each in free.instead
                ),
            )
            for free in free_choices(self._assessment, told)
        )

    def claim(self, claim: Claim) -> DisputeClaim:
        now = claim_now(claim, self._assessment)
        then, basis = now.then, said_basis(claim)
        assumes = parse_assumption(self._assessment, claim.assumes) if claim.assumes else None
        if basis is not None and self._language in basis.words:
            said: str | None = basis.words[self._language]
        else:
            said = self._wording.condition(assumes) if assumes is not None else None
        return DisputeClaim(
            id=claim.id,
            who=claim.who,
            words=claim.words,
            assumes=said,
            assumption=self.assumption(now.assumption) if now.assumption is not None else None,
            own_path=claim.record is not None,
            compared=self.compared(then) if claim.record is not None and then is not None else None,
            outlook=self.outlook(then) if then is not None else None,
            agrees=then is not None and same_outcome(then, self._assessment),
            deleted=claim.deleted_at is not None,
            created_at=claim.created_at,
            accepted_at=claim.accepted_at if now.accepted else None,
        )

    def assumption(self, assumption: Assumption) -> DisputeAssumption:
        in_game = self._tableau.entry is not None
        read = assumed_answer(assumption)
        if read is not None:
            possible = read in self._wording.readings
        elif assumption.kind in ("house", "held", "not_held"):
            possible = supposed_of(self._assessment, assumption) is not None
        else:
            possible = bool(self._assessment.record.path)
        return DisputeAssumption(
            key=assumption.key,
            words=self._wording.condition(assumption),
            can_settle=possible,
            settle=self._wording.settling(assumption) if possible else "",
            changes=self._wording.changes(assumption, in_game=in_game) if possible else "",
        )

    def _seen(self, place: str | None) -> tuple[Px | None, tuple[float, float, float, float] | None]:
        """A place's position and crop in the photo; None for places that are on no card, such as cells of a
        board."""
        if place not in self._assessment.dungeon.places:
            return None, None
        photo = self._assessment.scan.photo
        projection = Projection(self._assessment.scan.cards, self._assessment.dungeon)
        at, half = projection.place(place), _CROP_HALF_MM * projection.px_per_mm
        low, high = (np.clip(corner, 0, (photo.width, photo.height)) for corner in (at - half, at + half))
        return px(at), (*px(low), *px(high))

    def _start(self, then: Assessment) -> str:
        return _("It starts at %(place)s", place=self._name(then.dungeon, then.record.path[0][0]))

    def _name(self, dungeon: Dungeon, place: str) -> str:
        return place_words(
            self._assessment.table.game.words.vocabulary, dungeon, dungeon.places[place], with_id=False
        ).message(self._language)


def _capitalised(words: str) -> str:
    return words[:1].upper() + words[1:]
