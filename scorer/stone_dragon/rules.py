"""Every code that a ruling can cite, with its sentence and the rulebook's section: what is wrong with a
position, and what breaks an action (docs/STONE_DRAGON.md)."""

from __future__ import annotations

from scorer.text import Text

#: Of a position. Those of `STOPPING` leave nothing to be played.
PROBLEMS: dict[str, Text] = {
    "grid": Text("The panels lie in four rows of four.", "パネルは縦 4 列、横 4 列に並べます。"),
    "cells": Text("Cells without a panel: {count}.", "パネルのないマス: {count}。"),
    "unread": Text(
        "Things that could not be read: {count}. Check and name them.",
        "読み取れなかったもの: {count} 個。見て指定してください。",
    ),
    "entrance-missing": Text("The entrance panel is not there.", "入口パネルがありません。"),
    "entrance-face-down": Text(
        "The entrance panel lies face down; turn it up.",
        "入口パネルが裏向きです。表向きにしてください。",
    ),
    "entrance-place": Text("The entrance panel lies in a corner.", "入口パネルは四隅のどこかに置きます。"),
    "entrance-turned": Text(
        "At the start both passages of the entrance lead to neighbours, and its arrow points out.",
        "最初の入口パネルは、2 つの通路が隣のパネルに、矢印が外側に向くように置きます。",
    ),
    "panels-up": Text(
        "At the start all panels but the entrance lie face down; {count} do not.",
        "最初は入口以外のパネルを裏向きにします。{count} 枚が表向きです。",
    ),
    "pawn-missing": Text(
        "{player}'s pawn is not exactly once on the panels.",
        "{player}のコマがパネルの上にちょうど 1 個ありません。",
    ),
    "pawn-face-down": Text(
        "{player}'s pawn stands on a panel that lies face down.",
        "{player}のコマが裏向きのパネルの上にあります。",
    ),
    "pawn-extra": Text("{piece} is nobody's pawn.", "{piece} は誰のコマでもありません。"),
    "pawn-place": Text(
        "At the start {player}'s pawn stands on the entrance.", "最初、{player}のコマは入口に置きます。"
    ),
    "dragon-missing": Text(
        "The dragon's pawn is not exactly once on the panels.",
        "ドラゴンのコマがパネルの上にちょうど 1 個ありません。",
    ),
    "dragon-place": Text(
        "The dragon stands on the panel farthest from the entrance, and never moves.",
        "ドラゴンは入口から一番遠いパネルの上にいて、動きません。",
    ),
    "players": Text(
        "Three or four players play, each with another character.",
        "プレイヤーは 3〜4 人で、キャラクターは全員別々です。",
    ),
    "copies": Text(
        "There are {count} of {piece}, and the box has {copies}.",
        "{piece} が {count} 個ありますが、箱には {copies} 個しかありません。",
    ),
    "equipment": Text(
        "On {player}'s character lie one sword and one shield at most, and nothing else.",
        "{player}のキャラクターに置けるのは、剣と盾のチップ 1 枚ずつだけです。",
    ),
    "curse-twice": Text(
        "{piece} lies before {player} more than once.", "{player}の前に {piece} が 2 枚以上あります。"
    ),
    "no-life": Text(
        "{player} has no life left and has to begin again at the entrance.",
        "{player}のライフがありません。入口からやり直します。",
    ),
    "dragon-life": Text(
        "The dragon's life is impossible: its card says {life}.",
        "ドラゴンのライフが正しくありません。カードでは {life} です。",
    ),
    "same-side": Text(
        "Of two {piece} one lies for points and one for its bonus.",
        "同じ名前の {piece} 2 枚は、片方が得点、もう片方がボーナスです。",
    ),
    "eloquence-side": Text(
        "{piece} lies the wrong way: only Eloquence is laid used up, and it is never laid in any other way.",
        "{piece} の向きがありえません。使用済みになるのは雄弁だけで、雄弁はほかの向きになりません。",
    ),
    "life": Text(
        "At the start {player} has {count} life, as the character says.",
        "最初の{player}のライフは、キャラクターのとおり {count} です。",
    ),
    "coins": Text(
        "At the start {player} has {count} coins, as the character says.",
        "最初の{player}のコインは、キャラクターのとおり {count} 枚です。",
    ),
    "victory-count": Text(
        "At the start {player} has one hidden victory card.",
        "最初、{player}の勝利条件カードは裏向きの 1 枚だけです。",
    ),
    "holdings": Text("At the start {player} has nothing else.", "最初、{player}はほかに何も持っていません。"),
}
STOPPING = frozenset({"grid", "cells", "unread", "entrance-missing", "pawn-missing", "dragon-missing"})

