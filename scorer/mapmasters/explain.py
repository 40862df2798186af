"""Explanation of a walk: one sentence for each step, to follow with a finger on the cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from scorer.catalogue import Level
from scorer.dungeon import Dungeon
from scorer.mapmasters.messages import place_words
from scorer.mapmasters.ruling import Event, Payment, Ruling, Step, Way
from scorer.mapmasters.vocabulary import FINDS, VOCABULARY
from scorer.text import NO_WORDS, Text
from scorer.verdict import ToldStep

_EVENTS: dict[Event, Text] = {
    "started": Text("Started at {place}", "{place}から出発した"),
    "walked": Text("Came to {place}", "{place}へ進んだ"),
    "collected": Text("Collected {place}", "{place}を獲得した"),
    "discovered": Text("Discovered {place}", "{place}を発見した"),
    "defeated": Text("Defeated {place}", "{place}を倒した"),
    "opened": Text("Opened {place}", "{place}を開けた"),
    "crossed": Text("Crossed {place}", "{place}を渡った"),
    "fell": Text("Fell to {place}", "{place}へ落ちた"),
    "climbed": Text("Climbed up to {place}", "{place}へ登った"),
    "took_stairs": Text("Came {upwards} {place}", "{place}へ{upwards}"),
    "teleported": Text("Went on at {place}", "{place}から再開した"),
    "re_entered": Text("Came back in at {place}", "{place}から再び入った"),
    "entered": Text("Entered {place}", "{place}に入った"),
    "revisited": Text("Came back to {place}", "{place}に再び入った"),
    "guarded": Text(
        "Could not defeat every monster at {place}, where the path ends",
        "{place}でモンスターを倒しきれず、経路はここで終わる",
    ),
    "in_room": Text("Moved within the room to {place}", "部屋の中を{place}へ進んだ"),
    "escaped": Text("Left the dungeon at {place}", "{place}から脱出した"),
}
_UPWARDS: dict[Level, Text] = {"main": Text("up", "上がった"), "underground": Text("down", "下りた")}
#: Ways that are worth telling beside the event.
_WAYS: dict[Way, Text] = {
    "circle": Text("teleported by magic circle", "魔法陣でテレポート"),
    "barrel": Text("teleported from a barrel", "樽からテレポート"),
    "monster": Text("teleported to a monster", "モンスターのいる場所へテレポート"),
    "edge": Text("teleported across the dungeon", "ダンジョンの反対側へテレポート"),
    "fall": Text("by falling", "落とし穴から"),
    "climb": Text("by climbing", "落とし穴を登って"),
}
_SAYS_ITS_WAY = frozenset({"fell", "climbed"})


def told_steps(dungeon: Dungeon, ruling: Ruling, *, with_ids: bool = True) -> tuple[ToldStep, ...]:
    """Sentences for all steps that the path reached; `with_ids` adds the places' names in records."""
    return steps_told(dungeon, ruling.steps, with_ids=with_ids)


def steps_told(dungeon: Dungeon, steps: Sequence[Step], *, with_ids: bool = True) -> tuple[ToldStep, ...]:
    """Sentences for steps, numbered from 1; each used item is named with the step where it was found."""
    found_at = {name: number for number, step in enumerate(steps, start=1) for name in step.found}
    return tuple(
        ToldStep(
            number,
            step.place,
            _step_sentence(dungeon, step, found_at, with_ids),
            held_words(step),
            brief=_brief(dungeon, step),
            found=step.found,
            used=_used_places(before, step),
            paid=tuple(payment.means for payment in step.paid),
        )
        for number, (before, step) in enumerate(zip((None, *steps), steps, strict=False), 1)
    )


def _brief(dungeon: Dungeon, step: Step) -> Text:
    """A step in short, where there is something to be told of it: what happened, to what, by which means."""
    event = VOCABULARY.events.get(step.event)
    if event is None:
        return NO_WORDS
    finds = [dungeon.places[name] for name in step.found]
    place = dungeon.places[step.place]
    named = [(VOCABULARY.name(each.find or ""), each.value) for each in finds]
    if not named and place.find:
        named = [(VOCABULARY.name(place.find), 1)]
    listed = _listed([_times(name, value) for name, value in named])
    words = Text(event.en.format(what=listed.en), event.ja.format(what=listed.ja))
    if not step.paid:
        return words
    means = _listed([VOCABULARY.name(payment.means) for payment in step.paid])
    return Text(f"{words.en} (uses {means.en})", f"{words.ja} ({means.ja}を使用)")


