"""Pages of a disputed ruling, and the page and picture that share a ruling."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, redirect, render_template, request, send_file, url_for
from werkzeug.wrappers import Response as BaseResponse

from scorer.play_kinds import BOARD, TABLE
from scorer.text import LANGUAGES, Language
from waymark.picture.backdrop import photo_part_size
from webapp.disputes.claims import unread_dispute
from webapp.disputes.ruling_picture import ruling_picture
from webapp.disputes.shared_rulings import share_path, since_shared
from webapp.disputes.view import dispute_of, outlook_drawing
from webapp.games.tables import table_view, what_ifs_of
from webapp.http.languages import current_language
from webapp.http.pages.joining import qr_code, table_addresses
from webapp.http.pages.rules import names_of_things
from webapp.http.services import read_session, services
from webapp.store.boxes import kind_of, ruled_columns, rules_of
from webapp.store.database import get_row, not_found
from webapp.store.models import Tableau, now
from webapp.store.tableaus import assessment_of
from webapp.store.tables import standing_of
from webapp.tableaus.kinds import check_own
from webapp.tableaus.table_view import review_of_table
from webapp.tableaus.view import review_as_it_stands

pages = Blueprint("disputes", __name__)

#: Media types of pictures of a ruling, by the ending of their address.
PICTURE_TYPES = {".jpg": "image/jpeg", ".png": "image/png", ".webp": "image/webp"}


@pages.get("/tableaus/<tableau_id>/dispute")
def show(tableau_id: str) -> str | BaseResponse:
    """Page of a disputed ruling."""
    session = read_session()
    tableau = get_row(session, Tableau, tableau_id)
    if kind_of(tableau).shared and tableau.entry is not None:
        return redirect(url_for("games.show", game_id=tableau.entry.round.game_id) + "#claims")
    assessment = assessment_of(session, services().catalogue, tableau)
    if assessment is None:
        raise unread_dispute()
    rules = rules_of(tableau)
    return render_template(
        "disputes/show.html",
        tableau=tableau,
        address=_address(share_path(tableau, rules, assessment.record, assessment.ruling)),
        thing_names=names_of_things(rules.words.vocabulary),
        drawn=rules.photo.habits.drawn,
    )


@pages.get("/tableaus/<tableau_id>/dispute/drawing")
def drawing(tableau_id: str) -> Response:
    """The drawing of a claim or an assumption (`of`), as SVG elements for the page's photo."""
    session = read_session()
    tableau = get_row(session, Tableau, tableau_id)
    check_own(tableau)
    assessment = assessment_of(session, services().catalogue, tableau)
    drawn = outlook_drawing(tableau, assessment, request.args.get("of", ""), current_language())
    return Response(drawn, mimetype="text/plain")


@pages.get("/r/<tableau_id>")
def shared(tableau_id: str) -> str | BaseResponse:
    """Page of a shared ruling, for other people and for printing: the current ruling, and whether it has
    changed since it was shared. A board has its own page."""
    session, at_hand = read_session(), services()
    tableau = get_row(session, Tableau, tableau_id)
    rules, language = rules_of(tableau), current_language()
    if kind_of(tableau) is TABLE:
        return _shared_table(tableau, language)
    if kind_of(tableau) is BOARD and tableau.entry is not None:
        return redirect(url_for("games.show", game_id=tableau.entry.round.game_id))
    assessment = assessment_of(session, at_hand.catalogue, tableau)
    dispute = dispute_of(tableau, assessment, language)
    assert assessment is not None, "a dispute has a ruling"
    review = review_as_it_stands(session, at_hand.catalogue, at_hand.queue, tableau, assessment, language)
    address = _address(dispute.share)
    return render_template(
        "disputes/shared.html",
        review=review,
        reading=review.reading,
        dispute=dispute,
        steps=[step for step in review.reading.steps if step.told] if review.reading else [],
        size=photo_part_size(assessment.scan),
        since=since_shared(tableau, rules, assessment.record, assessment.ruling, _stamp()),
        version1=rules.api.known,
        own_rows=[(column.label.message(language), column.id) for column in ruled_columns(rules)],
        now=now(),
        address=address,
        code=qr_code(address) if table_addresses() else None,
    )


def _shared_table(tableau: Tableau, language: Language) -> str:
    session, at_hand = read_session(), services()
    standing = standing_of(session, at_hand.catalogue, tableau)
    table = table_view(session, at_hand.catalogue, tableau, language)
    if standing is None or table is None:
        raise not_found()
    review = review_of_table(session, at_hand.catalogue, at_hand.queue, tableau, language)
    told = standing.rules, standing.record, standing.ruling
    address = _address(share_path(tableau, *told))
    return render_template(
        "disputes/shared_table.html",
        reading=review.reading,
        table=table,
        what_ifs=what_ifs_of(standing, language),
        since=since_shared(tableau, *told, _stamp()),
        game_id=review.round.game_id if review.round is not None else None,
        now=now(),
        address=address,
        code=qr_code(address) if table_addresses() else None,
    )


@pages.get("/tableaus/<tableau_id>/ruling.jpg", endpoint="shared_picture")
@pages.get("/tableaus/<tableau_id>/ruling.png")
@pages.get("/tableaus/<tableau_id>/ruling.webp", endpoint="small_picture")
def picture(tableau_id: str) -> Response:
    """The picture for sharing (.jpg), or the photo with the ruling drawn on it, and the score beside it
    unless `score=no`. It is a new picture: position and camera are not in it."""
    session, at_hand = read_session(), services()
    tableau = get_row(session, Tableau, tableau_id)
    check_own(tableau)
    asked = request.args.get("lang")
    language = asked if asked in LANGUAGES else current_language()
    assessment = assessment_of(session, at_hand.catalogue, tableau)
    score, ending = request.args.get("score") != "no", Path(request.path).suffix
    file = ruling_picture(
        session,
        at_hand.config,
        at_hand.photos,
        at_hand.pictures,
        tableau,
        assessment,
        language,
        score=score,
        ending=ending,
    )
    kind, name = PICTURE_TYPES[ending], f"waymark-ruling{ending}"
    answer = send_file(file, mimetype=kind, etag=file.stem, conditional=True, download_name=name)
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


def _stamp() -> str:
    """The stamp in the address of the followed link."""
    return request.args.get("shared", "")


def _address(path: str) -> str:
    """URL of a page for other devices; this device's own URL where no other device can connect."""
    return (table_addresses() or [request.host_url])[0].rstrip("/") + path
