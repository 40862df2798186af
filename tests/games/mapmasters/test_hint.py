"""Hints never call closed what is then done: at every stage of games that were played, and before random
lines, each goal is told as one that its group can still meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
import numpy as np
import pytest
from long_rest import long_but
from random_tables import deck, table

from calibration.missions.play import Game
from scorer.mapmasters.cooperative import referee
from scorer.mapmasters.cooperative.play.hint import hint
from scorer.mapmasters.cooperative.play.hint_record import Hint
from scorer.mapmasters.cooperative.rules.mission import Mission, MissionGoal, Win, load_mission
from scorer.mapmasters.cooperative.rules.record import GroupPath, TableRecord
from scorer.mapmasters.cooperative.rules.settings import DIFFICULTIES, Difficulty
from waymark.bench_cooperative import random_table


def done_later(record: TableRecord, difficulty: Difficulty) -> list[tuple[int, str, str]]:
    """Path, group and goal of every goal that was met."""
    ruling = referee(deck(), record, difficulty)
    return [(path.path, path.group, path.goal) for path in ruling.paths if path.goal is not None]


def up_to(record: TableRecord, paths: int) -> TableRecord:
    return msgspec.structs.replace(record, paths=record.paths[:paths], turn=None)


def state(hinted: Hint, group: str, goal: str) -> str:
    (told,) = [each for each in hinted.goals if each.goal == goal]
    (way,) = [each for each in told.ways if each.group == group]
    assert way.message and way.message_ja and "{" not in way.message + way.message_ja
    return way.state


@pytest.mark.parametrize("name", long_but(["M02", "M04", "M07", "M09"], 0, 1))
def test_a_game_that_was_won_could_be_won_all_the_while(name: str) -> None:
    mission = load_mission(deck(), name)
    outcomes = (Game(deck(), mission, "normal", seed).play() for seed in range(1, 9))
    record = next(outcome.record for outcome in outcomes if outcome.won)
    done = done_later(record, "normal")
    assert done
    for stage in range(len(record.paths)):
        hinted = hint(deck(), up_to(record, stage))
        assert hinted.winnable
        for path, group, goal in done:
            if path >= stage:
                assert state(hinted, group, goal) != "closed"
    laid = sum(slot in word for row in mission.layout for word in row for slot in ("S", "B", "D", "?"))
    bare = msgspec.structs.replace(up_to(record, 0), cards=record.cards[: min(laid, len(record.cards))])
    assert hint(deck(), bare).winnable


def lines_that_meet_goals(seed: int, difficulty: Difficulty) -> Iterator[tuple[TableRecord, str, str]]:
    """Random lines, each up to a place where a goal lies and is met: the table before it is drawn, its group,
    the goal. What cannot be drawn is left out."""
    record = random_table(deck(), np.random.default_rng(seed))
    mission = record.mission
    assert isinstance(mission, Mission)
    kept: list[GroupPath] = []
    goals: list[MissionGoal] = []
    ended: set[str] = set()
    for number, path in enumerate(record.paths):
        for length in (len(path.path[0]), 12, 6, 3):
            line = path.path[0][:length]
            index, _, place = line[-1].partition(".")
            card = record.cards[int(index)].card
            goal = MissionGoal(id=f"goal{number}", card=card, at=(place,), requires={})
            played = msgspec.structs.replace(
                mission,
                goals=(*goals, goal),
                bosses=(),
                steps=(),
                win=Win(goals=(goal.id,), declared=("never",)),
            )
            before = msgspec.structs.replace(record, mission=played, paths=tuple(kept), difficulty=difficulty)
            drawn = GroupPath(group=path.group, path=(line,), goal=goal.id)
            after = msgspec.structs.replace(before, paths=(*kept, drawn))
            ruling = referee(deck(), after, difficulty)
            if (
                ruling.paths[-1].goal == goal.id
                and ruling.mission.result == "open"
                and path.group not in ended
            ):
                yield before, path.group, goal.id
                kept.append(drawn)
                goals.append(goal)
                ended.add(path.group)
                break


def check_random(seeds: Iterable[int]) -> int:
    met = 0
    for seed in seeds:
        for before, group, goal in lines_that_meet_goals(seed, DIFFICULTIES[seed % 4]):
            met += 1
            assert state(hint(deck(), before, DIFFICULTIES[seed % 4]), group, goal) != "closed", (seed, goal)
    return met


def test_nor_is_a_goal_closed_that_a_random_line_meets() -> None:
    assert check_random(range(2)) >= 4


@pytest.mark.long
def test_nor_on_sixty_tables() -> None:
    assert check_random(range(2, 62)) >= 120


def test_a_hint_is_given_again_the_same() -> None:
    record = up_to(table(3), 0)
    assert hint(deck(), record) == hint(deck(), record)
