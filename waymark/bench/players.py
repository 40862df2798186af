"""Simulated players: the final result of a photo after its questions are answered.

The careful player states the means held and answers every question from the truth. The hurried player
states nothing and taps the first answer until no question is left. Both see one question at a time, in
the order of `open_questions`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from scorer.dungeon import Link
from scorer.record import Record
from vision.questions import Question
from vision.scan import Scan
from waymark.bench.claims import Claims, claims_of, disputed, disputed_steps, middle_of, where_they_lie
from waymark.bench.truth import Seen
from waymark.review.referee_cache import Table
from waymark.review.tableau.answers import answered_with, options
from waymark.review.tableau.assess import Assessment, assess
from waymark.review.tableau.doubt_kinds import Kind, kind_of, reason_of
from waymark.review.tableau.option import Option
from waymark.review.tableau.question_names import BROKEN_RULE, NO_PATH, PART_READ, STOPS, UNCLEAR
from waymark.review.tableau.ranking import in_order

PlayerName = Literal["careful", "hurried"]
PLAYERS: tuple[PlayerName, ...] = get_args(PlayerName)
#: Limit of questions that a simulated player answers for one photo; later ones stay open.
MOST_QUESTIONS = 30
#: Index of the first option.
FIRST_ANSWER = 0


@dataclass(frozen=True)
class Asked:
    """A question and the answer that a player gave. `option` is the index of the given answer.
    `settles`: it is a real answer, neither "correct by hand" nor "I cannot tell".
    `true`: it states the truth, including that something is missing. `changed`: it changed the score,
    made it surer, or left fewer questions. `answers`: the number of options except "I cannot tell";
    `real`: how many of those are real answers. `alike`: two options led to the same result. `bare`:
    nothing is drawn or read at the line's place in question. `again`: the question was a repetition."""

    name: str
    place: str
    option: int
    settles: bool
    changed: bool
    answers: int
    again: bool
    true: bool = True
    real: int = 2
    alike: bool = False
    bare: bool = False

    @property
    def kind(self) -> str:
        """The kind of question, without its place: "path:faint", "card:stranger", "gap"."""
        return reason_of(self.name)


@dataclass(frozen=True)
class Ended:
    """The final result of a photo for a player: whether it is `right`, and whether it is reported as
    `sure`."""

    right: bool = False
    sure: bool = False

    @property
    def sure_and_wrong(self) -> bool:
        return self.sure and not self.right


@dataclass(frozen=True)
class Played(Ended):
    """The final result of a photo. `right`: the score equals that of the drawing. `sure`: the score is
    reported as sure. `left_open`: the number of unsettled questions."""

    left_open: int = 0
    asked: tuple[Asked, ...] = ()

    @property
    def without_true_answer(self) -> int:
        """Number of questions without a true option; only known for the careful player."""
        return sum(not each.true for each in self.asked)

    @property
    def changed_nothing(self) -> int:
        return sum(each.settles and not each.changed for each in self.asked)

    @property
    def one_answer(self) -> int:
        """Number of questions with a single option."""
        return sum(each.answers < 2 for each in self.asked)

    @property
    def few_answers(self) -> int:
        """Number of questions with fewer than two real answers."""
        return sum(each.real < 2 for each in self.asked)

    @property
    def same_answers(self) -> int:
        return sum(each.alike for each in self.asked)

    @property
    def without_ink(self) -> int:
        return sum(each.bare for each in self.asked)

    @property
    def asked_again(self) -> int:
        return sum(each.again for each in self.asked)


