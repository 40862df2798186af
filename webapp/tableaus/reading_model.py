"""The reading of a tableau in JSON: cards, path, finds, questions and score, as part of a review.

Points are pixels of the photo in use (upright, full size), x right, y down. Sentences are in the reader's
language. Places have the names of records (`0.f1`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from waymark.picture.annotations import FindState

Px = tuple[float, float]

#: Name of a question, as in `ReviewQuestion.name`.
QuestionName = Annotated[str, msgspec.Meta(max_length=200)]


class PhotoSize(msgspec.Struct, frozen=True, kw_only=True):
    """A display copy: its longest side in pixels, and its URL."""

    longest: int
    url: str


class ReviewPhoto(msgspec.Struct, frozen=True, kw_only=True):
    """A photo: `width` and `height` are the original's, which all points refer to; `sizes` from small to
    large."""

    id: str
    width: int
    height: int
    sizes: tuple[PhotoSize, ...]


@dataclass(frozen=True)
class Summary:
    """A reading for a page without scripts: its photo and a sentence about the end of the path."""

    photo: ReviewPhoto
    sentence: str


class Shortcoming(msgspec.Struct, frozen=True, kw_only=True):
    """A defect of a photo, in words, with its box (left, top, right, bottom; None: the whole photo). `bears`:
    an open question or doubt may depend on it; true where nothing could be read."""

    kind: Literal["dark", "far", "blurred", "cut-off", "hidden"]
    words: str
    box: tuple[float, float, float, float] | None
    bears: bool = True


class ReviewCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card: `corners` are its printed top-left, top-right, bottom-right and bottom-left corner.
    `confidence` is None for a card placed by a person; `picture` is a small picture of the card."""

    index: int
    card: str
    rotation: int
    x: float
    y: float
    corners: tuple[Px, ...]
    confidence: float | None
    picture: str


class ReviewPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A place of the dungeon; `name` describes its kind and position for people."""

    id: str
    card: int
    kind: str
    level: str
    at: Px
    name: str
    find: str | None = None
    value: int = 1
    room: str | None = None


class ReviewLink(msgspec.Struct, frozen=True, kw_only=True):
    """A connection from place `a` to place `b`; `level` is None for a connection between two levels."""

    a: str
    b: str
    kind: str
    level: str | None
    line: tuple[Px, ...]
    one_way: bool = False


class ReviewFact(msgspec.Struct, frozen=True, kw_only=True):
    """One line about a ruling, in words: its subject (`about`) and the fact."""

    about: str
    words: str


class ReviewCount(msgspec.Struct, frozen=True, kw_only=True):
    """Number of counted things of one kind."""

    id: str
    name: str
    icon: str
    count: int


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """Score of a ruling: `scores` by column of the game's sheet, None where undetermined; `facts` lists
    these and other facts in words. The other fields are Map Masters' under the names of version 1 of the
    API. `primary_vp` and `secondary_vp` are None where the round has no objective; `secondary_vp` is not
    halved."""

    legal: bool
    scores: dict[str, int | bool | None]
    facts: tuple[ReviewFact, ...]
    primary_vp: int | UnsetType | None = UNSET
    secondary_vp: int | UnsetType | None = UNSET
    coins: int | UnsetType = UNSET
    escaped: bool | UnsetType = UNSET
    discovered: dict[str, int] | UnsetType = UNSET


class TallyScore(msgspec.Struct, frozen=True, kw_only=True):
    """Points of an objective up to a step."""

    objective: str
    count: int
    vp: int


class ReviewTally(msgspec.Struct, frozen=True, kw_only=True):
    """Counts up to a step: discoveries by objective, coins, and the points of the round's objectives."""

    discovered: dict[str, int]
    coins: int
    primary: TallyScore | None
    secondary: TallyScore | None


