"""Questions about a table of several groups: cards, lines, owners of lines, and facts that only people
know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import msgspec

from scorer.errors import WaymarkError
from scorer.groups import AGREED, SEEN, Untold
from scorer.text import Text, unchanged, written
from vision.groups.scan import Path
from vision.questions import About, Question
from waymark.review.groups.names import (
    AGREED_BEFORE,
    AS_READ,
    BY_ORDER,
    OPEN_BEFORE,
    OWN_READING,
    SKETCH,
    UNTOLD,
    card_at,
    left_open,
    line_name,
    order_key,
    owner_name,
)
from waymark.review.groups.readings import Readings

#: Lead (nats) from which the current record is the first answer: two inks nine degrees of hue apart have it.
#: With a larger difference no question is asked.
LEAST_LEAD = 3.0

#: Lag (nats) behind the current record from which another reading of a line, or another owner, is not asked
#: about. Of 70 such doubts of single tableaus no alternative was right; of 8 with a lag of 2 to 3, two were
#: (300 photos of `tuning-evening`).
CLEAR_DOUBT = 3.5

AS_IT_WAS_READ = Text("It is as it was read")
AS_IT_STANDS = Text("It is right as it is now")


@dataclass(frozen=True)
class GroupOption:
    """An option of a question: its stable `key`, its words, and the record and ruling that it leads to.
    `behind` is how much less likely (nats) it is than the current record; None where nothing tells. The
    key is the same whenever the photos are read the same."""

    key: str
    words: Text
    record: Any
    ruling: Any
    behind: float | None = None


def leads(options: Sequence[GroupOption]) -> bool:
    """Whether the current record is so much likelier than each other option that it may be listed first.
    If not, "I cannot tell" is listed first, as it settles nothing."""
    _, *others = options
    return bool(others) and all(each.behind is not None and each.behind >= LEAST_LEAD for each in others)


@dataclass(frozen=True)
class Other:
    """An alternative to the current record before the referee has ruled on it; fields as in
    `GroupOption`."""

    key: str
    words: Text
    record: Any
    behind: float | None = None


@dataclass(frozen=True)
class Asked:
    """A candidate question with its alternatives, before the decision whether to ask it. `stands` is the
    label of the first option, the current record."""

    name: str
    about: About
    place: str
    reason: Text
    others: tuple[Other, ...] = ()
    stands: tuple[str, Text] = (AS_READ, AS_IT_WAS_READ)
    crop_px: tuple[int, int, int, int] | None = None
    #: Whether all options may be wrong, so that people have to look.
    is_open: bool = False

    @property
    def question(self) -> Question:
        words = [self.stands[1], *(other.words for other in self.others)]
        return Question(
            self.about,
            self.place,
            tuple(each.en for each in words),
            self.reason.en,
            self.reason.ja,
            self.crop_px,
            () if self.is_open else cast(Any, tuple(other.record for other in self.others)),
            name=self.name,
        )

    def is_settled(self, rule: Callable[[Any], Any], alike: Callable[[Any], bool]) -> bool:
        """Whether no option of the question changes the ruling."""
        return not self.is_open and all(alike(rule(other.record)) for other in self.others)

    def options(self, record: Any, rule: Callable[[Any], Any]) -> tuple[GroupOption, ...]:
        """The options of the question, with the record and ruling of each."""
        key, words = self.stands
        return (
            GroupOption(key, words, record, rule(record), 0.0),
            *(
                GroupOption(each.key, each.words, each.record, rule(each.record), each.behind)
                for each in self.others
            ),
        )


class OpenBefore(msgspec.Struct, frozen=True):
    """An unanswered question about the table before the photo. `place` and `cards` refer to the table's
    record: the options differ on these cards. Without cards the question is about a fact that no photo
    shows."""

    name: str
    about: About
    place: str
    reason_en: str
    reason_ja: str
    cards: tuple[int, ...] = ()


def still_open(made: Readings, before: Sequence[OpenBefore]) -> tuple[OpenBefore, ...]:
    """The earlier questions that the photo does not settle, with the cards' current numbers.
    A photo settles what it shows, except lines that it leaves in doubt itself, since the agreement hides
    such a doubt."""
    if not before:
        return ()
    numbers, shown = made.lying_now
    drawn = _drawn_in_doubt(made)
    kept = []
    for each in before:
        now = renumbered(each, numbers)
        is_seen = bool(each.cards) and shown.issuperset(now.cards)
        if not is_seen or (each.about != "card" and not drawn.isdisjoint(now.cards)):
            kept.append(now)
    return tuple(kept)


def open_question(made: Readings, each: OpenBefore, record: Any) -> Asked:
    """The question whether the current table is right in a point that was open before its photo."""
    words = AS_IT_STANDS
    if each.name.startswith(OPEN_BEFORE + BY_ORDER):
        words = made.groups.order_told(record, record)
    why = written(each.reason_en, each.reason_ja)
    return Asked(each.name, each.about, each.place, why, (), (AS_READ, words), is_open=True)


def _drawn_in_doubt(made: Readings) -> frozenset[int]:
    """Indices of the cards on which the photo leaves lines in doubt."""
    places: set[str] = set()
    for line in made.scan.lines:
        places.update(question.place for question in line.questions)
        if line.owner.others:
            places.update(place for stroke in line.path for place in stroke)
    numbers = (place.partition(".")[0] for place in places)
    return frozenset(int(number) for number in numbers if number.isdigit())


def renumbered(each: OpenBefore, numbers: Mapping[int, int]) -> OpenBefore:
    """The question with its cards renumbered; its place is dropped where its card has no new number."""
    number, dot, local = each.place.partition(".")
    here = numbers.get(int(number)) if number.isdigit() else None
    place = "" if here is None else f"{here}{dot}{local}"
    cards = tuple(numbers[card] for card in each.cards if card in numbers)
    return msgspec.structs.replace(each, place=place, cards=cards)


def card_questions(made: Readings) -> list[Asked]:
    """The questions about cards, with the records that other cards would produce."""
    asked = []
    for question in made.scan.questions:
        others = []
        for other in question.alternatives:
            card = card_at(other.cards, question)
            try:
                record = made.of(cards=made.with_change(made.placed, other.cards))[0]
                made.rule(record)
            except WaymarkError:
                continue  # a line on it leads nowhere, so people have to check
            others.append(Other(card, unchanged(card), record))
        whole = bool(others) and len(others) == len(question.alternatives)
        read = card_at(made.scan.placed, question)
        asked.append(
            Asked(
                question.name,
                "card",
                question.place,
                written(question.reason_en, question.reason_ja),
                tuple(others),
                (read, unchanged(read)) if question.alternatives else (AS_READ, AS_IT_WAS_READ),
                question.crop_px,
                is_open=not whole,
            )
        )
    return asked


_SKETCH = Text("This line only shows a way; nobody has walked it yet")
_NO_LINE = Text("Nothing is drawn there")
#: Prefix of questions about ends of lines with an object on them.
_STANDING = "path:standing:"


def line_questions(made: Readings) -> list[Asked]:
    """The questions about the line of each pen. Readings that are far less likely than the chosen one
    are left out."""
    asked = []
    base = made.of()[0]
    standing = made.cost(base)
    doubtful = {each.place for each in made.game.rules.doubts(made.board(base), base, made.rule(base))}
    for number, line in enumerate(made.scan.lines):
        ways = made.ways_of(number)
        taken = made.taken.get(number, 0)
        least = ways[taken][0] + standing
        own = 1
        for question in line.questions:
            count = len(question.alternatives)
            mine = range(own, own + count)
            own += count
            others = []
            is_plain = taken not in mine and doubtful.isdisjoint(_ends(ways[taken][1].paths[0]))
            if is_plain and question.name.startswith(_STANDING):
                continue  # a line with a usual end is not in doubt
            for k in (0, *mine) if taken in mine else mine:
                if k == taken:
                    continue
                read = made.of({number: ways[k][1]})[0]
                behind = ways[k][0] + made.cost(read) - least
                if behind <= CLEAR_DOUBT:
                    key = str(k - mine.start + 1) if k else OWN_READING
                    others.append(Other(key, _told(ways[k][1].paths[0]), read, behind))
            if others or not count:
                stands = str(taken - mine.start + 1) if taken in mine else OWN_READING
                asked.append(
                    Asked(
                        line_name(question, number),
                        question.about,
                        question.place,
                        written(question.reason_en, question.reason_ja),
                        tuple(others),
                        (stands, _told(ways[taken][1].paths[0])) if others else (OWN_READING, AS_IT_WAS_READ),
                        question.crop_px,
                        is_open=not count,
                    )
                )
    return asked


def doubt_questions(made: Readings, record: Any) -> list[Asked]:
    """The questions that follow from the ruling: broken rules, and lines that end where no line may end."""
    asked = []
    for each in made.game.rules.doubts(made.board(record), record, made.rule(record)):
        others = []
        if each.about == "stops":
            others.append(Other(SKETCH, _SKETCH, made.groups.sketched(record, each.place)))
        asked.append(
            Asked(f"{each.about}:{each.place}", "path", each.place, each.words, tuple(others), is_open=True)
        )
    return asked


def _ends(path: Path) -> set[str]:
    return {name for stroke in path for name in (stroke[0], stroke[-1])}


def _told(path: Path) -> Text:
    """A path as one line of text: the first and last place of every stroke."""
    if not path:
        return _NO_LINE
    words = ", ".join(f"{stroke[0]} → {stroke[-1]} ({len(stroke)})" for stroke in path)
    return unchanged(words)


#: Colour evidence (nats) below which two groups' lines cannot be told apart.
ALIKE_NATS = 1.0

_OWNER = Text("Two groups draw in much the same colour; please say whose line this is.")


def owner_questions(made: Readings) -> list[Asked]:
    """The questions about the group that owns a line, where another group's pen has a similar colour. Each
    option changes the groups of lines. The rules are not used as evidence where colours give none, because
    the player who drew the line knows."""
    asked = []
    least, by_colour = made.cost_of_owners(made.owner_of), made.colour_cost(made.owner_of)
    for number, line in enumerate(made.scan.lines):
        others = []
        now = made.owner_of[number]
        for owners in made.given_to_others(made.owner_of, number):
            name = owners[number]
            behind = made.cost_of_owners(owners) - least
            is_alike = made.colour_cost(owners) - by_colour < ALIKE_NATS
            if behind > CLEAR_DOUBT and not is_alike:
                continue
            drawn = {
                k: replace(made.ways_of(k)[made.taken.get(k, 0)][1], group=owner)
                for k, owner in owners.items()
            }
            others.append(Other(name, unchanged(name), made.of(drawn)[0], behind))
        if others:
            asked.append(
                Asked(
                    owner_name(number),
                    "path",
                    line.path[0][0],
                    _OWNER,
                    tuple(others),
                    (now, unchanged(now)),
                    _box(line.path_px),
                )
            )
    return asked


def _box(lines: Sequence[Sequence[tuple[float, float]]]) -> tuple[int, int, int, int] | None:
    """Bounding box of lines in the photo, in pixels."""
    points = [point for line in lines for point in line]
    if not points:
        return None
    xs, ys = zip(*points, strict=True)
    return int(min(xs)), int(min(ys)), int(max(xs)), int(max(ys))


_ORDER = Text(
    "The ruling depends on the order in which these lines were drawn, on the direction of one, or on where "
    "it stopped on its way; please say how it was."
)


def order_question(made: Readings, record: Any, rivals: Sequence[Any]) -> Asked:
    """The question about the order and the direction of lines; among options with the same result, the
    first is kept."""
    others: dict[Any, Any] = {}
    stands = made.game.rules.worth(made.rule(record))
    for rival in rivals:
        others.setdefault(made.game.rules.worth(made.rule(rival)), rival)
    others.pop(stands, None)
    return Asked(
        BY_ORDER,
        "direction",
        "",
        _ORDER,
        tuple(Other(order_key(each), made.groups.order_told(each, record), each) for each in others.values()),
        (order_key(record), made.groups.order_told(record, record)),
    )


def agreed_questions(made: Readings) -> list[Asked]:
    """The questions about contradictions between an earlier agreement and the photo. A card with a
    question of its own gets no second one."""
    asked = []
    cards = {question.place for question in made.scan.questions if question.alternatives}
    for each in made.contradictions:
        if AGREED_BEFORE + each.name in made.answers or (each.about == "card" and each.place in cards):
            continue
        other = SEEN if each.stands == AGREED else AGREED
        words = {AGREED: each.agreed, SEEN: each.seen}
        record = made.of(said={each.name: other})[0]
        asked.append(
            Asked(
                AGREED_BEFORE + each.name,
                each.about,
                each.place,
                each.words,
                (Other(other, words[other], record),),
                (each.stands, words[each.stands]),
            )
        )
    return asked


def untold_question(each: Untold) -> Asked:
    return Asked(UNTOLD + each.name, "path", "", each.words, stands=(AS_READ, each.nothing), is_open=True)


def looked_over(question: Question) -> Asked:
    """The question whether a corrected record is right in the points that the reading left open."""
    why = written(question.reason_en, question.reason_ja)
    name, stands = left_open(question.name), (AS_READ, AS_IT_STANDS)
    return Asked(name, question.about, question.place, why, (), stands, question.crop_px, is_open=True)
