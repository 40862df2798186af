"""A tableau as it stands: a photo's reading with what people answered and corrected, refereed.

Reading never asks what is legal, and the referee never sees a picture: here both meet. A reading that was in
doubt carries its other readings as records. Where the game tells which of them stands, that is taken (ink
alone does not tell which way a line was drawn); the others are refereed, too, and `waymark.review.sure`
decides whether any of them can change the score.

Questions keep the name that they have in the reading. Those that are still open are asked about the record
as it stands now: their other readings are carried over to it, so that no answer undoes another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import msgspec

from scorer.dungeon import Dungeon
from scorer.game import Choice, Discord, RuledDoubt
from scorer.record import Record, path_backwards
from scorer.text import Text
from vision.questions import DOUBT, Question, with_names
from vision.scan import Scan
from waymark.review.bearing import (
    is_borne_out,
    is_in_room,
    is_missing_nothing,
    is_not_meant,
    leads_nowhere,
)
from waymark.review.evidence import Evidence, confirmed_break
from waymark.review.merge import merge_records, same_way
from waymark.review.options import Option, Standing, options_of, stretches, wants_another_look
from waymark.review.path_joins import Path
from waymark.review.pencil import in_pencil, pencil_questions
from waymark.review.projection import cards_in_photo, turns_in_photo
from waymark.review.question_names import (
    BROKEN_RULE,
    CARDS_CORRECTED,
    COVERED,
    GAP,
    HIDDEN,
    MARKS,
    NO_PATH,
    PART_READ,
    STOPS,
    STOPS_INSIDE,
    STOPS_SHORT,
    UNCLEAR,
    due,
    due_again,
    is_confirmed_break,
    is_open_ended,
    left_open,
    looked_at,
    seen_before,
    was_left,
)
from waymark.review.rescan import ink_is_read, read_on, tells_a_loss
from waymark.review.sure import Decision, decide
from waymark.review.table import Table
from waymark.review.urgency import in_turn
from waymark.review.whole_paths import whole_paths

_CARDS_CORRECTED = Question(
    "path",
    "",
    (),
    "The cards were corrected after the line was read, so it is being read again; if that does not happen, "
    "draw the path by hand, and then say that it is right.",
    "カードを直したので、線を読み直しています。読み直されないときは、経路を手で直してから、"
    "これでよいと答えてください。",
    name=CARDS_CORRECTED,
)
_MARKS = (
    "What is circled or struck through here does not go with the path as it was read.",
    "ここの丸や取り消し線が、読み取った経路と合いません。",
)

_LOOK_OVER = (
    "Part of this line is hard to see in the photo; please look over the whole path once, as it stands now.",
    "写真では線の見えにくい所があります。今の経路の全体を、一度確かめてください。",
)
_UNCLEAR = (
    "Much of the path cannot be told in this photo. Take it again, closer or in better light.",
    "この写真では経路の多くがはっきりしません。もっと近くか明るい所で、撮り直してください。",
)
_MUCH_HIDDEN = (
    "Something hides much of the path. Take the photo again without it.",
    "経路の多くが物に隠れています。どけてから撮り直してください。",
)
_AGAIN = (
    "This answer does not go with the ink and the circles on the cards; please look once more.",
    "この答えは、カードのインクや丸と合いません。もう一度確かめてください。",
)
_NO_LINE_LEFT = (
    "As it stands, no path was drawn. If there is a line, take the photo again, or draw the path by hand.",
    "今のままでは、経路を引かなかったことになります。線があるときは、写真を撮り直すか、経路を手で直してください。",
)
_BY_MARKS = Text(
    "What is circled and struck through tells in which direction the path was drawn.",
    "丸と取り消し線から、経路の向きが分かります。",
)
#: Whoever has answered for more stretches of one path than this has drawn it himself: a photo that is so hard
#: to read is taken again. Of 76 drawn photos 2 came to more, both misread.
MOST_ANSWERED = 5
#: With so many doubts about a path, each of another stretch, the photo is taken again sooner than they are
#: asked one by one: of 80 photos of `tuning-evening` with a hand, finger or pen over the path 5 have as many,
#: and came to 2 to 9 questions. Who says that it is right all the same has his score, and it is not sure.
#: Where the line parts, or breaks a rule, that is asked first: of 9 such photos 2 were right after that.
MOST_DOUBTS = 5
#: A doubt is none where all its other readings are this much less likely (nats) than what stands, and nothing
#: else speaks against that: no rule broken, no line parted, no mark that tells another story. Of 70 such
#: doubts none was right, of 8 that were 2 to 3 behind two (300 photos of `tuning-evening`).
CLEAR_DOUBT = 3.5
#: A beginning of the path that something hides is a doubt up to this (nats), whatever rule another one would
#: break: no ink shows that the path begins as the rules have it. Of the drawings on which rules alone spoke
#: (179 hard and wild photos of `tuning-evening`) two were wrong; with 3.9 and more four were right.
HIDDEN_BEGINNING = 3.75
#: A path that breaks a rule from its other end may have been walked from there where that is by no more than
#: this (nats) less likely: of 137 hard and wild photos of `tuning-evening` one is asked so, and was.
AS_LIKELY = 1.0
#: Whoever found no more than this may well have marked nothing.
_LITTLE = 2
#: Questions that are about the path as it stands: another one may part, or break a rule, elsewhere.
_ABOUT_THE_PATH = (GAP, BROKEN_RULE, MARKS, PART_READ, *STOPS)
#: What the names of a reading's questions about single stretches of the path begin with, and of those about
#: circles beside it.
_OF_THE_PATH = "path:"
_OFF_PATH_NAME = "path:off-path:"

#: Referees a record.
Rule = Callable[[Record], Any]


@dataclass(frozen=True)
class Assessment:
    """`scan` holds the cards of `record` as they lie in the photo; `told` is the game's own record of the
    same (the same one in games whose records are tableaus), `board` what its pieces make, and `dungeon` the
    places and ways where they lie. `open_questions` are those that nobody has answered, the one that settles
    most first; none where none of them can change the score. `left_questions` are those that somebody looked
    at and could not answer. `parted` are the strokes that nothing joins to the one before, `two_stories` the
    places whose marks do not go with the path; `guessed`: answers had to tell so much of the path that they
    are no better than a guess; `against`: somebody stands by an answer that the evidence speaks against, so
    the score is his word alone. `sure`: there is none of these. `reading` is the photo's own,
    `answered` names what has been settled of it; `terms` are what was told, `evidence` is what was weighed,
    and `table` is what was asked of the game for all this."""

    scan: Scan
    record: Record
    told: Any
    ruling: Any
    board: Any
    dungeon: Dungeon
    open_questions: tuple[Question, ...]
    left_questions: tuple[Question, ...]
    parted: tuple[int, ...]
    two_stories: tuple[str, ...]
    guessed: bool
    against: bool
    sure: bool
    reading: Scan
    answered: frozenset[str]
    terms: Any
    table: Table
    evidence: Evidence

    def question(self, name: str) -> Question | None:
        """The question of that name that is open, or was left so; None where there is none (any more)."""
        still = (*self.open_questions, *self.left_questions)
        return next((question for question in still if question.name == name), None)

    @cached_property
    def offered(self) -> dict[str, tuple[Option, ...]]:
        """The answers to questions as far as they were asked for, by name: each is worked out once."""
        return {}

    @cached_property
    def said(self) -> Any:
        """The ruling in the words of people who look at the photo: without the names of places in records."""
        return self.table.game.without_ids(self.board, self.told, self.ruling)


def assess(
    reading: Scan,
    table: Table,
    terms: Any,
    *,
    corrected: Record | None = None,
    answered: Collection[str] = (),
    together: bool = True,
) -> Assessment:
    """Referee a reading with `corrected` in place of what was read (None: as it was read) and without the
    questions that have been answered. `together`: doubts are also tried two by two."""
    return _assessed(reading, table, terms, corrected, frozenset(answered), together)[0]


def _assessed(
    reading: Scan,
    table: Table,
    terms: Any,
    corrected: Record | None,
    settled: frozenset[str],
    together: bool,
    spent: float = 0.0,
) -> tuple[Assessment, Decision]:
    """The assessment and what was decided. `spent`: how much less likely (nats) than the reading itself what
    is `corrected` is, where that is only supposed: doubts that are unlikely together are none."""
    if corrected is not None:
        reading = read_on(reading, corrected, table.catalogue)
    reading = replace(reading, questions=with_names(reading.questions))

    def rule(record: Record) -> Any:
        return table.referee(record, terms)

    scan = _as_it_stands(reading, table, terms, corrected, settled)
    evidence = Evidence(
        table,
        reading.tableau,
        reading.mark_confidence,
        settled=_marks_settled(settled),
        # Who is asked once more whether a rule was broken has not said so yet.
        confirmed=frozenset() if BROKEN_RULE in due_again(settled) else settled,
    )
    scan, choice = choose_reading(scan, table, terms, evidence)
    record = table.retold(scan.tableau, terms)
    told = table.told(record, terms)
    ruling = rule(record)
    if choice is not None:
        ruling = table.game.chosen(ruling, choice)
    doubts = table.doubts(record, terms)
    stories = evidence.two_stories(record, terms)
    ruled = settled | ({STOPS_INSIDE} if settled & {"direction", STOPS_SHORT} else set())
    if _end_is_seen(reading, record, settled):
        ruled |= {STOPS_SHORT}
    if UNCLEAR in settled:  # Who has looked at the whole path has looked at all of it.
        ruled |= {*_ABOUT_THE_PATH}
    to_ask = [
        doubt
        for doubt in doubts
        if ruled.isdisjoint({doubt.about, confirmed_break(table, ruling, doubt.place)})
    ][:1]
    gap = any(doubt.blocking for doubt in doubts)
    # A broken rule that somebody has confirmed is no doubt any more.
    clear = not (to_ask or gap or stories or evidence.is_unweighed)
    unlikely = (CLEAR_DOUBT if clear else DOUBT) - spent
    read = {question.name: question for question in reading.questions}
    likely: list[Question] = []
    places = table.dungeon(record.cards)
    weighed = Standing(record, terms, table, scan.questions, evidence)
    # What may lie beyond an end is judged by what else is in doubt there.
    for question in sorted(scan.questions, key=lambda each: each.name.startswith(COVERED)):
        # One whose other readings do not fit the record any more is judged by them as they were read.
        judged = question if question.alternatives else read.get(question.name, question)
        far = is_far_fetched(judged, record, terms, evidence, unlikely)
        # Whoever looked and could not tell has not found it unlikely.
        far = far and left_open(question.name) not in settled
        # Where something else is in doubt, any ink may tell what is wrong.
        if not far and not (
            is_in_room(question, record, places)
            or is_missing_nothing(question, likely, scan, places, weighed)
            or is_not_meant(question, scan, weighed)
            or (clear and leads_nowhere(question, weighed, unlikely))
        ):
            likely.append(question)
    likely = [each for each in likely if not (clear and is_borne_out(each, likely, weighed))]
    # What comes to the same does not say whether the line leads on, and out.
    if any(
        _leads_on(each, record) and not all(table.alike(ruling, rule(other)) for other in each.alternatives)
        for each in likely
    ):
        to_ask = [doubt for doubt in to_ask if doubt.about != STOPS_SHORT]
    if corrected is not None or not any(doubt.about in (GAP, BROKEN_RULE) for doubt in to_ask):
        # Beside a gap that stays one after people have looked, the reading's own doubts count.
        stays = gap and not settled.isdisjoint({GAP, left_open(GAP)})
        likely = _taken_again(likely, reading.questions if stays else likely, settled)
    if together and any(each.name == UNCLEAR for each in likely):
        paths = whole_paths(scan.questions, record, terms, table, evidence)
        likely = [replace(each, alternatives=paths) if each.name == UNCLEAR else each for each in likely]
    questions = _without_marks_twice(_looked_at_once(likely, read, settled), evidence.discord(record, terms))
    questions += tuple(map(_asked, to_ask))
    again = [
        _asked_again(name, reading, doubts, record, table)
        for name in due_again(settled)
        if name != BROKEN_RULE or any(doubt.about == name for doubt in doubts)
    ]
    questions += tuple(again)
    if stories and not (to_ask or again or gap) and MARKS not in ruled:
        questions += (Question("path", stories[0].place, (), *_MARKS, name=MARKS),)
    if reading.tableau.path and not record.path and NO_PATH not in settled:
        # Whose answer leaves no line at all is asked whether he drew one: nothing must not become a score.
        questions += (Question("path", "", (), *_NO_LINE_LEFT, name=NO_PATH),)
    questions += tuple(each for each in pencil_questions(record, table.catalogue) if each.name not in settled)

    def decided(question: Question, other: Record) -> tuple[Decision, Any]:
        looked_into = {question.name, *_ABOUT_THE_PATH}
        behind = question.behind + evidence.against(other, terms) - evidence.against(record, terms)
        then, decision = _assessed(
            reading, table, terms, other, settled | looked_into, False, max(behind, 0.0)
        )
        return decision, then.ruling

    guessed = _answered_stretches(reading, settled) > MOST_ANSWERED or UNCLEAR in settled
    against = any(seen_before(name) is not None for name in settled)
    decision = decide(
        questions,
        rule,
        lambda verdict: table.alike(verdict, ruling),
        # What a person has looked at and corrected is read whole; what answers alone made up is a guess.
        read_whole=(reading.sure or bool(reading.questions) or corrected is not None)
        and not (guessed or against),
        gap=gap,
        two_stories=bool(stories),
        pencil=bool(in_pencil(record, table.catalogue)),
        decided=decided if together else None,
    )
    left = {name for each in settled if (name := was_left(each)) is not None}
    matter = in_turn(questions, table, record, terms) if decision.asked else ()
    turns = turns_in_photo(scan.cards) if len(scan.cards) == len(record.cards) else ()
    board = table.board(told, record.cards)
    return (
        Assessment(
            scan=replace(scan, tableau=record, questions=questions, sure=decision.sure),
            record=record,
            told=told,
            ruling=ruling,
            # Whoever is told where something is looks at the photo.
            board=board.lying(turns) if isinstance(board, Dungeon) else board,
            dungeon=table.dungeon(record.cards).lying(turns),
            open_questions=tuple(question for question in matter if question.name not in left),
            left_questions=tuple(question for question in matter if question.name in left),
            parted=tuple(number for doubt in doubts for number in doubt.strokes),
            two_stories=tuple(each.place for each in stories),
            guessed=guessed,
            against=against,
            sure=decision.sure,
            reading=reading,
            answered=settled,
            terms=terms,
            table=table,
            evidence=evidence,
        ),
        decision,
    )


def _end_is_seen(reading: Scan, record: Record, settled: Collection[str]) -> bool:
    """Whether people have looked at the end of the path: they have said that it stops there, or how the line
    runs on, or not, from there."""
    if not record.path or record.path[-1][-1] not in _ends(reading.tableau.path):
        return True
    answered = (each for each in reading.questions if each.name in settled)
    return any(name in settled for name in STOPS) or any(_leads_on(each, record) for each in answered)


def _leads_on(question: Question, record: Record) -> bool:
    """Whether in another reading of the line it goes on from the end of the path."""
    if question.about != "path" or not record.path:
        return False
    end, now = record.path[-1][-1], stretches(record)
    return any(end in step for other in question.alternatives for step in stretches(other) - now)


def _answered_stretches(reading: Scan, settled: Collection[str]) -> int:
    """How many stretches of the path the ink did not tell, and answers did: doubts about the same steps are
    one stretch, which is looked at once."""
    spots: list[frozenset[frozenset[str]]] = []
    read = stretches(reading.tableau)
    for question in reading.questions:
        if question.about != "path" or not question.alternatives or question.name not in settled:
            continue
        spot = frozenset(step for other in question.alternatives for step in read ^ stretches(other))
        spots = [
            *(each for each in spots if not each & spot),
            spot.union(*(each for each in spots if each & spot)),
        ]
    return len(spots)


def _marks_settled(settled: Collection[str]) -> frozenset[str]:
    """The places at which people have said that the path is right beside the circle."""
    before = _OFF_PATH_NAME
    return frozenset(name.removeprefix(before) for name in settled if name.startswith(before))


def _without_marks_twice(
    questions: Collection[Question], discord: Collection[Discord]
) -> tuple[Question, ...]:
    """The reading's questions without those about single circles beside the path: all marks that do not go
    with it are asked about at once, where they weigh enough."""
    weighed = {each.place for each in discord if each.weight > 0}
    return tuple(
        question
        for question in questions
        if question.alternatives
        or not question.name.startswith(_OFF_PATH_NAME)
        or question.place not in weighed
    )


def _taken_again(
    questions: list[Question], counted: Collection[Question], settled: Collection[str]
) -> list[Question]:
    """The questions with one in place of those about stretches of the path where the `counted` ones are many:
    whether the photo is taken again."""
    doubts = [each for each in questions if each.name.startswith(_OF_THE_PATH) and not tells_a_loss(each)]
    rest = [each for each in questions if each not in doubts]
    if UNCLEAR in settled:
        return rest
    open_ones = [each for each in counted if each.name.startswith(_OF_THE_PATH) and each.alternatives]
    if (
        not doubts
        or len({tuple(other.path for other in each.alternatives) for each in open_ones}) < MOST_DOUBTS
    ):
        return questions
    hidden = sum(each.name.startswith(HIDDEN) for each in open_ones)
    words = _MUCH_HIDDEN if 2 * hidden >= len(open_ones) else _UNCLEAR
    return [*rest, Question("path", "", (), *words, name=UNCLEAR)]


def _looked_at_once(
    questions: Collection[Question], read: Mapping[str, Question], settled: Collection[str]
) -> list[Question]:
    """The questions with one about the whole path in place of those whose other readings do not fit it any
    more: what these could ask by themselves is only whether it is right so."""
    bare = [
        question
        for question in questions
        if question.about == "path"
        and not question.alternatives
        and question.name in read
        and read[question.name].alternatives
    ]
    kept = [question for question in questions if question not in bare]
    if bare and PART_READ not in settled:
        kept.append(Question("path", "", (), *_LOOK_OVER, name=PART_READ))
    return kept


def _as_it_stands(
    reading: Scan, table: Table, terms: Any, corrected: Record | None, settled: frozenset[str]
) -> Scan:
    """The reading with what people made of it, and with those of its questions that are left."""
    asked = [question for question in reading.questions if question.name not in settled]
    if corrected is None:
        return replace(reading, questions=tuple(asked))
    record = table.retold(corrected, terms)
    places = table.dungeon(record.cards)
    asked = [question for question in asked if not _is_over(question, reading.tableau, record, places)]
    if ink_is_read(reading, record, table.catalogue):
        carried = [(each, _carried_over(each, reading.tableau, record, table)) for each in asked]
        asked = [now for each, now in carried if not _is_walked(each, now, reading.tableau, record)]
    else:
        # What the reading asks is about other cards; the new reading asks its own.
        asked = [_CARDS_CORRECTED] if CARDS_CORRECTED not in settled else []
    return replace(
        reading,
        tableau=record,
        cards=cards_in_photo(reading, record, table.catalogue),
        # What people changed has no line in the photo.
        path_px=reading.path_px if record.path == reading.tableau.path else tuple(() for _ in record.path),
        questions=tuple(asked),
    )


# --- between readings ---------------------------------------------------------------------------------------


def choose_reading(scan: Scan, table: Table, terms: Any, evidence: Evidence) -> tuple[Scan, Choice | None]:
    """The scan read in the likeliest direction and order, and the choice (None: nothing was open).

    Ink alone leaves both directions open; the game chooses between the verdicts, then the marks do: who
    circled what only one direction finds walked that one. The path itself stays as it was read. The direction
    question keeps those other readings that are as likely, and goes when there are none; other questions are
    turned the same way."""
    asked = next((question for question in scan.questions if question.about == "direction"), None)
    if asked is None:
        return scan, None

    def rule(record: Record) -> Any:
        return table.referee(record, terms)

    readings = (scan.tableau, *asked.alternatives)
    choice = table.choose([rule(reading) for reading in readings])
    if choice.asked:
        choice = _chosen_by_marks(choice, [evidence.against(reading, terms) for reading in readings])
    elif not choice.rivals:
        rivals = _finding_little(readings, choice.chosen, table, terms)
        choice = replace(choice, rivals=rivals or _as_likely(readings, choice.chosen, evidence, table, terms))
    record = readings[choice.chosen]
    questions = []
    for question in scan.questions:
        if question is not asked:
            questions.append(_turned(question, scan.tableau, record, rule))
        elif choice.rivals:
            questions.append(
                replace(
                    asked,
                    place=record.path[0][0],
                    options=tuple(asked.options[k] for k in (choice.chosen, *choice.rivals)),
                    alternatives=tuple(readings[k] for k in choice.rivals),
                )
            )
    turned = replace(scan, tableau=record, path_px=_lines_in_order(scan, record), questions=tuple(questions))
    return turned, choice


def _finding_little(readings: Sequence[Record], chosen: int, table: Table, terms: Any) -> tuple[int, ...]:
    """The readings (by number) that break a rule before much was found, where nothing is marked and the
    chosen one alone is legal: who drew one of those had little to circle. Of 1,823 drawings (evening samples)
    4 were such ones, and 40 were walked from the legal end by players who mark nothing."""
    marks, verdicts = readings[chosen].marks, [table.referee(reading, terms) for reading in readings]
    if marks.circled or marks.struck or not verdicts[chosen].legal:
        return ()
    finds = (sum(count for _, count in table.game.report(verdict).counts) for verdict in verdicts)
    return tuple(
        k
        for k, (verdict, found) in enumerate(zip(verdicts, finds, strict=True))
        if found <= _LITTLE and not verdict.legal and not table.alike(verdict, verdicts[chosen])
    )


def _as_likely(
    readings: Sequence[Record], chosen: int, evidence: Evidence, table: Table, terms: Any
) -> tuple[int, ...]:
    """The readings (by number) that break a rule, are for all that hardly less likely, by what is marked,
    than the chosen one, which keeps them all, and worth something else."""
    verdict, against = table.referee(readings[chosen], terms), evidence.against(readings[chosen], terms)
    if not verdict.legal:
        return ()
    return tuple(
        k
        for k, reading in enumerate(readings)
        if k != chosen
        and evidence.against(reading, terms) <= against + AS_LIKELY
        and not table.alike(table.referee(reading, terms), verdict)
    )


def _chosen_by_marks(choice: Choice, against: Sequence[float]) -> Choice:
    """A game's choice without the readings against which marks speak clearly more than against the best."""
    likely = sorted((choice.chosen, *choice.rivals), key=lambda k: (against[k], k != choice.chosen, k))
    rivals = tuple(k for k in likely[1:] if against[k] - against[likely[0]] <= DOUBT)
    if rivals:
        return replace(choice, chosen=likely[0], rivals=rivals)
    return Choice(likely[0], (), "marks", _BY_MARKS)


