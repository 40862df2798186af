"""A table of several groups from photos: what each drew, as the game's record, its ruling, and what is open.

The ink tells neither in which order lines were drawn nor, where colours are alike, whose they are. The game
names the records that a reading may be; all are refereed, and what changes the ruling is asked
(`waymark.review.sure` decides). What people answered is kept by the questions' names, and everything is
worked out anew from the photos' reading and these."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, product
from typing import Any, cast

import msgspec

from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from scorer.game import AGREED, SEEN, Contradiction, DrawnLine, Game, Groups, Untold
from scorer.record import Marks, PlacedCard, Record, path_backwards
from scorer.text import Language, Text
from vision.card_index import CardIndex, load_index
from vision.group_pens import nearest_colour
from vision.group_scan import GroupScan, Path, SeenLine, scan_groups
from vision.photo import Photo
from vision.questions import About, Question, with_names
from vision.scan import SeenCard
from vision.tuning import HUE_NATS
from waymark.review.evidence import BROKEN_RULE_COST
from waymark.review.far_fetched import CLEAR_DOUBT
from waymark.review.merge import merge_paths
from waymark.review.sure import decide

#: That a line stops where no miniature stands still, or runs into what ends its group's way, is so much less
#: likely (nats) than that it was misread. By reason: of a hundred lines a few are sketches.
STOPS_COST = 3.8
#: Another reading than the ink's likeliest is taken where it is likelier by so much in all (nats).
LEAD = 0.5
#: Of several groups that may have drawn several strokes so many ways are tried.
MOST_OWNERS = 81
#: Groups that nobody told: as many as may draw on one table.
MOST_GROUPS = 5

_OWNER = Text(
    "Two groups draw in much the same colour; please say whose line this is.",
    "似た色のペンを使うグループがあります。この線がどのグループのものか教えてください。",
)
_ORDER = Text(
    "The ruling depends on the order in which these lines were drawn, or on the direction of one; please say "
    "which it was.",
    "線を描いた順番や向きによって結果が変わります。どの順番と向きで描いたかを教えてください。",
)
_AS_READ = Text("It is as it was read", "読み取ったとおりです")
_STANDS = Text("It is right as it stands now", "今の内容で正しいです")
_SKETCH = Text("This line only shows a way; nobody has gone it", "この線は下書きで、まだ誰も進んでいません")
_NO_LINE = Text("Nothing is drawn there", "そこには何も描かれていません")
#: What answers say, by key, whatever was asked.
AS_READ, SKETCH = "as-read", "sketch"
#: A line's own reading among those that a question has of it.
_FIRST = "0"
_BY_ORDER = "order"
#: What the names of questions begin with about what was agreed before a photo that shows something else.
_AGREED = "agreed:"
#: What was not told; and what the names of questions begin with that a reading left open.
UNTOLD, _LEFT = "untold:", "open:"
#: What the names of questions begin with about ends of lines on which something stands.
_STANDING = "path:standing:"


@dataclass(frozen=True)
class GroupOption:
    """An answer: its `key` is the same whenever the photos are read the same; what it says, and the record
    and ruling that it comes to."""

    key: str
    words: Text
    record: Any
    ruling: Any


@dataclass(frozen=True)
class GroupAssessment:
    """How a table stands: `record` is the game's, `questions` those that can change the ruling, and `offered`
    the answers to each by its name, the first what stands; `scan` is the photos' own reading, and `lines` the
    record's paths in the first photo, stroke by stroke."""

    game: Game
    scan: GroupScan
    record: Any
    ruling: Any
    cards: tuple[SeenCard | None, ...]
    lines: tuple[tuple[tuple[float, float], ...], ...]
    questions: tuple[Question, ...]
    offered: Mapping[str, tuple[GroupOption, ...]]
    sure: bool
    timings_ms: Mapping[str, float]
    #: Whose each of the scan's lines is.
    owners: tuple[str, ...] = ()
    #: What the photo shows otherwise than was agreed, and nobody is asked about: it changes nothing.
    told: tuple[Text, ...] = ()


