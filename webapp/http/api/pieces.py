"""API of a board game's deck: photos of its pieces, statements about them, and undo."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from flask import request

from calibration.enrol.faces.store import one_enrolment
from calibration.enrol.pieces.answers import answer_seen
from calibration.enrol.pieces.undoing import take_back
from webapp.decks.shelf import MOST_SIDE_MM
from webapp.http.api.decks import CardId
from webapp.http.api.endpoint import Query, Version, endpoint, not_valid
from webapp.http.deck_presenter import own_deck
from webapp.http.piece_presenter import PiecesBox, shown_pieces
from webapp.http.security import limiter
from webapp.http.services import services
from webapp.http.uploads import uploads_from

_LENGTH = r"\d{1,3}(?:\.\d{1,2})?"
_SHOWN = rf"[a-z-]{{1,32}}:{_LENGTH}x{_LENGTH}"
_MOST_PIECES = 200
#: Least side of a piece in mm: a cube or a small chip.
_LEAST_PIECE_MM = 5.0


class PieceAnswer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An answer about pieces, each with the displayed `version`: `right`, a tile's open sides (`left+top`), a
    tile (`archway@90`, `room`), a number of copies (`x10`), `turned`, `out`, or another name. `facts` are
    printed on the pieces."""

    pieces: Annotated[dict[CardId, Annotated[str, msgspec.Meta(max_length=32)]], msgspec.Meta(min_length=1)]
    said: Annotated[str, msgspec.Meta(max_length=64)] = ""
    facts: dict[str, Any] = {}


class PhotoShows(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which pieces a doubted photo (its `key`) shows, with their sizes, as in the address that sends one; "":
    it is left out."""

    photo: Annotated[str, msgspec.Meta(max_length=100)]
    shown: Annotated[str, msgspec.Meta(max_length=400, pattern=rf"^({_SHOWN}(?:,{_SHOWN}){{0,9}})?$")]


class PieceUndo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The number of the change to undo."""

    change: Version


@endpoint("GET", "/decks/<escaped:deck_id>/pieces")
def read_pieces(deck_id: str) -> PiecesBox:
    """A board game's box: what the game asks for, the pieces that it has, and how far its photos are."""
    return shown_pieces(own_deck(deck_id))


@endpoint(
    "POST",
    "/decks/<escaped:deck_id>/pieces/photos",
    query={
        "shown": Query(
            "the sorts of pieces that it shows, with their sizes in mm: chip:22x22,coin:20x20",
            rf"{_SHOWN}(?:,{_SHOWN}){{0,9}}",
        )
    },
    upload={},
    status=202,
)
@limiter.limit(lambda: f"{services().config.uploads_per_minute} per minute")
def send_pieces_photo(deck_id: str) -> PiecesBox:
    """Send a photo of pieces for a box; it is kept, then looked at in the background."""
    deck = own_deck(deck_id)
    shown = _shown(request.args.get("shown", ""))
    for upload in uploads_from(request):
        services().enrolling.keep_pieces(deck, upload.data, upload.filename, shown)
    return shown_pieces(deck)


@endpoint("POST", "/decks/<escaped:deck_id>/pieces/doubted", status=202)
def say_what_it_shows(deck_id: str, body: PhotoShows) -> PiecesBox:
    """Say what a photo shows that seemed to show other pieces; it is looked at again, or left out."""
    deck = own_deck(deck_id)
    if body.shown:
        services().enrolling.look_again(deck, body.photo, _shown(body.shown))
    else:
        services().enrolling.leave_out(deck, body.photo)
    return shown_pieces(deck)


@endpoint("POST", "/decks/<escaped:deck_id>/pieces/answers")
def answer_pieces(deck_id: str, body: PieceAnswer) -> PiecesBox:
    """Say what pieces are; it is in the catalogue when this is answered."""
    deck = own_deck(deck_id)
    if len(body.pieces) > _MOST_PIECES or not (body.said or body.facts):
        raise not_valid("nothing is said, or of too many pieces at once")
    answer_seen(deck.folder, body.pieces, body.said, body.facts)
    return shown_pieces(deck)


@endpoint("POST", "/decks/<escaped:deck_id>/pieces/undo")
def undo_pieces(deck_id: str, body: PieceUndo) -> PiecesBox:
    """Take a change of the box's pieces back, an answer or what a photo added."""
    deck = own_deck(deck_id)
    with one_enrolment(deck.folder):
        take_back(deck.folder, body.change)
    return shown_pieces(deck)


def _shown(words: str) -> dict[str, tuple[float, float]]:
    """Sorts of pieces that a photo shows, from the request. Raises `WaymarkError` (not-valid)."""
    shown = {}
    for part in words.split(","):
        word, _, size = part.partition(":")
        width, _, height = size.partition("x")
        if not word:
            raise not_valid("shown is not told")
        shown[word] = (float(width), float(height))
        if not all(_LEAST_PIECE_MM <= side <= MOST_SIDE_MM for side in shown[word]):
            raise not_valid(f"a side is {_LEAST_PIECE_MM:g} to {MOST_SIDE_MM:g} mm long")
    return shown