def _turned(question: Question, read: Record, record: Record, rule: Rule) -> Question:
    """A question about something else, its other readings walked the way that was chosen."""
    if question.about == "mark":
        others = [msgspec.structs.replace(other, path=record.path) for other in question.alternatives]
        return replace(question, alternatives=tuple(others))
    turn = record.path != read.path and record.path == path_backwards(read.path)
    alternatives = []
    for other in question.alternatives:
        back = msgspec.structs.replace(other, path=path_backwards(other.path))
        first, second = (back, other) if turn else (other, back)
        alternatives.append(second if not rule(first).legal and rule(second).legal else first)
    return replace(question, alternatives=tuple(alternatives))


def _lines_in_order(scan: Scan, record: Record) -> tuple[tuple[tuple[float, float], ...], ...]:
    """`path_px` in the order and direction of the strokes of `record`."""
    if record.path == scan.tableau.path:
        return scan.path_px
    left = list(zip(scan.tableau.path, scan.path_px, strict=True))
    lines = []
    for stroke in record.path:
        for k, (places, line) in enumerate(left):
            if places in (stroke, stroke[::-1]):
                lines.append(line if places == stroke else line[::-1])
                del left[k]
                break
    return tuple(lines)


def is_far_fetched(
    question: Question, record: Record, terms: Any, evidence: Evidence, unlikely: float = DOUBT
) -> bool:
    """Whether a doubt is none: ink, rules and marks together speak against all its other readings by so much
    more (`unlikely`, nats) than against the one that stands that nobody would take one of them."""
    if question.about == "direction" or not question.alternatives or is_open_ended(question.name):
        return False
    hidden = question.name.startswith(HIDDEN) and _is_about_the_beginning(question, record)
    if hidden and question.behind <= HIDDEN_BEGINNING:
        return False
    now = evidence.against(record, terms)
    return all(
        question.behind + evidence.against(other, terms) - now > unlikely for other in question.alternatives
    )


