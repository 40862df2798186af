"""What each kind of doubt and each rule about doubts is good for: each is switched off by itself.

    python -m tools.keep_readings PHOTOS --out READINGS
    python -m tools.ablate PHOTOS READINGS --results RESULTS.jsonl

A kind of doubt that is off is never raised; a rule that is off dismisses nothing. Photos on which a switch
changes nothing are not played again. Results are appended photo by photo, and a run goes on where it stopped.
The table that is written at the end stands in docs/experiments.md.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tools.keep_readings import Kept, decks_below, kept_readings
from vision.scan import Scan
from waymark.bench.players import PLAYERS, PlayerName, Truth, play
from waymark.cluster import deck_named
from waymark.review.referee_cache import Table
from waymark.review.tableau.assess import assess
from waymark.review.tableau.doubt_kinds import reason_of

_ASSESS = "waymark.review.tableau.assess"
_POSTERIOR = "waymark.review.tableau.posterior"
#: Rules of the review, by the name under which the assessment calls each, with what it answers when it is
#: off (by its usual answer where it is given that as its first argument).
RULES: dict[str, Callable[..., Any]] = {
    f"{_POSTERIOR}.is_come_to": lambda *_: False,
    f"{_POSTERIOR}.is_missing_nothing": lambda *_: False,
    f"{_ASSESS}.looked_at_once": lambda questions, *_: list(questions),
    f"{_ASSESS}.without_twins": lambda questions: list(questions),
    f"{_ASSESS}.taken_again": lambda questions, *_: questions,
    f"{_ASSESS}.without_marks_twice": lambda questions, _: tuple(questions),
    f"{_ASSESS}.with_twins": lambda settled, _: settled,
    f"{_ASSESS}._end_is_seen": lambda *_: False,
    f"{_ASSESS}.told_by_marks": lambda *_: None,
    f"{_ASSESS}._answered_stretches": lambda *_: 0,
    "waymark.review.tableau.direction._finding_nothing": lambda *_: (),
    "waymark.review.tableau.direction._as_likely": lambda *_: (),
    "waymark.review.tableau.persisted_questions._is_over": lambda *_: False,
    "waymark.review.tableau.evidence.Evidence.two_stories": lambda *_: (),
    "waymark.review.tableau.evidence.Evidence.unusual": lambda *_: 0.0,
    "waymark.review.tableau.options._same_spot": lambda *_: [],
    "waymark.review.tableau.options._in_sight": lambda *_: frozenset(),
    "waymark.review.tableau.options._denied": lambda *_: frozenset(),
    "waymark.review.tableau.persisted_questions._is_walked": lambda *_: False,
    "waymark.review.tableau.ranking.is_unweighed": lambda *_: False,
    "waymark.review.tableau.ranking._leads": lambda *_: True,
    "waymark.review.tableau.answers.is_contradicted": lambda *_: False,
}


@dataclass(frozen=True)
class Outcome:
    """What came of a photo: `sure` before any answer and whether that was `right`; for each player whether
    the end was right and sure, and how many questions were asked."""

    sure: bool
    right: bool
    ends: Mapping[PlayerName, tuple[bool, bool, int]]


def outcome(kept: Kept, without: str | None = None) -> Outcome:
    """The outcome of a photo's reading, without doubts of one kind if one is given."""
    assert kept.reading is not None
    truth = Truth(kept.seen, Table(deck_named(kept.deck)))
    reading = kept.reading if without is None else without_kind(kept.reading, without)
    first = assess(reading, truth.table, truth.terms)
    ends: dict[PlayerName, tuple[bool, bool, int]] = {}
    for player in PLAYERS:
        played = play(reading, truth, player)
        ends[player] = (played.right, played.sure, len(played.asked))
    return Outcome(first.sure, truth.right(first), ends)


def without_kind(reading: Scan, kind: str) -> Scan:
    """The reading as it would be if no doubt of this kind had been raised."""
    questions = tuple(each for each in reading.questions if reason_of(each.name) != kind)
    return replace(reading, questions=questions, sure=reading.sure or not questions)


