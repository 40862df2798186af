"""The review of a table that all players share, made from how it stands: the same value as a tableau's, with
the paths of all groups, each in its group's colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import msgspec
import numpy as np
from flask_babel import gettext as _
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.groups import Untold
from scorer.places import place_words
from scorer.text import NO_WORDS, Language, Text
from scorer.told_apart import told_apart
from vision.questions import Question
from waymark.picture.annotations import find_marks, strokes_pieces
from waymark.review.groups import (
    SKETCH,
    UNTOLD,
    GroupAssessment,
    GroupOption,
    is_agreed,
    is_doubt,
    is_left,
    is_untold,
    leads,
)
from waymark.review.groups.in_photo import table_in_photo, whole_dungeon
from waymark.review.projection import Points, Projection, turns_in_photo
from webapp.decks.shelf import MAIN
from webapp.scans.queue import ScanQueue
from webapp.store.boxes import told_of, with_usual
from webapp.store.models import Shot, Tableau
from webapp.store.tables import Standing, answers_of, loss_hangs_on, shown_shot, standing_of
from webapp.tableaus.model import (
    Px,
    Reading,
    Review,
    ReviewCard,
    ReviewCount,
    ReviewDoubt,
    ReviewEnd,
    ReviewFact,
    ReviewFind,
    ReviewGroup,
    ReviewHistory,
    ReviewLink,
    ReviewMeans,
    ReviewOption,
    ReviewPiece,
    ReviewPlace,
    ReviewQuestion,
    ReviewRound,
    ReviewShot,
    ReviewStep,
    Score,
    State,
)
from webapp.tableaus.photo_view import bearing_on, photo_state, review_photo, review_shot, shortcomings_told
from webapp.tableaus.questions import card_picture
from webapp.tableaus.tables import LEFT, redoable_table, table_record, undoable_table
from webapp.tableaus.verdict_view import px, pxs, score_of

#: How a pen's lines are drawn over the photo: seen on ink of the same colour, and on stone.
LINE_COLOURS = {
    "green": "#0b8f5a",
    "blue": "#1f5fe0",
    "red": "#e0223a",
    "yellow": "#f2c400",
    "purple": "#8a3ffc",
}
_OTHER_COLOURS = ("#00a6c8", "#ff7a1a", "#c2188b", "#7a5a2a", "#444444")
#: A question shows this much around its place, mm.
_CROP_HALF_MM = 34.0
_CROP_MARGIN_MM = 6.0
#: What answers that settle nothing are called by number, as in other reviews.
_RETAKE, _UNKNOWN, _OTHERWISE = -2, -3, -4


def review_of_table(
    session: Session, catalogue: Catalogue, queue: ScanQueue, tableau: Tableau, language: Language
) -> Review:
    """A table's review in `language`."""
    standing = standing_of(session, catalogue, tableau)
    seen = standing is not None and standing.assessment is not None
    rules_told = told_of(tableau)
    rules = standing.rules if standing is not None else None
    shots: tuple[ReviewShot, ...] = tuple(
        review_shot(session, shot, queue, language) for shot in tableau.shots
    )
    state: State = "ready" if seen else photo_state(tableau)
    return Review(
        id=tableau.id,
        deck=tableau.deck or MAIN,
        untraced=(),
        version=tableau.version,
        title=tableau.title,
        notes=tableau.notes,
        state=state,
        shots=shots,
        means=ReviewMeans(
            terms={
                term.id: rules_told.get(term.id, term.usual)
                for term in (rules.terms if rules is not None else ())
                if term.group != "house"
            },
            settings=with_usual(rules, rules_told, "house") if rules is not None else {},
        ),
        round=_round(tableau),
        history=ReviewHistory(
            undo=undoable_table(tableau) is not None, redo=redoable_table(tableau) is not None
        ),
        rereading=None,
        errand=None,
        other=None,
        lead=None,
        reading=reading_of_table(session, tableau, standing, language)
        if standing is not None and seen
        else None,
    )