def _is_about_the_beginning(question: Question, record: Record) -> bool:
    """Whether another reading is without the path's first step."""
    first = {frozenset(line[:2]) for line in record.path[:1] if len(line) > 1}
    return any(not first <= stretches(other) for other in question.alternatives)


def _asked(doubt: RuledDoubt) -> Question:
    """A doubt that follows from the ruling, as a question, mostly without another reading."""
    words = doubt.words
    return Question("path", doubt.place, (), words.en, words.ja, alternatives=doubt.others, name=doubt.about)


def _asked_again(
    name: str, reading: Scan, doubts: Collection[RuledDoubt], record: Record, table: Table
) -> Question:
    """The question whether an answer is so that the evidence speaks against, with the other answers that its
    question had."""
    asked = next((each for each in reading.questions if each.name == name), None)
    place = asked.place if asked is not None else ""
    if not place:
        place = next((doubt.place for doubt in doubts), record.path[0][0] if record.path else "")
    about = asked.about if asked is not None else "path"
    others: list[Record] = []
    if asked is not None and asked.about in ("path", "mark"):
        ways = (reading.tableau, *asked.alternatives)
        merged = (merge_records(one, other, record, table) for one in ways for other in ways if one != other)
        others = [other for other in merged if other is not None and other != record]
    alternatives = tuple(other for k, other in enumerate(others) if other not in others[:k])
    return Question(about, place, (), *_AGAIN, alternatives=alternatives, name=looked_at(name))


