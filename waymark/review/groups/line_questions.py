"""Where a line runs and where it ends: other readings of its ink, and what the ruling makes doubtful."""

from __future__ import annotations

from typing import Any

from scorer.text import Text
from vision.group_scan import Path
from waymark.review.far_fetched import CLEAR_DOUBT
from waymark.review.groups.asked import AS_IT_WAS_READ, Asked, Other
from waymark.review.groups.names import OWN_READING, SKETCH, line_name
from waymark.review.groups.readings import Readings

_SKETCH = Text("This line only shows a way; nobody has gone it", "この線は下書きで、まだ誰も進んでいません")
_NO_LINE = Text("Nothing is drawn there", "そこには何も描かれていません")
#: What the names of questions begin with about ends of lines on which something stands.
_STANDING = "path:standing:"


def line_questions(made: Readings) -> list[Asked]:
    """Those about what each pen drew; other readings that are far less likely than the one that was taken
    are none."""
    asked = []
    base = made.of()[0]
    standing = made.cost(base)
    doubtful = {each.place for each in made.game.doubts(made.board(base), base, made.rule(base))}
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
                continue  # where a line ends that ends as lines do nobody doubts
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
                        Text(question.reason_en, question.reason_ja),
                        tuple(others),
                        (stands, _told(ways[taken][1].paths[0])) if others else (OWN_READING, AS_IT_WAS_READ),
                        question.crop_px,
                        is_open=not count,
                    )
                )
    return asked


def doubt_questions(made: Readings, record: Any) -> list[Asked]:
    """What the ruling makes doubtful: rules that are broken, lines that stop where nobody stops."""
    asked = []
    for each in made.game.doubts(made.board(record), record, made.rule(record)):
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
    """A path in one line: the first and last place of every stroke."""
    if not path:
        return _NO_LINE
    words = ", ".join(f"{stroke[0]} → {stroke[-1]} ({len(stroke)})" for stroke in path)
    return Text(words, words)
