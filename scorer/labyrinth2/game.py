"""Labyrinth 2 as `scorer.game` asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from scorer.board_record import Board, bad_record, board_from, board_on_table
from scorer.catalogue import Catalogue
from scorer.game import (
    Choice,
    Game,
    Grid,
    Laying,
    LineHabits,
    Reason,
    Report,
    RuledDoubt,
    Term,
    ToldStep,
    Turn,
    TypedGame,
    Vocabulary,
    choose_by_worth,
    unknown_term,
)
from scorer.house_what_ifs import HouseWhatIfs
from scorer.json_faults import json_fault
from scorer.labyrinth2 import telling
from scorer.labyrinth2.board_ruling import BoardRuling, rule_board
from scorer.labyrinth2.checking import GRID, check_board
from scorer.labyrinth2.house import SETTINGS, House, house_of
from scorer.labyrinth2.pieces import SIDE, Pieces, pieces_of
from scorer.labyrinth2.sheet import Sheet
from scorer.labyrinth2.table import table_of
from scorer.labyrinth2.turn_record import turn_told
from scorer.labyrinth2.turn_ruling import TurnRuling, rule_turn
from scorer.record import Record
from scorer.text import Text

#: The open tile set, which calibration/open_tiles draws.
BUNDLED = Path(__file__).parent / "catalogue"

_CHOSEN = {
    "only_legal": Text("Only one reading can be.", "ありうる読み取りは一つだけです。"),
    "same_score": Text("All readings come to the same.", "どの読み取りでも同じことになります。"),
    "asked": Text("The readings come to different things.", "読み取りによって結果が変わります。"),
}
_SETTINGS: dict[str, tuple[Text, Text]] = {
    "reverse": (
        Text("Undoing the last push", "直前の押し戻し"),
        Text(
            "any: nobody pushes a tile back in where the last push let it out; others: only other players' "
            "pushes are not undone.",
            "any: 直前にタイルが出たところからは誰も押せません。others: ほかの人の直後だけ押せません。",
        ),
    ),
    "pushed_chip": (
        Text("A treasure pushed off the board", "押し出された宝"),
        Text(
            "entered: it goes onto the tile just entered; spare: it stays on its tile.",
            "entered: 入ったタイルに移します。spare: タイルに載せたままにします。",
        ),
    ),
    "round_trip": (
        Text("Out and back counts as a walk", "往復も移動と数える"),
        Text(
            "On: who stands on a treasure may take it by walking out and back.",
            "オン: 宝の上にいる人は、行って戻れば取れます。",
        ),
    ),
    "take": (
        Text("Taking a treasure", "宝を取る"),
        Text(
            "must: who stops on a treasure that may be taken takes it; may: it may be left.",
            "must: 取れる宝の上で止まったら必ず取ります。may: 取らなくてもかまいません。",
        ),
    ),
    "front": (
        Text("The dragon's front", "ドラゴンの正面"),
        Text(
            "any: it looks through any tile before it; open: only through one open to it.",
            "any: 正面のタイルの向きを問いません。open: 開いているときだけ見えます。",
        ),
    ),
    "same_tile": (
        Text("A gargoyle's own tile", "ガーゴイルと同じタイル"),
        Text(
            "nearer: it is nearer than the next tile; even: as near.",
            "nearer: 隣のタイルより近いとします。even: 同じ近さとします。",
        ),
    ),
    "empty_handed": (
        Text("Explorers without a treasure", "宝のない探検家"),
        Text(
            "shields: they shield those behind; passed_over: the nearest with a treasure fights.",
            "shields: 後ろの人の盾になります。passed_over: 宝を持つ一番近い人が戦います。",
        ),
    ),
}


def _term(name: str) -> Term:
    values, (label, explanation) = SETTINGS[name], _SETTINGS[name]
    if values == (False, True):
        return Term(name, "flag", "house", label, explanation, usual=False)
    return Term(name, "choice", "house", label, explanation, choices=values, usual=values[0])


def _game() -> Game:
    return GAME


@dataclass(frozen=True)
class Laid:
    """A board record whose pieces were looked up."""

    pieces: Pieces
    board: Board


class Turns:
    """`scorer.game.Turns`. A turn stays as it was told until its catalogue is there."""

    def parse(self, data: bytes) -> dict[str, Any]:
        try:
            told: dict[str, Any] = msgspec.json.decode(data, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise bad_record(json_fault(error, data)) from error
        return told

    def terms_of(self, turn: Mapping[str, Any], terms: House) -> House:
        before = turn.get("before")
        house = before.get("house") if isinstance(before, dict) else None
        return _with_house(terms, house if isinstance(house, dict) else {})

    def referee(self, catalogue: Catalogue, turn: Mapping[str, Any], terms: House) -> TurnRuling:
        pieces = pieces_of(catalogue)
        return rule_turn(turn_told(turn, pieces), pieces, terms)

    def steps(self, ruling: TurnRuling) -> Sequence[ToldStep]:
        return telling.turn_steps(ruling)

    def why(self, ruling: TurnRuling) -> Reason:
        return telling.turn_why(ruling)

    def report(self, ruling: TurnRuling) -> Report:
        return telling.turn_report(ruling)


def _with_house(terms: House, told: Mapping[str, Any]) -> House:
    """Settings with those that a record tells in their place."""
    return house_of(msgspec.to_builtins(terms) | dict(told))


class Labyrinth2:
    """`scorer.game.Game`."""

    id = "labyrinth2"
    mode = ""
    name = Text("Labyrinth 2", "ラビリンス 2")
    vocabulary = Vocabulary(
        words={
            "treasure": Text("treasure", "宝"),
            "coin": Text("coin", "コイン"),
            "dragon": Text("dragon", "ドラゴン"),
            "explorer": Text("explorer", "探検家"),
            "gargoyle": Text("gargoyle", "ガーゴイル"),
        }
    )
    laying = Laying(grid=Grid(SIDE, SIDE))
    habits = LineHabits(drawn=False)
    terms = tuple(_term(name) for name in SETTINGS)
    sheet = Sheet()
    what_ifs = HouseWhatIfs(_game)
    record_type = Board
    verdict_type = BoardRuling
    scan_key: Literal["tableau", "board"] = "board"
    bundled: Path | None = BUNDLED
    market = None
    payments = None
    notation = None
    turns = Turns()
    groups = None

    def parse_record(self, data: bytes) -> Board:
        try:
            told = msgspec.json.decode(data, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise bad_record(json_fault(error, data)) from error
        return board_from({"grid": msgspec.to_builtins(GRID)} | told)

    def from_photo(self, catalogue: Catalogue, tableau: Record) -> Board:
        return board_on_table(tableau, catalogue, GRID)

    def make_terms(self, values: Mapping[str, Any]) -> House:
        for name in values:
            if name not in SETTINGS:
                raise unknown_term(GAME, name)
        return house_of(values)

    def term_values(self, terms: House) -> dict[str, Any]:
        told: dict[str, Any] = msgspec.to_builtins(terms)
        return told

    def terms_of(self, record: Board, terms: House) -> House:
        return _with_house(terms, record.house)

    def with_terms(self, record: Board, terms: House) -> Board:
        return msgspec.structs.replace(record, house=self.term_values(terms))

    def board(self, catalogue: Catalogue, record: Board) -> Laid:
        pieces = pieces_of(catalogue)
        return Laid(pieces, check_board(record, pieces))

    def referee(self, board: Laid, record: Board, terms: House) -> BoardRuling:
        return rule_board(table_of(record, board.pieces, terms))

    def worth(self, verdict: BoardRuling) -> bytes:
        return msgspec.json.encode(verdict)

    def outcome(self, verdict: BoardRuling) -> bytes:
        return msgspec.json.encode(verdict)

    def reach(self, verdict: BoardRuling) -> int:
        return len(verdict.reach) + len(verdict.watch)

    def why(self, verdict: BoardRuling) -> Reason:
        return telling.board_why(verdict)

    def turn(self, record: Board, verdict: BoardRuling) -> Turn:
        return Turn(None, None, self.why(verdict))

    def steps(self, board: Laid, verdict: BoardRuling, *, with_ids: bool = True) -> tuple[ToldStep, ...]:
        return telling.board_steps(verdict)

    def without_ids(self, board: Laid, record: Board, verdict: BoardRuling) -> BoardRuling:
        return verdict

    def tallies(self, board: Laid, verdict: BoardRuling) -> tuple[()]:
        return ()

    def report(self, verdict: BoardRuling) -> Report:
        return telling.board_report(verdict)

    def backwards(self, record: Board) -> Board | None:
        return None

    def choose(self, verdicts: Sequence[BoardRuling]) -> Choice:
        return choose_by_worth(verdicts, self.worth, _CHOSEN)

    def chosen(self, verdict: BoardRuling, choice: Choice, *, turned: bool = False) -> BoardRuling:
        return verdict

    def doubts(self, board: Laid, record: Board, verdict: BoardRuling) -> Iterator[RuledDoubt]:
        """A thing is sooner misread than laid out against the rules."""
        if verdict.problems:
            first = verdict.problems[0]
            yield RuledDoubt("broken-rule", "", Text(first.message, first.message_ja))

    def discord(self, board: Laid, record: Board, verdict: BoardRuling) -> tuple[()]:
        """Nobody draws on the tiles."""
        return ()


GAME: TypedGame[Board, Laid, House, BoardRuling] = Labyrinth2()