def score_groups(
    photos: Sequence[Photo], catalogue: Catalogue, game: Game, told: Mapping[str, Any], terms: Any
) -> GroupAssessment:
    """Photos of one table to ruling, of a game in which groups draw: `read_groups`, then `assess_groups`."""
    start = time.perf_counter()
    scan = read_groups(photos, catalogue, game, told)
    now = assess_groups(scan, catalogue, game, told, terms)
    done = (time.perf_counter() - start) * 1000
    return replace(now, timings_ms={**scan.timings_ms, "total": round(done, 1)})


def read_groups(
    photos: Sequence[Photo],
    catalogue: Catalogue,
    game: Game,
    told: Mapping[str, Any],
    on_stage: Callable[[str], None] | None = None,
) -> GroupScan:
    """Read photos of one table. `told` is the set-up in words (`scorer.game.Groups`): which groups there are,
    and with which pens. Raises `WaymarkError`: exit statuses 3 and 4, and what the game does not know."""
    assert game.groups is not None
    setup, _ = game.groups.setup(catalogue, told, game.make_terms({}))
    colours = game.groups.colours(setup) or dict.fromkeys(map(str, range(1, MOST_GROUPS + 1)))
    return scan_groups(photos, catalogue, _index(catalogue, game), tuple(colours.values()), on_stage)


def assess_groups(
    scan: GroupScan,
    catalogue: Catalogue,
    game: Game,
    told: Mapping[str, Any],
    terms: Any,
    answers: Mapping[str, str] = {},
    corrected: Any = None,
    left: Sequence[Question] = (),
    ask_untold: bool = False,
) -> GroupAssessment:
    """How a table stands by its photos' reading and what people answered (keys of options, by the names of
    their questions; those that nothing asks any more are as good as none). `corrected` is a record of the
    game that people put in the reading's place: then only what its ruling makes doubtful is asked, and
    whether it has right what the reading `left` open. With `ask_untold` it is asked what nobody told. Raises
    `WaymarkError`."""
    assert game.groups is not None
    setup, terms = game.groups.setup(catalogue, told, terms)
    if game.groups.colours(setup):
        names = tuple(game.groups.colours(setup))
    else:
        # Who tells no groups is told them by their inks.
        names = _named_by_ink(scan.lines, MOST_GROUPS)
        named = {**told, "groups": dict(zip(names, names, strict=True))}
        setup, terms = game.groups.setup(catalogue, named, terms)
    made = _Readings(catalogue, game, game.groups, setup, terms, scan, names, _heeded(answers, scan, names))
    asked: list[_Asked] = []
    record = corrected
    if corrected is None:
        made.settle_lines()
        first, *others = made.of()
        readings = (first, *others)
        choice = game.choose([made.rule(each) for each in readings])
        record = readings[choice.chosen]
        said = next((each for each in readings if _order_key(each) == answers.get(_BY_ORDER)), None)
        if said is not None:
            record = said
        elif choice.asked:
            asked.append(made.order_question(record, [readings[k] for k in choice.rivals]))
        asked = [*made.card_questions(), *made.line_questions(), *made.owner_questions(), *asked]
        asked += made.agreed_questions()
        record = made.with_sketches(record)
    asked += [_looked_over(question) for question in left if not is_of_ruling(question.name)]
    asked += made.doubt_questions(record)
    ruling = made.rule(record)
    if ask_untold:
        untold = tuple(game.groups.untold(made.board(record), record, ruling))
        first, last = ([_untold(each) for each in untold if each.last is after] for after in (False, True))
        asked = [*first, *asked, *last]

    def alike(verdict: Any) -> bool:
        return bool(game.worth(verdict) == game.worth(ruling))

    asked = [
        each for each in asked if each.name not in made.answers and not each.is_settled(made.rule, alike)
    ]
    questions = with_names([each.question for each in asked])
    names_asked = {question.name for question in questions}
    decision = decide(
        questions,
        cast(Callable[[Record], Any], made.rule),
        alike,
        read_whole=True,
        gap=False,
        two_stories=False,
        pencil=False,
        decided=None,
    )
    return GroupAssessment(
        game,
        scan,
        record,
        ruling,
        _cards_of(record, scan),
        made.lines_of(record),
        questions if decision.asked else (),
        {each.name: made.options_of(each, record) for each in asked} if decision.asked else {},
        decision.sure,
        scan.timings_ms,
        tuple(made.owner_of.values()),
        tuple(
            each.words
            for each in (made.contradictions if corrected is None else ())
            if _AGREED + each.name not in names_asked | set(made.answers)
        ),
    )


