"""What a mission's sheet says, in English and Japanese: places, goals, losses, difficulties, shares won."""

from __future__ import annotations

from calibration.missions.shares import Share
from scorer.catalogue import Catalogue
from scorer.mapmasters.cooperative.goal_words import listed
from scorer.mapmasters.cooperative.messages import artifact_words
from scorer.mapmasters.cooperative.mission import Goal, Mission, Plan
from scorer.mapmasters.cooperative.settings import Difficulty
from scorer.mapmasters.cooperative.sheet import CoopSheet
from scorer.text import NO_WORDS, Language, Text

SET_UP = Text("Set-up", "準備")
TASK = Text("Task", "任務")
GOALS = Text("Goals: all of these", "目標: すべて達成すれば成功")
LOST = Text("Lost when", "次のどれかで失敗")
DIFFICULTY = Text("Difficulty", "難易度")
#: The columns of the table of difficulties, and what stands in them.
HEADS = (
    DIFFICULTY,
    Text("Used items", "使ったアイテム"),
    Text("Number asked for", "求める数"),
    Text("Optimizers", "オプティマイザー"),
    Text("Won by the program", "プログラムの成績"),
)
_COUNT, _GONE = Text("count", "数える"), Text("are lost", "数えない")
_LEAST, _EXACT = Text("at least", "その数以上"), Text("exactly", "ちょうどその数")
_TOKEN, _NOTHING = Text("a fairy token each", "フェアリートークン1つ"), Text("nothing", "効果なし")
MEANING: dict[Difficulty, tuple[Text, Text, Text]] = {
    "rookie": (_COUNT, _LEAST, _TOKEN),
    "easy": (_COUNT, _LEAST, _NOTHING),
    "normal": (_GONE, _LEAST, _NOTHING),
    "hard": (_GONE, _EXACT, _NOTHING),
}
ONLY_THESE = Text(
    "Other goals printed on the cards are not needed.", "カードに印刷されたほかの目標は不要です。"
)
INSTEAD = Text(
    "On {cards} these goals take the place of those printed.",
    "{cards} では、印刷された目標の代わりにこの目標を使います。",
)
START = Text("a group may start here", "ミニチュアを置ける場所")
EXIT = Text("groups leave here", "グループが出る端")
EMPTY = Text("empty slot, a card is laid here", "空き区画(カードを置く)")
STARTER = Text("starter, either way up at random", "スターター(上下はランダム)")
FACE_DOWN = Text("face down", "裏向き")


def needed_goals(plan: Plan) -> list[Goal]:
    return [plan.goals[name] for name in plan.needed]


def goal_notes(mission: Mission, plan: Plan, catalogue: Catalogue) -> list[Text]:
    """Where goals differ from what is printed on the cards."""
    replaced = [name for name in dict.fromkeys(goal.card for goal in mission.goals) if name is not None]
    printed = [name for name in replaced if catalogue.card(name).goals]
    notes = []
    if printed:
        named = " and ".join(printed), "と".join(printed)
        notes.append(Text(INSTEAD.en.format(cards=named[0]), INSTEAD.ja.format(cards=named[1])))
    if any(name not in plan.needed for name, goal in plan.goals.items() if goal.card is not None):
        notes.append(ONLY_THESE)
    return notes


def setup_lines(mission: Mission, plan: Plan) -> list[tuple[Text, Text]]:
    """What is laid out before the game: what it is, and what of it."""
    slots = plan.slots.values()
    named = [slot for slot in slots if slot.card is not None]
    cards: list[Text] = []
    for slot in named:
        how = [Text("180°", "180°")] if slot.rotation else []
        how += [FACE_DOWN] if slot.kind == "face_down" else []
        note = listed(how)
        card = slot.card or ""
        cards.append(Text(f"{card} ({note.en})", f"{card} ({note.ja})") if how else Text(card, card))
    starters = sum(slot.kind == "starter" for slot in slots)
    lines = [(Text("Starters", "スターターカード"), Text(str(starters), f"{starters}枚"))]
    if cards:
        lines.append((Text("Cards", "指定カード"), listed(cards)))
    lying = [
        Text(f"{words.en} on {card}", f"{words.ja} ({card} の上)")
        for name, card in mission.artifacts.items()
        for words in (artifact_words(mission, name),)
    ]
    if lying:
        lines.append((Text("Artifacts", "アーティファクト"), listed(lying)))
    groups = [CoopSheet.colours.get(name, Text(name, name)) for name in mission.groups or ()]
    if groups:
        lines.append(
            (Text("Groups", "グループ"), listed([Text(each.en.lower(), each.ja) for each in groups]))
        )
    if mission.market_coins is not None:
        coins = mission.market_coins
        lines.append((Text("To spend", "買い物"), Text(f"{coins} coins", f"コイン{coins}枚")))
    lines.append((Text("Deck", "デッキ"), _deck_words(mission)))
    lines.append((Text("Hands", "手札"), Text("3 cards each, 4 if alone", "各3枚(1人なら4枚)")))
    return lines


def _deck_words(mission: Mission) -> Text:
    parts = []
    for kind, count in mission.deck.items():
        if kind == "starter":
            parts.append(Text(f"{count} starters", f"スターターカード{count}枚"))
        else:
            parts.append(Text(f"{count} of cost {kind}", f"コスト{kind}を{count}枚"))
    return listed(parts) if parts else NO_WORDS


def share_words(share: Share | None) -> Text:
    """How often it was won, as played."""
    if share is None or not share.games:
        return Text("not played yet", "未計測")
    if not share.won:
        return Text(f"never in {share.games} games", f"{share.games}回で成功なし")
    part = f"{share.won / share.games:.0%}"
    return Text(
        f"{share.won} of {share.games} games ({part})", f"{share.games}回中{share.won}回成功 ({part})"
    )


def summary(mission: Mission, plan: Plan) -> Text:
    """The line under the title."""
    columns = max((len(row) for row in mission.layout), default=0)
    rows, groups = len(mission.layout), len(mission.groups or ())
    empty = sum(slot.kind == "empty" for slot in plan.slots.values())
    return Text(
        f"{groups} groups · {columns} × {rows} slots · {empty} of them to be filled",
        f"グループ{groups}つ ・ {columns}×{rows}区画 ・ 空き区画{empty}",
    )


def how_played(shares: dict[str, Share], seed: int, players: int, command: str) -> Text:
    """By what, and how often, the shares were found."""
    games = {share.games for share in shares.values()}
    if not games:
        return NO_WORDS
    last = seed + max(games) - 1
    return Text(
        f"Won by the program: it plays {players} hands that know of each other, seeds {seed} to {last}: "
        f"{command}. It uses no spellbook and no token of an optimizer; people may well win more often.",
        f"プログラムの成績: 手札を教え合う{players}人分を1つのプログラムが担当 "
        f"(シード {seed}〜{last}: {command})。"
        "魔導書とオプティマイザーのトークンは使いません。人が遊べばもっと成功するでしょう。",
    )


def heading(mission: Mission, language: Language) -> str:
    """Its place among the others, its id and its name."""
    place = f"{mission.number} · " if mission.number else ""
    return f"{place}{mission.id}  {name_of(mission, language)}"


def name_of(mission: Mission, language: Language) -> str:
    return mission.name.get(language, mission.id)