class Truth:
    """The truth of a photo, as known to the player who drew on these cards."""

    def __init__(self, seen: Seen, table: Table) -> None:
        self.seen, self.table = seen, table
        self.terms = table.terms_in(seen.tableau)
        self.told = table.told(seen.tableau, self.terms)
        self.ruling = table.referee(seen.tableau, self.terms)
        self.claims = self._claimed(seen.tableau, seen.cards, self.terms)

    def right(self, now: Assessment) -> bool:
        """Whether an assessment scores what was drawn, with the true means: every count, and the escape.
        False where there is nothing to score."""
        return bool(self.seen.cards) and self.table.alike(now.ruling, self.ruling)

    def true_answer(self, now: Assessment, question: Question, after: Sequence[Assessment]) -> int | None:
        """The answer that says what is there; None where none does. `after`: how the tableau would stand
        after each.

        An answer is true that agrees with the truth in all that the answers differ in; of several, one that
        walks the lines as they were drawn (where none does throughout, one that begins where they were
        begun), and of those one that comes to the true verdict. Where none
        agrees so far, one that comes to the true verdict is true: then what it says otherwise is of no
        account. "It is right as it was read" is true where the ruling is, or all that is read at its place
        (on its card, where a part of that is covered), and not where a card lies that was not read, nor of an
        end beyond which the path goes on."""
        unread = self._lies_unread(now, question) or self._goes_on(now, question)
        if unread and not (question.alternatives or question.name in STOPS):
            return None
        stands, claims = self._claims(now), [self._claims(then) for then in after]
        things = disputed(each.things for each in claims)
        if question.about == "card":
            # Who is asked for a card's name looks at the card, not at the line that was read on it.
            things = frozenset(thing for thing in things if thing[0] == "card") or things
        agreeing = [k for k, each in enumerate(claims) if not (each.things ^ self.claims.things) & things]
        steps = disputed_steps([claims[k] for k in agreeing], self.claims)
        walking = [k for k in agreeing if not (claims[k].walk ^ self.claims.walk) & steps]
        if not walking and question.about == "direction":
            walking = self._begun_there(claims)
        if unread:
            walking = [k for k in walking if claims[k] != stands]
            agreeing = [k for k in agreeing if claims[k] != stands]
        if question.name in STOPS:  # Each answer says where the path began.
            walking = agreeing = [k for k in walking if claims[k].start == self.claims.start]
        elif not things and not steps:  # The answers differ in nothing that can be held against the truth.
            walking = [k for k in walking if self._confirmed(now, question)]
        elif _is_broken_rule(question) and not self._confirmed(now, question):
            # What mends it begins where he began.
            mending = [k for k in agreeing if claims[k] != stands and claims[k].start == self.claims.start]
            walking, agreeing = [k for k in walking if k in mending], mending
        true = walking or (agreeing if things else [])
        came = [k for k, then in enumerate(after) if self._same_verdict(then)]
        return next(iter([k for k in true if k in came] or true or came), None)

    def is_bare(self, now: Assessment, question: Question) -> bool:
        """Whether a question asks about the line at a place where nothing was drawn, marked or read, nor
        one step away."""
        dungeon = self.table.dungeon(now.record.cards)
        if question.about != "path" or question.place not in dungeon.places:
            return False
        near = {question.place, *(link.b for link in dungeon.neighbours[question.place])}
        read = self._claims(now)
        named = {read.named(name) for name in near}
        return not any(each.about(name) for each in (read, self.claims) for name in named if name is not None)

    def _begun_there(self, claims: Sequence[Claims]) -> list[int]:
        """Indices of the claims that start at the true start and agree with the true walk in the most
        steps."""
        begun = [k for k, each in enumerate(claims) if each.start == self.claims.start]
        agreed = {k: len(claims[k].walk & self.claims.walk) for k in begun}
        return [k for k in begun if agreed[k] == max(agreed.values())]

    def _confirmed(self, now: Assessment, question: Question) -> bool:
        if self._same_verdict(now):
            return True
        read = self._claims(now)
        if _is_broken_rule(question):
            return self._turn(now.told, now.ruling, read) == self._turn(self.told, self.ruling, self.claims)
        if kind_of(question.name) is Kind.CUT or question.name == PART_READ:  # It asks about the whole path.
            return read.walk == self.claims.walk
        name = read.named(question.place)
        return read.about(name) == self.claims.about(name)

    def _lies_unread(self, now: Assessment, question: Question) -> bool:
        """Whether a true card that was not read lies in the picture region of a question about cards."""
        if question.about != "card" or question.crop_px is None:
            return False
        left, top, right, bottom = question.crop_px
        read = where_they_lie(now.scan.cards, self.seen.cards).values()
        middles = (middle_of(card) for k, card in enumerate(self.seen.cards) if k not in read)
        return any(left <= x <= right and top <= y <= bottom for x, y in middles)

    def is_drawn_so(self, then: Assessment, question: Question) -> bool:
        """Whether an option leads to the true verdict, or has all lines right at the question's place
        and one step around it."""
        if self._same_verdict(then):
            return True
        dungeon, read = self.table.dungeon(then.record.cards), self._claims(then)
        if question.place not in dungeon.places:
            return False
        near = {question.place, *(link.b for link in dungeon.neighbours[question.place])}
        return all(
            self._lines(read, named) == self._lines(self.claims, named)
            for named in map(read.named, near)
            if named is not None
        )

    @staticmethod
    def _lines(claims: Claims, named: str) -> frozenset[tuple[object, ...]]:
        return frozenset(claim for claim in claims.about(named) if claim[0] == "line")

    def _goes_on(self, now: Assessment, question: Question) -> bool:
        """Whether the true path continues beyond the place where a question asks for its end. For a
        question about a stop, the end of any line counts."""
        name, path = self._claims(now).named(question.place), self.seen.tableau.path
        if not path:
            return False
        if question.name in STOPS:
            # A pit and where one lands below it are one spot.
            here = {question.place, *(way.a for way in now.dungeon.links if _falls_to(way, question.place))}
            ends = {self.claims.named(place) for line in path for place in (line[0], line[-1])}
            return ends.isdisjoint(map(self._claims(now).named, here))
        ends = {self.claims.named(place) for place in (path[0][0], path[-1][-1])}
        return kind_of(question.name) is Kind.END and name not in ends

    def is_missing(self, now: Assessment, question: Question) -> bool:
        """Whether something real was not read at the place of a question, so that another photo is
        needed."""
        if question.name == NO_PATH:
            return bool(self.seen.tableau.path)
        if question.name == UNCLEAR or kind_of(question.name) is Kind.CUT:
            return not self.right(now)
        return self._goes_on(now, question) or self._lies_unread(now, question)

    def _turn(self, told: Any, ruling: Any, claims: Claims) -> tuple[Any, ...]:
        """Legality, broken rule and its place, for comparison."""
        game = self.table.game
        return ruling.legal, game.words.why(ruling).rule, claims.named(game.words.turn(told, ruling).place)

    def _same_verdict(self, then: Assessment) -> bool:
        return self.right(then) and then.ruling.legal == self.ruling.legal

    def _claims(self, now: Assessment) -> Claims:
        return self._claimed(now.record, now.scan.cards, now.terms)

    def _claimed(self, record: Record, cards: Sequence[Any], terms: Any) -> Claims:
        return claims_of(record, cards, self.seen.cards, self.table.game.rules.settings.values(terms))


