"""Photos with known truth: `<stem>.truth.json` beside `<stem>.jpg` (or another format), in the form of
docs/FORMATS.md, section 4, with what the scene was made of under `sample`. A reading is brought to the same
form to be compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.game import Game
from scorer.games import game_told
from scorer.play_kinds import TABLE, play_kind
from scorer.record import Record
from scorer.text import Text
from waymark.review.referee_cache import Table

TRUTH_SUFFIX = ".truth.json"
PHOTO_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".avif")


class SeenCard(msgspec.Struct, frozen=True):
    """A card in a photo: `corners` are photo pixels, printed top-left, top-right, bottom-right,
    bottom-left."""

    card: str
    rotation: int
    corners: tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
    confidence: float = 1.0


class SeenOnTable(msgspec.Struct, frozen=True):
    """A card of a table of groups, as in `SeenCard`; without a name where it lies face down."""

    card: str | None
    rotation: int
    corners: tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]


class PhotoSize(msgspec.Struct, frozen=True):
    """Width and height of a photo in pixels, after it is turned upright."""

    width: int
    height: int


class TableTruth(msgspec.Struct, frozen=True):
    """The truth of a photo of a table on which groups draw; `tableau` is the game's record, as JSON."""

    tableau: msgspec.Raw
    cards: tuple[SeenOnTable, ...]
    photo: PhotoSize

    @property
    def face_up(self) -> tuple[int, ...]:
        return tuple(number for number, card in enumerate(self.cards) if card.card is not None)

    @property
    def shown(self) -> tuple[int, ...]:
        """Indices of the face-up cards with all four corners inside the photo."""
        width, height = self.photo.width, self.photo.height
        return tuple(
            number
            for number in self.face_up
            if all(0 <= x < width and 0 <= y < height for x, y in self.cards[number].corners)
        )

    @property
    def is_whole(self) -> bool:
        return self.shown == self.face_up


class Seen(msgspec.Struct, frozen=True):
    """The compared part of a scan, as truth or as read. `sample` describes the scene of a truth."""

    tableau: Record
    cards: tuple[SeenCard, ...]
    sure: bool = True
    timings_ms: dict[str, float] = {}
    sample: dict[str, Any] = {}


def find_photos(folder: Path) -> list[tuple[Path, Path]]:
    """(photo, truth) files below `folder`. Raises `WaymarkError` (no-photos)."""
    found: list[tuple[Path, Path]] = []
    for truth in sorted(folder.rglob(f"*{TRUTH_SUFFIX}")):
        stem = truth.name.removesuffix(TRUTH_SUFFIX)
        photos = [
            file
            for file in sorted(truth.parent.glob(f"{stem}.*"))
            if file.stem == stem and file.suffix.lower() in PHOTO_SUFFIXES
        ]
        found += [(photo, truth) for photo in photos]
    if not found:
        raise WaymarkError(
            Code.NO_PHOTOS,
            Text(
                "There is no photo with a {truth_suffix} beside it in {folder!r}; name a folder of such "
                "photos.",
                truth_suffix=TRUTH_SUFFIX,
                folder=str(folder),
            ),
        )
    return found


def read_truth(file: Path, catalogues: Sequence[Catalogue]) -> Seen:
    """The truth of a photo, checked against the cards that it names. Raises `WaymarkError` (not-a-truth)."""
    try:
        truth = msgspec.json.decode(file.read_bytes(), type=Seen)
        table = Table(deck_of(truth, catalogues))
        table.referee(truth.tableau, table.terms_in(truth.tableau))
        return truth
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, WaymarkError) as error:
        raise _not_a_truth(file, error) from error


class _Named(msgspec.Struct):
    """The game, mode and catalogue that a truth's record names."""

    game: str = ""
    mode: str = ""
    catalogue: str = "open"


class _Headed(msgspec.Struct):
    tableau: _Named


def game_of_truth(file: Path, catalogues: Sequence[Catalogue]) -> tuple[Game, Catalogue] | None:
    """Game and catalogue of a photo on which several groups draw. None for any other photo and for files
    that are no truth."""
    try:
        named = msgspec.json.decode(file.read_bytes(), type=_Headed).tableau
        deck = _deck_named(named.catalogue, catalogues)
        game = game_told(named.game, named.mode, deck.game)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, WaymarkError):
        return None
    return (game, deck) if play_kind(game) is TABLE else None


def read_table_truth(file: Path, game: Game, deck: Catalogue) -> TableTruth:
    """The truth of a photo on which several groups draw. Raises `WaymarkError` (not-a-truth)."""
    try:
        truth = msgspec.json.decode(file.read_bytes(), type=TableTruth)
        record = game.rules.parse_record(bytes(truth.tableau))
        game.rules.referee(
            game.rules.board(deck, record),
            record,
            game.rules.settings.of(record, game.rules.settings.make({})),
        )
        return truth
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, WaymarkError) as error:
        raise _not_a_truth(file, error) from error


def _not_a_truth(file: Path, error: Exception) -> WaymarkError:
    return WaymarkError(
        Code.NOT_A_TRUTH,
        Text(
            "{file!r} is not the truth of a photo ({error}); write it in the form of a scan, for this "
            "catalogue.",
            file=str(file),
            error=error,
        ),
    )


def deck_of(truth: Seen, catalogues: Sequence[Catalogue]) -> Catalogue:
    """The catalogue that a truth names; the first catalogue where the truth names none of them."""
    return _deck_named(truth.tableau.catalogue, catalogues)


def _deck_named(name: str | None, catalogues: Sequence[Catalogue]) -> Catalogue:
    named = [catalogue for catalogue in catalogues if catalogue.name == name]
    return (named or catalogues)[0]
