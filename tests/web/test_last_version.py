"""What the last version kept opens as it was: a database and a log in which questions had numbers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from ready_made import take_back
from shared_readings import open_deck
from sqlalchemy import select

from waymark.review.tableau.question_names import number_of
from webapp.log.log_import import import_log
from webapp.store.database import Database, open_database
from webapp.store.models import Claim, Tableau
from webapp.store.photo_places import FolderStore
from webapp.store.tableaus import assessment_of

KEPT = Path(__file__).parents[1] / "data" / "last_version"
STOOD: dict[str, Any] = json.loads((KEPT / "standing.json").read_bytes())


@pytest.fixture(params=["database", "log"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    file = tmp_path / "waymark.sqlite3"
    if request.param == "database":
        shutil.copy(KEPT / file.name, file)
        return open_database(f"sqlite:///{file}")
    taken = open_database(f"sqlite:///{file}")
    import_log(taken, lambda deck: open_deck(), FolderStore(tmp_path / "photos"), KEPT / "waymark-log.zip")
    return taken


@pytest.mark.parametrize("name", STOOD)
def test_a_tableau_of_the_last_version_stands_as_it_did(database: Database, name: str) -> None:
    stood = STOOD[name]
    with database.snapshot() as session:
        tableau = session.get_one(Tableau, name)
        now = assessment_of(session, open_deck(), tableau)
        assert now is not None
        assert json.loads(msgspec.json.encode(now.record)) == stood["record"]
        asked = [
            [number_of(question.name, now.reading.questions), question.about, question.place]
            for question in now.open_questions
        ]
        # No other questions; which one is put first is worked out anew, and what is likelier by now may be
        # settled.
        assert all(question in [each[:3] for each in stood["open"]] for question in asked)
        assert tableau.sure == stood["sure"] and now.sure >= stood["sure"]
        ruling = now.ruling
        assert [ruling.primary.vp, ruling.secondary.vp, ruling.coins, ruling.escaped] == stood["score"]
        # by name now, and nothing that was settled is lost
        for answered, numbers in [
            (tableau.answered, stood["answered"]),
            *((row.answered, stood["revisions"][row.number][2]) for row in tableau.revisions),
        ]:
            assert all(isinstance(each, str) and not each.isdigit() for each in answered)
            assert len(answered) == len(numbers)


def test_claims_speak_of_questions_by_name(database: Database) -> None:
    with database.snapshot() as session:
        claims = {name: [c.assumes for c in session.get_one(Tableau, name).claims] for name in STOOD}
    assert claims["table-10"] == ["reading:gap:1", "held:fairy:rope*1"]
    (told,) = claims["table-06"]
    assert told is not None and told.startswith("reading:path:") and told.endswith(":2.n1:1")


def test_the_migration_can_be_taken_back(tmp_path: Path) -> None:
    file = tmp_path / "waymark.sqlite3"
    shutil.copy(KEPT / file.name, file)
    database = open_database(f"sqlite:///{file}")
    take_back(database, "0003")
    # By column: the models are those of the newest schema.
    with database.snapshot() as session:
        for name, stood in STOOD.items():
            answered = session.execute(select(Tableau.answered).where(Tableau.id == name)).scalar_one()
            assert answered == stood["answered"]
            claims = select(Claim.assumes).where(Claim.tableau_id == name).order_by(Claim.created_at)
            assert list(session.scalars(claims)) == stood["claims"]