def scan_to_show(assessment: Assessment) -> Scan:
    """What a picture shows of a reading: the questions that are still open, and the gap that people have
    answered for."""
    questions = assessment.open_questions
    if assessment.parted and assessment.question(GAP) is None:
        doubts = assessment.table.doubts(assessment.record, assessment.terms)
        questions += tuple(_asked(doubt) for doubt in doubts if doubt.about == GAP)
        return replace(assessment.scan, questions=questions, sure=False)
    return replace(assessment.scan, questions=questions)


# --- answers ------------------------------------------------------------------------------------------------


def options(assessment: Assessment, name: str) -> tuple[Option, ...]:
    """The answers to a question that is open, or was left so, in the order of their numbers; none where there
    is no such question."""
    question = assessment.question(name)
    if question is None:
        return ()
    if name not in assessment.offered:
        assessment.offered[name] = options_of(question, standing(assessment))
    return assessment.offered[name]


def answer(assessment: Assessment, name: str, option: int) -> Assessment | None:
    """How the tableau stands once a question is answered; `option` is the number of one of its `options`: 0
    is the record as it stands. None where there is no such question or option."""
    given = next((each for each in options(assessment, name) if each.number == option), None)
    return None if given is None else answered_with(assessment, name, given)


def answered_with(assessment: Assessment, name: str, given: Option, *, together: bool = True) -> Assessment:
    """How the tableau stands with one of the `options` of a question; `together` as in `assess`."""
    question = assessment.question(name)
    asked = (*assessment.open_questions, *assessment.left_questions)
    table, ruling = assessment.table, assessment.ruling
    # The same question asked twice (two specks of ink at one place) is answered once.
    same = {each.name for each in asked if question is not None and asks_the_same(each, question)}
    here = same | given.settles
    again = question is not None and wants_another_look(question, options(assessment, name), given)
    settled = assessment.answered - {left_open(each) for each in here}
    if given.leaves_open:
        settled |= {left_open(each) for each in here}
    else:
        # A line that was joined may leave another one that parts.
        if name != GAP or given.record.path == assessment.record.path:
            settled |= same
        settled = still_settled(settled, assessment.record, given.record) | given.settles
        settled |= {due(name)} if again else set()
        if name == BROKEN_RULE and given.kind == "stands" and question is not None:
            settled |= {confirmed_break(table, ruling, question.place)}
    return assess(
        assessment.reading,
        assessment.table,
        given.terms,
        corrected=given.record,
        answered=settled,
        together=together,
    )


