"""Labyrinth 2 as `scorer.game` asks for it."""

from __future__ import annotations

from pathlib import Path

from scorer.board_game import BoardGame, Laid, Words
from scorer.board_record import Board
from scorer.game import TypedGame
from scorer.labyrinth2 import messages
from scorer.labyrinth2.board_ruling import BoardRuling, rule_board
from scorer.labyrinth2.enrolment_spec import ASKED
from scorer.labyrinth2.house import House
from scorer.labyrinth2.pieces import pieces_of
from scorer.labyrinth2.position import arrow_at, ways
from scorer.labyrinth2.sheet import Sheet
from scorer.labyrinth2.table import table_of
from scorer.labyrinth2.turn_forms import Labyrinth2Table
from scorer.labyrinth2.turn_record import turn_told
from scorer.labyrinth2.turn_ruling import rule_turn
from scorer.labyrinth2.validation import GAME as WORD
from scorer.labyrinth2.validation import GRID, NAME, check_board
from scorer.text import Text
from scorer.vocabulary import Vocabulary

#: The open tile set, which calibration/decks/labyrinth2 draws.
BUNDLED = Path(__file__).parent / "catalogue"

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

GAME: TypedGame[Board, Laid, House, BoardRuling] = BoardGame(
    id=WORD,
    name=NAME,
    vocabulary=Vocabulary(
        words={
            "tile": Text("tile", "タイル"),
            "treasure": Text("treasure", "宝"),
            "coin": Text("coin", "コイン"),
            "dragon": Text("dragon", "ドラゴン"),
            "explorer": Text("explorer", "探検家"),
            "gargoyle": Text("gargoyle", "ガーゴイル"),
        }
    ),
    grid=GRID,
    house=House,
    house_words=_SETTINGS,
    sheet=Sheet(),
    verdict_type=BoardRuling,
    words=Words(
        board_steps=messages.board_steps,
        board_why=messages.board_why,
        board_report=messages.board_report,
        turn_steps=messages.turn_steps,
        turn_why=messages.turn_why,
        turn_report=messages.turn_report,
    ),
    pieces_of=pieces_of,
    check=check_board,
    rule=lambda board, pieces, house: rule_board(table_of(board, pieces, house)),
    turn_told=turn_told,
    rule_turn=rule_turn,
    table=Labyrinth2Table(),
    bundled=BUNDLED,
    spare_at=arrow_at,
    ways=ways(),
    always=lambda pieces: [name for name, role in pieces.figures.items() if role in ("gargoyle", "dragon")],
    asked=ASKED,
)
