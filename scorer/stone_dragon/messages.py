"""Rulings of Stone Dragon in words: what was done, what each player can do, what is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.board_problems import told_cell
from scorer.stone_dragon.board_ruling import BoardRuling, Options
from scorer.stone_dragon.diff import Difference
from scorer.stone_dragon.fights import ToldFight
from scorer.stone_dragon.rules import section_of
from scorer.stone_dragon.turn_ruling import Asked, ToldAction, TurnRuling
from scorer.text import NO_WORDS, Text
from scorer.verdict import Fact, Reason, Report, ToldStep

_FINE = Text("Nothing is wrong with this board.", "この盤面に問題はありません。")
_LEGAL = Text("This turn follows the rules.", "この手番はルールどおりです。")
_UNKNOWN = Text(
    "This turn cannot be judged until the board is corrected.",
    "盤面を直すまで、この手番は判定できません。",
)
_UNTOLD = Text(
    "Say what was done; the two boards alone do not show it.",
    "何をしたか教えてください。前後の盤面だけでは判定できません。",
)
#: What each action is, with `{cell}` for where.
DONE: dict[str, Text] = {
    "move": Text("goes to {cell}", "{cell}へ移動"),
    "search": Text("searches the room", "部屋を探索"),
    "explore": Text("turns up a panel", "パネルをめくる"),
    "turn": Text("turns a panel", "パネルの向きを変える"),
    "potion": Text("drinks a potion", "ポーションを使う"),
    "use": Text("uses an item card", "アイテムカードを使う"),
    "attack": Text("attacks", "攻撃"),
    "sell": Text("sells cards", "カードを売る"),
    "buy": Text("buys a chip", "チップを買う"),
    "heal": Text("heals 1 life", "ライフを 1 回復"),
    "victory": Text("draws victory cards", "勝利条件カードを補充"),
    "change": Text("changes coins", "両替"),
    "equip": Text("equips a chip", "装備を変える"),
    "reveal": Text("shows a victory card", "勝利条件カードを公開"),
}
_DIFFERS: dict[str, Text] = {
    "unread": Text(
        "The photo of the board afterwards could not be read completely.",
        "後の写真に読み取れないところがあります。",
    ),
    "tile": Text("panel at {cell}", "{cell}のパネル"),
    "pawn": Text("{player}'s pawn", "{player}のコマ"),
    "life": Text("{player}'s life", "{player}のライフ"),
    "coins": Text("{player}'s coins", "{player}のコイン"),
    "holds": Text("what {player} holds", "{player}の手持ち"),
    "equipped": Text("{player}'s equipment", "{player}の装備"),
    "victory": Text("{player}'s victory cards", "{player}の勝利条件カード"),
    "hand": Text("{player}'s hidden cards", "{player}の裏向きのカード"),
    "dragon": Text("the dragon", "ドラゴン"),
}


# --- boards -------------------------------------------------------------------------------------------------


def board_steps(ruling: BoardRuling) -> tuple[ToldStep, ...]:
    """What each player could do."""
    told = (ruling.options or {}).items()
    return tuple(
        ToldStep(number, name, _options(name, options), NO_WORDS)
        for number, (name, options) in enumerate(told, 1)
    )


def _options(name: str, options: Options) -> Text:
    en, ja = [], []
    if options.moves:
        cells = [told_cell(cell) for cell in options.moves]
        en.append("go to " + "; ".join(cell.en for cell in cells))
        ja.append("、".join(cell.ja for cell in cells) + "へ移動")
    if options.explore:
        cells = [told_cell(each.to) for each in options.explore]
        en.append("turn up the panel at " + "; ".join(cell.en for cell in cells))
        ja.append("、".join(cell.ja for cell in cells) + "をめくる")
    if options.attack:
        en.append(
            "attack " + ", ".join("the dragon" if each == "dragon" else each for each in options.attack)
        )
        names = ["ドラゴン" if each == "dragon" else each for each in options.attack]
        ja.append("、".join(names) + "を攻撃")
    if not en:
        return Text(f"{name} can neither go nor fight.", f"{name}は移動も攻撃もできません。")
    return Text(f"{name} can {', or '.join(en)}.", f"{name}ができること: {'、または '.join(ja)}。")


def board_why(ruling: BoardRuling) -> Reason:
    """The first thing that is wrong, else that nothing is."""
    if not ruling.problems:
        return Reason("legal", _FINE)
    first = ruling.problems[0]
    return Reason(first.rule, Text(first.message, first.message_ja), section_of(first.rule))


def board_report(ruling: BoardRuling) -> Report:
    stars = [
        Fact(Text(f"Stars of {name}", f"{name}の星"), Text(str(count), str(count)))
        for name, count in ruling.stars.items()
        if count is not None
    ]
    return Report(
        facts=tuple(stars),
        faults=tuple(Text(each.message, each.message_ja) for each in ruling.problems),
        brief=board_why(ruling).words,
    )


# --- turns --------------------------------------------------------------------------------------------------


def turn_steps(ruling: TurnRuling) -> tuple[ToldStep, ...]:
    """What was done, action by action, with its fights."""
    fights = {fight.action: _fight(fight) for fight in ruling.fights}
    return tuple(
        ToldStep(
            number,
            f"{each.cell[0]},{each.cell[1]}",
            _action(each, fights.get(each.action, NO_WORDS)),
            NO_WORDS,
        )
        for number, each in enumerate(ruling.actions, 1)
    )


def _action(action: ToldAction, fought: Text) -> Text:
    done, cell = DONE[action.do], told_cell(action.cell)
    return Text(
        f"{action.player} {done.en.format(cell=cell.en)}.{' ' if fought.en else ''}{fought.en}",
        f"{action.player}: {done.ja.format(cell=cell.ja)}。{fought.ja}",
    )


def _fight(fight: ToldFight) -> Text:
    who, other = fight.attacker, "the dragon" if fight.defender == "dragon" else fight.defender
    other_ja = "ドラゴン" if fight.defender == "dragon" else fight.defender
    en = f"{who} strikes {other}: {fight.attack} - {fight.defence} = {fight.damage}."
    ja = f"{who}の攻撃 {fight.attack} − {other_ja}の防御 {fight.defence} = {fight.damage}。"
    if fight.counter is not None:
        back = fight.counter
        en += f" Back: {back.attack} - {back.defence} = {back.damage}."
        ja += f"反撃 {back.attack} − {back.defence} = {back.damage}。"
    if fight.beaten is not None:
        en += f" {'The dragon' if fight.beaten == 'dragon' else fight.beaten} is beaten."
        ja += f"{'ドラゴン' if fight.beaten == 'dragon' else fight.beaten}は倒されました。"
    if fight.stolen is not None:
        en += f" The winner takes {fight.stolen}."
        ja += f"勝者が {fight.stolen} を奪います。"
    return Text(en, ja)


def turn_why(ruling: TurnRuling) -> Reason:
    """The rule that was broken, else that none was."""
    if ruling.legal is None:
        if not ruling.problems:
            return Reason("unknown", _UNTOLD)
        return Reason(ruling.problems[0].rule, _UNKNOWN)
    if ruling.violations:
        first = ruling.violations[0]
        return Reason(first.rule, Text(first.message, first.message_ja), section_of(first.rule))
    return Reason("legal", _LEGAL)


def turn_report(ruling: TurnRuling) -> Report:
    facts = [Fact(Text("Turn of", "手番"), Text(ruling.player, ruling.player))]
    if ruling.slayer is not None:
        facts.append(Fact(Text("Dragon killed by", "ドラゴンを倒した人"), Text(ruling.slayer, ruling.slayer)))
    broken = [Text(each.message, each.message_ja) for each in ruling.problems]
    broken += [Text(each.message, each.message_ja) for each in ruling.violations]
    return Report(
        facts=tuple(facts),
        faults=tuple(broken),
        notes=(*_asked(ruling.asked), *_differs(ruling.differs)),
        brief=turn_why(ruling).words,
    )


def _asked(asked: Sequence[Asked]) -> tuple[Text, ...]:
    return tuple(
        Text(
            f"Look whether what {each.card} asks for is met by {each.player}; here it counts as met.",
            f"{each.player}が {each.card} の条件を満たしているか確かめてください。"
            "ここでは満たしたものとしています。",
        )
        for each in asked
    )


def _differs(differs: Sequence[Difference]) -> tuple[Text, ...]:
    if not differs:
        return ()
    if differs[0].what == "unread":
        return (_DIFFERS["unread"],)
    told = []
    for each in differs:
        cell = NO_WORDS if each.cell is None else told_cell(each.cell)
        words = _DIFFERS[each.what]
        told.append(
            Text(
                words.en.format(player=each.player, cell=cell.en),
                words.ja.format(player=each.player, cell=cell.ja),
            )
        )
    return (
        Text(
            f"The photo differs from what was entered: {'; '.join(each.en for each in told)}.",
            f"写真が申告と違います: {'、'.join(each.ja for each in told)}。",
        ),
    )