def standing(assessment: Assessment) -> Standing:
    """What stands while something is asked."""
    asked = (*assessment.open_questions, *assessment.left_questions)
    ways = {each.name for each in assessment.reading.questions if each.about == "direction"}
    return Standing(
        assessment.record,
        assessment.terms,
        assessment.table,
        asked,
        assessment.evidence,
        assessment.answered,
        frozenset(ways - assessment.answered),
    )


def asks_the_same(one: Question, other: Question) -> bool:
    """Whether two questions differ in nothing but their names."""
    return replace(one, name="") == replace(other, name="")


def still_settled(answered: Collection[str], before: Record, after: Record) -> frozenset[str]:
    """What remains answered once a record has changed: another path may part, or break a rule, elsewhere."""
    settled = frozenset(answered)
    if before.path != after.path:
        # Where no line ends that did not end somewhere before, those that part have been looked at.
        same_ends = _ends(after.path) <= _ends(before.path)
        over = [name for name in _ABOUT_THE_PATH if name != GAP or not same_ends]
        settled -= {kept(name) for name in over for kept in (str, left_open)}
        # That a rule was broken may be confirmed for good: then nothing but a second look asks about it.
        settled -= {due(name) for name in over if name != BROKEN_RULE}
    return settled if before.cards == after.cards else settled - {CARDS_CORRECTED}