def play(
    reading: Scan, truth: Truth, player: PlayerName, watch: Callable[[Assessment], None] | None = None
) -> Played:
    """The final result of a photo's reading for one simulated player. `watch` is given each assessment."""
    careful = player == "careful"
    now = assess(reading, truth.table, truth.terms if careful else truth.table.game.rules.settings.make({}))
    asked: list[Asked] = []
    watch = watch or (lambda _: None)
    watch(now)
    while len(asked) < MOST_QUESTIONS and now.open_questions:
        question = now.open_questions[0]
        shown = in_order(question, options(now, question.name))
        option = _true_answer(truth, now, question, shown) if careful else FIRST_ANSWER
        then = answered_with(now, question.name, shown[option])
        asked.append(
            Asked(
                question.name,
                question.place,
                option,
                settles=not shown[option].leaves_open,
                changed=_changed(now, then),
                answers=sum(each.kind != "unknown" for each in shown),
                again=any(each.name == question.name for each in asked),
                true=not shown[option].leaves_open
                or (shown[option].kind == "retake" and truth.is_missing(now, question)),
                real=sum(_says_what_is_there(question, each) for each in shown),
                alike=_come_to_the_same([each for each in shown if not each.leaves_open]),
                bare=truth.is_bare(now, question),
            )
        )
        now = then
        watch(now)
        if shown[option].kind == "retake":  # Then he does, and answers no more about this one.
            break
    unsettled = len(now.open_questions) + len(now.left_questions)
    return Played(truth.right(now), now.sure, unsettled, tuple(asked))


def _true_answer(truth: Truth, now: Assessment, question: Question, shown: Sequence[Option]) -> int:
    """Index of the true option. Without one: that something is missing and needs another photo, that it
    has to be corrected by hand, or "I cannot tell"."""

    def then(k: int) -> Assessment:
        return answered_with(now, question.name, shown[k])

    settling = [k for k, each in enumerate(shown) if not (each.leaves_open or each.guessed)]
    true = truth.true_answer(now, question, [then(k) for k in settling])
    if true is not None:
        return settling[true]
    guessed = (k for k, each in enumerate(shown) if each.guessed and truth.is_drawn_so(then(k), question))
    found = next(guessed, None)
    if found is not None:
        return found
    left = {each.kind: k for k, each in enumerate(shown) if each.leaves_open}
    missing = truth.is_missing(now, question)
    return left[
        "retake" if missing and "retake" in left else "otherwise" if "otherwise" in left else "unknown"
    ]


def _says_what_is_there(question: Question, option: Option) -> bool:
    """Whether an option is a real answer. This includes "something is missing" and "another card", but
    not "the line was read wrongly"."""
    return option.kind != "unknown" and (option.kind != "otherwise" or question.about == "card")


def _come_to_the_same(options: Sequence[Option]) -> bool:
    ends = [(option.record, option.terms) for option in options]
    return any(end in ends[:k] for k, end in enumerate(ends))


def _is_broken_rule(question: Question) -> bool:
    """Whether a question is about a broken rule."""
    return question.name == BROKEN_RULE


def _changed(now: Assessment, then: Assessment) -> bool:
    return (
        not now.table.alike(now.ruling, then.ruling)
        or then.sure != now.sure
        or len(then.open_questions) < len(now.open_questions)
    )


def _falls_to(way: Link, place: str) -> bool:
    return way.kind == "fall" and way.b == place