def _round(tableau: Tableau) -> ReviewRound | None:
    entry = tableau.entry
    if entry is None:
        return None
    return ReviewRound(
        game_id=entry.round.game.id,
        game_title=entry.round.game.title,
        number=entry.round.number,
        entry_id=entry.id,
        player=_("Shared table"),
        colour=entry.seat.colour,
        typed=entry.typed,
    )


def reading_of_table(session: Session, tableau: Tableau, standing: Standing, language: Language) -> Reading:
    """A table's reading as it stands. It has a photo that was read."""
    assert standing.assessment is not None, "it was read"
    shot = session.get_one(Shot, tableau.shot_id)
    view = _View(standing, standing.record, standing.ruling, language, loss_hangs_on(standing))
    rules, words = standing.rules, standing.rules.vocabulary
    report = rules.report(view.said)
    answers = answers_of(tableau.answered)
    questions = tuple(view.questions(answers))
    doubts = tuple(view.doubts(questions))
    spoilt = shortcomings_told(standing.assessment.scan.photo.shortcomings, language)
    # What nobody told no photo shows.
    seen = [question for question in questions if not is_untold(question.name)]
    told = () if standing.corrected else standing.assessment.told
    return Reading(
        photo=review_photo(shown_shot(tableau, shot).photo),
        record=table_record(standing),
        answered=(),
        corrected=standing.corrected,
        revision=max((revision.number for revision in tableau.revisions), default=0),
        cards=view.cards(),
        places=view.places(),
        links=view.links(),
        pieces=tuple(view.pieces()),
        steps=view.steps(),
        finds=view.finds(),
        marks=(),
        mark_notes=(),
        payments=(),
        payment_notes=(),
        laying=tuple(fault.message(language) for fault in report.faults),
        end=view.end(),
        direction=None,
        warnings=tuple(warning.message(language) for warning in standing.assessment.scan.photo.warnings),
        shortcomings=bearing_on(spoilt, seen, doubts),
        questions=questions,
        doubts=doubts,
        sure=standing.sure,
        score=view.score(),
        counts=tuple(
            ReviewCount(id=what, name=words.name(what).message(language), icon=words.icon(what), count=count)
            for what, count in report.counts
        ),
        notes=tuple(note.message(language) for note in told),
        px_per_mm=round(view.projection.px_per_mm, 3),
        groups=view.groups(),
    )


