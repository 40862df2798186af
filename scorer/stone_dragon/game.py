"""Stone Dragon as `scorer.game` asks for it."""

from __future__ import annotations

from pathlib import Path

from scorer.board_game import BoardGame, Laid, Words
from scorer.board_record import Board
from scorer.game import TypedGame
from scorer.stone_dragon import messages
from scorer.stone_dragon.board_ruling import BoardRuling, rule_board
from scorer.stone_dragon.enrolment_spec import ASKED
from scorer.stone_dragon.house import House
from scorer.stone_dragon.infer_turn import seen_turn
from scorer.stone_dragon.layout_from_photo import laid_out, put_down
from scorer.stone_dragon.pieces import pieces_of
from scorer.stone_dragon.sheet import Sheet
from scorer.stone_dragon.turn_forms import StoneDragonTable
from scorer.stone_dragon.turn_record import turn_told
from scorer.stone_dragon.turn_ruling import rule_turn
from scorer.stone_dragon.validation import GAME as WORD
from scorer.stone_dragon.validation import GRID, NAME, check_board
from scorer.text import Text
from scorer.vocabulary import Vocabulary

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

#: The open panels, which calibration/decks/stone_dragon draws.
BUNDLED = Path(__file__).parent / "catalogue"

GAME: TypedGame[Board, Laid, House, BoardRuling] = BoardGame(
    id=WORD,
    name=NAME,
    vocabulary=Vocabulary(
        words={
            **{sort.role: sort.name for asked in ASKED for sort in asked.sorts},
            "tile": Text("panel", "パネル"),
            "pawn": Text("pawn", "コマ"),
            "cursed": Text("cursed", "呪われた"),
            "dragon-card": Text("dragon card", "ドラゴンカード"),
            "monster": Text("monster", "モンスター"),
            "item": Text("item card", "アイテムカード"),
            "curse": Text("curse", "呪い"),
            "dragon": Text("dragon", "ドラゴン"),
            "sword": Text("sword", "剣"),
            "shield": Text("shield", "盾"),
            "potion": Text("potion", "ポーション"),
            "coin": Text("coin", "コイン"),
            "life": Text("life", "ライフ"),
            "character": Text("character", "キャラクター"),
            "coins": Text("coins", "コイン"),
            "equipped": Text("worn", "装備"),
            "victory": Text("victory cards", "勝利カード"),
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
    rule=rule_board,
    turn_told=turn_told,
    rule_turn=rule_turn,
    table=StoneDragonTable(),
    bundled=BUNDLED,
    laid_out=laid_out,
    put_down=put_down,
    seen_turn=seen_turn,
    asked=ASKED,
)
