"""Judging a reading: where what was read and the rules meet.

Reading never asks what is legal, and the referee never sees a picture. A reading that was in doubt carries
its other readings as records: all of them are refereed, and the scan is `sure` only when none of them would
change what the player gets.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import msgspec

from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.mapmasters.direction import worth
from scorer.mapmasters.referee import referee
from scorer.mapmasters.ruling import Ruling
from scorer.mapmasters.settings import HOUSE, VersusSettings
from scorer.mapmasters.teleports import parted_strokes
from scorer.record import Objectives, Record
from vision.questions import DOUBT, Question
from vision.scan import Scan
from waymark.review.direction import Rule, settle_direction


@dataclass(frozen=True)
class Means:
    """What is told, not seen: fairy tokens, spellbooks, the round's objectives, the table's house rules."""

    fairy_tokens: dict[str, int] = field(default_factory=dict)
    spellbooks: tuple[str, ...] = ()
    primary: str | None = None
    secondary: str | None = None
    settings: VersusSettings = HOUSE


#: Players break a rule in one drawing of eight at most, so another reading that breaks one is less likely by
#: this (nats) than the ink alone says, where what was read breaks none.
BROKEN_RULE_COST = 2.0

#: Nothing held, no objective named, the project's house rules.
NO_MEANS = Means()


@dataclass(frozen=True)
class Judged:
    """A reading as the referee takes it: `scan.tableau` holds the means that were told, `scan.sure` whether
    no doubt of the reading can change the score. `asked` are the reading's own questions that are left, by
    their index in it; a question that follows from the ruling comes behind them."""

    scan: Scan
    ruling: Ruling
    dungeon: Dungeon
    asked: tuple[int, ...] = ()


def judge(
    scan: Scan,
    catalogue: Catalogue,
    means: Means = NO_MEANS,
    *,
    ask_of_gap: bool = True,
    ask_of_rule: bool = True,
) -> Judged:
    """Referee a reading: its direction settled where the rules tell it, and whether it is sure.

    A ruling that makes a misreading likely adds a question of its own: of a gap between lines (`ask_of_gap`),
    else of a broken rule (`ask_of_rule`); not where people have answered it."""

    def rule(reading: Record) -> Ruling:
        return referee(catalogue, with_means(reading, means), means.settings)

    asked = list(range(len(scan.questions)))
    directions = [n for n, question in enumerate(scan.questions) if question.about == "direction"]
    scan, direction = settle_direction(scan, rule)
    if len(scan.questions) < len(asked):
        asked.remove(directions[0])
    record = with_means(scan.tableau, means)
    ruling = msgspec.structs.replace(rule(record), direction=direction)
    left = [k for k, question in enumerate(scan.questions) if not is_far_fetched(question, ruling, rule)]
    if len(left) < len(asked):
        questions = tuple(scan.questions[k] for k in left)
        scan, asked = replace(scan, questions=questions, sure=not questions), [asked[k] for k in left]
    dungeon = build_dungeon(catalogue, record.cards)
    scan = replace(scan, tableau=record)
    if parted_strokes(dungeon, record):
        scan = ask_where_strokes_part(scan, dungeon) if ask_of_gap else scan
    elif ask_of_rule:
        scan = ask_where_a_rule_breaks(scan, ruling)
    sure = is_sure(ruling, scan, rule)
    return Judged(replace(scan, tableau=record, sure=sure), ruling, dungeon, tuple(asked))


def is_far_fetched(question: Question, ruling: Ruling, rule: Rule) -> bool:
    """Whether a doubt is none: what was read keeps the rules, its other readings all break one, and the ink
    speaks against them, too."""
    if not ruling.legal or not question.alternatives or question.behind + BROKEN_RULE_COST <= DOUBT:
        return False
    return not any(rule(other).legal for other in question.alternatives)


def ask_where_strokes_part(scan: Scan, dungeon: Dungeon) -> Scan:
    """Lines that nothing joins are sooner misread (a stretch lost, a scratch taken for ink) than drawn so:
    where no teleport leads from one to the next, the reading is asked about, even where the path ended before
    it came there."""
    parted = parted_strokes(dungeon, scan.tableau)
    if not parted:
        return scan
    question = Question(
        "path",
        scan.tableau.path[parted[0]][0],
        (),
        "A line starts here that does not join the one before it; was a stretch of the path not seen?",
        "ここから始まる線が前の線とつながりません。道の一部が写っていないのではありませんか。",
    )
    return replace(scan, questions=(*scan.questions, question), sure=False)


def ask_where_a_rule_breaks(scan: Scan, ruling: Ruling) -> Scan:
    """Players break rules seldom; a misread line breaks one more often, and so does a token that nobody
    told: nobody is told to have broken a rule before the reading was looked at."""
    if not ruling.violations:
        return scan
    question = Question(
        "path",
        ruling.violations[0].place,
        (),
        "As it was read, the path breaks a rule here; does the line really run so, and are all tokens and "
        "spellbooks told?",
        "読み取ったとおりなら、ここでルールに反しています。線は本当にこう通っていますか。トークンや魔導書の入れ忘れはありませんか。",
    )
    return replace(scan, questions=(*scan.questions, question), sure=False)


def with_means(record: Record, means: Means) -> Record:
    """The record with what was told beside the photo."""
    return msgspec.structs.replace(
        record,
        fairy_tokens=means.fairy_tokens,
        spellbooks=means.spellbooks,
        objectives=Objectives(primary=means.primary, secondary=means.secondary),
    )


def is_sure(ruling: Ruling, scan: Scan, rule: Rule) -> bool:
    """Whether no doubt of the reading can change the score, where `rule` referees another reading. A question
    without another reading to try is a doubt."""
    if not scan.sure and not scan.questions:
        return False
    return all(
        question.alternatives and all(worth(rule(other)) == worth(ruling) for other in question.alternatives)
        for question in scan.questions
    )
