"""What may have been otherwise in what is told of a path: means held, what was used where, house rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from scorer.counterfactual import Assumption
from scorer.dungeon import Dungeon
from scorer.mapmasters.choices import PaymentChoice, payment_choices
from scorer.mapmasters.direction import outcome
from scorer.mapmasters.means import (
    BOOK_FOR,
    CLIMB,
    CROSS_ITSELF,
    FAIRY,
    LEFT_RIGHT,
    PATH_SPELLBOOKS,
    POOLS,
    SPELLBOOKS,
    TO_BARREL,
    TO_MONSTER,
    TOOLS,
    TOP_BOTTOM,
    WILD,
    Held,
)
from scorer.mapmasters.messages import means_words, place_words
from scorer.mapmasters.payments import WANTING, state_payment
from scorer.mapmasters.ruling import Ruling
from scorer.mapmasters.settings import VersusSettings
from scorer.mapmasters.spellbooks import SPELLBOOKS as BOOKS
from scorer.mapmasters.terms import TERMS, Terms, with_terms
from scorer.mapmasters.vocabulary import FINDS
from scorer.record import Record
from scorer.text import NO_WORDS, Text

Then = Callable[[Assumption], Ruling | None]

#: `1.p1=rope@0.f3`: a place, the means, where an item came from.
_PAID = re.compile(
    f"(?P<at>.+?)=(?P<means>{'|'.join({means for pool in POOLS.values() for means in pool})})"
    r"(?:@(?P<source>.+))?"
)
#: A room may ask for several swords at once: so many tokens of a kind are tried before that kind is given up.
_MOST_OF_A_KIND = 4
#: Spellbooks by the rule that they do away with.
_LIFTED_BY_BOOKS: dict[str, tuple[str, ...]] = {
    "climb": (CLIMB,),
    "path-crossed": (CROSS_ITSELF,),
    "no-way": (TO_MONSTER, TO_BARREL, TOP_BOTTOM, LEFT_RIGHT),
}
#: Longest list of means that is tried together to bring a path to its end.
_MOST_TOGETHER = 6

#: Means by their names in `Payment.means`, with how many of each.
Amounts = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class _Held:
    """More of some means, or less (`sign`), was held."""

    sign: Literal[1, -1]
    means: Amounts

    @property
    def assumption(self) -> Assumption:
        listed = "+".join(f"{name}*{count}" for name, count in self.means)
        return Assumption(f"{'held' if self.sign > 0 else 'not_held'}:{listed}")


@dataclass(frozen=True)
class _House:
    """A house rule that is on or off was the other way."""

    setting: str

    @property
    def assumption(self) -> Assumption:
        return Assumption(f"house:{self.setting}")


@dataclass(frozen=True)
class _Paid:
    """Something else was used at a place."""

    at: str
    way: Held

    @property
    def assumption(self) -> Assumption:
        source = f"@{self.way.source}" if self.way.source is not None else ""
        return Assumption(f"paid:{self.at}={self.way.means}{source}")


_Content = _Held | _House | _Paid


class WhatIfs:
    """`scorer.counterfactual.WhatIfs` for paths that are walked with means."""

    def tried(
        self, board: Dungeon, record: Record, terms: Terms, verdict: Ruling, then: Then
    ) -> Iterator[Assumption]:
        """Assumptions that change the ruling: other payments, one kind of means more, all it takes to make
        the path legal, one less of each that was used, house rules the other way."""
        changing = _Changing(verdict, then)
        for _, instead in self.free(board, record, terms):
            yield from changing(instead)
        yield from _more_means(terms, changing)
        yield from _all_it_takes(terms, verdict, then)
        yield from changing(each.assumption for each in _less_means(verdict))
        yield from changing(each.assumption for each in _house_rules())

    def lifting(
        self, board: Dungeon, record: Record, terms: Terms, verdict: Ruling, then: Then
    ) -> Iterator[Assumption]:
        """Tokens first, then spellbooks. Where a path is stopped more than once, what lifts each stop, one
        after the other."""
        for first in _lifts(verdict):
            so_far, now = _Held(1, ()), verdict
            lift: str | None = first
            while lift is not None:
                before = len(now.steps)
                means = Counter(dict(so_far.means)) + Counter({lift: 1})
                so_far = _Held(1, tuple(means.items()))
                tried = then(so_far.assumption) if means.total() <= _MOST_TOGETHER else None
                if tried is None:
                    break
                if tried.legal and (not verdict.legal or _comes_farther(tried, verdict)):
                    yield so_far.assumption
                    break
                # Several monsters in a room ask for their swords at once.
                moved = len(tried.steps) > before or tried.why.rule == now.why.rule
                now, lift = tried, next(iter(_lifts(tried)), None) if moved else None

    def free(
        self, board: Dungeon, record: Record, terms: Terms
    ) -> Iterator[tuple[str, tuple[Assumption, ...]]]:
        """Each payment's place, and the ways in which it was not made."""
        for choice in payment_choices(board, with_terms(record, terms), terms.settings):
            yield choice.payment.at, tuple(each.assumption for each in _instead(choice))

    def parse(self, key: str) -> Assumption | None:
        """The assumption that has this key; None for what is none."""
        return Assumption(key) if _content(key) is not None else None

    def suppose(
        self, board: Dungeon, record: Record, terms: Terms, assumption: Assumption
    ) -> tuple[Record, Terms] | None:
        """Record and terms under an assumption; None where it cannot be: a token that is not held cannot be
        missing, a spellbook that is held cannot come, a place may be gone."""
        content = _content(assumption.key)
        if isinstance(content, _Paid):
            if not board.places.keys() >= set(self.places(assumption)):
                return None
            return state_payment(record, content.at, *content.way), terms
        changed = _changed(terms, content) if content is not None else None
        return None if changed is None else (record, changed)

    def places(self, assumption: Assumption) -> tuple[str, ...]:
        """Where something was used, and the item that was."""
        content = _content(assumption.key)
        if not isinstance(content, _Paid):
            return ()
        return (content.at, content.way.source) if content.way.source is not None else (content.at,)

    def before(self, terms: Terms, assumption: Assumption) -> dict[str, int]:
        """How many were held of the means that an assumption names; of a house rule, 1 where it is on."""
        match _content(assumption.key):
            case _House(setting=setting):
                return {setting: int(_is_on(terms, setting))}
            case _Held(means=means):
                return {name: _count(terms, name) for name, _ in means}
        return {}

    def left(self, assumption: Assumption, before: Mapping[str, int], terms: Terms) -> Assumption | None:
        """What has still to be assumed of one that was made when so much was held; None where it has come
        true. Only means and house rules can."""
        content = _content(assumption.key)
        if isinstance(content, _House):
            still = self.before(terms, assumption)
            return assumption if (before or still) == still else None
        if not isinstance(content, _Held):
            return assumption
        left = []
        for name, count in content.means:
            held = _count(terms, name)
            missing = count + content.sign * (before.get(name, held) - held)
            if missing > 0:
                left.append((name, missing))
        return replace(content, means=tuple(left)).assumption if left else None

    def condition(self, board: Dungeon, terms: Terms, assumption: Assumption) -> Text:
        """The assumption as a condition: "With a rope token"."""
        content = _content(assumption.key)
        if isinstance(content, _House):
            rule = _rule_name(content.setting)
            if _is_on(terms, content.setting):
                return Text(
                    f"If the table did not play by the house rule “{rule.en}”",
                    f"ハウスルール「{rule.ja}」を使わないなら",
                )
            return Text(
                f"If the table played by the house rule “{rule.en}”", f"ハウスルール「{rule.ja}」を使うなら"
            )
        if isinstance(content, _Paid):
            if content.at not in board.places:
                return Text(
                    "Another payment, at a place that is not there any more", "今はない場所で使ったもの"
                )
            means, place = _paid_words(board, content)
            return Text(f"If {means.en} was used at {place.en}", f"{place.ja}で{means.ja}を使ったとすると")
        if not isinstance(content, _Held):
            return Text("", "")
        if content.sign < 0:
            if (tool := _tool_of_several(terms, content)) is not None:
                return Text(
                    f"With one {tool.en} token fewer", f"{tool.ja}のフェアリートークンが 1 個少なければ"
                )
            means = _listed(terms, content)
            return Text(f"Without {means.en}", f"{means.ja}がなければ")
        if (counted := _one_kind(terms, content)) is None:
            means = _listed(terms, content)
            return Text(f"With {means.en}", f"{means.ja}があれば")
        tool, count, more = counted
        if more and count == 1:
            return Text(f"With one more {tool.en} token", f"{tool.ja}のフェアリートークンがもう 1 個あれば")
        if more:
            return Text(
                f"With {count} more {tool.en} tokens", f"{tool.ja}のフェアリートークンがもう {count} 個あれば"
            )
        return Text(f"With {count} {tool.en} tokens", f"{tool.ja}のフェアリートークンが {count} 個あれば")

    def telling(self, terms: Terms, assumption: Assumption) -> Text:
        """What a player says who held it: "I had a rope token"."""
        content = _content(assumption.key)
        if not isinstance(content, _Held) or content.sign < 0:
            return NO_WORDS
        means = _listed(terms, content, brief=True)
        return Text(f"I had {means.en}", f"{means.ja}を持っていた")

    def settling(self, board: Dungeon, terms: Terms, assumption: Assumption) -> Text:
        """What the button says that makes it a fact; empty where it cannot be one any more."""
        content = _content(assumption.key)
        if isinstance(content, _House):
            rule = _rule_name(content.setting)
            if _is_on(terms, content.setting):
                return Text(
                    f"Rule again without the house rule “{rule.en}”",
                    f"ハウスルール「{rule.ja}」なしで判定し直す",
                )
            return Text(
                f"Rule again with the house rule “{rule.en}”", f"ハウスルール「{rule.ja}」ありで判定し直す"
            )
        if isinstance(content, _Paid):
            if content.at not in board.places:
                return Text("", "")
            means, place = _paid_words(board, content)
            return Text(
                f"Rule again: {means.en} was used at {place.en}",
                f"{place.ja}で{means.ja}を使ったことにして判定し直す",
            )
        if not isinstance(content, _Held):
            return Text("", "")
        if content.sign < 0:
            if (tool := _tool_of_several(terms, content)) is not None:
                return Text(
                    f"Rule again: one {tool.en} token fewer was held",
                    f"{tool.ja}のフェアリートークンが 1 個少なかったことにして判定し直す",
                )
            means = _listed(terms, content, brief=True)
            return Text(f"Rule again without {means.en}", f"{means.ja}を持っていなかったことにして判定し直す")
        if (counted := _one_kind(terms, content)) is None:
            means = _listed(terms, content, brief=True)
            verb = "was" if len(content.means) == 1 else "were"
            return Text(f"Rule again: {means.en} {verb} held", f"{means.ja}を持っていたことにして判定し直す")
        tool, count, more = counted
        if more and count == 1:
            return Text(
                f"Rule again: one more {tool.en} token was held",
                f"{tool.ja}のフェアリートークンをもう 1 個持っていたことにして判定し直す",
            )
        if more:
            return Text(
                f"Rule again: {count} more {tool.en} tokens were held",
                f"{tool.ja}のフェアリートークンをもう {count} 個持っていたことにして判定し直す",
            )
        return Text(
            f"Rule again: {count} {tool.en} tokens were held",
            f"{tool.ja}のフェアリートークンを {count} 個持っていたことにして判定し直す",
        )


