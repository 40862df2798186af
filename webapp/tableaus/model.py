"""The review of a tableau in JSON: `GET /api/v1/tableaus/<id>/review`, and the answers that it takes.

Its `reading` is in `webapp.tableaus.reading_model`; `webapp.tableaus.view` makes all of it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from webapp.store.models import ErrandKind
from webapp.tableaus.reading_model import QuestionName, Reading, ReviewPhoto, Score, Shortcoming

#: waiting: no photo has been read yet; failed: none could be read; empty: there is no photo; ready: `reading`
#: is available.
State = Literal["empty", "waiting", "failed", "ready"]


class ReviewShot(msgspec.Struct, frozen=True, kw_only=True):
    """A photo of this tableau. `progress` (0 to 1) and `stage` show how far it has been read; `used`: its
    reading is in use; `late`: its reading differs and is pending; `deleted`: it can be restored. If it could
    not be read, `error` and `shortcomings` are the reasons."""

    id: str
    photo: ReviewPhoto
    filename: str
    state: str
    stage: str
    progress: float
    used: bool
    late: bool
    deleted: bool
    created_at: datetime
    error: str | None = None
    shortcomings: tuple[Shortcoming, ...] = ()


class OtherReading(msgspec.Struct, frozen=True, kw_only=True):
    """The reading of another photo with a different score. A person accepts it (`POST
    .../shots/<shot_id>/use`) or rejects it (`.../leave`). `photo` counts from 1; `sure`: the reading is
    certain."""

    shot_id: str
    photo: int
    sure: bool
    score: Score


class ReviewMeans(msgspec.Struct, frozen=True, kw_only=True):
    """Stated facts: `terms` are held means and objectives by ids of the game's terms. `settings` are the
    house rules of the game or of a tableau outside games. The other fields are Map Masters' terms under the
    names of version 1 of the API."""

    terms: dict[str, Any]
    settings: dict[str, Any]
    fairy_tokens: dict[str, int] | UnsetType = UNSET
    spellbooks: tuple[str, ...] | UnsetType = UNSET
    primary: str | UnsetType | None = UNSET
    secondary: str | UnsetType | None = UNSET


class ReviewRound(msgspec.Struct, frozen=True, kw_only=True):
    """The player, round and game of the tableau; `typed`: a person typed the score, and the ruling does not
    change it."""

    game_id: str
    game_title: str
    number: int
    entry_id: str
    player: str
    colour: str
    typed: bool


class Rereading(msgspec.Struct, frozen=True, kw_only=True):
    """Progress of a rescan of the ink on corrected cards; `error` is the reason of a failure."""

    state: str
    stage: str
    progress: float
    error: str | None = None


class PenReading(msgspec.Struct, frozen=True, kw_only=True):
    """Summary of a photo's reading: number of places on the path, and whether the score is certain."""

    places: int
    sure: bool


class PenPhoto(msgspec.Struct, frozen=True, kw_only=True):
    """A photo that is read again: its tableau (`round` is its number in a game), and its old and new reading.
    `stays`: the tableau was corrected or its game is finished, so it keeps the old reading."""

    tableau_id: str
    round: int | None
    before: PenReading
    after: PenReading
    changed: bool
    stays: bool


class PenChanged(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a pen job: whether a pen is stored now, and the photos that have been read again so far."""

    kept: bool
    photos: tuple[PenPhoto, ...]


class AddedCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card added to a deck; `new`: it was not in the deck before. The photo is being read again."""

    deck: str
    card: str
    new: bool


class ReviewErrand(msgspec.Struct, frozen=True, kw_only=True):
    """A background job of a tableau: learning a `pen`, undoing that (`pen-undo`), or adding a card to the
    deck (`new-card`). `state` is waiting, running, done or failed; `error` is the reason of a failure. `pen`
    and `card` are the results so far."""

    id: str
    kind: ErrandKind
    state: str
    error: str | None = None
    pen: PenChanged | None = None
    card: AddedCard | None = None


class ReviewHistory(msgspec.Struct, frozen=True, kw_only=True):
    """Whether undo and redo are possible."""

    undo: bool
    redo: bool


class LeadGame(msgspec.Struct, frozen=True, kw_only=True):
    """An open game that a photo can be moved into."""

    id: str
    title: str
    players: tuple[str, ...]


class Lead(msgspec.Struct, frozen=True, kw_only=True):
    """The game that a quick-score photo shows, if not a single player's cards: the word of its rules, its
    `name`, and its `deck`. `together`: all play at one table; `words` describe it; `games` are its open games
    (`POST .../bring`)."""

    game: str
    deck: str
    together: bool
    name: str
    words: str
    games: tuple[LeadGame, ...]


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """A tableau for a reviewer. `version` grows with every change of anything in it; `reading` is None until
    `state` is ready. `shots` include deleted ones, oldest first. `rereading` is None without a rescan;
    `errand` is the latest background job of the last day. `other` is the differing reading of another photo;
    `lead` is the game that the photo belongs to. `untraced` are the reading's cards without a dungeon traced
    by a person, of the deck `deck`."""

    id: str
    deck: str
    untraced: tuple[str, ...]
    version: int
    title: str
    notes: str
    state: State
    shots: tuple[ReviewShot, ...]
    means: ReviewMeans
    round: ReviewRound | None
    history: ReviewHistory
    rereading: Rereading | None
    errand: ReviewErrand | None
    other: OtherReading | None
    reading: Reading | None
    lead: Lead | None


class Answer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An answer to a question: the question's name (or number), the option's number, and the review's
    version."""

    question: QuestionName | int
    option: int
    version: int