def after_correction(assessment: Assessment, record: Record) -> frozenset[str]:
    """What stays answered once somebody corrects the record by hand. Who draws a stretch anew, or sets a
    mark, is no longer held to what he said of it before, against the evidence; what is asked of the path as a
    whole is asked of the one that he draws."""
    before, read = assessment.record, assessment.reading
    changed = _places_of(stretches(before) ^ stretches(record))
    marked = {*before.marks.circled, *before.marks.struck} ^ {*record.marks.circled, *record.marks.struck}
    questions = {question.name: question for question in read.questions}
    settled = set(assessment.answered)
    for kept in assessment.answered:
        name = seen_before(kept)
        if name is None:
            continue
        question = questions.get(name)
        if question is None:
            over = before.path != record.path or bool(marked)
        elif question.about == "mark":
            over = question.place in marked
        else:
            now = stretches(read.tableau)
            spot = (_places_of(now ^ stretches(other)) for other in question.alternatives)
            over = any(not changed.isdisjoint(places) for places in spot)
        if over:
            settled -= {kept, due(name)}
            if name == BROKEN_RULE:
                settled -= {each for each in settled if is_confirmed_break(each)}
    if before.path != record.path:
        settled -= {UNCLEAR, left_open(UNCLEAR)}
    return still_settled(settled, before, record)


