"""What holds of every cooperative table, whatever was laid and drawn: random lines over the open deck, good
ones and nonsense."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest
from random_tables import deck, table

from scorer.mapmasters.cooperative import CoopRuling, CoopSettings, TableRecord, make_table, referee_table
from scorer.mapmasters.cooperative.game import COOPERATIVE
from scorer.mapmasters.cooperative.rules.record import parse_table
from scorer.mapmasters.cooperative.rules.settings import DIFFICULTIES

SKETCHES = ("sketch", "stopped", "waiting")


def ruled(record: TableRecord, seed: int) -> CoopRuling:
    settings = CoopSettings(step_start="card" if seed % 2 else "stop", used_circles_count=seed % 3 > 0)
    return referee_table(make_table(deck(), record), record, DIFFICULTIES[seed % 4], settings)


@pytest.mark.parametrize("seed", range(12))
def test_every_table_gets_a_ruling_that_agrees_with_itself(seed: int) -> None:
    record = table(seed)
    ruling = ruled(record, seed)
    assert msgspec.json.decode(msgspec.json.encode(ruling), type=CoopRuling) == ruling
    assert parse_table(msgspec.json.encode(record)) == record
    assert COOPERATIVE.notation is not None
    line = COOPERATIVE.notation.write(record)
    assert COOPERATIVE.notation.parse(line) == record
    wide = line.translate({ord(sign): ord(sign) + 0xFEE0 for sign in "^<>@,|:;=?%"})
    for pasted in (f"Notation: {line}", f"`{line}`", f"記法：{wide}"):
        assert COOPERATIVE.rules.parse_record(pasted.encode()) == record
    told = COOPERATIVE.words.steps(make_table(deck(), record), ruling)
    assert len(told) == sum(len(path.steps) for path in ruling.paths)
    assert ruling.legal == (not any(path.violations for path in ruling.paths))
    for group in ruling.groups:
        own = [path for path in ruling.paths if path.group == group.group]
        claimed = [path for path in own if path.ended not in SKETCHES]
        assert group.ended == (own[-1].ended if own else "start")
        assert group.reached == tuple(path.goal for path in own if path.goal is not None)
        assert group.violations == tuple(each for path in own for each in path.violations)
        found = [name for path in claimed for step in path.steps for name in step.found]
        assert len(found) == len(set(found))
        assert len([paid for path in claimed for step in path.steps for paid in step.paid]) == len(
            group.spent
        )
        for before, after in pairwise(claimed):
            over = before.ended in ("violation", "obstacle", "edge", "dead_end")
            assert not over or after.violations[0].rule == "after-end"
    lost = [path for path in ruling.paths if path.ended in ("obstacle", "edge", "dead_end", "unmet")]
    assert not lost or ruling.mission.result != "open"
    met = {path.goal: path.group for path in ruling.paths if path.goal is not None}
    assert {goal: by for goal, by in ruling.mission.goals.items() if by is not None} == met


@pytest.mark.parametrize("seed", range(12))
def test_sketches_change_nothing_of_what_comes_after(seed: int) -> None:
    record = table(seed)
    record = msgspec.structs.replace(  # a group without a start has it where its first path begins
        record,
        groups=tuple(
            msgspec.structs.replace(
                group,
                start=next(
                    (p.path[0][0] for p in record.paths if p.group == group.group and p.path[0]), None
                ),
            )
            for group in record.groups
        ),
    )
    ruling = ruled(record, seed)
    kept = [number for number, path in enumerate(ruling.paths) if path.ended not in SKETCHES]
    without = ruled(
        msgspec.structs.replace(record, paths=tuple(record.paths[number] for number in kept)), seed
    )
    assert [(path.ended, path.last_place, path.goal) for path in without.paths] == [
        (ruling.paths[number].ended, ruling.paths[number].last_place, ruling.paths[number].goal)
        for number in kept
    ]
    for group, other in zip(ruling.groups, without.groups, strict=True):
        assert (group.stands, group.reached, group.discovered, group.counts, group.tokens, group.spent) == (
            other.stands,
            other.reached,
            other.discovered,
            other.counts,
            other.tokens,
            other.spent,
        )
    assert without.mission.result == ruling.mission.result and without.mission.goals == ruling.mission.goals
