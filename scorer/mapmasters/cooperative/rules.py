"""The rule table of the cooperative game: every rule code of a ruling, its section of the rulebook, and a
sentence for it in our own words.

Sentences of paths are templates as in `scorer.mapmasters.rules`; the others name `group`, `groups`, `goal`,
`goals`, `missing`, `cards`, `slot`, `what` and numbers.
"""

from __future__ import annotations

from scorer.mapmasters.rules import Rule
from scorer.text import Text


def _rule(code: str, section: Text, en: str, ja: str) -> Rule:
    return Rule(code, section, Text(en, ja))


def _table(*rules: Rule) -> dict[str, Rule]:
    return {rule.code: rule for rule in rules}


_SETUP = Text("Cooperative II. Set-up", "協力プレイ II. セットアップ")
_MARKET = Text("Cooperative II. Set-up, market", "協力プレイ II. セットアップ・マーケット")
_LAYING = Text("Cooperative III. Exploration, playing a card", "協力プレイ III. 探索フェーズ・カードのプレイ")
_GOALS = Text("Cooperative III. Exploration, goals", "協力プレイ III. 探索フェーズ・目標")
_DRAWING = Text("Cooperative III. Exploration, drawing paths", "協力プレイ III. 探索フェーズ・経路を描く方法")
_DEAD_ENDS = Text("Cooperative III. Exploration, dead ends", "協力プレイ III. 探索フェーズ・行き止まり")
_OBSTACLES = Text("Cooperative III. Exploration, obstacles", "協力プレイ III. 探索フェーズ・障害")
_TELEPORTERS = Text("Cooperative III. Exploration, teleporters", "協力プレイ III. 探索フェーズ・テレポーター")
_ROOMS = Text("Cooperative III. Exploration, rooms", "協力プレイ III. 探索フェーズ・部屋")
_USING = Text("Cooperative III. Exploration, using items", "協力プレイ III. 探索フェーズ・アイテムの使用")
_VICTORY = Text("Cooperative IV. Victory", "協力プレイ IV. 勝利")
_DEFEAT = Text("Cooperative IV. Defeat", "協力プレイ IV. 敗北")

PATH_RULES = _table(
    _rule(
        "bad-start",
        _DRAWING,
        "The path starts at {place}. A group's first path starts at an opening on the tableau's edge, where "
        "its miniature was put and the mission lets groups start; later ones start where the miniature "
        "stands on a step card. Nothing on it counts.",
        "経路が{place}から始まっています。最初の経路は、ミッションで認められた、ミニチュアを置いたタブローの"
        "端から、その後の経路はミニチュアが立つステップカードの上から始めます。この経路では何も数えません。",
    ),
    _rule(
        "after-end",
        _DRAWING,
        "The group's way was over already, so it cannot go on to {place}.",
        "このグループの道はすでに終わっているので、{place}へは進めません。",
    ),
    _rule(
        "monster",
        _OBSTACLES,
        "The group had nothing to defeat {place} with at step {step}. That is a dead end.",
        "{step} 歩目の{place}を倒す手段がグループにありません。行き止まりです。",
    ),
    _rule(
        "padlock",
        _OBSTACLES,
        "The group had nothing to open {place} with at step {step}. That is a dead end.",
        "{step} 歩目の{place}を開ける手段がグループにありません。行き止まりです。",
    ),
    _rule(
        "lava",
        _OBSTACLES,
        "The group had nothing to cross {place} with at step {step}. That is a dead end.",
        "{step} 歩目の{place}を渡る手段がグループにありません。行き止まりです。",
    ),
    _rule(
        "room-guarded",
        _ROOMS,
        "The group could not defeat every monster in {room}, so it cannot go on to {place} at step {step}. "
        "That is a dead end.",
        "{room}のモンスターをすべて倒せなかったので、{step} 歩目の{place}へは進めません。行き止まりです。",
    ),
    _rule(
        "no-way",
        _DRAWING,
        "Nothing leads from {before} to {place} at step {step}: neither a corridor nor a teleport that the "
        "group had the means for.",
        "{before}と {step} 歩目の{place}をつなぐ廊下も、グループが使えるテレポートもありません。",
    ),
    _rule(
        "climb",
        _USING,
        "The group climbed to {place} at step {step}; that takes the spellbook SB-4 and a pit that nobody "
        "has used.",
        "{step} 歩目で{place}へ登っていますが、登るには魔導書 SB-4 と、"
        "まだ誰も使っていない落とし穴が必要です。",
    ),
    _rule(
        "circle-used",
        _TELEPORTERS,
        "The group teleported from {before} to {place} at step {step}, but one of the two circles had been "
        "used before, by whichever group.",
        "{step} 歩目で{before}から{place}へテレポートしていますが、どちらかの魔法陣は(どのグループかによって)"
        "使用済みです。",
    ),
    _rule(
        "circle-inactive",
        _TELEPORTERS,
        "The group had no scroll to activate {before}, so it cannot go on at {place} at step {step}.",
        "{before}を起動する巻物がグループにないため、{step} 歩目の{place}から続けられません。",
    ),
    _rule(
        "corridor-reused",
        _DRAWING,
        "A line comes to {place} a second time at step {step}; {once}, by one group in all. That is a dead "
        "end.",
        "{step} 歩目で{place}を再び通っています。{once}(全グループで一度)。行き止まりです。",
    ),
    _rule(
        "door-reused",
        _ROOMS,
        "{door} is used a second time at step {step}; rooms may be entered again, but each of their doors is "
        "used once, by one group in all. That is a dead end.",
        "{step} 歩目で{door}をもう一度使っています。部屋には何度入れても、同じ扉を使えるのは全グループで"
        "一度だけです。行き止まりです。",
    ),
    _rule(
        "fall-forced",
        _OBSTACLES,
        "Without a rope the group falls at {before}; it cannot stay on the main floor and go on to {place} "
        "at step {step}.",
        "ロープがなければ{before}で地下に落ちます。{step} 歩目の{place}へメインフロアのまま進むことは"
        "できません。",
    ),
    _rule(
        "path-crossed",
        _DRAWING,
        "Leaving by {place} at step {step}, the line would cross another one in {room}, the group's own or "
        "another group's. That is a dead end.",
        "{step} 歩目で{place}から出ると、{room}の中で自分たちかほかのグループの経路と交差します。"
        "行き止まりです。",
    ),
)

