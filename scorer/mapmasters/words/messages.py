"""Messages in English and Japanese: words for places, sentences for rules from their templates."""

from __future__ import annotations

from collections import Counter

from scorer import places
from scorer.dungeon import Dungeon, Place
from scorer.mapmasters.rules.codes import Rule
from scorer.mapmasters.rules.means import Held
from scorer.mapmasters.rules.ruling import Payment
from scorer.mapmasters.words.vocabulary import FINDS, VOCABULARY
from scorer.places import is_crossing
from scorer.record import StatedPayment
from scorer.text import AND, Text, capitalised, listed, unchanged

_ONCE: dict[bool, Text] = {
    True: Text("a crossing is one corridor and is walked once"),
    False: Text("a corridor is walked once"),
}


def place_words(dungeon: Dungeon, place: Place, *, with_id: bool = True) -> Text:
    """`scorer.places.place_words` in this game's words."""
    return places.place_words(VOCABULARY, dungeon, place, with_id=with_id)


def means_words(dungeon: Dungeon, paid: Payment | StatedPayment | Held, *, with_id: bool = True) -> Text:
    """Words for a means: "the rope at the top left of D29 [0.f3]", "a rope token", "SB-3"."""
    if paid.source is not None and paid.source in dungeon.places:
        return place_words(dungeon, dungeon.places[paid.source], with_id=with_id)
    kind = paid.means.removeprefix("fairy:")
    if kind not in FINDS:
        return unchanged(paid.means)
    find = FINDS[kind]
    if kind == paid.means:
        return Text("a {find}", find=find)
    return Text("a {find} token", find=find)


def sentence(
    rule: Rule,
    dungeon: Dungeon,
    *,
    place: Place | None,
    before: Place | None,
    step: int,
    with_ids: bool = True,
) -> Text:
    """The sentence of a rule of the path. `step` counts from 1 along the whole path."""
    wanted = rule.words.placeholders
    named = {
        name: place_words(dungeon, each, with_id=with_ids)
        for name, each in _named(dungeon, place, before).items()
        if name in wanted
    }
    if "once" in wanted and place is not None:
        named["once"] = _ONCE[is_crossing(dungeon, place)]
    return capitalised(rule.words.filled(step=step, **named))


def laying_sentence(rule: Rule, dungeon: Dungeon, cards: tuple[int, ...], limit: int) -> Text:
    """The sentence about a broken rule of laying and its `cards`. Identical cards are distinguished by their
    numbers."""
    laid = Counter(placed.card for placed in dungeon.cards)
    names = [name if laid[name := dungeon.cards[index].card] == 1 else f"{name}[{index}]" for index in cards]
    one = len(names) == 1
    verbs = {"does": "does" if one else "do", "are": "is" if one else "are"}
    return capitalised(rule.words.filled(cards=listed(names, AND), limit=limit, **verbs))


def _named(dungeon: Dungeon, place: Place | None, before: Place | None) -> dict[str, Place]:
    """The places that a template may speak of: `place`, `before`, the `door` and the `room` of the step."""
    named = {}
    if place is not None:
        named["place"] = place
        named["door"] = place if place.kind == "door" or before is None else before
    if before is not None:
        named["before"] = before
        named["room"] = before if before.room is None else dungeon.places[before.room]
    return named