#: Of an action.
VIOLATIONS: dict[str, Text] = {
    "after-end": Text(
        "The dragon is dead and the game is over; nothing is played any more.",
        "ドラゴンは倒され、ゲームは終わっています。もう何も行えません。",
    ),
    "not-your-turn": Text("{player} has no action now.", "今は{player}の番ではありません。"),
    "no-actions-left": Text(
        "{player} has no action left in this turn.", "{player}のアクションはもう残っていません。"
    ),
    "not-adjacent": Text("That panel is not next to the own one.", "そのパネルは隣ではありません。"),
    "face-down": Text("That panel lies face down.", "そのパネルは裏向きです。"),
    "no-passage": Text(
        "No passage leads from the own panel to that one.", "そのパネルへ通路がつながっていません。"
    ),
    "not-face-down": Text("That panel lies face up already.", "そのパネルはもう表向きです。"),
    "draw-impossible": Text(
        "{piece} cannot have been drawn: all of it is in sight elsewhere.",
        "{piece} は引けません。すべてほかの場所にあります。",
    ),
    "not-connected": Text(
        "A panel that is turned up has to join the own one.",
        "めくったパネルは、自分のパネルと通路がつながるように置きます。",
    ),
    "occupied": Text(
        "A pawn stands on that panel, so it is not turned.", "コマが乗っているパネルの向きは変えられません。"
    ),
    "entrance-fixed": Text(
        "The entrance is not turned at this table.", "このテーブルでは入口パネルの向きを変えられません。"
    ),
    "draw-missing": Text(
        "The room was searched; say which card was drawn.",
        "部屋を探索しました。引いたカードを教えてください。",
    ),
    "draw-not-due": Text("No dungeon card is drawn here.", "ここではダンジョンカードを引きません。"),
    "not-a-room": Text("There is no room here to be searched.", "ここは部屋ではないので探索できません。"),
    "search-no-action": Text(
        "A room is searched as it is entered; that is no action of its own.",
        "部屋は入ったときに探索します。探索というアクションはありません。",
    ),
    "not-a-potion": Text("{piece} is no potion.", "{piece} はポーションではありません。"),
    "chip-not-held": Text("{player} does not have {piece}.", "{player}は {piece} を持っていません。"),
    "not-usable": Text("{piece} is no card to be used.", "{piece} は使うカードではありません。"),
    "card-not-held": Text(
        "{player} does not have the card {piece}.", "{player}は {piece} のカードを持っていません。"
    ),
    "cursed": Text(
        "While a curse on it lies before {player}, that chip is neither bought nor made.",
        "{player}の前に呪いのカードがある間、そのチップは買うことも作ることもできません。",
    ),
    "wrong-level": Text("{piece} does not make that.", "{piece} ではそれを作れません。"),
    "supply-empty": Text("No {piece} is left.", "{piece} はもう残っていません。"),
    "no-target": Text("Nobody attacks oneself.", "自分は攻撃できません。"),
    "at-entrance": Text(
        "No player is attacked at the entrance.", "入口ではほかのプレイヤーを攻撃できません。"
    ),
    "not-same-panel": Text("{target} is not on the same panel.", "{target}は同じパネルの上にいません。"),
    "not-at-entrance": Text(
        "That is done on the entrance panel only.", "これは入口パネルの上でしか行えません。"
    ),
    "nothing-sold": Text("No card is sold and no curse lifted.", "何も売らず、呪いも解いていません。"),
    "not-for-sale": Text("{piece} has no price.", "{piece} には値段がありません。"),
    "not-a-curse": Text("{piece} is no curse.", "{piece} は呪いのカードではありません。"),
    "coins-short": Text("{player} does not have the coins for it.", "{player}のコインが足りません。"),
    "life-full": Text(
        "{player} has all the life to begin with; healing gives no more.",
        "{player}のライフは初期値に達しているので、回復できません。",
    ),
    "pile-empty": Text("No victory card is left.", "勝利条件カードは残っていません。"),
    "draw-count": Text(
        "Two victory cards are drawn, the last one alone.",
        "勝利条件カードは 2 枚引きます(残り 1 枚ならその 1 枚)。",
    ),
    "keep-not-drawn": Text(
        "The card that is kept was not drawn.", "残したカードは引いたカードではありません。"
    ),
    "change-uneven": Text("Change is worth as much as was given.", "両替の前後で金額が違います。"),
    "not-equipment": Text("{piece} cannot be equipped.", "{piece} は装備できません。"),
    "not-the-moment": Text(
        "{piece} is shown at the moment that it names, and at no other.",
        "{piece} は、カードに書かれた瞬間にしか公開できません。",
    ),
    "condition-unmet": Text("What {piece} asks for is not met.", "{piece} の獲得条件を満たしていません。"),
    "side-forced": Text(
        "The other {piece} lies that way, so this one takes the other side.",
        "もう 1 枚の {piece} がその向きなので、こちらは反対の向きになります。",
    ),
    "eloquence-points": Text("Eloquence brings no points.", "雄弁は得点になりません。"),
    "no-swap": Text("There is no such card to be swapped.", "入れ替えるカードがありません。"),
    "swap-same-name": Text(
        "Both {piece} lie open, so neither is swapped.",
        "同じ名前の {piece} が 2 枚とも公開されているので、入れ替えられません。",
    ),
    "boost-not-due": Text(
        "{player} does not strike or is not struck there, so nothing is paid for it.",
        "{player}はそこで攻撃も反撃もしないので、何も支払いません。",
    ),
    "no-ability": Text("{player} has no ability for that.", "{player}にその能力はありません。"),
    "not-a-monster": Text("{piece} is no monster card.", "{piece} はモンスターカードではありません。"),
    "choice-missing": Text(
        "Two chips can be taken; say which.", "奪えるチップが 2 枚あります。どちらかを教えてください。"
    ),
    "steal-not-due": Text("No chip is taken here.", "ここではチップを奪えません。"),
}

