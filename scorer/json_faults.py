"""Messages for invalid JSON in English and Japanese: the decoder has them in English only."""

from __future__ import annotations

import re

from scorer.text import Text

_KINDS = {
    "object": "オブジェクト",
    "array": "配列",
    "int": "整数",
    "float": "数値",
    "str": "文字列",
    "bool": "true か false ",
    "null": "null ",
}
_PLACE = re.compile(r" - at `(?P<place>[^`]*)`$")
#: What the decoder says, and the same in Japanese.
_FAULTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile("Object missing required field `(?P<field>.*)`"), "項目 `{field}` がありません"),
    (re.compile("Expected `(?P<kind>.*)`, got `(?P<got>.*)`"), "{kind}であるはずが{got}です"),
    (re.compile("Invalid enum value (?P<value>.*)"), "{value} は使えない値です"),
    (re.compile("Number out of range"), "数が大きすぎます"),
    (re.compile("Input data was truncated"), "途中で終わっています"),
    (
        re.compile(r"JSON is malformed: .* \(byte (?P<byte>\d+)\)"),
        "{byte} バイト目で JSON の書き方が違います",
    ),
)


def json_fault(error: Exception, data: bytes | str) -> Text:
    """The fault that a JSON decoder found in `data`, in both languages."""
    if not data.strip():
        return Text("it is empty", "中身が空です")
    if isinstance(error, RecursionError):
        return Text("it is nested too deeply", "入れ子が深すぎます")
    if isinstance(error, UnicodeError):
        return Text("it is not UTF-8 text", "UTF-8 の文字として読めません")
    text = str(error)
    place = _PLACE.search(text)
    fault = text[: place.start()] if place else text
    japanese = next(
        (words.format(**_in_japanese(match)) for form, words in _FAULTS if (match := form.fullmatch(fault))),
        "値が合いません",
    )
    return Text(text, f"`{place['place']}`: {japanese}" if place else japanese)


def wrong_format(found: object, expected: str) -> Text:
    """The fault of JSON whose `format` names something else."""
    return Text(
        f"format is {found!r}, expected {expected!r}", f"format が {found!r} で、{expected!r} ではありません"
    )


def _in_japanese(match: re.Match[str]) -> dict[str, str]:
    words = match.groupdict()
    if "kind" in words:
        words["kind"] = "か".join(_KINDS.get(kind, kind) for kind in words["kind"].split(" | "))
        words["got"] = "小数" if words["got"] == "float" else _KINDS.get(words["got"], words["got"])
    return words
