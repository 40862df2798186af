"""A tableau and its path as one line of text that people read, write in a forum post, and diff.

    D37v@0,0 S3-green^@63,0 | 0:s1 j5 f1 j3 j2 d1 A d2 j4 j1 w1 1:w2 j2 f1 j5 f2 s1 | rope=1 primary=sword

Three parts, parted by ` | `; the later ones may be left out.

- Cards in order: the card's name, how it lies (`^` upright, `v` upside down, `>` and `<` a quarter turn
  clockwise and back), `@x,y` in millimetres.
- The path: places in walking order, a number and a colon where the card changes, ` > ` where the line breaks
  off and a teleport leads on. A stroke without places is `-`.
- The rest, in any order: fairy tokens `sword=1`, spellbooks by name, `primary=` and `secondary=` objectives,
  `circled=0:f1,A2` and `struck=` marks, `catalogue=`, and what a person says was used where:
  `paid=1:p1/fairy:rope,1:p2/rope/0:f3` (a place, the means, and where an item came from).

Letters, digits, `_`, `-`, `.` and `+` stand for themselves in names, all else is percent-encoded, and so are
full-width letters and other dashes. `parse_notation` undoes `to_notation` exactly; it also reads what chat
programs, keyboards and forums make of a line (`as_typed`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from urllib.parse import unquote

from scorer.errors import Code, WaymarkError
from scorer.record import (
    Marks,
    Objectives,
    PlacedCard,
    Record,
    Rotation,
    StatedPayment,
    make_record,
    parse_record,
    within_limits,
)
from scorer.text import Text

_LIES: dict[Rotation, str] = {0: "^", 90: ">", 180: "v", 270: "<"}
_TURNED: dict[str, Rotation] = {sign: rotation for rotation, sign in _LIES.items()}
_CARD = re.compile(r"(?P<card>\S*)(?P<lies>[\^v<>])@(?P<x>[^,\s]+),(?P<y>[^,\s]+)")
_PLACE = re.compile(r"(0|[1-9][0-9]*)\.(.+)", re.DOTALL)
_PLAIN = re.compile(r"[\w.+-]")
#: Characters that stand for others in pasted text, by their code: full-width ASCII, dashes, quotes around the
#: line, what has no width. `quoted` leaves none of them in a name.
_PASTED: dict[int, str] = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys((*range(0x2010, 0x2016), 0x2212, 0xFE58, 0xFE63), "-"),
    **dict.fromkeys(map(ord, '`"\u201c\u201d\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff'), ""),
}
#: A label in front ("Notation:"): nothing else has a colon before the first card's `@`.
_LABEL = re.compile(r"[^@|:]*:[\s*]*(?=[\w?%])")
_EMPTY_STROKE = "-"
_DEFAULT_CATALOGUE = "open"


def to_notation(record: Record) -> str:
    """The record as one line of text."""
    cards = " ".join(card_word(placed) for placed in record.cards)
    path = strokes_written(record.path)
    rest = " ".join(_rest_written(record))
    if rest:
        return f"{cards} | {path} | {rest}"
    return f"{cards} | {path}" if path else cards


def as_typed(text: str) -> str:
    """Pasted notation in ASCII signs (from full-width ones and other dashes), without a label in front,
    quotes around it, and characters that have no width."""
    return _without_label(text.translate(_PASTED).strip())


def _without_label(text: str) -> str:
    label = _LABEL.match(text)
    return text[label.end() :] if label is not None else text


def parse_notation(text: str) -> Record:
    """Read a record from its notation, as it was pasted; line breaks count as spaces. Raises `WaymarkError`
    (not-a-notation, record-too-large).
    """
    parts = [part.split() for part in as_typed(text).split("|")]
    if len(parts) > 3:
        raise _not_a_notation(text, "it has more than three parts")
    words, path, rest = [*parts, [], []][:3]
    cards = tuple(placed_card(word) for word in words)
    if not cards:
        raise _not_a_notation(text, "it names no cards")
    return within_limits(_with_rest(cards, strokes_from(path), rest))


def parse_record_or_notation(data: bytes | str) -> Record:
    """Read a record from JSON or from its notation, whichever it is. Raises `WaymarkError`."""
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
    except UnicodeDecodeError:
        return parse_record(data)  # whose error says what was expected
    if text.lstrip()[:1] in ("", "{", "["):
        return parse_record(text)
    try:
        return parse_notation(text)
    except WaymarkError:
        if "@" in as_typed(text):
            raise
        return parse_record(text)


def card_word(placed: PlacedCard) -> str:
    """A card, its rotation and its position, as one word of the notation."""
    lies = _LIES[placed.rotation]
    return f"{quoted(placed.card)}{lies}@{number_written(placed.x)},{number_written(placed.y)}"


def strokes_written(path: Sequence[Sequence[str]]) -> str:
    card = ""
    strokes = []
    for stroke in path:
        words = []
        for name in stroke:
            word, card = place_written(name, card)
            words.append(word)
        strokes.append(" ".join(words) or _EMPTY_STROKE)
    return " > ".join(strokes)


def place_written(name: str, card: str) -> tuple[str, str]:
    """The notation of a place, given the `card` of the place before; and the card that the following words
    refer to."""
    match = _PLACE.fullmatch(name)
    if match is None:
        return f":{quoted(name)}", ""
    index, local = match.groups()
    local = quoted(local)
    # A place called like an empty stroke needs its card's number to be told from one.
    return (local if index == card and local != _EMPTY_STROKE else f"{index}:{local}"), index


def _rest_written(record: Record) -> Iterable[str]:
    for kind, count in record.fairy_tokens.items():
        yield f"fairy:{quoted(kind)}={count}" if kind in _KEYS else f"{quoted(kind)}={count}"
    for book in record.spellbooks:
        yield quoted(book) or "%"
    if record.objectives.primary is not None:
        yield f"primary={quoted(record.objectives.primary)}"
    if record.objectives.secondary is not None:
        yield f"secondary={quoted(record.objectives.secondary)}"
    if record.marks.circled:
        yield f"circled={marks_written(record.marks.circled)}"
    if record.marks.struck:
        yield f"struck={marks_written(record.marks.struck)}"
    if record.catalogue != _DEFAULT_CATALOGUE:
        yield f"catalogue={quoted(record.catalogue)}"
    if record.stated:
        yield f"paid={','.join(_payment_written(stated) for stated in record.stated)}"


_KEYS = frozenset({"primary", "secondary", "circled", "struck", "catalogue", "paid"})


def _payment_written(stated: StatedPayment) -> str:
    at, _ = place_written(stated.at, "")
    means = ":".join(quoted(part) for part in stated.means.split(":"))
    if stated.source is None:
        return f"{at}/{means}"
    source, _ = place_written(stated.source, "")
    return f"{at}/{means}/{source}"


def marks_written(names: Sequence[str]) -> str:
    card, words = "", []
    for name in names:
        word, card = place_written(name, card)
        words.append(word)
    return ",".join(words)


def placed_card(word: str) -> PlacedCard:
    match = _CARD.fullmatch(word)
    if match is None:
        raise _not_a_notation(word, "a card is written like D29^@0,0")
    try:
        x, y = float(match["x"]), float(match["y"])
    except ValueError:
        raise _not_a_notation(word, "a card's place is two numbers") from None
    if not (math.isfinite(x) and math.isfinite(y)):
        raise _not_a_notation(word, "a card's place is two numbers")
    return PlacedCard(unquote(match["card"]), x, y, _TURNED[match["lies"]])


def strokes_from(words: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    if not words:
        return ()
    strokes: list[list[str]] = [[]]
    card = ""
    for word in words:
        if word == ">":
            strokes.append([])
        elif word != _EMPTY_STROKE:
            name, card = place_word(word, card)
            strokes[-1].append(name)
    return tuple(tuple(stroke) for stroke in strokes)


def place_word(word: str, card: str) -> tuple[str, str]:
    index, colon, local = word.rpartition(":")
    if colon and not index:
        return unquote(local), ""
    index = index or card
    if not index.isdecimal():
        raise _not_a_notation(word, "a place is written like 0:w1, and w1 after another place of that card")
    return f"{index}.{unquote(local)}", index


def _with_rest(
    cards: tuple[PlacedCard, ...], path: tuple[tuple[str, ...], ...], words: Sequence[str]
) -> Record:
    tokens: dict[str, int] = {}
    books: list[str] = []
    values: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            books.append("" if word == "%" else unquote(word))
        elif key in _KEYS:
            values[key] = value
        else:
            kind = unquote(key.removeprefix("fairy:"))
            if re.fullmatch(r"-?[0-9]{1,9}", value) is None:
                raise _not_a_notation(word, "fairy tokens are written like sword=1")
            tokens[kind] = int(value)
    return make_record(
        cards,
        path,
        marks=Marks(
            circled=marks_word(values.get("circled", "")), struck=marks_word(values.get("struck", ""))
        ),
        fairy_tokens=tokens,
        spellbooks=tuple(books),
        objectives=Objectives(primary=_named(values, "primary"), secondary=_named(values, "secondary")),
        catalogue=unquote(values.get("catalogue", _DEFAULT_CATALOGUE)),
        payments=tuple(_payment(word) for word in values["paid"].split(",")) if values.get("paid") else (),
    )


def _payment(word: str) -> StatedPayment:
    parts = word.split("/")
    if len(parts) not in (2, 3):
        raise _not_a_notation(word, "a payment is written like 1:p1/fairy:rope or 1:p1/rope/0:f3")
    at, means, *sources = parts
    source = place_word(sources[0], "")[0] if sources else None
    return StatedPayment(at=place_word(at, "")[0], means=unquote(means), source=source)


def marks_word(value: str) -> tuple[str, ...]:
    names, card = [], ""
    for word in value.split(",") if value else ():
        name, card = place_word(word, card)
        names.append(name)
    return tuple(names)


def _named(values: dict[str, str], key: str) -> str | None:
    return unquote(values[key]) if key in values else None


def quoted(name: str) -> str:
    return "".join(
        letter
        if _PLAIN.fullmatch(letter) and ord(letter) not in _PASTED
        else "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "surrogatepass"))
        for letter in name
    )


def number_written(value: float) -> str:
    return repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


def _not_a_notation(word: str, detail: str) -> WaymarkError:
    shown = word if len(word) <= 60 else word[:57] + "..."
    return WaymarkError(
        Code.NOT_A_NOTATION,
        Text(
            "This is not the notation of a tableau ({detail}; found {shown!r}); write it like D29^@0,0 "
            "D05v@63,44 | 0:w1 j1 e1 1:w2.",
            detail=detail,
            shown=shown,
        ),
    )
