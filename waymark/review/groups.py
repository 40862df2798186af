"""A table of several groups from a photo: what each drew, as the game's record, its ruling, and what is open.

The ink tells neither in which order lines were drawn nor, where colours are alike, whose they are. The game
names the records that a reading may be; all are refereed, and what changes the ruling is asked
(`waymark.review.sure` decides)."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import msgspec

from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from scorer.game import DrawnLine, Game, Groups
from scorer.record import PlacedCard, Record
from scorer.text import Language
from vision.card_index import CardIndex, load_index
from vision.group_pens import nearest_colour
from vision.group_scan import GroupScan, SeenLine, scan_groups
from vision.photo import Photo
from vision.questions import Question, with_names
from vision.scan import SeenCard
from waymark.review.assessment import CLEAR_DOUBT
from waymark.review.evidence import BROKEN_RULE_COST
from waymark.review.sure import decide

#: That a line stops where no miniature stands still, or runs into what ends its group's way, is so much less
#: likely (nats) than that it was misread. By reason: of a hundred lines a few are sketches.
STOPS_COST = 3.8
#: Another reading than the ink's likeliest is taken where it is likelier by so much in all (nats).
LEAD = 0.5
#: Groups that nobody told: as many as may draw on one table.
MOST_GROUPS = 5

_OWNER = (
    "Two groups draw in much the same colour; please say whose line this is.",
    "似た色のペンを使うグループがあります。この線がどのグループのものか教えてください。",
)
_ORDER = (
    "The ruling depends on the order in which these lines were drawn, or on the direction of one; please say "
    "which it was.",
    "線を描いた順番や向きによって結果が変わります。どの順番と向きで描いたかを教えてください。",
)


@dataclass(frozen=True)
class GroupAssessment:
    """How a table stands: `record` is the game's, `questions` those that can change the ruling; `scan` is the
    photo's own reading, and `lines` the record's paths in the photo, stroke by stroke."""

    game: Game
    scan: GroupScan
    record: Any
    ruling: Any
    cards: tuple[SeenCard | None, ...]
    lines: tuple[tuple[tuple[float, float], ...], ...]
    questions: tuple[Question, ...]
    sure: bool
    timings_ms: Mapping[str, float]


def score_groups(
    photo: Photo, catalogue: Catalogue, game: Game, told: Mapping[str, Any], terms: Any
) -> GroupAssessment:
    """Photo to ruling, of a game in which groups draw. `told` is the set-up in words (`scorer.game.Groups`).
    Raises `WaymarkError`: exit statuses 3 and 4, and what the game does not know."""
    assert game.groups is not None
    setup, terms = game.groups.setup(catalogue, told, terms)
    colours = game.groups.colours(setup) or dict.fromkeys(map(str, range(1, MOST_GROUPS + 1)))
    start = time.perf_counter()
    scan = scan_groups(photo, catalogue, _index(catalogue, game), tuple(colours.values()))
    names = tuple(colours)
    if not game.groups.colours(setup):
        # Who tells no groups is told them by their inks.
        names = _named_by_ink(scan.lines, len(names))
        named = {**told, "groups": dict(zip(names, names, strict=True))}
        setup, terms = game.groups.setup(catalogue, named, terms)
    made = _Readings(catalogue, game, game.groups, setup, terms, scan, names)
    made.settle_lines()
    first, *others = made.of()
    ruling = made.rule(first)
    choice = game.choose([ruling, *map(made.rule, others)])
    record = [first, *others][choice.chosen]
    ruling = made.rule(record)
    questions = [*made.card_questions(), *made.line_questions(), *made.owner_questions()]
    if choice.asked:
        rivals = tuple([first, *others][k] for k in choice.rivals)
        questions.append(Question("direction", "", (), *_ORDER, alternatives=cast(Any, rivals), name="order"))
    doubts = game.doubts(made.board(record), record, ruling)
    questions += [
        Question("path", each.place, (), each.words.en, each.words.ja, name=f"{each.about}:{each.place}")
        for each in doubts
    ]

    def alike(verdict: Any) -> bool:
        return bool(game.worth(verdict) == game.worth(ruling))

    questions = [each for each in questions if not _is_settled(each, made.rule, alike)]
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
    done = (time.perf_counter() - start) * 1000
    return GroupAssessment(
        game,
        scan,
        record,
        ruling,
        _cards_of(record, scan),
        made.lines_of(record),
        with_names(questions) if decision.asked else (),
        decision.sure,
        {**scan.timings_ms, "total": round(done, 1)},
    )


def _is_settled(question: Question, rule: Callable[[Any], Any], alike: Callable[[Any], bool]) -> bool:
    """Whether no answer to a question changes the ruling."""
    return bool(question.alternatives) and all(alike(rule(other)) for other in question.alternatives)


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


@dataclass
class _Readings:
    """What the game makes of a scan and of other readings of it."""

    catalogue: Catalogue
    game: Game
    groups: Groups[Any, Any]
    setup: Any
    terms: Any
    scan: GroupScan
    names: tuple[str, ...]
    #: For each line the reading that was taken (`_ways_of`), where that is not the first.
    taken: dict[int, int] = field(default_factory=dict)

    def ways_of(self, number: int) -> list[tuple[float, DrawnLine]]:
        """The readings of a line, the photo's own first, and by how much (nats) the ink makes each less
        likely."""
        line = self.scan.lines[number]
        name = self.names[line.owner.group]
        ways = [(0.0, DrawnLine(name, line.paths, line.marks))]
        for question in line.questions:
            ways += [
                (question.behind, DrawnLine(name, (other.path,), line.marks))
                for other in question.alternatives
            ]
        return ways

    def cost(self, record: Any) -> float:
        """What speaks against a record beside its ink (nats): rules that are broken, lines that stop where
        nobody stops."""
        ruling = self.rule(record)
        board = self.board(record)
        doubts = list(self.game.doubts(board, record, ruling))
        broken = sum(doubt.about == "broken-rule" for doubt in doubts)
        return BROKEN_RULE_COST * broken + STOPS_COST * (len(doubts) - broken)

    def settle_lines(self) -> None:
        """Take for each line the reading that ink and rules together make the likeliest."""
        for number in range(len(self.scan.lines)):
            ways = self.ways_of(number)
            costs = [behind + self.cost(self.of({number: way})[0]) for behind, way in ways]
            best = min(range(len(ways)), key=costs.__getitem__)
            if costs[0] - costs[best] > LEAD:
                self.taken[number] = best

    def of(
        self,
        lines: Mapping[int, DrawnLine] = {},
        cards: Sequence[PlacedCard] | None = None,
    ) -> tuple[Any, ...]:
        """The records of the scan, with some lines (by number) and the cards read otherwise."""
        drawn = [
            lines[number] if number in lines else self.ways_of(number)[self.taken.get(number, 0)][1]
            for number in range(len(self.scan.lines))
        ]
        drawn = [line for line in drawn if line.paths[0]]
        return self.groups.readings(
            self.catalogue, self.setup, self.scan.placed if cards is None else cards, drawn, self.terms
        )

    def board(self, record: Any) -> Any:
        return self.game.board(self.catalogue, record)

    def rule(self, record: Any) -> Any:
        return self.game.referee(self.board(record), record, self.terms)

    def card_questions(self) -> list[Question]:
        """Those about cards, with the records that other cards would make."""
        asked = []
        for question in self.scan.questions:
            try:
                others = tuple(self.of(cards=other.cards)[0] for other in question.alternatives)
                for other in others:
                    self.rule(other)
            except WaymarkError:
                others = ()  # a line on it leads nowhere: people have to look
            asked.append(replace(question, alternatives=cast(Any, others)))
        return asked

    def line_questions(self) -> list[Question]:
        """Those about what each pen drew; other readings that are far less likely than the one that was taken
        are none."""
        asked = []
        for number, line in enumerate(self.scan.lines):
            name = self.names[line.owner.group]
            ways = self.ways_of(number)
            taken = self.taken.get(number, 0)
            base = ways[taken][0] + self.cost(self.of()[0])
            own = 1
            for question in line.questions:
                count = len(question.alternatives)
                mine = range(own, own + count)
                own += count
                others = []
                for k in (0, *mine) if taken in mine else mine:
                    if k == taken:
                        continue
                    read = self.of({number: ways[k][1]})[0]
                    if ways[k][0] + self.cost(read) - base <= CLEAR_DOUBT:
                        others.append(read)
                if others or not count:
                    told = f"{question.name}:{name}"
                    asked.append(replace(question, alternatives=cast(Any, tuple(others)), name=told))
        return asked

    def owner_questions(self) -> list[Question]:
        """Whose a line is, where another group's pen is much alike: each with the groups changed."""
        asked = []
        owned = {line.owner.group: number for number, line in enumerate(self.scan.lines)}
        for number, line in enumerate(self.scan.lines):
            others = []
            for group in line.owner.others:
                swapped = {number: DrawnLine(self.names[group], line.paths, line.marks)}
                if group in owned:
                    other = self.scan.lines[owned[group]]
                    swapped[owned[group]] = DrawnLine(self.names[line.owner.group], other.paths, other.marks)
                others.append(self.of(swapped)[0])
            if others:
                place = line.path[0][0]
                names = tuple(self.names[k] for k in (line.owner.group, *line.owner.others))
                asked.append(
                    Question(
                        "path",
                        place,
                        names,
                        *_OWNER,
                        alternatives=cast(Any, tuple(others)),
                        name=f"owner:{place}",
                    )
                )
        return asked

    def lines_of(self, record: Any) -> tuple[tuple[tuple[float, float], ...], ...]:
        """Each pen's strokes in the photo, in the order of their groups' first paths."""
        order = list(dict.fromkeys(path.group for path in record.paths))
        lines = sorted(
            (line for line in self.scan.lines if self.names[line.owner.group] in order),
            key=lambda line: order.index(self.names[line.owner.group]),
        )
        return tuple(stroke for line in lines for stroke in line.path_px)


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
        questions.append(told)
    scan = {
        "format": "waymark-scan/1",
        "photo": {
            "width": now.scan.photo.width,
            "height": now.scan.photo.height,
            "warnings": [warning.message(language) for warning in now.scan.photo.warnings],
        },
        "tableau": msgspec.to_builtins(now.record),
        "cards": [
            {"card": None, "confidence": 0.0} if card is None else msgspec.to_builtins(card)
            for card in now.cards
        ],
        "path_px": now.lines,
        "inks": [{"rgb": line.rgb, "strokes": len(line.path)} for line in now.scan.lines],
        "questions": questions,
        "sure": now.sure,
        "timings_ms": dict(now.timings_ms),
    }
    if now.game.notation is not None:
        scan["notation"] = now.game.notation.write(now.record)
    return {"scan": scan, "ruling": msgspec.to_builtins(now.ruling)}