def _untold(each: Untold) -> _Asked:
    return _Asked(UNTOLD + each.name, "path", "", each.words, stands=(AS_READ, each.nothing), is_open=True)


def _looked_over(question: Question) -> _Asked:
    """Whether a record that people put in the reading's place has right what the reading left open."""
    why = Text(question.reason_en, question.reason_ja)
    name = _LEFT + question.name.removeprefix(_LEFT)
    return _Asked(
        name, question.about, question.place, why, (), (AS_READ, _STANDS), question.crop_px, is_open=True
    )


def _index(catalogue: Catalogue, game: Game) -> CardIndex:
    """The catalogue's index for pieces that lie as this game's do, kept with it."""
    kept, key = vars(catalogue), f"card_index {game.mode}"
    if key not in kept:
        kept[key] = load_index(catalogue, laying=game.laying)
    index: CardIndex = kept[key]
    return index


def _named_by_ink(lines: Sequence[SeenLine], most: int) -> tuple[str, ...]:
    names = [str(number) for number in range(1, most + 1)]
    for line in lines:
        colour = nearest_colour(line.rgb)
        names[line.owner.group] = colour if colour not in names else f"{colour} {line.owner.group + 1}"
    return tuple(names)


def _order_key(record: Any) -> str:
    return "|".join(f"{path.group}@{path.path[0][0] if path.path else ''}" for path in record.paths)


@dataclass(frozen=True)
class _Asked:
    """A question before it is decided whether it is asked: what each of its other answers is called, by key,
    what it says, and the record that it makes; `stands` is what the first answer, that of the record as it
    stands, is called."""

    name: str
    about: About
    place: str
    reason: Text
    others: tuple[tuple[str, Text, Any], ...] = ()
    stands: tuple[str, Text] = (AS_READ, _AS_READ)
    crop_px: tuple[int, int, int, int] | None = None
    #: Whether an answer may be none of these: people have to look.
    is_open: bool = False

    @property
    def question(self) -> Question:
        words = [self.stands[1], *(words for _, words, _ in self.others)]
        return Question(
            self.about,
            self.place,
            tuple(each.en for each in words),
            self.reason.en,
            self.reason.ja,
            self.crop_px,
            () if self.is_open else cast(Any, tuple(record for _, _, record in self.others)),
            name=self.name,
        )

    def is_settled(self, rule: Callable[[Any], Any], alike: Callable[[Any], bool]) -> bool:
        """Whether no answer changes the ruling."""
        return not self.is_open and all(alike(rule(record)) for _, _, record in self.others)