# --- keys ---------------------------------------------------------------------------------------------------


def _content(key: str) -> _Content | None:
    kind, _, rest = key.partition(":")
    if kind in ("held", "not_held"):
        means = _parse_means(rest)
        return _Held(1 if kind == "held" else -1, means) if means else None
    if kind == "house" and rest in {each.name for each in fields(VersusSettings)}:
        return _House(rest)
    if kind == "paid" and (paid := _PAID.fullmatch(rest)) is not None:
        return _Paid(paid["at"], Held(paid["means"], paid["source"]))
    return None


def _parse_means(words: str) -> Amounts:
    found = []
    for word in words.split("+"):
        name, _, count = word.partition("*")
        known = name in SPELLBOOKS or (name.removeprefix(FAIRY) in TOOLS and name.startswith(FAIRY))
        if not known or count not in {str(n) for n in range(1, _MOST_OF_A_KIND * _MOST_TOGETHER)}:
            return ()
        found.append((name, int(count)))
    return tuple(found)


# --- what is tried ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Changing:
    """Picks the assumptions that change a ruling."""

    ruling: Ruling
    then: Then

    def __call__(self, assumptions: Iterable[Assumption]) -> Iterator[Assumption]:
        for assumption in assumptions:
            then = self.then(assumption)
            if then is not None and outcome(then) != outcome(self.ruling):
                yield assumption


