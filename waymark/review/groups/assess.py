"""Assessment of a table of several groups: scans to the game's record, its ruling, and the open questions.

The ink shows neither the order of the lines nor, where colours are alike, their owners. The game lists the
records that a reading may stand for. All are refereed, and a question is asked where the ruling depends on
the choice (`waymark.review.decision` decides). Answers are stored by the questions' names, and everything
else is computed again from them and the photos' reading.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from scorer.catalogue import Catalogue
from scorer.game import Game
from scorer.play_kinds import groups_of
from scorer.record import Record
from scorer.text import Text
from vision.cards.index import CardIndex, load_index
from vision.cards.pose import CardPose
from vision.groups.pens import nearest_colour
from vision.groups.scan import GroupScan, SeenLine, scan_groups
from vision.photo.decode import Photo
from vision.questions import Question, with_names
from waymark.review.decision import decide
from waymark.review.groups.names import AGREED_BEFORE, BY_ORDER, heeded, is_of_ruling, order_key
from waymark.review.groups.questions import (
    Asked,
    GroupOption,
    OpenBefore,
    agreed_questions,
    card_questions,
    doubt_questions,
    line_questions,
    looked_over,
    open_question,
    order_question,
    owner_questions,
    still_open,
    untold_question,
)
from waymark.review.groups.readings import Readings

#: Number of groups assumed if none are stated: the largest number at one table.
MOST_GROUPS = 5


@dataclass(frozen=True)
class GroupAssessment:
    """The assessment of a table. `record` is the game's record; `questions` are those that can change
    the ruling.
    `offered` maps each question's name to its options, the current one first. `scan` is the reading of
    the photos. `lines` are the record's paths in the first photo, stroke by stroke."""

    game: Game
    scan: GroupScan
    record: Any
    ruling: Any
    cards: tuple[CardPose | None, ...]
    lines: tuple[tuple[tuple[float, float], ...], ...]
    questions: tuple[Question, ...]
    offered: Mapping[str, tuple[GroupOption, ...]]
    sure: bool
    timings_ms: Mapping[str, float]
    #: The group of each line of the scan.
    owners: tuple[str, ...] = ()
    #: Contradictions between photo and agreement that change nothing, so that no question asks about them.
    told: tuple[Text, ...] = ()
    #: Questions from before the photo that it does not settle, with the record's cards.
    open_before: tuple[OpenBefore, ...] = ()


def score_groups(
    photos: Sequence[Photo], catalogue: Catalogue, game: Game, told: Mapping[str, Any], terms: Any
) -> GroupAssessment:
    """Photos of one table to ruling, in a game in which groups draw: `read_groups`, then
    `assess_groups`."""
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
    """The scan of one table from its photos. `told` describes the set-up (`scorer.groups.Groups`): the
    groups and their pens. Raises `WaymarkError`: exit statuses 3 and 4, and for things that the game
    does not know."""
    groups = groups_of(game)
    setup, _ = groups.setup(catalogue, told, game.rules.settings.make({}))
    colours = groups.colours(setup) or dict.fromkeys(map(str, range(1, MOST_GROUPS + 1)))
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
    open_before: Sequence[OpenBefore] = (),
    ask_untold: bool = False,
) -> GroupAssessment:
    """The assessment of a table from its scan and the answers (option keys by question name; answers to
    obsolete questions are ignored).
    `corrected` is a record that replaces the reading. Then the only questions are the doubts of its
    ruling and whether it is right in what the reading `left` open. `open_before` are questions from
    before the photos. With `ask_untold`, facts that nobody stated are asked. Raises `WaymarkError`."""
    groups = groups_of(game)
    setup, terms = groups.setup(catalogue, told, terms)
    if groups.colours(setup):
        names = tuple(groups.colours(setup))
    else:
        # If no groups are stated, they are distinguished by their ink colours.
        names = _named_by_ink(scan.lines, MOST_GROUPS)
        named = {**told, "groups": dict(zip(names, names, strict=True))}
        setup, terms = groups.setup(catalogue, named, terms)
    made = Readings(catalogue, game, groups, setup, terms, scan, names, heeded(answers, scan, names))
    asked: list[Asked] = []
    record = corrected
    still: tuple[OpenBefore, ...] = ()
    if corrected is None:
        made.settle_lines()
        first, *others = made.of()
        readings = (first, *others)
        choice = game.rules.choose([made.rule(each) for each in readings])
        record = readings[choice.chosen]
        said = next((each for each in readings if order_key(each) == answers.get(BY_ORDER)), None)
        if said is not None:
            record = said
        elif choice.asked:
            asked.append(order_question(made, record, [readings[k] for k in choice.rivals]))
        asked = [*card_questions(made), *line_questions(made), *owner_questions(made), *asked]
        asked += agreed_questions(made)
        still = still_open(made, open_before)
        asked += [open_question(made, each, record) for each in still]
        record = made.with_sketches(record)
    asked += [looked_over(question) for question in left if not is_of_ruling(question.name)]
    asked += doubt_questions(made, record)
    ruling = made.rule(record)
    if ask_untold:
        untold = tuple(groups.untold(made.board(record), record, ruling))
        first, last = (
            [untold_question(each) for each in untold if each.last is after] for after in (False, True)
        )
        asked = [*first, *asked, *last]

    def alike(verdict: Any) -> bool:
        return bool(game.rules.worth(verdict) == game.rules.worth(ruling))

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
    )
    return GroupAssessment(
        game,
        scan,
        record,
        ruling,
        _cards_of(record, scan),
        made.lines_of(record),
        questions if decision.asked else (),
        {each.name: each.options(record, made.rule) for each in asked} if decision.asked else {},
        decision.sure,
        scan.timings_ms,
        tuple(made.owner_of.values()),
        tuple(
            each.words
            for each in (made.contradictions if corrected is None else ())
            if AGREED_BEFORE + each.name not in names_asked | set(made.answers)
        ),
        still,
    )


def _index(catalogue: Catalogue, game: Game) -> CardIndex:
    """The catalogue's search index for the card orientations of this game, cached with the catalogue."""
    kept, key = vars(catalogue), f"card_index {game.mode}"
    if key not in kept:
        kept[key] = load_index(catalogue, laying=game.photo.laying)
    index: CardIndex = kept[key]
    return index


def _named_by_ink(lines: Sequence[SeenLine], most: int) -> tuple[str, ...]:
    names = [str(number) for number in range(1, most + 1)]
    for line in lines:
        colour = nearest_colour(line.rgb)
        names[line.owner.group] = colour if colour not in names else f"{colour} {line.owner.group + 1}"
    return tuple(names)


def _cards_of(record: Any, scan: GroupScan) -> tuple[CardPose | None, ...]:
    """The seen cards in the record's order and orientation; None for cards that were not recognised."""
    told = []
    for number, card in enumerate(record.cards):
        seen = scan.cards[number] if number < len(scan.cards) else None
        told.append(None if seen is None else replace(seen, rotation=card.rotation))
    return tuple(told)