class ReviewStep(msgspec.Struct, frozen=True, kw_only=True):
    """A reached place, in order from `number` 1; `at` is None for a place that is on no card. `sentence`
    describes the step; `told` marks steps worth showing, unlike plain moves. The last fields are Map
    Masters'."""

    number: int
    place: str
    at: Px | None
    sentence: str
    told: bool
    held_words: str
    found: tuple[str, ...]
    event: str | UnsetType = UNSET
    way: str | UnsetType = UNSET
    held: dict[str, int] | UnsetType = UNSET
    tally: ReviewTally | UnsetType = UNSET


class ReviewPiece(msgspec.Struct, frozen=True, kw_only=True):
    """The path from one place of the record to the next. `stroke` and `step` (from 0) are those of `b` in
    `record.path`; `number` is the review step that it leads to, None where the referee did not let it count;
    `jump`: a teleport, a fall, or a gap between strokes; `order` runs from 0 to 1 along the path."""

    a: str
    b: str
    stroke: int
    step: int
    number: int | None
    line: tuple[Px, ...]
    underground: bool
    jump: bool
    counted: bool
    order: float
    #: For a shared table: index of the path (from 0), and the colour of its group.
    path: int | UnsetType = UNSET
    colour: str | UnsetType = UNSET


class ReviewFind(msgspec.Struct, frozen=True, kw_only=True):
    """A find with its state; `number` is the step at which it was found."""

    place: str
    find: str
    name: str
    value: int
    at: Px
    state: FindState
    number: int | None


class ReviewMark(msgspec.Struct, frozen=True, kw_only=True):
    """A mark drawn on a find."""

    place: str
    at: Px
    circled: bool
    struck: bool


class ReviewMarkNote(msgspec.Struct, frozen=True, kw_only=True):
    """A contradiction between a mark and the path."""

    about: str
    place: str
    at: Px
    message: str


class ReviewEnd(msgspec.Struct, frozen=True, kw_only=True):
    """Reason and place of the path's end: the rule, its section in the rulebook, and one sentence. `how` is
    Map Masters' word; for another game it is `end` or `violation`. `place` is None without a path.
    `violations` are the broken rules; the first one ended the path."""

    how: str
    place: str | None
    at: Px | None
    rule: str
    section: str
    sentence: str
    violations: tuple[str, ...]


class ReviewObjective(msgspec.Struct, frozen=True, kw_only=True):
    """An objective with its count and victory points."""

    objective: str
    name: str
    count: int
    vp: int


class ReviewWay(msgspec.Struct, frozen=True, kw_only=True):
    """A possible means of a payment, as named by a correction of kind `payment`. `used`: the ruling uses it;
    `score` is the score with this means, None if equal."""

    means: str
    source: str | None
    words: str
    used: bool
    score: Score | None


class ReviewPayment(msgspec.Struct, frozen=True, kw_only=True):
    """A payment of the ruling at a place that required a `tool`, and all `ways` that were held then, the
    referee's first choice first. `step` counts along the path; `stated`: a person stated this payment."""

    place: str
    name: str
    at: Px
    step: int
    tool: str
    stated: bool
    ways: tuple[ReviewWay, ...]


class ReviewPaymentNote(msgspec.Struct, frozen=True, kw_only=True):
    """A stated payment that was impossible, or that ended the path."""

    about: str
    place: str
    at: Px
    message: str


class ReviewOption(msgspec.Struct, frozen=True, kw_only=True):
    """A possible answer. `number` is the value for `POST .../answers` (0: as read). `lines` are the stretches
    of path that only this answer has, `rest` its other ones, `lacks` those that only others have. `label` is
    its short text, `detail` the remaining text; `score` is the score with this answer. `alike` counts the
    readings with the same result that were merged into it. `kind` is `stands`, `other`, `led`, `jumped`,
    `held`, `turned`, `broken` or `unmarked`. The kinds `otherwise` (needs a manual correction), `retake`
    (needs another photo) and `unknown` leave the question open and have numbers below 0. `crop` (left, top,
    right, bottom) shows an answer about other cards than the rest."""

    number: int
    label: str
    lines: tuple[tuple[Px, ...], ...]
    score: Score
    rest: tuple[tuple[Px, ...], ...] = ()
    lacks: tuple[tuple[Px, ...], ...] = ()
    detail: str = ""
    start: Px | None = None
    card: str | None = None
    picture: str | None = None
    alike: int = 1
    kind: str = "stands"
    crop: tuple[float, float, float, float] | None = None


class ReviewQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """An open question about a reading. `name` identifies it in `POST .../answers` (as does `number`, its
    index in the reading). `crop` (left, top, right, bottom) is the part of the photo that it is about.
    `matters`: its answers give different scores (always true without another reading, since it follows from
    the ruling). `joins`: it asks how an unconnected line belongs to the path; option 0 is that it does not.
    `options` are in the order of display. `left`: a person left it open, and it is not asked again on its
    own. `new_card`: it is about one card that may be missing in the catalogue (`POST .../new-card`)."""

    name: str
    number: int
    about: Literal["card", "path", "direction", "mark"]
    place: str
    at: Px
    reason: str
    prompt: str
    crop: tuple[float, float, float, float]
    options: tuple[ReviewOption, ...]
    matters: bool
    joins: bool = False
    left: bool = False
    new_card: bool = False


class ReviewDoubt(msgspec.Struct, frozen=True, kw_only=True):
    """A remaining doubt about a reading that is no longer asked, in words, with its position. `question` is
    the name of a question that a person left open; it can still be answered."""

    at: Px
    message: str
    question: str | None = None


class ReviewGroup(msgspec.Struct, frozen=True, kw_only=True):
    """A group at a shared table: its name, the colour of its lines on the page, and its pen."""

    group: str
    name: str
    colour: str
    pen: str


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """Current state of a tableau: the reading with corrections, and its ruling.

    `record` is in the form of docs/FORMATS.md, section 2; `corrected`: people changed it; `revision` is the
    number of the current revision. `answered` lists settled questions; a correction keeps those that it does
    not affect. `shortcomings` are the warnings with a position in the photo. `sure`: no relevant question is
    open and there are no `doubts`. `counts` are the counted things, in the game's order and words; `notes`
    are remarks beside `mark_notes` and `payment_notes`. `drawing` is the ruling drawn on the photo: SVG
    elements in its pixels. `groups` are those of a shared table; its `record` is
    in the game's own form, with the paths of all. The last fields are Map Masters'."""

    photo: ReviewPhoto
    record: dict[str, Any]
    answered: tuple[int, ...]
    corrected: bool
    revision: int
    cards: tuple[ReviewCard, ...]
    places: tuple[ReviewPlace, ...]
    links: tuple[ReviewLink, ...]
    pieces: tuple[ReviewPiece, ...]
    steps: tuple[ReviewStep, ...]
    finds: tuple[ReviewFind, ...]
    marks: tuple[ReviewMark, ...]
    mark_notes: tuple[ReviewMarkNote, ...]
    payments: tuple[ReviewPayment, ...]
    payment_notes: tuple[ReviewPaymentNote, ...]
    laying: tuple[str, ...]
    end: ReviewEnd
    direction: str | None
    warnings: tuple[str, ...]
    shortcomings: tuple[Shortcoming, ...]
    questions: tuple[ReviewQuestion, ...]
    doubts: tuple[ReviewDoubt, ...]
    sure: bool
    as_said: bool
    score: Score
    counts: tuple[ReviewCount, ...]
    notes: tuple[str, ...]
    px_per_mm: float
    drawing: str
    groups: tuple[ReviewGroup, ...] | UnsetType = UNSET
    primary: ReviewObjective | UnsetType | None = UNSET
    secondary: ReviewObjective | UnsetType | None = UNSET
    discovered: dict[str, int] | UnsetType = UNSET
