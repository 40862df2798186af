"""The review page of a tableau: photo and questions, score and replay."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template

from scorer.mapmasters.means import PATH_SPELLBOOKS
from scorer.mapmasters.objectives import VP_EACH
from scorer.mapmasters.spellbooks import SPELLBOOKS
from webapp.languages import current_language
from webapp.models import Entry, Tableau
from webapp.pages.embedding import script_json
from webapp.play.house_rules import ruling_rules
from webapp.play.score_sheet import live_tableau, next_up
from webapp.review.review_view import review_of
from webapp.services import get_row, reading, services
from webapp.tableaus import means_of

pages = Blueprint("tableaus", __name__)


@pages.get("/tableaus/<tableau_id>")
def show(tableau_id: str) -> str:
    """A tableau, from the waiting photo to the score."""
    session = reading()
    tableau = get_row(session, Tableau, tableau_id)
    at_hand = services()
    review = review_of(session, at_hand.catalogue, at_hand.queue, tableau, current_language())
    language = current_language()
    return render_template(
        "tableaus/show.html",
        review=review,
        review_json=script_json(review),
        **_around(tableau),
        path_spellbooks=[
            {"id": book.id, "words": book.ja if language == "ja" else book.en}
            for book in SPELLBOOKS.values()
            if book.id in PATH_SPELLBOOKS
        ],
        rules=ruling_rules(),
        VP_EACH=VP_EACH,
    )


@pages.get("/tableaus/<tableau_id>/around")
def around(tableau_id: str) -> str:
    """What of the page follows the game: whose tableau it is, what is asked for, whose photo comes next."""
    return render_template("tableaus/around.html", **_around(get_row(reading(), Tableau, tableau_id)))


def _around(tableau: Tableau) -> dict[str, Any]:
    entry = tableau.entry
    return {
        "tableau": tableau,
        "entry": entry,
        "means": means_of(tableau),
        "next_up": next_up(entry) if entry is not None else None,
        "others": _others(entry) if entry is not None else [],
    }


def _others(entry: Entry) -> list[dict[str, Any]]:
    """The other players of the round, in the order in which they sit."""
    others = sorted((each for each in entry.round.entries if each is not entry), key=_position)
    return [
        {
            "entry_id": other.id,
            "name": other.seat.name,
            "colour": other.seat.colour,
            "has_photo": live_tableau(other) is not None,
        }
        for other in others
    ]


def _position(entry: Entry) -> int:
    return entry.seat.position
