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

#: A pen is not lifted more often than this.
MAX_STROKES = 200

#: A path as a player says that it goes: strokes of places, as in records.
ClaimedStroke = Annotated[tuple[PlaceName, ...], msgspec.Meta(min_length=1)]
ClaimedPath = Annotated[tuple[ClaimedStroke, ...], msgspec.Meta(max_length=MAX_STROKES)]


class DisputeTurn(msgspec.Struct, frozen=True, kw_only=True):
    """Where the ruling turned: `step` counts places along the path from 1; `crop` (left, top, right, bottom)
    shows it. Without a path there is none of them."""

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
    """What is assumed, in words. `key` names it in claims and for settling; `can_settle`: it can be made a
    fact of this tableau. `settle` says what is done then, `changes` what is another after it."""

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
    """Something else that was held and would have done, in words, and that it was used as an assumption."""

    words: str
    assumption: DisputeAssumption


class DisputeChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A payment at the place called `name` with what was `used`, in words; any of `ways` comes to the same.
    `stated`: a person says what was used, else the referee chose."""

    place: str
    name: str
    used: str
    stated: bool
    ways: tuple[DisputeWay, ...]


class DisputeDirection(msgspec.Struct, frozen=True, kw_only=True):
    """The path from one of its ends; `stands`: this is the direction that the ruling is about; the other one
    is an `assumption`."""

    words: str
    stands: bool
    key: str | None
    assumption: DisputeAssumption | None
    outlook: Outlook


class DisputeParting(msgspec.Struct, frozen=True, kw_only=True):
    """Where a claimed path leaves the one that stands. `step` counts the places that both begin with, `place`
    is the last of them, `at` and `crop` show it; there is none where they differ from the start. `sentence`
    tells it."""

    step: int | None
    place: str | None
    at: Px | None
    crop: tuple[float, float, float, float] | None
    sentence: str


class DisputeComparison(msgspec.Struct, frozen=True, kw_only=True):
    """A claimed path beside the one that stands: where they part (None: they do not), and where the ruling on
    the claimed one turned, by which rule."""

    parting: DisputeParting | None
    turn: DisputeTurn


class DisputeClaim(msgspec.Struct, frozen=True, kw_only=True):
    """What one player says. `assumes` is what the claim assumes, in the words that it was made with;
    `assumption` is what of that has still to be assumed (None: nothing, or it is a path, or words alone).
    `own_path`: it brings a path of its own, `compared` with the one that stands. `outlook` is what the
    referee says of the claim; None for words alone and for what can no longer be assumed. `accepted_at`: when
    the table agreed with it and the ruling was made again by it; None where nobody did, or that was
    undone."""

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
    """A path that somebody drew while correcting and that does not stand now; a claim may bring it."""

    revision: int
    created_at: datetime
    outlook: Outlook


class Dispute(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling in dispute. `ruling` is what stands, `choices` tell which payments could have been made
    otherwise, `share` is the path of the page to show others. `claims` include deleted ones, oldest first."""

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


class NewClaim(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's claim: words, and if wanted one of these: what is to be assumed, the path of a revision, a
    `path` of its own (see `POST .../dispute/path`). The same `client_key` again makes it once."""

    who: Annotated[str, msgspec.Meta(max_length=MAX_WHO)]
    words: Annotated[str, msgspec.Meta(max_length=MAX_WORDS)] = ""
    assumes: Annotated[str, msgspec.Meta(max_length=300)] | None = None
    revision: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None
    path: ClaimedPath | None = None
    client_key: ClientKey | None = None


class Settle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Make an assumption, or a claim's path, a fact of the tableau; `version` is the one looked at."""

    version: Annotated[int, msgspec.Meta(ge=0)]
    assumes: Annotated[str, msgspec.Meta(max_length=300)] | None = None
    claim: Annotated[str, msgspec.Meta(max_length=64)] | None = None


class JoinAnswer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answer to the question how a line that nothing joins is part of the path: `question` by its name or
    number, `option` as `ReviewOption.number`."""

    question: QuestionName | int
    option: int


class DrawPath(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A path as a player says that it goes, on the cards as they stand, and what comes to it now: a
    correction, or an answer."""

    path: ClaimedPath
    correction: PathCorrection | None = None
    answer: JoinAnswer | None = None


class DrawnPath(msgspec.Struct, frozen=True, kw_only=True):
    """What would stand with a drawn path: the whole `reading`, and its ruling (`outlook`) `compared` with the
    one that stands. Nothing of it is kept until a claim brings the path."""

    path: tuple[tuple[str, ...], ...]
    reading: Reading
    outlook: Outlook
    compared: DisputeComparison