@dataclass
class _Readings:
    """What the game makes of a scan and of other readings of it, with what people answered."""

    catalogue: Catalogue
    game: Game
    groups: Groups[Any, Any]
    setup: Any
    terms: Any
    scan: GroupScan
    names: tuple[str, ...]
    answers: Mapping[str, str]
    #: For each line the reading that was taken (`ways_of`), where that is not the first.
    taken: dict[int, int] = field(default_factory=dict)
    _laid: dict[tuple[PlacedCard, ...], Any] = field(default_factory=dict)
    _boards: dict[Any, Any] = field(default_factory=dict)
    _ruled: dict[bytes, Any] = field(default_factory=dict)

    # --- what was answered

    @cached_property
    def placed(self) -> tuple[PlacedCard, ...]:
        """The cards, those named that people named."""
        placed = self.scan.placed
        for question in self.scan.questions:
            others = {_card_at(other.cards, question): other.cards for other in question.alternatives}
            cards = others.get(self.answers.get(question.name, ""))
            if cards is not None:
                placed = self._with_change(placed, cards)
        return placed

    def _with_change(
        self, placed: Sequence[PlacedCard], cards: Sequence[PlacedCard]
    ) -> tuple[PlacedCard, ...]:
        """The cards with those that other ones have otherwise than the photos' own reading."""
        return tuple(
            new if new != old else own for old, new, own in zip(self.scan.placed, cards, placed, strict=True)
        )

    @cached_property
    def owner_of(self) -> dict[int, str]:
        """Whose each line is (by number), as people said, else as colours and rules make it the likeliest."""
        owners = {number: self.names[line.owner.group] for number, line in enumerate(self.scan.lines)}
        for number in owners:
            said = self.answers.get(_owner_name(number))
            if said is not None:
                owners = self._given(owners, number, said)
        pens = [line.pen for line in self.scan.lines]
        for pen in dict.fromkeys(pen for pen in pens if pens.count(pen) > 1):
            lines = [k for k, each in enumerate(pens) if each == pen and _owner_name(k) not in self.answers]
            others = {owner for k, owner in owners.items() if pens[k] != pen}
            whose = [[name for name in self._may_own(k) if name not in others] or [owners[k]] for k in lines]
            tried = [
                owners | dict(zip(lines, each, strict=True)) for each in islice(product(*whose), MOST_OWNERS)
            ]
            owners = min(tried, key=self.cost_of_owners)
        for number, line in enumerate(self.scan.lines):
            if line.owner.others and pens.count(line.pen) == 1:
                owners = min([owners, *self._given_to_others(owners, number)], key=self.cost_of_owners)
        return owners

    def _given_to_others(self, owners: Mapping[int, str], number: int) -> Iterator[dict[int, str]]:
        """Whose each line may be if one is another group's, unless people said otherwise of one of them."""
        for name in self._may_own(number):
            given = self._given(owners, number, name)
            changed = [k for k, owner in given.items() if owner != owners[k]]
            if changed and all(_owner_name(k) not in self.answers for k in changed):
                yield given

    def _may_own(self, number: int) -> list[str]:
        owner = self.scan.lines[number].owner
        return [self.names[group] for group in (owner.group, *owner.others)]

    def _given(self, owners: Mapping[int, str], number: int, name: str) -> dict[int, str]:
        """Whose each line is once one is given to a group: who had that gets what that group drew with
        another pen."""
        pen = self.scan.lines[number].pen
        given = dict(owners)
        for k, owner in owners.items():
            if owner == name and self.scan.lines[k].pen != pen:
                given[k] = owners[number]
        return given | {number: name}

    def cost_of_owners(self, owners: Mapping[int, str]) -> float:
        """What speaks against lines being these groups' (nats): their colours, and the rules."""
        off = 0.0
        for number, line in enumerate(self.scan.lines):
            if line.off_deg:
                off += line.off_deg[self.names.index(owners[number])]
        drawn = {
            number: replace(self.ways_of(number, owner)[self.taken.get(number, 0)][1], group=owner)
            for number, owner in owners.items()
        }
        return HUE_NATS * off + self.cost(self.of(drawn)[0])

    @cached_property
    def paths(self) -> dict[int, Path]:
        """What people say of lines (by number) of which they said something."""
        said: dict[int, Path] = {}
        for number, line in enumerate(self.scan.lines):
            path = line.path
            for question in line.questions:
                key = self.answers.get(_line_name(question, number))
                if key is not None:
                    if key != _FIRST:
                        other = question.alternatives[int(key) - 1].path
                        path = merge_paths(line.path, other, path) or other
                    said[number] = path
        return said

    # --- readings

    def ways_of(self, number: int, owner: str | None = None) -> list[tuple[float, DrawnLine]]:
        """The readings of a line, the photo's own (as people answered) first, and by how much (nats) the ink
        makes each less likely."""
        line = self.scan.lines[number]
        name = self.owner_of[number] if owner is None else owner
        said = self.paths.get(number, line.path)
        first = line.paths if said == line.path else _walked_as(line, said)
        ways = [(0.0, DrawnLine(name, first, line.marks, line.standing))]
        for question in line.questions:
            for other in question.alternatives:
                path = merge_paths(line.path, other.path, first[0])
                walks = _walked_as(line, other.path if path is None else path)
                ways.append((question.behind, DrawnLine(name, walks, line.marks, line.standing)))
        return ways

    def cost(self, record: Any) -> float:
        """What speaks against a record beside its ink (nats): rules that are broken, lines that stop where
        nobody stops."""
        doubts = list(self.game.doubts(self.board(record), record, self.rule(record)))
        broken = sum(doubt.about == "broken-rule" for doubt in doubts)
        return BROKEN_RULE_COST * broken + STOPS_COST * (len(doubts) - broken)

    def settle_lines(self) -> None:
        """Take for each line of which nobody said anything the reading that ink and rules together make the
        likeliest."""
        for number in range(len(self.scan.lines)):
            ways = self.ways_of(number)
            if number in self.paths or len(ways) < 2:
                continue
            costs = [behind + self.cost(self.of({number: way})[0]) for behind, way in ways]
            best = min(range(len(ways)), key=costs.__getitem__)
            if costs[0] - costs[best] > LEAD:
                self.taken[number] = best

    def of(
        self,
        lines: Mapping[int, DrawnLine] = {},
        cards: tuple[PlacedCard, ...] | None = None,
        said: Mapping[str, str] = {},
    ) -> tuple[Any, ...]:
        """The records of the scan, with some lines (by number) and the cards read otherwise, and with what is
        said of contradictions."""
        drawn = self._drawn(lines)
        laid = self._laid_out(self.placed if cards is None else cards)
        return self.groups.readings(laid, drawn, self.terms, {**self._said, **said})

    def _drawn(self, lines: Mapping[int, DrawnLine] = {}) -> list[DrawnLine]:
        drawn = [
            lines[number] if number in lines else self.ways_of(number)[self.taken.get(number, 0)][1]
            for number in range(len(self.scan.lines))
        ]
        return _by_group([line for line in drawn if line.paths[0]])

    def _laid_out(self, cards: tuple[PlacedCard, ...]) -> Any:
        if cards not in self._laid:
            self._laid[cards] = self.groups.laid(self.catalogue, self.setup, cards)
        return self._laid[cards]

    @property
    def _said(self) -> dict[str, str]:
        """What people said of contradictions."""
        return {name.removeprefix(_AGREED): key for name, key in self.answers.items() if is_agreed(name)}

    @cached_property
    def contradictions(self) -> tuple[Contradiction, ...]:
        """What the photo shows otherwise than was agreed before it, once lines are settled."""
        laid = self._laid_out(self.placed)
        return self.groups.contradictions(laid, self._drawn(), self.terms, self._said)

    def board(self, record: Any) -> Any:
        if record.cards not in self._boards:
            self._boards[record.cards] = self.game.board(self.catalogue, record)
        return self._boards[record.cards]

    def rule(self, record: Any) -> Any:
        # two of three are asked for more than once; to write a record takes a hundredth of a ruling's time
        key = msgspec.json.encode(record)
        if key not in self._ruled:
            self._ruled[key] = self.game.referee(self.board(record), record, self.terms)
        return self._ruled[key]

    def with_sketches(self, record: Any) -> Any:
        """The record with the lines as sketches of which people said so."""
        for name, key in self.answers.items():
            if key == SKETCH:
                record = self.groups.sketched(record, name.partition(":")[2])
        return record

    # --- questions

    def order_question(self, record: Any, rivals: Sequence[Any]) -> _Asked:
        """In which order lines were drawn, and which way: of several that come to the same the first."""
        others: dict[Any, Any] = {}
        stands = self.game.worth(self.rule(record))
        for rival in rivals:
            others.setdefault(self.game.worth(self.rule(rival)), rival)
        others.pop(stands, None)
        return _Asked(
            _BY_ORDER,
            "direction",
            "",
            _ORDER,
            tuple((_order_key(each), self.groups.order_told(each, record), each) for each in others.values()),
            (_order_key(record), self.groups.order_told(record, record)),
        )

    def doubt_questions(self, record: Any) -> list[_Asked]:
        """What the ruling makes doubtful: rules that are broken, lines that stop where nobody stops."""
        asked = []
        for each in self.game.doubts(self.board(record), record, self.rule(record)):
            others = []
            if each.about == "stops":
                others.append((SKETCH, _SKETCH, self.groups.sketched(record, each.place)))
            asked.append(
                _Asked(
                    f"{each.about}:{each.place}", "path", each.place, each.words, tuple(others), is_open=True
                )
            )
        return asked

    def card_questions(self) -> list[_Asked]:
        """Those about cards, with the records that other cards would make."""
        asked = []
        for question in self.scan.questions:
            others = []
            for other in question.alternatives:
                card = _card_at(other.cards, question)
                try:
                    record = self.of(cards=self._with_change(self.placed, other.cards))[0]
                    self.rule(record)
                except WaymarkError:
                    continue  # a line on it leads nowhere: people have to look
                others.append((card, Text(card, card), record))
            whole = bool(others) and len(others) == len(question.alternatives)
            read = _card_at(self.scan.placed, question)
            asked.append(
                _Asked(
                    question.name,
                    "card",
                    question.place,
                    Text(question.reason_en, question.reason_ja),
                    tuple(others),
                    (read, Text(read, read)) if question.alternatives else (AS_READ, _AS_READ),
                    question.crop_px,
                    is_open=not whole,
                )
            )
        return asked

    def line_questions(self) -> list[_Asked]:
        """Those about what each pen drew; other readings that are far less likely than the one that was taken
        are none."""
        asked = []
        base = self.of()[0]
        standing = self.cost(base)
        doubtful = {each.place for each in self.game.doubts(self.board(base), base, self.rule(base))}
        for number, line in enumerate(self.scan.lines):
            ways = self.ways_of(number)
            taken = self.taken.get(number, 0)
            least = ways[taken][0] + standing
            own = 1
            for question in line.questions:
                count = len(question.alternatives)
                mine = range(own, own + count)
                own += count
                others = []
                is_plain = taken not in mine and doubtful.isdisjoint(_ends(ways[taken][1].paths[0]))
                if is_plain and question.name.startswith(_STANDING):
                    continue  # where a line ends that ends as lines do nobody doubts
                for k in (0, *mine) if taken in mine else mine:
                    if k == taken:
                        continue
                    read = self.of({number: ways[k][1]})[0]
                    if ways[k][0] + self.cost(read) - least <= CLEAR_DOUBT:
                        others.append(
                            (str(k - mine.start + 1) if k else _FIRST, _told(ways[k][1].paths[0]), read)
                        )
                if others or not count:
                    stands = str(taken - mine.start + 1) if taken in mine else _FIRST
                    asked.append(
                        _Asked(
                            _line_name(question, number),
                            question.about,
                            question.place,
                            Text(question.reason_en, question.reason_ja),
                            tuple(others),
                            (stands, _told(ways[taken][1].paths[0])) if others else (_FIRST, _AS_READ),
                            question.crop_px,
                            is_open=not count,
                        )
                    )
        return asked

    def owner_questions(self) -> list[_Asked]:
        """Whose a line is, where another group's pen is much alike: each with the groups changed."""
        asked = []
        least = self.cost_of_owners(self.owner_of)
        for number, line in enumerate(self.scan.lines):
            others = []
            now = self.owner_of[number]
            for owners in self._given_to_others(self.owner_of, number):
                name = owners[number]
                if self.cost_of_owners(owners) - least > CLEAR_DOUBT:
                    continue
                drawn = {
                    k: replace(self.ways_of(k)[self.taken.get(k, 0)][1], group=owner)
                    for k, owner in owners.items()
                }
                others.append((name, Text(name, name), self.of(drawn)[0]))
            if others:
                asked.append(
                    _Asked(
                        _owner_name(number),
                        "path",
                        line.path[0][0],
                        _OWNER,
                        tuple(others),
                        (now, Text(now, now)),
                        _box(line.path_px),
                    )
                )
        return asked

    def agreed_questions(self) -> list[_Asked]:
        """What was agreed before and the photo shows otherwise: which of both is right. A card that is asked
        about anyhow is asked about once."""
        asked = []
        cards = {question.place for question in self.scan.questions if question.alternatives}
        for each in self.contradictions:
            if _AGREED + each.name in self.answers or (each.about == "card" and each.place in cards):
                continue
            other = SEEN if each.stands == AGREED else AGREED
            words = {AGREED: each.agreed, SEEN: each.seen}
            record = self.of(said={each.name: other})[0]
            asked.append(
                _Asked(
                    _AGREED + each.name,
                    each.about,
                    each.place,
                    each.words,
                    ((other, words[other], record),),
                    (each.stands, words[each.stands]),
                )
            )
        return asked

    def options_of(self, asked: _Asked, record: Any) -> tuple[GroupOption, ...]:
        """The answers to a question about a record as it stands."""
        key, words = asked.stands
        return (
            GroupOption(key, words, record, self.rule(record)),
            *(GroupOption(key, words, other, self.rule(other)) for key, words, other in asked.others),
        )

    def lines_of(self, record: Any) -> tuple[tuple[tuple[float, float], ...], ...]:
        """Each pen's strokes in the photo, in the order of their groups' first paths."""
        order = list(dict.fromkeys(path.group for path in record.paths))
        lines = sorted(
            (number for number, owner in self.owner_of.items() if owner in order),
            key=lambda number: order.index(self.owner_of[number]),
        )
        return tuple(stroke for number in lines for stroke in self.scan.lines[number].path_px)


