"""JSON of a dispute: `GET /api/v1/tableaus/<id>/dispute`. Points and boxes are in pixels of the photo in use;
sentences are in the reader's language."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec

from waymark.review.tableau.edits import PathCorrection, PlaceName
from webapp.store.idempotency import ClientKey
from webapp.tableaus.reading_model import Px, QuestionName, Reading, ReviewEnd, ReviewPiece, Score

MAX_WHO = 300
MAX_WORDS = 4000

#: Largest number of strokes in a path.
MAX_STROKES = 200

#: A claimed path: strokes of places, as in records.
ClaimedStroke = Annotated[tuple[PlaceName, ...], msgspec.Meta(min_length=1)]
ClaimedPath = Annotated[tuple[ClaimedStroke, ...], msgspec.Meta(max_length=MAX_STROKES)]


class DisputeTurn(msgspec.Struct, frozen=True, kw_only=True):
    """The step at which the ruling was decided: `step` counts places along the path from 1; `crop` (left,
    top, right, bottom) shows it. All are empty without a path."""

    place: str | None
    name: str | None
    step: int | None
    at: Px | None
    crop: tuple[float, float, float, float] | None
    rule: str
    section: str
    sentence: str


class Outlook(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling of a tableau: its score, the path's end, and the path in the photo. `steps` counts the reached
    places."""

    score: Score
    end: ReviewEnd
    pieces: tuple[ReviewPiece, ...]
    steps: int


class DisputeAssumption(msgspec.Struct, frozen=True, kw_only=True):
    """An assumption, in words. `key` names it in claims and for settling; `can_settle`: it can be made a fact
    of this tableau. `settle` is the label of that action, `changes` its side effects."""

    key: str
    words: str
    can_settle: bool
    settle: str
    changes: str


class DisputeWhatIf(msgspec.Struct, frozen=True, kw_only=True):
    """Another outcome; each of `assumptions` alone leads to it."""

    assumptions: tuple[DisputeAssumption, ...]
    outlook: Outlook


class DisputeWay(msgspec.Struct, frozen=True, kw_only=True):
    """Another possible means of a payment, in words, and the assumption that it was used."""

    words: str
    assumption: DisputeAssumption


class DisputeChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A payment at the place `name` with the means `used`, in words; each of `ways` would have the same
    result. `stated`: a person stated the means; otherwise the referee chose it."""

    place: str
    name: str
    used: str
    stated: bool
    ways: tuple[DisputeWay, ...]


class DisputeDirection(msgspec.Struct, frozen=True, kw_only=True):
    """The path in one direction; `stands`: it is the ruling's direction. The other direction is an
    `assumption`."""

    words: str
    stands: bool
    key: str | None
    assumption: DisputeAssumption | None
    outlook: Outlook


class DisputeParting(msgspec.Struct, frozen=True, kw_only=True):
    """First difference between a claimed path and the current one. `step` counts the common places, `place`
    is the last of them, `at` and `crop` show it. All are empty for paths that differ from the start.
    `sentence` describes the difference."""

    step: int | None
    place: str | None
    at: Px | None
    crop: tuple[float, float, float, float] | None
    sentence: str


class DisputeComparison(msgspec.Struct, frozen=True, kw_only=True):
    """Comparison of a claimed path with the current one: their first difference (None: equal paths), and the
    deciding step and rule of the claimed path's ruling."""

    parting: DisputeParting | None
    turn: DisputeTurn


class DisputeClaim(msgspec.Struct, frozen=True, kw_only=True):
    """A player's claim. `assumes` is its original assumption in words; `assumption` is the part that is still
    hypothetical (None: nothing, a path, or words alone). `own_path`: it has its own path, `compared` with the
    current one. `outlook` is the claim's ruling; None for words alone and impossible claims. `accepted_at`:
    the time of the table's agreement; None if there is none or it was undone."""

    id: str
    who: str
    words: str
    assumes: str | None
    assumption: DisputeAssumption | None
    own_path: bool
    compared: DisputeComparison | None
    outlook: Outlook | None
    agrees: bool
    deleted: bool
    created_at: datetime
    accepted_at: datetime | None


class DisputePath(msgspec.Struct, frozen=True, kw_only=True):
    """An earlier path, drawn during a correction, that a claim may use."""

    revision: int
    created_at: datetime
    outlook: Outlook


class DisputeCause(msgspec.Struct, frozen=True, kw_only=True):
    """A possible cause of a wrong score, in words, and its `chance` (0 to 1)."""

    words: str
    chance: float


class Dispute(msgspec.Struct, frozen=True, kw_only=True):
    """A disputed ruling. `ruling` is the current one, `choices` are payments with alternatives, `share` is
    the path of the page for sharing. `claims` include deleted ones, oldest first. `probability` (0 to 1) is
    that of the score being right, `causes` are what could make it wrong, the likeliest first."""

    id: str
    version: int
    turn: DisputeTurn
    ruling: Outlook
    sure: bool
    what_ifs: tuple[DisputeWhatIf, ...]
    directions: tuple[DisputeDirection, ...]
    choices: tuple[DisputeChoice, ...]
    paths: tuple[DisputePath, ...]
    claims: tuple[DisputeClaim, ...]
    players: tuple[str, ...]
    share: str
    probability: float
    causes: tuple[DisputeCause, ...]


class NewClaim(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's claim: words, and optionally an assumption, the path of a revision, or a `path` of its own
    (see `POST .../dispute/path`). A repeated `client_key` creates it once."""

    who: Annotated[str, msgspec.Meta(max_length=MAX_WHO)]
    words: Annotated[str, msgspec.Meta(max_length=MAX_WORDS)] = ""
    assumes: Annotated[str, msgspec.Meta(max_length=300)] | None = None
    revision: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None
    path: ClaimedPath | None = None
    client_key: ClientKey | None = None


class Settle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Request to make an assumption, or a claim's path, a fact of the tableau; `version` is the tableau's
    version."""

    version: Annotated[int, msgspec.Meta(ge=0)]
    assumes: Annotated[str, msgspec.Meta(max_length=300)] | None = None
    claim: Annotated[str, msgspec.Meta(max_length=64)] | None = None


class JoinAnswer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answer to the question how a line that nothing joins is part of the path: `question` by its name or
    number, `option` as `ReviewOption.number`."""

    question: QuestionName | int
    option: int


class DrawPath(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A path drawn by a player on the current cards, with one further correction or answer."""

    path: ClaimedPath
    correction: PathCorrection | None = None
    answer: JoinAnswer | None = None


class DrawnPath(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a drawn path: the whole `reading`, and its ruling (`outlook`) `compared` with the current
    one. It is saved only when a claim uses the path."""

    path: tuple[tuple[str, ...], ...]
    reading: Reading
    outlook: Outlook
    compared: DisputeComparison
