"""Every string that a page or its script says in English is said in Japanese, with the same values in it."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages import Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from tools import script_messages
from webapp.http.languages import TRANSLATIONS
from webapp.http.pages.messages import TEMPLATE, messages_script

WEBAPP = TRANSLATIONS.parent
PO_FILES = sorted((TRANSLATIONS / "ja").glob("*.po"))
_VALUE = re.compile(r"%\((\w+)\)[sd]")


def first_form(message: Message) -> str:
    """A message's Japanese, which has one form for every number."""
    return message.string if isinstance(message.string, str) else (message.string or ("",))[0]


def said() -> Iterator[tuple[str, str]]:
    """(where, string) for every string marked for translation in code, templates and scripts."""
    methods = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
    options = {"**/templates/**.html": {"trim_blocks": "true", "lstrip_blocks": "true"}}
    for file, line, message, _comments, _context in extract_from_dir(WEBAPP, methods, options):
        for text in (message,) if isinstance(message, str) else message:
            yield f"{file}:{line}", text
    for script in sorted(script_messages.SCRIPTS.rglob("*.js")):
        for line, message in script_messages.sentences(script):
            for text in (message,) if isinstance(message, str) else message:
                yield f"{script}:{line}", text


def translated() -> dict[str, str]:
    """English to Japanese, of all files."""
    found: dict[str, str] = {}
    for file in PO_FILES:
        with file.open("rb") as source:
            for message in read_po(source, locale="ja"):
                key = message.id if isinstance(message.id, str) else message.id[0]
                value = first_form(message)
                if key:
                    found[key] = value
    return found


def test_every_string_is_translated() -> None:
    japanese = translated()
    strings = dict((text, where) for where, text in said())
    assert len(strings) > 10, "the extraction found nothing"
    plural_seconds = {
        message.id[1]
        for file in PO_FILES
        for message in read_po(file.open("rb"), locale="ja")
        if isinstance(message.id, (list, tuple))
    }
    missing = {
        text: where
        for text, where in strings.items()
        if not japanese.get(text) and text not in plural_seconds
    }
    assert not missing


def test_no_translation_is_left_over() -> None:
    strings = {text for _, text in said()}
    assert not set(translated()) - strings


def test_a_string_is_translated_in_one_place() -> None:
    places = Counter(
        message.id if isinstance(message.id, str) else message.id[0]
        for file in PO_FILES
        for message in read_po(file.open("rb"), locale="ja")
        if message.id
    )
    assert not [english for english, count in places.items() if count > 1]


def test_the_list_of_what_scripts_say_is_up_to_date() -> None:
    text = TEMPLATE.read_text(encoding="utf-8")
    assert text == script_messages.template(), "run `python -m tools.script_messages`"


def test_scripts_get_their_sentences_in_japanese() -> None:
    script = messages_script("ja")
    sentences = json.loads(script[script.index("sentences: ") + len("sentences: ") : -len(" };\n")])
    assert sentences["Undo"] == "取り消す"
    assert sentences["%(num)s game"] == ["%(num)s ゲーム"], "a form for each that the language has"
    japanese = translated()
    assert {english: form if isinstance(form, str) else form[0] for english, form in sentences.items()} == {
        english: japanese[english] for english in sentences
    }
    assert "plural: (n) => Number(0)," in script


def test_a_sentence_that_babel_does_not_see_is_told(tmp_path: Path) -> None:
    script = tmp_path / "script.js"
    script.write_text('t("One", { what: t("Two") });\ntn("%(num)s card", "%(num)s cards", n);\n')
    with pytest.raises(ValueError, match="3 calls"):
        list(script_messages.sentences(script))
    script.write_text('t("One %(what)s", { what });\ntn("%(num)s card", "%(num)s cards", n);\n')
    assert list(script_messages.sentences(script)) == [
        (1, "One %(what)s"),
        (2, ("%(num)s card", "%(num)s cards")),
    ]


@pytest.mark.parametrize("file", PO_FILES, ids=lambda file: file.stem)
def test_values_stand_in_both_languages(file: Path) -> None:
    with file.open("rb") as source:
        for message in read_po(source, locale="ja"):
            english = message.id if isinstance(message.id, str) else message.id[-1]
            japanese = first_form(message)
            assert set(_VALUE.findall(english)) == set(_VALUE.findall(japanese)), english


