"""Common implementation of `scorer.game` for games whose records are boards. Each game provides its pieces,
checks, referee and words in one value (`BoardGame`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

import msgspec

from scorer.board_record import Board, Cell, GridSize, bad_record, board_from, board_on_table
from scorer.catalogue import Catalogue, Side
from scorer.enrolment_pieces import AskedPieces
from scorer.game import unknown_term
from scorer.house_counterfactuals import HouseWhatIfs
from scorer.house_settings import house_of, terms_of, values_of
from scorer.infer_turns import SeenTurn, Trust
from scorer.json_faults import json_fault
from scorer.layered import Layers, LayersSeen, LayersTold
from scorer.laying import Grid, Laying, LineHabits
from scorer.record import Record
from scorer.sheet import Sheet
from scorer.terms import Term
from scorer.text import Text, written
from scorer.turn_forms import BoardTable
from scorer.verdict import Choice, Reason, Report, RuledDoubt, ToldStep, Turn, Verdict, choose_by_worth
from scorer.vocabulary import Vocabulary

_CHOSEN = {
    "only_legal": Text("Only one reading can be."),
    "same_score": Text("All readings come to the same."),
    "asked": Text("The readings come to different things."),
}


@dataclass(frozen=True)
class Sight:
    """A piece seen beside a board: its centre in mm in the grid's plane, from the grid's top-left corner. A
    card has a rotation (degrees clockwise; None for a disc). The side is the side of the grid at which the
    piece lies."""

    piece: str
    at_mm: tuple[float, float]
    turn_deg: float | None
    seat: Side


@dataclass(frozen=True)
class Way:
    """A possible rearrangement of a board's tiles by a turn. `moved` maps a cell to the new cell of its tile,
    with everything on it. `out` is the cell whose tile is pushed off the board, and `at` is the game's
    name of its new place. `entry` is the cell that receives the spare tile, with the pieces pushed off.
    Other tiles stay, as do figures of the roles `staying`."""

    moved: Mapping[Cell, Cell] = field(default_factory=dict)
    out: Cell | None = None
    entry: Cell | None = None
    at: str | None = None
    staying: frozenset[str] = frozenset()

    def carried(self, cell: Cell) -> Cell:
        """The cell to which the contents of a cell move."""
        return self.entry if cell == self.out and self.entry is not None else self.moved.get(cell, cell)


@dataclass(frozen=True)
class Laid:
    """A board record with its pieces looked up; `pieces` are of the game's own type."""

    pieces: Any
    board: Board


class Problem(Protocol):
    """A problem of a position, as listed in rulings."""

    @property
    def message(self) -> str: ...
    @property
    def message_ja(self) -> str: ...


class BoardVerdict(Verdict, Protocol):
    """The fields shared by the rulings on a board in all board games; each game adds its own."""

    @property
    def problems(self) -> Sequence[Problem]: ...


@dataclass(frozen=True)
class Words:
    """Functions that put a game's rulings on boards and turns into words. `steps` has one entry for each step
    that `reach` counts."""

    board_steps: Callable[[Any], tuple[ToldStep, ...]]
    board_why: Callable[[Any], Reason]
    board_report: Callable[[Any], Report]
    turn_steps: Callable[[Any], Sequence[ToldStep]]
    turn_why: Callable[[Any], Reason]
    turn_report: Callable[[Any], Report]


