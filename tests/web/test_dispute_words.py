"""What a dispute assumes, in words: whole sentences in both languages, whatever is held."""

from __future__ import annotations

import pytest
from dungeons import card
from flask import Flask
from tiny_tableaus import assessment

from scorer.text import LANGUAGES
from waymark.review.tableau.counterfactuals import parse_assumption
from webapp.disputes.words import Wording


@pytest.mark.parametrize(
    ("held", "key", "words"),
    [
        (
            {},
            "held:fairy:rope*1",
            (
                "With a rope token",
                "Rule again: a rope token was held",
                "ロープのフェアリートークンがあれば",
                "ロープのフェアリートークンを持っていたことにして判定し直す",
            ),
        ),
        (
            {},
            "held:fairy:rope*2",
            (
                "With 2 rope tokens",
                "Rule again: 2 rope tokens were held",
                "ロープのフェアリートークンが 2 個あれば",
                "ロープのフェアリートークンを 2 個持っていたことにして判定し直す",
            ),
        ),
        (
            {"rope": 1},
            "held:fairy:rope*1",
            (
                "With one more rope token",
                "Rule again: one more rope token was held",
                "ロープのフェアリートークンがもう 1 個あれば",
                "ロープのフェアリートークンをもう 1 個持っていたことにして判定し直す",
            ),
        ),
        (
            {"rope": 1},
            "held:fairy:rope*2",
            (
                "With 2 more rope tokens",
                "Rule again: 2 more rope tokens were held",
                "ロープのフェアリートークンがもう 2 個あれば",
                "ロープのフェアリートークンをもう 2 個持っていたことにして判定し直す",
            ),
        ),
        (
            {"rope": 1},
            "held:fairy:rope*1+fairy:sword*2",
            (
                "With one more rope token, 2 sword tokens",
                "Rule again: one more rope token, 2 sword tokens were held",
                "ロープのフェアリートークンもう 1 個、剣のフェアリートークン 2 個があれば",
                "ロープのフェアリートークンもう 1 個、剣のフェアリートークン 2 "
                "個を持っていたことにして判定し直す",
            ),
        ),
        (
            {},
            "held:SB-3*1",
            (
                "With the spellbook SB-3 (cross one pitfall or lava pit)",
                "Rule again: the spellbook SB-3 was held",
                "魔導書 SB-3 (落とし穴か溶岩の穴を 1 つ渡る)があれば",
                "魔導書 SB-3を持っていたことにして判定し直す",
            ),
        ),
        (
            {"rope": 1},
            "not_held:fairy:rope*1",
            (
                "Without a rope token",
                "Rule again without a rope token",
                "ロープのフェアリートークンがなければ",
                "ロープのフェアリートークンを持っていなかったことにして判定し直す",
            ),
        ),
        (
            {"rope": 2},
            "not_held:fairy:rope*1",
            (
                "With one rope token fewer",
                "Rule again: one rope token fewer was held",
                "ロープのフェアリートークンが 1 個少なければ",
                "ロープのフェアリートークンが 1 個少なかったことにして判定し直す",
            ),
        ),
        (
            {},
            "house:room_lava_needs_rope",
            (
                "If the table did not play by the house rule “Lava pits in rooms need a rope”",
                "Rule again without the house rule “Lava pits in rooms need a rope”",
                "ハウスルール「部屋の溶岩の穴にはロープが必要」を使わないなら",
                "ハウスルール「部屋の溶岩の穴にはロープが必要」なしで判定し直す",
            ),
        ),
        (
            {},
            "backwards",
            (
                "If the path was walked the other way round",
                "Rule again: the path was walked the other way round",
                "経路が逆向きなら",
                "経路は逆向きだったとして判定し直す",
            ),
        ),
    ],
)
def test_what_is_assumed_reads_as_a_sentence(
    app: Flask, held: dict[str, int], key: str, words: tuple[str, ...]
) -> None:
    now = assessment(card("S", "w1 coin1 e1"), "w1 coin1 e1", tokens=held)
    assumption = parse_assumption(now, key)
    assert assumption is not None
    found: list[str] = []
    for language in LANGUAGES:
        with app.test_request_context(headers={"Accept-Language": language}):
            wording = Wording(now, language, {})
            found += [wording.condition(assumption), wording.settling(assumption)]
    assert tuple(found) == words
