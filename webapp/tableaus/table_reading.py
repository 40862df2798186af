"""The reading of a shared table for its review: cards, dungeon, the paths of all groups, finds, steps and the
score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

import msgspec
from flask_babel import gettext as _

from scorer.text import NO_WORDS, Language, written
from scorer.verdict import ToldStep
from vision.questions import Question
from waymark.picture.annotations import strokes_pieces
from waymark.review.groups import GroupAssessment
from waymark.review.groups.in_photo import table_in_photo, whole_dungeon
from waymark.review.projection import Projection, turns_in_photo
from webapp.games.tables import before_the_loss
from webapp.store.tables import Standing
from webapp.tableaus.common_review import drawn_pieces
from webapp.tableaus.questions import card_picture
from webapp.tableaus.reading_model import (
    Px,
    ReviewCard,
    ReviewEnd,
    ReviewFact,
    ReviewGroup,
    ReviewPiece,
    ReviewStep,
    Score,
)
from webapp.tableaus.verdict_view import px, pxs, score_of

#: Colours of a pen's lines drawn over the photo, visible on ink of the same colour and on stone.
LINE_COLOURS = {
    "green": "#0b8f5a",
    "blue": "#1f5fe0",
    "red": "#e0223a",
    "yellow": "#f2c400",
    "purple": "#8a3ffc",
}

_OTHER_COLOURS = ("#00a6c8", "#ff7a1a", "#c2188b", "#7a5a2a", "#444444")


class TableReading:
    """A table's record, projected into the photo that it was read from, for conversion to words."""

    def __init__(
        self,
        standing: Standing,
        record: Any,
        ruling: Any,
        language: Language,
        hangs_on: Question | None = None,
    ) -> None:
        assert standing.assessment is not None, "it was read"
        self.standing, self.language, self._hangs_on = standing, language, hangs_on
        self.table_rules = standing.groups
        self.open = standing.asked or standing.assessment
        self.record, self.ruling, self.rules = record, ruling, standing.rules
        self.now: GroupAssessment = standing.assessment
        dungeon = whole_dungeon(standing.rules.rules.board(standing.catalogue, record).dungeon)
        cards = table_in_photo(standing.assessment, record, dungeon)
        turns = turns_in_photo(cards)
        self.dungeon = dungeon.lying(turns)
        self.projection = Projection(cards, self.dungeon)
        # For people who look at the photo: places are described by position, as oriented in the photo.
        self.board = self.table_rules.lying(standing.rules.rules.board(standing.catalogue, record), turns)
        self.said = standing.rules.words.without_ids(self.board, record, ruling)

    @cached_property
    def told_steps(self) -> Sequence[ToldStep]:
        """Steps of the ruling, in the form shown to people."""
        return self.rules.words.steps(self.board, self.said, with_ids=False)

    def groups(self) -> tuple[ReviewGroup, ...]:
        told = []
        for number, group in enumerate(self.record.groups):
            colour = LINE_COLOURS.get(group.group, _OTHER_COLOURS[number % len(_OTHER_COLOURS)])
            known = self.rules.sheet.colours.get(group.group)
            name = known.message(self.language) if known is not None else group.group
            told.append(
                ReviewGroup(group=group.group, name=name, colour=colour, pen=group.colour or group.group)
            )
        return tuple(told)

    def cards(self) -> tuple[ReviewCard, ...]:
        read = {(round(card.x), round(card.y)): card for card in self.now.record.cards}
        confidence = {
            (round(card.x), round(card.y)): seen.confidence
            for card, seen in zip(self.now.record.cards, self.now.cards, strict=True)
            if seen is not None
        }
        return tuple(
            ReviewCard(
                index=index,
                card=card.card or "?",
                rotation=card.rotation,
                x=card.x,
                y=card.y,
                corners=pxs(corners),
                confidence=confidence.get((round(card.x), round(card.y)))
                if read.get((round(card.x), round(card.y))) == card
                else None,
                picture=card_picture(card.card) if card.card is not None else "",
            )
            for index, (card, corners) in enumerate(
                zip(self.record.cards, self.projection.corners_px, strict=True)
            )
        )

    def pieces(self) -> Iterator[ReviewPiece]:
        colours = {group.group: group.colour for group in self.groups()}
        before = strokes = 0
        for number, path in enumerate(self.record.paths):
            reached = len(self.ruling.paths[number].steps)
            drawn = strokes_pieces(path.path, self.dungeon, reached, self.projection)
            yield from drawn_pieces(
                path.path, drawn, first=strokes, before=before, path=number, colour=colours[path.group]
            )
            before += reached
            strokes += len(path.path)

    def steps(self) -> tuple[ReviewStep, ...]:
        counts = list(accumulate(len(path.steps) for path in self.said.paths))
        # The owner is named where a path begins, its outcome where it ends.
        ends = {*counts, *(count + 1 for count in (0, *counts))}
        return tuple(
            ReviewStep(
                number=line.number,
                place=line.place,
                at=self.px_of(line.place) if line.place in self.dungeon.places else None,
                sentence=line.what.message(self.language),
                told=line.brief != NO_WORDS or line.number in ends,
                held_words=line.held.message(self.language),
                found=line.found,
            )
            for line in self.told_steps
        )

    def end(self) -> ReviewEnd:
        why = self.rules.words.why(self.said)
        place = self.rules.words.turn(self.record, self.ruling).place
        here = place if place in self.dungeon.places else None
        return ReviewEnd(
            how="end" if self.ruling.legal else "violation",
            place=here,
            at=self.px_of(here) if here is not None else None,
            rule=why.rule,
            section=why.section.message(self.language),
            sentence=" ".join(
                [*before_the_loss(self._hangs_on, self.language), why.words.message(self.language)]
            ),
            violations=tuple(
                written(each.message, each.message_ja).message(self.language) for each in self.said.violations
            ),
        )

    def score(self) -> Score:
        """State of the mission and of each goal."""
        whole, language = score_of(self.rules, self.ruling, self.language), self.language
        names = {group.group: group.name for group in self.groups()}
        goals = tuple(
            ReviewFact(
                about=f"{goal.asks.message(language)} ({goal.where.message(language)})",
                words=_("met by %(group)s", group=names.get(met, met)) if met else _("not met yet"),
            )
            for goal, met in self.table_rules.told(self.dungeon.catalogue, self.record, self.said).goals
        )
        result = whole.facts[:1]
        if self._hangs_on is not None:
            undecided = _("not decided: what was bought is not entered")
            result = tuple(msgspec.structs.replace(fact, words=undecided) for fact in result)
            none = dict.fromkeys(whole.scores)
            whole = msgspec.structs.replace(whole, scores=none)
        return msgspec.structs.replace(whole, facts=(*result, *goals))

    def px_of(self, place: str) -> Px:
        """Pixel position of a place of the dungeon."""
        return px(self.projection.place(place))
