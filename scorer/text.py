"""Texts for people in the language of the reader, and the list of available languages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from string import Formatter

from scorer.translations import translated_languages, translations

Language = str
ENGLISH: Language = "en"
#: The languages that records and answers of the API keep (docs/FORMATS.md).
KEPT: tuple[Language, ...] = (ENGLISH, "ja")
#: Languages that are written without spaces.
_WITHOUT_SPACES = frozenset({"ja", "th", "zh"})
LANGUAGES: tuple[Language, ...] = (ENGLISH, *translated_languages())


@dataclass(frozen=True, init=False, repr=False)
class Text:
    """A name, sentence or label in several languages. It consists of an English template, which is its key in
    the catalogues (`scorer.translations`), and of values for its `{placeholders}`, which may be texts.

    `message` gives the wording in a reader's language; records and answers contain English and Japanese.

    `context` distinguishes meanings of one English word that other languages express differently."""

    en: str
    ja: str

    def __init__(self, template: str, /, *, context: str | None = None, **values: object) -> None:
        self._set(_Template(template, context, values), {})

    def _set(self, template: _Template | None, written: Mapping[Language, str]) -> None:
        fields = {"_template": template, "_written": written}
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        for language in KEPT:
            object.__setattr__(self, language, self._words(language))

    def __repr__(self) -> str:
        return f"Text({self.en!r}, {self.ja!r})"

    def message(self, language: Language) -> str:
        """The words in `language`; English where they are not translated."""
        return self._words(language) if language not in KEPT else self.pair[KEPT.index(language)]

    def _words(self, language: Language) -> str:
        # What was read from a record has its fields alone.
        template: _Template | None = getattr(self, "_template", None)
        if template is not None:
            return template.words(language)
        written: Mapping[Language, str] = getattr(self, "_written", {})
        return written[language] if language in written else written.get(ENGLISH) or self.en

    @property
    def pair(self) -> tuple[str, str]:
        """The words as records keep them: in English and in Japanese."""
        return self.en, self.ja

    @property
    def placeholders(self) -> frozenset[str]:
        """The names of the values that the words of any language still take."""
        return frozenset(
            name
            for language in LANGUAGES
            for _, name, _, _ in Formatter().parse(self.message(language))
            if name
        )

    def filled(self, **values: object) -> Text:
        """The template with values for its `{placeholders}`; others may be filled in later."""
        template: _Template | None = getattr(self, "_template", None)
        if template is None:
            return each_language(lambda language: _filled(self.message(language), values, language))
        return Text(template.english, context=template.context, **{**template.values, **values})


@dataclass(frozen=True)
class _Template:
    english: str
    context: str | None
    values: Mapping[str, object]

    def words(self, language: Language) -> str:
        found = self.english
        if found and language != ENGLISH:
            known = translations(language)
            found = known.pgettext(self.context, found) if self.context else known.gettext(found)
        return _filled(found, self.values, language) if self.values else found


class _Values(dict[str, object]):
    """Values by placeholder; those that are not given yet stay placeholders."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


def _filled(template: str, values: Mapping[str, object], language: Language) -> str:
    return template.format_map(_Values((name, _told(value, language)) for name, value in values.items()))


def _told(value: object, language: Language) -> object:
    return value.message(language) if isinstance(value, Text) else value


def each_language(words: Callable[[Language], str]) -> Text:
    """The text that `words` makes in each language."""
    return spoken({language: words(language) for language in LANGUAGES})


def spoken(words: Mapping[Language, str]) -> Text:
    """A text made from its wording in each language."""
    text = Text("")
    text._set(None, words)
    return text


def written(en: str, ja: str) -> Text:
    """A text whose English and Japanese wordings are given, as in a stored record."""
    return spoken({ENGLISH: en, "ja": ja})


def unchanged(words: object) -> Text:
    """A text that is the same in every language, such as a name or number."""
    return written(str(words), str(words))


def listed(parts: Iterable[object], between: Text | None = None) -> Text:
    """The parts (texts or names) joined by `between`, by default a comma."""
    kept = tuple(parts)
    sign = COMMA if between is None else between
    return each_language(
        lambda language: sign.message(language).join(str(_told(part, language)) for part in kept)
    )


def plural(one: str, many: str, count: int, /, **values: object) -> Text:
    """The form of a sentence that the language has for a number; the number is its `{count}`."""

    def words(language: Language) -> str:
        form = translations(language).ngettext(one, many, count) if language != ENGLISH else ""
        form = form or (one if count == 1 else many)
        return _filled(form, {"count": count, **values}, language)

    return each_language(words)


def sentences(parts: Iterable[Text]) -> Text:
    """Sentences one after another: with a space between them where the language is written with spaces."""
    return listed(parts, SPACE)


def plurals(one: str, many: str) -> Callable[..., Text]:
    """The sentence that `plural` makes of a number and values, under one name."""
    return partial(plural, one, many)


def capitalised(text: Text) -> Text:
    """The text with a capital first letter, in English."""
    return each_language(
        lambda language: _first(text.en, str.upper) if language == ENGLISH else text.message(language)
    )


def within(sentence: Text) -> Text:
    """A sentence as a part of another one: without its capital letter and its full stop."""
    return each_language(
        lambda language: (
            _first(sentence.en, str.lower).rstrip(".")
            if language == ENGLISH
            else sentence.message(language).rstrip("。")
        )
    )


def unended(sentence: Text) -> Text:
    """A sentence without its final full stop."""
    return each_language(lambda language: sentence.message(language).rstrip(".。"))


def lower(name: Text) -> Text:
    """A name as it is written within an English sentence."""
    return each_language(lambda language: name.en.lower() if language == ENGLISH else name.message(language))


def _first(words: str, change: Callable[[str], str]) -> str:
    return change(words[:1]) + words[1:]


#: Separators between the parts of a list, and between alternatives.
COMMA, SEMICOLON, AND, OR = Text(", "), Text("; ", context="list"), Text(" and "), Text(" or ")
#: Separator between sentences.
SPACE = each_language(lambda language: "" if language in _WITHOUT_SPACES else " ")
#: The empty text.
NO_WORDS = Text("")