@contextlib.contextmanager
def noting_calls(changed: set[str]) -> Iterator[None]:
    """While it lasts, the name of every rule whose answer is not what it would be if it were off is noted."""
    with contextlib.ExitStack() as patches:
        for name, off in RULES.items():
            patches.enter_context(patch(name, _noting(name, _function(name), off, changed)))
        yield


def _noting(name: str, rule: Callable[..., Any], off: Callable[..., Any], changed: set[str]) -> Any:
    def noted(*arguments: Any, **named: Any) -> Any:
        answer = rule(*arguments, **named)
        if answer != off(*arguments, **named):
            changed.add(name)
        return answer

    return noted


def _function(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = pkgutil.resolve_name(name)
    return found


def ablate(kept: Iterable[Kept], results: Path) -> None:
    """Append to `results` the outcome of each photo as it is, and with each switch off that may change it."""
    told = results.read_text().splitlines() if results.exists() else []
    done = {json.loads(line)["photo"] for line in told}
    with results.open("a") as file:
        for number, each in enumerate(kept, 1):
            if each.name in done or each.reading is None:
                continue
            file.write(json.dumps(_ablated(each)) + "\n")
            file.flush()
            print(f"{number} {each.name}", flush=True)


def _ablated(kept: Kept) -> dict[str, Any]:
    assert kept.reading is not None
    changed: set[str] = set()
    with noting_calls(changed):
        usual = outcome(kept)
    off: dict[str, Any] = {}
    for kind in sorted({reason_of(each.name) for each in kept.reading.questions}):
        off[kind] = vars(outcome(kept, kind))
    for rule in sorted(changed):
        with patch(rule, RULES[rule]):
            off[rule] = vars(outcome(kept))
    return {"photo": kept.name, "usual": vars(usual), "off": off}


def table(results: Path) -> Iterator[str]:
    """Lines of a Markdown table: what changes on how many photos when a switch is off."""
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    switches = sorted({name for row in rows for name in row["off"]} | set(RULES))
    yield f"| tried of {len(rows)} | off | " + " | ".join(COUNTS) + " |"
    yield "|---|---|" + "---|" * len(COUNTS)
    for switch in switches:
        on = [row["usual"] for row in rows if switch in row["off"]]
        off = [row["off"][switch] for row in rows if switch in row["off"]]
        name = switch.removeprefix("waymark.review.tableau.")
        changes = [_change(on, off, count) for count in COUNTS.values()]
        yield f"| {len(off)} | `{name}` | " + " | ".join(changes) + " |"


#: An outcome as it is stored.
_Told = Mapping[str, Any]

#: What is counted of outcomes, by the heading of its column.
COUNTS: Mapping[str, Callable[[_Told], int]] = {
    "sure": lambda each: each["sure"],
    "sure and wrong": lambda each: each["sure"] and not each["right"],
    "careful right": lambda each: each["ends"]["careful"][0],
    "careful sure and wrong": lambda each: each["ends"]["careful"][1] and not each["ends"]["careful"][0],
    "careful questions": lambda each: each["ends"]["careful"][2],
    "hurried sure and wrong": lambda each: each["ends"]["hurried"][1] and not each["ends"]["hurried"][0],
}


def _change(on: Iterable[_Told], off: Iterable[_Told], count: Callable[[_Told], int]) -> str:
    """Signed change of a count from all `on` to one `off`; "0" where none changed."""
    change = sum(map(count, off)) - sum(map(count, on))
    return f"{change:+d}" if change else "0"


def main() -> None:
    """Switch everything off, one at a time, and print the table."""
    parser = argparse.ArgumentParser(description="Switch kinds of doubt and rules about them off")
    parser.add_argument("photos", type=Path)
    parser.add_argument("readings", type=Path)
    parser.add_argument("--results", type=Path, required=True)
    options = parser.parse_args()
    options.results.parent.mkdir(parents=True, exist_ok=True)
    ablate(kept_readings(options.photos, options.readings, decks_below(options.photos)), options.results)
    print("\n".join(table(options.results)))


if __name__ == "__main__":
    main()
