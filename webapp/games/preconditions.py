"""Nobody overwrites what they have not seen: whoever changes something says what was looked at, and where
another device has written something else in the meantime, that is told instead of written over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from scorer.errors import Code, WaymarkError
from waymark.phrases import find_name
from webapp.games.score_sheet import first_to_finish
from webapp.store.models import Entry, Game, GameRound, Person, Seat, Tableau
from webapp.store.tableaus import game_settings

Values: TypeAlias = Mapping[str, Any]
#: The same in English and in Japanese.
Words: TypeAlias = tuple[str, str]
#: Of a longer text only the beginning is told.
_SHORT = 60

#: A value in words.
_Tell: TypeAlias = Callable[[Any], Words]


def check_entry(entry: Entry, seen: Values, wanted: Values) -> None:
    """Raises `WaymarkError` (conflict) where another device has written something else into a player's round
    than was `seen` or is `wanted`; so do the others of this module."""
    _check(_entry_now(entry), _told_of_entry(entry), seen, wanted)


def check_round(round_: GameRound, seen: Values, wanted: Values) -> None:
    """The same for a round."""
    now = {
        "primary": round_.primary,
        "secondary": round_.secondary,
        "hourglass": round_.hourglass,
        "time_bonus_seat": first_to_finish(round_),
        "nobody_first": round_.nobody_first,
    }
    _check(now, {**_ROUND, "time_bonus_seat": _seat_told(round_)}, seen, wanted)


def check_game(game: Game, seen: Values, wanted: Values) -> None:
    """The same for a game's words and house rules."""
    now = {"title": game.title, "location": game.location, "notes": game.notes}
    _check({**now, "settings": game_settings(game.settings)}, _WORDS, seen, wanted)


def check_words(row: Seat | Tableau | Person, seen: Values, wanted: Values) -> None:
    """The same for what something is called, a seat's colour among it."""
    _check({column: getattr(row, column) for column in seen}, _WORDS, seen, wanted)


def entry_told(entry: Entry, columns: list[str]) -> list[Words]:
    """What a player's round says in these columns."""
    now, told = _entry_now(entry), _told_of_entry(entry)
    return [told[column](now[column]) for column in columns]


def listed(told: list[Words]) -> Words:
    """Values in words, one after the other."""
    return ", ".join(en for en, _ in told), "、".join(ja for _, ja in told)


def _check(now: Values, told: Mapping[str, _Tell], seen: Values, wanted: Values) -> None:
    there, looked, aims = (_by_part(values) for values in (now, seen, wanted))
    other: dict[str, Any] = {}
    for name, part in looked:
        # A kind of token that nobody has is in no mapping.
        value, was = there.get((name, part), 0), looked[name, part]
        if not _same(value, was) and not _same(value, aims.get((name, part), was)):
            other.setdefault(name, {})[part] = value
    if not other:
        return
    en, ja = listed([told[name](parts.get("", parts)) for name, parts in other.items()])
    raise WaymarkError(
        Code.CONFLICT,
        f"This was changed on another device, it now says: {en}; check it and do it again.",
        f"別の端末で変更されました（{ja}）。内容を確かめてから、もう一度操作してください。",
    )


def _same(here: object, there: object) -> bool:
    """Equal; a text on a page has its own line breaks."""
    if isinstance(here, str) and isinstance(there, str):
        return here.splitlines() == there.splitlines()
    return here == there


def _by_part(values: Values) -> dict[tuple[str, str], Any]:
    return {
        (name, part): each
        for name, value in values.items()
        for part, each in (value.items() if isinstance(value, Mapping) else [("", value)])
    }


def _entry_now(entry: Entry) -> Values:
    columns = ("primary_vp", "secondary_vp", "escaped", "coins_received", "fairy_tokens", "optimizers_used")
    now = {column: getattr(entry, column) for column in columns}
    round_ = entry.round
    return {**now, "time_bonus_seat": first_to_finish(round_), "nobody_first": round_.nobody_first}


def _told_of_entry(entry: Entry) -> Mapping[str, _Tell]:
    return {**_ENTRY, "time_bonus_seat": _seat_told(entry.round)}


def _seat_told(round_: GameRound) -> _Tell:
    names = {entry.seat_id: _short(entry.seat.name) for entry in round_.entries}
    nobody = ("time bonus: nobody", "タイムボーナスなし")
    return lambda seat: (
        nobody if seat is None else (f"time bonus: {names[seat]}", f"タイムボーナスは {names[seat]}")
    )


def _points(en: str, ja: str) -> _Tell:
    return lambda points: (
        f"{en} {'empty' if points is None else points}",
        f"{ja}{'が空欄' if points is None else f' {points}'}",
    )


def _counts(en: str, ja: str) -> _Tell:
    return lambda counts: listed(
        [
            (f"{en} ({find_name('en', kind)}): {count}", f"{ja}（{find_name('ja', kind)}）{count}")
            for kind, count in counts.items()
        ]
    )


def _objective(en: str, ja: str) -> _Tell:
    return lambda objective: (
        (f"no {en} objective", f"{ja}は未定")
        if objective is None
        else (f"{en} objective: {find_name('en', objective)}", f"{ja}は{find_name('ja', objective)}")
    )


def _text(en: str, ja: str) -> _Tell:
    return lambda text: (
        (f"{en} “{_short(text)}”", f"{ja}「{_short(text)}」") if text else (f"no {en}", f"{ja}なし")
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHORT else line[: _SHORT - 1] + "…"


_NOBODY_FIRST: _Tell = {
    True: ("nobody was first to finish", "最初に完了した人はなし"),
    False: ("who was first to finish is open", "最初に完了した人は未選択"),
}.__getitem__
_ENTRY: dict[str, _Tell] = {
    "nobody_first": _NOBODY_FIRST,
    "primary_vp": _points("primary objective", "主目標"),
    "secondary_vp": _points("secondary objective", "副目標"),
    "coins_received": _points("coins found", "経路のコイン"),
    "escaped": {
        None: ("escape not known yet", "脱出が未定"),
        True: ("escaped", "脱出した"),
        False: ("not escaped", "脱出せず"),
    }.__getitem__,
    "fairy_tokens": _counts("fairy tokens", "フェアリートークン"),
    "optimizers_used": _counts("used in the refresh", "更新フェーズで使った数"),
}
_ROUND: dict[str, _Tell] = {
    "nobody_first": _NOBODY_FIRST,
    "primary": _objective("primary", "主目標"),
    "secondary": _objective("secondary", "副目標"),
    "hourglass": {True: ("hourglass", "砂時計あり"), False: ("no hourglass", "砂時計なし")}.__getitem__,
}
_COLOURS = {"red": "赤", "blue": "青", "green": "緑", "yellow": "黄", "purple": "紫"}
_WORDS: dict[str, _Tell] = {
    "title": _text("title", "タイトル"),
    "location": _text("place", "場所"),
    "notes": _text("notes", "メモ"),
    "name": _text("name", "名前"),
    "colour": lambda colour: (f"colour {colour}", f"色は{_COLOURS.get(colour, colour)}"),
    "settings": lambda _: ("other house rules", "別のハウスルール"),
}
