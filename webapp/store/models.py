"""Database models: people, games, rounds, scores, photos of tableaus and their readings.

Nothing is deleted: `deleted_at` hides a row until it is restored. Every id is random and unguessable, so
that a link to a thing is a right to see it. Times are UTC."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Literal, get_args

from sqlalchemy import ForeignKey, Index, LargeBinary, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship, validates

from webapp.store.column_types import Id, Json, Order, Probability, Sha256, Tick, UtcTime, Whole, constrain
from webapp.store.column_types import NotText as NotText
from webapp.store.column_types import Text as Text

#: waiting: stored, not read yet; running: a worker is reading it; done; failed: `error` has the reason.
ShotState = Literal["waiting", "running", "done", "failed"]
#: Types of background jobs.
ErrandKind = Literal["pen", "pen-undo", "new-card"]
#: Cause of a revision; table (stated facts), turn and record (entered as a whole) occur with shared tables
#: and boards.
RevisionKind = Literal[
    "read",
    "answer",
    "card",
    "path",
    "mark",
    "means",
    "payment",
    "terms",
    "reread",
    "restore",
    "photo",
    "table",
    "turn",
    "record",
]
#: Largest `Seat.position` and `GameRound.number`: more than any game has.
_MOST_PLACES = 999_999
#: Coins of one purchase, and uses of one thing: a larger number is a typing error.
MOST_COINS = 9_999


def new_id() -> str:
    """A random id of 16 URL-safe characters (96 bits). None begins with a hyphen: spreadsheets would take it
    for a formula, and command lines for an option."""
    while (made := secrets.token_urlsafe(12)).startswith("-"):
        pass
    return made


def now() -> datetime:
    """The current time in UTC."""
    return datetime.now(UTC)


def cards_named(record: dict[str, Any] | None) -> str:
    """Lower-case names of a record's cards, in the form of `Tableau.cards`."""
    laid = (record or {}).get("cards")
    cards = (
        [card.get("card") for card in laid if isinstance(card, dict)]
        if isinstance(laid, list | tuple)
        else []
    )
    names = dict.fromkeys(name.lower() for name in cards if isinstance(name, str))
    return "\n" + "\n".join(names) + "\n" if names else ""


