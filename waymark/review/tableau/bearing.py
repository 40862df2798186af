"""Filter for irrelevant doubts: questions whose answers cannot change the score. They are not asked and do
not keep a score from being sure."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from scorer.dungeon import Dungeon
from scorer.record import Record
from vision.questions import Question
from vision.scan import Scan
from waymark.review.projection import Projection
from waymark.review.tableau.joins import stretches
from waymark.review.tableau.option import Standing, is_marked, led_by
from waymark.review.tableau.question_names import (
    BESIDE,
    HIDDEN_ENDS,
    MISSING_BESIDE,
    OFF_PATH,
    TOO_MUCH,
    card_reason,
)

#: Largest distance of a line's end from a place where another card may lie for the line to continue onto it:
#: sleeved cards are 6 mm apart, and people stop short of an edge by as much.
_RUNS_ON_MM = 12.0
#: Least extent of a group of cards beyond the picture, as a share of its longer side, for the group to be cut
#: off.
_RUNS_OUT = 0.02
#: Largest cost (nats) of a path by its marks for the marks to support it.
_BORNE_OUT = 1.0
#: Number of places of a card on the line from which the line shows whether the card's corridors are there.
_PLACES_WALKED = 5


def is_in_room(question: Question, record: Record, dungeon: Dungeon) -> bool:
    """Whether a doubt is about ink inside a room that the path reaches anyway. The course of a line
    within a room does not change the score."""
    place = dungeon.places.get(question.place)
    if place is None or question.alternatives or not question.name.startswith(BESIDE):
        return False
    room = place.id if place.kind == "room" else place.room if place.kind == "room_find" else None
    return any(room in line for line in record.path)


def is_come_to(question: Question, standing: Standing) -> bool:
    """Whether a circle that no line reaches marks a find that the path discovers anyway. Finds of a room
    are discovered at its door, and where the path lands inside the room."""
    record, place = standing.record, question.place
    if not question.name.startswith(OFF_PATH) or not record.path or place not in record.marks.circled:
        return False
    differ = {each.place for each in standing.table.discord(record, standing.terms) if each.there}
    return place not in differ and standing.table.referee(record, standing.terms).legal


def leads_nowhere(question: Question, standing: Standing, unlikely: float) -> bool:
    """Whether ink beside the path is no part of it: no line through it joins the path, or each such line
    is by at least `unlikely` (nats) less likely than none. Of 11 doubts about such ink beside a path
    without other contradictions none was a line, 8 of them like this; of 14 beside others 6 were (420
    photos of `tuning-evening`).
    Where a person has confirmed that the path broke a rule, a line with the same result does not matter
    either. The same holds for ink with untried readings, where the player's marks support the path: 4
    such readings were right and none wrong (694 photos, the same)."""
    over = standing.evidence.is_confirmed(standing.record, standing.terms)
    if question.alternatives or not question.name.startswith((BESIDE, TOO_MUCH)):
        return False
    record, terms, table = standing.record, standing.terms, standing.table
    evidence, verdict = standing.evidence, table.referee(record, terms)
    now, near = evidence.against(record, terms), [question.place]
    if question.name.startswith(TOO_MUCH) and not over:
        if now > _BORNE_OUT or not is_marked(record):
            return False
        # Most of that ink lies on the line, which may continue from there.
        near += sorted(link.b for link in table.dungeon(record.cards).neighbours[question.place])
    return all(
        option.behind - now + evidence.unusual(option.record, record, terms) >= unlikely
        or (over and table.alike(verdict, table.referee(option.record, option.terms)))
        for option in led_by(standing, *near)
    )


def is_borne_out(question: Question, others: Iterable[Question], standing: Standing) -> bool:
    """Whether a card that differs from its art was identified rightly, because the line keeps to that
    card's corridors and none of the `others` doubts the line there. Meant for readings without other
    contradictions. Of 66 such cards (620 photos of `tuning-evening`) 64 were identified rightly. Where
    135 photos were read without their true card, 14 were taken for one of another dungeon; each of those
    readings broke a rule or fell into parts."""
    if card_reason(question.name) != "unlike-its-art":
        return False
    record, card = standing.record, f"{question.place}."
    if len({name for line in record.path for name in line if name.startswith(card)}) < _PLACES_WALKED:
        return False
    if _is_doubted(card, others, record):
        return False
    # An object that hides a part of the card may hide another card, onto which the line continues.
    ends = {name for line in record.path for name in (line[0], line[-1]) if name.startswith(card)}
    outer = standing.table.dungeon(record.cards).open_openings
    return ends.isdisjoint(outer) or standing.table.is_full(record, standing.terms)


def _is_doubted(card: str, questions: Iterable[Question], record: Record) -> bool:
    """Whether any of the questions doubts the line on a card, given by the prefix of its place names."""
    now = stretches(record)
    for question in questions:
        steps = (now ^ stretches(each) for each in question.alternatives if question.about == "path")
        places = {question.place}.union(*(step for changed in steps for step in changed))
        if question.about == "path" and any(not name or name.startswith(card) for name in places):
            return True
    return False


def is_missing_nothing(
    question: Question, others: Iterable[Question], scan: Scan, dungeon: Dungeon, standing: Standing
) -> bool:
    """Whether the possible missing card that a question points at does not exist, or does not change the
    score. No further card exists where the tableau is full: of 24 such doubts none was one (431 photos
    of `tuning-evening`). The exception is a misread end of the path, as far as any of the `others`
    doubts the line on its card. Elsewhere it changes nothing if no line ends where it could continue
    onto that card, since players score by what they walk."""
    if question.name.startswith(HIDDEN_ENDS):
        # A line that may have been misread next to an object may still continue there.
        card = question.place.partition(".")[0]
        unclear = (each for each in others if each.about == "path" and each.alternatives)
        return standing.table.is_full(standing.record, standing.terms) and not any(
            each.place.partition(".")[0] == card for each in unclear
        )
    if card_reason(question.name) not in MISSING_BESIDE:
        return False
    if standing.table.is_full(standing.record, standing.terms):
        return True
    return not _is_unread(question, standing) and _is_off_the_path(question, scan, dungeon, standing)


def _is_unread(question: Question, standing: Standing) -> bool:
    """Whether no card was read where a question points at one, because the tableau was full by the usual
    rules (`vision.reader.scan_with_doubts`), and has room under the terms as they are now."""
    if question.alternatives or card_reason(question.name) == "gap":
        return False
    table = standing.table
    return table.is_full(standing.record, table.game.rules.settings.make({}))


def is_not_meant(question: Question, scan: Scan, standing: Standing) -> bool:
    """Whether another group of cards is surely not the player's tableau, in a game with lines and a
    reading with one. It bears neither line nor mark (a row of cards for sale), or is a single card with
    a piece of line. Or it runs out of a picture that shows the whole tableau, as a neighbour's cards do.
    Of 19 photos of `tuning-evening` with a neighbour's or a market's cards 6 show another group with a
    line, and all of these run out."""
    record = standing.record
    if card_reason(question.name) != "group" or not question.alternatives or question.crop_px is None:
        return False
    if not standing.table.game.photo.habits.drawn or not record.path:
        return False
    if not any(may_be_meant(each, standing) for each in question.alternatives):
        return True
    return runs_out(question, scan)


def runs_out(question: Question, scan: Scan) -> bool:
    """Whether the group of cards that a question is about runs out of a picture that shows the whole
    tableau, as a neighbour's cards do."""
    if question.crop_px is None:
        return False
    width, height = scan.photo.width, scan.photo.height
    left, top, right, bottom = question.crop_px
    margin = _RUNS_OUT * max(width, height)
    outside = left < -margin or top < -margin or right > width + margin or bottom > height + margin
    return outside and all(
        0 <= x <= width and 0 <= y <= height for card in scan.cards for x, y in card.corners
    )