def _places_of(steps: Collection[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*steps)


def _ends(path: Path) -> set[str]:
    return {name for stroke in path for name in (*stroke[:1], *stroke[-1:])}


def direction_settled(assessment: Assessment, record: Record | None = None) -> frozenset[str]:
    """What is answered once somebody says which way the path runs, of a `record` that he draws himself (None:
    of the one that stands): the rules do not turn it any more."""
    questions = assessment.reading.questions
    ways = {question.name for question in questions if question.about == "direction"}
    answered = assessment.answered if record is None else after_correction(assessment, record)
    return answered | ways | {"direction"}


def with_path(assessment: Assessment, path: Path) -> Assessment:
    """How the tableau would stand with another path over the same cards, walked just so."""
    drawn = msgspec.structs.replace(assessment.record, path=path)
    answered = direction_settled(assessment, drawn)
    return assess(assessment.reading, assessment.table, assessment.terms, corrected=drawn, answered=answered)


# --- questions about what stands now ------------------------------------------------------------------------


def _is_over(question: Question, read: Record, record: Record, dungeon: Dungeon) -> bool:
    """Whether a doubt about a place that the path did not come to is over: the path that stands does, or the
    circle that speaks of it is taken away."""
    place = dungeon.places.get(question.place)
    if question.about != "path" or question.alternatives or place is None:
        return False
    if place.id in read.marks.circled and place.id not in record.marks.circled:
        return True
    # A room's finds are come to in the room.
    names = {place.id, place.room or place.id} if place.find is not None else {place.id}
    before, now = ({name for stroke in each.path for name in stroke} for each in (read, record))
    return not names & before and bool(names & now)


def _is_walked(question: Question, now: Question, read: Record, record: Record) -> bool:
    """Whether a doubt about the line is over, because none of its other readings is left (`now`) and people
    have changed the stretch that it is about: they have looked there."""
    if question.about != "path" or not question.alternatives or now.alternatives:
        return False
    before, after = stretches(read), stretches(record)
    disputed = {step for other in question.alternatives for step in before ^ stretches(other)}
    return not _places_of(disputed).isdisjoint(_places_of(before ^ after))


def _carried_over(question: Question, read: Record, record: Record, table: Table) -> Question:
    """A question about what was read, asked about what stands now. Other readings that cannot be carried
    over, because the same stretch has been changed, are left out; the question stays."""
    if question.about == "direction":
        paths = _other_ways(read.path, [other.path for other in question.alternatives], record.path)
        if not paths and table.game.backwards(record) is not None:
            # Lines that were joined since run as one, from either end.
            paths = [path_backwards(record.path)]
        others = [msgspec.structs.replace(record, path=path) for path in paths]
        options = tuple(ends_told(path) for path in (record.path, *paths))
    else:
        merged = [merge_records(read, other, record, table) for other in question.alternatives]
        if question.about == "card":
            # What was said of the line on other cards is said of another line.
            merged = [one or other for one, other in zip(merged, question.alternatives, strict=True)]
        kept = [
            (name, other)
            for name, other in zip(question.options[1:], merged, strict=False)
            if other is not None and other != record
        ]
        others = [other for _, other in kept]
        options = (*question.options[:1], *(name for name, _ in kept)) if kept else ()
    return replace(question, options=options, alternatives=tuple(others))


def _other_ways(read: Path, others: list[Path], path: Path) -> list[Path]:
    """`path` in the directions and orders that the strokes which were read may have, its own left out."""
    now = same_way(read, others, path)
    ways: list[Path | None] = []
    for way in (read, *others):
        if way == now:
            continue
        if way == path_backwards(now):
            ways.append(path_backwards(path))
        elif len(path) == len(now):
            ways.append(_rearranged(now, way, path))
    return [way for way in dict.fromkeys(ways) if way is not None and way != path]


def _rearranged(before: Path, after: Path, path: Path) -> Path | None:
    """The strokes of `path` moved and turned as those of `before` were to give `after`; None where they were
    not only moved and turned."""
    left = list(range(len(before)))
    moved = []
    for stroke in after:
        index = next((k for k in left if before[k] in (stroke, stroke[::-1])), None)
        if index is None:
            return None
        left.remove(index)
        moved.append(path[index] if before[index] == stroke else path[index][::-1])
    return tuple(moved)


def ends_told(path: Path) -> str:
    return ", ".join(f"{stroke[0]} → {stroke[-1]} ({len(stroke)})" for stroke in path) or "-"
