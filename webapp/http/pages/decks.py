"""Pages of decks: the list, a deck with its cards, and the page for tracing a card by touch."""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path

import numpy as np
from flask import Blueprint, Response, redirect, render_template, request, url_for
from numpy.typing import NDArray
from PIL import Image
from werkzeug.wrappers import Response as AnyResponse

from calibration.enrol.catalogue_folder import ENROL
from calibration.enrol.faces.missing import MOST_CARDS as MOST_STATED
from calibration.enrol.faces.missing import state_cards
from calibration.enrol.faces.store import read_faces
from calibration.enrol.pieces.holding import asked_of
from calibration.enrol.trace.tracing import settled
from scorer.catalogue import Card, Catalogue
from scorer.errors import Code, WaymarkError
from scorer.games import game_named, game_of, known_games
from scorer.text import Text
from vision.cards.index import picture_of, read_art
from webapp.decks.shelf import LEAST_SIDE_MM, MAIN, MOST_SIDE_MM
from webapp.decks.view import deck_cards, deck_view, find_kinds
from webapp.http.deck_presenter import own_deck, picture_address, shown_enrolment, shown_tracing
from webapp.http.languages import current_language
from webapp.http.pages import script_json
from webapp.http.pages.rules import names_of_things
from webapp.http.piece_presenter import shown_pieces
from webapp.http.services import services
from webapp.store.database import not_found

pages = Blueprint("decks", __name__, url_prefix="/decks")

#: Longer sides in pixels of a card's pictures: in a list, and for tracing.
SMALL_PX, LARGE_PX = 260, 1600
#: The URL of a picture changes with its content.
_FOR_EVER = "private, max-age=31536000, immutable"
#: Most common card sizes in millimetres.
CARD_SIZES = ((63, 88), (57, 87), (44, 68), (70, 120))
MAX_NAME = 100
#: Cards on a page of a deck; its script fetches the pages that follow.
MOST_CARDS = 40


@pages.get("")
def index() -> str:
    """Page with all decks of this table, and the form for a new deck."""
    return _index()


@pages.post("")
def begin() -> AnyResponse | tuple[str, int]:
    """Create a deck from the submitted form."""
    form = request.form
    try:
        width, height = (_millimetres(form.get(side, "")) for side in ("width", "height"))
        name = form.get("name", "").strip()[:MAX_NAME]
        if not name:
            raise WaymarkError(Code.NOT_VALID, Text("Give the box a name."))
        stated = _stated(form.get("cards", ""))
        deck = services().shelf.new_deck(name, form.get("game", ""), (width, height))
        if stated is not None:
            state_cards(deck.folder, stated)
    except WaymarkError as error:
        return _index(wrong=error.message(current_language())), 422
    return redirect(url_for("decks.show", deck_id=deck.id), 303)


@pages.get("/<escaped:deck_id>")
def show(deck_id: str) -> str:
    """Page of a deck: its progress and `MOST_CARDS` of its cards, from number `start` of the query."""
    shelf = services().shelf
    deck = shelf.deck(deck_id)
    catalogue = shelf.catalogue(deck)
    if deck.own and asked_of(catalogue.game):
        return render_template(
            "decks/pieces.html",
            deck=deck_view(shelf, deck, current_language()),
            main=deck.id == MAIN,
            walked=False,
            box_json=script_json(shown_pieces(deck)),
        )
    address = picture_address(deck, catalogue)
    start = max(0, request.args.get("start", 0, int))
    end = start + MOST_CARDS
    enrolment = shown_enrolment(deck) if deck.own else None
    return render_template(
        "decks/show.html",
        deck=deck_view(shelf, deck, current_language()),
        cards=deck_cards(deck, catalogue, catalogue.cards[start:end], address),
        following=end if end < len(catalogue.cards) else None,
        out=deck_cards(deck, catalogue, catalogue.out, address) if deck.own else [],
        main=deck.id == MAIN,
        walked=bool(find_kinds(catalogue)),
        enrolment_json=script_json(enrolment) if enrolment is not None else None,
        stated=enrolment.stated if enrolment is not None else None,
        asked=enrolment is not None and bool(enrolment.questions or enrolment.shared),
        first=next((card.id for card in catalogue.cards if not settled(card)), None),
    )


