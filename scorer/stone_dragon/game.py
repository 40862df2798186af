"""Stone Dragon as `scorer.game` asks for it."""

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
    ToldStep,
    Turn,
    TypedGame,
    Vocabulary,
    choose_by_worth,
    unknown_term,
)
from scorer.house_settings import terms_of, values_of
from scorer.house_what_ifs import HouseWhatIfs
from scorer.json_faults import json_fault
from scorer.record import Record
from scorer.stone_dragon import telling
from scorer.stone_dragon.board_ruling import BoardRuling, rule_board
from scorer.stone_dragon.checking import GRID, check_board
from scorer.stone_dragon.house import House, house_of
from scorer.stone_dragon.pieces import SIDE, Pieces, pieces_of
from scorer.stone_dragon.sheet import Sheet
from scorer.stone_dragon.turn_record import turn_told
from scorer.stone_dragon.turn_ruling import TurnRuling, rule_turn
from scorer.text import Text

_CHOSEN = {
    "only_legal": Text("Only one reading can be.", "ありうる読み取りは一つだけです。"),
    "same_score": Text("All readings come to the same.", "どの読み取りでも同じことになります。"),
    "asked": Text("The readings come to different things.", "読み取りによって結果が変わります。"),
}
_SETTINGS: dict[str, tuple[Text, Text]] = {
    "room_search": (
        Text("Searching a room", "部屋の探索"),
        Text(
            "on-entry: a room is searched as it is entered, at no cost; action: searching is an action.",
            "on-entry: 部屋に入ると、アクションを使わずに探索します。action: 探索に 1 アクション使います。",
        ),
    ),
    "turn_under_dragon": (
        Text("Turning the dragon's panel", "ドラゴンのパネルの変更"),
        Text(
            "On: the panel under the dragon may be turned.",
            "オン: ドラゴンのいるパネルの向きも変えられます。",
        ),
    ),
    "turn_entrance": (
        Text("Turning the entrance", "入口パネルの変更"),
        Text("On: the entrance may be turned.", "オン: 入口パネルの向きも変えられます。"),
    ),
    "free_after_last": (
        Text("Free actions at the end", "アクションを使い切った後の行動"),
        Text(
            "On: change, equipment and victory cards are allowed when no action is left.",
            "オン: アクションを使い切った後も、両替・装備の変更・勝利条件カードの公開ができます。",
        ),
    ),
    "curse_takes": (
        Text("What a curse takes", "呪いで失うチップ"),
        Text(
            "equipped: the chip that is equipped; any: else the lowest of its kind in the hand.",
            "equipped: 装備しているチップだけ。any: 装備していなければ手持ちの一番低いチップ。",
        ),
    ),
    "steal_on_counter": (
        Text("Taking a chip when striking back", "反撃で倒したときに奪う"),
        Text(
            "On: who beats the attacker by striking back takes a chip, too.",
            "オン: 反撃で攻撃側を倒したときもチップを奪います。",
        ),
    ),
    "defeat_ends_turn": (
        Text("Beaten in the own turn", "自分の手番で倒されたとき"),
        Text(
            "On: the turn ends then; off: the other actions are still there.",
            "オン: そこで手番が終わります。オフ: 残りのアクションを続けられます。",
        ),
    ),
    "dragon_is_monster": (
        Text("The dragon is a monster", "ドラゴンもモンスター"),
        Text(
            "On: to be beaten by the dragon is to be beaten by a monster.",
            "オン: ドラゴンに倒されたときも、モンスターに倒されたものとします。",
        ),
    ),
    "eloquence_any": (
        Text("Eloquence on others' cards", "雄弁をほかの人のカードに使う"),
        Text(
            "On: any player's card may be swapped; off: only an own one.",
            "オン: 誰のカードでも入れ替えられます。オフ: 自分のカードだけです。",
        ),
    ),
}


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
        return _decoded(data)

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


def _decoded(data: bytes) -> dict[str, Any]:
    try:
        told: dict[str, Any] = msgspec.json.decode(data, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise bad_record(json_fault(error, data)) from error
    return told


def _with_house(terms: House, told: Mapping[str, Any]) -> House:
    """Settings with those that a record tells in their place."""
    return house_of(msgspec.to_builtins(terms) | dict(told))


class StoneDragon:
    """`scorer.game.Game`."""

    id = "stone_dragon"
    mode = ""
    name = Text("Labyrinth of Stone Dragon", "ストーンドラゴンの迷宮")
    vocabulary = Vocabulary(
        words={
            "dragon": Text("dragon", "ドラゴン"),
            "sword": Text("sword", "剣"),
            "shield": Text("shield", "盾"),
            "potion": Text("potion", "ポーション"),
            "coin": Text("coin", "コイン"),
            "life": Text("life", "ライフ"),
        }
    )
    laying = Laying(grid=Grid(SIDE, SIDE))
    habits = LineHabits(drawn=False)
    terms = terms_of(House, _SETTINGS)
    sheet = Sheet()
    what_ifs = HouseWhatIfs(_game)
    record_type = Board
    verdict_type = BoardRuling
    scan_key: Literal["tableau", "board"] = "board"
    bundled: Path | None = None
    market = None
    payments = None
    notation = None
    turns = Turns()

    def parse_record(self, data: bytes) -> Board:
        return board_from({"grid": msgspec.to_builtins(GRID)} | _decoded(data))

    def from_photo(self, catalogue: Catalogue, tableau: Record) -> Board:
        return board_on_table(tableau, catalogue, GRID)

    def make_terms(self, values: Mapping[str, Any]) -> House:
        for name in values:
            if name not in values_of(House):
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
        return rule_board(record, board.pieces, terms)

    def worth(self, verdict: BoardRuling) -> bytes:
        return msgspec.json.encode(verdict)

    def outcome(self, verdict: BoardRuling) -> bytes:
        return msgspec.json.encode(verdict)

    def reach(self, verdict: BoardRuling) -> int:
        return len(verdict.options or {})

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
        """Nobody draws on the panels."""
        return ()


GAME: TypedGame[Board, Laid, House, BoardRuling] = StoneDragon()
