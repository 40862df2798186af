"""The rule table: every code that a ruling can cite, where the rulebook has it, and a sentence for it.

Sentences are templates over `place` (what and where: "the monster on D29"), `step` (its number along the
path, from 1), `before` (the place reached last), and for laying `cards`. They are our own words.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the printed rulebook, versus part."""

    en: str
    ja: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A citable rule: its code in rulings, its section, its sentence in English and Japanese."""

    code: str
    section: Section
    en: str
    ja: str


_BUILDING = Section(
    "D. Exploration, building the dungeon", "D. 探索フェーズ・ダンジョンを構築するためのルール"
)
_DRAWING = Section("D. Exploration, drawing the path", "D. 探索フェーズ・経路を描く方法")
_ENDING = Section("D. Exploration, how a path ends", "D. 探索フェーズ・出口と行き止まり")
_OBSTACLES = Section("D. Exploration, obstacles", "D. 探索フェーズ・障害")
_TELEPORTERS = Section("D. Exploration, teleporters", "D. 探索フェーズ・テレポーター")
_ROOMS = Section("D. Exploration, rooms", "D. 探索フェーズ・部屋")
_USING = Section("D. Exploration, using items", "D. 探索フェーズ・アイテムの使用")
_HAND = Section("C. Building the hand", "C. 手札作成フェーズ")

_PATH_RULES = (
    Rule(
        "bad-start",
        _DRAWING,
        "The path starts at {place}; it has to start at an open outer edge of the dungeon. Nothing on it "
        "counts.",
        "経路が{place}から始まっています。ダンジョンの外側に開いた入口から始めなければならないため、"
        "何も数えません。",
    ),
    Rule(
        "after-end",
        _ENDING,
        "The path reached the open edge at {before} and was out; going on to {place} at step {step} is not "
        "allowed.",
        "経路は{before}で外へ出て終わっています。{step}番目の{place}へは続けられません。",
    ),
    Rule(
        "monster",
        _OBSTACLES,
        "At step {step}, nothing was held to defeat {place}. The path ends before it.",
        "{step}番目の{place}を倒す手段がありません。経路はその手前で終わります。",
    ),
    Rule(
        "padlock",
        _OBSTACLES,
        "At step {step}, nothing was held to open {place}. The path ends before it.",
        "{step}番目の{place}を開ける手段がありません。経路はその手前で終わります。",
    ),
    Rule(
        "lava",
        _OBSTACLES,
        "At step {step}, nothing was held to cross {place}. The path ends before it.",
        "{step}番目の{place}を渡る手段がありません。経路はその手前で終わります。",
    ),
    Rule(
        "room-guarded",
        _ROOMS,
        "Not every monster around {before} could be defeated on entering, so nothing in the room counts and "
        "going on to {place} at step {step} is not allowed.",
        "{before}に入ったときモンスターをすべて倒せなかったので、部屋の中は数えず、"
        "{step}番目の{place}へは進めません。",
    ),
    Rule(
        "no-way",
        _DRAWING,
        "Nothing leads from {before} to {place} (step {step}): neither a corridor nor a teleport. "
        "The path ends at {before}.",
        "{before}から{place}({step}番目)へは通路もテレポートもありません。経路は{before}で終わります。",
    ),
    Rule(
        "climb",
        _USING,
        "At step {step} the path climbs to {place}; only the spellbook for it (SB-4) and a pit not used "
        "before "
        "allow that.",
        "{step}番目で{place}へ登っていますが、登れるのは魔導書 SB-4 があり、まだ使っていない穴だけです。",
    ),
    Rule(
        "circle-used",
        _TELEPORTERS,
        "The teleport to {place} at step {step} needs two circles that are not struck out; one was used "
        "before.",
        "{step}番目の{place}へのテレポートに使う魔法陣は、どちらも未使用でなければなりません。",
    ),
    Rule(
        "circle-inactive",
        _TELEPORTERS,
        "No scroll was held to activate {before}, so the path cannot go on at {place} (step {step}).",
        "{before}を起動する巻物がないため、{step}番目の{place}から続けることはできません。",
    ),
    Rule(
        "corridor-reused",
        _DRAWING,
        "At step {step} the path comes to {place} a second time; a corridor, a crossing of corridors "
        "included, is "
        "walked once. The path ends at {before}.",
        "{step}番目で{place}に再び来ています。通路は(交差点も含めて)一度しか通れません。"
        "経路は{before}で終わります。",
    ),
    Rule(
        "door-reused",
        _ROOMS,
        "At step {step} the path uses {place} again; a room may be visited often, but each of its doors "
        "only once.",
        "{step}番目で{place}をもう一度使っています。部屋には何度入れても、同じ出入口は一度しか使えません。",
    ),
    Rule(
        "fall-forced",
        _OBSTACLES,
        "Without a rope the path falls at {before}; it cannot stay on the main level and go to {place} at "
        "step {step}.",
        "ロープがなければ{before}で地下へ落ちます。{step}番目の{place}へ、同じ階のまま進むことはできません。",
    ),
    Rule(
        "path-crossed",
        _DRAWING,
        "Leaving by {place} at step {step}, the path would cross its own line in the room. It ends in the "
        "room.",
        "{step}番目で{place}から出ると、部屋の中で自分の経路と交差します。経路は部屋の中で終わります。",
    ),
    Rule(
        "misaligned",
        _BUILDING,
        "At this table a tableau whose corridors do not line up scores nothing, so the path from {place} "
        "does not count.",
        "通路のそろっていないタブローは数えない取り決めなので、{place}からの経路は数えません。",
    ),
)

_ENDS = (
    Rule(
        "exit",
        _ENDING,
        "The path left the dungeon at {before}: the escape box is ticked.",
        "経路は{before}からダンジョンを出ました。脱出ボックスにチェックを入れます。",
    ),
    Rule(
        "dead-end",
        _ENDING,
        "The path stops at {before}. That is a dead end: all that was found counts, but there is no escape.",
        "経路は{before}で行き止まりです。見つけたものはすべて数えますが、脱出にはなりません。",
    ),
    Rule(
        "no-path",
        _DRAWING,
        "No path was drawn, so nothing was discovered.",
        "経路が描かれていないので、発見したものはありません。",
    ),
    Rule(
        "stopped-by-monster",
        _OBSTACLES,
        "{place} could not be defeated: it ends the path at {before} and does not count.",
        "{place}を倒せないので、経路は{before}で終わり、このモンスターは数えません。",
    ),
    Rule(
        "stopped-by-padlock",
        _OBSTACLES,
        "{place} could not be opened: it ends the path at {before} and does not count.",
        "{place}を開けられないので、経路は{before}で終わり、この南京錠は数えません。",
    ),
    Rule(
        "stopped-by-lava",
        _OBSTACLES,
        "{place} could not be crossed: it ends the path at {before} and does not count.",
        "{place}を渡れないので、経路は{before}で終わり、この溶岩の穴は数えません。",
    ),
    Rule(
        "stopped-by-room-guarded",
        _ROOMS,
        "Not every monster around {before} could be defeated: the path ends there and nothing in the room "
        "counts.",
        "{before}のモンスターをすべて倒せないので、経路はそこで終わり、部屋の中は何も数えません。",
    ),
)

_LAYING_RULES = (
    Rule(
        "turned",
        _BUILDING,
        "{cards} lies on its side; cards are laid upright or upside down.",
        "{cards}が横向きです。カードは縦向き(上下はどちらでもよい)に置きます。",
    ),
    Rule(
        "overlap",
        _BUILDING,
        "{cards} lie on each other; cards may touch, but not overlap.",
        "{cards}が重なっています。カードは接して置き、重ねません。",
    ),
    Rule(
        "detached",
        _BUILDING,
        "{cards} does not touch the rest of the dungeon; it has to be in one piece, and corners alone do "
        "not join.",
        "{cards}がほかのカードとつながっていません。ダンジョンはひと続きに置き、"
        "角だけの接触はつながりになりません。",
    ),
    Rule(
        "misaligned",
        _BUILDING,
        "The corridors between {cards} do not line up; those openings count as closed.",
        "{cards}の通路がそろっていません。合わない入口は閉じているものとして扱います。",
    ),
    Rule(
        "too-many-cards",
        _HAND,
        "A dungeon has at most {limit} cards; {cards} is too many.",
        "ダンジョンに使えるカードは{limit}枚までです。{cards}が余分です。",
    ),
)

PATH_RULES: dict[str, Rule] = {rule.code: rule for rule in _PATH_RULES}
ENDS: dict[str, Rule] = {rule.code: rule for rule in _ENDS}
LAYING_RULES: dict[str, Rule] = {rule.code: rule for rule in _LAYING_RULES}