def _times(name: Text, value: int) -> Text:
    return name if value == 1 else Text(f"{name.en} x{value}", f"{name.ja} x{value}")


def _used_places(before: Step | None, step: Step) -> tuple[str, ...]:
    """Finds that were spent, overcome, or gone through on the way to a step."""
    used = [payment.source for payment in step.paid if payment.source]
    used += [payment.at for payment in step.paid]
    if before is not None and step.way in ("fall", "circle"):
        used.append(before.place)
    if step.way in ("circle", "climb"):
        used.append(step.place)
    return tuple(used)


def _step_sentence(dungeon: Dungeon, step: Step, found_at: Mapping[str, int], with_ids: bool) -> Text:
    """What happened at one step: "Defeated the monster at the left of D29 [0.m1] (used: the sword from step
    2)." `found_at` numbers the steps at which finds were discovered.
    """
    place = dungeon.places[step.place]
    event, where, upwards = (
        _EVENTS[step.event],
        place_words(dungeon, place, with_id=with_ids),
        _UPWARDS[place.level],
    )
    extra = []
    if step.way in _WAYS and step.event not in _SAYS_ITS_WAY:
        extra.append(_WAYS[step.way])
    found = [name for name in step.found if name != step.place]
    if found:
        kinds = Counter(dungeon.places[name].find or "" for name in found)
        listed = _listed([_counted(kind, count) for kind, count in kinds.items()])
        extra.append(Text(f"found: {listed.en}", f"発見: {listed.ja}"))
    if step.paid:
        paid = _listed([_payment_words(payment, found_at) for payment in step.paid])
        extra.append(Text(f"used: {paid.en}", f"使用: {paid.ja}"))
    en = event.en.format(place=where.en, upwards=upwards.en)
    ja = event.ja.format(place=where.ja, upwards=upwards.ja)
    if not extra:
        return Text(f"{en}.", f"{ja}。")
    return Text(
        f"{en} ({'; '.join(each.en for each in extra)}).", f"{ja}({'、'.join(each.ja for each in extra)})。"
    )


def _payment_words(payment: Payment, found_at: Mapping[str, int]) -> Text:
    """A means that was used: "the sword from step 2", "a rope token as stated", "SB-5 as a key token"."""
    words = _used_words(payment, found_at)
    return Text(f"{words.en} as stated", f"申告どおり{words.ja}") if payment.stated else words


def _used_words(payment: Payment, found_at: Mapping[str, int]) -> Text:
    kind = payment.means.removeprefix("fairy:")
    if kind not in FINDS:
        if payment.stands_for is None:
            return Text(payment.means, payment.means)
        tool = FINDS[payment.stands_for]
        return Text(
            f"{payment.means} as a {tool.en} token", f"{tool.ja}のフェアリートークンとして{payment.means}"
        )
    find = FINDS[kind]
    if payment.source is None:
        return Text(f"a {find.en} token", f"{find.ja}のフェアリートークン")
    number = found_at[payment.source]
    return Text(f"the {find.en} from step {number}", f"{number} 歩目の{find.ja}")


def held_words(step: Step) -> Text:
    """The means held after a step, in short: "2 swords, a rope token, SB-3"."""
    words = []
    for means, count in step.held.items():
        kind = means.removeprefix("fairy:")
        if kind not in FINDS:
            words.append(Text(means, means))
            continue
        find, is_token = FINDS[kind], means != kind
        words.append(
            Text(
                f"{count} {find.en}{' token' if is_token else ''}{'s' if count > 1 else ''}",
                f"{find.ja}{'トークン' if is_token else ''}×{count}",
            )
        )
    return _listed(words)


def _counted(kind: str, count: int) -> Text:
    """A kind of find, and how many of it where there are several: "sword", "2 swords"."""
    find = FINDS[kind]
    if count == 1:
        return find
    return Text(f"{count} {find.en.removesuffix('s')}s", f"{find.ja}×{count}")


def _listed(words: Sequence[Text]) -> Text:
    return Text(", ".join(each.en for each in words), "、".join(each.ja for each in words))
