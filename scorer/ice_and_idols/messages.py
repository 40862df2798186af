"""Rulings of Ice and Idols in words: what was done, how far each player can walk, what is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.board_problems import told_cell
from scorer.ice_and_idols.board_ruling import BoardRuling, CheapestTold, PlayerTold
from scorer.ice_and_idols.sheet import IDOL_WORDS
from scorer.ice_and_idols.track_ruling import TrackTold
from scorer.ice_and_idols.turn_ruling import ToldAction, TurnRuling
from scorer.text import NO_WORDS, Text
from scorer.verdict import Fact, Reason, Report, ToldStep

_FINE = Text("Nothing is wrong with this table.", "この盤面に問題はありません。")
_LEGAL = Text("This turn follows the rules.", "この手番はルールどおりです。")
_UNKNOWN: dict[str, Text] = {
    "board": Text(
        "This turn cannot be judged until the temple is corrected.",
        "寺院の盤面を直すまで、この手番は判定できません。",
    ),
    "actions": Text(
        "Say what was done; the two tables alone do not show it.",
        "何をしたか教えてください。前後の盤面だけでは判定できません。",
    ),
    "ground": Text(
        "This turn depends on the map under the temple, which is not known.",
        "寺院の下のマップが分からないので、この手番は判定できません。",
    ),
    "research": Text(
        "This turn depends on the research track, which is not known.",
        "研究トラックが分からないので、この手番は判定できません。",
    ),
    "spare": Text(
        "This turn depends on the tiles beside the temple, which are not known.",
        "寺院の外のタイルが分からないので、この手番は判定できません。",
    ),
}
#: What each action is.
DONE: dict[str, Text] = {
    "move": Text("Walks one tile", "タイルを 1 つ移動"),
    "pick": Text("Picks up an idol", "偶像を拾う"),
    "place": Text("Places an idol", "偶像を置く"),
    "drop": Text("Drops an idol", "偶像をドロップ"),
    "adrenaline": Text("Uses adrenaline", "アドレナリンを使う"),
    "jade": Text("Turns the temple", "寺院を回す"),
    "ruby": Text("Turns a tile", "タイルを回す"),
    "gold": Text("Slides a tile", "タイルを滑らせる"),
    "curator": Text("Jumps over a space", "1 スペース飛び越える"),
    "keysmith": Text("Lays a tile", "タイルを置く"),
    "sculptor": Text("Shifts a row or column", "列をずらす"),
    "architect": Text("Changes two tiles over", "タイルを入れ替える"),
    "pass": Text("Passes", "パス"),
}
_SIDES = {
    "top": Text("up", "上"),
    "right": Text("right", "右"),
    "bottom": Text("down", "下"),
    "left": Text("left", "左"),
    "clockwise": Text("clockwise", "時計回り"),
    "counterclockwise": Text("counterclockwise", "反時計回り"),
}


# --- boards -------------------------------------------------------------------------------------------------


def board_steps(ruling: BoardRuling) -> tuple[ToldStep, ...]:
    """How far each player can walk."""
    return tuple(
        ToldStep(number, player.name, _player(player), NO_WORDS)
        for number, player in enumerate(ruling.players, 1)
    )


def _player(player: PlayerTold) -> Text:
    en = f"{player.name} begins the next turn with {player.ap} AP"
    ja = f"{player.name}の次の手番は {player.ap} AP"
    if player.reach is not None:
        en += f" and can walk to {len(player.reach) - 1} corridors"
        ja += f"、歩いて行ける通路は {len(player.reach) - 1}"
    en, ja = en + ".", ja + "。"
    if player.gets is not None:
        for told, label, label_ja in (
            (player.gets.idols, "Idols within reach", "届く偶像"),
            (player.gets.altars, "Altars within reach", "届く祭壇"),
        ):
            if told:
                en += f" {label}: " + ", ".join(f"{IDOL_WORDS[k].en} {ap} AP" for k, ap in told.items()) + "."
                ja += (
                    f"{label_ja}: "
                    + "、".join(f"{IDOL_WORDS[k].ja} {ap} AP" for k, ap in told.items())
                    + "。"
                )
    return Text(en, ja)


def board_why(ruling: BoardRuling) -> Reason:
    """The first thing that is wrong, else that nothing is."""
    if not ruling.problems:
        return Reason("legal", _FINE)
    first = ruling.problems[0]
    return Reason(first.rule, Text(first.message, first.message_ja))


def board_report(ruling: BoardRuling) -> Report:
    facts = [_track(track) for track in ruling.tracks or ()]
    if ruling.end is not None and ruling.end.triggered:
        facts.append(
            Fact(
                Text("End", "終了"),
                Text("The game ends after this round.", "このラウンドでゲームは終わります。"),
            )
        )
    if ruling.cheapest is not None:
        facts.append(Fact(Text("Cheapest way", "最短の手順"), _cheapest(ruling.cheapest)))
    return Report(
        facts=tuple(facts),
        faults=tuple(Text(each.message, each.message_ja) for each in ruling.problems),
        brief=board_why(ruling).words,
    )


def _track(track: TrackTold) -> Fact:
    value = "?" if track.value is None else str(track.value)
    locked, locked_ja = (", locked", "、固定") if track.locked else ("", "")
    return Fact(
        IDOL_WORDS[track.idol],
        Text(
            f"{track.filled} of {track.spaces} spaces; {value} VP a cube{locked}",
            f"{track.spaces} スペース中 {track.filled}、マーカー 1 個 {value} 点{locked_ja}",
        ),
    )


def _cheapest(cheapest: CheapestTold) -> Text:
    if cheapest.actions is None:
        return Text("There is no way with these AP.", "その AP では行けません。")
    told = []
    for action in cheapest.actions:
        way = str(action.get("to") or action.get("turn") or "")
        words, side = DONE[action["do"]], _SIDES.get(way, NO_WORDS)
        cell = told_cell(action["cell"]) if "cell" in action else NO_WORDS
        told.append(
            Text(
                " ".join(each for each in (words.en, cell.en and f"({cell.en})", side.en) if each),
                "".join(each for each in (words.ja, cell.ja and f"({cell.ja})", side.ja) if each),
            )
        )
    en = "; ".join(each.en for each in told) or "nothing to do"
    ja = "、".join(each.ja for each in told) or "何もしなくてよい"
    return Text(f"{cheapest.ap} AP: {en}", f"{cheapest.ap} AP: {ja}")


# --- turns --------------------------------------------------------------------------------------------------


def turn_steps(ruling: TurnRuling) -> tuple[ToldStep, ...]:
    """What was done, with the AP left after it."""
    return tuple(_step(step) for step in ruling.steps)


def _step(step: ToldAction) -> ToldStep:
    left = Text(f"{step.ap} AP", f"{step.ap} AP")
    return ToldStep(step.action + 1, step.do, DONE[step.do], left)


def turn_why(ruling: TurnRuling) -> Reason:
    """The rule that was broken, else that none was."""
    if ruling.legal is None:
        return Reason("unknown", _UNKNOWN[ruling.unknown or ("board" if ruling.problems else "actions")])
    if ruling.violations:
        first = ruling.violations[0]
        return Reason(first.rule, Text(first.message, first.message_ja))
    return Reason("legal", _LEGAL)


def turn_report(ruling: TurnRuling) -> Report:
    points = ruling.ap
    facts = [
        Fact(Text("Turn of", "手番"), Text(ruling.player, ruling.player)),
        Fact(
            Text("Action points", "アクションポイント"),
            Text(
                f"{points.start} and {points.gained} more, {points.spent} spent, {points.left} left",
                f"はじめ {points.start}、追加 {points.gained}、使用 {points.spent}、残り {points.left}",
            ),
        ),
    ]
    return Report(facts=tuple(facts), faults=_faults(ruling), brief=turn_why(ruling).words)


def _faults(ruling: TurnRuling) -> tuple[Text, ...]:
    told: Sequence[Text] = [Text(each.message, each.message_ja) for each in ruling.problems]
    return (*told, *(Text(each.message, each.message_ja) for each in ruling.violations))