ENDS = _table(
    _rule(
        "sketch",
        _DRAWING,
        "This line is a sketch: it claims nothing and loses nothing.",
        "これは予定の線です。何も得ず、負けにもなりません。",
    ),
    _rule("goal", _GOALS, "The goal {goal} is met at {before}.", "{before}で目標 {goal} を達成しました。"),
    _rule(
        "choice",
        _GOALS,
        "Several goals can be met at {before}: {goals}. Say which one it is.",
        "{before}で達成できる目標がいくつかあります({goals})。どれにするか選んでください。",
    ),
    _rule(
        "unmet",
        _GOALS,
        "The path reaches {before} without what is asked for there: {missing}. The mission is lost.",
        "経路は{before}に着きましたが、求められたものが足りません({missing})。ミッションは失敗です。",
    ),
    _rule(
        "edge",
        _DEAD_ENDS,
        "The path comes out of the tableau at {before}, where the mission sends nobody. That is a dead end.",
        "経路が{before}でタブローの端に出ましたが、ミッションはそこへ向かわせていません。行き止まりです。",
    ),
    _rule(
        "step",
        _GOALS,
        "The group stops on the step card, at {before}, and goes on from there.",
        "グループはステップカードの{before}で止まり、次はそこから進みます。",
    ),
    _rule(
        "waiting",
        _LAYING,
        "The path waits at {before} for a card; so far it is a sketch.",
        "経路は{before}で次のカードを待っています。それまでは予定の線です。",
    ),
    _rule(
        "stopped",
        _DRAWING,
        "The path stops at {before}, where it can go on; so far it is a sketch.",
        "経路は{before}で止まっていますが、まだ先へ進めます。それまでは予定の線です。",
    ),
    _rule(
        "dead_end",
        _DEAD_ENDS,
        "The path stops at {before}, and no way leads on that the group can take. That is a dead end.",
        "経路は{before}で止まり、グループが進める道はもうありません。行き止まりです。",
    ),
    _rule("no-path", _DRAWING, "Nothing was drawn.", "何も描かれていません。"),
    _rule(
        "stopped-by-monster",
        _OBSTACLES,
        "The group cannot defeat {place}. That is a dead end.",
        "グループは{place}を倒せません。行き止まりです。",
    ),
    _rule(
        "stopped-by-padlock",
        _OBSTACLES,
        "The group cannot open {place}. That is a dead end.",
        "グループは{place}を開けられません。行き止まりです。",
    ),
    _rule(
        "stopped-by-lava",
        _OBSTACLES,
        "The group cannot cross {place}. That is a dead end.",
        "グループは{place}を渡れません。行き止まりです。",
    ),
    _rule(
        "stopped-by-room-guarded",
        _ROOMS,
        "The group cannot defeat every monster in {room}. That is a dead end.",
        "グループは{room}のモンスターをすべては倒せません。行き止まりです。",
    ),
)