#: The section of the rulebook by code; S is its supplement on cards, "" where it is silent.
SECTIONS: dict[str, str] = {
    **dict.fromkeys(("grid", "cells", "entrance-missing", "entrance-face-down", "entrance-place"), "1.1"),
    **dict.fromkeys(("entrance-turned", "panels-up", "pawn-missing", "pawn-place", "dragon-missing"), "1.1"),
    **dict.fromkeys(("players", "life", "coins", "holdings", "equipment"), "1.3"),
    **dict.fromkeys(("dragon-life",), "1.2"),
    **dict.fromkeys(("victory-count",), "1.5"),
    **dict.fromkeys(("dragon-place", "after-end"), "5"),
    **dict.fromkeys(("no-life", "choice-missing", "steal-not-due"), "3"),
    **dict.fromkeys(("boost-not-due", "no-ability", "not-a-monster"), "3"),
    **dict.fromkeys(("same-side", "eloquence-side", "condition-unmet", "side-forced"), "4"),
    **dict.fromkeys(("eloquence-points", "no-swap", "swap-same-name"), "4"),
    **dict.fromkeys(("not-the-moment",), "S"),
    **dict.fromkeys(
        (
            "not-your-turn",
            "no-actions-left",
            "not-adjacent",
            "face-down",
            "no-passage",
            "not-face-down",
            "not-connected",
            "occupied",
            "curse-twice",
            "draw-missing",
            "draw-not-due",
            "not-a-room",
            "search-no-action",
            "not-a-potion",
            "chip-not-held",
            "not-usable",
            "card-not-held",
            "cursed",
            "wrong-level",
            "supply-empty",
            "no-target",
            "at-entrance",
            "not-same-panel",
            "not-at-entrance",
            "nothing-sold",
            "not-for-sale",
            "not-a-curse",
            "coins-short",
            "life-full",
            "pile-empty",
            "draw-count",
            "keep-not-drawn",
            "change-uneven",
            "not-equipment",
            "pawn-face-down",
        ),
        "2",
    ),
}


def section_of(code: str) -> Text:
    """The rulebook's section of a code, in words; empty where it has none."""
    section = SECTIONS.get(code, "")
    if section == "S":
        return Text("supplement on cards", "各カード補足")
    return Text(f"section {section}", f"{section} 章") if section else Text("", "")
