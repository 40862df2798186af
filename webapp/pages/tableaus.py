"""The review page of a tableau: photo and questions, score and replay."""

from __future__ import annotations

from flask import Blueprint, render_template

from scorer.mapmasters.means import PATH_SPELLBOOKS
from scorer.mapmasters.spellbooks import SPELLBOOKS
from webapp.languages import current_language
from webapp.models import Tableau
from webapp.pages.embedding import script_json
from webapp.review_view import review_of
from webapp.score_sheet import next_up
from webapp.services import get_row, reading, services

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
        next_up=next_up(tableau.entry) if tableau.entry is not None else None,
        path_spellbooks=[
            {"id": book.id, "words": book.ja if language == "ja" else book.en}
            for book in SPELLBOOKS.values()
            if book.id in PATH_SPELLBOOKS
        ],
    )
