"""JSON of a board, in the reader's language. Cells are [column, row] from the top left; points of the photo
are in its pixels, x right, y down."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

Cell = tuple[int, int]
Px = tuple[float, float]


class LyingTile(msgspec.Struct, frozen=True, kw_only=True):
    """A tile on the board; `art` names the piece whose picture is shown, None where it is unknown."""

    art: str | None
    cell: Cell | None
    rotation: int
    up: bool
    at: str | None = None


class StandingPiece(msgspec.Struct, frozen=True, kw_only=True):
    """A piece on the grid; `kind` (disc or figure) selects its drawing."""

    art: str | None
    cell: Cell
    kind: str
    facing: str | None


class BoardTrace(msgspec.Struct, frozen=True, kw_only=True):
    """The trace of a turn: `kind` push, walk, take or wrong; `points` in cells (whole numbers are corners),
    `px` the same points in photo pixels."""

    kind: str
    points: tuple[tuple[float, float], ...]
    label: str
    px: tuple[Px, ...] = ()


class BoardBeside(msgspec.Struct, frozen=True, kw_only=True):
    """A separate board beside the tiles, named by its art, with the pieces on its spaces."""

    art: str
    name: str
    columns: int
    rows: int
    pieces: tuple[StandingPiece, ...]


class BoardPicture(msgspec.Struct, frozen=True, kw_only=True):
    """Drawing of the board with all pieces. `ground` is rotated art under transparent tiles; `arrows` are the
    places where tiles are pushed in."""

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
    """Number of things of one kind that a player holds."""

    what: str
    name: str
    count: int


class ToldFact(msgspec.Struct, frozen=True, kw_only=True):
    """A fact about the game, with its subject; `art` lists the pieces that the words name, in order."""

    about: str
    words: str
    art: tuple[str, ...] = ()


class PlayerOnBoard(msgspec.Struct, frozen=True, kw_only=True):
    """A player: the things before them, their current score (None: unknown) and rank. `told` holds further
    facts of the record."""

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
    """A fault of a board, with its location."""

    words: str
    cells: tuple[Cell, ...]


class FormField(msgspec.Struct, frozen=True, kw_only=True):
    """One field of a step's form: `kind` is cell, arrow, rotation, choice, things or count. `choices` are ids
    with their `words`; `likely` are cells that the rules allow. `lies`, `by` and `choices_by` are as in
    `scorer.turn_forms.StepField`."""

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
    """The form of a step that may come next in a turn; `lead` marks the one to offer first. Not `possible`:
    the step would break a rule now, whatever its fields."""

    id: str
    label: str
    fields: tuple[FormField, ...]
    lead: bool
    possible: bool


class RuledTurn(msgspec.Struct, frozen=True, kw_only=True):
    """The ruling of a turn: `legal` is None where it is undecided. `why` is the rule in words, `says` the
    actions, and `notes` further remarks (open obligations, contradictions with a photo)."""

    player: str
    legal: bool | None
    why: str
    says: tuple[str, ...]
    notes: tuple[str, ...]
    traces: tuple[BoardTrace, ...]


class TurnTrial(msgspec.Struct, frozen=True, kw_only=True):
    """A partly stated turn: its ruling (None without any step), the resulting board, the possible next steps,
    and whether it may be saved."""

    ruling: RuledTurn | None
    picture: BoardPicture
    forms: tuple[TurnForm, ...]
    done: bool


class AskedOption(msgspec.Struct, frozen=True, kw_only=True):
    """An answer to a question; `art` and `rotation` (as in the photo) describe the resulting piece or
    rotation. `cell` is the cell that it names, labelled with the letter `mark` in the photo. `empty`: nothing
    is there."""

    words: str
    art: str | None
    rotation: int
    cell: Cell | None = None
    mark: str = ""
    empty: bool = False


class AskedPiece(msgspec.Struct, frozen=True, kw_only=True):
    """A piece that a question is about."""

    art: str
    name: str


class BoardAsked(msgspec.Struct, frozen=True, kw_only=True):
    """A question about a photo; `kind` is its reason, `pieces` are the pieces it names. Without options a
    person must correct the board by touch. A question about a position accepts any cell, and the piece `put`
    is placed there. Things of `player` are corrected with that player. `needed`: the turn's ruling hangs on
    it, or there is no turn. `places` are the cells of a question about several."""

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
    needed: bool = True
    places: tuple[Cell, ...] = ()


class SeenPiece(msgspec.Struct, frozen=True, kw_only=True):
    """A piece found in a photo, and whether the board has it there (`counts`)."""

    art: str
    at: Px
    counts: bool = True


class SeenBoard(msgspec.Struct, frozen=True, kw_only=True):
    """A photo with its reading: outlines of `cells` row by row, and positions of pieces. `quarters` is the
    board's clockwise rotation in the photo, in quarter turns. `doubtful` are the cells to be looked at first
    by who looks the board over."""

    photo_id: str
    width: int
    height: int
    cells: tuple[tuple[Px, ...], ...]
    pieces: tuple[SeenPiece, ...]
    warnings: tuple[str, ...]
    quarters: int = 0
    doubtful: tuple[Cell, ...] = ()


class PendingPhoto(msgspec.Struct, frozen=True, kw_only=True):
    """A photo that nobody has accepted or rejected. `turn` is the turn since the previous board; None where
    undetermined. `sure`: no doubt about the photo affects the turn. `steps` are those shown by the photo, in
    games with step-by-step turns."""

    shot_id: str
    seen: SeenBoard
    questions: tuple[BoardAsked, ...]
    turn: RuledTurn | None
    sure: bool
    steps: tuple[dict[str, Any], ...] = ()


class TakenTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A completed turn; `number` counts from 1."""

    number: int
    ruling: RuledTurn
    photo_id: str | None
    at: datetime


class BoardSaid(msgspec.Struct, frozen=True, kw_only=True):
    """A player's claim against a turn or the board; `wants` is words, back (undo the turn) or record (another
    board)."""

    id: str
    who: str
    words: str
    wants: str
    accepted: bool


class PieceChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A selectable piece of the deck; `kind` is as in the catalogue."""

    id: str
    name: str
    kind: str
    copies: int
    standing: bool


class BoardView(msgspec.Struct, frozen=True, kw_only=True):
    """A board with everything that its page shows. `begins` names the first player and the reason, until a
    turn was taken. `over`: the game has ended; `ended`: by a person's statement. `may_deal`: a random layout
    can be drawn. `art` is the URL prefix of a piece's picture."""

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
    """The best move of the player to move; None where it cannot be computed."""

    words: str | None
