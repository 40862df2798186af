"""The walk told step by step, so that a person can follow it with a finger on the cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorer.catalogue import Level
from scorer.dungeon import Dungeon
from scorer.mapmasters.messages import FIND_NAMES, place_name
from scorer.mapmasters.ruling import Event, Payment, Ruling, Step, Way


@dataclass(frozen=True, slots=True)
class ToldStep:
    """One line of the table: its number from 1, the place's name, what happened, and what is held
    afterwards.
    """

    number: int
    place: str
    what: str
    held: str


_EVENTS: dict[Event, tuple[str, str]] = {
    "started": ("Started at {place}", "{place}から出発した"),
    "walked": ("Came to {place}", "{place}へ進んだ"),
    "collected": ("Collected {place}", "{place}を獲得した"),
    "discovered": ("Discovered {place}", "{place}を発見した"),
    "defeated": ("Defeated {place}", "{place}を倒した"),
    "opened": ("Opened {place}", "{place}を開けた"),
    "crossed": ("Crossed {place}", "{place}を渡った"),
    "fell": ("Fell to {place}", "{place}へ落ちた"),
    "climbed": ("Climbed up to {place}", "{place}へ登った"),
    "took_stairs": ("Came {upwards} {place}", "{place}へ{upwards}"),
    "teleported": ("Went on at {place}", "{place}から再開した"),
    "re_entered": ("Came back in at {place}", "{place}から再び入った"),
    "entered": ("Entered {place}", "{place}に入った"),
    "revisited": ("Came back to {place}", "{place}に再び入った"),
    "guarded": (
        "Could not defeat every monster at {place}, where the path ends",
        "{place}でモンスターを倒しきれず、経路はここで終わる",
    ),
    "in_room": ("Moved within the room to {place}", "部屋の中を{place}へ進んだ"),
    "escaped": ("Left the dungeon at {place}", "{place}から脱出した"),
}
_UPWARDS: dict[Level, tuple[str, str]] = {"main": ("up", "上がった"), "underground": ("down", "下りた")}
#: Ways that are worth telling beside the event.
_WAYS: dict[Way, tuple[str, str]] = {
    "circle": ("teleported by magic circle", "魔法陣でテレポート"),
    "barrel": ("teleported from a barrel", "樽からテレポート"),
    "monster": ("teleported to a monster", "モンスターのいる場所へテレポート"),
    "edge": ("teleported across the dungeon", "ダンジョンの反対側へテレポート"),
    "fall": ("by falling", "落とし穴から"),
    "climb": ("by climbing", "落とし穴を登って"),
}
_SAYS_ITS_WAY = frozenset({"fell", "climbed"})


def told_steps(dungeon: Dungeon, ruling: Ruling, language: str) -> tuple[ToldStep, ...]:
    """Every step that the path reached, in `language` ("ja", anything else is English)."""
    found_at = {name: number for number, step in enumerate(ruling.steps, start=1) for name in step.found}
    return tuple(
        ToldStep(
            number, step.place, _step_sentence(dungeon, step, found_at, language), held_words(step, language)
        )
        for number, step in enumerate(ruling.steps, start=1)
    )


def _step_sentence(dungeon: Dungeon, step: Step, found_at: Mapping[str, int], language: str) -> str:
    """What happened at one step: "Defeated the monster at the left of D29 [0.m1] (used: the sword from step
    2)." `found_at` numbers the steps at which finds were discovered.
    """
    index = 1 if language == "ja" else 0
    place = dungeon.places[step.place]
    text = _EVENTS[step.event][index].format(
        place=place_name(dungeon, place, language), upwards=_UPWARDS[place.level][index]
    )
    extra = []
    if step.way in _WAYS and step.event not in _SAYS_ITS_WAY:
        extra.append(_WAYS[step.way][index])
    found = [name for name in step.found if name != step.place]
    if found:
        kinds = Counter(dungeon.places[name].find or "" for name in found)
        listed = _listed([_counted(kind, count, language) for kind, count in kinds.items()], language)
        extra.append(f"発見: {listed}" if language == "ja" else f"found: {listed}")
    if step.paid:
        paid = _listed([_payment_words(payment, found_at, language) for payment in step.paid], language)
        extra.append(f"使用: {paid}" if language == "ja" else f"used: {paid}")
    if not extra:
        return text + ("。" if language == "ja" else ".")
    if language == "ja":
        return f"{text}({'、'.join(extra)})。"
    return f"{text} ({'; '.join(extra)})."


def _payment_words(payment: Payment, found_at: Mapping[str, int], language: str) -> str:
    """A means that was used: "the sword from step 2", "a rope token as stated", "SB-5 as a key token"."""
    index = 1 if language == "ja" else 0
    words = _used_words(payment, found_at)[index]
    return (f"{words} as stated", f"申告どおり{words}")[index] if payment.stated else words


def _used_words(payment: Payment, found_at: Mapping[str, int]) -> tuple[str, str]:
    kind = payment.means.removeprefix("fairy:")
    if kind not in FIND_NAMES:
        if payment.stands_for is None:
            return payment.means, payment.means
        en, ja = FIND_NAMES[payment.stands_for]
        return f"{payment.means} as a {en} token", f"{ja}のフェアリートークンとして{payment.means}"
    en, ja = FIND_NAMES[kind]
    if payment.source is None:
        return f"a {en} token", f"{ja}のフェアリートークン"
    number = found_at[payment.source]
    return f"the {en} from step {number}", f"{number}歩目の{ja}"


def held_words(step: Step, language: str) -> str:
    """What is held after a step: "2 swords, a rope token, SB-3" in short."""
    words = []
    for means, count in step.held.items():
        kind = means.removeprefix("fairy:")
        if kind not in FIND_NAMES:
            words.append(means)
            continue
        en, ja = FIND_NAMES[kind]
        if language == "ja":
            words.append(f"{ja}{'トークン' if means != kind else ''}×{count}")
        else:
            words.append(f"{count} {en}{' token' if means != kind else ''}{'s' if count > 1 else ''}")
    return _listed(words, language)


def _counted(kind: str, count: int, language: str) -> str:
    """A kind of find, and how many of it where there are several: "sword", "2 swords"."""
    en, ja = FIND_NAMES[kind]
    if language == "ja":
        return f"{ja}×{count}" if count > 1 else ja
    return en if count == 1 else f"{count} {en.removesuffix('s')}s"


def _listed(words: Sequence[str], language: str) -> str:
    return ("、" if language == "ja" else ", ").join(words)
