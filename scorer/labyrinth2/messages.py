"""Rulings of Labyrinth 2 in words: what was done, who can do what, what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorer.board_problems import told_cell
from scorer.labyrinth2.board_ruling import BoardRuling, Reach, Watching
from scorer.labyrinth2.moves import Move
from scorer.labyrinth2.turn_ruling import ToldFight, TurnRuling
from scorer.square_grid import Cell
from scorer.text import NO_WORDS, Text
from scorer.verdict import Fact, Reason, Report, ToldStep

PHASES: dict[str, Text] = {
    "first": Text("Treasures 1 to 6 are sought.", "1〜6 の宝を探しています。"),
    "second": Text("Treasures 7 to 12 are sought.", "7〜12 の宝を探しています。"),
    "between": Text("Treasures 7 to 12 have to be laid out.", "7〜12 の宝を並べるところです。"),
    "final": Text(
        "All treasures are taken; the dragon can be fought.", "宝はすべて取られ、ドラゴンと戦えます。"
    ),
    "over": Text("The dragon is won; the game is over.", "ドラゴンが倒され、ゲームは終わりました。"),
}
_SIDES = {
    "top": Text("above", "上"),
    "right": Text("on the right", "右"),
    "bottom": Text("below", "下"),
    "left": Text("on the left", "左"),
}
_PENDING = {
    "die": Text("The dragon die has still to be thrown.", "ドラゴンダイスがまだ振られていません。"),
    "fights": Text("Somebody still has to fight.", "まだ戦っていない人がいます。"),
    "late-chips": Text(
        "Treasures 7 to 12 have still to be laid out.", "7〜12 の宝がまだ並べられていません。"
    ),
}
_DIFFERS = {
    "push": Text(
        "The photos show a different push from the one entered.",
        "写真では、押した場所か向きが申告と違います。",
    ),
    "to": Text(
        "The photos show the explorer in a different place from the one entered.",
        "写真では、探検家の位置が申告と違います。",
    ),
    "take": Text(
        "The photos show a different treasure from the one entered.", "写真では、取った宝が申告と違います。"
    ),
}
_LEGAL = Text("This turn follows the rules.", "この手番はルールどおりです。")
_UNKNOWN = Text(
    "This turn cannot be judged until the board is corrected.",
    "盤面を直すまで、この手番は判定できません。",
)


def told_push(at: str, rotation: int) -> Text:
    """A push as people do it."""
    side, number = _SIDES[at[:-1]], int(at[-1]) + 1
    line, line_ja = ("column", "列目") if at[:-1] in ("top", "bottom") else ("row", "行目")
    turned = f", turned by {rotation} degrees" if rotation else ", upright"
    turned_ja = f"右へ {rotation} 度回して" if rotation else "そのままの向きで"
    return Text(
        f"the spare tile into {line} {number} from {side.en}{turned}",
        f"余ったタイルを{turned_ja}、{number} {line_ja}へ{side.ja}から",
    )


def told_move(move: Move) -> Text:
    """A move as people do it."""
    push, cell = told_push(move.at, move.rotation), told_cell(move.cell)
    fights = "once" if move.danger == 1 else f"{move.danger} times"
    danger = f"; of five throws of the dragon die {fights} a fight" if move.danger else ""
    danger_ja = f"。ドラゴンダイスの 5 通りのうち {move.danger} 通りで戦いになります" if move.danger else ""
    return Text(
        f"Push {push.en}, then walk {move.steps} to {cell.en}{danger}.",
        f"{push.ja}押し、{cell.ja}へ {move.steps} 歩歩きます{danger_ja}。",
    )


# --- boards -------------------------------------------------------------------------------------------------


def board_steps(ruling: BoardRuling) -> tuple[ToldStep, ...]:
    """What each explorer can reach, and what each thrower watches."""
    told = [(f"{each.cell[0]},{each.cell[1]}", _reach(each)) for each in ruling.reach]
    told += [(each.by, _watch(each)) for each in ruling.watch]
    return tuple(ToldStep(number, place, words, NO_WORDS) for number, (place, words) in enumerate(told, 1))


def _reach(reach: Reach) -> Text:
    who, count = reach.player or reach.piece, len(reach.cells)
    if count == 1:
        told = Text(f"{who} cannot walk anywhere", f"{who}はどこへも歩けません")
    else:
        told = Text(f"{who} can walk to {count - 1} cells", f"{who}は {count - 1} マスへ歩けます")
    takes = [told_cell(cell) for cell in reach.takes]
    en = " and take a treasure at " + "; ".join(each.en for each in takes) if takes else ""
    ja = "。宝を取れるのは" + "、".join(each.ja for each in takes) + "です" if takes else ""
    front = (
        Text(", the dragon's front among them", "。ドラゴンの正面にも行けます") if reach.front else NO_WORDS
    )
    return Text(f"{told.en}{en}{front.en}.", f"{told.ja}{ja}{front.ja}。")


def _watch(watch: Watching) -> Text:
    count = len(watch.cells)
    told = Text(f"Watches {count} cells", f"{count} マスを見張っています")
    if watch.fights:
        return Text(
            f"{told.en}; {', '.join(watch.fights)} would have to fight.",
            f"{told.ja}。{'、'.join(watch.fights)}が戦うことになります。",
        )
    if watch.maybe:
        return Text(
            f"{told.en}; {', '.join(watch.maybe)} would have to fight with a treasure in hand.",
            f"{told.ja}。{'、'.join(watch.maybe)}は宝を持っていれば戦います。",
        )
    return Text(f"{told.en}; nobody would have to fight.", f"{told.ja}。戦う人はいません。")


def board_why(ruling: BoardRuling) -> Reason:
    """The first thing that is wrong, else how far the game is."""
    if ruling.problems:
        first = ruling.problems[0]
        return Reason(first.rule, Text(first.message, first.message_ja))
    return Reason(ruling.phase, PHASES[ruling.phase])


def board_report(ruling: BoardRuling) -> Report:
    facts = [Fact(Text("Phase", "段階"), PHASES[ruling.phase])]
    if ruling.next is not None:
        cells = [told_cell(cell) for cell in ruling.next.cells]
        where = Text("; ".join(each.en for each in cells), "、".join(each.ja for each in cells))
        words = Text(
            f"{ruling.next.value}, at {where.en or 'no cell now'}",
            f"{ruling.next.value} の宝({where.ja or '今は盤のマスにない'})",
        )
        facts.append(Fact(Text("Next treasure", "次の宝"), words))
    if ruling.best is not None:
        facts.append(Fact(Text("Best move", "最善手"), told_move(ruling.best)))
    return Report(
        facts=tuple(facts),
        faults=tuple(Text(each.message, each.message_ja) for each in ruling.problems),
        brief=board_why(ruling).words,
    )


# --- turns --------------------------------------------------------------------------------------------------


def turn_steps(ruling: TurnRuling) -> tuple[ToldStep, ...]:
    """Push, walk, treasure, die, fights."""
    told = list(_done(ruling))
    return tuple(ToldStep(number, place, words, NO_WORDS) for number, (place, words) in enumerate(told, 1))


def _done(ruling: TurnRuling) -> Iterator[tuple[str, Text]]:
    who = ruling.player
    if ruling.push is not None:
        push = told_push(ruling.push.at, ruling.push.rotation)
        yield ruling.push.at, Text(f"{who} pushed {push.en}.", f"{who}が{push.ja}押しました。")
    if ruling.to is not None and ruling.walked:
        cell = told_cell(ruling.to)
        yield _place(ruling.to), Text(f"{who} walked to {cell.en}.", f"{who}が{cell.ja}へ歩きました。")
    if ruling.taken is not None:
        yield ruling.taken, Text(f"{who} took {ruling.taken}.", f"{who}が {ruling.taken} を取りました。")
    if ruling.die is not None and ruling.die.arrows is not None:
        count = ruling.die.arrows
        yield (
            "dragon",
            Text(
                f"The dragon turned by {count} quarter{'s' if count > 1 else ''}.",
                f"ドラゴンが右へ {90 * count} 度回りました。",
            ),
        )
    elif ruling.die is not None:
        yield ruling.die.gargoyle or "", Text("The die showed a gargoyle.", "ダイスはガーゴイルでした。")
    for fight in ruling.fights:
        yield fight.by or "", _fight(fight)
    if ruling.final is not None:
        won = ruling.final.won
        yield (
            "dragon",
            Text(f"{who} won the dragon.", f"{who}がドラゴンを倒しました。")
            if won
            else Text(f"{who} did not win the dragon.", f"{who}はドラゴンを倒せませんでした。"),
        )


def _place(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def _fight(fight: ToldFight) -> Text:
    who = fight.player or fight.piece or "?"
    if fight.won is None:
        return Text(f"{who} has to fight.", f"{who}は戦わなければなりません。")
    if fight.won:
        return Text(f"{who} fought and won.", f"{who}は戦って勝ちました。")
    lost = fight.lost or "?"
    return Text(f"{who} fought and lost {lost}.", f"{who}は戦って負け、{lost} を失いました。")


def turn_why(ruling: TurnRuling) -> Reason:
    """The first rule that was broken, else that none was."""
    if ruling.legal is None:
        return Reason(ruling.problems[0].rule if ruling.problems else "unknown", _UNKNOWN)
    if ruling.violations:
        first = ruling.violations[0]
        return Reason(first.rule, Text(first.message, first.message_ja))
    return Reason("legal", _LEGAL)


def turn_report(ruling: TurnRuling) -> Report:
    facts = [Fact(Text("Turn of", "手番"), Text(ruling.player, ruling.player))]
    if ruling.best is not None:
        facts.append(Fact(Text("Best move", "最善手"), told_move(ruling.best)))
    broken = [Text(each.message, each.message_ja) for each in ruling.problems]
    broken += [Text(each.message, each.message_ja) for each in ruling.violations]
    return Report(
        facts=tuple(facts),
        faults=tuple(broken),
        notes=_notes(
            [_PENDING[each] for each in ruling.pending], [_DIFFERS[each] for each in ruling.differs]
        ),
        brief=turn_why(ruling).words,
    )


def _notes(*groups: Sequence[Text]) -> tuple[Text, ...]:
    return tuple(words for group in groups for words in group)