def _instead(choice: PaymentChoice) -> Iterator[_Paid]:
    """The ways in which a payment was not made."""
    for way in choice.ways:
        if way != choice.used:
            yield _Paid(choice.payment.at, way)


def _more_means(terms: Terms, changing: _Changing) -> Iterator[Assumption]:
    """One kind of means more: the fewest tokens of a kind that change anything, any spellbook of the path."""
    for tool in TOOLS:
        counts = range(1, _MOST_OF_A_KIND + 1)
        tried = (_Held(1, ((FAIRY + tool, count),)).assumption for count in counts)
        found = next(changing(tried), None)
        if found is not None:
            yield found
    yield from changing(_Held(1, ((book, 1),)).assumption for book in _books_not_held(terms))


def _books_not_held(terms: Terms) -> list[str]:
    return [book for book in SPELLBOOKS if book in PATH_SPELLBOOKS and book not in terms.spellbooks]


def _all_it_takes(terms: Terms, ruling: Ruling, then: Then) -> Iterator[Assumption]:
    """Several means together that make a path legal which no single kind makes so: at each stop the one that
    leads it farthest is added."""
    if ruling.legal:
        return
    so_far, now = _Held(1, ()), ruling
    for _ in range(_MOST_TOGETHER):
        best: tuple[_Held, Ruling] | None = None
        reached = len(now.steps)
        for more in _one_more(terms, so_far):
            tried = then(more.assumption)
            if tried is not None and (tried.legal or len(tried.steps) > reached):
                best, reached = (more, tried), len(tried.steps)
                if tried.legal:
                    break
        if best is None:
            return
        so_far, now = best
        if now.legal:
            if len(so_far.means) > 1:
                yield so_far.assumption
            return


