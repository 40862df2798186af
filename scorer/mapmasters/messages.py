"""Messages in English and Japanese: words for places, sentences for rules from their templates."""

from __future__ import annotations

from collections import Counter

from scorer import places
from scorer.dungeon import Dungeon, Place
from scorer.mapmasters.means import Held
from scorer.mapmasters.rules import Rule
from scorer.mapmasters.ruling import Payment
from scorer.mapmasters.vocabulary import FINDS, VOCABULARY
from scorer.places import is_crossing
from scorer.record import StatedPayment
from scorer.text import Text

_ONCE: dict[bool, Text] = {
    True: Text(
        "a crossing is one corridor and is walked once",
        "交差点は 1 本の廊下なので、一度しか通れません",
    ),
    False: Text("a corridor is walked once", "同じ廊下は一度しか通れません"),
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
        return Text(paid.means, paid.means)
    find = FINDS[kind]
    if kind == paid.means:
        return Text(f"a {find.en}", f"拾った{find.ja}")
    return Text(f"a {find.en} token", f"{find.ja}のフェアリートークン")


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
    named = {
        name: place_words(dungeon, each, with_id=with_ids)
        for name, each in _named(dungeon, place, before).items()
        if f"{{{name}}}" in rule.words.en or f"{{{name}}}" in rule.words.ja
    }
    if "{once}" in rule.words.en and place is not None:
        named["once"] = _ONCE[is_crossing(dungeon, place)]
    return Text(
        capitalised(rule.words.en.format(step=step, **{name: words.en for name, words in named.items()})),
        rule.words.ja.format(step=step, **{name: words.ja for name, words in named.items()}),
    )


def laying_sentence(rule: Rule, dungeon: Dungeon, cards: tuple[int, ...], limit: int) -> Text:
    """The sentence of a rule of laying about `cards`; alike cards are told apart by their numbers."""
    laid = Counter(placed.card for placed in dungeon.cards)
    names = [name if laid[name := dungeon.cards[index].card] == 1 else f"{name}[{index}]" for index in cards]
    one = len(names) == 1
    verbs = {"does": "does" if one else "do", "are": "is" if one else "are"}
    return Text(
        capitalised(rule.words.en.format(cards=" and ".join(names), limit=limit, **verbs)),
        rule.words.ja.format(cards="と".join(names), limit=limit),
    )


def capitalised(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


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