class Base(DeclarativeBase):
    """Base class of all tables. Plain Python values in JSON columns are replaced, never changed in place."""

    type_annotation_map: ClassVar[dict[Any, Any]] = {
        dict[str, Any]: Json(dict),
        list[Any]: Json(list),
        datetime: UtcTime,
        str: Text,
        int: Whole,
        float: Probability,
        bool: Tick,
        bytes: LargeBinary,
    }

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    created_at: Mapped[datetime] = mapped_column(default=now)
    deleted_at: Mapped[datetime | None] = mapped_column(default=None)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def placed_at(moment: datetime) -> int:
    """The `InOrder.sequence` for a time: microseconds since 1970."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def _placed(context: Any) -> int:
    """Default `sequence` of a row that is written without a session, from its time."""
    return placed_at(context.get_current_parameters().get("created_at") or now())


class InOrder:
    """Mixin for rows with a defined order: `sequence` grows with every new row of any of these tables, even
    if the clock goes back. It is assigned when the row is written (`webapp.store.database`): the time in
    microseconds, or one more than the last value if that is larger."""

    sequence: Mapped[int] = mapped_column(Order, index=True, default=_placed)


class Person(Base):
    """A player, with statistics over all games."""

    __tablename__ = "person"
    name: Mapped[str]
    seats: Mapped[list[Seat]] = relationship(back_populates="person")


class Game(Base):
    """A game: `game` is the word of its rules (`scorer.games.word_of`), `deck` the deck's id ("": the
    server's own). `settings` holds the house rules that differ from the defaults, by ids of the game's terms,
    `certainty` the least probability of a score that is called sure (None: the usual one,
    `webapp.store.boxes.sure_from`). `finished_at` is the time of its end; `given_up`: it ended without a
    result (`webapp.games.score_sheet.game_state`). `version` grows with every change of anything in
    it, so that other devices know when to reload."""

    __tablename__ = "game"
    __table_args__ = (Index("ix_game_created_at", "created_at"),)
    game: Mapped[str] = mapped_column(Text(32), default="mapmasters")
    deck: Mapped[str] = mapped_column(default="")
    title: Mapped[str] = mapped_column(default="")
    location: Mapped[str] = mapped_column(default="")
    notes: Mapped[str] = mapped_column(default="")
    settings: Mapped[dict[str, Any]] = mapped_column(default=dict)
    certainty: Mapped[float | None] = mapped_column(default=None)
    version: Mapped[int] = mapped_column(Whole(1), default=1)
    finished_at: Mapped[datetime | None] = mapped_column(default=None)
    given_up: Mapped[bool] = mapped_column(default=False)
    seats: Mapped[list[Seat]] = relationship(back_populates="game", order_by="Seat.position")
    rounds: Mapped[list[GameRound]] = relationship(back_populates="game", order_by="GameRound.number")


class Seat(Base):
    """A player in a game. `name` is as written for this game; `position` is the seating order from 0."""

    __tablename__ = "seat"
    __table_args__ = (UniqueConstraint("game_id", "position"),)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), index=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id"), index=True)
    position: Mapped[int] = mapped_column(Whole(0, _MOST_PLACES))
    name: Mapped[str]
    colour: Mapped[str] = mapped_column(Text(16))
    game: Mapped[Game] = relationship(back_populates="seats")
    person: Mapped[Person] = relationship(back_populates="seats")
    entries: Mapped[list[Entry]] = relationship(back_populates="seat")


class GameRound(Base):
    """A round: its objectives (`terms`, by ids of the game's terms), whether the hourglass is used, and
    whether people stated that no player was first. `checklist` has the completed steps of its end (step key
    to true)."""

    __tablename__ = "game_round"
    __table_args__ = (UniqueConstraint("game_id", "number"),)
    game_id: Mapped[str] = mapped_column(ForeignKey("game.id"), index=True)
    number: Mapped[int] = mapped_column(Whole(1, _MOST_PLACES))
    terms: Mapped[dict[str, Any]] = mapped_column(default=dict)
    hourglass: Mapped[bool] = mapped_column(default=False)
    nobody_first: Mapped[bool] = mapped_column(default=False)
    checklist: Mapped[dict[str, Any]] = mapped_column(default=dict)
    #: Loaded eagerly: it is usually in the session already, and its game determines the rules.
    game: Mapped[Game] = relationship(back_populates="rounds", lazy="immediate")
    entries: Mapped[list[Entry]] = relationship(back_populates="round")


class Entry(Base):
    """A player's round. `scores` are the boxes of the score sheet by column; missing ones are unknown. With
    `typed` a person wrote them, and no ruling overwrites them; otherwise they follow the ruling of `tableau`.
    `terms` are the held means, by ids of the game's terms. `webapp.games.score_sheet` reads both."""

    __tablename__ = "entry"
    __table_args__ = (UniqueConstraint("round_id", "seat_id"),)
    round_id: Mapped[str] = mapped_column(ForeignKey("game_round.id"), index=True)
    seat_id: Mapped[str] = mapped_column(ForeignKey("seat.id"), index=True)
    scores: Mapped[dict[str, Any]] = mapped_column(default=dict)
    time_bonus: Mapped[bool] = mapped_column(default=False)
    typed: Mapped[bool] = mapped_column(default=False)
    terms: Mapped[dict[str, Any]] = mapped_column(default=dict)
    #: Finds on the path that were used after the round, by kind.
    optimizers_used: Mapped[dict[str, Any]] = mapped_column(default=dict)
    round: Mapped[GameRound] = relationship(back_populates="entries", lazy="immediate")
    seat: Mapped[Seat] = relationship(back_populates="entries")
    purchases: Mapped[list[Purchase]] = relationship(back_populates="entry", order_by="Purchase.sequence")
    tableau: Mapped[Tableau | None] = relationship(back_populates="entry", uselist=False)


class Purchase(InOrder, Base):
    """Coins spent in the market: `kind` is a ware of the game's, or `other`, `what` its name."""

    __tablename__ = "purchase"
    entry_id: Mapped[str] = mapped_column(ForeignKey("entry.id"), index=True)
    kind: Mapped[str] = mapped_column(Text(16))
    what: Mapped[str] = mapped_column(default="")
    coins: Mapped[int] = mapped_column(Whole(0, MOST_COINS), default=0)
    entry: Mapped[Entry] = relationship(back_populates="purchases")


class Photo(Base):
    """An original photo, byte for byte as received. Its id is the SHA-256 of its bytes, and its file is
    stored under that name."""

    __tablename__ = "photo"
    id: Mapped[str] = mapped_column(Sha256, primary_key=True)
    media_type: Mapped[str] = mapped_column(Text(32))
    width: Mapped[int] = mapped_column(Whole(1))
    height: Mapped[int] = mapped_column(Whole(1))
    size_bytes: Mapped[int] = mapped_column(Whole(1))


class Tableau(Base):
    """The cards in front of one player, of the deck `deck`, with the photos taken of them; in a game, or
    alone (`entry_id` None). A tableau alone has its own means and rules, `terms` by the ids of the game's
    terms.

    `shot_id` is the photo whose reading is in use. `record` is the current tableau (docs/FORMATS.md, section
    2) including corrections, and None until a photo has been read. `answered` names the questions of that
    reading that people have settled; `ruling` and `sure` follow from them.

    `late_shot_id` is a reading that came after the game was finished: it is pending until a person accepts or
    rejects it.
    """

    __tablename__ = "tableau"
    __table_args__ = (Index("ix_tableau_created_at", "created_at"),)
    game: Mapped[str] = mapped_column(Text(32), default="mapmasters")
    deck: Mapped[str] = mapped_column(default="")
    entry_id: Mapped[str | None] = mapped_column(ForeignKey("entry.id"), unique=True, default=None)
    title: Mapped[str] = mapped_column(default="")
    notes: Mapped[str] = mapped_column(default="")
    terms: Mapped[dict[str, Any]] = mapped_column(default=dict)
    shot_id: Mapped[str | None] = mapped_column(Id, default=None)
    late_shot_id: Mapped[str | None] = mapped_column(Id, default=None)
    record: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    #: Ids of the record's cards for searching, each between line breaks.
    cards: Mapped[str] = mapped_column(default="")
    answered: Mapped[list[Any]] = mapped_column(default=list)
    ruling: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    sure: Mapped[bool] = mapped_column(default=False)
    #: Grows with every change, so that pages know when to reload.
    version: Mapped[int] = mapped_column(Whole(1), default=1)
    entry: Mapped[Entry | None] = relationship(back_populates="tableau")
    shots: Mapped[list[Shot]] = relationship(
        back_populates="tableau",
        order_by="Shot.sequence",
        primaryjoin="and_(Tableau.id == Shot.tableau_id, Shot.reread_of.is_(None))",
    )
    revisions: Mapped[list[Revision]] = relationship(back_populates="tableau", order_by="Revision.number")
    claims: Mapped[list[Claim]] = relationship(back_populates="tableau", order_by="Claim.sequence")

    @validates("record")
    def _name_cards(self, _column: str, record: dict[str, Any] | None) -> dict[str, Any] | None:
        """SQLAlchemy validator that updates `cards` for searching whenever the record changes."""
        self.cards = cards_named(record)
        return record


class Shot(InOrder, Base):
    """One photo of a tableau with its reading. `client_key` is chosen by the device, so that a photo sent
    twice is stored once. `reading` is the encoding of the scan before any ruling
    (`waymark.review.pipeline.encode_reading`). It never changes, except when a photo that was read together
    with it is removed.

    A photo of a shared table may be of the same turn as an earlier one (`beside`), which may itself belong to
    another one: all of them are read together.

    After a person corrected the cards, the ink of the same photo is read again with the cards as `given`
    (`vision.reader`). That reading is a separate row, whose `reread_of` names the first one.
    """

    __tablename__ = "shot"
    tableau_id: Mapped[str] = mapped_column(ForeignKey("tableau.id"), index=True)
    photo_id: Mapped[str] = mapped_column(ForeignKey("photo.id"), index=True)
    client_key: Mapped[str | None] = mapped_column(Text(64), unique=True, default=None)
    filename: Mapped[str] = mapped_column(default="")
    state: Mapped[str] = mapped_column(Text(16, get_args(ShotState)), default="waiting", index=True)
    stage: Mapped[str] = mapped_column(Text(16), default="")
    attempts: Mapped[int] = mapped_column(default=0)
    #: {"code", "en", "ja"}, if the state is failed.
    error: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    reading: Mapped[bytes | None] = mapped_column(LargeBinary, default=None, deferred=True)
    reread_of: Mapped[str | None] = mapped_column(Id, default=None)
    given: Mapped[list[Any] | None] = mapped_column(default=None)
    beside: Mapped[str | None] = mapped_column(Id, default=None)
    tableau: Mapped[Tableau] = relationship(back_populates="shots")
    photo: Mapped[Photo] = relationship()


class Errand(Base):
    """A background job of a tableau that needs a reading process: `kind` is the type of job, `given` its
    input. It runs step by step; `outcome` is the result so far (`webapp.tableaus.jobs`). One job of a player
    (`whose`: a person, or a tableau outside games) runs at a time.

    Like leases, jobs are not part of the log."""

    __tablename__ = "errand"
    tableau_id: Mapped[str] = mapped_column(ForeignKey("tableau.id"), index=True)
    whose: Mapped[str] = mapped_column(Id, index=True)
    kind: Mapped[str] = mapped_column(Text(16, get_args(ErrandKind)))
    given: Mapped[dict[str, Any]] = mapped_column(default=dict)
    state: Mapped[str] = mapped_column(Text(16, get_args(ShotState)), default="waiting", index=True)
    attempts: Mapped[int] = mapped_column(default=0)
    #: {"code", "en", "ja"}, if the state is failed.
    error: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    outcome: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    tableau: Mapped[Tableau] = relationship()


class Lease(Base):
    """A lease on a photo (id of its shot) or an errand (its id): `holder` (`webapp.scans.leases.Leases`) has
    it until `until`. Both are None once the work is done or returned to the queue.

    `claimed_at` is used for fair scheduling; `interruptions` counts interrupted readings without the photo's
    fault. Rows that are no longer needed are removed. They are not part of the log, since they are of no use
    to another table."""

    __tablename__ = "lease"
    holder: Mapped[str | None] = mapped_column(default=None)
    until: Mapped[datetime | None] = mapped_column(default=None)
    claimed_at: Mapped[datetime] = mapped_column(default=now, index=True)
    interruptions: Mapped[int] = mapped_column(default=0)


class Revision(InOrder, Base):
    """One change of a tableau's record, with the resulting record. Number 0 is the reading itself. Revisions
    are never changed or removed: `before` is the number of the previous revision, to which undo returns. Undo
    and redo add a revision that `repeats` an earlier one."""

    __tablename__ = "revision"
    __table_args__ = (UniqueConstraint("tableau_id", "number"),)
    tableau_id: Mapped[str] = mapped_column(ForeignKey("tableau.id"), index=True)
    number: Mapped[int]
    kind: Mapped[str] = mapped_column(Text(16, get_args(RevisionKind)))
    shot_id: Mapped[str | None] = mapped_column(Id, default=None)
    record: Mapped[dict[str, Any]]
    answered: Mapped[list[Any]] = mapped_column(default=list)
    #: For a board: the facts stated with it, a turn's player and claims, corrections by touch. For a shared
    #: table, with a photo: the questions open before it.
    told: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    #: House rules of a tableau outside games; None for one in a game, which has the rules.
    settings: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    before: Mapped[int | None] = mapped_column(default=None)
    repeats: Mapped[int | None] = mapped_column(default=None)
    tableau: Mapped[Tableau] = relationship(back_populates="revisions")


class Claim(InOrder, Base):
    """A player's claim about a ruling, with a claimed path, or with an assumption (`assumes`: a key of
    `waymark.review.tableau.counterfactuals`); None: in words only.

    `basis` is the state that the claim refers to, `webapp.disputes.claims.Basis`. `accepted_at` is the time
    of the table's agreement, by the revision with the id `accepted_revision` (None: by a house rule)."""

    __tablename__ = "claim"
    tableau_id: Mapped[str] = mapped_column(ForeignKey("tableau.id"), index=True)
    who: Mapped[str]
    words: Mapped[str] = mapped_column(default="")
    record: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    assumes: Mapped[str | None] = mapped_column(default=None)
    basis: Mapped[dict[str, Any] | None] = mapped_column(default=None)
    accepted_at: Mapped[datetime | None] = mapped_column(default=None)
    accepted_revision: Mapped[str | None] = mapped_column(default=None)
    tableau: Mapped[Tableau] = relationship(back_populates="claims")


class Change(InOrder, Base):
    """A row of the journal: the values that a change overwrote, for undo. `before` and `after` hold the
    changed columns only."""

    __tablename__ = "change"
    noun: Mapped[str] = mapped_column(Text(32), index=True)
    noun_id: Mapped[str] = mapped_column(Id, index=True)
    before: Mapped[dict[str, Any]]
    after: Mapped[dict[str, Any]]


class Digest(Base):
    """Summary of a game, cached for lists and statistics: its `id` is the game's. It is valid for one
    `version` of the game and one version of the code (`made_by`). It can be computed again at any time
    (`webapp.games.digests`)."""

    __tablename__ = "digest"
    version: Mapped[int] = mapped_column(Whole(1))
    made_by: Mapped[str] = mapped_column(Text(64))
    content: Mapped[bytes]


constrain(Base.metadata)