class _View:
    """A table's record in the photo that it was read from, to be put into words."""

    def __init__(
        self,
        standing: Standing,
        record: Any,
        ruling: Any,
        language: Language,
        hangs_on: Question | None = None,
    ) -> None:
        assert standing.assessment is not None and standing.rules.groups is not None, "it was read"
        self._standing, self._language, self._hangs_on = standing, language, hangs_on
        self._groups = standing.rules.groups
        self._open = standing.asked or standing.assessment
        self._record, self._ruling, self._rules = record, ruling, standing.rules
        self._now: GroupAssessment = standing.assessment
        dungeon = whole_dungeon(standing.rules.board(standing.catalogue, record).dungeon)
        cards = table_in_photo(standing.assessment, record, dungeon)
        turns = turns_in_photo(cards)
        self._dungeon = dungeon.lying(turns)
        self.projection = Projection(cards, self._dungeon)
        # For people who look at the photo: places have no names there, and lie as the photo shows them.
        self._board = self._groups.lying(standing.rules.board(standing.catalogue, record), turns)
        self.said = standing.rules.without_ids(self._board, record, ruling)

    # --- what lies there

    def groups(self) -> tuple[ReviewGroup, ...]:
        told = []
        for number, group in enumerate(self._record.groups):
            colour = LINE_COLOURS.get(group.group, _OTHER_COLOURS[number % len(_OTHER_COLOURS)])
            known = self._rules.sheet.colours.get(group.group)
            name = known.message(self._language) if known is not None else group.group
            told.append(
                ReviewGroup(group=group.group, name=name, colour=colour, pen=group.colour or group.group)
            )
        return tuple(told)

    def cards(self) -> tuple[ReviewCard, ...]:
        read = {(round(card.x), round(card.y)): card for card in self._now.record.cards}
        confidence = {
            (round(card.x), round(card.y)): seen.confidence
            for card, seen in zip(self._now.record.cards, self._now.cards, strict=True)
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
                zip(self._record.cards, self.projection.corners_px, strict=True)
            )
        )

    def places(self) -> tuple[ReviewPlace, ...]:
        return tuple(
            ReviewPlace(
                id=place.id,
                card=place.card_index,
                kind=place.kind,
                level=place.level,
                at=self._px(place.id),
                name=place_words(self._rules.vocabulary, self._dungeon, place, with_id=False).message(
                    self._language
                ),
                find=place.find,
                value=place.value,
                room=place.room,
            )
            for place in self._dungeon.places.values()
        )

    def links(self) -> tuple[ReviewLink, ...]:
        return tuple(
            ReviewLink(
                a=link.a,
                b=link.b,
                kind=link.kind,
                level=link.level,
                line=pxs(self.projection.link(link)),
                one_way=link.one_way,
            )
            for link in self._dungeon.links
        )

    # --- what was drawn

    def pieces(self) -> Iterator[ReviewPiece]:
        colours = {group.group: group.colour for group in self.groups()}
        before = strokes = 0
        for number, path in enumerate(self._record.paths):
            reached = len(self._ruling.paths[number].steps)
            spots = [(s, i, name) for s, stroke in enumerate(path.path) for i, name in enumerate(stroke)]
            drawn = strokes_pieces(path.path, self._dungeon, reached, self.projection)
            for k, ((last, (stroke, step, name)), piece) in enumerate(
                zip(pairwise(spots), drawn, strict=True), start=2
            ):
                yield ReviewPiece(
                    a=last[2],
                    b=name,
                    stroke=strokes + stroke,
                    step=step,
                    number=before + k if piece.counted else None,
                    line=pxs(piece.line_px),
                    underground=piece.underground,
                    jump=piece.jump,
                    counted=piece.counted,
                    order=round(piece.order, 4),
                    path=number,
                    colour=colours[path.group],
                )
            before += reached
            strokes += len(path.path)

    def steps(self) -> tuple[ReviewStep, ...]:
        told = self._rules.steps(self._board, self.said, with_ids=False)
        counts = list(accumulate(len(path.steps) for path in self.said.paths))
        # Where a path begins it is said whose it is, where it ends how.
        ends = {*counts, *(count + 1 for count in (0, *counts))}
        return tuple(
            ReviewStep(
                number=line.number,
                place=line.place,
                at=self._px(line.place) if line.place in self._dungeon.places else None,
                sentence=line.what.message(self._language),
                told=line.brief != NO_WORDS or line.number in ends,
                held_words=line.held.message(self._language),
                found=line.found,
            )
            for line in told
        )

    def finds(self) -> tuple[ReviewFind, ...]:
        steps = self._rules.steps(self._board, self.said, with_ids=False)
        return tuple(
            ReviewFind(
                place=name,
                find=mark.find,
                name=self._rules.vocabulary.name(mark.find).message(self._language),
                value=self._dungeon.places[name].value,
                at=px(mark.at_px),
                state=mark.state,
                number=mark.number,
            )
            for name, mark in find_marks(steps, self._dungeon, self.projection, steps)
        )

    def end(self) -> ReviewEnd:
        why = self._rules.why(self.said)
        place = self._rules.turn(self._record, self._ruling).place
        here = place if place in self._dungeon.places else None
        return ReviewEnd(
            how="end" if self._ruling.legal else "violation",
            place=here,
            at=self._px(here) if here is not None else None,
            rule=why.rule,
            section=why.section.message(self._language),
            sentence=" ".join([*self._before_the_loss(), why.words.message(self._language)]),
            violations=tuple(
                each.message_ja if self._language == "ja" else each.message for each in self.said.violations
            ),
        )

    def _before_the_loss(self) -> list[str]:
        if self._hangs_on is None:
            return []
        why = Text(self._hangs_on.reason_en, self._hangs_on.reason_ja)
        return [why.message(self._language), _("If nothing was bought:")]

    def score(self) -> Score:
        """How the mission stands, and each of its goals."""
        whole, language = score_of(self._rules, self._ruling, self._language), self._language
        names = {group.group: group.name for group in self.groups()}
        goals = tuple(
            ReviewFact(
                about=f"{goal.asks.message(language)} ({goal.where.message(language)})",
                words=_("met by %(group)s", group=names.get(met, met)) if met else _("not met yet"),
            )
            for goal, met in self._groups.told(self._catalogue, self._record, self.said).goals
        )
        result = whole.facts[:1]
        if self._hangs_on is not None:
            undecided = _("not decided: what was bought is not entered")
            result = tuple(msgspec.structs.replace(fact, words=undecided) for fact in result)
            none = dict.fromkeys(whole.scores)
            whole = msgspec.structs.replace(whole, scores=none)
        return msgspec.structs.replace(whole, facts=(*result, *goals))

    # --- what is asked

    def questions(self, answers: dict[str, str]) -> Iterator[ReviewQuestion]:
        asked = [
            self._asked(number, question, self._open.offered.get(question.name, ()), answers)
            for number, question in enumerate(self._open.questions)
        ]
        yield from sorted(asked, key=lambda question: question.left)

    def _asked(
        self, number: int, question: Question, offered: Sequence[GroupOption], answers: dict[str, str]
    ) -> ReviewQuestion:
        ways = [_View(self._standing, each.record, each.ruling, self._language) for each in offered]
        lines = _own_lines(ways) if question.about == "path" and _is_of_lines(question) else [()] * len(ways)
        options = [
            ReviewOption(
                number=k,
                label=self._label(question, each, bool(lines[k]), k),
                lines=lines[k],
                score=ways[k].score(),
                card=each.key if question.about == "card" else None,
                picture=card_picture(each.key)
                if question.about == "card" and each.key in self._catalogue.by_id
                else None,
                kind="stands" if k == 0 else "other",
            )
            for k, each in enumerate(offered)
        ]
        now = self.score()
        if is_untold(question.name):
            # What was bought is entered: that nothing was is said by who means it.
            label = self._untold[question.name].entered.message(self._language)
            options.insert(
                0, ReviewOption(number=_OTHERWISE, label=label, lines=(), score=now, kind="otherwise")
            )
        else:
            options.append(
                ReviewOption(
                    number=_RETAKE, label=_("Take the photo again"), lines=(), score=now, kind="retake"
                )
            )
        unknown = ReviewOption(number=_UNKNOWN, label=_("I cannot tell"), lines=(), score=now, kind="unknown")
        # Who taps the first answer must not end on a wrong ruling that is called sure.
        first = not is_untold(question.name) and not leads(offered)
        options.insert(0 if first else len(options), unknown)
        words = told_apart([each.label for each in options])
        options = [
            msgspec.structs.replace(each, label=told) for each, told in zip(options, words, strict=True)
        ]
        at = self._where(question)
        why = self._why(question)
        return ReviewQuestion(
            name=question.name,
            number=number,
            about=question.about,
            place=question.place,
            at=px(at),
            reason=why,
            prompt=self._untold[question.name].asks.message(self._language)
            if is_untold(question.name)
            else _prompt(question),
            crop=self._crop(question, at, [np.array(line) for each in lines for line in each]),
            options=tuple(options),
            matters=True,
            left=LEFT + question.name in answers,
        )

    @cached_property
    def _untold(self) -> dict[str, Untold]:
        """What nobody told, by the names of its questions."""
        found = self._groups.untold(self._board, self._record, self._ruling)
        return {UNTOLD + each.name: each for each in found}

    def _label(self, question: Question, option: GroupOption, has_lines: bool, number: int) -> str:
        words = option.words.message(self._language)
        if question.name.startswith("owner:"):
            known = self._rules.sheet.colours.get(option.key)
            return known.message(self._language) if known is not None else words
        if option.key == SKETCH or question.about in ("card", "direction") or is_agreed(question.name):
            return words
        if _is_of_lines(question):
            return _("The line runs as drawn here") if has_lines else _("There is no line here")
        return words

    def doubts(self, questions: Sequence[ReviewQuestion]) -> Iterator[ReviewDoubt]:
        """What keeps the reading from being sure although nobody is asked any more."""
        for question in questions:
            if question.left:
                message = _("You could not tell what is right here, so the score may be wrong.")
                yield ReviewDoubt(at=question.at, message=message, question=question.name)

    def _why(self, question: Question) -> str:
        """Why a question is asked; what the ruling makes doubtful in the ruling's words for people."""
        doubts = self._rules.doubts(self._board, self._record, self.said) if is_doubt(question.name) else ()
        words = {f"{doubt.about}:{doubt.place}": doubt.words for doubt in doubts}
        told = words.get(question.name, Text(question.reason_en, question.reason_ja))
        return told.message(self._language)

    # --- where it is

    @property
    def _catalogue(self) -> Catalogue:
        return self._dungeon.catalogue

    def _px(self, place: str) -> Px:
        return px(self.projection.place(place))

    def _where(self, question: Question) -> Points:
        card = question.place.partition(".")[0]
        if question.place in self._dungeon.places:
            return self.projection.place(question.place)
        corners = self.projection.corners_px
        if card.isdigit() and int(card) < len(corners):
            corners = [corners[int(card)]]
        middle: Points = np.concatenate(corners).mean(axis=0)
        return middle

    def _crop(
        self, question: Question, at: Points, lines: Sequence[Points]
    ) -> tuple[float, float, float, float]:
        """The part of the photo that shows a question and all its answers."""
        photo, mm = self._now.scan.photo, self.projection.px_per_mm
        points = [at[None], *lines]
        if question.about == "direction" or is_untold(question.name):
            points += self.projection.corners_px
        elif question.crop_px is not None:
            points.append(np.array(question.crop_px, float).reshape(2, 2))
        elif question.about == "card" and question.place.isdigit():
            points.append(self.projection.corners_px[int(question.place)])
        every = np.concatenate(points)
        low, high = every.min(axis=0) - _CROP_MARGIN_MM * mm, every.max(axis=0) + _CROP_MARGIN_MM * mm
        middle, half = (low + high) / 2, np.maximum((high - low) / 2, _CROP_HALF_MM * mm)
        left, top = np.clip(middle - half, 0, (photo.width, photo.height))
        right, bottom = np.clip(middle + half, 0, (photo.width, photo.height))
        return round(float(left), 1), round(float(top), 1), round(float(right), 1), round(float(bottom), 1)