def _walked_as(line: SeenLine, path: Path) -> tuple[Path, ...]:
    """Another reading of a line, either way where the ink allows the line itself either way."""
    backwards = path_backwards(path)
    either_way = path_backwards(line.path) in line.paths[1:]
    return (path, backwards) if either_way and backwards != path else (path,)


def _heeded(answers: Mapping[str, str], scan: GroupScan, names: Sequence[str]) -> dict[str, str]:
    """The answers that a scan's questions have: what else is kept under their names settles nothing."""
    known: dict[str, set[str]] = {}
    for question in scan.questions:
        cards = (scan.placed, *(other.cards for other in question.alternatives))
        known[question.name] = {AS_READ, *(_card_at(each, question) for each in cards)}
    for number, line in enumerate(scan.lines):
        known[_owner_name(number)] = set(names)
        for question in line.questions:
            known[_line_name(question, number)] = set(map(str, range(len(question.alternatives) + 1)))
    return {
        name: key
        for name, key in answers.items()
        if key in known.get(name, ())
        or (is_doubt(name) and key in (AS_READ, SKETCH))
        or (is_agreed(name) and key in (AGREED, SEEN))
        or (name.startswith((UNTOLD, _LEFT)) and key == AS_READ)
    }


def is_doubt(name: str) -> bool:
    return name.startswith(("stops:", "broken-rule:"))


