"""Notation of a cooperative table: the record as one line of text.

    cooperative | D29^@0,0 B02^@63,0 ?^@126,0 | green start=0:w1 rope=1 SB-6 ; blue
    | green 0:w1 j1 e1 goal=boots ; blue 1:n1 j2 sketch=yes | mission=M01 difficulty=hard

Five parts, parted by ` | `; the later ones may be left out.

- The word `cooperative`.
- Cards as in `scorer.notation`; one that lies face down begins with `?`, and is nothing but that where nobody
  knows it.
- Groups, parted by ` ; `: the name, then in any order `colour=`, `start=0:w1` or `start=2,0:top:31.5` (the
  slot's column and row, side, mm), tokens `rope=1`, spellbooks, `took=3:f2/key` (from an optimizer),
  `circled=` and `struck=`.
- Paths in the order drawn, parted by ` ; `: the group, places and strokes as in `scorer.notation`, `goal=`,
  `sketch=yes`.
- The rest: `mission=` (an id, or the mission as JSON), `difficulty=`, `origin=x,y`, `declared=a,b`,
  `turn=Eva/2`, `house:broken_rule=open`, `catalogue=`.

Names are written as in `scorer.notation`. `parse_notation` undoes `to_notation` exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast
from urllib.parse import unquote

import msgspec
from msgspec import UNSET

from scorer.catalogue import Side
from scorer.errors import Code, WaymarkError
from scorer.mapmasters.cooperative.rules.mission import Mission, parse_mission
from scorer.mapmasters.cooperative.rules.record import (
    CellStart,
    Group,
    GroupPath,
    TableCard,
    TableRecord,
    Turn,
    checked_table,
)
from scorer.mapmasters.cooperative.rules.settings import DIFFICULTIES, Difficulty
from scorer.mapmasters.cooperative.rules.terms import make_terms
from scorer.notation import (
    as_typed,
    card_word,
    marks_word,
    marks_written,
    number_written,
    place_word,
    place_written,
    placed_card,
    quoted,
    strokes_from,
    strokes_written,
)
from scorer.record import FORMAT, Marks
from scorer.text import Text

WORD = "cooperative"

_CELL = re.compile(r"(-?\d{1,6}),(-?\d{1,6}):(left|right|top|bottom):(-?\d+(?:\.\d+)?)")
_COUNT = re.compile(r"-?[0-9]{1,9}")
_GROUP_KEYS = frozenset({"colour", "start", "took", "circled", "struck"})
_PATH_KEYS = frozenset({"goal", "sketch"})
_REST_KEYS = frozenset({"mission", "difficulty", "origin", "declared", "turn", "catalogue"})


def to_notation(record: TableRecord) -> str:
    """The record as one line of text."""
    parts = [
        WORD,
        " ".join(_card_written(card) for card in record.cards),
        " ; ".join(" ".join(_group_written(group)) for group in record.groups),
        " ; ".join(" ".join(_path_written(path)) for path in record.paths),
        " ".join(_rest_written(record)),
    ]
    while not parts[-1]:
        parts.pop()
    return " | ".join(parts)


def parse_notation(text: str) -> TableRecord:
    """Read a cooperative record from its notation, as it was pasted; line breaks count as spaces. Raises
    `WaymarkError` (not-a-notation, and as `checked_table`)."""
    parts = [part.split() for part in as_typed(text).split("|")]
    if len(parts) > 5 or parts[0] != [WORD]:
        raise _wrong(text, f"it has five parts at most, of which the first is {WORD}")
    cards, groups, paths, rest = [*parts[1:], [], [], [], []][:4]
    if not cards:
        raise _wrong(text, "it names no cards")
    record = TableRecord(
        format=FORMAT,
        mode="cooperative",
        cards=tuple(_card(word) for word in cards),
        groups=tuple(_group(words) for words in _listed(groups)),
        paths=tuple(_path(words) for words in _listed(paths)),
    )
    return checked_table(_with_rest(record, rest))


def is_notation(text: str) -> bool:
    """Whether a text is the notation of a table, rather than its JSON."""
    return as_typed(text).startswith(WORD)


# --- writing ------------------------------------------------------------------------------------------------


def _card_written(card: TableCard) -> str:
    return ("?" if card.face_down else "") + card_word(card.placed)


def _group_written(group: Group) -> Iterator[str]:
    yield quoted(group.group)
    if group.colour is not None:
        yield f"colour={quoted(group.colour)}"
    start = group.start
    if isinstance(start, CellStart):
        yield f"start={start.cell[0]},{start.cell[1]}:{start.side}:{number_written(start.at)}"
    elif start is not None:
        yield f"start={place_written(start, '')[0]}"
    for kind, count in group.fairy_tokens.items():
        yield f"{quoted(kind)}={count}"
    yield from map(quoted, group.spellbooks)
    if group.optimizer_tokens:
        took = (f"{place_written(at, '')[0]}/{quoted(kind)}" for at, kind in group.optimizer_tokens.items())
        yield f"took={','.join(took)}"
    if group.marks.circled:
        yield f"circled={marks_written(group.marks.circled)}"
    if group.marks.struck:
        yield f"struck={marks_written(group.marks.struck)}"


def _path_written(path: GroupPath) -> Iterator[str]:
    yield quoted(path.group)
    if path.path:
        yield strokes_written(path.path)
    if path.goal is not None:
        yield f"goal={quoted(path.goal)}"
    if path.sketch:
        yield "sketch=yes"


def _rest_written(record: TableRecord) -> Iterator[str]:
    mission = record.mission
    if isinstance(mission, Mission):
        yield f"mission={quoted(msgspec.json.encode(mission).decode())}"
    elif mission is not None:
        yield f"mission={quoted(mission)}"
    if record.difficulty is not UNSET:
        yield f"difficulty={record.difficulty}"
    if record.origin != (0.0, 0.0):
        yield f"origin={','.join(map(number_written, record.origin))}"
    if record.declared:
        yield f"declared={','.join(map(quoted, record.declared))}"
    if record.turn is not None:
        hand = "" if record.turn.hand is None else f"/{record.turn.hand}"
        yield f"turn={quoted(record.turn.player or '')}{hand}"
    for name, value in record.house.items():
        yield f"house:{quoted(name)}={quoted(_value_written(value))}"
    if record.catalogue != "open":
        yield f"catalogue={quoted(record.catalogue)}"


def _value_written(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


# --- reading ------------------------------------------------------------------------------------------------


def _listed(words: Sequence[str]) -> Iterator[list[str]]:
    """The words of each entry of a list separated by ` ; `."""
    entry: list[str] = []
    for word in words:
        if word == ";":
            yield entry
            entry = []
        else:
            entry.append(word)
    if entry:
        yield entry


def _card(word: str) -> TableCard:
    placed = placed_card(word.removeprefix("?"))
    hidden = word.startswith("?")
    return TableCard(
        None if hidden and not placed.card else placed.card, placed.x, placed.y, placed.rotation, hidden
    )


def _group(words: Sequence[str]) -> Group:
    if not words:
        raise _wrong(";", "a group begins with its name")
    values, tokens, books = _sorted(words[1:], _GROUP_KEYS)
    start: str | CellStart | None = None
    if "start" in values:
        match = _CELL.fullmatch(values["start"])
        if match is not None:
            start = CellStart((int(match[1]), int(match[2])), cast(Side, match[3]), float(match[4]))
        else:
            start = place_word(values["start"], "")[0]
    counts = {}
    for kind, count in tokens.items():
        if _COUNT.fullmatch(count) is None:
            raise _wrong(f"{kind}={count}", "fairy tokens are written like sword=1")
        counts[kind] = int(count)
    took = {}
    for word in values["took"].split(",") if values.get("took") else ():
        at, slash, kind = word.partition("/")
        if not slash:
            raise _wrong(word, "what an optimizer gave is written like 3:f2/key")
        took[place_word(at, "")[0]] = unquote(kind)
    return Group(
        group=unquote(words[0]),
        colour=unquote(values["colour"]) if "colour" in values else None,
        start=start,
        fairy_tokens=counts,
        spellbooks=tuple(books),
        optimizer_tokens=took,
        marks=Marks(
            circled=marks_word(values.get("circled", "")), struck=marks_word(values.get("struck", ""))
        ),
    )


def _path(words: Sequence[str]) -> GroupPath:
    if not words:
        raise _wrong(";", "a path begins with its group")
    values, _, _ = _sorted([word for word in words[1:] if "=" in word], _PATH_KEYS, others=False)
    return GroupPath(
        group=unquote(words[0]),
        path=strokes_from([word for word in words[1:] if "=" not in word]),
        goal=unquote(values["goal"]) if "goal" in values else None,
        sketch=values.get("sketch") == "yes",
    )


def _with_rest(record: TableRecord, words: Sequence[str]) -> TableRecord:
    values, others, names = _sorted(words, _REST_KEYS)
    if names:
        raise _wrong(names[0], "the last part is written like difficulty=hard")
    house: dict[str, Any] = {}
    for name, value in others.items():
        if not name.startswith("house:"):
            raise _wrong(name, "the last part is written like difficulty=hard")
        house[name.removeprefix("house:")] = _value(value)
    changes: dict[str, Any] = {"house": house}
    if "mission" in values:
        mission = unquote(values["mission"])
        changes["mission"] = parse_mission(mission.encode()) if mission.startswith("{") else mission
    if "difficulty" in values:
        changes["difficulty"] = _difficulty(values["difficulty"])
    if "origin" in values:
        changes["origin"] = _two_numbers(values["origin"])
    if "declared" in values:
        changes["declared"] = tuple(map(unquote, values["declared"].split(",")))
    if "turn" in values:
        changes["turn"] = _turn(values["turn"])
    if "catalogue" in values:
        changes["catalogue"] = unquote(values["catalogue"])
    return msgspec.structs.replace(record, **changes)


def _sorted(
    words: Iterable[str], keys: Iterable[str], *, others: bool = True
) -> tuple[dict[str, str], dict[str, str], list[str]]:
    """Words sorted by kind: `key=value` pairs with known keys, other pairs, and bare names."""
    values: dict[str, str] = {}
    more: dict[str, str] = {}
    names: list[str] = []
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            names.append(unquote(word))
        elif key in keys:
            values[key] = value
        elif others:
            more[unquote(key)] = unquote(value)
        else:
            raise _wrong(word, f"what may stand here is {', '.join(sorted(keys))}")
    return values, more, names


def _value(word: str) -> Any:
    try:
        return msgspec.json.decode(word)
    except msgspec.DecodeError:
        return word


def _difficulty(word: str) -> Difficulty:
    if word not in DIFFICULTIES:
        make_terms({"difficulty": word})  # whose error says what it takes
    return cast(Difficulty, word)


def _two_numbers(word: str) -> tuple[float, float]:
    x, _, y = word.partition(",")
    try:
        return float(x), float(y)
    except ValueError:
        raise _wrong(word, "the origin is two numbers") from None


def _turn(word: str) -> Turn:
    player, slash, hand = word.partition("/")
    if slash and not (hand.isascii() and hand.isdigit() and len(hand) <= 9):
        raise _wrong(word, "whose turn it is is written like Eva/2")
    return Turn(player=unquote(player) or None, hand=int(hand) if slash else None)


def _wrong(word: str, detail: str) -> WaymarkError:
    shown = word if len(word) <= 60 else word[:57] + "..."
    return WaymarkError(
        Code.NOT_A_NOTATION,
        Text(
            "This is not the notation of a cooperative table ({detail}; found {shown!r}); write it like "
            "cooperative | D29^@0,0 | green start=0:w1 rope=1 | green 0:w1 j1 e1 | difficulty=hard.",
            detail=detail,
            shown=shown,
        ),
    )
