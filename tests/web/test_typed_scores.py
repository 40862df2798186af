"""Scores written by hand and taken back in any order: a change is taken back only while nothing newer stands
over it, and what stands beside it stays."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.errors import WaymarkError
from scorer.games import game_named
from webapp.games.games import NewPlayer, create_game
from webapp.games.manual_scores import type_score, undo
from webapp.store.boxes import boxes_of
from webapp.store.database import Database, open_database
from webapp.store.models import Entry

EMPTY = {"primary": None, "secondary": None, "escaped": None, "coins_received": 0}
VALUES = {
    "primary": st.sampled_from([None, 1, 2]),
    "secondary": st.sampled_from([None, 1, 2]),
    "escaped": st.sampled_from([None, True, False]),
    "coins_received": st.sampled_from([0, 1, 2]),
}
#: What is written, or which of the changes so far is taken back (counted from the first, again and again).
STEPS = st.lists(
    st.fixed_dictionaries({}, optional=VALUES).filter(bool) | st.integers(min_value=0, max_value=9),
    max_size=12,
)


@dataclass(frozen=True)
class Written:
    """A change that stands: its id and what it made of the columns that it changed."""

    id: str
    columns: dict[str, Any]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Database:
    folder: Path = tmp_path_factory.mktemp("typed")
    return open_database(f"sqlite:///{folder / 'waymark.sqlite3'}")


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(steps=STEPS)
def test_scores_are_taken_back_in_any_order(database: Database, steps: list[Any]) -> None:
    with database.transaction() as session:
        game = create_game(
            session, game_named("mapmasters"), [NewPlayer("Aya", "red"), NewPlayer("Ben", "blue")]
        )
        entry_id = game.rounds[0].entries[0].id
    with database.transaction() as session:
        entry = session.get_one(Entry, entry_id)
        standing: list[Written] = []
        ids: list[str] = []

        def value_of(column: str) -> Any:
            return next(
                (each.columns[column] for each in reversed(standing) if column in each.columns), EMPTY[column]
            )

        for step in steps:
            if isinstance(step, dict):
                changed = {column: value for column, value in step.items() if value != value_of(column)}
                change = type_score(session, entry, step)
                assert (change is None) == (not changed and bool(standing))
                if change is not None:
                    standing.append(Written(change.id, changed))
                    ids.append(change.id)
            elif ids:
                wanted = ids[step % len(ids)]
                at = next((k for k, each in enumerate(standing) if each.id == wanted), None)
                if at is None:
                    undo(session, entry, wanted)  # taken back already
                elif any(standing[at].columns.keys() & each.columns.keys() for each in standing[at + 1 :]):
                    with pytest.raises(WaymarkError, match="A newer entry"):
                        undo(session, entry, wanted)
                else:
                    del standing[at]
                    latest = undo(session, entry, wanted)
                    assert (latest.id if latest else None) == (standing[-1].id if standing else None)
            assert boxes_of(entry) == {column: value_of(column) for column in EMPTY}
            assert entry.typed == bool(standing)
