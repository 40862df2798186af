"""JSON of a board, in the reader's language. Cells are [column, row] from the top left; points of the photo
are in its pixels, x right, y down."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

Cell = tuple[int, int]
Px = tuple[float, float]


class LyingTile(msgspec.Struct, frozen=True, kw_only=True):
    """A tile: `art` is the piece whose picture is shown, None where it is not known."""

    art: str | None
    cell: Cell | None
    rotation: int
    up: bool
    at: str | None = None


class StandingPiece(msgspec.Struct, frozen=True, kw_only=True):
    """A piece on the grid; `kind` is disc or figure, as it is drawn."""

    art: str | None
    cell: Cell
    kind: str
    facing: str | None


class BoardTrace(msgspec.Struct, frozen=True, kw_only=True):
    """What a turn did: `kind` push, walk, take or wrong; `points` in cells (whole numbers are corners), `px`
    the same in the photo."""

    kind: str
    points: tuple[tuple[float, float], ...]
    label: str
    px: tuple[Px, ...] = ()


class BoardBeside(msgspec.Struct, frozen=True, kw_only=True):
    """A board that lies beside the one of tiles, by its art, with what lies on its spaces."""

    art: str
    name: str
    columns: int
    rows: int
    pieces: tuple[StandingPiece, ...]


class BoardPicture(msgspec.Struct, frozen=True, kw_only=True):
    """What lies and stands where, to be drawn. `ground` is art under the tiles, turned so, which are clear;
    `arrows` are the places at which tiles go in."""

    columns: int
    rows: int
    tiles: tuple[LyingTile, ...]
    spare: tuple[LyingTile, ...]
    pieces: tuple[StandingPiece, ...]
    ground: str | None
    ground_rotation: int
    arrows: tuple[str, ...]
    beside: tuple[BoardBeside, ...]


class HeldThing(msgspec.Struct, frozen=True, kw_only=True):
    """How many of a thing a player has."""

    what: str
    name: str
    count: int


class ToldFact(msgspec.Struct, frozen=True, kw_only=True):
    """What is so, and what it is about; `art`: pieces that the words name, in their order."""

    about: str
    words: str
    art: tuple[str, ...] = ()


class PlayerOnBoard(msgspec.Struct, frozen=True, kw_only=True):
    """A player: what lies before them, what it is worth so far (None: not known), which place that is. `told`
    is what else the record has of them."""

    name: str
    colour: str
    piece: str | None
    holds: tuple[HeldThing, ...]
    hand: int | None
    told: tuple[ToldFact, ...]
    columns: tuple[ToldFact, ...]
    total: int | None
    rank: int | None


class BoardFault(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with a board, and where."""

    words: str
    cells: tuple[Cell, ...]