def _put_down(before: Board, seen: Board) -> Board:
    """The board as seen in a photo, with each player's earlier holdings where the photo does not show
    them."""
    players = tuple(
        was if now.holds is None else msgspec.structs.replace(was, holds=now.holds)
        for was, now in zip(before.players, seen.players, strict=True)
    )
    return msgspec.structs.replace(seen, players=players, to_move=before.to_move, more=before.more)


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardGame:
    """A game of square tiles on a grid (`scorer.game.Game`).

    `house` is the struct of its settings, and `house_words` their labels and explanations. `pieces_of` looks
    up the pieces of a catalogue, `check` refuses an impossible board, and `rule` gives the ruling on a board.
    `turn_told` decodes a turn, and `rule_turn` gives its ruling. `anywhere` says that pieces may lie off the
    grid. `table` is the game as played at the table, and `asked` are the pieces of a box.

    The other fields are for photos. `spare_at` names the place of a tile beside the end of a line (a side,
    and the line from 0); None if the game has no such place. `always` are pieces that are on every board
    unless a player holds them. `ways` are the possible rearrangements of tiles in a turn.

    `laid_out`, for games whose grid consists of loose pieces, makes the record. Its inputs are the board, the
    pieces seen beside it, the sides in full view, and a record with the players. `layers`, for games with
    clear tiles over a printed ground, gives the further layers of a photo. It is None where photos of a
    catalogue cannot be read. `layered_out` makes their record.

    `put_down` is the board after a photo, given the board before. `seen_turn`, for games whose turns are
    lists of actions, is the likeliest turn of a player between two boards."""

    id: str
    name: Text
    vocabulary: Vocabulary
    grid: GridSize
    house: type[msgspec.Struct]
    house_words: Mapping[str, tuple[Text, Text]]
    sheet: Sheet[Any, Any]
    verdict_type: type[Any]
    words: Words
    pieces_of: Callable[[Catalogue], Any]
    check: Callable[[Board, Any], Board]
    rule: Callable[[Board, Any, Any], Any]
    turn_told: Callable[[Mapping[str, Any], Any], Any]
    rule_turn: Callable[[Any, Any, Any], msgspec.Struct]
    table: BoardTable
    anywhere: bool = False
    bundled: Path | None = None
    spare_at: Callable[[Side, int], str | None] = lambda side, line: None
    always: Callable[[Any], Collection[str]] = lambda pieces: ()
    ways: tuple[Way, ...] = ()
    laid_out: Callable[[Board, Sequence[Sight], Sequence[Side], Any, Board | None], Board] | None = None
    layers: Callable[[Any], Layers | None] | None = None
    layered_out: Callable[[Board, LayersSeen, Any, Board | None], LayersTold] | None = None
    put_down: Callable[[Board, Board], Board] = _put_down
    seen_turn: Callable[[Board, Board, str, Any, Any, Trust], SeenTurn | None] | None = None
    asked: tuple[AskedPieces, ...] = ()

    mode: ClassVar[str] = ""
    record_type: ClassVar[type[Board]] = Board
    scan_key: ClassVar[Literal["tableau", "board"]] = "board"
    habits: ClassVar[LineHabits] = LineHabits(drawn=False)
    market: ClassVar[None] = None
    payments: ClassVar[None] = None
    notation: ClassVar[None] = None
    groups: ClassVar[None] = None

    @property
    def laying(self) -> Laying:
        return Laying(grid=Grid(self.grid.columns, self.grid.rows))

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        return terms_of(self.house, self.house_words)

    @cached_property
    def what_ifs(self) -> HouseWhatIfs:
        return HouseWhatIfs(lambda: self)

    @cached_property
    def turns(self) -> BoardTurns:
        return BoardTurns(self)

    def parse_record(self, data: bytes) -> Board:
        usual = {} if self.anywhere else {"grid": msgspec.to_builtins(self.grid)}
        return board_from(usual | decoded(data), anywhere=self.anywhere)

    def from_photo(self, catalogue: Catalogue, tableau: Record) -> Board:
        return board_on_table(tableau, catalogue, self.grid)

    def make_terms(self, values: Mapping[str, Any]) -> Any:
        for name in values:
            if name not in values_of(self.house):
                raise unknown_term(self, name)
        return house_of(self.house, values)

    def term_values(self, terms: Any) -> dict[str, Any]:
        told: dict[str, Any] = msgspec.to_builtins(terms)
        return told

    def terms_of(self, record: Board, terms: Any) -> Any:
        return self.with_house(terms, record.house)

    def with_house(self, terms: Any, told: Mapping[str, Any]) -> Any:
        """The settings, with those values replaced that a record gives. Raises `WaymarkError`."""
        return house_of(self.house, self.term_values(terms) | dict(told))

    def with_terms(self, record: Board, terms: Any) -> Board:
        return msgspec.structs.replace(record, house=self.term_values(terms))

    def board(self, catalogue: Catalogue, record: Board) -> Laid:
        pieces = self.pieces_of(catalogue)
        return Laid(pieces, self.check(record, pieces))

    def referee(self, board: Laid, record: Board, terms: Any) -> Any:
        return self.rule(record, board.pieces, terms)

    def worth(self, verdict: Any) -> bytes:
        return msgspec.json.encode(verdict)

    def outcome(self, verdict: Any) -> bytes:
        return msgspec.json.encode(verdict)

    def reach(self, verdict: Any) -> int:
        return len(self.words.board_steps(verdict))

    def why(self, verdict: Any) -> Reason:
        return self.words.board_why(verdict)

    def turn(self, record: Board, verdict: Any) -> Turn:
        return Turn(None, None, self.why(verdict))

    def steps(self, board: Laid, verdict: Any, *, with_ids: bool = True) -> tuple[ToldStep, ...]:
        return self.words.board_steps(verdict)

    def without_ids(self, board: Laid, record: Board, verdict: Any) -> Any:
        return verdict

    def tallies(self, board: Laid, verdict: Any) -> tuple[()]:
        return ()

    def report(self, verdict: Any) -> Report:
        return self.words.board_report(verdict)

    def backwards(self, record: Board) -> Board | None:
        return None

    def choose(self, verdicts: Sequence[Any]) -> Choice:
        return choose_by_worth(verdicts, self.worth, _CHOSEN)

    def chosen(self, verdict: Any, choice: Choice, *, turned: bool = False) -> Any:
        return verdict

    def doubts(self, board: Laid, record: Board, verdict: BoardVerdict) -> Iterator[RuledDoubt]:
        """Doubts about problems of a board, since a misread piece is more likely than an illegal
        arrangement."""
        if verdict.problems:
            first = verdict.problems[0]
            yield RuledDoubt("broken-rule", "", written(first.message, first.message_ja))

    def discord(self, board: Laid, record: Board, verdict: Any) -> tuple[()]:
        """Always empty, since nothing is drawn on the tiles of a board game."""
        return ()