def _one_more(terms: Terms, so_far: _Held) -> Iterator[_Held]:
    for name in [*(FAIRY + tool for tool in TOOLS), *_books_not_held(terms)]:
        counts = Counter(dict(so_far.means))
        most = _MOST_OF_A_KIND if name.startswith(FAIRY) else 1
        for more in range(1, most + 1 - counts[name]):
            yield _Held(1, tuple((counts + Counter({name: more})).items()))


def _less_means(ruling: Ruling) -> list[_Held]:
    """Each kind of means that was told and used, without one of it."""
    told = [payment.means for payment in ruling.spent if payment.source is None]
    return [_Held(-1, ((name, 1),)) for name in dict.fromkeys(told)]


def _house_rules() -> list[_House]:
    """Every house rule that is on or off."""
    return [_House(each.name) for each in fields(VersusSettings) if isinstance(each.default, bool)]


def _comes_farther(tried: Ruling, verdict: Ruling) -> bool:
    """Whether a path comes farther than it did, or is not stopped any more in the room where it ends."""
    return len(tried.steps) > len(verdict.steps) or verdict.ended == "obstacle" != tried.ended


def _lifts(ruling: Ruling) -> tuple[str, ...]:
    """What would let a path go on where a ruling stopped it, by its name in `Payment.means`."""
    rule = ruling.why.rule.removeprefix("stopped-by-")
    tool = WANTING.get(rule)
    if tool is not None:
        return FAIRY + tool, BOOK_FOR[tool], WILD
    return _LIFTED_BY_BOOKS.get(rule, ())


