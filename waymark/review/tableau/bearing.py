"""Filter for irrelevant doubts: questions whose answers cannot change the score. They are not asked and do
not keep a score from being sure."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from scorer.dungeon import Dungeon
from scorer.record import Record
from vision.questions import Question
from vision.scan import Scan
from waymark.review.projection import Projection
from waymark.review.tableau.doubt_kinds import Kind, kind_of, reason_of
from waymark.review.tableau.option import Standing
from waymark.review.tableau.question_names import OFF_PATH

#: Largest distance of a line's end from a place where another card may lie for the line to continue onto it:
#: sleeved cards are 6 mm apart, and people stop short of an edge by as much.
_RUNS_ON_MM = 12.0
#: Least extent of a group of cards beyond the picture, as a share of its longer side, for the group to be cut
#: off.
_RUNS_OUT = 0.02


def is_come_to(question: Question, standing: Standing) -> bool:
    """Whether a circle that no line reaches marks a find that the path discovers anyway. Finds of a room
    are discovered at its door, and where the path lands inside the room."""
    record, place = standing.record, question.place
    if not question.name.startswith(OFF_PATH) or not record.path or place not in record.marks.circled:
        return False
    differ = {each.place for each in standing.table.discord(record, standing.terms) if each.there}
    return place not in differ and standing.table.referee(record, standing.terms).legal


def is_missing_nothing(
    question: Question, others: Iterable[Question], scan: Scan, dungeon: Dungeon, standing: Standing
) -> bool:
    """Whether the possible missing card that a question points at does not exist, or does not change the
    score. No further card exists where the tableau is full: of 24 such doubts none was one (431 photos
    of `tuning-evening`). The exception is a misread end of the path, as far as any of the `others`
    doubts the line on its card. Elsewhere it changes nothing if no line ends where it could continue
    onto that card, since players score by what they walk."""
    if kind_of(question.name) is Kind.END:
        # A line that may have been misread next to an object may still continue there.
        card = question.place.partition(".")[0]
        unclear = (each for each in others if each.about == "path" and each.alternatives)
        return standing.table.is_full(standing.record, standing.terms) and not any(
            each.place.partition(".")[0] == card for each in unclear
        )
    if kind_of(question.name) is not Kind.MISSING:
        return False
    if standing.table.is_full(standing.record, standing.terms):
        return True
    return not _is_unread(question, standing) and _is_off_the_path(question, scan, dungeon, standing)


def _is_unread(question: Question, standing: Standing) -> bool:
    """Whether no card was read where a question points at one, because the tableau was full by the usual
    rules (`vision.reader.scan_with_doubts`), and has room under the terms as they are now."""
    if question.alternatives or reason_of(question.name) == "card:gap":
        return False
    table = standing.table
    return table.is_full(standing.record, table.game.rules.settings.make({}))


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