@dataclass(frozen=True)
class BoardTurns:
    """The turns of a board game (`scorer.turns.Turns`). A turn stays undecoded until its catalogue is
    available."""

    game: BoardGame

    def parse(self, data: bytes) -> dict[str, Any]:
        return decoded(data)

    def terms_of(self, turn: Mapping[str, Any], terms: Any) -> Any:
        before = turn.get("before")
        house = before.get("house") if isinstance(before, dict) else None
        return self.game.with_house(terms, house if isinstance(house, dict) else {})

    def referee(self, catalogue: Catalogue, turn: Mapping[str, Any], terms: Any) -> msgspec.Struct:
        pieces = self.game.pieces_of(catalogue)
        return self.game.rule_turn(self.game.turn_told(turn, pieces), pieces, terms)

    def steps(self, ruling: Any) -> Sequence[ToldStep]:
        return self.game.words.turn_steps(ruling)

    def why(self, ruling: Any) -> Reason:
        return self.game.words.turn_why(ruling)

    def report(self, ruling: Any) -> Report:
        return self.game.words.turn_report(ruling)


def decoded(data: bytes) -> dict[str, Any]:
    """The JSON object in a byte string. Raises `WaymarkError` (bad-record)."""
    try:
        told: dict[str, Any] = msgspec.json.decode(data, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise bad_record(json_fault(error, data)) from error
    return told
