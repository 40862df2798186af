"""Each thing is asked once of a game: a board for a layout of cards, a verdict for a record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from shared_readings import open_deck, photo_file, reading_of

from scorer.dungeon import Dungeon
from scorer.mapmasters.game import VersusRules
from scorer.mapmasters.rules.terms import Terms
from waymark.review.referee_cache import Table
from waymark.review.tableau.answers import answered_with, options
from waymark.review.tableau.assess import assess
from waymark.review.tableau.counterfactuals import BACKWARDS, free_choices, suppose, what_ifs
from webapp.http.services import KEY, Services
from webapp.store.models import Tableau
from webapp.store.photos import store_original
from webapp.store.tableaus import add_shot, take_reading

#: A reading that is sure, and one with several questions.
PHOTOS = ("table-07", "table-06")


@dataclass
class Asked:
    """How many dungeons were built, and what was refereed."""

    built: int = 0
    refereed: list[tuple[Any, Any]] = field(default_factory=list)

    def check(self) -> None:
        assert 1 <= self.built <= 2
        assert all(one not in self.refereed[:k] for k, one in enumerate(self.refereed)), "ruled on twice"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Asked]:
    asked, build, referee = Asked(), Dungeon.__init__, VersusRules.referee

    def counting_build(self: Dungeon, *args: Any, **parts: Any) -> None:
        asked.built += 1
        build(self, *args, **parts)

    def counting_referee(self: Any, board: Any, record: Any, terms: Any) -> Any:
        asked.refereed.append((record, terms))
        return referee(self, board, record, terms)

    monkeypatch.setattr(Dungeon, "__init__", counting_build)
    monkeypatch.setattr(VersusRules, "referee", counting_referee)
    yield asked


@pytest.mark.parametrize("photo", PHOTOS)
def test_a_dispute_builds_its_cards_once_and_rules_once_on_each_record(photo: str, asked: Asked) -> None:
    reading, terms = reading_of(photo), Terms(primary="sword", secondary="pit")
    asked.built, asked.refereed = 0, []
    now = assess(reading, Table(open_deck()), terms)
    told = what_ifs(now)
    free_choices(now, told)
    suppose(now, BACKWARDS)
    for question in now.open_questions:
        for option in options(now, question.name):
            answered_with(now, question.name, option)
    asked.check()


@pytest.mark.parametrize("photo", PHOTOS)
@pytest.mark.parametrize("page", ["/api/v1/tableaus/{}/dispute", "/api/v1/tableaus/{}/review", "/r/{}"])
def test_pages_ask_as_little(client: FlaskClient, app: Flask, photo: str, page: str, asked: Asked) -> None:
    services: Services = app.extensions[KEY]
    with services.database.transaction() as session:
        tableau = Tableau(terms={"primary": "sword", "secondary": "pit"})
        session.add(tableau)
        stored = store_original(services.photos, photo_file(photo).read_bytes())
        shot = add_shot(session, tableau, stored)
        session.flush()
        take_reading(session, services.catalogue, shot, reading_of(photo))
        tableau_id = tableau.id
    asked.built, asked.refereed = 0, []
    assert client.get(page.format(tableau_id)).status_code == 200
    asked.check()
