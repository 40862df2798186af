"""The review of a tableau in JSON: `GET /api/v1/tableaus/<id>/review`, and the answers that it takes.

Its `reading` is in `webapp.tableaus.reading_model`; `webapp.tableaus.view` makes all of it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from webapp.tableaus.reading_model import QuestionName, Reading, ReviewPhoto, Score, Shortcoming

#: waiting: no photo has been read yet; failed: none could be; empty: there is no photo; ready: `reading` is
#: there.
State = Literal["empty", "waiting", "failed", "ready"]

ErrandKind = Literal["pen", "pen-undo", "new-card"]


class ReviewShot(msgspec.Struct, frozen=True, kw_only=True):
    """A photo of this tableau. `progress` (0 to 1) and `stage` tell how far it has been read; `used`: its
    reading is the one that stands; `late`: it says otherwise, and waits to be taken over;
    `deleted`: it can be restored. Where it could not be read, `error` and `shortcomings` tell why."""

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
    """A photo at hand: whose tableau it is of (`round` is its number in a game), as it was read before and is
    now. `stays`: people corrected that tableau, or its game is finished, and it does not follow."""

    tableau_id: str
    round: int | None
    before: PenReading
    after: PenReading
    changed: bool
    stays: bool


class PenChanged(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a tap on a line, or of taking one back: whether a pen is kept now, and the photos at hand
    that have been read again so far."""

    kept: bool
    photos: tuple[PenPhoto, ...]


class AddedCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card added to a deck; `new`: it was not in the deck before. The photo is being read again."""

    deck: str
    card: str
    new: bool


class ReviewErrand(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was asked of a tableau and is done in the background: learning a `pen`, taking it back
    (`pen-undo`), adding a card to the box (`new-card`). `state` is waiting, running, done or failed: then
    `error` tells why. `pen` and `card` are what came of it so far."""

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
    """The game that the photo of a quick look shows, where that is no single player's cards: the word of its
    rules, its `name`, the box `deck`, whether all play `together`, what is told of it in `words`, and the
    `games` of it that are being played (`POST .../bring`)."""

    game: str
    deck: str
    together: bool
    name: str
    words: str
    games: tuple[LeadGame, ...]


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """A tableau for a reviewer. `version` grows with every change of anything in it; `reading` is None until
    `state` is ready. `shots` include deleted ones, oldest first. `rereading`
    is None where the ink is not to be read again; `errand` is what was asked of it last, for a day; `other`
    is what another photo says, if otherwise; `lead` is the game that the photo belongs into.
    `untraced` are the cards of the reading whose dungeon no person has traced yet, of the box `deck`."""

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