LAYING_RULES = _table(
    _rule(
        "turned",
        _LAYING,
        "{cards} lies on its side; cards are laid upright or upside down.",
        "{cards}が横向きです。カードは縦向き(上下はどちらでもよい)に置きます。",
    ),
    _rule(
        "overlap",
        _LAYING,
        "{cards} lie on each other; each slot takes one card.",
        "{cards}が重なっています。1 つの区画に置けるカードは 1 枚です。",
    ),
    _rule(
        "shifted",
        _LAYING,
        "{cards} are out of line; in this game cards are not shifted against each other.",
        "{cards}がずれています。協力プレイではカードをずらして置けません。",
    ),
    _rule(
        "outside",
        _LAYING,
        "{cards} does not lie in a slot of the mission's layout.",
        "{cards}がミッションのレイアウトの区画にありません。",
    ),
    _rule(
        "wrong-card",
        _SETUP,
        "{cards} lies in the slot {slot}, where the mission wants {what}.",
        "{slot}の区画に{cards}がありますが、ミッションではそこに{what}を置きます。",
    ),
    _rule(
        "wrong-way",
        _SETUP,
        "{cards} lies the other way up than the mission says.",
        "{cards}の上下がミッションの指定と逆です。",
    ),
    _rule(
        "missing-card",
        _SETUP,
        "Nothing lies in the slot {slot}, where the mission wants {what}.",
        "{slot}の区画にカードがありません。ミッションではそこに{what}を置きます。",
    ),
)

SETUP_RULES = _table(
    _rule(
        "over-budget",
        _MARKET,
        "{spent} coins were spent in the market, but the mission grants {granted}.",
        "マーケットで {spent} コイン使っていますが、ミッションで使えるのは {granted} コインです。",
    ),
    _rule(
        "token-limit",
        _MARKET,
        "{group} has more than one fairy token of a kind; one of each is honoured.",
        "{group}に同じ種類のフェアリートークンが 2 つ以上あります。有効なのは各 1 つです。",
    ),
    _rule(
        "book-limit",
        _MARKET,
        "{group} has more than two spellbooks; the first two cooperative ones are honoured.",
        "{group}の魔導書が 3 枚以上あります。有効なのは協力プレイのものの最初の 2 枚です。",
    ),
    _rule(
        "tokens-and-books",
        _MARKET,
        "{group} has fairy tokens and spellbooks; at this table a group has one or the other.",
        "{group}がフェアリートークンと魔導書の両方を持っています。このテーブルではどちらか一方です。",
    ),
    _rule(
        "not-cooperative",
        _MARKET,
        "{group} has {what}; only SB-1 to SB-9 are in this game.",
        "{group}が{what}を持っていますが、協力プレイで使うのは SB-1 から SB-9 だけです。",
    ),
    _rule(
        "token-supply",
        _MARKET,
        "{count} {what} tokens were given out, but there are only {supply} of a kind.",
        "{what}のフェアリートークンが {count} 個配られていますが、各種類 {supply} 個しかありません。",
    ),
)

RESULTS = _table(
    _rule(
        "all-goals",
        _VICTORY,
        "The mission is won: everything that it asks for is done.",
        "ミッション成功です。求められたことをすべて果たしました。",
    ),
    _rule(
        "dead-end",
        _DEFEAT,
        "The mission is lost: {group} is at a dead end.",
        "ミッション失敗です。{group}が行き止まりに陥りました。",
    ),
    _rule(
        "requirement",
        _DEFEAT,
        "The mission is lost: {group} reached a goal without what it asks for ({missing}).",
        "ミッション失敗です。{group}が目標に着いたとき、求められたものが足りませんでした({missing})。",
    ),
    _rule(
        "broken-rule",
        _DEFEAT,
        "The mission is lost: the line of {group} breaks a rule.",
        "ミッション失敗です。{group}の経路がルールに反しています。",
    ),
    _rule(
        "no-card",
        _DEFEAT,
        "The mission is lost: the player whose turn it is cannot lay a card.",
        "ミッション失敗です。手番のプレイヤーがカードを置けません。",
    ),
    _rule(
        "mission",
        _DEFEAT,
        "The mission is lost by its own rule {what}.",
        "ミッション独自の敗北条件({what})により失敗です。",
    ),
    _rule(
        "choice",
        _GOALS,
        "The mission is open: {group} can meet several goals, and it is not said which one it meets.",
        "ミッションは続いています。{group}が達成できる目標が複数あり、どれにするかが決まっていません。",
    ),
    _rule(
        "unfinished",
        _VICTORY,
        "The mission is open: not everything that it asks for is done yet.",
        "ミッションは続いています。求められたことがまだ残っています。",
    ),
)

#: Rules that a path breaks by going where it could not: dead ends.
DEAD_ENDS = frozenset(
    {"monster", "padlock", "lava", "room-guarded", "corridor-reused", "door-reused", "path-crossed"}
)
