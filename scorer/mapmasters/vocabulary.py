"""Vocabulary of Map Masters in English and Japanese: finds, places and events."""

from __future__ import annotations

from collections.abc import Mapping

from scorer.text import Text
from scorer.vocabulary import Vocabulary

#: Finds, and what objectives count that is none.
FINDS: Mapping[str, Text] = {
    "coin": Text("coin", "コイン"),
    "barrel": Text("barrel", "樽"),
    "sword": Text("sword", "剣"),
    "key": Text("key", "鍵"),
    "rope": Text("rope", "ロープ"),
    "scroll": Text("scroll", "巻物"),
    "monster": Text("monster", "モンスター"),
    "padlock": Text("padlock", "南京錠"),
    "pitfall": Text("pitfall", "落とし穴"),
    "lava_pit": Text("lava pit", "溶岩の穴"),
    "magic_circle": Text("magic circle", "魔法陣"),
    "recycle": Text("recycling sign", "リサイクル"),
    "scissors": Text("scissors", "はさみ"),
}
_COUNTED: Mapping[str, Text] = {
    "pit": Text("pit", "穴"),
    "room": Text("room", "部屋"),
    "stairs": Text("stairs", "階段"),
}
_TOKENS: Mapping[str, Text] = {
    f"fairy:{tool}": Text(f"fairy {FINDS[tool].en}", f"フェアリートークン ({FINDS[tool].ja})")
    for tool in ("sword", "key", "rope", "scroll")
}
_EVENTS: Mapping[str, Text] = {
    "collected": Text("{what} collected", "{what}を獲得"),
    "discovered": Text("{what} discovered", "{what}を発見"),
    "defeated": Text("{what} defeated", "{what}を撃破"),
    "opened": Text("{what} opened", "{what}を解錠"),
    "crossed": Text("{what} crossed", "{what}を越えた"),
    "fell": Text("fell to the underground", "地下へ落下"),
    "climbed": Text("climbed out of the pit", "穴を登った"),
    "took_stairs": Text("took the stairs", "階段を使った"),
    "teleported": Text("teleported", "テレポート"),
    "re_entered": Text("re-entered on the other side", "反対側から再び入った"),
    "entered": Text("room cleared: {what}", "部屋を踏破: {what}"),
    "guarded": Text("room still guarded", "部屋のモンスターを倒せない"),
    "escaped": Text("escaped", "脱出"),
}

VOCABULARY = Vocabulary(words={**FINDS, **_COUNTED, **_TOKENS}, events=_EVENTS)
