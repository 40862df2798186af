"""JSON that cannot be read: the fault in both languages, with the place where it is."""

from __future__ import annotations

import pytest

from scorer.errors import WaymarkError
from scorer.mapmasters.rules.game_record import parse_game
from scorer.record import parse_record

CARD = b'{"format": "waymark-tableau/1", "cards": [%b]}'


@pytest.mark.parametrize(
    ("text", "japanese", "english"),
    [
        (b"", "中身が空です", "it is empty"),
        (b" \n", "中身が空です", "it is empty"),
        (b'{"format": ', "途中で終わっています", "truncated"),
        (b'{"a" 1}', "5 バイト目で JSON の書き方が違います", "byte 5"),
        (b"[]", "オブジェクトであるはずが配列です", "Expected `object`"),
        (b"{}", "項目 `cards` がありません", "`cards`"),
        (b'{"format": "\xff"}', "UTF-8 の文字として読めません", "UTF-8"),
        (b"[" * 100_000, "オブジェクトであるはずが配列です", "Expected"),
        (b'{"x": ' + b"[" * 100_000, "入れ子が深すぎます", "too deeply"),
        (b'{"format": "x", "cards": []}', "format が 'x' で", "format is 'x'"),
        (
            CARD % b'{"card": "D29", "x": "0", "y": 0}',
            "`$.cards[0].x`: 数値であるはずが文字列です",
            "$.cards[0].x",
        ),
        (
            CARD % b'{"card": "D29", "x": 0, "y": 0, "rotation": 45}',
            "`$.cards[0].rotation`: 45 は使えない値です",
            "45",
        ),
    ],
)
def test_the_fault_of_a_record_is_told_in_both_languages(text: bytes, japanese: str, english: str) -> None:
    with pytest.raises(WaymarkError) as caught:
        parse_record(text)
    assert caught.value.ja.startswith(f"タブローの記録ではありません({japanese}")
    assert english in caught.value.en and "Expected" not in caught.value.ja


@pytest.mark.parametrize(
    ("rest", "japanese"),
    [
        (b'"mode": "solo", "players": [{"name": "A"}]', "mode が 'solo' で"),
        (b'"players": []', "プレイヤーがいません"),
        (b'"players": [{"name": "A", "coins_left": -1}]', "'A' に 0 より小さい数があります"),
        (b'"players": [{"name": "A", "coins_left": 10000}]', "'A' に 9999 より大きい数があります"),
        (
            b'"players": [{"name": "A", "rounds": [{"secondary": 99999999999999999999}]}]',
            "'A' に 9999 より大きい数があります",
        ),
        (
            b'"players": [{"name": "A", "coins_left": 1.5}]',
            "`$.players[0].coins_left`: 整数であるはずが小数です",
        ),
    ],
)
def test_the_fault_of_a_game_is_told_in_japanese(rest: bytes, japanese: str) -> None:
    with pytest.raises(WaymarkError) as caught:
        parse_game(b'{"format": "waymark-game/1", ' + rest + b"}")
    assert japanese in caught.value.ja
