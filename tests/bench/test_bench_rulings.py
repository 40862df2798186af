"""The benchmark of the referee: its records are what they are said to be."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
from click.testing import CliRunner

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import load_catalogue
from scorer.dungeon import build_dungeon
from scorer.mapmasters import referee
from scorer.mapmasters.cooperative import referee as referee_table
from scorer.record import to_json
from waymark.bench_cooperative import random_table
from waymark.bench_rulings import BOOKS_IN_PLAY, PATH_PLACES, pathological_record, random_records
from waymark.cli.main import cli

CATALOGUE = load_catalogue(bundled_catalogue())


def test_records_are_hands_of_five_laid_by_the_rules_with_a_path_of_ten_to_forty_places() -> None:
    records = random_records(CATALOGUE, 12, np.random.default_rng(3))
    assert len({to_json(record) for record in records}) == 12
    for record in records:
        assert len({card.card for card in record.cards}) == 5
        assert build_dungeon(CATALOGUE, record.cards).faults == ()
        assert sum(len(stroke) for stroke in record.path) in PATH_PLACES
        assert record.spellbooks == BOOKS_IN_PLAY == tuple(f"SB-{number}" for number in range(1, 13))
    assert sum(referee(CATALOGUE, record).legal for record in records) > 6


def test_the_same_seed_makes_the_same_records() -> None:
    first, again, other = (random_records(CATALOGUE, 2, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_the_pathological_record_is_walked_to_its_last_place() -> None:
    record = pathological_record(CATALOGUE, np.random.default_rng(3))
    ruling = referee(CATALOGUE, record)
    assert (len(record.cards), len(ruling.steps), sum(record.fairy_tokens.values())) == (50, 5000, 40)
    assert ruling.legal


def test_the_command_tells_its_figures() -> None:
    told = CliRunner().invoke(cli, ["bench-rulings", "--count", "3", "--json", "-"])
    report = json.loads(told.stdout)
    assert (report["records"], report["pathological_steps"]) == (3, 5000)
    assert report["rulings_per_second"] > 0
    tables = report["cooperative"]
    assert tables["tables"] == 3 and tables["mean_places"] > 10 and tables["worst_seconds"] > 0


def test_cooperative_tables_have_thirty_cards_and_five_groups_that_step_and_meet_goals() -> None:
    rng = np.random.default_rng(4)
    tables = [random_table(CATALOGUE, rng) for _ in range(20)]
    rulings = [referee_table(CATALOGUE, table, "normal") for table in tables]
    assert all(len(table.cards) == 30 and len(table.groups) == 5 for table in tables)
    assert all(len(ruling.groups) == 5 for ruling in rulings)
    ends = Counter(path.ended for ruling in rulings for path in ruling.paths)
    assert ends["step"] > 20 and ends["goal"] and ends["unmet"] and ends["dead_end"]
