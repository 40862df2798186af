"""Words for people, told in the language of the reader, and which languages there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from string import Formatter

from scorer.translations import translated_languages, translations

Language = str
ENGLISH: Language = "en"
#: Languages that are written without spaces.
_WITHOUT_SPACES = frozenset({"ja", "th", "zh"})
LANGUAGES: tuple[Language, ...] = (ENGLISH, *translated_languages())


class Text:
    """A name, a sentence or a label: an English template, which is its key in the catalogues (scorer/translations),
    and the values of its `{placeholders}`. Where the language of the reader is known, `message` tells it.

    `context` tells apart what English has one word for and other languages several. Values may be texts.
    """

    __slots__ = ("_context", "_template", "_values", "_written")

    def __init__(self, template: str, /, *, context: str | None = None, **values: object) -> None:
        self._template = template
        self._context = context
        self._values = values
        self._written: Mapping[Language, str] = {}

    def message(self, language: Language) -> str:
        """The words in `language`; English where they are not translated."""
        words = self._template_in(language)
        if not self._values:
            return words
        return words.format(**{name: _told(value, language) for name, value in self._values.items()})

    def _template_in(self, language: Language) -> str:
        if self._written:
            return self._written.get(language, self._template)
        if language == ENGLISH or not self._template:
            return self._template
        found = translations(language)
        if self._context:
            return found.pgettext(self._context, self._template)
        return found.gettext(self._template)

    @property
    def en(self) -> str:
        """The words in English."""
        return self.message(ENGLISH)

    @property
    def ja(self) -> str:
        """The words in Japanese."""
        return self.message("ja")

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
            for _, name, _, _ in Formatter().parse(self._template_in(language))
            if name and name not in self._values
        )

    def filled(self, **values: object) -> Text:
        """The template with values for its `{placeholders}`."""
        if self._written:
            return each_language(
                lambda language: self.message(language).format(
                    **{name: _told(value, language) for name, value in values.items()}
                )
            )
        return Text(self._template, context=self._context, **{**self._values, **values})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Text):
            return NotImplemented
        return all(self.message(language) == other.message(language) for language in LANGUAGES)

    def __hash__(self) -> int:
        return hash(self.en)

    def __repr__(self) -> str:
        return f"Text({self.en!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return (_restored, (self._template, self._context, self._values, self._written))


def _told(value: object, language: Language) -> object:
    return value.message(language) if isinstance(value, Text) else value


def _restored(
    template: str, context: str | None, values: dict[str, object], written: Mapping[Language, str]
) -> Text:
    text = Text(template, context=context, **values)
    text._written = written
    return text


def each_language(words: Callable[[Language], str]) -> Text:
    """The text that `words` makes in each language."""
    return spoken({language: words(language) for language in LANGUAGES})


def spoken(words: Mapping[Language, str]) -> Text:
    """A text by its words in each language."""
    return _restored(words[ENGLISH], None, {}, words)


def written(en: str, ja: str) -> Text:
    """A text whose words are written already, as in a record that was stored."""
    return spoken({ENGLISH: en, "ja": ja})


def unchanged(words: object) -> Text:
    """What is the same in every language: a name, a number."""
    return written(str(words), str(words))


def listed(parts: Iterable[object], between: Text | None = None) -> Text:
    """The parts, texts or names, with `between` between them: a comma unless said otherwise."""
    kept = tuple(parts)
    sign = COMMA if between is None else between
    return each_language(lambda language: sign.message(language).join(str(_told(part, language)) for part in kept))


def plural(one: str, many: str, count: int, /, **values: object) -> Text:
    """The form of a sentence that the language has for a number; the number is its `{count}`."""

    def words(language: Language) -> str:
        form = translations(language).ngettext(one, many, count) if language != ENGLISH else ""
        form = form or (one if count == 1 else many)
        return form.format(count=count, **{name: _told(value, language) for name, value in values.items()})

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
        lambda language: _first(sentence.en, str.lower).rstrip(".")
        if language == ENGLISH
        else sentence.message(language).rstrip("。")
    )


def unended(sentence: Text) -> Text:
    """A sentence without its full stop."""
    return each_language(lambda language: sentence.message(language).rstrip(".。"))


def lower(name: Text) -> Text:
    """A name as it is written within an English sentence."""
    return each_language(lambda language: name.en.lower() if language == ENGLISH else name.message(language))


def _first(words: str, change: Callable[[str], str]) -> str:
    return change(words[:1]) + words[1:]


#: Between the parts of a list, and between alternatives.
COMMA, SEMICOLON, AND, OR = Text(", "), Text("; ", context="list"), Text(" and "), Text(" or ")
#: Between sentences.
SPACE = each_language(lambda language: "" if language in _WITHOUT_SPACES else " ")
#: Nothing is said.
NO_WORDS = Text("")
