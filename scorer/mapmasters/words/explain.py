"""Explanation of a walk: one sentence for each step, to follow with a finger on the cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from scorer.catalogue import Level
from scorer.dungeon import Dungeon
from scorer.mapmasters.rules.ruling import Event, Payment, Ruling, Step, Way
from scorer.mapmasters.words.messages import place_words
from scorer.mapmasters.words.vocabulary import FINDS, VOCABULARY
from scorer.text import NO_WORDS, SEMICOLON, Text, listed, plural, unchanged
from scorer.verdict import ToldStep

_EVENTS: dict[Event, Text] = {
    "started": Text("Started at {place}"),
    "walked": Text("Came to {place}"),
    "collected": Text("Collected {place}"),
    "discovered": Text("Discovered {place}"),
    "defeated": Text("Defeated {place}"),
    "opened": Text("Opened {place}"),
    "crossed": Text("Crossed {place}"),
    "fell": Text("Fell to {place}"),
    "climbed": Text("Climbed up to {place}"),
    "took_stairs": Text("Came {upwards} {place}"),
    "teleported": Text("Went on at {place}"),
    "re_entered": Text("Came back in at {place}"),
    "entered": Text("Entered {place}"),
    "revisited": Text("Came back to {place}"),
    "guarded": Text("Could not defeat every monster at {place}, where the path ends"),
    "in_room": Text("Moved within the room to {place}"),
    "escaped": Text("Left the dungeon at {place}"),
}
_UPWARDS: dict[Level, Text] = {
    "main": Text("up", context="stairs"),
    "underground": Text("down", context="stairs"),
}
#: Ways that are worth telling beside the event.
_WAYS: dict[Way, Text] = {
    "circle": Text("teleported by magic circle"),
    "barrel": Text("teleported from a barrel"),
    "monster": Text("teleported to a monster"),
    "edge": Text("teleported across the dungeon"),
    "fall": Text("by falling"),
    "climb": Text("by climbing"),
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
    """A step in a few words: the event, its object and the means used. Empty for an uneventful step."""
    event = VOCABULARY.events.get(step.event)
    if event is None:
        return NO_WORDS
    finds = [dungeon.places[name] for name in step.found]
    place = dungeon.places[step.place]
    named = [(VOCABULARY.name(each.find or ""), each.value) for each in finds]
    if not named and place.find:
        named = [(VOCABULARY.name(place.find), 1)]
    words = event.filled(what=listed(_times(name, value) for name, value in named))
    if not step.paid:
        return words
    means = listed([VOCABULARY.name(payment.means) for payment in step.paid])
    return Text("{words} (uses {means})", words=words, means=means)


def _times(name: Text, value: int) -> Text:
    return name if value == 1 else Text("{name} x{value}", name=name, value=value)


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
    """The sentence about one step, such as "Defeated the monster at the left of D29 [0.m1] (used: the sword
    from step 2)." `found_at` maps finds to the numbers of the steps at which they were discovered."""
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
        what = listed(_counted(kind, count) for kind, count in kinds.items())
        extra.append(Text("found: {what}", what=what))
    if step.paid:
        paid = listed([_payment_words(payment, found_at) for payment in step.paid])
        extra.append(Text("used: {paid}", paid=paid))
    happened = event.filled(place=where, upwards=upwards)
    if not extra:
        return Text("{happened}.", happened=happened)
    return Text("{happened} ({more}).", happened=happened, more=listed(extra, SEMICOLON))


def _payment_words(payment: Payment, found_at: Mapping[str, int]) -> Text:
    """A means that was used: "the sword from step 2", "a rope token as stated", "SB-5 as a key token"."""
    words = _used_words(payment, found_at)
    return Text("{words} as stated", words=words) if payment.stated else words


def _used_words(payment: Payment, found_at: Mapping[str, int]) -> Text:
    kind = payment.means.removeprefix("fairy:")
    if kind not in FINDS:
        if payment.stands_for is None:
            return unchanged(payment.means)
        tool = FINDS[payment.stands_for]
        return Text("{means} as a {tool} token", means=payment.means, tool=tool)
    find = FINDS[kind]
    if payment.source is None:
        return Text("a {find} token", find=find)
    number = found_at[payment.source]
    return Text("the {find} from step {number}", find=find, number=number)


def held_words(step: Step) -> Text:
    """The means held after a step, in short: "2 swords, a rope token, SB-3"."""
    words = []
    for means, count in step.held.items():
        kind = means.removeprefix("fairy:")
        if kind not in FINDS:
            words.append(unchanged(means))
            continue
        find, is_token = FINDS[kind], means != kind
        if is_token:
            words.append(plural("{count} {find} token", "{count} {find} tokens", count, find=find))
        else:
            words.append(_some(find, count))
    return listed(words)


def _counted(kind: str, count: int) -> Text:
    """A kind of find, and how many of it where there are several: "sword", "2 swords"."""
    find = FINDS[kind]
    if count == 1:
        return find
    return _some(find, count)


def _some(find: Text, count: int) -> Text:
    """A count with a noun: "1 sword", "2 swords". A noun that is already plural ("stairs") stays
    unchanged."""
    if find.en.endswith("s"):
        return Text("{count} {find}", count=count, find=find)
    return plural("{count} {find}", "{count} {find}s", count, find=find)