#: A term that people meet by another word: old, the term that stands for it (docs/glossary.md).
_OLD_TERMS = {
    "迷宮": "ダンジョン",
    "駒": "コマ",
    "写し取": "なぞる",
    "卓": "テーブル",
    "ターン": "手番",
    "反則": "ルール違反",
    "規則違反": "ルール違反",
    "出入口": "扉",
    "未発見": "未獲得",
    "下描き": "予定の線",
    "だれ": "誰",
    "スタート画面": "ホーム",
    "最初のページ": "ホーム",
    "つじつま": "問題",
    "配色": "テーマ",
    "ゲーム外の 1 枚": "単発の採点",
    "みんなのテーブル": "共有テーブル",
}
#: Words that hold an old term and mean something else.
_OTHER_WORDS = ("ストーンドラゴンの迷宮", "パターン", "食卓")
_HONORIFIC = re.compile(r"(?:\)s|\}|プレイヤー)さん")
_FULL_WIDTH = re.compile("[？！：；（）～％０-９Ａ-Ｚａ-ｚ]")
_KANA = "ぁ-ゖァ-ヺー一-龥々"
_PLACEHOLDER = re.compile(r"%\(\w+\)s|\{[^{}]*\}")
#: What counts things, of which the Japanese has a space before it and after the number.
_COUNTER = "枚|個|か所|歩目|件|通り|回|度|列|行|段|冊|つ(?!け)|コイン|ラウンド|ページ|区画|分(?!の)"
_TIGHT = re.compile(f"[A-Za-z0-9][{_KANA}]|[{_KANA}][A-Za-z0-9]|§(?:{_COUNTER})|[{_KANA}]§ ?(?:{_COUNTER})")
ROOMS = ("scorer", "vision", "calibration", "waymark", "webapp")


def sentences_in_code() -> Iterator[tuple[str, str]]:
    """(where, string) for every Japanese string constant in code: `Text(en, ja)`, phrases, tables of pairs.
    Of an f-string what is filled in is `{}`."""
    root = WEBAPP.parent
    for file in sorted(path for room in ROOMS for path in (root / room).rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        inside = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        documents = {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                text = "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
                )
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in inside:
                text = node.value
            else:
                continue
            # patterns are no sentences
            if node not in documents and re.search(f"[{_KANA}]", text) and not re.search(r"\\d|\(\?", text):
                yield f"{file.relative_to(root)}:{node.lineno}", text


def japanese_sentences() -> dict[str, str]:
    """Where to what, of pages (.po) and of code."""
    pages = {f"msgid {english!r}": japanese for english, japanese in translated().items()}
    return pages | {f"{where} {text[:20]}": text for where, text in sentences_in_code()}


def test_japanese_uses_one_term_for_a_thing() -> None:
    sentences = japanese_sentences()
    assert len(sentences) > 2000, "the sentences were not found"
    old = {}
    for where, text in sentences.items():
        for other in _OTHER_WORDS:
            text = text.replace(other, "")
        found = [f"{word} -> {term}" for word, term in _OLD_TERMS.items() if word in text]
        if found:
            old[where] = found
    assert not old


def test_japanese_has_half_width_signs_and_no_honorifics() -> None:
    said = japanese_sentences().items()
    assert not {where: text for where, text in said if _FULL_WIDTH.search(text)}
    assert not {where: text for where, text in said if _HONORIFIC.search(text)}


def test_japanese_has_a_space_about_numbers_and_latin_letters() -> None:
    tight = {}
    for where, text in japanese_sentences().items():
        found = _TIGHT.search(_PLACEHOLDER.sub("§", text))
        if found:
            tight[where] = found[0]
    assert not tight


_ENGLISH_SIGNS = re.compile("[，。、？！：（）]| [,.;:?!](?: |$)|  ")
#: Turns of speech that people stumble over when a sentence is read aloud (docs/glossary.md).
_STUMBLES = re.compile(
    r"\ball the same\b|\bhangs together\b|\bsays? otherwise\b|\bread otherwise\b|\bis to be scored\b"
    r"|\bwritten down\b|\bput right\b|\bNobody's\b|\bquick look\b|\bis no (?:picture|photo|JSON)\b"
)


def test_english_pages_have_plain_signs_and_words() -> None:
    english = [text for text in translated() if text not in {", ", "; "}]
    assert not [text for text in english if _ENGLISH_SIGNS.search(text)]
    assert not [text for text in english if _STUMBLES.search(text)]