@pages.get("/<escaped:deck_id>/cards/<escaped:card_id>")
def trace(deck_id: str, card_id: str) -> str:
    """Page for tracing a card."""
    deck = own_deck(deck_id)
    catalogue = services().shelf.catalogue(deck)
    card = catalogue.by_id.get(card_id)
    if card is None:
        raise not_found()
    card_id = card.id
    vocabulary = game_of(catalogue).words.vocabulary
    width, height = catalogue.size_of(card_id)
    # Tracing uses the picture's own pixels; if the face cannot be read, those it should have.
    face = _face(catalogue, card, LARGE_PX)
    size = Image.open(io.BytesIO(face)).size if face else (round(16 * width), round(16 * height))
    address = picture_address(deck, catalogue)(card_id)
    return render_template(
        "decks/trace.html",
        deck=deck,
        deck_name=services().shelf.title(deck).message(current_language()),
        card_id=card_id,
        finds=[(kind, vocabulary.icon(kind)) for kind in find_kinds(catalogue)],
        tracing_json=script_json(shown_tracing(deck, card_id)),
        photo_json=script_json(
            {
                "width": size[0],
                "height": size[1],
                "sizes": [{"longest": max(size), "url": f"{address}&large=1"}] if face else [],
            }
        ),
        thing_names=names_of_things(vocabulary),
    )


@pages.get("/<escaped:deck_id>/cards/<escaped:card_id>.jpg")
def card_picture(deck_id: str, card_id: str) -> Response:
    """JPEG of a card's face, small, or large for tracing."""
    shelf = services().shelf
    catalogue = shelf.catalogue(shelf.deck(deck_id))
    card = catalogue.by_id.get(card_id)
    if card is None:
        raise not_found()
    face = _face(catalogue, card, LARGE_PX if request.args.get("large") else SMALL_PX)
    if face is None:
        raise not_found()
    answer = Response(face, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = _FOR_EVER if request.args.get("version") else "no-cache"
    return answer


@pages.get("/<escaped:deck_id>/questions/<escaped:question>.jpg")
def view_picture(deck_id: str, question: str) -> Response:
    """JPEG of the face that an enrolment question is about."""
    folder = own_deck(deck_id).folder
    asked = next((each for each in read_faces(folder).asked if each.name == question), None)
    file = folder / ENROL / asked.view.file if asked is not None else None
    picture = _picture(file, 0, SMALL_PX) if file is not None and file.is_file() else None
    if picture is None:
        raise not_found()
    return Response(picture, mimetype="image/jpeg", headers={"Cache-Control": "no-cache"})


def _face(catalogue: Catalogue, card: Card, longest: int) -> bytes | None:
    if not card.art:
        plain = picture_of(catalogue, card)
        return None if plain is None else _as_jpeg(plain, longest)
    path = catalogue.art_path(card)
    try:
        return _picture(path, path.stat().st_mtime_ns, longest)
    except OSError:
        return None


@lru_cache(maxsize=512)
def _picture(art: Path, _changed: int, longest: int) -> bytes | None:
    """A face as a JPEG of at most `longest` pixels per side, never enlarged; None for a missing or invalid
    file."""
    face = read_art(art)
    return None if face is None else _as_jpeg(face, longest)


def _as_jpeg(face: NDArray[np.uint8], longest: int) -> bytes:
    picture = Image.fromarray(face[..., ::-1])
    picture.thumbnail((longest, longest), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=85)
    return buffer.getvalue()


def _index(*, wrong: str = "") -> str:
    shelf, language = services().shelf, current_language()
    return render_template(
        "decks/index.html",
        decks=[deck_view(shelf, deck, language) for deck in shelf.decks()],
        aside=[deck_view(shelf, deck, language) for deck in shelf.decks(set_aside=True)],
        games=[(word, game_named(word).name.message(language), _tile_mm(word)) for word in known_games()],
        sizes=CARD_SIZES,
        given=request.form,
        wrong=wrong,
    )


def _tile_mm(game: str) -> float | None:
    """Usual side length of a board game's tiles in mm; None for a game of cards."""
    return next((each.usual_mm[0] for each in asked_of(game) if each.kind == "tile"), None)


def _stated(words: str) -> int | None:
    """Number of different cards of a deck, from a form's text; None where it is empty. Raises `WaymarkError`
    (not-valid)."""
    if not words.strip():
        return None
    if not (words.strip().isdecimal() and 1 <= int(words) <= MOST_STATED):
        raise WaymarkError(
            Code.NOT_VALID,
            Text("Give the number of cards as 1 to {most}, or leave it empty.", most=MOST_STATED),
        )
    return int(words)


def _millimetres(words: str) -> float:
    """Side length of a card in mm, from a form's text. Raises `WaymarkError` (not-valid)."""
    try:
        value = float(words.replace(",", ".") or "nan")
    except ValueError:
        value = float("nan")
    if not LEAST_SIDE_MM <= value <= MOST_SIDE_MM:
        raise WaymarkError(
            Code.NOT_VALID,
            Text(
                "A card's sides are {least_side_mm:g} to {most_side_mm:g} mm long; measure one.",
                least_side_mm=LEAST_SIDE_MM,
                most_side_mm=MOST_SIDE_MM,
            ),
        )
    return value
