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
    """What another photo of the tableau says, where that is another score: a person lets it count
    (`POST .../shots/<shot_id>/use`) or leaves it (`.../leave`). `photo` counts from 1; `sure`: Waymark is."""

    shot_id: str
    photo: int
    sure: bool
    score: Score


class ReviewMeans(msgspec.Struct, frozen=True, kw_only=True):
    """What is told, not seen: `terms`, what is held and asked for, by the ids of the game's terms; `settings`
    are the house rules, the game's or a loose tableau's own. The other fields are Map Masters' terms, as
    version 1 of the API has always named them."""

    terms: dict[str, Any]
    settings: dict[str, Any]
    fairy_tokens: dict[str, int] | UnsetType = UNSET
    spellbooks: tuple[str, ...] | UnsetType = UNSET
    primary: str | UnsetType | None = UNSET
    secondary: str | UnsetType | None = UNSET


class ReviewRound(msgspec.Struct, frozen=True, kw_only=True):
    """Whose round in which game the tableau is; `typed`: a person typed the score, the ruling does not change
    it."""

    game_id: str
    game_title: str
    number: int
    entry_id: str
    player: str
    colour: str
    typed: bool


class Rereading(msgspec.Struct, frozen=True, kw_only=True):
    """How far the ink has been read again on corrected cards; `error` tells why it could not be."""

    state: str
    stage: str
    progress: float
    error: str | None = None


class PenReading(msgspec.Struct, frozen=True, kw_only=True):
    """How a photo is read: how many places its path comes to, and whether its score is sure."""

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
    """A card of a box; whether it is `new` to it. The photo is being read again."""

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
    """Whether there are corrections to be taken back, or made again."""

    undo: bool
    redo: bool


class LeadGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game that is being played, into which a photo can be brought."""

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
    """Settle a question: its name (or its number), the number of the option, and the version that the person
    looked at."""

    question: QuestionName | int
    option: int
    version: int