class FormField(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a step tells: `kind` cell, arrow, rotation, choice, things or count. `choices` are ids,
    called by `words`; `likely` are cells that go by the rules. `lies`, `by` and `choices_by` as
    `scorer.turn_forms.StepField` has them."""

    id: str
    label: str
    kind: str
    choices: tuple[str, ...]
    words: dict[str, str]
    likely: tuple[Cell, ...] | None
    tile: str | None
    lies: str
    by: str
    choices_by: dict[str, tuple[str, ...]]
    optional: bool


class TurnForm(msgspec.Struct, frozen=True, kw_only=True):
    """A step of a turn that can be told next; `lead`: it is the one to ask for; not `possible`: it would
    break a rule now, however it is told."""

    id: str
    label: str
    fields: tuple[FormField, ...]
    lead: bool
    possible: bool


class RuledTurn(msgspec.Struct, frozen=True, kw_only=True):
    """What a turn came to: `legal` None where nothing can be said; `why` is the rule in words, `says` what
    was done, `notes` what else is to be known (what is still owed, what a photo shows otherwise)."""

    player: str
    legal: bool | None
    why: str
    says: tuple[str, ...]
    notes: tuple[str, ...]
    traces: tuple[BoardTrace, ...]


class TurnTrial(msgspec.Struct, frozen=True, kw_only=True):
    """A turn as far as it was told: its ruling (None while nothing was told), the board then, what can be
    told next, and whether it can be taken so."""

    ruling: RuledTurn | None
    picture: BoardPicture
    forms: tuple[TurnForm, ...]
    done: bool


class AskedOption(msgspec.Struct, frozen=True, kw_only=True):
    """An answer; `art` and `rotation` (as the photo shows it) are what lies there then, where that is a piece
    or a turn. `cell` is the one that it names, which the photo shows with the letter `mark`."""

    words: str
    art: str | None
    rotation: int
    cell: Cell | None = None
    mark: str = ""


class AskedPiece(msgspec.Struct, frozen=True, kw_only=True):
    """A piece that a question names."""

    art: str
    name: str


class BoardAsked(msgspec.Struct, frozen=True, kw_only=True):
    """A question about a photo; `kind` is the word of its reason, `pieces` are those that it names. Without
    options somebody has to look, and to put it right by touch. Where it asks for a place, any cell is an
    answer: the piece `put` comes to stand there. What `player` has is put right with that player."""

    name: str
    about: str
    kind: str
    words: str
    cell: Cell | None
    crop_px: tuple[int, int, int, int] | None
    options: tuple[AskedOption, ...]
    pieces: tuple[AskedPiece, ...] = ()
    put: str | None = None
    player: str | None = None


class SeenPiece(msgspec.Struct, frozen=True, kw_only=True):
    art: str
    at: Px


class SeenBoard(msgspec.Struct, frozen=True, kw_only=True):
    """A photo with what was read over it: outlines of `cells` row by row, where pieces stand; by how many
    `quarters` clockwise the board's top is turned in it."""

    photo_id: str
    width: int
    height: int
    cells: tuple[tuple[Px, ...], ...]
    pieces: tuple[SeenPiece, ...]
    warnings: tuple[str, ...]
    quarters: int = 0


class PendingPhoto(msgspec.Struct, frozen=True, kw_only=True):
    """A photo that nobody has taken over. `turn` is what was done since the board stood before; None where
    that cannot be said. `sure`: no doubt about the photo changes that. `steps`: what the photo tells of it,
    in games whose turns are told step by step."""

    shot_id: str
    seen: SeenBoard
    questions: tuple[BoardAsked, ...]
    turn: RuledTurn | None
    sure: bool
    steps: tuple[dict[str, Any], ...] = ()


class TakenTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A turn that was taken, `number` from 1."""

    number: int
    ruling: RuledTurn
    photo_id: str | None
    at: datetime


class BoardSaid(msgspec.Struct, frozen=True, kw_only=True):
    """What a player says against a turn or the board; `wants` words, back (the turn is taken back) or record
    (the board reads otherwise)."""

    id: str
    who: str
    words: str
    wants: str
    accepted: bool


class PieceChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of the box, as it is chosen: `kind` as in the catalogue."""

    id: str
    name: str
    kind: str
    copies: int
    standing: bool


class BoardView(msgspec.Struct, frozen=True, kw_only=True):
    """A board with all that its page shows. `begins` says who does, and why, until a turn was taken. `over`:
    the game has ended; `ended`: because people say so.
    `may_deal`: something is to be laid out by chance. `art` is the address before a piece's picture."""

    id: str
    game_id: str | None
    version: int
    title: str
    art: str
    picture: BoardPicture
    to_move: str | None
    players: tuple[PlayerOnBoard, ...]
    says: str
    legal: bool
    faults: tuple[BoardFault, ...]
    facts: tuple[ToldFact, ...]
    may_deal: bool
    may_tell: bool
    over: bool
    ended: bool
    pending: PendingPhoto | None
    turns: tuple[TakenTurn, ...]
    claims: tuple[BoardSaid, ...]
    pieces: tuple[PieceChoice, ...]
    photos: int
    reading: bool
    failed: str
    begins: str = ""
    undo: bool
    redo: bool


class BestMove(msgspec.Struct, frozen=True, kw_only=True):
    """What the player to move could do best; None where nobody can tell."""

    words: str | None
