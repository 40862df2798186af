"""The rule table: every rule code of a ruling, with its section of the rulebook and a sentence.

Sentences are templates, in our own words. Of the path: `place` (what and where: "the monster at the left of
D29"), `step` (its number along the path, from 1), `before` (the place reached last), the `door` and the
`room` of the step, `once` (why a corridor is not walked again). Of laying: `cards`, `limit`, and English
verbs that follow their number.
"""

from __future__ import annotations

from dataclasses import dataclass

from scorer.text import Text


@dataclass(frozen=True, slots=True)
class Rule:
    """A citable rule: its code in rulings, its section of the printed rulebook (versus part), its words."""

    code: str
    section: Text
    words: Text


def _rule(code: str, section: Text, en: str, ja: str) -> Rule:
    return Rule(code, section, Text(en, ja))


_BUILDING = Text("D. Exploration, building the dungeon", "D. 探索フェーズ・ダンジョンを構築するためのルール")
_DRAWING = Text("D. Exploration, drawing the path", "D. 探索フェーズ・経路を描く方法")
_ENDING = Text("D. Exploration, how a path ends", "D. 探索フェーズ・出口と行き止まり")
_OBSTACLES = Text("D. Exploration, obstacles", "D. 探索フェーズ・障害")
_TELEPORTERS = Text("D. Exploration, teleporters", "D. 探索フェーズ・テレポーター")
_ROOMS = Text("D. Exploration, rooms", "D. 探索フェーズ・部屋")
_USING = Text("D. Exploration, using items", "D. 探索フェーズ・アイテムの使用")
_HAND = Text("C. Building the hand", "C. 手札作成フェーズ")

_PATH_RULES = (
    _rule(
        "bad-start",
        _DRAWING,
        "The path starts at {place}, but it has to start at an opening on the dungeon's outside. Nothing on "
        "it counts.",
        "経路が{place}から始まっています。ダンジョンの空いている外側の端から始めなければならないため、"
        "何も数えません。",
    ),
    _rule(
        "after-end",
        _ENDING,
        "The path was over when it came out at {before}. You went on to {place} at step {step}, so it is no "
        "escape either.",
        "経路は{before}で外に達し、そこで終わりです。{step} 歩目で{place}へ続けているため、"
        "脱出にもなりません。",
    ),
    _rule(
        "monster",
        _OBSTACLES,
        "You had nothing to defeat {place} with at step {step}. It does not count, and the path ends at "
        "{before}.",
        "{step} 歩目の{place}を倒す手段がありません。発見には数えず、経路は{before}で終わります。",
    ),
    _rule(
        "padlock",
        _OBSTACLES,
        "You had nothing to open {place} with at step {step}. It does not count, and the path ends at "
        "{before}.",
        "{step} 歩目の{place}を開ける手段がありません。発見には数えず、経路は{before}で終わります。",
    ),
    _rule(
        "lava",
        _OBSTACLES,
        "You had nothing to cross {place} with at step {step}. It does not count, and the path ends at "
        "{before}.",
        "{step} 歩目の{place}を渡る手段がありません。発見には数えず、経路は{before}で終わります。",
    ),
    _rule(
        "room-guarded",
        _ROOMS,
        "You could not defeat every monster on entering {room}, so nothing in it counts. Going on to {place} "
        "at step {step} is not possible; the path ends in the room.",
        "{room}に入ったときモンスターをすべて倒せなかったので、部屋の中は何も数えません。"
        "{step} 歩目の{place}へは進めず、経路は部屋の中で終わります。",
    ),
    _rule(
        "no-way",
        _DRAWING,
        "Nothing leads from {before} to {place} at step {step}: neither a corridor nor a teleport that you "
        "had the means for. The path ends at {before}.",
        "{before}と {step} 歩目の{place}をつなぐ廊下も、使えるテレポートもありません。"
        "経路は{before}で終わります。",
    ),
    _rule(
        "climb",
        _USING,
        "You climbed to {place} at step {step}; that takes the spellbook SB-4 and a pit that was not used "
        "before. The path ends at {before}.",
        "{step} 歩目で{place}へ登っていますが、登るには魔導書 SB-4 と、まだ使っていない落とし穴が必要です。"
        "経路は{before}で終わります。",
    ),
    _rule(
        "circle-used",
        _TELEPORTERS,
        "You teleported from {before} to {place} at step {step}, but one of the two circles had been used "
        "before. The path ends at {before}.",
        "{step} 歩目で{before}から{place}へテレポートしていますが、どちらかの魔法陣は使用済みです。"
        "経路は{before}で終わります。",
    ),
    _rule(
        "circle-inactive",
        _TELEPORTERS,
        "You had no scroll to activate {before}, so you cannot go on at {place} at step {step}. The path "
        "ends at the circle.",
        "{before}を起動する巻物がないため、{step} 歩目の{place}から続けられません。"
        "経路はその魔法陣で終わります。",
    ),
    _rule(
        "corridor-reused",
        _DRAWING,
        "You came to {place} a second time at step {step}; {once}. The path ends at {before}.",
        "{step} 歩目で{place}に再び来ています。{once}。経路は{before}で終わります。",
    ),
    _rule(
        "door-reused",
        _ROOMS,
        "You used {door} a second time at step {step}; a room may be visited often, but each of its doors is "
        "used once. The path ends at {before}.",
        "{step} 歩目で{door}をもう一度使っています。部屋には何度入れても、同じ扉は一度しか使えません。"
        "経路は{before}で終わります。",
    ),
    _rule(
        "fall-forced",
        _OBSTACLES,
        "Without a rope you fall at {before}; you cannot stay on the main floor and go on to {place} at step "
        "{step}. The path ends at the pitfall.",
        "ロープがなければ{before}で地下に落ちます。{step} 歩目の{place}へメインフロアのまま進むことは"
        "できません。経路はその落とし穴で終わります。",
    ),
    _rule(
        "path-crossed",
        _DRAWING,
        "Leaving by {place} at step {step}, you would cross your own line in {room}. The path ends "
        "in the room.",
        "{step} 歩目で{place}から出ると、{room}の中で自分の経路と交差します。経路は部屋の中で終わります。",
    ),
    _rule(
        "misaligned",
        _BUILDING,
        "At this table a dungeon whose corridors do not line up scores nothing, so the path from {place} "
        "does not count.",
        "廊下のそろっていないダンジョンは数えない取り決めなので、{place}からの経路は数えません。",
    ),
)

