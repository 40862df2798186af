"""Every code that a ruling can cite, with its sentence: what is wrong with a position, and what breaks an
action, in the order in which it is cited (docs/ICE_AND_IDOLS.md)."""

from __future__ import annotations

from scorer.text import Text

#: Of a position.
PROBLEMS: dict[str, Text] = {
    "off-grid": Text(
        "{count} things lie outside the 5 x 5 cells.", "5 x 5 のマスの外に {count} 個のものがあります。"
    ),
    "two-tiles": Text("Cells with more than one tile: {count}.", "通路タイルが 2 枚以上あるマス: {count}。"),
    "too-many": Text(
        "There are {count} of {piece}, and the box has {copies}.",
        "{piece} が {count} 個ありますが、箱には {copies} 個しかありません。",
    ),
    "tiles-missing": Text(
        "{count} tiles are neither in the temple nor beside it.",
        "通路タイルが {count} 枚、寺院にも外にもありません。",
    ),
    "unread": Text(
        "Things that could not be read: {count}. Check and name them.",
        "読み取れなかったもの: {count} 個。見て指定してください。",
    ),
    "no-tile": Text("{piece} stands on no tile.", "{piece} の下にタイルがありません。"),
    "place-missing": Text(
        "{piece} stands on a tile with two corridors; say on which.",
        "{piece} のタイルには通路が 2 本あります。どちらの上か教えてください。",
    ),
    "place-unknown": Text(
        "The tile under {piece} has no such corridor.", "{piece} のタイルにその通路はありません。"
    ),
    "no-figure": Text("{player}'s figure is nowhere.", "{player}のフィギュアが見当たりません。"),
    "two-figures": Text("{piece} stands there twice.", "{piece} が 2 か所にあります。"),
    "borders": Text("Sun faces moon and star faces comet.", "太陽は月と、星は彗星と向かい合わせにします。"),
    "ground": Text(
        "The parts of the map do not cover every cell once.",
        "マップのピースが、すべてのマスを 1 回ずつ覆っていません。",
    ),
    "hands": Text(
        "{player} carries more idols than allowed, or two alike.",
        "{player}が持てる数より多いか、同じ種類の偶像を 2 つ持っています。",
    ),
    "off-board": Text(
        "{count} things lie where the research track has no space.",
        "研究トラックのスペースでないところに {count} 個のものがあります。",
    ),
    "unread-track": Text(
        "{count} things on the research track could not be read; check and name them.",
        "研究トラックに読み取れなかったものが {count} 個あります。見て指定してください。",
    ),
    "floating-cube": Text(
        "On the track of {idol} a cube stands above an empty space.",
        "{idol} のトラックで、空いたスペースの上にキューブがあります。",
    ),
    "setup-cubes": Text(
        "Cubes of colours that nobody plays stand on the lowest spaces, and only there.",
        "使わない色のキューブは、決まった一番下のスペースだけに置きます。",
    ),
    "cubes-over": Text(
        "There are more than 10 cubes of {colour}.", "{colour} のキューブが 10 個を超えています。"
    ),
    "token-missing": Text(
        "The track of {idol} has no VP token.", "{idol} のトラックに勝利点トークンがありません。"
    ),
    "token-doubled": Text(
        "The track of {idol} has more than one VP token.",
        "{idol} のトラックに勝利点トークンが 2 個以上あります。",
    ),
    "locked-early": Text(
        "The token of {idol} is on top, and its track is not full.",
        "{idol} のトラックは埋まっていないのに、トークンが上に置かれています。",
    ),
    "lock-missing": Text(
        "The track of {idol} is full, so its token belongs on top.",
        "{idol} のトラックは埋まったので、トークンを上に移します。",
    ),
}
#: With one of these nothing about the temple is answered; with `unread-track` nothing about the track.
STOPPING = frozenset(
    {
        "off-grid",
        "two-tiles",
        "unread",
        "no-tile",
        "place-missing",
        "place-unknown",
        "no-figure",
        "two-figures",
        "ground",
        "borders",
    }
)

#: Of an action, in the order of citing.
VIOLATIONS: dict[str, Text] = {
    "after-pass": Text("After a pass nothing else is done.", "パスの後は何もできません。"),
    "not-to-move": Text("It is {other}'s turn, not {player}'s.", "{player}ではなく、{other}の番です。"),
    "pass-not-first": Text("A pass is the first action of a turn.", "パスは手番の最初にしか行えません。"),
    "wrong-character": Text("That is another character's ability.", "それは別のキャラクターの能力です。"),
    "no-power": Text("{player} does not have that power.", "{player}はその偶像の能力を得ていません。"),
    "adrenaline-spent": Text(
        "The adrenaline token lies on its minus side.", "アドレナリントークンはマイナス面です。"
    ),
    "not-held": Text("{player} does not carry that idol.", "{player}はその偶像を持っていません。"),
    "same-tile": Text("A pass leads to another tile.", "パスでは別のタイルへ移ります。"),
    "wall": Text("The own corridor does not open to that side.", "今いる通路はその方向へ開いていません。"),
    "gap": Text("There is no tile.", "そこにタイルがありません。"),
    "occupied": Text("A figure stands on that tile.", "そのタイルにはフィギュアがいます。"),
    "not-empty": Text(
        "A tile slides only into an empty space.", "タイルは空いたスペースにしか滑らせられません。"
    ),
    "no-spare": Text(
        "That tile is not among those to be laid.", "そのタイルは置けるタイルの中にありません。"
    ),
    "blocked": Text("No corridor of that tile opens back.", "そのタイルの通路はこちらへ開いていません。"),
    "no-idol": Text("That idol is not here.", "ここにその偶像はありません。"),
    "same-idol": Text("{player} carries one of that kind.", "{player}は同じ種類の偶像を持っています。"),
    "hands-full": Text("{player}'s hands are full.", "{player}はこれ以上持てません。"),
    "no-altar": Text("The altar of that idol is not here.", "ここにその偶像の祭壇はありません。"),
    "quick-study": Text(
        "In the quick game an idol that is placed is always studied.",
        "クイックプレイでは、置いた偶像は必ず研究します。",
    ),
    "own-turned": Text(
        "At this table the architect does not turn the own tile.",
        "このテーブルでは、建築家は自分のタイルの向きを変えられません。",
    ),
    "power-owned": Text("{player} has that power already.", "{player}はもうその能力を得ています。"),
    "track-full": Text("That research track is full.", "その研究トラックは埋まっています。"),
    "no-marker": Text("{player} has no cube left.", "{player}の研究マーカーは残っていません。"),
    "no-ap": Text(
        "That costs {cost} AP, and {player} has {left} left.",
        "{cost} AP 必要ですが、{player}の残りは {left} AP です。",
    ),
    "event-missing": Text(
        "An event is due; say which card was drawn.", "イベントが起こります。引いたカードを教えてください。"
    ),
    "event-unearned": Text("No event is due here.", "ここではイベントは起こりません。"),
    "shift-unearned": Text("The VP tokens are not shifted here.", "ここでは勝利点トークンを動かせません。"),
    "after-differs": Text(
        "The table after the turn does not match the actions: {what}.",
        "手番の後の盤面が、行ったアクションの結果と違います({what})。",
    ),
}
ORDER = {code: number for number, code in enumerate(VIOLATIONS)}