def is_untold(name: str) -> bool:
    """Whether a question is about what no photo shows; its answer holds for later photos, too."""
    return name.startswith(UNTOLD)


def is_left(name: str) -> bool:
    """Whether a question is what a reading left open of which people put another record in its place."""
    return name.startswith(_LEFT)


def is_of_ruling(name: str) -> bool:
    """Whether a question follows from the ruling of a record, and not from the photo."""
    return is_doubt(name) or is_untold(name)


def is_agreed(name: str) -> bool:
    """Whether a question is about what was agreed before the photo."""
    return name.startswith(_AGREED)


def _owner_name(number: int) -> str:
    return f"owner:{number}"


def _line_name(question: Question, number: int) -> str:
    return f"{question.name}:line{number}"


def _card_at(cards: Sequence[PlacedCard], question: Question) -> str:
    return cards[int(question.place)].card


def _by_group(lines: Sequence[DrawnLine]) -> list[DrawnLine]:
    """The lines, those of one group together as its strokes, each walked either way where the ink allows
    both."""
    groups: dict[str, DrawnLine] = {}
    for line in lines:
        if (before := groups.get(line.group)) is None:
            groups[line.group] = line
            continue
        groups[line.group] = DrawnLine(
            line.group,
            tuple((*one, *other) for one, other in product(before.paths, line.paths)),
            Marks(
                circled=(*before.marks.circled, *line.marks.circled),
                struck=(*before.marks.struck, *line.marks.struck),
            ),
            (*before.standing, *line.standing),
        )
    return list(groups.values())