_ENDS = (
    _rule(
        "exit",
        _ENDING,
        "You left the dungeon at {before}. Tick the escape box.",
        "{before}からダンジョンを出ました。脱出ボックスにチェックを入れます。",
    ),
    _rule(
        "dead-end",
        _ENDING,
        "The path stops at {before}. That is a dead end: all that it discovered counts, but it is no escape.",
        "経路は{before}で止まり、行き止まりです。発見したものはすべて数えますが、脱出にはなりません。",
    ),
    _rule(
        "no-path",
        _DRAWING,
        "No path was drawn, so nothing was discovered.",
        "経路が描かれていないので、発見したものはありません。",
    ),
    _rule(
        "stopped-by-monster",
        _OBSTACLES,
        "You could not defeat {place}: it does not count, and the path ends at {before}.",
        "{place}を倒せないので、発見には数えず、経路は{before}で終わります。",
    ),
    _rule(
        "stopped-by-padlock",
        _OBSTACLES,
        "You could not open {place}: it does not count, and the path ends at {before}.",
        "{place}を開けられないので、発見には数えず、経路は{before}で終わります。",
    ),
    _rule(
        "stopped-by-lava",
        _OBSTACLES,
        "You could not cross {place}: it does not count, and the path ends at {before}.",
        "{place}を渡れないので、発見には数えず、経路は{before}で終わります。",
    ),
    _rule(
        "stopped-by-room-guarded",
        _ROOMS,
        "You could not defeat every monster in {room}: the path ends there and nothing in the room counts.",
        "{room}のモンスターをすべて倒せないので、経路はそこで終わり、部屋の中は何も数えません。",
    ),
)

_LAYING_RULES = (
    _rule(
        "turned",
        _BUILDING,
        "{cards} lies on its side; cards are laid upright or upside down.",
        "{cards}が横向きです。カードは縦向き(上下はどちらでもよい)に置きます。",
    ),
    _rule(
        "overlap",
        _BUILDING,
        "{cards} lie on each other; cards may touch, but not overlap.",
        "{cards}が重なっています。カードは接するように置き、重ねません。",
    ),
    _rule(
        "detached",
        _BUILDING,
        "{cards} {does} not touch the rest of the dungeon; it has to be in one piece, and corners alone do "
        "not join.",
        "{cards}がほかのカードに接していません。ダンジョンはひと続きに置き、"
        "角だけの接触はつながりになりません。",
    ),
    _rule(
        "misaligned",
        _BUILDING,
        "The corridors between {cards} do not line up; openings that do not meet count as closed.",
        "{cards}の廊下がそろっていません。つながらない端は閉じているものとして扱います。",
    ),
    _rule(
        "too-many-cards",
        _HAND,
        "A dungeon has at most {limit} cards; {cards} {are} too many.",
        "ダンジョンに使えるカードは {limit} 枚までです。{cards}が余分です。",
    ),
)

PATH_RULES: dict[str, Rule] = {rule.code: rule for rule in _PATH_RULES}
ENDS: dict[str, Rule] = {rule.code: rule for rule in _ENDS}
LAYING_RULES: dict[str, Rule] = {rule.code: rule for rule in _LAYING_RULES}