def may_be_meant(other: Record, standing: Standing) -> bool:
    """Whether another group of cards bears a line or mark; a single card has to bear a line that is a
    complete path."""
    table, terms = standing.table, standing.terms
    if len(other.cards) > 1:
        return bool(other.path or other.marks.circled or other.marks.struck)
    return bool(other.path) and table.referee(other, terms).legal and not table.doubts(other, terms)


def _is_off_the_path(question: Question, scan: Scan, dungeon: Dungeon, standing: Standing) -> bool:
    """Whether a question is about a part of the table off the path, in a game with lines and a reading
    with one."""
    record, table = standing.record, standing.table
    if question.crop_px is None or not table.game.photo.habits.drawn or not record.path:
        return False
    if len(scan.cards) != len(record.cards):
        return False
    now = table.referee(record, standing.terms)
    if not all(table.alike(now, table.referee(other, standing.terms)) for other in question.alternatives):
        return False
    ends = {name for line in record.path for name in (line[0], line[-1])}
    if any(_has_gate(name, dungeon, table.game.photo.habits.gates) for name in ends):
        return False  # It may continue from another gate anywhere.
    projection = Projection(scan.cards, dungeon)
    left, top, right, bottom = question.crop_px
    reach = _RUNS_ON_MM * projection.px_per_mm
    at = (projection.place(name) for name in ends & dungeon.open_openings)
    return not any(left - reach <= x <= right + reach and top - reach <= y <= bottom + reach for x, y in at)


def _has_gate(name: str, dungeon: Dungeon, gates: Collection[str]) -> bool:
    """Whether a place is a gate, or a room that contains one."""
    return any(
        place.find in gates for place in dungeon.places.values() if place.id == name or place.room == name
    )
