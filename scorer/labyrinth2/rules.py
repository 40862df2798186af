"""Every code that a ruling can cite, with its sentence: what is wrong with a position, and what breaks a
pass, in the order in which it is cited (docs/LABYRINTH2.md)."""

from __future__ import annotations

from scorer.text import Text

#: Of a position. Those of `STOPPING` leave nothing to be played.
PROBLEMS: dict[str, Text] = {
    "missing-tile": Text("Cells of the board without a tile: {count}.", "タイルのない盤のマス: {count}。"),
    "unread": Text(
        "Things that could not be read: {count}. Check and name them.",
        "読み取れなかったもの: {count} 個。見て指定してください。",
    ),
    "no-spare": Text(
        "Exactly one tile lies beside the board, not {count}.",
        "盤の外に置くタイルはちょうど 1 枚です(今は {count} 枚)。",
    ),
    "dragon-place": Text(
        "Exactly one dragon stands over the middle of the board, or with a player.",
        "ドラゴンはちょうど 1 体で、盤の中央か、プレイヤーの手元にいます。",
    ),
    "explorer-missing": Text(
        "{player}'s explorer is not on the board.", "{player}の探検家が盤の上にいません。"
    ),
    "late-chips": Text(
        "All treasures 1 to 6 are taken; lay out 7 to 12 before anybody goes on.",
        "1〜6 の宝がすべて取られました。先へ進む前に 7〜12 を並べてください。",
    ),
    "fixed-moved": Text(
        "{count} printed tiles are not as the board has them.",
        "盤に印刷されたタイル {count} 枚が、盤と違っています。",
    ),
    "too-many": Text(
        "There are {count} of {piece}, and the box has {copies}.",
        "{piece}が {count} 個ありますが、箱には {copies} 個しかありません。",
    ),
    "chip-mix": Text(
        "Treasures 1 to 6 and 7 to 12 lie on the board together.",
        "1〜6 の宝と 7〜12 の宝が同時に盤にあります。",
    ),
    "chip-order": Text(
        "Somebody holds a treasure higher than the lowest on the board.",
        "盤にある一番小さい宝より大きい宝を、誰かが持っています。",
    ),
}
STOPPING = frozenset({"missing-tile", "unread", "no-spare", "dragon-place", "explorer-missing", "late-chips"})

#: Of a pass, in the order of citing.
VIOLATIONS: dict[str, Text] = {
    "game-over": Text(
        "The dragon is won and the game is over; nothing is played any more.",
        "ドラゴンが倒され、ゲームは終わっています。もう何も行えません。",
    ),
    "wrong-player": Text("It is {other}'s turn, not {player}'s.", "{player}ではなく、{other}の番です。"),
    "extra-card": Text(
        "A further turn costs one hand card of 7 to 12, and there is only one.",
        "追加の手番は 7〜12 の手札 1 枚で 1 回だけです。",
    ),
    "no-push": Text(
        "Every turn begins with pushing in the spare tile, needed or not.",
        "手番は必ず、余ったタイルを押し込むことから始めます。",
    ),
    "not-a-push": Text(
        "No single push of the spare tile leads from the first board to the second.",
        "余ったタイルを 1 回押し込んだだけでは、前の盤から後の盤になりません。",
    ),
    "push-reversed": Text(
        "The tile may not go in at {arrow}, where the last push let it out.",
        "{arrow}は直前にタイルが出たところなので、そこからは押し込めません。",
    ),
    "not-carried": Text(
        "What stands on a pushed line moves with its tile; {piece} is not where the push brings it.",
        "押された列の上のものはタイルと一緒に動きます。{piece}が運ばれた先にありません。",
    ),
    "nest": Text(
        "Nobody walks into or out of the dragon's nest.", "ドラゴンの巣には歩いて出入りできません。"
    ),
    "walk-blocked": Text(
        "No joined corridor leads there from where the push left the explorer.",
        "押した後の位置からそこへ、つながった通路がありません。",
    ),
    "treasure-many": Text("Only one treasure is taken in a turn.", "1 手番に取れる宝は 1 つです。"),
    "treasure-nested": Text("No treasure is taken from the dragon's nest.", "巣の中の宝は取れません。"),
    "treasure-order": Text(
        "Treasure {value} has to wait: {lowest} is the lowest left.",
        "{value} の宝はまだ取れません。残っている一番小さい宝は {lowest} です。",
    ),
    "treasure-elsewhere": Text(
        "A treasure is taken only on the tile where the explorer stops.",
        "宝は、探検家が止まったタイルにあるものだけ取れます。",
    ),
    "treasure-unwalked": Text(
        "Who takes a treasure has to have walked to it from another tile.",
        "宝を取るには、別のタイルから歩いて来なければなりません。",
    ),
    "treasure-left": Text(
        "The walk ended on a treasure that has to be taken.",
        "取らなければならない宝の上で止まったのに、取っていません。",
    ),
    "late-chips": Text(
        "Treasures 7 to 12 come all together, and only when the second 6 is taken.",
        "7〜12 の宝は、2 枚目の 6 が取られたときだけ、まとめて並べます。",
    ),
    "card-wrong": Text(
        "One hand card of the taken treasure's value brings a coin, and nothing else does.",
        "コインになるのは、取った宝と同じ数の手札 1 枚だけです。",
    ),
    "die-unearned": Text(
        "The dragon die is thrown when a treasure was taken, and at no other time.",
        "ドラゴンダイスを振るのは、宝を取ったときだけです。",
    ),
    "dragon-turned": Text(
        "Each arrow thrown turns the dragon a quarter clockwise, and nothing else does.",
        "ドラゴンは、出た矢印 1 つにつき右へ 90 度だけ向きを変えます。",
    ),
    "fight-missing": Text("{player} has to fight and did not.", "{player}は戦わなければなりません。"),
    "fight-unearned": Text(
        "{player} does not have to fight, and loses nothing.", "{player}は戦わず、何も失いません。"
    ),
    "reroll-card": Text(
        "Each further throw of a battle die costs one hand card of 1 to 6.",
        "戦闘ダイスの振り直しには、1 回につき 1〜6 の手札 1 枚が必要です。",
    ),
    "fight-lost": Text(
        "Who last throws 1 to 3 loses the lowest treasure, and nobody loses anything else.",
        "最後の目が 1〜3 なら一番小さい宝を失います。ほかのものは失いません。",
    ),
    "final-early": Text(
        "The dragon is fought only when all treasures are taken.",
        "ドラゴンと戦えるのは、宝がすべて取られてからです。",
    ),
    "final-place": Text(
        "Only who ends the turn on the tile that the dragon looks at may fight it.",
        "ドラゴンと戦えるのは、ドラゴンの正面のタイルで手番を終えた人だけです。",
    ),
    "holds-wrong": Text(
        "What {player} holds does not follow from this turn.",
        "{player}の持ち物が、この手番の結果と合いません。",
    ),
    "coin-wrong": Text(
        "{player}'s coins do not follow from this turn.", "{player}のコインが、この手番の結果と合いません。"
    ),
}
ORDER = {code: number for number, code in enumerate(VIOLATIONS)}