# --- what they change ---------------------------------------------------------------------------------------


def _changed(terms: Terms, content: _Held | _House) -> Terms | None:
    """Terms under an assumption about them; None where it cannot be."""
    if isinstance(content, _House):
        now = getattr(terms.settings, content.setting)
        if not isinstance(now, bool):
            return None
        other: dict[str, Any] = {content.setting: not now}
        return replace(terms, settings=replace(terms.settings, **other))
    tokens, books = Counter(terms.fairy_tokens), list(terms.spellbooks)
    for name, count in content.means:
        if name.startswith(FAIRY):
            tokens[name.removeprefix(FAIRY)] += content.sign * count
        elif content.sign > 0 and name not in books:
            books.append(name)
        elif content.sign < 0 and name in books:
            books.remove(name)
        else:
            return None
    if any(count < 0 for count in tokens.values()):
        return None
    held = {tool: count for tool, count in tokens.items() if count}
    return replace(terms, fairy_tokens=held, spellbooks=tuple(books))


def _count(terms: Terms, name: str) -> int:
    if name in SPELLBOOKS:
        return int(name in terms.spellbooks)
    return terms.fairy_tokens.get(name.removeprefix(FAIRY), 0)


def _is_on(terms: Terms, setting: str) -> bool:
    return getattr(terms.settings, setting) is True


# --- words --------------------------------------------------------------------------------------------------


def _rule_name(setting: str) -> Text:
    return next(term.label for term in TERMS if term.id == setting)


def _paid_words(board: Dungeon, paid: _Paid) -> tuple[Text, Text]:
    means = means_words(board, paid.way, with_id=False)
    return means, place_words(board, board.places[paid.at], with_id=False)


def _tool_of_several(terms: Terms, held: _Held) -> Text | None:
    """The tool of which one token is missing, and of which others are left."""
    if len(held.means) != 1:
        return None
    name, count = held.means[0]
    tool = name.removeprefix(FAIRY)
    left = terms.fairy_tokens.get(tool, 0) - count
    return FINDS[tool] if tool != name and count == 1 and left > 0 else None


def _one_kind(terms: Terms, held: _Held) -> tuple[Text, int, bool] | None:
    """Tokens of one kind alone, whose number is said in a sentence of its own: the tool, how many, and
    whether they come to others that are held. None where a list says it."""
    if len(held.means) != 1:
        return None
    name, count = held.means[0]
    tool = name.removeprefix(FAIRY)
    more = terms.fairy_tokens.get(tool, 0) > 0
    return (FINDS[tool], count, more) if tool != name and (more or count > 1) else None


def _listed(terms: Terms, held: _Held, *, brief: bool = False) -> Text:
    words = [_amount(terms, name, count, more=held.sign > 0, brief=brief) for name, count in held.means]
    return Text(", ".join(each.en for each in words), "、".join(each.ja for each in words))


def _amount(terms: Terms, name: str, count: int, *, more: bool, brief: bool) -> Text:
    """ "a rope token", "2 more rope tokens", "the spellbook SB-3 (cross one pitfall)"."""
    if (book := BOOKS.get(name)) is not None:
        if brief:
            return Text(f"the spellbook {name}", f"魔導書 {name}")
        # Who does not know it by its number is told what it does.
        does = book.words.en[:1].lower() + book.words.en[1:]
        return Text(
            f"the spellbook {name} ({does.rstrip('.')})", f"魔導書 {name} ({book.words.ja.rstrip('。')})"
        )
    tool = name.removeprefix(FAIRY)
    what = FINDS[tool]
    if more and terms.fairy_tokens.get(tool):
        if count == 1:
            return Text(f"one more {what.en} token", f"{what.ja}のフェアリートークンもう 1 個")
        return Text(f"{count} more {what.en} tokens", f"{what.ja}のフェアリートークンもう {count} 個")
    if count == 1:
        return Text(f"a {what.en} token", f"{what.ja}のフェアリートークン")
    return Text(f"{count} {what.en} tokens", f"{what.ja}のフェアリートークン {count} 個")