def _ends(path: Path) -> set[str]:
    return {name for stroke in path for name in (stroke[0], stroke[-1])}


def _told(path: Path) -> Text:
    """A path in one line: the first and last place of every stroke."""
    if not path:
        return _NO_LINE
    words = ", ".join(f"{stroke[0]} → {stroke[-1]} ({len(stroke)})" for stroke in path)
    return Text(words, words)


def _box(lines: Sequence[Sequence[tuple[float, float]]]) -> tuple[int, int, int, int] | None:
    """Where in the photo lines lie."""
    points = [point for line in lines for point in line]
    if not points:
        return None
    xs, ys = zip(*points, strict=True)
    return int(min(xs)), int(min(ys)), int(max(xs)), int(max(ys))


def _cards_of(record: Any, scan: GroupScan) -> tuple[SeenCard | None, ...]:
    """The seen cards in the record's order, as it has them turned; None for those that nobody recognised."""
    told = []
    for number, card in enumerate(record.cards):
        seen = scan.cards[number] if number < len(scan.cards) else None
        told.append(None if seen is None else replace(seen, rotation=card.rotation))
    return tuple(told)


def groups_json(now: GroupAssessment, language: Language = "en") -> dict[str, Any]:
    """Scan and ruling as the commands answer them (docs/FORMATS.md)."""
    questions = []
    for question in now.questions:
        told = msgspec.to_builtins(replace(question, alternatives=()))
        del told["alternatives"], told["behind"]
        told["reason"] = told["reason_ja" if language == "ja" else "reason_en"]
        told["options"] = [option.words.message(language) for option in now.offered[question.name]]
        questions.append(told)
    scan = {
        "format": "waymark-scan/1",
        "photo": {
            "width": now.scan.photo.width,
            "height": now.scan.photo.height,
            "number": now.scan.photos[0],
            "shown_by": now.scan.photos,
            "warnings": [warning.message(language) for warning in now.scan.photo.warnings],
        },
        "tableau": msgspec.to_builtins(now.record),
        "cards": [
            {"card": None, "confidence": 0.0} if card is None else msgspec.to_builtins(card)
            for card in now.cards
        ],
        "path_px": now.lines,
        "inks": [
            {"group": owner, "rgb": line.rgb, "strokes": len(line.path)}
            for owner, line in zip(now.owners, now.scan.lines, strict=True)
        ],
        "questions": questions,
        "sure": now.sure,
        "timings_ms": dict(now.timings_ms),
    }
    if now.game.notation is not None:
        scan["notation"] = now.game.notation.write(now.record)
    return {"scan": scan, "ruling": msgspec.to_builtins(now.ruling)}
