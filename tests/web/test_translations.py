"""Every sentence for people (code, page templates) is in the catalogue of every language, with the same
values in it, and every catalogue entry is used."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest
from babel.messages import Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from scorer.translations import catalogue_files
from tools import script_messages
from webapp.http.pages.messages import TEMPLATE, messages_script

ROOT = Path(__file__).parents[2]
ROOMS = ("scorer", "vision", "calibration", "waymark", "webapp")
PO_FILES = catalogue_files("ja")
_VALUE = re.compile(r"%\((\w+)\)[sd]|(?<!\{)\{(\w*)[^{}]*\}")
#: A sentence by its context (or None) and its English; of one with a plural, the singular.
Key: TypeAlias = tuple[str | None, str]


@cache
def catalogue() -> tuple[tuple[Path, Message], ...]:
    found = []
    for file in PO_FILES:
        with file.open("rb") as source:
            found += [(file, message) for message in read_po(source, locale="ja") if message.id]
    return tuple(found)


def english_of(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def japanese_of(message: Message) -> str:
    """A message's Japanese, which has one form for every number."""
    return message.string if isinstance(message.string, str) else (message.string or ("",))[0]


def translated() -> dict[Key, str]:
    return {(message.context, english_of(message)[0]): japanese_of(message) for _, message in catalogue()}


def on_pages() -> Iterator[tuple[str, Key]]:
    """(where, sentence) for what the page templates and Flask-Babel's functions say."""
    methods = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
    options = {"**/templates/**.html": {"trim_blocks": "true", "lstrip_blocks": "true"}}
    for file, line, message, _, context in extract_from_dir(ROOT / "webapp", methods, options):
        yield f"webapp/{file}:{line}", (context, message if isinstance(message, str) else message[0])


def in_scripts() -> Iterator[tuple[str, Key]]:
    """(where, sentence) for what the pages' scripts say."""
    for script in script_messages.scripts():
        for line, message in script_messages.sentences(script):
            yield f"{script}:{line}", (None, message if isinstance(message, str) else message[0])


@cache
def parsed_rooms() -> tuple[tuple[Path, ast.Module], ...]:
    files = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    return tuple((file, ast.parse(file.read_text(encoding="utf-8"))) for file in files)


def in_code() -> Iterator[tuple[str, Key | None]]:
    """(where, sentence) for every `Text` and `plural` in code; None where the English is not a constant."""
    for file, tree in parsed_rooms():
        if file.name == "text.py":
            continue
        for call in ast.walk(tree):
            if not isinstance(call, ast.Call):
                continue
            name = ast.unparse(call.func).removeprefix("text.")
            # `Mapped[str] = mapped_column(Text(64))` is a column of a table.
            if name not in ("Text", "plural", "plurals") or not call.args or file.name == "models.py":
                continue
            english = call.args[0]
            constant = isinstance(english, ast.Constant) and isinstance(english.value, str)
            contexts = [each.value for each in call.keywords if each.arg == "context"]
            context = contexts[0].value if contexts and isinstance(contexts[0], ast.Constant) else None
            where = f"{file.relative_to(ROOT)}:{call.lineno}"
            yield where, (context, english.value) if constant else None  # type: ignore[attr-defined,misc]


@cache
def said() -> dict[Key, str]:
    """Every sentence, and where."""
    found = {key: where for where, key in (*on_pages(), *in_scripts())}
    found |= {key: where for where, key in in_code() if key is not None and key[1]}
    text = (ROOT / "scorer/text.py").read_text(encoding="utf-8")
    signs = re.findall(r'Text\("([^"]+)"(?:, context="(\w+)")?\)', text)
    return found | {(context or None, sign): "scorer/text.py" for sign, context in signs}


def test_sentences_in_code_are_constants() -> None:
    assert not [where for where, key in in_code() if key is None]


def test_every_sentence_is_translated() -> None:
    japanese, sentences = translated(), said()
    assert len(sentences) > 3000, "the extraction found too little"
    assert not {key: where for key, where in sentences.items() if not japanese.get(key)}


def test_no_translation_is_left_over() -> None:
    assert not set(translated()) - set(said())


def test_a_sentence_is_translated_once() -> None:
    times = Counter((message.context, english_of(message)[0]) for _, message in catalogue())
    assert not {key: count for key, count in times.items() if count > 1}


def values_of(sentence: str) -> set[str]:
    return {python or braces for python, braces in _VALUE.findall(sentence)}


def test_translations_have_the_values_of_the_english() -> None:
    """Japanese may leave out a value; one that the English does not have is given by name in the code."""
    unlike, given = {}, given_values()
    for file, message in catalogue():
        english, japanese = english_of(message), values_of(japanese_of(message))
        named = values_of(english[-1])
        same = named == japanese if "%(" in english[-1] else japanese <= named | given.get(english[0], set())
        if not same:
            unlike[english[-1]] = file.name
    assert not unlike


def given_values() -> dict[str, set[str]]:
    """The values that code gives to each sentence, besides those that its English names."""
    given: dict[str, set[str]] = {}
    for _, tree in parsed_rooms():
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant):
                names = {each.arg for each in call.keywords if each.arg}
                given.setdefault(str(call.args[0].value), set()).update(names)
    return given


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
        english: japanese[None, english] for english in sentences
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


def japanese_sentences() -> dict[str, str]:
    """Each English sentence with its Japanese."""
    return {f"{context or ''}|{english}": japanese for (context, english), japanese in translated().items()}


def test_no_japanese_is_left_in_code() -> None:
    """Words for people stand in the catalogues; patterns, fonts and figures are no words."""
    found = []
    for file, tree in parsed_rooms():
        documents = {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        found += [
            f"{file.relative_to(ROOT)}:{node.lineno} {node.value[:20]}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in documents
            if re.search(f"[{_KANA}]", node.value) and not re.search(r"\\|\(\?|W4", node.value)
        ]
    assert not found


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
    r"|\bwritten down\b|\bput right\b|\bNobody's\b|\bquick look\b|(?<!There )\bis no (?:picture|photo|JSON)\b"
)


def test_english_pages_have_plain_signs_and_words() -> None:
    english = [text for _, text in translated() if text.strip(" ,;:")]
    assert not [text for text in english if _ENGLISH_SIGNS.search(text)]
    assert not [text for text in english if _STUMBLES.search(text)]