def _is_of_lines(question: Question) -> bool:
    """Whether answers differ in where a line runs: not in whose it is, or whether it counts."""
    return question.name.startswith("path:") or is_agreed(question.name)


def _prompt(question: Question) -> str:
    if is_left(question.name):
        return _("Is this right as it is now?")
    if is_agreed(question.name):
        return _("This photo differs from what was agreed before; which is right?")
    if question.about == "card":
        return _("Which card is this?")
    if question.about == "direction":
        return _("In which order were the lines drawn?")
    if question.name.startswith("owner:"):
        return _("Whose line is this?")
    if _is_of_lines(question):
        return _("Which way does the path run?")
    return _("Was the path read right here?")


def _own_lines(ways: Sequence[_View]) -> list[tuple[tuple[Px, ...], ...]]:
    """The stretches that only one of several answers has."""
    pieces = [list(way.pieces()) for way in ways]
    edges = [{frozenset((piece.a, piece.b)) for piece in each} for each in pieces]
    own = []
    for k, each in enumerate(pieces):
        others = set[frozenset[str]]().union(*(edges[j] for j in range(len(ways)) if j != k))
        shared = others if len(ways) == 2 else set.intersection(*edges)
        own.append(tuple(piece.line for piece in each if frozenset((piece.a, piece.b)) not in shared))
    return own
